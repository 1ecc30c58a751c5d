/* The workload fluid: ink in a stirred fluid, by Stam's method: advection, vorticity confinement, and projection by Jacobi iterations. */
#include "gpu/fluid.h"

enum { CHANNELS = 4 };
enum { WALLS, PERIODIC, SCROLLING };
static const struct workload_form forms[] = {
	{"walls", "the fluid stands still at the edges"},
	{"periodic", "what leaves on one side enters on the other"},
	{"scrolling", "periodic, seen from a window that moves through wind and ink"},
	{.name = NULL}};

enum part { COPY, CLEAR, ADD, SPLAT, VORTICITY, CONFINEMENT, ADVECT, DIVERGENCE, JACOBI, SUBGRADIENT, SCROLL, SCROLL2, DISPLAY, RENDER, PROGRAMS };

/* The programs.  `operations` is how many operations a pixel takes, in the channels that are used; a special function counts as one. */
static const struct {
	const char *name, *example;
	double operations;
} programs[PROGRAMS] = {
	[COPY] = {"copy", "copy", 0},
	[CLEAR] = {"clear", "clear", 0},
	[ADD] = {"add", "add", 2},
	[SPLAT] = {"splat", "splat", 13},
	[VORTICITY] = {"vorticity", "vorticity", 4},
	[CONFINEMENT] = {"confinement", "confinement", 13},
	[ADVECT] = {"advect", "advect", 38},
	[DIVERGENCE] = {"divergence", "divergence", 4},
	[JACOBI] = {"jacobi", "jacobi", 6},
	[SUBGRADIENT] = {"subgradient", "subgradient", 6},
	[SCROLL] = {"scroll", "scroll", 4},
	[SCROLL2] = {"scroll2", "scroll", 4},
	[DISPLAY] = {"display", "display", 38},
	[RENDER] = {"render", "copy", 0},
};

/* A field of the fluid (velocity, ink or pressure).  Its two images take turns: a pass reads the newest and draws to the other. */
struct field {
	struct image image[2];
	unsigned newest;
};

struct simulation {
	struct fluid fluid;
	struct kernel kernel[PROGRAMS];
	struct field velocity, ink, pressure;
	struct image divergence, vorticity, input, shown, ramp, screen;
	struct image wind, inflow; /* only for the form scrolling */
	bool picture;              /* true if --input gives the initial ink */
	float *texels;             /* the initial ink */
	float *result[4];          /* what was downloaded: velocity, ink, shown colours, screen */
};

/* ---- the parameters --------------------------------------------------------------------- */

static void make_splats(struct lab *lab, struct fluid *f, unsigned seed)
{
	struct splat *s = arena_alloc(lab->arena, f->steps * sizeof *s);
	uint64_t random = seed;
	f->splats = s;
	for (unsigned k = 0; k < f->steps; k++, s++) {
		double const turn = 6.283185307179586 * random_unit(&random), speed = 0.01 * f->size;
		s->x = (float)(0.15 + 0.7 * random_unit(&random));
		s->y = (float)(0.15 + 0.7 * random_unit(&random));
		s->force[0] = (float)(speed * cos(turn));
		s->force[1] = (float)(speed * sin(turn));
		for (unsigned c = 0; c < FLUID_INKS; c++)
			s->ink[c] = (float)(0.2 + 0.6 * random_unit(&random));
	}
}

/* Makes a relief that is lit from the left and the top, and seen from straight above. */
static void make_relief(struct lab *lab, struct fluid *f)
{
	float *ramp = arena_alloc(lab->arena, FLUID_RAMP * CHANNELS * sizeof *ramp);
	f->relief = (struct relief){.height = 1, .light = {-0.64f, -0.48f, 0.6f}, .half_way = {-0.357771f, -0.268328f, 0.894427f},
	                            .ambient = 0.25f, .lit = 0.75f, .shininess = 16, .scale = 0.6f, .bias = 0.02f};
	f->ramp = ramp;
	for (unsigned k = 0; k < FLUID_RAMP; k++)
		for (unsigned c = 0; c < CHANNELS; c++)
			*ramp++ = (float)(0.5 - 0.5 * cos(3.5 * (k + 0.5) / (double)FLUID_RAMP * (1 + 0.35 * (2 - (double)c))));
}

/* Makes wind that blows along x, in waves over y, and an inflow of ink in waves over x and y. */
static void make_stream(struct lab *lab, struct fluid *f)
{
	size_t const n = f->size, floats = n * n * CHANNELS;
	float *wind = arena_zero(lab->arena, floats * sizeof *wind), *inflow = arena_zero(lab->arena, floats * sizeof *inflow);
	double const turn = 6.283185307179586 / (double)n;
	for (size_t k = 0; k < n * n; k++) {
		double const x = (double)(k % n) * turn, y = (double)(k / n) * turn;
		wind[k * CHANNELS] = (float)(0.0005 * (double)n * sin(2 * y));
		for (unsigned c = 0; c < FLUID_INKS; c++)
			inflow[k * CHANNELS + c] = (float)(0.005 * (1 + sin((c + 1) * x) * cos((3 - c) * y)));
	}
	f->wind = wind;
	f->inflow = inflow;
}

static void make_parameters(struct lab *lab, struct fluid *f)
{
	const struct wanted *wanted = lab->wanted;
	*f = (struct fluid){.walls = wanted->form_index == WALLS, .size = wanted->number[0], .steps = wanted->number[1],
	                    .iterations = wanted->number[2], .sharpness = -250, .swirl = 0.02f, .slowing = 0.995f, .fading = 0.99f};
	f->lift = -0.0005f * (float)f->size;
	make_splats(lab, f, wanted->seed);
	make_relief(lab, f);
	if (wanted->form_index == SCROLLING)
		make_stream(lab, f);
}

/* ---- opening --------------------------------------------------------------------------- */

static const struct image *newest_image(const struct field *f)
{
	return &f->image[f->newest];
}

/* Makes all images but the screen of floats, as half floats would be wrong after some tens of steps.  Returns NULL, or one sentence. */
static const char *make_fluid_images(struct lab *lab, struct simulation *s)
{
	unsigned const n = s->fluid.size;
	struct image *const all[] = {&s->velocity.image[0], &s->velocity.image[1], &s->ink.image[0], &s->ink.image[1], &s->pressure.image[0],
	                             &s->pressure.image[1], &s->divergence, &s->vorticity, &s->input, &s->shown, &s->wind, &s->inflow};
	const char *wrong = lab_image(lab, &s->ramp, FLUID_RAMP, 1, IMAGE_RGBA32F, IMAGE_CLAMP);
	wrong = wrong ? wrong : lab_image(lab, &s->screen, n, n, IMAGE_RGBA8, IMAGE_CLAMP);
	for (unsigned k = 0; k < sizeof all / sizeof *all - (s->fluid.wind ? 0 : 2) && !wrong; k++)
		wrong = lab_image(lab, all[k], n, n, IMAGE_RGBA32F, s->fluid.walls ? IMAGE_CLAMP : IMAGE_REPEAT);
	if (wrong)
		return wrong;
	image_filter(&s->ramp, true);
	lab_input(lab, &s->input, NULL, s->texels);
	lab_input(lab, &s->ramp, NULL, s->fluid.ramp);
	if (s->fluid.wind) {
		lab_input(lab, &s->wind, NULL, s->fluid.wind);
		lab_input(lab, &s->inflow, NULL, s->fluid.inflow);
	}
	return NULL;
}

static void set_fluid_constant(struct simulation *s, enum part p, unsigned constant, float x, float y, float z, float w)
{
	kernel_set(&s->kernel[p], STAGE_PIXEL, constant, x, y, z, w);
}

static void set_relief_constants(struct simulation *s, float cell)
{
	const struct relief *r = &s->fluid.relief;
	set_fluid_constant(s, DISPLAY, 0, cell, cell, 0, 0);
	set_fluid_constant(s, DISPLAY, 1, r->height, 0, 0, 0);
	set_fluid_constant(s, DISPLAY, 2, r->light[0], r->light[1], r->light[2], 0);
	set_fluid_constant(s, DISPLAY, 3, r->half_way[0], r->half_way[1], r->half_way[2], 0);
	set_fluid_constant(s, DISPLAY, 4, r->ambient, r->ambient, r->ambient, 1);
	set_fluid_constant(s, DISPLAY, 5, r->lit, r->lit, r->lit, 0);
	set_fluid_constant(s, DISPLAY, 6, r->shininess, 0, 0, 0);
	set_fluid_constant(s, DISPLAY, 7, r->scale, r->bias, 0, 0);
}

/* Sets the constants that no pass changes.  Between walls, advection clamps the places that it reads; else the fluid repeats itself. */
static void set_fixed_constants(struct simulation *s)
{
	float const n = (float)s->fluid.size, cell = 1 / n, first = s->fluid.walls ? 0 : -1e6f, last = s->fluid.walls ? n - 1 : 1e6f;
	set_fluid_constant(s, CLEAR, 0, 0, 0, 0, 0);
	set_fluid_constant(s, ADD, 0, 0, s->fluid.lift, 0, 0);
	set_fluid_constant(s, SPLAT, 1, 1, s->fluid.sharpness, 0, 0);
	set_fluid_constant(s, VORTICITY, 0, cell, 0, 0, 0);
	set_fluid_constant(s, VORTICITY, 1, 0, cell, 0, 0);
	set_fluid_constant(s, VORTICITY, 2, 0.5f, 0, 0, 0);
	set_fluid_constant(s, CONFINEMENT, 0, cell, cell, 0, 0);
	set_fluid_constant(s, CONFINEMENT, 1, s->fluid.swirl, 0, 0, 0);
	set_fluid_constant(s, ADVECT, 0, n, n, 0, 0);
	set_fluid_constant(s, ADVECT, 1, cell, cell, 0, 0);
	set_fluid_constant(s, ADVECT, 4, first, first, 0, 0);
	set_fluid_constant(s, ADVECT, 5, last, last, 0, 0);
	set_fluid_constant(s, DIVERGENCE, 0, cell, cell, 0, 0);
	set_fluid_constant(s, DIVERGENCE, 1, 0.5f, 0, 0, 0);
	set_fluid_constant(s, JACOBI, 0, n, n, 0, 0);
	set_fluid_constant(s, JACOBI, 1, -1, 0, 0, 0);
	set_fluid_constant(s, JACOBI, 2, 0.25f, 0, 0, 0);
	set_fluid_constant(s, SUBGRADIENT, 0, cell, cell, 0, 0);
	set_fluid_constant(s, SUBGRADIENT, 1, 0.5f, 0, 0, 0);
	set_relief_constants(s, cell);
}

/* Reads the initial ink, which must be from 0 to 1: more would drive the fluid so hard that no two computations of it agree.  Returns NULL, or one
 * sentence on what is wrong. */
static const char *read_ink(struct lab *lab, struct simulation *s)
{
	const char *wrong = workload_image(lab, IMAGE_RGBA32F, s->fluid.size, s->fluid.size, CHANNELS, &s->texels);
	for (size_t k = 0; k < (size_t)s->fluid.size * s->fluid.size * CHANNELS && !wrong; k++)
		if (s->texels[k] < 0 || s->texels[k] > 1)
			wrong = arena_printf(lab->arena, "%s: ink must be from 0 to 1, and float number %zu is %g", lab->wanted->input, k,
			                     (double)s->texels[k]);
	return wrong;
}

static const char *open_fluid(struct lab *lab)
{
	struct simulation *s = lab->state = arena_zero(lab->arena, sizeof *s);
	size_t const floats = (size_t)lab->wanted->number[0] * lab->wanted->number[0] * CHANNELS;
	const char *wrong = workload_fits(lab, lab->wanted->number[0]);
	if (wrong)
		return wrong;
	make_parameters(lab, &s->fluid);
	s->texels = arena_zero(lab->arena, floats * sizeof(float));
	for (unsigned k = 0; k < 4; k++)
		s->result[k] = arena_alloc(lab->arena, floats * sizeof(float));
	s->picture = lab->wanted->input;
	wrong = s->picture ? read_ink(lab, s) : NULL;
	for (unsigned k = 0; k < PROGRAMS && !wrong; k++) {
		wrong = kernel_open(lab, programs[k].example, &s->kernel[k]);
		s->kernel[k].name = programs[k].name;
	}
	wrong = wrong ? wrong : make_fluid_images(lab, s);
	if (!wrong)
		set_fixed_constants(s);
	return wrong;
}

/* ---- passes ---------------------------------------------------------------------------- */

static void draw_in_rect(struct lab *lab, struct simulation *s, enum part p, struct rect to, const struct image *a, const struct image *b,
                         const struct image *target)
{
	struct pass const pass = {.kernel = &s->kernel[p], .texture = {a, b}, .target = {target}, .to = to};
	double const pixels = (double)to.width * to.height;
	pass_draw(lab, &pass);
	lab->operations += pixels * programs[p].operations;
	lab->traffic += pixels * (program_slots(s->kernel[p].ps).tex + 1) * image_formats[target->format].bytes;
}

static void draw_program(struct lab *lab, struct simulation *s, enum part p, const struct image *a, const struct image *b,
                         const struct image *target)
{
	draw_in_rect(lab, s, p, image_whole(target), a, b, target);
}

/* Draws the next state of field f from images a and b, and makes it the newest. */
static void draw_next_state(struct lab *lab, struct simulation *s, enum part p, const struct image *a, const struct image *b, struct field *f)
{
	draw_program(lab, s, p, a, b, &f->image[f->newest ^ 1]);
	f->newest ^= 1;
}

static void draw_splat(struct lab *lab, struct simulation *s, const struct splat *at)
{
	set_fluid_constant(s, SPLAT, 0, at->x, at->y, 0, 0);
	set_fluid_constant(s, SPLAT, 2, at->force[0], at->force[1], 0, 0);
	draw_next_state(lab, s, SPLAT, newest_image(&s->velocity), NULL, &s->velocity);
	set_fluid_constant(s, SPLAT, 2, at->ink[0], at->ink[1], at->ink[2], 0);
	draw_next_state(lab, s, SPLAT, newest_image(&s->ink), NULL, &s->ink);
}

static void clear_at_walls(struct lab *lab, struct simulation *s)
{
	int const n = (int)s->fluid.size;
	struct rect const walls[] = {{0, 0, n, 1}, {0, n - 1, n, 1}, {0, 0, 1, n}, {n - 1, 0, 1, n}};
	for (unsigned k = 0; k < 4 && s->fluid.walls; k++)
		draw_in_rect(lab, s, CLEAR, walls[k], NULL, NULL, newest_image(&s->velocity));
}

static void draw_advection(struct lab *lab, struct simulation *s)
{
	set_fluid_constant(s, ADVECT, 2, 1, s->fluid.fading, 0, 0);
	draw_next_state(lab, s, ADVECT, newest_image(&s->ink), newest_image(&s->velocity), &s->ink);
	set_fluid_constant(s, ADVECT, 2, 1, s->fluid.slowing, 0, 0);
	draw_next_state(lab, s, ADVECT, newest_image(&s->velocity), newest_image(&s->velocity), &s->velocity);
}

static void draw_projection(struct lab *lab, struct simulation *s)
{
	draw_program(lab, s, DIVERGENCE, newest_image(&s->velocity), NULL, &s->divergence);
	draw_program(lab, s, CLEAR, NULL, NULL, newest_image(&s->pressure));
	for (unsigned k = 0; k < s->fluid.iterations; k++)
		draw_next_state(lab, s, JACOBI, newest_image(&s->pressure), &s->divergence, &s->pressure);
	draw_next_state(lab, s, SUBGRADIENT, newest_image(&s->pressure), newest_image(&s->velocity), &s->velocity);
}

/* Moves velocity and ink by one cell towards smaller x, and adds the images wind and inflow to them.  These move the same way: wind by one
 * cell in each step, inflow by two. */
static void draw_scrolled(struct lab *lab, struct simulation *s, unsigned step)
{
	unsigned const n = s->fluid.size;
	float const cell = 1 / (float)n;
	if (!s->fluid.wind)
		return;
	set_fluid_constant(s, SCROLL, 0, cell, 0, (float)(step % n) * cell, 0);
	draw_next_state(lab, s, SCROLL, newest_image(&s->velocity), &s->wind, &s->velocity);
	set_fluid_constant(s, SCROLL2, 0, cell, 0, (float)(2 * step % n) * cell, 0);
	draw_next_state(lab, s, SCROLL2, newest_image(&s->ink), &s->inflow, &s->ink);
}

static void draw_step(struct lab *lab, struct simulation *s, unsigned step)
{
	draw_splat(lab, s, &s->fluid.splats[step]);
	draw_next_state(lab, s, ADD, newest_image(&s->velocity), newest_image(&s->ink), &s->velocity);
	draw_program(lab, s, VORTICITY, newest_image(&s->velocity), NULL, &s->vorticity);
	draw_next_state(lab, s, CONFINEMENT, &s->vorticity, newest_image(&s->velocity), &s->velocity);
	clear_at_walls(lab, s);
	draw_advection(lab, s);
	clear_at_walls(lab, s);
	draw_projection(lab, s);
	clear_at_walls(lab, s);
	draw_scrolled(lab, s, step);
	draw_program(lab, s, DISPLAY, newest_image(&s->ink), &s->ramp, &s->shown);
	draw_program(lab, s, RENDER, &s->shown, NULL, &s->screen);
}

static void compute_fluid(struct lab *lab)
{
	struct simulation *s = lab->state;
	lab->operations = lab->traffic = 0;
	draw_next_state(lab, s, CLEAR, NULL, NULL, &s->velocity);
	draw_next_state(lab, s, COPY, &s->input, NULL, &s->ink);
	for (unsigned k = 0; k < s->fluid.steps; k++)
		draw_step(lab, s, k);
	const struct image *result[] = {newest_image(&s->velocity), newest_image(&s->ink), &s->shown, &s->screen};
	lab->output.n = 0;
	for (unsigned k = 0; k < 4; k++)
		lab_output(lab, result[k], NULL, s->result[k]);
}

/* ---- checking -------------------------------------------------------------------------- */

/* Returns the largest difference between the result and the right numbers of a field, relative to the largest right number unless all are 0. */
static double field_error(const float *result, double *const *right, unsigned channels, size_t n)
{
	struct finding f = {.what = NULL};
	double largest = 0;
	for (size_t k = 0; k < n; k++)
		for (unsigned c = 0; c < channels; c++) {
			finding_compare(&f, (double)result[k * CHANNELS + c], right[c][k]);
			largest = fmax(largest, fabs(right[c][k]));
		}
	return largest > 0 ? f.error / largest : f.error;
}

/* Returns the largest difference between the screen and the colours in floats, in steps of 8 bits. */
static double screen_error(const struct simulation *s, size_t n)
{
	double most = 0;
	for (size_t k = 0; k < n * CHANNELS; k++)
		most = fmax(most, 255 * fabs((double)s->result[3][k] - fmin(1, fmax(0, (double)s->result[2][k]))));
	return most;
}

/* Returns the tolerance.  A step follows the velocity back to a place, which is known to 2^-21 of the side at best, as texture
 * coordinates are floats.  The error is that times the slope of the field there: splats change by some 16 times their height over the
 * side, and a picture may change by its height from cell to cell.  Other roundings are small, and the errors of steps add up. */
static double fluid_tolerance(const struct simulation *s)
{
	double const slope = s->picture ? s->fluid.size : 16;
	return ldexp(slope * s->fluid.steps, -21);
}

static void check_fluid(struct lab *lab, struct finding *f)
{
	const struct simulation *s = lab->state;
	size_t const n = (size_t)s->fluid.size * s->fluid.size;
	struct arena_mark const mark = arena_mark(lab->arena);
	struct fluid_state right;
	fluid_simulate(lab->arena, &s->fluid, s->texels, false, &right);
	double const velocity = field_error(s->result[0], right.velocity, 2, n), ink = field_error(s->result[1], right.ink, FLUID_INKS, n);
	double const shown = field_error(s->result[2], right.shown, 3, n);
	arena_release(lab->arena, mark);
	*f = (struct finding){.what = "largest difference to the field's largest number", .most = fluid_tolerance(s)};
	f->error = fmax(velocity, fmax(ink, shown));
	double const screen = screen_error(s, n);
	if (screen > 0.51)
		finding_add(f, (double)INFINITY);
	f->more = arena_printf(lab->arena, "  velocity %.3g, ink %.3g, picture %.3g, on the screen within %.3g steps of 8 bits\n", velocity, ink,
	                       shown, screen);
}

static void interleave(float *to, float *const *from, unsigned channels, size_t n)
{
	for (size_t k = 0; k < n; k++)
		for (unsigned c = 0; c < channels; c++)
			to[k * CHANNELS + c] = from[c][k];
}

static void simulate_on_cpu(struct lab *lab)
{
	struct simulation *s = lab->state;
	size_t const n = (size_t)s->fluid.size * s->fluid.size;
	struct arena_mark const mark = arena_mark(lab->arena);
	struct fluid_state_single done;
	fluid_simulate_single(lab->arena, &s->fluid, s->texels, true, &done);
	interleave(s->result[0], done.velocity, 2, n);
	interleave(s->result[1], done.ink, FLUID_INKS, n);
	interleave(s->result[2], done.shown, 3, n);
	for (size_t k = 0; k < n * CHANNELS; k++)
		s->result[3][k] = rintf(255 * fminf(1, fmaxf(0, s->result[2][k]))) / 255;
	arena_release(lab->arena, mark);
}

static void show_fluid(struct lab *lab, struct picture *p)
{
	const struct simulation *s = lab->state;
	workload_picture(lab, s->fluid.size, s->result[3], p);
}

static const struct parameter parameters[] = {
	{"size", "cells a side", 16, 8192, 1024},
	{"steps", "steps that are simulated", 1, 1000, 20},
	{"jacobi", "iterations for the pressure of a step", 1, 1000, 20},
	{.name = NULL},
};

const struct workload fluid_workload = {
	.name = "fluid", .summary = "ink in a stirred fluid, by Stam's method", .forms = forms, .parameters = parameters,
	.open = open_fluid, .compute = compute_fluid, .check = check_fluid, .on_cpu = simulate_on_cpu, .picture = show_fluid,
};
