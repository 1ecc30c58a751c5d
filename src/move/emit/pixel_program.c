/* Writes the FP of a complete plan, see emit.h. */
#include "lang/history.h"
#include "move/emit/emit.h"
#include "move/graph/registers.h"

#include <string.h>

struct pixel_writer {
	struct values *values;
	const struct plan *plan;
	const struct program *old;
	struct program *new;
	bool failed;
};

static struct src source_by_view(enum reg_file file, int reg, struct view view)
{
	return (struct src){.file = (uint8_t)file, .index = (int16_t)reg, .swizzle = view.swizzle,
	                    .negate = view.negate, .at = SRCPOS_NONE};
}

/* Finds one constant register that holds the values of all `n` patterns, and writes the operands that read them to `to`.  Sets w->failed if there is
 * none. */
static void write_const_sources(struct pixel_writer *w, const struct pattern *p, struct src *to, unsigned n)
{
	for (int r = 0; r < PS_CONSTS; r++) {
		unsigned k = 0;
		struct view view;
		for (; k < n && pattern_match(w->plan->consts[r], &p[k], &view); k++)
			to[k] = source_by_view(REG_CONST, w->plan->const_reg[r], view);
		if (k == n)
			return;
	}
	w->failed = true;
}

/* Sets the opcode and the constant operands of *i, which computes base * factor + offset.  Sets w->failed if no one constant register has them. */
static void write_mad_sources(struct pixel_writer *w, const struct making *m, struct instr *i)
{
	struct pattern constants[2];
	unsigned n = 0;
	if (m->factor.positions)
		constants[n++] = m->factor;
	if (m->offset.positions && !m->offset_rides)
		constants[n++] = m->offset;
	i->op = !m->offset.positions ? OP_MUL : m->factor.positions ? OP_MAD : OP_ADD;
	write_const_sources(w, constants, &i->src[1], n);
}

static void append_making(struct pixel_writer *w, uint32_t t)
{
	const struct making *m = &w->plan->makings.at[t];
	struct view view[MAX_SOURCES];
	int const input = m->make == MAKE_MOV_CONST ? -1 : plan_making_inputs(w->values, w->plan, m, view);
	struct instr i = {.op = OP_MOV, .at = SRCPOS_NONE};
	i.dst = dst_lanes(REG_TEMP, m->reg >= 0 ? m->reg : VIRTUAL_REGS + (int)t, m->pattern.positions);
	w->failed |= m->make == MAKE_OPEN || (m->make != MAKE_MOV_CONST && input < 0);
	if (m->make == MAKE_MOV_CONST)
		write_const_sources(w, &m->pattern, i.src, 1);
	if (m->make == MAKE_MAD)
		write_mad_sources(w, m, &i);
	if (input >= 0)
		i.src[0] = source_by_view(REG_TEXCOORD, input, view[0]);
	if (input >= 0 && m->offset_rides)
		i.src[2] = source_by_view(REG_TEXCOORD, input, view[1]);
	VEC_PUSH(w->values->arena, &w->new->instrs) = i;
}

/* Appends old instruction k, with the write mask and the operands that the plan gives it. */
static void append_old_instr(struct pixel_writer *w, uint32_t k)
{
	struct instr i = w->old->instrs.at[k];
	const struct plan *plan = w->plan;
	const struct sites *sites = w->values->numbering[w->values->program].sites;
	if (sites && sites->of[k]) /* an alternative writes to the register of the given instruction that it replaces, which readers name */
		i.dst.index = w->old->instrs.at[sites->at[sites->of[k] - 1].at[0]].dst.index;
	if (i.dst.file == REG_TEMP && instr_writes(&i) && i.dst.mask != plan->mask[k])
		instr_set_mask(&i, plan->mask[k]);
	struct view input[MAX_SOURCES];
	int const reg = plan_inputs(w->values, plan, k, input);
	EACH_SOURCE(s, &i) {
		struct pattern const pattern = plan_operand(w->values, plan, k, s);
		switch ((enum supply)plan->supply[k][s]) {
		case SUPPLY_KEEP: break;
		case SUPPLY_INPUT:
			w->failed |= reg < 0;
			if (reg >= 0)
				i.src[s] = source_by_view(REG_TEXCOORD, reg, input[s]);
			break;
		case SUPPLY_CONST: {
			struct view view = {SWIZZLE_XYZW, false};
			int c = (int)plan->which[k][s];
			if (!pattern_match(plan->consts[c], &pattern, &view))
				w->failed = true;
			i.src[s] = source_by_view(REG_CONST, plan->const_reg[c], view);
			break;
		}
		case SUPPLY_TEMP: {
			const struct making *m = &plan->makings.at[plan->which[k][s]];
			value_id lane[LANES];
			struct view view = {SWIZZLE_XYZW, false};
			pattern_lanes(&m->pattern, lane);
			if (!pattern_match(lane, &pattern, &view))
				w->failed = true;
			i.src[s] = source_by_view(REG_TEMP, VIRTUAL_REGS + (int)plan->which[k][s], view);
			break;
		}
		}
	}
	VEC_PUSH(w->values->arena, &w->new->instrs) = i;
}

/* The lanes that a program reads of each register below number 32, except r#; of a c# or s# that it reads, always lane x, too. */
enum { DECLARED = 32 };
struct reads {
	lanes of[REG_FILES][DECLARED];
};

static void find_reads(const struct program *p, struct reads *reads)
{
	memset(reads, 0, sizeof *reads);
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		const struct instr *i = &p->instrs.at[k];
		EACH_SOURCE(s, i) {
			enum reg_file const file = (enum reg_file)i->src[s].file;
			if (file == REG_TEMP)
				continue;
			lanes const read = instr_reads(p, i, s) | (file == REG_CONST || file == REG_SAMPLER ? 1 : 0);
			int const end = i->src[s].index + (int)instr_rows(i, s);
			for (int reg = i->src[s].index; reg < end && reg < DECLARED; reg++)
				reads->of[file][reg] |= read;
		}
	}
}

static lanes declared_reads(const struct reads *reads, unsigned file, int index)
{
	return index < DECLARED ? reads->of[file][index] : 0;
}

/* Writes the declarations of the new program.  Omits registers that only the old program read, and changes the masks of t# dcls to the lanes that the
 * new program reads.  Adds dcls for new t# and defs for new constants. */
static void write_decls(struct pixel_writer *w, struct move_result *result)
{
	const struct program *old = w->old;
	bool declared[INTERPOLATORS] = {false};
	struct reads reads, old_reads;
	find_reads(w->new, &reads);
	find_reads(old, &old_reads);
	for (uint32_t k = 0; k < old->decls.n; k++) {
		struct decl d = old->decls.at[k];
		enum reg_file file = (enum reg_file)d.reg.file;
		lanes now = declared_reads(&reads, file, d.reg.index), before = declared_reads(&old_reads, file, d.reg.index);
		if (!now && (before || file == REG_TEXCOORD))
			continue;
		if (file == REG_TEXCOORD && d.reg.index < INTERPOLATORS) {
			bool const first = !declared[d.reg.index];
			lanes const all = program_declared(old, file, d.reg.index);
			declared[d.reg.index] = true;
			d.flags = value_kind_flags(w->values, w->plan->layout.kind[d.reg.index]);
			/* A texture read whose result was not used may have read a .z, to compare it with a depth, that no dcl of the old FP has. */
			if (lanes_up_to(now) != lanes_up_to(before) || now & (lanes)~all) {
				/* If a register has several dcls, each keeps its own lanes, since its usage is another. */
				d.reg.mask = (lanes)((d.reg.mask & lanes_up_to(now)) | (first ? lanes_up_to(now) & ~all : 0));
				d.reg.masked = true;
			}
			if (!d.reg.mask)
				continue;
		}
		VEC_PUSH(w->values->arena, &w->new->decls) = d;
	}
	for (int r = 0; r < INTERPOLATORS; r++) {
		lanes now = declared_reads(&reads, REG_TEXCOORD, r);
		if (declared[r] || !now)
			continue;
		struct decl d = {.kind = DECL_PIXEL_INPUT, .usage = USAGES, .number = NO_NUMBER, .at = SRCPOS_NONE};
		d.flags = value_kind_flags(w->values, w->plan->layout.kind[r]);
		d.reg = dst_lanes(REG_TEXCOORD, r, lanes_up_to(now));
		d.reg.masked = true;
		VEC_PUSH(w->values->arena, &w->new->decls) = d;
	}
	for (int r = 0; r < NEW_CONSTS; r++)
		if (!(w->plan->old_consts >> r & 1) && declared_reads(&reads, REG_CONST, r))
			w->failed |= !value_add_constant(w->values, w->plan->consts[r], plan_is_preset(w->values, w->plan->consts[r]), r, w->new,
			                                 &result->folds);
}

struct program *emit_pixel_program(struct values *v, const struct plan *plan, struct move_result *result)
{
	struct pixel_writer w = {.values = v, .plan = plan, .old = v->ps};
	w.new = arena_alloc(v->arena, sizeof *w.new);
	*w.new = *v->ps;
	memset(&w.new->decls, 0, sizeof w.new->decls);
	memset(&w.new->instrs, 0, sizeof w.new->instrs);
	w.failed = plan->makings.n > RULE_REGS - VIRTUAL_REGS;
	for (uint32_t k = 0; k < v->ps->instrs.n; k++) {
		for (uint32_t t = 0; t < plan->makings.n; t++)
			if (plan->makings.at[t].after < 0 && plan->makings.at[t].first == k)
				append_making(&w, t);
		if (plan->mask[k] || instr_acts(&v->ps->instrs.at[k]))
			append_old_instr(&w, k);
		for (uint32_t t = 0; t < plan->makings.n; t++)
			if (plan->makings.at[t].after == (int32_t)k)
				append_making(&w, t);
	}
	write_decls(&w, result);
	if (w.failed || !regs_allocate(v->arena, w.new, models[model_written(w.new->model)].temps))
		return NULL;
	history_note(v->arena, w.new, "plan");
	return w.new;
}
