/* Times one pass or one copy while the GPU does nothing else. */
#ifndef FPMOVE_GPU_DEED_H
#define FPMOVE_GPU_DEED_H

#include "gpu/pass.h"

enum { DEED_MOST_SAMPLES = 21 };

/* Appends instructions to the text of an FP that read `reads` texels of s0 and add them to r0.  Texel k, from 1 on, is at the place in
 * register `base` plus c<k>.  Reads stand in blocks, so that fewer depend on each other in a row, which ps_2_0 counts by register. */
void deed_add_reads(struct text *, const char *base, unsigned reads);

/* The work that is timed: a pass, or, if `pass` is NULL, a copy of a rectangle. */
struct deed {
	const struct pass *pass;
	const struct image *from, *to;
	struct rect rect;
};

/* Runs the deed once to warm up, and then `samples` times, at most DEED_MOST_SAMPLES.  Returns the median time in ns, by the GPU's
 * clock. */
double deed_ns(struct lab *, const struct deed *, unsigned samples);

#endif
