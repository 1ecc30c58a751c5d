/* The algebraic proof: pairs as text, equal or not, and the reason. */
#include "pairs.h"

#include "lang/link.h"
#include "verify/field.h"
#include "verify/verify.h"

#include <math.h>
#include <stdlib.h>

#define VS_PLAIN "vs_1_1\ndcl_position v0\ndcl_texcoord0 v1\ndcl_texcoord1 v2\ndcl_color v3\n"
#define VS_END   "mov oPos, v0\nmov oT0, v1\nmov oT1, v2\nmov oD0, v3\n"
#define PS_PLAIN "ps_2_0\ndcl t0\ndcl t1\ndcl v0\ndcl_2d s0\ndcl_cube s1\n"

static struct proof prove_text(struct arena *arena, const char *vs1, const char *ps1, const char *vs2, const char *ps2,
                               const struct proof_context *context)
{
	struct proof_context none = {0};
	struct pair old = {parse_one(arena, vs1), parse_one(arena, ps1)};
	struct pair new = {parse_one(arena, vs2), parse_one(arena, ps2)};
	return prove(arena, old, new, context ? context : &none);
}

/* Proves two pixel programs' bodies behind the same declarations and vertex program. */
static struct proof bodies(struct arena *arena, const char *one, const char *two)
{
	const char *ps1 = arena_printf(arena, PS_PLAIN "%s", one);
	const char *ps2 = arena_printf(arena, PS_PLAIN "%s", two);
	return prove_text(arena, VS_PLAIN VS_END, ps1, VS_PLAIN VS_END, ps2, NULL);
}

static void same(struct arena *arena, const char *one, const char *two)
{
	struct proof p = bodies(arena, one, two);
	if (!p.equal)
		print_error("%s\n--- is not\n%s\n--- %s\n", one, two, p.why);
	assert_true(p.equal);
	assert_null(p.why);
	assert_in_range(p.trials, 0, 1);
}

static void other(struct arena *arena, const char *one, const char *two)
{
	struct proof p = bodies(arena, one, two);
	if (p.equal)
		print_error("%s\n--- passes for\n%s\n", one, two);
	assert_false(p.equal);
	assert_non_null(p.why);
	assert_int_equal(p.trials, 1);
}

/* --- the field -------------------------------------------------------------------- */

ARENA_TEST(field_arithmetic)
{
	felt x[FIELDS] = {7, 7}, inverse[FIELDS];
	for (unsigned k = 0; k < 1000; k++) {
		for (unsigned f = 0; f < FIELDS; f++)
			x[f] = field_hash(f, x[f] + k);
		field_inverse(x, inverse);
		for (unsigned f = 0; f < FIELDS; f++) {
			felt five = field_float(f, 5);
			assert_true(x[f] < fields[f].p);
			assert_true(field_mul(f, x[f], inverse[f]) == field_one(f));
			assert_int_equal(field_add(f, x[f], field_neg(f, x[f])), 0);
			assert_true(field_sub(f, field_add(f, x[f], five), five) == x[f]);
			assert_true(field_mul(f, x[f], five) ==
			            field_add(f, x[f], field_mul(f, x[f], field_float(f, 4))));
		}
	}
	const felt zero[FIELDS] = {0, 0};
	field_inverse(zero, inverse);
	for (unsigned f = 0; f < FIELDS; f++) {
		felt minus = field_neg(f, field_one(f));
		assert_true(field_mul(f, minus, minus) == field_one(f));
		assert_int_equal(inverse[f], 0);
		assert_int_equal(field_neg(f, 0), 0);
	}
}

ARENA_TEST(upper_halves_of_products)
{
	static const uint64_t ends[] = {0, 1, 2, UINT32_MAX, (uint64_t)UINT32_MAX + 1, UINT64_MAX - UINT32_MAX, UINT64_MAX};
	enum { ENDS = sizeof ends / sizeof *ends };
	assert_true(field_upper_by_quarters(UINT64_MAX, UINT64_MAX) == UINT64_MAX - 1);
	for (unsigned k = 0; k < ENDS * ENDS; k++)
		assert_true(field_upper_by_quarters(ends[k / ENDS], ends[k % ENDS]) == field_upper(ends[k / ENDS], ends[k % ENDS]));
	for (uint64_t k = 0; k < 10000; k++) {
		uint64_t const a = field_mix(k, 1), b = field_mix(k, 2) >> k % 64;
		assert_true(field_upper_by_quarters(a, b) == field_upper(a, b));
	}
}

static felt to_the(unsigned f, felt x, uint64_t n)
{
	felt power = field_one(f);
	for (; n; n >>= 1) {
		power = n & 1 ? field_mul(f, power, x) : power;
		x = field_mul(f, x, x);
	}
	return power;
}

/* Checks the primes of the field: p and q = (p - 1) / 2 are prime (Pocklington: with q prime, 2^(p-1) = 1 and 2^2 - 1 coprime to p
 * prove that p is prime; q was checked with `factor`).  So numbers other than 0, 1 and -1 have the order q or 2 q. */
ARENA_TEST(literals_have_large_orders)
{
	const float some[] = {2, 0.5f, 10, 3, 5, 0.1f, 255, 0x1p61f, 1e30f};
	for (unsigned f = 0; f < FIELDS; f++) {
		uint64_t const q = (fields[f].p - 1) / 2;
		assert_int_equal(fields[f].p % 4, 3);
		assert_true(fields[f].p * (0 - fields[f].negative_inverse) == 1);
		for (size_t k = 0; k < sizeof some / sizeof *some; k++) {
			felt x = field_float(f, some[k]), half = to_the(f, x, q);
			assert_true(half == field_one(f) || half == field_neg(f, field_one(f)));
			assert_true(x != field_one(f) && x != field_neg(f, field_one(f)));
		}
	}
}

ARENA_TEST(field_of_floats)
{
	for (unsigned f = 0; f < FIELDS; f++) {
		assert_int_equal(field_float(f, 0), 0);
		assert_int_equal(field_float(f, -0.0f), 0);
		assert_true(field_float(f, 1) == field_one(f));
		assert_true(field_float(f, -3) == field_neg(f, field_add(f, field_float(f, 2), field_one(f))));
		assert_true(field_mul(f, field_float(f, 0.5f), field_float(f, 2)) == field_one(f));
		assert_int_equal(field_add(f, field_float(f, 0.1f), field_float(f, -0.1f)), 0);
		assert_true(field_mul(f, field_float(f, 0x1p-149f), field_float(f, 0x1p127f)) == field_float(f, 0x1p-22f));
		assert_true(field_mul(f, field_float(f, 1.25f), field_float(f, 3.5f)) == field_float(f, 4.375f));
		assert_true(field_float(f, INFINITY) != field_float(f, -INFINITY));
		felt power = field_float(f, 0x1p-149f);
		for (int k = -149; k < 128; k++) {
			assert_true(power == field_float(f, ldexpf(1, k)));
			power = field_add(f, power, power);
		}
	}
}

/* --- identities of real numbers ----------------------------------------------------- */

ARENA_TEST(arithmetic_is_exact)
{
	struct arena *a = *state;
	same(a, "mad r0, t0, c0, c1\nmov oC0, r0\n", "mul r0, c0, t0\nadd r0, r0, c1\nmov oC0, r0\n");
	same(a, "add r0, t0, c0\nmul r0, r0, c1\nmov oC0, r0\n",
	     "mov r1, c0\nmul r1, r1, c1\nmad r0, t0, c1, r1\nmov oC0, r0\n");
	same(a, "lrp r0, c0, t0, c1\nmov oC0, r0\n",
	     "mov r1, c1\nsub r0, t0, r1\nmul r0, r0, c0\nadd r0, r0, r1\nmov oC0, r0\n");
	same(a, "dp3 r0, t0, c0\nmov oC0, r0\n",
	     "mul r0, t0, c0\nadd r1, r0.x, r0.y\nadd r1, r1, r0.z\nmov oC0, r1\n");
	same(a, "dp2add r0, t0, c0, c1.x\nmov oC0, r0\n",
	     "mul r0, t0, c0\nadd r1, r0.x, r0.y\nadd r1, r1, c1.x\nmov oC0, r1\n");
	same(a, "m3x3 r0.xyz, t0, c0\nmov r0.w, c3.x\nmov oC0, r0\n",
	     "dp3 r0.y, t0, c1\ndp3 r0.x, c0, t0\ndp3 r0.z, t0, c2\nmov r0.w, c3.x\nmov oC0, r0\n");
	same(a, "m4x4 r0, t0, c0\nmov oC0, r0\n",
	     "dp4 r0.x, t0, c0\ndp4 r0.y, t0, c1\ndp4 r0.z, t0, c2\ndp4 r0.w, t0, c3\nmov oC0, r0\n");
	same(a, "crs r0.xyz, t0, c0\nmov r0.w, c1.x\nmov oC0, r0\n",
	     "mul r1.xyz, t0.zxyw, c0.yzxw\nmad r0.xyz, t0.yzxw, c0.zxyw, -r1\nmov r0.w, c1.x\nmov oC0, r0\n");
	same(a, "rcp r0.x, t0.x\nmul r0, r0.x, t0.x\nmul r0, r0, c0\nmov oC0, r0\n", "mov r0, c0\nmov oC0, r0\n");
	other(a, "sub r0, t0, c0\nmov oC0, r0\n", "add r0, t0, c0\nmov oC0, r0\n");
	other(a, "dp3 r0, t0, c0\nmov oC0, r0\n", "dp4 r0, t0, c0\nmov oC0, r0\n");
	/* crs has no w; the old w is another value. */
	other(a, "mov r0.w, t0.x\ncrs r0.xyz, t0, c0\nmov oC0, r0\n", "mov r0.w, t0.x\ncrs r0, t0, c0\nmov oC0, r0\n");
	other(a, "crs r0.xyz, t0, c0\nmov r0.w, c1.x\nmov oC0, r0\n",
	      "crs r0.xyz, c0, t0\nmov r0.w, c1.x\nmov oC0, r0\n");
	other(a, "m3x2 r0.xy, t0, c0\nmov r0.zw, c3.x\nmov oC0, r0\n",
	      "m3x2 r0.xy, t0, c1\nmov r0.zw, c3.x\nmov oC0, r0\n");
}

ARENA_TEST(macros_are_their_expansion)
{
	struct arena *a = *state;
	same(a, "nrm r0, t0\nmov oC0, r0\n", "dp3 r1.x, t0, t0\nrsq r1.x, r1.x\nmul r0, t0, r1.x\nmov oC0, r0\n");
	same(a, "pow r0, t0.x, c0.x\nmov oC0, r0\n",
	     "log r1.x, t0.x\nmul r1.x, r1.x, c0.x\nexp r0, r1.x\nmov oC0, r0\n");
	same(a, "abs r0, t0\nmov oC0, r0\n", "max r0, t0, -t0\nmov oC0, r0\n");
	same(a, "mul r0, t0, t0\nabs r0, r0\nmov oC0, r0\n", "mul r0, t0, t0\nmax r0, -r0, r0\nmov oC0, r0\n");
	same(a, "mul r0, t0, -t0\nabs r0, r0\nmov oC0, r0\n", "mul r0, t0, t0\nmin r0, -r0, r0\nmov oC0, -r0\n");
	same(a, "mul r0, t0.x, t0.x\nmad r0, t0.y, t0.y, r0\nmul r1, c0.x, -c0.x\nmul r0, r0, r1\nabs r0, r0\nmov oC0, r0\n",
	     "mul r0, t0.x, t0.x\nmad r0, t0.y, t0.y, r0\nmul r0, r0, c0.x\nmul r0, r0, c0.x\nmov oC0, r0\n");
	other(a, "mul r0, t0.x, t0.x\nmad r0, t0.y, -t0.y, r0\nabs r0, r0\nmov oC0, r0\n",
	      "mul r0, t0.x, t0.x\nmad r0, t0.y, -t0.y, r0\nmov oC0, r0\n");
	/* The first magnitude shows as a square only through the dot product. */
	same(a, "mul r1, t0.x, t0.x\nmad r1, t0.y, t0.y, r1\nmad r1, t0.z, t0.z, r1\nabs r1, r1\ndp3 r0, t0, t0\nadd r0, r0, r1\nmov oC0, r0\n",
	     "dp3 r0, t0, t0\nadd r0, r0, r0\nmov oC0, r0\n");
	same(a, "min r0, t0, c0\nmov oC0, r0\n", "max r0, -t0, -c0\nmov r0, -r0\nmov oC0, r0\n");
	same(a, "max r0, t0, c0\nmov oC0, r0\n", "max r0, c0, t0\nmov oC0, r0\n");
	same(a, "rsq r0, t0.x\nmov oC0, r0\n", "rsq r0, -t0.x\nmov oC0, r0\n");
	same(a, "log r0, -t0.x\nmov oC0, r0\n", "log r0, t0.x\nmov oC0, r0\n");
	same(a, "def c5, 0, 1, 0, 0\nadd_sat r0, t0, c0\nmov oC0, r0\n",
	     "def c5, 0, 1, 0, 0\nadd r0, t0, c0\nmax r0, r0, c5.x\nmin r0, r0, c5.y\nmov oC0, r0\n");
	same(a, "cmp r0, t0, c0, -c0\nmov oC0, r0\n",
	     "def c5, 1, -1, 0, 0\ncmp r1, t0, c5.x, c5.y\nmul r0, r1, c0\nmov oC0, r0\n");
	same(a, "texldp r0, t0, s0\nmov oC0, r0\n",
	     "rcp r1.w, t0.w\nmul r1.xyz, t0, r1.w\ntexld r0, r1, s0\nmov oC0, r0\n");
	other(a, "nrm r0, t0\nmov oC0, r0\n", "nrm r0, t1\nmov oC0, r0\n");
	other(a, "add_sat r0, t0, c0\nmov oC0, r0\n", "add r0, t0, c0\nmov oC0, r0\n");
}

ARENA_TEST(plain_numbers_keep_their_order)
{
	struct arena *a = *state;
	const char *def = "def c5, 0.25, -2, 0, 1\n";
	const char *is[][2] = {
		{"max r0, c5.x, c5.y", "mov r0, c5.x"}, {"min r0, c5.x, c5.y", "mov r0, c5.y"},
		{"cmp r0, c5.x, c5.z, c5.w", "mov r0, c5.z"}, {"cmp r0, c5.y, c5.z, c5.w", "mov r0, c5.w"},
		{"cmp r0, c5.z, c5.x, c5.w", "mov r0, c5.x"}, {"abs r0, c5.y", "mov r0, -c5.y"},
		{"mov_sat r0, c5.y", "mov r0, c5.z"}, {"mov_sat r0, c5.x", "mov r0, c5.x"},
	};
	for (size_t k = 0; k < sizeof is / sizeof *is; k++)
		same(a, arena_printf(a, "%s%s\nmul r0, r0, t0\nmov oC0, r0\n", def, is[k][0]),
		     arena_printf(a, "%s%s\nmul r0, r0, t0\nmov oC0, r0\n", def, is[k][1]));
}

/* Returns whether two lists of instructions, over literals, c0, c1, t0 and t1, leave the same in r0. */
static bool lines_are_equal(struct arena *a, const char *one, const char *two)
{
	const char *defs = "def c5, 0, 1, 0.5, -2\ndef c6, 2305843009213693952, 1e-12, 1e30, 4.336808689942018e-19\n"
	                   "def c7, 3, 2, 7, -3\n"; /* c6.x is 2^61, c6.w is 2^-61 */
	return bodies(a, arena_printf(a, "%s%s\nadd r0, r0, t1\nmov oC0, r0\n", defs, one),
	              arena_printf(a, "%s%s\nadd r0, r0, t1\nmov oC0, r0\n", defs, two)).equal;
}

struct lines {
	const char *one, *two;
};

static void check_lines(struct arena *a, const struct lines *rows, size_t n, bool equal)
{
	for (size_t k = 0; k < n; k++) {
		if (lines_are_equal(a, rows[k].one, rows[k].two) != equal)
			fail_msg("%s\n--- %s\n%s", rows[k].one, equal ? "is not" : "passes for", rows[k].two);
		if (lines_are_equal(a, rows[k].two, rows[k].one) != equal)
			fail_msg("%s\n--- %s\n%s", rows[k].two, equal ? "is not" : "passes for", rows[k].one);
	}
}

ARENA_TEST(numbers_are_exact)
{
	static const struct lines differ[] = {
		{"mul r0, t0, c6.x", "mov r0, t0"}, {"mul r0, t0, c6.w", "mov r0, t0"},
		{"mov r1, c5\nsub_sat r0, r1.y, c6.y", "mov r0, c5.x"},
		{"mov r1, c5\nsub_sat r0, r1.y, c6.y", "mov r0, c5.y"},
		{"mov r1, c6\nadd r1, r1.y, r1.z\ncmp r0, r1, t0, c0", "mov r0, c0"},
		/* 1e30 - (1e30 + 1e-12) is below 0 */
		{"mov r1, c6\nadd r2, r1.z, r1.y\nsub r2, r1.z, r2\ncmp r0, r2, t0, c0", "mov r0, t0"},
		{"max r0, c5.x, t0", "mov r0, t0"}, {"mov_sat r0, t0\nmax r0, r0, c5.z", "mov_sat r0, t0"},
		{"frc r0, t0\nmin r0, r0, c5.z", "frc r0, t0"}, {"exp r0, t0.x", "exp r0, t0.y"},
		{"mov_sat r0, t0\nadd_sat r0, r0, c5.z", "mov_sat r0, t0\nadd r0, r0, c5.z"},
		{"max r0, t0, c5.x\nmin r0, r0, c5.y", "max r0, t0, c5.x\nmin r0, r0, c5.z"},
		{"min r0, t0, c0\nmax r0, r0, c5.x", "max r0, t0, c5.x\nmin r0, r0, c0"},
		{"min r0, t0, c5.x\nmax r0, r0, c5.y", "max r0, t0, c5.y\nmin r0, r0, c5.x"}, /* 1, and 0 */
		{"max r0, t0, c0\nmin r0, r0, c0", "mov r0, t0"}, {"max r0, t0, -c0", "max r0, -t0, c0"},
		{"rsq r0, c7.y", "mov r0, c5.z"}, {"frc r0, c5.z", "mov r0, c5.x"}, {"frc r0, c6.y", "mov r0, c5.x"},
		/* A matrix may stand in temporaries. */
		{"mov r4, t0\nmov r5, c0\nm3x2 r3.xy, t0, r4\nmov r0, r3.y", "mov r4, t0\nmov r5, c1\nm3x2 r3.xy, t0, r4\nmov r0, r3.y"},
	};
	static const struct lines same_[] = {
		{"mov r1, c5\nsub_sat r0, r1.y, c6.y", "mov r1, c5\nsub r0, r1.y, c6.y"},
		{"mov r1, c6\nadd r1, r1.y, r1.z\ncmp r0, r1, t0, c0", "mov r0, t0"},
		{"mov r1, c6\nadd r2, r1.z, r1.y\nsub r2, r1.z, r2\ncmp r0, r2, t0, c0", "mov r0, c0"},
		/* (1/3 + 1/7) 21 - 10 is 0, and 1/3 - 1/7 is positive */
		{"rcp r1.x, c7.x\nrcp r1.y, c7.z\nadd r1.z, r1.x, r1.y\nmul r1.z, r1.z, c7.x\nmul r1.z, r1.z, c7.z\n"
		 "sub r1.w, r1.x, r1.y\ncmp r0, r1.w, t0, c0\nadd r0, r0, r1.z",
		 "mul r1, c7.y, c7.y\nmad r1, r1, c7.y, c7.y\nadd r0, t0, r1"},
		{"mov r1, c6\nmul r1, r1.x, r1.x\nmul r1, r1, r1\nrcp r2.x, r1.x\nsub_sat r2, r1.x, r2.x\nmov r0, r2",
		 "mov r0, c5.y"},
		{"frc r0, c7.x", "mov r0, c5.x"}, {"frc r0, -c5.z", "mov r0, c5.z"}, {"frc r0, c7.w", "mov r0, c5.x"},
		/* One row of the matrix is constant; a choice by a known sign ignores the other value. */
		{"mov r1, c6\nm3x2_sat r3.xy, r1, c4\nmov r0, r3.y", "mov r1, c6\ndp3_sat r0, r1, c5"},
		{"mul r3, c0, t0\ncmp r2, c5.z, c5.z, r3\nmul r2, r2, r2\nmov_sat r0, r2", "mov r2, c5\nmul r2, r2.z, r2.z\nmov_sat r0, r2"},
	};
	check_lines(*state, differ, sizeof differ / sizeof *differ, false);
	check_lines(*state, same_, sizeof same_ / sizeof *same_, true);
	/* The same through an interpolator. */
	struct proof p = prove_text(*state, "vs_1_1\ndcl_position v0\ndef c1, 0.25, 0, 0, 0\nmov oPos, v0\nmov oT0, c1.x\n",
	                            "ps_2_0\ndcl t0\nmov_sat r0, t0\nmov oC0, r0\n", "vs_1_1\ndcl_position v0\nmov oPos, v0\n",
	                            "ps_2_0\ndef c1, 0.25, 0, 0, 0\nmov r0, c1.x\nmov oC0, r0\n", NULL);
	assert_true(p.equal);
	/* 7^512 has more digits than are kept: the result of clamping it is unknown, and the same each time. */
	const char *power = "mov r1, c7.z\nmul r1, r1, r1\nmul r1, r1, r1\nmul r1, r1, r1\nmul r1, r1, r1\nmul r1, r1, r1\n"
	                    "mul r1, r1, r1\nmul r1, r1, r1\nmul r1, r1, r1\nmul r1, r1, r1\nmov_sat r0, r1";
	assert_true(lines_are_equal(*state, power, arena_printf(*state, "mov r2, t0\n%s", power)));
	assert_false(lines_are_equal(*state, power, "mov r0, c5.x"));
	assert_false(lines_are_equal(*state, power, "mov r0, c5.y"));
}

/* Checks numbers that are 0 in both fields, such as the product of the primes: a sum of literals with that value differs from 0. */
ARENA_TEST(numbers_that_the_fields_take_for_one)
{
	struct text defs = {.arena = *state}, sum = {.arena = *state}, products = {.arena = *state};
	uint64_t digit[4]; /* base 2^32 */
	uint64_t const lower = fields[0].p * fields[1].p, upper = field_upper(fields[0].p, fields[1].p);
	for (unsigned k = 0; k < 4; k++)
		digit[k] = (k < 2 ? lower : upper) >> 32 * (k % 2) & 0xffffffff;
	for (unsigned k = 0; k < 8; k++) {
		double part = ldexp((double)(digit[k / 2] >> 16 * (k % 2) & 0xffff), 16 * (int)k);
		text_printf(&defs, "def c%u, %.0f, 0, 0, 0\n", 8 + k, part);
		text_printf(&sum, "add r1, r1, c%u.x\n", 8 + k);
		text_printf(&products, "mad r1, r0, c%u.x, r1\n", 8 + k);
	}
	const char *one = arena_printf(*state, "%smov r1, c5.x\n%smul r0, r1, t0", defs.at, sum.at);
	assert_false(lines_are_equal(*state, one, "mov r0, c5.x"));
	one = arena_printf(*state, "%smov r1, c5.y\n%smul r0, r1, t0", defs.at, sum.at);
	assert_false(lines_are_equal(*state, one, "mov r0, t0"));
	/* Factors that are no literals. */
	static const char *const factors[] = {"mov r0, t0", "texld r0, t0, s0", "rcp r0, t0.x", "mul r0, t0.x, c0", "frc r0, t1", "mov r0, v0", "mov r0, -t0\nmov_sat r0, r0"};
	struct proof_context const wary = {.chosen_literals = true};
	for (unsigned k = 0; k < sizeof factors / sizeof *factors; k++) {
		const char *with[2];
		for (unsigned s = 0; s < 2; s++)
			with[s] = arena_printf(*state, PS_PLAIN "def c5, 1, 0, 0, 0\n%s%s\nmov r1, c5\n%smov oC0, r1\n", defs.at, factors[k], s ? products.at : "");
		if (prove_text(*state, VS_PLAIN VS_END, with[0], VS_PLAIN VS_END, with[1], &wary).equal)
			fail_msg("%s", factors[k]);
		assert_true(prove_text(*state, VS_PLAIN VS_END, with[1], VS_PLAIN VS_END, with[1], &wary).equal);
	}
}

ARENA_TEST(terms_have_normal_forms)
{
	static const struct lines rows[] = {
		{"mov_sat r0, t0\nmov_sat r0, r0", "mov_sat r0, t0"}, {"mov_sat r0, t0\nmax r0, r0, c5.x", "mov_sat r0, t0"},
		{"mov_sat r0, t0\nmin r0, r0, c5.y", "mov_sat r0, t0"}, {"mov_sat r0, t0\nabs r0, r0", "mov_sat r0, t0"},
		{"mov_sat r0, t0\nmax r0, r0, c5.w", "mov_sat r0, t0"}, {"mov_sat r0, t0\nmin r0, r0, c7.x", "mov_sat r0, t0"},
		{"mov_sat r0, t0\nmax r0, r0, c7.x", "mov r0, c7.x"}, {"mov_sat r1, t0\nmin r0, -r1, c5.x", "mov_sat r0, t0\nmov r0, -r0"},
		{"mov_sat r1, t0\ncmp r0, r1, c0, t0", "mov r0, c0"}, {"mov_sat r1, t0\nabs r0, -r1", "mov_sat r0, t0"},
		{"max r0, t0, c5.x\nmax r0, r0, c5.x", "max r0, t0, c5.x"}, {"max r0, t0, c5.x\nmax r0, r0, t0", "max r0, t0, c5.x"},
		{"max r0, t0, c5.w\nmax r0, r0, c5.x", "max r0, t0, c5.x"}, {"max r0, t0, t0", "mov r0, t0"},
		{"max r0, t0, c0\nmax r0, r0, t1", "max r0, t1, c0\nmax r0, t0, r0"}, {"min r0, t0, c0\nmin r0, c0, r0", "min r0, c0, t0"},
		/* twice the maximum is the maximum of twice the operands, and so on */
		{"max r0, t0, c0\nadd r0, r0, r0", "add r1, t0, t0\nadd r2, c0, c0\nmax r0, r1, r2"},
		{"min r0, -t0, c0\nadd r0, r0, r0\nadd r0, r0, r0", "add r1, t0, t0\nadd r2, c0, c0\nadd r1, r1, r1\nadd r2, r2, r2\nmin r0, -r1, r2"},
		{"abs r0, t0\nadd r0, r0, r0\nadd r0, r0, r0\nadd r0, r0, r0", "add r0, t0, t0\nadd r0, r0, r0\nadd r0, r0, r0\nabs r0, r0"},
		{"abs r1, t0\nadd r0, t0, t0\nabs r0, r0\nmax r0, r0, c5.w", "add r0, t0, t0\nabs r0, r0"},
		{"max r0, t0, c5.x\nmin r0, r0, c5.y", "min r0, t0, c5.y\nmax r0, r0, c5.x"},
		{"min r0, t0, c5.y\nmax r0, r0, c5.w", "max r0, -t0, -c5.y\nmin r0, r0, -c5.w\nmov r0, -r0"},
		{"cmp r0, t0, c0, c0", "mov r0, c0"}, {"abs r0, t0\nabs r0, r0", "abs r0, t0"}, {"abs r1, t0\nmax r0, r1, c5.w", "abs r0, t0"},
		{"frc r0, t0\nmov_sat r0, r0", "frc r0, t0"}, {"frc r0, t0\nfrc r0, r0", "frc r0, t0"},
		{"exp r0, c5.x", "mov r0, c5.y"}, {"rsq r0, c5.y", "mov r0, c5.y"}, {"rsq r0, -c5.y", "mov r0, c5.y"},
		{"log r0, c5.y", "mov r0, c5.x"}, {"exp r0, t0.x\nabs r0, r0", "exp r0, t0.x"}, {"rsq r0, t0.x\nmax r0, r0, c5.x", "rsq r0, t0.x"},
		{"abs r1, t0\ncmp r0, r1, c0, t0", "mov r0, c0"},
		{"mov r1, c5\nsub_sat r0, r1.y, t0\nsub r0, r1.y, r0", "mov_sat r0, t0"},
		{"mov r1, c5\nmov_sat r0, t0\nsub_sat r0, r1.y, r0", "mov r1, c5\nsub_sat r0, r1.y, t0"},
		{"mov r1, c5\nfrc r0, t0\nsub_sat r0, r1.y, r0", "mov r1, c5\nfrc r0, t0\nsub r0, r1.y, r0"},
		{"mov_sat r0, -t0\nmov r0, -r0", "max r0, t0, -c5.y\nmin r0, r0, c5.x"},
		{"mov r1, c5\ncmp r0, t0, r1.x, r1.y\nsub r0, r1.y, r0\nmax r0, r0, c5.x", "mov r1, c5\ncmp r0, t0, r1.y, r1.x"},
		{"max r0, t0, c0\nabs r0, r0\nmax r0, r0, c5.x", "max r0, t0, c0\nabs r0, r0"},
		{"min r0, t0, c0\nabs r0, r0\nabs r0, -r0", "max r0, -t0, -c0\nabs r0, r0"},
	};
	static const struct lines others[] = {
		{"max r0, t0, c0\nadd r0, r0, r0", "add r1, t0, t0\nmax r0, r1, c0"}, {"max r0, t0, c0\nadd r0, r0, r0", "max r0, t0, c0"},
		{"max r0, t0, c0\nadd r0, r0, r0", "add r1, t0, t0\nadd r2, c0, c0\nadd r2, r2, r2\nmax r0, r1, r2"},
		{"max r0, t0, c0\nadd r0, r0, r0", "add r1, t0, t0\nadd r2, c0, c0\nmin r0, r1, r2"},
		{"mov r1, c5\nsub_sat r0, r1.z, t0\nsub r0, r1.z, r0", "mov_sat r0, t0"},
		{"mov r1, c5\nsub_sat r0, r1.y, t0", "mov_sat r0, t0"}, {"mov_sat r0, t0\nmov r0, -r0", "mov_sat r0, -t0"},
		{"max r0, t0, c5.w\nmin r0, r0, c7.y", "mov_sat r0, t0"},
		{"add_sat r0, t0, c5.y\nsub r0, r0, c5.y", "mov_sat r0, t0"},
		{"max r0, t0, c0\nmax r0, r0, c5.x", "max r0, t0, c0"}, {"min r0, t0, c0\nabs r0, r0", "min r0, t0, c0"},
	};
	check_lines(*state, rows, sizeof rows / sizeof *rows, true);
	check_lines(*state, others, sizeof others / sizeof *others, false);
}

/* Checks that a number that is added and subtracted again stays, in any unit and with either sign. */
ARENA_TEST(sums_that_round_are_functions)
{
	struct arena *a = *state;
#define BODY(lines) "def c5, 12582912, 3145728, 4, 0.25\ndef c6, 50331648, 25165824, 0.5, 0\n" lines "mov oC0, r0\n"
	const char *good = BODY("add r0, t0, c5.x\nsub r0, r0, c5.x\n");
	same(a, good, BODY("mad r0, t0, c5.z, c6.x\nsub r0, r0, c6.x\nmul r0, r0, c5.w\n"));
	same(a, good, BODY("sub r0, c5.x, -t0\nmov r1, c5\nsub r0, r1.x, r0\nmov r0, -r0\n"));
	same(a, good, BODY("add r0, t0, c5.x\nsub r0, r0, c5.y\nsub r0, r0, c5.y\nsub r0, r0, c5.y\nsub r0, r0, c5.y\n"));
	other(a, good, BODY("mov r0, t0\n"));
	other(a, good, BODY("add r0, t0, c5.y\nsub r0, r0, c5.y\n"));
	other(a, good, BODY("add r0, t0, c6.x\nsub r0, r0, c6.x\n"));
	other(a, good, BODY("mul r0, t0, c6.z\nadd r0, r0, c5.x\nsub r0, r0, c5.x\nadd r0, r0, r0\n"));
	other(a, BODY("add r0, t0, c5.x\nadd r0, r0, t1\nsub r0, r0, c5.x\n"), BODY("add r0, t0, c5.x\nsub r0, r0, c5.x\nadd r0, r0, t1\n"));
#undef BODY
#define STAGES(vs, ps) "vs_1_1\ndef c90, 49152, -49152, 0, 0\ndcl_position v0\ndcl_texcoord0 v1\nmov oPos, v0\n" vs, "ps_2_0\ndef c0, 49152, -49152, 0, 0\ndcl t0\n" ps
	assert_false(prove_text(a, STAGES("add oT0, v1, c90.x\n", "add r0, t0, c0.y\nmov oC0, r0\n"),
	                        STAGES("mov oT0, v1\n", "mov r0, t0\nmov oC0, r0\n"), NULL).equal);
	assert_false(prove_text(a, STAGES("add r0, v1, c90.x\nadd oT0, r0, c90.y\n", "mov r0, t0\nmov oC0, r0\n"),
	                        STAGES("mov oT0, v1\n", "mov r0, t0\nmov oC0, r0\n"), NULL).equal);
#undef STAGES
}

/* Checks that 1 + c3.y, the fraction of c3.y, is known as a number only if it is computed from numbers alone. */
ARENA_TEST(numbers_that_show_late)
{
	struct arena *a = *state;
#define LATE "def c3, 0.25, -0.9375, 0, 0\nrcp r3.w, t0.y\nmad r3, t0.y, r3.w, c3.y\n"
	same(a, LATE "abs r4, r3\nfrc r5, c3.y\nmul r0, r4, r5\nmov oC0, r0\n", LATE "frc r5, c3.y\nmul r0, r5, r5\nmov oC0, r0\n");
	other(a, LATE "abs r4, r3\nfrc r5, c3.y\nmul r0, r4, r5\nmov oC0, r0\n", LATE "frc r5, c3.y\nmul r0, r5, -r5\nmov oC0, r0\n");
	same(a, LATE "max r0, r3, -r3\nmov oC0, r0\n", LATE "frc r0, c3.y\nmov oC0, r0\n");
	same(a, LATE "cmp r0, r3, t0, t1\nmov oC0, r0\n", LATE "frc r1, c3.y\nmad r0, r1, c3.z, t0\nmov oC0, r0\n");
	other(a, LATE "cmp r0, r3, t0, t1\nmov oC0, r0\n", LATE "frc r1, c3.y\nmad r0, r1, c3.z, t1\nmov oC0, r0\n");
	other(a, LATE "max r0, r3, -r3\nmov oC0, r0\n", LATE "frc r0, c3.x\nmov oC0, r0\n");
#undef LATE
}

ARENA_TEST(texkills_are_a_set)
{
	struct arena *a = *state;
#define KILLS(text) "mov r1, t0\nmov_sat r2, t0\nmov r3, t0\nmov r3.z, t0.x\nmov r4, t0\nmov r4.w, t0.y\nmov r5, t0.wzyx\n" text "mov r0, t0\nmov oC0, r0\n"
	same(a, KILLS("texkill t0\ntexkill t1\n"), KILLS("texkill t1\ntexkill t0\n"));
	same(a, KILLS("texkill t0\n"), KILLS("texkill t0\ntexkill t0\n"));
	same(a, KILLS("texkill t0\n"), KILLS("texkill t0\ntexkill r1\n"));
	same(a, KILLS("texkill t0\n"), KILLS("texkill t0\ntexkill r3\n")); /* x, y, x and w are tested */
	same(a, KILLS("texkill t0\n"), KILLS("texkill t0\ntexkill r4\n"));
	same(a, KILLS(""), KILLS("texkill r2\n"));
	other(a, KILLS("texkill t0\n"), KILLS("texkill r3\n"));
	other(a, KILLS("texkill t0\n"), KILLS("texkill r4\n")); /* some drivers test w */
	other(a, KILLS("texkill t0\n"), KILLS("texkill t0\ntexkill r5\n")); /* and others do not */
	other(a, KILLS("texkill t0\n"), KILLS(""));
	other(a, KILLS("texkill t0\ntexkill t1\n"), KILLS("texkill t0\n"));
	other(a, KILLS("texkill t0\n"), KILLS("mov r1, -r1\ntexkill r1\n"));
#undef KILLS
}

/* c5 holds (0, 1, -1, 0.5), r0 a texel, and r1 to r3 values of the pixel. */
#define VALUES "def c5, 0, 1, -1, 0.5\ndef c6, 2, -2, 3, -0.5\nmov r9, c5\nmov r10, c6\n" \
	"texld r0, t0, s0\nadd r1, r0, -c0.x\nadd r2, r0.w, -c1.x\nmad r3, r0, c0.y, t1\n"
#define RESULT "mov oC0, r4\n"

ARENA_TEST(texkill_asks_for_the_sign)
{
	struct arena *a = *state;
#define KILLS(text) VALUES text "mov r4, r0\n" RESULT
	static const char *const tests[][3] = {
		/* the same as texkill r1, and a similar text that is not */
		{"texkill r1\n", "cmp r4, r1, c5.x, c5.y\nmov r4, -r4\ntexkill r4\n", "cmp r4, r1, c5.x, c5.y\ntexkill r4\n"},
		{"texkill r1\n", "cmp r4, r1, c5.x, c5.z\ntexkill r4\n", "cmp r4, r1, c5.z, c5.x\ntexkill r4\n"},
		{"texkill r1\n", "cmp r4, r1, c5.y, c5.z\ntexkill r4\n", "cmp r4, -r1, c5.y, c5.z\ntexkill r4\n"},
		{"texkill r1\n", "cmp r4, r1, c5.y, c5.x\nadd r4, r4, -r9.w\ntexkill r4\n", "cmp r4, r1, c5.y, c5.x\nadd r4, r4, r9.w\ntexkill r4\n"},
		{"texkill r1\n", "cmp r4, r1, c6.x, c6.w\ntexkill r4\n", "cmp r4, r1, c6.w, c6.x\ntexkill r4\n"},
		{"texkill r1\n", "cmp r4, r1, c5.x, c5.y\nmul r4, r4, c6.y\ntexkill r4\n", "cmp r4, r1, c5.x, c5.y\nmul r4, r4, c6.x\ntexkill r4\n"},
		{"texkill r1\n", "cmp r4, r1, c5.x, c5.y\ncmp r4, -r4, c5.y, c5.z\ntexkill r4\n", "cmp r4, r1, c5.x, c5.y\ncmp r4, r4, c5.y, c5.z\ntexkill r4\n"},
		{"texkill r1\n", "cmp r4, r1, c5.y, c5.x\nadd r4, r9.y, -r4\nmov r4, -r4\ntexkill r4\n", "cmp r4, r1, c5.x, c5.y\nadd r4, r9.y, -r4\nmov r4, -r4\ntexkill r4\n"},
		{"texkill r1\n", "mul r4, r1, c6.x\ntexkill r4\n", "mul r4, r1, c6.y\ntexkill r4\n"},
		{"texkill r1\n", "min r4, r1, c5.y\ntexkill r4\n", "min r4, r1, c5.z\ntexkill r4\n"},
		{"texkill r1\n", "mul r4, r1, c6.z\nmul r4, r4, c5.w\ntexkill r4\n", "mul r4, r1, c6.z\nmul r4, r4, c6.w\ntexkill r4\n"},
		{"texkill r1\n", "cmp r4, r1.x, c5.x, c5.z\ntexkill r4\nmov r4, r1.y\ntexkill r4\nmov r4, r1.z\ntexkill r4\nmov r4.xyz, r9.x\nmov r4.w, r1.w\ntexkill r4\n",
		 "cmp r4, r1.x, c5.x, c5.z\ntexkill r4\nmov r4, r1.y\ntexkill r4\nmov r4, r1.w\ntexkill r4\n"},
		{"texkill r1\ntexkill r2\n", "min r4, r1, r2\ntexkill r4\n", "max r4, r1, r2\ntexkill r4\n"},
		{"texkill r1\ntexkill r2\n", "min r4, r1, r2\nmul r4, r4, c6.z\ntexkill r4\n", "max r4, r1, r2\nmul r4, r4, c6.z\ntexkill r4\n"},
		{"texkill r1\ntexkill r2\n", "cmp r4, r1, c5.x, c5.y\ncmp r5, r2, c5.x, c5.y\nadd r4, -r4, -r5\ntexkill r4\n",
		 "cmp r4, r1, c5.x, c5.y\ncmp r5, r2, c5.x, c5.y\nadd r4, -r4, r5\ntexkill r4\n"},
		{"texkill r1\ntexkill r2\n", "cmp r4, r1, c5.x, c5.y\ncmp r5, r2, c5.x, c5.y\nmax r4, r4, r5\nmov r4, -r4\ntexkill r4\n",
		 "cmp r4, r1, c5.x, c5.y\ncmp r5, r2, c5.x, c5.y\nmul r4, r4, r5\nmov r4, -r4\ntexkill r4\n"},
		{"texkill r1\ntexkill r2\n", "cmp r4, r1, c5.y, c5.x\ncmp r5, r2, c5.y, c5.x\nmul r4, r4, r5\nadd r4, r4, -r9.w\ntexkill r4\n",
		 "cmp r4, r1, c5.y, c5.x\ncmp r5, r2, c5.y, c5.x\nadd r4, r4, r5\nadd r4, r4, -r9.w\ntexkill r4\n"},
		/* below 0 only if both operands are */
		{"max r4, r1, r2\ntexkill r4\n", "max r4, r1, r2\ncmp r4, r4, c5.x, c5.z\ntexkill r4\n", "texkill r1\n"},
		{"cmp r4, r1, c5.x, c5.y\ncmp r5, r2, c5.x, c5.y\nmul r4, r4, -r5\ntexkill r4\n",
		 "cmp r4, r1, c5.y, c5.x\ncmp r5, r2, c5.y, c5.x\nmax r4, r4, r5\nadd r4, r4, -r9.y\ntexkill r4\n", "texkill r1\n"},
		/* > is not >= */
		{"cmp r4, r1, c5.z, c5.x\ntexkill r4\n", "cmp r4, r1, c5.y, c5.x\nmov r4, -r4\ntexkill r4\n", "mov r4, -r1\ntexkill r4\n"},
		{"mov r4, -r1\ntexkill r4\n", "cmp r4, -r1, c5.x, c5.z\ntexkill r4\n", "cmp r4, r1, c5.z, c5.x\ntexkill r4\n"},
		{"texkill r1\n", "cmp r4, r1, c5.x, c5.y\ncmp r4, -r4, c5.x, c5.z\ntexkill r4\n", "cmp r4, -r1, c5.x, c5.y\ncmp r4, -r4, c5.z, c5.x\ntexkill r4\n"},
		/* all pixels, and none */
		{"texkill r9.z\n", "cmp r4, r1, c5.y, c5.x\nmov r5, -c6.x\nadd r4, r4, r5\ntexkill r4\n", "texkill r1\n"},
		{"", "cmp r4, r1, c5.y, c5.x\ntexkill r4\n", "mul r4, r2, r1\ntexkill r4\n"},
		/* another value, factor or limit */
		{"texkill r1\n", "cmp r4, r1.xyzw, c5.x, c5.z\ntexkill r4\n", "cmp r4, r2, c5.x, c5.z\ntexkill r4\n"},
		{"texkill r1\n", "cmp r4, r1, c6.z, c6.w\ntexkill r4\n", "add r4, r1, c5.y\ncmp r4, r4, c5.x, c5.z\ntexkill r4\n"},
		{"texkill r1\n", "cmp r4, r1, c5.x, c5.z\ntexkill r4\n", "mul r4, r1, r3\ntexkill r4\n"},
		{"texkill r1\n", "cmp r4, r1, c5.x, c5.z\ntexkill r4\n", "mul r4, r1, c2.x\ntexkill r4\n"},
	};
	for (unsigned k = 0; k < sizeof tests / sizeof *tests; k++) {
		const char *text[3];
		for (unsigned s = 0; s < 3; s++)
			text[s] = arena_printf(a, KILLS("%s"), tests[k][s]);
		same(a, text[0], text[1]);
		same(a, text[1], text[0]);
		other(a, text[0], text[2]);
		other(a, text[2], text[1]);
	}
	same(a, KILLS("mul r4, r2, r2\ntexkill r4\n"), KILLS(""));
	same(a, KILLS("exp r4, r2.x\nmul r4, r4, r10.x\ntexkill r4\n"), KILLS(""));
	same(a, KILLS("max r4, r2, c5.w\nmul r4, r4, c6.z\ntexkill r4\n"), KILLS(""));
	other(a, KILLS("max r4, r2, c5.w\nmul r4, r4, c6.w\ntexkill r4\n"), KILLS(""));
	same(a, KILLS("mov_sat r4, r2\nmul r4, r4, r10.x\ntexkill r4\n"), KILLS(""));
	other(a, KILLS("mov_sat r4, r2\nmul r4, r4, r10.y\ntexkill r4\n"), KILLS(""));
	other(a, KILLS("exp r4, r2.x\nmul r4, r4, r10.y\ntexkill r4\n"), KILLS(""));
	same(a, KILLS("mul r4, r1, c6.z\ntexkill r4\n"), KILLS("texkill r1\n"));
	other(a, KILLS("cmp r4, r1, c5.x, c5.z\nmov r4.w, r9.x\ntexkill r4\n"), KILLS("texkill r1\n")); /* some drivers test w */
	other(a, KILLS("cmp r4, r1, c5.x, c5.z\nmov r4.y, r9.x\ntexkill r4\n"), KILLS("texkill r1\n"));
#undef KILLS
}

/* Checks that the second program equals the first, if `both_ways` also the other way round, and that the third does not. */
static void compare_three(struct arena *a, const char *const bodies[3], bool both_ways)
{
	const char *text[3];
	for (unsigned s = 0; s < 3; s++)
		text[s] = arena_printf(a, VALUES "mov r4, r3.x\n%s" RESULT, bodies[s]);
	same(a, text[0], text[1]);
	other(a, text[0], text[2]);
	if (both_ways) {
		same(a, text[1], text[0]);
		other(a, text[2], text[1]);
	}
}

ARENA_TEST(choices_are_made_by_conditions)
{
	struct arena *a = *state;
	static const char *const tests[][3] = {
		/* the same as the first, and a similar text that is not */
		{"cmp r4, r1, r2, r3\n", "cmp r4, r1, c5.x, c5.y\nabs r4, r4\ncmp r4, -r4, r2, r3\n", "cmp r4, r1, c5.x, c5.y\nabs r4, r4\ncmp r4, r4, r2, r3\n"},
		{"cmp r4, r1, r2, r3\n", "cmp r4, r1, c5.x, c5.y\ncmp r4, -r4, r2, r3\n", "cmp r4, r1, c5.y, c5.x\ncmp r4, -r4, r2, r3\n"},
		{"cmp r4, r1, r2, r3\n", "cmp r4, r1, c5.y, c5.x\ncmp r4, -r4, r3, r2\n", "cmp r4, -r1, c5.x, c5.y\ncmp r4, -r4, r3, r2\n"},
		{"cmp r4, r1, r2, r3\n", "cmp r4, r1, c5.y, c5.x\nadd r4, r9.y, -r4\ncmp r4, -r4, r2, r3\n", "cmp r4, r1, c5.y, c5.x\nadd r4, r9.z, -r4\ncmp r4, -r4, r2, r3\n"},
		{"cmp r4, r1, r2, r3\n", "cmp r4, r1, c6.x, c6.y\nmul r4, r4, c6.z\ncmp r4, r4, r2, r3\n", "cmp r4, r1, c6.x, c6.y\nmul r4, r4, c6.w\ncmp r4, r4, r2, r3\n"},
		{"cmp r4, r1, r2, r3\n", "cmp r4, r1, c5.y, c5.z\nmin r4, r4, c5.x\ncmp r4, r4, r2, r3\n", "cmp r4, r1, c5.y, c5.z\nmax r4, r4, c5.x\ncmp r4, r4, r2, r3\n"},
		{"cmp r4, r1, c5.x, c5.y\n", "cmp r4, r1, c5.x, c5.y\ncmp r4, -r4, c5.x, c5.y\n", "cmp r4, r1, c5.x, c5.y\ncmp r4, -r4, c5.y, c5.x\n"},
		{"mul_sat r4, r2, r2\n", "mul r4, r2, r2\nabs r4, r4\nmov_sat r4, r4\n", "mul r4, r2, r1\nabs r4, r4\nmov_sat r4, r4\n"},
		{"dp3 r4, r1, r1\n", "dp3 r4, r1, r1\nabs r4, r4\n", "dp3 r4, r1, r2\nabs r4, r4\n"},
		{"cmp r4, r1, c5.y, c5.x\nmul r4, r4, r2\n", "cmp r4, r1, r2, c5.x\n", "cmp r4, r1, c5.x, r2\n"},
		/* One of x and -x is not below 0. */
		{"cmp r4, -r1, c5.x, c5.y\ncmp r2, r1, c5.x, c5.z\nadd r4, r4, r2\n", "cmp r2, r1, c5.x, c5.z\ncmp r4, -r1, r2, c5.y\n",
		 "cmp r2, r1, c5.x, c5.z\ncmp r4, r1, r2, c5.y\n"},
		{"cmp r4, r1, c5.y, c5.x\ncmp r2, -r1, c5.y, c5.x\nadd r4, r4, -r2\n", "cmp r2, r1, c5.x, c5.z\ncmp r4, -r1, r2, c5.y\n",
		 "cmp r2, r1, c5.z, c5.z\ncmp r4, -r1, r2, c5.y\n"},
		{"cmp r4, -r1, c5.x, c5.y\ncmp r2, r3, c5.x, c5.z\nadd r4, r4, r2\n", "cmp r4, r3, c5.x, c5.z\ncmp r2, -r1, c5.x, c5.y\nadd r4, r4, r2\n",
		 "cmp r2, r3, c5.x, c5.z\ncmp r4, -r1, r2, c5.y\n"},
		{"cmp r4, r1, c5.y, c5.x\nlrp r4, r4, r2, r3\n", "cmp r4, r1, r2, r3\n", "cmp r4, r1, r3, r2\n"},
	};
	for (unsigned k = 0; k < sizeof tests / sizeof *tests; k++)
		compare_three(a, tests[k], true);
}
/* Checks that a factor goes from a normalised vector in the new pair; a factor that only the new pair has would make another root. */
ARENA_TEST(factors_of_normalised_vectors_cancel)
{
	struct arena *a = *state;
#define ROOT "dp3 r2.w, r2, r2\nrsq r2.w, r2.w\nmul r4.xyz, r2, r2.w\n"
	static const char *const tests[][3] = {
		/* the old pair, the same, and a similar text that is not */
		{"mul r2, r1, c5.w\nnrm r4.xyz, r2\n", "nrm r4.xyz, r1\n", "nrm r4.xyz, -r1\n"},
		{"mul r2, r1, c5.w\n" ROOT, "nrm r4.xyz, r1\n", "nrm r4.xyz, r1.yxzw\n"},
		{"add r2, r1, r1\n" ROOT, "nrm r4.xyz, r1\n", "nrm r4.xyz, -r1\n"},
		{"mov r2, r1\nadd r2, r1, r2\n" ROOT, "nrm r4.xyz, r1\n", "nrm r4.xyz, -r1\n"},
		{"mad r2, r1, c6.x, c5.x\n" ROOT, "nrm r4.xyz, r1\n", "nrm r4.xyz, -r1\n"},
		{"mul r2, r1, -c5.w\n" ROOT, "mov r2, -r1\n" ROOT, "mov r2, r1\n" ROOT},
		{"mul r2, r1, c5.w\nmul r2, r2, c6.z\n" ROOT, "mov r2, r1\n" ROOT, "add r2, r1, r1.w\n" ROOT},
		{"mul r2, r1, c5.w\nmul r2, r2, c6.z\n" ROOT, "mul r2, r1, c5.w\n" ROOT, "mul r2, r1, c6\n" ROOT},
		{"mul r2, r1, c6\nnrm r4.xyz, r2\n", "mul r2, r1, c6\n" ROOT, "nrm r4.xyz, r1\n"},
		{"mul r2, r1, c0.x\nnrm r4.xyz, r2\n", "mul r2, r1, c0.x\n" ROOT, "nrm r4.xyz, r1\n"},
	};
#undef ROOT
	for (unsigned k = 0; k < sizeof tests / sizeof *tests; k++)
		compare_three(a, tests[k], false);
}
#undef VALUES
#undef RESULT

ARENA_TEST(functions_see_their_operands)
{
	struct arena *a = *state;
	const char *functions[] = {
		"exp r0, %s.x", "log r0, %s.x", "rsq r0, %s.x", "rcp r0, %s.x", "frc r0, %s", "abs r0, %s",
		"pow r0, %s.x, c2.x", "pow r0, c2.x, %s.x", "max r0, %s, c2", "min r0, c2, %s",
		"cmp r0, %s, c2, -c2", "cmp r0, c2, %s, c2.x", "cmp r0, c2, c2, %s", "mov_sat r0, %s",
		"texld r0, %s, s0", "texld r0, %s, s1", "texldb r0, %s, s0", "texldp r0, %s, s0",
		"texkill %s\nmov r0, c2", "sincos r0.xy, %s.x, c8, c9\nmov r0.zw, c2",
	};
	for (size_t k = 0; k < sizeof functions / sizeof *functions; k++) {
		const char *text[2];
		for (unsigned s = 0; s < 2; s++) {
			struct text t = {.arena = a};
			const char *hole = strstr(functions[k], "%s");
			text_string(&t, "mov r1, t");
			text_string(&t, s ? "1\n" : "0\n");
			text_bytes(&t, functions[k], (size_t)(hole - functions[k]));
			text_string(&t, "r1");
			text_string(&t, hole + 2);
			text_string(&t, "\nmov oC0, r0\n");
			text[s] = t.at;
		}
		same(a, text[0], text[0]);
		other(a, text[0], text[1]);
	}
	other(a, "texld r0, t0, s0\nmov oC0, r0\n", "texldb r0, t0, s0\nmov oC0, r0\n");
	other(a, "mov r1.xyz, t0\nmov r1.w, c0.x\ntexldb r0, r1, s0\nmov oC0, r0\n",
	      "mov r1.xyz, t0\nmov r1.w, c0.y\ntexldb r0, r1, s0\nmov oC0, r0\n");
}

ARENA_TEST(a_texture_reads_as_many_lanes_as_it_has)
{
	struct arena *a = *state;
	same(a, "mov r1.xy, t0\ntexld r0, r1, s0\nmov oC0, r0\n", "mov r1.xy, t0\nmov r1.z, c0.x\ntexld r0, r1, s0\nmov oC0, r0\n");
	other(a, "mov r1, t0\ntexld r0, r1, s1\nmov oC0, r0\n", "mov r1.xy, t0\nmov r1.z, c0.x\ntexld r0, r1, s1\nmov oC0, r0\n");
	struct proof p = prove_text(a, VS_PLAIN VS_END, "ps_2_0\ndcl t0\ndcl_cube s0\ntexld r0, t0, s0\nmov oC0, r0\n",
	                            VS_PLAIN VS_END, "ps_2_0\ndcl t0\ndcl_volume s0\ntexld r0, t0, s0\nmov oC0, r0\n", NULL);
	assert_false(p.equal);
}

/* Proves two pairs that differ only in the coordinate of a texture that may be one of depths. */
static bool depths_equal(struct arena *a, const char *vs1, const char *ps1, const char *vs2, const char *ps2, unsigned plain)
{
	static const char vs[] = "vs_1_1\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\n";
	static const char end[] = "mov oC0, r0\n";
	return prove_text(a, arena_printf(a, "%s%s", vs, vs1), arena_printf(a, "ps_2_0\ndcl_2d s0\n%s%s", ps1, end),
	                  arena_printf(a, "%s%s", vs, vs2), arena_printf(a, "ps_2_0\ndcl_2d s0\n%s%s", ps2, end),
	                  &(struct proof_context){.plain_textures = plain}).equal;
}

#define XYZ "dcl t0.xyz\n"
#define XY  "dcl t0.xy\n"

ARENA_TEST(depths_count_where_they_were_written)
{
	struct arena *a = *state;
	static const struct { const char *name, *vs1, *ps1, *vs2, *ps2; bool equal; } rows[] = {
		{"a z of an interpolator", "mov oT0, v1\n", XYZ "texld r0, t0, s0\n", "mov oT0, v1.xyxw\n", XYZ "texld r0, t0, s0\n", false},
		{"... that the dcl leaves out", "mov oT0, v1\n", XY "texld r0, t0, s0\n", "mov oT0, v1.xyxw\n", XY "texld r0, t0, s0\n", true},
		{"... that the new dcl leaves out", "mov oT0, v1\n", XYZ "texld r0, t0, s0\n", "mov oT0, v1\n", XY "texld r0, t0, s0\n", false},
		{"... that the VP leaves out", "mov oT0.xy, v1\n", XYZ "texld r0, t0, s0\n", "mov oT0.xyz, v1\n", XYZ "texld r0, t0, s0\n", true},
		{"... that the new VP leaves out", "mov oT0, v1\n", XYZ "texld r0, t0, s0\n", "mov oT0.xy, v1\n", XYZ "texld r0, t0, s0\n", false},
		{"a bias", "mov oT0, v1\n", XYZ "mov r1.xy, t0\nadd r1.z, t0.z, c0.x\ntexld r0, r1, s0\n", "mov oT0, v1\n",
		 XYZ "mov r1.xyz, t0\ntexld r0, r1, s0\n", false},
		{"a lane of r1 that nothing wrote", "mov oT0, v1\n", XYZ "mov r1.xy, t0\ntexld r0, r1, s0\n", "mov oT0, v1\n",
		 XYZ "texld r0, t0, s0\n", true},
		{"a copy of one", "mov oT0, v1\n", XYZ "mov r2, r1\nmov r1.xy, t0\nmov r1.z, r2.x\ntexld r0, r1, s0\n", "mov oT0, v1\n",
		 XYZ "texld r0, t0, s0\n", true},
		{"a copy of one that the VP leaves out", "mov oT0.xy, v1\n", XYZ "mov r1.xyz, t0\ntexld r0, r1, s0\n", "mov oT0.xy, v1\n",
		 XYZ "texld r0, t0, s0\n", true},
		{"... and of one that it writes", "mov oT0, v1\n", XYZ "mov r1.xyz, t0\ntexld r0, r1, s0\n", "mov oT0, v1\n",
		 XYZ "mov r1.xy, t0\nmov r1.z, c0.x\ntexld r0, r1, s0\n", false},
		{"texldp divides z", "mov oT0, v1\n", "dcl t0\ntexldp r0, t0, s0\n", "mov oT0, v1\n",
		 "dcl t0\nrcp r1.w, t0.w\nmul r1.xyz, t0, r1.w\ntexld r0, r1, s0\n", true},
		{"... and texld does not", "mov oT0, v1\n", "dcl t0\ntexldp r0, t0, s0\n", "mov oT0, v1\n",
		 "dcl t0\nrcp r1.w, t0.w\nmul r1.xy, t0, r1.w\nmov r1.z, t0.z\ntexld r0, r1, s0\n", false},
		{"two reads with different z", "mov oT0, v1\n",
		 XYZ "mov r1.xy, t0\nmov r1.z, c0.x\ntexld r2, r1, s0\nmov r1.z, c0.y\ntexld r0, r1, s0\nsub r0, r2, r0\n", "mov oT0, v1\n",
		 XYZ "mov r1.xy, t0\nmov r1.z, c0.y\ntexld r2, r1, s0\nmov r1.z, c0.x\ntexld r0, r1, s0\nsub r0, r2, r0\n", false},
		{"a read beside one at no z", "mov oT0, v1\n",
		 XYZ "mov r1.xy, t0\ntexld r2, r1, s0\nmov r1.z, c0.x\ntexld r0, r1, s0\nadd r0, r2, r0\n", "mov oT0, v1\n",
		 XYZ "texld r0, t0, s0\nadd r0, r0, r0\n", false},
		{"... which may take any", "mov oT0, v1\n",
		 XYZ "mov r1.xy, t0\ntexld r2, r1, s0\nmov r1.z, c0.x\ntexld r0, r1, s0\nadd r0, r2, r0\n", "mov oT0, v1\n",
		 XYZ "texld r2, t0, s0\nmov r1.xy, t0\nmov r1.z, c0.x\ntexld r0, r1, s0\nadd r0, r2, r0\n", true},
		{"... also this one's, for more than one sum", "mov oT0, v1\n",
		 XYZ "mov r1.xy, t0\ntexld r2, r1, s0\nmov r1.z, c0.x\ntexld r0, r1, s0\nmad r0, r2, c1, r0\n", "mov oT0, v1\n",
		 XYZ "mov r1.xy, t0\nmov r1.z, c0.x\ntexld r0, r1, s0\ntexld r2, r1, s0\nmad r0, r2, c1, r0\n", true},
		{"... but not this one any", "mov oT0, v1\n",
		 XYZ "mov r1.xy, t0\ntexld r2, r1, s0\nmov r1.z, c0.x\ntexld r0, r1, s0\nmad r0, r2, c1, r0\n", "mov oT0, v1\n",
		 XYZ "mov r1.xy, t0\nmov r1.z, c0.x\ntexld r2, r1, s0\ntexld r0, t0, s0\nmad r0, r2, c1, r0\n", false},
		{"a z left over beside one at no z", "mov oT0, v1\n",
		 XYZ "mov r1.xy, t0\ntexld r2, r1, s0\nmov r1.z, c0.x\ntexld r0, r1, s0\nadd r0, r2, r0\nadd r0, r0, r1.z\n", "mov oT0, v1\n",
		 XYZ "texld r0, t0, s0\nadd r0, r0, r0\nadd r0, r0, c0.x\n", true},
		{"... that the dcl alone leaves out", "mov oT0, v1\n",
		 XY "texld r2, t0, s0\nmov r1.xy, t0\nmov r1.z, c0.x\ntexld r0, r1, s0\nadd r0, r2, r0\nadd r0, r0, r1.z\n", "mov oT0, v1\n",
		 XY "texld r0, t0, s0\nadd r0, r0, r0\nadd r0, r0, c0.x\n", false},
		{"two reads that none of the old pair is like", "mov oT0, v1\n",
		 XYZ "texld r0, t0, s0\nsub r0, r0, r0\n", "mov oT0, v1\n",
		 XYZ "mov r1.xy, t0\nmov r2.xy, t0\nmov r1.z, c0.x\nmov r2.z, c0.y\ntexld r0, r1, s0\ntexld r1, r2, s0\nsub r0, r0, r1\n", false},
		{"... whose result nobody needs", "mov oT0, v1\n",
		 XYZ "mov r1.xy, t0\ntexld r2, r1, s0\nmov r1.z, c0.x\ntexld r0, r1, s0\n", "mov oT0, v1\n", XYZ "texld r0, t0, s0\n", false},
	};
	for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++) {
		if (depths_equal(a, rows[k].vs1, rows[k].ps1, rows[k].vs2, rows[k].ps2, 0) != rows[k].equal)
			fail_msg("%s", rows[k].name);
		if (rows[k].equal && !depths_equal(a, rows[k].vs1, rows[k].ps1, rows[k].vs2, rows[k].ps2, 1))
			fail_msg("%s: of a plain texture", rows[k].name);
	}
	assert_true(depths_equal(a, rows[0].vs1, rows[0].ps1, rows[0].vs2, rows[0].ps2, 1));
	assert_false(depths_equal(a, rows[0].vs1, rows[0].ps1, rows[0].vs2, rows[0].ps2, 2));
}

/* Checks that texld without a .z is allowed if a comment names Microsoft's compiler, as HLSL asks for no .z there. */
ARENA_TEST(depths_count_unless_hlsl_asks_for_none)
{
	struct arena *a = *state;
	static const char hlsl[] = "// Generated by Microsoft (R) HLSL Shader Compiler 9.29.952.3111\n", vs[] = "vs_1_1\ndcl_position v0\n"
	                  "dcl_texcoord v1\nmov oPos, v0\nmov oT0, v1\n";
	static const struct { const char *comment, *read; bool equal; } rows[] = {
		{hlsl, "texld r0, r1, s0\n", true},
		{hlsl, "texldp r0, r1, s0\n", false},
		{hlsl, "texldb r0, r1, s0\n", false},
		{"//\n//  Generated by Microsoft (R) D3DX9 Shader Compiler 9.12.589.0000\n", "texld r0, r1, s0\n", true},
		{"// Generated by Microsoft (R) D3DX9 Shader Assembler\n", "texld r0, r1, s0\n", false},
		{"// cgc version 3.1.0013, build date Apr 24 2012\n", "texld r0, r1, s0\n", false},
		{"// as if Generated by Microsoft (R) HLSL Shader Compiler 9.29.952.3111\n", "texld r0, r1, s0\n", false},
		{"", "texld r0, r1, s0\n", false},
	};
	for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++) {
		const char *old = arena_printf(a, "%sps_2_0\ndcl_2d s0\ndcl t0\nmov r1, t0\nmov r1.z, c0.x\n%smov oC0, r0\n", rows[k].comment, rows[k].read);
		const char *new = arena_printf(a, "ps_2_0\ndcl_2d s0\ndcl t0\nmov r1, t0\nmov r1.z, c1.x\n%smov oC0, r0\n", rows[k].read);
		if (prove_text(a, vs, old, vs, new, &(struct proof_context){0}).equal != rows[k].equal)
			fail_msg("%s%s", rows[k].comment, rows[k].read);
		if (rows[k].equal && prove_text(a, vs, new, vs, old, &(struct proof_context){0}).equal)
			fail_msg("%s: said of the new program only", rows[k].comment);
	}
}

/* --- vertex programs ---------------------------------------------------------------- */

static struct proof vertex_bodies(struct arena *a, const char *one, const char *two)
{
	const char *ps = "ps_2_0\ndcl t0\nmov r0, t0\nmov oC0, r0\n";
	return prove_text(a, arena_printf(a, VS_PLAIN "mov oPos, v0\n%s", one), ps,
	                  arena_printf(a, VS_PLAIN "mov oPos, v0\n%s", two), ps, NULL);
}

ARENA_TEST(vertex_opcodes)
{
	struct arena *a = *state;
	static const struct { const char *one, *two; bool equal; } rows[] = {
		{"sge oT0, v1, c0", "mov r0, c0\nslt r0, v1, r0\nmov r1, c1\nsge r1, r1, r1\nsub oT0, r1, r0", true},
		{"slt oT0, v1, v1", "sub oT0, v1, v1", true},
		{"sge oT0, v1, c0", "sge oT0, v1, c1", false},
		{"lit oT0, v1", "lit oT0, v1", true},
		{"lit oT0, v1", "lit oT0, v1.yxzw", false},
		{"lit oT0, v1", "lit oT0, v1.xyww", true}, /* z is not read */
		{"dst oT0, v1, v1.yxwz", "dst oT0, v1.xyzx, v1.xxxz", true},
		{"dst oT0, v1, v1", "dst oT0, v1, v1.xyzz", false},
		{"dst oT0, v1, v1", "dst oT0, v1.xyzx, v1.xyxw", true},
		{"expp oT0, v1.x", "expp oT0, v1.y", false},
		{"logp oT0, v1.x", "logp oT0, -v1.x", true},
		{"logp oT0, v1.x", "logp oT0, v1.y", false},
		{"mov r0, v1\nexpp r0.y, r0.x\nmov oT0, r0.y", "frc r0.y, v1.xxxx\nmov oT0, r0.y", true},
		{"mov a0.x, v1.x\nmov oT0, c[a0.x + 3]", "mov a0.x, v1.x\nmov oT0, c[a0.x + 3]", true},
		{"mov a0.x, v1.x\nmov oT0, c[a0.x + 3]", "mov a0.x, v1.x\nmov oT0, c[a0.x + 4]", false},
		{"mov a0.x, v1.x\nmov oT0, c[a0.x + 3]", "mov a0.x, v1.y\nmov oT0, c[a0.x + 3]", false},
		{"mov a0.x, v1.x\nm4x4 oT0, v1, c[a0.x + 3]",
		 "mov a0.x, v1.x\ndp4 oT0.x, v1, c[a0.x + 3]\ndp4 oT0.y, v1, c[a0.x + 4]\n"
		 "dp4 oT0.z, v1, c[a0.x + 5]\ndp4 oT0.w, v1, c[a0.x + 6]", true},
		{"mov oT0, v1\nmov oFog, v1.x", "mov oT0, v1\nmov oFog, v1.y", false},
		{"mov oT0, v1\nmov oPts, v1.x", "mov oT0, v1", false},
		{"mov oT0, v1\nmov oFog, v1.x", "mov oT0, v1\nmov oFog.x, v1.x", true},
		{"mov oT0, v1", "mov oT0, v1\nmov oT3, v2\nmov oD1, v2", true}, /* nothing reads those */
	};
	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
		struct proof p = vertex_bodies(a, arena_printf(a, "%s\n", rows[k].one), arena_printf(a, "%s\n", rows[k].two));
		if (p.equal != rows[k].equal)
			print_error("%s\n--- and\n%s\n--- %s\n", rows[k].one, rows[k].two, p.why ? p.why : "equal");
		assert_int_equal(p.equal, rows[k].equal);
	}
}

ARENA_TEST(vs_2_0_opcodes)
{
	struct arena *a = *state;
	const char *ps = "ps_2_0\ndcl t0\nmov r0, t0\nmov oC0, r0\n";
	static const struct { const char *one, *two; bool equal; } rows[] = {
		{"mova a0.x, v1.x\nmov oT0, c[a0.x]", "mov r0, v1\nmova a0.x, r0.x\nmov oT0, c[a0.x]", true},
		{"mova a0.x, v1.x\nmov oT0, c[a0.x]", "mova a0.x, v1.y\nmov oT0, c[a0.x]", false},
		{"mova a0.x, v1.y\nmov oT0, c[a0.x + 1]", "mova a0, v1\nmov oT0, c[a0.y + 1]", true},
		{"mova a0.y, v1.y\nmov oT0, c[a0.y + 1]", "mova a0, v1\nmov oT0, c[a0.z + 1]", false},
		{"mova a0.xy, v1\nmov oT0, c[a0.y + 1]", "mova a0.xy, v1\nmova a0.x, v1.z\nmov oT0, c[a0.y + 1]", true},
		{"mova a0.xy, v1\nmov oT0, c[a0.y + 1]", "mova a0.xy, v1\nmova a0.y, v1.z\nmov oT0, c[a0.y + 1]", false},
		{"sgn oT0, v1, r1, r2", "mov r0, c0\nsub r0, r0, r0\nslt r1, v1, r0\nslt r2, -v1, r0\nsub oT0, r2, r1", true},
		{"mov r1, c0\nsgn r0, v1, r1, r2\nadd oT0, r0, r1", "mov r1, c0\nsgn r0, v1, r3, r2\nadd oT0, r0, r1", false},
		{"mov r1, v1\nsgn r0, c0, r2, r1\nadd oT0, r0, v1", "mov r1, v1\nsgn r0, c0, r2, r1\nadd oT0, r0, r1", false},
		{"expp oT0, v1.x", "expp r0.x, v1.x\nmov oT0, r0.x", true},
		{"logp oT0, v1.x", "logp r0.x, v1.x\nmov oT0, r0.x", true},
	};
	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
		const char *head = "vs_2_0\ndcl_position v0\ndcl_texcoord0 v1\nmov oPos, v0\n";
		struct proof p = prove_text(a, arena_printf(a, "%s%s\n", head, rows[k].one), ps,
		                            arena_printf(a, "%s%s\n", head, rows[k].two), ps, NULL);
		if (p.equal != rows[k].equal)
			print_error("%s\n--- and\n%s\n--- %s\n", rows[k].one, rows[k].two, p.why ? p.why : "equal");
		assert_int_equal(p.equal, rows[k].equal);
	}
}

/* --- across the rasterizer ---------------------------------------------------------- */

#define VS_HEAD "vs_1_1\ndcl_position v0\ndcl_texcoord0 v1\ndcl_texcoord1 v2\ndcl_color v3\nmov oPos, v0\n"

ARENA_TEST(affine_work_commutes)
{
	struct arena *a = *state;
	struct const_map map[] = {{.vs = 4, .ps = 0}, {.vs = 5, .ps = 1}};
	struct proof_context context = {.consts = map, .nconsts = 2};
	const char *vs1 = VS_HEAD "mov oT0, v1\n", *ps1 = "ps_2_0\ndcl t0\nmov r1, c1\nmad r0, t0, c0, r1\nmov oC0, r0\n";
	const char *vs2 = VS_HEAD "mov r1, c5\nmad oT0, v1, c4, r1\n", *ps2 = "ps_2_0\ndcl t0\nmov r0, t0\nmov oC0, r0\n";
	assert_true(prove_text(a, vs1, ps1, vs2, ps2, &context).equal);
	assert_false(prove_text(a, vs1, ps1, vs2, ps2, NULL).equal); /* nothing sets c4 */
	map[1].ps = 0;
	assert_false(prove_text(a, vs1, ps1, vs2, ps2, &context).equal);
}

ARENA_TEST(functions_do_not_commute)
{
	struct arena *a = *state;
	const char *functions[] = {"rcp r0, t0.x", "mul r0, t0, t0", "max r0, t0, c0", "frc r0, t0", "dp3 r0, t0, t0"};
	const char *moved[] = {"rcp oT0, v1.x", "mul oT0, v1, v1", "max oT0, v1, c0", "frc oT0, v1", "dp3 oT0, v1, v1"};
	struct const_map map = {.vs = 0, .ps = 0};
	struct proof_context context = {.consts = &map, .nconsts = 1, .free_ties = true};
	for (size_t k = 0; k < 5; k++) {
		const char *ps1 = arena_printf(a, "ps_2_0\ndcl t0\n%s\nmov oC0, r0\n", functions[k]);
		const char *vs2 = arena_printf(a, VS_HEAD "%s\n", moved[k]);
		assert_false(prove_text(a, VS_HEAD "mov oT0, v1\n", ps1, vs2, "ps_2_0\ndcl t0\nmov r0, t0\nmov oC0, r0\n", &context).equal);
	}
	/* Any function of constants alone may come through any kind of interpolator. */
	const char *ps1 = "ps_2_0\nrcp r0, c0.x\nmov oC0, r0\n";
	assert_true(prove_text(a, VS_HEAD, ps1, VS_HEAD "rcp oT5, c0.x\n", "ps_2_0\ndcl t5\nmov r0, t5\nmov oC0, r0\n", &context).equal);
	assert_true(prove_text(a, VS_HEAD, ps1, VS_HEAD "rcp oT5, c0.x\n",
	                       "ps_2_0\ndcl_centroid t5\nmov r0, t5\nmov oC0, r0\n", &context).equal);
}

ARENA_TEST(kinds_of_interpolation)
{
	struct arena *a = *state;
	const char *vs1 = VS_HEAD "mov oT0, v1\nmov oT1, v2\nmov oD0, v3\n";
	const char *plain = "ps_2_0\ndcl t0\nmov r0, t0\nmov oC0, r0\n";
	const char *centroid = "ps_2_0\ndcl_centroid t0\nmov r0, t0\nmov oC0, r0\n";
	const char *low = "ps_2_0\ndcl_pp t0\nmov_pp r0, t0\nmov oC0, r0\n";
	assert_false(prove_text(a, vs1, plain, vs1, centroid, NULL).equal);
	assert_true(prove_text(a, vs1, centroid, vs1, centroid, NULL).equal);
	assert_false(prove_text(a, vs1, plain, vs1, low, NULL).equal);
	assert_true(prove_text(a, vs1, low, vs1, plain, NULL).equal);
	/* A sum of values of two kinds differs from one over one kind. */
	const char *ps1 = "ps_2_0\ndcl t0\ndcl_centroid t1\nmov r1, t1\nadd r0, t0, r1\nmov oC0, r0\n";
	const char *vs2 = VS_HEAD "mov r0, v1\nadd oT0, r0, v2\n";
	assert_false(prove_text(a, vs1, ps1, vs2, plain, NULL).equal);
	assert_true(prove_text(a, vs1, "ps_2_0\ndcl t0\ndcl t1\nmov r1, t1\nadd r0, t0, r1\nmov oC0, r0\n", vs2, plain, NULL).equal);
	/* oD is clamped at the vertex. */
	const char *colour = "ps_2_0\ndcl v0\nmov r0, v0\nmov oC0, r0\n";
	assert_true(prove_text(a, vs1, colour, vs1, colour, NULL).equal);
	assert_false(prove_text(a, VS_HEAD "mov oT0, v3\n", centroid, vs1, colour, NULL).equal);
}

ARENA_TEST(what_is_computed_in_full_does_not_become_pp)
{
	static const struct { const char *one, *two; bool equal; } rows[] = {
		{"mul r0, t0, c0\nmov oC0, r0\n", "mul_pp r0, t0, c0\nmov oC0, r0\n", false},
		{"mul_pp r0, t0, c0\nmov oC0, r0\n", "mul r0, t0, c0\nmov oC0, r0\n", true},
		{"mul_pp r0, t0, c0\nmov oC0, r0\n", "mul_pp r0, c0, t0\nmov_pp oC0, r0\n", true},
		{"mul r0, t0, c0\nmov oC0, r0\n", "mul r0, t0, c0\nmov_pp oC0, r0\n", false},
		{"mul_pp r0, t0, c0\nmov_pp oC0, r0\n", "mul_pp r0, c0, t0\nmov_pp oC0, r0\n", true},
		/* _pp on one factor, a part of it, its negation, or an instruction between. */
		{"mul_pp r0, t0, c0\nrcp r1.x, t1.x\nmul r0, r0, r1.x\nmov oC0, r0\n",
		 "mul_pp r0, t0, c0\nrcp_pp r1.x, t1.x\nmul r0, r0, r1.x\nmov oC0, r0\n", false},
		{"mul r0.x, t0, c0\nmul_pp r0.yzw, t0, c0\nmov oC0, r0\n", "mul_pp r0, t0, c0\nmov oC0, r0\n", false},
		{"mul r0.x, t0, c0\nmul_pp r0.yzw, t0, c0\nmov oC0, r0\n", "mul r0, t0, c0\nmov oC0, r0\n", true},
		{"mul r0, t0, c0\nmov oC0, r0\n", "mul_pp r0, -t0, c0\nmov r0, -r0\nmov oC0, r0\n", false},
		{"mad r0, t0, c0, t1\nmov oC0, r0\n", "mul_pp r0, t0, c0\nadd r0, r0, t1\nmov oC0, r0\n", false},
		{"mad_pp r0, t0, c0, t1\nmov oC0, r0\n", "mul_pp r0, t0, c0\nadd_pp r0, r0, t1\nmov oC0, r0\n", true},
		/* Joined into one: both at full precision, or neither. */
		{"mul_pp r0, t0, c0\nadd r0, r0, t1\nmov oC0, r0\n", "mad r0, t0, c0, t1\nmov oC0, r0\n", true},
		{"mul_pp r0, t0, c0\nadd r0, r0, t1\nmov oC0, r0\n", "mad_pp r0, t0, c0, t1\nmov oC0, r0\n", false},
		{"mul_pp r0, t0, c0\nmul r1, t0, c0\nmul r2, r0, t1\nrcp r1.x, r1.x\nmul r0, r2, r1.x\nmov oC0, r0\n",
		 "mul_pp r0, t0, c0\nmul r2, r0, t1\nrcp r1.x, r0.x\nmul r0, r2, r1.x\nmov oC0, r0\n", false},
		/* texkill, which writes no register. */
		{"add r1, t0, c0\ntexkill r1\nmov oC0, c1\n", "add_pp r1, t0, c0\ntexkill r1\nmov oC0, c1\n", false},
		{"texkill t0\nmov oC0, c1\n", "mov_pp r1, t0\ntexkill r1\nmov oC0, c1\n", false},
		{"mov_pp r1, t0\ntexkill r1\nmov oC0, c1\n", "texkill t0\nmov oC0, c1\n", true},
		/* A value without a reader, and a power of two. */
		{"mul r0, t0, c0\nmov oC0, r0\n", "mul r0, t0, c0\nmul_pp r1, t0, c0\nmov oC0, r0\n", true},
		{"mul_pp r0, t0, c0\nadd r0, r0, r0\nmov oC0, r0\n", "add r0, c0, c0\nmul_pp r0, t0, r0\nmov oC0, r0\n", true},
	};
	struct arena *a = *state;
	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
		if (bodies(a, rows[k].one, rows[k].two).equal != rows[k].equal)
			fail_msg("taken for %s:\n%sand\n%s", rows[k].equal ? "different" : "equal", rows[k].one, rows[k].two);
	struct proof p = bodies(a, "mov r1, t0\nmul r0, r1, c0\nmov oC0, r0\n", "mul_pp r0, t0, c0\nmov oC0, r0\n");
	assert_string_equal(p.why, "the new pair computes r0.x at partial precision (_pp), the old pair at full precision");
	assert_int_equal(p.old_instr, 1);
	assert_int_equal(p.new_instr, 0);
	p = bodies(a, "add r1, t0, c0\ntexkill t1\ntexkill r1\nmov oC0, c1\n",
	           "mul_pp r0, t1, c0\ntexkill t1\nadd_pp r1, t0, c0\ntexkill r1\nmov oC0, c1\n");
	assert_string_equal(p.why, "the new pair computes r1.x at partial precision (_pp), the old pair at full precision");
	assert_int_equal(p.new_instr, 2);
	p = bodies(a, "texkill t1\ntexkill t0\nmov oC0, c1\n", "texkill t1\nmov_pp r1, t0\ntexkill r1\nmov oC0, c1\n");
	assert_string_equal(p.why, "texkill number 2 of the new pair tests a value of partial precision (_pp), which the old pair has in full");
}

/* Checks reads that can be matched with the old pair's in two ways, one of which loses no precision. */
ARENA_TEST(factors_of_a_product_keep_their_precision)
{
	struct arena *a = *state;
	const char *vs1 = VS_HEAD "mov oT0, v1\nmov oT1.xy, v1\n", *vs2 = VS_HEAD "mov oT0, v1\n";
	const char *ps1 = "ps_2_0\ndcl_2d s0\ndcl t0\ndcl t1.xy\ntexld r1, t0, s0\ntexld_pp r2, t1, s0\nmul r0, r1, r2\nmov oC0, r0\n";
	const char *ps2 = "ps_2_0\ndcl_2d s0\ndcl t0\ntexld r1, t0, s0\ntexld_pp r2, t0, s0\nmul r0, r1, r2\nmov oC0, r0\n";
	const char *low = "ps_2_0\ndcl_2d s0\ndcl t0\ntexld_pp r1, t0, s0\ntexld_pp r2, t0, s0\nmul r0, r1, r2\nmov oC0, r0\n";
	assert_true(prove_text(a, vs1, ps1, vs2, ps2, NULL).equal);
	assert_false(prove_text(a, vs1, ps1, vs2, low, NULL).equal);
}

ARENA_TEST(unwritten_lanes)
{
	struct arena *a = *state;
	same(a, "cmp r0, -r0.x, r2, r1\nmov oC0, r0\n", "cmp r0, -r0.x, r2, r1\nmov oC0, r0\n");
	other(a, "cmp r0, -r0.x, r2, r1\nmov oC0, r0\n", "cmp r0, -r0.x, r2, r3\nmov oC0, r0\n");
	/* The rule holds also for a value without a reader. */
	struct proof p = bodies(a, "mov r0, t0\nmov oC0, r0\n", "mov r1.y, t0.x\nmov r2, r1.x\nmov r0, t0\nmov oC0, r0\n");
	assert_false(p.equal);
	assert_string_equal(p.why, "the new pair reads r1.x, which nothing wrote");
	assert_int_equal(p.stage, STAGE_PIXEL);
	assert_int_equal(p.new_instr, 1);
	assert_true(p.old_instr == UINT32_MAX);
	/* Lanes that the mask leaves out are not read. */
	same(a, "mov r0, t0\nmov oC0, r0\n", "mov r1.x, t0.x\nmov r2.x, r1\nmov r0, t0\nmov oC0, r0\n");
	/* A lane that the VP does not write is as unknown. */
	const char *half = VS_HEAD "mov oT0.xy, v1\n", *ps = "ps_2_0\ndcl t0\nmov r0, t0\nmov oC0, r0\n";
	assert_true(prove_text(a, half, ps, half, ps, NULL).equal);
	p = prove_text(a, VS_HEAD "mov oT0, v1\n", ps, half, ps, NULL);
	assert_false(p.equal);
	p = prove_text(a, half, "ps_2_0\ndcl t0\nmov r0, t0.x\nmov oC0, r0\n", half,
	               "ps_2_0\ndcl t0\nmov r1, t0\nmov r0, t0.x\nmov oC0, r0\n", NULL);
	assert_false(p.equal);
	assert_string_equal(p.why, "the new pair reads t0.z, which nothing wrote");
	/* sincos leaves the z of its destination undefined, and w alone. */
#define APART(z) "mov r1, t0.x\nsincos r0.xy, t0.x, c8, c9\nmov r0.z, " z "\nmov r0.w, r1\nmov oC0, r0\n"
#define IN_PLACE(z) "mov r0, t0.x\nsincos r0.xy, t0.x, c8, c9\n" z "mov oC0, r0\n"
	other(a, APART("r1"), IN_PLACE(""));
	same(a, APART("c0"), IN_PLACE("mov r0.z, c0\n"));
#undef APART
#undef IN_PLACE
	/* a0 */
	const char *va = VS_HEAD "mov oT0, c[a0.x + 1]\n";
	assert_true(prove_text(a, va, ps, va, ps, NULL).equal);
	assert_false(prove_text(a, VS_HEAD "mov oT0, v1\n", ps, VS_HEAD "mov r0, c[a0.x + 1]\nmov oT0, v1\n", ps, NULL).equal);
}

ARENA_TEST(constants_within_reach)
{
	struct arena *a = *state;
	const char *ps = "ps_2_0\ndcl t0\nmov r0, t0\nmov oC0, r0\n", *moved = "ps_2_0\ndcl t0\nmov r0, t0\nmov oC0, r0\n";
#define VS_RELATIVE "mov a0.x, v1.x\nmov oT0, c[a0.x + 3]\n"
	const char *plain = VS_HEAD VS_RELATIVE;
	const char *def5 = arena_printf(a, "vs_1_1\ndef c5, 1, 2, 3, 4\n%s", strchr(plain, '\n') + 1);
	const char *def5_other = arena_printf(a, "vs_1_1\ndef c5, 1, 2, 3, 5\n%s", strchr(plain, '\n') + 1);
	assert_true(prove_text(a, def5, ps, def5, moved, NULL).equal);
	assert_false(prove_text(a, plain, ps, def5, moved, NULL).equal);
	assert_false(prove_text(a, def5, ps, plain, moved, NULL).equal);
	assert_false(prove_text(a, def5, ps, def5_other, moved, NULL).equal);
	struct proof_context promise = {.unreached_from = 5, .unreached_to = 6};
	assert_true(prove_text(a, plain, ps, def5, moved, &promise).equal);
	struct const_map map = {.vs = 5, .ps = 0};
	struct proof_context set = {.consts = &map, .nconsts = 1};
	assert_false(prove_text(a, plain, ps, plain, moved, &set).equal);
	set.unreached_from = 5, set.unreached_to = 6;
	assert_true(prove_text(a, plain, ps, plain, moved, &set).equal);
	/* Without a0 the constant may be read. */
	assert_true(prove_text(a, VS_HEAD "mov oT0, v1\n", ps, "vs_1_1\ndef c5, 1, 2, 3, 4\ndcl_position v0\ndcl_texcoord0 v1\n"
	                       "mov oPos, v0\nmov oT0, v1\n", ps, NULL).equal);
}

ARENA_TEST(division_by_zero)
{
	struct arena *a = *state;
	other(a, "def c5, 0, 1, 0, 0\nrcp r0, c5.x\nmov oC0, r0\n", "def c5, 0, 1, 0, 0\nmov r0, c5.x\nmov oC0, r0\n");
	same(a, "def c5, 0, 1, 0, 0\nrcp r0, c5.x\nmov oC0, r0\n", "def c5, 0, 1, 0, 0\nrcp r1.w, c5.z\nmov r0, r1.w\nmov oC0, r0\n");
}

/* --- outputs ------------------------------------------------------------------------ */

ARENA_TEST(all_outputs_count)
{
	struct arena *a = *state;
	other(a, "mov r0, t0\nmov oC0, r0\nmov oC1, r0\n", "mov r0, t0\nmov oC0, r0\n");
	other(a, "mov r0, t0\nmov oC0, r0\n", "mov r0, t0\nmov oC0, r0\nmov oC1, r0\n");
	other(a, "mov r0, t0\nmov oC0, r0\nmov oDepth, r0.x\n", "mov r0, t0\nmov oC0, r0\nmov oDepth, r0.y\n");
	other(a, "mov r0, t0\nmov oC0, r0\nmov oDepth, r0.x\n", "mov r0, t0\nmov oC0, r0\n");
	other(a, "mov r0, t0\ntexkill t0\nmov oC0, r0\n", "mov r0, t0\nmov oC0, r0\n");
	same(a, "mov r0, t0\ntexkill t0\nmov oC0, r0\n", "texkill t0\nmov r0, t0\nmov oC0, r0\n");
	struct proof p = prove_text(a, VS_HEAD, "ps_2_0\nmov oC0, c0\n",
	                            "vs_1_1\ndcl_position v0\nmov oPos.xyz, v0\nmov oPos.w, v0.z\n", "ps_2_0\nmov oC0, c0\n", NULL);
	assert_false(p.equal);
	assert_string_equal(p.why, "oPos.w has another value in the new pair");
	assert_int_equal(p.stage, STAGE_VERTEX);
	assert_int_equal(p.old_instr, 0);
	assert_int_equal(p.new_instr, 1);
}

ARENA_TEST(the_culprit_is_named)
{
	struct arena *a = *state;
	struct proof p = bodies(a, "mov r0, t0\nmul r0.z, r0, c0\nmov oC1, r0\nmov oC0, r0\n",
	                        "mov r0, t0\nmov oC0, r0\nmov oC1, r0\n");
	assert_string_equal(p.why, "oC0.z has another value in the new pair");
	assert_int_equal(p.stage, STAGE_PIXEL);
	assert_int_equal(p.old_instr, 3);
	assert_int_equal(p.new_instr, 1);
	p = bodies(a, "texkill t0\nmov oC0, t0\n", "texkill t1\nmov oC0, t0\n");
	assert_string_equal(p.why, "texkill number 1 tests another value in the new pair");
	p = bodies(a, "mov oC0, t0\n", "mov oC0, t0\nmov oDepth, t0.x\n");
	assert_string_equal(p.why, "oDepth is written in the new pair only");
	assert_true(p.old_instr == UINT32_MAX);
}

ARENA_TEST(vertex_data_go_by_usage)
{
	struct arena *a = *state;
	const char *ps = "ps_2_0\ndcl t0\nmov r0, t0\nmov oC0, r0\n";
	const char *one = "vs_1_1\ndcl_position v0\ndcl_texcoord1 v1\nmov oPos, v0\nmov oT0, v1\n";
	const char *two = "vs_1_1\ndcl_position v0\ndcl_texcoord1 v7\nmov oPos, v0\nmov oT0, v7\n";
	const char *three = "vs_1_1\ndcl_position v0\ndcl_texcoord2 v1\nmov oPos, v0\nmov oT0, v1\n";
	assert_true(prove_text(a, one, ps, two, ps, NULL).equal);
	assert_false(prove_text(a, one, ps, three, ps, NULL).equal);
}

ARENA_TEST(malformed_programs_are_no_crash)
{
	struct arena *a = *state;
	struct pair good = {parse_one(a, VS_HEAD), parse_one(a, "ps_2_0\nmov oC0, c0\n")};
	struct proof_context none = {0};
	struct pair swapped = {good.ps, good.vs};
	assert_false(prove(a, good, swapped, &none).equal);
	struct program *bad = program_copy(a, good.ps);
	bad->instrs.at[0].src[0].index = 300;
	assert_false(prove(a, good, (struct pair){good.vs, bad}, &none).equal);
	bad->instrs.at[0].src[0] = (struct src){.file = REG_PIXEL_OUT};
	assert_false(prove(a, good, (struct pair){good.vs, bad}, &none).equal);
	bad = program_copy(a, good.ps);
	bad->instrs.at[0].dst.file = REG_CONST;
	assert_false(prove(a, good, (struct pair){good.vs, bad}, &none).equal);
	struct program *waves = parse_one(a, "ps_2_0\nmov r0, c0\nsincos r0.xy, c0.x, c1, c2\nmov oC0, r0\n");
	bad = program_copy(a, waves);
	bad->instrs.at[1].dst.mask |= MASK_W; /* a lane without a value */
	assert_true(prove(a, (struct pair){good.vs, waves}, (struct pair){good.vs, waves}, &none).equal);
	assert_false(prove(a, (struct pair){good.vs, waves}, (struct pair){good.vs, bad}, &none).equal);
	struct const_map map = {.vs = 300, .ps = 0};
	assert_false(prove(a, good, good, &(struct proof_context){.consts = &map, .nconsts = 1}).equal);
}

/* --- folds -------------------------------------------------------------------------- */

ARENA_TEST(folds)
{
	struct arena *a = *state;
	static const struct { const char *expr; float value; bool good; } rows[] = {
		{"def c0, 0.1, 0.2, 0, 0\nadd r0, c0.x, c0.y\n", 0.3f, true},
		{"def c0, 0.1, 0.2, 0, 0\nadd r0, c0.x, c0.y\n", 0.30000004f, false},
		{"def c0, 3, 0, 0, 0\nrcp r0, c0.x\n", 1.0f / 3, true},
		{"def c0, 3, 0, 0, 0\nrcp r0, c0.x\n", 0.33333331f, false},
		{"def c0, 3, 0, 0, 0\nrsq r0, c0.x\n", 0.57735026919f, true},
		{"def c0, 3, 0, 0, 0\nexp r0, c0.x\n", 8, true},
		{"def c0, 3, 0, 0, 0\nlog r0, c0.x\n", 1.58496250072f, true},
		{"def c0, 3, 0.5, 0, 0\npow r0, c0.x, c0.y\n", 1.73205080757f, true},
		{"def c0, 0, 0, 0, 0\nrcp r0, c0.x\n", INFINITY, false},
		{"def c0, 0, 0, 0, 0\nmov r0.y, c0.x\n", 0, false}, /* r0.x is not written */
		{"mov r0, c0.x\n", 0, false},                      /* c0 is no literal */
		/* Long double has too few digits for these two. */
		{"def c0, 1e30, 1, 0, 0\nadd r0, c0.x, c0.y\nsub r0, r0, c0.x\n", 1, true},
		{"def c0, 1e30, 1, 0, 0\nadd r0, c0.x, c0.y\nsub r0, r0, c0.x\n", 0, false},
		{"def c0, 1e-30, 0.1, 0, 0\nmul r0, c0.x, c0.x\nmad r0, r0, c0.y, c0.y\n", 0.1f, true},
		/* Half of the smallest float is no float. */
		{"def c0, 3, -2, 0, 0\nlog r0, c0.x\nmul_sat r0, r0, c0.y\n", -1e-45f, false},
		{"def c0, 3, -2, 0, 0\nmul_sat r0, c0.x, c0.y\n", 1e-45f, false},
	};
	const char *vs = VS_HEAD "mov oT0, v1\n";
	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
		const char *expr = arena_printf(a, "ps_2_0\n%s", rows[k].expr);
		struct folded fold = {STAGE_PIXEL, 7, LANE_X, parse_one(a, expr), 0, LANE_X, false};
		struct proof_context context = {.folds = &fold, .nfolds = 1};
		struct pair old = {parse_one(a, vs), parse_one(a, arena_printf(a, "%sdcl t0\nmul r0, r0.x, t0\nmov oC0, r0\n", expr))};
		struct pair new = {parse_one(a, vs), parse_one(a, "ps_2_0\ndef c7, 0, 0, 0, 0\ndcl t0\nmul r0, c7.x, t0\nmov oC0, r0\n")};
		new.ps->decls.at[0].value[0] = rows[k].value;
		struct proof p = prove(a, old, new, &context);
		if (p.equal != rows[k].good)
			print_error("%s: %s\n", rows[k].expr, p.why ? p.why : "equal");
		assert_int_equal(p.equal, rows[k].good);
		/* Without the expression the literal is another number, unless it is exact. */
		if (rows[k].good && rows[k].value != 8 && rows[k].value != 1)
			assert_false(prove(a, old, new, &(struct proof_context){0}).equal);
	}
}

ARENA_TEST(a_fold_of_something_else_is_seen)
{
	struct arena *a = *state;
	const char *vs = VS_HEAD "mov oT0, v1\n";
	struct pair old = {parse_one(a, vs), parse_one(a, "ps_2_0\ndef c0, 3, 2, 0, 0\ndcl t0\nrcp r0.x, c0.x\nmul r0, r0.x, t0\nmov oC0, r0\n")};
	struct pair new = {parse_one(a, vs), parse_one(a, "ps_2_0\ndef c7, 0.5, 0, 0, 0\ndcl t0\nmul r0, c7.x, t0\nmov oC0, r0\n")};
	struct folded fold = {STAGE_PIXEL, 7, LANE_X, parse_one(a, "ps_2_0\ndef c0, 2, 0, 0, 0\nrcp r0.x, c0.x\n"), 0, LANE_X, false};
	assert_false(prove(a, old, new, &(struct proof_context){.folds = &fold, .nfolds = 1}).equal);
	struct folded missing = fold;
	missing.index = 9;
	assert_false(prove(a, old, new, &(struct proof_context){.folds = &missing, .nfolds = 1}).equal);
}

/* Proves a pair: the old one scales by a function of constants, the new one by c7.x, which the application sets to `expr`. */
static struct proof preset(struct arena *a, const char *function, const char *new, const char *expr, struct folded change)
{
	const char *vs = VS_HEAD "mov oT0, v1\n";
	struct pair before = {parse_one(a, vs), parse_one(a, arena_printf(a, "ps_2_0\ndcl t0\n%s\nmul r0, r0.x, t0\nmov oC0, r0\n", function))};
	struct pair after = {parse_one(a, vs), parse_one(a, new)};
	struct folded fold = {STAGE_PIXEL, 7, LANE_X, parse_one(a, arena_printf(a, "ps_2_sw\n%s\n", expr)), 0, LANE_X, true};
	fold.index += change.index;
	fold.temp += change.temp;
	fold.temp_lane += change.temp_lane;
	return prove(a, before, after, &(struct proof_context){.folds = &fold, .nfolds = 1});
}

ARENA_TEST(presets)
{
	struct arena *a = *state;
	const struct folded as_it_is = {.index = 0};
	const char *new = "ps_2_0\ndcl t0\nmul r0, c7.x, t0\nmov oC0, r0\n";
	const char *functions[] = {"rcp r0, c0.x", "max r0, c0.x, c0.y", "add r1, c0, -c0.w\nrsq r1.x, r1.x\nfrc r0, r1.x", "log r0, c2.y"};
	const char *expressions[] = {"rcp r0.x, c0.x", "max r0.x, c0.y, c0.x", "add r1.y, c0.x, -c0.w\nrsq r1.z, r1.y\nfrc r0.x, r1.z",
	                             "log r0.x, c2.y"};
	for (size_t k = 0; k < 4; k++)
		for (size_t j = 0; j < 4; j++)
			assert_int_equal(preset(a, functions[k], new, expressions[j], as_it_is).equal, k == j);
	/* An expression may read two constants in one instruction. */
	assert_true(preset(a, "mov r1, c1\nmul r0, c0.x, r1.x", new, "mul r0.x, c0.x, c1.x", as_it_is).equal);
	/* A sum of squares that the old program shows as one is known, however the expression adds it up. */
	assert_true(preset(a, "dp3 r1.x, c0, c0\nabs r0, r1.x", new,
	                   "mul r1.x, c0.x, c0.x\nmad r1.x, c0.y, c0.y, r1.x\nmad r1.x, c0.z, c0.z, r1.x\nabs r0.x, r1.x", as_it_is).equal);
	/* Another register or lane. */
	assert_false(preset(a, functions[0], new, expressions[0], (struct folded){.index = 1}).equal);
	assert_false(preset(a, functions[0], new, expressions[0], (struct folded){.temp_lane = 1}).equal);
	assert_false(preset(a, functions[0], new, expressions[0], (struct folded){.temp = 1}).equal);
	assert_false(preset(a, functions[0], new, expressions[0], (struct folded){.temp = 99}).equal);
	assert_false(preset(a, functions[0], new, expressions[0], (struct folded){.index = 400}).equal);
}

ARENA_TEST(presets_that_cannot_be)
{
	struct arena *a = *state;
	const struct folded as_it_is = {.index = 0};
	const char *new = "ps_2_0\ndcl t0\nmul r0, c7.x, t0\nmov oC0, r0\n";
	struct { const char *function, *new, *expr, *why; } const rows[] = {
		{"rcp r0, c0.x", "ps_2_0\ndef c7, 1, 1, 1, 1\ndcl t0\nmul r0, c7.x, t0\nmov oC0, r0\n", "rcp r0.x, c0.x", "a def overrides it"},
		{"rcp r0, c7.x", new, "rcp r0.x, c7.x", "still read"}, /* by the old pair */
		{"rcp r0, c0.x", new, "rcp r0.x, c7.x", "still read"}, /* by the expression */
		{"rcp r0, c0.x", new, "add r1.y, r2.x, -r2.x\nadd r1.y, r1.y, c0.x\nrcp r0.x, r1.y", "which nothing wrote"},
		{"rcp r0, c0.x", new, "dcl t0\nrcp r0.x, t0.x", "more than constants"},
		{"rcp r0, c0.x", new, "dcl_2d s0\ntexld r0, c0, s0", "more than constants"},
		{"rcp r0, c0.x", new, "rcp oC0, c0.x", "more than constants"},
		{"rcp r0, c0.x", new, "", "nothing writes"},
		{"rcp r0, c0.x", new, "dp3 r1.y, c0.x, c0.x\nrcp r0.x, c0.x", "not supported in C"},
	};
	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
		struct proof p = preset(a, rows[k].function, rows[k].new, rows[k].expr, as_it_is);
		assert_false(p.equal);
		assert_non_null(p.why);
		if (!strstr(p.why, rows[k].why))
			print_error("%s: %s\n", rows[k].expr, p.why);
		assert_non_null(strstr(p.why, rows[k].why));
	}
	/* c[a0.x + n] may read the VP constant, unless the user says that it does not. */
	const char *head = "vs_1_1\ndcl_position v0\ndcl_texcoord v1\nmov a0.x, v1.x\nmov oPos, c[a0.x + 8]\n";
	struct pair before = {parse_one(a, arena_printf(a, "%smov oT0, v1\n", head)),
	                      parse_one(a, "ps_2_0\ndcl t0\nrcp r0.x, c0.x\nadd r0, t0, r0.x\nmov oC0, r0\n")};
	struct pair after = {parse_one(a, arena_printf(a, "%sadd oT0, v1, c40.x\n", head)), parse_one(a, "ps_2_0\ndcl t0\nmov r0, t0\nmov oC0, r0\n")};
	struct folded fold = {STAGE_VERTEX, 40, LANE_X, parse_one(a, "ps_2_sw\nrcp r0.x, c0.x\n"), 0, LANE_X, true};
	struct proof_context c = {.folds = &fold, .nfolds = 1};
	assert_false(prove(a, before, after, &c).equal);
	c.unreached_from = 40, c.unreached_to = 50;
	assert_true(prove(a, before, after, &c).equal);
	struct const_map map = {.vs = 40, .ps = 3};
	c.consts = &map, c.nconsts = 1;
	assert_false(prove(a, before, after, &c).equal);
}

ARENA_TEST(trials_are_as_many_as_it_takes)
{
	struct arena *a = *state;
	const char *sum = "add r0, t0, c0\nmov oC0, r0\n", *maximum = "def c1, 1, 2, 3, 4\nmov r1, c1\nmax r1, r1, r1.x\n"
	                                                          "add r0, t0, r1\nmov oC0, r0\n";
	assert_int_equal(bodies(a, sum, sum).trials, 0); /* an equal text needs none */
	assert_int_equal(bodies(a, sum, "add r0, c0, t0\nmov oC0, r0\n").trials, 1);
	assert_int_equal(bodies(a, maximum, "def c1, 1, 2, 3, 4\nadd r0, t0, c1\nmov oC0, r0\n").trials, 1);
	/* Every small difference counts. */
	static const char *const texts[] = {
		"add r0, t0, c0\nmov oC0, r0\n", "add_sat r0, t0, c0\nmov oC0, r0\n", "sub r0, t0, c0\nmov oC0, r0\n",
		"add r0, t0, c1\nmov oC0, r0\n", "add r0, t0, c0.x\nmov oC0, r0\n", "add r0, -t0, c0\nmov oC0, r0\n",
		"def c0, 1, 2, 3, 4\nadd r0, t0, c0\nmov oC0, r0\n", "def c0, 1, 2, 3, 5\nadd r0, t0, c0\nmov oC0, r0\n",
		"add r0, t0, c0\ntexkill t0\nmov oC0, r0\n", "add r0, t0, c0\nmov oC0, r0\nmov oC1, r0\n",
		"add r0.xyz, t0, c0\nmov oC0, r0\n",
	};
	for (unsigned j = 0; j < sizeof texts / sizeof *texts; j++)
		for (unsigned k = 0; k < sizeof texts / sizeof *texts; k++)
			if (bodies(a, texts[j], texts[k]).equal != (j == k))
				fail_msg("%s and %s", texts[j], texts[k]);
	/* So does one of a sampler or an interpolation. */
	const char *read = "dcl_2d s0\ntexld r0, t1, s0\nmov oC0, r0\n", *cube = "dcl_cube s0\ntexld r0, t1, s0\nmov oC0, r0\n";
	other(a, read, cube);
}

ARENA_TEST(the_seed_does_not_matter)
{
	struct arena *a = *state;
	const char *vs = VS_PLAIN VS_END;
	const char *ps1 = PS_PLAIN "mad r0, t0, c0, t0\nmov oC0, r0\n";
	const char *ps2 = "ps_2_0\ndcl t0\nmov r1, c0\nmul r0, t0, r1\nadd r0, r0, t0\nmov oC0, r0\n";
	for (unsigned seed = 0; seed < 100; seed++) {
		struct proof_context context = {.seed = seed, .trials = 5};
		struct proof p = prove_text(a, vs, ps1, vs, ps2, &context);
		assert_true(p.equal);
		assert_int_equal(p.trials, 5);
	}
}

/* Checks that an unknown value is 0 in no trial. */
ARENA_TEST(unknowns_are_not_zero)
{
	struct proof_context one = {.trials = 1};
	for (unsigned k = 0; k < 4 * 40; k++) {
		const char *from = k < 128 ? arena_printf(*state, "c%u", k / 4) : arena_printf(*state, "v%u", k / 4 - 32);
		const char *vs = arena_printf(*state, "vs_1_1\ndcl_position v0\ndcl_normal v1\ndcl_color v2\ndcl_texcoord v3\ndcl_texcoord1 v4\n"
		                              "dcl_tangent v5\ndcl_binormal v6\ndcl_psize v7\nmov oPos, v0\nmov oT0, %s.%c\n", from, "xyzw"[k % 4]);
		struct proof p = prove_text(*state, vs, "ps_2_0\ndcl t0\nrcp r0, t0.x\nmul r0, r0, t0\nmov oC0, r0\n",
		                            vs, "ps_2_0\ndef c31, 1, 1, 1, 1\nmov r0, c31\nmov oC0, r0\n", &one);
		assert_true(p.equal);
	}
}

/* Returns whether the second pair of model 3 is proven to be the first. */
static bool same_in_model_3(struct arena *a, const char *vs_old, const char *ps_old, const char *vs_new, const char *ps_new)
{
	static const char vs[] = "vs_3_0\ndcl_position v0\ndcl_position o0\n", ps[] = "ps_3_0\ndcl_2d s0\n";
	const char *texts[2][2] = {{vs_old, ps_old}, {vs_new, ps_new}};
	struct pair pairs[2];
	for (unsigned k = 0; k < 2; k++) {
		struct program *v = parse_one(a, arena_printf(a, "%s%s", vs, texts[k][0])), *p = parse_one(a, arena_printf(a, "%s%s", ps, texts[k][1]));
		struct diags said;
		diag_init(&said, a);
		link_pair(v, p, &said);
		assert_int_equal(said.n, 0);
		pairs[k] = (struct pair){v, p};
	}
	return prove(a, pairs[0], pairs[1], &(struct proof_context){0}).equal;
}

/* Checks that a depth texture compares the .z of a constant, too. */
ARENA_TEST(a_constant_is_where_a_texture_is_read)
{
	struct arena *a = *state;
	static const char vs[] = "mov o0, v0\n", old[] = "mov r0, c2\ntexld r1, r0, s0\nmov oC0, r1\n";
	assert_true(same_in_model_3(a, vs, old, vs, "texld r1, c2, s0\nmov oC0, r1\n"));
	assert_false(same_in_model_3(a, vs, old, vs, "texld r1, c2.xyyw, s0\nmov oC0, r1\n"));
	assert_false(same_in_model_3(a, vs, old, vs, "texld r1, c3, s0\nmov oC0, r1\n"));
}

/* Checks the same for the .z of a colour, if the VP wrote it. */
ARENA_TEST(a_colour_is_where_a_texture_is_read)
{
	struct arena *a = *state;
	static const char flat[] = "dcl_color o1.xyz\nmov o0, v0\nmov o1.xy, v0\n", deep[] = "dcl_color o1.xyz\nmov o0, v0\nmov o1.xyz, v0\n";
	static const char there[] = "dcl_color v0.xyz\ntexld r1, v0, s0\nmov oC0, r1\n";
	static const char copied[] = "dcl_color v0.xyz\nmov r0.xy, v0\ntexld r1, r0, s0\nmov oC0, r1\n";
	assert_true(same_in_model_3(a, flat, there, flat, there));
	assert_true(same_in_model_3(a, flat, copied, flat, there));
	assert_true(same_in_model_3(a, flat, there, flat, copied));
	assert_true(same_in_model_3(a, flat, there, deep, there)); /* any value may replace an unwritten one */
	assert_false(same_in_model_3(a, deep, there, flat, there));
	assert_false(same_in_model_3(a, deep, there, deep, copied));
}

/* Checks that a sampler's swizzle swizzles the texel. */
ARENA_TEST(a_sampler_turns_the_texel)
{
	struct arena *a = *state;
	static const char vs[] = "mov o0, v0\n", old[] = "texld r1, c2, s0.wzyx\nmov oC0, r1\n";
	assert_true(same_in_model_3(a, vs, old, vs, "texld r1, c2, s0\nmov oC0, r1.wzyx\n"));
	assert_true(same_in_model_3(a, vs, "texld r1.yz, c2, s0.x\nmov oC0, r1.y\n", vs, "texld r1, c2, s0\nmov oC0, r1.x\n"));
	assert_false(same_in_model_3(a, vs, old, vs, "texld r1, c2, s0.wzyy\nmov oC0, r1\n"));
	assert_false(same_in_model_3(a, vs, old, vs, "texld r1, c2, s0\nmov oC0, r1\n"));
}

ARENA_TEST(a_modifier_is_the_same_operation_for_a_position)
{
	struct arena *a = *state;
	static const char ps[] = "mov oC0, c0\n";
	assert_true(same_in_model_3(a, "mov r0, v0_abs\nmov o0, r0\n", ps, "abs o0, v0\n", ps));
	assert_false(same_in_model_3(a, "mov r0, v0_abs\nmov o0, r0\n", ps, "mov o0, v0\n", ps));
	/* A second abs changes nothing, whatever the sign between. */
	assert_true(same_in_model_3(a, "mov r0, -v0_abs\nmul o0, r0_abs, c7\n", ps, "mul o0, v0_abs, c7\n", ps));
	assert_false(same_in_model_3(a, "mov r0, -v0_abs\nmul o0, r0_abs, c7\n", ps, "mul o0, -v0_abs, c7\n", ps));
	assert_false(same_in_model_3(a, "add r0, v0_abs, c6\nmul o0, r0_abs, c7\n", ps, "add r0, v0_abs, c6\nmul o0, r0, c7\n", ps));
}

/* Checks nrm for a position: Wine sums the squares of x, y and z if it writes these, and else of the lanes that it writes. */
ARENA_TEST(w_of_nrm_changes_nothing_for_a_position)
{
	struct arena *a = *state;
	static const char ps[] = "mov oC0, c0\n";
	assert_true(same_in_model_3(a, "nrm r0, v0\nmul o0, r0.xyzx, c7\n", ps, "nrm r0.xyz, v0\nmul o0, r0.xyzx, c7\n", ps));
	assert_false(same_in_model_3(a, "nrm r0.xyz, v0\nmul o0, r0.xyxy, c7\n", ps, "nrm r0.xy, v0\nmul o0, r0.xyxy, c7\n", ps));
	assert_false(same_in_model_3(a, "nrm r0.xyw, v0\nmul o0, r0.xyxy, c7\n", ps, "nrm r0.xy, v0\nmul o0, r0.xyxy, c7\n", ps));
}
