/* Two instructions become one that writes the lanes of both: as one operation on the same registers, as a mad with literals
 * (tidy_as_mad), or as a choice by literals (tidy_as_choice).  Where both write one register, one of them takes the other's place:
 *
 *     mul oT0.x, v1.x, c2.x                      mul oT0.xy, v1, c2
 *     mul oT0.y, v1.y, c2.y
 *
 * Elsewhere their lanes are put beside each other in some register, and what reads them reads it there:
 *
 *     add r0.x, v1.x, c2.x                       add r0.xy, v1, c2
 *     add r1.x, v1.y, c2.y                       mul oT0.x, r0.x, r0.y
 *     mul oT0.x, r0.x, r1.x */
#include "move/cover/tidy.h"

#include "lang/check.h"

#include <string.h>

/* Both as one, if they do the same to the same registers. */
static bool joined(const struct tidy *t, const struct instr *a, const struct instr *b, struct instr *out)
{
	lanes mask = a->dst.mask | b->dst.mask;
	if (a->op != b->op || a->flags != b->flags || !tidy_operands_agree(a, b))
		return false;
	*out = *a;
	tidy_mask(out, mask);
	for (unsigned s = 0; s < ops[a->op].sources; s++) {
		lanes read_a = instr_operand_lanes(t->p, a, s, a->dst.mask);
		lanes read_b = instr_operand_lanes(t->p, b, s, b->dst.mask);
		unsigned from[LANES] = {0};
		for (unsigned lane = 0; lane < LANES; lane++) {
			unsigned lane_a = swizzle_lane(a->src[s].swizzle, lane), lane_b = swizzle_lane(b->src[s].swizzle, lane);
			if (read_a & read_b & 1u << lane && lane_a != lane_b)
				return false;
			from[lane] = read_a >> lane & 1 ? lane_a : lane_b;
		}
		out->src[s].letters = 0;
		if (!tidy_swizzle(t, out, s, from, read_a | read_b, &out->src[s].swizzle))
			return false;
	}
	return true;
}

/* --- lanes of one register ---------------------------------------------------------- */

static bool as_joined(struct tidy *t, uint32_t j, uint32_t k, uint32_t at, struct instr *both, struct literal_place *where)
{
	(void)at;
	(void)where;
	return joined(t, &t->p->instrs.at[j], &t->p->instrs.at[k], both);
}

static bool as_mad(struct tidy *t, uint32_t j, uint32_t k, uint32_t at, struct instr *both, struct literal_place *where)
{
	const struct instr *a = &t->p->instrs.at[j], *b = &t->p->instrs.at[k];
	(void)at;
	return tidy_may_be_mad(t, a, b) && tidy_as_mad(t, a, j, b, k, both, where);
}

/* Instructions j and k > j as one, at whichever place of the two it can be. */
static bool join(struct tidy *t, uint32_t j, uint32_t k, tidy_as_one *as_one)
{
	struct program *p = t->p;
	const struct instr *a = &p->instrs.at[j], *b = &p->instrs.at[k];
	struct instr both;
	struct literal_place where = {.decl = UINT32_MAX};
	if (a->flags != b->flags || a->dst.file != b->dst.file || a->dst.index != b->dst.index || a->dst.mask & b->dst.mask)
		return false;
	bool const rise = tidy_can_rise(p, k, j);
	uint32_t const at = rise ? j : k;
	if ((!rise && !tidy_can_sink(p, j, k)) || !as_one(t, j, k, at, &both, &where))
		return false;
	tidy_stand_for(&p->instrs.at[at], &both);
	if (!tidy_replace(t, at, &both))
		return false;
	tidy_place(t, &where);
	tidy_remove(t, rise ? k : j);
	return true;
}

bool tidy_can_join(const struct instr *i)
{
	return (ops[i->op].shape == SHAPE_LANES || tidy_is_uniform(i)) && instr_writes(i) && i->dst.file != REG_ADDRESS &&
	       i->dst.file != REG_PIXEL_OUT && i->dst.file != REG_DEPTH_OUT;
}

bool tidy_join_lanes(struct tidy *t, tidy_as_one *as_one)
{
	struct program *p = t->p;
	bool changed = false;
	for (uint32_t k = 1; k < p->instrs.n; k++) {
		for (uint32_t j = k; tidy_can_join(&p->instrs.at[k]) && j-- > 0;) {
			if (!tidy_can_join(&p->instrs.at[j]) || !join(t, j, k, as_one))
				continue;
			k--;
			changed = true;
			break;
		}
	}
	return changed;
}

bool tidy_lanes(struct tidy *t)
{
	return tidy_join_lanes(t, as_joined);
}

bool tidy_mad_lanes(struct tidy *t)
{
	return tidy_join_lanes(t, as_mad);
}

/* --- lanes of different registers --------------------------------------------------- */

/* Two instructions, and where their lanes are to be. */
struct packing {
	uint32_t j, k;   /* j < k */
	uint32_t at;     /* which of the two places both are at */
	uint32_t last;   /* the last instruction that reads them */
	int reg;
	unsigned to[2][LANES]; /* for each lane of j's destination, of k's */
};

static bool can_pack(const struct program *p, const struct instr *i)
{
	return ops[i->op].shape == SHAPE_LANES && i->dst.file == REG_TEMP && (i->op != OP_FRC || p->model != VS_1_1);
}

/* Finds the last reader; false: an operand also reads something else, or can read no other register. */
static bool find_readers(const struct flow *f, struct packing *pack)
{
	pack->last = pack->k;
	for (uint32_t n = pack->j + 1; n < f->program->instrs.n; n++) {
		const struct instr *i = &f->program->instrs.at[n];
		for (unsigned s = 0; s < ops[i->op].sources; s++) {
			bool mine = false, others = instr_rows(i, s) > 1 || (i->op == OP_SGN && s > 0);
			for (uint32_t r = f->first[n]; r < f->first[n + 1]; r++) {
				if (f->read[r].source != s || f->read[r].file == REG_ADDRESS)
					continue;
				bool of_both = f->read[r].def == pack->j || f->read[r].def == pack->k;
				mine |= of_both;
				others |= !of_both;
			}
			if (mine && others)
				return false;
			pack->last = mine ? n : pack->last;
		}
	}
	return true;
}

/* Lanes of the register that hold nothing else from the new place of both to their last reader. */
static lanes free_lanes(const struct flow *f, const struct packing *pack, int reg)
{
	const struct program *p = f->program;
	lanes free = MASK_XYZW;
	for (uint32_t n = pack->at; n < p->instrs.n; n++) {
		const struct instr *i = &p->instrs.at[n];
		if (n != pack->j && n != pack->k && n < pack->last)
			free &= (lanes)~flow_clobbers(i, reg);
		for (uint32_t r = f->first[n]; n > pack->at && r < f->first[n + 1]; r++) {
			const struct flow_read *read = &f->read[r];
			bool before = read->def == FLOW_UNWRITTEN || read->def <= pack->at;
			if (read->file == REG_TEMP && read->index == reg && before && read->def != pack->j && read->def != pack->k)
				free &= (lanes)~(1u << read->from);
		}
	}
	return free;
}

/* The instruction with its lanes elsewhere. */
static bool turned(const struct tidy *t, struct instr *i, int reg, const unsigned to[LANES])
{
	struct instr const old = *i;
	lanes mask = 0;
	unsigned lane_of[LANES] = {0};
	for (unsigned l = 0; l < LANES; l++) {
		if (!(old.dst.mask >> l & 1))
			continue;
		mask |= (lanes)(1u << to[l]);
		lane_of[to[l]] = l;
	}
	i->dst.index = (int16_t)reg;
	tidy_mask(i, mask);
	return tidy_turn_sources(t, i, lane_of);
}

/* Do both compute the same in lanes la and lb? */
static bool same_lane(const struct instr *a, unsigned la, const struct instr *b, unsigned lb)
{
	bool same = a->op == b->op && a->flags == b->flags;
	for (unsigned s = 0; same && s < ops[a->op].sources; s++) {
		const struct src *x = &a->src[s], *y = &b->src[s];
		same = x->file == y->file && x->index == y->index && x->negate == y->negate && x->relative == y->relative &&
		       swizzle_lane(x->swizzle, la) == swizzle_lane(y->swizzle, lb);
	}
	return same;
}

/* Gives the lanes their places, those that are there already first; false: they are more than there is room for. */
static bool choose_lanes(const struct instr *a, const struct instr *b, lanes room, struct packing *pack)
{
	const struct instr *of[2] = {a, b};
	for (unsigned pass = 0; pass < 2; pass++) {
		for (unsigned side = 0; side < 2; side++) {
			const struct instr *i = of[side];
			for (unsigned l = 0; l < LANES; l++) {
				bool in_place = i->dst.index == pack->reg && room >> l & 1;
				if (!(i->dst.mask >> l & 1) || (pass ? pack->to[side][l] != LANES : !in_place))
					continue;
				unsigned to = l;
				for (unsigned o = 0; pass && side && o < LANES; o++)
					if (a->dst.mask >> o & 1 && same_lane(a, o, b, l)) {
						pack->to[1][l] = pack->to[0][o];
						to = LANES;
					}
				if (to == LANES)
					continue;
				for (unsigned o = 0; pass && !(room >> to & 1) && o < LANES; o++)
					to = room >> o & 1 ? o : to;
				if (!(room >> to & 1))
					return false;
				pack->to[side][l] = to;
				room &= (lanes)~(1u << to);
			}
		}
	}
	return true;
}

/* Lets the readers read the lanes where they are now. */
static bool redirect(const struct tidy *t, const struct flow *f, const struct packing *pack)
{
	for (uint32_t n = pack->j + 1; n <= pack->last; n++) {
		struct instr *i = &t->p->instrs.at[n];
		unsigned const faults = check_instr_alone(t->p, i);
		for (unsigned s = 0; n != pack->k && s < ops[i->op].sources; s++) {
			unsigned from[LANES] = {0};
			lanes read = 0;
			for (uint32_t r = f->first[n]; r < f->first[n + 1]; r++) {
				const struct flow_read *x = &f->read[r];
				if (x->source != s || x->file == REG_ADDRESS || (x->def != pack->j && x->def != pack->k))
					continue;
				from[x->lane] = pack->to[x->def == pack->k][x->from];
				read |= (lanes)(1u << x->lane);
			}
			if (!read)
				continue;
			i->src[s].index = (int16_t)pack->reg;
			i->src[s].letters = 0;
			if (!tidy_swizzle(t, i, s, from, read, &i->src[s].swizzle))
				return false;
		}
		if (check_instr_alone(t->p, i) > faults)
			return false;
	}
	return true;
}

/* Both in lanes of that register; false: the program is as it was. */
static bool pack_into(struct tidy *t, const struct flow *f, struct packing *pack)
{
	struct program *p = t->p;
	struct instr a = p->instrs.at[pack->j], b = p->instrs.at[pack->k], both;
	struct literal_place where = {.decl = UINT32_MAX};
	for (unsigned l = 0; l < LANES; l++)
		pack->to[0][l] = pack->to[1][l] = LANES;
	if (!choose_lanes(&a, &b, free_lanes(f, pack, pack->reg), pack) || !turned(t, &a, pack->reg, pack->to[0]) ||
	    !turned(t, &b, pack->reg, pack->to[1]))
		return false;
	lanes const rest = b.dst.mask & (lanes)~a.dst.mask;
	tidy_mask(&b, rest);
	if (!rest)
		both = a;
	else if (!joined(t, &a, &b, &both) && !tidy_as_mad(t, &a, pack->j, &b, pack->k, &both, &where))
		return false;
	if (check_instr_alone(p, &both))
		return false;
	unsigned const order = program_dependent_reads(p);
	size_t const size = p->instrs.n * sizeof *p->instrs.at;
	struct instr *kept = arena_alloc(t->arena, size);
	memcpy(kept, p->instrs.at, size);
	tidy_stand_for(&p->instrs.at[pack->at], &both);
	p->instrs.at[pack->at] = both;
	/* A register with lanes of a texture read would make reads with it dependent. */
	if (!redirect(t, f, pack) || program_dependent_reads(p) > order) {
		memcpy(p->instrs.at, kept, size);
		return false;
	}
	tidy_place(t, &where);
	tidy_remove(t, pack->at == pack->j ? pack->k : pack->j);
	return true;
}

static bool is_sum(const struct instr *i)
{
	return i->op == OP_MOV || i->op == OP_ADD || i->op == OP_SUB || i->op == OP_MUL || i->op == OP_MAD;
}

/* Could they be one, were it not for their destinations?  Quickly, and not quite. */
static bool look_alike(const struct tidy *t, const struct instr *a, const struct instr *b)
{
	if (a->flags != b->flags || (a->op != b->op && (!is_sum(a) || !is_sum(b))))
		return false;
	if (!(a->op == b->op && tidy_operands_agree(a, b)) && !tidy_may_be_mad(t, a, b))
		return false;
	bool one = false, all = true;
	for (unsigned s = 0; s < ops[a->op].sources; s++) {
		bool found = false;
		for (unsigned o = 0; o < ops[b->op].sources; o++)
			found |= a->src[s].file == b->src[o].file && a->src[s].index == b->src[o].index;
		one |= found;
		all &= found;
	}
	/* Numbers may be in different registers, also those of a mov. */
	return is_sum(a) ? one || a->op == OP_MOV || b->op == OP_MOV : all;
}

/* Can they be one in an empty register, whose lanes any swizzle brings?  Then where they are does not matter. */
static bool go_together(struct tidy *t, const struct packing *pack)
{
	struct instr a = t->p->instrs.at[pack->j], b = t->p->instrs.at[pack->k], both;
	struct literal_place where = {.decl = UINT32_MAX};
	struct packing free = *pack;
	free.reg = -1;
	for (unsigned l = 0; l < LANES; l++)
		free.to[0][l] = free.to[1][l] = LANES;
	if (!choose_lanes(&a, &b, MASK_XYZW, &free) || !turned(t, &a, a.dst.index, free.to[0]) || !turned(t, &b, a.dst.index, free.to[1]))
		return false;
	lanes const rest = b.dst.mask & (lanes)~a.dst.mask;
	tidy_mask(&b, rest);
	return !rest || joined(t, &a, &b, &both) || tidy_as_mad(t, &a, pack->j, &b, pack->k, &both, &where);
}

static bool pack_pair(struct tidy *t, uint32_t j, uint32_t k)
{
	struct program *p = t->p;
	const struct instr *a = &p->instrs.at[j], *b = &p->instrs.at[k];
	struct packing pack = {.j = j, .k = k, .at = j};
	if (!look_alike(t, a, b) || (models[p->model].any_swizzle && !go_together(t, &pack)))
		return false;
	const struct flow *f = tidy_flow(t);
	if (!find_readers(f, &pack))
		return false;
	for (uint32_t r = f->first[k]; r < f->first[k + 1]; r++)
		if (f->read[r].def == j)
			return false;
	if (!flow_sources_keep(p, b, j, k)) {
		pack.at = k;
		/* What reads a before k would then come too early. */
		for (uint32_t n = j + 1; n < k; n++)
			for (uint32_t r = f->first[n]; r < f->first[n + 1]; r++)
				if (f->read[r].def == j)
					return false;
		if (!flow_sources_keep(p, a, j + 1, k))
			return false;
	}
	int const first[2] = {a->dst.index, b->dst.index};
	for (int n = -2; n < (int)t->room->temps; n++) {
		pack.reg = n < 0 ? first[n + 2] : n;
		if (pack_into(t, f, &pack))
			return true;
	}
	return false;
}

bool tidy_join(struct tidy *t)
{
	struct program *p = t->p;
	if (!t->room)
		return false;
	for (uint32_t k = 1; k < p->instrs.n; k++)
		for (uint32_t j = k; can_pack(p, &p->instrs.at[k]) && j-- > 0;)
			if (can_pack(p, &p->instrs.at[j]) && pack_pair(t, j, k))
				return true; /* others come first again */
	return false;
}
