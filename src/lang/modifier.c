/* _abs as an instruction and back, see modifier.h. */
#include "lang/modifier.h"

#include "lang/checker.h"

enum { TEMPS = 64, NOWHERE = -1 };

/* A bit for each temporary that the program names. */
static uint64_t named_temps(const struct program *p)
{
	uint64_t set = 0;
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		const struct instr *i = &p->instrs.at[k];
		if (!(ops[i->op].flags & OPF_NO_DST) && i->dst.file == REG_TEMP)
			set |= UINT64_C(1) << (i->dst.index & 63);
		for (unsigned s = 0; s < ops[i->op].sources; s++)
			for (unsigned row = 0; i->src[s].file == REG_TEMP && row < instr_rows(i, s); row++)
				set |= UINT64_C(1) << ((i->src[s].index + (int)row) & 63);
	}
	return set;
}

static bool has_modifier(const struct instr *i)
{
	bool any = false;
	for (unsigned s = 0; s < ops[i->op].sources; s++)
		any |= i->src[s].absolute;
	return any;
}

struct expansion {
	struct arena *arena;
	struct program *p;
	uint64_t unused;                 /* temporaries that the text does not name */
	lanes written[TEMPS];           /* so far */
};

/* The lane of a coordinate that is compared if its texture is of depths.  The modifier is for this one, too. */
static lanes compared_lane(const struct program *p, const struct instr *i, unsigned s)
{
	bool const compared = s == 0 && instr_samples(i) && p->samplers[i->src[1].index] == TEXTURE_2D;
	return compared ? (lanes)(1u << swizzle_lane(i->src[0].swizzle, LANE_Z)) : 0;
}

static lanes lanes_there(const struct expansion *e, const struct src *src)
{
	return src->file == REG_TEMP ? e->written[src->index & (TEMPS - 1)] : src->file == REG_CONST ? MASK_XYZW :
	       program_declared(e->p, (enum reg_file)src->file, src->index);
}

/* A temporary, best one without anything left over in lanes `clean`; NOWHERE: there is none. */
static int16_t take_temp(const struct expansion *e, uint64_t *unused, lanes clean)
{
	int16_t found = NOWHERE;
	for (int16_t reg = (int16_t)models[e->p->model].temps; reg-- > 0;)
		if (*unused >> reg & 1 && (found == NOWHERE || !(e->written[reg] & clean) || e->written[found] & clean))
			found = reg;
	if (found != NOWHERE)
		*unused &= ~(UINT64_C(1) << found);
	return found;
}

/* Writes the abs of operand s, which then reads its result. */
static void take_out(struct expansion *e, struct instr *i, unsigned s, uint64_t *unused, struct diags *diags)
{
	struct src *src = &i->src[s], from = *src;
	lanes const compared = compared_lane(e->p, i, s), there = lanes_there(e, src);
	lanes const read = instr_reads(e->p, i, s) | (compared & there);
	int16_t const reg = take_temp(e, unused, compared & (lanes)~there);
	if (reg == NOWHERE) {
		diag_add(diags, DIAG_ERROR, "modifier", e->p->source, src->at,
		         "the program uses every temporary of its model, and _abs takes one here");
		return;
	}
	from.swizzle = SWIZZLE_XYZW;
	from.letters = 0;
	from.negate = from.absolute = false;
	src->file = REG_TEMP;
	src->index = reg;
	src->relative = 0;
	src->absolute = false;
	e->written[reg] |= read;
	struct dst const dst = {.file = REG_TEMP, .index = reg, .mask = read, .masked = read != MASK_XYZW, .at = src->at};
	VEC_PUSH(e->arena, &e->p->instrs) = (struct instr){.op = OP_ABS, .flags = INSTR_MODIFIER, .at = src->at, .src = {from}, .dst = dst};
}

void modifier_expand(struct arena *arena, struct program *p, struct diags *diags)
{
	bool any = false;
	for (uint32_t k = 0; k < p->instrs.n; k++)
		any |= has_modifier(&p->instrs.at[k]);
	if (!any)
		return;
	struct expansion e = {.arena = arena, .p = p, .unused = ~named_temps(p)};
	const struct instr *old = p->instrs.at;
	uint32_t const count = p->instrs.n;
	p->instrs.at = NULL;
	p->instrs.n = p->instrs.cap = 0;
	for (uint32_t k = 0; k < count; k++) {
		struct instr i = old[k];
		uint64_t unused = e.unused;
		for (unsigned s = 0; s < ops[i.op].sources; s++)
			if (i.src[s].absolute)
				take_out(&e, &i, s, &unused, diags);
		if (instr_writes(&i) && i.dst.file == REG_TEMP)
			e.written[i.dst.index & (TEMPS - 1)] |= instr_writes(&i);
		VEC_PUSH(arena, &p->instrs) = i;
	}
}

static bool reads_temp(const struct instr *i, unsigned s, int reg)
{
	return i->src[s].file == REG_TEMP && reg >= i->src[s].index && reg < i->src[s].index + (int)instr_rows(i, s);
}

/* May what `abs` reads have changed when the instruction has run? */
static bool spoils(const struct instr *i, const struct src *of)
{
	if (ops[i->op].flags & OPF_NO_DST)
		return false;
	if (of->relative && i->dst.file == REG_ADDRESS)
		return true;
	bool spoilt = i->dst.file == of->file && i->dst.index == of->index;
	for (unsigned s = 1; i->op == OP_SGN && s <= 2; s++)
		spoilt |= of->file == REG_TEMP && i->src[s].index == of->index;
	return spoilt;
}

/* The operand that reads abs's result, as one that has the modifier; false: it cannot have one. */
static bool put_in(const struct program *p, const struct instr *abs, struct instr *i, unsigned s)
{
	struct src *src = &i->src[s];
	struct instr changed = *i;
	struct src to = abs->src[0];
	if (instr_rows(i, s) > 1 || (instr_reads(p, i, s) & (lanes)~instr_writes(abs)))
		return false;
	to.swizzle = swizzle_after(src->swizzle, abs->src[0].swizzle);
	to.letters = abs->src[0].swizzle == SWIZZLE_XYZW ? src->letters : LANES;
	to.negate = src->negate;
	to.absolute = true;
	to.at = src->at;
	changed.src[s] = to;
	if (check_instr_alone(p, &changed) > check_instr_alone(p, i))
		return false;
	*i = changed;
	return true;
}

/* Every reader of instruction k's result becomes one of what it reads; false: not every one can. */
static bool contract_one(struct arena *arena, struct program *p, uint32_t k)
{
	struct program *trial = program_copy(arena, p);
	const struct instr *abs = &p->instrs.at[k];
	lanes live = instr_writes(abs);
	bool spoilt = spoils(abs, &abs->src[0]);
	for (uint32_t j = k + 1; j < p->instrs.n && live; j++) {
		struct instr *i = &trial->instrs.at[j];
		for (unsigned s = 0; s < ops[i->op].sources; s++) {
			if (!reads_temp(i, s, abs->dst.index) || !(instr_reads(p, i, s) & live))
				continue;
			if (spoilt || instr_reads(p, i, s) & (lanes)~live || !put_in(p, abs, i, s))
				return false;
		}
		spoilt |= spoils(i, &abs->src[0]);
		if (instr_writes(i) && i->dst.file == REG_TEMP && i->dst.index == abs->dst.index)
			live &= (lanes)~instr_writes(i);
	}
	for (uint32_t j = k; j + 1 < trial->instrs.n; j++)
		trial->instrs.at[j] = trial->instrs.at[j + 1];
	trial->instrs.n--;
	p->instrs = trial->instrs;
	return true;
}

const struct program *modifier_contracted(struct arena *arena, const struct program *p)
{
	struct program *new = NULL;
	for (uint32_t k = 0; k < (new ? new : p)->instrs.n;) {
		const struct instr *i = &(new ? new : p)->instrs.at[k];
		bool const modifies = i->flags & INSTR_MODIFIER && i->op == OP_ABS && !(i->flags & INSTR_SAT) && i->dst.file == REG_TEMP;
		if (modifies && !new)
			new = program_copy(arena, p);
		if (modifies && contract_one(arena, new, k))
			continue;
		if (modifies)
			new->instrs.at[k].flags &= (uint8_t)~INSTR_MODIFIER;
		k++;
	}
	return new ? new : p;
}
