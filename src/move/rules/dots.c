/* Turns sums of squares into dot products.  requires: values of the current program; builds: alternatives.
 *
 * `dp2add r0.x, t0, t0, c31.x` with c31.x = 0 becomes `dp3 r0.x, r1, r1` with r1 = (t0.x, t0.y, 0), which can leave.  The values whose
 * squares are added up must be able to move; they are put into one register in the order of the sum. */
#include "move/rules/rules.h"

#include "move/graph/flow.h"

enum { MOST_MEMBERS = 8 };

/* A sum of squares, in the order in which they are added up. */
struct sum {
	const struct rewriting *w;
	uint32_t member[MOST_MEMBERS]; /* the instructions that compute the sum, the root first; one that is read twice is listed twice */
	unsigned members;
	unsigned n;            /* number of squares found */
	struct src of[LANES];  /* the values that are squared, without a sign */
	bool minus;            /* all squares are subtracted */
	bool pp;               /* all instructions that compute the sum have _pp */
};

static bool add_terms(struct sum *, uint32_t k, unsigned lane, bool minus);

/* Adds the squares whose sum is what operand `s` of instruction k reads at this position.  Returns false as add_terms() does. */
static bool add_operand(struct sum *sum, uint32_t k, unsigned s, unsigned position, bool minus)
{
	const struct src *src = &sum->w->ps->instrs.at[k].src[s];
	int32_t const def = sum->w->values->use[k][s].def[position];
	return src->file == REG_TEMP && def >= 0 && !(sum->w->ps->instrs.at[def].flags & INSTR_SAT) &&
	       add_terms(sum, (uint32_t)def, swizzle_lane(src->swizzle, position), minus != src->negate);
}

/* Adds the product of the first two operands of instruction k.  Returns false unless it is the square of an affine value that can move, or the
 * negation of that, with the same sign as the squares before; also if the root cannot read the value any more, or there are too many squares. */
static bool add_square(struct sum *sum, uint32_t k, unsigned position, bool minus)
{
	const struct values *v = sum->w->values;
	const struct instr *i = &sum->w->ps->instrs.at[k];
	value_id const x = v->use[k][0].value[position], y = v->use[k][1].value[position];
	bool const opposite = x != y;
	if (sum->n == LANES || !value_may_move(v, x) || !value_may_move(v, y) || value_at(v, x)->class == VALUE_CONST ||
	    (opposite && value_find_negated(v, x) != y) || (sum->n && sum->minus != (minus != opposite)) ||
	    !flow_source_keeps(sum->w->ps, i, 0, k, sum->w->root))
		return false;
	sum->minus = minus != opposite;
	sum->of[sum->n] = src_of_lane(&i->src[0], position);
	sum->of[sum->n++].negate = false;
	return true;
}

/* Adds the squares whose sum instruction k writes to the lane.  Returns false if it writes no sum of squares, or one that is added up in another
 * order than a dot product adds. */
static bool add_terms(struct sum *sum, uint32_t k, unsigned lane, bool minus)
{
	const struct instr *i = &sum->w->ps->instrs.at[k];
	bool const less = minus != (i->op == OP_SUB);
	if (sum->members == MOST_MEMBERS || (sum->n && i->op != OP_MUL))
		return false;
	sum->member[sum->members++] = k;
	sum->pp &= (i->flags & INSTR_PP) != 0;
	struct sum const before = *sum;
	switch ((enum op)i->op) {
	case OP_MUL: return add_square(sum, k, lane, minus);
	case OP_MAD: return add_operand(sum, k, 2, lane, minus) && add_square(sum, k, lane, minus);
	case OP_DP2ADD: {
		const struct use *added = &sum->w->values->use[k][2];
		return added->value[first_lane(added->read)] == sum->w->values->zero && add_square(sum, k, 0, minus) && add_square(sum, k, 1, minus);
	}
	case OP_ADD:
	case OP_SUB:
		if (add_operand(sum, k, 0, lane, minus) && add_operand(sum, k, 1, lane, less))
			return true;
		*sum = before; /* swaps the operands: the first is then a single square, the second the sum of the others */
		return add_operand(sum, k, 1, lane, less) && add_operand(sum, k, 0, lane, minus);
	default: return false;
	}
}

/* Returns true if no instruction outside the sum reads a result of those that compute it, except the root's. */
static bool is_sole_reader_of_members(const struct sum *sum)
{
	bool alone = true;
	for (unsigned m = 1; m < sum->members; m++) {
		uint32_t reads = 0;
		for (unsigned o = 1; o < sum->members; o++)
			reads += sum->member[o] == sum->member[m];
		alone &= reads == sum->w->readers[sum->member[m]];
	}
	return alone;
}

static unsigned slots_of_members(const struct sum *sum)
{
	unsigned slots = 0;
	for (unsigned m = 0; m < sum->members; m++)
		slots += instr_slots(&sum->w->ps->instrs.at[sum->member[m]], sum->w->ps->model);
	return slots;
}

void rule_dots(struct rewriting *w)
{
	const struct instr *root = &w->ps->instrs.at[w->root];
	struct sum sum = {.w = w, .pp = true};
	if (w->opened[w->root] || root->dst.file != REG_TEMP || root->op == OP_MUL || (root->op != OP_DP2ADD && count_lanes(root->dst.mask) != 1) ||
	    !add_terms(&sum, w->root, first_lane(root->dst.mask), false) || !is_sole_reader_of_members(&sum) || slots_of_members(&sum) < 2)
		return;
	rules_begin(w);
	int const reg = w->next_temp++;
	for (unsigned t = 0; t < sum.n; t++)
		rules_put_beside(w, (struct instr){.op = OP_MOV, .src = {sum.of[t]}, .at = SRCPOS_NONE}, reg, (lanes)(1u << t));
	if (sum.n == 2) { /* a number 0 that needs no def */
		struct instr none = {.op = OP_ADD, .src = {sum.of[0], sum.of[0]}, .at = SRCPOS_NONE};
		none.src[1].negate = true;
		rules_put_beside(w, none, reg, MASK_Z);
	}
	struct instr dot = {.op = sum.n == LANES ? OP_DP4 : OP_DP3, .src = {src_temp(reg), src_temp(reg)}, .at = w->root};
	dot.flags = root->flags & (uint8_t)(sum.pp ? 0xff : ~INSTR_PP);
	dot.src[0].negate = sum.minus;
	rules_put(w, dot, root->dst.mask);
	rules_add(w);
	for (unsigned m = 0; m < sum.members; m++)
		w->opened[sum.member[m]] = true;
}
