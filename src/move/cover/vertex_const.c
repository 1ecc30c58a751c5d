/* Brings constants to the VP's instructions, for vertex_program.c: from a constant register that has them or can be set, from a new def,
 * or else from a temporary, which vertex_compute.c computes. */
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

/* Takes a free VP constant.  Returns -1 and fails if none is left. */
static int take_free_constant(struct vertex_writer *w)
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

/* Returns the first of the last `n` free VP constants in a row, or -1 if there are not so many in a row. */
static int find_free_run(const struct vertex_writer *w, int n)
{
	struct register_set const taken = constants_of_both(w->taken, w->kept);
	int free = 0, c = w->options->budget.vs_consts.last + 1;
	while (c > w->options->budget.vs_consts.first && free < n)
		free = register_is_in(&taken, --c) ? 0 : free + 1;
	return free == n ? c : -1;
}

/* Takes a free VP constant for FP constant c`ps`.  If there is room, the constants of an array or matrix that the compiler's comments
 * list keep their order and stay in a row, so that the application can set the array at once and by its name. */
static int take_constant_for(struct vertex_writer *w, int ps)
{
	struct range const range = w->options->budget.vs_consts;
	int first = ps, n = w->values->programs == 1 ? listing_extent(w->values->ps, ps, &first) : 1, at = -1;
	for (int k = 0; k < n && at < 0; k++)
		at = first + k < values_own(w->values) ? w->const_of[first + k] - k : -1;
	if (at < 0 && n > 1 && (at = find_free_run(w, n)) >= 0)
		for (int k = 0; k < n; k++)
			register_put_in(&w->kept, at + k);
	int const c = at < 0 ? -1 : at + ps - first;
	if (n == 1 || c < range.first || c > range.last || register_is_in(&w->taken, c))
		return take_free_constant(w);
	register_put_in(&w->taken, c);
	return c;
}

static int constant_of(struct vertex_writer *w, int ps)
{
	if (w->const_of[ps] < 0)
		w->const_of[ps] = take_constant_for(w, ps);
	return w->const_of[ps] < 0 ? 0 : w->const_of[ps];
}

/* ---- values that registers hold already -------------------------------------------------- */

static struct src make_source(enum reg_file file, int reg, const unsigned lane[LANES], lanes group, bool negate)
{
	return (struct src){.file = (uint8_t)file, .index = (int16_t)reg, .negate = negate, .at = SRCPOS_NONE,
	                    .swizzle = swizzle_of_lanes(lane, group)};
}

static inline bool register_holds(const value_id reg[LANES], value_id id)
{
	return reg[0] == id || reg[1] == id || reg[2] == id || reg[3] == id;
}

/* Finds the lanes of one register that hold the values of the group.  Returns false if it does not hold all of them. */
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

/* Returns the application's constant of which all values are lanes, or -1 if there is none. */
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
	value_id const first = value[first_lane(group)]; /* a quick test, since most registers do not hold this value */
	for (uint32_t k = 0; k < w->made.n; k++) {
		const struct made *m = &w->made.at[k];
		if (register_holds(m->lane, first) && lanes_hold(m->lane, m->ready, value, group, lane)) {
			*src = make_source(REG_TEMP, m->reg, lane, group, negate);
			return true;
		}
	}
	if (temp)
		return false;
	for (uint32_t k = 0; k < w->pool.n; k++) {
		if (register_holds(w->pool.at[k].lane, first) && lanes_hold(w->pool.at[k].lane, MASK_XYZW, value, group, lane)) {
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

/* Puts constants into a register that this VP adds: one with enough free lanes, or another one.  Literals and constants that the
 * application has to set never share a register. */
static struct src add_constants(struct vertex_writer *w, const value_id value[LANES], lanes group)
{
	bool preset = false;
	EACH_LANE(l, group)
		preset |= !value_at(w->values, value[l])->known;
	for (uint32_t k = 0; k <= w->pool.n; k++) {
		if (k == w->pool.n) {
			int reg = take_free_constant(w);
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
	w->failed = true; /* not reached: a new register has four free lanes */
	return (struct src){.file = REG_CONST};
}

/* Adds the group's values to a list without duplicates.  Returns false if these are more than four. */
static bool merge_values(const value_id value[LANES], lanes group, value_id list[LANES], unsigned *n)
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
	return merge_values(a, group, list, &n) && merge_values(b, group, list, &n);
}

bool vertex_literals(struct vertex_writer *w, const value_id a[LANES], const value_id b[LANES], lanes group, struct src *sa,
                     struct src *sb)
{
	value_id list[LANES] = {NO_VALUE, NO_VALUE, NO_VALUE, NO_VALUE};
	unsigned n = 0, lane[2][LANES] = {{0}, {0}};
	if (!merge_values(a, group, list, &n) || !merge_values(b, group, list, &n))
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

/* ---- held, set or computed ---------------------------------------------------------------- */

/* Returns the temporary that holds most of the values and has free lanes for the others, or a new one. */
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
	/* Give new values free lanes of the register, if possible the lanes of their own positions. */
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
		w->failed = true; /* another computation, which is not finished, has reserved a lane */
	return src;
}
