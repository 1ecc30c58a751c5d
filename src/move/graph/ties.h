/* Finds ties: exact numbers on which a decision of the FP depends.
 *
 * A number that a pixel program computes from constants alone is the same in all pixels.  If an interpolator delivers it, its last digit may be
 * wrong, differently from pixel to pixel.  If the number, or a result computed from it, is equal to a limit with which it is compared, the
 * picture gets noise.  Decisions are made by texkill, cmp's s0, frc, the .z that a depth texture is compared with, and
 * after the program by the alpha test (oC0.w) and the depth test (oDepth).  Literals often are exactly the border of a texel
 * (0, 0.5, 1) or of a mip level, so a texture read decides by literals, too: in its coordinates, divisor, bias, level and gradients.
 * Texture reads are not taken to decide by constants of the application: these are centres of texels and steps between them.
 *
 * A 0 or 1 that the VP chooses by comparing constants counts as a literal, because interpolation keeps its 0. */
#ifndef FPMOVE_MOVE_GRAPH_TIES_H
#define FPMOVE_MOVE_GRAPH_TIES_H

#include "lang/ir.h"

#define NO_TIE UINT32_MAX
/* The kinds of decisions: a comparison with a limit, and the choice of a texel and its mip level by a texture read. */
enum tie_kind { TIE_LIMIT, TIE_TEXEL, TIE_KINDS };

struct ties {
	const struct program *ps;
	/* [instruction][lane]: an instruction that decides by this lane or by a result computed from it, or NO_TIE if none does.
	 * NO_TIE also if the lane is affine in interpolated values, which differ from pixel to pixel, so that it is no exact number.
	 * A decision that depends on a texel is not taken to depend on the texel's coordinates. */
	uint32_t (*by[TIE_KINDS])[LANES];
	lanes *exact;   /* [instruction]: lanes of its result that are computed from constants alone */
	lanes *literal; /* [instruction]: lanes of its result that are computed from literals alone */
};

/* Finds the ties of an FP, the current program of `values`.  Value numbers tell which lanes are constant, such as t0 - t0. */
struct values;
struct ties ties_find(struct arena *, const struct program *ps, const struct values *values);
/* Returns an instruction that decides by the exact number that instruction `def` writes to a lane, or NO_TIE if none does or the number
 * is not exact. */
uint32_t ties_of_def(const struct ties *, uint32_t def, unsigned lane);
/* Returns an instruction that decides by the number that instruction `def` writes to register lane `from`, as far as operand lane `lane` of source
 * `s` of instruction `instr` reads it: `instr` itself, or one that reads a result of `instr`.  Returns NO_TIE if there is none, or the number is not
 * exact. */
uint32_t ties_of_read(const struct ties *, uint32_t def, unsigned from, uint32_t instr, unsigned s, unsigned lane);

/* Marks as tied (no interpolator may deliver them) the dividend and divisor of each quotient of proportional values in the current FP.  The quotient
 * is exact while both are computed from one number, but gets noise near 0 / 0 if two interpolators deliver them. */
void quotients_tie(struct values *);

/* Returns true if lane `lane` of the result of instruction k is an affine function of the operands s with constant[s] false, while the other
 * operands are constants. */
bool is_affine_in(const struct program *, uint32_t k, unsigned lane, const bool constant[MAX_SOURCES]);

#endif
