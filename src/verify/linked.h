/* Are the registers of model 3 that a proof runs on those that the texts name?  Private to src/verify.
 *
 * A pair of model 3 links by usages, lane by lane: what the vertex program writes to the lanes of an o# that a dcl_texcoord3
 * names is read from the same lanes of the v# that have a dcl_texcoord3, whatever the numbers.  The proof runs programs of
 * oT# and t#, in which every _abs is an instruction, and lang makes these.  Here, that is held against the programs as they
 * stand in the text (struct program, `text`), by Direct3D's rule: of lang, only struct program is used.
 *
 * Seen: lanes of one usage that are fed by another's, a lane fed that has no such usage, or not fed though it has one; a
 * usage given to two registers; inputs whose _centroid is another's, or that are less precise than they ask to be; colours
 * that are not apart from coordinates; another instruction, operand, vPos or vFace; an _abs of something else.  That the
 * values of two pairs are interpolated alike is the proof's, see side.h.
 *
 * Not seen: what the reader makes of letters and tokens; the lane of a texture coordinate that only a texture of depths
 * compares; of programs that moves have made and nobody has written, anything, as these have no text.
 *
 * Source: "dcl_usage output (sm3 - vs asm)", "dcl_semantics (sm3 - ps asm)". */
#ifndef FPMOVE_VERIFY_LINKED_H
#define FPMOVE_VERIFY_LINKED_H

#include "verify/verify.h"

/* NULL, or one sentence: where the pair is not what its texts say.  Pairs without texts of model 3 pass. */
const char *linked_wrong(struct arena *, struct pair);

#endif
