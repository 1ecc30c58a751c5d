/* Literals made at compile time, and the expressions that the proof checks them by. */
#include "move/passes.h"
#include "move/values.h"

#include <string.h>

/* One temporary lane for each node. */
struct folding {
	struct values *values;
	struct program *expr;
	struct { VEC(value_id); } done; /* node of each temporary lane in use */
};

static struct src temp_source(uint32_t at)
{
	return (struct src){.file = REG_TEMP, .index = (int16_t)(at / LANES), .swizzle = swizzle_replicate(at % LANES)};
}

static uint32_t lane_for(struct folding *f, value_id id)
{
	VEC_PUSH(f->values->arena, &f->done) = id;
	return f->done.n - 1;
}

static void put(struct folding *f, enum op op, uint32_t to, const struct src *s, unsigned n)
{
	struct instr *i = &VEC_PUSH(f->values->arena, &f->expr->instrs);
	i->op = (uint8_t)op;
	i->at = SRCPOS_NONE;
	i->dst = (struct dst){.file = REG_TEMP, .index = (int16_t)(to / LANES), .mask = (lanes)(1u << to % LANES),
	                      .masked = true};
	memcpy(i->src, s, n * sizeof *s);
}

static uint32_t compute(struct folding *f, value_id id)
{
	for (uint32_t k = 0; k < f->done.n; k++)
		if (f->done.at[k] == id)
			return k;
	struct value const x = *value_at(f->values, id);
	struct src s[8];
	for (unsigned k = 0; k < x.nargs; k++)
		s[k] = temp_source(compute(f, x.args[k]));
	uint32_t to = lane_for(f, id);
	static const enum op simple[] = {
		[CONST_ADD] = OP_ADD, [CONST_MUL] = OP_MUL, [CONST_MAD] = OP_MAD, [CONST_RCP] = OP_RCP, [CONST_RSQ] = OP_RSQ,
		[CONST_EXP] = OP_EXP, [CONST_LOG] = OP_LOG, [CONST_FRC] = OP_FRC, [CONST_MAX] = OP_MAX, [CONST_MIN] = OP_MIN,
		[CONST_ABS] = OP_ABS, [CONST_CMP] = OP_CMP, [CONST_POW] = OP_POW,
	};
	switch ((enum const_op)x.op) {
	case CONST_RAW: break; /* not known: never folded */
	case CONST_LITERAL: {
		struct decl d = {.kind = DECL_DEF};
		d.reg = (struct dst){.file = REG_CONST, .index = (int16_t)f->expr->decls.n, .mask = MASK_XYZW};
		d.value[0] = (float)x.number;
		VEC_PUSH(f->values->arena, &f->expr->decls) = d;
		s[0] = (struct src){.file = REG_CONST, .index = d.reg.index, .swizzle = swizzle_replicate(LANE_X)};
		put(f, OP_MOV, to, s, 1);
		break;
	}
	case CONST_NEG:
		s[0].negate = true;
		put(f, OP_MOV, to, s, 1);
		break;
	case CONST_SAT:
		put(f, OP_MOV, to, s, 1);
		f->expr->instrs.at[f->expr->instrs.n - 1].flags = INSTR_SAT;
		break;
	case CONST_DP3:
	case CONST_DP4:
		put(f, OP_MUL, to, s, 2);
		for (unsigned k = 2; k < x.nargs; k += 2) {
			struct src mad[3] = {s[k], s[k + 1], temp_source(to)};
			put(f, OP_MAD, to, mad, 3);
		}
		break;
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
	case CONST_POW: put(f, simple[x.op], to, s, x.nargs); break;
	}
	return to;
}

void value_add_fold(struct values *v, value_id id, enum stage stage, int reg, unsigned lane, struct folds *folds)
{
	if (value_at(v, id)->op == CONST_LITERAL)
		return;
	struct folding f = {.values = v, .expr = arena_zero(v->arena, sizeof *f.expr)};
	f.expr->model = PS_2_SW;
	uint32_t at = compute(&f, id);
	VEC_PUSH(v->arena, folds) = (struct folded){stage, reg, lane, f.expr, (int)(at / LANES), at % LANES};
}
