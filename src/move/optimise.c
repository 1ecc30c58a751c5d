/* -O2 and -O3: the best plan there is, if it is better than nothing and than the paper's method. */
#include "move/plan.h"
#include "move/reassociate.h"
#include "move/regs.h"

#include <string.h>

/* Why an instruction that stays does so: looked up in the values, since the plan only knows lanes. */
static void explain(const struct values *v, uint32_t k, lanes mask, struct fate *f)
{
	const struct instr *i = &v->ps->instrs.at[k];
	lanes written = instr_writes(i);
	f->because = UINT32_MAX;
	f->moved = written & (lanes)~mask;
	enum verdict why = MOVE_COST;
	bool pixel = false;
	for (unsigned lane = 0; lane < LANES; lane++)
		pixel |= mask >> lane & 1 && value_at(v, v->def[k][lane])->class == VALUE_PIXEL;
	if (written && !mask) {
		why = MOVE_MOVED;
	} else if (i->op == OP_TEXKILL) {
		why = MOVE_OPCODE;
	} else if (ops[i->op].flags & OPF_TEX) {
		why = MOVE_SAMPLER;
	} else if (written && (i->dst.file == REG_PIXEL_OUT || i->dst.file == REG_DEPTH_OUT)) {
		why = MOVE_OUTPUT;
	} else if (pixel) {
		why = MOVE_NONLINEAR;
		for (unsigned s = 0; s < ops[i->op].sources; s++) {
			const struct use *u = &v->use[k][s];
			for (unsigned p = 0; p < LANES; p++) {
				if (!(u->read >> p & 1) || u->value[p] == NO_VALUE || value_is_movable(v, u->value[p]))
					continue;
				if (u->def[p] >= 0 && f->because == UINT32_MAX) {
					why = MOVE_DEPENDS;
					f->because = (uint32_t)u->def[p];
				} else if (i->src[s].file == REG_INPUT && why == MOVE_NONLINEAR) {
					why = MOVE_COLOUR;
				} else if (u->def[p] == -2 && why == MOVE_NONLINEAR) {
					why = MOVE_UNDEFINED;
				}
			}
		}
	}
	f->verdict = (uint8_t)why;
	for (unsigned lane = 0; lane < LANES; lane++)
		f->lane[lane] = (uint8_t)(f->moved >> lane & 1 ? MOVE_MOVED : why);
}

static bool fits(const struct program *vs, const struct program *ps, const struct move_options *o)
{
	struct slots n = program_slots(ps);
	return n.arith <= o->ps_arith && n.tex <= o->ps_tex && program_total_slots(vs) <= o->vs_slots;
}

static unsigned interpolators(const struct program *ps)
{
	struct outputs_read read = outputs_read_by(ps);
	unsigned n = 0;
	for (unsigned r = 0; r < INTERPOLATORS; r++)
		n += read.texcoord[r] != 0;
	return n;
}

/* Time, then FP slots, dependent reads, interpolators, VP slots; `a` is taken when equal. */
static bool not_worse(const struct move_result *a, const struct move_result *b, const struct move_options *o)
{
	uint64_t ta = target_pair(&o->target, a->vs, a->ps, o->pixels_per_vertex);
	uint64_t tb = target_pair(&o->target, b->vs, b->ps, o->pixels_per_vertex);
	if (ta != tb)
		return ta < tb;
	unsigned pa = program_total_slots(a->ps), pb = program_total_slots(b->ps);
	if (pa != pb)
		return pa < pb;
	unsigned oa = program_dependent_reads(a->ps), ob = program_dependent_reads(b->ps);
	if (oa != ob)
		return oa < ob;
	unsigned ia = interpolators(a->ps), ib = interpolators(b->ps);
	if (ia != ib)
		return ia < ib;
	return program_total_slots(a->vs) <= program_total_slots(b->vs);
}

/* The pair as it is; what could have moved did not pay. */
static struct move_result *unchanged(struct values *v, const struct program *vs)
{
	struct move_result *r = arena_zero(v->arena, sizeof *r);
	r->vs = program_copy(v->arena, vs);
	r->ps = program_copy(v->arena, v->ps);
	r->fates = arena_zero(v->arena, (v->ps->instrs.n + 1) * sizeof *r->fates);
	for (uint32_t k = 0; k < v->ps->instrs.n; k++)
		explain(v, k, instr_writes(&v->ps->instrs.at[k]), &r->fates[k]);
	return r;
}

/* What became of the instructions of `ps`, when the plan is for `v->ps`. */
static void explain_all(const struct values *v, const struct planned *p, const struct program *ps,
                        struct move_result *r)
{
	uint32_t n = ps->instrs.n;
	r->fates = arena_zero(v->arena, (n + 1) * sizeof *r->fates);
	if (v->ps == ps) {
		for (uint32_t k = 0; k < n; k++)
			explain(v, k, p->mask[k], &r->fates[k]);
	} else {
		/* Regrouped: what nothing stands for any more has left. */
		for (uint32_t k = 0; k < n; k++)
			r->fates[k] = (struct fate){.moved = instr_writes(&ps->instrs.at[k]), .because = UINT32_MAX};
		for (uint32_t j = 0; j < v->ps->instrs.n; j++) {
			uint32_t k = v->ps->instrs.at[j].at;
			if (k >= n || (instr_writes(&ps->instrs.at[k]) && !p->mask[j]))
				continue;
			struct fate f;
			explain(v, j, p->mask[j], &f);
			if (f.because != UINT32_MAX && v->ps->instrs.at[f.because].at < n)
				f.because = v->ps->instrs.at[f.because].at;
			else
				f.because = UINT32_MAX;
			f.moved = r->fates[k].moved & (lanes)~p->mask[j];
			r->fates[k] = f;
		}
		for (uint32_t k = 0; k < n; k++) {
			struct fate *f = &r->fates[k];
			for (unsigned lane = 0; lane < LANES; lane++)
				if (f->moved >> lane & 1)
					f->lane[lane] = MOVE_MOVED;
			if (f->moved && f->moved == instr_writes(&ps->instrs.at[k]))
				f->verdict = MOVE_MOVED;
		}
		for (uint32_t j = 0; j < r->ps->instrs.n; j++) {
			srcpos *at = &r->ps->instrs.at[j].at;
			*at = *at < n ? ps->instrs.at[*at].at : SRCPOS_NONE;
		}
	}
	for (uint32_t k = 0; k < n; k++)
		r->moved += r->fates[k].verdict == MOVE_MOVED;
}

/* Notes about constants that tidying removed. */
static void drop_notes(struct move_result *r)
{
	uint32_t kept = 0;
	for (uint32_t k = 0; k < r->folds.n; k++) {
		const struct folded *f = &r->folds.at[k];
		const struct decl *d = program_decl(f->stage == STAGE_VERTEX ? r->vs : r->ps, REG_CONST, f->index);
		if (d && d->kind == DECL_DEF)
			r->folds.at[kept++] = *f;
	}
	r->folds.n = kept;
	kept = 0;
	for (uint32_t k = 0; k < r->consts.n; k++)
		if (program_reads(r->vs, REG_CONST, r->consts.at[k].vs))
			r->consts.at[kept++] = r->consts.at[k];
	r->consts.n = kept;
}

/* Both programs without what nobody needs, if that is no worse in any respect. */
static struct move_result *tidied(struct arena *arena, struct move_result *r, const struct move_options *o)
{
	struct move_result *t = arena_alloc(arena, sizeof *t);
	*t = *r;
	t->vs = program_copy(arena, r->vs);
	t->ps = program_copy(arena, r->ps);
	t->ps->model = PS_2_0; /* what is written, whatever was read: no swizzle may become what that has not */
	bool changed = tidy_program(arena, t->ps, NULL);
	struct outputs_read read = outputs_read_by(t->ps);
	changed |= tidy_program(arena, t->vs, &read);
	if (!changed || !not_worse(t, r, o))
		return r;
	drop_notes(t);
	return t;
}

/* The better of `best` and the best plan for `v->ps`, which computes what `ps` does. */
static struct move_result *plan_for(struct values *v, const struct program *vs, const struct program *ps,
                                    const struct move_options *options, struct move_result *best)
{
	struct planned *p = plan_search(v, vs, options);
	if (!p)
		return best;
	if (v->ps == ps) {
		best->nodes = p->result->nodes;
		best->optimal = p->result->optimal;
		best->gap = p->result->gap;
	}
	if (!fits(p->result->vs, p->result->ps, options))
		return best;
	explain_all(v, p, ps, p->result);
	struct move_result *r = tidied(v->arena, p->result, options);
	return not_worse(best, r, options) ? best : r;
}

struct move_result *move_plan(struct arena *arena, const struct program *vs, const struct program *ps,
                              const struct move_options *options)
{
	struct move_result *best = move_paper(arena, vs, ps, options);
	bool staged = options->max_moves < ps->instrs.n || options->ps_slots || options->colour_inputs;
	if (staged)
		return best;
	struct values *v = values_number(arena, vs, ps);
	struct move_result *as_it_is = unchanged(v, vs);
	if (not_worse(as_it_is, best, options) && fits(vs, ps, options))
		best = as_it_is;
	best = plan_for(v, vs, ps, options, tidied(arena, best, options));
	/* Finished pairs are compared, so that -O3 is never behind -O2. */
	for (unsigned eager = 0; options->level >= 3 && eager < 2; eager++) {
		const struct program *way = reassociate(arena, vs, ps, eager);
		if (way)
			best = plan_for(values_number(arena, vs, way), vs, ps, options, best);
	}
	return best;
}
