/* Functions of constants computed in the VP, for vertex_const.c: lanes with the same operation in one
 * instruction, with what vs_1_1 has for it. */
#include "move/cover/vertex.h"

static void put(struct vertex_writer *w, const struct instr *i)
{
	if (w->tally)
		vertex_count(w, i);
	else
		VEC_PUSH(w->values->arena, &w->new->instrs) = *i;
}

void vertex_put(struct vertex_writer *w, const struct instr *instr, enum reg_file file, int index, lanes mask)
{
	struct instr i = *instr;
	w->failed |= w->new->instrs.n > w->most;
	i.at = SRCPOS_NONE;
	i.dst = dst_lanes(file, index, mask);
	/* One c# and one v#: a source of another goes through a temporary. */
	for (unsigned s = 1; s < ops[i.op].sources; s++) {
		bool clash = false;
		for (unsigned o = 0; o < s; o++)
			clash |= (i.src[s].file == REG_CONST || i.src[s].file == REG_INPUT) && i.src[o].file == i.src[s].file &&
			         i.src[o].index != i.src[s].index;
		if (!clash)
			continue;
		struct instr mov = {.op = OP_MOV, .at = SRCPOS_NONE};
		lanes read = instr_operand_lanes(w->new, &i, s, mask);
		int temp = w->next_temp++;
		mov.src[0] = i.src[s];
		mov.src[0].negate = false;
		mov.dst = dst_lanes(REG_TEMP, temp, read);
		put(w, &mov);
		i.src[s].file = REG_TEMP;
		i.src[s].index = (int16_t)temp;
		i.src[s].swizzle = ops[i.op].shape == SHAPE_SCALAR ? swizzle_replicate(LANE_X) : SWIZZLE_XYZW;
	}
	put(w, &i);
}

/* The values of argument `n` of each lane of a group. */
static void arguments(const struct values *v, const value_id value[LANES], lanes group, unsigned n, value_id arg[LANES])
{
	for (unsigned l = 0; l < LANES; l++)
		arg[l] = value_at(v, value[group >> l & 1 ? l : first_lane(group)])->args[n];
}

static bool lane_by_lane(enum const_op op)
{
	return op == CONST_ADD || op == CONST_MUL || op == CONST_MAD || op == CONST_NEG || op == CONST_MAX ||
	       op == CONST_MIN || op == CONST_ABS || op == CONST_CMP || op == CONST_SAT || op == CONST_FRC;
}

/* A group's arguments come from this many places. */
static unsigned chunks(const struct vertex_writer *w, const value_id value[LANES], lanes group)
{
	unsigned n = 0;
	EACH_LANE(l, group) {
		const struct value *x = value_at(w->values, value[l]);
		bool seen = false;
		for (unsigned o = 0; o < l; o++) {
			const struct value *y = group >> o & 1 ? value_at(w->values, value[o]) : NULL;
			bool const mine = value_is_settable(x, w->options->preshader);
			seen |= y && (mine == value_is_settable(y, w->options->preshader)) &&
			        (mine || (x->op == y->op && (x->op != CONST_RAW || x->reg == y->reg)));
		}
		n += !seen;
	}
	return n;
}

unsigned vertex_constant_cost(const struct vertex_writer *w, const value_id value[LANES], lanes group)
{
	unsigned n = chunks(w, value, group);
	const struct value *x = value_at(w->values, value[first_lane(group)]);
	return n == 1 && (x->op == CONST_RAW || value_is_settable(x, w->options->preshader)) ? 0 : n;
}

/* The same value in all lanes; `temp`: not from a constant register. */
static struct src one_lane(struct vertex_writer *w, value_id id, bool temp)
{
	value_id value[LANES] = {id, id, id, id};
	struct src s = vertex_constant(w, value, MASK_X, temp);
	s.swizzle = swizzle_replicate(swizzle_lane(s.swizzle, LANE_X));
	return s;
}

/* To be read beside `other`: from a temporary that others can share, if the port for constants is taken. */
static struct src zero(struct vertex_writer *w, struct src other)
{
	return one_lane(w, w->values->zero, other.file == REG_CONST);
}

static struct src negated(struct src s)
{
	s.negate = !s.negate;
	return s;
}

static void put2(struct vertex_writer *w, enum op op, struct src a, struct src b, enum reg_file file, int index, lanes mask)
{
	struct instr i = {.op = (uint8_t)op, .src = {a, b}};
	vertex_put(w, &i, file, index, mask);
}

/* vs_1_1's frc writes .y or .xy: two lanes at a time, moved on to their place.  Returns the lanes that are
 * still to be moved, by the instruction `last`. */
static lanes put_fractions(struct vertex_writer *w, struct src s, lanes group, enum reg_file file, int index, struct instr *last)
{
	for (;;) {
		unsigned lane[2] = {first_lane(group), LANES};
		for (unsigned l = lane[0] + 1; l < LANES && lane[1] == LANES; l++)
			if (group >> l & 1)
				lane[1] = l;
		bool two = lane[1] < LANES;
		int temp = w->next_temp++;
		unsigned from[LANES] = {swizzle_lane(s.swizzle, lane[0]), swizzle_lane(s.swizzle, two ? lane[1] : lane[0])};
		unsigned to[LANES] = {LANE_Y, LANE_Y, LANE_Y, LANE_Y};
		struct instr frc = {.op = OP_FRC, .src = {s}};
		frc.src[0].swizzle = swizzle_of_lanes(from, MASK_XY);
		vertex_put(w, &frc, REG_TEMP, temp, two ? MASK_XY : MASK_Y);
		lanes done = (lanes)(1u << lane[0] | (two ? 1u << lane[1] : 0));
		if (two)
			to[lane[0]] = LANE_X;
		*last = (struct instr){.op = OP_MOV, .src = {src_temp(temp)}};
		last->src[0].swizzle = swizzle_of_lanes(to, done);
		if (done == group)
			return group;
		vertex_put(w, last, file, index, done);
		group &= (lanes)~done;
	}
}

/* One operation for all lanes of the group. */
static void put_operation(struct vertex_writer *w, const value_id value[LANES], lanes group, enum reg_file file, int index)
{
	struct value const x = *value_at(w->values, value[first_lane(group)]);
	struct src s[3];
	struct instr i = {.at = SRCPOS_NONE};
	if (x.op == CONST_DP3 || x.op == CONST_DP4) {
		value_id a[LANES], b[LANES];
		for (unsigned k = 0; k < LANES; k++) {
			a[k] = x.args[2 * k < x.nargs ? 2 * k : 0];
			b[k] = x.args[2 * k < x.nargs ? 2 * k + 1 : 1];
		}
		lanes read = x.op == CONST_DP3 ? MASK_XYZ : MASK_XYZW;
		s[0] = vertex_constant(w, a, read, false);
		s[1] = vertex_constant(w, b, read, false);
		put2(w, x.op == CONST_DP3 ? OP_DP3 : OP_DP4, s[0], s[1], file, index, group);
		return;
	}
	for (unsigned k = 0; k < x.nargs && k < 3; k++) {
		value_id arg[LANES];
		arguments(w->values, value, group, k, arg);
		s[k] = lane_by_lane((enum const_op)x.op) ? vertex_constant(w, arg, group, false) : one_lane(w, arg[first_lane(group)], false);
		i.src[k] = s[k];
	}
	switch ((enum const_op)x.op) {
	case CONST_LITERAL:
	case CONST_RAW:
	case CONST_DP3:
	case CONST_DP4:
	case CONST_COS:
	case CONST_SIN: w->failed = true; return; /* found elsewhere, done above, or not to be computed here */
	case CONST_NEG:
		i.op = OP_MOV;
		i.src[0] = negated(s[0]);
		break;
	case CONST_ADD: i.op = OP_ADD; break;
	case CONST_MUL: i.op = OP_MUL; break;
	case CONST_MAD: i.op = OP_MAD; break;
	case CONST_MAX: i.op = OP_MAX; break;
	case CONST_MIN: i.op = OP_MIN; break;
	case CONST_RCP: i.op = OP_RCP; break;
	case CONST_RSQ: i.op = OP_RSQ; break;
	case CONST_EXP: i.op = OP_EXP; break;
	case CONST_LOG: i.op = OP_LOG; break;
	case CONST_ABS:
		i.op = OP_MAX;
		i.src[1] = negated(s[0]);
		break;
	case CONST_FRC:
		i.op = OP_FRC;
		if (w->old->model == VS_1_1 && group != MASK_Y && group != MASK_XY)
			group = put_fractions(w, s[0], group, file, index, &i);
		break;
	case CONST_SAT: {
		int temp = w->next_temp++;
		put2(w, OP_MAX, s[0], zero(w, s[0]), REG_TEMP, temp, group);
		i = (struct instr){.op = OP_MIN, .src = {src_temp(temp), one_lane(w, w->values->one, false)}};
		break;
	}
	case CONST_CMP: {
		/* (s0 >= 0) * s1 + (s0 < 0) * s2: what is chosen is not rounded, as s1 - s2 + s2 is. */
		int test = w->next_temp++, rest = w->next_temp++;
		put2(w, OP_SGE, s[0], zero(w, s[0]), REG_TEMP, test, group);
		put2(w, OP_SLT, s[0], zero(w, s[0]), REG_TEMP, rest, group);
		put2(w, OP_MUL, src_temp(rest), s[2], REG_TEMP, rest, group);
		i = (struct instr){.op = OP_MAD, .src = {src_temp(test), s[1], src_temp(rest)}};
		break;
	}
	case CONST_POW: {
		if (w->old->model != VS_1_1) {
			int temp = w->next_temp++; /* pow writes a temporary, and not its exponent */
			i.op = OP_POW;
			vertex_put(w, &i, REG_TEMP, temp, group);
			i = (struct instr){.op = OP_MOV, .src = {src_temp(temp)}};
			break;
		}
		int temp = w->next_temp++;
		struct instr log = {.op = OP_LOG, .src = {s[0]}};
		vertex_put(w, &log, REG_TEMP, temp, MASK_X);
		put2(w, OP_MUL, src_temp(temp), s[1], REG_TEMP, temp, MASK_X);
		i = (struct instr){.op = OP_EXP, .src = {src_temp(temp)}};
		i.src[0].swizzle = swizzle_replicate(LANE_X);
		break;
	}
	}
	vertex_put(w, &i, file, index, group);
}

/* Does computing one value of the set need another that is not there yet? */
static bool waits(const struct values *v, const value_id value[LANES], lanes missing, unsigned lane)
{
	const struct value *x = value_at(v, value[lane]);
	for (unsigned k = 0; k < x->nargs; k++)
		EACH_LANE(l, missing)
			if (l != lane && value[l] == x->args[k])
				return true;
	return false;
}

void vertex_compute(struct vertex_writer *w, const value_id value[LANES], lanes missing, enum reg_file file, int index,
                    struct made *made)
{
	uint32_t at = made ? (uint32_t)(made - w->made.at) : 0;
	while (missing && !w->failed) {
		/* The value numbered first depends on none of the others. */
		unsigned first = first_lane(missing);
		EACH_LANE(l, missing)
			if (value[l] < value[first])
				first = l;
		const struct value *x = value_at(w->values, value[first]);
		lanes group = (lanes)(1u << first);
		for (unsigned l = 0; l < LANES; l++) {
			const struct value *y = missing >> l & 1 ? value_at(w->values, value[l]) : NULL;
			if (!y || l == first)
				continue;
			lanes grown = group | (lanes)(1u << l);
			bool const mine = vertex_settable(w, value[first]);
			if (mine || x->op == CONST_RAW) {
				if (mine ? vertex_settable(w, value[l]) : y->op == CONST_RAW && y->reg == x->reg)
					group = grown;
				continue;
			}
			if (vertex_settable(w, value[l]) || y->op != x->op || !lane_by_lane((enum const_op)x->op) ||
			    waits(w->values, value, missing, l))
				continue;
			unsigned now = 0, then = 0;
			for (unsigned k = 0; k < x->nargs; k++) {
				value_id arg[LANES];
				arguments(w->values, value, group, k, arg);
				now += chunks(w, arg, group);
				arguments(w->values, value, grown, k, arg);
				then += chunks(w, arg, grown);
			}
			if (then <= now)
				group = grown;
		}
		struct name const before = w->name;
		w->name = x->op == CONST_RAW ? name_of(NAMED_RAW, (uint32_t)x->reg) : name_of(NAMED_MADE, value[first]);
		struct src src;
		if (vertex_settable(w, value[first]) || x->op == CONST_RAW || vertex_at_hand(w, value, group, false, &src)) {
			struct instr mov = {.op = OP_MOV, .src = {vertex_constant(w, value, group, false)}};
			vertex_put(w, &mov, file, index, group);
		} else {
			put_operation(w, value, group, file, index);
		}
		w->name = before;
		missing &= (lanes)~group;
		if (made)
			w->made.at[at].ready |= group;
	}
}
