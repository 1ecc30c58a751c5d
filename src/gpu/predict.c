/* fpmove-gpu predict: measures the machine and workloads, and prints the predictions of the models beside the measured times. */
#include "gpu/modes.h"

#include "cli/csv.h"
#include "cli/message.h"
#include "gpu/predict.h"
#include "gpu/run_report.h"
#include "gpu/trial.h"

#include <math.h>

/* Measures the machine with each texture format that the session's passes use. */
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

/* A measured time in ns, or a ratio of times, and its predictions; numbers that are not known are 0. */
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
	f->t2.measured = output_quartiles(a, v->gpu_ns, s->samples).median;
	f->t3.measured = v->read_ns;
	f->all.measured = f->t1.measured + f->t2.measured + f->t3.measured;
	f->ratio.measured = f->t2.measured / output_quartiles(a, s->variant->gpu_ns, s->samples).median;
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

/* Returns the measured and the predicted time of one pass of kind number n (passes of one kernel and format), if each is timed by
 * itself. */
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
		predict_print_rates(&t, &p, model_formats(&s.variant->record));
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
