/* Timing one pass or one copy when nothing else is under way. */
#ifndef FPMOVE_GPU_DEED_H
#define FPMOVE_GPU_DEED_H

#include "gpu/pass.h"

enum { DEED_MOST_SAMPLES = 21 };

/* A VP that hands on its position and one texture coordinate. */
extern const char deed_vertex[];

/* Either a pass, or copying from source to target. */
struct deed {
	const struct pass *pass;
	const struct image *from, *to;
	struct rect rect;
};

/* Returns the median of up to DEED_MOST_SAMPLES times in ns, by the GPU's clock, after one that warms up. */
double deed_ns(struct lab *, const struct deed *, unsigned samples);

#endif
