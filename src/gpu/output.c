/* Prints and writes results, see output.h. */
#include "gpu/output.h"

#include "cli/files.h"
#include "cli/fit.h"
#include "cli/message.h"
#include "fpmove.h"

#include <math.h>

void output_begin(struct arena *a, const struct gpu_options *o, struct gpu_output *to, const char *csv_head)
{
	*to = (struct gpu_output){.options = o, .csv = {.arena = a}, .list = o->json ? json_array() : NULL};
	text_string(&to->csv, csv_head);
}

/* Returns true if an output file goes to standard output. */
static bool file_to_stdout(const struct gpu_options *o)
{
	const char *const paths[] = {o->csv, o->json, o->png, o->plot, o->output};
	for (unsigned k = 0; k < sizeof paths / sizeof *paths; k++)
		if (paths[k] && strcmp(paths[k], "-") == 0)
			return true;
	return false;
}

bool output_table(const struct gpu_output *to, struct text *t)
{
	const struct gpu_options *o = to->options;
	if (file_to_stdout(o))
		return true;
	fit_lines(t, 0, 2, o->columns);
	return print_out(t);
}

/* Returns the JSON document: the device, the options, and the list of results under `name`. */
static json_t *json_document(struct arena *a, struct gpu_output *to, const struct context *gpu, const char *name)
{
	json_t *device = json_pack("{s:o,s:o,s:o,s:s,s:b}", "renderer", report_string(a, gpu->renderer), "vendor", report_string(a, gpu->vendor),
	                           "opengl", report_string(a, gpu->version), "language", language_names[gpu->language], "software", gpu->software);
	const struct names *moving = &to->options->moving;
	return json_pack("{s:s,s:i,s:o,s:s,s:o,s:o}", "fpmove", FPMOVE_VERSION, "schema", 1, "device", device, "target",
	                 run_target_name(&to->options->plan), "options", report_options(a, moving->at, moving->n), name, to->list);
}

int output_end(struct arena *a, struct gpu_output *to, const struct context *gpu, const char *name, int status)
{
	struct output files[2];
	struct text json = {.arena = a};
	uint32_t n = 0;
	const char *why;
	if (to->options->csv)
		files[n++] = (struct output){.path = to->options->csv, .text = to->csv.at, .n = to->csv.n};
	if (to->options->json) {
		report_text(&json, json_document(a, to, gpu, name), 0);
		files[n++] = (struct output){.path = to->options->json, .text = json.at, .n = json.n};
	}
	if (files_write(a, files, n, &why))
		return status;
	return message_usage("%s", why);
}

void note_software(const struct context *gpu)
{
	if (gpu->software)
		message_note("a CPU draws here (%s), so the times say little about GPUs", gpu->renderer);
}

void output_ratio(struct text *t, const struct ratio *r)
{
	text_printf(t, "%.3f (%.3f to %.3f)", r->median, r->low, r->high);
}
