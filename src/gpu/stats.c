/* Computes statistics of timings, see stats.h. */
#include "gpu/stats.h"

#include "system/process.h"

#include <math.h>
#include <stdlib.h>

double stats_now_ns(void)
{
	return (double)os_now();
}

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

unsigned stats_samples(double seconds, double ns, unsigned least, unsigned most)
{
	double const fit = seconds * 1e9 / ns;
	return fit < least ? least : fit > most ? most : (unsigned)fit;
}

void stats_sort(double *values, size_t n)
{
	qsort(values, n, sizeof *values, compare_doubles);
}

/* Returns the median of n > 0 sorted values. */
static double middle_value(const double *values, size_t n)
{
	return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

struct quartiles stats_quartiles(double *values, size_t n)
{
	stats_sort(values, n);
	return (struct quartiles){values[(n - 1) / 4], middle_value(values, n), values[n - 1 - (n - 1) / 4]};
}

struct quartiles quartiles_of(struct arena *a, const double *values, size_t n)
{
	double *copy = arena_alloc(a, n * sizeof *copy);
	memcpy(copy, values, n * sizeof *copy);
	return stats_quartiles(copy, n);
}

/* Uses the interval that holds the true median in 95 of 100 cases: the number of values below it has a binomial distribution, so it is within
 * 1.96 standard deviations, of sqrt(n) / 2 each, of n / 2. */
struct ratio stats_ratio(const double *a, const double *b, size_t n, double *work)
{
	for (size_t k = 0; k < n; k++)
		work[k] = a[k] / b[k];
	stats_sort(work, n);
	double const away = floor(((double)n - 1.96 * sqrt((double)n)) / 2);
	size_t const k = away > 0 ? (size_t)away : 0;
	return (struct ratio){work[k], middle_value(work, n), work[n - 1 - k]};
}

double stats_slope(const double *x, const double *y, size_t n)
{
	double sx = 0, sy = 0, above = 0, below = 0;
	for (size_t k = 0; k < n; k++) {
		sx += x[k];
		sy += y[k];
	}
	for (size_t k = 0; k < n; k++) {
		above += (x[k] - sx / (double)n) * (y[k] - sy / (double)n);
		below += (x[k] - sx / (double)n) * (x[k] - sx / (double)n);
	}
	return above / below;
}

json_t *json_quartiles(const struct quartiles *q)
{
	return json_pack("{s:f,s:f,s:f}", "low", q->low, "median", q->median, "high", q->high);
}

json_t *json_ratio(const struct ratio *r)
{
	return json_pack("[f,f,f]", r->low, r->median, r->high);
}

/* ---- turns ----------------------------------------------------------------------------- */

enum { LEAST_SAMPLES = 5, MOST_SAMPLES = 2001, WARM_UPS = 3, MOST_DRAWS = 1000 };
static const double SAMPLE_NS = 2e6; /* about the length of a sample */

/* Sets `draws` of thing number `which` so that a sample takes about SAMPLE_NS.  Returns how long a sample takes with the draw before it, or a
 * number below 0 if drawing fails. */
static double warm_up(turn_sample *sample, void *drawer, struct turn *t, unsigned which)
{
	double ns = 0;
	t->draws = 1;
	for (unsigned round = 0; round < WARM_UPS && ns >= 0; round++) {
		ns = sample(drawer, which, t->draws);
		double const draws = SAMPLE_NS / (ns + 1);
		t->draws = draws < 1 ? 1 : draws > (double)MOST_DRAWS ? MOST_DRAWS : (unsigned)draws;
	}
	return ns * (t->draws + 1);
}

unsigned turns_run(struct arena *a, turn_sample *sample, void *drawer, struct turn *turn, unsigned n, double seconds)
{
	double all = 1;
	for (unsigned k = 0; k < n; k++) {
		double const one = warm_up(sample, drawer, &turn[k], k);
		if (one < 0)
			return 0;
		all += one;
	}
	unsigned const samples = stats_samples(seconds, all, LEAST_SAMPLES, MOST_SAMPLES);
	for (unsigned k = 0; k < n; k++)
		turn[k].ns = arena_alloc(a, samples * sizeof(double));
	for (unsigned time = 0; time < samples; time++)
		for (unsigned k = 0; k < n; k++)
			if ((turn[k].ns[time] = sample(drawer, k, turn[k].draws)) < 0)
				return 0;
	return samples;
}
