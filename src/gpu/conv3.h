/* The programs of conv3 for other numbers of taps than 3 along a line, of which there are examples. */
#ifndef FPMOVE_GPU_CONV3_H
#define FPMOVE_GPU_CONV3_H

#include "gpu/kernel.h"

enum { CONV3_MOST_TAPS = 9 }; /* along a line: 512 slots of ps_3_0 hold the 81 offsets of as many lines */
/* How a program finds its taps, in the order of the workload's forms. */
enum conv3_form { CONV3_OFFSETS, CONV3_CHAIN, CONV3_DEF, CONV3_COLUMN, CONV3_FORMS };

struct conv3_programs {
	enum conv3_form form;
	unsigned taps; /* along a line, and lines; an odd number */
	unsigned size; /* texels a side, for CONV3_DEF */
};

/* Returns the constant behind the weights, which stand row by row: one in each constant's x (offsets, column), or four in each. */
unsigned conv3_behind_weights(enum conv3_form, unsigned taps);
/* Opens the kernel.  Behind the weights are the size of the image in x and y and then a constant with 0 in y and the number of taps above
 * the middle, negated, in x (offsets, column), or the size of a texel in x and y (chain).  Programs that ps_2_0 does not hold are
 * of ps_3_0.  Returns NULL, or one sentence on what is wrong. */
const char *conv3_open_kernel(struct lab *, const struct conv3_programs *, struct kernel *);

#endif
