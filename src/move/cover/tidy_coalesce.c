/* Movs that go because two registers can be one.  As in Chaitin's allocator, but lane by lane: the registers may be busy at
 * the same time, as long as no lane is.
 *
 * A copy: mul r1.xyz, r0, t0 and mov r1.w, r0.w are mul r0.xyz, r0, t0, with what read r1 reading r0.
 * Two movs of constants: mov r0.z, c0.y for a normal and mov r9.w, c0.y for the colour that is made when the normal is read no
 * more are mov r0.zw, c0.y. */
#include "move/cover/tidy.h"
#include "move/graph/registers.h"

#include "lang/check.h"

#include <string.h>

/* A copy in which each web has a number of its own, from VIRTUAL_REGS on; NULL: it has too many.  `known`: that copy once it was
 * made, NULL again when the program changed. */
static const struct program *separated(const struct tidy *t, const struct program **known)
{
	if (!*known) {
		struct program *apart = program_copy(t->arena, t->p);
		*known = regs_separate(t->arena, apart) ? apart : NULL;
	}
	return *known;
}

/* Do all reads of `new` find what those of `old` found?  Instruction k is gone: they find what `by` made or, where by is k
 * itself, a copy, what that copied. */
static bool same_flow(const struct flow *old, const struct flow *new, uint32_t k, uint32_t by)
{
	for (uint32_t n = 0; n < old->program->instrs.n; n++) {
		if (n == k)
			continue;
		for (uint32_t r = old->first[n], q = new->first[n]; r < old->first[n + 1]; r++, q++) {
			uint32_t def = old->read[r].def;
			if (def == k)
				def = by != k ? by : flow_def(old, k, 0, old->read[r].from);
			if (new->read[q].def != def)
				return false;
		}
	}
	return true;
}

/* In `new`, the webs that `apart` numbers a and b get one number that is no other's.  False: they can't be one. */
static bool name_as_one(struct program *new, const struct program *apart, int a, int b)
{
	for (uint32_t n = 0; n < new->instrs.n; n++) {
		struct instr *i = &new->instrs.at[n];
		const struct instr *named = &apart->instrs.at[n];
		EACH_SOURCE(s, i)
			if (i->src[s].file == REG_TEMP && (named->src[s].index == a || named->src[s].index == b))
				i->src[s].index = VIRTUAL_REGS;
		if (i->dst.file != REG_TEMP || !instr_writes(i) || (named->dst.index != a && named->dst.index != b))
			continue;
		if (i->op == OP_SINCOS || i->op == OP_SGN)
			return false; /* it leaves undefined what it is not asked to write */
		i->dst.index = VIRTUAL_REGS;
	}
	return true;
}

/* The program without instruction k and with the webs `a` and `b` of definitions, as `apart` numbers them, in one register.
 * `both`: what instruction j is then; NULL: k is a copy of b.  False: the program is as it was. */
static bool unite_webs(struct tidy *t, const struct program *apart, int a, int b, uint32_t k, uint32_t j, const struct instr *both)
{
	struct program *p = t->p, *new = program_copy(t->arena, p);
	if (a < VIRTUAL_REGS || b < VIRTUAL_REGS || !name_as_one(new, apart, a, b))
		return false;
	if (both) {
		new->instrs.at[j] = *both;
		new->instrs.at[j].dst.index = VIRTUAL_REGS;
	}
	new->instrs.at[k].op = OP_NOP;
	if (!regs_allocate(t->arena, new, t->limits ? t->limits->temps : models[p->model].temps) ||
	    program_dependent_reads(new) > program_dependent_reads(p) || !same_flow(tidy_flow(t), flow_find(t->arena, new), k, both ? j : k))
		return false;
	for (uint32_t n = 0; n < new->instrs.n; n++)
		if (n != k && !(both && n == j) && check_instr_alone(new, &new->instrs.at[n]) > check_instr_alone(p, &p->instrs.at[n]))
			return false;
	memcpy(p->instrs.at, new->instrs.at, p->instrs.n * sizeof *p->instrs.at);
	return true;
}

/* --- copies --------------------------------------------------------------------------- */

static bool is_copy(const struct instr *i)
{
	const struct src *src = &i->src[0];
	if (i->op != OP_MOV || i->dst.file != REG_TEMP || src->file != REG_TEMP || i->flags & INSTR_SAT || src->negate ||
	    i->dst.index == src->index)
		return false;
	EACH_LANE(lane, i->dst.mask)
		if (swizzle_lane(src->swizzle, lane) != lane)
			return false;
	return true;
}

/* Copy k goes. */
static bool unite_copy(struct tidy *t, const struct program **known, uint32_t k)
{
	const struct program *apart = is_copy(&t->p->instrs.at[k]) ? separated(t, known) : NULL;
	if (!apart)
		return false;
	const struct instr *mov = &apart->instrs.at[k];
	if (!unite_webs(t, apart, mov->dst.index, mov->src[0].index, k, k, NULL))
		return false;
	tidy_remove(t, k);
	*known = NULL;
	return true;
}

/* --- movs of constants ---------------------------------------------------------------- */

/* A mov to a temporary of what is the same wherever it stands. */
static bool is_given(const struct instr *i)
{
	return i->op == OP_MOV && i->dst.file == REG_TEMP && i->src[0].file != REG_TEMP && !i->src[0].relative;
}

/* Both movs as one, in all their lanes; of two registers, or where no swizzle brings the lanes, by a def. */
static bool one_mov(struct tidy *t, const struct instr *a, const struct instr *b, struct instr *both, struct literal_place *where)
{
	const struct src *x = &a->src[0], *y = &b->src[0];
	unsigned from[LANES] = {0};
	float number[LANES] = {0};
	bool const one = x->file == y->file && x->index == y->index && x->negate == y->negate;
	bool known = true;
	*both = *a;
	where->decl = UINT32_MAX;
	instr_set_mask(both, a->dst.mask | b->dst.mask);
	both->src[0].letters = 0;
	for (unsigned l = 0; l < LANES; l++) {
		const struct src *s = a->dst.mask >> l & 1 ? x : y;
		if (!(both->dst.mask >> l & 1))
			continue;
		const struct decl *def = tidy_def(t, s);
		from[l] = swizzle_lane(s->swizzle, l);
		known = known && def && !tidy_is_noted(t, s->index, from[l]);
		number[l] = known ? (s->negate ? -def->value[from[l]] : def->value[from[l]]) : 0;
		if (a->dst.mask & b->dst.mask & 1u << l && (!one || swizzle_lane(y->swizzle, l) != from[l]))
			return false;
	}
	if (one && tidy_swizzle(t, both, 0, from, both->dst.mask, &both->src[0].swizzle))
		return true;
	return known && tidy_numbers(t, both, 0, number, where);
}

/* Instruction k goes, j < k does what both did.  False: the program is as it was. */
static bool unite_given(struct tidy *t, const struct program **known, uint32_t j, uint32_t k)
{
	struct instr const *x = &t->p->instrs.at[j], *y = &t->p->instrs.at[k];
	struct instr both;
	struct literal_place where;
	const struct program *apart = x->flags == y->flags && one_mov(t, x, y, &both, &where) ? separated(t, known) : NULL;
	if (!apart || !unite_webs(t, apart, apart->instrs.at[j].dst.index, apart->instrs.at[k].dst.index, k, j, &both))
		return false;
	tidy_place(t, &where);
	tidy_remove(t, k);
	*known = NULL;
	return true;
}

static bool unite_all_given(struct tidy *t, const struct program **known)
{
	bool changed = false;
	for (uint32_t k = 1; k < t->p->instrs.n; k++)
		for (uint32_t j = 0; j < k && k < t->p->instrs.n && is_given(&t->p->instrs.at[k]); j++)
			if (is_given(&t->p->instrs.at[j]) && unite_given(t, known, j, k)) {
				changed = true;
				j = UINT32_MAX; /* another instruction is in its place: from the first one again */
			}
	return changed;
}

bool tidy_coalesce(struct tidy *t)
{
	const struct program *known = NULL;
	bool changed = program_stage(t->p) == STAGE_PIXEL && t->limits && t->limits->last && unite_all_given(t, &known);
	for (uint32_t k = 0; (program_stage(t->p) == STAGE_PIXEL || (t->limits && t->limits->last)) && k < t->p->instrs.n; k++) {
		if (!unite_copy(t, &known, k))
			continue;
		changed = true;
		k--;
	}
	return changed;
}
