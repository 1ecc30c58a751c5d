/* Order and registers of the old program, see emit.h.
 *
 * Each instruction is held against the old one that it was made of.  Some ways to write the program are tried, from its own to one
 * in which all of it follows the old program, and the one with fewest lines that the old program lacks is taken. */
#include "move/emit/emit.h"

#include "lang/check.h"
#include "lang/history.h"
#include "lang/modifier.h"
#include "move/graph/flow.h"
#include "move/graph/registers.h"

#include <math.h>
#include <string.h>

enum {
	LONGEST = 256,     /* instructions of a program that is made alike */
	SAID = INSTR_SAT | INSTR_PP | INSTR_CENTROID | INSTR_MODIFIER /* flags that a text shows */
};

/* ---- lines that are the same ---------------------------------------------------------- */

static bool same_source(const struct src *a, const struct src *b, bool numbers)
{
	return a->file == b->file && a->swizzle == b->swizzle && a->negate == b->negate && a->absolute == b->absolute &&
	       a->relative == b->relative && (a->index == b->index || (!numbers && a->file == REG_TEMP));
}

/* Is it the same text; without `numbers`, but for those of r#? */
static bool same_line(const struct instr *a, const struct instr *b, bool numbers)
{
	if (a->op != b->op || (a->flags & SAID) != (b->flags & SAID))
		return false;
	bool same = ops[a->op].flags & OPF_NO_DST ||
	            (a->dst.file == b->dst.file && a->dst.mask == b->dst.mask && (a->dst.index == b->dst.index || (!numbers && a->dst.file == REG_TEMP)));
	for (unsigned s = 0; same && s < ops[a->op].sources; s++)
		same = same_source(&a->src[s], &b->src[s], numbers);
	return same;
}

/* Lines that both programs have in one order. */
static unsigned lines_in_common(const struct program *new, const struct program *old)
{
	unsigned row[LONGEST + 1] = {0};
	for (uint32_t k = 0; k < new->instrs.n; k++) {
		unsigned diagonal = 0;
		for (uint32_t j = 0; j < old->instrs.n; j++) {
			unsigned const above = row[j + 1];
			if (same_line(&new->instrs.at[k], &old->instrs.at[j], true))
				row[j + 1] = diagonal + 1;
			else if (row[j] > above)
				row[j + 1] = row[j];
			diagonal = above;
		}
	}
	return row[old->instrs.n];
}

/* Returns how many lines the new program can have in common with the old one, whatever registers it gets. */
static unsigned most_in_common(const struct program *new, const struct program *old)
{
	unsigned n = 0;
	for (uint32_t k = 0; k < new->instrs.n; k++) {
		uint32_t j = 0;
		while (j < old->instrs.n && !same_line(&new->instrs.at[k], &old->instrs.at[j], false))
			j++;
		n += j < old->instrs.n;
	}
	return n;
}

/* ---- which instruction was made of which ------------------------------------------------ */

struct likeness {
	struct arena *arena;
	const struct program *old;
	const struct instr *of[LONGEST]; /* for each new instruction, the old one; NULL: it is new */
};

/* By the place in the text; else what says the same but for registers, behind what precedes it there. */
static void find_old(struct likeness *l, const struct program *new)
{
	const struct program *old = l->old;
	bool used[LONGEST] = {false};
	for (uint32_t k = 0; k < new->instrs.n; k++) {
		l->of[k] = NULL;
		for (uint32_t j = 0; j < old->instrs.n && !l->of[k] && new->instrs.at[k].at != SRCPOS_NONE; j++) {
			if (used[j] || old->instrs.at[j].at != new->instrs.at[k].at)
				continue;
			l->of[k] = &old->instrs.at[j];
			used[j] = true;
		}
	}
	uint32_t from = 0;
	for (uint32_t k = 0; k < new->instrs.n; k++) {
		for (uint32_t j = from; j < old->instrs.n && !l->of[k]; j++) {
			if (used[j] || !same_line(&new->instrs.at[k], &old->instrs.at[j], false))
				continue;
			l->of[k] = &old->instrs.at[j];
			used[j] = true;
		}
		if (l->of[k])
			from = (uint32_t)(l->of[k] - old->instrs.at) + 1;
	}
}

/* ---- swizzles ----------------------------------------------------------------- */

/* The operand's swizzle as the old line has it, or else with the fewest letters, where that brings the same. */
static void spell_swizzle(const struct program *p, struct instr *i, unsigned s, const struct instr *old)
{
	lanes const read = instr_operand_lanes(p, i, s, instr_writes(i));
	struct instr with = *i;
	bool const as_before = old && old->op == i->op && swizzles_agree(old->src[s].swizzle, i->src[s].swizzle, read);
	with.src[s].swizzle = as_before ? old->src[s].swizzle : swizzle_for(p->model, swizzle_shortest(i->src[s].swizzle, read), read);
	with.src[s].letters = as_before ? old->src[s].letters : 0;
	bool const same = with.src[s].swizzle == i->src[s].swizzle && with.src[s].letters == i->src[s].letters;
	if (read && !same && check_instr_alone(p, &with) <= check_instr_alone(p, i))
		*i = with;
}

static void spell_swizzles(const struct likeness *l, struct program *p)
{
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		struct instr *i = &p->instrs.at[k];
		EACH_SOURCE(s, i)
			if (i->src[s].file != REG_SAMPLER && instr_rows(i, s) == 1)
				spell_swizzle(p, i, s, l->of[k]);
	}
}

/* ---- order ------------------------------------------------------------------------------ */

static bool reads_lanes(const struct program *p, const struct instr *i, unsigned file, int index, lanes written)
{
	bool reads = false;
	for (unsigned s = 0; s < ops[i->op].sources && !reads; s++) {
		const struct src *src = &i->src[s];
		bool const named = src->file == file && src->index <= index && index < src->index + (int)instr_rows(i, s);
		reads = (named && instr_reads(p, i, s) & written) || (file == REG_ADDRESS && src->relative);
	}
	return reads;
}

/* Lanes of the register that it writes, or leaves undefined. */
static lanes changes(const struct instr *i, unsigned file, int index)
{
	if (file == REG_TEMP)
		return flow_clobbers(i, index);
	return instr_writes(i) && i->dst.file == file && i->dst.index == index ? i->dst.mask : 0;
}

/* Must `a` stay before `b`? */
static bool precedes(const struct program *p, const struct instr *a, const struct instr *b)
{
	if (a->op == OP_SGN || b->op == OP_SGN || (op_is_region(a->op) && op_is_region(b->op)))
		return true;
	lanes const by_a = instr_writes(a) ? changes(a, a->dst.file, a->dst.index) : 0;
	lanes const by_b = instr_writes(b) ? changes(b, b->dst.file, b->dst.index) : 0;
	return (by_a && (reads_lanes(p, b, a->dst.file, a->dst.index, by_a) || changes(b, a->dst.file, a->dst.index) & by_a)) ||
	       (by_b && reads_lanes(p, a, b->dst.file, b->dst.index, by_b));
}

/* The places in the old program: of what is new, right before the first that needs it, or before what follows it now. */
static void find_places(const struct likeness *l, const struct program *p, const bool *edge, double *place)
{
	uint32_t const n = p->instrs.n;
	double const nowhere = (double)INFINITY;
	double next = nowhere;
	for (uint32_t k = n; k-- > 0;) {
		double reader = nowhere;
		for (uint32_t j = k + 1; j < n; j++)
			if (edge[k * n + j] && place[j] < reader)
				reader = place[j];
		place[k] = l->of[k] ? (double)(l->of[k] - l->old->instrs.at) : (reader < nowhere ? reader : next) - 1.0 / 1024;
		if (l->of[k])
			next = place[k];
	}
}

/* Sorts by the places in the old program, as far as each finds what it reads. */
static void sort(struct likeness *l, struct program *p)
{
	uint32_t const n = p->instrs.n;
	bool *edge = arena_zero(l->arena, (size_t)n * n * sizeof *edge), done[LONGEST] = {false};
	unsigned waits[LONGEST] = {0};
	double place[LONGEST];
	for (uint32_t k = 0; k < n; k++)
		for (uint32_t j = k + 1; j < n; j++) {
			edge[k * n + j] = precedes(p, &p->instrs.at[k], &p->instrs.at[j]);
			waits[j] += edge[k * n + j];
		}
	find_places(l, p, edge, place);
	struct instr sorted[LONGEST];
	const struct instr *of[LONGEST];
	for (uint32_t to = 0; to < n; to++) {
		uint32_t first = UINT32_MAX;
		for (uint32_t k = 0; k < n; k++)
			if (!done[k] && !waits[k] && (first == UINT32_MAX || place[k] < place[first]))
				first = k;
		done[first] = true;
		sorted[to] = p->instrs.at[first];
		of[to] = l->of[first];
		for (uint32_t j = first + 1; j < n; j++)
			waits[j] -= edge[first * n + j];
	}
	memcpy(p->instrs.at, sorted, n * sizeof *sorted);
	memcpy(l->of, of, n * sizeof *of);
}

/* ---- ways to write it --------------------------------------------------------------------- */

static unsigned temporaries(const struct program *p)
{
	bool used[VIRTUAL_REGS] = {false};
	unsigned n = 0;
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		const struct instr *i = &p->instrs.at[k];
		if (instr_writes(i) && i->dst.file == REG_TEMP && i->dst.index < VIRTUAL_REGS)
			used[i->dst.index] = true;
		for (unsigned s = 1; i->op == OP_SGN && s < ops[i->op].sources; s++)
			if (i->src[s].file == REG_TEMP && i->src[s].index < VIRTUAL_REGS)
				used[i->src[s].index] = true;
	}
	for (int reg = 0; reg < VIRTUAL_REGS; reg++)
		n += used[reg];
	return n;
}

/* As the program is written: an _abs takes a slot where its register is not there any more when it is read. */
static unsigned written_slots(struct arena *a, const struct program *p)
{
	bool modified = false;
	for (uint32_t k = 0; k < p->instrs.n; k++)
		modified |= instr_is_modifier(&p->instrs.at[k]);
	return modified ? program_total_slots(modifier_contracted(a, p)) : program_total_slots(p);
}

/* One way to write it: from a program in which registers are to be given. */
struct way_to_write {
	const struct program *from;
	const struct likeness *by;
	enum liking how;
	bool loose[LONGEST]; /* texture reads that may write what was written before */
};

struct best {
	struct program *program;
	unsigned lines, temps, order, slots;
	struct way_to_write way;
};

/* Takes a way to write the program if it has more lines in common with the old one, and costs nothing.  True if so. */
static bool try_to_write(struct best *best, const struct way_to_write *way, unsigned limit)
{
	struct arena *a = way->by->arena;
	struct program *p = program_copy(a, way->from);
	if (!regs_allocate_like(a, p, limit, way->by->of, way->how, way->loose))
		return false;
	unsigned const lines = lines_in_common(p, way->by->old);
	if (lines <= best->lines || temporaries(p) > best->temps || program_dependent_reads(p) > best->order || written_slots(a, p) > best->slots)
		return false;
	best->program = p;
	best->lines = lines;
	best->way = *way;
	return true;
}

/* `apart`: each web in a register of its own. */
static void try_apart(const struct likeness *l, struct best *best, const struct program *apart, unsigned limit)
{
	struct likeness *sorted = arena_alloc(l->arena, sizeof *sorted);
	struct program *copy = program_copy(l->arena, apart);
	*sorted = *l;
	sort(sorted, copy);
	for (enum liking how = LIKE_BY_WEB; how <= LIKE_BY_WEB_FRESH; how++) {
		try_to_write(best, &(struct way_to_write){.from = copy, .by = sorted, .how = how}, limit);
		try_to_write(best, &(struct way_to_write){.from = apart, .by = l, .how = how}, limit);
	}
}

/* Of texture reads that all write fresh registers, those back in their own that make no read a deeper one. */
static void try_loose(struct best *best, unsigned limit)
{
	struct way_to_write way = best->way;
	for (uint32_t k = 0; way.how == LIKE_BY_WEB_FRESH && k < way.from->instrs.n; k++) {
		const struct instr *old = way.by->of[k], *now = &best->program->instrs.at[k];
		if (!old || !instr_samples(now) || now->dst.index == old->dst.index)
			continue;
		way.loose[k] = true;
		way.loose[k] = try_to_write(best, &way, limit);
	}
}

/* In other registers tidying may find what it did not find before.  It is too late for that, since the notes of literals are made,
 * but who moves the result once more shall find no shorter one. */
static bool could_be_shorter(struct arena *a, const struct program *p)
{
	struct program *trial = program_as_written(a, p); /* no swizzle may become what that has not */
	return tidy_program(a, trial, NULL, NULL) && written_slots(a, trial) < written_slots(a, p);
}

void make_alike(struct arena *a, struct program *new, const struct program *old, const struct target *target, unsigned limit)
{
	struct likeness l = {.arena = a, .old = old};
	if (new->instrs.n > LONGEST || old->instrs.n > LONGEST || target->machine != MACHINE_WEIGHTS)
		return;
	find_old(&l, new);
	spell_swizzles(&l, new);
	history_note(a, new, "swizzles");
	struct best best = {new, lines_in_common(new, old), temporaries(new), program_dependent_reads(new), written_slots(a, new), {.how = LIKINGS}};
	if (best.lines == most_in_common(new, old))
		return;
	try_to_write(&best, &(struct way_to_write){.from = new, .by = &l, .how = LIKE_BY_NUMBER}, limit);
	struct program *apart = program_copy(a, new);
	if (regs_separate(a, apart)) {
		try_apart(&l, &best, apart, limit);
		try_loose(&best, limit);
	}
	if (best.program == new || (program_stage(new) == STAGE_PIXEL && could_be_shorter(a, best.program)))
		return;
	new->instrs = best.program->instrs;
	history_note(a, new, "likeness");
}
