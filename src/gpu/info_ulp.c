/* Measures errors of arithmetic in units of the last place, see info.h. */
#include "gpu/info.h"

#include "gpu/deed.h"
#include "gpu/picture.h"

#include <math.h>

/* A floating-point format. */
struct precision {
	int bits;        /* bits of the mantissa behind the point */
	int least, most; /* exponents of the smallest and of the largest normal numbers */
};

static const struct precision half = {10, -14, 15}, single = {23, -126, 127};

enum { OPERANDS = 3 };

struct operation {
	const char *name;
	const char *instructions; /* code that computes r3 from r0, r1 and r2 */
	double (*exact)(const double operand[OPERANDS]);
	double (*before)(const double operand[OPERANDS]); /* an intermediate result, which must be normal in single precision; NULL if there is none */
	bool positive;            /* operands are positive; else they have both signs */
	unsigned operands;
	bool sum;                 /* true if the second operand's exponent is near the first's; else it makes the result's exponent random */
};

static double exact_rcp(const double *x) { return 1 / x[0]; }
static double exact_rcp_second(const double *x) { return 1 / x[1]; }
static double exact_rsq(const double *x) { return 1 / sqrt(x[0]); }
static double exact_divide(const double *x) { return x[0] / x[1]; }
static double exact_mul(const double *x) { return x[0] * x[1]; }
static double exact_add(const double *x) { return x[0] + x[1]; }
static double exact_mad(const double *x) { return x[0] * x[1] + x[2]; }

#define SCALARS(op) op " r3.x, r0.x\n" op " r3.y, r0.y\n" op " r3.z, r0.z\n" op " r3.w, r0.w\n"
#define RCP_OF_R1 "rcp r3.x, r1.x\nrcp r3.y, r1.y\nrcp r3.z, r1.z\nrcp r3.w, r1.w\n"

static const struct operation operations[] = {
	{"rcp", SCALARS("rcp"), exact_rcp, .operands = 1},
	{"rsq", SCALARS("rsq"), exact_rsq, .positive = true, .operands = 1},
	{"rcp, mul", RCP_OF_R1 "mul r3, r3, r0\n", exact_divide, exact_rcp_second, .operands = 2},
	{"mul", "mul r3, r0, r1\n", exact_mul, .operands = 2},
	{"add", "add r3, r0, r1\n", exact_add, .operands = 2, .sum = true},
	{"mad", "mad r3, r0, r1, r2\n", exact_mad, exact_mul, .positive = true, .operands = 3},
};
enum { OPERATIONS = sizeof operations / sizeof *operations };

struct trials {
	struct lab lab;
	int edge;
	enum image_format format;
	struct precision precision;
	struct image from[OPERANDS], to;
	float *operand[OPERANDS], *result;
	size_t n;
};

/* The errors of an operation. */
struct errors {
	double largest, at[OPERANDS]; /* the largest error in ulp, and its operands */
	size_t n, rounded;            /* number of results that are normal numbers, and of those that are also rounded correctly */
};

/* ---- operands -------------------------------------------------------------------------- */

/* Returns a random number with this exponent; one in eight has a mantissa at an end of its range, where roundings carry. */
static double random_operand(const struct trials *t, uint64_t *seed, int exponent, bool positive)
{
	double const steps = ldexp(1, t->precision.bits), unit = random_unit(seed), kind = random_unit(seed);
	double const mantissa = kind < 0.0625 ? 0 : kind < 0.125 ? steps - 1 : floor(unit * steps);
	double const number = ldexp(1 + mantissa / steps, exponent);
	return positive || random_unit(seed) < 0.5 ? number : -number;
}

static int exponent_between(uint64_t *seed, int least, int most)
{
	return least + (int)floor(random_unit(seed) * (most - least + 1));
}

static int clamp_exponent(int value, int least, int most)
{
	return value < least ? least : value > most ? most : value;
}

/* Makes the operands.  The exponents of the first operand go through all binades in turn.  Those of the others are near it, or give the
 * result a random exponent. */
static void make_operands(struct trials *t, const struct operation *op, uint64_t *seed)
{
	struct precision const p = t->precision;
	int const binades = p.most - p.least + 1;
	for (size_t k = 0; k < t->n; k++) {
		int const first = p.least + (int)(k % (size_t)binades);
		int const wanted = exponent_between(seed, p.least, p.most - 1);
		int const near = clamp_exponent(first + exponent_between(seed, -p.bits - 2, p.bits + 2), p.least, p.most);
		int const other = op->exact == exact_divide ? first - wanted : wanted - first;
		int const third = clamp_exponent(wanted + exponent_between(seed, -p.bits - 2, p.bits + 2), p.least, p.most - 1);
		t->operand[0][k] = (float)random_operand(t, seed, first, op->positive);
		t->operand[1][k] = (float)random_operand(t, seed, op->sum ? near : clamp_exponent(other, p.least, p.most), op->positive);
		t->operand[2][k] = (float)random_operand(t, seed, third, op->positive);
	}
}

/* ---- results --------------------------------------------------------------------------- */

static const char *draw_operation(struct trials *t, const struct operation *op)
{
	struct kernel k;
	const char *fp = arena_printf(t->lab.arena,
	                              "ps_2_0\ndcl t0.xy\ndcl_2d s0\ndcl_2d s1\ndcl_2d s2\ntexld r0, t0, s0\ntexld r1, t0, s1\ntexld r2, t0, s2\n"
	                              "%smov oC0, r3\n", op->instructions);
	const char *wrong = kernel_from_pixel_text(&t->lab, op->name, fp, &k);
	if (!wrong) {
		for (unsigned o = 0; o < OPERANDS; o++)
			image_write(&t->from[o], image_whole(&t->from[o]), t->operand[o]);
		pass_draw(&t->lab, &(struct pass){.kernel = &k, .texture = {&t->from[0], &t->from[1], &t->from[2]}, .target = {&t->to}});
		image_read(&t->to, image_whole(&t->to), t->result);
	}
	kernel_close(&k);
	return wrong;
}

static bool is_normal(const struct precision *p, double x)
{
	return fabs(x) >= ldexp(1, p->least) && fabs(x) <= ldexp(2 - ldexp(1, -p->bits), p->most);
}

/* Compares results with exact ones, unless these, or intermediate results, are too small or too large for normal numbers. */
static void compare_with_exact(const struct trials *t, const struct operation *op, struct errors *e)
{
	struct precision const p = t->precision;
	for (size_t k = 0; k < t->n; k++) {
		double const x[OPERANDS] = {(double)t->operand[0][k], (double)t->operand[1][k], (double)t->operand[2][k]};
		double const exact = op->exact(x);
		int exponent;
		if (!is_normal(&p, exact) || (op->before && !is_normal(&single, op->before(x))))
			continue;
		frexp(exact, &exponent);
		double const found = fabs((double)t->result[k] - exact) / ldexp(1, exponent - 1 - p.bits);
		double const error = found >= 0 ? found : (double)INFINITY;
		e->n++;
		e->rounded += error <= 0.5;
		if (error <= e->largest)
			continue;
		e->largest = error;
		memcpy(e->at, x, sizeof x);
	}
}

static void print_errors(struct text *t, struct text *csv, const struct trials *of, const struct operation *op, const struct errors *e)
{
	double const rounded = e->n ? (double)e->rounded / (double)e->n : 0;
	text_printf(csv, "ulp,\"%s\",%s,%.4g,%.4f,%zu,\n", op->name, image_formats[of->format].name, e->largest, rounded, e->n);
	text_printf(t, "%-9s %10.4g %9.2f%% %9zu ", op->name, e->largest, 100 * rounded, e->n);
	for (unsigned k = 0; k < op->operands && e->largest > 0; k++)
		text_printf(t, " %.9g", e->at[k]);
	text_char(t, '\n');
}

/* ---- all ------------------------------------------------------------------------------- */

static const char *prepare_trials(struct trials *t)
{
	const char *wrong = image_make(&t->to, t->edge, t->edge, t->format, IMAGE_CLAMP);
	t->n = (size_t)t->edge * (size_t)t->edge * image_formats[t->format].channels;
	t->result = arena_alloc(t->lab.arena, t->n * sizeof(float));
	for (unsigned o = 0; o < OPERANDS && !wrong; o++) {
		t->operand[o] = arena_alloc(t->lab.arena, t->n * sizeof(float));
		wrong = image_make(&t->from[o], t->edge, t->edge, t->format, IMAGE_CLAMP);
	}
	return wrong;
}

const char *info_ulp(struct arena *a, const struct context *gpu, enum image_format format, struct text *text, struct text *csv)
{
	struct trials t = {.lab = {.arena = a, .gpu = gpu}, .edge = gpu->software ? 128 : 1024, .format = format,
	                   .precision = format == IMAGE_RGBA16F ? half : single};
	uint64_t seed = 1;
	const char *wrong = prepare_trials(&t);
	text_printf(text, "\nerrors of arithmetic in %s, in units of the last place\n%-9s %10s %10s %9s  %s\n", image_formats[format].name, "",
	            "largest", "rounded", "results", "largest at");
	for (unsigned k = 0; k < OPERATIONS && !wrong; k++) {
		struct errors e = {.largest = 0};
		make_operands(&t, &operations[k], &seed);
		wrong = draw_operation(&t, &operations[k]);
		compare_with_exact(&t, &operations[k], &e);
		print_errors(text, csv, &t, &operations[k], &e);
	}
	wrong = wrong ? wrong : context_error();
	image_delete(&t.to);
	for (unsigned o = 0; o < OPERANDS; o++)
		image_delete(&t.from[o]);
	return wrong;
}
