/* What stays as it is written: the operations behind oPos and a0.  Another pass may draw the same mesh with the vertex
 * program as it was, and compare depths for equality, so that a position must come out the same to the last bit; and an
 * address in the middle of two constants must fall to the same side.  Fog and point size are not among it: no test
 * compares them with what another pass left.  Registers, lanes, copies and the order of independent operations are
 * nobody's concern, nor is where a number stands. */
#include "move/tidy.h"

#include <string.h>

static void find_exact(struct tidy *t)
{
	const struct program *p = t->p;
	const struct flow *f = t->flow;
	if (p->instrs.n > t->exact_room) {
		t->exact_room = p->instrs.n;
		t->exact = arena_alloc(t->arena, t->exact_room * sizeof *t->exact);
	}
	memset(t->exact, 0, p->instrs.n * sizeof *t->exact);
	for (uint32_t k = p->instrs.n; k-- > 0;) {
		const struct instr *i = &p->instrs.at[k];
		t->exact[k] |= instr_writes(i) && (i->dst.file == REG_POS_OUT || i->dst.file == REG_ADDRESS);
		for (uint32_t r = f->first[k]; t->exact[k] && r < f->first[k + 1]; r++)
			if (f->read[r].def < FLOW_INPUT)
				t->exact[f->read[r].def] = true;
	}
}

bool tidy_is_exact(struct tidy *t, uint32_t k)
{
	if (program_stage(t->p) != STAGE_VERTEX || (t->room && t->room->free_position))
		return false;
	tidy_flow(t);
	if (!t->exact_known)
		find_exact(t);
	t->exact_known = true;
	return t->exact[k];
}

/* The def of the operand's constant, as it will be; NULL: it is none's. */
static const struct decl *def_of(const struct tidy *t, const struct src *s, const struct literal_place *where)
{
	bool constant = s->file == REG_CONST && !s->relative;
	bool placed = constant && where && where->decl != UINT32_MAX && s->index == where->def.reg.index;
	return placed ? &where->def : tidy_def(t, s);
}

/* The same register lane, or the same number to the bit, sign included? */
static bool same_operand(const struct tidy *t, const struct src *a, const struct src *b, unsigned lane,
                         const struct literal_place *where)
{
	unsigned const la = swizzle_lane(a->swizzle, lane), lb = swizzle_lane(b->swizzle, lane);
	const struct decl *da = tidy_def(t, a), *db = def_of(t, b, where);
	if (!da || !db)
		return a->file == b->file && a->index == b->index && a->relative == b->relative && a->negate == b->negate && la == lb;
	float const x = a->negate ? -da->value[la] : da->value[la], y = b->negate ? -db->value[lb] : db->value[lb];
	return memcmp(&x, &y, sizeof x) == 0;
}

bool tidy_does_the_same(const struct tidy *t, const struct instr *old, const struct instr *new,
                        const struct literal_place *where)
{
	bool same = old->op == new->op && old->flags == new->flags && ops[old->op].shape == SHAPE_LANES;
	bool const swap = old->op == OP_ADD || old->op == OP_MUL || old->op == OP_MAD;
	for (unsigned lane = 0; same && lane < LANES; lane++) {
		if (!(old->dst.mask >> lane & 1))
			continue;
		bool crossed = swap && same_operand(t, &old->src[0], &new->src[1], lane, where) &&
		               same_operand(t, &old->src[1], &new->src[0], lane, where);
		for (unsigned s = 0; same && s < ops[old->op].sources; s++)
			same = (crossed && s < 2) || same_operand(t, &old->src[s], &new->src[s], lane, where);
	}
	return same;
}
