/* Replaces _abs by an instruction and back, see modifier.h. */
#include "lang/modifier.h"

#include "lang/checker.h"

enum { TEMPS = 64, NOWHERE = -1 };

/* A set of lanes of temporaries. */
struct temps {
	lanes of[TEMPS];
};

/* Adds to `to` the lanes of temporaries that the instruction's operands read. */
static void add_lanes_read(const struct program *p, const struct instr *i, struct temps *to)
{
	EACH_SOURCE(s, i) {
		/* All lanes count for scratch operands of sgn, which sgn writes, and for coordinates, whose .z may be compared with a depth. */
		bool const all = (i->op == OP_SGN && s > 0) || instr_samples(i);
		lanes const read = all ? MASK_XYZW : instr_reads(p, i, s);
		for (unsigned row = 0; i->src[s].file == REG_TEMP && row < instr_rows(i, s); row++)
			to->of[(i->src[s].index + (int)row) & (TEMPS - 1)] |= read;
	}
}

/* Sets all lanes in `to` of each temporary that the instruction names. */
static void add_temps_named(const struct instr *i, struct temps *to)
{
	EACH_SOURCE(s, i)
		for (unsigned row = 0; i->src[s].file == REG_TEMP && row < instr_rows(i, s); row++)
			to->of[(i->src[s].index + (int)row) & (TEMPS - 1)] = MASK_XYZW;
	if (!(ops[i->op].flags & OPF_NO_DST) && i->dst.file == REG_TEMP)
		to->of[i->dst.index & (TEMPS - 1)] = MASK_XYZW;
}

/* Returns the lanes that must not be overwritten directly before instruction k: live lanes, and all lanes of its destination. */
static struct temps live_at(const struct program *p, const struct instr *instrs, uint32_t n, uint32_t k)
{
	struct temps live = {{0}};
	for (uint32_t j = n; j-- > k;) {
		const struct instr *i = &instrs[j];
		/* The destination of instruction k stays live, since a macro may write any lane of it before it has read all operands. */
		if (j > k && instr_writes(i) && i->dst.file == REG_TEMP)
			live.of[i->dst.index & (TEMPS - 1)] &= (lanes)~instr_writes(i);
		add_lanes_read(p, i, &live);
	}
	const struct instr *i = &instrs[k];
	if (instr_writes(i) && i->dst.file == REG_TEMP)
		live.of[i->dst.index & (TEMPS - 1)] = MASK_XYZW;
	return live;
}

static bool has_modifier(const struct instr *i)
{
	bool any = false;
	EACH_SOURCE(s, i)
		any |= i->src[s].absolute;
	return any;
}

struct expansion {
	struct arena *arena;
	struct program *p;
	struct temps named;             /* temporaries that the text names, with all lanes */
	struct temps written;           /* lanes of temporaries that were written so far */
};

/* Returns the register lane that a texture coordinate's .z reads, if the texture is 2D, as that may be compared with a depth; else 0. */
static lanes compared_lane(const struct program *p, const struct instr *i, unsigned s)
{
	bool const compared = s == 0 && instr_samples(i) && p->samplers[i->src[1].index] == TEXTURE_2D;
	return compared ? (lanes)(1u << swizzle_lane(i->src[0].swizzle, LANE_Z)) : 0;
}

static lanes lanes_with_value(const struct expansion *e, const struct src *src)
{
	return src->file == REG_TEMP ? e->written.of[src->index & (TEMPS - 1)] : src->file == REG_CONST ? MASK_XYZW :
	       program_declared(e->p, (enum reg_file)src->file, src->index);
}

/* Returns a temporary whose lanes `wanted` are free, and marks it as live; NOWHERE if there is none.  Prefers one that the text does not name,
 * then one whose lanes `clean` were not written so far. */
static int16_t take_abs_temp(const struct expansion *e, struct temps *live, lanes wanted, lanes clean)
{
	int16_t found = NOWHERE;
	unsigned best = 0;
	for (int16_t reg = (int16_t)models[e->p->model].temps; reg-- > 0;) {
		unsigned const rank = 1u + !(e->written.of[reg] & clean) + 2u * !e->named.of[reg];
		if (!(live->of[reg] & wanted) && rank >= best) {
			best = rank;
			found = reg;
		}
	}
	if (found != NOWHERE)
		live->of[found] = MASK_XYZW;
	return found;
}

/* Returns true if operand s can have _abs.  For a matrix or a sampler, adds an error and returns false. */
static bool may_have_modifier(const struct expansion *e, const struct instr *i, unsigned s, struct diags *diags)
{
	bool const sampler = i->src[s].file == REG_SAMPLER, matrix = s == 1 && ops[i->op].shape == SHAPE_MATRIX;
	if (!sampler && !matrix)
		return true;
	diag_add(diags, DIAG_ERROR, rules[sampler ? RULE_PS_TEX_SAMPLER : RULE_MATRIX_SOURCE].id, e->p->source, i->src[s].at,
	         "the %s of %s takes no _abs", sampler ? "sampler" : "matrix", ops[i->op].name);
	return false;
}

/* Appends an abs instruction for the _abs of operand s, and makes the operand read its result.  Adds an error if no temporary is free. */
static void expand_operand(struct expansion *e, struct instr *i, unsigned s, struct temps *live, struct diags *diags)
{
	struct src *src = &i->src[s], from = *src;
	lanes const compared = compared_lane(e->p, i, s), there = lanes_with_value(e, src);
	lanes const read = instr_reads(e->p, i, s) | (compared & there);
	int16_t const reg = take_abs_temp(e, live, read, compared & (lanes)~there);
	if (reg == NOWHERE) {
		diag_add(diags, DIAG_ERROR, "modifier", e->p->source, src->at,
		         "all temporaries of the model are in use here, and _abs needs a free one");
		return;
	}
	from.swizzle = SWIZZLE_XYZW;
	from.letters = 0;
	from.negate = from.absolute = false;
	src->file = REG_TEMP;
	src->index = reg;
	src->relative = 0;
	src->absolute = false;
	e->written.of[reg] |= read;
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
	const struct instr *old = p->instrs.at;
	uint32_t const count = p->instrs.n;
	struct expansion e = {.arena = arena, .p = p};
	for (uint32_t k = 0; k < count; k++)
		add_temps_named(&old[k], &e.named);
	p->instrs.at = NULL;
	p->instrs.n = p->instrs.cap = 0;
	for (uint32_t k = 0; k < count; k++) {
		struct instr i = old[k];
		struct temps live = {{0}};
		if (has_modifier(&i))
			live = live_at(p, old, count, k);
		EACH_SOURCE(s, &i)
			if (i.src[s].absolute && may_have_modifier(&e, &i, s, diags))
				expand_operand(&e, &i, s, &live, diags);
		if (instr_writes(&i) && i.dst.file == REG_TEMP)
			e.written.of[i.dst.index & (TEMPS - 1)] |= instr_writes(&i);
		VEC_PUSH(arena, &p->instrs) = i;
	}
}

static bool reads_temp(const struct instr *i, unsigned s, int reg)
{
	return i->src[s].file == REG_TEMP && reg >= i->src[s].index && reg < i->src[s].index + (int)instr_rows(i, s);
}

/* Returns true if the instruction may change a register lane that `abs` reads, or the a0 that addresses it. */
static bool may_change_operand(const struct program *p, const struct instr *i, const struct instr *abs)
{
	const struct src *of = &abs->src[0];
	if (ops[i->op].flags & OPF_NO_DST)
		return false;
	if (of->relative && i->dst.file == REG_ADDRESS)
		return true;
	bool const clobbers = i->op == OP_SINCOS || i->op == OP_SGN; /* these macros overwrite lanes that their mask does not name */
	lanes const written = clobbers ? MASK_XYZW : instr_writes(i);
	bool spoilt = i->dst.file == of->file && i->dst.index == of->index && written & instr_reads(p, abs, 0);
	for (unsigned s = 1; i->op == OP_SGN && s <= 2; s++)
		spoilt |= of->file == REG_TEMP && i->src[s].index == of->index;
	return spoilt;
}

/* Makes operand s, which reads the result of `abs`, read the operand of `abs` with _abs instead.  Returns false, and changes nothing, if s is
 * a matrix, reads lanes that `abs` does not write, or would break a rule of the model. */
static bool contract_operand(const struct program *p, const struct instr *abs, struct instr *i, unsigned s)
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

/* Removes the abs at k and gives each of its readers _abs.  Returns false, and changes nothing, if some reader cannot have _abs. */
static bool contract_abs(struct arena *arena, struct program *p, uint32_t k)
{
	struct program *trial = program_copy(arena, p);
	const struct instr *abs = &p->instrs.at[k];
	lanes live = instr_writes(abs);
	bool spoilt = may_change_operand(p, abs, abs);
	for (uint32_t j = k + 1; j < p->instrs.n && live; j++) {
		struct instr *i = &trial->instrs.at[j];
		EACH_SOURCE(s, i) {
			if (!reads_temp(i, s, abs->dst.index) || !(instr_reads(p, i, s) & live))
				continue;
			if (spoilt || instr_reads(p, i, s) & (lanes)~live || !contract_operand(p, abs, i, s))
				return false;
		}
		spoilt |= may_change_operand(p, i, abs);
		if (instr_writes(i) && i->dst.file == REG_TEMP && i->dst.index == abs->dst.index)
			live &= (lanes)~instr_writes(i);
	}
	for (uint32_t j = k; j + 1 < trial->instrs.n; j++)
		trial->instrs.at[j] = trial->instrs.at[j + 1];
	trial->instrs.n--;
	p->instrs = trial->instrs;
	return true;
}

/* Implements modifier_contracted().  `told` is NULL or `p`: clears INSTR_MODIFIER of each abs in `told` that stays an instruction. */
static const struct program *contract_all(struct arena *arena, const struct program *p, struct program *told)
{
	struct program *new = NULL;
	uint32_t k = 0;
	for (uint32_t at = 0; at < p->instrs.n; at++) {
		const struct instr *i = &(new ? new : p)->instrs.at[k];
		bool const modifies = instr_is_modifier(i);
		if (modifies && !new)
			new = program_copy(arena, p);
		if (modifies && contract_abs(arena, new, k))
			continue;
		if (modifies)
			new->instrs.at[k].flags &= (uint8_t)~INSTR_MODIFIER;
		if (modifies && told)
			told->instrs.at[at].flags &= (uint8_t)~INSTR_MODIFIER;
		k++;
	}
	return new ? new : p;
}

const struct program *modifier_contracted(struct arena *arena, const struct program *p)
{
	return contract_all(arena, p, NULL);
}

void modifier_settle(struct arena *arena, struct program *p)
{
	contract_all(arena, p, p);
}

bool modifier_mark(struct program *p)
{
	bool any = false;
	for (uint32_t k = 0; k < p->instrs.n && model_links(p->model); k++) {
		struct instr *i = &p->instrs.at[k];
		if (i->op != OP_ABS || i->dst.file != REG_TEMP || i->flags & (INSTR_SAT | INSTR_MODIFIER))
			continue;
		i->flags = INSTR_MODIFIER;
		any = true;
	}
	return any;
}
