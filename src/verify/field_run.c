/* Runs a program on elements of the proof's fields, see field_run.h and prove.c. */
#include "lang/outline.h"
#include "verify/elements.h"

#include <string.h>

/* --- operands --------------------------------------------------------------------- */

#define EACH_COLUMN for (unsigned c = 0; c < m->columns; c++)

static void note_unwritten(struct field_run *m, enum reg_file file, int index, unsigned lane, bool allowed)
{
	if (!allowed && !m->stray->found)
		*m->stray = (struct stray){.found = true, .stage = m->stage, .instr = m->at, .file = file, .index = index, .lane = lane};
}

static const felt *read_temp(struct field_run *m, int index, unsigned lane, felt *to)
{
	if (m->temp_written[index] >> lane & 1)
		return m->temp[index][lane];
	m->unwritten->temp[m->stage][index] |= (lanes)(1u << lane);
	note_unwritten(m, REG_TEMP, index, lane,
	               !m->allowed || m->allowed->temp[m->stage][index] >> lane & 1);
	EACH_COLUMN to[c] = element_unknown(m, c, TAG_UNWRITTEN_TEMP, m->stage, (unsigned)index, lane);
	return to;
}

static const felt *read_carrier(struct field_run *m, enum reg_file file, int index, unsigned lane, felt *to)
{
	unsigned const carrier = machine_carrier(file, index);
	if (m->carried[carrier] >> lane & 1)
		return m->carrier[carrier][lane];
	unsigned const name = m->carrier_name[carrier][lane];
	m->unwritten->carrier[name] |= (lanes)(1u << lane);
	note_unwritten(m, file, index, lane, !m->allowed || m->allowed->carrier[name] >> lane & 1);
	EACH_COLUMN to[c] = element_unknown(m, c, TAG_UNWRITTEN_CARRIER, name, 0, lane);
	return to;
}

static const felt *read_input(struct field_run *m, int index, unsigned lane)
{
	felt *value = m->input_value[index][lane];
	if (m->input_known[index] >> lane & 1)
		return value;
	const struct decl *d = m->input[index];
	unsigned which = d ? (unsigned)d->usage << 8 | d->usage_index : 0xff00u | (unsigned)index;
	EACH_COLUMN value[c] = element_unknown(m, c, TAG_INPUT, c / FIELDS, which, lane);
	m->input_known[index] |= (lanes)(1u << lane);
	return value;
}

static void set_const(struct field_run *m, int index, unsigned lane)
{
	felt *value = m->constant[index][lane];
	bool copied = m->set_from[index] >= 0, literal = m->def[index] != -1;
	enum stage stage = copied ? STAGE_PIXEL : m->stage;
	unsigned number = (unsigned)(copied ? m->set_from[index] : index);
	float given = literal ? m->program->decls.at[m->def[index]].value[lane] : 0;
	m->known_lanes[index] |= (uint8_t)(1u << lane);
	if (literal)
		known_literal(m->known, given);
	for (unsigned c = 0; c < FIELDS; c++)
		value[c] = literal ? field_float(c, given) : element_unknown(m, c, TAG_CONST, stage, number, lane);
}

static const felt *read_const(struct field_run *m, int index, unsigned lane, felt *to)
{
	if (!(m->known_lanes[index] >> lane & 1))
		set_const(m, index, lane);
	const felt *value = m->constant[index][lane];
	EACH_COLUMN to[c] = value[c % FIELDS];
	return to;
}

/* Reads lane `lane` of c[a0 + index], where lane `by` of a0 is the address. */
static const felt *read_relative(struct field_run *m, unsigned by, int index, unsigned lane, felt *to)
{
	bool const written = m->address_written >> by & 1;
	if (!written) {
		m->unwritten->address[m->stage] |= (lanes)(1u << by);
		note_unwritten(m, REG_ADDRESS, 0, by, !m->allowed || m->allowed->address[m->stage] >> by & 1);
	}
	uint64_t place = (uint64_t)(uint32_t)index << 2 | lane;
	EACH_COLUMN {
		felt address = written ? m->address[by][c] : element_unknown(m, c, TAG_UNWRITTEN_ADDRESS, m->stage, 0, by);
		to[c] = element_anything(m, c, field_mix(keyed(m->key, TAG_RELATIVE, address) ^ m->reachable, place));
	}
	return to;
}

/* Returns a lane of an operand of any kind.  read_operand_lane() calls it for all but written lanes of r# without negation. */
static const felt *read_any_operand(struct field_run *m, const struct src *s, int row, unsigned lane, unsigned use)
{
	unsigned from = swizzle_lane(s->swizzle, lane);
	int index = s->index + row;
	felt *to = m->scratch[use];
	const felt *x = NULL;
	switch ((enum reg_file)s->file) {
	case REG_TEMP: x = read_temp(m, index, from, to); break;
	case REG_INPUT:
		x = m->stage == STAGE_VERTEX ? read_input(m, index, from) : read_carrier(m, REG_INPUT, index, from, to);
		break;
	case REG_TEXCOORD: x = read_carrier(m, REG_TEXCOORD, index, from, to); break;
	case REG_CONST: x = s->relative ? read_relative(m, s->relative - 1u, index, from, to) : read_const(m, index, from, to); break;
	case REG_PIXEL_POS:
	case REG_FACE:
		EACH_COLUMN to[c] = element_unknown(m, c, TAG_PIXEL, s->file, 0, from);
		x = to;
		break;
	case UNREAD_FILES: /* is_readable() has rejected programs that read any of these */
		EACH_COLUMN to[c] = 0;
		return to;
	}
	if (!s->negate)
		return x;
	EACH_COLUMN to[c] = field_neg(c, x[c]);
	return to;
}

/* Reads lane `lane` of operand s, after swizzle and negation; `row` is the matrix row.  `use` selects the scratch space: operands that
 * must be valid at the same time get different numbers. */
static inline const felt *read_operand_lane(struct field_run *m, const struct src *s, int row, unsigned lane, unsigned use)
{
	unsigned from = swizzle_lane(s->swizzle, lane);
	int const index = s->index + row;
	if (s->file == REG_TEMP && !s->negate && m->temp_written[index] >> from & 1)
		return m->temp[index][from];
	return read_any_operand(m, s, row, lane, use);
}

static inline const felt *read_source(struct field_run *m, const struct instr *i, unsigned s, unsigned lane)
{
	return read_operand_lane(m, &i->src[s], 0, lane, s * LANES + lane);
}

/* --- instructions ----------------------------------------------------------------- */

static void note_scales(struct field_run *m, const felt *const vector[3], const felt *sum)
{
	EACH_COLUMN {
		felt const of[3] = {vector[0][c], vector[1][c], vector[2][c]};
		element_note_scale(m, c, of, sum[c]);
	}
}

static void dot_product(struct field_run *m, const struct instr *i, unsigned n, int row, felt *sum)
{
	const felt *vector[LANES];
	EACH_COLUMN sum[c] = 0;
	for (unsigned lane = 0; lane < n; lane++) {
		const felt *x = vector[lane] = read_source(m, i, 0, lane), *y = read_operand_lane(m, &i->src[1], row, lane, LANES + lane);
		EACH_COLUMN sum[c] = element_mad(m, c, x[c], y[c], sum[c]);
	}
	if (i->op == OP_DP3 && m->roots && src_is_same(&i->src[0], &i->src[1]))
		note_scales(m, vector, sum);
}

static void note_inverse(struct field_run *m, unsigned c, felt x, felt inverse)
{
	struct rational number;
	if (known_exact(m->known, c, x, &number) && rational_inverse(&number, &number))
		known_number(m->known, c, inverse, &number);
}

/* Computes 1 / x; 1 / 0 is a fixed random element.  Inverts one product in each field for all vertices, by 1 / a = b / (a b). */
static void reciprocal(struct field_run *m, const felt *x, felt *to)
{
	felt before[COLUMNS], inverse[FIELDS] = {field_one(0), field_one(1)};
	EACH_COLUMN {
		before[c] = inverse[c % FIELDS];
		inverse[c % FIELDS] = x[c] ? field_mul(c, inverse[c % FIELDS], x[c]) : inverse[c % FIELDS];
	}
	field_inverse(inverse, inverse);
	for (unsigned c = m->columns; c-- > 0;) {
		felt *rest = &inverse[c % FIELDS];
		felt result = x[c] ? field_mul(c, *rest, before[c]) : element_function(m, c, TAG_INFINITY, 0);
		*rest = x[c] ? field_mul(c, *rest, x[c]) : *rest;
		if (m->literal)
			note_inverse(m, c, x[c], result);
		to[c] = result;
	}
}

/* Copies lane x of a result to its other lanes. */
static void replicate_x(const struct field_run *m, felt d[LANES][COLUMNS])
{
	for (unsigned lane = 1; lane < LANES; lane++)
		EACH_COLUMN d[lane][c] = d[0][c];
}

/* Computes expp or logp: in vs_1_1 partial results in x and y, a full one in z and 1 in w; in other models the full result in all lanes. */
static void evaluate_partial(struct field_run *m, const struct instr *i, felt d[LANES][COLUMNS])
{
	const felt *x = read_source(m, i, 0, 0);
	EACH_COLUMN {
		if (i->op == OP_EXPP) {
			d[0][c] = element_exp(m, c, element_floor(m, c, x[c]));
			d[1][c] = element_fraction(m, c, x[c]);
			d[2][c] = element_positive(m, c, element_function(m, c, TAG_EXP_LOW, x[c]));
		} else {
			felt a = element_magnitude(m, c, x[c]);
			d[0][c] = element_function(m, c, TAG_LOG_EXPONENT, a);
			d[1][c] = element_function(m, c, TAG_LOG_MANTISSA, a);
			d[2][c] = element_function(m, c, TAG_LOG_LOW, a);
		}
		d[3][c] = field_one(c);
		if (m->program->model != VS_1_1)
			d[0][c] = d[1][c] = d[3][c] = d[2][c];
	}
}

static void evaluate_lit(struct field_run *m, const struct instr *i, lanes mask, felt d[LANES][COLUMNS])
{
	EACH_COLUMN d[0][c] = d[3][c] = field_one(c);
	if (!(mask & (MASK_Y | MASK_Z)))
		return;
	const felt *x = read_source(m, i, 0, 0);
	EACH_COLUMN d[1][c] = select_max(m, c, x[c], 0);
	if (!(mask & MASK_Z))
		return;
	const felt *y = read_source(m, i, 0, 1), *w = read_source(m, i, 0, 3);
	EACH_COLUMN {
		uint64_t state = field_mix(field_mix(keyed(m->key, TAG_LIT, x[c]), select_max(m, c, y[c], 0)), w[c]);
		enum known_order order = known_order(m->known, c, x[c], 0);
		bool dark = order == KNOWN_SAME || order == KNOWN_BELOW || order == KNOWN_NOT_ABOVE;
		d[2][c] = dark ? 0 : element_positive(m, c, element_anything(m, c, state));
	}
}

static void normalise(struct field_run *m, const struct instr *i, lanes mask, felt d[LANES][COLUMNS])
{
	const felt *vector[3];
	felt scale[COLUMNS] = {0};
	for (unsigned lane = 0; lane < 3; lane++) {
		const felt *x = vector[lane] = read_source(m, i, 0, lane);
		EACH_COLUMN scale[c] = element_mad(m, c, x[c], x[c], scale[c]);
	}
	note_scales(m, vector, scale);
	EACH_COLUMN scale[c] = element_rsq(m, c, scale[c]);
	for (unsigned lane = 0; lane < LANES; lane++) {
		const felt *x = mask >> lane & 1 ? read_source(m, i, 0, lane) : scale;
		EACH_COLUMN d[lane][c] = element_mul(m, c, x[c], scale[c]);
	}
}

static void sin_and_cos(struct field_run *m, const struct instr *i, felt d[LANES][COLUMNS])
{
	/* Hashes the two constants that sincos takes in model 2, too, so that the proof finds wrong constants. */
	const felt *x = read_source(m, i, 0, 0);
	uint64_t state[COLUMNS];
	EACH_COLUMN state[c] = x[c];
	for (unsigned lane = 0; lane < LANES && i->op == OP_SINCOS; lane++) {
		const felt *y = read_source(m, i, 1, lane), *z = read_source(m, i, 2, lane);
		EACH_COLUMN state[c] = field_mix(field_mix(state[c], y[c]), z[c]);
	}
	EACH_COLUMN {
		d[0][c] = element_function(m, c, TAG_COS, state[c]);
		d[1][c] = element_function(m, c, TAG_SIN, state[c]);
	}
}

/* Returns true if the .z of a read's coordinate was written, or is that of a constant. */
static bool has_depth(const struct field_run *m, const struct src *at)
{
	unsigned const lane = swizzle_lane(at->swizzle, LANE_Z);
	if (at->file == REG_TEMP)
		return m->temp_written[at->index] >> lane & 1;
	if (at->file != REG_INPUT && at->file != REG_TEXCOORD)
		return true;
	return m->carried[machine_carrier((enum reg_file)at->file, at->index)] >> lane & 1;
}

/* Finds the kind of a 2D read of the new pair from the old pair's reads at the same place: PLANE_AT (it compares .z with a depth texture) if one
 * of them compares the same .z, PLANE_ANY if one compares no .z, PLANE_NONE if there is neither.  If there are both, `choice` decides, except
 * for reads after the first MOST_UNDECIDED, which are PLANE_AT. */
static enum plane_read find_plane_kind(struct field_run *m, const struct plane_place *here, bool has_z)
{
	bool at = false, any = false;
	for (uint32_t k = 0; k < m->like->program->instrs.n; k++) {
		const struct plane_place *old = &m->like->places[k];
		enum plane_read const kind = (enum plane_read)m->like->plane[k];
		if (kind == PLANE_NONE || memcmp(old->place, here->place, sizeof here->place) != 0)
			continue;
		any |= kind == PLANE_ANY;
		at |= kind == PLANE_AT && has_z && memcmp(old->z, here->z, sizeof here->z) == 0;
	}
	if (at && any) {
		at = m->undecided >= MOST_UNDECIDED || !(m->choice >> m->undecided & 1);
		m->undecided++;
	}
	return at ? PLANE_AT : any ? PLANE_ANY : PLANE_NONE;
}

/* Mixes the .z that a depth texture would compare into `state`, the hash of a 2D read.  The run of the old pair, whose reads have known kinds,
 * also records the read in `places`.  The run of the new pair (`like` is set) first finds the read's kind (find_plane_kind).  A PLANE_ANY read
 * leaves `state` as it is.  Any other read without a .z gets a mark of its own. */
static void add_depth_to_hash(struct field_run *m, const struct instr *i, const felt *scale, uint64_t state[COLUMNS])
{
	bool const has_z = m->like ? has_depth(m, &i->src[0]) : m->plane[m->at] == PLANE_AT;
	const felt *z = has_z ? read_source(m, i, 0, LANE_Z) : NULL;
	struct plane_place here;
	for (unsigned c = 0; c < FIELDS; c++) {
		here.place[c] = state[c];
		here.z[c] = !z ? 0 : i->op == OP_TEXLDP ? field_mul(c, z[c], scale[c]) : z[c];
	}
	if (m->like)
		m->plane[m->at] = (uint8_t)find_plane_kind(m, &here, has_z);
	else
		m->places[m->at] = here;
	if (m->plane[m->at] == PLANE_ANY)
		return;
	/* Makes a read without a .z that matches no read of the old pair differ from all other reads. */
	for (unsigned c = 0; c < FIELDS; c++)
		state[c] = keyed(state[c], has_z ? TAG_DEPTH : TAG_NO_DEPTH, has_z ? here.z[c] : m->at);
}

static unsigned read_tag(const struct instr *i)
{
	switch (i->op) {
	case OP_TEXLDB: return TAG_TEXTURE_BIAS;
	case OP_TEXLDL: return TAG_TEXTURE_LEVEL;
	case OP_TEXLDD: return TAG_TEXTURE_GRADIENT;
	default: return TAG_TEXTURE;
	}
}

static void sample_texture(struct field_run *m, const struct instr *i, felt d[LANES][COLUMNS])
{
	unsigned sampler = (unsigned)i->src[1].index;
	enum texture texture = (enum texture)m->program->samplers[sampler];
	unsigned n = texture == TEXTURE_2D ? 2 : 3;
	uint64_t state[COLUMNS];
	felt scale[COLUMNS];
	if (i->op == OP_TEXLDP)
		reciprocal(m, read_source(m, i, 0, 3), scale);
	/* Includes the stage in the hash, since the two stages have different samplers. */
	uint64_t const which = (uint64_t)m->stage << 16 | (uint64_t)sampler << 8 | (uint64_t)texture;
	EACH_COLUMN state[c] = keyed(m->key, read_tag(i), which);
	for (unsigned lane = 0; lane < n; lane++) {
		const felt *x = read_source(m, i, 0, lane);
		EACH_COLUMN state[c] = field_mix(state[c], i->op == OP_TEXLDP ? field_mul(c, x[c], scale[c]) : x[c]);
	}
	if (i->op == OP_TEXLDB || i->op == OP_TEXLDL) {
		const felt *bias = read_source(m, i, 0, 3);
		EACH_COLUMN state[c] = field_mix(state[c], bias[c]);
	}
	for (unsigned s = 2; s < ops[i->op].sources; s++)
		for (unsigned lane = 0; lane < n; lane++) {
			const felt *gradient = read_source(m, i, s, lane);
			EACH_COLUMN state[c] = field_mix(state[c], gradient[c]);
		}
	if (texture == TEXTURE_2D && m->plane)
		add_depth_to_hash(m, i, scale, state);
	for (unsigned lane = 0; lane < LANES; lane++)
		EACH_COLUMN d[lane][c] = element_anything(m, c, field_mix(state[c], swizzle_lane(i->src[1].swizzle, lane)));
}

/* Evaluates an instruction of bytecode, such as rcp, whose operand names no single lane.  Implementations disagree on which lanes they read,
 * so each lane of the result is an unknown function of all lanes. */
static void evaluate_without_lanes(struct field_run *m, const struct instr *i, lanes mask, felt d[LANES][COLUMNS])
{
	uint64_t state[COLUMNS];
	EACH_COLUMN state[c] = keyed(m->key, TAG_UNNAMED_LANE, i->op);
	EACH_SOURCE(s, i) {
		lanes const read = instr_operand_lanes(m->program, i, s, mask);
		for (unsigned lane = 0; lane < LANES; lane++) {
			const felt *x = read >> lane & 1 ? read_source(m, i, s, lane) : NULL;
			EACH_COLUMN state[c] = field_mix(state[c], x ? x[c] : 0);
		}
	}
	for (unsigned lane = 0; lane < LANES; lane++)
		EACH_COLUMN d[lane][c] = element_anything(m, c, field_mix(state[c], lane));
}

/* Adds the operands of a region (an instruction that stands for a block) to the hash of all that regions read.  Results of a region are functions
 * of the operands of this region and all before it, in that order. */
static void add_region_reads(struct field_run *m, const struct instr *i)
{
	EACH_SOURCE(s, i) {
		lanes const read = i->region == REGION_FENCE ? 0 : instr_operand_lanes(m->program, i, s, 0);
		EACH_LANE(l, read) {
			const felt *x = read_source(m, i, s, l);
			EACH_COLUMN m->regions[c] = element_function(m, c, TAG_REGION, field_mix(m->regions[c], x[c]));
		}
	}
}

/* Computes the result lanes `mask` of an instruction in `d`, and leaves its other lanes unchanged or undefined. */
static void evaluate_instr(struct field_run *m, const struct instr *i, lanes mask, felt d[LANES][COLUMNS])
{
	/* Computes each lane by itself; x, y and z are the same lane of the first, second and third operand. */
#define LANEWISE(sources, value)                                                      \
	for (unsigned l = 0; l < LANES; l++) {                                        \
		if (!(mask >> l & 1))                                                 \
			continue;                                                     \
		const felt *x = read_source(m, i, 0, l), *y = (sources) > 1 ? read_source(m, i, 1, l) : x; \
		const felt *z = (sources) > 2 ? read_source(m, i, 2, l) : x;                   \
		(void)y, (void)z;                                                     \
		EACH_COLUMN d[l][c] = (value);                                        \
	}                                                                             \
	break
#define SCALAR(value)                                                                 \
	do {                                                                          \
		const felt *x = read_source(m, i, 0, 0);                                       \
		EACH_COLUMN d[0][c] = (value);                                        \
		replicate_x(m, d);                                                      \
	} while (0)
	switch ((enum op)i->op) {
	case OP_NOP: break;
	case OP_ABS: LANEWISE(1, element_absolute(m, c, x[c]));
	case OP_ADD: LANEWISE(2, element_add(m, c, x[c], y[c]));
	case OP_CMP: LANEWISE(3, element_choose(m, c, select_not_below(m, c, x[c], 0), y[c], z[c]));
	case OP_CRS:
		for (unsigned l = 0; l < 3; l++) {
			unsigned y = (l + 1) % 3, z = (l + 2) % 3;
			if (!(mask >> l & 1))
				continue;
			const felt *ay = read_source(m, i, 0, y), *az = read_source(m, i, 0, z);
			const felt *by = read_source(m, i, 1, y), *bz = read_source(m, i, 1, z);
			EACH_COLUMN d[l][c] = element_sub(m, c, element_mul(m, c, ay[c], bz[c]), element_mul(m, c, az[c], by[c]));
		}
		EACH_COLUMN d[LANE_W][c] = 0; /* crs computes no w, even if the mask includes w */
		break;
	case OP_DP2ADD: {
		dot_product(m, i, 2, 0, d[0]);
		const felt *z = read_source(m, i, 2, 0);
		EACH_COLUMN d[0][c] = element_add(m, c, d[0][c], z[c]);
		replicate_x(m, d);
		break;
	}
	case OP_DP3:
	case OP_DP4:
		dot_product(m, i, i->op == OP_DP3 ? 3 : 4, 0, d[0]);
		replicate_x(m, d);
		break;
	case OP_DST:
		for (unsigned l = 0; l < LANES; l++) {
			const felt *x = l % 3 && mask >> l & 1 ? read_source(m, i, 0, l) : NULL;
			const felt *y = l % 2 && mask >> l & 1 ? read_source(m, i, 1, l) : NULL;
			EACH_COLUMN d[l][c] = element_mul(m, c, x ? x[c] : field_one(c), y ? y[c] : field_one(c));
		}
		break;
	case OP_DSX: LANEWISE(1, element_function(m, c, TAG_DSX, x[c]));
	case OP_DSY: LANEWISE(1, element_function(m, c, TAG_DSY, x[c]));
	case OP_EXP: SCALAR(element_exp(m, c, x[c])); break;
	case OP_FRC: LANEWISE(1, element_fraction(m, c, x[c]));
	case OP_LIT: evaluate_lit(m, i, mask, d); break;
	case OP_LOG: SCALAR(element_log(m, c, x[c])); break;
	case OP_EXPP:
	case OP_LOGP: evaluate_partial(m, i, d); break;
	case OP_LRP: LANEWISE(3, element_choose(m, c, x[c], y[c], z[c]));
	case OP_M3X2:
	case OP_M3X3:
	case OP_M3X4:
	case OP_M4X3:
	case OP_M4X4:
		EACH_LANE(l, mask)
			dot_product(m, i, i->op == OP_M4X3 || i->op == OP_M4X4 ? 4 : 3, (int)l, d[l]);
		break;
	case OP_MAD: LANEWISE(3, element_mad(m, c, x[c], y[c], z[c]));
	case OP_MAX: LANEWISE(2, element_greater(m, c, x[c], y[c]));
	case OP_MIN: LANEWISE(2, field_neg(c, element_greater(m, c, field_neg(c, x[c]), field_neg(c, y[c]))));
	case OP_MOV:
	case OP_MOVA: LANEWISE(1, x[c]);
	case OP_MUL: LANEWISE(2, element_mul(m, c, x[c], y[c]));
	case OP_NRM: normalise(m, i, mask, d); break;
	case OP_POW: {
		const felt *y = read_source(m, i, 1, 0);
		SCALAR(element_exp(m, c, element_mul(m, c, y[c], element_log(m, c, x[c]))));
		break;
	}
	case OP_RCP:
		reciprocal(m, read_source(m, i, 0, 0), d[0]);
		replicate_x(m, d);
		break;
	case OP_RSQ: SCALAR(element_rsq(m, c, x[c])); break;
	case OP_SGE: LANEWISE(2, select_not_below(m, c, x[c], y[c]));
	case OP_SLT: LANEWISE(2, element_sub(m, c, field_one(c), select_not_below(m, c, x[c], y[c])));
	/* sgn x = (x >= 0) - (-x >= 0) */
	case OP_SGN: LANEWISE(1, element_sub(m, c, select_not_below(m, c, x[c], 0), select_not_below(m, c, 0, x[c])));
	case OP_SINCOS:
	case OP_SINCOS3: sin_and_cos(m, i, d); break;
	case OP_SUB: LANEWISE(2, element_sub(m, c, x[c], y[c]));
	case OP_TEXKILL:
		for (unsigned l = 0; l < LANES; l++) {
			const felt *x = read_source(m, i, 0, l);
			EACH_COLUMN m->kill[m->kills][l][c] = x[c];
		}
		m->killer[m->kills++] = m->at;
		break;
	case OP_TEXLD:
	case OP_TEXLDB:
	case OP_TEXLDD:
	case OP_TEXLDL:
	case OP_TEXLDP: sample_texture(m, i, d); break;
	case OP_REGION1:
	case OP_REGION2:
	case OP_REGION3: add_region_reads(m, i); break;
	case OP_REGION_OUT:
		EACH_LANE(l, mask)
			EACH_COLUMN d[l][c] = element_function(m, c, TAG_REGION, field_mix(m->regions[c], (uint64_t)i->region << 2 | l));
		break;
	case FLOW_OPS: /* prove_by() runs only programs without flow control */
	case OP_COUNT: break;
	}
#undef SCALAR
#undef LANEWISE
}

/* Copies all columns, even if fewer are in use, so that the compiler knows the size. */
static void copy_columns(felt *restrict to, const felt *restrict from)
{
	memcpy(to, from, COLUMNS * sizeof *to);
}

static void store_field_result(struct field_run *m, const struct instr *i, lanes mask, felt d[LANES][COLUMNS])
{
	if (i->dst.file == REG_TEMP) {
		EACH_LANE(l, mask)
			copy_columns(m->temp[i->dst.index][l], d[l]);
		m->temp_written[i->dst.index] |= mask;
		return;
	}
	if (i->dst.file == REG_ADDRESS) {
		EACH_LANE(l, mask)
			EACH_COLUMN m->address[l][c] = element_function(m, c, i->op == OP_MOVA ? TAG_ADDRESS_MOVA : TAG_ADDRESS, d[l][c]);
		m->address_written |= mask;
		return;
	}
	enum machine_output out = machine_output((enum reg_file)i->dst.file, i->dst.index);
	if (reg_files[i->dst.file].scalar) {
		copy_columns(m->out[out][0], d[first_lane(mask)]);
		m->out_written[out] = MASK_X;
		m->writer[out][0] = m->at;
		return;
	}
	EACH_LANE(l, mask) {
		copy_columns(m->out[out][l], d[l]);
		m->writer[out][l] = m->at;
	}
	m->out_written[out] |= mask;
}

/* Returns true if one of the register's lanes in `read` may be a known number; `row` is the matrix row. */
static bool holds_number(const struct field_run *m, const struct src *s, int row, lanes read)
{
	int const index = s->index + row;
	switch ((enum reg_file)s->file) {
	case REG_CONST: return !s->relative && m->def[index] != -1;
	case REG_TEMP: return m->temp_number[index] & read;
	case REG_INPUT: return m->stage == STAGE_PIXEL && m->carried_number[index] & read;
	case REG_TEXCOORD: return m->carried_number[MACHINE_COLOURS + index] & read;
	default: return false;
	}
}

/* Returns true if the instruction may compute a result from known numbers alone: each operand has one.  One row of a matrix is enough, since each
 * row makes a result lane of its own. */
static bool may_give_numbers(const struct field_run *m, const struct instr *i)
{
	bool all = true;
	for (unsigned s = 0; s < ops[i->op].sources && all && !m->small; s++) {
		lanes const read = instr_reads(m->program, i, s);
		bool any = false;
		for (unsigned row = 0; row < instr_rows(i, s); row++)
			any |= holds_number(m, &i->src[s], (int)row, read);
		all = any;
	}
	return all;
}

/* Returns true if the instruction may multiply by a known number, or add an operand to itself. */
static bool may_scale(const struct field_run *m, const struct instr *i)
{
	return i->op == OP_ADD || ((i->op == OP_MUL || i->op == OP_MAD) && (holds_number(m, &i->src[0], 0, instr_reads(m->program, i, 0)) ||
	                                                                     holds_number(m, &i->src[1], 0, instr_reads(m->program, i, 1))));
}

/* Notes which result lanes of an r# or an output are known numbers.  Looks up the element of every result, also if operands are no known numbers:
 * max may select a number, and a product with 0 is one.  Both pairs must recognise a number however they compute it. */
static void note_numbers(struct field_run *m, const struct instr *i, lanes mask, felt d[LANES][COLUMNS])
{
	bool const temp = i->dst.file == REG_TEMP;
	enum machine_output out = machine_output((enum reg_file)i->dst.file, i->dst.index);
	lanes *number = temp ? &m->temp_number[i->dst.index] : out != MACHINE_OUTPUTS ? &m->out_number[out] : NULL;
	EACH_LANE(l, number ? mask : 0)
		*number = (lanes)(known_is_number(m->known, 0, d[l][0]) ? *number | 1u << l : *number & ~(1u << l));
}

static bool is_rounded(const struct known *k, felt x)
{
	bool found = false;
	for (uint32_t n = 0; n < k->rounded.n && !found; n++)
		found = k->rounded.at[n] == x;
	return found;
}

/* Returns true if x is known to be a multiple of the step, so that rounding to multiples of the step does not change it. */
static bool is_multiple_of_step(struct field_run *m, unsigned c, felt x, float step)
{
	struct rational number, scale, steps, rest;
	return known_exact(m->known, c, x, &number) && rational_float(&scale, 1 / step) && rational_product(&steps, &number, &scale) &&
	       rational_fraction(&rest, &steps) && rational_sign(&rest) == 0;
}

/* Returns x rounded to a multiple of the step, a power of two.  The rounding is a hash, made so that rounding 2 x with the step 2 s gives twice
 * the result, and rounding -x gives its negative.  Returns x itself if it is a known multiple of the step, or if only the new pair rounds this
 * value: the proof treats it as exact. */
static felt round_to_step(struct field_run *m, unsigned c, felt x, float step)
{
	felt const y = field_mul(c, x, field_float(c, 1 / step)), minus = field_neg(c, y), either = y < minus ? y : minus;
	if (is_multiple_of_step(m, c, x, step) || (m->follows && !is_rounded(m->known, either)))
		return x;
	if (!m->follows)
		VEC_PUSH(m->known->arena, &m->known->rounded) = either;
	felt const whole = element_function(m, c, TAG_ROUNDED, either);
	known_literal(m->known, step);
	return element_mul(m, c, y < minus ? whole : field_neg(c, whole), field_float(c, step));
}

/* Rounds the lanes for which `rounding` has a step: their results subtract a large number that was added before, as x + 12582912 - 12582912 does,
 * see lang/rounding.h. */
static void round_lanes(struct field_run *m, lanes mask, felt d[LANES][COLUMNS])
{
	EACH_LANE(l, mask)
		if (m->rounding[m->at][l] > 0)
			EACH_COLUMN d[l][c] = round_to_step(m, c, d[l][c], m->rounding[m->at][l]);
}

void field_run(struct field_run *m)
{
	memset(m->temp_number, 0, sizeof m->temp_number);
	memset(m->out_number, 0, sizeof m->out_number);
	memset(m->temp_written, 0, sizeof m->temp_written);
	memset(m->out_written, 0, sizeof m->out_written);
	m->address_written = 0;
	memset(m->regions, 0, sizeof m->regions);
	m->kills = 0;
	m->undecided = 0;
	for (m->at = 0; m->at < m->program->instrs.n; m->at++) {
		const struct instr *i = &m->program->instrs.at[m->at];
		lanes mask = instr_writes(i);
		felt d[LANES][COLUMNS];
		m->literal = may_give_numbers(m, i);
		m->scales = m->roots && !m->follows && !m->small && may_scale(m, i);
		if (instr_names_no_lane(i))
			evaluate_without_lanes(m, i, mask, d);
		else
			evaluate_instr(m, i, mask, d);
		if (m->rounding)
			round_lanes(m, mask, d);
		EACH_LANE(l, i->flags & INSTR_SAT ? mask : 0)
			EACH_COLUMN d[l][c] = element_saturate(m, c, d[l][c]);
		EACH_LANE(l, m->coarse && i->flags & INSTR_PP ? mask : 0)
			EACH_COLUMN d[l][c] = d[l][c] ? element_function(m, c, TAG_COARSE, d[l][c]) : 0;
		if (i->op == OP_SINCOS) /* sincos clobbers the lanes of xyz that its mask leaves out */
			m->temp_written[i->dst.index] &= MASK_W;
		if (i->op == OP_SGN) {
			m->temp_written[i->src[1].index] = 0;
			m->temp_written[i->src[2].index] = 0;
		}
		EACH_LANE(l, m->trace ? mask : 0)
			copy_columns(m->trace[m->at][l], d[l]);
		if (mask) {
			store_field_result(m, i, mask, d);
			note_numbers(m, i, mask, d);
		}
	}
}

#undef EACH_COLUMN
