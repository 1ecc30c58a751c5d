/* Measures a workload by the options, and writes it for spreadsheets and scripts, see run_report.h. */
#include "gpu/run_report.h"

#include "cli/csv.h"

#include <math.h>

const char session_csv_columns[] = "workload,form,version,right,samples,whole_ms,gpu_ms,gpu_ms_low,gpu_ms_high,upload_ms,"
                                  "download_ms,ratio,ratio_low,ratio_high,gflops,gbytes_s,passes,pixels,error,allowed,cpu_ms,size,"
                                   "moved,vs_slots,ps_slots,whole_ratio,published_gflops\n";

/* ---- stages ---------------------------------------------------------------------------- */

struct ratio variant_ratio(struct arena *a, const struct session *s, const struct variant *v)
{
	return stats_ratio(v->gpu_ns, s->variant->gpu_ns, s->samples, arena_alloc(a, s->samples * sizeof(double)));
}

/* Returns how many instructions of all recorded programs move under a plan. */
static unsigned moved_in_all(struct arena *a, const void *of, const struct run_options *plan)
{
	const struct record *record = of;
	unsigned sum = 0;
	for (uint32_t k = 0; k < record->kinds.n; k++)
		sum += stages_moved_under(a, record->kinds.at[k].run, plan);
	return sum;
}

/* Records one computation with the programs as given.  Returns NULL, or one sentence on why that fails. */
static const char *find_programs(struct arena *a, const struct context *gpu, const struct session *s, struct record *record)
{
	struct lab lab = {.arena = a, .gpu = gpu, .wanted = &s->wanted, .record = record};
	record_start(record, a, false);
	const char *wrong = s->workload->open(&lab);
	if (!wrong) {
		lab_upload(&lab);
		s->workload->compute(&lab);
		wrong = context_error();
	}
	lab_close(&lab);
	return wrong;
}

/* Lists the session's variants: as given, and one for each stage (number of moved instructions).  Returns NULL, or one sentence on why the
 * workload cannot be opened. */
static const char *list_stages(struct arena *a, const struct context *gpu, const struct gpu_options *o, struct session *s)
{
	struct record record;
	const struct run_options *plan[STAGES_MOST];
	unsigned moved[STAGES_MOST];
	const char *wrong = find_programs(a, gpu, s, &record);
	unsigned const n = wrong ? 0 : stages_find(a, o, moved_in_all, &record, plan, moved);
	s->variant = arena_zero(a, (n + 1) * sizeof *s->variant);
	s->variant[s->nvariants++].name = "as given";
	for (unsigned k = 0; k < n; k++)
		s->variant[s->nvariants++] = (struct variant){.name = arena_printf(a, "%u moved", moved[k]), .plan = plan[k]};
	record_free(&record);
	return wrong;
}

/* Returns the figures of one variant as a stage (stages.h). */
static struct stage_figures run_stage(struct arena *a, const struct session *s, const struct variant *v)
{
	struct stage_figures stage = {.ns = quartiles_of(a, v->gpu_ns, s->samples), .ratio = variant_ratio(a, s, v), .back_ns = v->download_ns};
	stage.whole_ns = quartiles_of(a, v->whole_ns, s->samples).median;
	stage.whole_ratio = stats_ratio(v->whole_ns, s->variant->whole_ns, s->samples, arena_alloc(a, s->samples * sizeof(double))).median;
	stage.gflops = v->lab.operations > 0 ? v->lab.operations / stage.ns.median : (double)NAN;
	stage.published = v->lab.published > 0 ? v->lab.published / stage.ns.median : (double)NAN;
	for (uint32_t k = 0; k < v->record.kinds.n; k++) {
		const struct kind *kind = &v->record.kinds.at[k];
		stage.moved += stages_moved(kind->run);
		stage.vs += program_total_slots(kind->vs);
		stage.ps += program_total_slots(kind->ps);
	}
	return stage;
}

const struct stage_figures *run_stages(struct arena *a, const struct session *s)
{
	struct stage_figures *stages = arena_alloc(a, s->nvariants * sizeof *stages);
	for (unsigned k = 0; k < s->nvariants; k++)
		stages[k] = run_stage(a, s, &s->variant[k]);
	return stages;
}

/* ---- CSV and JSON ---------------------------------------------------------------------- */

static void add_variant_to_csv(const struct session *s, const struct variant *v, struct text *csv, struct arena *a)
{
	struct quartiles const whole = quartiles_of(a, v->whole_ns, s->samples);
	struct quartiles const gpu = quartiles_of(a, v->gpu_ns, s->samples);
	struct ratio const r = variant_ratio(a, s, v);
	struct drawn const drawn = record_drawn(&v->record);
	csv_field(csv, s->workload->name);
	csv_field(csv, s->wanted.form ? s->wanted.form : "");
	csv_field(csv, v->name);
	text_printf(csv, "%s,%u,%.6f,%.6f,%.6f,%.6f,%.6f,%.6f,%.4f,%.4f,%.4f,%.4g,%.4g,%.0f,%.0f,%.4g,%.4g,",
	            !s->check ? "" : v->finding.error <= v->finding.most ? "yes" : "no", s->samples, whole.median / 1e6,
	            gpu.median / 1e6, gpu.low / 1e6, gpu.high / 1e6, v->upload_ns / 1e6, v->download_ns / 1e6, r.median, r.low, r.high,
	            v->lab.operations / gpu.median, v->lab.traffic / gpu.median, drawn.passes,
	            drawn.pixels, v->finding.error, v->finding.most);
	if (s->cpu.measured)
		text_printf(csv, "%.6f", s->cpu.ns / 1e6);
	struct stage_figures const stage = run_stage(a, s, v);
	text_printf(csv, ",%u,%u,%u,%u,%.4f,", s->wanted.number[0], stage.moved, stage.vs, stage.ps, stage.whole_ratio);
	text_printf(csv, v->lab.published > 0 ? "%.4g\n" : "\n", stage.published);
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
	struct quartiles const whole = quartiles_of(a, v->whole_ns, s->samples);
	struct quartiles const gpu = quartiles_of(a, v->gpu_ns, s->samples);
	struct ratio const r = variant_ratio(a, s, v);
	struct stage_figures const stage = run_stage(a, s, v);
	json_t *j = json_pack("{s:o,s:o,s:o,s:f,s:f,s:o,s:o}", "name", report_string(a, v->name), "whole_ns", json_quartiles(&whole), "gpu_ns",
	                      json_quartiles(&gpu), "upload_ns", v->upload_ns, "download_ns", v->download_ns, "ratio", json_ratio(&r), "kinds",
	                      json_kinds(a, v));
	json_object_set_new(j, "operations", json_real(v->lab.operations));
	json_object_set_new(j, "traffic", json_real(v->lab.traffic));
	if (v->lab.published > 0)
		json_object_set_new(j, "published_operations", json_real(v->lab.published));
	json_object_set_new(j, "whole_ratio", json_real(stage.whole_ratio));
	json_object_set_new(j, "moved", json_integer(stage.moved));
	if (s->check)
		json_object_set_new(j, "check", json_finding(a, &v->finding));
	return j;
}

static json_t *session_json(struct arena *a, const struct session *s)
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

/* ---- measuring ------------------------------------------------------------------------- */

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
	s->workload->picture(&last->lab, &p);
	return picture_write(a, o->png, &p);
}

const char *session_measure(struct arena *a, const struct context *gpu, const struct gpu_options *o, struct session *s, struct gpu_output *to)
{
	const char *wrong = o->stages ? list_stages(a, gpu, o, s) : NULL;
	s->check = o->check;
	if (!o->stages)
		list_variants(a, o, s);
	wrong = wrong ? wrong : session_run(a, gpu, s, o->seconds);
	wrong = wrong ? wrong : write_picture(a, o, s);
	if (wrong)
		return wrong;
	for (unsigned k = 0; k < s->nvariants; k++)
		add_variant_to_csv(s, &s->variant[k], &to->csv, a);
	if (to->list)
		json_array_append_new(to->list, session_json(a, s));
	return NULL;
}
