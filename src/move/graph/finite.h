/* Tells which values are finite, so that a program may multiply them by a 0 that the given program does not have, and which are
 * never NaN. */
#ifndef FPMOVE_MOVE_GRAPH_FINITE_H
#define FPMOVE_MOVE_GRAPH_FINITE_H

#include "move/graph/flow.h"

/* Returns whether instruction k writes only finite numbers, provided that inputs and the application's constants are finite.  Bit n of
 * `textures` is set if the texels of s#n of a pixel program are finite, see move_options.  True if the instruction clamps or reads a
 * texture with finite texels, or if neither a reciprocal, root or power nor, in a pixel program, a sum or product contributes to the
 * value: these may overflow, because texels may be large and a half float ends at 65504.  False also if too many instructions contribute
 * to it. */
bool finite_result(const struct flow *, uint32_t k, unsigned textures);
/* Returns whether everything that instruction k reads by the source is finite in this sense. */
bool finite_operand(const struct flow *, uint32_t k, unsigned source, unsigned textures);
/* Returns whether what instruction k reads by the source is never NaN: it is finite, or one operation on finite values, which may overflow. */
bool never_nan_operand(const struct flow *, uint32_t k, unsigned source, unsigned textures);

#endif
