/* R300's instruction pairs: free and charged work, counted by hand. */
#include "pairs.h"

#include "move/target/r300.h"

#include <stdio.h>

static const struct counted {
	const char *what, *text;
	unsigned pairs, tex, nodes;
} table[] = {
	{"a copy of a constant is written", "mov oC0, c0\n", 1, 0, 1},
	{"copies are free", "mov r0, t0\nmov r1, r0\nadd r1, r1, c0\nmov oC0, r1\n", 1, 0, 1},
	{"so are absolute values, signs and the swizzles there are",
	 "abs r0.xyz, t0\nmov r0.w, c0.w\nmul r1.xyz, -r0.yzxw, t1.zxyw\nmov r1.w, -r0.w\nmov oC0, r1\n", 1, 0, 1},
	{"a sum is made by what reads it", "add r0, t0, c0\nmul r0, r0, t1\nmov oC0, r0\n", 1, 0, 1},
	{"so is a difference", "sub r0, t0, c0\nmul r0, r0, t1\nmov oC0, r0\n", 1, 0, 1},
	{"so is 1 - a", "add r0, -t0, c5.x\nmul r0, r0, t1\nmov oC0, r0\n", 1, 0, 1},
	{"a sum of lanes in another order is not", "add r0, t0, c0.x\nmul r0, r0, t1\nmov oC0, r0\n", 2, 0, 1},
	{"two sums of one operation are one too many",
	 "add r0, t0, c0\nadd r1, t0, -c0\nmul r0, r0, r1\nmov oC0, r0\n", 2, 0, 1},
	{"lrp is a sum and a mad", "lrp r0, t0, t1, c0\nmov oC0, r0\n", 1, 0, 1},
	{"what nothing reads is none", "rcp r1.w, t1.w\nmul r0, t0, t1\nmov oC0, r0\n", 1, 0, 1},
	{"both units work at once", "mul r0.xyz, t0, c0\nrcp r0.w, t1.w\nmov oC0, r0\n", 1, 0, 1},
	{"two scalars go to both",
	 "mul r0.x, t0.x, c0.x\nmax r1.x, t1.x, c1.x\nmul r0, t2, r0.x\nmad r0, t3, r1.x, r0\nmov oC0, r0\n", 3, 0, 1},
	{"two roots wait for each other", "rsq r0.x, t0.x\nrsq r1.x, t1.x\nmul r0, r0.x, r1.x\nmov oC0, r0\n", 3, 0, 1},
	{"a dp3 leaves room beside it", "dp3 r0.x, t0, t1\nrcp r1.x, t1.w\nmul r0, r0.x, r1.x\nmov oC0, r0\n", 2, 0, 1},
	{"a dp4 does not", "dp4 r0.x, t0, t1\nrcp r1.x, t1.w\nmul r0, r0.x, r1.x\nmov oC0, r0\n", 3, 0, 1},
	{"nrm is a dp3, a root and a product", "nrm r0.xyz, t0\nmov r0.w, c0.w\nmov oC0, r0\n", 3, 0, 1},
	{"pow is a logarithm, a product and an exponent", "pow r0.w, t0.w, c0.w\nmov r0.xyz, t1\nmov oC0, r0\n", 3, 0, 1},
	{"crs is a product and a mad", "crs r0.xyz, t0, t1\nmov r0.w, c0.w\nmov oC0, r0\n", 2, 0, 1},
	{"lanes of two registers are moved together, a MOV each",
	 "mov r0.x, t0.x\nmov r0.y, t1.x\nmul r0.xy, r0, t2\nmul r0, r0.x, r0.y\nmov oC0, r0\n", 4, 0, 1},
	{"what is made for a register is made in it",
	 "mul r0.x, t0.x, c0.x\nmax r0.y, t1.x, c1.x\nmul r1.xyz, r0, t2\nmov r1.z, t3.x\ndp3 r0, r1, t4\nmov oC0, r0\n", 5, 0, 1},
	{"lanes of two literals are moved as one",
	 "mov r0.x, c5.y\nmov r0.y, c6.x\nmad r0.xy, r0, t2, t3\nmul r0, r0.x, r0.y\nmov oC0, r0\n", 3, 0, 1},
	{"a texel is moved out", "texld r0, t0, s0\nmov oC0, r0\n", 1, 1, 1},
	{"a coordinate from other lanes is moved first", "mov r0.xy, t0.wzyx\ntexld r0, r0, s0\nmov oC0, r0\n", 2, 1, 2},
	{"reads at texels are another node", "texld r0, t0, s0\ntexld r0, r0, s0\nmov oC0, r0\n", 1, 2, 2},
	{"arithmetic before the first read is one", "mul r0.xy, t0, c0\ntexld r0, r0, s0\nmov oC0, r0\n", 2, 1, 2},
	{"arithmetic that can wait is not", "mul r1, t1, c0\ntexld r0, t0, s0\nmul r0, r0, r1\nmov oC0, r0\n", 2, 1, 1},
};

static void pairs_are_those_counted_by_hand(void **state)
{
	unsigned wrong = 0;
	for (unsigned k = 0; k < sizeof table / sizeof *table; k++) {
		const struct counted *c = &table[k];
		struct program *ps = parse_one(*state, arena_printf(*state,
			"ps_2_0\ndef c5, 1, 2, 4, 8\ndef c6, 3, 5, 7, 9\ndcl t0\ndcl t1\ndcl t2\ndcl t3\ndcl t4\ndcl_2d s0\n%s", c->text));
		struct r300_count const n = r300_count(ps);
		if (n.pairs == c->pairs && n.tex == c->tex && n.nodes == c->nodes)
			continue;
		print_error("%s: %u pairs, %u texture instructions, %u nodes, not %u, %u, %u\n", c->what, n.pairs, n.tex, n.nodes, c->pairs,
		            c->tex, c->nodes);
		wrong++;
	}
	assert_int_equal(wrong, 0);
}

/* Checks that a block has at most eight waiting reads, so that nine coordinates make two blocks. */
static void a_block_has_eight_reads_that_waited(void **state)
{
	for (unsigned n = 8; n <= 9; n++) {
		struct text t = {.arena = *state};
		text_string(&t, "ps_2_0\ndcl t0\ndcl_2d s0\n");
		for (unsigned k = 0; k < n; k++)
			text_printf(&t, "mul r%u.xy, t0, c%u\ntexld r%u, r%u, s0\n", k, k, k, k);
		for (unsigned k = 1; k < n; k++)
			text_printf(&t, "max r0, r0, r%u\n", k);
		text_string(&t, "mov oC0, r0\n");
		struct r300_count const c = r300_count(parse_one(*state, t.at));
		assert_int_equal(c.tex, n);
		assert_int_equal(c.pairs, n + n - 1);
		assert_int_equal(c.nodes, n == 8 ? 2 : 3);
	}
}

/* Checks that depth textures are not counted: no text names them. */
static void depth_is_not_counted(void **state)
{
	struct program *ps = parse_one(*state, "ps_2_0\ndcl t0\ndcl_2d s0\nmov r0.xy, t0\nmov r0.z, c0\ntexld r0, r0, s0\nmov oC0, r0\n");
	assert_int_equal(r300_count(ps).pairs, 1);
	ps->instrs.at[2].flags |= INSTR_DEPTH;
	assert_int_equal(r300_count(ps).pairs, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(pairs_are_those_counted_by_hand, arena_setup, arena_teardown),
		cmocka_unit_test_setup_teardown(a_block_has_eight_reads_that_waited, arena_setup, arena_teardown),
		cmocka_unit_test_setup_teardown(depth_is_not_counted, arena_setup, arena_teardown),
	};
	return cmocka_run_group_tests_name("r300", tests, NULL, NULL);
}
