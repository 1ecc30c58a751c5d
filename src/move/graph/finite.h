/* Tells which values are finite, so that a program may multiply them by a 0 that the program as given does not have, and which are
 * never NaN. */
#ifndef FPMOVE_MOVE_GRAPH_FINITE_H
#define FPMOVE_MOVE_GRAPH_FINITE_H

#include "move/graph/flow.h"

/* Returns whether instruction k makes nothing infinite, unless what the application gives is.  `textures`: bit n: the texels of s#n of
 * a pixel program are finite, see move_options.  True means that it clamps, reads such a texture, or that no reciprocal, root or power is behind it, nor, in
 * a pixel program, a sum or product: these may overflow, as texels may be large, and a half float ends at 65504.  False also where too
 * many instructions are behind it. */
bool finite_result(const struct flow *, uint32_t k, unsigned textures);
/* Returns whether all that instruction k reads by the source is finite so. */
bool finite_operand(const struct flow *, uint32_t k, unsigned source, unsigned textures);
/* Returns whether what it reads there is never NaN: it is finite, or one operation on what is finite, which may overflow. */
bool never_nan_operand(const struct flow *, uint32_t k, unsigned source, unsigned textures);

#endif
