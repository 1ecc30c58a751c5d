/* Finds how operands can be supplied: by interpolators, constants or new instructions. */
#include "move/cut/search.h"

#include <string.h>

static bool reads_one_position(const struct pattern *p)
{
	return (p->positions & (p->positions - 1)) == 0;
}

/* Returns true if operands can read all patterns from the register.  With `add`, the values that it lacks are put into its free lanes for that. */
static bool shows(value_id reg[LANES], const struct pattern *p, unsigned n, bool add)
{
	if (n == 0)
		return true;
	struct pattern first = search_without_repetition(p);
	if (reads_one_position(&first) && (p->reach == REACH_ANY || p->reach == REACH_FREE))
		first.reach = REACH_SCALAR; /* any lane will do, the lowest is tried first */
	struct view view;
	for (unsigned which = 0; pattern_view(&first, which, &view); which++) {
		value_id lane[LANES];
		memcpy(lane, reg, sizeof lane);
		if (pattern_place(lane, &first, &view) && (add || memcmp(lane, reg, sizeof lane) == 0) &&
		    shows(lane, p + 1, n - 1, add)) {
			memcpy(reg, lane, sizeof lane);
			return true;
		}
	}
	return false;
}

/* Returns true if the register holds each value of the patterns or its opposite, so that shows() without `add` may return true. */
static bool may_show(const value_id reg[LANES], const struct pattern *p, unsigned n)
{
	for (unsigned k = 0; k < n; k++) {
		EACH_LANE(l, p[k].positions) {
			value_id const id = p[k].value[l], minus = p[k].negated[l] == NO_VALUE ? id : p[k].negated[l];
			if (reg[0] != id && reg[0] != minus && reg[1] != id && reg[1] != minus &&
			    reg[2] != id && reg[2] != minus && reg[3] != id && reg[3] != minus)
				return false;
		}
	}
	return true;
}

/* Kinds of constant registers in whose free lanes a new constant is put, in order of preference.  The first kind holds constants of its own kind:
 * defs, or presets, which the application computes. */
enum vacancy { VACANT_OF_KIND, VACANT_EMPTY, VACANT_OTHER, VACANCIES };

/* Returns the set of the plan's constant registers that may be used: all if `only` is -1, else that one, or none if the plan does not have it. */
static uint64_t allowed_registers(int only)
{
	return only < 0 ? UINT64_MAX : only < PS_CONSTS ? UINT64_C(1) << only : 0;
}

static uint64_t register_bits(int first, int last)
{
	uint64_t set = 0;
	for (int r = first < 0 ? 0 : first; r <= last && r < NEW_CONSTS; r++)
		set |= UINT64_C(1) << r;
	return set;
}

/* Finds the set of registers of each kind of vacancy for a new constant, which is a preset or a def.  Of the empty ones only the last is used, as
 * applications keep constants that many programs share in the first registers. */
static void find_vacancies(const struct search *s, bool preset, int only, uint64_t vacancies[VACANCIES])
{
	const struct plan *plan = s->state.plan;
	uint64_t may = ~plan->old_consts & allowed_registers(only);
	if (preset)
		may &= register_bits(s->facts.options->ps_consts.first, s->facts.options->ps_consts.last);
	uint64_t const empty = may & ~plan->filled_consts;
	vacancies[VACANT_EMPTY] = empty ? UINT64_C(1) << (63 - __builtin_clzll(empty)) : 0;
	vacancies[VACANT_OF_KIND] = vacancies[VACANT_OTHER] = 0;
	for (uint64_t left = may & plan->filled_consts; left; left &= left - 1)
		vacancies[plan_is_preset(s->values, plan->consts[first_bit(left)]) == preset ? VACANT_OF_KIND : VACANT_OTHER] |= left & (~left + 1);
}

/* Returns true if the register holds each of the values value[][0] or its opposite value[][1], or has a free lane for it. */
static bool has_lanes_for(const value_id reg[LANES], const value_id (*value)[2], unsigned n)
{
	unsigned missing = 0, free = 0;
	for (unsigned l = 0; l < LANES; l++)
		free += reg[l] == NO_VALUE;
	for (unsigned k = 0; k < n; k++) {
		unsigned l = 0;
		while (l < LANES && (reg[l] == NO_VALUE || (reg[l] != value[k][0] && reg[l] != value[k][1])))
			l++;
		missing += l == LANES;
	}
	return missing <= free;
}

/* Lists the different values of the patterns, each with its opposite, which a constant register is to get.  Sets *preset if the application would
 * have to compute one of them.  Returns false if they are more than a register has lanes, or one cannot be in a constant register. */
static bool find_new_constants(const struct search *s, const struct pattern *p, unsigned n, value_id wanted[LANES][2], unsigned *nwanted,
                        bool *preset)
{
	*nwanted = 0;
	*preset = false;
	for (unsigned k = 0; k < n; k++) {
		EACH_LANE(lane, p[k].positions) {
			value_id const id = p[k].value[lane];
			if (!value_is_settable(value_at(s->values, id), s->facts.options->preshader))
				return false;
			*preset |= !value_at(s->values, id)->known;
			unsigned w = 0;
			while (w < *nwanted && wanted[w][0] != id && wanted[w][1] != id && wanted[w][0] != p[k].negated[lane])
				w++;
			if (w == LANES)
				return false;
			if (w == *nwanted) {
				wanted[w][0] = id;
				wanted[w][1] = p[k].negated[lane];
				++*nwanted;
			}
		}
	}
	return true;
}

/* Puts the values of the patterns that the register lacks into its free lanes.  Changes nothing and returns false if operands could then not read
 * all patterns from it. */
static bool fill_free_lanes(struct search *s, int r, const struct pattern *p, unsigned n)
{
	struct taken before = {.reg = r};
	memcpy(before.old, s->state.plan->consts[r], sizeof before.old);
	if (!shows(s->state.plan->consts[r], p, n, true))
		return false;
	if (!search_is_empty(s->state.plan->consts[r]))
		s->state.plan->filled_consts |= UINT64_C(1) << r;
	VEC_PUSH(s->arena, &s->state.taken) = before;
	return true;
}

/* Returns a constant register that delivers the patterns without new values, or -1 if there is none. */
static int find_filled(const struct search *s, const struct pattern *p, unsigned n, int only)
{
	lanes any = 0;
	for (unsigned k = 0; k < n; k++)
		any |= p[k].positions;
	/* Patterns without positions are delivered by any register, even an empty one. */
	uint64_t const holds = (any ? s->state.plan->filled_consts : UINT64_MAX) & allowed_registers(only);
	for (uint64_t left = holds; left; left &= left - 1) {
		unsigned const r = first_bit(left);
		if (may_show(s->state.plan->consts[r], p, n) && shows(s->state.plan->consts[r], p, n, false))
			return (int)r;
	}
	return -1;
}

/* Puts the values of the patterns into free lanes of the preferred register that can take them.  Returns the register, or -1 if there is none. */
static int take_vacant(struct search *s, const struct pattern *p, unsigned n, int only)
{
	value_id wanted[LANES][2];
	unsigned nwanted;
	bool preset;
	if (!find_new_constants(s, p, n, wanted, &nwanted, &preset))
		return -1;
	uint64_t vacancies[VACANCIES];
	find_vacancies(s, preset, only, vacancies);
	for (unsigned vacancy = 0; vacancy < VACANCIES; vacancy++)
		for (int r = NEW_CONSTS; vacancies[vacancy] && r-- > 0;)
			if (vacancies[vacancy] >> r & 1 && has_lanes_for(s->state.plan->consts[r], (const value_id (*)[2])wanted, nwanted) &&
			    fill_free_lanes(s, r, p, n))
				return r;
	return -1;
}

int search_supply_constant(struct search *s, const struct pattern *p, unsigned n, int only)
{
	for (unsigned k = 0; k < n; k++)
		EACH_LANE(lane, p[k].positions)
			if (value_at(s->values, p[k].value[lane])->class != VALUE_CONST)
				return -1;
	int const filled = find_filled(s, p, n, only);
	return filled >= 0 ? filled : take_vacant(s, p, n, only);
}

int search_joint_register(struct search *s, int i, unsigned k, const struct pattern *p, bool joins[MAX_SOURCES])
{
	const struct instr *instr = &s->fp->ps->instrs.at[i];
	struct pattern all[MAX_SOURCES];
	unsigned n = 0;
	EACH_SOURCE(o, instr) {
		bool as_is = instr->src[o].file == REG_CONST;
		if (as_is && plan_const(s->state.plan, instr->src[o].index) == PS_CONSTS)
			return -1;
		joins[o] = o == k || as_is || (o < k && s->state.plan->supply[i][o] == SUPPLY_CONST);
		if (joins[o])
			all[n++] = o == k ? *p : as_is ? plan_constant_need(s->values, (uint32_t)i, o, s->state.plan->mask[i])
			                               : plan_need(s->values, (uint32_t)i, o, s->state.plan->mask[i]).pattern;
	}
	return search_supply_constant(s, all, n, -1);
}

bool search_const_port(const struct search *s, int i, unsigned k, int *only)
{
	const struct instr *instr = &s->fp->ps->instrs.at[i];
	*only = -1;
	if (ops[instr->op].flags & OPF_TEX || ops[instr->op].shape == SHAPE_MATRIX ||
	    ops[instr->op].shape == SHAPE_SINCOS)
		return false;
	EACH_SOURCE(o, instr) {
		bool as_is = instr->src[o].file == REG_CONST;
		if ((o < k || as_is) && s->state.plan->supply[i][o] == SUPPLY_CONST)
			*only = (int)s->state.plan->which[i][o];
		else if (as_is)
			*only = (int)plan_const(s->state.plan, instr->src[o].index);
	}
	return true;
}

struct pattern search_without_repetition(const struct pattern *p)
{
	struct pattern one = *p;
	for (unsigned k = 0; k < LANES && p->reach != REACH_PLAIN; k++) {
		lanes others = (lanes)(p->positions & ~(1u << k));
		if (!(p->positions >> k & 1))
			continue;
		for (unsigned o = k + 1; o < LANES; o++)
			if (p->positions >> o & 1 && p->value[o] == p->value[k])
				others &= (lanes)~(1u << o);
		if (!others)
			one.positions = (lanes)(1u << k);
		break;
	}
	return one;
}

bool search_add_pattern(const struct search *s, const struct pattern *p, struct request *here)
{
	uint8_t kind;
	struct pattern const one = search_without_repetition(p);
	return search_delivers_as(s, p, &kind) && request_add(here, &one, kind);
}

/* Returns true if a request of this hash was found not to fit beside some or all of the requests that are listed now. */
static bool was_refused(const struct search *s, uint64_t hash)
{
	for (uint32_t k = s->state.refused.n; k-- > 0;)
		if (s->state.refused.at[k].hash == hash)
			return true;
	return false;
}

/* Returns true if a request of the current FP before the q-th asks for the value or its opposite. */
static bool is_asked_before(const struct search *s, uint32_t q, value_id value, value_id negated)
{
	for (uint32_t other = s->state.own_from; other < q; other++)
		for (unsigned k = 0; k < s->state.requests.at[other].n; k++) {
			const struct pattern *p = &s->state.requests.at[other].pattern[k];
			EACH_LANE(l, p->positions)
				if (p->value[l] == value || p->value[l] == negated)
					return true;
		}
	return false;
}

/* Sets `scalars` of request q: the number of different values in the requests of the current FP up to it, where a value and its opposite
 * count as one. */
static void count_scalars(struct search *s, uint32_t q)
{
	struct request *request = &s->state.requests.at[q];
	value_id seen[MAX_SOURCES * LANES];
	unsigned n = 0, before = q > s->state.own_from ? s->state.requests.at[q - 1].scalars : 0;
	for (unsigned k = 0; k < request->n; k++) {
		const struct pattern *p = &request->pattern[k];
		EACH_LANE(l, p->positions) {
			unsigned same = 0;
			while (same < n && seen[same] != p->value[l] && seen[same] != p->negated[l])
				same++;
			if (same == n && !is_asked_before(s, q, p->value[l], p->negated[l]))
				seen[n++] = p->value[l];
		}
	}
	request->scalars = (uint8_t)(before + n < INTERPOLATORS * LANES ? before + n : INTERPOLATORS * LANES);
}

bool search_request_pattern(struct search *s, const struct pattern *p, struct request *here)
{
	if (!search_add_pattern(s, p, here))
		return false;
	for (uint32_t q = s->state.guards; q < s->state.requests.n; q++)
		if (search_same_request(&s->state.requests.at[q], here))
			return true;
	uint32_t const behind = s->state.requests.n;
	VEC_PUSH(s->arena, &s->state.requests) = *here;
	uint64_t const hash = search_hash_of_request(here, true);
	if (was_refused(s, hash))
		return false;
	if (s->facts.options->target.varying)
		count_scalars(s, behind);
	struct view view[MAX_SOURCES];
	if (layout_find(&s->state.layout, here, view) >= 0)
		return true;
	struct refusal *known = NULL, now = {0};
	if (s->effort.wide && s->facts.count == 1) {
		now.hash = search_hash_of_requests(s, true);
		known = &s->seen.unpacked[now.hash % REFUSALS];
		if (known->hash == now.hash && known->steps < s->effort.steps) {
			s->effort.steps -= known->steps;
			return false;
		}
	}
	/* Packs the request beside those that are packed already, or else all of them anew. */
	uint32_t most = s->facts.count > 1 ? SHARED_PACK_STEPS : s->best.plan ? PACK_STEPS : FIRST_PACK_STEPS;
	uint32_t steps = s->effort.steps < most ? s->effort.steps : most, before = steps;
	bool packed = layout_pack(s->values, here, 1, s->facts.options->budget.texcoords, &s->state.layout, &s->state.layout, &steps) ||
	              layout_pack(s->values, s->state.requests.at, s->state.requests.n, s->facts.options->budget.texcoords, &s->facts.start,
	                          &s->state.layout, &steps);
	s->effort.steps -= before - steps;
	now.steps = before - steps;
	search_spend(s, layout_steps(s->state.requests.n, before - steps));
	if (!packed && steps == 0)
		s->effort.gave_up = true;
	else if (!packed && s->facts.count == 1)
		VEC_PUSH(s->arena, &s->state.refused) = (struct refused){behind, hash};
	if (!packed && steps && known)
		*known = now;
	return packed;
}

struct work search_making_work(const struct search *s, const struct pattern *p)
{
	struct instr const mov = {.op = OP_MOV, .dst = {.file = REG_TEMP, .mask = p->positions}};
	return target_instr(&s->facts.options->target, &mov, s->fp->ps->model, p->positions);
}

struct making *search_new_making(struct search *s, const struct pattern *p, enum make make, int i)
{
	struct making *m = &VEC_PUSH(s->arena, &s->state.plan->makings);
	*m = (struct making){.pattern = *p, .make = (uint8_t)make, .first = (uint32_t)i, .after = -1, .reg = -1};
	m->pattern.reach = search_reach(s);
	work_add(&s->state.work, search_making_work(s, p));
	return m;
}

bool search_make_constant(struct search *s, const struct pattern *p, int i)
{
	struct pattern any = *p;
	any.reach = search_reach(s);
	if (search_supply_constant(s, &any, 1, -1) < 0)
		return false;
	search_new_making(s, p, MAKE_MOV_CONST, i);
	return true;
}

bool search_make_mov(struct search *s, const struct pattern *p, int i)
{
	struct pattern any = *p;
	struct request here = {.n = 0};
	any.reach = search_reach(s);
	if (!search_request_pattern(s, &any, &here))
		return false;
	search_new_making(s, p, MAKE_MOV_INPUT, i);
	return true;
}
