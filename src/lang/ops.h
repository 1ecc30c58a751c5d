/* The tables of opcodes (ops.def) and of models (models.def) as data. */
#ifndef FPMOVE_LANG_OPS_H
#define FPMOVE_LANG_OPS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum stage { STAGE_VERTEX, STAGE_PIXEL };

enum model {
#define MODEL(id, ...) id,
#include "lang/models.def"
#undef MODEL
	MODEL_COUNT,
	/* ps_2_a to ps_2_sw for a program that fpmove prints in its own model, not in ps_2_0.  New instructions get swizzles of ps_2_0 only. */
	PS_2_A_KEPT, PS_2_B_KEPT, PS_2_X_KEPT, PS_2_SW_KEPT, MODEL_ROWS
};

struct model_info {
	const char *name;
	uint32_t code; /* the first token of bytecode */
	enum stage stage;
	uint16_t arith, tex; /* slots */
	uint16_t temps, consts, inputs, texcoords, samplers;
	uint8_t order; /* the highest order of dependent texture reads allowed; 0 for no limit */
	bool any_swizzle;
	uint8_t flow;  /* kinds of flow control that the model has, of enum op_flag */
	uint8_t depth; /* how deep rep and loop may nest, and how deep calls */
};

extern const struct model_info models[MODEL_ROWS];
/* The names of all models: "vs_1_1, vs_2_0, ...". */
extern const char *const model_names;

enum op_shape {
	SHAPE_NONE,   /* no operand */
	SHAPE_LANES,  /* lane by lane */
	SHAPE_SCALAR, /* one lane of each source, result to all lanes of the mask */
	SHAPE_DP3,
	SHAPE_DP4,
	SHAPE_DP2ADD,
	SHAPE_CROSS,
	SHAPE_DST,
	SHAPE_EXPP,
	SHAPE_LOGP,
	SHAPE_LIT,
	SHAPE_MATRIX, /* s1 is the first of consecutive registers, one row for each result lane */
	SHAPE_NRM,
	SHAPE_SGN,
	SHAPE_SINCOS,
	SHAPE_KILL,
	SHAPE_TEX,
	SHAPE_TEXW,
	SHAPE_TEXD,
	SHAPE_COMPARE, /* one lane of each source; no result */
	SHAPE_REGION   /* the lanes of each source that `region_reads` of the instruction lists; no result */
};

enum op_flag {
	OPF_TEX = 1,    /* takes a texture slot in ps_2_0 */
	OPF_NO_DST = 2, /* no destination */
	OPF_SWAP = 4,   /* s0 and s1 commute */
	OPF_STATIC = 8, OPF_LOOP = 16, OPF_DYNAMIC = 32, OPF_PREDICATE = 64, /* kinds of flow control, see models.def */
	OPF_FLOW = OPF_STATIC | OPF_LOOP | OPF_DYNAMIC | OPF_PREDICATE,
	OPF_COMPARES = 128, /* the mnemonic ends in a comparison of enum compare, as if_gt */
	OPF_LIMIT = 256 /* the result is discontinuous where s0 is 0, or for frc a whole number, so that tiny errors of s0 matter there */
};

/* The comparisons, numbered as in bytecode. */
enum compare { COMPARE_NONE, COMPARE_GT, COMPARE_EQ, COMPARE_GE, COMPARE_LT, COMPARE_NE, COMPARE_LE, COMPARISONS };
extern const char *const comparison_names[COMPARISONS];

enum op {
#define OP(id, ...) OP_##id,
#include "lang/ops.def"
#undef OP
	OP_COUNT
};

/* Case labels for a switch over all opcodes: the opcodes of flow control, and the REGION opcodes (see outline.h). */
#define FLOW_OPS OP_BREAK: case OP_BREAKC: case OP_BREAKP: case OP_CALL: case OP_CALLNZ: case OP_ELSE: case OP_ENDIF: case OP_ENDLOOP: \
	case OP_ENDREP: case OP_IF: case OP_IFC: case OP_LABEL: case OP_LOOP: case OP_REP: case OP_RET: case OP_SETP
#define REGION_OPS OP_REGION1: case OP_REGION2: case OP_REGION3: case OP_REGION_OUT

/* The words of the algebra column, which holds a formula in prefix order: each operator stands before its operands. */
enum algebra {
	ALGEBRA_A, ALGEBRA_B, ALGEBRA_C, /* a source in the lane of the result; for s1 of a matrix, the row with the number of that lane */
	ALGEBRA_A_X, ALGEBRA_C_X,        /* a source in lane x */
	ALGEBRA_A_NEXT, ALGEBRA_B_NEXT,  /* a source in the lane after that of the result; x follows z */
	ALGEBRA_A_LAST, ALGEBRA_B_LAST,  /* a source in the lane before that of the result; z precedes x */
	ALGEBRA_ZERO, ALGEBRA_ONE,
	ALGEBRA_MINUS, ALGEBRA_SUM, ALGEBRA_PRODUCT, ALGEBRA_MAD, /* -x, x + y, x y, x y + z */
	ALGEBRA_DOT2, ALGEBRA_DOT3, ALGEBRA_DOT4, /* the dot product of two sources over 2, 3 or 4 lanes */
	ALGEBRA_BY_LANE, /* four formulas, one for each lane of the result */
	ALGEBRA_ITSELF,  /* a function that no formula here can express.  Its arguments are all lanes that the result's lane depends on, in
	                  * their order.  Shapes LANES and SCALAR have the same function in all lanes, other shapes one for each lane */
	ALGEBRA_OP       /* ALGEBRA_OP + n: the function of opcode n, applied to one lane of each source */
};
enum { ALGEBRA_LENGTH = 8 };

struct op_info {
	const char *name;
	uint32_t code; /* opcode number in bytecode, as in ops.def */
	enum op_shape shape;
	uint8_t sources;
	uint8_t vs_1_1, vs_2_0, ps_2_0, vs_3_0, ps_3_0; /* slots in each model; 0 if the model does not have the opcode */
	uint16_t flags;                  /* of enum op_flag */
	uint8_t algebra[ALGEBRA_LENGTH]; /* of enum algebra */
};

extern const struct op_info ops[OP_COUNT];

/* Returns true for models 3, which link outputs to inputs by usages, see link.h. */
static inline bool model_links(enum model model)
{
	return model == VS_3_0 || model == PS_3_0;
}

/* Returns the _KEPT model for ps_2_a to ps_2_sw, and any other model unchanged. */
static inline enum model model_kept(enum model model)
{
	return model >= PS_2_A && model <= PS_2_SW ? PS_2_A_KEPT + (model - PS_2_A) : model;
}

/* Returns the model in which fpmove prints a program of the model: ps_2_0 for ps_2_0 to ps_2_sw, else the model itself. */
static inline enum model model_written(enum model model)
{
	return model > MODEL_COUNT ? model : model == PS_3_0 ? PS_3_0 : models[model].stage == STAGE_PIXEL ? PS_2_0 : model;
}

/* Returns the highest order of dependent texture reads that model_written() allows; UINT_MAX for no limit. */
static inline unsigned model_order(enum model model)
{
	unsigned const order = models[model_written(model)].order;
	return order ? order : UINT_MAX;
}

/* Returns whether an opcode is flow control. */
static inline bool op_is_flow(unsigned op)
{
	return ops[op].flags & OPF_FLOW;
}

/* Returns the slots that an opcode takes in a model; 0 for label, REGION opcodes and opcodes that the model does not have. */
static inline unsigned op_slots(enum op op, enum model model)
{
	const struct op_info *o = &ops[op];
	return model == VS_1_1 ? o->vs_1_1 : model == VS_3_0 ? o->vs_3_0 : model == PS_3_0 ? o->ps_3_0 :
	       models[model].stage == STAGE_VERTEX ? o->vs_2_0 : o->ps_2_0;
}

/* Returns true for a REGION opcode, see outline.h. */
static inline bool op_is_region(unsigned op)
{
	return op >= OP_REGION1;
}

static inline bool model_has_op(enum model model, enum op op)
{
	if (op_is_region(op))
		return true;
	return op_is_flow(op) ? models[model].flow & ops[op].flags & OPF_FLOW : op_slots(op, model) > 0;
}

/* Returns the first opcode of this name, `length` bytes in lower case; OP_COUNT if there is none.  Never returns a REGION opcode. */
enum op op_find(const char *name, size_t length);

#endif
