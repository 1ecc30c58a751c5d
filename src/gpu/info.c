/* fpmove-gpu info: prints the devices, and the limits of the one in use. */
#include "gpu/info.h"

#include "gpu/modes.h"

#include "cli/message.h"

#include <epoxy/gl.h>

/* Returns true if the driver makes textures of this format and draws to them. */
static bool draws_to(enum image_format format)
{
	struct image image;
	bool const good = !image_make(&image, 16, 16, format, IMAGE_CLAMP);
	if (good)
		image_delete(&image);
	return !context_error() && good;
}

static void list_limits(const struct context *gpu, struct text *t)
{
	GLint instructions[2] = {0}, units = 0;
	glGetIntegerv(GL_MAX_TEXTURE_IMAGE_UNITS, &units);
	text_printf(t, "textures   %d x %d texels at most, %d in a draw\ntargets    %d in a draw, the pixels of each:", gpu->largest, gpu->largest,
	            units, gpu->colours);
	for (enum image_format f = 0; f < IMAGE_FORMATS; f++)
		text_printf(t, " %s%s", image_formats[f].name, draws_to(f) ? "" : " (not here)");
	text_char(t, '\n');
	if (gpu->language != LANGUAGE_ARB)
		return;
	glGetProgramivARB(GL_VERTEX_PROGRAM_ARB, GL_MAX_PROGRAM_INSTRUCTIONS_ARB, &instructions[0]);
	glGetProgramivARB(GL_FRAGMENT_PROGRAM_ARB, GL_MAX_PROGRAM_INSTRUCTIONS_ARB, &instructions[1]);
	text_printf(t, "programs   of %d (vertex) and %d (pixel) instructions at most\n", instructions[0], instructions[1]);
}

/* Prints how many bits the timer's counter has; 0 means that the driver does not count. */
static void list_timer(struct text *t)
{
	GLint bits = 0;
	glGetQueryiv(GL_TIME_ELAPSED, GL_QUERY_COUNTER_BITS, &bits);
	text_printf(t, "timer      nanoseconds, %d bits\n", bits);
}

/* The first line of the CSV file, to which both measurements add lines. */
static const char info_csv_columns[] = "table,name,format,largest_ulp,rounded,results,gbytes_s\n";

/* Runs the measurements of --ulp and --bandwidth.  Returns NULL, or one sentence on what is wrong. */
static const char *run_measurements(struct arena *a, const struct context *gpu, const struct gpu_options *o, struct text *t, struct text *csv)
{
	enum image_format const format = o->format >= 0 ? (enum image_format)o->format : IMAGE_RGBA32F;
	const char *wrong = NULL;
	if ((o->ulp || o->bandwidth) && gpu->software)
		message_note("a CPU draws here (%s): these measurements say little of a GPU", gpu->renderer);
	if (o->ulp)
		wrong = info_ulp(a, gpu, format, t, csv);
	if (o->bandwidth && !wrong)
		wrong = info_bandwidth(a, gpu, format, t, csv);
	return wrong;
}

static void list_abilities(const struct context *gpu, struct text *t)
{
	text_printf(t, "\nrenderer   %s%s\nvendor     %s\nOpenGL     %s\nlanguage   %s\n", gpu->renderer,
	            gpu->software ? ": a CPU draws, so that times say little of a GPU" : "", gpu->vendor, gpu->version,
	            gpu->language == LANGUAGE_ARB ? "arb (assembly)" : "glsl");
	list_limits(gpu, t);
	list_timer(t);
}

int info_main(struct arena *a, const struct context *gpu, const struct gpu_options *o, const char *why)
{
	struct text t = {.arena = a};
	struct gpu_output to;
	const char **lines, *wrong = NULL;
	unsigned const n = context_devices(a, &lines);
	output_begin(a, o, &to, info_csv_columns);
	for (unsigned k = 0; k < n; k++)
		text_printf(&t, "device %u   %s\n", k, lines[k]);
	if (!n)
		text_string(&t, "EGL lists no devices\n");
	if (!why) {
		list_abilities(gpu, &t);
		wrong = run_measurements(a, gpu, o, &t, &to.csv);
	}
	bool const printed = output_table(&to, &t);
	if (why)
		message_error("no GPU can be used: %s", why);
	if (wrong)
		message_error("%s", wrong);
	return printed && !why && !wrong ? output_end(a, &to, gpu, "info", EXIT_DONE) : EXIT_USAGE;
}
