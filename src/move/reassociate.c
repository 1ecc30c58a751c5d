/* Regroups sums and products, see reassociate.h.  requires: checked programs.
 *
 * A pixel instruction that adds or multiplies lane by lane is written as
 *     rest + sum of coefficient * pixel value [* pixel value]
 * where rest and coefficients are movable; what it reads is taken apart likewise, as far as it was
 * added and multiplied.  Written out again, each term takes one instruction, and what makes rest and
 * coefficients can leave.  That is done where fewer pixel instructions are left. */
#include "move/reassociate.h"

#include "move/regs.h"
#include "move/values.h"

#include <string.h>

enum {
	MOST_TERMS = 12,
	MOST_DEPTH = 24, /* instructions taken apart within one another */
	MOST_PASSES = 6,
	MOST_TEMPS = 32, /* of the result: what moves goes before there are too many */
	NO_INSTR = UINT32_MAX
};

/* An operand, or a sum or product of movable ones, at the lanes of the instruction being rewritten. */
enum expr_kind { EXPR_SOURCE, EXPR_SUM, EXPR_PRODUCT };
struct expr {
	uint8_t kind;         /* enum expr_kind */
	struct src src;
	uint32_t def[LANES];  /* EXPR_SOURCE: instructions that wrote it, or NO_INSTR */
	const struct expr *a, *b;
	value_id value[LANES]; /* if movable */
};

struct addend {
	const struct expr *coef; /* NULL: 1 */
	bool negate;
	unsigned n;
	const struct expr *pixel[2];
	uint32_t origin; /* instruction that made the product */
};

struct form {
	const struct expr *rest; /* NULL: 0 */
	unsigned n;
	struct addend term[MOST_TERMS];
};

struct regroup {
	struct arena *arena;
	struct program *ps;    /* each web of definitions in a register of its own */
	struct values *values;
	const struct program *vs;
	uint32_t *readers;     /* of each instruction: operands that read it */
	uint8_t *gone;         /* it was taken apart, and nobody reads it any more */
	int next_temp;
	bool eager;

	/* The instruction being rewritten. */
	uint32_t root;
	lanes mask;            /* positions that count */
	bool distribute, shared; /* products over sums; what has other readers is taken apart, too */
	uint32_t *inside;      /* of each instruction: operands that read it within what is taken apart */
	bool *opened;          /* taken apart */
	uint8_t flags;         /* INSTR_PP if all of it has that */
	struct { VEC(struct instr); } out;
	unsigned cost;         /* pixel slots of `out` */
};

static bool form_of_instr(struct regroup *, uint32_t i, const unsigned at[LANES], unsigned depth, struct form *);

/* ---- expressions ---------------------------------------------------------------- */

static bool all_equal(const struct regroup *r, const struct expr *e, value_id value)
{
	for (unsigned p = 0; p < LANES; p++)
		if (r->mask >> p & 1 && e->value[p] != value)
			return false;
	return true;
}

static bool has_zero(const struct regroup *r, const struct expr *e)
{
	for (unsigned p = 0; p < LANES; p++)
		if (r->mask >> p & 1 && e->value[p] == r->values->zero)
			return true;
	return false;
}

static const struct expr *combine(struct regroup *r, enum expr_kind kind, const struct expr *a, const struct expr *b)
{
	struct expr *e = arena_zero(r->arena, sizeof *e);
	*e = (struct expr){.kind = (uint8_t)kind, .a = a, .b = b};
	for (unsigned p = 0; p < LANES; p++) {
		if (!(r->mask >> p & 1))
			continue;
		e->value[p] = kind == EXPR_SUM ? value_sum(r->values, a->value[p], b->value[p])
		                               : value_product(r->values, a->value[p], b->value[p]);
		if (e->value[p] == NO_VALUE || value_at(r->values, e->value[p])->wild)
			return NULL;
	}
	return e;
}

static const struct expr *negated(struct regroup *r, const struct expr *e)
{
	struct expr *n = arena_alloc(r->arena, sizeof *n);
	*n = *e;
	for (unsigned p = 0; p < LANES; p++)
		if (r->mask >> p & 1)
			n->value[p] = value_negated(r->values, e->value[p]);
	switch ((enum expr_kind)e->kind) {
	case EXPR_SOURCE: n->src.negate = !n->src.negate; break;
	case EXPR_SUM: n->b = negated(r, e->b); n->a = negated(r, e->a); break;
	case EXPR_PRODUCT: n->a = negated(r, e->a); break;
	}
	return n;
}

/* The number 1, from a def that has it or a new one; NULL: no constant register is free. */
static const struct expr *one(struct regroup *r)
{
	bool used[32] = {false};
	int reg = -1;
	unsigned lane = 0;
	for (uint32_t k = 0; k < r->ps->decls.n; k++) {
		const struct decl *d = &r->ps->decls.at[k];
		if (d->kind != DECL_DEF || d->reg.index >= 32)
			continue;
		used[d->reg.index] = true;
		for (unsigned l = 0; l < LANES; l++) {
			if (d->value[l] >= 1 && d->value[l] <= 1 && program_decl(r->ps, REG_CONST, d->reg.index) == d) {
				reg = d->reg.index;
				lane = l;
			}
		}
	}
	for (uint32_t i = 0; i < r->ps->instrs.n; i++)
		for (unsigned s = 0; s < ops[r->ps->instrs.at[i].op].sources; s++) {
			const struct src *src = &r->ps->instrs.at[i].src[s];
			for (unsigned row = 0; src->file == REG_CONST && row < instr_rows(&r->ps->instrs.at[i], s); row++)
				if (src->index + (int)row < 32)
					used[src->index + (int)row] = true;
		}
	for (int c = 31; reg < 0 && c >= 0; c--) {
		if (used[c])
			continue;
		struct decl d = {.kind = DECL_DEF, .at = SRCPOS_NONE, .value = {1, 1, 1, 1}};
		d.reg = (struct dst){.file = REG_CONST, .index = (int16_t)c, .mask = MASK_XYZW, .at = SRCPOS_NONE};
		VEC_PUSH(r->arena, &r->ps->decls) = d;
		reg = c;
	}
	if (reg < 0)
		return NULL;
	struct expr *e = arena_zero(r->arena, sizeof *e);
	e->src = (struct src){.file = REG_CONST, .index = (int16_t)reg, .swizzle = swizzle_replicate(lane), .at = SRCPOS_NONE};
	for (unsigned p = 0; p < LANES; p++) {
		e->value[p] = r->values->one;
		e->def[p] = NO_INSTR;
	}
	return e;
}

/* ---- operands --------------------------------------------------------------------- */

/* A swizzle of ps_2_0 that brings lane[p] to each position p of the mask. */
static bool find_swizzle(lanes mask, const unsigned lane[LANES], swizzle *found)
{
	static const swizzle eight[] = {
		SWIZZLE_XYZW, SWIZZLE(1, 2, 0, 3), SWIZZLE(2, 0, 1, 3), SWIZZLE(3, 2, 1, 0),
		SWIZZLE(0, 0, 0, 0), SWIZZLE(1, 1, 1, 1), SWIZZLE(2, 2, 2, 2), SWIZZLE(3, 3, 3, 3),
	};
	for (unsigned k = 0; k < sizeof eight; k++) {
		bool fits = true;
		for (unsigned p = 0; p < LANES; p++)
			fits &= !(mask >> p & 1) || swizzle_lane(eight[k], p) == lane[p];
		if (fits) {
			*found = eight[k];
			return true;
		}
	}
	return false;
}

/* Operand s of instruction i as the root may read it; NULL: it cannot. */
static struct expr *leaf(struct regroup *r, uint32_t i, unsigned s, const unsigned at[LANES])
{
	struct expr *e = arena_zero(r->arena, sizeof *e);
	const struct use *u = &r->values->use[i][s];
	unsigned lane[LANES] = {0};
	lanes read = 0;
	e->src = r->ps->instrs.at[i].src[s];
	e->src.at = SRCPOS_NONE;
	e->src.letters = 0;
	for (unsigned p = 0; p < LANES; p++) {
		e->def[p] = NO_INSTR;
		if (!(r->mask >> p & 1))
			continue;
		lane[p] = swizzle_lane(e->src.swizzle, at[p]);
		read |= (lanes)(1u << lane[p]);
		e->value[p] = u->value[at[p]];
		if (u->def[at[p]] >= 0)
			e->def[p] = (uint32_t)u->def[at[p]];
	}
	if (!find_swizzle(r->mask, lane, &e->src.swizzle))
		return NULL;
	for (uint32_t k = i; e->src.file == REG_TEMP && k < r->root; k++) {
		const struct instr *later = &r->ps->instrs.at[k];
		if (instr_writes(later) & read && later->dst.file == REG_TEMP && later->dst.index == e->src.index)
			return NULL;
	}
	return e;
}

static bool is_movable(const struct regroup *r, const struct expr *e)
{
	for (unsigned p = 0; p < LANES; p++)
		if (r->mask >> p & 1 &&
		    (!value_is_movable(r->values, e->value[p]) || value_at(r->values, e->value[p])->wild))
			return false;
	return true;
}

static void form_negate(struct regroup *r, struct form *f)
{
	if (f->rest)
		f->rest = negated(r, f->rest);
	for (unsigned t = 0; t < f->n; t++)
		f->term[t].negate = !f->term[t].negate;
}

/* Can instruction j be taken apart? */
static bool opens(const struct regroup *r, uint32_t j, unsigned depth)
{
	const struct instr *i = &r->ps->instrs.at[j];
	bool linear = i->op == OP_ADD || i->op == OP_SUB || i->op == OP_MUL || i->op == OP_MAD || i->op == OP_MOV ||
	              i->op == OP_LRP;
	return linear && !(i->flags & INSTR_SAT) && depth < MOST_DEPTH && (r->shared || r->readers[j] == 1);
}

/* What arrives in positions at[p] of an operand. */
static bool form_of_operand(struct regroup *r, uint32_t i, unsigned s, const unsigned at[LANES], unsigned depth,
                            struct form *f)
{
	const struct src *src = &r->ps->instrs.at[i].src[s];
	struct expr *e = leaf(r, i, s, at);
	memset(f, 0, sizeof *f);
	if (e && is_movable(r, e)) {
		f->rest = all_equal(r, e, r->values->zero) ? NULL : e;
		return true;
	}
	uint32_t def = NO_INSTR;
	unsigned through[LANES] = {0};
	bool same = true;
	for (unsigned p = 0; p < LANES; p++) {
		if (!(r->mask >> p & 1))
			continue;
		int32_t d = r->values->use[i][s].def[at[p]];
		same &= d >= 0 && (def == NO_INSTR || def == (uint32_t)d);
		def = d >= 0 ? (uint32_t)d : def;
		through[p] = swizzle_lane(src->swizzle, at[p]);
	}
	if (same && def != NO_INSTR && opens(r, def, depth) && form_of_instr(r, def, through, depth + 1, f)) {
		r->inside[def]++;
		r->opened[def] = true;
		if (src->negate)
			form_negate(r, f);
		return true;
	}
	if (!e)
		return false;
	f->rest = NULL;
	f->n = 1;
	f->term[0] = (struct addend){.negate = e->src.negate, .n = 1, .pixel = {e}, .origin = i};
	e->src.negate = false;
	return true;
}

/* ---- arithmetic on forms ------------------------------------------------------------ */

static bool same_factor(const struct regroup *r, const struct expr *a, const struct expr *b)
{
	if (a->src.file != b->src.file || a->src.index != b->src.index)
		return false;
	for (unsigned p = 0; p < LANES; p++)
		if (r->mask >> p & 1 && (swizzle_lane(a->src.swizzle, p) != swizzle_lane(b->src.swizzle, p) ||
		                         a->def[p] != b->def[p]))
			return false;
	return true;
}

static bool same_product(const struct regroup *r, const struct addend *a, const struct addend *b)
{
	if (a->n != b->n)
		return false;
	if (a->n == 1)
		return same_factor(r, a->pixel[0], b->pixel[0]);
	return (same_factor(r, a->pixel[0], b->pixel[0]) && same_factor(r, a->pixel[1], b->pixel[1])) ||
	       (same_factor(r, a->pixel[0], b->pixel[1]) && same_factor(r, a->pixel[1], b->pixel[0]));
}

static bool form_add(struct regroup *r, struct form *f, const struct form *g)
{
	if (g->rest) {
		f->rest = f->rest ? combine(r, EXPR_SUM, f->rest, g->rest) : g->rest;
		if (!f->rest)
			return false;
		if (all_equal(r, f->rest, r->values->zero))
			f->rest = NULL;
	}
	for (unsigned t = 0; t < g->n; t++) {
		struct addend add = g->term[t];
		for (unsigned o = 0; o < f->n; o++) {
			struct addend *known = &f->term[o];
			if (!same_product(r, known, &add) || (!known->coef && !add.coef && known->negate == add.negate))
				continue;
			const struct expr *x = known->coef ? known->coef : one(r), *y = add.coef ? add.coef : one(r);
			if (!x || !y)
				return false;
			const struct expr *sum =
				combine(r, EXPR_SUM, x, known->negate == add.negate ? y : negated(r, y));
			/* What cancels stays as it is: a texture may hold infinities. */
			if (!sum || has_zero(r, sum))
				return false;
			known->coef = all_equal(r, sum, r->values->one) ? NULL : sum;
			add.n = 0;
			break;
		}
		if (!add.n)
			continue;
		if (f->n == MOST_TERMS)
			return false;
		f->term[f->n++] = add;
	}
	return true;
}

/* f * e, e movable. */
static bool form_scale(struct regroup *r, struct form *f, const struct expr *e)
{
	if (all_equal(r, e, r->values->one))
		return true;
	if (!r->distribute && f->n + (f->rest != NULL) > 1)
		return false;
	if (f->rest && !(f->rest = combine(r, EXPR_PRODUCT, f->rest, e)))
		return false;
	for (unsigned t = 0; t < f->n; t++) {
		f->term[t].coef = f->term[t].coef ? combine(r, EXPR_PRODUCT, f->term[t].coef, e) : e;
		if (!f->term[t].coef)
			return false;
	}
	return true;
}

/* The operand as one pixel value, not taken apart. */
static bool form_of_leaf(struct regroup *r, uint32_t i, unsigned s, const unsigned at[LANES], struct form *f)
{
	return form_of_operand(r, i, s, at, MOST_DEPTH, f);
}

static bool multiply(struct regroup *r, const struct form *a, const struct form *b, uint32_t i, struct form *f)
{
	*f = *a;
	if (!b->n)
		return b->rest && form_scale(r, f, b->rest);
	if (!a->n) {
		*f = *b;
		return a->rest && form_scale(r, f, a->rest);
	}
	if (a->n != 1 || b->n != 1 || a->rest || b->rest || a->term[0].n + b->term[0].n > 2)
		return false;
	struct addend *t = &f->term[0];
	t->pixel[1] = b->term[0].pixel[0];
	t->n = 2;
	t->origin = i;
	t->negate ^= b->term[0].negate;
	if (b->term[0].coef)
		t->coef = t->coef ? combine(r, EXPR_PRODUCT, t->coef, b->term[0].coef) : b->term[0].coef;
	return t->coef || (!a->term[0].coef && !b->term[0].coef);
}

struct tried {
	uint32_t *inside;
	bool *opened;
};

static struct tried remember(struct regroup *r)
{
	uint32_t n = r->ps->instrs.n;
	struct tried t = {arena_alloc(r->arena, n * sizeof *t.inside), arena_alloc(r->arena, n * sizeof *t.opened)};
	memcpy(t.inside, r->inside, n * sizeof *t.inside);
	memcpy(t.opened, r->opened, n * sizeof *t.opened);
	return t;
}

static void forget(struct regroup *r, const struct tried *t)
{
	uint32_t n = r->ps->instrs.n;
	memcpy(r->inside, t->inside, n * sizeof *t->inside);
	memcpy(r->opened, t->opened, n * sizeof *t->opened);
}

/* Operands s and t of instruction i multiplied, taken apart as far as the product allows. */
static bool form_of_product(struct regroup *r, uint32_t i, unsigned s, unsigned t, const unsigned at[LANES],
                            unsigned depth, struct form *f)
{
	struct form a, b;
	struct tried before = remember(r);
	for (unsigned whole = 0; whole < 4; whole++) {
		bool (*const plain)(struct regroup *, uint32_t, unsigned, const unsigned *, struct form *) = form_of_leaf;
		bool there = (whole & 1 ? plain(r, i, s, at, &a) : form_of_operand(r, i, s, at, depth, &a)) &&
		             (whole & 2 ? plain(r, i, t, at, &b) : form_of_operand(r, i, t, at, depth, &b));
		if (there && multiply(r, &a, &b, i, f))
			return true;
		forget(r, &before);
	}
	return false;
}

/* s0 (s1 - s2) + s2: with s0 movable, s0 s1 + (1 - s0) s2; with s1 and s2 movable, as it stands. */
static bool form_of_lrp(struct regroup *r, uint32_t i, const unsigned at[LANES], unsigned depth, struct form *f)
{
	struct form a, b, c;
	if (!form_of_operand(r, i, 0, at, depth, &a) || !form_of_operand(r, i, 1, at, depth, &b) ||
	    !form_of_operand(r, i, 2, at, depth, &c))
		return false;
	if (!a.n && a.rest) {
		const struct expr *whole = one(r), *left;
		*f = b;
		if (!whole || !(left = combine(r, EXPR_SUM, whole, negated(r, a.rest))) || !form_scale(r, f, a.rest) ||
		    !form_scale(r, &c, left))
			return false;
		return form_add(r, f, &c);
	}
	if (b.n || c.n)
		return false;
	*f = b;
	form_negate(r, &c);
	if (!form_add(r, f, &c) || !f->rest)
		return false;
	const struct expr *gap = f->rest;
	form_negate(r, &c);
	*f = a;
	return form_scale(r, f, gap) && form_add(r, f, &c);
}

static bool form_of_instr(struct regroup *r, uint32_t i, const unsigned at[LANES], unsigned depth, struct form *f)
{
	const struct instr *instr = &r->ps->instrs.at[i];
	struct form g;
	struct tried before = remember(r);
	uint8_t flags = r->flags;
	bool done = false;
	r->flags &= instr->flags;
	switch ((enum op)instr->op) {
	case OP_MOV: done = form_of_operand(r, i, 0, at, depth, f); break;
	case OP_ADD:
	case OP_SUB:
		done = form_of_operand(r, i, 0, at, depth, f) && form_of_operand(r, i, 1, at, depth, &g);
		if (done && instr->op == OP_SUB)
			form_negate(r, &g);
		done = done && form_add(r, f, &g);
		break;
	case OP_MUL: done = form_of_product(r, i, 0, 1, at, depth, f); break;
	case OP_MAD:
		done = form_of_product(r, i, 0, 1, at, depth, f) && form_of_operand(r, i, 2, at, depth, &g) &&
		       form_add(r, f, &g);
		break;
	case OP_LRP: done = form_of_lrp(r, i, at, depth, f); break;
	/* Not sums and products lane by lane. */
	case OP_ABS: case OP_CMP: case OP_CRS: case OP_DP2ADD: case OP_DP3: case OP_DP4: case OP_DST: case OP_EXP:
	case OP_EXPP: case OP_FRC: case OP_LIT: case OP_LOG: case OP_LOGP: case OP_M3X2: case OP_M3X3: case OP_M3X4:
	case OP_M4X3: case OP_M4X4: case OP_MAX: case OP_MIN: case OP_MOVA: case OP_NOP: case OP_NRM: case OP_POW:
	case OP_RCP: case OP_RSQ: case OP_SGE: case OP_SGN: case OP_SINCOS: case OP_SLT: case OP_TEXKILL:
	case OP_TEXLD: case OP_TEXLDB: case OP_TEXLDP: case OP_COUNT: break;
	}
	if (!done) {
		forget(r, &before);
		r->flags = flags;
	}
	return done;
}

/* ---- writing it out again --------------------------------------------------------------- */

static struct src temp_source(int reg)
{
	return (struct src){.file = REG_TEMP, .index = (int16_t)reg, .swizzle = SWIZZLE_XYZW, .at = SRCPOS_NONE};
}

/* Appends an instruction to a new temporary; an operand that the ports cannot take goes through one. */
static struct src put(struct regroup *r, enum op op, const struct src *s, bool pixel, uint32_t origin)
{
	struct instr i = {.op = (uint8_t)op, .at = origin};
	for (unsigned k = 0; k < ops[op].sources; k++) {
		i.src[k] = s[k];
		bool clash = false;
		for (unsigned o = 0; o < k; o++)
			clash |= s[k].file != REG_TEMP && i.src[o].file == s[k].file && i.src[o].index != s[k].index;
		if (!clash)
			continue;
		struct src plain = s[k];
		plain.negate = false;
		i.src[k] = put(r, OP_MOV, &plain, s[k].file == REG_INPUT, SRCPOS_NONE);
		i.src[k].negate = s[k].negate;
	}
	int to = r->next_temp++;
	i.dst = (struct dst){.file = REG_TEMP, .index = (int16_t)to, .mask = r->mask, .masked = r->mask != MASK_XYZW,
	                     .at = SRCPOS_NONE};
	i.flags = pixel ? r->flags : 0;
	r->cost += pixel;
	VEC_PUSH(r->arena, &r->out) = i;
	return temp_source(to);
}

static struct src write_movable(struct regroup *r, const struct expr *e)
{
	struct src s[MAX_SOURCES];
	switch ((enum expr_kind)e->kind) {
	case EXPR_SOURCE: break;
	case EXPR_PRODUCT:
		s[0] = write_movable(r, e->a);
		s[1] = write_movable(r, e->b);
		return put(r, OP_MUL, s, false, SRCPOS_NONE);
	case EXPR_SUM:
		if (e->a->kind == EXPR_PRODUCT || e->b->kind == EXPR_PRODUCT) {
			const struct expr *product = e->a->kind == EXPR_PRODUCT ? e->a : e->b;
			s[0] = write_movable(r, product->a);
			s[1] = write_movable(r, product->b);
			s[2] = write_movable(r, product == e->a ? e->b : e->a);
			return put(r, OP_MAD, s, false, SRCPOS_NONE);
		}
		s[0] = write_movable(r, e->a);
		s[1] = write_movable(r, e->b);
		return put(r, OP_ADD, s, false, SRCPOS_NONE);
	}
	return e->src;
}

static struct src signed_source(const struct expr *e, bool negate)
{
	struct src s = e->src;
	s.negate ^= negate;
	return s;
}

/* sum + term; `sum` is NULL at the start. */
static struct src write_term(struct regroup *r, const struct addend *t, const struct src *sum)
{
	struct src s[MAX_SOURCES] = {signed_source(t->pixel[0], t->negate)};
	if (t->n == 2) {
		s[1] = t->pixel[1]->src;
		if (!t->coef && sum)
			s[2] = *sum;
		s[0] = put(r, !t->coef && sum ? OP_MAD : OP_MUL, s, true, t->origin);
		if (!t->coef)
			return s[0];
	}
	if (t->coef)
		s[1] = write_movable(r, t->coef);
	else if (sum)
		s[1] = *sum;
	else
		return s[0];
	if (t->coef && sum)
		s[2] = *sum;
	return put(r, !t->coef ? OP_ADD : sum ? OP_MAD : OP_MUL, s, true, t->origin);
}

static void write_form(struct regroup *r, const struct form *f)
{
	struct src sum = {.file = REG_TEMP};
	bool started = f->rest != NULL;
	if (started)
		sum = write_movable(r, f->rest);
	/* Terms without a coefficient first: they leave room for `rest` at the constant port. */
	for (unsigned pass = 0; pass < 3; pass++) {
		for (unsigned t = 0; t < f->n; t++) {
			const struct addend *term = &f->term[t];
			unsigned when = term->coef ? 2 : term->n == 2 ? 1 : 0;
			if (when != pass)
				continue;
			sum = write_term(r, term, started ? &sum : NULL);
			started = true;
		}
	}
	const struct instr *last = r->out.n ? &r->out.at[r->out.n - 1] : NULL;
	if (!last || sum.negate || sum.file != REG_TEMP || last->dst.index != sum.index)
		put(r, OP_MOV, &sum, true, r->root);
}

/* ---- choosing ------------------------------------------------------------------------------ */

/* Slots of the pixel instructions that the root makes superfluous, with its own. */
static unsigned saved(const struct regroup *r)
{
	unsigned n = op_slots((enum op)r->ps->instrs.at[r->root].op, r->ps->model);
	for (uint32_t j = 0; j < r->root; j++)
		if (r->opened[j] && r->inside[j] >= r->readers[j])
			n += op_slots((enum op)r->ps->instrs.at[j].op, r->ps->model);
	return n;
}

/* A dot product with a scaled vector: the scale goes to the other side if that can move. */
static bool write_dot(struct regroup *r)
{
	static const unsigned plain[LANES] = {0, 1, 2, 3};
	const struct instr *i = &r->ps->instrs.at[r->root];
	lanes written = r->mask;
	r->mask = i->op == OP_DP3 ? MASK_XYZ : MASK_XYZW;
	struct tried before = remember(r);
	for (unsigned s = 0; s < 2; s++) {
		struct form f, other;
		forget(r, &before);
		if (!form_of_leaf(r, r->root, 1 - s, plain, &other) || other.n || !other.rest ||
		    !form_of_operand(r, r->root, s, plain, 0, &f) || f.n != 1 || f.rest || f.term[0].n != 1 || !f.term[0].coef)
			continue;
		const struct expr *scaled = combine(r, EXPR_PRODUCT, other.rest, f.term[0].coef);
		if (!scaled)
			continue;
		struct src sources[MAX_SOURCES] = {signed_source(f.term[0].pixel[0], f.term[0].negate),
		                                   write_movable(r, scaled)};
		r->mask = written;
		put(r, (enum op)i->op, sources, true, r->root);
		return true;
	}
	r->mask = written;
	return false;
}

static bool write_root(struct regroup *r)
{
	static const unsigned plain[LANES] = {0, 1, 2, 3};
	const struct instr *i = &r->ps->instrs.at[r->root];
	if (i->op == OP_DP3 || i->op == OP_DP4)
		return write_dot(r);
	struct form f;
	if (!form_of_instr(r, r->root, plain, 0, &f) || f.n == 0)
		return false;
	write_form(r, &f);
	return true;
}

/* Rewrites instruction i if that saves pixel slots: its new instructions are in `out`. */
static bool rewrite(struct regroup *r, uint32_t i)
{
	const struct instr *instr = &r->ps->instrs.at[i];
	uint32_t n = r->ps->instrs.n;
	bool pixel = false;
	if (instr->dst.file != REG_TEMP || !instr_writes(instr))
		return false;
	for (unsigned lane = 0; lane < LANES; lane++)
		pixel |= instr->dst.mask >> lane & 1 && !value_is_movable(r->values, r->values->def[i][lane]);
	for (unsigned policy = 0; pixel && policy < 4; policy++) {
		r->root = i;
		r->mask = instr->dst.mask;
		r->distribute = !(policy & 1);
		r->shared = policy & 2;
		r->flags = instr->flags & INSTR_PP;
		r->cost = 0;
		memset(&r->out, 0, sizeof r->out);
		memset(r->inside, 0, n * sizeof *r->inside);
		memset(r->opened, 0, n * sizeof *r->opened);
		if (!write_root(r))
			continue;
		unsigned before = saved(r);
		bool fewer_readers = false;
		for (uint32_t j = 0; j < i; j++)
			fewer_readers |= r->opened[j] && r->inside[j] < r->readers[j];
		if (r->cost < before || (r->eager && r->cost == before && fewer_readers))
			return true;
	}
	return false;
}

static void count_reads(struct regroup *r, uint32_t i, int by)
{
	for (unsigned s = 0; s < ops[r->ps->instrs.at[i].op].sources; s++) {
		const struct use *u = &r->values->use[i][s];
		for (unsigned p = 0; p < LANES; p++) {
			bool first = u->read >> p & 1 && u->def[p] >= 0;
			for (unsigned o = 0; o < p; o++)
				first &= !(u->read >> o & 1) || u->def[o] != u->def[p];
			if (first)
				r->readers[u->def[p]] = (uint32_t)((int)r->readers[u->def[p]] + by);
		}
	}
}

/* The root and what it made superfluous read nothing any more; what was not taken apart is read by the root. */
static void take(struct regroup *r)
{
	for (uint32_t j = 0; j < r->root; j++) {
		if (!r->opened[j])
			continue;
		if (r->inside[j] >= r->readers[j])
			r->gone[j] = true;
		r->readers[j] -= r->inside[j] < r->readers[j] ? r->inside[j] : r->readers[j];
	}
}

/* ---- registers ------------------------------------------------------------------------------- */

/* Gives each web of definitions a register of its own; false: a lane is read that nobody wrote. */
static bool separate_webs(struct regroup *r)
{
	uint32_t n = r->ps->instrs.n;
	uint32_t *leader = arena_alloc(r->arena, (n + 1) * sizeof *leader);
	for (uint32_t k = 0; k < n; k++)
		leader[k] = k;
	/* Definitions are joined in small programs: following every chain to its end is enough. */
	for (uint32_t k = 0; k < n; k++) {
		for (unsigned s = 0; s < ops[r->ps->instrs.at[k].op].sources; s++) {
			const struct use *u = &r->values->use[k][s];
			uint32_t first = NO_INSTR;
			for (unsigned p = 0; p < LANES; p++) {
				if (!(u->read >> p & 1) || r->ps->instrs.at[k].src[s].file != REG_TEMP)
					continue;
				if (u->def[p] < 0)
					return false;
				uint32_t d = (uint32_t)u->def[p];
				while (leader[d] != d)
					d = leader[d];
				if (first == NO_INSTR)
					first = d;
				else if (d < first)
					leader[first] = d, first = d;
				else
					leader[d] = first;
			}
		}
	}
	int *reg = arena_alloc(r->arena, (n + 1) * sizeof *reg);
	r->next_temp = 0;
	for (uint32_t k = 0; k < n; k++) {
		struct instr *i = &r->ps->instrs.at[k];
		for (unsigned s = 0; s < ops[i->op].sources; s++) {
			const struct use *u = &r->values->use[k][s];
			for (unsigned p = 0; p < LANES; p++)
				if (i->src[s].file == REG_TEMP && u->read >> p & 1) {
					i->src[s].index = (int16_t)reg[u->def[p]];
					break;
				}
		}
		uint32_t d = k;
		while (leader[d] != d)
			d = leader[d];
		if (instr_writes(i) && i->dst.file == REG_TEMP) {
			reg[k] = d == k ? r->next_temp++ : reg[d];
			i->dst.index = (int16_t)reg[k];
		}
	}
	return r->next_temp < VALUE_TEMPS / 2;
}

static bool pass(struct regroup *r)
{
	uint32_t n = r->ps->instrs.n;
	r->values = values_number(r->arena, r->vs, r->ps);
	if (!separate_webs(r))
		return false;
	r->values = values_number(r->arena, r->vs, r->ps);
	r->readers = arena_zero(r->arena, (n + 1) * sizeof *r->readers);
	r->inside = arena_zero(r->arena, (n + 1) * sizeof *r->inside);
	r->gone = arena_zero(r->arena, n + 1);
	r->opened = arena_zero(r->arena, (n + 1) * sizeof *r->opened);
	for (uint32_t i = 0; i < n; i++)
		count_reads(r, i, 1);
	struct { VEC(struct instr); } *written = arena_zero(r->arena, (n + 1) * sizeof *written);
	bool changed = false;
	for (uint32_t i = n; i-- > 0;) {
		if (r->gone[i] || !rewrite(r, i))
			continue;
		take(r);
		struct instr *last = &r->out.at[r->out.n - 1];
		const struct instr *old = &r->ps->instrs.at[i];
		last->dst = old->dst;
		last->flags |= old->flags & INSTR_SAT;
		last->at = i;
		last->blank = old->blank;
		last->comments = old->comments;
		written[i].at = r->out.at;
		written[i].n = r->out.n;
		changed = true;
	}
	if (!changed)
		return false;
	struct program *next = arena_alloc(r->arena, sizeof *next);
	*next = *r->ps;
	memset(&next->instrs, 0, sizeof next->instrs);
	for (uint32_t i = 0; i < n; i++) {
		if (!written[i].n) {
			VEC_PUSH(r->arena, &next->instrs) = r->ps->instrs.at[i];
			continue;
		}
		for (uint32_t k = 0; k < written[i].n; k++) {
			struct instr *new = &VEC_PUSH(r->arena, &next->instrs);
			*new = written[i].at[k];
			if (new->at != SRCPOS_NONE)
				new->at = r->ps->instrs.at[new->at].at;
		}
	}
	regs_remove_dead(r->arena, next, NULL);
	r->ps = next;
	return r->next_temp < VALUE_TEMPS;
}

struct program *reassociate(struct arena *arena, const struct program *vs, const struct program *ps, bool eager)
{
	for (uint32_t i = 0; i < ps->instrs.n; i++)
		if (ops[ps->instrs.at[i].op].shape == SHAPE_MATRIX && ps->instrs.at[i].src[1].file == REG_TEMP)
			return NULL; /* rows in temporaries: values does not follow their lanes */
	struct regroup r = {.arena = arena, .ps = program_copy(arena, ps), .vs = vs, .eager = eager};
	for (uint32_t i = 0; i < ps->instrs.n; i++)
		r.ps->instrs.at[i].at = i;
	regs_remove_dead(arena, r.ps, NULL);
	unsigned passes = 0;
	while (passes < MOST_PASSES && pass(&r))
		passes++;
	return passes && regs_allocate(arena, r.ps, MOST_TEMPS) ? r.ps : NULL;
}
