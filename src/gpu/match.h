/* Writes the pixel programs of the workload match that read the template from a texture. */
#ifndef FPMOVE_GPU_MATCH_H
#define FPMOVE_GPU_MATCH_H

#include "base/arena.h"

#include <stdbool.h>

/* How a pass of the workload match sums differences. */
struct match_method {
	const char *kernel; /* with `texture`: the name of the program that match_program writes; else an example that has the template in c# */
	unsigned reads;     /* texels of the image that a pass reads, a multiple of four */
	bool packed;        /* true if a texel of the image holds four pixels */
	bool absolute;      /* true to add absolute differences, false to add squared ones */
	bool texture;       /* true if the template is read from a texture, whose texels hold four pixels */
};

/* Returns the pixel program of a method with `texture`, which adds to the sum so far (s1) the differences between the image (s0) and the
 * template (s2).  The constants from c0 on hold the offsets of the image's texels, two in each, and after these the coordinates of the
 * template's texels, again two in each.  The first of two is in (x, y), the second in (w, z). */
const char *match_program(struct arena *, const struct match_method *);

#endif
