/* Writes the programs of the workload gauss, except for 13 taps, for which there are examples. */
#ifndef FPMOVE_GPU_GAUSS_H
#define FPMOVE_GPU_GAUSS_H

#include "gpu/kernel.h"

enum { GAUSS_LEAST_TAPS = 3, GAUSS_MOST_TAPS = 101 };
/* How a program computes the places of its taps (the texels that it weights), in the order of the workload's forms. */
enum gauss_form { GAUSS_OFFSETS, GAUSS_CHAIN, GAUSS_DEF, GAUSS_FORMS };

struct gauss_programs {
	enum gauss_form form;
	unsigned taps;        /* an odd number */
	const double *weight; /* weight of each tap */
	unsigned size;        /* texels along a side of the image, for GAUSS_DEF */
};

/* Writes the programs and opens them as a kernel.  Its constants stand in the order of the example gaussian13 or gaussian13_chain: from c0
 * on the weights, then the row offset or the direction, then the offsets.  Programs that exceed ps_2_0 are of ps_3_0.  Returns NULL, or one
 * sentence on what is wrong. */
const char *gauss_open_kernel(struct lab *, const struct gauss_programs *, struct kernel *);

#endif
