/* Dot products, see dots.h.  requires: values of the program at hand; builds: a program. */
#include "move/rules/dots.h"

#include "move/graph/flow.h"
#include "move/graph/registers.h"

#include <string.h>

enum {
	MOST_MEMBERS = 8,
	MOST_PARTS = 2 /* products of a dot product that stay */
};

/* Operands 0 and 1 of an instruction, at a position. */
struct product {
	uint32_t at;
	unsigned position;
	bool minus;
};

/* A sum of products, in the order in which they are added up. */
struct sum {
	struct values *v;
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
	const struct src *src = &sum->v->ps->instrs.at[k].src[s];
	int32_t const def = sum->v->use[k][s].def[position];
	return src->file == REG_TEMP && def >= 0 && !(sum->v->ps->instrs.at[def].flags & INSTR_SAT) &&
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
	const struct instr *i = &sum->v->ps->instrs.at[k];
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
static bool is_uniform(const struct instr *i)
{
	unsigned const first = first_lane(i->dst.mask);
	for (unsigned s = 0; ops[i->op].shape == SHAPE_LANES && s < ops[i->op].sources; s++)
		for (unsigned l = 0; l < LANES; l++)
			if (i->dst.mask >> l & 1 && swizzle_lane(i->src[s].swizzle, l) != swizzle_lane(i->src[s].swizzle, first))
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

static bool find_sum(struct values *v, uint32_t root, struct sum *sum)
{
	const struct instr *i = &v->ps->instrs.at[root];
	*sum = (struct sum){.v = v, .root = root, .pp = true};
	return i->dst.file == REG_TEMP && i->op != OP_MUL && is_uniform(i) && add_terms(sum, root, first_lane(i->dst.mask), false) &&
	       sum->n > 1 && is_alone(sum);
}

/* ---- sides ---------------------------------------------------------------------------------- */

static const struct src *factor(const struct sum *sum, unsigned term, unsigned s)
{
	return &sum->v->ps->instrs.at[sum->of[term].at].src[s];
}

static value_id value_of(const struct sum *sum, unsigned term, unsigned s)
{
	return sum->v->use[sum->of[term].at][s].value[sum->of[term].position];
}

/* Does the register's lane hold at the root what it held where it is read, without the members? */
static bool is_kept(const struct sum *sum, unsigned term, unsigned s)
{
	const struct src *src = factor(sum, term, s);
	unsigned const lane = swizzle_lane(src->swizzle, sum->of[term].position);
	uint32_t k = src->file == REG_TEMP ? sum->of[term].at : sum->root;
	while (k < sum->root && is_member(sum, k))
		k = flow_next_clobber(sum->v->ps, src->index, (lanes)(1u << lane), k + 1);
	return k >= sum->root;
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
		if (!value_may_move(sum->v, value_of(sum, t, side->operand[t])))
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

static void put(struct values *v, struct program *out, enum op op, int reg, lanes mask, struct src a, struct src b, struct src c)
{
	VEC_PUSH(v->arena, &out->instrs) = (struct instr){
		.op = (uint8_t)op,
		.dst = {.file = REG_TEMP, .index = (int16_t)reg, .mask = mask, .masked = mask != MASK_XYZW, .at = SRCPOS_NONE},
		.src = {a, b, c},
		.at = SRCPOS_NONE,
	};
}

/* The factor alone, as it stands at its position. */
static struct src lane_of(const struct src *src, unsigned position)
{
	struct src s = *src;
	s.letters = 0;
	s.at = SRCPOS_NONE;
	s.swizzle = swizzle_replicate(swizzle_lane(src->swizzle, position));
	return s;
}

/* A number 0: a def's, or something without itself. */
static void put_zero(struct values *v, struct program *out, int reg, lanes mask, struct src some)
{
	for (uint32_t k = 0; k < v->ps->decls.n; k++) {
		const struct decl *d = &v->ps->decls.at[k];
		for (unsigned l = 0; d->kind == DECL_DEF && program_decl(v->ps, REG_CONST, d->reg.index) == d && l < LANES; l++) {
			if (d->value[l] != 0)
				continue;
			struct src const zero = {.file = REG_CONST, .index = d->reg.index, .swizzle = swizzle_replicate(l), .at = SRCPOS_NONE};
			put(v, out, OP_MOV, reg, mask, zero, (struct src){0}, (struct src){0});
			return;
		}
	}
	struct src minus = some;
	minus.negate = !minus.negate;
	put(v, out, OP_ADD, reg, mask, some, minus, (struct src){0});
}

struct writer {
	struct values *v;
	struct program *out;
	struct sum *sums;   /* [instruction]: of its root; n = 0: none */
	uint32_t *root;     /* of each instruction: where it is a member, or UINT32_MAX */
	struct side (*side)[2];
	bool *squares;
	int *reg;           /* where the gathered sides of a root go */
	int next;
};

/* Plans the dot product of the sum at `root`; false: it is none, or saves nothing. */
static bool plan(struct writer *w, uint32_t root)
{
	struct sum *sum = &w->sums[root];
	bool minus = false;
	if (!find_sum(w->v, root, sum))
		return false;
	unsigned slots = 0;
	for (unsigned m = 0; m < sum->members; m++) {
		if (w->root[sum->member[m]] != UINT32_MAX)
			return false;
		slots += instr_slots(&w->v->ps->instrs.at[sum->member[m]], w->v->ps->model);
	}
	struct side *side = w->side[root];
	w->squares[root] = false;
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
	w->squares[root] = true;
	return slots > 1 && are_squares(sum, &minus);
}

/* The movs that gather what instruction k multiplies, and the dot product if it is the root. */
static void write_member(struct writer *w, uint32_t k)
{
	struct values *v = w->v;
	const struct sum *sum = &w->sums[w->root[k]];
	const struct side *side = w->side[sum->root];
	int const reg = w->reg[sum->root];
	bool const squares = w->squares[sum->root];
	for (unsigned t = 0; t < sum->n; t++) {
		if (sum->of[t].at != k)
			continue;
		for (unsigned n = 0; n < (squares ? 1u : 2u); n++) {
			if (!squares && !side[n].gathered)
				continue;
			struct src s = lane_of(factor(sum, t, squares ? 0 : side[n].operand[t]), sum->of[t].position);
			s.negate ^= !squares && is_minus(sum, t, &side[0], &side[1]);
			put(v, w->out, OP_MOV, reg, (lanes)(1u << t), s, (struct src){0}, (struct src){0});
		}
	}
	if (k != sum->root)
		return;
	struct instr dot = v->ps->instrs.at[k];
	memset(dot.src, 0, sizeof dot.src);
	dot.op = sum->n == 4 ? OP_DP4 : OP_DP3;
	dot.at = k;
	if (!sum->pp)
		dot.flags &= (uint8_t)~INSTR_PP;
	bool minus = false;
	if (squares) {
		(void)are_squares(sum, &minus);
		if (sum->n == 2)
			put_zero(v, w->out, reg, MASK_Z, lane_of(factor(sum, 0, 0), sum->of[0].position));
		dot.src[0] = dot.src[1] = src_temp(reg);
	} else {
		for (unsigned n = 0; n < 2; n++) {
			dot.src[n] = side[n].gathered ? src_temp(reg) : side[n].src;
			dot.src[n].negate = false;
		}
		minus = !side[0].gathered && !side[1].gathered && is_minus(sum, 0, &side[0], &side[1]);
	}
	dot.src[0].negate = minus;
	VEC_PUSH(v->arena, &w->out->instrs) = dot;
}

struct program *dots_join(struct values *v)
{
	uint32_t const n = v->ps->instrs.n;
	bool any = false;
	for (uint32_t k = 0; k < n && !any; k++)
		any = v->ps->instrs.at[k].op == OP_MAD || v->ps->instrs.at[k].op == OP_ADD || v->ps->instrs.at[k].op == OP_SUB ||
		      v->ps->instrs.at[k].op == OP_DP2ADD;
	if (!any)
		return NULL;
	struct writer w = {.v = v, .next = VIRTUAL_REGS};
	any = false;
	w.sums = arena_alloc(v->arena, n * sizeof *w.sums);
	w.root = arena_alloc(v->arena, n * sizeof *w.root);
	w.side = arena_alloc(v->arena, n * sizeof *w.side);
	w.squares = arena_alloc(v->arena, n * sizeof *w.squares);
	w.reg = arena_alloc(v->arena, n * sizeof *w.reg);
	memset(w.root, 0xff, n * sizeof *w.root);
	for (uint32_t k = n; k-- > 0;) {
		bool pixel = false;
		for (unsigned l = 0; l < LANES; l++)
			pixel |= instr_writes(&v->ps->instrs.at[k]) >> l & 1 && value_is_pixel(v, v->def[k][l]);
		if (w.root[k] != UINT32_MAX || !pixel || !plan(&w, k))
			continue;
		for (unsigned m = 0; m < w.sums[k].members; m++)
			w.root[w.sums[k].member[m]] = k;
		w.reg[k] = w.next++;
		any = true;
	}
	if (!any)
		return NULL;
	w.out = program_head(v->arena, v->ps);
	for (uint32_t k = 0; k < n; k++) {
		if (w.root[k] != UINT32_MAX) {
			write_member(&w, k);
			continue;
		}
		struct instr *i = &VEC_PUSH(v->arena, &w.out->instrs);
		*i = v->ps->instrs.at[k];
		i->at = k;
	}
	return regs_allocate(v->arena, w.out, WAY_TEMPS) ? w.out : NULL;
}

/* ---- products that stay ------------------------------------------------------------------------ */

/* Which products of dot product k cannot move. */
static lanes staying(const struct values *v, uint32_t k)
{
	const struct instr *i = &v->ps->instrs.at[k];
	lanes const all = i->op == OP_DP3 ? MASK_XYZ : MASK_XYZW;
	lanes stay = 0;
	for (unsigned p = 0; p < LANES; p++) {
		value_id const a = v->use[k][0].value[p], b = v->use[k][1].value[p];
		if (all >> p & 1 && !(value_may_move(v, a) && value_may_move(v, b) &&
		                      (value_at(v, a)->class == VALUE_CONST || value_at(v, b)->class == VALUE_CONST)))
			stay |= (lanes)(1u << p);
	}
	return stay;
}

static bool is_in_part(const struct values *v, uint32_t k)
{
	const struct instr *i = &v->ps->instrs.at[k];
	if ((i->op != OP_DP3 && i->op != OP_DP4) || i->dst.file != REG_TEMP)
		return false;
	lanes const all = i->op == OP_DP3 ? MASK_XYZ : MASK_XYZW, stay = staying(v, k);
	unsigned n = 0;
	for (unsigned p = 0; p < LANES; p++)
		n += stay >> p & 1;
	return n > 0 && n <= MOST_PARTS && stay != all;
}

static void write_parts(struct values *v, struct program *out, uint32_t k)
{
	const struct instr *i = &v->ps->instrs.at[k];
	lanes const all = i->op == OP_DP3 ? MASK_XYZ : MASK_XYZW, stay = staying(v, k);
	/* Lanes of one register are sums of one register's lanes. */
	int const reg = VIRTUAL_REGS + i->dst.index;
	lanes const mask = (lanes)(1u << first_lane(i->dst.mask));
	struct src sum = src_temp(reg);
	sum.swizzle = swizzle_replicate(first_lane(i->dst.mask));
	bool begun = false;
	for (unsigned pass = 0; pass < 2; pass++)
		for (unsigned p = 0; p < LANES; p++)
			if (all >> p & 1 && (stay >> p & 1) == pass) {
				put(v, out, begun ? OP_MAD : OP_MUL, reg, mask, lane_of(&i->src[0], p), lane_of(&i->src[1], p),
				    begun ? sum : (struct src){0});
				begun = true;
			}
	struct instr *last = &out->instrs.at[out->instrs.n - 1];
	last->dst = i->dst;
	last->flags = i->flags;
	last->blank = i->blank;
	last->comments = i->comments;
	last->at = k;
}

struct program *dots_part(struct values *v)
{
	bool any = false;
	for (uint32_t k = 0; k < v->ps->instrs.n && !any; k++)
		any = is_in_part(v, k);
	if (!any)
		return NULL;
	struct program *out = program_head(v->arena, v->ps);
	for (uint32_t k = 0; k < v->ps->instrs.n; k++) {
		if (is_in_part(v, k)) {
			write_parts(v, out, k);
			continue;
		}
		struct instr *i = &VEC_PUSH(v->arena, &out->instrs);
		*i = v->ps->instrs.at[k];
		i->at = k;
	}
	regs_remove_dead(v->arena, out);
	return regs_allocate(v->arena, out, WAY_TEMPS) ? out : NULL;
}
