/* Choices in the place of movs and products.  Movs of two registers into lanes of one become one by literals: mov r1.x,
 * r0 and mov r1.y, t0 are cmp r1.xy, c5, r0.x, t0 with c5.x not negative and c5.y negative.  Nothing is multiplied, so
 * it is exact, whatever the registers hold.  A product with a choice between 0, 1 and -1 becomes a choice between what is
 * multiplied, or its negation, and 0: what is infinite is 0 there, where it was no number.  Of pixel programs: a vertex
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

static const swizzle legal[] = {
	SWIZZLE_XYZW,
	SWIZZLE(0, 0, 0, 0), SWIZZLE(1, 1, 1, 1), SWIZZLE(2, 2, 2, 2), SWIZZLE(3, 3, 3, 3),
	SWIZZLE(1, 2, 0, 3), SWIZZLE(2, 0, 1, 3), SWIZZLE(3, 2, 1, 0),
};
enum { LEGAL = sizeof legal / sizeof *legal };

/* What `mov` reads in its own lanes, and in the others of `mask` one of `there`. */
static bool spread_over(const struct instr *mov, lanes mask, lanes there, struct src *s)
{
	for (unsigned k = 0; k < LEGAL; k++) {
		bool fits = true;
		for (unsigned l = 0; l < LANES && fits; l++) {
			unsigned from = swizzle_lane(legal[k], l);
			if (mov->dst.mask >> l & 1)
				fits = from == swizzle_lane(mov->src[0].swizzle, l);
			else if (mask >> l & 1)
				fits = there >> from & 1;
		}
		s->swizzle = legal[k];
		if (fits)
			return true;
	}
	return false;
}

/* ... anything that is there, or else that a VP writes. */
static bool spread(const struct tidy *t, const struct instr *mov, lanes mask, uint32_t at, uint32_t gone, struct src *s)
{
	const struct program *p = t->p;
	*s = mov->src[0];
	s->letters = 0;
	lanes const own = swizzle_lanes(s->swizzle, mov->dst.mask);
	return spread_over(mov, mask, own | (s->file == REG_TEMP ? defined(p, s->index, at, gone) : 0), s) ||
	       (s->file == REG_TEXCOORD &&
	        spread_over(mov, mask, t->room->written[s->index] & program_decl(p, REG_TEXCOORD, s->index)->reg.mask, s));
}

/* A literal that is not negative in the lanes `yes`, and negative in the others of `mask`: one that is there. */
static bool find_signs(const struct tidy *t, lanes yes, lanes mask, struct src *s)
{
	const struct program *p = t->p;
	for (uint32_t k = 0; k < p->decls.n; k++) {
		const struct decl *d = &p->decls.at[k];
		for (unsigned way = 0; d->kind == DECL_DEF && program_decl(p, REG_CONST, d->reg.index) == d && way < 2 * LEGAL; way++) {
			bool fits = true, minus = way % 2;
			for (unsigned l = 0; l < LANES && fits; l++) {
				unsigned from = swizzle_lane(legal[way / 2], l);
				float x = d->value[from];
				bool negative = minus ? x > 0 : x < 0;
				fits = !(mask >> l & 1) || (isfinite(x) && x != 0 && negative == !(yes >> l & 1) && !tidy_is_noted(t, d->reg.index, from));
			}
			*s = (struct src){.file = REG_CONST, .index = d->reg.index, .negate = minus, .swizzle = legal[way / 2],
			                  .at = SRCPOS_NONE};
			if (fits)
				return true;
		}
	}
	return false;
}

static bool is_mov(const struct instr *i)
{
	return i->op == OP_MOV && i->dst.file == REG_TEMP && i->src[0].file != REG_CONST;
}

static bool as_choice(struct tidy *t, uint32_t j, uint32_t k, uint32_t at, struct instr *both, struct literal_place *where)
{
	const struct instr *a = &t->p->instrs.at[j], *b = &t->p->instrs.at[k];
	lanes const mask = a->dst.mask | b->dst.mask;
	*both = *a;
	both->op = OP_CMP;
	tidy_mask(both, mask);
	if (!is_mov(a) || !is_mov(b) || !spread(t, a, mask, at, j, &both->src[1]) || !spread(t, b, mask, at, j, &both->src[2]))
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
	const struct decl *def = src->file == REG_CONST ? program_decl(t->p, REG_CONST, src->index) : NULL;
	unsigned const from = swizzle_lane(src->swizzle, l);
	if (!def || tidy_is_noted(t, src->index, from))
		return 2;
	float const x = src->negate ? -def->value[from] : def->value[from];
	return x == 0 ? 0 : x == 1 ? 1 : x == -1 ? -1 : 2;
}

/* Operand `s` of the mul k is a choice between 0, 1 and -1, which nobody else reads: it is chosen between the other
 * operand, its negation, and 0. */
static bool multiply(struct tidy *t, uint32_t k, unsigned s)
{
	struct program *p = t->p;
	const struct instr *mul = &p->instrs.at[k];
	uint32_t def = FLOW_UNWRITTEN;
	unsigned from[LANES] = {0}, first = LANES;
	int of[3] = {0};
	if (mul->src[s].file != REG_TEMP)
		return false;
	for (unsigned l = 0; l < LANES; l++) {
		if (!(mul->dst.mask >> l & 1))
			continue;
		uint32_t const d = flow_def(tidy_flow(t), k, s, l);
		if (d >= FLOW_INPUT || (first < LANES && d != def) || p->instrs.at[d].op != OP_CMP || p->instrs.at[d].flags & INSTR_SAT)
			return false;
		def = d;
		unsigned const lane = swizzle_lane(mul->src[s].swizzle, l);
		for (unsigned arm = 1; arm < 3; arm++) {
			int const unit = unit_at(t, &p->instrs.at[d], arm, lane);
			if (unit == 2 || (first < LANES && unit != of[arm]))
				return false;
			of[arm] = unit;
		}
		from[l] = swizzle_lane(p->instrs.at[d].src[0].swizzle, lane);
		first = first == LANES ? lane : first;
	}
	const struct instr *cmp = &p->instrs.at[def];
	/* The cmp itself may overwrite what it reads. */
	if (!flow_source_keeps(p, cmp, 0, def, k) || !flow_is_sole_use(tidy_flow(t), k, s))
		return false;
	struct instr chosen = *mul;
	chosen.op = OP_CMP;
	chosen.flags &= (uint8_t)(cmp->flags | (uint8_t)~INSTR_PP);
	chosen.src[0] = cmp->src[0];
	chosen.src[0].letters = 0;
	for (unsigned arm = 1; arm < 3; arm++) {
		chosen.src[arm] = mul->src[1 - s];
		chosen.src[arm].negate ^= (of[arm] < 0) != mul->src[s].negate;
		if (of[arm] == 0) {
			chosen.src[arm] = cmp->src[arm];
			chosen.src[arm].negate = false;
			chosen.src[arm].letters = 0;
			chosen.src[arm].swizzle = swizzle_replicate(swizzle_lane(cmp->src[arm].swizzle, first));
		}
	}
	return tidy_swizzle(t, &chosen, 0, from, mul->dst.mask, &chosen.src[0].swizzle) && tidy_replace(t, k, &chosen);
}

bool tidy_choices(struct tidy *t)
{
	struct program *p = t->p;
	if (program_stage(p) == STAGE_VERTEX || !t->room || !t->room->choices)
		return false;
	for (uint32_t k = 1; k < p->instrs.n; k++)
		for (unsigned s = 0; p->instrs.at[k].op == OP_MUL && p->instrs.at[k].dst.file == REG_TEMP && s < 2; s++)
			if (multiply(t, k, s))
				return true; /* the cmp is dead now */
	return tidy_join_lanes(t, as_choice);
}
