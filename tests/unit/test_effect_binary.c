/* Compiled effects: reading them, copies with other shaders, and damaged ones. */
#include "texts.h"

#include "../effects/assemble.h"
#include "fpmove.h"
#include "lang/effect.h"
#include "lang/effect_binary.h"

static struct effect *read_bytes_of(struct texts *t, const struct text *bytes)
{
	/* A copy without spare bytes, so that sanitizers see reads past the end. */
	t->source = (struct source){.name = "in.fxo", .text = arena_copy(&t->arena, bytes->at, bytes->n), .size = bytes->n};
	diag_init(&t->diags, &t->arena);
	return effect_read(&t->arena, &t->source, NULL, &t->diags);
}

static struct effect *read_effect(struct texts *t, const char *description, struct text *bytes)
{
	*bytes = effect_assemble(&t->arena, description);
	struct effect *e = read_bytes_of(t, bytes);
	assert_string_equal(said(t), "");
	assert_non_null(e);
	return e;
}

/* Returns "FILE#PLACE MODEL STAYS" for each block. */
static const char *blocks(struct texts *t, const struct effect *e)
{
	struct text out = {.arena = &t->arena};
	for (uint32_t k = 0; k < e->blocks.n; k++) {
		const struct effect_block *b = &e->blocks.at[k];
		text_printf(&out, "%s %s%s%s\n", b->source.name, b->model == MODEL_COUNT ? "none" : models[b->model].name, b->stays ? " " : "",
		            b->stays ? b->stays : "");
	}
	return out.at;
}

/* Returns "TECHNIQUE/PASS VS PS" for each pass, then "pair VS PS", the pairs that share a program, and the diagnostics. */
static const char *passes(struct texts *t, struct effect *e)
{
	struct text out = {.arena = &t->arena};
	effect_find_pairs(&t->arena, e, &t->diags);
	for (uint32_t k = 0; k < e->passes.n; k++)
		text_printf(&out, "%s/%s %d %d\n", e->passes.at[k].technique, e->passes.at[k].name, e->passes.at[k].vs, e->passes.at[k].ps);
	for (uint32_t k = 0; k < e->pairs.n; k++)
		text_printf(&out, "pair %d %d\n", e->pairs.at[k].vs, e->pairs.at[k].ps);
	for (uint32_t k = 0; k < e->groups.n; k++)
		if (e->groups.at[k].n > 1)
			text_printf(&out, "%u from %u share %cs\n", e->groups.at[k].n, e->groups.at[k].first, effect_group_same_vs(e, &e->groups.at[k]) ? 'v' : 'p');
	text_string(&out, said(t));
	return out.at;
}

#define PROGRAMS                                                                                        \
	"float4 g_scale 1 2 3 4\nfloat4x4 g_world\ntexture g_map\nsampler g_at g_map\nint g_index 1\n"   \
	"program v\nvs_1_1\n//constant g_world c0 4\ndcl_position v0\nm4x4 oPos, v0, c0\nmov oT0, v0\nend\n"  \
	"program p\nps_2_0\n//constant g_scale c0 1\ndcl t0\nmul r0, t0, c0\nmov oC0, r0\nend\n"

/* A description with all features. */
#define ALL_OF_IT PROGRAMS \
	"program q\nps_2_0\n//constant g_at s0 1\n//preshader c1 g_scale 2\ndcl t0\ndcl_2d s0\ntexld r0, t0, s0\nmul r0, r0, c1\nmov oC0, r0\nend\n" \
	"shader vertex g_vs v\nshader pixel g_all p q\n" \
	"technique T\npass A\nstate 13 1\nvertex v\npixel p\npass B\nvertex = g_vs\npixel q\n" \
	"technique U\npass\nvertex v\npixel ? g_all g_index\npass N\nvertex NULL\npixel p\npass M\nvertex NULL\npixel NULL\n"

static const char all[] = ALL_OF_IT, all_in_xnb[] = "xnb w 5\n" ALL_OF_IT;

TEXT_TEST(all_of_it)
{
	struct texts *t = *state;
	struct text bytes;
	struct effect *e = read_effect(t, all, &bytes);
	assert_string_equal(blocks(t, e), "in.fxo#g_vs vs_1_1\nin.fxo#g_all[0] ps_2_0 a pass chooses it by an expression\n"
	                                  "in.fxo#g_all[1] ps_2_0 a pass chooses it by an expression\nin.fxo#T/A vs_1_1\nin.fxo#T/A ps_2_0\n"
	                                  "in.fxo#T/B ps_2_0\nin.fxo#U/ vs_1_1\nin.fxo#U/N ps_2_0\n");
	assert_string_equal(passes(t, e), "T/A 3 4\nT/B 0 5\nU/ 6 -2\nU/N -1 7\nU/M -1 -1\npair 3 4\npair 0 5\npair -1 7\n"
	                                  "-: technique U pass  stays as it is: it may take one of several pixel programs\n"
	                                  "-: technique U pass N is planned without its vertex program: it has no vertex program\n");
}

/* Checks copies: the same bytes without new programs, or with equal ones; longer programs shift the bytes behind them. */
TEXT_TEST(copies)
{
	struct texts *t = *state;
	struct text bytes;
	for (unsigned wrapped = 0; wrapped < 2; wrapped++) {
		struct effect *e = read_effect(t, arena_printf(&t->arena, "%s%s", wrapped ? "wrap\n" : "", all), &bytes);
		struct text *programs = arena_zero(&t->arena, e->blocks.n * sizeof *programs), copy = {.arena = &t->arena};
		effect_rewrite(&copy, e, programs);
		assert_int_equal(copy.n, bytes.n);
		assert_memory_equal(copy.at, bytes.at, bytes.n);
		for (uint32_t k = 0; k < e->blocks.n; k++) {
			programs[k] = (struct text){.arena = &t->arena};
			text_bytes(&programs[k], e->blocks.at[k].source.text, e->blocks.at[k].source.size);
		}
		copy.n = 0;
		effect_rewrite(&copy, e, programs);
		assert_int_equal(copy.n, bytes.n);
		assert_memory_equal(copy.at, bytes.at, bytes.n);
		/* One more instruction in each. */
		for (uint32_t k = 0; k < e->blocks.n; k++) {
			programs[k].n -= 4;
			text_bytes(&programs[k], "\0\0\0\0\xff\xff\0\0", 8);
		}
		const char *before = blocks(t, e);
		copy.n = 0;
		effect_rewrite(&copy, e, programs);
		assert_int_equal(copy.n, bytes.n + 4 * e->blocks.n);
		struct effect *again = read_bytes_of(t, &copy);
		assert_non_null(again);
		assert_string_equal(blocks(t, again), before);
		for (uint32_t k = 0; k < again->blocks.n; k++) {
			assert_int_equal(again->blocks.at[k].source.size, programs[k].n);
			assert_memory_equal(again->blocks.at[k].source.text, programs[k].at, programs[k].n);
		}
	}
}

/* Checks that a pass without a program of a stage has that of the pass before, but not of another technique. */
TEXT_TEST(passes_before)
{
	struct texts *t = *state;
	struct text bytes;
	struct effect *e = read_effect(t, PROGRAMS "technique T\npass A\nvertex v\npixel p\npass B\npixel p\npass C\nstate 13 1\n"
	                                           "technique U\npass A\npixel p\ntechnique V\npass A\nvertex v\npixel p\npass B\nstate 13 1\n", &bytes);
	assert_string_equal(passes(t, e), "T/A 0 1\nT/B 0 2\nT/C 0 2\nU/A -1 3\nV/A 4 5\nV/B 4 5\npair 0 1\npair 0 2\npair 4 5\npair -1 3\n2 from 0 share vs\n"
	                                  "-: technique U pass A is planned without its vertex program: it has no vertex program\n");
}

/* Checks that a program that reads an unnamed lane stays. */
TEXT_TEST(unnamed_lane)
{
	struct texts *t = *state;
	struct text bytes;
	struct effect *e = read_effect(t, PROGRAMS "program q\nps_2_0\ndcl t0\nrcp r0, t0\nmov oC0, r0\nend\n"
	                                           "technique T\npass A\nvertex v\npixel p\npass B\nvertex v\npixel q\n", &bytes);
	const char *found = passes(t, e);
	assert_non_null(strstr(found, "\npair 0 1\n"));
	assert_non_null(strstr(found, "technique T pass B stays as it is: its pixel program must stay, since an instruction of it "
	                              "reads one lane and does not name it\n"));
}

/* Checks that an unreadable program stays, with those drawn with it. */
TEXT_TEST(unread)
{
	struct texts *t = *state;
	struct text bytes;
	struct effect *e = read_effect(t, PROGRAMS "technique T\npass A\nvertex v\npixel p\npass B\nvertex v\npixel p\npass C\nvertex v\npixel p\n", &bytes);
	size_t const first = (size_t)(e->blocks.at[1].source.text - t->source.text) + e->blocks.at[1].source.size;
	size_t const second = (size_t)(e->blocks.at[2].source.text - t->source.text);
	bytes.at[first - 16] = 0x7f; /* the opcode of the last instruction */
	memcpy(&bytes.at[second], "\1\4\xfe\xff", 4); /* vs_4_1 */
	e = read_bytes_of(t, &bytes);
	assert_non_null(e);
	assert_non_null(strstr(blocks(t, e), "in.fxo#T/A ps_2_0 it is not read: token "));
	assert_non_null(strstr(blocks(t, e), "in.fxo#T/B none\n"));
	const char *found = passes(t, e);
	assert_non_null(strstr(found, "\npair 4 5\n"));
	assert_non_null(strstr(found, "technique T pass A stays as it is: its pixel program must stay, since it is not read: token "));
	assert_non_null(strstr(found, "technique T pass B is planned without its vertex program: its vertex program is of a model that is not read here\n"));
}

/* Checks the library: the whole effect, with two pairs that share a program; and a truncated one. */
TEXT_TEST(library)
{
	struct texts *t = *state;
	struct text const bytes = effect_assemble(&t->arena, PROGRAMS "program q\nps_2_0\n//constant g_scale c0 1\ndcl t0\nadd r0, t0, c0\nmov oC0, r0\nend\n"
	                                                              "technique T\npass A\nvertex v\npixel p\npass B\npixel q\n"
	                                                              "technique U\npass A\nvertex v\npixel p\n");
	struct fpm_text in = {"in.fxo", bytes.at, bytes.n};
	struct fpm_options options;
	fpm_options_init(&options);
	struct fpm_result *r = fpm_move(&in, 1, &options);
	assert_int_equal(fpm_status(r), FPM_DONE);
	assert_int_equal(fpm_passes(r), 3);
	assert_string_equal(fpm_pass(r, 1).technique, "T");
	assert_string_equal(fpm_pass(r, 1).pass, "B");
	assert_string_equal(fpm_pass(r, 3).pass, "");
	assert_int_equal(fpm_pass(r, 2).ps_slots[FPM_AFTER], 1);
	assert_int_equal(fpm_slots(r, FPM_PIXEL, FPM_BEFORE), 6);
	assert_int_equal(fpm_slots(r, FPM_PIXEL, FPM_AFTER), 3);
	assert_int_equal(fpm_moved(r), 3);
	assert_int_equal(fpm_constants(r), 3);
	assert_true(fpm_constant_by_name(r, 2));
	assert_string_equal(fpm_constant_name(r, 0), "g_scale");
	assert_int_equal(fpm_diagnostics(r), 0);
	assert_int_equal(fpm_hints(r), 0);
	assert_null(fpm_output(r, FPM_PIXEL));
	in = (struct fpm_text){"again.fxo", fpm_output(r, FPM_EFFECT), fpm_output_size(r, FPM_EFFECT)};
	struct fpm_result *again = fpm_move(&in, 1, NULL);
	assert_int_equal(fpm_slots(again, FPM_PIXEL, FPM_BEFORE), 3);
	assert_int_equal(fpm_output_size(again, FPM_EFFECT), in.size);
	assert_memory_equal(fpm_output(again, FPM_EFFECT), in.text, in.size);
	fpm_free(again);
	fpm_free(r);
	in = (struct fpm_text){"cut.fxo", bytes.at, bytes.n - 4};
	r = fpm_move(&in, 1, &options);
	assert_int_equal(fpm_status(r), FPM_REJECTED);
	assert_int_equal(fpm_diagnostics(r), 1);
	assert_null(fpm_output(r, FPM_EFFECT));
	assert_int_equal(fpm_passes(r), 0);
	fpm_free(r);
	options.drop_in = true;
	in.size = bytes.n;
	r = fpm_move(&in, 1, &options);
	assert_int_equal(fpm_slots(r, FPM_PIXEL, FPM_AFTER), 6);
	assert_int_equal(fpm_output_size(r, FPM_EFFECT), bytes.n);
	assert_memory_equal(fpm_output(r, FPM_EFFECT), bytes.at, bytes.n);
	fpm_free(r);
}

/* Checks that -O1, too, places an array as its name sets it: its first register may not be one that the VP uses otherwise. */
TEXT_TEST(arrays_by_name)
{
	struct texts *t = *state;
	struct text const bytes = effect_assemble(
		&t->arena, "float4 g_tint 1 2 3 4\nfloat4 g_many[3] 1 2 3 4\n"
	                   "program v\nvs_1_1\n//constant g_tint c0 1\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nmul oT0, v1, c0\nend\n"
	                   "program p\nps_2_0\n//constant g_many c0 3\ndcl t0\ndcl_2d s0\nadd r0.xyz, t0, c1\nadd r1.xyz, t0, c2\n"
	                   "texld r0, r0, s0\ntexld r1, r1, s0\nadd r0, r0, r1\nmov oC0, r0\nend\n"
	                   "technique T\npass A\nvertex v\npixel p\n");
	struct fpm_text const in = {"in.fxo", bytes.at, bytes.n};
	struct fpm_options options;
	fpm_options_init(&options);
	options.level = 1;
	struct fpm_result *r = fpm_move(&in, 1, &options);
	assert_int_equal(fpm_status(r), FPM_DONE);
	assert_int_equal(fpm_moved(r), 2);
	assert_int_equal(fpm_constants(r), 2);
	assert_true(fpm_constant_by_name(r, 0) && fpm_constant_by_name(r, 1));
	fpm_free(r);
}

/* Checks that a name in the VP's table that is no parameter gives a note, and that no constant comes into that VP, nor into another VP
 * drawn with the same pixel program. */
TEXT_TEST(odd_names)
{
	struct texts *t = *state;
	struct text const bytes = effect_assemble(&t->arena, PROGRAMS "program w\nvs_1_1\n//constant g_scale c7 1\ndcl_position v0\n"
	                                                              "mov oPos, v0\nmul oT0, v0, c7\nend\n"
	                                                              "technique T\npass A\nvertex v\npixel p\npass B\nvertex w\n");
	char const name[] = "\3\0\4\0\4\0\1\0\0\0\0\0\0\0g_world"; /* follows the constant's type in a table */
	char *odd = NULL;
	for (size_t k = 0; k + sizeof name < bytes.n; k++)
		odd = memcmp(bytes.at + k, name, sizeof name) == 0 ? bytes.at + k + sizeof name - 2 : odd;
	assert_non_null(odd);
	struct fpm_text const in = {"in.fxo", bytes.at, bytes.n};
	struct fpm_result *r = fpm_move(&in, 1, NULL);
	assert_int_equal(fpm_status(r), FPM_DONE);
	assert_int_equal(fpm_moved(r), 2);
	fpm_free(r);
	*odd = '\x1e';
	r = fpm_move(&in, 1, NULL);
	assert_int_equal(fpm_status(r), FPM_DONE);
	assert_int_equal(fpm_moved(r), 0);
	assert_int_equal(fpm_diagnostics(r), 1);
	assert_non_null(strstr(fpm_diagnostic(r, 0).text, "\"g_worl_\", which is no parameter of the effect"));
	fpm_free(r);
}

/* Checks that constants that states set are not free, and that those of the pixel program stay in it. */
TEXT_TEST(states_set_constants)
{
	struct texts *t = *state;
	static const struct {
		const char *sets;
		int vs; /* the VP constant that is taken, or -1 if the work stays */
	} cases[] = {{"", 95}, {"sets 151 95 g_scale\n", 94}, {"sets 148 92 g_world\n", 91}, {"sets 155 92 g_scale\n", 91},
	             {"sets 149 95 g_scale\nsets 150 95 g_scale\n", 95}, {"sets 159 1 g_scale\n", 95}, {"sets 159 0 g_scale\n", -1}, {"sets 156 0 g_scale\n", -1},
	             {"state 178 1\n", 95}, {"state 179 1\n", -1}};
	for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
		struct text const bytes = effect_assemble(&t->arena, arena_printf(&t->arena, "%stechnique T\npass A\n%svertex v\npixel p\n", PROGRAMS, cases[k].sets));
		struct fpm_text const in = {"in.fxo", bytes.at, bytes.n};
		struct fpm_result *r = fpm_move(&in, 1, NULL);
		assert_int_equal(fpm_status(r), FPM_DONE);
		assert_int_equal(fpm_constants(r), cases[k].vs >= 0);
		if (cases[k].vs >= 0)
			assert_int_equal(fpm_constant(r, 0).vs, cases[k].vs);
		fpm_free(r);
	}
}

/* Checks a parameter of an unknown type: it may be a block of states, which may set any constant. */
TEXT_TEST(unknown_types_may_set_constants)
{
	struct texts *t = *state;
	static const char object[8] = {5, 0, 0, 0, 4}; /* a texture's type and class */
	for (char type = 17; type < 22; type++) {
		struct text const bytes = effect_assemble(&t->arena, PROGRAMS "technique T\npass A\nvertex v\npixel p\n");
		size_t at = 0;
		while (at + sizeof object < bytes.n && memcmp(bytes.at + at, object, sizeof object) != 0)
			at += 4;
		bytes.at[at] = type;
		const struct effect *e = read_bytes_of(t, &bytes);
		assert_non_null(e);
		for (unsigned stage = 0; stage < 2; stage++)
			assert_int_equal(register_is_in(&e->sets[stage], 95), type > 18);
	}
}

/* Checks bytes with one cut off or changed: either an error names a byte, or the effect copies to itself.  A damaged .xnb may no
 * longer be recognized. */
static void judge(struct texts *t, const struct text *bytes)
{
	if (bytes->n >= 3 && memcmp(bytes->at, "\x01\x09\xff", 3) != 0 && !effect_is_compiled(arena_copy(&t->arena, bytes->at, bytes->n), bytes->n))
		return;
	struct effect *e = read_bytes_of(t, bytes);
	if (!e) {
		assert_int_equal(t->diags.errors, 1);
		assert_non_null(strstr(said(t), "byte "));
		return;
	}
	struct text *programs = arena_zero(&t->arena, (e->blocks.n + 1) * sizeof *programs), copy = {.arena = &t->arena};
	text_string(&copy, "");
	for (uint32_t k = 0; k < e->blocks.n; k++) {
		programs[k] = (struct text){.arena = &t->arena};
		if (e->blocks.at[k].source.size % 4 == 0)
			text_bytes(&programs[k], e->blocks.at[k].source.text, e->blocks.at[k].source.size);
	}
	effect_rewrite(&copy, e, programs);
	assert_int_equal(copy.n, bytes->n);
	assert_memory_equal(copy.at, bytes->at, bytes->n);
	effect_find_pairs(&t->arena, e, &t->diags);
}

static void damage_each_byte(struct texts *t, const char *description)
{
	struct text bytes;
	read_effect(t, description, &bytes);
	for (size_t n = 4; n < bytes.n; n++) {
		struct arena_mark const mark = arena_mark(&t->arena);
		struct text const cut = {.arena = &t->arena, .at = bytes.at, .n = n};
		judge(t, &cut);
		arena_release(&t->arena, mark);
	}
	static const unsigned char flips[] = {1, 2, 4, 16, 128, 255};
	for (size_t at = 4; at < bytes.n; at++) {
		for (unsigned k = 0; k < sizeof flips; k++) {
			struct arena_mark const mark = arena_mark(&t->arena);
			bytes.at[at] = (char)(bytes.at[at] ^ flips[k]);
			judge(t, &bytes);
			bytes.at[at] = (char)(bytes.at[at] ^ flips[k]);
			arena_release(&t->arena, mark);
		}
	}
}

TEXT_TEST(damage)
{
	damage_each_byte(*state, all);
}

TEXT_TEST(damage_xnb)
{
	damage_each_byte(*state, all_in_xnb);
}

/* Checks that a .xnb's sizes of file and effect grow with a longer program. */
TEXT_TEST(sizes_of_xnb)
{
	enum { MORE = 8 };
	struct texts *t = *state;
	struct text bytes, copy = {.arena = &t->arena};
	struct effect *e = read_effect(t, all_in_xnb, &bytes);
	struct text *programs = arena_zero(&t->arena, e->blocks.n * sizeof *programs);
	programs[0] = (struct text){.arena = &t->arena};
	text_bytes(&programs[0], e->blocks.at[0].source.text, e->blocks.at[0].source.size);
	text_bytes(&programs[0], "\0\0\0\0\0\0\0\0", MORE);
	assert_int_equal(e->lengths.n, 2);
	text_string(&copy, "before");
	effect_rewrite(&copy, e, programs);
	assert_int_equal(copy.n, strlen("before") + bytes.n + MORE);
	for (unsigned k = 0; k < 2; k++) {
		uint32_t before, after;
		memcpy(&before, bytes.at + e->lengths.at[k], sizeof before);
		memcpy(&after, copy.at + strlen("before") + e->lengths.at[k], sizeof after);
		assert_int_equal(after, before + MORE);
	}
	struct text const last = {.at = copy.at + copy.n - 4, .n = 4};
	assert_memory_equal(last.at, "kept", last.n);
}

/* Checks counts larger than the file, and places beyond its end. */
TEXT_TEST(lies)
{
	struct texts *t = *state;
	struct text bytes;
	read_effect(t, all, &bytes);
	for (size_t at = 4; at + 4 <= bytes.n; at += 4) {
		static const char *const numbers[] = {"\xff\xff\xff\xff", "\0\0\0\x80", "\xff\xff\xff\x7f", "\0\0\0\0"};
		for (unsigned k = 0; k < sizeof numbers / sizeof *numbers; k++) {
			struct arena_mark const mark = arena_mark(&t->arena);
			char before[4];
			memcpy(before, &bytes.at[at], 4);
			memcpy(&bytes.at[at], numbers[k], 4);
			judge(t, &bytes);
			memcpy(&bytes.at[at], before, 4);
			arena_release(&t->arena, mark);
		}
	}
}
