/* The workload conv3: filters an image by 3x3 weights or more, or by a column of 3 weights or more. */
#include "gpu/filter.h"

enum { EXAMPLE_TAPS = 3, MOST_TAPS = 9 /* ps_3_0 has 512 slots, which hold the 81 offsets of 9 x 9 taps */ };
enum { SIZE, WEIGHTS, NTAPS };
enum { SHARPENS = 1, BLURS, ALONG, ACROSS, EDGES, FILTERS = EDGES };
/* How a program computes the places of its taps (the texels that it weights), in the order of `forms`. */
enum { OFFSETS, CHAIN, DEF, COLUMN, FORMS };
static const struct workload_form forms[] = {
	{"offsets", "each tap adds its offset, from the image's size, to the pixel's place"},
	{"chain", "the place of a tap is that of the tap before plus a step"},
	{"def", "offsets are numbers in the program, for one size"},
	{"column", "a single column of taps; 3 taps are the method's worked example"},
	{.name = NULL}};

/* ---- weights ------------------------------------------------------------------------------- */

static const double filters[FILTERS][EXAMPLE_TAPS * EXAMPLE_TAPS] = {
	{0, -1, 0, -1, 5, -1, 0, -1, 0},
	{0.0625, 0.125, 0.0625, 0.125, 0.25, 0.125, 0.0625, 0.125, 0.0625},
	{-1, 0, 1, -2, 0, 2, -1, 0, 1},
	{-1, -2, -1, 0, 0, 0, 1, 2, 1},
	{-1, -1, -1, -1, 8, -1, -1, -1, -1},
};

/* Makes the weights of filter number `filter` for more than three rows: from a Gaussian whose outermost weights are three sigma from the
 * middle, or for ALONG and ACROSS from its derivatives, scaled as Sobel's weights in `filters` are. */
static void make_conv3_weights(struct filter *f, unsigned filter)
{
	unsigned const taps = f->rows, middle = taps / 2, all = taps * taps;
	double sum = 0, slopes = 0;
	for (unsigned k = 0; k < all; k++) {
		double const x = (double)(k % taps) - middle, y = (double)(k / taps) - middle, g = exp(-(x * x + y * y) * 4.5 / (middle * middle));
		sum += g;
		slopes += fabs(x) * g;
		f->weight[k] = filter == ALONG ? x * g : filter == ACROSS ? y * g : g;
	}
	for (unsigned k = 0; k < all; k++)
		f->weight[k] *= filter == ALONG || filter == ACROSS ? 8 / slopes : 1 / sum;
	double const share = filter == EDGES ? 8 / (1 - f->weight[all / 2]) : 1;
	for (unsigned k = 0; k < all && (filter == SHARPENS || filter == EDGES); k++)
		f->weight[k] = share * ((k == all / 2 ? (filter == EDGES ? 1 : 2) : 0) - f->weight[k]);
}

/* Replaces the weights by one column of weights, the sums of the rows. */
static void make_column(struct filter *f)
{
	for (unsigned row = 0; row < f->rows; row++) {
		double sum = 0;
		for (unsigned k = 0; k < f->columns; k++)
			sum += f->weight[row * f->columns + k];
		f->weight[row] = sum;
	}
	f->columns = 1;
}

/* ---- programs for numbers of taps without an example ------------------------------------------
 * The weights stand row by row from c0 on, one in the x of each constant (offsets, column), or four in each (chain, def).  The constants
 * behind them are, for offsets and column, the size of the image in x and y, and then -(taps / 2) in x and 0 in y; for chain, the size of a
 * texel in x and y.  Taps use nine registers in turn, so that at most three reads depend on each other in a row, which ps_2_0 allows. */

enum { TEMPORARIES = 9, STEP = 9, PLACE = 10 };

static bool holds_four(unsigned form)
{
	return form == CHAIN || form == DEF;
}

/* Returns the number of the first constant after the weights. */
static unsigned behind_weights(unsigned form, const struct filter *f)
{
	unsigned const all = f->columns * f->rows;
	return holds_four(form) ? (all + LANES - 1) / LANES : all;
}

static void weight_tap(struct filter_program *p, unsigned form, unsigned tap, unsigned r)
{
	filter_add_tap(p, r, holds_four(form) ? tap / LANES : tap, holds_four(form) ? "xyzw"[tap % LANES] : 'x');
}

/* Writes a program that computes the places of taps from the size of the image.  r`STEP` holds the size of a texel, r`PLACE` the offset of the
 * next tap. */
static void write_conv3_offsets(struct filter_program *p, const struct filter *f, unsigned form)
{
	unsigned const columns = f->columns, all = columns * f->rows;
	struct text *t = &p->text;
	text_printf(t, "rcp r%d.y, c%u.y\nmul r%d.y, r%d.y, c%u.x\n", STEP, all, PLACE, STEP, all + 1);
	if (columns > 1)
		text_printf(t, "rcp r%d.x, c%u.x\n", STEP, all);
	for (unsigned tap = 0; tap < all; tap++) {
		unsigned const r = tap % TEMPORARIES;
		if (columns > 1 && tap % columns == 0)
			text_printf(t, "mul r%d.x, r%d.x, c%u.x\n", PLACE, STEP, all + 1);
		text_printf(t, columns > 1 ? "mov r%u.x, r%d.x\n" : "mov r%u.x, c%d.y\n", r, columns > 1 ? PLACE : (int)all + 1);
		text_printf(t, "mov r%u.y, r%d.y\nadd r%u.xy, r%u, %s\ntexld r%u, r%u, s0\n", r, PLACE, r, r, p->place, r, r);
		weight_tap(p, form, tap, r);
		char const lane = (tap + 1) % columns ? 'x' : 'y';
		if (tap + 1 < all)
			text_printf(t, "add r%d.%c, r%d.%c, r%d.%c\n", PLACE, lane, PLACE, lane, STEP, lane);
	}
}

/* Writes a program that moves its place by a step after each tap: along one line forwards, along the next backwards, and so on. */
static void write_conv3_chain(struct filter_program *p, const struct filter *f, unsigned form)
{
	unsigned const taps = f->rows, step = behind_weights(form, f);
	text_printf(&p->text, "mov r%d.xy, %s\n", PLACE, p->place);
	for (unsigned k = 0; k < taps / 2; k++)
		text_printf(&p->text, "sub r%d.xy, r%d, c%u\n", PLACE, PLACE, step);
	for (unsigned k = 0; k < taps * taps; k++) {
		unsigned const line = k / taps, column = k % taps, r = k % TEMPORARIES;
		bool const back = line % 2, down = column == taps - 1;
		char const lane = down ? 'y' : 'x';
		text_printf(&p->text, "texld r%u, r%d, s0\n", r, PLACE);
		weight_tap(p, form, line * taps + (back ? taps - 1 - column : column), r);
		if (k + 1 < taps * taps)
			text_printf(&p->text, "%s r%d.%c, r%d.%c, c%u.%c\n", back && !down ? "sub" : "add", PLACE, lane, PLACE, lane, step, lane);
	}
}

/* Writes a def for each two taps opposite each other: .xy is the offset of the one, .wz that of the other. */
static void define_offsets(struct filter_program *p, const struct filter *f)
{
	unsigned const taps = f->rows;
	for (unsigned k = 0; k < taps * taps / 2; k++) {
		double const x = ((double)(k % taps) - taps / 2) / f->size, y = ((double)(k / taps) - taps / 2) / f->size;
		text_printf(&p->text, "def c%u, %.9g, %.9g, %.9g, %.9g\n", behind_weights(DEF, f) + k, x, y, -y, -x);
	}
}

/* Writes a program that adds an offset in a def to the pixel's place for each tap but the middle one. */
static void write_literals(struct filter_program *p, const struct filter *f, unsigned form)
{
	unsigned const all = f->rows * f->rows, middle = all / 2;
	for (unsigned tap = 0; tap < all; tap++) {
		unsigned const r = tap % TEMPORARIES, constant = behind_weights(form, f) + (tap < middle ? tap : all - 1 - tap);
		if (tap == middle)
			text_printf(&p->text, "texld r%u, %s, s0\n", r, p->place);
		else
			text_printf(&p->text, "add r%u.xy, %s, c%u%s\ntexld r%u, r%u, s0\n", r, p->place, constant, tap < middle ? "" : ".wzyx", r, r);
		weight_tap(p, form, tap, r);
	}
}

/* Writes a program and opens it as a kernel.  Programs that exceed ps_2_0 are of ps_3_0: ps_2_0 has 64 arithmetic slots, of which offsets
 * take 6 a tap, and 32 texture slots. */
static const char *open_written_conv3(struct lab *lab, struct filter *f)
{
	static const unsigned most_of_ps_2_0[FORMS] = {3, 5, 5, MOST_TAPS};
	static const char *const names[FORMS] = {"", "_chain", "_def", ""};
	static void (*const write[FORMS])(struct filter_program *, const struct filter *, unsigned form) = {write_conv3_offsets, write_conv3_chain,
	                                                                                                   write_literals, write_conv3_offsets};
	unsigned const form = lab->wanted->form_index, taps = f->rows;
	struct filter_program p = filter_program_begin(lab->arena, taps > most_of_ps_2_0[form]);
	if (form == DEF)
		define_offsets(&p, f);
	filter_program_declare(&p);
	write[form](&p, f, form);
	const char *name = arena_printf(lab->arena, form == COLUMN ? "convolution%u" : "convolution%ux%u%s", taps, taps, names[form]);
	return filter_program_open(lab, name, &p, &f->kernel);
}

/* ---- the workload ------------------------------------------------------------------------------ */

/* Opens the kernel.  The defs of convolution3x3_def hold offsets for one size, so they are replaced. */
static const char *open_conv3_kernel(struct lab *lab, struct filter *f)
{
	static const char *const examples[FORMS] = {"convolution3x3", "convolution3x3_chain", "convolution3x3_def", "convolution3"};
	float const cell = 1 / (float)f->size;
	struct definition const offsets[] = {{3, {-cell, -cell, cell, 0}}, {4, {cell, 0, -cell, cell}}};
	if (f->rows != EXAMPLE_TAPS)
		return open_written_conv3(lab, f);
	return kernel_open_defined(lab, examples[lab->wanted->form_index], offsets, lab->wanted->form_index == DEF ? 2 : 0, &f->kernel);
}

static void set_conv3_constant(struct filter *f, unsigned constant, double x, double y, double z, double w)
{
	kernel_set(&f->kernel, STAGE_PIXEL, constant, (float)x, (float)y, (float)z, (float)w);
}

/* Sets the weights and the constants behind them.  For 3 taps, CHAIN draws the example convolution3x3_chain, which has a row of weights in
 * each constant. */
static void set_conv3_constants(struct filter *f, unsigned form)
{
	bool const example = f->rows == EXAMPLE_TAPS, rows = example && form == CHAIN;
	unsigned const all = f->columns * f->rows, behind = rows ? EXAMPLE_TAPS : behind_weights(form, f);
	unsigned const step = rows ? EXAMPLE_TAPS : holds_four(form) ? LANES : 1;
	double w[FILTER_MOST_WEIGHTS + LANES] = {0};
	memcpy(w, f->weight, all * sizeof *w);
	for (unsigned k = 0; k < all; k += step)
		set_conv3_constant(f, k / step, w[k], step > 1 ? w[k + 1] : 0, step > 1 ? w[k + 2] : 0, step > 3 ? w[k + 3] : 0);
	if (form == CHAIN)
		set_conv3_constant(f, behind, 1.0 / f->size, 1.0 / f->size, 0, 0);
	if (holds_four(form))
		return;
	set_conv3_constant(f, behind, form == COLUMN ? 0 : f->size, f->size, 0, 0);
	set_conv3_constant(f, behind + 1, example ? 0 : -(double)(f->rows / 2), 0, 0, 0);
}

/* Returns how many roundings the result may be off.  The weights multiply the rounding of each texel to eight bits, half a step, and the sum
 * is rounded once more; a tenth of a step each is left for the products.  Floats may be truncated to their format, which is a whole
 * step. */
static double conv3_steps(const struct filter *f, enum image_format format)
{
	double sum = 1;
	for (unsigned k = 0; k < f->columns * f->rows; k++)
		sum += fabs(f->weight[k]);
	return (format == IMAGE_RGBA8 ? 0.6 : 1.5) * sum;
}

static const char *open_conv3(struct lab *lab)
{
	const struct wanted *wanted = lab->wanted;
	struct filter *f = lab->state = arena_zero(lab->arena, sizeof *f);
	f->size = wanted->number[SIZE];
	f->rows = f->columns = wanted->number[NTAPS];
	f->passes = 1;
	const char *wrong = workload_fits(lab, f->size);
	if (f->rows % 2 == 0)
		wrong = arena_printf(lab->arena, "--taps=%u: a filter needs an odd number of taps along a line", f->rows);
	if (!wrong && wanted->form_index == COLUMN && wanted->number[WEIGHTS] == ALONG)
		wrong = "--weights=3: these weights add up to 0 in each line, so --form=column would draw nothing; choose others";
	if (wrong)
		return wrong;
	if (f->rows == EXAMPLE_TAPS)
		memcpy(f->weight, filters[wanted->number[WEIGHTS] - 1], sizeof filters[0]);
	else
		make_conv3_weights(f, wanted->number[WEIGHTS]);
	if (wanted->form_index == COLUMN)
		make_column(f);
	f->steps = conv3_steps(f, wanted->format);
	wrong = filter_open(lab, f);
	wrong = wrong ? wrong : open_conv3_kernel(lab, f);
	if (!wrong)
		set_conv3_constants(f, wanted->form_index);
	return wrong;
}

static void compute_conv3(struct lab *lab)
{
	struct filter *f = lab->state;
	pass_draw(lab, &(struct pass){.kernel = &f->kernel, .texture = {&f->image[0]}, .target = {&f->image[1]}});
}

static const struct parameter parameters[] = {
	{"size", "pixels a side", 16, 8192, 1024},
	{"weights", "1 sharpens, 2 blurs, 3 and 4 are Sobel's along the lines and across, 5 shows edges", 1, FILTERS, 1},
	{"taps", "taps along a line, and also lines; an odd number", EXAMPLE_TAPS, MOST_TAPS, EXAMPLE_TAPS},
	{.name = NULL},
};

const struct workload conv3_workload = {
	.name = "conv3", .summary = "convolution of an image by 3x3 weights, or more", .forms = forms, .parameters = parameters,
	.any_format = true, .open = open_conv3, .compute = compute_conv3, .check = filter_check, .on_cpu = filter_on_cpu, .picture = filter_picture,
};
