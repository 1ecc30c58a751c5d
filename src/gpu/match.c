/* match: finds a template of 16 x 16 pixels in an image.  For each place, the squared (or absolute) differences between the pixels there
 * and the template's are summed; the place with the least sum is the best.  A pass handles 1, 2 or 4 lines of the template: as many as fit
 * into 64 arithmetic slots, where a read takes one slot for its coordinates and one to three more.  The template is cut out of the image,
 * and noise is added to it. */
#include "gpu/workload.h"

#include <float.h>
#include <math.h>

enum { SIDE = 16, TAPS = SIDE * SIDE, IN_TEXEL = 4 };
enum { SIZE, NOISE, COLUMN, LINE };

/* How a pass of the workload match sums differences. */
struct match_method {
	const char *kernel; /* with `texture`: the name of the program that match_program writes; else an example that has the template in c# */
	unsigned reads;     /* texels of the image that a pass reads, a multiple of four */
	bool packed;        /* true if a texel of the image holds four pixels */
	bool absolute;      /* true to add absolute differences, false to add squared ones */
	bool texture;       /* true if the template is read from a texture, whose texels hold four pixels */
};

/* The methods in the order of `forms`: kernel, reads, packed, absolute, texture.  A packed texel holds a pixel and the three to the right
 * of it. */
static const struct match_method methods[] = {
	{"match16_ssd", 16, false, false, false}, {"match16_sad", 16, false, true, false},
	{"match16_ssd_packed", 16, true, false, false}, {"match8_sad_packed", 8, true, true, false},
	{"match16_ssd_tex", 16, false, false, true}, {"match16_sad_tex", 16, false, true, true},
	{"match8_ssd4_tex", 8, true, false, true}, {"match8_sad4_tex", 8, true, true, true}};
static const struct workload_form forms[] = {
	{"ssd", "sums of squared differences, a pixel in a texel"},
	{"sad", "sums of absolute differences"},
	{"ssd-packed", "squared differences, four pixels in a texel"},
	{"sad-packed", "absolute differences, four pixels in a texel"},
	{"ssd-texture", "as ssd, with the template in a texture, not in constants"},
	{"sad-texture", "as sad, with the template in a texture"},
	{"ssd-packed-texture", "as ssd-packed, with the template in a texture"},
	{"sad-packed-texture", "as sad-packed, with the template in a texture"},
	{.name = NULL}};

struct match {
	const struct match_method *method;
	struct kernel kernel;
	unsigned width, height, cut_x, cut_y; /* size of the image; the place where the template was cut out */
	struct rect places;                   /* the places where all of the template lies in the image */
	float sought[TAPS];                   /* the template */
	float *pixels, *texels, *map;         /* the image; the image as it is uploaded; the sum of each place */
	struct image input, sought_image, sum[2], nothing;
};

static unsigned channels_of(const struct match *m)
{
	return m->method->packed ? IN_TEXEL : 1;
}

static unsigned passes_of_match(const struct match *m)
{
	return TAPS / (m->method->reads * channels_of(m));
}

static size_t places_of(const struct match *m)
{
	return (size_t)m->places.width * (size_t)m->places.height;
}

/* ---- the programs that read the template from a texture -------------------------------- */

enum { BATCH = 4 }; /* how many texels of the image a batch has */
enum { DIFFERENCE = 8, SUM = 9, TEMPLATE = 10, SO_FAR = 10 }; /* numbers of r# */

/* Four texels of the image, and the texels of the template that are compared with them. */
struct batch {
	struct text *to;
	const struct match_method *method;
	unsigned first;  /* number of the image's first texel */
	unsigned image;  /* register of the image's first texel; the others follow */
	unsigned sought; /* register of the template's first texel; the others follow */
};

/* Returns the swizzle that puts the texel's coordinates, of which a constant holds two, into x and y. */
static const char *coordinate_swizzle(unsigned texel)
{
	return texel % 2 ? ".wzyx" : "";
}

static unsigned template_texels(const struct match_method *m)
{
	return m->packed ? m->reads : m->reads / BATCH;
}

/* Writes the texture reads of a batch, from the image and from the template. */
static void write_batch_reads(const struct batch *b)
{
	const struct match_method *m = b->method;
	unsigned const n = m->packed ? BATCH : 1, first = m->packed ? b->first : b->first / BATCH;
	for (unsigned k = 0; k < BATCH; k++)
		text_printf(b->to, "add r%u.xy, t0, c%u%s\n", b->image + k, (b->first + k) / 2, coordinate_swizzle(k));
	for (unsigned k = 0; k < n; k++)
		text_printf(b->to, "mov r%u.xy, c%u%s\n", b->sought + k, m->reads / 2 + (first + k) / 2, coordinate_swizzle(first + k));
	for (unsigned k = 0; k < BATCH; k++)
		text_printf(b->to, "texld r%u, r%u, s0\n", b->image + k, b->image + k);
	for (unsigned k = 0; k < n; k++)
		text_printf(b->to, "texld r%u, r%u, s2\n", b->sought + k, b->sought + k);
}

/* Writes instructions that add four differences, the lanes of register `r`, to the sum; `begins` is true for the first ones. */
static void write_addition_to_sum(const struct batch *b, unsigned r, bool begins)
{
	if (begins)
		text_printf(b->to, b->method->absolute ? "abs r%d, r%u\n" : "mul r%d, r%u, r%u\n", SUM, r, r);
	else if (b->method->absolute)
		text_printf(b->to, "abs r%u, r%u\nadd r%d, r%d, r%u\n", r, r, SUM, SUM, r);
	else
		text_printf(b->to, "mad r%d, r%u, r%u, r%d\n", SUM, r, r, SUM);
}

static void write_batch(const struct batch *b)
{
	static const char lane[] = "xyzw";
	write_batch_reads(b);
	for (unsigned k = 0; k < BATCH && b->method->packed; k++) {
		text_printf(b->to, "add r%u, r%u, -r%u\n", b->image + k, b->image + k, b->sought + k);
		write_addition_to_sum(b, b->image + k, b->first + k == 0);
	}
	if (b->method->packed)
		return;
	for (unsigned k = 0; k < BATCH; k++)
		text_printf(b->to, "add r%d.%c, r%u.x, -r%u.%c\n", DIFFERENCE, lane[k], b->image + k, b->sought, lane[k]);
	write_addition_to_sum(b, DIFFERENCE, b->first == 0);
}

/* Returns the pixel program of a method with `texture`, which adds to the sum so far (s1) the differences between the image (s0) and the
 * template (s2).  The constants from c0 on hold the offsets of the image's texels, two in each, and after these the coordinates of the
 * template's texels, again two in each.  The first of two is in (x, y), the second in (w, z).  Batches use two sets of registers alternately,
 * so that at most three reads depend on each other in a row, which ps_2_0 allows. */
static const char *match_program(struct arena *a, const struct match_method *m)
{
	struct text t = {.arena = a};
	unsigned const ones = (m->reads + template_texels(m)) / 2;
	text_printf(&t, "ps_2_0\ndef c%u, 1, 1, 1, 1\ndcl t0.xy\ndcl_2d s0\ndcl_2d s1\ndcl_2d s2\n", ones);
	for (unsigned first = 0; first < m->reads; first += BATCH) {
		unsigned const turn = first / BATCH % 2;
		write_batch(&(struct batch){.to = &t, .method = m, .first = first, .image = m->packed ? 0 : turn * BATCH,
		                            .sought = m->packed ? BATCH : TEMPLATE + turn});
	}
	text_printf(&t, "dp4 r%d, r%d, c%u\ntexld r%d, t0, s1\n", SUM, SUM, ones, SO_FAR);
	text_printf(&t, "add r%d, r%d, r%d.x\nmov oC0, r%d\n", SUM, SUM, SO_FAR, SUM);
	return t.at;
}

/* ---- the input ------------------------------------------------------------------------- */

static const char *choose_place(struct lab *lab, struct match *m, uint64_t *seed)
{
	unsigned const columns = (unsigned)m->places.width, lines = (unsigned)m->places.height;
	unsigned const column = lab->wanted->number[COLUMN], line = lab->wanted->number[LINE];
	m->cut_x = (unsigned)(random_unit(seed) * columns);
	m->cut_y = (unsigned)(random_unit(seed) * lines);
	m->cut_x = column ? column - 1 : m->cut_x;
	m->cut_y = line ? line - 1 : m->cut_y;
	if (m->cut_x < columns && m->cut_y < lines)
		return NULL;
	return arena_printf(lab->arena, "the template must lie in the image: its column is at most %u, and its line %u",
	                    columns, lines);
}

static void cut_out(struct match *m, float noise, uint64_t *seed)
{
	for (unsigned k = 0; k < TAPS; k++) {
		float const pixel = m->pixels[(size_t)(m->cut_y + k / SIDE) * m->width + m->cut_x + k % SIDE];
		m->sought[k] = pixel + noise * (float)(2 * random_unit(seed) - 1);
	}
}

/* Makes the texels to upload, of four pixels each. */
static void pack_texels(struct lab *lab, struct match *m)
{
	size_t const n = (size_t)m->width * m->height;
	m->texels = arena_alloc(lab->arena, n * IN_TEXEL * sizeof(float));
	for (size_t k = 0; k < n; k++)
		for (size_t c = 0; c < IN_TEXEL; c++)
			m->texels[k * IN_TEXEL + c] = k % m->width + c < m->width ? m->pixels[k + c] : 0;
}

static const char *make_match_input(struct lab *lab, struct match *m)
{
	uint64_t seed = lab->wanted->seed;
	const char *wrong = workload_image(lab, IMAGE_R32F, m->width, m->height, 1, &m->pixels);
	wrong = wrong ? wrong : choose_place(lab, m, &seed);
	if (wrong)
		return wrong;
	cut_out(m, (float)lab->wanted->number[NOISE] / 1000, &seed);
	m->texels = m->pixels;
	m->map = arena_zero(lab->arena, places_of(m) * sizeof(float));
	if (m->method->packed)
		pack_texels(lab, m);
	return NULL;
}

/* Opens the kernel, and makes the texture of the template if there is one. */
static const char *open_match_kernel(struct lab *lab, struct match *m)
{
	if (!m->method->texture)
		return kernel_open(lab, m->method->kernel, &m->kernel);
	const char *wrong = lab_image(lab, &m->sought_image, SIDE / IN_TEXEL, SIDE, IMAGE_RGBA32F, IMAGE_CLAMP);
	lab_input(lab, &m->sought_image, NULL, m->sought);
	return wrong ? wrong : kernel_from_pixel_text(lab, m->method->kernel, match_program(lab->arena, m->method), &m->kernel);
}

/* Opens the workload.  A tap takes three operations: a subtraction, a square or absolute value, and an addition. */
static const char *open_match(struct lab *lab)
{
	struct match *m = lab->state = arena_zero(lab->arena, sizeof *m);
	m->method = &methods[lab->wanted->form_index];
	m->width = lab->wanted->number[SIZE];
	m->height = m->width * 3 / 4;
	m->places = (struct rect){.width = (int)m->width - SIDE + 1, .height = (int)m->height - SIDE + 1};
	const char *wrong = workload_fits(lab, m->width);
	wrong = wrong ? wrong : make_match_input(lab, m);
	wrong = wrong ? wrong : lab_image(lab, &m->input, m->width, m->height, m->method->packed ? IMAGE_RGBA32F : IMAGE_R32F, IMAGE_CLAMP);
	lab_input(lab, &m->input, NULL, m->texels);
	wrong = wrong ? wrong : open_match_kernel(lab, m);
	wrong = wrong ? wrong : lab_image(lab, &m->nothing, 1, 1, IMAGE_R32F, IMAGE_CLAMP);
	for (unsigned k = 0; k < 2 && !wrong; k++)
		wrong = lab_image(lab, &m->sum[k], m->width, m->height, IMAGE_R32F, IMAGE_CLAMP);
	lab_output(lab, &m->sum[(passes_of_match(m) + 1) & 1], &m->places, m->map);
	lab->operations = 3.0 * (double)TAPS * (double)places_of(m);
	lab->traffic = ((m->method->texture ? 2.0 : 1.0) * TAPS + 2.0 * passes_of_match(m)) * image_formats[IMAGE_R32F].bytes * (double)places_of(m);
	return wrong;
}

/* ---- on the GPU ------------------------------------------------------------------------ */

/* Sets the coordinates of the template's texels that a pass reads: two in each constant from c#`constant` on. */
static void set_sought(struct match *m, unsigned pass, unsigned constant)
{
	unsigned const texels = m->method->reads * channels_of(m) / IN_TEXEL, in_line = SIDE / IN_TEXEL;
	for (unsigned k = 0; k < texels; k += 2) {
		unsigned const read = pass * texels + k;
		float const x = ((float)(read % in_line) + 0.5f) / (float)in_line, y = ((float)(read / in_line) + 0.5f) / SIDE;
		kernel_set(&m->kernel, STAGE_PIXEL, constant + k / 2, x, y, y, x + 1.0f / (float)in_line);
	}
}

/* Sets the constants of a pass.  The values of the template come first, unless it is a texture; then the offsets of texels, two in each
 * constant: the first in (x, y), the second in (w, z). */
static void set_match_constants(struct match *m, unsigned pass)
{
	unsigned const channels = channels_of(m), reads = m->method->reads, in_line = SIDE / channels;
	unsigned const values = m->method->texture ? 0 : reads * channels / 4;
	const float *sought = m->sought + pass * reads * channels;
	for (unsigned k = 0; k < values; k++, sought += 4)
		kernel_set(&m->kernel, STAGE_PIXEL, k, sought[0], sought[1], sought[2], sought[3]);
	for (unsigned k = 0; k < reads; k += 2) {
		unsigned const read = pass * reads + k;
		float const step = 1.0f / (float)m->width, x = (float)(read % in_line * channels) * step;
		float const y = (float)(read / in_line) / (float)m->height;
		kernel_set(&m->kernel, STAGE_PIXEL, values + k / 2, x, y, y, x + (float)channels * step);
	}
	if (m->method->texture)
		set_sought(m, pass, reads / 2);
}

static void compute_match(struct lab *lab)
{
	struct match *m = lab->state;
	const struct image *sought = m->method->texture ? &m->sought_image : NULL;
	for (unsigned k = 0; k < passes_of_match(m); k++) {
		struct pass const pass = {.kernel = &m->kernel, .texture = {&m->input, k ? &m->sum[(k + 1) & 1] : &m->nothing, sought},
		                          .target = {&m->sum[k & 1]}, .to = m->places};
		set_match_constants(m, k);
		pass_draw(lab, &pass);
	}
}

/* ---- on the CPU ------------------------------------------------------------------------ */

static double sum_at(const struct match *m, size_t place)
{
	const float *pixels = m->pixels + place / (size_t)m->places.width * m->width + place % (size_t)m->places.width;
	double sum = 0;
	for (size_t k = 0; k < TAPS; k++) {
		double const d = (double)pixels[k / SIDE * m->width + k % SIDE] - (double)m->sought[k];
		sum += m->method->absolute ? fabs(d) : d * d;
	}
	return sum;
}

static size_t best_of(const struct match *m)
{
	size_t best = 0;
	for (size_t k = 1; k < places_of(m); k++)
		best = m->map[k] < m->map[best] ? k : best;
	return best;
}

struct best {
	size_t place;
	double sum;
};

/* Returns the relative error of the GPU's sum at a place.  Updates `best` if the place is the best so far in double. */
static double compare_at(const struct match *m, size_t place, struct best *best)
{
	double const sum = sum_at(m, place);
	if (sum < best->sum)
		*best = (struct best){place, sum};
	return fabs((double)m->map[place] - sum) / fmax(sum, (double)FLT_MIN);
}

/* Checks the sums.  No term is negative, so each rounding changes the sum by at most 2^-23 of itself; there is one rounding for each tap
 * and pass, and four within a term.  If all sums are within this limit, the place found has the least sum but for rounding.  A sampled
 * check always includes the best place and the place where the template was cut out. */
static void check_match(struct lab *lab, struct finding *f)
{
	enum { MOST_PLACES = 1 << 19 };
	const struct match *m = lab->state;
	size_t const columns = (size_t)m->places.width, found = best_of(m);
	struct best best = {found, (double)INFINITY};
	struct sample s = workload_sample(lab, places_of(m), MOST_PLACES);
	*f = (struct finding){.what = "largest relative error of a sum", .most = (TAPS + passes_of_match(m) + 4) / 8388608.0};
	finding_add(f, compare_at(m, found, &best));
	finding_add(f, compare_at(m, m->cut_y * columns + m->cut_x, &best));
	for (size_t k = 0; k < s.n; k++)
		finding_add(f, compare_at(m, sample_at(&s, k), &best));
	f->more = arena_printf(lab->arena, "  The best place is %zu, %zu, and %zu, %zu in double, by %zu of %zu places;"
	                       " the template was cut out at %u, %u.\n", found % columns, found / columns, best.place % columns,
	                       best.place / columns, s.n, s.total, m->cut_x, m->cut_y);
}

/* Sums the differences between the template and the image at one place, in single precision. */
static float single_sum_at(const struct match *m, const float *pixels)
{
	float sum = 0;
	for (size_t y = 0; y < SIDE; y++)
		for (size_t x = 0; x < SIDE; x++) {
			float const d = pixels[y * m->width + x] - m->sought[y * SIDE + x];
			sum += m->method->absolute ? fabsf(d) : d * d;
		}
	return sum;
}

static void match_on_cpu(struct lab *lab)
{
	struct match *m = lab->state;
	size_t const columns = (size_t)m->places.width;
	for (size_t k = 0; k < places_of(m); k++)
		m->map[k] = single_sum_at(m, m->pixels + k / columns * m->width + k % columns);
}

/* Draws a picture in which places are brighter the better they match, with a red frame at the best place. */
static void draw_match_picture(struct lab *lab, struct picture *p)
{
	const struct match *m = lab->state;
	size_t const columns = (size_t)m->places.width, best = best_of(m);
	float worst = FLT_MIN;
	for (size_t k = 0; k < places_of(m); k++)
		worst = fmaxf(worst, m->map[k]);
	picture_make(lab->arena, m->width, m->height, p);
	for (size_t k = 0; k < places_of(m); k++)
		for (size_t c = 0; c < 3; c++)
			p->rgba[(k / columns * m->width + k % columns) * 4 + c] = 1 - sqrtf(m->map[k] / worst);
	for (size_t k = 0; k < TAPS; k++) {
		size_t const x = k % SIDE, y = k / SIDE, at = (best / columns + y) * m->width + best % columns + x;
		if (x == 0 || y == 0 || x == SIDE - 1 || y == SIDE - 1)
			memcpy(p->rgba + at * 4, (float const[4]){1, 0, 0, 1}, 4 * sizeof(float));
	}
}

static const struct parameter parameters[] = {
	{"size", "pixels of a line; there are 3/4 as many lines", 32, 8192, 640},
	{"noise", "noise added to the template, in thousandths", 0, 1000, 10},
	{"column", "left column of the template, from 1 (0: by the seed)", 0, 8192, 0},
	{"line", "upper line of the template, from 1 (0: by the seed)", 0, 8192, 0},
	{.name = NULL}};

const struct workload match_workload = {
	.name = "match", .summary = "a template of 16 x 16 pixels is found in an image", .forms = forms, .parameters = parameters,
	.open = open_match, .compute = compute_match, .check = check_match, .on_cpu = match_on_cpu, .picture = draw_match_picture,
};
