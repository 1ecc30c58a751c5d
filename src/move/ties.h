/* Exact numbers that end in a decision.
 *
 * What a pixel program makes of constants alone is the same number in all pixels; an interpolator may bring it back a
 * digit off, and differently from pixel to pixel.  Where such a number, or what arithmetic makes of it, is compared,
 * that turns what met its limit exactly into noise.  What decides: texkill, cmp's s0, frc, the sign that rcp leaps to
 * at 0, the texel that a read takes, and behind the program the alpha test (oC0.w) and the depth test (oDepth). */
#ifndef FPMOVE_MOVE_TIES_H
#define FPMOVE_MOVE_TIES_H

#include "lang/ir.h"

#define NO_TIE UINT32_MAX

struct ties {
	const struct program *ps;
	/* [instruction][lane]: an instruction that decides by what becomes of the lane that this one writes; NO_TIE if none
	 * does, and of what is linear in interpolated values: that differs from pixel to pixel anyway, also with constants
	 * added. */
	uint32_t (*by)[LANES];
	lanes *exact; /* [instruction]: those that it makes of constants alone */
};

/* `values`: what is known of the lanes, such as that t0 - t0 is constant; with `ps` at hand, or NULL. */
struct values;
struct ties ties_find(struct arena *, const struct program *ps, const struct values *values);
/* An instruction that decides by what `instr` reads at position `lane` of source `s`; NO_TIE: none does. */
uint32_t ties_of_read(const struct ties *, uint32_t instr, unsigned s, unsigned lane);

/* Is the result a linear function of those operands that are not constant? */
bool is_linear(enum op, const bool constant[MAX_SOURCES]);

#endif
