/* The fit of a cost profile's weights: from noisy times of a known profile it finds that profile again. */
#include "pairs.h"

#include "gpu/rates.h"
#include "gpu/weights.h"

#include <math.h>

struct timings {
	struct timed_program *at;
	uint32_t n;
};

static double random_between(uint64_t *state, double low, double high)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return low + (high - low) * (double)(*state >> 40) / 16777216;
}

static double true_ns(const struct target *t, const struct timed_program *s, double unit, double corner)
{
	struct target each = *t, plain = *t;
	each.vertex = (uint32_t)(t->vertex * s->runs);
	plain.pixel = 70;
	double const pixel = (double)target_pair(s->plain ? &plain : t, s->vs, s->ps, UINT_MAX), vertex = (double)target_vertex(&each, s->vs, s->ps);
	return unit * (pixel + (vertex + corner * (double)TARGET_UNIT) / s->pixels_per_vertex) / (double)TARGET_UNIT;
}

/* Makes times of the programs for the fit under the profile: a unit is 3 ps, and each time is off by up to a share `noise`.  With
 * `plain`, programs not made for colours draw to a target whose pixel takes 70 units. */
static struct timings time_rates(struct arena *a, const struct target *t, bool plain, double noise)
{
	struct rate *rate;
	uint32_t const n = rates_make(a, &rate);
	struct timings made = {arena_zero(a, n * sizeof *made.at), n};
	uint64_t seed = 11; /* with this seed a search that changes one weight at a time ends beside the optimum */
	for (uint32_t k = 0; k < n; k++) {
		double const cell = rate[k].cell ? rate[k].cell : 2048;
		struct timed_program *s = &made.at[k];
		*s = (struct timed_program){parse_one(a, rate[k].vp), parse_one(a, rate[k].fp), cell * cell, 6, rate[k].cell != 0, plain && !rate[k].colours, 0};
		s->ns = true_ns(t, s, 0.003, 2500) * random_between(&seed, 1 - noise, 1 + noise);
	}
	return made;
}

static struct weights fit_to(struct arena *a, struct timings t)
{
	struct weights w;
	const char *wrong = weights_fit(a, t.at, t.n, &w);
	if (wrong)
		print_error("%s\n", wrong);
	assert_null(wrong);
	return w;
}

static void assert_near(const struct weights *w, enum weight k, double units, double part)
{
	double const found = w->value[k] / (k == WEIGHT_OVERLAP ? 1 : 0.003);
	if (!(fabs(found - units) <= part * units) || (units > 0 && !w->told[k]))
		fail_msg("%s is %g, and %g was found", weight_names[k], units, found);
}

/* Checks all of the profile's weights; rounded to whole numbers they keep their ratios. */
static void assert_found(const struct weights *w, const struct target *t, double part)
{
	assert_near(w, WEIGHT_INSTR, t->instr, part);
	assert_near(w, WEIGHT_LANE, t->lane, part);
	assert_near(w, WEIGHT_SPECIAL, t->special, part);
	assert_near(w, WEIGHT_TEX, t->tex, part);
	assert_near(w, WEIGHT_ORDER, t->order, part);
	assert_near(w, WEIGHT_VARYING, t->varying, part);
	assert_near(w, WEIGHT_PIXEL, t->pixel, part);
	assert_near(w, WEIGHT_VERTEX, t->vertex, part);
	assert_near(w, WEIGHT_INTERPOLATOR, t->interpolator, part);
	double const unit = (double)w->target.lane / t->lane;
	assert_true(fabs(w->target.tex / unit / t->tex - 1) < 2 * part);
	assert_true(fabs(w->target.varying / unit / t->varying - 1) < 2 * part);
	assert_true(fabs(w->target.pixel / unit / t->pixel - 1) < 2 * part);
}

/* Returns the profile with more expensive vertices, as times that are off by 1% do not tell a VP slot from 0 beside a vertex's fixed
 * cost. */
static struct target seen_h200(void)
{
	struct target t = targets[TARGET_H200];
	t.vertex = 40;
	return t;
}

/* Checks the profile of an H200, where all work but the longest counts for a 32nd, which times that are off by 1% hardly show. */
ARENA_TEST(the_profile_of_a_gpu_is_found_again)
{
	struct target const t = seen_h200();
	struct weights const w = fit_to(*state, time_rates(*state, &t, false, 0.01));
	assert_found(&w, &t, 0.05);
	assert_near(&w, WEIGHT_OVERLAP, 32, 0.2);
	assert_true(w.error < 0.02);
	assert_int_equal(w.target.instr, 0);
	assert_false(w.told[WEIGHT_INSTR]);
	assert_false(w.told[WEIGHT_ORDER]);
	assert_int_equal(w.target.lane, 10);
	for (unsigned k = 0; k < WEIGHT_CORNER; k++)
		assert_true(!w.told[k] || (w.low[k] <= w.value[k] * 1.05 && w.high[k] >= w.value[k] * 0.95));
}

ARENA_TEST(a_gpu_without_overlap_but_with_slots_and_orders_is_found_again)
{
	struct target const t = {.instr = 5, .lane = 2, .special = 9, .tex = 30, .order = 40, .varying = 6, .output = 10, .vertex = 12, .interpolator = 300,
	                         .pixel = 200, .overlap = 1};
	struct weights const w = fit_to(*state, time_rates(*state, &t, false, 0.01));
	assert_found(&w, &t, 0.05);
	assert_near(&w, WEIGHT_OVERLAP, 1, 0);
}

/* Checks that another target shows the weights where writing a pixel hides all other work. */
ARENA_TEST(what_colours_hide_is_seen_in_a_plain_target)
{
	struct target t = seen_h200();
	t.pixel = 1200;
	struct weights const w = fit_to(*state, time_rates(*state, &t, true, 0.01));
	assert_found(&w, &t, 0.05);
	assert_near(&w, WEIGHT_PLAIN, 70, 0.05);
}

/* Checks the fit if one time in twenty is three times as long. */
ARENA_TEST(interrupted_draws_do_not_count)
{
	struct target const t = seen_h200();
	struct timings times = time_rates(*state, &t, false, 0.01);
	for (uint32_t k = 3; k < times.n; k += 20)
		times.at[k].ns *= 3;
	struct weights const w = fit_to(*state, times);
	assert_found(&w, &t, 0.05);
	assert_true(fabs(w.worst - 2.0 / 3) < 0.05);
	assert_int_equal(w.worst_at % 20, 3);
}

ARENA_TEST(what_costs_nothing_is_said_to)
{
	struct target t = seen_h200();
	t.vertex = t.special = 0;
	struct weights const w = fit_to(*state, time_rates(*state, &t, false, 0.01));
	assert_false(w.told[WEIGHT_VERTEX]);
	assert_false(w.told[WEIGHT_SPECIAL]);
	assert_true(w.told[WEIGHT_INTERPOLATOR]);
	assert_int_equal(w.target.vertex, w.target.lane);
	assert_int_equal(w.target.special, w.target.lane);
	assert_int_equal(w.target.order, 0);
}

ARENA_TEST(times_without_sense_are_refused)
{
	struct timings t = time_rates(*state, &targets[TARGET_H200], false, 0.01);
	struct weights w;
	double const first = t.at[0].ns;
	for (unsigned k = 0; k < 3; k++) {
		t.at[0].ns = (double[]){0, -1, (double)NAN}[k];
		assert_non_null(weights_fit(*state, t.at, t.n, &w));
	}
	t.at[0].ns = first;
	assert_non_null(weights_fit(*state, t.at, 3, &w));
	for (uint32_t k = 0; k < t.n; k++)
		t.at[k].ns = 1;
	assert_non_null(strstr(weights_fit(*state, t.at, t.n, &w), "more arithmetic"));
	uint64_t seed = 1;
	for (uint32_t k = 0; k < t.n; k++)
		t.at[k].ns = exp(random_between(&seed, 0, 9));
	assert_non_null(weights_fit(*state, t.at, t.n, &w));
}
