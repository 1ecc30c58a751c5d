/* Model 3 links the two programs by usages: `dcl_texcoord3 o5` of a vs_3_0 program feeds `dcl_texcoord3 v2` of a ps_3_0
 * program, whatever the numbers of o# and v#.  All rooms behind lang know the registers of model 2 alone, where oT5 feeds t5:
 * the reader turns o# and v# into those, and the numbers of the text stay in the declarations (struct decl, `number`).
 *
 *   o# with position0, psize0           oPos, oPts
 *   o#, v# with color0, color1          oD#, v# as colours: what is flat shaded is kept apart, as in model 2; oD0 and v0 where
 *                                       one o# has both
 *   every other o#, and the v# it feeds oT#, t#
 *
 * Sources: "dcl_usage output (sm3 - vs asm)", "dcl_semantics (sm3 - ps asm)", "Registers - vs_3_0", "ps_3_0 Registers". */
#ifndef FPMOVE_LANG_LINK_H
#define FPMOVE_LANG_LINK_H

#include "lang/ir.h"

/* From the registers of the text to those of the rooms behind; programs of other models stay as they are.  Says what is not
 * declared, or not in model 3. */
void link_registers(struct program *, struct diags *);

/* Gives the t# of the pixel program the numbers of the oT# with the same usage.  Says where the models do not go together, or
 * where no numbers do.  Either program may be read alone before. */
void link_pair(struct program *vs, struct program *ps, struct diags *);

/* Warns of inputs that the pixel program reads and the vertex program does not write, and in model 3 also of usages that it only
 * declares.  Both programs may be linked or not; neither has errors. */
void link_warn_unwritten(const struct program *vs, const struct program *ps, struct diags *);

/* A bit for each texcoord# by which a program of model 3 links. */
uint16_t link_usages(const struct program *);

struct link_usage {
	bool there;
	uint8_t usage, index;
};

/* What new declarations go by. */
struct link_kept {
	uint16_t taken;                      /* a bit for each texcoord# that stands for something else */
	struct link_usage of[MOST_TEX_OUTS]; /* what an oT# is declared as if it is written and has no declaration; else a new usage */
};

/* Of pairs with one pixel program: gives oT# and t# the numbers by which the pixel programs are one and the same, also behind the link.
 * `kept->of` becomes what the group's vertex programs have.  False: there are no such numbers, as usages share registers here
 * and not there; then all is as it was. */
bool link_group(struct arena *, const struct program **vs, const struct program **ps, uint32_t n, struct link_kept *kept);

/* Makes the declarations of a pair that moves have changed true again: every oT# that is written is declared with the lanes
 * that are, and linked to its t# by a usage.  False: there is no usage or register left, and what is written will not be read again. */
bool link_declare(struct arena *, struct program *vs, struct program *ps, const struct link_kept *);

/* The declaration by which the text names these lanes of a register that it calls v# or o#, as one t# may be several v#; the last
 * one where none has them all.  NULL: it is called as its file. */
const struct decl *link_named(const struct program *, enum reg_file, int index, lanes);

#endif
