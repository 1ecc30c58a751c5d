/* Removes flow control that literals decide, see resolve.h. */
#include "lang/resolve.h"

#include "lang/modifier.h"

#include <math.h>

struct resolver {
	const struct program *p;
	const uint32_t *partner;
	bool *gone; /* for each instruction: true if resolve() removes it, as it never runs or is flow control with a known result */
};

/* ---- subroutines ------------------------------------------------------------------------------- */

enum { MOST_IN_PLACE = 1 << 15 }; /* the most slots that any device has */

struct origins {
	VEC(uint32_t);
};

struct in_place {
	struct arena *arena;
	const struct program *p;
	const uint32_t *partner;
	struct program *new;
	struct origins origin;
};

static void append_in_place(struct in_place *to, const struct instr *i, uint32_t origin)
{
	VEC_PUSH(to->arena, &to->new->instrs) = *i;
	VEC_PUSH(to->arena, &to->origin) = origin;
}

/* Appends the instructions from `first` on up to a ret, with subroutines in place of calls; those of callnz in an if with its condition. */
static void append_with_calls(struct in_place *to, uint32_t first)
{
	const struct instr *all = to->p->instrs.at;
	for (uint32_t k = first; k < to->p->instrs.n && all[k].op != OP_RET && to->new->instrs.n < MOST_IN_PLACE; k++) {
		bool const calls = all[k].op == OP_CALL || all[k].op == OP_CALLNZ, may_call = all[k].op == OP_CALLNZ;
		struct instr begin = all[k], end = {.op = OP_ENDIF, .at = all[k].at};
		if (may_call) {
			begin.op = OP_IF;
			begin.src[0] = begin.src[1];
		}
		if (!calls || may_call)
			append_in_place(to, &begin, k);
		if (calls)
			append_with_calls(to, to->partner[k] + 1);
		if (may_call)
			append_in_place(to, &end, k);
	}
}

/* Returns the program with subroutines in place of their calls, and sets *origin, or the program itself if the result would take more slots. */
static const struct program *without_calls(struct arena *arena, const struct program *p, const uint32_t *partner, struct origins *origin)
{
	struct in_place to = {.arena = arena, .p = p, .partner = partner, .new = program_head(arena, p)};
	append_with_calls(&to, 0);
	if (program_total_slots(to.new) >= MOST_IN_PLACE || program_total_slots(to.new) > program_total_slots(p))
		return p;
	*origin = to.origin;
	return to.new;
}

static bool has_ret(const struct program *p)
{
	bool any = false;
	for (uint32_t k = 0; k < p->instrs.n; k++)
		any |= p->instrs.at[k].op == OP_RET;
	return any;
}

/* ---- decided conditions ----------------------------------------------------------------------- */

/* Sets *x to the value of an operand of a comparison if a def gives it.  Returns false if none does. */
static bool literal_of_operand(const struct program *p, const struct src *s, float *x)
{
	const struct decl *d = program_def(p, s);
	if (!d || d->kind != DECL_DEF)
		return false;
	*x = d->value[swizzle_lane(s->swizzle, LANE_X)];
	*x = s->absolute ? fabsf(*x) : *x;
	*x = s->negate ? -*x : *x;
	return true;
}

static bool comparison_holds(enum compare how, float a, float b)
{
	switch (how) {
	case COMPARE_GT: return a > b;
	case COMPARE_EQ: return !(a < b) && !(a > b);
	case COMPARE_GE: return a >= b;
	case COMPARE_LT: return a < b;
	case COMPARE_NE: return a < b || a > b;
	case COMPARE_LE: return a <= b;
	case COMPARE_NONE:
	case COMPARISONS: break;
	}
	return false;
}

/* Sets *taken to the condition of an if and returns true, or returns false if no literals of the program decide it. */
static bool is_decided(const struct program *p, const struct instr *i, bool *taken)
{
	if (i->op == OP_IFC) {
		float a, b;
		bool const known = literal_of_operand(p, &i->src[0], &a) && literal_of_operand(p, &i->src[1], &b);
		*taken = known && comparison_holds((enum compare)i->comparison, a, b);
		return known;
	}
	const struct decl *d = i->op == OP_IF && i->src[0].file == REG_BOOL ? program_decl(p, REG_BOOL, i->src[0].index) : NULL;
	*taken = d && (d->integer[0] != 0) != i->src[0].negate;
	return d != NULL;
}

/* Returns the number of iterations of a rep or loop; -1 if it has no defi, or for another instruction. */
static int iterations_of(const struct program *p, const struct instr *i)
{
	unsigned const s = i->op == OP_LOOP; /* s0 of loop is aL, s1 the i# with the number; s0 of rep is the i# */
	const struct decl *d = i->op == OP_REP || i->op == OP_LOOP ? program_decl(p, REG_INT, i->src[s].index) : NULL;
	return d ? d->integer[0] : -1;
}

/* Returns true if an instruction of the loop or rep from `first` to `end` leaves it or uses aL. */
static bool needs_loop(const struct resolver *r, uint32_t first, uint32_t end)
{
	bool any = false;
	for (uint32_t k = first + 1; k < end; k++) {
		const struct instr *i = &r->p->instrs.at[k];
		bool const leaves = i->op == OP_BREAK || i->op == OP_BREAKC || i->op == OP_BREAKP;
		any |= (leaves && r->partner[k] == end) || i->dst.relative == RELATIVE_LOOP;
		EACH_SOURCE(s, i)
			any |= i->src[s].relative == RELATIVE_LOOP || i->src[s].file == REG_LOOP;
	}
	return any;
}

/* Returns true if an unconditional break stands among instructions first to end - 1, an if and its blocks.  resolve_if() keeps such an if:
 * without it, the instructions behind the break would be dead code. */
static bool has_break(const struct program *p, uint32_t first, uint32_t end)
{
	bool any = false;
	for (uint32_t k = first; k < end; k++)
		any |= p->instrs.at[k].op == OP_BREAK;
	return any;
}

/* ---- removal ---------------------------------------------------------------------------------- */

static bool remove_instrs(struct resolver *r, uint32_t first, uint32_t end)
{
	memset(r->gone + first, true, end - first);
	return true;
}

static bool resolve_if(struct resolver *r, uint32_t k)
{
	bool taken;
	if (!is_decided(r->p, &r->p->instrs.at[k], &taken))
		return false;
	uint32_t const to = r->partner[k];
	bool const other = r->p->instrs.at[to].op == OP_ELSE;
	uint32_t const end = other ? r->partner[to] : to;
	if (has_break(r->p, k, end))
		return false;
	r->gone[k] = r->gone[to] = r->gone[end] = true;
	return taken ? remove_instrs(r, to, end) : remove_instrs(r, k, to);
}

static bool resolve_loop(struct resolver *r, uint32_t k)
{
	int const count = iterations_of(r->p, &r->p->instrs.at[k]);
	uint32_t const end = r->partner[k];
	if (count < 0 || count > 1 || (count == 1 && needs_loop(r, k, end)))
		return false;
	r->gone[k] = r->gone[end] = true;
	return count || remove_instrs(r, k, end);
}

/* Replaces each _abs of a program that lost all its flow control by an abs instruction, and updates *origin.  Returns false if temporaries do
 * not suffice. */
static bool expand_resolved(struct arena *arena, struct program *p, uint32_t **origin)
{
	struct diags said;
	uint32_t *of = arena_alloc(arena, (2 * MAX_SOURCES * p->instrs.n + 1) * sizeof *of);
	diag_init(&said, arena);
	modifier_expand(arena, p, &said);
	for (uint32_t k = 0, from = 0; k < p->instrs.n && !said.errors; k++)
		of[k] = p->instrs.at[k].flags & INSTR_MODIFIER ? NO_INSTR : (*origin)[from++];
	*origin = of;
	return !said.errors;
}

void resolve(struct arena *arena, const struct program *given, struct resolved *out)
{
	struct resolver r = {.p = given};
	struct origins in_place = {0}, origin = {0};
	uint32_t at;
	*out = (struct resolved){.program = given};
	if (!program_flows(given) || blocks_partners(arena, given, &r.partner, &at))
		return;
	if (has_ret(given)) {
		r.p = without_calls(arena, given, r.partner, &in_place);
		blocks_partners(arena, r.p, &r.partner, &at);
	}
	bool any = r.p != given;
	r.gone = arena_zero(arena, r.p->instrs.n + 1);
	for (uint32_t k = 0; k < r.p->instrs.n; k++)
		if (!r.gone[k])
			any |= resolve_if(&r, k) || resolve_loop(&r, k);
	if (!any)
		return;
	struct program *new = program_head(arena, r.p);
	for (uint32_t k = 0; k < r.p->instrs.n; k++) {
		if (r.gone[k])
			continue;
		VEC_PUSH(arena, &new->instrs) = r.p->instrs.at[k];
		VEC_PUSH(arena, &origin) = r.p == given ? k : in_place.at[k];
	}
	program_drop_unread(arena, new, given);
	if (program_flows(new) || expand_resolved(arena, new, &origin.at))
		*out = (struct resolved){new, origin.at};
}
