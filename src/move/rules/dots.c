/* Dot products.  requires: values of the program at hand; builds: a program.
 *
 * One dot product for sums of three or four products that compilers write one by one, and for sums of two squares of what can
 * move: `dp2add r0.x, t0, t0, c31.x` with c31.x = 0 becomes `dp3 r0.x, r1, r1` with r1 = (t0.x, t0.y, 0), which can leave.
 * What can move is put together in the order in which it is added up. */
#include "move/rules/rules.h"

#include "move/graph/flow.h"

#include <string.h>

enum { MOST_MEMBERS = 8 };

/* Operands 0 and 1 of an instruction, at a position. */
struct product {
	uint32_t at;
	unsigned position;
	bool minus;
};

/* A sum of products, in the order in which they are added up. */
struct sum {
	const struct values *v;
	const struct program *ps; /* whose temporaries the root can still read, see struct rewriting */
	uint32_t root, member[MOST_MEMBERS];
	unsigned members, n;
	struct product of[LANES];
	bool pp;
};

/* One side of the dot product: the factors. */
struct side {
	unsigned operand[LANES];
	bool gathered; /* they can move, and are put together */
	struct src src; /* else one register has them */
};

static bool is_member(const struct sum *s, uint32_t k)
{
	bool is = false;
	for (unsigned m = 0; m < s->members; m++)
		is |= s->member[m] == k;
	return is;
}

/* ---- reading ------------------------------------------------------------------------------- */

static bool add_terms(struct sum *, uint32_t k, unsigned position, bool minus);

/* What operand `s` of instruction k brings to the position. */
static bool follow(struct sum *sum, uint32_t k, unsigned s, unsigned position, bool minus)
{
	const struct src *src = &sum->ps->instrs.at[k].src[s];
	int32_t const def = sum->v->use[k][s].def[position];
	return src->file == REG_TEMP && def >= 0 && !(sum->ps->instrs.at[def].flags & INSTR_SAT) &&
	       add_terms(sum, (uint32_t)def, swizzle_lane(src->swizzle, position), minus != src->negate);
}

static bool add_product(struct sum *sum, uint32_t k, unsigned position, bool minus)
{
	if (sum->n == LANES)
		return false;
	sum->of[sum->n++] = (struct product){k, position, minus};
	return true;
}

static bool is_zero(const struct sum *sum, uint32_t k, unsigned s, unsigned position)
{
	return sum->v->use[k][s].value[position] == sum->v->zero;
}

/* Adds up what the instruction writes to the lane; false: that is no such sum, or it is one in another order. */
static bool add_terms(struct sum *sum, uint32_t k, unsigned lane, bool minus)
{
	const struct instr *i = &sum->ps->instrs.at[k];
	unsigned const before = sum->n;
	if (!is_member(sum, k)) {
		if (sum->members == MOST_MEMBERS)
			return false;
		sum->member[sum->members++] = k;
		sum->pp &= (i->flags & INSTR_PP) != 0;
	}
	switch ((enum op)i->op) {
	case OP_MUL: return add_product(sum, k, lane, minus);
	case OP_MAD: return before == 0 && follow(sum, k, 2, lane, minus) && add_product(sum, k, lane, minus);
	case OP_DP2ADD: {
		unsigned const third = first_lane(sum->v->use[k][2].read);
		return before == 0 && add_product(sum, k, 0, minus) && add_product(sum, k, 1, minus) &&
		       (is_zero(sum, k, 2, third) || (follow(sum, k, 2, third, minus) && sum->n == before + 3));
	}
	case OP_ADD:
	case OP_SUB: {
		bool const less = minus != (i->op == OP_SUB);
		if (before > 0)
			return false;
		struct sum const kept = *sum;
		if (follow(sum, k, 0, lane, minus) && follow(sum, k, 1, lane, less))
			return true;
		*sum = kept; /* the other way round: a sum, and a product */
		return follow(sum, k, 1, lane, less) && follow(sum, k, 0, lane, minus);
	}
	default: return false;
	}
}

/* The same for all lanes that it writes? */
static bool reads_alike(const struct instr *i)
{
	unsigned const first = first_lane(i->dst.mask);
	for (unsigned s = 0; ops[i->op].shape == SHAPE_LANES && s < ops[i->op].sources; s++)
		EACH_LANE(l, i->dst.mask)
			if (swizzle_lane(i->src[s].swizzle, l) != swizzle_lane(i->src[s].swizzle, first))
				return false;
	return true;
}

/* Does nobody read what the members write, but to add it up? */
static bool is_alone(const struct sum *sum)
{
	const struct values *v = sum->v;
	for (unsigned t = 0; t < sum->n; t++)
		for (unsigned s = 0; s < 2; s++) {
			int32_t const def = v->use[sum->of[t].at][s].def[sum->of[t].position];
			if (def >= 0 && is_member(sum, (uint32_t)def))
				return false;
		}
	for (uint32_t k = 0; k < v->ps->instrs.n; k++)
		for (unsigned s = 0; !is_member(sum, k) && s < ops[v->ps->instrs.at[k].op].sources; s++)
			for (unsigned p = 0; p < LANES; p++) {
				int32_t const def = v->use[k][s].read >> p & 1 ? v->use[k][s].def[p] : -1;
				if (def >= 0 && (uint32_t)def != sum->root && is_member(sum, (uint32_t)def))
					return false;
			}
	return true;
}

static bool find_sum(const struct rewriting *w, struct sum *sum)
{
	const struct instr *i = &w->ps->instrs.at[w->root];
	*sum = (struct sum){.v = w->values, .ps = w->ps, .root = w->root, .pp = true};
	return i->dst.file == REG_TEMP && i->op != OP_MUL && reads_alike(i) && add_terms(sum, w->root, first_lane(i->dst.mask), false) &&
	       sum->n > 1 && is_alone(sum);
}

/* ---- sides ---------------------------------------------------------------------------------- */

static const struct src *factor(const struct sum *sum, unsigned term, unsigned s)
{
	return &sum->ps->instrs.at[sum->of[term].at].src[s];
}

static value_id value_of(const struct sum *sum, unsigned term, unsigned s)
{
	return sum->v->use[sum->of[term].at][s].value[sum->of[term].position];
}

/* Does the register's lane hold at the root what it held where it is read? */
static bool is_kept(const struct sum *sum, unsigned term, unsigned s)
{
	const struct src *src = factor(sum, term, s);
	lanes const lane = (lanes)(1u << swizzle_lane(src->swizzle, sum->of[term].position));
	return src->file != REG_TEMP || flow_keeps(sum->ps, src->index, lane, sum->of[term].at, sum->root);
}

/* Has one register the factors, where a swizzle brings them? */
static bool in_register(const struct sum *sum, struct side *side)
{
	const struct src *first = factor(sum, 0, side->operand[0]);
	side->src = *first;
	side->src.letters = 0;
	side->src.at = SRCPOS_NONE;
	for (unsigned k = 0; k < TURNING_SWIZZLES; k++) {
		bool fits = true;
		for (unsigned t = 0; t < sum->n && fits; t++) {
			const struct src *src = factor(sum, t, side->operand[t]);
			fits = src->file == first->file && src->index == first->index && is_kept(sum, t, side->operand[t]) &&
			       swizzle_lane(src->swizzle, sum->of[t].position) == swizzle_lane(ps_2_0_swizzles[k], t);
		}
		side->src.swizzle = ps_2_0_swizzles[k];
		if (fits)
			return true;
	}
	return false;
}

static bool find_side(const struct sum *sum, struct side *side)
{
	side->gathered = false;
	if (in_register(sum, side))
		return true;
	side->gathered = true;
	for (unsigned t = 0; t < sum->n; t++)
		if (!value_may_move(sum->v, value_of(sum, t, side->operand[t])) || !is_kept(sum, t, side->operand[t]))
			return false;
	return true;
}

/* Does the product subtract, but for the sign of what is gathered? */
static bool is_minus(const struct sum *sum, unsigned t, const struct side *a, const struct side *b)
{
	bool minus = sum->of[t].minus;
	minus ^= !a->gathered && factor(sum, t, a->operand[t])->negate;
	minus ^= !b->gathered && factor(sum, t, b->operand[t])->negate;
	return minus;
}

/* Are they squares of what can move?  `minus`: of a value and its negation. */
static bool are_squares(const struct sum *sum, bool *minus)
{
	for (unsigned t = 0; t < sum->n; t++) {
		value_id const x = value_of(sum, t, 0), y = value_of(sum, t, 1);
		if (!value_may_move(sum->v, x) || !value_may_move(sum->v, y) || value_at(sum->v, x)->class == VALUE_CONST ||
		    (x != y && value_find_negated(sum->v, x) != y))
			return false;
		bool const m = sum->of[t].minus != (x != y);
		if (t > 0 && m != *minus)
			return false;
		*minus = m;
	}
	return true;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* The factor alone, as it stands at its position. */
static struct src lane_of(const struct src *src, unsigned position)
{
	struct src s = *src;
	s.letters = 0;
	s.at = SRCPOS_NONE;
	s.swizzle = swizzle_replicate(swizzle_lane(src->swizzle, position));
	return s;
}

/* A lane of the register in which the factors are put together; `reg`: -1 before the first one. */
static void gather(struct rewriting *w, enum op op, struct src a, struct src b, unsigned lane, int *reg)
{
	struct instr const i = {.op = (uint8_t)op, .src = {a, b}, .at = SRCPOS_NONE};
	lanes const mask = (lanes)(1u << lane);
	if (*reg < 0)
		*reg = rules_put(w, i, mask).index;
	else
		rules_put_beside(w, i, *reg, mask);
}

/* A number 0: a def's, or something without itself. */
static void gather_zero(struct rewriting *w, struct src some, unsigned lane, int *reg)
{
	struct src minus = some;
	minus.negate = !minus.negate;
	for (uint32_t k = 0; k < w->ps->decls.n; k++) {
		const struct decl *d = &w->ps->decls.at[k];
		for (unsigned l = 0; d->kind == DECL_DEF && program_decl(w->ps, REG_CONST, d->reg.index) == d && l < LANES; l++) {
			if (d->value[l] != 0)
				continue;
			struct src const zero = {.file = REG_CONST, .index = d->reg.index, .swizzle = swizzle_replicate(l), .at = SRCPOS_NONE};
			gather(w, OP_MOV, zero, (struct src){0}, lane, reg);
			return;
		}
	}
	gather(w, OP_ADD, some, minus, lane, reg);
}

/* How the products of a sum fall to the two sides of a dot product; false: no way does. */
static bool find_sides(const struct sum *sum, struct side side[2])
{
	for (unsigned way = 0; sum->n > 2 && way < 1u << (sum->n - 1); way++) {
		for (unsigned t = 0; t < sum->n; t++) {
			side[0].operand[t] = way >> t & 1;
			side[1].operand[t] = !side[0].operand[t];
		}
		if (!find_side(sum, &side[0]) || !find_side(sum, &side[1]) || (side[0].gathered && side[1].gathered))
			continue;
		bool fits = true;
		for (unsigned t = 1; t < sum->n && !side[0].gathered && !side[1].gathered; t++)
			fits &= is_minus(sum, t, &side[0], &side[1]) == is_minus(sum, 0, &side[0], &side[1]);
		if (fits)
			return true;
	}
	return false;
}

static void write_dot(struct rewriting *w, const struct sum *sum, struct src a, struct src b, bool minus)
{
	struct instr dot = {.op = sum->n == LANES ? OP_DP4 : OP_DP3, .src = {a, b}, .at = w->root};
	dot.flags = sum->pp ? w->ps->instrs.at[w->root].flags : w->ps->instrs.at[w->root].flags & (uint8_t)~INSTR_PP;
	dot.src[0].negate = minus;
	dot.src[1].negate = false;
	rules_put(w, dot, w->ps->instrs.at[w->root].dst.mask);
}

static void write_sides(struct rewriting *w, const struct sum *sum, const struct side side[2])
{
	struct src of[2];
	for (unsigned n = 0; n < 2; n++) {
		int reg = -1;
		for (unsigned t = 0; side[n].gathered && t < sum->n; t++) {
			struct src s = lane_of(factor(sum, t, side[n].operand[t]), sum->of[t].position);
			s.negate ^= is_minus(sum, t, &side[0], &side[1]);
			gather(w, OP_MOV, s, (struct src){0}, t, &reg);
		}
		of[n] = side[n].gathered ? src_temp(reg) : side[n].src;
	}
	write_dot(w, sum, of[0], of[1], !side[0].gathered && !side[1].gathered && is_minus(sum, 0, &side[0], &side[1]));
}

static void write_squares(struct rewriting *w, const struct sum *sum, bool minus)
{
	int reg = -1;
	for (unsigned t = 0; t < sum->n; t++)
		gather(w, OP_MOV, lane_of(factor(sum, t, 0), sum->of[t].position), (struct src){0}, t, &reg);
	if (sum->n == 2)
		gather_zero(w, lane_of(factor(sum, 0, 0), sum->of[0].position), LANE_Z, &reg);
	write_dot(w, sum, src_temp(reg), src_temp(reg), minus);
}

static unsigned slots_of(const struct sum *sum)
{
	unsigned slots = 0;
	for (unsigned m = 0; m < sum->members; m++)
		slots += instr_slots(&sum->ps->instrs.at[sum->member[m]], sum->ps->model);
	return slots;
}

void rule_dots(struct rewriting *w)
{
	struct sum sum;
	struct side side[2];
	bool minus = false;
	if (w->opened[w->root] || !find_sum(w, &sum)) /* a part of a sum that is a dot product is none */
		return;
	bool const dot = find_sides(&sum, side);
	if (!dot && !(slots_of(&sum) > 1 && are_squares(&sum, &minus)))
		return;
	rules_begin(w);
	if (dot)
		write_sides(w, &sum, side);
	else
		write_squares(w, &sum, minus);
	rules_add(w);
	for (unsigned m = 0; m < sum.members; m++)
		w->opened[sum.member[m]] = true;
}
