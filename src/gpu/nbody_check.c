/* Checks nbody against the same bodies in double, see nbody.h. */
#include "gpu/nbody.h"

#include <float.h>
#include <math.h>

/* The most pairs of bodies that the CPU visits within a second or two, for the energy and for paths. */
enum { MOST_ENERGY = 1 << 28, MOST_FOLLOWED = 1 << 27 };
/* Paths of the GPU may deviate by so many times the deviation that similar roundings cause on the CPU. */
enum { ROUNDINGS = 16 };
/* Added to the tolerance of pulls and roundings; a filler (a body for free places of a pass) pulls by less than this. */
static const double unfelt = 1e-20;

/* ---- on the CPU -------------------------------------------------------------------------------- */

/* The positions, velocities and pulls of all bodies in double. */
struct path {
	double *position, *velocity, *pull; /* each four numbers for each body */
};

static struct path path_from(struct arena *a, const struct nbody *s, float *const bodies[2])
{
	struct path p;
	size_t const n = (size_t)s->n * LANES;
	p.position = arena_alloc(a, n * sizeof(double));
	p.velocity = arena_alloc(a, n * sizeof(double));
	p.pull = arena_alloc(a, n * sizeof(double));
	for (size_t k = 0; k < n; k++) {
		p.position[k] = (double)bodies[0][k];
		p.velocity[k] = (double)bodies[1][k];
	}
	return p;
}

static double weight_of(const struct nbody *s, const double *body)
{
	return s->law->weighted ? body[NBODY_WEIGHT] : 1;
}

static double square(const double v[3])
{
	return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

/* Computes d = b - a and returns its softened square. */
static double distance2(const struct nbody *s, const double *a, const double *b, double d[3])
{
	for (unsigned l = 0; l < 3; l++)
		d[l] = b[l] - a[l];
	return square(d) + s->softening2;
}

/* Returns the pull of two bodies at a softened square of their distance.  If `rounded`, bodies next to the cut-off radius count as on its
 * other side. */
static double pull_at(const struct nbody *s, const double *a, const double *b, double r2, bool rounded)
{
	bool const near = fabs(r2 - s->cutoff2) < nbody_edge * r2;
	return (r2 <= s->cutoff2) == (rounded && near) ? 0 : s->law->pull(s, a, b, r2);
}

/* Returns the potential of two bodies without their weights, shifted to be 0 at the cut-off radius; beyond that it is 0. */
static double potential_at(const struct nbody *s, const double *a, const double *b, double r2)
{
	if (r2 > s->cutoff2)
		return 0;
	return s->law->potential(s, a, b, r2) - (isfinite(s->cutoff2) ? s->law->potential(s, a, b, s->cutoff2) : 0);
}

static void pull_each_other(const struct nbody *s, const struct path *p, bool rounded)
{
	memset(p->pull, 0, (size_t)s->n * LANES * sizeof(double));
	for (size_t i = 0; i < s->n; i++) {
		const double *a = p->position + i * LANES;
		double *pull_a = p->pull + i * LANES, weight_a = weight_of(s, a), d[3];
		for (size_t j = i + 1; j < s->n; j++) {
			const double *b = p->position + j * LANES;
			double const pull = pull_at(s, a, b, distance2(s, a, b, d), rounded), weight_b = weight_of(s, b);
			for (unsigned l = 0; l < 3; l++) {
				pull_a[l] += weight_b * pull * d[l];
				p->pull[j * LANES + l] -= weight_a * pull * d[l];
			}
		}
	}
}

/* Returns the number, rounded to a float as textures do if `rounded`. */
static double rounded_to_float(bool rounded, double x)
{
	return rounded ? (double)(float)x : x;
}

/* Advances velocities by the time `kick` and positions by the time `drift`.  If `rounded`, pulls are off by 2^-20, as sums of many terms
 * are in single precision; close encounters amplify that. */
static void leap_in_double(const struct nbody *s, const struct path *p, double kick, double drift, bool rounded)
{
	double const off = rounded ? 1 + 1 / 1048576.0 : 1;
	for (size_t b = 0; b < (size_t)s->n * LANES; b += LANES) {
		double const factor = off * kick * (s->law->own_plain + s->law->own_weight * p->position[b + NBODY_WEIGHT]);
		for (unsigned l = 0; l < 3; l++) {
			p->velocity[b + l] = rounded_to_float(rounded, p->velocity[b + l] + factor * p->pull[b + l]);
			p->position[b + l] = rounded_to_float(rounded, p->position[b + l] + drift * p->velocity[b + l]);
		}
	}
}

/* Computes all time steps in double; if `rounded`, with the errors of pull_at and leap_in_double. */
static void follow_bodies(const struct nbody *s, const struct path *p, bool rounded)
{
	double const step = s->step;
	unsigned const steps = s->steps;
	for (unsigned k = 0; k <= steps; k++) {
		pull_each_other(s, p, rounded);
		leap_in_double(s, p, k == 0 || k == steps ? step / 2 : step, k == steps ? 0 : step, rounded);
	}
}

/* Returns the largest distance between a body of a and the same body of b. */
static double largest_distance(const struct nbody *s, const double *a, const double *b)
{
	struct finding f = {.error = 0};
	for (size_t k = 0; k < (size_t)s->n * LANES; k += LANES)
		finding_add(&f, square((double const[3]){a[k] - b[k], a[k + 1] - b[k + 1], a[k + 2] - b[k + 2]}));
	return sqrt(f.error);
}

/* Returns 2^-23 of the largest absolute value, which is one rounding of it as a float, plus `unfelt`. */
static double one_rounding(const struct nbody *s, const double *a)
{
	double most = 0;
	for (size_t k = 0; k < (size_t)s->n * LANES; k++)
		most = fmax(most, fabs(a[k]));
	return most / 8388608 + unfelt;
}

static double energy(const struct nbody *s, const struct path *p)
{
	double sum = 0, d[3];
	for (size_t i = 0; i < s->n; i++) {
		const double *a = p->position + i * LANES, *v = p->velocity + i * LANES;
		double const mass = s->law->own_weight == 0 ? weight_of(s, a) : 1;
		sum += mass * square(v) / 2;
		for (const double *b = a + LANES; b < p->position + (size_t)s->n * LANES; b += LANES)
			sum += weight_of(s, a) * weight_of(s, b) * potential_at(s, a, b, distance2(s, a, b, d));
	}
	return sum;
}

/* ---- the check --------------------------------------------------------------------------------- */

/* The right digits of pulls, -log10 of the relative errors: their sum over bodies, and the least. */
struct digits {
	double sum, least;
};

/* Compares the pull on a body with the pull in double.  The limit: about ten operations of a term err by at most 2^-23 each; the reciprocal
 * or root among them may err by two such units and is raised at most to the seventh power; that makes 48 in all.  The roundings of a sum of
 * n terms are as likely up as down, and so add up to sqrt(n).  A body at the cut-off radius may pull or not. */
static void compare_force(const struct nbody *s, const struct path *p, size_t body, struct finding *f, struct digits *right)
{
	const double *a = p->position + body * LANES;
	double sum[3] = {0}, size = 0, edge = 0, d[3];
	for (size_t j = 0; j < s->n; j++) {
		const double *b = p->position + j * LANES;
		double const r2 = distance2(s, a, b, d), weight = weight_of(s, b);
		if (j == body)
			continue;
		for (unsigned l = 0; l < 3; l++)
			sum[l] += weight * pull_at(s, a, b, r2, false) * d[l];
		double const force = fabs(weight * s->law->pull(s, a, b, r2)) * sqrt(square(d));
		edge += fabs(r2 - s->cutoff2) < nbody_edge * r2 ? force : 0;
		size += r2 > s->cutoff2 ? 0 : fabs(weight * s->law->size(s, a, b, r2)) * sqrt(square(d));
	}
	for (unsigned l = 0; l < 3; l++)
		d[l] = (double)s->sum[body * LANES + l] - sum[l];
	double const error = sqrt(square(d)), relative = error / (sqrt(square(sum)) + unfelt);
	double const digits = isfinite(relative) ? fmax(0, -log10(fmax(relative, 1e-9))) : 0;
	finding_add(f, error / (size * (48 + sqrt(s->n)) / 8388608 + edge + unfelt));
	right->sum += digits;
	right->least = fmin(right->least, digits);
}

static void check_force(const struct lab *lab, const struct nbody *s, const struct path *end, struct finding *f, struct text *more)
{
	enum { MOST_PAIRS = 1 << 24 };
	struct digits right = {.least = (double)INFINITY};
	struct sample sample = workload_sample(lab, s->n, MOST_PAIRS / s->n);
	for (size_t k = 0; k < sample.n; k++)
		compare_force(s, end, sample_at(&sample, k), f, &right);
	text_printf(more, "  Of a force %.2f digits are right (the mean of %zu bodies; 5.8 to 6.5 in the literature), %.2f at worst.\n",
	            right.sum / (double)sample.n, sample.n, right.least);
}

static double relative_change(double from, double to)
{
	return (to - from) / fmax(fabs(from), DBL_MIN);
}

/* Checks the paths of all bodies.  Follows them in double, once exactly and once with roundings, to see how far roundings alone take them. */
static void check_path(struct arena *a, const struct nbody *s, const struct path *end, struct finding *f, struct text *more)
{
	struct path exact = path_from(a, s, s->start), rounded = path_from(a, s, s->start);
	double const before = energy(s, &exact);
	follow_bodies(s, &exact, false);
	follow_bodies(s, &rounded, true);
	double const place = largest_distance(s, exact.position, end->position), rounded_place = largest_distance(s, exact.position, rounded.position);
	double const speed = largest_distance(s, exact.velocity, end->velocity), rounded_speed = largest_distance(s, exact.velocity, rounded.velocity);
	finding_add(f, place / ((double)ROUNDINGS * rounded_place + one_rounding(s, exact.position)));
	finding_add(f, speed / ((double)ROUNDINGS * rounded_speed + one_rounding(s, exact.velocity)));
	text_printf(more, "  Bodies end at most %.2g from where they do in double; roundings alone bring about %.2g.\n"
	            "  In double, the energy changes by %.2g.\n", place, rounded_place, relative_change(before, energy(s, &exact)));
}

void nbody_check(struct lab *lab, struct finding *f)
{
	const struct nbody *s = lab->state;
	double const pairs = (double)s->n * s->n, followed = pairs * (s->steps + 1);
	struct text more = {.arena = lab->arena};
	struct path const end = path_from(lab->arena, s, s->end);
	*f = (struct finding){.what = "largest error as a share of what rounding explains", .most = 1};
	check_force(lab, s, &end, f, &more);
	if (pairs <= (double)MOST_ENERGY) {
		struct path const start = path_from(lab->arena, s, s->start);
		double const before = energy(s, &start), change = relative_change(before, energy(s, &end));
		text_printf(&more, "  The energy is %.7g and changes by %.2g of itself in %u steps.\n", before, change, s->steps);
	} else {
		text_printf(&more, "  The energy is not added up in double: %.3g pairs take too long.\n", pairs);
	}
	if (followed <= (double)MOST_FOLLOWED)
		check_path(lab->arena, s, &end, f, &more);
	else
		text_printf(&more, "  The bodies are not followed in double: %.3g pairs take too long.\n", followed);
	f->more = more.at;
}
