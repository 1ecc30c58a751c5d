/* Makes pairs of programs that each load one or two resources of a GPU; calibration fits a target's weights to their times. */
#ifndef FPMOVE_GPU_RATES_H
#define FPMOVE_GPU_RATES_H

#include "base/arena.h"

#include <stdbool.h>

struct rate {
	const char *family, *name; /* the resource that the pair loads, and how much */
	const char *vp, *fp;       /* the programs, as text */
	unsigned cell;             /* edge, in pixels, of a cell of two triangles; 0 if one cell covers the whole target */
	bool colours;              /* true to draw to the format that is calibrated, to measure writes; false to draw to RGBA8 */
};

/* Makes all pairs in the arena, stores their array, and returns their number. */
uint32_t rates_make(struct arena *, struct rate **);

#endif
