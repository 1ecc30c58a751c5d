/* Handles the source modifier _abs of model 3.  The other folders do not know it: there, an `abs` instruction with INSTR_MODIFIER,
 * which takes no slot, stands for it.
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

/* Clears the flag INSTR_MODIFIER of each abs that modifier_contracted() would leave as an instruction, so that its slot counts. */
void modifier_settle(struct arena *, struct program *);

/* Sets INSTR_MODIFIER on each abs of a model 3 program that writes a temporary; modifier_settle() clears it where the abs cannot be a
 * modifier.  Returns true if there was such an abs. */
bool modifier_mark(struct program *);

#endif
