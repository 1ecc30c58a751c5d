/* The ways to damage a program, see damage.h. */
#include "damage.h"

#include "lang/blocks.h"

#include <math.h>
#include <string.h>

/* --- kinds of damage -------------------------------------------------------------- */

static struct instr *at(struct program *p, uint32_t k)
{
	return &p->instrs.at[k];
}

/* Returns the turn-th source, and reduces turn below `ways`. */
static struct src *pick(struct instr *i, unsigned *turn, unsigned ways)
{
	unsigned s = *turn / ways;
	*turn %= ways;
	return s < sources(i) ? &i->src[s] : NULL;
}

static bool set_mask(struct instr *i, unsigned mask)
{
	if (!mask || mask == i->dst.mask || ops[i->op].shape == SHAPE_MATRIX)
		return false;
	i->dst.mask = (lanes)mask;
	i->dst.masked = mask != MASK_XYZW;
	return true;
}

static bool mask_lane_lost(struct program *p, uint32_t k, unsigned turn)
{
	struct instr *i = at(p, k);
	unsigned n = 0;
	for (unsigned l = 0; l < LANES && writes(i); l++)
		if (i->dst.mask >> l & 1 && n++ == turn)
			return set_mask(i, i->dst.mask & ~(1u << l));
	return false;
}

static bool mask_lane_added(struct program *p, uint32_t k, unsigned turn)
{
	struct instr *i = at(p, k);
	unsigned n = 0;
	for (unsigned l = 0; l < LANES && writes(i) && !reg_files[i->dst.file].scalar; l++)
		if (!(i->dst.mask >> l & 1) && n++ == turn)
			return set_mask(i, i->dst.mask | 1u << l);
	return false;
}

static bool mask_shifted(struct program *p, uint32_t k, unsigned turn)
{
	struct instr *i = at(p, k);
	if (turn || !writes(i) || reg_files[i->dst.file].scalar)
		return false;
	return set_mask(i, ((unsigned)i->dst.mask << 1 | i->dst.mask >> 3) & 15u);
}

static bool swizzle_lane_changed(struct program *p, uint32_t k, unsigned turn)
{
	struct src *s = pick(at(p, k), &turn, 12);
	if (!s || is_sampler(s))
		return s != NULL;
	unsigned lane = turn / 3, to = (swizzle_lane(s->swizzle, lane) + 1 + turn % 3) & 3;
	s->swizzle = (swizzle)((s->swizzle & ~(3u << 2 * lane)) | to << 2 * lane);
	return true;
}

static bool swizzle_rotated(struct program *p, uint32_t k, unsigned turn)
{
	struct src *s = pick(at(p, k), &turn, 1);
	if (!s || is_sampler(s))
		return s != NULL;
	s->swizzle = swizzle_after(SWIZZLE(1, 2, 3, 0), s->swizzle);
	return true;
}

static bool swizzle_dropped(struct program *p, uint32_t k, unsigned turn)
{
	struct src *s = pick(at(p, k), &turn, 1);
	if (!s || is_sampler(s))
		return s != NULL;
	s->swizzle = s->swizzle == SWIZZLE_XYZW ? SWIZZLE(0, 0, 0, 0) : SWIZZLE_XYZW;
	return true;
}

static bool sign_changed(struct program *p, uint32_t k, unsigned turn)
{
	struct src *s = pick(at(p, k), &turn, 1);
	if (!s || is_sampler(s))
		return s != NULL;
	s->negate = !s->negate;
	return true;
}

static bool renumber(struct src *s, enum reg_file file, int below, unsigned turn)
{
	int index = s->index + (turn ? -1 : 1);
	if (s->file != file || s->relative || index < 0 || index >= below)
		return true; /* unchanged: the caller notices */
	s->index = (int16_t)index;
	return true;
}

static bool temp_misread(struct program *p, uint32_t k, unsigned turn)
{
	struct src *s = pick(at(p, k), &turn, 2);
	return s && renumber(s, REG_TEMP, 12, turn);
}

static bool const_misnumbered(struct program *p, uint32_t k, unsigned turn)
{
	struct instr *i = at(p, k);
	struct src *s = pick(i, &turn, 2);
	return s && renumber(s, REG_CONST, 32 - (int)instr_rows(i, (unsigned)(s - i->src)) + 1, turn);
}

static bool interpolator_misread(struct program *p, uint32_t k, unsigned turn)
{
	struct src *s = pick(at(p, k), &turn, 2);
	return s && renumber(s, REG_TEXCOORD, 8, turn);
}

static bool vertex_input_misread(struct program *p, uint32_t k, unsigned turn)
{
	struct src *s = pick(at(p, k), &turn, 2);
	return s && (program_stage(p) == STAGE_PIXEL || renumber(s, REG_INPUT, 16, turn));
}

static bool sampler_misnumbered(struct program *p, uint32_t k, unsigned turn)
{
	struct src *s = pick(at(p, k), &turn, 2);
	return s && renumber(s, REG_SAMPLER, 16, turn);
}

static bool relative_offset_changed(struct program *p, uint32_t k, unsigned turn)
{
	struct src *s = pick(at(p, k), &turn, 1);
	if (s && s->relative)
		s->index++;
	return s != NULL;
}

static bool renumber_result(struct program *p, uint32_t k, unsigned turn, enum reg_file file, int below)
{
	struct instr *i = at(p, k);
	int index = i->dst.index + (turn ? -1 : 1);
	if (turn > 1 || !writes(i))
		return false;
	if (i->dst.file == file && index >= 0 && index < below)
		i->dst.index = (int16_t)index;
	return true;
}

static bool temp_miswritten(struct program *p, uint32_t k, unsigned turn)
{
	return renumber_result(p, k, turn, REG_TEMP, 12);
}

static bool interpolator_miswritten(struct program *p, uint32_t k, unsigned turn)
{
	return renumber_result(p, k, turn, REG_TEX_OUT, 8);
}

static bool target_miswritten(struct program *p, uint32_t k, unsigned turn)
{
	return renumber_result(p, k, turn, REG_PIXEL_OUT, 4);
}

static bool opcode_changed(struct program *p, uint32_t k, unsigned turn)
{
	struct instr *i = at(p, k);
	unsigned n = 0;
	for (unsigned op = 0; op < OP_COUNT; op++) {
		bool alike = op != i->op && !op_is_flow(op) && !op_is_flow(i->op) && ops[op].shape == ops[i->op].shape && ops[op].sources == sources(i) &&
		             op_slots((enum op)op, p->model) && ops[op].shape != SHAPE_MATRIX;
		if (alike && n++ == turn) {
			i->op = (uint8_t)op;
			return true;
		}
	}
	return false;
}

static bool operands_exchanged(struct program *p, uint32_t k, unsigned turn)
{
	struct instr *i = at(p, k);
	static const uint8_t pairs[3][2] = {{0, 1}, {1, 2}, {0, 2}};
	if (turn > 2)
		return false;
	unsigned a = pairs[turn][0], b = pairs[turn][1];
	if (b < sources(i) && !is_sampler(&i->src[a]) && !is_sampler(&i->src[b]) && ops[i->op].shape != SHAPE_MATRIX &&
	    ops[i->op].shape != SHAPE_SGN && ops[i->op].shape != SHAPE_SINCOS) {
		struct src s = i->src[a];
		i->src[a] = i->src[b];
		i->src[b] = s;
	}
	return true;
}

static bool operand_repeated(struct program *p, uint32_t k, unsigned turn)
{
	struct instr *i = at(p, k);
	if (turn >= 6)
		return false;
	unsigned a = turn / 2, b = (a + 1 + turn % 2) % 3;
	if (a < sources(i) && b < sources(i) && !is_sampler(&i->src[a]) && !is_sampler(&i->src[b]) &&
	    ops[i->op].shape != SHAPE_MATRIX && ops[i->op].shape != SHAPE_SGN)
		i->src[a] = i->src[b];
	return true;
}

static bool instr_dropped(struct program *p, uint32_t k, unsigned turn)
{
	if (turn)
		return false;
	memmove(at(p, k), at(p, k) + 1, (p->instrs.n - k - 1) * sizeof *p->instrs.at);
	p->instrs.n--;
	return true;
}

/* Doubles an instruction over its neighbour (program_copy leaves no room to grow), or with turn 1 doubles the neighbour. */
static bool neighbour_overwritten(struct program *p, uint32_t k, unsigned turn)
{
	if (turn > 1 || k + 1 >= p->instrs.n)
		return false;
	*at(p, k + !turn) = *at(p, k + turn);
	return true;
}

static bool order_changed(struct program *p, uint32_t k, unsigned turn)
{
	uint32_t to = k + 1 + turn;
	if (turn > 3 || to >= p->instrs.n)
		return false;
	struct instr moved = *at(p, k);
	memmove(at(p, k), at(p, k + 1), (to - k) * sizeof moved);
	*at(p, to) = moved;
	return true;
}

/* Changes the .z that a depth texture compares. */
static bool depth_changed(struct program *p, uint32_t k, unsigned turn)
{
	struct instr *i = at(p, k);
	bool const read = ops[i->op].shape == SHAPE_TEX || ops[i->op].shape == SHAPE_TEXW;
	static const uint8_t others[] = {LANE_X, LANE_Y, LANE_W};
	if (!read || p->samplers[i->src[1].index] != TEXTURE_2D || turn >= sizeof others)
		return false;
	i->src[0].swizzle = SWIZZLE(LANE_X, LANE_Y, others[turn], LANE_W);
	return true;
}

/* Finds a literal of that sign, whatever its size.  Returns false if the program has none. */
static bool find_sign(const struct program *p, bool negative, struct src *to)
{
	for (uint32_t k = 0; k < p->decls.n; k++)
		for (unsigned l = 0; l < LANES && p->decls.at[k].kind == DECL_DEF; l++) {
			float const x = p->decls.at[k].value[l];
			*to = (struct src){.file = REG_CONST, .index = p->decls.at[k].reg.index, .swizzle = swizzle_replicate(l),
			                   .negate = negative != (x < 0), .at = SRCPOS_NONE};
			if (x < 0 || x > 0)
				return true;
		}
	return false;
}

static bool is_killed_by(struct program *p, uint32_t k)
{
	bool killed = false;
	for (uint32_t n = k + 1; n < p->instrs.n; n++)
		killed |= at(p, n)->op == OP_TEXKILL && at(p, n)->src[0].file == REG_TEMP && at(p, n)->src[0].index == at(p, k)->dst.index;
	return killed;
}

/* Moves the limit of a cmp, or of a mov for a texkill, so that a value exactly at the limit goes to the other side. */
static bool limit_moved(struct program *p, uint32_t k, unsigned turn)
{
	struct instr *i = at(p, k);
	struct src signs[2];
	if (turn)
		return false;
	if (i->op == OP_CMP) {
		struct src const first = i->src[1];
		i->src[1] = i->src[2];
		i->src[2] = first;
	} else if (i->op == OP_MOV && is_killed_by(p, k) && find_sign(p, true, &signs[0]) && find_sign(p, false, &signs[1])) {
		i->op = OP_CMP;
		i->src[1] = signs[0];
		i->src[2] = signs[1];
	} else {
		return true;
	}
	i->src[0].negate = !i->src[0].negate;
	return true;
}

static bool clamp_changed(struct program *p, uint32_t k, unsigned turn)
{
	struct instr *i = at(p, k);
	if (turn || program_stage(p) == STAGE_VERTEX || !writes(i) || i->op == OP_SETP || ops[i->op].flags & OPF_TEX)
		return false;
	i->flags ^= INSTR_SAT;
	return true;
}

/* Returns the instruction that wrote the lane that operand `s` of k reads first, or k if there is none. */
static uint32_t maker(struct program *p, uint32_t k, unsigned s)
{
	const struct src *src = &at(p, k)->src[s];
	lanes const lane = (lanes)(1u << swizzle_lane(src->swizzle, first_lane(instr_writes(at(p, k)))));
	uint32_t j = k;
	while (src->file == REG_TEMP && j-- > 0)
		if (at(p, j)->dst.file == REG_TEMP && at(p, j)->dst.index == src->index && instr_writes(at(p, j)) & lane)
			return j;
	return k;
}

/* Returns the operand `outer` with that of the instruction it reads, `inner`, in its place. */
static struct src through(const struct src *outer, const struct src *inner)
{
	struct src s = *inner;
	s.swizzle = swizzle_after(outer->swizzle, inner->swizzle);
	return s;
}

/* Joins a product and a sum into one mad, which rounds once. */
static void join_product(struct program *p, uint32_t k, unsigned s)
{
	struct instr *sum = at(p, k), *product = at(p, maker(p, k, s));
	if (product == sum || product->op != OP_MUL)
		return;
	struct src const outer = sum->src[s], other = sum->src[1 - s];
	sum->op = OP_MAD;
	sum->src[0] = through(&outer, &product->src[0]);
	sum->src[1] = through(&outer, &product->src[1]);
	sum->src[0].negate ^= outer.negate;
	sum->src[2] = other;
}

/* Turns (a + b) + c into (a + c) + b, or the same for products. */
static void swap_terms(struct program *p, uint32_t k, unsigned s)
{
	struct instr *last = at(p, k), *first = at(p, maker(p, k, s));
	if (first == last || first->op != last->op || last->src[s].swizzle != SWIZZLE_XYZW || last->src[s].negate)
		return;
	struct src const term = first->src[1];
	first->src[1] = last->src[1 - s];
	last->src[1 - s] = term;
}

/* Adds the lanes of a dot product in another order. */
static bool turn_dot(struct instr *i)
{
	swizzle const turn = ops[i->op].shape == SHAPE_DP4 ? SWIZZLE(1, 2, 3, 0) : SWIZZLE(1, 2, 0, 3);
	i->src[0].swizzle = swizzle_after(turn, i->src[0].swizzle);
	i->src[1].swizzle = swizzle_after(turn, i->src[1].swizzle);
	return true;
}

static bool regrouped(struct program *p, uint32_t k, unsigned turn)
{
	struct instr *i = at(p, k);
	if (ops[i->op].shape == SHAPE_DP3 || ops[i->op].shape == SHAPE_DP4)
		return turn == 0 && turn_dot(i);
	if (turn > 3 || (i->op != OP_ADD && i->op != OP_MUL))
		return false;
	if (turn >= 2)
		swap_terms(p, k, turn - 2);
	else if (i->op == OP_ADD)
		join_product(p, k, turn);
	return true;
}

/* Returns the literal that lane `lane` of an operand reads, or 0. */
static float literal_read(struct program *p, const struct src *s, unsigned lane)
{
	const struct decl *d = s->file == REG_CONST && !s->relative ? program_decl(p, REG_CONST, s->index) : NULL;
	float const x = d ? d->value[swizzle_lane(s->swizzle, lane)] : 0;
	return s->negate ? -x : x;
}

/* Removes a number that is added and subtracted again to round a sum. */
static bool unrounded(struct program *p, uint32_t k, unsigned turn)
{
	struct instr *last = at(p, k);
	if (turn > 3 || last->op != OP_ADD)
		return false;
	unsigned const s = turn / 2, t = turn % 2, lane = first_lane(instr_writes(last));
	struct instr *first = at(p, maker(p, k, s));
	if (first == last || first->op != OP_ADD)
		return true;
	float const number = literal_read(p, &first->src[t], lane);
	if (fabsf(number) < 0x1p15f || literal_read(p, &last->src[1 - s], lane) + number != 0)
		return true;
	struct src left = through(&last->src[s], &first->src[1 - t]);
	left.negate ^= last->src[s].negate;
	last->op = OP_MOV;
	last->src[0] = left;
	return true;
}

static bool file_mixed_up(struct program *p, uint32_t k, unsigned turn)
{
	struct src *s = pick(at(p, k), &turn, 1);
	if (!s || s->relative || is_sampler(s))
		return s != NULL;
	if (s->file == REG_TEMP)
		s->file = program_stage(p) == STAGE_VERTEX ? REG_INPUT : REG_CONST;
	else if (s->index < 12 && ops[at(p, k)->op].shape != SHAPE_MATRIX)
		s->file = REG_TEMP;
	return true;
}

/* --- damage to declarations: k numbers them --------------------------------------- */

static struct decl *declared(struct program *p, uint32_t k, enum decl_kind kind)
{
	return k < p->decls.n && p->decls.at[k].kind == kind ? &p->decls.at[k] : NULL;
}

static bool literal_nudged(struct program *p, uint32_t k, unsigned turn)
{
	struct decl *d = declared(p, k, DECL_DEF);
	if (!d || turn >= 2 * LANES)
		return false;
	d->value[turn / 2] = nextafterf(d->value[turn / 2], turn % 2 ? INFINITY : -INFINITY);
	return true;
}

/* Multiplies a literal by a power of two that is 1 modulo 2^61 - 1, a prime in which a proof might compute. */
static bool literal_rescaled(struct program *p, uint32_t k, unsigned turn)
{
	struct decl *d = declared(p, k, DECL_DEF);
	if (!d || turn >= 2 * LANES)
		return false;
	float scaled = ldexpf(d->value[turn / 2], turn % 2 ? 61 : -61);
	if (isnormal(scaled))
		d->value[turn / 2] = scaled;
	return true;
}

static bool literal_negated(struct program *p, uint32_t k, unsigned turn)
{
	struct decl *d = declared(p, k, DECL_DEF);
	if (!d || turn >= LANES)
		return false;
	d->value[turn] = -d->value[turn];
	return true;
}

static bool literal_lost(struct program *p, uint32_t k, unsigned turn)
{
	if (turn || !declared(p, k, DECL_DEF))
		return false;
	memmove(p->decls.at + k, p->decls.at + k + 1, (p->decls.n - k - 1) * sizeof *p->decls.at);
	p->decls.n--;
	return true;
}

static bool centroid_changed(struct program *p, uint32_t k, unsigned turn)
{
	struct decl *d = declared(p, k, DECL_PIXEL_INPUT);
	if (!d || turn)
		return false;
	d->flags ^= INSTR_CENTROID;
	return true;
}

static bool texture_changed(struct program *p, uint32_t k, unsigned turn)
{
	struct decl *d = declared(p, k, DECL_SAMPLER);
	if (!d || turn > 1)
		return false;
	d->texture = (uint8_t)(1 + (d->texture + turn) % 3);
	p->samplers[d->reg.index] = d->texture;
	return true;
}

static bool usage_changed(struct program *p, uint32_t k, unsigned turn)
{
	struct decl *d = declared(p, k, DECL_VERTEX_INPUT);
	if (!d || turn > 1)
		return false;
	if (turn)
		d->usage_index ^= 1;
	else
		d->usage = d->usage == USAGE_POSITION ? USAGE_NORMAL : USAGE_POSITION;
	return true;
}

/* --- damage to flow control --------------------------------------------------------- */

static bool opens(unsigned op)
{
	return op == OP_IF || op == OP_IFC || op == OP_REP || op == OP_LOOP;
}

static bool ends(unsigned op)
{
	return op == OP_ENDIF || op == OP_ENDREP || op == OP_ENDLOOP;
}

bool damage_nests(const struct program *p)
{
	struct arena arena;
	const uint32_t *partner;
	uint32_t where;
	arena_init(&arena, NULL);
	bool const nests = !blocks_partners(&arena, p, &partner, &where);
	arena_free(&arena);
	return nests;
}

/* Returns the else or the end of the block that instruction k begins, or the number of instructions if there is none. */
static uint32_t end_of_block(struct program *p, uint32_t k)
{
	unsigned depth = 0;
	while (++k < p->instrs.n) {
		unsigned const op = at(p, k)->op;
		if (depth == 0 && (op == OP_ELSE || ends(op)))
			break;
		depth += opens(op);
		depth -= ends(op);
	}
	return k;
}

static void turn_round(struct program *p, uint32_t from, uint32_t to)
{
	for (; from + 1 < to; from++) {
		struct instr const first = *at(p, from);
		*at(p, from) = *at(p, --to);
		*at(p, to) = first;
	}
}

/* Turns if A else B endif into if B else A endif. */
static bool branches_swapped(struct program *p, uint32_t k, unsigned turn)
{
	unsigned const op = at(p, k)->op;
	if (turn || (op != OP_IF && op != OP_IFC))
		return false;
	uint32_t const middle = end_of_block(p, k);
	if (middle == p->instrs.n || at(p, middle)->op != OP_ELSE)
		return false;
	uint32_t const end = end_of_block(p, middle), second = end - middle - 1;
	turn_round(p, k + 1, end);
	turn_round(p, k + 1, k + 1 + second);
	turn_round(p, k + 2 + second, end);
	return true;
}

static bool condition_changed(struct program *p, uint32_t k, unsigned turn)
{
	struct instr *i = at(p, k);
	static const uint8_t others[COMPARISONS][2] = {
		[COMPARE_GT] = {COMPARE_LE, COMPARE_GE}, [COMPARE_GE] = {COMPARE_LT, COMPARE_GT}, [COMPARE_LT] = {COMPARE_GE, COMPARE_LE},
		[COMPARE_LE] = {COMPARE_GT, COMPARE_LT}, [COMPARE_EQ] = {COMPARE_NE, COMPARE_GE}, [COMPARE_NE] = {COMPARE_EQ, COMPARE_LT},
	};
	if (turn > 1 || !(ops[i->op].flags & OPF_COMPARES))
		return false;
	i->comparison = others[i->comparison][turn];
	return true;
}

/* Negates or drops a predicate, or reads it in another lane. */
static bool predicate_changed(struct program *p, uint32_t k, unsigned turn)
{
	struct instr *i = at(p, k);
	if (turn > 2 || !i->predicate)
		return false;
	if (turn == 0)
		i->predicate = i->predicate == PREDICATE_TRUE ? PREDICATE_FALSE : PREDICATE_TRUE;
	else if (turn == 2)
		i->predicate_swizzle = swizzle_is_lane(i->predicate_swizzle) ? SWIZZLE_XYZW : swizzle_replicate(LANE_X);
	else
		i->predicate = PREDICATE_NONE;
	return true;
}

static bool break_removed(struct program *p, uint32_t k, unsigned turn)
{
	unsigned const op = at(p, k)->op;
	return (op == OP_BREAK || op == OP_BREAKC || op == OP_BREAKP) && instr_dropped(p, k, turn);
}

/* Moves an instruction behind the end of its block, or before its begin. */
static bool left_block(struct program *p, uint32_t k, unsigned turn)
{
	uint32_t to = k;
	if (turn > 1 || op_is_flow(at(p, k)->op))
		return false;
	if (turn == 0) {
		to = end_of_block(p, k);
		return to < p->instrs.n && order_changed(p, k, to - k - 1);
	}
	while (to-- > 0 && !opens(at(p, to)->op))
		if (ends(at(p, to)->op))
			return false;
	if (to == UINT32_MAX)
		return false;
	struct instr const moved = *at(p, k);
	memmove(at(p, to + 1), at(p, to), (k - to) * sizeof moved);
	*at(p, to) = moved;
	return true;
}

/* Moves the end of a block by an instruction. */
static bool end_moved(struct program *p, uint32_t k, unsigned turn)
{
	if (turn > 1 || !ends(at(p, k)->op) || k == 0)
		return false;
	return turn == 0 ? order_changed(p, k, 0) : order_changed(p, k - 1, 0);
}

static bool call_changed(struct program *p, uint32_t k, unsigned turn)
{
	unsigned const op = at(p, k)->op;
	if (turn > 1 || (op != OP_CALL && op != OP_CALLNZ))
		return false;
	return renumber(&at(p, k)->src[0], REG_LABEL, 2048, turn);
}

/* Takes another b# or lane of p0, or its negation. */
static bool truth_changed(struct program *p, uint32_t k, unsigned turn)
{
	struct instr *i = at(p, k);
	EACH_SOURCE(s, i) {
		struct src *src = &i->src[s];
		if (turn > 2 || (src->file != REG_BOOL && src->file != REG_PREDICATE))
			continue;
		if (turn == 2)
			src->negate = !src->negate;
		else if (src->file == REG_PREDICATE)
			src->swizzle = swizzle_replicate((swizzle_lane(src->swizzle, 0) + 1 + turn) % LANES);
		else
			return renumber(src, REG_BOOL, 16, turn);
		return true;
	}
	return false;
}

/* Takes another i#. */
static bool counter_changed(struct program *p, uint32_t k, unsigned turn)
{
	struct instr *i = at(p, k);
	if (turn > 1 || (i->op != OP_REP && i->op != OP_LOOP))
		return false;
	return renumber(&i->src[i->op == OP_LOOP], REG_INT, 16, turn);
}

static bool count_changed(struct program *p, uint32_t k, unsigned turn)
{
	struct decl *d = declared(p, k, DECL_INT);
	if (!d || turn >= 6)
		return false;
	int32_t *number = &d->integer[turn / 2];
	if (turn % 2 || *number > 0)
		*number += turn % 2 ? 1 : -1;
	return true;
}

static bool truth_turned(struct program *p, uint32_t k, unsigned turn)
{
	struct decl *d = declared(p, k, DECL_BOOL);
	if (!d || turn)
		return false;
	d->integer[0] = !d->integer[0];
	return true;
}

const struct damage_kind damage_kinds[DAMAGES] = {
	[DAMAGE_MASK_LANE_LOST] = {"a lane of the write mask lost", mask_lane_lost, false},
	[DAMAGE_MASK_LANE_ADDED] = {"a lane of the write mask added", mask_lane_added, false},
	[DAMAGE_MASK_SHIFTED] = {"the write mask shifted", mask_shifted, false},
	[DAMAGE_SWIZZLE_LANE_CHANGED] = {"one swizzle letter changed", swizzle_lane_changed, false},
	[DAMAGE_SWIZZLE_ROTATED] = {"a swizzle rotated", swizzle_rotated, false},
	[DAMAGE_SWIZZLE_DROPPED] = {"a swizzle dropped", swizzle_dropped, false},
	[DAMAGE_SIGN_CHANGED] = {"a sign changed", sign_changed, false},
	[DAMAGE_TEMP_MISREAD] = {"another temporary read", temp_misread, false},
	[DAMAGE_CONST_MISNUMBERED] = {"another constant read", const_misnumbered, false},
	[DAMAGE_INTERPOLATOR_MISREAD] = {"another interpolator read", interpolator_misread, false},
	[DAMAGE_VERTEX_INPUT_MISREAD] = {"another vertex input read", vertex_input_misread, false},
	[DAMAGE_SAMPLER_MISNUMBERED] = {"another sampler read", sampler_misnumbered, false},
	[DAMAGE_RELATIVE_OFFSET_CHANGED] = {"the offset to a0 changed", relative_offset_changed, false},
	[DAMAGE_FILE_MIXED_UP] = {"another register file read", file_mixed_up, false},
	[DAMAGE_TEMP_MISWRITTEN] = {"another temporary written", temp_miswritten, false},
	[DAMAGE_INTERPOLATOR_MISWRITTEN] = {"another interpolator written", interpolator_miswritten, false},
	[DAMAGE_TARGET_MISWRITTEN] = {"another target written", target_miswritten, false},
	[DAMAGE_OPCODE_CHANGED] = {"another opcode of the same shape", opcode_changed, false},
	[DAMAGE_OPERANDS_EXCHANGED] = {"two operands exchanged", operands_exchanged, false},
	[DAMAGE_LIMIT_MOVED] = {"what is at a limit on its other side", limit_moved, false},
	[DAMAGE_OPERAND_REPEATED] = {"one operand in place of another", operand_repeated, false},
	[DAMAGE_INSTR_DROPPED] = {"an instruction dropped", instr_dropped, false},
	[DAMAGE_NEIGHBOUR_OVERWRITTEN] = {"an instruction doubled over its neighbour", neighbour_overwritten, false},
	[DAMAGE_ORDER_CHANGED] = {"an instruction moved down", order_changed, false},
	[DAMAGE_DEPTH_CHANGED] = {"only the .z of a 2D read changed", depth_changed, false},
	[DAMAGE_CLAMP_CHANGED] = {"a clamp added or missing", clamp_changed, false},
	[DAMAGE_REGROUPED] = {"a sum, a product or both regrouped", regrouped, false},
	[DAMAGE_UNROUNDED] = {"a sum that rounds made a real one", unrounded, false},
	[DAMAGE_LITERAL_NUDGED] = {"a literal off by one unit", literal_nudged, true},
	[DAMAGE_LITERAL_RESCALED] = {"a literal times 2^61", literal_rescaled, true},
	[DAMAGE_LITERAL_NEGATED] = {"a literal's sign changed", literal_negated, true},
	[DAMAGE_LITERAL_LOST] = {"a literal lost", literal_lost, true},
	[DAMAGE_CENTROID_CHANGED] = {"centroid sampling added or missing", centroid_changed, true},
	[DAMAGE_TEXTURE_CHANGED] = {"another kind of texture", texture_changed, true},
	[DAMAGE_USAGE_CHANGED] = {"another vertex usage", usage_changed, true},
	[DAMAGE_BRANCHES_SWAPPED] = {"the branches of an if exchanged", branches_swapped, false},
	[DAMAGE_CONDITION_CHANGED] = {"another comparison", condition_changed, false},
	[DAMAGE_PREDICATE_CHANGED] = {"a predicate turned, dropped, or of another lane", predicate_changed, false},
	[DAMAGE_BREAK_REMOVED] = {"a break removed", break_removed, false},
	[DAMAGE_LEFT_BLOCK] = {"an instruction moved out of its block", left_block, false},
	[DAMAGE_END_MOVED] = {"the end of a block moved by an instruction", end_moved, false},
	[DAMAGE_CALL_CHANGED] = {"another subroutine called", call_changed, false},
	[DAMAGE_TRUTH_CHANGED] = {"another b# or lane of p0, or its opposite", truth_changed, false},
	[DAMAGE_COUNTER_CHANGED] = {"another i# counted by", counter_changed, false},
	[DAMAGE_COUNT_CHANGED] = {"another count in a defi", count_changed, true},
	[DAMAGE_TRUTH_TURNED] = {"a defb turned", truth_turned, true},
};
