/* Handles the source modifier _abs of model 3.  The rooms behind lang do not know it: there, an `abs` instruction with INSTR_MODIFIER
 * stands for it, which takes no slot.
 *
 *   mul r0, r1_abs.x, c0     <->     abs r7, r1
 *                                    mul r0, r7.x, c0          if no other instruction uses r7 */
#ifndef FPMOVE_LANG_MODIFIER_H
#define FPMOVE_LANG_MODIFIER_H

#include "lang/ir.h"

/* Replaces each _abs by an instruction, which writes a temporary that the program does not use.  Adds an error if there are not enough
 * temporaries. */
void modifier_expand(struct arena *, struct program *, struct diags *);

/* Returns a copy in which each abs that stands for _abs is a modifier of its readers again.  If some reader cannot have the modifier, the
 * abs stays, as an instruction that takes a slot.  Returns the program itself if no abs stands for _abs. */
const struct program *modifier_contracted(struct arena *, const struct program *);

/* Takes INSTR_MODIFIER off each abs that modifier_contracted() would leave as an instruction, so that its slot counts. */
void modifier_settle(struct arena *, struct program *);

/* Sets INSTR_MODIFIER on each abs of a model 3 program that writes a temporary; modifier_settle() takes it off where it cannot be one.
 * Returns true if there was one. */
bool modifier_mark(struct program *);

#endif
