/* Finds the class of a value, and whether it may move at -O2 and -O3 (for -O1 see paper/conditions.c).
 *
 *     class      definition                                                                 may move
 *     constant   computed from literals and c# alone                                        yes
 *     affine     a constant, plus lanes of t# each times a constant                         yes: interpolation keeps these sums
 *     pixel      anything else: computed from a texel, from v#, or from an r# that was      no
 *                not written; a product of two affine values; another function of one,
 *                for example max(t0, c0)
 *
 * The class of each lane that an FP writes follows from the classes of the operands: first for sums, products and other
 * functions of values, then for opcodes, each of which consists of these by its algebra in lang/ops.def.  The rules are: a
 * sum or product with a pixel value is pixel, and so is a sum of values that are interpolated in different ways (_pp,
 * _centroid); one of two factors must be constant; other functions are constant or pixel, never affine.  NO_VALUE stands for a pixel
 * value that has no number yet.
 *
 * A constant or affine value can stay in the FP all the same, because of these fields of struct value:
 *   wild     no finite float holds the value, or float arithmetic rounds it by too much (set by constants.c): it stays;
 *   stuck    neither an interpolator nor one new instruction can deliver it: it stays;
 *   rounds   float arithmetic rounds it (constants.c): no interpolator delivers it.  An affine value that is rounded becomes a pixel
 *            value here;
 *   tied     a decision depends on the exact number (ties.h, value_number.c), or it is divided by a multiple of itself
 *            (quotients.c): no interpolator delivers it;
 *   app      it depends on a constant of the application: no interpolator delivers it if the VP cannot have that constant (--drop-in,
 *            `withheld` constants of effects, or no constant register is left).
 * value_may_move() of values.h tests the first two fields, value_rides() below `wild` and the last three.  A constant that no interpolator
 * delivers may still be put into a constant register of the FP.
 * An instruction leaves the FP if none of its lanes stays.  If a value may move and does not, the search found that moving it does
 * not pay: the report calls that `cost`. */
#include "move/graph/values_inside.h"

#include "move/passes.h"

#include <assert.h>

/* ---- what an interpolator can deliver ------------------------------------------------------- */

static bool constant_rides(const struct values *v, value_id id, const struct move_options *o)
{
	const struct value *x = value_at(v, id);
	return !x->wild && !x->rounds && (value_is_settable(x, o->preshader) || !is_refused(o, x->withheld, x->app));
}

/* Returns true if an interpolator may deliver the value to the FP.  For an affine value, its constant and all its coefficients must be deliverable;
 * they need not be exact, because the value differs from pixel to pixel anyway.  In a program with a sum that float arithmetic rounds
 * (values.careful), no constant is delivered, because it may arrive with a wrong last digit. */
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

static bool has_class(const struct values *v, value_id x, enum value_class class)
{
	return value_at(v, x)->class == class;
}

/* Swaps *a and *b if *a is constant, so that *b is constant if either of them is. */
static void constant_last(const struct values *v, value_id *a, value_id *b)
{
	if (has_class(v, *a, VALUE_CONST)) {
		value_id const swap = *a;
		*a = *b;
		*b = swap;
	}
}

static value_id multiply_values(struct values *v, value_id a, value_id b)
{
	constant_last(v, &a, &b);
	if (has_class(v, a, VALUE_PIXEL) || !has_class(v, b, VALUE_CONST))
		return NO_VALUE;
	return has_class(v, a, VALUE_CONST) ? value_function(v, CONST_MUL, a, b, NO_VALUE) : affine_scaled(v, a, b);
}

/* Returns the sum.  Returns NO_VALUE if a summand is a pixel value, or if a summand is affine and both are interpolated in different ways (_pp,
 * _centroid), or float arithmetic rounds the sum or cannot hold it. */
static value_id add_values(struct values *v, value_id a, value_id b)
{
	if (has_class(v, a, VALUE_PIXEL) || has_class(v, b, VALUE_PIXEL))
		return NO_VALUE;
	if (has_class(v, a, VALUE_CONST) && has_class(v, b, VALUE_CONST))
		return value_function(v, CONST_ADD, a, b, NO_VALUE);
	constant_last(v, &a, &b);
	if (has_class(v, b, VALUE_AFFINE) && value_at(v, a)->kind != value_at(v, b)->kind)
		return NO_VALUE;
	value_id const sum = affine_added(v, a, b);
	struct size const added[2] = {size_of(v, a), size_of(v, b)};
	return sum == NO_VALUE || size_is_rounded(v, added, 2, size_of(v, sum)) ? NO_VALUE : sum;
}

static struct cached_result *cache_entry(struct cached_result *cache, value_id a, value_id b)
{
	return &cache[(a * UINT32_C(0x9e3779b1) + b * UINT32_C(0x85ebca6b)) >> 26];
}
static_assert(CACHED_RESULTS == 1 << 6, "six bits of the sum are the place");

/* Returns make(a, b): from the cache entry if that has these operands, else computes it and replaces the entry.  Sets values.refused if make()
 * did. */
static value_id make_cached(struct values *v, struct cached_result *entry, value_id a, value_id b, value_id make(struct values *, value_id, value_id))
{
	bool const refused = v->refused;
	if (entry->a != a + 1 || entry->b != b) {
		v->refused = false;
		value_id const result = make(v, a, b);
		*entry = (struct cached_result){.a = a + 1, .b = b, .result = result, .refused = v->refused};
	}
	v->refused = refused || entry->refused;
	return entry->result;
}

value_id value_product(struct values *v, value_id a, value_id b)
{
	return make_cached(v, cache_entry(v->table->product, a, b), a, b, multiply_values);
}

value_id value_sum(struct values *v, value_id a, value_id b)
{
	return make_cached(v, cache_entry(v->table->sum, a, b), a, b, add_values);
}

/* Returns true if all operands are constant. */
static bool are_all_constant(const struct values *v, const value_id *x, unsigned n)
{
	bool all = true;
	for (unsigned k = 0; k < n; k++)
		all &= x[k] != NO_VALUE && has_class(v, x[k], VALUE_CONST);
	return all;
}

/* ---- the lanes of an FP ---------------------------------------------------------------------- */

/* evaluate() calls these functions to compute each lane of the FP, then number_result() with the lane's value. */

/* Returns the value of a c# or t# lane, or a new pixel value for a lane of which nothing is known. vertex_inputs.c has found for each t# lane
 * whether it is an independent input, affine in other inputs, or constant. */
static worth number_given(struct evaluation *e, enum reg_file file, int index, unsigned lane, worth by)
{
	struct values *v = e->self;
	value_id id = NO_VALUE; /* remains NO_VALUE for a v# and for an r# that was not written */
	(void)by;
	if (file == REG_CONST && index < PROGRAM_CONSTS)
		id = value_of_constant(v, index, lane);
	else if (file == REG_TEXCOORD && index < MOST_TEXCOORDS)
		id = v->inputs.value[(unsigned)index * LANES + lane];
	return id != NO_VALUE ? id : value_new_pixel(v);
}

static worth number_literal(struct evaluation *e, float number)
{
	return value_of_literal(e->self, number);
}

/* Returns the negation of a constant or affine value.  Returns a pixel value unchanged, since only its class matters. */
static worth number_minus(struct evaluation *e, worth x)
{
	return value_is_pixel(e->self, x) ? x : value_negated(e->self, x);
}

static worth number_sum(struct evaluation *e, worth x, worth y)
{
	return value_sum(e->self, x, y);
}

static worth number_product(struct evaluation *e, worth x, worth y)
{
	return value_product(e->self, x, y);
}

static worth number_mad(struct evaluation *e, worth x, worth y, worth z)
{
	struct values *v = e->self;
	value_id const args[] = {x, y, z};
	bool const less = z == v->zero || x == v->one || y == v->one || x == v->zero || y == v->zero;
	return are_all_constant(v, args, 3) && !less ? value_make(v, CONST_MAD, args, 3) : NO_VALUE;
}

static worth number_dot(struct evaluation *e, const worth *x, const worth *y, unsigned n)
{
	value_id args[2 * LANES];
	for (unsigned k = 0; k < n; k++) {
		args[2 * k] = x[k];
		args[2 * k + 1] = y[k];
	}
	if (n < 3 || !are_all_constant(e->self, args, 2 * n))
		return NO_VALUE;
	return value_make(e->self, n == 3 ? CONST_DP3 : CONST_DP4, args, 2 * n);
}

/* Returns the cosine (lane x) or sine (lane y) of the constant x as sincos computes it with the two defs that it reads.  Returns NO_VALUE unless
 * values.sincos is set, x is not wild, and the other sources read defs without swizzle and sign. */
static value_id number_sincos(const struct evaluation *e, value_id x)
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

static worth number_function(struct evaluation *e, enum op op, const worth *x, unsigned n)
{
	static const uint8_t functions[OP_COUNT + 1] = {
		[OP_ABS] = CONST_ABS, [OP_CMP] = CONST_CMP, [OP_MAX] = CONST_MAX, [OP_MIN] = CONST_MIN, [OP_FRC] = CONST_FRC,
		[OP_RCP] = CONST_RCP, [OP_RSQ] = CONST_RSQ, [OP_EXP] = CONST_EXP, [OP_LOG] = CONST_LOG, [OP_POW] = CONST_POW,
		[SATURATED] = CONST_SAT,
	};
	if ((!functions[op] && op != OP_SINCOS) || !are_all_constant(e->self, x, n))
		return NO_VALUE;
	/* The VP sends this constant, so that it may arrive with a wrong last digit.  If the FP decides by it, the wrong digit may be visible in the
	 * picture, so the result stays a pixel value. */
	if (op != SATURATED && ops[op].flags & OPF_LIMIT && value_at(e->self, x[0])->sent)
		return NO_VALUE;
	return op == OP_SINCOS ? number_sincos(e, x[0]) : value_make(e->self, (enum const_op)functions[op], x, n);
}
static_assert(CONST_LITERAL == 0, "no function");

/* Returns true if the instruction writes an r#, and no operand lane from which the current lane of its result is computed is a pixel value.  The
 * rows of a matrix are not checked. */
static bool number_follows(struct evaluation *e)
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

static worth number_result(struct evaluation *e, worth x)
{
	struct values *v = e->self;
	value_id const id = x != NO_VALUE ? x : value_new_pixel(v);
	if (x == NO_VALUE)
		v->all.at[id].rounds = v->refused;
	v->def[e->at][e->lane] = id;
	return id;
}

const struct domain value_numbers = {
	.given = number_given, .literal = number_literal, .minus = number_minus, .sum = number_sum, .product = number_product,
	.mad = number_mad, .dot = number_dot, .function = number_function, .follows = number_follows, .result = number_result,
};
