/* What the instances of machine_body.h share. */
#include "verify/machine.h"

enum machine_output machine_output(enum reg_file file, int index)
{
	switch (file) {
	case REG_POS_OUT: return MACHINE_POS;
	case REG_FOG_OUT: return MACHINE_FOG;
	case REG_SIZE_OUT: return MACHINE_SIZE;
	case REG_COLOUR_OUT: return (enum machine_output)(MACHINE_CARRIER + index);
	case REG_TEX_OUT: return (enum machine_output)(MACHINE_CARRIER + MACHINE_COLOURS + index);
	case REG_PIXEL_OUT: return (enum machine_output)(MACHINE_PIXEL + index);
	case REG_DEPTH_OUT: return MACHINE_DEPTH;
	case REG_TEMP:
	case REG_INPUT:
	case REG_TEXCOORD:
	case REG_CONST:
	case REG_ADDRESS:
	case REG_SAMPLER:
	case REG_PIXEL_POS:
	case REG_FACE:
	case REG_LINKED:
	case FLOW_FILES:
	case REG_FILES: break;
	}
	return MACHINE_OUTPUTS;
}

/* Adds the lanes of temporaries that an instruction reads. */
static void add_reads(const struct program *p, const struct instr *i, lanes to[MACHINE_TEMPS])
{
	for (unsigned s = 0; s < ops[i->op].sources; s++) {
		bool const coordinate = s == 0 && instr_samples(i); /* a texture may compare with .z */
		lanes const read = instr_reads(p, i, s) | (coordinate ? swizzle_lanes(i->src[s].swizzle, MASK_Z) : 0);
		for (unsigned row = 0; i->src[s].file == REG_TEMP && row < instr_rows(i, s); row++)
			if (i->src[s].index + (int)row < MACHINE_TEMPS)
				to[i->src[s].index + (int)row] |= read;
	}
}

/* The same for flow control: a lane that any instruction which stays reads is live everywhere. */
static const struct program *machine_program_of_blocks(struct arena *arena, const struct program *p)
{
	lanes live[MACHINE_TEMPS] = {0};
	bool *stays = arena_zero(arena, p->instrs.n + 1);
	for (bool news = true; news;) {
		news = false;
		for (uint32_t k = p->instrs.n; k-- > 0;) {
			const struct instr *i = &p->instrs.at[k];
			lanes const written = instr_writes(i);
			if (stays[k] || (written && i->dst.file == REG_TEMP && !(written & live[i->dst.index])))
				continue;
			stays[k] = news = true;
			add_reads(p, i, live);
		}
	}
	struct program *copy = program_copy(arena, p);
	copy->instrs.n = 0;
	for (uint32_t k = 0; k < p->instrs.n; k++)
		if (stays[k])
			copy->instrs.at[copy->instrs.n++] = p->instrs.at[k];
	return copy;
}

const struct program *machine_program(struct arena *arena, const struct program *p)
{
	if (program_flows(p))
		return machine_program_of_blocks(arena, p);
	lanes live[MACHINE_TEMPS] = {0};
	struct program *copy = program_copy(arena, p);
	uint32_t first = p->instrs.n; /* the copy keeps what is from here on */
	for (uint32_t k = p->instrs.n; k-- > 0;) {
		const struct instr *i = &p->instrs.at[k];
		lanes const written = instr_writes(i);
		bool const to_temp = written && i->dst.file == REG_TEMP;
		lanes const result = to_temp ? written & live[i->dst.index] : written;
		if (to_temp && !result)
			continue;
		copy->instrs.at[--first] = *i;
		if (to_temp)
			live[i->dst.index] &= (lanes)~written;
		add_reads(p, i, live);
	}
	copy->instrs.at += first;
	copy->instrs.n -= first;
	return copy;
}

enum machine_output machine_linked_output(const struct program *p, int number)
{
	for (uint32_t k = 0; k < p->decls.n; k++) {
		const struct decl *d = &p->decls.at[k];
		if (d->kind == DECL_OUTPUT && d->number == number)
			return machine_output((enum reg_file)d->reg.file, d->reg.index);
	}
	return MACHINE_OUTPUTS;
}

/* The inputs of a program by their numbers in the text. */
static void find_inputs(const struct program *p, uint8_t to[MACHINE_INPUTS])
{
	bool const by_dcl = program_stage(p) == STAGE_PIXEL && model_links(p->model);
	for (unsigned n = 0; n < MACHINE_INPUTS; n++)
		to[n] = by_dcl ? MACHINE_NOWHERE : (uint8_t)n;
	for (uint32_t k = 0; by_dcl && k < p->decls.n; k++) {
		const struct decl *d = &p->decls.at[k];
		if (d->kind == DECL_PIXEL_INPUT && d->number < MACHINE_INPUTS)
			to[d->number] = (uint8_t)machine_carrier((enum reg_file)d->reg.file, d->reg.index);
	}
}

static void find_outputs(const struct program *p, struct machine_flow *f)
{
	for (unsigned n = 0; n < MACHINE_INPUTS; n++) {
		enum machine_output const out = machine_linked_output(p, (int)n);
		f->output[n] = out == MACHINE_OUTPUTS ? MACHINE_NOWHERE : (uint8_t)out;
	}
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		const struct instr *i = &p->instrs.at[k];
		lanes const written = instr_writes(i);
		enum machine_output const out = machine_output((enum reg_file)i->dst.file, i->dst.index);
		for (unsigned n = 0; written && i->dst.file == REG_LINKED && n < MACHINE_INPUTS; n++)
			if (f->output[n] != MACHINE_NOWHERE)
				f->written[f->output[n]] |= f->output[n] == MACHINE_SIZE || f->output[n] == MACHINE_FOG ? MASK_X : written;
		if (written && out != MACHINE_OUTPUTS)
			f->written[out] |= written;
	}
}

const struct machine_flow *machine_flow_find(struct arena *arena, const struct program *p)
{
	struct machine_flow *f = arena_zero(arena, sizeof *f);
	uint32_t at;
	if (blocks_partners(arena, p, &f->partner, &at))
		f->partner = NULL;
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		unsigned const op = p->instrs.at[k].op;
		f->depth += op == OP_IF || op == OP_IFC || op == OP_REP || op == OP_LOOP || op == OP_CALL || op == OP_CALLNZ;
	}
	find_inputs(p, f->input);
	find_outputs(p, f);
	return f;
}

/* Source: Microsoft, "Cubic Environment Mapping (Direct3D 9)". */
const struct cube_face cube_faces[6] = {
	{LANE_X, LANE_Z, LANE_Y, false, -1, -1},
	{LANE_X, LANE_Z, LANE_Y, true, 1, -1},
	{LANE_Y, LANE_X, LANE_Z, false, 1, 1},
	{LANE_Y, LANE_X, LANE_Z, true, 1, -1},
	{LANE_Z, LANE_X, LANE_Y, false, 1, -1},
	{LANE_Z, LANE_X, LANE_Y, true, -1, -1},
};
