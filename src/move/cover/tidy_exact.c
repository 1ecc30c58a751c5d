/* Finds the operations of a VP that must stay as they are written, because oPos or a0 depends on them.  Another draw may use the same mesh with the
 * old VP and compare depths for equality, so that a position must be the same to the last bit; and an address halfway between two constants must be
 * rounded to the same one.  Fog and point size may change: no test compares them with those of another draw.  Registers, lanes, copies, the order of
 * independent operations, and the registers of literals may all change. */
#include "move/cover/tidy.h"

#include <string.h>

static void find_exact(struct tidy *t)
{
	const struct program *p = t->p;
	const struct flow *f = t->flow;
	if (p->instrs.n > t->exact_size) {
		t->exact_size = p->instrs.n;
		t->exact = arena_alloc(t->arena, t->exact_size * sizeof *t->exact);
	}
	memset(t->exact, 0, p->instrs.n * sizeof *t->exact);
	bool blocks = false; /* a later block of flow control writes oPos or a0 and so depends on all that it reads */
	for (uint32_t k = p->instrs.n; k-- > 0;) {
		const struct instr *i = &p->instrs.at[k];
		t->exact[k] |= instr_writes(i) && (i->dst.file == REG_POS_OUT || i->dst.file == REG_ADDRESS);
		blocks |= t->exact[k] && i->op == OP_REGION_OUT;
		t->exact[k] |= blocks && op_is_region(i->op);
		for (uint32_t r = f->first[k]; t->exact[k] && r < f->first[k + 1]; r++)
			if (f->read[r].def < FLOW_INPUT)
				t->exact[f->read[r].def] = true;
	}
}

bool tidy_is_exact(struct tidy *t, uint32_t k)
{
	if (program_stage(t->p) != STAGE_VERTEX || (t->limits && t->limits->free_position))
		return false;
	tidy_flow(t);
	if (!t->exact_known)
		find_exact(t);
	t->exact_known = true;
	return t->exact[k];
}

/* Returns true if both operands read, in operand lane `lane`, the same register lane or the same literal to the bit, sign included.  `where` tells
 * which def will hold the literal of `y`; it may be NULL. */
static bool brings_same_lane(const struct tidy *t, const struct src *x, const struct src *y, unsigned lane, const struct literal_place *where)
{
	bool const placed = y->file == REG_CONST && !y->relative && where && where->decl != UINT32_MAX && y->index == where->def.reg.index;
	const struct decl *a = tidy_def(t, x), *b = placed ? &where->def : tidy_def(t, y);
	unsigned const from = swizzle_lane(x->swizzle, lane), other = swizzle_lane(y->swizzle, lane);
	if (!a || !b)
		return !a && !b && x->file == y->file && x->index == y->index && x->relative == y->relative && x->negate == y->negate &&
		       from == other;
	float const number = x->negate ? -a->value[from] : a->value[from], like = y->negate ? -b->value[other] : b->value[other];
	return memcmp(&number, &like, sizeof number) == 0;
}

bool tidy_is_mad_form(const struct instr *i)
{
	return i->op == OP_MOV || i->op == OP_ADD || i->op == OP_SUB || i->op == OP_MUL || i->op == OP_MAD;
}

bool tidy_does_the_same(const struct tidy *t, const struct instr *old, const struct instr *new, const struct literal_place *where)
{
	bool same = old->flags == new->flags && old->op == new->op && ops[old->op].shape == SHAPE_LANES;
	for (unsigned s = 0; same && s < ops[old->op].sources; s++)
		EACH_LANE(lane, old->dst.mask)
			same &= brings_same_lane(t, &old->src[s], &new->src[s], lane, where);
	return same;
}
