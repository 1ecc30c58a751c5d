/* Makes registers and swizzles of a new program those of the old one, see make_alike() in emit.h.  Each instruction is matched with the old
 * instruction that it was made of. */
#include "move/emit/emit.h"

#include "lang/check.h"
#include "lang/history.h"
#include "lang/modifier.h"
#include "move/graph/flow.h"
#include "move/graph/registers.h"

#include <string.h>

enum {
	LONGEST = 256, /* programs of more instructions are not changed */
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

/* ---- registers -------------------------------------------------------------- */

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

/* Returns for each register of `apart`, in which each web has a register of its own, the register that the matched old instruction has as the same
 * destination, or else as the same operand; -1 if there is none. */
static int16_t *find_old_registers(const struct likeness *l, const struct program *apart)
{
	int16_t *home = arena_alloc(l->arena, MOST_REGS * sizeof *home);
	memset(home, 0xff, MOST_REGS * sizeof *home); /* sets all entries to -1 */
	for (uint32_t k = 0; k < apart->instrs.n; k++)
		if (l->of[k] && instr_writes(&apart->instrs.at[k]) && apart->instrs.at[k].dst.file == REG_TEMP && l->of[k]->dst.file == REG_TEMP &&
		    home[apart->instrs.at[k].dst.index] < 0)
			home[apart->instrs.at[k].dst.index] = l->of[k]->dst.index;
	for (uint32_t k = 0; k < apart->instrs.n; k++)
		for (unsigned s = 0; l->of[k] && s < ops[l->of[k]->op].sources && s < ops[apart->instrs.at[k].op].sources; s++) {
			const struct src *now = &apart->instrs.at[k].src[s], *before = &l->of[k]->src[s];
			if (now->file == REG_TEMP && before->file == REG_TEMP && home[now->index] < 0)
				home[now->index] = before->index;
		}
	return home;
}

void make_alike(struct arena *a, struct program *new, const struct program *old, const struct target *target, unsigned limit)
{
	struct likeness l = {.arena = a, .old = old};
	if (new->instrs.n > LONGEST || old->instrs.n > LONGEST || target->machine == MACHINE_R300)
		return;
	match_old_instructions(&l, new);
	spell_swizzles(&l, new);
	history_note(a, new, "swizzles");
	struct program *alike = program_copy(a, new);
	if (!regs_separate(a, alike) || !regs_allocate_at(a, alike, limit, find_old_registers(&l, alike)) ||
	    lines_in_common(alike, old) <= lines_in_common(new, old) || temporaries(alike) > temporaries(new) ||
	    program_order(alike) > program_order(new) || written_slots(a, alike) > written_slots(a, new))
		return;
	new->instrs = alike->instrs;
	history_note(a, new, "likeness");
}
