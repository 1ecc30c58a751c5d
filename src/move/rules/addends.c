/* Products and sums as mad.
 *
 * One mad for a product and a sum, each of which reads a constant, or a t#: with `mul r1, r0, c0`, `add r1, r1, c1` is
 * `mad r1, r0, c0, r2` with r2 = c1, which can leave.  The same numbers. */
#include "move/rules/rules.h"


static bool is_addition(const struct instr *i)
{
	return i->op == OP_ADD || i->op == OP_SUB;
}

/* Can no mad multiply by one and add the other? */
static bool clash(const struct src *a, const struct src *b)
{
	return a->file == b->file && a->index != b->index && (a->file == REG_CONST || a->file == REG_TEXCOORD);
}

static bool is_product_beside(const struct instr *i, const struct src *added)
{
	return i->op == OP_MUL && !(i->flags & INSTR_SAT) && (clash(&i->src[0], added) || clash(&i->src[1], added));
}

/* The mad of the product that operand s of the root is, and what that adds; false: there is no such product. */
static bool write_mad(struct rewriting *w, unsigned s)
{
	const struct instr *sum = &w->ps->instrs.at[w->root];
	uint32_t const def = rules_sole_def(w->values, w->root, s);
	if (def == UINT32_MAX || !is_product_beside(&w->ps->instrs.at[def], &sum->src[1 - s]) || w->readers[def] > 1)
		return false;
	const struct instr *product = &w->ps->instrs.at[def];
	struct src added = sum->src[1 - s];
	unsigned at[LANES];
	for (unsigned l = 0; l < LANES; l++)
		at[l] = swizzle_lane(sum->src[s].swizzle, l);
	struct instr mad = {.op = OP_MAD, .flags = sum->flags & product->flags};
	for (unsigned f = 0; f < 2; f++)
		if (!rules_source(w, def, f, at, sum->dst.mask, &mad.src[f]))
			return false;
	mad.src[0].negate ^= sum->src[s].negate != (sum->op == OP_SUB && s == 1);
	added.negate = false;
	mad.src[2] = rules_put(w, (struct instr){.op = OP_MOV, .src = {added}, .at = SRCPOS_NONE}, sum->dst.mask);
	mad.src[2].negate = sum->src[1 - s].negate != (sum->op == OP_SUB && s == 0);
	rules_put(w, mad, sum->dst.mask);
	return true;
}

void rule_addends(struct rewriting *w)
{
	/* Alternatives within one another make the search long, and hardly ever gain anything together. */
	for (unsigned s = 0; is_addition(&w->ps->instrs.at[w->root]) && !w->opened[w->root] && s < 2; s++) {
		rules_begin(w);
		if (write_mad(w, s))
			rules_add(w);
		else
			rules_drop(w);
	}
}
