/* The programs of gauss for other numbers of taps than 13, of which there are examples. */
#ifndef FPMOVE_GPU_GAUSS_H
#define FPMOVE_GPU_GAUSS_H

#include "gpu/kernel.h"

enum { GAUSS_LEAST_TAPS = 3, GAUSS_MOST_TAPS = 101 };
/* How a program finds its taps, in the order of the workload's forms. */
enum gauss_form { GAUSS_OFFSETS, GAUSS_CHAIN, GAUSS_DEF, GAUSS_FORMS };

struct gauss_programs {
	enum gauss_form form;
	unsigned taps;        /* an odd number */
	const double *weight; /* of each tap */
	unsigned size;        /* texels a side, for GAUSS_DEF */
};

/* Opens the kernel, whose constants are those of the example gaussian13 or gaussian13_chain, but for their numbers: c0 and on hold the
 * weights; the next one, the row offset or the direction; those behind it, the offsets.  Programs that ps_2_0 does not hold are of
 * ps_3_0.  Returns NULL, or one sentence on what is wrong. */
const char *gauss_open_kernel(struct lab *, const struct gauss_programs *, struct kernel *);

#endif
