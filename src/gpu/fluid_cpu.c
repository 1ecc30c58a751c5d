/* The fluid in double, see fluid.h: the same rules as the programs', written without them. */
#include "gpu/fluid.h"

#include <math.h>
#include <string.h>

enum { FIELDS = 2 + FLUID_INKS };

struct grid {
	const struct fluid *fluid;
	size_t n;
	size_t *before, *after;             /* the neighbours of a place on a line */
	double *field[FIELDS], *next[FIELDS]; /* velocity and inks, each with room for its next state */
	double *pressure, *next_pressure, *divergence;
};

static double *make_field(struct arena *a, const struct grid *g)
{
	return arena_zero(a, g->n * g->n * sizeof(double));
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

static void swap(double **a, double **b)
{
	double *const was = *a;
	*a = *b;
	*b = was;
}

/* The four neighbours of the cell (x, y) in a field. */
struct cross {
	double left, right, below, above;
};
static struct cross cross_at(const struct grid *g, const double *field, size_t x, size_t y)
{
	const double *line = field + y * g->n;
	return (struct cross){line[g->before[x]], line[g->after[x]], field[g->before[y] * g->n + x], field[g->after[y] * g->n + x]};
}

/* ---- the rules ------------------------------------------------------------------------- */

static void add_splat(struct grid *g, const struct splat *s)
{
	for (size_t y = 0; y < g->n; y++)
		for (size_t x = 0; x < g->n; x++) {
			double const dx = ((double)x + 0.5) / (double)g->n - (double)s->x, dy = ((double)y + 0.5) / (double)g->n - (double)s->y;
			double const much = exp2((double)g->fluid->sharpness * (dx * dx + dy * dy));
			for (unsigned k = 0; k < FIELDS; k++)
				g->field[k][y * g->n + x] += much * (double)(k < 2 ? s->force[k] : s->ink[k - 2]);
		}
}

static void lift(struct grid *g)
{
	for (size_t k = 0; k < g->n * g->n; k++)
		g->field[1][k] += (double)g->fluid->lift * g->field[3][k];
}

/* Uses the room of the pressure for the vorticity. */
static void confine(struct grid *g)
{
	double *w = g->pressure;
	for (size_t y = 0; y < g->n; y++)
		for (size_t x = 0; x < g->n; x++) {
			struct cross const u = cross_at(g, g->field[0], x, y), v = cross_at(g, g->field[1], x, y);
			w[y * g->n + x] = 0.5 * (v.right - v.left - (u.above - u.below));
		}
	for (size_t y = 0; y < g->n; y++)
		for (size_t x = 0; x < g->n; x++) {
			struct cross const c = cross_at(g, w, x, y);
			double const along = fabs(c.right) - fabs(c.left), across = fabs(c.above) - fabs(c.below);
			double const force = (double)g->fluid->swirl * w[y * g->n + x] / sqrt(along * along + across * across + 0.0001);
			g->field[0][y * g->n + x] += force * across;
			g->field[1][y * g->n + x] -= force * along;
		}
}

static void stop_at_walls(struct grid *g)
{
	for (size_t k = 0; k < g->n && g->fluid->walls; k++)
		for (unsigned f = 0; f < 2; f++) {
			double *v = g->field[f];
			v[k] = v[(g->n - 1) * g->n + k] = v[k * g->n] = v[k * g->n + g->n - 1] = 0;
		}
}

/* Where what comes to a place was before, as the place before it, the one after, and how far it is between them. */
struct origin {
	size_t at, next;
	double part;
};
static struct origin origin_of(const struct grid *g, double place)
{
	if (g->fluid->walls)
		place = fmin((double)(g->n - 1), fmax(0, place));
	double const whole = floor(place), n = (double)g->n;
	size_t const at = (size_t)(whole - n * floor(whole / n));
	return (struct origin){at, g->after[at], place - whole};
}

static double mix(double a, double b, double part)
{
	return a + part * (b - a);
}

static void advect(struct grid *g)
{
	for (size_t y = 0; y < g->n; y++)
		for (size_t x = 0; x < g->n; x++) {
			size_t const k = y * g->n + x;
			struct origin const along = origin_of(g, (double)x - g->field[0][k]), across = origin_of(g, (double)y - g->field[1][k]);
			for (unsigned f = 0; f < FIELDS; f++) {
				const double *here = g->field[f] + across.at * g->n, *above = g->field[f] + across.next * g->n;
				double const low = mix(here[along.at], here[along.next], along.part), high = mix(above[along.at], above[along.next], along.part);
				g->next[f][k] = (double)(f < 2 ? g->fluid->slowing : g->fluid->fading) * mix(low, high, across.part);
			}
		}
	for (unsigned f = 0; f < FIELDS; f++)
		swap(&g->field[f], &g->next[f]);
}

static void relax_line(const struct grid *g, size_t y)
{
	size_t const n = g->n;
	const double *line = g->pressure + y * n, *below = g->pressure + g->before[y] * n, *above = g->pressure + g->after[y] * n;
	const double *divergence = g->divergence + y * n;
	double *to = g->next_pressure + y * n;
	for (size_t x = 1; x + 1 < n; x++)
		to[x] = 0.25 * (line[x - 1] + line[x + 1] + below[x] + above[x] - divergence[x]);
	for (size_t x = 0; x < n; x += n - 1)
		to[x] = 0.25 * (line[g->before[x]] + line[g->after[x]] + below[x] + above[x] - divergence[x]);
}

/* The velocity loses its divergence. */
static void project(struct grid *g)
{
	for (size_t y = 0; y < g->n; y++)
		for (size_t x = 0; x < g->n; x++) {
			struct cross const u = cross_at(g, g->field[0], x, y), v = cross_at(g, g->field[1], x, y);
			g->divergence[y * g->n + x] = 0.5 * (u.right - u.left + v.above - v.below);
		}
	memset(g->pressure, 0, g->n * g->n * sizeof *g->pressure);
	for (unsigned k = 0; k < g->fluid->iterations; k++) {
		for (size_t y = 0; y < g->n; y++)
			relax_line(g, y);
		swap(&g->pressure, &g->next_pressure);
	}
	for (size_t y = 0; y < g->n; y++)
		for (size_t x = 0; x < g->n; x++) {
			struct cross const p = cross_at(g, g->pressure, x, y);
			g->field[0][y * g->n + x] -= 0.5 * (p.right - p.left);
			g->field[1][y * g->n + x] -= 0.5 * (p.above - p.below);
		}
}

/* ---- showing --------------------------------------------------------------------------- */

static double dot(const double a[3], const float b[3])
{
	return a[0] * (double)b[0] + a[1] * (double)b[1] + a[2] * (double)b[2];
}

/* A channel of the ramp at a texture coordinate, between the two nearest of its colours. */
static double ramp_at(const struct fluid *f, double at, unsigned channel)
{
	double const place = fmin(FLUID_RAMP - 1, fmax(0, at * (double)FLUID_RAMP - 0.5)), whole = fmin(FLUID_RAMP - 2, floor(place));
	const float *colour = f->ramp + (size_t)whole * 4 + channel;
	return mix((double)colour[0], (double)colour[4], place - whole);
}

static void show_cell(const struct grid *g, size_t x, size_t y, double colour[3])
{
	const struct relief *r = &g->fluid->relief;
	struct cross const c = cross_at(g, g->field[2], x, y);
	double normal[3] = {(c.left - c.right) * (double)r->height, (c.below - c.above) * (double)r->height, 1};
	double const length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + 1);
	for (unsigned k = 0; k < 3; k++)
		normal[k] /= length;
	double const diffuse = fmax(0, dot(normal, r->light)), shine = pow(fmax(0, dot(normal, r->half_way)), (double)r->shininess);
	double const place = g->field[2][y * g->n + x] * (double)r->scale + (double)r->bias;
	for (unsigned k = 0; k < 3; k++)
		colour[k] = ((double)r->ambient + diffuse * (double)r->lit) * ramp_at(g->fluid, place, k) + shine * (double)r->lit;
}

static void show(struct arena *a, const struct grid *g, double *shown[3])
{
	for (unsigned k = 0; k < 3; k++)
		shown[k] = make_field(a, g);
	for (size_t y = 0; y < g->n; y++)
		for (size_t x = 0; x < g->n; x++) {
			double colour[3];
			show_cell(g, x, y, colour);
			for (unsigned k = 0; k < 3; k++)
				shown[k][y * g->n + x] = colour[k];
		}
}

/* Moves all fields a cell back along the lines, and adds what comes past. */
static void scroll(struct grid *g, size_t step)
{
	size_t const n = g->n;
	for (size_t k = 0; k < n * n && g->fluid->wind; k++) {
		size_t const line = k / n * n, x = k % n;
		const float *wind = g->fluid->wind + (line + (x + step) % n) * 4, *inflow = g->fluid->inflow + (line + (x + 2 * step) % n) * 4;
		for (unsigned f = 0; f < FIELDS; f++)
			g->next[f][k] = g->field[f][line + (x + 1) % n] + (double)(f < 2 ? wind[f] : inflow[f - 2]);
	}
	for (unsigned f = 0; f < FIELDS && g->fluid->wind; f++)
		swap(&g->field[f], &g->next[f]);
}

/* ---- the whole ------------------------------------------------------------------------- */

void fluid_simulate(struct arena *a, const struct fluid *f, const float *ink, struct fluid_state *s)
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
	for (size_t k = 0; k < g.n * g.n * FLUID_INKS; k++)
		g.field[2 + k % FLUID_INKS][k / FLUID_INKS] = (double)ink[k / FLUID_INKS * 4 + k % FLUID_INKS];
	for (unsigned step = 0; step < f->steps; step++) {
		add_splat(&g, &f->splats[step]);
		lift(&g);
		confine(&g);
		stop_at_walls(&g);
		advect(&g);
		stop_at_walls(&g);
		project(&g);
		stop_at_walls(&g);
		scroll(&g, step);
	}
	show(a, &g, s->shown);
	memcpy(s->velocity, g.field, sizeof s->velocity);
	memcpy(s->ink, g.field + 2, sizeof s->ink);
}
