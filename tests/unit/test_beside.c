/* Numbers made by the product beside them: the text written, equal by the proof; and cases left alone. */
#include "move/rules/rules.h"
#include "pairs.h"
#include "verify/verify.h"

static const char vp[] = "vs_1_1\ndcl_position v0\ndcl_texcoord v1\ndcl_texcoord1 v2\nmov oPos, v0\nmov oT0.xy, v1\nmov oT1, v2\n";
#define HEAD "ps_2_0\ndef c31, 0, 1, 2, -1\ndcl t0.xy\ndcl t1\ndcl_2d s0\ntexld r0, t0, s0\n"
#define END "mov oC0, r0\n"

/* Returns the instructions with numbers beside products, or "" if there are none.  Bit n of `textures`: the texels of s#n are finite. */
static const char *beside(struct arena *a, const char *body, unsigned textures)
{
	const struct program *vs = parse_one(a, vp);
	struct program *ps = parse_one(a, arena_printf(a, HEAD "%s" END, body));
	struct move_options o = move_options_default(VS_1_1, PS_2_0);
	o.finite_textures = textures;
	struct program *new = variant_written(a, variant_beside, vs, ps, &o);
	return new ? instrs_of(a, new) : "";
}

ARENA_TEST(numbers_are_made_by_products)
{
	static const char *const cases[][2] = {
		/* 0 beside a product, before or behind it */
		{"mul r0.xyz, r0, t1\nmov r0.w, c31.x\n", "mov r1.xyz, t1\nadd r1.w, c31.x, -c31.x\nmul r0, r0, r1\n"},
		{"texld r1, t0, s0\nmov r0.w, c31.x\nmul r0.xyz, t1, r1\n",
		 "texld r1, t0, s0\nmov r0.xyz, t1\nadd r0.w, c31.x, -c31.x\nmul r0, r0, r1\n"},
		/* another number is added */
		{"mul r0.xyz, r0, t1\nmov r0.w, c31.y\n",
		 "mov r1.xyz, t1\nadd r1.w, c31.y, -c31.y\nadd r2.xyz, c31.y, -c31.y\nmov r2.w, c31.y\nmad r0, r0, r1, r2\n"},
		/* beside a product plus numbers */
		{"mad r0.xyz, r0, t1, c31.z\nmov r0.w, c31.w\n",
		 "mov r1.xyz, t1\nadd r1.w, c31.w, -c31.w\nmov r2.xyz, c31.z\nmov r2.w, c31.w\nmad r0, r0, r1, r2\n"},
	};
	for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
		const char *got = beside(*state, cases[k][0], 1);
		if (!strstr(got, cases[k][1]))
			fail_msg("%s\nis\n%s\nnot\n%s", cases[k][0], got, cases[k][1]);
	}
}

ARENA_TEST(what_is_clamped_is_finite)
{
	assert_string_not_equal(beside(*state, "mul_sat r1, r0, r0\nmul r0.xyz, r1, t1\nmov r0.w, c31.x\n", 0), "");
}

ARENA_TEST(others_are_left_alone)
{
	static const char *const cases[] = {
		"mul r1, r0, r0\nmul r0.xyz, r1, t1\nmov r0.w, c31.x\n",        /* a product may overflow */
		"mul r0.xyz, r0, t1\nmov r0.w, c0.x\n",                         /* no number */
		"mul r0.xyz, r0, t1\nmov_sat r0.w, c31.x\n",                    /* other flags */
		"mad r0.xyz, r0, t1, r0\nmov r0.w, c31.x\n",                    /* the addend comes from no mov of a number */
		"mul r0.xyz, r0, t1\nadd r0.xyz, r0, r0.w\nmov r0.w, c31.x\n",  /* the lane is read between them */
		"mov r1.w, c31.y\nmul r1.xyz, r1.w, t1\nmov r0, r1\n",          /* the factor is the number itself */
		"mul r0.xyz, r0, r0.w\nmov r0.w, c31.x\n",                      /* the factor cannot move */
	};
	for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
		print_message("%s", cases[k]);
		assert_string_equal(beside(*state, cases[k], 1), "");
	}
	assert_string_equal(beside(*state, "mul r0.xyz, r0, t1\nmov r0.w, c31.x\n", 2), ""); /* texels of another sampler */
}
