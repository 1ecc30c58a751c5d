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

/* The rows are sorted by their first letter. */
static const uint8_t first_op[26] = {
	['a' - 'a'] = OP_ABS, ['c' - 'a'] = OP_CMP, ['d' - 'a'] = OP_DP2ADD, ['e' - 'a'] = OP_EXP, ['f' - 'a'] = OP_FRC,
	['l' - 'a'] = OP_LIT, ['m' - 'a'] = OP_M3X2, ['n' - 'a'] = OP_NOP,   ['p' - 'a'] = OP_POW, ['r' - 'a'] = OP_RCP,
	['s' - 'a'] = OP_SGE, ['t' - 'a'] = OP_TEXKILL,
};

enum op op_find(const char *name, size_t length)
{
	if (length == 0 || name[0] < 'a' || name[0] > 'z')
		return OP_COUNT;
	for (unsigned i = first_op[name[0] - 'a']; i < OP_COUNT && ops[i].name[0] == name[0]; i++) {
		const char *other = ops[i].name;
		size_t same = 1;
		while (same < length && other[same] == name[same])
			same++;
		if (same == length && other[same] == '\0')
			return (enum op)i;
	}
	return OP_COUNT;
}
