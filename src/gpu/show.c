/* fpmove-gpu run: measures workloads, and prints what came out. */
#include "gpu/modes.h"

#include "cli/files.h"
#include "cli/fit.h"
#include "cli/message.h"
#include "gpu/run.h"
#include "gpu/stats.h"

static double *numbers(struct arena *a, size_t n)
{
	return arena_alloc(a, n * sizeof(double));
}

static struct quartiles quartiles_of(struct arena *a, const double *values, size_t n)
{
	double *copy = numbers(a, n);
	memcpy(copy, values, n * sizeof *copy);
	return stats_quartiles(copy, n);
}

/* ---- the tables ------------------------------------------------------------------------ */

static void print_head(const struct session *s, const struct context *gpu, struct text *t)
{
	const struct workload *w = s->workload;
	double passes = 0, pixels = 0;
	for (uint32_t k = 0; k < s->variant->record.kinds.n; k++) {
		passes += s->variant->record.kinds.at[k].passes;
		pixels += s->variant->record.kinds.at[k].pixels;
	}
	text_printf(t, "%s%s%s", w->name, s->job.form ? " " : "", s->job.form ? s->job.form : "");
	for (unsigned k = 0; w->parameters[k].name; k++)
		text_printf(t, ", %s %u", w->parameters[k].name, s->job.number[k]);
	text_printf(t, "%s%s: %s\n", w->any_format ? ", " : "", w->any_format ? image_formats[s->job.format].name : "", w->summary);
	text_printf(t, "on %s (%s), %.0f passes of %.0f pixels in all, %u samples in turns\n\n", gpu->renderer, language_names[gpu->language], passes,
	            pixels, s->samples);
}

static void print_rate(struct text *t, double (*count)(const void *), const void *state, double ns)
{
	if (count)
		text_printf(t, " %8.4g", count(state) / ns);
	else
		text_printf(t, " %8s", "");
}

static void print_variant(const struct session *s, const struct variant *v, struct text *t)
{
	struct quartiles const whole = quartiles_of(t->arena, v->whole_ns, s->samples), gpu = quartiles_of(t->arena, v->gpu_ns, s->samples);
	text_printf(t, "%-9s %9.4f %9.4f %5.1f%%", v->name, whole.median / 1e6, gpu.median / 1e6, 100 * (gpu.high - gpu.low) / gpu.median);
	if (v == s->variant) {
		text_printf(t, " %24s", "");
	} else {
		struct ratio const r = stats_ratio(v->gpu_ns, s->variant->gpu_ns, s->samples, numbers(t->arena, s->samples));
		text_printf(t, "  %6.3f (%.3f to %.3f)", r.median, r.low, r.high);
	}
	print_rate(t, s->workload->operations, v->state, gpu.median);
	print_rate(t, s->workload->traffic, v->state, gpu.median);
	text_char(t, '\n');
}

static void print_kinds(const struct variant *v, struct text *t)
{
	for (uint32_t k = 0; k < v->record.kinds.n; k++) {
		const struct kind *kind = &v->record.kinds.at[k];
		text_printf(t, "%-9s %-20s %5u %5u %5u %8.0f %10.4f %9.4f\n", v->name, kind->name, program_total_slots(kind->ps),
		            program_total_slots(kind->vs), kind->reads, kind->passes, kind->ns / 1e6, kind->ns / kind->pixels);
	}
	double const copied = transfers_all(v->record.copied).bytes;
	if (copied > 0)
		text_printf(t, "%-9s %-20s %26s %10.4f %6.2f GB/s\n", v->name, "copies", "", v->record.copy_ns / 1e6, copied / v->record.copy_ns);
}

/* "A" and "G" are what the authors of the workloads call these times. */
static void print_times(const struct session *s, struct text *t)
{
	text_printf(t, "%-9s %9s %9s %6s  %-23s %8s %8s\n", "", "whole ms", "GPU ms", "spread", "to as given (95%)", s->workload->operations ? "GFLOPS" : "",
	            s->workload->traffic ? "GB/s" : "");
	for (unsigned k = 0; k < s->nvariants; k++)
		print_variant(s, &s->variant[k], t);
	text_printf(t, "of the whole as given, %.4f ms to the GPU and %.4f ms back\n", s->variant->upload_ns / 1e6, s->variant->download_ns / 1e6);
	text_printf(t, "\n%-9s %-20s %5s %5s %5s %8s %10s %9s\n", "", "kinds of passes", "FP", "VP", "reads", "passes", "GPU ms", "ns/pixel");
	for (unsigned k = 0; k < s->nvariants; k++)
		print_kinds(&s->variant[k], t);
}

/* True: all results are right. */
static bool print_findings(const struct session *s, struct text *t)
{
	bool right = true;
	for (unsigned k = 0; k < s->nvariants && s->check; k++) {
		const struct finding *f = &s->variant[k].finding;
		bool const good = f->error <= f->most;
		right &= good;
		text_printf(t, "%s%-9s " FIT_HANG "%s %.3g, %s %.3g\n", k ? "" : "\n", s->variant[k].name, f->what, f->error,
		            good ? "within" : "WRONG: more than", f->most);
		if (f->more)
			text_string(t, f->more);
	}
	return right;
}

/* ---- from options to tables ------------------------------------------------------------ */

void list_variants(struct arena *a, const struct gpu_options *o, struct session *s)
{
	s->variant = arena_zero(a, GPU_LEVELS * sizeof *s->variant);
	s->variant[s->nvariants++].name = "as given";
	for (unsigned level = 1; level < GPU_LEVELS; level++)
		if (o->level[level])
			s->variant[s->nvariants++] = (struct variant){.name = arena_printf(a, "-O%u", level), .plan = gpu_options_plan(a, o, level)};
}

static const char *write_picture(struct arena *a, const struct gpu_options *o, const struct session *s)
{
	struct picture p;
	struct variant *last = &s->variant[s->nvariants - 1];
	if (!o->png)
		return NULL;
	s->workload->picture(&last->lab, last->state, &p);
	return picture_write(a, o->png, &p);
}

static int run_task(struct arena *a, const struct context *gpu, const struct gpu_options *o, const struct task *task)
{
	struct session s = {.workload = task->workload, .job = task->job, .check = o->check};
	struct text t = {.arena = a};
	bool right = false;
	list_variants(a, o, &s);
	const char *wrong = session_run(a, gpu, &s, o->seconds);
	wrong = wrong ? wrong : write_picture(a, o, &s);
	if (!wrong) {
		print_head(&s, gpu, &t);
		print_times(&s, &t);
		right = print_findings(&s, &t);
		fit_lines(&t, 0, 2, o->columns);
	}
	session_close(&s);
	if (!wrong && print_out(&t, &wrong))
		return right ? GPU_DONE : GPU_WRONG;
	message_error("%s%s%s: %s", task->workload->name, task->job.form ? " " : "", task->job.form ? task->job.form : "", wrong);
	return GPU_USAGE;
}

int do_tasks(struct arena *a, const struct context *gpu, const struct gpu_options *o, const struct tasks *tasks, task_command *run)
{
	int worst = GPU_DONE;
	if (gpu->software)
		message_note("a CPU draws here (%s): the times say little of a GPU", gpu->renderer);
	for (uint32_t k = 0; k < tasks->n; k++) {
		struct text blank = {.arena = a};
		const char *why;
		text_string(&blank, "\n");
		if (k)
			print_out(&blank, &why);
		struct arena_mark const mark = arena_mark(a);
		int const status = run(a, gpu, o, &tasks->at[k]);
		arena_release(a, mark);
		worst = status > worst ? status : worst;
	}
	return worst;
}

int run_main(struct arena *a, const struct context *gpu, const struct gpu_options *o)
{
	struct tasks tasks;
	if (!gpu_options_tasks(a, o, &tasks))
		return GPU_USAGE;
	if (!o->png || tasks.n <= 1)
		return do_tasks(a, gpu, o, &tasks, run_task);
	message_error("--png takes one form of one workload, and there are %u", (unsigned)tasks.n);
	return GPU_USAGE;
}
