/* C1 to C4: one verdict for each FP instruction, with its reason. */
#include "pairs.h"

#include "move/paper/paper.h"

#define VERTEX "vs_1_1\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nmov oT0, v1\nmov oT1.xy, v1\nmov oD0, v1\n"
#define VERTEX_2 "vs_2_0\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nmov oT0, v1\n"
#define PS "ps_2_0\ndcl t0\ndcl t1\ndcl v0\ndcl_2d s0\n"

struct judged {
	struct paper_conditions found;
	struct program *ps;
};

static struct judged judge(void **state, const char *vs_text, const char *ps_text, struct move_options *options)
{
	struct program *vs = parse_one(*state, vs_text), *ps = parse_one(*state, ps_text);
	struct move_options standard = move_options_default(vs->model, ps->model);
	if (options) {
		standard.drop_in = options->drop_in;
		standard.colour_inputs = options->colour_inputs;
	}
	return (struct judged){paper_find_conditions(*state, flow_find(*state, vs), flow_find(*state, ps), &standard), ps};
}

/* Returns the verdict of the last instruction of `body`. */
static enum verdict last_verdict(void **state, const char *vs, const char *body)
{
	struct judged j = judge(state, vs, arena_printf(*state, PS "%s\n", body), NULL);
	return (enum verdict)j.found.fates[j.ps->instrs.n - 1].verdict;
}

ARENA_TEST(verdicts_say_what_rule_they_are)
{
	for (int v = 0; v < VERDICTS; v++) {
		assert_non_null(verdicts[v].rule);
		assert_true(strlen(verdicts[v].why) > 10);
	}
	assert_string_equal(verdicts[MOVE_NOT_A3].rule, "C3");
}

ARENA_TEST(c1_opcodes_the_vp_has_not)
{
	assert_int_equal(last_verdict(state, VERTEX, "texld r0, t0, s0"), MOVE_OPCODE);
	assert_int_equal(last_verdict(state, VERTEX, "texldb r0, t0, s0"), MOVE_OPCODE);
	assert_int_equal(last_verdict(state, VERTEX, "texldp r0, t0, s0"), MOVE_OPCODE);
	assert_int_equal(last_verdict(state, VERTEX, "texkill t0"), MOVE_OPCODE);
	assert_int_equal(last_verdict(state, VERTEX, "cmp r0, c0, c0, c0"), MOVE_OPCODE);
	assert_int_equal(last_verdict(state, VERTEX, "dp2add r0, c0, c0, c0.x"), MOVE_OPCODE);
	assert_int_equal(last_verdict(state, VERTEX, "abs r0, c0"), MOVE_OPCODE);
	assert_int_equal(last_verdict(state, VERTEX, "lrp r0, c0, c0, c0"), MOVE_OPCODE);
	assert_int_equal(last_verdict(state, VERTEX, "nrm r0, c0"), MOVE_OPCODE);
	assert_int_equal(last_verdict(state, VERTEX, "pow r0, c0.x, c0.y"), MOVE_OPCODE);
}

ARENA_TEST(vs_2_0_has_more_opcodes)
{
	assert_int_equal(last_verdict(state, VERTEX_2, "abs r0, c0"), MOVE_MOVED);
	assert_int_equal(last_verdict(state, VERTEX_2, "lrp r0, c0, c0, c0"), MOVE_MOVED);
	assert_int_equal(last_verdict(state, VERTEX_2, "nrm r0, c0"), MOVE_MOVED);
	assert_int_equal(last_verdict(state, VERTEX_2, "pow r0, c0.x, c0.y"), MOVE_MOVED);
	assert_int_equal(last_verdict(state, VERTEX_2, "cmp r0, c0, c0, c0"), MOVE_OPCODE);
	assert_int_equal(last_verdict(state, VERTEX_2, "frc r0.xw, c0"), MOVE_MOVED);
}

ARENA_TEST(c1_saturation_and_masks)
{
	assert_int_equal(last_verdict(state, VERTEX, "mov_sat r0, t0"), MOVE_MODIFIER);
	assert_int_equal(last_verdict(state, VERTEX, "add_sat r0, c0, c0"), MOVE_MODIFIER);
	assert_int_equal(last_verdict(state, VERTEX, "mov_pp r0, t0"), MOVE_MOVED);
	assert_int_equal(last_verdict(state, VERTEX, "frc r0.xy, c0"), MOVE_MOVED);
	assert_int_equal(last_verdict(state, VERTEX, "frc r0.y, c0"), MOVE_MOVED);
	assert_int_equal(last_verdict(state, VERTEX, "frc r0.x, c0"), MOVE_MASK);
	assert_int_equal(last_verdict(state, VERTEX, "frc r0, c0"), MOVE_MASK);
}

ARENA_TEST(c2_registers_the_vp_has_not)
{
	assert_int_equal(last_verdict(state, VERTEX, "mov oC0, t0"), MOVE_OUTPUT);
	assert_int_equal(last_verdict(state, VERTEX, "mov oDepth, t0.x"), MOVE_OUTPUT);
}

ARENA_TEST(c3_copies_and_added_constants_move)
{
	static const char *const moved[] = {
		"mov r0, t0", "mov r0.x, t0.w", "add r0, t0, c0", "add r0, c0, t0", "add r0, t0, -c0",
		"add r0, -c0, t0", "sub r0, t0, c0", "sub r0, t0, -c0",
		"mul r1, c0, c0\nadd r0, t0, r1", "add r1, t0, c0\nadd r0, r1, -c0.x", "mov r1, t0\nsub r0.x, r1.y, c0",
		"mad r0, c0, c0, t0", /* the addend is made of constants alone */
		/* lanes of one instruction may be of different classes */
		"mov r1.x, t0\nmov r1.y, c0\nadd r0.xy, r1, c0",
	};
	for (size_t k = 0; k < sizeof moved / sizeof *moved; k++)
		assert_int_equal(last_verdict(state, VERTEX, moved[k]), MOVE_MOVED);
}

ARENA_TEST(c3_linear_but_not_a3_stays)
{
	static const char *const kept[] = {
		"mov r0, -t0", "add r0, -t0, c0", "sub r0, c0, t0", "add r0, t0, t0", "sub r0, t0, t0", "mul r0, t0, c0",
		"mul r0, c0, t0", "mad r0, t0, c0, c0", "mad r0, c0, c0, -t0", "dp3 r0, t0, c0", "dp4 r0.x, c0, t0",
		"m3x3 r0.xyz, t0, c0", "sub r0, -t0, c0",
	};
	for (size_t k = 0; k < sizeof kept / sizeof *kept; k++)
		assert_int_equal(last_verdict(state, VERTEX, kept[k]), MOVE_NOT_A3);
	assert_int_equal(last_verdict(state, VERTEX_2, "lrp r0, c0, t0, t0"), MOVE_NOT_A3);
	assert_int_equal(last_verdict(state, VERTEX_2, "lrp r0, t0, c0, c0"), MOVE_NOT_A3);
	assert_int_equal(last_verdict(state, VERTEX_2, "mov r1, t0\ncrs r0.xyz, r1, c0"), MOVE_NOT_A3);
}

ARENA_TEST(c3_what_no_float_holds_stays)
{
	static const char *const kept[] = {"rcp r0.x, c9.x", "rsq r0.x, -c9.x", "log r0.x, c9.x", "exp r0.x, c9.y", "mul r0, c9.z, c9.z",
	                                   "mul r1, c9.z, c9.z\nmul r0, r1, c9.x"};
	for (size_t k = 0; k < sizeof kept / sizeof *kept; k++) {
		bool const goes_on = strchr(kept[k], '\n') != NULL;
		const char *body = arena_printf(*state, "def c9, 0, 200, 1e30, 1\n%s", kept[k]);
		assert_int_equal(last_verdict(state, VERTEX, body), goes_on ? MOVE_DEPENDS : MOVE_NO_FLOAT);
	}
	assert_int_equal(last_verdict(state, VERTEX, "def c9, 0, 200, 1e30, 1\nrcp r0.x, c9.z"), MOVE_MOVED);
}

ARENA_TEST(c3_nonlinear_stays)
{
	static const char *const kept[] = {
		"mul r0, t0, t0", "mad r0, t0, t0, c0", "dp3 r0.x, t0, t0", "rcp r0.x, t0.x", "max r0, t0, c0",
		"min r0, c0, t0", "frc r0.xy, t0", "rsq r0.x, t0.x", "exp r0.x, t0.x",
	};
	for (size_t k = 0; k < sizeof kept / sizeof *kept; k++)
		assert_int_equal(last_verdict(state, VERTEX, kept[k]), MOVE_NONLINEAR);
	assert_int_equal(last_verdict(state, VERTEX_2, "lrp r0, t0, t0, c0"), MOVE_NONLINEAR);
	assert_int_equal(last_verdict(state, VERTEX_2, "nrm r0, t0"), MOVE_NONLINEAR);
}

ARENA_TEST(c3_anything_of_constants_moves)
{
	static const char *const moved[] = {
		"mul r0, c0, c0", "rcp r0.x, c0.y", "rsq r0, c0.x", "max r0, c0, -c0", "dp4 r0, c0, c0", "exp r0.x, c0.x",
		"log r0.x, c0.x", "m4x4 r0, c0, c4", "mad r0, c0, c0, c0", "m3x2 r0.xy, c0, c4", "nop",
	};
	for (size_t k = 0; k < sizeof moved / sizeof *moved; k++)
		assert_int_equal(last_verdict(state, VERTEX, moved[k]), MOVE_MOVED);
}

ARENA_TEST(c4_follows_the_definitions_that_reach)
{
	struct judged j = judge(state, VERTEX,
	                        PS "texld r0, t0, s0\n"    /* 0 C1 */
	                           "mul r1, r0, c0\n"      /* 1 C4 because of 0 */
	                           "mov r0.x, t0\n"        /* 2 moves */
	                           "add r2.x, r0, c0\n"    /* 3 moves: reads 2 */
	                           "add r2.y, r0, c0\n"    /* 4 C4 because of 0 */
	                           "add r3.xy, r2, c0\n"   /* 5 C4 because of 4 */
	                           "mov oC0, r1\n", NULL);
	const struct fate *f = j.found.fates;
	assert_int_equal(f[1].verdict, MOVE_DEPENDS);
	assert_int_equal(f[1].because, 0);
	assert_int_equal(f[2].verdict, MOVE_MOVED);
	assert_int_equal(f[2].because, UINT32_MAX);
	assert_int_equal(f[3].verdict, MOVE_MOVED);
	assert_int_equal(f[4].verdict, MOVE_DEPENDS);
	assert_int_equal(f[5].verdict, MOVE_DEPENDS);
	assert_int_equal(f[5].because, 4);
	assert_int_equal(f[5].lane[LANE_X], MOVE_WHOLE);
	assert_int_equal(f[5].lane[LANE_Y], MOVE_DEPENDS);
	assert_int_equal(f[6].verdict, MOVE_OUTPUT);
}

ARENA_TEST(c4_lanes_nobody_wrote)
{
	assert_int_equal(last_verdict(state, VERTEX, "mov r1.x, t0\nadd r0, r1, c0"), MOVE_UNDEFINED);
	assert_int_equal(last_verdict(state, VERTEX, "mov r0.z, t1"), MOVE_UNDEFINED);
	assert_int_equal(last_verdict(state, VERTEX, "mov r0.xy, t1"), MOVE_MOVED);
	assert_int_equal(last_verdict(state, VERTEX_2, "mov r0.x, t1"), MOVE_UNDEFINED);
}

ARENA_TEST(colours_move_only_when_asked_for)
{
	struct move_options on = {.colour_inputs = true};
	const char *ps = PS "add r0, v0, c0\nmov r1, r0\nmov oC0, r1\n";
	struct judged j = judge(state, VERTEX, ps, NULL);
	assert_int_equal(j.found.fates[0].verdict, MOVE_COLOUR);
	assert_int_equal(j.found.fates[1].verdict, MOVE_DEPENDS);
	j = judge(state, VERTEX, ps, &on);
	assert_int_equal(j.found.fates[0].verdict, MOVE_MOVED);
	assert_int_equal(j.found.values[0][0].kind, INSTR_CENTROID);
	j = judge(state, VERTEX_2, ps, &on);
	assert_int_equal(j.found.fates[0].verdict, MOVE_UNDEFINED);
}

ARENA_TEST(kinds_come_from_the_declaration)
{
	struct judged j = judge(state, VERTEX,
	                        "ps_2_0\ndcl_pp t0\ndcl_centroid t1.xy\n"
	                        "mov r0, t0\nadd r1.xy, t1, c0\nmov r2, c0\nmov oC0, r0\n", NULL);
	assert_int_equal(j.found.values[0][0].what, PAPER_INPUT);
	assert_int_equal(j.found.values[0][0].kind, INSTR_PP);
	assert_int_equal(j.found.values[1][1].kind, INSTR_CENTROID);
	assert_int_equal(j.found.values[2][0].what, PAPER_CONST);
	assert_int_equal(j.found.values[3][0].what, PAPER_PIXEL);
}

ARENA_TEST(drop_in_takes_no_constant_from_the_application)
{
	struct move_options on = {.drop_in = true};
	struct judged j = judge(state, VERTEX,
	                        PS "def c1, 1, 2, 3, 4\nadd r0, t0, c0\nadd r1, t0, c1\nmov r2, r0\nmov oC0, r0\n", &on);
	assert_int_equal(j.found.fates[0].verdict, MOVE_DROP_IN);
	assert_int_equal(j.found.fates[1].verdict, MOVE_MOVED);
	assert_int_equal(j.found.fates[2].verdict, MOVE_DEPENDS);
}

ARENA_TEST(a_sgn_that_spoils_its_operand_is_not_copied)
{
	static const char vs[] = "vs_2_0\ndcl_position v0\nmov oPos, v0\nmov r0, v0\nsgn oT0, r0, r0, r1\nsgn oT1, r2, r0, r1\n";
	assert_int_equal(last_verdict(state, vs, "mov r0, t0"), MOVE_UNDEFINED);
	assert_int_equal(last_verdict(state, vs, "mov r0, t1"), MOVE_MOVED);
}
