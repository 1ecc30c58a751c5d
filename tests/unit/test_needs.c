/* Constants that the application sets for a pair: of those noted, the ones that the new pair still reads. */
#include "pairs.h"

#include "lang/needs.h"

#define VS "vs_1_1\ndef c80, 1, 2, 3, 4\ndcl_position v0\nmov oPos, v0\n"

/* Checks that c80, once a copy of c11, needs no setting after tidying gave it a literal. */
ARENA_TEST(a_literal_needs_no_setting)
{
	struct program *vs = parse_one(*state, VS "mul oT0, v0, c80\nmul oT1, v0, c81\n");
	struct program *ps = parse_one(*state, "ps_2_0\ndcl t0\nmov oC0, t0\n");
	struct const_map copies[] = {{.vs = 80, .ps = 11}, {.vs = 81, .ps = 3}, {.vs = 82, .ps = 4}};
	struct needs const added = {.consts = {copies, 3, 3}};
	struct needs all;
	struct text said = {.arena = *state};
	assert_true(needs_join(*state, &(struct needs){.consts = {0}}, &added, vs, ps, &all));
	needs_print(&said, &all);
	assert_string_equal(said.at, "// fpmove: c81 = ps c3\n");
}

ARENA_TEST(constants_from_outside_have_no_def)
{
	const struct program *vs = parse_one(*state, VS "mul oT0, v0, c80\nmul oT1, v0, c81\n");
	assert_false(program_reads_from_outside(vs, 80));
	assert_true(program_reads_from_outside(vs, 81));
	assert_false(program_reads_from_outside(vs, 82));
}

/* Checks that copies of an earlier run stay reserved: c[a0.x + n] may read one that no instruction names, and would read another
 * constant in its place. */
ARENA_TEST(copies_of_an_earlier_run_are_reserved)
{
	struct program *vs = parse_one(*state, "vs_1_1\n// fpmove: c91 = ps c6\ndcl_position v0\nmov a0.x, v0.x\nmov oPos, c[a0.x + 3]\n");
	struct program *ps = parse_one(*state, "ps_2_0\ndcl t0\nmov oC0, t0\n");
	struct diags diags;
	struct needs all = {.consts = {0}};
	diag_init(&diags, *state);
	needs_read(*state, vs, &diags);
	needs_of_pair(*state, vs, ps, &diags, &all);
	assert_int_equal(all.consts.n, 1);
	assert_true(register_is_in(&vs->reserved, 91) && !register_is_in(&vs->reserved, 90));
}
