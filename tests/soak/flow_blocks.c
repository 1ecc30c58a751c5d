/* Writes blocks of programs and the statements in them, see flow.h. */
#include "flow.h"

#include <string.h>

enum { DEEPEST = 3, MOST_SLOTS = 200 };

/* --- conditions --------------------------------------------------------------------- */

static enum compare some_comparison(struct flow *f)
{
	static const enum compare common[] = {COMPARE_LT, COMPARE_LT, COMPARE_GE, COMPARE_GE, COMPARE_GT, COMPARE_LE, COMPARE_NE, COMPARE_EQ};
	return common[flow_below(f, sizeof common / sizeof *common)];
}

/* Returns an instruction of flow control with its operands. */
static struct instr control(enum op op, struct src a, struct src b)
{
	struct instr i = {.op = (uint8_t)op, .dst = {.at = SRCPOS_NONE}, .at = SRCPOS_NONE};
	struct src const src[] = {a, b};
	memcpy(i.src, src, ops[op].sources * sizeof *src);
	return i;
}

static void emit_plain(struct flow *f, enum op op)
{
	struct instr const i = control(op, (struct src){0}, (struct src){0});
	flow_emit(f, &i);
}

/* Returns a lane of a constant; of the application's if there is one, as literals may be equal. */
static struct src some_uniform(struct flow *f)
{
	int c = flow_below(f, f->consts);
	for (int attempt = 0; attempt < 8 && program_decl(f->p, REG_CONST, c); attempt++)
		c = flow_below(f, f->consts);
	struct src s = flow_whole(REG_CONST, c);
	s.swizzle = swizzle_replicate((unsigned)flow_below(f, LANES));
	return s;
}

/* Compares a constant with another lane of it, or with a temporary that gets another constant. */
static void compare_uniforms(struct flow *f, struct instr *i)
{
	i->src[1] = i->src[0] = some_uniform(f);
	if (flow_chance(f, 30)) { /* a bool that is stored as a float */
		i->comparison = COMPARE_NE;
		i->src[1].negate = true;
		return;
	}
	if (flow_chance(f, 50)) {
		i->src[1].swizzle = swizzle_replicate((swizzle_lane(i->src[0].swizzle, 0) + 1u + (unsigned)flow_below(f, 3)) % LANES);
		return;
	}
	int const r = flow_some_temp(f);
	flow_move(f, REG_TEMP, r, MASK_X, some_uniform(f));
	i->src[1] = flow_whole(REG_TEMP, r);
	i->src[1].swizzle = swizzle_replicate(LANE_X);
}

/* Chooses the second operand of a comparison: an application constant, or another register than the first, as equal operands make an
 * unstable comparison. */
static bool pick_other(struct flow *f, struct instr *i)
{
	for (unsigned attempt = 0; attempt < 8; attempt++) {
		if (flow_chance(f, 60) && i->src[0].file != REG_CONST)
			i->src[1] = some_uniform(f);
		else if (!flow_pick(f, i, 1))
			return false;
		if (i->src[1].file != i->src[0].file || i->src[1].index != i->src[0].index)
			return true;
	}
	return false;
}

/* Returns an if_ or break_ that compares. */
static struct instr compare(struct flow *f, enum op op, bool uniform)
{
	struct instr i = control(op, (struct src){0}, (struct src){0});
	i.comparison = (uint8_t)some_comparison(f);
	if (uniform || flow_chance(f, 35)) {
		compare_uniforms(f, &i);
		return i;
	}
	if (!f->vertex && flow_links(f) && flow_chance(f, 8)) {
		i.src[0] = flow_whole(REG_FACE, 0);
		i.src[0].swizzle = 0;
		f->face = true;
	} else {
		flow_pick(f, &i, 0);
	}
	if (!pick_other(f, &i))
		compare_uniforms(f, &i);
	return i;
}

/* Writes these lanes of p0. */
static void set_predicate(struct flow *f, lanes mask)
{
	struct instr i = {.op = OP_SETP, .dst = dst_lanes(REG_PREDICATE, 0, mask), .at = SRCPOS_NONE};
	i.comparison = (uint8_t)some_comparison(f);
	if (flow_pick(f, &i, 0) && pick_other(f, &i))
		flow_emit(f, &i);
}

/* Returns a lane of p0, or a b#. */
static struct src some_truth(struct flow *f)
{
	struct src s = flow_whole(REG_BOOL, flow_below(f, FLOW_BOOLS));
	s.negate = flow_chance(f, 20);
	if (!f->now.predicate || flow_chance(f, 60))
		return s;
	unsigned lane = (unsigned)flow_below(f, LANES);
	while (!(f->now.predicate >> lane & 1))
		lane = (lane + 1) % LANES;
	s.file = REG_PREDICATE;
	s.index = 0;
	s.swizzle = swizzle_replicate(lane);
	return s;
}

static bool varies(const struct flow *f, const struct instr *i)
{
	if (f->vertex)
		return false;
	bool all = true;
	EACH_SOURCE(s, i)
		all &= i->src[s].file == REG_PREDICATE ? (swizzle_lanes(i->src[s].swizzle, MASK_X) & (lanes)~f->now.uniform_predicate) == 0
		                                       : i->src[s].file == REG_LABEL || flow_is_uniform(f, i, s);
	return !all;
}

/* --- blocks ------------------------------------------------------------------------- */

static void statement(struct flow *f);

/* Changes a register that is live behind the block. */
static void change_live(struct flow *f)
{
	int const r = flow_below(f, f->live);
	lanes const mask = f->now.temp[r] & flow_some_mask(f);
	if (mask)
		flow_write(f, REG_TEMP, r, mask);
}

static void body(struct flow *f, int most)
{
	for (int k = 1 + flow_below(f, most); k > 0 && f->slots < MOST_SLOTS; k--)
		statement(f);
	if (flow_chance(f, 85))
		change_live(f);
	if (f->may_write_outputs && flow_chance(f, 15))
		flow_change_output(f);
}

static bool takes_static(struct flow *f, unsigned n)
{
	if (f->p->model != VS_2_0)
		return true;
	if (f->statics < n)
		return false;
	f->statics -= n;
	return true;
}

static bool is_dynamic(const struct flow *f)
{
	return models[f->p->model].flow & OPF_DYNAMIC;
}

static void branch(struct flow *f)
{
	bool const otherwise = flow_chance(f, 50), compares = is_dynamic(f) && flow_chance(f, 65), outer = f->now.varying;
	if (!flow_has(f, OP_IF) || !takes_static(f, 1 + otherwise))
		return;
	struct instr const i = compares ? compare(f, OP_IFC, false) : control(OP_IF, some_truth(f), (struct src){0});
	flow_emit(f, &i);
	f->now.varying |= varies(f, &i);
	struct flow_state const before = f->now;
	f->depth++;
	body(f, 4);
	struct flow_state const then = f->now;
	f->now = before;
	if (otherwise) {
		emit_plain(f, OP_ELSE);
		body(f, 4);
	}
	emit_plain(f, OP_ENDIF);
	f->depth--;
	f->now = flow_join(&then, &f->now);
	f->now.varying = outer;
}

/* Leaves the loop by a break in an if, by a comparison, or by p0. */
static void leave(struct flow *f)
{
	bool const uniform = f->breaks == BREAKS_UNIFORM;
	struct instr i = control(OP_BREAKP, some_truth(f), (struct src){0});
	if (flow_has(f, OP_BREAKP) && !uniform && i.src[0].file == REG_PREDICATE && flow_chance(f, 60)) {
		flow_emit(f, &i);
		return;
	}
	i = compare(f, OP_BREAKC, uniform);
	if (flow_chance(f, 75)) {
		flow_emit(f, &i);
		return;
	}
	i.op = OP_IFC;
	flow_emit(f, &i);
	emit_plain(f, OP_BREAK);
	emit_plain(f, OP_ENDIF);
}

/* Changes a value that the loop carries: a sum, or a mean that stays small. */
static void accumulate(struct flow *f, int r, lanes mask)
{
	struct src const sum = flow_whole(REG_TEMP, r);
	struct src half = flow_whole(REG_CONST, f->consts);
	half.swizzle = swizzle_replicate(LANE_X);
	struct instr i = {.op = OP_ADD, .dst = dst_lanes(REG_TEMP, r, mask), .src = {sum}, .at = SRCPOS_NONE};
	if (flow_chance(f, 70)) {
		i.op = OP_MAD;
		i.src[1] = half;
	}
	if (flow_pick(f, &i, ops[i.op].sources - 1u))
		flow_emit(f, &i);
}

/* Counts up to a number in a constant, as compilers without i# do. */
static void count_up(struct flow *f, int r)
{
	struct src one = flow_whole(REG_CONST, f->consts), n = flow_whole(REG_TEMP, r), limit = some_uniform(f);
	n.swizzle = swizzle_replicate(LANE_W);
	one.swizzle = swizzle_replicate(LANE_Y);
	struct instr i = control(OP_BREAKC, n, limit);
	i.comparison = COMPARE_GE;
	flow_emit(f, &i);
	flow_put(f, OP_ADD, dst_lanes(REG_TEMP, r, MASK_W), n, one, one);
}

/* Writes a rep or a loop.  It may run zero times, so that its writes do not count behind it. */
static void repeat(struct flow *f)
{
	bool const loop = flow_has(f, OP_LOOP) && flow_chance(f, 45), outer = f->now.varying, counted = f->counted;
	enum flow_breaks const breaks = f->breaks;
	int const r = flow_below(f, f->live);
	if (!flow_has(f, OP_REP) || f->loops == f->most_loops || !takes_static(f, 1))
		return;
	if (!f->now.temp[r])
		flow_write(f, REG_TEMP, r, flow_some_mask(f));
	lanes const mask = f->now.temp[r];
	bool const counts = is_dynamic(f) && mask == MASK_XYZW && flow_chance(f, 25);
	f->breaks = !is_dynamic(f) ? BREAKS_NONE : counts ? BREAKS_VARYING : (enum flow_breaks)flow_below(f, 3);
	struct src const times = flow_whole(REG_INT, flow_below(f, FLOW_INTS));
	struct instr const begin = loop ? control(OP_LOOP, flow_whole(REG_LOOP, 0), times) : control(OP_REP, times, times);
	flow_emit(f, &begin);
	flow_forget_uniform(&f->now);
	f->now.varying |= f->breaks == BREAKS_VARYING;
	f->counted |= loop;
	struct flow_state const before = f->now;
	f->depth++;
	f->loops++;
	if (counts)
		count_up(f, r);
	body(f, 3);
	bool const leaves = f->breaks && (f->breaks == BREAKS_VARYING || !f->now.varying);
	if (leaves && flow_chance(f, 60))
		leave(f);
	accumulate(f, r, counts ? MASK_XYZ : mask);
	if (leaves && flow_chance(f, 40))
		leave(f);
	f->depth--;
	f->loops--;
	emit_plain(f, loop ? OP_ENDLOOP : OP_ENDREP);
	f->now = flow_join(&before, &f->now);
	flow_forget_uniform(&f->now);
	f->now.varying = outer;
	f->breaks = breaks;
	f->counted = counted;
}

/* Writes a setp, and instructions that p0 predicates. */
static void predicated(struct flow *f)
{
	if (!flow_has(f, OP_SETP))
		return;
	lanes const mask = flow_some_mask(f);
	set_predicate(f, mask);
	for (int k = 1 + flow_below(f, 3); k > 0; k--) {
		struct instr i;
		int const r = flow_chance(f, 70) ? flow_below(f, f->live) : flow_some_temp(f);
		lanes const writes = f->now.temp[r] & (flow_chance(f, 60) ? mask : flow_some_mask(f));
		if (!writes || !f->now.predicate || !flow_make(f, &i, REG_TEMP, r, writes))
			continue;
		i.predicate = flow_chance(f, 70) ? PREDICATE_TRUE : PREDICATE_FALSE;
		i.predicate_swizzle = SWIZZLE_XYZW;
		if (writes & (lanes)~f->now.predicate || flow_chance(f, 40)) {
			unsigned lane = first_lane(f->now.predicate);
			i.predicate_swizzle = swizzle_replicate(lane);
		}
		if ((instr_writes(&i) & (lanes)~f->now.temp[r]) == 0)
			flow_emit(f, &i);
	}
}

static bool holds_all(const struct flow_state *now, const struct flow_state *wanted)
{
	struct flow_state const both = flow_join(now, wanted);
	return memcmp(both.temp, wanted->temp, sizeof both.temp) == 0 && both.predicate == wanted->predicate && now->address >= wanted->address;
}

/* Writes a subroutine for the state at its first call. */
static void write_subroutine(struct flow *f, struct flow_subroutine *sub)
{
	struct flow const outer = *f;
	sub->entry = f->now;
	sub->body = arena_zero(f->arena, sizeof *sub->body);
	*sub->body = (struct program){.model = f->p->model};
	memcpy(sub->body->samplers, f->p->samplers, sizeof f->p->samplers);
	f->p = sub->body;
	f->now.varying = true;
	f->depth = DEEPEST - 1;
	f->loops = f->most_loops;
	f->breaks = BREAKS_NONE;
	f->counted = false;
	f->calls++;
	f->may_write_outputs = false;
	body(f, 5);
	sub->exit = f->now;
	f->p = outer.p;
	f->now = outer.now;
	f->depth = outer.depth;
	f->loops = outer.loops;
	f->breaks = outer.breaks;
	f->counted = outer.counted;
	f->calls = outer.calls;
	f->may_write_outputs = outer.may_write_outputs;
}

/* Returns whether a subroutine may be called here, too.  The checker lets it return to any of its calls, so that the state here must
 * hold all that the first call had, and no more than the subroutine's end has. */
static bool may_call(const struct flow *f, const struct flow_subroutine *sub)
{
	return !f->calls && holds_all(&f->now, &sub->entry) && holds_all(&sub->exit, &f->now);
}

static void call(struct flow *f)
{
	unsigned const most = f->p->model == VS_2_0 ? 1 : 2;
	bool const condition = flow_chance(f, 35);
	if (!flow_has(f, OP_CALL) || f->calls == most || !takes_static(f, 1))
		return;
	unsigned k = 0;
	while (k < f->nsubs && (!may_call(f, &f->sub[k]) || flow_chance(f, 20)))
		k++;
	if (k == FLOW_SUBS)
		return;
	if (k == f->nsubs) {
		f->nsubs++;
		write_subroutine(f, &f->sub[k]);
	}
	struct src const label = flow_whole(REG_LABEL, (int)k);
	struct instr const i = condition ? control(OP_CALLNZ, label, some_truth(f)) : control(OP_CALL, label, label);
	flow_emit(f, &i);
	f->slots += f->sub[k].body->instrs.n;
	bool const varying = f->now.varying;
	f->now = condition ? flow_join(&f->now, &f->sub[k].exit) : f->sub[k].exit;
	f->now.varying = varying;
	flow_forget_uniform(&f->now);
}

/* --- programs ----------------------------------------------------------------------- */

static void block(struct flow *f)
{
	switch (flow_below(f, 8)) {
	case 0:
	case 1:
	case 2: branch(f); break;
	case 3:
	case 4: repeat(f); break;
	case 5:
	case 6: predicated(f); break;
	default: call(f); break;
	}
}

static void statement(struct flow *f)
{
	if (f->flows && f->depth < DEEPEST && flow_chance(f, f->depth ? 22 : 30))
		block(f);
	else
		flow_straight(f);
}

void flow_statements(struct flow *f, int n)
{
	for (int r = 0; r < f->live; r++)
		if (flow_chance(f, 75))
			flow_write(f, REG_TEMP, r, flow_some_mask(f));
	for (int k = 0; k < n && f->slots < MOST_SLOTS; k++)
		statement(f);
	while (f->flows && !program_flows(f->p))
		block(f);
	for (int k = flow_below(f, 5); k > 0; k--)
		flow_straight(f);
}

int flow_gather(struct flow *f)
{
	int const to = f->live - 1;
	lanes const missing = MASK_XYZW & (lanes)~f->now.temp[to];
	if (missing)
		flow_write(f, REG_TEMP, to, missing);
	for (int r = 0; r < f->temps; r++) {
		struct src const c = flow_whole(REG_CONST, flow_below(f, f->consts));
		if (r != to && f->now.temp[r] && flow_chance(f, 85))
			flow_put(f, OP_MAD, dst_lanes(REG_TEMP, to, f->now.temp[r]), flow_whole(REG_TEMP, r), c, flow_whole(REG_TEMP, to));
	}
	return to;
}

/* Removes constants that nothing reads, as compilers write none. */
static void drop_unread(struct program *p)
{
	uint32_t kept = 0;
	for (uint32_t k = 0; k < p->decls.n; k++) {
		const struct decl *d = &p->decls.at[k];
		bool const constant = d->kind == DECL_DEF || d->kind == DECL_INT || d->kind == DECL_BOOL;
		if (!constant || program_reads(p, (enum reg_file)d->reg.file, d->reg.index))
			p->decls.at[kept++] = *d;
	}
	p->decls.n = kept;
}

void flow_finish(struct flow *f)
{
	if (f->nsubs || (f->flows && f->vertex && flow_chance(f, 5)))
		emit_plain(f, OP_RET);
	for (unsigned k = 0; k < f->nsubs; k++) {
		struct instr const label = control(OP_LABEL, flow_whole(REG_LABEL, (int)k), (struct src){0});
		flow_emit(f, &label);
		for (uint32_t n = 0; n < f->sub[k].body->instrs.n; n++)
			VEC_PUSH(f->arena, &f->p->instrs) = f->sub[k].body->instrs.at[n];
		emit_plain(f, OP_RET);
	}
	drop_unread(f->p);
}
