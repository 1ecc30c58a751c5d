/* The workload sort: sorts all keys, or each line of keys, by passes that compare and exchange. */
#include "gpu/workload.h"

#include <stdlib.h>

enum { CHANNELS = 4 };

struct sort {
	const struct form *form;
	struct kernel kernel;
	unsigned size;        /* number of lines, and of keys in a line */
	unsigned width;       /* texels of a line, guards included */
	struct image image[2];
	unsigned newest;      /* index of the image that was drawn last */
	float *keys, *texels, *result;
};

/* Settings of a form, in the order of `forms`. */
struct form {
	const char *kernel;
	bool whole;   /* true if all keys are sorted, line after line; false if each line is sorted by itself */
	bool records; /* true if a texel is a record whose key is x; false if its channels are keys of four separate sorts */
	void (*compute)(struct lab *, struct sort *);
};

/* ---- passes ---------------------------------------------------------------------------- */

static void set_sort_constant(struct sort *s, unsigned constant, double x, double y, double z, double w)
{
	kernel_set(&s->kernel, STAGE_PIXEL, constant, (float)x, (float)y, (float)z, (float)w);
}

/* Returns the number of comparisons of a pass; each is counted once for its two keys.  A record has one key, but a pass over records does two
 * steps. */
static double operations_of_pass(const struct sort *s)
{
	return (double)s->size * s->size * (s->form->records ? 1 : CHANNELS / 2);
}

/* Draws one pass from the newest image to the other, and adds its operations and bytes to those of the computation. */
static void draw_sort_pass(struct lab *lab, struct sort *s)
{
	const struct image *from = &s->image[s->newest];
	s->newest ^= 1;
	struct pass const pass = {.kernel = &s->kernel, .texture = {from}, .target = {&s->image[s->newest]}};
	pass_draw(lab, &pass);
	lab->operations += operations_of_pass(s);
	lab->traffic += (double)s->width * s->size * (program_slots(s->kernel.ps).tex + 1) * image_formats[from->format].bytes;
}

/* Sets a constant of which the FP computes whether a key is in an even or an odd run, where runs are `run` keys long. */
static void set_runs(struct sort *s, unsigned constant, unsigned run)
{
	if (run < s->size)
		set_sort_constant(s, constant, s->size / (2.0 * run), 0, 0, 0);
	else
		set_sort_constant(s, constant, 0, s->size / (2.0 * (run / s->size)), 0, 0);
}

static void sort_whole(struct lab *lab, struct sort *s)
{
	unsigned const n = s->size * s->size;
	for (unsigned block = 2; block <= n; block *= 2) {
		set_runs(s, 1, block);
		for (unsigned distance = block / 2; distance; distance /= 2) {
			bool const along = distance < s->size;
			set_runs(s, 0, distance);
			set_sort_constant(s, 3, along ? distance / (double)s->size : 0, along ? 0 : distance / s->size / (double)s->size, 0, 0);
			draw_sort_pass(lab, s);
		}
	}
}

static void sort_lines(struct lab *lab, struct sort *s)
{
	double const n = s->size;
	for (unsigned block = 2; block <= s->size; block *= 2)
		for (unsigned distance = block / 2; distance; distance /= 2) {
			set_sort_constant(s, 0, n / (2 * distance), n / (2 * block), 0, 0);
			set_sort_constant(s, 1, distance / n, 0, 0, 0);
			draw_sort_pass(lab, s);
		}
}

static void merge_lines(struct lab *lab, struct sort *s)
{
	double const n = s->size;
	for (unsigned p = 1; p < s->size; p *= 2)
		for (unsigned k = p; k; k /= 2) {
			double const j = k % p;
			set_sort_constant(s, 0, n / (2 * k), j / (2 * k), n / (2 * p), 0);
			set_sort_constant(s, 1, k / n, 0, j / (2 * p), 1 - j / (2 * p));
			draw_sort_pass(lab, s);
		}
}

/* Sorts lines by odd-even transposition, which takes as many steps as there are keys; a pass does two. */
static void transpose_lines(struct lab *lab, struct sort *s)
{
	set_sort_constant(s, 0, s->width, 0, 0, 0);
	set_sort_constant(s, 1, 0, 0, 0, 0);
	for (unsigned step = 0; step < s->size; step += 2)
		draw_sort_pass(lab, s);
}

/* The settings of each form: kernel, whole, records, and compute. */
static const struct form ways[] = {
	{"sort_bitonic_array", true, false, sort_whole},
	{"sort_bitonic", false, false, sort_lines},
	{"sort_oddeven", false, false, merge_lines},
	{"sort5", false, true, transpose_lines},
};
static const struct workload_form forms[] = {
	{"bitonic", "Batcher's bitonic network over all keys"},
	{"bitonic_lines", "the same over each line by itself"},
	{"oddeven_lines", "Batcher's odd-even merge network over each line"},
	{"transposition_lines", "odd-even transposition of neighbours, two steps a pass of 5 reads"},
	{.name = NULL}};

/* ---- keys ------------------------------------------------------------------------------ */

/* Returns the nearest number that texels of the format hold.  Numbers so small that a GPU may flush their differences to 0 become 0. */
static float round_key(float key, enum image_format format)
{
	int exponent = 0;
	switch (format) {
	case IMAGE_RGBA8: return (float)(rint((double)key * 255) / 255);
	case IMAGE_RGBA16F:
		key = fminf(65504, fmaxf(-65504, key));
		key = frexpf(key, &exponent);
		key = ldexpf(rintf(ldexpf(key, 11)), exponent - 11);
		return fabsf(key) < 0x1p-14f ? 0 : key;
	case IMAGE_RGBA32F:
	case IMAGE_R32F:
	case IMAGE_FORMATS: break;
	}
	return fabsf(key) < 0x1p-100f ? 0 : key;
}

static const char *make_keys(struct lab *lab, struct sort *s)
{
	enum image_format const format = lab->wanted->format;
	uint64_t seed = lab->wanted->seed;
	size_t const n = (size_t)s->size * s->size * CHANNELS;
	const char *wrong = NULL;
	if (lab->wanted->input)
		wrong = workload_image(lab, format, s->size, s->size, CHANNELS, &s->keys);
	else
		s->keys = arena_alloc(lab->arena, n * sizeof *s->keys);
	for (size_t k = 0; k < n && !wrong; k++) {
		if (!lab->wanted->input)
			s->keys[k] = (float)(format == IMAGE_RGBA8 ? random_unit(&seed) : 2 * random_unit(&seed) - 1);
		s->keys[k] = round_key(s->keys[k], format);
	}
	return wrong;
}

/* Makes the texels of the input.  In each line, records stand between two guards: the least key and the greatest. */
static void make_texels(struct sort *s)
{
	size_t const line = (size_t)s->size * CHANNELS, guards = s->width - s->size;
	float least = s->keys[0], greatest = s->keys[0];
	for (size_t k = 0; k < line * s->size; k++) {
		least = fminf(least, s->keys[k]);
		greatest = fmaxf(greatest, s->keys[k]);
	}
	for (size_t y = 0; y < s->size; y++) {
		float *to = s->texels + y * s->width * CHANNELS;
		for (size_t c = 0; c < CHANNELS && guards; c++) {
			to[c] = least;
			to[CHANNELS + line + c] = greatest;
		}
		memcpy(to + guards / 2 * CHANNELS, s->keys + y * line, line * sizeof *to);
	}
}

static const char *open_sort(struct lab *lab)
{
	struct sort *s = lab->state = arena_zero(lab->arena, sizeof *s);
	s->form = &ways[lab->wanted->form_index];
	s->size = lab->wanted->number[0];
	s->width = s->size + (s->form->records ? 2 : 0);
	const char *wrong = workload_fits(lab, s->width);
	if (!s->form->records && s->size & (s->size - 1))
		wrong = arena_printf(lab->arena, "the size must be a power of two, which %u is not", s->size);
	wrong = wrong ? wrong : make_keys(lab, s);
	wrong = wrong ? wrong : kernel_open(lab, s->form->kernel, &s->kernel);
	for (unsigned k = 0; k < 2 && !wrong; k++)
		wrong = lab_image(lab, &s->image[k], s->width, s->size, lab->wanted->format, IMAGE_CLAMP);
	if (wrong)
		return wrong;
	s->texels = arena_alloc(lab->arena, (size_t)s->width * s->size * CHANNELS * sizeof(float));
	s->result = arena_alloc(lab->arena, (size_t)s->size * s->size * CHANNELS * sizeof(float));
	make_texels(s);
	lab_input(lab, &s->image[0], NULL, s->texels);
	return NULL;
}

static void sort_keys(struct lab *lab)
{
	struct sort *s = lab->state;
	struct rect const keys = {.x = (int)(s->width - s->size) / 2, .width = (int)s->size, .height = (int)s->size};
	s->newest = 0;
	lab->operations = lab->traffic = 0;
	s->form->compute(lab, s);
	lab->output.n = 0;
	lab_output(lab, &s->image[s->newest], &keys, s->result);
}

/* ---- checking -------------------------------------------------------------------------- */

static int compare_keys(const void *a, const void *b)
{
	float const x = *(const float *)a, y = *(const float *)b;
	return (x > y) - (x < y);
}

static int compare_records(const void *a, const void *b)
{
	int order = 0;
	for (unsigned c = 0; c < CHANNELS && !order; c++)
		order = compare_keys((const float *)a + c, (const float *)b + c);
	return order;
}

static void sort_channels(float *texels, size_t n, float *work)
{
	for (unsigned c = 0; c < CHANNELS; c++) {
		for (size_t k = 0; k < n; k++)
			work[k] = texels[k * CHANNELS + c];
		qsort(work, n, sizeof *work, compare_keys);
		for (size_t k = 0; k < n; k++)
			texels[k * CHANNELS + c] = work[k];
	}
}

/* Sorts a copy of the n texels of `keys`, each channel by itself, and compares the result with it. */
static void check_keys(const float *keys, const float *result, size_t n, float *work, struct finding *f)
{
	float *own = work + n * CHANNELS;
	memcpy(own, keys, n * CHANNELS * sizeof *own);
	sort_channels(own, n, work);
	for (size_t k = 0; k < n * CHANNELS; k++)
		finding_compare(f, (double)result[k], (double)own[k]);
}

/* Compares the keys of the result with n sorted records.  Then sorts both sides by all channels and compares them, too: records of equal keys may
 * stand in any order, but none may be lost. */
static void check_records(const float *keys, const float *result, size_t n, float *work, struct finding *f)
{
	float *own = work + n * CHANNELS;
	memcpy(work, keys, n * CHANNELS * sizeof *work);
	memcpy(own, result, n * CHANNELS * sizeof *own);
	qsort(work, n, CHANNELS * sizeof *work, compare_records);
	for (size_t k = 0; k < n; k++)
		finding_compare(f, (double)own[k * CHANNELS], (double)work[k * CHANNELS]);
	qsort(own, n, CHANNELS * sizeof *own, compare_records);
	for (size_t k = 0; k < n * CHANNELS; k++)
		finding_compare(f, (double)own[k], (double)work[k]);
}

/* Compares the result with the sorted keys.  Sorting rounds nothing, and the format holds all keys, so they must come out exactly; keys of eight
 * bits count as exact if they are nearer to the right one than to the next. */
static void check_sort(struct lab *lab, struct finding *f)
{
	const struct sort *s = lab->state;
	size_t const n = s->form->whole ? (size_t)s->size * s->size : s->size;
	struct arena_mark const mark = arena_mark(lab->arena);
	float *work = arena_alloc(lab->arena, 2 * n * CHANNELS * sizeof *work);
	*f = (struct finding){.what = "largest difference", .most = s->image[0].format == IMAGE_RGBA8 ? 0.5 / 255 : 0};
	for (size_t at = 0; at < (size_t)s->size * s->size; at += n)
		(s->form->records ? check_records : check_keys)(s->keys + at * CHANNELS, s->result + at * CHANNELS, n, work, f);
	arena_release(lab->arena, mark);
}

/* Sorts the same keys by the C library's qsort: each channel by itself, or whole records. */
static void sort_on_cpu(struct lab *lab)
{
	struct sort *s = lab->state;
	size_t const all = (size_t)s->size * s->size, n = s->form->whole ? all : s->size;
	struct arena_mark const mark = arena_mark(lab->arena);
	float *work = arena_alloc(lab->arena, n * CHANNELS * sizeof *work);
	for (size_t at = 0; at < all; at += n) {
		memcpy(s->result + at * CHANNELS, s->keys + at * CHANNELS, n * CHANNELS * sizeof *work);
		if (s->form->records)
			qsort(s->result + at * CHANNELS, n, CHANNELS * sizeof *work, compare_keys);
		else
			sort_channels(s->result + at * CHANNELS, n, work);
	}
	arena_release(lab->arena, mark);
}

/* Makes a picture of the result, in which each channel goes from 0 for the least number of the result to 1 for the greatest. */
static void draw_sort_picture(struct lab *lab, struct picture *p)
{
	const struct sort *s = lab->state;
	size_t const n = (size_t)s->size * s->size * CHANNELS;
	float least = s->result[0], greatest = s->result[0];
	for (size_t k = 0; k < n; k++) {
		least = fminf(least, s->result[k]);
		greatest = fmaxf(greatest, s->result[k]);
	}
	picture_make(lab->arena, s->size, s->size, p);
	for (size_t k = 0; k < n; k++)
		p->rgba[k] = greatest > least ? (s->result[k] - least) / (greatest - least) : 0;
}

static const struct parameter parameters[] = {{"size", "keys a line, and lines", 16, 8192, 1024}, {.name = NULL}};

const struct workload sort_workload = {
	.name = "sort", .summary = "sorting networks over an array of keys, all of it or line by line", .forms = forms,
	.parameters = parameters, .any_format = true, .open = open_sort, .compute = sort_keys, .check = check_sort, .on_cpu = sort_on_cpu,
	.picture = draw_sort_picture,
};
