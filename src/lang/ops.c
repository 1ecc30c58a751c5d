/* Opcode and model tables, see ops.h. */
#include "lang/ops.h"

#include <string.h>

enum { ANY = true, FEW = false };
enum { NONE = 0, STATIC = OPF_STATIC, LOOP = OPF_LOOP, DYNAMIC = OPF_DYNAMIC, PREDICATE = OPF_PREDICATE, ALL = OPF_FLOW };

#define KEPT(id, name, code, temps, consts, flow, depth) [id] = {name, code, STAGE_PIXEL, 512, 0, temps, consts, 2, 8, 16, 0, FEW, flow, depth}
const struct model_info models[MODEL_ROWS] = {
#define MODEL(id, name, code, stage, arith, tex, temps, consts, inputs, texcoords, samplers, order, swizzles, flow, depth) \
	[id] = {name, code, stage, arith, tex, temps, consts, inputs, texcoords, samplers, order, swizzles, flow, depth},
#include "lang/models.def"
#undef MODEL
	KEPT(PS_2_A_KEPT, "ps_2_a", 0xffff0201, 22, 32, PREDICATE, 0),
	KEPT(PS_2_B_KEPT, "ps_2_b", 0xffff0201, 32, 32, NONE, 0),
	KEPT(PS_2_X_KEPT, "ps_2_x", 0xffff0201, 32, 32, STATIC | DYNAMIC | PREDICATE, 4),
	KEPT(PS_2_SW_KEPT, "ps_2_sw", 0xffff02ff, 32, 256, STATIC | DYNAMIC | PREDICATE, 4),
};
#undef KEPT

const char *const comparison_names[COMPARISONS] = {"", "gt", "eq", "ge", "lt", "ne", "le"};

static const char names[] = ""
#define MODEL(id, name, ...) ", " name
#include "lang/models.def"
#undef MODEL
;
const char *const model_names = names + sizeof ", " - 1;

/* The words of the algebra column as numbers. */
#define A ALGEBRA_A
#define B ALGEBRA_B
#define C ALGEBRA_C
#define A_X ALGEBRA_A_X
#define C_X ALGEBRA_C_X
#define A_NEXT ALGEBRA_A_NEXT
#define B_NEXT ALGEBRA_B_NEXT
#define A_LAST ALGEBRA_A_LAST
#define B_LAST ALGEBRA_B_LAST
#define ZERO ALGEBRA_ZERO
#define ONE ALGEBRA_ONE
#define MINUS(x) ALGEBRA_MINUS, x
#define SUM(x, y) ALGEBRA_SUM, x, y
#define PRODUCT(x, y) ALGEBRA_PRODUCT, x, y
#define MAD(x, y, z) ALGEBRA_MAD, x, y, z
#define DOT2(x, y) ALGEBRA_DOT2, x, y
#define DOT3(x, y) ALGEBRA_DOT3, x, y
#define DOT4(x, y) ALGEBRA_DOT4, x, y
#define BY_LANE(x, y, z, w) ALGEBRA_BY_LANE, x, y, z, w
#define ITSELF ALGEBRA_ITSELF
#define MAX(x, y) ALGEBRA_OP + (int)OP_MAX, x, y
#define RSQ(x) ALGEBRA_OP + (int)OP_RSQ, x

const struct op_info ops[OP_COUNT] = {
#define OP(id, name, code, shape, sources, vs_1_1, vs_2_0, ps_2_0, vs_3_0, ps_3_0, flags, ...) \
	[OP_##id] = {name, code, shape, sources, vs_1_1, vs_2_0, ps_2_0, vs_3_0, ps_3_0, flags, {__VA_ARGS__}},
#include "lang/ops.def"
#undef OP
};

enum op op_find(const char *name, size_t length)
{
	for (unsigned op = 0; op < OP_REGION1; op++)
		if (strncmp(ops[op].name, name, length) == 0 && !ops[op].name[length])
			return (enum op)op;
	return OP_COUNT;
}
