/* The programs of match that read the template from a texture. */
#ifndef FPMOVE_GPU_MATCH_H
#define FPMOVE_GPU_MATCH_H

#include "base/arena.h"

#include <stdbool.h>

/* How a pass of match sums differences. */
struct match_method {
	const char *kernel; /* an example, which has the template in constants; of a program that is written here, its name */
	unsigned reads;     /* of the image, in a pass; a multiple of four */
	bool packed;        /* a texel of the image holds four pixels */
	bool absolute;      /* differences are not squared */
	bool texture;       /* the template is read from a texture, whose texels hold four pixels */
};

/* Returns the pixel program of a method with `texture`: the sum so far (s1) and the differences of the image (s0) and the template (s2).
 * c0 and on hold the offsets of the image's texels, two in each constant, and then the template's coordinates, likewise: of the second
 * one, x is in w and y in z. */
const char *match_program(struct arena *, const struct match_method *);

#endif
