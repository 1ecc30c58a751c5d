/* Copies that go because both registers can be one: mul r1.xyz, r0, t0 and mov r1.w, r0.w are mul r0.xyz, r0, t0,
 * with what read r1 reading r0.  As in Chaitin's allocator, but lane by lane: the registers may be busy at the same
 * time, as long as no lane is. */
#include "move/cover/tidy.h"

#include "lang/check.h"

#include <string.h>

/* Does the operand read one of the definitions? */
static bool reads_any(const struct flow *f, uint32_t n, unsigned s, const bool *in)
{
	for (uint32_t r = f->first[n]; r < f->first[n + 1]; r++)
		if (f->read[r].source == s && f->read[r].file == REG_TEMP && f->read[r].def < FLOW_INPUT && in[f->read[r].def])
			return true;
	return false;
}

/* Adds what operands read together with the definitions in `in`: all of that is in one register.  False: something
 * there must stay where it is. */
static bool close_web(const struct flow *f, bool *in)
{
	const struct program *p = f->program;
	for (bool grown = true; grown;) {
		grown = false;
		for (uint32_t n = 0; n < p->instrs.n; n++) {
			const struct instr *i = &p->instrs.at[n];
			for (unsigned s = 0; s < ops[i->op].sources; s++) {
				if (i->src[s].file != REG_TEMP || !reads_any(f, n, s, in))
					continue;
				if (instr_rows(i, s) > 1)
					return false;
				for (uint32_t r = f->first[n]; r < f->first[n + 1]; r++) {
					if (f->read[r].source != s || f->read[r].file != REG_TEMP)
						continue;
					if (f->read[r].def >= FLOW_INPUT)
						return false;
					grown |= !in[f->read[r].def];
					in[f->read[r].def] = true;
				}
			}
		}
	}
	return true;
}

/* Do all reads of `new` find what those of `old` found, or what the mov k brought there? */
static bool same_flow(const struct flow *old, const struct flow *new, uint32_t k)
{
	for (uint32_t n = 0; n < old->program->instrs.n; n++) {
		if (n == k)
			continue;
		for (uint32_t r = old->first[n], q = new->first[n]; r < old->first[n + 1]; r++, q++) {
			uint32_t def = old->read[r].def;
			if (new->read[q].def != (def == k ? flow_def(old, k, 0, old->read[r].from) : def))
				return false;
		}
	}
	return true;
}

/* The web in that register, without the mov k; false: the program is as it was. */
static bool unite_in(struct tidy *t, uint32_t k, const bool *in, int reg)
{
	struct program *p = t->p, *new = program_copy(t->arena, p);
	const struct flow *f = tidy_flow(t);
	for (uint32_t n = 0; n < p->instrs.n; n++) {
		struct instr *i = &new->instrs.at[n];
		bool moves = in[n];
		for (unsigned s = 0; s < ops[i->op].sources; s++)
			if (i->src[s].file == REG_TEMP && reads_any(f, n, s, in)) {
				i->src[s].index = (int16_t)reg;
				moves = true;
			}
		if (in[n])
			i->dst.index = (int16_t)reg;
		if (n == k)
			i->op = OP_NOP;
		else if ((i->op == OP_SINCOS || i->op == OP_SGN) && flow_clobbers(i, reg))
			return false; /* it leaves undefined what it is not asked to write */
		else if (moves && check_instr_alone(new, i) > check_instr_alone(p, &p->instrs.at[n]))
			return false;
	}
	if (!same_flow(f, flow_find(t->arena, new), k) || program_dependent_reads(new) > program_dependent_reads(p))
		return false;
	memcpy(p->instrs.at, new->instrs.at, p->instrs.n * sizeof *p->instrs.at);
	tidy_remove(t, k);
	return true;
}

static bool unite(struct tidy *t, uint32_t k)
{
	struct program *p = t->p;
	const struct instr *mov = &p->instrs.at[k];
	const struct src *src = &mov->src[0];
	if (mov->op != OP_MOV || mov->dst.file != REG_TEMP || src->file != REG_TEMP || mov->flags & INSTR_SAT || src->negate ||
	    mov->dst.index == src->index || swizzle_lanes(src->swizzle, mov->dst.mask) != mov->dst.mask)
		return false;
	for (unsigned lane = 0; lane < LANES; lane++)
		if (mov->dst.mask >> lane & 1 && swizzle_lane(src->swizzle, lane) != lane)
			return false;
	bool *in = arena_zero(t->arena, p->instrs.n * sizeof *in);
	in[k] = true;
	for (unsigned lane = 0; lane < LANES; lane++) {
		uint32_t def = mov->dst.mask >> lane & 1 ? flow_def(tidy_flow(t), k, 0, lane) : k;
		if (def >= FLOW_INPUT)
			return false;
		in[def] = true;
	}
	if (!close_web(tidy_flow(t), in))
		return false;
	int const temps = t->room ? (int)t->room->temps : (int)models[p->model].temps;
	int const regs[2] = {src->index, mov->dst.index};
	int fresh = 0;
	while (fresh < temps && tidy_uses_temp(p, fresh))
		fresh++;
	return unite_in(t, k, in, regs[0]) || unite_in(t, k, in, regs[1]) || (fresh < temps && unite_in(t, k, in, fresh));
}

bool tidy_coalesce(struct tidy *t)
{
	bool changed = false;
	for (uint32_t k = 0; (program_stage(t->p) == STAGE_PIXEL || (t->room && t->room->last)) && k < t->p->instrs.n; k++) {
		if (!unite(t, k))
			continue;
		changed = true;
		k--;
	}
	return changed;
}
