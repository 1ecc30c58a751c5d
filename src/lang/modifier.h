/* Handles the source modifier _abs of model 3.  The other folders do not know it: there, an `abs` instruction with INSTR_MODIFIER,
 * which takes no slot, stands for it.
 *
 *   mul r0, r1_abs.x, c0     <->     abs r7, r1
 *                                    mul r0, r7.x, c0          if no other instruction uses r7 */
#ifndef FPMOVE_LANG_MODIFIER_H
#define FPMOVE_LANG_MODIFIER_H

#include "lang/ir.h"

/* Replaces each _abs by an abs instruction before its reader, which writes free lanes of a temporary.  Adds an error if none is free, or for
 * the _abs of a matrix or sampler. */
void modifier_expand(struct arena *, struct program *, struct diags *);

/* Returns a copy in which each abs with INSTR_MODIFIER is replaced by _abs in its readers.  If some reader cannot have _abs, the abs stays
 * and loses the flag, so that it takes a slot.  Returns the program itself if it has no abs with the flag. */
const struct program *modifier_contracted(struct arena *, const struct program *);

/* Clears the flag INSTR_MODIFIER of each abs that modifier_contracted() would leave as an instruction, so that its slot counts. */
void modifier_settle(struct arena *, struct program *);

/* Sets INSTR_MODIFIER, as the only flag, on each abs of a model 3 program that writes a temporary without _sat; modifier_settle() clears it
 * where the abs cannot be a modifier.  Returns true if it changed an abs. */
bool modifier_mark(struct program *);

#endif
