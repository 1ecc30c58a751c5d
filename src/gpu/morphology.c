/* The workload morphology: grey dilation or erosion: each pixel becomes the maximum or minimum, channel by channel, of the K pixels that a
 * structuring element selects around it.  A pass of ps_2_0 reads 32 texels, and one of ps_3_0 reads 200 in its 512 slots.  More pixels take
 * several passes; each further pass also reads the result so far, and so has one read less for pixels.  The user chooses K, so the programs
 * are written here. */
#include "gpu/workload.h"

#include <math.h>
#include <stdlib.h>

enum { CHANNELS = 4, WINDOW = 64, MOST_TAPS = 1024 };
enum { SIZE, NTAPS, SHAPE };
enum { DISC, SQUARE, SEEDED };
enum { FIRST, FURTHER, LAST, KERNELS };

/* Settings of a form, in the order of forms[]. */
struct way {
	bool erode;
	bool model_3;        /* true for ps_3_0 */
	unsigned most_reads; /* the most texture reads of a pass */
};
static const struct way ways[] = {{false, false, 32}, {true, false, 32}, {false, true, 200}, {true, true, 200}};
static const struct workload_form forms[] = {
	{"dilate", "the maximum under the structuring element, 32 reads a pass"},
	{"erode", "the minimum"},
	{"dilate-sm3", "the maximum by ps_3_0, 200 reads a pass; it goes to the driver as GLSL"},
	{"erode-sm3", "the minimum by ps_3_0"},
	{.name = NULL}};

struct tap {
	int x, y; /* offset from the pixel, in texels */
	int rank; /* the structuring element has the taps with the lowest ranks */
};

struct morphology {
	struct way way;
	unsigned size, ntaps;
	struct tap *taps; /* the ntaps taps of the structuring element, line by line */
	struct kernel kernel[KERNELS];
	struct image input, output[2];
	unsigned char *pixels;
	float *texels, *result;
};

/* ---- the structuring element ------------------------------------------------------------- */

static int by_rank(const void *a, const void *b)
{
	const struct tap *s = a, *t = b;
	return s->rank != t->rank ? (s->rank > t->rank) - (s->rank < t->rank) : s->y != t->y ? s->y - t->y : s->x - t->x;
}

static int by_line(const void *a, const void *b)
{
	const struct tap *s = a, *t = b;
	return s->y != t->y ? s->y - t->y : s->x - t->x;
}

static int rank_of_tap(unsigned shape, int x, int y, uint64_t *seed)
{
	switch (shape) {
	case DISC: return x * x + y * y;
	case SQUARE: return abs(2 * x + 1) > abs(2 * y + 1) ? abs(2 * x + 1) : abs(2 * y + 1);
	default: return (int)(random_unit(seed) * (1 << 30));
	}
}

/* Returns the K places of a window that have the lowest ranks, line by line. */
static struct tap *choose_taps(struct lab *lab)
{
	const struct wanted *wanted = lab->wanted;
	struct tap *taps = arena_alloc(lab->arena, sizeof *taps * WINDOW * WINDOW);
	uint64_t seed = wanted->seed;
	for (int k = 0; k < WINDOW * WINDOW; k++) {
		int const x = k % WINDOW - WINDOW / 2, y = k / WINDOW - WINDOW / 2;
		taps[k] = (struct tap){x, y, rank_of_tap(wanted->number[SHAPE], x, y, &seed)};
	}
	qsort(taps, WINDOW * WINDOW, sizeof *taps, by_rank);
	qsort(taps, wanted->number[NTAPS], sizeof *taps, by_line);
	return taps;
}

/* ---- the programs ------------------------------------------------------------------------ */

/* Writes the reads of ps_2_0.  They use 11 registers in turn, so that at most three reads depend on each other in a row, which
 * ps_2_0 allows. */
static void write_reads_model_2(struct text *t, const char *extreme, unsigned taps, bool further)
{
	for (unsigned k = 0; k < taps; k++) {
		unsigned const r = k == 0 && !further ? 0 : 1 + k % 11;
		text_printf(t, "add r%u.xy, t0, c%u%s\ntexld r%u, r%u, s0\n", r, k / 2, k % 2 ? ".wzyx" : "", r, r);
		if (r > 0)
			text_printf(t, "%s r0, r0, r%u\n", extreme, r);
	}
}

/* Writes the reads of ps_3_0.  There the address of a read may be any two lanes, so one add makes the addresses of two reads. */
static void write_reads_model_3(struct text *t, const char *extreme, unsigned taps, bool further)
{
	for (unsigned k = 0; k < taps; k++) {
		unsigned const r = k == 0 && !further ? 0 : 2;
		if (k % 2 == 0)
			text_printf(t, "add r1, v0.xyyx, c%u\n", k / 2);
		text_printf(t, "texld r%u, r1%s, s0\n", r, k % 2 ? ".wzyx" : "");
		if (r > 0)
			text_printf(t, "%s r0, r0, r2\n", extreme);
	}
}

/* Writes a program for the maximum or minimum of `taps` pixels of s0 and, if `further`, of the result so far (s1).  The constants from c0 on
 * hold the offsets, two in each: the first in (x, y), the second in (w, z). */
static const char *write_extreme_program(struct arena *a, struct way way, unsigned taps, bool further)
{
	struct text t = {.arena = a};
	text_printf(&t, "%s\ndcl_2d s0\n", way.model_3 ? "ps_3_0\ndcl_texcoord v0.xy" : "ps_2_0\ndcl t0.xy");
	if (further)
		text_printf(&t, "dcl_2d s1\ntexld r0, %s, s1\n", way.model_3 ? "v0" : "t0");
	(way.model_3 ? write_reads_model_3 : write_reads_model_2)(&t, way.erode ? "min" : "max", taps, further);
	text_string(&t, "mov oC0, r0\n");
	return t.at;
}

static const char *make_extreme_kernel(struct lab *lab, struct morphology *m, unsigned which, unsigned taps)
{
	bool const further = which != FIRST;
	const char *name = arena_printf(lab->arena, "%s by %u%s", m->way.erode ? "erode" : "dilate", taps, further ? " more" : "");
	return kernel_from_pixel_text(lab, name, write_extreme_program(lab->arena, m->way, taps, further), &m->kernel[which]);
}

static const char *make_extreme_kernels(struct lab *lab, struct morphology *m)
{
	unsigned const most = m->way.most_reads, first = m->ntaps < most ? m->ntaps : most, more = m->ntaps - first;
	const char *wrong = make_extreme_kernel(lab, m, FIRST, first);
	if (!wrong && more >= most - 1)
		wrong = make_extreme_kernel(lab, m, FURTHER, most - 1);
	if (!wrong && more % (most - 1) > 0)
		wrong = make_extreme_kernel(lab, m, LAST, more % (most - 1));
	return wrong;
}

/* ---- on the GPU -------------------------------------------------------------------------- */

static size_t bytes_of(const struct morphology *m)
{
	return (size_t)m->size * m->size * CHANNELS;
}

static unsigned passes_of_morphology(const struct morphology *m)
{
	return m->ntaps <= m->way.most_reads ? 1 : 1 + (m->ntaps - 2) / (m->way.most_reads - 1);
}

/* Makes the input from the user's file or seed, rounded to values that an RGBA8 texture holds, so that the result is exact.  Returns NULL, or
 * one sentence on what is wrong with the file. */
static const char *make_morphology_input(struct lab *lab, struct morphology *m)
{
	const char *wrong = workload_image(lab, IMAGE_RGBA8, m->size, m->size, CHANNELS, &m->texels);
	m->result = arena_zero(lab->arena, bytes_of(m) * sizeof(float));
	m->pixels = arena_alloc(lab->arena, bytes_of(m));
	for (size_t k = 0; k < bytes_of(m) && !wrong; k++) {
		m->pixels[k] = (unsigned char)lrintf(m->texels[k] * 255);
		m->texels[k] = (float)m->pixels[k] / 255;
	}
	return wrong;
}

/* Opens the workload.  Its operations are one comparison for each tap and channel. */
static const char *open_morphology(struct lab *lab)
{
	struct morphology *m = lab->state = arena_zero(lab->arena, sizeof *m);
	m->way = ways[lab->wanted->form_index];
	m->size = lab->wanted->number[SIZE];
	m->ntaps = lab->wanted->number[NTAPS];
	m->taps = choose_taps(lab);
	const char *wrong = workload_fits(lab, m->size);
	wrong = wrong ? wrong : make_morphology_input(lab, m);
	wrong = wrong ? wrong : make_extreme_kernels(lab, m);
	struct image *const images[] = {&m->input, &m->output[0], &m->output[1]}, *last = &m->output[(passes_of_morphology(m) + 1) & 1];
	for (unsigned k = 0; k < 3 && !wrong; k++)
		wrong = lab_image(lab, images[k], m->size, m->size, IMAGE_RGBA8, IMAGE_CLAMP);
	lab_input(lab, &m->input, NULL, m->texels);
	lab_output(lab, last, NULL, m->result);
	lab->operations = (double)m->ntaps * (double)bytes_of(m);
	lab->traffic = (m->ntaps + 2.0 * passes_of_morphology(m) - 1) * (double)bytes_of(m);
	return wrong;
}

static void set_offsets(const struct morphology *m, struct kernel *k, const struct tap *taps, unsigned n)
{
	float const step = 1.0f / (float)m->size;
	for (unsigned t = 0; t < n; t += 2) {
		const struct tap *a = &taps[t], *b = &taps[t + 1 < n ? t + 1 : t];
		kernel_set(k, STAGE_PIXEL, t / 2, (float)a->x * step, (float)a->y * step, (float)b->y * step, (float)b->x * step);
	}
}

static void compute_morphology(struct lab *lab)
{
	struct morphology *m = lab->state;
	unsigned done = 0;
	for (unsigned k = 0; done < m->ntaps; k++) {
		unsigned const room = m->way.most_reads - (k > 0), left = m->ntaps - done, taps = left < room ? left : room;
		struct kernel *kernel = &m->kernel[k == 0 ? FIRST : taps == room ? FURTHER : LAST];
		struct pass const pass = {.kernel = kernel, .texture = {&m->input, k ? &m->output[(k + 1) & 1] : NULL},
		                          .target = {&m->output[k & 1]}};
		set_offsets(m, kernel, m->taps + done, taps);
		pass_draw(lab, &pass);
		done += taps;
	}
}

/* ---- on the CPU -------------------------------------------------------------------------- */

/* Returns the largest difference, in 255ths, of a pixel's channels from the right values. */
static int difference_at(const struct morphology *m, size_t place)
{
	int const x = (int)(place % m->size), y = (int)(place / m->size);
	int extreme[CHANNELS], most = 0;
	for (unsigned c = 0; c < CHANNELS; c++)
		extreme[c] = m->way.erode ? 255 : 0;
	for (unsigned k = 0; k < m->ntaps; k++) {
		size_t const line = workload_clamped(y + m->taps[k].y, m->size), column = workload_clamped(x + m->taps[k].x, m->size);
		size_t const at = line * m->size + column;
		for (unsigned c = 0; c < CHANNELS; c++) {
			int const value = m->pixels[at * CHANNELS + c];
			extreme[c] = m->way.erode == (value < extreme[c]) ? value : extreme[c];
		}
	}
	for (unsigned c = 0; c < CHANNELS; c++) {
		int const d = abs((int)lrintf(m->result[place * CHANNELS + c] * 255) - extreme[c]);
		most = d > most ? d : most;
	}
	return most;
}

/* Replaces each of n floats of `to` by the maximum (or minimum, if `erode`) of itself and the float of `from` at its index. */
static void take_floats(const float *from, size_t n, bool erode, float *restrict to)
{
	if (erode)
		for (size_t k = 0; k < n; k++)
			to[k] = from[k] < to[k] ? from[k] : to[k];
	else
		for (size_t k = 0; k < n; k++)
			to[k] = from[k] > to[k] ? from[k] : to[k];
}

/* Combines each texel of a line of the result with the texel of `from` that is `offset` texels away. */
static void take_line(const struct morphology *m, const float *from, int offset, float *to)
{
	size_t const size = m->size, away = (size_t)abs(offset) < size ? (size_t)abs(offset) : size;
	size_t const inside = CHANNELS * (size - away), left = offset < 0 ? away : 0;
	for (size_t x = 0; x < away; x++)
		take_floats(from + (left ? 0 : CHANNELS * (size - 1)), CHANNELS, m->way.erode, to + (left ? CHANNELS * x : inside + CHANNELS * x));
	take_floats(from + (left ? 0 : CHANNELS * away), inside, m->way.erode, to + CHANNELS * left);
}

static void morphology_on_cpu(struct lab *lab)
{
	struct morphology *m = lab->state;
	size_t const line = (size_t)m->size * CHANNELS;
	float *result = m->result;
	for (size_t k = 0; k < line * m->size; k++)
		result[k] = m->way.erode ? 1 : 0;
	for (unsigned y = 0; y < m->size; y++)
		for (unsigned k = 0; k < m->ntaps; k++)
			take_line(m, m->texels + line * workload_clamped((long)y + m->taps[k].y, m->size), m->taps[k].x, result + y * line);
}

/* Compares the result with the exact one: a maximum or minimum is one of the input's numbers, so nothing is rounded. */
static void check_morphology(struct lab *lab, struct finding *f)
{
	enum { MOST_READS_HERE = 1 << 27 };
	const struct morphology *m = lab->state;
	struct sample s = workload_sample(lab, (size_t)m->size * m->size, MOST_READS_HERE / m->ntaps);
	*f = (struct finding){.what = "largest difference in steps of 1/255", .most = 0};
	for (size_t k = 0; k < s.n; k++)
		finding_add(f, difference_at(m, sample_at(&s, k)));
	f->more = arena_printf(lab->arena, "  %zu of %zu pixels were compared.\n", s.n, s.total);
}

static void draw_morphology_picture(struct lab *lab, struct picture *p)
{
	const struct morphology *m = lab->state;
	workload_picture(lab, m->size, m->result, p);
}

static const struct parameter parameters[] = {
	{"size", "pixels a side", 16, 8192, 1024},
	{"taps", "pixels of the structuring element", 1, MOST_TAPS, 64},
	{"shape", "structuring element: 0 disc, 1 square, 2 by the seed", DISC, SEEDED, DISC},
	{.name = NULL}};

const struct workload morphology_workload = {
	.name = "morphology", .summary = "dilation or erosion of an image by a structuring element", .forms = forms,
	.parameters = parameters, .open = open_morphology, .compute = compute_morphology, .check = check_morphology, .on_cpu = morphology_on_cpu,
	.picture = draw_morphology_picture,
};
