/* The parts of the reference interpreter that do not depend on its arithmetic type, see machine.h. */
#include "verify/machine.h"

#include "lang/blocks.h"

enum machine_output machine_output(enum reg_file file, int index)
{
	static const uint8_t first[REG_FILES] = { /* 1 + the number of the file's first register; 0 if the file is no output */
		[REG_POS_OUT] = 1 + MACHINE_POS, [REG_FOG_OUT] = 1 + MACHINE_FOG, [REG_SIZE_OUT] = 1 + MACHINE_SIZE,
		[REG_COLOUR_OUT] = 1 + MACHINE_CARRIER, [REG_TEX_OUT] = 1 + MACHINE_CARRIER + MACHINE_COLOURS,
		[REG_PIXEL_OUT] = 1 + MACHINE_PIXEL, [REG_DEPTH_OUT] = 1 + MACHINE_DEPTH,
	};
	return first[file] ? (enum machine_output)(first[file] - 1 + (reg_files[file].numbered ? index : 0)) : MACHINE_OUTPUTS;
}

const char *machine_lane_text(struct arena *arena, enum reg_file file, int index, unsigned lane)
{
	struct text t = {.arena = arena};
	text_string(&t, reg_files[file].name);
	if (reg_files[file].numbered || file == REG_ADDRESS)
		text_unsigned(&t, (unsigned long)index);
	if (!reg_files[file].scalar) {
		text_char(&t, '.');
		text_char(&t, "xyzw"[lane]);
	}
	return t.at;
}

const char *machine_carrier_text(struct arena *arena, unsigned lane)
{
	unsigned const c = lane / LANES;
	bool const colour = c < MACHINE_COLOURS;
	return machine_lane_text(arena, colour ? REG_INPUT : REG_TEXCOORD, (int)(colour ? c : c - MACHINE_COLOURS), lane % LANES);
}

/* Adds the lanes of temporaries that an instruction reads. */
static void add_temps_read(const struct program *p, const struct instr *i, lanes to[MACHINE_TEMPS])
{
	for (unsigned s = 0; s < ops[i->op].sources; s++) {
		bool const coordinate = s == 0 && instr_samples(i); /* its .z counts as read: a depth texture may compare it */
		lanes const read = instr_reads(p, i, s) | (coordinate ? swizzle_lanes(i->src[s].swizzle, MASK_Z) : 0);
		for (unsigned row = 0; i->src[s].file == REG_TEMP && row < instr_rows(i, s); row++)
			if (i->src[s].index + (int)row < MACHINE_TEMPS)
				to[i->src[s].index + (int)row] |= read;
	}
}

/* The liveness of the temporaries of a program. */
struct live {
	const struct program *p;
	const uint32_t *partner;
	lanes (*at)[MACHINE_TEMPS]; /* the live lanes before each instruction, and at the end; with `calls`, [0] stands for all of these */
	bool calls;                 /* the program has subroutines, or its blocks are not nested properly */
	bool *stays;                /* for each instruction, true if it has an effect beside temporaries, or its result is read */
};

static bool add_live_lanes(lanes to[MACHINE_TEMPS], const lanes from[MACHINE_TEMPS])
{
	bool news = false;
	for (unsigned r = 0; r < MACHINE_TEMPS; r++) {
		news |= from[r] & ~to[r];
		to[r] |= from[r];
	}
	return news;
}

/* Adds to the lanes of temporaries that are live before instruction k.  Returns true if there are new ones, or if the instruction turns out not
 * to be dead. */
static bool update_live_before(struct live *l, uint32_t k)
{
	const struct instr *i = &l->p->instrs.at[k];
	lanes const written = i->dst.file == REG_TEMP ? instr_writes(i) : 0;
	lanes live[MACHINE_TEMPS] = {0};
	uint32_t next[BLOCK_SUCCESSORS] = {0, NO_INSTR};
	if (!l->calls)
		blocks_next(l->p, l->partner, k, next);
	for (unsigned n = 0; n < BLOCK_SUCCESSORS; n++)
		if (next[n] != NO_INSTR)
			add_live_lanes(live, l->at[next[n]]);
	bool const stays = !written || written & live[i->dst.index];
	if (stays && written && !i->predicate && !l->calls)
		live[i->dst.index] &= (lanes)~written;
	if (stays)
		add_temps_read(l->p, i, live);
	bool const news = stays && !l->stays[k];
	l->stays[k] = stays;
	return add_live_lanes(l->at[l->calls ? 0 : k], live) || news;
}

const bool *machine_live(struct arena *arena, const struct program *p)
{
	uint32_t const n = p->instrs.n;
	uint32_t at;
	struct live l = {.p = p, .at = arena_zero(arena, (n + 1) * sizeof *l.at), .stays = arena_zero(arena, n + 1)};
	l.calls = blocks_partners(arena, p, &l.partner, &at) != NULL;
	for (uint32_t k = 0; k < n; k++)
		l.calls |= p->instrs.at[k].op == OP_RET;
	for (bool news = true; news;) {
		news = false;
		for (uint32_t k = n; k-- > 0;)
			news |= update_live_before(&l, k);
		news &= program_flows(p); /* without flow control one pass finds all */
	}
	return l.stays;
}

const struct program *machine_program(struct arena *arena, const struct program *p)
{
	const bool *live = machine_live(arena, p);
	struct program *copy = program_copy(arena, p);
	copy->instrs.n = 0;
	for (uint32_t k = 0; k < p->instrs.n; k++)
		if (live[k])
			copy->instrs.at[copy->instrs.n++] = p->instrs.at[k];
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

/* Fills `to`: for each number of a v# in the text, its number among the machine's inputs, or MACHINE_NOWHERE. */
static void find_inputs_by_number(const struct program *p, uint8_t to[MACHINE_INPUTS])
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

static void find_outputs_by_number(const struct program *p, struct machine_flow *f)
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
	find_inputs_by_number(p, f->input);
	find_outputs_by_number(p, f);
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
