/* Prepares a program for a run on field elements: checks its registers, and reads its declarations.  field_run.c runs it. */
#include "verify/field_run.h"

#include <string.h>

/* For each stage, the number of registers in each register file that a program may name. */
static const int16_t registers[2][REG_FILES] = {
	[STAGE_VERTEX] = {[REG_TEMP] = MACHINE_TEMPS, [REG_INPUT] = MACHINE_INPUTS, [REG_CONST] = MACHINE_CONSTS,
	                  [REG_ADDRESS] = 1, [REG_POS_OUT] = 1, [REG_FOG_OUT] = 1, [REG_SIZE_OUT] = 1,
	                  [REG_COLOUR_OUT] = MACHINE_COLOURS, [REG_TEX_OUT] = MACHINE_CARRIERS - MACHINE_COLOURS,
	                  [REG_SAMPLER] = INTERP_SAMPLERS},
	[STAGE_PIXEL] = {[REG_TEMP] = MACHINE_TEMPS, [REG_INPUT] = MACHINE_COLOURS,
	                 [REG_TEXCOORD] = MACHINE_CARRIERS - MACHINE_COLOURS, [REG_CONST] = MACHINE_CONSTS,
	                 [REG_SAMPLER] = INTERP_SAMPLERS, [REG_PIXEL_OUT] = INTERP_TARGETS, [REG_DEPTH_OUT] = 1,
	                 [REG_PIXEL_POS] = 1, [REG_FACE] = 1},
};

static bool is_readable(enum stage stage, const struct instr *i, unsigned s)
{
	const struct src *src = &i->src[s];
	enum reg_file file = (enum reg_file)src->file;
	bool sampler = s == 1 && instr_samples(i);
	if (reg_files[file].output || file == REG_ADDRESS || sampler != (file == REG_SAMPLER))
		return false;
	if (src->relative)
		return file == REG_CONST;
	if (i->op == OP_SGN && s > 0 && file != REG_TEMP)
		return false;
	int rows = s == 1 && ops[i->op].shape == SHAPE_MATRIX ? (int)instr_rows(i, s) : 1;
	return src->index >= 0 && src->index + rows <= registers[stage][file];
}

static bool is_writable(enum stage stage, const struct instr *i)
{
	enum reg_file file = (enum reg_file)i->dst.file;
	if (ops[i->op].flags & OPF_NO_DST)
		return true;
	if (file != REG_TEMP && file != REG_ADDRESS && !reg_files[file].output)
		return false;
	if (ops[i->op].shape == SHAPE_SINCOS && (file != REG_TEMP || i->dst.mask & ~MASK_XY))
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
		bool good = is_writable(stage, i);
		for (unsigned s = 0; s < ops[i->op].sources; s++)
			good = good && is_readable(stage, i, s);
		if (!good)
			return arena_printf(arena, "instruction %u of the %s program (%s) has a register or lane that is not allowed there",
			                    (unsigned)k + 1, name, ops[i->op].name);
	}
	return NULL;
}

void field_run_load(struct arena *arena, struct field_run *m, const struct program *p)
{
	m->program = p;
	m->stage = program_stage(p);
	m->plane = NULL;
	m->places = NULL;
	m->like = NULL;
	m->choice = 0;
	memset(m->def, -1, sizeof m->def);
	memset(m->set_from, -1, sizeof m->set_from);
	memset(m->input, 0, sizeof m->input);
	memset(m->declared, MASK_XYZW, sizeof m->declared);
	m->partial = 0;
	m->centroid = (1u << MACHINE_COLOURS) - 1;
	unsigned seen = 0;
	for (unsigned c = 0; c < MACHINE_CARRIERS; c++)
		for (unsigned l = 0; l < LANES; l++)
			m->carrier_name[c][l] = (uint16_t)c;
	for (uint32_t k = 0; k < p->decls.n; k++) {
		const struct decl *d = &p->decls.at[k];
		if (d->kind == DECL_DEF && d->reg.index >= 0 && d->reg.index < MACHINE_CONSTS && k <= INT16_MAX)
			m->def[d->reg.index] = (int16_t)k;
		else if (d->kind == DECL_VERTEX_INPUT && d->reg.index >= 0 && d->reg.index < 16)
			m->input[d->reg.index] = d;
		else if (d->reg.file == REG_TEXCOORD && d->reg.index >= 0 && d->reg.index < MACHINE_CARRIERS - MACHINE_COLOURS) {
			/* In model 3 several declarations may divide the lanes of one register. */
			bool const first = !(seen >> d->reg.index & 1);
			lanes *declared = &m->declared[MACHINE_COLOURS + d->reg.index];
			*declared = first || !model_links(p->model) ? d->reg.mask : *declared | d->reg.mask;
			seen |= 1u << d->reg.index;
			for (unsigned l = 0; l < LANES && model_links(p->model) && d->usage < USAGES; l++)
				if (first || d->reg.mask >> l & 1)
					m->carrier_name[MACHINE_COLOURS + d->reg.index][l] =
						(uint16_t)(MACHINE_CARRIERS + 16 * d->usage + (d->usage_index & 15));
			m->centroid |= (d->flags & INSTR_CENTROID ? 1u : 0u) << (MACHINE_COLOURS + d->reg.index);
			m->partial |= (d->flags & INSTR_PP ? 1u : 0u) << (MACHINE_COLOURS + d->reg.index);
		} else if (d->kind == DECL_PIXEL_INPUT && d->reg.file == REG_INPUT && d->reg.index >= 0 && d->reg.index < MACHINE_COLOURS) {
			m->partial |= (d->flags & INSTR_PP ? 1u : 0u) << d->reg.index;
		}
	}
	m->reachable = 0;
	m->rounding = NULL;
	m->follows = false;
	m->coarse = false;
	m->trace = NULL;
	m->roots = false;
	uint32_t kills = 0;
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		kills += p->instrs.at[k].op == OP_TEXKILL;
		m->roots |= p->instrs.at[k].op == OP_NRM || p->instrs.at[k].op == OP_RSQ;
	}
	m->kill = kills ? arena_alloc(arena, kills * sizeof *m->kill) : NULL;
	m->killer = arena_alloc(arena, kills * sizeof *m->killer);
}

void field_run_trial(struct field_run *m, uint64_t key)
{
	m->columns = m->stage == STAGE_VERTEX ? COLUMNS : FIELDS;
	m->key = key;
	memset(m->known_lanes, 0, sizeof m->known_lanes);
	memset(m->input_known, 0, sizeof m->input_known);
}
