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

/* Takes an interval that holds the true median in 95 of 100 cases: the number of values below it has a binomial distribution, so it is
 * within 1.96 standard deviations, of sqrt(n) / 2 each, of n / 2. */
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
