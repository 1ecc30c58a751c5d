/* Finds values that are finite, so that a rewritten program may multiply them by a 0 of its own (0 times infinity would be NaN), and values that are
 * never NaN. */
#ifndef FPMOVE_MOVE_GRAPH_FINITE_H
#define FPMOVE_MOVE_GRAPH_FINITE_H

#include "move/graph/flow.h"

/* Returns true if instruction k writes only finite numbers, provided that inputs and the application's constants are finite.  Bit n of `textures` is
 * set if the texels of s#n of a pixel program are finite, see move_options.  The result is finite if the instruction has _sat, if it reads a texture
 * with finite texels, or if its operands are finite and its opcode keeps them so.  In a pixel program, only mov, abs, frc, min, max and cmp do:
 * others may overflow, because texels may be large and a half float ends at 65504.  In a VP, all that compute lane by lane do, and dot and matrix
 * products.  Returns false also if too many instructions contribute to the value. */
bool finite_result(const struct flow *, uint32_t k, unsigned textures);
/* Returns true if everything that source `source` of instruction k reads is finite, provided that inputs and the application's constants are.  Bit n
 * of `textures` is set if the texels of s#n are finite. */
bool finite_operand(const struct flow *, uint32_t k, unsigned source, unsigned textures);
/* Returns true if source `source` of instruction k never reads NaN: each value that it reads is finite, or is the result of one operation on finite
 * values that may overflow (rcp, rsq, or any opcode that computes lane by lane except lrp). */
bool never_nan_operand(const struct flow *, uint32_t k, unsigned source, unsigned textures);

#endif
