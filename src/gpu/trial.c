/* Times, compares and prints versions, see trial.h. */
#include "gpu/trial.h"

#include "cli/csv.h"
#include "cli/fit.h"
#include "cli/message.h"
#include "cli/pairs.h"
#include "gpu/kernel.h"
#include "gpu/stages.h"

#include <math.h>

enum { USUAL_SIZE = 2048, USUAL_SIZE_OF_CPU = 256 };

/* ---- versions -------------------------------------------------------------------------- */

const struct run *trial_pair(struct arena *a, const char *const *files, unsigned n, const struct run_options *plan, const struct run *like,
                             const char **why, bool *said_it)
{
	static const struct options plain;
	struct source *sources = arena_zero(a, n * sizeof *sources);
	struct run *r = arena_alloc(a, sizeof *r);
	run_init(r, a, like ? like->sources : sources, n, plan);
	for (unsigned k = 0; k < n && !like; k++)
		if (!input_read(a, files[k], &plain, &sources[k], &r->diags, why))
			return NULL;
	if (!r->diags.errors)
		run_all(r);
	if (run_exit_status(r->status) == EXIT_DONE)
		return r;
	struct text said = {.arena = a};
	message_diags(&said, &r->diags, false, true);
	if (r->fault)
		text_error(&said, "%s", r->fault);
	say(&said);
	*why = kernel_error(r);
	*said_it = true;
	return NULL;
}

static bool add_version(struct arena *a, struct trial *t, const char *name, const char *const *files, unsigned n,
                        const struct run_options *plan)
{
	const struct run *like = t->n && files == t->files ? t->version[0].run : NULL;
	const struct run *r = trial_pair(a, files, n, plan, like, &t->wrong, &t->said);
	if (r) {
		t->version[t->n++] = (struct version){.name = name, .run = r};
		return true;
	}
	t->status = t->said ? EXIT_REJECTED : EXIT_USAGE;
	return false;
}

static unsigned moved_of_pair(struct arena *a, const void *of, const struct run_options *plan)
{
	return stages_moved_under(a, of, plan);
}

/* Adds a version for each number of moved instructions.  Returns false if fpmove fails; then t->wrong and t->status tell why. */
static bool add_stages(struct arena *a, const struct gpu_options *o, struct trial *t, unsigned files)
{
	const struct run_options *plan[STAGES_MOST];
	unsigned moved[STAGES_MOST];
	unsigned const n = stages_find(a, o, moved_of_pair, t->version[0].run, plan, moved);
	bool good = true;
	for (unsigned k = 0; k < n && good; k++)
		good = add_version(a, t, arena_printf(a, "%u moved", moved[k]), t->files, files, plan[k]);
	return good;
}

/* Makes all versions of a trial: the pair as given and at each level or stage, or both of two pairs.  Returns false if fpmove fails; then
 * t->wrong and t->status tell why. */
static bool make_versions(struct arena *a, const struct gpu_options *o, struct trial *t)
{
	unsigned const files = t->files[1] ? 2 : 1;
	t->stages = o->stages;
	t->version = arena_zero(a, (t->stages ? STAGES_MOST + 1 : GPU_LEVELS) * sizeof *t->version);
	if (t->files[2])
		return add_version(a, t, "first", t->files, 2, gpu_options_plan(a, o, 0)) &&
		       add_version(a, t, "second", t->files + 2, 2, gpu_options_plan(a, o, 0));
	bool good = add_version(a, t, "as given", t->files, files, gpu_options_plan(a, o, 0));
	if (good && t->stages)
		return add_stages(a, o, t, files);
	for (unsigned level = 1; level < GPU_LEVELS && good; level++)
		if (o->level[level])
			good = add_version(a, t, arena_printf(a, "-O%u", level), t->files, files, gpu_options_plan(a, o, level));
	return good;
}

/* ---- measuring ------------------------------------------------------------------------- */

static const char *measure_versions(struct arena *a, const struct context *gpu, const struct gpu_options *o, struct trial *t)
{
	struct timing timing = {.ground = t->ground, .n = t->n, .pair = arena_zero(a, t->n * sizeof(struct timed))};
	const char *wrong = NULL;
	for (unsigned k = 0; k < t->n && !wrong; k++)
		wrong = drawn_pair_make(&timing.pair[k].drawn, t->version[k].run->vs_new, t->version[k].run->ps_new, &t->version[k].run->needs);
	if (wrong)
		return wrong;
	wrong = timing_run(a, gpu, &timing, o->seconds);
	for (unsigned k = 0; k < t->n && !wrong; k++) {
		struct version *v = &t->version[k];
		struct quartiles *ns = arena_alloc(a, sizeof *ns);
		*ns = quartiles_of(a, timing.pair[k].ns, timing.samples);
		v->ns = ns;
		v->ratio = stats_ratio(timing.pair[k].ns, timing.pair[0].ns, timing.samples, arena_alloc(a, timing.samples * sizeof(double)));
		v->cost = run_costs(v->run).after;
		if (k)
			wrong = drawn_pair_compare(a, gpu, &timing.pair[0].drawn, &timing.pair[k].drawn, 1, &v->seen);
	}
	t->samples = timing.samples;
	timing_close(&timing);
	return wrong;
}

void trial_run(struct arena *a, const struct context *gpu, const struct gpu_options *o, struct trial *t)
{
	int const usual = gpu->software ? USUAL_SIZE_OF_CPU : USUAL_SIZE;
	t->ground = (struct ground){.size = gpu_options_size(o) ? (int)gpu_options_size(o) : usual, .grid = (int)o->grid,
	                            .format = o->format >= 0 ? (enum image_format)o->format : IMAGE_RGBA8, .linear = !o->nearest};
	if (!make_versions(a, o, t))
		return;
	t->wrong = measure_versions(a, gpu, o, t);
	t->status = t->wrong ? EXIT_USAGE : EXIT_DONE;
	for (unsigned k = 1; k < t->n && !t->wrong; k++)
		if (t->version[k].seen.beyond)
			t->status = EXIT_REJECTED;
}

const char *trial_name(struct arena *a, const char *vs, const char *ps, unsigned columns)
{
	struct text t = {.arena = a};
	fit_pair(&t, vs, ps, columns);
	return t.at;
}

/* ---- one pair, for people -------------------------------------------------------------- */

static void print_version(const struct trial *t, const struct version *v, struct text *out)
{
	double const pixels = (double)t->ground.size * t->ground.size;
	text_printf(out, "%-9s %9.2f %6.1f%% %9.4f", v->name, v->ns->median / 1e3,
	            100 * (v->ns->high - v->ns->low) / v->ns->median, v->ns->median / pixels);
	if (v == t->version) {
		text_printf(out, " %24s", "");
	} else {
		text_string(out, "   ");
		output_ratio(out, &v->ratio);
	}
	text_printf(out, " %4u %4u", program_total_slots(v->run->ps_new), program_total_slots(v->run->vs_new));
	if (v != t->version)
		text_printf(out, " %6.3f", v->cost / t->version->cost);
	text_char(out, '\n');
}

/* Lists the outputs that differ, like "oC0 by up to 0.25 in 812 of 4608 pixels". */
static void print_differences(const struct comparison *c, struct text *out)
{
	bool first = true;
	for (unsigned t = 0; t < SCENE_TARGETS; t++) {
		const struct difference *d = &c->of[t];
		if (!d->beyond)
			continue;
		text_printf(out, "%s%s by up to %.3g in %u of %u pixels", first ? "" : ", ", scene_target_name(t),
		            (double)d->farthest, d->beyond, d->total);
		first = false;
	}
}

/* Returns the figures of each version as a stage (see stages.h). */
static const struct stage_figures *stages_of(struct arena *a, const struct trial *t)
{
	struct stage_figures *stages = arena_alloc(a, t->n * sizeof *stages);
	for (unsigned k = 0; k < t->n; k++) {
		const struct run *r = t->version[k].run;
		stages[k] = (struct stage_figures){.moved = stages_moved(r), .vs = program_total_slots(r->vs_new), .ps = program_total_slots(r->ps_new),
		                           .ns = *t->version[k].ns, .ratio = t->version[k].ratio, .whole_ns = (double)NAN,
		                           .gflops = (double)NAN};
	}
	return stages;
}

/* Prints one line on all stages that draw the same as the pair as given; nothing if none does. */
static void print_sameness(const struct trial *t, struct text *out)
{
	double largest = 0;
	unsigned same = 0;
	for (unsigned k = 1; k < t->n; k++)
		if (!t->version[k].seen.beyond) {
			same++;
			largest = fmax(largest, (double)t->version[k].seen.largest);
		}
	if (same)
		text_printf(out, "%u of %u stages draw the same but for rounding, %.2g at most\n", same, t->n - 1, largest);
}

static void print_verdicts(const struct trial *t, struct text *out)
{
	for (unsigned k = 1; k < t->n; k++) {
		const struct version *v = &t->version[k];
		if (t->stages && !v->seen.beyond)
			continue;
		text_printf(out, "%-9s " FIT_HANG, v->name);
		if (v->seen.beyond) {
			text_string(out, "DIFFERENT: ");
			print_differences(&v->seen, out);
			text_string(out, ", more than rounding does\n");
		} else {
			text_printf(out, "draws the same but for rounding, %.2g at most%s; ", v->seen.largest,
			            v->seen.shows ? "" : " (a picture of one colour, which shows little)");
			text_string(out, ratio_is_none(&v->ratio) ? "no difference in time\n" : v->ratio.median < 1 ? "faster\n" : "slower\n");
		}
	}
}

static void print_versions(const struct trial *t, struct text *out)
{
	text_printf(out, "%-9s %9s %7s %9s   %-22s %4s %4s %6s\n", "", "us a draw", "spread", "ns/pixel",
	            "time to the first (95%)", "FP", "VP", "target");
	for (unsigned k = 0; k < t->n; k++)
		print_version(t, &t->version[k], out);
}

void trial_print(const struct trial *t, const struct context *gpu, struct text *out)
{
	text_string(out, t->name);
	text_printf(out, "\non %s (%s), %d x %d pixels, %s, %s, %u samples in turns\n\n", gpu->renderer,
	            language_names[gpu->language], t->ground.size, t->ground.size, image_formats[t->ground.format].name,
	            t->ground.linear ? "linear" : "nearest", t->samples);
	if (t->stages)
		stages_print(stages_of(out->arena, t), t->n, out);
	else
		print_versions(t, out);
	text_char(out, '\n');
	if (t->stages)
		print_sameness(t, out);
	print_verdicts(t, out);
}

const char *trial_plot(struct arena *a, const char *path, const struct context *gpu, const struct trial *t)
{
	const char *title = arena_printf(a, "%s, size %d, %s, on %s", t->name, t->ground.size, image_formats[t->ground.format].name, gpu->renderer);
	return stages_plot(a, path, title, stages_of(a, t), t->n);
}

/* ---- spreadsheets and scripts ---------------------------------------------------------- */

const char trial_csv_columns[] = "vs,ps,version,status,size,format,filter,samples,us,us_low,us_high,ns_pixel,ratio,ratio_low,ratio_high,"
                               "predicted,largest_difference,pixels_beyond,ps_slots,vs_slots,moved\n";

static const char *version_status(const struct version *v)
{
	return v->seen.beyond ? "different" : "done";
}

static void add_versions_to_csv(const struct trial *t, struct text *csv)
{
	double const pixels = (double)t->ground.size * t->ground.size;
	for (unsigned k = 0; k < t->n && !t->wrong; k++) {
		const struct version *v = &t->version[k];
		csv_field(csv, v->run->vs->source->name);
		csv_field(csv, v->run->ps->source->name);
		csv_field(csv, v->name);
		text_printf(csv, "%s,%d,%s,%s,%u,%.4f,%.4f,%.4f,%.6f,%.4f,%.4f,%.4f,%.4f,%.4g,%u,%u,%u,%u\n", version_status(v), t->ground.size,
		            image_formats[t->ground.format].name, t->ground.linear ? "linear" : "nearest", t->samples, v->ns->median / 1e3,
		            v->ns->low / 1e3, v->ns->high / 1e3, v->ns->median / pixels, v->ratio.median, v->ratio.low, v->ratio.high,
		            v->cost / t->version->cost, v->seen.largest, v->seen.beyond, program_total_slots(v->run->ps_new),
		            program_total_slots(v->run->vs_new), stages_moved(v->run));
	}
	if (!t->wrong)
		return;
	csv_field(csv, t->files[0]);
	csv_field(csv, t->files[1] ? t->files[1] : t->files[0]);
	text_string(csv, "\"\",rejected,,,,,,,,,,,,,,,,,\n");
}

static json_t *json_outputs(const struct comparison *c)
{
	json_t *list = json_array();
	for (unsigned t = 0; t < SCENE_TARGETS; t++)
		if (c->of[t].images)
			json_array_append_new(list, json_pack("{s:s,s:o,s:i,s:i,s:i}", "output", scene_target_name(t), "largest",
			                                      json_number((double)c->of[t].farthest), "beyond", (int)c->of[t].beyond,
			                                      "flips", (int)c->of[t].flips, "pixels", (int)c->of[t].total));
	return list;
}

static json_t *json_version(struct arena *a, const struct trial *t, const struct version *v)
{
	json_t *j = json_pack("{s:o,s:o,s:o,s:i,s:i,s:i,s:f,s:o}", "name", report_string(a, v->name), "vs",
	                      report_name(a, v->run->vs->source->name), "ps", report_name(a, v->run->ps->source->name),
	                      "ps_slots", (int)program_total_slots(v->run->ps_new), "vs_slots",
	                      (int)program_total_slots(v->run->vs_new), "moved", (int)stages_moved(v->run), "cost", v->cost, "ns", json_quartiles(v->ns));
	if (v == t->version)
		return j;
	json_object_set_new(j, "ratio", json_ratio(&v->ratio));
	json_object_set_new(j, "same", json_boolean(!v->seen.beyond));
	json_object_set_new(j, "shows", json_boolean(v->seen.shows));
	json_object_set_new(j, "outputs", json_outputs(&v->seen));
	return j;
}

static json_t *json_trial(struct arena *a, const struct trial *t)
{
	json_t *versions = json_array();
	for (unsigned k = 0; k < t->n && !t->wrong; k++)
		json_array_append_new(versions, json_version(a, t, &t->version[k]));
	const char *status = t->wrong ? "rejected" : t->status == EXIT_DONE ? "done" : "different";
	json_t *j = json_pack("{s:s,s:o,s:o,s:i,s:i,s:s,s:s,s:i,s:o}", "status", status, "vs", report_name(a, t->files[0]),
	                      "ps", report_name(a, t->files[1] ? t->files[1] : t->files[0]), "size", t->ground.size, "grid", t->ground.grid,
	                      "format", image_formats[t->ground.format].name, "filter", t->ground.linear ? "linear" : "nearest",
	                      "samples", (int)t->samples, "versions", versions);
	if (t->wrong)
		json_object_set_new(j, "why", report_string(a, t->wrong));
	return j;
}

void trial_keep(struct arena *a, const struct trial *t, struct gpu_output *to)
{
	add_versions_to_csv(t, &to->csv);
	if (to->list)
		json_array_append_new(to->list, json_trial(a, t));
}

