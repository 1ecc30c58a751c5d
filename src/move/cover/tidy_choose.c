/* Writes a choice (cmp) in the place of movs, products and sums, in pixel programs: a VP has no cmp.
 *
 * Movs of two registers into lanes of one become a cmp by literals: mov r1.x, r0 and mov r1.y, t0 are cmp r1.xy, c5, r0.x, t0 with c5.x
 * not negative and c5.y negative.  This multiplies nothing, and so it is exact, whatever the registers hold.
 *
 * A product whose factor is a choice between 0, 1 and -1 becomes a choice between the other factor, its negation, and 0.  If the other
 * factor is infinite, the result is 0 where it was NaN. */
#include "move/cover/tidy.h"

#include "move/graph/finite.h"

/* Returns the lanes of r`index` that are defined before instruction k if instruction `gone` is removed. */
static lanes lanes_defined_before(const struct program *p, int index, uint32_t k, uint32_t gone)
{
	lanes all = 0;
	for (uint32_t n = 0; n < k; n++) {
		const struct instr *i = &p->instrs.at[n];
		all &= (lanes)~instr_clobbers(i, index);
		if (n != gone && instr_writes(i) && i->dst.file == REG_TEMP && i->dst.index == index)
			all |= instr_writes(i);
	}
	return all;
}

/* Returns the k-th swizzle to try: first .xyzw, then each lane in all four places, which keeps no other lanes alive, then the other swizzles of
 * ps_2_0. */
static swizzle nth_swizzle(unsigned k)
{
	return k == 0 ? SWIZZLE_XYZW : k <= LANES ? swizzle_replicate(k - 1) : ps_2_0_swizzles[k - LANES];
}

/* Finds a swizzle for *s that reads what `mov` reads in the lanes that `mov` writes, and any lane in `there` in the other lanes of `mask`.  Returns
 * false if there is none. */
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

/* Finds an operand *s that reads what `mov` reads in the lanes that `mov` writes, and any defined lane in the other lanes of `mask`: of a t#, any
 * lane that the VP writes and a dcl declares.  Returns false if there is none. */
static bool spread_mov(const struct tidy *t, const struct instr *mov, lanes mask, uint32_t at, uint32_t gone, struct src *s)
{
	const struct program *p = t->p;
	*s = mov->src[0];
	s->letters = 0;
	lanes const own = swizzle_lanes(s->swizzle, mov->dst.mask);
	return spread_over(mov, mask, own | (s->file == REG_TEMP ? lanes_defined_before(p, s->index, at, gone) : 0), s) ||
	       (s->file == REG_TEXCOORD &&
	        spread_over(mov, mask, t->limits->written[s->index] & program_declared(p, REG_TEXCOORD, s->index), s));
}

static bool choices_pay(const struct tidy *t)
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
	instr_keep_precision(both, b);
	both->op = OP_CMP;
	instr_set_mask(both, mask);
	if (!instr_flags_agree(a, b) || !is_mov(a) || !is_mov(b) || !spread_mov(t, a, mask, at, gone, &both->src[1]) ||
	    !spread_mov(t, b, mask, at, gone, &both->src[2]))
		return false;
	float sign[LANES];
	for (unsigned l = 0; l < LANES; l++)
		sign[l] = a->dst.mask >> l & 1 ? 1.0f : -1.0f;
	return tidy_numbers(t, both, 0, sign, where);
}

/* Returns the literal that operand `s` of the cmp reads in lane l if it is 0, 1 or -1, else 2. */
static int unit_of_lane(const struct tidy *t, const struct instr *cmp, unsigned s, unsigned l)
{
	const struct src *src = &cmp->src[s];
	const struct decl *def = tidy_def(t, src);
	unsigned const from = swizzle_lane(src->swizzle, l);
	if (!def || tidy_is_noted(t, src->index, from))
		return 2;
	float const x = src->negate ? -def->value[from] : def->value[from];
	return x == 0 ? 0 : x == 1 ? 1 : x == -1 ? -1 : 2;
}

/* An operand that is the result of a cmp between two literals, each 0, 1 or -1. */
struct unit_choice {
	uint32_t cmp;         /* index of the cmp */
	int of[MAX_SOURCES];  /* [1] and [2]: the literal that source 1 and source 2 of the cmp read */
	unsigned from[LANES]; /* for each lane that the reading instruction writes, the register lane that the cmp compares */
	unsigned zero;        /* a lane of the cmp in which a source with literal 0 can be read */
};

/* Finds the cmp whose result operand s of instruction k reads, if it chooses between literals 0, 1 and -1.  Returns false if there is none, or the
 * register that the cmp compares has changed before k. */
static bool find_unit_choice(struct tidy *t, uint32_t k, unsigned s, struct unit_choice *m)
{
	struct program *p = t->p;
	const struct instr *user = &p->instrs.at[k];
	*m = (struct unit_choice){.cmp = FLOW_UNWRITTEN};
	EACH_LANE(l, user->dst.mask) {
		uint32_t const d = user->src[s].file == REG_TEMP ? flow_def(tidy_flow(t), k, s, l) : FLOW_UNWRITTEN;
		if (d >= FLOW_INPUT || (m->cmp != FLOW_UNWRITTEN && d != m->cmp) || p->instrs.at[d].op != OP_CMP ||
		    p->instrs.at[d].flags & INSTR_SAT)
			return false;
		unsigned const lane = swizzle_lane(user->src[s].swizzle, l);
		for (unsigned arm = 1; arm < 3; arm++) {
			int const unit = unit_of_lane(t, &p->instrs.at[d], arm, lane);
			if (unit == 2 || (m->cmp != FLOW_UNWRITTEN && unit != m->of[arm]))
				return false;
			m->of[arm] = unit;
		}
		m->from[l] = swizzle_lane(p->instrs.at[d].src[0].swizzle, lane);
		m->zero = m->cmp == FLOW_UNWRITTEN ? lane : m->zero;
		m->cmp = d;
	}
	/* Look from the cmp itself on, since it may overwrite the register that it compares. */
	return flow_source_keeps(p, &p->instrs.at[m->cmp], 0, m->cmp, k);
}

/* Replaces instruction k by a cmp that compares what the cmp of the choice compares, and chooses between sources 1 and 2 of `chosen`.  Returns false
 * if that is impossible. */
static bool choose_by_cmp(struct tidy *t, uint32_t k, const struct unit_choice *m, struct instr *chosen)
{
	const struct instr *cmp = &t->p->instrs.at[m->cmp];
	chosen->op = OP_CMP;
	instr_keep_precision(chosen, cmp);
	chosen->src[0] = cmp->src[0];
	chosen->src[0].letters = 0;
	return tidy_swizzle(t, chosen, 0, m->from, chosen->dst.mask, &chosen->src[0].swizzle) && tidy_replace(t, k, chosen);
}

/* If only operand `s` of mul k reads the result of a cmp between literals 0, 1 and -1, replaces the mul by a cmp between its other operand, that
 * negated, or 0.  Returns false if nothing changes. */
static bool choose_product(struct tidy *t, uint32_t k, unsigned s)
{
	const struct instr *mul = &t->p->instrs.at[k];
	struct unit_choice m;
	if (!find_unit_choice(t, k, s, &m) || !flow_is_sole_use(tidy_flow(t), k, s))
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
	return choose_by_cmp(t, k, &m, &chosen);
}

/* If a cmp computes all lanes of source `s` of the sum k, and chooses 0 where the number it compares is not negative and a literal elsewhere,
 * returns the cmp and sets *at to its index.  Else returns NULL. */
static const struct instr *find_sign(struct tidy *t, uint32_t k, unsigned s, uint32_t *at)
{
	const struct instr *add = &t->p->instrs.at[k];
	*at = flow_sole_def(tidy_flow(t), k, s);
	const struct instr *cmp = *at < FLOW_INPUT ? &t->p->instrs.at[*at] : NULL;
	if (!cmp || cmp->op != OP_CMP || cmp->flags & INSTR_SAT || !tidy_def(t, &cmp->src[2]))
		return NULL;
	EACH_LANE(l, add->dst.mask) {
		unsigned const lane = swizzle_lane(add->src[s].swizzle, l);
		if (unit_of_lane(t, cmp, 1, lane) != 0 || tidy_is_noted(t, cmp->src[2].index, swizzle_lane(cmp->src[2].swizzle, lane)))
			return NULL;
	}
	return cmp;
}

/* Replaces sum k, if it adds two cmps that compare x and -x, by a cmp that chooses between one of these cmps and a literal, as in sign(x).  Returns
 * false if nothing changes.
 *
 *     cmp r1, -x, 0, 1                       cmp r2, x, 0, -1
 *     cmp r2, x, 0, -1                       cmp r3, -x, r2, 1
 *     add r3, r1, r2
 *
 * Operand `s` of the sum (here r1) is the one that the result no longer reads. */
static bool choose_by_sign(struct tidy *t, uint32_t k, unsigned s)
{
	const struct instr *add = &t->p->instrs.at[k];
	uint32_t gone, stays;
	const struct instr *a = find_sign(t, k, s, &gone), *b = a ? find_sign(t, k, 1 - s, &stays) : NULL;
	const struct flow *f = tidy_flow(t);
	if (!b || gone == stays || a->src[0].file != b->src[0].file || a->src[0].index != b->src[0].index || a->src[0].relative ||
	    b->src[0].relative || a->src[0].negate == b->src[0].negate || !flow_is_sole_use(f, k, s) ||
	    !flow_source_keeps(t->p, a, 0, gone, k) || !never_nan_operand(f, gone, 0, t->limits->finite_textures))
		return false;
	unsigned compared[LANES] = {0}, number[LANES] = {0};
	EACH_LANE(l, add->dst.mask) {
		unsigned const in_a = swizzle_lane(add->src[s].swizzle, l), in_b = swizzle_lane(add->src[1 - s].swizzle, l);
		compared[l] = swizzle_lane(a->src[0].swizzle, in_a);
		number[l] = swizzle_lane(a->src[2].swizzle, in_a);
		if (compared[l] != swizzle_lane(b->src[0].swizzle, in_b) || flow_def(f, gone, 0, in_a) != flow_def(f, stays, 0, in_b))
			return false;
	}
	struct instr chosen = *add;
	chosen.op = OP_CMP;
	chosen.src[0] = a->src[0];
	chosen.src[1] = add->src[1 - s];
	chosen.src[2] = a->src[2];
	chosen.src[2].negate ^= add->src[s].negate;
	chosen.src[0].letters = chosen.src[2].letters = 0;
	instr_keep_precision(&chosen, a);
	return tidy_swizzle(t, &chosen, 0, compared, add->dst.mask, &chosen.src[0].swizzle) &&
	       tidy_swizzle(t, &chosen, 2, number, add->dst.mask, &chosen.src[2].swizzle) && tidy_replace(t, k, &chosen);
}

bool tidy_choices(struct tidy *t)
{
	if (!choices_pay(t))
		return false;
	for (uint32_t k = 1; k < t->p->instrs.n; k++) {
		const struct instr *i = &t->p->instrs.at[k];
		if (i->op == OP_MUL && i->dst.file == REG_TEMP && (choose_product(t, k, 0) || choose_product(t, k, 1)))
			return true; /* ends the pass, so that tidy_dead can remove the cmp of the factor, which nothing reads now */
		if (i->op == OP_ADD && (choose_by_sign(t, k, 0) || choose_by_sign(t, k, 1)))
			return true;
	}
	return false;
}
