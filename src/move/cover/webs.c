/* Tests if two webs (sets of definitions that have to share a register) can share a register, lane by lane, and puts them into one. */
#include "move/cover/webs.h"

#include "lang/check.h"

#include <string.h>

/* ---- users of registers ------------------------------------------------------------------ */

void webs_begin(struct webs *w, struct tidy *t)
{
	*w = (struct webs){.t = t, .gone = NO_INSTR, .pair = {NO_INSTR, NO_INSTR}};
	size_t const n = t->p->instrs.n + 1;
	w->when = arena_alloc(t->arena, n * sizeof *w->when);
	w->user = arena_alloc(t->arena, n * (MAX_SOURCES + 1) * sizeof *w->user);
	w->list = arena_alloc(t->arena, n * sizeof *w->list);
	w->first = arena_alloc(t->arena, ((size_t)t->fresh + 2) * sizeof *w->first);
	w->chain = arena_alloc(t->arena, (size_t)t->fresh * sizeof *w->chain);
	w->used = arena_alloc(t->arena, (size_t)t->fresh);
	w->registers = t->fresh;
}

/* Lists the registers of the webs that an instruction reads or writes, each once, and returns how many there are. */
static unsigned webs_of(const struct instr *i, int reg[MAX_SOURCES + 1])
{
	unsigned n = 0;
	if (i->dst.file == REG_TEMP && i->dst.index >= VIRTUAL_REGS && instr_writes(i))
		reg[n++] = i->dst.index;
	EACH_SOURCE(s, i) {
		bool new = i->src[s].file == REG_TEMP && i->src[s].index >= VIRTUAL_REGS;
		for (unsigned o = 0; o < n; o++)
			new &= reg[o] != i->src[s].index;
		if (new)
			reg[n++] = i->src[s].index;
	}
	return n;
}

void webs_find(struct webs *w)
{
	const struct program *p = w->t->p;
	int reg[MAX_SOURCES + 1];
	if (w->known)
		return;
	w->known = true;
	w->log.n = 0;
	memset(w->first, 0, ((size_t)w->registers + 2) * sizeof *w->first);
	memset(w->chain, 0xff, (size_t)w->registers * sizeof *w->chain); /* sets all entries to -1 */
	memset(w->used, 0, (size_t)w->registers);
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		const struct instr *i = &p->instrs.at[k];
		for (unsigned n = webs_of(i, reg); n-- > 0;)
			w->first[reg[n] + 2]++;
		if (i->dst.file == REG_TEMP)
			w->used[i->dst.index] |= instr_clobbers(i, i->dst.index);
		w->when[k] = k;
	}
	for (int r = 0; r < w->registers; r++)
		w->first[r + 2] += w->first[r + 1];
	for (uint32_t k = 0; k < p->instrs.n; k++)
		for (unsigned n = webs_of(&p->instrs.at[k], reg); n-- > 0;)
			w->user[w->first[reg[n] + 1]++] = k;
}

void webs_keep(struct webs *w)
{
	w->known = false;
	w->t->stale = true;
	w->gone = w->pair[0] = w->pair[1] = NO_INSTR;
}

struct instr *webs_change(struct webs *w, uint32_t k)
{
	struct instr *i = &w->t->p->instrs.at[k];
	struct undo *u = &VEC_PUSH(w->t->arena, &w->log);
	u->at = k;
	u->old = *i;
	return i;
}

void webs_undo(struct webs *w, uint32_t mark)
{
	while (w->log.n > mark) {
		const struct undo *u = &w->log.at[--w->log.n];
		if (u->at != NO_INSTR) {
			w->t->p->instrs.at[u->at] = u->old;
			continue;
		}
		w->chain[u->tail] = -1;
		w->used[u->into] = u->used[0];
		w->used[u->from] = u->used[1];
	}
}

/* Adds the instructions that use a register, or one that was put into it, to a list that is sorted by the order that is tried (`when`).  Returns the
 * new length. */
static uint32_t list_users(const struct webs *w, int reg, uint32_t *list, uint32_t n)
{
	for (int r = reg; r >= 0; r = w->chain[r]) {
		for (uint32_t u = w->first[r]; u < w->first[r + 1]; u++) {
			uint32_t const k = w->user[u];
			uint32_t at = n;
			while (at > 0 && w->when[list[at - 1]] > w->when[k])
				at--;
			if (at > 0 && list[at - 1] == k)
				continue;
			memmove(&list[at + 1], &list[at], (n++ - at) * sizeof *list);
			list[at] = k;
		}
	}
	return n;
}

/* ---- two webs in one register -------------------------------------------------------------- */

/* The values (LANES * instruction + lane of its result) that the lanes of registers a and b hold at an instruction, and those that the lanes of the
 * register would hold that they share. */
struct held {
	uint32_t a[LANES], b[LANES], both[LANES];
};

/* Returns true if instruction k would read the same values from the common register as from registers a and b. */
static bool reads_same(const struct webs *w, uint32_t k, int b, int a, const unsigned map[LANES], const struct held *h)
{
	const struct program *p = w->t->p;
	bool same = true;
	EACH_SOURCE(s, &p->instrs.at[k]) {
		const struct src *src = &p->instrs.at[k].src[s];
		if (src->file != REG_TEMP || (src->index != a && src->index != b))
			continue;
		EACH_LANE(l, instr_reads(p, &p->instrs.at[k], s))
			same &= src->index == a ? h->both[l] == h->a[l] : h->both[map[l]] == h->b[l];
	}
	return same;
}

/* Records the values that a copy from one of the two registers to the other writes.  The copy is about to be removed, so that it does not write
 * the common register. */
static void hold_copied(const struct instr *mov, int a, struct held *h)
{
	uint32_t old[LANES];
	memcpy(old, mov->src[0].index == a ? h->a : h->b, sizeof old);
	EACH_LANE(l, mov->dst.mask)
		(mov->dst.index == a ? h->a : h->b)[l] = old[swizzle_lane(mov->src[0].swizzle, l)];
}

/* Records the values that instruction k writes to register a or b, and to the common register. */
static void hold_written(const struct webs *w, uint32_t k, int b, int a, const unsigned map[LANES], struct held *h)
{
	const struct instr *i = &w->t->p->instrs.at[k];
	EACH_LANE(l, instr_clobbers(i, a))
		h->a[l] = h->both[l] = k * LANES + l;
	EACH_LANE(l, instr_clobbers(i, b)) {
		bool const other = k == w->pair[1] && w->t->p->instrs.at[w->pair[0]].dst.mask >> map[l] & 1;
		h->b[l] = h->both[map[l]] = other ? w->pair[0] * LANES + map[l] : k * LANES + l;
	}
}

/* Returns true if every instruction that reads register a or b would read the same values from the register that both share. */
static bool can_share(const struct webs *w, int b, int a, const unsigned map[LANES])
{
	uint32_t *const list = w->list;
	struct held h;
	uint32_t const of_a = list_users(w, a, list, 0), n = list_users(w, b, list, of_a);
	memset(&h, 0xff, sizeof h);
	for (uint32_t u = 0; u < n; u++) {
		uint32_t const k = list[u];
		if (k == w->gone) {
			hold_copied(&w->t->p->instrs.at[k], a, &h);
			continue;
		}
		if (!reads_same(w, k, b, a, map, &h))
			return false;
		hold_written(w, k, b, a, map, &h);
	}
	return true;
}

/* Lets operand s read register lane from[l] in each operand lane l, and sets *turns if that changes its swizzle.  Returns false if no swizzle does
 * that. */
static bool read_from_lanes(const struct tidy *t, struct instr *i, unsigned s, const unsigned from[LANES], bool *turns)
{
	lanes const read = instr_operand_lanes(t->p, i, s, instr_writes(i));
	bool same = true;
	EACH_LANE(l, read)
		same &= swizzle_lane(i->src[s].swizzle, l) == from[l];
	*turns |= !same;
	if (same)
		return true;
	i->src[s].letters = 0;
	return instr_rows(i, s) == 1 && !(i->op == OP_SGN && s > 0) && tidy_swizzle(t, i, s, from, read, &i->src[s].swizzle);
}

static bool does_read(const struct instr *i, int reg)
{
	bool any = false;
	EACH_SOURCE(s, i)
		any |= i->src[s].file == REG_TEMP && i->src[s].index == reg;
	return any;
}

/* Lets the instruction use lane map[l] of register a wherever it used lane l of register b.  Returns false if it cannot be written so. */
static bool rename_in(const struct tidy *t, struct instr *i, int b, int a, const unsigned map[LANES])
{
	struct instr const old = *i;
	lanes mask = 0;
	unsigned lane_of[LANES] = {0, 1, 2, 3};
	bool turns = false;
	EACH_LANE(l, instr_clobbers(&old, b)) {
		mask |= (lanes)((old.dst.mask >> l & 1u) << map[l]);
		lane_of[map[l]] = l;
		turns |= map[l] != l;
		i->dst.index = (int16_t)a;
	}
	if (turns && (!tidy_moves_lanes(i) || least_mask(t->p, i, mask) != mask))
		return false;
	if (turns)
		instr_set_mask(i, mask);
	bool const by_lane = turns && ops[i->op].shape == SHAPE_LANES;
	EACH_SOURCE(s, i) {
		bool const reads = old.src[s].file == REG_TEMP && old.src[s].index == b;
		unsigned from[LANES];
		for (unsigned l = 0; l < LANES; l++) {
			from[l] = swizzle_lane(old.src[s].swizzle, by_lane ? lane_of[l] : l);
			from[l] = reads ? map[from[l]] : from[l];
		}
		if (reads)
			i->src[s].index = (int16_t)a;
		if ((reads || by_lane) && !read_from_lanes(t, i, s, from, &turns))
			return false;
	}
	bool const aliases = i->dst.file == REG_TEMP && i->dst.index == a && does_read(i, a); /* the instruction reads its destination, which some
	                                                                                       * macros must not */
	return (!turns && !aliases) || tidy_is_plain(i) || check_instr_alone(t->p, i) <= check_instr_alone(t->p, &old);
}

bool webs_embed(struct webs *w, int b, int a, const unsigned map[LANES])
{
	webs_find(w);
	if (!can_share(w, b, a, map))
		return false;
	for (int r = b; r >= 0; r = w->chain[r]) {
		for (uint32_t u = w->first[r]; u < w->first[r + 1]; u++) {
			const struct instr *i = &w->t->p->instrs.at[w->user[u]];
			if ((does_read(i, b) || instr_clobbers(i, b)) && !rename_in(w->t, webs_change(w, w->user[u]), b, a, map))
				return false;
		}
	}
	int tail = a;
	while (w->chain[tail] >= 0)
		tail = w->chain[tail];
	VEC_PUSH(w->t->arena, &w->log) = (struct undo){.at = NO_INSTR, .into = a, .tail = tail, .from = b, .used = {w->used[a], w->used[b]}};
	w->chain[tail] = (int16_t)b;
	w->used[a] |= lanes_turned(map, w->used[b]);
	w->used[b] = 0;
	return true;
}

/* All permutations of four lanes. */
static const swizzle turns[TURNS] = {
	0xe4, 0xb4, 0xd8, 0x78, 0x9c, 0x6c, 0xe1, 0xb1, 0xc9, 0x39, 0x8d, 0x2d, 0xd2, 0x72, 0xc6, 0x36, 0x4e, 0x1e, 0x93, 0x63, 0x87, 0x27, 0x4b, 0x1b,
};

bool lanes_turn(unsigned n, lanes used, unsigned map[LANES])
{
	for (unsigned l = 0; l < LANES; l++) {
		map[l] = swizzle_lane(turns[n], l);
		for (unsigned o = 0; o < l; o++)
			if (!((used >> l | used >> o) & 1) && map[l] < map[o])
				return false;
	}
	return true;
}
