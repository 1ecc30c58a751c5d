/* Ties: exact numbers on which a decision depends.
 *
 * A number that a pixel program computes from constants alone is the same in all pixels; if an interpolator delivers it, it may be a
 * digit off, differently from pixel to pixel.  If such a number, or a result computed from it, is compared with a limit that it met
 * exactly, the picture gets noise.  Decisions are made by texkill, cmp's s0, frc, the .z that a depth texture is compared with, and
 * after the program by the alpha test (oC0.w) and the depth test (oDepth).  Literals often are exactly the border of a texel
 * (0, 0.5, 1) or of a mip level, so a texture read decides by literals, too: in its coordinates, divisor, bias, level and gradients.
 * Constants of the application do not count there: they are centres and steps.
 *
 * A 0 or 1 that the VP chooses by comparing constants counts as a literal, because interpolation keeps its 0. */
#ifndef FPMOVE_MOVE_GRAPH_TIES_H
#define FPMOVE_MOVE_GRAPH_TIES_H

#include "lang/ir.h"

#define NO_TIE UINT32_MAX
/* The kinds of decisions: a comparison with some limit, and the choice of a texel and its mip level. */
enum tie_kind { TIE_LIMIT, TIE_TEXEL, TIE_KINDS };

struct ties {
	const struct program *ps;
	/* [instruction][lane]: an instruction that decides by this lane, or by a result computed from it; NO_TIE if none does.
	 * Also NO_TIE if the lane is affine in interpolated values: it differs from pixel to pixel anyway, so no exact number is lost.
	 * A decision by a texel does not count as one by the coordinates at which the texel was read. */
	uint32_t (*by[TIE_KINDS])[LANES];
	lanes *exact;   /* [instruction]: lanes of its result that are computed from constants alone */
	lanes *literal; /* [instruction]: lanes of its result that are computed from literals alone */
};

/* Finds the ties of an FP.  `values`, with `ps` as its current program, tells what is known of the lanes, such as that t0 - t0 is
 * constant. */
struct values;
struct ties ties_find(struct arena *, const struct program *ps, const struct values *values);
/* Returns an instruction that decides by the exact number that instruction `def` writes to a lane, or NO_TIE if none does or the number
 * is not exact. */
uint32_t ties_of_def(const struct ties *, uint32_t def, unsigned lane);
/* Returns an instruction that decides by this exact number (register lane `from`, written by `def`) through a single read: at position `lane` of
 * source `s` of instruction `instr`.  Returns NO_TIE if there is none. */
uint32_t ties_of_read(const struct ties *, uint32_t def, unsigned from, uint32_t instr, unsigned s, unsigned lane);

/* Marks as tied (no interpolator may deliver them), in the current FP, the dividend and divisor of each quotient of proportional values.  The
 * quotient is exact as long as both are computed from one number, and noise near 0 if each is interpolated by itself. */
void quotients_tie(struct values *);

/* Returns true if lane `lane` of the result of instruction k is affine in the operands s with constant[s] false; the other operands count as
 * constants. */
bool is_affine_in(const struct program *, uint32_t k, unsigned lane, const bool constant[MAX_SOURCES]);

#endif
