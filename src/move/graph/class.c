/* Constant, affine or pixel, see class.h: first by the classes of what is added, multiplied or handed to a function, then, for
 * each instruction of an FP, by its algebra in lang/ops.def.  One thing more makes a pixel value, that floats would round it
 * (`refused`), which sizes.c, affine.c and constants.c find where they compute.  -O1 has conditions of its own
 * (paper/conditions.c). */
#include "move/graph/values.h"

#include <assert.h>

/* ---- by the classes of the operands --------------------------------------------------------- */

enum value_class class_of_sum(const struct value *x, const struct value *y)
{
	if (x->class == VALUE_PIXEL || y->class == VALUE_PIXEL)
		return VALUE_PIXEL;
	if (x->class == VALUE_CONST || y->class == VALUE_CONST)
		return x->class == y->class ? VALUE_CONST : VALUE_AFFINE;
	return x->kind == y->kind ? VALUE_AFFINE : VALUE_PIXEL; /* interpolated in two ways: their sum is no interpolant */
}

enum value_class class_of_product(const struct value *x, const struct value *y)
{
	if (x->class == VALUE_PIXEL || y->class == VALUE_PIXEL)
		return VALUE_PIXEL;
	if (x->class == VALUE_CONST || y->class == VALUE_CONST) /* one factor must be constant */
		return x->class == y->class ? VALUE_CONST : VALUE_AFFINE;
	return VALUE_PIXEL;
}

enum value_class class_of_function(const struct values *v, const value_id *x, unsigned n)
{
	bool all = true;
	for (unsigned k = 0; k < n; k++)
		all &= x[k] != NO_VALUE && value_at(v, x[k])->class == VALUE_CONST;
	return all ? VALUE_CONST : VALUE_PIXEL;
}

/* ---- the lanes of an FP ---------------------------------------------------------------------- */

static worth given(struct evaluation *e, enum reg_file file, int index, unsigned lane, worth by)
{
	struct values *v = e->self;
	value_id id = NO_VALUE;
	(void)by;
	if (file == REG_CONST)
		id = value_of_constant(v, index, lane);
	else if (file == REG_TEXCOORD && index < TEXCOORDS)
		id = v->input[(unsigned)index * LANES + lane];
	return id != NO_VALUE ? id : value_new_pixel(v);
}

static worth literal(struct evaluation *e, float number)
{
	return value_of_literal(e->self, number);
}

/* Of a pixel value nobody asks for the sign. */
static worth minus(struct evaluation *e, worth x)
{
	return value_is_movable(e->self, x) ? value_negated(e->self, x) : x;
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
	return class_of_function(v, args, 3) == VALUE_CONST && !less ? value_make(v, CONST_MAD, args, 3) : NO_VALUE;
}

static worth dot(struct evaluation *e, const worth *x, const worth *y, unsigned n)
{
	value_id args[2 * LANES];
	for (unsigned k = 0; k < n; k++) {
		args[2 * k] = x[k];
		args[2 * k + 1] = y[k];
	}
	if (n < 3 || class_of_function(e->self, args, 2 * n) != VALUE_CONST)
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
	if ((!functions[op] && op != OP_SINCOS) || class_of_function(e->self, x, n) != VALUE_CONST)
		return NO_VALUE;
	/* What an interpolator brought decides in the FP: that it is a digit off may be part of the picture. */
	if ((op == OP_CMP || op == OP_FRC) && value_at(e->self, x[0])->sent)
		return NO_VALUE;
	return op == OP_SINCOS ? sincos(e, x[0]) : value_make(e->self, (enum const_op)functions[op], x, n);
}
static_assert(CONST_LITERAL == 0, "no function");

/* An opcode that reads a pixel value in any lane that counts gives one, whatever it computes. */
static bool follows(struct evaluation *e)
{
	const struct instr *i = instr_at_hand(e);
	struct values *v = e->self;
	bool all = i->dst.file == REG_TEMP && i->dst.index < EVALUATE_TEMPS;
	v->refused = false;
	for (unsigned s = 0; s < ops[i->op].sources && all; s++) {
		lanes const read = instr_rows(i, s) > 1 ? 0 : instr_operand_lanes(v->ps, i, s, (lanes)(1u << e->lane));
		for (unsigned p = 0; p < LANES; p++)
			all &= !(read >> p & 1) || value_is_movable(v, e->use[s].value[p]);
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
