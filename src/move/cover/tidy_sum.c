/* Sums of lanes become dot products with numbers: add r1.x, r0.x, r0.y and add r1.x, r1.x, r0.z are
 * dp3 r1.x, r0, c1 with c1.xyz = 1, and so is their product by a power of two.  Added are the lanes in the order in
 * which they were; from several registers they are made in one.  Of pixel programs, where a dot product takes no longer than a sum. */
#include "move/cover/tidy.h"

#include "lang/check.h"

#include <string.h>

/* What is added up, the last one first. */
struct sum {
	unsigned n;
	int reg[LANES];
	unsigned lane[LANES];
	float factor[LANES];
	uint32_t link[LANES]; /* the instruction that adds each; the last two share one */
	unsigned operand[LANES];
	uint8_t flags;        /* INSTR_PP if all of it has that */
};

/* The lane that operand `s` reads for all lanes that the instruction writes; LANES: it is none alone. */
static unsigned lane_read(const struct instr *i, unsigned s)
{
	unsigned lane = LANES;
	for (unsigned l = 0; l < LANES; l++) {
		unsigned const from = swizzle_lane(i->src[s].swizzle, l);
		if (!(i->dst.mask >> l & 1))
			continue;
		if (lane < LANES && lane != from)
			return LANES;
		lane = from;
	}
	return lane;
}

static bool add_term(struct sum *sum, uint32_t k, const struct instr *i, unsigned s, float factor)
{
	unsigned const lane = lane_read(i, s);
	if (i->src[s].file != REG_TEMP || lane == LANES || sum->n == LANES)
		return false;
	sum->reg[sum->n] = i->src[s].index;
	sum->lane[sum->n] = lane;
	sum->operand[sum->n] = s;
	sum->factor[sum->n] = factor;
	sum->link[sum->n++] = k;
	return true;
}

/* The sum that operand `s` of instruction k reads for nothing else; FLOW_UNWRITTEN: it reads none. */
static uint32_t sum_read(struct tidy *t, uint32_t k, unsigned s)
{
	const struct instr *i = &t->p->instrs.at[k];
	unsigned const lane = lane_read(i, s);
	if (i->src[s].file != REG_TEMP || lane == LANES)
		return FLOW_UNWRITTEN;
	unsigned const first = first_lane(i->dst.mask);
	uint32_t const def = flow_def(tidy_flow(t), k, s, first);
	if (def >= FLOW_INPUT)
		return FLOW_UNWRITTEN;
	const struct instr *sum = &t->p->instrs.at[def];
	bool is = (sum->op == OP_ADD || sum->op == OP_SUB) && sum->dst.file == REG_TEMP && !(sum->flags & INSTR_SAT) &&
	          lane_read(sum, 0) < LANES && lane_read(sum, 1) < LANES;
	return is && flow_is_sole_use(tidy_flow(t), k, s) ? def : FLOW_UNWRITTEN;
}

static bool find_terms(struct tidy *t, uint32_t k, float factor, struct sum *sum)
{
	for (;;) {
		const struct instr *i = &t->p->instrs.at[k];
		float const of[2] = {i->src[0].negate ? -factor : factor,
		                     (i->op == OP_SUB) != i->src[1].negate ? -factor : factor};
		uint32_t inner = FLOW_UNWRITTEN;
		unsigned s = 0;
		while (s < 2 && (inner = sum_read(t, k, s)) == FLOW_UNWRITTEN)
			s++;
		sum->flags &= i->flags;
		if (inner == FLOW_UNWRITTEN)
			return add_term(sum, k, i, 0, of[0]) && add_term(sum, k, i, 1, of[1]);
		if (!add_term(sum, k, i, 1 - s, of[1 - s]))
			return false;
		factor = of[s];
		k = inner;
	}
}

/* The product by a power of two: its operand that is no number; 2: it is none. */
static unsigned scaled(const struct tidy *t, const struct instr *i, float *factor)
{
	for (unsigned s = 0; i->op == OP_MUL && s < 2; s++) {
		const struct src *src = &i->src[1 - s];
		const struct decl *def = src->file == REG_CONST && !src->relative ? program_decl(t->p, REG_CONST, src->index) : NULL;
		bool same = def != NULL;
		unsigned const first = first_lane(i->dst.mask);
		for (unsigned l = 0; same && l < LANES; l++) {
			unsigned const from = swizzle_lane(src->swizzle, l);
			same = !(i->dst.mask >> l & 1) ||
			       (memcmp(&def->value[from], &def->value[swizzle_lane(src->swizzle, first)], sizeof(float)) == 0 &&
			        !tidy_is_noted(t, src->index, from));
		}
		if (!same)
			continue;
		*factor = src->negate ? -def->value[swizzle_lane(src->swizzle, first)] : def->value[swizzle_lane(src->swizzle, first)];
		if (tidy_is_power_of_two(*factor))
			return s;
	}
	return 2;
}

/* A swizzle that brings the terms where the dot product adds them in their order, and their factors there. */
static bool in_order(const struct sum *sum, swizzle *s, float factor[LANES])
{
	for (unsigned k = 0; k < TURNING_SWIZZLES; k++) {
		bool fits = true;
		for (unsigned p = 0; p < sum->n; p++) {
			unsigned term = sum->n - 1 - p;
			if (p < 2 && sum->lane[term] != swizzle_lane(ps_2_0_swizzles[k], p)) /* these two are added to each other */
				term = sum->n - 2 + p;
			fits &= sum->lane[term] == swizzle_lane(ps_2_0_swizzles[k], p);
			factor[p] = sum->factor[term];
		}
		*s = ps_2_0_swizzles[k];
		if (fits)
			return true;
	}
	return false;
}

static bool in_one_register(const struct sum *sum)
{
	for (unsigned t = 1; t < sum->n; t++)
		for (unsigned o = 0; o < t; o++)
			if (sum->reg[t] != sum->reg[o] || sum->lane[t] == sum->lane[o])
				return false;
	return true;
}

static int unused_temp(const struct tidy *t)
{
	int reg = 0;
	while (reg < (int)t->room->temps && tidy_uses_temp(t->p, reg))
		reg++;
	return reg < (int)t->room->temps ? reg : -1;
}

/* Puts what is added up, each of which an instruction makes for this alone, into lanes of an unused register in its order;
 * false: the program is as it was. */
static bool gather_terms(struct tidy *t, struct sum *sum)
{
	struct program *p = t->p;
	struct instr new[LANES];
	uint32_t def[LANES];
	int const reg = unused_temp(t);
	for (unsigned n = 0; n < sum->n; n++) {
		unsigned const first = first_lane(p->instrs.at[sum->link[n]].dst.mask);
		def[n] = flow_def(tidy_flow(t), sum->link[n], sum->operand[n], first);
		if (reg < 0 || def[n] >= FLOW_INPUT || !flow_is_sole_use(tidy_flow(t), sum->link[n], sum->operand[n]))
			return false;
		struct instr *i = &new[n];
		*i = p->instrs.at[def[n]];
		enum op_shape const shape = ops[i->op].shape;
		if ((shape != SHAPE_LANES && shape != SHAPE_SCALAR && shape != SHAPE_DP3 && shape != SHAPE_DP4) ||
		    (i->dst.mask & (i->dst.mask - 1)) || ops[i->op].flags & OPF_TEX)
			return false;
		for (unsigned s = 0; shape == SHAPE_LANES && s < ops[i->op].sources; s++) {
			i->src[s].letters = 0;
			i->src[s].swizzle = swizzle_replicate(lane_read(i, s));
		}
		i->dst.index = (int16_t)reg;
		tidy_mask(i, (lanes)(1u << (sum->n - 1 - n)));
		if (check_instr_alone(p, i) > check_instr_alone(p, &p->instrs.at[def[n]]))
			return false;
	}
	for (unsigned n = 0; n < sum->n; n++) {
		p->instrs.at[def[n]] = new[n];
		sum->reg[n] = reg;
		sum->lane[n] = sum->n - 1 - n;
	}
	t->stale = true;
	return true;
}

/* Do the lanes hold the same before instruction k as where they are read, without the sums? */
static bool are_kept(const struct program *p, const struct sum *sum, uint32_t k)
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

static bool make_dot(struct tidy *t, uint32_t k)
{
	struct program *p = t->p;
	const struct instr *last = &p->instrs.at[k];
	struct sum sum = {.flags = last->flags};
	float factor = 1, factors[LANES] = {0};
	unsigned const s = scaled(t, last, &factor);
	uint32_t root = k;
	swizzle turn = SWIZZLE_XYZW;
	if (s < 2) {
		factor = last->src[s].negate ? -factor : factor;
		root = sum_read(t, k, s);
	}
	if (root == FLOW_UNWRITTEN || (root == k && last->op != OP_ADD && last->op != OP_SUB) || lane_read(&p->instrs.at[root], 0) == LANES ||
	    lane_read(&p->instrs.at[root], 1) == LANES || !find_terms(t, root, factor, &sum) || sum.n < 3)
		return false;
	bool const there = in_one_register(&sum) && in_order(&sum, &turn, factors) && are_kept(p, &sum, k);
	struct instr dot = *last;
	struct literal_place where;
	memset(dot.src, 0, sizeof dot.src);
	dot.op = sum.n == 3 ? OP_DP3 : OP_DP4;
	dot.flags &= (uint8_t)(sum.flags | (uint8_t)~INSTR_PP);
	for (unsigned n = 0; n < sum.n && !there; n++)
		factors[n] = sum.factor[sum.n - 1 - n];
	/* Numbers for the lanes that it reads. */
	struct instr wide = dot;
	tidy_mask(&wide, sum.n == 3 ? MASK_XYZ : MASK_XYZW);
	if (!tidy_numbers(t, &wide, 1, factors, &where) || (!there && !gather_terms(t, &sum)))
		return false;
	dot.src[0] = (struct src){.file = REG_TEMP, .index = (int16_t)sum.reg[0], .swizzle = there ? turn : SWIZZLE_XYZW, .at = SRCPOS_NONE};
	dot.src[1] = wide.src[1];
	p->instrs.at[k] = dot;
	t->stale = true;
	tidy_place(t, &where);
	if (root != k)
		tidy_remove(t, root);
	for (unsigned n = 0; n + 1 < sum.n; n++)
		if (sum.link[n] != root)
			tidy_remove(t, sum.link[n]); /* the last one first */
	return true;
}

bool tidy_sums(struct tidy *t)
{
	bool changed = false;
	if (program_stage(t->p) != STAGE_PIXEL || !t->room || !t->room->choices)
		return false;
	for (uint32_t k = t->p->instrs.n; k-- > 0;)
		if (k < t->p->instrs.n && t->p->instrs.at[k].dst.file == REG_TEMP &&
		    (t->p->instrs.at[k].op == OP_ADD || t->p->instrs.at[k].op == OP_SUB || t->p->instrs.at[k].op == OP_MUL))
			changed |= make_dot(t, k);
	return changed;
}
