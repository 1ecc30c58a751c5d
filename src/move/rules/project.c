/* Writes projected reads.  requires: values of the current program; builds: alternatives.
 *
 * A `texld` at (a / w, b / w) of an affine w gets the alternative `texldp` at (a, b, w), which is equal in real arithmetic; a and b can
 * leave where their quotients cannot.
 *
 * For each lane that is a quotient by w, a twin register gets its dividend by the same instructions, where adding k to the quotient adds
 * k w to the dividend.  Several reads share the twins; nothing reads them if no projected read is chosen. */
#include "move/rules/rules.h"

#include "move/graph/flow.h"

#include <string.h>

enum { MOST_DIVISORS = 32 };

enum part {
	PART_PLAIN,    /* no quotient */
	PART_ONE,      /* the quotient 1 / w, whose dividend needs no register */
	PART_DIVIDEND  /* another quotient; its dividend is in the register of dividends (twin) that belongs to its register */
};

/* The kind of value in a register lane: a quotient or not, and the divisor. */
struct lane {
	enum part part;
	unsigned by; /* for a quotient, the index of its divisor in projector.divisor */
};

struct projector {
	struct rewriting *w;
	const struct program *ps;
	struct projected *to;
	bool varies[MOST_TEXCOORDS * LANES]; /* [4 * t# + lane]: false if some VP always sends the same number there, for example 0, or nothing */
	struct lane lane[EVALUATE_TEMPS][LANES]; /* [r#][lane]: what it holds before the current instruction */
	int16_t twin[EVALUATE_TEMPS]; /* [r#]: the register that holds the dividends of its quotients, or 0 if it has none */
	value_id divisor[MOST_DIVISORS];
	int by[MOST_DIVISORS];     /* [divisor]: the register whose lane w holds it */
	unsigned divisors;
	uint32_t at;   /* index of the current instruction */
	uint8_t flags; /* flags of the instructions that compute dividends; coordinates and divisors never have low precision */
};

/* ---- writing ------------------------------------------------------------------------------- */

static struct src temp(int reg, swizzle s)
{
	return (struct src){.file = REG_TEMP, .index = (int16_t)reg, .swizzle = s, .at = SRCPOS_NONE};
}

static struct src divisor_source(const struct projector *p, unsigned by)
{
	return temp(p->by[by], swizzle_replicate(LANE_W));
}

static struct src negated_if(struct src s, bool negate)
{
	s.negate ^= negate;
	return s;
}

static int new_temp(struct projector *p)
{
	return p->w->next_temp++;
}

static int twin_of(struct projector *p, int reg)
{
	if (!p->twin[reg])
		p->twin[reg] = (int16_t)new_temp(p);
	return p->twin[reg];
}

static struct src twin(struct projector *p, struct src s)
{
	s.index = (int16_t)twin_of(p, s.index);
	return s;
}

/* Returns the list of instructions that stand before the current one, to which those that compute dividends are added. */
static struct instrs *beside(struct projector *p)
{
	return &p->w->beside[p->at];
}

static void put_temp_instr(struct projector *p, struct instrs *to, enum op op, int reg, lanes mask, struct src a, struct src b, struct src c)
{
	VEC_PUSH(p->w->arena, to) = (struct instr){
		.op = (uint8_t)op,
		.flags = p->flags,
		.dst = dst_lanes(REG_TEMP, reg, mask),
		.src = {a, b, c},
		.at = SRCPOS_NONE,
	};
}

/* ---- dividends ------------------------------------------------------------------------------- */

static struct lane part_of_operand(const struct projector *p, const struct instr *i, unsigned s, unsigned position)
{
	const struct src *src = &i->src[s];
	if (src->file != REG_TEMP || src->index >= EVALUATE_TEMPS)
		return (struct lane){PART_PLAIN, 0};
	return p->lane[src->index][swizzle_lane(src->swizzle, position)];
}

/* Clears p->varies for lanes that this VP computes from numbers alone, or does not write. */
static void find_varying(struct projector *p, const struct program *vs)
{
	struct arena *arena = p->w->arena;
	const struct flow *f = flow_find(arena, vs);
	bool *varies = arena_zero(arena, vs->instrs.n + 1);
	for (uint32_t k = 0; k < vs->instrs.n; k++)
		for (uint32_t r = f->first[k]; r < f->first[k + 1]; r++) {
			const struct flow_read *read = &f->read[r];
			bool number = read->file == REG_CONST && program_decl(vs, REG_CONST, read->index);
			varies[k] |= read->def == FLOW_INPUT ? !number : read->def != FLOW_UNWRITTEN && varies[read->def];
		}
	for (unsigned i = 0; i < MOST_TEXCOORDS * LANES; i++) {
		uint32_t def = flow_last(f, REG_TEX_OUT, (int)(i / LANES), i % LANES);
		p->varies[i] &= def < FLOW_INPUT && varies[def];
	}
}

/* Returns true if the value is affine and may differ from pixel to pixel, so that it is a divisor.  A number may be 0, and no proof finds a
 * quotient by 0 equal to another. */
static bool is_divisor(struct projector *p, value_id id)
{
	const struct value *x = id == NO_VALUE ? NULL : value_at(p->w->values, id);
	bool varies = false;
	for (uint32_t t = 0; x && x->class == VALUE_AFFINE && t < x->nterms; t++)
		varies |= x->terms[t].input >= MOST_TEXCOORDS * LANES || p->varies[x->terms[t].input];
	return varies;
}

/* Finds the divisor that an rcp reads, or adds it and keeps it in a register from here on.  Returns false if the value is no
 * divisor, or there are too many. */
static bool divide_by(struct projector *p, const struct instr *i, unsigned *by)
{
	value_id id = p->w->values->use[p->at][0].value[0];
	if (!is_divisor(p, id))
		return false;
	for (*by = 0; *by < p->divisors; ++*by)
		if (p->divisor[*by] == id)
			return true;
	if (p->divisors == MOST_DIVISORS)
		return false;
	p->divisor[p->divisors++] = id;
	p->by[*by] = new_temp(p);
	struct src from = i->src[0];
	from.swizzle = swizzle_replicate(swizzle_lane(from.swizzle, 0));
	put_temp_instr(p, beside(p), OP_MOV, p->by[*by], MASK_W, from, (struct src){0}, (struct src){0});
	return true;
}

/* For one lane of a sum or product a * b + c, which of a, b and c are quotients.  All are by the same divisor; b or c may be missing. */
struct terms {
	enum part a, b, c;
	unsigned by;
	struct product_sum as;
};

static bool same_terms(const struct terms *x, const struct terms *y)
{
	return x->a == y->a && x->b == y->b && x->c == y->c && x->by == y->by;
}

/* Finds which operands of a sum or product are quotients in this lane.  Returns false if the result is no quotient, or the dividend of the result
 * is not computed for this case. */
static bool find_quotient_terms(const struct projector *p, const struct instr *i, unsigned lane, struct terms *t)
{
	*t = (struct terms){.a = PART_PLAIN};
	if (!as_product_sum((enum op)i->op, &t->as))
		return false;
	struct lane part[MAX_SOURCES] = {{PART_PLAIN, 0}};
	bool any = false;
	EACH_SOURCE(s, i) {
		part[s] = part_of_operand(p, i, s, lane);
		if (part[s].part == PART_PLAIN)
			continue;
		if (any && part[s].by != t->by)
			return false;
		t->by = part[s].by;
		any = true;
	}
	t->a = part[t->as.p].part;
	t->b = t->as.f != NO_TERM ? part[t->as.f].part : PART_PLAIN;
	t->c = t->as.q != NO_TERM ? part[t->as.q].part : PART_PLAIN;
	if (!any || (t->a && t->b) || t->c == PART_ONE)
		return false;
	return t->as.f != NO_TERM || t->a != PART_ONE;
}

/* Adds instructions that compute the dividends of the result lanes `mask`, all of which are quotients of the same terms `t`. */
static void put_dividends(struct projector *p, const struct instr *i, const struct terms *t, lanes mask)
{
	static const struct src none = {0};
	int const to = twin_of(p, i->dst.index);
	struct src const by = divisor_source(p, t->by);
	struct src a = i->src[t->as.p], b = t->as.f == NO_TERM ? none : i->src[t->as.f], c = t->as.q == NO_TERM ? none : i->src[t->as.q];
	c.negate ^= t->as.minus;
	bool quotient = t->a || t->b;
	bool one = t->a == PART_ONE || t->b == PART_ONE;
	if (t->b) { /* swaps the factors, so that the quotient is the first */
		struct src const first = a;
		a = b;
		b = first;
	}
	if (one)
		a = negated_if(b, a.negate); /* the dividend of (1 / w) * b is b */
	else if (quotient)
		a = twin(p, a);
	if (t->c)
		c = twin(p, c);
	bool const product = t->as.f != NO_TERM && !one;
	if (t->as.q == NO_TERM) {
		put_temp_instr(p, beside(p), product ? OP_MUL : OP_MOV, to, mask, a, b, none);
		return;
	}
	if (quotient && t->c) {
		put_temp_instr(p, beside(p), product ? OP_MAD : OP_ADD, to, mask, a, product ? b : c, c);
		return;
	}
	if (product) {
		struct src const whole = temp(new_temp(p), SWIZZLE_XYZW);
		put_temp_instr(p, beside(p), OP_MUL, whole.index, mask, a, b, none);
		a = whole;
	}
	if (quotient)
		put_temp_instr(p, beside(p), OP_MAD, to, mask, c, by, a);
	else
		put_temp_instr(p, beside(p), OP_MAD, to, mask, a, by, c);
}

/* Returns true if lanes `mask` of the instruction need a dividend that was overwritten: it was in lanes `lost` of the register of dividends (twin)
 * that belongs to the instruction's destination. */
static bool reads_dividend(const struct projector *p, const struct instr *i, lanes mask, lanes lost)
{
	EACH_SOURCE(s, i)
		EACH_LANE(l, mask)
			if (part_of_operand(p, i, s, l).part == PART_DIVIDEND && i->src[s].index == i->dst.index &&
			    lost >> swizzle_lane(i->src[s].swizzle, l) & 1)
				return true;
	return false;
}

/* Finds which lanes that the instruction writes are quotients, and adds instructions that compute their dividends. */
static void follow_quotients(struct projector *p, const struct instr *i)
{
	lanes written = instr_writes(i), done = 0;
	struct lane now[LANES] = {{PART_PLAIN, 0}, {PART_PLAIN, 0}, {PART_PLAIN, 0}, {PART_PLAIN, 0}};
	if (!written || i->dst.file != REG_TEMP || i->dst.index >= EVALUATE_TEMPS)
		return;
	unsigned by;
	if (i->op == OP_RCP && !(i->flags & INSTR_SAT) && divide_by(p, i, &by))
		for (unsigned l = 0; l < LANES; l++)
			now[l] = (struct lane){PART_ONE, by};
	for (unsigned l = 0; l < LANES && i->op != OP_RCP && !(i->flags & INSTR_SAT); l++) {
		struct terms t, other;
		lanes mask = (lanes)(1u << l);
		if (!(written & mask) || done & mask || !find_quotient_terms(p, i, l, &t))
			continue;
		EACH_LANE(m, written & ~0u << (l + 1))
			if (find_quotient_terms(p, i, m, &other) && same_terms(&t, &other))
				mask |= (lanes)(1u << m);
		if (reads_dividend(p, i, mask, done))
			continue;
		p->flags = i->flags;
		put_dividends(p, i, &t, mask);
		p->flags = 0;
		done |= mask;
		EACH_LANE(m, mask)
			now[m] = (struct lane){PART_DIVIDEND, t.by};
	}
	EACH_LANE(l, written)
		p->lane[i->dst.index][l] = now[l];
}

/* ---- reads ----------------------------------------------------------------------------------- */

/* Adds instructions that make the coordinate (a, b, w) of a texldp from the dividends, where a texld reads at the quotients (a / w, b / w).
 * Returns false if instruction i is no such texld. */
static bool put_coordinate(struct projector *p, const struct instr *i, struct instrs *to, struct src *coordinate)
{
	if (i->op != OP_TEXLD || i->src[0].file != REG_TEMP || i->src[0].index >= EVALUATE_TEMPS)
		return false;
	enum texture texture = (enum texture)p->ps->samplers[i->src[1].index];
	/* texldp also divides the lane that is compared with a depth, texld does not.  If that lane is no quotient, it would be multiplied
	 * first, and might then differ from a depth to which it was equal. */
	unsigned const axes = texture == TEXTURE_VOLUME || i->flags & INSTR_DEPTH ? 3 : texture == TEXTURE_2D ? 2 : 0;
	for (unsigned l = 0; l < axes; l++) /* gives up a coordinate with a swizzle or a sign, which model 3 allows */
		if (i->src[0].negate || swizzle_lane(i->src[0].swizzle, l) != l)
			return false;
	const struct lane *lane = p->lane[i->src[0].index];
	const struct lane *first = NULL;
	lanes others = 0, dividends = 0;
	if (i->flags & INSTR_DEPTH && !lane[LANE_Z].part)
		return false;
	for (unsigned l = 0; l < axes; l++) {
		if (lane[l].part == PART_ONE || (lane[l].part && first && lane[l].by != first->by))
			return false;
		first = lane[l].part ? &lane[l] : first;
		*(lane[l].part ? &dividends : &others) |= (lanes)(1u << l);
	}
	if (!first)
		return false;
	struct src const old = temp(i->src[0].index, SWIZZLE_XYZW), by = divisor_source(p, first->by), none = {0};
	bool taken = lane[LANE_W].part == PART_DIVIDEND;
	*coordinate = taken ? temp(new_temp(p), SWIZZLE_XYZW) : twin(p, old);
	if (others)
		put_temp_instr(p, to, OP_MUL, coordinate->index, others, old, by, none);
	if (taken)
		put_temp_instr(p, to, OP_MOV, coordinate->index, dividends, twin(p, old), none, none);
	put_temp_instr(p, to, OP_MOV, coordinate->index, MASK_W, by, none, none);
	return true;
}

/* Finds the quotients in the program, and writes the alternatives of the texture reads that have them as coordinates. */
static void find_projected(struct rewriting *w)
{
	struct projector *p = arena_zero(w->arena, sizeof *p);
	int const before = w->next_temp;
	bool any = false;
	w->projected = arena_zero(w->arena, (w->ps->instrs.n + 1) * sizeof *w->projected);
	w->beside = arena_zero(w->arena, (w->ps->instrs.n + 1) * sizeof *w->beside);
	p->w = w;
	p->ps = w->ps;
	memset(p->varies, true, sizeof p->varies);
	for (unsigned k = 0; k < w->group->nvs; k++)
		find_varying(p, w->group->vs[k]);
	for (; p->at < w->ps->instrs.n; p->at++) {
		struct instr read = w->ps->instrs.at[p->at];
		if (put_coordinate(p, &read, &w->projected[p->at], &read.src[0])) {
			read.op = OP_TEXLDP;
			VEC_PUSH(w->arena, &w->projected[p->at]) = read;
			any = true;
		}
		follow_quotients(p, &w->ps->instrs.at[p->at]);
	}
	if (any && w->next_temp <= EVALUATE_TEMPS)
		return;
	w->next_temp = before;
	memset(w->projected, 0, w->ps->instrs.n * sizeof *w->projected);
	memset(w->beside, 0, w->ps->instrs.n * sizeof *w->beside);
}

/* Returns true if the FP has an rcp. */
static bool has_quotients(const struct program *ps)
{
	uint32_t k = 0;
	while (k < ps->instrs.n && ps->instrs.at[k].op != OP_RCP)
		k++;
	return k < ps->instrs.n;
}

void rule_project(struct rewriting *w)
{
	if (ops[w->ps->instrs.at[w->root].op].flags & OPF_TEX && !w->projected && has_quotients(w->ps))
		find_projected(w);
	const struct instrs *read = w->projected ? &w->projected[w->root] : NULL;
	if (!read || !read->n)
		return;
	rules_begin(w);
	for (uint32_t k = 0; k + 1 < read->n; k++)
		rules_put_beside(w, read->at[k], read->at[k].dst.index, read->at[k].dst.mask);
	rules_put(w, read->at[read->n - 1], w->ps->instrs.at[w->root].dst.mask);
	rules_add(w);
}
