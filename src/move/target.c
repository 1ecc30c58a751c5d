/* Costs under a profile, see target.h. */
#include "move/target.h"

const struct target targets[TARGETS] = {
#define TARGET(id, name, instr, lane, tex, order, varying, vertex) [id] = {name, instr, lane, tex, order, varying, vertex},
#include "move/targets.def"
#undef TARGET
};

static unsigned count(lanes mask)
{
	unsigned n = 0;
	for (; mask; mask &= (lanes)(mask - 1))
		n++;
	return n;
}

/* Multiply-adds on one scalar that an instruction amounts to on hardware without vectors; a special
 * function (reciprocal, root, exponent, logarithm, sine) runs at an eighth of their rate. */
static unsigned scalar_operations(const struct instr *i, lanes mask)
{
	enum { SPECIAL = 8 };
	unsigned n = count(mask);
	switch (ops[i->op].shape) {
	case SHAPE_LANES: return i->op == OP_LRP || i->op == OP_CMP || i->op == OP_FRC ? 2 * n : n;
	case SHAPE_SCALAR: return i->op == OP_POW ? 2 * SPECIAL + 1 : SPECIAL;
	case SHAPE_DP3: return 3;
	case SHAPE_DP4: return 4;
	case SHAPE_DP2ADD: return 2;
	case SHAPE_CROSS: return 2 * n;
	case SHAPE_MATRIX: return n * (i->op == OP_M4X4 || i->op == OP_M4X3 ? 4 : 3);
	case SHAPE_NRM: return 3 + SPECIAL + n;
	case SHAPE_SINCOS: return n * SPECIAL;
	case SHAPE_EXPP:
	case SHAPE_LOGP:
	case SHAPE_LIT: return 2 * SPECIAL;
	case SHAPE_DST:
	case SHAPE_SGN: return 2 * n;
	case SHAPE_NONE:
	case SHAPE_KILL:
	case SHAPE_TEX:
	case SHAPE_TEXW: break;
	}
	return 0;
}

uint64_t target_instr(const struct target *t, const struct instr *i, enum model model, lanes mask)
{
	uint64_t slots = op_slots((enum op)i->op, model);
	/* What is an output's mov in assembly is where the value is computed in hardware. */
	unsigned scalars = instr_writes(i) && i->dst.file != REG_TEMP ? 0 : scalar_operations(i, mask);
	uint64_t cost = ops[i->op].flags & OPF_TEX ? t->tex * slots : t->instr * slots + (uint64_t)t->lane * scalars;
	return cost * TARGET_UNIT;
}

uint64_t target_pair(const struct target *t, const struct program *vs, const struct program *ps, unsigned pixels_per_vertex)
{
	uint64_t time = 0;
	lanes read[16] = {0};
	for (uint32_t k = 0; k < ps->instrs.n; k++) {
		const struct instr *i = &ps->instrs.at[k];
		time += target_instr(t, i, ps->model, instr_writes(i));
		for (unsigned s = 0; s < ops[i->op].sources; s++)
			if (i->src[s].file == REG_TEXCOORD && i->src[s].index < 16)
				read[i->src[s].index] |= instr_reads(ps, i, s);
	}
	for (unsigned r = 0; r < 16; r++)
		time += (uint64_t)t->varying * count(read[r]) * TARGET_UNIT;
	time += (uint64_t)t->order * program_dependent_reads(ps) * TARGET_UNIT;
	return time + (uint64_t)t->vertex * program_total_slots(vs) * TARGET_UNIT / (pixels_per_vertex ? pixels_per_vertex : 1);
}
