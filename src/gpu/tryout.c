/* Plans (moves) and times the examples, see tryout.h. */
#include "gpu/tryout.h"

#include "gpu/kernel.h"
#include "gpu/stats.h"

#include <math.h>

/* An example as given, or planned in one of three ways. */
struct choice {
	const char *name;
	const struct run_options *plan;
	const struct run *run;   /* the run that planned it; NULL if there is none or it failed */
	bool same;               /* true if the programs are the same as those given */
	double ns;               /* time of a pixel */
	double ratio, predicted; /* ratio of its time to that of the example as given, measured and predicted */
};
enum { AS_GIVEN, AT_O2, UNDER_NEW, UNDER_OTHER, CHOICES, LEAST_EXAMPLES = 3 };

/* Counts and sums over the examples for one choice. */
struct tally {
	unsigned examples, changed, slower;
	double off, most_off; /* relative errors of predicted ratios: the sum and the largest */
	double log_ratio, slowest;
	const char *most_off_at, *slowest_at; /* names of examples */
};

static bool same_programs(const struct run *a, const struct run *b)
{
	return strcmp(a->vs_text.at, b->vs_text.at) == 0 && strcmp(a->ps_text.at, b->ps_text.at) == 0;
}

static double predicted_ns(const struct tryout *t, const struct subject *s)
{
	struct sighting const seen = {.vs = s->vs, .ps = s->ps, .pixels_per_vertex = (double)t->ground.size * t->ground.size,
	                              .runs = GROUND_CELL_VERTICES};
	return weights_time(t->weights, &seen);
}

/* Times the n choices whose numbers are in `drawn`; the first is AS_GIVEN.  Returns NULL, or one sentence on what is wrong. */
static const char *time_choices(const struct tryout *t, struct arena *a, struct choice *c, const unsigned *drawn, unsigned n)
{
	struct timing timing = {.ground = t->ground, .n = n, .pair = arena_zero(a, n * sizeof *timing.pair)};
	const char *wrong = NULL;
	for (unsigned k = 0; k < n && !wrong; k++) {
		const struct run *r = c[drawn[k]].run;
		wrong = subject_make(&timing.pair[k].subject, r->vs_new, r->ps_new, &r->needs);
	}
	if (wrong)
		return wrong;
	wrong = timing_run(a, t->gpu, &timing, t->gpu->software ? 0 : 0.2);
	double *work = arena_alloc(a, (timing.samples + 1) * sizeof *work);
	for (unsigned k = n; k-- > 0 && !wrong;) {
		struct choice *to = &c[drawn[k]];
		to->ratio = stats_ratio(timing.pair[k].ns, timing.pair[0].ns, timing.samples, work).median;
		to->predicted = predicted_ns(t, &timing.pair[k].subject) / predicted_ns(t, &timing.pair[0].subject);
		to->ns = stats_quartiles(timing.pair[k].ns, timing.samples).median / ((double)t->ground.size * t->ground.size);
	}
	timing_close(&timing);
	return wrong;
}

static void add_choice(struct tally *t, const struct choice *c, const char *example)
{
	double const off = fabs(c->predicted / c->ratio - 1);
	t->examples++;
	t->changed += !c->same;
	t->slower += c->ratio > 1.01;
	t->off += off;
	t->log_ratio += log(c->ratio);
	if (off > t->most_off) {
		t->most_off = off;
		t->most_off_at = example;
	}
	if (c->ratio > t->slowest) {
		t->slowest = c->ratio;
		t->slowest_at = example;
	}
}

static void say_tally(struct text *said, const char *plan, const struct tally *t)
{
	text_printf(said, "%-14s %8u %8.3f %8u %8.3f %9.1f%% %7.0f%%\n", plan, t->changed, exp(t->log_ratio / t->examples), t->slower, t->slowest,
	            100 * t->off / t->examples, 100 * t->most_off);
}

static void say_where(struct text *said, const char *plan, const struct tally *t)
{
	if (t->most_off_at)
		text_printf(said, "%s: slowest is %s, and the model is off most of %s\n", plan, t->slowest_at, t->most_off_at);
}

/* Plans and times one example.  Returns false if it cannot be drawn, or if a way to plan it fails. */
static bool try_example(const struct tryout *t, struct arena *a, unsigned example, struct choice *choice)
{
	unsigned drawn[CHOICES], n = 0;
	for (unsigned k = 0; k < CHOICES; k++) {
		struct choice *c = &choice[k];
		c->ratio = c->predicted = 1;
		c->run = c->name ? example_run(a, example, c->plan) : NULL;
		if (c->name && !c->run)
			return false;
		c->same = k != AS_GIVEN && c->run && same_programs(c->run, choice[AS_GIVEN].run);
		if (c->run && !c->same)
			drawn[n++] = k;
	}
	if (time_choices(t, a, choice, drawn, n))
		return false;
	for (unsigned k = 0; k < CHOICES; k++)
		if (choice[k].same)
			choice[k].ns = choice[AS_GIVEN].ns;
	return true;
}

/* Tries one example and writes its numbers, or nothing if it cannot be tried.  Its arena is freed at once, as textures are large. */
static void try_one(const struct tryout *t, unsigned example, struct choice *choice, struct tally *tally)
{
	struct arena scratch;
	arena_init(&scratch, t->arena->on_failure);
	bool const tried = try_example(t, &scratch, example, choice);
	for (unsigned k = 0; k < CHOICES && tried; k++) {
		const struct choice *c = &choice[k];
		if (!c->run)
			continue;
		add_choice(&tally[k], c, example_name(example));
		text_printf(t->csv, "example,%s,%s,%d,,%.6f,,%.4f,%.4f\n", example_name(example), c->name, t->ground.size, c->ns, c->ratio, c->predicted);
	}
	arena_free(&scratch);
}

void tryout_run(const struct tryout *t)
{
	struct run_options const at_o2 = {.move = {.level = 2}};
	struct run_options under_new = at_o2, under_other = at_o2;
	under_new.given = under_other.given = GIVEN_TARGET;
	under_new.move.target = t->weights->target;
	under_other.move.target = t->against ? *t->against : t->weights->target;
	struct choice choice[CHOICES] = {
		[AS_GIVEN] = {.name = "as given"},
		[AT_O2] = {.name = "-O2", .plan = &at_o2},
		[UNDER_NEW] = {.name = "calibrated", .plan = &under_new},
		[UNDER_OTHER] = {.name = t->against ? t->against->name : NULL, .plan = &under_other},
	};
	struct tally tally[CHOICES] = {{0}};
	double const until = stats_now_ns() + t->seconds * 1e9;
	for (unsigned k = 0; k < example_count() && (k < LEAST_EXAMPLES || stats_now_ns() < until); k++)
		try_one(t, k, choice, tally);
	unsigned const n = tally[AS_GIVEN].examples;
	if (!n)
		return;
	text_printf(t->said, "%u of %u examples, none of which was fitted to, before and after planning:\n", n, example_count());
	text_printf(t->said, "%-14s %8s %8s %8s %8s %10s %8s\n", "planned", "changed", "time", "slower", "slowest", "model off", "at most");
	for (unsigned k = AT_O2; k < CHOICES; k++)
		if (choice[k].name)
			say_tally(t->said, choice[k].name, &tally[k]);
	for (unsigned k = AT_O2; k < CHOICES; k++)
		if (choice[k].name)
			say_where(t->said, choice[k].name, &tally[k]);
}
