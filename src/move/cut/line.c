/* Splits values that need a constant of the application which no VP can have: rest + slope * constant.  One instruction of the FP then
 * computes the value, with the constant as its factor, while an interpolator brings the slope and the rest. */
#include "move/cut/search.h"

/* Represents a value as rest + slope * a constant of the application; `rest` is NO_VALUE if no such form is known. */
struct parts {
	value_id rest, slope;
};
static const struct parts none = {NO_VALUE, NO_VALUE};

static struct parts parts_if_complete(struct parts x)
{
	return x.rest == NO_VALUE || x.slope == NO_VALUE ? none : x;
}

static struct parts sum_of_parts(struct values *v, struct parts a, struct parts b)
{
	if (a.rest == NO_VALUE || b.rest == NO_VALUE)
		return none;
	return parts_if_complete((struct parts){value_sum(v, a.rest, b.rest), value_sum(v, a.slope, b.slope)});
}

/* Returns the product of a and b, or `none` if both have a slope. */
static struct parts product_of_parts(struct values *v, struct parts a, struct parts b)
{
	if (a.rest == NO_VALUE || b.rest == NO_VALUE || (a.slope != v->zero && b.slope != v->zero))
		return none;
	value_id const slope = a.slope != v->zero ? value_product(v, a.slope, b.rest) : value_product(v, a.rest, b.slope);
	return parts_if_complete((struct parts){value_product(v, a.rest, b.rest), slope});
}

/* Writes the constant value `id` as rest + slope * `of`, which is a constant of the application.  Returns `none` if that is not possible. */
static struct parts split_constant(const struct search *s, value_id id, value_id of)
{
	struct values *v = s->values;
	struct value const x = *value_at(v, id);
	struct parts all = {v->zero, v->zero};
	if (id == of)
		return (struct parts){v->zero, v->one};
	if (!search_needs_unavailable_const(s, &x))
		return (struct parts){id, v->zero};
	switch ((enum const_op)x.op) {
	case CONST_NEG:
		all = split_constant(s, x.args[0], of);
		return product_of_parts(v, all, (struct parts){value_negated(v, v->one), v->zero});
	case CONST_ADD: return sum_of_parts(v, split_constant(s, x.args[0], of), split_constant(s, x.args[1], of));
	case CONST_MUL: case CONST_MAD: case CONST_DP3: case CONST_DP4:
		for (unsigned k = 0; k + 1 < x.nargs; k += 2)
			all = sum_of_parts(v, all, product_of_parts(v, split_constant(s, x.args[k], of), split_constant(s, x.args[k + 1], of)));
		return x.nargs % 2 ? sum_of_parts(v, all, split_constant(s, x.args[x.nargs - 1], of)) : all;
	case CONST_LITERAL: case CONST_RAW: case CONST_RCP: case CONST_RSQ: case CONST_EXP: case CONST_LOG: case CONST_FRC:
	case CONST_MAX: case CONST_MIN: case CONST_ABS: case CONST_CMP: case CONST_POW: case CONST_SAT: case CONST_COS:
	case CONST_SIN: break;
	}
	return none;
}

/* Returns the one constant of the application that the value needs and no VP can have; MANY_VALUES if there are several.  Returns NO_VALUE if
 * there is none, and always in the simple search. */
static value_id app_constant_of(const struct search *s, value_id id)
{
	if (!s->facts.app_stays || !s->effort.wide)
		return NO_VALUE;
	value_id const known = id < s->facts.numbered ? id : value_find_negated(s->values, id);
	return known < s->facts.numbered ? s->facts.app_constant_of[known] : NO_VALUE;
}

static bool delivers_one(const struct search *s, value_id id)
{
	return id != NO_VALUE && search_delivers(s, &(struct pattern){.positions = MASK_X, .value = {id}});
}

struct relation search_find_app_relation(struct search *s, value_id id)
{
	struct values *v = s->values;
	value_id const of = app_constant_of(s, id);
	struct value const x = *value_at(v, id);
	if (of == NO_VALUE || of == MANY_VALUES || x.wild || x.tied)
		return (struct relation){NO_VALUE, NO_VALUE, NO_VALUE};
	struct parts all = split_constant(s, x.class == VALUE_AFFINE ? x.constant : id, of);
	for (uint32_t t = 0; x.class == VALUE_AFFINE && t < x.nterms; t++) {
		value_id const input = value_of_input(v, x.terms[t].input, x.kind);
		all = sum_of_parts(v, all, product_of_parts(v, split_constant(s, x.terms[t].coef, of), (struct parts){input, v->zero}));
	}
	if (!delivers_one(s, all.rest) || !delivers_one(s, all.slope))
		return (struct relation){NO_VALUE, NO_VALUE, NO_VALUE};
	value_negated(v, all.rest); /* so that an interpolator may carry the opposite */
	value_negated(v, all.slope);
	return (struct relation){all.slope, of, all.rest};
}
