/* Joins instructions that differ only in operands that can move.  requires: values of the current program; builds: a program.
 *
 * `mul r1.xyz, r0, c2` and `mul r1.w, r0, c3.x` become `mul r1, r0, r2`; movs gather r2.xyz = c2 and r2.w = c3.x and can leave, because
 * one interpolator delivers r2.  The results are the same floats. */
#include "move/rules/rules.h"

#include "lang/check.h"
#include "move/graph/flow.h"
#include "move/graph/registers.h"

#include <string.h>

enum {
	MOST_STEPS = 24,
	JOINED = VIRTUAL_REGS, /* the register that the joined instruction writes, unless it writes the given one */
	GATHERED               /* the register of the first gathered operand; the next numbers are those of the others */
};

/* Two instructions j < k that become one. */
struct join {
	uint32_t j, k;
	uint32_t at;              /* the place of the new instruction: j or k */
	bool here;                /* the new instruction writes the same register and lanes as j and k */
	unsigned to[2][LANES];    /* [0 for j, 1 for k][lane that it writes]: the lane that the new instruction writes instead */
	struct instr both;        /* the new instruction */
	unsigned gathered;        /* number of operands of the new instruction whose lanes are gathered by movs */
	struct src from[MAX_SOURCES][LANES]; /* [gathered operand][lane]: what the mov of this lane reads */
};

static bool is_pixel(const struct values *v, uint32_t k)
{
	const struct instr *i = &v->ps->instrs.at[k];
	bool all = ops[i->op].shape == SHAPE_LANES && instr_writes(i) && i->dst.file == REG_TEMP;
	EACH_LANE(l, i->dst.mask)
		all &= value_is_pixel(v, v->def[k][l]);
	return all;
}

/* ---- its place and lanes ------------------------------------------------------------------------ */

/* Returns true if all operands that read results of the two joined instructions can read the new one's register instead: they read no other
 * instruction's result, and come after the new instruction. */
static bool readers_can_change(const struct values *v, const struct join *join)
{
	for (uint32_t n = join->j + 1; n < v->ps->instrs.n; n++)
		EACH_SOURCE(s, &v->ps->instrs.at[n]) {
			struct operand const o = {n, s};
			lanes const mine = operand_reads(v, o, join->j) | operand_reads(v, o, join->k);
			if (mine && (mine != v->use[n][s].read || n <= join->at || instr_rows(&v->ps->instrs.at[n], s) > 1))
				return false;
		}
	return true;
}

static bool find_place_of_joined(const struct values *v, struct join *join)
{
	const struct program *p = v->ps;
	const struct instr *a = &p->instrs.at[join->j], *b = &p->instrs.at[join->k];
	bool const apart = a->dst.index != b->dst.index || a->dst.mask & b->dst.mask;
	bool const rise = flow_sources_keep(p, b, join->j, join->k), sink = flow_sources_keep(p, a, join->j + 1, join->k);
	join->here = true;
	join->at = join->j;
	if (rise && !apart && flow_untouched(p, &b->dst, b->dst.mask, join->j + 1, join->k))
		return true;
	join->at = join->k;
	if (sink && !apart && flow_untouched(p, &a->dst, a->dst.mask, join->j + 1, join->k + 1))
		return true;
	join->here = false;
	join->at = rise ? join->j : join->k;
	return (rise || sink) && readers_can_change(v, join);
}

/* Returns the lane in which the result lane of instruction k would be read without a swizzle: if k writes only this lane, the position at which
 * its first reader reads it, else the lane itself. */
static unsigned wanted_lane(const struct values *v, uint32_t k, unsigned lane)
{
	if (v->ps->instrs.at[k].dst.mask & (v->ps->instrs.at[k].dst.mask - 1))
		return lane;
	struct operand o = {k + 1, 0};
	return next_reader(v, k, &o) ? first_lane(operand_reads(v, o, k)) : lane;
}

/* Chooses the lanes that the new instruction writes: the given ones if join.here; those of wanted_lane() if `turn` is LANES; else those of k are
 * rotated by `turn`.  Returns false if two results would be in one lane. */
static bool choose_lanes(const struct values *v, struct join *join, unsigned turn)
{
	lanes used = 0;
	bool apart = true;
	for (unsigned side = 0; side < 2; side++)
		for (unsigned l = 0; l < LANES; l++) {
			uint32_t const k = side ? join->k : join->j;
			unsigned *to = &join->to[side][l];
			*to = join->here ? l : turn == LANES ? wanted_lane(v, k, l) : side ? (l + turn) % LANES : l;
			if (!(v->ps->instrs.at[k].dst.mask >> l & 1))
				continue;
			apart &= !(used >> *to & 1);
			used |= (lanes)(1u << *to);
		}
	return apart;
}

/* ---- its operands -------------------------------------------------------------------------------- */

/* Makes operand `s` of the new instruction from operand `s` of j and `t` of k: one register with a common swizzle, or gathered by movs.
 * Returns false if neither is possible.  A second operand is gathered only if it is all numbers. */
static bool merge_operand(const struct values *v, const struct move_options *o, struct join *join, unsigned s, unsigned t)
{
	const struct instr *a = &v->ps->instrs.at[join->j], *b = &v->ps->instrs.at[join->k];
	const struct src *x = &a->src[s], *y = &b->src[t];
	struct src *from = join->from[join->gathered];
	unsigned lane[LANES] = {0};
	bool ride = true, known = true;
	for (unsigned side = 0; side < 2; side++)
		EACH_LANE(l, (side ? b : a)->dst.mask) {
			unsigned const to = join->to[side][l];
			value_id const value = side ? v->use[join->k][t].value[l] : v->use[join->j][s].value[l];
			from[to] = side ? *y : *x;
			lane[to] = swizzle_lane(from[to].swizzle, l);
			from[to].swizzle = swizzle_replicate(lane[to]);
			from[to].letters = 0;
			ride &= value_rides(v, value, o);
			known &= ride && value_at(v, value)->known;
		}
	join->both.src[s] = *x;
	join->both.src[s].letters = 0;
	if (src_is_alike(x, y)) {
		swizzle const all = swizzle_for(v->ps->model, SWIZZLE(lane[0], lane[1], lane[2], lane[3]), join->both.dst.mask);
		join->both.src[s].swizzle = all;
		if (swizzle_is_for(v->ps->model, all))
			return true;
	}
	if (!ride || (!known && join->gathered > 0))
		return false;
	join->both.src[s] = src_temp(GATHERED + (int)join->gathered++);
	return true;
}

/* Returns true if an interpolator can bring everything that operand s of instruction k reads. */
static bool rides_in_operand(const struct values *v, const struct move_options *o, uint32_t k, unsigned s)
{
	EACH_LANE(l, v->ps->instrs.at[k].dst.mask)
		if (!value_rides(v, v->use[k][s].value[l], o))
			return false;
	return true;
}

/* Returns false if instructions j and k cannot be joined, because an operand is neither a common register nor one that an interpolator can bring
 * in both.  With `swapped`, the first two operands of k are swapped.  The test is quick, and does not look at the new lanes. */
static bool may_merge(const struct values *v, const struct move_options *o, uint32_t j, uint32_t k, bool swapped)
{
	const struct instr *a = &v->ps->instrs.at[j], *b = &v->ps->instrs.at[k];
	EACH_SOURCE(s, a) {
		unsigned const t = swapped && s < 2 ? 1 - s : s;
		if (!src_is_alike(&a->src[s], &b->src[t]) && !(rides_in_operand(v, o, j, s) && rides_in_operand(v, o, k, t)))
			return false;
	}
	return true;
}

/* Makes the instruction join->both from j and k, with the first two operands of k swapped if `swapped`.  Returns false if that fails. */
static bool merge_operands(const struct values *v, const struct move_options *o, struct join *join, bool swapped)
{
	const struct instr *a = &v->ps->instrs.at[join->j], *b = &v->ps->instrs.at[join->k];
	bool all = !swapped || a->op == OP_ADD || a->op == OP_MUL || a->op == OP_MAD || a->op == OP_MAX || a->op == OP_MIN;
	join->gathered = 0;
	join->both = *(join->at == join->j ? a : b);
	join->both.at = join->at;
	instr_keep_precision(&join->both, join->at == join->j ? b : a);
	if (!join->here)
		join->both.dst.index = JOINED;
	lanes mask = 0;
	for (unsigned l = 0; l < LANES; l++)
		mask |= (lanes)((a->dst.mask >> l & 1) << join->to[0][l] | (b->dst.mask >> l & 1) << join->to[1][l]);
	instr_set_mask(&join->both, mask);
	for (unsigned s = 0; all && s < ops[a->op].sources; s++)
		all = merge_operand(v, o, join, s, swapped && s < 2 ? 1 - s : s);
	return all;
}

/* ---- writing the program --------------------------------------------------------------------------- */

/* Changes operand s of `i`, a copy of instruction n, to read the joined instruction's register and lanes if it read j or k.  Returns false if no
 * swizzle yields these lanes, or the model forbids it for n. */
static bool change_reader(const struct values *v, const struct join *join, uint32_t n, unsigned s, struct instr *i)
{
	const struct use *u = &v->use[n][s];
	unsigned lane[LANES] = {0};
	lanes mine = 0;
	EACH_LANE(p, u->read) {
		bool const of_k = u->def[p] == (int32_t)join->k;
		if (!of_k && u->def[p] != (int32_t)join->j)
			continue;
		lane[p] = swizzle_lane(i->src[s].swizzle, p);
		lane[p] = join->to[of_k][lane[p]];
		mine |= (lanes)(1u << p);
	}
	if (!mine)
		return true;
	struct instr same = v->ps->instrs.at[n];
	unsigned const faults = check_instr_alone(v->ps, &same);
	i->src[s].letters = 0;
	i->src[s].swizzle = same.src[s].swizzle = swizzle_for(v->ps->model, SWIZZLE(lane[0], lane[1], lane[2], lane[3]), mine);
	i->src[s].index = JOINED;
	return swizzle_is_for(v->ps->model, i->src[s].swizzle) && check_instr_alone(v->ps, &same) <= faults;
}

static void put_gathered(struct arena *a, struct program *out, const struct join *join)
{
	for (unsigned g = 0; g < join->gathered; g++)
		EACH_LANE(l, join->both.dst.mask) {
			struct instr *i = &VEC_PUSH(a, &out->instrs);
			*i = (struct instr){.op = OP_MOV, .flags = join->both.flags & INSTR_PP, .at = SRCPOS_NONE, .src = {join->from[g][l]}};
			i->dst = dst_lanes(REG_TEMP, GATHERED + (int)g, (lanes)(1u << l));
		}
}

static struct program *with_joined(struct values *v, const struct join *join)
{
	struct program *out = program_head(v->arena, v->ps);
	const struct instr *gone = NULL;
	for (uint32_t n = 0; n < v->ps->instrs.n; n++) {
		struct instr i = v->ps->instrs.at[n];
		if (n == join->at) {
			put_gathered(v->arena, out, join);
			i = join->both;
		} else if (n == join->j || n == join->k) {
			gone = &v->ps->instrs.at[n];
			continue;
		}
		for (unsigned s = 0; !join->here && n != join->at && s < ops[i.op].sources; s++)
			if (!change_reader(v, join, n, s, &i))
				return NULL;
		i.at = v->ps->instrs.at[n].at;
		i.comments = gone ? comments_left(v->arena, gone->comments, i.comments) : i.comments;
		gone = NULL;
		VEC_PUSH(v->arena, &out->instrs) = i;
	}
	return regs_allocate(v->arena, out, MODEL_TEMPS) ? out : NULL;
}

/* Returns the program in which instructions j and k are joined, or NULL if that is not possible.  Sets *gathers if movs gather operands for it. */
static struct program *join_two(struct values *v, const struct move_options *o, uint32_t j, uint32_t k, bool *gathers)
{
	struct join join = {.j = j, .k = k};
	bool const straight = may_merge(v, o, j, k, false), crosswise = ops[v->ps->instrs.at[j].op].sources > 1 && may_merge(v, o, j, k, true);
	if ((!straight && !crosswise) || !find_place_of_joined(v, &join))
		return NULL;
	for (unsigned turn = LANES + 1; turn-- > (join.here ? LANES : 0);)
		for (unsigned swapped = 0; swapped < 2; swapped++) {
			if (!choose_lanes(v, &join, turn) || !merge_operands(v, o, &join, swapped))
				continue;
			struct program *new = with_joined(v, &join);
			*gathers |= new && join.gathered;
			if (new)
				return new;
		}
	return NULL;
}

/* ---- entry ------------------------------------------------------------------------------------------- */

/* Returns true if the two have the same operation and together at most LANES lanes. */
static bool may_be_joined(const struct instr *a, const struct instr *b)
{
	return a->op == b->op && instr_flags_agree(a, b) && count_lanes(a->dst.mask) + count_lanes(b->dst.mask) <= LANES;
}

static struct program *join_one_pair(struct values *v, const struct move_options *o, bool *gathers)
{
	const struct instr *at = v->ps->instrs.at;
	struct program *new = NULL;
	for (uint32_t k = 1; k < v->ps->instrs.n && !new; k++)
		for (uint32_t j = at[k].op != OP_MOV && is_pixel(v, k) ? k : 0; j-- > 0 && !new;)
			new = may_be_joined(&at[j], &at[k]) && is_pixel(v, j) ? join_two(v, o, j, k, gathers) : NULL;
	return new;
}

struct program *variant_gather(const struct variant_of *of)
{
	struct values *v = of->values;
	const struct move_options *o = of->group->options;
	bool gathers = false;
	struct program *next = join_one_pair(v, o, &gathers) ? program_numbered(v->arena, v->ps) : NULL, *new = NULL;
	for (unsigned n = 0; n <= MOST_STEPS && next; n++) {
		new = next;
		next = join_one_pair(values_number(v->arena, of->group->vs[0], new), o, &gathers);
	}
	return gathers ? new : NULL;
}
