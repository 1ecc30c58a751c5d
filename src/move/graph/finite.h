/* Finds values that are finite, so that a rewritten program may multiply them by a 0 of its own (0 times infinity would be NaN), and values that are
 * never NaN. */
#ifndef FPMOVE_MOVE_GRAPH_FINITE_H
#define FPMOVE_MOVE_GRAPH_FINITE_H

#include "move/graph/flow.h"

/* Returns true if instruction k writes only finite numbers, provided that inputs and the application's constants are finite.  Bit n of `textures` is
 * set if the texels of s#n of a pixel program are finite, see move_options.  It is true if the instruction clamps, reads a texture with finite
 * texels, or computes a finite result from finite operands, of which the same is true.  Sums, products and dot products do the last in a VP only; in
 * a pixel program they may overflow, because texels may be large and a half float ends at 65504, so that only mov, abs, frc, min, max and cmp do.
 * Returns false also if too many instructions contribute to the value. */
bool finite_result(const struct flow *, uint32_t k, unsigned textures);
/* Returns true if everything that source `source` of instruction k reads is finite, provided that inputs and the application's constants are.  Bit n
 * of `textures` is set if the texels of s#n are finite. */
bool finite_operand(const struct flow *, uint32_t k, unsigned source, unsigned textures);
/* Returns true if what source `source` of instruction k reads is never NaN: it is finite, or the result of one operation on finite values, which may
 * overflow (any opcode that computes lane by lane except lrp, and rcp and rsq). */
bool never_nan_operand(const struct flow *, uint32_t k, unsigned source, unsigned textures);

#endif
