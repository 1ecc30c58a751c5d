/* Simulates the fluid on the CPU, see fluid.h, by the same rules as the GPU programs but independently of them.  Computes in double for the check;
 * fluid_single.c compiles this file in single precision. */
#include "gpu/fluid.h"

#ifndef FLUID_REAL
#define FLUID_REAL double
#define FLUID_SIMULATE fluid_simulate
#define FLUID_STATE fluid_state
#endif

#include <string.h>
#include <tgmath.h>

typedef FLUID_REAL real;

enum { FIELDS = 2 + FLUID_INKS };

struct grid {
	const struct fluid *fluid;
	size_t n;
	size_t *before, *after;             /* indices of the neighbours of each coordinate, for x and y alike */
	real *field[FIELDS], *next[FIELDS]; /* velocity and inks, and space for their next states */
	real *pressure, *next_pressure, *divergence;
};

static real *make_field(struct arena *a, const struct grid *g)
{
	return arena_zero(a, g->n * g->n * sizeof(real));
}

static void make_neighbours(struct arena *a, struct grid *g)
{
	g->before = arena_alloc(a, g->n * sizeof *g->before);
	g->after = arena_alloc(a, g->n * sizeof *g->after);
	for (size_t k = 0; k < g->n; k++) {
		g->before[k] = k ? k - 1 : g->fluid->walls ? 0 : g->n - 1;
		g->after[k] = k + 1 < g->n ? k + 1 : g->fluid->walls ? k : 0;
	}
}

static void swap_arrays(real **a, real **b)
{
	real *const was = *a;
	*a = *b;
	*b = was;
}

/* The four neighbours of the cell (x, y) in a field. */
struct cross {
	real left, right, below, above;
};
static struct cross cross_at(const struct grid *g, const real *field, size_t x, size_t y)
{
	const real *line = field + y * g->n;
	return (struct cross){.left = line[g->before[x]], .right = line[g->after[x]],
	                      .below = field[g->before[y] * g->n + x], .above = field[g->after[y] * g->n + x]};
}

/* ---- the rules ------------------------------------------------------------------------- */

static void apply_splat(struct grid *g, const struct splat *s)
{
	for (size_t y = 0; y < g->n; y++)
		for (size_t x = 0; x < g->n; x++) {
			real const dx = ((real)x + (real)0.5) / (real)g->n - (real)s->x, dy = ((real)y + (real)0.5) / (real)g->n - (real)s->y;
			real const much = exp2((real)g->fluid->sharpness * (dx * dx + dy * dy));
			for (unsigned k = 0; k < FIELDS; k++)
				g->field[k][y * g->n + x] += much * (real)(k < 2 ? s->force[k] : s->ink[k - 2]);
		}
}

static void apply_lift(struct grid *g)
{
	for (size_t k = 0; k < g->n * g->n; k++)
		g->field[1][k] += (real)g->fluid->lift * g->field[3][k];
}

/* Applies the vorticity confinement.  The vorticity is kept in the array of the pressure, which is not in use then. */
static void confine_vorticity(struct grid *g)
{
	real *w = g->pressure;
	for (size_t y = 0; y < g->n; y++)
		for (size_t x = 0; x < g->n; x++) {
			struct cross const u = cross_at(g, g->field[0], x, y), v = cross_at(g, g->field[1], x, y);
			w[y * g->n + x] = (real)0.5 * (v.right - v.left - (u.above - u.below));
		}
	for (size_t y = 0; y < g->n; y++)
		for (size_t x = 0; x < g->n; x++) {
			struct cross const c = cross_at(g, w, x, y);
			real const along = fabs(c.right) - fabs(c.left), across = fabs(c.above) - fabs(c.below);
			real const force = (real)g->fluid->swirl * w[y * g->n + x] / sqrt(along * along + across * across + (real)0.0001);
			g->field[0][y * g->n + x] += force * across;
			g->field[1][y * g->n + x] -= force * along;
		}
}

static void stop_fluid_at_walls(struct grid *g)
{
	for (size_t k = 0; k < g->n && g->fluid->walls; k++)
		for (unsigned f = 0; f < 2; f++) {
			real *v = g->field[f];
			v[k] = v[(g->n - 1) * g->n + k] = v[k * g->n] = v[k * g->n + g->n - 1] = 0;
		}
}

/* A place between two cells, from which fluid came. */
struct origin {
	size_t at, next; /* the cells before and after the place */
	real part;       /* distance of the place from `at`, in cells */
};
static struct origin trace_back(const struct grid *g, real place)
{
	if (g->fluid->walls)
		place = fmin((real)(g->n - 1), fmax((real)0, place));
	real const whole = floor(place), n = (real)g->n;
	size_t const at = (size_t)(whole - n * floor(whole / n));
	return (struct origin){at, g->after[at], place - whole};
}

static real interpolate_real(real a, real b, real part)
{
	return a + part * (b - a);
}

static void advect_fields(struct grid *g)
{
	for (size_t y = 0; y < g->n; y++)
		for (size_t x = 0; x < g->n; x++) {
			size_t const k = y * g->n + x;
			struct origin const along = trace_back(g, (real)x - g->field[0][k]), across = trace_back(g, (real)y - g->field[1][k]);
			for (unsigned f = 0; f < FIELDS; f++) {
				const real *here = g->field[f] + across.at * g->n, *above = g->field[f] + across.next * g->n;
				real const low = interpolate_real(here[along.at], here[along.next], along.part);
				real const high = interpolate_real(above[along.at], above[along.next], along.part);
				g->next[f][k] = (real)(f < 2 ? g->fluid->slowing : g->fluid->fading) * interpolate_real(low, high, across.part);
			}
		}
	for (unsigned f = 0; f < FIELDS; f++)
		swap_arrays(&g->field[f], &g->next[f]);
}

static void relax_line(const struct grid *g, size_t y)
{
	size_t const n = g->n;
	const real *line = g->pressure + y * n, *below = g->pressure + g->before[y] * n, *above = g->pressure + g->after[y] * n;
	const real *divergence = g->divergence + y * n;
	real *to = g->next_pressure + y * n;
	for (size_t x = 1; x + 1 < n; x++)
		to[x] = (real)0.25 * (line[x - 1] + line[x + 1] + below[x] + above[x] - divergence[x]);
	for (size_t x = 0; x < n; x += n - 1)
		to[x] = (real)0.25 * (line[g->before[x]] + line[g->after[x]] + below[x] + above[x] - divergence[x]);
}

static void remove_divergence(struct grid *g)
{
	for (size_t y = 0; y < g->n; y++)
		for (size_t x = 0; x < g->n; x++) {
			struct cross const u = cross_at(g, g->field[0], x, y), v = cross_at(g, g->field[1], x, y);
			g->divergence[y * g->n + x] = (real)0.5 * (u.right - u.left + v.above - v.below);
		}
	memset(g->pressure, 0, g->n * g->n * sizeof *g->pressure);
	for (unsigned k = 0; k < g->fluid->iterations; k++) {
		for (size_t y = 0; y < g->n; y++)
			relax_line(g, y);
		swap_arrays(&g->pressure, &g->next_pressure);
	}
	for (size_t y = 0; y < g->n; y++)
		for (size_t x = 0; x < g->n; x++) {
			struct cross const p = cross_at(g, g->pressure, x, y);
			g->field[0][y * g->n + x] -= (real)0.5 * (p.right - p.left);
			g->field[1][y * g->n + x] -= (real)0.5 * (p.above - p.below);
		}
}

/* ---- colours --------------------------------------------------------------------------- */

static real dot_of_floats(const real a[3], const float b[3])
{
	return a[0] * (real)b[0] + a[1] * (real)b[1] + a[2] * (real)b[2];
}

/* Returns a channel of the ramp at a texture coordinate, interpolated between the two nearest colours. */
static real ramp_at(const struct fluid *f, real at, unsigned channel)
{
	real const place = fmin((real)(FLUID_RAMP - 1), fmax((real)0, at * (real)FLUID_RAMP - (real)0.5));
	real const whole = fmin((real)(FLUID_RAMP - 2), floor(place));
	const float *colour = f->ramp + (size_t)whole * 4 + channel;
	return interpolate_real((real)colour[0], (real)colour[4], place - whole);
}

static void colour_cell(const struct grid *g, size_t x, size_t y, real colour[3])
{
	const struct relief *r = &g->fluid->relief;
	struct cross const c = cross_at(g, g->field[2], x, y);
	real normal[3] = {(c.left - c.right) * (real)r->height, (c.below - c.above) * (real)r->height, 1};
	real const length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + 1);
	for (unsigned k = 0; k < 3; k++)
		normal[k] /= length;
	real const diffuse = fmax((real)0, dot_of_floats(normal, r->light));
	real const shine = pow(fmax((real)0, dot_of_floats(normal, r->half_way)), (real)r->shininess);
	real const place = g->field[2][y * g->n + x] * (real)r->scale + (real)r->bias;
	for (unsigned k = 0; k < 3; k++)
		colour[k] = ((real)r->ambient + diffuse * (real)r->lit) * ramp_at(g->fluid, place, k) + shine * (real)r->lit;
}

static void colour_cells(const struct grid *g, real *const shown[3])
{
	for (size_t y = 0; y < g->n; y++)
		for (size_t x = 0; x < g->n; x++) {
			real colour[3];
			colour_cell(g, x, y, colour);
			for (unsigned k = 0; k < 3; k++)
				shown[k][y * g->n + x] = colour[k];
		}
}

/* Moves all fields by one cell towards smaller x, and adds wind and inflow, which move the same way, see draw_scrolled. */
static void scroll_fields(struct grid *g, size_t step)
{
	size_t const n = g->n;
	for (size_t k = 0; k < n * n && g->fluid->wind; k++) {
		size_t const line = k / n * n, x = k % n;
		const float *wind = g->fluid->wind + (line + (x + step) % n) * 4, *inflow = g->fluid->inflow + (line + (x + 2 * step) % n) * 4;
		for (unsigned f = 0; f < FIELDS; f++)
			g->next[f][k] = g->field[f][line + (x + 1) % n] + (real)(f < 2 ? wind[f] : inflow[f - 2]);
	}
	for (unsigned f = 0; f < FIELDS && g->fluid->wind; f++)
		swap_arrays(&g->field[f], &g->next[f]);
}

/* ---- the simulation -------------------------------------------------------------------- */

void FLUID_SIMULATE(struct arena *a, const struct fluid *f, const float *ink, bool every, struct FLUID_STATE *s)
{
	struct grid g = {.fluid = f, .n = f->size};
	make_neighbours(a, &g);
	for (unsigned k = 0; k < FIELDS; k++) {
		g.field[k] = make_field(a, &g);
		g.next[k] = make_field(a, &g);
	}
	g.pressure = make_field(a, &g);
	g.next_pressure = make_field(a, &g);
	g.divergence = make_field(a, &g);
	for (unsigned k = 0; k < 3; k++)
		s->shown[k] = make_field(a, &g);
	for (size_t k = 0; k < g.n * g.n * FLUID_INKS; k++)
		g.field[2 + k % FLUID_INKS][k / FLUID_INKS] = (real)ink[k / FLUID_INKS * 4 + k % FLUID_INKS];
	for (unsigned step = 0; step < f->steps; step++) {
		apply_splat(&g, &f->splats[step]);
		apply_lift(&g);
		confine_vorticity(&g);
		stop_fluid_at_walls(&g);
		advect_fields(&g);
		stop_fluid_at_walls(&g);
		remove_divergence(&g);
		stop_fluid_at_walls(&g);
		scroll_fields(&g, step);
		if (every || step + 1 == f->steps)
			colour_cells(&g, s->shown);
	}
	memcpy(s->velocity, g.field, sizeof s->velocity);
	memcpy(s->ink, g.field + 2, sizeof s->ink);
}
