/* Times several things in turns, so that a load that slows the machine for a while slows all of them alike. */
#ifndef FPMOVE_GPU_TURNS_H
#define FPMOVE_GPU_TURNS_H

#include "base/arena.h"

#include <stdbool.h>

struct turn {
	unsigned draws; /* draws in one sample */
	double *ns;     /* ns of a draw, for each sample */
};

/* Draws thing number `which` the given number of times.  Returns the ns of one draw, or a number below 0 if drawing fails. */
typedef double turn_sample(void *drawer, unsigned which, unsigned draws);

/* Warms up, and then samples n things in turns, for about `seconds` but at least a few times each.  Returns the number of samples of each
 * thing, or 0 if a draw failed. */
unsigned turns_run(struct arena *, turn_sample *, void *drawer, struct turn *, unsigned n, double seconds);

#endif
