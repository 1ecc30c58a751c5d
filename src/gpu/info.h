/* What info measures besides: errors of arithmetic, and bandwidths of memory. */
#ifndef FPMOVE_GPU_INFO_H
#define FPMOVE_GPU_INFO_H

#include "gpu/context.h"
#include "gpu/image.h"

/* The head of the spreadsheet that both add lines to. */
extern const char info_csv_columns[];

/* Prints the largest errors of some instructions in units of the last place of the format, a floating-point one.  NULL, or one
 * sentence on what is wrong. */
const char *info_ulp(struct arena *, const struct context *, enum image_format, struct text *, struct text *csv);
/* Prints bytes a second by how neighbouring pixels read.  Likewise. */
const char *info_bandwidth(struct arena *, const struct context *, enum image_format, struct text *, struct text *csv);

#endif
