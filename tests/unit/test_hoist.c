/* src/lang/hoist: work that can be computed before its block. */
#include "lang/hoist.h"

#include "texts.h"

#define HEAD "ps_3_0\ndcl_texcoord v0\ndcl_2d s0\n"

/* Each program before and after; NULL if nothing can be hoisted. */
static const struct {
	const char *text, *hoisted;
} cases[] = {
	/* A coordinate goes to a temporary that nothing else writes. */
	{HEAD "if b0\n  mad r1.xy, v0, c0, c1\n  texld r1, r1, s0\nelse\n  mov r1, c2\nendif\nmov oC0, r1\n",
	 HEAD "mad r31.xy, v0, c0, c1\nif b0\n  texld r1, r31, s0\nelse\n  mov r1, c2\nendif\nmov oC0, r1\n"},
	/* A chain whose last value alone is read in the block. */
	{HEAD "mov r0, c3\nif b0\n  mul r1, v0.x, c0\n  mad r1, v0.y, c1, r1\n  mul r0, r1, r0\nendif\nmov oC0, r0\n",
	 HEAD "mov r0, c3\nmul r31, v0.x, c0\nmad r31, v0.y, c1, r31\nif b0\n  mul r0, r31, r0\nendif\nmov oC0, r0\n"},
	/* One operand reads lanes of two instructions. */
	{HEAD "if b0\n  add r1.x, v0, c0\n  add r1.y, v0, c1\n  texld r1, r1, s0\nelse\n  mov r1, c2\nendif\nmov oC0, r1\n",
	 HEAD "add r31.x, v0, c0\nadd r31.y, v0, c1\nif b0\n  texld r1, r31, s0\nelse\n  mov r1, c2\nendif\nmov oC0, r1\n"},
	/* A value in a loop is the same in each turn. */
	{HEAD "mov r0, c0\nrep i0\n  add r1, v0, c1\n  mul r0, r0, r1\nendrep\nmov oC0, r0\n",
	 HEAD "mov r0, c0\nadd r31, v0, c1\nrep i0\n  mul r0, r0, r31\nendrep\nmov oC0, r0\n"},
	/* Two live values take two temporaries; one after the other, they share one. */
	{HEAD "mov r0, c0\nif b0\n  add r1, v0, c1\n  mul r0, r0, r1\n  add r1, v0, c2\n  mul r0, r0, r1\nendif\nmov oC0, r0\n",
	 HEAD "mov r0, c0\nadd r31, v0, c1\nmul r31, r0, r31\nadd r30, v0, c2\nif b0\n  mul r0, r31, r30\nendif\nmov oC0, r0\n"},
	/* A reader behind the block may come from the other branch. */
	{HEAD "mov r0, c0\nif b0\n  add r0, v0, c1\nendif\nmov oC0, r0\n", NULL},
	/* A reader also has a lane of another value. */
	{HEAD "mov r0, c0\nif b0\n  add r1.x, v0, c1\n  texld r2, v0, s0\n  mov r1.y, r2\n  texldl r0, r1.xy, s0\nendif\nmov oC0, r0\n", NULL},
	/* A reader may have another definition's value. */
	{HEAD "mov r0, c0\nmov r1, c1\nif b0\n  if b1\n    add r1, v0, c1\n  endif\n  mul r0, r0, r1\nendif\nmov oC0, r0\n", NULL},
	/* A reader may have either of two other definitions. */
	{HEAD "mov r0, c0\nsetp_gt p0, v0, c1\n(p0) mov r0, c2\nif b0\n  add r0, v0, c1\nendif\n(p0) mov oC1, c1\nmov oC0, r0\n", NULL},
	/* From the second turn on, the loop reads a value of the turn before. */
	{HEAD "mov r0, c0\nmov r1, c1\nrep i0\n  mul r0, r0, r1\n  add r1, v0, c1\nendrep\nmov oC0, r0\n", NULL},
	/* The block computes its operand. */
	{HEAD "mov r0, c0\nif b0\n  texld r1, v0, s0\n  add r1, r1, c1\n  mul r0, r0, r1\nendif\nmov oC0, r0\n", NULL},
	/* A predicated write may leave the old value; gradients stay with their block. */
	{HEAD "mov r0, c0\nsetp_gt p0, v0, c1\nmov r1, c2\n(p0) add r1, v0, c1\nmul r0, r0, r1\n(p0) mov r0, c1\nmov oC0, r0\n", NULL},
	{HEAD "mov r0, c0\nif b0\n  dsx r1, v0\n  mul r0, r0, r1\nendif\nmov oC0, r0\n", NULL},
	/* A straight program has no blocks. */
	{HEAD "add r0, v0, c0\nmov oC0, r0\n", NULL},
};

TEXT_TEST(moves_before_the_block)
{
	struct texts *t = *state;
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		const struct program *p = read_good(t, cases[k].text);
		struct hoisted h;
		hoist(&t->arena, p, NULL, &h);
		assert_string_equal(printed(t, h.program), cases[k].hoisted ? cases[k].hoisted : cases[k].text);
		assert_int_equal(h.n > 0, cases[k].hoisted != NULL);
		if (!h.n)
			assert_ptr_equal(h.program, p);
		for (uint32_t j = 0; h.n && j < h.program->instrs.n; j++)
			assert_int_equal(h.program->instrs.at[j].op, p->instrs.at[h.origin[j]].op);
	}
}

TEXT_TEST(moves_only_what_is_wanted)
{
	struct texts *t = *state;
	const struct program *p = read_good(t, cases[1].text);
	struct hoisted h;
	bool only[8] = {[2] = true};
	hoist(&t->arena, p, only, &h);
	assert_int_equal(h.n, 1);
	assert_string_equal(printed(t, h.program), HEAD "mov r0, c3\nmul r31, v0.x, c0\nif b0\n  mad r1, v0.y, c1, r31\n  mul r0, r1, r0\nendif\nmov oC0, r0\n");
	only[2] = false;
	only[3] = true; /* r1 needs a value that stays */
	hoist(&t->arena, p, only, &h);
	assert_int_equal(h.n, 0);
}
