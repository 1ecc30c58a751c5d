/* The FP's inputs according to the VP's text: independent, affine in each other, or constant. */
#include "pairs.h"

#include "move/graph/values.h"

#include <stdio.h>

#define VP                                                                                                       \
	"vs_1_1\ndcl_position v0\ndcl_normal v1\ndcl_texcoord v2\ndef c9, 2, 0.5, 3, 0\ndef c8, 1, -1, 4, 0.25\ndef c7, 0.1, -0.4904, 0, 0\n" \
	"mov oPos, v0\n"
#define FP "ps_2_0\ndcl t0\ndcl t1\ndcl t2\nadd r0, t0, c0\nadd r0, t1, r0\nadd r0, t2, r0\nmov oC0, r0\n"

/* Writes a constant, as "3", "c0.x" of the VP, or "(c0.x c1.x)": sums and products of other values have parentheses. */
static size_t say_constant(const struct values *v, value_id id, char *to, size_t size)
{
	const struct value *x = value_at(v, id);
	if (x->known)
		return (size_t)snprintf(to, size, "%.4g", (double)x->number);
	if (x->op == CONST_RAW)
		return (size_t)snprintf(to, size, "c%d.%c", x->reg - values_own(v), "xyzw"[x->lane]);
	size_t n = (size_t)snprintf(to, size, x->op == CONST_NEG ? "(-" : "(");
	for (unsigned k = 0; k < x->nargs; k++) {
		n += (size_t)snprintf(to + n, size - n, "%s", k == 0 ? "" : x->op == CONST_ADD ? " + " : " ");
		n += say_constant(v, x->args[k], to + n, size - n);
	}
	return n + (size_t)snprintf(to + n, size - n, ")");
}

/* Writes an affine value as "2 t0.x + 3", without factors of 1. */
static void say(const struct values *v, unsigned input, char *to, size_t size)
{
	value_id id = v->inputs.value[input];
	if (id == NO_VALUE) {
		snprintf(to, size, "nothing");
		return;
	}
	const struct value *x = value_at(v, id);
	size_t n = 0;
	to[0] = '\0';
	for (uint32_t t = 0; x->class == VALUE_AFFINE && t < x->nterms; t++) {
		n += (size_t)snprintf(to + n, size - n, "%s", n ? " + " : "");
		if (x->terms[t].coef != v->one) {
			n += say_constant(v, x->terms[t].coef, to + n, size - n);
			n += (size_t)snprintf(to + n, size - n, " ");
		}
		n += (size_t)snprintf(to + n, size - n, "t%u.%c", x->terms[t].input / 4, "xyzw"[x->terms[t].input % 4]);
	}
	value_id const constant = x->class == VALUE_CONST ? id : x->constant;
	if (n == 0 || constant != v->zero) {
		n += (size_t)snprintf(to + n, size - n, "%s", n ? " + " : "");
		say_constant(v, constant, to + n, size - n);
	}
}

ARENA_TEST(forms)
{
	static const struct {
		const char *vp;
		unsigned input;
		const char *want;
	} cases[] = {
		{"mov oT0, v1\nmov oT1, v2\n", 4, "t1.x"},
		{"mov oT0, v1\nmov oT1, v1\n", 5, "t0.y"},
		{"mov oT0, v1\nmov oT1, -v1.yxwz\n", 4, "-1 t0.y"},
		{"mov oT0, v1\nadd oT1, v1, c9\n", 4, "t0.x + 2"},
		{"mov oT0, v1\nmad oT1, v1, c9, c9.y\n", 4, "2 t0.x + 0.5"},
		{"mov oT0, v1\nmul oT1, v1, c9.w\n", 4, "0"},
		{"mov oT0, v1\nmov oT1, c9\n", 6, "3"},
		/* comparisons of constants, or of equal values */
		{"slt oT0, v1, v1\nsge oT1, v1, v1\n", 0, "0"},
		{"slt oT0, v1, v1\nsge oT1, v1, v1\n", 4, "1"},
		{"mov oT0, v1\nslt oT1, r3, r3\n", 4, "0"},
		{"mov oT0, v1\nlit oT1, -c9\n", 5, "0"},
		{"mov oT0, v1\nmov r0, c8\nmax oT1, r0, c9\n", 5, "0.5"},
		{"mov oT0, v1\nmov r0, c8\nmin oT1, r0, c9\n", 5, "-1"},
		{"mov oT0, v1\nmax oT1, v1, v2\n", 5, "t1.y"},
		/* values of lit by the algebra column */
		{"mov oT0, v1\nlit oT1, v1\n", 4, "1"},
		{"lit oT0, v1\nmov r0, c9\nmax oT1, v1.x, r0.w\n", 5, "t0.y"},
		/* few enough digits for the proof to compare; 0.1 + 0.4904 has too many */
		{"mov oT0, v1\nslt oT1, c9, c8\n", 5, "0"},
		{"mov oT0, v1\nmov r0, c7\nslt oT1, r0, c7.yxzw\n", 4, "t1.x"},
		/* distances */
		{"mov oT0, v1\ndst oT1, c9.x, v1\n", 4, "1"},
		{"mov oT0, v1\ndst oT1, c9.w, v1\n", 5, "0"},
		{"mov oT0, v1\ndst oT1, v1, v1\n", 6, "t0.z"},
		{"mov oT0, v1\ndst oT1, v1, v1\n", 7, "t0.w"},
		/* a value of the application is unknown, but always the same */
		{"mov oT0, v1\nadd oT1, v1, c0\n", 4, "t0.x + c0.x"},
		{"mul oT0, v1, c0\nmul r0, c9.x, c0\nmul oT1, r0, v1\n", 4, "2 t0.x"},
		{"mul oT0, v1, -c0\nmul oT1, c0, v1\n", 4, "-1 t0.x"},
		{"mov oT0, v1\nmov oT1, c0\nadd oT2, v1, c0\n", 8, "t0.x + c0.x"},
		/* a constant of the pair equals itself, whichever comes first */
		{"mov oT0, v1\nmov oT1, c0\n", 5, "c0.y"},
		{"mov oT0, v1\nmov oT1, -c0.wzyx\n", 5, "(-1 c0.z)"},
		{"mov oT0, v1\nmad oT1, c0, c9.x, c9.z\n", 4, "(3 + (2 c0.x))"},
		{"mov oT0, v1\nmov r0, c1\nmul oT1, c0, r0\n", 4, "(c0.x c1.x)"},
		{"mad oT0, v1, c9.x, c0\nmov oT1, c0\nmov oT2, v1\n", 4, "c0.x"},
		{"add oT0, v1, c0\nmov oT1, v1\nmov oT2, c0\n", 0, "t1.x + c0.x"},
		/* but not one that a0 addresses, nor one that takes more than an instruction */
		{"mov a0.x, v0.x\nmov oT0, v1\nmov oT1, c[a0.x]\n", 4, "t1.x"},
		{"mov oT0, v1\nrcp oT1, c0.x\n", 4, "t1.x"},
		{"mov oT0, v1\ndp3 oT1, c0, c0\n", 4, "t1.x"},
		/* the input that a mov writes is the independent one */
		{"mad oT0, v1, c9.x, c8.y\nmov oT1, v1\n", 0, "2 t1.x + -1"},
		{"mad oT0, v1, c9.x, c8.y\nadd oT1, v1, v1\n", 4, "t0.x + 1"},
		/* two unknowns, three inputs */
		{"mov r0, v2\nadd oT0, v1, r0\nadd oT1, v1, -r0\nmad oT2, v1, c9.z, r0\n", 8, "2 t0.x + t1.x"},
		{"dp3 oT0.x, v1, c9\nmov oT0.yzw, v1.wxyw\nmov oT1, v1.z\n", 4, "t1.x"},
		{"dp3 oT0.x, v1, c9\nmov oT0.yzw, v1.xxyz\nmov oT1, v1.z\n", 0, "2 t0.y + 0.5 t0.z + 3 t0.w"},
		/* functions of equal values are equal */
		{"m4x4 oT0, v1, c0\ndp4 oT1.x, v1, c0\ndp4 oT1.yzw, c1, v1\n", 4, "t0.x"},
		{"m3x3 oT0.xyz, v1, c0\nmov oT0.w, v1\ndp3 oT1, c1, v1\n", 4, "t0.y"},
		{"rsq r0, v1.x\nmul oT0, r0, v1\nrsq r1, v1.x\nmul oT1, v1, r1.x\n", 6, "t0.z"},
		{"max oT0, v1, c0\nmax oT1, v1.yxzw, c0.yxzw\n", 4, "t0.y"},
		{"max oT0, v1, c0\nmax oT1, v1, c1\n", 4, "t1.x"},
		{"lit oT0, v1\nlit oT1, v1\n", 5, "t0.y"},
		{"lit oT0, v1\nlit oT1, v2\n", 5, "t1.y"},
		{"mov a0.x, v0.x\nmov oT0, c[a0.x]\nmov oT1, c[a0.x]\n", 4, "t0.x"},
		{"mov a0.x, v0.x\nmov oT0, c[a0.x]\nmov oT1, c[a0.x + 1]\n", 4, "t1.x"},
		{"mov a0.x, v0.x\nmov oT0, c[a0.x]\nmov a0.x, v0.y\nmov oT1, c[a0.x]\n", 4, "t1.x"},
		/* written in parts, and twice */
		{"mov oT0, v1\nmov oT1.xy, v1\nmov oT1.zw, v2\n", 5, "t0.y"},
		{"mov oT0, v1\nmov oT1, v1\nmov oT1.x, v2.x\n", 4, "t1.x"},
		{"mov r0, v1\nmov oT0, r0\nmov r0.x, v2.x\nmov oT1, r0\n", 4, "t1.x"},
		{"mov oT0, v1\n", 4, "nothing"},
		/* 1 / 0 is no number, but equals itself */
		{"rcp r0, c9.w\nmov oT0, v1\nmad oT1, v1, r0.x, c9.x\n", 4, "t1.x"},
		{"rcp r0, c9.w\nmov oT0, r0.x\nadd oT1, r0.x, c9.x\n", 4, "t0.x + 2"},
	};
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		char got[400], text[1000];
		snprintf(text, sizeof text, VP "%s", cases[k].vp);
		say(values_number(*state, parse_one(*state, text), parse_one(*state, FP)), cases[k].input, got, sizeof got);
		if (strcmp(got, cases[k].want) != 0)
			print_message("%s", cases[k].vp);
		assert_string_equal(got, cases[k].want);
	}
}

/* Checks that values interpolated in different ways differ. */
ARENA_TEST(kinds_part)
{
	struct program *vs = parse_one(*state, VP "mov oT0, v1\nmov oT1, v1\nmov oT2, v1\n");
	struct program *ps = parse_one(*state, "ps_2_0\ndcl t0\ndcl_centroid t1\ndcl_centroid t2\nadd r0, t0, c0\n"
	                                       "add r0, t1, r0\nadd r0, t2, r0\nmov oC0, r0\n");
	const struct values *v = values_number(*state, vs, ps);
	assert_int_not_equal(v->inputs.value[0], v->inputs.value[4]);
	assert_int_equal(v->inputs.value[4], v->inputs.value[8]);
}
