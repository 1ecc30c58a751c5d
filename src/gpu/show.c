/* fpmove-gpu run: measures workloads and prints the results. */
#include "gpu/modes.h"

#include "cli/fit.h"
#include "cli/message.h"
#include "gpu/run_report.h"
#include "gpu/series.h"

/* ---- the tables ------------------------------------------------------------------------ */

void print_head(const struct session *s, const struct context *gpu, struct text *t)
{
	const struct workload *w = s->workload;
	struct drawn const drawn = record_drawn(&s->variant->record);
	text_string(t, workload_title(t->arena, w, &s->wanted));
	for (unsigned k = 0; w->parameters[k].name; k++)
		text_printf(t, ", %s %u", w->parameters[k].name, s->wanted.number[k]);
	text_printf(t, "%s%s: %s\n", w->any_format ? ", " : "", w->any_format ? image_formats[s->wanted.format].name : "", w->summary);
	text_printf(t, "on %s (%s), %.0f passes of %.0f pixels in all, %u samples in turns\n\n", gpu->renderer,
	            language_names[gpu->language], drawn.passes, drawn.pixels, s->samples);
}

static void print_variant_times(const struct session *s, const struct variant *v, struct text *t)
{
	struct quartiles const whole = quartiles_of(t->arena, v->whole_ns, s->samples);
	struct quartiles const gpu = quartiles_of(t->arena, v->gpu_ns, s->samples);
	text_printf(t, "%-9s %9.4f %9.4f %5.1f%%", v->name, whole.median / 1e6, gpu.median / 1e6, 100 * (gpu.high - gpu.low) / gpu.median);
	if (v == s->variant) {
		text_printf(t, " %24s", "");
	} else {
		struct ratio const r = variant_ratio(t->arena, s, v);
		text_string(t, "   ");
		output_ratio(t, &r);
	}
	text_printf(t, " %8.4g %8.4g\n", v->lab.operations / gpu.median, v->lab.traffic / gpu.median);
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

/* Prints the CPU's time like "CPU, plain C: 12.3 ms, 5.61 of the whole; largest difference 1e-7", where the whole is the time of the first
 * variant with transfers.  Prints why if the CPU was left out, and nothing if it has no code. */
static void print_cpu(const struct session *s, struct text *t)
{
	const struct cpu_time *cpu = &s->cpu;
	if (cpu->left_out)
		text_printf(t, "CPU, plain C: not timed, as %s\n", cpu->left_out);
	if (cpu->measured)
		text_printf(t, "CPU, plain C: " FIT_HANG "%.4f ms, %.3g of the whole; %s %.3g\n", cpu->ns / 1e6,
		            cpu->ns / quartiles_of(t->arena, s->variant->whole_ns, s->samples).median, cpu->finding.what, cpu->finding.error);
}

static void print_times(const struct session *s, struct text *t)
{
	text_printf(t, "%-9s %9s %9s %6s  %-23s %8s %8s\n", "", "whole ms", "GPU ms", "spread", "to as given (95%)",
	            "GFLOPS", "GB/s");
	for (unsigned k = 0; k < s->nvariants; k++)
		print_variant_times(s, &s->variant[k], t);
	text_printf(t, "of the whole as given, %.4f ms to the GPU and %.4f ms back\n", s->variant->upload_ns / 1e6, s->variant->download_ns / 1e6);
	print_cpu(s, t);
	text_printf(t, "\n%-9s %-20s %5s %5s %5s %8s %10s %9s\n", "", "kinds of passes", "FP", "VP", "reads", "passes", "GPU ms", "ns/pixel");
	for (unsigned k = 0; k < s->nvariants; k++)
		print_kinds(&s->variant[k], t);
}

/* Prints the results of checks.  Returns true if all are right or no checks are wanted. */
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

/* ---- one task, and all ----------------------------------------------------------------- */

static bool print_session(const struct session *s, const struct context *gpu, const struct gpu_options *o, struct text *t)
{
	print_head(s, gpu, t);
	if (!o->stages)
		print_times(s, t);
	else
		stages_print(run_stages(t->arena, s), s->nvariants, t);
	if (o->stages)
		print_cpu(s, t);
	return print_findings(s, t);
}

static const char *plot_stages(struct arena *a, const char *path, const struct context *gpu, const struct session *s)
{
	const char *title = arena_printf(a, "%s, %s %u, %s, on %s", workload_title(a, s->workload, &s->wanted), s->workload->parameters->name,
	                                 s->wanted.number[0], image_formats[s->variant->record.kinds.at->format].name, gpu->renderer);
	return stages_plot(a, path, title, run_stages(a, s), s->nvariants);
}

static int run_task(struct arena *a, const struct context *gpu, const struct gpu_options *o, const struct task *task, struct gpu_output *to)
{
	struct session s = {.workload = task->workload, .wanted = task->wanted};
	struct text t = {.arena = a};
	int status = EXIT_USAGE;
	const char *wrong = session_measure(a, gpu, o, &s, to);
	wrong = wrong || !o->plot ? wrong : plot_stages(a, o->plot, gpu, &s);
	if (!wrong)
		status = print_session(&s, gpu, o, &t) ? EXIT_DONE : EXIT_REJECTED;
	session_close(&s);
	if (wrong)
		message_error("%s: %s", workload_title(a, task->workload, &task->wanted), wrong);
	return wrong || output_table(to, &t) ? status : EXIT_USAGE;
}

/* Each task has an arena of its own, so that its memory is freed before the next. */
int do_tasks(struct arena *a, const struct context *gpu, const struct gpu_options *o, const struct tasks *tasks, task_command *run,
             struct gpu_output *to)
{
	int worst = EXIT_DONE;
	note_software(gpu);
	for (uint32_t k = 0; k < tasks->n; k++) {
		struct arena own;
		struct text blank = {.arena = a};
		text_string(&blank, "\n");
		if (k)
			output_table(to, &blank);
		arena_init(&own, a->on_failure);
		int const status = run(&own, gpu, o, &tasks->at[k], to);
		arena_free(&own);
		worst = status > worst ? status : worst;
	}
	return worst;
}

int run_main(struct arena *a, const struct context *gpu, const struct gpu_options *o)
{
	struct tasks tasks;
	struct gpu_output to;
	if (!gpu_options_tasks(a, o, &tasks))
		return EXIT_USAGE;
	bool const over_sizes = o->sizes.n > 1;
	uint32_t const forms = tasks.n / (over_sizes ? o->sizes.n : 1);
	if ((o->png || o->plot) && forms > 1)
		return message_usage("--%s takes one form of one workload, and there are %u", o->png ? "png" : "plot", (unsigned)forms);
	if (o->png && over_sizes)
		return message_usage("--png takes one --size");
	output_begin(a, o, &to, session_csv_columns);
	int const status = over_sizes ? series_run(a, gpu, o, &tasks, &to) : do_tasks(a, gpu, o, &tasks, run_task, &to);
	return output_end(a, &to, gpu, "workloads", status);
}
