/* Estimates the slots of the VP that delivers a layout, without writing it.  requires: as vertex_program.c; changes nothing.
 *
 * A VP is a union of sets of instructions: a set that serves no interpolator, and for each interpolator the old instructions that
 * compute the inputs it needs, and new instructions.  Each slot of these is a bit, and the VP takes as many slots as the union has
 * bits, plus the slots that serve one interpolator only and have no bit.
 *   old    One walk finds for each oT lane the set of old instructions that compute it.
 *   new    vertex_clone.c and vertex_column.c run for one register as if it were the only one, with a tally that counts instructions
 *          in the place of writing them.  An instruction with a name (struct name: a clone, a mov of a c#, a computed constant) is
 *          written once for all registers that need it, and has bits; all others are the register's own.  The result is cached by
 *          the register's values and the way of their delivery, since most plans have registers that earlier plans had.
 * An estimate does not know how registers share lanes of one clone or constant, nor whether constant registers and temporaries
 * suffice.  --dump=plan shows it beside the slots of the VP that was written; over the examples 95 of 99 are equal. */
#include "move/cover/vertex.h"

#include <limits.h>
#include <stddef.h>
#include <string.h>

enum { PIECES = 256 }; /* entries of the cache of registers */

/* Caches the instructions that one register (oT#) of a layout needs if it is delivered in one way. */
struct piece {
	value_id value[LANES];
	int8_t raw[LANES];   /* as in struct sources */
	uint8_t how;         /* bit 0: the entry is used; the others: the way of delivery (fields of struct delivery) */
	unsigned program;    /* the number of the FP */
	bool failed;         /* the register cannot be delivered in this way */
	unsigned depends_on; /* bits of enum dependence: in another way the register may take more or fewer slots */
	lanes stay;          /* lanes that the old VP's instructions write directly, if no other register needs their values */
	uint64_t inputs;     /* old oT lanes that the register's new instructions read: bit 4 * oT# + lane */
	struct tally tally;  /* the slots of the register's new instructions */
};

struct estimates {
	unsigned words;   /* size in words of a bit set of the old VP's slots */
	uint64_t *always; /* the set of slots that compute outputs other than oT# */
	uint64_t *old;    /* scratch: the set of old slots of one estimate */
	uint64_t *with[INTERPOLATORS * LANES];    /* for each oT lane, the set of old slots that compute it, or NULL if nothing writes the lane */
	uint64_t *without[INTERPOLATORS * LANES]; /* for each oT lane, the same set without the instruction that writes the lane */
	struct named_slots names;
	struct piece piece[PIECES];
};

static void unite_sets(uint64_t *to, const uint64_t *from, unsigned words)
{
	for (unsigned k = 0; k < words; k++)
		to[k] |= from[k];
}

static unsigned count_bits(const uint64_t *set, unsigned words)
{
	unsigned n = 0;
	for (unsigned k = 0; k < words; k++)
		for (uint64_t left = set[k]; left; left &= left - 1)
			n++;
	return n;
}

/* ---- old instructions ------------------------------------------------------------------------ */

/* For each register lane, the set of slots that compute the value that it has at the current point of the old program. */
struct leading {
	uint64_t *temp[MODEL_TEMPS][LANES];
	uint64_t *address;
};

/* Adds to `to` the set of slots that compute the operands of lane `lane` of the instruction's result. */
static void unite_sources(const struct program *p, const struct instr *i, unsigned lane, const struct leading *now, uint64_t *to,
                          unsigned words)
{
	EACH_SOURCE(s, i) {
		const struct src *src = &i->src[s];
		lanes const read = swizzle_lanes(src->swizzle, instr_operand_lanes(p, i, s, (lanes)(1u << lane)));
		if (src->relative)
			unite_sets(to, now->address, words);
		for (int reg = src->index; src->file == REG_TEMP && reg < src->index + (int)instr_rows(i, s) && reg < MODEL_TEMPS; reg++)
			EACH_LANE(l, read)
				unite_sets(to, now->temp[reg][l], words);
	}
}

/* Finds for each oT lane the set of slots of the old VP that compute it, by one walk through the old VP. */
static void find_old_instructions(struct estimates *e, const struct vertex_start *start)
{
	struct arena *arena = start->values->arena;
	const struct program *p = start->old;
	size_t const bytes = (e->words = program_total_slots(p) / 64 + 1) * sizeof(uint64_t);
	unsigned const words = e->words;
	struct leading now;
	uint64_t *to[LANES];
	uint64_t *none = arena_zero(arena, MODEL_TEMPS * LANES * bytes);
	for (unsigned k = 0; k < MODEL_TEMPS * LANES; k++)
		now.temp[k / LANES][k % LANES] = none + k * words;
	for (unsigned l = 0; l < LANES; l++)
		to[l] = arena_alloc(arena, bytes);
	now.address = arena_zero(arena, bytes);
	e->always = arena_zero(arena, bytes);
	e->old = arena_alloc(arena, bytes);
	for (uint32_t k = 0, bit = 0; k < p->instrs.n; k++) {
		const struct instr *i = &p->instrs.at[k];
		unsigned const first = bit;
		bit += instr_slots(i, p->model);
		EACH_LANE(l, instr_writes(i)) {
			memset(to[l], 0, bytes);
			unite_sources(p, i, l, &now, to[l], words);
		}
		EACH_LANE(l, instr_writes(i)) {
			bool const carried = i->dst.file == REG_TEX_OUT && i->dst.index < INTERPOLATORS;
			unsigned const at = (unsigned)i->dst.index * LANES + l;
			if (carried && start->writer[i->dst.index][l] != k)
				continue; /* a later instruction writes the oT lane, too */
			if (carried)
				e->without[at] = (void *)arena_copy(arena, to[l], bytes);
			for (unsigned b = first; b < bit; b++)
				to[l][b / 64] |= UINT64_C(1) << b % 64;
			if (carried)
				e->with[at] = (void *)arena_copy(arena, to[l], bytes);
			else if (i->dst.file == REG_TEMP && i->dst.index < MODEL_TEMPS)
				memcpy(now.temp[i->dst.index][l], to[l], bytes);
			else
				unite_sets(i->dst.file == REG_ADDRESS ? now.address : e->always, to[l], words);
		}
	}
}

struct estimates *vertex_begin_estimates(const struct vertex_start *start)
{
	struct estimates *e = arena_alloc(start->values->arena, sizeof *e);
	memset(e, 0, offsetof(struct estimates, piece));
	for (unsigned k = 0; k < PIECES; k++)
		e->piece[k].how = 0;
	find_old_instructions(e, start);
	return e;
}

/* ---- new instructions ------------------------------------------------------------------------ */

/* Counts the new instructions that register `r` of the layout needs, as if it were the only one. */
static void find_piece(const struct vertex_start *start, const struct layout *layout, const struct delivery *how,
                       const struct sources *sources, unsigned r, struct piece *piece)
{
	struct layout alone;
	struct sources mine;
	struct delivery const one = {.clone = {how->clone[r]}, .deep = how->deep, .gather = how->gather, .select = how->select};
	layout_clear(&alone);
	memset(&mine, 0xff, sizeof mine);
	memcpy(alone.lane[0], layout->lane[r], sizeof alone.lane[0]);
	memcpy(mine.of[0], sources->of[r], sizeof mine.of[0]);
	memcpy(mine.raw[0], sources->raw[r], sizeof mine.raw[0]);
	struct vertex_writer *w = vertex_begin(start, &alone, &one, &mine, &piece->tally);
	for (unsigned k = 0; k < INTERPOLATORS * LANES; k++)
		piece->inputs |= (uint64_t)w->input[k].expression << k;
	if (!w->failed) {
		vertex_find_exposed(w);
		piece->stay = w->done[0];
		clone_put(w);
		sums_put(w);
	}
	piece->failed = w->failed;
	piece->depends_on = w->depends_on;
}

/* Returns the count of the new instructions that register `r` of the layout needs, from the cache if it is there. */
static const struct piece *piece_of(const struct vertex_start *start, const struct layout *layout, const struct delivery *how,
                                    const struct sources *sources, unsigned r)
{
	bool const deep = how->clone[r] && how->deep;
	if (how->gather || how->select || deep) {
		struct delivery plain = *how;
		plain.gather = plain.select = plain.deep = false;
		const struct piece *same = piece_of(start, layout, &plain, sources, r);
		if (!(same->depends_on & DEPENDS_ON_WAY && (how->gather || how->select)) && !(same->depends_on & DEPENDS_ON_DEEP && deep))
			return same;
	}
	bool const said[] = {true, how->clone[r], deep, how->gather, how->select};
	uint8_t so = 0;
	for (unsigned k = 0; k < sizeof said / sizeof *said; k++)
		so = (uint8_t)(so | (unsigned)said[k] << k);
	uint64_t h = so;
	for (unsigned l = 0; l < LANES; l++)
		h = hash_word(h, (uint64_t)layout->lane[r][l] << 8 | (uint8_t)sources->raw[r][l]);
	struct piece *piece = &start->estimates->piece[h % PIECES];
	if (piece->how != so || piece->program != start->values->program || memcmp(piece->value, layout->lane[r], sizeof piece->value) != 0 ||
	    memcmp(piece->raw, sources->raw[r], sizeof piece->raw) != 0) {
		*piece = (struct piece){.how = so, .program = start->values->program, .tally.names = &start->estimates->names};
		memcpy(piece->value, layout->lane[r], sizeof piece->value);
		memcpy(piece->raw, sources->raw[r], sizeof piece->raw);
		find_piece(start, layout, how, sources, r, piece);
	}
	return piece;
}

/* ---- all of it --------------------------------------------------------------------------------- */

/* Marks the old oT lanes (FP inputs) that register `r` of the layout needs, as copies or in new instructions. */
static void need_inputs(struct vertex_writer *w, const struct piece *piece, unsigned r, bool clones)
{
	for (unsigned l = 0; l < LANES; l++) {
		if (w->sources->raw[r][l] < 0 || (clones && w->sources->of[r][l] >= 0))
			continue;
		if (vertex_lacks(w->start, w->sources->raw[r][l])) {
			w->done[r] |= (lanes)(1u << l);
			continue;
		}
		struct input *in = &w->input[w->sources->raw[r][l]];
		in->needed = true;
		if (in->copies++ == 0)
			in->to = (uint8_t)(r * LANES + l);
	}
	for (uint64_t left = piece->inputs; left; left &= left - 1) {
		struct input *in = &w->input[__builtin_ctzll(left)];
		in->needed = in->expression = true;
	}
}

unsigned vertex_estimate(const struct vertex_start *start, const struct layout *layout, const struct delivery *how,
                         const struct sources *sources, unsigned *depends_on)
{
	struct estimates *e = start->estimates;
	struct vertex_writer w = {.start = start, .values = start->values, .layout = layout, .old = start->old, .sources = sources};
	w.next_temp = VIRTUAL_REGS;
	lanes stay[INTERPOLATORS] = {0};
	uint64_t named[NAMED_WORDS] = {0};
	unsigned own = 0;
	memcpy(e->old, e->always, e->words * sizeof *e->old);
	for (unsigned r = 0; r < INTERPOLATORS; r++) {
		if (!layout_used(layout, r))
			continue;
		const struct piece *piece = piece_of(start, layout, how, sources, r);
		*depends_on |= piece->failed ? DEPENDS_ON_DEEP | DEPENDS_ON_WAY : piece->depends_on;
		if (piece->failed)
			return UINT_MAX;
		own += piece->tally.own;
		stay[r] = piece->stay;
		unite_sets(named, piece->tally.named, NAMED_WORDS);
		need_inputs(&w, piece, r, how->clone[r]);
	}
	vertex_find_exposed(&w);
	for (unsigned r = 0; r < INTERPOLATORS; r++)
		own += (stay[r] & ~w.done[r]) != 0; /* other registers need the value of a lane, too, so that one more mov copies it */
	for (unsigned k = 0; k < INTERPOLATORS * LANES; k++) {
		if (!w.input[k].needed || !e->with[k])
			continue;
		bool const writes = w.input[k].stays || w.temp_of[k / LANES];
		unite_sets(e->old, writes ? e->with[k] : e->without[k], e->words);
	}
	return count_bits(e->old, e->words) + count_bits(named, NAMED_WORDS) + own;
}
