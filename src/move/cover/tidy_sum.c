/* Writes sums of scalars as dot products with literals, in pixel programs, where a dot product takes no longer than a sum:
 *
 *     add r1.x, r0.x, r0.y                   dp3 r1.x, r0, c1               c1.xyz = 1
 *     add r1.x, r1.x, r0.z
 *
 * It does the same to a sum times a power of two, and to sums of products by literals:
 *
 *     mul r1.x, r0.y, c0.x                   dp3 r1.x, r0, c1               c1.xyz = c0.yxz
 *     mad r1.x, r0.x, c0.y, r1.x
 *     mad r1.x, r0.z, c0.z, r1.x
 *
 * The lanes are added in their old order.  If several registers hold the summands, these are computed in lanes of one register.  A sum
 * of two terms times a power of two becomes a dp3 that has one of them twice, each with half the factor.
 *
 * At -O3, where roundings may change, several dot products that are added become one: their products are added lane by lane.
 *
 *     dp4 r0.x, r0, r1                       mul r0, r0, r1
 *     dp4 r1.x, r2, r3                       mad r0, r2, r3, r0
 *     dp4 r2.x, r4, r5                       mad r0, r4, r5, r0
 *     add r0.x, r0.x, r1.x                   dp4 r0.x, r0, c1               c1 = 1
 *     add r0.x, r0.x, r2.x */
#include "move/cover/tidy.h"

#include "lang/check.h"
#include "lang/rounding.h"

#include <string.h>

enum { MOST_TERMS = 16 };

/* The terms of a sum that a chain of instructions computes, the term that is added last first. */
struct chain {
	unsigned n;
	int reg[MOST_TERMS];          /* the temporary that each term reads */
	unsigned lane[MOST_TERMS];    /* the lane that each term reads */
	float factor[MOST_TERMS];     /* the literal that multiplies each term */
	uint32_t link[MOST_TERMS];    /* the instruction that adds each term; the last two share one, unless a mul ends the chain */
	unsigned operand[MOST_TERMS]; /* the operand by which that instruction reads the term */
	uint8_t flags;                /* INSTR_PP if all instructions of the sum have it */
	bool products;                /* the terms may be products by literals, too */
};

/* Returns the register lane that operand `s` reads for every lane that the instruction writes, or LANES if it reads several. */
static unsigned sole_lane_read(const struct instr *i, unsigned s)
{
	unsigned lane = LANES;
	EACH_LANE(l, i->dst.mask) {
		unsigned const from = swizzle_lane(i->src[s].swizzle, l);
		if (lane < LANES && lane != from)
			return LANES;
		lane = from;
	}
	return lane;
}

static bool add_term(struct chain *sum, uint32_t k, const struct instr *i, unsigned s, float factor)
{
	unsigned const lane = sole_lane_read(i, s);
	if (i->src[s].file != REG_TEMP || lane == LANES || sum->n == MOST_TERMS)
		return false;
	sum->reg[sum->n] = i->src[s].index;
	sum->lane[sum->n] = lane;
	sum->operand[sum->n] = s;
	sum->factor[sum->n] = factor;
	sum->link[sum->n++] = k;
	return true;
}

/* Returns the index of the operand, an r#, that a mul or mad multiplies by one literal (*factor) in all lanes that it writes, or MAX_SOURCES if there
 * is none. */
static unsigned find_multiplied(const struct tidy *t, const struct instr *i, float *factor)
{
	for (unsigned s = 0; s < 2 && (i->op == OP_MUL || i->op == OP_MAD); s++) {
		const struct src *number = &i->src[1 - s];
		const struct decl *def = tidy_def(t, number);
		bool same = def && i->src[s].file == REG_TEMP;
		EACH_LANE(l, same ? i->dst.mask : 0) {
			unsigned const from = swizzle_lane(number->swizzle, l);
			*factor = def->value[swizzle_lane(number->swizzle, first_lane(i->dst.mask))];
			same &= def->value[from] == *factor && !tidy_is_noted(t, number->index, from);
		}
		if (!same)
			continue;
		*factor = number->negate ? -*factor : *factor;
		return s;
	}
	return MAX_SOURCES;
}

/* Returns true if the instruction adds scalars: each of its terms is a single register lane, the same for all lanes that it writes.  With
 * `products`, terms may be multiplied by literals, and such a product alone counts, too. */
static bool adds_scalars(const struct tidy *t, const struct instr *i, bool products)
{
	float factor;
	unsigned const s = products ? find_multiplied(t, i, &factor) : MAX_SOURCES;
	if (s < 2)
		return sole_lane_read(i, s) < LANES && (i->op == OP_MUL || sole_lane_read(i, 2) < LANES);
	return (i->op == OP_ADD || i->op == OP_SUB) && sole_lane_read(i, 0) < LANES && sole_lane_read(i, 1) < LANES;
}

/* If operand `s` of instruction k reads one lane of a sum of scalars, and nothing else reads that, returns the instruction of the sum, else
 * FLOW_UNWRITTEN. */
static uint32_t sum_read(struct tidy *t, uint32_t k, unsigned s, bool products)
{
	const struct instr *i = &t->p->instrs.at[k];
	unsigned const lane = sole_lane_read(i, s);
	if (i->src[s].file != REG_TEMP || lane == LANES)
		return FLOW_UNWRITTEN;
	unsigned const first = first_lane(i->dst.mask);
	uint32_t const def = flow_def(tidy_flow(t), k, s, first);
	if (def >= FLOW_INPUT)
		return FLOW_UNWRITTEN;
	const struct instr *sum = &t->p->instrs.at[def];
	bool const usable = sum->dst.file == REG_TEMP && !(sum->flags & INSTR_SAT) && adds_scalars(t, sum, products);
	return usable && flow_is_sole_use(tidy_flow(t), k, s) ? def : FLOW_UNWRITTEN;
}

/* Adds the terms of sum k, each times `factor`, to *sum.  The result of an inner sum counts as one term if its own terms would make more than `most`.
 * Returns false if a term is no lane of a temporary, or there are too many. */
static bool find_chain_terms(struct tidy *t, uint32_t k, float factor, unsigned most, struct chain *sum)
{
	for (;;) {
		const struct instr *i = &t->p->instrs.at[k];
		float number = 1;
		unsigned const product = sum->products ? find_multiplied(t, i, &number) : MAX_SOURCES;
		unsigned const addend[2] = {product < 2 ? product : 0, product < 2 ? 2 : 1};
		float const of[2] = {i->src[addend[0]].negate ? -factor * number : factor * number,
		                     (i->op == OP_SUB) != i->src[addend[1]].negate ? -factor : factor};
		uint32_t inner = FLOW_UNWRITTEN;
		unsigned a = product < 2;
		sum->flags &= i->flags;
		if (i->op == OP_MUL)
			return add_term(sum, k, i, product, of[0]);
		while (a < 2 && ((inner = sum_read(t, k, addend[a], sum->products)) == FLOW_UNWRITTEN ||
		                 sum->n + (t->p->instrs.at[inner].op == OP_MUL ? 2 : 3) > most)) {
			inner = FLOW_UNWRITTEN;
			a++;
		}
		if (inner == FLOW_UNWRITTEN)
			return add_term(sum, k, i, addend[0], of[0]) && add_term(sum, k, i, addend[1], of[1]);
		if (!add_term(sum, k, i, addend[1 - a], of[1 - a]))
			return false;
		factor = of[a];
		k = inner;
	}
}

/* Returns the index of the operand that the instruction multiplies by a power of two (*factor), or MAX_SOURCES if it is no such product. */
static unsigned find_scaled_by_power(const struct tidy *t, const struct instr *i, float *factor)
{
	unsigned const s = instr_scaled_operand(t->p, i, factor);
	EACH_LANE(l, s < 2 ? i->dst.mask : 0)
		if (tidy_is_noted(t, i->src[1 - s].index, swizzle_lane(i->src[1 - s].swizzle, l)))
			return MAX_SOURCES;
	return s;
}

/* Finds a swizzle by which a dot product adds the terms in their old order, and sets factor[l] to the factor of the term that it reads in operand
 * lane l.  Returns false if there is none. */
static bool order_terms(const struct tidy *t, const struct chain *sum, swizzle *s, float factor[LANES])
{
	for (unsigned k = 0; k < TURNING_SWIZZLES; k++) {
		bool fits = true;
		for (unsigned p = 0; p < sum->n; p++) {
			unsigned term = sum->n - 1 - p;
			if (p < 2 && sum->lane[term] != swizzle_lane(ps_2_0_swizzles[k], p)) /* the first two terms may be exchanged */
				term = sum->n - 2 + p;
			fits &= sum->lane[term] == swizzle_lane(ps_2_0_swizzles[k], p);
			factor[p] = sum->factor[term];
		}
		*s = ps_2_0_swizzles[k];
		if (fits)
			return true;
	}
	unsigned from[LANES] = {0};
	for (unsigned p = 0; p < sum->n; p++) {
		from[p] = sum->lane[sum->n - 1 - p];
		factor[p] = sum->factor[sum->n - 1 - p];
	}
	*s = swizzle_of_lanes(from, (lanes)((1u << sum->n) - 1));
	return models[t->p->model].any_swizzle;
}

static bool in_one_register(const struct chain *sum)
{
	for (unsigned t = 1; t < sum->n; t++)
		for (unsigned o = 0; o < t; o++)
			if (sum->reg[t] != sum->reg[o] || sum->lane[t] == sum->lane[o])
				return false;
	return true;
}

/* Writes to *i instruction `def`, which computes a term, with lanes `mask` of r`reg` as its destination.  Returns false if it cannot write these. */
static bool retarget_term(struct tidy *t, uint32_t def, int reg, lanes mask, struct instr *i)
{
	*i = t->p->instrs.at[def];
	enum op_shape const shape = ops[i->op].shape;
	if ((shape != SHAPE_LANES && shape != SHAPE_SCALAR && shape != SHAPE_DP3 && shape != SHAPE_DP4) ||
	    (i->dst.mask & (i->dst.mask - 1)) || ops[i->op].flags & OPF_TEX)
		return false;
	for (unsigned s = 0; shape == SHAPE_LANES && s < ops[i->op].sources; s++) {
		i->src[s].letters = 0;
		i->src[s].swizzle = swizzle_replicate(sole_lane_read(i, s));
	}
	i->dst.index = (int16_t)reg;
	instr_set_mask(i, mask);
	return check_instr_alone(t->p, i) <= check_instr_alone(t->p, &t->p->instrs.at[def]);
}

/* Lets the instructions that compute the terms write lanes of one new register, in the order in which the terms are added; the last one is written
 * to `times` lanes.  Returns false, with the program as it was, if one of them cannot, or something else reads its result. */
static bool gather_terms(struct tidy *t, struct chain *sum, unsigned times)
{
	struct program *p = t->p;
	const struct flow *f = tidy_flow(t);
	struct instr new[LANES];
	uint32_t def[LANES];
	int const reg = tidy_new_web(t);
	for (unsigned n = 0; n < sum->n; n++) {
		lanes const own = (lanes)(1u << (sum->n - 1 - n)), again = (lanes)(n ? 0 : own << (times - 1));
		def[n] = flow_def(f, sum->link[n], sum->operand[n], first_lane(p->instrs.at[sum->link[n]].dst.mask));
		if (reg < 0 || def[n] >= FLOW_INPUT || !flow_is_sole_use(f, sum->link[n], sum->operand[n]) || !retarget_term(t, def[n], reg, own | again, &new[n]))
			return false;
	}
	for (unsigned n = 0; n < sum->n; n++)
		p->instrs.at[def[n]] = new[n];
	for (unsigned n = 0; n < sum->n; n++) {
		sum->reg[n] = reg;
		sum->lane[n] = sum->n - 1 - n;
	}
	t->stale = true;
	return true;
}

/* Returns true if the register lanes of the terms still hold the same values before instruction k, once the sums that overwrite them are removed. */
static bool are_kept(const struct program *p, const struct chain *sum, uint32_t k)
{
	for (unsigned t = 0; t < sum->n; t++)
		for (uint32_t n = sum->link[t]; n < k; n = flow_next_clobber(p, sum->reg[t], (lanes)(1u << sum->lane[t]), n + 1)) {
			bool link = false;
			for (unsigned o = 0; o < sum->n; o++)
				link |= sum->link[o] == n;
			if (!link)
				return false;
		}
	return true;
}

/* If instruction k ends a sum of `most` terms, replaces the sum by a dot product with literals.  Returns false if nothing changes. */
static bool make_dot(struct tidy *t, uint32_t k, unsigned most)
{
	struct program *p = t->p;
	const struct instr *last = &p->instrs.at[k];
	struct chain sum = {.flags = last->flags, .products = true};
	float factor = 1, factors[LANES] = {0};
	unsigned const s = find_scaled_by_power(t, last, &factor);
	uint32_t root = k;
	swizzle turn = SWIZZLE_XYZW;
	if (s < 2) {
		factor = last->src[s].negate ? -factor : factor;
		root = sum_read(t, k, s, true);
	}
	if (root == FLOW_UNWRITTEN || p->instrs.at[root].op == OP_MUL || !adds_scalars(t, &p->instrs.at[root], true) ||
	    !find_chain_terms(t, root, factor, most, &sum) || sum.n < most)
		return false;
	/* For two terms times a factor, a dp3 reads the second one twice, each time with half the factor. */
	unsigned const times = sum.n == 2 ? 2 : 1;
	if (times > 1 && (root == k || !is_power_of_two(factor / 2)))
		return false;
	bool const there = times == 1 && in_one_register(&sum) && order_terms(t, &sum, &turn, factors) && are_kept(p, &sum, k);
	struct instr dot = *last;
	struct literal_place where;
	memset(dot.src, 0, sizeof dot.src);
	dot.op = sum.n == 4 ? OP_DP4 : OP_DP3;
	dot.flags &= (uint8_t)(sum.flags | (uint8_t)~INSTR_PP);
	for (unsigned n = 0; n < sum.n && !there; n++)
		factors[n] = sum.factor[sum.n - 1 - n];
	if (times > 1)
		factors[1] = factors[2] = factors[1] / 2;
	/* Find literals for the lanes that the dot product reads, not for those that it writes. */
	struct instr wide = dot;
	instr_set_mask(&wide, dot.op == OP_DP3 ? MASK_XYZ : MASK_XYZW);
	if (!tidy_numbers(t, &wide, 1, factors, &where) || (!there && !gather_terms(t, &sum, times)))
		return false;
	dot.src[0] = (struct src){.file = REG_TEMP, .index = (int16_t)sum.reg[0], .swizzle = there ? turn : SWIZZLE_XYZW, .at = SRCPOS_NONE};
	dot.src[1] = wide.src[1];
	p->instrs.at[k] = dot;
	t->stale = true;
	tidy_place(t, &where);
	if (root != k)
		tidy_remove(t, root);
	for (unsigned n = 0; n < sum.n; n++)
		if (sum.link[n] != root && (n == 0 || sum.link[n] != sum.link[n - 1]))
			tidy_remove(t, sum.link[n]); /* later instructions first, so that the indices of the others stay valid */
	return true;
}

/* ---- sums of dot products ------------------------------------------------------------ */

/* The terms of a sum that are results of dot products, which nothing else reads, in the order of the program. */
struct dots {
	enum op op;
	unsigned n;
	unsigned term[MOST_TERMS]; /* the index of each of these terms in struct chain */
	uint32_t def[MOST_TERMS];  /* the dot product that computes each */
	uint8_t flags;             /* INSTR_PP if all dot products have it */
};

static void find_dots(struct tidy *t, const struct chain *sum, struct dots *dots)
{
	const struct program *p = t->p;
	const struct flow *f = tidy_flow(t);
	dots->n = 0;
	for (uint32_t d = 0; d < p->instrs.n; d++) {
		const struct instr *i = &p->instrs.at[d];
		for (unsigned m = 0; i->op == dots->op && !(i->flags & INSTR_SAT) && m < sum->n; m++)
			if (flow_sole_def(f, sum->link[m], sum->operand[m]) == d && flow_is_sole_use(f, sum->link[m], sum->operand[m])) {
				dots->flags = dots->n ? dots->flags & i->flags : i->flags;
				dots->term[dots->n] = m;
				dots->def[dots->n++] = d;
			}
	}
}

/* Returns an instruction that multiplies the operands of a dot product lane by lane, and adds the products to r`reg`, or with `first`, writes them
 * there. */
static struct instr lane_products(const struct instr *dot, bool first, bool minus, int reg, uint8_t flags)
{
	struct instr i = *dot;
	i.op = first ? OP_MUL : OP_MAD;
	i.flags = flags;
	i.dst = dst_lanes(REG_TEMP, reg, dot->op == OP_DP3 ? MASK_XYZ : MASK_XYZW);
	i.src[0].negate ^= minus;
	if (!first)
		i.src[2] = src_temp(reg);
	return i;
}

/* Makes a sum a mov of its other operand, without the term that operand `s` reads. */
static void drop_term(struct instr *sum, unsigned s)
{
	struct src other = sum->src[1 - s];
	other.negate ^= sum->op == OP_SUB && s == 0;
	sum->op = OP_MOV;
	memset(sum->src, 0, sizeof sum->src);
	sum->src[0] = other;
}

/* Removes the results of the dot products from the sum, except that of the last one, which now computes the sum of all. */
static void drop_terms(struct program *p, const struct chain *sum, const struct dots *dots)
{
	bool gone[MOST_TERMS] = {false}, inner;
	for (unsigned n = 0; n + 1 < dots->n; n++)
		gone[dots->term[n]] = true;
	inner = gone[sum->n - 1];
	for (unsigned n = sum->n - 1; n-- > 0;) {
		struct instr *link = &p->instrs.at[sum->link[n]];
		if (gone[n] && inner)
			link->op = OP_NOP;
		else if (gone[n] || inner)
			drop_term(link, gone[n] ? sum->operand[n] : 1 - sum->operand[n]);
		inner &= gone[n];
	}
}

/* If sum k adds the results of three or more dot products, makes these one dot product: adds their products lane by lane, and then the lanes. */
static bool join_dots(struct tidy *t, uint32_t k, enum op op)
{
	struct program *p = t->p;
	struct chain sum = {.flags = 0};
	struct dots dots = {.op = op};
	struct literal_place where;
	if (p->instrs.at[k].op == OP_MUL || sole_lane_read(&p->instrs.at[k], 0) == LANES || sole_lane_read(&p->instrs.at[k], 1) == LANES ||
	    !find_chain_terms(t, k, 1, MOST_TERMS, &sum))
		return false;
	find_dots(t, &sum, &dots);
	if (dots.n < 3)
		return false;
	uint32_t const last = dots.def[dots.n - 1];
	lanes const read = op == OP_DP3 ? MASK_XYZ : MASK_XYZW;
	int const reg = tidy_new_web(t);
	struct instr dot = p->instrs.at[last], wide = dot;
	instr_set_mask(&wide, read);
	if (reg < 0 || !tidy_numbers(t, &wide, 1, (const float[LANES]){1, 1, 1, 1}, &where))
		return false;
	struct program const old = *program_copy(t->arena, p);
	unsigned faults = 0;
	for (unsigned n = 0; n < dots.n; n++) {
		struct instr *i = &p->instrs.at[dots.def[n]];
		bool const minus = sum.factor[dots.term[n]] != sum.factor[dots.term[dots.n - 1]];
		*i = lane_products(i, n == 0, minus, reg, dots.flags);
		faults += check_instr_alone(p, i);
	}
	drop_terms(p, &sum, &dots);
	t->stale = true;
	dot.src[0] = src_temp(reg);
	dot.src[1] = wide.src[1];
	dot.comments = NULL;
	dot.blank = false;
	*tidy_insert(t, last + 1) = dot;
	if (faults) {
		*p = old;
		return false;
	}
	tidy_place(t, &where);
	return true;
}

bool tidy_sums(struct tidy *t)
{
	bool changed = false;
	if (program_stage(t->p) != STAGE_PIXEL || !t->limits || !t->limits->choices)
		return false;
	for (uint32_t k = t->p->instrs.n; k-- > 0;) {
		const struct instr *i = k < t->p->instrs.n ? &t->p->instrs.at[k] : NULL;
		bool const adds = i && (i->op == OP_ADD || i->op == OP_SUB || i->op == OP_MUL), temp = i && i->dst.file == REG_TEMP;
		bool const may = i && (adds || i->op == OP_MAD) && (temp || i->dst.file == REG_PIXEL_OUT);
		bool made = adds && temp && t->limits->regroup && (join_dots(t, k, OP_DP3) || join_dots(t, k, OP_DP4));
		for (unsigned most = LANES; may && !made && most >= 2; most--)
			made = make_dot(t, k, most);
		changed |= made;
	}
	return changed;
}
