/* Computes fingerprints: arithmetic at a random point, modulo two primes, see values_inside.h. */
#include "move/graph/values_inside.h"

#include <math.h>

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

struct fingerprint fingerprint_inverse(struct fingerprint x)
{
	return (struct fingerprint){power_mod(x.a, FINGERPRINT_PRIME - 2, FINGERPRINT_PRIME),
	                            power_mod(x.b, FINGERPRINT_OTHER_PRIME - 2, FINGERPRINT_OTHER_PRIME)};
}

uint32_t fingerprint_quotient(uint32_t x, uint32_t y)
{
	return mul_mod(x, power_mod(y, FINGERPRINT_PRIME - 2, FINGERPRINT_PRIME), FINGERPRINT_PRIME);
}

uint64_t fingerprint_mix(uint64_t x)
{
	x ^= x >> 32;
	x *= 0xd6e8feb86659fd93u;
	x ^= x >> 32;
	x *= 0xd6e8feb86659fd93u;
	x ^= x >> 32;
	return x;
}

struct fingerprint fingerprint_hash(uint64_t key, struct fingerprint x)
{
	uint64_t h = fingerprint_mix(key * 0x9e3779b97f4a7c15u + 1);
	h = fingerprint_mix(h ^ ((uint64_t)x.a << 32 | x.b));
	uint64_t g = fingerprint_mix(h + 0x632be59bd9b4e019u);
	return (struct fingerprint){(uint32_t)(h % FINGERPRINT_PRIME), (uint32_t)(g % FINGERPRINT_OTHER_PRIME)};
}

/* Returns the fingerprint of a float, which is an integer times a power of two and so has an exact image in both fields: modulo the first
 * prime 2^31 is 1, modulo the second 2^32 is 5. */
struct fingerprint fingerprint_of_number(float number)
{
	static const uint32_t five[] = {1, 5, 25, 125, 625, 3125, 15625, 78125, 390625, 1953125};
	enum { UP = 6 }; /* the exponent becomes positive if 31 or 32 is added to it this many times */
	uint32_t const back = 2319694654u; /* 1 / 5^UP modulo the second prime */
	int exponent;
	uint64_t const mantissa = (uint64_t)ldexpf(frexpf(fabsf(number), &exponent), 24);
	unsigned const first = (unsigned)(exponent - 24 + UP * 31), second = (unsigned)(exponent - 24 + UP * 32);
	struct fingerprint f = {(uint32_t)((mantissa << first % 31) % FINGERPRINT_PRIME),
	                        mul_mod((uint32_t)(mantissa * five[second / 32] % FINGERPRINT_OTHER_PRIME), UINT32_C(1) << second % 32,
	                                FINGERPRINT_OTHER_PRIME)};
	f.b = mul_mod(f.b, back, FINGERPRINT_OTHER_PRIME);
	return number < 0 ? fingerprint_negated(f) : f;
}
