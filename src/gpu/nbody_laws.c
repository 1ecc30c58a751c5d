/* The forces of the workload nbody, and the bodies with which it begins. */
#include "gpu/nbody.h"

#include <math.h>

static double inverse_square(const struct nbody *s, const double *one, const double *other, double r2)
{
	(void)s, (void)one, (void)other;
	return 1 / (r2 * sqrt(r2));
}

static double attraction(const struct nbody *s, const double *one, const double *other, double r2)
{
	(void)s, (void)one, (void)other;
	return -1 / sqrt(r2);
}

static double repulsion(const struct nbody *s, const double *one, const double *other, double r2)
{
	(void)s, (void)one, (void)other;
	return 1 / sqrt(r2);
}

/* Returns the factor of the Lennard-Jones force, for lengths in sigma and energies in epsilon. */
static double lennard_jones(const struct nbody *s, const double *one, const double *other, double r2)
{
	(void)s, (void)one, (void)other;
	double const q = 1 / r2, q3 = q * q * q;
	return q3 * q * (24 - 48 * q3);
}

static double lennard_jones_size(const struct nbody *s, const double *one, const double *other, double r2)
{
	(void)s, (void)one, (void)other;
	double const q = 1 / r2, q3 = q * q * q;
	return q3 * q * (24 + 48 * q3);
}

static double lennard_jones_potential(const struct nbody *s, const double *one, const double *other, double r2)
{
	(void)s, (void)one, (void)other;
	double const q = 1 / r2, q3 = q * q * q;
	return 4 * q3 * (q3 - 1);
}

/* a and b of a pair of kinds, see struct force_table. */
struct coefficients {
	double a, b;
};

static struct coefficients coefficients_of(const struct nbody *s, const double *one, const double *other)
{
	unsigned const i = nbody_kind(s, one[NBODY_WEIGHT]), j = nbody_kind(s, other[NBODY_WEIGHT]);
	return (struct coefficients){(double)s->table.a[i][j], (double)s->table.b[i][j]};
}

static double table_pull(const struct nbody *s, const double *one, const double *other, double r2)
{
	struct coefficients const c = coefficients_of(s, one, other);
	return c.b * force_table_at(&s->table, c.a * r2);
}

static double table_size(const struct nbody *s, const double *one, const double *other, double r2)
{
	struct coefficients const c = coefficients_of(s, one, other);
	return c.b * force_table_size(&s->table, c.a * r2);
}

/* Returns the potential of a force by table.  It is half the integral, as the gradient of r^2 is 2 r. */
static double table_potential(const struct nbody *s, const double *one, const double *other, double r2)
{
	struct coefficients const c = coefficients_of(s, one, other);
	return c.b / (2 * c.a) * force_table_integral(&s->table, c.a * r2);
}

/* Picks a point of a sphere at random, each with equal probability. */
static void on_sphere(uint64_t *seed, double radius, float to[3])
{
	double const z = 2 * random_unit(seed) - 1, angle = 6.283185307179586 * random_unit(seed), r = sqrt(1 - z * z);
	to[0] = (float)(radius * r * cos(angle));
	to[1] = (float)(radius * r * sin(angle));
	to[2] = (float)(radius * z);
}

/* Returns a random speed as a share of the escape speed, by rejection sampling of a Plummer sphere's q^2 (1 - q^2)^(7/2). */
static double plummer_speed(uint64_t *seed)
{
	for (;;) {
		double const q = random_unit(seed);
		if (0.1 * random_unit(seed) < q * q * pow(1 - q * q, 3.5))
			return q;
	}
}

/* Places a Plummer sphere in equilibrium of mass 1 and scale 1, cut off at radius 10. */
static void place_stars(const struct nbody *s, uint64_t seed, float *bodies)
{
	for (unsigned k = 0; k < s->n; k++, bodies += NBODY_OF_FILE) {
		double const radius = fmin(10, 1 / sqrt(pow(random_unit(&seed) + 1e-9, -2.0 / 3) - 1));
		on_sphere(&seed, radius, bodies);
		bodies[NBODY_WEIGHT] = 1 / (float)s->n;
		on_sphere(&seed, plummer_speed(&seed) * sqrt(2) * pow(1 + radius * radius, -0.25), bodies + LANES);
		bodies[LANES + 3] = 0;
	}
}

/* Places charges at rest in a ball of radius 1, positive and negative ones in turn. */
static void place_charges(const struct nbody *s, uint64_t seed, float *bodies)
{
	float const charge = 1 / sqrtf((float)s->n);
	for (unsigned k = 0; k < s->n; k++, bodies += NBODY_OF_FILE) {
		memset(bodies, 0, NBODY_OF_FILE * sizeof *bodies);
		on_sphere(&seed, cbrt(random_unit(&seed)), bodies);
		bodies[NBODY_WEIGHT] = k % 2 ? -charge : charge;
	}
}

/* Places a cubic crystal, a little shaken, whose neighbours have the distance at which they neither pull nor push. */
static void place_atoms(const struct nbody *s, uint64_t seed, float *bodies)
{
	unsigned const side = (unsigned)ceil(cbrt(s->n) - 1e-9);
	for (unsigned k = 0; k < s->n; k++, bodies += NBODY_OF_FILE) {
		unsigned const cell[3] = {k % side, k / side % side, k / side / side};
		on_sphere(&seed, random_unit(&seed), bodies + LANES);
		for (unsigned l = 0; l < 3; l++)
			bodies[l] = (float)((cell[l] - (side - 1) / 2.0 + 0.05 * random_unit(&seed)) * 1.122462048309373);
		bodies[NBODY_WEIGHT] = 1;
		bodies[LANES + 3] = 0;
	}
}

/* Places the crystal of place_atoms, with bodies of all kinds in turn. */
static void place_kinds(const struct nbody *s, uint64_t seed, float *bodies)
{
	place_atoms(s, seed, bodies);
	for (unsigned k = 0; k < s->n; k++)
		bodies[k * NBODY_OF_FILE + NBODY_WEIGHT] = (float)(1 + k % s->table.kinds);
}

const struct workload_form nbody_forms[] = {
	{"gravity", "stars, a Plummer sphere in equilibrium"},
	{"coulomb", "a ball of charges of both signs, at rest"},
	{"lennard-jones", "atoms of a crystal, a little shaken"},
	{"table", "bodies of some kinds, by the table of --force; without it by exp(-r^2)"},
	{.name = NULL}};
const struct nbody_law nbody_laws[] = {
	{.kernel = "nbody", .shape = NBODY_INVERSE_SQUARE, .most = {9, 8}, .own_plain = 1, .rate = 128, .softening = 1, .weighted = true,
	 .pull = inverse_square, .size = inverse_square, .potential = attraction, .place = place_stars},
	{.kernel = "nbody", .shape = NBODY_INVERSE_SQUARE, .most = {9, 8}, .own_weight = -1, .rate = 256, .softening = 1, .weighted = true,
	 .pull = inverse_square, .size = inverse_square, .potential = repulsion, .place = place_charges},
	{.kernel = "lennard_jones", .shape = NBODY_LENNARD_JONES, .most = {9, 7}, .own_plain = 1, .rate = 256, .softening = 3,
	 .pull = lennard_jones, .size = lennard_jones_size, .potential = lennard_jones_potential, .place = place_atoms},
	{.kernel = "table", .shape = NBODY_TABLE, .most = {4, 4}, .own_plain = 1, .rate = 128, .softening = 1,
	 .pull = table_pull, .size = table_size, .potential = table_potential, .place = place_kinds},
};
