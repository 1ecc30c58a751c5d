/* Checks that the programs of model 3 on which the proof runs are linked as their texts say.  Private to src/verify.
 *
 * A pair of model 3 links by usages, lane by lane: a lane that the VP writes in an o# declared dcl_texcoord3 is read from the
 * same lane of the v# declared dcl_texcoord3, whatever the register numbers.  The proof runs programs with oT# and t# instead,
 * in which every _abs is an instruction; lang makes these.  This check compares them with the programs as the text has them
 * (struct program, `text`), by Direct3D's rule.  It uses nothing of lang but struct program.
 *
 * It finds: lanes of one usage that are fed by another usage; a lane that is fed without an output of its usage, or not fed
 * though there is one; a usage given to two registers; an input with the _centroid of another, or with less precision than
 * declared; colours mixed with coordinates; another instruction, operand, vPos or vFace; an _abs of another register.  The
 * proof itself checks that two pairs interpolate alike, see side.h.
 *
 * It does not find: errors of the reader in letters and tokens; the lane of a texture coordinate that only a depth texture
 * compares; any error in programs without a text, which the mover has made and not yet written.
 *
 * Source: "dcl_usage output (sm3 - vs asm)", "dcl_semantics (sm3 - ps asm)". */
#ifndef FPMOVE_VERIFY_LINKED_H
#define FPMOVE_VERIFY_LINKED_H

#include "verify/verify.h"

/* Returns NULL, or a sentence that says where the pair differs from its texts.  Returns NULL also for pairs of other models or without texts. */
const char *linked_wrong(struct arena *, struct pair);

#endif
