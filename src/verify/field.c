/* Arithmetic modulo two primes, see field.h. */
#include "verify/field.h"

#include <string.h>

/* Computes x^(p-2) in both fields at once, so that the processor can overlap their steps. */
void field_inverse(const felt x[FIELDS], felt to[FIELDS])
{
	felt power[FIELDS] = {x[0], x[1]};
	for (unsigned bit = 61; bit-- > 0;) /* the highest set bit of both exponents is bit 61 */
		for (unsigned f = 0; f < FIELDS; f++) {
			power[f] = field_mul(f, power[f], power[f]);
			if ((fields[f].p - 2) >> bit & 1)
				power[f] = field_mul(f, power[f], x[f]);
		}
	memcpy(to, power, sizeof power);
}

felt field_float(unsigned column, float value)
{
	uint32_t bits;
	memcpy(&bits, &value, sizeof bits);
	unsigned exponent = bits >> 23 & 0xff;
	uint64_t mantissa = bits & 0x7fffff;
	if (exponent == 255)
		return field_hash(column, bits);
	if (exponent)
		mantissa |= 0x800000;
	else
		exponent = 1;
	/* The value is mantissa 2^(exponent - 150), and its element (Montgomery's form) is 2^64 times that.  field_reduce() divides by
	 * 2^64, and a product with `square` multiplies by 2^64. */
	unsigned doublings = exponent + 64 + 192 - 150; /* 192 doublings make up for three reductions */
	felt x = field_reduce(column, mantissa >> 1 >> (63 - doublings % 64), mantissa << doublings % 64);
	if (doublings < 128)
		x = field_reduce(column, 0, x);
	for (; doublings >= 192; doublings -= 64)
		x = field_mul(column, x, fields[column % FIELDS].square);
	return bits >> 31 ? field_neg(column, x) : x;
}
