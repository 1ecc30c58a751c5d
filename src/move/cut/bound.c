/* What bounds the search: why a branch of it ends, and why there are no more.  The functions are here; most limits, and what
 * they count, stand in search.h (struct effort).
 *
 * 1. Time.  bound() is a time that no plan below a node goes under; a branch ends where that is above the best plan's time, or
 *    equals it once enough plans of that time were seen.  It adds up, and counts no instruction twice:
 *      fixed       what stays whatever is planned: pixel lanes that an output needs (facts.c);
 *      work        what the choices so far keep, or put in;
 *      mixeds      operands to come that read movable and pixel lanes of one register: each needs an instruction that is no
 *                  other's of them (facts.c chooses them so).  One that may also serve a coordinate is `shared`;
 *      coordinates of reads to come.  Each is read straight from the .xy of an interpolator, of which there are only so many,
 *                  or one instruction makes it: of n coordinates and r registers left, n - r instructions at least.  They
 *                  may be the same as the shared ones, so that the larger of both counts, not their sum;
 *      and what the target charges for dependent reads, interpolated scalars and the VP, each at its least; of a group the
 *                  least time of its other FPs.
 *    All other operands to come are taken to be supplied for nothing.  So it is below the time of every plan, and it never
 *    falls as choices are made.
 * 2. Interpolators.  Choices only add to what is asked of them, so what does not fit once (pack.c) fits in no plan below; nor
 *    does what the VP was seen not to deliver (undeliverable).
 * 3. What was there before.  In the wide search the same choices made in another order are not made again (visited), nor are
 *    the same requests packed again that did not fit (unpacked).
 * 4. What cannot be better.  An operand that a constant register, an interpolator that is asked for the same anyway, or a new
 *    instruction that is there serves for nothing is not supplied in dearer ways, unless an operand behind it in its
 *    instruction wants that port (search.c).
 * 5. Effort: nodes (--effort; else 2000, by options.c) and those since a better plan was found (search_extend_part), steps of packing,
 *    complete plans, and of a group the allowance, of which
 *    each way to write its FPs may spend what optimise.c says (WAYS_AHEAD), and all of them what job.c gives (GROUP_STEPS).
 *    search.h lists these numbers, but for the breadths of plan.c, and EASY in pack.c, from which step on a packing looks for
 *    crowds by views.  plan.c gives each of its searches a part: first operands are supplied in the simple ways, then in all ways
 *    (`wide`): with the lanes of new instructions in every arrangement, then in the first one, and, where few lanes can move,
 *    in every one again.  At -O3 each way to write the FP but the first has the SHARE_OF_MANYth part (optimise.c); for
 *    another target than slots there are TARGET_LEAVES complete plans.  Where a limit ends a branch of a search for less time,
 *    gave_up is set, and the report does not call the plan optimal: `gap` is then what is between the plan's time and bound()
 *    before the first choice.
 *    For a target that charges for interpolated scalars a branch also ends, and sets gave_up, where a part of what the operands to
 *    come are guessed to take (guess.c) would make the plan no better than the best.
 * 6. What there is to search, which has limits of its own that do not set gave_up: of each root MOST_ALTERNATIVES
 *    (graph/values.h), of which those of lrp and regrouping take MOST_TERMS, MOST_DEPTH and MOST_WORK of sums and products apart
 *    (rules/forms.h); MOST_PASSES of regrouping all of an FP (rules/rules.c); EVALUATE_TEMPS registers in which values are followed
 *    (graph/values.h); MOST_WAYS of writing the FP, the first searched without alternatives and with them (variants.h);
 *    RELATIONS of a value to others (make.c); 512 requests to pack (plan/pack.c) and 64 new instructions
 *    (emit/pixel_program.c), beyond which a plan is none; and the ways to write a VP that are tried (cover/vertex_delivery.c).
 * 7. How often there is a search: by each aim, of each way to write the FP (optimise.c), again of what came of it, up to MOST_TIMES
 *    (repeat.c, which says what part of the effort that is), and before all that for fewest slots (pipeline.c).
 *
 * In: facts; operands decided down to instruction i.  Out: may a better plan come of it?  Nothing is changed but effort. */
#include "move/cut/search.h"

#include <string.h>

/* ---- time ------------------------------------------------------------------------------------ */

/* Different values that the FP at hand asks interpolators for; a value and its negation are one. */
static unsigned varyings(const struct search *s)
{
	uint32_t const n = s->state.requests.n;
	return n > s->state.own_from ? s->state.requests.at[n - 1].scalars : 0;
}

/* Does a temporary bring the coordinate that is there in any case? */
static bool coord_is_there(const struct search *s, const struct coord *c)
{
	bool there = c->def >= 0 && search_stays(s, c->def);
	for (uint32_t t = 0; t < s->state.plan->makings.n && !there; t++) {
		const struct making *m = &s->state.plan->makings.at[t];
		if (m->reg < 0)
			there = (m->pattern.positions & MASK_XY) == MASK_XY && m->pattern.value[LANE_X] == c->x &&
			        m->pattern.value[LANE_Y] == c->y;
		for (unsigned l = 0; m->reg >= 0 && l < LANES; l++) /* beside pixel lanes: perhaps the other is there, too */
			there |= m->pattern.positions >> l & 1 && (m->pattern.value[l] == c->x || m->pattern.value[l] == c->y);
	}
	return there;
}

/* Do instructions that stay or are new anyway bring all the movable lanes? */
static bool mixed_is_there(const struct search *s, const struct mixed *m)
{
	const struct src *src = &s->fp->ps->instrs.at[m->instr].src[m->operand];
	EACH_LANE(p, m->pattern.positions) {
		int def = s->values->use[m->instr][m->operand].def[p];
		if (!search_stays(s, def) &&
		    !search_written_beside(s, m->instr, src->index, swizzle_lane(src->swizzle, p), def))
			return false;
	}
	return true;
}

/* The pixel's share of the VP with so many interpolators, each of which takes a slot. */
static uint64_t vertex_share(const struct search *s, unsigned interpolators)
{
	const struct target *t = &s->facts.options->target;
	unsigned const pixels = s->facts.options->pixels_per_vertex ? s->facts.options->pixels_per_vertex : 1;
	uint64_t charge = (uint64_t)t->interpolator * interpolators;
	if (s->facts.least_vertex)
		charge += (uint64_t)t->vertex * (s->facts.least_vertex + interpolators);
	return charge * TARGET_UNIT / pixels;
}

/* Coordinates of reads to come. */
struct coming {
	unsigned coords; /* that nothing brings yet, which is there or new in any case */
	unsigned ride;   /* of these so many at most come straight from interpolators */
};

/* `more`: new instructions, not among those of the plan, each of which may make one of them. */
static struct coming coords_to_come(const struct search *s, int i, unsigned more)
{
	unsigned coords = 0, can_ride = 0, spare = s->effort.wide ? more : 0;
	for (uint32_t c = 0; c < s->fp->coords.n; c++) {
		bool const comes = s->fp->coords.at[c].last <= i && !coord_is_there(s, &s->fp->coords.at[c]);
		coords += comes;
		can_ride += comes && s->fp->coords.at[c].rides;
	}
	for (uint32_t k = 0; s->effort.wide && k < s->state.plan->makings.n; k++) {
		const struct making *m = &s->state.plan->makings.at[k];
		spare += m->reg < 0 && (m->pattern.positions & MASK_XY) != MASK_XY; /* one more coordinate could widen it */
	}
	coords -= spare < coords ? spare : coords;
	unsigned ride = s->facts.options->budget.texcoords > s->state.coords_riding ? s->facts.options->budget.texcoords - s->state.coords_riding : 0;
	ride = ride < can_ride ? ride : can_ride;
	return (struct coming){coords, ride < coords ? ride : coords};
}

/* The work with what coordinates to come take, of which so many ride; `shared`: of mixed operands that may be the same. */
static struct work with_coords(const struct search *s, const struct work *work, const struct coming *coming, unsigned ride,
                               uint64_t shared)
{
	const struct target *t = &s->facts.options->target;
	uint64_t const made = (coming->coords - ride) * (uint64_t)(t->instr + t->lane) * TARGET_UNIT;
	struct work with = *work;
	with.arith += made > shared ? made : shared;
	return with;
}

/* For a target that charges for interpolated scalars: one more coordinate in an interpolator is two scalars more, or one of
 * those there are anyway; as many ride there as is best. */
static uint64_t least_with_scalars(const struct search *s, const struct work *work, const struct coming *coming, uint64_t shared)
{
	const struct target *t = &s->facts.options->target;
	unsigned least_scalars = varyings(s);
	least_scalars = least_scalars < s->fp->scalars ? s->fp->scalars : least_scalars;
	uint64_t least = UINT64_MAX;
	for (unsigned ride = 0; ride <= coming->ride; ride++) {
		unsigned const of_coords = 2 * (s->state.coords_riding + ride);
		unsigned const scalars = of_coords > least_scalars ? of_coords : least_scalars;
		struct work with = with_coords(s, work, coming, ride, shared);
		work_add(&with, target_varyings(t, scalars + s->fp->colours));
		uint64_t const time = target_time(t, &with) + vertex_share(s, (scalars + LANES - 1) / LANES);
		least = time < least ? time : least;
	}
	return least;
}

/* Time that no plan below this node can avoid, with so many new instructions more than the plan has.  `deep`: with a dependent read,
 * too, where the target charges for one and the pair may have none. */
static uint64_t bound_with(const struct search *s, int i, unsigned more, const struct coming *coming, bool deep)
{
	const struct target *t = &s->facts.options->target;
	struct work work = s->fp->fixed;
	work_add(&work, s->state.work);
	work.arith += more * (uint64_t)t->instr * TARGET_UNIT;
	uint64_t shared = 0;
	for (uint32_t k = 0; k < s->fp->mixeds.n; k++)
		if (s->fp->mixeds.at[k].instr <= i && !mixed_is_there(s, &s->fp->mixeds.at[k]))
			*(s->fp->mixeds.at[k].shares ? &shared : &work.arith) += s->fp->mixeds.at[k].arith;
	work.tex += deep ? (uint64_t)t->order * TARGET_UNIT : 0;
	if (t->varying)
		return s->state.others_time + least_with_scalars(s, &work, coming, shared);
	work = with_coords(s, &work, coming, coming->ride, shared);
	return s->state.others_time + target_time(t, &work) + (t->vertex ? vertex_share(s, s->state.coords_riding) : 0);
}

/* Is that read there in all plans below this node? */
static bool is_deep(const struct search *s, int i, const struct coming *coming)
{
	return s->facts.options->target.order && s->fp->least_order == 0 && (coming->coords > coming->ride || search_order_after(s, i));
}

uint64_t search_bound(const struct search *s, int i)
{
	struct coming const coming = coords_to_come(s, i, 0);
	return bound_with(s, i, 0, &coming, is_deep(s, i, &coming));
}

/* As search_bound, or lower where both are below the best plan's time or both above it: orders of reads take longer to find than all
 * the rest, and are asked for where they decide. */
static uint64_t bound(const struct search *s, int i, unsigned more)
{
	struct coming const coming = coords_to_come(s, i, more);
	uint64_t const least = bound_with(s, i, more, &coming, false), most = least + (uint64_t)s->facts.options->target.order * TARGET_UNIT;
	bool const decides = least <= s->best.limit && most >= s->best.limit;
	return decides && is_deep(s, i, &coming) ? bound_with(s, i, more, &coming, true) : least;
}

bool search_may_improve(const struct search *s, int i, unsigned more, bool equal)
{
	uint64_t least = bound(s, i - 1, more);
	bool const as_good = !s->best.plan || (equal && s->effort.equals_left);
	return least < s->best.limit || (least == s->best.limit && as_good);
}

/* ---- dependent reads and interpolators ------------------------------------------------------- */

/* The reads of a root are those of what is chosen; of an open one the fewest of all. */
static void take_reads_of_alternatives(const struct search *s, int root)
{
	const struct site *site = search_site(s, root);
	uint8_t (*reads)[LANES] = s->fp->reads;
	int const chosen = search_chosen(s, root);
	if (chosen != root)
		memcpy(reads[root], reads[chosen], sizeof reads[root]);
	for (unsigned a = 1; search_is_open(s, root) && a < site->n; a++)
		for (unsigned l = 0; l < LANES; l++) {
			uint8_t const other = reads[site->at[a]][l];
			if (other < reads[root][l])
				reads[root][l] = other;
		}
}

unsigned search_order_after(const struct search *s, int from)
{
	static const uint8_t none[LANES];
	unsigned deepest = 0; /* of what stays */
	bool reads = false;   /* is a dependent one behind anything so far? */
	memset(s->fp->reads, 0, s->fp->ps->instrs.n * sizeof *s->fp->reads);
	for (int i = 0; i < (int)s->fp->ps->instrs.n; i++) {
		const struct instr *instr = &s->fp->ps->instrs.at[i];
		bool const read = ops[instr->op].flags & OPF_TEX;
		bool const stays = search_stays_anyway(s, i);
		bool const made = read && (i > from ? s->state.plan->supply[i][0] == SUPPLY_TEMP ||
		                                          (s->state.plan->supply[i][0] == SUPPLY_KEEP && instr->src[0].file == REG_TEMP)
		                                    : s->fp->grounded[i]);
		if ((!stays && !s->fp->sites) || !instr_writes(instr) || (read && !made && instr->src[0].file != REG_TEMP))
			continue;
		lanes behind[MAX_SOURCES] = {0}; /* positions of each operand with pixel lanes behind reads */
		bool pixel = false, any = false;
		for (unsigned k = 0; (read || reads) && k < (read ? 1 : ops[instr->op].sources); k++) {
			const struct use *u = &s->values->use[i][k];
			EACH_LANE(p, u->read) {
				if (u->def[p] < 0 || value_may_move(s->values, u->value[p]))
					continue;
				pixel = true;
				behind[k] |= (lanes)((memcmp(s->fp->reads[u->def[p]], none, sizeof none) != 0) << p);
			}
			any |= behind[k];
		}
		for (unsigned lane = 0; (any || (read && (pixel || made))) && lane < LANES; lane++) {
			if (!(s->fp->pixel[i] >> lane & 1) && !s->fp->sites)
				continue;
			unsigned most = 0;
			for (unsigned k = 0; any && k < (read ? 1 : ops[instr->op].sources); k++) {
				const struct use *u = &s->values->use[i][k];
				lanes deep = behind[k] & instr_operand_lanes(s->fp->ps, instr, k, (lanes)(1u << lane));
				for (unsigned p = 0; p < LANES; p++) {
					unsigned before = deep >> p & 1 ? s->fp->reads[u->def[p]][swizzle_lane(instr->src[k].swizzle, p)] : 0;
					most = before > most ? before : most;
				}
			}
			s->fp->reads[i][lane] = (uint8_t)(most + (read && most < UINT8_MAX));
			reads |= s->fp->reads[i][lane] > 0;
		}
		if (search_is_root(s, i))
			take_reads_of_alternatives(s, i);
		for (unsigned lane = 0; stays && lane < LANES; lane++)
			deepest = s->fp->reads[i][lane] > deepest ? s->fp->reads[i][lane] : deepest;
	}
	return deepest;
}

enum { INPUTS = INTERPOLATORS * LANES };

/* Independent values of one kind. */
struct rank {
	uint8_t kind;
	unsigned n;
	bool have[INPUTS]; /* row whose first term is that */
	uint32_t row[INPUTS][INPUTS];
};

/* The value's terms are eliminated by their coefficients' fingerprints, in the first of the two fields. */
static void add_to_rank(const struct search *s, const struct value *x, struct rank *rank)
{
	uint32_t now[INPUTS] = {0};
	for (uint32_t t = 0; t < x->nterms; t++)
		now[x->terms[t].input] = value_at(s->values, x->terms[t].coef)->print.a;
	for (unsigned c = x->terms[0].input; c < INPUTS; c++) {
		if (!now[c])
			continue;
		uint32_t const first = now[c];
		if (!rank->have[c]) {
			uint32_t const inverse = fingerprint_quotient(1, first);
			rank->have[c] = true;
			rank->n++;
			for (unsigned n = c; n < INPUTS; n++)
				rank->row[c][n] = fingerprint_product(now[n], inverse);
			return;
		}
		for (unsigned n = c; n < INPUTS; n++)
			now[n] = fingerprint_minus(now[n], first, rank->row[c][n]);
	}
}

unsigned search_least_registers(const struct search *s, unsigned *scalars)
{
	struct rank ranks[INTERPOLATORS];
	unsigned n = 0, registers = 0;
	for (int i = 0; i < (int)s->fp->ps->instrs.n; i++) {
		const struct instr *instr = &s->fp->ps->instrs.at[i];
		lanes mask = least_mask(s->fp->ps, instr, s->fp->pixel[i]);
		for (unsigned k = 0; search_reads_anyway(s, i) && k < ops[instr->op].sources; k++) {
			lanes read = instr_operand_lanes(s->fp->ps, instr, k, mask);
			EACH_LANE(p, read) {
				value_id id = s->values->use[i][k].value[p];
				if (id == NO_VALUE || value_at(s->values, id)->class != VALUE_AFFINE)
					continue;
				unsigned r = 0;
				while (r < n && ranks[r].kind != value_at(s->values, id)->kind)
					r++;
				if (r == n) {
					memset(&ranks[n], 0, sizeof ranks[n]);
					ranks[n++].kind = value_at(s->values, id)->kind;
				}
				add_to_rank(s, value_at(s->values, id), &ranks[r]);
			}
		}
	}
	*scalars = 0;
	for (unsigned r = 0; r < n; r++) {
		*scalars += ranks[r].n;
		registers += (ranks[r].n + LANES - 1) / LANES;
	}
	return registers;
}

/* ---- effort ---------------------------------------------------------------------------------- */

bool search_spend(struct search *s, uint64_t steps)
{
	enum { TELL = 1 << 16 }; /* steps from one time that who waits is told to the next */
	struct allowance *a = s->effort.allowance;
	if (!a)
		return true;
	uint64_t const before = a->left;
	a->left -= steps < before ? steps : before;
	if (a->tell && a->left / TELL != before / TELL && !a->tell(a->who, a)) {
		a->stopped = true;
		a->left = 0;
	}
	return a->left > s->effort.spare;
}

void search_extend_part(struct search *s)
{
	struct effort *e = &s->effort;
	/* The first plan for fewest slots is waited for; that plan bounds the search for less time. */
	uint64_t const patience = s->best.plan || !s->facts.slots_only ? e->patience : UINT32_MAX;
	uint64_t const all = (uint64_t)e->steps + e->reserve, part = patience * STEPS_PER_NODE;
	e->steps = (uint32_t)(all < part ? all : part);
	e->reserve = (uint32_t)(all - e->steps);
	uint64_t const until = e->nodes + patience;
	e->until = until < e->most_nodes ? (uint32_t)until : e->most_nodes;
}

void search_end_part(struct search *s)
{
	s->effort.steps += s->effort.reserve;
	s->effort.reserve = 0;
}

bool search_charge_try(struct search *s)
{
	if (s->effort.wide)
		s->effort.steps -= s->effort.steps < PRICE ? s->effort.steps : PRICE;
	s->effort.gave_up |= s->effort.steps == 0;
	return s->effort.steps > 0;
}

/* Returns true if no plan below this node is likely to be better, by a guess of what the operands to come take (guess.c). */
static bool is_unlikely(const struct search *s, int i)
{
	const struct target *t = &s->facts.options->target;
	if (!s->fp->guesses.lane || t->overlap > 1) /* where work goes on beside other work, a guess of the sum tells little */
		return false;
	struct work work = s->fp->fixed;
	work_add(&work, s->state.work);
	work_add(&work, target_varyings(t, varyings(s) + s->fp->colours));
	return s->state.others_time + target_time(t, &work) + search_guess_to_come(s, i) > s->best.limit;
}

bool search_is_hopeless(struct search *s, int i)
{
	if (++s->effort.nodes > s->effort.until || s->effort.steps == 0 || s->effort.leaves > s->effort.most_leaves ||
	    !search_spend(s, NODE_STEPS)) {
		s->effort.gave_up = true;
		return true;
	}
	if (s->state.undeliverable)
		return true; /* search_undo() ends that */
	if (is_unlikely(s, i)) {
		s->effort.gave_up = true;
		return true;
	}
	uint64_t least = bound(s, i, 0);
	return least > s->best.limit || (s->best.plan && least == s->best.plan->score.time && s->effort.equals_left == 0);
}
