/* Computes sums separately from their _sat.
 *
 * `add_sat r0.xyz, t1, r2` with r2 = t2 becomes `mov_sat r0.xyz, r3` with r3 = t1 + r2, which can leave and takes no more interpolator
 * lanes than the result has.  The results are the same floats. */
#include "move/rules/rules.h"

static bool is_clamped_sum(const struct instr *i)
{
	return i->flags & INSTR_SAT && i->dst.file == REG_TEMP &&
	       (i->op == OP_ADD || i->op == OP_SUB || i->op == OP_MUL || i->op == OP_MAD || i->op == OP_LRP);
}

void rule_clamped(struct rewriting *w)
{
	const struct instr *root = &w->ps->instrs.at[w->root];
	bool may = is_clamped_sum(root);
	for (unsigned s = 0; may && s < ops[root->op].sources; s++)
		EACH_LANE(l, root->dst.mask)
			may &= value_may_move(w->values, w->values->use[w->root][s].value[l]);
	if (!may)
		return;
	rules_begin(w);
	struct instr clamp = {.op = OP_MOV, .flags = root->flags & INSTR_PP, .at = SRCPOS_NONE};
	clamp.src[0] = rules_put(w, *root, root->dst.mask);
	rules_put(w, clamp, root->dst.mask);
	rules_add(w);
}
