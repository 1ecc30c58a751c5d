/* Lets a product also write the lanes of its register that a mov fills with literals.  requires: values of the current program; builds: a
 * program.
 *
 * `mul r0.xyz, r0, t2` and `mov r0.w, c1.x` become `mul r0, r0, r2` with r2.xyz = t2 and r2.w = 0 if c1.x is 0, else
 * `mad r0, r0, r2, r3` with r3.xyz = 0 and r3.w = c1.x.  Movs bring the lanes of r2 and r3, and can leave.  The value that is multiplied by
 * the new 0 is finite. */
#include "move/rules/rules.h"

#include "move/graph/evaluate.h"
#include "move/graph/finite.h"
#include "move/graph/registers.h"

/* A mov of literals, and the mul, or mad that adds literals, that can write the mov's lanes as well. */
struct beside {
	uint32_t mov, product;
	unsigned p; /* source index of the product's finite factor */
	unsigned f; /* source index of the product's factor that can move */
	unsigned q; /* source index of the summand, which is literals, of a mad; NO_TERM for a mul */
};

/* The current program, and all pairs of a mov and a product that were found in it. */
struct writing {
	const struct values *v;
	const struct move_options *o;
	const struct flow *flow; /* NULL until it is first needed */
	struct { VEC(struct beside); } found;
	bool *taken; /* true for each instruction in `found` */
};

/* Returns the literal that the operand reads in a lane, or NULL if it reads none. */
static const float *literal_of_lane(const struct program *p, const struct src *s, unsigned lane)
{
	const struct decl *def = s->file == REG_CONST && !s->relative ? program_decl(p, REG_CONST, s->index) : NULL;
	return def ? &def->value[swizzle_lane(s->swizzle, lane)] : NULL;
}

static bool are_numbers(const struct program *p, const struct instr *i, unsigned s)
{
	return literal_of_lane(p, &i->src[s], first_lane(i->dst.mask)) != NULL;
}

/* Returns true if instruction k is a mov of literals. */
static bool makes_numbers(const struct program *p, uint32_t k)
{
	return p->instrs.at[k].op == OP_MOV && are_numbers(p, &p->instrs.at[k], 0);
}

/* Returns true if interpolators can bring all values that the operand reads. */
static bool operand_rides(const struct writing *w, uint32_t k, unsigned s)
{
	bool all = true;
	EACH_LANE(l, w->v->ps->instrs.at[k].dst.mask)
		all &= value_rides(w->v, w->v->use[k][s].value[l], w->o);
	return all;
}

/* Returns true if, in each lane of the mov, operand s of the product would read a finite value in a temporary.  A result of a mov of literals
 * does not count, since that mov may be removed itself. */
static bool is_finite_in(struct writing *w, const struct beside *b, unsigned s)
{
	const struct program *ps = w->v->ps;
	const struct instr *at = ps->instrs.at;
	const struct src *src = &at[b->product].src[s];
	bool finite = src->file == REG_TEMP;
	if (!w->flow)
		w->flow = flow_find(w->v->arena, ps);
	EACH_LANE(l, finite ? at[b->mov].dst.mask : 0) {
		uint32_t def = b->product;
		while (def > 0 && !(instr_clobbers(&at[def - 1], src->index) >> swizzle_lane(src->swizzle, l) & 1))
			def--;
		finite &= def > 0 && !makes_numbers(ps, def - 1) && finite_result(w->flow, def - 1, w->o->finite_textures);
	}
	return finite;
}

/* Finds the operands by which the product can make the mov's lanes.  Returns false if it has none. */
static bool find_operands(struct writing *w, struct beside *b)
{
	const struct program *ps = w->v->ps;
	const struct instr *product = &ps->instrs.at[b->product];
	struct product_sum as;
	if (!as_product_sum((enum op)product->op, &as) || as.f == NO_TERM || as.minus || (as.q != NO_TERM && !are_numbers(ps, product, as.q)))
		return false;
	for (unsigned turned = 0; turned < 2; turned++) {
		b->p = turned ? as.f : as.p;
		b->f = turned ? as.p : as.f;
		b->q = as.q;
		if (operand_rides(w, b->product, b->f) && is_finite_in(w, b, b->p))
			return true;
	}
	return false;
}

/* Adds mov k and the first product that can make its numbers to w->found, if there is one.  The product writes the same register, and no
 * instruction between both reads or writes the lanes of the mov. */
static void find_product(struct writing *w, uint32_t k)
{
	const struct program *ps = w->v->ps;
	const struct instr *mov = &ps->instrs.at[k];
	if (!makes_numbers(ps, k) || (mov->dst.file != REG_TEMP && mov->dst.file != REG_PIXEL_OUT))
		return;
	for (uint32_t j = 0; j < ps->instrs.n; j++) {
		const struct instr *i = &ps->instrs.at[j];
		struct beside b = {.mov = k, .product = j};
		bool const same = j != k && !w->taken[j] && i->dst.file == mov->dst.file && i->dst.index == mov->dst.index && instr_flags_agree(i, mov);
		if (!same || i->dst.mask & mov->dst.mask || !find_operands(w, &b) ||
		    !flow_untouched(ps, &mov->dst, mov->dst.mask, j < k ? j + 1 : k + 1, j < k ? k : j + 1))
			continue;
		VEC_PUSH(w->v->arena, &w->found) = b;
		w->taken[j] = w->taken[k] = true;
		return;
	}
}

/* ---- writing the program ------------------------------------------------------------------------ */

static void put_lanes_of_temp(struct writing *w, struct program *out, int reg, lanes mask, enum op op, struct src a, struct src b)
{
	struct instr *i = &VEC_PUSH(w->v->arena, &out->instrs);
	*i = (struct instr){.op = (uint8_t)op, .at = SRCPOS_NONE, .dst = dst_lanes(REG_TEMP, reg, mask), .src = {a, b}};
}

/* Appends instructions that fill r`reg`, and returns it as an operand.  The lanes that the product writes get `operand`, or 0 if that is NULL;
 * those that the mov writes get its numbers if `numbers`, else 0. */
static struct src put_operand(struct writing *w, struct program *out, const struct beside *b, const struct src *operand, bool numbers, int reg)
{
	const struct instr *at = w->v->ps->instrs.at;
	const struct src *number = &at[b->mov].src[0];
	struct src minus = *number;
	minus.negate = !minus.negate;
	if (operand)
		put_lanes_of_temp(w, out, reg, at[b->product].dst.mask, OP_MOV, *operand, (struct src){0});
	else
		put_lanes_of_temp(w, out, reg, at[b->product].dst.mask, OP_ADD, *number, minus);
	put_lanes_of_temp(w, out, reg, at[b->mov].dst.mask, numbers ? OP_MOV : OP_ADD, *number, numbers ? (struct src){0} : minus);
	return src_temp(reg);
}

/* Appends the instruction that writes the lanes of both the mov and the product, behind instructions that fill its operands r`reg` and
 * r(`reg` + 1). */
static void put_both(struct writing *w, struct program *out, const struct beside *b, int reg)
{
	const struct program *ps = w->v->ps;
	const struct instr *mov = &ps->instrs.at[b->mov];
	struct instr both = ps->instrs.at[b->product];
	bool zero = true;
	EACH_LANE(l, mov->dst.mask)
		zero &= *literal_of_lane(ps, &mov->src[0], l) == 0;
	both.src[b->f] = put_operand(w, out, b, &both.src[b->f], false, reg);
	if (!zero || b->q != NO_TERM) {
		unsigned const q = b->q != NO_TERM ? b->q : 2;
		both.src[q] = put_operand(w, out, b, b->q != NO_TERM ? &both.src[q] : NULL, true, reg + 1);
		both.op = OP_MAD;
	}
	instr_set_mask(&both, both.dst.mask | mov->dst.mask);
	instr_keep_precision(&both, mov);
	both.at = b->product;
	VEC_PUSH(w->v->arena, &out->instrs) = both;
}

struct program *variant_beside(const struct variant_of *of)
{
	struct values *v = of->values;
	const struct program *ps = v->ps;
	struct writing w = {.v = v, .o = of->group->options};
	w.taken = arena_zero(v->arena, ps->instrs.n + 1);
	for (uint32_t k = 0; k < ps->instrs.n; k++)
		find_product(&w, k);
	struct program *out = w.found.n ? program_head(v->arena, ps) : NULL;
	const struct instr *gone = NULL;
	for (uint32_t k = 0; out && k < ps->instrs.n; k++) {
		uint32_t n = 0;
		while (n < w.found.n && w.found.at[n].mov != k && w.found.at[n].product != k)
			n++;
		if (n < w.found.n && w.found.at[n].mov == k) {
			gone = &ps->instrs.at[k];
			continue;
		}
		if (n < w.found.n) {
			put_both(&w, out, &w.found.at[n], VIRTUAL_REGS + 2 * (int)n);
		} else {
			VEC_PUSH(v->arena, &out->instrs) = ps->instrs.at[k];
			out->instrs.at[out->instrs.n - 1].at = k;
		}
		struct instr *i = &out->instrs.at[out->instrs.n - 1];
		i->comments = gone ? comments_left(v->arena, gone->comments, i->comments) : i->comments;
		gone = NULL;
	}
	return out && regs_allocate(v->arena, out, MODEL_TEMPS) ? out : NULL;
}
