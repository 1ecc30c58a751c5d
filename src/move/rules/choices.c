/* Lets a cmp choose between two sums or products, where it chose between two values and the sum or product read the result.  requires: values
 * of the current program; builds: a program.
 *
 * One cmp replaces a cmp, movs of other lanes beside it, and sums or products with the result:
 * `cmp r1.x, r0, c0.x, c0.y`, `mov r1.y, c0.z` and `add r1.xy, r1, t0` become `cmp r1.xy, r0.x, r2, r3` with
 * r2 = t0 + (c0.x, c0.z) and r3 = t0 + (c0.y, c0.z), which can leave.  The results are the same floats. */
#include "move/rules/rules.h"

#include "move/graph/flow.h"
#include "move/graph/registers.h"

#include <string.h>

enum { MOST_PASSES = 8 };

/* A cmp, and the only operand that reads its result. */
struct choice {
	uint32_t cmp, reader;
	unsigned s;   /* index of the reader's operand that reads the cmp */
	lanes mine;   /* those lanes of the new cmp that depend on the old cmp */
	lanes all;    /* all lanes that the new cmp writes */
	unsigned from[LANES]; /* [lane of the new cmp]: the lane of the old cmp's register that it stands for */
	bool sum;     /* the reader is a sum or product, and the new cmp replaces it; else it stays and reads the new cmp */
};

static bool arms_may_move(const struct values *v, uint32_t k)
{
	const struct instr *i = &v->ps->instrs.at[k];
	bool may = i->op == OP_CMP && i->dst.file == REG_TEMP && !(i->flags & INSTR_SAT);
	EACH_LANE(l, may ? i->dst.mask : 0)
		may &= value_is_pixel(v, v->def[k][l]) && value_may_move(v, v->use[k][1].value[l]) && value_may_move(v, v->use[k][2].value[l]);
	return may;
}

/* Finds the only operand that reads the result of the cmp.  Returns false if there are several, or none, or it is a matrix. */
static bool find_choice_reader(const struct values *v, struct choice *c)
{
	struct operand o = {c->cmp + 1, 0};
	if (!next_reader(v, c->cmp, &o) || !is_sole_reader(v, c->cmp, o))
		return false;
	c->reader = o.at;
	c->s = o.s;
	return instr_rows(&v->ps->instrs.at[o.at], o.s) == 1;
}

static bool has_constant_lanes(const struct values *v, const struct use *u, lanes mask)
{
	EACH_LANE(p, mask)
		if (value_at(v, u->value[p])->class != VALUE_CONST)
			return false;
	return true;
}

/* Returns true if the reader is a sum or product that could move if it read either of the two values between which the cmp chooses. */
static bool reader_may_move(const struct values *v, const struct choice *c)
{
	const struct instr *i = &v->ps->instrs.at[c->reader];
	const struct use *use = v->use[c->reader], *arm = v->use[c->cmp];
	if ((i->op != OP_ADD && i->op != OP_SUB && i->op != OP_MUL && i->op != OP_MAD) || i->dst.file != REG_TEMP)
		return false;
	EACH_SOURCE(s, i)
		EACH_LANE(l, i->dst.mask)
			if (s != c->s && !value_may_move(v, use[s].value[l]))
				return false;
	lanes const chosen = v->ps->instrs.at[c->cmp].dst.mask;
	if (i->op == OP_MUL || (i->op == OP_MAD && c->s < 2))
		return has_constant_lanes(v, &use[1 - c->s], i->dst.mask) || (has_constant_lanes(v, &arm[1], chosen) && has_constant_lanes(v, &arm[2], chosen));
	return true;
}

/* Finds the lanes of the new cmp.  Returns false if nothing is gained, or if the reader's operand has a lane that another instruction computes
 * and that cannot move. */
static bool find_lanes(const struct values *v, struct choice *c)
{
	const struct instr *i = &v->ps->instrs.at[c->reader];
	const struct src *src = &i->src[c->s];
	const struct use *u = &v->use[c->reader][c->s];
	c->sum = reader_may_move(v, c);
	c->mine = c->all = 0;
	EACH_LANE(p, u->read) {
		unsigned const lane = swizzle_lane(src->swizzle, p), to = c->sum ? p : lane;
		c->all |= (lanes)(1u << to);
		c->from[to] = lane;
		if (u->def[p] == (int32_t)c->cmp)
			c->mine |= (lanes)(1u << to);
		else if (u->def[p] < 0 || !value_may_move(v, u->value[p]))
			return false;
	}
	return c->sum || c->mine != c->all;
}

/* Appends the instruction with lanes `mask` of r`reg` as its destination, unless the mask is empty. */
static void put_with_destination(struct arena *a, struct program *out, struct instr i, int reg, lanes mask)
{
	i.dst = dst_lanes(REG_TEMP, reg, mask);
	i.flags = 0;
	i.at = SRCPOS_NONE;
	i.comments = NULL;
	i.blank = false;
	if (mask)
		VEC_PUSH(a, &out->instrs) = i;
}

/* Appends instructions by which r`reg` gets what the new cmp takes if it chooses the value in r`copy`, one of the two of the old cmp: with c->sum the
 * reader's result for this value, else the value itself, beside the reader's other lanes. */
static void put_arm(struct values *v, struct program *out, const struct choice *c, int copy, int reg)
{
	struct instr i = v->ps->instrs.at[c->reader];
	if (!c->sum) {
		i.op = OP_MOV;
		i.src[0] = src_temp(i.src[c->s].index);
	}
	put_with_destination(v->arena, out, i, reg, c->all & (lanes)~c->mine);
	i.src[c->sum ? c->s : 0].index = (int16_t)copy;
	put_with_destination(v->arena, out, i, reg, c->mine);
}

/* Returns the program with the new cmp, or NULL if no swizzle yields the condition's lanes. */
static struct program *with_pushed_choice(struct values *v, const struct choice *c)
{
	const struct program *p = v->ps;
	const struct instr *old = &p->instrs.at[c->cmp], *reader = &p->instrs.at[c->reader];
	enum { COPIES = VIRTUAL_REGS, ARMS = COPIES + 2, CHOSEN = ARMS + 2 };
	struct instr new = *old;
	unsigned const first = first_lane(c->mine);
	unsigned from[LANES];
	for (unsigned l = 0; l < LANES; l++)
		from[l] = swizzle_lane(old->src[0].swizzle, c->from[c->mine >> l & 1 ? l : first]);
	new.src[1] = src_temp(ARMS);
	new.src[2] = src_temp(ARMS + 1);
	new.src[0].letters = 0;
	new.dst = dst_lanes(REG_TEMP, CHOSEN, c->all);
	struct program *out = program_copy(v->arena, p);
	new.src[0].swizzle = swizzle_for(p->model, SWIZZLE(from[0], from[1], from[2], from[3]), c->all);
	if (!swizzle_is_for(p->model, new.src[0].swizzle) && !models[p->model].any_swizzle)
		return NULL;
	if (c->sum) {
		new.dst = reader->dst;
		new.flags = reader->flags & (uint8_t)(old->flags | (uint8_t)~INSTR_PP);
		new.at = reader->at;
		new.blank = reader->blank;
		new.comments = reader->comments;
	}
	memset(&out->instrs, 0, sizeof out->instrs);
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		if (k == c->cmp)
			for (int arm = 0; arm < 2; arm++)
				put_with_destination(v->arena, out, (struct instr){.op = OP_MOV, .src = {old->src[1 + arm]}}, COPIES + arm, old->dst.mask);
		if (k == c->reader) {
			for (int arm = 0; arm < 2; arm++)
				put_arm(v, out, c, COPIES + arm, ARMS + arm);
			VEC_PUSH(v->arena, &out->instrs) = new;
		}
		if (k == c->cmp || (k == c->reader && c->sum))
			continue;
		struct instr *i = &VEC_PUSH(v->arena, &out->instrs);
		*i = p->instrs.at[k];
		if (k == c->reader)
			i->src[c->s].index = CHOSEN;
	}
	regs_remove_dead(v->arena, out);
	return regs_allocate(v->arena, out, MODEL_TEMPS) ? out : NULL;
}

static bool find_choice(const struct values *v, uint32_t k, struct choice *c)
{
	*c = (struct choice){.cmp = k};
	return arms_may_move(v, k) && find_choice_reader(v, c) && find_lanes(v, c) &&
	       flow_source_keeps(v->ps, &v->ps->instrs.at[k], 0, k + 1, c->reader); /* the new cmp, at the reader's place, reads the same */
}

static struct program *push_one_choice(struct values *v)
{
	struct program *new = NULL;
	struct choice c;
	for (uint32_t k = 0; k < v->ps->instrs.n && !new; k++)
		new = find_choice(v, k, &c) ? with_pushed_choice(v, &c) : NULL;
	return new;
}

struct program *variant_choices(const struct variant_of *of)
{
	struct values *v = of->values;
	bool any = false;
	struct choice c;
	for (uint32_t k = 0; k < v->ps->instrs.n && !any; k++)
		any = find_choice(v, k, &c);
	if (!any)
		return NULL;
	struct program *p = program_numbered(v->arena, v->ps), *new = NULL;
	for (unsigned n = 0; n < MOST_PASSES; n++) {
		struct program *next = push_one_choice(values_number(v->arena, of->group->vs[0], p));
		if (!next)
			break;
		p = new = next;
	}
	return new;
}
