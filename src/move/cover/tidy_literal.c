/* Finds lanes of a def for the literals that the operands of an instruction shall read: lanes with these literals, or vacant (unread) lanes. */
#include "move/cover/tidy.h"

#include "lang/rounding.h"
#include "move/graph/free_constants.h"

#include <math.h>
#include <string.h>

bool tidy_is_noted(const struct tidy *t, int reg, unsigned lane)
{
	return t->limits && folds_have(t->limits->folds, program_stage(t->p), reg, lane);
}

static lanes constant_lanes_read(const struct program *p, int reg)
{
	lanes read = 0;
	for (uint32_t k = 0; k < p->instrs.n; k++)
		read |= flow_reads(p, &p->instrs.at[k], REG_CONST, reg);
	return read;
}

/* Finds the literals in the lanes of `def` that an operand with swizzle *s reads, or puts them there if these lanes are vacant.  If the model has any
 * swizzle, tries all lanes and sets *s.  With `minus`, the operand is negated.  Returns false if the literals do not fit. */
static bool place_numbers_in(const struct tidy *t, struct decl *def, lanes *vacant, const struct numbers *numbers, lanes mask, bool minus,
                  swizzle *s)
{
	bool any = models[t->p->model].any_swizzle;
	unsigned from[LANES] = {0};
	EACH_LANE(lane, mask) {
		bool const strict = numbers->negative >> lane & 1;
		float const own = strict ? -0.0f : numbers->of[lane], x = minus ? -own : own;
		if (!number_is_normal((long double)x))
			return false;
		unsigned found = LANES, free = LANES;
		for (unsigned at = LANES; at-- > 0;) {
			if (!any && at != swizzle_lane(*s, lane))
				continue;
			if (*vacant >> at & 1)
				free = at;
			else if (def->value[at] == x && !(strict && signbit(def->value[at]) != signbit(x)) &&
			         !tidy_is_noted(t, def->reg.index, at))
				found = at;
		}
		from[lane] = found < LANES ? found : free;
		if (from[lane] == LANES)
			return false;
		if (found == LANES) /* a literal that is there already stays as it is, since its other readers may tell 0 from -0 */
			def->value[from[lane]] = strict ? x : x + 0.0f; /* unless `strict`, makes 0 of -0 */
		*vacant &= (lanes)~(1u << from[lane]);
	}
	if (any)
		*s = swizzle_of_lanes(from, mask);
	return true;
}

/* Returns a constant register for a new def: one that is free in the program and that the old program does not read, or -1 if there is none. */
static int find_free_literal(const struct tidy *t)
{
	if (!t->limits)
		return -1;
	bool const named = t->limits->consts_named;
	struct register_set const taken = constants_of_both(constants_taken(t->p, named), program_reads_all(t->limits->old, REG_CONST, named));
	return constants_last_free(&taken, t->limits->consts);
}

/* Lets each operand of `i` from operand s on that has literals in `number_of` read them from lanes of `def`.  Returns false if they do not fit into
 * its lanes. */
static bool place_operands_in(const struct tidy *t, struct instr *i, const struct numbers *const number_of[MAX_SOURCES], struct decl *def,
                     lanes vacant, unsigned s)
{
	unsigned ways = models[t->p->model].any_swizzle ? 1 : PS_2_0_SWIZZLES;
	if (s >= MAX_SOURCES || s == ops[i->op].sources)
		return true;
	if (!number_of[s])
		return place_operands_in(t, i, number_of, def, vacant, s + 1);
	for (unsigned way = 0; way < 2 * ways; way++) {
		struct decl filled = *def;
		lanes left = vacant;
		bool minus = way % 2;
		i->src[s] = (struct src){.file = REG_CONST, .index = def->reg.index, .negate = minus, .swizzle = ps_2_0_swizzles[way / 2],
		                         .at = SRCPOS_NONE};
		if (!place_numbers_in(t, &filled, &left, number_of[s], i->dst.mask, minus, &i->src[s].swizzle) ||
		    !place_operands_in(t, i, number_of, &filled, left, s + 1))
			continue;
		*def = filled;
		return true;
	}
	return false;
}

bool tidy_place_numbers(const struct tidy *t, struct instr *i, const struct numbers *const number_of[MAX_SOURCES],
                        struct literal_place *where)
{
	const struct program *p = t->p;
	for (unsigned pass = 0; pass < 2; pass++) {
		for (uint32_t k = 0; k <= p->decls.n; k++) {
			struct decl def = {.kind = DECL_DEF, .at = SRCPOS_NONE, .before = 0};
			lanes vacant = MASK_XYZW;
			if (k < p->decls.n) {
				def = p->decls.at[k];
				if (def.kind != DECL_DEF || program_decl(p, REG_CONST, def.reg.index) != &p->decls.at[k])
					continue;
				vacant = pass && t->limits && def.at == SRCPOS_NONE ? (lanes)~constant_lanes_read(p, def.reg.index) & MASK_XYZW : 0;
				for (unsigned lane = 0; lane < LANES; lane++)
					vacant &= (lanes)~(tidy_is_noted(t, def.reg.index, lane) << lane);
			} else {
				int reg = pass ? find_free_literal(t) : -1;
				if (reg < 0)
					continue;
				def.reg = dst_lanes(REG_CONST, reg, MASK_XYZW);
			}
			if (place_operands_in(t, i, number_of, &def, vacant, 0)) {
				*where = (struct literal_place){k, def};
				return true;
			}
		}
	}
	return false;
}

bool tidy_numbers(const struct tidy *t, struct instr *i, unsigned s, const float numbers[LANES], struct literal_place *where)
{
	struct numbers own = {.negative = 0};
	const struct numbers *number_of[MAX_SOURCES] = {NULL};
	memcpy(own.of, numbers, sizeof own.of);
	number_of[s] = &own;
	return tidy_place_numbers(t, i, number_of, where);
}

void tidy_place(struct tidy *t, const struct literal_place *where)
{
	if (where->decl == UINT32_MAX)
		return;
	t->literal[where->def.reg.index] = true;
	if (where->decl == t->p->decls.n)
		VEC_PUSH(t->arena, &t->p->decls) = where->def;
	else
		t->p->decls.at[where->decl] = where->def;
}

