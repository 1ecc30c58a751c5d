/* src/lang/outline: programs with flow control as straight ones, and back. */
#include "lang/outline.h"

#include "texts.h"

#define HEAD "ps_3_0\ndcl_texcoord v0\ndcl_2d s0\n"
#define ADDRESSED "ps_3_0\ndefi i0, 2, 0, 1, 0\ndcl_texcoord v0\ndcl_texcoord1 v1\ndcl_texcoord2 v2\n"
#define VERTEX "vs_2_x\ndcl_position v0\n"

/* Returns the straight form with a letter for each instruction: i(nstruction), r(ead), w(rite), f(ence). */
static const char *shape_of(struct texts *t, const struct program *straight)
{
	struct text shape = {.arena = &t->arena};
	for (uint32_t k = 0; k < straight->instrs.n; k++) {
		const struct instr *i = &straight->instrs.at[k];
		text_char(&shape, !op_is_region(i->op) ? 'i' : i->op == OP_REGION_OUT ? 'w' : i->region == REGION_FENCE ? 'f' : 'r');
	}
	return shape.at;
}

/* Checks that an unchanged program comes back as it was. */
TEXT_TEST(comes_back)
{
	static const struct {
		const char *text, *shape;
	} cases[] = {
		/* An operand from outside, and a register that is written. */
		{HEAD "mov r0, c0\nif b0\n  mov r0, v0\nendif\nmov oC0, r0\n", "irrfwfi"},
		/* Both branches write the register: its old value is not read, only the operands are. */
		{HEAD "mov r0, c0\nif b0\n  mov r0, v0\nelse\n  mov r0, c1\nendif\nmov oC0, r0\n", "irrwfi"},
		/* A temporary that is only read is separate from the written ones. */
		{HEAD "mov r1, v0\nmov r0, c0\nif_lt r1.x, c1.x\n  add r0, r0, r1\nendif\nmov oC0, r0\n", "iirrrffwfffi"},
		/* A loop carries its register. */
		{HEAD "mov r0, c0\nrep i0\n  add r0, r0, v0\n  break_gt r0.x, c1.x\nendrep\nmov oC0, r0\n", "irrrfwfi"},
		/* From the first setp to the last predicate all is one block. */
		{HEAD "mov r0, c0\nsetp_gt p0, v0, c1\nmov r1, v0\n(p0) mov r0, r1\nmov oC0, r0\n", "irrrfwwffi"},
		/* Two blocks, and straight code between them. */
		{HEAD "mov r0, c0\nif b0\n  mov r0, v0\nendif\nadd r0, r0, c1\nif b1\n  mov r0, v0\nendif\nmov oC0, r0\n", "irrfwfirrfwfi"},
		/* Each row of a matrix is read by itself. */
		{HEAD "mov r0, c0\nif b0\n  m4x4 r0, v0, c4\nendif\nmov oC0, r0\n", "irrrrrrfwfi"},
		/* Constants that aL, or an a0 of the block itself, addresses are reserved; operands are not read. */
		{VERTEX "mov r0, c0\nloop aL, i0\n  add r0, r0, c[aL + 8]\nendloop\nmov oPos, r0\n", "irffwfi"},
		{VERTEX "mov r0, c0\nif b0\n  mova a0.x, v0.x\n  mov r0, c[a0.x + 8]\nendif\nmov oPos, r0\n", "irrrfwfi"},
		/* Each input that aL addresses is read. */
		{ADDRESSED "mov r0, c0\nloop aL, i0\n  add r0, r0, v[aL + 1]\nendloop\nmov oC0, r0\n", "irrrfwfi"},
		/* The block's output is written behind it, and again inside it in the end. */
		{HEAD "if b0\n  mov oC0, v0\nelse\n  mov oC0, c0\nendif\n", "rrwfi"},
	};
	struct texts *t = *state;
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		const struct program *p = read_good(t, cases[k].text);
		struct outline o;
		assert_null(outline(&t->arena, p, NULL, &o));
		assert_string_equal(shape_of(t, o.straight), cases[k].shape);
		const struct program *back = outline_restore(&t->arena, &o, o.straight);
		assert_non_null(back);
		assert_string_equal(printed(t, back), cases[k].text);
		struct outline again;
		assert_null(outline(&t->arena, back, &o, &again));
		assert_null(outline_differs(&t->arena, &o, &again));
	}
}

/* Checks that an output that a block may leave unchanged is a temporary up to the end. */
TEXT_TEST(carries_outputs)
{
	struct texts *t = *state;
	struct outline o, again;
	assert_null(outline(&t->arena, read_good(t, HEAD "mov oC0, c0\nif b0\n  mov oC0.xy, v0\nendif\n"), NULL, &o));
	const struct program *back = outline_restore(&t->arena, &o, o.straight);
	assert_non_null(back);
	assert_string_equal(printed(t, back), HEAD "mov r1, c0\nif b0\n  mov r1.xy, v0\nendif\nmov oC0, r1\n");
	assert_null(outline(&t->arena, back, &o, &again));
	assert_null(outline_differs(&t->arena, &o, &again));
}

/* Checks that the old a0 is read where a block may have written it. */
TEXT_TEST(reads_the_address_before)
{
	struct texts *t = *state;
	struct outline o;
	assert_null(outline(&t->arena, read_good(t, VERTEX "mova a0.y, v0.x\nif b0\n  if b1\n    mova a0.y, v0.y\n  endif\n  mov r0, c[a0.y + 8]\nelse\n  mov r0, v0\nendif\nmov oPos, r0\n"),
	                    NULL, &o));
	unsigned reads = 0;
	for (uint32_t k = 0; k < o.straight->instrs.n; k++) {
		const struct instr *i = &o.straight->instrs.at[k];
		reads += op_is_region(i->op) && i->region != REGION_FENCE && o.reads.at[i->region].own && i->src[0].relative == 2;
	}
	assert_int_equal(reads, 1);
}

TEXT_TEST(has_none)
{
	static const struct {
		const char *text, *why;
	} cases[] = {
		{HEAD "call l0\nmov oC0, v0\nret\nlabel l0\nret\n", "it has subroutines"},
		{HEAD "mov r0, c0\nloop aL, i0\n  mov r0, v[aL]\nendloop\nmov oC0, r0\n", "aL may address inputs that it does not declare"},
		{"vs_3_0\ndefi i0, 2, 0, 1, 0\ndcl_position v0\ndcl_position o0\nmov r0, c0\nloop aL, i0\n  mov r0, v[aL]\nendloop\nmov o0, r0\n",
		 "it addresses inputs through a register"},
		{HEAD "mov oC0.x, c0\nif b0\n  mov oC0, v0\nendif\n", "a block of it may leave an output as it was"},
		{HEAD "mov r0, c0\nmov r4, v0\nmov r5, v0\nmov r6, v0\nif b0\n  m3x3 r0.xyz, v0, r4\nendif\nmov oC0, r0\n",
		 "a block of it multiplies by a matrix that it computed"},
		{VERTEX "mova a0.x, v0.x\nif b0\n  mova a0.x, v0.y\nendif\nmov oPos, c[a0.x + 3]\n", "a block of it writes a0, which is read after the block"},
	};
	struct texts *t = *state;
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		struct outline o;
		const char *why = outline(&t->arena, read_good(t, cases[k].text), NULL, &o);
		assert_non_null(why);
		assert_string_equal(why, cases[k].why);
	}
}

/* Checks that inputs that aL addresses stay where they are. */
TEXT_TEST(inputs_stay)
{
	struct texts *t = *state;
	struct outline o, other;
	assert_null(outline(&t->arena, read_good(t, ADDRESSED "mov r0, c0\nloop aL, i0\n  add r0, r0, v[aL]\nendloop\nmov oC0, r0\n"), NULL, &o));
	struct program *moved = program_copy(&t->arena, o.straight);
	struct instr *read = &moved->instrs.at[3];
	assert_int_equal(read->op, OP_REGION1);
	assert_int_equal(read->src[0].file, REG_TEXCOORD);
	assert_int_equal(read->src[0].index, 1);
	read->src[0].index = 2;
	assert_null(outline_restore(&t->arena, &o, moved));
	assert_null(outline(&t->arena, read_good(t, ADDRESSED "mov r0, c0\nloop aL, i0\n  add r0, r0, v[aL + 1]\nendloop\nmov oC0, r0\n"), &o, &other));
	assert_non_null(outline_differs(&t->arena, &o, &other));
}

/* Checks programs whose blocks differ from those of the given program. */
TEXT_TEST(differs)
{
	static const char given[] = HEAD "defi i0, 3, 0, 0, 0\nmov r0, c0\nmov r1, v0\nrep i0\n  add r0, r0, r1\n  break_gt r0.x, c1.x\nendrep\nmov oC0, r0\n";
	static const struct {
		const char *from, *to;
	} cases[] = {{"break_gt", "break_ge"}, {"defi i0, 3", "defi i0, 4"}, {"add r0, r0, r1", "mul r0, r0, r1"}, {"break_gt r0.x", "break_gt r0.y"},
	             {"add r0, r0, r1", "add r0, r1, r0"}, {"add r0, r0", "add r0.xyz, r0"}};
	struct texts *t = *state;
	struct outline o, other;
	assert_null(outline(&t->arena, read_good(t, given), NULL, &o));
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		const char *at = strstr(given, cases[k].from);
		assert_non_null(at);
		const char *changed = arena_printf(&t->arena, "%.*s%s%s", (int)(at - given), given, cases[k].to, at + strlen(cases[k].from));
		assert_null(outline(&t->arena, read_good(t, changed), &o, &other));
		assert_non_null(outline_differs(&t->arena, &o, &other));
	}
	/* Another register is the same block. */
	assert_null(outline(&t->arena, read_good(t, HEAD "defi i0, 3, 0, 0, 0\nmov r5, c0\nrep i0\n  add r5, r5, v0\n  break_gt r5.x, c1.x\nendrep\nmov oC0, r5\n"), &o, &other));
	assert_null(outline_differs(&t->arena, &o, &other));
}
