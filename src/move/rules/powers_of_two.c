/* Powers of two, see powers_of_two.h.  requires: a checked program; builds: a program. */
#include "move/rules/powers_of_two.h"

#include "move/graph/registers.h"
#include "move/cover/tidy.h"
#include "move/graph/values.h"

#include <string.h>

enum {
	MOST_STEPS = 8, /* products on the way */
	MOST_DEPTH = 4 /* ... away from it */
};

/* Operand `s` of an instruction. */
struct spot {
	uint32_t at;
	unsigned s;
};

/* The operand that a power of two, the same in all lanes, multiplies; MAX_SOURCES: there is none. */
static unsigned scaled_operand(const struct program *p, const struct instr *i)
{
	if (i->dst.file != REG_TEMP || i->flags & INSTR_SAT)
		return MAX_SOURCES;
	if (tidy_is_doubling(i))
		return i->src[0].file == REG_TEMP ? 0 : MAX_SOURCES;
	for (unsigned s = 0; i->op == OP_MUL && s < 2; s++) {
		const struct src *factor = &i->src[1 - s];
		const struct decl *def = factor->file == REG_CONST ? program_decl(p, REG_CONST, factor->index) : NULL;
		float const x = def ? def->value[swizzle_lane(factor->swizzle, first_lane(i->dst.mask))] : 0;
		bool same = tidy_is_power_of_two(x) && i->src[s].file == REG_TEMP;
		for (unsigned l = 0; same && l < LANES; l++) {
			float const other = def->value[swizzle_lane(factor->swizzle, l)];
			same = !(i->dst.mask >> l & 1) || memcmp(&other, &x, sizeof x) == 0;
		}
		if (same)
			return s;
	}
	return MAX_SOURCES;
}

static bool is_product(const struct instr *i)
{
	return i->op == OP_MUL || i->op == OP_DP3 || i->op == OP_DP4;
}

/* Does the operand read nothing but what instruction `def` writes? */
static bool reads_only(const struct values *v, struct spot at, uint32_t def)
{
	const struct use *u = &v->use[at.at][at.s];
	bool only = u->read != 0;
	for (unsigned p = 0; p < LANES; p++)
		only &= !(u->read >> p & 1) || u->def[p] == (int32_t)def;
	return only;
}

/* The only operand that reads what instruction `def` writes, and nothing else; false: there is none, or not only one. */
static bool find_reader(const struct values *v, uint32_t def, struct spot *reader)
{
	unsigned n = 0;
	for (uint32_t k = def + 1; k < v->ps->instrs.n; k++)
		for (unsigned s = 0; s < (tidy_is_doubling(&v->ps->instrs.at[k]) ? 1 : ops[v->ps->instrs.at[k].op].sources); s++) {
			bool reads = false;
			for (unsigned p = 0; p < LANES; p++)
				reads |= v->use[k][s].read >> p & 1 && v->use[k][s].def[p] == (int32_t)def;
			if (reads)
				*reader = (struct spot){k, s};
			n += reads;
		}
	return n == 1 && reads_only(v, *reader, def);
}

static bool can_move(const struct values *v, struct spot at)
{
	const struct use *u = &v->use[at.at][at.s];
	bool can = u->read != 0;
	for (unsigned p = 0; p < LANES; p++)
		can &= !(u->read >> p & 1) || (value_may_move(v, u->value[p]) && !value_at(v, u->value[p])->wild);
	return can;
}

/* A factor that can move of the product that the operand reads for nothing else. */
static bool descend(const struct values *v, struct spot from, unsigned depth, struct spot *found)
{
	int32_t const def = v->use[from.at][from.s].def[first_lane(v->use[from.at][from.s].read)];
	const struct instr *product = def >= 0 ? &v->ps->instrs.at[def] : NULL;
	struct spot reader;
	if (!product || depth == 0 || !is_product(product) || product->flags & INSTR_SAT || !reads_only(v, from, (uint32_t)def) ||
	    !find_reader(v, (uint32_t)def, &reader))
		return false;
	for (unsigned s = 0; s < 2; s++) {
		*found = (struct spot){(uint32_t)def, s};
		if (can_move(v, *found))
			return true;
	}
	return descend(v, (struct spot){(uint32_t)def, 0}, depth - 1, found) || descend(v, (struct spot){(uint32_t)def, 1}, depth - 1, found);
}

/* A factor that can move of a product that instruction k is a part of, or that it multiplies. */
static bool find_factor(const struct values *v, uint32_t k, unsigned operand, struct spot *found)
{
	if (descend(v, (struct spot){k, operand}, MOST_DEPTH, found))
		return v->use[k][operand].def[first_lane(v->use[k][operand].read)] != (int32_t)found->at;
	uint32_t cur = k;
	for (unsigned n = 0; n < MOST_STEPS; n++) {
		struct spot reader;
		if (!find_reader(v, cur, &reader) || reader.s > 1)
			return false;
		const struct instr *i = &v->ps->instrs.at[reader.at];
		if (!is_product(i) && i->op != OP_MAD)
			return false;
		*found = (struct spot){reader.at, 1 - reader.s};
		if (can_move(v, *found))
			return n > 0 || i->op != OP_MUL;
		if (descend(v, *found, MOST_DEPTH, found))
			return true;
		if (i->op == OP_MAD || i->flags & INSTR_SAT || i->dst.file != REG_TEMP)
			return false;
		cur = reader.at;
	}
	return false;
}

/* Two instructions before the one at `to.at`: what its operand reads, times what instruction k multiplies by. */
static void put_scaled(struct arena *arena, struct program *out, const struct instr *scale, unsigned operand, const struct program *p,
                       struct instr *user, unsigned s, int reg)
{
	lanes const read = instr_reads(p, user, s);
	struct instr mov = {.op = OP_MOV, .dst = {.file = REG_TEMP, .index = (int16_t)reg, .at = SRCPOS_NONE}, .at = SRCPOS_NONE};
	mov.src[0] = user->src[s];
	mov.src[0].negate = false;
	mov.src[0].letters = 0;
	mov.src[0].swizzle = SWIZZLE_XYZW;
	tidy_mask(&mov, read);
	VEC_PUSH(arena, &out->instrs) = mov;
	struct instr times = mov;
	times.op = scale->op;
	times.dst.index = (int16_t)(reg + 1);
	times.src[0] = src_temp(reg);
	times.src[1] = times.src[0];
	if (scale->op == OP_MUL) {
		times.src[1] = scale->src[1 - operand];
		times.src[1].letters = 0;
		times.src[1].swizzle = swizzle_replicate(swizzle_lane(times.src[1].swizzle, first_lane(scale->dst.mask)));
	}
	VEC_PUSH(arena, &out->instrs) = times;
	user->src[s].file = REG_TEMP;
	user->src[s].index = (int16_t)(reg + 1);
}

static struct program *push_one(struct arena *arena, const struct values *v)
{
	const struct program *p = v->ps;
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		const struct instr *scale = &p->instrs.at[k];
		unsigned const s = scaled_operand(p, scale);
		struct spot to;
		bool pixel = s < MAX_SOURCES;
		for (unsigned l = 0; pixel && l < LANES; l++)
			pixel = !(scale->dst.mask >> l & 1) || !value_is_movable(v, v->def[k][l]);
		if (!pixel || !find_factor(v, k, s, &to))
			continue;
		struct program *out = program_head(arena, p);
		for (uint32_t n = 0; n < p->instrs.n; n++) {
			struct instr i = p->instrs.at[n];
			if (n == to.at)
				put_scaled(arena, out, scale, s, p, &i, to.s, VIRTUAL_REGS);
			if (n == k) {
				i.op = OP_MOV;
				i.src[0] = scale->src[s];
				memset(&i.src[1], 0, sizeof i.src[1]);
			}
			VEC_PUSH(arena, &out->instrs) = i;
		}
		return regs_allocate(arena, out, WAY_TEMPS) ? out : NULL;
	}
	return NULL;
}

struct program *push_scales(struct arena *arena, const struct program *vs, const struct program *ps)
{
	bool any = false;
	for (uint32_t k = 0; k < ps->instrs.n; k++)
		any |= scaled_operand(ps, &ps->instrs.at[k]) < MAX_SOURCES;
	for (uint32_t k = 0; any && k < ps->instrs.n; k++)
		any = ops[ps->instrs.at[k].op].shape != SHAPE_MATRIX;
	if (!any)
		return NULL;
	struct program *now = program_copy(arena, ps), *found = NULL;
	for (uint32_t k = 0; k < ps->instrs.n; k++)
		now->instrs.at[k].at = k;
	for (unsigned n = 0; now && n < MOST_STEPS; n++) {
		now = push_one(arena, values_number(arena, vs, now));
		found = now ? now : found;
	}
	return found;
}
