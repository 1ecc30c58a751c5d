/* Finds values that are finite, so that a rewritten program may multiply them by a 0 of its own (0 times infinity would be NaN), and values that are
 * never NaN. */
#ifndef FPMOVE_MOVE_GRAPH_FINITE_H
#define FPMOVE_MOVE_GRAPH_FINITE_H

#include "move/graph/flow.h"

/* Returns true if instruction k writes only finite numbers, provided that inputs and the application's constants are finite.  Bit n of `textures` is
 * set if the texels of s#n of a pixel program are finite, see move_options.  It is true if the instruction clamps or reads a texture with finite
 * texels, or if neither a reciprocal, root or power nor, in a pixel program, a sum or product contributes to the value: these may overflow, because
 * texels may be large and a half float ends at 65504.  It is false also if too many instructions contribute to the value. */
bool finite_result(const struct flow *, uint32_t k, unsigned textures);
/* Returns true if everything that source `source` of instruction k reads is finite, provided that inputs and the application's constants are.  Bit n
 * of `textures` is set if the texels of s#n are finite. */
bool finite_operand(const struct flow *, uint32_t k, unsigned source, unsigned textures);
/* Returns true if what source `source` of instruction k reads is never NaN: it is finite, or the result of one operation on finite values, which may
 * overflow. */
bool never_nan_operand(const struct flow *, uint32_t k, unsigned source, unsigned textures);

#endif
