/* Mistakes planted in the link, in the expansion of _abs and in the declarations of a move: the proof compares its registers with the
 * texts and reports each, or the checker does. */
#include "pairs.h"

#include "lang/check.h"
#include "lang/link.h"
#include "verify/checks.h"
#include "verify/verify.h"

#include <stdio.h>

#define VS "vs_3_0\ndcl_position v0\ndcl_texcoord v1\ndcl_position o9\n"
#define OUTPUTS "dcl_texcoord4 o3.xy\ndcl_normal o3.zw\ndcl_texcoord1 o0\ndcl_color o1\n"
#define WRITES "mov o9, v0\nmov o3, v1\nmov r0, v0\nadd o0, v1, r0\nmov o1, v1_abs\n"
#define INPUTS "dcl_texcoord4 v7.xy\ndcl_normal v7.zw\ndcl_texcoord1_centroid v2\ndcl_color v0\ndcl vPos.xy\ndcl vFace\n"
#define READS "mov r2, v2\nmul r0, v7, r2\nmul r1, v0, vPos.x\nadd r0, r0, r1\nmul r0, r0, vFace\nadd oC0, r0_abs, r1\n"
#define PS "ps_3_0\n"

struct read_pair {
	struct program *vs, *ps;
};

static struct read_pair read_pair(struct arena *arena, const char *vs, const char *ps)
{
	struct diags said;
	diag_init(&said, arena);
	struct read_pair p = {parse_one(arena, vs), parse_one(arena, ps)};
	link_pair(p.vs, p.ps, &said);
	assert_int_equal(said.errors, 0);
	return p;
}

/* --- of the reader ------------------------------------------------------------------ */

static struct src *source_of(struct program *p, uint32_t k, unsigned s)
{
	return &p->instrs.at[k].src[s];
}

static void another_register(struct read_pair p) { source_of(p.ps, 0, 0)->index = source_of(p.ps, 1, 0)->index; }
static void another_output(struct read_pair p) { p.vs->instrs.at[3].dst.index = 5; }
static void one_output(struct read_pair p) { p.vs->instrs.at[3].dst.index = p.vs->instrs.at[1].dst.index; }
static void another_lane(struct read_pair p) { source_of(p.ps, 1, 0)->swizzle = SWIZZLE(2, 3, 0, 1); }
static void lane_lost(struct read_pair p) { p.vs->instrs.at[1].dst.mask = MASK_XYZ; }
static void colour_coordinate(struct read_pair p)
{
	p.vs->instrs.at[5].dst.file = REG_TEX_OUT;
	p.vs->instrs.at[5].dst.index = 5;
}
static void colours_exchanged(struct read_pair p) { source_of(p.ps, 2, 0)->index = p.ps->decls.at[3].reg.index = 1; }
static void centroid_forgotten(struct read_pair p) { p.ps->decls.at[2].flags = 0; }
static void partial_added(struct read_pair p) { p.ps->decls.at[2].flags |= INSTR_PP; }
static void usage_off(struct read_pair p) { p.ps->decls.at[2].usage_index++; }
static void usages_exchanged(struct read_pair p)
{
	p.ps->decls.at[0].reg.mask = MASK_Z | MASK_W;
	p.ps->decls.at[1].reg.mask = MASK_XY;
}
static void declared_narrow(struct read_pair p) { p.ps->decls.at[2].reg.mask = MASK_XYZ; }
static void place_is_face(struct read_pair p) { source_of(p.ps, 2, 1)->file = REG_FACE; }
static void sign_forgotten(struct read_pair p) { source_of(p.vs, 4, 0)->negate = true; }
static void abs_narrow(struct read_pair p) { p.ps->instrs.at[5].dst.mask = MASK_XYZ; }
static void abs_of_another(struct read_pair p) { source_of(p.ps, 5, 0)->index = 1; }
static void abs_takes_a_temp(struct read_pair p) { p.ps->instrs.at[5].dst.index = source_of(p.ps, 6, 0)->index = 1; }
static void abs_is_mov(struct read_pair p) { p.ps->instrs.at[5].op = OP_MOV; }

static const struct planted {
	const char *name;
	void (*make)(struct read_pair);
	const char *why;
} mistakes[] = {
	{"an input becomes another input's register", another_register, "v2.x is not taken for what it is declared as"},
	{"an output becomes a register that feeds nothing", another_output, "v2.x is not fed by o0.x, which has its usage"},
	{"two outputs become one", one_output, "o0 and o3 are taken for one register"},
	{"the lanes of a packed input are exchanged", another_lane, "instruction 2 of the pixel program is not read as it is written"},
	{"a lane of an output is lost", lane_lost, "instruction 2 of the vertex program is not read as it is written"},
	{"a colour becomes a coordinate", colour_coordinate, "o1.x is not taken for what it is declared as"},
	{"a colour becomes the other", colours_exchanged, "v0.x is not taken for what it is declared as"},
	{"_centroid is forgotten", centroid_forgotten, "v2.x is not interpolated as its declaration says"},
	{"_pp is added", partial_added, "v2.x is not interpolated as its declaration says"},
	{"an index of a usage is one off", usage_off, "v2.x is not taken for what it is declared as"},
	{"the usages of a packed input are exchanged", usages_exchanged, "v7.x is not taken for what it is declared as"},
	{"a lane is not declared", declared_narrow, "v2.w is not taken for what it is declared as"},
	{"vPos becomes vFace", place_is_face, "instruction 3 of the pixel program is not read as it is written"},
	{"an _abs is of the opposite", sign_forgotten, "instruction 5 of the vertex program is not read as it is written"},
	{"an _abs lacks a lane", abs_narrow, "instruction 6 of the pixel program is not read as it is written"},
	{"an _abs is of another register", abs_of_another, "instruction 6 of the pixel program is not read as it is written"},
	{"an _abs overwrites a temporary", abs_takes_a_temp, "instruction 6 of the pixel program is not read as it is written"},
	{"an _abs only copies", abs_is_mov, "instruction 6 of the pixel program is not read as it is written"},
};
enum { MISTAKES = sizeof mistakes / sizeof *mistakes };

ARENA_TEST(mistakes_of_the_reader_are_told)
{
	for (unsigned k = 0; k < MISTAKES; k++) {
		struct read_pair p = read_pair(*state, VS OUTPUTS WRITES, PS INPUTS READS);
		struct pair const pair = {p.vs, p.ps};
		assert_null(linked_wrong(*state, pair));
		mistakes[k].make(p);
		const char *why = linked_wrong(*state, pair);
		if (!why || strcmp(why, mistakes[k].why) != 0)
			fail_msg("%s: %s", mistakes[k].name, why ? why : "nothing is said");
		assert_false(prove(*state, pair, pair, &(struct proof_context){0}).equal);
	}
	printf("# %d mistakes planted in the link and in _abs, one at a time: %d told\n", MISTAKES, MISTAKES);
}

/* Checks pairs that the reader refuses: two registers of one usage, and lanes that have another usage. */
ARENA_TEST(what_no_reader_lets_pass)
{
	struct read_pair p = read_pair(*state, VS "dcl_texcoord o1.xy\ndcl_texcoord o2.zw\nmov o9, v0\nmov o1.xy, v1\nmov o2.zw, v1\n",
	                               PS "dcl_texcoord v0\nmov oC0, v0.x\n");
	assert_string_equal(linked_wrong(*state, (struct pair){p.vs, p.ps}), "texcoord0 is given to two registers, o1 and o2");
	p = read_pair(*state, VS "dcl_texcoord o1.xy\ndcl_texcoord1 o1.zw\nmov o9, v0\nmov o1, v1\n", PS "dcl_texcoord1 v0.zw\nmov oC0, v0.z\n");
	p.ps->text = parse_one(*state, PS "dcl_texcoord v0.zw\nmov oC0, v0.z\n")->text;
	assert_string_equal(linked_wrong(*state, (struct pair){p.vs, p.ps}), "v0.z is not taken for what it is declared as");
	p.ps->decls.at[0].usage_index = 0;
	assert_string_equal(linked_wrong(*state, (struct pair){p.vs, p.ps}), "v0.z is fed by o1.z, which has another usage");
}

/* Checks both colours in one o#, which the pixel program has in one v# or in two. */
ARENA_TEST(both_colours_in_one)
{
	static const char *const vs = VS "dcl_color o1.xy\ndcl_color1 o1.zw\nmov o9, v0\nmov o1, v1\n";
	struct read_pair p = read_pair(*state, vs, PS "dcl_color1 v3.zw\ndcl_color v2.xy\nmov r0.xy, v2\nmov r0.zw, v3\nmov oC0, r0\n");
	assert_null(linked_wrong(*state, (struct pair){p.vs, p.ps}));
	source_of(p.ps, 1, 0)->index = p.ps->decls.at[0].reg.index = 1;
	assert_string_equal(linked_wrong(*state, (struct pair){p.vs, p.ps}), "v3.z is not taken for what it is declared as");
	p = read_pair(*state, vs, PS "dcl_color v2.xy\ndcl_color1 v2.zw\nmov oC0, v2\n");
	assert_null(linked_wrong(*state, (struct pair){p.vs, p.ps}));
	p.vs->instrs.at[1].dst.index = 1;
	assert_string_equal(linked_wrong(*state, (struct pair){p.vs, p.ps}), "o1.x is not taken for what it is declared as");
	p = read_pair(*state, vs, PS "dcl_color v2.xy\ndcl_color1 v2.zw\nmov oC0, v2\n");
	p.ps->text = parse_one(*state, PS "dcl_color1 v2.xy\ndcl_color v2.zw\nmov oC0, v2\n")->text;
	p.ps->decls.at[0].usage_index = 1;
	p.ps->decls.at[1].usage_index = 0;
	assert_string_equal(linked_wrong(*state, (struct pair){p.vs, p.ps}), "v2.x is not taken for what it is declared as");
}

/* --- of the declarations that are written ------------------------------------------- */

enum teller { LINK, CHECKER, PROOF };
static const char *const tellers[] = {"the link", "the checker", "the proof"};

static const struct {
	const char *name, *outputs, *inputs;
	enum teller teller;
} declared[] = {
	{"nothing", OUTPUTS, INPUTS, PROOF + 1},
	{"an index one off in the pixel program", OUTPUTS, "dcl_texcoord4 v7.xy\ndcl_normal v7.zw\ndcl_texcoord2_centroid v2\ndcl_color v0\n", PROOF},
	{"an index one off in the vertex program", "dcl_texcoord5 o3.xy\ndcl_normal o3.zw\ndcl_texcoord1 o0\ndcl_color o1\n", INPUTS, PROOF},
	{"usages exchanged", OUTPUTS, "dcl_normal v7.xy\ndcl_texcoord4 v7.zw\ndcl_texcoord1_centroid v2\ndcl_color v0\n", LINK},
	{"usages exchanged in both", "dcl_texcoord1 o3.xy\ndcl_normal o3.zw\ndcl_texcoord4 o0\ndcl_color o1\n", INPUTS, LINK},
	{"_centroid forgotten", OUTPUTS, "dcl_texcoord4 v7.xy\ndcl_normal v7.zw\ndcl_texcoord1 v2\ndcl_color v0\n", PROOF},
	{"_centroid of another", OUTPUTS, "dcl_texcoord4_centroid v7.xy\ndcl_normal_centroid v7.zw\ndcl_texcoord1 v2\ndcl_color v0\n", PROOF},
	{"_centroid of a part", OUTPUTS, "dcl_texcoord4_centroid v7.xy\ndcl_normal v7.zw\ndcl_texcoord1_centroid v2\ndcl_color v0\n", LINK},
	{"_pp", OUTPUTS, "dcl_texcoord4 v7.xy\ndcl_normal v7.zw\ndcl_texcoord1_pp_centroid v2\ndcl_color v0\n", PROOF},
	{"a colour as a coordinate", "dcl_texcoord4 o3.xy\ndcl_normal o3.zw\ndcl_texcoord1 o0\ndcl_texcoord o1\n",
	 "dcl_texcoord4 v7.xy\ndcl_normal v7.zw\ndcl_texcoord1_centroid v2\ndcl_texcoord v0\n", PROOF},
	{"the other colour", OUTPUTS, "dcl_texcoord4 v7.xy\ndcl_normal v7.zw\ndcl_texcoord1_centroid v2\ndcl_color1 v0\n", PROOF},
	{"an input too narrow", OUTPUTS, "dcl_texcoord4 v7.xy\ndcl_normal v7.z\ndcl_texcoord1_centroid v2\ndcl_color v0\n", CHECKER},
	{"an output too narrow", "dcl_texcoord4 o3.xy\ndcl_normal o3.zw\ndcl_texcoord1 o0.xyz\ndcl_color o1\n", INPUTS, CHECKER},
	{"a usage of two outputs", "dcl_texcoord4 o3.xy\ndcl_normal o3.zw\ndcl_texcoord4 o0\ndcl_color o1\n", INPUTS, CHECKER},
	{"an output undeclared", "dcl_texcoord4 o3.xy\ndcl_texcoord1 o0\ndcl_color o1\n", INPUTS, CHECKER},
};
enum { DECLARED = sizeof declared / sizeof *declared };

static enum teller who_tells(struct arena *arena, struct pair old, const char *vs, const char *ps)
{
	struct diags said;
	diag_init(&said, arena);
	struct read_pair p = {parse_one(arena, vs), parse_one(arena, ps)};
	link_pair(p.vs, p.ps, &said);
	if (said.errors)
		return LINK;
	check_program(p.vs, &(struct check_options){.unwritten_warns = true}, &said);
	check_program(p.ps, &(struct check_options){.unwritten_warns = true}, &said);
	if (said.errors)
		return CHECKER;
	return prove(arena, old, (struct pair){p.vs, p.ps}, &(struct proof_context){0}).equal ? PROOF + 1 : PROOF;
}

/* Checks the programs of the old pair under wrong declarations that link_declare might have written. */
ARENA_TEST(mistakes_of_declarations_are_told)
{
	struct arena *a = *state;
	unsigned told[PROOF + 2] = {0};
	struct read_pair p = read_pair(a, VS OUTPUTS WRITES, PS INPUTS READS);
	for (unsigned k = 0; k < DECLARED; k++) {
		bool const pixel = strstr(declared[k].inputs, "vPos") != NULL;
		const char *vs = arena_printf(a, "%s%s%s", VS, declared[k].outputs, WRITES);
		const char *ps = arena_printf(a, "%s%s%s%s", PS, declared[k].inputs, pixel ? "" : "dcl vPos.xy\ndcl vFace\n", READS);
		enum teller const by = who_tells(a, (struct pair){p.vs, p.ps}, vs, ps);
		if (by != declared[k].teller)
			fail_msg("%s: told by %s", declared[k].name, by > PROOF ? "nobody" : tellers[by]);
		told[by]++;
	}
	printf("# %d mistakes planted in declarations: %u told by the link, %u by the checker, %u by the proof\n", DECLARED - 1, told[LINK],
	       told[CHECKER], told[PROOF]);
}

/* Checks a text that names all temporaries, so that an _abs uses dead lanes of one. */
ARENA_TEST(all_temporaries_are_named)
{
	struct text ps = {.arena = *state};
	text_string(&ps, PS "dcl_texcoord1 v0\n");
	for (unsigned k = 0; k < 32; k++)
		text_printf(&ps, "mov r%u, v0\n", k);
	text_string(&ps, "mul r0, r1_abs, r0\n");
	for (unsigned k = 3; k < 32; k++)
		text_printf(&ps, "add r0, r0, r%u\n", k);
	text_string(&ps, "mov oC0, r0\n");
	struct read_pair p = read_pair(*state, VS OUTPUTS WRITES, ps.at);
	assert_null(linked_wrong(*state, (struct pair){p.vs, p.ps}));
	/* The next instruction reads r3. */
	p.ps->instrs.at[32].dst.index = source_of(p.ps, 33, 0)->index = 3;
	assert_string_equal(linked_wrong(*state, (struct pair){p.vs, p.ps}), "instruction 34 of the pixel program is not read as it is written");
}
