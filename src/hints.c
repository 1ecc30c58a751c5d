/* Plans pairs without their limits to find hints, see hints.h. */
#include "hints.h"

#include "lang/print.h"
#include "move/graph/free_constants.h"
#include "verify/outcome.h"

#include <limits.h>

enum {
	NEAR_SLOTS = 2,   /* a slot budget may matter if it is less than NEAR_SLOTS times the used slots */
	NEAR_CONSTS = 32, /* the number of a model's constants may matter if fewer than NEAR_CONSTS are free */
	MORE_EFFORT = 4,  /* a plan with more effort has MORE_EFFORT times the search effort of the options */
	QUICK_NODES = 2000, /* with `quick`, no further plan once all plans together took this many search nodes */
	GROUP_STEPS = 60000000 /* limit of the search steps of all plans of a group of runs: some seconds */
};

/* Bits of the kinds whose hints say how far the limit has to be lifted, such as to which constants. */
enum {
	COUNTED = 1 << HINT_INDEXED_CONSTS | 1 << HINT_VS_CONSTS | 1 << HINT_TEXCOORDS | 1 << HINT_VS_SLOTS | 1 << HINT_VS_TEMPS |
	          1 << HINT_PS_CONSTS | 1 << HINT_PLAIN_TEXTURES
};

/* The runs for which hints are looked for, and the state of the search. */
struct search {
	struct arena *arena;
	struct run *runs;
	uint32_t n;
	bool quick;        /* true to limit the effort, for one job of many, see find_hints() */
	bool same_vs;      /* true if all runs of the job share one VP, false if they share the FP */
	uint64_t spent;    /* search steps of all finished plans of a group; 0 for a single run */
	uint64_t now;      /* search steps of the current plan of a group; 0 for a single run */
	double cost;       /* the cost of all runs as they are, see cost_of() */
	unsigned slots;    /* the FP slots of all runs as they are */
	uint64_t nodes;    /* search nodes of all plans so far */
	bool stopped;      /* true if no further plan may be made */
};

/* The result of planning the runs again with some limits lifted. */
struct trial {
	bool done, better;
	double cost;
	unsigned ps_slots, vs_slots;          /* sums over all runs */
	unsigned most_vs_slots;               /* slots of the longest VP */
	unsigned temps, texcoords;            /* the largest number of a VP's temporary, and of an FP's interpolator, plus one */
	struct range vs_consts, ps_consts;    /* the ranges of constants that the new programs need */
	unsigned samplers;                    /* bit n: in an old run, .z had to keep its value for s#n (`depths`), and in the new run not */
	lanes **gone;                         /* for each run and each instruction of the given FP, the lanes that the trial's FP does not compute */
};

/* Returns the run's cost under its target; at -O1, which has no targets, its FP slots. */
static double cost_of(const struct run *r)
{
	return r->options->move.level >= 2 ? run_costs(r).after : r->ps_after.slots;
}

/* ---- finding the limits that may matter --------------------------------------------------- */

/* Returns true if the program reads a register by a relative address, such as c[a0.x + n]. */
static bool reads_indexed(const struct program *p)
{
	bool any = false;
	for (uint32_t k = 0; k < p->instrs.n; k++)
		EACH_SOURCE(s, &p->instrs.at[k])
			any |= p->instrs.at[k].src[s].relative != 0;
	return any;
}

static unsigned free_consts(const struct program *p, struct range range)
{
	struct register_set const taken = constants_taken(p, true);
	unsigned n = 0;
	for (int c = range.first; c <= range.last; c++)
		n += !register_is_in(&taken, c);
	return n;
}

/* Returns the number of constants that the model of the run's VP has on the device. */
static int vs_consts(const struct run *r)
{
	return (int)device_consts(&r->options->device, r->vs->model);
}

/* Returns true if the VP comes near the limits of vs_1_1, and could be written as vs_2_0: no operand is addressed by a0, which the two models
 * round differently, and the user set no slots or constants. */
static bool model_may_bind(const struct run *r)
{
	const struct model_info *m = &models[VS_1_1];
	struct range const all = {0, vs_consts(r) - 1};
	return r->vs->model == VS_1_1 && !reads_indexed(r->vs) && !(r->options->given & (GIVEN_VS_SLOTS | GIVEN_VS_CONSTS)) &&
	       (r->vs_after.slots * NEAR_SLOTS > m->arith || free_consts(r->vs_new, all) < NEAR_CONSTS);
}

static bool any_stays_for(const struct run *r, enum verdict why)
{
	for (uint32_t k = 0; r->moved && k < r->ps->instrs.n; k++) {
		const struct fate *f = &r->moved->fates[k];
		for (unsigned lane = 0; lane < LANES; lane++)
			if (instr_writes(&r->ps->instrs.at[k]) >> lane & 1 && f->lane[lane] == why)
				return true;
	}
	return false;
}

/* Returns true if instruction k is a mov of literals, and a mul, mad or add writes other lanes of the same register. */
static bool is_number_beside(const struct program *p, uint32_t k)
{
	const struct instr *mov = &p->instrs.at[k];
	if (mov->op != OP_MOV || mov->src[0].file != REG_CONST || !program_decl(p, REG_CONST, mov->src[0].index))
		return false;
	for (uint32_t j = 0; j < p->instrs.n; j++) {
		const struct instr *i = &p->instrs.at[j];
		if ((i->op == OP_MUL || i->op == OP_MAD || i->op == OP_ADD) && i->dst.file == mov->dst.file && i->dst.index == mov->dst.index &&
		    !(i->dst.mask & mov->dst.mask))
			return true;
	}
	return false;
}

/* Returns the samplers of the given FP that --finite-textures does not name yet, or 0 if naming them cannot help: it lets a mov of literals in
 * the new FP be merged with a product or sum. */
static unsigned samplers_to_be_finite(const struct run *r)
{
	unsigned samplers = 0;
	bool numbers = false;
	for (uint32_t k = 0; k < r->ps->instrs.n; k++) {
		const struct instr *i = &r->ps->instrs.at[k];
		samplers |= ops[i->op].shape == SHAPE_TEX && i->src[1].file == REG_SAMPLER ? 1u << i->src[1].index : 0;
	}
	for (uint32_t k = 0; k < r->ps_new->instrs.n && !numbers; k++)
		numbers = is_number_beside(r->ps_new, k);
	return numbers ? samplers & ~r->options->move.finite_textures : 0;
}

static unsigned bit(enum hint_kind k)
{
	return 1u << k;
}

/* Returns the bits of the kinds of limits that may matter for this run. */
static unsigned find_can_bind(const struct run *r)
{
	const struct move_options *o = &r->options->move;
	unsigned const given = r->options->given;
	struct move_options const limits = run_budgets(r);
	struct register_set const inputs = program_reads_all(r->ps, REG_INPUT, false);
	bool const reads_colours = register_is_in(&inputs, 0) || register_is_in(&inputs, 1);
	unsigned can = 0;
	can |= given & (GIVEN_MAX_MOVES | GIVEN_STOP_AT) ? bit(HINT_MAX_MOVES) : 0;
	can |= o->drop_in ? bit(HINT_DROP_IN) : 0;
	can |= given & GIVEN_VS_CONSTS ? bit(HINT_VS_CONSTS) : reads_indexed(r->vs) ? bit(HINT_INDEXED_CONSTS) : 0;
	can |= given & GIVEN_TEXCOORDS && limits.budget.texcoords < models[model_written(r->ps->model)].texcoords ? bit(HINT_TEXCOORDS) : 0;
	can |= limits.budget.vs_slots < device_slots(&r->options->device, r->vs->model) ? bit(HINT_VS_SLOTS) : 0;
	can |= limits.budget.vs_temps < models[r->vs->model].temps ? bit(HINT_VS_TEMPS) : 0;
	can |= o->preshader && given & GIVEN_PS_CONSTS ? bit(HINT_PS_CONSTS) : 0;
	can |= model_may_bind(r) ? bit(HINT_MODEL) : 0;
	can |= r->depths ? bit(HINT_PLAIN_TEXTURES) : 0;
	can |= o->level >= 2 && samplers_to_be_finite(r) ? bit(HINT_FINITE_TEXTURES) : 0;
	can |= !o->free_ties && (!r->moved || any_stays_for(r, MOVE_TIE) || any_stays_for(r, MOVE_QUOTIENT)) ? bit(HINT_FREE_TIES) : 0;
	can |= !o->colour_inputs && reads_colours && any_stays_for(r, MOVE_COLOUR) ? bit(HINT_COLOUR_INPUTS) : 0;
	bool const short_vs = given & GIVEN_PIXELS || r->vs_after.slots * NEAR_SLOTS > limits.budget.vs_slots;
	can |= !o->free_position && short_vs ? bit(HINT_FREE_POSITION) : 0;
	can |= o->level == 2 && r->moved ? bit(HINT_LEVEL) : 0;
	bool const one_pair = !r->options->one_text && !r->options->part_of_file && !r->together;
	can |= o->level >= 2 && r->moved && one_pair && !o->preshader && !o->drop_in ? bit(HINT_PRESHADER) : 0;
	can |= o->level >= 2 && r->moved && r->moved->nodes && !r->moved->optimal ? bit(HINT_EFFORT) : 0;
	return can;
}

/* Returns the FP slots of instructions that stay whatever limits are lifted, for example for their opcode. */
static unsigned slots_that_must_stay(const struct run *r)
{
	static const uint8_t must[] = {MOVE_OPCODE, MOVE_MODIFIER, MOVE_MASK, MOVE_SAMPLER, MOVE_OUTPUT, MOVE_NONLINEAR, MOVE_ROUNDED, MOVE_NO_FLOAT, MOVE_UNDEFINED};
	unsigned slots = 0;
	for (uint32_t k = 0; r->moved && k < r->ps->instrs.n; k++)
		for (unsigned v = 0; v < sizeof must; v++)
			slots += r->moved->fates[k].verdict == must[v] ? op_slots((enum op)r->ps->instrs.at[k].op, r->ps->model) : 0;
	return slots;
}

static bool may_be_shorter(const struct run *r)
{
	return r->ps_after.slots > slots_that_must_stay(r) || cost_of(r) > r->ps_after.slots;
}

static unsigned larger(unsigned a, unsigned b)
{
	return a > b ? a : b;
}

/* Returns MORE_EFFORT times the run's effort, but at least the default. */
static uint32_t more_effort(const struct run *r)
{
	uint32_t const now = run_budgets(r).effort;
	return larger(move_options_default(r->vs->model, r->ps->model).effort, now < UINT32_MAX / MORE_EFFORT ? now * MORE_EFFORT : now);
}

/* ---- planning with limits lifted --------------------------------------------------------------- */

/* Returns the options of the runs with the limits of these kinds lifted: to what the trial `enough` used, or to the models' limits if that is
 * NULL.  For HINT_ALL_TEXCOORDS, the options allow one interpolator fewer than the model instead. */
static struct run_options lifted_options(const struct search *s, unsigned kinds, const struct trial *enough)
{
	struct run_options o = *s->runs->options;
	o.outcomes = false;
	if (kinds & (bit(HINT_VS_CONSTS) | bit(HINT_INDEXED_CONSTS))) {
		o.given |= GIVEN_VS_CONSTS;
		o.move.budget.vs_consts = enough ? enough->vs_consts : (struct range){0, vs_consts(s->runs) - 1};
	}
	if (kinds & bit(HINT_PS_CONSTS))
		o.move.ps_consts = enough ? enough->ps_consts : (struct range){0, models[PS_2_0].consts - 1};
	if (kinds & bit(HINT_MAX_MOVES))
		o.given &= ~(unsigned)(GIVEN_MAX_MOVES | GIVEN_STOP_AT);
	if (kinds & bit(HINT_TEXCOORDS))
		o.move.budget.texcoords = enough ? enough->texcoords : UINT_MAX;
	if (kinds & bit(HINT_ALL_TEXCOORDS)) {
		o.given |= GIVEN_TEXCOORDS;
		o.move.budget.texcoords = models[model_written(s->runs->ps->model)].texcoords - 1;
	}
	if (kinds & bit(HINT_VS_SLOTS))
		o.move.budget.vs_slots = enough ? enough->most_vs_slots : UINT_MAX;
	if (kinds & bit(HINT_VS_TEMPS))
		o.move.budget.vs_temps = enough ? enough->temps : UINT_MAX;
	if (kinds & bit(HINT_PLAIN_TEXTURES))
		o.move.plain_textures |= enough ? enough->samplers : UINT_MAX;
	if (kinds & bit(HINT_FINITE_TEXTURES))
		o.move.finite_textures |= enough ? enough->samplers : UINT_MAX;
	if (kinds & bit(HINT_EFFORT))
		o.move.effort = more_effort(s->runs);
	o.given |= kinds & bit(HINT_EFFORT) ? GIVEN_EFFORT : 0;
	o.move.level = kinds & bit(HINT_LEVEL) ? 3 : o.move.level;
	o.move.preshader |= (kinds & bit(HINT_PRESHADER)) != 0;
	o.move.drop_in &= !(kinds & bit(HINT_DROP_IN));
	o.move.free_ties |= (kinds & bit(HINT_FREE_TIES)) != 0;
	o.move.colour_inputs |= (kinds & bit(HINT_COLOUR_INPUTS)) != 0;
	o.move.free_position |= (kinds & bit(HINT_FREE_POSITION)) != 0;
	return o;
}

/* Returns the run's programs as two texts, the VP as a vs_2_0 program. */
static struct source *as_vs_2_0(struct arena *a, const struct run *r)
{
	struct source *two = arena_zero(a, 2 * sizeof *two);
	struct program *vs = program_copy(a, r->vs);
	const struct program *const both[2] = {vs, r->ps};
	vs->model = VS_2_0;
	for (unsigned k = 0; k < 2; k++) {
		struct text t = {.arena = a};
		print_program(&t, both[k]);
		two[k] = (struct source){.name = both[k]->source->name, .text = t.at, .size = t.n};
	}
	return two;
}

/* Returns the largest number of a register of that file which the program reads or writes, plus one. */
static unsigned registers_spanned(const struct program *p, enum reg_file file)
{
	struct register_set read = program_reads_all(p, file, false);
	unsigned n = 0;
	for (uint32_t k = 0; k < p->instrs.n; k++)
		if (instr_writes(&p->instrs.at[k]) && p->instrs.at[k].dst.file == file)
			register_put_in(&read, p->instrs.at[k].dst.index);
	for (int c = 0; c < 256; c++)
		n = register_is_in(&read, c) ? (unsigned)c + 1 : n;
	return n;
}

/* Returns the number of constants that only the new program reads. */
static unsigned taken_consts(const struct program *old, const struct program *new)
{
	struct register_set const before = constants_taken(old, true), now = program_reads_all(new, REG_CONST, true);
	unsigned n = 0;
	for (int c = 0; c < models[new->model].consts; c++)
		n += register_is_in(&now, c) && !register_is_in(&before, c);
	return n;
}

/* Returns the range, widened until n of its constants are free: upwards to the last constant, then downwards. */
static struct range widened(const struct program *p, struct range r, unsigned n, int consts)
{
	r.last = r.last < consts ? r.last : consts - 1;
	while (free_consts(p, r) < n && (r.last + 1 < consts || r.first > 0)) {
		bool const up = r.last + 1 < consts;
		r.last += up;
		r.first -= !up;
	}
	return r;
}

static void note_used(const struct run *old, const struct run *new, struct trial *t)
{
	t->most_vs_slots = larger(t->most_vs_slots, new->vs_after.slots);
	t->temps = larger(t->temps, registers_spanned(new->vs_new, REG_TEMP));
	t->texcoords = larger(t->texcoords, registers_spanned(new->ps_new, REG_TEXCOORD));
	t->vs_consts = widened(old->vs, t->vs_consts, taken_consts(old->vs, new->vs_new), vs_consts(old));
	t->ps_consts = widened(old->ps, t->ps_consts, taken_consts(old->ps, new->ps_new), models[PS_2_0].consts);
	t->samplers |= old->depths & ~new->depths;
}

/* Sets `gone`: for each instruction of the given FP, the lanes that the new FP does not compute.  Does nothing unless the old run has
 * outcomes, since nothing else uses it. */
static void note_gone(const struct run *old, const struct run *new, lanes *gone)
{
	if (!old->outcomes)
		return;
	struct proof_context const context = run_context(new);
	const struct outcomes *all = find_outcomes(new->arena, (struct pair){new->vs, new->ps}, (struct pair){new->vs_new, new->ps_new}, &context, run_origins(new));
	for (uint32_t k = 0; all && k < all->n; k++)
		for (unsigned lane = 0; lane < LANES; lane++)
			if (all->at[k].written >> lane & 1 && all->at[k].lane[lane].outcome != OUTCOME_KEPT &&
			    all->at[k].lane[lane].outcome != OUTCOME_RECOMPUTED)
				gone[k] |= (lanes)(1u << lane);
}

/* Returns true if run i is the first run, or if its VP is from another file than the first run's, so that the VP's slots are added. */
static bool own_vs(const struct run *runs, uint32_t i)
{
	return i == 0 || strcmp(runs[i].vs->source->name, runs[0].vs->source->name) != 0;
}

/* Sums up the new runs in the trial, without pointers to them, since their memory is freed.  Sets `done` only if all runs are done. */
static void note_trial(const struct search *s, const struct run *new, struct trial *t)
{
	for (uint32_t i = 0; i < s->n; i++) {
		if (!run_is_done(&new[i]))
			return;
		t->cost += cost_of(&new[i]);
		t->ps_slots += new[i].ps_after.slots;
		t->vs_slots += own_vs(new, i) ? new[i].vs_after.slots : 0;
		note_used(&s->runs[i], &new[i], t);
	}
	t->done = true;
	t->better = t->cost < s->cost - HINT_LEAST_COST;
	for (uint32_t i = 0; i < s->n && t->better; i++)
		note_gone(&s->runs[i], &new[i], t->gone[i]);
}

static struct trial *new_trial(const struct search *s)
{
	struct trial *t = arena_zero(s->arena, sizeof *t);
	const struct run_options *o = s->runs->options;
	int const none = vs_consts(s->runs);
	t->vs_consts = o->given & GIVEN_VS_CONSTS ? o->move.budget.vs_consts : (struct range){none, none - 1};
	t->ps_consts = o->given & GIVEN_PS_CONSTS ? o->move.ps_consts : (struct range){0, -1};
	t->gone = arena_alloc(s->arena, s->n * sizeof *t->gone);
	for (uint32_t i = 0; i < s->n; i++)
		t->gone[i] = arena_zero(s->arena, s->runs[i].ps->instrs.n + 1);
	return t;
}

static bool may_go_on(void *who, const struct allowance *a)
{
	struct search *s = who;
	s->now = a->all - a->left;
	return s->spent + s->now <= GROUP_STEPS;
}

/* Plans the runs once more, with the limits of these kinds lifted as far as lifted_options() says, and returns the result. */
static struct trial *plan_without(struct search *s, unsigned kinds, const struct trial *enough)
{
	struct trial *t = new_trial(s);
	struct arena_mark const mark = arena_mark(s->arena);
	struct run *new = arena_alloc(s->arena, s->n * sizeof *new);
	struct run_options const options = lifted_options(s, kinds, enough);
	bool const other = kinds & bit(HINT_MODEL);
	for (uint32_t i = 0; i < s->n; i++) {
		const struct run *r = &s->runs[i];
		run_init(&new[i], s->arena, other ? as_vs_2_0(s->arena, r) : r->sources, other ? 2 : r->nsources, &options);
	}
	s->now = 0;
	struct job const job = {.runs = new, .n = s->n, .same_vs = s->same_vs, .tell = may_go_on, .who = s};
	s->stopped = s->stopped || !job_run(&job);
	s->spent += s->now;
	if (!s->stopped)
		note_trial(s, new, t);
	for (uint32_t i = 0; i < s->n; i++)
		s->nodes += new[i].moved ? new[i].moved->nodes : 0;
	s->stopped |= s->quick && s->nodes > QUICK_NODES;
	arena_release(s->arena, mark);
	return t;
}

/* ---- making hints of trials ---------------------------------------------------------------------- */

static void range_text(struct text *t, const char *option, struct range r)
{
	text_printf(t, " --%s=c%d", option, r.first);
	if (r.last > r.first)
		text_printf(t, "-c%d", r.last);
}

/* Returns the options, as text, that lift the limits of these kinds as far as the trial `enough` needs, or NULL if there are none. */
static const char *with_text(const struct search *s, const struct trial *enough, unsigned kinds)
{
	struct text t = {.arena = s->arena};
	if (kinds & (bit(HINT_VS_CONSTS) | bit(HINT_INDEXED_CONSTS)))
		range_text(&t, "vs-consts", enough->vs_consts);
	if (kinds & bit(HINT_TEXCOORDS))
		text_printf(&t, " --texcoords=%u", enough->texcoords);
	if (kinds & bit(HINT_VS_SLOTS))
		text_printf(&t, " --vs-slots=%u", enough->most_vs_slots);
	if (kinds & bit(HINT_VS_TEMPS))
		text_printf(&t, " --vs-temps=%u", enough->temps);
	if (kinds & bit(HINT_PS_CONSTS))
		range_text(&t, "ps-consts", enough->ps_consts);
	static const enum hint_kind of_textures[] = {HINT_PLAIN_TEXTURES, HINT_FINITE_TEXTURES};
	for (unsigned k = 0; k < sizeof of_textures / sizeof *of_textures; k++)
		if (kinds & bit(of_textures[k])) {
			text_char(&t, ' ');
			hint_samplers(&t, of_textures[k], enough->samplers);
		}
	if (kinds & bit(HINT_EFFORT))
		text_printf(&t, " --effort=%u", more_effort(s->runs));
	text_string(&t, kinds & bit(HINT_LEVEL) ? " -O3" : "");
	text_string(&t, kinds & bit(HINT_PRESHADER) ? " --preshader=FILE" : "");
	static const enum hint_kind plain[] = {HINT_FREE_TIES, HINT_COLOUR_INPUTS, HINT_FREE_POSITION};
	for (unsigned k = 0; k < sizeof plain / sizeof *plain; k++)
		if (kinds & bit(plain[k]))
			text_printf(&t, " --%s", hint_infos[plain[k]].name);
	return t.n ? t.at + 1 : NULL;
}

/* Returns the options, as text, that are to be left out to lift the limits of these kinds, or NULL if there are none. */
static const char *without_text(const struct search *s, unsigned kinds)
{
	unsigned const stops = kinds & bit(HINT_MAX_MOVES) ? s->runs->options->given : 0;
	struct text t = {.arena = s->arena};
	text_string(&t, stops & GIVEN_MAX_MOVES ? " --max-moves" : "");
	text_string(&t, stops & GIVEN_STOP_AT ? " --ps-slots" : "");
	text_string(&t, kinds & bit(HINT_DROP_IN) ? " --drop-in" : "");
	return t.n ? t.at + 1 : NULL;
}

/* Returns true if the verdict on a lane gives no precise reason, so that a hint's verdict may replace it.  MOVE_BUDGET_CONSTS is imprecise, since
 * -O1 gives it both if the constants are taken and if an index may read them. */
static bool is_vague(unsigned verdict)
{
	return verdict == MOVE_COST || verdict == MOVE_REMADE || verdict == MOVE_BUDGET_CONSTS;
}

/* Sets the verdict `why` for all lanes that the trial's FP no longer computes, unless their verdict gives a precise reason already. */
static void blame(const struct search *s, const struct trial *t, enum verdict why)
{
	for (uint32_t i = 0; i < s->n; i++) {
		const struct run *r = &s->runs[i];
		for (uint32_t k = 0; r->moved && k < r->ps->instrs.n; k++) {
			struct fate *f = &r->moved->fates[k];
			for (unsigned lane = 0; lane < LANES; lane++)
				if (t->gone[i][k] >> lane & 1 && is_vague(f->lane[lane]))
					f->lane[lane] = (uint8_t)why;
			f->verdict = t->gone[i][k] && is_vague(f->verdict) ? (uint8_t)why : f->verdict;
		}
	}
}

/* Returns a made-up trial that uses all constants, slots, temporaries and interpolators of the models. */
static struct trial *everything(const struct search *s)
{
	const struct model_info *vs = &models[s->runs->vs->model], *ps = &models[model_written(s->runs->ps->model)];
	struct trial *t = arena_zero(s->arena, sizeof *t);
	*t = (struct trial){.most_vs_slots = device_slots(&s->runs->options->device, s->runs->vs->model), .temps = vs->temps,
	                    .texcoords = ps->texcoords, .samplers = 0xffff, .vs_consts = {0, vs_consts(s->runs) - 1}, .ps_consts = {0, ps->consts - 1}};
	return t;
}

/* Returns a copy of the trial in which the used slots, temporaries and constants are increased by `spare`. */
static struct trial *with_spare(const struct search *s, const struct trial *took, unsigned spare)
{
	const struct program *vs = s->runs->vs, *ps = s->runs->ps;
	struct trial *t = arena_alloc(s->arena, sizeof *t);
	*t = *took;
	t->most_vs_slots += spare;
	t->temps += spare;
	t->vs_consts = widened(vs, t->vs_consts, free_consts(vs, t->vs_consts) + spare, vs_consts(s->runs));
	t->ps_consts = widened(ps, t->ps_consts, free_consts(ps, t->ps_consts) + spare, models[PS_2_0].consts);
	return t;
}

/* Adds the hint to lift the limits of these kinds to what `enough` used; `t` is the trial with these limits. */
static void put_hint(const struct search *s, unsigned kinds, const struct trial *t, const struct trial *enough, struct hints *hints)
{
	VEC_PUSH(s->arena, hints) = (struct hint){
		.kinds = kinds, .with = with_text(s, enough, kinds), .without = without_text(s, kinds), .as_vs_2_0 = kinds & bit(HINT_MODEL),
		.samplers = kinds == bit(HINT_PLAIN_TEXTURES) || kinds == bit(HINT_FINITE_TEXTURES) ? enough->samplers : 0, .saves = s->slots > t->ps_slots ? s->slots - t->ps_slots : 0,
		.saves_cost = s->cost - t->cost, .vs_slots = t->vs_slots, .pairs = s->n};
}

/* Adds the hint to lift the limits of these kinds; `most` is the trial without these limits.  Lifts limits of COUNTED kinds only as far as needed
 * for a trial as good as `most`: first to what `most` used, then somewhat further, since the search may need more on its way than the final plan
 * uses.  Sets the verdict of lanes that leave the FP. */
static void add_tight_hint(struct search *s, unsigned kinds, const struct trial *most, struct hints *hints)
{
	static const uint8_t spares[] = {0, 1, 4, 16};
	const struct trial *t = most, *enough = everything(s);
	for (unsigned k = 0; kinds & COUNTED && k < sizeof spares; k++) {
		const struct trial *less = with_spare(s, most, spares[k]), *found = plan_without(s, kinds, less);
		if (!found->done || found->cost > most->cost)
			continue;
		t = found;
		enough = less;
		break;
	}
	put_hint(s, kinds, t, enough, hints);
	enum hint_kind first = 0;
	while (!(kinds & bit(first)))
		first++;
	if (hint_infos[first].verdict != MOVE_COST)
		blame(s, t, hint_infos[first].verdict);
}

/* Adds the hint of kind k that names those of the samplers that are needed for the savings of the trial `all`.  If these are several, also adds a
 * hint for each sampler that saves by itself, since the user may know only some of the textures. */
static void add_sampler_hints(struct search *s, enum hint_kind k, unsigned samplers, const struct trial *all, struct hints *hints)
{
	for (unsigned one = 1; one <= samplers; one <<= 1) {
		const struct trial *t = samplers & one && samplers != one ? plan_without(s, bit(k), &(struct trial){.samplers = samplers & ~one}) : NULL;
		if (t && t->done && t->cost <= all->cost) {
			samplers &= ~one;
			all = t;
		}
	}
	put_hint(s, bit(k), all, &(struct trial){.samplers = samplers}, hints);
	if (hint_infos[k].verdict != MOVE_COST)
		blame(s, all, hint_infos[k].verdict);
	for (unsigned one = 1; one < samplers; one <<= 1) {
		const struct trial *t = samplers & one && samplers != one ? plan_without(s, bit(k), &(struct trial){.samplers = one}) : NULL;
		if (t && t->better)
			put_hint(s, bit(k), t, &(struct trial){.samplers = one}, hints);
	}
}

/* Returns those of `kinds` that must be lifted for a trial as good as *all: tries to leave out each kind in turn.  Sets *all to the last trial
 * that was as good. */
static unsigned least_kinds(struct search *s, unsigned kinds, const struct trial **all)
{
	for (enum hint_kind k = 0; k < HINTS; k++) {
		if (!(kinds & bit(k)) || kinds == bit(k))
			continue;
		const struct trial *t = plan_without(s, kinds & ~bit(k), NULL);
		if (t->done && t->cost <= (*all)->cost) {
			kinds &= ~bit(k);
			*all = t;
		}
	}
	return kinds;
}

/* Adds a hint for each kind of limit that saves something by itself, then one for several kinds together if they save more than each alone.  Adds
 * none if lifting all of them saves nothing. */
static void find_each(struct search *s, unsigned kinds, struct hints *hints)
{
	const struct trial *all = plan_without(s, kinds, NULL);
	double best = s->cost;
	if (!all->better)
		return;
	for (enum hint_kind k = 0; k < HINTS; k++) {
		if (!(kinds & bit(k)))
			continue;
		const struct trial *t = kinds == bit(k) ? all : plan_without(s, bit(k), NULL);
		unsigned samplers = k == HINT_PLAIN_TEXTURES ? t->samplers : 0;
		for (uint32_t i = 0; k == HINT_FINITE_TEXTURES && i < s->n; i++)
			samplers |= samplers_to_be_finite(&s->runs[i]);
		if (t->better && (k == HINT_PLAIN_TEXTURES || k == HINT_FINITE_TEXTURES))
			add_sampler_hints(s, k, samplers, t, hints);
		else if (t->better)
			add_tight_hint(s, bit(k), t, hints);
		best = t->better && t->cost < best ? t->cost : best;
	}
	if (best > all->cost + HINT_LEAST_COST) {
		kinds = least_kinds(s, kinds, &all);
		add_tight_hint(s, kinds, all, hints);
	}
}

/* Returns true if the FP reads all interpolators of its model, and work stays in it that might move if there were one more. */
static bool wants_texcoords(const struct run *r)
{
	struct register_set const read = program_reads_all(r->ps_new, REG_TEXCOORD, false);
	bool all = r->options->move.level >= 2 && (any_stays_for(r, MOVE_COST) || any_stays_for(r, MOVE_REMADE));
	for (int t = 0; t < models[model_written(r->ps->model)].texcoords; t++)
		all &= register_is_in(&read, t);
	return all;
}

/* Adds HINT_ALL_TEXCOORDS if all interpolators are in use and the last one saves something.  No plan can have more interpolators than the
 * model, so a plan with one fewer shows whether their number matters. */
static void find_texcoords(struct search *s, struct hints *hints)
{
	bool wanted = false;
	for (uint32_t i = 0; i < s->n; i++)
		wanted |= wants_texcoords(&s->runs[i]);
	const struct trial *fewer = wanted ? plan_without(s, bit(HINT_ALL_TEXCOORDS), NULL) : NULL;
	if (!fewer || (fewer->done && fewer->cost < s->cost + HINT_LEAST_COST) || s->stopped)
		return;
	struct hint *h = &VEC_PUSH(s->arena, hints);
	*h = (struct hint){.kinds = bit(HINT_ALL_TEXCOORDS), .pairs = s->n};
	if (fewer->done) {
		h->last_saves = fewer->ps_slots > s->slots ? fewer->ps_slots - s->slots : 0;
		h->last_saves_cost = fewer->cost - s->cost;
	}
	for (uint32_t i = 0; i < s->n; i++) {
		struct run *r = &s->runs[i];
		h->vs_slots += own_vs(s->runs, i) ? r->vs_after.slots : 0;
		bool const wants = wants_texcoords(r);
		for (uint32_t k = 0; wants && k < r->ps->instrs.n; k++)
			for (unsigned lane = 0; lane < LANES; lane++)
				if (is_vague(r->moved->fates[k].lane[lane]))
					r->moved->fates[k].lane[lane] = MOVE_BUDGET_INTERP;
	}
}

/* Sums up the runs as they are.  Returns true if all runs are done and one of them may become shorter. */
static bool begin_search(struct search *s)
{
	bool more = false;
	for (uint32_t i = 0; i < s->n; i++) {
		const struct run *r = &s->runs[i];
		if (!run_is_done(r))
			return false;
		s->cost += cost_of(r);
		s->slots += r->ps_after.slots;
		more |= may_be_shorter(r);
	}
	return more;
}

static void find_all_hints(struct search *s, struct hints *hints)
{
	if (!begin_search(s))
		return;
	unsigned can_bind = 0;
	for (uint32_t i = 0; i < s->n; i++)
		can_bind |= find_can_bind(&s->runs[i]);
	static const enum hint_kind apart[] = {HINT_LEVEL, HINT_FINITE_TEXTURES, HINT_PRESHADER, HINT_EFFORT};
	unsigned others = can_bind;
	for (unsigned k = 0; k < sizeof apart / sizeof *apart; k++)
		others &= ~bit(apart[k]);
	if (others)
		find_each(s, others, hints);
	for (unsigned k = 0; k < sizeof apart / sizeof *apart; k++)
		if ((!s->quick || apart[k] == HINT_LEVEL || apart[k] == HINT_FINITE_TEXTURES) && can_bind & bit(apart[k]) && (apart[k] != HINT_PRESHADER || s->n == 1))
			find_each(s, bit(apart[k]), hints);
	find_texcoords(s, hints);
}

static void give_hints(const struct job *job, const struct hints *hints)
{
	for (uint32_t i = 0; i < job->n; i++)
		job->runs[i].hints = (const struct hints *)(const void *)arena_copy(job->runs[0].arena, hints, sizeof *hints);
}

void find_hints(const struct job *job, bool quick)
{
	struct search s = {.arena = job->runs[0].arena, .runs = job->runs, .n = job->n, .quick = quick, .same_vs = job->same_vs};
	struct hints hints = {0};
	if (job->runs[0].options->move.level == 0)
		return;
	find_all_hints(&s, &hints);
	give_hints(job, &hints);
}

/* Returns true if the FP reads a constant that the application sets, which the VP could need, too. */
static bool reads_set_constants(const struct program *ps)
{
	for (int c = 0; c < models[ps->model].consts; c++)
		if (program_reads_from_outside(ps, c))
			return true;
	return false;
}

void find_drop_in_hint(const struct job *job, bool quick)
{
	struct search s = {.arena = job->runs[0].arena, .runs = job->runs, .n = job->n, .quick = quick, .same_vs = job->same_vs};
	struct hints hints = {.of_drop_in = true};
	const struct move_options *o = &job->runs[0].options->move;
	bool may_save = o->level > 0 && o->drop_in && begin_search(&s), any = false;
	for (uint32_t i = 0; may_save && i < job->n; i++)
		any |= !job->runs[i].stands_in && reads_set_constants(job->runs[i].ps);
	if (any)
		find_each(&s, bit(HINT_DROP_IN), &hints);
	if (may_save)
		give_hints(job, &hints);
}

/* ---- options to try, found without planning ---------------------------------------------------- */

void hints_to_try(struct text *t, const struct run *r)
{
	size_t const start = t->n;
	unsigned left = run_is_done(r) && r->options->move.level > 0 && may_be_shorter(r) ? find_can_bind(r) : 0;
	left &= r->hints && r->hints->of_drop_in ? ~bit(HINT_DROP_IN) : UINT_MAX;
	for (enum hint_kind k = 0; k < HINTS; k++) {
		if (!(left & bit(k)))
			continue;
		left &= ~bit(k);
		text_string(t, t->n == start ? "" : left ? ", " : " and ");
		hint_option(t, k);
	}
}
