/* The planner on small pairs: each kind of supply, budgets, and known optima. */
#include "pairs.h"

#include "move/optimise.h"
#include "verify/verify.h"

#define QUAD "vs_1_1\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nmov oT0, v1\n"

struct planning {
	struct arena *arena;
	const struct program *vs, *ps;
	struct move_options options;
	struct planned *plan;
};

static struct planning given(void **state, const char *ps)
{
	struct planning g = {.arena = *state, .vs = parse_one(*state, QUAD), .ps = parse_one(*state, ps)};
	g.options = move_options_default(VS_1_1, PS_2_0);
	g.options.level = 2;
	return g;
}

/* Plans and proves.  Returns the FP slots, or those of the given program if there is no plan. */
static unsigned slots(struct planning *g)
{
	g->plan = plan_search(values_number(g->arena, g->vs, g->ps), g->vs, &g->options);
	if (!g->plan)
		return program_total_slots(g->ps);
	const struct move_result *r = g->plan->result;
	struct proof proof = prove(g->arena, (struct pair){g->vs, g->ps}, (struct pair){r->vs, r->ps},
	                           &(struct proof_context){.plain_textures = UINT_MAX, .consts = r->consts.at, .nconsts = r->consts.n,
	                                                   .folds = r->folds.at, .nfolds = r->folds.n,
	                                                   .free_ties = true}); /* the values of this test know no ties */
	assert_true(proof.equal);
	return g->plan->score.ps_slots;
}

static bool emits(const struct planning *g, const char *line)
{
	return strstr(instrs_of(g->arena, g->plan->result->ps), line) != NULL;
}

#define TWO_READS                                                                                                   \
	"ps_2_0\ndcl t0.xy\ndcl_2d s0\nadd r0.xy, t0, c0\ntexld r1, r0, s0\ntexld r0, t0, s0\n"                      \
	"add r0, r0, r1\nmov oC0, r0\n"

ARENA_TEST(coordinates_ride_in_interpolators)
{
	struct planning g = given(state, TWO_READS);
	assert_int_equal(slots(&g), 4);
	assert_int_equal(g.plan->score.interpolators, 2);
	assert_true(g.plan->result->optimal);
}

ARENA_TEST(with_one_register_an_instruction_stays)
{
	struct planning g = given(state, TWO_READS);
	g.options.budget.texcoords = 1;
	assert_int_equal(slots(&g), 5);
	assert_int_equal(g.plan->score.interpolators, 1);
}

ARENA_TEST(drop_in_keeps_what_needs_the_application)
{
	struct planning g = given(state, TWO_READS);
	g.options.drop_in = true;
	assert_int_equal(slots(&g), 5);
	assert_int_equal(g.plan->result->consts.n, 0);
}

ARENA_TEST(no_vertex_constant_no_move)
{
	struct planning g = given(state, TWO_READS);
	g.options.budget.vs_consts = (struct range){0, -1};
	g.options.budget.vs_consts_given = true;
	assert_int_equal(slots(&g), 5);
}

ARENA_TEST(literals_fold_into_constants)
{
	struct planning g = given(state, "ps_2_0\ndef c0, 2, 3, 0, 0\ndcl t0.xy\ndcl_2d s0\nmov r1, c0.x\nmul r1, r1, c0.y\n"
	                                 "texld r0, t0, s0\nmul r0, r0, r1\nmov oC0, r0\n");
	assert_int_equal(slots(&g), 3);
	assert_int_equal(g.plan->score.interpolators, 1);
	assert_true(g.plan->result->folds.n > 0);
}

ARENA_TEST(more_coordinates_than_registers_cost_one_each)
{
	/* 9 addresses of two steps each, and 8 interpolators. */
	struct text t = {.arena = *state};
	text_string(&t, "ps_2_0\ndcl t0.xy\ndcl_2d s0\nmov r2, c20\n");
	for (unsigned k = 0; k < 9; k++)
		text_printf(&t, "add r0.xy, t0, c%u\nadd r0.xy, r0, c%u\ntexld r%u, r0, s0\nadd r2, r2, r%u\n", k, k + 1, k + 3, k + 3);
	text_string(&t, "mov oC0, r2\n");
	struct planning g = given(state, t.at);
	unsigned n = slots(&g);
	assert_int_equal(n, 9 + 9 + 1 + 1);
	assert_int_equal(g.plan->score.interpolators, 8);
}

ARENA_TEST(lanes_come_beside_pixel_lanes)
{
	struct planning g = given(state, "ps_2_0\ndcl t0\ndcl_2d s0\ntexld r0, t0, s0\nadd r1.xy, t0.wzyx, c0\n"
	                                 "mul r1.xy, r1, c1\nmov r0.xy, r1\nmul r0, r0, c2\nmov oC0, r0\n");
	assert_int_equal(slots(&g), 4);
	assert_true(emits(&g, "mov r0.xy, t"));
}

ARENA_TEST(one_new_instruction_serves_two_operands)
{
	/* Both coordinates are inputs as they are: no room for another one. */
	struct planning g = given(state, "ps_2_0\ndcl t0\ndcl_2d s0\ntexld r0, t0, s0\nadd r1.xy, -t0.wzyx, c0\n"
	                                 "texld r2, r1, s0\nmul r0, r0, r2\nmul r0, r0, r1.x\nmov oC0, r0\n");
	g.options.budget.texcoords = 1;
	assert_int_equal(slots(&g), 6);
}

ARENA_TEST(kinds_keep_their_registers)
{
	struct planning g = given(state, "ps_2_0\ndcl_centroid t0.xy\ndcl_2d s0\nadd r0.xy, t0, c0\ntexld r0, r0, s0\nmov oC0, r0\n");
	assert_int_equal(slots(&g), 2);
	assert_non_null(strstr(text_of(g.arena, g.plan->result->ps), "dcl_centroid t0.xy"));
}

ARENA_TEST(lanes_that_nobody_writes_stay)
{
	struct planning g = {.arena = *state, .vs = parse_one(*state, "vs_1_1\ndcl_position v0\nmov oPos, v0\nmov oT0.xy, v0\n"),
	                     .ps = parse_one(*state, "ps_2_0\ndcl t0\ndcl_2d s0\nadd r1.xy, t0, c0\ntexld r0, r1, s0\n"
	                                             "mul r0, r0, t0.w\nmov oC0, r0\n")};
	g.options = move_options_default(VS_1_1, PS_2_0);
	g.options.level = 2;
	assert_int_equal(slots(&g), 3);
	assert_true(emits(&g, "t0.w"));
}

ARENA_TEST(the_port_of_a_lane_that_nobody_writes_is_taken)
{
	struct planning g = {.arena = *state, .vs = parse_one(*state, "vs_1_1\ndcl_position v0\nmov oPos, v0\n"),
	                     .ps = parse_one(*state, "ps_2_0\ndcl t0.xy\ndcl_2d s0\nmov r0.y, c8.w\nmov r0.x, c8\n"
	                                             "add r0.xy, r0, t0\ntexld r0, r0, s0\nmov oC0, r0\n")};
	g.options = move_options_default(VS_1_1, PS_2_0);
	g.options.level = 2;
	assert_int_equal(slots(&g), 4); /* one mov for both lanes */
	assert_false(emits(&g, "t1, t0"));
}

ARENA_TEST(the_fourth_lane_of_texkill_stays)
{
	struct planning g = given(state, "ps_2_0\ndcl t0\nadd r0, t0, c0\ntexkill r0\nmov oC0, c1\n");
	assert_int_equal(slots(&g), 2);
}

/* Checks 24 values that operands read in three positions each, and a coordinate: 26 of 32 lanes. */
ARENA_TEST(a_value_that_repeats_takes_one_lane)
{
	struct text ps = {.arena = *state};
	text_string(&ps, "ps_2_0\ndcl t0\ndcl_2d s0\ntexld r0, t0, s0\n");
	for (unsigned k = 0; k < 24; k++)
		text_printf(&ps, "dp3 r1.x, t0, c%u\nmul r2.xyz, r0, c24\nmad r0.xyz, r2, r1.x, r0\n", k);
	text_string(&ps, "mov oC0, r0\n");
	struct planning g = given(state, ps.at);
	assert_int_equal(slots(&g), 50);
	assert_true(g.plan->result->optimal);
}

ARENA_TEST(constants_share_the_port)
{
	/* c0 has a 2, too, but c1 has both numbers. */
	struct planning g = given(state, "ps_2_0\ndef c0, 2, 0, 0, 0\ndef c1, 2, 3, 0, 0\ndcl t0\ndcl_2d s0\ntexld r0, t0, s0\n"
	                                 "mul r0, r0, t0\nmov r1.x, c0.x\nmov r1.y, c1.y\nmad r0, r0, r1.x, r1.y\nmov oC0, r0\n");
	assert_int_equal(slots(&g), 4);
	assert_int_equal(g.plan->score.interpolators, 1);
}

ARENA_TEST(who_can_come_otherwise_leaves_the_port)
{
	/* c1 is the application's and cannot cross, so that 2 does. */
	struct planning g = given(state, "ps_2_0\ndef c0, 2, 0, 0, 0\ndcl t0.xy\ndcl_2d s0\ntexld r0, t0, s0\nmov r1.x, c0.x\n"
	                                 "mov r1.y, c1.x\nmad r0, r0, r1.x, r1.y\nmov oC0, r0\n");
	g.options.drop_in = true;
	assert_int_equal(slots(&g), 3);
}

/* The exhaustive planner of tests/plan found a better plan for these pairs. */

ARENA_TEST(bases_may_be_negated)
{
	struct planning g = given(state, "ps_2_0\ndcl t0.xyz\ndcl_2d s0\nmul r3, c1.x, t0.y\nmov r3.y, -r3.x\ntexld r3, r3, s0\n"
	                                 "add r3.x, r3.yzxw, t0\nmov oC0, r3\n");
	g.options.budget.texcoords = 1;
	g.options.drop_in = true;
	assert_int_equal(slots(&g), 4);
}

ARENA_TEST(some_lanes_come_beside_others_stay)
{
	struct planning g = given(state, "ps_2_0\ndef c2, 0.5, 3, 2, 2\ndcl t0.xyz\ndcl_2d s0\ndcl_volume s2\nadd_sat r4.xyz, c2, c2\n"
	                                 "dp3 r3.zw, c2, r4\ndp2add r4.y, t0.zxyw, c0.y, r3.z\ntexld r2, t0, s2\nmov r3.xyz, r2.x\n"
	                                 "texld r2, r4, s0\nrcp r4.w, -r2.z\nmul r2.xyz, r2, r3\nmul r2.w, r2, r4\ntexkill r4\n"
	                                 "mov oC0, r2\n");
	g.options.budget.texcoords = 1;
	assert_int_equal(slots(&g), 10);
}

ARENA_TEST(new_instructions_order_their_lanes_as_interpolators_have_them)
{
	struct planning g = given(state, "ps_2_0\ndef c0, -1, 0, 0.25, -1\ndcl t0.xyz\ndcl_2d s0\ndcl_volume s2\ncrs r2.xyz, c0, t0\n"
	                                 "lrp r0, r2.z, t0.x, t0.y\ntexld r1, r0, s0\nmad r4, r1, t0.y, t0.z\ntexld r3, t0, s2\n"
	                                 "sub_sat r2.xy, r4, r2\nmul r1.xy, r1, r2\nmul r1, r1, r3\nmov oC0, r1\n");
	g.options.budget.texcoords = 1;
	assert_int_equal(slots(&g), 10);
}

ARENA_TEST(application_constants_may_cancel)
{
	struct planning g = given(state, "ps_2_0\ndef c1, 1, -0.5, 0.5, 0.25\ndcl t0.xy\ndcl_volume s2\nadd r4.xy, c1.zxyw, c1.wzyx\n"
	                                 "sub r2.xy, c1.yzxw, r4\nadd r2.xy, c0, r2\nsub r3.xyz, c0.x, r2.x\ntexld r1, r3, s2\n"
	                                 "mov oC0, r1\n");
	g.options.drop_in = true;
	assert_int_equal(slots(&g), 2);
}

ARENA_TEST(masks_of_frc_leave_no_hole)
{
	struct planning g = given(state, "ps_2_0\ndcl_pp t0.xyz\ndcl_volume s2\nfrc r0.xy, c1.yzxw\nmul r2.zw, -t0.y, t0.y\n"
	                                 "add r3.y, r0.x, r2.z\nadd r3.xyz, r0.y, -r3.y\ntexld r5, t0, s2\nmax_sat r2.w, r5.w, c0\n"
	                                 "texld r3, r3, s2\ndp4 r0.x, r5, t0.z\nadd r2.xyz, r2.w, -r0.x\nmul r2, r2, r3\n"
	                                 "mul r2, r2, r5\nmov oC0, r2\n");
	g.options.budget.texcoords = 2;
	assert_int_equal(slots(&g), 11);
}

/* Checks a dead w of nrm: xyz stays without it, or with it if the mask cannot shrink. */
ARENA_TEST(a_dead_lane_of_nrm_keeps_what_it_reads)
{
	struct planning g = given(state, "ps_2_0\ndcl t0\ndcl_2d s0\ntexld r2, t0, s0\nmov r3, r2\nmov r2.xyz, c30\nnrm r0, r2\n"
	                                 "mul r0.xyz, r0, r3\nmov r0.w, t0.w\nmov oC0, r0\n");
	g.options.budget.texcoords = 1;
	assert_true(slots(&g) <= 8);
	assert_true(emits(&g, "nrm r0.xyz"));
	struct planning h = given(state, "ps_2_0\ndcl t0\ndcl_2d s0\ntexld r2, t0, s0\nmov r3, r2\nmov r2.xyz, c30\nnrm r0.zw, r2\n"
	                                 "mul r0.xyz, r0.z, r3\nmov r0.w, t0.w\nmov oC0, r0\n");
	h.options.budget.texcoords = 1;
	assert_true(slots(&h) <= 10);
}

/* Checks that c[a0.x] leaves no VP constant free, so that the VP can add none of the offsets, however they are combined. */
ARENA_TEST(what_the_vp_cannot_deliver_is_learned)
{
	struct text ps = {.arena = *state};
	text_string(&ps, "ps_2_0\ndcl t0.xy\ndcl_2d s0\nadd r1.xy, t0, t0\ntexld r0, r1, s0\n");
	for (unsigned k = 0; k < 10; k++)
		text_printf(&ps, "add r1.xy, t0, c%u\ntexld r1, r1, s0\nadd r0, r0, r1\n", k);
	text_string(&ps, "mov oC0, r0\n");
	struct planning g = given(state, ps.at);
	g.vs = parse_one(*state, "vs_1_1\ndcl_position v0\ndcl_texcoord v1\nmov a0.x, v0.x\nadd oPos, v0, c[a0.x]\nmov oT0, v1\n");
	assert_int_equal(slots(&g), 32); /* t0 + t0 needs no constant */
	assert_true(g.plan->result->optimal);
	assert_in_range(g.plan->result->nodes, 1, 500);
}

ARENA_TEST(one_base_serves_equal_lanes)
{
	struct planning g = given(state, "ps_2_0\ndcl t0.xy\ndcl_2d s0\nsub r2.xy, c1.z, t0.x\nmov r4, r2.x\ntexld r3, t0, s0\n"
	                                 "texkill r4\nmov oC0, r3\n");
	g.options.drop_in = true;
	assert_int_equal(slots(&g), 4);
}

ARENA_TEST(what_came_beside_pixel_lanes_is_a_coordinate)
{
	struct planning g = given(state, "ps_2_0\ndcl t0.xy\ndcl_2d s0\ndp2add r0, t0.x, t0.x, c0.y\nlrp r0.xy, t0, c0, c0.y\n"
	                                 "add r0.w, t0.x, t0.y\ntexld r5, r0, s0\ntexld r4, t0, s0\ndp4 r5.xy, -r4.z, r0\n"
	                                 "mul r4, r4, r5\nmov oC0, r4\n");
	g.options.budget.texcoords = 1;
	assert_int_equal(slots(&g), 9); /* mov r0.xw, t0.. and mov r0.y, c0.y serve both */
}

ARENA_TEST(one_interpolator_carries_the_opposite)
{
	struct planning g = given(state, "ps_2_0\ndcl t0\ndcl_2d s0\nmov r1.xy, -t0\ntexld r1, r1, s0\nsub r1, r1.zxyw, t0.zxyw\n"
	                                 "mov oC0, r1\n");
	assert_int_equal(slots(&g), 3);
	assert_int_equal(g.plan->score.interpolators, 1);
}

/* Counts the lanes of one stage that the application sets. */
static unsigned presets(const struct planning *g, enum stage stage)
{
	unsigned n = 0;
	for (uint32_t k = 0; k < g->plan->result->folds.n; k++)
		n += g->plan->result->folds.at[k].preset && g->plan->result->folds.at[k].stage == stage;
	return n;
}

#define NORMALISED                                                                                                  \
	"ps_2_0\ndef c3, 0.5, 0, 0, 0\ndcl t0\ndcl_2d s0\ntexld r0, t0, s0\ndp3 r1.w, c0, c0\nrsq r1.w, r1.w\n"     \
	"mul r1.xyz, r1.w, c0\ndp3 r2.x, r0, r1\nadd r3.xy, t0, r1\ntexld r3, r3, s0\nmul r0, r3, r2.x\n"            \
	"mul r0, r0, c3.x\nmov oC0, r0\n"

ARENA_TEST(work_on_constants_leaves_both_programs)
{
	struct planning g = given(state, NORMALISED);
	g.options.preshader = true;
	assert_int_equal(slots(&g), 6);
	assert_int_equal(presets(&g, STAGE_PIXEL), 3);
	assert_int_equal(presets(&g, STAGE_VERTEX), 2);
	assert_int_equal(g.plan->result->consts.n, 0);
	assert_int_equal(g.plan->score.vs_slots, 3);
	assert_true(g.plan->result->optimal);
}

ARENA_TEST(presets_keep_to_the_constants_named)
{
	struct planning g = given(state, NORMALISED);
	g.options.preshader = true;
	g.options.ps_consts = (struct range){9, 9};
	assert_int_equal(slots(&g), 6);
	assert_true(emits(&g, "dp3 r2.x, r0, c9") || emits(&g, ", c9"));
	/* No FP constant is free: an interpolator brings the value from a VP constant. */
	g.options.ps_consts = (struct range){0, -1};
	assert_int_equal(slots(&g), 6);
	assert_int_equal(presets(&g, STAGE_PIXEL), 0);
	assert_true(presets(&g, STAGE_VERTEX) >= 3);
	/* Only two VP constants are free, and the moved work needs them: the VP computes the value. */
	g.options.budget.vs_consts = (struct range){20, 20};
	g.options.budget.vs_consts_given = true;
	assert_int_equal(slots(&g), 6);
	assert_true(program_total_slots(g.plan->result->vs) >= 3);
	/* No VP constant is free: only work without FP constants moves. */
	g.options.budget.vs_consts = (struct range){0, -1};
	g.options.ps_consts = (struct range){0, 31};
	assert_int_equal(slots(&g), 7);
	assert_int_equal(presets(&g, STAGE_VERTEX), 0);
}

ARENA_TEST(literals_and_presets_part)
{
	/* 2 * 3 folds into a def, and the rest is the application's; no register mixes the two. */
	struct planning g = given(state, "ps_2_0\ndef c1, 2, 3, 0, 0\ndcl t0.xy\ndcl_2d s0\nmov r1, c1.x\nmul r1, r1, c1.y\n"
	                                 "rcp r2, c0.x\ntexld r0, t0, s0\nmul r0, r0, r1\nmul r0, r0, r2\nmov oC0, r0\n");
	g.options.preshader = true;
	assert_int_equal(slots(&g), 4);
	int reg[2] = {-1, -1};
	for (uint32_t k = 0; k < g.plan->result->folds.n; k++)
		reg[g.plan->result->folds.at[k].preset] = g.plan->result->folds.at[k].index;
	assert_true(reg[0] >= 0 && reg[1] >= 0 && reg[0] != reg[1]);
}

ARENA_TEST(constants_of_one_instruction_share_a_register)
{
	/* An instruction reads one c#: c1 went through a temporary. */
	const char *of_defs = "ps_2_0\ndef c0, 2, 0, 0, 0\ndef c1, 0.25, 0.75, 0.5, 1\ndcl t0.xy\ndcl_2d s0\ntexld r0, t0, s0\nmov r1, c1\n"
	                      "mad r0.xyz, r0, c0.x, r1\nmov oC0, r0\n";
	struct planning g = given(state, of_defs);
	assert_int_equal(slots(&g), 3);
	const char *of_application = "ps_2_0\ndcl t0.xy\ndcl_2d s0\ntexld r0, t0, s0\nmov r1, c1\nmad r0.xyz, r0, c0.x, r1\nmov oC0, r0\n";
	struct planning h = given(state, of_application);
	h.options.budget.texcoords = 1;
	assert_int_equal(slots(&h), 4);
	h.options.preshader = true;
	assert_int_equal(slots(&h), 3);
	assert_int_equal(presets(&h, STAGE_PIXEL), 4);
}

/* Checks more reads than temporaries: a read into a register that was read into before is a dependent one. */
ARENA_TEST(reads_are_spread_over_the_temporaries)
{
	struct text ps = {.arena = *state};
	text_string(&ps, "ps_2_a\ndcl t0.xy\ndcl_2d s0\nadd r1.xy, t0, c0\ntexld r0, r1, s0\n");
	for (unsigned k = 1; k < 24; k++)
		text_string(&ps, "add r1.xy, r1, c0\ntexld r2, r1, s0\nadd r0, r0, r2\n");
	text_string(&ps, "mov oC0, r0\n");
	struct planning g = given(state, ps.at);
	assert_in_range(slots(&g), 48, 64); /* less than 72 */
	assert_non_null(g.plan);
	assert_in_range(program_dependent_reads(g.plan->result->ps), 1, 3);
}

/* Checks that the FP computes t1 = 2 t0 + 0.5 itself where interpolation is expensive. */
ARENA_TEST(what_is_made_of_another_input_is_recomputed)
{
	struct planning g = given(state, "ps_2_0\ndcl t0.xy\ndcl t1.xy\ndcl_2d s0\ndcl_2d s1\ntexld r0, t0, s0\ntexld r1, t1, s1\n"
	                                 "mul r0, r0, r1\nmov oC0, r0\n");
	g.vs = parse_one(*state, "vs_1_1\ndcl_position v0\ndcl_texcoord v1\ndef c5, 0.5, 2, 0, 0\nmov oPos, v0\n"
	                         "mov oT0.xy, v1\nmad oT1.xy, v1, c5.y, c5.x\n");
	g.options.target = targets[TARGET_H200];
	assert_int_equal(slots(&g), 5);
	assert_true(emits(&g, "mad "));
	assert_int_equal(g.plan->score.interpolators, 1);
	assert_int_equal(program_total_slots(g.plan->result->vs), 2);
	g.options.target = targets[TARGET_SLOTS];
	assert_int_equal(slots(&g), 4);
	assert_int_equal(g.plan->score.interpolators, 2);
}

ARENA_TEST(equal_inputs_are_one)
{
	struct planning g = given(state, "ps_2_0\ndcl t0.xy\ndcl t1.xy\ndcl_2d s0\ndcl_2d s1\ntexld r0, t0, s0\ntexld r1, t1, s1\n"
	                                 "mul r0, r0, r1\nmov oC0, r0\n");
	g.vs = parse_one(*state, "vs_1_1\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nmov r0, v1\nmov oT0.xy, v1\n"
	                         "mov oT1.xy, r0\n");
	assert_int_equal(slots(&g), 4);
	assert_int_equal(g.plan->score.interpolators, 1);
	g.ps = parse_one(*state, "ps_2_0\ndcl t0.xy\ndcl_centroid t1.xy\ndcl_2d s0\ndcl_2d s1\ntexld r0, t0, s0\n"
	                         "texld r1, t1, s1\nmul r0, r0, r1\nmov oC0, r0\n");
	assert_int_equal(slots(&g), 4);
	assert_int_equal(g.plan->score.interpolators, 2);
}

#define INDEXED                                                                                                      \
	"vs_1_1\ndcl_position v0\ndcl_blendindices v1\ndcl_texcoord v2\nmov a0.x, v1.x\nm4x4 oPos, v0, c[a0.x + 4]\n"     \
	"mov oT0, v2\n"

/* Checks that c[a0.x + 4] may read any constant: the VP takes no FP constant, and the search ends at once. */
ARENA_TEST(what_no_vertex_program_computes_is_not_searched)
{
	struct planning g = given(state, "ps_2_0\ndcl t0.xy\ndcl_2d s0\nadd r1, c0, c1\nmul r1, r1, c2\nrsq r1.w, r1.w\n"
	                                 "mul r1, r1, r1.w\nmul r1, r1, c3\ntexld r0, t0, s0\nmul r0, r0, r1\nmov oC0, r0\n");
	g.vs = parse_one(g.arena, INDEXED);
	assert_int_equal(slots(&g), 8);
	assert_true(g.plan->result->optimal);
	assert_true(g.plan->result->nodes < 10);
}

/* Checks that the rsq of 0 stays, with the lanes that a staying instruction reads of it. */
ARENA_TEST(what_stays_for_one_lane_keeps_what_it_reads)
{
	struct planning g = given(state, "ps_2_0\ndcl t0\ndcl_2d s0\ndef c0, 0, 1, 2, 3\nrsq r1, c0.x\nmad r2, r1, c0, t0\n"
	                                 "m3x2 r3.xy, r1, c5\nmov r3.z, t0.x\nmad r2.xyz, r3, c4, r2\nmov oC0, r2\n");
	slots(&g);
	assert_true(emits(&g, "rsq"));
	assert_true(emits(&g, "m3x2"));
}

/* Checks a dependent read that no plan avoids: the first plan without other work is the best. */
ARENA_TEST(reads_that_no_plan_makes_independent_count)
{
	struct planning g = given(state, "ps_2_0\ndcl t0\ndcl_2d s0\nmul r0.xy, t0, t0.wzyx\nadd r1.xy, t0, c0\n"
	                                 "texld r0, r0, s0\ntexld r1, r1, s0\nadd r0, r0, r1\nmov oC0, r0\n");
	g.options.target = targets[TARGET_R300];
	assert_int_equal(slots(&g), 5);
	assert_true(g.plan->result->optimal);
	assert_true(g.plan->result->nodes < 10);
}
