/* Flow control for the interpreter of machine_body.h, for one arithmetic type.  One walk of the program serves all elements (vertices or pixels)
 * of a machine, with a mask of the elements that run the current instruction.  Instructions that no element runs are skipped.  Others are
 * evaluated for all elements, and their results kept where the mask is set. */

/* ---- one machine --------------------------------------------------------------------------- */

static void NAME(count_mask)(struct NAME(flow) *f)
{
	unsigned n = 0;
	FOR_BLOCK n += f->mask[k];
	f->any = n > 0;
	f->all = n == BLOCK;
}

/* Starts a run.  Sets all outputs that the program may write to 0, and the .w of interpolated ones to 1, since a run may skip the write. */
static void NAME(start_flow)(struct NAME(machine) *m)
{
	struct NAME(flow) *f = m->flow;
	memset(f->mask, true, sizeof f->mask);
	memset(f->predicate, 0, sizeof f->predicate);
	f->any = f->all = true;
	memcpy(m->out_written, f->of->written, sizeof m->out_written);
	for (unsigned out = 0; out < MACHINE_OUTPUTS; out++)
		EACH_LANE(l, f->of->written[out])
			NAME(fill)(m->out[out][l], out >= MACHINE_CARRIER && out < MACHINE_PIXEL && l == LANE_W);
}

static void NAME(keep_marks)(struct NAME(machine) *m)
{
	struct NAME(marks) *to = &m->flow->marks;
	memcpy(to->decision, m->decision, sizeof to->decision);
	memcpy(to->texel, m->texel, sizeof to->texel);
	memcpy(to->size, m->size, sizeof to->size);
	memcpy(to->divisor, m->divisor, sizeof to->divisor);
	memcpy(to->killed, m->killed, sizeof to->killed);
	memcpy(to->wild, m->wild, sizeof to->wild);
}

/* Restores the saved marks (decisions, divisors, kills) of the elements that are not in `mask`. */
static void NAME(restore_marks)(struct NAME(machine) *m, const bool *restrict mask)
{
	const struct NAME(marks) *restrict from = &m->flow->marks;
	FOR_BLOCK m->decision[k] = mask[k] ? m->decision[k] : from->decision[k];
	FOR_BLOCK m->texel[k] = mask[k] ? m->texel[k] : from->texel[k];
	FOR_BLOCK m->size[k] = mask[k] ? m->size[k] : from->size[k];
	FOR_BLOCK m->divisor[k] = mask[k] ? m->divisor[k] : from->divisor[k];
	FOR_BLOCK m->killed[k] = mask[k] ? m->killed[k] : from->killed[k];
	FOR_BLOCK m->wild[k] = mask[k] ? m->wild[k] : from->wild[k];
}

/* Sets `to` for the elements that execute lane `lane` of an instruction, by the mask and the predicate. */
static void NAME(doing_lane)(const struct NAME(flow) *f, const struct instr *i, unsigned lane, bool *restrict to)
{
	const bool *predicate = f->predicate[swizzle_lane(i->predicate_swizzle, lane)];
	bool const wanted = i->predicate == PREDICATE_TRUE;
	memcpy(to, f->mask, sizeof f->mask);
	if (i->predicate)
		FOR_BLOCK to[k] = to[k] && predicate[k] == wanted;
}

/* Evaluates a predicated instruction that works lane by lane, or a predicated texkill, one lane at a time: the predicate may select other
 * elements for each lane, and only these change decisions, divisors and kills. */
static void NAME(evaluate_by_lane)(struct NAME(machine) *m, const struct instr *i, lanes mask, REAL *const d[LANES])
{
	struct instr one = *i;
	bool doing[BLOCK];
	EACH_LANE(l, i->op == OP_TEXKILL ? MASK_XYZ : mask) {
		if (i->op == OP_TEXKILL)
			one.src[0].swizzle = swizzle_replicate(swizzle_lane(i->src[0].swizzle, l));
		NAME(keep_marks)(m);
		NAME(evaluate)(m, &one, mask & (lanes)(1u << l), d);
		NAME(finish)(m, &one, mask & (lanes)(1u << l), d);
		NAME(doing_lane)(m->flow, i, l, doing);
		NAME(restore_marks)(m, doing);
	}
}

static void NAME(evaluate_masked)(struct NAME(machine) *m, const struct instr *i, lanes mask, REAL *const d[LANES])
{
	const struct NAME(flow) *f = m->flow;
	bool doing[BLOCK], lane[BLOCK];
	if (i->predicate && (ops[i->op].shape == SHAPE_LANES || i->op == OP_TEXKILL)) {
		NAME(evaluate_by_lane)(m, i, mask, d);
		return;
	}
	bool const some = !f->all || i->predicate;
	if (some)
		NAME(keep_marks)(m);
	NAME(evaluate)(m, i, mask, d);
	NAME(finish)(m, i, mask, d);
	if (!some)
		return;
	memcpy(doing, f->mask, sizeof doing);
	if (i->predicate) {
		memset(doing, false, sizeof doing);
		EACH_LANE(l, mask) {
			NAME(doing_lane)(f, i, l, lane);
			FOR_BLOCK doing[k] |= lane[k];
		}
	}
	NAME(restore_marks)(m, doing);
}

static void NAME(store_address)(struct NAME(machine) *m, const struct instr *i, unsigned lane, const bool *doing)
{
	FOR_BLOCK {
		REAL const x = m->spare[lane][k];
		if (!doing[k])
			continue;
		m->address[lane][k] = i->op == OP_MOVA ? floor(x + (REAL)0.5) : floor(x);
		NAME(decide)(m->decision, (uint32_t)NAME(whole)(m->address[lane][k]), k);
	}
}

static void NAME(store_masked)(struct NAME(machine) *m, const struct instr *i, lanes mask)
{
	const struct NAME(flow) *f = m->flow;
	unsigned out = machine_output((enum reg_file)i->dst.file, i->dst.index);
	if (i->dst.file == REG_LINKED) {
		int32_t const number = NAME(whole)(m->address[RELATIVE_LOOP - 1][0]) + i->dst.index;
		out = number >= 0 && number < MACHINE_INPUTS ? f->of->output[number] : MACHINE_NOWHERE;
		if (out == MACHINE_NOWHERE)
			return;
	} else if (f->all && !i->predicate) {
		NAME(store)(m, i, mask);
		return;
	}
	bool const scalar = out == MACHINE_FOG || out == MACHINE_SIZE || out == MACHINE_DEPTH;
	EACH_LANE(l, scalar ? 1u << first_lane(mask) : mask) {
		bool doing[BLOCK];
		NAME(doing_lane)(f, i, l, doing);
		if (i->dst.file == REG_ADDRESS) {
			NAME(store_address)(m, i, l, doing);
			continue;
		}
		REAL *restrict to = i->dst.file == REG_TEMP ? m->temp[i->dst.index][l] : m->out[out][scalar ? 0 : l];
		const REAL *restrict from = m->spare[l];
		FOR_BLOCK to[k] = doing[k] ? from[k] : to[k];
	}
}

static void NAME(compare)(const REAL *restrict a, const REAL *restrict b, unsigned comparison, bool *restrict to)
{
	switch ((enum compare)comparison) {
	case COMPARE_GT: FOR_BLOCK to[k] = a[k] > b[k]; break;
	case COMPARE_EQ: FOR_BLOCK to[k] = a[k] == b[k]; break;
	case COMPARE_GE: FOR_BLOCK to[k] = a[k] >= b[k]; break;
	case COMPARE_LT: FOR_BLOCK to[k] = a[k] < b[k]; break;
	case COMPARE_NE: FOR_BLOCK to[k] = a[k] != b[k]; break;
	case COMPARE_LE: FOR_BLOCK to[k] = a[k] <= b[k]; break;
	case COMPARE_NONE:
	case COMPARISONS: FOR_BLOCK to[k] = false; break;
	}
}

/* Compares one lane of the two operands for all elements into `to`, and hashes the outcomes of the elements in the mask into their decisions. */
static void NAME(compare_operands)(struct NAME(machine) *m, const struct instr *i, unsigned lane, bool *to)
{
	NAME(compare)(SOURCE(0, lane), SOURCE(1, lane), i->comparison, to);
	FOR_BLOCK
		if (m->flow->mask[k])
			NAME(decide)(m->decision, to[k], k);
}

static void NAME(setp)(struct NAME(machine) *m, const struct instr *i)
{
	struct NAME(flow) *f = m->flow;
	bool is[BLOCK];
	EACH_LANE(l, instr_writes(i)) {
		NAME(compare_operands)(m, i, l, is);
		FOR_BLOCK f->predicate[l][k] = f->mask[k] ? is[k] : f->predicate[l][k];
	}
}

/* Sets `to` for the elements for which the condition of a flow control instruction holds: a comparison, a b# or p0.  Without a condition, sets it
 * for all. */
static void NAME(condition)(struct NAME(machine) *m, const struct instr *i, bool *restrict to)
{
	const struct src *s = &i->src[i->op == OP_CALLNZ];
	if (i->op == OP_IFC || i->op == OP_BREAKC)
		NAME(compare_operands)(m, i, LANE_X, to);
	else if (s->file == REG_BOOL)
		memset(to, m->flow->set.truth[s->index % INTERP_SWITCHES] != s->negate, sizeof m->flow->mask);
	else if (s->file == REG_PREDICATE)
		FOR_BLOCK to[k] = m->flow->predicate[swizzle_lane(s->swizzle, 0)][k] != s->negate;
	else
		memset(to, true, sizeof m->flow->mask);
}

/* ---- the machines that run side by side ------------------------------------------------------ */

struct NAME(walk) {
	struct NAME(machine) *const *all;
	unsigned n;
	const struct instr *instrs;
	const uint32_t *partner;
	struct machine_frame *frame;
	uint32_t at, depth; /* the current instruction, and the number of open frames */
	uint32_t steps;     /* the number of instructions that were run or skipped so far */
	int32_t address;    /* the value of aL */
};

/* Returns true if any element of any machine runs the next instruction. */
static bool NAME(anybody)(const struct NAME(walk) *w)
{
	bool any = false;
	for (unsigned n = 0; n < w->n; n++)
		any |= w->all[n]->flow->any;
	return any;
}

static void NAME(set_loop_address)(struct NAME(walk) *w, int32_t address)
{
	w->address = address;
	for (unsigned n = 0; n < w->n; n++)
		NAME(fill)(w->all[n]->address[RELATIVE_LOOP - 1], (REAL)address);
}

/* Opens a frame for an if, rep, loop or call, and narrows the masks to the elements for which its condition holds. */
static void NAME(open_frame)(struct NAME(walk) *w, const struct instr *i, int32_t left)
{
	for (unsigned n = 0; n < w->n; n++) {
		struct NAME(flow) *f = w->all[n]->flow;
		struct NAME(outer) *outer = &f->outer[w->depth];
		bool holds[BLOCK];
		NAME(condition)(w->all[n], i, holds);
		FOR_BLOCK {
			outer->outside[k] = f->mask[k];
			outer->otherwise[k] = f->mask[k] && !holds[k];
			f->mask[k] = f->mask[k] && holds[k];
		}
		NAME(count_mask)(f);
	}
	w->frame[w->depth++] = (struct machine_frame){w->at, left, w->address};
}

static void NAME(close_frame)(struct NAME(walk) *w)
{
	w->depth--;
	for (unsigned n = 0; n < w->n; n++) {
		struct NAME(flow) *f = w->all[n]->flow;
		memcpy(f->mask, f->outer[w->depth].outside, sizeof f->mask);
		NAME(count_mask)(f);
	}
}

static void NAME(run_else)(struct NAME(walk) *w)
{
	for (unsigned n = 0; n < w->n; n++) {
		struct NAME(flow) *f = w->all[n]->flow;
		memcpy(f->mask, f->outer[w->depth - 1].otherwise, sizeof f->mask);
		NAME(count_mask)(f);
	}
}

/* Runs a break: removes the elements that leave the loop from the mask, and from the saved masks of all frames that are open inside the
 * loop. */
static void NAME(leave_loop)(struct NAME(walk) *w, const struct instr *i)
{
	uint32_t const end = w->partner[w->at];
	uint32_t inside = w->depth;
	while (inside > 0 && w->partner[w->frame[inside - 1].at] != end)
		inside--;
	for (unsigned n = 0; n < w->n; n++) {
		struct NAME(flow) *f = w->all[n]->flow;
		bool leaves[BLOCK];
		NAME(condition)(w->all[n], i, leaves);
		FOR_BLOCK {
			leaves[k] = leaves[k] && f->mask[k];
			f->mask[k] = f->mask[k] && !leaves[k];
		}
		for (uint32_t depth = inside; depth < w->depth; depth++)
			FOR_BLOCK {
				f->outer[depth].outside[k] = f->outer[depth].outside[k] && !leaves[k];
				f->outer[depth].otherwise[k] = f->outer[depth].otherwise[k] && !leaves[k];
			}
		NAME(count_mask)(f);
	}
}

/* Returns true if the program has run or skipped MACHINE_STEPS instructions, as nested loops may.  Then marks all elements as wild: their
 * results do not count. */
static bool NAME(takes_too_long)(struct NAME(walk) *w)
{
	if (w->steps < MACHINE_STEPS)
		return false;
	for (unsigned n = 0; n < w->n; n++)
		memset(w->all[n]->wild, true, sizeof w->all[n]->wild);
	return true;
}

static void NAME(begin_loop)(struct NAME(walk) *w, const struct instr *i)
{
	const int32_t *const count = w->all[0]->flow->set.integer[i->src[i->op == OP_LOOP].index % INTERP_SWITCHES];
	NAME(open_frame)(w, i, count[LANE_X] > 0 ? count[LANE_X] - 1 : 0);
	if (i->op == OP_LOOP)
		NAME(set_loop_address)(w, count[LANE_Y]);
	if (count[LANE_X] <= 0 || !NAME(anybody)(w))
		w->at = w->partner[w->at] - 1; /* the instruction at the loop's end is run next */
}

static void NAME(end_loop)(struct NAME(walk) *w, const struct instr *i)
{
	struct machine_frame *f = &w->frame[w->depth - 1];
	const int32_t *const by = w->all[0]->flow->set.integer[w->instrs[f->at].src[i->op == OP_ENDLOOP].index % INTERP_SWITCHES];
	if (f->left > 0 && NAME(anybody)(w) && !NAME(takes_too_long)(w)) {
		f->left--;
		w->at = f->at;
		if (i->op == OP_ENDLOOP)
			NAME(set_loop_address)(w, (int32_t)((uint32_t)w->address + (uint32_t)by[LANE_Z]));
		return;
	}
	NAME(set_loop_address)(w, f->address);
	NAME(close_frame)(w);
}

/* Executes an instruction of flow control.  Sets w->at so that w->at + 1 is the instruction to run next.  Returns false at the end of the
 * program. */
static bool NAME(control)(struct NAME(walk) *w, const struct instr *i)
{
	uint32_t const partner = w->partner[w->at];
	switch ((enum op)i->op) {
	case OP_IF:
	case OP_IFC:
		NAME(open_frame)(w, i, 0);
		if (!NAME(anybody)(w))
			w->at = partner - 1;
		break;
	case OP_ELSE:
		NAME(run_else)(w);
		if (!NAME(anybody)(w))
			w->at = partner - 1;
		break;
	case OP_ENDIF: NAME(close_frame)(w); break;
	case OP_REP:
	case OP_LOOP: NAME(begin_loop)(w, i); break;
	case OP_ENDREP:
	case OP_ENDLOOP: NAME(end_loop)(w, i); break;
	case OP_BREAK:
	case OP_BREAKC:
	case OP_BREAKP: NAME(leave_loop)(w, i); break;
	case OP_CALL:
	case OP_CALLNZ:
		NAME(open_frame)(w, i, 0);
		if (NAME(anybody)(w))
			w->at = partner;
		else
			NAME(close_frame)(w);
		break;
	case OP_RET:
		if (partner == NO_INSTR)
			return false;
		NAME(close_frame)(w);
		w->at = w->frame[w->depth].at;
		break;
	case OP_SETP:
		for (unsigned n = 0; n < w->n && NAME(anybody)(w); n++)
			NAME(setp)(w->all[n], i);
		break;
	default: break;
	}
	return true;
}

static void NAME(run_flow)(struct NAME(machine) *const *all, unsigned n)
{
	const struct NAME(flow) *first = all[0]->flow;
	struct NAME(walk) w = {.all = all, .n = n, .instrs = all[0]->program->instrs.at, .partner = first->of->partner, .frame = first->frame};
	for (unsigned k = 0; k < n; k++)
		NAME(start_flow)(all[k]);
	NAME(set_loop_address)(&w, 0);
	if (!w.partner)
		w.steps = MACHINE_STEPS;
	for (; w.partner && w.at < all[0]->program->instrs.n; w.at++, w.steps++) {
		const struct instr *i = &w.instrs[w.at];
		lanes const mask = instr_writes(i);
		if (op_is_flow(i->op)) {
			if (!NAME(control)(&w, i))
				break;
			continue;
		}
		bool const any = NAME(anybody)(&w);
		for (unsigned k = 0; any && k < n; k++)
			NAME(evaluate_masked)(all[k], i, mask, all[k]->spare);
		for (unsigned k = 0; any && k < n && mask; k++)
			NAME(store_masked)(all[k], i, mask);
	}
	NAME(takes_too_long)(&w);
}
