/* Pairs of programs that each load one or two resources of a GPU: what a cost profile's weights are measured with. */
#ifndef FPMOVE_GPU_RATES_H
#define FPMOVE_GPU_RATES_H

#include "base/arena.h"

#include <stdbool.h>

struct rate {
	const char *family, *name; /* what the pair has much of, and how much */
	const char *vp, *fp;       /* the programs, as text */
	unsigned cell;             /* pixels of a cell's edge, which is two triangles; 0: the whole target is one */
	bool colours;              /* made for what writing takes: to be drawn to the target's own format, others to RGBA8 */
};

/* All of them, in the arena. */
uint32_t rates_make(struct arena *, struct rate **);

#endif
