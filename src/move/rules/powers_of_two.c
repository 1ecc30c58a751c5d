/* Moves factors 2^n to values that can move.  requires: a checked program, its values; builds: a program.
 *
 * The new program has no doublings and products with 2^n, as far as possible.  A factor moves backwards, from the operand that is
 * multiplied to the operands from which that was computed, or forwards, to what the product is multiplied by later.  If it meets a value
 * that can move, or a literal, that value is multiplied by an instruction of its own, which leaves.  Each attempt changes the program at
 * once and is undone if it fails.
 *
 * Backwards: `dp3 r1.x, r0, t0`, `max r1.x, r1.x, c0.x` and `add r1.x, r1.x, r1.x` with c0.x = 0 become `dp3 r1.x, r0, r2` and the
 * max, with r2 = 2 t0, which can leave.  The results are the same floats.
 *
 * A mad becomes a sum in this way: `mad r0, r1, c0.y, r2` becomes `add r0, r1, r2`, with an r1 that was multiplied before.
 *
 * A factor 8 of all summands of a value is pulled out into a sum that reads the value: `mul r1, r1, c0.y`, `mad r2, r2, c0.y, -r1`,
 * `mad r1, r3, r2, r1` and `add r0, r1, r0` become `add r2, r2, -r1`, the second mad, and `mad r0, r1, c0.y, r0`. */
#include "move/rules/rules.h"

#include "lang/check.h"
#include "lang/rounding.h"
#include "move/graph/registers.h"

#include <string.h>

enum { MOST_STEPS = 24 /* instructions that one factor goes through */ };

/* An undo record for one instruction. */
struct change {
	uint32_t at;
	struct instr old;
	bool copy; /* the instruction's element of pushing.copies before the change */
};

/* An operand that must be scaled, and the instruction whose result is scaled for it. */
struct scaled {
	struct operand at;
	uint32_t def;
};

/* An instruction that is added before another. */
struct added {
	uint32_t before;
	struct instr instr;
};

struct pushing {
	struct values *v;
	struct program *p; /* a copy of the program, which is changed; it keeps the number of instructions */
	const struct move_options *options;
	const struct instr *scale; /* the given instruction (the scale) that multiplies by the factor which is being moved */
	unsigned operand;          /* the operand of `scale` that is multiplied */
	bool divides;              /* values are to be divided by the factor, which is done only by removing an equal factor elsewhere */
	bool several;              /* a result that several operands read may be scaled, if all of them expect that (all_agree()) */
	int next_temp;
	unsigned steps;            /* how many more instructions the factor may go through */
	bool *copies;              /* [instruction]: its own factor was removed, so that it is now a mov, or a sum in place of a mad */
	struct { VEC(struct change); } changes;
	struct { VEC(struct added); } added;
	struct { VEC(struct scaled); } scaled;
};

/* The lengths of the lists of `struct pushing` at some time, so that undo() can remove what was added since. */
struct done {
	uint32_t changes, added, scaled;
};

static bool scale_operand(struct pushing *p, struct operand at);

/* ---- the given program -------------------------------------------------------------------------- */

/* Returns the operand (an r#) of a product or mad that is multiplied by a power of two, the same in all lanes.  Returns MAX_SOURCES if there is
 * none, or if a product writes no r#, or both negates and clamps. */
static unsigned scaled_operand(const struct program *p, const struct instr *i)
{
	bool const sum = i->op == OP_MAD, clamped = !sum && i->flags & INSTR_SAT;
	if (!sum && i->dst.file != REG_TEMP)
		return MAX_SOURCES;
	if (instr_is_doubling(i))
		return i->src[0].file == REG_TEMP && !(clamped && i->src[0].negate) ? 0 : MAX_SOURCES;
	float factor;
	struct instr product = *i;
	product.op = sum ? OP_MUL : i->op;
	unsigned const s = instr_scaled_operand(p, &product, &factor);
	if (s < MAX_SOURCES && i->src[s].file == REG_TEMP && (factor < 0) == i->src[1 - s].negate &&
	    !(clamped && i->src[s].negate != i->src[1 - s].negate))
		return s;
	return MAX_SOURCES;
}

static uint32_t only_def(const struct values *v, struct operand at)
{
	return rules_sole_def(v, at.at, at.s);
}

/* Returns true if an interpolator can bring everything that the operand reads, so that it can also bring that times the factor. */
static bool can_ride_scaled(const struct pushing *p, struct operand at)
{
	const struct use *u = &p->v->use[at.at][at.s];
	EACH_LANE(l, u->read)
		if (!value_may_move(p->v, u->value[l]) || !value_rides(p->v, u->value[l], p->options))
			return false;
	return u->read != 0;
}

static bool operand_reads_zero(const struct values *v, struct operand at)
{
	const struct use *u = &v->use[at.at][at.s];
	EACH_LANE(l, u->read)
		if (u->value[l] != v->zero)
			return false;
	return true;
}

/* ---- changes ------------------------------------------------------------------------------------- */

/* Returns instruction k of the changed program, to be changed by the caller, and notes it for undo(). */
static struct instr *change_instr(struct pushing *p, uint32_t k)
{
	VEC_PUSH(p->v->arena, &p->changes) = (struct change){k, p->p->instrs.at[k], p->copies[k]};
	return &p->p->instrs.at[k];
}

/* Returns true if instruction k was changed, so that its factor may be a different one now. */
static bool was_changed(const struct pushing *p, uint32_t k)
{
	return memcmp(&p->p->instrs.at[k], &p->v->ps->instrs.at[k], sizeof(struct instr)) != 0;
}

static struct done done(const struct pushing *p)
{
	return (struct done){p->changes.n, p->added.n, p->scaled.n};
}

static void undo(struct pushing *p, struct done so_far)
{
	while (p->changes.n > so_far.changes) {
		const struct change *c = &p->changes.at[--p->changes.n];
		p->p->instrs.at[c->at] = c->old;
		p->copies[c->at] = c->copy;
	}
	p->added.n = so_far.added;
	p->scaled.n = so_far.scaled;
}

/* Adds instructions that multiply what an operand reads, and can move, by the factor which is being moved, and lets the operand read the result. */
static void add_scaled(struct pushing *p, struct operand at)
{
	struct instr *user = change_instr(p, at.at);
	struct src *src = &user->src[at.s];
	int const reg = p->next_temp;
	p->next_temp += 2;
	struct instr mov = {.op = OP_MOV, .dst = {.file = REG_TEMP, .index = (int16_t)reg, .at = SRCPOS_NONE}, .at = SRCPOS_NONE};
	mov.src[0] = *src;
	mov.src[0].negate = false;
	mov.src[0].letters = 0;
	mov.src[0].swizzle = SWIZZLE_XYZW;
	instr_set_mask(&mov, instr_reads(p->p, user, at.s));
	VEC_PUSH(p->v->arena, &p->added) = (struct added){at.at, mov};
	struct instr times = mov;
	times.op = p->scale->op == OP_ADD ? OP_ADD : OP_MUL;
	times.dst.index = (int16_t)(reg + 1);
	times.src[0] = times.src[1] = src_temp(reg);
	if (times.op == OP_MUL) {
		const struct src *factor = &p->scale->src[1 - p->operand];
		times.src[1] = *factor;
		times.src[1].negate = false;
		times.src[1].letters = 0;
		times.src[1].swizzle = swizzle_replicate(swizzle_lane(factor->swizzle, first_lane(p->scale->dst.mask)));
	}
	VEC_PUSH(p->v->arena, &p->added) = (struct added){at.at, times};
	src->file = REG_TEMP;
	src->index = (int16_t)(reg + 1);
}

/* ---- factors of others ---------------------------------------------------------------------------------- */

/* Returns the number by which the instruction `scale` multiplies this operand of it. */
static float factor_number(const struct program *ps, const struct instr *scale, unsigned operand)
{
	const struct src *factor = &scale->src[1 - operand];
	const struct decl *def = scale->op != OP_ADD ? program_decl(ps, REG_CONST, factor->index) : NULL;
	return def ? def->value[swizzle_lane(factor->swizzle, first_lane(scale->dst.mask))] : 2;
}

/* Returns true if instruction k was not changed, and multiplies by the same power of two as the factor that is being moved. */
static bool same_scale(const struct pushing *p, uint32_t k)
{
	const struct instr *i = &p->v->ps->instrs.at[k];
	unsigned const s = scaled_operand(p->v->ps, i);
	if (s == MAX_SOURCES || was_changed(p, k))
		return false;
	float const x = factor_number(p->v->ps, i, s), y = factor_number(p->v->ps, p->scale, p->operand);
	return memcmp(&x, &y, sizeof x) == 0;
}

/* Removes the factor from instruction k: a product becomes a mov of the operand, and a mad becomes the sum of the operand and its addend. */
static void make_copy(struct pushing *p, uint32_t k, unsigned operand)
{
	struct instr *i = change_instr(p, k);
	struct src const src = i->src[operand], more = i->src[2];
	bool const minus = i->op != OP_ADD && i->src[1 - operand].negate, sum = i->op == OP_MAD;
	i->op = sum ? OP_ADD : OP_MOV;
	memset(i->src, 0, sizeof i->src);
	i->src[0] = src;
	i->src[0].negate = src.negate != minus;
	if (sum)
		i->src[1] = more;
	p->copies[k] = true;
}

/* ---- backwards --------------------------------------------------------------------------------------- */

/* Multiplies the second or else the first operand of product k by the factor.  Returns false if both fail. */
static bool scale_either(struct pushing *p, uint32_t k)
{
	return scale_operand(p, (struct operand){k, 1}) || scale_operand(p, (struct operand){k, 0});
}

/* Returns true for sums and products.  Max and min are scaled only by way of these, since the proof treats nested choices, for example a maximum
 * of a minimum, as one function. */
static bool is_sum_or_product(enum op op)
{
	return op == OP_ADD || op == OP_SUB || op == OP_MUL || op == OP_MAD || op == OP_DP3 || op == OP_DP4 || op == OP_DP2ADD;
}

/* Multiplies an operand of max or min by the factor.  Returns false if that fails, or if it does not read 0, an input, or the result of
 * a sum or product. */
static bool scale_bounded(struct pushing *p, struct operand at)
{
	uint32_t const def = only_def(p->v, at);
	const struct src *src = &p->v->ps->instrs.at[at.at].src[at.s];
	bool const carried = src->file == REG_TEXCOORD || (src->file == REG_INPUT && model_links(p->v->ps->model));
	return (operand_reads_zero(p->v, at) || carried || (def != UINT32_MAX && is_sum_or_product((enum op)p->v->ps->instrs.at[def].op))) &&
	       scale_operand(p, at);
}

/* Divides the result of instruction k by the factor, by removing an equal factor from it.  Returns false if k has none, or if the task is to
 * multiply. */
static bool take_factor(struct pushing *p, uint32_t k)
{
	if (!p->divides || !same_scale(p, k))
		return false;
	make_copy(p, k, scaled_operand(p->v->ps, &p->v->ps->instrs.at[k]));
	return true;
}

/* Multiplies (or, if pushing.divides, divides) the result of instruction k by the factor.  Returns false if that fails. */
static bool scale_result(struct pushing *p, uint32_t k)
{
	struct instr const i = p->p->instrs.at[k];
	struct operand const at[MAX_SOURCES] = {{k, 0}, {k, 1}, {k, 2}};
	if (i.dst.file != REG_TEMP || i.flags & INSTR_SAT || p->copies[k] || p->steps == 0)
		return false;
	p->steps--;
	change_instr(p, k);
	if (i.op != OP_MAD && take_factor(p, k))
		return true;
	switch ((enum op)i.op) {
	case OP_MOV: return scale_operand(p, at[0]);
	case OP_ADD:
	case OP_SUB: return scale_operand(p, at[0]) && scale_operand(p, at[1]);
	case OP_LRP:
	case OP_CMP: return scale_operand(p, at[1]) && scale_operand(p, at[2]);
	case OP_MUL:
	case OP_DP3:
	case OP_DP4: return scale_either(p, k);
	case OP_MAD:
	case OP_DP2ADD: return scale_operand(p, at[2]) && (take_factor(p, k) || scale_either(p, k));
	case OP_MAX:
	case OP_MIN:
		if (!operand_reads_zero(p->v, at[0]) && !operand_reads_zero(p->v, at[1]))
			return false;
		return scale_bounded(p, at[0]) && scale_bounded(p, at[1]);
	default: return false;
	}
}

static bool is_result_scaled(const struct pushing *p, uint32_t def)
{
	bool found = false;
	for (uint32_t n = 0; n < p->scaled.n && !found; n++)
		found = p->scaled.at[n].def == def;
	return found;
}

static bool scale_operand(struct pushing *p, struct operand at)
{
	struct done const before = done(p);
	if (operand_reads_zero(p->v, at))
		return true;
	if (!p->divides && can_ride_scaled(p, at)) {
		add_scaled(p, at);
		return true;
	}
	uint32_t const def = only_def(p->v, at);
	bool const may = def != UINT32_MAX && (p->several || is_sole_reader(p->v, def, at)), there = may && is_result_scaled(p, def);
	if (may)
		VEC_PUSH(p->v->arena, &p->scaled) = (struct scaled){at, def};
	if (there || (may && scale_result(p, def)))
		return true;
	undo(p, before);
	return false;
}

/* Returns true if each result that was multiplied (or divided) is read only by operands that need it to be. */
static bool all_agree(const struct pushing *p)
{
	bool all = true;
	for (uint32_t n = 0; n < p->scaled.n && all; n++) {
		uint32_t const def = p->scaled.at[n].def;
		for (struct operand next = {def + 1, 0}; all && next_reader(p->v, def, &next); next.s++) {
			all = false;
			for (uint32_t m = 0; m < p->scaled.n && !all; m++)
				all = p->scaled.at[m].at.at == next.at && p->scaled.at[m].at.s == next.s;
		}
	}
	return all;
}

/* ---- forwards ---------------------------------------------------------------------------------------- */

static bool push_forward(struct pushing *p, uint32_t k);

/* Compensates for an operand whose value no longer has the factor: multiplies another operand of the same instruction, or else what the readers
 * of the instruction's result compute from it.  Returns false if that fails. */
static bool absorb_factor(struct pushing *p, struct operand at)
{
	const struct instr *i = &p->p->instrs.at[at.at];
	uint32_t const def = only_def(p->v, at);
	bool const clamped = i->flags & INSTR_SAT || i->dst.file != REG_TEMP;
	bool once = def != UINT32_MAX;
	/* The instruction whose result the operand will read when the scale has become a copy. */
	uint32_t const made = once && p->v->ps->instrs.at + def == p->scale ? only_def(p->v, (struct operand){def, p->operand}) : def;
	for (unsigned s = 0; once && s < ops[i->op].sources; s++)
		once = s == at.s || !operand_reads(p->v, (struct operand){at.at, s}, def);
	if (p->copies[at.at] || !once || made == UINT32_MAX)
		return false;
	switch ((enum op)i->op) {
	case OP_MOV: return !clamped && push_forward(p, at.at);
	case OP_MUL:
	case OP_DP3:
	case OP_DP4:
		return scale_operand(p, (struct operand){at.at, 1 - at.s}) || (!clamped && push_forward(p, at.at));
	case OP_MAD:
	case OP_DP2ADD: return at.s < 2 && scale_operand(p, (struct operand){at.at, 1 - at.s});
	case OP_MAX:
	case OP_MIN:
		return !clamped && operand_reads_zero(p->v, (struct operand){at.at, 1 - at.s}) && is_sum_or_product((enum op)p->v->ps->instrs.at[made].op) &&
		       push_forward(p, at.at);
	default: return false;
	}
}

/* Multiplies by the factor in all readers of the result of instruction k, which will no longer have that factor.  Returns false if that fails. */
static bool push_forward(struct pushing *p, uint32_t k)
{
	struct done const before = done(p);
	bool all = p->steps > 0, any = false;
	p->steps -= all;
	for (struct operand next = {k + 1, 0}; all && next_reader(p->v, k, &next); next.s++) {
		all = absorb_factor(p, next);
		any = true;
	}
	if (!all)
		undo(p, before);
	return all && any;
}

/* ---- entry ---------------------------------------------------------------------------------------------- */

/* Multiplies the operand of instruction k where that is computed, if all instructions that read it multiply it by the same factor, which they
 * then lose.  Returns false if that fails; the caller must then call undo(). */
static bool push_back(struct pushing *p, uint32_t k)
{
	uint32_t const def = only_def(p->v, (struct operand){k, p->operand});
	if (def == UINT32_MAX)
		return false;
	for (struct operand next = {def + 1, 0}; next_reader(p->v, def, &next); next.s++) {
		const struct instr *i = &p->v->ps->instrs.at[next.at];
		if (p->copies[next.at] && p->p->instrs.at[next.at].op == OP_MOV)
			continue; /* the second operand of a doubling x + x, which became a mov at the first */
		unsigned const s = scaled_operand(p->v->ps, i);
		if (only_def(p->v, next) != def || s != next.s || !same_scale(p, next.at))
			return false; /* the operand has lanes from elsewhere, or the reader another factor */
		make_copy(p, next.at, s);
	}
	return scale_result(p, def);
}

/* Turns a sum into a mad that multiplies the summand `at` by the factor.  Returns false if the model forbids that mad; the
 * caller must then call undo(). */
static bool multiply_summand(struct pushing *p, struct operand at)
{
	struct instr const old = p->v->ps->instrs.at[at.at];
	struct instr *sum = change_instr(p, at.at);
	sum->op = OP_MAD;
	sum->src[0] = old.src[at.s];
	sum->src[1] = p->scale->src[1 - p->operand];
	sum->src[1].negate = false;
	sum->src[1].letters = 0;
	sum->src[1].swizzle = swizzle_replicate(swizzle_lane(sum->src[1].swizzle, first_lane(p->scale->dst.mask)));
	sum->src[2] = old.src[1 - at.s];
	p->copies[at.at] = true;
	return check_instr_alone(p->p, sum) <= check_instr_alone(p->p, &old);
}

/* Compensates within the instruction for an operand that will be divided by the factor.  Returns false if that fails. */
static bool make_up(struct pushing *p, struct operand at)
{
	const struct instr *i = &p->v->ps->instrs.at[at.at];
	struct operand const other = {at.at, 1 - at.s};
	switch ((enum op)i->op) {
	case OP_ADD: return multiply_summand(p, at);
	case OP_MUL:
	case OP_MAD:
	case OP_DP2ADD:
	case OP_DP3:
	case OP_DP4:
		if (at.s > 1 || !can_ride_scaled(p, other))
			return false;
		add_scaled(p, other);
		return true;
	default: return false;
	}
}

/* Removes the factor of product k by dividing the operand, and so all its summands, by it.  Returns false if that fails; the caller must then call
 * undo(). */
static bool pull_from_operand(struct pushing *p, uint32_t k, struct operand at)
{
	uint32_t const def = only_def(p->v, at);
	bool once = def != UINT32_MAX && def > k && !was_changed(p, at.at);
	for (unsigned s = 0; once && s < ops[p->v->ps->instrs.at[at.at].op].sources; s++)
		once = s == at.s || !operand_reads(p->v, (struct operand){at.at, s}, def);
	if (!once || !make_up(p, at))
		return false;
	p->divides = true;
	bool const divided = scale_operand(p, at) && p->copies[k] && all_agree(p);
	p->divides = false;
	return divided;
}

/* Removes the factor of product k by pull_from_operand(), with the first operand of a later instruction for which that works.  Returns false if
 * there is none. */
static bool pull_out(struct pushing *p, uint32_t k)
{
	struct done const before = done(p);
	bool pulled = false;
	for (uint32_t j = k + 1; j < p->v->ps->instrs.n && p->scale->op == OP_MUL && !pulled; j++)
		for (unsigned s = 0; s < 2 && !pulled; s++) {
			p->steps = MOST_STEPS;
			pulled = pull_from_operand(p, k, (struct operand){j, s});
			if (!pulled)
				undo(p, before);
		}
	return pulled;
}

/* Removes the factor of instruction k, backwards, forwards, or by pulling it out.  Returns false if nothing works. */
static bool push_factor(struct pushing *p, uint32_t k)
{
	p->scale = &p->v->ps->instrs.at[k];
	p->operand = scaled_operand(p->v->ps, p->scale);
	if (p->operand == MAX_SOURCES || was_changed(p, k))
		return false;
	EACH_LANE(l, instr_writes(p->scale))
		if (!value_is_pixel(p->v, p->v->def[k][l]))
			return false;
	p->scaled.n = 0;
	struct done const before = done(p);
	p->steps = MOST_STEPS;
	for (unsigned several = 0; several < 2; several++) {
		p->several = several;
		if (push_back(p, k) && all_agree(p))
			return true;
		undo(p, before);
		p->steps = MOST_STEPS;
	}
	p->several = false;
	if (p->scale->op != OP_MAD && !(p->scale->flags & INSTR_SAT) && push_forward(p, k)) {
		make_copy(p, k, p->operand);
		return true;
	}
	undo(p, before);
	p->several = true;
	return pull_out(p, k);
}

static struct program *with_added(const struct pushing *p)
{
	struct arena *arena = p->v->arena;
	struct program *out = program_head(arena, p->v->ps);
	for (uint32_t k = 0; k < p->p->instrs.n; k++) {
		for (uint32_t n = 0; n < p->added.n; n++)
			if (p->added.at[n].before == k)
				VEC_PUSH(arena, &out->instrs) = p->added.at[n].instr;
		VEC_PUSH(arena, &out->instrs) = p->p->instrs.at[k];
		out->instrs.at[out->instrs.n - 1].at = k;
	}
	return regs_allocate(arena, out, MODEL_TEMPS) ? out : NULL;
}

struct program *variant_scales(const struct variant_of *of)
{
	struct values *v = of->values;
	uint32_t const n = v->ps->instrs.n;
	bool any = false;
	for (uint32_t k = 0; k < n && !any; k++)
		any = scaled_operand(v->ps, &v->ps->instrs.at[k]) != MAX_SOURCES;
	if (!any || v->careful)
		return NULL;
	struct pushing p = {.v = v, .p = program_copy(v->arena, v->ps), .options = of->group->options, .next_temp = VIRTUAL_REGS};
	p.copies = arena_zero(v->arena, n + 1);
	any = false;
	for (uint32_t k = 0; k < n; k++)
		any |= push_factor(&p, k);
	return any ? with_added(&p) : NULL;
}
