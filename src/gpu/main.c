/* fpmove-gpu: measures how much time moving instructions saves on the GPU of this machine. */
#include "cli/files.h"
#include "cli/fit.h"
#include "cli/guard.h"
#include "cli/message.h"
#include "gpu/modes.h"

const char command_name[] = "fpmove-gpu";

static gpu_command *command_of(enum gpu_mode mode)
{
	switch (mode) {
	case GPU_TIME: return time_main;
	case GPU_RUN: return run_main;
	case GPU_PREDICT: return predict_main;
	case GPU_CALIBRATE: return calibrate_main;
	case GPU_INFO:
	case GPU_HELP:
	case GPU_VERSION: break;
	}
	return NULL;
}

static int run_on_device(struct arena *a, const struct gpu_options *o)
{
	struct context gpu;
	const char *wrong = context_open(a, o->device, o->language, &gpu);
	int status = EXIT_USAGE;
	if (o->mode == GPU_INFO)
		status = info_main(a, &gpu, o, wrong);
	else if (wrong)
		message_error("no GPU can be used: %s", wrong);
	else
		status = command_of(o->mode)(a, &gpu, o);
	if (!wrong)
		context_close(&gpu);
	return status;
}

/* Returns true if no output overwrites an input or another output, and at most one goes to standard output.  Returns false after a message. */
static bool outputs_are_safe(struct arena *a, const struct gpu_options *o)
{
	struct guarded const out[] = {{"--csv", o->csv}, {"--json", o->json}, {"--png", o->png}, {"--plot", o->plot}, {"-o", o->output}};
	const char *const more[] = {o->input, o->batch};
	struct names inputs = {0};
	const char *why, *shown = NULL;
	for (unsigned k = 0; k < sizeof out / sizeof *out; k++) {
		if (!out[k].path || strcmp(out[k].path, "-") != 0)
			continue;
		if (shown)
			return message_error("%s and %s: two different outputs would go to standard output", shown, out[k].option);
		shown = out[k].option;
	}
	for (uint32_t k = 0; k < o->words.n && (o->mode == GPU_TIME || gpu_options_pair(o)); k++)
		VEC_PUSH(a, &inputs) = o->words.at[k];
	for (uint32_t k = 0; k < o->also_read.n; k++)
		VEC_PUSH(a, &inputs) = o->also_read.at[k];
	for (unsigned k = 0; k < sizeof more / sizeof *more; k++)
		if (more[k])
			VEC_PUSH(a, &inputs) = more[k];
	return guard_files(a, out, sizeof out / sizeof *out, &inputs, &why) || message_error("%s", why);
}

static int run_command_line(struct arena *a, int argc, char **argv)
{
	struct gpu_options o;
	struct text t = {.arena = a};
	if (!gpu_options_parse(a, argc, argv, &o) || !outputs_are_safe(a, &o))
		return EXIT_USAGE;
	if (!(o.mode & (GPU_HELP | GPU_VERSION)))
		return run_on_device(a, &o);
	if (o.mode == GPU_HELP)
		gpu_options_help(&t);
	else
		text_printf(&t, "%s%s\n", command_name, build_name + strlen("fpmove"));
	fit_lines(&t, 0, 2, o.columns);
	return print_out(&t) ? EXIT_DONE : EXIT_USAGE;
}

int main(int argc, char **argv)
{
	return command_run(argc, argv, run_command_line);
}
