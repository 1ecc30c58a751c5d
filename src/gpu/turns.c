/* Takes samples in turns, see turns.h. */
#include "gpu/turns.h"

#include "gpu/stats.h"

enum { LEAST_SAMPLES = 5, MOST_SAMPLES = 501, WARM_UPS = 3, MOST_DRAWS = 1000 };
static const double SAMPLE_NS = 2e6; /* about the length of a sample */

/* Finds how many draws make a sample of thing number `which`.  Returns how long a sample takes with the draw before it, or a number below 0
 * if drawing fails. */
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
