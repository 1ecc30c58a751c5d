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

/* FP slots, then dependent reads, then VP slots; `a` is taken when equal. */
static bool not_worse(const struct move_result *a, const struct move_result *b)
{
	unsigned pa = program_total_slots(a->ps), pb = program_total_slots(b->ps);
	if (pa != pb)
		return pa < pb;
	unsigned oa = program_dependent_reads(a->ps), ob = program_dependent_reads(b->ps);
	if (oa != ob)
		return oa < ob;
	return program_total_slots(a->vs) <= program_total_slots(b->vs);
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

/* The better of `best` and the best plan for `way`, which computes what `ps` does. */
static struct move_result *plan_for(const struct program *vs, const struct program *ps, const struct program *way,
                                    const struct move_options *options, struct move_result *best,
                                    struct arena *arena)
{
	struct values *v = values_number(arena, vs, way);
	struct planned *p = plan_search(v, vs, options);
	if (!p || !fits(p->result->vs, p->result->ps, options))
		return best;
	bool taken = way == ps ? not_worse(p->result, best) : !not_worse(best, p->result);
	if (!taken)
		return best;
	explain_all(v, p, ps, p->result);
	return p->result;
}

struct move_result *move_plan(struct arena *arena, const struct program *vs, const struct program *ps,
                              const struct move_options *options)
{
	struct move_result *best = move_paper(arena, vs, ps, options);
	bool staged = options->max_moves < ps->instrs.n || options->ps_slots || options->colour_inputs;
	if (staged)
		return best;
	best = plan_for(vs, ps, ps, options, best, arena);
	for (unsigned eager = 0; options->level >= 3 && eager < 2; eager++) {
		const struct program *way = reassociate(arena, vs, ps, eager);
		if (way)
			best = plan_for(vs, ps, way, options, best, arena);
	}
	return best;
}
