/* The reference interpreter with flow control: results of each construct, element by element, and the measurement. */
#include "pairs.h"

#include "lang/link.h"
#include "verify/interp.h"

#include <math.h>
#include <string.h>

enum { PIXELS = 200 }; /* more than one block of pixels */

struct image {
	float weight[2][PIXELS], colour[2][LANES][PIXELS], depth[PIXELS];
	bool killed[PIXELS], undefined[PIXELS];
};

static const float no_constants[INTERP_CONSTS][LANES];

static struct pair read_pair(struct arena *a, const char *vs, const char *ps)
{
	struct program *const of[2] = {parse_one(a, vs), parse_one(a, ps)};
	struct diags diags;
	diag_init(&diags, a);
	link_pair(of[0], of[1], &diags);
	assert_int_equal(diags.errors, 0);
	return (struct pair){of[0], of[1]};
}

/* Draws pixels; pixel k is k / PIXELS of the way from the first vertex to the second. */
static const struct image *draw(struct arena *a, const char *vs, const char *ps, struct interp_scene *scene)
{
	struct image *image = arena_zero(a, sizeof *image);
	struct interp_pixels pixels = {.n = PIXELS, .weight = {image->weight[0], image->weight[1]}, .depth = image->depth,
	                               .killed = image->killed, .undefined = image->undefined};
	for (unsigned t = 0; t < 2; t++)
		for (unsigned l = 0; l < LANES; l++)
			pixels.colour[t][l] = image->colour[t][l];
	for (unsigned k = 0; k < PIXELS; k++)
		image->weight[0][k] = (float)k / PIXELS;
	scene->vs_const = scene->vs_const ? scene->vs_const : no_constants;
	scene->ps_const = scene->ps_const ? scene->ps_const : no_constants;
	scene->flat_w = true;
	scene->w[0] = scene->w[1] = scene->w[2] = 1;
	interp_draw(a, read_pair(a, vs, ps), scene, &pixels);
	return image;
}

static void expect(const char *what, const struct image *image, unsigned k, const float want[LANES])
{
	for (unsigned l = 0; l < LANES; l++)
		if (!(fabsf(image->colour[0][l][k] - want[l]) <= 2e-6f * (1 + fabsf(want[l]))))
			fail_msg("%s: lane %u of pixel %u is %.9g, not %.9g\n", what, l, k, (double)image->colour[0][l][k], (double)want[l]);
}

/* b0 is true; i0, i1, i2 and i3 are 3, 0, 2 and 4 times. */
static const struct interp_switches switches = {
	.integer = {{3, 1, 1, 0}, {0, 5, 1, 0}, {2, 3, -1, 0}, {4, 0, 2, 0}}, .truth = {true}
};

/* Values of r1, r2, r3 in the programs below; r0 equals r1. */
#define PREAMBLE "def c0, 0.5, -1.25, 2, 3\ndef c1, -2, 0.75, 0.25, 1.5\ndef c2, 4, -0.5, 1, -3\nmov r0, c0\nmov r1, c0\nmov r2, c1\nmov r3, c2\n"
#define R2 {-2, 0.75f, 0.25f, 1.5f}
#define R3 {4, -0.5f, 1, -3}
#define VS "vs_1_1\ndcl_position v0\nmov oPos, v0\n"

/* A test's text, the value that it gives, and text behind the main program. */
struct row { const char *text; float want[LANES]; const char *behind; };

static const struct row rows[] = {
	{"if b0\nif b1\nmov r0, r2\nelse\nmov r0, r3\nendif\nelse\nmov r0.x, r2\nendif", R3, ""},
	{"if !b0\nmov r0, r2\nelse\nif !b1\nmov r0.y, r3\nendif\nendif", {0.5f, -0.5f, 2, 3}, ""},
	{"if_lt r1.y, r1.x\nadd r0, r1, r2\nif_ge r1.y, r1.x\nmov r0, r3\nendif\nmul r0.x, r0, r3.x\nelse\nmov r0, r3\nendif",
	 {-6, -0.5f, 2.25f, 4.5f}, ""},
	{"if_gt r1.y, r1.x\nmov r0, r2\nelse\nif_ne r1.x, r1.y\nif_eq r1.x, r1.x\nmov r0.x, r2\nendif\nmov r0.y, r2\nelse\nmov r0.z, r2\n"
	 "endif\nmov r0.w, r2\nendif", {-2, 0.75f, 2, 1.5f}, ""},
	{"if_gt -r1_abs.y, r1.x\nmov r0, r2\nelse\nif_lt -r2.x, r1_abs.w\nmov r0, r3\nendif\nendif", R3, ""},
	{"setp_gt p0, r1, r2\n(p0) mov r0, r3", {4, -1.25f, 1, -3}, ""},
	{"setp_gt p0, r1, r2\n(!p0) mov r0, r3", {0.5f, -0.5f, 2, 3}, ""},
	{"setp_gt p0, r1, r2\n(p0.x) mov r0, r3", R3, ""},
	{"setp_gt p0, r1, r2\n(p0.y) mov r0, r3", {0.5f, -1.25f, 2, 3}, ""},
	{"setp_gt p0, r1, r2\n(!p0.y) mov r0, r3", R3, ""},
	{"setp_gt p0, r1, r2\n(p0.z) mov r0.xy, r3", {4, -0.5f, 2, 3}, ""},
	{"setp_gt p0, r1, r2\n(!p0.w) mov r0.xy, r3", {0.5f, -1.25f, 2, 3}, ""},
	{"setp_gt p0, r1, r2\n(p0) mov r0, r0.wzyx", {3, -1.25f, -1.25f, 0.5f}, ""},
	{"setp_gt p0, r1, r2\n(p0) dp4 r0, r1, r2", {3.0625f, -1.25f, 3.0625f, 3.0625f}, ""},
	{"setp_gt p0, r1, r2\n(p0) add_sat r0, r1, r2", {0, -1.25f, 1, 1}, ""},
	{"setp_gt p0, r1, r2\nif b0\nsetp_lt p0.x, r1, r2\nelse\nsetp_lt p0.z, r1, r2\nendif\n(p0) mov r0, r3", {0.5f, -1.25f, 1, -3}, ""},
	{"setp_ge p0.xz, r1, r1\nsetp_lt p0.yw, r1, r1\nif p0.x\nmov r0.x, r3\nendif\nif p0.y\nmov r0.y, r3\nelse\nif !p0.w\nmov r0.w, r3\nendif\nendif",
	 {4, -1.25f, 2, -3}, ""},
	{"rep i0\nadd r0, r0, r2\nendrep", {-5.5f, 1, 2.75f, 7.5f}, ""},
	{"rep i1\nadd r0, r0, r2\nendrep", {0.5f, -1.25f, 2, 3}, ""},
	{"rep i0\nrep i2\nadd r0, r0, r2\nbreak\nendrep\nendrep", {-5.5f, 1, 2.75f, 7.5f}, ""},
	{"rep i0\nrep i2\nadd r0, r0, r2\nendrep\nendrep", {-11.5f, 3.25f, 3.5f, 12}, ""},
	{"mov r4, r3.z\nrep i0\nadd r0, r0, r2\nadd r4, r4, r3.z\nif_gt r4.x, r1.z\nbreak\nadd r0, r0, r3\nendif\nadd r0, r0, r3\nendrep",
	 {0.5f, -0.25f, 3.5f, 3}, ""},
	{"mov r4, r3.z\nrep i0\nadd r0, r0, r2\nbreak_ge r4.x, r1.z\nadd r4, r4, r3.z\nendrep", {-3.5f, 0.25f, 2.5f, 6}, ""},
	{"setp_gt p0, r1, r2\nrep i0\nadd r0, r0, r2\nbreakp p0.y\nbreakp !p0.y\nendrep", {-1.5f, -0.5f, 2.25f, 4.5f}, ""},
	{"call l0", {0.5f, -1.5f, 4.25f, -1.5f}, "label l0\nadd r0, r0, r2\ncallnz l1, b0\ncallnz l1, b1\ncallnz l1, !b1\nadd r0.x, r0, -r2\n"
	 "sub r0.x, r0, r3\nsub r0.x, r0, r3\nret\nlabel l1\nadd r0, r0, r3\nret\n"},
	{"rep i2\ncall l3\nendrep\ncall l3", {-5.5f, 1, 2.75f, 7.5f}, "label l3\nadd r0, r0, r2\nret\n"},
	{"setp_gt p0, r1, r2\ncallnz l0, p0.y\ncallnz l1, !p0.y", R3, "label l0\nmov r0, r2\nret\nlabel l1\nmov r0, r3\nret\n"},
};

/* Checks each construct in the last pixel model with flow control and in a vertex model. */
ARENA_TEST(constructs)
{
	struct arena *a = *state;
	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
		struct interp_scene scene = {.vs_switches = &switches, .ps_switches = &switches};
		const char *ps = arena_printf(a, "ps_3_0\n" PREAMBLE "%s\nmov oC0, r0\nret\n%s", rows[k].text, rows[k].behind);
		const char *vs = "vs_3_0\ndcl_position v0\ndcl_position o0\nmov o0, v0\n";
		expect(rows[k].text, draw(a, vs, ps, &scene), 0, rows[k].want);
		expect(rows[k].text, draw(a, vs, ps, &scene), PIXELS - 1, rows[k].want);
		vs = arena_printf(a, "vs_3_0\ndcl_position o0\ndcl_texcoord o1\n" PREAMBLE "%s\nmov o0, r0\nmov o1, r0\nret\n%s", rows[k].text, rows[k].behind);
		ps = "ps_3_0\ndcl_texcoord v2\nmov oC0, v2\n";
		expect(rows[k].text, draw(a, vs, ps, &scene), PIXELS / 2, rows[k].want);
	}
}

/* x of the pixels is from 0 to 10. */
static const struct interp_scene ramp = {.vertex = {{{0, 0, 0, 1}, {0, 3, 0, 0}}, {{0, 0, 0, 1}, {10, 3, 0, 0}}, {{0, 0, 0, 1}, {0, 3, 0, 0}}}};
#define RAMP "vs_1_1\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nmov oT0, v1\n"

static float ramp_at(unsigned k)
{
	return 10 * ((float)k / PIXELS);
}

/* Checks that pixels of one block diverge and join again. */
ARENA_TEST(pixels_go_apart)
{
	struct arena *a = *state;
	struct interp_scene scene = ramp;
	const char *ps = "ps_2_x\ndcl t0\ndef c0, 0, 1, 2.525, 7.525\ndefi i0, 8, 0, 0, 0\nmov r0, c0.x\nmov r1, c0.y\nrep i0\n"
	                 "if_lt t0.x, c0.z\nadd r0.y, r0.y, c0.y\nelse\nif_gt t0.x, c0.w\nbreak\nelse\nadd r0.z, r0.z, c0.y\nendif\nendif\n"
	                 "add r0.x, r0.x, c0.y\nbreak_gt r0.x, t0.x\nendrep\nadd r0.w, r0.w, c0.y\nmov oC0, r0\n";
	const struct image *image = draw(a, RAMP, ps, &scene);
	for (unsigned k = 0; k < PIXELS; k++) {
		if (k % 20 == 0) /* it may be on either side of a whole number */
			continue;
		float const x = ramp_at(k), times = floorf(x) + 1;
		bool const low = x < 2.525f, high = x > 7.525f;
		expect("apart", image, k, (float[]){high ? 0 : times, low ? times : 0, low || high ? 0 : times, 1});
	}
}

/* Checks that only pixels that take a branch are killed, divide by 0, or write there. */
ARENA_TEST(effects_of_branches)
{
	struct arena *a = *state;
	struct interp_scene scene = ramp;
	const char *ps = "ps_2_x\ndcl t0\ndef c0, 0, 1, 2.525, 7.525\nmov r1, -c0.y\nmov oC0, r1\nif_gt t0.x, c0.w\ntexkill r1\nrcp r2, c0.x\n"
	                 "mov oDepth, r2.x\nelse\nmov oC0.yz, t0\nmov oC1, c0\nmov oDepth, c0.w\nendif\n";
	const struct image *image = draw(a, RAMP, ps, &scene);
	for (unsigned k = 0; k < PIXELS; k++) {
		bool const high = ramp_at(k) > 7.525f;
		assert_true(image->killed[k] == high);
		assert_true(image->undefined[k] == high);
		expect("oC0", image, k, (float[]){-1, high ? -1 : 3, high ? -1 : 0, -1});
		assert_true(image->colour[1][LANE_Y][k] == (high ? 0.0f : 1.0f));
		assert_true(high || image->depth[k] == 7.525f);
	}
	ps = "ps_2_x\ndcl t0\ndef c0, -1, 1, 2.525, 7.525\nmov r1, c0.x\nsetp_gt p0.x, t0, c0.w\nsetp_lt p0.yzw, t0.x, c0.z\n"
	     "mov oC0, r1\n(p0) texkill r1\n(p0.x) rcp r2.y, c0.x\n";
	image = draw(a, RAMP, ps, &scene);
	for (unsigned k = 0; k < PIXELS; k++)
		assert_true(image->killed[k] == (ramp_at(k) > 7.525f || ramp_at(k) < 2.525f));
}

/* Checks aL in each register file that it addresses. */
ARENA_TEST(loop_addresses)
{
	struct arena *a = *state;
	float constants[INTERP_CONSTS][LANES];
	for (unsigned k = 0; k < INTERP_CONSTS; k++)
		for (unsigned l = 0; l < LANES; l++)
			constants[k][l] = (float)(10 * k + l);
	static const struct { const char *text; float want[LANES]; const char *behind; } loops[] = {
		{"loop aL, i0\nadd r0, r0, c[aL + 4]\nendloop", {180, 183, 186, 189}, ""},                /* c5, c6, c7 */
		{"loop aL, i2\nmov r0.xy, r0.yxzw\nadd r0.x, r0, c[aL].x\nendloop", {20, 30, 0, 0}, ""},  /* c3, then c2 */
		{"loop aL, i3\nadd r0, r0, c[aL + 254]\nendloop", {2540, 2541, 2542, 2543}, ""},          /* c254, then no register */
		{"loop aL, i0\nloop aL, i3\nadd r0.x, r0, c[aL].x\nendloop\nadd r0.y, r0, c[aL].x\nendloop", {360, 60, 0, 0}, ""},
		{"loop aL, i0\ncall l0\nrep i2\nadd r0.y, r0, c[aL].x\nendrep\nendloop", {60, 120, 0, 0}, "label l0\nadd r0.x, r0, c[aL].x\nret\n"},
		{"loop aL, i0\nadd r0, r0, v[aL]\nendloop", {6, 15, 24, 33}, ""},                         /* v1, v2, v3 */
		{"loop aL, i0\nmova a0.x, c0.y\nadd r0.x, r0, c[a0.x + 4].x\nendloop", {150, 0, 0, 0}, ""},
	};
	for (size_t k = 0; k < sizeof loops / sizeof *loops; k++) {
		struct interp_scene scene = {.vs_const = (const float (*)[LANES])constants, .vs_switches = &switches};
		for (unsigned v = 0; v < 3; v++)
			for (unsigned n = 0; n < INTERP_INPUTS; n++)
				for (unsigned l = 0; l < LANES; l++)
					scene.vertex[v][n][l] = (float)(n + 3 * l);
		const char *vs = arena_printf(a, "vs_3_0\ndcl_position v0\ndcl_texcoord1 v1\ndcl_texcoord2 v2\ndcl_texcoord3 v3\ndcl_position o0\n"
		                              "dcl_texcoord o1\nsub r0, v0, v0\nmov o0, v0\n%s\nmov o1, r0\nret\n%s", loops[k].text, loops[k].behind);
		expect(loops[k].text, draw(a, vs, "ps_3_0\ndcl_texcoord v0\nmov oC0, v0\n", &scene), 1, loops[k].want);
	}
	/* aL addresses o1, o3 and o5; o3 is not declared; v[aL] of the pixel program has numbers of its own. */
	struct interp_scene scene = {.vs_const = (const float (*)[LANES])constants, .vs_switches = &switches, .ps_switches = &switches};
	const char *vs = "vs_3_0\ndefi i5, 3, 0, 2, 0\ndcl_position o0\ndcl_texcoord7 o1\ndcl_texcoord o5\ndcl_color o6\nmov o6, c9\nloop aL, i5\n"
	                 "mov o[aL + 1], c[aL + 1]\nendloop\nloop aL, i1\nmov o[aL], c8\nendloop\nmov o0, c0\n";
	const char *ps = "ps_3_0\ndcl_texcoord v3\ndcl_texcoord7 v2\ndcl_color v1\nmov r0, v1\nsub r0, r0, r0\nloop aL, i0\n"
	                 "mad r0, r0, c0, v[aL]\nendloop\nmov oC0, r0\n";
	float two[INTERP_CONSTS][LANES] = {{2, 2, 2, 2}};
	scene.ps_const = (const float (*)[LANES])two;
	expect("v[aL]", draw(a, vs, ps, &scene), 77, (float[]){90 * 4 + 10 * 2 + 50, 91 * 4 + 11 * 2 + 51, 92 * 4 + 12 * 2 + 52, 93 * 4 + 13 * 2 + 53});
}

/* Checks that defi and defb override the application's settings. */
ARENA_TEST(own_switches)
{
	struct interp_scene scene = {.ps_switches = &switches};
	const char *ps = "ps_2_x\ndefi i0, 5, 0, 0, 0\ndefb b0, false\ndefb b1, true\ndef c0, 0, 1, 2, 3\nmov r0, c0.x\nrep i0\nadd r0.x, r0.x, c0.y\nendrep\n"
	                 "if b0\nmov r0.y, c0.y\nendif\nif b1\nmov r0.z, c0.y\nendif\nmov oC0, r0\n";
	expect("own", draw(*state, VS, ps, &scene), 0, (float[]){5, 0, 1, 0});
	scene.ps_switches = NULL;
	ps = "ps_2_x\ndef c0, 0, 1, 2, 3\nmov r0, c0.x\nrep i0\nadd r0.x, r0.x, c0.y\nendrep\nif !b0\nmov r0.y, c0.y\nendif\nmov oC0, r0\n";
	expect("none", draw(*state, VS, ps, &scene), 0, (float[]){0, 1, 0, 0});
}

static struct measured measure_text(struct arena *a, const char *vs, const char *ps1, const char *ps2)
{
	struct measure_options o = {.primitives = 8};
	return measure(a, read_pair(a, vs, ps1), read_pair(a, vs, ps2), &o);
}

ARENA_TEST(measuring)
{
	struct arena *a = *state;
	static const char lit[] = "ps_2_x\ndcl t0\ndef c9, 0.5, 0, 0, 0\nmov r0, t0\nif_%s t0.x, c9.x\n%s r0, r0, %s\nendif\nmov oC0, r0\n";
	const char *one = arena_printf(a, lit, "gt", "add", "c0"), *same = arena_printf(a, lit, "gt", "sub", "-c0");
	struct measured m = measure_text(a, RAMP, one, same);
	assert_true(m.within && m.left_out < m.pixels / 16 && m.lane[0].apart < 1e-12);
	assert_int_equal(measured_verdict(&m), MEASURED_WITHIN);
	/* The other branch, or another b#, makes another function. */
	m = measure_text(a, RAMP, one, arena_printf(a, lit, "le", "add", "c0"));
	assert_true(!m.within && m.remedy == REMEDY_NONE);
	static const char by_switch[] = "ps_2_x\ndcl t0\nmov r0, t0\nif %s\nadd r0, r0, c0\nendif\nrep i%u\nadd r0.y, r0.y, c1\nendrep\nmov oC0, r0\n";
	one = arena_printf(a, by_switch, "b3", 2);
	m = measure_text(a, RAMP, one, one);
	assert_true(m.within && m.compared == m.pixels);
	m = measure_text(a, RAMP, one, arena_printf(a, by_switch, "!b3", 2));
	assert_true(!m.within && m.lane[0].apart > 0.1);
	m = measure_text(a, RAMP, one, arena_printf(a, by_switch, "b3", 3));
	assert_true(!m.within && !m.lane[1].within && m.lane[0].within);
	/* The rounding of 3 - 10 * 0.3 decides the branch. */
	one = "ps_2_x\ndef c1, 3, 10, 0.3, 0\ndcl t0\nmov r0, c1\nmul r1, r0.y, r0.z\nsub r1, r0.x, r1\nmov r0, t0\nif_ge r1.x, c1.w\nmov r0, -t0\nendif\nmov oC0, r0\n";
	m = measure_text(a, RAMP, one, one);
	assert_true(m.within && m.old_flips == m.pixels && m.compared == 0);
	one = "ps_2_x\ndef c1, 3, 10, 0.3, 0\ndcl t0\nmov r0, c1\nmul r1, r0.y, r0.z\nsub r1, r0.x, r1\nsetp_ge p0, r1, c1.w\nmov r0, t0\n(p0.y) mov r0, -t0\nmov oC0, r0\n";
	m = measure_text(a, RAMP, one, one);
	assert_true(m.within && m.old_flips == m.pixels && m.compared == 0);
	/* A division by 0 counts only if its branch is taken. */
	one = "ps_2_x\ndef c1, 0, 1, 0, 0\ndcl t0\nmov r0, t0\nif_lt t0.x, c1.x\nrcp r0, c1.x\nendif\nmov oC0, r0\n";
	m = measure_text(a, RAMP, one, one);
	assert_true(m.within && m.compared == m.pixels && m.wild == 0);
}

/* Checks that nested loops end, and that their result counts as unknown. */
ARENA_TEST(loops_end)
{
	struct arena *a = *state;
	const char *ps = "ps_2_x\ndcl t0\ndefi i0, 255, 0, 0, 0\nmov r0, t0\nrep i0\nrep i0\nrep i0\nrep i0\nadd r0, r0, t0\nendrep\nendrep\nendrep\nendrep\nmov oC0, r0\n";
	struct measure_options o = {.primitives = 1};
	struct pair const pair = read_pair(a, RAMP, ps);
	struct measured m = measure(a, pair, pair, &o);
	assert_int_equal(measured_verdict(&m), MEASURED_TOO_FEW);
}

/* Checks that a texture that a block reads may be one of depths, with a changed .z, if every way writes the .z. */
ARENA_TEST(depths_are_compared)
{
	struct arena *a = *state;
	static const char read[] = "ps_2_x\ndcl t0\ndcl_2d s0\ndef c9, 0.9, 0, 0, 0\nmov r1.xy, t0\n%smov r0, c0\nif b3\ntexld r0, r1, s0\nendif\nmov oC0, r0\n";
	const char *there = arena_printf(a, read, "mov r1.z, t0.z\n"), *other = arena_printf(a, read, "sub r1.z, t0.z, c9.x\n");
	assert_true(measure_text(a, RAMP, there, there).within);
	assert_false(measure_text(a, RAMP, there, other).within);
	/* It is none if one of two ways, or both, leave the .z unwritten. */
	const char *once = arena_printf(a, read, "if b2\nmov r1.z, t0.z\nendif\n");
	assert_true(measure_text(a, RAMP, once, other).within);
	assert_true(measure_text(a, RAMP, arena_printf(a, read, ""), other).within);
	/* Another texture without a .z is not one of depths, and neither is any if a lane was never written. */
	static const char both[] = "ps_2_x\ndcl t0\ndcl_2d s0\ndcl_2d s1\ndef c9, 0.9, 0, 0, 0\nmov r1.xy, t0\nmov r2.xy, t0\n%s"
	                           "texld r0, r1, s0\nif b3\ntexld r0, r2, s1\nendif\nmov oC0, r0\n";
	there = arena_printf(a, both, "mov r1.z, t0.z\n");
	assert_true(measure_text(a, RAMP, there, arena_printf(a, both, "mov r1.z, t0.z\nmov r2.z, c9.x\n")).within);
	assert_false(measure_text(a, RAMP, there, arena_printf(a, both, "sub r1.z, t0.z, c9.x\n")).within);
	static const char nowhere[] = "ps_2_x\ndcl t0\ndcl_2d s0\ndef c9, 0.9, 0, 0, 0\nmov r1, t0\n%s\nmov r0, c0\nif b3\ntexld r0, r1, s0\nendif\nmov oC0, r0\n";
	assert_true(measure_text(a, RAMP, arena_printf(a, nowhere, "mov r1.z, r3.z"), arena_printf(a, nowhere, "mov r1.z, c9.x")).within);
}
