/* A calibrated profile on trial: what it predicts of the examples, to which it was not fitted, and what it chooses. */
#ifndef FPMOVE_GPU_TRIAL_H
#define FPMOVE_GPU_TRIAL_H

#include "gpu/probe.h"
#include "gpu/weights.h"

struct trial {
	struct booth *booth;
	const struct weights *weights;
	const struct target *against; /* another profile that chooses, too; NULL: none */
	double seconds;               /* after which no further example is begun */
	struct text *said, *csv;      /* a table; a line for each example and choice */
};

void trial_run(const struct trial *);

#endif
