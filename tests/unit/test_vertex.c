/* Vertex programs of plans: the fewest slots that deliver the pixel program's values. */
#include "pairs.h"

#include "verify/verify.h"

#define QUAD "vs_1_1\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nmov oT0.xy, v1\n"
#define READS "ps_2_0\ndcl t0.xy\ndcl_2d s0\n"

/* Returns the VP's instructions at -O2 and checks that they take `slots`. */
static const char *vertex_code(void **state, const char *vs, const char *ps, unsigned slots)
{
	struct arena *arena = *state;
	const struct program *v = parse_one(arena, vs), *p = parse_one(arena, ps);
	struct move_options options = move_options_default(VS_1_1, PS_2_0);
	options.level = 2;
	options.free_ties = true; /* so that the VPs get work */
	const struct move_result *r = move_plan(arena, v, p, &options);
	struct proof proof = prove(arena, (struct pair){v, p}, (struct pair){r->vs, r->ps},
	                           &(struct proof_context){.plain_textures = UINT_MAX, .consts = r->consts.at, .nconsts = r->consts.n,
	                                                   .folds = r->folds.at, .nfolds = r->folds.n, .free_ties = true});
	assert_true(proof.equal);
	if (program_total_slots(r->vs) != slots)
		print_error("%s", instrs_of(arena, r->vs));
	assert_int_equal(program_total_slots(r->vs), slots);
	return instrs_of(arena, r->vs);
}

/* Checks reads at t0 + c0 / 2, t0 - 3 c0 and t0 + 2 c0. */
ARENA_TEST(multiples_share_the_constant)
{
	vertex_code(state, QUAD,
	            READS "def c4, 0.5, -3, 2, 0\nmov r3.xy, c0\nmad r0.xy, r3, c4.x, t0\nmad r1.xy, r3, c4.y, t0\n"
	                  "mad r2.xy, r3, c4.z, t0\ntexld r0, r0, s0\ntexld r1, r1, s0\ntexld r2, r2, s0\nadd r0, r0, r1\n"
	                  "add r0, r0, r2\nmov oC0, r0\n",
	            5);
}

#define CROSS(x, y)                                                                                               \
	READS "def c4, 0, 0, 0, 0\n" x y                                                                            \
	      "mov r0.z, c4.x\nadd r2.x, t0.x, r0.x\nadd r2.y, t0.y, r0.z\nadd r3.x, t0.x, r0.z\nadd r3.y, t0.y, r0.y\n" \
	      "add r4.x, t0.x, -r0.x\nadd r4.y, t0.y, r0.z\ntexld r2, r2, s0\ntexld r3, r3, s0\ntexld r4, r4, s0\n"   \
	      "add r0, r2, r3\nadd r0, r0, r4\nmov oC0, r0\n"

/* Checks that (c0.x, 0) and (0, c0.y) are made as c0 times numbers. */
ARENA_TEST(lanes_without_offset_take_zero_of_it)
{
	vertex_code(state, QUAD, CROSS("mov r0.x, c0.x\n", "mov r0.y, c0.y\n"), 5);
}

/* Checks that 0 is not made as 0 times 1 / c0.x, which may be infinite. */
ARENA_TEST(zero_of_what_may_be_infinite_is_not_taken)
{
	assert_null(strstr(vertex_code(state, QUAD, CROSS("rcp r0.x, c0.x\n", "rcp r0.y, c0.y\n"), 7), "mad"));
}

ARENA_TEST(factors_and_offsets_stand_in_one_register)
{
	const char *code = vertex_code(state, QUAD,
	                               READS "def c4, 1, -1, 3, 0.5\nmad r0.x, t0.x, c4.x, c4.z\nmad r0.y, t0.y, c4.y, c4.w\n"
	                                     "texld r0, r0, s0\nmov oC0, r0\n",
	                               2);
	assert_non_null(strstr(code, "mad oT0.xy"));
}

ARENA_TEST(constants_are_sums_of_multiples)
{
	vertex_code(state, QUAD,
	            READS "mov r0, c0\nadd r1.x, r0.x, r0.z\nmov r1.y, r0.y\nadd r2.x, r1.x, r0.z\nmov r2.y, r0.y\n"
	                  "add r3.x, r2.x, r0.z\nmov r3.y, r0.y\ntexld r4, t0, s0\ntexld r1, r1, s0\ntexld r2, r2, s0\n"
	                  "texld r3, r3, s0\nadd r4, r4, r1\nadd r4, r4, r2\nadd r4, r4, r3\nmov oC0, r4\n",
	            6);
}

/* Checks that c0.x - floor c0.x and the same of y take one frc, of three slots. */
ARENA_TEST(fractions_are_taken_together)
{
	vertex_code(state, QUAD,
	            READS "frc r1.w, c0.x\nfrc r1.z, c0.y\nmov r2.y, r1.z\nmov r2.x, r1.w\nmul r0.x, t0.x, r2.x\n"
	                  "mul r0.y, t0.y, r2.y\ntexld r0, r0, s0\nmov oC0, r0\n",
	            5);
}

/* Checks that a choice does not round one arm by the size of the other, as (a - b) + b would. */
ARENA_TEST(choices_are_exact)
{
	const char *code = vertex_code(state, QUAD, READS "cmp r1.x, c0.x, c0.y, c0.z\nadd r0.x, t0.x, r1.x\nadd r0.y, t0.y, c0.y\n"
	                                                  "texld r0, r0, s0\nmov oC0, r0\n", 8);
	assert_true(strstr(code, "sge") && strstr(code, "slt"));
}
