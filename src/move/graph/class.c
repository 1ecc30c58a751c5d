/* The class of a value, and what besides decides whether it may move at -O2 and -O3 (of -O1 see paper/conditions.c).
 *
 *     class      what it is                                                                 may move
 *     constant   made of literals and c# alone                                              yes
 *     affine     a constant, plus lanes of t# each times a constant                         yes: interpolation keeps such sums
 *     pixel      anything else: made of a texel, of v#, of an r# that nobody wrote, a       no
 *                product of two affine values, another function of one, such as max(t0, c0)
 *
 * The class is found here for each lane that an FP writes, from those of the operands: first for sums, products and other
 * functions of values; then for opcodes, each of which is made of these by its algebra in lang/ops.def.  The facts that hold: a
 * sum or product with a pixel value is pixel, and so is a sum of values that are interpolated in different ways (_pp,
 * _centroid); of two factors one must be constant; other functions are constant or pixel, never affine.  NO_VALUE is a pixel
 * value that nobody has numbered yet.
 *
 * A constant or affine value can stay in the FP all the same, by these fields of struct value:
 *   wild     it, or what it is rounded to, is no finite float (set by constants.c): it stays;
 *   stuck    neither the VP nor one new instruction can bring it: it stays;
 *   rounds   float arithmetic rounds it (constants.c): no interpolator brings it.  An affine value that is so becomes a pixel
 *            value here;
 *   tied     it is compared with something, where an exact number must stay exact (ties.h, value_number.c), or divided by a
 *            multiple of itself (quotients.c): no interpolator brings it;
 *   app      the application sets it: no interpolator brings it where no VP can have it (--drop-in, `withheld` constants of
 *            effects, or no constant register is left).
 * value_may_move() of values.h asks the first two, value_rides() below the last three.  What no interpolator brings may still
 * become a number in a constant register of the FP.
 * An instruction leaves the FP where none of its lanes is kept.  What may move and does not was not worth it: that is the
 * search's choice, and `cost` in the report. */
#include "move/graph/values_inside.h"

#include "move/passes.h"

#include <assert.h>

/* ---- what an interpolator can bring --------------------------------------------------------- */

static bool constant_rides(const struct values *v, value_id id, const struct move_options *o)
{
	const struct value *x = value_at(v, id);
	return !x->wild && !x->rounds && (value_is_settable(x, o->preshader) || !is_refused(o, x->withheld, x->app));
}

/* An affine value rides if its constant and all its coefficients could; they need not be exact, as it differs from pixel to
 * pixel anyway.  In a program that rounds (`careful`) no constant does, for it may come a digit off. */
bool value_rides(const struct values *v, value_id id, const struct move_options *o)
{
	if (value_is_pixel(v, id) || value_at(v, id)->tied)
		return false;
	const struct value *x = value_at(v, id);
	if (x->class == VALUE_CONST)
		return !v->careful && constant_rides(v, id, o);
	bool all = constant_rides(v, x->constant, o);
	for (uint32_t t = 0; all && t < x->nterms; t++)
		all = constant_rides(v, x->terms[t].coef, o);
	return all;
}

/* ---- sums, products and functions ----------------------------------------------------------- */

static bool is_of(const struct values *v, value_id x, enum value_class class)
{
	return value_at(v, x)->class == class;
}

/* Puts the constant, if only one of them is, into `b`. */
static void constant_last(const struct values *v, value_id *a, value_id *b)
{
	if (is_of(v, *a, VALUE_CONST)) {
		value_id const swap = *a;
		*a = *b;
		*b = swap;
	}
}

/* One factor must be constant. */
static value_id product_of(struct values *v, value_id a, value_id b)
{
	constant_last(v, &a, &b);
	if (is_of(v, a, VALUE_PIXEL) || !is_of(v, b, VALUE_CONST))
		return NO_VALUE;
	return is_of(v, a, VALUE_CONST) ? value_function(v, CONST_MUL, a, b, NO_VALUE) : affine_scaled(v, a, b);
}

/* Values that are interpolated in two ways have no interpolant as their sum; nor is one made that float arithmetic rounds. */
static value_id sum_of(struct values *v, value_id a, value_id b)
{
	if (is_of(v, a, VALUE_PIXEL) || is_of(v, b, VALUE_PIXEL))
		return NO_VALUE;
	if (is_of(v, a, VALUE_CONST) && is_of(v, b, VALUE_CONST))
		return value_function(v, CONST_ADD, a, b, NO_VALUE);
	constant_last(v, &a, &b);
	if (is_of(v, b, VALUE_AFFINE) && value_at(v, a)->kind != value_at(v, b)->kind)
		return NO_VALUE;
	value_id const sum = affine_added(v, a, b);
	struct size const added[2] = {size_of(v, a), size_of(v, b)};
	return sum == NO_VALUE || size_is_rounded(v, added, 2, size_of(v, sum)) ? NO_VALUE : sum;
}

static struct made_value *made_place(struct made_value *made, value_id a, value_id b)
{
	return &made[(a * UINT32_C(0x9e3779b1) + b * UINT32_C(0x85ebca6b)) >> 26];
}
static_assert(MADE_VALUES == 1 << 6, "six bits of the sum are the place");

/* The same operands are often asked for again: as the result was made before, or is now. */
static value_id made(struct values *v, struct made_value *place, value_id a, value_id b, value_id make(struct values *, value_id, value_id))
{
	bool const refused = v->refused;
	if (place->a != a + 1 || place->b != b) {
		v->refused = false;
		place->result = make(v, a, b);
		*place = (struct made_value){a + 1, b, place->result, v->refused};
	}
	v->refused = refused || place->rounds;
	return place->result;
}

value_id value_product(struct values *v, value_id a, value_id b)
{
	return made(v, made_place(v->table->product, a, b), a, b, product_of);
}

value_id value_sum(struct values *v, value_id a, value_id b)
{
	return made(v, made_place(v->table->sum, a, b), a, b, sum_of);
}

/* Any other function is constant if all that it reads is, and else a pixel value, never affine. */
static bool all_constant(const struct values *v, const value_id *x, unsigned n)
{
	bool all = true;
	for (unsigned k = 0; k < n; k++)
		all &= x[k] != NO_VALUE && is_of(v, x[k], VALUE_CONST);
	return all;
}

/* ---- the lanes of an FP ---------------------------------------------------------------------- */

/* evaluate() goes through the FP and calls these for what each lane is made of, operands first; result() gets what comes of it. */

/* What the VP writes to t# was found before (vertex_inputs.c): an input of its own, or affine in others, or constant. */
static worth given(struct evaluation *e, enum reg_file file, int index, unsigned lane, worth by)
{
	struct values *v = e->self;
	value_id id = NO_VALUE;
	(void)by;
	if (file == REG_CONST && index < PROGRAM_CONSTS) /* of v#, and of what nobody wrote, nothing is known */
		id = value_of_constant(v, index, lane);
	else if (file == REG_TEXCOORD && index < MOST_TEXCOORDS)
		id = v->inputs.value[(unsigned)index * LANES + lane];
	return id != NO_VALUE ? id : value_new_pixel(v);
}

static worth literal(struct evaluation *e, float number)
{
	return value_of_literal(e->self, number);
}

/* Of a pixel value nobody asks for the sign. */
static worth minus(struct evaluation *e, worth x)
{
	return value_is_pixel(e->self, x) ? x : value_negated(e->self, x);
}

static worth sum(struct evaluation *e, worth x, worth y)
{
	return value_sum(e->self, x, y);
}

static worth product(struct evaluation *e, worth x, worth y)
{
	return value_product(e->self, x, y);
}

static worth mad(struct evaluation *e, worth x, worth y, worth z)
{
	struct values *v = e->self;
	value_id const args[] = {x, y, z};
	bool const less = z == v->zero || x == v->one || y == v->one || x == v->zero || y == v->zero;
	return all_constant(v, args, 3) && !less ? value_make(v, CONST_MAD, args, 3) : NO_VALUE;
}

static worth dot(struct evaluation *e, const worth *x, const worth *y, unsigned n)
{
	value_id args[2 * LANES];
	for (unsigned k = 0; k < n; k++) {
		args[2 * k] = x[k];
		args[2 * k + 1] = y[k];
	}
	if (n < 3 || !all_constant(e->self, args, 2 * n))
		return NO_VALUE;
	return value_make(e->self, n == 3 ? CONST_DP3 : CONST_DP4, args, 2 * n);
}

/* The literals that vs_2_0 and ps_2_0 want beside it count as arguments. */
static value_id sincos(const struct evaluation *e, value_id x)
{
	struct values *v = e->self;
	const struct instr *i = instr_at_hand(e);
	const struct decl *d[2];
	if (!v->sincos || e->lane > LANE_Y || value_at(v, x)->wild)
		return NO_VALUE;
	for (unsigned s = 0; s < 2; s++) {
		d[s] = program_decl(v->ps, REG_CONST, i->src[s + 1].index);
		if (!d[s] || i->src[s + 1].swizzle != SWIZZLE_XYZW || i->src[s + 1].negate)
			return NO_VALUE;
	}
	return value_of_sincos(v, x, e->lane, d[0], d[1]);
}

static worth function(struct evaluation *e, enum op op, const worth *x, unsigned n)
{
	static const uint8_t functions[OP_COUNT + 1] = {
		[OP_ABS] = CONST_ABS, [OP_CMP] = CONST_CMP, [OP_MAX] = CONST_MAX, [OP_MIN] = CONST_MIN, [OP_FRC] = CONST_FRC,
		[OP_RCP] = CONST_RCP, [OP_RSQ] = CONST_RSQ, [OP_EXP] = CONST_EXP, [OP_LOG] = CONST_LOG, [OP_POW] = CONST_POW,
		[SATURATED] = CONST_SAT,
	};
	if ((!functions[op] && op != OP_SINCOS) || !all_constant(e->self, x, n))
		return NO_VALUE;
	/* What an interpolator brought decides in the FP: that it is a digit off may be part of the picture. */
	if ((op == OP_CMP || op == OP_FRC) && value_at(e->self, x[0])->sent)
		return NO_VALUE;
	return op == OP_SINCOS ? sincos(e, x[0]) : value_make(e->self, (enum const_op)functions[op], x, n);
}
static_assert(CONST_LITERAL == 0, "no function");

/* A lane is followed only if no operand lane that it is made of is a pixel value, and of matrix products none. */
static bool follows(struct evaluation *e)
{
	const struct instr *i = instr_at_hand(e);
	struct values *v = e->self;
	bool all = i->dst.file == REG_TEMP && i->dst.index < EVALUATE_TEMPS;
	v->refused = false;
	for (unsigned s = 0; s < ops[i->op].sources && all; s++) {
		lanes const read = instr_rows(i, s) > 1 ? 0 : instr_operand_lanes(v->ps, i, s, (lanes)(1u << e->lane));
		EACH_LANE(p, read)
			all &= !value_is_pixel(v, e->use[s].value[p]);
	}
	return all;
}

static worth result(struct evaluation *e, worth x)
{
	struct values *v = e->self;
	value_id const id = x != NO_VALUE ? x : value_new_pixel(v);
	if (x == NO_VALUE)
		v->all.at[id].rounds = v->refused;
	v->def[e->at][e->lane] = id;
	return id;
}

const struct domain value_numbers = {given, literal, minus, sum, product, mad, dot, function, follows, result};
