/* Plans M4: finds the moved lanes that staying instructions read, and the lanes that share an interpolator.
 *
 * An operand names one register, so all moved lanes that it reads must come from one t#.  They form a bundle, in which they keep their
 * positions.  Bundles of the same FP register are merged if they agree about the lanes that both have.
 *
 * Some operands cannot read a t#: an operand may read moved lanes beside lanes that stay; an instruction can read only one t#; a t# has only
 * one kind of interpolation; and a number that feeds a comparison must stay exact.  Such an operand continues to read its register.  Either
 * the FP computes the value as before (and the VP may compute it, too, for other readers), or `mov r, t` copies it from a t# where this
 * saves slots. */
#include "move/paper/paper.h"

#include <string.h>

/* The moved lanes of one FP register that one operand of a staying instruction reads. */
struct need {
	int temp;            /* the register; -1 if no lane moves, or the register has all of them anyway */
	lanes mask;          /* the moved lanes */
	lanes tied;          /* the lanes of `mask` that must stay exact, so that no interpolator may deliver them */
	uint32_t def[LANES]; /* [lane]: the instruction that defines it */
	uint8_t kind;        /* kind of interpolation; KIND_ANY if all lanes are constants */
	uint8_t why;         /* enum verdict: why no t# can deliver the operand; MOVE_MOVED if one can */
	uint32_t latest;     /* the last of the moved instructions that define the lanes */
	unsigned slots;      /* an upper bound of the slots that the FP takes to compute the lanes */
};

static bool kinds_agree(const struct rewrite *rw, uint8_t a, uint8_t b)
{
	return kinds_share(a, b) || is_planted(rw->options, PLANT_M4_KIND);
}

/* Returns true if the lane that instruction `k` reads must stay exact, so that no interpolator may deliver it. */
static bool is_tied(const struct rewrite *rw, uint32_t k, const struct flow_read *read)
{
	return ties_of_read(&rw->ties, read->def, read->from, k, read->source, read->lane) != NO_TIE &&
	       !rw->options->free_ties && !is_planted(rw->options, PLANT_TIE);
}

static bool is_movable(const struct rewrite *rw, uint32_t def)
{
	return def < FLOW_INPUT && rw->movable[def];
}

/* Returns true if the FP will have this lane of instruction `def` in its register; with `exact`, only if the FP computes it itself. */
static bool is_at_hand(const struct rewrite *rw, uint32_t def, unsigned lane, bool exact)
{
	return !is_movable(rw, def) || rw->stays[def] || (!exact && rw->brought[def] >> lane & 1);
}

/* Adds to *slots those of all instructions that the FP would have to keep to compute `def`; marks these with rw->marks. */
static void count_slots_to_keep(struct rewrite *rw, uint32_t def, unsigned *slots)
{
	enum { ENOUGH = 16 }; /* counting stops here, since larger numbers make no difference */
	if (!is_movable(rw, def) || rw->stays[def] || rw->mark[def] == rw->marks || *slots >= ENOUGH)
		return;
	*slots += instr_slots(&rw->ps->program->instrs.at[def], rw->ps->program->model);
	rw->mark[def] = rw->marks;
	for (uint32_t r = rw->ps->first[def]; r < rw->ps->first[def + 1]; r++)
		count_slots_to_keep(rw, rw->ps->read[r].def, slots);
}

/* Records why no t# can deliver the operand, unless `why` is MOVE_MOVED.  MOVE_MIXED does not replace another reason. */
static void add_obstacle(struct need *need, enum verdict why)
{
	if (why != MOVE_MOVED && (why != MOVE_MIXED || need->why == MOVE_MOVED))
		need->why = (uint8_t)why;
}

/* Adds lane `lane` of movable instruction `def` to the lanes needed. */
static void need_lane(const struct rewrite *rw, struct need *need, uint32_t def, unsigned lane)
{
	struct paper_value const value = rw->values[def][lane];
	if (value.what == PAPER_INPUT) {
		if (!kinds_agree(rw, need->kind, value.kind))
			add_obstacle(need, MOVE_KIND);
		need->kind = value.kind;
	}
	if (!need->mask || def > need->latest)
		need->latest = def;
	need->mask |= (lanes)(1u << lane);
	need->def[lane] = def;
}

static struct need moved_lanes_of(struct rewrite *rw, uint32_t k, unsigned s)
{
	const struct flow *ps = rw->ps;
	const struct instr *i = &ps->program->instrs.at[k];
	struct need need = {.temp = -1, .kind = KIND_ANY};
	bool all_at_hand = true;
	rw->marks++;
	if (op_is_region(i->op) && i->region_reads & REGION_TEMP)
		add_obstacle(&need, MOVE_REMADE);
	if (i->op == OP_TEXKILL && model_links(ps->program->model)) /* some shader loaders reject texkill of a v# */
		add_obstacle(&need, MOVE_REMADE);
	for (uint32_t r = ps->first[k]; r < ps->first[k + 1]; r++) {
		const struct flow_read *read = &ps->read[r];
		if (read->source != s)
			continue;
		if (!is_movable(rw, read->def)) {
			add_obstacle(&need, MOVE_MIXED);
			continue;
		}
		bool const tied = is_tied(rw, k, read);
		all_at_hand &= is_at_hand(rw, read->def, read->from, tied);
		need_lane(rw, &need, read->def, read->from);
		need.tied |= (lanes)(tied << read->from);
		if (tied)
			add_obstacle(&need, MOVE_TIE);
		if (instr_is_modifier(&ps->program->instrs.at[read->def]))
			add_obstacle(&need, MOVE_WITH_READER);
		count_slots_to_keep(rw, read->def, &need.slots);
	}
	if (instr_rows(i, s) > 1)
		add_obstacle(&need, MOVE_MIXED);
	if (!all_at_hand)
		need.temp = i->src[s].index;
	return need;
}

/* Returns the instruction that defines the lanes which a mov can copy from a t# for this operand.  Returns UINT32_MAX if no mov can, for example
 * since several instructions define them, or if the FP needs no more than one slot to compute the lanes. */
static uint32_t brought_by_mov(const struct rewrite *rw, const struct need *need, enum verdict why)
{
	uint32_t only = UINT32_MAX;
	if (!rw->brings || need->tied || (why != MOVE_MIXED && why != MOVE_REMADE) || need->slots < 2)
		return UINT32_MAX;
	EACH_LANE(lane, need->mask) {
		uint32_t const def = need->def[lane];
		if (is_at_hand(rw, def, lane, false))
			continue;
		if (only != UINT32_MAX && only != def)
			return UINT32_MAX;
		only = def;
	}
	struct need all = {.kind = KIND_ANY};
	for (unsigned lane = 0; lane < LANES && only != UINT32_MAX; lane++)
		if (rw->brought[only] >> lane & 1 || (need->mask >> lane & 1 && need->def[lane] == only))
			need_lane(rw, &all, only, lane);
	return all.why == MOVE_MOVED ? only : UINT32_MAX;
}

/* Makes the FP compute the values that an operand of `k` reads, or copy them from a t# by a mov. */
static void put_at_hand(struct rewrite *rw, uint32_t k, const struct need *need, enum verdict why)
{
	uint32_t const mov = brought_by_mov(rw, need, why);
	EACH_LANE(lane, need->mask) {
		uint32_t const def = need->def[lane];
		if (def == mov)
			rw->brought[def] |= (lanes)(1u << lane);
		bool const tied = need->tied >> lane & 1;
		if (is_at_hand(rw, def, lane, tied))
			continue;
		rw->stays[def] = true;
		rw->why[def] = (uint8_t)(tied ? MOVE_TIE : why == MOVE_TIE ? MOVE_MIXED : why);
		rw->because[def] = k;
	}
}

/* Returns the lanes that one t# is to deliver to instruction `k`, and sets is_fed[] for the operands that read it.  They read one register; of
 * several, it is the one whose values take most slots to compute.  The values of the other operands are kept in their registers. */
static struct need find_needs(struct rewrite *rw, uint32_t k, bool is_fed[MAX_SOURCES])
{
	const struct instr *i = &rw->ps->program->instrs.at[k];
	unsigned const sources = ops[i->op].sources;
	struct need need[MAX_SOURCES], fed = {.temp = -1, .kind = KIND_ANY};
	bool direct = false; /* the instruction reads a t# already */
	memset(is_fed, false, MAX_SOURCES * sizeof *is_fed);
	if (!rw->reads_movable[k])
		return fed;
	for (unsigned s = 0; s < sources; s++) {
		need[s] = (struct need){.temp = -1, .kind = KIND_ANY};
		direct |= i->src[s].file == REG_TEXCOORD;
		if (i->src[s].file == REG_TEMP)
			need[s] = moved_lanes_of(rw, k, s);
	}
	for (unsigned s = 0; s < sources; s++) {
		for (unsigned other = 0; other < sources; other++) {
			if (need[s].temp < 0 || need[other].temp != need[s].temp)
				continue;
			if (!kinds_agree(rw, need[s].kind, need[other].kind))
				add_obstacle(&need[s], MOVE_KIND);
			add_obstacle(&need[s], need[other].why);
		}
	}
	for (unsigned s = 0; s < sources && !direct; s++)
		if (need[s].temp >= 0 && need[s].why == MOVE_MOVED &&
		    (fed.temp < 0 || need[s].slots > fed.slots || (need[s].slots == fed.slots && need[s].latest < fed.latest)))
			fed = need[s];
	for (unsigned s = 0; s < sources; s++) {
		is_fed[s] = need[s].temp >= 0 && need[s].temp == fed.temp;
		if (is_fed[s])
			EACH_LANE(lane, need[s].mask)
				need_lane(rw, &fed, need[s].def[lane], lane);
		else if (need[s].temp >= 0)
			put_at_hand(rw, k, &need[s], need[s].why == MOVE_MOVED ? MOVE_MIXED : need[s].why);
	}
	return fed;
}

static bool bundle_agrees(const struct rewrite *rw, const struct bundle *b, const struct need *need)
{
	if (b->temp != need->temp || !kinds_agree(rw, b->kind, need->kind))
		return false;
	if (is_planted(rw->options, PLANT_M4_STALE))
		return true;
	EACH_LANE(lane, b->mask & need->mask)
		if (b->def[lane] != need->def[lane])
			return false;
	return true;
}

/* Adds the lanes of `need` to a bundle of the same register that has no other values in these lanes, or to a new one.  Returns its index. */
static int16_t bundle_for(struct rewrite *rw, const struct need *need)
{
	uint32_t at = 0;
	while (at < rw->bundles.n && !bundle_agrees(rw, &rw->bundles.at[at], need))
		at++;
	if (at == rw->bundles.n)
		VEC_PUSH(rw->arena, &rw->bundles) =
			(struct bundle){.temp = need->temp, .kind = KIND_ANY, .texcoord = -1};
	struct bundle *b = &rw->bundles.at[at];
	b->mask |= need->mask;
	if (need->kind != KIND_ANY)
		b->kind = need->kind;
	EACH_LANE(lane, need->mask)
		b->def[lane] = need->def[lane];
	return (int16_t)at;
}

/* Records that the VP computes instruction `def`, and adds `readers` to rw->readers[def], which stays at most 2. */
static void use_in_vp(struct rewrite *rw, uint32_t def, unsigned readers)
{
	rw->moves[def] = true;
	readers += rw->readers[def];
	rw->readers[def] = (uint8_t)(readers < 2 ? readers : 2);
}

static void count_bundle(struct rewrite *rw, const struct bundle *b)
{
	EACH_LANE(lane, b->mask) {
		unsigned before = 0;
		while (!(b->mask >> before & 1 && b->def[before] == b->def[lane]))
			before++;
		use_in_vp(rw, b->def[lane], before == lane);
	}
}

/* --- sending bundles in the VP --------------------------------------------------- */

lanes bundle_lanes_sent(const struct bundle *b, uint32_t k, unsigned from[LANES])
{
	lanes mask = 0;
	int above = -1; /* the nearest lane of the bundle at or above this one */
	for (unsigned lane = LANES; lane-- > 0;) {
		if (b->mask >> lane & 1)
			above = (int)lane;
		if (above < 0 || b->def[above] != k)
			continue;
		mask |= (lanes)(1u << lane);
		from[lane] = (unsigned)above;
	}
	return mask;
}

/* Returns true if instruction `def` may write the bundle's oT# in place of a temporary: nothing else in the VP reads its result, and its opcode
 * can write all lanes that are sent behind it.  Returns false if each move must have a mov of its own (options->as_published). */
static bool may_write_output(const struct rewrite *rw, const struct bundle *b, uint32_t def)
{
	const struct instr *i = &rw->ps->program->instrs.at[def];
	enum op_shape const shape = ops[i->op].shape;
	unsigned from[LANES];
	lanes const sent = bundle_lanes_sent(b, def, from), written = instr_writes(i);
	if (rw->options->as_published || rw->readers[def] > 1 || sent & ~written || i->op == OP_POW)
		return false;
	return shape == SHAPE_SCALAR || shape == SHAPE_DP3 || shape == SHAPE_DP4 || (shape == SHAPE_LANES && (i->op != OP_FRC || sent == written));
}

/* Records which instructions write their lanes of the bundle's oT# themselves; for all others, a mov does. */
static void plan_delivery(struct rewrite *rw, const struct bundle *b)
{
	EACH_LANE(lane, b->mask)
		if (may_write_output(rw, b, b->def[lane]))
			rw->sends[b->def[lane]] = b;
}

/* First finds, from the last instruction to the first, the instructions that the FP keeps, since the operands of these may need others.
 * Then assigns operands to bundles, and finds the instructions that the VP computes for the bundles. */
void bundle_find(struct rewrite *rw)
{
	const struct flow *ps = rw->ps;
	uint32_t const n = ps->program->instrs.n;
	bool is_fed[MAX_SOURCES];
	rw->bundles.n = 0;
	for (uint32_t k = 0; k < n; k++) {
		rw->stays[k] = !rw->movable[k] || rw->kept[k];
		rw->brought[k] = rw->readers[k] = 0;
		rw->sends[k] = NULL;
		for (unsigned s = 0; s < MAX_SOURCES; s++)
			rw->bundle_of[k][s] = -1;
	}
	for (uint32_t k = n; k-- > 0;)
		if (rw->stays[k])
			find_needs(rw, k, is_fed);
	for (uint32_t k = 0; k < n; k++)
		rw->moves[k] = !rw->stays[k];
	for (uint32_t k = 0; k < n; k++) {
		struct need fed = {.temp = -1, .kind = KIND_ANY};
		if (rw->stays[k])
			fed = find_needs(rw, k, is_fed);
		else if (rw->brought[k]) {
			fed.temp = ps->program->instrs.at[k].dst.index;
			memset(is_fed, true, sizeof is_fed);
			EACH_LANE(lane, rw->brought[k])
				need_lane(rw, &fed, k, lane);
		}
		int16_t const at = fed.temp < 0 ? -1 : bundle_for(rw, &fed);
		for (unsigned s = 0; s < MAX_SOURCES && at >= 0; s++)
			if (is_fed[s])
				rw->bundle_of[k][s] = at;
	}
	for (uint32_t b = 0; b < rw->bundles.n; b++)
		count_bundle(rw, &rw->bundles.at[b]);
	for (uint32_t k = n; k-- > 0;)
		for (uint32_t r = ps->first[k]; rw->moves[k] && r < ps->first[k + 1]; r++)
			if (is_movable(rw, ps->read[r].def))
				use_in_vp(rw, ps->read[r].def, 2);
	for (uint32_t b = 0; b < rw->bundles.n; b++)
		plan_delivery(rw, &rw->bundles.at[b]);
}

/* Returns the slots that the FP would take to compute the lanes of the bundle. */
static unsigned bundle_slots(struct rewrite *rw, const struct bundle *b)
{
	unsigned slots = 0;
	rw->marks++;
	EACH_LANE(lane, b->mask)
		count_slots_to_keep(rw, b->def[lane], &slots);
	return slots;
}

bool bundle_keep_constants(struct rewrite *rw)
{
	const struct bundle *latest = NULL, *best = NULL;
	for (uint32_t at = 0; at < rw->bundles.n; at++) {
		const struct bundle *b = &rw->bundles.at[at];
		if (!latest || b->def[first_lane(b->mask)] > latest->def[first_lane(latest->mask)])
			latest = b;
		if (b->kind == KIND_ANY && (!best || bundle_slots(rw, b) < bundle_slots(rw, best)))
			best = b;
	}
	if (!best || bundle_slots(rw, best) >= bundle_slots(rw, latest))
		return false;
	EACH_LANE(lane, best->mask) {
		rw->kept[best->def[lane]] = true;
		rw->why[best->def[lane]] = MOVE_BUDGET_INTERP;
		rw->because[best->def[lane]] = UINT32_MAX;
	}
	return true;
}
