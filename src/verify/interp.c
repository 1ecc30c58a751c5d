/* The interpreter in float and in double: draws triangles, and measures errors, see interp.h. */
#include "verify/machine.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include <tgmath.h>

#define BLOCK 128

#define REAL float
#define NAME(x) x##_float
#include "verify/machine_body.h"
#include "verify/triangle_body.h"
#undef REAL
#undef NAME

#define REAL double
#define NAME(x) x##_double
#include "verify/machine_body.h"
#include "verify/triangle_body.h"
#undef REAL
#undef NAME

void interp_draw(struct arena *arena, struct pair pair, const struct interp_scene *scene,
                 const struct interp_pixels *pixels)
{
	struct rasterizer_float *r = rasterizer_new_float(arena, pair);
	set_up_float(r, scene);
	for (uint32_t from = 0; from < pixels->n; from += BLOCK) {
		uint32_t n = pixels->n - from < BLOCK ? pixels->n - from : BLOCK;
		float weight[2][BLOCK] = {{0}};
		for (unsigned v = 0; v < 2; v++)
			memcpy(weight[v], pixels->weight[v] + from, n * sizeof(float));
		shade_float(r, weight[0], weight[1]);
		for (unsigned t = 0; t < INTERP_TARGETS; t++)
			for (unsigned l = 0; l < LANES; l++)
				if (pixels->colour[t][l] && r->ps->out_written[MACHINE_PIXEL + t] >> l & 1)
					memcpy(pixels->colour[t][l] + from, r->ps->out[MACHINE_PIXEL + t][l],
					       n * sizeof(float));
		if (pixels->depth && r->ps->out_written[MACHINE_DEPTH])
			memcpy(pixels->depth + from, r->ps->out[MACHINE_DEPTH][0], n * sizeof(float));
		if (pixels->killed)
			memcpy(pixels->killed + from, r->ps->killed, n * sizeof(bool));
		for (uint32_t k = 0; pixels->undefined && k < n; k++)
			pixels->undefined[from + k] = r->ps->wild[k] || r->vs->wild[0] || r->vs->wild[1] || r->vs->wild[2];
	}
}

void interp_set_presets(struct arena *arena, const struct folded *folds, uint32_t n, const float (*ps)[LANES],
                        float (*vs_to)[LANES], float (*ps_to)[LANES])
{
	struct arena_mark before = arena_mark(arena);
	struct machine_double *m = NULL;
	for (uint32_t k = 0; k < n; k++) {
		const struct folded *f = &folds[k];
		if (!f->preset)
			continue;
		if (!m)
			m = arena_zero(arena, sizeof *m);
		for (unsigned c = 0; c < MACHINE_CONSTS; c++)
			for (unsigned l = 0; l < LANES; l++)
				m->constant[c][l] = (double)ps[c][l];
		load_double(m, f->expr);
		run_double(m, (double)NAN);
		double value = m->temp[f->temp][f->temp_lane][0];
		/* Cuts the preset to the range of finite floats, as the C functions that print_c.c writes do. */
		value = value > (double)FLT_MAX ? (double)FLT_MAX : value < -(double)FLT_MAX ? -(double)FLT_MAX : value;
		(f->stage == STAGE_VERTEX ? vs_to : ps_to)[f->index][f->lane] = (float)value;
	}
	arena_release(arena, before);
}

/* --- measuring -------------------------------------------------------------------- */

/* Returns true if the lane is an output of the vertex program, so that it has a value for each of three vertices. */
static bool lane_is_of_vertices(const struct lane_error *e)
{
	return e->file != REG_PIXEL_OUT && e->file != REG_DEPTH_OUT;
}

/* Lists those output lanes that the pair writes and whose errors are measured, and returns their number. */
static unsigned list_lanes(struct lane_error *list, struct pair pair)
{
	static const struct { enum reg_file file; int registers; } files[] = {
		{REG_PIXEL_OUT, INTERP_TARGETS}, {REG_DEPTH_OUT, 1}, {REG_POS_OUT, 1}, {REG_FOG_OUT, 1}, {REG_SIZE_OUT, 1},
	};
	unsigned n = 0;
	for (unsigned f = 0; f < sizeof files / sizeof *files; f++) {
		lanes written[INTERP_TARGETS] = {0};
		const struct program *p = f < 2 ? pair.ps : pair.vs;
		for (uint32_t k = 0; k < p->instrs.n; k++) {
			const struct instr *i = &p->instrs.at[k];
			if (instr_writes(i) && i->dst.file == files[f].file)
				written[i->dst.index] |= reg_files[files[f].file].scalar ? MASK_X : i->dst.mask;
			for (int o = 0; f >= 2 && i->dst.file == REG_LINKED && o < MACHINE_INPUTS; o++)
				if (machine_linked_output(p, o) == machine_output(files[f].file, 0))
					written[0] |= reg_files[files[f].file].scalar ? MASK_X : i->dst.mask;
		}
		for (int index = 0; index < files[f].registers; index++)
			for (unsigned l = 0; l < LANES; l++)
				if (written[index] >> l & 1)
					list[n++] = (struct lane_error){.file = files[f].file, .index = index, .lane = l};
	}
	return n;
}

/* SHAKE is the error of operands in shaken machines (which run with wrong operands on purpose), as a multiple of a float's rounding. */
enum { SHAKE = 4, PRIMITIVES = 64, TEXTURE_SIZE = 16, TEXELS = TEXTURE_SIZE * TEXTURE_SIZE * TEXTURE_SIZE };

/* Returns a random number in [0, 1). */
static float random_part(uint64_t *state)
{
	*state += UINT64_C(0x9e3779b97f4a7c15);
	uint64_t x = (*state ^ *state >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return (float)((x ^ x >> 31) >> 40) * 0x1p-24f;
}

static void random_constants(uint64_t *state, float (*to)[LANES])
{
	for (unsigned c = 0; c < INTERP_CONSTS; c++)
		for (unsigned l = 0; l < LANES; l++)
			to[c][l] = random_part(state) * 2 - 1;
}

/* Sets b# and i# at random; i# get small counts and steps of 1, so that aL addresses registers that exist.  Takes no random numbers for
 * pairs without flow control, which read neither. */
static void random_switches(uint64_t *state, struct pair pair, struct interp_switches to[2])
{
	memset(to, 0, 2 * sizeof *to);
	for (unsigned n = 0; pair_flows(pair) && n < 2 * INTERP_SWITCHES; n++) {
		struct interp_switches *s = &to[n / INTERP_SWITCHES];
		s->truth[n % INTERP_SWITCHES] = random_part(state) < 0.5f;
		s->integer[n % INTERP_SWITCHES][LANE_X] = (int32_t)(random_part(state) * 5);
		s->integer[n % INTERP_SWITCHES][LANE_Y] = (int32_t)(random_part(state) * 4);
		s->integer[n % INTERP_SWITCHES][LANE_Z] = 1;
	}
}

/* Returns the samplers of a pair that may have depth textures. */
static unsigned samplers_of_depths(struct arena *arena, struct pair pair, unsigned plain)
{
	return (pair_flows(pair) ? depth_samplers_beside_blocks : depth_samplers)(arena, pair, plain);
}

/* Makes a random texture for each sampler; all share the texels.  Of the samplers in `depths`, about half get a depth texture. */
static void random_textures(uint64_t *state, const struct program *ps, unsigned depths, const float *texels,
                            struct interp_texture to[INTERP_SAMPLERS])
{
	for (unsigned s = 0; s < INTERP_SAMPLERS; s++) {
		to[s] = (struct interp_texture){.kind = (enum texture)ps->samplers[s], .width = TEXTURE_SIZE,
		                                .height = TEXTURE_SIZE, .depth = TEXTURE_SIZE, .texels = texels};
		to[s].linear = random_part(state) < 0.5f;
		to[s].clamp = random_part(state) < 0.5f;
		to[s].compares = depths >> s & 1 && random_part(state) < 0.5f;
	}
}

/* Makes a random triangle in perspective.  Its attributes are in [0, 1), since most are texture coordinates and colours. */
static void random_triangle(uint64_t *state, struct interp_scene *scene)
{
	scene->flat_w = true;
	for (unsigned v = 0; v < 3; v++) {
		scene->w[v] = 0.5f + 2 * random_part(state);
		for (unsigned n = 0; n < INTERP_INPUTS; n++)
			for (unsigned l = 0; l < LANES; l++)
				scene->vertex[v][n][l] = random_part(state);
	}
}

static void random_places(uint64_t *state, float weight[2][BLOCK])
{
	for (unsigned k = 0; k < BLOCK; k++) {
		float a = random_part(state), b = random_part(state);
		weight[0][k] = a < b ? a : b;
		weight[1][k] = a < b ? b - a : a - b;
	}
}

struct runs {
	struct rasterizer_float *narrow[2]; /* the old and the new pair in float */
	/* The old and the new pair in double.  The old one has two shaken rasterizers beside it, whose operands are wrong by some
	 * roundings of a float, in opposite directions.  They show that a test of two equal numbers (c0 - c0 >= 0) is close to a flip. */
	struct rasterizer_double *wide[2];
	bool flipped[BLOCK], vertex_flipped;     /* two runs of one pair decided a cmp or the like differently, in the pixel or in a vertex */
	bool wild[BLOCK], vertex_wild;           /* there was an infinity, a NaN, or a divisor of which rounding leaves no digit */
	bool undefined[BLOCK], vertex_undefined; /* the new pair divides by 0, in the pixel or in a vertex */
	bool skipped[BLOCK];                     /* some colour or depth of the pixel was not compared */
};

static void find_flips(struct runs *r, struct measured *m)
{
	memset(r->flipped, 0, sizeof r->flipped);
	memset(r->wild, 0, sizeof r->wild);
	r->vertex_flipped = r->vertex_wild = false;
	for (unsigned side = 0; side < 2; side++) {
		const struct rasterizer_float *n = r->narrow[side];
		const struct rasterizer_double *w = r->wide[side], *truth = r->wide[0], *shaken = truth->shaken[side];
		bool of_vertex = n->decision != w->decision;
		r->vertex_flipped |= of_vertex || shaken->decision != truth->decision;
		r->vertex_wild |= n->size != w->size || shaken->vs->wild[0] || shaken->vs->wild[1] || shaken->vs->wild[2];
		for (unsigned k = 0; k < BLOCK; k++) {
			bool texel = n->ps->texel[k] != w->ps->texel[k];
			bool other = n->ps->decision[k] != w->ps->decision[k] || of_vertex;
			*(side ? &m->new_texel_flips : &m->old_texel_flips) += texel;
			*(side ? &m->new_flips : &m->old_flips) += other && !texel;
			r->flipped[k] |= texel || other || shaken->ps->texel[k] != truth->ps->texel[k] ||
			                 shaken->ps->decision[k] != truth->ps->decision[k];
			r->wild[k] |= shaken->ps->wild[k] || n->ps->size[k] != w->ps->size[k];
		}
	}
	const struct rasterizer_double *new = r->wide[1];
	r->vertex_undefined = new->vs->wild[0] || new->vs->wild[1] || new->vs->wild[2];
	unsigned doubtful = 0;
	for (unsigned k = 0; k < BLOCK; k++) {
		r->wild[k] |= r->vertex_wild;
		doubtful += r->wild[k] || r->flipped[k];
	}
	/* If nearly all pixels of a triangle are close to a flip, as after a test of constants, leaves out all: the others have no flip by
	 * luck only. */
	bool all = doubtful > BLOCK - BLOCK / 8;
	for (unsigned k = 0; k < BLOCK; k++) {
		r->flipped[k] |= all;
		r->undefined[k] = r->vertex_undefined || new->ps->wild[k];
		m->undefined += r->undefined[k] && !r->wild[k] && !r->flipped[k];
		r->flipped[k] |= r->vertex_flipped;
		m->left_out += r->flipped[k] || r->wild[k];
	}
}

static void raise_maximum(double *to, double x)
{
	if (!(x <= *to)) /* also true if x is NaN */
		*to = x;
}

static void compare_lane(struct runs *r, struct measured *m, struct lane_error *e)
{
	unsigned out = machine_output(e->file, e->index);
	bool vertices = lane_is_of_vertices(e);
	const double *truth = (vertices ? r->wide[0]->vs : r->wide[0]->ps)->out[out][e->lane];
	const double *wide = (vertices ? r->wide[1]->vs : r->wide[1]->ps)->out[out][e->lane];
	for (unsigned k = 0; k < (vertices ? 3 : BLOCK); k++) {
		const struct machine_float *old = vertices ? r->narrow[0]->vs : r->narrow[0]->ps;
		if (!isfinite(truth[k]) || fabs(truth[k]) > (double)FLT_MAX / 2 || !isfinite(old->out[out][e->lane][k]) ||
		    (vertices ? r->vertex_wild : r->wild[k])) {
			m->wild++;
			r->skipped[k] |= !vertices;
			continue;
		}
		if (!vertices && r->wide[0]->ps->killed[k]) {
			r->skipped[k] = true;
			continue;
		}
		raise_maximum(&e->gain, fabs(truth[k]));
		/* Leaves the pixel out for both pairs, so that the errors of both are those of the same pixels. */
		if (vertices ? r->vertex_flipped : r->flipped[k]) {
			r->skipped[k] |= !vertices;
			continue;
		}
		if (!(vertices ? r->vertex_undefined : r->undefined[k]))
			raise_maximum(&e->apart, fabs(wide[k] - truth[k]));
		for (unsigned side = 0; side < 2; side++) {
			const struct machine_float *narrow = vertices ? r->narrow[side]->vs : r->narrow[side]->ps;
			const struct rasterizer_double *shaken = r->wide[0]->shaken[side];
			raise_maximum(&e->noise, fabs((vertices ? shaken->vs : shaken->ps)->out[out][e->lane][k] - truth[k]) / (double)SHAKE);
			double error = fabs((double)narrow->out[out][e->lane][k] - truth[k]);
			raise_maximum(side ? &e->new_abs : &e->old_abs, error);
			if (truth[k] != 0)
				raise_maximum(side ? &e->new_rel : &e->old_rel, error / fabs(truth[k]));
		}
	}
}

static void compare_lanes(struct runs *r, struct measured *m)
{
	memset(r->skipped, 0, sizeof r->skipped);
	for (unsigned k = 0; k < m->lanes; k++)
		compare_lane(r, m, &m->lane[k]);
	for (unsigned k = 0; k < BLOCK; k++) {
		bool const killed = r->wide[0]->ps->killed[k];
		m->killed += killed;
		m->compared += !killed && !r->skipped[k];
	}
}

static void compare_kills(const struct runs *r, struct measured *m)
{
	for (unsigned k = 0; k < BLOCK; k++)
		if (!r->flipped[k] && !r->wild[k] && !r->undefined[k])
			m->kills_apart += r->wide[0]->ps->killed[k] != r->wide[1]->ps->killed[k];
}

/* Counts the vertices whose positions differ between the old and the new pair in any bit; two NaNs count as equal. */
static void compare_positions(const struct runs *r, struct measured *m)
{
	const struct machine_float *const vs[2] = {r->narrow[0]->vs, r->narrow[1]->vs};
	for (unsigned v = 0; v < 3; v++) {
		bool same = true;
		for (unsigned l = 0; l < LANES; l++) {
			if (!(vs[0]->out_written[MACHINE_POS] >> l & 1))
				continue;
			float const a = vs[0]->out[MACHINE_POS][l][v], b = vs[1]->out[MACHINE_POS][l][v];
			same &= memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
		}
		m->positions_apart += !same;
	}
}

/* Returns the factor by which texture reads of the program may multiply an error: filtering multiplies a coordinate's error by the
 * texture's size. */
static double texture_gain(const struct program *ps)
{
	for (uint32_t k = 0; k < ps->instrs.n; k++)
		if (ops[ps->instrs.at[k].op].flags & OPF_TEX && ps->instrs.at[k].op != OP_TEXKILL)
			return TEXTURE_SIZE;
	return 1;
}

/* Adds two shaken rasterizers to `r`: they run the same pair in double with operands that are slightly wrong. */
static void add_shaken(struct arena *arena, struct rasterizer_double *r, struct pair pair, bool fp24)
{
	for (unsigned side = 0; side < 2; side++) {
		struct rasterizer_double *s = r->shaken[side] = rasterizer_new_double(arena, pair);
		struct machine_double *const truth[2] = {r->vs, r->ps}, *const of[2] = {s->vs, s->ps};
		for (unsigned stage = 0; stage < 2; stage++) {
			truth[stage]->shaken[side] = of[stage];
			of[stage]->truth = truth[stage];
			of[stage]->mirrored = side ? truth[stage]->shaken[0] : NULL;
			of[stage]->jitter = (double)SHAKE * 0x1p-23 * (fp24 && stage ? 128 : 1);
		}
	}
}

/* Copies the old pair's constants to the new pair.  Then sets in each pair the constants that the application sets for that pair: VP constants
 * that are copies of FP constants, and presets. */
static void complete_constants(struct arena *arena, const struct measure_options *o, float (*constants)[INTERP_CONSTS][LANES])
{
	memcpy(constants[2], constants[0], 2 * sizeof *constants);
	const struct needs *given = o->context.given;
	for (uint32_t k = 0; given && k < given->consts.n; k++)
		memcpy(constants[0][given->consts.at[k].vs], constants[1][given->consts.at[k].ps], sizeof **constants);
	if (given)
		interp_set_presets(arena, given->folds.at, given->folds.n, (const float (*)[LANES])constants[3], constants[0], constants[1]);
	for (uint32_t k = 0; k < o->context.nconsts; k++)
		memcpy(constants[2][o->context.consts[k].vs], constants[1][o->context.consts[k].ps], sizeof **constants);
	interp_set_presets(arena, o->context.folds, o->context.nfolds, (const float (*)[LANES])constants[1], constants[2], constants[3]);
}

/* Sets `constants` at random: those of the old VP, the old FP, the new VP and the new FP, in this order. */
static void draw_all_constants(struct arena *arena, uint64_t *state, const struct measure_options *o, float (*constants)[INTERP_CONSTS][LANES])
{
	random_constants(state, constants[0]);
	random_constants(state, constants[1]);
	complete_constants(arena, o, constants);
}

/* --- pixels that only in the new pair depend on how interpolation rounds ---------- */

enum { DRAWS = 4, MORE_DRAWS = 40, COLOURS = INTERP_TARGETS * LANES, DEPTH = COLOURS, DRAWN = COLOURS + 1 };

struct image {
	float lane[DRAWN][BLOCK]; /* the lanes of oC0, then those of oC1 ..., then oDepth */
	bool killed[BLOCK], undefined[BLOCK];
};

static void draw_image(struct arena *arena, struct pair pair, const struct interp_scene *scene, float weight[2][BLOCK], struct image *to)
{
	struct interp_pixels pixels = {.n = BLOCK, .weight = {weight[0], weight[1]}, .depth = to->lane[DEPTH], .killed = to->killed,
	                               .undefined = to->undefined};
	for (unsigned l = 0; l < COLOURS; l++)
		pixels.colour[l / LANES][l % LANES] = to->lane[l];
	struct arena_mark const mark = arena_mark(arena);
	interp_draw(arena, pair, scene, &pixels);
	arena_release(arena, mark);
}

enum { KILLED = DRAWN, STEADY };

/* Returns the first lane in which two draws of pixel k differ by more than `share`, among lanes that are finite in the draw `first`.
 * Returns KILLED if only one draw kills the pixel, and STEADY if they agree. */
static unsigned differing_lane(const struct image *draw, const struct image *first, uint32_t k, float share)
{
	if (draw->killed[k] != first->killed[k])
		return KILLED;
	for (unsigned l = 0; l < DRAWN && !first->killed[k]; l++) {
		float const x = first->lane[l][k];
		if (isfinite(x) && !(fabsf(draw->lane[l][k] - x) <= share * (1 + fabsf(x))))
			return l;
	}
	return STEADY;
}

/* Returns a lane in which one of the DRAWS draws of pixel k differs from the first draw, see differing_lane(), or STEADY. */
static unsigned unsteady_lane(const struct image *draws, uint32_t k, float share)
{
	unsigned lane = STEADY;
	for (unsigned d = 1; d < DRAWS && lane == STEADY; d++)
		lane = differing_lane(&draws[d], &draws[0], k, share);
	return lane;
}

/* Returns true if further draws of the old pair, with other rounding errors, differ from its draw `first` in one of the pixels `lost`. */
static bool more_draws_differ(struct arena *arena, struct pair old, struct interp_scene scene, float weight[2][BLOCK],
                              const struct image *first, const bool *lost)
{
	struct image *more = arena_zero(arena, sizeof *more);
	bool differ = false;
	for (unsigned d = DRAWS; d < MORE_DRAWS && !differ; d++) {
		scene.off = 0x1p-22f;
		scene.draw = d;
		draw_image(arena, old, &scene, weight, more);
		for (uint32_t k = 0; k < BLOCK; k++)
			differ |= lost[k] && differing_lane(more, first, k, 1e-4f) != STEADY;
	}
	return differ;
}

static struct measured_lane name_lane(unsigned lane)
{
	if (lane == KILLED)
		return (struct measured_lane){REG_FILES, 0, 0};
	return lane == DEPTH ? (struct measured_lane){REG_DEPTH_OUT, 0, 0}
	                     : (struct measured_lane){REG_PIXEL_OUT, (int)(lane / LANES), lane % LANES};
}

/* Returns the number of pixels that depend on how interpolation rounds in the new pair, but not in the old one.  Draws one triangle several
 * times with both pairs, each in its scene.  In each draw the interpolated lanes in the scene's `are_off` have other errors in the last
 * digit.  Counts pixels on which the new pair's draws disagree: killed or not, or different by a hundredth, as when a cmp takes the other
 * side.  Returns 0 if draws of the old pair disagree on any pixel, or if one of its further draws (up to MORE_DRAWS in all) disagrees on a
 * counted pixel: three draws of a pixel on a tie agree by luck once in eight times.  Sets `*lane` to the first output that differs, with
 * REG_FILES for a texkill. */
static unsigned count_unsteady(struct arena *arena, const struct pair pairs[2], const struct interp_scene scenes[2], float weight[2][BLOCK],
                               struct measured_lane *lane)
{
	struct arena_mark const mark = arena_mark(arena);
	struct image *images = arena_zero(arena, 2 * DRAWS * sizeof *images);
	bool lost[BLOCK] = {false};
	unsigned count = 0;
	for (unsigned k = 0; k < 2 * DRAWS; k++) {
		struct interp_scene scene = scenes[k / DRAWS];
		scene.off = k % DRAWS ? 0x1p-22f : 0;
		scene.draw = k % DRAWS;
		draw_image(arena, pairs[k / DRAWS], &scene, weight, &images[k]);
	}
	bool steady = true; /* all draws of the old pair agree; if one pixel differs, others may agree by luck only */
	for (uint32_t k = 0; k < BLOCK; k++) {
		bool const counts = !images->undefined[k] && !images[DRAWS].undefined[k];
		steady &= !counts || unsteady_lane(images, k, 1e-4f) == STEADY;
		unsigned const here = counts ? unsteady_lane(images + DRAWS, k, 1e-2f) : STEADY;
		lost[k] = here != STEADY;
		if (lost[k] && !count++)
			*lane = name_lane(here);
	}
	if (steady && count)
		steady = !more_draws_differ(arena, pairs[0], scenes[0], weight, images, lost);
	arena_release(arena, mark);
	return steady ? count : 0;
}

/* Rounds numbers to multiples of 1/4, so that sums and products of texels and constants are often exactly equal.  Makes none of them 0,
 * since a product with 0 would hide the other factor. */
static void make_coarse(float *number, size_t n)
{
	for (size_t k = 0; k < n; k++)
		number[k] = (floorf(number[k] * 4) + (number[k] < 0 ? 0 : 1)) / 4;
}

/* Adds to `flat` the interpolated lanes that have the same value at all vertices, and in both scenes. */
static void find_flat(struct arena *arena, struct pair pair, const struct interp_scene *scene, const struct interp_scene *other,
                      lanes flat[INTERP_CARRIERS])
{
	struct rasterizer_float *r = rasterizer_new_float(arena, pair), *s = rasterizer_new_float(arena, pair);
	set_up_float(r, scene);
	set_up_float(s, other);
	for (unsigned k = 0; k < MACHINE_CARRIERS * LANES; k++) {
		unsigned const c = k / LANES, l = k % LANES;
		float const x = r->carrier[0][c][l];
		bool const same = x == r->carrier[1][c][l] && x == r->carrier[2][c][l] && x == s->carrier[0][c][l];
		flat[c] |= (lanes)(same << l);
	}
}

static void set_sides(struct interp_scene scenes[2], float (*constants)[INTERP_CONSTS][LANES])
{
	for (unsigned side = 0; side < 2; side++) {
		scenes[side].vs_const = (const float (*)[LANES])constants[2 * side];
		scenes[side].ps_const = (const float (*)[LANES])constants[2 * side + 1];
	}
}

/* Draws a random triangle on which comparisons of equal values are likely, and returns the number of pixels where the new pair's result depends
 * on how interpolation rounds and the old pair's does not; sets *lane to the output.  With `between_texels`, only interpolated values made of
 * literals alone get errors, and coordinates between two texels count, too; else each texture has one texel, which all coordinates read. */
static unsigned lose_ties(struct arena *arena, uint64_t *state, const struct pair pairs[2], const struct measure_options *o,
                          bool between_texels, struct measured_lane *lane)
{
	struct arena_mark const mark = arena_mark(arena);
	float (*constants)[INTERP_CONSTS][LANES] = arena_alloc(arena, 4 * sizeof *constants);
	float *texels = arena_alloc(arena, sizeof *texels * TEXELS * LANES), weight[2][BLOCK];
	struct interp_texture textures[INTERP_SAMPLERS];
	float (*others)[INTERP_CONSTS][LANES] = arena_alloc(arena, 4 * sizeof *others);
	struct interp_switches switches[2];
	struct interp_scene scenes[2], beside[2];
	scenes[0] = (struct interp_scene){.texture = textures, .vs_switches = &switches[0], .ps_switches = &switches[1], .fp24 = o->fp24,
	                                  .unreached_from = o->context.unreached_from, .unreached_to = o->context.unreached_to};
	random_switches(state, pairs[0], switches);
	draw_all_constants(arena, state, o, constants);
	random_triangle(state, &scenes[0]);
	random_places(state, weight);
	scenes[1] = scenes[0];
	set_sides(scenes, constants);
	memcpy(beside, scenes, sizeof beside);
	if (between_texels) {
		draw_all_constants(arena, state, o, others);
		set_sides(beside, others);
	}
	memset(scenes[0].are_off, MASK_XYZW, sizeof scenes[0].are_off); /* each interpolator rounds a varying value differently */
	find_flat(arena, pairs[1], &scenes[1], &beside[1], scenes[1].are_off); /* before make_coarse(), so that no lane is flat by chance */
	make_coarse(constants[0][0], 2 * INTERP_CONSTS * LANES);
	complete_constants(arena, o, constants);
	for (unsigned k = 0; k < TEXELS * LANES; k++)
		texels[k] = random_part(state);
	make_coarse(texels, TEXELS * LANES);
	random_textures(state, pairs[0].ps, samplers_of_depths(arena, pairs[0], o->context.plain_textures), texels, textures);
	for (unsigned s = 0; s < INTERP_SAMPLERS; s++) {
		textures[s].linear = false;
		if (textures[s].kind == TEXTURE_CUBE) /* a direction clamped to a literal would lie on an edge between faces */
			textures[s].kind = TEXTURE_2D;
		if (between_texels || textures[s].kind == TEXTURE_NONE)
			continue;
		textures[s].kind = TEXTURE_2D; /* a 2D texture can have one texel for all coordinates, a cube has six or more */
		textures[s].width = textures[s].height = 1;
		textures[s].texels = texels + s * LANES;
	}
	unsigned const lost = count_unsteady(arena, pairs, scenes, weight, lane);
	arena_release(arena, mark);
	return lost;
}

/* --- the verdict ------------------------------------------------------------------ */

/* Decides whether the measured errors are within the tolerance: sets `within` of each lane and of all, and for the first fault `why`, `at` and
 * `remedy`.  First multiplies `gain` of the FP's lanes by `by_texture`, the factor by which reading a texture may multiply an error. */
static void judge_errors(struct arena *arena, struct measured *m, const struct measure_options *o, double by_texture)
{
	double tolerance = o->tolerance > 0 ? o->tolerance : 16;
	/* The error that is always allowed, as a share of the lane's magnitude.  An fp24 number has 7 bits less than a float, hence 128. */
	double share = o->fp24 ? 128e-5 : 1e-5;
	m->within = m->kills_apart == 0;
	if (!m->within)
		m->why = "the two pairs kill different pixels";
	for (unsigned k = 0; k < m->lanes; k++) {
		struct lane_error *e = &m->lane[k];
		e->gain *= lane_is_of_vertices(e) ? 1 : by_texture;
		/* Allows the error that roundings may cause in the old pair, and not only the one that they have caused. */
		e->within = e->new_abs <= tolerance * fmax(e->old_abs, e->noise) + share * e->gain;
		if (e->within || !m->within)
			continue;
		m->within = false;
		/* A difference that roundings cannot explain means two different functions. */
		bool const rounds = e->apart <= 64 * e->noise + share * e->gain;
		m->remedy = rounds ? REMEDY_TOLERANCE : REMEDY_NONE;
		m->at = (struct measured_lane){e->file, e->index, e->lane};
		m->why = arena_printf(arena, "the error of %s grew from %.3g to %.3g", machine_lane_text(arena, e->file, e->index, e->lane),
		                      e->old_abs, e->new_abs);
	}
	if (m->within && m->ties_lost && !o->context.free_ties) {
		m->within = false;
		m->remedy = REMEDY_FREE_TIES;
		m->why = "a comparison that met its limit exactly now depends on how interpolation rounds (see --free-ties)";
	}
	if (!m->within || !m->positions_apart || o->context.free_position)
		return;
	m->within = false;
	m->why = "positions differ in their last bits";
}

enum measured_verdict measured_verdict(const struct measured *m)
{
	if (!m->within)
		return MEASURED_TOO_FAR;
	return m->compared * 16 < m->pixels ? MEASURED_TOO_FEW : m->compared * 100 < m->pixels * 99 ? MEASURED_PARTLY : MEASURED_WITHIN;
}

/* --- all together ----------------------------------------------------------------- */

struct measured measure(struct arena *arena, struct pair old, struct pair new, const struct measure_options *o)
{
	struct measured m = {.lanes = 0};
	struct pair pairs[2] = {old, new};
	struct runs r;
	for (unsigned side = 0; side < 2; side++) {
		r.narrow[side] = rasterizer_new_float(arena, pairs[side]);
		r.wide[side] = rasterizer_new_double(arena, pairs[side]);
	}
	add_shaken(arena, r.wide[0], old, o->fp24);
	float (*constants)[INTERP_CONSTS][LANES] = arena_alloc(arena, 4 * sizeof *constants);
	unsigned const depths = samplers_of_depths(arena, old, o->context.plain_textures);
	float *texels = arena_alloc(arena, sizeof *texels * TEXELS * LANES);
	struct interp_texture textures[INTERP_SAMPLERS];
	struct lane_error of_new[MEASURED_LANES];
	m.lanes = list_lanes(m.lane, old);
	bool alike = list_lanes(of_new, new) == m.lanes;
	for (unsigned k = 0; alike && k < m.lanes; k++)
		alike = of_new[k].file == m.lane[k].file && of_new[k].index == m.lane[k].index &&
		        of_new[k].lane == m.lane[k].lane;
	if (!alike) {
		m.within = false;
		m.why = "the new pair writes other outputs";
		return m;
	}
	uint64_t state = o->seed, ties = ~o->seed;
	unsigned primitives = o->primitives ? o->primitives : PRIMITIVES;
	float weight[2][BLOCK] = {{0}};
	for (unsigned n = 0; n < primitives; n++) {
		struct measured_lane lane = m.at;
		unsigned const lost = lose_ties(arena, &ties, pairs, o, n % 2, &lane);
		m.at = lost && !m.ties_lost ? lane : m.at;
		m.ties_lost += lost;
		if (n % 8 == 0) {
			draw_all_constants(arena, &state, o, constants);
			for (unsigned k = 0; k < TEXELS * LANES; k++)
				texels[k] = random_part(&state);
			random_textures(&state, old.ps, depths, texels, textures);
		}
		struct interp_switches switches[2];
		struct interp_scene scene = {.texture = textures, .vs_switches = &switches[0], .ps_switches = &switches[1], .fp24 = o->fp24,
		                             .unreached_from = o->context.unreached_from, .unreached_to = o->context.unreached_to};
		random_switches(&state, old, switches);
		random_triangle(&state, &scene);
		random_places(&state, weight);
		for (unsigned side = 0; side < 2; side++) {
			scene.vs_const = (const float (*)[LANES])constants[2 * side];
			scene.ps_const = (const float (*)[LANES])constants[2 * side + 1];
			set_up_float(r.narrow[side], &scene);
			set_up_double(r.wide[side], &scene);
			shade_float(r.narrow[side], weight[0], weight[1]);
			shade_double(r.wide[side], weight[0], weight[1]);
		}
		m.pixels += BLOCK;
		find_flips(&r, &m);
		compare_kills(&r, &m);
		compare_positions(&r, &m);
		compare_lanes(&r, &m);
	}
	judge_errors(arena, &m, o, texture_gain(old.ps));
	return m;
}
