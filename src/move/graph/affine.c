/* Makes affine values (constants times lanes of t#, plus a constant): an input by itself, sums, and products with a constant. */
#include "move/graph/values_inside.h"

/* Returns how large the values of an input (a t# lane, or an unknown of the VP) are assumed to be, including the number that the VP adds to them.
 * If nothing is known of it, they are about 1. */
static struct size size_of_input(const struct values *v, unsigned input)
{
	bool const given = input < MOST_TEXCOORDS * LANES && v->inputs.size[input].scale > 0;
	return given ? (struct size){v->inputs.size[input].offset, v->inputs.size[input].scale} : (struct size){0, 1};
}

static struct size affine_size(const struct values *v, const struct term *terms, uint32_t n, value_id constant)
{
	struct size all = size_of(v, constant);
	for (uint32_t i = 0; i < n; i++)
		all = sizes_added(all, sizes_multiplied(size_of(v, terms[i].coef), size_of_input(v, terms[i].input)));
	return all;
}

/* Returns the value of the sum of the terms (each a coefficient times an input) and the constant.  Returns NO_VALUE if a coefficient or the constant
 * is wild (see struct value), or if a float might not hold the sum.  Sets values.refused if float arithmetic rounds a
 * coefficient or the constant. */
static value_id make_affine(struct values *v, struct term *terms, uint32_t n, value_id constant, uint8_t kind)
{
	if (n == 0)
		return constant;
	struct size const size = affine_size(v, terms, n, constant);
	struct value x = {.class = VALUE_AFFINE, .kind = kind, .terms = terms, .nterms = n, .constant = constant};
	x.offset = size.offset;
	x.scale = size.scale;
	x.app = value_at(v, constant)->app;
	x.withheld = value_at(v, constant)->withheld;
	x.print = value_at(v, constant)->print;
	bool wild = value_at(v, constant)->wild || size_is_extreme(size);
	for (uint32_t i = 0; i < n; i++) {
		const struct value *coef = value_at(v, terms[i].coef);
		struct fingerprint input = fingerprint_hash(KEY_INPUT + terms[i].input, (struct fingerprint){0, 0});
		wild |= coef->wild;
		v->refused |= coef->rounds;
		x.app |= coef->app;
		x.withheld |= coef->withheld;
		x.print = fingerprint_sum(x.print, fingerprint_times(coef->print, input));
	}
	v->refused |= value_at(v, constant)->rounds;
	if (wild)
		return NO_VALUE;
	value_id const known = value_find(v, x.print, VALUE_AFFINE, kind);
	return known != NO_VALUE ? known : value_add(v, &x);
}

value_id value_of_input(struct values *v, unsigned input, uint8_t kind)
{
	struct term *t = arena_alloc(v->arena, sizeof *t);
	*t = (struct term){(uint16_t)input, v->one};
	return make_affine(v, t, 1, v->zero, kind);
}

int value_raw_input(const struct values *v, value_id id)
{
	if (id > v->inputs.last || value_at(v, id)->class != VALUE_AFFINE)
		return -1;
	for (unsigned i = 0; i < MOST_TEXCOORDS * LANES; i++)
		if (v->inputs.value[i] == id)
			return (int)i;
	return -1;
}

void value_tie(struct values *v, value_id id, enum tied why)
{
	if (value_raw_input(v, id) >= 0)
		return;
	v->all.at[id].tied = (uint8_t)why;
	value_id const minus = value_negated(v, id);
	if (minus != NO_VALUE && value_raw_input(v, minus) < 0)
		v->all.at[minus].tied = (uint8_t)why;
}

value_id value_negated(struct values *v, value_id id)
{
	const struct value *x = value_at(v, id);
	value_id minus = x->minus - 1;
	if (x->minus)
		return minus;
	switch ((enum value_class)x->class) {
	case VALUE_CONST: minus = value_function(v, CONST_NEG, id, NO_VALUE, NO_VALUE); break;
	case VALUE_AFFINE: minus = affine_scaled(v, id, value_function(v, CONST_NEG, v->one, NO_VALUE, NO_VALUE)); break;
	case VALUE_PIXEL: return NO_VALUE;
	}
	v->all.at[id].minus = minus + 1;
	return minus;
}

value_id value_find_negated(const struct values *v, value_id id)
{
	const struct value *x = value_at(v, id);
	return x->class == VALUE_PIXEL ? NO_VALUE : x->minus ? x->minus - 1 : value_find(v, fingerprint_negated(x->print), x->class, x->kind);
}

value_id affine_scaled(struct values *v, value_id a, value_id b)
{
	uint32_t n = value_at(v, a)->nterms, kept = 0;
	struct term *terms = arena_alloc(v->arena, n * sizeof *terms);
	for (uint32_t i = 0; i < n; i++) {
		struct term t = value_at(v, a)->terms[i];
		t.coef = value_function(v, CONST_MUL, t.coef, b, NO_VALUE);
		if (t.coef != v->zero)
			terms[kept++] = t;
	}
	value_id constant = value_function(v, CONST_MUL, value_at(v, a)->constant, b, NO_VALUE);
	return make_affine(v, terms, kept, constant, value_at(v, a)->kind);
}

/* Writes the terms of a + b to `terms`, in the order of their inputs and without terms that cancel.  Returns their number. */
static uint32_t merge_terms(struct values *v, value_id a, value_id b, struct term *terms)
{
	uint32_t const na = value_at(v, a)->nterms, nb = value_at(v, b)->nterms;
	uint32_t n = 0;
	for (uint32_t i = 0, j = 0; i < na || j < nb;) {
		struct term ta = i < na ? value_at(v, a)->terms[i] : (struct term){UINT16_MAX, NO_VALUE};
		struct term tb = j < nb ? value_at(v, b)->terms[j] : (struct term){UINT16_MAX, NO_VALUE};
		if (ta.input < tb.input) {
			terms[n++] = ta;
			i++;
		} else if (tb.input < ta.input) {
			terms[n++] = tb;
			j++;
		} else {
			value_id coef = value_function(v, CONST_ADD, ta.coef, tb.coef, NO_VALUE);
			if (coef != v->zero && value_at(v, coef)->print.a + (uint64_t)value_at(v, coef)->print.b != 0)
				terms[n++] = (struct term){ta.input, coef};
			i++;
			j++;
		}
	}
	return n;
}

value_id affine_added(struct values *v, value_id a, value_id b)
{
	uint8_t const kind = value_at(v, a)->kind;
	if (value_at(v, b)->class == VALUE_CONST) {
		value_id constant = value_function(v, CONST_ADD, value_at(v, a)->constant, b, NO_VALUE);
		return make_affine(v, value_at(v, a)->terms, value_at(v, a)->nterms, constant, kind);
	}
	struct term *terms = arena_alloc(v->arena, (value_at(v, a)->nterms + value_at(v, b)->nterms) * sizeof *terms);
	uint32_t const n = merge_terms(v, a, b, terms);
	value_id constant = value_function(v, CONST_ADD, value_at(v, a)->constant, value_at(v, b)->constant, NO_VALUE);
	return make_affine(v, terms, n, constant, kind);
}
