/* Compares the float operations that compute the position in two vertex programs, by running both on expressions instead of numbers.
 *
 * Each lane of oPos must be the same expression of inputs, constants and literals in both.  Equal expressions are equal bit for bit, however
 * they are rounded, as long as an operation rounds alike wherever it stands.  These differences do not count:
 *   - moves, sharing of results, and the lanes that are used;
 *   - the order and the signs of the two factors of a product, and the order of the two terms of a sum;
 *   - a difference, and the sum with the negated operand;
 *   - a factor 1, and a term -0 (but a term 0 turns -0 into 0);
 *   - an input times 0 plus a literal, and that literal: a vertex holds finite values;
 *   - a matrix product, and its rows (Direct3D 9 defines m4x4 as four dp4). */
#include "lang/outline.h"
#include "verify/checks.h"

#include <math.h>
#include <string.h>

/* An expression, as a hash.  Its sign is kept apart from the hash, since negating before or after an operation is equally exact. */
struct expr {
	uint64_t hash;  /* 0 if nothing wrote the register */
	bool negative;
	bool input;     /* the expression is an input of the vertex, which is finite */
	bool number;    /* the expression is a literal */
	bool magnitude; /* apart from its sign, the expression is the result of an abs */
};

/* A value of a lane of a0 by which constants are read. */
struct address {
	struct expr value;
	unsigned lane;
	uint32_t writer;
};

/* A run of a vertex program on expressions. */
struct expr_run {
	const struct program *program;
	int16_t set_from[MACHINE_CONSTS]; /* for each VP constant, the FP constant that it is a copy of, or -1 */
	struct expr temp[MACHINE_TEMPS][LANES], address[LANES], position[LANES];
	uint32_t address_writer[LANES], position_writer[LANES];
	struct { VEC(struct address); } used;
	uint64_t regions; /* a hash of all that blocks (regions, lang/outline.h) have read so far */
};

/* The kinds of leaves of an expression, as the first value of its hash.  Opcodes are numbered after them. */
enum leaf { LEAF_INPUT, LEAF_UNDECLARED, LEAF_CONST, LEAF_SET_FROM, LEAF_RELATIVE, LEAF_LITERAL, LEAVES };

static struct expr leaf_expr(enum leaf kind, uint64_t a, uint64_t b, unsigned lane)
{
	uint64_t const hash = field_mix(field_mix(field_mix(1 + (uint64_t)kind, a), b), lane);
	return (struct expr){.hash = hash, .input = kind == LEAF_INPUT, .number = kind == LEAF_LITERAL};
}

static uint64_t hash_with(uint64_t state, struct expr x)
{
	return field_mix(state, field_mix(x.hash, x.negative));
}

/* Hashes the two operands of a product or sum, so that a, b and b, a give the same hash. */
static uint64_t hash_with_pair(uint64_t state, struct expr a, struct expr b)
{
	bool swap = a.hash != b.hash ? a.hash > b.hash : a.negative > b.negative;
	return hash_with(hash_with(state, swap ? b : a), swap ? a : b);
}

/* Hashes a product that is part of an expression, with one sign for both factors. */
static uint64_t hash_with_product(uint64_t state, struct expr a, struct expr b)
{
	state = field_mix(state, a.negative != b.negative);
	a.negative = b.negative = false;
	return hash_with_pair(state, a, b);
}

static struct expr literal_expr(float x)
{
	float const magnitude = fabsf(x);
	uint32_t bits;
	memcpy(&bits, &magnitude, sizeof bits);
	struct expr e = leaf_expr(LEAF_LITERAL, bits, 0, 0);
	e.negative = signbit(x) != 0;
	return e;
}

static bool is_minus_zero(struct expr x)
{
	return x.hash == literal_expr(0).hash && x.negative;
}

static bool is_address_used(const struct expr_run *w, const struct expr *x)
{
	bool found = false;
	for (uint32_t k = 0; k < w->used.n && !found; k++)
		found = w->used.at[k].value.hash == x->hash;
	return found;
}

/* Returns the expression in a lane of a0, and notes that constants are addressed by it. */
static struct expr use_address(struct arena *arena, struct expr_run *w, unsigned lane)
{
	struct address const used = {w->address[lane], lane, w->address_writer[lane]};
	if (!is_address_used(w, &used.value))
		VEC_PUSH(arena, &w->used) = used;
	return used.value;
}

static struct expr constant_expr(struct arena *arena, struct expr_run *w, const struct src *s, int index, unsigned lane)
{
	if (s->relative)
		return leaf_expr(LEAF_RELATIVE, use_address(arena, w, s->relative - 1u).hash, (uint64_t)index, lane);
	const struct decl *def = program_decl(w->program, REG_CONST, index);
	if (def)
		return literal_expr(def->value[lane]);
	int const from = w->set_from[index];
	return from < 0 ? leaf_expr(LEAF_CONST, (uint64_t)index, 0, lane) : leaf_expr(LEAF_SET_FROM, (uint64_t)from, 0, lane);
}

/* Returns the expression in lane `lane` of operand s; `row` is the row of a matrix, and else 0. */
static struct expr operand_expr(struct arena *arena, struct expr_run *w, const struct instr *i, unsigned s, int row, unsigned lane)
{
	const struct src *src = &i->src[s];
	unsigned const from = swizzle_lane(src->swizzle, lane);
	int const index = src->index + row;
	struct expr x = {0};
	if (src->file == REG_TEMP) {
		x = w->temp[index][from];
	} else if (src->file == REG_CONST) {
		x = constant_expr(arena, w, src, index, from);
	} else {
		const struct decl *d = program_decl(w->program, (enum reg_file)src->file, index);
		x = d ? leaf_expr(LEAF_INPUT, d->usage, d->usage_index, from) : leaf_expr(LEAF_UNDECLARED, (uint64_t)index, 0, from);
	}
	x.negative ^= src->negate;
	return x;
}

/* Returns true if the opcode computes different functions in different result lanes, as lit does. */
static bool tells_lanes_apart(enum op op)
{
	enum op_shape const shape = ops[op].shape;
	return shape != SHAPE_LANES && shape != SHAPE_SCALAR && shape != SHAPE_DP3 && shape != SHAPE_DP4;
}

/* --- sums and products, without factors 1 and terms -0, which change nothing ---------- */

static struct expr sum_expr(struct expr a, struct expr b)
{
	if (is_minus_zero(a) || is_minus_zero(b))
		return is_minus_zero(a) ? b : a;
	return (struct expr){.hash = hash_with_pair(1 + LEAVES + OP_ADD, a, b)};
}

static struct expr product_expr(struct expr a, struct expr b)
{
	uint64_t const one = literal_expr(1).hash;
	struct expr x = a.hash == one ? b : a;
	bool const negative = a.negative != b.negative;
	a.negative = b.negative = false;
	if (a.hash != one && b.hash != one)
		x = (struct expr){.hash = hash_with_pair(1 + LEAVES + OP_MUL, a, b)};
	x.negative = negative;
	return x;
}

/* Returns the expression a b + c of a mad.  It differs from that of a mul and an add, since hardware may round a mad once or twice. */
static struct expr product_and_sum_expr(struct expr a, struct expr b, struct expr c)
{
	uint64_t const one = literal_expr(1).hash, zero = literal_expr(0).hash;
	if (a.hash == one || b.hash == one)
		return sum_expr(product_expr(a, b), c);
	if (is_minus_zero(c))
		return product_expr(a, b);
	if (c.number && ((a.hash == zero && b.input) || (b.hash == zero && a.input)))
		return c;
	return (struct expr){.hash = hash_with(hash_with_product(1 + LEAVES + OP_MAD, a, b), c)};
}

static struct expr arithmetic_expr(struct arena *arena, struct expr_run *w, const struct instr *i, unsigned lane)
{
	struct expr x[MAX_SOURCES] = {{0}};
	for (unsigned s = 0; s < ops[i->op].sources; s++)
		x[s] = operand_expr(arena, w, i, s, 0, lane);
	x[1].negative ^= i->op == OP_SUB;
	return i->op == OP_MUL   ? product_expr(x[0], x[1])
	       : i->op == OP_MAD ? product_and_sum_expr(x[0], x[1], x[2])
	                         : sum_expr(x[0], x[1]);
}

/* Returns the expression of a result lane.  Treats _sat as an operation by itself, as if a mov_sat followed. */
static struct expr result_expr(struct arena *arena, struct expr_run *w, const struct instr *i, unsigned lane)
{
	if (i->flags & INSTR_SAT) {
		struct instr bare = *i;
		bare.flags = (uint8_t)(i->flags & ~INSTR_SAT);
		return (struct expr){.hash = hash_with(field_mix(1 + LEAVES + OP_MOV, INSTR_SAT), result_expr(arena, w, &bare, lane))};
	}
	if (i->op == OP_REGION_OUT)
		return (struct expr){.hash = field_mix(field_mix(w->regions, 1 + LEAVES + (uint64_t)i->op), (uint64_t)i->region << 2 | lane)};
	bool const matrix = ops[i->op].shape == SHAPE_MATRIX;
	bool const long_rows = i->op == OP_M4X4 || i->op == OP_M4X3;
	enum op const op = !matrix ? (enum op)i->op : long_rows ? OP_DP4 : OP_DP3;
	int const row = matrix ? (int)lane : 0;
	if (op == OP_MOV && !i->flags && i->dst.file != REG_ADDRESS)
		return operand_expr(arena, w, i, 0, 0, lane);
	if (op == OP_ABS && !(i->flags & (unsigned)~INSTR_MODIFIER)) { /* an abs instruction or the modifier _abs; a second abs does nothing */
		struct expr x = operand_expr(arena, w, i, 0, 0, lane);
		x.negative = false;
		return x.magnitude ? x : (struct expr){.hash = hash_with(1 + LEAVES + OP_ABS, x), .magnitude = true};
	}
	if (!i->flags && (op == OP_ADD || op == OP_SUB || op == OP_MUL || op == OP_MAD))
		return arithmetic_expr(arena, w, i, lane);
	uint64_t state = field_mix(1 + LEAVES + (uint64_t)op, i->flags);
	if (tells_lanes_apart(op))
		state = field_mix(state, lane);
	/* The sum of squares depends on the write mask of nrm in Wine: it takes the lanes that are written, without w if x, y and z all are. */
	if (op == OP_NRM)
		state = field_mix(state, (i->dst.mask & MASK_XYZ) == MASK_XYZ ? MASK_XYZ : i->dst.mask);
	bool const pairs = op == OP_DP3 || op == OP_DP4;
	for (unsigned s = 0; s < ops[op].sources; s++) {
		lanes const read = instr_operand_lanes(w->program, i, s, (lanes)(1u << lane));
		for (unsigned l = 0; l < LANES && !(pairs && s == 1); l++) {
			if (!(read >> l & 1))
				continue;
			struct expr const x = operand_expr(arena, w, i, s, s == 1 ? row : 0, l);
			state = pairs ? hash_with_product(state, x, operand_expr(arena, w, i, 1, row, l)) : hash_with(state, x);
		}
	}
	return (struct expr){.hash = state};
}

static void hash_region_operands(struct arena *arena, struct expr_run *w, const struct instr *i)
{
	EACH_SOURCE(s, i) {
		lanes const read = i->region == REGION_FENCE ? 0 : instr_operand_lanes(w->program, i, s, 0);
		EACH_LANE(l, read)
			w->regions = hash_with(w->regions, operand_expr(arena, w, i, s, 0, l));
	}
}

static void run_instr(struct arena *arena, struct expr_run *w, uint32_t k)
{
	const struct instr *i = &w->program->instrs.at[k];
	if (op_is_region(i->op))
		hash_region_operands(arena, w, i);
	lanes const mask = instr_writes(i);
	bool const temp = i->dst.file == REG_TEMP, address = i->dst.file == REG_ADDRESS, position = i->dst.file == REG_POS_OUT;
	struct expr new[LANES];
	EACH_LANE(l, mask)
		new[l] = result_expr(arena, w, i, l);
	for (unsigned l = 0; l < LANES; l++) {
		if (!(mask >> l & 1) || !(temp || address || position))
			continue;
		*(temp ? &w->temp[i->dst.index][l] : address ? &w->address[l] : &w->position[l]) = new[l];
		if (!temp)
			(address ? w->address_writer : w->position_writer)[l] = k;
	}
}

static struct expr_run *run_on_expressions(struct arena *arena, const struct program *p, const struct const_map *consts, uint32_t nconsts)
{
	struct expr_run *w = arena_zero(arena, sizeof *w);
	w->program = p;
	memset(w->set_from, 0xff, sizeof w->set_from); /* sets all to -1 */
	memset(w->address_writer, 0xff, sizeof w->address_writer);
	memset(w->position_writer, 0xff, sizeof w->position_writer);
	for (uint32_t k = 0; k < nconsts; k++)
		w->set_from[consts[k].vs] = (int16_t)consts[k].ps;
	for (uint32_t k = 0; k < p->instrs.n; k++)
		run_instr(arena, w, k);
	return w;
}

bool position_as_written(struct arena *arena, const struct program *old, const struct program *new,
                         const struct proof_context *c, struct position_change *change)
{
	const struct needs *given = c->given;
	const struct expr_run *before = run_on_expressions(arena, old, given ? given->consts.at : NULL, given ? given->consts.n : 0);
	const struct expr_run *after = run_on_expressions(arena, new, c->consts, c->nconsts);
	for (uint32_t k = 0; k < after->used.n; k++) {
		const struct address *a = &after->used.at[k];
		*change = (struct position_change){.file = REG_ADDRESS, .lane = a->lane, .old_instr = UINT32_MAX, .new_instr = a->writer};
		if (!is_address_used(before, &a->value))
			return false;
	}
	for (unsigned l = 0; l < LANES; l++) {
		const struct expr *x = &before->position[l], *y = &after->position[l];
		*change = (struct position_change){.file = REG_POS_OUT, .lane = l, .old_instr = before->position_writer[l],
		                                   .new_instr = after->position_writer[l]};
		if (x->hash != y->hash || x->negative != y->negative)
			return false;
	}
	return true;
}
