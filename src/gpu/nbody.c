/* nbody: bodies that all pull on each other move by the leapfrog method with one time step for all.  A texel is a body: x, y, z and
 * its mass or charge.  A force takes a pass for each nine bodies, as many as the slots of ps_2_0 hold; the sum so far goes from
 * pass to pass. */
#include "gpu/workload.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { BODIES = 9, LANE_WEIGHT = 3, OF_FILE = 8, SIDE_OF_PICTURE = 512 };
enum { SIZE, NSTEPS, SOFTENING };
/* Pairs of bodies that the CPU visits within a second or two; how much more than roundings of a like size those of the
 * programs may take paths apart. */
enum { MOST_ENERGY = 1 << 28, MOST_FOLLOWED = 1 << 27, ROUNDINGS = 16 };
/* A body that fills up a pass: it weighs nothing, and is so far away that atoms do not feel it: it pulls by less than that. */
static const float filler[LANES] = {1e4f, 1e4f, 1e4f, 0};
static const double unfelt = 1e-20;

/* The acceleration of a body is own_plain + own_weight w times the sum of `pull` over the other bodies, each times its weight w. */
struct law {
	const char *kernel;
	double own_plain, own_weight, step;
	unsigned softening;              /* the least, in thousandths, for which a body's pull on itself is a finite float times 0 */
	bool weighted;                   /* else all bodies pull alike */
	double (*pull)(double r2);       /* by the distance, of the difference of positions */
	double (*size)(double r2);       /* of the numbers that a pull is the difference of, which rounding goes by */
	double (*potential)(double r2);  /* of two bodies, but for their weights */
	void (*place)(struct lab *, const struct wanted *, float *bodies); /* eight floats each: position, weight, velocity, 0 */
};

struct nbody {
	struct wanted wanted;
	const struct law *law;
	unsigned n, width, lines;      /* bodies; lines of texels that hold them, and one more with a filler */
	double softening2;
	struct kernel force, leap;
	struct image position[2], velocity[2], pull[2], nothing;
	float *start[2], *end[2];      /* positions and velocities before and after, four floats a texel */
	float *sum;                    /* of pulls, at the end */
};

/* ---- the laws ------------------------------------------------------------------------------ */

static double inverse_square(double r2)
{
	return 1 / (r2 * sqrt(r2));
}

static double attraction(double r2)
{
	return -1 / sqrt(r2);
}

static double repulsion(double r2)
{
	return 1 / sqrt(r2);
}

/* Lengths in sigma, energies in epsilon. */
static double lennard_jones(double r2)
{
	double const q = 1 / r2, q3 = q * q * q;
	return q3 * q * (24 - 48 * q3);
}

static double lennard_jones_size(double r2)
{
	double const q = 1 / r2, q3 = q * q * q;
	return q3 * q * (24 + 48 * q3);
}

static double lennard_jones_potential(double r2)
{
	double const q = 1 / r2, q3 = q * q * q;
	return 4 * q3 * (q3 - 1);
}

/* A point that is anywhere on a sphere with equal odds. */
static void on_sphere(uint64_t *seed, double radius, float to[3])
{
	double const z = 2 * random_unit(seed) - 1, angle = 6.283185307179586 * random_unit(seed), r = sqrt(1 - z * z);
	to[0] = (float)(radius * r * cos(angle));
	to[1] = (float)(radius * r * sin(angle));
	to[2] = (float)(radius * z);
}

/* A speed in shares of that of escape, drawn from a Plummer sphere's q^2 (1 - q^2)^(7/2) by rejection. */
static double plummer_speed(uint64_t *seed)
{
	for (;;) {
		double const q = random_unit(seed);
		if (0.1 * random_unit(seed) < q * q * pow(1 - q * q, 3.5))
			return q;
	}
}

/* A Plummer sphere in equilibrium: mass 1, scale 1, cut at ten times that. */
static void place_stars(struct lab *lab, const struct wanted *wanted, float *bodies)
{
	uint64_t seed = wanted->seed;
	(void)lab;
	for (unsigned k = 0; k < wanted->number[SIZE]; k++, bodies += OF_FILE) {
		double const radius = fmin(10, 1 / sqrt(pow(random_unit(&seed) + 1e-9, -2.0 / 3) - 1));
		on_sphere(&seed, radius, bodies);
		bodies[LANE_WEIGHT] = 1 / (float)wanted->number[SIZE];
		on_sphere(&seed, plummer_speed(&seed) * sqrt(2) * pow(1 + radius * radius, -0.25), bodies + LANES);
		bodies[LANES + 3] = 0;
	}
}

/* A ball of as many charges of either sign, of radius 1, at rest. */
static void place_charges(struct lab *lab, const struct wanted *wanted, float *bodies)
{
	uint64_t seed = wanted->seed;
	float const charge = 1 / sqrtf((float)wanted->number[SIZE]);
	(void)lab;
	for (unsigned k = 0; k < wanted->number[SIZE]; k++, bodies += OF_FILE) {
		memset(bodies, 0, OF_FILE * sizeof *bodies);
		on_sphere(&seed, cbrt(random_unit(&seed)), bodies);
		bodies[LANE_WEIGHT] = k % 2 ? -charge : charge;
	}
}

/* A cubic crystal at the distance where neighbours neither pull nor push, a little shaken. */
static void place_atoms(struct lab *lab, const struct wanted *wanted, float *bodies)
{
	uint64_t seed = wanted->seed;
	unsigned const side = (unsigned)ceil(cbrt(wanted->number[SIZE]) - 1e-9);
	(void)lab;
	for (unsigned k = 0; k < wanted->number[SIZE]; k++, bodies += OF_FILE) {
		unsigned const cell[3] = {k % side, k / side % side, k / side / side};
		on_sphere(&seed, random_unit(&seed), bodies + LANES);
		for (unsigned l = 0; l < 3; l++)
			bodies[l] = (float)((cell[l] - (side - 1) / 2.0 + 0.05 * random_unit(&seed)) * 1.122462048309373);
		bodies[LANE_WEIGHT] = 1;
		bodies[LANES + 3] = 0;
	}
}

static const struct workload_form forms[] = {
	{"gravity", "stars, a Plummer sphere in equilibrium"},
	{"coulomb", "a ball of charges of both signs, at rest"},
	{"lennard-jones", "atoms of a crystal, a little shaken"},
	{.name = NULL}};
static const struct law laws[] = {
	{"nbody9", 1, 0, 1 / 128.0, 1, true, inverse_square, inverse_square, attraction, place_stars},
	{"nbody9", 0, -1, 1 / 256.0, 1, true, inverse_square, inverse_square, repulsion, place_charges},
	{"lennard_jones9", 1, 0, 1 / 256.0, 3, false, lennard_jones, lennard_jones_size, lennard_jones_potential, place_atoms},
};

/* ---- the input ------------------------------------------------------------------------------- */

static size_t texels_of(const struct nbody *s)
{
	return (size_t)s->width * s->lines;
}

static const char *make_bodies(struct lab *lab, struct nbody *s)
{
	float *bodies = arena_alloc(lab->arena, (size_t)s->n * OF_FILE * sizeof *bodies);
	const char *wrong = NULL;
	if (s->wanted.input)
		wrong = workload_floats(lab, s->wanted.input, (size_t)s->n * OF_FILE, bodies);
	else
		s->law->place(lab, &s->wanted, bodies);
	for (unsigned k = 0; k < 2; k++) {
		s->start[k] = arena_zero(lab->arena, texels_of(s) * sizeof(float[LANES]));
		s->end[k] = arena_zero(lab->arena, texels_of(s) * sizeof(float[LANES]));
		for (size_t b = 0; b < s->n; b++)
			memcpy(s->start[k] + b * LANES, bodies + b * OF_FILE + k * LANES, sizeof(float[LANES]));
	}
	for (size_t b = s->n; b < texels_of(s); b++)
		memcpy(s->start[0] + b * LANES, filler, sizeof filler);
	s->sum = arena_zero(lab->arena, texels_of(s) * sizeof(float[LANES]));
	return wrong;
}

static const char *open_nbody(struct lab *lab, const struct wanted *wanted, void **state)
{
	struct nbody *s = *state = arena_zero(lab->arena, sizeof *s);
	s->wanted = *wanted;
	s->law = &laws[workload_form_index(forms, wanted)];
	s->n = wanted->number[SIZE];
	s->width = (unsigned)ceil(sqrt(s->n));
	s->lines = (s->n + s->width - 1) / s->width + 1;
	s->softening2 = wanted->number[SOFTENING] * 1e-3 * wanted->number[SOFTENING] * 1e-3;
	const char *wrong = workload_fits(lab, s->lines);
	if (wanted->number[SOFTENING] < s->law->softening)
		wrong = arena_printf(lab->arena, "single precision asks for a softening of at least %u here", s->law->softening);
	wrong = wrong ? wrong : make_bodies(lab, s);
	wrong = wrong ? wrong : kernel_open(lab, s->law->kernel, &s->force);
	wrong = wrong ? wrong : kernel_open(lab, "leapfrog", &s->leap);
	struct image *const images[] = {s->position, s->position + 1, s->velocity, s->velocity + 1, s->pull, s->pull + 1};
	for (unsigned k = 0; k < 6 && !wrong; k++)
		wrong = image_make(images[k], (int)s->width, (int)s->lines, IMAGE_RGBA32F, IMAGE_CLAMP);
	wrong = wrong ? wrong : image_make(&s->nothing, 1, 1, IMAGE_RGBA32F, IMAGE_CLAMP);
	if (!wrong)
		kernel_set(&s->force, STAGE_PIXEL, BODIES, (float)s->softening2, 24, -48, 0);
	return wrong;
}

/* ---- on the GPU -------------------------------------------------------------------------------- */

static void upload(struct lab *lab, void *state)
{
	struct nbody *s = state;
	struct rect const last = {(int)s->width - 1, (int)s->lines - 1, 1, 1};
	pass_write(lab, &s->position[0], image_whole(&s->position[0]), s->start[0]);
	pass_write(lab, &s->velocity[0], image_whole(&s->velocity[0]), s->start[1]);
	pass_write(lab, &s->position[1], last, filler);
}

static struct rect lines_with_bodies(const struct nbody *s)
{
	return (struct rect){0, 0, (int)s->width, (int)s->lines - 1};
}

static unsigned passes_of_force(const struct nbody *s)
{
	return (s->n + BODIES - 1) / BODIES;
}

/* The last pass is filled up with the filler in the last texel. */
static void set_bodies(struct nbody *s, unsigned pass)
{
	for (unsigned k = 0; k < BODIES; k++) {
		size_t const body = pass * BODIES + k, at = body < s->n ? body : texels_of(s) - 1;
		kernel_set(&s->force, STAGE_PIXEL, k, ((float)(at % s->width) + 0.5f) / (float)s->width,
		           ((float)(at / s->width) + 0.5f) / (float)s->lines, 0, 0);
	}
}

/* What the pulls of all bodies on each add up to, in pull[0] or pull[1]. */
static const struct image *draw_force(struct lab *lab, struct nbody *s, const struct image *position)
{
	const struct image *sum = &s->nothing;
	for (unsigned k = 0; k < passes_of_force(s); k++) {
		struct pass const pass = {.kernel = &s->force, .texture = {position, sum}, .target = {&s->pull[k & 1]},
		                          .to = lines_with_bodies(s)};
		set_bodies(s, k);
		pass_draw(lab, &pass);
		sum = pass.target[0];
	}
	return sum;
}

/* Velocities go on by the time `kick`, positions by the time `drift`. */
static void draw_leap(struct lab *lab, struct nbody *s, unsigned from, double kick, double drift, const struct image *sum)
{
	struct pass const pass = {.kernel = &s->leap, .texture = {&s->velocity[from], sum, &s->position[from]},
	                          .target = {&s->velocity[!from], &s->position[!from]}, .to = lines_with_bodies(s)};
	kernel_set(&s->leap, STAGE_PIXEL, 0, (float)(kick * s->law->own_plain), (float)(kick * s->law->own_weight), (float)drift, 0);
	pass_draw(lab, &pass);
}

/* Velocities are half a step ahead of positions, but at the start and the end. */
static void compute(struct lab *lab, void *state)
{
	struct nbody *s = state;
	unsigned const steps = s->wanted.number[NSTEPS];
	for (unsigned k = 0; k <= steps; k++) {
		const struct image *sum = draw_force(lab, s, &s->position[k & 1]);
		draw_leap(lab, s, k & 1, k == 0 || k == steps ? s->law->step / 2 : s->law->step, k == steps ? 0 : s->law->step, sum);
	}
}

static void download(struct lab *lab, void *state)
{
	struct nbody *s = state;
	unsigned const last = !(s->wanted.number[NSTEPS] & 1);
	pass_read(lab, &s->position[last], lines_with_bodies(s), s->end[0]);
	pass_read(lab, &s->velocity[last], lines_with_bodies(s), s->end[1]);
	pass_read(lab, &s->pull[(passes_of_force(s) + 1) & 1], lines_with_bodies(s), s->sum);
}

/* ---- on the CPU -------------------------------------------------------------------------------- */

/* Bodies in double; also their pulls. */
struct path {
	double *position, *velocity, *pull; /* four a body */
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
	return s->law->weighted ? body[LANE_WEIGHT] : 1;
}

static double square(const double v[3])
{
	return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

/* d = b - a; the value is its square, softened. */
static double distance2(const struct nbody *s, const double *a, const double *b, double d[3])
{
	for (unsigned l = 0; l < 3; l++)
		d[l] = b[l] - a[l];
	return square(d) + s->softening2;
}

static void pull_each_other(const struct nbody *s, const struct path *p)
{
	memset(p->pull, 0, (size_t)s->n * LANES * sizeof(double));
	for (size_t i = 0; i < s->n; i++) {
		const double *a = p->position + i * LANES;
		double *pull_a = p->pull + i * LANES, weight_a = weight_of(s, a), d[3];
		for (size_t j = i + 1; j < s->n; j++) {
			const double *b = p->position + j * LANES;
			double const pull = s->law->pull(distance2(s, a, b, d)), weight_b = weight_of(s, b);
			for (unsigned l = 0; l < 3; l++) {
				pull_a[l] += weight_b * pull * d[l];
				p->pull[j * LANES + l] -= weight_a * pull * d[l];
			}
		}
	}
}

/* As textures keep a number, if `rounded`. */
static double kept(bool rounded, double x)
{
	return rounded ? (double)(float)x : x;
}

/* If `rounded`, pulls are off by 2^-20, as sums of many are in single precision: close encounters take that far. */
static void leap(const struct nbody *s, const struct path *p, double kick, double drift, bool rounded)
{
	double const off = rounded ? 1 + 1 / 1048576.0 : 1;
	for (size_t b = 0; b < (size_t)s->n * LANES; b += LANES) {
		double const factor = off * kick * (s->law->own_plain + s->law->own_weight * p->position[b + LANE_WEIGHT]);
		for (unsigned l = 0; l < 3; l++) {
			p->velocity[b + l] = kept(rounded, p->velocity[b + l] + factor * p->pull[b + l]);
			p->position[b + l] = kept(rounded, p->position[b + l] + drift * p->velocity[b + l]);
		}
	}
}

static void follow(const struct nbody *s, const struct path *p, bool rounded)
{
	double const step = s->law->step;
	unsigned const steps = s->wanted.number[NSTEPS];
	for (unsigned k = 0; k <= steps; k++) {
		pull_each_other(s, p);
		leap(s, p, k == 0 || k == steps ? step / 2 : step, k == steps ? 0 : step, rounded);
	}
}

/* The largest of the distances between a[k] and b[k]. */
static double apart(const struct nbody *s, const double *a, const double *b)
{
	struct finding f = {.error = 0};
	for (size_t k = 0; k < (size_t)s->n * LANES; k += LANES)
		finding_add(&f, square((double const[3]){a[k] - b[k], a[k + 1] - b[k + 1], a[k + 2] - b[k + 2]}));
	return sqrt(f.error);
}

/* Of the largest of the numbers, as floats. */
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
			sum += weight_of(s, a) * weight_of(s, b) * s->law->potential(distance2(s, a, b, d));
	}
	return sum;
}

/* ---- the check --------------------------------------------------------------------------------- */

/* -log10 of the relative errors of pulls: their sum over bodies, and the least. */
struct digits {
	double sum, least;
};

/* Some ten operations of a term err by 2^-23 each at most; the reciprocal or root among them may be two such units off, and is raised
 * to the seventh power at most: 48 in all.  Roundings of a sum of n terms in turn are as likely up as down, and add up as
 * sqrt(n) does. */
static void compare_force(const struct nbody *s, const struct path *p, size_t body, struct finding *f, struct digits *right)
{
	const double *a = p->position + body * LANES;
	double sum[3] = {0}, size = 0, d[3];
	for (size_t j = 0; j < s->n; j++) {
		const double *b = p->position + j * LANES;
		double const r2 = distance2(s, a, b, d), weight = weight_of(s, b);
		if (j == body)
			continue;
		for (unsigned l = 0; l < 3; l++)
			sum[l] += weight * s->law->pull(r2) * d[l];
		size += fabs(weight) * s->law->size(r2) * sqrt(square(d));
	}
	for (unsigned l = 0; l < 3; l++)
		d[l] = (double)s->sum[body * LANES + l] - sum[l];
	double const error = sqrt(square(d)), relative = error / (sqrt(square(sum)) + unfelt);
	double const digits = isfinite(relative) ? fmax(0, -log10(fmax(relative, 1e-9))) : 0;
	finding_add(f, error / (size * (48 + sqrt(s->n)) / 8388608 + unfelt));
	right->sum += digits;
	right->least = fmin(right->least, digits);
}

static void check_force(const struct nbody *s, const struct path *end, struct finding *f, struct text *more)
{
	enum { MOST_PAIRS = 1 << 24 };
	struct digits right = {.least = (double)INFINITY};
	struct sample sample = workload_sample(&s->wanted, s->n, MOST_PAIRS / s->n);
	for (size_t k = 0; k < sample.n; k++)
		compare_force(s, end, sample_at(&sample, k), f, &right);
	text_printf(more, "  Of a force %.2f digits are right (the mean of %zu bodies; 5.8 to 6.5 in the literature), %.2f at worst.\n",
	            right.sum / (double)sample.n, sample.n, right.least);
}

static double relative_change(double from, double to)
{
	return (to - from) / fmax(fabs(from), DBL_MIN);
}

/* The way of all bodies is followed in double, twice: once with roundings, to see how far those take it. */
static void check_path(struct arena *a, const struct nbody *s, const struct path *end, struct finding *f, struct text *more)
{
	struct path exact = path_from(a, s, s->start), rounded = path_from(a, s, s->start);
	double const before = energy(s, &exact);
	follow(s, &exact, false);
	follow(s, &rounded, true);
	double const place = apart(s, exact.position, end->position), rounded_place = apart(s, exact.position, rounded.position);
	double const speed = apart(s, exact.velocity, end->velocity), rounded_speed = apart(s, exact.velocity, rounded.velocity);
	finding_add(f, place / ((double)ROUNDINGS * rounded_place + one_rounding(s, exact.position)));
	finding_add(f, speed / ((double)ROUNDINGS * rounded_speed + one_rounding(s, exact.velocity)));
	text_printf(more, "  Bodies end at most %.2g from where they do in double; roundings alone bring about %.2g.\n"
	            "  In double, the energy changes by %.2g.\n", place, rounded_place, relative_change(before, energy(s, &exact)));
}

static void check(struct lab *lab, void *state, struct finding *f)
{
	const struct nbody *s = state;
	double const pairs = (double)s->n * s->n, followed = pairs * (s->wanted.number[NSTEPS] + 1);
	struct text more = {.arena = lab->arena};
	struct path const end = path_from(lab->arena, s, s->end);
	*f = (struct finding){.what = "largest error as a share of what rounding explains", .most = 1};
	check_force(s, &end, f, &more);
	if (pairs <= (double)MOST_ENERGY) {
		struct path const start = path_from(lab->arena, s, s->start);
		double const before = energy(s, &start), change = relative_change(before, energy(s, &end));
		text_printf(&more, "  The energy is %.7g and changes by %.2g of itself in %u steps.\n", before, change, s->wanted.number[NSTEPS]);
	} else {
		text_printf(&more, "  The energy is not added up in double: %.3g pairs take too long.\n", pairs);
	}
	if (followed <= (double)MOST_FOLLOWED)
		check_path(lab->arena, s, &end, f, &more);
	else
		text_printf(&more, "  The bodies are not followed in double: %.3g pairs take too long.\n", followed);
	f->more = more.at;
}

/* ---- the picture ------------------------------------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
	float const s = *(const float *)a, t = *(const float *)b;
	return (s > t) - (s < t);
}

/* Half the edge of a square, seen along z, in which nine tenths of the bodies lie with some room around them. */
static float half_width(struct arena *a, const struct nbody *s)
{
	float *far = arena_alloc(a, s->n * sizeof *far);
	for (size_t k = 0; k < s->n; k++)
		far[k] = fmaxf(fabsf(s->end[0][k * LANES]), fabsf(s->end[0][k * LANES + 1]));
	qsort(far, s->n, sizeof *far, by_size);
	return 1.2f * fmaxf(far[s->n * 9 / 10], 1e-6f);
}

/* Light that falls off as a Gaussian over a few pixels, and adds up. */
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

/* Along z.  Charges below zero are blue, the others warm. */
static void picture(struct lab *lab, void *state, struct picture *p)
{
	static const float warm[3] = {1, 0.75f, 0.45f}, cold[3] = {0.4f, 0.65f, 1};
	const struct nbody *s = state;
	picture_make(lab->arena, SIDE_OF_PICTURE, SIDE_OF_PICTURE, p);
	float const middle = SIDE_OF_PICTURE / 2, scale = middle / half_width(lab->arena, s), light = fminf(1, 30 / sqrtf((float)s->n));
	for (size_t k = 0; k < s->n; k++) {
		const float *at = s->end[0] + k * LANES;
		draw_dot(p, middle + scale * at[0], middle - scale * at[1], at[LANE_WEIGHT] < 0 ? cold : warm, light);
	}
}

static void close_nbody(struct lab *lab, void *state)
{
	struct nbody *s = state;
	(void)lab;
	kernel_close(&s->force);
	kernel_close(&s->leap);
	image_delete(&s->nothing);
	for (unsigned k = 0; k < 2; k++) {
		image_delete(&s->position[k]);
		image_delete(&s->velocity[k]);
		image_delete(&s->pull[k]);
	}
}

/* 38 for a pair of bodies, as is usual for this sum. */
static double operations(const void *state)
{
	const struct nbody *s = state;
	return 38.0 * s->n * s->n * (s->wanted.number[NSTEPS] + 1);
}

/* A body reads nine, itself and the sum in each pass of a force, and writes the sum; a leap reads three texels and writes two. */
static double traffic(const void *state)
{
	const struct nbody *s = state;
	double const texels = ((double)BODIES + 3.0) * passes_of_force(s) + 5;
	return texels * image_formats[IMAGE_RGBA32F].bytes * s->n * (s->wanted.number[NSTEPS] + 1);
}

static const struct parameter parameters[] = {
	{"size", "bodies", 16, 65536, 1024},
	{"steps", "time steps", 1, 100000, 100},
	{"softening", "softening length in thousandths", 1, 10000, 50},
	{.name = NULL}};

const struct workload nbody_workload = {
	.name = "nbody", .summary = "bodies that all pull on each other, by the leapfrog method", .forms = forms,
	.parameters = parameters, .open = open_nbody, .upload = upload, .compute = compute, .download = download, .check = check,
	.picture = picture, .close = close_nbody, .operations = operations, .traffic = traffic,
};
