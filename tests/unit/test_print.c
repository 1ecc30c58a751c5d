/* Printing and reading numbers exactly, and the parts of the printer that messages use. */
#include "texts.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "lang/lex.h"

static uint64_t next_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

static float float_of(uint32_t bits)
{
	float f;
	memcpy(&f, &bits, sizeof f);
	return f;
}

static const char *float_text(struct texts *t, float value)
{
	struct text out = {.arena = &t->arena};
	print_float(&out, value);
	return out.at;
}

TEXT_TEST(floats_that_people_write)
{
	struct texts *t = *state;
	static const struct { float value; const char *text; } table[] = {
		{0.0f, "0"}, {-0.0f, "-0"}, {1.0f, "1"}, {-1.5f, "-1.5"}, {0.5f, "0.5"}, {0.1f, "0.1"},
		{0.333333343f, "0.33333334"}, {1e-5f, "0.00001"}, {1e7f, "10000000"}, {16777216.0f, "16777216"},
		{1e10f, "10000000000"}, {FLT_MIN, "0.000000000000000000000000000000000000011754944"},
		{FLT_MAX, "340282350000000000000000000000000000000"}, {255.99f, "255.99"}, {3.14159274f, "3.1415927"},
		{0x1p-149f, "0.000000000000000000000000000000000000000000001"}, {123456.7f, "123456.7"}, {-2e-3f, "-0.002"},
	};
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		assert_string_equal(float_text(t, table[i].value), table[i].text);
}

/* Checks that every float comes back from its text bit by bit, that no text has an exponent, and that none is a digit too long. */
TEXT_TEST(floats_come_back)
{
	struct texts *t = *state;
	uint64_t seed = 88172645463325252u;
	for (int i = 0; i < 100000; i++) {
		uint32_t bits = (uint32_t)next_random(&seed);
		if (i % 4 == 0)
			bits &= 0x807fffffu; /* denormal */
		if (i % 4 == 1)
			bits = (bits & 0x80ffffffu) | 0x3e000000u; /* near 1 */
		float value = float_of(bits);
		if (!isfinite(value))
			continue;
		const char *text = float_text(t, value);
		assert_int_equal(strspn(text, "-.0123456789"), strlen(text));
		float back = strtof(text, NULL), own = (float)parse_decimal(text + (*text == '-'), strlen(text) - (*text == '-'));
		assert_memory_equal(&back, &value, sizeof back);
		if (signbit(value))
			own = -own;
		assert_memory_equal(&own, &value, sizeof own);
		char shorter[64];
		int digits = 0;
		for (const char *c = text; *c; c++)
			digits += *c >= '0' && *c <= '9' && (digits > 0 || *c != '0');
		const char *last = text + strlen(text);
		if (!strchr(text, '.'))
			for (; last[-1] == '0' && digits > 1; last--)
				digits--;
		if (digits > 1) {
			snprintf(shorter, sizeof shorter, "%.*e", digits - 2, (double)value);
			assert_true(strtof(shorter, NULL) != value);
		}
		if (i % 1000 == 0)
			arena_reset(&t->arena);
	}
}

static void same_as_strtod(const char *text)
{
	double own = parse_decimal(text, strlen(text)), theirs = strtod(text, NULL);
	if (memcmp(&own, &theirs, sizeof own) != 0)
		fail_msg("%s: %a, strtod says %a", text, own, theirs);
}

TEXT_TEST(decimals_are_exact)
{
	static const char *const table[] = {
		"0", "00", ".0", "0.", "1", "1.", ".5", "0.1", "0.10000000149011612", "123456789012345", "1234567890123456",
		"999999999999999e22", "9007199254740993", "9007199254740992.99999", "1e22", "1e23", "1e-22", "1e-23",
		"2.2250738585072011e-308", "4.9e-324", "2.4703282292062327e-324", "2.4703282292062328e-324", "1e-400", "1e400",
		"1.7976931348623157e308", "1.7976931348623159e308", "0e99999", "0.000000000000000000000000000001e30",
		"100000000000000000000000000000e-29", "1e+5", "1E5", "1e00005", "1e99999999999", "1e-99999999999",
		"0.3000000000000000166533453693773481063544750213623046875", "8.41e21", "5e-20", "9.5367431640625e-7",
	};
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		same_as_strtod(table[i]);
	assert_true(parse_decimal("1.5f", 4) == 1.5);
	assert_true(parse_decimal("1e2F", 4) == 100);
	uint64_t seed = 1234567891011u;
	for (int i = 0; i < 200000; i++) {
		char text[64];
		size_t n = 0;
		size_t digits = 1 + next_random(&seed) % (i % 3 ? 9 : 25), point = next_random(&seed) % (digits + 1);
		for (size_t k = 0; k < digits; k++) {
			if (k == point)
				text[n++] = '.';
			text[n++] = (char)('0' + next_random(&seed) % 10);
		}
		text[n] = '\0';
		if (next_random(&seed) % 3 == 0)
			snprintf(text + n, sizeof text - n, "e%d", (int)(next_random(&seed) % 640) - 320);
		same_as_strtod(text);
	}
}

/* Checks numbers half-way between two doubles, which differ in the 1000th digit. */
TEXT_TEST(long_decimals_are_exact)
{
	static char text[3000];
	uint64_t seed = 77777777u;
	for (int i = 0; i < 2000; i++) {
		double value = ldexp((double)(next_random(&seed) >> 11), -900 + (int)(next_random(&seed) % 900));
		double above = nextafter(value, DBL_MAX);
		int n = snprintf(text, sizeof text, "%.1100f", value / 2 + above / 2);
		same_as_strtod(text);
		if (strchr(text, '.')) {
			text[n] = (char)('0' + (i & 1));
			text[n + 1] = '\0';
			same_as_strtod(text);
		}
	}
	memset(text, '0', 2000);
	strcpy(text + 2000, "1");
	same_as_strtod(text);
	text[1] = '.';
	same_as_strtod(text);
	memset(text, '9', 2000);
	same_as_strtod(text);
	strcpy(text + 2000, "e-2000");
	same_as_strtod(text);
}

TEXT_TEST(pieces)
{
	struct texts *t = *state;
	static const struct { enum reg_file file; int index; const char *text; } table[] = {
		{REG_TEMP, 11, "r11"}, {REG_INPUT, 0, "v0"}, {REG_TEXCOORD, 7, "t7"}, {REG_CONST, 95, "c95"},
		{REG_ADDRESS, 0, "a0"}, {REG_SAMPLER, 15, "s15"}, {REG_POS_OUT, 0, "oPos"}, {REG_FOG_OUT, 0, "oFog"},
		{REG_SIZE_OUT, 0, "oPts"}, {REG_COLOUR_OUT, 1, "oD1"}, {REG_TEX_OUT, 2, "oT2"}, {REG_PIXEL_OUT, 3, "oC3"},
		{REG_DEPTH_OUT, 0, "oDepth"}, {REG_PIXEL_POS, 0, "vPos"}, {REG_FACE, 0, "vFace"}, {REG_LINKED, 5, "o5"},
		{REG_INT, 3, "i3"}, {REG_BOOL, 15, "b15"}, {REG_LOOP, 0, "aL"}, {REG_PREDICATE, 0, "p0"}, {REG_LABEL, 7, "l7"},
	};
	assert_int_equal(sizeof table / sizeof *table, REG_FILES);
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct text out = {.arena = &t->arena};
		print_register(&out, NULL, table[i].file, table[i].index);
		assert_string_equal(out.at, table[i].text);
	}
	for (unsigned mask = 1; mask < 16; mask++) {
		struct text out = {.arena = &t->arena};
		print_lanes(&out, (lanes)mask);
		assert_int_equal(out.n, (mask & 1) + (mask >> 1 & 1) + (mask >> 2 & 1) + (mask >> 3));
	}
}

/* Checks that a statement built in memory, without source or comments, prints the same. */
TEXT_TEST(made_statements)
{
	struct texts *t = *state;
	struct instr i = {.op = OP_MAD, .flags = INSTR_SAT | INSTR_PP, .at = SRCPOS_NONE,
	                  .dst = {.file = REG_TEMP, .mask = MASK_X | MASK_W, .index = 3}};
	i.src[0] = (struct src){.file = REG_CONST, .swizzle = SWIZZLE_XYZW, .relative = true, .index = -3};
	i.src[1] = (struct src){.file = REG_INPUT, .swizzle = SWIZZLE(3, 2, 1, 1), .negate = true};
	i.src[2] = (struct src){.file = REG_TEXCOORD, .swizzle = swizzle_replicate(LANE_Z), .index = 1};
	struct text out = {.arena = &t->arena};
	print_instr(&out, NULL, &i);
	assert_string_equal(out.at, "mad_pp_sat r3.xw, c[a0.x + -3], -v0.wzy, t1.z");
	struct decl d = {.kind = DECL_DEF, .reg = {.file = REG_CONST, .mask = MASK_XYZW, .index = 7}, .value = {1, -0.0f, 0.25f, 1e-7f}};
	out.n = 0;
	print_decl(&out, NULL, &d);
	assert_string_equal(out.at, "def c7, 1, -0, 0.25, 0.0000001");
}
