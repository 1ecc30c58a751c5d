/* Tells which values are finite (neither infinite nor NaN), see finite.h. */
#include "move/graph/finite.h"

enum { MOST_LOOKED_AT = 256 }; /* limit of the definitions that are visited for a value; beyond it, the value counts as not finite */

/* Returns true if the instruction's result is finite whenever everything that it reads is finite. */
static bool keeps_finite(const struct program *p, const struct instr *i)
{
	enum op_shape const shape = ops[i->op].shape;
	bool const picks = i->op == OP_MOV || i->op == OP_MIN || i->op == OP_MAX || i->op == OP_CMP || i->op == OP_ABS || i->op == OP_FRC;
	if (program_stage(p) == STAGE_PIXEL)
		return picks;
	return shape == SHAPE_LANES || shape == SHAPE_DP3 || shape == SHAPE_DP4 || shape == SHAPE_MATRIX;
}

static bool reads_finite(const struct flow *, uint32_t k, unsigned source, unsigned textures, unsigned *budget);

static bool makes_finite(const struct flow *f, uint32_t k, unsigned textures, unsigned *budget)
{
	const struct instr *i = &f->program->instrs.at[k];
	if (ops[i->op].shape == SHAPE_TEX && i->src[1].file == REG_SAMPLER)
		return program_stage(f->program) == STAGE_PIXEL && textures >> i->src[1].index & 1; /* a VP has samplers of its own */
	return i->flags & INSTR_SAT || (keeps_finite(f->program, i) && reads_finite(f, k, MAX_SOURCES, textures, budget));
}

/* Returns true if source `source` of instruction k, or each source for MAX_SOURCES, reads finite values only.  Counts the definitions that it visits
 * down from *budget, and returns false if that is used up. */
static bool reads_finite(const struct flow *f, uint32_t k, unsigned source, unsigned textures, unsigned *budget)
{
	for (uint32_t r = f->first[k]; r < f->first[k + 1]; r++) {
		uint32_t const def = f->read[r].def;
		if ((source < MAX_SOURCES && f->read[r].source != source) || def == FLOW_INPUT)
			continue;
		if (def == FLOW_UNWRITTEN || (*budget)-- == 0 || !makes_finite(f, def, textures, budget))
			return false;
	}
	return true;
}

bool finite_result(const struct flow *f, uint32_t k, unsigned textures)
{
	unsigned budget = MOST_LOOKED_AT;
	return makes_finite(f, k, textures, &budget);
}

bool finite_operand(const struct flow *f, uint32_t k, unsigned source, unsigned textures)
{
	unsigned budget = MOST_LOOKED_AT;
	return reads_finite(f, k, source, textures, &budget);
}

bool never_nan_operand(const struct flow *f, uint32_t k, unsigned source, unsigned textures)
{
	for (uint32_t r = f->first[k]; r < f->first[k + 1]; r++) {
		uint32_t const def = f->read[r].def;
		if (f->read[r].source != source || def == FLOW_INPUT)
			continue;
		if (def == FLOW_UNWRITTEN)
			return false;
		const struct instr *i = &f->program->instrs.at[def];
		bool const one_step = (ops[i->op].shape == SHAPE_LANES && i->op != OP_LRP) || i->op == OP_RCP || i->op == OP_RSQ;
		if (!finite_result(f, def, textures) && !(one_step && finite_operand(f, def, MAX_SOURCES, textures)))
			return false;
	}
	return true;
}
