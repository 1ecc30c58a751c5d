/* Facts about the elements of a trial, see known.h. */
#include "verify/known.h"

#include <string.h>

const struct rational known_zero = {.under = {1, {1}}};
const struct rational known_one = {.over = {1, {1}}, .under = {1, {1}}};

enum { FIRST_SLOTS = 512 };

/* Returns the slot of the hash table that holds the facts of the element, or a free slot for them. */
static uint32_t *fact_slot(struct known *k, unsigned column, felt x)
{
	uint32_t mask = k->slots.n - 1, at = known_place(k, column, x);
	for (; k->slots.at[at]; at = (at + 1) & mask) {
		const struct fact *f = &k->facts.at[k->slots.at[at] - 1];
		if (f->element == x && f->field == column % FIELDS)
			break;
	}
	return &k->slots.at[at];
}

static void grow_slots(struct known *k)
{
	uint32_t n = k->slots.n ? k->slots.n * 2 : FIRST_SLOTS;
	k->slots.at = arena_zero(k->arena, n * sizeof *k->slots.at);
	k->slots.n = k->slots.cap = n;
	for (uint32_t i = 0; i < k->facts.n; i++)
		*fact_slot(k, k->facts.at[i].field, k->facts.at[i].element) = i + 1;
}

void known_clear(struct arena *arena, struct known *k)
{
	*k = (struct known){.arena = arena};
	grow_slots(k);
	for (unsigned f = 0; f < FIELDS; f++) {
		known_number(k, f, 0, &known_zero);
		known_number(k, f, field_one(f), &known_one);
	}
}

bool known_was_late(struct known *k)
{
	struct known const before = *k;
	if (!k->late)
		return false;
	known_clear(k->arena, k);
	k->squares = before.squares;
	for (uint32_t i = 0; i < before.facts.n; i++) {
		const struct fact *f = &before.facts.at[i];
		if (f->square)
			known_make(k, f->field, f->element)->square = true;
		if (f->low && f->low == f->high)
			known_number(k, f->field, f->element, f->low);
	}
	return true;
}

const struct rational *known_keep(struct known *k, const struct rational *number)
{
	struct rational *kept = arena_alloc(k->arena, sizeof *kept);
	*kept = *number;
	return kept;
}

struct fact *known_make(struct known *k, unsigned column, felt x)
{
	if (4 * k->facts.n >= k->slots.n)
		grow_slots(k);
	uint32_t *at = fact_slot(k, column, x);
	if (!*at) {
		struct fact *f = &VEC_PUSH(k->arena, &k->facts);
		f->element = x;
		f->field = column % FIELDS;
		*at = k->facts.n;
	}
	return &k->facts.at[*at - 1];
}

const struct fact *known_find_fact(struct known *k, unsigned column, felt x)
{
	uint32_t at = *fact_slot(k, column, x);
	return at ? &k->facts.at[at - 1] : NULL;
}

bool known_find_facts(struct known *k, unsigned column, felt x, const struct fact *of[2])
{
	felt const minus = field_neg(column, x);
	of[0] = of[1] = NULL;
	for (uint32_t at = known_place(k, column, x); k->slots.at[at]; at = (at + 1) & (k->slots.n - 1)) {
		const struct fact *f = &k->facts.at[k->slots.at[at] - 1];
		if (f->field != column % FIELDS)
			continue;
		of[0] = f->element == x ? f : of[0];
		of[1] = f->element == minus ? f : of[1];
	}
	return of[0] || of[1];
}

bool known_bounds(struct known *k, unsigned column, felt x, struct bounds *b)
{
	const struct fact *of[2];
	b->has_low = b->has_high = false;
	if (!known_facts(k, column, x, of))
		return false;
	const struct fact *plus = of[0], *minus = of[1];
	const struct rational *low = plus ? plus->low : NULL, *high = plus ? plus->high : NULL;
	b->has_low = low || (minus && minus->high);
	b->has_high = high || (minus && minus->low);
	if (b->has_low) {
		b->low = low ? *low : *minus->high;
		b->low.negative ^= !low;
	}
	if (b->has_high) {
		b->high = high ? *high : *minus->low;
		b->high.negative ^= !high;
	}
	return b->has_low || b->has_high;
}

const struct rational *known_find_number(struct known *k, unsigned column, felt x, bool *negated)
{
	const struct fact *of[2];
	if (!known_find_facts(k, column, x, of))
		return NULL;
	*negated = !of[0] || !of[0]->low || of[0]->low != of[0]->high;
	const struct fact *f = of[*negated];
	return f && f->low == f->high ? f->low : NULL;
}

void known_number(struct known *k, unsigned column, felt x, const struct rational *number)
{
	struct rational there;
	int sign;
	if (known_exact(k, column, x, &there)) {
		k->clash = k->clash || (rational_order(&there, number, &sign) && sign);
		return;
	}
	struct fact *f = known_make(k, column, x);
	f->low = f->high = known_keep(k, number);
	const struct fact *minus = known_fact(k, column, field_neg(column, x));
	k->late |= known_fact(k, column, x)->asked || (minus && minus->asked);
}

void known_literal(struct known *k, float literal)
{
	struct rational number;
	for (unsigned f = 0; f < FIELDS && rational_float(&number, literal); f++)
		known_number(k, f, field_float(f, literal), &number);
}

void known_asked(struct known *k, unsigned column, felt x)
{
	known_make(k, column, x)->asked = true;
}

felt known_element(struct known *k, unsigned column, const struct rational *number)
{
	felt x = 0, step = field_float(column, number->exponent < 0 ? 0.5f : 2);
	for (uint32_t i = number->over.n; i-- > 0;)
		x = field_add(column, field_mul(column, x, field_float(column, 0x1p32f)),
		              field_mul(column, number->over.at[i], fields[column % FIELDS].square));
	for (uint32_t left = (uint32_t)(number->exponent < 0 ? -number->exponent : number->exponent); left; left >>= 1) {
		x = left & 1 ? field_mul(column, x, step) : x;
		step = field_mul(column, step, step);
	}
	x = number->negative ? field_neg(column, x) : x;
	known_number(k, column, x, number);
	return x;
}

void known_share(struct known *k, unsigned column, felt x)
{
	felt const both[2] = {x, field_sub(column, field_one(column), x)};
	for (unsigned s = 0; s < 2; s++) {
		struct fact *f = known_make(k, column, both[s]);
		f->low = f->low ? f->low : &known_zero;
		f->high = f->high ? f->high : &known_one;
	}
	k->squares = true;
}

/* Follows the links `multiple_of` from element x, and returns the last element of the chain. */
static felt root_of(struct known *k, unsigned column, felt x)
{
	const struct fact *f = known_fact(k, column, x);
	for (; f && f->multiple_of; f = known_fact(k, column, x))
		x = f->multiple_of;
	return x;
}

void known_multiple(struct known *k, unsigned column, felt x, felt of)
{
	felt const root = root_of(k, column, of);
	const struct fact *f = known_fact(k, column, x);
	if ((f && f->multiple_of) || x == root || x == field_neg(column, root))
		return;
	known_make(k, column, x)->multiple_of = of;
	known_make(k, column, field_neg(column, x))->multiple_of = field_neg(column, of);
}

static enum known_order order_with_zero(const struct bounds *a)
{
	if (a->has_low && rational_sign(&a->low) >= 0)
		return rational_sign(&a->low) ? KNOWN_ABOVE : KNOWN_NOT_BELOW;
	if (a->has_high && rational_sign(&a->high) <= 0)
		return rational_sign(&a->high) ? KNOWN_BELOW : KNOWN_NOT_ABOVE;
	return KNOWN_NOTHING;
}

static enum known_order order_of_bounds(const struct bounds *a, const struct bounds *b)
{
	int sign;
	if (a->has_low && b->has_high && rational_order(&a->low, &b->high, &sign) && sign >= 0)
		return sign ? KNOWN_ABOVE : KNOWN_NOT_BELOW;
	if (a->has_high && b->has_low && rational_order(&a->high, &b->low, &sign) && sign <= 0)
		return sign ? KNOWN_BELOW : KNOWN_NOT_ABOVE;
	return KNOWN_NOTHING;
}

enum known_order known_order(struct known *k, unsigned column, felt a, felt b)
{
	struct bounds of[2];
	if (a == b)
		return KNOWN_SAME;
	felt const difference = field_sub(column, a, b);
	enum known_order order = KNOWN_NOTHING;
	if (known_bounds(k, column, difference, &of[0]))
		order = order_with_zero(&of[0]);
	if (order == KNOWN_NOTHING && a && b && known_bounds(k, column, a, &of[0]) && known_bounds(k, column, b, &of[1]))
		order = order_of_bounds(&of[0], &of[1]);
	if (order == KNOWN_NOTHING) {
		known_asked(k, column, difference);
		if (a && b) {
			known_asked(k, column, a);
			known_asked(k, column, b);
		}
	}
	return order;
}
