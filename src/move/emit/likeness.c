/* Order and registers of the old program, see emit.h.
 *
 * Each instruction is held against the old one that it was made of.  Some ways to write the program are tried, from its own to one
 * in which all of it follows the old program, and the one with fewest lines that the old program lacks is taken. */
#include "move/emit/emit.h"

#include "lang/check.h"
#include "lang/history.h"
#include "lang/modifier.h"
#include "lang/outline.h"
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
	struct src numbered = *a;
	numbered.index = numbers || a->file != REG_TEMP ? a->index : b->index;
	return src_is_same(&numbered, b);
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
	const struct instr *a = new->instrs.at, *b = old->instrs.at;
	uint32_t n = new->instrs.n, m = old->instrs.n, first = 0, last = 0;
	while (first < n && first < m && same_line(&a[first], &b[first], true))
		first++;
	while (first < n && first < m && same_line(&a[n - 1], &b[m - 1], true)) {
		n--;
		m--;
		last++;
	}
	for (uint32_t k = first; k < n; k++) {
		unsigned diagonal = 0;
		for (uint32_t j = first; j < m; j++) {
			unsigned const above = row[j + 1];
			if (same_line(&a[k], &b[j], true))
				row[j + 1] = diagonal + 1;
			else if (row[j] > above)
				row[j + 1] = row[j];
			diagonal = above;
		}
	}
	return first + row[m] + last;
}

/* Returns how many lines the new program can have in common with the old one, whatever registers it gets. */
static unsigned most_in_common(const struct program *new, const struct program *old)
{
	uint32_t n = 0, next = 0; /* where the next line stands, mostly */
	for (uint32_t k = 0; k < new->instrs.n; k++) {
		for (uint32_t j = 0; j < old->instrs.n; j++, next++) {
			next = next < old->instrs.n ? next : 0;
			if (!same_line(&new->instrs.at[k], &old->instrs.at[next], false))
				continue;
			n++;
			next++;
			break;
		}
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

static bool reads_lanes(const struct program *p, const struct instr *i, const struct dst *d, lanes written)
{
	bool relative = false;
	EACH_SOURCE(s, i)
		relative |= i->src[s].relative != 0;
	return (d->file == REG_ADDRESS && relative) || flow_reads(p, i, (enum reg_file)d->file, d->index) & written;
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
	return (by_a && (reads_lanes(p, b, &a->dst, by_a) || changes(b, a->dst.file, a->dst.index) & by_a)) ||
	       (by_b && reads_lanes(p, a, &b->dst, by_b));
}

/* Lets what must stay before or behind one of the instructions first to last stay so of all of them. */
static void hold_together(bool *edge, uint32_t n, uint32_t first, uint32_t last)
{
	for (uint32_t k = first; k <= last && last < n; k++) {
		for (uint32_t j = 0; j < first; j++)
			edge[j * n + first] |= edge[j * n + k];
		for (uint32_t j = last + 1; j < n; j++)
			edge[last * n + j] |= edge[k * n + j];
	}
}

/* Keeps other instructions from between the parts of a region. */
static void hold_regions_together(const struct program *p, bool *edge)
{
	uint32_t const n = p->instrs.n;
	uint32_t first = NO_INSTR, last = NO_INSTR;
	for (uint32_t k = 0; k < n; k++) {
		if (!op_is_region(p->instrs.at[k].op))
			continue;
		if (outline_begins_region(last == NO_INSTR ? NULL : &p->instrs.at[last], &p->instrs.at[k])) {
			hold_together(edge, n, first, last);
			first = k;
		}
		last = k;
	}
	hold_together(edge, n, first, last);
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
		for (uint32_t j = k + 1; j < n; j++)
			edge[k * n + j] = precedes(p, &p->instrs.at[k], &p->instrs.at[j]);
	hold_regions_together(p, edge);
	for (uint32_t k = 0; k < n; k++)
		for (uint32_t j = k + 1; j < n; j++)
			waits[j] += edge[k * n + j];
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

/* The program as it is to be written so far, and what it costs. */
struct best {
	struct program *program;
	unsigned lines, temps, order, slots;
	unsigned most; /* lines that it can have in common with the old program */
};

/* Gives registers by the old lines that `l` names; takes the result if it has more lines in common with the old program, and costs
 * nothing. */
static void try_to_write(struct best *best, const struct program *from, const struct likeness *l, enum liking how, unsigned limit)
{
	if (best->lines == best->most)
		return;
	struct program *p = program_copy(l->arena, from);
	if (!regs_allocate_like(l->arena, p, limit, l->of, how))
		return;
	unsigned const lines = lines_in_common(p, l->old);
	if (lines <= best->lines || temporaries(p) > best->temps || program_order(p) > best->order || written_slots(l->arena, p) > best->slots)
		return;
	best->program = p;
	best->lines = lines;
}

void make_alike(struct arena *a, struct program *new, const struct program *old, const struct target *target, unsigned limit)
{
	struct likeness l = {.arena = a, .old = old};
	if (new->instrs.n > LONGEST || old->instrs.n > LONGEST || target->machine == MACHINE_R300)
		return;
	find_old(&l, new);
	spell_swizzles(&l, new);
	history_note(a, new, "swizzles");
	struct best best = {new, lines_in_common(new, old), temporaries(new), program_order(new), written_slots(a, new), most_in_common(new, old)};
	try_to_write(&best, new, &l, LIKE_BY_NUMBER, limit);
	struct program *apart = best.lines < best.most ? program_copy(a, new) : NULL;
	if (apart && regs_separate(a, apart)) {
		struct likeness by_place = l;
		struct program *sorted = program_copy(a, apart);
		sort(&by_place, sorted);
		for (enum liking how = LIKE_BY_WEB; how <= LIKE_BY_WEB_FRESH; how++) {
			try_to_write(&best, sorted, &by_place, how, limit);
			try_to_write(&best, apart, &l, how, limit);
		}
	}
	if (best.program == new)
		return;
	new->instrs = best.program->instrs;
	history_note(a, new, "likeness");
}
