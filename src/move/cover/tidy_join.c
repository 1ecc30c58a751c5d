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
	if (a->op != b->op || !tidy_operands_agree(a, b))
		return false;
	*out = *a;
	instr_set_mask(out, mask);
	EACH_SOURCE(s, a) {
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

enum join_as { JOIN_SAME, JOIN_MAD, JOIN_CHOICE };

/* Instructions j and k > j, and what they become. */
struct join {
	uint32_t j, k;
	uint32_t at;   /* which of their places it takes */
	enum join_as as; /* as what they may become one: this, or what stands before it in the enum */
	struct instr both;          /* until they are found to be one, what is left of others here, */
	struct literal_place where; /* ... and but for `decl` here */
};

/* a and b do what j and k do, perhaps in other lanes. */
static bool write_one(struct tidy *t, const struct instr *a, const struct instr *b, struct join *join)
{
	join->where.decl = UINT32_MAX;
	if (joined(t, a, b, &join->both))
		return true;
	if (join->as >= JOIN_MAD && tidy_may_be_mad(t, a, b) && tidy_as_mad(t, a, join->j, b, join->k, &join->both, &join->where))
		return true;
	return join->as >= JOIN_CHOICE && tidy_as_choice(t, a, b, join->at, join->j, &join->both, &join->where);
}

/* It is there: the other place goes. */
static void settle(struct tidy *t, const struct join *join)
{
	tidy_place(t, &join->where);
	tidy_remove(t, join->at == join->j ? join->k : join->j);
}

/* --- where they are ------------------------------------------------------------------ */

bool tidy_can_join(const struct instr *i)
{
	return tidy_moves_lanes(i) && instr_writes(i) && i->dst.file != REG_ADDRESS &&
	       i->dst.file != REG_PIXEL_OUT && i->dst.file != REG_DEPTH_OUT;
}

/* Could they be one, by their opcodes and operands?  Quickly, and not quite. */
static bool may_be_one(const struct tidy *t, const struct instr *a, const struct instr *b, enum join_as as)
{
	return (a->op == b->op && tidy_operands_agree(a, b)) || (as >= JOIN_MAD && tidy_may_be_mad(t, a, b)) || as >= JOIN_CHOICE;
}

/* Do they write different lanes of one register? */
static bool share_register(const struct instr *a, const struct instr *b)
{
	return a->dst.file == b->dst.file && a->dst.index == b->dst.index && !(a->dst.mask & b->dst.mask);
}

/* Both share a register: at whichever place of the two it can be. */
static bool join_here(struct tidy *t, struct join *join)
{
	struct program *p = t->p;
	const struct instr *a = &p->instrs.at[join->j], *b = &p->instrs.at[join->k];
	if (!may_be_one(t, a, b, join->as))
		return false;
	bool const rise = tidy_can_rise(p, join->k, join->j);
	join->at = rise ? join->j : join->k;
	if ((!rise && !tidy_can_sink(p, join->j, join->k)) || !write_one(t, a, b, join))
		return false;
	tidy_stand_for(&p->instrs.at[join->at], &join->both);
	if (!tidy_replace(t, join->at, &join->both))
		return false;
	settle(t, join);
	return true;
}

/* --- elsewhere ----------------------------------------------------------------------- */

/* Where their lanes are to be. */
struct new_lanes {
	uint32_t last;         /* the last instruction that reads them */
	int reg;
	unsigned to[2][LANES]; /* for each lane of j's destination, of k's */
};

static bool can_turn(const struct program *p, const struct instr *i)
{
	return ops[i->op].shape == SHAPE_LANES && i->dst.file == REG_TEMP && (i->op != OP_FRC || p->model != VS_1_1);
}

/* Finds the last reader; false: an operand also reads something else, or can read no other register. */
static bool find_readers(const struct flow *f, const struct join *join, struct new_lanes *to)
{
	to->last = join->k;
	for (uint32_t n = join->j + 1; n < f->program->instrs.n; n++) {
		const struct instr *i = &f->program->instrs.at[n];
		EACH_SOURCE(s, i) {
			bool mine = false, others = instr_rows(i, s) > 1 || (i->op == OP_SGN && s > 0);
			for (uint32_t r = f->first[n]; r < f->first[n + 1]; r++) {
				if (f->read[r].source != s || f->read[r].file == REG_ADDRESS)
					continue;
				bool of_both = f->read[r].def == join->j || f->read[r].def == join->k;
				mine |= of_both;
				others |= !of_both;
			}
			if (mine && others)
				return false;
			to->last = mine ? n : to->last;
		}
	}
	return true;
}

/* Lanes of the register that hold nothing else from the new place of both to their last reader. */
static lanes free_lanes(const struct flow *f, const struct join *join, const struct new_lanes *to)
{
	const struct program *p = f->program;
	lanes free = MASK_XYZW;
	for (uint32_t n = join->at; n < p->instrs.n; n++) {
		const struct instr *i = &p->instrs.at[n];
		if (n != join->j && n != join->k && n < to->last)
			free &= (lanes)~flow_clobbers(i, to->reg);
		for (uint32_t r = f->first[n]; n > join->at && r < f->first[n + 1]; r++) {
			const struct flow_read *read = &f->read[r];
			bool before = read->def == FLOW_UNWRITTEN || read->def <= join->at;
			if (read->file == REG_TEMP && read->index == to->reg && before && read->def != join->j && read->def != join->k)
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
	EACH_LANE(l, old.dst.mask) {
		mask |= (lanes)(1u << to[l]);
		lane_of[to[l]] = l;
	}
	i->dst.index = (int16_t)reg;
	instr_set_mask(i, mask);
	return tidy_turn_sources(t, i, lane_of);
}

/* Do both compute the same in lanes la and lb? */
static bool same_lane(const struct instr *a, unsigned la, const struct instr *b, unsigned lb)
{
	bool same = a->op == b->op && tidy_operands_agree(a, b);
	for (unsigned s = 0; same && s < ops[a->op].sources; s++)
		same = swizzle_lane(a->src[s].swizzle, la) == swizzle_lane(b->src[s].swizzle, lb);
	return same;
}

/* Lanes that are in the register already stay where they are, if that is vacant. */
static void keep_in_place(const struct instr *i, int reg, lanes *vacant, unsigned to[LANES])
{
	for (unsigned l = 0; i->dst.index == reg && l < LANES; l++) {
		if (!(i->dst.mask & *vacant & 1u << l))
			continue;
		to[l] = l;
		*vacant &= (lanes)~(1u << l);
	}
}

/* Gives the lanes their places; false: they are more than there is room for. */
static bool choose_lanes(const struct instr *a, const struct instr *b, lanes vacant, struct new_lanes *to)
{
	const struct instr *of[2] = {a, b};
	for (unsigned side = 0; side < 2; side++)
		keep_in_place(of[side], to->reg, &vacant, to->to[side]);
	for (unsigned k = 0; k < 2 * LANES; k++) {
		unsigned const side = k / LANES, l = k % LANES;
		unsigned *lane = &to->to[side][l];
		if (!(of[side]->dst.mask >> l & 1) || *lane != LANES)
			continue;
		EACH_LANE(o, side ? a->dst.mask : 0)
			if (same_lane(a, o, b, l))
				*lane = to->to[0][o];
		if (*lane != LANES)
			continue;
		*lane = vacant >> l & 1 ? l : first_lane(vacant);
		if (*lane == LANES)
			return false;
		vacant &= (lanes)~(1u << *lane);
	}
	return true;
}

/* Lets the readers read the lanes where they are now. */
static bool redirect(const struct tidy *t, const struct flow *f, const struct join *join, const struct new_lanes *to)
{
	for (uint32_t n = join->j + 1; n <= to->last; n++) {
		struct instr *i = &t->p->instrs.at[n];
		unsigned const faults = check_instr_alone(t->p, i);
		for (unsigned s = 0; n != join->k && s < ops[i->op].sources; s++) {
			unsigned from[LANES] = {0};
			lanes read = 0;
			for (uint32_t r = f->first[n]; r < f->first[n + 1]; r++) {
				const struct flow_read *x = &f->read[r];
				if (x->source != s || x->file == REG_ADDRESS || (x->def != join->j && x->def != join->k))
					continue;
				from[x->lane] = to->to[x->def == join->k][x->from];
				read |= (lanes)(1u << x->lane);
			}
			if (!read)
				continue;
			i->src[s].index = (int16_t)to->reg;
			i->src[s].letters = 0;
			if (!tidy_swizzle(t, i, s, from, read, &i->src[s].swizzle))
				return false;
		}
		if (check_instr_alone(t->p, i) > faults)
			return false;
	}
	return true;
}

/* Both with their lanes in that register. */
static bool write_in(struct tidy *t, lanes vacant, struct join *join, struct new_lanes *to)
{
	struct instr a = t->p->instrs.at[join->j], b = t->p->instrs.at[join->k];
	for (unsigned l = 0; l < LANES; l++)
		to->to[0][l] = to->to[1][l] = LANES;
	if (!choose_lanes(&a, &b, vacant, to) || !turned(t, &a, to->reg, to->to[0]) || !turned(t, &b, to->reg, to->to[1]))
		return false;
	instr_set_mask(&b, b.dst.mask & (lanes)~a.dst.mask);
	join->both = a;
	join->where.decl = UINT32_MAX;
	return !b.dst.mask || write_one(t, &a, &b, join);
}

/* False: the program is as it was. */
static bool join_into(struct tidy *t, const struct flow *f, struct join *join, struct new_lanes *to)
{
	struct program *p = t->p;
	if (!write_in(t, free_lanes(f, join, to), join, to) || check_instr_alone(p, &join->both))
		return false;
	unsigned const order = program_dependent_reads(p);
	size_t const size = p->instrs.n * sizeof *p->instrs.at;
	struct instr *kept = arena_alloc(t->arena, size);
	memcpy(kept, p->instrs.at, size);
	tidy_stand_for(&p->instrs.at[join->at], &join->both);
	p->instrs.at[join->at] = join->both;
	/* A register with lanes of a texture read would make reads with it dependent. */
	if (!redirect(t, f, join, to) || program_dependent_reads(p) > order) {
		memcpy(p->instrs.at, kept, size);
		return false;
	}
	settle(t, join);
	return true;
}

/* Could they be one, were it not for their destinations?  Quickly, and not quite. */
static bool look_alike(const struct tidy *t, const struct instr *a, const struct instr *b)
{
	if (a->op != b->op && (!tidy_is_sum(a) || !tidy_is_sum(b)))
		return false;
	bool one = false, all = true;
	EACH_SOURCE(s, a) {
		bool found = false;
		EACH_SOURCE(o, b)
			found |= a->src[s].file == b->src[o].file && a->src[s].index == b->src[o].index;
		one |= found;
		all &= found;
	}
	/* Numbers may be in different registers, also those of a mov. */
	return (tidy_is_sum(a) ? one || a->op == OP_MOV || b->op == OP_MOV : all) && may_be_one(t, a, b, JOIN_MAD);
}

static bool join_elsewhere(struct tidy *t, struct join *join)
{
	struct program *p = t->p;
	const struct instr *a = &p->instrs.at[join->j], *b = &p->instrs.at[join->k];
	struct new_lanes to = {.reg = a->dst.index};
	join->at = join->j;
	if (!look_alike(t, a, b))
		return false;
	const struct flow *f = tidy_flow(t);
	for (uint32_t r = f->first[join->k]; r < f->first[join->k + 1]; r++)
		if (f->read[r].def == join->j)
			return false;
	if (!flow_sources_keep(p, b, join->j, join->k)) {
		join->at = join->k;
		/* What reads a before k would then come too early. */
		for (uint32_t n = join->j + 1; n < join->k; n++)
			for (uint32_t r = f->first[n]; r < f->first[n + 1]; r++)
				if (f->read[r].def == join->j)
					return false;
		if (!flow_sources_keep(p, a, join->j + 1, join->k))
			return false;
	}
	/* Where any swizzle brings lanes, what cannot be one in an empty register cannot be one in any. */
	if ((models[p->model].any_swizzle && !write_in(t, MASK_XYZW, join, &to)) || !find_readers(f, join, &to))
		return false;
	int const first[2] = {a->dst.index, b->dst.index};
	for (int n = -2; n < (int)t->limits->temps; n++) {
		to.reg = n < 0 ? first[n + 2] : n;
		if ((n < 0 || (n != first[0] && n != first[1])) && join_into(t, f, join, &to))
			return true;
	}
	return false;
}

/* --- all of them ------------------------------------------------------------------- */

static void find_what_can_join(const struct program *p, bool here, bool *can)
{
	for (uint32_t k = 0; k < p->instrs.n; k++)
		can[k] = tidy_can_join(&p->instrs.at[k]) && (here || can_turn(p, &p->instrs.at[k]));
}

static bool join_all(struct tidy *t, enum join_as as, bool here)
{
	struct program *p = t->p;
	struct join join = {.as = as};
	bool *can = arena_alloc(t->arena, p->instrs.n + 1), changed = false;
	find_what_can_join(p, here, can);
	for (uint32_t k = 1; k < p->instrs.n; k++) {
		for (uint32_t j = k; can[k] && j-- > 0;) {
			const struct instr *a = &p->instrs.at[j], *b = &p->instrs.at[k];
			if (!can[j] || a->flags != b->flags || (here && !share_register(a, b)))
				continue;
			join.j = j;
			join.k = k;
			if (!(here ? join_here : join_elsewhere)(t, &join))
				continue;
			if (!here)
				return true; /* what it turned, other passes may make simpler first */
			find_what_can_join(p, here, can);
			k--;
			changed = true;
			break;
		}
	}
	return changed;
}

bool tidy_lanes(struct tidy *t)
{
	return join_all(t, JOIN_SAME, true);
}

bool tidy_choice_lanes(struct tidy *t)
{
	return join_all(t, JOIN_CHOICE, true);
}

bool tidy_join(struct tidy *t)
{
	return t->limits && join_all(t, JOIN_MAD, false);
}
