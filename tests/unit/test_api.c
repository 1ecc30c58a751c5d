/* The library's API, and the pipeline when memory runs out at any point. */
#include "texts.h"

#include "fpmove.h"
#include "pipeline.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static const char vs[] = "vs_1_1\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nmov oT0.xy, v1\n";
static const char ps[] = "ps_2_0\ndcl t0.xy\ndcl_2d s0\nadd r0.xy, t0, c5\ntexld r0, r0, s0\nmov oC0, r0\n";

static struct fpm_result *move_texts(const char *a, const char *b, int level)
{
	struct fpm_text texts[2] = {{"a.vsh", a, strlen(a)}, {"b.psh", b, strlen(b)}};
	struct fpm_options o;
	fpm_options_init(&o);
	o.level = level;
	return fpm_move(texts, 2, &o);
}

TEST(two_texts_become_two_others)
{
	for (int swapped = 0; swapped < 2; swapped++) {
		struct fpm_result *r = swapped ? move_texts(ps, vs, 1) : move_texts(vs, ps, 1);
		assert_int_equal(fpm_status(r), FPM_DONE);
		assert_int_equal(fpm_diagnostics(r), 0);
		assert_int_equal(fpm_slots(r, FPM_PIXEL, FPM_BEFORE), 3);
		assert_int_equal(fpm_slots(r, FPM_PIXEL, FPM_AFTER), 2);
		assert_int_equal(fpm_slots(r, FPM_VERTEX, FPM_BEFORE), 2);
		assert_int_equal(fpm_moved(r), 1);
		assert_int_equal(fpm_constants(r), 1);
		assert_int_equal(fpm_constant(r, 0).ps, 5);
		assert_null(fpm_constant_name(r, 0));
		assert_non_null(strstr(fpm_output(r, FPM_VERTEX), "vs_1_1\n"));
		assert_non_null(strstr(fpm_output(r, FPM_PIXEL), "texld r0, t1, s0\n"));
		fpm_free(r);
	}
}

TEST(constants_have_their_names)
{
	const char *named = "// Registers:\n//   Name Reg Size\n//   ---- --- ----\n//   g_shift c4 2\n"
	                    "ps_2_0\ndcl t0.xy\ndcl_2d s0\nadd r0.xy, t0, c5\ntexld r0, r0, s0\nmov oC0, r0\n";
	struct fpm_result *r = move_texts(vs, named, 2);
	assert_int_equal(fpm_constants(r), 1);
	assert_string_equal(fpm_constant_name(r, 0), "g_shift[1]");
	assert_null(fpm_constant_name(r, 1));
	fpm_free(r);
}

TEST(bytecode_comes_out_and_goes_in)
{
	struct fpm_text texts[2] = {{"a", vs, strlen(vs)}, {"b", ps, strlen(ps)}};
	struct fpm_options o;
	fpm_options_init(&o);
	struct fpm_result *text = fpm_move(texts, 2, &o);
	o.level = 0;
	o.emit = FPM_BYTECODE;
	struct fpm_result *whole = fpm_move(texts, 2, &o);
	assert_int_equal(fpm_status(whole), FPM_DONE);
	for (unsigned k = 0; k < 2; k++)
		texts[k] = (struct fpm_text){"in", fpm_output(whole, (enum fpm_stage)k), fpm_output_size(whole, (enum fpm_stage)k)};
	o.level = 2;
	o.emit = FPM_ASM;
	struct fpm_result *moved = fpm_move(texts, 2, &o);
	assert_int_equal(fpm_status(moved), FPM_DONE);
	assert_int_equal(texts[0].size % 4, 0);
	assert_int_equal(fpm_output_size(moved, FPM_PIXEL), strlen(fpm_output(moved, FPM_PIXEL)));
	assert_string_equal(fpm_output(moved, FPM_PIXEL), fpm_output(text, FPM_PIXEL));
	assert_string_equal(fpm_output(moved, FPM_VERTEX), fpm_output(text, FPM_VERTEX));
	assert_false(fpm_constant_by_name(moved, 0)); /* nothing names it */
	fpm_free(text);
	fpm_free(whole);
	fpm_free(moved);
}

TEST(options_are_heeded)
{
	struct fpm_text texts[2] = {{"a", vs, strlen(vs)}, {"b", ps, strlen(ps)}};
	struct fpm_options o;
	fpm_options_init(&o);
	o.level = 1;
	o.vs_const_first = 40;
	o.vs_const_last = 50;
	struct fpm_result *r = fpm_move(texts, 2, &o);
	assert_int_equal(fpm_constant(r, 0).vs, 50);
	fpm_free(r);
	o.max_moves = 0;
	r = fpm_move(texts, 2, &o);
	assert_int_equal(fpm_moved(r), 0);
	assert_int_equal(fpm_status(r), FPM_DONE);
	fpm_free(r);
	fpm_options_init(&o);
	o.level = 1;
	o.drop_in = true;
	r = fpm_move(texts, 2, &o);
	assert_int_equal(fpm_constants(r), 0);
	assert_int_equal(fpm_moved(r), 0);
	fpm_free(r);
}

/* Checks the freedoms of the paper: a number on which the FP decides comes through an interpolator, by a mov of its own. */
TEST(options_are_those_of_the_paper)
{
	const char *kills = "ps_2_0\ndcl t0.xy\ndcl_2d s0\ntexld r0, t0, s0\nrcp r1.x, c3.x\nadd r0, r0, -r1.x\ntexkill r0\nmov oC0, r0\n";
	struct fpm_text texts[2] = {{"a", vs, strlen(vs)}, {"b", kills, strlen(kills)}};
	struct fpm_options o;
	fpm_options_init(&o);
	o.level = 1;
	struct fpm_result *r = fpm_move(texts, 2, &o);
	assert_int_equal(fpm_moved(r), 0);
	fpm_free(r);
	o.as_published = true;
	r = fpm_move(texts, 2, &o);
	assert_int_equal(fpm_moved(r), 1);
	assert_non_null(strstr(fpm_output(r, FPM_VERTEX), "mov oT1.x, r1.x\n"));
	fpm_free(r);
}

/* Checks that one end of a range leaves the other end to the model. */
TEST(one_end_of_a_range)
{
	struct fpm_text texts[2] = {{"a", vs, strlen(vs)}, {"b", ps, strlen(ps)}};
	struct fpm_options o;
	fpm_options_init(&o);
	o.vs_const_last = 20;
	struct fpm_result *r = fpm_move(texts, 2, &o);
	assert_int_equal(fpm_constant(r, 0).vs, 20);
	fpm_free(r);
	o.vs_const_first = 96;
	o.vs_const_last = -1;
	r = fpm_move(texts, 2, &o);
	assert_int_equal(fpm_constants(r), 0);
	fpm_free(r);
}

TEST(preshader_names_are_no_words)
{
	struct fpm_text texts[2] = {{"a", vs, strlen(vs)}, {"b", ps, strlen(ps)}};
	static const char *const names[] = {"int", "p_int", "class", "p_class", "sin", "p_sin", "blur", "blur", "and", "p_and"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i += 2) {
		struct fpm_options o;
		fpm_options_init(&o);
		o.preshader = names[i];
		struct fpm_result *r = fpm_move(texts, 2, &o);
		char wanted[40];
		snprintf(wanted, sizeof wanted, "void %s(", names[i + 1]);
		assert_non_null(strstr(fpm_preshader(r), wanted));
		fpm_free(r);
	}
}

/* Checks that numbers above a model's limits mean the limits. */
TEST(numbers_beyond_the_models)
{
	struct fpm_text texts[2] = {{"a", vs, strlen(vs)}, {"b", ps, strlen(ps)}};
	static const int beyond[] = {13, 33, 257, 40000, INT_MAX};
	for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
		for (int level = 1; level <= 3; level++) {
			struct fpm_options o;
			fpm_options_init(&o);
			o.level = level;
			struct fpm_result *plain = fpm_move(texts, 2, &o), *r;
			o.max_moves = o.vs_slots = o.vs_temps = o.texcoords = o.ps_arith = o.ps_tex = beyond[i];
			o.vs_const_first = o.ps_const_first = 0;
			o.vs_const_last = o.ps_const_last = beyond[i] < 96 ? 95 : beyond[i];
			r = fpm_move(texts, 2, &o);
			assert_int_equal(fpm_status(r), FPM_DONE);
			assert_string_equal(fpm_output(r, FPM_VERTEX), fpm_output(plain, FPM_VERTEX));
			assert_string_equal(fpm_output(r, FPM_PIXEL), fpm_output(plain, FPM_PIXEL));
			fpm_free(plain);
			fpm_free(r);
		}
	}
}

TEST(the_application_computes_constants)
{
	static const char of_constants[] = "ps_2_0\ndcl t0.xy\ndcl_2d s0\nrcp r1.x, c5.x\nadd r0.xy, t0, r1.x\ntexld r0, r0, s0\n"
	                                   "mul r0, r0, r1.x\nmov oC0, r0\n";
	struct fpm_text texts[2] = {{"a", vs, strlen(vs)}, {"b", of_constants, strlen(of_constants)}};
	struct fpm_options o;
	fpm_options_init(&o);
	struct fpm_result *r = fpm_move(texts, 2, &o);
	assert_null(fpm_preshader(r));
	assert_int_equal(fpm_presets(r), 0);
	fpm_free(r);
	o.preshader = "set up";
	o.ps_const_first = o.ps_const_last = 9;
	o.vs_const_first = o.vs_const_last = 70;
	r = fpm_move(texts, 2, &o);
	assert_int_equal(fpm_status(r), FPM_DONE);
	assert_int_equal(fpm_slots(r, FPM_PIXEL, FPM_AFTER), 3);
	assert_non_null(strstr(fpm_preshader(r), "void set_up(float ps[][4], float vs[][4])"));
	assert_non_null(strstr(fpm_preshader(r), "1.0 / (double)ps[5][0]"));
	assert_int_equal(fpm_constants(r), 0);
	assert_int_equal(fpm_presets(r), 2);
	bool seen[2] = {false};
	for (size_t k = 0; k < 2; k++) {
		struct fpm_preset p = fpm_preset(r, k);
		seen[p.stage] = true;
		assert_int_equal(p.constant, p.stage == FPM_VERTEX ? 70 : 9);
		assert_int_equal(p.lanes, 1);
	}
	assert_true(seen[0] && seen[1]);
	fpm_free(r);
	/* A pair that needs no new constant needs no function. */
	o.drop_in = true;
	r = fpm_move(texts, 2, &o);
	assert_int_equal(fpm_status(r), FPM_DONE);
	assert_null(fpm_preshader(r));
	fpm_free(r);
}

TEST(positions_are_free_on_request)
{
	static const char own[] = "vs_1_1\ndcl_position v0\ndcl_texcoord v1\nmul r0, v0, c0\nadd oPos, r0, v0\nmov oT0.xy, v1\n";
	static const char reads[] = "ps_2_0\ndcl t0.xy\ndcl_2d s0\nadd r0.xy, t0, c0\ntexld r0, r0, s0\nmov oC0, r0\n";
	const struct fpm_text texts[2] = {{"vs", own, sizeof own - 1}, {"ps", reads, sizeof reads - 1}};
	for (unsigned freely = 0; freely < 2; freely++) {
		struct fpm_options o;
		fpm_options_init(&o);
		o.free_position = freely;
		struct fpm_result *r = fpm_move(texts, 2, &o);
		assert_int_equal(fpm_status(r), FPM_DONE);
		assert_non_null(strstr(fpm_output(r, FPM_VERTEX), freely ? "mad oPos, v0, c0, v0\n" : "mul r0, v0, c0\nadd oPos, r0, v0\n"));
		fpm_free(r);
	}
}

TEST(depths_stay_unless_textures_are_plain)
{
	static const char through[] = "vs_1_1\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nmov oT0, v1\n";
	static const char shadow[] = "ps_2_0\ndcl t0\ndcl_2d s2\ndef c0, 0, 0, -0.0005, 0\nadd r0, t0, c0\ntexldp r0, r0, s2\n"
	                             "mov oC0, r0\n";
	struct fpm_text texts[2] = {{"a", through, strlen(through)}, {"b", shadow, strlen(shadow)}};
	struct fpm_options o;
	fpm_options_init(&o);
	for (unsigned plain = 0; plain < 8; plain++) {
		o.plain_textures = plain;
		struct fpm_result *r = fpm_move(texts, 2, &o);
		assert_int_equal(fpm_status(r), FPM_DONE);
		assert_int_equal(strstr(fpm_output(r, FPM_VERTEX), "-0.0005") != NULL, !(plain & 4));
		fpm_free(r);
	}
}

TEST(mistakes_come_with_their_place)
{
	struct fpm_result *r = move_texts(vs, "ps_2_0\ndcl t0.xy\n  frob r0, t0\n", 2);
	assert_int_equal(fpm_status(r), FPM_REJECTED);
	assert_null(fpm_output(r, FPM_VERTEX));
	assert_null(fpm_output(r, FPM_PIXEL));
	assert_int_equal(fpm_moved(r), 0);
	assert_true(fpm_diagnostics(r) >= 1);
	struct fpm_diagnostic d = fpm_diagnostic(r, 0);
	assert_int_equal(d.severity, FPM_ERROR);
	assert_string_equal(d.file, "b.psh");
	assert_int_equal(d.line, 3);
	assert_int_equal(d.column, 3);
	assert_non_null(strstr(d.text, "frob"));
	fpm_free(r);
}

TEST(what_is_no_pair_is_rejected)
{
	const char *const pairs[][2] = {{vs, vs}, {ps, ps}, {"", ps}, {vs, ""}, {"", ""}, {vs, "ps_3_0\n"}};
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		struct fpm_result *r = move_texts(pairs[i][0], pairs[i][1], 2);
		assert_int_equal(fpm_status(r), FPM_REJECTED);
		assert_true(fpm_diagnostics(r) > 0);
		fpm_free(r);
	}
	struct fpm_options o;
	fpm_options_init(&o);
	struct fpm_result *r = fpm_move(NULL, 0, &o);
	assert_int_equal(fpm_status(r), FPM_REJECTED);
	fpm_free(r);
}

TEST(one_text_may_hold_both)
{
	char both[1000];
	snprintf(both, sizeof both, "%s%s", ps, vs);
	struct fpm_text text = {"both", both, strlen(both)};
	struct fpm_options o;
	fpm_options_init(&o);
	struct fpm_result *r = fpm_move(&text, 1, &o);
	assert_int_equal(fpm_status(r), FPM_DONE);
	memset(both, 'x', sizeof both); /* the result holds copies */
	assert_non_null(strstr(fpm_output(r, FPM_PIXEL), "ps_2_0\n"));
	fpm_free(r);
}

TEST(no_options_and_no_texts)
{
	struct fpm_text none[2] = {{NULL, NULL, 7}, {NULL, NULL, 0}};
	struct fpm_result *r = fpm_move(none, 2, NULL);
	assert_int_equal(fpm_status(r), FPM_REJECTED);
	assert_int_equal(fpm_diagnostics(r), 2);
	assert_int_equal(fpm_diagnostic(r, 2).line, 0);
	fpm_free(r);
	r = fpm_move(NULL, 0, NULL);
	assert_int_equal(fpm_status(r), FPM_REJECTED);
	assert_int_equal(fpm_constant(r, 0).ps, 0);
	fpm_free(r);
}

TEST(hints_say_what_binds)
{
	struct fpm_text texts[2] = {{"a", vs, strlen(vs)}, {"b", ps, strlen(ps)}};
	struct fpm_options o;
	fpm_options_init(&o);
	struct fpm_result *r = fpm_move(texts, 2, &o);
	unsigned const best = fpm_slots(r, FPM_PIXEL, FPM_AFTER);
	assert_int_equal(fpm_hints(r), 0);
	assert_string_equal(fpm_hint(r, 0).text, "");
	fpm_free(r);
	o.drop_in = true;
	r = fpm_move(texts, 2, &o);
	assert_int_equal(fpm_hints(r), 1);
	assert_string_equal(fpm_hint(r, 0).without, "--drop-in");
	assert_null(fpm_hint(r, 0).with);
	assert_int_equal(fpm_slots(r, FPM_PIXEL, FPM_AFTER) - fpm_hint(r, 0).ps_slots, best);
	assert_non_null(strstr(fpm_hint(r, 0).text, "leaving out --drop-in would save 1 FP slot"));
	assert_int_equal(fpm_hints(r), 1);
	assert_int_equal(fpm_hints(NULL), 0);
	fpm_free(r);
}

TEST(no_result_is_no_memory)
{
	assert_int_equal(fpm_status(NULL), FPM_NO_MEMORY);
	assert_null(fpm_output(NULL, FPM_PIXEL));
	assert_int_equal(fpm_slots(NULL, FPM_PIXEL, FPM_AFTER), 0);
	assert_int_equal(fpm_constants(NULL), 0);
	assert_null(fpm_preshader(NULL));
	assert_int_equal(fpm_presets(NULL), 0);
	assert_int_equal(fpm_diagnostics(NULL), 0);
	assert_int_equal(fpm_constant(NULL, 0).vs, 0);
	assert_null(fpm_constant_name(NULL, 0));
	assert_int_equal(fpm_preset(NULL, 0).lanes, 0);
	assert_string_equal(fpm_diagnostic(NULL, 0).text, "");
	fpm_free(NULL);
	assert_string_equal(fpm_version(), FPMOVE_VERSION);
}
