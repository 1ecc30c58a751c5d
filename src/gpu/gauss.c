/* The workload gauss: blurs an image by a Gaussian, by default of 13 taps (weighted texels), along x, and then along y. */
#include "gpu/filter.h"

enum { SIZE, NTAPS };
enum { EXAMPLE_TAPS = 13, LEAST_TAPS = 3, MOST_TAPS = FILTER_MOST_WEIGHTS };
/* How a program computes the places of its taps, in the order of `forms`. */
enum { OFFSETS, CHAIN, DEF, FORMS };
static const struct workload_form forms[] = {
	{"offsets", "each tap adds a constant to the pixel's place"},
	{"chain", "the place of a tap is that of the tap before plus a step"},
	{"def", "offsets and weights are numbers in the program, for one size"},
	{.name = NULL}};

/* Makes the weights of the Gaussian; the outermost are three sigma from the middle. */
static void make_gauss_weights(struct filter *f)
{
	double const middle = f->columns / 2, sigma = middle / 3.0;
	double sum = 0;
	for (unsigned k = 0; k < f->columns; k++) {
		double const away = (k - middle) / sigma;
		sum += f->weight[k] = exp(-away * away / 2);
	}
	for (unsigned k = 0; k < f->columns; k++)
		f->weight[k] /= sum;
}

/* ---- programs for numbers of taps without an example --------------------------------------
 * Their constants stand in the order of the example gaussian13 or gaussian13_chain: from c0 on the weights, then the row offset or the
 * direction, then the offsets.  Taps use ten registers in turn, so that at most three reads depend on each other in a row, which ps_2_0
 * allows. */

enum { TEMPORARIES = 10, BATCH = 6 };

/* Writes a program that adds an offset in a constant to the pixel's place for each tap but the middle one. */
static void write_gauss_offsets(struct filter_program *p, unsigned taps)
{
	for (unsigned first = 0, end; first < taps; first = end) {
		end = first + BATCH < taps ? first + BATCH : taps;
		for (unsigned k = first; k < end; k++) {
			unsigned const r = k % TEMPORARIES;
			if (k != taps / 2)
				text_printf(&p->text, "mov r%u.y, c%u.x\nmov r%u.x, c%u.x\nadd r%u.xy, r%u, %s\n", r, taps, r, taps + 1 + k - (k > taps / 2), r,
				            r, p->place);
		}
		for (unsigned k = first; k < end; k++)
			text_printf(&p->text, "texld r%u, %s, s0\n", k % TEMPORARIES,
			            k == taps / 2 ? p->place : arena_printf(p->text.arena, "r%u", k % TEMPORARIES));
		for (unsigned k = first; k < end; k++)
			filter_add_tap(p, k % TEMPORARIES, k, 'x');
	}
}

/* Writes a program that moves its place by a step after each tap. */
static void write_gauss_chain(struct filter_program *p, unsigned taps)
{
	text_printf(&p->text, "mov r0.xy, c%u\nmad r0.xy, r0, c%u.x, %s\n", taps, taps + 1, p->place);
	for (unsigned first = 0, end; first < taps; first = end) {
		end = first + BATCH < taps ? first + BATCH : taps;
		for (unsigned k = first; k < end; k++) {
			text_printf(&p->text, "texld r%u, r0, s0\n", 1 + k % TEMPORARIES);
			if (k + 1 < taps)
				text_printf(&p->text, "add r0.xy, r0, c%u\n", taps);
		}
		for (unsigned k = first; k < end; k++)
			filter_add_tap(p, 1 + k % TEMPORARIES, k, 'x');
	}
}

/* Writes the defs: the offsets of two taps in each constant, and then the weights from the middle one on, four in each. */
static void define_pairs(struct filter_program *p, const struct filter *f)
{
	unsigned const pairs = f->columns / 2;
	for (unsigned k = 0; k < pairs; k++) {
		double const away = (k + 1.0) / f->size;
		text_printf(&p->text, "def c%u, %.9g, 0, 0, %.9g\n", k, -away, away);
	}
	for (unsigned k = 0; k <= pairs; k += LANES) {
		text_printf(&p->text, "def c%u", pairs + k / LANES);
		for (unsigned l = k; l < k + LANES; l++)
			text_printf(&p->text, ", %.9g", l <= pairs ? f->weight[pairs + l] : 0);
		text_string(&p->text, "\n");
	}
}

/* Writes a program that adds the two texels of equal weight before it multiplies. */
static void write_gauss_pairs(struct filter_program *p, unsigned pairs)
{
	text_printf(&p->text, "texld r%d, %s, s0\n", FILTER_SUM, p->place);
	filter_add_tap(p, FILTER_SUM, pairs, 'x');
	for (unsigned first = 0, end; first < pairs; first = end) {
		end = first + BATCH / 2 < pairs ? first + BATCH / 2 : pairs;
		for (unsigned k = first; k < end; k++)
			text_printf(&p->text, "add r%u.xy, %s, c%u\nadd r%u.xy, %s, c%u.wzyx\n", 2 * k % TEMPORARIES, p->place, k,
			            2 * k % TEMPORARIES + 1, p->place, k);
		for (unsigned k = 2 * first; k < 2 * end; k++)
			text_printf(&p->text, "texld r%u, r%u, s0\n", k % TEMPORARIES, k % TEMPORARIES);
		for (unsigned k = first; k < end; k++) {
			text_printf(&p->text, "add r%u, r%u, r%u\n", 2 * k % TEMPORARIES, 2 * k % TEMPORARIES, 2 * k % TEMPORARIES + 1);
			filter_add_tap(p, 2 * k % TEMPORARIES, pairs + (k + 1) / LANES, "xyzw"[(k + 1) % LANES]);
		}
	}
}

/* Writes a program and opens it as a kernel.  Programs that exceed ps_2_0 are of ps_3_0: offsets are limited by 64 arithmetic slots and 32
 * constants, chain by the constants, and def by 32 texture slots. */
static const char *open_written_gauss(struct lab *lab, struct filter *f)
{
	static const unsigned most_of_ps_2_0[FORMS] = {15, 29, 31};
	static const char *const names[FORMS] = {"", "_chain", "_def"};
	unsigned const form = lab->wanted->form_index, taps = f->columns;
	struct filter_program p = filter_program_begin(lab->arena, taps > most_of_ps_2_0[form]);
	if (form == CHAIN)
		text_printf(&p.text, "def c%u, -%u, 0, 0, 0\n", taps + 1, taps / 2);
	if (form == DEF)
		define_pairs(&p, f);
	filter_program_declare(&p);
	if (form == OFFSETS)
		write_gauss_offsets(&p, taps);
	else if (form == CHAIN)
		write_gauss_chain(&p, taps);
	else
		write_gauss_pairs(&p, taps / 2);
	return filter_program_open(lab, arena_printf(lab->arena, "gaussian%u%s", taps, names[form]), &p, &f->kernel);
}

/* ---- the workload ------------------------------------------------------------------------- */

/* Opens the kernel.  The defs of gaussian13_def hold offsets for one size, so they are replaced; its weights are right. */
static const char *open_gauss_kernel(struct lab *lab, struct filter *f)
{
	struct definition offset[EXAMPLE_TAPS / 2];
	if (f->columns != EXAMPLE_TAPS)
		return open_written_gauss(lab, f);
	if (lab->wanted->form_index != DEF)
		return kernel_open(lab, lab->wanted->form_index == CHAIN ? "gaussian13_chain" : "gaussian13", &f->kernel);
	for (unsigned k = 0; k < EXAMPLE_TAPS / 2; k++) {
		float const away = (float)(k + 1) / (float)f->size;
		offset[k] = (struct definition){k, {-away, 0, 0, away}};
	}
	return kernel_open_defined(lab, "gaussian13_def", offset, EXAMPLE_TAPS / 2, &f->kernel);
}

/* Sets the constant behind the weights: the step of a chain, or the row offset of programs with offsets. */
static void set_direction(struct filter *f, float x, float y)
{
	kernel_set(&f->kernel, STAGE_PIXEL, f->columns, x, y, 0, 0);
}

static void set_gauss_constants(struct filter *f, unsigned form)
{
	unsigned const taps = f->columns, middle = taps / 2;
	float const step = 1.0f / (float)f->size;
	for (unsigned k = 0; k < taps && form != DEF; k++)
		kernel_set(&f->kernel, STAGE_PIXEL, k, (float)f->weight[k], 0, 0, 0);
	if (form == OFFSETS)
		set_direction(f, 0, 0);
	for (unsigned k = 0; k < taps && form == OFFSETS; k++)
		if (k != middle)
			kernel_set(&f->kernel, STAGE_PIXEL, taps + 1 + k - (k > middle), ((float)k - (float)middle) * step, 0, 0, 0);
}

/* Opens the workload.  The method's paper counts 12 K N^2 operations, for images of three channels; ours have four. */
static const char *open_gauss(struct lab *lab)
{
	struct filter *f = lab->state = arena_zero(lab->arena, sizeof *f);
	f->size = lab->wanted->number[SIZE];
	f->columns = lab->wanted->number[NTAPS];
	f->rows = 1;
	f->passes = 2;
	f->steps = 4;
	const char *wrong = workload_fits(lab, f->size);
	if (f->columns % 2 == 0)
		wrong = arena_printf(lab->arena, "--taps=%u: a Gaussian needs an odd number of taps", f->columns);
	if (wrong)
		return wrong;
	make_gauss_weights(f);
	lab->published = 12.0 * f->columns * f->size * f->size;
	wrong = filter_open(lab, f);
	wrong = wrong ? wrong : open_gauss_kernel(lab, f);
	if (!wrong)
		set_gauss_constants(f, lab->wanted->form_index);
	return wrong;
}

/* Blurs along x, and then along y: in a chain, a constant tells the direction; other programs blur along x, and each pass transposes the
 * image. */
static void compute_gauss(struct lab *lab)
{
	static const struct span turned = {.x1 = 1, .y1 = 1, .w = 1, .transposed = true};
	struct filter *f = lab->state;
	bool const chain = lab->wanted->form_index == CHAIN;
	float const step = 1.0f / (float)f->size;
	for (unsigned k = 0; k < 2; k++) {
		if (chain)
			set_direction(f, k ? 0 : step, k ? step : 0);
		pass_draw(lab, &(struct pass){.kernel = &f->kernel, .texture = {&f->image[k]}, .target = {&f->image[k + 1]}, .texcoord = {chain ? NULL : &turned}});
	}
}

static const struct parameter parameters[] = {
	{"size", "pixels a side", 16, 8192, 1024},
	{"taps", "taps along a line, an odd number", LEAST_TAPS, MOST_TAPS, EXAMPLE_TAPS},
	{.name = NULL},
};

const struct workload gauss_workload = {
	.name = "gauss", .summary = "Gaussian blur, along the lines and across", .forms = forms, .parameters = parameters,
	.any_format = true, .open = open_gauss, .compute = compute_gauss, .check = filter_check, .on_cpu = filter_on_cpu, .picture = filter_picture,
};
