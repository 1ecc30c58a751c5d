/* The paper's conditions C1 to C4, by which an FP instruction may move at -O1, and the reasons why others may not.  (For -O2 and -O3,
 * graph/class.c finds the values that may move.)
 *
 * At -O1 a value may move if it is made of constants only, or if it is one input lane, or the sum of one and a constant (the paper's A3).
 * Any other value fails C3, even if it is affine.  An instruction moves with all its lanes or not at all; each lane has its reason. */
#include "move/paper/paper.h"
#include "move/graph/values.h"

struct finder {
	struct arena *arena;
	const struct flow *vs, *ps;
	const struct move_options *options;
	bool literals; /* a program has literals, so that the value numbers (found.numbers) must tell whether float arithmetic rounds a result */
	struct paper_conditions found;
};

/* Returns the verdict on the instruction as a whole: by the paper's conditions C1 and C2, and by C3 for a matrix that is not constant. */
static enum verdict whole_verdict(const struct finder *f, const struct instr *i)
{
	enum model vs = f->vs->program->model;
	if (op_slots((enum op)i->op, vs) == 0)
		return MOVE_OPCODE;
	if (i->flags & INSTR_SAT && !is_planted(f->options, PLANT_SATURATION))
		return MOVE_MODIFIER;
	EACH_SOURCE(s, i)
		if (i->src[s].file == REG_SAMPLER)
			return MOVE_SAMPLER;
	if (instr_writes(i) && i->dst.file != REG_TEMP)
		return MOVE_OUTPUT;
	/* isa notes, "Operands": the mask of frc in vs_1_1 is .y or .xy. */
	if (i->op == OP_FRC && vs == VS_1_1 && i->dst.mask != MASK_Y && i->dst.mask != MASK_XY)
		return MOVE_MASK;
	/* A matrix product moves only if its matrix is constant. */
	if (instr_rows(i, 1) > 1 && i->src[1].file != REG_CONST)
		return MOVE_NONLINEAR;
	return MOVE_MOVED;
}

/* Returns MOVE_MOVED if values computed from this input lane may move, else the verdict why not. */
static enum verdict input_verdict(const struct finder *f, const struct flow_read *read)
{
	if (read->file == REG_PIXEL_POS || read->file == REG_FACE)
		return MOVE_SCREEN;
	uint32_t writer = channel_writer(f->vs, channel_of((enum reg_file)read->file, read->index), read->from);
	if (read->file == REG_INPUT && !f->options->colour_inputs)
		return MOVE_COLOUR;
	if (writer == FLOW_UNWRITTEN)
		return MOVE_UNDEFINED;
	/* A sgn whose scratch register is its operand overwrites that, so that a copy of the sgn behind it would read another value. */
	const struct instr *w = &f->vs->program->instrs.at[writer];
	if (w->op == OP_SGN && w->src[0].file == REG_TEMP &&
	    (w->src[0].index == w->src[1].index || w->src[0].index == w->src[2].index))
		return MOVE_UNDEFINED;
	return MOVE_MOVED;
}

static struct paper_value input_value(const struct finder *f, const struct flow_read *read)
{
	const struct decl *d = program_decl(f->ps->program, (enum reg_file)read->file, read->index);
	unsigned kind = d ? d->flags & (INSTR_PP | INSTR_CENTROID) : 0;
	if (read->file == REG_INPUT)
		kind |= INSTR_CENTROID; /* colours are always interpolated at the centroid */
	return (struct paper_value){PAPER_INPUT, (uint8_t)kind};
}

/* Sets *value to the class of a lane that an instruction reads.  Returns MOVE_MOVED if the VP can read the lane, else the verdict
 * why not; for MOVE_DEPENDS, sets *because to the instruction that stays. */
static enum verdict read_verdict(const struct finder *f, const struct flow_read *read, struct paper_value *value,
                                 uint32_t *because)
{
	*value = (struct paper_value){PAPER_PIXEL, 0};
	if (read->def == FLOW_UNWRITTEN)
		return MOVE_UNDEFINED;
	if (read->def != FLOW_INPUT) {
		if (f->found.fates[read->def].verdict != MOVE_MOVED && !is_planted(f->options, PLANT_C4)) {
			*because = read->def;
			return MOVE_DEPENDS;
		}
		*value = f->found.values[read->def][read->from];
		return MOVE_MOVED;
	}
	if (read->file == REG_CONST) {
		bool const app = !program_decl(f->ps->program, REG_CONST, read->index);
		if (is_refused(f->options, register_is_in(&f->ps->program->withheld, read->index), app))
			return f->options->drop_in ? MOVE_DROP_IN : MOVE_WITHHELD;
		value->what = PAPER_CONST;
		return MOVE_MOVED;
	}
	*value = input_value(f, read);
	return input_verdict(f, read);
}

/* The classes of the operands of one result lane.  An operand is PAPER_INPUT if any lane of it is. */
struct operands {
	struct paper_value of[MAX_SOURCES];
};

/* Returns the verdict on a result lane by the paper's condition C3, and sets its class from those of its operands, all of which the VP can
 * read. */
static enum verdict combine_classes(const struct program *p, uint32_t k, unsigned lane, const struct operands *o, struct paper_value *result)
{
	const struct instr *i = &p->instrs.at[k];
	bool constant[MAX_SOURCES], all = true;
	for (unsigned s = 0; s < MAX_SOURCES; s++) {
		constant[s] = o->of[s].what == PAPER_CONST;
		all &= constant[s] || s >= ops[i->op].sources;
	}
	if (all) {
		*result = (struct paper_value){PAPER_CONST, 0};
		return MOVE_MOVED;
	}
	/* A3: the operand to which a constant is added; the constant may be the product of a mad. */
	unsigned const from = i->op == OP_MAD ? 2 : i->op == OP_ADD && constant[0] ? 1 : 0;
	bool const added = i->op == OP_MAD ? constant[0] && constant[1] : (i->op == OP_ADD || i->op == OP_SUB) && constant[1 - from];
	if ((i->op == OP_MOV || added) && !i->src[from].negate) {
		*result = o->of[from];
		return MOVE_MOVED;
	}
	return is_affine_in(p, k, lane, constant) ? MOVE_NOT_A3 : MOVE_NONLINEAR;
}

/* Returns the verdict on result lane `lane` of FP instruction `k`.  Sets its class if it may move; for MOVE_DEPENDS sets *because. */
static enum verdict lane_verdict(struct finder *f, uint32_t k, unsigned lane, uint32_t *because)
{
	const struct program *p = f->ps->program;
	const struct instr *i = &p->instrs.at[k];
	struct operands o;
	for (unsigned s = 0; s < MAX_SOURCES; s++)
		o.of[s] = (struct paper_value){PAPER_CONST, 0};
	for (uint32_t r = f->ps->first[k]; r < f->ps->first[k + 1]; r++) {
		const struct flow_read *read = &f->ps->read[r];
		if (!(instr_operand_lanes(p, i, read->source, (lanes)(1u << lane)) >> read->lane & 1))
			continue;
		struct paper_value value;
		enum verdict v = read_verdict(f, read, &value, because);
		if (v != MOVE_MOVED)
			return v;
		if (value.what == PAPER_INPUT)
			o.of[read->source] = value;
	}
	enum verdict const v = combine_classes(p, k, lane, &o, &f->found.values[k][lane]);
	if (v != MOVE_MOVED || !f->literals)
		return v;
	if (!f->found.numbers)
		f->found.numbers = values_number(f->arena, f->vs->program, p);
	const struct value *x = value_at(f->found.numbers, f->found.numbers->def[k][lane]);
	if (x->rounds || (x->class == VALUE_CONST && f->found.numbers->careful))
		return MOVE_ROUNDED;
	return x->wild ? MOVE_NO_FLOAT : MOVE_MOVED;
}

static void judge_instr(struct finder *f, uint32_t k)
{
	const struct instr *i = &f->ps->program->instrs.at[k];
	struct fate *fate = &f->found.fates[k];
	lanes written = instr_writes(i);
	*fate = (struct fate){.because = UINT32_MAX};
	enum verdict whole = whole_verdict(f, i);
	bool of_lane = whole == MOVE_MOVED;
	EACH_LANE(lane, written) {
		uint32_t because = UINT32_MAX;
		enum verdict v = of_lane ? lane_verdict(f, k, lane, &because) : whole;
		if (v == MOVE_NONLINEAR && is_planted(f->options, PLANT_C3))
			v = MOVE_MOVED;
		fate->lane[lane] = (uint8_t)v;
		if (v != MOVE_MOVED && whole == MOVE_MOVED) {
			whole = v;
			fate->because = because;
		}
	}
	fate->verdict = (uint8_t)whole;
	if (whole == MOVE_MOVED)
		return;
	for (unsigned lane = 0; lane < LANES; lane++) {
		f->found.values[k][lane] = (struct paper_value){PAPER_PIXEL, 0};
		if ((written >> lane & 1) && fate->lane[lane] == MOVE_MOVED)
			fate->lane[lane] = MOVE_WHOLE;
	}
}

static bool has_literals(const struct program *p)
{
	bool any = false;
	for (uint32_t k = 0; k < p->decls.n; k++)
		any |= p->decls.at[k].kind == DECL_DEF;
	return any;
}

struct paper_conditions paper_find_conditions(struct arena *arena, const struct flow *vs, const struct flow *ps,
                                              const struct move_options *options)
{
	uint32_t n = ps->program->instrs.n;
	struct finder f = {.arena = arena, .vs = vs, .ps = ps, .options = options};
	f.literals = (has_literals(vs->program) || has_literals(ps->program)) && !is_planted(options, PLANT_ROUNDING);
	f.found.fates = arena_zero(arena, n * sizeof *f.found.fates);
	f.found.values = arena_zero(arena, n * sizeof *f.found.values);
	for (uint32_t k = 0; k < n; k++)
		judge_instr(&f, k);
	return f.found;
}
