/* One pair through everything, and the reduction of one that fails; see trial.h. */
#include "trial.h"

#include "lang/check.h"
#include "lang/parse.h"
#include "lang/print.h"
#include "verify/interp.h"

#include <string.h>

const char *const outcome_names[TRIAL_COUNT] = {"good", "illegal", "too long", "rejected", "fault", "apart"};

const char *pair_text(struct arena *arena, const struct program *p)
{
	struct text t = {.arena = arena};
	print_program(&t, p);
	return t.at;
}

static bool legal(struct arena *arena, const struct program *p)
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
		/* What shipped programs do, some of these here do as well. */
		if (diags.at[k].severity == DIAG_WARNING && strcmp(diags.at[k].rule, rules[RULE_UNWRITTEN].id) != 0)
			return false;
	}
	return true;
}

/* The default tolerance, but for what single roundings do to this very pair. */
static bool explained(const struct lane_error *e)
{
	return e->new_abs <= 16 * e->old_abs + 64 * e->noise + 1e-5 * e->gain;
}

struct trial try_pair(struct arena *arena, struct gen_pair pair, const struct run_options *options)
{
	struct trial t = {.outcome = TRIAL_GOOD};
	if (!legal(arena, pair.vs) || !legal(arena, pair.ps)) {
		t.outcome = TRIAL_ILLEGAL;
		return t;
	}
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
		/* One for a longer model need not come to fit ps_2_0. */
		t.outcome = r->ps && r->ps->model != PS_2_0 ? TRIAL_TOO_LONG : TRIAL_REJECTED;
		t.why = r->diags.n ? r->diags.at[0].text : "rejected";
		return t;
	case RUN_FAILED:
	case RUN_NO_MEMORY:
		t.outcome = TRIAL_FAULT;
		t.why = r->fault ? r->fault : "no memory";
		return t;
	}
	if (!r->vs_new || !r->ps_new)
		return t; /* nothing was emitted anew */
	struct measure_options m = {.primitives = 2, .seed = 1};
	if (r->moved) {
		m.consts = r->moved->consts.at;
		m.nconsts = r->moved->consts.n;
	}
	struct measured *found = arena_alloc(arena, sizeof *found);
	*found = measure(arena, (struct pair){r->vs, r->ps}, (struct pair){r->vs_new, r->ps_new}, &m);
	t.wide = !found->within;
	bool fine = found->kills_apart == 0 && found->lanes > 0;
	for (unsigned k = 0; k < found->lanes; k++)
		fine = fine && explained(&found->lane[k]);
	if (!fine) {
		t.outcome = TRIAL_APART;
		t.why = found->why ? found->why : "the interpreter disagrees";
	}
	return t;
}

/* --- reduction -------------------------------------------------------------------- */

static bool still_fails(struct gen_pair pair, const struct run_options *options, enum outcome outcome)
{
	struct arena arena;
	arena_init(&arena, NULL);
	bool fails = try_pair(&arena, pair, options).outcome == outcome;
	arena_free(&arena);
	return fails;
}

struct reducer {
	struct gen_pair pair;
	const struct run_options *options;
	enum outcome outcome;
	struct arena *keep;
	bool progress;
};

/* Takes a changed copy of one program if the pair still fails with it. */
static bool accept(struct reducer *r, struct program *changed)
{
	struct gen_pair pair = r->pair;
	if (program_stage(changed) == STAGE_VERTEX)
		pair.vs = changed;
	else
		pair.ps = changed;
	if (!still_fails(pair, r->options, r->outcome))
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

struct gen_pair reduce_pair(struct gen_pair pair, const struct run_options *options, enum outcome outcome, struct arena *keep)
{
	struct reducer r = {pair, options, outcome, keep, true};
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
