/* Arithmetic modulo p = 2^61 - 1, and keyed hashes into it.  An element is a
 * number in [0, p).  Private to src/verify. */
#ifndef FPMOVE_VERIFY_FIELD_H
#define FPMOVE_VERIFY_FIELD_H

#include <stdbool.h>
#include <stdint.h>

typedef uint64_t felt;
__extension__ typedef unsigned __int128 felt_product;

#define FIELD_P ((UINT64_C(1) << 61) - 1)

static inline felt field_add(felt a, felt b)
{
	felt sum = a + b;
	return sum >= FIELD_P ? sum - FIELD_P : sum;
}

static inline felt field_neg(felt a)
{
	return a ? FIELD_P - a : 0;
}

static inline felt field_sub(felt a, felt b)
{
	return a >= b ? a - b : a + FIELD_P - b;
}

static inline felt field_mul(felt a, felt b)
{
	felt_product product = (felt_product)a * b;
	/* 2^61 = 1, so the high part is added to the low one. */
	felt sum = (felt)(product & FIELD_P) + (felt)(product >> 61);
	return sum >= FIELD_P ? sum - FIELD_P : sum;
}

/* Multiplication by 2^k, 0 <= k < 61: a rotation of the 61 bits. */
static inline felt field_rotate(felt a, unsigned k)
{
	return k ? (a << k & FIELD_P) | a >> (61 - k) : a;
}

felt field_inverse(felt); /* of 0: 0 */
/* The exact value of a float; NaN and infinities are some fixed element. */
felt field_float(float);
/* 1: a positive number m 2^e with m < 2^26; -1: the negative of such a one;
 * 0: zero or any other element.  So sums and products of plain literals keep
 * their sign, which a field does not have.  One random element in 2^28 passes
 * for such a number. */
int field_sign(felt);

/* One step of a hash; a bijection in both arguments. */
static inline uint64_t field_mix(uint64_t state, uint64_t value)
{
	state = (state ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	state ^= state >> 32;
	state *= UINT64_C(0xd6e8feb86659fd93);
	return state ^ state >> 29;
}

static inline felt field_hash(uint64_t state)
{
	felt x = field_mix(state, 0) & FIELD_P;
	return x == FIELD_P ? 0 : x;
}

#endif
