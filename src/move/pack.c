/* Packing values into interpolators: 8 registers of 4 lanes.  A 2D coordinate must lie in .xy,
 * other reads have the eight swizzles of ps_2_0, and patterns of one instruction share a register.
 * Exact depth-first search: hardest requests first; single lanes, which fit anywhere, last. */
#include "move/plan.h"

#include <string.h>

static const swizzle ways[PATTERN_WAYS] = {
	SWIZZLE_XYZW, SWIZZLE(1, 2, 0, 3), SWIZZLE(2, 0, 1, 3), SWIZZLE(3, 2, 1, 0),
	SWIZZLE(0, 0, 0, 0), SWIZZLE(1, 1, 1, 1), SWIZZLE(2, 2, 2, 2), SWIZZLE(3, 3, 3, 3),
};

/* 1, or 2 if the operand may be negated. */
static unsigned signs_of(const struct pattern *p)
{
	return p->reach == REACH_PLAIN || p->reach == REACH_LANE ? 1 : 2;
}

/* The ways that a reach allows are ways[from..to). */
static void ways_of(const struct pattern *p, unsigned *from, unsigned *to)
{
	*from = p->reach == REACH_SCALAR || p->reach == REACH_LANE ? 4 : 0;
	*to = p->reach == REACH_PLAIN ? 1 : PATTERN_WAYS;
}

static unsigned lowest(lanes positions)
{
	unsigned k = 0;
	while (k < LANES - 1 && !(positions >> k & 1))
		k++;
	return k;
}

static bool fits(const value_id reg[LANES], lanes positions, const value_id want[LANES], swizzle s)
{
	for (unsigned k = 0; k < LANES; k++)
		if (positions >> k & 1 && (want[k] == NO_VALUE || reg[swizzle_lane(s, k)] != want[k]))
			return false;
	return true;
}

bool pattern_way(const struct pattern *p, unsigned view, struct way *way)
{
	unsigned from, to;
	ways_of(p, &from, &to);
	unsigned n = to - from;
	if (view >= n * signs_of(p))
		return false;
	*way = (struct way){ways[from + view % n], view >= n};
	return true;
}

bool pattern_match(const value_id reg[LANES], const struct pattern *p, struct way *way)
{
	unsigned from, to, first = lowest(p->positions);
	ways_of(p, &from, &to);
	for (unsigned negate = 0; negate < signs_of(p); negate++) {
		const value_id *want = negate ? p->negated : p->value;
		if (p->positions && reg[0] != want[first] && reg[1] != want[first] && reg[2] != want[first] && reg[3] != want[first])
			continue;
		for (unsigned k = from; k < to; k++) {
			if (fits(reg, p->positions, want, ways[k])) {
				*way = (struct way){ways[k], negate};
				return true;
			}
		}
	}
	return false;
}

/* Writes the pattern into the register; false, with some written, if a lane is taken by something else. */
static bool place(value_id reg[LANES], const struct pattern *p, swizzle s, bool negate)
{
	const value_id *want = negate ? p->negated : p->value;
	for (unsigned k = 0; k < LANES; k++) {
		if (!(p->positions >> k & 1))
			continue;
		value_id *at = &reg[swizzle_lane(s, k)];
		if (want[k] == NO_VALUE || (*at != NO_VALUE && *at != want[k]))
			return false;
		*at = want[k];
	}
	return true;
}

bool pattern_place(value_id reg[LANES], const struct pattern *p, const struct way *way)
{
	return place(reg, p, way->swizzle, way->negate);
}

static bool is_single(const struct pattern *p)
{
	return (p->positions & (p->positions - 1)) == 0;
}

/* What is to be placed, and what is known of it. */
struct item {
	const struct request *request;
	unsigned hardness;
	int home;   /* the t# of the first input that it reads unchanged, or -1 */
	bool loose; /* one value that any lane can bring, and so are all behind it */
	bool turns; /* ... of which others want the opposite, too: then the lane's sign matters */
};

struct packing {
	const struct item *items;
	uint32_t count;
	unsigned n;                       /* registers that may be used, */
	uint8_t registers[INTERPOLATORS]; /* ... and which */
	struct layout layout;
	uint32_t *work;
};

static bool is_empty(const struct layout *l, unsigned r)
{
	for (unsigned k = 0; k < LANES; k++)
		if (l->lane[r][k] != NO_VALUE)
			return false;
	return !l->pinned[r];
}

static bool kind_fits(const struct layout *l, unsigned r, uint8_t kind)
{
	return l->kind[r] == kind || l->kind[r] == KIND_ANY || kind == KIND_ANY;
}

static int home_of(const struct values *v, const struct request *q)
{
	int input = value_raw_input(v, q->pattern[0].value[lowest(q->pattern[0].positions)]);
	return input < 0 ? -1 : input / LANES;
}

static bool solve(struct packing *p, uint32_t at);

/* Patterns `which` .. of item `at` into register r, then the other items. */
static bool fill(struct packing *p, uint32_t at, unsigned which, unsigned r)
{
	const struct item *item = &p->items[at];
	const struct request *q = item->request;
	if (which == q->n) {
		uint8_t kind = p->layout.kind[r];
		if (kind == KIND_ANY)
			p->layout.kind[r] = q->kind;
		if (solve(p, at + 1))
			return true;
		p->layout.kind[r] = kind;
		return false;
	}
	const struct pattern *pattern = &q->pattern[which];
	struct way way;
	if (pattern_match(p->layout.lane[r], pattern, &way))
		return fill(p, at, which + 1, r); /* it costs nothing: no other way is better */
	unsigned from, to;
	ways_of(pattern, &from, &to);
	value_id before[LANES];
	memcpy(before, p->layout.lane[r], sizeof before);
	bool single = is_single(pattern);
	for (unsigned negate = 0; negate < (item->loose && !item->turns ? 1 : signs_of(pattern)); negate++) {
		lanes tried = 0; /* of a single value: ways that read the same lane are alike */
		for (unsigned k = from; k < to; k++) {
			if (single && tried & swizzle_lanes(ways[k], pattern->positions))
				continue;
			if (place(p->layout.lane[r], pattern, ways[k], negate)) {
				if (fill(p, at, which + 1, r))
					return true;
				tried |= swizzle_lanes(ways[k], pattern->positions);
			}
			memcpy(p->layout.lane[r], before, sizeof before);
			if (*p->work == 0)
				return false;
			if (item->loose && tried)
				break; /* one free lane is as good as another */
		}
	}
	return false;
}

static bool solve(struct packing *p, uint32_t at)
{
	if (at == p->count)
		return true;
	if (*p->work == 0)
		return false;
	--*p->work;
	const struct item *item = &p->items[at];
	const struct request *q = item->request;
	/* Already there? */
	for (unsigned i = 0; i < p->n; i++) {
		unsigned r = p->registers[i];
		bool all = kind_fits(&p->layout, r, q->kind);
		struct way way;
		for (unsigned k = 0; all && k < q->n; k++)
			all = pattern_match(p->layout.lane[r], &q->pattern[k], &way);
		if (all)
			return fill(p, at, 0, r);
	}
	bool tried_empty = false;
	uint8_t tried_kind[INTERPOLATORS];
	unsigned tried = 0;
	for (unsigned pass = 0; pass < 2; pass++) {
		for (unsigned i = 0; i < p->n; i++) {
			unsigned r = p->registers[i];
			bool at_home = item->home >= 0 && p->layout.home[r] == item->home;
			if (at_home != (pass == 0) || !kind_fits(&p->layout, r, q->kind))
				continue;
			bool empty = is_empty(&p->layout, r);
			if (empty && tried_empty)
				continue; /* empty registers are alike */
			tried_empty |= empty;
			if (item->loose && !empty) {
				/* ... and so are free lanes of registers of one kind. */
				bool full = true, again = false;
				for (unsigned k = 0; k < LANES; k++)
					full &= p->layout.lane[r][k] != NO_VALUE;
				for (unsigned k = 0; k < tried; k++)
					again |= tried_kind[k] == p->layout.kind[r];
				if (full || again)
					continue;
				tried_kind[tried++] = p->layout.kind[r];
			}
			int8_t old_home = p->layout.home[r];
			if (empty)
				p->layout.home[r] = (int8_t)item->home;
			uint8_t kind = p->layout.kind[r];
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
			for (unsigned l = 0; l < LANES; l++)
				if (requests[q].pattern[k].positions >> l & 1 && requests[q].pattern[k].value[l] == value)
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

unsigned layout_least(const struct request *requests, uint32_t count)
{
	enum { MOST = 4 * INTERPOLATORS + 1 };
	value_id seen[MOST], plain[LANES][MOST];
	unsigned n = 0, most = 0, nplain[LANES] = {0};
	for (uint32_t q = 0; q < count; q++) {
		for (unsigned w = 0; w < requests[q].n; w++) {
			const struct pattern *p = &requests[q].pattern[w];
			for (unsigned l = 0; l < LANES; l++) {
				if (!(p->positions >> l & 1))
					continue;
				unsigned k = 0;
				while (k < n && seen[k] != p->value[l] && seen[k] != p->negated[l])
					k++;
				if (k == n && n < MOST)
					seen[n++] = p->value[l];
				/* A lane that is read where it stands has one value. */
				k = 0;
				while (k < nplain[l] && plain[l][k] != p->value[l])
					k++;
				if (p->reach == REACH_PLAIN && k == nplain[l] && k < MOST)
					plain[l][nplain[l]++] = p->value[l];
				most = nplain[l] > most ? nplain[l] : most;
			}
		}
	}
	return (n + LANES - 1) / LANES > most ? (n + LANES - 1) / LANES : most;
}

bool layout_pack(const struct values *v, const struct request *requests, uint32_t count, unsigned n,
                 const struct layout *start, struct layout *out, uint32_t *work)
{
	enum { MOST = 512 };
	struct item items[MOST];
	if (count > MOST || layout_least(requests, count) > n)
		return false;
	/* Insertion sort, hardest first; stable, so that the result does not depend on chance. */
	for (uint32_t i = 0; i < count; i++) {
		struct item item = {.request = &requests[i], .hardness = hardness(&requests[i]), .home = home_of(v, &requests[i])};
		uint32_t j = i;
		for (; j > 0 && items[j - 1].hardness < item.hardness; j--)
			items[j] = items[j - 1];
		item.loose = item.hardness == 0;
		if (item.loose)
			item.turns = is_wanted(requests, count, requests[i].pattern[0].negated[lowest(requests[i].pattern[0].positions)]);
		items[j] = item;
	}
	struct packing p = {.items = items, .count = count, .layout = *start, .work = work};
	for (unsigned r = 0; r < INTERPOLATORS; r++)
		if (start->pinned[r])
			p.registers[p.n++] = (uint8_t)r;
	for (unsigned r = 0; r < INTERPOLATORS && p.n < n; r++)
		if (!start->pinned[r])
			p.registers[p.n++] = (uint8_t)r;
	if (p.n > n)
		return false;
	bool good = solve(&p, 0);
	if (good)
		*out = p.layout;
	return good;
}

bool layout_used(const struct layout *l, unsigned reg)
{
	return !is_empty(l, reg);
}
