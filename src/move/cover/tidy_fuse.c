/* Products that are added become mads. */
#include "move/cover/tidy.h"

#include "lang/check.h"

/* The mad that sum `k` is if its source `s` is the product `def`, which is still there; false: it cannot be written. */
static bool fused(const struct tidy *t, uint32_t k, unsigned s, uint32_t def, struct instr *mad)
{
	const struct program *p = t->p;
	const struct instr *sum = &p->instrs.at[k], *product = &p->instrs.at[def];
	*mad = *sum;
	mad->op = OP_MAD;
	mad->src[2] = sum->src[1 - s];
	if (sum->op == OP_SUB && s == 0)
		mad->src[2].negate = !mad->src[2].negate;
	bool minus = sum->src[s].negate != (sum->op == OP_SUB && s == 1);
	for (unsigned a = 0; a < 2; a++) {
		const struct src *factor = &product->src[a];
		if (factor->file == REG_TEMP && !flow_keeps(p, factor->index, instr_reads(p, product, a), def + 1, k))
			return false;
		for (uint32_t n = def; n < k && factor->relative; n++)
			if (instr_writes(&p->instrs.at[n]) && p->instrs.at[n].dst.file == REG_ADDRESS)
				return false;
		unsigned from[LANES];
		for (unsigned lane = 0; lane < LANES; lane++)
			from[lane] = swizzle_lane(factor->swizzle, swizzle_lane(sum->src[s].swizzle, lane));
		mad->src[a] = *factor;
		mad->src[a].letters = 0;
		if (!tidy_swizzle(t, mad, a, from, sum->dst.mask, &mad->src[a].swizzle))
			return false;
	}
	mad->src[0].negate = mad->src[0].negate != minus;
	if (!(product->flags & INSTR_PP))
		mad->flags &= (uint8_t)~INSTR_PP;
	return true;
}

bool tidy_fuse(struct tidy *t, uint32_t k, unsigned s)
{
	struct program *p = t->p;
	const struct flow *f = tidy_flow(t);
	uint32_t const def = flow_sole_def(f, k, s);
	if (def == UINT32_MAX || p->instrs.at[def].op != OP_MUL || p->instrs.at[def].flags & INSTR_SAT || tidy_is_exact(t, k))
		return false;
	/* Its lanes are read by the sum only, and its sources still there, or overwritten by itself, which goes. */
	if (!flow_is_sole_reader(f, def, k, s))
		return false;
	struct instr mad;
	if (!fused(t, k, s, def, &mad) || !tidy_replace(t, k, &mad))
		return false;
	tidy_remove(t, def);
	return true;
}

/* A product that several sums read, and nothing else: each makes its own, so that it goes. */
static bool fuse_all(struct tidy *t, uint32_t def)
{
	enum { MOST_SUMS = 8 };
	struct program *p = t->p;
	const struct instr *product = &p->instrs.at[def];
	struct instr mad[MOST_SUMS];
	uint32_t sum[MOST_SUMS];
	unsigned n = 0;
	if (product->op != OP_MUL || product->flags & INSTR_SAT || product->dst.file != REG_TEMP)
		return false;
	const struct flow *f = tidy_flow(t);
	for (uint32_t k = def + 1; k < p->instrs.n; k++) {
		unsigned of[2] = {0}, others[2] = {0};
		for (uint32_t r = f->first[k]; r < f->first[k + 1]; r++) {
			if (f->read[r].source < 2)
				(f->read[r].def == def ? of : others)[f->read[r].source]++;
			else if (f->read[r].def == def)
				return false;
		}
		if (!of[0] && !of[1])
			continue;
		unsigned const s = of[0] ? 0 : 1;
		const struct instr *i = &p->instrs.at[k];
		if ((i->op != OP_ADD && i->op != OP_SUB) || of[1 - s] || others[s] || n == MOST_SUMS || tidy_is_exact(t, k) ||
		    !fused(t, k, s, def, &mad[n]) ||
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
	struct program *p = t->p;
	bool changed = false;
	for (uint32_t k = 1; k < p->instrs.n; k++) {
		if (p->instrs.at[k].op != OP_ADD && p->instrs.at[k].op != OP_SUB)
			continue;
		if (!tidy_fuse(t, k, 0) && !tidy_fuse(t, k, 1))
			continue;
		changed = true;
		k--;
	}
	for (uint32_t k = 0; k < p->instrs.n; k++)
		if (p->instrs.at[k].op == OP_MUL)
			changed |= fuse_all(t, k);
	return changed;
}
