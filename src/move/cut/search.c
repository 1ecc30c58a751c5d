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

/* ---- the search ------------------------------------------------------------------------------ */

static void search_operands(struct search *s, int i, unsigned k, const struct request *here);

void search_mark(const struct search *s, struct search_mark *m)
{
	m->requests = s->state.requests.n;
	m->makings = s->state.plan->makings.n;
	m->trail = s->state.trail.n;
	m->work = s->state.work;
	m->coords_riding = s->state.coords_riding;
	m->layout = s->state.layout;
	m->taken = s->state.taken.n;
}

void search_undo(struct search *s, const struct search_mark *m)
{
	while (s->state.trail.n > m->trail) {
		const struct change *c = &s->state.trail.at[--s->state.trail.n];
		*c->at = c->old;
	}
	s->state.requests.n = m->requests;
	if (s->state.requests.n < s->state.undeliverable)
		s->state.undeliverable = 0;
	while (s->state.refused.n && s->state.refused.at[s->state.refused.n - 1].behind > m->requests)
		s->state.refused.n--;
	s->state.plan->makings.n = m->makings;
	s->state.work = m->work;
	s->state.coords_riding = m->coords_riding;
	s->state.layout = m->layout;
	while (s->state.taken.n > m->taken) {
		const struct taken *t = &s->state.taken.at[--s->state.taken.n];
		memcpy(s->state.plan->consts[t->reg], t->old, sizeof t->old);
		if (search_is_empty(t->old))
			s->state.plan->filled_consts &= ~(UINT64_C(1) << t->reg);
	}
}

void search_change(struct search *s, lanes *at, lanes more)
{
	VEC_PUSH(s->arena, &s->state.trail) = (struct change){at, *at};
	*at |= more;
}

/* Sets how operand k of instruction i is supplied, see struct plan. */
static void set_supply(struct search *s, int i, unsigned k, enum supply how, uint32_t which)
{
	s->state.plan->supply[i][k] = (uint8_t)how;
	s->state.plan->which[i][k] = which;
}

/* Keeps the lane that instruction `def` defines. */
static void keep_lane(struct search *s, int def, unsigned lane)
{
	if ((s->fp->pixel[def] | s->state.demand[def]) >> lane & 1)
		return;
	if (search_stays(s, def))
		work_remove(&s->state.work, search_work_of(s, def));
	search_change(s, &s->state.demand[def], (lanes)(1u << lane));
	work_add(&s->state.work, search_work_of(s, def));
}

/* Keeps the definitions of the operand's movable lanes. */
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

/* Keeps the definitions of stuck values that an instruction reads which stays for its movable lanes. */
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

/* Adds a new instruction that writes the operand's movable lanes beside its pixel lanes, where the last of their definitions stood.
 * Returns false if no register can bring them, or no lane is left to write. */
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

/* Decides an operand of movable and pixel lanes. */
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

/* Tries to widen each new instruction of the plan by lanes for p, in the wide search. */
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
			if (before.make == MAKE_OPEN ? search_make_open(s, &wide, i) : search_make_constant(s, &wide, i)) {
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

/* Functions that make a new instruction for a pattern, in the order in which they are tried: in the simple search, and in the wide one. */
typedef bool maker(struct search *, const struct pattern *, int i);
enum { MAKERS = 3 };
static maker *const makers[2][MAKERS] = {{search_make_mad, search_make_constant, search_make_mov}, {search_make_constant, search_make_open}};

/* Tries new instructions for p, in other arrangements of lanes only in the wide search. */
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

/* Tries to read p straight from a constant register, which costs nothing and takes no interpolator.  Returns true if no other way can be
 * cheaper. */
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

/* Returns true if no interpolator brings some of the lanes, while one can bring others. */
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

/* Tries to leave the operand as it is. */
static void decide_to_keep(struct search *s, int i, unsigned k, const struct request *here, const struct pattern *p,
                           const struct search_mark *m)
{
	keep_operand(s, i, k, p);
	search_operands(s, i, k + 1, here);
	search_undo(s, m);
}

/* Decides an operand of movable lanes only. */
static void decide_movable(struct search *s, int i, unsigned k, const struct request *here, const struct pattern *p)
{
	struct search_mark m;
	search_mark(s, &m);

	if (decide_constant(s, i, k, here, p, &m))
		return;

	bool const keep_first = search_keeps_first(s, i, k, p);
	if (keep_first)
		decide_to_keep(s, i, k, here, p, &m);

	/* An interpolator that must stay as it is takes the instruction's one port. */
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

static uint64_t mix_hash(uint64_t h, uint64_t with)
{
	h = (h ^ with) * UINT64_C(0x9e3779b97f4a7c15);
	return h ^ h >> 29;
}

static uint64_t hash_of_lanes(uint64_t h, lanes positions, const value_id *value)
{
	h = mix_hash(h, positions);
	EACH_LANE(l, positions)
		h = mix_hash(h, value[l]);
	return h;
}

/* Returns a hash of the new instructions, whatever their order.  At the `end` an instruction of one lane has the same hash in any lane. */
static uint64_t hash_of_makings(const struct search *s, bool end)
{
	uint64_t sum = 0;
	for (uint32_t t = 0; t < s->state.plan->makings.n; t++) {
		const struct making *m = &s->state.plan->makings.at[t];
		lanes const p = m->pattern.positions;
		uint64_t h = mix_hash(mix_hash(m->make, (uint64_t)m->reg), (uint64_t)m->after);
		unsigned const l = pattern_first(&m->pattern);
		h = end && p == 1u << l ? mix_hash(h, m->pattern.value[l]) : hash_of_lanes(h, p, m->pattern.value);
		sum += mix_hash(h, 0);
	}
	return sum;
}

uint64_t search_hash_of_request(const struct request *q, bool signs)
{
	uint64_t h = 1;
	for (unsigned k = 0; k < q->n; k++) {
		const struct pattern *p = &q->pattern[k];
		h = hash_of_lanes(mix_hash(h, p->reach), p->positions, p->value);
		h = signs ? hash_of_lanes(h, p->positions, p->negated) : h;
	}
	return mix_hash(h, 0);
}

uint64_t search_hash_of_requests(const struct search *s, bool signs)
{
	uint64_t sum = 0;
	for (uint32_t q = s->state.own_from; q < s->state.requests.n; q++)
		sum += search_hash_of_request(&s->state.requests.at[q], signs);
	return sum;
}

/* Returns true if the choices were the same before when instruction i was reached, so that no new plan can follow; else notes them. */
static bool was_visited(const struct search *s, int i)
{
	if (!s->effort.wide || s->facts.count > 1) /* with several FPs the choices for the others may differ */
		return false;
	enum { BITS = LANES + 1, INSTRS_PER_WORD = 64 / BITS };
	uint64_t h = mix_hash(mix_hash(mix_hash(1, (uint64_t)i), hash_of_makings(s, i < 0)), search_hash_of_requests(s, false));
	uint64_t consts = 0, word = 0;
	h = mix_hash(mix_hash(mix_hash(h, s->state.work.arith), s->state.work.special), s->state.work.tex);
	for (uint32_t j = 0; j < s->fp->ps->instrs.n; j++) {
		bool const reads = (int)j > i && ops[s->fp->ps->instrs.at[j].op].flags & OPF_TEX && s->state.plan->mask[j];
		word = word << BITS | (s->state.demand[j] * 2u + (reads && s->state.plan->supply[j][0] == SUPPLY_INPUT));
		if (j % INSTRS_PER_WORD == INSTRS_PER_WORD - 1)
			h = mix_hash(h, word);
	}
	h = mix_hash(h, word);
	for (uint32_t n = 0; s->fp->sites && n < s->fp->sites->n; n++)
		h = mix_hash(h, s->fp->choice[n]);
	for (uint64_t left = s->state.plan->filled_consts & ~s->state.plan->old_consts; left; left &= left - 1)
		consts += mix_hash(hash_of_lanes(0, MASK_XYZW, s->state.plan->consts[first_bit(left)]), 0);
	h = mix_hash(h, consts);
	h += h == 0; /* 0 marks an empty entry */
	uint64_t *at = &s->seen.visited[h % VISITS];
	bool const known = *at == h;
	*at = h;
	return known;
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
				search_decide_open(s);
			return;
		}
		if (k == 0 && was_visited(s, i))
			return;
		if (k == 0 && search_is_open(s, i)) {
			if (!search_is_hopeless(s, i))
				search_choose(s, i);
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

void search_from(struct search *s, int i)
{
	static const struct request none = {.n = 0};
	search_operands(s, i, 0, &none);
}

void search_program(struct search *s)
{
	search_from(s, (int)s->fp->ps->instrs.n - 1);
}
