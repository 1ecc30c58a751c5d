/* The workload conv3: filters an image by 3x3 weights or more, or by a column of 3 weights or more. */
#include "gpu/conv3.h"
#include "gpu/filter_cpu.h"
#include "gpu/workload.h"

enum { CHANNELS = 4, EXAMPLE_TAPS = 3 };
enum { SIZE, WEIGHTS, NTAPS };
enum { SHARPENS = 1, BLURS, ALONG, ACROSS, EDGES, FILTERS = EDGES };

static const double filters[FILTERS][EXAMPLE_TAPS * EXAMPLE_TAPS] = {
	{0, -1, 0, -1, 5, -1, 0, -1, 0},
	{0.0625, 0.125, 0.0625, 0.125, 0.25, 0.125, 0.0625, 0.125, 0.0625},
	{-1, 0, 1, -2, 0, 2, -1, 0, 1},
	{-1, -2, -1, 0, 0, 0, 1, 2, 1},
	{-1, -1, -1, -1, 8, -1, -1, -1, -1},
};

struct conv3 {
	struct kernel kernel;
	enum conv3_form form;
	unsigned size;                                      /* texels along a side of the image */
	unsigned columns, taps;                             /* columns and rows of the weights */
	double weight[CONV3_MOST_TAPS * CONV3_MOST_TAPS];   /* the weights row by row */
	struct image input, output;
	float *texels, *result;
};

static unsigned weights_of(const struct conv3 *c)
{
	return c->columns * c->taps;
}

/* ---- weights ------------------------------------------------------------------------------- */

/* Returns the weight at a place of a Gaussian whose outermost weights are three sigma from the middle. */
static double gaussian_at(double x, double y, unsigned middle)
{
	return exp(-(x * x + y * y) * 4.5 / (middle * middle));
}

/* Makes the weights of filter number `filter` for more than three rows: from a Gaussian, or for ALONG and ACROSS from its derivatives, scaled
 * as Sobel's weights in `filters` are. */
static void make_conv3_weights(struct conv3 *c, unsigned filter)
{
	unsigned const middle = c->taps / 2, all = c->taps * c->taps;
	double sum = 0, slopes = 0;
	for (unsigned k = 0; k < all; k++) {
		double const x = (double)(k % c->taps) - middle, y = (double)(k / c->taps) - middle, g = gaussian_at(x, y, middle);
		sum += g;
		slopes += fabs(x) * g;
		c->weight[k] = filter == ALONG ? x * g : filter == ACROSS ? y * g : g;
	}
	for (unsigned k = 0; k < all; k++)
		c->weight[k] *= filter == ALONG || filter == ACROSS ? 8 / slopes : 1 / sum;
	double const share = filter == EDGES ? 8 / (1 - c->weight[all / 2]) : 1;
	for (unsigned k = 0; k < all && (filter == SHARPENS || filter == EDGES); k++)
		c->weight[k] = share * ((k == all / 2 ? (filter == EDGES ? 1 : 2) : 0) - c->weight[k]);
}

/* Replaces the weights by one column of weights, the sums of the rows. */
static void make_column(struct conv3 *c)
{
	for (unsigned row = 0; row < c->taps; row++) {
		double sum = 0;
		for (unsigned k = 0; k < c->taps; k++)
			sum += c->weight[row * c->taps + k];
		c->weight[row] = sum;
	}
	c->columns = 1;
}

static void choose_weights(struct conv3 *c, const struct wanted *wanted)
{
	c->taps = c->columns = wanted->number[NTAPS];
	if (c->taps == EXAMPLE_TAPS)
		memcpy(c->weight, filters[wanted->number[WEIGHTS] - 1], sizeof filters[0]);
	else
		make_conv3_weights(c, wanted->number[WEIGHTS]);
	if (c->form == CONV3_COLUMN)
		make_column(c);
}

/* ---- the kernel ---------------------------------------------------------------------------- */

static void set_conv3_constant(struct conv3 *c, unsigned constant, double x, double y, double z, double w)
{
	kernel_set(&c->kernel, STAGE_PIXEL, constant, (float)x, (float)y, (float)z, (float)w);
}

/* Sets c0 and the following constants to all weights, four in each. */
static void set_weights_by_four(struct conv3 *c)
{
	double w[CONV3_MOST_TAPS * CONV3_MOST_TAPS + LANES] = {0};
	memcpy(w, c->weight, weights_of(c) * sizeof *w);
	for (unsigned k = 0; k < weights_of(c); k += LANES)
		set_conv3_constant(c, k / LANES, w[k], w[k + 1], w[k + 2], w[k + 3]);
}

/* Sets the constants of CONV3_CHAIN.  For 3 taps it draws the example convolution3x3_chain, which has a row of weights in each constant. */
static void set_chain_constants(struct conv3 *c)
{
	const double *w = c->weight;
	unsigned const behind = c->taps == EXAMPLE_TAPS ? 3 : conv3_behind_weights(CONV3_CHAIN, c->taps);
	if (c->taps != EXAMPLE_TAPS)
		set_weights_by_four(c);
	for (unsigned row = 0; row < 3 && c->taps == EXAMPLE_TAPS; row++, w += 3)
		set_conv3_constant(c, row, w[0], w[1], w[2], 0);
	set_conv3_constant(c, behind, 1.0 / c->size, 1.0 / c->size, 0, 0);
}

static void set_conv3_constants(struct conv3 *c)
{
	unsigned const behind = conv3_behind_weights(c->form, c->taps);
	switch (c->form) {
	case CONV3_OFFSETS:
	case CONV3_COLUMN:
		for (unsigned k = 0; k < weights_of(c); k++)
			set_conv3_constant(c, k, c->weight[k], 0, 0, 0);
		set_conv3_constant(c, behind, c->form == CONV3_COLUMN ? 0 : c->size, c->size, 0, 0);
		set_conv3_constant(c, behind + 1, c->taps == EXAMPLE_TAPS ? 0 : -(double)(c->taps / 2), 0, 0, 0);
		break;
	case CONV3_CHAIN: set_chain_constants(c); break;
	case CONV3_DEF: set_weights_by_four(c); break;
	case CONV3_FORMS: break;
	}
}

static const struct workload_form forms[] = {
	{"offsets", "each tap adds its offset, from the image's size, to the pixel's place"},
	{"chain", "the place of a tap is that of the tap before plus a step"},
	{"def", "offsets are numbers in the program, for one size"},
	{"column", "a single column of taps; 3 taps are the method's worked example"},
	{.name = NULL}};

/* Opens the kernel: for 3 taps an example, else programs that conv3_programs.c writes.  The defs of convolution3x3_def hold offsets for one
 * size, so they are replaced. */
static const char *open_example_or_kernel(struct lab *lab, struct conv3 *c)
{
	static const char *const examples[CONV3_FORMS] = {"convolution3x3", "convolution3x3_chain", "convolution3x3_def", "convolution3"};
	float const cell = 1 / (float)c->size;
	if (c->taps != EXAMPLE_TAPS)
		return conv3_open_kernel(lab, &(struct conv3_programs){.form = c->form, .taps = c->taps, .size = c->size}, &c->kernel);
	struct definition const offsets[] = {{3, {-cell, -cell, cell, 0}}, {4, {cell, 0, -cell, cell}}};
	return kernel_open_defined(lab, examples[c->form], offsets, c->form == CONV3_DEF ? 2 : 0, &c->kernel);
}

static const char *open_conv3(struct lab *lab, const struct wanted *wanted, void **state)
{
	struct conv3 *c = *state = arena_zero(lab->arena, sizeof *c);
	c->form = (enum conv3_form)workload_form_index(forms, wanted);
	c->size = wanted->number[SIZE];
	const char *wrong = workload_fits(lab, c->size);
	if (wanted->number[NTAPS] % 2 == 0)
		wrong = arena_printf(lab->arena, "--taps=%u: a filter needs an odd number of taps along a line", wanted->number[NTAPS]);
	if (!wrong && c->form == CONV3_COLUMN && wanted->number[WEIGHTS] == ALONG)
		wrong = "--weights=3: these weights add up to 0 in each line, so --form=column would draw nothing; choose others";
	if (wrong)
		return wrong;
	choose_weights(c, wanted);
	size_t const floats = (size_t)c->size * c->size * CHANNELS;
	c->texels = arena_alloc(lab->arena, floats * sizeof(float));
	c->result = arena_alloc(lab->arena, floats * sizeof(float));
	wrong = workload_image(lab, wanted, c->size, c->size, CHANNELS, c->texels);
	wrong = wrong ? wrong : open_example_or_kernel(lab, c);
	wrong = wrong ? wrong : image_make(&c->input, (int)c->size, (int)c->size, wanted->format, IMAGE_CLAMP);
	wrong = wrong ? wrong : image_make(&c->output, (int)c->size, (int)c->size, wanted->format, IMAGE_CLAMP);
	if (!wrong)
		set_conv3_constants(c);
	return wrong;
}

static void upload_conv3(struct lab *lab, void *state)
{
	struct conv3 *c = state;
	pass_write(lab, &c->input, image_whole(&c->input), c->texels);
}

static void compute_conv3(struct lab *lab, void *state)
{
	struct conv3 *c = state;
	struct pass const pass = {.kernel = &c->kernel, .texture = {&c->input}, .target = {&c->output}};
	pass_draw(lab, &pass);
}

static void download_conv3(struct lab *lab, void *state)
{
	struct conv3 *c = state;
	pass_read(lab, &c->output, image_whole(&c->output), c->result);
}

/* Sets `near` to the coordinates of n neighbouring texels, with `at` in the middle.  A coordinate beyond the edge becomes the nearest one
 * at the edge. */
static void find_neighbours(unsigned at, unsigned size, unsigned n, size_t near[])
{
	for (unsigned k = 0; k < n; k++)
		near[k] = workload_clamped((long)at + k - n / 2, size);
}

static void filter_texel(const struct conv3 *c, const size_t column[], const size_t row[], double sum[CHANNELS])
{
	memset(sum, 0, CHANNELS * sizeof *sum);
	for (unsigned j = 0; j < c->taps; j++)
		for (unsigned i = 0; i < c->columns; i++) {
			const float *from = c->texels + (row[j] * c->size + column[i]) * CHANNELS;
			for (unsigned k = 0; k < CHANNELS; k++)
				sum[k] += c->weight[j * c->columns + i] * (double)from[k];
		}
}

/* Returns the tolerance.  The weights multiply the rounding of each texel to eight bits, half a step, and the sum is rounded once more;
 * a tenth of a step each is left for the products.  Floats may be truncated to their format, which is a whole step, and the sum grows
 * with the weights. */
static double conv3_tolerance(const struct conv3 *c)
{
	double sum = 1;
	for (unsigned k = 0; k < weights_of(c); k++)
		sum += fabs(c->weight[k]);
	double const steps = (c->output.format == IMAGE_RGBA8 ? 0.6 : 1.5) * sum;
	return workload_largest(c->texels, (size_t)c->size * c->size * CHANNELS) * workload_rounding(c->output.format, steps);
}

static void check_conv3(struct lab *lab, void *state, struct finding *f)
{
	const struct conv3 *c = state;
	bool const clipped = c->output.format == IMAGE_RGBA8;
	(void)lab;
	*f = (struct finding){.what = "largest difference", .most = conv3_tolerance(c)};
	for (unsigned y = 0; y < c->size; y++) {
		size_t row[CONV3_MOST_TAPS], column[CONV3_MOST_TAPS];
		find_neighbours(y, c->size, c->taps, row);
		for (unsigned x = 0; x < c->size; x++) {
			double sum[CHANNELS];
			find_neighbours(x, c->size, c->columns, column);
			filter_texel(c, column, row, sum);
			for (unsigned k = 0; k < CHANNELS; k++) {
				double const right = clipped ? fmin(1, fmax(0, sum[k])) : sum[k];
				finding_compare(f, (double)c->result[((size_t)y * c->size + x) * CHANNELS + k], right);
			}
		}
	}
}

static void filter_conv3_on_cpu(struct lab *lab, void *state)
{
	struct conv3 *c = state;
	bool const clipped = c->output.format == IMAGE_RGBA8;
	float weight[CONV3_MOST_TAPS * CONV3_MOST_TAPS];
	for (unsigned k = 0; k < weights_of(c); k++)
		weight[k] = (float)c->weight[k];
	filter_on_cpu(lab->arena, c->texels, c->size, weight, c->columns, c->taps, c->result);
	for (size_t k = 0; clipped && k < (size_t)c->size * c->size * CHANNELS; k++)
		c->result[k] = fminf(1, fmaxf(0, c->result[k]));
}

/* Makes a picture of the result.  If the weights add up to 0, some results are negative, so 0 is shown as grey. */
static void show_conv3(struct lab *lab, void *state, struct picture *p)
{
	const struct conv3 *c = state;
	double sum = 0;
	for (unsigned k = 0; k < weights_of(c); k++)
		sum += c->weight[k];
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

/* Counts a multiplication and an addition for each tap and channel. */
static double count_conv3_operations(const void *state)
{
	const struct conv3 *c = state;
	return 2.0 * weights_of(c) * (double)CHANNELS * c->size * c->size;
}

static double count_conv3_bytes(const void *state)
{
	const struct conv3 *c = state;
	return (weights_of(c) + 1.0) * image_formats[c->output.format].bytes * c->size * c->size;
}

static const struct parameter parameters[] = {
	{"size", "pixels a side", 16, 8192, 1024},
	{"weights", "1 sharpens, 2 blurs, 3 and 4 are Sobel's along the lines and across, 5 shows edges", 1, FILTERS, 1},
	{"taps", "taps along a line, and also lines; an odd number", EXAMPLE_TAPS, CONV3_MOST_TAPS, EXAMPLE_TAPS},
	{.name = NULL},
};

const struct workload conv3_workload = {
	.name = "conv3", .summary = "convolution of an image by 3x3 weights, or more", .forms = forms, .parameters = parameters,
	.any_format = true, .open = open_conv3, .upload = upload_conv3, .compute = compute_conv3, .download = download_conv3, .check = check_conv3,
	.on_cpu = filter_conv3_on_cpu, .picture = show_conv3, .close = close_conv3, .operations = count_conv3_operations,
	.traffic = count_conv3_bytes,
};
