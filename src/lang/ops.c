/* Opcode and model tables, see ops.h. */
#include "lang/ops.h"

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

/* A linear look at the first letters is cheaper than any hash for 37 rows; no name is
 * shorter than three. */
enum op op_find(const char *name, size_t length)
{
	for (unsigned i = 0; i < OP_COUNT && length >= 3; i++) {
		const char *other = ops[i].name;
		if (other[0] != name[0] || other[1] != name[1])
			continue;
		size_t same = 2;
		while (same < length && other[same] == name[same])
			same++;
		if (same == length && other[same] == '\0')
			return (enum op)i;
	}
	return OP_COUNT;
}
