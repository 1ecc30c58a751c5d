/* Finds registers of the VP that hold constants, and puts constants into free constant registers, which the application sets or a def. */
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

/* Takes a free constant register of the VP.  If none is left, returns -1 and sets `failed`. */
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

/* Returns the first c# of the last run of `n` free constant registers of the VP, or -1 if there is no such run. */
static int find_free_run(const struct vertex_writer *w, int n)
{
	struct register_set const taken = constants_of_both(w->taken, w->kept);
	int free = 0, c = w->options->budget.vs_consts.last + 1;
	while (c > w->options->budget.vs_consts.first && free < n)
		free = register_is_in(&taken, --c) ? 0 : free + 1;
	return free == n ? c : -1;
}

/* Takes a free constant register of the VP for FP constant c`ps`.  If there is space, the constants of an array or matrix that the compiler's
 * comments list keep their order and stay in a row, so that the application can set the array at once and by its name. */
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

/* Sets lane[l] to the lane of the register that holds value[l], for each lane l in `group`; only lanes in `ready` count.  Returns false if the
 * register does not hold all these values. */
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

/* If all values of the group are lanes of one constant that the application sets, returns the number of that constant, as in `reg` of struct value,
 * and sets lane[l] to the lane that value[l] is.  Else returns -1. */
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
	value_id const first = value[first_lane(group)]; /* to test first, since most registers do not hold this value */
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

struct src vertex_add_constants(struct vertex_writer *w, const value_id value[LANES], lanes group)
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
