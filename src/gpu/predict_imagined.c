/* Predicts programs that do not exist yet from their texture reads, see predict.h. */
#include "gpu/predict.h"

#include "cli/csv.h"
#include "cli/message.h"

/* A program that runs in passes, as --reads, --pixels, --bytes and --passes describe it. */
struct imagined {
	double reads, pixels, bytes, passes;
	enum image_format format; /* the format whose measured bandwidths are taken */
};

/* Times in ns of the transfer to the GPU (T1), of all passes (T2), of the transfer back (T3) and of all (T), and the relative errors of the
 * model in calibration. */
enum { PARTS = 4 };
struct imagined_times {
	double ns[PARTS], error[PARTS];
};
static const char *const part_names[PARTS] = {"T1", "T2", "T3", "T"};
static const char *const part_meanings[PARTS] = {"T1, to the GPU", "T2, all passes", "T3, back", "T"};

static struct imagined imagine(const struct gpu_options *o)
{
	double const side = gpu_options_size(o);
	struct imagined i = {.reads = o->reads, .pixels = o->pixels ? o->pixels : side * side, .passes = o->passes ? o->passes : 1};
	i.format = o->format >= 0 ? (enum image_format)o->format : o->bytes == 4 ? IMAGE_RGBA8 : o->bytes == 8 ? IMAGE_RGBA16F : IMAGE_RGBA32F;
	i.bytes = o->bytes ? o->bytes : image_formats[i.format].bytes;
	return i;
}

/* Estimates T1 = J S / B1 + L1, T2 = I (K J S / B2 + L2) and T3 = J S / B3 + L3, for I passes of J pixels of S bytes, each with K reads, by
 * the bandwidths B and latencies L of transfers to the GPU (1), passes (2) and transfers back (3). */
static struct imagined_times estimate_imagined(const struct imagined *i, const struct rates *r)
{
	double const image = i->pixels * i->bytes;
	struct path const pass = {r->bandwidth, r->gpu.other};
	struct imagined_times e = {.ns = {model_path_ns(r->up, 1, image), i->passes * model_path_ns(pass, 1, i->reads * image),
	                                  model_path_ns(r->down, 1, image)},
	                           .error = {r->error.up, r->error.reads, r->error.down}};
	for (unsigned k = 0; k < PARTS - 1; k++) {
		e.ns[PARTS - 1] += e.ns[k];
		e.error[PARTS - 1] += e.ns[k] * e.error[k];
	}
	e.error[PARTS - 1] /= e.ns[PARTS - 1];
	return e;
}

static void print_estimate(struct text *t, const struct imagined *i, const struct imagined_times *e)
{
	text_printf(t, "\n%-28s %12s  %s\n", "ms", "by its reads", "off in calibration by up to");
	for (unsigned k = 0; k < PARTS; k++)
		text_printf(t, "%-28s %12.4f  %.1f%%\n", part_meanings[k], e->ns[k] / 1e6, 100 * e->error[k]);
	text_printf(t, "%-28s %12.4f\n", "of T2, a pass", e->ns[1] / i->passes / 1e6);
}

static void add_imagined_to_csv(struct arena *a, struct text *csv, const struct imagined *i, const struct imagined_times *e)
{
	for (unsigned k = 0; k < PARTS; k++) {
		text_string(csv, "\"\",\"\",");
		csv_field(csv, arena_printf(a, "reads=%.0f pixels=%.0f bytes=%.0f passes=%.0f", i->reads, i->pixels, i->bytes, i->passes));
		csv_field(csv, image_formats[i->format].name);
		text_printf(csv, "\"\",\"%s ms\",%.0f,,%.6f,,%.4f,\n", part_names[k], i->passes, e->ns[k] / 1e6, e->error[k]);
	}
}

int predict_imagined(struct arena *a, const struct context *gpu, const struct gpu_options *o, struct gpu_output *to)
{
	struct predict p = predict_begin(a, gpu, o);
	struct imagined const i = imagine(o);
	struct text t = {.arena = a};
	note_software(gpu);
	const char *wrong = predict_measure(a, &p, i.format);
	if (wrong)
		return message_usage("%s", wrong);
	struct imagined_times const e = estimate_imagined(&i, &p.machine.of[i.format]);
	text_printf(&t, "%.0f reads for each of %.0f pixels of %.0f bytes, passes %.0f: a program that does not exist yet\n", i.reads, i.pixels,
	            i.bytes, i.passes);
	text_printf(&t, "on %s (%s), bytes a second as of %s\n\n", gpu->renderer, language_names[gpu->language], image_formats[i.format].name);
	predict_print_rates(&t, &p, 1u << i.format);
	print_estimate(&t, &i, &e);
	add_imagined_to_csv(a, &to->csv, &i, &e);
	return output_table(to, &t) ? EXIT_DONE : EXIT_USAGE;
}
