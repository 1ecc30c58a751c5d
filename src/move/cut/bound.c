/* Bounds the search: ends its branches, and limits their number.  The functions are here; most limits, and what they count,
 * are in search.h (struct effort).
 *
 * 1. Time.  bound() is a lower bound of the time of all plans below a node.  A branch ends if its bound is above the best plan's
 *    time, or equals it after enough plans of that time were seen.  The bound is a sum that counts no instruction twice:
 *      fixed       instructions that stay whatever is planned, as an output needs their pixel lanes (facts.c);
 *      work        instructions that the choices so far keep or add;
 *      mixeds      undecided operands that read movable and pixel lanes of one register: facts.c lists only those that each
 *                  need an instruction of their own.  An instruction that may also make a coordinate is `shared`;
 *      coordinates of undecided texture reads.  Each is read straight from the .xy of an interpolator, of which there are few,
 *                  or one instruction makes it: n coordinates and r free registers need n - r instructions at least.  These
 *                  may be the shared ones, so the larger of both counts, not their sum;
 *      the least that the target charges for dependent reads, interpolated scalars and the VP, and for a group the least
 *                  time of its other FPs.
 *    All other undecided operands are assumed to be supplied for nothing.  So the bound is at most the time of every plan
 *    below the node, and it never falls as choices are made.
 * 2. Interpolators.  Choices only add requests, so requests that do not fit once (pack.c) fit in no plan below the node.  The
 *    same holds for requests that the VP could not deliver (state.undeliverable).
 * 3. Caches.  The wide search does not repeat the same choices in another order (seen.visited), nor does it pack the same
 *    requests again that did not fit (seen.unpacked).
 * 4. Dominated choices.  If a constant register, an interpolator that carries the same request anyway, or an existing new
 *    instruction supplies an operand for nothing, no dearer way is tried, unless a later operand of the same instruction wants
 *    that port (search.c).
 * 5. Effort: nodes in all (--effort; default 2000, options.c) and since the last better plan (search_extend_part), steps of
 *    packing, complete plans, and for a group the allowance.  Each way to write the group's FPs may spend the part that
 *    optimise.c gives it (WAYS_AHEAD), and all ways together the GROUP_STEPS of job.c.  search.h lists these numbers, except
 *    the breadths of plan.c and EASY in pack.c, the step from which on a packing looks for cliques by views.  plan.c
 *    gives each of its searches a part of the effort: first operands are supplied in the simple ways, then in all ways (`wide`):
 *    with the lanes of new instructions in every arrangement, then in the first one, and, if few lanes can move, in every
 *    arrangement again.  At -O3 each way to write the FP but the first gets 1/SHARE_OF_MANY of the effort (optimise.c).
 *    Another target than slots gets TARGET_LEAVES complete plans.  A limit that ends a branch which might hold a faster plan
 *    sets gave_up, and the report does not call the plan optimal: its `gap` is the plan's time minus bound() before the first choice.
 *    For a target that charges for interpolated scalars a branch also ends, and sets gave_up, if a part of the guessed time of
 *    the undecided operands (guess.c) makes its plans no better than the best.
 * 6. The search space has limits of its own, which do not set gave_up: MOST_ALTERNATIVES of each root (graph/values.h), where
 *    lrp and regrouping take sums and products apart only up to MOST_TERMS, MOST_DEPTH and MOST_WORK (rules/forms.h);
 *    MOST_PASSES of regrouping a whole FP (rules/rules.c); EVALUATE_TEMPS registers in which values are followed
 *    (graph/values.h); MOST_WAYS of writing the FP, the first searched both without and with alternatives (variants.h);
 *    RELATIONS of a value to others (make.c); 512 requests to pack (plan/pack.c) and 64 new instructions
 *    (emit/pixel_program.c), beyond which a plan is rejected; and the ways to write a VP that are tried
 *    (cover/vertex_delivery.c).
 * 7. The number of searches: one for each aim and each way to write the FP (optimise.c), again for the result, up to MOST_TIMES
 *    (repeat.c, which gives that a part of the effort), and before all of these for fewest slots (src/plan.c).
 *
 * In: facts; operands decided down to instruction i.  Out: whether a better plan may follow.  Changes effort only. */
#include "move/cut/search.h"

#include <string.h>

/* ---- time ------------------------------------------------------------------------------------ */

/* Returns the number of different values that the current FP requests of interpolators; a value and its opposite count as one. */
static unsigned varyings(const struct search *s)
{
	uint32_t const n = s->state.requests.n;
	return n > s->state.own_from ? s->state.requests.at[n - 1].scalars : 0;
}

/* Returns true if, by the choices so far, an instruction that stays or is new brings the coordinate. */
static bool coord_is_there(const struct search *s, const struct coord *c)
{
	bool there = c->def >= 0 && search_stays(s, c->def);
	for (uint32_t t = 0; t < s->state.plan->makings.n && !there; t++) {
		const struct making *m = &s->state.plan->makings.at[t];
		if (m->reg < 0)
			there = (m->pattern.positions & MASK_XY) == MASK_XY && m->pattern.value[LANE_X] == c->x &&
			        m->pattern.value[LANE_Y] == c->y;
		for (unsigned l = 0; m->reg >= 0 && l < LANES; l++) /* in an old temporary one of x and y will do: the other may be in it, too */
			there |= m->pattern.positions >> l & 1 && (m->pattern.value[l] == c->x || m->pattern.value[l] == c->y);
	}
	return there;
}

/* Returns true if, by the choices so far, instructions that stay or are new bring all movable lanes of the operand. */
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

/* Returns one pixel's share of the least time of a VP that writes `interpolators` interpolators, each of which takes a slot. */
static uint64_t vertex_share(const struct search *s, unsigned interpolators)
{
	const struct target *t = &s->facts.options->target;
	unsigned const pixels = s->facts.options->pixels_per_vertex ? s->facts.options->pixels_per_vertex : 1;
	uint64_t charge = (uint64_t)t->interpolator * interpolators;
	if (s->facts.least_vertex)
		charge += (uint64_t)t->vertex * (s->facts.least_vertex + interpolators);
	return charge * TARGET_UNIT / pixels;
}

/* Counts of the coordinates of undecided texture reads. */
struct coming {
	unsigned coords; /* number of coordinates that, by the choices so far, no staying or new instruction brings */
	unsigned ride;   /* how many of `coords` can come straight from interpolators, at most */
};

/* Counts the coordinates of undecided texture reads up to instruction i.  In the wide search, leaves out one for each new instruction that may make
 * a coordinate, too: the `more` further ones, and those that have free lanes. */
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
		spare += m->reg < 0 && (m->pattern.positions & MASK_XY) != MASK_XY; /* this new instruction could also make a coordinate, in its free lanes */
	}
	coords -= spare < coords ? spare : coords;
	unsigned ride = s->facts.options->budget.texcoords > s->state.coords_riding ? s->facts.options->budget.texcoords - s->state.coords_riding : 0;
	ride = ride < can_ride ? ride : can_ride;
	return (struct coming){coords, ride < coords ? ride : coords};
}

/* Returns the work plus that of an instruction for each coordinate of an undecided texture read, except for `ride` of them, which interpolators
 * bring.  The same instructions may do the work `shared` for mixed operands, so that only the larger of both is added. */
static struct work with_coords(const struct search *s, const struct work *work, const struct coming *coming, unsigned ride,
                               uint64_t shared)
{
	const struct target *t = &s->facts.options->target;
	uint64_t const made = (coming->coords - ride) * (uint64_t)(t->instr + t->lane) * TARGET_UNIT;
	struct work with = *work;
	with.arith += made > shared ? made : shared;
	return with;
}

/* Returns the least time by a target that charges for interpolated scalars, over all numbers of coordinates that interpolators may bring.  Each
 * coordinate that an interpolator brings adds two scalars, unless as many are counted anyway. */
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

/* Returns a lower bound of the time of all plans that have the choices so far and `more` further new instructions.  With `deep`, a dependent
 * texture read is charged, too. */
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

/* Returns true if the target charges for dependent texture reads, the FP may do without one, and all plans with the choices so far have one. */
static bool is_deep(const struct search *s, int i, const struct coming *coming)
{
	return s->facts.options->target.order && s->fp->least_order == 0 && (coming->coords > coming->ride || search_order_after(s, i));
}

uint64_t search_bound(const struct search *s, int i)
{
	struct coming const coming = coords_to_come(s, i, 0);
	return bound_with(s, i, 0, &coming, is_deep(s, i, &coming));
}

/* Returns search_bound() for plans with `more` further new instructions, or a lower bound that compares with the best plan's time in the same
 * way.  Whether there is a dependent texture read takes longer to find than all the rest, so it is found only where the comparison depends on
 * it. */
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

/* Sets fp->reads of an instruction that has alternatives (a root) to those of the chosen one, or if none is chosen yet, to the least of all. */
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
	unsigned deepest = 0; /* length of the longest chain of dependent texture reads on which an instruction that stays depends */
	bool reads = false;   /* some lane so far depends on a dependent texture read */
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
		lanes behind[MAX_SOURCES] = {0}; /* [operand]: the positions whose pixel lanes depend on dependent texture reads */
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

/* Linearly independent values of one kind of interpolation, as rows of a matrix of their coefficients in echelon form. */
struct rank {
	uint8_t kind;
	unsigned n;        /* number of rows */
	bool have[INPUTS]; /* [input]: there is a row whose first coefficient other than 0 belongs to this input */
	uint32_t row[INPUTS][INPUTS];
};

/* Adds the value as a row unless it is a linear combination of the rows: Gaussian elimination with the fingerprints of its coefficients, in the
 * first of their two prime fields. */
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
	enum { TELL = 1 << 16 }; /* steps between two calls of `tell` */
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
	/* A search for fewest slots goes on until it has a first plan, since that plan bounds the later search for less time. */
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

/* Returns true if no plan with the choices so far is likely to be better than the best one, by the guessed time of the undecided operands
 * (guess.c). */
static bool is_unlikely(const struct search *s, int i)
{
	const struct target *t = &s->facts.options->target;
	if (!s->fp->guesses.lane || t->overlap > 1) /* where work overlaps, a guess of the sum tells little */
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
		return true; /* the VP cannot deliver the requests so far, until search_undo() takes some back */
	if (is_unlikely(s, i)) {
		s->effort.gave_up = true;
		return true;
	}
	uint64_t least = bound(s, i, 0);
	return least > s->best.limit || (s->best.plan && least == s->best.plan->score.time && s->effort.equals_left == 0);
}
