/* Opcode and model tables, see ops.h. */
#include "lang/ops.h"

#include <string.h>

enum { ANY = true, FEW = false };

const struct model_info models[MODEL_COUNT] = {
#define MODEL(id, name, stage, arith, tex, temps, consts, inputs, texcoords, samplers, order, swizzles) \
	[id] = {name, stage, arith, tex, temps, consts, inputs, texcoords, samplers, order, swizzles},
#include "lang/models.def"
#undef MODEL
};

const struct op_info ops[OP_COUNT] = {
#define OP(id, name, shape, sources, vs_1_1, vs_2_0, ps_2_0, flags) \
	[OP_##id] = {name, shape, sources, vs_1_1, vs_2_0, ps_2_0, flags},
#include "lang/ops.def"
#undef OP
};

unsigned op_slots(enum op op, enum model model)
{
	switch (model) {
	case VS_1_1: return ops[op].vs_1_1;
	case VS_2_0: return ops[op].vs_2_0;
	case PS_2_0:
	case PS_2_A:
	case PS_2_B:
	case PS_2_X:
	case PS_2_SW: return ops[op].ps_2_0;
	case MODEL_COUNT: break;
	}
	return 0;
}

/* The table is in alphabetical order but for mNxM; a linear look at the first
 * letters is cheaper than any hash for 37 rows. */
enum op op_find(const char *name, size_t length)
{
	for (unsigned i = 0; i < OP_COUNT; i++) {
		if (ops[i].name[0] == name[0] && strlen(ops[i].name) == length &&
		    memcmp(ops[i].name, name, length) == 0)
			return (enum op)i;
	}
	return OP_COUNT;
}
