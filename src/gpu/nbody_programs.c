/* Makes the pixel programs of nbody's forces.  If there is no cut-off radius and an example handles as many bodies in a pass as the user wants,
 * the example is taken; otherwise the program is written here in the style of the example nbody9. */
#include "gpu/nbody.h"

enum { GROUP = 3, TAKEN = 6 }; /* bodies whose distances share a register; registers that bodies use in turn */
/* Numbers of r#.  BODY is the register of the first body, the next bodies follow.  With a table, LOOKED_UP is a second one. */
enum { SUM = 1, BODY = 2, DISTANCE = 8, POWER = 9, FACTOR = 10, WITHIN = 11, LOOKED_UP = 6, TABLE_DISTANCE = 10, FRACTION = 11 };

/* A group of up to three bodies.  The k-th body uses lane k of DISTANCE, POWER, FACTOR and WITHIN. */
struct body_group {
	struct text *to;
	unsigned first, n; /* number of the first body, and of bodies */
	bool cut;          /* true if there is a cut-off radius */
	int distance;      /* register of d.d, the square of the distance */
};

static const char lane[] = "xyz";
static const char *const masks[] = {"", ".x", ".xy", ".xyz"};

static unsigned body_register(const struct body_group *g, unsigned k)
{
	return BODY + (g->first + k) % TAKEN;
}

/* Writes d, the body's position minus the pixel's, and d.d, softened. */
static void write_distances(const struct body_group *g)
{
	const char *m = masks[g->n];
	for (unsigned k = 0; k < g->n; k++)
		text_printf(g->to, "mov r%u.xy, c%u\n", body_register(g, k), g->first + k);
	for (unsigned k = 0; k < g->n; k++)
		text_printf(g->to, "texld r%u, r%u, s0\n", body_register(g, k), body_register(g, k));
	for (unsigned k = 0; k < g->n; k++)
		text_printf(g->to, "add r%u.xyz, r%u, -r0\n", body_register(g, k), body_register(g, k));
	for (unsigned k = 0; k < g->n; k++)
		text_printf(g->to, "dp3 r%d.%c, r%u, r%u\n", g->distance, lane[k], body_register(g, k), body_register(g, k));
	text_printf(g->to, "add r%d%s, r%d, c%d.x\n", g->distance, m, g->distance, NBODY_NUMBERS);
}

/* Writes instructions that set the lanes of WITHIN to the square of the cut-off radius minus that of each distance, if there is a cut-off. */
static void write_within(const struct body_group *g)
{
	if (g->cut)
		text_printf(g->to, "add r%d%s, c%d.w, -r%d\n", WITHIN, masks[g->n], NBODY_NUMBERS, g->distance);
}

/* Writes instructions that clear the lanes of bodies beyond the cut-off radius in register r, if there is a cut-off. */
static void write_cut(const struct body_group *g, int r)
{
	if (g->cut)
		text_printf(g->to, "cmp r%d%s, r%d, r%d, c%d.y\n", r, masks[g->n], WITHIN, r, NBODY_MORE_NUMBERS);
}

/* Writes instructions that add w d / (d.d)^(3/2) of each body to the sum. */
static void write_inverse_square(const struct body_group *g)
{
	const char *m = masks[g->n];
	for (unsigned k = 0; k < g->n; k++)
		text_printf(g->to, "rsq r%d.%c, r%d.%c\n", DISTANCE, lane[k], DISTANCE, lane[k]);
	text_printf(g->to, "mul r%d%s, r%d, r%d\nmul r%d%s, r%d, r%d\n", POWER, m, DISTANCE, DISTANCE, DISTANCE, m, POWER, DISTANCE);
	write_cut(g, DISTANCE);
	for (unsigned k = 0; k < g->n; k++)
		text_printf(g->to, "mul r%u.w, r%u.w, r%d.%c\n", body_register(g, k), body_register(g, k), DISTANCE, lane[k]);
	for (unsigned k = 0; k < g->n; k++)
		text_printf(g->to, "mad r%d.xyz, r%u, r%u.w, r%d\n", SUM, body_register(g, k), body_register(g, k), SUM);
}

/* Writes instructions that add d q^4 (24 - 48 q^3), for q = 1 / d.d, of each body to the sum. */
static void write_lennard_jones(const struct body_group *g)
{
	const char *m = masks[g->n];
	for (unsigned k = 0; k < g->n; k++)
		text_printf(g->to, "rcp r%d.%c, r%d.%c\n", DISTANCE, lane[k], DISTANCE, lane[k]);
	text_printf(g->to, "mul r%d%s, r%d, r%d\n", POWER, m, DISTANCE, DISTANCE);
	text_printf(g->to, "mul r%d%s, r%d, r%d\n", FACTOR, m, POWER, DISTANCE);
	text_printf(g->to, "mul r%d%s, r%d, r%d\n", POWER, m, POWER, POWER);
	text_printf(g->to, "mad r%d%s, r%d, c%d.z, c%d.y\n", FACTOR, m, FACTOR, NBODY_NUMBERS, NBODY_NUMBERS);
	text_printf(g->to, "mul r%d%s, r%d, r%d\n", POWER, m, POWER, FACTOR);
	write_cut(g, POWER);
	for (unsigned k = 0; k < g->n; k++)
		text_printf(g->to, "mad r%d.xyz, r%u, r%d.%c, r%d\n", SUM, body_register(g, k), POWER, lane[k], SUM);
}

/* Writes instructions that multiply d of each body by its b, or by 0 beyond the cut-off radius, and d.d by its a. */
static void write_coefficients(const struct body_group *g)
{
	for (unsigned k = 0; k < g->n; k++)
		text_printf(g->to, "mov r%u.x, r0.w\nmov r%u.y, r%u.w\n", LOOKED_UP + g->first + k, LOOKED_UP + g->first + k, body_register(g, k));
	for (unsigned k = 0; k < g->n; k++)
		text_printf(g->to, "texld r%u, r%u, s2\n", LOOKED_UP + g->first + k, LOOKED_UP + g->first + k);
	for (unsigned k = 0; k < g->n; k++)
		text_printf(g->to, "mul r%u.xyz, r%u, r%u.y\n", body_register(g, k), body_register(g, k), LOOKED_UP + g->first + k);
	for (unsigned k = 0; k < g->n && g->cut; k++)
		text_printf(g->to, "cmp r%u.xyz, r%d.%c, r%u, c%d.y\n", body_register(g, k), WITHIN, lane[k], body_register(g, k), NBODY_MORE_NUMBERS);
	for (unsigned k = 0; k < g->n; k++)
		text_printf(g->to, "mul r%d.%c, r%d.%c, r%u.x\n", TABLE_DISTANCE, lane[k], TABLE_DISTANCE, lane[k], LOOKED_UP + g->first + k);
}

/* Writes instructions that add d b g(a d.d) of each body to the sum.  They read the table's entry before the place, at the centre of its texel,
 * and interpolate, since samplers interpolate texels in few bits. */
static void write_table_force(const struct body_group *g)
{
	const char *m = masks[g->n];
	write_coefficients(g);
	text_printf(g->to, "mad_sat r%d%s, r%d, c%d.x, c%d.y\n", TABLE_DISTANCE, m, TABLE_DISTANCE, NBODY_TABLE_NUMBERS, NBODY_TABLE_NUMBERS);
	text_printf(g->to, "mul r%d%s, r%d, c%d.w\n", TABLE_DISTANCE, m, TABLE_DISTANCE, NBODY_MORE_NUMBERS);
	text_printf(g->to, "frc r%d%s, r%d\nadd r%d%s, r%d, -r%d\n", FRACTION, m, TABLE_DISTANCE, TABLE_DISTANCE, m, TABLE_DISTANCE, FRACTION);
	text_printf(g->to, "mad r%d%s, r%d, c%d.x, c%d.z\n", TABLE_DISTANCE, m, TABLE_DISTANCE, NBODY_MORE_NUMBERS, NBODY_MORE_NUMBERS);
	for (unsigned k = 0; k < g->n; k++)
		text_printf(g->to, "mov r%u.xy, r%d.%c\n", LOOKED_UP + g->first + k, TABLE_DISTANCE, lane[k]);
	for (unsigned k = 0; k < g->n; k++)
		text_printf(g->to, "texld r%u, r%u, s3\n", LOOKED_UP + g->first + k, LOOKED_UP + g->first + k);
	for (unsigned k = 0; k < g->n; k++)
		text_printf(g->to, "mad r%u.x, r%u.y, r%d.%c, r%u.x\n", LOOKED_UP + g->first + k, LOOKED_UP + g->first + k, FRACTION, lane[k],
		            LOOKED_UP + g->first + k);
	for (unsigned k = 0; k < g->n; k++)
		text_printf(g->to, "mad r%d.xyz, r%u, r%u.x, r%d\n", SUM, body_register(g, k), LOOKED_UP + g->first + k, SUM);
}

static void write_group(const struct nbody *s, const struct body_group *g)
{
	write_distances(g);
	write_within(g);
	switch (s->law->shape) {
	case NBODY_INVERSE_SQUARE: write_inverse_square(g); break;
	case NBODY_LENNARD_JONES: write_lennard_jones(g); break;
	case NBODY_TABLE: write_table_force(g); break;
	}
}

static const char *write_force_program(struct arena *a, const struct nbody *s)
{
	bool const table = s->law->shape == NBODY_TABLE;
	struct text t = {.arena = a};
	text_printf(&t, "ps_2_0\ndcl t0.xy\ndcl_2d s0\ndcl_2d s1\n%stexld r0, t0, s0\ntexld r1, t0, s1\n", table ? "dcl_2d s2\ndcl_2d s3\n" : "");
	for (unsigned first = 0; first < s->bodies; first += GROUP) {
		unsigned const left = s->bodies - first;
		write_group(s, &(struct body_group){.to = &t, .first = first, .n = left < GROUP ? left : GROUP, .cut = isfinite(s->cutoff2),
		                                    .distance = table ? TABLE_DISTANCE : DISTANCE});
	}
	text_string(&t, "mov oC0, r1\n");
	return t.at;
}

const char *nbody_open_force(struct lab *lab, struct nbody *s)
{
	unsigned const wanted = lab->wanted->number[NBODY_BODIES];
	bool const cut = isfinite(s->cutoff2);
	unsigned const most = s->law->most[cut];
	s->bodies = wanted ? wanted : most;
	s->in_line = s->bodies == 4 && s->law->shape == NBODY_INVERSE_SQUARE && !cut;
	if (s->bodies > most)
		return arena_printf(lab->arena, "a pass of this force%s holds %u bodies at most", cut ? " with a cut-off radius" : "", most);
	if (s->in_line)
		return kernel_open(lab, "nbody4", &s->force);
	const char *name = arena_printf(lab->arena, "%s%u%s", s->law->kernel, s->bodies, cut ? "_cut" : "");
	if (s->bodies == NBODY_MOST_BODIES && !cut)
		return kernel_open(lab, name, &s->force);
	return kernel_from_pixel_text(lab, name, write_force_program(lab->arena, s), &s->force);
}

/* Computes the texture coordinates of the centre of a body's texel. */
static void coordinates_of(const struct nbody *s, size_t body, float to[2])
{
	to[0] = ((float)(body % s->width) + 0.5f) / (float)s->width;
	to[1] = ((float)(body / s->width) + 0.5f) / (float)s->lines;
}

static void set_table_numbers(struct nbody *s)
{
	const struct force_table *t = &s->table;
	double const range = t->last - t->first;
	kernel_set(&s->force, STAGE_PIXEL, NBODY_MORE_NUMBERS, 1 / (float)t->n, 0, 0.5f / (float)t->n, (float)(t->n - 1));
	kernel_set(&s->force, STAGE_PIXEL, NBODY_TABLE_NUMBERS, (float)(1 / range), (float)(-t->first / range), 0, 0);
}

void nbody_set_numbers(struct nbody *s)
{
	if (s->in_line)
		kernel_set(&s->force, STAGE_PIXEL, 1, (float)s->softening2, 0, 0, 0);
	else
		kernel_set(&s->force, STAGE_PIXEL, NBODY_NUMBERS, (float)s->softening2, 24, -48, isfinite(s->cutoff2) ? (float)s->cutoff2 : 0);
	if (s->law->shape == NBODY_TABLE)
		set_table_numbers(s);
	else if (isfinite(s->cutoff2))
		kernel_set(&s->force, STAGE_PIXEL, NBODY_MORE_NUMBERS, 0, 0, 0, 0);
}

/* Free places of the last pass point to the filler in the last texel.  nbody4 reads four texels of a line, some of which may be fillers. */
void nbody_set_bodies(struct nbody *s, unsigned pass)
{
	float at[2];
	for (unsigned k = 0; k < s->bodies; k++) {
		size_t const body = (size_t)pass * s->bodies + k;
		coordinates_of(s, body < s->n || s->in_line ? body : nbody_texels(s) - 1, at);
		if (k == 0 || !s->in_line)
			kernel_set(&s->force, STAGE_PIXEL, k, at[0], at[1], s->in_line ? 1 / (float)s->width : 0, 0);
	}
}

void nbody_input_table(struct lab *lab, struct nbody *s)
{
	const struct force_table *t = &s->table;
	unsigned const side = t->kinds + 1;
	float *pairs = arena_zero(lab->arena, sizeof(float[LANES]) * side * side), *g = arena_zero(lab->arena, sizeof(float[LANES]) * t->n);
	for (unsigned k = 0; k < side * side; k++) {
		pairs[k * LANES] = t->a[k / side][k % side];
		pairs[k * LANES + 1] = t->b[k / side][k % side];
	}
	for (unsigned k = 0; k < t->n; k++) {
		g[k * LANES] = t->g[k];
		g[k * LANES + 1] = k + 1 < t->n ? t->g[k + 1] - t->g[k] : 0;
	}
	lab_input(lab, &s->pairs, NULL, pairs);
	lab_input(lab, &s->g, NULL, g);
}
