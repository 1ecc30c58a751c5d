/* Decisions: a direct texkill or cmp in place of one by a choice of numbers, equal by the proof; and cases left alone. */
#include "move/rules/decide.h"
#include "pairs.h"
#include "verify/verify.h"

static const char vp[] = "vs_1_1\ndcl_position v0\ndcl_texcoord v1\ndcl_texcoord1 v2\nmov oPos, v0\nmov oT0, v1\nmov oT1, v2\n";
#define HEAD "ps_2_0\ndef c1, 0, 1, -1, 0.5\ndef c2, 2, -2, 0.3, 0\ndcl t0\ndcl t1\ndcl_2d s0\ntexld r0, t0, s0\nadd r1, r0, -c0.x\n"
#define END "mov oC0, r0\n"

/* Returns the instructions between HEAD and END, or NULL if nothing changed. */
static const char *decided(struct arena *a, const char *body)
{
	const struct program *vs = parse_one(a, vp), *ps = parse_one(a, arena_printf(a, HEAD "%s" END, body));
	struct program *new = program_copy(a, ps);
	if (!decide_directly(a, new, NULL, 12))
		return NULL;
	assert_true(prove(a, (struct pair){vs, ps}, (struct pair){vs, new}, &(struct proof_context){.plain_textures = UINT_MAX}).equal);
	struct program *head = program_copy(a, new);
	assert_true(new->instrs.n >= 2);
	head->instrs.n = 0;
	for (uint32_t k = 0; k + 1 < new->instrs.n; k++)
		if (new->instrs.at[k].op != OP_TEXLD && new->instrs.at[k].op != OP_ADD)
			head->instrs.at[head->instrs.n++] = new->instrs.at[k];
	return instrs_of(a, head);
}

/* The remaining instructions, without add and texld. */
static const char *const cases[][2] = {
	{"cmp r2, r1.x, c1.x, c1.y\nmov r2, -r2\ntexkill r2\n", "mov r1, r1.x\ntexkill r1\n"},
	{"cmp r2, r1, c1.x, c1.y\nmov r2, -r2\ntexkill r2\n", "texkill r1\n"},
	{"cmp r2, r1.x, c1.x, c1.z\ntexkill r2\n", "mov r1, r1.x\ntexkill r1\n"},
	{"cmp r2, -r1.x, c1.y, c1.z\ntexkill r2\n", "mov r1, -r1.x\ntexkill r1\n"},
	{"cmp r1.x, r1.x, c1.x, c1.y\nmov r2, -r1.x\ntexkill r2\n", "mov r1, r1.x\ntexkill r1\n"},
	{"cmp r2.x, r1.x, c1.y, c1.x\nadd r2, r2.x, -c1.w\ntexkill r2\n", "mov r1, r1.x\ntexkill r1\n"},
	{"cmp r2.x, r1.x, c2.z, -c2.z\nmul r2, r2.x, c2.x\ntexkill r2\n", "mov r1, r1.x\ntexkill r1\n"},
	{"mov_sat r2, r1\ntexkill r2\n", ""},
	/* cmp */
	{"cmp r2.x, r1.x, c1.x, c1.y\nabs r2.x, r2.x\ncmp r0, -r2.x, r0, t1\n", "cmp r0, r1.x, r0, t1\n"},
	{"cmp r2.x, r1.x, c1.y, c1.x\ncmp r0, -r2.x, r0, t1\n", "cmp r0, r1.x, t1, r0\n"},
	{"cmp r1.x, r1.x, c1.y, c1.x\ncmp r0, -r1.x, r0, t1\n", "mov r1, r1.x\ncmp r0, r1, t1, r0\n"},
	{"cmp r2, r1.x, t1, t1\nmul r0, r0, r2\n", "mov r2, t1\nmul r0, r0, r2\n"},
	{"cmp r0, c1.y, r1, t1\n", "mov r0, r1\n"},
};

static const char *const left_alone[] = {
	"texkill r1\n",
	"mov r2, r1.x\ntexkill r2\n",
	"min r2, r1, c1.y\ntexkill r2\n", "mul r2, r1, c2.x\ntexkill r2\n",           /* a minimum, and a product */
	"max r2, r1.x, r1.y\ntexkill r2\n",                                          /* kills only where both are below 0 */
	"cmp r2.xy, r1, c1.x, c1.y\nmul r2, r2.x, -r2.y\ntexkill r2\n",
	"cmp r2.xy, r1, c1.x, c1.y\nadd r2, -r2.x, -r2.y\ntexkill r2\n",          /* two conditions in one number */
	"cmp r2, r1.x, c1.z, c1.x\ntexkill r2\n",                                     /* kills where it is not below 0 */
	"cmp r2, r1.x, c3.x, c3.y\ntexkill r2\n",                                     /* by constants of the application */
	"mul r2, r1, c1.w\ntexkill r2\n",                                             /* may become 0 */
	"add r2, r1, c1.y\ntexkill r2\n",
	"cmp r2.xyz, r1, c1.x, c1.z\nmov r2.w, r1.w\ncmp r3, r1.wzyx, c1.x, c1.z\nmov r2.x, r3.y\ntexkill r2\nmul r0, r3, r2\n",
	"cmp r2.x, r1.x, c1.x, c1.y\ncmp r3.x, r1.y, c1.x, c1.y\nadd r2.x, r2.x, r3.x\ncmp r0, -r2.x, r0, t1\n", /* two conditions */
	"dp3 r2.x, r0, r1\nabs r2.x, r2.x\nmul r0, r0, r2.x\n",
	"cmp r2.x, r1.x, c1.x, c1.y\nmul r0, r0, r2.x\n",
};

ARENA_TEST(decisions_are_by_what_decides)
{
	for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
		const char *text = decided(*state, cases[k][0]);
		if (!text)
			fail_msg("left alone: %s", cases[k][0]);
		assert_string_equal(text, cases[k][1]);
	}
}

ARENA_TEST(others_are_left_alone)
{
	for (unsigned k = 0; k < sizeof left_alone / sizeof *left_alone; k++) {
		const char *text = decided(*state, left_alone[k]);
		if (text)
			fail_msg("%s\nbecame\n%s", left_alone[k], text);
	}
}
