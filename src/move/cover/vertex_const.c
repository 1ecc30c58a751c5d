/* Constants in the VP, for vertex_program.c: from its constant registers where they are or can be set,
 * from new defs, else from temporaries, which vertex_compute.c computes. */
#include "lang/listing.h"
#include "move/cover/vertex.h"

#include <string.h>

/* ---- constant registers -------------------------------------------------------------- */

void vertex_find_constants(struct vertex_start *start)
{
	start->taken = constants_taken(start->old, start->options->budget.vs_consts_given);
	for (uint32_t k = 0; k < start->old->decls.n; k++) {
		const struct decl *d = &start->old->decls.at[k];
		if (d->kind != DECL_DEF || d->reg.index >= MOST_CONSTS)
			continue;
		struct pool *pool = &VEC_PUSH(start->values->arena, &start->pool);
		*pool = (struct pool){.reg = d->reg.index, .old = true};
		for (unsigned lane = 0; lane < LANES; lane++)
			pool->lane[lane] = value_of_literal(start->values, d->value[lane]);
	}
}

/* A free VP constant; -1: none left. */
static int take_constant(struct vertex_writer *w)
{
	struct range const range = w->options->budget.vs_consts;
	struct register_set const best = constants_of_both(w->taken, w->kept);
	int c = constants_last_free(&best, range);
	c = c < 0 ? constants_last_free(&w->taken, range) : c;
	w->failed |= c < 0;
	if (c >= 0)
		register_put_in(&w->taken, c);
	return c;
}

/* Where `n` free VP constants follow each other, the last such place; -1: nowhere. */
static int free_place(const struct vertex_writer *w, int n)
{
	struct register_set const taken = constants_of_both(w->taken, w->kept);
	int free = 0, c = w->options->budget.vs_consts.last + 1;
	while (c > w->options->budget.vs_consts.first && free < n)
		free = register_is_in(&taken, --c) ? 0 : free + 1;
	return free == n ? c : -1;
}

/* A free VP constant for FP constant c`ps`: in an array or a matrix, as a compiler's comments list it, the one that lies to
 * the others as the FP's do, so that the application can set it whole and by its name. */
static int take_place(struct vertex_writer *w, int ps)
{
	struct range const range = w->options->budget.vs_consts;
	int first = ps, n = w->values->programs == 1 ? listing_extent(w->values->ps, ps, &first) : 1, at = -1;
	for (int k = 0; k < n && at < 0; k++)
		at = first + k < values_own(w->values) ? w->const_of[first + k] - k : -1;
	if (at < 0 && n > 1 && (at = free_place(w, n)) >= 0)
		for (int k = 0; k < n; k++)
			register_put_in(&w->kept, at + k);
	int const c = at < 0 ? -1 : at + ps - first;
	if (n == 1 || c < range.first || c > range.last || register_is_in(&w->taken, c))
		return take_constant(w);
	register_put_in(&w->taken, c);
	return c;
}

static int constant_of(struct vertex_writer *w, int ps)
{
	if (w->const_of[ps] < 0)
		w->const_of[ps] = take_place(w, ps);
	return w->const_of[ps] < 0 ? 0 : w->const_of[ps];
}

/* ---- what is there already -------------------------------------------------------------- */

static struct src make_source(enum reg_file file, int reg, const unsigned lane[LANES], lanes group, bool negate)
{
	return (struct src){.file = (uint8_t)file, .index = (int16_t)reg, .negate = negate, .at = SRCPOS_NONE,
	                    .swizzle = swizzle_of_lanes(lane, group)};
}

static inline bool holds(const value_id reg[LANES], value_id id)
{
	return reg[0] == id || reg[1] == id || reg[2] == id || reg[3] == id;
}

/* Lanes of one register that hold all values of the group. */
static bool lanes_hold(const value_id reg[LANES], lanes ready, const value_id value[LANES], lanes group,
                       unsigned lane[LANES])
{
	EACH_LANE(l, group) {
		lane[l] = 0;
		while (lane[l] < LANES && !(ready >> lane[l] & 1 && reg[lane[l]] == value[l]))
			lane[l]++;
		if (lane[l] == LANES)
			return false;
	}
	return true;
}

/* All values are lanes of one application constant. */
static int raw_register(const struct values *v, const value_id value[LANES], lanes group, unsigned lane[LANES])
{
	int reg = -1;
	EACH_LANE(l, group) {
		const struct value *x = value_at(v, value[l]);
		if (x->op != CONST_RAW || (reg >= 0 && x->reg != reg))
			return -1;
		reg = x->reg;
		lane[l] = x->lane;
	}
	return reg;
}

static bool find_signed(struct vertex_writer *w, const value_id value[LANES], lanes group, bool temp, bool negate,
                        struct src *src)
{
	unsigned lane[LANES] = {0};
	value_id const first = value[first_lane(group)]; /* most registers do not even have that */
	for (uint32_t k = 0; k < w->made.n; k++) {
		const struct made *m = &w->made.at[k];
		if (holds(m->lane, first) && lanes_hold(m->lane, m->ready, value, group, lane)) {
			*src = make_source(REG_TEMP, m->reg, lane, group, negate);
			return true;
		}
	}
	if (temp)
		return false;
	for (uint32_t k = 0; k < w->pool.n; k++) {
		if (holds(w->pool.at[k].lane, first) && lanes_hold(w->pool.at[k].lane, MASK_XYZW, value, group, lane)) {
			*src = make_source(REG_CONST, w->pool.at[k].reg, lane, group, negate);
			return true;
		}
	}
	int raw = raw_register(w->values, value, group, lane);
	if (raw >= 0)
		*src = make_source(REG_CONST, constant_of(w, raw), lane, group, negate);
	return raw >= 0;
}

static bool negated_values(const struct values *v, const value_id value[LANES], lanes group, value_id negated[LANES])
{
	for (unsigned l = 0; l < LANES; l++) {
		negated[l] = group >> l & 1 ? value_find_negated(v, value[l]) : NO_VALUE;
		if (group >> l & 1 && negated[l] == NO_VALUE)
			return false;
	}
	return true;
}

bool vertex_at_hand(struct vertex_writer *w, const value_id value[LANES], lanes group, bool temp, struct src *src)
{
	value_id negated[LANES];
	return find_signed(w, value, group, temp, false, src) ||
	       (negated_values(w->values, value, group, negated) && find_signed(w, negated, group, temp, true, src));
}

static bool all_settable(const struct vertex_writer *w, const value_id value[LANES], lanes group)
{
	EACH_LANE(l, group)
		if (!vertex_settable(w, value[l]))
			return false;
	return true;
}

/* Puts constants into a new register that has room, or begins one; literals apart from what the application
 * must set. */
static struct src add_constants(struct vertex_writer *w, const value_id value[LANES], lanes group)
{
	bool preset = false;
	EACH_LANE(l, group)
		preset |= !value_at(w->values, value[l])->known;
	for (uint32_t k = 0; k <= w->pool.n; k++) {
		if (k == w->pool.n) {
			int reg = take_constant(w);
			VEC_PUSH(w->values->arena, &w->pool) =
				(struct pool){.reg = reg, .preset = preset, .lane = {NO_VALUE, NO_VALUE, NO_VALUE, NO_VALUE}};
		}
		struct pool *pool = &w->pool.at[k];
		value_id lanes_of[LANES];
		unsigned lane[LANES] = {0};
		memcpy(lanes_of, pool->lane, sizeof lanes_of);
		bool fits = !pool->old && pool->preset == preset;
		for (unsigned l = 0; fits && l < LANES; l++) {
			if (!(group >> l & 1))
				continue;
			lane[l] = 0;
			while (lane[l] < LANES && lanes_of[lane[l]] != value[l])
				lane[l]++;
			if (lane[l] < LANES)
				continue;
			lane[l] = 0;
			while (lane[l] < LANES && lanes_of[lane[l]] != NO_VALUE)
				lane[l]++;
			fits = lane[l] < LANES;
			if (fits)
				lanes_of[lane[l]] = value[l];
		}
		if (fits) {
			memcpy(pool->lane, lanes_of, sizeof lanes_of);
			return make_source(REG_CONST, pool->reg, lane, group, false);
		}
	}
	w->failed = true; /* not reached: a new register has room for four */
	return (struct src){.file = REG_CONST};
}

/* Adds the group's values to a list without repetition; false: there is no room. */
static bool merge(const value_id value[LANES], lanes group, value_id list[LANES], unsigned *n)
{
	for (unsigned l = 0; l < LANES; l++) {
		unsigned k = 0;
		while (k < *n && (!(group >> l & 1) || list[k] != value[l]))
			k++;
		if (!(group >> l & 1) || k < *n)
			continue;
		if (*n == LANES)
			return false;
		list[(*n)++] = value[l];
	}
	return true;
}

bool vertex_literals_fit(const value_id a[LANES], const value_id b[LANES], lanes group)
{
	value_id list[LANES];
	unsigned n = 0;
	return merge(a, group, list, &n) && merge(b, group, list, &n);
}

bool vertex_literals(struct vertex_writer *w, const value_id a[LANES], const value_id b[LANES], lanes group, struct src *sa,
                     struct src *sb)
{
	value_id list[LANES] = {NO_VALUE, NO_VALUE, NO_VALUE, NO_VALUE};
	unsigned n = 0, lane[2][LANES] = {{0}, {0}};
	if (!merge(a, group, list, &n) || !merge(b, group, list, &n))
		return false;
	struct src both = vertex_constant(w, list, (lanes)((1u << n) - 1), false);
	EACH_LANE(l, group) {
		for (unsigned k = 0; k < n; k++) {
			if (list[k] == a[l])
				lane[0][l] = swizzle_lane(both.swizzle, k);
			if (list[k] == b[l])
				lane[1][l] = swizzle_lane(both.swizzle, k);
		}
	}
	*sa = *sb = both;
	sa->swizzle = swizzle_of_lanes(lane[0], group);
	sb->swizzle = swizzle_of_lanes(lane[1], group);
	return true;
}

/* ---- either, or computed ------------------------------------------------------------------ */

/* A temporary that has most of the values and room for the rest, or a new one. */
static uint32_t choose_temp(struct vertex_writer *w, const value_id value[LANES], lanes group)
{
	uint32_t best = UINT32_MAX;
	unsigned most = 0;
	for (uint32_t k = 0; k < w->made.n; k++) {
		unsigned have = 0, missing = 0, vacant = 0;
		for (unsigned l = 0; l < LANES; l++) {
			vacant += w->made.at[k].lane[l] == NO_VALUE;
			if (!(group >> l & 1))
				continue;
			bool there = false;
			for (unsigned m = 0; m < LANES; m++)
				there |= w->made.at[k].lane[m] == value[l];
			have += there;
			missing += !there;
		}
		if (missing <= vacant && (best == UINT32_MAX || have > most)) {
			best = k;
			most = have;
		}
	}
	if (best == UINT32_MAX) {
		VEC_PUSH(w->values->arena, &w->made) =
			(struct made){.reg = w->next_temp++, .lane = {NO_VALUE, NO_VALUE, NO_VALUE, NO_VALUE}};
		best = w->made.n - 1;
	}
	return best;
}

struct src vertex_constant(struct vertex_writer *w, const value_id value[LANES], lanes group, bool temp)
{
	struct src src = {.file = REG_CONST};
	if (w->failed || w->next_temp > MOST_TEMPS - 16) {
		w->failed = true;
		return src;
	}
	if (vertex_at_hand(w, value, group, temp, &src))
		return src;
	if (!temp && all_settable(w, value, group))
		return add_constants(w, value, group);
	uint32_t k = choose_temp(w, value, group);
	/* New values take the register's free lanes; those of the same position first. */
	value_id put[LANES] = {NO_VALUE, NO_VALUE, NO_VALUE, NO_VALUE};
	lanes missing = 0;
	for (unsigned pass = 0; pass < 2; pass++) {
		EACH_LANE(l, group) {
			struct made *m = &w->made.at[k];
			bool there = false;
			for (unsigned o = 0; o < LANES; o++)
				there |= m->lane[o] == value[l];
			if (there || (pass == 0 && m->lane[l] != NO_VALUE))
				continue;
			unsigned to = l;
			for (unsigned o = 0; pass == 1 && o < LANES; o++)
				if (m->lane[o] == NO_VALUE)
					to = o;
			m->lane[to] = put[to] = value[l];
			missing |= (lanes)(1u << to);
		}
	}
	vertex_compute(w, put, missing, REG_TEMP, w->made.at[k].reg, &w->made.at[k]);
	if (!w->failed && !vertex_at_hand(w, value, group, temp, &src))
		w->failed = true; /* a lane was promised to a computation that is still under way */
	return src;
}
