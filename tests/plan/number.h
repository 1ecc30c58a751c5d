/* Values of the exhaustive planner: a lane of the FP as points of a function.  Application constants take three sets of values, and
 * inputs three: a value of first degree that is the same for all three is constant.  Numbers are kept once, by index, each beside its
 * negation. */
#ifndef FPMOVE_TESTS_NUMBER_H
#define FPMOVE_TESTS_NUMBER_H

#include "lang/ir.h"

enum { APPS = 3, POINTS = 3, ANY_KIND = 0xff, VERTEX_KIND = 0xfe, MOST_NUMBERS = 2048 };

typedef uint16_t number;
#define PIXEL UINT16_MAX /* anything that does not commute with interpolation */

struct worth {
	uint64_t e[APPS][POINTS];
	uint8_t kind;        /* flags of the dcl; ANY_KIND for a constant, VERTEX_KIND before interpolation */
	bool wild;           /* made from a value that no float can hold: it stays in the FP */
	bool app;            /* made from application constants, even if they cancel in the end */
	bool known;          /* made from literals only, with this value */
	long double literal;
	number minus;
};

struct numbers {
	struct worth at[MOST_NUMBERS];
	unsigned n;
	bool full;    /* the table overflowed: all numbers asked for since are wrong */
	bool cancels; /* application constants cancel, as in c * (1 / c); the planner need not see that */
};

number number_literal(struct numbers *, float);
number number_constant(struct numbers *, const struct program *, int reg, unsigned lane);
number number_unknown(struct numbers *, unsigned which); /* a varying value in the VP */
number number_of_kind(struct numbers *, number, uint8_t kind); /* the number, interpolated */
number number_minus(const struct numbers *, number); /* PIXEL if the number is PIXEL, and so on below */
number number_sum(struct numbers *, number, number);
number number_product(struct numbers *, number, number);
/* Returns the value of an opcode of ps_2_0 on constants; operands that the opcode lacks are ignored. */
number number_function(struct numbers *, enum op, number, number, number);
number number_saturated(struct numbers *, number);

bool number_is_constant(const struct numbers *, number);
bool number_of_application(const struct numbers *, number);
/* Returns whether value = base * factor + offset with constant factor and offset. */
bool number_relate(struct numbers *, number value, number base, number *factor, number *offset);
/* Returns whether value = base + factor * step, where the factor is made of application constants, and base and step are not. */
bool number_split(struct numbers *, number value, number factor, number *base, number *step);

#endif
