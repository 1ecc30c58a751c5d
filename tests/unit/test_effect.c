/* Effect files: blocks, their names, passes, places, and copies with other programs. */
#include "texts.h"

#include "lang/effect.h"

static struct effect *read_effect(struct texts *t, const char *text)
{
	t->source = (struct source){.name = "in.fx", .text = arena_copy(&t->arena, text, strlen(text)), .size = strlen(text)};
	diag_init(&t->diags, &t->arena);
	return effect_read(&t->arena, &t->source, NULL, &t->diags);
}

/* Returns "MODEL NAME[ELEMENT] at LINE" for each live block. */
static const char *blocks(struct texts *t, const struct effect *e)
{
	struct text out = {.arena = &t->arena};
	text_string(&out, "");
	for (uint32_t k = 0; k < e->blocks.n; k++) {
		const struct effect_block *b = &e->blocks.at[k];
		if (b->live)
			text_printf(&out, "%s %s[%u] at %u\n", b->model == MODEL_COUNT ? "none" : models[b->model].name,
			            b->name ? b->name : "", b->element, source_line(e->file, b->at));
	}
	return out.at;
}

/* Returns "TECHNIQUE/PASS VS PS" for each pass, then "pair VS PS", the pairs that share a program, the number that stay behind them,
 * and the diagnostics. */
static const char *passes(struct texts *t, struct effect *e)
{
	struct text out = {.arena = &t->arena};
	text_string(&out, "");
	effect_find_pairs(&t->arena, e, &t->diags);
	for (uint32_t k = 0; k < e->passes.n; k++)
		text_printf(&out, "%s/%s %d %d\n", e->passes.at[k].technique, e->passes.at[k].name, e->passes.at[k].vs, e->passes.at[k].ps);
	for (uint32_t k = 0; k < e->pairs.n; k++)
		text_printf(&out, "pair %d %d\n", e->pairs.at[k].vs, e->pairs.at[k].ps);
	for (uint32_t k = 0; k < e->groups.n; k++) {
		if (e->groups.at[k].n > 1)
			text_printf(&out, "%u from %u share %cs\n", e->groups.at[k].n, e->groups.at[k].first, effect_group_same_vs(e, &e->groups.at[k]) ? 'v' : 'p');
		if (e->groups.at[k].staying)
			text_printf(&out, "%u stays behind %u\n", e->groups.at[k].staying, e->groups.at[k].first);
	}
	text_string(&out, said(t));
	return out.at;
}

#define VS "asm { vs_1_1 mov oPos, v0 }"
#define PS "asm { ps_2_0 mov oC0, v0 }"

/* Returns the constants of the VP, then of the FP, that the states of a pass set: "94-95|3". */
static const char *sets_of(struct texts *t, const char *states)
{
	struct text out = {.arena = &t->arena};
	const struct effect *e = read_effect(t, arena_printf(&t->arena, "#define INDEX 9\nfloat4 one; float4x3 bones[20] : BONES; float4x4 world; float many[3];\n"
	                                                                "technique T { pass P { %s VertexShader = " VS "; PixelShader = " PS "; } }\n", states));
	text_string(&out, "");
	for (unsigned stage = 0; stage < 2; stage++) {
		text_string(&out, stage ? "|" : "");
		for (int c = 0, last; c < 256; c = last + 1) {
			last = c;
			if (!register_is_in(&e->sets[stage], c))
				continue;
			while (last + 1 < 256 && register_is_in(&e->sets[stage], last + 1))
				last++;
			text_printf(&out, last > c ? " %d-%d" : " %d", c, last);
		}
	}
	return out.at;
}

TEXT_TEST(states_set_constants)
{
	struct texts *t = *state;
	static const char *const cases[][2] = {
		{"ZEnable = true;", "|"},
		{"VertexShaderConstant[94] = (one);", " 94|"},
		{"vertexshaderconstantf[94] = <one>; PixelShaderConstant[3] = (one);", " 94| 3"},
		{"VertexShaderConstant4[90] = (world);", " 90-93|"},
		{"VertexShaderConstant[90] = (world); PixelShaderConstant2[2] = (one);", " 90-93| 2-3"},
		{"VertexShaderConstant[10] = (bones);", " 10-89|"},
		{"VertexShaderConstant[10] = (many[1]);", " 10-12|"},
		{"VertexShaderConstant[INDEX] = (one); VertexShaderConstant[20] = float4(1, 2, 3, 4);", " 9 20|"},
		{"VertexShaderConstant[20] = (mul(world, world));", " 20-23|"},
		{"VertexShaderConstant[20] = (unknown); PixelShaderConstant[INDEX + 1] = (one);", " 20-255| 0-255"},
		{"VertexShaderConstantI[20] = (one); VertexShaderConstantB[20] = (one); PixelShaderConstantB[1] = (one);", "|"},
		{"// VertexShaderConstant[94] = (one);\n", "|"},
		{"} pass Q { PixelShaderConstant1[4] = (one); ", "| 4"},
	};
	for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++)
		assert_string_equal(sets_of(t, cases[k][0]), cases[k][1]);
}

TEXT_TEST(blocks_in_passes)
{
	struct texts *t = *state;
	struct effect *e = read_effect(t, "float4x4 World;\n"
	                                  "texture Tex < string name = \"asm { a.dds\"; >;\n"
	                                  "// asm { vs_1_1 }\n/* pass X { asm { vs_1_1 } } */\n"
	                                  "float4 f(float4 p : POSITION, float pass) : COLOR { if (p.x < 1) { return p; } return p * pass; }\n"
	                                  "technique T0 < string s = \"technique T1\"; >\n{\n"
	                                  "\tpass P0 < int n = 1; >\n\t{\n\t\tZEnable = true;\n"
	                                  "\t\tVertexShader = asm {\n\t\t\tvs_1_1 ; a } in a comment\n\t\t\tmov oPos, v0 // and }\n\t\t};\n"
	                                  "\t\tPIXELSHADER = ASM\n\t\t{ /* } */ ps.2.0\n\t\t\tmov oC0, v0\n\t\t};\n\t}\n"
	                                  "\tpass { VertexShader = " VS "; PixelShader = compile ps_2_0 f(); }\n"
	                                  "\tpass P2 { VertexShader = NULL; PixelShader = " PS "; }\n"
	                                  "\tpass P3 { Lighting = true; }\n}\n"
	                                  "Technique { Pass { vertexshader = asm { vs_1_0 nop }; pixelshader = " PS "; } }\n");
	assert_non_null(e);
	assert_string_equal(blocks(t, e), "vs_1_1 [0] at 11\nps_2_0 [0] at 15\nvs_1_1 [0] at 20\nps_2_0 [0] at 21\nnone [0] at 24\nps_2_0 [0] at 24\n");
	assert_string_equal(passes(t, e), "T0/P0 0 1\nT0/ 2 -1\nT0/P2 -1 3\nT0/P3 -1 3\n/ 4 5\npair 0 1\npair -1 3\npair -1 5\n"
	                                  "20:2: this pass stays as it is: it has no pixel program in assembly\n"
	                                  "21:2: this pass is planned without its vertex program: it has no vertex program in assembly\n"
	                                  "24:13: this pass is planned without its vertex program: its vertex program is of a model that is not read here\n");
	assert_string_equal(e->pairs.at[0].pass->name, "P0");
}

TEXT_TEST(named_blocks)
{
	struct texts *t = *state;
	struct effect *e = read_effect(t, "technique T {\n pass A { VertexShader = (Both[1]); PixelShader = <Late>; }\n"
	                                  " pass B { VertexShader = Both[0]; PixelShader = (One); }\n"
	                                  " pass C { VertexShader = (Nobody); PixelShader = (One); }\n}\n"
	                                  "VertexShader Both[2] = { " VS ",\n " VS " };\n"
	                                  "PixelShader One = " PS ";\npixelshader Late =\n" PS ";\n");
	assert_string_equal(blocks(t, e), "vs_1_1 Both[0] at 6\nvs_1_1 Both[1] at 7\nps_2_0 One[0] at 8\nps_2_0 Late[0] at 10\n");
	assert_string_equal(passes(t, e), "T/A 1 3\nT/B 0 2\nT/C -1 2\npair 1 3\npair -1 2\n"
	                                  "3:2: this pass is planned without its vertex program: one of its programs must stay for the pass of line 4\n"
	                                  "4:2: this pass is planned without its vertex program: it has no vertex program in assembly\n");
	/* A program also drawn with HLSL, or without a pixel program, stays. */
	e = read_effect(t, "VertexShader v = " VS "; technique T { pass A { VertexShader = (v); PixelShader = " PS "; }\n"
	                   " pass B { VertexShader = (v); PixelShader = compile ps_2_0 f(); } }");
	assert_string_equal(passes(t, e), "T/A 0 1\nT/B 0 -1\npair -1 1\n"
	                                  "1:61: this pass is planned without its vertex program: one of its programs must stay for the pass of line 2\n"
	                                  "2:2: this pass stays as it is: it has no pixel program in assembly\n");
	/* Literals under conditions. */
	e = read_effect(t, "char *v = \"vs_1_1\\n\" // x\n#ifdef A\n \"def c0, 0, 0, 0, 0\\n\"\n#endif\n \"nop\", *p = \"ps_2_0\\n\";\n");
	assert_string_equal(passes(t, e), "1:11: this program and its neighbour stay as they are: the code behind its literals may add to it\n");
	assert_non_null(read_effect(t, "char *v = \"vs_1_1\\n\";\n#ifdef A\nchar *u = \"x\";\n#endif\n"));
	/* Annotations. */
	e = read_effect(t, "VertexShader v < string s = \"= asm {\"; int k = 3; > = " VS ";\ntechnique T < int pass = 1; > { pass A < bool b = true; > {\n"
	                   "VertexShader = <v>; PixelShader = " PS "; } }");
	assert_string_equal(passes(t, e), "T/A 0 1\npair 0 1\n");
	e = read_effect(t, "technique T < { pass A { VertexShader = " VS "; PixelShader = " PS "; } }");
	assert_string_equal(passes(t, e), "T/A 0 1\npair 0 1\n");
	/* A listing of a compiled effect. */
	e = read_effect(t, "technique T { pass A { VertexShader = " VS "; PixelShader = asm {\n// x\npreshader\nmul c0.x, c1.x, c2.x\n"
	                   "ps_2_0 mov oC0, c0 }; } }");
	assert_string_equal(passes(t, e), "T/A 0 1\n1:15: this pass stays as it is: its pixel program has a preshader, which is not read\n");
	/* The same pair in several passes counts once. */
	e = read_effect(t, "VertexShader v = " VS "; PixelShader p = " PS ";\n"
	                   "technique T { pass A { VertexShader = (v); PixelShader = (p); } pass B { VertexShader = (v); PixelShader = (p); } }");
	assert_string_equal(passes(t, e), "T/A 0 1\nT/B 0 1\npair 0 1\n");
	/* Pairs that share one program, in any order; where groups overlap, those of one vertex program go first. */
	e = read_effect(t, "VertexShader v = " VS "; VertexShader w = " VS "; PixelShader p = " PS "; PixelShader q = " PS "; PixelShader r = " PS ";\n"
	                   "technique T { pass A { VertexShader = (v); PixelShader = (p); } pass B { VertexShader = (w); PixelShader = (r); }\n"
	                   " pass C { VertexShader = (v); PixelShader = (q); } }");
	assert_string_equal(passes(t, e), "T/A 0 2\nT/B 1 4\nT/C 0 3\npair 0 2\npair 0 3\npair 1 4\n2 from 0 share vs\n");
	e = read_effect(t, "VertexShader v = " VS "; VertexShader w = " VS "; PixelShader p = " PS "; PixelShader q = " PS ";\n"
	                   "technique T { pass A { VertexShader = (v); PixelShader = (p); }\n pass B { VertexShader = (w); PixelShader = (p); }\n"
	                   " pass C { VertexShader = (v); PixelShader = (q); } }");
	assert_string_equal(passes(t, e), "T/A 0 2\nT/B 1 2\nT/C 0 3\npair 0 3\npair 0 2\n1 stays behind 0\n"
	                                  "2:15: this pass stays as it is: its pixel program is drawn with other vertex programs, too, and its vertex program is rewritten only for others\n"
	                                  "3:2: this pass stays as it is: its vertex program and its pixel program are both drawn with others, too\n");
	e = read_effect(t, "VertexShader v = " VS "; VertexShader w = " VS "; PixelShader p = " PS "; PixelShader q = " PS "; PixelShader r = " PS ";\n"
	                   "technique T { pass A { VertexShader = (v); PixelShader = (p); } pass B { VertexShader = (w); PixelShader = (p); }\n"
	                   " pass C { VertexShader = (v); PixelShader = (q); }\n pass D { VertexShader = (w); PixelShader = (q); } }");
	assert_string_equal(passes(t, e), "T/A 0 2\nT/B 1 2\nT/C 0 3\nT/D 1 3\npair 0 2\npair 1 2\npair 0 3\npair 1 3\n2 from 0 share ps\n2 stays behind 0\n"
	                                  "3:2: this pass stays as it is: its pixel program is drawn with other vertex programs, too, and its vertex program is rewritten only for others\n"
	                                  "4:2: this pass stays as it is: its pixel program is drawn with other vertex programs, too, and its vertex program is rewritten only for others\n");
	/* No passes: the only two programs are a pair. */
	e = read_effect(t, "PixelShader p = " PS ";\nVertexShader v = " VS ";\n");
	assert_string_equal(passes(t, e), "pair 1 0\n");
	e = read_effect(t, "asm { vs_1_1 nop } asm { ps.2.0 nop }");
	assert_string_equal(passes(t, e), "pair 0 1\n");
}

TEXT_TEST(what_is_no_effect)
{
	struct texts *t = *state;
	static const char *const others[][2] = {
		{"<html>\n</html>\n", "this looks like an HTML or XML page, not a program: save the program's own text\n"},
		{"varying vec2 uv;\nvoid main() { gl_FragColor = vec4(uv, 0, 1); }\n", "this looks like GLSL, which is not read: written as HLSL, it becomes assembly by fxc /T ps_2_0 /E main /Fc out.psh FILE (/T vs_2_0 for a vertex program)\n"},
		{"float4 main(float2 t : TEXCOORD0) : COLOR { return 1; }\n", "this looks like HLSL, which is not read: it becomes assembly by fxc /T ps_2_0 /E main /Fc out.psh FILE (/T vs_2_0 for a vertex program)\n"},
		{"technique t { pass p { PixelShader = compile ps_2_0 main(); } }\nfloat4 main() : COLOR { return 1; }\n",
		 "no asm { } block or literal here that holds a program: HLSL is not read\n"},
	};
	for (size_t k = 0; k < sizeof others / sizeof *others; k++)
		if (!strstr(passes(t, read_effect(t, others[k][0])), others[k][1]))
			fail_msg("%s", passes(t, read_effect(t, others[k][0])));
	assert_string_equal(passes(t, read_effect(t, "")), "-: no asm { } block or literal here that holds a program: HLSL is not read\n");
	assert_string_equal(passes(t, read_effect(t, "asm int asm; technique { pass { PixelShader = compile ps_2_0 f(); } }")),
	                    "/ -1 -1\n-: no asm { } block or literal here that holds a program: HLSL is not read\n");
	assert_string_equal(passes(t, read_effect(t, "technique { pass { VertexShader = " VS "; } }")),
	                    "/ 0 -1\n1:13: this pass stays as it is: it has no pixel program in assembly\n");
	assert_string_equal(passes(t, read_effect(t, "}}} technique T { pass P { VertexShader = " PS "; PixelShader = " VS "; } ")),
	                    "T/P 0 1\n1:19: this pass stays as it is: its vertex program is of a model that is not read here\n");
	/* The brace in the comment does not end the block. */
	assert_int_equal(read_effect(t, "pass { VertexShader = asm { vs_1_1 ; }\n }")->blocks.at[0].to, 40);
	assert_null(read_effect(t, "pass\n  asm { vs_1_1"));
	assert_string_equal(said(t), "2:3: this asm block is never closed\n");
	t->source = (struct source){.name = "x", .text = "\xff\xfe" "a\0s\0", .size = 6};
	diag_init(&t->diags, &t->arena);
	assert_null(effect_read(&t->arena, &t->source, NULL, &t->diags));
	assert_int_equal(t->diags.n, 1);
}

/* Checks that a block's diagnostics have places of the file, also the column in its first line. */
TEXT_TEST(places_in_blocks)
{
	struct texts *t = *state;
	struct effect *e = read_effect(t, "// \n  VertexShader v = asm { vs_1_1 foo\n\tmov r0, q1 };\n");
	parse_programs(&t->arena, &e->blocks.at[0].source, &t->diags);
	assert_string_equal(said(t), "2:33: unexpected word 'foo'\n3:10: unknown register 'q1'\n");
	struct place p = source_place(&e->blocks.at[0].source, t->diags.at[0].at);
	assert_string_equal(p.file, "in.fx");
	assert_memory_equal(p.text, "  VertexShader v = asm { vs_1_1 foo", p.length);
}

TEXT_TEST(macros_in_blocks)
{
	struct texts *t = *state;
	struct effect *e = read_effect(t, "#define POS v0 // it's\n#define S .xy\nfloat x; // don't { asm\n"
	                                  "string q = \"asm {\"; /* asm {\n#if 0\n*/\n"
	                                  "technique T {\n#if 1\n pass P { VertexShader = asm { vs_1_1 mov oPos, POS q1\n"
	                                  " mov oT0 S, POS\n\n\n\n\n };\n"
	                                  "  PixelShader = " PS "; }\n#else\n pass Q { VertexShader = " VS "; PixelShader = " PS "; }\n#endif\n}\n");
	assert_string_equal(said(t), "");
	assert_non_null(e);
	assert_string_equal(blocks(t, e), "vs_1_1 [0] at 9\nps_2_0 [0] at 16\n");
	assert_false(e->blocks.at[2].live);
	assert_string_equal(passes(t, e), "T/P 0 1\nT/Q 2 3\npair 0 1\n");
	struct program_list list = parse_programs(&t->arena, &e->blocks.at[0].source, &t->diags);
	assert_string_equal(said(t), "9:53: unexpected word 'q1'\n");
	assert_int_equal(list.n, 1);
}

TEXT_TEST(macros_in_blocks_print)
{
	struct texts *t = *state;
	struct effect *e = read_effect(t, "#define POS v0\n#define S .xy\nVertexShader v = asm { vs_1_1 ; it's\n mov oPos, POS\n"
	                                  "#ifdef POS\n mov oT0 S, POS\n#else\n mov oT9, v0\n#endif\n };\n");
	struct program_list list = parse_programs(&t->arena, &e->blocks.at[0].source, &t->diags);
	assert_string_equal(said(t), "");
	assert_string_equal(printed(t, list.at[0]), "vs_1_1 ; it's\nmov oPos, v0\nmov oT0.xy, v0\n");
	assert_int_equal(source_line(&e->blocks.at[0].source, list.at[0]->instrs.at[1].at), 6);
	/* An error of the preprocessor points into the file. */
	assert_null(read_effect(t, "int x;\n  #bad\n" VS));
	assert_string_equal(said(t), "2:3: Unknown #directive \"bad\"\n");
}

static const char *rewritten(struct texts *t, const char *file, const char *first, const char *second)
{
	struct effect *e = read_effect(t, file);
	struct text programs[2] = {{.arena = &t->arena}, {.arena = &t->arena}}, out = {.arena = &t->arena};
	assert_int_equal(e->blocks.n, 2);
	text_string(&programs[0], first);
	text_string(&programs[1], second);
	effect_rewrite(&out, e, programs);
	return out.at;
}

TEXT_TEST(copies_with_other_programs)
{
	struct texts *t = *state;
	const char *const file = "technique\n{\n\tpass {\n\t\tVertexShader = asm {\n\t\t\tvs_1_1 // caf\xe9\n\t\t\tmov oPos, v0\n\t\t};\n"
				 "\t\tPixelShader = " PS ";\n\t}\n}";
	assert_string_equal(rewritten(t, file, "", ""), file);
	assert_string_equal(rewritten(t, file, "vs_1_1 // caf\xe9\n\nnop\n", ""),
	                    "technique\n{\n\tpass {\n\t\tVertexShader = asm {\n\t\t\tvs_1_1 // caf\xe9\n\n\t\t\tnop\n\t\t};\n"
	                    "\t\tPixelShader = " PS ";\n\t}\n}");
	assert_string_equal(rewritten(t, file, "", "ps_2_0\nnop\n"),
	                    "technique\n{\n\tpass {\n\t\tVertexShader = asm {\n\t\t\tvs_1_1 // caf\xe9\n\t\t\tmov oPos, v0\n\t\t};\n"
	                    "\t\tPixelShader = asm {\n\t\t\tps_2_0\n\t\t\tnop\n\t\t};\n\t}\n}");
	/* The copy has the file's line ends; a comment at the end of a program does not swallow the brace. */
	assert_string_equal(rewritten(t, "asm {\r\n  vs_1_1\r\n}\r\n" PS "\r\n", "vs_1_1\nnop // end", "ps_2_0\n"),
	                    "asm {\r\n  vs_1_1\r\n  nop // end\r\n}\r\nasm {\r\n\tps_2_0\r\n}\r\n");
	/* A program that shares a line with its opening or closing text still does. */
	assert_string_equal(rewritten(t, "a = R\"(ps_2_0 // one\n\tnop\n\tnop)\";\nb = R\"( vs_1_1 mov oPos, v0)\";\n", "ps_2_0 // one\nnop\n", "vs_1_1\nnop\n"),
	                    "a = R\"(ps_2_0 // one\n\tnop)\";\nb = R\"( vs_1_1\n\tnop)\";\n");
	assert_string_equal(rewritten(t, "a = R\"(ps_2_0\n)\";\n" "asm { vs_1_1\n  mov oPos, v0 }", "ps_2_0\nnop\n", "vs_2_0\nmov oPos, v0\n"),
	                    "a = R\"(ps_2_0\n\tnop\n)\";\n" "asm { vs_2_0\n  mov oPos, v0\n}");
	/* The written file reads back. */
	const char *again = rewritten(t, file, "vs_1_1\nnop\n", "ps_2_0\nnop\n");
	assert_string_equal(rewritten(t, again, "vs_1_1\nnop\n", "ps_2_0\nnop\n"), again);
}

TEXT_TEST(programs_in_literals)
{
	struct texts *t = *state;
	const char *const file =
		"#include <d3d9.h>\n// it's \"vs_1_1 \\n\"\nstatic const char model[] = \"vs_1_1\", quote = '\"';\n"
		"static const char vs[] =\n\t\"; \\\"quad\\\"\\n\"\n\t\"vs_1_1\\n\" // comment\n\t\"mov oPos, v0\\n mov\\x20\" \"oT0, \\166\\061\\n\";\n"
		"const char *ps = R\"x(\n  ps_2_0\n  mov oC0, t0 // )\"\n)x\";\n"
		"f(\"ps_2_0\\n\" \"mov oC0, v0\");\ng(L\"vs_1_1\\nnop\");\n";
	struct effect *e = read_effect(t, file);
	assert_non_null(e);
	assert_string_equal(blocks(t, e), "vs_1_1 vs[0] at 5\nps_2_0 ps[0] at 8\nps_2_0 [0] at 12\nvs_1_1 [0] at 13\n");
	assert_string_equal(passes(t, e), "pair 0 1\n13:4: this program and its neighbour stay as they are: the code before its literals "
	                                  "may add to it\n");
	assert_string_equal(printed(t, parse_programs(&t->arena, &e->blocks.at[0].source, &t->diags).at[0]),
	                    "; \"quad\"\nvs_1_1\nmov oPos, v0\nmov oT0, v1\n");
	assert_string_equal(printed(t, parse_programs(&t->arena, &e->blocks.at[1].source, &t->diags).at[0]),
	                    "ps_2_0\nmov oC0, t0 // )\"\n");
	struct text programs[4] = {{.arena = &t->arena}, {.arena = &t->arena}, {.arena = &t->arena}, {.arena = &t->arena}};
	struct text out = {.arena = &t->arena};
	text_string(&programs[0], "; \"quad\"\nvs_1_1\n\nnop // \\ \t\n");
	text_string(&programs[1], "ps_2_0\nnop\n");
	text_string(&programs[2], "ps_2_0\nnop\n");
	effect_rewrite(&out, e, programs);
	assert_string_equal(out.at,
		"#include <d3d9.h>\n// it's \"vs_1_1 \\n\"\nstatic const char model[] = \"vs_1_1\", quote = '\"';\n"
		"static const char vs[] =\n\t\"; \\\"quad\\\"\\n\"\n\t\"vs_1_1\\n\" // comment\n\t\"\\n\"\n\t\"nop // \\\\ \\t\\n\";\n"
		"const char *ps = R\"x(\n  ps_2_0\n  nop\n)x\";\n"
		"f(\"ps_2_0\\n\"\n\t\"nop\\n\");\ng(L\"vs_1_1\\nnop\");\n");

	/* Places are those of the file. */
	e = read_effect(t, "char v[] =\n  \"vs_1_1\\n\"\n  \"#define A q1\\n\"\n  \"mov r0, A\\n\"\n  \"  mov r1, q2\\n\"\n  \"foo\\n\";\n");
	parse_programs(&t->arena, &e->blocks.at[0].source, &t->diags);
	assert_string_equal(said(t), "4:1: unknown register 'q1'\n5:14: unknown register 'q2'\n6:4: unknown opcode 'foo'\n");
	/* An odd number of programs, or two of one kind, are no pairs. */
	assert_string_equal(passes(t, read_effect(t, "\"vs_1_1\\n\" , \"vs_1_1\\n\"")),
	                    "1:1: programs of models 2.x stay as they are (2 vertex, 0 pixel): there is no pixel program of these models\n"
	                    "-: without passes, programs must come as neighbours, a vertex and a pixel program each, or in literals as many of one "
	                    "stage as of the other for a model\n");
	/* One program goes with all of the other stage; arrays of equal length go by their order within a model. */
	assert_string_equal(passes(t, read_effect(t, "f(\"vs_1_1\\n\", \"ps_2_0\\n\", \"ps_2_0\\n\")")),
	                    "pair 0 1\npair 0 2\n2 from 0 share vs\n"
	                    "1:15: a pair with the vertex program of line 1, which is the only one of models 2.x\n"
	                    "1:27: a pair with the vertex program of line 1, which is the only one of models 2.x\n");
	/* An array of vertex programs of different models: that of model 2 goes with all pixel programs of its model. */
	e = read_effect(t, "char *v[] = { \"vs_1_1\\n\", \"vs_2_0\\n\", \"vs_3_0\\n\" };\nchar *p[] = { \"ps_2_0\\n\", \"ps_2_0\\n\" };\n"
	                   "char *q[] = { \"ps_3_0\\n\" };");
	assert_string_equal(passes(t, e), "pair 1 3\npair 1 4\npair 2 5\n2 from 0 share vs\n"
	                                  "1:15: programs of models 1.x stay as they are (1 vertex, 0 pixel): there is no pixel program of these models\n"
	                                  "2:15: a pair with the vertex program of line 1, which is the only one of models 2.x\n"
	                                  "2:27: a pair with the vertex program of line 1, which is the only one of models 2.x\n"
	                                  "3:15: a pair with the vertex program of line 1, which is the only one of models 3.x\n");
	e = read_effect(t, "char v[] = \"vs_1_1\\n\"; char w[] = \"vs_2_0\\n\";\nchar *p[] = { \"ps_2_0\\n\", \"ps_2_0\\n\" };");
	assert_non_null(strstr(passes(t, e), "pair 0 2\npair 1 3\n"));
	assert_non_null(strstr(passes(t, read_effect(t, "f(\"vs_1_1\\n\", \"vs_1_1\\n\", \"ps_2_0\\n\")")),
	                       "1:27: a pair with the vertex program of line 1, as this is the only pixel program of models 2.x\n"));
	e = read_effect(t, "char *v[] = { \"vs_3_0\\n\", \"vs_1_1\\n\",\n\"vs_2_0\\n\" };\nchar *p[] = { \"ps_2_0\\n\", \"ps_2_b\\n\",\n\"ps_3_0\\n\" };");
	assert_string_equal(passes(t, e), "pair 1 3\npair 2 4\npair 0 5\n"
	                                  "3:15: a pair with the vertex program of line 1, by their order among those of models 2.x\n"
	                                  "3:27: a pair with the vertex program of line 2, by their order among those of models 2.x\n"
	                                  "4:1: a pair with the vertex program of line 1, which is the only one of models 3.x\n");
	e = read_effect(t, "char *v[] = { \"vs_1_1\\n\", \"vs_2_0\\n\",\n\"vs_2_0\\n\" };\nchar *p[] = { \"ps_1_1\\n\", \"ps_2_0\\n\",\n\"ps_2_0\\n\", \"ps_2_0\\n\", \"ps_3_0\\n\" };");
	assert_non_null(strstr(passes(t, e), "1:15: programs of models 1.x stay as they are (1 vertex, 1 pixel): one of them is of a model that is not read here\n"
	                                     "1:27: programs of models 2.x stay as they are (2 vertex, 3 pixel): which of them go together is not known\n"
	                                     "4:25: programs of models 3.x stay as they are (0 vertex, 1 pixel): there is no vertex program of these models\n"
	                                     "-: without passes"));
	e = read_effect(t, "char *v[] = { \"vs_1_1\\n\", \"vs_1_1\\n\" FOG };\nchar *p[] = { \"ps_2_0\\n\", \"ps_2_0\\n\" };");
	assert_non_null(strstr(passes(t, e), "1:27: this program and what goes with it stay as they are: the code behind its literals may add to it\n"));
	assert_int_equal(e->pairs.n, 1);
	e = read_effect(t, "char *v[] = { \"vs_1_1\\n\" FOG };\nchar *p[] = { \"ps_2_0\\n\", \"ps_2_0\\n\" };");
	assert_string_not_equal(passes(t, e), "");
	assert_int_equal(e->pairs.n, 0);
	/* A program that begins with a macro is not counted, so that the order of the others means nothing.  A profile's name does not
	 * begin a program. */
	e = read_effect(t, "#define HEAD \"vs_2_0\\n\"\nchar *v[] = { HEAD \"nop\\n\", \"vs_2_0\\n\" };\nchar *p[] = { \"ps_2_0\\n\", \"ps_2_0\\n\" };");
	assert_string_equal(passes(t, e), "1:1: a program begins in this macro, and its other lines are not known, so programs cannot be paired by their "
	                                  "order\n");
	e = read_effect(t, "\n#define HEAD \\\r\n  \"vs_2_0\\n\"\nchar *v[] = { \"vs_2_0\\n\" };\nchar *p[] = { \"ps_2_0\\n\" };");
	assert_non_null(strstr(passes(t, e), "2:1: a program begins in this macro"));
	e = read_effect(t, "#define PROFILE \"vs_2_0\"\nchar *v = \"vs_2_0\\n\";\nchar *p = \"ps_2_0\\n\";");
	assert_string_equal(passes(t, e), "pair 0 1\n");
	read_effect(t, "\"vs_1_1\\n\nR\"(vs_1_1\n\" \"\\\"R\"");
	read_effect(t, "\"vs_1_1\\n\" \"\\");
}

/* Returns the note about why a vertex program stays, without its place, or "moved". */
static const char *why_stays(struct texts *t, const char *file)
{
	struct effect *e = read_effect(t, file);
	if (!e || !effect_find_pairs(&t->arena, e, &t->diags))
		return arena_printf(&t->arena, "error: %s", said(t));
	for (uint32_t k = 0; k < e->pairs.n; k++)
		if (e->pairs.at[k].vs >= 0)
			return "moved";
	return t->diags.n ? t->diags.at[0].text : "";
}

#define DRAWN "VertexShader va = " VS ";\nPixelShader pa = " PS ";\n"
#define PASS "technique T { pass P { VertexShader = (va); PixelShader = (pa); } }\n"

/* Checks that every other use of a variable keeps its program, understood or not. */
TEXT_TEST(other_uses)
{
	struct texts *t = *state;
	static const char *const kept[] = {
		"VertexShader vb = <va>;", "VertexShader vb[2] = { <va>, NULL };", "int x; technique U { pass { VertexShader = (x ? <va> : NULL); } }",
		"#define TECH(v) technique U { pass { VertexShader = (v); PixelShader = compile ps_2_0 f(); } }\nTECH(va)",
		"#define ALIAS va", "#define J(a, b) a##b\nVertexShader vb = J(v, a);", "technique U { pass { SetVertexShader(va); } }",
		"technique U < string vs = \"va\"; > { pass { } }", "stateblock s = stateblock_state { VertexShader = (va); };",
		"technique U { pass { VertexShader = (va[0 + 0]); PixelShader = (pa); } }", "VertexShader w = (VertexShader)va;",
		"technique U { pass { VertexShader = (va); VertexShader = NULL; PixelShader = NULL; } }", "float f() { return g(v\\\na); }",
		"VertexShader pa2 = compile vs_1_1 f(pa);", "technique U { pass { PixelShader = compile ps_2_0 f(pa); } }", "PixelShader pb = pa;",
		"technique U { pass { VertexShader = compile vs_2_0 f(); PixelShader = (pa); } }", "VertexShader va = " VS ";",
		"#ifdef X\ntechnique U { pass { VertexShader = va; } }\n#endif",
	};
	assert_string_equal(why_stays(t, DRAWN PASS), "moved");
	for (unsigned k = 0; k < sizeof kept / sizeof *kept; k++) {
		const char *why = why_stays(t, arena_printf(&t->arena, "%s%s%s\n", DRAWN, PASS, kept[k]));
		assert_true(strstr(why, "this pass stays as it is: ") || strstr(why, "this pass is planned without its vertex program: "));
		if (!strstr(why, "must stay, since ") && !strstr(why, "one of its programs must stay for the pass"))
			fail_msg("%s: %s", kept[k], why);
	}
	assert_string_equal(why_stays(t, DRAWN PASS "VertexShader vb = <va>;\n"),
	                    "this pass is planned without its vertex program: its vertex program must stay, since line 4 names va in a way that is not understood");
	/* Other words, comments, members of other names, and the same pair again do not keep it. */
	assert_string_equal(why_stays(t, DRAWN PASS "// va\n/* pa */ float vaa, a_va; technique U { pass { VertexShader = <va>; PixelShader = pa; } }"),
	                    "moved");
}

/* Checks passes whose programs are unknown. */
TEXT_TEST(unclear_passes)
{
	struct texts *t = *state;
	static const char *const kept[] = {
		"#ifdef X\nVertexShader = (va);\n#endif\nPixelShader = (pa);", "VertexShader = (va); VertexShader = " VS "; PixelShader = (pa);",
		"VertexShader = (x ? <va> : <va>); PixelShader = (pa);", "VertexShader = (va); PixelShader = " PS " + 1;", "VertexShader = (va); PixelShader = (pa); MORE",
		"VertexShader = (va); PixelShader = (pa, 1);", "VertexShader = (va);\n#include \"x\"\nPixelShader = (pa);",
	};
	for (unsigned k = 0; k < sizeof kept / sizeof *kept; k++) {
		const char *file = arena_printf(&t->arena, "#define MORE VertexShader = NULL;\n" DRAWN "technique T { pass P { %s } }\n", kept[k]);
		const char *why = why_stays(t, file);
		if (!strstr(why, "stays as it is") && !strstr(why, "is planned without its vertex program") && !strstr(why, "error"))
			fail_msg("%s: %s", kept[k], why);
	}
	assert_string_equal(why_stays(t, "VertexShader va = asm { vs_1_1\n#ifdef X\nnop\n#endif\nmov oPos, v0 };\nPixelShader pa = " PS ";\n" PASS),
	                    "this pass is planned without its vertex program: its vertex program must stay, since preprocessor lines stand in its text");
	/* Other definitions would bring back a pass that is left out now. */
	assert_string_equal(why_stays(t, DRAWN PASS "#ifdef X\ntechnique U { pass P { VertexShader = " VS "; PixelShader = (pa); } }\n#endif\n"),
	                    "this pass is planned without its vertex program: one of its programs must stay for the pass of line 5");
	/* Two declarators, and an array of unknown size. */
	assert_string_not_equal(why_stays(t, "VertexShader va = " VS ", vb = " VS "; PixelShader pa = " PS ";\n" PASS), "moved");
	assert_string_equal(why_stays(t, "VertexShader va[N] = { " VS " };\nPixelShader pa = " PS ";\n"
	                                 "technique T { pass P { VertexShader = (va[0]); PixelShader = (pa); } }"), "moved");
	/* Without passes, which macros may define. */
	assert_string_equal(why_stays(t, DRAWN), "moved");
	assert_string_not_equal(why_stays(t, DRAWN "TECH(va, pb)\n"), "moved");
}

/* Checks that a literal is a program if nothing can be appended to it. */
TEXT_TEST(parts_of_programs)
{
	struct texts *t = *state;
	static const char *const kept[] = {
		"x = %s FOG;", "x = %s + fog;", "x = FOG %s;", "x = fog + %s;", "x += %s;", "x = L%s;", "x = u8%s;", "x = %s u8\"nop\";", "x << %s;",
		"x = c ? %s : 0;", "x = (c) ? 0 : %s;", "sprintf(b, %s, 1);", "std::strcat(b, %s);", "x = std::string(%s) + fog;", "x = f((const char *)%s);",
		"x = S(%s).arg(1);", "#define ADD(x) x FOG\nf(ADD(%s), 1);", "x =\n#ifdef A\n%s\n#else\n\"\"\n#endif\n;", "x = %s", "%s;", "x = %s[0];",
		"std::string v = %s;\nv += fog;", "std::string v = %s;\nf(v + fog);", "char v[99] = %s;\nstrcat(v, fog);", "std::string v(%s + fog);",
		"QString v = %s;\nv.append(fog);", "const char *v = %s;\nx = std::string(v) + fog;", "const char *v = %s;\nx = fog + std::string((v));",
		"const char *v = %s;\nx = QString(v).arg(3);", "char v[80] = %s;", "char v[] = %s;\nv[3] = 0;", "char v[] = %s;\nf(v, 20);", "f(%s, 21);",
		"const char *v = %s;\nchar c = '\"'; strcat(b, v); f(\"x\");", "const char v[] = %s;\nf(b, \"x\" v);", "x = R%s FOG;",
	};
	static const char *const moved[] = {
		"const char *v = %s;", "f(1, %s);", "f(%s, sizeof x);", "const char *v[] = { %s, 0 };", "const char *f() { return %s; }", "x = /* + */ %s // + y\n;",
		"load(TEXT(%s), 0);", "if (load(%s)) return;", "if (load(%s) == OK) {", "std::string v = %s;\nf(v.c_str(), v.size());",
		"const char v[] = %s;\ncreate(v, sizeof v - 1);", "const char *v{%s};",
		"const char *v = %s;\nf(v, strlen(v) + 1);", "const char *v = %s;\ns->v = v;", "const char *v = %s;\nf(v, 3);", "char v[2] = \"x\", *w = %s;", "x = R%s;",
	};
	static const char ps[] = "\nconst char *p = \"ps_2_0\\nmov oC0, v0\\n\";\n";
	for (unsigned k = 0; k < sizeof kept / sizeof *kept + sizeof moved / sizeof *moved; k++) {
		bool const stays = k < sizeof kept / sizeof *kept;
		const char *form = stays ? kept[k] : moved[k - sizeof kept / sizeof *kept], *hole = strstr(form, "%s");
		const char *literal = hole > form && hole[-1] == 'R' ? "\"(vs_1_1\nmov oPos, v0)\"" : "\"vs_1_1\\n\"\n \"mov oPos, v0\\n\"";
		const char *why = why_stays(t, arena_printf(&t->arena, "%.*s%s%s%s", (int)(hole - form), form, literal, hole + 2, ps));
		if (stays ? !strstr(why, "this program and its neighbour stay as they are: ") : strcmp(why, "moved") != 0)
			fail_msg("%s: %s", form, why);
	}
	assert_string_equal(why_stays(t, "f(\"vs_1_1\\nmov oT0, c%d\\n\", \"ps_2_0\\n\");"),
	                    "this program and its neighbour stay as they are: it holds a %, so it may be a format of printf");
	assert_string_equal(why_stays(t, "f(\"vs_1_1\\n#ifdef FOG\\nnop\\n#endif\\n\", \"ps_2_0\\n\");"),
	                    "this program and its neighbour stay as they are: preprocessor lines stand in its text");
}

TEXT_TEST(many_blocks_are_fast)
{
	struct texts *t = *state;
	struct text file = {.arena = &t->arena};
	text_string(&file, "#define A v0\ntechnique T {\n");
	for (int i = 0; i < 5000; i++)
		text_printf(&file, "pass P%d { VertexShader = " VS "; PixelShader = " PS "; }\n", i);
	text_string(&file, "}\n");
	struct effect *e = read_effect(t, file.at);
	assert_string_equal(said(t), "");
	assert_int_equal(e->blocks.n, 10000);
	assert_true(effect_find_pairs(&t->arena, e, &t->diags));
	assert_int_equal(e->pairs.n, 5000);
	assert_int_equal(source_line(&e->blocks.at[9999].source, 2), 5002);
}
