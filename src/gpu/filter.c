/* Filters images on the GPU and on the CPU, see filter.h. */
#include "gpu/filter.h"

enum { CHANNELS = 4 };

/* Sets the operations, a multiplication and an addition for each weight and channel, and the bytes: for each pixel, a texel is read for each
 * weight, and one is written. */
const char *filter_open(struct lab *lab, struct filter *f)
{
	enum image_format const format = lab->wanted->format;
	double const pixels = (double)f->size * f->size, taps = f->columns * f->rows;
	const char *wrong = workload_image(lab, format, f->size, f->size, CHANNELS, &f->texels);
	for (unsigned k = 0; k <= f->passes && !wrong; k++)
		wrong = lab_image(lab, &f->image[k], f->size, f->size, format, IMAGE_CLAMP);
	f->result = arena_alloc(lab->arena, (size_t)pixels * CHANNELS * sizeof(float));
	lab_input(lab, &f->image[0], NULL, f->texels);
	lab_output(lab, &f->image[f->passes], NULL, f->result);
	lab->operations = 2 * f->passes * taps * (double)CHANNELS * pixels;
	lab->traffic = f->passes * (taps + 1) * image_formats[format].bytes * pixels;
	return wrong;
}

/* ---- on the CPU ------------------------------------------------------------------------ */

static size_t floats_of(const struct filter *f)
{
	return (size_t)f->size * f->size * CHANNELS;
}

/* Returns true if targets hold only numbers from 0 to 1. */
static bool is_clipped(const struct filter *f)
{
	return f->image[0].format == IMAGE_RGBA8;
}

/* Writes into each texel of `to` the weighted sum of columns x rows texels around its place in `from`.  A texel beyond the edge equals the
 * nearest one at the edge. */
static void filter_in_double(const struct filter *f, const double *from, unsigned columns, unsigned rows, double *to)
{
	memset(to, 0, floats_of(f) * sizeof *to);
	for (unsigned y = 0; y < f->size; y++)
		for (unsigned x = 0; x < f->size; x++, to += CHANNELS)
			for (unsigned k = 0; k < columns * rows; k++) {
				size_t const line = workload_clamped((long)y + k / columns - rows / 2, f->size);
				size_t const column = workload_clamped((long)x + k % columns - columns / 2, f->size);
				for (unsigned c = 0; c < CHANNELS; c++)
					to[c] += f->weight[k] * from[(line * f->size + column) * CHANNELS + c];
			}
}

void filter_check(struct lab *lab, struct finding *found)
{
	const struct filter *f = lab->state;
	struct arena_mark const mark = arena_mark(lab->arena);
	double *right = arena_alloc(lab->arena, floats_of(f) * sizeof *right), *from = arena_alloc(lab->arena, floats_of(f) * sizeof *from);
	for (size_t k = 0; k < floats_of(f); k++)
		from[k] = (double)f->texels[k];
	filter_in_double(f, from, f->columns, f->rows, right);
	if (f->passes == 2) {
		memcpy(from, right, floats_of(f) * sizeof *from);
		filter_in_double(f, from, f->rows, f->columns, right);
	}
	*found = (struct finding){.what = "largest difference"};
	found->most = workload_largest(f->texels, floats_of(f)) * workload_rounding(f->image[0].format, f->steps);
	for (size_t k = 0; k < floats_of(f); k++)
		finding_compare(found, (double)f->result[k], is_clipped(f) ? fmin(1, fmax(0, right[k])) : right[k]);
	arena_release(lab->arena, mark);
}

/* Copies an image with each line made longer by `margin` texels at either end, which repeat its ends. */
static float *repeat_line_ends(struct arena *a, const float *from, size_t size, size_t margin)
{
	size_t const line = (size + 2 * margin) * CHANNELS;
	float *wide = arena_alloc(a, line * size * sizeof *wide);
	for (size_t y = 0; y < size; y++)
		for (size_t x = 0; x < size + 2 * margin; x++) {
			size_t const at = x < margin ? 0 : x - margin < size ? x - margin : size - 1;
			memcpy(wide + y * line + x * CHANNELS, from + (y * size + at) * CHANNELS, CHANNELS * sizeof *wide);
		}
	return wide;
}

static void add_weighted_line(float *restrict to, const float *restrict from, float weight, size_t n)
{
	for (size_t k = 0; k < n; k++)
		to[k] += weight * from[k];
}

/* Filters as filter_in_double does, in single precision and as fast as plain C can. */
static void filter_in_single(struct arena *a, const struct filter *f, const float *from, unsigned columns, unsigned rows, float *to)
{
	size_t const n = (size_t)f->size * CHANNELS, line = n + (size_t)(columns - 1) * CHANNELS;
	const float *wide = repeat_line_ends(a, from, f->size, columns / 2);
	memset(to, 0, floats_of(f) * sizeof *to);
	for (unsigned y = 0; y < f->size; y++, to += n)
		for (unsigned k = 0; k < columns * rows; k++) {
			size_t const at = workload_clamped((long)y + k / columns - rows / 2, f->size);
			add_weighted_line(to, wide + at * line + (size_t)(k % columns) * CHANNELS, (float)f->weight[k], n);
		}
}

void filter_on_cpu(struct lab *lab)
{
	struct filter *f = lab->state;
	struct arena_mark const mark = arena_mark(lab->arena);
	float *first = f->passes == 2 ? arena_alloc(lab->arena, floats_of(f) * sizeof *first) : f->result;
	filter_in_single(lab->arena, f, f->texels, f->columns, f->rows, first);
	if (f->passes == 2)
		filter_in_single(lab->arena, f, first, f->rows, f->columns, f->result);
	for (size_t k = 0; is_clipped(f) && k < floats_of(f); k++)
		f->result[k] = fminf(1, fmaxf(0, f->result[k]));
	arena_release(lab->arena, mark);
}

void filter_picture(struct lab *lab, struct picture *p)
{
	const struct filter *f = lab->state;
	double sum = 0;
	for (unsigned k = 0; k < f->columns * f->rows; k++)
		sum += f->weight[k];
	workload_picture(lab, f->size, f->result, p);
	for (size_t k = 0; sum <= 0 && k < floats_of(f); k++)
		p->rgba[k] = 0.5f + f->result[k] / 8;
}

/* ---- programs -------------------------------------------------------------------------- */

struct filter_program filter_program_begin(struct arena *a, bool model_3)
{
	struct filter_program p = {.text = {.arena = a}, .place = model_3 ? "v0" : "t0"};
	text_string(&p.text, model_3 ? "ps_3_0\n" : "ps_2_0\n");
	return p;
}

void filter_program_declare(struct filter_program *p)
{
	text_string(&p->text, *p->place == 'v' ? "dcl_texcoord v0.xy\ndcl_2d s0\n" : "dcl t0.xy\ndcl_2d s0\n");
}

void filter_add_tap(struct filter_program *p, unsigned r, unsigned constant, char lane)
{
	if (p->begun)
		text_printf(&p->text, "mad r%d, r%u, c%u.%c, r%d\n", FILTER_SUM, r, constant, lane, FILTER_SUM);
	else
		text_printf(&p->text, "mul r%d, r%u, c%u.%c\n", FILTER_SUM, r, constant, lane);
	p->begun = true;
}

const char *filter_program_open(struct lab *lab, const char *name, struct filter_program *p, struct kernel *k)
{
	text_printf(&p->text, "mov oC0, r%d\n", FILTER_SUM);
	return kernel_from_pixel_text(lab, name, p->text.at, k);
}
