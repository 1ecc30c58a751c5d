/* Products that are added become mads, and so is what is clamped before 1 - x:
 *
 *     dp2add_sat r0.w, r0, r0, c0.x          dp2add_sat r0.w, -r0, r0, c0.y
 *     add r0.w, c0.y, -r0.w                                                            where c0.x is 0 and c0.y 1 */
#include "move/cover/tidy.h"

#include "lang/check.h"

/* Does the operand of `def` still hold at instruction k what it held there? */
static bool is_there(const struct program *p, uint32_t def, unsigned s, uint32_t k)
{
	const struct src *src = &p->instrs.at[def].src[s];
	if (src->file == REG_TEMP && !flow_keeps(p, src->index, instr_reads(p, &p->instrs.at[def], s), def + 1, k))
		return false;
	for (uint32_t n = def; n < k && src->relative; n++)
		if (instr_writes(&p->instrs.at[n]) && p->instrs.at[n].dst.file == REG_ADDRESS)
			return false;
	return true;
}

/* Operand `a` of `def`, an operation lane by lane, as operand `to` of `out`, for the lanes that source s of sum k reads of its result. */
static bool hand_over(const struct tidy *t, uint32_t k, unsigned s, uint32_t def, unsigned a, struct instr *out, unsigned to)
{
	const struct instr *sum = &t->p->instrs.at[k];
	const struct src *src = &t->p->instrs.at[def].src[a];
	unsigned from[LANES];
	for (unsigned lane = 0; lane < LANES; lane++)
		from[lane] = swizzle_lane(src->swizzle, swizzle_lane(sum->src[s].swizzle, lane));
	out->src[to] = *src;
	out->src[to].letters = 0;
	return is_there(t->p, def, a, k) && tidy_swizzle(t, out, to, from, sum->dst.mask, &out->src[to].swizzle);
}

/* Is what sum k reads by source s taken away there? */
static bool is_subtracted(const struct instr *sum, unsigned s)
{
	return sum->src[s].negate != (sum->op == OP_SUB && s == 1);
}

/* What it is added to, or taken away from. */
static struct src other_addend(const struct instr *sum, unsigned s)
{
	struct src other = sum->src[1 - s];
	other.negate = is_subtracted(sum, 1 - s);
	return other;
}

/* The mad that sum `k` is if its source `s` is the product `def`, which is still there; false: it cannot be written. */
static bool fused(const struct tidy *t, uint32_t k, unsigned s, uint32_t def, struct instr *mad)
{
	const struct instr *sum = &t->p->instrs.at[k];
	*mad = *sum;
	mad->op = OP_MAD;
	mad->src[2] = other_addend(sum, s);
	for (unsigned a = 0; a < 2; a++)
		if (!hand_over(t, k, s, def, a, mad, a))
			return false;
	mad->src[0].negate = mad->src[0].negate != is_subtracted(sum, s);
	instr_keep_precision(mad, &t->p->instrs.at[def]);
	return true;
}

/* --- what is clamped, taken from 1 ----------------------------------------------------- */

static bool is_number(const struct tidy *t, const struct src *src, lanes mask, float x)
{
	const struct decl *def = tidy_def(t, src);
	for (unsigned lane = 0; def && lane < LANES; lane++) {
		unsigned const from = swizzle_lane(src->swizzle, lane);
		if (mask >> lane & 1 && (def->value[from] != (src->negate ? -x : x) || tidy_is_noted(t, src->index, from)))
			return false;
	}
	return def != NULL;
}

/* 1 - sat x is sat(1 - x), whatever x is: sum k as what makes x, the `def` of its source s, if that has room for one more addend. */
static bool clamped(const struct tidy *t, uint32_t k, unsigned s, uint32_t def, struct instr *out)
{
	const struct instr *sum = &t->p->instrs.at[k], *x = &t->p->instrs.at[def];
	struct src const one = other_addend(sum, s);
	if (!(x->flags & INSTR_SAT) || !is_subtracted(sum, s) || !is_number(t, &one, sum->dst.mask, 1))
		return false;
	bool made = false;
	*out = *sum;
	if (x->op == OP_MUL) {
		made = fused(t, k, s, def, out);
	} else if (x->op == OP_MOV) {
		out->op = OP_ADD;
		out->src[1] = one;
		made = hand_over(t, k, s, def, 0, out, 0);
		out->src[0].negate = !out->src[0].negate;
	} else if (x->op == OP_DP2ADD && is_number(t, &x->src[2], MASK_X, 0)) {
		out->op = OP_DP2ADD;
		out->src[0] = x->src[0];
		out->src[0].negate = !out->src[0].negate;
		out->src[1] = x->src[1];
		out->src[2] = one;
		out->src[2].swizzle = swizzle_replicate(swizzle_lane(one.swizzle, first_lane(sum->dst.mask)));
		out->src[2].letters = 0;
		made = is_there(t->p, def, 0, k) && is_there(t->p, def, 1, k);
	}
	out->flags |= INSTR_SAT;
	instr_keep_precision(out, x);
	return made;
}

/* --- all of them ------------------------------------------------------------------------- */

static bool is_summed(const struct instr *i)
{
	return i->op == OP_ADD || i->op == OP_SUB;
}

/* Returns whether a sum behind it reads the register of what instruction `def` makes. */
static bool may_fuse(const struct program *p, uint32_t def)
{
	const struct instr *i = &p->instrs.at[def];
	bool any = false;
	for (uint32_t k = def + 1; k < p->instrs.n && !any && i->dst.file == REG_TEMP && (i->op == OP_MUL || i->flags & INSTR_SAT); k++)
		for (unsigned s = 0; s < 2 && is_summed(&p->instrs.at[k]); s++)
			any |= p->instrs.at[k].src[s].file == REG_TEMP && p->instrs.at[k].src[s].index == i->dst.index;
	return any;
}

/* The source of k by which it alone reads what `def` makes, and reads nothing else; MAX_SOURCES: it reads nothing of that;
 * MAX_SOURCES + 1: it reads that in another way. */
static unsigned sole_source(const struct flow *f, uint32_t k, uint32_t def)
{
	lanes of = 0, others = 0; /* sources */
	for (uint32_t r = f->first[k]; r < f->first[k + 1]; r++)
		*(f->read[r].def == def ? &of : &others) |= (lanes)(1u << f->read[r].source);
	return !of ? MAX_SOURCES : of & others || of & (of - 1) ? MAX_SOURCES + 1 : first_lane(of);
}

/* A product that sums read, and nothing else: each makes its own, so that it goes.  So is what is clamped for them. */
static bool fuse(struct tidy *t, uint32_t def)
{
	enum { MOST_SUMS = 8 };
	struct program *p = t->p;
	struct instr mad[MOST_SUMS];
	uint32_t sum[MOST_SUMS];
	unsigned n = 0;
	if (!may_fuse(p, def))
		return false;
	const struct flow *f = tidy_flow(t);
	bool const product = p->instrs.at[def].op == OP_MUL && !(p->instrs.at[def].flags & INSTR_SAT);
	for (uint32_t k = def + 1; k < p->instrs.n; k++) {
		const struct instr *i = &p->instrs.at[k];
		unsigned const s = sole_source(f, k, def);
		if (s == MAX_SOURCES)
			continue;
		if (s > MAX_SOURCES || !is_summed(i) || n == MOST_SUMS || tidy_is_exact(t, k) ||
		    !(product ? fused(t, k, s, def, &mad[n]) : clamped(t, k, s, def, &mad[n])) ||
		    check_instr_alone(p, &mad[n]) > check_instr_alone(p, i))
			return false;
		sum[n++] = k;
	}
	for (unsigned m = 0; m < n; m++)
		p->instrs.at[sum[m]] = mad[m];
	if (n)
		tidy_remove(t, def);
	return n > 0;
}

bool tidy_mads(struct tidy *t)
{
	bool changed = false;
	for (uint32_t k = 0; k < t->p->instrs.n; k++)
		changed |= fuse(t, k);
	return changed;
}
