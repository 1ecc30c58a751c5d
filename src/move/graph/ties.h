/* Exact numbers that end in a decision.
 *
 * What a pixel program makes of constants alone is the same number in all pixels; an interpolator may bring it back a
 * digit off, and differently from pixel to pixel.  Where such a number, or what arithmetic makes of it, is compared,
 * that turns what met its limit exactly into noise.  What decides: texkill, cmp's s0, frc, the .z that a texture of
 * depths is compared with, and behind the program the alpha test (oC0.w) and the depth test (oDepth).  Literals are often
 * exactly a texel's border (0, 0.5, 1) or that of a mip level, so by these a texture read decides, too: by coordinates, divisor,
 * bias, level and gradients.  Applications set centres and steps.
 *
 * What the VP chooses from 0 and 1 by comparing constants counts as a literal: interpolation keeps its 0. */
#ifndef FPMOVE_MOVE_GRAPH_TIES_H
#define FPMOVE_MOVE_GRAPH_TIES_H

#include "lang/ir.h"

#define NO_TIE UINT32_MAX
/* Two ways to decide: by a comparison with some limit, and by the texel that is read, and the mip level of which. */
enum tie_kind { TIE_LIMIT, TIE_TEXEL, TIE_KINDS };

struct ties {
	const struct program *ps;
	/* [instruction][lane]: an instruction that decides by this lane, or by what later ones make of it; NO_TIE: none does.
	 * Also NO_TIE where the lane is affine in interpolated values: it differs from pixel to pixel anyway, so that no exact
	 * number is lost.  Nor is what a texture's coordinate was made of part of the texel that is read there. */
	uint32_t (*by[TIE_KINDS])[LANES];
	lanes *exact;   /* [instruction]: those that it makes of constants alone, */
	lanes *literal; /* ... and those of literals alone */
};

/* `values`: what is known of the lanes, such as that t0 - t0 is constant; with `ps` at hand. */
struct values;
struct ties ties_find(struct arena *, const struct program *ps, const struct values *values);
/* An instruction that decides by the exact number that instruction `def` writes to a lane; NO_TIE: none does, or the number is
 * not exact. */
uint32_t ties_of_def(const struct ties *, uint32_t def, unsigned lane);
/* The same of this number where `instr` reads it, at position `lane` of source `s`. */
uint32_t ties_of_read(const struct ties *, uint32_t def, unsigned from, uint32_t instr, unsigned s, unsigned lane);

/* Marks as tied, in the program at hand, the parts of quotients of what is proportional: exact as long as both are made of one
 * number, noise near 0 once each has its own. */
void quotients_tie(struct values *);

/* Is a lane of what instruction k writes affine in those operands that are not constant, whatever they are? */
bool is_affine_in(const struct program *, uint32_t k, unsigned lane, const bool constant[MAX_SOURCES]);

#endif
