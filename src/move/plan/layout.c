/* Rules A to F of packing values into interpolators, see layout.h. */
#include "move/plan/layout.h"

#include <string.h>

/* ---- A: a lane carries one value; C: how an operand reads lanes ---------------------------------------------------- */

/* Returns 2 if the operand may be negated, otherwise 1. */
static unsigned signs_of_pattern(const struct pattern *p)
{
	return p->reach == REACH_PLAIN || p->reach == REACH_LANE || p->reach == REACH_TURNED ? 1 : 2;
}

/* Finds the swizzles that a reach other than REACH_FREE and REACH_TURNED allows: ps_2_0_swizzles[from..to). */
static void swizzles_of(const struct pattern *p, unsigned *from, unsigned *to)
{
	*from = p->reach == REACH_SCALAR || p->reach == REACH_LANE ? TURNING_SWIZZLES : 0;
	*to = p->reach == REACH_PLAIN ? 1 : PS_2_0_SWIZZLES;
}

/* Returns true if the operand may have any swizzle.  Its views are then the ways to put its different values into lanes. */
static bool has_any_swizzle(const struct pattern *p)
{
	return p->reach == REACH_FREE || p->reach == REACH_TURNED;
}

/* Numbers the different values of the pattern from 0 and returns how many there are.  Sets which[k] to the number of the value at position k. */
static unsigned find_values(const struct pattern *p, uint8_t which[LANES])
{
	unsigned n = 0;
	EACH_LANE(k, p->positions) {
		unsigned same = 0;
		while (same < k && !(p->positions >> same & 1 && p->value[same] == p->value[k]))
			same++;
		which[k] = same < k ? which[same] : (uint8_t)n++;
	}
	return n;
}

/* All assignments of different values to lanes: arrangements[a][v] is the lane of value number v.  For n different values, only the first
 * free_views[n] differ. */
static const uint8_t arrangements[][LANES] = {
	{0, 1, 2, 3}, {1, 0, 2, 3}, {2, 0, 1, 3}, {3, 0, 1, 2}, {0, 2, 1, 3}, {1, 2, 0, 3},
	{2, 1, 0, 3}, {3, 1, 0, 2}, {0, 3, 1, 2}, {1, 3, 0, 2}, {2, 3, 0, 1}, {3, 2, 0, 1},
	{0, 1, 3, 2}, {1, 0, 3, 2}, {2, 0, 3, 1}, {3, 0, 2, 1}, {0, 2, 3, 1}, {1, 2, 3, 0},
	{2, 1, 3, 0}, {3, 1, 2, 0}, {0, 3, 2, 1}, {1, 3, 2, 0}, {2, 3, 1, 0}, {3, 2, 1, 0},
};
static const uint8_t free_views[LANES + 1] = {1, 4, 12, 24, 24};

/* Returns the view of a pattern whose different values are in arrangement number `which`; position k has value number value[k]. */
static struct view free_view(const struct pattern *p, const uint8_t value[LANES], unsigned which, bool negate)
{
	unsigned lane[LANES];
	for (unsigned k = 0; k < LANES; k++)
		lane[k] = arrangements[which][value[k]];
	return (struct view){swizzle_of_lanes(lane, p->positions), negate};
}

static bool free_match(const value_id reg[LANES], const struct pattern *p, struct view *view)
{
	for (unsigned negate = 0; negate < signs_of_pattern(p); negate++) {
		const value_id *want = negate ? p->negated : p->value;
		unsigned lane[LANES] = {0};
		bool all = true;
		for (unsigned k = 0; k < LANES && all; k++) {
			if (!(p->positions >> k & 1))
				continue;
			lane[k] = k; /* preferred, as the swizzle is then not needed at this position */
			for (unsigned l = 0; l < LANES && reg[lane[k]] != want[k]; l++)
				lane[k] = l;
			all = want[k] != NO_VALUE && reg[lane[k]] == want[k];
		}
		if (all) {
			*view = (struct view){swizzle_of_lanes(lane, p->positions), negate};
			return true;
		}
	}
	return false;
}

bool pattern_view(const struct pattern *p, unsigned which, struct view *view)
{
	unsigned from, to;
	uint8_t value[LANES] = {0};
	unsigned const values = has_any_swizzle(p) ? find_values(p, value) : 0;
	swizzles_of(p, &from, &to);
	unsigned const n = has_any_swizzle(p) ? free_views[values] : to - from;
	if (which >= n * signs_of_pattern(p))
		return false;
	*view = has_any_swizzle(p) ? free_view(p, value, which % n, which >= n) : (struct view){ps_2_0_swizzles[from + which % n], which >= n};
	return true;
}

static bool delivers_by(const value_id reg[LANES], lanes positions, const value_id want[LANES], swizzle s)
{
	EACH_LANE(k, positions)
		if (want[k] == NO_VALUE || reg[swizzle_lane(s, k)] != want[k])
			return false;
	return true;
}

bool pattern_match(const value_id reg[LANES], const struct pattern *p, struct view *view)
{
	unsigned from, to, first = pattern_first(p);
	if (has_any_swizzle(p))
		return free_match(reg, p, view);
	swizzles_of(p, &from, &to);
	for (unsigned negate = 0; negate < signs_of_pattern(p); negate++) {
		const value_id *want = negate ? p->negated : p->value;
		if (p->positions && reg[0] != want[first] && reg[1] != want[first] && reg[2] != want[first] && reg[3] != want[first])
			continue;
		for (unsigned k = from; k < to; k++) {
			if (delivers_by(reg, p->positions, want, ps_2_0_swizzles[k])) {
				*view = (struct view){ps_2_0_swizzles[k], negate};
				return true;
			}
		}
	}
	return false;
}

bool pattern_place(value_id reg[LANES], const struct pattern *p, const struct view *view)
{
	const value_id *want = view->negate ? p->negated : p->value;
	EACH_LANE(k, p->positions) {
		value_id *at = &reg[swizzle_lane(view->swizzle, k)];
		if (want[k] == NO_VALUE || (*at != NO_VALUE && *at != want[k]))
			return false;
		*at = want[k];
	}
	return true;
}

bool pattern_put(value_id reg[LANES], const struct pattern *p, bool negate)
{
	const value_id *want = negate ? p->negated : p->value;
	if (negate && signs_of_pattern(p) == 1)
		return false;
	EACH_LANE(k, p->positions) {
		value_id *there = NULL, *free = NULL;
		for (unsigned l = LANES; l-- > 0;) {
			there = reg[l] == want[k] ? &reg[l] : there;
			free = reg[l] == NO_VALUE ? &reg[l] : free;
		}
		if (want[k] == NO_VALUE || (!there && !free))
			return false;
		if (!there)
			*free = want[k];
	}
	return true;
}

bool request_is_anywhere(const struct request *q)
{
	bool all = true;
	for (unsigned k = 0; k < q->n; k++)
		all &= has_any_swizzle(&q->pattern[k]);
	return all;
}

void pattern_find_views(const struct pattern *p, bool negated, struct views *c)
{
	unsigned from, to;
	unsigned const first = pattern_first(p);
	bool const scalar = p->positions == 1u << first;
	bool negates = negated && signs_of_pattern(p) > 1;
	swizzles_of(p, &from, &to);
	for (unsigned k = first; k < LANES; k++) {
		bool const wanted = p->positions >> k & 1;
		negates &= !wanted || p->negated[k] != NO_VALUE;
		if (wanted && p->value[k] != p->value[first] && to > TURNING_SWIZZLES)
			to = TURNING_SWIZZLES; /* a replicate swizzle cannot deliver different values */
	}
	negates &= p->negated[first] != p->value[first] || !scalar;
	c->n = 0;
	if (has_any_swizzle(p)) {
		uint8_t value[LANES] = {0};
		unsigned const values = find_values(p, value);
		for (unsigned negate = 0; negate <= negates; negate++)
			for (unsigned k = 0; k < free_views[values]; k++)
				c->view[c->n++] = free_view(p, value, k, negate);
		return;
	}
	for (unsigned negate = 0; negate <= negates; negate++) {
		lanes seen = 0;
		for (unsigned k = from; k < to; k++) {
			lanes const lane = (lanes)(1u << swizzle_lane(ps_2_0_swizzles[k], first));
			if (!scalar || !(seen & lane))
				c->view[c->n++] = (struct view){ps_2_0_swizzles[k], negate};
			seen |= lane;
		}
	}
}

bool request_is_negatable(const struct request *q)
{
	bool all = true;
	for (unsigned k = 0; k < q->n; k++) {
		const struct pattern *p = &q->pattern[k];
		all &= signs_of_pattern(p) == 2;
		EACH_LANE(l, p->positions)
			all &= p->negated[l] != NO_VALUE;
	}
	return all;
}

/* ---- B: one register delivers a request; D: kinds ------------------------------------------------------------------ */

bool pattern_kind(const struct values *v, const struct pattern *p, uint8_t *kind)
{
	*kind = KIND_ANY;
	EACH_LANE(k, p->positions) {
		uint8_t const other = value_at(v, p->value[k])->kind;
		if (!kinds_share(*kind, other))
			return false;
		*kind = *kind == KIND_ANY ? other : *kind;
	}
	return true;
}

bool request_add(struct request *q, const struct pattern *p, uint8_t kind)
{
	if (q->n == MAX_SOURCES || (q->n && !kinds_share(q->kind, kind)))
		return false;
	q->kind = q->n && q->kind != KIND_ANY ? q->kind : kind;
	q->pattern[q->n++] = *p;
	return true;
}

bool layout_shows(const struct layout *l, unsigned reg, const struct request *q, struct view view[MAX_SOURCES])
{
	bool all = kinds_share(l->kind[reg], q->kind);
	for (unsigned k = 0; all && k < q->n; k++)
		all = pattern_match(l->lane[reg], &q->pattern[k], &view[k]);
	return all;
}

int layout_find(const struct layout *l, const struct request *q, struct view view[MAX_SOURCES])
{
	for (unsigned r = 0; r < INTERPOLATORS; r++)
		if (layout_shows(l, r, q, view))
			return (int)r;
	return -1;
}

/* ---- rule E: pinned registers keep their number; rule F: others get the number of the old t# that they carry --- */

bool layout_used(const struct layout *l, unsigned reg)
{
	bool used = l->pinned[reg];
	for (unsigned k = 0; k < LANES; k++)
		used |= l->lane[reg][k] != NO_VALUE;
	return used;
}

unsigned layout_count(const struct layout *l)
{
	unsigned n = 0;
	for (unsigned r = 0; r < INTERPOLATORS; r++)
		n += layout_used(l, r);
	return n;
}

void layout_clear(struct layout *l)
{
	for (unsigned r = 0; r < INTERPOLATORS; r++) {
		l->kind[r] = KIND_ANY;
		l->home[r] = -1;
		l->pinned[r] = false;
		for (unsigned k = 0; k < LANES; k++)
			l->lane[r][k] = NO_VALUE;
	}
}

bool layout_alike(const struct layout *l, unsigned r, unsigned other, bool loose)
{
	bool const used = layout_used(l, r);
	return used == layout_used(l, other) && (!used || (loose && l->kind[r] == l->kind[other]));
}

unsigned layout_registers(const struct layout *start, unsigned n, uint8_t registers[INTERPOLATORS])
{
	unsigned count = 0;
	for (unsigned r = 0; r < INTERPOLATORS; r++)
		if (start->pinned[r])
			registers[count++] = (uint8_t)r;
	for (unsigned r = 0; r < INTERPOLATORS && count < n; r++)
		if (!start->pinned[r])
			registers[count++] = (uint8_t)r;
	return count;
}

int request_home(const struct values *v, const struct request *q)
{
	int const input = value_raw_input(v, q->pattern[0].value[pattern_first(&q->pattern[0])]);
	return input < 0 ? -1 : input / LANES;
}

void layout_number(struct layout *l)
{
	struct layout const old = *l;
	int count = (int)layout_count(l), to[INTERPOLATORS];
	bool taken[INTERPOLATORS] = {false};
	for (unsigned r = 0; r < INTERPOLATORS; r++) {
		to[r] = old.pinned[r] ? (int)r : -1;
		taken[r] = old.pinned[r];
	}
	for (unsigned r = 0; r < INTERPOLATORS; r++) {
		int home = old.home[r];
		if (to[r] < 0 && layout_used(&old, r) && home >= 0 && home < count && !taken[home]) {
			to[r] = home;
			taken[home] = true;
		}
	}
	layout_clear(l);
	for (unsigned r = 0; r < INTERPOLATORS; r++) {
		if (!layout_used(&old, r))
			continue;
		for (int free = 0; to[r] < 0; free++) {
			if (!taken[free]) {
				to[r] = free;
				taken[free] = true;
			}
		}
		l->kind[to[r]] = old.kind[r];
		l->home[to[r]] = old.home[r];
		l->pinned[to[r]] = old.pinned[r];
		memcpy(l->lane[to[r]], old.lane[r], sizeof old.lane[r]);
	}
}
