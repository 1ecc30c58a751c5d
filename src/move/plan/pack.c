/* Packing into interpolators.  What can be refuted by counting is not searched:
 *   values     all requests together want more values than the registers have lanes, or those of each kind do; a lane that is read where
 *              it stands has one value (count_registers);
 *   crowds     of some requests no two go into one register, and they are more than the registers (begins_crowd).
 * The rest is an exact depth-first search, the hardest requests first; single lanes, which fit anywhere, last.  What may ride where is
 * asked of layout.c, which has the rules.  What is here leaves out branches that can hold no packing: registers alike to one that was
 * tried, or without room; signs that make no difference; and states in which too few lanes are left for all requests.
 * To count, values have numbers, one and its opposite the same: a set of them is a word, whose bits tell how many lanes it takes. */
#include "move/plan/layout.h"

#include <string.h>

/* EASY: steps before two requests are compared by all their views.  TRIES_PER_STEP: views of a pattern into a register that count as a
 * step, as each item does. */
enum { EASY = 32, TRIES_PER_STEP = 8, MOST_REQUESTS = 512 };

static unsigned ones(uint64_t set)
{
	uint64_t const odd = UINT64_C(0x5555555555555555), pairs = UINT64_C(0x3333333333333333), fours = UINT64_C(0x0f0f0f0f0f0f0f0f);
	set -= set >> 1 & odd;
	set = (set & pairs) + (set >> 2 & pairs);
	return (unsigned)(((set + (set >> 4)) & fours) * UINT64_C(0x0101010101010101) >> 56);
}

/* ---- numbers of values, and how many registers they take ------------------------------------- */

/* Numbers by hash.  More values than any registers have lanes are not told apart: the set is full then. */
enum { MOST_VALUES = LANES * INTERPOLATORS + 1, PLACES = 256 };
struct numbers {
	unsigned n;
	value_id at[PLACES]; /* NO_VALUE: free */
	uint8_t number[PLACES];
	bool turned[PLACES]; /* it is the opposite of the value that got the number */
};
_Static_assert(PLACES > 2 * 2 * MOST_VALUES, "a search comes soon to a free place");
_Static_assert(MOST_VALUES <= 64, "a set of values is a word");

static unsigned place_of(const struct numbers *s, value_id value)
{
	unsigned place = value % PLACES;
	while (s->at[place] != NO_VALUE && s->at[place] != value)
		place = (place + 1) % PLACES;
	return place;
}

static void give(struct numbers *s, unsigned place, value_id value, unsigned number, bool turned)
{
	s->at[place] = value;
	s->number[place] = (uint8_t)number;
	s->turned[place] = turned;
}

/* Returns where the value has its number, which it gets if it has none. */
static unsigned number(struct numbers *s, value_id value, value_id opposite)
{
	unsigned const place = place_of(s, value);
	if (s->at[place] == value)
		return place;
	unsigned const other = opposite == NO_VALUE ? place : place_of(s, opposite);
	if (opposite != NO_VALUE && s->at[other] == opposite) {
		give(s, place, value, s->number[other], !s->turned[other]);
		return place;
	}
	if (s->n < MOST_VALUES)
		s->n++;
	give(s, place, value, s->n - 1, false);
	if (opposite != NO_VALUE)
		give(s, place_of(s, opposite), opposite, s->n - 1, true);
	return place;
}

/* Holds the values that requests of one kind want. */
struct tally {
	uint8_t kind;
	uint64_t values;
	uint64_t plain[LANES][2]; /* of these those at a place of their own, as the first was written and turned */
};

static unsigned registers_of(const struct tally *t)
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

/* Returns the values that the request wants, and adds them to the tally. */
static uint64_t count_values(const struct request *q, struct numbers *numbers, struct tally *t)
{
	uint64_t values = 0;
	for (unsigned w = 0; w < q->n; w++) {
		const struct pattern *p = &q->pattern[w];
		EACH_LANE(l, p->positions) {
			unsigned const place = number(numbers, p->value[l], p->negated[l]);
			uint64_t const one = UINT64_C(1) << numbers->number[place];
			values |= one;
			if (p->reach == REACH_PLAIN)
				t->plain[l][numbers->turned[place]] |= one;
		}
	}
	t->values |= values;
	return values;
}

/* Returns a number of registers below which the requests do not go, and what each of them wants.  Kinds never share a register; those of
 * KIND_ANY, which share with all, are counted among all alone. */
static unsigned count_registers(const struct request *requests, uint32_t count, struct numbers *numbers, uint64_t *values)
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
		apart += registers_of(&of[k]);
		add_tally(&all, &of[k]);
	}
	unsigned const together = registers_of(&all);
	return apart > together ? apart : together;
}

unsigned layout_least(const struct request *requests, uint32_t count)
{
	struct numbers numbers;
	uint64_t values[MOST_REQUESTS];
	return count > MOST_REQUESTS ? INTERPOLATORS + 1 : count_registers(requests, count, &numbers, values);
}

/* ---- items ----------------------------------------------------------------------------------- */

/* What is to be placed, and what is known of it. */
struct item {
	const struct request *request;
	uint64_t values; /* that it wants, */
	uint64_t to_come; /* wanted by it and all behind it */
	struct views views[MAX_SOURCES]; /* of each pattern, unless `anywhere`; of a loose one, only as it is if nobody wants its opposite */
	int home;   /* the t# of the first input that it reads unchanged, or -1 */
	bool loose; /* one value that any lane can bring, and so are all behind it */
	bool anywhere; /* it and all behind it read a register's lanes in any order: one free lane is as good as another */
	bool turns; /* it and all behind it can be read negated: in an empty register no sign is better */
};

/* What a register with these lanes holds. */
struct contents {
	value_id lane[LANES];
	uint64_t values; /* of those that are wanted */
	unsigned free;   /* lanes */
};

struct packing {
	struct item *items;
	uint32_t count;
	unsigned n;                       /* registers that may be used, */
	uint8_t registers[INTERPOLATORS]; /* ... and which */
	struct layout layout;
	uint32_t *left;                   /* steps that may still be made, */
	uint32_t steps, tries;            /* ... that were, and views that were tried */
	bool crowded;                     /* it is known that there is no way */
	struct numbers numbers;           /* of the values that are wanted */
	struct contents contents[INTERPOLATORS]; /* of each register, as it was last looked at */
};

/* Looks anew at what a register holds. */
static void find_contents(const struct packing *p, const value_id lane[LANES], struct contents *c)
{
	*c = (struct contents){.free = 0};
	memcpy(c->lane, lane, sizeof c->lane);
	for (unsigned l = 0; l < LANES; l++) {
		unsigned const place = lane[l] == NO_VALUE ? 0 : place_of(&p->numbers, lane[l]);
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

/* Returns whether the register has room for the values of the item that it lacks. */
static bool has_room(struct packing *p, unsigned r, const struct item *item)
{
	const struct contents *c = contents_of(p, r);
	return kinds_share(p->layout.kind[r], item->request->kind) && ones(item->values & ~c->values) <= c->free;
}

/* ---- what is refuted by counting ------------------------------------------------------------- */

/* Are there fewer free lanes than values that the items from `at` on want and no register has? */
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

/* Is there a register that shows both? */
static bool go_together(const struct pattern *p, const struct views *views_of_p, const struct pattern *q, const struct views *views_of_q)
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

/* Returns whether no register can take both.  Views tell more than values, and take longer. */
static bool are_apart(const struct item *a, const struct item *b, bool by_views)
{
	if (ones(a->values | b->values) > LANES || !kinds_share(a->request->kind, b->request->kind))
		return true;
	if (!by_views || a->anywhere || b->anywhere || a->loose || b->loose)
		return false; /* as far as is known */
	for (unsigned j = 0; j < a->request->n; j++)
		for (unsigned k = 0; k < b->request->n; k++)
			if (!go_together(&a->request->pattern[j], &a->views[j], &b->request->pattern[k], &b->views[k]))
				return true;
	return false;
}

/* Are some items, of which no two go together, more than the registers?  The crowd begins with the item `first`; the others are taken
 * as they come, the hardest first. */
static bool begins_crowd(const struct packing *p, uint32_t first, bool by_views)
{
	uint32_t crowd[INTERPOLATORS + 1] = {first};
	unsigned n = 1;
	for (uint32_t q = 0; q < p->count && n <= p->n; q++) {
		unsigned k = 0;
		while (k < n && crowd[k] != q && are_apart(&p->items[crowd[k]], &p->items[q], by_views))
			k++;
		if (k == n)
			crowd[n++] = q;
	}
	return n > p->n;
}

/* Returns whether there is a crowd, whichever item begins it. */
static bool has_crowd(const struct packing *p)
{
	uint32_t q = 0;
	while (q < p->count && !begins_crowd(p, q, true))
		q++;
	return q < p->count;
}

/* ---- the search ------------------------------------------------------------------------------ */

static bool solve(struct packing *p, uint32_t at);

/* Item `at` stands in register r: the other items. */
static bool go_on(struct packing *p, uint32_t at, unsigned r)
{
	uint8_t const kind = p->layout.kind[r];
	if (kind == KIND_ANY)
		p->layout.kind[r] = p->items[at].request->kind;
	if (solve(p, at + 1))
		return true;
	p->layout.kind[r] = kind;
	return false;
}

/* Patterns `which` .. of item `at`, of which some are not there, into register r, then the other items. */
static bool fill(struct packing *p, uint32_t at, unsigned which, unsigned r)
{
	const struct item *item = &p->items[at];
	const struct request *q = item->request;
	if (which == q->n || which == MAX_SOURCES)
		return go_on(p, at, r);
	const struct pattern *pattern = &q->pattern[which];
	struct view view;
	if (q->n > 1 && pattern_match(p->layout.lane[r], pattern, &view))
		return fill(p, at, which + 1, r); /* it costs nothing: no other view is better */
	value_id before[LANES];
	memcpy(before, p->layout.lane[r], sizeof before);
	bool const empty = item->turns && which == 0 && !layout_used(&p->layout, r);
	if (item->anywhere) {
		for (unsigned negate = 0; negate < (empty ? 1 : 2); negate++) {
			if (pattern_put(p->layout.lane[r], pattern, negate) && fill(p, at, which + 1, r))
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
			if (fill(p, at, which + 1, r))
				return true;
			while (item->loose && k + 1 < views->n && views->view[k + 1].negate == to->negate)
				k++; /* one free lane is as good as another */
		}
		memcpy(p->layout.lane[r], before, sizeof before);
		if (*p->left == 0 || p->crowded)
			return false;
	}
	return false;
}

static bool place_item(struct packing *p, uint32_t at);

/* All items from `at` on. */
static bool solve(struct packing *p, uint32_t at)
{
	if (at == p->count)
		return true;
	if (*p->left == 0 || p->crowded)
		return false;
	--*p->left;
	p->crowded = ++p->steps == EASY + 1 && has_crowd(p);
	return !p->crowded && place_item(p, at);
}

static bool place_item(struct packing *p, uint32_t at)
{
	const struct item *item = &p->items[at];
	const struct request *q = item->request;
	struct view view[MAX_SOURCES];
	for (unsigned i = 0; i < p->n; i++)
		if (!(item->values & ~contents_of(p, p->registers[i])->values) && layout_shows(&p->layout, p->registers[i], q, view))
			return go_on(p, at, p->registers[i]);
	if (is_too_full(p, at))
		return false;
	uint8_t tried[INTERPOLATORS];
	unsigned ntried = 0;
	for (unsigned pass = 0; pass < 2; pass++) { /* first where it is at home, by rule F */
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
			if (fill(p, at, 0, r))
				return true;
			p->layout.home[r] = old_home;
			if (item->loose && !empty && kind == q->kind && kind != KIND_ANY)
				return false; /* nothing behind it has better use for this lane */
		}
	}
	return false;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static bool is_wanted(const struct request *requests, uint32_t count, value_id value)
{
	for (uint32_t q = 0; q < count; q++)
		for (unsigned k = 0; k < requests[q].n; k++)
			EACH_LANE(l, requests[q].pattern[k].positions)
				if (requests[q].pattern[k].value[l] == value)
					return true;
	return false;
}

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

/* The requests as items, hardest first; stable, so that the result does not depend on chance.  Returns which of them is the last one. */
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

/* Finds what else the search has to know of the items, from the last to the first. */
static void find_ways(const struct values *v, const struct request *requests, struct packing *p)
{
	uint64_t to_come = 0;
	bool anywhere = true, turns = true;
	for (uint32_t i = p->count; i-- > 0;) {
		struct item *item = &p->items[i];
		const struct request *q = item->request;
		const struct pattern *one = &q->pattern[0];
		item->to_come = to_come |= item->values;
		item->home = request_home(v, q);
		item->anywhere = anywhere = anywhere && request_is_anywhere(q);
		item->turns = turns = turns && (item->loose || request_turns(q));
		bool const negated = !item->loose || is_wanted(requests, p->count, one->negated[pattern_first(one)]);
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
	if (count > MOST_REQUESTS || p.n > n || count_registers(requests, count, &p.numbers, values) > n)
		return false;
	p.items = items;
	p.count = count;
	uint32_t const latest = sort_items(requests, values, count, items); /* mostly the others were packed before */
	if (count && begins_crowd(&p, latest, false))
		return false;
	p.layout = *start;
	p.left = steps;
	p.steps = p.tries = 0;
	p.crowded = false;
	for (unsigned r = 0; r < INTERPOLATORS; r++)
		p.contents[r] = (struct contents){.lane = {NO_VALUE, NO_VALUE, NO_VALUE, NO_VALUE}, .free = LANES};
	find_ways(v, requests, &p);
	bool const good = solve(&p, 0);
	if (good)
		*out = p.layout;
	return good;
}

uint64_t layout_steps(uint32_t count, uint32_t made)
{
	return made + count + (made > EASY ? (uint64_t)count * count : 0); /* all are compared with each other then */
}
