/* Value numbers of the FP's lanes, see values.h.  requires: checked programs; builds: struct values. */
#include "lang/rounding.h"
#include "move/passes.h"
#include "move/graph/ties.h"
#include "move/graph/values.h"

#include <string.h>

struct state {
	int temps; /* registers from r0 on that are followed */
	struct {
		value_id value[LANES];
		int32_t def[LANES];
	} *temp;
};

static value_id read_lane(struct values *v, const struct state *state, const struct src *s, unsigned position,
                          int32_t *def, int row)
{
	unsigned lane = swizzle_lane(s->swizzle, position);
	int index = s->index + row;
	value_id id = NO_VALUE;
	*def = -1;
	switch ((enum reg_file)s->file) {
	case REG_TEMP:
		if (index < state->temps) {
			id = state->temp[index].value[lane];
			*def = state->temp[index].def[lane];
		} else if (index < VALUE_TEMPS) {
			*def = -2;
		}
		break;
	case REG_CONST: {
		const struct decl *d = program_decl(v->ps, REG_CONST, index);
		id = d ? value_of_literal(v, d->value[lane]) : value_of_constant(v, index, lane);
		break;
	}
	case REG_TEXCOORD:
		if (index < TEXCOORDS)
			id = v->input[(unsigned)index * LANES + lane];
		break;
	case REG_INPUT:
	case REG_ADDRESS:
	case REG_SAMPLER:
	case REG_POS_OUT:
	case REG_FOG_OUT:
	case REG_SIZE_OUT:
	case REG_COLOUR_OUT:
	case REG_TEX_OUT:
	case REG_PIXEL_OUT:
	case REG_DEPTH_OUT:
	case REG_FILES: break;
	}
	if (id == NO_VALUE)
		id = value_new_pixel(v);
	else if (s->negate && value_at(v, id)->class != VALUE_PIXEL)
		id = value_negated(v, id);
	return id;
}

/* A sum of products, if all of it is movable. */
static value_id dot(struct values *v, const value_id *a, const value_id *b, unsigned n)
{
	bool constant = true;
	value_id args[8];
	for (unsigned i = 0; i < n; i++) {
		constant &= value_at(v, a[i])->class == VALUE_CONST && value_at(v, b[i])->class == VALUE_CONST;
		args[2 * i] = a[i];
		args[2 * i + 1] = b[i];
	}
	if (constant && n >= 3)
		return value_make(v, n == 3 ? CONST_DP3 : CONST_DP4, args, 2 * n);
	value_id sum = NO_VALUE;
	for (unsigned i = 0; i < n; i++) {
		value_id p = value_product(v, a[i], b[i]);
		if (p == NO_VALUE)
			return NO_VALUE;
		sum = i == 0 ? p : value_sum(v, sum, p);
		if (sum == NO_VALUE)
			return NO_VALUE;
	}
	return sum;
}

static value_id mad(struct values *v, value_id a, value_id b, value_id c)
{
	if (value_at(v, a)->class == VALUE_CONST && value_at(v, b)->class == VALUE_CONST &&
	    value_at(v, c)->class == VALUE_CONST && c != v->zero && a != v->one && b != v->one &&
	    a != v->zero && b != v->zero)
		return value_function(v, CONST_MAD, a, b, c);
	value_id p = value_product(v, a, b);
	return p == NO_VALUE || value_at(v, c)->class == VALUE_PIXEL ? NO_VALUE : value_sum(v, p, c);
}

static value_id function(struct values *v, enum const_op op, value_id a, value_id b, value_id c)
{
	value_id const args[3] = {a, b, c};
	for (unsigned i = 0; i < 3; i++)
		if (args[i] != NO_VALUE && value_at(v, args[i])->class != VALUE_CONST)
			return NO_VALUE;
	/* What an interpolator brought decides in the FP: that it is a digit off may be part of the picture. */
	if ((op == CONST_CMP || op == CONST_FRC) && value_at(v, a)->sent)
		return NO_VALUE;
	return value_function(v, op, a, b, c);
}

/* The literals that vs_2_0 and ps_2_0 want beside it count as arguments. */
static value_id sincos(struct values *v, const struct instr *i, value_id x, unsigned lane)
{
	if (!v->sincos || lane > LANE_Y || x == NO_VALUE || value_at(v, x)->class != VALUE_CONST || value_at(v, x)->wild)
		return NO_VALUE;
	const struct decl *d[2];
	for (unsigned s = 0; s < 2; s++) {
		d[s] = program_decl(v->ps, REG_CONST, i->src[s + 1].index);
		if (!d[s] || i->src[s + 1].swizzle != SWIZZLE_XYZW || i->src[s + 1].negate)
			return NO_VALUE;
	}
	return value_of_sincos(v, x, lane, d[0], d[1]);
}

/* The value of one result lane, from the operands' lanes; NO_VALUE: pixel. */
static value_id result_lane(struct values *v, const struct instr *i, const struct use *u, unsigned lane)
{
	value_id x = u[0].value[lane], y = u[1].value[lane], z = u[2].value[lane];
	value_id sx = u[0].value[0], sy = u[1].value[0];
	switch ((enum op)i->op) {
	case OP_MOV: return value_is_movable(v, x) ? x : NO_VALUE;
	case OP_ADD: return value_is_movable(v, x) && value_is_movable(v, y) ? value_sum(v, x, y) : NO_VALUE;
	case OP_SUB:
		return value_is_movable(v, x) && value_is_movable(v, y) ? value_sum(v, x, value_negated(v, y)) : NO_VALUE;
	case OP_MUL: return value_product(v, x, y);
	case OP_MAD: return mad(v, x, y, z);
	case OP_LRP:
		if (!value_is_movable(v, x) || !value_is_movable(v, y) || !value_is_movable(v, z))
			return NO_VALUE;
		z = value_sum(v, y, value_negated(v, z)); /* s1 - s2 */
		if (z == NO_VALUE)
			return NO_VALUE;
		return mad(v, x, z, u[2].value[lane]);
	case OP_DP3: return dot(v, u[0].value, u[1].value, 3);
	case OP_DP4: return dot(v, u[0].value, u[1].value, 4);
	case OP_DP2ADD: {
		value_id p = dot(v, u[0].value, u[1].value, 2);
		return p == NO_VALUE || !value_is_movable(v, u[2].value[0]) ? NO_VALUE : value_sum(v, p, u[2].value[0]);
	}
	case OP_CRS: {
		unsigned p = (lane + 1) % 3, q = (lane + 2) % 3;
		if (lane > 2)
			return NO_VALUE;
		value_id a = value_product(v, u[0].value[p], u[1].value[q]);
		value_id b = value_product(v, u[0].value[q], u[1].value[p]);
		return a == NO_VALUE || b == NO_VALUE ? NO_VALUE : value_sum(v, a, value_negated(v, b));
	}
	case OP_ABS: return function(v, CONST_ABS, x, NO_VALUE, NO_VALUE);
	case OP_CMP: return function(v, CONST_CMP, x, y, z);
	case OP_MAX: return function(v, CONST_MAX, x, y, NO_VALUE);
	case OP_MIN: return function(v, CONST_MIN, x, y, NO_VALUE);
	case OP_FRC: return function(v, CONST_FRC, x, NO_VALUE, NO_VALUE);
	case OP_RCP: return function(v, CONST_RCP, sx, NO_VALUE, NO_VALUE);
	case OP_RSQ: return function(v, CONST_RSQ, sx, NO_VALUE, NO_VALUE);
	case OP_EXP: return function(v, CONST_EXP, sx, NO_VALUE, NO_VALUE);
	case OP_LOG: return function(v, CONST_LOG, sx, NO_VALUE, NO_VALUE);
	case OP_POW: return function(v, CONST_POW, sx, sy, NO_VALUE);
	case OP_SINCOS: return sincos(v, i, sx, lane);
	case OP_NRM: {
		for (unsigned k = 0; k < 3; k++)
			if (value_at(v, u[0].value[k])->class != VALUE_CONST)
				return NO_VALUE;
		value_id length = dot(v, u[0].value, u[0].value, 3);
		value_id scale = value_function(v, CONST_RSQ, length, NO_VALUE, NO_VALUE);
		return value_product(v, u[0].value[lane], scale);
	}
	/* A matrix's rows are not in `use`: values_number does them. */
	case OP_M3X2: case OP_M3X3: case OP_M3X4: case OP_M4X3: case OP_M4X4:
	case OP_TEXKILL: case OP_TEXLD: case OP_TEXLDB: case OP_TEXLDP: case OP_NOP:
	case OP_DST: case OP_EXPP: case OP_LOGP: case OP_LIT: case OP_MOVA: case OP_SGE: case OP_SLT: case OP_SGN:
	case OP_COUNT: break;
	}
	return NO_VALUE;
}

static value_id matrix_lane(struct values *v, const struct state *state, const struct instr *i,
                            const struct use *u, unsigned lane)
{
	unsigned n = i->op == OP_M4X4 || i->op == OP_M4X3 ? 4 : 3;
	value_id row[LANES];
	int32_t def;
	for (unsigned k = 0; k < n; k++)
		row[k] = read_lane(v, state, &i->src[1], k, &def, (int)lane);
	return dot(v, u[0].value, row, n);
}

/* Adds the lanes that the VP writes. */
static void find_written(const struct program *vs, lanes written[TEXCOORDS])
{
	for (uint32_t k = 0; k < vs->instrs.n; k++) {
		const struct instr *i = &vs->instrs.at[k];
		if (instr_writes(i) && i->dst.file == REG_TEX_OUT && i->dst.index < TEXCOORDS)
			written[i->dst.index] |= i->dst.mask;
	}
}

/* Programs that declare a t# in different ways agree on which t#s they declare alike. */
static void find_kinds(struct values *v)
{
	bool mixed[TEXCOORDS] = {false}, declared[TEXCOORDS] = {false};
	for (unsigned k = 0; k < v->programs; k++) {
		for (unsigned r = 0; r < TEXCOORDS; r++) {
			const struct decl *d = program_decl(v->numbering[k].ps, REG_TEXCOORD, (int)r);
			v->numbering[k].flags[r] = d ? d->flags : 0;
			mixed[r] |= d && declared[r] && v->kind[r] != d->flags;
			v->kind[r] = d ? d->flags : v->kind[r];
			declared[r] |= d != NULL;
		}
	}
	for (unsigned r = 0; r < TEXCOORDS; r++) {
		for (unsigned like = 0; mixed[r] && like <= r; like++) {
			bool same = mixed[like];
			for (unsigned k = 0; k < v->programs; k++)
				same &= v->numbering[k].flags[r] == v->numbering[k].flags[like];
			if (!same)
				continue;
			v->kind[r] = (uint8_t)(KIND_MIXED + like);
			break;
		}
	}
}

uint8_t value_kind_flags(const struct values *v, uint8_t kind)
{
	return kind == KIND_ANY ? 0 : kind < KIND_MIXED ? kind : v->numbering[v->program].flags[kind - KIND_MIXED];
}

void values_turn(struct values *v, unsigned program)
{
	const struct numbering *n = &v->numbering[program];
	v->program = program;
	v->ps = n->ps;
	v->use = n->use;
	v->def = n->def;
}

/* What the FPs read, and what the VP has to say of it; of several VPs only that they write it. */
static void find_inputs(struct values *v, const struct program *const *vs, unsigned nvs)
{
	lanes read[TEXCOORDS] = {0}, some[TEXCOORDS] = {0};
	for (unsigned k = 0; k < nvs; k++) {
		lanes written[TEXCOORDS] = {0};
		find_written(vs[k], written);
		for (unsigned r = 0; r < TEXCOORDS; r++) {
			v->opaque[r] |= MASK_XYZW & ~(uint32_t)written[r];
			some[r] |= written[r];
		}
	}
	for (unsigned n = 0; n < v->programs; n++) {
		const struct program *ps = v->numbering[n].ps;
		for (uint32_t k = 0; k < ps->instrs.n; k++)
			for (unsigned s = 0; s < ops[ps->instrs.at[k].op].sources; s++)
				if (ps->instrs.at[k].src[s].file == REG_TEXCOORD && ps->instrs.at[k].src[s].index < TEXCOORDS)
					read[ps->instrs.at[k].src[s].index] |= instr_reads(ps, &ps->instrs.at[k], s);
	}
	for (unsigned r = 0; r < TEXCOORDS; r++)
		v->uneven |= read[r] & v->opaque[r] & some[r];
	if (nvs == 1)
		values_find_inputs(v, vs[0], read);
	for (unsigned i = 0; nvs > 1 && i < TEXCOORDS * LANES; i++)
		v->input[i] = read[i / LANES] >> i % LANES & 1 && !(v->opaque[i / LANES] >> i % LANES & 1)
		                      ? value_of_input(v, i, v->kind[i / LANES])
		                      : NO_VALUE;
}

static void number_program(struct values *v)
{
	struct arena *arena = v->arena;
	const struct program *ps = v->ps;
	uint32_t n = ps->instrs.n;
	v->use = arena_zero(arena, (n + 1) * sizeof *v->use);
	v->def = arena_alloc(arena, (n + 1) * sizeof *v->def);
	struct state state = {0, NULL};
	for (uint32_t k = 0; k < n; k++)
		if (ps->instrs.at[k].dst.file == REG_TEMP && ps->instrs.at[k].dst.index >= state.temps)
			state.temps = ps->instrs.at[k].dst.index < VALUE_TEMPS ? ps->instrs.at[k].dst.index + 1 : VALUE_TEMPS;
	state.temp = arena_alloc(arena, (size_t)state.temps * sizeof *state.temp);
	for (int r = 0; r < state.temps; r++)
		for (unsigned lane = 0; lane < LANES; lane++) {
			state.temp[r].value[lane] = NO_VALUE;
			state.temp[r].def[lane] = -2;
		}
	for (uint32_t k = 0; k < n; k++) {
		const struct instr *i = &ps->instrs.at[k];
		lanes written = instr_writes(i);
		for (unsigned s = 0; s < MAX_SOURCES; s++) {
			struct use *u = &v->use[k][s];
			for (unsigned p = 0; p < LANES; p++) {
				u->value[p] = NO_VALUE;
				u->def[p] = -1;
			}
			if (s >= ops[i->op].sources || i->src[s].file == REG_SAMPLER)
				continue;
			u->read = instr_operand_lanes(ps, i, s, written);
			for (unsigned p = 0; p < LANES; p++)
				if (u->read >> p & 1)
					u->value[p] = read_lane(v, &state, &i->src[s], p, &u->def[p], 0);
		}
		for (unsigned lane = 0; lane < LANES; lane++)
			v->def[k][lane] = NO_VALUE;
		bool to_temp = written && i->dst.file == REG_TEMP && i->dst.index < VALUE_TEMPS;
		for (unsigned lane = 0; lane < LANES; lane++) {
			if (!(written >> lane & 1))
				continue;
			value_id id = NO_VALUE;
			v->refused = false;
			if (to_temp)
				id = ops[i->op].shape == SHAPE_MATRIX ? matrix_lane(v, &state, i, v->use[k], lane)
				                                      : result_lane(v, i, v->use[k], lane);
			if (id != NO_VALUE && i->flags & INSTR_SAT)
				id = function(v, CONST_SAT, id, NO_VALUE, NO_VALUE);
			v->def[k][lane] = id != NO_VALUE ? id : value_new_pixel(v);
			if (id == NO_VALUE)
				v->all.at[v->def[k][lane]].rounds = v->refused;
		}
		for (unsigned lane = 0; to_temp && lane < LANES; lane++) {
			if (written >> lane & 1) {
				state.temp[i->dst.index].value[lane] = v->def[k][lane];
				state.temp[i->dst.index].def[lane] = (int32_t)k;
			}
		}
	}
	v->numbering[v->program].use = v->use;
	v->numbering[v->program].def = v->def;
}

/* Marks what is tied in the program at hand, and its opposite; false: nothing is. */
static bool find_tied(struct values *v)
{
	bool any = false;
	struct ties const ties = ties_find(v->arena, v->ps, v);
	for (uint32_t k = 0; k < v->ps->instrs.n; k++) {
		for (unsigned lane = 0; lane < LANES; lane++) {
			value_id const id = v->def[k][lane];
			/* Interpolation leaves 0 alone. */
			if (ties_of_def(&ties, k, lane) == NO_TIE || value_at(v, id)->class != VALUE_CONST || id == v->zero)
				continue;
			value_id const minus = value_negated(v, id);
			v->all.at[id].tied = v->all.at[minus].tied = any = true;
		}
	}
	return any;
}

/* Does the VP send literals? */
static bool has_flat_inputs(const struct values *v)
{
	bool any = false;
	for (unsigned i = 0; i < TEXCOORDS * LANES && !any; i++)
		any = v->input[i] != NO_VALUE && value_at(v, v->input[i])->known;
	return any;
}

static struct values *number_all(struct arena *arena, const struct program *const *vs, unsigned nvs,
                                 const struct program *const *ps, unsigned nps, const struct move_options *options,
                                 bool apart, bool careful, bool *tied)
{
	struct values *v = values_new(arena, ps[0], careful);
	v->sincos = options && options->preshader;
	v->apart = apart;
	v->programs = nps;
	v->numbering = arena_zero(arena, nps * sizeof *v->numbering);
	for (unsigned k = 0; k < nps; k++)
		v->numbering[k].ps = v->numbering[k].given = ps[k];
	find_kinds(v);
	find_inputs(v, vs, nvs);
	for (unsigned k = 0; k < nps; k++) {
		values_turn(v, k);
		number_program(v);
		*tied |= options && !options->free_ties && find_tied(v);
	}
	values_turn(v, 0);
	return v;
}

struct values *values_number_all(struct arena *arena, const struct program *const *vs, unsigned nvs,
                                 const struct program *const *ps, unsigned nps, const struct move_options *options)
{
	/* What is not movable is rounded, too. */
	bool careful = false, tied = false;
	for (unsigned k = 0; k < nps * nvs && !careful; k++)
		careful = rounding_any(vs[k % nvs], ps[k / nvs]);
	struct values *v = number_all(arena, vs, nvs, ps, nps, options, false, careful, &tied);
	careful |= v->rounds;
	if (v->careful != careful)
		v = number_all(arena, vs, nvs, ps, nps, options, false, careful, &tied);
	return tied && has_flat_inputs(v) ? number_all(arena, vs, nvs, ps, nps, options, true, careful, &tied) : v;
}

struct values *values_number(struct arena *arena, const struct program *vs, const struct program *ps)
{
	return values_number_all(arena, &vs, 1, &ps, 1, NULL);
}

struct values *values_number_apart(struct arena *arena, const struct program *vs, const struct program *ps)
{
	bool tied = false;
	return number_all(arena, &vs, 1, &ps, 1, NULL, true, false, &tied);
}
