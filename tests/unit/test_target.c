/* Cost profiles: what is counted, and that a plan is never dearer than the pair as it was. */
#include "pairs.h"

#include "move/passes.h"

#define VERTEX "vs_1_1\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nmov oT0.xy, v1\n"
#define FOUR_TAPS                                                                                  \
	"ps_2_0\ndef c0, 0.01, 0, 0, 0\ndef c1, 0, 0.01, 0, 0\ndcl t0.xy\ndcl_2d s0\n"             \
	"add r0.xy, t0, c0\nadd r1.xy, t0, -c0\nadd r2.xy, t0, c1\nadd r3.xy, t0, -c1\n"           \
	"texld r0, r0, s0\ntexld r1, r1, s0\ntexld r2, r2, s0\ntexld r3, r3, s0\n"                 \
	"add r0, r0, r1\nadd r0, r0, r2\nadd r0, r0, r3\nmov oC0, r0\n"

static uint64_t units(enum target_id id, const struct program *vs, const struct program *ps, unsigned pixels)
{
	return target_pair(&targets[id], vs, ps, pixels) / TARGET_UNIT;
}

static void slots_counts_pixel_slots_alone(void **state)
{
	struct program *vs = parse_one(*state, VERTEX), *ps = parse_one(*state, FOUR_TAPS);
	assert_int_equal(units(TARGET_SLOTS, vs, ps, 1), 12);
	assert_int_equal(program_total_slots(ps), 12);
}

static void r420_charges_for_dependent_reads(void **state)
{
	struct program *vs = parse_one(*state, VERTEX), *ps = parse_one(*state, FOUR_TAPS);
	assert_int_equal(program_dependent_reads(ps), 1);
	assert_int_equal(units(TARGET_R420, vs, ps, 1000000), 12 + 30);
	assert_int_equal(units(TARGET_R420, vs, ps, 1), 12 + 30 + 2);
}

/* 4 adds of 2 scalars, 3 of 4, 4 reads of 17, 2 varyings of 8; oC0's mov is no operation. */
static void h200_counts_scalars(void **state)
{
	struct program *vs = parse_one(*state, VERTEX), *ps = parse_one(*state, FOUR_TAPS);
	assert_int_equal(units(TARGET_H200, vs, ps, 1000000), 4 * 2 + 3 * 4 + 4 * 17 + 2 * 8);
}

/* Eight scalar operations do not pay for six or eight interpolated scalars there, but for slots they do. */
static void a_plan_is_never_dearer_by_its_own_model(void **state)
{
	struct program *vs = parse_one(*state, VERTEX), *ps = parse_one(*state, FOUR_TAPS);
	struct move_options o = move_options_default(vs->model, ps->model);
	struct move_result *r = move_plan(*state, vs, ps, &o);
	assert_int_equal(program_total_slots(r->ps), 8);
	o.target = targets[TARGET_H200];
	r = move_plan(*state, vs, ps, &o);
	assert_int_equal(r->moved, 0);
	assert_int_equal(program_total_slots(r->ps), 12);
	assert_int_equal(r->fates[0].verdict, MOVE_COST);
	o.target = targets[TARGET_R420];
	r = move_plan(*state, vs, ps, &o);
	assert_int_equal(program_dependent_reads(r->ps), 0);
}

/* A long chain for few varyings pays everywhere. */
static void long_chains_pay(void **state)
{
	struct program *vs = parse_one(*state, VERTEX);
	struct program *ps = parse_one(*state,
		"ps_2_0\ndcl t0.xy\ndcl_2d s0\n"
		"mad r0.xy, t0, c0, c0.wzyx\nmad r0.xy, r0, c1, c1.wzyx\nmad r0.xy, r0, c2, c2.wzyx\n"
		"mad r0.xy, r0, c3, c3.wzyx\nmad r0.xy, r0, c4, c4.wzyx\nmad r0.xy, r0, c5, c5.wzyx\n"
		"texld r0, r0, s0\nmov oC0, r0\n");
	struct move_options o = move_options_default(vs->model, ps->model);
	for (unsigned t = 0; t < TARGETS; t++) {
		o.target = targets[t];
		struct move_result *r = move_plan(*state, vs, ps, &o);
		assert_int_equal(r->moved, 6);
		assert_int_equal(program_total_slots(r->ps), 2);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ARENA_TEST(slots_counts_pixel_slots_alone),
		ARENA_TEST(r420_charges_for_dependent_reads),
		ARENA_TEST(h200_counts_scalars),
		ARENA_TEST(a_plan_is_never_dearer_by_its_own_model),
		ARENA_TEST(long_chains_pay),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
