/* Links the two programs of model 3 by usages: `dcl_texcoord3 o5` of a vs_3_0 program feeds `dcl_texcoord3 v2` of a ps_3_0
 * program, whatever the numbers of o# and v#.  The other folders know only the registers of model 2, where oT5 feeds t5.
 * So the reader replaces o# and v# by those, and the declarations keep the numbers of the text (struct decl, `number`).
 *
 *   o# with position0, psize0           oPos, oPts
 *   o#, v# with color0, color1          oD#, v#, as in model 2, since colours may be flat shaded; oD0 and v0 if one o# has
 *                                       both colours
 *   every other o#, and the v# it feeds oT#, t#
 *
 * Sources: "dcl_usage output (sm3 - vs asm)", "dcl_semantics (sm3 - ps asm)", "Registers - vs_3_0", "ps_3_0 Registers". */
#ifndef FPMOVE_LANG_LINK_H
#define FPMOVE_LANG_LINK_H

#include "lang/ir.h"

/* Replaces o# and v# of a program of model 3 by registers of model 2, except in o[aL + n] and v[aL + n].  Leaves other models as they are.
 * Adds errors for registers that are not declared or that model 3 does not have. */
void link_registers(struct program *, struct diags *);

/* Renumbers the inputs of a ps_3_0 program as link_registers() left it: each t# gets the number of the oT# with the same usage, or a free
 * number if there is no such oT#, and v1 becomes v0 if one o# has both colours.  Does nothing before model 3.  Adds an error if the models
 * do not go together, or if no numbering fits. */
void link_pair(struct program *vs, struct program *ps, struct diags *);

/* Warns of inputs that the pixel program reads, or in model 3 declares, and the vertex program does not write, before or after link_pair().
 * requires: neither program has errors. */
void link_warn_unwritten(const struct program *vs, const struct program *ps, struct diags *);

/* Returns the texcoord# usages that a program declares for linking, bit n for texcoord n; 0 before model 3. */
uint16_t link_usages(const struct program *);

struct link_usage {
	bool there;
	uint8_t usage, index;
};

/* Rules for the usages of new declarations. */
struct link_kept {
	uint16_t taken;                      /* bit n: new declarations must not use texcoord n */
	struct link_usage of[MOST_TEX_OUTS]; /* usage for a new dcl of each oT#; if not `there`, a free texcoord# */
};

/* Renumbers oT# and t# of n pairs that share one pixel program, so that its t# have the same numbers in all pairs, which link_pair() may
 * have numbered differently.  Sets `kept->of` to the last usage of each declared oT#.  Returns false, and changes nothing, if no numbers
 * fit, as when usages share a register in one vertex program and not in another.  Returns true and does nothing before model 3. */
bool link_group(struct arena *, const struct program **vs, const struct program **ps, uint32_t n, struct link_kept *kept);

/* Updates the declarations of a pair of model 3 after moves: declares each oT# with the lanes written, and its t# with the same usage.
 * Returns false if no usage or register is left; the pair then cannot be written as text. */
bool link_declare(struct arena *, struct program *vs, struct program *ps, const struct link_kept *);

/* Returns the declaration whose v# or o# names these lanes of a register in a text of model 3, where one t# may be several v#: the last one of
 * the register if it has all of the lanes, else the first with one of them.  Returns NULL if the text uses the name of the register file. */
const struct decl *link_named(const struct program *, enum reg_file, int index, lanes);

#endif
