/* The exhaustive search, see brute.h.  It visits instructions from the last to the first, as only then it is known which of them stay.
 * Each operand of a staying instruction tries all its supplies: directly from an interpolator or a constant register, from a temporary
 * that one new instruction writes (which other operands may share, and widen), beside pixel lanes, and as before.  The bases of new
 * instructions matter only to the packing and are chosen last.  The search cuts off plans that cost more than the best one found,
 * states that it visited before, and all other supplies beside one that costs nothing. */
#include "exhaustive.h"

#include <string.h>

static void look(struct brute *b, int i, unsigned k);
static bool operand(const struct brute *b, int i, unsigned k, struct bundle *want);

static void note(struct brute *b, int i, unsigned k, unsigned what, unsigned making)
{
	if (b->choices < MOST_CHOICES)
		b->choice[b->choices++] = (struct choice){(int8_t)i, (int8_t)k, (int8_t)making, (uint8_t)what};
}

static bool stays(const struct brute *b, int i)
{
	return b->f->pixel[i] || b->kept[i] || facts_output(&b->f->ps->instrs.at[i]);
}

static enum freedom freedom_of(const struct instr *i, unsigned k)
{
	switch (ops[i->op].shape) {
	case SHAPE_SCALAR: return FREE_SCALAR;
	case SHAPE_DP2ADD: return k == 2 ? FREE_SCALAR : FREE;
	case SHAPE_SINCOS: return k == 0 ? FREE_SCALAR : FIXED;
	case SHAPE_TEX: case SHAPE_TEXW: case SHAPE_TEXD: case SHAPE_KILL: case SHAPE_CROSS: case SHAPE_NRM: case SHAPE_MATRIX: return FIXED;
	case SHAPE_NONE: case SHAPE_LANES: case SHAPE_DP3: case SHAPE_DP4: case SHAPE_DST: case SHAPE_EXPP:
	case SHAPE_LOGP: case SHAPE_LIT: case SHAPE_SGN: case SHAPE_COMPARE: case SHAPE_REGION: break;
	}
	return !instr_writes(i) || i->dst.file == REG_TEMP ? FREE : i->dst.file == REG_DEPTH_OUT ? FREE_LANE : FIXED;
}

/* ---- costs ---------------------------------------------------------------------------- */

/* Returns the order of the deepest dependent read, if each read writes a register of its own; undecided reads count as direct if they
 * can be. */
static unsigned dependent_order(const struct brute *b)
{
	const struct facts *f = b->f;
	unsigned depth[MOST_INSTRS][LANES], deepest = 0;
	memset(depth, 0, sizeof depth);
	for (int i = 0; i < (int)f->n; i++) {
		const struct instr *instr = &f->ps->instrs.at[i];
		bool read = ops[instr->op].flags & OPF_TEX && instr_writes(instr), straight = b->straight[i];
		if (!stays(b, i))
			continue;
		if (read && i <= b->at) {
			struct bundle want;
			straight = !operand(b, i, 0, &want);
		}
		for (unsigned lane = 0; lane < LANES; lane++) {
			if (!(instr_writes(instr) >> lane & 1))
				continue;
			lanes one = read ? instr_writes(instr) : (lanes)(1u << lane);
			for (unsigned s = 0; s < ops[instr->op].sources; s++) {
				lanes at = instr_operand_lanes(f->ps, instr, s, one);
				for (unsigned p = 0; p < LANES; p++) {
					if (!(at >> p & 1) || f->def[i][s][p] < 0 || f->use[i][s][p] != PIXEL)
						continue;
					unsigned behind = depth[f->def[i][s][p]][swizzle_lane(instr->src[s].swizzle, p)];
					depth[i][lane] = behind > depth[i][lane] ? behind : depth[i][lane];
				}
			}
			if (read && !straight)
				depth[i][lane]++;
			if (read && depth[i][lane] > deepest)
				deepest = depth[i][lane];
		}
	}
	return deepest;
}

static bool too_dear(struct brute *b)
{
	if (++b->best->steps > b->options->effort || b->t->full)
		return true;
	struct brute_cost const most = b->best->found ? b->best->cost : b->options->most;
	struct brute_cost least = {.slots = b->cost};
	if (least.slots == most.slots) {
		least.registers = fewest_registers(b);
		least.order = dependent_order(b);
	}
	return brute_compare(least, most) >= (b->best->found ? 0 : 1);
}

/* ---- choices ---------------------------------------------------------------------------- */

/* All state that a choice changes, to restore it, except for widened makings and kept lanes. */
struct mark {
	unsigned requests, makings, cost, inputs_at, choices;
	struct request inputs, consts;
};

static struct mark mark(const struct brute *b)
{
	return (struct mark){b->requests, b->makings, b->cost, b->inputs_at, b->choices, b->inputs, b->consts};
}

static void back(struct brute *b, const struct mark *m)
{
	b->requests = m->requests;
	b->makings = m->makings;
	b->cost = m->cost;
	b->inputs_at = m->inputs_at;
	b->choices = m->choices;
	b->inputs = m->inputs;
	b->consts = m->consts;
}

/* Finds the movable lanes that operand k of the instruction reads.  Returns whether it reads pixel lanes, too. */
static bool operand(const struct brute *b, int i, unsigned k, struct bundle *want)
{
	const struct instr *instr = &b->f->ps->instrs.at[i];
	bool pixels = false;
	want->at = 0;
	lanes read = instr_operand_lanes(b->f->ps, instr, k, facts_whole(instr, b->f->pixel[i] | b->kept[i]));
	for (unsigned p = 0; p < LANES; p++) {
		if (!(read >> p & 1))
			continue;
		if (b->f->use[i][k][p] == PIXEL) {
			pixels = true;
			continue;
		}
		want->at |= (lanes)(1u << p);
		want->n[p] = b->f->use[i][k][p];
	}
	return pixels;
}

/* Finds the same for an operand that has a choice. */
static bool wanted(const struct brute *b, int i, unsigned k, struct bundle *want)
{
	const struct instr *instr = &b->f->ps->instrs.at[i];
	want->at = 0;
	return k < ops[instr->op].sources && (instr->src[k].file == REG_TEMP || instr->src[k].file == REG_TEXCOORD) &&
	       operand(b, i, k, want);
}

/* Returns whether no later operand competes with the k-th for the instruction's ports. */
static bool is_last(const struct brute *b, int i, unsigned k)
{
	struct bundle want;
	for (k++; k < MAX_SOURCES; k++)
		if (!wanted(b, i, k, &want) && want.at)
			return false;
	return true;
}

/* Widens making t to `want` (which contains its values), then goes on. */
static void widen(struct brute *b, unsigned t, const struct bundle *want, int i, unsigned k)
{
	struct making *m = &b->making[t];
	struct bundle const before = m->made;
	m->made = *want;
	if (m->how == FROM_CONST ? making_possible(b, m, want) : lanes_possible(b, m))
		look(b, i, k + 1);
	b->making[t].made = before;
}

/* Returns a new making of that kind, or NULL if there is no room. */
static struct making *new_making(struct brute *b, enum how how)
{
	if (b->makings == MOST_MAKINGS || b->requests == MOST_REQUESTS) {
		b->best->steps = b->options->effort + 1;
		return NULL;
	}
	struct making *t = &b->making[b->makings++];
	*t = (struct making){.how = how, .reg = -1, .after = -1};
	b->cost++;
	return t;
}

static bool written_beside(const struct brute *b, int i, int reg, unsigned lane, int def)
{
	for (unsigned t = 0; t < b->makings; t++) {
		const struct making *m = &b->making[t];
		if (m->beside && m->reg == reg && m->made.at >> lane & 1 && m->after >= def && m->after < i)
			return true;
	}
	return false;
}

/* Keeps the lane as before.  Returns whether the plan may still be the best. */
static bool keep_lane(struct brute *b, int i, unsigned k, unsigned p)
{
	const struct src *src = &b->f->ps->instrs.at[i].src[k];
	int def = b->f->def[i][k][p];
	if (written_beside(b, i, src->index, swizzle_lane(src->swizzle, p), def))
		return true;
	if (!stays(b, def))
		b->cost += op_slots((enum op)b->f->ps->instrs.at[def].op, b->f->ps->model);
	b->kept[def] |= (lanes)(1u << swizzle_lane(src->swizzle, p));
	return !too_dear(b);
}

static void keep(struct brute *b, int i, unsigned k, lanes at)
{
	struct mark const m = mark(b);
	lanes kept[MOST_INSTRS];
	memcpy(kept, b->kept, sizeof kept);
	note(b, i, k, KEEP, 0);
	bool good = true;
	for (unsigned p = 0; p < LANES && good; p++)
		if (at >> p & 1)
			good = keep_lane(b, i, k, p);
	if (good)
		look(b, i, k + 1);
	memcpy(b->kept, kept, sizeof kept);
	back(b, &m);
}

static void add_request(struct brute *b, struct making *m)
{
	if (b->requests == MOST_REQUESTS) {
		b->best->steps = b->options->effort + 1;
		b->requests--;
	}
	m->request = b->requests;
	b->request[b->requests++] = (struct request){.n = m->how == FROM_LINE ? 2 : 1, .freedom = {FREE, FREE}};
}

/* ---- beside pixel lanes ------------------------------------------------------------------- */

static void beside(struct brute *b, int i, unsigned k, lanes left);

/* Supplies the lane at position p and those at `with` by one new instruction. */
static void new_beside(struct brute *b, int i, unsigned k, unsigned p, lanes with, lanes left)
{
	const struct src *src = &b->f->ps->instrs.at[i].src[k];
	struct bundle want = {.at = 0};
	int after = -1;
	for (unsigned q = 0; q < LANES; q++) {
		if (!((with | 1u << p) >> q & 1))
			continue;
		unsigned lane = swizzle_lane(src->swizzle, q);
		int def = b->f->def[i][k][q];
		if (b->kept[def] >> lane & 1)
			return;
		want.at |= (lanes)(1u << lane);
		want.n[lane] = b->f->value[def][lane];
		after = def > after ? def : after;
	}
	struct mark const m = mark(b);
	for (enum how how = FROM_INPUT; how <= FROM_CONST; how++) {
		struct making *t = new_making(b, how);
		if (t) {
			t->beside = true;
			t->reg = src->index;
			t->after = after;
			t->made = want;
			note(b, i, k, how == FROM_CONST ? BESIDE_CONST : BESIDE_INPUT, 0);
			if (how == FROM_INPUT)
				add_request(b, t);
			if (!too_dear(b) && making_possible(b, t, &want))
				beside(b, i, k, left & (lanes)~with);
		}
		back(b, &m);
	}
}

/* Supplies an operand that reads pixel lanes, too: each other lane of the register stays as before, or one new instruction writes it,
 * alone or with others. */
static void beside(struct brute *b, int i, unsigned k, lanes left)
{
	const struct src *src = &b->f->ps->instrs.at[i].src[k];
	if (!left) {
		look(b, i, k + 1);
		return;
	}
	unsigned p = 0;
	while (!(left >> p & 1))
		p++;
	unsigned lane = swizzle_lane(src->swizzle, p);
	int def = b->f->def[i][k][p];
	for (unsigned q = 0; q < LANES; q++) /* the other positions of the same lane come with it */
		if (left >> q & 1 && swizzle_lane(src->swizzle, q) == lane)
			left &= (lanes)~(1u << q);
	if (b->kept[def] >> lane & 1 || written_beside(b, i, src->index, lane, def)) {
		beside(b, i, k, left);
		return;
	}
	struct mark const m = mark(b);
	lanes const before = b->kept[def];
	note(b, i, k, KEEP, 0);
	if (keep_lane(b, i, k, p))
		beside(b, i, k, left);
	b->kept[def] = before;
	back(b, &m);
	for (lanes with = left;; with = (with - 1) & left) {
		new_beside(b, i, k, p, with, left);
		if (!with)
			break;
	}
}

/* ---- an operand of movable lanes only ------------------------------------------------------- */

/* Supplies the operand from an interpolator, the one that the instruction's other operands read.  Returns true if all of that was
 * requested already and no other operand needs the port. */
static bool straight(struct brute *b, int i, unsigned k, const struct bundle *want)
{
	struct mark const m = mark(b);
	bool free = false;
	b->inputs.part[b->inputs.n] = *want;
	b->inputs.freedom[b->inputs.n] = freedom_of(&b->f->ps->instrs.at[i], k);
	b->inputs.n++;
	note(b, i, k, STRAIGHT, 0);
	if (b->requests == MOST_REQUESTS) {
		b->best->steps = b->options->effort + 1;
	} else if (deliverable(b, want)) {
		for (unsigned q = 0; q < b->requests && !free && m.inputs.n == 0 && is_last(b, i, k); q++)
			for (unsigned part = 0; part < b->request[q].n && !free; part++)
				free = b->request[q].freedom[part] == b->inputs.freedom[0] && bundle_same(&b->request[q].part[part], want);
		if (m.inputs.n == 0)
			b->inputs_at = b->requests++;
		b->request[b->inputs_at] = b->inputs;
		if (packs(b, b->options->texcoords)) {
			b->straight[i] = true;
			look(b, i, k + 1);
			b->straight[i] = false;
		}
		if (m.inputs.n)
			b->request[m.inputs_at] = m.inputs;
	}
	back(b, &m);
	return free;
}

/* Supplies the operand from a constant register.  Returns true if that has it and no other operand needs the port. */
static bool from_constant(struct brute *b, int i, unsigned k, const struct bundle *want)
{
	const struct instr *instr = &b->f->ps->instrs.at[i];
	struct mark const m = mark(b);
	if (!port_is_free(instr))
		return false;
	b->consts.part[b->consts.n] = *want;
	b->consts.freedom[b->consts.n] = freedom_of(instr, k);
	b->consts.n++;
	note(b, i, k, CONSTANT, 0);
	/* One register serves these and the operands that read constants as they are. */
	struct request all = b->consts;
	for (unsigned s = 0; s < ops[instr->op].sources; s++) {
		if (instr->src[s].file != REG_CONST)
			continue;
		operand(b, i, s, &all.part[all.n]);
		all.freedom[all.n++] = freedom_of(instr, s);
	}
	bool there = const_has(b, &all);
	if (there)
		look(b, i, k + 1);
	back(b, &m);
	return there && is_last(b, i, k);
}

/* Supplies the operand from a temporary that another operand has, widened if `wider`.  Returns true if it need not be widened. */
static bool shared(struct brute *b, int i, unsigned k, const struct bundle *want, bool wider)
{
	struct mark const m = mark(b);
	enum freedom freedom = freedom_of(&b->f->ps->instrs.at[i], k);
	for (unsigned t = 0; t < b->makings; t++) {
		for (unsigned v = 0; v < VIEWS; v++) {
			struct bundle wide = b->making[t].made;
			if (b->making[t].beside || !view_allowed(freedom, v) || !put_through(b->t, &wide, want, v) ||
			    (wide.at != b->making[t].made.at) != wider)
				continue;
			note(b, i, k, wider ? WIDEN : SHARE, t);
			if (wider)
				widen(b, t, &wide, i, k);
			else
				look(b, i, k + 1);
			back(b, &m);
			if (!wider)
				return true;
		}
	}
	return false;
}

static void from_new(struct brute *b, int i, unsigned k, const struct bundle *want)
{
	struct mark const m = mark(b);
	enum freedom freedom = freedom_of(&b->f->ps->instrs.at[i], k);
	struct bundle tried[VIEWS];
	unsigned ntried = 0;
	for (unsigned v = 0; v < VIEWS; v++) {
		struct bundle made = {.at = 0};
		if (!view_allowed(freedom, v) || !put_through(b->t, &made, want, v))
			continue;
		bool again = false;
		for (unsigned t = 0; t < ntried && !again; t++)
			again = bundle_same(&tried[t], &made);
		if (again)
			continue;
		tried[ntried++] = made;
		for (enum how how = FROM_INPUT; how <= FROM_LINE; how++) {
			note(b, i, k, how == FROM_INPUT ? NEW_INPUT : how == FROM_CONST ? NEW_CONST : NEW_LINE, 0);
			if (new_making(b, how) && !too_dear(b))
				widen(b, b->makings - 1, &made, i, k);
			back(b, &m);
		}
	}
}

/* Drops repetitions of one value: a single lane serves all its positions. */
static struct bundle without_repetition(const struct bundle *want, enum freedom freedom)
{
	struct bundle one = *want;
	one.at &= (lanes)-one.at;
	for (unsigned p = 0; p < LANES; p++)
		for (unsigned q = 0; q < LANES; q++)
			if (freedom == FIXED || (want->at >> p & 1 && want->at >> q & 1 && want->n[p] != want->n[q]))
				return *want;
	return one;
}

static void choose(struct brute *b, int i, unsigned k, const struct bundle *all)
{
	struct bundle const less = without_repetition(all, freedom_of(&b->f->ps->instrs.at[i], k)), *want = &less;
	const struct instr *instr = &b->f->ps->instrs.at[i];
	bool reads = ops[instr->op].flags & OPF_TEX; /* a direct read can beat a shared temporary: it is no dependent read */
	if (from_constant(b, i, k, want) || (!reads && shared(b, i, k, want, false)) || straight(b, i, k, want) ||
	    (reads && shared(b, i, k, want, false)))
		return;
	shared(b, i, k, want, true);
	from_new(b, i, k, want);
	if (instr->src[k].file == REG_TEMP)
		keep(b, i, k, all->at);
}

/* ---- the end ------------------------------------------------------------------------------ */

/* Records the plan, once everything is decided. */
static void settle(struct brute *b)
{
	struct brute_result *best = b->best;
	struct brute_cost cost = {b->cost, dependent_order(b), fewest_registers(b)};
	for (; cost.registers <= b->options->texcoords; cost.registers++) {
		if (best->found ? brute_compare(cost, best->cost) >= 0 : brute_compare(cost, b->options->most) > 0)
			return;
		if (packs(b, cost.registers)) {
			best->found = true;
			best->cost = cost;
			best->plan = told(b);
			return;
		}
	}
}

static void close(struct brute *b, unsigned t);

/* Chooses a base for each lane of making t from this one on, then goes on with the next making. */
static void compute_lanes(struct brute *b, unsigned t, struct bundle *base, unsigned lane)
{
	struct making *m = &b->making[t];
	const struct bundle *want = &m->made;
	if (++b->best->steps > b->options->effort)
		return;
	while (lane < LANES && !(want->at >> lane & 1))
		lane++;
	if (lane == LANES) {
		struct making const before = *m;
		struct request const before_request = b->request[m->request];
		bool factors = false, offsets = false;
		for (unsigned l = 0; l < LANES; l++) {
			factors |= want->at >> l & 1 && m->factor.n[l] != b->one;
			offsets |= want->at >> l & 1 && m->offset.n[l] != b->zero;
		}
		offsets |= m->how == FROM_LINE;
		m->factor.at = factors ? want->at : 0;
		m->offset.at = offsets ? want->at : 0;
		if (making_possible(b, m, base))
			close(b, t + 1);
		*m = before;
		b->request[m->request] = before_request;
		return;
	}
	const struct relations *all = m->how == FROM_LINE ? lines_of(b, want->n[lane]) : relations_of(b, want->n[lane]);
	for (unsigned c = 0; c < all->n; c++) {
		struct bundle const was = *base;
		number const f = m->factor.n[lane], o = m->offset.n[lane];
		base->at |= (lanes)(1u << lane);
		base->n[lane] = all->at[c].base;
		m->factor.n[lane] = all->at[c].factor;
		m->offset.n[lane] = all->at[c].offset;
		if (lane_possible(b, m, base))
			compute_lanes(b, t, base, lane + 1);
		*base = was;
		m->factor.n[lane] = f;
		m->offset.n[lane] = o;
	}
}

/* Chooses the bases of new instructions from interpolators, once all else is decided: nothing else depends on them. */
static void close(struct brute *b, unsigned t)
{
	while (t < b->makings && (b->making[t].how == FROM_CONST || b->making[t].beside))
		t++;
	if (t == b->makings) {
		settle(b);
		return;
	}
	struct making const before = b->making[t];
	struct bundle base = {.at = 0};
	unsigned const requests = b->requests;
	add_request(b, &b->making[t]);
	compute_lanes(b, t, &base, 0);
	b->requests = requests;
	b->making[t] = before;
}

/* Hashes the values that a new instruction makes, whatever their sign; at the end the lane of a single value does not count either. */
static uint64_t made_print(const struct brute *b, uint64_t print, const struct bundle *made, bool end)
{
	struct bundle turned = {.at = made->at};
	unsigned first = 0;
	while (first < LANES - 1 && !(made->at >> first & 1))
		first++;
	if (!end)
		return bundle_print(print, made);
	for (unsigned l = 0; l < LANES; l++)
		if (made->at >> l & 1)
			turned.n[l] = number_minus(b->t, made->n[l]);
	if (made->n[first] < turned.n[first])
		turned = *made;
	return turned.at == 1u << first ? mix(print, turned.n[first]) : bundle_print(print, &turned);
}

/* Returns whether the search was in this state before (i = -1: at the end), and records it. */
static bool known(struct brute *b, int i)
{
	uint64_t print = mix(requests_print(b), (uint64_t)i), makings = 0;
	print = mix(print, b->cost);
	for (unsigned k = 0; k < b->f->n; k++)
		print = mix(print, b->kept[k] * 2u + b->straight[k]);
	for (unsigned t = 0; t < b->makings; t++) {
		const struct making *m = &b->making[t];
		bool const open = i < 0 && m->how != FROM_CONST && !m->beside;
		uint64_t one = mix(mix(m->how * 2u + m->beside, (uint64_t)m->reg), (uint64_t)m->after);
		one = made_print(b, one, &m->made, open);
		makings += mix(one, 0);
	}
	print = mix(print, makings);
	uint64_t *at = &b->visited[print % VISITS];
	if (*at == print)
		return true;
	*at = print;
	return false;
}

static void finish(struct brute *b)
{
	if (!too_dear(b) && !known(b, -1))
		close(b, 0);
}

static void look_on(struct brute *b, int i, unsigned k)
{
	if (too_dear(b))
		return;
	const struct instr *instr = &b->f->ps->instrs.at[i];
	if (k == ops[instr->op].sources) {
		/* Requests of the instruction stay; the next one starts anew. */
		struct mark const m = mark(b);
		b->inputs.n = b->consts.n = 0;
		do
			i--;
		while (i >= 0 && !stays(b, i));
		b->at = i;
		if (i < 0)
			finish(b);
		else
			look(b, i, 0);
		back(b, &m);
		return;
	}
	struct bundle want;
	bool pixels = wanted(b, i, k, &want);
	if (!want.at)
		look(b, i, k + 1);
	else if (pixels)
		beside(b, i, k, want.at);
	else {
		choose(b, i, k, &want);
		/* Lanes that no interpolator delivers may stay, and the others come beside them. */
		for (unsigned p = 0; p < LANES; p++) {
			struct bundle one = want;
			one.at &= (lanes)(1u << p);
			if (instr->src[k].file == REG_TEMP && !deliverable(b, &one)) {
				beside(b, i, k, want.at);
				break;
			}
		}
	}
}

static void look(struct brute *b, int i, unsigned k)
{
	if (k == 0 && known(b, i))
		return;
	int const before = b->at;
	b->at = i;
	look_on(b, i, k);
	b->at = before;
}

struct brute_result brute_force(struct arena *arena, const struct program *vs, const struct program *ps,
                                const struct brute_options *options)
{
	struct brute_result best = {.finished = false};
	struct brute *b = arena_zero(arena, sizeof *b);
	b->t = arena_zero(arena, sizeof *b->t);
	b->f = arena_alloc(arena, sizeof *b->f);
	b->relations = arena_zero(arena, MOST_NUMBERS * sizeof *b->relations);
	b->lines = arena_zero(arena, MOST_NUMBERS * sizeof *b->lines);
	b->options = options;
	b->best = &best;
	b->arena = arena;
	if (!facts_find(b->f, b->t, vs, ps))
		return best;
	b->one = number_literal(b->t, 1);
	b->zero = number_literal(b->t, 0);
	find_supplies(b);
	int last = -1;
	for (unsigned k = 0; k < b->f->n; k++) {
		const struct instr *i = &ps->instrs.at[k];
		if (b->f->pixel[k] || facts_output(i)) {
			b->cost += op_slots((enum op)i->op, ps->model);
			last = (int)k;
		}
	}
	if (last >= 0)
		look(b, last, 0);
	best.finished = best.steps <= options->effort && !b->t->full;
	return best;
}
