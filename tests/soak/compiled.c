/* Generates pairs as compilers of shading languages write them: the work of game shaders, one feature after the other, by the small
 * code generator of compiler.h. */
#include "compiler.h"
#include "gen.h"

#include <string.h>

enum meaning { MEANS_NOTHING, MEANS_UV, MEANS_UVS, MEANS_NORMAL, MEANS_VECTOR, MEANS_PLACE, MEANS_FADE, MEANS_PROJECTED, MEANS_LIGHT, MEANINGS };

/* Number of lanes of an interpolator of each meaning. */
static const uint8_t lanes_of[MEANINGS] = {0, 2, 4, 3, 3, 3, 1, 4, 4};

enum { TEXCOORDS = 8, SAMPLERS = 6, UNIFORMS = 14 };

/* The interpolators on which both programs agree. */
struct interface {
	enum meaning texcoord[TEXCOORDS];
	bool colour; /* v0 */
};

static struct value uniform(struct code *k, unsigned width)
{
	struct value const c = code_value(REG_CONST, code_below(k, k->uniforms), width);
	return width == 1 ? code_lane(c, (unsigned)code_below(k, LANES)) : c;
}

static struct value one(struct code *k)
{
	return literal(k, 1);
}

static struct value zero(struct code *k)
{
	return literal(k, 0);
}

/* --- what both kinds of program do ------------------------------------------------ */

/* Returns the vector at length 1, written out or by the macro of the longer models. */
static struct value normalized(struct code *k, struct value v)
{
	if (!k->vertex && code_chance(k, 30) && v.src.file != REG_CONST)
		return code_1(k, OP_NRM, 3, v);
	struct value const length = code_1(k, OP_RSQ, 1, code_2(k, OP_DP3, 1, v, v));
	return code_2(k, OP_MUL, 3, length, v);
}

static struct value at_least_zero(struct code *k, struct value v)
{
	return code_2(k, OP_MAX, v.width, v, zero(k));
}

/* Returns the value clamped to 0 .. 1. */
static struct value clamped(struct code *k, struct value v)
{
	if (!k->vertex && code_chance(k, 60)) {
		struct value const s = code_1(k, OP_MOV, v.width, v);
		code_saturate(k);
		return s;
	}
	return code_2(k, OP_MIN, v.width, at_least_zero(k, v), one(k));
}

/* Multiplies a vector by rows of a matrix, one dot product each, into one value. */
static struct value transformed(struct code *k, enum op op, unsigned width, struct value v, int first)
{
	struct value const t = code_new(k, width);
	bool const down = code_chance(k, 50);
	for (unsigned turn = 0; turn < width; turn++) {
		unsigned const row = down ? width - 1 - turn : turn;
		code_write(k, op, t.src, (lanes)(1u << row), v, code_value(REG_CONST, first + (int)row, LANES), v);
	}
	return t;
}

/* --- vertex program --------------------------------------------------------------- */

static const uint8_t usages[] = {USAGE_POSITION, USAGE_TEXCOORD, USAGE_NORMAL, USAGE_TANGENT, USAGE_COLOR, USAGE_TEXCOORD};
enum { IN_POSITION, IN_UV, IN_NORMAL, IN_TANGENT, IN_COLOUR, IN_UV2, INPUTS };

static struct value in(int index, unsigned width)
{
	return code_value(REG_INPUT, index, width);
}

static void output(struct code *k, int t, lanes mask, struct value v)
{
	code_output(k, OP_MOV, REG_TEX_OUT, t, mask, v, v, v);
}

/* Writes texture coordinates: as they are, scaled and shifted by one constant, or by two rows. */
static void write_uv(struct code *k, int t, lanes mask, struct value v)
{
	struct value c = uniform(k, LANES), behind = c;
	behind.src.swizzle = SWIZZLE(2, 3, 2, 3);
	if (mask == (MASK_Z | MASK_W))
		v.src.swizzle = c.src.swizzle = SWIZZLE(0, 1, 0, 1);
	switch (code_below(k, 5)) {
	case 0: code_output(k, OP_MAD, REG_TEX_OUT, t, mask, v, c, behind); break;
	case 1: code_output(k, OP_ADD, REG_TEX_OUT, t, mask, v, c, c); break;
	default: output(k, t, mask, v); break;
	}
}

static struct value world(struct code *k)
{
	return transformed(k, OP_DP4, 3, in(IN_POSITION, LANES), 4);
}

static struct value world_normal(struct code *k)
{
	struct value const n = transformed(k, OP_DP3, 3, in(IN_NORMAL, 3), 4);
	return code_chance(k, 40) ? normalized(k, n) : n;
}

/* Returns the direction from the vertex to the eye or a lamp, sometimes in tangent space. */
static struct value towards(struct code *k)
{
	if (code_chance(k, 60))
		return code_2(k, OP_ADD, 3, code_negated(world(k)), uniform(k, LANES));
	struct value n = in(IN_NORMAL, 3), t = in(IN_TANGENT, 3);
	n.src.swizzle = SWIZZLE(2, 0, 1, 3);
	t.src.swizzle = SWIZZLE(1, 2, 0, 3);
	struct value side = code_2(k, OP_MUL, 3, t, n);
	n.src.swizzle = SWIZZLE(1, 2, 0, 3);
	t.src.swizzle = SWIZZLE(2, 0, 1, 3);
	side = code_3(k, OP_MAD, 3, n, code_negated(t), side);
	struct value const to = code_2(k, OP_ADD, 3, uniform(k, LANES), code_negated(in(IN_POSITION, 3))), v = code_new(k, 3);
	code_write(k, OP_DP3, v.src, MASK_X, to, in(IN_TANGENT, 3), to);
	code_write(k, OP_DP3, v.src, MASK_Y, to, side, to);
	code_write(k, OP_DP3, v.src, MASK_Z, to, in(IN_NORMAL, 3), to);
	return v;
}

/* Returns the fog factor of the vertex. */
static struct value fog(struct code *k)
{
	struct value const depth = code_2(k, OP_DP4, 1, in(IN_POSITION, LANES), code_value(REG_CONST, 2, LANES));
	return clamped(k, code_3(k, OP_MAD, 1, depth, uniform(k, 1), uniform(k, 1)));
}

static struct value vertex_light(struct code *k)
{
	struct value const l = at_least_zero(k, code_2(k, OP_DP3, 1, world_normal(k), uniform(k, LANES)));
	struct value const ambient = uniform(k, LANES);
	return code_3(k, OP_MAD, LANES, l, code_chance(k, 50) ? in(IN_COLOUR, LANES) : uniform(k, LANES), ambient);
}

/* Maps clip coordinates to texture coordinates. */
static struct value screen(struct code *k)
{
	struct value const clip = transformed(k, OP_DP4, LANES, in(IN_POSITION, LANES), 0), v = code_new(k, LANES);
	struct value w = code_lane(clip, LANE_W), half = literal(k, 0.5f);
	code_write(k, OP_MUL, v.src, MASK_X | MASK_Y, clip, half, clip);
	code_write(k, OP_MAD, v.src, MASK_X | MASK_Y, w, half, v);
	code_write(k, OP_MOV, v.src, MASK_Z | MASK_W, clip, clip, clip);
	return v;
}

static void write_texcoord(struct code *k, int t, enum meaning meaning)
{
	switch (meaning) {
	case MEANS_NOTHING:
	case MEANINGS: break;
	case MEANS_UV: write_uv(k, t, MASK_XY, in(IN_UV, 2)); break;
	case MEANS_UVS:
		write_uv(k, t, MASK_XY, in(IN_UV, 2));
		write_uv(k, t, MASK_Z | MASK_W, in(code_chance(k, 50) ? IN_UV : IN_UV2, 2));
		break;
	case MEANS_NORMAL: output(k, t, MASK_XYZ, world_normal(k)); break;
	case MEANS_VECTOR: output(k, t, MASK_XYZ, code_chance(k, 30) ? normalized(k, towards(k)) : towards(k)); break;
	case MEANS_PLACE: output(k, t, MASK_XYZ, code_chance(k, 70) ? world(k) : in(IN_POSITION, 3)); break;
	case MEANS_FADE: output(k, t, MASK_X, fog(k)); break;
	case MEANS_PROJECTED:
		output(k, t, MASK_XYZW, code_chance(k, 60) ? screen(k) : transformed(k, OP_DP4, LANES, in(IN_POSITION, LANES), 4));
		break;
	case MEANS_LIGHT: output(k, t, MASK_XYZW, code_chance(k, 70) ? vertex_light(k) : in(IN_COLOUR, LANES)); break;
	}
}

static void write_position(struct code *k)
{
	struct value const v = in(IN_POSITION, LANES);
	struct value sum;
	switch (code_below(k, 4)) {
	case 0: code_output(k, OP_M4X4, REG_POS_OUT, 0, MASK_XYZW, v, code_value(REG_CONST, 0, LANES), v); break;
	case 1: /* by columns */
		sum = code_2(k, OP_MUL, LANES, code_lane(v, LANE_Y), code_value(REG_CONST, 1, LANES));
		sum = code_3(k, OP_MAD, LANES, code_value(REG_CONST, 0, LANES), code_lane(v, LANE_X), sum);
		sum = code_3(k, OP_MAD, LANES, code_value(REG_CONST, 2, LANES), code_lane(v, LANE_Z), sum);
		code_output(k, OP_ADD, REG_POS_OUT, 0, MASK_XYZW, sum, code_value(REG_CONST, 3, LANES), v);
		break;
	default:
		for (int row = LANE_W; row >= 0; row--)
			code_output(k, OP_DP4, REG_POS_OUT, 0, (lanes)(1u << row), v, code_value(REG_CONST, row, LANES), v);
		break;
	}
}

static void declare_inputs(struct code *k)
{
	for (int v = 0; v < INPUTS; v++) {
		struct decl *d = &VEC_PUSH(k->arena, &k->p->decls);
		*d = (struct decl){.kind = DECL_VERTEX_INPUT, .usage = usages[v], .usage_index = v == IN_UV2, .at = SRCPOS_NONE};
		d->reg = (struct dst){.file = REG_INPUT, .index = (int16_t)v, .mask = MASK_XYZW, .at = SRCPOS_NONE};
	}
}

static bool vertex_program(struct code *k, const struct interface *between)
{
	k->p->model = code_chance(k, 15) ? VS_2_0 : VS_1_1;
	declare_inputs(k);
	if (code_chance(k, 50))
		write_position(k);
	for (int t = 0; t < TEXCOORDS; t++)
		write_texcoord(k, t, between->texcoord[t]);
	if (between->colour) {
		struct value const c = code_chance(k, 50) ? in(IN_COLOUR, LANES) : vertex_light(k);
		code_output(k, OP_MOV, REG_COLOUR_OUT, 0, MASK_XYZW, c, c, c);
	}
	for (uint32_t at = 0, written = 0; at <= k->p->instrs.n; at++) {
		written += at < k->p->instrs.n && k->p->instrs.at[at].dst.file == REG_POS_OUT;
		if (at == k->p->instrs.n && !written) {
			write_position(k);
			break;
		}
	}
	return code_finish(k, 12);
}

/* --- pixel program ---------------------------------------------------------------- */

/* Returns an interpolator of this meaning, of width 0 if there is none. */
static struct value interpolated(struct code *k, const struct interface *between, enum meaning meaning)
{
	int const from = code_below(k, TEXCOORDS);
	for (int turn = 0; turn < TEXCOORDS; turn++) {
		int const t = (from + turn) % TEXCOORDS;
		if (between->texcoord[t] == meaning)
			return code_value(REG_TEXCOORD, t, lanes_of[meaning]);
	}
	return (struct value){.width = 0};
}

static struct value some_uv(struct code *k, const struct interface *between)
{
	struct value const uv = interpolated(k, between, MEANS_UV), both = interpolated(k, between, MEANS_UVS);
	if (!both.width || (uv.width && code_chance(k, 50)))
		return uv;
	if (code_chance(k, 50))
		return both;
	struct value second = both;
	struct value const v = code_new(k, 2);
	if (code_chance(k, 40)) { /* (w, z): the shader swaps the coordinates, or a compiler packed them so */
		second.src.swizzle = SWIZZLE(3, 2, 1, 0);
		code_write(k, OP_MOV, v.src, MASK_XY, second, second, second);
		return v;
	}
	code_write(k, OP_MOV, v.src, MASK_X, code_lane(both, LANE_Z), both, both);
	code_write(k, OP_MOV, v.src, MASK_Y, code_lane(both, LANE_W), both, both);
	return v;
}

/* Returns two numbers of a constant: its first two lanes, or its last two by a mov each. */
static struct value two_of(struct code *k)
{
	struct value const c = uniform(k, LANES);
	if (code_chance(k, 60))
		return (struct value){c.src, 2};
	struct value const v = code_new(k, 2);
	code_write(k, OP_MOV, v.src, MASK_Y, code_lane(c, LANE_W), c, c);
	code_write(k, OP_MOV, v.src, MASK_X, code_lane(c, LANE_Z), c, c);
	return v;
}

/* Returns (x, 1 - y), as for OpenGL's textures. */
static struct value turned_over(struct code *k, struct value uv)
{
	struct value const v = code_new(k, 2);
	code_write(k, OP_ADD, v.src, MASK_Y, code_negated(code_lane(uv, LANE_Y)), one(k), uv);
	code_write(k, OP_MOV, v.src, MASK_X, code_lane(uv, LANE_X), uv, uv);
	return v;
}

/* Returns a texture coordinate. */
static struct value address(struct code *k, const struct interface *between)
{
	struct value const uv = some_uv(k, between);
	switch (code_below(k, 10)) {
	case 0: return code_2(k, OP_MUL, 2, uv, two_of(k));
	case 1: return code_3(k, OP_MAD, 2, uv, two_of(k), two_of(k));
	case 2: return code_2(k, OP_ADD, 2, uv, two_of(k));
	case 3: return code_2(k, OP_MUL, 2, turned_over(k, uv), two_of(k));
	case 4: { /* scrolled by time */
		struct value const v = code_new(k, 2), time = uniform(k, 1);
		code_write(k, OP_MAD, v.src, MASK_X, time, uniform(k, 1), code_lane(uv, LANE_X));
		code_write(k, OP_MAD, v.src, MASK_Y, time, uniform(k, 1), code_lane(uv, LANE_Y));
		return v;
	}
	case 5: return code_2(k, OP_ADD, 2, code_2(k, OP_MUL, 2, uv, literal(k, 2)), code_negated(one(k)));
	default: return uv;
	}
}

static struct value texel(struct code *k, struct value at)
{
	return code_sample(k, OP_TEXLD, code_below(k, SAMPLERS - 1), at);
}

static struct value some_texel(struct code *k, const struct interface *between)
{
	return texel(k, address(k, between));
}

/* Returns a normal, from a map or an interpolator. */
static struct value some_normal(struct code *k, const struct interface *between)
{
	struct value const n = interpolated(k, between, MEANS_NORMAL);
	if (n.width && code_chance(k, 60))
		return code_chance(k, 70) ? normalized(k, n) : n;
	struct value const map = some_texel(k, between);
	if (code_chance(k, 50))
		return code_3(k, OP_MAD, 3, map, literal(k, 2), code_negated(one(k)));
	struct value const centred = code_2(k, OP_ADD, 3, map, code_negated(literal(k, 0.5f)));
	return code_2(k, OP_MUL, 3, centred, literal(k, 2));
}

/* Returns a direction of any length. */
static struct value direction(struct code *k, const struct interface *between)
{
	struct value const v = interpolated(k, between, MEANS_VECTOR), at = interpolated(k, between, MEANS_PLACE);
	if (v.width && code_chance(k, 70))
		return v;
	if (at.width && code_chance(k, 70))
		return code_2(k, OP_ADD, 3, code_negated(at), uniform(k, LANES));
	return uniform(k, 3);
}

static struct value some_direction(struct code *k, const struct interface *between)
{
	struct value const v = direction(k, between);
	return code_chance(k, 70) ? normalized(k, v) : v;
}

static struct value lambert(struct code *k, const struct interface *between)
{
	struct value const n = some_normal(k, between), l = some_direction(k, between), d = code_2(k, OP_DP3, 1, n, l);
	switch (code_below(k, 3)) {
	case 0: return code_3(k, OP_MAD, 1, d, literal(k, 0.5f), literal(k, 0.5f));
	case 1: code_saturate(k); return d;
	default: return at_least_zero(k, d);
	}
}

static struct value power(struct code *k, struct value x, struct value y)
{
	if (code_chance(k, 60))
		return code_2(k, OP_POW, 1, x, y);
	return code_1(k, OP_EXP, 1, code_2(k, OP_MUL, 1, code_1(k, OP_LOG, 1, x), y));
}

static struct value specular(struct code *k, const struct interface *between)
{
	struct value const half = normalized(k, code_2(k, OP_ADD, 3, some_direction(k, between), some_direction(k, between)));
	struct value const d = at_least_zero(k, code_2(k, OP_DP3, 1, some_normal(k, between), half));
	if (code_chance(k, 50))
		return power(k, d, code_chance(k, 50) ? literal(k, 16) : uniform(k, 1));
	struct value const square = code_2(k, OP_MUL, 1, d, d);
	return code_2(k, OP_MUL, 1, square, square);
}

static struct value fresnel(struct code *k, const struct interface *between)
{
	struct value const d = code_2(k, OP_DP3, 1, some_normal(k, between), some_direction(k, between));
	struct value const rest = code_2(k, OP_ADD, 1, code_negated(d), one(k)), square = code_2(k, OP_MUL, 1, rest, rest);
	struct value const fifth = code_2(k, OP_MUL, 1, code_2(k, OP_MUL, 1, square, square), rest);
	return code_3(k, OP_MAD, 1, fifth, uniform(k, 1), uniform(k, 1));
}

/* Returns the attenuation of a lamp. */
static struct value attenuation(struct code *k, const struct interface *between)
{
	struct value const v = direction(k, between), scaled = code_2(k, OP_MUL, 3, v, uniform(k, 1));
	struct value const square = code_2(k, OP_DP3, 1, scaled, scaled);
	if (code_chance(k, 50))
		return clamped(k, code_2(k, OP_ADD, 1, code_negated(square), one(k)));
	return code_1(k, OP_RCP, 1, code_3(k, OP_MAD, 1, square, uniform(k, 1), one(k)));
}

/* Returns work on constants only, which the application could do; compilers without preshaders leave it in the program. */
static struct value of_constants(struct code *k)
{
	struct value v;
	switch (code_below(k, 4)) {
	case 0: return code_1(k, OP_RCP, 1, code_2(k, OP_MAX, 1, uniform(k, 1), literal(k, 0.0001f)));
	case 1: return code_2(k, OP_ADD, 1, one(k), code_negated(uniform(k, 1)));
	case 2:
		v = code_new(k, 3);
		code_write(k, OP_MOV, v.src, MASK_X | MASK_Y, code_negated(uniform(k, LANES)), v, v);
		code_write(k, OP_MOV, v.src, MASK_Z, zero(k), v, v);
		return code_lane(normalized(k, v), (unsigned)code_below(k, 3));
	default: return code_2(k, OP_MUL, 1, uniform(k, 1), uniform(k, 1));
	}
}

/* Compares a depth with that of a map: 1 where there is light. */
static struct value shadow(struct code *k, const struct interface *between)
{
	struct value const at = interpolated(k, between, MEANS_PROJECTED);
	if (!at.width)
		return uniform(k, 1);
	struct value const map = code_sample(k, OP_TEXLDP, SAMPLERS - 1, at);
	struct value const depth = code_2(k, OP_MUL, 1, code_lane(at, LANE_Z), code_1(k, OP_RCP, 1, code_lane(at, LANE_W)));
	struct value const nearer = code_2(k, OP_ADD, 1, code_lane(map, LANE_X), code_negated(depth));
	return code_3(k, OP_CMP, 1, nearer, one(k), uniform(k, 1));
}

static struct value some_scalar(struct code *k, const struct interface *between)
{
	struct value const fade = interpolated(k, between, MEANS_FADE);
	switch (code_below(k, 11)) {
	case 0: return lambert(k, between);
	case 1: return specular(k, between);
	case 2: return fresnel(k, between);
	case 3: return attenuation(k, between);
	case 4: return of_constants(k);
	case 5: return shadow(k, between);
	case 6: return code_lane(some_texel(k, between), (unsigned)code_below(k, LANES));
	case 7: return clamped(k, code_3(k, OP_MAD, 1, code_lane(some_uv(k, between), LANE_Y), uniform(k, 1), uniform(k, 1)));
	default: return fade.width ? fade : uniform(k, 1);
	}
}

/* Returns k a + (1 - k) b. */
static struct value mixed(struct code *k, struct value weight, struct value a, struct value b)
{
	if (code_chance(k, 40))
		return code_3(k, OP_LRP, 3, weight, a, b);
	return code_3(k, OP_MAD, 3, weight, code_2(k, OP_ADD, 3, a, code_negated(b)), b);
}

/* Returns x >= 0 ? a : b, as fxc does it, or as cgc does: by a 0-or-1 value, its absolute value and its negation. */
static struct value chosen(struct code *k, struct value x, struct value a, struct value b)
{
	if (code_chance(k, 40))
		return code_3(k, OP_CMP, 3, x, a, b);
	struct value const says = code_3(k, OP_CMP, 1, x, zero(k), one(k));
	struct value const absolute = code_chance(k, 60) ? code_1(k, OP_ABS, 1, says) : says;
	return code_3(k, OP_CMP, 3, code_negated(absolute), a, b);
}

/* Writes clip(x): fxc kills by x itself, cgc by a 0-or-1 value. */
static void clip(struct code *k, struct value x)
{
	if (code_chance(k, 40)) {
		code_kill(k, code_1(k, OP_MOV, LANES, x));
		return;
	}
	struct value const says = code_3(k, OP_CMP, 1, x, zero(k), one(k));
	code_kill(k, code_1(k, OP_MOV, LANES, code_negated(says)));
}

static struct value luminance(struct code *k, struct value colour)
{
	return code_2(k, OP_DP3, 1, colour, code_chance(k, 50) ? literal3(k, 0.3f, 0.59f, 0.11f) : literal3(k, 0.2125f, 0.7154f, 0.0721f));
}

/* Sums texture reads around a point. */
static struct value blurred(struct code *k, const struct interface *between)
{
	struct value const uv = some_uv(k, between);
	int const sampler = code_below(k, SAMPLERS - 1), taps = 2 + code_below(k, 4);
	bool const grid = code_chance(k, 50);
	struct value sum = code_2(k, OP_MUL, LANES, code_sample(k, OP_TEXLD, sampler, uv), uniform(k, 1));
	for (int tap = 0; tap < taps; tap++) {
		struct value const c = code_value(REG_CONST, tap, LANES), step = literal(k, grid ? 0.0078125f * (float)(tap + 1) : 0.00390625f);
		struct value const at = grid ? code_2(k, OP_ADD, 2, uv, step) : code_3(k, OP_MAD, 2, c, step, uv);
		sum = code_3(k, OP_MAD, LANES, code_sample(k, OP_TEXLD, sampler, at), code_lane(c, LANE_W), sum);
	}
	return sum;
}

/* Reads a cube map in the reflected direction. */
static struct value reflected(struct code *k, const struct interface *between)
{
	struct value const n = some_normal(k, between), v = direction(k, between), d = code_2(k, OP_DP3, 1, n, v);
	struct value const twice = code_chance(k, 50) ? code_2(k, OP_ADD, 1, d, d) : code_2(k, OP_MUL, 1, d, literal(k, 2));
	return code_sample(k, OP_TEXLD, SAMPLERS, code_3(k, OP_MAD, 3, code_negated(n), twice, v));
}

/* Blends three textures by the lanes of a mask. */
static struct value splatted(struct code *k, const struct interface *between, struct value under)
{
	struct value const mask = some_texel(k, between);
	for (unsigned l = LANE_X; l < 2 + (unsigned)code_below(k, 2); l++)
		under = mixed(k, code_lane(mask, l), some_texel(k, between), under);
	return under;
}

/* Applies one more feature to the colour. */
static struct value further(struct code *k, const struct interface *between, struct value colour)
{
	struct value const light = interpolated(k, between, MEANS_LIGHT);
	switch (code_below(k, 18)) {
	case 0: return code_2(k, OP_MUL, 3, colour, some_texel(k, between));
	case 1: return code_2(k, OP_MUL, 3, code_2(k, OP_MUL, 3, colour, some_texel(k, between)), literal(k, 2));
	case 2: return code_2(k, OP_MUL, 3, colour, uniform(k, LANES));
	case 3: return mixed(k, some_scalar(k, between), colour, uniform(k, 3));
	case 4: return mixed(k, some_scalar(k, between), some_texel(k, between), colour);
	case 5: return code_3(k, OP_MAD, 3, some_scalar(k, between), uniform(k, LANES), colour);
	case 6: return code_2(k, OP_MUL, 3, colour, code_3(k, OP_MAD, 3, lambert(k, between), uniform(k, 3), uniform(k, 3)));
	case 7: return code_3(k, OP_MAD, 3, specular(k, between), code_chance(k, 50) ? uniform(k, 3) : some_texel(k, between), colour);
	case 8: return mixed(k, uniform(k, 1), colour, luminance(k, colour));
	case 9: return chosen(k, code_2(k, OP_ADD, 1, some_scalar(k, between), code_negated(uniform(k, 1))), colour, some_texel(k, between));
	case 10: return clamped(k, colour);
	case 11: return code_3(k, OP_MAD, 3, reflected(k, between), some_scalar(k, between), colour);
	case 12: return splatted(k, between, colour);
	case 13: return code_2(k, OP_ADD, 3, colour, blurred(k, between));
	case 14: return code_2(k, OP_MUL, 3, colour, code_2(k, OP_MUL, 1, some_scalar(k, between), some_scalar(k, between)));
	case 15: return transformed(k, OP_DP3, 3, colour, 4);
	case 16: return between->colour ? code_2(k, OP_MUL, 3, colour, code_value(REG_INPUT, 0, LANES)) : colour;
	default: return light.width ? code_2(k, OP_MUL, 3, colour, light) : colour;
	}
}

static struct value some_alpha(struct code *k, const struct interface *between, struct value base)
{
	switch (code_below(k, 4)) {
	case 0: return one(k);
	case 1: return code_2(k, OP_MUL, 1, code_lane(base, LANE_W), uniform(k, 1));
	case 2: return some_scalar(k, between);
	default: return code_lane(base, LANE_W);
	}
}

static void declare_pixel(struct code *k, const struct interface *between)
{
	bool used[REG_FILES][16] = {{false}};
	for (uint32_t at = 0; at < k->p->instrs.n; at++) {
		const struct instr *i = &k->p->instrs.at[at];
		for (unsigned s = 0; s < ops[i->op].sources; s++)
			if (i->src[s].file == REG_TEXCOORD || i->src[s].file == REG_SAMPLER || i->src[s].file == REG_INPUT)
				used[i->src[s].file][i->src[s].index] = true;
	}
	for (enum reg_file file = REG_TEMP; file < REG_FILES; file++)
		for (int n = 0; n < 16; n++) {
			if (!used[file][n])
				continue;
			struct decl *d = &VEC_PUSH(k->arena, &k->p->decls);
			*d = (struct decl){.kind = DECL_PIXEL_INPUT, .at = SRCPOS_NONE};
			lanes const mask = file == REG_TEXCOORD ? (lanes)((1u << lanes_of[between->texcoord[n]]) - 1) : MASK_XYZW;
			d->reg = (struct dst){.file = (uint8_t)file, .index = (int16_t)n, .mask = mask, .masked = mask != MASK_XYZW, .at = SRCPOS_NONE};
			if (file != REG_SAMPLER)
				continue;
			d->kind = DECL_SAMPLER;
			d->texture = k->p->samplers[n];
		}
}

/* Writes a program with `features` features.  Returns false if it does not fit. */
static bool pixel_program(struct code *k, const struct interface *between, int features)
{
	k->p->model = PS_2_0;
	for (int s = 0; s <= SAMPLERS; s++)
		k->p->samplers[s] = s < SAMPLERS ? TEXTURE_2D : TEXTURE_CUBE;
	k->short_floats = code_chance(k, 30) ? 70 : 0;
	struct value const base = some_texel(k, between);
	struct value colour = base;
	for (int n = 0; n < features; n++) {
		colour = further(k, between, colour);
		if (code_chance(k, 6))
			clip(k, code_2(k, OP_ADD, 1, code_lane(base, LANE_W), code_negated(uniform(k, 1))));
	}
	struct value const out = code_widened(k, colour);
	code_write(k, OP_MOV, out.src, MASK_W, some_alpha(k, between, base), base, base);
	code_output(k, OP_MOV, REG_PIXEL_OUT, 0, MASK_XYZW, out, out, out);
	bool const placed = code_finish(k, models[PS_2_0].temps);
	declare_pixel(k, between);
	struct slots const slots = program_slots(k->p);
	return placed && slots.arith <= 64 && slots.tex <= 32 && program_dependent_reads(k->p) <= 3;
}

static struct code start(struct arena *arena, uint64_t state, bool vertex)
{
	struct code k = {.arena = arena, .state = state, .p = arena_zero(arena, sizeof(struct program)), .vertex = vertex, .uniforms = UNIFORMS};
	k.p->at = SRCPOS_NONE;
	return k;
}

struct gen_pair gen_compiled(struct arena *arena, uint64_t seed)
{
	uint64_t state = seed * UINT64_C(0xd1342543de82ef95) + 1;
	struct interface between = {.colour = gen_below(&state, 100) < 40};
	between.texcoord[0] = gen_below(&state, 100) < 75 ? MEANS_UV : MEANS_UVS;
	for (int t = 1, used = 1 + gen_below(&state, 6); t < used; t++)
		between.texcoord[t] = (enum meaning)(1 + gen_below(&state, MEANINGS - 1));
	struct code vs = start(arena, state, true), ps;
	vertex_program(&vs, &between);
	int features = 1 + gen_below(&state, 9);
	do
		ps = start(arena, state ^ UINT64_C(0x5555555555555555), false);
	while (!pixel_program(&ps, &between, features) && --features > 0);
	return (struct gen_pair){vs.p, ps.p};
}
