/* Finds definitions and uses per lane, see flow.h.  The programs have no branches, so that one walk which tracks the last write of each lane is
 * exact. */
#include "move/graph/flow.h"

#include "move/passes.h"

#include <string.h>

int flow_reg(enum reg_file file, int index)
{
	enum { TEX = MODEL_TEMPS, COLOUR = TEX + MOST_TEX_OUTS, PIXEL = COLOUR + 2, SINGLE = PIXEL + 4 };
	switch (file) {
	case REG_TEMP: return index < 0 || index >= FLOW_TEMPS ? -1 : index < MODEL_TEMPS ? index : FLOW_REGS + index - MODEL_TEMPS;
	case REG_TEX_OUT: return index >= 0 && index < MOST_TEX_OUTS ? TEX + index : -1;
	case REG_COLOUR_OUT: return index >= 0 && index < 2 ? COLOUR + index : -1;
	case REG_PIXEL_OUT: return index >= 0 && index < 4 ? PIXEL + index : -1;
	case REG_ADDRESS: return index == 0 ? SINGLE : -1;
	case REG_POS_OUT: return index == 0 ? SINGLE + 1 : -1;
	case REG_FOG_OUT: return index == 0 ? SINGLE + 2 : -1;
	case REG_SIZE_OUT: return index == 0 ? SINGLE + 3 : -1;
	case REG_DEPTH_OUT: return index == 0 ? SINGLE + 4 : -1;
	case REG_INPUT:
	case REG_TEXCOORD:
	case REG_CONST:
	case REG_SAMPLER:
	case REG_PIXEL_POS:
	case REG_FACE:
	case REG_LINKED:
	case FLOW_FILES:
	case REG_FILES: break;
	}
	return -1;
}

uint32_t flow_last(const struct flow *f, enum reg_file file, int index, unsigned lane)
{
	int reg = flow_reg(file, index);
	return reg < 0 ? FLOW_INPUT : f->last[reg][lane];
}

uint32_t flow_def(const struct flow *f, uint32_t instr, unsigned source, unsigned lane)
{
	for (uint32_t r = f->first[instr]; r < f->first[instr + 1]; r++) {
		const struct flow_read *read = &f->read[r];
		if (read->source == source && read->lane == lane && read->file != REG_ADDRESS)
			return read->def;
	}
	return FLOW_UNWRITTEN;
}

/* Returns an upper bound of the number of struct flow_read that the program needs.  Sets *regs to the number of registers by flow_reg(), up to the
 * highest r# of the program. */
static size_t most_reads(const struct program *p, size_t *regs)
{
	size_t n = 0;
	int highest = MODEL_TEMPS - 1;
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		const struct instr *i = &p->instrs.at[k];
		highest = i->dst.file == REG_TEMP && i->dst.index > highest ? i->dst.index : highest;
		EACH_SOURCE(s, i) {
			highest = i->src[s].file == REG_TEMP && i->src[s].index > highest ? i->src[s].index : highest;
			n += LANES * instr_rows(i, s) + 1; /* the 1 is for a read of a0.x */
		}
	}
	*regs = FLOW_REGS + (size_t)(highest + 1 - MODEL_TEMPS);
	return n;
}

/* Writes an entry to `to` for each lane that the instruction reads, and returns the end of these entries. */
static struct flow_read *append_reads(struct flow_read *to, const struct flow *f, const struct instr *i, lanes written)
{
	EACH_SOURCE(s, i) {
		const struct src *src = &i->src[s];
		lanes const read = instr_operand_lanes(f->program, i, s, written);
		unsigned rows = instr_rows(i, s);
		for (unsigned row = 0; row < rows; row++) {
			int const reg = src->file == REG_TEMP ? flow_reg(REG_TEMP, src->index + (int)row) : -1; /* only r# are both written and read */
			const uint32_t *last = reg < 0 ? NULL : f->last[reg];
			EACH_LANE(lane, read) {
				unsigned from = swizzle_lane(src->swizzle, lane);
				*to++ = (struct flow_read){
					.def = last ? last[from] : FLOW_INPUT,
					.source = (uint8_t)s,
					.file = src->file,
					.index = (int16_t)(src->index + (int)row),
					.lane = (uint8_t)lane,
					.from = (uint8_t)from,
				};
			}
		}
		if (src->relative)
			*to++ = (struct flow_read){.def = f->last[flow_reg(REG_ADDRESS, 0)][src->relative - 1],
			                           .source = (uint8_t)s,
			                           .file = REG_ADDRESS,
			                           .from = (uint8_t)(src->relative - 1)};
	}
	return to;
}

static void set_last_def(struct flow *f, enum reg_file file, int index, lanes mask, uint32_t def)
{
	int reg = flow_reg(file, index);
	for (unsigned lane = 0; reg >= 0 && lane < LANES; lane++)
		if (mask >> lane & 1)
			f->last[reg][lane] = def;
}

void flow_again(struct arena *arena, struct flow *f)
{
	const struct program *p = f->program;
	size_t regs, reads = most_reads(p, &regs);
	if (p->instrs.n + 1 > f->first_size) {
		f->first_size = p->instrs.n + 1;
		f->first = arena_alloc(arena, f->first_size * sizeof *f->first);
	}
	if (reads > f->read_size) {
		f->read_size = reads;
		f->read = arena_alloc(arena, reads * sizeof *f->read);
	}
	if (regs > f->last_size) {
		f->last_size = regs;
		f->last = arena_alloc(arena, regs * sizeof *f->last);
	}
	memset(f->last, 0xff, regs * sizeof *f->last); /* sets all to FLOW_UNWRITTEN */
	struct flow_read *next = f->read;
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		const struct instr *i = &p->instrs.at[k];
		f->first[k] = (uint32_t)(next - f->read);
		lanes const written = instr_writes(i);
		next = append_reads(next, f, i, written);
		if (i->op == OP_SGN) {
			for (unsigned s = 1; s < 3; s++)
				if (i->src[s].file == REG_TEMP)
					set_last_def(f, REG_TEMP, i->src[s].index, MASK_XYZW, FLOW_UNWRITTEN);
		}
		set_last_def(f, (enum reg_file)i->dst.file, i->dst.index, written, k);
	}
	f->first[p->instrs.n] = (uint32_t)(next - f->read);
}

struct flow *flow_find(struct arena *arena, const struct program *p)
{
	struct flow *f = arena_zero(arena, sizeof *f);
	f->program = p;
	flow_again(arena, f);
	return f;
}

uint32_t flow_sole_def(const struct flow *f, uint32_t k, unsigned s)
{
	uint32_t def = UINT32_MAX;
	for (uint32_t r = f->first[k]; r < f->first[k + 1]; r++) {
		const struct flow_read *read = &f->read[r];
		if (read->source != s)
			continue;
		if (read->def >= FLOW_INPUT || (def != UINT32_MAX && read->def != def))
			return UINT32_MAX;
		def = read->def;
	}
	return def;
}

bool flow_is_sole_reader(const struct flow *f, uint32_t def, uint32_t reader, unsigned source)
{
	for (uint32_t k = def + 1; k < f->program->instrs.n; k++)
		for (uint32_t r = f->first[k]; r < f->first[k + 1]; r++)
			if (f->read[r].def == def && (k != reader || (f->read[r].source != source && source < MAX_SOURCES)))
				return false;
	return true;
}

bool flow_is_sole_use(const struct flow *f, uint32_t k, unsigned s)
{
	for (uint32_t r = f->first[k]; r < f->first[k + 1]; r++)
		if (f->read[r].source == s && f->read[r].def < FLOW_INPUT && !flow_is_sole_reader(f, f->read[r].def, k, s))
			return false;
	return true;
}

lanes least_mask(const struct program *p, const struct instr *i, lanes wanted)
{
	lanes const all = instr_writes(i);
	enum reg_file const file = (enum reg_file)i->dst.file;
	bool const whole = file == REG_PIXEL_OUT || file == REG_DEPTH_OUT || file == REG_FOG_OUT || file == REG_SIZE_OUT ||
	                   ops[i->op].flags & OPF_TEX || ops[i->op].shape == SHAPE_MATRIX || op_is_region(i->op);
	if (whole || (i->op == OP_NRM && (all & MASK_XYZ) != MASK_XYZ))
		return all;
	if (i->op == OP_NRM)
		return all & (wanted | MASK_XYZ);
	if (i->op == OP_FRC && p->model == VS_1_1)
		return wanted & MASK_X ? all : MASK_Y;
	return wanted;
}

struct instr matrix_row(const struct instr *product, unsigned lane)
{
	struct instr row = *product;
	row.op = (uint8_t)matrix_row_op((enum op)product->op);
	row.src[1].index = (int16_t)(product->src[1].index + (int)lane);
	instr_set_mask(&row, (lanes)(1u << lane));
	return row;
}

lanes flow_reads(const struct program *p, const struct instr *i, enum reg_file file, int index)
{
	lanes read = 0;
	EACH_SOURCE(s, i) {
		int offset = index - i->src[s].index;
		if (i->src[s].file == file && offset >= 0 && offset < (int)instr_rows(i, s))
			read |= instr_reads(p, i, s);
	}
	return read;
}

uint32_t flow_next_clobber(const struct program *p, int index, lanes mask, uint32_t from)
{
	while (from < p->instrs.n && !(instr_clobbers(&p->instrs.at[from], index) & mask))
		from++;
	return from;
}

bool flow_source_keeps(const struct program *p, const struct instr *i, unsigned s, uint32_t from, uint32_t to)
{
	if (i->src[s].file == REG_TEMP && !flow_keeps(p, i->src[s].index, instr_reads(p, i, s), from, to))
		return false;
	for (uint32_t k = from; i->src[s].relative && k < to; k++)
		if (instr_writes(&p->instrs.at[k]) && p->instrs.at[k].dst.file == REG_ADDRESS)
			return false;
	return true;
}

bool flow_sources_keep(const struct program *p, const struct instr *i, uint32_t from, uint32_t to)
{
	bool all = true;
	for (unsigned s = 0; s < ops[i->op].sources && all; s++)
		all = flow_source_keeps(p, i, s, from, to);
	return all;
}

bool flow_untouched(const struct program *p, const struct dst *d, lanes mask, uint32_t from, uint32_t to)
{
	for (uint32_t k = from; k < to; k++) {
		const struct instr *i = &p->instrs.at[k];
		lanes const lost = d->file == REG_TEMP ? instr_clobbers(i, d->index) | flow_reads(p, i, REG_TEMP, d->index)
		                   : i->dst.file == d->file && i->dst.index == d->index ? instr_writes(i) : 0;
		if (lost & mask)
			return false;
	}
	return true;
}

struct outputs_read outputs_read_by_both(const struct outputs_read *a, const struct outputs_read *b)
{
	struct outputs_read sum = *a;
	for (unsigned r = 0; r < MOST_TEXCOORDS; r++)
		sum.texcoord[r] |= b->texcoord[r];
	for (unsigned r = 0; r < sizeof sum.colour / sizeof *sum.colour; r++)
		sum.colour[r] |= b->colour[r];
	return sum;
}

struct outputs_read outputs_read_by(const struct program *ps)
{
	struct outputs_read read = program_inputs_addressed(ps);
	for (uint32_t k = 0; k < ps->instrs.n; k++) {
		const struct instr *i = &ps->instrs.at[k];
		EACH_SOURCE(s, i) {
			const struct src *src = &i->src[s];
			lanes lanes_read = src->relative ? 0 : instr_reads(ps, i, s);
			for (int row = 0; row < (int)instr_rows(i, s); row++) {
				if (src->file == REG_TEXCOORD && src->index + row < MOST_TEXCOORDS)
					read.texcoord[src->index + row] |= lanes_read;
				if (src->file == REG_INPUT && src->index + row < 2)
					read.colour[src->index + row] |= lanes_read;
			}
		}
	}
	return read;
}
