/* Tries a calibrated target on the examples, which it was not fitted to: compares its predictions with measured times, and measures the
 * programs that it chooses. */
#ifndef FPMOVE_GPU_TRYOUT_H
#define FPMOVE_GPU_TRYOUT_H

#include "gpu/timing.h"
#include "gpu/weights.h"

struct tryout {
	struct arena *arena;
	const struct context *gpu;
	struct ground ground;
	const struct weights *weights;
	const struct target *against; /* another target whose choices are measured, too; NULL if there is none */
	double seconds;               /* how long it may take; no example is begun afterwards */
	struct text *said, *csv;      /* the table for people; CSV lines for each example and choice */
};

/* Tries the examples one after another, and writes the table and the CSV lines. */
void tryout_run(const struct tryout *);

#endif
