/* Arithmetic modulo two primes, side by side, and keyed hashes into the two prime fields.  A felt is an element of one field.  Private to
 * src/verify.
 *
 * The primes are the first p with p and (p - 1) / 2 both prime from 2^60 pi and from 2^60 e upwards, so that their bits have no
 * pattern.  Any number but 0, 1 and -1 has the order p - 1 or (p - 1) / 2: no small power of a literal equals another by chance.
 *
 * An element x is stored as 2^64 x mod p (Montgomery's form); 0 is stored as 0.  A value has several columns, which
 * belong to the two fields in turn.  Functions get the number of a column, and use field `column % FIELDS`. */
#ifndef FPMOVE_VERIFY_FIELD_H
#define FPMOVE_VERIFY_FIELD_H

#include <stdbool.h>
#include <stdint.h>

typedef uint64_t felt;

enum { FIELDS = 2 };

static const struct field {
	uint64_t p;
	uint64_t negative_inverse; /* -1 / p modulo 2^64 */
	uint64_t one;              /* the element 1: 2^64 modulo p */
	uint64_t square;           /* 2^128 modulo p */
} fields[FIELDS] = {
	{UINT64_C(3622009729038562523), UINT64_C(0xf5760d41c94d58ad), UINT64_C(0x4ac2eb5563cf7b9), UINT64_C(0x2f5ee7122c3fb9dc)},
	{UINT64_C(3133965575612456867), UINT64_C(0x321e22052cf7b3f5), UINT64_C(0x268996913495a1d1), UINT64_C(0x1852c714cf7afa91)},
};

static inline felt field_one(unsigned column)
{
	return fields[column % FIELDS].one;
}

static inline felt field_add(unsigned column, felt a, felt b)
{
	uint64_t const p = fields[column % FIELDS].p;
	felt sum = a + b;
	return sum >= p ? sum - p : sum;
}

static inline felt field_neg(unsigned column, felt a)
{
	return a ? fields[column % FIELDS].p - a : 0;
}

static inline felt field_sub(unsigned column, felt a, felt b)
{
	return a >= b ? a - b : a + fields[column % FIELDS].p - b;
}

/* Returns the upper 64 bits of the product of a and b, for compilers without 128-bit integers. */
static inline uint64_t field_upper_by_quarters(uint64_t a, uint64_t b)
{
	uint64_t const a1 = a >> 32, a0 = (uint32_t)a, b1 = b >> 32, b0 = (uint32_t)b;
	uint64_t const one = a1 * b0 + (a0 * b0 >> 32), other = a0 * b1 + (uint32_t)one;
	return a1 * b1 + (one >> 32) + (other >> 32);
}

static inline uint64_t field_upper(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
	__extension__ typedef unsigned __int128 product;
	return (uint64_t)((product)a * b >> 64);
#else
	return field_upper_by_quarters(a, b);
#endif
}

/* Returns x / 2^64 modulo p for x = 2^64 upper + lower < 2^64 p (Montgomery's reduction): adds the multiple of p that makes the lower
 * half 0.  That addition carries unless `lower` was 0. */
static inline felt field_reduce(unsigned column, uint64_t upper, uint64_t lower)
{
	const struct field *f = &fields[column % FIELDS];
	felt sum = upper + field_upper(lower * f->negative_inverse, f->p) + (lower != 0);
	return sum >= f->p ? sum - f->p : sum;
}

static inline felt field_mul(unsigned column, felt a, felt b)
{
	return field_reduce(column, field_upper(a, b), a * b);
}

/* Sets to[f] to 1 / x[f] in each field f; the inverse of 0 is 0. */
void field_inverse(const felt x[FIELDS], felt to[FIELDS]);
/* Returns the element that is the exact value of a float.  Each NaN or infinity becomes a fixed element of its own. */
felt field_float(unsigned column, float);

/* Returns the next state of a hash, after hashing `value`.  It is a bijection in either argument. */
static inline uint64_t field_mix(uint64_t state, uint64_t value)
{
	state = (state ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	state ^= state >> 32;
	state *= UINT64_C(0xd6e8feb86659fd93);
	return state ^ state >> 29;
}

static inline felt field_hash(unsigned column, uint64_t state)
{
	return field_upper(field_mix(state, column % FIELDS), fields[column % FIELDS].p);
}

#endif
