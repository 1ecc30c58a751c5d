/* Replaces a product and the sum that adds it by a mad.  It also replaces 1 - x and 1 + x, where x is a sum: the instruction that computes the first
 * addend of x adds the 1, before a clamp:
 *
 *     mul r1.xy, r0, r0                      mad r1.x, -r0.x, r0.x, c0.y
 *     add_sat r1.x, r1.x, r1.y               mad_sat r1.x, -r0.y, r0.y, r1.x
 *     add r1.x, c0.y, -r1.x                                                            where c0.y is 1 */
#include "move/cover/tidy.h"

#include "lang/check.h"

#include <math.h>
#include <string.h>

/* Returns true if operand `s` of instruction `def` still holds the same values before instruction k. */
static bool operand_still_holds(const struct program *p, uint32_t def, unsigned s, uint32_t k)
{
	const struct src *src = &p->instrs.at[def].src[s];
	if (src->file == REG_TEMP && !flow_keeps(p, src->index, instr_reads(p, &p->instrs.at[def], s), def + 1, k))
		return false;
	for (uint32_t n = def; n < k && src->relative; n++)
		if (instr_writes(&p->instrs.at[n]) && p->instrs.at[n].dst.file == REG_ADDRESS)
			return false;
	return true;
}

/* Lets operand `to` of `out` read what factor `a` of product `def` reads, in the lanes of the product that source s of `sum` reads.  `sum` is
 * instruction k.  Returns false if the factor has changed since, or no swizzle reads these lanes. */
static bool read_factor_of(const struct tidy *t, uint32_t k, const struct instr *sum, unsigned s, uint32_t def, unsigned a, struct instr *out,
                      unsigned to)
{
	const struct src *src = &t->p->instrs.at[def].src[a];
	unsigned from[LANES];
	for (unsigned lane = 0; lane < LANES; lane++)
		from[lane] = swizzle_lane(src->swizzle, swizzle_lane(sum->src[s].swizzle, lane));
	out->src[to] = *src;
	out->src[to].letters = 0;
	return operand_still_holds(t->p, def, a, k) && tidy_swizzle(t, out, to, from, sum->dst.mask, &out->src[to].swizzle);
}

/* Returns true if the sum subtracts source s. */
static bool is_subtracted(const struct instr *sum, unsigned s)
{
	return sum->src[s].negate != (sum->op == OP_SUB && s == 1);
}

/* Returns the addend of the sum other than source s, negated if the sum subtracts it. */
static struct src other_addend(const struct instr *sum, unsigned s)
{
	struct src other = sum->src[1 - s];
	other.negate = is_subtracted(sum, 1 - s);
	return other;
}

/* Writes `sum`, which is instruction k and reads product `def` by its source `s`, as a mad with the factors of the product.  Returns false if that
 * is impossible. */
static bool write_fused(const struct tidy *t, uint32_t k, const struct instr *sum, unsigned s, uint32_t def, struct instr *mad)
{
	*mad = *sum;
	mad->op = OP_MAD;
	mad->src[2] = other_addend(sum, s);
	for (unsigned a = 0; a < 2; a++)
		if (!read_factor_of(t, k, sum, s, def, a, mad, a))
			return false;
	mad->src[0].negate = mad->src[0].negate != is_subtracted(sum, s);
	instr_keep_precision(mad, &t->p->instrs.at[def]);
	return true;
}

/* --- readers ----------------------------------------------------------------------------- */

static bool is_summed(const struct instr *i)
{
	return i->op == OP_ADD || i->op == OP_SUB;
}

/* Returns true if complement() may let the instruction, which computes x, compute 1 + x or 1 - x: a cheap test. */
static bool may_complete(const struct instr *i)
{
	return i->flags & INSTR_SAT || i->op == OP_MAD || i->op == OP_DP2ADD;
}

/* Returns true if instruction `def` is a product or may compute 1 + x, and a later sum reads its register: a cheap test. */
static bool may_fuse(const struct program *p, uint32_t def)
{
	const struct instr *i = &p->instrs.at[def];
	bool any = false;
	for (uint32_t k = def + 1; k < p->instrs.n && !any && i->dst.file == REG_TEMP && (i->op == OP_MUL || may_complete(i)); k++)
		for (unsigned s = 0; s < 2 && is_summed(&p->instrs.at[k]); s++)
			any |= p->instrs.at[k].src[s].file == REG_TEMP && p->instrs.at[k].src[s].index == i->dst.index;
	return any;
}

/* Returns the source of instruction k that reads the result of instruction `def`, if only one source does, and only that result.  Returns MAX_SOURCES
 * if no source reads the result, and MAX_SOURCES + 1 if several do, or one that reads other results, too. */
static unsigned sole_source(const struct flow *f, uint32_t k, uint32_t def)
{
	lanes of = 0, others = 0; /* bit s: source s of k reads the result of `def`; source s reads anything else */
	for (uint32_t r = f->first[k]; r < f->first[k + 1]; r++)
		*(f->read[r].def == def ? &of : &others) |= (lanes)(1u << f->read[r].source);
	return !of ? MAX_SOURCES : of & others || of & (of - 1) ? MAX_SOURCES + 1 : first_lane(of);
}

/* --- 1 - x and 1 + x ---------------------------------------------------------------------- */

/* The changes that let the instructions which compute x compute 1 - x or 1 + x instead.  One of them adds the literal 1.  If x is clamped, only 1
 * - x is possible: 1 - sat(x) is sat(1 - x).  The program is changed only when all changes are found. */
struct complement {
	struct tidy *t;
	uint8_t flags; /* INSTR_PP if all instructions that are changed have it */
	unsigned n;
	uint32_t at[LANES];
	struct instr instr[LANES]; /* the new instructions, which replace the old ones once all are found */
	struct literal_place where;
};

/* Returns true if the operand reads the literal x in all lanes of `mask`. (The instruction computes lane by lane.) */
static bool reads_number(const struct tidy *t, const struct src *src, lanes mask, float x)
{
	const struct decl *def = tidy_def(t, src);
	for (unsigned lane = 0; def && lane < LANES; lane++) {
		unsigned const from = swizzle_lane(src->swizzle, lane);
		if (mask >> lane & 1 && (def->value[from] != (src->negate ? -x : x) || tidy_is_noted(t, src->index, from)))
			return false;
	}
	return def != NULL;
}

/* Records that instruction k shall become *i.  Returns false if too many instructions change, or *i breaks more rules of the model than k. */
static bool stage_change(struct complement *c, uint32_t k, const struct instr *i)
{
	if (c->n == LANES || check_instr_alone(c->t->p, i) > check_instr_alone(c->t->p, &c->t->p->instrs.at[k]))
		return false;
	c->flags &= i->flags;
	c->at[c->n] = k;
	c->instr[c->n++] = *i;
	return true;
}

/* Makes addend s of `i` the literal 1, or 1 plus the literal `added` (minus it if `minus`) if that is not NULL.  Returns false if `added` is no
 * literal, the new literal would be rounded, or `added` is so large that it may be meant to round the sum. */
static bool add_one_as_literal(struct complement *c, struct instr *i, unsigned s, const struct src *added, bool minus)
{
	enum { MOST_ADDED = 256 };
	const struct decl *def = added ? tidy_def(c->t, added) : NULL;
	bool const scalar = instr_reads_scalar(i, s);
	struct instr lanewise = *i;
	float number[LANES] = {1, 1, 1, 1};
	if (added && !def)
		return false;
	if (scalar)
		instr_set_mask(&lanewise, (lanes)(1u << first_lane(i->dst.mask)));
	EACH_LANE(l, def ? lanewise.dst.mask : 0) {
		unsigned const from = swizzle_lane(added->swizzle, l);
		double const x = (double)(minus != added->negate ? -def->value[from] : def->value[from]);
		number[l] = (float)(1 + x);
		if ((double)number[l] - 1 != x || fabs(x) > MOST_ADDED || tidy_is_noted(c->t, added->index, from))
			return false;
	}
	if (!tidy_numbers(c->t, &lanewise, s, number, &c->where))
		return false;
	i->src[s] = lanewise.src[s];
	if (scalar)
		i->src[s].swizzle = swizzle_replicate(swizzle_lane(i->src[s].swizzle, first_lane(i->dst.mask)));
	return true;
}

static bool complete_result(struct complement *c, uint32_t def, bool minus);

/* Negates addend s of instruction k if `minus`, and adds 1 to it.  Records the changes: of k to *i, and of the literal that the addend is or of the
 * instruction that computes it.  Returns false if that is impossible. */
static bool complete_addend(struct complement *c, uint32_t k, struct instr *i, unsigned s, bool minus)
{
	struct src const added = i->src[s];
	bool const less = minus != added.negate;
	if (added.file == REG_CONST)
		return add_one_as_literal(c, i, s, &added, minus) && stage_change(c, k, i);
	uint32_t const def = added.file == REG_TEMP ? flow_sole_def(tidy_flow(c->t), k, s) : FLOW_UNWRITTEN;
	if (def >= FLOW_INPUT || c->t->p->instrs.at[def].flags & INSTR_SAT || !flow_is_sole_reader(tidy_flow(c->t), def, k, s))
		return false;
	i->src[s].negate = false;
	return complete_result(c, def, less) && stage_change(c, k, i);
}

/* If sum k adds two lanes of one product that nothing else reads, records that product and sum become two mads, the first of which also adds 1.  With
 * `minus`, they compute 1 minus the sum.  Returns false otherwise. */
static bool complete_products(struct complement *c, uint32_t k, bool minus)
{
	const struct program *p = c->t->p;
	const struct instr *sum = &p->instrs.at[k];
	const struct flow *f = tidy_flow(c->t);
	uint32_t const def = flow_sole_def(f, k, 0);
	if (sum->src[0].file != REG_TEMP || sum->src[1].file != REG_TEMP || def >= FLOW_INPUT || def != flow_sole_def(f, k, 1) ||
	    !flow_is_sole_reader(f, def, k, MAX_SOURCES))
		return false;
	struct instr first = p->instrs.at[def], last = *sum;
	if (first.op != OP_MUL || first.flags & INSTR_SAT)
		return false;
	first.op = last.op = OP_MAD;
	instr_set_mask(&first, swizzle_lanes(sum->src[0].swizzle, sum->dst.mask));
	first.src[0].negate ^= minus != sum->src[0].negate;
	for (unsigned a = 0; a < 2; a++)
		if (!read_factor_of(c->t, k, &c->t->p->instrs.at[k], 1, def, a, &last, a))
			return false;
	last.src[0].negate ^= minus != is_subtracted(sum, 1);
	last.src[2] = sum->src[0];
	last.src[2].negate = false;
	return add_one_as_literal(c, &first, 2, NULL, false) && stage_change(c, def, &first) && stage_change(c, k, &last);
}

/* Records changes by which sum k computes 1 + x in the place of x, or 1 - x if `minus`: one addend, or the product that it adds, gets the 1.  Returns
 * false if that is impossible. */
static bool complete_sum(struct complement *c, uint32_t k, bool minus)
{
	const struct instr *sum = &c->t->p->instrs.at[k];
	struct complement const before = *c;
	if (complete_products(c, k, minus))
		return true;
	for (unsigned s = 0; s < 2; s++) {
		struct instr i = *sum;
		*c = before;
		i.op = OP_ADD;
		i.src[1].negate = is_subtracted(sum, 1);
		i.src[1 - s].negate ^= minus;
		if (complete_addend(c, k, &i, s, minus))
			return true;
	}
	return false;
}

/* Records changes by which instruction `def`, which computes x, computes 1 - x if `minus`, else 1 + x.  Returns false if that is impossible. */
static bool complete_result(struct complement *c, uint32_t def, bool minus)
{
	struct instr i = c->t->p->instrs.at[def];
	i.src[0].negate ^= minus;
	switch ((enum op)i.op) {
	case OP_MOV:
		i.op = OP_ADD;
		return add_one_as_literal(c, &i, 1, NULL, false) && stage_change(c, def, &i);
	case OP_MUL:
		i.op = OP_MAD;
		return add_one_as_literal(c, &i, 2, NULL, false) && stage_change(c, def, &i);
	case OP_MAD:
	case OP_DP2ADD: return complete_addend(c, def, &i, 2, minus);
	case OP_ADD:
	case OP_SUB: return complete_sum(c, def, minus);
	default: return false;
	}
}

/* Returns true if sum k computes 1 + x or 1 - x (x - 1 does not count), where x is its source s. */
static bool adds_one(const struct tidy *t, uint32_t k, unsigned s)
{
	const struct instr *sum = &t->p->instrs.at[k];
	struct src const one = other_addend(sum, s);
	return reads_number(t, &one, sum->dst.mask, 1);
}

/* If all readers of the result x of instruction `def` are sums 1 - x, or all are 1 + x, lets `def` compute that and makes the sums movs.  An
 * instruction that clamps can only be made to compute 1 - x.  Returns false if nothing changes. */
static bool complement(struct tidy *t, uint32_t def)
{
	struct program *p = t->p;
	struct complement c = {.t = t, .flags = INSTR_PP, .where = {.decl = UINT32_MAX}};
	bool any = false, minus = true;
	if (!may_complete(&p->instrs.at[def]) || !may_fuse(p, def))
		return false;
	bool const clamped = p->instrs.at[def].flags & INSTR_SAT;
	const struct flow *f = tidy_flow(t);
	for (uint32_t k = def + 1; k < p->instrs.n; k++) {
		unsigned const s = sole_source(f, k, def);
		if (s == MAX_SOURCES)
			continue;
		if (s > MAX_SOURCES || !is_summed(&p->instrs.at[k]) || !adds_one(t, k, s) || tidy_is_exact(t, k) ||
		    ((any || clamped) && is_subtracted(&p->instrs.at[k], s) != minus))
			return false;
		minus = is_subtracted(&p->instrs.at[k], s);
		c.flags &= p->instrs.at[k].flags;
		any = true;
	}
	if (!any || !complete_result(&c, def, minus))
		return false;
	for (uint32_t k = def + 1; k < p->instrs.n; k++) {
		unsigned const s = sole_source(f, k, def);
		struct instr *sum = &p->instrs.at[k];
		if (s >= MAX_SOURCES)
			continue;
		sum->op = OP_MOV;
		sum->flags &= (uint8_t)(clamped ? ~INSTR_SAT : ~0);
		sum->src[0] = sum->src[s];
		sum->src[0].negate = false;
		memset(&sum->src[1], 0, (MAX_SOURCES - 1) * sizeof sum->src[1]);
	}
	for (unsigned n = 0; n < c.n; n++) {
		p->instrs.at[c.at[n]] = c.instr[n];
		p->instrs.at[c.at[n]].flags &= (uint8_t)(c.flags | (uint8_t)~INSTR_PP);
	}
	tidy_place(t, &c.where);
	t->stale = true;
	return true;
}

/* --- products ----------------------------------------------------------------------------- */

/* If all readers of product `def` are sums, makes them mads and removes the product.  Returns false if nothing changes. */
static bool fuse_product(struct tidy *t, uint32_t def)
{
	enum { MOST_SUMS = 8 };
	struct program *p = t->p;
	struct instr mad[MOST_SUMS];
	uint32_t sum[MOST_SUMS];
	unsigned n = 0;
	if (p->instrs.at[def].op != OP_MUL || p->instrs.at[def].flags & INSTR_SAT || !may_fuse(p, def))
		return false;
	const struct flow *f = tidy_flow(t);
	for (uint32_t k = def + 1; k < p->instrs.n; k++) {
		const struct instr *i = &p->instrs.at[k];
		unsigned const s = sole_source(f, k, def);
		if (s == MAX_SOURCES)
			continue;
		if (s > MAX_SOURCES || !is_summed(i) || n == MOST_SUMS || tidy_is_exact(t, k) ||
		    !write_fused(t, k, i, s, def, &mad[n]) || check_instr_alone(p, &mad[n]) > check_instr_alone(p, i))
			return false;
		sum[n++] = k;
	}
	for (unsigned m = 0; m < n; m++)
		p->instrs.at[sum[m]] = mad[m];
	if (n)
		tidy_remove(t, def);
	return n > 0;
}

/* If sum k writes two lanes, and its source s reads a product in each, which nothing else reads, replaces the sum and the products by two mads.
 * Returns false if nothing changes. */
static bool fuse_lanes(struct tidy *t, uint32_t k, unsigned s)
{
	struct program *p = t->p;
	const struct instr *i = &p->instrs.at[k];
	unsigned products = 0;
	if (!is_summed(i) || count_lanes(i->dst.mask) != 2 || i->src[s].file != REG_TEMP)
		return false;
	for (uint32_t j = 0; j < k; j++)
		products += p->instrs.at[j].op == OP_MUL && p->instrs.at[j].dst.file == REG_TEMP && p->instrs.at[j].dst.index == i->src[s].index;
	if (products < 2)
		return false;
	const struct flow *f = tidy_flow(t);
	struct instr const sum = *i;
	struct instr mad[2];
	uint32_t product[2];
	unsigned n = 0;
	EACH_LANE(l, sum.dst.mask) {
		struct instr half = sum;
		uint32_t const def = product[n] = flow_def(f, k, s, l);
		instr_set_mask(&half, (lanes)(1u << l));
		if (def >= FLOW_INPUT || p->instrs.at[def].op != OP_MUL || p->instrs.at[def].flags & INSTR_SAT ||
		    !flow_is_sole_reader(f, def, k, s) || !write_fused(t, k, &half, s, def, &mad[n]) ||
		    check_instr_alone(p, &mad[n]) > check_instr_alone(p, &sum))
			return false;
		n++;
	}
	if (product[0] == product[1] || flow_reads(p, &mad[1], (enum reg_file)sum.dst.file, sum.dst.index) & mad[0].dst.mask ||
	    tidy_is_exact(t, k))
		return false;
	mad[1].at = SRCPOS_NONE;
	mad[1].blank = false;
	mad[1].comments = NULL;
	p->instrs.at[k] = mad[0];
	*tidy_insert(t, k + 1) = mad[1];
	tidy_remove(t, product[0] > product[1] ? product[0] : product[1]);
	tidy_remove(t, product[0] > product[1] ? product[1] : product[0]);
	return true;
}

bool tidy_mads(struct tidy *t)
{
	bool changed = false;
	for (uint32_t k = 0; k < t->p->instrs.n; k++)
		changed |= fuse_product(t, k) || complement(t, k) || fuse_lanes(t, k, 0) || fuse_lanes(t, k, 1);
	return changed;
}
