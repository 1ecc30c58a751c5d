/* The tables of ops.def and models.def as data. */
#ifndef FPMOVE_LANG_OPS_H
#define FPMOVE_LANG_OPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum stage { STAGE_VERTEX, STAGE_PIXEL };

enum model {
#define MODEL(id, ...) id,
#include "lang/models.def"
#undef MODEL
	MODEL_COUNT
};

struct model_info {
	const char *name;
	enum stage stage;
	uint16_t arith, tex; /* slots */
	uint16_t temps, consts, inputs, texcoords, samplers;
	uint8_t order; /* dependent reads */
	bool any_swizzle;
};

extern const struct model_info models[MODEL_COUNT];

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
	SHAPE_TEXW
};

enum op_flag {
	OPF_TEX = 1,    /* takes a texture slot, ps_2_0 */
	OPF_NO_DST = 2, /* no destination */
	OPF_SWAP = 4    /* s0 and s1 may change places */
};

enum op {
#define OP(id, ...) OP_##id,
#include "lang/ops.def"
#undef OP
	OP_COUNT
};

struct op_info {
	const char *name;
	enum op_shape shape;
	uint8_t sources;
	uint8_t vs_1_1, vs_2_0, ps_2_0; /* slots, 0: absent */
	uint8_t flags;
};

extern const struct op_info ops[OP_COUNT];

/* Slots of an opcode in a model; 0: the model does not have it. */
static inline unsigned op_slots(enum op op, enum model model)
{
	return model == VS_1_1 ? ops[op].vs_1_1 : model == VS_2_0 ? ops[op].vs_2_0 : ops[op].ps_2_0;
}

/* OP_COUNT when there is no such opcode; `name` is `length` bytes in lower case. */
enum op op_find(const char *name, size_t length);

#endif
