/* Simplifies cmp and texkill, see decide.h, by up to MOST_PASSES edits, none of which makes the program longer. */
#include "move/rules/decide.h"

#include "lang/check.h"
#include "move/graph/registers.h"
#include "move/rules/chosen.h"

#include <math.h>
#include <string.h>

enum { MOST_PASSES = 64, MOST_PUTS = LANES };

/* One edit: instruction k is replaced or removed, and movs are inserted. */
struct edit {
	uint32_t k;
	bool gone;
	struct instr changed;
	unsigned n; /* number of movs that are inserted */
	struct instr put[MOST_PUTS];
	uint32_t before[MOST_PUTS]; /* [inserted mov]: index of the instruction before which it is inserted */
};

/* ---- making an edit --------------------------------------------------------------------------- */

/* Returns true if the register lane still has, before instruction k, the value that `x` read there. */
static bool still_holds(const struct program *p, const struct read_lane *x, uint32_t k)
{
	while (x->file == REG_TEMP && k-- > 0)
		if (instr_clobbers(&p->instrs.at[k], x->index) >> x->lane & 1)
			return k == x->def;
	return x->file != REG_TEMP;
}

/* Makes an operand that reads, at each position l of `read`, lane from[l] of the register of `x`.  Returns false if no swizzle does. */
static bool make_operand(const struct read_lane *x, const unsigned from[LANES], lanes read, struct src *to)
{
	unsigned of[LANES];
	for (unsigned l = 0; l < LANES; l++)
		of[l] = from[read >> l & 1 ? l : first_lane(read)];
	*to = (struct src){.file = x->file, .index = x->index, .negate = x->negate, .at = SRCPOS_NONE};
	to->swizzle = swizzle_for_ps_2_0(SWIZZLE(of[0], of[1], of[2], of[3]), read);
	return swizzle_in_ps_2_0(to->swizzle);
}

static void put_mov(struct edit *e, uint32_t before, const struct src *src, int reg, lanes mask)
{
	e->put[e->n] = (struct instr){.op = OP_MOV, .src = {*src}, .at = SRCPOS_NONE,
	                              .dst = dst_lanes(REG_TEMP, reg, mask)};
	e->before[e->n++] = before;
}

static unsigned slots_without_dead(struct arena *a, const struct program *p)
{
	struct arena_mark const mark = arena_mark(a);
	struct program *copy = program_copy(a, p);
	regs_remove_dead(a, copy);
	unsigned const slots = program_total_slots(copy);
	arena_release(a, mark);
	return slots;
}

static struct program *with_edit(struct arena *a, const struct program *p, const struct edit *e)
{
	struct program *new = program_copy(a, p);
	memset(&new->instrs, 0, sizeof new->instrs);
	const struct instr *gone = NULL;
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		for (unsigned n = 0; n < e->n; n++)
			if (e->before[n] == k)
				VEC_PUSH(a, &new->instrs) = e->put[n];
		if (k == e->k && e->gone) {
			gone = &p->instrs.at[k];
			continue;
		}
		struct instr *i = &VEC_PUSH(a, &new->instrs);
		*i = k == e->k ? e->changed : p->instrs.at[k];
		i->comments = gone ? comments_left(a, gone->comments, i->comments) : i->comments;
		gone = NULL;
	}
	regs_remove_dead(a, new);
	return new;
}

/* Replaces the program by the edited one.  Returns false, with the program as it was, if that takes more slots or too many registers, or if an
 * instruction that is only changed breaks more rules of the model. */
static bool make_edit(struct arena *a, struct program *p, const struct edit *e, unsigned temps)
{
	if (!e->gone && !e->n && check_instr_alone(p, &e->changed) > check_instr_alone(p, &p->instrs.at[e->k]))
		return false;
	struct program *new = with_edit(a, p, e);
	unsigned const before = slots_without_dead(a, p), after = program_total_slots(new);
	if (after > before || (e->n && !regs_allocate(a, new, temps)))
		return false;
	*p = *new;
	return true;
}

/* ---- a cmp ------------------------------------------------------------------------------------ */

/* How a cmp depends on a condition: bit 0 is set if it takes its last operand when the condition fails, bit 1 when it holds. */
enum { TAKES_FIRST = 0, AS_CONDITION = 1, AGAINST_CONDITION = 2, TAKES_LAST = 3 };

/* Finds how cmp k depends on a condition, and the register *x whose lanes from[l] that condition compares with 0.  Returns false if lanes of the
 * cmp differ in this, or what it compares is not known to be one of two numbers. */
static bool find_decider(const struct conditions *c, uint32_t k, struct read_lane *x, unsigned from[LANES], unsigned *how)
{
	lanes const written = instr_writes(&c->program->instrs.at[k]);
	unsigned const first = first_lane(written);
	EACH_LANE(l, written) {
		struct chosen const by = chosen_read(c, k, 0, l);
		unsigned const now = (by.number[0] < 0) | (unsigned)(by.number[1] < 0) << 1;
		struct read_lane const here = by.by ? c->list.at[by.by - 1] : *x;
		if (!by.known || (l != first && (now != *how || here.file != x->file || here.index != x->index ||
		                                 here.negate != x->negate || here.at != x->at)))
			return false;
		*how = now;
		*x = here;
		from[l] = here.lane;
	}
	return true;
}

/* Rewrites a cmp to compare the register that the condition compares with 0, or a copy of it if the register has changed
 * since or the model does not let the cmp read it.  Returns false if no condition decides. */
static bool decide_by_condition(const struct conditions *c, uint32_t k, struct edit *e)
{
	const struct instr *i = &c->program->instrs.at[k];
	struct read_lane x = {0};
	unsigned from[LANES] = {0}, how = TAKES_FIRST;
	if (i->op != OP_CMP || !find_decider(c, k, &x, from, &how) || how == TAKES_FIRST || how == TAKES_LAST ||
	    !make_operand(&x, from, instr_writes(i), &e->changed.src[0]))
		return false;
	if (how == AGAINST_CONDITION) {
		e->changed.src[1] = i->src[2];
		e->changed.src[2] = i->src[1];
	}
	bool there = check_instr_alone(c->program, &e->changed) <= check_instr_alone(c->program, i);
	EACH_LANE(l, instr_writes(i)) {
		x.lane = (uint8_t)from[l];
		there = there && still_holds(c->program, &x, k);
	}
	if (there)
		return true;
	put_mov(e, x.at, &e->changed.src[0], VIRTUAL_REGS, instr_writes(i));
	e->changed.src[0] = src_temp(VIRTUAL_REGS);
	return true;
}

/* Rewrites a cmp that takes the same operand in any case as a mov.  Returns false if it is no such cmp. */
static bool take_same_operand(const struct conditions *c, uint32_t k, struct edit *e)
{
	const struct instr *i = &c->program->instrs.at[k];
	struct read_lane x = {0};
	unsigned from[LANES], how = TAKES_FIRST;
	if (i->op != OP_CMP || (!src_is_same(&i->src[1], &i->src[2]) && !find_decider(c, k, &x, from, &how)) ||
	    how == AS_CONDITION || how == AGAINST_CONDITION)
		return false;
	e->changed.op = OP_MOV;
	e->changed.src[0] = i->src[how == TAKES_LAST ? 2 : 1];
	e->changed.src[1] = e->changed.src[2] = (struct src){0};
	return true;
}

/* ---- signs ------------------------------------------------------------------------------------ */

enum { MOST_DEPTH = 16 };

static bool none_below(const struct chosen *x)
{
	return x->known && !(x->number[0] < 0) && !(x->number[1] < 0);
}

/* Returns true if the lane that instruction k writes is known never to be below 0. */
static bool is_never_below(const struct conditions *c, uint32_t k, unsigned lane, unsigned depth)
{
	const struct instr *i = &c->program->instrs.at[k];
	if (i->flags & INSTR_SAT || none_below(&c->of[k][lane]))
		return true;
	switch ((enum op)i->op) {
	case OP_ABS:
	case OP_EXP:
	case OP_FRC:
	case OP_POW:
	case OP_RSQ: return true;
	case OP_MUL:
	case OP_DP3:
	case OP_DP4: return src_is_same(&i->src[0], &i->src[1]);
	case OP_MOV: {
		struct read_lane const x = read_lane_of(c, k, 0, lane);
		return !x.negate && x.def < FLOW_INPUT && depth < MOST_DEPTH && is_never_below(c, x.def, x.lane, depth + 1);
	}
	default: return false;
	}
}

/* ---- a texkill -------------------------------------------------------------------------------- */

enum { MOST_TESTS = 8 };

/* The register lanes on which a texkill depends: it kills the pixel if one is below 0. */
struct tests {
	const struct conditions *c;
	unsigned n;      /* number of elements of `of` */
	unsigned of_xyz; /* number of elements of `of` that x, y and z of the texkill test; it tests later ones only by w, which some drivers ignore */
	struct read_lane of[MOST_TESTS];
	bool shorter;    /* the texkill reads other lanes than these, so that changing it to read these may save instructions */
};

static bool add_test(struct tests *t, struct read_lane x)
{
	for (unsigned k = 0; k < t->n; k++)
		if (same_read_lane(&t->of[k], &x))
			return true;
	if (t->n == MOST_TESTS || x.def == FLOW_UNWRITTEN)
		return false;
	t->of[t->n++] = x;
	return true;
}

static bool find_tests(struct tests *t, struct read_lane x, unsigned depth);

/* Adds what must be tested in place of a lane which a condition chooses from two numbers: if it is below 0 only when the condition fails, the lane
 * that the condition compares with 0; if it is never below 0, nothing.  Returns false if it is below 0 when the condition holds, or if find_tests()
 * fails for the compared lane. */
static bool find_condition_tests(struct tests *t, struct chosen x, bool negate, unsigned depth)
{
	bool const fails = negate ? x.number[0] > 0 : x.number[0] < 0, holds = negate ? x.number[1] > 0 : x.number[1] < 0;
	t->shorter = true;
	return !holds && (!fails || find_tests(t, t->c->list.at[x.by - 1], depth));
}

/* Adds the register lanes of which one is below 0 exactly if lane `x` is; none if `x` is never below 0.  Returns false if `x` is a literal below
 * 0, a condition makes it negative by holding, it was never written, or there are too many lanes or levels. */
static bool find_tests(struct tests *t, struct read_lane x, unsigned depth)
{
	const struct conditions *c = t->c;
	const struct decl *def = x.file == REG_CONST ? program_decl(c->program, REG_CONST, x.index) : NULL;
	if (depth > MOST_DEPTH)
		return false;
	if (def && !folds_have(c->noted, STAGE_PIXEL, x.index, x.lane))
		return !((x.negate ? -def->value[x.lane] : def->value[x.lane]) < 0);
	if (x.file != REG_TEMP || x.def >= FLOW_INPUT)
		return add_test(t, x);
	if (c->of[x.def][x.lane].known)
		return find_condition_tests(t, c->of[x.def][x.lane], x.negate, depth + 1);
	if (!x.negate && is_never_below(c, x.def, x.lane, 0)) {
		t->shorter = true;
		return true;
	}
	return add_test(t, x);
}

static int test_at(const struct tests *t, enum reg_file file, int index, unsigned lane)
{
	for (unsigned k = 0; k < t->n; k++)
		if (t->of[k].file == file && t->of[k].index == index && t->of[k].lane == lane)
			return (int)k;
	return -1;
}

/* Returns true if a texkill that reads lanes from[] of the register of `x` tests exactly the lanes of `t`, and its x, y and z test those of the
 * first t->of_xyz. */
static bool makes_all_tests(const struct tests *t, const struct read_lane *x, const unsigned from[LANES])
{
	unsigned asked = 0;
	bool same = true;
	for (unsigned l = 0; l < LANES && same; l++) {
		int const k = test_at(t, (enum reg_file)x->file, x->index, from[l]);
		same = k >= 0 && t->of[k].negate == x->negate && (l == LANE_W ? asked == (1u << t->of_xyz) - 1 : k < (int)t->of_xyz);
		asked |= same ? 1u << k : 0;
	}
	return same && asked == (1u << t->n) - 1;
}

/* Returns the last instruction up to k before which the registers hold all lanes to test, or UINT32_MAX if there is none. */
static uint32_t last_place_of_tests(const struct tests *t, const struct program *p, uint32_t k)
{
	for (uint32_t at = k + 1; at-- > 0;) {
		bool all = true;
		for (unsigned n = 0; n < t->n && all; n++)
			all = still_holds(p, &t->of[n], at);
		if (all)
			return at;
	}
	return UINT32_MAX;
}

/* Rewrites a texkill to read a register that holds all lanes to test, or a new register into which movs put them; removes it if there is nothing
 * to test.  Returns false if neither is possible, or the texkill reads just these lanes already. */
static bool kill_directly(const struct conditions *c, uint32_t k, struct edit *e)
{
	const struct instr *i = &c->program->instrs.at[k];
	struct tests t = {.c = c};
	unsigned from[LANES];
	if (i->op != OP_TEXKILL)
		return false;
	for (unsigned l = 0; l < LANES; l++) {
		t.of_xyz = t.n;
		if (!find_tests(&t, read_lane_of(c, k, 0, l), 1))
			return false;
	}
	e->gone = t.n == 0;
	if (!t.shorter || t.n == 0)
		return t.n == 0;
	uint32_t const at = last_place_of_tests(&t, c->program, k);
	for (unsigned w = 0; at != UINT32_MAX && w < PS_2_0_SWIZZLES; w++) {
		for (unsigned l = 0; l < LANES; l++)
			from[l] = swizzle_lane(ps_2_0_swizzles[w], l);
		if (!makes_all_tests(&t, &t.of[0], from))
			continue;
		struct src src = {.file = t.of[0].file, .index = t.of[0].index, .negate = t.of[0].negate, .swizzle = ps_2_0_swizzles[w], .at = SRCPOS_NONE};
		bool const plain = w == 0 && !src.negate && at == k &&
		                   (src.file == REG_TEMP || (src.file == REG_TEXCOORD && !model_links(c->program->model)));
		if (!plain)
			put_mov(e, at, &src, VIRTUAL_REGS, MASK_XYZW);
		e->changed.src[0] = plain ? src : src_temp(VIRTUAL_REGS);
		return true;
	}
	if (t.n > t.of_xyz || t.n > LANE_W)
		return false;
	for (unsigned n = 0; n < t.n; n++) {
		struct src const src = {.file = t.of[n].file, .index = t.of[n].index, .negate = t.of[n].negate,
		                        .swizzle = swizzle_replicate(t.of[n].lane), .at = SRCPOS_NONE};
		lanes const mask = n + 1 < t.n ? (lanes)(1u << n) : (lanes)(MASK_XYZW & ~((1u << n) - 1));
		put_mov(e, still_holds(c->program, &t.of[n], k) ? k : t.of[n].at, &src, VIRTUAL_REGS, mask);
	}
	e->changed.src[0] = src_temp(VIRTUAL_REGS);
	return true;
}

/* ---- entry ------------------------------------------------------------------------------------ */

static bool (*const rewritings[])(const struct conditions *, uint32_t, struct edit *) = {kill_directly, decide_by_condition, take_same_operand};

static bool rewrite_one(struct arena *a, struct program *p, const struct folds *noted, unsigned temps)
{
	struct conditions const c = conditions_find(a, p, noted);
	struct edit e;
	for (unsigned r = 0; r < sizeof rewritings / sizeof *rewritings; r++)
		for (uint32_t k = 0; k < p->instrs.n; k++) {
			e = (struct edit){.k = k, .changed = p->instrs.at[k]};
			if (rewritings[r](&c, k, &e) && make_edit(a, p, &e, temps))
				return true;
		}
	return false;
}

/* Returns true if there is an instruction that an edit may change. */
static bool may_gain(const struct program *p)
{
	bool any = false;
	for (uint32_t k = 0; k < p->instrs.n && !any; k++) {
		const struct instr *i = &p->instrs.at[k];
		any = i->op == OP_CMP || (i->op == OP_TEXKILL && i->src[0].file == REG_TEMP);
	}
	return any;
}

bool decide_directly(struct arena *a, struct program *p, const struct folds *noted, unsigned temps)
{
	bool changed = false;
	if (!may_gain(p))
		return false;
	for (unsigned n = 0; n < MOST_PASSES && rewrite_one(a, p, noted, temps); n++)
		changed = true;
	return changed;
}
