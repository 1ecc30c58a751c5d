/* Translates an FP to operations of R300, see r300_ops.h. */
#include "move/target/r300_ops.h"

#include "move/graph/flow.h"

#include <string.h>

enum { OUTPUT_DEPTH = R300_OUTPUTS - 1 };

static struct r300_ref const nothing = {R300_INLINE, R300_ZERO, 0};

bool r300_is_tex(const struct r300_op *o)
{
	return ops[o->op].flags & OPF_TEX;
}

bool r300_is_lanewise(const struct r300_op *o)
{
	return ops[o->op].shape == SHAPE_LANES;
}

bool r300_is_special(const struct r300_op *o)
{
	return ops[o->op].shape == SHAPE_SCALAR;
}

lanes r300_reads(const struct r300_op *o)
{
	switch (ops[o->op].shape) {
	case SHAPE_LANES: return o->live;
	case SHAPE_SCALAR: return MASK_X;
	case SHAPE_DP3: return MASK_XYZ;
	case SHAPE_DP4: return MASK_XYZW;
	default: return o->mask; /* a texture instruction, whose mask is of its coordinate */
	}
}

bool r300_literal(const struct r300_ops *p, struct r300_ref r, float *value)
{
	static float const inlined[] = {[R300_ZERO] = 0, [R300_ONE] = 1, [R300_HALF] = 0.5f};
	if (r.reg == R300_INLINE) {
		*value = inlined[r.lane];
	} else {
		const struct decl *d = r.reg <= R300_CONST ? program_decl(p->ps, REG_CONST, R300_CONST - r.reg) : NULL;
		if (!d)
			return false;
		*value = d->value[r.lane];
	}
	if (r.sign & R300_ABS && *value < 0)
		*value = -*value;
	if (r.sign & R300_NEGATED)
		*value = -*value;
	return true;
}

static struct r300_ref signed_as(struct r300_ref r, bool absolute, bool negate)
{
	if (absolute)
		r.sign = R300_ABS;
	r.sign ^= negate ? R300_NEGATED : 0;
	return r;
}

/* Returns the operand that reads a lane of c`index`.  If a def makes the lane 0, 1, 1/2 or one of their negations, the operand needs no register. */
static struct r300_ref constant(const struct r300_ops *p, int index, unsigned lane)
{
	struct r300_ref const r = {(int16_t)(R300_CONST - index), (uint8_t)lane, 0};
	float value;
	if (!r300_literal(p, r, &value))
		return r;
	float const size = value < 0 ? -value : value;
	uint8_t const sign = value < 0 ? R300_NEGATED : 0;
	if (size == 0)
		return nothing;
	if (size == 1)
		return (struct r300_ref){R300_INLINE, R300_ONE, sign};
	if (size == 0.5f)
		return (struct r300_ref){R300_INLINE, R300_HALF, sign};
	return r;
}

/* Returns where lane `lane` of source s comes from; if the source is a matrix, in its row `row`, else `row` is 0. */
static struct r300_ref lift_operand_lane(const struct r300_ops *p, const struct instr *i, unsigned s, unsigned row, unsigned lane)
{
	enum { FILES_APART = 16 };
	const struct src *src = &i->src[s];
	unsigned const from = swizzle_lane(src->swizzle, lane);
	int const index = src->index + (int)row;
	struct r300_ref r = {(int16_t)(R300_INPUT - index), (uint8_t)from, 0};
	if (src->file == REG_TEMP)
		r = p->temp[index % MODEL_TEMPS][from];
	else if (src->file == REG_CONST)
		r = constant(p, index, from);
	else if (src->file != REG_TEXCOORD)
		r.reg = (int16_t)(r.reg - FILES_APART - (src->file == REG_INPUT ? 0 : src->file == REG_FACE ? 3 : 2));
	return signed_as(r, src->absolute, src->negate);
}

/* Adds an operation, and sets result[] for the lanes of its mask, or for all lanes if it is a texture instruction.  If there are too many operations,
 * only sets too_long. */
static void add_operation(struct r300_ops *p, struct r300_op o, struct r300_ref result[LANES])
{
	if (p->n == R300_MOST_OPS) {
		p->too_long = true;
		return;
	}
	EACH_LANE(lane, r300_is_tex(&o) ? MASK_XYZW : o.mask)
		result[lane] = (struct r300_ref){(int16_t)p->n, (uint8_t)lane, 0};
	p->at[p->n++] = o;
}

static struct r300_op operation(enum op op, unsigned operands, lanes mask)
{
	struct r300_op o = {.op = (uint8_t)op, .operands = (uint8_t)operands, .mask = mask};
	for (unsigned s = 0; s < R300_OPERANDS; s++)
		for (unsigned lane = 0; lane < LANES; lane++)
			o.src[s][lane] = nothing;
	return o;
}

/* Adds an operation on one lane of each operand, and returns its one result.  An operand beyond the first two is 0. */
static struct r300_ref lift_scalar(struct r300_ops *p, enum op op, struct r300_ref a, struct r300_ref b, bool sat)
{
	struct r300_op o = operation(op, ops[op].sources, MASK_X);
	struct r300_ref result[LANES] = {nothing};
	o.src[0][0] = a;
	o.src[1][0] = b;
	o.sat = sat;
	add_operation(p, o, result);
	return result[0];
}

static struct r300_ref lift_dot(struct r300_ops *p, const struct instr *i, enum op op, unsigned row, bool sat)
{
	struct r300_op o = operation(op, 2, MASK_X);
	struct r300_ref result[LANES] = {nothing};
	unsigned const terms = op == OP_DP4 ? 4 : ops[i->op].shape == SHAPE_DP2ADD ? 2 : 3;
	for (unsigned lane = 0; lane < terms; lane++) {
		o.src[0][lane] = lift_operand_lane(p, i, 0, 0, lane);
		o.src[1][lane] = ops[i->op].shape == SHAPE_NRM ? o.src[0][lane] : lift_operand_lane(p, i, 1, row, lane);
	}
	o.sat = sat;
	add_operation(p, o, result);
	return result[0];
}

static void replicate(struct r300_ref result[LANES], struct r300_ref r)
{
	for (unsigned lane = 0; lane < LANES; lane++)
		result[lane] = r;
}

/* Adds operation `op` in all lanes that the instruction writes.  Operand k of the operation is source source[k] of the instruction. */
static void lanewise(struct r300_ops *p, const struct instr *i, enum op op, const unsigned source[], struct r300_ref result[LANES])
{
	struct r300_op o = operation(op, ops[op].sources, instr_writes(i));
	for (unsigned s = 0; s < o.operands; s++)
		EACH_LANE(lane, o.mask)
			o.src[s][lane] = lift_operand_lane(p, i, source[s], 0, lane);
	if (i->op == OP_SUB)
		for (unsigned lane = 0; lane < LANES; lane++)
			o.src[1][lane] = signed_as(o.src[1][lane], false, true);
	o.sat = i->flags & INSTR_SAT;
	add_operation(p, o, result);
}

/* Adds the two operations of an lrp, s0 (s1 - s2) + s2. */
static void lerp(struct r300_ops *p, const struct instr *i, struct r300_ref result[LANES])
{
	struct r300_op sum = operation(OP_ADD, 2, instr_writes(i)), o = operation(OP_MAD, 3, instr_writes(i));
	struct r300_ref difference[LANES] = {nothing, nothing, nothing, nothing};
	EACH_LANE(lane, o.mask) {
		o.src[0][lane] = lift_operand_lane(p, i, 0, 0, lane);
		sum.src[0][lane] = lift_operand_lane(p, i, 1, 0, lane);
		o.src[2][lane] = lift_operand_lane(p, i, 2, 0, lane);
		sum.src[1][lane] = signed_as(o.src[2][lane], false, true);
	}
	add_operation(p, sum, difference);
	memcpy(o.src[1], difference, sizeof difference);
	o.sat = i->flags & INSTR_SAT;
	add_operation(p, o, result);
}

/* Adds the two operations of a crs, s0.yzx s1.zxy - s0.zxy s1.yzx. */
static void lift_cross(struct r300_ops *p, const struct instr *i, struct r300_ref result[LANES])
{
	struct r300_op product = operation(OP_MUL, 2, instr_writes(i)), o = operation(OP_MAD, 3, instr_writes(i));
	struct r300_ref first[LANES] = {nothing, nothing, nothing, nothing};
	for (unsigned lane = 0; lane < 3; lane++) {
		unsigned const next = (lane + 1) % 3, last = (lane + 2) % 3;
		product.src[0][lane] = lift_operand_lane(p, i, 0, 0, last);
		product.src[1][lane] = lift_operand_lane(p, i, 1, 0, next);
		o.src[0][lane] = lift_operand_lane(p, i, 0, 0, next);
		o.src[1][lane] = lift_operand_lane(p, i, 1, 0, last);
	}
	add_operation(p, product, first);
	for (unsigned lane = 0; lane < 3; lane++)
		o.src[2][lane] = signed_as(first[lane], false, true);
	o.sat = i->flags & INSTR_SAT;
	add_operation(p, o, result);
}

/* Adds the operations of a sine or cosine, which R300 lacks, and returns the result.  As in Mesa's compiler, mad, frc and mad bring the angle to one
 * turn around 0, and a polynomial takes four operations.  Its coefficients do not count. */
static struct r300_ref wave(struct r300_ops *p, struct r300_ref angle)
{
	enum { STEPS = 7 };
	static enum op const steps[STEPS] = {OP_MAD, OP_FRC, OP_MAD, OP_MUL, OP_MAD, OP_MAD, OP_MAD};
	for (unsigned k = 0; k < STEPS; k++)
		angle = lift_scalar(p, steps[k], angle, nothing, false);
	return angle;
}

static void texture(struct r300_ops *p, const struct instr *i, struct r300_ref result[LANES])
{
	struct instr written = *i; /* reads no .z for a depth texture, since no text marks depth textures */
	written.flags &= (uint8_t)~INSTR_DEPTH;
	lanes const read = instr_operand_lanes(p->ps, &written, 0, MASK_XYZW);
	struct r300_op o = operation((enum op)i->op, 1, i->op == OP_TEXKILL ? read & MASK_XYZ : read);
	EACH_LANE(lane, o.mask)
		o.src[0][lane] = lift_operand_lane(p, i, 0, 0, lane);
	add_operation(p, o, result);
}

static void nrm(struct r300_ops *p, const struct instr *i, struct r300_ref result[LANES])
{
	struct r300_op o = operation(OP_MUL, 2, instr_writes(i));
	struct r300_ref const length = lift_scalar(p, OP_RSQ, signed_as(lift_dot(p, i, OP_DP3, 0, false), true, false), nothing, false);
	for (unsigned lane = 0; lane < LANES; lane++) {
		o.src[0][lane] = lift_operand_lane(p, i, 0, 0, lane);
		o.src[1][lane] = length;
	}
	o.sat = i->flags & INSTR_SAT;
	add_operation(p, o, result);
}

/* Adds the operations of an instruction, and sets result[] to where each lane of its result comes from. */
static void lift_instr(struct r300_ops *p, const struct instr *i, struct r300_ref result[LANES])
{
	static unsigned const straight[] = {0, 1, 2}, other_way[] = {0, 2, 1};
	bool const sat = i->flags & INSTR_SAT;
	switch (ops[i->op].shape) {
	case SHAPE_LANES:
		if ((i->op == OP_MOV || i->op == OP_ABS) && !sat) {
			for (unsigned lane = 0; lane < LANES; lane++)
				result[lane] = signed_as(lift_operand_lane(p, i, 0, 0, lane), false, false);
			if (i->op == OP_ABS)
				for (unsigned lane = 0; lane < LANES; lane++)
					result[lane] = signed_as(result[lane], true, false);
		} else if (i->op == OP_LRP) {
			lerp(p, i, result);
		} else {
			lanewise(p, i, i->op == OP_SUB ? OP_ADD : i->op == OP_ABS ? OP_MOV : (enum op)i->op, i->op == OP_CMP ? other_way : straight, result);
		}
		return;
	case SHAPE_SCALAR: {
		struct r300_ref const a = lift_operand_lane(p, i, 0, 0, 0);
		if (i->op == OP_POW) {
			struct r300_ref const log = lift_scalar(p, OP_LOG, signed_as(a, true, false), nothing, false);
			replicate(result, lift_scalar(p, OP_EXP, lift_scalar(p, OP_MUL, log, lift_operand_lane(p, i, 1, 0, 0), false), nothing, sat));
		} else {
			bool const size = i->op == OP_RSQ || i->op == OP_LOG;
			replicate(result, lift_scalar(p, (enum op)i->op, size ? signed_as(a, true, false) : a, nothing, sat));
		}
		return;
	}
	case SHAPE_DP3:
	case SHAPE_DP4: replicate(result, lift_dot(p, i, (enum op)i->op, 0, sat)); return;
	case SHAPE_DP2ADD:
		replicate(result, lift_scalar(p, OP_ADD, lift_dot(p, i, OP_DP3, 0, false), lift_operand_lane(p, i, 2, 0, 0), sat));
		return;
	case SHAPE_MATRIX:
		for (unsigned row = 0; row < instr_matrix_rows(i); row++)
			result[row] = lift_dot(p, i, matrix_row_op((enum op)i->op), row, sat);
		return;
	case SHAPE_CROSS: lift_cross(p, i, result); return;
	case SHAPE_NRM: nrm(p, i, result); return;
	case SHAPE_SINCOS:
		for (unsigned k = 0; k < 2; k++)
			if (instr_writes(i) >> k & 1)
				result[k] = wave(p, lift_operand_lane(p, i, 0, 0, 0));
		return;
	case SHAPE_TEX:
	case SHAPE_TEXW:
	case SHAPE_TEXD:
	case SHAPE_KILL: texture(p, i, result); return;
	default: return; /* no other shape is in an FP, except flow control, which makes no operation */
	}
}

void r300_lift(struct r300_ops *p, const struct program *ps)
{
	p->ps = ps;
	p->n = 0;
	p->too_long = false;
	for (unsigned r = 0; r < MODEL_TEMPS; r++)
		replicate(p->temp[r], nothing);
	for (unsigned out = 0; out < R300_OUTPUTS; out++)
		replicate(p->output[out], nothing);
	memset(p->written, 0, sizeof p->written);
	for (uint32_t k = 0; k < ps->instrs.n; k++) {
		const struct instr *i = &ps->instrs.at[k];
		struct r300_ref result[LANES] = {nothing, nothing, nothing, nothing};
		lift_instr(p, i, result);
		if (!instr_writes(i))
			continue;
		unsigned const out = i->dst.file == REG_DEPTH_OUT ? OUTPUT_DEPTH : (unsigned)i->dst.index % OUTPUT_DEPTH;
		struct r300_ref *to = i->dst.file == REG_TEMP ? p->temp[i->dst.index % MODEL_TEMPS] : p->output[out];
		EACH_LANE(lane, instr_writes(i))
			to[lane] = result[lane];
		if (i->dst.file != REG_TEMP)
			p->written[out] |= instr_writes(i);
	}
}

/* Marks lane r as live, and the operand lanes that it is computed from. */
static void mark_live(struct r300_ops *p, struct r300_ref r)
{
	if (r.reg < 0)
		return;
	struct r300_op *o = &p->at[r.reg];
	lanes const lane = (lanes)(1u << r.lane), before = o->live;
	o->live |= lane;
	if (before & lane || (before && !r300_is_lanewise(o)))
		return;
	for (unsigned s = 0; s < o->operands; s++)
		for (unsigned l = 0; l < LANES; l++)
			if (r300_is_lanewise(o) ? l == r.lane : r300_reads(o) >> l & 1)
				mark_live(p, o->src[s][l]);
}

void r300_find_live(struct r300_ops *p)
{
	for (unsigned k = 0; k < p->n; k++)
		p->at[k].live = 0;
	for (unsigned out = 0; out < R300_OUTPUTS; out++)
		EACH_LANE(lane, p->written[out])
			mark_live(p, p->output[out][lane]);
	for (unsigned k = 0; k < p->n; k++)
		EACH_LANE(lane, p->at[k].op == OP_TEXKILL ? p->at[k].mask : 0)
			mark_live(p, p->at[k].src[0][lane]);
	for (unsigned k = 0; k < p->n; k++) {
		struct r300_op *o = &p->at[k];
		uint8_t next = 0;
		for (unsigned lane = 0; lane < LANES && !o->fixed; lane++)
			o->place[lane] = (uint8_t)(r300_is_tex(o) ? lane : o->live >> lane & 1 ? next++ : 0);
	}
}

bool r300_is_there(const struct r300_op *o)
{
	return o->live || o->op == OP_TEXKILL;
}

bool r300_one_register(const struct r300_op *o, unsigned s, int *reg)
{
	*reg = R300_INLINE;
	EACH_LANE(lane, r300_reads(o)) {
		if (o->src[s][lane].reg == R300_INLINE)
			continue;
		if (*reg != R300_INLINE && *reg != o->src[s][lane].reg)
			return false;
		*reg = o->src[s][lane].reg;
	}
	return true;
}

bool r300_native(const struct r300_ref *lane, lanes read)
{
	bool fits = false;
	for (unsigned k = 0; k < PS_2_0_SWIZZLES && !fits; k++) {
		fits = true;
		EACH_LANE(l, read & MASK_XYZ)
			fits &= lane[l].reg == R300_INLINE || lane[l].lane == swizzle_lane(ps_2_0_swizzles[k], l);
	}
	return fits;
}

struct r300_ref r300_placed(const struct r300_ops *p, struct r300_ref r)
{
	if (r.reg >= 0)
		r.lane = p->at[r.reg].place[r.lane];
	return r;
}
