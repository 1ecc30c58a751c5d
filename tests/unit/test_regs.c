/* Allocation of temporaries by webs and lanes, and dead code. */
#include "pairs.h"

#include "move/graph/registers.h"

#define PS "ps_2_b\ndef c30, -1.5500992e-006, -2.1701389e-005, 0.0026041667, 0.00026041668\n" \
	"def c31, -0.020833334, -0.125, 1, 0.5\ndcl t0\ndcl t1\ndcl_2d s0\n"
#define VS "vs_2_0\ndcl_position v0\n"

static struct program *program(void **state, const char *head, const char *instrs)
{
	struct text t = {.arena = *state};
	text_string(&t, head);
	text_string(&t, instrs);
	return parse_one(*state, t.at);
}

/* Checks the instructions with `limit` temporaries; want = NULL if they do not fit. */
static void expect_in(void **state, const char *head, const char *instrs, unsigned limit, const char *want)
{
	struct program *p = program(state, head, instrs);
	bool fits = regs_allocate(*state, p, limit);
	assert_int_equal(fits, want != NULL);
	assert_string_equal(instrs_of(*state, p), want ? want : instrs);
}

ARENA_TEST(numbers_stay_where_they_can)
{
	static const char text[] = "mov r3, t0\nmov r1, t1\nadd r3, r3, r1\nmov oC0, r3\n";
	expect_in(state, PS, text, 4, text);
	expect_in(state, PS, "mov r9, t0\nadd r9, r9, t1\nmov oC0, r9\n", 4,
	          "mov r0, t0\nadd r0, r0, t1\nmov oC0, r0\n");
}

ARENA_TEST(webs_are_apart)
{
	/* Two uses of r9, with r8 between them: one register each suffices. */
	expect_in(state, PS, "mov r9, t0\ntexld r8, r9, s0\nmov r9, t1\nadd r9, r9, r8\nmov oC0, r9\n", 2,
	          "mov r0, t0\ntexld r0, r0, s0\nmov r1, t1\nadd r0, r1, r0\nmov oC0, r0\n");
}

ARENA_TEST(lanes_share_a_register)
{
	expect_in(state, PS, "mov r20.xy, t0\nmov r21.zw, t1\nadd r22.y, r20.y, r21.z\nmul r22, r22.y, r20.x\nmov oC0, r22\n", 1,
	          "mov r0.xy, t0\nmov r0.zw, t1\nadd r0.y, r0.y, r0.z\nmul r0, r0.y, r0.x\nmov oC0, r0\n");
}

ARENA_TEST(reads_write_where_nobody_wrote)
{
	/* A second read into r0 would be a dependent one. */
	expect_in(state, PS, "texld r0, t0, s0\nmul r1, r0, c0\ntexld r0, t1, s0\nadd r1, r1, r0\nmov oC0, r1\n", 12,
	          "texld r0, t0, s0\nmul r1, r0, c0\ntexld r2, t1, s0\nadd r1, r1, r2\nmov oC0, r1\n");
	/* The numbers stay if no register is left, or if the read is dependent anyway. */
	static const char full[] = "texld r0, t0, s0\ntexld r1, t1, s0\nmul r1, r0, r1\ntexld r0, t0, s0\nadd r1, r1, r0\nmov oC0, r1\n";
	expect_in(state, PS, full, 2, full);
	static const char dependent[] = "texld r0, t0, s0\nadd r1, r0, t0\ntexld r0, r1, s0\nmov oC0, r0\n";
	expect_in(state, PS, dependent, 12, dependent);
}

ARENA_TEST(too_many_do_not_fit)
{
	static const char text[] = "mov r20, t0\nmov r21, t1\nadd r20, r20, r21\nmov oC0, r20\n";
	expect_in(state, PS, text, 1, NULL);
	expect_in(state, PS, text, 2, "mov r0, t0\nmov r1, t1\nadd r0, r0, r1\nmov oC0, r0\n");
}

ARENA_TEST(partly_written_registers_are_one_web)
{
	expect_in(state, PS, "mov r30.xy, t0\nmov r30.zw, t1\ntexld r31, r30, s0\nadd r31, r31, r30\nmov oC0, r31\n", 2,
	          "mov r0.xy, t0\nmov r0.zw, t1\ntexld r1, r0, s0\nadd r0, r1, r0\nmov oC0, r0\n");
}

/* Checks that the operand of an _abs lives until the reader that has the modifier. */
ARENA_TEST(modifiers_keep_their_register)
{
	static const char head[] = "ps_3_0\ndcl_texcoord v0\n", text[] = "mov r1, v0\nmov r0, c1\ncmp r0, -r1_abs, r0, c0\nmov oC0, r0\n";
	expect_in(state, head, text, 3, "mov r1, v0\nmov r0, c1\nabs r2, r1\ncmp r0, -r2, r0, c0\nmov oC0, r0\n");
	struct program *p = program(state, head, text);
	assert_false(regs_allocate(*state, p, 2));
}

ARENA_TEST(unwritten_lanes_pin_their_register)
{
	/* r5.zw is undefined: r5 stays r5 and is not shared. */
	expect_in(state, PS, "mov r5.xy, t0\nmov r20, t1\nadd r5, r5, r20\nmov oC0, r5\n", 6,
	          "mov r5.xy, t0\nmov r0, t1\nadd r5, r5, r0\nmov oC0, r5\n");
	/* The same holds for all such registers. */
	expect_in(state, PS, "mov r20, t0\nadd r20, r20, r0\nadd r20, r20, r1\nmov oC0, r20\n", 3,
	          "mov r2, t0\nadd r2, r2, r0\nadd r2, r2, r1\nmov oC0, r2\n");
	expect_in(state, PS, "mov r20.xy, t0\nmov oC0, r20\n", 12, NULL);
	expect_in(state, PS, "mov oC0, r20\n", 12, NULL);
}

ARENA_TEST(macros_write_elsewhere)
{
	expect_in(state, PS, "mov r20, t0\nnrm r21.xyz, r20\ntexld r21, r21, s0\nmov oC0, r21\n", 12,
	          "mov r0, t0\nnrm r1.xyz, r0\ntexld r0, r1, s0\nmov oC0, r0\n");
	expect_in(state, PS, "mov r20, t0\nmov r21, t1\ncrs r22.xyz, r20, r21\ntexld r22, r22, s0\nmov oC0, r22\n", 12,
	          "mov r0, t0\nmov r1, t1\ncrs r2.xyz, r0, r1\ntexld r0, r2, s0\nmov oC0, r0\n");
	expect_in(state, PS, "mov r20, t0\nm3x2 r21.xy, r20, c0\ntexld r21, r21, s0\nmov oC0, r21\n", 12,
	          "mov r0, t0\nm3x2 r1.xy, r0, c0\ntexld r0, r1, s0\nmov oC0, r0\n");
	expect_in(state, PS, "mov r20, t0\nsincos r21.xy, r20.x, c30, c31\ntexld r21, r21, s0\nmov oC0, r21\n", 12,
	          "mov r0, t0\nsincos r1.xy, r0.x, c30, c31\ntexld r0, r1, s0\nmov oC0, r0\n");
	expect_in(state, PS, "mov r20, t0\npow r21.x, r20.x, r20.y\nmov oC0, r21.x\n", 1, NULL);
}

ARENA_TEST(matrices_keep_their_rows_together)
{
	expect_in(state, VS, "mov r3, v0\nmov r4, v0\nmov r5, v0\nm3x3 r6.xyz, v0, r3\nmov oPos, r6\n", 12,
	          "mov r3, v0\nmov r4, v0\nmov r5, v0\nm3x3 r6.xyz, v0, r3\nmov oPos, r6\n");
}

/* --- dead code ----------------------------------------------------------------------- */

static void expect_left(void **state, const char *head, const char *instrs, const char *want)
{
	struct program *p = program(state, head, instrs);
	bool changed = regs_remove_dead(*state, p);
	assert_string_equal(instrs_of(*state, p), want);
	assert_int_equal(changed, strcmp(instrs, want) != 0);
	assert_false(regs_remove_dead(*state, p));
}

ARENA_TEST(what_no_output_needs_goes)
{
	expect_left(state, PS, "mov r0, t0\nadd r1, r0, t1\nmov r2, r1\nmov oC0, r0\n", "mov r0, t0\nmov oC0, r0\n");
	expect_left(state, PS, "mov r0, t0\nnop\nmov r0, t1\nmov oC0, r0\n", "mov r0, t1\nmov oC0, r0\n");
	expect_left(state, PS, "texld r0, t0, s0\nmov r1, t0\ntexkill r1\nmov r1, t1\nmov oC0, r1\n",
	            "mov r1, t0\ntexkill r1\nmov r1, t1\nmov oC0, r1\n");
}

ARENA_TEST(masks_shrink)
{
	expect_left(state, PS, "add r0, t0, c0\ntexld r0, r0, s0\nmov oC0, r0\n",
	            "add r0.xy, t0, c0\ntexld r0, r0, s0\nmov oC0, r0\n");
	expect_left(state, PS, "mov r0, t0\nmov r0.xw, t1\nmov oC0, r0\n", "mov r0.yz, t0\nmov r0.xw, t1\nmov oC0, r0\n");
	expect_left(state, PS, "nrm r0.xyz, t0\nmov oC0, r0.x\n", "nrm r0.xyz, t0\nmov oC0, r0.x\n");
	expect_left(state, PS, "texld r0, t0, s0\nmov oC0, r0.x\n", "texld r0, t0, s0\nmov oC0, r0.x\n");
}

ARENA_TEST(addresses_that_are_read_stay)
{
	expect_left(state, VS, "mova a0.x, v0.x\nmov oPos, c[a0.x + 3]\n", "mova a0.x, v0.x\nmov oPos, c[a0.x + 3]\n");
	expect_left(state, VS, "mova a0.x, v0.x\nmov oPos, c3\n", "mov oPos, c3\n");
}

ARENA_TEST(rows_in_temporaries_are_read)
{
	static const char text[] = "mov r3.xyz, v0\nmov r4.xyz, v0\nmov r5.xyz, v0\nm3x3 r6.xyz, v0, r3\nmov r6.w, v0.w\nmov oPos, r6\n";
	expect_left(state, VS, text, text);
}
