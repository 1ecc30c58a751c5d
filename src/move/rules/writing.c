/* Functions by which rules write alternatives, see rules.h. */
#include "move/rules/rules.h"

#include "move/graph/flow.h"

/* Returns true if instruction x of one alternative and y of another are the same.  The own registers of the first alternative begin at r`a`,
 * those of the second at r`b`. */
static bool same_instr_of_alternatives(const struct instr *x, int a, const struct instr *y, int b)
{
	bool same = x->op == y->op && x->flags == y->flags && x->dst.mask == y->dst.mask;
	for (unsigned s = 0; same && s < ops[x->op].sources; s++) {
		struct src p = x->src[s], q = y->src[s];
		p.index = (int16_t)(p.file == REG_TEMP && p.index >= a ? a - p.index - 1 : p.index);
		q.index = (int16_t)(q.file == REG_TEMP && q.index >= b ? b - q.index - 1 : q.index);
		same = src_is_same(&p, &q);
	}
	return same;
}

/* Returns true if the alternative being written, which begins at index `from` of `out`, equals alternative a. */
static bool same_alternative(const struct rewriting *w, unsigned a, uint32_t from)
{
	uint32_t const start = a ? w->end[a - 1] : 0, n = w->end[a] - start;
	bool same = n == w->out.n - from;
	for (uint32_t k = 0; same && k < n; k++)
		same = same_instr_of_alternatives(&w->out.at[start + k], w->temp[a], &w->out.at[from + k], w->first_temp);
	return same;
}

void rules_begin(struct rewriting *w)
{
	w->first_temp = w->next_temp;
}

void rules_add(struct rewriting *w)
{
	uint32_t const from = w->n ? w->end[w->n - 1] : 0;
	bool known = w->n == MOST_WRITTEN || w->next_temp > EVALUATE_TEMPS;
	for (unsigned a = 0; a < w->n && !known; a++)
		known = same_alternative(w, a, from);
	if (known) {
		w->next_temp = w->first_temp;
		w->out.n = from;
		return;
	}
	w->temp[w->n] = w->first_temp;
	w->end[w->n++] = w->out.n;
}

void rules_drop(struct rewriting *w)
{
	w->out.n = w->n ? w->end[w->n - 1] : 0;
	w->next_temp = w->first_temp;
}

void rules_put_beside(struct rewriting *w, struct instr i, int reg, lanes mask)
{
	i.dst = dst_lanes(REG_TEMP, reg, mask);
	i.flags &= (uint8_t)~INSTR_SAT;
	i.comments = NULL;
	i.blank = false;
	VEC_PUSH(w->arena, &w->out) = i;
}

struct src rules_put(struct rewriting *w, struct instr i, lanes mask)
{
	int const to = w->next_temp++;
	rules_put_beside(w, i, to, mask);
	return src_temp(to);
}

/* Returns true if the r# that operand s of instruction i reads still holds the same in these lanes at the root. */
static bool is_kept_until_root(const struct rewriting *w, uint32_t i, unsigned s, lanes read)
{
	const struct use *u = &w->values->use[i][s];
	int const index = w->ps->instrs.at[i].src[s].index;
	int32_t const def = u->read ? u->def[first_lane(u->read)] : -1;
	if (def < 0)
		return flow_keeps(w->ps, index, read, i, w->root);
	for (uint32_t k = w->next_writer[def]; k < w->root; k = w->next_writer[k])
		if (k >= i && instr_clobbers(&w->ps->instrs.at[k], index) & read)
			return false;
	return true;
}

bool rules_source(const struct rewriting *w, uint32_t i, unsigned s, const unsigned at[LANES], lanes mask, struct src *src)
{
	unsigned lane[LANES];
	lanes read = 0;
	*src = w->ps->instrs.at[i].src[s];
	for (unsigned p = 0; p < LANES; p++) {
		lane[p] = swizzle_lane(src->swizzle, at[p]);
		read |= (lanes)((mask >> p & 1) << lane[p]);
	}
	src->at = SRCPOS_NONE;
	src->letters = 0;
	src->swizzle = swizzle_for(w->ps->model, SWIZZLE(lane[0], lane[1], lane[2], lane[3]), mask);
	return swizzle_is_for(w->ps->model, src->swizzle) &&
	       (src->file != REG_TEMP || is_kept_until_root(w, i, s, read));
}

uint32_t rules_sole_def(const struct values *v, uint32_t i, unsigned s)
{
	const struct use *u = &v->use[i][s];
	int32_t const def = u->read ? u->def[first_lane(u->read)] : -1;
	bool sole = def >= 0;
	EACH_LANE(p, u->read)
		sole &= u->def[p] == def;
	return sole ? (uint32_t)def : UINT32_MAX;
}
