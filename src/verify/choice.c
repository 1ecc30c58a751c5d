/* Choices among numbers, see choice.h. */
#include "verify/choice.h"

#include <string.h>

static bool same_number(const struct rational *a, const struct rational *b)
{
	int sign;
	return a == b || (rational_order(a, b, &sign) && sign == 0);
}

struct choice choice_given(const struct choice *c, uint32_t k, bool holds)
{
	struct choice rest = {.n = c->n - 1};
	for (uint32_t i = 0; i < rest.n; i++)
		rest.by[i] = c->by[i + (i >= k)];
	uint32_t const low = (1u << k) - 1;
	for (uint32_t i = 0; i < 1u << rest.n; i++)
		rest.number[i] = c->number[(i & low) | (i & ~low) << 1 | (uint32_t)holds << k];
	return rest;
}

struct choice choice_reduced(struct choice c)
{
	for (uint32_t k = c.n; k-- > 0;) {
		struct choice const without = choice_given(&c, k, false), with = choice_given(&c, k, true);
		bool same = true;
		for (uint32_t i = 0; same && i < 1u << without.n; i++)
			same = same_number(without.number[i], with.number[i]);
		c = same ? with : c;
	}
	return c;
}

bool choice_of(struct known *k, unsigned column, felt x, struct choice *to)
{
	const struct fact *of[2];
	if (!known_facts(k, column, x, of))
		return false;
	bool const negated = !of[0] || !of[0]->choice;
	const struct fact *f = of[negated];
	if (!f || !f->choice)
		return false;
	*to = *f->choice;
	for (uint32_t i = 0; negated && i < 1u << to->n; i++) {
		struct rational minus = *to->number[i];
		minus.negative = !minus.negative && rational_sign(&minus) != 0;
		to->number[i] = known_keep(k, &minus);
	}
	return true;
}

static void note_choice(struct known *k, unsigned column, felt x, const struct choice *c)
{
	struct fact *f = known_make(k, column, x);
	if (f->choice || c->n == 0)
		return;
	struct choice *kept = arena_alloc(k->arena, sizeof *kept);
	*kept = *c;
	f->choice = kept;
	k->choices = true;
}

static felt condition_element(const struct field_run *m, unsigned column, felt x)
{
	return field_hash(column, keyed(m->key, TAG_GE0, x));
}

felt choice_step(const struct field_run *m, unsigned column, felt x)
{
	struct choice const c = {1, {x}, {&known_zero, &known_one}};
	felt const step = condition_element(m, column, x);
	known_share(m->known, column, step);
	note_choice(m->known, column, step, &c);
	return step;
}

/* Removes the product of conditions a and b, which compare x and -x with 0, from the choice's polynomial.  The two never both fail, except
 * for NaN, so the numbers for that outcome do not matter.  Sets them so that the product has the coefficient 0. */
static void remove_opposites(struct known *k, struct choice *c, uint32_t a, uint32_t b)
{
	uint32_t const both = 1u << a | 1u << b;
	for (uint32_t i = 0; i < 1u << c->n; i++) {
		struct rational sum, minus = *c->number[i | both];
		minus.negative = !minus.negative && rational_sign(&minus) != 0;
		if (!(i & both) && rational_sum(&sum, c->number[i | 1u << a], c->number[i | 1u << b]) && rational_sum(&sum, &sum, &minus))
			c->number[i] = known_keep(k, &sum);
	}
}

/* Returns true if two of the choice's conditions compare x and -x with 0. */
static bool has_opposites(unsigned column, const struct choice *c)
{
	bool any = false;
	for (uint32_t a = 0; a < c->n; a++)
		for (uint32_t b = a + 1; b < c->n; b++)
			any |= c->by[b] == field_neg(column, c->by[a]);
	return any;
}

/* Returns the element of a choice as a polynomial of its conditions: the value if the last condition fails, plus [the last condition
 * holds] times the difference of the values if it holds and if it fails. */
static felt choice_polynomial(const struct field_run *m, unsigned column, const struct choice *c)
{
	if (c->n == 0)
		return known_element(m->known, column, c->number[0]);
	struct choice const without = choice_given(c, c->n - 1, false), with = choice_given(c, c->n - 1, true);
	felt const least = choice_polynomial(m, column, &without), more = field_sub(column, choice_polynomial(m, column, &with), least);
	return field_add(column, least, field_mul(column, condition_element(m, column, c->by[c->n - 1]), more));
}

/* Returns true if the denominators of all numbers of the choice are powers of two, as known_element() requires. */
static bool has_plain_numbers(const struct choice *c)
{
	bool plain = true;
	for (uint32_t i = 0; i < 1u << c->n; i++)
		plain &= c->number[i]->under.n == 1 && c->number[i]->under.at[0] == 1;
	return plain;
}

felt choice_element(const struct field_run *m, unsigned column, const struct choice *c)
{
	struct choice own = *c;
	for (uint32_t a = 0; a < c->n; a++)
		for (uint32_t b = a + 1; b < c->n; b++)
			if (c->by[b] == field_neg(column, c->by[a]))
				remove_opposites(m->known, &own, a, b);
	own = choice_reduced(own);
	felt const x = choice_polynomial(m, column, &own);
	note_choice(m->known, column, x, &own);
	return x;
}

static bool choice_or_number(struct known *k, unsigned column, felt x, struct choice *to)
{
	struct rational number;
	if (choice_of(k, column, x, to))
		return true;
	if (!known_exact(k, column, x, &number))
		return false;
	*to = (struct choice){.number = {known_keep(k, &number)}};
	return true;
}

/* Adds the condition that element `by` is not below 0, unless the choice has it.  Returns false if it has MOST_CONDITIONS others. */
static bool add_condition(struct choice *c, felt by)
{
	uint32_t at = 0;
	while (at < c->n && c->by[at] < by)
		at++;
	if (at < c->n && c->by[at] == by)
		return true;
	if (c->n == MOST_CONDITIONS)
		return false;
	memmove(&c->by[at + 1], &c->by[at], (c->n - at) * sizeof *c->by);
	c->by[at] = by;
	c->n++;
	return true;
}

/* Returns the number that choice `c` has for an outcome of the conditions of `all`, among which are all conditions of `c`. */
static const struct rational *number_at(const struct choice *c, const struct choice *all, uint32_t outcome)
{
	uint32_t own = 0;
	for (uint32_t k = 0; k < c->n; k++)
		for (uint32_t i = 0; i < all->n; i++)
			own |= all->by[i] == c->by[k] && outcome >> i & 1 ? 1u << k : 0;
	return c->number[own];
}

bool number_maximum(struct rational *to, const struct rational *a, const struct rational *b)
{
	int sign;
	bool const known = rational_order(a, b, &sign);
	*to = known && sign < 0 ? *b : *a;
	return known;
}

bool number_not_below(struct rational *to, const struct rational *a, const struct rational *b)
{
	int sign;
	bool const known = rational_order(a, b, &sign);
	*to = known && sign < 0 ? known_zero : known_one;
	return known;
}

/* Sets `to` to the choice of the function's values at two elements, of which at least one is a choice and the other a choice or a known number.
 * Returns false if the elements are others, or the result is not known as a choice. */
static bool combine_choices(struct known *k, unsigned column, felt a, felt b, number_function *function, struct choice *to)
{
	struct choice of[2];
	if (!k->choices || !known_may_have(k, column, a) || !known_may_have(k, column, b) ||
	    !choice_or_number(k, column, a, &of[0]) || !choice_or_number(k, column, b, &of[1]) || of[0].n + of[1].n == 0)
		return false;
	*to = (struct choice){.n = 0};
	for (unsigned s = 0; s < 2; s++)
		for (uint32_t i = 0; i < of[s].n; i++)
			if (!add_condition(to, of[s].by[i]))
				return false;
	for (uint32_t i = 0; i < 1u << to->n; i++) {
		struct rational number;
		if (!function(&number, number_at(&of[0], to, i), number_at(&of[1], to, i)))
			return false;
		to->number[i] = known_keep(k, &number);
	}
	*to = choice_reduced(*to);
	return has_plain_numbers(to);
}

void choice_note_sum(const struct field_run *m, unsigned column, felt a, felt b, felt sum)
{
	struct choice c;
	if (combine_choices(m->known, column, a, b, rational_sum, &c))
		note_choice(m->known, column, sum, &c);
}

felt choice_product(const struct field_run *m, unsigned column, felt a, felt b)
{
	felt const product = field_mul(column, a, b);
	struct choice c;
	if (!combine_choices(m->known, column, a, b, rational_product, &c))
		return product;
	if (has_opposites(column, &c))
		return choice_element(m, column, &c);
	note_choice(m->known, column, product, &c);
	return product;
}

bool choice_function(const struct field_run *m, unsigned column, felt a, felt b, number_function *function, felt *to)
{
	struct choice c;
	if (!combine_choices(m->known, column, a, b, function, &c))
		return false;
	*to = choice_element(m, column, &c);
	return true;
}
