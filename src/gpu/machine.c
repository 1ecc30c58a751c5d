/* Measures bandwidths, latencies and costs of passes, from which the models of model.h predict times, and caches them in a JSON file; see
 * machine.h. */
#include "gpu/machine.h"

#include "cli/files.h"
#include "cli/json.h"
#include "gpu/pass_timing.h"
#include "gpu/stats.h"

#include <epoxy/gl.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

enum { SIZES = 4, READS = 5, CHAINS = 3, MOST_SAMPLES = MOST_PASS_SAMPLES };

struct bench {
	struct lab lab;
	enum image_format format;
	int edge;              /* pixels a side of `source` and `target` */
	unsigned samples, row; /* samples of each measurement; passes of a timed row */
	struct image source, target, plain, tiny[2]; /* `plain` is as large as `target`, with eight bits a channel */
	struct waker waker;
	struct kernel one, busy, read[READS], fill, chain[CHAINS]; /* reading 1, 16, and 8 to 16 texels; writing alone; multiply-adds */
	double reads[READS], reads_ns[READS]; /* bytes read and times of passes with more and more reads */
};

/* ---- programs -------------------------------------------------------------------------- */

/* Makes a kernel that adds up `reads` neighbouring texels along x: the texel itself first, then the others from left to right. */
static const char *make_read_kernel(struct bench *b, unsigned reads, struct kernel *made)
{
	struct text t = {.arena = b->lab.arena};
	text_string(&t, "ps_2_0\ndcl t0.xy\ndcl_2d s0\ntexld r0, t0, s0\n");
	add_texture_sum(&t, "t0", reads - 1);
	text_string(&t, "mov oC0, r0\n");
	const char *wrong = kernel_from_pixel_text(&b->lab, "reads", t.at, made);
	for (unsigned n = 1; n < reads && !wrong; n++)
		kernel_set(made, STAGE_PIXEL, n, (float)((int)n - (int)(reads / 2) - (n <= reads / 2)) / (float)b->edge, 0, 0, 0);
	return wrong;
}

/* Makes a kernel with a chain of multiply-adds of four lanes.  Without any links it writes a constant colour. */
static const char *make_chain(struct bench *b, unsigned links, struct kernel *k)
{
	struct text t = {.arena = b->lab.arena};
	text_string(&t, links ? "ps_2_0\ndcl t0.xy\nmul r1, t0.x, c0\nadd r0, t0.y, c1\n" : "ps_2_0\nmov r0, c0\n");
	for (unsigned n = 0; n < links; n++)
		text_string(&t, "mad r0, r0, r1, c2\n");
	text_string(&t, "mov oC0, r0\n");
	return kernel_from_pixel_text(&b->lab, "chain", t.at, k);
}

/* ---- timing ---------------------------------------------------------------------------- */

static double median(const struct bench *b, double *values)
{
	return stats_quartiles(values, b->samples).median;
}

static double draw_alone(struct bench *b, const struct pass *p)
{
	return pass_alone_ns(&b->lab, p, NULL, b->samples);
}

/* ---- measurements ---------------------------------------------------------------------- */

static unsigned texel_bytes(const struct bench *b)
{
	return image_formats[b->format].bytes;
}

/* Times a write and a read of an image as in a computation: a pass reads the written image, and its target is read back.
 * Sets `up` and `down` to the median ns of the write and of the read. */
static const char *time_transfer(struct bench *b, int width, int height, const float *texels, float *result, double *up, double *down)
{
	double there[MOST_SAMPLES], back[MOST_SAMPLES];
	struct image from, to = {.width = 0};
	const char *wrong = image_make(&from, width, height, b->format, IMAGE_CLAMP);
	wrong = wrong ? wrong : image_make(&to, width, height, b->format, IMAGE_CLAMP);
	for (unsigned k = 0; k <= b->samples && !wrong; k++) {
		glFinish();
		double const begun = stats_now_ns();
		image_write(&from, image_whole(&from), texels);
		glFinish();
		double const written = stats_now_ns();
		pass_draw(&b->lab, &(struct pass){.kernel = &b->one, .texture = {&from}, .target = {&to}});
		glFinish();
		double const drawn = stats_now_ns();
		image_read(&to, image_whole(&to), result);
		back[k ? k - 1 : 0] = stats_now_ns() - drawn;
		there[k ? k - 1 : 0] = written - begun;
	}
	if (!wrong) {
		*up = median(b, there);
		*down = median(b, back);
	}
	image_delete(&from);
	image_delete(&to);
	return wrong;
}

static const char *measure_transfers(struct bench *b, const float *texels, float *result, struct rates *r)
{
	double size[SIZES], up[SIZES], down[SIZES], least[2] = {0, 0};
	const char *wrong = time_transfer(b, 1, 1, texels, result, &least[0], &least[1]);
	for (unsigned k = 0; k < SIZES && !wrong; k++) {
		int const height = b->edge / 4 << k;
		size[k] = (double)b->edge * height * texel_bytes(b);
		wrong = time_transfer(b, b->edge, height, texels, result, &up[k], &down[k]);
	}
	if (!wrong) {
		r->up = model_path(least[0], size, up, SIZES);
		r->down = model_path(least[1], size, down, SIZES);
		r->error.up = model_path_error(r->up, size, up, SIZES);
		r->error.down = model_path_error(r->down, size, down, SIZES);
	}
	return wrong;
}

static const char *measure_reads(struct bench *b, struct rates *r)
{
	const char *wrong = NULL;
	for (unsigned n = 0; n < READS && !wrong; n++) {
		unsigned const count = 8 + 2 * n;
		wrong = make_read_kernel(b, count, &b->read[n]);
		b->reads[n] = (double)count * b->edge * b->edge * texel_bytes(b);
		if (!wrong)
			b->reads_ns[n] = draw_alone(b, &(struct pass){.kernel = &b->read[n], .texture = {&b->source}, .target = {&b->target}});
	}
	if (!wrong)
		r->bandwidth = model_path(0, b->reads, b->reads_ns, READS).bandwidth;
	return wrong;
}

/* The kinds of rows of passes that draw and read one pixel: each pass reads the pixel that the pass before drew, or all read the same pixel,
 * or each reads a copy of the pixel that the pass before drew. */
enum row { ROW_OTHER, ROW_SAME, ROW_BEHIND };

static void draw_row(struct bench *b, unsigned passes, enum row row)
{
	for (unsigned n = 0; n < passes; n++) {
		unsigned const from = row == ROW_OTHER ? n & 1 : 0;
		kernel_set(&b->one, STAGE_PIXEL, 0, 0, 0, 0, 0);
		pass_draw(&b->lab, &(struct pass){.kernel = &b->one, .texture = {&b->tiny[from]}, .target = {&b->tiny[!from]}});
		if (row == ROW_BEHIND)
			pass_copy(&b->lab, &b->tiny[1], &b->tiny[0], image_whole(b->tiny));
	}
}

/* Times in ns of the GPU and of the CPU. */
struct sides {
	double gpu, cpu;
};

/* Returns the median GPU time and the least CPU time of a row of passes.  Its commands are issued while the GPU is still busy with other work, so
 * that neither side waits for the other.  If the device is a CPU, drawing is finished before each time stamp, as its timer misses work that is
 * done later. */
static struct sides measure_row(struct bench *b, unsigned passes, enum row row)
{
	enum { BUSY = 8 };
	double cpu[MOST_SAMPLES], gpu[MOST_SAMPLES];
	GLuint query[2];
	glGenQueries(2, query);
	for (unsigned k = 0; k < b->samples; k++) {
		GLuint64 at[2] = {0, 0};
		glFinish();
		for (unsigned n = 0; n < BUSY; n++)
			pass_draw(&b->lab, &(struct pass){.kernel = &b->busy, .texture = {&b->source}, .target = {&b->target}});
		if (b->lab.gpu->software)
			glFinish();
		glQueryCounter(query[0], GL_TIMESTAMP);
		double const begun = stats_now_ns();
		draw_row(b, passes, row);
		cpu[k] = stats_now_ns() - begun;
		if (b->lab.gpu->software)
			glFinish();
		glQueryCounter(query[1], GL_TIMESTAMP);
		for (unsigned n = 0; n < 2; n++)
			glGetQueryObjectui64v(query[n], GL_QUERY_RESULT, &at[n]);
		gpu[k] = (double)(at[1] - at[0]);
	}
	glDeleteQueries(2, query);
	/* Takes the CPU's shortest time, as other processes may delay it for long. */
	double least = cpu[0];
	for (unsigned k = 1; k < b->samples; k++)
		least = fmin(least, cpu[k]);
	return (struct sides){median(b, gpu), least};
}

/* Draws a row of passes, each timed by itself by a record, a few times.  Returns the median of the mean ns of a pass. */
static double measure_timed(struct bench *b, enum row row)
{
	double values[MOST_SAMPLES];
	for (unsigned k = 0; k < b->samples; k++) {
		struct record record;
		record_start(&record, b->lab.arena, true);
		glFinish();
		b->lab.record = &record;
		draw_row(b, b->row, row);
		b->lab.record = NULL;
		record_finish(&record);
		values[k] = record.kinds.at[0].ns / b->row;
		record_free(&record);
	}
	return median(b, values);
}

static void measure_passes(struct bench *b, struct rates *r)
{
	struct sides const one = measure_row(b, 1, ROW_OTHER), other = measure_row(b, b->row, ROW_OTHER), same = measure_row(b, b->row, ROW_SAME),
	                   behind = measure_row(b, b->row, ROW_BEHIND);
	double const more = b->row - 1;
	r->gpu = (struct pass_costs){.other = fmax(0, other.gpu - one.gpu) / more, .same = fmax(0, same.gpu - one.gpu) / more};
	r->gpu.behind = r->gpu.other;
	/* In ROW_BEHIND, half of the time counts for the pass, and half for its copy. */
	r->cpu = (struct pass_costs){other.cpu / b->row, same.cpu / b->row, behind.cpu / b->row / 2};
	r->start = fmax(0, one.gpu - r->gpu.other);
	r->copy.latency = fmax(0, behind.gpu / b->row - r->gpu.behind);
	r->alone = (struct pass_costs){measure_timed(b, ROW_OTHER), measure_timed(b, ROW_SAME), measure_timed(b, ROW_BEHIND)};
}

/* Returns the time of a pixel: the difference between drawing all and a quarter of the target, divided by the pixels between. */
static double measure_pixel_ns(struct bench *b, struct kernel *k, const struct image *target)
{
	struct pass p = {.kernel = k, .target = {target}, .to = image_whole(target)};
	double const all = draw_alone(b, &p);
	p.to.height /= 4;
	double const part = draw_alone(b, &p);
	return fmax(0, all - part) / ((double)p.to.width * (target->height - p.to.height));
}

static const char *measure_fill(struct bench *b, struct rates *r)
{
	const char *wrong = make_chain(b, 0, &b->fill);
	if (!wrong)
		r->fill = measure_pixel_ns(b, &b->fill, &b->target);
	return wrong;
}

/* Measures multiply-adds.  The target has eight bits a channel, as these are written fastest and do not hide the arithmetic. */
static const char *measure_arith(struct bench *b, struct rates *r)
{
	static const double links[CHAINS] = {24, 40, 56};
	double ns[CHAINS] = {0};
	const char *wrong = NULL;
	for (unsigned n = 0; n < CHAINS && !wrong; n++) {
		wrong = make_chain(b, (unsigned)links[n], &b->chain[n]);
		if (!wrong)
			ns[n] = measure_pixel_ns(b, &b->chain[n], &b->plain);
	}
	r->arith = fmax(0, ns[CHAINS - 1] - ns[0]) / (links[CHAINS - 1] - links[0]);
	double const between = ns[0] + r->arith * (links[1] - links[0]);
	r->error.work = ns[1] > 0 ? fabs(between / ns[1] - 1) : 0;
	return wrong;
}

/* Sets error.reads, and raises error.work, to the largest relative error at the passes that measured the bandwidth of texture reads.  The fixed
 * costs of passes must be known. */
static void find_read_errors(const struct bench *b, struct rates *r)
{
	r->error.reads = model_path_error((struct path){r->bandwidth, r->gpu.other}, b->reads, b->reads_ns, READS);
	r->error.work = fmax(r->error.work, model_path_error((struct path){r->bandwidth, r->alone.same}, b->reads, b->reads_ns, READS));
}

static void measure_copies(struct bench *b, struct rates *r)
{
	struct rect const all = image_whole(&b->target), one = {.width = 1, .height = 1};
	double const size[] = {texel_bytes(b), (double)b->edge * b->edge * texel_bytes(b)};
	struct pass const copy = {.texture = {&b->source}, .target = {&b->target}};
	double const ns[] = {pass_alone_ns(&b->lab, &copy, &one, b->samples), pass_alone_ns(&b->lab, &copy, &all, b->samples)};
	r->copy.bandwidth = model_path(0, size, ns, 2).bandwidth;
}

/* ---- all measurements of a format ------------------------------------------------------ */

static const char *prepare_bench(struct bench *b, const float *texels)
{
	unsigned const edge = (unsigned)b->edge;
	const char *wrong = lab_image(&b->lab, &b->source, edge, edge, b->format, IMAGE_CLAMP);
	wrong = wrong ? wrong : lab_image(&b->lab, &b->target, edge, edge, b->format, IMAGE_CLAMP);
	wrong = wrong ? wrong : lab_image(&b->lab, &b->plain, edge, edge, IMAGE_RGBA8, IMAGE_CLAMP);
	for (unsigned k = 0; k < 2 && !wrong; k++)
		wrong = lab_image(&b->lab, &b->tiny[k], 1, 1, b->format, IMAGE_CLAMP);
	if (!wrong)
		image_write(&b->source, image_whole(&b->source), texels);
	wrong = wrong ? wrong : make_read_kernel(b, 1, &b->one);
	return wrong ? wrong : make_read_kernel(b, 16, &b->busy);
}

const char *machine_measure(struct arena *a, const struct context *gpu, enum image_format format, struct rates *r)
{
	struct bench b = {.lab = {.arena = a, .gpu = gpu}, .format = format, .edge = gpu->software ? 128 : 1024,
	                  .samples = gpu->software ? 5 : MOST_SAMPLES, .row = gpu->software ? 32 : 256};
	struct arena_mark const mark = arena_mark(a);
	size_t const floats = (size_t)b.edge * (size_t)b.edge * 2 * image_formats[format].channels;
	float *texels = random_texels(&b.lab, floats), *result = arena_alloc(a, floats * sizeof *result);
	*r = (struct rates){.fill = 0};
	const char *wrong = prepare_bench(&b, texels);
	wrong = wrong ? wrong : waker_open(&b.lab, &b.waker);
	waker_wake(&b.waker);
	wrong = wrong ? wrong : measure_reads(&b, r);
	wrong = wrong ? wrong : measure_fill(&b, r);
	wrong = wrong ? wrong : measure_arith(&b, r);
	if (!wrong) {
		measure_passes(&b, r);
		find_read_errors(&b, r);
		measure_copies(&b, r);
	}
	wrong = wrong ? wrong : measure_transfers(&b, texels, result, r);
	wrong = wrong ? wrong : context_error();
	lab_close(&b.waker.lab);
	lab_close(&b.lab);
	if (!wrong)
		arena_release(a, mark);
	return wrong;
}

/* ---- the cache ------------------------------------------------------------------------- */

static const struct number {
	const char *name;
	size_t at; /* offset in struct rates */
} numbers[] = {
	{"B1", offsetof(struct rates, up.bandwidth)},       {"L1", offsetof(struct rates, up.latency)},
	{"B2", offsetof(struct rates, bandwidth)},          {"L2", offsetof(struct rates, gpu.other)},
	{"B3", offsetof(struct rates, down.bandwidth)},     {"L3", offsetof(struct rates, down.latency)},
	{"copy_B", offsetof(struct rates, copy.bandwidth)}, {"copy_L", offsetof(struct rates, copy.latency)},
	{"same", offsetof(struct rates, gpu.same)},         {"start", offsetof(struct rates, start)},
	{"cpu", offsetof(struct rates, cpu.other)},         {"cpu_same", offsetof(struct rates, cpu.same)},
	{"alone", offsetof(struct rates, alone.other)},     {"alone_same", offsetof(struct rates, alone.same)},
	{"cpu_behind", offsetof(struct rates, cpu.behind)}, {"alone_behind", offsetof(struct rates, alone.behind)},
	{"gpu_behind", offsetof(struct rates, gpu.behind)},
	{"E1", offsetof(struct rates, error.up)},           {"E2", offsetof(struct rates, error.reads)},
	{"E3", offsetof(struct rates, error.down)},         {"E_work", offsetof(struct rates, error.work)},
	{"fill", offsetof(struct rates, fill)},             {"arith", offsetof(struct rates, arith)},
};
enum { NUMBERS = sizeof numbers / sizeof *numbers };

const char *machine_cache(struct arena *a)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	if (cache && *cache == '/')
		return arena_printf(a, "%s/fpmove/gpu.json", cache);
	return home && *home ? arena_printf(a, "%s/.cache/fpmove/gpu.json", home) : NULL;
}

/* Returns the key of a machine and format in the file.  Old builds timed a CPU before it had finished drawing; their entries lack
 * "finished", and so are not found. */
static const char *key_of(struct arena *a, const struct context *gpu, enum image_format format)
{
	return arena_printf(a, "%s; %s; %s; %s%s", gpu->renderer, gpu->version, language_names[gpu->language], image_formats[format].name,
	                    gpu->software ? "; finished" : "");
}

/* Reads all numbers of an entry.  Returns false if one is missing, not a number, or negative. */
static bool read_rates(const json_t *entry, struct rates *r)
{
	for (unsigned k = 0; k < NUMBERS; k++) {
		const json_t *value = json_object_get(entry, numbers[k].name);
		double const number = json_number_value(value);
		if (!json_is_number(value) || number < 0)
			return false;
		memcpy((char *)r + numbers[k].at, &number, sizeof number);
	}
	return true;
}

bool machine_load(struct arena *a, const char *path, const struct context *gpu, enum image_format format,
                  struct rates *r, const char **note)
{
	json_error_t error;
	*note = NULL;
	if (access(path, F_OK) != 0)
		return false;
	json_t *file = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
	const json_t *entry = json_object_get(file, key_of(a, gpu, format));
	bool const found = read_rates(entry, r);
	if (!json_is_object(file))
		*note = arena_printf(a, "%s is not a cache of measurements: %s", path, file ? "it must be a JSON object" : error.text);
	else if (entry && !found)
		*note = arena_printf(a, "%s: its entry for this GPU is damaged or of an older fpmove-gpu", path);
	json_decref(file);
	return found;
}

static json_t *write_rates(const struct rates *r)
{
	json_t *entry = json_object();
	for (unsigned k = 0; k < NUMBERS; k++) {
		double number;
		memcpy(&number, (const char *)r + numbers[k].at, sizeof number);
		json_object_set_new(entry, numbers[k].name, json_real(number));
	}
	return entry;
}

const char *machine_store(struct arena *a, const char *path, const struct context *gpu, enum image_format format, const struct rates *r)
{
	struct text t = {.arena = a};
	const char *why;
	json_t *file = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
	if (!json_is_object(file)) {
		json_decref(file);
		file = json_object();
	}
	json_object_set_new(file, key_of(a, gpu, format), write_rates(r));
	report_text(&t, file, 0);
	return files_write(a, &(struct output){.path = path, .text = t.at, .n = t.n, .make_folder = true}, 1, &why) ? NULL : why;
}
