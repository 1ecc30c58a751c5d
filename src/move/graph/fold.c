/* Constants computed ahead, at compile time or by the application, as the expressions that the
 * proof checks them by. */
#include "move/passes.h"
#include "move/graph/values.h"

#include <string.h>

/* As many temporaries as verify/machine.h has; r0 is for the results, the last for sincos. */
enum { FOLD_TEMPS = 31, SINCOS_TEMP = FOLD_TEMPS };

/* A value that the expression needs; those it is made of come first. */
struct node {
	value_id id;
	uint32_t readers; /* nodes that still have to read it; its register is free again after the last */
	struct src src;   /* the register lane that holds it */
};

struct folding {
	struct values *values;
	struct program *expr;
	struct { VEC(struct node); } nodes;
	lanes busy[FOLD_TEMPS];
	uint32_t literals;
};

static struct node *node_of(const struct folding *f, value_id id)
{
	for (uint32_t k = 0; k < f->nodes.n; k++)
		if (f->nodes.at[k].id == id)
			return &f->nodes.at[k];
	return NULL;
}

static void collect(struct folding *f, value_id id)
{
	struct node *known = node_of(f, id);
	if (known) {
		known->readers++;
		return;
	}
	const value_id *args = value_at(f->values, id)->args;
	for (unsigned k = 0; k < value_at(f->values, id)->nargs; k++)
		collect(f, args[k]);
	VEC_PUSH(f->values->arena, &f->nodes) = (struct node){.id = id, .readers = 1};
}

static struct src lane_source(enum reg_file file, unsigned reg, unsigned lane)
{
	return (struct src){.file = (uint8_t)file, .index = (int16_t)reg, .swizzle = swizzle_replicate(lane), .at = SRCPOS_NONE};
}

/* Literals have defs of their own, four to a register, above the constants that programs have. */
static struct src literal(struct folding *f, float number)
{
	unsigned lane = f->literals % LANES, reg = models[PS_2_0].consts + f->literals / LANES;
	if (lane == 0) {
		struct decl *d = &VEC_PUSH(f->values->arena, &f->expr->decls);
		*d = (struct decl){.kind = DECL_DEF, .at = SRCPOS_NONE};
		d->reg = dst_lanes(REG_CONST, (int)reg, MASK_XYZW);
	}
	f->expr->decls.at[f->expr->decls.n - 1].value[lane] = number;
	f->literals++;
	return lane_source(REG_CONST, reg, lane);
}

/* A free lane of a temporary; false: there is none. */
static bool take_lane(struct folding *f, struct src *to)
{
	for (unsigned reg = 1; reg < FOLD_TEMPS; reg++) {
		for (unsigned lane = 0; lane < LANES; lane++) {
			if (f->busy[reg] >> lane & 1)
				continue;
			f->busy[reg] |= (lanes)(1u << lane);
			*to = lane_source(REG_TEMP, reg, lane);
			return true;
		}
	}
	return false;
}

static struct instr *put(struct folding *f, enum op op, const struct src *to, const struct src *s, unsigned n)
{
	struct instr *i = &VEC_PUSH(f->values->arena, &f->expr->instrs);
	*i = (struct instr){.op = (uint8_t)op, .at = SRCPOS_NONE};
	i->dst = (struct dst){.file = REG_TEMP, .index = to->index, .mask = (lanes)(1u << swizzle_lane(to->swizzle, 0)),
	                      .masked = true, .at = SRCPOS_NONE};
	memcpy(i->src, s, n * sizeof *s);
	return i;
}

/* A register with the literals of one that the program has. */
static struct src whole_literal(struct folding *f, int reg)
{
	const struct decl *d = program_decl(f->values->ps, REG_CONST, reg);
	while (f->literals % LANES)
		literal(f, 0);
	struct src first = literal(f, d->value[0]);
	for (unsigned lane = 1; lane < LANES; lane++)
		literal(f, d->value[lane]);
	first.swizzle = SWIZZLE_XYZW;
	return first;
}

static bool compute(struct folding *f, struct node *node)
{
	const struct value *x = value_at(f->values, node->id);
	if (x->op == CONST_RAW || x->op == CONST_LITERAL) {
		node->src = x->op == CONST_RAW ? lane_source(REG_CONST, (unsigned)x->reg, x->lane) : literal(f, (float)x->number);
		return true;
	}
	struct src s[8];
	for (unsigned k = 0; k < x->nargs; k++)
		s[k] = node_of(f, x->args[k])->src;
	if (!take_lane(f, &node->src))
		return false;
	static const enum op simple[] = {
		[CONST_ADD] = OP_ADD, [CONST_MUL] = OP_MUL, [CONST_MAD] = OP_MAD, [CONST_RCP] = OP_RCP, [CONST_RSQ] = OP_RSQ,
		[CONST_EXP] = OP_EXP, [CONST_LOG] = OP_LOG, [CONST_FRC] = OP_FRC, [CONST_MAX] = OP_MAX, [CONST_MIN] = OP_MIN,
		[CONST_ABS] = OP_ABS, [CONST_CMP] = OP_CMP, [CONST_POW] = OP_POW,
	};
	switch ((enum const_op)x->op) {
	case CONST_RAW:
	case CONST_LITERAL: break; /* done above */
	case CONST_NEG:
		s[0].negate = true;
		put(f, OP_MOV, &node->src, s, 1);
		break;
	case CONST_SAT: put(f, OP_MOV, &node->src, s, 1)->flags = INSTR_SAT; break;
	case CONST_DP3:
	case CONST_DP4: {
		bool first = true;
		for (unsigned k = 0; k < x->nargs; k += 2) {
			struct src mad[3] = {s[k], s[k + 1], node->src};
			bool nothing = x->args[k] == f->values->zero || x->args[k + 1] == f->values->zero;
			if (nothing && !(first && k + 2 == x->nargs))
				continue;
			put(f, first ? OP_MUL : OP_MAD, &node->src, mad, first ? 2 : 3);
			first = false;
		}
		break;
	}
	case CONST_COS:
	case CONST_SIN: {
		struct src at = lane_source(REG_TEMP, SINCOS_TEMP, x->op == CONST_COS ? LANE_X : LANE_Y);
		s[1] = whole_literal(f, x->reg);
		s[2] = whole_literal(f, x->lane);
		put(f, OP_SINCOS, &at, s, 3);
		put(f, OP_MOV, &node->src, &at, 1);
		break;
	}
	case CONST_ADD:
	case CONST_MUL:
	case CONST_MAD:
	case CONST_RCP:
	case CONST_RSQ:
	case CONST_EXP:
	case CONST_LOG:
	case CONST_FRC:
	case CONST_MAX:
	case CONST_MIN:
	case CONST_ABS:
	case CONST_CMP:
	case CONST_POW: put(f, simple[x->op], &node->src, s, x->nargs); break;
	}
	for (unsigned k = 0; k < x->nargs; k++) {
		struct node *arg = node_of(f, x->args[k]);
		if (--arg->readers == 0 && arg->src.file == REG_TEMP)
			f->busy[arg->src.index] &= (lanes)~(1u << swizzle_lane(arg->src.swizzle, 0));
	}
	return true;
}

/* A program that leaves the values of `group` in those lanes of r0; NULL: it would need more
 * temporaries than there are. */
static const struct program *expression(struct values *v, const value_id value[LANES], lanes group)
{
	struct folding f = {.values = v, .expr = arena_zero(v->arena, sizeof *f.expr)};
	f.expr->model = PS_2_SW;
	EACH_LANE(lane, group)
		collect(&f, value[lane]);
	for (uint32_t k = 0; k < f.nodes.n; k++)
		if (!compute(&f, &f.nodes.at[k]))
			return NULL;
	for (unsigned lane = 0; lane < LANES; lane++) {
		struct src to = lane_source(REG_TEMP, 0, lane);
		if (group >> lane & 1)
			put(&f, OP_MOV, &to, &node_of(&f, value[lane])->src, 1);
	}
	return f.expr;
}

bool value_add_constant(struct values *v, const value_id value[LANES], bool preset, int reg, struct program *new, struct folds *folds)
{
	struct decl def = {.kind = DECL_DEF, .at = SRCPOS_NONE};
	def.reg = dst_lanes(REG_CONST, reg, MASK_XYZW);
	lanes group = 0;
	for (unsigned lane = 0; lane < LANES; lane++) {
		if (value[lane] == NO_VALUE)
			continue;
		const struct value *x = value_at(v, value[lane]);
		def.value[lane] = (float)x->number;
		group |= (lanes)((preset || x->op != CONST_LITERAL) << lane);
	}
	if (!preset)
		VEC_PUSH(v->arena, &new->decls) = def;
	const struct program *expr = group ? expression(v, value, group) : NULL;
	for (unsigned lane = 0; expr && lane < LANES; lane++)
		if (group >> lane & 1)
			VEC_PUSH(v->arena, folds) = (struct folded){program_stage(new), reg, lane, expr, 0, lane, preset};
	return expr || !group;
}
