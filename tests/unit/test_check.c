/* The checker: each rule's bad example breaks that rule alone, and its good example breaks none; then code that compilers ship,
 * options, positions, and very large programs. */

#include "tests.h"

#include "lang/check.h"
#include "lang/parse.h"

#include <stdio.h>
#include <string.h>

struct checked {
	struct arena arena;
	struct source source;
	struct diags diags;
	uint32_t programs;
};

static void check_text(struct checked *c, const char *text, const struct check_options *options)
{
	static const struct check_options usual;
	memset(c, 0, sizeof *c);
	arena_init(&c->arena, NULL);
	diag_init(&c->diags, &c->arena);
	c->source = (struct source){.name = "test", .text = text, .size = strlen(text)};
	struct program_list list = parse_programs(&c->arena, &c->source, &c->diags);
	c->programs = list.n;
	for (uint32_t k = 0; k < list.n; k++)
		check_program(list.at[k], options ? options : &usual, &c->diags);
}

static void print_diags(const struct checked *c)
{
	for (uint32_t k = 0; k < c->diags.n; k++)
		print_message("%u: %s [%s]\n", c->diags.at[k].source ? source_line(&c->source, c->diags.at[k].at) : 0,
		              c->diags.at[k].text, c->diags.at[k].rule ? c->diags.at[k].rule : "-");
}

/* Checks the diagnostics: `want` lists them in order as "12:rule-id", or "rule-id" for any line, with spaces between them; a warning
 * has a "?" behind it. */
static void expect_with(const char *text, const char *want, const struct check_options *options)
{
	struct checked c;
	check_text(&c, text, options);
	char got[2000] = "", *end = got;
	for (uint32_t k = 0; k < c.diags.n; k++) {
		const struct diag *d = &c.diags.at[k];
		end += snprintf(end, (size_t)(got + sizeof got - end), "%s%s%s", k ? " " : "", d->rule,
		                d->severity == DIAG_WARNING ? "?" : "");
	}
	if (strcmp(got, want) != 0) {
		print_message("program:\n%s", text);
		print_diags(&c);
	}
	assert_string_equal(got, want);
	assert_int_equal(c.programs, 1);
	arena_free(&c.arena);
}

static void expect(const char *text, const char *want)
{
	expect_with(text, want, NULL);
}

/* Checks line and column of the only diagnostic, and that its text contains the words. */
static void expect_at(const char *text, const char *rule, unsigned line, unsigned column, const char *words)
{
	struct checked c;
	check_text(&c, text, NULL);
	if (c.diags.n != 1 || !strstr(c.diags.at[0].text, words))
		print_diags(&c);
	assert_int_equal(c.diags.n, 1);
	assert_string_equal(c.diags.at[0].rule, rule);
	struct place place = source_place(&c.source, c.diags.at[0].at);
	assert_int_equal(place.line, line);
	assert_int_equal(place.column, column);
	assert_non_null(strstr(c.diags.at[0].text, words));
	arena_free(&c.arena);
}

#define VS "vs_1_1\ndcl_position v0\n"
#define VS2 "vs_2_0\ndcl_position v0\n"
#define POS "mov oPos, v0\n"
#define PS "ps_2_0\n"
#define T0 "dcl t0\n"
#define S0 "dcl_2d s0\n"
#define OUT "mov oC0, c0\n"

/* ---- each rule's examples ---------------------------------------------------------- */

static void wrong_example(void **state)
{
	const struct rule_info *rule = *state;
	struct checked c;
	check_text(&c, rule->wrong, NULL);
	if (c.diags.n == 0 || c.diags.n != (rule->severity == DIAG_ERROR ? c.diags.errors : c.diags.warnings))
		print_diags(&c);
	assert_int_equal(c.programs, 1);
	assert_true(c.diags.n > 0);
	for (uint32_t k = 0; k < c.diags.n; k++) {
		assert_string_equal(c.diags.at[k].rule, rule->id);
		assert_int_equal(c.diags.at[k].severity, rule->severity);
		assert_ptr_equal(c.diags.at[k].source, &c.source);
		assert_true(c.diags.at[k].at < c.source.size);
	}
	arena_free(&c.arena);
}

static void right_example(void **state)
{
	const struct rule_info *rule = *state;
	expect(rule->right, "");
}

/* Adds two tests for each rule. */
__attribute__((constructor)) static void add_examples(void)
{
	static char names[2 * RULES][64];
	static struct rule_info rows[RULES];
	memcpy(rows, rules, sizeof rows);
	for (unsigned r = 0; r < RULES; r++) {
		snprintf(names[2 * r], sizeof names[0], "%s: wrong example", rows[r].id);
		snprintf(names[2 * r + 1], sizeof names[0], "%s: right example", rows[r].id);
		add_test((struct CMUnitTest){.name = names[2 * r], .test_func = wrong_example, .initial_state = &rows[r]});
		add_test((struct CMUnitTest){.name = names[2 * r + 1], .test_func = right_example, .initial_state = &rows[r]});
	}
}

TEST(rule_texts)
{
	for (unsigned r = 0; r < RULES; r++) {
		assert_int_equal(rule_find(rules[r].id), r);
		assert_true(strspn(rules[r].id, "abcdefghijklmnopqrstuvwxyz-") == strlen(rules[r].id));
		assert_true(strlen(rules[r].meaning) > 10 && strlen(rules[r].source) > 3);
		assert_string_not_equal(rules[r].wrong, rules[r].right);
	}
	assert_int_equal(rule_find("no-such-rule"), RULES);
}

TEST(describes)
{
	struct arena arena;
	arena_init(&arena, NULL);
	struct text list = {.arena = &arena}, page = {.arena = &arena}, none = {.arena = &arena};
	assert_true(rules_describe(&list, NULL));
	unsigned lines = 0;
	for (const char *p = list.at; (p = strchr(p, '\n')); p++)
		lines++;
	assert_int_equal(lines, WARNINGS);
	assert_true(rules_describe(&page, "vs-slots"));
	assert_non_null(strstr(page.at, "    exp r0.x, v0.x    // 12 times\n"));
	assert_non_null(strstr(page.at, "wrong"));
	assert_non_null(strstr(page.at, "right"));
	assert_false(rules_describe(&none, "vs-slot"));
	arena_free(&arena);
}

/* ---- what compilers ship ------------------------------------------------------------ */

TEST(shipped_forms)
{
	expect(PS T0 "dp3 r0, t0, t0\nmov_pp oC0, r0\n", "");
	expect(PS "dcl t0.xyz\ndcl t1.xy\nmov r0.xy, t1\nlrp r1.xyz, c2, t0, r0.yxxw\nmov oC0, c0\n", "ps-swizzle");
	expect(PS "dcl t0.xyz\nmov r0, c1\nlrp r1.xyz, c2, t0, r0.yzxw\nmov oC0, c0\n", "");
	expect(PS "dcl t0.xy\nfrc r0.yz, t0.zxyw\nmov oC0, c0\n", "");
	expect(PS "dcl t0.xy\nfrc r0.y, t0.zxyw\nmov oC0, c0\n", "");
	expect(PS "dcl t0.rg\n" S0 "texld_pp r0, t0, s0\nmul_sat_pp r0, r0, c0.a\nmov oC0, r0\n", "");
	expect(PS "dcl v0\ndcl_pp v1.xyz\ndcl_centroid t1.xyz\nmul r0, v0, c0.w\nmad r0.xyz, v1, t1, r0\nmov oC0, r0\n", "");
	expect(PS "def c0, 1, 0, 0, 0\ndcl v0\ndef c1, 0, 0, 0, 0\ndcl t1\n" S0 "mov oC0, c0\n", "");
	expect(PS "mov oC0, v0\ndcl v0\n", "decl-order");
	expect(PS "dcl v0\nmov oC0, v0\n", "");
	expect(PS "dcl v0\nmov r0.xyz, v0.rgba\nmov r0.w, c0.wwww\nmov oC0, r0.rgba\n", "");
	expect(VS "dp4 oPos.x, v0, c0\ndp4 oPos.y, v0, c1\ndp4 oPos.z, v0, c2\ndp4 oPos.w, v0, c3\n", "");
	expect(VS "dcl_normal0 v1\nmov oT0.xy, v1\nmov oT0.zw, v0\nmov oD0.xyz, c4\nmov oD0.w, c4.x\n" POS, "");
	expect(VS "mov oFog, v0.z\nmov oPts.x, c0.x\n" POS, "");
	expect(VS "mov r0.x, v0.x\nmov oFog, r0\n" POS, "");
	expect(VS "rcp r0.w, v0.x\nrsq r0.w, -r0.w\n" POS, "");
	expect(VS "mov a0.x, v0.x\nm4x3 r0.xyz, v0, c[a0.x + 9]\nadd r0.xyz, c[a0.x+3], c[a0.x+3]\n" POS, "");
	expect(VS "m4x4 oPos, v0, c0\n", "");
	expect(VS "mul r0.yz, v0.wzyx, c0.xy\n" POS, "");
}

TEST(dialect)
{
	expect("VS.1.1\r\nDCL_POSITION0 V0 ; all\r\n\r\nMOV\toPos,v0 // that's it\r\n", "");
	expect("// ps_2_0 comes here\n\nps.2.0\nmov oC0,c0", "");
}

/* ---- single rules, further cases ------------------------------------------------------- */

TEST(opcodes_by_model)
{
	expect(VS "cmp r0, v0, v0, v0\n" POS, "opcode");
	expect(VS "lrp r0, v0, v0, v0\nmov r1, r0\n" POS, "opcode");
	expect(VS2 "lrp r0, v0, v0, v0\nmov r1, r0\n" POS, "");
	expect(VS2 "cmp r0, v0, v0, v0\n" POS, "opcode");
	expect(VS2 "frc r0, v0\n" POS, "");
	expect(PS "slt r0, c0, c0\n" OUT, "opcode");
	expect(PS "mova r0, c0\n" OUT, "opcode");
	expect(VS "texld r0, v0, v0\n" POS, "opcode");
	expect("ps_2_b\nlit r0, c0\n" OUT, "opcode");
}

/* Checks that model 3 allows a swizzle of a sampler, which swizzles the texel. */
TEST(samplers)
{
#define READ "dcl_texcoord v0\ndcl_2d s0\n"
	expect("ps_3_0\n" READ "texld r0, v0, s0.wzyx\ntexldl r1, v0, s0.y\nadd oC0, r0, r1\n", "");
	expect("ps_3_0\n" READ "texld oC0, v0, -s0\n", "ps-tex-sampler");
	expect("ps_3_0\n" READ "texld oC0, v0, s0_abs\n", "ps-tex-sampler");
	expect("ps_2_b\ndcl t0\ndcl_2d s0\ntexld r0, t0, s0.wzyx\n" OUT, "ps-tex-sampler");
	expect("vs_3_0\ndcl_position v0\ndcl_position o0\ndcl_2d s0\ntexldl o0, v0, s0.zzzw\n", "");
	expect("vs_3_0\ndcl_position v0\ndcl_position o0\nm4x4 o0, v0, c0_abs\n", "matrix-source");
	expect("ps_3_0\nmov o0, c0\nmov oC0, c0\n", "register-model");
}

/* Checks that a modifier of a register does not hide the register from the checker. */
TEST(ports_behind_modifiers)
{
#define TWO "ps_3_0\ndcl_texcoord v0\ndcl_texcoord1 v1\n"
	expect(TWO "add r0, v0_abs, v0\nadd r0, r0_abs, c1_abs\nadd r0, v0_abs, c1_abs\nmov oC0, r0\n", "");
	expect(TWO "add r0, v0, v1_abs\nmov oC0, r0\n", "ps-texcoord-port");
	expect(TWO "mad r0, v0, c0_abs, c1_abs\nmov oC0, r0\n", "ps-const-port");
	expect("vs_3_0\ndcl_position v0\ndcl_normal v1\ndcl_position o0\nadd o0, -v0_abs, v1\n", "vs-input-port");
}

TEST(ranges)
{
	expect(VS "mov r0, c95\n" POS, "");
	expect(VS "mov r0, c96\nmov r0, c255\n" POS, "device?");
	expect(VS "mov r0, c256\nmov r0, c257\n" POS, "register-range");
	expect(VS2 "mov r0, c255\n" POS, "");
	expect(VS2 "mov r0, c256\n" POS, "register-range");
	expect(VS "m4x4 r0, v0, c92\n" POS, "");
	expect(VS "m4x4 r0, v0, c93\n" POS, "device?");
	expect(VS "mov a0.x, v0.x\nmov r0, c[a0.x - 1]\n" POS, "register-range");
	expect(VS "dcl_color v16\n" POS, "register-range");
	expect(VS "mov oT8, v0\n" POS, "register-range");
	expect(VS "mov oD2, v0\n" POS, "register-range");
	expect(VS "def c96, 0, 0, 0, 0\n" POS, "device?");
	expect(PS "mov r0, c32\n" OUT, "register-range");
	expect("ps_2_sw\nmov r0, c255\n" OUT, "");
	expect(PS "dcl t8\n" OUT, "register-range");
	expect(PS "dcl v2\n" OUT, "register-range");
	expect(PS "dcl_2d s16\n" OUT, "register-range");
	expect(PS OUT "mov oC4, c0\n", "register-range");
	expect("ps_2_a\nmov r21, c0\n" OUT, "");
	expect("ps_2_a\nmov r22, c0\n" OUT, "register-range");
	expect("ps_2_b\nmov r31, c0\n" OUT, "");
	expect(PS "mov r12, c0\nmov r0, r12\n" OUT, "register-range");
	expect(VS "mov oC0, v0\nmov oC0, v0\n" POS, "register-model");
	expect(VS "dcl_2d s0\n" POS, "register-model");
	expect(PS "mov oPos, c0\n" OUT, "register-model");
	expect(PS "mov a0.x, c0.x\n" OUT, "register-model");
}

TEST(lanes_read)
{
	expect(VS "mov r0.x, v0\nmov r1.x, r0\nmov r1.y, r0\nmov r1.z, r0.y\n" POS, "unwritten");
	expect(VS "mov r0.xyz, v0\ndp3 r1, r0, r0\ndp4 r1, r0, v0\n" POS, "unwritten");
	expect(VS "dst r0, r1, r2\n" POS, "unwritten unwritten");
	expect(VS "mov r1.yz, v0\nmov r2.yw, v0\ndst r0, r1, r2\n" POS, "");
	expect(VS "mov r1.xyw, v0\nlit r0, r1\n" POS, "");
	expect(VS "mov r1.x, v0\nlit r0.z, r1\n" POS, "unwritten");
	expect(VS "m3x3 r0.xyz, v0, r1\n" POS, "unwritten unwritten unwritten");
	expect(VS "mov r1.xyz, v0\nmov r2.xyz, v0\nmov r3.xyz, v0\nm3x3 r0.xyz, v0, r1\n" POS, "");
	expect(VS2 "mov r1.xyz, v0\nmov r2.xyz, v0\nsgn r0, v0, r1, r2\nmov r3.xyz, r1\nmov r3, r2\n" POS,
	       "undefined? unwritten undefined?");
	expect(PS "sincos r0.x, c2.x, c0, c1\nmov r1.x, r0.x\nmov r1.x, r0.y\n" OUT, "unwritten");
	expect(PS "mov r0, c0\nsincos r0.xy, c2.x, c0, c1\nmov r1.xyw, r0\nmov r1.z, r0\nmov r1.z, r0\n" OUT, "undefined?");
	expect(PS "mov r0, c0\nsincos r0.xy, c2.x, c0, c1\nmov r0.z, c0\nmov oC0, r0\n", "");
	expect(PS "mov r0.xy, c0\n" S0 "texld r1, r0, s0\nmov oC0, r1\n", "decl-order");
	expect(PS S0 "mov r0.xy, c0\ntexld r1, r0, s0\nmov oC0, r1\n", "");
	expect(PS S0 "mov r0.xy, c0\ntexldp r1, r0, s0\nmov oC0, r1\n", "unwritten");
	expect(PS "dcl_cube s0\nmov r0.xy, c0\ntexld r1, r0, s0\nmov oC0, r1\n", "unwritten");
	expect(PS "mov r0.xy, c0\ntexld r1, r0, s0\nmov oC0, r1\n", "ps-sampler-dcl");
	expect(PS "mov r0.xyz, c0\ntexkill r0\n" OUT, "");
	expect(PS "mov r0.xy, c0\ntexkill r0\n" OUT, "unwritten");
	expect(PS "mov r0.xy, c0\nmov r1.x, c0.x\ndp2add r2, r0, c1, r1.x\n" OUT, "");
	expect(PS "mov r1.xz, c0\nmov r2, c0\ncrs r0.y, r1, r2\n" OUT, "");
	expect(PS "mov r1.xz, c0\nmov r2, c0\ncrs r0.xy, r1, r2\n" OUT, "unwritten");
	expect(PS "mov r0.x, c0.x\nmov r0.y, r0.x\nmov r0.zw, r0.wzyx\n" OUT, "");
	expect(PS "mov r0, r0\n" OUT, "unwritten");
}

TEST(declared_lanes)
{
	expect(PS "dcl t0.xy\n" S0 "texld r0, t0, s0\n" OUT, "");
	expect(PS "dcl t0.xy\ndcl_cube s0\ntexld r0, t0, s0\n" OUT, "ps-dcl-lanes");
	expect(PS "dcl t0.xyz\ndcl_volume s0\ntexld r0, t0, s0\n" OUT, "");
	expect(PS "dcl t0.xyz\ndcl_volume s0\ntexldb r0, t0, s0\n" OUT, "ps-dcl-lanes");
	expect(PS "dcl t0.xyz\ndcl_2d s0\ntexldp r0, t0, s0\n" OUT, "ps-dcl-lanes");
	expect(PS "dcl t0.xyz\ntexkill t0\n" OUT, "");
	expect(PS "dcl t0.xy\ntexkill t0\ntexkill t0\n" OUT, "ps-dcl-lanes");
	expect(PS "dcl v0.xyz\nmov r0.xyz, v0\nmov r0.w, v0\n" OUT, "ps-dcl-lanes");
	expect(PS "dcl t0.xy\nmul r0.xy, t0, t0.wzyx\n" OUT, "ps-dcl-lanes");
	expect(VS "dcl_texcoord v1.xy\nmov oT0, v1\n" POS, ""); /* missing lanes read 0, 0, 0, 1 */
	expect(VS "mov r0, v1\nmov r0, v1\n" POS, "vs-input-dcl");
	expect(PS "mov r0, v0\nmov r1, t0\nmov r1, t0\n" OUT, "ps-input-dcl ps-input-dcl");
}

TEST(ports)
{
	expect(VS "mad r0, c0, v0, c1\n" POS, "vs-const-port");
	expect(VS "mad r0, c0, c1, c2\n" POS, "vs-const-port");
	expect(VS "mov a0.x, v0.x\nadd r0, c[a0.x], c0\n" POS, "vs-const-port");
	expect(VS "mov a0.x, v0.x\nadd r0, c[a0.x], c[a0.x + 1]\n" POS, "vs-const-port");
	expect(VS "m4x4 r0, c4, c0\n" POS, "vs-const-port");
	expect(VS "m4x4 r0, c0, c0\n" POS, "vs-const-port");
	expect(VS "mad r0, v0, c0, v0.yzxw\n" POS, "");
	expect(VS2 "add r0, c0, c1\n" POS, "vs-const-port");
	expect(PS T0 "dcl v0\nmad r0, t0, c0, v0\nmad r0, t0, c0, c0\n" OUT, "");
	expect(PS T0 "dcl t1\nmad r0, t0, c0, t1\n" OUT, "ps-texcoord-port");
	expect("ps_2_a\ncmp r0, c0, c1, c2\n" OUT, "ps-const-port");
	expect(PS "pow r0, c0.x, c1.x\n" OUT, "ps-const-port");
}

TEST(swizzles)
{
	static const char *const fine[] = {"x", "yyyy", "zzzz", "w", "xyzw", "yzxw", "zxyw", "wzyx", "xx", "rgba", "gbra", "a"};
	static const char *const wrong[] = {"xyxy", "xxyz", "yxzw", "xyww", "zyxw"};
	char text[200];
	for (size_t k = 0; k < sizeof fine / sizeof *fine; k++) {
		snprintf(text, sizeof text, PS "mov r0, c0.%s\n" OUT, fine[k]);
		expect(text, "");
	}
	for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
		snprintf(text, sizeof text, PS "mov r0, c0.%s\n" OUT, wrong[k]);
		expect(text, "ps-swizzle");
		snprintf(text, sizeof text, "ps_2_x\nmov r0, c0.%s\n" OUT, wrong[k]);
		expect(text, "");
		snprintf(text, sizeof text, VS "mov r0, c0.%s\n" POS, wrong[k]);
		expect(text, "");
	}
	expect(PS "mov r0.xy, c0.xyxy\n" OUT, "ps-swizzle");
	expect(PS "mov r0.xy, c0.xy\n" OUT, "short-swizzle?");
	expect(PS "mov r0.xyz, c0.yzx\n" OUT, "short-swizzle?");
	expect(PS "mov r0.xyz, c0.xyz\n" OUT, "short-swizzle?");
	expect(PS "mov r0.xy, c0.wz\n" OUT, "short-swizzle?");
	expect(PS "mov r0.xy, c0.xz\n" OUT, "ps-swizzle");
	expect(PS "mov r0, c0.xyz\n" OUT, "ps-swizzle");
	expect(PS "dp3 r0, c0.xyz, c0.xyz\n" OUT, "short-swizzle? short-swizzle?");
	expect("ps_2_a\nmov r0.xy, c0.xz\n" OUT, "");
	expect(PS T0 S0 "texld r0, t0.xy, s0\n" OUT, "short-swizzle?");
	expect(PS T0 "dcl_cube s0\ntexld r0, t0.xyz, s0\n" OUT, "short-swizzle?");
	expect(PS T0 "dcl_cube s0\ntexld r0, t0.xy, s0\n" OUT, "ps-tex-coordinate");
	expect(PS T0 S0 "texld r0, t0.xyzw, s0\n" OUT, "");
	expect(PS T0 S0 "texld r0, t0.yxzw, s0\n" OUT, "ps-tex-coordinate");
	expect("ps_2_a\n" T0 S0 "texld r0, t0.wzyx, s0\n" OUT, "ps-tex-coordinate");
	expect(PS "mov oC0, c0.xyz\n", "ps-output-source");
	expect(PS "mov oC0, c0.x\n", "ps-output-source");
}

TEST(scalars)
{
	expect(PS "exp r0, c0\nlog r0, c0.xy\nrsq r0, c0.xyzw\n" OUT, "ps-scalar ps-scalar ps-scalar");
	expect(PS "mov r1, c1\npow r0, c0, r1\n" OUT, "ps-scalar ps-scalar");
	expect(PS "mov r1, c1\ndp2add r0, r1, r1, c0\n" OUT, "ps-scalar");
	expect(PS "sincos r0.x, c2, c0, c1\n" OUT, "ps-scalar");
	expect(PS "rcp r0, -c0.wwww\n" OUT, "");
	expect(VS "rcp r0, v0.xy\n" POS, "vs-scalar");
	expect(VS "expp r0, v0\nlogp r0, v0\nlog r0, v0\n" POS, "vs-scalar vs-scalar vs-scalar");
	expect(VS2 "pow r0, v0, v0.x\n" POS, "vs-scalar");
}

TEST(modifiers)
{
	expect(VS "mul_pp r0, v0, v0\n" POS, "vs-modifier");
	expect(VS2 "mul_sat r0, v0, v0\n" POS, "vs-modifier");
	expect(PS "frc_sat r0, c0\n" OUT, "ps-sat");
	expect(PS "sincos_sat r0.x, c2.x, c0, c1\n" OUT, "ps-sat");
	expect(PS T0 S0 "texld_sat r0, t0, s0\n" OUT, "ps-sat");
	expect(PS "mov oC0, c0\nmov_sat oDepth, c0.x\n", "ps-sat");
	expect(PS T0 "texkill_sat t0\n" OUT, "ps-modifier");
	expect(PS "nrm_sat r0.xyz, c0\npow_sat_pp r1, c0.x, c0.y\nfrc_pp r2, c0\n" OUT, "");
}

TEST(macros)
{
	expect(VS "m3x2 r0.xy, v0, c0\nm3x3 r0.xyz, v0, c0\nm3x4 r0, v0, c0\nm4x3 r0.xyz, v0, c0\n" POS, "");
	expect(VS "m3x2 r0.x, v0, c0\nm3x3 r0.xyzw, v0, c0\nm3x4 r0.x, v0, c0\nm4x3 r0.xy, v0, c0\n" POS,
	       "matrix-mask matrix-mask matrix-mask matrix-mask");
	/* Without a mask, the macro leaves the other lanes unwritten. */
	expect(VS "m3x2 r0, v0, c0\nm3x3 r0, v0, c0\nm4x3 r0, v0, c0\nm4x4 r0, v0, c0\nm3x4 r0, v0, c0\n" POS,
	       "matrix-unmasked? matrix-unmasked? matrix-unmasked?");
	expect(VS "mov r0, v0\nm4x3 r0, v0, c0\ndp4 r1, r0, v0\n" POS, "matrix-unmasked? matrix-mask");
	expect(VS "m4x3 r0, v0, c0\nmov r1, r0.w\n" POS, "matrix-unmasked? matrix-mask");
	expect(VS "m4x3 r0, v0, c0\nmov r0.w, v0\ndp4 r1, r0, v0\nm3x3 r2, v0, c0\ndp3 r1, r2, v0\n" POS,
	       "matrix-unmasked? matrix-unmasked?");
	expect(VS "m4x4 r0, v0, c0.wzyx\n" POS, "matrix-source");
	expect(VS "m3x3 r0.xyz, v0, c0.xyz\n" POS, "short-swizzle?");
	expect(VS "m4x4 r0, v0.wzyx, c0\n" POS, "");
	expect(PS "mov r0, c4\nm3x3 r0.xyz, r0, c0\n" OUT, "macro-alias");
	expect(PS "mov r0, c4\nnrm r0, r0\n" OUT, "macro-alias");
	expect(PS "mov r0, c4\npow r0, c0.x, r0.x\n" OUT, "macro-alias");
	expect(PS "mov r0, c4\npow r0, r0.x, c0.x\n" OUT, "");
	expect(PS "mov r0, c4\ncrs r0.xyz, c0, r0\n" OUT, "macro-alias");
	expect(PS "mov r0, c4\nlrp r0, r0, r0, r0\n" OUT, "");
	expect(PS "crs r0.xw, c0, c0\n" OUT, "crs-mask");
	expect(PS "crs r0.xyz, -c0, -c0\n" OUT, "");
	expect(PS "mad r0, c0, c0, c0.x\n" OUT, "const-reads?");
	expect(VS "mad r0, c0, c0, c0\n" POS, "");
	expect(PS "crs r0.xyz, c0.xyzw, c0\n" OUT, "");
	expect(PS "mov oC0, c0\nnrm oC1, c0\n", "ps-output-mov");
	expect(VS2 "crs oT0.xyz, v0, c0\n" POS, "macro-dst");
	expect(VS2 "pow oT0.x, v0.x, c0.x\n" POS, "macro-dst");
	expect(VS "frc r0.y, v0\n" POS, "");
	expect(VS "frc r0.x, v0\n" POS, "vs-frc-mask");
	expect(VS "frc oT0.xy, v0\n" POS, "");
	expect(PS "sincos r0.xyz, c2.x, c0, c1\n" OUT, "sincos-mask");
	expect(PS "mov r1, c0\nsincos r0.x, c2.x, r1, c1\n" OUT, "sincos-const");
	expect(PS "sincos r0.x, c2.x, -c0, c1\n" OUT, "sincos-const");
	expect(PS "def c0, -1.5500992e-006, -2.1701389e-005, 0.0026041667, 0.00026041668\n"
	          "def c1, -0.020833334, -0.125, 1, 0.5\nsincos r0.x, c2.x, c0, c1\nmov oC0, c0\n", "");
	expect(PS "def c0, -1.55010e-6, -2.17014e-5, .00260417, .000260417\n"
	          "def c1, -.0208333, -.125, 1, .5\nsincos r0.x, c2.x, c0, c1\nmov oC0, c0\n", "");
	expect(PS "def c0, 1, 2, 3, 4\nsincos r0.x, c2.x, c0, c1\nmov oC0, c0\n", "sincos-const");
	expect(PS "def c0, -1.5500992e-006, -2.1701389e-005, 0.0026041667, 0.00026041668\n"
	          "def c1, -0.020833334, -0.125, 1, 0.5\nsincos r0.x, c2.x, c1, c0\nmov oC0, c0\n",
	       "sincos-const sincos-const");
	expect(VS2 "mov r1, v0\nsgn r0, v0, c0, r1\n" POS, "sgn-scratch");
}

TEST(textures)
{
	expect(PS S0 "texld r0, c0, s0\n" OUT, "ps-tex-coordinate");
	expect(PS "dcl v0\n" S0 "texld r0, v0, s0\n" OUT, "ps-tex-coordinate");
	expect(PS T0 S0 "texld r0, t0, s0.x\n" OUT, "ps-tex-sampler");
	expect(PS T0 S0 "texld r0, t0, -s0\n" OUT, "ps-tex-sampler");
	expect(PS T0 S0 "texld oC0, t0, s0\n", "ps-output-mov");
	expect(PS T0 "texkill -t0\n" OUT, "ps-texkill");
	expect(PS T0 "texkill t0.xyz\n" OUT, "short-swizzle?");
	expect(PS T0 "texkill t0.x\n" OUT, "ps-texkill");
	expect(PS S0 "add r0, c0, s0\n" OUT, "ps-sampler-use");
	expect(PS T0 "texld r0, t0, s1\ntexld r0, t0, s1\n" OUT, "ps-sampler-dcl");
	expect(PS T0 "texld r0, t0.xy, s1\n" OUT, "short-swizzle? ps-sampler-dcl");
}

TEST(dependent_reads)
{
#define READ0 "texld r0, t0, s0\n"
	/* dependent by coordinate, through arithmetic, and by an overwritten destination */
	expect(PS T0 S0 READ0 "texld r1, r0, s0\ntexld r2, r1, s0\ntexld r3, r2, s0\n" OUT, "");
	expect(PS T0 S0 READ0 "texld r1, r0, s0\ntexld r2, r1, s0\ntexld r3, r2, s0\ntexld r4, r3, s0\n" OUT,
	       "ps-dependent-reads");
	expect(PS T0 S0 "mov r0.xy, t0\ntexld r1, r0, s0\nmul r1.xy, r1, c0\ntexld r2, r1, s0\nadd r2.xy, r2, c0\n"
	          "texld r3, r2, s0\nmov r4.xy, r3\ntexld r5, r4, s0\n" OUT, "ps-dependent-reads");
	expect(PS T0 S0 READ0 READ0 READ0 READ0 OUT, "");
	expect(PS T0 S0 READ0 READ0 READ0 READ0 READ0 OUT, "ps-dependent-reads");
	expect(PS T0 S0 "mov r0, c0\n" READ0 READ0 READ0 OUT, "");
	expect(PS T0 S0 "mov r0, c0\n" READ0 READ0 READ0 READ0 OUT, "ps-dependent-reads");
	/* overwriting by arithmetic ends a chain; lanes are followed one by one */
	expect(PS T0 S0 READ0 READ0 READ0 "mov r0, c0\n" READ0 READ0 OUT, "");
	expect(PS T0 S0 READ0 "texld r0, r0, s0\ntexld r0, r0, s0\ntexld r0, r0, s0\nmov r1.xy, t0\nmov r1.zw, r0\n"
	          "texld r2, r1, s0\n" OUT, "");
	expect(PS T0 "dcl_cube s0\n" READ0 "texld r0, r0, s0\ntexld r0, r0, s0\ntexld r0, r0, s0\nmov r1.xy, t0\n"
	          "mov r1.zw, r0\ntexld r2, r1, s0\n" OUT, "ps-dependent-reads");
	/* other models have no limit */
	expect("ps_2_a\n" T0 S0 READ0 READ0 READ0 READ0 READ0 READ0 OUT, "");
}

TEST(pixel_outputs)
{
	expect(PS, "ps-colour");
	expect(PS "mov oDepth, c0.x\n", "ps-colour");
	expect(PS OUT "mov oC1, c0\nmov oC2, c0\nmov oC3, c0\nmov oDepth, c0.w\n", "");
	expect(PS OUT "mov oC3, c0\nmov oC2, c0\n", "ps-output-gap");
	expect(PS OUT "mov oC1, c0\nmov oC3, c0\n", "ps-output-gap");
	expect(PS "mov oC1, c0\n" OUT, "");
	expect(PS "mov oC0.xyzw, c0\n", "");
	expect(PS OUT "mov oDepth.x, c0.x\n", "ps-output-mask");
	expect(PS OUT "mov oDepth, -c0.x\n", "ps-depth-source");
	expect(PS OUT "mov oDepth, c0.x\nmov oDepth, c0.x\n", "ps-output-once");
	expect(PS OUT "add oDepth, c0.x, c0.x\n", "ps-output-mov");
	expect(PS "mov r0, oC0\n" OUT, "write-only-register");
}

TEST(vertex_outputs)
{
	expect(VS, "vs-position");
	expect(VS "mov oPos.xy, v0\nmov oPos.w, v0\n", "vs-position");
	expect(VS "mov oT0.xz, v0\n" POS, "vs-texcoord-mask?");
	expect(VS "mov oT0.z, v0\nmov oT0.xy, v0\n" POS, "");
	expect(VS "mov oT2, v0\nmov oT0, v0\n" POS, "vs-texcoord-gap?");
	expect(VS "mov oFog.yz, v0\n" POS, "vs-scalar-output");
	expect(VS "mov oPts.w, v0\n" POS, "vs-scalar-output");
	expect(VS "mov r0, oPos\n" POS, "write-only-register");
}

TEST(address)
{
	expect(VS "mov a0, v0.x\n" POS, "vs-address-mask");
	expect(VS "mov a0.xy, v0\n" POS, "vs-address-mask");
	expect(VS2 "mov a0.x, v0.x\nmov r0, c[a0.x]\n" POS, "vs-address-write");
	expect(VS2 "mova a0.x, v0.x\nmov r0, c[a0.x + 2]\n" POS, "");
	expect(VS2 "mova a0.x, v0.x\nsincos r0.x, v0.x, c[a0.x], c1\n" POS, "sincos-const");
	expect(VS2 "mova a0, v0\nmul r0, c[a0.x], c[a0.x].w\nmad r0, v0, c[a0.w + 2], r0\n" POS, "");
	expect(VS2 "mova a0.xz, v0\nmul r0, c[a0.x], c[a0.z]\n" POS, "vs-const-port");
	expect(VS2 "mova a0.xz, v0\nmov r0, c[a0.y]\nmov r0, c[a0.y]\n" POS, "vs-address-unwritten");
	expect(VS "mov a0.x, v0.x\nmov r0, c[a0.y]\n" POS, "vs-address-mask");
	expect(VS "mov r0, c[a0.x]\nmov r0, c[a0.x]\n" POS, "vs-address-unwritten");
	expect(VS "mov a0.x, r0.x\n" POS, "unwritten");
}

TEST(declarations)
{
	expect(VS "dcl_position v1\n" POS, "vs-usage-twice?");
	expect(VS "dcl_normal v0\n" POS, "dcl-twice");
	expect(VS "def c0, 1, 2, 3, 4\ndef c0, 1, 2, 3, 4\n" POS, "def-twice?");
	expect(PS S0 "dcl_cube s0\n" OUT, "dcl-twice");
	expect(PS OUT "dcl t0\ndcl t1\ndef c1, 0, 0, 0, 0\n", "decl-order");
	expect(VS "dcl_blendweight v1\ndcl_blendindices v2\ndcl_normal v3\ndcl_psize v4\ndcl_texcoord7 v5\ndcl_tangent v6\n"
	          "dcl_binormal v7\ndcl_tessfactor v8\ndcl_positiont v9\ndcl_color1 v10\ndcl_fog v11\ndcl_depth v12\n"
	          "dcl_sample v13\n" POS, "");
}

/* ---- options, positions, sizes ------------------------------------------------------------ */

TEST(options)
{
	const char *unwritten = PS "mov r0.x, r1.x\n" OUT;
	struct check_options o = {.unwritten_warns = true};
	expect_with(unwritten, "unwritten?", &o);
	o = (struct check_options){.incomplete = true};
	expect_with(unwritten, "", &o);
	expect_with(PS "mov r0, t0\n", "", &o);
	expect_with(VS "mov r0, v1\nabs r0, v0\n", "opcode", &o);
	expect_with(PS "add r0, c0, c1\n", "ps-const-port", &o);
	o = (struct check_options){.any_length = true};
	expect_with(rules[RULE_PS_ARITH_SLOTS].wrong, "", &o);
	expect_with(rules[RULE_PS_TEX_SLOTS].wrong, "", &o);
	expect_with(rules[RULE_PS_ORDER].wrong, "", &o);
	expect_with(rules[RULE_VS_SLOTS].wrong, "", &o);
	expect_with(PS "mov r31, c0\n" OUT, "", &o);
	expect_with(PS "mov r32, c0\n" OUT, "register-range", &o);
	expect_with(PS "mov r0, c0.xyxy\n" OUT, "ps-swizzle", &o);
}

TEST(positions)
{
	expect_at(PS "dcl t0.xy\n  add r0.xy, c1,  -c2.w\n" OUT, "ps-const-port", 3, 19, "reads c1 and c2");
	expect_at(PS "add  oC0, c0, c0\n", "ps-output-mov", 2, 6, "add cannot write oC0");
	expect_at(VS "mov oPos.xyw, v0\n", "vs-position", 3, 5, "oPos.z is not written");
	expect_at("// head\n" PS "mov r0, c0\n", "ps-colour", 2, 1, "oC0");
	expect_at(PS "mov r0.x, c0\nmul r1, r0, c0\n" OUT, "unwritten", 3, 9, "r0.yzw");
	expect_at(PS OUT "  def c9, 0, 0, 0, 0\n", "decl-order", 3, 3, "def");
	expect_at(VS "abs r0, v0\n" POS, "opcode", 3, 1, "vs_1_1 has no abs; vs_2_0 and ps_2_0 do");
	expect_at(VS "cmp r0, v0, v0, v0\n" POS, "opcode", 3, 1, "ps_2_0 does");
	expect_at(PS "mov r0.xy, c0.xy\n" OUT, "short-swizzle", 2, 12, "c0.xy is short for c0.xyyy, which is not allowed here; it is read as c0.xyzw");
	expect_at(PS "dcl t0.xy\nmov r0.z, -t0\n" OUT, "ps-dcl-lanes", 3, 11, "t0.z is read, but the dcl names only t0.xy");
}

TEST(several_in_one_file)
{
	expect(PS "add r0, c0, c1\nmov r1, r2\nslt r3, c0, c0\nmov_sat oC0, -c0\n",
	       "ps-const-port unwritten opcode ps-sat ps-output-source");
}

/* Checks a hundred thousand instructions, each with another error: quadratic time would not end. */
TEST(hostile)
{
	enum { LINES = 100000, ROOM = 48 };
	static char text[64 + LINES * ROOM];
	char *end = text + sprintf(text, "ps_2_0\n");
	for (unsigned k = 0; k < LINES; k++)
		end += sprintf(end, "mad_sat r%u.xy, -c%u.xzyw, r%u, t%u.yx\n", k % 13, k % 40, k % 15, k % 9);
	struct checked c;
	check_text(&c, text, NULL);
	assert_true(c.diags.errors > LINES);
	arena_free(&c.arena);
}

/* Checks the message about an operand whose swizzle has no short text: it names all lanes. */
TEST(swizzles_that_no_text_has)
{
	struct checked c;
	check_text(&c, "ps_2_0\ndcl t0\nmov r0, t0\nmov oC0, r0\n", NULL);
	struct program *p = parse_programs(&c.arena, &c.source, &c.diags).at[0];
	p->instrs.at[0].src[0].swizzle = SWIZZLE(0, 2, 0, 3);
	check_program(p, &(struct check_options){.incomplete = false}, &c.diags);
	assert_int_equal(c.diags.n, 1);
	assert_non_null(strstr(c.diags.at[0].text, "no swizzle .xzxw;"));
	arena_free(&c.arena);
}

/* ---- flow control ------------------------------------------------------------------- */

#define VS2X "vs_2_x\ndcl_position v0\n"
#define PS3 "ps_3_0\ndcl_texcoord v0\ndcl_2d s0\n"
#define OUT0 "mov oC0, r0\n"

TEST(flow_in_each_model)
{
	static const char *const models_of[][2] = {{"vs_1_1", ""}, {"vs_2_0", "slc"}, {"vs_2_a", "slcdp"}, {"vs_2_x", "slcdp"}, {"vs_2_sw", "slcdp"}, {"vs_3_0", "slcdp"},
	                                           {"ps_2_0", ""}, {"ps_2_a", "p"}, {"ps_2_b", ""}, {"ps_2_x", "scdp"}, {"ps_2_sw", "scdp"}, {"ps_3_0", "slcdp"}};
	static const struct {
		char kind;
		const char *body;
	} bodies[] = {{'s', "if b0\nendif\n"}, {'s', "rep i0\nendrep\n"}, {'l', "loop aL, i0\nendloop\n"}, {'d', "if_gt c0.x, c0.y\nendif\n"},
	              {'d', "rep i0\nbreak\nendrep\n"}, {'p', "setp_lt p0, c0, c0\n(p0) mov r0, c0\n"}};
	for (size_t m = 0; m < sizeof models_of / sizeof *models_of; m++)
		for (size_t k = 0; k < sizeof bodies / sizeof *bodies; k++) {
			char text[256];
			bool const vertex = models_of[m][0][0] == 'v', links = strstr(models_of[m][0], "3_0") != NULL;
			snprintf(text, sizeof text, "%s\n%s%s%s", models_of[m][0], vertex ? "dcl_position v0\n" : "", vertex && links ? "dcl_position o0\n" : "", bodies[k].body);
			snprintf(text + strlen(text), sizeof text - strlen(text), "mov %s, %s\n", !vertex ? "oC0" : links ? "o0" : "oPos", vertex ? "v0" : "c0");
			struct checked c;
			check_text(&c, text, NULL);
			assert_int_equal(c.diags.errors > 0, strchr(models_of[m][1], bodies[k].kind) == NULL);
			arena_free(&c.arena);
		}
}

TEST(flow_nesting)
{
	expect(VS2 "if b0\nelse\nendif\nrep i0\nendrep\nloop aL, i0\nendloop\n" POS, "");
	expect_at(VS2 "rep i0\nendif\n" POS, "flow-nesting", 4, 1, "this endif is not inside an if");
	expect_at(VS2 "else\nendif\n" POS, "flow-nesting", 3, 1, "this else is not inside an if");
	expect_at(VS2 "if b0\nelse\nelse\nendif\n" POS, "flow-nesting", 5, 1, "this else is not inside an if");
	expect_at(VS2 "if b0\nendrep\nendif\n" POS, "flow-nesting", 4, 1, "this endrep ends no rep");
	expect_at(VS2 "rep i0\nendloop\n" POS, "flow-nesting", 4, 1, "this endloop ends no loop");
	expect_at(VS2 POS "if b0\nrep i0\n", "flow-nesting", 5, 1, "this rep has no endrep");
	expect_at(VS2 POS "if b0\nelse\n", "flow-nesting", 5, 1, "this else has no endif");
	expect_at(VS2X "if b0\nbreak\nendif\n" POS, "flow-nesting", 4, 1, "this break is not inside a rep or loop");
	expect(VS2X "rep i0\nif b0\nbreak\nendif\nendrep\n" POS, "");
	expect_at(VS2 "if b0\nret\nendif\n" POS, "flow-nesting", 4, 1, "this ret stands in an if, a rep or a loop");
	expect_at(VS2 POS "ret\nmov r0, v0\n", "flow-nesting", 5, 1, "this mov stands behind a ret, where only a label is allowed");
	expect_at(VS2 POS "label l0\nret\n", "flow-nesting", 4, 1, "this label stands before the ret of the code above it");
	expect_at(VS2 POS "call l0\nret\nlabel l0\nmov r0, v0\n", "flow-nesting", 6, 1, "this label begins a subroutine without a ret");
	expect_at(VS2 POS "call l1\nret\nlabel l0\nret\n", "flow-nesting", 4, 1, "this call calls a label that does not exist");
	expect_at(VS2 POS "call l0\nret\nlabel l0\nret\nlabel l0\nret\n", "flow-nesting", 4, 1, "this call calls a label that exists twice");
	expect_at(VS2X POS "ret\nlabel l0\ncall l0\nret\n", "flow-nesting", 6, 1, "this call calls a label that stands before it");
	expect(VS2 POS "call l0\nret\nlabel l0\nret\n", "");
}

TEST(flow_depth)
{
	expect_at(VS2 "loop aL, i0\nrep i1\nendrep\nendloop\n" POS, "flow-depth", 4, 1, "this rep is nested 2 deep; vs_2_0 allows 1");
	expect(VS2X "rep i0\nrep i0\nrep i0\nrep i0\nendrep\nendrep\nendrep\nendrep\n" POS, "");
	expect_at(VS2X "rep i0\nrep i0\nrep i0\nrep i0\nrep i0\nendrep\nendrep\nendrep\nendrep\nendrep\n" POS, "flow-depth", 7, 1, "nested 5 deep");
	/* The nesting depth of calls follows the called subroutines. */
	expect_at(VS2 POS "call l0\nret\nlabel l0\ncall l1\nret\nlabel l1\nret\n", "flow-depth", 7, 1, "this call is nested 2 deep");
	/* Loops nest through calls, too. */
	expect_at(VS2 POS "rep i0\ncall l0\nendrep\nret\nlabel l0\nrep i0\nendrep\nret\n", "flow-depth", 9, 1, "this rep is nested 2 deep");
	expect(VS2 POS "call l0\ncall l0\nret\nlabel l0\nret\n", "");
#define IFS4 "if b0\nif b0\nif b0\nif b0\n"
#define ENDIFS4 "endif\nendif\nendif\nendif\n"
	expect(VS2X IFS4 IFS4 IFS4 IFS4 IFS4 IFS4 ENDIFS4 ENDIFS4 ENDIFS4 ENDIFS4 ENDIFS4 ENDIFS4 POS, "");
	expect(VS2X IFS4 IFS4 IFS4 IFS4 IFS4 IFS4 "if b0\nendif\n" ENDIFS4 ENDIFS4 ENDIFS4 ENDIFS4 ENDIFS4 ENDIFS4 POS, "flow-depth");
	expect(VS2 IFS4 IFS4 IFS4 IFS4 ENDIFS4 ENDIFS4 ENDIFS4 ENDIFS4 POS, "");
	expect_at(VS2 IFS4 IFS4 IFS4 IFS4 ENDIFS4 ENDIFS4 ENDIFS4 ENDIFS4 "rep i0\nendrep\n" POS, "flow-depth", 35, 1, "this is the 17th");
}

TEST(flow_operands)
{
	expect(VS2 "if i0\nendif\n" POS, "flow-operand");
	expect(VS2 "if c0.x\nendif\n" POS, "flow-operand");
	expect(VS2 "loop aL, b0\nendloop\n" POS, "flow-operand");
	expect(VS2 "mov r0, i0\n" POS, "flow-operand");
	expect(VS2 "mov r0, aL\n" POS, "flow-operand");
	expect(VS2 "if b0.x\nendif\n" POS, "flow-operand");
	expect(VS2 "if b16\nendif\n" POS, "register-range");
	expect(VS2X "setp_eq p0, v0, c0\nif p0\nendif\n" POS, "flow-operand");
	expect(VS2X "if_lt c0, c0.x\nendif\n" POS, "vs-scalar");
	expect(VS2 "mov b0, v0\n" POS, "read-only-register");
	expect(VS2 "defi i0, 1, 2, 3, 4\ndefi i0, 1, 2, 3, 4\nrep i0\nendrep\n" POS, "def-twice?");
	expect(VS2 "defi i16, 1, 2, 3, 4\n" POS, "register-range");
	expect(VS2 "mov r0, c[aL]\n" POS, "loop-address");
	expect(VS2 POS "loop aL, i0\ncall l0\nendloop\nret\nlabel l0\nmov r0, c[aL]\nret\n", "");
	expect(PS3 "loop aL, i0\nmov r0, c[aL]\nendloop\n" "mov oC0, c0\n", "ps-relative");
	expect(PS3 "mov r0, c0\nloop aL, i0\nmov r0, v[aL]\nendloop\n" OUT0, "");
	expect(PS3 "mov r0, c0\nloop aL, i0\nmov r0, v[aL + 10]\nendloop\n" OUT0, "register-range");
}

TEST(predicates)
{
	expect(VS2X "if p0.x\nendif\n" POS, "predicate");
	expect(VS2X "setp_eq p0.y, v0, c0\nif p0.x\nendif\n" POS, "predicate");
	expect(VS2X "setp_eq p0.y, v0, c0\n(p0.x) mov r0, v0\n" POS, "predicate");
	expect(VS2X "setp_eq p0.y, v0, c0\n(p0) mov r0.y, v0\n(p0.y) mov r0, v0\n" POS, "");
	expect(VS2X "setp_eq p0, v0, c0\n(p0.yx) mov r0, v0\n" POS, "predicate");
	expect(VS2X "setp_eq p0, v0, c0\n(p0) if b0\nendif\n" POS, "predicate");
	expect(VS2X "setp_eq r0, v0, c0\n" POS, "predicate");
	expect(VS2X "mov p0, v0\n" POS, "predicate");
	/* A predicated write may leave the old value. */
	expect(VS2X "setp_eq p0, v0, c0\n(p0) mov r0, v0\nmov oT0, r0\n" POS, "unwritten-path?");
}

TEST(written_on_some_way)
{
	expect(PS3 "if b0\nmov r0, c0\nelse\nmov r0, c1\nendif\n" OUT0, "");
	expect(PS3 "if b0\nmov r0, c0\nelse\nmov r0.xyz, c1\nendif\n" OUT0, "unwritten-path?");
	expect(PS3 "if b0\nmov r1, c0\nelse\nmov r0, r1\nendif\nmov oC0, c0\n", "unwritten");
	expect(PS3 "rep i0\nmov r0, c0\nendrep\n" OUT0, "unwritten-path?");
	/* A later turn of a loop writes r1, but the first reads it unwritten. */
	expect(PS3 "mov r0, c0\nrep i0\nadd r0, r0, r1\nmov r1, c1\nendrep\n" OUT0, "unwritten-path?");
	expect(PS3 "mov r0, c0\nrep i0\nif b0\nbreak\nendif\nmov r1, c1\nadd r0, r0, r1\nendrep\n" OUT0, "");
	expect(PS3 "call l0\n" OUT0 "ret\nlabel l0\nmov r0, c0\nret\n", "");
	expect(PS3 "callnz l0, b0\n" OUT0 "ret\nlabel l0\nmov r0, c0\nret\n", "unwritten-path?");
}

#define READ_R1 "texld r0, r1, s0\n"
TEST(gradients)
{
	expect(PS3 "mov r0, c0\nmov r1, v0\nif_gt v0.x, c0.x\n" READ_R1 "endif\n" OUT0, "ps-gradient");
	expect(PS3 "mov r0, c0\nmov r1, v0\nif_gt v0.x, c0.x\nelse\n" READ_R1 "endif\n" OUT0, "ps-gradient");
	expect(PS3 "mov r0, c0\nif_gt v0.x, c0.x\ntexld r0, v0, s0\nendif\n" OUT0, "");
	expect(PS3 "mov r0, c0\nmov r1, v0\nif_gt v0.x, c0.x\ntexldl r0, r1, s0\nendif\n" OUT0, "");
	/* A condition that is the same for all pixels is allowed, even if it is computed. */
	expect(PS3 "mov r0, c0\nmov r1, v0\nadd r2, c1, c1\nif_gt r2.x, c0.x\n" READ_R1 "endif\n" OUT0, "");
	expect(PS3 "mov r0, c0\nmov r1, v0\nadd r2, c1, v0.x\nif_gt r2.x, c0.x\n" READ_R1 "endif\n" OUT0, "ps-gradient");
	expect(PS3 "mov r0, c0\nmov r1, v0\nif b0\n" READ_R1 "endif\n" OUT0, "");
	/* Pixels leave the loop at different times. */
	expect(PS3 "mov r0, c0\nmov r1, v0\nrep i0\n" READ_R1 "break_gt r0.x, c0.x\nendrep\n" OUT0, "ps-gradient");
	expect(PS3 "mov r0, c0\nmov r1, v0\nrep i0\n" READ_R1 "endrep\n" OUT0, "");
	/* Pixels that took different branches have different values, so that a condition on them differs, too. */
	expect(PS3 "mov r0, c0\nmov r1, v0\nmov r2, c0\nif_gt v0.x, c0.x\nmov r2, c1\nendif\nif_gt r2.x, c0.x\n" READ_R1 "endif\n" OUT0, "ps-gradient");
	/* The same holds in a subroutine called from there, and under a predicate. */
	expect(PS3 "mov r0, c0\nmov r1, v0\nif_gt v0.x, c0.x\ncall l0\nendif\n" OUT0 "ret\nlabel l0\n" READ_R1 "ret\n", "ps-gradient");
	expect(PS3 "mov r0, c0\nmov r1, v0\nsetp_gt p0, v0, c0\n(p0) texld r0, r1, s0\n" OUT0, "ps-gradient");
	expect(PS3 "mov r0, c0\nmov r1, v0\nsetp_gt p0, c1, c1.x\n(p0) texld r0, r1, s0\n" OUT0, "");
	/* The second turn of a loop may read values of the first. */
	expect(PS3 "mov r0, c0\nmov r1, v0\nmov r2, c0\nrep i0\nif_gt r2.x, c0.x\n" READ_R1 "endif\nmov r2, v0\nendrep\n" OUT0, "ps-gradient");
}
