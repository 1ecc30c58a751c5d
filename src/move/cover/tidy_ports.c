/* Movs that are there only because one instruction can read no two constants: other ways to the same value that
 * need none, or one for several.  Of vertex programs; in pixel programs what constants alone make has moved, where it could:
 * what is left are movs of lanes that no swizzle brings. */
#include "move/cover/tidy.h"

#include "lang/check.h"

#include <string.h>

/* What `inner` reads, read through the operand `outer` of its result. */
static struct src through(const struct src *outer, const struct src *inner)
{
	struct src s = *inner;
	s.swizzle = swizzle_after(outer->swizzle, inner->swizzle);
	s.negate = outer->negate != inner->negate;
	s.letters = 0;
	return s;
}

/* Operand `s` of k as the constant that a mov brings for it alone. */
static bool brought(struct tidy *t, uint32_t k, unsigned s, struct src *constant)
{
	const struct program *p = t->p;
	if (p->instrs.at[k].src[s].file != REG_TEMP || instr_rows(&p->instrs.at[k], s) > 1)
		return false;
	uint32_t def = flow_sole_def(tidy_flow(t), k, s);
	const struct instr *mov = def != UINT32_MAX ? &p->instrs.at[def] : NULL;
	if (!mov || mov->op != OP_MOV || mov->flags & INSTR_SAT || mov->src[0].file != REG_CONST || mov->src[0].relative ||
	    !flow_is_sole_use(tidy_flow(t), k, s))
		return false;
	*constant = through(&p->instrs.at[k].src[s], &mov->src[0]);
	return true;
}

/* --- sums and products of two constants: in another order ---------------------------- */

/* a + b or a b, read by one operand of `whole`, as two instructions that read one of them each. */
static bool parted(const struct instr *whole, unsigned s, bool product, struct src a, struct src b, struct instr *first,
                   struct instr *second)
{
	struct src const rest = {.file = REG_TEMP, .swizzle = SWIZZLE_XYZW, .at = SRCPOS_NONE};
	bool factor = whole->op == OP_MUL || (whole->op == OP_MAD && s < 2);
	struct src other = whole->src[whole->op == OP_MAD && s == 2 ? 0 : 1 - s];
	*first = *second = *whole;
	if (product && factor) {
		first->op = OP_MUL;
		first->src[0] = other;
		first->src[1] = a;
		second->src[0] = rest;
		second->src[1] = b;
		return true;
	}
	if (product)
		return false;
	if (factor) {
		second->op = OP_MAD;
		first->src[0] = second->src[0] = other;
		first->src[1] = a;
		second->src[1] = b;
		second->src[2] = rest;
		return true;
	}
	if (whole->op == OP_MAD) {
		first->src[2] = a;
	} else {
		other.negate ^= whole->op == OP_SUB && s == 0;
		first->op = OP_ADD;
		first->src[0] = other;
		first->src[1] = a;
	}
	second->op = OP_ADD;
	second->src[0] = rest;
	second->src[1] = b;
	return true;
}

static bool part_at(struct tidy *t, uint32_t k, unsigned s)
{
	struct program *p = t->p;
	struct instr whole = p->instrs.at[k], first, second;
	uint32_t m = whole.src[s].file == REG_TEMP ? flow_sole_def(tidy_flow(t), k, s) : UINT32_MAX;
	const struct instr *pair = m != UINT32_MAX ? &p->instrs.at[m] : NULL;
	bool product = pair && pair->op == OP_MUL, sum = pair && (pair->op == OP_ADD || pair->op == OP_SUB);
	if ((!product && !sum) || !t->limits || !t->limits->regroup || pair->flags & INSTR_SAT || whole.flags & INSTR_SAT ||
	    !flow_is_sole_use(tidy_flow(t), k, s) || tidy_is_exact(t, k))
		return false;
	for (unsigned u = 0; u < 2; u++) {
		struct src b, a = pair->src[1 - u];
		if (a.file != REG_CONST || a.relative || !brought(t, m, u, &b))
			continue;
		a.negate ^= pair->op == OP_SUB && u == 0;
		b.negate ^= pair->op == OP_SUB && u == 1;
		a = through(&whole.src[s], &a);
		b = through(&whole.src[s], &b);
		bool minus = whole.src[s].negate;
		if (product) /* the sign is there twice */
			a.negate ^= minus;
		if (whole.op == OP_SUB && s == 1) {
			a.negate = !a.negate;
			b.negate = !b.negate;
		}
		if (!parted(&whole, s, product, a, b, &first, &second))
			continue;
		int reg = tidy_free_temp(t, tidy_flow(t), whole.dst.mask, k, k, s);
		if (reg < 0)
			return false;
		first.dst = dst_lanes(REG_TEMP, reg, whole.dst.mask);
		first.comments = NULL;
		first.blank = false;
		first.at = SRCPOS_NONE;
		unsigned rest = second.op == OP_MAD && !product ? 2 : 0;
		second.src[rest].index = (int16_t)reg;
		if (check_instr_alone(p, &first) || check_instr_alone(p, &second))
			continue;
		p->instrs.at[k] = second;
		*tidy_insert(t, k) = first;
		return true;
	}
	return false;
}

/* --- one mov for several instructions ----------------------------------------------- */

/* Is k to read c`reg` beside a constant that a mov brings? */
static bool is_site(struct tidy *t, uint32_t k, int reg, struct instr *swapped, lanes *read)
{
	const struct instr *i = &t->p->instrs.at[k];
	bool direct = false, other = false;
	*read = 0;
	EACH_SOURCE(s, i) {
		if (i->src[s].file != REG_CONST)
			continue;
		if (i->src[s].index != reg || i->src[s].relative || instr_rows(i, s) > 1)
			return false;
		direct = true;
		*read |= instr_reads(t->p, i, s);
	}
	if (!direct)
		return false;
	*swapped = *i;
	EACH_SOURCE(s, i) {
		struct src known;
		if (i->src[s].file == REG_CONST) {
			swapped->src[s].file = REG_TEMP;
		} else if (!other && brought(t, k, s, &known)) {
			other = known.index != reg;
			swapped->src[s] = known;
		}
	}
	return other;
}

/* Such an instruction as it reads r`temp` in the place of c`reg`; false: it is none. */
static bool swap_at_site(struct tidy *t, uint32_t k, int reg, int temp, struct instr *swapped)
{
	lanes read;
	if (!is_site(t, k, reg, swapped, &read))
		return false;
	EACH_SOURCE(s, swapped)
		if (swapped->src[s].file == REG_TEMP && t->p->instrs.at[k].src[s].file == REG_CONST)
			swapped->src[s].index = (int16_t)temp;
	return true;
}

static bool share_mov(struct tidy *t, int reg)
{
	struct program *p = t->p;
	struct instr swapped;
	uint32_t from = UINT32_MAX, to = 0, sites = 0;
	lanes all = 0, read;
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		if (!is_site(t, k, reg, &swapped, &read))
			continue;
		from = sites++ ? from : k;
		to = k;
		all |= read;
	}
	int temp = sites > 1 ? tidy_free_temp(t, tidy_flow(t), all, from, to, MAX_SOURCES) : -1;
	if (temp < 0)
		return false;
	for (uint32_t k = from; k <= to; k++)
		if (swap_at_site(t, k, reg, temp, &swapped) && check_instr_alone(p, &swapped))
			return false;
	for (uint32_t k = from; k <= to; k++) {
		if (!swap_at_site(t, k, reg, temp, &swapped))
			continue;
		p->instrs.at[k] = swapped;
		t->stale = true;
	}
	struct instr *mov = tidy_insert(t, from);
	mov->op = OP_MOV;
	mov->dst = dst_lanes(REG_TEMP, temp, all);
	mov->src[0] = (struct src){.file = REG_CONST, .index = (int16_t)reg, .swizzle = SWIZZLE_XYZW, .at = SRCPOS_NONE};
	return true;
}

/* --- a product and a constant ------------------------------------------------------- */

/* Does a mov bring the constant, or any (-1), into a temporary? */
static bool is_copied(const struct program *p, int reg)
{
	bool any = false;
	for (uint32_t k = 0; k < p->instrs.n && !any; k++) {
		const struct instr *i = &p->instrs.at[k];
		any = i->op == OP_MOV && i->dst.file == REG_TEMP && i->src[0].file == REG_CONST && (reg < 0 || i->src[0].index == reg) &&
		      !i->src[0].relative;
	}
	return any;
}

/* The mul and add of two constants become a mad, one of them from a mov: tidy_weave makes it one with the other mov
 * that there is of that constant. */
static bool fuse_beside_mov(struct tidy *t, uint32_t k, unsigned s)
{
	struct program *p = t->p;
	struct instr const sum = p->instrs.at[k];
	uint32_t m = sum.src[s].file == REG_TEMP ? flow_sole_def(tidy_flow(t), k, s) : UINT32_MAX;
	const struct src *constant = &sum.src[1 - s];
	bool clash = m != UINT32_MAX && p->instrs.at[m].op == OP_MUL && constant->file == REG_CONST && !constant->relative;
	if (!clash || tidy_is_exact(t, k))
		return false;
	for (unsigned a = 0; a < 3; a++) {
		const struct instr *at = a < 2 ? &p->instrs.at[m] : &sum;
		struct src const old = a < 2 ? at->src[a] : *constant;
		uint32_t before = a < 2 ? m : k;
		if (old.file != REG_CONST || old.relative || !is_copied(p, old.index))
			continue;
		lanes read = instr_reads(p, at, a < 2 ? a : 1 - s);
		int temp = tidy_free_temp(t, tidy_flow(t), read, before, k, MAX_SOURCES);
		if (temp < 0)
			continue;
		struct src *moved = &p->instrs.at[before].src[a < 2 ? a : 1 - s];
		moved->file = REG_TEMP;
		moved->index = (int16_t)temp;
		struct instr *mov = tidy_insert(t, before);
		mov->op = OP_MOV;
		mov->dst = dst_lanes(REG_TEMP, temp, read);
		mov->src[0] = (struct src){.file = REG_CONST, .index = old.index, .swizzle = SWIZZLE_XYZW, .at = SRCPOS_NONE};
		if (tidy_fuse(t, k + 1, s))
			return true;
		tidy_remove(t, before);
		p->instrs.at[before].src[a < 2 ? a : 1 - s] = old;
	}
	return false;
}

/* --- lanes of one constant that no swizzle brings ----------------------------------- */

/* The movs, one for each lane that k writes, which bring lanes of one constant for operand `s` of it alone: without
 * them, as k can read that constant lane by lane.  Of pixel programs, whose swizzles are few. */
static bool split_at(struct tidy *t, uint32_t k, unsigned s)
{
	struct program *p = t->p;
	struct instr const whole = p->instrs.at[k];
	struct instr parts[LANES];
	uint32_t defs[LANES];
	unsigned n = 0;
	if (whole.src[s].file != REG_TEMP)
		return false;
	EACH_LANE(l, whole.dst.mask) {
		uint32_t const def = flow_def(tidy_flow(t), k, s, l);
		const struct instr *mov = def < FLOW_INPUT ? &p->instrs.at[def] : NULL;
		if (!mov || mov->op != OP_MOV || mov->flags & INSTR_SAT || mov->src[0].file != REG_CONST || mov->src[0].relative ||
		    (mov->dst.mask & (mov->dst.mask - 1)))
			return false;
		for (unsigned o = 0; o < n; o++)
			if (defs[o] == def)
				return false;
		defs[n] = def;
		struct instr *part = &parts[n++];
		*part = whole;
		part->src[s] = through(&whole.src[s], &mov->src[0]);
		EACH_SOURCE(o, &whole) {
			unsigned const from = swizzle_lane(part->src[o].swizzle, l);
			if (o != s && whole.src[o].file == REG_TEMP && whole.dst.file == REG_TEMP && whole.src[o].index == whole.dst.index && from != l &&
			    whole.dst.mask >> from & 1)
				return false; /* it would be overwritten by another part */
			part->src[o].letters = 0;
			part->src[o].swizzle = from == l ? SWIZZLE_XYZW : swizzle_replicate(from);
		}
		instr_set_mask(part, (lanes)(1u << l));
		if (n > 1)
			part->comments = NULL;
		if (check_instr_alone(p, part))
			return false;
	}
	if (n < 2 || !flow_is_sole_use(tidy_flow(t), k, s))
		return false;
	p->instrs.at[k] = parts[0];
	for (unsigned o = 1; o < n; o++)
		*tidy_insert(t, k + o) = parts[o];
	t->stale = true;
	return true; /* the movs are dead now */
}

bool tidy_ports(struct tidy *t)
{
	struct program *p = t->p;
	bool looked_at[MOST_CONSTS] = {false}; /* constants for which share_mov() found nothing */
	if (!t->limits || !is_copied(p, -1))
		return false;
	for (uint32_t k = 0; k < p->instrs.n && program_stage(p) == STAGE_PIXEL; k++) {
		const struct instr *i = &p->instrs.at[k];
		for (unsigned s = 0; ops[i->op].shape == SHAPE_LANES && i->dst.file == REG_TEMP && s < ops[i->op].sources; s++)
			if (split_at(t, k, s))
				return true;
	}
	if (program_stage(p) == STAGE_PIXEL)
		return false;
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		const struct instr *i = &p->instrs.at[k];
		bool sums = i->op == OP_ADD || i->op == OP_SUB || i->op == OP_MUL || i->op == OP_MAD;
		for (unsigned s = 0; sums && s < ops[i->op].sources; s++)
			if (part_at(t, k, s))
				return true; /* the pair and its mov are dead now */
		for (unsigned s = 0; (i->op == OP_ADD || i->op == OP_SUB) && s < 2; s++)
			if (fuse_beside_mov(t, k, s))
				return true;
		EACH_SOURCE(s, i) {
			int const reg = i->src[s].index;
			if (i->src[s].file != REG_CONST || i->src[s].relative || (reg < MOST_CONSTS && looked_at[reg]))
				continue;
			if (share_mov(t, reg))
				return true;
			if (reg < MOST_CONSTS)
				looked_at[reg] = true;
		}
	}
	return false;
}
