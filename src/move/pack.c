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

static bool fits(const value_id reg[LANES], const struct pattern *p, swizzle s, bool negate)
{
	for (unsigned k = 0; k < LANES; k++) {
		if (!(p->positions >> k & 1))
			continue;
		value_id want = negate ? p->negated[k] : p->value[k];
		if (want == NO_VALUE || reg[swizzle_lane(s, k)] != want)
			return false;
	}
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
	unsigned from, to;
	ways_of(p, &from, &to);
	for (unsigned negate = 0; negate < signs_of(p); negate++) {
		for (unsigned k = from; k < to; k++) {
			if (fits(reg, p, ways[k], negate)) {
				*way = (struct way){ways[k], negate};
				return true;
			}
		}
	}
	return false;
}

/* Writes the pattern into the register; false if a lane is taken by something else. */
static bool place(value_id reg[LANES], const struct pattern *p, swizzle s, bool negate)
{
	for (unsigned k = 0; k < LANES; k++) {
		if (!(p->positions >> k & 1))
			continue;
		value_id want = negate ? p->negated[k] : p->value[k];
		value_id *at = &reg[swizzle_lane(s, k)];
		if (want == NO_VALUE || (*at != NO_VALUE && *at != want))
			return false;
		*at = want;
	}
	return true;
}

bool pattern_place(value_id reg[LANES], const struct pattern *p, const struct way *way)
{
	return place(reg, p, way->swizzle, way->negate);
}

struct packing {
	const struct values *values;
	const struct request *requests;
	const uint32_t *order;
	uint32_t count;
	unsigned n;                        /* registers that may be used, */
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

static int home_of(const struct packing *p, const struct request *q)
{
	for (unsigned k = 0; k < LANES; k++) {
		if (q->pattern[0].positions >> k & 1) {
			int input = value_raw_input(p->values, q->pattern[0].value[k]);
			return input < 0 ? -1 : input / LANES;
		}
	}
	return -1;
}

static bool solve(struct packing *p, uint32_t at);

/* Patterns `which` .. of request `at` into register r, then the other requests. */
static bool fill(struct packing *p, uint32_t at, unsigned which, unsigned r)
{
	const struct request *q = &p->requests[p->order[at]];
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
	bool single = (pattern->positions & (pattern->positions - 1)) == 0;
	for (unsigned negate = 0; negate < signs_of(pattern); negate++) {
		for (unsigned k = from; k < to; k++) {
			bool filled = place(p->layout.lane[r], pattern, ways[k], negate) && fill(p, at, which + 1, r);
			if (filled)
				return true;
			bool tried = memcmp(before, p->layout.lane[r], sizeof before) != 0;
			memcpy(p->layout.lane[r], before, sizeof before);
			if (*p->work == 0)
				return false;
			/* A single lane that is the last pattern fits one free lane as well as another,
			 * and the requests behind it are single lanes too. */
			if (single && tried && q->n == 1 && pattern->reach != REACH_PLAIN && negate)
				break;
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
	const struct request *q = &p->requests[p->order[at]];
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
	int home = home_of(p, q);
	bool tried_empty = false;
	for (unsigned pass = 0; pass < 2; pass++) {
		for (unsigned i = 0; i < p->n; i++) {
			unsigned r = p->registers[i];
			bool at_home = home >= 0 && p->layout.home[r] == home;
			if (at_home != (pass == 0) || !kind_fits(&p->layout, r, q->kind))
				continue;
			bool empty = is_empty(&p->layout, r);
			if (empty && tried_empty)
				continue; /* empty registers are alike */
			tried_empty |= empty;
			int8_t old_home = p->layout.home[r];
			if (empty)
				p->layout.home[r] = (int8_t)home;
			if (fill(p, at, 0, r))
				return true;
			p->layout.home[r] = old_home;
		}
	}
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
	return bits == 1 ? 0 : bits + (plain ? 16 : 0);
}

bool layout_pack(const struct values *v, const struct request *requests, uint32_t count, unsigned n,
                 const struct layout *start, struct layout *out, uint32_t *work)
{
	enum { MOST = 512 };
	uint32_t order[MOST];
	if (count > MOST)
		return false;
	/* Insertion sort, hardest first; stable, so that the result does not depend on chance. */
	for (uint32_t i = 0; i < count; i++) {
		uint32_t j = i;
		while (j > 0 && hardness(&requests[order[j - 1]]) < hardness(&requests[i])) {
			order[j] = order[j - 1];
			j--;
		}
		order[j] = i;
	}
	struct packing p = {.values = v, .requests = requests, .order = order, .count = count, .layout = *start,
	                    .work = work};
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
