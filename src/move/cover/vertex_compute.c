/* Makes constants available to the VP's instructions: in registers that have them or can be set (vertex_const.c), or else in a temporary for which
 * it writes instructions.  Lanes with the same operation are computed by one instruction, with opcodes that vs_1_1 has. */
#include "move/cover/vertex.h"

/* Sets arg[l] to argument `n` of the function that computes value[l], for each lane l in `group`; the other lanes get that of the first one. */
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

/* Returns about how many instructions load the values of the lanes in `group`: one for all values that constant registers can hold, one for each
 * register of the application's constants, and one for each kind of operation that computes other values. */
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

/* Returns a source that reads the value in all lanes.  With `temp`, it reads a temporary, not a constant register. */
static struct src one_lane(struct vertex_writer *w, value_id id, bool temp)
{
	value_id value[LANES] = {id, id, id, id};
	struct src s = vertex_constant(w, value, MASK_X, temp);
	s.swizzle = swizzle_replicate(swizzle_lane(s.swizzle, LANE_X));
	return s;
}

/* Returns a source that reads 0 and may stand in one instruction with `other`: in a temporary if `other` is a constant register. */
static struct src zero_beside(struct vertex_writer *w, struct src other)
{
	return one_lane(w, w->values->zero, other.file == REG_CONST);
}

static struct src negate_source(struct src s)
{
	s.negate = !s.negate;
	return s;
}

static void put_binary(struct vertex_writer *w, enum op op, struct src a, struct src b, enum reg_file file, int index, lanes mask)
{
	struct instr i = {.op = (uint8_t)op, .src = {a, b}};
	vertex_put(w, &i, file, index, mask);
}

/* Computes the fractions of the lanes in `group` of s by the frc of vs_1_1, which writes .y or .xy only: two lanes at a time, which movs then copy
 * to their places.  Returns the lanes that are not copied yet, and sets *last to the mov that copies them, for the caller to write. */
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

/* Writes the instructions that compute value[l] in each lane l of `group` of the register.  All these values are results of one operation. */
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
		put_binary(w, x.op == CONST_DP3 ? OP_DP3 : OP_DP4, s[0], s[1], file, index, group);
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
	case CONST_SIN: w->failed = true; return; /* the code above or vertex_constant() handles the first four; vs_1_1 cannot compute the others */
	case CONST_NEG:
		i.op = OP_MOV;
		i.src[0] = negate_source(s[0]);
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
		i.src[1] = negate_source(s[0]);
		break;
	case CONST_FRC:
		i.op = OP_FRC;
		if (w->old->model == VS_1_1 && group != MASK_Y && group != MASK_XY)
			group = put_fractions(w, s[0], group, file, index, &i);
		break;
	case CONST_SAT: {
		int temp = w->next_temp++;
		put_binary(w, OP_MAX, s[0], zero_beside(w, s[0]), REG_TEMP, temp, group);
		i = (struct instr){.op = OP_MIN, .src = {src_temp(temp), one_lane(w, w->values->one, false)}};
		break;
	}
	case CONST_CMP: {
		/* (s0 >= 0) * s1 + (s0 < 0) * s2: this does not round the chosen value, as (s1 - s2) + s2 would. */
		int test = w->next_temp++, rest = w->next_temp++;
		put_binary(w, OP_SGE, s[0], zero_beside(w, s[0]), REG_TEMP, test, group);
		put_binary(w, OP_SLT, s[0], zero_beside(w, s[0]), REG_TEMP, rest, group);
		put_binary(w, OP_MUL, src_temp(rest), s[2], REG_TEMP, rest, group);
		i = (struct instr){.op = OP_MAD, .src = {src_temp(test), s[1], src_temp(rest)}};
		break;
	}
	case CONST_POW: {
		if (w->old->model != VS_1_1) {
			int temp = w->next_temp++; /* pow must write a temporary other than its exponent */
			i.op = OP_POW;
			vertex_put(w, &i, REG_TEMP, temp, group);
			i = (struct instr){.op = OP_MOV, .src = {src_temp(temp)}};
			break;
		}
		int temp = w->next_temp++;
		struct instr log = {.op = OP_LOG, .src = {s[0]}};
		vertex_put(w, &log, REG_TEMP, temp, MASK_X);
		put_binary(w, OP_MUL, src_temp(temp), s[1], REG_TEMP, temp, MASK_X);
		i = (struct instr){.op = OP_EXP, .src = {src_temp(temp)}};
		i.src[0].swizzle = swizzle_replicate(LANE_X);
		break;
	}
	}
	vertex_put(w, &i, file, index, group);
}

/* Returns true if value[lane] is computed from the value of another lane in `missing`. */
static bool waits_for_other(const struct values *v, const value_id value[LANES], lanes missing, unsigned lane)
{
	const struct value *x = value_at(v, value[lane]);
	for (unsigned k = 0; k < x->nargs; k++)
		EACH_LANE(l, missing)
			if (l != lane && value[l] == x->args[k])
				return true;
	return false;
}

/* Writes instructions that compute value[l] in each lane l in `missing` of the temporary made[at], lanes with the same operation together. */
static void compute_lanes(struct vertex_writer *w, const value_id value[LANES], lanes missing, uint32_t at)
{
	int const reg = w->made.at[at].reg;
	while (missing && !w->failed) {
		/* The value with the lowest value number is computed from none of the others. */
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
			    waits_for_other(w->values, value, missing, l))
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
			vertex_put(w, &mov, REG_TEMP, reg, group);
		} else {
			put_operation(w, value, group, REG_TEMP, reg);
		}
		w->name = before;
		missing &= (lanes)~group;
		w->made.at[at].ready |= group;
	}
}

/* ---- held, set or computed ---------------------------------------------------------------- */

static bool all_settable(const struct vertex_writer *w, const value_id value[LANES], lanes group)
{
	EACH_LANE(l, group)
		if (!vertex_settable(w, value[l]))
			return false;
	return true;
}

/* Returns the index in `made` of the temporary that holds most of the values and has free lanes for the others, or of a new one. */
static uint32_t choose_temp(struct vertex_writer *w, const value_id value[LANES], lanes group)
{
	uint32_t best = UINT32_MAX;
	unsigned most = 0;
	for (uint32_t k = 0; k < w->made.n; k++) {
		unsigned have = 0, missing = 0, vacant = 0;
		for (unsigned l = 0; l < LANES; l++) {
			vacant += w->made.at[k].lane[l] == NO_VALUE;
			if (!(group >> l & 1))
				continue;
			bool there = false;
			for (unsigned m = 0; m < LANES; m++)
				there |= w->made.at[k].lane[m] == value[l];
			have += there;
			missing += !there;
		}
		if (missing <= vacant && (best == UINT32_MAX || have > most)) {
			best = k;
			most = have;
		}
	}
	if (best == UINT32_MAX) {
		VEC_PUSH(w->values->arena, &w->made) =
			(struct made){.reg = w->next_temp++, .lane = {NO_VALUE, NO_VALUE, NO_VALUE, NO_VALUE}};
		best = w->made.n - 1;
	}
	return best;
}

struct src vertex_constant(struct vertex_writer *w, const value_id value[LANES], lanes group, bool temp)
{
	struct src src = {.file = REG_CONST};
	if (w->failed || w->next_temp > MOST_TEMPS - 16) {
		w->failed = true;
		return src;
	}
	if (vertex_at_hand(w, value, group, temp, &src))
		return src;
	if (!temp && all_settable(w, value, group))
		return vertex_add_constants(w, value, group);
	uint32_t k = choose_temp(w, value, group);
	/* Give values that the register lacks free lanes of it, if possible the lanes in which they are read. */
	value_id put[LANES] = {NO_VALUE, NO_VALUE, NO_VALUE, NO_VALUE};
	lanes missing = 0;
	for (unsigned pass = 0; pass < 2; pass++) {
		EACH_LANE(l, group) {
			struct made *m = &w->made.at[k];
			bool there = false;
			for (unsigned o = 0; o < LANES; o++)
				there |= m->lane[o] == value[l];
			if (there || (pass == 0 && m->lane[l] != NO_VALUE))
				continue;
			unsigned to = l;
			for (unsigned o = 0; pass == 1 && o < LANES; o++)
				if (m->lane[o] == NO_VALUE)
					to = o;
			m->lane[to] = put[to] = value[l];
			missing |= (lanes)(1u << to);
		}
	}
	compute_lanes(w, put, missing, k);
	if (!w->failed && !vertex_at_hand(w, value, group, temp, &src))
		w->failed = true; /* another computation, which is not finished, has reserved one of the lanes */
	return src;
}
