/* The workload nbody: bodies that all pull on each other move by the leapfrog method, with one time step for all.  A texel is a body: x, y,
 * z and its mass or charge.  A pass adds the pulls of up to nine bodies, as many as the slots of ps_2_0 hold, to the sum of the passes
 * before. */
#include "gpu/nbody.h"

#include <math.h>

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
	if (s->wanted.input)
		wrong = workload_floats(lab, s->wanted.input, (size_t)s->n * NBODY_OF_FILE, bodies);
	else
		s->law->place(s, bodies);
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
		return s->wanted.force ? "--force is the force of --form=table" : NULL;
	const char *wrong = force_table_open(lab->arena, s->wanted.force, &s->table);
	wrong = wrong ? wrong : image_make(&s->pairs, (int)s->table.kinds + 1, (int)s->table.kinds + 1, IMAGE_RGBA32F, IMAGE_CLAMP);
	return wrong ? wrong : image_make(&s->g, (int)s->table.n, 1, IMAGE_RGBA32F, IMAGE_CLAMP);
}

static const char *open_nbody(struct lab *lab, const struct wanted *wanted, void **state)
{
	struct nbody *s = *state = arena_zero(lab->arena, sizeof *s);
	s->wanted = *wanted;
	s->law = &nbody_laws[workload_form_index(nbody_forms, wanted)];
	s->n = wanted->number[NBODY_SIZE];
	s->step = 1.0 / (wanted->number[NBODY_RATE] ? wanted->number[NBODY_RATE] : s->law->rate);
	s->softening2 = wanted->number[NBODY_SOFTENING] * 1e-3 * wanted->number[NBODY_SOFTENING] * 1e-3;
	double const cutoff = wanted->number[NBODY_CUTOFF] * 1e-3;
	s->cutoff2 = cutoff > 0 ? cutoff * cutoff + s->softening2 : (double)INFINITY;
	const char *wrong = open_table(lab, s);
	wrong = wrong ? wrong : nbody_open_force(lab, s);
	s->width = (unsigned)ceil(sqrt(s->n));
	s->width = s->in_line ? (s->width + 3) / 4 * 4 : s->width;
	s->lines = (s->n + s->width - 1) / s->width + 1;
	wrong = wrong ? wrong : workload_fits(lab, s->lines);
	if (wanted->number[NBODY_SOFTENING] < s->law->softening)
		wrong = arena_printf(lab->arena, "single precision needs a softening of at least %u with this force", s->law->softening);
	wrong = wrong ? wrong : make_bodies(lab, s);
	wrong = wrong ? wrong : kernel_open(lab, "leapfrog", &s->leap);
	struct image *const images[] = {s->position, s->position + 1, s->velocity, s->velocity + 1, s->pull, s->pull + 1};
	for (unsigned k = 0; k < 6 && !wrong; k++)
		wrong = image_make(images[k], (int)s->width, (int)s->lines, IMAGE_RGBA32F, IMAGE_CLAMP);
	wrong = wrong ? wrong : image_make(&s->nothing, 1, 1, IMAGE_RGBA32F, IMAGE_CLAMP);
	if (!wrong)
		nbody_set_numbers(s);
	return wrong;
}

/* ---- on the GPU -------------------------------------------------------------------------------- */

static void upload_nbody(struct lab *lab, void *state)
{
	struct nbody *s = state;
	struct rect const last = {.x = (int)s->width - 1, .y = (int)s->lines - 1, .width = 1, .height = 1};
	pass_write(lab, &s->position[0], image_whole(&s->position[0]), s->start[0]);
	pass_write(lab, &s->velocity[0], image_whole(&s->velocity[0]), s->start[1]);
	pass_write(lab, &s->position[1], last, s->filler);
	if (s->table.kinds)
		nbody_write_table(lab, s);
}

static struct rect lines_with_bodies(const struct nbody *s)
{
	return (struct rect){.width = (int)s->width, .height = (int)s->lines - 1};
}

static unsigned passes_of_force(const struct nbody *s)
{
	return (s->n + s->bodies - 1) / s->bodies;
}

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
static void compute_nbody(struct lab *lab, void *state)
{
	struct nbody *s = state;
	unsigned const steps = s->wanted.number[NBODY_STEPS];
	for (unsigned k = 0; k <= steps; k++) {
		const struct image *sum = draw_force(lab, s, &s->position[k & 1]);
		draw_leap(lab, s, k & 1, k == 0 || k == steps ? s->step / 2 : s->step, k == steps ? 0 : s->step, sum);
	}
}

static void download_nbody(struct lab *lab, void *state)
{
	struct nbody *s = state;
	unsigned const last = !(s->wanted.number[NBODY_STEPS] & 1);
	pass_read(lab, &s->position[last], lines_with_bodies(s), s->end[0]);
	pass_read(lab, &s->velocity[last], lines_with_bodies(s), s->end[1]);
	pass_read(lab, &s->pull[(passes_of_force(s) + 1) & 1], lines_with_bodies(s), s->sum);
}

static void close_nbody(struct lab *lab, void *state)
{
	struct nbody *s = state;
	(void)lab;
	kernel_close(&s->force);
	kernel_close(&s->leap);
	image_delete(&s->nothing);
	image_delete(&s->pairs);
	image_delete(&s->g);
	for (unsigned k = 0; k < 2; k++) {
		image_delete(&s->position[k]);
		image_delete(&s->velocity[k]);
		image_delete(&s->pull[k]);
	}
}

/* Counts 38 operations for a pair of bodies, as is usual for this sum. */
static double nbody_operations(const void *state)
{
	const struct nbody *s = state;
	return 38.0 * s->n * s->n * (s->wanted.number[NBODY_STEPS] + 1);
}

/* Counts texels.  In a pass of the force, a body reads itself, the sum, the bodies of the pass and, with a table, two further texels for
 * each of these, and writes the sum.  A leap reads three texels and writes two. */
static double nbody_traffic(const void *state)
{
	const struct nbody *s = state;
	double const texels = ((s->table.kinds ? 3 : 1) * (double)s->bodies + 3) * passes_of_force(s) + 5;
	return texels * image_formats[IMAGE_RGBA32F].bytes * s->n * (s->wanted.number[NBODY_STEPS] + 1);
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
	.parameters = parameters, .open = open_nbody, .upload = upload_nbody, .compute = compute_nbody, .download = download_nbody, .check = nbody_check,
	.on_cpu = nbody_on_cpu, .picture = nbody_picture, .close = close_nbody, .operations = nbody_operations, .traffic = nbody_traffic,
};
