/* The source modifier _abs of model 3.  The rooms behind lang know no such thing: there, an `abs` instruction of its own with
 * INSTR_MODIFIER does it, which takes no slot.
 *
 *   mul r0, r1_abs.x, c0     <->     abs r7, r1
 *                                    mul r0, r7.x, c0          where nothing else uses r7 */
#ifndef FPMOVE_LANG_MODIFIER_H
#define FPMOVE_LANG_MODIFIER_H

#include "lang/ir.h"

/* Writes each _abs as an instruction, in temporaries that the program does not use; says where there are none. */
void modifier_expand(struct arena *, struct program *, struct diags *);

/* A copy in which each such abs is a modifier again of all that reads it; where that cannot be, it stays, as an instruction that takes a slot.
 * Without any the program itself. */
const struct program *modifier_contracted(struct arena *, const struct program *);

/* Each abs of the program that will stay an instruction then is one from now on, so that its slot counts. */
void modifier_settle(struct arena *, struct program *);

/* Each abs into a temporary, in model 3, is such a modifier from now on, until modifier_settle finds that it has to stay an instruction.
 * Returns true if there was one. */
bool modifier_mark(struct program *);

#endif
