/* Programs whose best plan follows from an argument, written in several ways: n-tap filters, neighbours, a constant vector; and every
 * budget at its limit, with just enough and one too few. */
#include "pairs.h"

#include "move/optimise.h"
#include "verify/verify.h"

#define QUAD "vs_1_1\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nmov oT0, v1\n"

struct planning {
	struct arena *arena;
	const struct program *vs, *ps;
	struct move_options options;
};

static struct planning given(void **state, const char *ps)
{
	struct planning g = {.arena = *state, .vs = parse_one(*state, QUAD), .ps = parse_one(*state, ps)};
	g.options = move_options_default(VS_1_1, PS_2_0);
	g.options.level = 2;
	return g;
}

/* Returns the whole mover's result, proved. */
static struct move_result *moved(struct planning *g)
{
	struct move_result *r = move_plan(g->arena, g->vs, g->ps, &g->options);
	struct proof proof = prove(g->arena, (struct pair){g->vs, g->ps}, (struct pair){r->vs, r->ps},
	                           &(struct proof_context){.plain_textures = UINT_MAX, .consts = r->consts.at, .nconsts = r->consts.n,
	                                                   .folds = r->folds.at, .nfolds = r->folds.n,
	                                                   .free_ties = g->options.free_ties});
	assert_true(proof.equal);
	return r;
}

static unsigned slots(struct planning *g)
{
	return program_total_slots(moved(g)->ps);
}

/* ---- n-tap filters ------------------------------------------------------------------ */

/* Writes the address of tap k of n into r1.xy, in one of several ways; the step is c30.xy. */
static void tap_address(struct text *t, unsigned way, unsigned k, unsigned n)
{
	switch (way) {
	case 0: /* an offset of its own for each tap */
		text_printf(t, "add r1.xy, t0, c%u\n", k);
		break;
	case 1: /* lane by lane, by a product */
		text_printf(t, "mul r1.x, c30.x, c%u.z\nadd r1.x, r1.x, t0.x\nmul r1.y, c30.y, c%u.z\nadd r1.y, r1.y, t0.y\n", k, k);
		break;
	case 2: /* a chain from the tap before */
		text_printf(t, "add r2.xy, %s, c30\nmov r1.xy, r2\n", k ? "r2" : "t0");
		break;
	default: /* in one instruction, with the step negated for the first half */
		text_printf(t, "mov r11.xy, %sc30\nmad r1.xy, r11, c%u.z, t0\n", k < n / 2 ? "-" : "", k);
		break;
	}
}

ARENA_TEST(filters_need_no_address)
{
	for (unsigned way = 0; way < 4; way++) {
		for (unsigned n = 2; n <= 13; n++) {
			struct text t = {.arena = *state};
			text_string(&t, "ps_2_0\ndcl t0.xy\ndcl_2d s0\n");
			for (unsigned k = 0; k < n; k++) {
				tap_address(&t, way, k, n);
				unsigned to = 3 + k % 8; /* one register for all would make the reads depend on each other */
				text_printf(&t, "texld r%u, r1, s0\n%s r0, r%u, c%u.w%s\n", to, k ? "mad" : "mul", to, k, k ? ", r0" : "");
			}
			text_string(&t, "mov oC0, r0\n");
			struct planning g = given(state, t.at);
			/* n reads, n multiply-adds, the output, and an instruction for each address beyond eight registers. */
			unsigned most = n + n + 1 + (n > 8 ? n - 8 : 0), found = slots(&g);
			assert_in_range(found, n + n + 1, most);
			if (n <= 8)
				assert_int_equal(found, most);
		}
	}
}

/* ---- neighbours --------------------------------------------------------------------- */

ARENA_TEST(nine_neighbours_cost_one_more_instruction)
{
	struct text t = {.arena = *state};
	text_string(&t, "ps_2_0\ndcl t0.xy\ndcl_2d s0\n");
	for (unsigned k = 0; k < 9; k++)
		text_printf(&t, "add r1.x, t0.x, c%u.x\nadd r1.y, t0.y, c%u.y\ntexld r1, r1, s0\n%s r0, r1, c%u.w%s\n", k % 3, k / 3,
		            k ? "mad" : "mul", k, k ? ", r0" : "");
	text_string(&t, "mov oC0, r0\n");
	struct planning g = given(state, t.at);
	assert_int_equal(slots(&g), 9 + 9 + 1 + 1);
}

ARENA_TEST(four_neighbours_cost_nothing)
{
	struct planning g = given(state,
	                          "ps_2_0\ndcl t0.xy\ndcl_2d s0\nadd r0.x, t0, c0\nmov r0.y, t0\nadd r1.x, t0, -c0\nmov r1.y, t0\n"
	                          "mov r2.x, t0\nadd r2.y, t0, c0\nmov r3.x, t0\nadd r3.y, t0, -c0\ntexld r0, r0, s0\n"
	                          "texld r1, r1, s0\ntexld r2, r2, s0\ntexld r3, r3, s0\nadd r0, r0, r1\nadd r2, r2, r3\n"
	                          "add r0, r0, r2\nmov oC0, r0\n");
	assert_int_equal(program_total_slots(g.ps), 16);
	assert_int_equal(slots(&g), 8);
}

ARENA_TEST(a_constant_vector_is_normalised_once)
{
	static const char *const ways[] = {
		"dp3 r1.w, c0, c0\nrsq r1.w, r1.w\nmul r1.xyz, c0, r1.w\n",
		"mul r2.xyz, c0, c0\nadd r2.x, r2.x, r2.y\nadd r2.x, r2.x, r2.z\nrsq r2.x, r2.x\nmul r1.xyz, c0, r2.x\n",
		"mov r2.xyz, c0\nnrm r1.xyz, r2\n",
	};
	for (unsigned way = 0; way < sizeof ways / sizeof *ways; way++) {
		struct text t = {.arena = *state};
		text_printf(&t, "ps_2_0\ndcl t0.xyz\ndcl t1.xy\ndcl_2d s0\n%stexld r0, t1, s0\ndp3 r2.xyz, r0, r1\nmul r0.xyz, r0, r2\nmov oC0, r0\n", ways[way]);
		struct planning g = given(state, t.at);
		g.vs = parse_one(*state, "vs_1_1\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nmov oT0.xyz, v0\nmov oT1.xy, v1\n");
		assert_int_equal(slots(&g), 4);
	}
}

/* ---- budgets at their edge ------------------------------------------------------------- */

#define TWO_SUMS                                                                                          \
	"ps_2_0\ndcl t0.xy\ndcl_2d s0\nadd r0.xy, t0, c0\nadd r1.xy, t0, c1\ntexld r0, r0, s0\ntexld r1, r1, s0\n" \
	"add r0, r0, r1\nmov oC0, r0\n"

ARENA_TEST(interpolators_at_their_edge)
{
	struct planning g = given(state, TWO_SUMS);
	g.options.budget.texcoords = 2;
	assert_int_equal(slots(&g), 4);
	g.options.budget.texcoords = 1;
	assert_int_equal(slots(&g), 5);
}

ARENA_TEST(vertex_slots_at_their_edge)
{
	struct planning g = given(state, TWO_SUMS);
	unsigned least = program_total_slots(moved(&g)->vs);
	g.options.budget.vs_slots = least;
	assert_int_equal(slots(&g), 4);
	g.options.budget.vs_slots = least - 1;
	assert_true(slots(&g) > 4);
	assert_in_range(program_total_slots(moved(&g)->vs), 1, least - 1);
}

ARENA_TEST(vertex_constants_at_their_edge)
{
	struct planning g = given(state, TWO_SUMS);
	g.options.budget.vs_consts_given = true;
	g.options.budget.vs_consts = (struct range){10, 11};
	struct move_result *r = moved(&g);
	assert_int_equal(program_total_slots(r->ps), 4);
	assert_int_equal(r->consts.n, 2);
	g.options.budget.vs_consts = (struct range){10, 10};
	r = moved(&g);
	assert_int_equal(program_total_slots(r->ps), 5);
	assert_in_range(r->consts.n, 0, 1);
}

ARENA_TEST(vertex_temporaries_at_their_edge)
{
	/* Two constants in one sum need two ports, so that one goes through a temporary. */
	struct planning g = given(state, "ps_2_0\ndcl t0.xy\ndcl_2d s0\nmov r0, c1\nmad r0.xy, t0, c0, r0\ntexld r0, r0, s0\nmov oC0, r0\n");
	g.options.budget.vs_temps = 1;
	assert_int_equal(slots(&g), 2);
	g.options.budget.vs_temps = 0;
	assert_true(slots(&g) > 2);
}

ARENA_TEST(pixel_slots_at_their_edge)
{
	struct planning g = given(state, TWO_SUMS);
	g.options.budget.ps_arith = 2;
	g.options.budget.ps_tex = 2;
	assert_int_equal(slots(&g), 4);
	g.options.budget.ps_arith = 1;
	assert_true(program_slots(moved(&g)->ps).arith > 1); /* the caller refuses this result */
}

ARENA_TEST(stops_after_so_many_moves)
{
	struct planning g = given(state, TWO_SUMS);
	g.options.max_moves = 1;
	struct move_result *r = moved(&g);
	assert_in_range(r->moved, 0, 1);
}

/* ---- partial precision -------------------------------------------------------------------- */

ARENA_TEST(partial_precision_inputs_keep_their_registers)
{
	struct planning g = given(state, "ps_2_0\ndcl_pp t0.xy\ndcl_2d s0\nadd_pp r0.xy, t0, c0\nadd r1.xy, t0, t0\ntexld_pp r0, r0, s0\n"
	                                 "texld r1, r1, s0\nadd_pp r0, r0, r1\nmov_pp oC0, r0\n");
	struct move_result *r = moved(&g);
	assert_int_equal(program_total_slots(r->ps), 4);
	for (uint32_t k = 0; k < r->ps->decls.n; k++)
		if (r->ps->decls.at[k].kind == DECL_PIXEL_INPUT)
			assert_true(r->ps->decls.at[k].flags & INSTR_PP);
}

/* Checks that a VP that addresses its constants has none to spare, and that the planner knows so before it tries everything. */
ARENA_TEST(no_constants_to_spare)
{
	struct planning g = given(state, "ps_2_0\ndef c2, 0.5, 0, 0, 0\ndcl t0.xy\ndcl t1.x\ndcl_2d s0\ndcl_2d s1\n"
	                                 "mov r1.x, c1.z\nmov r1.y, c1.w\nmad r0.xy, t0, c1, r1\ntexld r0, r0, s0\n"
	                                 "mad r1.x, t1.x, c2.x, c2.x\nmov r1.y, c2.x\ntexld r1, r1, s1\n"
	                                 "mul r0.xyz, r0, r1\nmul r0, r0, c0\nmov oC0, r0\n");
	g.vs = parse_one(*state, "vs_1_1\ndef c8, 1, 0, 0, 0\ndcl_position v0\ndcl_blendindices v2\ndcl_normal v3\ndcl_texcoord v4\n"
	                         "mov a0.x, v2.x\nm4x4 oPos, v0, c[a0.x + 20]\ndp3 r2.x, v3, c5\nmax oT1.x, r2.x, c8.y\nmov oT0.xy, v4\n");
	g.options.free_ties = true;
	struct move_result *r = moved(&g);
	assert_true(r->optimal);
	assert_int_equal(program_total_slots(r->ps), 8); /* 10 are planned, and two movs are tidied away */
}
