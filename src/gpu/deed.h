/* Times one pass or one copy while the GPU does nothing else. */
#ifndef FPMOVE_GPU_DEED_H
#define FPMOVE_GPU_DEED_H

#include "gpu/pass.h"

enum { DEED_MOST_SAMPLES = 21 };

/* Appends to an FP reads of `reads` texels of s0, which it adds to r0.  Texel k, from 1 on, is at the place in register `base` plus
 * c<k>.  Reads stand in blocks, so that fewer depend on each other in a row, which ps_2_0 counts by register. */
void deed_add_reads(struct text *, const char *base, unsigned reads);

/* A pass, or if `pass` is NULL a copy of a rectangle. */
struct deed {
	const struct pass *pass;
	const struct image *from, *to;
	struct rect rect;
};

/* Returns the median of `samples` times in ns, at most DEED_MOST_SAMPLES, by the GPU's clock, after a run that warms up. */
double deed_ns(struct lab *, const struct deed *, unsigned samples);

#endif
