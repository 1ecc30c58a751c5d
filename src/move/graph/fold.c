/* Writes the constants of new programs that the mover or the application computes from other constants.  Each gets an expression, a small program by
 * which the proof checks it. */
#include "move/passes.h"
#include "move/graph/values.h"

#include <string.h>

/* The temporaries of an expression, as many as verify/machine.h has: r0 for the results, r31 for sincos, the others for intermediate values. */
enum { FOLD_TEMPS = 31, SINCOS_TEMP = FOLD_TEMPS };

/* A value that the expression computes or reads.  Its arguments come before it in the list. */
struct node {
	value_id id;
	uint32_t readers; /* number of nodes that are not computed yet and read it, and of results that it is; at 0, its register lane is free */
	struct src src;   /* the source that reads the value, once it is computed */
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

static void collect_nodes(struct folding *f, value_id id)
{
	struct node *known = node_of(f, id);
	if (known) {
		known->readers++;
		return;
	}
	const value_id *args = value_at(f->values, id)->args;
	for (unsigned k = 0; k < value_at(f->values, id)->nargs; k++)
		collect_nodes(f, args[k]);
	VEC_PUSH(f->values->arena, &f->nodes) = (struct node){.id = id, .readers = 1};
}

static struct src lane_source(enum reg_file file, unsigned reg, unsigned lane)
{
	return (struct src){.file = (uint8_t)file, .index = (int16_t)reg, .swizzle = swizzle_replicate(lane), .at = SRCPOS_NONE};
}

/* Adds a literal to a def of the expression and returns a source that reads it.  Each def holds four; their c# are above those of all programs. */
static struct src add_expression_literal(struct folding *f, float number)
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

/* Allocates a free lane of a temporary and sets *to to a source that reads it.  Returns false if none is free. */
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

static struct instr *append_computation(struct folding *f, enum op op, const struct src *to, const struct src *s, unsigned n)
{
	struct instr *i = &VEC_PUSH(f->values->arena, &f->expr->instrs);
	*i = (struct instr){.op = (uint8_t)op, .at = SRCPOS_NONE};
	i->dst = (struct dst){.file = REG_TEMP, .index = to->index, .mask = (lanes)(1u << swizzle_lane(to->swizzle, 0)),
	                      .masked = true, .at = SRCPOS_NONE};
	memcpy(i->src, s, n * sizeof *s);
	return i;
}

/* Copies the def of the program's c`reg` into the expression, and returns a source that reads the copy. */
static struct src whole_literal(struct folding *f, int reg)
{
	const struct decl *d = program_decl(f->values->ps, REG_CONST, reg);
	while (f->literals % LANES)
		add_expression_literal(f, 0);
	struct src first = add_expression_literal(f, d->value[0]);
	for (unsigned lane = 1; lane < LANES; lane++)
		add_expression_literal(f, d->value[lane]);
	first.swizzle = SWIZZLE_XYZW;
	return first;
}

static bool compute_node(struct folding *f, struct node *node)
{
	const struct value *x = value_at(f->values, node->id);
	if (x->op == CONST_RAW || x->op == CONST_LITERAL) {
		node->src = x->op == CONST_RAW ? lane_source(REG_CONST, (unsigned)x->reg, x->lane) : add_expression_literal(f, (float)x->number);
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
	case CONST_LITERAL: break; /* handled above */
	case CONST_NEG:
		s[0].negate = true;
		append_computation(f, OP_MOV, &node->src, s, 1);
		break;
	case CONST_SAT: append_computation(f, OP_MOV, &node->src, s, 1)->flags = INSTR_SAT; break;
	case CONST_DP3:
	case CONST_DP4: {
		bool first = true;
		for (unsigned k = 0; k < x->nargs; k += 2) {
			struct src mad[3] = {s[k], s[k + 1], node->src};
			bool nothing = x->args[k] == f->values->zero || x->args[k + 1] == f->values->zero;
			if (nothing && !(first && k + 2 == x->nargs))
				continue;
			append_computation(f, first ? OP_MUL : OP_MAD, &node->src, mad, first ? 2 : 3);
			first = false;
		}
		break;
	}
	case CONST_COS:
	case CONST_SIN: {
		struct src at = lane_source(REG_TEMP, SINCOS_TEMP, x->op == CONST_COS ? LANE_X : LANE_Y);
		s[1] = whole_literal(f, x->reg);
		s[2] = whole_literal(f, x->lane);
		append_computation(f, OP_SINCOS, &at, s, 3);
		append_computation(f, OP_MOV, &node->src, &at, 1);
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
	case CONST_POW: append_computation(f, simple[x->op], &node->src, s, x->nargs); break;
	}
	for (unsigned k = 0; k < x->nargs; k++) {
		struct node *arg = node_of(f, x->args[k]);
		if (--arg->readers == 0 && arg->src.file == REG_TEMP)
			f->busy[arg->src.index] &= (lanes)~(1u << swizzle_lane(arg->src.swizzle, 0));
	}
	return true;
}

/* Returns a program that computes value[lane] in that lane of r0, for each lane in `group`.  Returns NULL if it needs more temporaries than there
 * are. */
static const struct program *write_expression(struct values *v, const value_id value[LANES], lanes group)
{
	struct folding f = {.values = v, .expr = arena_zero(v->arena, sizeof *f.expr)};
	f.expr->model = PS_2_SW;
	EACH_LANE(lane, group)
		collect_nodes(&f, value[lane]);
	for (uint32_t k = 0; k < f.nodes.n; k++)
		if (!compute_node(&f, &f.nodes.at[k]))
			return NULL;
	for (unsigned lane = 0; lane < LANES; lane++) {
		struct src to = lane_source(REG_TEMP, 0, lane);
		if (group >> lane & 1)
			append_computation(&f, OP_MOV, &to, &node_of(&f, value[lane])->src, 1);
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
	const struct program *expr = group ? write_expression(v, value, group) : NULL;
	for (unsigned lane = 0; expr && lane < LANES; lane++)
		if (group >> lane & 1)
			VEC_PUSH(v->arena, folds) = (struct folded){.stage = program_stage(new), .index = reg, .lane = lane, .expr = expr,
			                                            .temp_lane = lane, .preset = preset};
	return expr || !group;
}
