/* src/lang/resolve: removes flow control that literals decide. */
#include "lang/resolve.h"

#include "texts.h"

#include <string.h>

#define HEAD "ps_3_0\ndefi i0, 1, 0, 1, 0\ndefi i1, 0, 0, 1, 0\ndefi i2, 2, 0, 1, 0\ndefb b0, true\ndef c0, 0, 1, -1, 0.5\ndcl_texcoord v0\n"

/* Instructions of each program before and after; NULL if all stay. */
static const struct {
	const char *given, *left;
} cases[] = {
	{"if_ne c0.x, -c0.x\n  mov r0, c1\nelse\n  mov r0, v0\nendif\nmov oC0, r0\n", "mov r0, v0\nmov oC0, r0\n"},
	{"mov r0, v0\nif_lt c0.z, c0.x\n  mov r0, c1\nendif\nmov oC0, r0\n", "mov r0, v0\nmov r0, c1\nmov oC0, r0\n"},
	{"mov r0, v0\nif_gt c0_abs.z, c0.x\n  mov r0, c1\nendif\nmov oC0, r0\n", "mov r0, v0\nmov r0, c1\nmov oC0, r0\n"},
	{"mov r0, v0\nif_ge c0.w, c0.y\n  mov r0, c1\nendif\nmov oC0, r0\n", "mov r0, v0\nmov oC0, r0\n"},
	{"if b0\n  mov r0, c1\nelse\n  mov r0, v0\nendif\nmov oC0, r0\n", "mov r0, c1\nmov oC0, r0\n"},
	{"if !b0\n  mov r0, c1\nelse\n  mov r0, v0\nendif\nmov oC0, r0\n", "mov r0, v0\nmov oC0, r0\n"},
	/* Nested ifs, some of which stay. */
	{"mov r0, v0\nif b1\n  if b0\n    if_eq c0.x, c0.w\n      mov r0, c1\n    endif\n    add r0, r0, v0\n  endif\nendif\nmov oC0, r0\n",
	 "mov r0, v0\nif b1\n  add r0, r0, v0\nendif\nmov oC0, r0\n"},
	{"mov r0, v0\nrep i0\n  add r0, r0, v0\nendrep\nmov oC0, r0\n", "mov r0, v0\nadd r0, r0, v0\nmov oC0, r0\n"},
	{"mov r0, v0\nrep i1\n  add r0, r0, v0\nendrep\nmov oC0, r0\n", "mov r0, v0\nmov oC0, r0\n"},
	{"mov r0, v0\nloop aL, i0\n  add r0, r0, v0\nendloop\nmov oC0, r0\n", "mov r0, v0\nadd r0, r0, v0\nmov oC0, r0\n"},
	/* Nested and conditional subroutines, and one that is called twice where inlining takes no more slots. */
	{"mov r0, v0\ncall l0\nmov oC0, r0\nret\nlabel l0\nadd r0, r0, v0\nret\n", "mov r0, v0\nadd r0, r0, v0\nmov oC0, r0\n"},
	{"mov r0, v0\ncallnz l0, !b1\nmov oC0, r0\nret\nlabel l0\nadd r0, r0, v0\ncall l1\nret\nlabel l1\nmul r0, r0, v0\nret\n",
	 "mov r0, v0\nif !b1\n  add r0, r0, v0\n  mul r0, r0, v0\nendif\nmov oC0, r0\n"},
	{"mov r0, v0\ncall l0\ncall l0\nmov oC0, r0\nret\nlabel l0\nadd r0, r0, v0\nret\n", "mov r0, v0\nadd r0, r0, v0\nadd r0, r0, v0\nmov oC0, r0\n"},
	{"mov r0, v0\ncallnz l0, b0\nmov oC0, r0\nret\nlabel l0\nadd r0, r0, v0\nret\n", "mov r0, v0\nadd r0, r0, v0\nmov oC0, r0\n"},
	{"mov r0, v0\ncall l0\ncall l0\nmov oC0, r0\nret\nlabel l0\n  add r0, r0, v0\n  mul r0, r0, v0\n  add r0, r0, v0\n  mul r0, r0, v0\n  add r0, r0, v0\n  mul r0, r0, v0\n  add r0, r0, v0\nret\n", NULL},
	/* These stay: a loop that runs twice, one left by a break, aL, a break that nothing may follow, and a condition of the
	 * application. */
	{"mov r0, v0\nrep i2\n  add r0, r0, v0\nendrep\nmov oC0, r0\n", NULL},
	{"mov r0, v0\nrep i0\n  add r0, r0, v0\n  break_gt r0.x, v0.x\n  add r0, r0, v0\nendrep\nmov oC0, r0\n", NULL},
	{"mov r0, v0\nloop aL, i0\n  add r0, r0, v[aL]\nendloop\nmov oC0, r0\n", NULL},
	{"mov r0, v0\nrep i2\n  if b0\n    break\n  endif\n  add r0, r0, v0\nendrep\nmov oC0, r0\n", NULL},
	{"mov r0, v0\nif_lt c1.x, c0.x\n  mov r0, c1\nendif\nif b2\n  mov r0, c0\nendif\nrep i3\n  add r0, r0, v0\nendrep\nmov oC0, r0\n", NULL},
};

/* Returns the rest with the declarations of HEAD, without those of registers that only the given text reads. */
static const char *left_of(struct texts *t, const char *given, const char *left)
{
	static const char *const declared[][2] = {{"defi i0, 1, 0, 1, 0\n", "i0"}, {"defi i1, 0, 0, 1, 0\n", "i1"}, {"defi i2, 2, 0, 1, 0\n", "i2"},
	                                          {"defb b0, true\n", "b0"}, {"def c0, 0, 1, -1, 0.5\n", "c0"}, {"dcl_texcoord v0\n", "v0"}};
	char *text = arena_printf(&t->arena, "ps_3_0\n");
	for (size_t k = 0; k < sizeof declared / sizeof *declared; k++)
		if (!strstr(given, declared[k][1]) || strstr(left, declared[k][1]))
			text = arena_printf(&t->arena, "%s%s", text, declared[k][0]);
	return arena_printf(&t->arena, "%s%s", text, left);
}

TEXT_TEST(takes_the_known_way)
{
	struct texts *t = *state;
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		char *given = arena_printf(&t->arena, HEAD "%s", cases[k].given);
		const struct program *p = read_good(t, given);
		struct resolved known;
		resolve(&t->arena, p, &known);
		assert_string_equal(printed(t, known.program), cases[k].left ? left_of(t, cases[k].given, cases[k].left) : given);
		assert_int_equal(known.origin != NULL, cases[k].left != NULL);
		for (uint32_t j = 0; known.origin && j < known.program->instrs.n; j++)
		{
			unsigned const op = p->instrs.at[known.origin[j]].op;
			if (op != OP_CALLNZ)
				assert_int_equal(known.program->instrs.at[j].op, op);
		}
	}
}
