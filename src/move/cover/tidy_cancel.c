/* Removes factors that cancel: a number by which a vector is multiplied before it is normalised, by nrm or by rsq of its dp3.
 *
 *     mul r1.xyz, r0, c0.x                   mov r1.xyz, r0
 *     dp3 r1.w, r1, r1                       dp3 r1.w, r1, r1
 *     rsq r1.w, r1.w                         rsq r1.w, r1.w
 *     mul r1.xyz, r1, r1.w                   mul r1.xyz, r1, r1.w
 *
 * A factor far from 1 stays, since it may keep the squares from overflow: more than 16 or less than 1/16, or with _pp, more than 2 or less
 * than 1/2.  The vector 0 stays 0 with and without a factor. */
#include "move/cover/tidy.h"

#include <math.h>

/* Returns true if source s of instruction k reads only lanes that instruction `def` wrote. */
static bool reads_only(const struct flow *f, uint32_t k, unsigned s, uint32_t def)
{
	return !f->program->instrs.at[k].src[s].relative && flow_sole_def(f, k, s) == def;
}

/* Returns true if instruction k computes the square of the length of the vector that instruction `v` writes. */
static bool is_square(const struct flow *f, uint32_t k, uint32_t v)
{
	const struct instr *i = k < FLOW_INPUT ? &f->program->instrs.at[k] : NULL;
	return i && i->op == OP_DP3 && !(i->flags & INSTR_SAT) && src_is_same(&i->src[0], &i->src[1]) && reads_only(f, k, 0, v);
}

/* Returns true if instruction k computes 1 / length of the vector that instruction `v` writes. */
static bool is_root(const struct flow *f, uint32_t k, uint32_t v)
{
	const struct instr *i = k < FLOW_INPUT ? &f->program->instrs.at[k] : NULL;
	return i && i->op == OP_RSQ && !(i->flags & INSTR_SAT) && is_square(f, flow_sole_def(f, k, 0), v);
}

/* Returns true if instruction k computes the normalised vector of the one that instruction `v` writes, by nrm or as a product with 1 / length. */
static bool normalises(const struct flow *f, uint32_t k, uint32_t v)
{
	const struct instr *i = &f->program->instrs.at[k];
	if (i->op == OP_NRM)
		return reads_only(f, k, 0, v);
	for (unsigned s = 0; s < 2 && (i->op == OP_MUL || i->op == OP_MAD); s++)
		if (reads_only(f, k, s, v) && is_root(f, flow_sole_def(f, k, 1 - s), v))
			return true;
	return false;
}

/* Returns true if the result of instruction `def` is only used to normalise the vector that instruction `v` writes, so that a factor of the vector
 * changes nothing.  `def` is v itself, or computes the square of the vector's length or 1 / length. */
static bool cancels_behind(const struct flow *f, uint32_t def, uint32_t v)
{
	bool all = true;
	for (uint32_t k = def + 1; k < f->program->instrs.n && all; k++)
		for (uint32_t r = f->first[k]; r < f->first[k + 1] && all; r++)
			if (f->read[r].def == def)
				all = (normalises(f, k, v) && (f->read[r].source < 2 || def != v)) ||
				      ((is_square(f, k, v) || is_root(f, k, v)) && cancels_behind(f, k, v));
	return all;
}

static bool uses_partial(const struct program *p)
{
	bool any = false;
	for (uint32_t k = 0; k < p->instrs.n && !any; k++)
		any = p->instrs.at[k].flags & INSTR_PP;
	return any;
}

/* Returns the index of the operand that instruction k multiplies by one literal (*number) in all lanes that it writes, or MAX_SOURCES if there is
 * none. */
static unsigned find_scaled(const struct tidy *t, uint32_t k, float *number)
{
	const struct instr *i = &t->p->instrs.at[k];
	*number = 2;
	if (instr_is_doubling(i))
		return 0;
	for (unsigned s = 0; s < 2 && i->op == OP_MUL; s++) {
		const struct decl *def = tidy_def(t, &i->src[s]);
		bool uniform = def != NULL;
		*number = def ? def->value[swizzle_lane(i->src[s].swizzle, first_lane(i->dst.mask))] : 0;
		EACH_LANE(l, uniform ? i->dst.mask : 0) {
			unsigned const from = swizzle_lane(i->src[s].swizzle, l);
			uniform &= def->value[from] == *number && !tidy_is_noted(t, i->src[s].index, from);
		}
		*number = i->src[s].negate ? -*number : *number;
		if (uniform)
			return 1 - s;
	}
	return MAX_SOURCES;
}

bool tidy_cancel(struct tidy *t, uint32_t k)
{
	enum { MOST = 16, MOST_PARTIAL = 2 };
	const struct instr *i = &t->p->instrs.at[k];
	float number, most = MOST;
	if ((i->op != OP_MUL && i->op != OP_ADD) || i->flags & INSTR_SAT || i->dst.file != REG_TEMP)
		return false;
	unsigned const s = find_scaled(t, k, &number);
	if (s < MAX_SOURCES && uses_partial(t->p))
		most = MOST_PARTIAL;
	if (s == MAX_SOURCES || fabsf(number) > most || fabsf(number) * most < 1 || !cancels_behind(tidy_flow(t), k, k) || tidy_is_exact(t, k))
		return false;
	struct instr copy = *i;
	copy.op = OP_MOV;
	copy.src[0] = i->src[s];
	copy.src[0].negate ^= number < 0;
	return tidy_replace(t, k, &copy);
}
