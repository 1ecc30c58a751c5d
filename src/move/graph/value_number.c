/* Value numbers of the FP's lanes, see values.h.  requires: checked programs; builds: struct values. */
#include "base/profile.h"
#include "lang/rounding.h"
#include "move/passes.h"
#include "move/graph/ties.h"
#include "move/graph/values.h"

#include <assert.h>
#include <string.h>

static worth given(struct evaluation *e, enum reg_file file, int index, unsigned lane, worth by)
{
	struct values *v = e->self;
	value_id id = NO_VALUE;
	(void)by;
	if (file == REG_CONST)
		id = value_of_constant(v, index, lane);
	else if (file == REG_TEXCOORD && index < TEXCOORDS)
		id = v->input[(unsigned)index * LANES + lane];
	return id != NO_VALUE ? id : value_new_pixel(v);
}

static worth literal(struct evaluation *e, float number)
{
	return value_of_literal(e->self, number);
}

/* Of a pixel value nobody asks for the sign. */
static worth minus(struct evaluation *e, worth x)
{
	return value_is_movable(e->self, x) ? value_negated(e->self, x) : x;
}

static worth sum(struct evaluation *e, worth x, worth y)
{
	return value_sum(e->self, x, y);
}

static worth product(struct evaluation *e, worth x, worth y)
{
	return value_product(e->self, x, y);
}

static bool all_constant(const struct values *v, const value_id *x, unsigned n)
{
	bool all = true;
	for (unsigned k = 0; k < n; k++)
		all &= x[k] != NO_VALUE && value_at(v, x[k])->class == VALUE_CONST;
	return all;
}

static worth mad(struct evaluation *e, worth x, worth y, worth z)
{
	struct values *v = e->self;
	value_id const args[] = {x, y, z};
	bool const less = z == v->zero || x == v->one || y == v->one || x == v->zero || y == v->zero;
	return all_constant(v, args, 3) && !less ? value_make(v, CONST_MAD, args, 3) : NO_VALUE;
}

static worth dot(struct evaluation *e, const worth *x, const worth *y, unsigned n)
{
	value_id args[2 * LANES];
	for (unsigned k = 0; k < n; k++) {
		args[2 * k] = x[k];
		args[2 * k + 1] = y[k];
	}
	if (n < 3 || !all_constant(e->self, args, 2 * n))
		return NO_VALUE;
	return value_make(e->self, n == 3 ? CONST_DP3 : CONST_DP4, args, 2 * n);
}

/* The literals that vs_2_0 and ps_2_0 want beside it count as arguments. */
static value_id sincos(const struct evaluation *e, value_id x)
{
	struct values *v = e->self;
	const struct instr *i = instr_at_hand(e);
	const struct decl *d[2];
	if (!v->sincos || e->lane > LANE_Y || value_at(v, x)->wild)
		return NO_VALUE;
	for (unsigned s = 0; s < 2; s++) {
		d[s] = program_decl(v->ps, REG_CONST, i->src[s + 1].index);
		if (!d[s] || i->src[s + 1].swizzle != SWIZZLE_XYZW || i->src[s + 1].negate)
			return NO_VALUE;
	}
	return value_of_sincos(v, x, e->lane, d[0], d[1]);
}

/* Of constants alone. */
static worth function(struct evaluation *e, enum op op, const worth *x, unsigned n)
{
	static const uint8_t functions[OP_COUNT + 1] = {
		[OP_ABS] = CONST_ABS, [OP_CMP] = CONST_CMP, [OP_MAX] = CONST_MAX, [OP_MIN] = CONST_MIN, [OP_FRC] = CONST_FRC,
		[OP_RCP] = CONST_RCP, [OP_RSQ] = CONST_RSQ, [OP_EXP] = CONST_EXP, [OP_LOG] = CONST_LOG, [OP_POW] = CONST_POW,
		[SATURATED] = CONST_SAT,
	};
	if ((!functions[op] && op != OP_SINCOS) || !all_constant(e->self, x, n))
		return NO_VALUE;
	/* What an interpolator brought decides in the FP: that it is a digit off may be part of the picture. */
	if ((op == OP_CMP || op == OP_FRC) && value_at(e->self, x[0])->sent)
		return NO_VALUE;
	return op == OP_SINCOS ? sincos(e, x[0]) : value_make(e->self, (enum const_op)functions[op], x, n);
}
static_assert(CONST_LITERAL == 0, "no function");

/* What reads a pixel value is one. */
static bool follows(struct evaluation *e)
{
	const struct instr *i = instr_at_hand(e);
	struct values *v = e->self;
	bool all = i->dst.file == REG_TEMP && i->dst.index < EVALUATE_TEMPS;
	v->refused = false;
	for (unsigned s = 0; s < ops[i->op].sources && all; s++) {
		lanes const read = instr_rows(i, s) > 1 ? 0 : instr_operand_lanes(v->ps, i, s, (lanes)(1u << e->lane));
		for (unsigned p = 0; p < LANES; p++)
			all &= !(read >> p & 1) || value_is_movable(v, e->use[s].value[p]);
	}
	return all;
}

static worth result(struct evaluation *e, worth x)
{
	struct values *v = e->self;
	value_id const id = x != NO_VALUE ? x : value_new_pixel(v);
	if (x == NO_VALUE)
		v->all.at[id].rounds = v->refused;
	v->def[e->at][e->lane] = id;
	return id;
}

static const struct domain value_numbers = {given, literal, minus, sum, product, mad, dot, function, follows, result};

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
	struct evaluation e = {.domain = &value_numbers, .self = v, .program = v->ps};
	v->def = arena_alloc(v->arena, (v->ps->instrs.n + 1) * sizeof *v->def);
	memset(v->def, 0xff, (v->ps->instrs.n + 1) * sizeof *v->def); /* NO_VALUE */
	evaluate(v->arena, &e, NULL);
	v->use = e.uses;
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
                                 const struct program *const *ps, const struct sites *sites, unsigned nps,
                                 const struct move_options *options, bool apart, bool careful, bool *tied)
{
	struct values *v = values_new(arena, ps[0], careful);
	v->sincos = options && options->preshader;
	v->apart = apart;
	v->programs = nps;
	v->numbering = arena_zero(arena, nps * sizeof *v->numbering);
	for (unsigned k = 0; k < nps; k++)
		v->numbering[k] = (struct numbering){.ps = ps[k], .given = ps[k], .sites = sites && sites[k].n ? &sites[k] : NULL};
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
	return values_number_sites(arena, vs, nvs, ps, NULL, nps, options);
}

struct values *values_number_sites(struct arena *arena, const struct program *const *vs, unsigned nvs,
                                   const struct program *const *ps, const struct sites *sites, unsigned nps,
                                   const struct move_options *options)
{
	struct profile *const profile = options ? options->profile : NULL;
	/* What is not movable is rounded, too. */
	bool careful = false, tied = false;
	profile_begin(profile, "values");
	for (unsigned k = 0; k < nps * nvs && !careful; k++)
		careful = rounding_any(vs[k % nvs], ps[k / nvs]);
	struct values *v = number_all(arena, vs, nvs, ps, sites, nps, options, false, careful, &tied);
	careful |= v->rounds;
	if (v->careful != careful)
		v = number_all(arena, vs, nvs, ps, sites, nps, options, false, careful, &tied);
	if (tied && has_flat_inputs(v))
		v = number_all(arena, vs, nvs, ps, sites, nps, options, true, careful, &tied);
	profile_end(profile);
	return v;
}

struct values *values_number(struct arena *arena, const struct program *vs, const struct program *ps)
{
	return values_number_all(arena, &vs, 1, &ps, 1, NULL);
}

struct values *values_number_apart(struct arena *arena, const struct program *vs, const struct program *ps)
{
	bool tied = false;
	return number_all(arena, &vs, 1, &ps, NULL, 1, NULL, true, false, &tied);
}
