/* The reference interpreter: results of each opcode, interpolation, textures, and the measurement of two pairs. */
#include "pairs.h"

#include "verify/interp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct drawn {
	float colour[4][LANES], depth;
	bool killed;
};

static const float no_constants[INTERP_CONSTS][LANES];

/* Draws one pixel; the weights are those of vertices 1 and 2. */
static struct drawn draw(struct arena *arena, const char *vs, const char *ps, struct interp_scene *scene, float one, float two)
{
	struct drawn d = {{{0}}, 0, false};
	struct interp_pixels pixels = {.n = 1, .weight = {&one, &two}, .depth = &d.depth, .killed = &d.killed};
	for (unsigned t = 0; t < 4; t++)
		for (unsigned l = 0; l < LANES; l++)
			pixels.colour[t][l] = &d.colour[t][l];
	if (!scene->vs_const)
		scene->vs_const = no_constants;
	if (!scene->ps_const)
		scene->ps_const = no_constants;
	interp_draw(arena, (struct pair){parse_one(arena, vs), parse_one(arena, ps)}, scene, &pixels);
	return d;
}

static void expect(const char *what, const float *got, const float *want, lanes mask)
{
	for (unsigned l = 0; l < LANES; l++) {
		if (!(mask >> l & 1))
			continue;
		float allowed = 2e-6f * (fabsf(want[l]) > 1 ? fabsf(want[l]) : 1);
		if (!(fabsf(got[l] - want[l]) <= allowed)) {
			print_error("%s: lane %u is %.9g, not %.9g\n", what, l, (double)got[l], (double)want[l]);
			fail();
		}
	}
}

#define VS "vs_1_1\ndcl_position v0\nmov oPos, v0\n"

/* Values of r1, r2, r3 in the programs below. */
static const char preamble[] =
	"def c0, 0.5, -1.25, 2, 3\ndef c1, -2, 0.75, 0.25, 1.5\ndef c2, 4, -0.5, 1, -3\n"
	"def c8, -0.0000015500992, -0.00002170139, 0.0026041667, 0.00026041668\ndef c9, -0.020833334, -0.125, 1, 0.5\n"
	"mov r0, c0\nmov r1, c0\nmov r2, c1\nmov r3, c2\n";

ARENA_TEST(pixel_opcodes)
{
	struct arena *a = *state;
	static const struct { const char *text; float want[LANES]; lanes mask; } rows[] = {
		{"abs r0, r1", {0.5f, 1.25f, 2, 3}, 15},
		{"add r0, r1, r2", {-1.5f, -0.5f, 2.25f, 4.5f}, 15},
		{"sub r0, r1, r2", {2.5f, -2, 1.75f, 1.5f}, 15},
		{"mul r0, r1, -r2", {1, 0.9375f, -0.5f, -4.5f}, 15},
		{"mad r0, r1, r2, r3", {3, -1.4375f, 1.5f, 1.5f}, 15},
		{"mad_sat r0, r1, r2, r3", {1, 0, 1, 1}, 15},
		{"lrp r0, r1, r2, r3", {1, -2.0625f, -0.5f, 10.5f}, 15},
		{"cmp r0, r1, r2, r3", {-2, -0.5f, 0.25f, 1.5f}, 15},
		{"max r0, r1, r2", {0.5f, 0.75f, 2, 3}, 15},
		{"min r0, r1, r2", {-2, -1.25f, 0.25f, 1.5f}, 15},
		{"mov r0.yz, r2.x", {0.5f, -2, -2, 3}, 15},
		{"mov r0, r1.wzyx", {3, 2, -1.25f, 0.5f}, 15},
		{"mov r0.xy, r0.yzxw", {-1.25f, 2, 2, 3}, 15},
		{"dp3 r0, r1, r2", {-1.4375f, -1.4375f, -1.4375f, -1.4375f}, 15},
		{"dp4 r0, r1, r2", {3.0625f, 3.0625f, 3.0625f, 3.0625f}, 15},
		{"dp2add r0, r1, r2, r3.z", {-0.9375f, -0.9375f, -0.9375f, -0.9375f}, 15},
		{"crs r0.xyz, r1, r2", {-1.8125f, -4.125f, -2.125f, 0}, 7},
		{"rcp r0, r1.y", {-0.8f, -0.8f, -0.8f, -0.8f}, 15},
		{"rsq r0, -r3.x", {0.5f, 0.5f, 0.5f, 0.5f}, 15},
		{"exp r0, r1.z", {4, 4, 4, 4}, 15},
		{"log r0, -r3.x", {2, 2, 2, 2}, 15},
		{"pow r0, -r3.x, r1.x", {2, 2, 2, 2}, 15},
		{"frc r0, r1", {0.5f, 0.75f, 0, 0}, 15},
		{"nrm r0.xyz, r2", {-0.92998111f, 0.34874292f, 0.11624764f, 0}, 7},
		{"sincos r0.xy, r1.x, c8, c9", {0.87758256f, 0.47942554f, 0, 0}, 3},
		{"m3x2 r0.xy, r1, c0", {5.8125f, -1.4375f, 0, 0}, 3},
		{"m4x4 r0, r1, c0", {14.8125f, 3.0625f, -4.375f, 0}, 7},
		{"m3x3 r0.xyz, r1, c0", {5.8125f, -1.4375f, 4.625f, 0}, 7},
		{"m4x3 r0.xyz, r1, c0", {14.8125f, 3.0625f, -4.375f, 0}, 7},
		{"nop", {0.5f, -1.25f, 2, 3}, 15},
	};
	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
		struct interp_scene scene = {.flat_w = true, .w = {1, 1, 1}};
		const char *ps = arena_printf(a, "ps_2_0\n%s%s\nmov oC0, r0\n", preamble, rows[k].text);
		expect(rows[k].text, draw(a, VS, ps, &scene, 0.25f, 0.5f).colour[0], rows[k].want, rows[k].mask);
	}
}

ARENA_TEST(vertex_opcodes)
{
	struct arena *a = *state;
	static const struct { const char *text; float want[LANES]; lanes mask; } rows[] = {
		{"lit r0, r2", {1, 0, 0, 1}, 15},
		{"lit r0, r2.wywx", {1, 1.5f, 0.5625f * 0 + 1.0f / (0.75f * 0.75f), 1}, 15},
		{"dst r0, r1, r2", {1, -0.9375f, 2, 1.5f}, 15},
		{"sge r0, r1, r2", {1, 0, 1, 1}, 15},
		{"slt r0, r1, r2", {0, 1, 0, 0}, 15},
		{"expp r0, r1.y", {0.25f, 0.75f, 0.42044821f, 1}, 15},
		{"logp r0, r1.w", {1, 1.5f, 1.5849625f, 1}, 15},
		{"exp r0, r1.w", {8, 8, 8, 8}, 15},
		{"log r0, r3.x", {2, 2, 2, 2}, 15},
		{"frc r0.xy, r1", {0.5f, 0.75f, 2, 3}, 15},
		{"mov a0.x, r1.z\nmov r0, c[a0.x]", {4, -0.5f, 1, -3}, 15},
		{"mov a0.x, r1.y\nmov r0, c[a0.x + 3]", {-2, 0.75f, 0.25f, 1.5f}, 15}, /* rounds down */
		{"mov a0.x, r3.w\nmov r0, c[a0.x]", {0, 0, 0, 0}, 15},
	};
	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
		struct interp_scene scene = {.flat_w = true, .w = {1, 1, 1}};
		/* The pixel program's preamble serves the vertex program, too. */
		const char *vs = arena_printf(a, "vs_1_1\n%s%s\nmov oPos, r0\nmov oT0, r0\n", preamble, rows[k].text);
		const char *ps = "ps_2_0\ndcl t0\nmov r0, t0\nmov oC0, r0\n";
		expect(rows[k].text, draw(a, vs, ps, &scene, 0.25f, 0.5f).colour[0], rows[k].want, rows[k].mask);
	}
	static const struct { const char *text; float want[LANES]; } more[] = {
		{"sgn r0, r1, r4, r5", {1, -1, 1, 1}},
		{"expp r0, r1.z", {4, 4, 4, 4}},
		{"logp r0, r3.x", {2, 2, 2, 2}},
		{"mova a0.x, r2.w\nmov r0, c[a0.x]", {4, -0.5f, 1, -3}}, /* rounds to the nearest */
		{"mova a0.yw, r2.w\nmova a0.y, r1.y\nmov r0, c[a0.w]", {4, -0.5f, 1, -3}},
	};
	for (size_t k = 0; k < sizeof more / sizeof *more; k++) {
		struct interp_scene scene = {.flat_w = true, .w = {1, 1, 1}};
		const char *vs = arena_printf(a, "vs_2_0\n%s%s\nmov oPos, r0\nmov oT0, r0\n", preamble, more[k].text);
		expect(more[k].text, draw(a, vs, "ps_2_0\ndcl t0\nmov r0, t0\nmov oC0, r0\n", &scene, 0.25f, 0.5f).colour[0],
		       more[k].want, 15);
	}
}

/* Checks that c[a0.x + n] reads 0 from constants that the scene calls unreached, and from no others, whatever the memory held before. */
ARENA_TEST(unreached_constants)
{
	static const int range[2] = {0, 1000};
	struct arena *a = *state;
	struct arena_mark const before = arena_mark(a);
	int (*garbage)[2] = arena_alloc(a, 4000000);
	for (unsigned k = 0; k < 4000000 / sizeof *garbage; k++)
		memcpy(garbage[k], range, sizeof range);
	arena_release(a, before);
	for (int unreached = 0; unreached < 2; unreached++) {
		struct interp_scene scene = {.flat_w = true, .w = {1, 1, 1}, .unreached_from = 2, .unreached_to = 2 + unreached};
		float const want[LANES] = {unreached ? 0 : 4};
		expect("c[a0.x]", draw(a, "vs_1_1\ndcl_position v0\ndef c1, 2, 0, 0, 0\ndef c2, 4, 0, 0, 0\nmov oPos, v0\nmov a0.x, c1.x\nmov oT0, c[a0.x]\n",
		                       "ps_2_0\ndcl t0\nmov r0, t0\nmov oC0, r0\n", &scene, 0.25f, 0.5f).colour[0], want, MASK_X);
	}
}

ARENA_TEST(interpolation)
{
	struct arena *a = *state;
	struct interp_scene scene = {.vertex = {{{0, 0, 0, 1}, {1, 10, -3, 5}}, {{0, 0, 0, 2}, {2, 20, -6, 5}}, {{0, 0, 0, 4}, {3, 30, 0.5f, 5}}}};
	const char *vs = "vs_1_1\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nmov oT0, v1\nmov oD0, v1\n";
	const char *ps = "ps_2_0\ndcl t0\ndcl v0\nmov r0, t0\nmov oC0, r0\nmov r1, v0\nmov oC1, r1\n";
	struct drawn d = draw(a, vs, ps, &scene, 0.25f, 0.25f);
	/* Shares 0.5 / 1, 0.25 / 2, 0.25 / 4 of their sum 0.6875. */
	expect("perspective", d.colour[0], (float[]){1.363636f, 13.63636f, -3.227273f, 5}, 15);
	/* Clamped at the vertices, then interpolated. */
	expect("colour", d.colour[1], (float[]){1, 1, 0.5f * 0.0625f / 0.6875f, 1}, 15);
	scene.flat_w = true;
	scene.w[0] = scene.w[1] = scene.w[2] = 1;
	d = draw(a, vs, ps, &scene, 0.25f, 0.25f);
	expect("flat", d.colour[0], (float[]){1.75f, 17.5f, -2.875f, 5}, 15);
	d = draw(a, "vs_1_1\ndcl_position v0\nmov oPos, v0\nmov oT0.xy, v0.w\n", ps, &scene, 0, 1);
	expect("lanes that the VP leaves out", d.colour[0], (float[]){4, 4, 0, 1}, 15);
}

ARENA_TEST(constants_and_outputs)
{
	struct arena *a = *state;
	float vs_const[INTERP_CONSTS][LANES] = {{1, 2, 3, 4}}, ps_const[INTERP_CONSTS][LANES] = {{5, 6, 7, 8}, {9, 9, 9, 9}};
	struct interp_scene scene = {.vs_const = (const float (*)[LANES])vs_const, .ps_const = (const float (*)[LANES])ps_const, .flat_w = true, .w = {1, 1, 1}};
	const char *vs = "vs_1_1\ndcl_position v0\nmov oPos, v0\nmov oT0, c0\n";
	const char *ps = "ps_2_0\ndef c1, 1, 2, 3, -4\ndcl t0\nadd r0, t0, c0\nmov oC0, r0\nmov r1, c1\nmov oC2, r1\n"
	                 "mov oDepth, r0.y\ntexkill r1\n";
	struct drawn d = draw(a, vs, ps, &scene, 0.1f, 0.2f);
	expect("oC0", d.colour[0], (float[]){6, 8, 10, 12}, 15);
	expect("oC2", d.colour[2], (float[]){1, 2, 3, -4}, 15);
	assert_true(fabsf(d.depth - 8) < 1e-5f);
	assert_false(d.killed); /* w is not tested */
	d = draw(a, vs, "ps_2_0\ndef c1, 1, 2, -3, 4\nmov r1, c1\ntexkill r1\nmov oC0, r1\n", &scene, 0.1f, 0.2f);
	assert_true(d.killed);
}

/* --- textures --------------------------------------------------------------------- */

static struct drawn sample(struct arena *a, struct interp_texture t, const char *read, float x, float y, float z, float w)
{
	struct interp_texture textures[INTERP_SAMPLERS] = {{TEXTURE_NONE, 0, 0, 0, false, false, false, NULL}};
	textures[2] = t;
	float ps_const[INTERP_CONSTS][LANES] = {{x, y, z, w}};
	struct interp_scene scene = {.ps_const = (const float (*)[LANES])ps_const, .texture = textures, .flat_w = true, .w = {1, 1, 1}};
	const char *ps = arena_printf(a, "ps_2_0\ndcl_%s s2\nmov r0, c0\n%s r0, r0, s2\nmov oC0, r0\n", texture_names[t.kind], read);
	return draw(a, VS, ps, &scene, 0, 0);
}

ARENA_TEST(plane_textures)
{
	struct arena *a = *state;
	float texels[6 * LANES];
	for (unsigned k = 0; k < 6; k++)
		for (unsigned l = 0; l < LANES; l++)
			texels[k * LANES + l] = (float)(k + l * 10);
	struct interp_texture t = {TEXTURE_2D, 3, 2, 1, false, false, false, texels};
	expect("texel", sample(a, t, "texld", 0.5f, 0.25f, 9, 9).colour[0], (float[]){1, 11, 21, 31}, 15);
	expect("texel", sample(a, t, "texld", 0.99f, 0.75f, 9, 9).colour[0], (float[]){5, 15, 25, 35}, 15);
	expect("wrap", sample(a, t, "texld", -0.1f, 1.25f, 9, 9).colour[0], (float[]){2, 12, 22, 32}, 15);
	expect("bias", sample(a, t, "texldb", 0.5f, 0.25f, 9, 3).colour[0], (float[]){1, 11, 21, 31}, 15);
	expect("projected", sample(a, t, "texldp", 1, 0.5f, 9, 2).colour[0], (float[]){1, 11, 21, 31}, 15);
	t.clamp = true;
	expect("clamp", sample(a, t, "texld", -0.1f, 1.25f, 9, 9).colour[0], (float[]){3, 13, 23, 33}, 15);
	t.linear = true;
	expect("centre", sample(a, t, "texld", 0.5f, 0.25f, 9, 9).colour[0], (float[]){1, 11, 21, 31}, 15);
	expect("middle", sample(a, t, "texld", 1.0f / 3, 0.5f, 9, 9).colour[0], (float[]){2, 12, 22, 32}, 15);
	expect("edge", sample(a, t, "texld", 0, 0.25f, 9, 9).colour[0], (float[]){0, 10, 20, 30}, 15);
	t.clamp = false;
	expect("seam", sample(a, t, "texld", 0, 0.25f, 9, 9).colour[0], (float[]){1, 11, 21, 31}, 15);
	expect("far away", sample(a, t, "texld", 1e30f, NAN, 9, 9).colour[0], (float[]){0}, 0);
	struct interp_texture textures[INTERP_SAMPLERS] = {{TEXTURE_2D, 3, 2, 1, false, false, false, texels}};
	struct interp_scene scene = {.texture = textures, .flat_w = true, .w = {1, 1, 1}};
	expect("turned", draw(a, "vs_3_0\ndcl_position v0\ndcl_position o0\nmov o0, v0\n",
	                      "ps_3_0\ndef c0, 0.5, 0.25, 0, 0\ndcl_2d s0\nmov oC0, c0\ntexld oC0.xyz, c0, s0.wzyx\n", &scene, 0, 0).colour[0],
	       (float[]){31, 21, 11, 0}, 15);
	scene.texture = NULL;
	expect("no texture", draw(a, VS, "ps_2_0\ndcl_2d s0\nmov r0, c0\ntexld r0, r0, s0\nmov oC0, r0\n", &scene, 0, 0).colour[0],
	       (float[]){0, 0, 0, 1}, 15);
}

ARENA_TEST(cubes_and_volumes)
{
	struct arena *a = *state;
	float texels[6 * 4 * LANES];
	for (unsigned k = 0; k < 24; k++)
		for (unsigned l = 0; l < LANES; l++)
			texels[k * LANES + l] = (float)k;
	struct interp_texture cube = {TEXTURE_CUBE, 2, 2, 1, false, false, false, texels};
	/* Six faces of 2 x 2: the face is the value / 4, the column its bit 0, the row its bit 1. */
	static const struct { float at[3], want; } rows[] = {
		{{1, 0.5f, 0.5f}, 0}, {{1, 0.5f, -0.5f}, 1}, {{1, -0.5f, 0.5f}, 2}, {{-2, 0.5f, -0.5f}, 4}, {{-2, 0.5f, 0.5f}, 5},
		{{0.5f, 3, 0.5f}, 11}, {{-0.5f, 3, -0.5f}, 8}, {{0.5f, -3, -0.5f}, 15}, {{-0.5f, -3, 0.5f}, 12},
		{{-0.5f, 0.5f, 1}, 16}, {{0.5f, -0.5f, 1}, 19}, {{0.5f, 0.5f, -1}, 20}, {{-0.5f, 0.5f, -1}, 21},
	};
	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
		float want[LANES] = {rows[k].want, rows[k].want, rows[k].want, rows[k].want};
		expect("cube", sample(a, cube, "texld", rows[k].at[0], rows[k].at[1], rows[k].at[2], 0).colour[0], want, 15);
	}
	cube.linear = true;
	expect("face centre", sample(a, cube, "texld", 5, 0, 0, 0).colour[0], (float[]){1.5f, 1.5f, 1.5f, 1.5f}, 15);
	expect("no direction", sample(a, cube, "texld", 0, 0, 0, 0).colour[0], (float[]){1.5f, 1.5f, 1.5f, 1.5f}, 15);
	struct interp_texture volume = {TEXTURE_VOLUME, 2, 3, 4, false, false, false, texels};
	expect("voxel", sample(a, volume, "texld", 0.75f, 0.5f, 0.6f, 0).colour[0], (float[]){15, 15, 15, 15}, 15);
	volume.linear = true;
	expect("between", sample(a, volume, "texld", 0.5f, 0.5f, 0.5f, 0).colour[0], (float[]){11.5f, 11.5f, 11.5f, 11.5f}, 15);
}

/* --- precision and measuring ------------------------------------------------------ */

ARENA_TEST(fp24)
{
	struct arena *a = *state;
	float ps_const[INTERP_CONSTS][LANES] = {{1 + 0x1p-15f, 1 + 0x1p-20f, 1e20f, 1.0f / 3}};
	struct interp_scene scene = {.ps_const = (const float (*)[LANES])ps_const, .flat_w = true, .w = {1, 1, 1}, .fp24 = true};
	struct drawn d = draw(a, VS, "ps_2_0\nmov r0, c0\nmov oC0, r0\n", &scene, 0, 0);
	assert_true(d.colour[0][0] == 1 + 0x1p-15f);
	assert_true(d.colour[0][1] == 1);
	assert_true(fabsf(d.colour[0][2] / 1e20f - 1) < 0x1p-16f);
	assert_true(d.colour[0][3] != 1.0f / 3 && fabsf(d.colour[0][3] * 3 - 1) <= 0x1p-16f);
}

#define VS2 "vs_1_1\ndcl_position v0\ndcl_texcoord0 v1\nmov oPos, v0\n"

static struct measured measure_text(struct arena *a, const char *vs1, const char *ps1, const char *vs2, const char *ps2)
{
	struct const_map map = {.vs = 7, .ps = 0};
	struct measure_options o = {.context = {.consts = &map, .nconsts = 1}, .primitives = 8};
	struct pair old = {parse_one(a, vs1), parse_one(a, ps1)}, new = {parse_one(a, vs2), parse_one(a, ps2)};
	return measure(a, old, new, &o);
}

ARENA_TEST(measuring)
{
	struct arena *a = *state;
	const char *plain = VS2 "mov oT0, v1\n", *ps1 = "ps_2_0\ndcl t0\nadd r0, t0, c0\nmov oC0, r0\n";
	const char *moved = VS2 "add oT0, v1, c7\n", *ps2 = "ps_2_0\ndcl t0\nmov r0, t0\nmov oC0, r0\n";
	struct measured m = measure_text(a, plain, ps1, moved, ps2);
	assert_true(m.within);
	assert_int_equal(measured_verdict(&m), MEASURED_WITHIN);
	assert_int_equal(m.compared, m.pixels);
	assert_null(m.why);
	assert_int_equal(m.pixels, 8 * 128);
	assert_int_equal(m.lanes, 8); /* oC0 and oPos */
	assert_int_equal(m.lane[0].file, REG_PIXEL_OUT);
	assert_true(m.lane[0].new_abs > 0 && m.lane[0].new_abs < 1e-6);
	assert_true(m.lane[0].apart < 1e-12);
	assert_true(m.lane[4].file == REG_POS_OUT && m.lane[4].new_abs == 0);
	/* A small error in one lane. */
	m = measure_text(a, plain, ps1, VS2 "add oT0.xyw, v1, c7\nmad oT0.z, v1, c7.x, c7\n", ps2);
	assert_false(m.within);
	assert_non_null(strstr(m.why, "oC0.z"));
	assert_true(m.lane[2].apart > 0.01 && m.lane[1].apart < 1e-12);
	assert_true(m.remedy == REMEDY_NONE && m.at.file == REG_PIXEL_OUT && m.at.lane == LANE_Z);
	/* The same function, which rounds differently. */
	m = measure_text(a, plain, ps1, VS2 "add oT0, v1, c7\n",
	                 "ps_2_0\ndef c9, 1000000, 0, 0, 0\ndcl t0\nadd r0, t0, c9.x\nsub r0, r0, c9.x\nmov oC0, r0\n");
	assert_true(!m.within && m.remedy == REMEDY_TOLERANCE && m.at.file == REG_PIXEL_OUT && m.at.lane == LANE_X);
	/* Differing outputs, vertices and kills. */
	m = measure_text(a, plain, ps1, plain, "ps_2_0\ndcl t0\nadd r0, t0, c0\nmov oC0, r0\nmov oC1, r0\n");
	assert_false(m.within);
	m = measure_text(a, plain, ps1, "vs_1_1\ndcl_position v0\ndcl_texcoord0 v1\nmov oPos, v1\nmov oT0, v1\n", ps1);
	assert_false(m.within);
	assert_non_null(strstr(m.why, "oPos.x"));
	m = measure_text(a, plain, "ps_2_0\ndcl t0\nadd r0, t0, -c0\ntexkill r0\nmov oC0, r0\n", plain,
	                 "ps_2_0\ndcl t0\nadd r0, t0, -c0\ntexkill t0\nmov oC0, r0\n");
	assert_false(m.within);
	assert_true(m.kills_apart > 0);
	assert_int_equal(measured_verdict(&m), MEASURED_TOO_FAR);
}

/* Checks that a tie is not reported as lost if the old constant was inexact, too: it was multiplied by a literal 1 from an
 * interpolator.  The proof agrees. */
ARENA_TEST(a_literal_1_of_the_vertex_program_is_inexact)
{
	static const char vs1[] = "vs_1_1\ndcl_position v0\ndcl_texcoord0 v1\ndef c4, 1, 0, 0, 0\nmov oPos, v0\nmov oT0.xyz, v1\nmov oT0.w, c4.x\n";
	static const char vs2[] = "vs_1_1\ndcl_position v0\ndcl_texcoord0 v1\ndef c4, 1, 0, 0, 0\nmov oPos, v0\nmov oT0.xyz, v1\nmov oT0.w, c4.x\nmov oT1.x, c9.w\n";
	static const char head[] = "ps_2_0\ndcl t0\ndcl_2d s0\ndcl_2d s1\n";
	struct arena *a = *state;
	const char *ps1 = arena_printf(a, "%s%s", head, "mov r3, t0\ndp3_sat r0.w, r3, c2\nmad r1.y, c0.w, r3.w, r0.w\ntexld r2, t0, s0\n"
	                                                "mov r1.x, r2.w\ntexld r1, r1, s1\nmul r0.w, c0.w, r3.w\nmul r1, r1, r0.w\nmov oC0, r1\n");
	const char *ps2 = arena_printf(a, "%s%s", head, "dcl t1.x\nmov r3, t0\ndp3_sat r0.w, r3, c2\nadd r1.y, t1.x, r0.w\ntexld r2, t0, s0\n"
	                                                "mov r1.x, r2.w\ntexld r1, r1, s1\nmul r1, r1, t1.x\nmov oC0, r1\n");
	struct const_map const map = {.vs = 9, .ps = 0};
	struct program *const old[2] = {parse_one(a, vs1), parse_one(a, ps1)};
	struct program *const new[2] = {parse_one(a, vs2), parse_one(a, ps2)};
	struct measure_options o = {.primitives = 1000, .context = {.consts = &map, .nconsts = 1, .plain_textures = UINT_MAX}};
	struct proof const proof = prove(a, (struct pair){old[0], old[1]}, (struct pair){new[0], new[1]}, &o.context);
	assert_true(proof.equal);
	assert_int_equal(measure(a, (struct pair){old[0], old[1]}, (struct pair){new[0], new[1]}, &o).ties_lost, 0);
}

/* Checks that a division by 0 counts only if its result is read. */
ARENA_TEST(dead_work_divides_by_nothing)
{
	static const char vs[] = "vs_1_1\ndcl_position v0\nmov oPos, v0\nmov oT0, v0\n", ps[] = "ps_2_0\ndcl t0\nmov oC0, t0\n";
	static const char dead[] = "ps_2_0\ndef c9, 0, 0, 0, 0\ndcl t0\nrcp r0.x, c9.x\nmov r0.x, t0\nmov oC0, t0\n";
	static const char live[] = "ps_2_0\ndef c9, 0, 0, 0, 0\ndcl t0\nrcp r0.x, c9.x\nmin r0, t0, r0.x\nmov oC0, r0\n";
	assert_int_equal(measure_text(*state, vs, ps, vs, dead).undefined, 0);
	assert_true(measure_text(*state, vs, ps, vs, live).undefined > 0);
}

/* Checks that colours of killed pixels, and those that are not finite, are not compared, and that the verdict says so. */
ARENA_TEST(verdicts_say_what_was_seen)
{
	static const char *const some[] = {"sub r0, t0, c9.x\ntexkill r0\n", "mul r0, t0, c9.y\nexp r0, r0.x\n"};
	for (unsigned k = 0; k < 2; k++) {
		const char *half = arena_printf(*state, "ps_2_0\ndef c9, 0.2, 250, 0, 0\ndcl t0\n%smov oC0, r0\n", some[k]);
		struct measured m = measure_text(*state, VS2 "mov oT0, v1\n", half, VS2 "mov oT0, v1\n", half);
		assert_true(m.within && m.compared > m.pixels / 16 && m.compared < m.pixels - m.pixels / 100);
		assert_true(k || (m.killed > 0 && m.compared + m.killed == m.pixels));
		assert_int_equal(measured_verdict(&m), MEASURED_PARTLY);
	}
	const char *none = "ps_2_0\ndef c9, -1, 0, 0, 0\ndcl t0\nmov r0, c9.x\ntexkill r0\nmov oC0, t0\n";
	struct measured m = measure_text(*state, VS2 "mov oT0, v1\n", none, VS2 "mov oT0, v1\n", none);
	assert_int_equal(m.killed, m.pixels);
	assert_int_equal(measured_verdict(&m), MEASURED_TOO_FEW);
}

/* Checks a position within the tolerance, but not equal in the last bit. */
ARENA_TEST(positions_are_compared_bit_for_bit)
{
	struct arena *a = *state;
	const char *const sums[2] = {"vs_1_1\ndcl_position v0\nadd r0, v0, c1\nadd oPos, r0, c2\nmov oT0, v0\n",
	                             "vs_1_1\ndcl_position v0\nadd r0, v0, c2\nadd oPos, r0, c1\nmov oT0, v0\n"};
	const struct program *ps = parse_one(a, "ps_2_0\ndcl t0\nmov oC0, t0\n");
	struct pair old = {parse_one(a, sums[0]), ps}, new = {parse_one(a, sums[1]), ps};
	struct measure_options o = {.primitives = 8};
	struct measured m = measure(a, old, new, &o);
	assert_false(m.within);
	assert_true(m.positions_apart > 0 && m.positions_apart < 24);
	assert_non_null(strstr(m.why, "last bits"));
	o.context.free_position = true;
	assert_true(measure(a, old, new, &o).within);
	m = measure(a, old, old, &(struct measure_options){.primitives = 8});
	assert_true(m.within && m.positions_apart == 0);
}

ARENA_TEST(flips_are_not_errors)
{
	struct arena *a = *state;
	/* 3 - 10 * 0.3 is 0 in float, and below it in double. */
	const char *ps1 = "ps_2_0\ndef c1, 3, 10, 0.3, 0\ndcl t0\nmov r0, c1\nmul r1, r0.y, r0.z\nsub r1, r0.x, r1\n"
	                  "cmp r0, r1, t0, -t0\nmov oC0, r0\n";
	struct measured m = measure_text(a, VS2 "mov oT0, v1\n", ps1, VS2 "mov oT0, v1\n", ps1);
	assert_true(m.within);
	assert_int_equal(m.old_flips, m.pixels);
	assert_int_equal(m.new_flips, m.pixels);
	assert_int_equal(m.compared, 0);
	assert_int_equal(measured_verdict(&m), MEASURED_TOO_FEW);
	assert_int_equal(m.left_out, m.pixels);
	/* frc of an integer is unstable, whatever its rounding. */
	ps1 = "ps_2_0\ndef c1, 3, 10, 0.3, 0\ndcl t0\nmov r0, c1.x\nfrc r0, r0\nmul r0, r0, t0\nmov oC0, r0\n";
	m = measure_text(a, VS2 "mov oT0, v1\n", ps1, VS2 "mov oT0, v1\n", ps1);
	assert_int_equal(m.old_flips, 0);
	assert_int_equal(m.left_out, m.pixels);
	/* So is a value that a rounding error takes over an integer, at every pixel. */
	ps1 = "ps_2_0\ndef c1, 3.0000002, 0, 0, 0\ndcl t0\nfrc r0.x, c1.x\nmul r0, r0.x, t0\nmov oC0, r0\n";
	m = measure_text(a, VS2 "mov oT0, v1\n", ps1, VS2 "mov oT0, v1\n", ps1);
	assert_int_equal(m.old_flips, 0);
	assert_int_equal(m.left_out, m.pixels);
	/* So is an edge between two texels, also for the larger of two inexact coordinates. */
	for (unsigned k = 0; k < 2; k++) {
		const char *at = k ? "0.97" : "1", *other = k ? "0.9" : at; /* only an edge lets a wrong texel be ignored */
		const char *read = "max r0.xy, c9, c9\ntexld r0, r0, s2\nmov oC0, r0\n";
		m = measure_text(a, VS2, arena_printf(a, "ps_2_0\ndcl_2d s2\ndef c9, %s, 0.63, 0, 0\n%s", at, read), VS2 "mov oT0, v1\n",
		                 arena_printf(a, "ps_2_0\ndcl t0\ndcl_2d s2\ndef c9, %s, 0.63, 0, 0\n%s", other, read));
		assert_true(m.within == !k);
		assert_int_equal(m.left_out, k ? 0 : m.pixels);
	}
	/* So is 0 if a clamp hides that it may be below 0. */
	const char *vs1 = "vs_1_1\ndcl_position v0\ndef c9, -1, 0, 0, 0\nmov oPos, v0\nmov oT0, c9.x\n";
	ps1 = "ps_2_0\ndcl t0\ndcl_2d s2\ndef c9, 1, -0.5, 0.63, 0\nadd_sat r0.y, c9.x, t0\nmov r0.x, c9.z\nmov r0.w, c9.y\n"
	      "texldp r0, r0, s2\nmov oC0, r0\n";
	m = measure_text(a, vs1, ps1, vs1, ps1);
	assert_int_equal(m.left_out, m.pixels);
	/* A value that overflows proves nothing. */
	m = measure_text(a, VS2 "mov oT0, v1\n", "ps_2_0\ndef c1, 200, 0, 0, 0\ndcl t0\nexp r0, c1.x\nmov oC0, r0\n", VS2 "mov oT0, v1\n",
	                 "ps_2_0\ndef c1, 200, 0, 0, 0\ndcl t0\nexp r0, c1.x\nmov oC0, r0\n");
	assert_true(m.within);
	assert_true(m.wild > 0);
}

/* Checks that a texture that may be one of depths is treated as one in some draws, and shows another .z. */
ARENA_TEST(depths_are_compared)
{
	struct arena *a = *state;
	const char *vs = VS2 "mov oT0, v1\n", *ps = "ps_2_0\ndcl t0.xyz\ndcl_2d s0\ntexld r0, t0, s0\nmov oC0, r0\n";
	assert_true(measure_text(a, vs, ps, vs, ps).within);
	assert_false(measure_text(a, vs, ps, VS2 "mov oT0, v1.xyxw\n", ps).within);
	const char *two = "ps_2_0\ndcl t0.xy\ndcl_2d s0\ntexld r0, t0, s0\nmov oC0, r0\n";
	assert_true(measure_text(a, vs, two, VS2 "mov oT0, v1.xyxw\n", ps).within);
	const char *bias = "ps_2_0\ndcl t0\ndcl_2d s0\ndef c0, 0, 0, -0.0005, 0\nadd r0, t0, c0\ntexldp r0, r0, s0\nmov oC0, r0\n";
	const char *more = "ps_2_0\ndcl t0\ndcl_2d s0\ndef c0, 0, 0, -0.7, 0\nadd r0, t0, c0\ntexldp r0, r0, s0\nmov oC0, r0\n";
	assert_true(measure_text(a, vs, bias, vs, bias).within);
	assert_false(measure_text(a, vs, bias, vs, more).within);
}

ARENA_TEST(luck_is_no_measure)
{
	struct arena *a = *state;
	/* c0 - c0 is exactly 0, until c0 comes through an interpolator. */
	const char *vs = VS2 "mov oT0, v1\n", *moved = VS2 "mov oT0, v1\nmov oT1, c7\n";
	struct measured m = measure_text(a, vs, "ps_2_0\nmov r0, c0\nsub r0, r0, c0\nmov oC0, r0\n", moved,
	                                 "ps_2_0\ndcl t1\nsub r0, t1, c0\nmov oC0, r0\n");
	assert_true(m.within);
	assert_true(m.lane[0].old_abs == 0 && m.lane[0].new_abs > 0 && m.lane[0].noise > 1e-8);
	/* The same holds for r0 - r0, until one of the two does. */
	m = measure_text(a, vs, "ps_2_0\nmov r0, c0\nsub r0, r0, r0\nmov oC0, r0\n", moved,
	                 "ps_2_0\ndcl t1\nsub r0, t1, c0\nmov oC0, r0\n");
	assert_true(m.within && m.lane[0].gain == 0 && m.lane[0].new_abs > 0);
	/* 3 x / x near the root of x = t0.x - 0.5, where one x comes through an interpolator, and the same without a root: there an
	 * error as large as the first is no rounding error. */
	static const char quotient[] = "def c9, -0.5, 2, 3, 3.0001\ndcl t0.xy\nadd r1.xy, t0, c9\nmul r2.xy, r1, c9.z\n%s"
	                               "rcp r3.x, r1.x\nrcp r3.y, r1.y\nmul r0.xy, r2, r3\nmov r0.zw, c9\nmov oC0, r0\n";
	const char *old = arena_printf(a, quotient, "");
	moved = VS2 "def c9, -0.5, 2, 3, 3.0001\nmov oT0, v1\nadd r0.xy, v1, c9\nmul oT1.x, r0.x, c9.z\nmul oT1.y, r0.y, c9.w\n";
	m = measure_text(a, vs, arena_printf(a, "ps_2_0\n%s", old), moved,
	                 arena_printf(a, "ps_2_0\ndcl t1.xy\n%s", arena_printf(a, quotient, "mov r2.x, t1\n")));
	assert_true(m.within && m.lane[0].new_abs > 1e-4 && m.lane[0].noise > 1e-5 && m.lane[1].new_abs < 1e-6);
	m = measure_text(a, vs, arena_printf(a, "ps_2_0\n%s", old), moved,
	                 arena_printf(a, "ps_2_0\ndcl t1.xy\n%s", arena_printf(a, quotient, "mov r2.xy, t1\n")));
	assert_true(m.lane[0].within && !m.lane[1].within && m.lane[1].new_abs <= m.lane[0].new_abs);
	/* An error in a factor grows with the other factor. */
	moved = VS2 "mov oT0, v1\nmov oT1, c7\n";
	static const char power[] = "add r0, %s, c9\nmul r0, r0, r0\nmul r0, r0, r0\nmul r0, r0, r0\nmul r0, r0, r0\nmul r0, r0, r0\n"
	                            "mul r0, r0, r0\nmov oC0, r0\n";
	m = measure_text(a, vs, arena_printf(a, "ps_2_0\ndef c9, 0, 0, 0, 0\ndcl t0\nmov r1, c0\n%s", arena_printf(a, power, "r1")),
	                 moved, arena_printf(a, "ps_2_0\ndef c9, 0, 0, 0, 0\ndcl t1\n%s", arena_printf(a, power, "t1")));
	assert_true(m.within && m.lane[1].noise > 64 * 0x1p-23 * m.lane[1].gain && m.lane[3].noise > 64 * 0x1p-23 * m.lane[3].gain);
	/* Half a thousandth is more than a rounding error. */
	m = measure_text(a, vs, "ps_2_0\nmov r0, c0\nsub r0, r0, c0\nmov oC0, r0\n", moved,
	                 "ps_2_0\ndef c9, 1.0005, 0, 0, 0\ndcl t1\nmov r0, c0\nmad r0, t1, -c9.x, r0\nmov oC0, r0\n");
	assert_false(m.within);
}

ARENA_TEST(what_has_no_digit_says_nothing)
{
	struct arena *a = *state;
	/* (c0 + t0) - t0 - c0 is 0 or a rounding error; a division by it gives any value. */
	static const char *const divide[] = {"rcp r1, r1.x", "rsq r1, r1.x", "log r1, r1.x", "pow r1, r1.x, c1.x",
	                                     "nrm r2.xyz, r1\nmov r2.w, c1\nmov r1, r2", "texldp r1, r1, s0"};
	for (unsigned k = 0; k < sizeof divide / sizeof *divide; k++) {
		const char *ps1 = arena_printf(a, "ps_2_0\ndcl t0\ndcl_2d s0\nadd r1, t0, c0\nsub r1, r1, t0\nsub r1, r1, c0\n%s\nmov oC0, r1\n", divide[k]);
		const char *ps2 = arena_printf(a, "ps_2_0\ndcl t0\ndcl_2d s0\nsub r1, c0, t0\nadd r1, r1, t0\nsub r1, r1, c0\n%s\nmov oC0, r1\n", divide[k]);
		struct measured m = measure_text(a, VS2 "mov oT0, v1\n", ps1, VS2 "mov oT0, v1\n", ps2);
		if (!m.within || m.left_out != m.pixels)
			fail_msg("%s: %s, %u of %u left out", divide[k], m.why, (unsigned)m.left_out, (unsigned)m.pixels);
		/* A value with all its digits is measured. */
		ps1 = arena_printf(a, "ps_2_0\ndcl t0\ndcl_2d s0\nadd r1, t0, c0\n%s\nmov oC0, r1\n", divide[k]);
		ps2 = arena_printf(a, "ps_2_0\ndcl t0\ndcl_2d s0\nadd r1, t0, c0.yzxw\n%s\nmov oC0, r1\n", divide[k]);
		m = measure_text(a, VS2 "mov oT0, v1\n", ps1, VS2 "mov oT0, v1\n", ps2);
		if (m.within || m.left_out > m.pixels / 2)
			fail_msg("%s: within, %u of %u left out", divide[k], (unsigned)m.left_out, (unsigned)m.pixels);
	}
	/* x - x, when x is infinite; 0^0, a macro of log and exp. */
	const char *zero = "ps_2_0\ndef c9, 0, 0, 0, 0\nmov r0, c9\nmov oC0, r0\n";
	struct measured m = measure_text(a, VS2, "ps_2_0\ndef c9, 0, 0, 0, 0\nrcp r0, c9.x\nsub r0, r0, r0\nmov oC0, r0\n", VS2, zero);
	assert_true(m.within && m.left_out == m.pixels);
	m = measure_text(a, VS2, "ps_2_0\ndef c9, 0, 0, 0, 0\nmov r1, c9\npow r0, r1.x, c9.x\nmov oC0, r0\n", VS2, zero);
	assert_true(m.within && m.wild > 0);
	/* The edge between two faces of a cube. */
	m = measure_text(a, VS2, "ps_2_0\ndef c9, 2, 0, 2, 0\ndcl_cube s0\nmov_sat r0, c9\ntexld r0, r0, s0\nmov oC0, r0\n",
	                 "vs_1_1\ndcl_position v0\ndcl_texcoord0 v1\ndef c9, 1, 0, 0, 0\nmov oPos, v0\nmov oT0.x, c9.x\n",
	                 "ps_2_0\ndef c9, 2, 0, 2, 0\ndcl t0.x\ndcl_cube s0\nmov_sat r0, c9\nmov r0.x, t0\ntexld r0, r0, s0\nmov oC0, r0\n");
	assert_true(m.left_out == m.pixels && m.lane[0].apart == 0);
	assert_int_equal(m.remedy, REMEDY_FREE_TIES);
	assert_true(m.at.file == REG_PIXEL_OUT && m.at.index == 0);
	assert_true(!m.within && m.ties_lost > 0); /* such an edge is exact by itself, and an interpolator makes it inexact */
	/* A new pair that divides by 0 where the old one did not. */
	m = measure_text(a, VS2, "ps_2_0\ndef c9, 1, 0, 0, 0\nmov r0, c9.x\nmov oC0, r0\n", VS2,
	                 "ps_2_0\ndef c9, 0, 1, 0, 0\nrcp r0, c9.x\nmin r0, r0, c9.y\nmov oC0, r0\n");
	assert_int_equal(m.undefined, m.pixels);
	assert_true(m.lane[0].apart == 0);
}
