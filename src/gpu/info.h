/* The measurements of `fpmove-gpu info`: errors of arithmetic (--ulp), and bandwidths of texture reads (--bandwidth). */
#ifndef FPMOVE_GPU_INFO_H
#define FPMOVE_GPU_INFO_H

#include "gpu/context.h"
#include "gpu/image.h"

/* Writes a table of the largest errors of some instructions, in units of the last place of the format, which must be one of floats.
 * Returns NULL, or one sentence on what is wrong. */
const char *info_ulp(struct arena *, const struct context *, enum image_format, struct text *, struct text *csv);
/* Writes a table of bytes per second for several patterns of places that neighbouring pixels read.  Returns NULL, or one sentence on what
 * is wrong. */
const char *info_bandwidth(struct arena *, const struct context *, enum image_format, struct text *, struct text *csv);

#endif
