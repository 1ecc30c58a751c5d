/* Filters images on the CPU in single precision, for a time to compare that of the GPU with. */
#ifndef FPMOVE_GPU_FILTER_CPU_H
#define FPMOVE_GPU_FILTER_CPU_H

#include "base/arena.h"

enum { FILTER_CHANNELS = 4 };

/* Writes into each texel of `to` the weighted sum of columns x rows texels around its place in `from`.  Both numbers are odd, the
 * weights stand row by row, and a texel beyond the edge equals the nearest one at the edge.  Images have size x size texels. */
void filter_on_cpu(struct arena *, const float *from, unsigned size, const float *weight, unsigned columns, unsigned rows, float *to);

#endif
