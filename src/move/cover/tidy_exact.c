/* What stays as it is written: the operations behind oPos and a0.  Another pass may draw the same mesh with the vertex
 * program as it was, and compare depths for equality, so that a position must come out the same to the last bit; and an
 * address in the middle of two constants must fall to the same side.  Fog and point size are not among it: no test
 * compares them with what another pass left.  Registers, lanes, copies and the order of independent operations are
 * nobody's concern, nor is where a number stands, nor what changes no bit: a factor 1, a term -0 (a term 0 makes 0 of
 * -0), and a literal that an input times 0 is added to, as what a vertex holds is finite. */
#include "move/cover/tidy.h"

#include <math.h>
#include <string.h>

static void find_exact(struct tidy *t)
{
	const struct program *p = t->p;
	const struct flow *f = t->flow;
	if (p->instrs.n > t->exact_size) {
		t->exact_size = p->instrs.n;
		t->exact = arena_alloc(t->arena, t->exact_size * sizeof *t->exact);
	}
	memset(t->exact, 0, p->instrs.n * sizeof *t->exact);
	for (uint32_t k = p->instrs.n; k-- > 0;) {
		const struct instr *i = &p->instrs.at[k];
		t->exact[k] |= instr_writes(i) && (i->dst.file == REG_POS_OUT || i->dst.file == REG_ADDRESS);
		for (uint32_t r = f->first[k]; t->exact[k] && r < f->first[k + 1]; r++)
			if (f->read[r].def < FLOW_INPUT)
				t->exact[f->read[r].def] = true;
	}
}

bool tidy_is_exact(struct tidy *t, uint32_t k)
{
	if (program_stage(t->p) != STAGE_VERTEX || (t->limits && t->limits->free_position))
		return false;
	tidy_flow(t);
	if (!t->exact_known)
		find_exact(t);
	t->exact_known = true;
	return t->exact[k];
}

/* The def of the operand's constant, as it will be; NULL: it is none's. */
static const struct decl *def_of(const struct tidy *t, const struct src *s, const struct literal_place *where)
{
	bool constant = s->file == REG_CONST && !s->relative;
	bool placed = constant && where && where->decl != UINT32_MAX && s->index == where->def.reg.index;
	return placed ? &where->def : tidy_def(t, s);
}

/* An operand's lane. */
struct lane_read {
	const struct decl *def; /* NULL: no number */
	struct src src;
	unsigned from;
	float number;
};

static struct lane_read number_read(float x)
{
	static const struct decl invented = {.kind = DECL_DEF};
	return (struct lane_read){.def = &invented, .number = x};
}

static struct lane_read lane_of(const struct tidy *t, const struct src *s, unsigned lane, const struct literal_place *where)
{
	unsigned const from = swizzle_lane(s->swizzle, lane);
	const struct decl *def = def_of(t, s, where);
	float const x = def ? def->value[from] : 0;
	return (struct lane_read){def, *s, from, s->negate ? -x : x};
}

/* The same register lane, or the same number to the bit, sign included? */
static bool same_read(const struct lane_read *x, const struct lane_read *y)
{
	const struct src *a = &x->src, *b = &y->src;
	if (!x->def || !y->def)
		return !x->def && !y->def && a->file == b->file && a->index == b->index && a->relative == b->relative &&
		       a->negate == b->negate && x->from == y->from;
	return memcmp(&x->number, &y->number, sizeof x->number) == 0;
}

/* What a lane of a mov, add, sub, mul or mad is: s[0] s[1] + s[2].  To multiply by 1 and to add -0 changes nothing. */
struct lane_mad {
	struct lane_read s[3];
};

static struct lane_mad sum_of(const struct tidy *t, const struct instr *i, unsigned lane, const struct literal_place *where)
{
	struct lane_mad sum = {{number_read(1), number_read(1), number_read(-0.0f)}};
	bool const factors = i->op == OP_MUL || i->op == OP_MAD;
	EACH_SOURCE(s, i)
		sum.s[s == 1 && !factors ? 2 : s] = lane_of(t, &i->src[s], lane, where);
	if (i->op == OP_SUB) {
		sum.s[2].src.negate = !sum.s[2].src.negate;
		sum.s[2].number = -sum.s[2].number;
	}
	return sum;
}

static bool is_number(const struct lane_read *x, float number)
{
	struct lane_read const y = number_read(number);
	return x->def && same_read(x, &y);
}

static bool is_negative(const struct lane_read *x)
{
	return x->def ? signbit(x->number) : x->src.negate;
}

/* The same factors, but for their signs, and the same sign of the product? */
static bool same_product(const struct lane_read *a, const struct lane_read *b, const struct lane_read *x,
                         const struct lane_read *y)
{
	struct lane_read plus[4] = {*a, *b, *x, *y};
	for (unsigned k = 0; k < 4; k++) {
		plus[k].src.negate = false;
		plus[k].number = fabsf(plus[k].number);
	}
	return same_read(&plus[0], &plus[2]) && same_read(&plus[1], &plus[3]) &&
	       (is_negative(a) != is_negative(b)) == (is_negative(x) != is_negative(y));
}

/* Is it the literal, as what a vertex holds is finite?  -0 would come out as 0. */
static bool is_literal_alone(const struct lane_mad *sum, const struct lane_read *literal)
{
	bool gone = false;
	for (unsigned zero = 0; zero < 2; zero++)
		gone |= sum->s[zero].def && sum->s[zero].number == 0 && !sum->s[1 - zero].def &&
		        sum->s[1 - zero].src.file == REG_INPUT;
	return gone && literal->def && sum->s[2].def && same_read(&sum->s[2], literal) && !is_number(literal, -0.0f);
}

static bool same_sum(const struct lane_mad *a, const struct lane_mad *b)
{
	bool same = false;
	for (unsigned one = 0; one < 2; one++) {
		same |= same_product(&a->s[0], &a->s[1], &b->s[one], &b->s[1 - one]) && same_read(&a->s[2], &b->s[2]);
		same |= is_number(&a->s[1], 1) && is_number(&b->s[one], 1) && same_read(&a->s[0], &b->s[2]) &&
		        same_read(&a->s[2], &b->s[1 - one]); /* x + y is y + x */
	}
	return same || (is_number(&a->s[1], 1) && is_number(&a->s[2], -0.0f) && is_literal_alone(b, &a->s[0]));
}

bool tidy_is_sum(const struct instr *i)
{
	return i->op == OP_MOV || i->op == OP_ADD || i->op == OP_SUB || i->op == OP_MUL || i->op == OP_MAD;
}

bool tidy_does_the_same(const struct tidy *t, const struct instr *old, const struct instr *new,
                        const struct literal_place *where)
{
	bool const sums = tidy_is_sum(old) && tidy_is_sum(new);
	bool same = old->flags == new->flags && (sums || (old->op == new->op && ops[old->op].shape == SHAPE_LANES));
	EACH_LANE(lane, same ? old->dst.mask : 0) {
		struct lane_mad const a = sum_of(t, old, lane, NULL), b = sum_of(t, new, lane, where);
		if (sums)
			same = same_sum(&a, &b);
		for (unsigned s = 0; same && !sums && s < ops[old->op].sources; s++) {
			struct lane_read const x = lane_of(t, &old->src[s], lane, NULL), y = lane_of(t, &new->src[s], lane, where);
			same = same_read(&x, &y);
		}
	}
	return same;
}
