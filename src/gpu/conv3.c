/* conv3: an image is filtered by 3x3 weights, or by 3 above one another. */
#include "gpu/filter_cpu.h"
#include "gpu/workload.h"

enum { CHANNELS = 4 };

/* Weights row by row. */
typedef double weights[3][3];

static const weights filters[] = {
	{{0, -1, 0}, {-1, 5, -1}, {0, -1, 0}},
	{{0.0625, 0.125, 0.0625}, {0.125, 0.25, 0.125}, {0.0625, 0.125, 0.0625}},
	{{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}},
	{{-1, -2, -1}, {0, 0, 0}, {1, 2, 1}},
	{{-1, -1, -1}, {-1, 8, -1}, {-1, -1, -1}},
};
enum { FILTERS = sizeof filters / sizeof *filters, ALONG = 3 };

struct conv3 {
	struct kernel kernel;
	unsigned size;
	weights weight;
	struct image input, output;
	float *texels, *result;
};

/* A form has a kernel of its own, which takes the weights in its own way; in the order of `forms`. */
struct form {
	const char *kernel;
	void (*set)(struct conv3 *);
};

static void set_pixel(struct conv3 *c, unsigned constant, double x, double y, double z, double w)
{
	kernel_set(&c->kernel, STAGE_PIXEL, constant, (float)x, (float)y, (float)z, (float)w);
}

static void set_offsets(struct conv3 *c)
{
	for (unsigned k = 0; k < 9; k++)
		set_pixel(c, k, c->weight[k / 3][k % 3], 0, 0, 0);
	set_pixel(c, 9, c->size, c->size, 0, 0);
	set_pixel(c, 10, 0, 0, 0, 0);
}

static void set_chain(struct conv3 *c)
{
	for (unsigned row = 0; row < 3; row++)
		set_pixel(c, row, c->weight[row][0], c->weight[row][1], c->weight[row][2], 0);
	set_pixel(c, 3, 1.0 / c->size, 1.0 / c->size, 0, 0);
}

static void set_def(struct conv3 *c)
{
	const double *w = &c->weight[0][0];
	set_pixel(c, 0, w[0], w[1], w[2], w[3]);
	set_pixel(c, 1, w[4], w[5], w[6], w[7]);
	set_pixel(c, 2, w[8], 0, 0, 0);
}

/* The weights of a row are added up. */
static void make_column(weights w)
{
	for (unsigned row = 0; row < 3; row++) {
		w[row][1] += w[row][0] + w[row][2];
		w[row][0] = w[row][2] = 0;
	}
}

static void set_column(struct conv3 *c)
{
	for (unsigned row = 0; row < 3; row++)
		set_pixel(c, row, c->weight[row][1], 0, 0, 0);
	set_pixel(c, 3, 0, c->size, 0, 0);
	set_pixel(c, 4, 0, 0, 0, 0);
}

static const struct form ways[] = {
	{"convolution3x3", set_offsets},
	{"convolution3x3_chain", set_chain},
	{"convolution3x3_def", set_def},
	{"convolution3", set_column},
};
static const struct workload_form forms[] = {
	{"offsets", "each of 9 taps adds its offset, from the image's size, to the pixel's place"},
	{"chain", "the place of a tap is that of the one before and a step"},
	{"def", "offsets are numbers in the program, for one size"},
	{"column", "3 taps above one another, as in the method's worked example"},
	{.name = NULL}};

/* The offsets that convolution3x3_def holds are those of a size. */
static const char *open_kernel(struct lab *lab, struct conv3 *c, const struct form *form)
{
	float const cell = 1 / (float)c->size;
	struct definition const offsets[] = {{3, {-cell, -cell, cell, 0}}, {4, {cell, 0, -cell, cell}}};
	return kernel_open_defined(lab, form->kernel, offsets, form->set == set_def ? 2 : 0, &c->kernel);
}

static const char *open_conv3(struct lab *lab, const struct wanted *wanted, void **state)
{
	struct conv3 *c = *state = arena_zero(lab->arena, sizeof *c);
	const struct form *form = &ways[workload_form_index(forms, wanted)];
	c->size = wanted->number[0];
	memcpy(c->weight, filters[wanted->number[1] - 1], sizeof c->weight);
	const char *wrong = workload_fits(lab, c->size);
	if (!wrong && form->set == set_column && wanted->number[1] == ALONG)
		wrong = "--weights=3 add up to nothing along a line, so that the form column has none";
	if (wrong)
		return wrong;
	if (form->set == set_column)
		make_column(c->weight);
	size_t const floats = (size_t)c->size * c->size * CHANNELS;
	c->texels = arena_alloc(lab->arena, floats * sizeof(float));
	c->result = arena_alloc(lab->arena, floats * sizeof(float));
	wrong = workload_image(lab, wanted, c->size, c->size, CHANNELS, c->texels);
	wrong = wrong ? wrong : open_kernel(lab, c, form);
	wrong = wrong ? wrong : image_make(&c->input, (int)c->size, (int)c->size, wanted->format, IMAGE_CLAMP);
	wrong = wrong ? wrong : image_make(&c->output, (int)c->size, (int)c->size, wanted->format, IMAGE_CLAMP);
	if (!wrong)
		form->set(c);
	return wrong;
}

static void upload(struct lab *lab, void *state)
{
	struct conv3 *c = state;
	pass_write(lab, &c->input, image_whole(&c->input), c->texels);
}

static void compute(struct lab *lab, void *state)
{
	struct conv3 *c = state;
	struct pass const pass = {.kernel = &c->kernel, .texture = {&c->input}, .target = {&c->output}};
	pass_draw(lab, &pass);
}

static void download(struct lab *lab, void *state)
{
	struct conv3 *c = state;
	pass_read(lab, &c->output, image_whole(&c->output), c->result);
}

/* The texel before, at and behind a place; those at the edge stand for what is beyond it. */
static void neighbours(unsigned at, unsigned size, size_t near[3])
{
	for (unsigned k = 0; k < 3; k++)
		near[k] = workload_clamped((long)at + k - 1, size);
}

static void filter_texel(const struct conv3 *c, const size_t column[3], const size_t row[3], double sum[CHANNELS])
{
	memset(sum, 0, CHANNELS * sizeof *sum);
	for (unsigned j = 0; j < 3; j++)
		for (unsigned i = 0; i < 3; i++) {
			const float *from = c->texels + (row[j] * c->size + column[i]) * CHANNELS;
			for (unsigned k = 0; k < CHANNELS; k++)
				sum[k] += c->weight[j][i] * (double)from[k];
		}
}

/* Texels that are rounded to eight bits by half a step each, the weights multiply, and the sum is rounded once more; a tenth
 * of a step each is left for the products.  Floats may be cut to their format, which is a step, and the sum is as large as
 * the weights make it. */
static double allowed(const struct conv3 *c)
{
	double sum = 1;
	for (unsigned k = 0; k < 9; k++)
		sum += fabs(c->weight[k / 3][k % 3]);
	double const steps = (c->output.format == IMAGE_RGBA8 ? 0.6 : 1.5) * sum;
	return workload_largest(c->texels, (size_t)c->size * c->size * CHANNELS) * workload_rounding(c->output.format, steps);
}

static void check(struct lab *lab, void *state, struct finding *f)
{
	const struct conv3 *c = state;
	bool const clipped = c->output.format == IMAGE_RGBA8;
	(void)lab;
	*f = (struct finding){.what = "largest difference", .most = allowed(c)};
	for (unsigned y = 0; y < c->size; y++) {
		size_t row[3], column[3];
		neighbours(y, c->size, row);
		for (unsigned x = 0; x < c->size; x++) {
			double sum[CHANNELS];
			neighbours(x, c->size, column);
			filter_texel(c, column, row, sum);
			for (unsigned k = 0; k < CHANNELS; k++) {
				double const right = clipped ? fmin(1, fmax(0, sum[k])) : sum[k];
				finding_compare(f, (double)c->result[((size_t)y * c->size + x) * CHANNELS + k], right);
			}
		}
	}
}

/* A kernel that reads a column of texels has three weights. */
static void on_cpu(struct lab *lab, void *state)
{
	struct conv3 *c = state;
	bool const column = program_slots(c->kernel.ps).tex == 3, clipped = c->output.format == IMAGE_RGBA8;
	float weight[9];
	for (unsigned k = 0; k < (column ? 3 : 9); k++)
		weight[k] = (float)(column ? c->weight[k][1] : c->weight[k / 3][k % 3]);
	filter_on_cpu(lab->arena, c->texels, c->size, weight, column ? 1 : 3, 3, c->result);
	for (size_t k = 0; clipped && k < (size_t)c->size * c->size * CHANNELS; k++)
		c->result[k] = fminf(1, fmaxf(0, c->result[k]));
}

/* Where the weights add up to 0, grey is 0. */
static void picture(struct lab *lab, void *state, struct picture *p)
{
	const struct conv3 *c = state;
	double sum = 0;
	for (unsigned k = 0; k < 9; k++)
		sum += c->weight[k / 3][k % 3];
	picture_make(lab->arena, c->size, c->size, p);
	for (size_t k = 0; k < (size_t)c->size * c->size * CHANNELS; k++)
		p->rgba[k] = sum > 0 ? c->result[k] : 0.5f + c->result[k] / 8;
}

static void close_conv3(struct lab *lab, void *state)
{
	struct conv3 *c = state;
	(void)lab;
	kernel_close(&c->kernel);
	image_delete(&c->input);
	image_delete(&c->output);
}

static double taps(const struct conv3 *c)
{
	return program_slots(c->kernel.ps).tex;
}

/* A multiplication and an addition for each tap and channel. */
static double operations(const void *state)
{
	const struct conv3 *c = state;
	return 2 * taps(c) * (double)CHANNELS * c->size * c->size;
}

static double traffic(const void *state)
{
	const struct conv3 *c = state;
	return (taps(c) + 1) * image_formats[c->output.format].bytes * c->size * c->size;
}

static const struct parameter parameters[] = {
	{"size", "pixels a side", 16, 8192, 1024},
	{"weights", "1 sharpens, 2 blurs, 3 and 4 are Sobel's along the lines and across, 5 shows edges", 1, FILTERS, 1},
	{.name = NULL},
};

const struct workload conv3_workload = {
	.name = "conv3", .summary = "3x3 convolution of an image", .forms = forms, .parameters = parameters, .any_format = true,
	.open = open_conv3, .upload = upload, .compute = compute, .download = download, .check = check, .on_cpu = on_cpu, .picture = picture,
	.close = close_conv3, .operations = operations, .traffic = traffic,
};
