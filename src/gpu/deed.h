/* Timing one pass or one copy when nothing else is under way. */
#ifndef FPMOVE_GPU_DEED_H
#define FPMOVE_GPU_DEED_H

#include "gpu/pass.h"

enum { DEED_MOST_SAMPLES = 21 };


/* Adds to a pixel program, whose r0 has a sum, `reads` texels of s0 around the place in register `base`: the first at base + c1, the
 * next at base + c2 and so on.  A block of reads at a time keeps their order, which ps_2_0 counts by register, small. */
void deed_add_reads(struct text *, const char *base, unsigned reads);

/* Either a pass, or copying from source to target. */
struct deed {
	const struct pass *pass;
	const struct image *from, *to;
	struct rect rect;
};

/* Returns the median of up to DEED_MOST_SAMPLES times in ns, by the GPU's clock, after one that warms up. */
double deed_ns(struct lab *, const struct deed *, unsigned samples);

#endif
