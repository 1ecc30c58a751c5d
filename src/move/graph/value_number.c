/* Gives each lane that an FP reads or writes a value number, see values.h: first the lanes that interpolators deliver, then the others in one walk
 * through each FP, by the rules of class.c. requires: checked programs; builds: struct values. */
#include "base/profile.h"
#include "lang/rounding.h"
#include "move/passes.h"
#include "move/graph/ties.h"
#include "move/graph/values.h"

#include <string.h>

/* Adds to written[r] the lanes of oT r that the VP writes. */
static void add_lanes_written(const struct program *vs, lanes written[MOST_TEXCOORDS])
{
	for (uint32_t k = 0; k < vs->instrs.n; k++) {
		const struct instr *i = &vs->instrs.at[k];
		if (instr_writes(i) && i->dst.file == REG_TEX_OUT && i->dst.index < MOST_TEXCOORDS)
			written[i->dst.index] |= i->dst.mask;
	}
}

/* Finds the kind of interpolation (_pp, _centroid) of each t#.  If the FPs declare a t# in several ways, its kind is KIND_MIXED + n, where t#n is
 * the first t# that each FP declares in the same way as this one. */
static void find_kinds(struct values *v)
{
	bool mixed[MOST_TEXCOORDS] = {false}, declared[MOST_TEXCOORDS] = {false};
	for (unsigned k = 0; k < v->programs; k++) {
		for (unsigned r = 0; r < MOST_TEXCOORDS; r++) {
			const struct decl *d = program_decl(v->numbering[k].ps, REG_TEXCOORD, (int)r);
			v->numbering[k].flags[r] = d ? d->flags : 0;
			mixed[r] |= d && declared[r] && v->inputs.kind[r] != d->flags;
			v->inputs.kind[r] = d ? d->flags : v->inputs.kind[r];
			declared[r] |= d != NULL;
		}
	}
	for (unsigned r = 0; r < MOST_TEXCOORDS; r++) {
		for (unsigned like = 0; mixed[r] && like <= r; like++) {
			bool same = mixed[like];
			for (unsigned k = 0; k < v->programs; k++)
				same &= v->numbering[k].flags[r] == v->numbering[k].flags[like];
			if (!same)
				continue;
			v->inputs.kind[r] = (uint8_t)(KIND_MIXED + like);
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

/* Finds the t# lanes that the FPs read, and their values.  With one VP, values_find_inputs() finds the values.  With several VPs, a lane is an
 * independent input if all of them write it, or one of them must write it for other FPs, else NO_VALUE. */
static void find_fp_inputs(struct values *v, const struct program *const *vs, unsigned nvs)
{
	lanes read[MOST_TEXCOORDS] = {0}, some[MOST_TEXCOORDS] = {0}, promised[MOST_TEXCOORDS] = {0}; /* promised: lanes that a VP must write for
	                                                                                               * other FPs */
	for (unsigned k = 0; k < nvs; k++) {
		lanes written[MOST_TEXCOORDS] = {0};
		add_lanes_written(vs[k], written);
		for (unsigned r = 0; r < MOST_TEXCOORDS; r++) {
			v->inputs.opaque[r] |= MASK_XYZW & ~(uint32_t)written[r];
			promised[r] |= vs[k]->promised.texcoord[r] & written[r];
			some[r] |= written[r];
		}
	}
	for (unsigned n = 0; n < v->programs; n++) {
		const struct program *ps = v->numbering[n].ps;
		for (uint32_t k = 0; k < ps->instrs.n; k++)
			EACH_SOURCE(s, &ps->instrs.at[k])
				if (ps->instrs.at[k].src[s].file == REG_TEXCOORD && ps->instrs.at[k].src[s].index < MOST_TEXCOORDS)
					read[ps->instrs.at[k].src[s].index] |= instr_reads(ps, &ps->instrs.at[k], s);
	}
	for (unsigned r = 0; r < MOST_TEXCOORDS; r++) {
		v->inputs.uneven |= read[r] & v->inputs.opaque[r] & some[r];
		read[r] |= promised[r];
	}
	if (nvs == 1)
		values_find_inputs(v, vs[0], read);
	for (unsigned i = 0; nvs > 1 && i < MOST_TEXCOORDS * LANES; i++)
		v->inputs.value[i] = (promised[i / LANES] | (read[i / LANES] & ~v->inputs.opaque[i / LANES])) >> i % LANES & 1
		                      ? value_of_input(v, i, v->inputs.kind[i / LANES])
		                      : NO_VALUE;
	v->inputs.last = 0;
	for (unsigned i = 0; i < MOST_TEXCOORDS * LANES; i++)
		if (v->inputs.value[i] != NO_VALUE && v->inputs.value[i] > v->inputs.last)
			v->inputs.last = v->inputs.value[i];
}

static void number_program(struct values *v)
{
	struct evaluation e = {.domain = &value_numbers, .self = v, .program = v->ps};
	v->def = arena_alloc(v->arena, (v->ps->instrs.n + 1) * sizeof *v->def);
	memset(v->def, 0xff, (v->ps->instrs.n + 1) * sizeof *v->def); /* sets all to NO_VALUE */
	evaluate(v->arena, &e, NULL);
	v->use = e.uses;
	v->numbering[v->program].use = v->use;
	v->numbering[v->program].def = v->def;
}

/* Marks the exact numbers of the current FP on which decisions depend as tied.  Returns true if there are any. */
static bool find_tied(struct values *v)
{
	bool any = false;
	struct ties const ties = ties_find(v->arena, v->ps, v);
	for (uint32_t k = 0; k < v->ps->instrs.n; k++) {
		for (unsigned lane = 0; lane < LANES; lane++) {
			value_id const id = v->def[k][lane];
			/* Interpolation keeps 0 exact, also the 0 of a sum of multiples of inputs that are all 0. */
			if (ties_of_def(&ties, k, lane) == NO_TIE || value_is_pixel(v, id) || id == v->zero ||
			    (value_at(v, id)->class == VALUE_AFFINE && value_at(v, id)->constant == v->zero))
				continue;
			value_tie(v, id, TIED_EXACT);
			any = true;
		}
	}
	return any;
}

/* Returns true if the VP delivers a known number, computed from literals, in some t# lane whose value is known (inputs.value). */
static bool has_flat_inputs(const struct values *v)
{
	bool any = false;
	for (unsigned i = 0; i < MOST_TEXCOORDS * LANES && !any; i++)
		any = v->inputs.value[i] != NO_VALUE && value_at(v, v->inputs.value[i])->known;
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
	find_fp_inputs(v, vs, nvs);
	for (unsigned k = 0; k < nps; k++) {
		values_turn(v, k);
		number_program(v);
		*tied |= options && !options->free_ties && find_tied(v);
		if (options && !options->free_ties)
			quotients_tie(v);
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
	/* rounding_any() finds roundings of values that cannot move, too; v->rounds does not. */
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

struct values *values_number_apart(struct arena *arena, const struct program *vs, const struct program *ps, struct values *known)
{
	bool tied = false;
	return known && !known->careful && !has_flat_inputs(known) ? known : number_all(arena, &vs, 1, &ps, NULL, 1, NULL, true, false, &tied);
}
