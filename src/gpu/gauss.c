/* The workload gauss: blurs an image by a Gaussian, by default of 13 taps, along x, and then along y. */
#include "gpu/filter_cpu.h"
#include "gpu/gauss.h"
#include "gpu/workload.h"

enum { EXAMPLE_TAPS = 13, CHANNELS = 4 };
enum { SIZE, NTAPS };

struct gauss {
	struct kernel kernel;
	bool chain; /* a constant of the kernel tells the direction; else it blurs along x, and each pass transposes the image */
	bool def;   /* the kernel defines weights and offsets as literals */
	unsigned size, taps, middle;
	double weight[GAUSS_MOST_TAPS];
	struct image input, between, output;
	float *texels, *result;
};

/* Makes the weights of the Gaussian; the outermost are three sigma from the middle. */
static void make_gauss_weights(struct gauss *g)
{
	double const sigma = g->middle / 3.0;
	double sum = 0;
	for (unsigned k = 0; k < g->taps; k++) {
		double const away = ((double)k - g->middle) / sigma;
		sum += g->weight[k] = exp(-away * away / 2);
	}
	for (unsigned k = 0; k < g->taps; k++)
		g->weight[k] /= sum;
}

static void set_direction(struct gauss *g, float x, float y)
{
	kernel_set(&g->kernel, STAGE_PIXEL, g->taps, x, y, 0, 0);
}

static void set_gauss_constants(struct gauss *g)
{
	if (g->def)
		return;
	float const step = 1.0f / (float)g->size;
	for (unsigned k = 0; k < g->taps; k++)
		kernel_set(&g->kernel, STAGE_PIXEL, k, (float)g->weight[k], 0, 0, 0);
	if (g->chain)
		return;
	set_direction(g, 0, 0);
	for (unsigned k = 0; k < g->taps; k++)
		if (k != g->middle)
			kernel_set(&g->kernel, STAGE_PIXEL, g->taps + 1 + k - (k > g->middle), ((float)k - (float)g->middle) * step, 0, 0, 0);
}

/* Opens the kernel: for 13 taps an example, else programs that gauss_programs.c writes.  The defs of gaussian13_def hold offsets for one
 * size, so they are replaced; its weights are right. */
static const char *open_gauss_kernel(struct lab *lab, struct gauss *g)
{
	struct definition offset[EXAMPLE_TAPS / 2];
	enum gauss_form const form = g->chain ? GAUSS_CHAIN : g->def ? GAUSS_DEF : GAUSS_OFFSETS;
	if (g->taps != EXAMPLE_TAPS)
		return gauss_open_kernel(lab, &(struct gauss_programs){.form = form, .taps = g->taps, .weight = g->weight, .size = g->size},
		                         &g->kernel);
	if (!g->def)
		return kernel_open(lab, g->chain ? "gaussian13_chain" : "gaussian13", &g->kernel);
	for (unsigned k = 0; k < g->middle; k++) {
		float const away = (float)(k + 1) / (float)g->size;
		offset[k] = (struct definition){k, {-away, 0, 0, away}};
	}
	return kernel_open_defined(lab, "gaussian13_def", offset, g->middle, &g->kernel);
}

static const char *open_gauss(struct lab *lab, const struct wanted *wanted, void **state)
{
	struct gauss *g = *state = arena_zero(lab->arena, sizeof *g);
	size_t const floats = (size_t)wanted->number[SIZE] * wanted->number[SIZE] * CHANNELS;
	g->chain = strcmp(wanted->form, "chain") == 0;
	g->def = strcmp(wanted->form, "def") == 0;
	g->size = wanted->number[SIZE];
	g->taps = wanted->number[NTAPS];
	g->middle = g->taps / 2;
	const char *wrong = workload_fits(lab, g->size);
	if (g->taps % 2 == 0)
		wrong = arena_printf(lab->arena, "--taps=%u: a Gaussian needs an odd number of taps", g->taps);
	if (wrong)
		return wrong;
	make_gauss_weights(g);
	g->texels = arena_alloc(lab->arena, floats * sizeof(float));
	g->result = arena_alloc(lab->arena, floats * sizeof(float));
	wrong = workload_image(lab, wanted, g->size, g->size, CHANNELS, g->texels);
	wrong = wrong ? wrong : open_gauss_kernel(lab, g);
	struct image *const images[] = {&g->input, &g->between, &g->output};
	for (unsigned k = 0; k < 3 && !wrong; k++)
		wrong = image_make(images[k], (int)g->size, (int)g->size, wanted->format, IMAGE_CLAMP);
	if (!wrong)
		set_gauss_constants(g);
	return wrong;
}

static void upload_gauss(struct lab *lab, void *state)
{
	struct gauss *g = state;
	pass_write(lab, &g->input, image_whole(&g->input), g->texels);
}

static void draw_blurred(struct lab *lab, struct gauss *g, const struct image *from, const struct image *to)
{
	static const struct span turned = {.x1 = 1, .y1 = 1, .w = 1, .transposed = true};
	struct pass const pass = {.kernel = &g->kernel, .texture = {from}, .target = {to}, .texcoord = {g->chain ? NULL : &turned}};
	pass_draw(lab, &pass);
}

static void compute_gauss(struct lab *lab, void *state)
{
	struct gauss *g = state;
	if (g->chain)
		set_direction(g, 1.0f / (float)g->size, 0);
	draw_blurred(lab, g, &g->input, &g->between);
	if (g->chain)
		set_direction(g, 0, 1.0f / (float)g->size);
	draw_blurred(lab, g, &g->between, &g->output);
}

static void download_gauss(struct lab *lab, void *state)
{
	struct gauss *g = state;
	pass_read(lab, &g->output, image_whole(&g->output), g->result);
}

/* Blurs along x, or along y if `along` is false. */
static void blur_in_double(const struct gauss *g, const double *from, double *to, bool along)
{
	for (size_t y = 0; y < g->size; y++)
		for (size_t x = 0; x < g->size; x++)
			for (size_t c = 0; c < CHANNELS; c++) {
				double sum = 0;
				for (long k = -(long)g->middle; k <= (long)g->middle; k++) {
					size_t const at_x = along ? workload_clamped((long)x + k, g->size) : x;
					size_t const at_y = along ? y : workload_clamped((long)y + k, g->size);
					sum += g->weight[k + (long)g->middle] * from[(at_y * g->size + at_x) * CHANNELS + c];
				}
				to[(y * g->size + x) * CHANNELS + c] = sum;
			}
}

static void check_gauss(struct lab *lab, void *state, struct finding *f)
{
	struct gauss *g = state;
	size_t const n = (size_t)g->size * g->size * CHANNELS;
	struct arena_mark const mark = arena_mark(lab->arena);
	double *a = arena_alloc(lab->arena, n * sizeof *a), *b = arena_alloc(lab->arena, n * sizeof *b);
	for (size_t k = 0; k < n; k++)
		a[k] = (double)g->texels[k];
	blur_in_double(g, a, b, true);
	blur_in_double(g, b, a, false);
	*f = (struct finding){.what = "largest difference", .most = workload_largest(g->texels, n) * workload_rounding(g->output.format, 4)};
	for (size_t k = 0; k < n; k++)
		finding_compare(f, (double)g->result[k], a[k]);
	arena_release(lab->arena, mark);
}

static void blur_on_cpu(struct lab *lab, void *state)
{
	struct gauss *g = state;
	struct arena_mark const mark = arena_mark(lab->arena);
	float *between = arena_alloc(lab->arena, (size_t)g->size * g->size * CHANNELS * sizeof *between), weight[GAUSS_MOST_TAPS];
	for (unsigned k = 0; k < g->taps; k++)
		weight[k] = (float)g->weight[k];
	filter_on_cpu(lab->arena, g->texels, g->size, weight, g->taps, 1, between);
	filter_on_cpu(lab->arena, between, g->size, weight, 1, g->taps, g->result);
	arena_release(lab->arena, mark);
}

static void show_gauss(struct lab *lab, void *state, struct picture *p)
{
	const struct gauss *g = state;
	picture_make(lab->arena, g->size, g->size, p);
	memcpy(p->rgba, g->result, (size_t)g->size * g->size * CHANNELS * sizeof(float));
}

static void close_gauss(struct lab *lab, void *state)
{
	struct gauss *g = state;
	(void)lab;
	kernel_close(&g->kernel);
	image_delete(&g->input);
	image_delete(&g->between);
	image_delete(&g->output);
}

/* Counts a multiplication and an addition for each tap and channel, in two passes. */
static double count_gauss_operations(const void *state)
{
	const struct gauss *g = state;
	return 2.0 * 2 * g->taps * (double)CHANNELS * g->size * g->size;
}

/* Counts 12 K N^2 operations, as the method's paper does, which has three channels; our images have four. */
static double count_as_published(const void *state)
{
	const struct gauss *g = state;
	return 12.0 * g->taps * g->size * g->size;
}

static double count_gauss_bytes(const void *state)
{
	const struct gauss *g = state;
	return 2.0 * (g->taps + 1) * image_formats[g->output.format].bytes * g->size * g->size;
}

static const struct workload_form forms[] = {
	{"offsets", "each tap adds a constant to the pixel's place"},
	{"chain", "the place of a tap is that of the tap before plus a step"},
	{"def", "offsets and weights are numbers in the program, for one size"},
	{.name = NULL}};
static const struct parameter parameters[] = {
	{"size", "pixels a side", 16, 8192, 1024},
	{"taps", "taps along a line, an odd number", GAUSS_LEAST_TAPS, GAUSS_MOST_TAPS, EXAMPLE_TAPS},
	{.name = NULL},
};

const struct workload gauss_workload = {
	.name = "gauss", .summary = "Gaussian blur, along the lines and across", .forms = forms, .parameters = parameters,
	.any_format = true, .open = open_gauss, .upload = upload_gauss, .compute = compute_gauss, .download = download_gauss, .check = check_gauss,
	.on_cpu = blur_on_cpu, .picture = show_gauss, .close = close_gauss, .operations = count_gauss_operations, .traffic = count_gauss_bytes,
	.published = count_as_published,
};
