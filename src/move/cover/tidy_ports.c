/* Makes movs dead that gather lanes of constants for an operand, because no swizzle reads these lanes: splits the instruction that reads them
 * into one for each lane, which reads the constant itself.  Only for pixel programs, which have few swizzles. */
#include "move/cover/tidy.h"

#include "lang/check.h"

/* Returns operand `outer`, which reads the result of a mov, changed to read the mov's operand `inner` instead. */
static struct src read_through(const struct src *outer, const struct src *inner)
{
	struct src s = *inner;
	s.swizzle = swizzle_after(outer->swizzle, inner->swizzle);
	s.negate = outer->negate != inner->negate;
	s.letters = 0;
	return s;
}

/* If each lane of operand `s` of instruction k is the result of another mov of a constant, and nothing else reads these movs, splits k into one
 * instruction for each lane that it writes, which reads the constant itself. */
static bool split_into_lanes(struct tidy *t, uint32_t k, unsigned s)
{
	struct program *p = t->p;
	struct instr const whole = p->instrs.at[k];
	struct instr parts[LANES];
	uint32_t defs[LANES];
	unsigned n = 0;
	if (whole.src[s].file != REG_TEMP)
		return false;
	EACH_LANE(l, whole.dst.mask) {
		uint32_t const def = flow_def(tidy_flow(t), k, s, l);
		const struct instr *mov = def < FLOW_INPUT ? &p->instrs.at[def] : NULL;
		if (!mov || mov->op != OP_MOV || mov->flags & INSTR_SAT || mov->src[0].file != REG_CONST || mov->src[0].relative ||
		    (mov->dst.mask & (mov->dst.mask - 1)))
			return false;
		for (unsigned o = 0; o < n; o++)
			if (defs[o] == def)
				return false;
		defs[n] = def;
		struct instr *part = &parts[n++];
		*part = whole;
		part->src[s] = read_through(&whole.src[s], &mov->src[0]);
		EACH_SOURCE(o, &whole) {
			unsigned const from = swizzle_lane(part->src[o].swizzle, l);
			if (o != s && whole.src[o].file == REG_TEMP && whole.dst.file == REG_TEMP && whole.src[o].index == whole.dst.index && from != l &&
			    whole.dst.mask >> from & 1)
				return false; /* the instruction for another lane would overwrite this one */
			part->src[o].letters = 0;
			part->src[o].swizzle = from == l ? SWIZZLE_XYZW : swizzle_replicate(from);
		}
		instr_set_mask(part, (lanes)(1u << l));
		if (n > 1)
			part->comments = NULL;
		if (check_instr_alone(p, part))
			return false;
	}
	if (n < 2 || !flow_is_sole_use(tidy_flow(t), k, s))
		return false;
	p->instrs.at[k] = parts[0];
	for (unsigned o = 1; o < n; o++)
		*tidy_insert(t, k + o) = parts[o];
	t->stale = true;
	return true; /* tidy_dead will remove the movs, which nothing reads now */
}

bool tidy_ports(struct tidy *t)
{
	struct program *p = t->p;
	for (uint32_t k = 0; t->limits && k < p->instrs.n && program_stage(p) == STAGE_PIXEL; k++) {
		const struct instr *i = &p->instrs.at[k];
		for (unsigned s = 0; ops[i->op].shape == SHAPE_LANES && i->dst.file == REG_TEMP && s < ops[i->op].sources; s++)
			if (split_into_lanes(t, k, s))
				return true;
	}
	return false;
}
