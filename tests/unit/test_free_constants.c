/* Constant registers that are free: those that a program neither reads nor defines nor keeps for its application. */
#include "pairs.h"

#include "move/graph/free_constants.h"

static struct register_set taken_of(void **state, const char *text, bool named)
{
	return constants_taken(parse_one(*state, text), named);
}

#define VS "vs_1_1\ndcl_position v0\n"

ARENA_TEST(reads_and_defs)
{
	struct register_set const t = taken_of(state, VS "def c90, 1, 2, 3, 4\nm4x4 oPos, v0, c4\nmov oT0, c95\n", false);
	for (int c = 0; c < 96; c++)
		assert_int_equal(register_is_in(&t, c), (c >= 4 && c <= 7) || c == 90 || c == 95);
}

ARENA_TEST(reserved)
{
	struct program *p = parse_one(*state, VS "mov oPos, v0\n");
	register_put_in(&p->reserved, 94);
	struct register_set const t = constants_taken(p, false);
	assert_true(register_is_in(&t, 94));
	assert_false(register_is_in(&t, 93));
}

ARENA_TEST(relative_reads)
{
	const char *text = VS "def c3, 1, 1, 1, 1\nmov a0.x, v0.x\nmov oPos, c[a0.x + 10]\n";
	struct register_set const all = taken_of(state, text, false), some = taken_of(state, text, true);
	assert_int_equal(constants_last_free(&all, (struct range){0, 95}), -1);
	assert_int_equal(constants_last_free(&some, (struct range){0, 95}), 95);
	assert_true(register_is_in(&some, 3));
	struct program *p = parse_one(*state, text);
	struct register_set const read = program_reads_all(p, REG_CONST, true), any = program_reads_all(p, REG_CONST, false);
	assert_false(register_is_in(&read, 3));
	assert_int_equal(constants_last_free(&any, (struct range){0, 95}), -1);
}

ARENA_TEST(the_last_within_the_range)
{
	struct register_set t = taken_of(state, VS "def c95, 1, 1, 1, 1\nmov oPos, v0\n", false);
	assert_int_equal(constants_take(&t, (struct range){93, 1000}), 255);
	assert_int_equal(constants_take(&t, (struct range){93, 95}), 94);
	assert_int_equal(constants_take(&t, (struct range){93, 95}), 93);
	assert_int_equal(constants_take(&t, (struct range){93, 95}), -1);
	assert_int_equal(constants_last_free(&t, (struct range){0, -1}), -1);
}

ARENA_TEST(of_two_programs)
{
	struct register_set const t = constants_of_both(taken_of(state, VS "mov oPos, c1\n", false), taken_of(state, VS "mov oPos, c2\n", false));
	assert_true(register_is_in(&t, 1) && register_is_in(&t, 2) && !register_is_in(&t, 3));
}
