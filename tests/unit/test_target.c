/* Cost profiles: the work that they count, and that a plan never costs more than the given pair. */
#include "pairs.h"

#include "move/passes.h"
#include "move/target/r300.h"

#include <stdio.h>
#include <string.h>

#define VERTEX "vs_1_1\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nmov oT0.xy, v1\n"
#define FOUR_TAPS                                                                                  \
	"ps_2_0\ndef c0, 0.01, 0, 0, 0\ndef c1, 0, 0.01, 0, 0\ndcl t0.xy\ndcl_2d s0\n"             \
	"add r0.xy, t0, c0\nadd r1.xy, t0, -c0\nadd r2.xy, t0, c1\nadd r3.xy, t0, -c1\n"           \
	"texld r0, r0, s0\ntexld r1, r1, s0\ntexld r2, r2, s0\ntexld r3, r3, s0\n"                 \
	"add r0, r0, r1\nadd r0, r0, r2\nadd r0, r0, r3\nmov oC0, r0\n"

static uint64_t units(enum target_id id, const struct program *vs, const struct program *ps, unsigned pixels)
{
	return target_pair(&targets[id], vs, ps, pixels) / TARGET_UNIT;
}

ARENA_TEST(slots_counts_pixel_slots_alone)
{
	struct program *vs = parse_one(*state, VERTEX), *ps = parse_one(*state, FOUR_TAPS);
	assert_int_equal(units(TARGET_SLOTS, vs, ps, 1), 12);
	assert_int_equal(program_total_slots(ps), 12);
}

/* Checks four sums of coordinates, four reads in a block behind them, and three sums of texels. */
ARENA_TEST(r300_counts_finished_programs_by_pairs)
{
	struct program *vs = parse_one(*state, VERTEX), *ps = parse_one(*state, FOUR_TAPS);
	const struct target *t = &targets[TARGET_R300];
	struct r300_count const n = r300_count(ps);
	assert_int_equal(n.tex, 4);
	assert_int_equal(target_written_pixel(t, ps) / target_unit(t), n.pairs + n.tex);
	assert_int_equal(target_written(t, vs, ps, 1000000000) / target_unit(t), n.pairs + n.tex);
	assert_int_not_equal(target_pair(t, vs, ps, 1000000000) / target_unit(t), 0);
}

/* Checks, in hundredths of an instruction: 8 slots of arithmetic with 4 * 2 + 3 * 4 lanes, and 4 reads, some of them dependent. */
ARENA_TEST(r300_charges_for_lanes_and_dependent_reads)
{
	struct program *vs = parse_one(*state, VERTEX), *ps = parse_one(*state, FOUR_TAPS);
	assert_int_equal(program_dependent_reads(ps), 1);
	assert_int_equal(units(TARGET_R300, vs, ps, 1000000), 8 * 50 + 20 * 10 + 4 * 100 + 10);
	assert_int_equal(units(TARGET_R300, vs, ps, 1), 8 * 50 + 20 * 10 + 4 * 100 + 10 + 2 * 50);
}

/* Checks that a name stands for one target or several, and that a joint profile averages their costs relative to the given pair. */
ARENA_TEST(names_stand_for_targets)
{
	struct program *vs = parse_one(*state, VERTEX), *ps = parse_one(*state, FOUR_TAPS);
	assert_int_equal(targets_named("r420", 4), 1u << TARGET_R300);
	assert_int_equal(targets_named("r420", 3), 0);
	assert_int_equal(targets_named("", 0), 0);
	uint32_t const mobile = targets_named("mobile", 6);
	assert_int_equal(mobile, 1u << TARGET_ADRENO3 | 1u << TARGET_ADRENO6 | 1u << TARGET_MALI_MIDGARD | 1u << TARGET_MALI_BIFROST);
	for (unsigned k = 0; k < TARGETS; k++)
		assert_int_equal(targets_named(targets[k].name, strlen(targets[k].name)), 1u << k);
	uint64_t given[TARGETS];
	for (unsigned k = 0; k < TARGETS; k++)
		given[k] = target_pair(&targets[k], vs, ps, 4096);
	uint32_t const charging = mobile & ~(1u << TARGET_MALI_BIFROST); /* all of these charge for interpolated scalars */
	struct target const joint = target_joint(charging, given);
	struct program *half = parse_one(*state, "ps_2_0\ndcl t0.xy\ndcl_2d s0\ntexld r0, t0, s0\nmov oC0, r0\n");
	double shares = 0;
	for (unsigned k = 0; k < TARGETS; k++)
		shares += charging >> k & 1 ? (double)target_pair(&targets[k], vs, half, 4096) / (double)given[k] : 0;
	double const counted = (double)target_pair(&joint, vs, half, 4096) / (double)target_pair(&joint, vs, ps, 4096);
	assert_true(counted > 0.999 * shares / 3 && counted < 1.001 * shares / 3);
}

/* Checks that an instruction on four lanes that depends on the one before it takes an ALU group of its own. */
ARENA_TEST(dependent_instructions_take_groups)
{
	enum { MORE = 16 };
	static enum target_id const chips[] = {TARGET_TERASCALE, TARGET_EVERGREEN};
	char text[1024] = "ps_2_0\ndcl t0\ndcl_2d s0\ntexld r0, t0, s0\n";
	struct program *one = parse_one(*state, "ps_2_0\ndcl t0\ndcl_2d s0\ntexld r0, t0, s0\nmov oC0, r0\n");
	for (unsigned k = 0; k < MORE; k++)
		strcat(text, "mad r0, r0, r0, c0\n");
	struct program *chain = parse_one(*state, strcat(text, "mov oC0, r0\n"));
	for (unsigned k = 0; k < sizeof chips / sizeof *chips; k++) {
		const struct target *t = &targets[chips[k]];
		uint64_t const groups = (target_written_pixel(t, chain) - target_written_pixel(t, one)) / target_unit(t);
		assert_in_range(groups, MORE / 2, MORE + MORE / 4);
	}
}

/* Checks the unit counts: 4 adds of 2 scalars, 3 of 4, the output, 2 interpolated: 42; 4 reads: 128; 2 interpolated and 1/w: 24.  The
 * longest part (the reads) counts in full, the others for a 32nd. */
ARENA_TEST(h200_counts_what_takes_longest)
{
	struct program *vs = parse_one(*state, VERTEX), *ps = parse_one(*state, FOUR_TAPS);
	uint64_t time = target_pair(&targets[TARGET_H200], vs, ps, 100000000);
	assert_int_equal(time, 128 * TARGET_UNIT + (42 + 24) * TARGET_UNIT / 32);
}

/* Checks that writing the colours hides a short program, except for a 64th of it. */
ARENA_TEST(writing_colours_hides_work)
{
	struct program *vs = parse_one(*state, VERTEX);
	struct program *ps = parse_one(*state, "ps_2_0\ndcl t0.xy\ndcl v0\nadd r0, t0.x, v0\nmov oC0, r0\n");
	uint64_t time = 6 * 8 * TARGET_UNIT + (4 + 20 + 5) * TARGET_UNIT / 32; /* t0.x, v0 and 1/w interpolated */
	assert_int_equal(target_pair(&targets[TARGET_H200], vs, ps, 100000000), 72 * TARGET_UNIT - (72 * TARGET_UNIT - time) / 64);
	struct program *two = parse_one(*state, "ps_2_0\ndcl t0.xy\ndcl v0\nadd r0, t0.x, v0\nmov oC0, r0\nmov oC1, r0\n");
	uint64_t longer = (4 + 40 + 5) * TARGET_UNIT + 6 * 8 * TARGET_UNIT / 32;
	assert_int_equal(target_pair(&targets[TARGET_H200], vs, two, 100000000), 144 * TARGET_UNIT - (144 * TARGET_UNIT - longer) / 64);
	struct target bare = targets[TARGET_H200];
	bare.pixel = 0;
	assert_int_equal(target_pair(&bare, vs, ps, 100000000), time);
	bare.overlap = 1;
	assert_int_equal(target_pair(&bare, vs, ps, 100000000), (6 * 8 + 4 + 20 + 5) * TARGET_UNIT);
	bare.overlap = 0;
	assert_int_equal(target_pair(&bare, vs, ps, 100000000), (6 * 8 + 4 + 20 + 5) * TARGET_UNIT);
}

/* Checks that a program with dropped pixels is not hidden.  On an H200 alpha_test takes 0.0587 ns a pixel where one that is drawn
 * whole takes 0.0712, and 1.39 times that at -O2. */
ARENA_TEST(dropped_pixels_hide_nothing)
{
	struct program *vs = parse_one(*state, VERTEX);
	struct program *ps = parse_one(*state, "ps_2_0\ndcl t0.xy\ndcl v0\ntexkill t0\nadd r0, t0.x, v0\nmov oC0, r0\n");
	uint64_t time = 9 * 8 * TARGET_UNIT + (4 + 20 + 8) * TARGET_UNIT / 32; /* t0, v0 and 1/w interpolated */
	assert_int_equal(units(TARGET_SLOTS, vs, ps, 1), 3);
	assert_int_equal(target_pair(&targets[TARGET_H200], vs, ps, 100000000), time);
}

ARENA_TEST(special_functions_are_a_part_of_their_own)
{
	static const struct {
		const char *text;
		unsigned arith, special;
	} cases[] = {
		{"rcp r0.x, t0.x", 0, 1}, {"pow r0.x, t0.x, t0.y", 1, 2}, {"frc r0.xyz, t0", 3, 3}, {"sincos r0.xy, t0.x, c0, c1", 0, 2},
		{"nrm r0.xyz, t0", 6, 1}, {"texldp r0, t0, s0", 2, 1}, {"texld r0, t0, s0", 0, 0}, {"dp3 r0.x, t0, t0", 3, 0},
		{"m4x3 r0.xyz, t0, c0", 12, 0}, {"max r0, t0, c0", 8, 0}, {"lrp r0.xy, t0, t0, c0", 4, 0}, {"crs r0.xyz, t0, t1", 6, 0},
		{"dp2add r0.x, t0, t0, t0.x", 2, 0}, {"mad r0, t0, t0, t0", 4, 0}, {"mov oC0, r0", 20, 0}, {"mov oDepth, r0.x", 0, 0},
		{"dp4 r0.x, t0, t0", 4, 0}, {"cmp r0.x, t0, t0, t0", 2, 0}, {"texkill t0", 0, 0}, {"nop", 0, 0},
	};
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		char text[128];
		snprintf(text, sizeof text, "ps_2_0\ndcl_2d s0\n%s\n", cases[k].text);
		struct program *ps = parse_one(*state, text);
		struct work w = target_instr(&targets[TARGET_H200], &ps->instrs.at[0], PS_2_0, instr_writes(&ps->instrs.at[0]));
		assert_int_equal(w.arith, cases[k].arith * TARGET_UNIT);
		assert_int_equal(w.special, cases[k].special * 8 * TARGET_UNIT);
		assert_int_equal(w.tex, strncmp(cases[k].text, "texld", 5) == 0 ? 32 * TARGET_UNIT : 0);
	}
}

/* Checks the cost of a vertex: two VP slots and one interpolator. */
ARENA_TEST(the_vertex_counts_where_there_are_few_pixels)
{
	struct program *vs = parse_one(*state, VERTEX), *ps = parse_one(*state, FOUR_TAPS);
	const struct target *t = &targets[TARGET_H200];
	uint64_t far = target_pair(t, vs, ps, 100000000);
	assert_int_equal(target_pair(t, vs, ps, 4) - far, (2 + 1900) * TARGET_UNIT / 4);
}

ARENA_TEST(more_work_is_never_less_time)
{
	struct target t = {.overlap = 7};
	for (unsigned k = 0; k < 4 * 80 * 80; k++) {
		uint64_t a = k / 4 % 80 * 997, b = k / 320 * 1003;
		struct work w = {.arith = a, .special = b, .tex = 40000, .varying = a / 2, .pixel = 50000};
		uint64_t before = target_time(&t, &w);
		*(uint64_t *[]){&w.arith, &w.special, &w.tex, &w.varying}[k % 4] += 1 + k % 100;
		assert_true(target_time(&t, &w) >= before);
	}
}

/* Checks that six or eight interpolated scalars cost more there than the eight scalar operations they save, while they save slots. */
ARENA_TEST(a_plan_is_never_dearer_by_its_own_model)
{
	struct program *vs = parse_one(*state, VERTEX), *ps = parse_one(*state, FOUR_TAPS);
	struct move_options o = move_options_default(vs->model, ps->model);
	struct move_result *r = move_plan(*state, vs, ps, &o);
	assert_int_equal(program_total_slots(r->ps), 8);
	o.target = targets[TARGET_H200];
	r = move_plan(*state, vs, ps, &o);
	assert_int_equal(r->moved, 0);
	assert_int_equal(program_total_slots(r->ps), 12);
	assert_int_equal(r->fates[0].verdict, MOVE_COST);
	o.target = targets[TARGET_R300];
	r = move_plan(*state, vs, ps, &o);
	assert_int_equal(program_dependent_reads(r->ps), 0);
}

/* Checks that an _abs takes no slot, but the abs that tidying makes of it and of a mov to another destination does, before and after
 * it is written. */
ARENA_TEST(an_abs_that_saturates_or_writes_a_colour_is_counted)
{
	static const char *const text[] = {"ps_3_0\nmov oC0, c6_abs\n", "ps_3_0\nmov_sat r6, c7_abs\nmul oC0, r6, c1\n"};
	for (unsigned k = 0; k < sizeof text / sizeof *text; k++) {
		struct program *ps = parse_one(*state, text[k]);
		uint32_t const instrs = ps->instrs.n;
		tidy_program(*state, ps, NULL, NULL);
		tidy_outputs(*state, ps, &targets[TARGET_SLOTS]);
		assert_int_equal(ps->instrs.n, instrs - 1);
		const struct program *written = parse_one(*state, text_of(*state, ps));
		assert_int_equal(program_total_slots(ps), k + 1);
		assert_int_equal(program_total_slots(written), k + 1);
		for (unsigned t = 0; t < TARGETS; t++)
			assert_int_equal(target_written_pixel(&targets[t], ps), target_written_pixel(&targets[t], written));
	}
}

/* Checks that a scalar is copied to all lanes only where that pays: there a special function in each lane takes longer than one for
 * all, but saves the mov. */
ARENA_TEST(a_scalar_is_spread_in_an_output_only_where_that_pays)
{
	static const struct { enum target_id target; uint32_t instrs; } cases[] = {{TARGET_SLOTS, 1}, {TARGET_H200, 2}};
	for (unsigned k = 0; k < 2; k++) {
		struct program *ps = parse_one(*state, "ps_3_0\nfrc r0.w, c20\nmov oC0.yzw, r0.w\n");
		tidy_outputs(*state, ps, &targets[cases[k].target]);
		assert_int_equal(ps->instrs.n, cases[k].instrs);
	}
}

/* Checks that a texel written beside other lanes makes no dependent read, as in a register of its own. */
ARENA_TEST(rows_of_reads_are_counted_by_values)
{
	static const struct { const char *text; unsigned by_rule, by_value; } rows[] = {
		{"dcl t0.xy\ndcl t1\ndcl_2d s0\ntexld r0, t0, s0\nmov r1, t1\ntexld r1, t0, s0\nadd r0, r0, r1\nmov oC0, r0\n", 1, 0},
		{"dcl t0.xy\ndcl t1\ndcl_2d s0\ntexld r0, t0, s0\nadd r0, r0, t1\ntexld r0, t0, s0\nmov oC0, r0\n", 1, 0},
		{"dcl t0.xy\ndcl_2d s0\nadd r0.xy, t0, c0\ntexld r0, r0, s0\nmov oC0, r0\n", 1, 1},
		{"dcl t0.xy\ndcl_2d s0\ntexld r0, t0, s0\ntexld r1, r0, s0\nmov r2, r1\ntexld r2, r2, s0\nmov oC0, r2\n", 2, 2},
		{"dcl t0.xy\ndcl_2d s0\ntexld r0, t0, s0\ntexld r0, r0, s0\nmov r0.xy, t0\ntexld r1, r0, s0\nmov oC0, r1\n", 1, 1},
	};
	for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++) {
		struct program *ps = parse_one(*state, arena_printf(*state, "ps_2_0\n%s", rows[k].text));
		assert_int_equal(program_dependent_reads(ps), rows[k].by_rule);
		assert_int_equal(program_reads_in_a_row(ps), rows[k].by_value);
	}
}

/* Checks that moving a long chain by few interpolators pays on every target. */
ARENA_TEST(long_chains_pay)
{
	struct program *vs = parse_one(*state, VERTEX);
	struct program *ps = parse_one(*state,
		"ps_2_0\ndcl t0.xy\ndcl_2d s0\n"
		"mad r0.xy, t0, c0, c0.wzyx\nmad r0.xy, r0, c1, c1.wzyx\nmad r0.xy, r0, c2, c2.wzyx\n"
		"mad r0.xy, r0, c3, c3.wzyx\nmad r0.xy, r0, c4, c4.wzyx\nmad r0.xy, r0, c5, c5.wzyx\n"
		"texld r0, r0, s0\nmov oC0, r0\n");
	struct move_options o = move_options_default(vs->model, ps->model);
	for (unsigned t = 0; t < TARGETS; t++) {
		o.target = targets[t];
		struct move_result *r = move_plan(*state, vs, ps, &o);
		assert_int_equal(r->moved, 6);
		assert_int_equal(program_total_slots(r->ps), 2);
	}
}
