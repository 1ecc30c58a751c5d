/* Makes a new program look like the old one in order, registers and swizzles, see make_alike() in emit.h.
 *
 * First each instruction is matched with the old one that it was made of.  Then several versions of the program are tried, with registers
 * and order from the new or the old program; the one with most lines in common with the old program is taken. */
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
	LONGEST = 256, /* longer programs are left as they are */
	WRITTEN_FLAGS = INSTR_SAT | INSTR_PP | INSTR_CENTROID | INSTR_MODIFIER /* flags that change the text of an instruction */
};

/* ---- lines that are the same ---------------------------------------------------------- */

static bool same_operand_text(const struct src *a, const struct src *b, bool numbers)
{
	struct src numbered = *a;
	numbered.index = numbers || a->file != REG_TEMP ? a->index : b->index;
	return src_is_same(&numbered, b);
}

/* Returns true if both instructions have the same text.  Unless `numbers`, the numbers of temporaries may differ. */
static bool same_line(const struct instr *a, const struct instr *b, bool numbers)
{
	if (a->op != b->op || (a->flags & WRITTEN_FLAGS) != (b->flags & WRITTEN_FLAGS))
		return false;
	bool same = ops[a->op].flags & OPF_NO_DST ||
	            (a->dst.file == b->dst.file && a->dst.mask == b->dst.mask && (a->dst.index == b->dst.index || (!numbers && a->dst.file == REG_TEMP)));
	for (unsigned s = 0; same && s < ops[a->op].sources; s++)
		same = same_operand_text(&a->src[s], &b->src[s], numbers);
	return same;
}

/* Returns the length of the longest common subsequence of lines. */
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

/* Returns an upper bound of the number of common lines, for any order and registers that the new program may get. */
static unsigned most_in_common(const struct program *new, const struct program *old)
{
	uint32_t n = 0, next = 0; /* `next` is the old line after the one that matched last, which mostly matches next */
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

/* ---- matching with old instructions ----------------------------------------------------- */

struct likeness {
	struct arena *arena;
	const struct program *old;
	const struct instr *of[LONGEST]; /* the old instruction that each new one was made of; NULL if there is none */
};

/* Matches each new instruction with the old one that has the same position in the source.  If there is none, matches it with an old one of the
 * same text but for temporaries: the first after the match of the new instruction before it. */
static void match_old_instructions(struct likeness *l, const struct program *new)
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

/* Gives operand s the swizzle that it has in the old instruction if that reads the same lanes, else the one with the fewest letters. */
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

/* Returns the lanes of the register that the instruction writes or clobbers. */
static lanes changes(const struct instr *i, unsigned file, int index)
{
	if (file == REG_TEMP)
		return instr_clobbers(i, index);
	return instr_writes(i) && i->dst.file == file && i->dst.index == index ? i->dst.mask : 0;
}

/* Returns true if `a`, which is before `b`, must stay before it. */
static bool must_precede(const struct program *p, const struct instr *a, const struct instr *b)
{
	if (a->op == OP_SGN || b->op == OP_SGN || (op_is_region(a->op) && op_is_region(b->op)))
		return true;
	lanes const by_a = instr_writes(a) ? changes(a, a->dst.file, a->dst.index) : 0;
	lanes const by_b = instr_writes(b) ? changes(b, b->dst.file, b->dst.index) : 0;
	return (by_a && (reads_lanes(p, b, &a->dst, by_a) || changes(b, a->dst.file, a->dst.index) & by_a)) ||
	       (by_b && reads_lanes(p, a, &b->dst, by_b));
}

/* Extends each dependency on one of the instructions first to last to all of them: edge[j * n + k] means that j must stay before k. */
static void hold_together(bool *edge, uint32_t n, uint32_t first, uint32_t last)
{
	for (uint32_t k = first; k <= last && last < n; k++) {
		for (uint32_t j = 0; j < first; j++)
			edge[j * n + first] |= edge[j * n + k];
		for (uint32_t j = last + 1; j < n; j++)
			edge[last * n + j] |= edge[k * n + j];
	}
}

/* Adds dependencies that keep the instructions of each region (a block of flow control, lang/outline.h) together. */
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

/* Sets place[k] to the index of the old instruction with which instruction k was matched.  An instruction without a match gets a place right
 * before that of its first reader, or if it has none, before that of the next matched instruction. */
static void find_old_places(const struct likeness *l, const struct program *p, const bool *edge, double *place)
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

/* Sorts the instructions by their places in the old program, as far as dependencies allow. */
static void sort_by_old_places(struct likeness *l, struct program *p)
{
	uint32_t const n = p->instrs.n;
	bool *edge = arena_zero(l->arena, (size_t)n * n * sizeof *edge), done[LONGEST] = {false};
	unsigned waits[LONGEST] = {0};
	double place[LONGEST];
	for (uint32_t k = 0; k < n; k++)
		for (uint32_t j = k + 1; j < n; j++)
			edge[k * n + j] = must_precede(p, &p->instrs.at[k], &p->instrs.at[j]);
	hold_regions_together(p, edge);
	for (uint32_t k = 0; k < n; k++)
		for (uint32_t j = k + 1; j < n; j++)
			waits[j] += edge[k * n + j];
	find_old_places(l, p, edge, place);
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

/* ---- versions of the program -------------------------------------------------------------- */

/* Returns the number of temporaries that the program writes. */
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

/* Returns the slots of the program as it will be written: an _abs takes a slot if the register of its operand is overwritten before the
 * result is read. */
static unsigned written_slots(struct arena *a, const struct program *p)
{
	bool modified = false;
	for (uint32_t k = 0; k < p->instrs.n; k++)
		modified |= instr_is_modifier(&p->instrs.at[k]);
	return modified ? program_total_slots(modifier_contracted(a, p)) : program_total_slots(p);
}

/* The version of the new program that has most lines in common with the old one so far. */
struct best {
	struct program *program;
	unsigned lines;              /* its lines in common with the old program */
	unsigned temps, order, slots; /* those of the program before it was made alike, which no version may exceed */
	unsigned most;               /* no version can have more lines than this in common with the old program */
};

/* Copies program `from`, with registers like those of the matched old instructions; takes the copy as the best version if it has more lines in
 * common with the old program and does not cost more. */
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
	match_old_instructions(&l, new);
	spell_swizzles(&l, new);
	history_note(a, new, "swizzles");
	struct best best = {
		.program = new,
		.lines = lines_in_common(new, old),
		.temps = temporaries(new),
		.order = program_order(new),
		.slots = written_slots(a, new),
		.most = most_in_common(new, old),
	};
	try_to_write(&best, new, &l, LIKE_BY_NUMBER, limit);
	struct program *apart = best.lines < best.most ? program_copy(a, new) : NULL;
	if (apart && regs_separate(a, apart)) {
		struct likeness by_place = l;
		struct program *sorted = program_copy(a, apart);
		sort_by_old_places(&by_place, sorted);
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
