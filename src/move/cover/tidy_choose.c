/* Choices in the place of movs and products.  Movs of two registers into lanes of one become one by literals: mov r1.x,
 * r0 and mov r1.y, t0 are cmp r1.xy, c5, r0.x, t0 with c5.x not negative and c5.y negative.  Nothing is multiplied, so
 * it is exact, whatever the registers hold.  A product with a choice between 0, 1 and -1 becomes a choice between what is
 * multiplied, or its negation, and 0: what is infinite is 0 there, where it was no number.  So are a lrp by a choice between
 * 0 and 1, and what masks written one way or another add up; literal masks take lanes.  Of pixel programs: a vertex
 * program has no such opcode. */
#include "move/cover/tidy.h"

#include <math.h>
#include <string.h>

/* Lanes of r`index` that hold something before instruction k, without what instruction `gone` writes. */
static lanes defined(const struct program *p, int index, uint32_t k, uint32_t gone)
{
	lanes all = 0;
	for (uint32_t n = 0; n < k; n++) {
		const struct instr *i = &p->instrs.at[n];
		all &= (lanes)~flow_clobbers(i, index);
		if (n != gone && instr_writes(i) && i->dst.file == REG_TEMP && i->dst.index == index)
			all |= instr_writes(i);
	}
	return all;
}

/* Plain, then one lane, which keeps no others alive, then turned. */
static swizzle nth_swizzle(unsigned k)
{
	return k == 0 ? SWIZZLE_XYZW : k <= LANES ? swizzle_replicate(k - 1) : ps_2_0_swizzles[k - LANES];
}

/* What `mov` reads in its own lanes, and in the others of `mask` one of `there`. */
static bool spread_over(const struct instr *mov, lanes mask, lanes there, struct src *s)
{
	for (unsigned k = 0; k < PS_2_0_SWIZZLES; k++) {
		bool fits = true;
		for (unsigned l = 0; l < LANES && fits; l++) {
			unsigned from = swizzle_lane(nth_swizzle(k), l);
			if (mov->dst.mask >> l & 1)
				fits = from == swizzle_lane(mov->src[0].swizzle, l);
			else if (mask >> l & 1)
				fits = there >> from & 1;
		}
		s->swizzle = nth_swizzle(k);
		if (fits)
			return true;
	}
	return false;
}

/* ... anything that is there, or else that a VP writes. */
static bool spread_mov(const struct tidy *t, const struct instr *mov, lanes mask, uint32_t at, uint32_t gone, struct src *s)
{
	const struct program *p = t->p;
	*s = mov->src[0];
	s->letters = 0;
	lanes const own = swizzle_lanes(s->swizzle, mov->dst.mask);
	return spread_over(mov, mask, own | (s->file == REG_TEMP ? defined(p, s->index, at, gone) : 0), s) ||
	       (s->file == REG_TEXCOORD &&
	        spread_over(mov, mask, t->limits->written[s->index] & program_declared(p, REG_TEXCOORD, s->index), s));
}

/* A literal that is not negative in the lanes `yes`, and negative in the others of `mask`: one that is there. */
static bool find_signs(const struct tidy *t, lanes yes, lanes mask, struct src *s)
{
	const struct program *p = t->p;
	for (uint32_t k = 0; k < p->decls.n; k++) {
		const struct decl *d = &p->decls.at[k];
		for (unsigned way = 0; d->kind == DECL_DEF && program_decl(p, REG_CONST, d->reg.index) == d && way < 2 * PS_2_0_SWIZZLES; way++) {
			bool fits = true, minus = way % 2;
			for (unsigned l = 0; l < LANES && fits; l++) {
				unsigned from = swizzle_lane(nth_swizzle(way / 2), l);
				float x = d->value[from];
				bool negative = minus ? x > 0 : x < 0;
				fits = !(mask >> l & 1) || (isfinite(x) && x != 0 && negative == !(yes >> l & 1) && !tidy_is_noted(t, d->reg.index, from));
			}
			*s = (struct src){.file = REG_CONST, .index = d->reg.index, .negate = minus, .swizzle = nth_swizzle(way / 2),
			                  .at = SRCPOS_NONE};
			if (fits)
				return true;
		}
	}
	return false;
}

static bool can_choose(const struct tidy *t)
{
	return program_stage(t->p) == STAGE_PIXEL && t->limits && t->limits->choices;
}

static bool is_mov(const struct instr *i)
{
	return i->op == OP_MOV && i->dst.file == REG_TEMP && i->src[0].file != REG_CONST;
}

bool tidy_as_choice(struct tidy *t, const struct instr *a, const struct instr *b, uint32_t at, uint32_t gone, struct instr *both,
                    struct literal_place *where)
{
	lanes const mask = a->dst.mask | b->dst.mask;
	*both = *a;
	both->op = OP_CMP;
	instr_set_mask(both, mask);
	if (a->flags != b->flags || !is_mov(a) || !is_mov(b) || !spread_mov(t, a, mask, at, gone, &both->src[1]) ||
	    !spread_mov(t, b, mask, at, gone, &both->src[2]))
		return false;
	float sign[LANES];
	for (unsigned l = 0; l < LANES; l++)
		sign[l] = a->dst.mask >> l & 1 ? 1.0f : -1.0f;
	return find_signs(t, a->dst.mask, mask, &both->src[0]) || tidy_numbers(t, both, 0, sign, where);
}

/* What lane l of operand `s` of the cmp is worth, if that is 0, 1 or -1; else 2. */
static int unit_at(const struct tidy *t, const struct instr *cmp, unsigned s, unsigned l)
{
	const struct src *src = &cmp->src[s];
	const struct decl *def = tidy_def(t, src);
	unsigned const from = swizzle_lane(src->swizzle, l);
	if (!def || tidy_is_noted(t, src->index, from))
		return 2;
	float const x = src->negate ? -def->value[from] : def->value[from];
	return x == 0 ? 0 : x == 1 ? 1 : x == -1 ? -1 : 2;
}

/* What an operand is: a choice between two of 0, 1 and -1, by what a cmp compares. */
struct mask {
	uint32_t cmp;
	int of[MAX_SOURCES];  /* the number that arm 1 or 2 is */
	unsigned from[LANES]; /* for each lane that is written: of the cmp's first operand */
	unsigned zero;        /* a lane of the arms, from which a 0 can be had */
};

static bool find_mask(struct tidy *t, uint32_t k, unsigned s, struct mask *m)
{
	struct program *p = t->p;
	const struct instr *user = &p->instrs.at[k];
	*m = (struct mask){.cmp = FLOW_UNWRITTEN};
	EACH_LANE(l, user->dst.mask) {
		uint32_t const d = user->src[s].file == REG_TEMP ? flow_def(tidy_flow(t), k, s, l) : FLOW_UNWRITTEN;
		if (d >= FLOW_INPUT || (m->cmp != FLOW_UNWRITTEN && d != m->cmp) || p->instrs.at[d].op != OP_CMP ||
		    p->instrs.at[d].flags & INSTR_SAT)
			return false;
		unsigned const lane = swizzle_lane(user->src[s].swizzle, l);
		for (unsigned arm = 1; arm < 3; arm++) {
			int const unit = unit_at(t, &p->instrs.at[d], arm, lane);
			if (unit == 2 || (m->cmp != FLOW_UNWRITTEN && unit != m->of[arm]))
				return false;
			m->of[arm] = unit;
		}
		m->from[l] = swizzle_lane(p->instrs.at[d].src[0].swizzle, lane);
		m->zero = m->cmp == FLOW_UNWRITTEN ? lane : m->zero;
		m->cmp = d;
	}
	/* The cmp itself may overwrite what it compares. */
	return flow_source_keeps(p, &p->instrs.at[m->cmp], 0, m->cmp, k);
}

/* Instruction k becomes a choice by what the mask's cmp compares; its other sources are there. */
static bool choose(struct tidy *t, uint32_t k, const struct mask *m, struct instr *chosen)
{
	const struct instr *cmp = &t->p->instrs.at[m->cmp];
	chosen->op = OP_CMP;
	instr_keep_precision(chosen, cmp);
	chosen->src[0] = cmp->src[0];
	chosen->src[0].letters = 0;
	return tidy_swizzle(t, chosen, 0, m->from, chosen->dst.mask, &chosen->src[0].swizzle) && tidy_replace(t, k, chosen);
}

/* Operand `s` of the mul k is a choice between 0, 1 and -1, which nobody else reads: it is chosen between the other
 * operand, its negation, and 0. */
static bool multiply(struct tidy *t, uint32_t k, unsigned s)
{
	const struct instr *mul = &t->p->instrs.at[k];
	struct mask m;
	if (!find_mask(t, k, s, &m) || !flow_is_sole_use(tidy_flow(t), k, s))
		return false;
	const struct instr *cmp = &t->p->instrs.at[m.cmp];
	struct instr chosen = *mul;
	for (unsigned arm = 1; arm < 3; arm++) {
		chosen.src[arm] = mul->src[1 - s];
		chosen.src[arm].negate ^= (m.of[arm] < 0) != mul->src[s].negate;
		if (m.of[arm] == 0) {
			chosen.src[arm] = cmp->src[arm];
			chosen.src[arm].negate = false;
			chosen.src[arm].letters = 0;
			chosen.src[arm].swizzle = swizzle_replicate(swizzle_lane(cmp->src[arm].swizzle, m.zero));
		}
	}
	return choose(t, k, &m, &chosen);
}

/* The lrp k is by a choice between 1 and 0: that chooses. */
static bool choose_lrp(struct tidy *t, uint32_t k)
{
	const struct instr *lrp = &t->p->instrs.at[k];
	struct mask m;
	if (lrp->src[0].negate || !find_mask(t, k, 0, &m) || m.of[1] + m.of[2] != 1 || m.of[1] * m.of[2] != 0)
		return false;
	struct instr chosen = *lrp;
	if (m.of[1] == 0) {
		chosen.src[1] = lrp->src[2];
		chosen.src[2] = lrp->src[1];
	}
	return choose(t, k, &m, &chosen);
}

/* 1 less a choice between 1 and 0 is the other choice. */
static bool swap_choice(struct tidy *t, uint32_t k, unsigned s)
{
	const struct instr *i = &t->p->instrs.at[k];
	bool const minus = i->src[s].negate != (i->op == OP_SUB && s == 1);
	struct mask m;
	EACH_LANE(l, i->dst.mask)
		if (unit_at(t, i, 1 - s, l) != (i->op == OP_SUB && s == 0 ? -1 : 1))
			return false;
	if (!minus || !find_mask(t, k, s, &m) || m.of[1] + m.of[2] != 1 || m.of[1] * m.of[2] != 0)
		return false;
	struct instr chosen = *i;
	for (unsigned arm = 1; arm < 3; arm++) {
		chosen.src[arm] = t->p->instrs.at[m.cmp].src[3 - arm];
		chosen.src[arm].letters = 0;
		chosen.src[arm].swizzle = swizzle_replicate(swizzle_lane(chosen.src[arm].swizzle, m.zero));
	}
	return choose(t, k, &m, &chosen);
}

/* Do both compare the same, for the lanes that instruction k writes? */
static bool same_condition(struct tidy *t, uint32_t k, const struct mask *m, uint32_t j)
{
	const struct program *p = t->p;
	const struct src *a = &p->instrs.at[m->cmp].src[0], *b = &p->instrs.at[j].src[0];
	bool same = a->file == b->file && a->index == b->index && a->negate == b->negate;
	EACH_LANE(l, p->instrs.at[k].dst.mask)
		same &= m->from[l] == swizzle_lane(b->swizzle, l);
	/* Nothing wrote it between the two. */
	uint32_t const first = j < m->cmp ? j : m->cmp, last = j < m->cmp ? m->cmp : j;
	return same && flow_source_keeps(p, &p->instrs.at[m->cmp], 0, first, last);
}

/* The cmp j, which has 0 in an arm, takes `other` there, as it is before instruction k, which becomes a copy. */
static bool choose_early(struct tidy *t, uint32_t k, uint32_t j, unsigned arm, const struct src *other)
{
	struct program *p = t->p;
	const struct instr *user = &p->instrs.at[k];
	struct instr early = p->instrs.at[j], mov = *user;
	if (other->file == REG_TEMP && !flow_keeps(p, other->index, swizzle_lanes(other->swizzle, user->dst.mask), j, k))
		return false;
	if (user->dst.mask != early.dst.mask)
		return false;
	early.src[arm] = *other;
	mov.op = OP_MOV;
	mov.src[0] = user->src[2];
	memset(&mov.src[1], 0, (MAX_SOURCES - 1) * sizeof mov.src[1]);
	return tidy_replace(t, j, &early) && tidy_replace(t, k, &mov);
}

/* The mad k adds what a cmp by the same takes where this takes 0, and 0 elsewhere, and nobody else reads: it chooses between both. */
static bool choose_sum(struct tidy *t, uint32_t k, unsigned s)
{
	struct program *p = t->p;
	const struct instr *mad = &p->instrs.at[k];
	struct mask m;
	uint32_t j = FLOW_UNWRITTEN;
	if (mad->src[2].file != REG_TEMP || mad->src[2].negate || mad->src[s].negate || !find_mask(t, k, s, &m) ||
	    m.of[1] + m.of[2] != 1 || m.of[1] * m.of[2] != 0 || !flow_is_sole_use(tidy_flow(t), k, 2))
		return false;
	EACH_LANE(l, mad->dst.mask) {
		uint32_t const d = flow_def(tidy_flow(t), k, 2, l);
		if (d >= FLOW_INPUT || (j != FLOW_UNWRITTEN && d != j) || swizzle_lane(mad->src[2].swizzle, l) != l)
			return false;
		j = d;
	}
	const struct instr *cmp = &p->instrs.at[j];
	unsigned const empty = m.of[1] == 1 ? 1 : 2; /* the arm in which the other has 0 */
	if (cmp->op != OP_CMP || cmp->flags & INSTR_SAT || !same_condition(t, k, &m, j))
		return false;
	EACH_LANE(l, mad->dst.mask)
		if (unit_at(t, cmp, empty, l) != 0)
			return false;
	/* Where the other stands, what this takes may not be there yet; here, what that takes may not be there any more. */
	struct instr chosen = *mad;
	chosen.src[empty] = mad->src[1 - s];
	chosen.src[3 - empty] = cmp->src[3 - empty];
	if (!flow_source_keeps(p, cmp, 3 - empty, j, k))
		return choose_early(t, k, j, empty, &mad->src[1 - s]);
	return choose(t, k, &m, &chosen);
}

/* Is what the lane of operand 2 of the mad k holds a product with this number, 0 or 1? */
static bool adds_times(struct tidy *t, uint32_t k, unsigned l, int number)
{
	uint32_t const d = flow_def(tidy_flow(t), k, 2, l);
	const struct instr *mul = d < FLOW_INPUT ? &t->p->instrs.at[d] : NULL;
	unsigned const lane = swizzle_lane(t->p->instrs.at[k].src[2].swizzle, l);
	return mul && mul->op == OP_MUL && (unit_at(t, mul, 0, lane) == number || unit_at(t, mul, 1, lane) == number);
}

/* The mad k adds some lanes of a register, times 1, to 0, and others, times 0, to something: it takes the ones and leaves the
 * others. */
static bool take_lanes(struct tidy *t, uint32_t k, unsigned s)
{
	const struct instr *mad = &t->p->instrs.at[k];
	const struct src *rest = &mad->src[2];
	lanes taken = 0;
	bool in_place = rest->file == REG_TEMP && rest->index == mad->dst.index && !rest->negate && !(mad->flags & INSTR_SAT);
	bool whole = true; /* the product is a copy but for what this takes */
	if (rest->file != REG_TEMP)
		return false;
	EACH_LANE(l, mad->dst.mask) {
		int const unit = unit_at(t, mad, s, l);
		if ((unit != 0 && unit != 1) || (unit == 1 && !adds_times(t, k, l, 0)))
			return false;
		taken |= (lanes)((unit == 1) << l);
		whole &= unit == 1 || adds_times(t, k, l, 1);
		in_place &= unit == 1 || swizzle_lane(rest->swizzle, l) == l;
	}
	struct instr chosen = *mad, left = *mad;
	if (taken == 0 || taken == mad->dst.mask || (!in_place && !whole))
		return false;
	float sign[LANES];
	struct literal_place where = {.decl = UINT32_MAX};
	for (unsigned l = 0; l < LANES; l++)
		sign[l] = taken >> l & 1 ? 1.0f : -1.0f;
	chosen.op = OP_CMP;
	chosen.src[1] = mad->src[1 - s];
	if (in_place || (!find_signs(t, taken, mad->dst.mask, &chosen.src[0]) && !tidy_numbers(t, &chosen, 0, sign, &where))) {
		chosen.op = left.op = OP_MOV;
		chosen.src[0] = mad->src[1 - s];
		left.src[0] = *rest;
		left.comments = NULL;
		memset(&chosen.src[1], 0, (MAX_SOURCES - 1) * sizeof chosen.src[1]);
		memset(&left.src[1], 0, (MAX_SOURCES - 1) * sizeof left.src[1]);
		instr_set_mask(&chosen, taken);
		instr_set_mask(&left, mad->dst.mask & (lanes)~taken);
	}
	if (!tidy_replace(t, k, &chosen))
		return false;
	if (chosen.op == OP_MOV && !in_place)
		*tidy_insert(t, k + 1) = left; /* two webs that may be one */
	tidy_place(t, &where);
	return true;
}

/* The mad k adds the difference to a number, times a choice between 1 and 0, to that: it chooses between both. */
static bool choose_difference(struct tidy *t, uint32_t k, unsigned s)
{
	struct program *p = t->p;
	const struct instr *mad = &p->instrs.at[k];
	const struct src *other = &mad->src[1 - s], *rest = &mad->src[2];
	const struct flow *f = tidy_flow(t);
	uint32_t j = FLOW_UNWRITTEN;
	struct mask m;
	if (other->file != REG_TEMP || mad->src[s].negate || other->negate || !find_mask(t, k, s, &m) ||
	    m.of[1] + m.of[2] != 1 || m.of[1] * m.of[2] != 0 || !flow_is_sole_use(tidy_flow(t), k, 1 - s))
		return false;
	EACH_LANE(l, mad->dst.mask) {
		uint32_t const d = flow_def(f, k, 1 - s, l);
		if (d >= FLOW_INPUT || (j != FLOW_UNWRITTEN && d != j) || swizzle_lane(other->swizzle, l) != l)
			return false;
		j = d;
	}
	const struct instr *gap = &p->instrs.at[j];
	if ((gap->op != OP_ADD && gap->op != OP_SUB) || gap->flags & INSTR_SAT)
		return false;
	for (unsigned b = 0; b < 2; b++) {
		struct src const less = gap->src[b], *from = &gap->src[1 - b];
		bool same = less.file == rest->file && less.index == rest->index && rest->negate != (less.negate != (gap->op == OP_SUB && b == 1));
		EACH_LANE(l, mad->dst.mask)
			same &= swizzle_lane(less.swizzle, l) == swizzle_lane(rest->swizzle, l) &&
			        (less.file != REG_TEMP || flow_def(f, j, b, l) == flow_def(f, k, 2, l));
		same = same && flow_source_keeps(p, gap, 1 - b, j, k);
		if (!same)
			continue;
		struct instr chosen = *mad;
		chosen.src[m.of[1] == 1 ? 1 : 2] = *from;
		chosen.src[m.of[1] == 1 ? 1 : 2].negate ^= gap->op == OP_SUB && b == 0;
		chosen.src[m.of[1] == 1 ? 2 : 1] = *rest;
		return choose(t, k, &m, &chosen);
	}
	return false;
}

/* Is there something to choose where instruction k adds and multiplies? */
static bool choose_at(struct tidy *t, uint32_t k)
{
	const struct instr *i = &t->p->instrs.at[k];
	if (i->dst.file != REG_TEMP)
		return false;
	for (unsigned s = 0; s < 2; s++) {
		if ((i->op == OP_MUL && multiply(t, k, s)) || ((i->op == OP_ADD || i->op == OP_SUB) && swap_choice(t, k, s)) ||
		    (i->op == OP_MAD && (choose_sum(t, k, s) || choose_difference(t, k, s) || take_lanes(t, k, s))))
			return true;
	}
	return i->op == OP_LRP && choose_lrp(t, k);
}

bool tidy_choices(struct tidy *t)
{
	if (!can_choose(t))
		return false;
	for (uint32_t k = 1; k < t->p->instrs.n; k++)
		if (choose_at(t, k))
			return true; /* what it took is dead now */
	return false;
}
