/* Sums that float arithmetic rounds on purpose, and sums that only look like them. */
#include "texts.h"

#include "lang/rounding.h"

#define VP_HEAD "vs_1_1\ndef c90, 49152, -49152, 0, 0\ndcl_position v0\nmov oPos, v0\n"
#define FP_HEAD "ps_2_0\ndef c0, 12582912, 49152, 0.25, 1\ndef c1, 256, 65536, 0.00390625, 0\n" \
                "def c2, 512, -0.5, 0.001953125, 16777216\ndef c3, 255, 65025, 0.99609375, 1000\ndcl t0\ndcl_2d s0\n"

static bool rounds(struct texts *t, const char *vs, const char *ps)
{
	return rounding_any(read_good(t, arena_printf(&t->arena, VP_HEAD "%s", vs)),
	                    read_good(t, arena_printf(&t->arena, FP_HEAD "%smov oC0, r0\n", ps)));
}

TEXT_TEST(sums_that_round)
{
	static const char *const pixel[] = {
		"add r0, t0, c0.x\nsub r0, r0, c0.x\n",
		"mad r0, t0, c1.x, c0.x\nsub r0, r0, c0.x\nmul r0, r0, c1.z\n",
		"add r0, t0, c0.y\nsub r0, r0, c0.y\n",
		"mov r1, c0.x\nadd r0, t0, r1\nmul r0, r0, c0.z\nmad r0, -r1, c0.z, r0\n",
		"add r0, t0, c0.x\nmax r0, r0, c0.x\nsub r0, r0, c0.x\n", /* at least 0 */
		"add r0, t0, c0.x\nmax r0, r0, c1.w\nsub r0, r0, c0.x\n",
		"texld r0, t0, s0\nadd r0, r0, c1.y\nadd r0, r0, -c1.y\n",
		"mov r1, c0.y\nadd r1, r1, c0.z\nadd r0, t0, r1\nsub r0, r0, r1\n", /* a computed number is as large as a literal */
		"rcp r0, c2.x\nadd r0, r0, c0.y\nsub r0, r0, c0.y\n", /* 1 / 512 */
		"mov r1, c0.x\nmin r1, -r1, c1.x\nadd r0, t0, r1\nadd r0, r0, c0.x\n",
	};
	for (size_t k = 0; k < sizeof pixel / sizeof *pixel; k++)
		if (!rounds(*state, "mov oT0, v0\n", pixel[k]))
			fail_msg("%s", pixel[k]);
	assert_true(rounds(*state, "add r0, v0, c90.x\nadd oT0, r0, c90.y\n", "mov r0, t0\n"));
	assert_true(rounds(*state, "add oT0, v0, c90.x\n", "sub r0, t0, c0.y\n"));
}

/* Checks sums in common use: packed and unpacked depths, biases, texel centres, steps, choices. */
TEXT_TEST(sums_that_do_not)
{
	static const char *const pixel[] = {
		"mul r0.x, t0.x, c0.w\nmul r0.y, t0.x, c1.x\nmul r0.z, t0.x, c1.y\nmul r0.w, t0.x, c2.w\nfrc r0, r0\nmad r0, -r0.w, c1.z, r0\n",
		"mul r0.x, t0.x, c0.w\nmul r0.y, t0.x, c3.x\nmul r0.z, t0.x, c3.y\nmov r0.w, c0.w\nfrc r0, r0\nmad r0, -r0.w, c1.z, r0\n",
		"texld r0, t0, s0\nmul r1, c0.w, c3.z\ndp3 r0.x, r0, r1\nmad r0, r0.x, c3.w, -t0.z\n",
		"mad r0, t0, c2.x, c2.y\nfrc r1, r0\nsub r0, r0, r1\nmad r0, r0, c2.z, -c2.y\n",
		"mad r0, t0, c3.w, -c3.w\nadd r0, r0, c0.w\n",
		"mov r1, c0\ncmp r0, t0, c1.w, r1.w\nsub r0, r1.w, r0\n", /* 1 minus a value that is 0 or 1 */
		"mov r1, c0\ncmp r0, t0, -r1.w, r1.w\nadd r0, r0, r1.w\nmul r0, r0, c0.z\n",
		"mov r1, c0\nmax r0, t0, -r1.w\nadd r0, r0, c0.w\n",
		"mad r0, t0, c1.x, c3.x\nmul r0, r0, c1.z\n",
		"mov r1, c0.y\nadd r1, r1, c0.z\nsub r1, r1, c0.y\nadd r0, t0, r1\n", /* leaves 0.25 exactly */
		"frc r0, c3.z\nadd r0, r0, c0.y\nsub r0, r0, c0.y\n", /* exact for this number */
		"rcp r1, c1.z\nadd r0, t0, r1\nsub r0, r0, c0.w\n",
		"mov r1, c3\ncrs r0.xyz, t0, r1\nadd r0.xyz, r0, c0.y\nsub r0.xyz, r0, c0.y\nmov r0.w, t0.w\n",
		"abs r1, -c1.y\nmul r0, t0, r1\nadd r0, r0, c0.y\nsub r0, r0, c0.y\n",
	};
	for (size_t k = 0; k < sizeof pixel / sizeof *pixel; k++)
		if (rounds(*state, "mov oT0, v0\n", pixel[k]))
			fail_msg("%s", pixel[k]);
	assert_false(rounds(*state, "mul oT0, v0, c90.x\n", "sub r0, t0, c0.y\n"));
	assert_false(rounds(*state, "dst r0, v0, c90.y\nadd r0.y, r0.y, c90.x\nadd oT0, r0.y, c90.y\n", "mov r0, t0\n"));
	assert_false(rounds(*state, "mul oT0, v0, c90.x\n", "add r0, t0, c1.y\nsub r0, r0, c1.y\n"));
}

/* Checks that dst writes 1 to .x, also where only the FP has numbers, and that unread literals change nothing. */
TEXT_TEST(the_1_of_dst)
{
	struct texts *t = *state;
	static const char vs[] = "dcl_position v0\nmov oPos, v0\ndst oT0, v0, v0\n";
	const struct program *ps = read_good(t, FP_HEAD "mul r0, t0.x, c0.z\nsub r0, r0, c0.x\nabs r0, r0\nsub r0, r0, c0.x\nmov oC0, r0\n");
	assert_true(rounding_any(read_good(t, arena_printf(&t->arena, "vs_1_1\n%s", vs)), ps));
	assert_true(rounding_any(read_good(t, arena_printf(&t->arena, "vs_1_1\ndef c7, 0, 1, 2, 3\n%s", vs)), ps));
}
