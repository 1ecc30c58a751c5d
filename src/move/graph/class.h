/* The class of a value, which decides whether it may move.
 *
 *     class      what it is                                                    may move
 *     constant   made of literals and c# alone                                 yes
 *     affine     a constant plus constants times lanes of t#                   yes: interpolation keeps such sums
 *     pixel      all else: of a texel, of v#, of two affine factors, max(t0, t1), of nobody's register    no
 *
 * In: the classes of the operands, and what an opcode computes of them (lang/ops.def).  Out: the class of the result.
 * The facts that hold: a sum or product with a pixel value is pixel; of two factors one must be constant; other functions are
 * constant or pixel, never affine.
 *
 * What is constant or affine stays all the same, as the other fields of struct value say, where
 *   rounds   float arithmetic rounds it: then it is made a pixel value here (`refused`), or wild;
 *   wild     no float may hold it (sizes.c, constants.c);
 *   tied     it decides, where an exact number must stay exact (ties.h): nothing but the FP may bring it;
 *   stuck    neither the VP nor one new instruction can bring it (cut/stuck.c).
 * What may move and does not was not worth it: that is the search's choice, and `cost` in the report. */
#ifndef FPMOVE_MOVE_GRAPH_CLASS_H
#define FPMOVE_MOVE_GRAPH_CLASS_H

#include "move/graph/evaluate.h"

enum value_class { VALUE_CONST, VALUE_AFFINE, VALUE_PIXEL };

struct value;
struct values;
enum value_class class_of_sum(const struct value *, const struct value *);
enum value_class class_of_product(const struct value *, const struct value *);
/* Of any other function; NO_WORTH among the operands is a pixel value. */
enum value_class class_of_function(const struct values *, const worth *, unsigned n);

/* Numbers the lanes of the FP at hand, each by its class; a pixel value equals no other. */
extern const struct domain value_numbers;

#endif
