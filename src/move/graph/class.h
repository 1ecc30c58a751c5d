/* The class of a value, and what besides decides whether it may move.
 *
 *     class      what it is                                                                 may move
 *     constant   made of literals and c# alone                                              yes
 *     affine     a constant, plus lanes of t# each times a constant                         yes: interpolation keeps such sums
 *     pixel      anything else: made of a texel, of v#, of an r# that nobody wrote, a       no
 *                product of two affine values, another function of one, such as max(t0, c0)
 *
 * class.c finds it for each lane that an FP writes, from the classes of the operands and the opcode's algebra (lang/ops.def).
 * The facts that hold: a sum or product with a pixel value is pixel; of two factors one must be constant; other functions are
 * constant or pixel, never affine.
 *
 * A constant or affine value stays in the FP all the same, as cut/may_move.c decides, by these fields of struct value:
 *   wild     no float may hold it, or one that is rounded (set by constants.c);
 *   rounds   float arithmetic rounds it (constants.c).  Of an affine value that is so, and of one that no float may hold, no
 *            number is kept: class.c makes it a pixel value;
 *   tied     it is compared with something, where an exact number must stay exact (ties.h, value_number.c);
 *   app      the application sets it, and no VP can have it (--drop-in, or no constant register is left);
 *   stuck    so that neither the VP nor one new instruction can bring it.
 * What may move and does not was not worth it: that is the search's choice, and `cost` in the report. */
#ifndef FPMOVE_MOVE_GRAPH_CLASS_H
#define FPMOVE_MOVE_GRAPH_CLASS_H

#include "move/graph/evaluate.h"

enum value_class { VALUE_CONST, VALUE_AFFINE, VALUE_PIXEL };

/* Numbers the lanes of the FP at hand, each by its class; a pixel value equals no other. */
extern const struct domain value_numbers;

#endif
