/* Values and their arithmetic, see values.h: constants and affine values, each kept once. */
#include "move/graph/values.h"

#include "lang/rounding.h"

#include <assert.h>
#include <string.h>

/* ---- fingerprints: arithmetic at a random point, modulo two primes ---------- */

static const uint32_t prime[2] = {FINGERPRINT_PRIME, 4294967291u};

static uint32_t mul_mod(uint32_t x, uint32_t y, uint32_t p)
{
	return (uint32_t)((uint64_t)x * y % p);
}

static uint32_t power_mod(uint32_t x, uint32_t n, uint32_t p)
{
	uint32_t r = 1;
	for (; n; n >>= 1) {
		if (n & 1)
			r = mul_mod(r, x, p);
		x = mul_mod(x, x, p);
	}
	return r;
}

static struct fingerprint print_add(struct fingerprint x, struct fingerprint y)
{
	return (struct fingerprint){(uint32_t)(((uint64_t)x.a + y.a) % prime[0]),
	                            (uint32_t)(((uint64_t)x.b + y.b) % prime[1])};
}

static struct fingerprint print_mul(struct fingerprint x, struct fingerprint y)
{
	return (struct fingerprint){mul_mod(x.a, y.a, prime[0]), mul_mod(x.b, y.b, prime[1])};
}

static struct fingerprint print_neg(struct fingerprint x)
{
	return (struct fingerprint){x.a ? prime[0] - x.a : 0, x.b ? prime[1] - x.b : 0};
}

static struct fingerprint print_inverse(struct fingerprint x)
{
	return (struct fingerprint){power_mod(x.a, prime[0] - 2, prime[0]), power_mod(x.b, prime[1] - 2, prime[1])};
}

uint32_t fingerprint_quotient(uint32_t x, uint32_t y)
{
	return mul_mod(x, power_mod(y, prime[0] - 2, prime[0]), prime[0]);
}

static uint64_t mix(uint64_t x)
{
	x ^= x >> 32;
	x *= 0xd6e8feb86659fd93u;
	x ^= x >> 32;
	x *= 0xd6e8feb86659fd93u;
	x ^= x >> 32;
	return x;
}

static struct fingerprint print_hash(uint64_t key, struct fingerprint x)
{
	uint64_t h = mix(key * 0x9e3779b97f4a7c15u + 1);
	h = mix(h ^ ((uint64_t)x.a << 32 | x.b));
	uint64_t g = mix(h + 0x632be59bd9b4e019u);
	return (struct fingerprint){(uint32_t)(h % prime[0]), (uint32_t)(g % prime[1])};
}

/* A float is a whole number times a power of two, so it has an exact image in both fields: modulo the first prime 2^31
 * is 1, modulo the second 2^32 is 5. */
static struct fingerprint print_number(float number)
{
	static const uint32_t five[] = {1, 5, 25, 125, 625, 3125, 15625, 78125, 390625, 1953125};
	enum { UP = 6 }; /* no exponent is below zero after so many turns */
	uint32_t const back = 2319694654u; /* 1 / 5^UP */
	int exponent;
	uint64_t const mantissa = (uint64_t)ldexpf(frexpf(fabsf(number), &exponent), 24);
	unsigned const first = (unsigned)(exponent - 24 + UP * 31), second = (unsigned)(exponent - 24 + UP * 32);
	struct fingerprint f = {(uint32_t)((mantissa << first % 31) % prime[0]),
	                        mul_mod((uint32_t)(mantissa * five[second / 32] % prime[1]), UINT32_C(1) << second % 32, prime[1])};
	f.b = mul_mod(f.b, back, prime[1]);
	return number < 0 ? print_neg(f) : f;
}

/* Far enough apart for all registers and inputs. */
enum { KEY_RAW = 1 << 16, KEY_INPUT = 2 << 16, KEY_OP = 3 << 16, KEY_WILD = 4 << 16 };

/* ---- the table -------------------------------------------------------------- */

static uint32_t slot_of(const struct values *v, struct fingerprint f)
{
	return (uint32_t)mix((uint64_t)f.a << 32 | f.b) & (v->table_size - 1);
}

static value_id find(const struct values *v, struct fingerprint f, uint8_t class, uint8_t kind)
{
	for (uint32_t i = slot_of(v, f); v->table[i] != NO_VALUE; i = (i + 1) & (v->table_size - 1)) {
		const struct value *x = value_at(v, v->table[i]);
		if (x->print.a == f.a && x->print.b == f.b && x->class == class && x->kind == kind)
			return v->table[i];
	}
	return NO_VALUE;
}

static void insert(struct values *v, value_id id)
{
	uint32_t i = slot_of(v, value_at(v, id)->print);
	while (v->table[i] != NO_VALUE)
		i = (i + 1) & (v->table_size - 1);
	v->table[i] = id;
}

static void grow_table(struct values *v)
{
	if (v->table && v->all.n * 2 < v->table_size)
		return;
	v->table_size = v->table ? v->table_size * 2 : 256;
	v->table = arena_alloc(v->arena, v->table_size * sizeof *v->table);
	memset(v->table, 0xff, v->table_size * sizeof *v->table);
	for (uint32_t id = 0; id < v->all.n; id++)
		if (value_at(v, id)->class != VALUE_PIXEL)
			insert(v, id);
}

/* A constant or affine value that is not there yet. */
static value_id add(struct values *v, const struct value *x)
{
	grow_table(v);
	VEC_PUSH(v->arena, &v->all) = *x;
	insert(v, v->all.n - 1);
	return v->all.n - 1;
}

value_id value_new_pixel(struct values *v)
{
	struct value *x = &VEC_PUSH(v->arena, &v->all);
	x->class = VALUE_PIXEL;
	x->constant = NO_VALUE;
	return v->all.n - 1;
}

/* ---- sizes: what float arithmetic has digits for ------------------------------- */

struct size {
	double offset, scale; /* as in struct value; a known one has no scale */
};

static struct size size_of(const struct values *v, value_id id)
{
	const struct value *x = value_at(v, id);
	return x->known ? (struct size){(double)x->number, 0} : (struct size){x->offset, x->scale};
}

static double greatest(struct size x)
{
	return fmax(fabs(x.offset), x.scale);
}

static struct size size_sum(struct size a, struct size b)
{
	return (struct size){a.offset + b.offset, fmax(a.scale, b.scale)};
}

static struct size size_product(struct size a, struct size b)
{
	if (a.scale > 0 && b.scale > 0)
		return (struct size){0, greatest(a) * greatest(b)};
	return (struct size){a.offset * b.offset, a.scale > 0 ? a.scale * fabs(b.offset) : fabs(a.offset) * b.scale};
}

/* Does float arithmetic round the sum: has one of what is added up more than FAR_APART
 * of what is left?  Where the programs do such a thing, what comes before it is as bad: of something that is added has
 * more than that of something else. */
static bool is_rounded(struct values *v, const struct size *added, unsigned n, struct size sum)
{
	double most = 0, least = (double)INFINITY;
	for (unsigned k = 0; k < n; k++) {
		most = fmax(most, greatest(added[k]));
		least = added[k].scale > 0 ? fmin(least, added[k].scale) : least;
	}
	bool const rounded = most >= FAR_APART * greatest(sum) && greatest(sum) > 0;
	bool const refused = rounded || (v->careful && most >= FAR_APART * least);
	v->rounds |= rounded;
	v->refused |= refused;
	return refused;
}

/* Is what is multiplied so far from 1 that in another order a float might not hold it? */
static bool is_extreme(struct size x)
{
	return x.scale > 0 && (greatest(x) > FAR_FACTOR || greatest(x) < 1 / FAR_FACTOR);
}

/* ---- constants ---------------------------------------------------------------- */

static value_id add_const(struct values *v, struct value *x, enum const_op op, const value_id *args, unsigned n)
{
	x->class = VALUE_CONST;
	x->kind = KIND_ANY;
	x->op = (uint8_t)op;
	x->nargs = (uint8_t)n;
	x->constant = NO_VALUE;
	value_id known = find(v, x->print, VALUE_CONST, KIND_ANY);
	if (known != NO_VALUE)
		return known;
	if (n) {
		x->args = arena_alloc(v->arena, n * sizeof *args);
		memcpy(x->args, args, n * sizeof *args);
	}
	/* A negation is a modifier, and a product may be the first half of a mad. */
	for (unsigned k = 0; k < n && !x->known; k++) {
		const struct value *arg = value_at(v, args[k]);
		bool half = op == CONST_ADD && arg->op == CONST_MUL && !arg->known;
		if (arg->depth >= x->depth && arg->depth < UINT16_MAX)
			x->depth = (uint16_t)(arg->depth + (op != CONST_NEG && !half));
	}
	return add(v, x);
}

/* What equals nothing else and stays where it is: 1 / 0 is no 0, whatever a field says of it. */
static void make_wild(struct value *x, enum const_op op)
{
	x->known = false;
	x->wild = true;
	x->number = 0;
	x->scale = 1;
	x->print = print_hash(KEY_WILD + (uint64_t)op, x->print);
}

value_id value_of_literal(struct values *v, float number)
{
	uint32_t bits;
	memcpy(&bits, &number, sizeof bits);
	struct made_literal *made = &v->literal[(bits * UINT32_C(0x9e3779b1)) >> 26];
	if (!made->id || made->bits != bits) {
		struct value x = {.known = true, .number = (long double)number, .rounded = number, .print = print_number(number)};
		x.rounds = (v->careful && fabsf(number) >= (float)FAR_APART) || !number_is_normal(x.number);
		*made = (struct made_literal){bits, 1 + add_const(v, &x, CONST_LITERAL, NULL, 0)};
	}
	return made->id - 1;
}
static_assert(MADE_LITERALS == 1 << 6, "six bits of the product are the place");

value_id value_of_constant(struct values *v, int reg, unsigned lane)
{
	return value_of_raw(v, reg + (int)v->program * PROGRAM_CONSTS, lane);
}

value_id value_of_raw(struct values *v, int reg, unsigned lane)
{
	bool const own = reg >= values_own(v);
	struct value x = {.app = !own, .sent = own, .scale = 1, .reg = (int16_t)reg, .lane = (uint8_t)lane,
	                  .print = print_hash(KEY_RAW + (uint64_t)reg * 4 + lane, (struct fingerprint){0, 0})};
	return add_const(v, &x, CONST_RAW, NULL, 0);
}

static long double number_of(enum const_op op, const long double *a, unsigned n)
{
	long double sum = 0;
	switch (op) {
	case CONST_LITERAL:
	case CONST_RAW:
	case CONST_COS:
	case CONST_SIN: break;
	case CONST_ADD: return a[0] + a[1];
	case CONST_MUL: return a[0] * a[1];
	case CONST_MAD: return a[0] * a[1] + a[2];
	case CONST_NEG: return -a[0];
	case CONST_DP3:
	case CONST_DP4:
		for (unsigned i = 0; i < n; i += 2)
			sum += a[i] * a[i + 1];
		return sum;
	case CONST_RCP: return 1 / a[0];
	case CONST_RSQ: return 1 / sqrtl(fabsl(a[0]));
	case CONST_EXP: return exp2l(a[0]);
	case CONST_LOG: return log2l(fabsl(a[0]));
	case CONST_FRC: return a[0] - floorl(a[0]);
	case CONST_MAX: return a[0] >= a[1] ? a[0] : a[1];
	case CONST_MIN: return a[0] < a[1] ? a[0] : a[1];
	case CONST_ABS: return fabsl(a[0]);
	case CONST_CMP: return a[0] >= 0 ? a[1] : a[2];
	case CONST_POW: return exp2l(a[1] * log2l(fabsl(a[0]))); /* the macro: 0^0 is no number */
	case CONST_SAT: return fminl(fmaxl(a[0], 0), 1);
	}
	return (long double)NAN;
}

/* The same in float arithmetic, which rounds products, too, before they are added up. */
static float float_of(enum const_op op, const long double *a, unsigned n)
{
	float sum = op == CONST_MAD ? (float)a[2] : 0;
	if (op != CONST_MAD && op != CONST_DP3 && op != CONST_DP4)
		return (float)number_of(op, a, n);
	for (unsigned i = 0; i + 1 < n; i += 2)
		sum += (float)(a[i] * a[i + 1]);
	return sum;
}

static struct fingerprint print_of(const struct values *v, enum const_op op, const value_id *args, unsigned n)
{
	struct fingerprint f[8] = {{0, 0}};
	for (unsigned i = 0; i < n; i++)
		f[i] = value_at(v, args[i])->print;
	struct fingerprint const one = {1, 1};
	switch (op) {
	case CONST_LITERAL:
	case CONST_RAW:
	case CONST_COS:
	case CONST_SIN: break;
	case CONST_ADD: return print_add(f[0], f[1]);
	case CONST_MUL: return print_mul(f[0], f[1]);
	case CONST_MAD: return print_add(print_mul(f[0], f[1]), f[2]);
	case CONST_NEG: return print_neg(f[0]);
	case CONST_DP3:
	case CONST_DP4: {
		struct fingerprint sum = {0, 0};
		for (unsigned i = 0; i < n; i += 2)
			sum = print_add(sum, print_mul(f[i], f[i + 1]));
		return sum;
	}
	case CONST_RCP: return print_inverse(f[0]);
	/* Not algebraic: any function of the argument's fingerprint; max does not care for the order,
	 * min and abs are made of max, as in the proof. */
	case CONST_MAX: return print_hash(KEY_OP + CONST_MAX, print_add(print_hash(1, f[0]), print_hash(1, f[1])));
	case CONST_MIN:
		return print_neg(print_hash(KEY_OP + CONST_MAX, print_add(print_hash(1, print_neg(f[0])),
		                                                           print_hash(1, print_neg(f[1])))));
	case CONST_ABS:
		return print_hash(KEY_OP + CONST_MAX, print_add(print_hash(1, f[0]), print_hash(1, print_neg(f[0]))));
	case CONST_CMP:
		return print_add(f[2], print_mul(print_hash(KEY_OP + CONST_CMP, f[0]), print_add(f[1], print_neg(f[2]))));
	case CONST_SAT:
		return print_hash(KEY_OP + CONST_SAT, print_add(f[0], one));
	case CONST_RSQ:
	case CONST_EXP:
	case CONST_LOG:
	case CONST_FRC: return print_hash(KEY_OP + (uint64_t)op, f[0]);
	case CONST_POW: return print_hash(KEY_OP + CONST_POW, print_add(f[0], print_hash(2, f[1])));
	}
	return one;
}

static bool is_number(const struct values *v, value_id id, long double number)
{
	const struct value *x = value_at(v, id);
	return x->known && x->op == CONST_LITERAL && x->number >= number && x->number <= number;
}

/* x + 0, x * 0, x * 1 and -(-x). */
static value_id without_operation(const struct values *v, enum const_op op, const value_id *args)
{
	if (op == CONST_NEG)
		return value_at(v, args[0])->op == CONST_NEG ? value_at(v, args[0])->args[0] : NO_VALUE;
	if (op == CONST_POW && is_number(v, args[1], 0) && !value_at(v, args[0])->known) /* what is known may be 0, and 0^0 is no number */
		return v->one;
	if (op != CONST_ADD && op != CONST_MUL)
		return NO_VALUE;
	long double neutral = op == CONST_ADD ? 0 : 1;
	for (unsigned i = 0; i < 2; i++) {
		if (is_number(v, args[i], neutral))
			return args[1 - i];
		if (op == CONST_MUL && is_number(v, args[i], 0))
			return v->zero;
	}
	return NO_VALUE;
}

/* The summands of a sum of constants, and the sum; 0: it is none. */
static unsigned summands(const struct values *v, enum const_op op, const value_id *args, unsigned n, struct size added[LANES])
{
	unsigned k = 0;
	if (op != CONST_ADD && op != CONST_MAD && op != CONST_DP3 && op != CONST_DP4)
		return 0;
	for (unsigned i = 0; i < n; i++) {
		bool const product = op != CONST_ADD && i + 1 < n;
		added[k++] = product ? size_product(size_of(v, args[i]), size_of(v, args[i + 1])) : size_of(v, args[i]);
		i += product;
	}
	return k;
}

/* Sets the size of a function of constants that is not known. */
static void find_size(const struct values *v, enum const_op op, const value_id *args, unsigned n, struct value *x)
{
	struct size added[LANES], all = {0, 1};
	unsigned const sums = summands(v, op, args, n, added);
	if (sums > 0)
		all = added[0];
	for (unsigned k = 1; k < sums; k++)
		all = size_sum(all, added[k]);
	if (op == CONST_MUL)
		all = size_product(size_of(v, args[0]), size_of(v, args[1]));
	if (op == CONST_NEG) {
		all = size_of(v, args[0]);
		all.offset = -all.offset;
	}
	x->offset = all.offset;
	x->scale = all.scale;
}

/* Is it the fraction of a number so near an integer, and not exact, that nobody knows on which side it is?  There frc jumps by 1. */
static bool is_on_jump(const struct values *v, enum const_op op, const value_id *args)
{
	const struct value *of = value_at(v, args[0]);
	bool const inexact = fabsl(of->number - (long double)of->rounded) > 0;
	return op == CONST_FRC && inexact && fabsl(of->number - roundl(of->number)) <= (long double)FAR_OFF * fabsl(of->number);
}

/* A function that hardware computes its own way: beside a sum that rounds nobody knows its last digits. */
static bool is_approximate(enum const_op op)
{
	return op == CONST_EXP || op == CONST_LOG || op == CONST_POW || op == CONST_RSQ;
}

/* Does float arithmetic come to something else than the real one? */
static bool is_inexact(struct values *v, enum const_op op, const value_id *args, unsigned n, const struct value *x)
{
	struct size added[LANES];
	if (x->known) {
		long double const off = fabsl(x->number - (long double)x->rounded);
		bool const far = off > (long double)FAR_OFF * fabsl(x->number);
		bool const is_sum = op == CONST_ADD || op == CONST_MAD || op == CONST_DP3 || op == CONST_DP4;
		v->rounds |= far;
		/* Beside a sum that rounds, digits that another one lost may be all that it leaves. */
		return far || (v->careful && (is_approximate(op) || (is_sum && off > 0))) || is_on_jump(v, op, args);
	}
	/* What it is equal to tells what is left of it. */
	value_id const equal = find(v, x->print, VALUE_CONST, KIND_ANY);
	struct size const left = equal != NO_VALUE ? size_of(v, equal) : (struct size){x->offset, x->scale};
	unsigned const sums = summands(v, op, args, n, added);
	return sums > 0 && is_rounded(v, added, sums, left);
}

value_id value_make(struct values *v, enum const_op op, const value_id *args, unsigned n)
{
	bool wild = false, rounds = false;
	for (unsigned i = 0; i < n; i++) {
		const struct value *arg = value_at(v, args[i]);
		/* A negation is an operand's modifier; what else becomes of a subnormal number is up to the hardware. */
		wild |= arg->wild || (op != CONST_NEG && arg->known && !number_is_normal(arg->number));
		rounds |= arg->rounds;
	}
	value_id simple = wild ? NO_VALUE : without_operation(v, op, args);
	if (simple != NO_VALUE)
		return simple;
	struct value x = {.known = true, .rounds = rounds, .print = print_of(v, op, args, n)};
	long double numbers[8] = {0}, rounded[8] = {0};
	for (unsigned i = 0; i < n; i++) {
		const struct value *arg = value_at(v, args[i]);
		x.known &= arg->known;
		x.app |= arg->app;
		x.sent |= arg->sent;
		numbers[i] = arg->number;
		rounded[i] = (long double)arg->rounded;
	}
	if (x.known) {
		x.number = number_of(op, numbers, n);
		x.rounded = float_of(op, rounded, n);
		/* What a float cannot hold stays where it is: hardware has its own way with infinities. */
		wild |= op != CONST_NEG && !number_is_normal(x.number);
	} else {
		find_size(v, op, args, n, &x);
		wild |= is_extreme((struct size){x.offset, x.scale});
	}
	if (!wild && is_inexact(v, op, args, n, &x))
		wild = x.rounds = true;
	if ((x.app || x.sent) && !wild) { /* what the application sets may cancel */
		value_id minus = find(v, print_neg(x.print), VALUE_CONST, KIND_ANY);
		if (minus != NO_VALUE && value_at(v, minus)->known)
			return value_function(v, CONST_NEG, minus, NO_VALUE, NO_VALUE);
	}
	if (wild)
		make_wild(&x, op);
	return add_const(v, &x, op, args, n);
}

value_id value_function(struct values *v, enum const_op op, value_id a, value_id b, value_id c)
{
	value_id const args[3] = {a, b, c};
	return value_make(v, op, args, c != NO_VALUE ? 3 : b != NO_VALUE ? 2 : 1);
}

value_id value_of_sincos(struct values *v, value_id angle, unsigned lane, const struct decl *first, const struct decl *second)
{
	struct value y = *value_at(v, angle);
	y.minus = 0;
	y.offset = 0;
	y.scale = 1;
	y.number = lane == LANE_X ? cosl(y.number) : sinl(y.number);
	y.rounded = (float)y.number;
	y.reg = first->reg.index;
	y.lane = (uint8_t)second->reg.index;
	for (unsigned s = 0; s < 2; s++)
		for (unsigned l = 0; l < LANES; l++)
			y.print = print_hash(KEY_OP + CONST_COS + lane,
			                     print_add(y.print, print_number((s ? second : first)->value[l])));
	return add_const(v, &y, lane == LANE_X ? CONST_COS : CONST_SIN, &angle, 1);
}

/* ---- affine values ------------------------------------------------------------- */

/* The size of the input itself: what the VP adds to it counts. */
static struct size size_of_input(const struct values *v, unsigned input)
{
	bool const given = input < TEXCOORDS * LANES && v->size[input].scale > 0;
	return given ? (struct size){v->size[input].offset, v->size[input].scale} : (struct size){0, 1};
}

static struct size affine_size(const struct values *v, const struct term *terms, uint32_t n, value_id constant)
{
	struct size all = size_of(v, constant);
	for (uint32_t i = 0; i < n; i++)
		all = size_sum(all, size_product(size_of(v, terms[i].coef), size_of_input(v, terms[i].input)));
	return all;
}

/* NO_VALUE: of something wild, or a float might not hold it. */
static value_id make_affine(struct values *v, struct term *terms, uint32_t n, value_id constant, uint8_t kind)
{
	if (n == 0)
		return constant;
	struct size const size = affine_size(v, terms, n, constant);
	struct value x = {.class = VALUE_AFFINE, .kind = kind, .terms = terms, .nterms = n, .constant = constant};
	x.offset = size.offset;
	x.scale = size.scale;
	x.app = value_at(v, constant)->app;
	x.depth = value_at(v, constant)->depth;
	x.print = value_at(v, constant)->print;
	bool wild = value_at(v, constant)->wild || is_extreme(size);
	for (uint32_t i = 0; i < n; i++) {
		const struct value *coef = value_at(v, terms[i].coef);
		struct fingerprint input = print_hash(KEY_INPUT + terms[i].input, (struct fingerprint){0, 0});
		wild |= coef->wild;
		v->refused |= coef->rounds;
		x.app |= coef->app;
		x.depth = coef->depth > x.depth ? coef->depth : x.depth;
		x.print = print_add(x.print, print_mul(coef->print, input));
	}
	v->refused |= value_at(v, constant)->rounds;
	if (wild)
		return NO_VALUE;
	value_id const known = find(v, x.print, VALUE_AFFINE, kind);
	return known != NO_VALUE ? known : add(v, &x);
}

value_id value_of_input(struct values *v, unsigned input, uint8_t kind)
{
	struct term *t = arena_alloc(v->arena, sizeof *t);
	*t = (struct term){(uint16_t)input, v->one};
	return make_affine(v, t, 1, v->zero, kind);
}

int value_raw_input(const struct values *v, value_id id)
{
	for (unsigned i = 0; i < 8 * LANES; i++)
		if (v->input[i] == id && value_at(v, id)->class == VALUE_AFFINE)
			return (int)i;
	return -1;
}

value_id value_negated(struct values *v, value_id id)
{
	const struct value *x = value_at(v, id);
	value_id minus = x->minus - 1;
	if (x->minus)
		return minus;
	switch ((enum value_class)x->class) {
	case VALUE_CONST: minus = value_function(v, CONST_NEG, id, NO_VALUE, NO_VALUE); break;
	case VALUE_AFFINE: minus = value_product(v, id, value_function(v, CONST_NEG, v->one, NO_VALUE, NO_VALUE)); break;
	case VALUE_PIXEL: return NO_VALUE;
	}
	v->all.at[id].minus = minus + 1;
	return minus;
}

value_id value_find_negated(const struct values *v, value_id id)
{
	const struct value *x = value_at(v, id);
	return x->class == VALUE_PIXEL ? NO_VALUE : x->minus ? x->minus - 1 : find(v, print_neg(x->print), x->class, x->kind);
}

static value_id make_product(struct values *v, value_id a, value_id b)
{
	if (value_at(v, a)->class == VALUE_CONST) {
		value_id swap = a;
		a = b;
		b = swap;
	}
	if (value_at(v, b)->class != VALUE_CONST || value_at(v, a)->class == VALUE_PIXEL)
		return NO_VALUE;
	if (value_at(v, a)->class == VALUE_CONST)
		return value_function(v, CONST_MUL, a, b, NO_VALUE);
	uint32_t n = value_at(v, a)->nterms, kept = 0;
	struct term *terms = arena_alloc(v->arena, n * sizeof *terms);
	for (uint32_t i = 0; i < n; i++) {
		struct term t = value_at(v, a)->terms[i];
		t.coef = value_function(v, CONST_MUL, t.coef, b, NO_VALUE);
		if (t.coef != v->zero)
			terms[kept++] = t;
	}
	value_id constant = value_function(v, CONST_MUL, value_at(v, a)->constant, b, NO_VALUE);
	return make_affine(v, terms, kept, constant, value_at(v, a)->kind);
}

static value_id make_sum(struct values *v, value_id a, value_id b)
{
	if (value_at(v, a)->class == VALUE_CONST && value_at(v, b)->class == VALUE_CONST)
		return value_function(v, CONST_ADD, a, b, NO_VALUE);
	if (value_at(v, a)->class == VALUE_CONST) {
		value_id swap = a;
		a = b;
		b = swap;
	}
	if (value_at(v, a)->class == VALUE_PIXEL || value_at(v, b)->class == VALUE_PIXEL)
		return NO_VALUE;
	uint8_t kind = value_at(v, a)->kind;
	if (value_at(v, b)->class == VALUE_CONST) {
		value_id constant = value_function(v, CONST_ADD, value_at(v, a)->constant, b, NO_VALUE);
		return make_affine(v, value_at(v, a)->terms, value_at(v, a)->nterms, constant, kind);
	}
	if (value_at(v, b)->kind != kind)
		return NO_VALUE; /* interpolated in two ways: their sum is no interpolant */
	uint32_t na = value_at(v, a)->nterms, nb = value_at(v, b)->nterms, n = 0;
	struct term *terms = arena_alloc(v->arena, (na + nb) * sizeof *terms);
	for (uint32_t i = 0, j = 0; i < na || j < nb;) {
		struct term ta = i < na ? value_at(v, a)->terms[i] : (struct term){UINT16_MAX, NO_VALUE};
		struct term tb = j < nb ? value_at(v, b)->terms[j] : (struct term){UINT16_MAX, NO_VALUE};
		if (ta.input < tb.input) {
			terms[n++] = ta;
			i++;
		} else if (tb.input < ta.input) {
			terms[n++] = tb;
			j++;
		} else {
			value_id coef = value_function(v, CONST_ADD, ta.coef, tb.coef, NO_VALUE);
			if (coef != v->zero && value_at(v, coef)->print.a + (uint64_t)value_at(v, coef)->print.b != 0)
				terms[n++] = (struct term){ta.input, coef};
			i++;
			j++;
		}
	}
	value_id constant = value_function(v, CONST_ADD, value_at(v, a)->constant, value_at(v, b)->constant, NO_VALUE);
	return make_affine(v, terms, n, constant, kind);
}

static struct made_value *made_place(struct made_value *made, value_id a, value_id b)
{
	return &made[(a * UINT32_C(0x9e3779b1) + b * UINT32_C(0x85ebca6b)) >> 24];
}
static_assert(MADE_VALUES == 1 << 8, "eight bits of the sum are the place");

/* NO_VALUE also where float arithmetic rounds it. */
static value_id rounded_sum(struct values *v, value_id a, value_id b)
{
	value_id const sum = make_sum(v, a, b);
	if (sum == NO_VALUE || (value_at(v, a)->class == VALUE_CONST && value_at(v, b)->class == VALUE_CONST))
		return sum;
	struct size const added[2] = {size_of(v, a), size_of(v, b)};
	return is_rounded(v, added, 2, size_of(v, sum)) ? NO_VALUE : sum;
}

/* As it was made before, or is now. */
static value_id made(struct values *v, struct made_value *place, value_id a, value_id b, value_id make(struct values *, value_id, value_id))
{
	bool const refused = v->refused;
	if (place->a != a + 1 || place->b != b) {
		v->refused = false;
		place->result = make(v, a, b);
		*place = (struct made_value){a + 1, b, place->result, v->refused};
	}
	v->refused = refused || place->rounds;
	return place->result;
}

value_id value_product(struct values *v, value_id a, value_id b)
{
	return made(v, made_place(v->product, a, b), a, b, make_product);
}

value_id value_sum(struct values *v, value_id a, value_id b)
{
	return made(v, made_place(v->sum, a, b), a, b, rounded_sum);
}

struct values *values_new(struct arena *arena, const struct program *p, bool careful)
{
	struct values *v = arena_zero(arena, sizeof *v);
	v->arena = arena;
	v->ps = p;
	v->careful = careful;
	grow_table(v);
	v->zero = value_of_literal(v, 0.0f);
	v->one = value_of_literal(v, 1.0f);
	v->unknown = value_new_pixel(v);
	return v;
}
