/* Searches for the cheapest way to give every operand that stays in the FP its constant and affine lanes: an exact search, as far
 * as its limits allow (bound.c).  requires: values; builds: struct plan.
 *
 * Instructions of pixel values stay.  From the last instruction to the first, the search decides for each operand of an instruction
 * that stays how its movable lanes come: straight from an interpolator, straight from a constant register, from a temporary that
 * one new instruction writes, or as before, which keeps the instructions that define them.  It is a branch-and-bound search, depth
 * first.  The interpolators are packed at each step, by a search of its own (pack.c), since requests that do not fit never fit
 * later. */
#include "move/cut/search.h"

#include <string.h>

static void search_operands(struct search *s, int i, unsigned k, const struct request *here);
static void decide_open(struct search *s);

/* ---- the next FP ------------------------------------------------------------------------------- */

/* Removes the guards (requests that keep room for an FP as it is) of the FP that becomes the current one.  They are the last of the guards. */
static void remove_guards(struct search *s, const struct requests *guards)
{
	struct request *at = s->state.requests.at + s->state.guards;
	memmove(at - guards->n, at, (s->state.requests.n - s->state.guards) * sizeof *at);
	s->state.guards -= guards->n;
	s->state.requests.n -= guards->n;
}

/* Decides the next FP when the current one is decided, or judges the plan if that was the last.  Does nothing if another FP follows and the
 * current one takes longer than as given.  Each FP is decided beside the requests of the FPs before it, and such that the FPs to come can
 * still stay as they are (guards). */
static void go_on_to_next(struct search *s)
{
	const struct fp_facts *done = s->fp;
	if (s->state.at + 1 == s->facts.count) {
		search_leaf(s);
		return;
	}
	uint64_t const time = search_bound(s, -1) - s->state.others_time, others = s->state.others_time;
	if (time > done->most)
		return;
	unsigned const here = s->state.at, direct = s->state.coords_riding;
	uint32_t const own = s->state.own_from;
	struct work const before = s->state.work;
	search_turn(s, here + 1);
	s->state.others_time += time - s->fp->least;
	s->state.work = (struct work){0};
	s->state.coords_riding = 0;
	remove_guards(s, &s->fp->guards);
	s->state.own_from = s->state.requests.n;
	search_program(s);
	search_add_guards(s, &s->fp->guards);
	s->state.own_from = own;
	s->state.coords_riding = direct;
	s->state.work = before;
	s->state.others_time = others;
	search_turn(s, here);
}

/* ---- open instructions ----------------------------------------------------------------------- */

/* The wide search leaves open which values a new instruction reads until all else is decided, since that changes only the requests to the
 * interpolators. */

/* Returns true if registers can bring these sources.  If so, and they are `complete`, gives them to new instruction t, which is MAKE_OPEN,
 * decides the other such instructions, and takes the choice back; with UINT32_MAX as t it only tests. */
static bool try_mad(struct search *s, const struct mad *a, bool complete, uint32_t t)
{
	struct search_mark m;
	search_mark(s, &m);
	bool const good = search_request_mad(s, a);
	if (good && complete && t != UINT32_MAX) {
		struct making const open = s->state.plan->makings.at[t];
		search_write_mad(s, &s->state.plan->makings.at[t], a);
		decide_open(s);
		s->state.plan->makings.at[t] = open;
	}
	search_undo(s, &m);
	return good;
}

/* Tries all known ways to compute the lanes of the pattern from the k-th on, together with those chosen for the lanes before it (`before`), as
 * the sources of new instruction t, which is MAKE_OPEN.  With UINT32_MAX as t it only tests: it stops at the first that registers can bring, and
 * returns true if there is one. */
static bool try_lanes(struct search *s, const struct pattern *p, const struct mad *before, unsigned k, uint32_t t)
{
	bool found = false;
	while (k < LANES && !(p->positions >> k & 1))
		k++;
	struct relations const r = *search_relations(s, p->value[k]);
	bool const last = p->positions >> (k + 1) == 0;
	for (unsigned c = 0; c < r.n && !found; c++) {
		struct mad a = *before;
		search_add_to_mad(s, &a, k, &r.at[c]);
		if (!search_charge_try(s) || !search_may_improve(s, -1, 0, false))
			return false;
		if (try_mad(s, &a, last, t))
			found = last ? t == UINT32_MAX : try_lanes(s, p, &a, k + 1, t);
	}
	return found;
}

/* Tries as sources of new instruction t, which is MAKE_OPEN: a constant of the application as the factor of each lane that needs one, while
 * base and offset come from an interpolator.  A lane that needs none is its own offset, with zero as its base.  With UINT32_MAX as t it only
 * tests.  Returns true if registers can bring these sources. */
static bool try_app_factors(struct search *s, const struct pattern *p, uint32_t t)
{
	struct mad a = search_empty_mad(s);
	a.factors = a.offsets = a.offset_rides = true;
	EACH_LANE(k, p->positions) {
		struct relation r = search_relations(s, p->value[k])->by_app;
		if (r.base != NO_VALUE)
			pattern_set(s->values, &a.factor, k, r.factor);
		else
			r = (struct relation){.base = s->values->zero, .offset = p->value[k]};
		pattern_set(s->values, &a.base, k, r.base);
		pattern_set(s->values, &a.offset, k, r.offset);
	}
	return a.factor.positions && search_charge_try(s) && search_may_improve(s, -1, 0, false) && try_mad(s, &a, true, t);
}

/* Adds a new instruction that makes p from an interpolator in a way that is chosen later.  Returns false if no way is known. */
static bool make_open(struct search *s, const struct pattern *p, int i)
{
	uint8_t kind;
	struct mad const none = search_empty_mad(s);
	if (!search_charge_try(s) || !pattern_kind(s->values, p, &kind) ||
	    (!try_lanes(s, p, &none, 0, UINT32_MAX) && !try_app_factors(s, p, UINT32_MAX)))
		return false;
	search_new_making(s, p, MAKE_OPEN, i);
	return true;
}

/* Decides what open new instructions read, when all operands of the current FP are decided, and goes on to the next FP. */
static void decide_open(struct search *s)
{
	uint32_t t = 0;
	while (t < s->state.plan->makings.n && s->state.plan->makings.at[t].make != MAKE_OPEN)
		t++;
	if (t == s->state.plan->makings.n) {
		go_on_to_next(s);
		return;
	}
	struct pattern const p = s->state.plan->makings.at[t].pattern;
	struct mad const none = search_empty_mad(s);
	if (search_charge_try(s)) {
		try_lanes(s, &p, &none, 0, t);
		try_app_factors(s, &p, t);
	}
}

/* ---- operands -------------------------------------------------------------------------------- */

/* Notes in the plan how operand k of instruction i gets its values.  `which` is the index of the new instruction or constant register
 * (plan.which). */
static void set_supply(struct search *s, int i, unsigned k, enum supply how, uint32_t which)
{
	s->state.plan->supply[i][k] = (uint8_t)how;
	s->state.plan->which[i][k] = which;
}

/* Lets instruction `def` stay for this lane of its result, and counts its work. */
static void keep_lane(struct search *s, int def, unsigned lane)
{
	if ((s->fp->pixel[def] | s->state.demand[def]) >> lane & 1)
		return;
	if (search_stays(s, def))
		work_remove(&s->state.work, search_work_of(s, def));
	search_change(s, &s->state.demand[def], (lanes)(1u << lane));
	work_add(&s->state.work, search_work_of(s, def));
}

/* Lets operand k of instruction i read what it reads now: the instructions that define its movable lanes `p` stay. */
static void keep_operand(struct search *s, int i, unsigned k, const struct pattern *p)
{
	const struct src *src = &s->fp->ps->instrs.at[i].src[k];
	EACH_LANE(position, p->positions) {
		int def = s->values->use[i][k].def[position];
		unsigned lane = swizzle_lane(src->swizzle, position);
		if (!search_written_beside(s, i, src->index, lane, def))
			keep_lane(s, def, lane);
	}
	set_supply(s, i, k, SUPPLY_KEEP, 0);
}

/* Keeps the definitions of the constant and affine values that instruction i reads and that may not move (stuck values). */
static void keep_stuck_operands(struct search *s, int i)
{
	const struct instr *instr = &s->fp->ps->instrs.at[i];
	EACH_SOURCE(k, instr) {
		const struct use *u = &s->values->use[i][k];
		struct need need = plan_need(s->values, (uint32_t)i, k, s->state.plan->mask[i]);
		EACH_LANE(p, need.pixel)
			if (u->def[p] >= 0 && !value_is_pixel(s->values, u->value[p]))
				keep_lane(s, u->def[p], swizzle_lane(instr->src[k].swizzle, p));
	}
}

/* Adds a new instruction that writes the operand's movable lanes into the register of its pixel lanes, in the place of the last instruction that
 * defines one of them.  Returns false if no register can bring them, or all of them are there already. */
static bool make_beside(struct search *s, int i, unsigned k, const struct pattern *p)
{
	const struct src *src = &s->fp->ps->instrs.at[i].src[k];
	struct pattern lanes_of_reg = {.reach = search_reach(s)};
	int after = -1;
	EACH_LANE(position, p->positions) {
		unsigned lane = swizzle_lane(src->swizzle, position);
		int def = s->values->use[i][k].def[position];
		if (s->state.demand[def] >> lane & 1 || search_written_beside(s, i, src->index, lane, def))
			continue;
		pattern_set(s->values, &lanes_of_reg, lane, s->values->def[def][lane]);
		after = def > after ? def : after;
	}
	if (!lanes_of_reg.positions || (!search_make_constant(s, &lanes_of_reg, i) && !search_make_mov(s, &lanes_of_reg, i)))
		return false;
	struct making *m = &s->state.plan->makings.at[s->state.plan->makings.n - 1];
	m->after = after;
	m->reg = src->index;
	set_supply(s, i, k, SUPPLY_KEEP, 0);
	return true;
}

/* Tries all ways to keep some of the lanes at the positions `left`, and to bring the others by new instructions, in sets of one
 * instruction each. */
static void split_mixed(struct search *s, int i, unsigned k, const struct request *here, const struct pattern *p,
                        lanes left)
{
	struct search_mark m;
	struct pattern part = *p;
	search_mark(s, &m);
	if (!left) {
		search_operands(s, i, k + 1, here);
		return;
	}
	lanes const first = left & (lanes)-left, others = left & (lanes)~first;
	part.positions = first;
	keep_operand(s, i, k, &part);
	if (search_may_improve(s, i, 0, true))
		split_mixed(s, i, k, here, p, others);
	search_undo(s, &m);
	for (lanes with = others;; with = (with - 1) & others) {
		part.positions = first | with;
		if (make_beside(s, i, k, &part) && search_may_improve(s, i, 0, true))
			split_mixed(s, i, k, here, p, others & (lanes)~with);
		search_undo(s, &m);
		if (!with)
			break;
	}
}

/* Decides how an operand that also reads pixel lanes gets its movable lanes, in each way that may be the best. */
static void decide_mixed(struct search *s, int i, unsigned k, const struct request *here, const struct pattern *p)
{
	struct search_mark m;
	search_mark(s, &m);
	if (make_beside(s, i, k, p))
		search_operands(s, i, k + 1, here);
	search_undo(s, &m);
	keep_operand(s, i, k, p);
	search_operands(s, i, k + 1, here);
	search_undo(s, &m);
	if (s->effort.wide && (p->positions & (p->positions - 1)) && search_charge_try(s))
		split_mixed(s, i, k, here, p, p->positions);
}

/* Returns the index of a new instruction whose temporary delivers the pattern, or -1 if there is none. */
static int find_making(const struct search *s, const struct pattern *p)
{
	for (uint32_t t = 0; t < s->state.plan->makings.n; t++) {
		const struct making *made = &s->state.plan->makings.at[t];
		value_id lane[LANES];
		struct view view;
		pattern_lanes(&made->pattern, lane);
		if (made->reg < 0 && pattern_match(lane, p, &view))
			return (int)t;
	}
	return -1;
}

/* Enumerates arrangements of the lanes of one new instruction that deliver a pattern beside the lanes which are placed already. */
struct arrangements {
	struct pattern want;
	struct pattern start; /* the lanes that are placed already */
	unsigned next;
	value_id tried[2 * PATTERN_VIEWS][LANES];
	unsigned ntried;
};

static bool next_arrangement(struct search *s, struct arrangements *o, struct pattern *made)
{
	struct view view;
	while (!(o->ntried && !s->effort.all_arrangements) && search_charge_try(s) && pattern_view(&o->want, o->next++, &view)) {
		value_id lane[LANES];
		bool again = false;
		pattern_lanes(&o->start, lane);
		if (!pattern_place(lane, &o->want, &view))
			continue;
		for (unsigned t = 0; t < o->ntried; t++)
			again |= memcmp(o->tried[t], lane, sizeof lane) == 0;
		if (again)
			continue;
		memcpy(o->tried[o->ntried++], lane, sizeof lane);
		*made = (struct pattern){.reach = search_reach(s)};
		for (unsigned k = 0; k < LANES; k++)
			if (lane[k] != NO_VALUE)
				pattern_set(s->values, made, k, lane[k]);
		return true;
	}
	return false;
}

/* In the wide search, tries to let each new instruction of the plan write the values p, too, in further lanes. */
static void widen_makings(struct search *s, int i, unsigned k, const struct request *here, const struct pattern *p)
{
	for (uint32_t t = 0; t < s->state.plan->makings.n && search_may_improve(s, i, 0, false); t++) {
		struct making const before = s->state.plan->makings.at[t];
		struct arrangements arrangements = {.want = search_without_repetition(p), .start = before.pattern};
		struct pattern wide;
		struct search_mark m;
		if (before.reg >= 0 || !search_may_make(s, p, (enum make)before.make))
			continue;
		search_mark(s, &m);
		while (next_arrangement(s, &arrangements, &wide)) {
			if (before.make == MAKE_OPEN ? make_open(s, &wide, i) : search_make_constant(s, &wide, i)) {
				s->state.plan->makings.at[t] = s->state.plan->makings.at[--s->state.plan->makings.n];
				work_remove(&s->state.work, search_making_work(s, &before.pattern));
				set_supply(s, i, k, SUPPLY_TEMP, t);
				search_operands(s, i, k + 1, here);
			}
			s->state.plan->makings.at[t] = before;
			search_undo(s, &m);
		}
	}
}

/* Functions that make a new instruction for a pattern, in the order in which they are tried: makers[0] in the simple search, makers[1] in the
 * wide one. */
typedef bool maker(struct search *, const struct pattern *, int i);
enum { MAKERS = 3 };
static maker *const makers[2][MAKERS] = {{search_make_mad, search_make_constant, search_make_mov}, {search_make_constant, make_open}};

/* Tries new instructions that make the values p for operand k of instruction i.  Other arrangements of lanes than the first are tried only in
 * the wide search. */
static void make_new(struct search *s, int i, unsigned k, const struct request *here, const struct pattern *p)
{
	struct arrangements arrangements = {.want = search_without_repetition(p)};
	maker *const *all = makers[s->effort.wide];
	struct pattern made;
	struct search_mark m;
	search_mark(s, &m);
	while (next_arrangement(s, &arrangements, &made)) {
		for (unsigned way = 0; way < MAKERS && all[way] && search_may_improve(s, i, 1, true); way++) {
			if (all[way](s, &made, i)) {
				set_supply(s, i, k, SUPPLY_TEMP, s->state.plan->makings.n - 1);
				search_operands(s, i, k + 1, here);
			}
			search_undo(s, &m);
		}
		if (!s->effort.wide)
			break;
	}
}

/* Returns true if an operand after the k-th may want the instruction's port for interpolators or, with `constants`, that for constants. */
static bool has_rival(const struct search *s, int i, unsigned k, bool constants)
{
	for (k++; k < ops[s->fp->ps->instrs.at[i].op].sources; k++) {
		struct need need = plan_need(s->values, (uint32_t)i, k, s->state.plan->mask[i]);
		bool wants = need.pattern.positions && !need.pixel;
		EACH_LANE(l, need.pattern.positions)
			wants &= !constants || value_at(s->values, need.pattern.value[l])->class == VALUE_CONST;
		if (wants)
			return true;
	}
	return false;
}

/* If operand k can read p straight from a constant register, which costs nothing and takes no interpolator, decides that, goes on to the next
 * operand, and takes the choice back.  Returns true if no other way can be cheaper. */
static bool decide_constant(struct search *s, int i, unsigned k, const struct request *here, const struct pattern *p,
                            const struct search_mark *m)
{
	int only, reg;
	bool joins[MAX_SOURCES] = {false};
	if (!search_const_port(s, i, k, &only))
		return false;
	joins[k] = true;
	reg = search_supply_constant(s, p, 1, only);
	if (reg < 0 && only >= 0)
		reg = search_joint_register(s, i, k, p, joins);
	if (reg >= 0) {
		uint8_t supplies[MAX_SOURCES];
		uint32_t which[MAX_SOURCES];
		memcpy(supplies, s->state.plan->supply[i], sizeof supplies);
		memcpy(which, s->state.plan->which[i], sizeof which);
		for (unsigned o = 0; o < MAX_SOURCES; o++)
			if (joins[o])
				set_supply(s, i, o, SUPPLY_CONST, (uint32_t)reg);
		search_operands(s, i, k + 1, here);
		memcpy(s->state.plan->supply[i], supplies, sizeof supplies);
		memcpy(s->state.plan->which[i], which, sizeof which);
	}
	search_undo(s, m);
	return reg >= 0 && !has_rival(s, i, k, true);
}

/* Returns true if there are values that an interpolator can bring alone, and others that none can bring. */
static bool some_must_stay(const struct search *s, const struct pattern *p)
{
	unsigned stay = 0, n = 0;
	EACH_LANE(l, p->positions) {
		n++;
		stay += !search_delivers(s, &(struct pattern){.positions = MASK_X, .value = {p->value[l]}});
	}
	return stay && stay < n;
}

/* Returns false if the operand may not read an interpolator: one of a block of flow control that must be a temporary, or the r# of a texkill
 * in model 3, since some readers of shaders refuse texkill of a v#. */
static bool may_read_input(const struct program *ps, int i, unsigned k)
{
	if (op_is_region(ps->instrs.at[i].op) && ps->instrs.at[i].region_reads & REGION_TEMP)
		return false;
	return ps->instrs.at[i].op != OP_TEXKILL || ps->instrs.at[i].src[k].file == REG_TEXCOORD || !model_links(ps->model);
}

/* Decides that the operand reads what it reads now, goes on to the next operand, and takes the choice back. */
static void decide_to_keep(struct search *s, int i, unsigned k, const struct request *here, const struct pattern *p,
                           const struct search_mark *m)
{
	keep_operand(s, i, k, p);
	search_operands(s, i, k + 1, here);
	search_undo(s, m);
}

/* Decides how an operand that reads only movable lanes gets them, in each way that may be the best. */
static void decide_movable(struct search *s, int i, unsigned k, const struct request *here, const struct pattern *p)
{
	struct search_mark m;
	search_mark(s, &m);

	if (decide_constant(s, i, k, here, p, &m))
		return;

	bool const keep_first = search_keeps_first(s, i, k, p);
	if (keep_first)
		decide_to_keep(s, i, k, here, p, &m);

	/* An instruction has one port for interpolators: if it reads one that must stay as it is, it can read no other. */
	struct request joint = *here;
	if (search_opaque_register(s, i) < 0 && may_read_input(s->fp->ps, i, k) && search_request_pattern(s, p, &joint)) {
		for (uint32_t c = 0; k == 0 && c < s->fp->coords.n; c++)
			s->state.coords_riding += s->fp->coords.at[c].last == i;
		set_supply(s, i, k, SUPPLY_INPUT, 0);
		bool free = here->n == 0 && s->state.requests.n == m.requests;
		search_operands(s, i, k + 1, &joint);
		search_undo(s, &m);
		if (free && !has_rival(s, i, k, false))
			return; /* an earlier request brings it for nothing: no other way can be cheaper */
	}
	search_undo(s, &m);

	int made = find_making(s, p);
	if (made >= 0) {
		uint32_t first = s->state.plan->makings.at[made].first;
		set_supply(s, i, k, SUPPLY_TEMP, (uint32_t)made);
		s->state.plan->makings.at[made].first = (uint32_t)i;
		search_operands(s, i, k + 1, here);
		s->state.plan->makings.at[made].first = first;
		search_undo(s, &m);
		return;
	}

	if (s->effort.wide)
		widen_makings(s, i, k, here, p);
	make_new(s, i, k, here, p);
	if (!keep_first && s->fp->ps->instrs.at[i].src[k].file == REG_TEMP)
		decide_to_keep(s, i, k, here, p, &m);
	if (s->effort.wide && s->fp->ps->instrs.at[i].src[k].file == REG_TEMP && some_must_stay(s, p) && search_charge_try(s))
		split_mixed(s, i, k, here, p, p->positions);
}

/* ---- the cache of visited choices ------------------------------------------------------------ */

/* Returns a hash of the new instructions, whatever their order.  At the `end`, when all operands are decided, a new instruction of one lane has the
 * same hash whichever lane it writes. */
static uint64_t hash_of_makings(const struct search *s, bool end)
{
	uint64_t sum = 0;
	for (uint32_t t = 0; t < s->state.plan->makings.n; t++) {
		const struct making *m = &s->state.plan->makings.at[t];
		lanes const p = m->pattern.positions;
		uint64_t h = search_mix(search_mix(m->make, (uint64_t)m->reg), (uint64_t)m->after);
		unsigned const l = pattern_first(&m->pattern);
		h = end && p == 1u << l ? search_mix(h, m->pattern.value[l]) : search_hash_of_lanes(h, p, m->pattern.value);
		sum += search_mix(h, 0);
	}
	return sum;
}

/* Returns true if the choices were the same before when instruction i was reached, so that no new plan can follow; else notes them. */
static bool was_visited(const struct search *s, int i)
{
	if (!s->effort.wide || s->facts.count > 1) /* with several FPs the choices for the others may differ */
		return false;
	enum { BITS = LANES + 1, INSTRS_PER_WORD = 64 / BITS };
	uint64_t h = search_mix(search_mix(search_mix(1, (uint64_t)i), hash_of_makings(s, i < 0)), search_hash_of_requests(s, false));
	uint64_t consts = 0, word = 0;
	h = search_mix(search_mix(search_mix(h, s->state.work.arith), s->state.work.special), s->state.work.tex);
	for (uint32_t j = 0; j < s->fp->ps->instrs.n; j++) {
		bool const reads = (int)j > i && ops[s->fp->ps->instrs.at[j].op].flags & OPF_TEX && s->state.plan->mask[j];
		word = word << BITS | (s->state.demand[j] * 2u + (reads && s->state.plan->supply[j][0] == SUPPLY_INPUT));
		if (j % INSTRS_PER_WORD == INSTRS_PER_WORD - 1)
			h = search_mix(h, word);
	}
	h = search_mix(h, word);
	for (uint32_t n = 0; s->fp->sites && n < s->fp->sites->n; n++)
		h = search_mix(h, s->fp->choice[n]);
	for (uint64_t left = s->state.plan->filled_consts & ~s->state.plan->old_consts; left; left &= left - 1)
		consts += search_mix(search_hash_of_lanes(0, MASK_XYZW, s->state.plan->consts[first_bit(left)]), 0);
	h = search_mix(h, consts);
	h += h == 0; /* 0 marks an empty entry */
	uint64_t *at = &s->seen.visited[h % VISITS];
	bool const known = *at == h;
	*at = h;
	return known;
}

/* Tries each alternative of the root, in the order of their bounds, and decides its operands and all instructions before it. */
static void choose_and_go_on(struct search *s, int root)
{
	const struct site *site = search_site(s, root);
	uint8_t *choice = &s->fp->choice[s->fp->sites->of[root] - 1];
	uint64_t least[MOST_ALTERNATIVES];
	unsigned sequence[MOST_ALTERNATIVES];
	static const struct request none = {.n = 0};
	struct search_mark m;
	search_mark(s, &m);
	for (unsigned n = 0; n < site->n; n++) {
		unsigned const a = (n + 1) % site->n; /* the root itself comes last, as the FP as given is planned besides */
		search_choose_alternative(s, root, a);
		uint64_t const bound = search_bound(s, root - 1);
		search_undo(s, &m);
		*choice = OPEN_SITE;
		unsigned j = n; /* insertion sort by bound, stable */
		for (; j > 0 && least[j - 1] > bound; j--) {
			least[j] = least[j - 1];
			sequence[j] = sequence[j - 1];
		}
		least[j] = bound;
		sequence[j] = a;
	}
	for (unsigned j = 0; j < site->n; j++) {
		search_choose_alternative(s, root, sequence[j]);
		search_operands(s, root, 0, &none);
		search_undo(s, &m);
		*choice = OPEN_SITE;
	}
}

/* Decides the operands from the k-th of instruction i on, then the instructions before it.  `here`: what the instruction requested so far
 * of its interpolator. */
static void search_operands(struct search *s, int i, unsigned k, const struct request *here)
{
	static const struct request none = {.n = 0};
	for (;; i--, k = 0, here = &none) {
		while (i >= 0 && (!search_stays(s, i) || search_chosen(s, i) != i)) {
			s->state.plan->mask[i] = 0;
			i--;
		}
		if (i < 0) {
			if (!was_visited(s, -1))
				decide_open(s);
			return;
		}
		if (k == 0 && was_visited(s, i))
			return;
		if (k == 0 && search_is_open(s, i)) {
			if (!search_is_hopeless(s, i))
				choose_and_go_on(s, i);
			return;
		}
		const struct instr *instr = &s->fp->ps->instrs.at[i];
		if (k == 0) {
			s->state.plan->mask[i] = least_mask(s->fp->ps, instr, s->fp->pixel[i] | s->state.demand[i]);
			memset(s->state.plan->supply[i], SUPPLY_KEEP, sizeof s->state.plan->supply[i]);
			if (s->state.demand[i])
				keep_stuck_operands(s, i);
		}
		bool const as_it_is = search_opaque_register(s, i) >= 0;
		for (; k < ops[instr->op].sources; k++) {
			struct need need = plan_need(s->values, (uint32_t)i, k, s->state.plan->mask[i]);
			if (!need.pattern.positions || (as_it_is && instr->src[k].file == REG_TEXCOORD))
				continue;
			if (search_is_hopeless(s, i))
				return;
			if (need.pixel)
				decide_mixed(s, i, k, here, &need.pattern);
			else
				decide_movable(s, i, k, here, &need.pattern);
			return;
		}
	}
}

void search_program(struct search *s)
{
	static const struct request none = {.n = 0};
	search_operands(s, (int)s->fp->ps->instrs.n - 1, 0, &none);
}
