/* A pixel program as operations on R300's registers, for r300.c: lanes in SSA form. */
#ifndef FPMOVE_MOVE_TARGET_R300_OPS_H
#define FPMOVE_MOVE_TARGET_R300_OPS_H

#include "lang/ir.h"

/* R300 takes 64 arithmetic instructions, R400 and R500 take 512; a program of more operations is charged for its slots. */
enum { R300_MOST_OPS = 640, R300_OPERANDS = 3 };
enum { R300_OUTPUTS = 5 }; /* oC0 to oC3 and oDepth */

/* Registers that no operation makes are negative numbers. */
enum {
	R300_INLINE = -1, /* any register, as an operand may be one of the numbers below in any lane; which one, its lane tells */
	R300_INPUT = -2,  /* and below: t#, v# and the like */
	R300_CONST = -64  /* and below: c# */
};
enum { R300_ZERO, R300_ONE, R300_HALF };
enum { R300_NEGATED = 1, R300_ABS = 2 }; /* of an operand: first |x|, then -x */

/* One lane of an operand. */
struct r300_ref {
	int16_t reg; /* number of an operation, or a negative number as above */
	uint8_t lane, sign;
};

struct r300_op {
	uint8_t op; /* enum op; MOV only where hardware has to move */
	uint8_t operands;
	lanes mask; /* lanes of the result, .x of what has one result; of a texture instruction, those of its coordinate */
	lanes live; /* lanes of the result that something reads */
	bool sat;
	bool fixed;           /* its result is a part of a register that others write, too, and stays in its lanes there */
	uint8_t place[LANES]; /* the lane of the register in which each lane of the result is */
	struct r300_ref src[R300_OPERANDS][LANES];
};

struct r300_ops {
	const struct program *ps;
	bool too_long;
	uint16_t n;
	struct r300_op at[R300_MOST_OPS];
	struct r300_ref temp[MODEL_TEMPS][LANES];
	struct r300_ref output[R300_OUTPUTS][LANES];
	lanes written[R300_OUTPUTS];
};

/* Returns the lanes of each operand that the operation reads. */
lanes r300_reads(const struct r300_op *);
/* Returns true for a texture read or a texkill. */
bool r300_is_tex(const struct r300_op *);
/* Returns true if each lane of the result depends only on its own lane of each operand. */
bool r300_is_lanewise(const struct r300_op *);
/* Returns true for a reciprocal, root, exponent or logarithm. */
bool r300_is_special(const struct r300_op *);
/* Returns true if the operation is issued, since something reads its result. */
bool r300_is_there(const struct r300_op *);
/* Finds the number that an operand's lane is; returns false if it is not a literal. */
bool r300_literal(const struct r300_ops *, struct r300_ref, float *value);
/* Returns true if one register has all lanes of operand s, and finds it; *reg is R300_INLINE if any register will do. */
bool r300_one_register(const struct r300_op *, unsigned s, int *reg);
/* Returns true if hardware has the swizzle of the operand lanes `read`.  It has a few for x, y and z, and all for w. */
bool r300_native(const struct r300_ref *lane, lanes read);
/* Returns the operand's lane as a lane of its register.  requires: r300_find_live. */
struct r300_ref r300_placed(const struct r300_ops *, struct r300_ref);

/* Lifts a program to operations, without its copies. */
void r300_lift(struct r300_ops *, const struct program *ps);
/* Finds the lanes that something reads, and puts those of each result into the first lanes of a register. */
void r300_find_live(struct r300_ops *);

#endif
