/* Timing things in turns, so that what slows the machine for a while slows all alike. */
#ifndef FPMOVE_GPU_TURNS_H
#define FPMOVE_GPU_TURNS_H

#include "base/arena.h"

#include <stdbool.h>

struct turn {
	unsigned draws; /* in one sample */
	double *ns;     /* of a draw, each time */
};

/* ns of one of so many draws of number `which`; below 0: they fail. */
typedef double turn_sample(void *drawer, unsigned which, unsigned draws);

/* All n of them after a warm-up, about `seconds` long or so often as is the least.  How often; 0: a draw failed. */
unsigned turns_run(struct arena *, turn_sample *, void *drawer, struct turn *, unsigned n, double seconds);

#endif
