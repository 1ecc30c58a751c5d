/* The workload nbody: bodies that all pull on each other move by the leapfrog method, with one time step for all.  A texel is a body: x, y,
 * z and its mass or charge.  A pass adds the pulls of up to nine bodies, as many as the slots of ps_2_0 hold, to the sum of the passes
 * before. */
#include "gpu/nbody.h"

#include <math.h>
#include <stdlib.h>

/* Makes the filler, a body for the free places of the last pass: its weight is 0 or its kind does not pull, and it is so far away that atoms
 * do not feel it. */
static void make_filler(struct nbody *s)
{
	for (unsigned l = 0; l < NBODY_WEIGHT; l++)
		s->filler[l] = 1e4f;
	s->filler[NBODY_WEIGHT] = s->table.kinds ? nbody_of_kind(s, s->table.kinds) : 0;
}

/* ---- the input ------------------------------------------------------------------------------- */

/* Replaces the numbers of the bodies' kinds, which count from 1, by texture coordinates.  Returns NULL, or one sentence on a body of an
 * unknown kind. */
static const char *number_kinds(struct lab *lab, const struct nbody *s, float *bodies)
{
	for (unsigned k = 0; k < s->n && s->table.kinds; k++) {
		float *kind = bodies + k * NBODY_OF_FILE + NBODY_WEIGHT;
		if (!(*kind >= 1 && *kind <= (float)s->table.kinds && floorf(*kind) >= *kind))
			return arena_printf(lab->arena, "body %u is of kind %g, and the kinds are 1 to %u", k + 1, (double)*kind, s->table.kinds);
		*kind = nbody_of_kind(s, (unsigned)*kind - 1);
	}
	return NULL;
}

static const char *make_bodies(struct lab *lab, struct nbody *s)
{
	float *bodies = arena_alloc(lab->arena, (size_t)s->n * NBODY_OF_FILE * sizeof *bodies);
	const char *wrong = NULL;
	if (lab->wanted->input)
		wrong = workload_floats(lab, lab->wanted->input, (size_t)s->n * NBODY_OF_FILE, bodies);
	else
		s->law->place(s, lab->wanted->seed, bodies);
	wrong = wrong ? wrong : number_kinds(lab, s, bodies);
	make_filler(s);
	for (unsigned k = 0; k < 2; k++) {
		s->start[k] = arena_zero(lab->arena, nbody_texels(s) * sizeof(float[LANES]));
		s->end[k] = arena_zero(lab->arena, nbody_texels(s) * sizeof(float[LANES]));
		for (size_t b = 0; b < s->n; b++)
			memcpy(s->start[k] + b * LANES, bodies + b * NBODY_OF_FILE + k * LANES, sizeof(float[LANES]));
	}
	for (size_t b = s->n; b < nbody_texels(s); b++)
		memcpy(s->start[0] + b * LANES, s->filler, sizeof s->filler);
	s->sum = arena_zero(lab->arena, nbody_texels(s) * sizeof(float[LANES]));
	return wrong;
}

static const char *open_table(struct lab *lab, struct nbody *s)
{
	if (s->law->shape != NBODY_TABLE)
		return lab->wanted->force ? "--force is the force of --form=table" : NULL;
	const char *wrong = force_table_open(lab->arena, lab->wanted->force, &s->table);
	wrong = wrong ? wrong : lab_image(lab, &s->pairs, s->table.kinds + 1, s->table.kinds + 1, IMAGE_RGBA32F, IMAGE_CLAMP);
	wrong = wrong ? wrong : lab_image(lab, &s->g, s->table.n, 1, IMAGE_RGBA32F, IMAGE_CLAMP);
	if (!wrong)
		nbody_input_table(lab, s);
	return wrong;
}

static struct rect lines_with_bodies(const struct nbody *s)
{
	return (struct rect){.width = (int)s->width, .height = (int)s->lines - 1};
}

static unsigned passes_of_force(const struct nbody *s)
{
	return (s->n + s->bodies - 1) / s->bodies;
}

/* Sets the operations, 38 for a pair of bodies as is usual for this sum, and the bytes of all texels.  In a pass of the force, a body reads
 * itself, the sum, the bodies of the pass and, with a table, two further texels for each of these, and writes the sum.  A leap reads three
 * texels and writes two. */
static void count_nbody(struct lab *lab, const struct nbody *s)
{
	double const computed = (double)s->n * (s->steps + 1);
	double const texels = ((s->table.kinds ? 3 : 1) * (double)s->bodies + 3) * passes_of_force(s) + 5;
	lab->operations = 38 * computed * s->n;
	lab->traffic = texels * image_formats[IMAGE_RGBA32F].bytes * computed;
}

static const char *open_nbody(struct lab *lab)
{
	const unsigned *number = lab->wanted->number;
	struct nbody *s = lab->state = arena_zero(lab->arena, sizeof *s);
	s->law = &nbody_laws[lab->wanted->form_index];
	s->n = number[NBODY_SIZE];
	s->steps = number[NBODY_STEPS];
	s->step = 1.0 / (number[NBODY_RATE] ? number[NBODY_RATE] : s->law->rate);
	s->softening2 = number[NBODY_SOFTENING] * 1e-3 * number[NBODY_SOFTENING] * 1e-3;
	double const cutoff = number[NBODY_CUTOFF] * 1e-3;
	s->cutoff2 = cutoff > 0 ? cutoff * cutoff + s->softening2 : (double)INFINITY;
	const char *wrong = open_table(lab, s);
	wrong = wrong ? wrong : nbody_open_force(lab, s);
	s->width = (unsigned)ceil(sqrt(s->n));
	s->width = s->in_line ? (s->width + 3) / 4 * 4 : s->width;
	s->lines = (s->n + s->width - 1) / s->width + 1;
	wrong = wrong ? wrong : workload_fits(lab, s->lines);
	if (number[NBODY_SOFTENING] < s->law->softening)
		wrong = arena_printf(lab->arena, "single precision needs a softening of at least %u with this force", s->law->softening);
	wrong = wrong ? wrong : make_bodies(lab, s);
	wrong = wrong ? wrong : kernel_open(lab, "leapfrog", &s->leap);
	struct image *const images[] = {s->position, s->position + 1, s->velocity, s->velocity + 1, s->pull, s->pull + 1};
	for (unsigned k = 0; k < 6 && !wrong; k++)
		wrong = lab_image(lab, images[k], s->width, s->lines, IMAGE_RGBA32F, IMAGE_CLAMP);
	wrong = wrong ? wrong : lab_image(lab, &s->nothing, 1, 1, IMAGE_RGBA32F, IMAGE_CLAMP);
	if (wrong)
		return wrong;
	struct rect const with_bodies = lines_with_bodies(s), filler = {.x = (int)s->width - 1, .y = (int)s->lines - 1, .width = 1, .height = 1};
	unsigned const last = !(s->steps & 1);
	lab_input(lab, &s->position[0], NULL, s->start[0]);
	lab_input(lab, &s->velocity[0], NULL, s->start[1]);
	lab_input(lab, &s->position[1], &filler, s->filler);
	lab_output(lab, &s->position[last], &with_bodies, s->end[0]);
	lab_output(lab, &s->velocity[last], &with_bodies, s->end[1]);
	lab_output(lab, &s->pull[(passes_of_force(s) + 1) & 1], &with_bodies, s->sum);
	count_nbody(lab, s);
	nbody_set_numbers(s);
	return NULL;
}

/* ---- on the GPU -------------------------------------------------------------------------------- */

/* Adds up the pulls of all bodies on each body.  Returns the image with the sums, which is pull[0] or pull[1]. */
static const struct image *draw_force(struct lab *lab, struct nbody *s, const struct image *position)
{
	const struct image *sum = &s->nothing;
	bool const table = s->table.kinds;
	for (unsigned k = 0; k < passes_of_force(s); k++) {
		struct pass const pass = {.kernel = &s->force, .texture = {position, sum, table ? &s->pairs : NULL, table ? &s->g : NULL},
		                          .target = {&s->pull[k & 1]}, .to = lines_with_bodies(s)};
		nbody_set_bodies(s, k);
		pass_draw(lab, &pass);
		sum = pass.target[0];
	}
	return sum;
}

/* Advances velocities by the time `kick` and positions by the time `drift`. */
static void draw_leap(struct lab *lab, struct nbody *s, unsigned from, double kick, double drift, const struct image *sum)
{
	struct pass const pass = {.kernel = &s->leap, .texture = {&s->velocity[from], sum, &s->position[from]},
	                          .target = {&s->velocity[!from], &s->position[!from]}, .to = lines_with_bodies(s)};
	kernel_set(&s->leap, STAGE_PIXEL, 0, (float)(kick * s->law->own_plain), (float)(kick * s->law->own_weight), (float)drift, 0);
	pass_draw(lab, &pass);
}

/* Computes all time steps.  Velocities are half a step ahead of positions, except at the start and at the end. */
static void compute_nbody(struct lab *lab)
{
	struct nbody *s = lab->state;
	unsigned const steps = s->steps;
	for (unsigned k = 0; k <= steps; k++) {
		const struct image *sum = draw_force(lab, s, &s->position[k & 1]);
		draw_leap(lab, s, k & 1, k == 0 || k == steps ? s->step / 2 : s->step, k == steps ? 0 : s->step, sum);
	}
}

/* ---- on one core of the CPU, in single precision --------------------------------------------- */

/* Returns the table's g at x, interpolated as on the GPU. */
static float table_at(const struct force_table *t, float x)
{
	float const cells = (float)(t->n - 1), at = (x - (float)t->first) / (float)(t->last - t->first) * cells;
	float const inside = fminf(fmaxf(at, 0), cells);
	unsigned const cell = inside < cells ? (unsigned)inside : t->n - 2;
	return t->g[cell] + (inside - (float)cell) * (t->g[cell + 1] - t->g[cell]);
}

static float table_factor(const struct nbody *s, const float *one, const float *other, float r2)
{
	unsigned const i = nbody_kind(s, (double)one[NBODY_WEIGHT]), j = nbody_kind(s, (double)other[NBODY_WEIGHT]);
	return s->table.b[i][j] * table_at(&s->table, s->table.a[i][j] * r2);
}

/* Returns the factor by which the difference of two bodies' positions is multiplied to give the pull. */
static inline float pull_factor(const struct nbody *s, const float *one, const float *other, float r2)
{
	float const q = 1 / r2, q3 = q * q * q;
	switch (s->law->shape) {
	case NBODY_INVERSE_SQUARE: return other[NBODY_WEIGHT] / (r2 * sqrtf(r2));
	case NBODY_LENNARD_JONES: return q3 * q * (24 - 48 * q3);
	case NBODY_TABLE: return table_factor(s, one, other, r2);
	}
	return 0;
}

/* Adds up the pulls of all bodies on the body `one`. */
static void pull_one(const struct nbody *s, const float *position, const float *one, float *pull)
{
	float const softening2 = (float)s->softening2, cutoff2 = (float)s->cutoff2;
	float sum[3] = {0};
	for (const float *other = position; other < position + (size_t)s->n * LANES; other += LANES) {
		float const x = other[0] - one[0], y = other[1] - one[1], z = other[2] - one[2];
		float const r2 = x * x + y * y + z * z + softening2;
		float const f = r2 <= cutoff2 ? pull_factor(s, one, other, r2) : 0;
		sum[0] += f * x;
		sum[1] += f * y;
		sum[2] += f * z;
	}
	memcpy(pull, sum, sizeof sum);
}

static void leap_in_single(const struct nbody *s, double kick, double drift)
{
	float *position = s->end[0], *velocity = s->end[1];
	float const plain = (float)(kick * s->law->own_plain), weight = (float)(kick * s->law->own_weight);
	for (size_t b = 0; b < (size_t)s->n * LANES; b += LANES) {
		float const f = plain + weight * position[b + NBODY_WEIGHT];
		for (size_t l = b; l < b + 3; l++) {
			velocity[l] += f * s->sum[l];
			position[l] += (float)drift * velocity[l];
		}
	}
}

static void nbody_on_cpu(struct lab *lab)
{
	struct nbody *s = lab->state;
	unsigned const steps = s->steps;
	for (unsigned k = 0; k < 2; k++)
		memcpy(s->end[k], s->start[k], (size_t)s->n * sizeof(float[LANES]));
	for (unsigned k = 0; k <= steps; k++) {
		for (size_t b = 0; b < (size_t)s->n * LANES; b += LANES)
			pull_one(s, s->end[0], s->end[0] + b, s->sum + b);
		leap_in_single(s, k == 0 || k == steps ? s->step / 2 : s->step, k == steps ? 0 : s->step);
	}
}

/* ---- the picture ------------------------------------------------------------------------------- */

enum { SIDE_OF_PICTURE = 512 };

static int compare_floats(const void *a, const void *b)
{
	float const s = *(const float *)a, t = *(const float *)b;
	return (s > t) - (s < t);
}

/* Returns half the edge of a square that, seen along z, contains nine tenths of the bodies and a margin. */
static float half_width(struct arena *a, const struct nbody *s)
{
	float *far = arena_alloc(a, s->n * sizeof *far);
	for (size_t k = 0; k < s->n; k++)
		far[k] = fmaxf(fabsf(s->end[0][k * LANES]), fabsf(s->end[0][k * LANES + 1]));
	qsort(far, s->n, sizeof *far, compare_floats);
	return 1.2f * fmaxf(far[s->n * 9 / 10], 1e-6f);
}

/* Adds a dot of light that falls off as a Gaussian over a few pixels. */
static void draw_dot(struct picture *p, float x, float y, const float colour[3], float light)
{
	enum { REACH = 4 };
	int const left = (int)floorf(x) - REACH, top = (int)floorf(y) - REACH;
	for (int at_y = top; at_y <= top + 2 * REACH; at_y++)
		for (int at_x = left; at_x <= left + 2 * REACH; at_x++) {
			if (at_x < 0 || at_y < 0 || at_x >= (int)p->width || at_y >= (int)p->height)
				continue;
			float const dx = (float)at_x + 0.5f - x, dy = (float)at_y + 0.5f - y;
			float const share = light * expf(-(dx * dx + dy * dy) / 3);
			for (unsigned c = 0; c < 3; c++)
				p->rgba[((size_t)at_y * p->width + (size_t)at_x) * 4 + c] += share * colour[c];
		}
}

static bool is_drawn_blue(const struct nbody *s, float weight)
{
	return s->table.kinds ? nbody_kind(s, (double)weight) % 2 != 0 : weight < 0;
}

/* Draws the bodies as seen along z.  Negative charges, and every other kind, are blue; all others have a warm colour. */
static void nbody_picture(struct lab *lab, struct picture *p)
{
	static const float warm[3] = {1, 0.75f, 0.45f}, cold[3] = {0.4f, 0.65f, 1};
	const struct nbody *s = lab->state;
	picture_make(lab->arena, SIDE_OF_PICTURE, SIDE_OF_PICTURE, p);
	float const middle = SIDE_OF_PICTURE / 2, scale = middle / half_width(lab->arena, s), light = fminf(1, 30 / sqrtf((float)s->n));
	for (size_t k = 0; k < s->n; k++) {
		const float *at = s->end[0] + k * LANES;
		draw_dot(p, middle + scale * at[0], middle - scale * at[1], is_drawn_blue(s, at[NBODY_WEIGHT]) ? cold : warm, light);
	}
}

static const struct parameter parameters[] = {
	{"size", "bodies", 16, 65536, 1024},
	{"steps", "time steps", 1, 100000, 100},
	{"softening", "softening length in thousandths", 1, 10000, 50},
	{"bodies", "bodies that a pass adds up (0: as many as it can)", 0, NBODY_MOST_BODIES, 0},
	{"cutoff", "cut-off radius in thousandths, beyond which no body pulls (0: none)", 0, 1000000, 0},
	{"rate", "time steps in a unit of time (0: what the form's own bodies need)", 0, 1000000, 0},
	{.name = NULL}};

const struct workload nbody_workload = {
	.name = "nbody", .summary = "bodies that all pull on each other, by the leapfrog method", .forms = nbody_forms, .takes_force = true,
	.parameters = parameters, .open = open_nbody, .compute = compute_nbody, .check = nbody_check, .on_cpu = nbody_on_cpu, .picture = nbody_picture,
};
