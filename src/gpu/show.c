/* fpmove-gpu run: measures workloads, and prints what came out. */
#include "gpu/modes.h"

#include "cli/csv.h"
#include "cli/fit.h"
#include "cli/message.h"
#include "gpu/output.h"
#include "gpu/run.h"
#include "gpu/stages.h"

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

static void print_rate(struct text *t, double (*count)(const void *), const void *state, double ns)
{
	if (count)
		text_printf(t, " %8.4g", count(state) / ns);
	else
		text_printf(t, " %8s", "");
}

struct ratio variant_ratio(struct arena *a, const struct session *s, const struct variant *v)
{
	return stats_ratio(v->gpu_ns, s->variant->gpu_ns, s->samples, arena_alloc(a, s->samples * sizeof(double)));
}

static void print_variant(const struct session *s, const struct variant *v, struct text *t)
{
	struct quartiles const whole = output_quartiles(t->arena, v->whole_ns, s->samples);
	struct quartiles const gpu = output_quartiles(t->arena, v->gpu_ns, s->samples);
	text_printf(t, "%-9s %9.4f %9.4f %5.1f%%", v->name, whole.median / 1e6, gpu.median / 1e6, 100 * (gpu.high - gpu.low) / gpu.median);
	if (v == s->variant) {
		text_printf(t, " %24s", "");
	} else {
		struct ratio const r = variant_ratio(t->arena, s, v);
		text_string(t, "   ");
		output_ratio(t, &r);
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

/* "CPU, plain C: 12.3 ms, 5.61 of the whole; largest difference 1e-7" */
static void print_cpu(const struct session *s, struct text *t)
{
	const struct cpu_time *cpu = &s->cpu;
	if (cpu->left_out)
		text_printf(t, "CPU, plain C: not timed, as %s\n", cpu->left_out);
	if (cpu->measured)
		text_printf(t, "CPU, plain C: " FIT_HANG "%.4f ms, %.3g of the whole; %s %.3g\n", cpu->ns / 1e6,
		            cpu->ns / output_quartiles(t->arena, s->variant->whole_ns, s->samples).median, cpu->finding.what, cpu->finding.error);
}

static void print_times(const struct session *s, struct text *t)
{
	text_printf(t, "%-9s %9s %9s %6s  %-23s %8s %8s\n", "", "whole ms", "GPU ms", "spread", "to as given (95%)",
	            s->workload->operations ? "GFLOPS" : "", s->workload->traffic ? "GB/s" : "");
	for (unsigned k = 0; k < s->nvariants; k++)
		print_variant(s, &s->variant[k], t);
	text_printf(t, "of the whole as given, %.4f ms to the GPU and %.4f ms back\n", s->variant->upload_ns / 1e6, s->variant->download_ns / 1e6);
	print_cpu(s, t);
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

/* ---- spreadsheets and scripts ---------------------------------------------------------- */

static const char csv_columns[] = "workload,form,version,right,samples,whole_ms,gpu_ms,gpu_ms_low,gpu_ms_high,upload_ms,"
                                  "download_ms,ratio,ratio_low,ratio_high,gflops,gbytes_s,passes,pixels,error,allowed,cpu_ms\n";

static double rate(double (*count)(const void *), const struct variant *v, double ns)
{
	return count ? count(v->state) / ns : 0;
}

static void add_csv_line(const struct session *s, const struct variant *v, struct text *csv, struct arena *a)
{
	struct quartiles const whole = output_quartiles(a, v->whole_ns, s->samples);
	struct quartiles const gpu = output_quartiles(a, v->gpu_ns, s->samples);
	struct ratio const r = variant_ratio(a, s, v);
	struct drawn const drawn = record_drawn(&v->record);
	csv_field(csv, s->workload->name);
	csv_field(csv, s->wanted.form ? s->wanted.form : "");
	csv_field(csv, v->name);
	text_printf(csv, "%s,%u,%.6f,%.6f,%.6f,%.6f,%.6f,%.6f,%.4f,%.4f,%.4f,%.4g,%.4g,%.0f,%.0f,%.4g,%.4g,",
	            !s->check ? "" : v->finding.error <= v->finding.most ? "yes" : "no", s->samples, whole.median / 1e6,
	            gpu.median / 1e6, gpu.low / 1e6, gpu.high / 1e6, v->upload_ns / 1e6, v->download_ns / 1e6, r.median, r.low, r.high,
	            rate(s->workload->operations, v, gpu.median), rate(s->workload->traffic, v, gpu.median), drawn.passes,
	            drawn.pixels, v->finding.error, v->finding.most);
	if (s->cpu.measured)
		text_printf(csv, "%.6f", s->cpu.ns / 1e6);
	text_char(csv, '\n');
}

static json_t *json_kinds(struct arena *a, const struct variant *v)
{
	json_t *list = json_array();
	for (uint32_t k = 0; k < v->record.kinds.n; k++) {
		const struct kind *kind = &v->record.kinds.at[k];
		json_array_append_new(list, json_pack("{s:o,s:s,s:i,s:i,s:i,s:f,s:f,s:f}", "name", report_string(a, kind->name), "format",
		                                      image_formats[kind->format].name, "ps_slots", (int)program_total_slots(kind->ps), "vs_slots",
		                                      (int)program_total_slots(kind->vs), "reads", (int)kind->reads, "passes", kind->passes, "pixels",
		                                      kind->pixels, "ns", kind->ns));
	}
	return list;
}

static json_t *json_finding(struct arena *a, const struct finding *f)
{
	return json_pack("{s:o,s:b,s:o,s:o}", "what", report_string(a, f->what), "right", f->error <= f->most, "error", json_number(f->error),
	                 "most", json_number(f->most));
}

static json_t *json_variant(struct arena *a, const struct session *s, const struct variant *v)
{
	struct quartiles const whole = output_quartiles(a, v->whole_ns, s->samples);
	struct quartiles const gpu = output_quartiles(a, v->gpu_ns, s->samples);
	struct ratio const r = variant_ratio(a, s, v);
	json_t *j = json_pack("{s:o,s:o,s:o,s:f,s:f,s:o,s:o}", "name", report_string(a, v->name), "whole_ns", json_quartiles(&whole), "gpu_ns",
	                      json_quartiles(&gpu), "upload_ns", v->upload_ns, "download_ns", v->download_ns, "ratio", json_ratio(&r), "kinds",
	                      json_kinds(a, v));
	if (s->workload->operations)
		json_object_set_new(j, "operations", json_real(s->workload->operations(v->state)));
	if (s->workload->traffic)
		json_object_set_new(j, "traffic", json_real(s->workload->traffic(v->state)));
	if (s->check)
		json_object_set_new(j, "check", json_finding(a, &v->finding));
	return j;
}

static json_t *json_session(struct arena *a, const struct session *s)
{
	json_t *numbers = json_object(), *variants = json_array();
	for (unsigned k = 0; s->workload->parameters[k].name; k++)
		json_object_set_new(numbers, s->workload->parameters[k].name, json_integer(s->wanted.number[k]));
	for (unsigned k = 0; k < s->nvariants; k++)
		json_array_append_new(variants, json_variant(a, s, &s->variant[k]));
	json_t *j = json_pack("{s:s,s:o,s:I,s:i,s:o}", "workload", s->workload->name, "numbers", numbers, "seed",
	                      (json_int_t)s->wanted.seed, "samples", (int)s->samples, "versions", variants);
	if (s->cpu.measured)
		json_object_set_new(j, "cpu", json_pack("{s:f,s:o}", "ns", s->cpu.ns, "check", json_finding(a, &s->cpu.finding)));
	if (s->wanted.form)
		json_object_set_new(j, "form", json_string(s->wanted.form));
	if (s->workload->any_format)
		json_object_set_new(j, "format", json_string(image_formats[s->wanted.format].name));
	return j;
}

/* ---- one task, and all ----------------------------------------------------------------- */

static bool print_session(const struct session *s, const struct context *gpu, const struct gpu_options *o, struct text *t)
{
	print_head(s, gpu, t);
	if (!o->stages)
		print_times(s, t);
	else
		stages_print(s, t);
	return print_findings(s, t);
}

static int run_task(struct arena *a, const struct context *gpu, const struct gpu_options *o, const struct task *task, struct gpu_output *to)
{
	struct session s = {.workload = task->workload, .wanted = task->wanted, .check = o->check};
	struct text t = {.arena = a};
	int status = GPU_USAGE;
	const char *wrong = o->stages ? stages_list(a, gpu, o, &s) : NULL;
	if (!o->stages)
		list_variants(a, o, &s);
	wrong = wrong ? wrong : session_run(a, gpu, &s, o->seconds);
	wrong = wrong ? wrong : write_picture(a, o, &s);
	wrong = wrong || !o->plot ? wrong : stages_plot(a, o->plot, gpu, &s);
	if (!wrong) {
		status = print_session(&s, gpu, o, &t) ? GPU_DONE : GPU_WRONG;
		for (unsigned k = 0; k < s.nvariants; k++)
			add_csv_line(&s, &s.variant[k], &to->csv, a);
		if (to->list)
			json_array_append_new(to->list, json_session(a, &s));
	}
	session_close(&s);
	if (wrong)
		message_error("%s: %s", workload_title(a, task->workload, &task->wanted), wrong);
	return wrong || output_table(to, &t) ? status : GPU_USAGE;
}

/* Each task's memory goes when it is done. */
int do_tasks(struct arena *a, const struct context *gpu, const struct gpu_options *o, const struct tasks *tasks, task_command *run,
             struct gpu_output *to)
{
	int worst = GPU_DONE;
	if (gpu->software)
		message_note("a CPU draws here (%s): the times say little of a GPU", gpu->renderer);
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
		return GPU_USAGE;
	if ((o->png || o->plot) && tasks.n > 1) {
		message_error("--%s takes one form of one workload, and there are %u", o->png ? "png" : "plot", (unsigned)tasks.n);
		return GPU_USAGE;
	}
	output_begin(a, o, &to, csv_columns);
	return output_end(a, &to, gpu, "workloads", do_tasks(a, gpu, o, &tasks, run_task, &to));
}
