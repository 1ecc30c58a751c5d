/* Prints and writes a trial, see trial.h. */
#include "gpu/trial.h"

#include "cli/csv.h"
#include "cli/fit.h"
#include "gpu/stages.h"

#include <math.h>

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
		text_printf(out, "%s%s by up to %.3g in %u of %u pixels", first ? "" : ", ", scene_target_names[t],
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

/* Prints one line on all stages that draw the same as the pair as given. */
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
			json_array_append_new(list, json_pack("{s:s,s:o,s:i,s:i,s:i}", "output", scene_target_names[t], "largest",
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

