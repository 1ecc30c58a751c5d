/* Arithmetic modulo 2^61 - 1, see field.h. */
#include "verify/field.h"

#include <string.h>

static felt power_of_two_times(felt a, unsigned squarings)
{
	while (squarings--)
		a = field_mul(a, a);
	return a;
}

/* a^(p-2) with p - 2 = 2^61 - 3 = (2^59 - 1) 4 + 1. */
felt field_inverse(felt a)
{
	/* ones(n) is a^(2^n - 1); ones(m + n) = ones(m)^(2^n) ones(n). */
	felt ones1 = a;
	felt ones2 = field_mul(power_of_two_times(ones1, 1), ones1);
	felt ones3 = field_mul(power_of_two_times(ones2, 1), ones1);
	felt ones6 = field_mul(power_of_two_times(ones3, 3), ones3);
	felt ones7 = field_mul(power_of_two_times(ones6, 1), ones1);
	felt ones14 = field_mul(power_of_two_times(ones7, 7), ones7);
	felt ones28 = field_mul(power_of_two_times(ones14, 14), ones14);
	felt ones29 = field_mul(power_of_two_times(ones28, 1), ones1);
	felt ones58 = field_mul(power_of_two_times(ones29, 29), ones29);
	felt ones59 = field_mul(power_of_two_times(ones58, 1), ones1);
	return field_mul(power_of_two_times(ones59, 2), a);
}

felt field_float(float value)
{
	uint32_t bits;
	memcpy(&bits, &value, sizeof bits);
	unsigned exponent = bits >> 23 & 0xff;
	felt mantissa = bits & 0x7fffff;
	if (exponent == 255)
		return field_hash(bits);
	if (exponent)
		mantissa |= 0x800000;
	else
		exponent = 1;
	/* The value is mantissa 2^(exponent - 150); 183 = 3 * 61 keeps the exponent positive. */
	felt magnitude = field_rotate(mantissa, (exponent + 183 - 150) % 61);
	return bits >> 31 ? field_neg(magnitude) : magnitude;
}

/* Is there a run of 35 set bits among the 61, seen as a ring? */
static bool long_run(uint64_t bits)
{
	bits &= field_rotate(bits, 1);
	bits &= field_rotate(bits, 2);
	bits &= field_rotate(bits, 4);
	bits &= field_rotate(bits, 8);
	bits &= field_rotate(bits, 16);
	return (bits & field_rotate(bits, 3)) != 0;
}

int field_sign(felt a)
{
	if (a == 0)
		return 0;
	if (long_run(~a & FIELD_P))
		return 1;
	return long_run(a) ? -1 : 0;
}
