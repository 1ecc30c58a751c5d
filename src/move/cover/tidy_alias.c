/* Removes the readers of copies and of repeated computations: operands read the first register that has a value.
 *
 *     mul r1, r0, c0                         mul r1, r0, c0
 *     mov r2.xy, -r1.yzxw                    mul r4, r0, c0
 *     add r3, r2.x, c1                       add r3, -r1.y, c1
 *     add r4, r4, r3                         add r4, r1, r3
 *
 * One walk finds for each lane where its value comes from.  tidy_dead then removes the instructions that nothing reads any more. */
#include "move/cover/tidy.h"

#include "lang/check.h"

#include <string.h>

/* The origin of a value, in bit fields: the instruction that computed it and its destination, or OUTSIDE and a register that no instruction writes;
 * the register's lane; NEGATED if the value is negated; PARTIAL if a mov_pp copied it. */
typedef uint64_t origin;
#define OF(o) ((uint32_t)((o) >> 32))
#define INDEX(o) ((int16_t)((o) >> 16))
#define FILE_OF(o) ((uint8_t)((o) >> 8))
#define LANE(o) ((unsigned)(o) & 3u)
enum { NEGATED = 4, PARTIAL = 8, HASHES = 64 };
#define UNKNOWN UINT64_MAX
#define OUTSIDE (UINT32_MAX - 1)
#define NOWHERE UINT32_MAX

struct alias {
	struct tidy *t;
	uint32_t (*now)[LANES]; /* for each register, the instruction that wrote each lane last, or NOWHERE if none did */
	bool *copied;           /* for each register, whether some value that it held is a copy or repeats a computation */
	origin (*made)[LANES];  /* for each instruction, the origin of each lane of its result */
	origin (*read)[MAX_SOURCES][LANES]; /* for each instruction, the origins of the lanes of its operands */
	uint16_t times[OP_COUNT]; /* for each opcode, the number of instructions that have it */
	uint32_t bucket[HASHES];  /* hash table of result lanes: for each bucket, LANES * instruction + lane of the last one in it, or NOWHERE */
	uint32_t *before;         /* for each result lane, the next one in the list of its bucket, or NOWHERE */
};

static origin make_origin(uint32_t of, unsigned file, int index, unsigned lane)
{
	return (origin)of << 32 | (origin)(uint16_t)index << 16 | file << 8 | lane;
}

static bool same_value(origin a, origin b)
{
	return !((a ^ b) & ~(origin)PARTIAL);
}

/* Returns the origin of the value in a lane of an operand, or UNKNOWN if nothing wrote the lane or the operand is c[a0.x + n]. */
static origin find_lane_origin(const struct alias *x, const struct src *s, unsigned lane)
{
	unsigned const from = swizzle_lane(s->swizzle, lane);
	uint32_t const def = s->file == REG_TEMP ? x->now[s->index][from] : OUTSIDE;
	if (def == NOWHERE || s->relative)
		return UNKNOWN;
	return (def == OUTSIDE ? make_origin(OUTSIDE, s->file, s->index, from) : x->made[def][from]) ^ (s->negate ? NEGATED : 0u);
}

/* ---- operands ---------------------------------------------------------------------------- */

/* Writes to *out operand `s`, changed to read the register that is the origin of its lanes in place of a copy.  Returns false if their origins are in
 * several registers, the register was overwritten, the operand reads it already, or no swizzle reads these lanes. */
static bool resolve_operand(const struct alias *x, const struct instr *i, unsigned s, struct src *out)
{
	const struct src *src = &i->src[s];
	origin first = UNKNOWN;
	unsigned from[LANES] = {0};
	bool same = true;
	if (src->file != REG_TEMP || !x->copied[src->index] || instr_rows(i, s) > 1 || (i->op == OP_SGN && s > 0))
		return false;
	lanes const read = instr_operand_lanes(x->t->p, i, s, instr_writes(i));
	EACH_LANE(l, read) {
		origin const o = find_lane_origin(x, src, l);
		if (o == UNKNOWN || (OF(o) != OUTSIDE && x->now[INDEX(o)][LANE(o)] != OF(o)))
			return false;
		first = first == UNKNOWN ? o : first;
		from[l] = LANE(o);
		same &= LANE(o) == swizzle_lane(src->swizzle, l);
		if (((uint32_t)o ^ (uint32_t)first) & ~(uint32_t)(PARTIAL | 3))
			return false;
	}
	if (first == UNKNOWN)
		return false;
	*out = *src;
	out->file = FILE_OF(first);
	out->index = INDEX(first);
	out->negate = first & NEGATED;
	out->letters = 0;
	return !(same && out->file == REG_TEMP && out->index == src->index && out->negate == src->negate) &&
	       tidy_swizzle(x->t, i, s, from, read, &out->swizzle);
}

static bool resolve_operands(struct alias *x, uint32_t k)
{
	bool changed = false;
	const struct instr *i = &x->t->p->instrs.at[k];
	for (unsigned s = 0; i->dst.file != REG_ADDRESS && s < ops[i->op].sources; s++) {
		struct src by;
		if (!resolve_operand(x, i, s, &by))
			continue;
		struct instr with = *i;
		with.src[s] = by;
		changed |= tidy_replace(x->t, k, &with);
	}
	return changed;
}

/* ---- repeats ----------------------------------------------------------------------------- */

/* Records the origins of the lanes that instruction k reads.  Returns false if one is unknown, or if k cannot repeat an earlier instruction. */
static bool note_reads(struct alias *x, uint32_t k)
{
	const struct instr *i = &x->t->p->instrs.at[k];
	bool known = x->times[i->op] > 1 && i->dst.file == REG_TEMP && instr_writes(i) && i->op != OP_MOV && i->op != OP_SGN &&
	             i->op != OP_SINCOS && !op_is_region(i->op);
	for (unsigned s = 0; known && s < ops[i->op].sources; s++) {
		known = instr_rows(i, s) == 1;
		EACH_LANE(l, known ? instr_operand_lanes(x->t->p, i, s, instr_writes(i)) : 0) {
			x->read[k][s][l] = find_lane_origin(x, &i->src[s], l);
			known &= x->read[k][s][l] != UNKNOWN;
		}
	}
	return known;
}

/* Returns the operand lanes of source s from which instruction k computes lane l of its result. */
static lanes lanes_behind_result(const struct alias *x, uint32_t k, unsigned s, unsigned l)
{
	const struct instr *i = &x->t->p->instrs.at[k];
	return i->src[s].file == REG_SAMPLER ? 0 : instr_operand_lanes(x->t->p, i, s, (lanes)(1u << l));
}

/* Returns the hash bucket of lane l of the result of instruction k, which is the same for lanes that are computed from the same values. */
static unsigned hash_result_lane(const struct alias *x, uint32_t k, unsigned l)
{
	const struct instr *i = &x->t->p->instrs.at[k];
	origin h = i->op;
	EACH_SOURCE(s, i)
		EACH_LANE(n, lanes_behind_result(x, k, s, l))
			h = (h ^ (x->read[k][s][n] & ~(origin)PARTIAL)) * 0x9e3779b97f4a7c15;
	return (unsigned)(h >> 58);
}

/* Returns true if instruction j computes in lane m of its result the same value as instruction k in lane l. */
static bool computes_same(const struct alias *x, uint32_t j, unsigned m, uint32_t k, unsigned l)
{
	const struct instr *a = &x->t->p->instrs.at[j], *b = &x->t->p->instrs.at[k];
	bool const by_lane = ops[a->op].shape == SHAPE_LANES;
	if (a->op != b->op || !instr_flags_agree(a, b) || (!by_lane && !tidy_is_uniform(a) && (l != m || a->dst.mask != b->dst.mask)))
		return false;
	EACH_SOURCE(s, a) {
		if (a->src[s].file == REG_SAMPLER && (a->src[s].index != b->src[s].index || a->src[s].swizzle != b->src[s].swizzle))
			return false;
		EACH_LANE(n, lanes_behind_result(x, j, s, m))
			if (!same_value(x->read[j][s][n], x->read[k][s][by_lane ? l : n]))
				return false;
	}
	return true;
}

/* Finds the lanes of the result of instruction k that an earlier instruction computes, too, and records that instruction's result as their origin; it
 * loses _pp if k has none.  Adds the other lanes to the hash table. */
static void find_repeats(struct alias *x, uint32_t k)
{
	const struct instr *i = &x->t->p->instrs.at[k];
	if (!note_reads(x, k))
		return;
	EACH_LANE(l, i->dst.mask) {
		uint32_t *const bucket = &x->bucket[hash_result_lane(x, k, l)], own = k * LANES + l;
		uint32_t e = *bucket;
		while (e != NOWHERE && !computes_same(x, e / LANES, e % LANES, k, l))
			e = x->before[e];
		if (e == NOWHERE) {
			x->before[own] = *bucket;
			*bucket = own;
		} else if (e / LANES != k) {
			struct instr *earlier = &x->t->p->instrs.at[e / LANES];
			bool const there = tidy_is_uniform(i) && earlier->dst.mask >> l & 1;
			x->made[k][l] = x->made[e / LANES][there ? l : e % LANES];
			instr_keep_precision(earlier, i);
		}
	}
}

/* ---- the walk ------------------------------------------------------------------------------ */

/* Records the origin of each lane that instruction k writes to a temporary.  Returns false if k is a mov whose destination holds the same values
 * already, at no less precision. */
static bool find_made(struct alias *x, uint32_t k)
{
	const struct instr *i = &x->t->p->instrs.at[k];
	bool const copies = i->op == OP_MOV && !(i->flags & INSTR_SAT);
	bool brings = !copies;
	EACH_LANE(l, instr_writes(i)) {
		uint32_t const was = x->now[i->dst.index][l];
		origin const from = copies ? find_lane_origin(x, &i->src[0], l) : UNKNOWN;
		x->made[k][l] = from == UNKNOWN ? make_origin(k, REG_TEMP, i->dst.index, l) : from | (i->flags & INSTR_PP ? PARTIAL : 0u);
		brings |= was >= OUTSIDE || !same_value(x->made[was][l], x->made[k][l]) || (x->made[was][l] & PARTIAL && !(i->flags & INSTR_PP));
	}
	find_repeats(x, k);
	return brings;
}

/* Records that the destination of instruction k now holds its result, and that lanes which it clobbers hold nothing known. */
static void overwrite(struct alias *x, uint32_t k)
{
	const struct instr *i = &x->t->p->instrs.at[k];
	EACH_LANE(l, i->dst.file == REG_TEMP && instr_writes(i) ? instr_clobbers(i, i->dst.index) : 0) {
		bool const made = i->dst.mask >> l & 1;
		x->now[i->dst.index][l] = made ? k : NOWHERE;
		x->copied[i->dst.index] |= made && OF(x->made[k][l]) != k;
	}
	for (unsigned s = 1; i->op == OP_SGN && s < 3; s++)
		if (i->src[s].file == REG_TEMP)
			memset(x->now[i->src[s].index], 0xff, sizeof *x->now);
}

static struct alias *start_alias_walk(struct tidy *t)
{
	struct alias *x = arena_zero(t->arena, sizeof *x);
	size_t const n = t->p->instrs.n;
	size_t registers = MODEL_TEMPS;
	for (size_t k = 0; k < n; k++) {
		const struct instr *i = &t->p->instrs.at[k];
		x->times[i->op]++;
		registers = i->dst.file == REG_TEMP && (size_t)i->dst.index >= registers ? (size_t)i->dst.index + 1 : registers;
	}
	x->t = t;
	x->now = arena_alloc(t->arena, registers * sizeof *x->now);
	x->copied = arena_zero(t->arena, registers);
	x->made = arena_alloc(t->arena, n * sizeof *x->made);
	x->read = arena_alloc(t->arena, n * sizeof *x->read);
	x->before = arena_alloc(t->arena, n * LANES * sizeof *x->before);
	memset(x->now, 0xff, registers * sizeof *x->now); /* sets all entries to NOWHERE */
	memset(x->bucket, 0xff, sizeof x->bucket);
	return x;
}

bool tidy_aliases(struct tidy *t)
{
	struct alias *x = start_alias_walk(t);
	bool changed = false;
	for (uint32_t k = 0; k < t->p->instrs.n; k++) {
		const struct instr *i = &t->p->instrs.at[k];
		changed |= resolve_operands(x, k);
		if (i->dst.file == REG_TEMP && instr_writes(i) && !find_made(x, k)) {
			tidy_remove(t, k--);
			changed = true;
			continue;
		}
		overwrite(x, k);
	}
	return changed;
}
