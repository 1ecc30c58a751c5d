/* The algebraic proof: both pairs run in the field of 2^61 - 1, on random
 * inputs, and every output lane must come out the same.
 *
 * add, mul, rcp ... are the field's own, so that any two ways of writing the same
 * rational function agree.  All other functions are hashes of their arguments'
 * values: if both pairs agree then they do whatever those functions are.
 * Selectors (max, cmp, sge ...) are hashes too, with the identities that hold
 * for real numbers, so that every operand stays visible:
 *
 *   ge0(x) = h(x), exact for 0 and for plain numbers       sge(a, b) = ge0(a - b)
 *   cmp(x, a, b) = b + ge0(x) (a - b)                      slt(a, b) = 1 - sge(a, b)
 *   max(a, b) = h{a, b}, a if a - b is 0 or plain and positive
 *   min(a, b) = -max(-a, -b)      |x| = max(x, -x)         sat x = min(max(x, 0), 1)
 *
 * Two different rational functions of degree d agree at a random point with a
 * chance of at most d / p. */
#include "verify/field.h"
#include "verify/fold.h"
#include "verify/verify.h"

#include "lang/print.h"

#include <string.h>

enum {
	TEMPS = 32,
	CONSTS = 256,
	VERTICES = 3,
	COLOURS = 2,    /* v0, v1 of a pixel program; they come before t0-t7 */
	CARRIERS = COLOURS + 8,
	TARGETS = 4,    /* oC0-oC3 */
	TRIALS = 2,
	NO_DEF = -1
};

/* What the hashes are keyed by. */
enum tag {
	TAG_INPUT, TAG_CONST, TAG_RELATIVE, TAG_WEIGHT, TAG_UNWRITTEN_TEMP, TAG_UNWRITTEN_CARRIER,
	TAG_UNWRITTEN_ADDRESS, TAG_GE0, TAG_MAX, TAG_RSQ, TAG_EXP, TAG_LOG, TAG_FRC, TAG_EXP_LOW,
	TAG_LOG_EXPONENT, TAG_LOG_MANTISSA, TAG_LOG_LOW, TAG_LIT, TAG_SIN, TAG_COS, TAG_ADDRESS,
	TAG_ADDRESS_MOVA, TAG_TEXTURE, TAG_TEXTURE_BIAS
};

/* Outputs of one program.  Registers of one lane use lane x. */
enum output {
	OUT_POS, OUT_FOG, OUT_SIZE,
	OUT_CARRIER,                     /* oD0, oD1, oT0-oT7 */
	OUT_PIXEL = OUT_CARRIER + CARRIERS,
	OUT_DEPTH = OUT_PIXEL + TARGETS,
	OUTPUTS
};

/* Lanes read although nothing wrote them. */
struct unwritten {
	lanes temp[2][TEMPS];      /* by stage */
	lanes carrier[CARRIERS];
	bool address[2];
};

/* Where a read that the old pair did not make was seen first. */
struct stray {
	bool found;
	enum stage stage;
	uint32_t instr;
	enum reg_file file;
	int index;
	unsigned lane;
};

/* One program and what it is run on. */
struct machine {
	const struct program *program;
	enum stage stage;
	uint64_t key;                  /* of the trial: decides every hash */

	int16_t def[CONSTS];           /* index into decls; NO_DEF: set by the application */
	int16_t set_from[CONSTS];      /* the FP constant that this VP constant holds a copy of, or -1 */
	uint8_t known[CONSTS];         /* the lanes of `constant` that are valid in this trial */
	felt constant[CONSTS][LANES];
	const struct decl *input[16];  /* the declaration of v#, or NULL */

	unsigned vertex;               /* the one that is running */
	felt carrier[CARRIERS][LANES]; /* interpolated inputs of a pixel program */
	lanes carried[CARRIERS];       /* lanes of it that the VP wrote */

	uint32_t at;                   /* the instruction that is running */
	felt temp[TEMPS][LANES];
	lanes temp_written[TEMPS];
	felt address;
	bool address_written;

	felt out[OUTPUTS][LANES];
	lanes out_written[OUTPUTS];
	uint32_t writer[OUTPUTS][LANES];
	felt (*kill)[3];               /* x, y, z of each texkill's operand, in order */
	uint32_t *killer;              /* the texkill */
	uint32_t kills;

	struct unwritten *unwritten;   /* gets every such read */
	const struct unwritten *allowed; /* the reads the old pair makes; NULL: all are */
	struct stray *stray;
};

/* --- values ----------------------------------------------------------------------- */

static uint64_t keyed(const struct machine *m, enum tag tag, uint64_t value)
{
	return field_mix(m->key + (uint64_t)tag, value);
}

static felt uninterpreted(const struct machine *m, enum tag tag, felt x)
{
	return field_hash(keyed(m, tag, x));
}

/* A random element for a place in a register: numbers all below 2^16. */
static felt unknown(const struct machine *m, enum tag tag, unsigned a, unsigned b, unsigned lane)
{
	return uninterpreted(m, tag, (uint64_t)a << 32 | (uint64_t)b << 16 | lane);
}

/* 1 if x >= 0, else 0 */
static felt ge0(const struct machine *m, felt x)
{
	int sign = field_sign(x);
	if (x == 0 || sign > 0)
		return 1;
	return sign < 0 ? 0 : uninterpreted(m, TAG_GE0, x);
}

static felt max(const struct machine *m, felt a, felt b)
{
	felt difference = field_sub(a, b);
	int sign = field_sign(difference);
	if (difference == 0 || sign)
		return sign < 0 ? b : a;
	return a < b ? field_hash(field_mix(keyed(m, TAG_MAX, a), b))
	             : field_hash(field_mix(keyed(m, TAG_MAX, b), a));
}

static felt min(const struct machine *m, felt a, felt b)
{
	return field_neg(max(m, field_neg(a), field_neg(b)));
}

static felt magnitude(const struct machine *m, felt x)
{
	return max(m, x, field_neg(x));
}

static felt saturate(const struct machine *m, felt x)
{
	return min(m, max(m, x, 0), 1);
}

/* --- operands --------------------------------------------------------------------- */

static void note_unwritten(struct machine *m, enum reg_file file, int index, unsigned lane, bool allowed)
{
	if (!allowed && !m->stray->found)
		*m->stray = (struct stray){true, m->stage, m->at, file, index, lane};
}

static felt read_temp(struct machine *m, int index, unsigned lane)
{
	if (m->temp_written[index] >> lane & 1)
		return m->temp[index][lane];
	m->unwritten->temp[m->stage][index] |= (lanes)(1u << lane);
	note_unwritten(m, REG_TEMP, index, lane,
	               !m->allowed || m->allowed->temp[m->stage][index] >> lane & 1);
	return unknown(m, TAG_UNWRITTEN_TEMP, m->stage, (unsigned)index, lane);
}

static felt read_carrier(struct machine *m, enum reg_file file, int index, unsigned lane)
{
	unsigned c = (unsigned)index + (file == REG_TEXCOORD ? COLOURS : 0u);
	if (m->carried[c] >> lane & 1)
		return m->carrier[c][lane];
	m->unwritten->carrier[c] |= (lanes)(1u << lane);
	note_unwritten(m, file, index, lane, !m->allowed || m->allowed->carrier[c] >> lane & 1);
	return unknown(m, TAG_UNWRITTEN_CARRIER, c, 0, lane);
}

static felt read_input(const struct machine *m, int index, unsigned lane)
{
	const struct decl *d = m->input[index];
	unsigned which = d ? (unsigned)d->usage << 8 | d->usage_index : 0xff00u | (unsigned)index;
	return unknown(m, TAG_INPUT, m->vertex, which, lane);
}

static felt read_const(struct machine *m, int index, unsigned lane)
{
	if (m->known[index] >> lane & 1)
		return m->constant[index][lane];
	felt value;
	if (m->def[index] != NO_DEF)
		value = field_float(m->program->decls.at[m->def[index]].value[lane]);
	else if (m->set_from[index] >= 0)
		value = unknown(m, TAG_CONST, STAGE_PIXEL, (unsigned)m->set_from[index], lane);
	else
		value = unknown(m, TAG_CONST, m->stage, (unsigned)index, lane);
	m->constant[index][lane] = value;
	m->known[index] |= (uint8_t)(1u << lane);
	return value;
}

static felt read_relative(struct machine *m, int index, unsigned lane)
{
	felt address = m->address;
	if (!m->address_written) {
		m->unwritten->address[m->stage] = true;
		note_unwritten(m, REG_ADDRESS, 0, LANE_X, !m->allowed || m->allowed->address[m->stage]);
		address = unknown(m, TAG_UNWRITTEN_ADDRESS, m->stage, 0, 0);
	}
	uint64_t place = (uint64_t)(uint32_t)index << 2 | lane;
	return field_hash(field_mix(keyed(m, TAG_RELATIVE, address), place));
}

/* Lane `lane` of operand s, after swizzle and negation; `row` is the matrix row. */
static felt read_row(struct machine *m, const struct src *s, int row, unsigned lane)
{
	unsigned from = swizzle_lane(s->swizzle, lane);
	int index = s->index + row;
	felt x = 0;
	switch ((enum reg_file)s->file) {
	case REG_TEMP: x = read_temp(m, index, from); break;
	case REG_INPUT:
		x = m->stage == STAGE_VERTEX ? read_input(m, index, from)
		                             : read_carrier(m, REG_INPUT, index, from);
		break;
	case REG_TEXCOORD: x = read_carrier(m, REG_TEXCOORD, index, from); break;
	case REG_CONST: x = s->relative ? read_relative(m, index, from) : read_const(m, index, from); break;
	case REG_ADDRESS:
	case REG_SAMPLER:
	case REG_POS_OUT:
	case REG_FOG_OUT:
	case REG_SIZE_OUT:
	case REG_COLOUR_OUT:
	case REG_TEX_OUT:
	case REG_PIXEL_OUT:
	case REG_DEPTH_OUT:
	case REG_FILES: break; /* readable() let none of them through */
	}
	return s->negate ? field_neg(x) : x;
}

static felt rd(struct machine *m, const struct instr *i, unsigned s, unsigned lane)
{
	return read_row(m, &i->src[s], 0, lane);
}

/* --- instructions ----------------------------------------------------------------- */

static felt dot(struct machine *m, const struct instr *i, unsigned n, int row)
{
	felt sum = 0;
	for (unsigned lane = 0; lane < n; lane++)
		sum = field_add(sum, field_mul(rd(m, i, 0, lane), read_row(m, &i->src[1], row, lane)));
	return sum;
}

static void replicate(felt d[LANES], felt x)
{
	for (unsigned lane = 0; lane < LANES; lane++)
		d[lane] = x;
}

static felt reciprocal_root(const struct machine *m, felt x)
{
	return uninterpreted(m, TAG_RSQ, magnitude(m, x));
}

static felt logarithm(const struct machine *m, felt x)
{
	return uninterpreted(m, TAG_LOG, magnitude(m, x));
}

static felt floor_of(const struct machine *m, felt x)
{
	return field_sub(x, uninterpreted(m, TAG_FRC, x));
}

static void expp(struct machine *m, const struct instr *i, felt d[LANES])
{
	felt x = rd(m, i, 0, 0);
	if (m->program->model != VS_1_1) {
		replicate(d, uninterpreted(m, TAG_EXP_LOW, x));
		return;
	}
	d[0] = uninterpreted(m, TAG_EXP, floor_of(m, x));
	d[1] = uninterpreted(m, TAG_FRC, x);
	d[2] = uninterpreted(m, TAG_EXP_LOW, x);
	d[3] = 1;
}

static void logp(struct machine *m, const struct instr *i, felt d[LANES])
{
	felt x = magnitude(m, rd(m, i, 0, 0));
	if (m->program->model != VS_1_1) {
		replicate(d, uninterpreted(m, TAG_LOG_LOW, x));
		return;
	}
	d[0] = uninterpreted(m, TAG_LOG_EXPONENT, x);
	d[1] = uninterpreted(m, TAG_LOG_MANTISSA, x);
	d[2] = uninterpreted(m, TAG_LOG_LOW, x);
	d[3] = 1;
}

static void lit(struct machine *m, const struct instr *i, lanes mask, felt d[LANES])
{
	d[0] = d[3] = 1;
	if (!(mask & (MASK_Y | MASK_Z)))
		return;
	felt x = rd(m, i, 0, 0);
	d[1] = max(m, x, 0);
	if (mask & MASK_Z) {
		felt y = max(m, rd(m, i, 0, 1), 0);
		d[2] = field_hash(field_mix(field_mix(keyed(m, TAG_LIT, x), y), rd(m, i, 0, 3)));
	}
}

static void sincos(struct machine *m, const struct instr *i, lanes mask, felt d[LANES])
{
	/* The two constants are operands like any other here, so that a wrong one shows. */
	uint64_t state = rd(m, i, 0, 0);
	for (unsigned lane = 0; lane < LANES; lane++)
		state = field_mix(field_mix(state, rd(m, i, 1, lane)), rd(m, i, 2, lane));
	if (mask & MASK_X)
		d[0] = uninterpreted(m, TAG_COS, state);
	if (mask & MASK_Y)
		d[1] = uninterpreted(m, TAG_SIN, state);
}

static void sample(struct machine *m, const struct instr *i, felt d[LANES])
{
	unsigned sampler = (unsigned)i->src[1].index;
	enum texture texture = (enum texture)m->program->samplers[sampler];
	felt coordinate[3];
	unsigned n = texture == TEXTURE_2D ? 2 : 3;
	for (unsigned lane = 0; lane < n; lane++)
		coordinate[lane] = rd(m, i, 0, lane);
	if (i->op == OP_TEXLDP) {
		felt scale = field_inverse(rd(m, i, 0, 3));
		for (unsigned lane = 0; lane < n; lane++)
			coordinate[lane] = field_mul(coordinate[lane], scale);
	}
	uint64_t state = keyed(m, i->op == OP_TEXLDB ? TAG_TEXTURE_BIAS : TAG_TEXTURE,
	                       (uint64_t)sampler << 8 | (uint64_t)texture);
	for (unsigned lane = 0; lane < n; lane++)
		state = field_mix(state, coordinate[lane]);
	if (i->op == OP_TEXLDB)
		state = field_mix(state, rd(m, i, 0, 3));
	for (unsigned lane = 0; lane < LANES; lane++)
		d[lane] = field_hash(field_mix(state, lane));
}

/* The result lanes `mask` of one instruction; other lanes of d are left alone or not meant. */
static void evaluate(struct machine *m, const struct instr *i, lanes mask, felt d[LANES])
{
#define EACH(value)                                       \
	for (unsigned l = 0; l < LANES; l++)              \
		if (mask >> l & 1)                        \
			d[l] = (value);                   \
	break
#define S(s) rd(m, i, s, l)
	switch ((enum op)i->op) {
	case OP_NOP: break;
	case OP_ABS: EACH(magnitude(m, S(0)));
	case OP_ADD: EACH(field_add(S(0), S(1)));
	case OP_CMP: {
		for (unsigned l = 0; l < LANES; l++) {
			if (!(mask >> l & 1))
				continue;
			felt a = S(1), b = S(2);
			d[l] = field_add(b, field_mul(ge0(m, S(0)), field_sub(a, b)));
		}
		break;
	}
	case OP_CRS:
		for (unsigned l = 0; l < 3; l++) {
			unsigned y = (l + 1) % 3, z = (l + 2) % 3;
			if (mask >> l & 1)
				d[l] = field_sub(field_mul(rd(m, i, 0, y), rd(m, i, 1, z)),
				                 field_mul(rd(m, i, 0, z), rd(m, i, 1, y)));
		}
		break;
	case OP_DP2ADD: replicate(d, field_add(dot(m, i, 2, 0), rd(m, i, 2, 0))); break;
	case OP_DP3: replicate(d, dot(m, i, 3, 0)); break;
	case OP_DP4: replicate(d, dot(m, i, 4, 0)); break;
	case OP_DST:
		d[0] = 1;
		if (mask & MASK_Y)
			d[1] = field_mul(rd(m, i, 0, 1), rd(m, i, 1, 1));
		if (mask & MASK_Z)
			d[2] = rd(m, i, 0, 2);
		if (mask & MASK_W)
			d[3] = rd(m, i, 1, 3);
		break;
	case OP_EXP: replicate(d, uninterpreted(m, TAG_EXP, rd(m, i, 0, 0))); break;
	case OP_EXPP: expp(m, i, d); break;
	case OP_FRC: EACH(uninterpreted(m, TAG_FRC, S(0)));
	case OP_LIT: lit(m, i, mask, d); break;
	case OP_LOG: replicate(d, logarithm(m, rd(m, i, 0, 0))); break;
	case OP_LOGP: logp(m, i, d); break;
	case OP_LRP: {
		for (unsigned l = 0; l < LANES; l++) {
			if (!(mask >> l & 1))
				continue;
			felt b = S(2);
			d[l] = field_add(field_mul(S(0), field_sub(S(1), b)), b);
		}
		break;
	}
	case OP_M3X2:
	case OP_M3X3:
	case OP_M3X4: EACH(dot(m, i, 3, (int)l));
	case OP_M4X3:
	case OP_M4X4: EACH(dot(m, i, 4, (int)l));
	case OP_MAD: EACH(field_add(field_mul(S(0), S(1)), S(2)));
	case OP_MAX: EACH(max(m, S(0), S(1)));
	case OP_MIN: EACH(min(m, S(0), S(1)));
	case OP_MOV:
	case OP_MOVA: EACH(S(0));
	case OP_MUL: EACH(field_mul(S(0), S(1)));
	case OP_NRM: {
		felt squares = 0;
		for (unsigned l = 0; l < 3; l++)
			squares = field_add(squares, field_mul(S(0), S(0)));
		felt scale = reciprocal_root(m, squares);
		EACH(field_mul(S(0), scale));
	}
	case OP_POW:
		replicate(d, uninterpreted(m, TAG_EXP, field_mul(rd(m, i, 1, 0), logarithm(m, rd(m, i, 0, 0)))));
		break;
	case OP_RCP: replicate(d, field_inverse(rd(m, i, 0, 0))); break;
	case OP_RSQ: replicate(d, reciprocal_root(m, rd(m, i, 0, 0))); break;
	case OP_SGE: EACH(ge0(m, field_sub(S(0), S(1))));
	case OP_SLT: EACH(field_sub(1, ge0(m, field_sub(S(0), S(1)))));
	/* (x >= 0) - (-x >= 0) */
	case OP_SGN: EACH(field_sub(ge0(m, S(0)), ge0(m, field_neg(S(0)))));
	case OP_SINCOS: sincos(m, i, mask, d); break;
	case OP_SUB: EACH(field_sub(S(0), S(1)));
	case OP_TEXKILL:
		for (unsigned l = 0; l < 3; l++)
			m->kill[m->kills][l] = S(0);
		m->killer[m->kills++] = m->at;
		break;
	case OP_TEXLD:
	case OP_TEXLDB:
	case OP_TEXLDP: sample(m, i, d); break;
	case OP_COUNT: break;
	}
#undef S
#undef EACH
}

static enum output output_of(enum reg_file file, int index)
{
	switch (file) {
	case REG_POS_OUT: return OUT_POS;
	case REG_FOG_OUT: return OUT_FOG;
	case REG_SIZE_OUT: return OUT_SIZE;
	case REG_COLOUR_OUT: return (enum output)(OUT_CARRIER + index);
	case REG_TEX_OUT: return (enum output)(OUT_CARRIER + COLOURS + index);
	case REG_PIXEL_OUT: return (enum output)(OUT_PIXEL + index);
	case REG_DEPTH_OUT: return OUT_DEPTH;
	case REG_TEMP:
	case REG_INPUT:
	case REG_TEXCOORD:
	case REG_CONST:
	case REG_ADDRESS:
	case REG_SAMPLER:
	case REG_FILES: break;
	}
	return OUTPUTS;
}

static void store(struct machine *m, const struct instr *i, lanes mask, const felt d[LANES])
{
	if (i->dst.file == REG_TEMP) {
		for (unsigned l = 0; l < LANES; l++)
			if (mask >> l & 1)
				m->temp[i->dst.index][l] = d[l];
		m->temp_written[i->dst.index] |= mask;
		return;
	}
	unsigned lowest = 0;
	while (!(mask >> lowest & 1))
		lowest++;
	if (i->dst.file == REG_ADDRESS) {
		m->address = uninterpreted(m, i->op == OP_MOVA ? TAG_ADDRESS_MOVA : TAG_ADDRESS, d[lowest]);
		m->address_written = true;
		return;
	}
	enum output out = output_of((enum reg_file)i->dst.file, i->dst.index);
	if (reg_files[i->dst.file].scalar) {
		m->out[out][0] = d[lowest];
		m->out_written[out] = MASK_X;
		m->writer[out][0] = m->at;
		return;
	}
	for (unsigned l = 0; l < LANES; l++) {
		if (!(mask >> l & 1))
			continue;
		m->out[out][l] = d[l];
		m->writer[out][l] = m->at;
	}
	m->out_written[out] |= mask;
}

static void run(struct machine *m)
{
	memset(m->temp_written, 0, sizeof m->temp_written);
	memset(m->out_written, 0, sizeof m->out_written);
	m->address_written = false;
	m->kills = 0;
	for (m->at = 0; m->at < m->program->instrs.n; m->at++) {
		const struct instr *i = &m->program->instrs.at[m->at];
		lanes mask = instr_writes(i);
		felt d[LANES] = {0};
		evaluate(m, i, mask, d);
		if (i->flags & INSTR_SAT)
			for (unsigned l = 0; l < LANES; l++)
				if (mask >> l & 1)
					d[l] = saturate(m, d[l]);
		if (i->op == OP_SGN) {
			m->temp_written[i->src[1].index] = 0;
			m->temp_written[i->src[2].index] = 0;
		}
		if (mask)
			store(m, i, mask, d);
	}
}

/* --- programs --------------------------------------------------------------------- */

/* How many registers of a file a program of the stage may name here. */
static int registers(enum stage stage, enum reg_file file)
{
	bool vertex = stage == STAGE_VERTEX;
	switch (file) {
	case REG_TEMP: return TEMPS;
	case REG_INPUT: return vertex ? 16 : COLOURS;
	case REG_TEXCOORD: return vertex ? 0 : CARRIERS - COLOURS;
	case REG_CONST: return CONSTS;
	case REG_ADDRESS:
	case REG_POS_OUT:
	case REG_FOG_OUT:
	case REG_SIZE_OUT: return vertex ? 1 : 0;
	case REG_SAMPLER: return vertex ? 0 : 16;
	case REG_COLOUR_OUT: return vertex ? COLOURS : 0;
	case REG_TEX_OUT: return vertex ? CARRIERS - COLOURS : 0;
	case REG_PIXEL_OUT: return vertex ? 0 : TARGETS;
	case REG_DEPTH_OUT: return vertex ? 0 : 1;
	case REG_FILES: break;
	}
	return 0;
}

static bool readable(enum stage stage, const struct instr *i, unsigned s)
{
	const struct src *src = &i->src[s];
	enum reg_file file = (enum reg_file)src->file;
	bool sampler = s == 1 && (ops[i->op].shape == SHAPE_TEX || ops[i->op].shape == SHAPE_TEXW);
	if (reg_files[file].output || file == REG_ADDRESS || sampler != (file == REG_SAMPLER))
		return false;
	if (src->relative)
		return file == REG_CONST;
	if (i->op == OP_SGN && s > 0 && file != REG_TEMP)
		return false;
	return src->index >= 0 && src->index + (int)instr_rows(i, s) <= registers(stage, file);
}

static bool writable(enum stage stage, const struct instr *i)
{
	enum reg_file file = (enum reg_file)i->dst.file;
	if (ops[i->op].flags & OPF_NO_DST)
		return true;
	if (file != REG_TEMP && file != REG_ADDRESS && !reg_files[file].output)
		return false;
	if (ops[i->op].shape == SHAPE_MATRIX && i->dst.mask >> instr_rows(i, 1))
		return false;
	return i->dst.mask && i->dst.index >= 0 && i->dst.index < registers(stage, file);
}

/* NULL, or what is wrong with a program that no parser or checker would let through. */
static const char *malformed(struct arena *arena, const struct program *p, enum stage stage)
{
	const char *name = stage == STAGE_VERTEX ? "vertex" : "pixel";
	if (program_stage(p) != stage)
		return arena_printf(arena, "the %s program is of model %s", name, models[p->model].name);
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		const struct instr *i = &p->instrs.at[k];
		bool good = writable(stage, i);
		for (unsigned s = 0; s < ops[i->op].sources; s++)
			good = good && readable(stage, i, s);
		if (!good)
			return arena_printf(arena, "instruction %u of the %s program (%s) names a register it cannot",
			                    (unsigned)k + 1, name, ops[i->op].name);
	}
	return NULL;
}

static void prepare(struct arena *arena, struct machine *m, const struct program *p)
{
	m->program = p;
	m->stage = program_stage(p);
	for (unsigned c = 0; c < CONSTS; c++)
		m->def[c] = NO_DEF, m->set_from[c] = -1;
	memset(m->input, 0, sizeof m->input);
	for (uint32_t k = 0; k < p->decls.n; k++) {
		const struct decl *d = &p->decls.at[k];
		if (d->kind == DECL_DEF && d->reg.index >= 0 && d->reg.index < CONSTS && k <= INT16_MAX)
			m->def[d->reg.index] = (int16_t)k;
		else if (d->kind == DECL_VERTEX_INPUT && d->reg.index >= 0 && d->reg.index < 16)
			m->input[d->reg.index] = d;
	}
	uint32_t kills = 0;
	for (uint32_t k = 0; k < p->instrs.n; k++)
		kills += p->instrs.at[k].op == OP_TEXKILL;
	m->kill = arena_alloc(arena, kills * sizeof *m->kill);
	m->killer = arena_alloc(arena, kills * sizeof *m->killer);
}

/* Does a pixel input come centroid-sampled?  v# always does. */
static bool centroid(const struct program *ps, unsigned carrier)
{
	if (carrier < COLOURS)
		return true;
	const struct decl *d = program_decl(ps, REG_TEXCOORD, (int)carrier - COLOURS);
	return d && d->flags & INSTR_CENTROID;
}

/* --- a pair ----------------------------------------------------------------------- */

struct side {
	struct machine vs, ps;
	felt shape[3][VERTICES][LANES]; /* oPos, oFog, oPts of each vertex */
};

static void run_pair(struct side *side, uint64_t key)
{
	struct machine *vs = &side->vs, *ps = &side->ps;
	felt sum[CARRIERS][LANES] = {{0}};
	felt weight[2][VERTICES];
	vs->key = ps->key = key;
	for (unsigned kind = 0; kind < 2; kind++) {
		weight[kind][0] = unknown(vs, TAG_WEIGHT, kind, 0, 0);
		weight[kind][1] = unknown(vs, TAG_WEIGHT, kind, 1, 0);
		weight[kind][2] = field_sub(field_sub(1, weight[kind][0]), weight[kind][1]);
	}
	bool is_centroid[CARRIERS];
	for (unsigned c = 0; c < CARRIERS; c++)
		is_centroid[c] = centroid(ps->program, c);
	for (unsigned v = 0; v < VERTICES; v++) {
		vs->vertex = v;
		run(vs);
		memcpy(side->shape[0][v], vs->out[OUT_POS], sizeof side->shape[0][v]);
		memcpy(side->shape[1][v], vs->out[OUT_FOG], sizeof side->shape[1][v]);
		memcpy(side->shape[2][v], vs->out[OUT_SIZE], sizeof side->shape[2][v]);
		for (unsigned c = 0; c < CARRIERS; c++) {
			for (unsigned l = 0; l < LANES; l++) {
				if (!(vs->out_written[OUT_CARRIER + c] >> l & 1))
					continue;
				felt x = vs->out[OUT_CARRIER + c][l];
				if (c < COLOURS)
					x = saturate(vs, x);
				sum[c][l] = field_add(sum[c][l], field_mul(weight[is_centroid[c]][v], x));
			}
		}
	}
	memcpy(ps->carrier, sum, sizeof sum);
	memcpy(ps->carried, vs->out_written + OUT_CARRIER, sizeof ps->carried);
	run(ps);
}

/* --- folded literals -------------------------------------------------------------- */

/* Makes each folded lane of a program the value of its expression. */
static const char *bind_folds(struct arena *arena, struct machine *m, const struct proof_context *c,
                              struct machine *scratch)
{
	memset(m->known, 0, sizeof m->known);
	for (uint32_t k = 0; k < c->nfolds; k++) {
		const struct folded *f = &c->folds[k];
		if (f->stage != m->stage)
			continue;
		prepare(arena, scratch, f->expr);
		memset(scratch->known, 0, sizeof scratch->known);
		scratch->key = m->key;
		run(scratch);
		felt value = scratch->temp[f->temp][f->temp_lane];
		if (m->known[f->index] >> f->lane & 1 && m->constant[f->index][f->lane] != value)
			return arena_printf(arena, "two different values were folded into one lane of c%d", f->index);
		m->constant[f->index][f->lane] = value;
		m->known[f->index] |= (uint8_t)(1u << f->lane);
	}
	return NULL;
}

/* --- comparison ------------------------------------------------------------------- */

static struct proof differs(struct proof p, enum stage stage, uint32_t old_instr, uint32_t new_instr,
                            const char *why)
{
	p.equal = false;
	p.stage = stage;
	p.old_instr = old_instr;
	p.new_instr = new_instr;
	p.why = why;
	return p;
}

static const char *register_text(struct arena *arena, enum reg_file file, int index, unsigned lane)
{
	struct text t = {.arena = arena};
	text_string(&t, reg_files[file].name);
	if (reg_files[file].numbered || file == REG_ADDRESS)
		text_unsigned(&t, (unsigned long)index);
	if (!reg_files[file].scalar || file == REG_ADDRESS) {
		text_char(&t, '.');
		text_char(&t, "xyzw"[lane]);
	}
	return t.at;
}

/* One output register of a stage, which is compared lane by lane. */
static bool same_output(struct arena *arena, struct proof *p, const struct machine *old,
                        const struct machine *new, enum reg_file file, int index,
                        felt (*old_values)[LANES], felt (*new_values)[LANES], unsigned n)
{
	enum output out = output_of(file, index);
	for (unsigned l = 0; l < LANES; l++) {
		bool in_old = old->out_written[out] >> l & 1, in_new = new->out_written[out] >> l & 1;
		bool same = in_old == in_new;
		for (unsigned v = 0; same && in_old && v < n; v++)
			same = old_values[v][l] == new_values[v][l];
		if (same)
			continue;
		const char *why = arena_printf(arena, in_old == in_new ? "%s has another value in the new pair"
		                               : in_old ? "%s is not written in the new pair"
		                                        : "%s is written in the new pair only",
		                               register_text(arena, file, index, l));
		*p = differs(*p, old->stage, in_old ? old->writer[out][l] : UINT32_MAX,
		             in_new ? new->writer[out][l] : UINT32_MAX, why);
		return false;
	}
	return true;
}

static bool same_kills(struct arena *arena, struct proof *p, const struct machine *old, const struct machine *new)
{
	uint32_t n = old->kills > new->kills ? old->kills : new->kills;
	for (uint32_t k = 0; k < n; k++) {
		bool in_old = k < old->kills, in_new = k < new->kills;
		if (in_old && in_new && memcmp(old->kill[k], new->kill[k], sizeof *old->kill) == 0)
			continue;
		const char *why = arena_printf(arena, in_old && in_new ? "texkill number %u tests another value in the new pair"
		                               : in_old ? "texkill number %u is not in the new pair"
		                                        : "texkill number %u is in the new pair only",
		                               (unsigned)k + 1);
		*p = differs(*p, STAGE_PIXEL, in_old ? old->killer[k] : UINT32_MAX,
		             in_new ? new->killer[k] : UINT32_MAX, why);
		return false;
	}
	return true;
}

static bool same_pair(struct arena *arena, struct proof *p, struct side *old, struct side *new)
{
	static const enum reg_file shape[] = {REG_POS_OUT, REG_FOG_OUT, REG_SIZE_OUT};
	for (unsigned s = 0; s < 3; s++)
		if (!same_output(arena, p, &old->vs, &new->vs, shape[s], 0, old->shape[s], new->shape[s], VERTICES))
			return false;
	if (!same_kills(arena, p, &old->ps, &new->ps))
		return false;
	for (int t = 0; t < TARGETS; t++)
		if (!same_output(arena, p, &old->ps, &new->ps, REG_PIXEL_OUT, t, &old->ps.out[OUT_PIXEL + t],
		                 &new->ps.out[OUT_PIXEL + t], 1))
			return false;
	return same_output(arena, p, &old->ps, &new->ps, REG_DEPTH_OUT, 0, &old->ps.out[OUT_DEPTH],
	                   &new->ps.out[OUT_DEPTH], 1);
}

struct proof prove(struct arena *arena, struct pair old, struct pair new, const struct proof_context *c)
{
	struct proof p = {.equal = true, .old_instr = UINT32_MAX, .new_instr = UINT32_MAX};
	const char *wrong = malformed(arena, old.vs, STAGE_VERTEX);
	wrong = wrong ? wrong : malformed(arena, old.ps, STAGE_PIXEL);
	wrong = wrong ? wrong : malformed(arena, new.vs, STAGE_VERTEX);
	wrong = wrong ? wrong : malformed(arena, new.ps, STAGE_PIXEL);
	wrong = wrong ? wrong : check_folds(arena, new, c->folds, c->nfolds);
	for (uint32_t k = 0; !wrong && k < c->nconsts; k++)
		if (c->consts[k].vs < 0 || c->consts[k].vs >= CONSTS || c->consts[k].ps < 0 || c->consts[k].ps >= CONSTS)
			wrong = "the constants map names a register that there is not";
	if (wrong)
		return differs(p, STAGE_PIXEL, UINT32_MAX, UINT32_MAX, wrong);

	struct side *sides = arena_alloc(arena, 2 * sizeof *sides);
	struct machine *scratch = c->nfolds ? arena_alloc(arena, sizeof *scratch) : NULL;
	struct unwritten *reads = arena_zero(arena, 2 * sizeof *reads);
	struct stray stray = {false, STAGE_VERTEX, 0, REG_TEMP, 0, 0};
	struct pair pairs[2] = {old, new};
	for (unsigned s = 0; s < 2; s++) {
		prepare(arena, &sides[s].vs, pairs[s].vs);
		prepare(arena, &sides[s].ps, pairs[s].ps);
		struct machine *both[2] = {&sides[s].vs, &sides[s].ps};
		for (unsigned stage = 0; stage < 2; stage++) {
			both[stage]->unwritten = &reads[s];
			both[stage]->allowed = s ? &reads[0] : NULL;
			both[stage]->stray = &stray;
		}
	}
	for (uint32_t k = 0; k < c->nconsts; k++)
		sides[1].vs.set_from[c->consts[k].vs] = (int16_t)c->consts[k].ps;

	unsigned trials = c->trials ? c->trials : TRIALS;
	for (unsigned trial = 0; trial < trials; trial++) {
		uint64_t key = field_mix(field_mix(0, c->seed), trial);
		p.trials = trial + 1;
		for (unsigned s = 0; s < 2; s++) {
			sides[s].vs.key = sides[s].ps.key = key;
			memset(sides[s].vs.known, 0, sizeof sides[s].vs.known);
			memset(sides[s].ps.known, 0, sizeof sides[s].ps.known);
		}
		if (scratch) {
			scratch->unwritten = &reads[0], scratch->allowed = NULL, scratch->stray = &stray;
			wrong = bind_folds(arena, &sides[1].vs, c, scratch);
			wrong = wrong ? wrong : bind_folds(arena, &sides[1].ps, c, scratch);
			if (wrong)
				return differs(p, STAGE_PIXEL, UINT32_MAX, UINT32_MAX, wrong);
		}
		run_pair(&sides[0], key);
		run_pair(&sides[1], key);
		if (!same_pair(arena, &p, &sides[0], &sides[1]))
			return p;
		if (stray.found)
			return differs(p, stray.stage, UINT32_MAX, stray.instr,
			               arena_printf(arena, "the new pair reads %s, which nothing wrote",
			                            register_text(arena, stray.file, stray.index, stray.lane)));
	}
	return p;
}
