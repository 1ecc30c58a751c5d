/* Writes the programs of the workload conv3, except for 3 taps along a line, for which there are examples. */
#ifndef FPMOVE_GPU_CONV3_H
#define FPMOVE_GPU_CONV3_H

#include "gpu/kernel.h"

enum { CONV3_MOST_TAPS = 9 }; /* along a line: ps_3_0 has 512 slots, which hold the 81 offsets of 9 x 9 taps */
/* How a program computes the places of its taps (the texels that it weights), in the order of the workload's forms. */
enum conv3_form { CONV3_OFFSETS, CONV3_CHAIN, CONV3_DEF, CONV3_COLUMN, CONV3_FORMS };

struct conv3_programs {
	enum conv3_form form;
	unsigned taps; /* taps along a line, and also lines; an odd number */
	unsigned size; /* texels along a side of the image, for CONV3_DEF */
};

/* Returns the first constant behind the weights.  These stand row by row, one in the x of each constant (offsets, column), or four in
 * each constant (chain, def). */
unsigned conv3_behind_weights(enum conv3_form, unsigned taps);
/* Writes the programs and opens them as a kernel.  The constants behind the weights are, for offsets and column, the size of the image in x
 * and y, and then -(taps / 2) in x and 0 in y; for chain, the size of a texel in x and y.  Programs that exceed ps_2_0 are of ps_3_0.
 * Returns NULL, or one sentence on what is wrong. */
const char *conv3_open_kernel(struct lab *, const struct conv3_programs *, struct kernel *);

#endif
