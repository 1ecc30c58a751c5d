/* fpmove-gpu info: prints the devices, and the limits of the one in use.  Measures errors of arithmetic (--ulp), and bandwidths of texture
 * reads (--bandwidth). */
#include "gpu/modes.h"

#include "cli/message.h"
#include "gpu/pass_timing.h"
#include "gpu/picture.h"
#include "gpu/stats.h"

#include <epoxy/gl.h>
#include <math.h>

/* ---- --ulp ------------------------------------------------------------------------------ */

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
	unsigned edge;
	enum image_format format;
	struct precision precision;
	struct image from[OPERANDS], to;
	struct kernel kernel[OPERATIONS];
	float *operand[OPERANDS], *result;
	size_t n;
};

struct errors {
	double largest, at[OPERANDS]; /* the largest error in ulp, and its operands */
	size_t n, rounded;            /* number of results that are normal numbers, and of those that are also rounded correctly */
};

/* ---- --ulp: operands -------------------------------------------------------------------------- */

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

/* ---- --ulp: results --------------------------------------------------------------------------- */

static const char *draw_operation(struct trials *t, const struct operation *op)
{
	struct kernel *k = &t->kernel[op - operations];
	const char *fp = arena_printf(t->lab.arena,
	                              "ps_2_0\ndcl t0.xy\ndcl_2d s0\ndcl_2d s1\ndcl_2d s2\ntexld r0, t0, s0\ntexld r1, t0, s1\ntexld r2, t0, s2\n"
	                              "%smov oC0, r3\n", op->instructions);
	const char *wrong = kernel_from_pixel_text(&t->lab, op->name, fp, k);
	if (wrong)
		return wrong;
	lab_upload(&t->lab);
	pass_draw(&t->lab, &(struct pass){.kernel = k, .texture = {&t->from[0], &t->from[1], &t->from[2]}, .target = {&t->to}});
	lab_download(&t->lab);
	return NULL;
}

static bool is_normal(const struct precision *p, double x)
{
	return fabs(x) >= ldexp(1, p->least) && fabs(x) <= ldexp(2 - ldexp(1, -p->bits), p->most);
}

/* Adds the errors of the results to *e, except where the exact or an intermediate result is too small or too large for a normal number. */
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

/* ---- --ulp: the table ------------------------------------------------------------------------- */

static const char *prepare_trials(struct trials *t)
{
	const char *wrong = lab_image(&t->lab, &t->to, t->edge, t->edge, t->format, IMAGE_CLAMP);
	t->n = (size_t)t->edge * t->edge * image_formats[t->format].channels;
	t->result = arena_alloc(t->lab.arena, t->n * sizeof(float));
	lab_output(&t->lab, &t->to, NULL, t->result);
	for (unsigned o = 0; o < OPERANDS && !wrong; o++) {
		t->operand[o] = arena_alloc(t->lab.arena, t->n * sizeof(float));
		wrong = lab_image(&t->lab, &t->from[o], t->edge, t->edge, t->format, IMAGE_CLAMP);
		lab_input(&t->lab, &t->from[o], NULL, t->operand[o]);
	}
	return wrong;
}

/* Writes a table of the largest errors of some instructions, in units of the last place of the format, which must be one of floats.
 * Returns NULL, or one sentence on what is wrong. */
static const char *info_ulp(struct arena *a, const struct context *gpu, enum image_format format, struct text *text, struct text *csv)
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
	lab_close(&t.lab);
	return wrong;
}

/* ---- --bandwidth ------------------------------------------------------------------------ */

enum { POINTS = 5, FEWEST = 8, STRIDE = 16 };

/* A pattern of places that a pixel reads, in texture coordinates: its base, then base + c1, base + c2 ... */
struct pattern {
	const char *name, *what;
	const char *base; /* the instruction that puts the base into r11 */
	double scale;     /* value of c30, by which the base's instruction multiplies the pixel's own place */
	double step;      /* texels from a read to the next; below 0 if reads go to random places */
	bool down;        /* steps go along y, not along x */
	bool places;      /* the texture s1 holds the bases */
};

static const struct pattern patterns[] = {
	{"sequential", "a pixel reads its texel and those to the right of it", "mul r11.xy, t0, c30", 1, 1, .down = false},
	{"strided", "neighbouring pixels read 16 texels apart, then 16 lines on", "mul r11.xy, t0, c30", STRIDE, STRIDE, .down = true},
	{"random", "each read is at a place of its own", "texld r11, t0, s1", 0, -1, .places = true},
	{"same texel", "all pixels read one texel", "mul r11.xy, t0, c30", 0, 0, .down = false},
};
enum { PATTERNS = sizeof patterns / sizeof *patterns };

struct measuring {
	struct lab lab;
	unsigned edge;
	unsigned samples;
	struct image source, places, target;
	struct waker waker;
	struct kernel kernel[PATTERNS][POINTS];
};

/* ---- --bandwidth: programs -------------------------------------------------------------------------- */

static const char *open_reading_kernel(struct measuring *m, const struct pattern *p, unsigned reads, struct kernel *k)
{
	struct text t = {.arena = m->lab.arena};
	text_printf(&t, "ps_2_a\ndcl t0.xy\ndcl_2d s0\n%s%s\ntexld r0, r11, s0\n", p->places ? "dcl_2d s1\n" : "", p->base);
	add_texture_sum(&t, "r11", reads - 1);
	text_string(&t, "mov oC0, r0\n");
	return kernel_from_pixel_text(&m->lab, "reads", t.at, k);
}

/* Sets c30 (the factor of the pixel's place) and c1, c2 ... (the offsets: multiples of the step, or random ones).  A factor above 1, the
 * stride, is made a little larger, so that each time that the places go around the texture they move on by a texel, and all texels are
 * read. */
static void set_places(const struct measuring *m, const struct pattern *p, struct kernel *k)
{
	uint64_t seed = 1;
	float const texel = 1 / (float)m->edge;
	float const scale = (float)(p->scale > 1 ? p->scale + p->scale / m->edge : p->scale);
	kernel_set(k, STAGE_PIXEL, 30, scale, scale, 0, 0);
	for (unsigned n = 1; n < FEWEST + 2 * POINTS; n++) {
		float const along = p->step < 0 ? (float)random_unit(&seed) : (float)(n * p->step) * texel;
		float const across = p->step < 0 ? (float)random_unit(&seed) : 0;
		kernel_set(k, STAGE_PIXEL, n, p->down ? across : along, p->down ? along : across, 0, 0);
	}
}

/* ---- --bandwidth: measuring ------------------------------------------------------------------------- */

/* Returns the bandwidth in bytes per ns: the reciprocal slope of times over 8 to 16 reads, on which other costs of a pass have no effect.  Returns
 * 0 if the times do not rise with the reads, if *wrong is set, or after setting *wrong to a sentence. */
static double bandwidth_of(struct measuring *m, const struct pattern *p, const char **wrong)
{
	double bytes[POINTS], ns[POINTS];
	for (unsigned n = 0; n < POINTS && !*wrong; n++) {
		unsigned const reads = FEWEST + 2 * n;
		struct kernel *k = &m->kernel[p - patterns][n];
		*wrong = open_reading_kernel(m, p, reads, k);
		if (*wrong)
			break;
		set_places(m, p, k);
		bytes[n] = (double)reads * m->edge * m->edge * image_formats[m->source.format].bytes;
		ns[n] = pass_alone_ns(&m->lab, &(struct pass){.kernel = k, .texture = {&m->source, &m->places}, .target = {&m->target}}, NULL, m->samples);
	}
	double const slope = *wrong ? 0 : stats_slope(bytes, ns, POINTS);
	return slope > 0 ? 1 / slope : 0;
}

static const char *prepare_textures(struct measuring *m, enum image_format format)
{
	const float *texels = random_texels(&m->lab, (size_t)m->edge * m->edge * 4);
	const char *wrong = lab_image(&m->lab, &m->source, m->edge, m->edge, format, IMAGE_REPEAT);
	wrong = wrong ? wrong : lab_image(&m->lab, &m->places, m->edge, m->edge, IMAGE_RGBA32F, IMAGE_REPEAT);
	wrong = wrong ? wrong : lab_image(&m->lab, &m->target, m->edge, m->edge, format, IMAGE_CLAMP);
	lab_input(&m->lab, &m->source, NULL, texels);
	lab_input(&m->lab, &m->places, NULL, texels);
	if (wrong)
		return wrong;
	lab_upload(&m->lab);
	wrong = waker_open(&m->lab, &m->waker);
	if (!wrong)
		waker_wake(&m->waker);
	return wrong;
}

static void print_pattern(const struct pattern *p, enum image_format format, double found, double first, struct text *t, struct text *csv)
{
	text_printf(csv, "bandwidth,%s,%s,,,,", p->name, image_formats[format].name);
	if (found > 0) {
		text_printf(csv, "%.4g\n", found);
		text_printf(t, "%-12s %9.2f %11.3f", p->name, found, found / image_formats[format].bytes);
	} else {
		text_string(csv, "\n");
		text_printf(t, "%-12s %9s %11s", p->name, "unsteady", "");
	}
	if (found > 0 && first > 0)
		text_printf(t, " %8.3f  %s\n", found / first, p->what);
	else
		text_printf(t, " %8s  %s\n", "", p->what);
}

/* Writes a table of bytes per second for several patterns of places that neighbouring pixels read.  Returns NULL, or one sentence on what
 * is wrong. */
static const char *info_bandwidth(struct arena *a, const struct context *gpu, enum image_format format, struct text *t, struct text *csv)
{
	struct measuring *m = arena_zero(a, sizeof *m);
	double found[PATTERNS] = {0};
	m->lab = (struct lab){.arena = a, .gpu = gpu};
	m->edge = gpu->software ? 256 : 2048;
	m->samples = gpu->software ? 5 : MOST_PASS_SAMPLES;
	const char *wrong = prepare_textures(m, format);
	for (unsigned k = 0; k < PATTERNS && !wrong; k++)
		found[k] = bandwidth_of(m, &patterns[k], &wrong);
	wrong = wrong ? wrong : context_error();
	lab_close(&m->waker.lab);
	lab_close(&m->lab);
	if (wrong)
		return wrong;
	text_printf(t, "\ntexture reads of %s, %u x %u texels\n%-12s %9s %11s %8s\n", image_formats[format].name, m->edge, m->edge, "", "GB/s",
	            "Gtexels/s", "part");
	for (unsigned k = 0; k < PATTERNS; k++)
		print_pattern(&patterns[k], format, found[k], found[0], t, csv);
	return NULL;
}

/* ---- devices and limits ------------------------------------------------------------------ */

/* Returns true if the driver makes textures of this format and draws to them. */
static bool draws_to(enum image_format format)
{
	struct image image;
	bool const good = !image_make(&image, 16, 16, format, IMAGE_CLAMP);
	if (good)
		image_delete(&image);
	return !context_error() && good;
}

static void list_limits(const struct context *gpu, struct text *t)
{
	GLint instructions[2] = {0}, units = 0;
	glGetIntegerv(GL_MAX_TEXTURE_IMAGE_UNITS, &units);
	text_printf(t, "textures   %d x %d texels at most, %d in a draw\ntargets    %d in a draw, the pixels of each:", gpu->largest, gpu->largest,
	            units, gpu->colours);
	for (enum image_format f = 0; f < IMAGE_FORMATS; f++)
		text_printf(t, " %s%s", image_formats[f].name, draws_to(f) ? "" : " (not here)");
	text_char(t, '\n');
	if (gpu->language != LANGUAGE_ARB)
		return;
	glGetProgramivARB(GL_VERTEX_PROGRAM_ARB, GL_MAX_PROGRAM_INSTRUCTIONS_ARB, &instructions[0]);
	glGetProgramivARB(GL_FRAGMENT_PROGRAM_ARB, GL_MAX_PROGRAM_INSTRUCTIONS_ARB, &instructions[1]);
	text_printf(t, "programs   of %d (vertex) and %d (pixel) instructions at most\n", instructions[0], instructions[1]);
}

/* Prints how many bits the timer's counter has; 0 means that the driver does not count. */
static void list_timer(struct text *t)
{
	GLint bits = 0;
	glGetQueryiv(GL_TIME_ELAPSED, GL_QUERY_COUNTER_BITS, &bits);
	text_printf(t, "timer      nanoseconds, %d bits\n", bits);
}

/* The first line of the CSV file, to which both measurements add lines. */
static const char info_csv_columns[] = "table,name,format,largest_ulp,rounded,results,gbytes_s\n";

/* Runs the measurements of --ulp and --bandwidth.  Returns NULL, or one sentence on what is wrong. */
static const char *run_measurements(struct arena *a, const struct context *gpu, const struct gpu_options *o, struct text *t, struct text *csv)
{
	enum image_format const format = o->format >= 0 ? (enum image_format)o->format : IMAGE_RGBA32F;
	const char *wrong = NULL;
	if ((o->ulp || o->bandwidth) && gpu->software)
		message_note("a CPU draws here (%s): these measurements say little of a GPU", gpu->renderer);
	if (o->ulp)
		wrong = info_ulp(a, gpu, format, t, csv);
	if (o->bandwidth && !wrong)
		wrong = info_bandwidth(a, gpu, format, t, csv);
	return wrong;
}

static void list_abilities(const struct context *gpu, struct text *t)
{
	text_printf(t, "\nrenderer   %s%s\nvendor     %s\nOpenGL     %s\nlanguage   %s\n", gpu->renderer,
	            gpu->software ? ": a CPU draws, so that times say little of a GPU" : "", gpu->vendor, gpu->version,
	            gpu->language == LANGUAGE_ARB ? "arb (assembly)" : "glsl");
	list_limits(gpu, t);
	list_timer(t);
}

int info_main(struct arena *a, const struct context *gpu, const struct gpu_options *o, const char *why)
{
	struct text t = {.arena = a};
	struct gpu_output to;
	const char **lines, *wrong = NULL;
	unsigned const n = context_devices(a, &lines);
	output_begin(a, o, &to, info_csv_columns);
	for (unsigned k = 0; k < n; k++)
		text_printf(&t, "device %u   %s\n", k, lines[k]);
	if (!n)
		text_string(&t, "EGL lists no devices\n");
	if (!why) {
		list_abilities(gpu, &t);
		wrong = run_measurements(a, gpu, o, &t, &to.csv);
	}
	bool const printed = output_table(&to, &t);
	if (why)
		message_error("no GPU can be used: %s", why);
	if (wrong)
		message_error("%s", wrong);
	return printed && !why && !wrong ? output_end(a, &to, gpu, "info", EXIT_DONE) : EXIT_USAGE;
}
