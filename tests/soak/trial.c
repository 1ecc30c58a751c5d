/* Runs one pair through all steps, and reduces one that fails; see trial.h. */
#include "trial.h"

#include "../mutate/damage.h"

#include "lang/bytecode.h"
#include "lang/check.h"
#include "lang/parse.h"
#include "lang/print.h"
#include "verify/interp.h"

#include <string.h>

enum {
	BYTECODE_EACH = 8, /* one seed in so many is moved as bytecode, too */
	ALONE_EACH = 3     /* one FP in so many is planned without its VP, or beside a VP that stays */
};

const char *const trial_names[TRIAL_COUNT] = {"good", "too long", "rejected", "fault", "apart", "blind", "dearer"};

const char *pair_text(struct arena *arena, const struct program *p)
{
	struct text t = {.arena = arena};
	print_program(&t, p);
	return t.at;
}

static bool keeps_rules(struct arena *arena, const struct program *p)
{
	struct diags diags;
	diag_init(&diags, arena);
	struct text t = {.arena = arena};
	print_program(&t, p);
	struct source *source = arena_zero(arena, sizeof *source);
	*source = (struct source){.name = "generated", .text = t.at, .size = t.n};
	struct program_list list = parse_programs(arena, source, &diags);
	if (diags.errors || list.n != 1)
		return false;
	check_program(list.at[0], &(struct check_options){.unwritten_warns = true}, &diags);
	for (uint32_t k = 0; k < diags.n; k++) {
		if (diags.at[k].severity == DIAG_ERROR)
			return false;
		/* Shipped programs break this rule, too. */
		if (diags.at[k].severity == DIAG_WARNING && strcmp(diags.at[k].rule, rules[RULE_UNWRITTEN].id) != 0)
			return false;
	}
	return true;
}

bool is_legal(struct arena *arena, struct gen_pair pair)
{
	return keeps_rules(arena, pair.vs) && keeps_rules(arena, pair.ps);
}

/* Returns whether the pairs differ in double by less than float rounding explains, where both are defined: literals are rounded.  A
 * difference below `nothing` comes from rounding in double where a sum cancels.  The proof takes sat x / sat x for 1, although it may
 * be 0 / 0. */
static bool same_function(const struct measured *m)
{
	double const nothing = 1e-12;
	bool same = m->lanes > 0 && m->kills_apart == 0;
	for (unsigned l = 0; l < m->lanes; l++)
		same = same && m->lane[l].apart <= 64 * m->lane[l].noise + 1e-5 * m->lane[l].gain + nothing;
	return same;
}

static uint32_t draw(uint64_t *state, uint32_t below)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)((*state >> 33) * below >> 31);
}

/* Makes a mistake of this kind in a program, in its flow control if `of_flow` and there is some.  Returns false if it could not be made. */
static bool apply_damage(struct program *p, const struct damage_kind *kind, bool of_flow, uint64_t *state)
{
	uint32_t const n = kind->of_decl ? p->decls.n : p->instrs.n, turn = draw(state, 8), way = turn % 4 < 2 ? turn / 4 : turn;
	if (!n)
		return false;
	uint32_t const from = draw(state, n);
	for (uint32_t k = 0; k < (of_flow ? n : 1); k++)
		if (kind->apply(p, (from + k) % n, way))
			return true;
	return false;
}

/* Makes a mistake in one of the two programs.  Returns false if it could not be made. */
static bool damage(struct arena *arena, struct pair *pair, uint64_t *state, const char **name)
{
	bool const vertex = draw(state, 2);
	const struct program *whole = vertex ? pair->vs : pair->ps;
	struct program *copy = program_copy(arena, whole);
	bool const of_flow = program_flows(copy) && draw(state, 2);
	const struct damage_kind *kind =
		&damage_kinds[of_flow ? STRAIGHT_DAMAGES + draw(state, DAMAGES - STRAIGHT_DAMAGES) : draw(state, STRAIGHT_DAMAGES)];
	if (!apply_damage(copy, kind, of_flow, state) || (program_flows(copy) && !damage_nests(copy)))
		return false;
	if (copy->instrs.n == whole->instrs.n && copy->decls.n == whole->decls.n &&
	    memcmp(copy->instrs.at, whole->instrs.at, whole->instrs.n * sizeof *whole->instrs.at) == 0 &&
	    memcmp(copy->decls.at, whole->decls.at, whole->decls.n * sizeof *whole->decls.at) == 0)
		return false;
	*(vertex ? &pair->vs : &pair->ps) = copy;
	*name = kind->name;
	return true;
}

static void damage_result(struct arena *arena, struct trial *t, const struct run *r, struct measure_options *m,
                          unsigned damages, uint64_t seed)
{
	struct pair old = {r->vs, r->ps};
	uint64_t state = seed;
	for (unsigned k = 0; k < damages; k++) {
		struct pair bad = {r->vs_new, r->ps_new};
		const char *name;
		if (!damage(arena, &bad, &state, &name))
			continue;
		t->damaged++;
		if (!prove(arena, old, bad, &m->context).equal) {
			t->refuted++;
			continue;
		}
		struct measured *found = arena_alloc(arena, sizeof *found);
		*found = measure(arena, old, bad, m);
		if (!same_function(found)) {
			t->outcome = TRIAL_BLIND;
			t->why = name;
			t->vs_out = pair_text(arena, bad.vs);
			t->ps_out = pair_text(arena, bad.ps);
			return;
		}
	}
}

/* Draws the pair before and after the move, and compares them. */
static void compare_drawn(struct arena *arena, struct trial *t, const struct run *r, const struct measure_options *m)
{
	struct measured *found = arena_alloc(arena, sizeof *found);
	*found = measure(arena, (struct pair){r->vs, r->ps}, (struct pair){r->vs_new, r->ps_new}, m);
	t->pixels = found->pixels;
	t->left_out = found->left_out;
	t->wide = found->within ? NULL : found->why;
	bool const moved = found->positions_apart && !m->context.free_position;
	if (!found->undefined && !moved && same_function(found))
		return;
	t->outcome = TRIAL_APART;
	t->why = found->undefined ? "divides by 0 where the old pair does not"
	         : moved          ? "positions differ in their last bits"
	                          : "the interpreter disagrees in double";
}

/* Moves the result again.  The second result must equal the given pair under the constants that both runs ask the application to set;
 * notes about literals come from both runs. */
static void move_again(struct arena *arena, struct trial *t, const struct run *first)
{
	struct source *sources = arena_zero(arena, 2 * sizeof *sources);
	sources[0] = (struct source){.name = "vp.vsh", .text = first->vs_text.at, .size = first->vs_text.n};
	sources[1] = (struct source){.name = "fp.psh", .text = first->ps_text.at, .size = first->ps_text.n};
	struct run *second = arena_zero(arena, sizeof *second);
	run_init(second, arena, sources, 2, first->options);
	run_all(second);
	if (second->status != RUN_IMPROVED && second->status != RUN_UNCHANGED) {
		t->outcome = TRIAL_FAULT;
		t->why = second->fault ? second->fault : "what was written is rejected";
		return;
	}
	struct folds folds = {0};
	for (uint32_t k = 0; k < second->needs.folds.n; k++)
		VEC_PUSH(arena, &folds) = second->needs.folds.at[k];
	for (uint32_t k = 0; k < first->needs.folds.n; k++) {
		const struct folded *f = &first->needs.folds.at[k];
		bool there = f->preset || !program_decl(f->stage == STAGE_VERTEX ? second->vs_new : second->ps_new, REG_CONST, f->index);
		for (uint32_t j = 0; j < second->needs.folds.n; j++)
			there |= second->needs.folds.at[j].stage == f->stage && second->needs.folds.at[j].index == f->index;
		if (!there)
			VEC_PUSH(arena, &folds) = *f;
	}
	struct proof_context context = run_context(second);
	context.given = NULL;
	context.free_ties = true; /* each run checked ties; a value that the first left inexact may look exact over both runs */
	context.plain_textures = ~0u; /* a read without a defined .z compares with anything: the first run may give it a .z that the second knows */
	context.folds = folds.at;
	context.nfolds = folds.n;
	struct proof proof = prove(arena, (struct pair){first->vs, first->ps}, (struct pair){second->vs_new, second->ps_new}, &context);
	bool literals = false; /* a fold is made of literals that were folded themselves: such notes cannot be joined */
	for (uint32_t k = 0; k < first->needs.folds.n; k++)
		literals |= !first->needs.folds.at[k].preset;
	/* The proof compares all that a block reads, also lanes that nothing uses: the first run may remove a reader, and the second
	 * its operand. */
	bool const blocks = program_flows(first->vs) || program_flows(first->ps);
	if (proof.equal || literals || blocks)
		return;
	t->outcome = TRIAL_FAULT;
	t->why = arena_printf(arena, "moved twice: %s", proof.why);
	t->vs_out = second->vs_text.at;
	t->ps_out = second->ps_text.at;
}

static struct source as_bytes(struct arena *arena, const char *name, const struct program *p)
{
	struct text t = {.arena = arena};
	bytecode_print(&t, p, false, NULL);
	return (struct source){.name = name, .text = t.at, .size = t.n};
}

static bool same_bytes(const struct text *t, const struct source *s)
{
	return t->n == s->size && memcmp(t->at, s->text, t->n) == 0;
}

/* Moves the given pair as bytecode: the result must be the bytecode of the text's result. */
static void move_bytecode(struct arena *arena, struct trial *t, const struct run *first)
{
	struct source *sources = arena_zero(arena, 2 * sizeof *sources);
	sources[0] = as_bytes(arena, "vp.vso", first->vs);
	sources[1] = as_bytes(arena, "fp.pso", first->ps);
	struct run *second = arena_zero(arena, sizeof *second);
	run_init(second, arena, sources, 2, first->options);
	run_all(second);
	struct source const vs = as_bytes(arena, "", first->vs_new), ps = as_bytes(arena, "", first->ps_new);
	if (second->status == first->status && same_bytes(&second->vs_text, &vs) && same_bytes(&second->ps_text, &ps))
		return;
	t->outcome = TRIAL_FAULT;
	t->why = second->fault ? second->fault : "moved as bytecode the pair becomes another";
	for (uint32_t k = 0; k < second->diags.n; k++)
		if (second->diags.at[k].severity == DIAG_ERROR)
			t->why = second->diags.at[k].text;
	if (second->vs_new && second->ps_new) {
		t->vs_out = pair_text(arena, second->vs_new);
		t->ps_out = pair_text(arena, second->ps_new);
	}
}

/* Moves the FP by itself, or beside a VP that stays: with that VP the result must draw the same. */
static void move_alone(struct arena *arena, struct trial *t, const struct run *first, bool known)
{
	struct source *sources = arena_zero(arena, 4 * sizeof *sources);
	struct run *second = arena_zero(arena, sizeof *second), *beside = arena_zero(arena, sizeof *beside);
	sources[0] = (struct source){.name = "fp.psh", .text = pair_text(arena, first->ps_alone)};
	sources[1] = sources[2] = (struct source){.name = "vp.vsh", .text = pair_text(arena, first->vs)};
	for (unsigned k = 0; k < 3; k++)
		sources[k].size = strlen(sources[k].text);
	run_init(second, arena, sources, known ? 2 : 1, first->options);
	second->fp_only = known;
	run_all(second);
	t->outcome = TRIAL_FAULT;
	if (second->status != RUN_IMPROVED && second->status != RUN_UNCHANGED) {
		t->why = second->fault ? second->fault : "an FP is rejected alone";
		/* Alone it may fail to fit ps_2_0 or a budget. */
		t->outcome = second->status == RUN_REJECTED ? TRIAL_GOOD : TRIAL_FAULT;
		return;
	}
	t->ps_out = second->ps_text.at;
	sources[3] = (struct source){.name = "fp.psh", .text = second->ps_text.at, .size = second->ps_text.n};
	run_init(beside, arena, sources + 2, 2, first->options);
	for (unsigned k = 0; k < STEP_MOVE && !beside->diags.errors; k++)
		pipeline[k].run(beside);
	if (beside->diags.errors) {
		t->why = "an FP that was planned alone does not go with its VP";
		return;
	}
	if (second->ps_new->instrs.n && program_total_slots(second->ps_new) > program_total_slots(first->ps)) {
		t->why = "an FP that was planned alone is longer";
		return;
	}
	struct measure_options m = {.primitives = 2, .seed = 1, .context = run_context(second)};
	struct measured *found = arena_alloc(arena, sizeof *found);
	*found = measure(arena, (struct pair){first->vs, first->ps}, (struct pair){beside->vs, beside->ps}, &m);
	t->outcome = found->undefined || !same_function(found) ? TRIAL_APART : TRIAL_GOOD;
	t->why = "an FP that was planned alone draws something else";
}

static uint64_t cost_of(const struct run *r, const struct target *t, const struct program *vs, const struct program *ps)
{
	return target_written(t, vs, ps, run_budgets(r).pixels_per_vertex);
}

/* Checks that by its target the result is no more expensive than with other options or, for several targets, than the given pair.  The
 * check does not apply where only the proof rejected the plan, so that the pair stays as it is. */
static void compare_costs(struct arena *arena, struct trial *t, const struct run *r)
{
	const struct run_options *o = r->options;
	if (program_flows(r->vs) || program_flows(r->ps)) /* each plan is put back around the blocks in its own way */
		return;
	if (!r->moved || o->move.level < 2 || !(o->given & GIVEN_TARGET) || o->given & (GIVEN_MAX_MOVES | GIVEN_STOP_AT))
		return;
	struct target const aim = run_budgets(r).target;
	int const levels[] = {0, 1, o->move.level};
	for (unsigned n = 0; n < (o->several ? 1 : sizeof levels / sizeof *levels); n++) {
		struct arena_mark const mark = arena_mark(arena);
		struct run_options *others = arena_zero(arena, sizeof *others);
		const struct target *cheaper = NULL;
		*others = *o;
		others->given &= ~(unsigned)(GIVEN_TARGET | GIVEN_PIXELS); /* with that ratio the slots of both programs count */
		others->several = 0;
		others->move.level = levels[n];
		others->move.preshader = o->move.preshader && levels[n] >= 2;
		struct run *other = arena_zero(arena, sizeof *other);
		run_init(other, arena, r->sources, r->nsources, others);
		run_all(other);
		bool const done = other->status == RUN_IMPROVED || other->status == RUN_UNCHANGED;
		for (unsigned k = 0; done && k < TARGETS; k++) {
			const struct target *by = o->several ? &targets[k] : &aim;
			if ((o->several ? o->several >> k : k == 0) & 1 &&
			    cost_of(r, by, r->vs_new, r->ps_new) > cost_of(r, by, other->vs_new, other->ps_new))
				cheaper = by;
		}
		arena_release(arena, mark); /* because several plans at once take hundreds of megabytes */
		if (!cheaper)
			continue;
		t->outcome = TRIAL_DEARER;
		t->why = arena_printf(arena, "-O%d for slots makes a pair that is cheaper for %s", levels[n], cheaper->name);
	}
}

struct trial try_pair(struct arena *arena, struct gen_pair pair, const struct run_options *options, unsigned damages,
                      uint64_t seed)
{
	struct trial t = {.outcome = TRIAL_GOOD};
	struct source *sources = arena_zero(arena, 2 * sizeof *sources);
	sources[0] = (struct source){.name = "vp.vsh", .text = pair_text(arena, pair.vs)};
	sources[1] = (struct source){.name = "fp.psh", .text = pair_text(arena, pair.ps)};
	for (unsigned s = 0; s < 2; s++)
		sources[s].size = strlen(sources[s].text);
	struct run *r = arena_zero(arena, sizeof *r);
	run_init(r, arena, sources, 2, options);
	run_all(r);
	t.vs_out = r->vs_text.at;
	t.ps_out = r->ps_text.at;
	t.improved = r->status == RUN_IMPROVED;
	switch (r->status) {
	case RUN_IMPROVED:
	case RUN_UNCHANGED: break;
	case RUN_REJECTED:
		/* A pair for a longer model may fail to fit ps_2_0 or a budget. */
		t.outcome = r->ps && (r->ps->model != PS_2_0 || options->given & (GIVEN_PS_ARITH | GIVEN_PS_TEX)) ? TRIAL_TOO_LONG
		                                                                                          : TRIAL_REJECTED;
		t.why = "rejected";
		for (uint32_t k = 0; k < r->diags.n; k++)
			if (r->diags.at[k].severity == DIAG_ERROR)
				t.why = r->diags.at[k].text;
		return t;
	case RUN_FAILED:
	case RUN_NO_MEMORY:
		t.outcome = TRIAL_FAULT;
		t.why = r->fault ? r->fault : "no memory";
		return t;
	}
	if (!r->vs_new || !r->ps_new)
		return t; /* no new program was written */
	struct measure_options m = {.primitives = 2, .seed = 1, .context = run_context(r)};
	compare_drawn(arena, &t, r, &m);
	if (t.outcome == TRIAL_GOOD)
		damage_result(arena, &t, r, &m, damages, seed);
	if (t.outcome == TRIAL_GOOD)
		move_again(arena, &t, r);
	if (t.outcome == TRIAL_GOOD)
		compare_costs(arena, &t, r);
	if (t.outcome == TRIAL_GOOD && seed % ALONE_EACH == 0)
		move_alone(arena, &t, r, seed / ALONE_EACH % 2);
	if (t.outcome == TRIAL_GOOD && seed % BYTECODE_EACH == 0)
		move_bytecode(arena, &t, r);
	return t;
}

/* --- reduction -------------------------------------------------------------------- */

struct reducer {
	struct gen_pair pair;
	const struct run_options *options;
	enum trial_end outcome;
	unsigned damages;
	uint64_t seed;
	struct arena *keep;
	bool progress;
};

static bool still_fails(const struct reducer *r, struct gen_pair pair)
{
	struct arena arena;
	arena_init(&arena, NULL);
	bool fails = is_legal(&arena, pair) && try_pair(&arena, pair, r->options, r->damages, r->seed).outcome == r->outcome;
	arena_free(&arena);
	return fails;
}

/* Replaces one program by a changed copy if the pair still fails with it.  Returns whether it did. */
static bool accept(struct reducer *r, struct program *changed)
{
	struct gen_pair pair = r->pair;
	if (program_stage(changed) == STAGE_VERTEX)
		pair.vs = changed;
	else
		pair.ps = changed;
	if (!still_fails(r, pair))
		return false;
	r->pair = pair;
	r->progress = true;
	return true;
}

static struct program *without_instrs(struct arena *arena, const struct program *p, uint32_t from, uint32_t n)
{
	struct program *q = program_copy(arena, p);
	if (n > q->instrs.n - from)
		n = q->instrs.n - from;
	memmove(q->instrs.at + from, q->instrs.at + from + n, (q->instrs.n - from - n) * sizeof *q->instrs.at);
	q->instrs.n -= n;
	return q;
}

static const struct program *side_of(const struct reducer *r, unsigned side)
{
	return side ? r->pair.vs : r->pair.ps;
}

static void drop_instrs(struct reducer *r, unsigned side)
{
	for (uint32_t n = 16; n; n /= 2)
		for (uint32_t k = side_of(r, side)->instrs.n; k-- > 0;)
			if (k < side_of(r, side)->instrs.n)
				accept(r, without_instrs(r->keep, side_of(r, side), k, n));
}

static void drop_decls(struct reducer *r, unsigned side)
{
	for (uint32_t k = side_of(r, side)->decls.n; k-- > 0;) {
		struct program *q = program_copy(r->keep, side_of(r, side));
		memmove(q->decls.at + k, q->decls.at + k + 1, (q->decls.n - k - 1) * sizeof *q->decls.at);
		q->decls.n--;
		accept(r, q);
	}
}

static void simplify(struct reducer *r, unsigned side)
{
	for (uint32_t k = 0; k < side_of(r, side)->instrs.n; k++) {
		struct program *q = program_copy(r->keep, side_of(r, side));
		struct instr *i = &q->instrs.at[k];
		if (i->flags) {
			i->flags = 0;
			accept(r, q);
		}
		for (unsigned l = 0; l < LANES; l++) {
			q = program_copy(r->keep, side_of(r, side));
			i = &q->instrs.at[k];
			if (i->dst.mask >> l & 1 && i->dst.mask != 1u << l && !(ops[i->op].flags & OPF_NO_DST)) {
				i->dst.mask &= (lanes)~(1u << l);
				i->dst.masked = true;
				accept(r, q);
			}
		}
		for (unsigned s = 0; s < ops[side_of(r, side)->instrs.at[k].op].sources; s++) {
			q = program_copy(r->keep, side_of(r, side));
			i = &q->instrs.at[k];
			if (i->src[s].negate) {
				i->src[s].negate = false;
				accept(r, q);
			}
			q = program_copy(r->keep, side_of(r, side));
			i = &q->instrs.at[k];
			if (i->src[s].swizzle != SWIZZLE_XYZW) {
				i->src[s].swizzle = SWIZZLE_XYZW;
				accept(r, q);
			}
			q = program_copy(r->keep, side_of(r, side));
			i = &q->instrs.at[k];
			if (i->op != OP_MOV && ops[i->op].flags == 0) {
				i->op = OP_MOV;
				i->src[0] = i->src[s];
				accept(r, q);
			}
		}
	}
}

struct gen_pair reduce_pair(struct gen_pair pair, const struct run_options *options, enum trial_end outcome, unsigned damages,
                            uint64_t seed, struct arena *keep)
{
	struct reducer r = {pair, options, outcome, damages, seed, keep, true};
	for (unsigned round = 0; r.progress && round < 8; round++) {
		r.progress = false;
		for (unsigned side = 0; side < 2; side++) {
			drop_instrs(&r, side);
			drop_decls(&r, side);
			simplify(&r, side);
		}
	}
	return r.pair;
}
