/* The search that packs requests into interpolators, by the rules of layout.c.  Counting proves of many inputs that there is no layout:
 *   values     The requests, or those of each kind by themselves, want more values than the registers have lanes.  A lane that is read
 *              without a swizzle can have only one value (least_by_kinds).
 *   cliques    There are more requests than registers of which no two fit into one register (starts_clique).
 * The rest is an exact depth-first search.  It places the hardest requests first, and single lanes, which fit anywhere, last.  It leaves out
 * branches that cannot lead to another result: registers that are alike to one that was tried, or have too few free lanes; signs that make no
 * difference; and states with fewer free lanes in all than the remaining requests need.
 * For counting, values are numbered, and a value and its opposite have the same number.  So a set of values is a word, with a bit for each
 * lane that the set takes. */
#include "move/plan/layout.h"

#include <string.h>

enum {
	EASY = 32,          /* steps after which the search compares all pairs of requests to refute the packing (has_clique()) */
	TRIES_PER_STEP = 8, /* attempts to put a pattern into a register that count as one step; placing an item counts as one, too */
	MOST_REQUESTS = 512
};

static unsigned ones(uint64_t set)
{
	uint64_t const odd = UINT64_C(0x5555555555555555), pairs = UINT64_C(0x3333333333333333), fours = UINT64_C(0x0f0f0f0f0f0f0f0f);
	set -= set >> 1 & odd;
	set = (set & pairs) + (set >> 2 & pairs);
	return (unsigned)(((set + (set >> 4)) & fours) * UINT64_C(0x0101010101010101) >> 56);
}

/* ---- numbers of values, and how many registers they take ------------------------------------- */

/* A hash table that numbers values from 0; a value and its opposite get the same number.  All values beyond the number of lanes of all
 * registers get the last number, MOST_VALUES - 1. */
enum { MOST_VALUES = LANES * INTERPOLATORS + 1, PLACES = 256 };
struct numbers {
	unsigned n;
	value_id at[PLACES];    /* NO_VALUE if the place is free */
	uint8_t number[PLACES];
	bool turned[PLACES];    /* the value in this place is the opposite of the value that was numbered first */
};
_Static_assert(PLACES > 2 * 2 * MOST_VALUES, "a lookup soon reaches a free place");
_Static_assert(MOST_VALUES <= 64, "a set of values is a word");

/* Returns the place of the value in the table, or the free place where it belongs. */
static unsigned hash_place(const struct numbers *s, value_id value)
{
	unsigned place = value % PLACES;
	while (s->at[place] != NO_VALUE && s->at[place] != value)
		place = (place + 1) % PLACES;
	return place;
}

static void set_value_number(struct numbers *s, unsigned place, value_id value, unsigned number, bool turned)
{
	s->at[place] = value;
	s->number[place] = (uint8_t)number;
	s->turned[place] = turned;
}

/* Numbers the value, and its opposite, unless they have a number; returns the value's place in the table. */
static unsigned number_value(struct numbers *s, value_id value, value_id opposite)
{
	unsigned const place = hash_place(s, value);
	if (s->at[place] == value)
		return place;
	unsigned const other = opposite == NO_VALUE ? place : hash_place(s, opposite);
	if (opposite != NO_VALUE && s->at[other] == opposite) {
		set_value_number(s, place, value, s->number[other], !s->turned[other]);
		return place;
	}
	if (s->n < MOST_VALUES)
		s->n++;
	set_value_number(s, place, value, s->n - 1, false);
	if (opposite != NO_VALUE)
		set_value_number(s, hash_place(s, opposite), opposite, s->n - 1, true);
	return place;
}

/* The values, as a set of their numbers, that requests with one kind of interpolation want. */
struct tally {
	uint8_t kind;
	uint64_t values;
	uint64_t plain[LANES][2]; /* [lane]: values that are read from it without a swizzle; [1] has the opposites (numbers.turned) */
};

/* Returns a lower bound of the number of registers that the values of the tally take: by their number, and by the number of those that must
 * be in one and the same lane. */
static unsigned tally_least(const struct tally *t)
{
	unsigned most = (ones(t->values) + LANES - 1) / LANES;
	for (unsigned l = 0; l < LANES; l++) {
		unsigned const here = ones(t->plain[l][0]) + ones(t->plain[l][1]);
		most = here > most ? here : most;
	}
	return most;
}

static void add_tally(struct tally *to, const struct tally *t)
{
	to->values |= t->values;
	for (unsigned l = 0; l < LANES; l++)
		for (unsigned turned = 0; turned < 2; turned++)
			to->plain[l][turned] |= t->plain[l][turned];
}

/* Returns the set of values that the request wants, and adds it to the tally. */
static uint64_t count_values(const struct request *q, struct numbers *numbers, struct tally *t)
{
	uint64_t values = 0;
	for (unsigned w = 0; w < q->n; w++) {
		const struct pattern *p = &q->pattern[w];
		EACH_LANE(l, p->positions) {
			unsigned const place = number_value(numbers, p->value[l], p->negated[l]);
			uint64_t const one = UINT64_C(1) << numbers->number[place];
			values |= one;
			if (p->reach == REACH_PLAIN)
				t->plain[l][numbers->turned[place]] |= one;
		}
	}
	t->values |= values;
	return values;
}

/* Returns a lower bound of the number of registers for the requests, and the set of values of each request.  It is the larger one of two
 * bounds: the sum over all kinds, which never share a register, without the requests of KIND_ANY; and the bound for all requests together.
 * Returns INTERPOLATORS + 1 at once, with `values` incomplete, if there are too many kinds or values. */
static unsigned least_by_kinds(const struct request *requests, uint32_t count, struct numbers *numbers, uint64_t *values)
{
	struct tally all = {.kind = KIND_ANY}, of[INTERPOLATORS];
	unsigned n = 0, apart = 0;
	numbers->n = 0;
	memset(numbers->at, 0xff, sizeof numbers->at);
	for (uint32_t q = 0; q < count; q++) {
		unsigned k = 0;
		while (k < n && of[k].kind != requests[q].kind)
			k++;
		bool const any = requests[q].kind == KIND_ANY;
		if (k == INTERPOLATORS && !any)
			return INTERPOLATORS + 1;
		if (k == n && !any)
			of[n++] = (struct tally){.kind = requests[q].kind};
		values[q] = count_values(&requests[q], numbers, any ? &all : &of[k]);
		if (numbers->n == MOST_VALUES)
			return INTERPOLATORS + 1;
	}
	for (unsigned k = 0; k < n; k++) {
		apart += tally_least(&of[k]);
		add_tally(&all, &of[k]);
	}
	unsigned const together = tally_least(&all);
	return apart > together ? apart : together;
}

unsigned layout_least(const struct request *requests, uint32_t count)
{
	struct numbers numbers;
	uint64_t values[MOST_REQUESTS];
	return count > MOST_REQUESTS ? INTERPOLATORS + 1 : least_by_kinds(requests, count, &numbers, values);
}

/* ---- items ----------------------------------------------------------------------------------- */

/* A request to be placed.  The search places items in the order of the array. */
struct item {
	const struct request *request;
	uint64_t values;  /* set of the values that it wants */
	uint64_t to_come; /* set of the values that it and the later items want */
	struct views views[MAX_SOURCES]; /* swizzles and signs to try for each pattern, unless `anywhere`; if `loose` and no request wants the
	                                  * opposite, without a sign */
	int home;         /* the old t# of which its first value is a lane, unchanged; -1 if there is none */
	bool loose;       /* this and all later items are single values that any lane can bring */
	bool anywhere;    /* this and all later items may have any swizzle, so that all free lanes of a register are equally good */
	bool negatable;   /* this and all later items can be negated, so that in an empty register both signs are equally good */
};

/* Facts about a register, which are stale when it no longer has these lanes. */
struct contents {
	value_id lane[LANES];
	uint64_t values; /* set of those of its values that requests want */
	unsigned free;   /* number of its lanes that are free */
};

struct packing {
	struct item *items;
	uint32_t count;
	unsigned n;                       /* number of registers that may be used */
	uint8_t registers[INTERPOLATORS]; /* the registers that may be used */
	struct layout layout;
	uint32_t *left;                   /* steps that the search may still make */
	uint32_t steps, tries;            /* steps made so far, and attempts to put a pattern into a register */
	bool refuted;                     /* there is no layout: more requests than registers were found of which no two fit into one */
	struct numbers numbers;           /* numbers of the values that requests want */
	struct contents contents[INTERPOLATORS]; /* cached facts about each register; contents_of() finds them anew if its lanes have changed */
};

static void find_contents(const struct packing *p, const value_id lane[LANES], struct contents *c)
{
	*c = (struct contents){.free = 0};
	memcpy(c->lane, lane, sizeof c->lane);
	for (unsigned l = 0; l < LANES; l++) {
		unsigned const place = lane[l] == NO_VALUE ? 0 : hash_place(&p->numbers, lane[l]);
		c->free += lane[l] == NO_VALUE;
		if (lane[l] != NO_VALUE && p->numbers.at[place] == lane[l])
			c->values |= UINT64_C(1) << p->numbers.number[place];
	}
}

static inline const struct contents *contents_of(struct packing *p, unsigned r)
{
	struct contents *c = &p->contents[r];
	if (memcmp(c->lane, p->layout.lane[r], sizeof c->lane) != 0)
		find_contents(p, p->layout.lane[r], c);
	return c;
}

/* Returns true if the register has enough free lanes for the item's values that it does not have. */
static bool has_room(struct packing *p, unsigned r, const struct item *item)
{
	const struct contents *c = contents_of(p, r);
	return kinds_share(p->layout.kind[r], item->request->kind) && ones(item->values & ~c->values) <= c->free;
}

/* ---- refutation by counting ------------------------------------------------------------------ */

/* Returns true if the items from `at` on want more values that no register has than there are free lanes in all registers. */
static bool is_too_full(struct packing *p, uint32_t at)
{
	uint64_t there = 0;
	unsigned free = 0;
	for (unsigned i = 0; i < p->n; i++) {
		const struct contents *c = contents_of(p, p->registers[i]);
		there |= c->values;
		free += c->free;
	}
	return ones(p->items[at].to_come & ~there) > free;
}

/* Returns true if one register can deliver both patterns. */
static bool patterns_share(const struct pattern *p, const struct views *views_of_p, const struct pattern *q, const struct views *views_of_q)
{
	for (unsigned i = 0; i < views_of_p->n; i++) {
		value_id one[LANES], both[LANES];
		memset(one, 0xff, sizeof one);
		pattern_place(one, p, &views_of_p->view[i]);
		for (unsigned j = 0; j < views_of_q->n; j++) {
			memcpy(both, one, sizeof both);
			if (pattern_place(both, q, &views_of_q->view[j]))
				return true;
		}
	}
	return false;
}

/* Returns true only if no register can take both items.  With `by_views` it compares all swizzles and signs, which takes longer and finds more
 * such items. */
static bool are_apart(const struct item *a, const struct item *b, bool by_views)
{
	if (ones(a->values | b->values) > LANES || !kinds_share(a->request->kind, b->request->kind))
		return true;
	if (!by_views || a->anywhere || b->anywhere || a->loose || b->loose)
		return false;
	for (unsigned j = 0; j < a->request->n; j++)
		for (unsigned k = 0; k < b->request->n; k++)
			if (!patterns_share(&a->request->pattern[j], &a->views[j], &b->request->pattern[k], &b->views[k]))
				return true;
	return false;
}

/* Returns true if it finds a clique: more items than registers, of which no two can share a register.  It begins with item `first`, and
 * adds each item that is apart from all before it, the hardest first. */
static bool starts_clique(const struct packing *p, uint32_t first, bool by_views)
{
	uint32_t clique[INTERPOLATORS + 1] = {first};
	unsigned n = 1;
	for (uint32_t q = 0; q < p->count && n <= p->n; q++) {
		unsigned k = 0;
		while (k < n && clique[k] != q && are_apart(&p->items[clique[k]], &p->items[q], by_views))
			k++;
		if (k == n)
			clique[n++] = q;
	}
	return n > p->n;
}

static bool has_clique(const struct packing *p)
{
	uint32_t q = 0;
	while (q < p->count && !starts_clique(p, q, true))
		q++;
	return q < p->count;
}

/* ---- the search ------------------------------------------------------------------------------ */

static bool place_from(struct packing *p, uint32_t at);

/* Leaves item `at`, whose values are in register r now, in that register, and places the items after it. */
static bool fix_item(struct packing *p, uint32_t at, unsigned r)
{
	uint8_t const kind = p->layout.kind[r];
	if (kind == KIND_ANY)
		p->layout.kind[r] = p->items[at].request->kind;
	if (place_from(p, at + 1))
		return true;
	p->layout.kind[r] = kind;
	return false;
}

/* Puts the patterns of item `at`, from number `which` on, into register r, and places the items after it. */
static bool fill_register(struct packing *p, uint32_t at, unsigned which, unsigned r)
{
	const struct item *item = &p->items[at];
	const struct request *q = item->request;
	if (which == q->n || which == MAX_SOURCES)
		return fix_item(p, at, r);
	const struct pattern *pattern = &q->pattern[which];
	struct view view;
	if (q->n > 1 && pattern_match(p->layout.lane[r], pattern, &view))
		return fill_register(p, at, which + 1, r); /* the register has these values already, so that no other view is better */
	value_id before[LANES];
	memcpy(before, p->layout.lane[r], sizeof before);
	bool const empty = item->negatable && which == 0 && !layout_used(&p->layout, r);
	if (item->anywhere) {
		for (unsigned negate = 0; negate < (empty ? 1 : 2); negate++) {
			if (pattern_put(p->layout.lane[r], pattern, negate) && fill_register(p, at, which + 1, r))
				return true;
			memcpy(p->layout.lane[r], before, sizeof before);
		}
		return false;
	}
	const struct views *views = &item->views[which];
	for (unsigned k = 0; k < views->n; k++) {
		const struct view *to = &views->view[k];
		if (empty && to->negate)
			break;
		*p->left -= ++p->tries % TRIES_PER_STEP == 0 && *p->left;
		if (pattern_place(p->layout.lane[r], pattern, to)) {
			if (fill_register(p, at, which + 1, r))
				return true;
			while (item->loose && k + 1 < views->n && views->view[k + 1].negate == to->negate)
				k++; /* skips other free lanes, which are equally good */
		}
		memcpy(p->layout.lane[r], before, sizeof before);
		if (*p->left == 0 || p->refuted)
			return false;
	}
	return false;
}

static bool place_item(struct packing *p, uint32_t at);

/* Places all items from `at` on; returns false if it cannot, and then leaves the layout as it was. */
static bool place_from(struct packing *p, uint32_t at)
{
	if (at == p->count)
		return true;
	if (*p->left == 0 || p->refuted)
		return false;
	--*p->left;
	p->refuted = ++p->steps == EASY + 1 && has_clique(p);
	return !p->refuted && place_item(p, at);
}

static bool place_item(struct packing *p, uint32_t at)
{
	const struct item *item = &p->items[at];
	const struct request *q = item->request;
	struct view view[MAX_SOURCES];
	for (unsigned i = 0; i < p->n; i++)
		if (!(item->values & ~contents_of(p, p->registers[i])->values) && layout_shows(&p->layout, p->registers[i], q, view))
			return fix_item(p, at, p->registers[i]);
	if (is_too_full(p, at))
		return false;
	uint8_t tried[INTERPOLATORS];
	unsigned ntried = 0;
	for (unsigned pass = 0; pass < 2; pass++) { /* rule F: a register that has lanes of the same old t# (its home) is tried first */
		for (unsigned i = 0; i < p->n; i++) {
			unsigned const r = p->registers[i];
			bool const at_home = item->home >= 0 && p->layout.home[r] == item->home;
			if (at_home != (pass == 0) || !has_room(p, r, item) || contents_of(p, r)->free == 0)
				continue;
			bool const empty = !layout_used(&p->layout, r);
			bool again = false;
			for (unsigned k = 0; k < ntried && !again; k++)
				again = layout_alike(&p->layout, r, tried[k], item->loose);
			if (again)
				continue;
			tried[ntried++] = (uint8_t)r;
			int8_t const old_home = p->layout.home[r];
			if (empty)
				p->layout.home[r] = (int8_t)item->home;
			uint8_t const kind = p->layout.kind[r];
			if (fill_register(p, at, 0, r))
				return true;
			p->layout.home[r] = old_home;
			if (item->loose && !empty && kind == q->kind && kind != KIND_ANY)
				return false; /* later items are single values, too, so that keeping this lane free would not help them */
		}
	}
	return false;
}

/* ---- items from requests --------------------------------------------------------------------- */

static bool is_requested(const struct request *requests, uint32_t count, value_id value)
{
	for (uint32_t q = 0; q < count; q++)
		for (unsigned k = 0; k < requests[q].n; k++)
			EACH_LANE(l, requests[q].pattern[k].positions)
				if (requests[q].pattern[k].value[l] == value)
					return true;
	return false;
}

/* Returns how hard the request is to place, as a measure for sorting; 0 for a single value that any lane can bring. */
static unsigned hardness(const struct request *q)
{
	unsigned bits = 0;
	bool plain = false;
	for (unsigned k = 0; k < q->n; k++) {
		for (unsigned lane = 0; lane < LANES; lane++)
			bits += q->pattern[k].positions >> lane & 1;
		plain |= q->pattern[k].reach == REACH_PLAIN;
	}
	return plain ? bits + 16 : bits == 1 ? 0 : bits;
}

/* Makes an item of each request, and sorts them, the hardest first, by a stable sort.  Returns the index of the item of the last request. */
static uint32_t sort_items(const struct request *requests, const uint64_t *values, uint32_t count, struct item *items)
{
	unsigned hard[MOST_REQUESTS];
	uint32_t order[MOST_REQUESTS], j = 0;
	for (uint32_t i = 0; i < count; i++) {
		hard[i] = hardness(&requests[i]);
		for (j = i; j > 0 && hard[order[j - 1]] < hard[i]; j--)
			order[j] = order[j - 1];
		order[j] = i;
	}
	for (uint32_t i = 0; i < count; i++) {
		items[i].request = &requests[order[i]];
		items[i].values = values[order[i]];
		items[i].loose = hard[order[i]] == 0;
	}
	return j;
}

/* Fills the fields of the items that depend on later items, from the last to the first. */
static void finish_items(const struct values *v, const struct request *requests, struct packing *p)
{
	uint64_t to_come = 0;
	bool anywhere = true, negatable = true;
	for (uint32_t i = p->count; i-- > 0;) {
		struct item *item = &p->items[i];
		const struct request *q = item->request;
		const struct pattern *one = &q->pattern[0];
		item->to_come = to_come |= item->values;
		item->home = request_home(v, q);
		item->anywhere = anywhere = anywhere && request_is_anywhere(q);
		item->negatable = negatable = negatable && (item->loose || request_is_negatable(q));
		bool const negated = !item->loose || is_requested(requests, p->count, one->negated[pattern_first(one)]);
		for (unsigned k = 0; k < q->n && !anywhere; k++)
			pattern_find_views(&q->pattern[k], negated, &item->views[k]);
	}
}

bool layout_pack(const struct values *v, const struct request *requests, uint32_t count, unsigned n,
                 const struct layout *start, struct layout *out, uint32_t *steps)
{
	struct item items[MOST_REQUESTS];
	uint64_t values[MOST_REQUESTS];
	struct packing p;
	p.n = layout_registers(start, n, p.registers);
	if (count > MOST_REQUESTS || p.n > n || least_by_kinds(requests, count, &p.numbers, values) > n)
		return false;
	p.items = items;
	p.count = count;
	uint32_t const latest = sort_items(requests, values, count, items);
	if (count && starts_clique(&p, latest, false)) /* callers mostly add this last request to others that were packed before */
		return false;
	p.layout = *start;
	p.left = steps;
	p.steps = p.tries = 0;
	p.refuted = false;
	for (unsigned r = 0; r < INTERPOLATORS; r++)
		p.contents[r] = (struct contents){.lane = {NO_VALUE, NO_VALUE, NO_VALUE, NO_VALUE}, .free = LANES};
	finish_items(v, requests, &p);
	bool const good = place_from(&p, 0);
	if (good)
		*out = p.layout;
	return good;
}

uint64_t layout_steps(uint32_t count, uint32_t made)
{
	return made + count + (made > EASY ? (uint64_t)count * count : 0); /* beyond EASY, has_clique() compares all pairs */
}
