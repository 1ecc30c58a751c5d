/* The algebraic proof: both pairs run in two prime fields side by side, on random
 * inputs, and every output lane must be the same in both.
 *
 * add, mul, rcp ... are those of the fields, so that any two ways of writing the same
 * rational function agree.  All other functions are hashes of their arguments'
 * values: if both pairs agree, they are equal whatever those functions are.
 * Selectors (max, cmp, sge ...) are hashes, too, in a normal form, see selectors.c:
 *
 *   cmp(x, a, b) = b + (x >= 0) (a - b)     sge(a, b) = (a - b >= 0)     slt(a, b) = 1 - sge(a, b)
 *   |x| = max(x, -x)     sat x = min(max(x, 0), 1)
 *
 * If conditions choose one of a few numbers, a comparison of that number is replaced by one of these conditions, see choice.h.  A
 * texkill only tests the sign of its operand, see kills.h.  A sum that float arithmetic rounds on purpose, x + 12582912 - 12582912,
 * is a hash of x, see lang/rounding.h.
 *
 * A field has no signs.  So a value computed from literals alone is also kept as an exact rational number, which tells what a
 * selector does with it.  Functions count as equal if they are equal wherever all values are numbers: x / x is 1, and so is x^0,
 * whatever happens at x = 0.
 *
 * Two different rational functions of degree d agree at a random point with a
 * chance of at most d / p in each field.  An attacker who knows the primes may choose
 * literals whose sum is a multiple of both, and multiply a value by each.  For pairs from
 * an unknown source there are more trials, on small numbers that are all known exactly, in
 * which two different numbers with the same element are noticed (chosen_literals). */
#include "lang/rounding.h"
#include "verify/checks.h"
#include "verify/elements.h"
#include "verify/kills.h"

#include <string.h>

/* The start of all keys, an arbitrary large number: with a small one, hashes of small numbers would be 0. */
static const uint64_t first_key = UINT64_C(0x6c62272e07bb0142);

/* The number of trials on small numbers, for pairs whose literals may be chosen by an attacker.  A single trial may miss a value that max or
 * cmp does not select there. */
enum { WARY_TRIALS = 8 };

/* --- a pair ----------------------------------------------------------------------- */

static void run_pair(struct side *side)
{
	struct field_run *vs = &side->vs, *ps = &side->ps;
	felt (*weight)[VERTICES][FIELDS] = side->weight;
	for (unsigned kind = 0; kind < WEIGHTS; kind++) {
		for (unsigned f = 0; f < FIELDS; f++) {
			felt a = field_hash(f, keyed(ps->key, TAG_WEIGHT, 2 * kind)), b = field_hash(f, keyed(ps->key, TAG_WEIGHT, 2 * kind + 1));
			if (ps->small) /* puts the pixel at vertex 0, so that numbers known at that vertex are known in the pixel, too */
				a = field_one(f), b = 0;
			weight[kind][0][f] = a;
			weight[kind][1][f] = b;
			weight[kind][2][f] = field_sub(f, field_sub(f, field_one(f), a), b);
		}
	}
	field_run(vs);
	for (unsigned c = 0; c < MACHINE_CARRIERS; c++) {
		ps->carried[c] = vs->out_written[MACHINE_CARRIER + c] & ps->declared[c];
		ps->carried_number[c] = vs->out_number[MACHINE_CARRIER + c];
		for (unsigned l = 0; l < LANES; l++)
			if (ps->carried[c] >> l & 1)
				element_interpolate(vs, c < MACHINE_COLOURS && !model_links(vs->program->model), vs->out[MACHINE_CARRIER + c][l],
				            (const felt(*)[FIELDS])weight[side_weight(side, c)], ps->carrier[c][l]);
	}
	field_run(ps);
}

/* Returns for each result lane the step to which float arithmetic rounds it, as in x + 12582912 - 12582912, or 0; NULL if no lane is
 * rounded so.  The walk must be at the start of the program, and is at its end afterwards. */
static const float (*find_rounding(struct arena *arena, struct rounding_walk *walk))[LANES]
{
	float (*step)[LANES] = NULL;
	while (rounding_next(walk)) {
		if (!step)
			step = arena_zero(arena, walk->p->instrs.n * sizeof *step);
		for (unsigned l = 0; l < LANES; l++)
			step[walk->what.at][l] = (float)walk->step[l];
	}
	return (const float (*)[LANES])step;
}

/* --- constants that are computed before the programs run --------------------------- */

/* Sets each folded or preset constant lane of both programs of a side to the value of its expression.  If the run is of the new pair, its expressions
 * are evaluated with the facts that the old pair's run noted.  Returns a message if a constant is wrong, else NULL. */
static const char *bind_folds(struct arena *arena, struct pair pair, struct side *side, const struct folded *folds,
                              uint32_t nfolds, struct field_run *scratch)
{
	struct rational exact;
	scratch->program = NULL;
	for (uint32_t k = 0; k < nfolds; k++) {
		const struct folded *f = &folds[k];
		struct field_run *m = f->stage == STAGE_VERTEX ? &side->vs : &side->ps;
		if (scratch->program != f->expr) {
			field_run_load(arena, scratch, f->expr);
			scratch->follows = m->follows;
			field_run_trial(scratch, m->key);
			field_run(scratch);
		}
		if (!(scratch->temp_written[f->temp] >> f->temp_lane & 1))
			return arena_printf(arena, "c%d was computed from a register that nothing writes", f->index);
		felt *constant = m->constant[f->index][f->lane];
		const felt *value = scratch->temp[f->temp][f->temp_lane];
		bool bound = m->known_lanes[f->index] >> f->lane & 1;
		if (bound && memcmp(constant, value, FIELDS * sizeof *value) != 0)
			return arena_printf(arena, "two different values were folded into one lane of c%d", f->index);
		const char *wrong = f->preset || m->small ? NULL
		                              : check_folded(arena, pair, f, known_exact(scratch->known, 0, value[0], &exact) ? &exact : NULL);
		if (wrong)
			return wrong;
		memcpy(constant, value, FIELDS * sizeof *value);
		m->known_lanes[f->index] |= (uint8_t)(1u << f->lane);
	}
	return NULL;
}

/* Runs the old pair for a trial.  Repeats the run if an element turned out to be a square or a number only after it had been used, so that
 * this is known from the first instruction on.  Returns a message if a folded or preset constant is wrong, else NULL. */
static const char *run_old(struct arena *arena, struct pair old, struct side *side, uint64_t key, const struct folded *folds,
                           uint32_t nfolds, struct field_run *scratch)
{
	const char *wrong;
	do {
		field_run_trial(&side->vs, key);
		field_run_trial(&side->ps, key);
		wrong = scratch ? bind_folds(arena, old, side, folds, nfolds, scratch) : NULL;
		if (!wrong)
			run_pair(side);
	} while (!wrong && known_was_late(side->ps.known));
	return wrong;
}

/* --- comparison ------------------------------------------------------------------- */

static struct proof refuted(struct proof p, enum stage stage, uint32_t old_instr, uint32_t new_instr,
                            const char *why)
{
	p.equal = false;
	p.stage = stage;
	p.old_instr = old_instr;
	p.new_instr = new_instr;
	p.why = why;
	return p;
}

/* Compares one output register between the old and the new program of a stage, lane by lane.  Returns false if a lane differs. */
static bool same_output_register(struct arena *arena, struct proof *p, const struct field_run *old,
                        const struct field_run *new, enum reg_file file, int index)
{
	enum machine_output out = machine_output(file, index);
	if (!(old->out_written[out] | new->out_written[out]))
		return true;
	for (unsigned l = 0; l < LANES; l++) {
		bool in_old = old->out_written[out] >> l & 1, in_new = new->out_written[out] >> l & 1;
		if (in_old == in_new && (!in_old || memcmp(old->out[out][l], new->out[out][l], old->columns * sizeof(felt)) == 0))
			continue;
		const char *why = arena_printf(arena, in_old == in_new ? "%s has another value in the new pair"
		                               : in_old ? "%s is not written in the new pair"
		                                        : "%s is written in the new pair only",
		                               machine_lane_text(arena, file, index, l));
		*p = refuted(*p, old->stage, in_old ? old->writer[out][l] : UINT32_MAX,
		             in_new ? new->writer[out][l] : UINT32_MAX, why);
		return false;
	}
	return true;
}

static bool same_kills(struct arena *arena, struct proof *p, const struct field_run *old, const struct field_run *new)
{
	uint32_t k = kill_unmatched(old, new);
	if (k == old->kills) {
		k = kill_unmatched(new, old);
		if (k == new->kills)
			return true;
	}
	bool in_old = k < old->kills, in_new = k < new->kills;
	const char *why = arena_printf(arena, in_old && in_new ? "texkill number %u tests another value in the new pair"
	                               : in_old ? "texkill number %u is not in the new pair"
	                                        : "texkill number %u is in the new pair only",
	                               (unsigned)k + 1);
	*p = refuted(*p, STAGE_PIXEL, in_old ? old->killer[k] : UINT32_MAX, in_new ? new->killer[k] : UINT32_MAX, why);
	return false;
}

static bool same_pair_outputs(struct arena *arena, struct proof *p, const struct side *old, const struct side *new)
{
	static const enum reg_file shape[] = {REG_POS_OUT, REG_FOG_OUT, REG_SIZE_OUT};
	for (unsigned s = 0; s < 3; s++)
		if (!same_output_register(arena, p, &old->vs, &new->vs, shape[s], 0))
			return false;
	if (!same_kills(arena, p, &old->ps, &new->ps))
		return false;
	/* Compares what blocks of the pixel programs read, since a block may kill the pixel by what it reads. */
	if (memcmp(old->ps.regions, new->ps.regions, old->ps.columns * sizeof *old->ps.regions) != 0) {
		*p = refuted(*p, STAGE_PIXEL, UINT32_MAX, UINT32_MAX, "a block reads another value in the new pair");
		return false;
	}
	for (int t = 0; t < INTERP_TARGETS; t++)
		if (!same_output_register(arena, p, &old->ps, &new->ps, REG_PIXEL_OUT, t))
			return false;
	return same_output_register(arena, p, &old->ps, &new->ps, REG_DEPTH_OUT, 0);
}

/* Decides whether the proof treats _pp inputs as other values than inputs without _pp: in model 3 it does, unless the new pair has no _pp
 * input, since usages that share a register may ask for different precision.  Before model 3, _pp is a hint.  Returns a message if only the
 * new pair has a _pp input in model 3, else NULL. */
static const char *compare_precision(struct side sides[2])
{
	unsigned *old = &sides[0].ps.partial, *new = &sides[1].ps.partial;
	bool const links = model_links(sides[1].ps.program->model);
	if (links && *new && !*old)
		return "an input of the new pair is _pp, and none of the old pair is";
	if (!links || !*new)
		*old = *new = 0;
	return NULL;
}

/* Finds which 2D reads of the old pair compare .z with a depth texture, and prepares the new pair's run to match its own reads with them. */
static void set_up_planes(struct arena *arena, struct side sides[2], struct pair old, unsigned plain)
{
	struct field_run *from = &sides[0].ps, *to = &sides[1].ps;
	from->plane = plane_reads(arena, old, plain);
	from->places = arena_zero(arena, (old.ps->instrs.n + 1) * sizeof *from->places);
	to->plane = arena_zero(arena, to->program->instrs.n + 1);
	to->like = from;
}

/* A value that is equal in both pairs, but has lost precision in the new one, and the instructions that compute it. */
struct lost {
	const char *why; /* NULL if there is none */
	uint32_t was, now;
};

/* Runs the new pair and compares it with the old one.  Returns true if all outputs are equal, else false with the reason in *p.  If a 2D read of
 * the new pair matches both kinds of reads in the old pair (those that compare .z and those that do not), tries both, and returns true if one of
 * them makes the outputs equal.  With `lost`, prefers the kinds with which no value loses precision: of the equal values r4 * r5 and r5 * r4 only
 * one may be _pp. */
static bool same_somehow(struct arena *arena, struct proof *p, struct side sides[2], struct lost *lost)
{
	struct field_run *new = &sides[1].ps;
	struct proof first = *p;
	bool same = false;
	for (new->choice = 0;; new->choice++) {
		struct proof now = *p;
		run_pair(&sides[1]);
		if (same_pair_outputs(arena, &now, &sides[0], &sides[1])) {
			if (lost)
				lost->why = precision_lost(arena, &sides[0], &sides[1], &lost->was, &lost->now);
			if (!lost || !lost->why)
				return true;
			same = true;
		}
		first = new->choice ? first : now;
		if (new->undecided > MOST_UNDECIDED || (new->choice + 1) >> new->undecided)
			break;
	}
	*p = same ? *p : first;
	return same;
}

/* Returns a hash of those VP constants that c[a0.x + n] may reach and that the pair fixes: literals, copies of FP constants and presets. */
static uint64_t find_reachable(const struct field_run *vs, const struct proof_context *c, const struct folded *folds,
                               uint32_t nfolds)
{
	uint64_t state = 1;
	for (int index = 0; index < MACHINE_CONSTS; index++) {
		if (index >= c->unreached_from && index < c->unreached_to)
			continue;
		if (vs->def[index] >= 0)
			for (unsigned l = 0; l < LANES; l++)
				state = field_mix(state + (uint64_t)index, field_float(0, vs->program->decls.at[vs->def[index]].value[l]));
		else if (vs->set_from[index] >= 0)
			state = field_mix(state + (uint64_t)index, (uint64_t)vs->set_from[index] << 32);
	}
	for (uint32_t k = 0; k < nfolds; k++)
		if (folds[k].preset && folds[k].stage == STAGE_VERTEX &&
		    !(folds[k].index >= c->unreached_from && folds[k].index < c->unreached_to))
			state = field_mix(state, (uint64_t)folds[k].index << 33);
	return state;
}

/* Returns p, or its refutation if the new VP does not compute oPos and a0 by the old VP's float operations: positions must match to the last bit
 * in another pass with the old VP.  With c->free_position, always returns p. */
static struct proof same_position(struct arena *arena, struct proof p, struct pair old, struct pair new,
                                  const struct proof_context *c)
{
	struct position_change at;
	if (c->free_position || position_as_written(arena, old.vs, new.vs, c, &at))
		return p;
	const char *why = arena_printf(arena, "%s is not computed by the operations that the old pair has, so that it may "
	                                      "differ in the last bit", machine_lane_text(arena, at.file, 0, at.lane));
	return refuted(p, STAGE_VERTEX, at.old_instr, at.new_instr, why);
}

static bool map_is_in_range(const struct const_map *consts, uint32_t n)
{
	bool good = true;
	for (uint32_t k = 0; k < n; k++)
		good &= consts[k].vs >= 0 && consts[k].vs < MACHINE_CONSTS && consts[k].ps >= 0 && consts[k].ps < MACHINE_CONSTS;
	return good;
}

struct proof prove_by(struct arena *arena, struct pair old, struct pair new, const struct proof_context *c, struct side sides[2],
                      bool trace)
{
	static const struct needs nothing = {.consts = {.n = 0}};
	const struct needs *given = c->given ? c->given : &nothing;
	struct proof p = {.equal = true, .old_instr = UINT32_MAX, .new_instr = UINT32_MAX};
	const char *wrong = field_malformed(arena, old.vs, STAGE_VERTEX);
	wrong = wrong ? wrong : field_malformed(arena, old.ps, STAGE_PIXEL);
	wrong = wrong ? wrong : field_malformed(arena, new.vs, STAGE_VERTEX);
	wrong = wrong ? wrong : field_malformed(arena, new.ps, STAGE_PIXEL);
	wrong = wrong ? wrong : linked_wrong(arena, old);
	wrong = wrong ? wrong : linked_wrong(arena, new);
	wrong = wrong ? wrong : check_folds(arena, old, new, c);
	if (!wrong && !(map_is_in_range(c->consts, c->nconsts) && map_is_in_range(given->consts.at, given->consts.n)))
		wrong = "the constants map names a register that does not exist";
	if (wrong)
		return refuted(p, STAGE_PIXEL, UINT32_MAX, UINT32_MAX, wrong);

	struct field_run *scratch = c->nfolds || given->folds.n ? arena_alloc(arena, sizeof *scratch) : NULL;
	/* The unwritten lanes that are read by the old pair, by the new pair, and by expressions of constants, and an empty set. */
	struct unwritten *reads = arena_zero(arena, 4 * sizeof *reads);
	struct stray *stray = arena_zero(arena, sizeof *stray);
	struct pair pairs[2] = {old, new};
	struct known *known = arena_alloc(arena, sizeof *known);
	struct rounding_walk walks[2];
	bool const partial = precision_is_partial(new.ps);
	for (unsigned s = 0; s < 2; s++) {
		field_run_load(arena, &sides[s].vs, pairs[s].vs);
		field_run_load(arena, &sides[s].ps, pairs[s].ps);
		rounding_start(&walks[0], pairs[s].vs, NULL);
		sides[s].vs.rounding = find_rounding(arena, &walks[0]);
		rounding_start(&walks[1], pairs[s].ps, &walks[0]);
		sides[s].ps.rounding = find_rounding(arena, &walks[1]);
		struct field_run *both[2] = {&sides[s].vs, &sides[s].ps};
		for (unsigned stage = 0; stage < 2; stage++) {
			both[stage]->unwritten = &reads[s];
			both[stage]->allowed = s ? &reads[0] : NULL;
			both[stage]->stray = stray;
			both[stage]->known = known;
			both[stage]->follows = s == 1;
			bool const wanted = trace || (stage == STAGE_PIXEL && (partial || s == 0)); /* ties.c reads the old FP's results */
			uint32_t const traced = both[stage]->program->instrs.n + 1;
			both[stage]->trace = wanted ? arena_zero(arena, traced * sizeof *both[stage]->trace) : NULL;
		}
	}
	wrong = compare_precision(sides);
	if (wrong)
		return refuted(p, STAGE_PIXEL, UINT32_MAX, UINT32_MAX, wrong);
	set_up_planes(arena, sides, old, c->plain_textures);
	for (uint32_t k = 0; k < c->nconsts; k++)
		sides[1].vs.set_from[c->consts[k].vs] = (int16_t)c->consts[k].ps;
	for (uint32_t k = 0; k < given->consts.n; k++)
		sides[0].vs.set_from[given->consts.at[k].vs] = (int16_t)given->consts.at[k].ps;
	const struct folded *folds[2] = {given->folds.at, c->folds};
	uint32_t const nfolds[2] = {given->folds.n, c->nfolds};
	for (unsigned s = 0; s < 2; s++)
		sides[s].vs.reachable = find_reachable(&sides[s].vs, c, folds[s], nfolds[s]);

	unsigned const trials = c->trials ? c->trials : 1;
	for (unsigned trial = 0; trial < trials + (c->chosen_literals && !trace ? WARY_TRIALS : 0); trial++) {
		bool const small = trial >= trials;
		uint64_t key = field_mix(field_mix(first_key, c->seed), trial);
		known_clear(arena, known);
		for (unsigned s = 0; s < 2; s++)
			sides[s].vs.small = sides[s].ps.small = small;
		p.trials += !small;
		if (scratch) {
			scratch->small = small;
			scratch->unwritten = &reads[2], scratch->allowed = &reads[3], scratch->stray = stray, scratch->known = known;
		}
		struct proof found;
		struct lost lost;
		do {
			found = p;
			lost.why = NULL;
			wrong = run_old(arena, old, &sides[0], key, folds[0], nfolds[0], scratch);
			field_run_trial(&sides[1].vs, key);
			field_run_trial(&sides[1].ps, key);
			wrong = wrong || !scratch ? wrong : bind_folds(arena, new, &sides[1], folds[1], nfolds[1], scratch);
			if (wrong)
				return refuted(p, STAGE_PIXEL, UINT32_MAX, UINT32_MAX, wrong);
			if (small)
				run_pair(&sides[1]);
			/* If only the new pair's run shows that an element is a number, repeats both runs with that fact. */
		} while (!small && !same_somehow(arena, &found, sides, partial && trial == 0 ? &lost : NULL) && known_was_late(known));
		p = found;
		if (!p.equal)
			return p;
		p.doubts = lost.why != NULL;
		if (p.doubts)
			return refuted(p, STAGE_PIXEL, lost.was, lost.now, lost.why);
		uint32_t decider;
		bool const ask = !c->free_ties && trial == 0;
		wrong = ask ? ties_newcomer(arena, &sides[0], &sides[1], &decider) : NULL;
		wrong = wrong || !ask ? wrong : quotients_newcomer(arena, &sides[0], &sides[1], &decider);
		p.doubts = wrong != NULL;
		if (wrong)
			return refuted(p, STAGE_PIXEL, UINT32_MAX, decider, wrong);
		if (stray->found)
			return refuted(p, stray->stage, UINT32_MAX, stray->instr,
			               arena_printf(arena, "the new pair reads %s, which nothing wrote",
			                            machine_lane_text(arena, stray->file, stray->index, stray->lane)));
		if (known->clash)
			return refuted(p, STAGE_PIXEL, UINT32_MAX, UINT32_MAX, "two different numbers are equal modulo a prime of the proof");
	}
	return same_position(arena, p, old, new, c);
}

/* Returns true if the programs are the same, except that their models may differ if these have the same version token in bytecode. */
static bool same_statements(const struct program *old, const struct program *new)
{
	struct program named = *new;
	named.model = models[old->model].code == models[new->model].code ? old->model : new->model;
	return program_same(old, &named);
}

/* Compares pairs with flow control by their straight forms, in which each block is an unknown function of what it reads. */
static struct proof prove_by_blocks(struct arena *arena, struct pair old, struct pair new, const struct proof_context *c)
{
	struct proof p = {.equal = true, .old_instr = UINT32_MAX, .new_instr = UINT32_MAX};
	const char *wrong = linked_wrong(arena, old);
	wrong = wrong ? wrong : linked_wrong(arena, new);
	if (wrong)
		return refuted(p, STAGE_VERTEX, UINT32_MAX, UINT32_MAX, wrong);
	if (same_statements(old.vs, new.vs) && same_statements(old.ps, new.ps))
		return p;
	struct straightened *s = arena_zero(arena, sizeof *s);
	wrong = straighten_pairs(arena, old, new, s);
	if (wrong)
		return refuted(p, s->stage, UINT32_MAX, UINT32_MAX, wrong);
	struct side *sides = arena_alloc(arena, 2 * sizeof *sides);
	p = prove_by(arena, s->was, s->is, c, sides, false);
	p.old_instr = p.new_instr = UINT32_MAX; /* the proof's instructions belong to the straight forms, not to the programs */
	return p;
}

struct proof prove(struct arena *arena, struct pair old, struct pair new, const struct proof_context *c)
{
	if (pair_flows(old) || pair_flows(new))
		return prove_by_blocks(arena, old, new, c);
	if (!c->nconsts && !c->nfolds && !c->trials && program_same(old.vs, new.vs) && program_same(old.ps, new.ps) &&
	    !field_malformed(arena, old.vs, STAGE_VERTEX) && !field_malformed(arena, old.ps, STAGE_PIXEL) &&
	    !linked_wrong(arena, old) && !linked_wrong(arena, new))
		return (struct proof){.equal = true, .old_instr = UINT32_MAX, .new_instr = UINT32_MAX};
	struct side *sides = arena_alloc(arena, 2 * sizeof *sides);
	return prove_by(arena, old, new, c, sides, false);
}

