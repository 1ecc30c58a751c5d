/* Measures workloads over sizes, see series.h. */
#include "gpu/series.h"

#include "cli/message.h"
#include "gpu/modes.h"
#include "gpu/plot.h"
#include "gpu/run_report.h"

#include <math.h>

/* The times of a version at each size; values that were not measured are NAN. */
struct course {
	const char *name;
	double *gpu_ms, *whole_ms, *gflops;
};

struct series {
	const struct task *task;
	unsigned n;           /* number of sizes */
	double *size, *cpu_ms;
	unsigned nversions;
	struct course version[GPU_LEVELS];
};

static double *alloc_unknown(struct arena *a, unsigned n)
{
	double *values = arena_alloc(a, n * sizeof *values);
	for (unsigned k = 0; k < n; k++)
		values[k] = (double)NAN;
	return values;
}

static void series_begin(struct arena *a, const struct gpu_options *o, const struct task *task, struct series *s)
{
	struct session like = {.workload = NULL};
	list_variants(a, o, &like);
	*s = (struct series){.task = task, .n = o->sizes.n, .nversions = like.nvariants};
	s->size = alloc_unknown(a, s->n);
	s->cpu_ms = alloc_unknown(a, s->n);
	for (unsigned k = 0; k < s->n; k++)
		s->size[k] = o->sizes.at[k];
	for (unsigned v = 0; v < s->nversions; v++)
		s->version[v] = (struct course){.name = like.variant[v].name, .gpu_ms = alloc_unknown(a, s->n), .whole_ms = alloc_unknown(a, s->n),
		                                .gflops = alloc_unknown(a, s->n)};
}

/* Copies the session's measurements to point k, which is size number k. */
static void keep_point(struct arena *a, const struct session *from, unsigned k, struct series *s)
{
	for (unsigned v = 0; v < s->nversions; v++) {
		const struct variant *variant = &from->variant[v];
		double const ns = quartiles_of(a, variant->gpu_ns, from->samples).median;
		s->version[v].gpu_ms[k] = ns / 1e6;
		s->version[v].whole_ms[k] = quartiles_of(a, variant->whole_ns, from->samples).median / 1e6;
		s->version[v].gflops[k] = variant->lab.operations / ns;
	}
	if (from->cpu.measured)
		s->cpu_ms[k] = from->cpu.ns / 1e6;
}

/* ---- the table ------------------------------------------------------------------------- */

static void print_series_head(const struct series *s, const struct context *gpu, struct text *t)
{
	const struct workload *w = s->task->workload;
	const struct wanted *wanted = &s->task->wanted;
	text_string(t, workload_title(t->arena, w, wanted));
	for (unsigned k = 1; w->parameters[k].name; k++)
		text_printf(t, ", %s %u", w->parameters[k].name, wanted->number[k]);
	text_printf(t, "%s%s: %s\non %s (%s)\n\n", w->any_format ? ", " : "", w->any_format ? image_formats[wanted->format].name : "",
	            w->summary, gpu->renderer, language_names[gpu->language]);
	text_printf(t, "%6s %-8s %10s %6s %10s %8s %9s %-5s %10s\n", w->parameters->name, "", "GPU ms", "ratio", "whole ms",
	            "GFLOPS", "error", "", "CPU ms");
}

static void print_number(struct text *t, int width, int digits, double value)
{
	if (isfinite(value))
		text_printf(t, " %*.*f", width, digits, value);
	else
		text_printf(t, " %*s", width, "");
}

static void print_point(const struct session *from, const struct series *s, unsigned k, unsigned v, struct text *t)
{
	const struct course *c = &s->version[v];
	const struct finding *f = &from->variant[v].finding;
	text_printf(t, "%6s %-8s", v ? "" : arena_printf(t->arena, "%.0f", s->size[k]), c->name);
	print_number(t, 10, 4, c->gpu_ms[k]);
	print_number(t, 6, 3, v ? variant_ratio(t->arena, from, &from->variant[v]).median : (double)NAN);
	print_number(t, 10, 4, c->whole_ms[k]);
	print_number(t, 8, 3, c->gflops[k]);
	if (from->check)
		text_printf(t, " %9.3g %-5s", f->error, f->error <= f->most ? "right" : "WRONG");
	else
		text_printf(t, " %9s %-5s", "", "");
	print_number(t, 10, 4, v ? (double)NAN : s->cpu_ms[k]);
	while (t->n && t->at[t->n - 1] == ' ')
		t->at[--t->n] = '\0';
	text_char(t, '\n');
}

/* Prints the lines of size number k.  Returns EXIT_REJECTED if a result is checked and wrong, else EXIT_DONE. */
static int print_points(const struct session *from, const struct series *s, unsigned k, struct text *t)
{
	int status = EXIT_DONE;
	for (unsigned v = 0; v < s->nversions; v++) {
		print_point(from, s, k, v, t);
		if (from->check && !(from->variant[v].finding.error <= from->variant[v].finding.most))
			status = EXIT_REJECTED;
	}
	return status;
}

/* ---- measuring ------------------------------------------------------------------------- */

/* Measures size number k and prints its lines of the table.  Returns the exit status. */
static int run_size(struct arena *a, const struct context *gpu, const struct gpu_options *o, struct series *s, unsigned k,
                    struct gpu_output *to)
{
	const struct task *task = &s->task[k];
	struct session session = {.workload = task->workload, .wanted = task->wanted};
	struct text t = {.arena = a};
	int status = EXIT_USAGE;
	const char *wrong = session_measure(a, gpu, o, &session, to);
	if (!wrong) {
		keep_point(a, &session, k, s);
		status = print_points(&session, s, k, &t);
	}
	session_close(&session);
	if (wrong)
		message_error("%s, %s %u: %s", workload_title(a, task->workload, &task->wanted), task->workload->parameters->name,
		              task->wanted.number[0], wrong);
	return wrong || output_table(to, &t) ? status : EXIT_USAGE;
}

/* ---- the picture ----------------------------------------------------------------------- */

static bool any_known(const double *values, unsigned n)
{
	for (unsigned k = 0; k < n; k++)
		if (isfinite(values[k]))
			return true;
	return false;
}

static void add_panel(struct plot *p, const char *title, const struct series *s, double *const *values)
{
	struct plot_panel *panel = &p->panel[p->n++];
	*panel = (struct plot_panel){.title = title, .log = true};
	for (unsigned v = 0; v < s->nversions; v++)
		panel->line[panel->n++] = (struct plot_line){.name = s->version[v].name, .y = values[v]};
}

static const char *plot_series(struct arena *a, const struct context *gpu, const struct gpu_options *o, const struct series *s)
{
	const struct workload *w = s->task->workload;
	double *gpu_ms[GPU_LEVELS], *whole_ms[GPU_LEVELS], *gflops[GPU_LEVELS];
	struct plot plot = {.title = arena_printf(a, "%s on %s", workload_title(a, w, &s->task->wanted), gpu->renderer),
	                    .x_title = arena_printf(a, "%s: %s", w->parameters->name, w->parameters->what), .log_x = true, .x = s->size,
	                    .points = s->n};
	for (unsigned v = 0; v < s->nversions; v++) {
		gpu_ms[v] = s->version[v].gpu_ms;
		whole_ms[v] = s->version[v].whole_ms;
		gflops[v] = s->version[v].gflops;
	}
	add_panel(&plot, "GPU time, ms", s, gpu_ms);
	add_panel(&plot, "from the CPU's memory and back, ms", s, whole_ms);
	for (unsigned k = 0; k < 2 && any_known(s->cpu_ms, s->n); k++)
		plot.panel[k].line[plot.panel[k].n++] = (struct plot_line){.name = "CPU", .y = s->cpu_ms};
	add_panel(&plot, "GFLOPS of the GPU", s, gflops);
	return plot_write(a, o->plot, &plot);
}

/* ---- one form, and all ----------------------------------------------------------------- */

static int run_series(struct arena *a, const struct context *gpu, const struct gpu_options *o, const struct task *tasks,
                      struct gpu_output *to)
{
	struct series s;
	struct text head = {.arena = a};
	series_begin(a, o, tasks, &s);
	print_series_head(&s, gpu, &head);
	int worst = output_table(to, &head) ? EXIT_DONE : EXIT_USAGE;
	for (unsigned k = 0; k < s.n; k++) {
		struct arena own;
		arena_init(&own, a->on_failure);
		int const status = run_size(&own, gpu, o, &s, k, to);
		arena_free(&own);
		worst = status > worst ? status : worst;
	}
	const char *wrong = o->plot ? plot_series(a, gpu, o, &s) : NULL;
	if (!wrong)
		return worst;
	return message_usage("%s", wrong);
}

int series_run(struct arena *a, const struct context *gpu, const struct gpu_options *o, const struct tasks *tasks, struct gpu_output *to)
{
	int worst = EXIT_DONE;
	note_software(gpu);
	for (uint32_t k = 0; k < tasks->n; k += o->sizes.n) {
		struct text blank = {.arena = a};
		text_string(&blank, "\n");
		if (k)
			output_table(to, &blank);
		int const status = run_series(a, gpu, o, &tasks->at[k], to);
		worst = status > worst ? status : worst;
	}
	return worst;
}
