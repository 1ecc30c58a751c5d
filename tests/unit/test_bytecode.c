/* Bytecode: a written program reads back as itself, with the same bytes; damaged bytecode is an error, or other bytes that read back
 * as themselves. */
#include "texts.h"

#include "lang/bytecode.h"
#include "lang/needs.h"

static struct text bytes_of(struct texts *t, const struct program *p, bool whole)
{
	struct text out = {.arena = &t->arena};
	bytecode_print(&out, p, whole, NULL);
	return out;
}

/* Writes a good text as bytecode, and returns the program that this is read as. */
static const struct program *through_bytes(struct texts *t, const char *text, struct text *bytes)
{
	*bytes = bytes_of(t, read_good(t, text), false);
	read_bytes(t, bytes->at, bytes->n);
	assert_string_equal(said(t), "");
	assert_int_equal(t->list.n, 1);
	return t->list.at[0];
}

/* Returns the text of a program that was written as bytecode and read; writing it again gives the same bytes. */
static const char *there_and_back(struct texts *t, const char *text)
{
	struct text bytes;
	const struct program *p = through_bytes(t, text, &bytes);
	struct text const again = bytes_of(t, p, true);
	assert_int_equal(again.n, bytes.n);
	assert_memory_equal(again.at, bytes.at, bytes.n);
	return printed(t, p);
}

static const char *operands_of(const struct op_info *op, enum model model)
{
	if (op->shape == SHAPE_KILL)
		return " r3";
	if (op->sources == 4)
		return " r0.xy, v7.zwzw, s15, r1_abs, -r2_abs.x";
	if (op->flags & OPF_TEX)
		return model == PS_3_0 ? " r0, v7.yzxw, s15" : model == VS_3_0 ? " r0, v7, s3" : " r0, t7, s15";
	if (model == VS_3_0 && op->sources == 2)
		return " o3.y, r1_abs.y, c2";
	static const char *const operands[] = {"", " r0.yw, -c31.wzyx", " r0.x, r1.y, c2", " r11, r1.x, -r2, r3.wzyx"};
	return operands[op->sources];
}

/* Returns declarations by usages of the registers of model 3. */
static const char *models_dcl(enum model model)
{
	return model == VS_3_0   ? "dcl_texcoord5 v7\ndcl_position o0\ndcl_color1 o3.xy\n"
	       : model == PS_3_0 ? "dcl_texcoord3_centroid v7\ndcl vFace\ndcl vPos.xy\n" : "";
}

TEXT_TEST(every_opcode_in_every_model)
{
	struct texts *t = *state;
	for (unsigned model = 0; model < MODEL_COUNT; model++) {
		for (unsigned op = 0; op < OP_BREAK; op++) {
			if (!model_has_op((enum model)model, (enum op)op))
				continue;
			/* These models have no version tokens of their own. */
			unsigned const same = model == PS_2_A || model == PS_2_B ? PS_2_X : model == VS_2_A ? VS_2_X : model;
			const char *dcl = models_dcl((enum model)model);
			const char *statement = arena_printf(&t->arena, "%s%s\n", ops[op].name, operands_of(&ops[op], (enum model)model));
			const char *text = arena_printf(&t->arena, "%s\n%s%s", models[model].name, dcl, statement);
			const char *back = arena_printf(&t->arena, "%s\n%s%s", models[same].name, dcl, statement);
			assert_string_equal(there_and_back(t, text), back);
		}
	}
}

static const char *const programs[] = {
	"vs_1_1\ndcl_position v0\ndcl_texcoord15 v15\ndef c95, 1, -0.5, 0.0009765625, 16777216\n"
	"mov a0.x, v0.y\nm4x4 oPos, v0, c[a0.x + 4]\nmov oT7.xy, -c[a0.x].wzyx\nmov oFog.x, c95.y\nmov oPts, v0.x\n"
	"mad oD1, v15, c95.x, -r11\n",
	"vs_2_0\ndcl_fog3 v1\nmova a0.w, v1\nadd r0, c[a0.w + 200].x, v1\nmov oPos, r0\n",
	"ps_2_0\ndef c0, 0.3, 0, 0, 1\ndcl_pp t0.xy\ndcl_centroid v1\ndcl_2d s0\ndcl_cube s3\ndcl_volume s15\n"
	"texld_pp r0, t0, s0\ntexldp r1, t0, s3\ntexldb r2, t0, s15\nmad_pp_sat r0.xyz, -r0.x, r1, c0.wzyx\ntexkill r2\n"
	"mov oC3, r0\nmov oC0, r0\nmov oDepth, r1.x\n",
	"ps_2_x\nmov r31.yw, r0.xxzy\nmov oC0, r31\n",
	"ps_2_sw\nmov r31, c255.xyxy\nmov oC0, r31\n",
};
enum { PROGRAMS = sizeof programs / sizeof *programs };

TEXT_TEST(all_there_is)
{
	for (unsigned k = 0; k < PROGRAMS; k++)
		assert_string_equal(there_and_back(*state, programs[k]), printed(*state, read_good(*state, programs[k])));
}

TEXT_TEST(tokens_are_those_of_direct3d)
{
	struct text bytes;
	through_bytes(*state, "ps_2_0\ndcl_2d s1\ntexldp_sat r1.xy, t2, s1\n", &bytes);
	static const uint32_t want[] = {0xffff0200, 0x0200001f, 0x90000000, 0xa00f0801, 0x03010042,
	                                0x80130001, 0xb0e40002, 0xa0e40801, 0x0000ffff};
	assert_int_equal(bytes.n, sizeof want);
	assert_memory_equal(bytes.at, want, sizeof want);
}

TEXT_TEST(what_is_cut_short_is_an_error)
{
	struct texts *t = *state;
	for (unsigned k = 0; k < PROGRAMS; k++) {
		struct text bytes;
		through_bytes(t, programs[k], &bytes);
		for (size_t n = 4; n < bytes.n; n++) {
			read_bytes(t, bytes.at, n);
			assert_true(t->diags.errors > 0);
			assert_int_equal(t->list.n, 0);
		}
	}
}

TEXT_TEST(what_is_damaged_is_an_error_or_written_as_it_is)
{
	struct texts *t = *state;
	unsigned good = 0, bad = 0;
	for (unsigned k = 0; k < PROGRAMS; k++) {
		struct text bytes;
		through_bytes(t, programs[k], &bytes);
		for (size_t bit = 0; bit < 8 * bytes.n; bit++) {
			char *damaged = arena_copy(&t->arena, bytes.at, bytes.n);
			damaged[bit / 8] = (char)(damaged[bit / 8] ^ 1 << bit % 8);
			if (!bytecode_is(damaged, bytes.n))
				continue;
			read_bytes(t, damaged, bytes.n);
			bad += t->diags.errors > 0;
			if (t->diags.errors)
				continue;
			struct text const again = bytes_of(t, t->list.at[0], true);
			assert_int_equal(again.n, bytes.n);
			assert_memory_equal(again.at, damaged, bytes.n);
			good++;
		}
	}
	assert_true(good > 1000 && bad > 1000);
}

/* Returns the diagnostics about tokens, up to a token of 0. */
static const char *errors_of_tokens(struct texts *t, const uint32_t *tokens, size_t n)
{
	read_bytes(t, (const char *)tokens, n * sizeof *tokens);
	return said(t);
}
#define SAID(...) \
	errors_of_tokens(t, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

TEXT_TEST(errors_name_the_token)
{
	struct texts *t = *state;
	assert_string_equal(SAID(0xffff0104, 0xffff), "-: token 0: ps_1_4 is not supported; supported: vs_1_1, vs_2_0, vs_2_a, vs_2_x, vs_2_sw, vs_3_0, ps_2_0, ps_2_a, ps_2_b, ps_2_x, "
	                    "ps_2_sw, ps_3_0\n");
	assert_string_equal(SAID(0xffff0200, 0x02000001, 0x800f0000, 0x93e40000, 0xffff),
	                    "-: token 3: source modifier 3, which ps_2_0 lacks\n");
	assert_string_equal(SAID(0xffff0200, 0x03000001, 0x800f0000, 0x90e40000, 0xffff),
	                    "-: token 1: the instruction has 2 operand tokens, but its length field says 3\n");
	assert_string_equal(SAID(0xffff0200, 0x02000001, 0x800f0000, 0xffff),
	                    "-: token 3: 0x0000ffff where an operand belongs\n");
	assert_string_equal(SAID(0xffff0200, 0x7fff0000 | 0xfffe, 0xffff), "-: token 1: the comment has 32767 tokens, but only 1 are left\n");
	assert_string_equal(SAID(0xffff0200, 0xffff, 0), "-: token 2: 4 bytes behind the end token\n");
	assert_string_equal(SAID(0xfffe0101, 0x51, 0xa00f0000, 0x7fc00000, 0, 0, 0, 0xffff),
	                    "-: token 3: a def of a number that is not finite\n");
	assert_string_equal(SAID(0xffff0200, 0x02000001, 0x800f4000, 0x90e40000, 0xffff),
	                    "-: token 2 would not be written back unchanged: it has bits without a meaning, or statements are in an unusual order\n");
}

/* Checks one kind of flow control: the bytes come back, and the listing is `text`. */
static void comes_back(struct texts *t, const uint32_t *tokens, size_t n, const char *text)
{
	read_bytes(t, (const char *)tokens, n * sizeof *tokens);
	assert_string_equal(said(t), "");
	struct text const bytes = bytes_of(t, t->list.at[0], true);
	assert_int_equal(bytes.n, n * sizeof *tokens);
	assert_memory_equal(bytes.at, tokens, bytes.n);
	assert_string_equal(t->list.at[0]->source->text, text);
}

TEXT_TEST(flow_control)
{
	struct texts *t = *state;
#define MOV_R0 0x02000001, 0x800f0000, 0xa0e40000
#define COMES_BACK(version, text, ...) \
	comes_back(t, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), version "\n" text "\n")
	COMES_BACK("ps_3_0", "rep i0\n  mov r0, c0\nendrep", 0xffff0300, 0x01000026, 0xf0e40000, MOV_R0, 0x00000027, 0xffff);
	COMES_BACK("ps_3_0", "if_eq r0.x, c0.x\nelse\nendif", 0xffff0300, 0x02020029, 0x80000000, 0xa0000000, 0x2a, 0x2b, 0xffff);
	COMES_BACK("ps_3_0", "if b1\nendif\nif !b1\nendif\nif p0.y\nendif\nif !p0.x\nendif", 0xffff0300, 0x01000028, 0xe0e40801, 0x2b, 0x01000028,
	           0xede40801, 0x2b, 0x01000028, 0xb0551000, 0x2b, 0x01000028, 0xbd001000, 0x2b, 0xffff);
	COMES_BACK("ps_3_0", "setp_gt p0.x, r0.x, c0.x\n(!p0.x) mov_sat r0, c0\n(p0) texkill r0", 0xffff0300, 0x0301005e, 0xb0011000,
	           0x80000000, 0xa0000000, 0x13000001, 0x801f0000, 0xbd001000, 0xa0e40000, 0x12000041, 0x800f0000, 0xb0e41000, 0xffff);
	COMES_BACK("vs_3_0", "loop aL, i2\n  mov r0, c[aL + 1]\n  mov r0, v[aL]\n  mov o[aL + 3].xy, c0\n  break_ne r0.x, c0.x\n  breakp p0.x\n  break\nendloop",
	           0xfffe0300, 0x0200001b, 0xf0e40800, 0xf0e40002, 0x03000001, 0x800f0000, 0xa0e42001, 0xf0e40800, 0x03000001, 0x800f0000,
	           0x90e42000, 0xf0e40800, 0x03000001, 0xe0032003, 0xf0e40800, 0xa0e40000, 0x0205002d, 0x80000000, 0xa0000000, 0x01000060,
	           0xb0001000, 0x2c, 0x1d, 0xffff);
	COMES_BACK("vs_2_0", "call l1\ncallnz l1, b0\nret\nlabel l1\n  mov r0, c0\nret", 0xfffe0200, 0x01000019, 0xa0e41001, 0x0200001a, 0xa0e41001,
	           0xe0e40800, 0x1c, 0x0100001e, 0xa0e41001, MOV_R0, 0x1c, 0xffff);
	COMES_BACK("vs_2_0", "defi i3, 4, 0, -1, 2147483647\ndefb b2, true\ndefb b3, false\nmov r0, c0", 0xfffe0200, 0x05000030, 0xf00f0003, 4, 0,
	           0xffffffff, 0x7fffffff, 0x0200002f, 0xe00f0802, 1, 0x0200002f, 0xe00f0803, 0, MOV_R0, 0xffff);
}

/* Checks that constants for flow control go if the written model has none. */
TEXT_TEST(what_nothing_reads_goes)
{
	struct texts *t = *state;
	static const uint32_t longer[] = {0xffff0201, 0x0200002f, 0xe00f0801, 1, 0x02000001, 0x800f0800, 0xa0e40000, 0xffff};
	read_bytes(t, (const char *)longer, sizeof longer);
	assert_string_equal(said(t), "");
	struct program *written = program_as_written(&t->arena, t->list.at[0]);
	assert_int_equal(written->model, PS_2_0);
	assert_int_equal(written->decls.n, 0);
	assert_string_equal(SAID(0xffff0300, 0x0f000030, 0xf00f0000, 0xffff),
	                    "-: token 4: the bytecode ends here, within a statement or before its end token (0x0000ffff)\n");
	assert_string_equal(SAID(0xffff0300, 0x03000029, 0x80000000, 0xa0000000, 0xffff), "-: token 1: a comparison of unknown kind 0\n");
}

TEXT_TEST(comments_stay_and_needs_become_comments)
{
	struct texts *t = *state;
	static const uint32_t tokens[] = {0xffff0200, 0x0002fffe, FOUR_LETTERS('T', 'E', 'X', 'T'), 0x0000ffff,
	                                  0x02000001, 0x800f0800, 0xa0e40003, 0x0001fffe, 0x12345678, 0x0000ffff};
	assert_string_equal(errors_of_tokens(t, tokens, sizeof tokens / sizeof *tokens), "");
	const struct program *p = t->list.at[0];
	assert_string_equal(printed(t, p), "ps_2_0\nmov oC0, c3\n");
	struct text out = bytes_of(t, p, true);
	assert_int_equal(out.n, sizeof tokens);
	assert_memory_equal(out.at, tokens, sizeof tokens);
	out = bytes_of(t, p, false); /* the second comment belongs to a statement */
	assert_int_equal(out.n, sizeof tokens - 8);
	assert_memory_equal(out.at, tokens, 28);
	/* needs_read finds the same in the comments of bytecode as in those of text. */
	const char *text = "vs_1_1\n// fpmove: c95 = ps c3 (g_scale)\ndcl_position v0\nmul oPos, v0, c95\n";
	struct program *vs = program_copy(&t->arena, read_good(t, text));
	needs_read(&t->arena, vs, &t->diags);
	out = bytes_of(t, vs, false);
	vs = program_copy(&t->arena, read_bytes(t, out.at, out.n).at[0]);
	needs_read(&t->arena, vs, &t->diags);
	assert_string_equal(said(t), "");
	assert_string_equal(printed(t, vs), text);
	assert_int_equal(vs->needs.consts.n, 1);
}
