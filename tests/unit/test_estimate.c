/* The estimated slots of a plan's vertex program, without writing that program. */
#include "pairs.h"

#include "move/cover/delivery.h"

#define QUAD "vs_1_1\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nmov oT0.xy, v1\n"
#define LIT "vs_1_1\ndcl_position v0\ndcl_texcoord v1\nm4x4 oPos, v0, c0\nmul r0.xy, v1, c4\nadd oT0.xy, r0, c5\n"
#define READS "ps_2_0\ndcl t0.xy\n"
#define END "mov oC0, r0\n"

/* Checks the slots that the VP takes, as estimated and as written, if t#n carries the result of the FP's instruction at[n]. */
static void takes(void **state, const char *vs, const char *ps, const unsigned at[], unsigned n, unsigned slots)
{
	struct arena *arena = *state;
	const struct program *v = parse_one(arena, vs), *p = parse_one(arena, ps);
	struct move_options const options = move_options_default((enum model)v->model, (enum model)p->model);
	struct values *values = values_number(arena, v, p);
	const struct vertex_start *start = delivery_start(values, v, &options);
	struct layout layout;
	layout_clear(&layout);
	for (unsigned r = 0; r < n; r++)
		memcpy(layout.lane[r], values->def[at[r]], sizeof layout.lane[r]);
	struct move_result notes = {0};
	const struct program *written = delivery_program(start, &layout, &notes);
	assert_non_null(written);
	if (program_total_slots(written) != slots)
		print_error("%s", instrs_of(arena, written));
	assert_int_equal(program_total_slots(written), slots);
	assert_int_equal(delivery_estimate(start, &layout), slots);
	assert_int_equal(delivery_estimate(start, &layout), slots); /* from the cache */
}

ARENA_TEST(what_nobody_wants_goes)
{
	takes(state, LIT, READS "mov r0, t0\n" END, NULL, 0, 4);
}

ARENA_TEST(the_old_code_stays)
{
	takes(state, LIT, READS "mov r0.xy, t0\n" END, (unsigned[]){0}, 1, 6);
	takes(state, LIT, READS "mov r0.xy, t0.yx\n" END, (unsigned[]){0}, 1, 6); /* swapped lanes */
}

/* Checks that a result for two registers goes to a temporary, with a copy for each. */
ARENA_TEST(what_two_registers_want_is_copied)
{
	takes(state, LIT, READS "mov r0.xy, t0\nmov r1.xy, t0.yx\n" END, (unsigned[]){0, 1}, 2, 8);
	takes(state, QUAD, READS "mov r0.xy, t0\nmov r1.xy, t0.yx\n" END, (unsigned[]){0, 1}, 2, 3); /* an input needs no temporary */
}

ARENA_TEST(a_sum_takes_its_columns)
{
	takes(state, QUAD, READS "add r0.xy, t0, c0\n" END, (unsigned[]){0}, 1, 2);
	takes(state, QUAD, READS "def c4, 2, 3, 0, 0\nmov r1.xy, c0\nmad r0.xy, r1, c4, t0\n" END, (unsigned[]){1}, 1, 3);
}

/* Checks that c0 goes to one temporary for both registers. */
ARENA_TEST(a_constant_is_moved_once)
{
	takes(state, QUAD, READS "def c4, 2, 3, 0, 0\nmov r1.xy, c0\nmad r2.xy, r1, c4, t0\nmad r0.xy, r1, -c4, t0\n" END,
	      (unsigned[]){1, 2}, 2, 4);
}

/* Checks that a square root, too, is computed once in a temporary. */
ARENA_TEST(a_constant_is_computed_once)
{
	takes(state, QUAD, READS "rsq r1.w, c0.x\nmul r2.xy, t0, r1.w\nadd r3.xy, t0, r1.w\nmul r0.xy, t0.yx, r1.w\n" END,
	      (unsigned[]){1, 2, 3}, 3, 5);
}

ARENA_TEST(macros_count_as_what_they_are)
{
	takes(state, QUAD, READS "exp r1.w, c0.x\nadd r0.xy, t0, r1.w\n" END, (unsigned[]){1}, 1, 12);
}

/* Checks that the product is cloned once, for all registers. */
ARENA_TEST(a_clone_serves_all_registers)
{
	takes(state, QUAD,
	      READS "dp2add r1.x, t0, c0, c0.z\ndp2add r1.y, t0, c1, c1.z\ndp2add r2.x, r1, c2, c2.z\ndp2add r2.y, r1, c3, c3.z\n"
	            "dp2add r3.x, r1, c5, c5.z\ndp2add r3.y, r1, c6, c6.z\n" END,
	      (unsigned[]){2, 4}, 2, 9);
}
