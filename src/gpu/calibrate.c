/* fpmove-gpu calibrate: makes a cost profile of the GPU here (calibration.h), and tries it on the examples. */
#include "cli/files.h"
#include "cli/message.h"
#include "gpu/calibration.h"
#include "gpu/modes.h"
#include "gpu/kernel.h"
#include "gpu/output.h"
#include "gpu/timing.h"

#include <math.h>

enum { SOFTWARE_SECONDS = 12 };

struct workbench {
	struct arena *arena;
	const struct context *gpu;
	const struct gpu_options *options;
	struct ground ground;                     /* target and mesh of PART_COLOURS; other parts draw to RGBA8 */
	struct { VEC(struct drawn_pair); } drawn; /* one for each program that the driver takes */
	struct calibration calibration;
	struct text said;
	struct gpu_output out;
};

static bool driver_takes(void *drawer, const struct measured *m)
{
	static const struct needs nothing;
	struct workbench *w = drawer;
	struct shader_options const how = {.position = POSITION_CORNER};
	struct scene const scene = {.seed = 1};
	struct drawn_pair s;
	struct shader shader;
	if (drawn_pair_make(&s, m->vs, m->ps, &nothing) || drawn_pair_compile(w->arena, w->gpu, &s, &how, &scene, &shader))
		return false;
	shader_delete(&shader);
	if ((int)s.colours > w->gpu->colours)
		return false;
	VEC_PUSH(w->arena, &w->drawn) = s;
	return true;
}

static const char *draw_round(void *drawer, struct round *r)
{
	struct workbench *w = drawer;
	struct timing t = {.ground = w->ground, .n = r->n, .pair = arena_zero(w->arena, r->n * sizeof *t.pair)};
	t.ground.size = r->size;
	t.ground.grid = r->cells;
	t.ground.plain = w->calibration.plain && r->part != PART_COLOURS;
	for (uint32_t k = 0; k < r->n; k++)
		t.pair[k].drawn = w->drawn.at[r->which[k]];
	const char *wrong = timing_run(w->arena, w->gpu, &t, r->seconds);
	r->samples = t.samples;
	for (uint32_t k = 0; k < r->n; k++)
		r->ns[k] = t.pair[k].ns;
	timing_close(&t);
	return wrong;
}

/* ---- the target, tried on the examples -------------------------------------------------- */

/* Settings to try a calibrated target on the examples, which it was not fitted to: compares its predictions with measured times, and measures
 * the programs that it chooses. */
struct tryout {
	struct arena *arena;
	const struct context *gpu;
	struct ground ground;
	const struct weights *weights;
	const struct target *against; /* another target whose choices are measured, too; NULL if there is none */
	double seconds;               /* no example is begun after this time, except the first LEAST_EXAMPLES */
	struct text *said, *csv;      /* the table for people; CSV lines for each example and choice */
};

/* An example as given, or planned in one of three ways. */
struct choice {
	const char *name;
	const struct run_options *plan;
	const struct run *run;   /* the run of fpmove that made the programs; NULL if there is none or it failed */
	bool same;               /* true if the programs are the same as those given */
	double ns;               /* measured ns of a pixel */
	double ratio, predicted; /* ratio of its time to that of the example as given, measured and predicted */
};
enum { AS_GIVEN, AT_O2, UNDER_NEW, UNDER_OTHER, CHOICES, LEAST_EXAMPLES = 3 };

/* Counts and sums over the examples for one choice. */
struct tally {
	unsigned examples, changed, slower;
	double off, most_off; /* relative errors of predicted ratios: the sum and the largest */
	double log_ratio, slowest;
	const char *most_off_at, *slowest_at; /* names of the examples with `most_off` and `slowest` */
};

static bool same_programs(const struct run *a, const struct run *b)
{
	return strcmp(a->vs_text.at, b->vs_text.at) == 0 && strcmp(a->ps_text.at, b->ps_text.at) == 0;
}

static double predicted_ns(const struct tryout *t, const struct drawn_pair *s)
{
	struct timed_program const seen = {.vs = s->vs, .ps = s->ps, .pixels_per_vertex = (double)t->ground.size * t->ground.size,
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
		wrong = drawn_pair_make(&timing.pair[k].drawn, r->vs_new, r->ps_new, &r->needs);
	}
	if (wrong)
		return wrong;
	wrong = timing_run(a, t->gpu, &timing, t->gpu->software ? 0 : 0.2);
	double *work = arena_alloc(a, (timing.samples + 1) * sizeof *work);
	for (unsigned k = n; k-- > 0 && !wrong;) {
		struct choice *to = &c[drawn[k]];
		to->ratio = stats_ratio(timing.pair[k].ns, timing.pair[0].ns, timing.samples, work).median;
		to->predicted = predicted_ns(t, &timing.pair[k].drawn) / predicted_ns(t, &timing.pair[0].drawn);
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

/* Tries the examples one after another, and writes the table and the CSV lines. */
static void tryout_run(const struct tryout *t)
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

/* ---- the command ------------------------------------------------------------------------- */

static const char csv_columns[] = "kind,program,version,size,pixels_per_vertex,ns_pixel,spread,ratio,predicted\n";

static void list_times(struct workbench *w)
{
	const struct calibration *c = &w->calibration;
	for (uint32_t k = 0; k < c->all.n; k++) {
		const struct measured *m = &c->all.at[k];
		const struct timed_program *s = &c->timings[k];
		text_printf(&w->out.csv, "rate,%s,%s,%d,%.2f,%.6f,%.4f,,%.6f\n", m->rate->family, m->rate->name, c->size, s->pixels_per_vertex,
		            s->ns, (m->ns.high - m->ns.low) / m->ns.median, weights_time(&c->weights, s));
	}
}

/* Spends the first half of the time on the programs that weights are fitted to, and the rest on trying the weights on the examples.  Returns NULL,
 * or one sentence on what is wrong. */
static const char *measure_and_fit(struct workbench *w, double seconds)
{
	const struct gpu_options *o = w->options;
	struct calibration *c = &w->calibration;
	double const began = stats_now_ns();
	c->seconds = seconds / 2;
	const char *wrong = calibration_run(c);
	list_times(w);
	if (wrong)
		return wrong;
	calibration_tell(c, &w->said);
	w->ground.size = c->size;
	struct tryout const tryout = {.arena = w->arena, .gpu = w->gpu, .ground = w->ground, .weights = &c->weights,
	                              .against = o->plan.given & GIVEN_TARGET ? &o->plan.move.target : NULL,
	                              .seconds = seconds - (stats_now_ns() - began) / 1e9, .said = &w->said, .csv = &w->out.csv};
	tryout_run(&tryout);
	return context_error();
}

static bool write_gpu_profile(struct workbench *w)
{
	struct text const profile = calibration_profile(&w->calibration);
	return file_write(w->arena, w->options->output, &profile);
}

int calibrate_main(struct arena *a, const struct context *gpu, const struct gpu_options *o)
{
	struct workbench w = {.arena = a, .gpu = gpu, .options = o, .said = {.arena = a}};
	enum image_format const format = o->format >= 0 ? (enum image_format)o->format : IMAGE_RGBA8;
	double seconds = o->seconds;
	w.ground = (struct ground){.grid = 1, .format = format, .linear = !o->nearest && format != IMAGE_RGBA32F && format != IMAGE_R32F};
	w.calibration = (struct calibration){.arena = a, .device = gpu->renderer, .format = image_formats[format].name, .largest = gpu->largest,
	                                     .software = gpu->software, .plain = format != IMAGE_RGBA8, .drawer = &w, .takes = driver_takes,
	                                     .draw = draw_round};
	if (gpu->software) {
		message_note("a CPU draws here (%s): the weights say little of a GPU", gpu->renderer);
		seconds = seconds < (double)SOFTWARE_SECONDS ? seconds : (double)SOFTWARE_SECONDS;
	}
	/* Fail before the measurement if its result cannot be written. */
	if (!file_may_write(a, o->output))
		return EXIT_USAGE;
	output_begin(a, o, &w.out, csv_columns);
	const char *wrong = measure_and_fit(&w, seconds);
	int status = EXIT_DONE;
	if (wrong) {
		message_error("%s", wrong);
		status = EXIT_REJECTED;
	} else if (!write_gpu_profile(&w) || !output_table(&w.out, &w.said)) {
		status = EXIT_USAGE;
	}
	return output_end(a, &w.out, gpu, "", status);
}
