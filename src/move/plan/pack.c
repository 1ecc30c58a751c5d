/* Packing into interpolators: an exact depth-first search, the hardest requests first; single lanes, which fit anywhere, last.
 * What may ride where is asked of layout.c, which has the rules.  What is here leaves out branches that can hold no packing:
 * registers alike to one that was tried, signs that make no difference, states that failed before, and those in which too few
 * lanes are left for all items or for one of them.  Before that it counts: items that take a register, or half of one. */
#include "move/plan/layout.h"

#include <string.h>

/* What is to be placed, and what is known of it. */
struct item {
	const struct request *request;
	struct views views[MAX_SOURCES]; /* of each pattern, unless `anywhere`; of a loose one, only as it is if nobody wants its opposite */
	unsigned hardness;
	int home;   /* the t# of the first input that it reads unchanged, or -1 */
	unsigned distinct; /* of the values of all, those from here on; */
	uint64_t values;   /* ... and which it wants */
	bool loose; /* one value that any lane can bring, and so are all behind it */
	bool anywhere; /* it and all behind it read a register's lanes in any order: one free lane is as good as another */
	bool turns; /* it and all behind it can be read negated: in an empty register no sign is better */
};

/* TRIES_PER_STEP: views of a pattern into a register that count as a step, as each item does. */
enum { EASY = 32, FAILED = 1024, TRIES_PER_STEP = 8 };

/* Different values that what is left to place needs; one and its opposite are one. */
enum { DISTINCT = 64 };

/* What a register with these lanes holds. */
struct contents {
	value_id lane[LANES];
	uint64_t values; /* of those that items want, the same bits */
	uint64_t print;
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
	bool crowded;                     /* after the first steps: it is known that there is no way */
	unsigned distinct;                /* of `value`, when the first steps are done */
	value_id value[DISTINCT][2];      /* ... and its opposite */
	struct contents contents[INTERPOLATORS]; /* ... of each register, as it was last looked at */
	uint64_t failed[FAILED]; /* after the first steps: states from which there is no way, as they fell */
};

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

static const struct contents *contents_of(struct packing *p, unsigned r)
{
	struct contents *c = &p->contents[r];
	const value_id *lane = p->layout.lane[r];
	if (memcmp(c->lane, lane, sizeof c->lane) == 0)
		return c;
	*c = (struct contents){.print = 0};
	memcpy(c->lane, lane, sizeof c->lane);
	for (unsigned l = 0; l < LANES; l++) {
		unsigned k = 0;
		while (lane[l] != NO_VALUE && k < p->distinct && p->value[k][0] != lane[l] && p->value[k][1] != lane[l])
			k++;
		c->free += lane[l] == NO_VALUE;
		c->values |= lane[l] != NO_VALUE && k < p->distinct ? UINT64_C(1) << k : 0;
		c->print = (c->print ^ lane[l]) * UINT64_C(0x9e3779b97f4a7c15);
		c->print ^= c->print >> 29;
	}
	return c;
}

/* A number for what is packed, whatever the order of the registers, and for what is left to do. */
static uint64_t state_of(struct packing *p, uint32_t at)
{
	uint64_t sum = at;
	for (unsigned i = 0; i < p->n; i++) {
		unsigned r = p->registers[i];
		sum += (contents_of(p, r)->print + p->layout.kind[r] + (p->layout.pinned[r] ? UINT64_C(256) : 0)) * UINT64_C(0xd6e8feb86659fd93);
	}
	return sum ? sum : 1;
}

static void find_distinct(struct packing *p)
{
	p->distinct = 0;
	for (uint32_t q = p->count; q-- > 0;) {
		p->items[q].values = 0;
		for (unsigned w = 0; w < p->items[q].request->n; w++) {
			const struct pattern *pattern = &p->items[q].request->pattern[w];
			for (unsigned l = 0; l < LANES; l++) {
				unsigned k = 0;
				while (k < p->distinct && p->value[k][0] != pattern->value[l] && p->value[k][1] != pattern->value[l] &&
				       p->value[k][0] != pattern->negated[l])
					k++;
				if (pattern->positions >> l & 1 && k == p->distinct && k < DISTINCT) {
					p->value[k][0] = pattern->value[l];
					p->value[k][1] = pattern->negated[l];
					p->distinct++;
				}
				if (pattern->positions >> l & 1 && k < p->distinct)
					p->items[q].values |= UINT64_C(1) << k;
			}
		}
		p->items[q].distinct = p->distinct;
	}
}

static unsigned ones(uint64_t set)
{
	unsigned n = 0;
	for (; set; set &= set - 1)
		n++;
	return n;
}

/* Are there fewer free lanes than values that the items from `at` on need and no register has? */
static bool is_too_full(struct packing *p, uint32_t at)
{
	unsigned const distinct = p->items[at].distinct;
	uint64_t const wanted = distinct < DISTINCT ? (UINT64_C(1) << distinct) - 1 : UINT64_MAX;
	uint64_t there = 0;
	unsigned free = 0;
	for (unsigned i = 0; i < p->n; i++) {
		const struct contents *c = contents_of(p, p->registers[i]);
		there |= c->values;
		free += c->free;
	}
	return ones(wanted & ~there) > free;
}

/* Is there an item, from `at` on, for whose values no register has room? */
static bool is_stuck(struct packing *p, uint32_t at)
{
	for (uint32_t q = at; q < p->count && !p->items[q].loose; q++) {
		bool fits = false;
		for (unsigned i = 0; i < p->n && !fits; i++) {
			unsigned const r = p->registers[i];
			const struct contents *c = &p->contents[r];
			fits = kinds_share(p->layout.kind[r], p->items[q].request->kind) && ones(p->items[q].values & ~c->values) <= c->free;
		}
		if (!fits)
			return true;
	}
	return false;
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

/* Can no register take both? */
static bool are_apart(const struct item *a, const struct item *b)
{
	if (ones(a->values | b->values) > LANES || !kinds_share(a->request->kind, b->request->kind))
		return true;
	if (b->anywhere)
		return false; /* as far as is known: it has no views */
	for (unsigned j = 0; j < a->request->n; j++)
		for (unsigned k = 0; k < b->request->n && !b->loose; k++)
			if (!go_together(&a->request->pattern[j], &a->views[j], &b->request->pattern[k], &b->views[k]))
				return true;
	return false;
}

/* What an item of a crowd takes of a register at least, in halves: with `halves` one of two values takes one. */
static unsigned share_of(const struct item *item, bool halves)
{
	return halves && ones(item->values) == 2 ? 1 : 2;
}

/* Do the shares of some items add up to more than the registers?  Items of the crowd go into no register together, but for two that
 * take halves and have no value in common.  Each item begins a crowd, of those that come first. */
static bool is_crowded(const struct packing *p, bool halves)
{
	for (uint32_t first = 0; first + p->n < p->count; first++) {
		uint32_t crowd[2 * INTERPOLATORS + 1];
		unsigned n = 0, shares = 0;
		for (uint32_t q = first; q < p->count && shares <= 2 * p->n; q++) {
			const struct item *item = &p->items[q];
			unsigned const share = share_of(item, halves);
			unsigned k = 0;
			while (k < n && (are_apart(&p->items[crowd[k]], item) ||
			                 (share == 1 && share_of(&p->items[crowd[k]], halves) == 1 && !(p->items[crowd[k]].values & item->values))))
				k++;
			if (k == n) {
				crowd[n++] = q;
				shares += share;
			}
		}
		if (shares > 2 * p->n)
			return true;
	}
	return false;
}

static bool place_item(struct packing *p, uint32_t at);

/* All items from `at` on.  What was found not to go is not tried again. */
static bool solve(struct packing *p, uint32_t at)
{
	if (at == p->count)
		return true;
	if (*p->left == 0 || p->crowded)
		return false;
	--*p->left;
	if (p->steps++ < EASY)
		return place_item(p, at);
	if (p->steps == EASY + 1) {
		memset(p->failed, 0, sizeof p->failed);
		find_distinct(p);
		for (unsigned r = 0; r < INTERPOLATORS; r++)
			p->contents[r] = (struct contents){.lane = {NO_VALUE, NO_VALUE, NO_VALUE, NO_VALUE}, .free = LANES};
		if ((p->crowded = is_crowded(p, false) || is_crowded(p, true)))
			return false;
	}
	uint64_t const state = state_of(p, at);
	uint64_t *known = &p->failed[state % FAILED];
	if (*known == state || is_too_full(p, at) || is_stuck(p, at))
		return false;
	if (place_item(p, at))
		return true;
	if (*p->left)
		*known = state;
	return false;
}

static bool is_full(const struct layout *l, unsigned r)
{
	bool full = true;
	for (unsigned k = 0; k < LANES; k++)
		full &= l->lane[r][k] != NO_VALUE;
	return full;
}

static bool place_item(struct packing *p, uint32_t at)
{
	const struct item *item = &p->items[at];
	const struct request *q = item->request;
	struct view view[MAX_SOURCES];
	for (unsigned i = 0; i < p->n; i++)
		if (layout_shows(&p->layout, p->registers[i], q, view))
			return go_on(p, at, p->registers[i]);
	uint8_t tried[INTERPOLATORS];
	unsigned ntried = 0;
	for (unsigned pass = 0; pass < 2; pass++) { /* first where it is at home, by rule F */
		for (unsigned i = 0; i < p->n; i++) {
			unsigned const r = p->registers[i];
			bool const at_home = item->home >= 0 && p->layout.home[r] == item->home;
			if (at_home != (pass == 0) || !kinds_share(p->layout.kind[r], q->kind) || is_full(&p->layout, r))
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

/* A set of values, by hash. */
enum { MOST_VALUES = 4 * INTERPOLATORS + 1, PLACES = 128 };
struct value_set {
	unsigned n;
	value_id at[PLACES]; /* NO_VALUE: free */
};
_Static_assert(PLACES > 2 * MOST_VALUES, "a search in the set comes to a free place");

static bool is_in(const struct value_set *set, value_id value, unsigned *place)
{
	*place = value % PLACES;
	while (set->at[*place] != NO_VALUE && set->at[*place] != value)
		*place = (*place + 1) % PLACES;
	return set->at[*place] == value;
}

/* Puts a value in, unless it or its opposite is there, or the set is full. */
static void put_in(struct value_set *set, value_id value, value_id opposite)
{
	unsigned place;
	if (set->n == MOST_VALUES || (opposite != NO_VALUE && is_in(set, opposite, &place)) || is_in(set, value, &place))
		return;
	set->at[place] = value;
	set->n++;
}

/* Of the requests of one kind; KIND_ANY: of all. */
static unsigned least_of(const struct request *requests, uint32_t count, uint8_t kind)
{
	struct value_set all, plain[LANES]; /* a lane that is read where it stands has one value */
	bool any_plain = false;
	unsigned most = 0;
	all.n = 0;
	memset(all.at, 0xff, sizeof all.at);
	for (uint32_t q = 0; q < count; q++) {
		for (unsigned w = 0; w < requests[q].n && (kind == KIND_ANY || requests[q].kind == kind); w++) {
			const struct pattern *p = &requests[q].pattern[w];
			if (p->reach == REACH_PLAIN && !any_plain) {
				memset(plain, 0xff, sizeof plain);
				for (unsigned l = 0; l < LANES; l++)
					plain[l].n = 0;
				any_plain = true;
			}
			EACH_LANE(l, p->positions) {
				put_in(&all, p->value[l], p->negated[l]);
				if (p->reach == REACH_PLAIN)
					put_in(&plain[l], p->value[l], NO_VALUE);
			}
		}
	}
	for (unsigned l = 0; any_plain && l < LANES; l++)
		most = plain[l].n > most ? plain[l].n : most;
	return (all.n + LANES - 1) / LANES > most ? (all.n + LANES - 1) / LANES : most;
}

unsigned layout_least(const struct request *requests, uint32_t count)
{
	unsigned const all = least_of(requests, count, KIND_ANY);
	unsigned apart = 0; /* kinds never share a register */
	uint32_t first = 0, other = 0;
	while (first < count && requests[first].kind == KIND_ANY)
		first++;
	while (other < count && (requests[other].kind == KIND_ANY || requests[other].kind == requests[first].kind))
		other++;
	for (uint32_t q = first; other < count && q < count; q++) {
		bool known = requests[q].kind == KIND_ANY;
		for (uint32_t o = 0; o < q && !known; o++)
			known = requests[o].kind == requests[q].kind;
		apart += known ? 0 : least_of(requests, count, requests[q].kind);
	}
	return apart > all ? apart : all;
}

/* The requests, hardest first; stable, so that the result does not depend on chance. */
static void sort_items(const struct values *v, const struct request *requests, uint32_t count, struct item *items)
{
	for (uint32_t i = 0; i < count; i++) {
		unsigned const hard = hardness(&requests[i]);
		uint32_t j = i;
		for (; j > 0 && items[j - 1].hardness < hard; j--)
			items[j] = items[j - 1];
		struct item *item = &items[j];
		item->request = &requests[i];
		item->hardness = hard;
		item->home = request_home(v, &requests[i]);
		item->loose = hard == 0;
	}
	bool anywhere = true, turns = true;
	for (uint32_t i = count; i-- > 0;) {
		struct item *item = &items[i];
		const struct pattern *one = &item->request->pattern[0];
		item->anywhere = anywhere = anywhere && request_is_anywhere(item->request);
		item->turns = turns = turns && (item->loose || request_turns(item->request));
		bool const negated = !item->loose || is_wanted(requests, count, one->negated[pattern_first(one)]);
		for (unsigned k = 0; k < item->request->n && !anywhere; k++)
			pattern_find_views(&item->request->pattern[k], negated, &item->views[k]);
	}
}

bool layout_pack(const struct values *v, const struct request *requests, uint32_t count, unsigned n,
                 const struct layout *start, struct layout *out, uint32_t *steps)
{
	enum { MOST = 512 };
	struct item items[MOST];
	if (count > MOST || (count > 1 && layout_least(requests, count) > n))
		return false;
	sort_items(v, requests, count, items);
	struct packing p; /* of which `failed`, which is large, is set when it is needed */
	p.items = items;
	p.count = count;
	p.n = layout_registers(start, n, p.registers);
	p.layout = *start;
	p.left = steps;
	p.steps = p.tries = 0;
	p.crowded = false;
	bool const good = p.n <= n && solve(&p, 0);
	if (good)
		*out = p.layout;
	return good;
}

uint64_t layout_steps(uint32_t count, uint32_t made)
{
	return made + count + (made > EASY ? (uint64_t)count * count : 0); /* all are compared with each other then */
}
