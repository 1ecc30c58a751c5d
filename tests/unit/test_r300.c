/* R300's instruction pairs: free and charged work, counted by hand. */
#include "pairs.h"

#include "move/target/r300.h"

#include <stdio.h>

static const struct counted {
	const char *what, *text;
	unsigned pairs, tex;
} table[] = {
	{"a copy of a constant is written", "mov oC0, c0\n", 1, 0},
	{"copies are free", "mov r0, t0\nmov r1, r0\nadd r1, r1, c0\nmov oC0, r1\n", 1, 0},
	{"absolute values, signs and swizzles of the hardware are free, too",
	 "abs r0.xyz, t0\nmov r0.w, c0.w\nmul r1.xyz, -r0.yzxw, t1.zxyw\nmov r1.w, -r0.w\nmov oC0, r1\n", 1, 0},
	{"lrp is a sum and a mad", "lrp r0, t0, t1, c0\nmov oC0, r0\n", 2, 0},
	{"a result that nothing reads is free", "rcp r1.w, t1.w\nmul r0, t0, t1\nmov oC0, r0\n", 1, 0},
	{"both units work at once", "mul r0.xyz, t0, c0\nrcp r0.w, t1.w\nmov oC0, r0\n", 1, 0},
	{"two scalars go to one unit each",
	 "mul r0.x, t0.x, c0.x\nmax r1.x, t1.x, c1.x\nmul r0, t2, r0.x\nmad r0, t3, r1.x, r0\nmov oC0, r0\n", 3, 0},
	{"two roots take the alpha unit twice", "rsq r0.x, t0.x\nrsq r1.x, t1.x\nmul r0, r0.x, r1.x\nmov oC0, r0\n", 3, 0},
	{"a dp3 leaves room beside it", "dp3 r0.x, t0, t1\nrcp r1.x, t1.w\nmul r0, r0.x, r1.x\nmov oC0, r0\n", 2, 0},
	{"a dp4 does not", "dp4 r0.x, t0, t1\nrcp r1.x, t1.w\nmul r0, r0.x, r1.x\nmov oC0, r0\n", 3, 0},
	{"nrm is a dp3, a root and a product: the root goes beside the dp3", "nrm r0.xyz, t0\nmov r0.w, c0.w\nmov oC0, r0\n", 2, 0},
	{"pow is a logarithm, a product and an exponent", "pow r0.w, t0.w, c0.w\nmov r0.xyz, t1\nmov oC0, r0\n", 2, 0},
	{"crs is a product and a mad", "crs r0.xyz, t0, t1\nmov r0.w, c0.w\nmov oC0, r0\n", 2, 0},
	{"lanes of two registers are moved together, a MOV each",
	 "mov r0.x, t0.x\nmov r0.y, t1.x\nmul r0.xy, r0, t2\nmul r0, r0.x, r0.y\nmov oC0, r0\n", 4, 0},
	{"lanes of two literals are moved as one",
	 "mov r0.x, c5.y\nmov r0.y, c6.x\nmad r0.xy, r0, t2, t3\nmul r0, r0.x, r0.y\nmov oC0, r0\n", 3, 0},
	{"a texel is moved out", "texld r0, t0, s0\nmov oC0, r0\n", 1, 1},
	{"a coordinate from other lanes is moved first", "mov r0.xy, t0.wzyx\ntexld r0, r0, s0\nmov oC0, r0\n", 2, 1},
};

ARENA_TEST(pairs_are_those_counted_by_hand)
{
	unsigned wrong = 0;
	for (unsigned k = 0; k < sizeof table / sizeof *table; k++) {
		const struct counted *c = &table[k];
		struct program *ps = parse_one(*state, arena_printf(*state,
			"ps_2_0\ndef c5, 1, 2, 4, 8\ndef c6, 3, 5, 7, 9\ndcl t0\ndcl t1\ndcl t2\ndcl t3\ndcl t4\ndcl_2d s0\n%s", c->text));
		struct r300_count const n = r300_count(ps);
		if (n.pairs == c->pairs && n.tex == c->tex)
			continue;
		print_error("%s: %u pairs, %u texture instructions, not %u, %u\n", c->what, n.pairs, n.tex, c->pairs, c->tex);
		wrong++;
	}
	assert_int_equal(wrong, 0);
}

/* No text tells which textures are of depths, so a program costs what its text does. */
ARENA_TEST(depth_is_not_counted)
{
	struct program *ps = parse_one(*state, "ps_2_0\ndcl t0\ndcl_2d s0\nmov r0.xy, t0\nmov r0.z, c0\ntexld r0, r0, s0\nmov oC0, r0\n");
	assert_int_equal(r300_count(ps).pairs, 1);
	ps->instrs.at[2].flags |= INSTR_DEPTH;
	assert_int_equal(r300_count(ps).pairs, 1);
}
