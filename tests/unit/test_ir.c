/* Lanes that instructions read and write, slots, and dependent reads. */
#include "texts.h"

/* Returns the register lanes that each source of `statement` reads, such as "xy xyzw". */
static const char *reads(struct texts *t, const char *version, const char *statement)
{
	const struct program *p = read_good(t, arena_printf(&t->arena, "%s\n%s", version, statement));
	const struct instr *i = &p->instrs.at[p->instrs.n - 1];
	struct text out = {.arena = &t->arena};
	text_string(&out, "");
	for (unsigned s = 0; s < ops[i->op].sources; s++) {
		if (s)
			text_char(&out, ' ');
		lanes read = instr_reads(p, i, s);
		if (read)
			print_lanes(&out, read);
		else
			text_char(&out, '-');
	}
	return out.at;
}

TEXT_TEST(lanes_read_by_shape)
{
	struct texts *t = *state;
	static const struct { const char *version, *statement, *lanes; } table[] = {
		{"vs_1_1", "mov r0, v0", "xyzw"},
		{"vs_1_1", "mov r0.yz, v0", "yz"},
		{"vs_1_1", "mov r0.yz, v0.wzyx", "yz"},
		{"vs_1_1", "mov r0.xy, v0.wzyx", "zw"},
		{"vs_1_1", "mov r0.xw, v0.y", "y"},
		{"vs_1_1", "mov r0.zw, v0.xy", "y"},
		{"vs_1_1", "add r0.x, v0.y, c0.z", "y z"},
		{"vs_1_1", "mad r0.xy, v0, c0.zwxy, -r1.w", "xy zw w"},
		{"ps_2_0", "cmp r0.w, r1, r2.x, r3", "w x w"},
		{"ps_2_0", "lrp r0.xyz, r1.w, r2, r3", "w xyz xyz"},
		{"ps_2_0", "frc r0.yz, t0.zxyw", "xy"},
		/* one lane, whatever is written; all if no lane is named, as in some bytecode */
		{"vs_1_1", "rcp r0, r1.x", "x"},
		{"vs_1_1", "rcp r0.y, r1", "xyzw"},
		{"vs_1_1", "rcp r0.yw, r1.z", "z"},
		{"vs_1_1", "rsq r0.x, r1.w", "w"},
		{"vs_1_1", "exp r0, r1.y", "y"},
		{"vs_1_1", "log r0, r1.y", "y"},
		{"vs_1_1", "expp r0, r1.w", "w"},
		{"vs_1_1", "logp r0.z, r1.w", "w"},
		{"ps_2_0", "pow r0.xyz, r1.w, c0.z", "w z"},
		/* products over lanes read all of them for any mask */
		{"vs_1_1", "dp3 r0.x, r1, c0", "xyz xyz"},
		{"vs_1_1", "dp3 r0.w, r1.wzyx, c0.y", "yzw y"},
		{"vs_1_1", "dp4 r0.z, r1, c0.x", "xyzw x"},
		{"ps_2_0", "dp2add r0.w, r1, r2.zwzw, r3.y", "xy zw y"},
		/* each lane of a cross product reads the two others */
		{"vs_2_0", "crs r0.x, r1, r2", "yz yz"},
		{"vs_2_0", "crs r0.y, r1, r2", "xz xz"},
		{"vs_2_0", "crs r0.z, r1, r2", "xy xy"},
		{"vs_2_0", "crs r0.xy, r1, r2", "xyz xyz"},
		/* dst is (1, s0.y s1.y, s0.z, s1.w) */
		{"vs_1_1", "dst r0, r1, r2", "yz yw"},
		{"vs_1_1", "dst r0.x, r1, r2", "- -"},
		{"vs_1_1", "dst r0.y, r1.x, r2.z", "x z"},
		{"vs_1_1", "dst r0.z, r1, r2", "z -"},
		{"vs_1_1", "dst r0.w, r1, r2", "- w"},
		/* lit is (1, max(x, 0), x > 0 ? max(y, 0)^w : 0, 1) */
		{"vs_1_1", "lit r0, r1", "xyw"},
		{"vs_1_1", "lit r0.xw, r1", "-"},
		{"vs_1_1", "lit r0.y, r1.z", "z"},
		{"vs_1_1", "lit r0.z, r1.wzyx", "xzw"},
		{"vs_1_1", "m4x4 oPos, v0, c0", "xyzw xyzw"},
		{"vs_1_1", "m3x3 r0.xyz, v0.zyxw, c0", "xyz xyz"},
		{"vs_1_1", "m3x2 r0.xy, v0, c0", "xyz xyz"},
		{"vs_1_1", "m4x3 r0.xyz, v0.x, c0", "x xyzw"},
		{"ps_2_0", "nrm r0.x, t0", "xyz"},
		{"ps_2_0", "nrm r0.xyz, t0", "xyz"},
		{"ps_2_0", "nrm r0, t0", "xyzw"},
		{"vs_2_0", "sgn r0.xy, v0, r1, r2", "xy - -"},
		{"ps_2_0", "sincos r0.xy, r1.w, c0, c1", "w xyzw xyzw"},
		{"ps_2_0", "texkill r0", "xyzw"}, /* drivers differ on w */
		{"ps_2_0", "dcl_2d s0 texld r0, t0, s0", "xy -"},
		{"ps_2_0", "dcl_cube s0 texld r0, t0, s0", "xyz -"},
		{"ps_2_0", "dcl_volume s0 texld r0, t0, s0", "xyz -"},
		{"ps_2_0", "dcl_2d s3 texldp r0, t0, s3", "xyw -"},
		{"ps_2_0", "dcl_cube s3 texldb r0, t0, s3", "xyzw -"},
		{"ps_2_0", "texld r0, t0, s0", "xyz -"}, /* undeclared: as much as any texture would */
		{"vs_2_0", "mova a0.x, v0.y", "y"},
	};
	bool shapes[SHAPE_TEXW + 1] = {false};
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		const char *read = reads(t, table[i].version, table[i].statement);
		if (strcmp(read, table[i].lanes) != 0)
			fail_msg("%s: reads %s, not %s", table[i].statement, read, table[i].lanes);
		shapes[ops[t->list.at[0]->instrs.at[0].op].shape] = true;
	}
	for (unsigned shape = SHAPE_LANES; shape <= SHAPE_TEXW; shape++)
		assert_true(shapes[shape]);
}

/* Checks that a larger mask never reads fewer lanes, and that a mask reads the lanes of its parts. */
TEXT_TEST(lanes_read_are_monotone)
{
	for (unsigned op = 0; op < OP_COUNT; op++) {
		struct program p = {.model = PS_2_0};
		struct instr i = {.op = (uint8_t)op, .dst = {.file = REG_TEMP}};
		for (unsigned s = 0; s < ops[op].sources; s++) {
			assert_int_equal(ops[op].shape == SHAPE_KILL || ops[op].shape == SHAPE_COMPARE ? 0 : instr_operand_lanes(&p, &i, s, 0), 0);
			for (unsigned mask = 1; mask < 16; mask++) {
				lanes all = instr_operand_lanes(&p, &i, s, (lanes)mask), parts = 0;
				for (unsigned lane = 0; lane < LANES; lane++)
					if (mask >> lane & 1)
						parts |= instr_operand_lanes(&p, &i, s, (lanes)(1u << lane));
				assert_int_equal(all, parts);
			}
		}
	}
}

TEXT_TEST(matrix_rows)
{
	struct texts *t = *state;
	static const struct { const char *op; unsigned rows; } table[] = {
		{"m3x2", 2}, {"m3x3", 3}, {"m3x4", 4}, {"m4x3", 3}, {"m4x4", 4}, {"add", 1}};
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		const struct program *p = read_good(t, arena_printf(&t->arena, "vs_1_1\n%s r0, v0, c0", table[i].op));
		assert_int_equal(instr_rows(&p->instrs.at[0], 0), 1);
		assert_int_equal(instr_rows(&p->instrs.at[0], 1), table[i].rows);
	}
}

/* Returns the number of letters of the swizzle: none for .xyzw, else as many as needed before the last one repeats. */
static unsigned letters(swizzle s)
{
	unsigned n = s == SWIZZLE_XYZW ? 0 : LANES;
	while (n > 1 && swizzle_lane(s, n - 1) == swizzle_lane(s, n - 2))
		n--;
	return n;
}

static bool is_replicate(swizzle s)
{
	return s == swizzle_replicate(swizzle_lane(s, 0));
}

TEXT_TEST(a_doubling_adds_equal_operands)
{
	struct texts *t = *state;
	static const struct { const char *statement; bool doubles; } table[] = {
		{"add r0, r1, r1", true}, {"add r0, -r1.zyxw, -r1.zyxw", true}, {"add r0, r1, -r1", false}, {"add r0, r1, r1.zyxw", false},
		{"add r0, r1, r2", false}, {"add r0, r1_abs, r1", false}, {"mul r0, r1, r1", false},
	};
	for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
		const struct program *p = read_good(t, arena_printf(&t->arena, "ps_3_0\n%s", table[k].statement));
		if (instr_is_doubling(&p->instrs.at[0]) != table[k].doubles)
			fail_msg("%s", table[k].statement);
	}
}

/* Checks that no shorter swizzle reads the same lanes, except that one letter for all lanes stays. */
TEST(shortest_swizzles)
{
	for (unsigned read = 1; read < 16; read++) {
		for (unsigned a = 0; a < 256; a++) {
			swizzle const s = swizzle_shortest((swizzle)a, (lanes)read);
			assert_true(swizzles_agree(s, (swizzle)a, (lanes)read));
			for (unsigned b = 0; b < 256 && !is_replicate((swizzle)a); b++)
				if (swizzles_agree((swizzle)b, (swizzle)a, (lanes)read))
					assert_true(letters(s) <= letters((swizzle)b));
			if (is_replicate((swizzle)a))
				assert_int_equal(s, a);
		}
	}
	assert_int_equal(swizzle_shortest(SWIZZLE(2, 3, 0, 0), MASK_XY), SWIZZLE(2, 3, 3, 3));
	assert_int_equal(swizzle_shortest(SWIZZLE(0, 1, 0, 0), MASK_XY), SWIZZLE_XYZW);
}

TEST(swizzles)
{
	unsigned legal = 0;
	for (unsigned a = 0; a < 256; a++) {
		legal += swizzle_in_ps_2_0((swizzle)a);
		for (unsigned b = 0; b < 256; b++) {
			swizzle both = swizzle_after((swizzle)a, (swizzle)b);
			for (unsigned lane = 0; lane < LANES; lane++)
				assert_int_equal(swizzle_lane(both, lane), swizzle_lane((swizzle)b, swizzle_lane((swizzle)a, lane)));
		}
		assert_int_equal(swizzle_after((swizzle)a, SWIZZLE_XYZW), a);
		assert_int_equal(swizzle_after(SWIZZLE_XYZW, (swizzle)a), a);
		lanes all = 0;
		for (unsigned lane = 0; lane < LANES; lane++) {
			assert_int_equal(swizzle_lanes((swizzle)a, (lanes)(1u << lane)), 1u << swizzle_lane((swizzle)a, lane));
			all |= (lanes)(1u << swizzle_lane((swizzle)a, lane));
		}
		assert_int_equal(swizzle_lanes((swizzle)a, MASK_XYZW), all);
	}
	assert_int_equal(legal, 8);
	assert_true(swizzle_in_ps_2_0(SWIZZLE(1, 2, 0, 3)) && swizzle_in_ps_2_0(SWIZZLE(2, 0, 1, 3)));
	assert_true(swizzle_in_ps_2_0(SWIZZLE(3, 2, 1, 0)) && swizzle_in_ps_2_0(SWIZZLE_XYZW));
	assert_false(swizzle_in_ps_2_0(SWIZZLE(0, 1, 1, 1)));
}

TEXT_TEST(slots)
{
	struct texts *t = *state;
	/* One line per count, in the documentation's order. */
	static const struct { const char *version, *ops; unsigned slots; } table[] = {
		{"vs_1_1", "add dp3 dp4 dst expp lit logp mad max min mov mul nop rcp rsq sge slt sub", 1},
		{"vs_1_1", "m3x2", 2}, {"vs_1_1", "frc m3x3 m4x3", 3}, {"vs_1_1", "m3x4 m4x4", 4}, {"vs_1_1", "exp log", 10},
		{"vs_1_1", "abs cmp crs dp2add lrp mova nrm pow sgn sincos texld texldb texldp texkill", 0},
		{"ps_2_0", "abs add cmp dp3 dp4 exp frc log mad max min mov mul nop rcp rsq sub texkill texld texldb texldp", 1},
		{"ps_2_0", "crs dp2add lrp m3x2", 2}, {"ps_2_0", "m3x3 m4x3 nrm pow", 3}, {"ps_2_0", "m3x4 m4x4", 4},
		{"ps_2_0", "sincos", 8}, {"ps_2_0", "dst lit sge slt sgn mova expp logp", 0},
		{"vs_2_0", "abs add dp3 dp4 dst exp expp frc log logp mad max min mov mova mul nop rcp rsq sge slt sub", 1},
		{"vs_2_0", "crs lrp m3x2", 2}, {"vs_2_0", "lit m3x3 m4x3 nrm pow sgn", 3}, {"vs_2_0", "m3x4 m4x4", 4},
		{"vs_2_0", "sincos", 8}, {"vs_2_0", "cmp dp2add texld texldb texldp texkill", 0},
		{"vs_1_1", "dsx dsy texldd texldl", 0}, {"ps_2_0", "dsx dsy texldd texldl", 0}, {"vs_2_0", "dsx dsy texldd texldl", 0},
		{"ps_3_0", "abs add cmp dp3 dp4 exp frc log mad max min mov mul nop rcp rsq sub texld", 1},
		{"ps_3_0", "crs dp2add lrp m3x2 dsx dsy texkill texldl", 2}, {"ps_3_0", "m3x3 m4x3 nrm pow texldd texldp", 3},
		{"ps_3_0", "m3x4 m4x4", 4}, {"ps_3_0", "texldb", 6}, {"ps_3_0", "dst lit sge slt sgn mova expp logp", 0},
		{"vs_2_0", "call endloop endrep", 2}, {"vs_2_0", "callnz if loop rep", 3}, {"vs_2_0", "else endif ret", 1}, {"vs_2_0", "label", 0},
		{"ps_3_0", "call endloop endrep", 2}, {"ps_3_0", "callnz breakp if loop rep", 3}, {"ps_3_0", "break else endif ret setp", 1},
		{"ps_3_0", "label", 0}, {"vs_1_1", "if rep loop call setp break", 0},
		{"vs_3_0", "texldl", 2}, {"vs_3_0", "texld texldb texldd texldp texkill dsx dsy cmp dp2add", 0},
	};
	unsigned seen[MODEL_COUNT] = {0};
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		enum model model = read_good(t, table[i].version)->model;
		for (const char *word = table[i].ops; *word; word += strspn(word, " ")) {
			size_t n = strcspn(word, " ");
			enum op op = op_find(word, n);
			assert_true(op < OP_COUNT);
			if (op_slots(op, model) != table[i].slots)
				fail_msg("%.*s takes %u slots in %s, not %u", (int)n, word, op_slots(op, model), table[i].version, table[i].slots);
			seen[model] += op < OP_BREAK;
			word += n;
		}
	}
	/* sincos has two rows; that of model 3 has one source. */
	assert_int_equal(seen[VS_1_1], OP_BREAK - 1);
	assert_int_equal(seen[PS_2_0], OP_BREAK - 1);
	assert_int_equal(seen[VS_2_0], OP_BREAK - 1);
	assert_int_equal(op_slots(OP_SINCOS3, VS_3_0), 8);
	assert_int_equal(op_slots(OP_SINCOS3, PS_3_0), 8);
	assert_int_equal(op_slots(OP_SINCOS3, PS_2_0), 0);
	for (unsigned op = 0; op < OP_COUNT; op++)
		assert_int_equal(op_slots((enum op)op, PS_2_B), op_slots((enum op)op, PS_2_0));
	assert_int_equal(op_find("mo", 2), OP_COUNT);
	assert_int_equal(op_find("movx", 4), OP_COUNT);

	const struct program *p = read_good(t, "ps_2_0\ndcl t0\ndcl_2d s0\ndef c0, 0, 0, 0, 0\ntexld r0, t0, s0\nnrm r1, r0\n"
	                                       "texkill r1\nmov oC0, r1\n");
	assert_int_equal(program_slots(p).arith, 4);
	assert_int_equal(program_slots(p).tex, 2);
	assert_int_equal(program_total_slots(p), 6);
}

static unsigned order(struct texts *t, const char *statements)
{
	return program_dependent_reads(read_good(t, arena_printf(&t->arena, "ps_2_0\ndcl_2d s0\n%s", statements)));
}

TEXT_TEST(dependent_reads)
{
	struct texts *t = *state;
	assert_int_equal(order(t, "mov r0, t0"), 0);
	assert_int_equal(order(t, "texld r0, t0, s0"), 0);
	assert_int_equal(order(t, "texld r0, t0, s0\ntexld r1, t0, s0"), 0);
	assert_int_equal(order(t, "mov r0, t0\ntexld r1, r0, s0"), 1);
	assert_int_equal(order(t, "texld r0, t0, s0\ntexld r1, r0, s0"), 1);
	assert_int_equal(order(t, "texld r0, t0, s0\nadd r0.x, r0, c0\ntexld r1, r0, s0"), 1);
	assert_int_equal(order(t, "texld r0, t0, s0\ntexld r1, r0, s0\ntexld r2, r1, s0"), 2);
	assert_int_equal(order(t, "texld r0, t0, s0\ntexld r0, r0, s0\ntexld r0, r0, s0\nmov r3, r0\ntexld r2, r3, s0"), 3);
	/* Overwriting a register counts as depending on it. */
	assert_int_equal(order(t, "mov r0, c0\ntexld r0, t0, s0"), 1);
	assert_int_equal(order(t, "texld r0, t0, s0\ntexld r0, t1, s0"), 1);
	assert_int_equal(order(t, "texld r0, t0, s0\ntexld r0, t1, s0\ntexld r0, t2, s0"), 2);
	/* A whole overwrite by arithmetic ends the chain. */
	assert_int_equal(order(t, "texld r0, t0, s0\ntexld r1, r0, s0\nmov r1, c0\ntexld r2, r1, s0"), 1);
	/* An overwritten lane ends the chain of that lane alone. */
	assert_int_equal(order(t, "texld r0, t0, s0\ntexld r1, r0, s0\nmov r1.z, c0\nadd r2.xy, r1, r1\ntexld r3, r2, s0"), 2);
}

TEXT_TEST(declarations_are_found)
{
	struct texts *t = *state;
	const struct program *p = read_good(t, "vs_1_1\ndcl_position v0\ndef c5, 1, 2, 3, 4\ndef c5, 5, 6, 7, 8\ndcl_normal v3\n");
	assert_int_equal(program_decl(p, REG_INPUT, 3)->usage, USAGE_NORMAL);
	assert_true(program_decl(p, REG_CONST, 5)->value[0] == 5.0f); /* the last one counts */
	assert_null(program_decl(p, REG_CONST, 3));
	assert_null(program_decl(p, REG_INPUT, 5));
}

TEXT_TEST(copies_are_apart)
{
	struct texts *t = *state;
	const struct program *p = read_good(t, "vs_1_1 // h\ndcl_position v0\nmov oPos, v0 // c\n");
	struct program *copy = program_copy(&t->arena, p);
	const char *before = printed(t, p);
	assert_string_equal(printed(t, copy), before);
	struct instr first = copy->instrs.at[0];
	VEC_PUSH(&t->arena, &copy->instrs) = first;
	copy->instrs.at[0].dst.file = REG_TEX_OUT;
	copy->decls.at[0].usage = USAGE_COLOR;
	assert_string_equal(printed(t, p), before);
	assert_string_equal(printed(t, copy), "vs_1_1 // h\ndcl_color v0\nmov oT0, v0 // c\nmov oPos, v0 // c\n");
	copy = program_copy(&t->arena, read_good(t, "vs_1_1"));
	assert_string_equal(printed(t, copy), "vs_1_1\n");
}

/* Checks swizzles that only a wider model has, where the lanes read are the same as by one of the eight. */
TEXT_TEST(swizzles_of_a_wider_model)
{
	struct texts *t = *state;
	const struct program *p = read_good(t, "ps_2_b\ndcl t0\nmad r0.xw, c0.wwyw, t0.xzzw, -c1.yxzx\nmov r0.yz, t0.xyx\nmov oC0, r0\n");
	const char *before = printed(t, p);
	const struct program *copy = program_as_written(&t->arena, p);
	assert_string_equal(printed(t, p), before);
	assert_string_equal(printed(t, copy), "ps_2_0\ndcl t0\nmad r0.xw, c0.w, t0, -c1.yxzx\nmov r0.yz, t0.xyx\nmov oC0, r0\n");
}
