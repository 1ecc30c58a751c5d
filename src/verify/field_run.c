/* One program run on field elements, see field_run.h and prove.c. */
#include "verify/field_run.h"

#include <string.h>

/* --- values ----------------------------------------------------------------------- */

static uint64_t keyed(const struct field_run *m, enum field_tag tag, uint64_t value)
{
	return field_mix(m->key + (uint64_t)tag, value);
}

static felt uninterpreted(const struct field_run *m, enum field_tag tag, felt x)
{
	return field_hash(keyed(m, tag, x));
}

felt field_unknown(const struct field_run *m, enum field_tag tag, unsigned a, unsigned b, unsigned lane)
{
	return uninterpreted(m, tag, (uint64_t)a << 32 | (uint64_t)b << 16 | lane);
}

/* 1 if x >= 0, else 0 */
static felt ge0(const struct field_run *m, felt x)
{
	int sign = field_sign(x);
	if (x == 0 || sign > 0)
		return 1;
	return sign < 0 ? 0 : uninterpreted(m, TAG_GE0, x);
}

static felt max(const struct field_run *m, felt a, felt b)
{
	felt difference = field_sub(a, b);
	int sign = field_sign(difference);
	if (difference == 0 || sign)
		return sign < 0 ? b : a;
	return a < b ? field_hash(field_mix(keyed(m, TAG_MAX, a), b))
	             : field_hash(field_mix(keyed(m, TAG_MAX, b), a));
}

static felt min(const struct field_run *m, felt a, felt b)
{
	return field_neg(max(m, field_neg(a), field_neg(b)));
}

static felt magnitude(const struct field_run *m, felt x)
{
	return max(m, x, field_neg(x));
}

felt field_saturate(const struct field_run *m, felt x)
{
	return min(m, max(m, x, 0), 1);
}

/* --- operands --------------------------------------------------------------------- */

static void note_unwritten(struct field_run *m, enum reg_file file, int index, unsigned lane, bool allowed)
{
	if (!allowed && !m->stray->found)
		*m->stray = (struct stray){true, m->stage, m->at, file, index, lane};
}

static felt read_temp(struct field_run *m, int index, unsigned lane)
{
	if (m->temp_written[index] >> lane & 1)
		return m->temp[index][lane];
	m->unwritten->temp[m->stage][index] |= (lanes)(1u << lane);
	note_unwritten(m, REG_TEMP, index, lane,
	               !m->allowed || m->allowed->temp[m->stage][index] >> lane & 1);
	return field_unknown(m, TAG_UNWRITTEN_TEMP, m->stage, (unsigned)index, lane);
}

static felt read_carrier(struct field_run *m, enum reg_file file, int index, unsigned lane)
{
	unsigned c = (unsigned)index + (file == REG_TEXCOORD ? MACHINE_COLOURS : 0u);
	if (m->carried[c] >> lane & 1)
		return m->carrier[c][lane];
	m->unwritten->carrier[c] |= (lanes)(1u << lane);
	note_unwritten(m, file, index, lane, !m->allowed || m->allowed->carrier[c] >> lane & 1);
	return field_unknown(m, TAG_UNWRITTEN_CARRIER, c, 0, lane);
}

static felt read_input(const struct field_run *m, int index, unsigned lane)
{
	const struct decl *d = m->input[index];
	unsigned which = d ? (unsigned)d->usage << 8 | d->usage_index : 0xff00u | (unsigned)index;
	return field_unknown(m, TAG_INPUT, m->vertex, which, lane);
}

static felt read_const(struct field_run *m, int index, unsigned lane)
{
	if (m->known[index] >> lane & 1)
		return m->constant[index][lane];
	felt value;
	if (m->def[index] != -1)
		value = field_float(m->program->decls.at[m->def[index]].value[lane]);
	else if (m->set_from[index] >= 0)
		value = field_unknown(m, TAG_CONST, STAGE_PIXEL, (unsigned)m->set_from[index], lane);
	else
		value = field_unknown(m, TAG_CONST, m->stage, (unsigned)index, lane);
	m->constant[index][lane] = value;
	m->known[index] |= (uint8_t)(1u << lane);
	return value;
}

static felt read_relative(struct field_run *m, int index, unsigned lane)
{
	felt address = m->address;
	if (!m->address_written) {
		m->unwritten->address[m->stage] = true;
		note_unwritten(m, REG_ADDRESS, 0, LANE_X, !m->allowed || m->allowed->address[m->stage]);
		address = field_unknown(m, TAG_UNWRITTEN_ADDRESS, m->stage, 0, 0);
	}
	uint64_t place = (uint64_t)(uint32_t)index << 2 | lane;
	return field_hash(field_mix(keyed(m, TAG_RELATIVE, address) ^ m->reachable, place));
}

/* Lane `lane` of operand s, after swizzle and negation; `row` is the matrix row. */
static felt read_row(struct field_run *m, const struct src *s, int row, unsigned lane)
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

static inline felt rd(struct field_run *m, const struct instr *i, unsigned s, unsigned lane)
{
	const struct src *src = &i->src[s];
	unsigned from = swizzle_lane(src->swizzle, lane);
	/* Most operands are one of these two. */
	if (src->file == REG_TEMP && m->temp_written[src->index] >> from & 1) {
		felt x = m->temp[src->index][from];
		return src->negate ? field_neg(x) : x;
	}
	if (src->file == REG_CONST && !src->relative && m->known[src->index] >> from & 1) {
		felt x = m->constant[src->index][from];
		return src->negate ? field_neg(x) : x;
	}
	return read_row(m, src, 0, lane);
}

/* --- instructions ----------------------------------------------------------------- */

static felt dot(struct field_run *m, const struct instr *i, unsigned n, int row)
{
	felt sum = 0;
	for (unsigned lane = 0; lane < n; lane++)
		sum = field_add(sum, field_mul(rd(m, i, 0, lane), row ? read_row(m, &i->src[1], row, lane) : rd(m, i, 1, lane)));
	return sum;
}

static void replicate(felt d[LANES], felt x)
{
	for (unsigned lane = 0; lane < LANES; lane++)
		d[lane] = x;
}

static felt reciprocal_root(const struct field_run *m, felt x)
{
	return uninterpreted(m, TAG_RSQ, magnitude(m, x));
}

/* 1 / x; that of 0 is no number, but the same one each time. */
static felt reciprocal(const struct field_run *m, felt x)
{
	return x ? field_inverse(x) : uninterpreted(m, TAG_INFINITY, 0);
}

static felt logarithm(const struct field_run *m, felt x)
{
	return uninterpreted(m, TAG_LOG, magnitude(m, x));
}

static felt floor_of(const struct field_run *m, felt x)
{
	return field_sub(x, uninterpreted(m, TAG_FRC, x));
}

static void expp(struct field_run *m, const struct instr *i, felt d[LANES])
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

static void logp(struct field_run *m, const struct instr *i, felt d[LANES])
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

static void lit(struct field_run *m, const struct instr *i, lanes mask, felt d[LANES])
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

static void sincos(struct field_run *m, const struct instr *i, lanes mask, felt d[LANES])
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

static void sample(struct field_run *m, const struct instr *i, felt d[LANES])
{
	unsigned sampler = (unsigned)i->src[1].index;
	enum texture texture = (enum texture)m->program->samplers[sampler];
	felt coordinate[3];
	unsigned n = texture == TEXTURE_2D ? 2 : 3;
	for (unsigned lane = 0; lane < n; lane++)
		coordinate[lane] = rd(m, i, 0, lane);
	if (i->op == OP_TEXLDP) {
		felt scale = reciprocal(m, rd(m, i, 0, 3));
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
static void evaluate(struct field_run *m, const struct instr *i, lanes mask, felt d[LANES])
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
	case OP_RCP: replicate(d, reciprocal(m, rd(m, i, 0, 0))); break;
	case OP_RSQ: replicate(d, reciprocal_root(m, rd(m, i, 0, 0))); break;
	case OP_SGE: EACH(ge0(m, field_sub(S(0), S(1))));
	case OP_SLT: EACH(field_sub(1, ge0(m, field_sub(S(0), S(1)))));
	/* (x >= 0) - (-x >= 0) */
	case OP_SGN: EACH(field_sub(ge0(m, S(0)), ge0(m, field_neg(S(0)))));
	case OP_SINCOS: sincos(m, i, mask, d); break;
	case OP_SUB: EACH(field_sub(S(0), S(1)));
	case OP_TEXKILL:
		for (unsigned l = 0; l < LANES; l++)
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

static void store(struct field_run *m, const struct instr *i, lanes mask, const felt d[LANES])
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
	enum machine_output out = machine_output((enum reg_file)i->dst.file, i->dst.index);
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

void field_run(struct field_run *m)
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
					d[l] = field_saturate(m, d[l]);
		if (i->op == OP_SINCOS) /* it clobbers the lanes of xyz that it is not asked for */
			m->temp_written[i->dst.index] &= MASK_W;
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
static const int16_t registers[2][REG_FILES] = {
	[STAGE_VERTEX] = {[REG_TEMP] = MACHINE_TEMPS, [REG_INPUT] = MACHINE_INPUTS, [REG_CONST] = MACHINE_CONSTS,
	                  [REG_ADDRESS] = 1, [REG_POS_OUT] = 1, [REG_FOG_OUT] = 1, [REG_SIZE_OUT] = 1,
	                  [REG_COLOUR_OUT] = MACHINE_COLOURS, [REG_TEX_OUT] = MACHINE_CARRIERS - MACHINE_COLOURS},
	[STAGE_PIXEL] = {[REG_TEMP] = MACHINE_TEMPS, [REG_INPUT] = MACHINE_COLOURS,
	                 [REG_TEXCOORD] = MACHINE_CARRIERS - MACHINE_COLOURS, [REG_CONST] = MACHINE_CONSTS,
	                 [REG_SAMPLER] = INTERP_SAMPLERS, [REG_PIXEL_OUT] = INTERP_TARGETS, [REG_DEPTH_OUT] = 1},
};

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
	return src->index >= 0 && src->index + (int)instr_rows(i, s) <= registers[stage][file];
}

static bool writable(enum stage stage, const struct instr *i)
{
	enum reg_file file = (enum reg_file)i->dst.file;
	if (ops[i->op].flags & OPF_NO_DST)
		return true;
	if (file != REG_TEMP && file != REG_ADDRESS && !reg_files[file].output)
		return false;
	if (i->op == OP_SINCOS && file != REG_TEMP)
		return false;
	if (ops[i->op].shape == SHAPE_MATRIX && i->dst.mask >> instr_rows(i, 1))
		return false;
	return i->dst.mask && i->dst.index >= 0 && i->dst.index < registers[stage][file];
}

const char *field_malformed(struct arena *arena, const struct program *p, enum stage stage)
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

void field_run_load(struct arena *arena, struct field_run *m, const struct program *p)
{
	m->program = p;
	m->stage = program_stage(p);
	for (unsigned c = 0; c < MACHINE_CONSTS; c++)
		m->def[c] = -1, m->set_from[c] = -1;
	memset(m->input, 0, sizeof m->input);
	for (uint32_t k = 0; k < p->decls.n; k++) {
		const struct decl *d = &p->decls.at[k];
		if (d->kind == DECL_DEF && d->reg.index >= 0 && d->reg.index < MACHINE_CONSTS && k <= INT16_MAX)
			m->def[d->reg.index] = (int16_t)k;
		else if (d->kind == DECL_VERTEX_INPUT && d->reg.index >= 0 && d->reg.index < 16)
			m->input[d->reg.index] = d;
	}
	m->reachable = 0;
	uint32_t kills = 0;
	for (uint32_t k = 0; k < p->instrs.n; k++)
		kills += p->instrs.at[k].op == OP_TEXKILL;
	m->kill = arena_alloc(arena, kills * sizeof *m->kill);
	m->killer = arena_alloc(arena, kills * sizeof *m->killer);
}
