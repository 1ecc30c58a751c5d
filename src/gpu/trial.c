/* Planning and timing, see trial.h. */
#include "gpu/trial.h"

#include "gpu/stats.h"

#include <math.h>

struct choice {
	const char *name;
	const struct run_options *plan;
	struct probe probe;
	bool open, same; /* same: as the example is as given */
	double median, ratio, predicted;
};
enum { AS_GIVEN, AT_O2, UNDER_NEW, UNDER_OTHER, CHOICES };

struct tally {
	unsigned examples, changed, slower;
	double off, most_off; /* sum and most of what predictions of a ratio are off by */
	double log_ratio, slowest;
	const char *most_off_at, *slowest_at;
};

static bool same_programs(const struct kernel *a, const struct kernel *b)
{
	return strcmp(a->run->vs_text.at, b->run->vs_text.at) == 0 && strcmp(a->run->ps_text.at, b->run->ps_text.at) == 0;
}

static const char *open_choice(const struct trial *t, const char *example, struct choice *c, const struct choice *given)
{
	t->booth->lab.plan = c->plan;
	const char *wrong = kernel_open(&t->booth->lab, example, &c->probe.kernel);
	t->booth->lab.plan = NULL;
	c->open = true;
	c->same = !wrong && c != given && same_programs(&c->probe.kernel, &given->probe.kernel);
	return wrong || c->same ? wrong : probe_open(t->booth, 1, &c->probe);
}

static double predicted_ns(const struct trial *t, const struct probe *p)
{
	return weights_time(t->weights, p->kernel.vs, p->kernel.ps, probe_pixels_per_vertex(t->booth, p));
}

static void time_choices(const struct trial *t, struct choice *c)
{
	struct probe *probe[CHOICES];
	double work[PROBE_MOST_SAMPLES];
	uint32_t n = 0;
	for (unsigned k = 0; k < CHOICES; k++)
		if (c[k].open && !c[k].same)
			probe[n++] = &c[k].probe;
	probes_sample(t->booth, probe, n, t->booth->lab.gpu->software ? 0 : 0.1);
	for (unsigned k = 0; k < CHOICES; k++) {
		struct probe *p = &c[k].probe;
		c[k].ratio = c[k].predicted = 1;
		if (!c[k].open || c[k].same)
			continue;
		c[k].ratio = stats_ratio(p->ns, c[AS_GIVEN].probe.ns, p->samples, work).median;
		c[k].predicted = predicted_ns(t, p) / predicted_ns(t, &c[AS_GIVEN].probe);
	}
	for (unsigned k = 0; k < CHOICES; k++)
		if (c[k].open && !c[k].same)
			c[k].median = stats_quartiles(c[k].probe.ns, c[k].probe.samples).median;
}

static void add_up(struct tally *t, const struct choice *c, const char *example)
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
	text_printf(said, "%-12s %8u %9.3f %9u %9.3f %-16s %9.1f%% %7.0f%% %s\n", plan, t->changed, exp(t->log_ratio / t->examples),
	            t->slower, t->slowest, t->slowest_at ? t->slowest_at : "", 100 * t->off / t->examples, 100 * t->most_off,
	            t->most_off_at ? t->most_off_at : "");
}

static void test_example(const struct trial *t, const char *example, struct choice *choice, struct tally *tally)
{
	const char *wrong = NULL;
	for (unsigned k = 0; k < CHOICES && !wrong; k++) {
		choice[k].probe = (struct probe){.draws = 1};
		choice[k].open = false;
		if (choice[k].name)
			wrong = open_choice(t, example, &choice[k], &choice[AS_GIVEN]);
	}
	if (!wrong)
		time_choices(t, choice);
	for (unsigned k = 0; k < CHOICES; k++) {
		if (choice[k].open && !wrong) {
			add_up(&tally[k], &choice[k], example);
			text_printf(t->csv, "example,%s,%s,%d,,%.6f,%.4f,%.4f\n", example, choice[k].name, t->booth->size, choice[k].median,
			            choice[k].ratio, choice[k].predicted);
		}
		if (choice[k].open)
			probe_close(&choice[k].probe);
	}
}

void trial_run(const struct trial *t)
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
	double const until = seconds_now() + t->seconds;
	for (unsigned k = 0; k < kernel_examples() && seconds_now() < until; k++)
		test_example(t, kernel_example(k), choice, tally);
	unsigned const n = tally[AS_GIVEN].examples;
	if (!n) {
		text_string(t->said, "no time was left to try the examples\n");
		return;
	}
	text_printf(t->said, "%u of %u examples, none of which was fitted to, before and after planning:\n", n, kernel_examples());
	text_printf(t->said, "%-12s %8s %9s %9s %9s %-16s %10s %8s\n", "plan", "changed", "time", "slower", "slowest", "", "model off",
	            "at most");
	for (unsigned k = AT_O2; k < CHOICES; k++)
		if (choice[k].name)
			say_tally(t->said, choice[k].name, &tally[k]);
}
