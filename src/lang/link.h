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

/* Replaces the registers of a text of model 3 by those of model 2.  Programs of other models stay as they are.  Adds errors for
 * registers that are not declared or that model 3 does not have. */
void link_registers(struct program *, struct diags *);

/* Gives each t# of the pixel program the number of the oT# with the same usage.  Adds an error if the models do not go together, or if
 * no numbering fits.  Before the call, each program is as it was read by itself. */
void link_pair(struct program *vs, struct program *ps, struct diags *);

/* Warns of inputs that the pixel program reads, or in model 3 only declares, and the vertex program does not write.  It makes no
 * difference whether link_pair() was called.
 * requires: neither program has errors. */
void link_warn_unwritten(const struct program *vs, const struct program *ps, struct diags *);

/* Returns the texcoord# that a program of model 3 declares for linking, a bit for each. */
uint16_t link_usages(const struct program *);

struct link_usage {
	bool there;
	uint8_t usage, index;
};

/* The usages that new declarations must not have, and those that they must have. */
struct link_kept {
	uint16_t taken;                      /* texcoord# that new declarations must not use, a bit for each */
	struct link_usage of[MOST_TEX_OUTS]; /* usage for an oT# that is written but not declared; if not `there`, a free texcoord# */
};

/* Renumbers oT# and t# of pairs that share one pixel program, which link_pair() may have numbered differently in each pair, so that it is
 * the same in all pairs again.  `kept->of` gets the usages that the vertex programs have.  Returns false, and changes nothing, if no
 * numbers fit, as when usages share a register in one vertex program and not in another. */
bool link_group(struct arena *, const struct program **vs, const struct program **ps, uint32_t n, struct link_kept *kept);

/* Updates the declarations of a pair after moves: every oT# that is written is declared with the lanes that are written, and linked to
 * its t# by a usage.  Returns false if no usage or register is left; the pair then cannot be written as text. */
bool link_declare(struct arena *, struct program *vs, struct program *ps, const struct link_kept *);

/* Returns the declaration by which the text names these lanes of a register as v# or o#, as one t# may be several v#; if none has all of
 * the lanes, the last that has some of them.  Returns NULL if the text uses the name of the register file. */
const struct decl *link_named(const struct program *, enum reg_file, int index, lanes);

#endif
