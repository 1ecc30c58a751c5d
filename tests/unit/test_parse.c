/* Reading: every form of the two languages, dialects of real files, and messages about other text. */
#include "texts.h"

#include <stdlib.h>

/* Returns one statement behind `version`, printed. */
static const char *one(struct texts *t, const char *version, const char *statement)
{
	const char *out = round_trip(t, arena_printf(&t->arena, "%s\n%s\n", version, statement));
	assert_memory_equal(out, version, strlen(version));
	out += strlen(version) + 1;
	return arena_copy(&t->arena, out, strlen(out) - 1);
}

#define VS(statement, wanted) assert_string_equal(one(t, "vs_1_1", statement), wanted)
#define VS2(statement, wanted) assert_string_equal(one(t, "vs_2_0", statement), wanted)
#define PS(statement, wanted) assert_string_equal(one(t, "ps_2_0", statement), wanted)

static const char *operands_of(const struct op_info *op)
{
	if (op->shape == SHAPE_KILL)
		return " r0";
	if (op->flags & OPF_TEX)
		return op->sources == 4 ? " r0, r1, s0, r2, r3" : " r0, r1, s0";
	/* The matrix has as many rows as the opcode says. */
	if (op == &ops[OP_M3X2])
		return " r0.xy, r1, c2";
	if (op == &ops[OP_M3X3] || op == &ops[OP_M4X3])
		return " r0.xyz, r1, c2";
	switch (op->sources) {
	case 0: return "";
	case 1: return " r0, r1";
	case 2: return " r0, r1, c2";
	default: return " r0, r1, r2, r3";
	}
}

TEXT_TEST(every_opcode_in_every_model)
{
	struct texts *t = *state;
	for (unsigned model = 0; model < MODEL_COUNT; model++) {
		for (unsigned op = 0; op < OP_BREAK; op++) {
			if (op == (model_links((enum model)model) ? OP_SINCOS : OP_SINCOS3))
				continue; /* two opcodes share one word, each in its own models */
			const char *statement = arena_printf(&t->arena, "%s%s", ops[op].name, operands_of(&ops[op]));
			assert_string_equal(one(t, models[model].name, statement), statement);
			assert_int_equal(t->list.at[0]->model, model);
			assert_int_equal(t->list.at[0]->instrs.at[0].op, op);
		}
	}
}

TEXT_TEST(operand_counts)
{
	struct texts *t = *state;
	for (unsigned op = 0; op < OP_REGION1; op++) {
		unsigned want = ops[op].sources + (ops[op].flags & OPF_NO_DST ? 0u : 1u);
		for (unsigned n = 0; n <= 7; n++) {
			struct text text = {.arena = &t->arena};
			text_printf(&text, "%s\n%s%s", op == OP_SINCOS3 ? "ps_3_0" : "ps_2_0", ops[op].name, ops[op].flags & OPF_COMPARES ? "_lt" : "");
			for (unsigned i = 0; i < n; i++)
				text_printf(&text, "%s r%u", i ? "," : "", i);
			read_bytes(t, text.at, text.n);
			assert_int_equal(t->diags.errors, n != want);
			assert_int_equal(t->list.at[0]->instrs.n, n == want);
		}
	}
	assert_string_equal(errors_of(t, "vs_1_1\nadd r0, v0\nmov r1\nnop r0"),
	                    "2:1: add takes 3 operands (the destination first), not 2\n"
	                    "3:1: mov takes 2 operands (the destination first), not 1\n"
	                    "4:1: nop takes 0 operands, not 1\n");
}

TEXT_TEST(every_register)
{
	struct texts *t = *state;
	static const char *const written[] = {"r0",   "r11",  "r31",  "a0.x", "oPos",   "oFog", "oPts", "oD0",
	                                      "oD1",  "oT0",  "oT7",  "oC0",  "oC3",    "oDepth", "oFog.x", "t0"};
	for (size_t i = 0; i < sizeof written / sizeof *written; i++) {
		const char *statement = arena_printf(&t->arena, "mov %s, r0", written[i]);
		VS(statement, statement);
		PS(statement, statement);
	}
	static const char *const read[] = {"r0", "r11", "v0", "v15", "t0", "t7", "c0", "c95", "c255", "c[a0.x]",
	                                   "c[a0.x + 2]", "-c[a0.x + 12].wzyx", "-v3", "-r2.x", "a0.x", "oT0"};
	for (size_t i = 0; i < sizeof read / sizeof *read; i++) {
		const char *statement = arena_printf(&t->arena, "mov r0, %s", read[i]);
		VS(statement, statement);
	}
	for (unsigned s = 0; s < 16; s++) {
		const char *statement = arena_printf(&t->arena, "texld r0, t0, s%u", s);
		PS(statement, statement);
		assert_int_equal(t->list.at[0]->instrs.at[0].src[1].file, REG_SAMPLER);
		assert_int_equal(t->list.at[0]->instrs.at[0].src[1].index, s);
	}
}

static void letters_of(char *out, unsigned mask, const char *names)
{
	for (unsigned lane = 0; lane < LANES; lane++)
		if (mask >> lane & 1)
			*out++ = names[lane];
	*out = '\0';
}

TEXT_TEST(every_mask)
{
	struct texts *t = *state;
	for (unsigned mask = 1; mask < 16; mask++) {
		char xyzw[5], rgba[5], mixed[5];
		letters_of(xyzw, mask, "xyzw");
		letters_of(rgba, mask, "rgba");
		letters_of(mixed, mask, "xGbW");
		const char *wanted = arena_printf(&t->arena, "mov r0%s%s, v0", mask == 15 ? "" : ".", mask == 15 ? "" : xyzw);
		VS(arena_printf(&t->arena, "mov r0.%s, v0", xyzw), wanted);
		VS(arena_printf(&t->arena, "mov r0.%s, v0", rgba), wanted);
		VS(arena_printf(&t->arena, "MOV R0.%s, V0", mixed), wanted);
		assert_int_equal(t->list.at[0]->instrs.at[0].dst.mask, mask);
	}
	assert_string_equal(errors_of(t, "vs_1_1\nmov r0.yx, v0\nmov r0.xx, v0\nmov r0.wx, v0\nmov r0.xyzwx, v0\n"),
	                    "2:5: the lanes of a write mask stand in the order x, y, z, w, each once\n"
	                    "3:5: the lanes of a write mask stand in the order x, y, z, w, each once\n"
	                    "4:5: the lanes of a write mask stand in the order x, y, z, w, each once\n"
	                    "5:7: '.xyzwx' names no lanes: a write mask or swizzle has one to four letters of xyzw or rgba\n");
}

TEXT_TEST(every_swizzle)
{
	struct texts *t = *state;
	for (unsigned s = 0; s < 256; s++) {
		char name[5] = {0}, rgba[5] = {0};
		for (unsigned lane = 0; lane < LANES; lane++) {
			name[lane] = "xyzw"[s >> 2 * lane & 3];
			rgba[lane] = "RGBA"[s >> 2 * lane & 3];
		}
		for (unsigned letters = LANES; letters >= 1; letters--) {
			if (letters < LANES && name[letters] != name[letters - 1])
				break; /* the short form means the last letter again */
			const struct program *p =
				read_good(t, arena_printf(&t->arena, "vs_1_1\nmov r0, v0.%.*s", (int)letters, name));
			assert_int_equal(p->instrs.at[0].src[0].swizzle, s);
			assert_int_equal(p->instrs.at[0].src[0].letters, letters);
		}
		const struct program *p = read_good(t, arena_printf(&t->arena, "vs_1_1\nmov r0, v0.%s", rgba));
		assert_int_equal(p->instrs.at[0].src[0].swizzle, s);
		round_trip(t, arena_printf(&t->arena, "vs_1_1\nmov r0, v0.%s", name));
		p = t->list.at[0];
		assert_int_equal(p->instrs.at[0].src[0].swizzle, s);
	}
	VS("mov r0, v0.xyzw", "mov r0, v0");
	VS("mov r0, v0.xy", "mov r0, v0.xy");
	VS("mov r0, v0.xyyy", "mov r0, v0.xy");
	VS("mov r0, -v0.wwww", "mov r0, -v0.w");
	VS("mov r0.yz, v1.wzyx", "mov r0.yz, v1.wzyx");
}

TEXT_TEST(modifiers)
{
	struct texts *t = *state;
	PS("mov_sat r0, r1", "mov_sat r0, r1");
	PS("mov_pp r0, r1", "mov_pp r0, r1");
	PS("mov_sat_pp r0, r1", "mov_pp_sat r0, r1");
	PS("mov_PP_SAT r0, r1", "mov_pp_sat r0, r1");
	PS("texldp_pp r0, t0, s0", "texldp_pp r0, t0, s0");
	PS("mad r0, -r1, -r2, -r3", "mad r0, -r1, -r2, -r3");
	PS("mov r0, - r1", "mov r0, -r1");
	assert_string_equal(errors_of(t, "ps_2_0\nmov_x2 r0, r1\nmov_foo r0, r1\nmov_ r0, r1\nmov r0, r1_bx2\nmov r0, 1-r1\n"
	                                 "mov r0, r1_abs\nmov r0, !r1\nmov r0_sat, r1\n"),
	                    "2:5: the result shift _x2 is ps_1_x only\n"
	                    "3:5: unknown suffix '_foo'\n"
	                    "4:5: unknown suffix '_'\n"
	                    "5:11: the source modifier _bx2 does not exist in these models: only '-' does\n"
	                    "6:9: a number cannot be an operand: put it in a def\n"
	                    "6:10: unexpected '-'\n"
	                    "7:9: the source modifier _abs does not exist before model 3: only '-' does\n"
	                    "8:9: '!' is for b# and p0 only\n"
	                    "9:7: the source modifier _sat does not exist in these models: only '-' does\n");
}

/* Checks listings of tools that write _abs behind the lanes. */
TEXT_TEST(modifiers_behind_lanes)
{
	struct texts *t = *state;
#define HEAD "ps_3_0\ndcl_texcoord v0\n"
	static const struct { const char *behind, *before; } same[] = {
		{"mov r0, -v0.y_abs", "mov r0, -v0_abs.y"}, {"mov r0, v0.y_abs", "mov r0, v0_abs.y"}, {"mov r0, - v0.GR_ABS", "mov r0, -v0_abs.yx"},
		{"add r0, c1.wzyx_abs, -c2 . x_abs // d", "add r0, c1_abs.wzyx, -c2_abs.x // d"}, {"mov r0, c[3].xyzw_abs", "mov r0, c[3]_abs"},
	};
	for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
		const char *wanted = printed(t, read_good(t, arena_printf(&t->arena, HEAD "%s\n", same[i].before)));
		assert_string_equal(printed(t, read_good(t, arena_printf(&t->arena, HEAD "%s\n", same[i].behind))), wanted);
	}
	assert_string_equal(errors_of(t, HEAD "mov r0, v0.x_bx2\nmov r0.x_abs, v0\nmov r0, v0.q_abs\nmov r0, v0.x_absx\n"),
	                    "3:13: the source modifier _bx2 does not exist in these models: only '-' does\n"
	                    "4:5: a destination takes no _abs\n"
	                    "5:11: '.q_abs' names no lanes: a write mask or swizzle has one to four letters of xyzw or rgba\n"
	                    "6:13: the source modifier _absx does not exist in these models: only '-' does\n");
	assert_string_equal(errors_of(t, "ps_2_0\nmov r0, -t0.x_abs\n"),
	                    "2:9: the source modifier _abs does not exist before model 3: only '-' does\n");
	assert_string_equal(errors_of(t, "vs_2_0\nmov r0, c[a0.x_abs + 1]\n"), "2:11: only one lane of a0, such as a0.x, can index registers\n");
#undef HEAD
}

TEXT_TEST(declarations)
{
	struct texts *t = *state;
	for (unsigned usage = 0; usage < USAGES; usage++) {
		const char *name = usage_names[usage];
		VS(arena_printf(&t->arena, "dcl_%s v0", name), arena_printf(&t->arena, "dcl_%s v0", name));
		VS(arena_printf(&t->arena, "DCL_%s0 V0", name), arena_printf(&t->arena, "dcl_%s0 v0", name)); /* the name stays as it is spelled */
		for (unsigned n = 1; n < 16; n++) {
			const char *statement = arena_printf(&t->arena, "dcl_%s%u v%u.xy", name, n, n);
			VS(statement, statement);
			assert_int_equal(t->list.at[0]->decls.at[0].usage, usage);
			assert_int_equal(t->list.at[0]->decls.at[0].usage_index, n);
		}
	}
	PS("dcl t0", "dcl t0");
	PS("dcl t0.rg", "dcl t0.xy");
	PS("dcl t7.xyzw", "dcl t7");
	PS("dcl v1", "dcl v1");
	PS("dcl_pp t0.xy", "dcl_pp t0.xy");
	PS("dcl_centroid t1", "dcl_centroid t1");
	PS("dcl_centroid_pp v0.xyz", "dcl_pp_centroid v0.xyz");
	PS("dcl_2d s0", "dcl_2d s0");
	PS("DCL_2D S3", "dcl_2d s3");
	PS("dcl_cube s1", "dcl_cube s1");
	PS("dcl_volume s15", "dcl_volume s15");
	assert_int_equal(t->list.at[0]->samplers[15], TEXTURE_VOLUME);
	assert_string_equal(errors_of(t, "vs_1_1\ndcl v0\ndcl_pp_position v0\ndcl_2d v0\ndcl_foo v0\ndcl_position r0\n"
	                                 "dcl_position -v0\ndcl_position v0, v1\n"),
	                    "2:1: a vertex input's dcl names its usage, such as dcl_position or dcl_texcoord0\n"
	                    "3:1: _pp and _centroid belong to pixel inputs\n"
	                    "4:1: dcl_2d declares a sampler, s#\n"
	                    "5:1: a vertex input's dcl names its usage, such as dcl_position or dcl_texcoord0\n"
	                    "5:5: unknown suffix '_foo'\n"
	                    "6:14: only v#, t# and s# are declared with dcl, in vs_3_0 o# too\n"
	                    "7:14: unexpected '-', expecting register\n"
	                    "8:16: unexpected ','\n");
	assert_string_equal(errors_of(t, "ps_2_0\ndcl s0\ndcl_texcoord t0\ndcl_2d_pp s0\ndcl_2d s0.xy\ndcl_2d t0\ndcl c0"),
	                    "2:1: a sampler's dcl names its texture: dcl_2d, dcl_cube or dcl_volume\n"
	                    "3:1: a pixel input before model 3 has no usage: write dcl t# or dcl v#\n"
	                    "4:1: a sampler's dcl takes _2d, _cube or _volume only\n"
	                    "5:8: a sampler has no lanes to declare\n"
	                    "6:1: dcl_2d declares a sampler, s#\n"
	                    "7:5: only v#, t# and s# are declared with dcl, in vs_3_0 o# too\n");
}

TEXT_TEST(definitions)
{
	struct texts *t = *state;
	/* Numbers stay as they were written, without redundant or separated signs. */
	VS("def c0,0,  0., .5 , 1.0f", "def c0, 0, 0., .5, 1.0f");
	VS("def c95, 1e-3, -1E+2, - 1, -0", "def c95, 1e-3, -1E+2, -1, -0");
	VS("def c1 = 1, 2, 3, 4", "def c1, 1, 2, 3, 4");
	VS("DEF C1,1,2,3,4", "def c1, 1, 2, 3, 4");
	VS("def c1, 1.5F, 2f, +3, 00001.50", "def c1, 1.5F, 2f, 3, 00001.50");
	VS("def c1, 3.4028234663852886e38, 1e-45, 16777217, 0.1", "def c1, 3.4028234663852886e38, 1e-45, 16777217, 0.1");
	VS("def c1, 0.00000000000000000000000000000000000000000000000000001, 0, 0, 0", "def c1, 0, 0, 0, 0");
	assert_string_equal(errors_of(t, "vs_1_1\ndef c0, 1, 2, 3\ndef c0, 1, 2, 3, 4, 5\ndef r0, 1, 2, 3, 4\n"
	                                 "def c0.x, 1, 2, 3, 4\ndef c0, 1e39, 0, 0, 0\ndef c0 1, 2, 3, 4\ndef c0, a, 0, 0, 0\n"
	                                 "def c0, 1.0h, 0, 0, 0\ndef c0, 0x10, 0, 0, 0\ndef_pp c0, 0, 0, 0, 0\n"
	                                 "def c0, 1 2 3 4\ndef c0, 1e, 0, 0, 0\ndef c0, -1.#IND, 0, 0, 0"),
	                    "2:1: def takes a register and four numbers, not 3\n"
	                    "3:1: def takes a register and four numbers, not 5\n"
	                    "4:5: def sets a whole constant register, c#\n"
	                    "5:5: def sets a whole constant register, c#\n"
	                    "6:9: this number is too large for a 32-bit float\n"
	                    "7:8: unexpected number, expecting lanes, ',', '[' or '='\n"
	                    "8:9: unexpected word 'a': is its #define missing?\n"
	                    "9:12: unexpected word 'h'\n"
	                    "10:10: unexpected word 'x10'\n"
	                    "11:1: unknown opcode 'def_pp'\n"
	                    "12:11: unexpected number\n"
	                    "13:10: unexpected word 'e'\n"
	                    "14:10: '1.#IND' is how a C library prints infinity or no number: def takes finite numbers\n");
}

TEXT_TEST(indices)
{
	struct texts *t = *state;
	VS("mov r0, c[4]", "mov r0, c4");
	VS("mov r0, c [ 4 ]", "mov r0, c4");
	VS("mov r0, c4[2]", "mov r0, c6");
	VS("mov r0, c[1+2]", "mov r0, c3");
	VS("mov r0, c[5-2]", "mov r0, c3");
	VS("mov r0, c[2*3+1]", "mov r0, c7");
	VS("mov r0, c[1+2*3]", "mov r0, c7");
	VS("mov r0, c[((1+2)*3)]", "mov r0, c9");
	VS("mov r0, c2[1+1].x", "mov r0, c4.x");
	VS("mov r0, c[a0.x]", "mov r0, c[a0.x]");
	VS("mov r0, c[a0.x+2]", "mov r0, c[a0.x + 2]");
	VS("mov r0, C[A0.X+2]", "mov r0, c[a0.x + 2]");
	VS("mov r0, c[a0.r+2]", "mov r0, c[a0.x + 2]");
	VS("mov r0, c2[a0.w]", "mov r0, c[a0.w + 2]");
	VS("mov r0, c[2+a0.x]", "mov r0, c[a0.x + 2]");
	VS("mov r0, c[2+a0.x+12]", "mov r0, c[a0.x + 14]");
	VS("mov r0, c1[a0.x+2]", "mov r0, c[a0.x + 3]");
	VS("mov r0, -c[a0.x+2].wzyx", "mov r0, -c[a0.x + 2].wzyx");
	VS("mov r0, c[a0.x-4]", "mov r0, c[a0.x + -4]");
	VS("mov r0, c[-4+a0.x]", "mov r0, c[a0.x + -4]");
	VS("mov r0, c[a0.x+-4]", "mov r0, c[a0.x + -4]");
	VS("mov r0, c8[a0.x-4]", "mov r0, c[a0.x + 4]");
	VS("mov r0, c[a0.x-4+4]", "mov r0, c[a0.x]");
	VS("add r0, c[a0.x+1], c[a0.x+2]", "add r0, c[a0.x + 1], c[a0.x + 2]");
	assert_string_equal(errors_of(t, "vs_1_1\nmov r0, c[a0]\nmov r0, c[r0.x]\nmov r0, c[a0.xy]\nmov r0, c[2-a0.x]\n"
	                                 "mov r0, c[a0.x+a0.x]\nmov r0, c[a0.x*2]\nmov r0, c[-a0.x]\nmov r0, c[1-2]\n"
	                                 "mov r0, c[1.5]\nmov r0, c99999999999999999999[1]\nmov r0, c[99999999999999999999]\n"
	                                 "mov r0, c[]\nmov r0, c[1\nmov r0, c[2][a0.x]\nmov r0, v0[1]\nmov r0, r[0]\n"
	                                 "mov c[a0.x], r0\nmov -r0, r1\nmov r0, c[a1.x]\nmov r0, c[9999*9999*9999*9999*9999]\n"),
	                    "2:11: the lane is missing: write a0.x\n"
	                    "3:11: only one lane of a0, such as a0.x, can index registers\n"
	                    "4:11: only one lane of a0, such as a0.x, can index registers\n"
	                    "5:13: a0 can be added only, and once\n"
	                    "6:16: a0 can be added only, and once\n"
	                    "7:15: a0 cannot be multiplied\n"
	                    "8:11: a0 can be added only, and once\n"
	                    "9:9: there is no register of this number\n"
	                    "10:11: a register index must be a whole number\n"
	                    "11:9: there is no register of this number\n"
	                    "12:11: a register index must be a whole number\n"
	                    "13:11: unexpected ']', expecting register, number, '-' or '('\n"
	                    "15:1: unexpected opcode, expecting '+', '-', ']' or '*'\n"
	                    "15:13: unexpected '['\n"
	                    "16:9: only c# can be indexed with []\n"
	                    "17:9: unknown register 'r'\n"
	                    "17:10: unexpected '['\n"
	                    "18:5: a destination cannot be addressed through a0\n"
	                    "19:5: a destination cannot be negated\n"
	                    "20:11: only one lane of a0, such as a0.x, can index registers\n"
	                    "21:9: there is no register of this number\n");
}

TEXT_TEST(operands_of_several_tokens)
{
	struct texts *t = *state;
	/* Blanks and comments may stand between a register and its lanes or brackets. */
	VS("mov r0 .xy, v0 .wzyx // c", "mov r0.xy, v0.wzyx // c");
	VS("mov oT0 . xy , - v0", "mov oT0.xy, -v0");
	VS("mov r0, c [ a0 . x + 1 ] . x", "mov r0, c[a0.x + 1].x");
	VS("mov r0 /* a */ .x, v0", "mov r0.x, v0 /* a */");
	VS("mov OFOG.X,V0.x", "mov oFog.x, v0.x");
	VS("mov oD1.xyz,v0 mov oPts,v0.y", "mov oD1.xyz, v0\nmov oPts, v0.y");
	PS("mov oDepth,r0.x;mov", "mov oDepth, r0.x ;mov");
	PS("mov oC3,r00", "mov oC3, r0");
	assert_string_equal(errors_of(t, "vs_1_1\nmov r0.x.y, v0\nmov r0, v0.x.y\nmov r0, c4.x[2]\nmov r0, v0.xyzq,\nmov oT.x, v0\n"
	                                 "mov r0, v0.x .y\nmov oT0.x.y, v0\nmov r0.xyzwx, v0\nmov oPosx, v0\nmov r0, c[a0.xy]\n"),
	                    "2:9: unexpected lanes\n"
	                    "3:13: unexpected lanes\n"
	                    "4:13: unexpected '['\n"
	                    "5:11: '.xyzq' names no lanes: a write mask or swizzle has one to four letters of xyzw or rgba\n"
	                    "6:1: unexpected opcode, expecting register or '-'\n"
	                    "6:5: unknown register 'oT'\n"
	                    "7:14: unexpected lanes\n"
	                    "8:10: unexpected lanes\n"
	                    "9:7: '.xyzwx' names no lanes: a write mask or swizzle has one to four letters of xyzw or rgba\n"
	                    "10:5: unknown register 'oPosx'\n"
	                    "11:11: only one lane of a0, such as a0.x, can index registers\n");
}

TEXT_TEST(versions)
{
	struct texts *t = *state;
	static const struct { const char *text; enum model model; } good[] = {
		{"vs_1_1", VS_1_1}, {"vs.1.1", VS_1_1}, {"VS_1_1", VS_1_1}, {"Vs.1.1", VS_1_1}, {"vs_2_0", VS_2_0},
		{"ps.2.0", PS_2_0}, {"ps_2_0", PS_2_0}, {"PS_2_0", PS_2_0}, {"ps_2_a", PS_2_A}, {"ps_2_b", PS_2_B},
		{"ps_2_x", PS_2_X}, {"PS_2_SW", PS_2_SW}, {"vs_2_x", VS_2_X}, {"vs.2.a", VS_2_A}, {"vs_2_sw", VS_2_SW},
		{"vs_3_0", VS_3_0}, {"PS_3_0", PS_3_0}, {"// c\n\n; d\n/* e */\n\nvs_1_1", VS_1_1},
		{"\xEF\xBB\xBFvs_1_1", VS_1_1}, {"\r\n\tvs_1_1\r\n", VS_1_1}, {"vs_1_1;", VS_1_1}, {"vs_1_1//", VS_1_1},
	};
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		assert_int_equal(read_good(t, good[i].text)->model, good[i].model);
		assert_int_equal(t->list.n, 1);
		round_trip(t, good[i].text);
	}
	static const char *const other[] = {"vs_1_0", "vs_3_sw", "ps_1_1", "ps_1_4", "ps.1.3", "ps_3_sw"};
	for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
		/* One message, and nothing about the text that follows. */
		const char *text = arena_printf(&t->arena, "%s\ntex t0\nmov_x2 r0, 1-t0_bx2\n+ foo $ r0[1].q\ndcl_bar", other[i]);
		assert_string_equal(errors_of(t, text),
		                    arena_printf(&t->arena, "1:1: %s is not supported; supported: vs_1_1, vs_2_0, vs_2_a, vs_2_x, vs_2_sw, vs_3_0, "
		                                 "ps_2_0, ps_2_a, ps_2_b, ps_2_x, ps_2_sw, ps_3_0\n", other[i]));
		assert_int_equal(t->list.n, 0);
	}
	read_good(t, "vs_1_1 mov oPos, v0 ps_2_0 mov oC0, r0 vs_2_0");
	assert_int_equal(t->list.n, 3);
	assert_int_equal(t->list.at[0]->instrs.n, 1);
	assert_int_equal(t->list.at[1]->instrs.n, 1);
	assert_int_equal(t->list.at[2]->instrs.n, 0);
}

TEXT_TEST(not_a_program)
{
	struct texts *t = *state;
	const char *const none = "-: no shader program here: it would start with vs_1_1 or ps_2_0\n";
	assert_string_equal(errors_of(t, ""), none);
	assert_string_equal(errors_of(t, " \n\t\r\n"), none);
	assert_string_equal(errors_of(t, "// vs_1_1"), none);
	/* One message for a file in another language. */
	assert_string_equal(errors_of(t, "float4 main(float2 uv : TEXCOORD0) : COLOR\n{ return tex2D(s, uv) * 2; }\n"),
	                    "1:1: this looks like HLSL, which is not read: it becomes assembly by fxc /T ps_2_0 /E main /Fc out.psh FILE (/T vs_2_0 for a vertex program)\n");
	assert_string_equal(errors_of(t, "// fx\n float4x4 m; technique t { pass p { } }\n"),
	                    "2:2: this looks like an effect file, which --effect takes\n");
	assert_string_equal(errors_of(t, "#include <d3d9.h>\nLPCSTR vs = \"vs_1_1\\n\"\n\"mov oPos, v0\\n\";\n"),
	                    "1:1: this looks like C or C++ with programs in its strings, which --effect takes\n");
	assert_string_equal(errors_of(t, "const char *vs = R\"(\nvs_1_1\nmov oPos, v0\n)\";\n"),
	                    "1:1: this looks like C or C++ with programs in its strings, which --effect takes\n");
	assert_string_equal(errors_of(t, "int x;\nVertexShader v = asm { vs_1_1 };\n"), "1:1: this looks like an effect file, which --effect takes\n");
	assert_string_equal(errors_of(t, "/* a */ int main(void) { return \"x\"; }"),
	                    "1:9: this looks like C or C++ without a program in it; --effect takes programs in string literals\n");
	assert_string_equal(errors_of(t, "#version 120\nvoid main() { gl_FragColor = a; }"),
	                    "1:1: this looks like GLSL, which is not read: written as HLSL, it becomes assembly by fxc /T ps_2_0 /E main /Fc out.psh FILE (/T vs_2_0 for a vertex program)\n");
	/* The file begins with a name that could be a macro. */
	static const char *const hlsl[] = {"#include \"a.fxh\"\nOUT main(IN i) { float4 c = 1; return c; }", "sampler2D s;\n", "[numthreads(8, 8, 1)] void f() { }",
	                                   "fixed4 frag(v2f i) : SV_Target { return 1; }", "texture2D t;\nsampler s = sampler_state { Texture = <t>; };"};
	static const char *const glsl[] = {"layout(location = 0) in vec3 p;", "in vec2 uv; out vec4 c;\nvoid main() { c = uv.xyxy; }",
	                                   "#ifdef GL_ES\nprecision highp float;\n#endif\n", "NAME main() { gl_FragData[0] = a; }"};
	for (size_t i = 0; i < sizeof hlsl / sizeof *hlsl; i++)
		assert_non_null(strstr(errors_of(t, hlsl[i]), ": this looks like HLSL, which is not read: it becomes assembly by fxc /T ps_2_0 "));
	for (size_t i = 0; i < sizeof glsl / sizeof *glsl; i++)
		assert_non_null(strstr(errors_of(t, glsl[i]), ": this looks like GLSL, which is not read: written as HLSL, it becomes assembly by fxc "));
	assert_string_equal(errors_of(t, "The texture is a matrix of float4"), "1:1: a program starts with its version token, such as vs_1_1 or ps_2_0\n");
	assert_string_equal(errors_of(t, "!!ARBfp1.0\nEND\n"), "1:1: this looks like an assembly program of OpenGL; only those of Direct3D 9 are supported\n");
	assert_string_equal(errors_of(t, "\xef\xbb\xbf<html>\nvs_1_1</html>"),
	                    "1:4: this looks like an HTML or XML page, not a program: save the program's own text\n");
	assert_string_equal(errors_of(t, "#pragma once\nHEAD ; a \"const\" ps_2_0\nmov oPos, v0"), "1:1: a program starts with its version token, such as vs_1_1 or ps_2_0\n");
	assert_string_equal(errors_of(t, "; static \"vs_1_1\" technique\nvs_1_1 ; const \"ps_2_0\" technique\nmov oPos, v0"), "");
	assert_string_equal(errors_of(t, "preshader\nmul r0, c0, c1\n\nps_2_0\nmov oC0, c0\n"),
	                    "1:1: a program starts with its version token, such as vs_1_1 or ps_2_0; this listing starts with a preshader, "
	                    "which is not supported: remove it\n");
	assert_string_equal(errors_of(t, "mov r0, v0\nfoo\nmov r1.q, [\nvs_1_1\nbar"),
	                    "1:1: a program starts with its version token, such as vs_1_1 or ps_2_0\n5:1: unknown opcode 'bar'\n");
	assert_string_equal(errors_of(t, "\x89PNG\r\n\x1a\n"), "1:1: bytes that are not ASCII stand outside a comment\n");
	assert_string_equal(errors_of(t, "\x7f" "ELF\x02\x01"), "1:1: the control character 0x7f: this is not shader text\n");
	read_bytes(t, "MZ\0\0\3", 5);
	assert_string_equal(said(t), "1:1: a program starts with its version token, such as vs_1_1 or ps_2_0\n");
	read_bytes(t, "vs_1_1\nmov r0, v0\0mov r1, v0", 29);
	assert_string_equal(said(t), "2:11: a NUL byte: this is not shader text\n");
	read_bytes(t, "vs_1_1\n; a\0b\nmov r1, v0", 24);
	assert_string_equal(said(t), "2:4: a NUL byte: this is not shader text\n");
	assert_string_equal(errors_of(t, "vs_1_1\n/* open\nmov r0, v0"), "2:1: this comment is never closed\n");
	assert_string_equal(errors_of(t, "vs_1_1\nmov r0, v0 \xEF\xBB\xBF"), "2:12: a byte order mark in the middle of the text\n");
}

TEXT_TEST(encodings)
{
	struct texts *t = *state;
	static const struct { const char *text; size_t size; const char *name; } wide[] = {
		{"\xff\xfev\0s\0", 6, "UTF-16"},   {"\xfe\xff\0v\0s", 6, "UTF-16"}, {"v\0s\0_\0001\0", 8, "UTF-16"},
		{"\0v\0s\0_\0001", 8, "UTF-16"},  {"\xff\xfe\0\0v\0\0\0", 8, "UTF-32"}, {"\0\0\xfe\xff\0\0\0v", 8, "UTF-32"},
	};
	for (size_t i = 0; i < sizeof wide / sizeof *wide; i++) {
		read_bytes(t, wide[i].text, wide[i].size);
		assert_int_equal(t->diags.n, 1);
		assert_non_null(strstr(t->diags.at[0].text, wide[i].name));
		assert_string_equal(t->diags.at[0].rule, "encoding");
		assert_int_equal(t->list.n, 0);
	}
	/* Bytes above 127 are allowed in comments. */
	assert_string_equal(round_trip(t, "vs_1_1 ; caf\xe9 \xff\n// \x81\xfe\nmov r0, v0 /* \xc3\xa9 */\n"),
	                    "vs_1_1 ; caf\xe9 \xff\n// \x81\xfe\nmov r0, v0 /* \xc3\xa9 */\n");
	assert_string_equal(errors_of(t, "vs_1_1\nmov r0, \xc3\xa9\xe9v0\n"), "2:9: bytes that are not ASCII stand outside a comment\n");
}

TEXT_TEST(layouts)
{
	struct texts *t = *state;
	const char *const wanted = "vs_1_1\ndcl_position v0\nmov oPos, v0\nmov oT0.xy, v1.wzyx\n";
	static const char *const same[] = {
		"vs_1_1\ndcl_position v0\nmov oPos, v0\nmov oT0.xy, v1.wzyx",
		"vs_1_1\r\ndcl_position v0\r\nmov oPos, v0\r\nmov oT0.xy, v1.wzyx\r\n",
		"vs_1_1 dcl_position v0 mov oPos, v0 mov oT0.xy, v1.wzyx",
		"vs_1_1\tdcl_position\tv0\tmov\toPos\t,\tv0\tmov\toT0\t.xy\t,\tv1\t.wzyx\t",
		"VS_1_1\nDCL_POSITION V0\nMOV OPOS,V0\nMOV OT0.XY,V1.WZYX\n",
		"Vs.1.1\nDcl_Position V00\nMov opos,v0\nmoV ot0.rg,v1.ABGR\n",
		"vs_1_1\ndcl_position v0\nmov\noPos,\nv0\nmov oT0.xy,\n\tv1.wzyx\n",
		"vs_1_1\ndcl_position v0\nmov oPos, \\\nv0\nmov oT0.xy, \\\r\n\tv1.wzyx\n",
		"vs_1_1\ndcl_position v0\nmov oPos, v0\nmov oT0. xy, v1 . wzyx\n",
		"vs_1_1\nmov oPos, v0\nmov oT0.xy, v1.wzyx\ndcl_position v0\n",
		"vs_1_1\n\fdcl_position v0\v\nmov oPos,v0 mov oT0.xy,v1.wzyx",
	};
	for (size_t i = 0; i < sizeof same / sizeof *same; i++)
		assert_string_equal(round_trip(t, same[i]), wanted);
	assert_string_equal(round_trip(t, "ps_2_0\nmov r0, c1\ndef c1, 1, 2, 3, 4\ndcl_2d s0\ndcl t0\n"),
	                    "ps_2_0\ndef c1, 1, 2, 3, 4\ndcl_2d s0\ndcl t0\nmov r0, c1\n");
	read_good(t, "ps_2_0\ndcl t0\nmov r0, c1\ndef c1, 1, 2, 3, 4\n");
	assert_int_equal(t->list.at[0]->decls.at[0].before, 0);
	assert_int_equal(t->list.at[0]->decls.at[1].before, 1);
}

TEXT_TEST(comments_stay_with_their_statement)
{
	struct texts *t = *state;
	const char *const text = "// head\n"
				 "\n"
				 "; don't \"quote\n"
				 "vs_1_1 // the version\n"
				 "\n"
				 "/* a\n"
				 "   block */\n"
				 "dcl_position v0 ; position\n"
				 "\n"
				 "; before\n"
				 "\n"
				 "; again\n"
				 "\n"
				 "mov oPos, v0 // behind\n"
				 "mov oT0, v1 /* also */ // behind\n"
				 "\n"
				 "; the end\n";
	assert_string_equal(round_trip(t, text), text);
	const struct program *p = read_good(t, text);
	assert_string_equal(arena_copy(&t->arena, p->head->text, p->head->length), "// head");
	assert_int_equal(p->tail->length, strlen("; the end"));
	const struct instr *mov = &p->instrs.at[0];
	assert_true(mov->blank);
	assert_false(p->instrs.at[1].blank);
	assert_int_equal(mov->comments->length, strlen("; before"));
	assert_true(mov->comments->blank);
	assert_false(mov->comments->behind);
	assert_true(mov->comments->next->next->behind);
	assert_null(mov->comments->next->next->next);

	assert_string_equal(round_trip(t, "vs_1_1\nmov r0, /* x */ v0\nmov r1, v0;mov r2, v0\n"),
	                    "vs_1_1\nmov r0, v0 /* x */\nmov r1, v0 ;mov r2, v0\n");
	/* In a file of two programs, comments between them belong to the second. */
	read_good(t, "vs_1_1\nmov oPos, v0 // a\n// b\nps_2_0\nmov oC0, r0\n// c\n");
	assert_string_equal(printed(t, t->list.at[0]), "vs_1_1\nmov oPos, v0 // a\n");
	assert_string_equal(printed(t, t->list.at[1]), "// b\nps_2_0\nmov oC0, r0\n// c\n");
}

TEXT_TEST(comments_never_touch_code)
{
	struct texts *t = *state;
	/* A backslash joins the next line to the comment. */
	assert_string_equal(round_trip(t, "vs_1_1\n// a \\\nmov r0, v0\nmov r1, v0\n"), "vs_1_1\n// a \\\nmov r0, v0\nmov r1, v0\n");
	/* At the end of the text the backslash goes: it would join text that is appended later. */
	assert_string_equal(round_trip(t, "vs_1_1\nmov r0, v0 // a \\ \\"), "vs_1_1\nmov r0, v0 // a\n");
	assert_string_equal(round_trip(t, "vs_1_1\n; a /* b\nmov r0, v0\n"), "vs_1_1\n// a /* b\nmov r0, v0\n");
	assert_string_equal(round_trip(t, "vs_1_1\n; a // b /* c\nmov r0, v0\n"), "vs_1_1\n; a // b /* c\nmov r0, v0\n");
	assert_string_equal(round_trip(t, "vs_1_1\n;/*\nmov r0, v0\n"), "vs_1_1\n///*\nmov r0, v0\n");
	/* A line comment inside a statement moves behind its block comments. */
	assert_string_equal(round_trip(t, "vs_1_1\nmov r0, ; a\n v0 /* b\n c */ // d\nmov r1, v0\n"),
	                    "vs_1_1\nmov r0, v0 /* b\n c */ ; a // d\nmov r1, v0\n");
	assert_string_equal(round_trip(t, "vs_1_1\nmov r0, // a\n v0 ; b /* c\nmov r1, v0\n"),
	                    "vs_1_1\nmov r0, v0 // a // b /* c\nmov r1, v0\n");
	round_trip(t, "vs_1_1;\nmov r0, v0//\nmov r1, v0 /**/\n;\n//\n/***/");
	assert_int_equal(t->list.at[0]->instrs.n, 2);
}

TEXT_TEST(several_errors)
{
	struct texts *t = *state;
	assert_string_equal(errors_of(t, "vs_1_1\nmvo oPos, v0\n  mov oPos v0\nmov r0, q3\nadd r0, r1\n\ncnd r0, r1\n"
	                                 "mov r0, vQos\nmov r0, v0 +\nmov r0, , v0\nmov r0, v0,\nfoo\nmov r0, \"x\"\nmov r0, v0"),
	                    "2:1: unknown opcode 'mvo': is 'mov' meant?\n"
	                    "3:12: unexpected register: is a comma missing before it?\n"
	                    "4:9: unknown register 'q3'\n"
	                    "5:1: add takes 3 operands (the destination first), not 2\n"
	                    "7:1: 'cnd' is an opcode of other shader models\n"
	                    "8:9: unknown register 'vQos'\n"
	                    "9:12: instructions are paired with '+' in ps_1_x only\n"
	                    "10:9: unexpected ',', expecting register or '-'\n"
	                    "12:1: unexpected unknown opcode, expecting register or '-'\n"
	                    "12:1: unknown opcode 'foo'\n"
	                    "13:9: '\"' means nothing here\n"
	                    "13:10: unknown register 'x'\n"
	                    "13:11: '\"' means nothing here\n");
	assert_int_equal(t->list.at[0]->instrs.at[t->list.at[0]->instrs.n - 1].op, OP_MOV);
}

/* Checks that flow control prints as it was read, or in its usual spelling. */
TEXT_TEST(flow_control)
{
	static const struct {
		const char *statements, *printed; /* NULL if it prints the same */
	} cases[] = {
		{"if b0\n  mov r0, c0\nelse\n  mov r0, c1\nendif\n", NULL},
		{"IF !B3\nmov r0, c0\nENDIF\n", "if !b3\n  mov r0, c0\nendif\n"},
		{"if_lt r0.x, -r1.y\n  rep i0\n    break_ge r0.x, c0.x\n  endrep\nendif\n", NULL},
		{"setp_gt p0.xy, r0, c0\n( !p0.x ) mov_pp r0, r1\n(p0)mov r0, r1\n", "setp_gt p0.xy, r0, c0\n(!p0.x) mov_pp r0, r1\n(p0) mov r0, r1\n"},
		{"if p0.x\nendif\nif !p0.y\nendif\n", NULL},
		{"call l3\ncallnz l3, !b0\nret\nlabel l3\n  mov r0, c0\nret\n", NULL},
		{"defb b1, true\nDEFI I0, 1,-2 ,+3, 0\ndefb b0, FALSE\nmov r0, c0\n", "defb b1, true\ndefi i0, 1, -2, 3, 0\ndefb b0, false\nmov r0, c0\n"},
		{"loop aL, i0\n  mov r0, v1[aL]\nendloop\n", "loop aL, i0\n  mov r0, v[aL + 1]\nendloop\n"},
		{"loop aL, i0\n  mov r0, c[2 + aL]\n  break\n  breakp p0.x\nendloop\n", "loop aL, i0\n  mov r0, c[aL + 2]\n  break\n  breakp p0.x\nendloop\n"},
	};
	struct texts *t = *state;
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		const char *text = arena_printf(&t->arena, "ps_3_0\n%s", cases[k].statements);
		assert_string_equal(errors_of(t, text), "");
		assert_string_equal(printed(t, t->list.at[0]), arena_printf(&t->arena, "ps_3_0\n%s", cases[k].printed ? cases[k].printed : cases[k].statements));
	}
}

TEXT_TEST(flow_control_misspelt)
{
	static const struct {
		const char *statements, *error;
	} cases[] = {
		{"if_xx b0", "2:4: unknown suffix '_xx'"},
		{"setp p0, r0, r1", "2:1: setp says how it compares: write setp_lt, for example"},
		{"if", "2:1: if takes 1 operand, not 0"},
		{"if_lt r0.x", "2:1: if takes 2 operands, not 1"},
		{"(p1) mov r0, r1", "2:1: the predicate is p0"},
		{"(p0) def c0, 1, 2, 3, 4", "2:1: a predicate stands before an instruction"},
		{"mov r0, !r1", "2:9: '!' is for b# and p0 only"},
		{"mov r0, aL.x", NULL},
		{"defi i0, 1, 2", "2:1: defi takes a register and four whole numbers of 32 bits"},
		{"defi i0, 1, 2, 3, 0.5", "2:1: defi takes a register and four whole numbers of 32 bits"},
		{"defi c0, 1, 2, 3, 4", "2:6: defi sets a constant register i#"},
		{"defb b0, 1", "2:1: defb takes a register and true or false"},
		{"defb i0, true", "2:6: defb sets a constant register b#"},
		{"def c0, true, 2, 3, 4", "2:1: def takes a register and four numbers, not 4"},
		{"dcl i0", "2:5: only v#, t# and s# are declared with dcl, in vs_3_0 o# too"},
		{"mov r1[aL], r0", "2:5: only c#, v# and o# can be indexed with []"},
		{"mov c[aL], r0", "2:5: a destination cannot be addressed through a0"},
		{"repp r0", "2:1: unknown opcode 'repp': is 'rep' meant?"},
	};
	struct texts *t = *state;
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
		assert_string_equal(errors_of(t, arena_printf(&t->arena, "ps_3_0\n%s", cases[k].statements)),
		                    cases[k].error ? arena_printf(&t->arena, "%s\n", cases[k].error) : "");
}

TEXT_TEST(limits)
{
	struct texts *t = *state;
	struct text text = {.arena = &t->arena};

	text_string(&text, "vs_1_1\nmov r0, c[");
	for (int i = 0; i < 100000; i++)
		text_char(&text, '(');
	text_string(&text, "1");
	read_bytes(t, text.at, text.n);
	assert_int_equal(t->diags.n, 1);
	assert_non_null(strstr(said(t), "this is nested too deeply to be read\n"));

	text.n = 0;
	text_string(&text, "vs_1_1\nmov r0, c[");
	for (int i = 0; i < 100000; i++)
		text_string(&text, "1*-");
	text_string(&text, "1]");
	read_bytes(t, text.at, text.n);
	assert_true(t->diags.errors > 0 || t->list.at[0]->instrs.n == 1);

	/* Errors past the limit are counted. */
	text.n = 0;
	text_string(&text, "vs_1_1\n");
	for (int i = 0; i < 5000; i++)
		text_string(&text, "foo r0\n");
	read_bytes(t, text.at, text.n);
	assert_int_equal(t->diags.n, DIAGS_KEPT);
	assert_int_equal(t->diags.errors, 5000);

	/* A run of unreadable characters is one error. */
	text.n = 0;
	text_string(&text, "vs_1_1\n");
	for (int i = 0; i < 1000000; i++)
		text_char(&text, '$');
	read_bytes(t, text.at, text.n);
	assert_string_equal(said(t), "2:1: '$' means nothing here\n");

	/* An operand, a comment and white space of a megabyte on one line. */
	text.n = 0;
	text_string(&text, "vs_1_1 mov r0,");
	for (int i = 0; i < 1 << 20; i++)
		text_char(&text, ' ');
	text_string(&text, "v0 ;");
	for (int i = 0; i < 1 << 20; i++)
		text_char(&text, 'x');
	read_bytes(t, text.at, text.n);
	assert_string_equal(said(t), "");
	assert_int_equal(t->list.at[0]->instrs.at[0].comments->length, (1 << 20) + 1);
	text.n = 0;
	text_string(&text, "vs_1_1\nmov r0, ");
	for (int i = 0; i < 1 << 20; i++)
		text_char(&text, 'x');
	read_bytes(t, text.at, text.n);
	assert_string_equal(said(t), "2:9: unknown register 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'\n");
}

/* Checks 100,000 instructions, and a hundred errors at the end of 10 MB: they take tens of milliseconds; quadratic time would not end. */
TEXT_TEST(long_texts)
{
	struct texts *t = *state;
	struct text text = {.arena = &t->arena};
	text_string(&text, "vs_1_1\n");
	for (int i = 0; i < 100000; i++)
		text_string(&text, "mad r0.xyz, v0.wzyx, c[a0.x + 12], -r1 ; a comment\n");
	read_bytes(t, text.at, text.n);
	assert_string_equal(said(t), "");
	assert_int_equal(t->list.at[0]->instrs.n, 100000);
	assert_string_equal(printed(t, t->list.at[0]) + strlen("vs_1_1\n"), text.at + strlen("vs_1_1\n"));

	text.n = 0;
	text_string(&text, "vs_1_1\n");
	while (text.n < 10u << 20)
		text_string(&text, "mov r0, v0 ; a line\n");
	for (int i = 0; i < 300; i++)
		text_string(&text, "foo\n");
	read_bytes(t, text.at, text.n);
	assert_int_equal(t->diags.errors, 300);
	assert_non_null(strstr(said(t), ":1: unknown opcode 'foo'\n"));
}
