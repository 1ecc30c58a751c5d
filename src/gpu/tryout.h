/* Trying a calibrated profile on the examples, to which it was not fitted: what it predicts of them, and what it chooses. */
#ifndef FPMOVE_GPU_TRYOUT_H
#define FPMOVE_GPU_TRYOUT_H

#include "gpu/timing.h"
#include "gpu/weights.h"

struct tryout {
	struct arena *arena;
	const struct context *gpu;
	struct ground ground;
	const struct weights *weights;
	const struct target *against; /* another profile that chooses, too; NULL: none */
	double seconds;               /* after which no further example is begun */
	struct text *said, *csv;      /* a table; a line for each example and choice */
};

void tryout_run(const struct tryout *);

#endif
