/* fpmove-gpu predict: measures the machine and workloads, and prints the predictions of the models beside the measured times. */
#include "gpu/modes.h"

#include "cli/csv.h"
#include "cli/fit.h"
#include "cli/message.h"
#include "gpu/machine.h"
#include "gpu/run_report.h"
#include "gpu/trial.h"

#include <math.h>

/* ---- the machine ----------------------------------------------------------------------- */

/* The measured machine, which all predictions share. */
struct predict {
	const struct context *gpu;
	const struct target *target; /* gives the weights of the extended model */
	const char *cache;           /* path of the cache of rates; NULL if none is kept */
	bool fresh;                  /* true to measure even if the cache has the format */
	struct machine machine;
};

static struct predict predict_begin(struct arena *a, const struct context *gpu, const struct gpu_options *o)
{
	bool const chosen = o->plan.given & GIVEN_TARGET;
	return (struct predict){.gpu = gpu, .target = chosen ? &o->plan.move.target : &targets[TARGET_H200], .cache = machine_cache(a),
	                        .fresh = o->fresh};
}

/* Measures a format, or reads its rates from the cache.  Returns NULL, or one sentence on what is wrong. */
static const char *predict_measure(struct arena *a, struct predict *p, enum image_format format)
{
	const char *note = NULL;
	struct rates *r = &p->machine.of[format];
	if (p->cache && !p->fresh && machine_load(a, p->cache, p->gpu, format, r, &note))
		return NULL;
	if (note)
		message_note("%s; the GPU is measured again", note);
	const char *wrong = machine_measure(a, p->gpu, format, r);
	note = p->cache ? NULL : "neither XDG_CACHE_HOME nor HOME is set";
	if (!wrong && p->cache)
		note = machine_store(a, p->cache, p->gpu, format, r);
	if (note && !wrong)
		message_note("%s; what was measured is not kept", note);
	return wrong;
}

/* Prints the machine's bandwidths, latencies and errors for a set of formats (bit n: format n). */
static void print_rates(struct text *t, const struct predict *p, unsigned formats)
{
	double const us = 1e3;
	struct text errors = {.arena = t->arena}, passes = {.arena = t->arena};
	text_printf(t, "%-8s %8s %6s %8s %6s %8s %6s %8s %6s %8s %8s\n", "", "B1 GB/s", "L1 us", "B2 GB/s", "L2 us",
	            "B3 GB/s", "L3 us", "copies", "us", "pixel ns", "mad4 ns");
	for (unsigned f = 0; f < IMAGE_FORMATS; f++) {
		const struct rates *r = &p->machine.of[f];
		if (!(formats >> f & 1))
			continue;
		text_printf(t, "%-8s %8.2f %6.1f %8.2f %6.2f %8.2f %6.1f %8.2f %6.2f %8.4f %8.5f\n", image_formats[f].name, r->up.bandwidth,
		            r->up.latency / us, r->bandwidth, r->gpu.other / us, r->down.bandwidth, r->down.latency / us, r->copy.bandwidth,
		            r->copy.latency / us, r->fill, r->arith);
		text_printf(&errors, "%-8s " FIT_HANG "of what they were measured with, the models miss T1 by up to %.1f%%, T2 by %.1f%% (by reads) and %.1f%% "
		            "(by target), T3 by %.1f%%\n", image_formats[f].name, 100 * r->error.up, 100 * r->error.reads, 100 * r->error.work,
		            100 * r->error.down);
		text_printf(&passes, "%-8s " FIT_HANG "a pass takes %.2f us of the CPU; one to the same target %.2f us of the GPU and %.2f us of the CPU; "
		            "one that is timed by itself %.2f us\n", image_formats[f].name, r->cpu.other / us, r->gpu.same / us, r->cpu.same / us,
		            r->alone.other / us);
	}
	text_printf(t, "%s%s", errors.at, passes.at);
}

/* Measures the machine with each texture format that the session's passes use.  Returns NULL, or one sentence on what is wrong. */
static const char *measure_machine(struct arena *a, struct predict *p, const struct session *s)
{
	unsigned const formats = model_formats(&s->variant->record);
	const char *wrong = NULL;
	for (unsigned f = 0; f < IMAGE_FORMATS && !wrong; f++)
		if (formats >> f & 1)
			wrong = predict_measure(a, p, (enum image_format)f);
	return wrong;
}

/* ---- the pairs of a variant ------------------------------------------------------------ */

static struct model_pair move_pair_of_kind(struct arena *a, const struct kind *k, const struct run_options *plan)
{
	struct run *r = arena_zero(a, sizeof *r);
	run_init(r, a, k->run->sources, k->run->nsources, plan);
	run_all(r);
	bool const done = r->status == RUN_IMPROVED || r->status == RUN_UNCHANGED;
	return (struct model_pair){done ? r->vs_new : k->vs, done ? r->ps_new : k->ps};
}

static struct model_pair *move_pairs(struct arena *a, const struct record *r, const struct run_options *plan)
{
	struct model_pair *pairs = arena_alloc(a, (r->kinds.n + 1) * sizeof *pairs);
	for (uint32_t k = 0; k < r->kinds.n; k++)
		pairs[k] = plan ? move_pair_of_kind(a, &r->kinds.at[k], plan) : (struct model_pair){r->kinds.at[k].vs, r->kinds.at[k].ps};
	return pairs;
}

/* ---- figures --------------------------------------------------------------------------- */

/* A measured time in ns, or a ratio of times, and its predictions; unknown numbers are 0. */
struct figure {
	double measured;
	double by[MODELS];    /* predicted by each model */
	double error[MODELS]; /* relative error of each model in calibration */
};

/* The measured and predicted times of a variant.  T1 is the time of transfers to the GPU, T2 of all passes, T3 of transfers back. */
struct forecast {
	const struct model_pair *pairs; /* the variant's programs, by kind of pass */
	struct figure t1, t2, t3, all;
	struct figure ratio;            /* T2 (the time of all passes) divided by that of the programs as given */
};

static struct predictor predictor_of(const struct predict *p, unsigned model)
{
	return (struct predictor){(enum model_id)model, &p->machine, p->target};
}

/* Returns the largest error that a model had in calibration, over a set of formats (bit n: format n), at transfers to the GPU (part 0), at
 * passes (1) or at transfers back (2). */
static double calibration_error(const struct predict *p, unsigned formats, unsigned part, unsigned model)
{
	double most = 0;
	for (unsigned f = 0; f < IMAGE_FORMATS; f++) {
		const struct fit_errors *e = &p->machine.of[f].error;
		double const of[] = {e->up, model == MODEL_PAPER ? e->reads : e->work, e->down};
		if (formats >> f & 1)
			most = fmax(most, of[part]);
	}
	return most;
}

static void find_errors(const struct predict *p, unsigned formats, struct forecast *f)
{
	struct figure *const parts[] = {&f->t1, &f->t2, &f->t3};
	for (unsigned m = 0; m < MODELS; m++) {
		double sum = 0;
		for (unsigned k = 0; k < 3; k++) {
			parts[k]->error[m] = calibration_error(p, formats, k, m);
			sum += parts[k]->by[m] * parts[k]->error[m];
		}
		f->all.error[m] = sum / f->all.by[m];
	}
}

/* Predicts the times of a variant from its programs, and from the passes that were recorded of the first variant. */
static void predict_variant(struct arena *a, const struct predict *p, const struct session *s, const struct variant *v, struct forecast *f)
{
	const struct record *given = &s->variant->record;
	*f = (struct forecast){.pairs = move_pairs(a, given, v->plan)};
	f->t1.measured = v->write_ns;
	f->t2.measured = quartiles_of(a, v->gpu_ns, s->samples).median;
	f->t3.measured = v->read_ns;
	f->all.measured = f->t1.measured + f->t2.measured + f->t3.measured;
	f->ratio.measured = f->t2.measured / quartiles_of(a, s->variant->gpu_ns, s->samples).median;
	for (unsigned m = 0; m < MODELS; m++) {
		struct predictor const by = predictor_of(p, m);
		f->t1.by[m] = model_up(&by, given);
		f->t2.by[m] = model_passes(&by, given, f->pairs);
		f->t3.by[m] = model_down(&by, given);
		f->all.by[m] = f->t1.by[m] + f->t2.by[m] + f->t3.by[m];
		f->ratio.by[m] = f->t2.by[m] / model_passes(&by, given, NULL);
	}
	find_errors(p, model_formats(given), f);
}

/* Returns the measured and the predicted time of one pass of kind number n (passes of one kernel and format) that is timed by itself; the
 * measured one is 0 if the variant has no such kind. */
static struct figure predict_kind(const struct predict *p, const struct session *s, const struct variant *v,
                                  const struct forecast *f, uint32_t n)
{
	const struct kind *given = &s->variant->record.kinds.at[n];
	struct figure figure = {.measured = 0};
	if (n < v->record.kinds.n)
		figure.measured = v->record.kinds.at[n].ns / v->record.kinds.at[n].passes;
	for (unsigned m = 0; m < MODELS; m++) {
		struct predictor const by = predictor_of(p, m);
		figure.by[m] = model_kind(&by, given, f->pairs[n].vs, f->pairs[n].ps) / given->passes;
	}
	return figure;
}

/* ---- tables ---------------------------------------------------------------------------- */

static void print_figure(struct text *t, const char *name, const struct figure *f, double unit)
{
	text_printf(t, "%-28s %10.4f", name, f->measured / unit);
	for (unsigned m = 0; m < MODELS; m++) {
		text_printf(t, "  %10.4f", f->by[m] / unit);
		if (f->measured > 0)
			text_printf(t, " %+7.1f%%", 100 * (f->by[m] / f->measured - 1));
		else
			text_printf(t, " %8s", "");
	}
	text_char(t, '\n');
}

static void print_forecast(struct text *t, const struct predict *p, const struct session *s, const struct variant *v,
                          const struct forecast *f)
{
	text_printf(t, "\n%-28s %10s  %19s  %19s\n", arena_printf(t->arena, "%s, ms", v->name), "measured", "by its reads",
	            arena_printf(t->arena, "by target %s", p->target->name));
	print_figure(t, "T1, to the GPU", &f->t1, 1e6);
	print_figure(t, "T2, all passes", &f->t2, 1e6);
	print_figure(t, "T3, back", &f->t3, 1e6);
	print_figure(t, "T", &f->all, 1e6);
	text_printf(t, "%-28s %10s  %9.1f%% %8s  %9.1f%%\n", "T was off in calibration by", "", 100 * f->all.error[MODEL_PAPER], "",
	            100 * f->all.error[MODEL_EXTENDED]);
	if (v != s->variant)
		print_figure(t, "T2, to that as given", &f->ratio, 1);
	text_printf(t, "a pass timed by itself, us\n");
	for (uint32_t n = 0; n < s->variant->record.kinds.n; n++) {
		const struct kind *k = &s->variant->record.kinds.at[n];
		struct figure const figure = predict_kind(p, s, v, f, n);
		print_figure(t, arena_printf(t->arena, "  %.18s (%.0f)", k->name, k->passes), &figure, 1e3);
	}
}

/* ---- spreadsheets ---------------------------------------------------------------------- */

static const char predict_csv_columns[] = "workload,form,numbers,format,version,what,passes,measured,by_reads,by_target,by_reads_error,"
                                   "by_target_error\n";

/* Returns the session's numbers like "size=1024 taps=16". */
static const char *list_numbers(struct arena *a, const struct session *s)
{
	struct text t = {.arena = a};
	text_string(&t, "");
	for (unsigned k = 0; s->workload->parameters[k].name; k++)
		text_printf(&t, "%s%s=%u", k ? " " : "", s->workload->parameters[k].name, s->wanted.number[k]);
	return t.at;
}

static void add_figure_to_csv(struct text *csv, const struct session *s, const struct variant *v, const char *what, double passes,
                         const struct figure *f, double unit)
{
	csv_field(csv, s->workload->name);
	csv_field(csv, s->wanted.form ? s->wanted.form : "");
	csv_field(csv, list_numbers(v->lab.arena, s));
	csv_field(csv, image_formats[s->variant->record.kinds.at->format].name);
	csv_field(csv, v->name);
	csv_field(csv, what);
	text_printf(csv, "%.0f,%.6f,%.6f,%.6f,", passes, f->measured / unit, f->by[MODEL_PAPER] / unit, f->by[MODEL_EXTENDED] / unit);
	text_printf(csv, f->error[MODEL_PAPER] > 0 ? "%.4f,%.4f\n" : ",\n", f->error[MODEL_PAPER], f->error[MODEL_EXTENDED]);
}

static void add_forecast_to_csv(struct text *csv, const struct predict *p, const struct session *s, const struct variant *v,
                          const struct forecast *f)
{
	const struct record *given = &s->variant->record;
	struct {
		const char *what;
		const struct figure *figure;
		double unit;
	} const rows[] = {{"T1 ms", &f->t1, 1e6}, {"T2 ms", &f->t2, 1e6}, {"T3 ms", &f->t3, 1e6}, {"T ms", &f->all, 1e6}, {"ratio", &f->ratio, 1}};
	double const passes = record_drawn(given).passes;
	for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++)
		add_figure_to_csv(csv, s, v, rows[k].what, passes, rows[k].figure, rows[k].unit);
	for (uint32_t n = 0; n < given->kinds.n; n++) {
		struct figure const figure = predict_kind(p, s, v, f, n);
		add_figure_to_csv(csv, s, v, arena_printf(v->lab.arena, "%s us", given->kinds.at[n].name), given->kinds.at[n].passes, &figure, 1e3);
	}
}

/* ---- a program that does not exist yet ------------------------------------------------- */

/* A program that runs in passes, as --reads, --pixels, --bytes and --passes describe it. */
struct imagined {
	double reads, pixels, bytes, passes;
	enum image_format format; /* the format whose measured bandwidths are taken */
};

/* Times in ns of the transfer to the GPU (T1), of all passes (T2), of the transfer back (T3) and of all (T), and the relative errors of the
 * model in calibration. */
enum { PARTS = 4 };
struct imagined_times {
	double ns[PARTS], error[PARTS];
};
static const char *const part_names[PARTS] = {"T1", "T2", "T3", "T"};
static const char *const part_meanings[PARTS] = {"T1, to the GPU", "T2, all passes", "T3, back", "T"};

static struct imagined imagine(const struct gpu_options *o)
{
	double const side = gpu_options_size(o);
	struct imagined i = {.reads = o->reads, .pixels = o->pixels ? o->pixels : side * side, .passes = o->passes ? o->passes : 1};
	i.format = o->format >= 0 ? (enum image_format)o->format : o->bytes == 4 ? IMAGE_RGBA8 : o->bytes == 8 ? IMAGE_RGBA16F : IMAGE_RGBA32F;
	i.bytes = o->bytes ? o->bytes : image_formats[i.format].bytes;
	return i;
}

/* Estimates T1 = J S / B1 + L1, T2 = I (K J S / B2 + L2) and T3 = J S / B3 + L3, for I passes of J pixels of S bytes, each with K reads, by
 * the bandwidths B and latencies L of transfers to the GPU (1), passes (2) and transfers back (3). */
static struct imagined_times estimate_imagined(const struct imagined *i, const struct rates *r)
{
	double const image = i->pixels * i->bytes;
	struct path const pass = {r->bandwidth, r->gpu.other};
	struct imagined_times e = {.ns = {model_path_ns(r->up, 1, image), i->passes * model_path_ns(pass, 1, i->reads * image),
	                                  model_path_ns(r->down, 1, image)},
	                           .error = {r->error.up, r->error.reads, r->error.down}};
	for (unsigned k = 0; k < PARTS - 1; k++) {
		e.ns[PARTS - 1] += e.ns[k];
		e.error[PARTS - 1] += e.ns[k] * e.error[k];
	}
	e.error[PARTS - 1] /= e.ns[PARTS - 1];
	return e;
}

static void print_estimate(struct text *t, const struct imagined *i, const struct imagined_times *e)
{
	text_printf(t, "\n%-28s %12s  %s\n", "ms", "by its reads", "off in calibration by up to");
	for (unsigned k = 0; k < PARTS; k++)
		text_printf(t, "%-28s %12.4f  %.1f%%\n", part_meanings[k], e->ns[k] / 1e6, 100 * e->error[k]);
	text_printf(t, "%-28s %12.4f\n", "of T2, a pass", e->ns[1] / i->passes / 1e6);
}

static void add_imagined_to_csv(struct arena *a, struct text *csv, const struct imagined *i, const struct imagined_times *e)
{
	for (unsigned k = 0; k < PARTS; k++) {
		text_string(csv, "\"\",\"\",");
		csv_field(csv, arena_printf(a, "reads=%.0f pixels=%.0f bytes=%.0f passes=%.0f", i->reads, i->pixels, i->bytes, i->passes));
		csv_field(csv, image_formats[i->format].name);
		text_printf(csv, "\"\",\"%s ms\",%.0f,,%.6f,,%.4f,\n", part_names[k], i->passes, e->ns[k] / 1e6, e->error[k]);
	}
}

/* Predicts a program that does not exist yet, from --reads, --pixels, --bytes and --passes.  Returns the exit status. */
static int predict_imagined(struct arena *a, const struct context *gpu, const struct gpu_options *o, struct gpu_output *to)
{
	struct predict p = predict_begin(a, gpu, o);
	struct imagined const i = imagine(o);
	struct text t = {.arena = a};
	note_software(gpu);
	const char *wrong = predict_measure(a, &p, i.format);
	if (wrong)
		return message_usage("%s", wrong);
	struct imagined_times const e = estimate_imagined(&i, &p.machine.of[i.format]);
	text_printf(&t, "%.0f reads for each of %.0f pixels of %.0f bytes, passes %.0f: a program that does not exist yet\n", i.reads, i.pixels,
	            i.bytes, i.passes);
	text_printf(&t, "on %s (%s), bytes a second as of %s\n\n", gpu->renderer, language_names[gpu->language], image_formats[i.format].name);
	print_rates(&t, &p, 1u << i.format);
	print_estimate(&t, &i, &e);
	add_imagined_to_csv(a, &to->csv, &i, &e);
	return output_table(to, &t) ? EXIT_DONE : EXIT_USAGE;
}

/* ---- from options to tables ------------------------------------------------------------ */

static int predict_task(struct arena *a, const struct context *gpu, const struct gpu_options *o, const struct task *task,
                        struct gpu_output *to)
{
	struct predict p = predict_begin(a, gpu, o);
	struct session s = {.workload = task->workload, .wanted = task->wanted};
	struct text t = {.arena = a};
	list_variants(a, o, &s);
	const char *wrong = session_run(a, gpu, &s, o->seconds);
	wrong = wrong ? wrong : measure_machine(a, &p, &s);
	if (!wrong) {
		print_head(&s, gpu, &t);
		print_rates(&t, &p, model_formats(&s.variant->record));
		for (unsigned k = 0; k < s.nvariants; k++) {
			struct forecast f;
			predict_variant(a, &p, &s, &s.variant[k], &f);
			print_forecast(&t, &p, &s, &s.variant[k], &f);
			add_forecast_to_csv(&to->csv, &p, &s, &s.variant[k], &f);
		}
	}
	session_close(&s);
	if (!wrong)
		return output_table(to, &t) ? EXIT_DONE : EXIT_USAGE;
	return message_usage("%s: %s", workload_title(a, task->workload, &task->wanted), wrong);
}

/* Makes a task for each size of the pair that the words name.  Returns false after a message if the pair is wrong. */
static bool pair_tasks(struct arena *a, const struct context *gpu, const struct gpu_options *o, struct tasks *to)
{
	const char *const files[] = {o->words.at[0], o->words.at[o->words.n - 1]}, *why = NULL;
	bool said = false;
	struct workload *w = arena_alloc(a, sizeof *w);
	const struct run *r = trial_pair(a, files, o->words.n, gpu_options_plan(a, o, 0), NULL, &why, &said);
	*w = own_pair_workload;
	w->name = trial_name(a, files[0], files[1], 0);
	*to = (struct tasks){0};
	if (!r && !said)
		message_error("%s", why);
	for (uint32_t k = 0; r && (k == 0 || k < o->sizes.n); k++) {
		struct wanted wanted = {.seed = o->seed, .pair = r, .format = o->format >= 0 ? (enum image_format)o->format : IMAGE_RGBA32F};
		wanted.number[0] = o->sizes.n ? o->sizes.at[k] : gpu->software ? 256 : 1024;
		wanted.number[1] = o->passes ? o->passes : 1;
		VEC_PUSH(a, to) = (struct task){w, wanted};
	}
	return r;
}

int predict_main(struct arena *a, const struct context *gpu, const struct gpu_options *o)
{
	struct tasks tasks;
	struct gpu_output to;
	output_begin(a, o, &to, predict_csv_columns);
	if (o->imagined)
		return output_end(a, &to, gpu, "workloads", predict_imagined(a, gpu, o, &to));
	if (gpu_options_pair(o) ? !pair_tasks(a, gpu, o, &tasks) : !gpu_options_tasks(a, o, &tasks))
		return EXIT_USAGE;
	return output_end(a, &to, gpu, "workloads", do_tasks(a, gpu, o, &tasks, predict_task, &to));
}
