/* Finds which values of an FP's operands may move, and from which interpolators operands read them in a plan.  The search, the writer of FPs
 * (emit/) and --dump use these functions. */
#include "move/plan/plan.h"

/* Returns the swizzles and signs that the model allows for operand s of the instruction. */
static enum reach reach_of(const struct program *p, const struct instr *i, unsigned s)
{
	bool const free = model_links(p->model);
	enum reach const any = free ? REACH_FREE : REACH_ANY;
	switch (ops[i->op].shape) {
	case SHAPE_SCALAR: return REACH_SCALAR;
	case SHAPE_DP2ADD: return s == 2 ? REACH_SCALAR : any;
	case SHAPE_SINCOS: return s == 0 ? REACH_SCALAR : REACH_PLAIN;
	case SHAPE_TEX:
	case SHAPE_TEXW:
	case SHAPE_TEXD: return free ? REACH_TURNED : REACH_PLAIN;
	case SHAPE_CROSS:
	case SHAPE_NRM:
	case SHAPE_KILL:
	case SHAPE_MATRIX: return REACH_PLAIN;
	case SHAPE_LANES:
		return i->dst.file == REG_DEPTH_OUT ? REACH_LANE : i->dst.file == REG_PIXEL_OUT && !free ? REACH_PLAIN : any;
	case SHAPE_NONE:
	case SHAPE_DP3:
	case SHAPE_DP4:
	case SHAPE_DST:
	case SHAPE_EXPP:
	case SHAPE_LOGP:
	case SHAPE_LIT:
	case SHAPE_SGN:
	case SHAPE_COMPARE:
	case SHAPE_REGION: break;
	}
	return any;
}

void pattern_set(const struct values *v, struct pattern *p, unsigned position, value_id value)
{
	p->positions |= (lanes)(1u << position);
	p->value[position] = value;
	p->negated[position] = value_find_negated(v, value);
}

static struct need need_of_operand(const struct values *v, uint32_t i, unsigned k, lanes mask)
{
	const struct instr *instr = &v->ps->instrs.at[i];
	const struct use *u = &v->use[i][k];
	struct need need = {.pattern = {.reach = (uint8_t)reach_of(v->ps, instr, k)}};
	lanes read = instr_operand_lanes(v->ps, instr, k, mask);
	EACH_LANE(p, read) {
		if (value_may_move(v, u->value[p]))
			pattern_set(v, &need.pattern, p, u->value[p]);
		else
			need.pixel |= (lanes)(1u << p);
	}
	return need;
}

struct need plan_need(const struct values *v, uint32_t i, unsigned k, lanes mask)
{
	const struct instr *instr = &v->ps->instrs.at[i];
	bool const moves = k < ops[instr->op].sources && (instr->src[k].file == REG_TEMP || instr->src[k].file == REG_TEXCOORD);
	return moves ? need_of_operand(v, i, k, mask) : (struct need){.pattern = {.reach = (uint8_t)reach_of(v->ps, instr, k)}};
}

struct pattern plan_constant_need(const struct values *v, uint32_t i, unsigned k, lanes mask)
{
	return need_of_operand(v, i, k, mask).pattern;
}

bool plan_is_preset(const struct values *v, const value_id reg[LANES])
{
	for (unsigned lane = 0; lane < LANES; lane++)
		if (reg[lane] != NO_VALUE && !value_at(v, reg[lane])->known)
			return true;
	return false;
}

struct pattern plan_operand(const struct values *v, const struct plan *plan, uint32_t i, unsigned k)
{
	bool const constant = v->ps->instrs.at[i].src[k].file == REG_CONST && plan->supply[i][k] != SUPPLY_KEEP;
	return constant ? plan_constant_need(v, i, k, plan->mask[i]) : plan_need(v, i, k, plan->mask[i]).pattern;
}

/* Returns the t# that delivers all `n` patterns together, or -1 if there is none, and sets the swizzle and sign for each pattern. */
static int find_common_input(const struct values *v, const struct plan *plan, const struct pattern *p, unsigned n, struct view view[MAX_SOURCES])
{
	struct request all = {.n = 0};
	bool asked = true;
	for (unsigned k = 0; k < n && asked; k++) {
		uint8_t kind;
		asked = pattern_kind(v, &p[k], &kind) && request_add(&all, &p[k], kind);
	}
	return asked ? layout_find(&plan->layout, &all, view) : -1;
}

int plan_inputs(const struct values *v, const struct plan *plan, uint32_t i, struct view view[MAX_SOURCES])
{
	struct pattern all[MAX_SOURCES];
	struct view found[MAX_SOURCES];
	unsigned n = 0, sources = ops[v->ps->instrs.at[i].op].sources;
	for (unsigned k = 0; k < sources; k++)
		if (plan->supply[i][k] == SUPPLY_INPUT)
			all[n++] = plan_operand(v, plan, i, k);
	int const r = n ? find_common_input(v, plan, all, n, found) : -1;
	for (unsigned k = sources; r >= 0 && k-- > 0;)
		if (plan->supply[i][k] == SUPPLY_INPUT)
			view[k] = found[--n];
	return r;
}

int plan_making_inputs(const struct values *v, const struct plan *plan, const struct making *m, struct view view[MAX_SOURCES])
{
	struct pattern const all[2] = {m->make == MAKE_MAD ? m->base : m->pattern, m->offset};
	return find_common_input(v, plan, all, m->make == MAKE_MAD && m->offset_rides ? 2 : 1, view);
}
