/* Model 3: o# and v# become oT# and t# by their usages, and come back in the text after a move; _abs is an instruction in between. */
#include "texts.h"

#include "lang/link.h"
#include "lang/modifier.h"

#define VS(dcls, body) "vs_3_0\ndcl_position v0\ndcl_position o7\n" dcls body "mov o7, v0\n"
#define PS(dcls, body) "ps_3_0\n" dcls body

struct linked {
	struct program *vs, *ps;
};

static struct linked link_texts(struct texts *t, const char *vs, const char *ps)
{
	struct linked l;
	read_good(t, vs);
	l.vs = t->list.at[0];
	read_good(t, ps);
	l.ps = t->list.at[0];
	link_pair(l.vs, l.ps, &t->diags);
	return l;
}

/* Checks the register that instruction k reads. */
static void expect_src(const struct program *p, uint32_t k, enum reg_file file, int index)
{
	assert_int_equal(p->instrs.at[k].src[0].file, file);
	assert_int_equal(p->instrs.at[k].src[0].index, index);
}

TEXT_TEST(usages_link)
{
	struct texts *t = *state;
	struct linked l = link_texts(t, VS("dcl_texcoord3 o1\ndcl_normal o4.xyz\ndcl_color1 o0\ndcl_psize o2.x\n",
	                                   "mov o1, v0\nmov o4.xyz, v0\nmov o0, v0\nmov o2.x, v0.x\n"),
	                             PS("dcl_normal v0.xyz\ndcl_texcoord3 v5\ndcl_color1 v3\ndcl_tangent v2\ndcl vPos.xy\ndcl vFace\n",
	                                "mov r0, v0.xyz\nmov r1, v5\nmov r2, v3\nmov r3, v2\nmov r4.xy, vPos\nmov r5, vFace\nmov oC0, r0\n"));
	static const struct { enum reg_file file; int index; } outs[] = {{REG_TEX_OUT, 1}, {REG_TEX_OUT, 4}, {REG_COLOUR_OUT, 1},
	                                                                 {REG_SIZE_OUT, 0}, {REG_POS_OUT, 0}};
	for (uint32_t k = 0; k < 5; k++) {
		assert_int_equal(l.vs->instrs.at[k].dst.file, outs[k].file);
		assert_int_equal(l.vs->instrs.at[k].dst.index, outs[k].index);
	}
	expect_src(l.ps, 0, REG_TEXCOORD, 4);
	expect_src(l.ps, 1, REG_TEXCOORD, 1);
	expect_src(l.ps, 2, REG_INPUT, 1);
	expect_src(l.ps, 3, REG_TEXCOORD, 9); /* no output feeds it */
	expect_src(l.ps, 4, REG_PIXEL_POS, 0);
	expect_src(l.ps, 5, REG_FACE, 0);
	assert_string_equal(printed(t, l.ps), PS("dcl_normal v0.xyz\ndcl_texcoord3 v5\ndcl_color1 v3\ndcl_tangent v2\ndcl vPos.xy\ndcl vFace\n",
	                                         "mov r0, v0.xyz\nmov r1, v5\nmov r2, v3\nmov r3, v2\nmov r4.xy, vPos\nmov r5, vFace\nmov oC0, r0\n")
	                                      );
}

TEXT_TEST(what_does_not_link)
{
	struct texts *t = *state;
	const char *const vs = VS("dcl_texcoord o1\n", "mov o1, v0\n"), *const ps = PS("dcl_texcoord v1\n", "mov oC0, v1\n");
	link_texts(t, vs, ps);
	assert_string_equal(said(t), "");
	link_texts(t, vs, "ps_2_0\ndcl t0\nmov oC0, t0\n");
	assert_string_equal(said(t), "1:1: vs_3_0 goes with ps_3_0 only, not with ps_2_0\n");
	link_texts(t, "vs_2_0\ndcl_position v0\nmov oPos, v0\n", ps);
	assert_string_equal(said(t), "1:1: ps_3_0 goes with vs_3_0 only, not with vs_2_0\n");
	read_bytes(t, PS("", "mov oC0, t0\n"), strlen(PS("", "mov oC0, t0\n")));
	assert_string_equal(said(t), "2:10: ps_3_0 has no t#\n");
	read_bytes(t, VS("", "mov oT0, v0\nmov o3, v0\n"), strlen(VS("", "mov oT0, v0\nmov o3, v0\n")));
	assert_string_equal(said(t), "4:5: vs_3_0 has no oT#\n5:5: o3 is written but not declared: it needs a dcl_usage, such as dcl_texcoord o3\n");
	read_bytes(t, PS("dcl_texcoord v10\n", "mov oC0, c0\n"), strlen(PS("dcl_texcoord v10\n", "mov oC0, c0\n")));
	assert_string_equal(said(t), "2:14: there is no v10: ps_3_0 has v0 to v9\n");
}

/* Checks one oT# for two usages, each in a register of its own in the pixel program. */
TEXT_TEST(usages_share)
{
	struct texts *t = *state;
	struct linked l = link_texts(t, VS("dcl_texcoord1 o2.xy\ndcl_texcoord4 o2.zw\n", "mov o2, v0\n"),
	                             PS("dcl_texcoord4 v0.zw // lightmap\ndcl_texcoord1 v1.xy // base\n", "mov r0.xy, v1\nmov r0.zw, v0\nmov oC0, r0\n"));
	expect_src(l.ps, 0, REG_TEXCOORD, 2);
	expect_src(l.ps, 1, REG_TEXCOORD, 2);
	assert_true(link_declare(&t->arena, l.vs, l.ps, &(struct link_kept){.taken = link_usages(l.vs)}));
	assert_string_equal(printed(t, l.ps), "ps_3_0\ndcl_texcoord1 v0.xy // base\ndcl_texcoord4 v0.zw // lightmap\nmov r0.xy, v0\nmov r0.zw, v0\nmov oC0, r0\n");
}

/* Checks lanes of one t#, which get the precision of the most precise of them: _pp allows less precision and does not ask for it. */
TEXT_TEST(precisions_share)
{
	struct texts *t = *state;
	struct linked l = link_texts(t, VS("dcl_texcoord o1.xy\ndcl_texcoord1 o1.zw\ndcl_texcoord2 o2\n", "mov o1, v0\nmov o2, v0\n"),
	                             PS("dcl_texcoord_pp v0.xy\ndcl_texcoord1 v1.zw\ndcl_texcoord2_pp v2\n",
	                                "mov r0.xy, v0\nmov r0.zw, v1\nadd oC0, r0, v2\n"));
	assert_string_equal(said(t), "");
	/* Each lane comes from its v#, with the flags of its own dcl, until one dcl has both. */
	assert_string_equal(printed(t, l.ps), PS("dcl_texcoord_pp v0.xy\ndcl_texcoord1 v1.zw\ndcl_texcoord2_pp v2\n",
	                                         "mov r0.xy, v0\nmov r0.zw, v1\nadd oC0, r0, v2\n"));
	assert_true(link_declare(&t->arena, l.vs, l.ps, &(struct link_kept){.taken = link_usages(l.vs)}));
	assert_string_equal(printed(t, l.ps), PS("dcl_texcoord v0.xy\ndcl_texcoord1 v0.zw\ndcl_texcoord2_pp v2\n",
	                                         "mov r0.xy, v0\nmov r0.zw, v0\nadd oC0, r0, v2\n"));
}

/* Checks that both colours in one o# are one register, however many v# the pixel program has for them, and that a move declares one. */
TEXT_TEST(colours_share)
{
	struct texts *t = *state;
	const char *const vs = VS("dcl_color o1.xy\ndcl_color1 o1.zw\n", "mov o1, v0\n");
	struct linked l = link_texts(t, vs, PS("dcl_color_pp v0.xy\ndcl_color1 v1.zw\n", "mov r0.xy, v0\nmov r0.zw, v1\nmov oC0, r0\n"));
	assert_string_equal(said(t), "");
	expect_src(l.ps, 0, REG_INPUT, 0);
	expect_src(l.ps, 1, REG_INPUT, 0);
	assert_string_equal(printed(t, l.ps), PS("dcl_color_pp v0.xy\ndcl_color1 v1.zw\n", "mov r0.xy, v0\nmov r0.zw, v1\nmov oC0, r0\n"));
	assert_true(link_declare(&t->arena, l.vs, l.ps, &(struct link_kept){0}));
	assert_string_equal(printed(t, l.vs), vs);
	assert_string_equal(printed(t, l.ps), PS("dcl_color v0.xy\ndcl_color1 v0.zw\n", "mov r0.xy, v0\nmov r0.zw, v0\nmov oC0, r0\n"));
	link_texts(t, vs, PS("dcl_color v3.xy\ndcl_color1 v3.zw\n", "mov oC0, v3\n"));
	assert_string_equal(said(t), "");
	link_texts(t, vs, PS("dcl_color v3\n", "mov oC0, v3\n"));
	assert_string_equal(said(t), "2:1: v3.zw is read as color0, and the vertex program has another usage in these lanes of o1\n");
	link_texts(t, vs, PS("dcl_color v3.xy\ndcl_color1_centroid v3.zw\n", "mov oC0, v3\n"));
	assert_string_equal(said(t), "3:1: one dcl of v3 says _centroid and another does not; a register is interpolated in one way\n");
	link_texts(t, VS("dcl_color o1.xy\ndcl_color1 o2.zw\n", "mov o1.xy, v0\nmov o2.zw, v0\n"), PS("dcl_color v3.xy\ndcl_color1 v3.zw\n", "mov oC0, v3\n"));
	assert_string_equal(said(t), "3:1: v3 has both colours, but the vertex program does not have both in one o#\n");
}

/* Checks errors: a t# that one oT# feeds is interpolated in one way, and each of its lanes has one usage. */
TEXT_TEST(usages_that_cannot_share)
{
	struct texts *t = *state;
	const char *const vs = VS("dcl_texcoord o1.xy\ndcl_texcoord1 o1.zw\n", "mov o1, v0\n");
	link_texts(t, vs, PS("dcl_texcoord v0.xy\ndcl_texcoord1_centroid v0.zw\n", "mov oC0, v0\n"));
	assert_string_equal(said(t), "3:1: one dcl of v0 says _centroid and another does not; a register is interpolated in one way\n");
	link_texts(t, vs, PS("dcl_texcoord v0.xy\ndcl_texcoord3 v0.zw\n", "mov oC0, v0\n"));
	assert_string_equal(said(t), "");
	link_texts(t, VS("dcl_texcoord o1\ndcl_texcoord1 o2\n", "mov o1, v0\nmov o2, v0\n"),
	           PS("dcl_texcoord v0.xy\ndcl_texcoord1 v0.zw\n", "mov oC0, v0\n"));
	assert_string_equal(said(t), "3:1: v0 has several usages, which the vertex program has in several o#; those of one v# are read from one o#\n");
	link_texts(t, vs, PS("dcl_texcoord v0.zw\n", "mov oC0, v0.z\n"));
	assert_string_equal(said(t), "2:1: v0.z is read as texcoord0, and the vertex program has another usage in these lanes of o1\n");
	link_texts(t, vs, PS("dcl_texcoord v0\n", "mov oC0, v0.x\n"));
	assert_string_equal(said(t), "");
}

/* Checks vertex programs with one pixel program: a usage has one number in all of them, whether they write it or not. */
TEXT_TEST(a_group_has_one_link)
{
	struct texts *t = *state;
	const char *const ps = PS("dcl_texcoord v3.xy\ndcl_color v1.xy\ndcl_color1 v2.zw\ndcl_texcoord2 v4\n", "mov r0.xy, v3\nmul r0.xy, r0, v1\nmov r0.zw, v2\nmov oC0, r0\n");
	struct linked const l[] = {
		link_texts(t, VS("dcl_texcoord o1.xy\ndcl_normal o2\ndcl_color o3.xy\ndcl_color1 o3.zw\n", "mov o1.xy, v0\nmov o2, v0\nmov o3, v0\n"), ps),
		link_texts(t, VS("dcl_texcoord5 o1\ndcl_normal o4\ndcl_texcoord o2\n", "mov o1, v0\nmov o2, v0\nmov o4, v0\n"), ps),
		link_texts(t, VS("dcl_texcoord o2\ndcl_color o4\ndcl_color1 o5\n", "mov o2, v0\nmov o4, v0\nmov o5, v0\n"), ps),
		link_texts(t, VS("dcl_texcoord o2.xy\ndcl_texcoord2 o2.zw\n", "mov o2, v0\n"), ps),
	};
	struct link_kept kept = {0};
	const struct program *vs[2] = {l[0].vs, l[1].vs}, *read[2] = {l[0].ps, l[1].ps};
	/* The second has no colours, which counts as two registers; the first has both in one. */
	assert_false(link_group(&t->arena, vs, read, 2, &kept));
	assert_ptr_equal(vs[1], l[1].vs);
	vs[0] = l[2].vs;
	read[0] = l[2].ps;
	assert_true(link_group(&t->arena, vs, read, 2, &kept));
	for (unsigned k = 0; k < 2; k++)
		expect_src(read[k], 0, REG_TEXCOORD, 2);
	assert_int_equal(vs[1]->instrs.at[0].dst.index, 1);
	assert_int_equal(vs[1]->instrs.at[1].dst.index, 2);
	assert_true(kept.of[1].there && kept.of[1].usage == USAGE_TEXCOORD && kept.of[1].index == 5);
	assert_true(kept.of[2].there && kept.of[2].index == 0);
	assert_false(kept.of[3].there);
	/* One o# in one program, two in another. */
	vs[0] = l[2].vs;
	vs[1] = l[3].vs;
	read[0] = l[2].ps;
	read[1] = l[3].ps;
	assert_false(link_group(&t->arena, vs, read, 2, &kept));
}

TEXT_TEST(new_ones_are_declared)
{
	struct texts *t = *state;
	struct linked l = link_texts(t, VS("dcl_texcoord o0.xy\ndcl_texcoord2 o1\ndcl_texcoord5 o2.x\n", "mov o0.xy, v0\nmov o1, v0\nmov o2.x, v0\n"),
	                             PS("dcl_texcoord v0.xy\ndcl_texcoord5 v1.x\n", "mov r0, v0.xyyy\nmov r1, v1.x\nmov oC0, r0\n"));
	l.vs->instrs.at[0].dst.mask = MASK_XYZ;
	l.vs->instrs.at[1].dst.index = 3;
	l.vs->instrs.at[1].dst.mask = MASK_X | MASK_Z;
	l.ps->instrs.at[1].src[0].index = 3;
	l.ps->decls.at[1].reg.index = 3;
	l.ps->decls.at[1].usage = USAGES;
	l.ps->decls.at[1].number = NO_NUMBER;
	assert_true(link_declare(&t->arena, l.vs, l.ps, &(struct link_kept){.taken = (uint16_t)(link_usages(l.vs) | link_usages(l.ps) | 2)}));
	assert_string_equal(printed(t, l.vs), VS("dcl_texcoord o0.xyz\ndcl_texcoord5 o2.x\ndcl_texcoord3 o3.xz\n",
	                                         "mov o0.xyz, v0\nmov o3.xz, v0\nmov o2.x, v0\n"));
	assert_string_equal(printed(t, l.ps), "ps_3_0\ndcl_texcoord v0.xy\ndcl_texcoord3 v3.x\nmov r0, v0.xy\nmov r1, v3.x\nmov oC0, r0\n");
}

TEXT_TEST(abs_is_an_instruction)
{
	struct texts *t = *state;
	const char *const text = PS("", "mov r0, c0\nmul r1, r0_abs.wzyx, -c1_abs.x\nmov oC0, r1\n");
	const struct program *p = read_good(t, text);
	assert_int_equal(p->instrs.n, 5);
	assert_int_equal(program_total_slots(p), 3);
	for (uint32_t k = 1; k < 3; k++)
		assert_true(p->instrs.at[k].op == OP_ABS && p->instrs.at[k].flags & INSTR_MODIFIER);
	assert_string_equal(printed(t, p), text);
	/* An instruction between them overwrites the operand: the abs stays. */
	struct program *changed = program_copy(&t->arena, p);
	changed->instrs.at[2].dst.index = 0;
	changed->instrs.at[2].flags = 0;
	changed->instrs.at[3].src[1].index = 0;
	assert_non_null(strstr(printed(t, changed), "abs r2, r0\n"));
	assert_non_null(strstr(printed(t, changed), "mul r1, r2.wzyx, -r0.x\n"));
	/* Another lane of that register may be written. */
	const char *const lanes_apart = PS("", "mov r0, c0\nmov r0.w, c1.x\nmul r1.xyz, r0_abs, c2\nmad oC0, r1.xyz, c3.x, r0\n");
	struct program *moved = program_copy(&t->arena, read_good(t, lanes_apart));
	struct instr const abs = moved->instrs.at[2];
	moved->instrs.at[2] = moved->instrs.at[1];
	moved->instrs.at[1] = abs;
	assert_int_equal(abs.op, OP_ABS);
	assert_string_equal(printed(t, moved), lanes_apart);
	/* Once settled, the abs counts as a modifier. */
	changed->instrs.at[2].flags = INSTR_MODIFIER;
	assert_int_equal(program_total_slots(changed), 3);
	modifier_settle(&t->arena, changed);
	assert_int_equal(program_total_slots(changed), 4);
	assert_int_equal(changed->instrs.n, 5);
}

/* Checks that a program that names all temporaries has room for abs where some of them are dead. */
TEXT_TEST(abs_among_all_temporaries)
{
	struct texts *t = *state;
	char text[2048];
	int n = sprintf(text, "ps_3_0\ndcl_texcoord v0\n");
	for (int r = 0; r < 32; r++)
		n += sprintf(text + n, "mul r%d, v0, c%d\n", r, r);
	int const full = n;
	n += sprintf(text + n, "add r0, r0_abs, r1_abs\n");
	for (int r = 2; r < 32; r++)
		n += sprintf(text + n, "add r0, r0, r%d\n", r);
	sprintf(text + n, "mov oC0, r0\n");
	read_bytes(t, text, strlen(text));
	assert_string_equal(said(t), "35:9: all temporaries of the model are in use here, and _abs needs a free one\n"
	                             "35:17: all temporaries of the model are in use here, and _abs needs a free one\n");
	n = full + sprintf(text + full, "add r0, r0, r30\nadd r0, r0, r31\nadd r0, r0_abs, r1_abs\n");
	for (int r = 2; r < 30; r++)
		n += sprintf(text + n, "add r0, r0, r%d\n", r);
	sprintf(text + n, "mov oC0, r0\n");
	assert_string_equal(printed(t, read_good(t, text)), text);
}

/* Checks the abs of a coordinate: a texture of depths needs its .z, and no other one does. */
TEXT_TEST(abs_of_a_coordinate)
{
	struct texts *t = *state;
	const struct program *p = read_good(t, PS("dcl_2d s0\n", "mov r0, c1_abs\ntexld r1, r0_abs.yxzw, s0\nmov oC0, r1\n"));
	assert_int_equal(p->instrs.at[2].op, OP_ABS);
	assert_int_equal(p->instrs.at[2].dst.mask, MASK_XYZ);
	p = read_good(t, PS("dcl_2d s0\n", "mov r0.xy, c1_abs.z\ntexld r1, r0_abs, s0\nmov oC0, r1\n"));
	assert_int_equal(p->instrs.at[2].dst.mask, MASK_XY);
	p = read_good(t, PS("dcl_2d s0\n", "mov r0, c1_abs\nmov r1.xy, r0\ntexld r1, r1_abs, s0\nmov oC0, r1\n"));
	assert_int_equal(p->instrs.at[3].dst.mask, MASK_XY);
	assert_int_not_equal(p->instrs.at[3].dst.index, p->instrs.at[0].dst.index);
}
