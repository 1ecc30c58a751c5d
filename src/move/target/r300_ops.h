/* Translates a pixel program to operations of R300 for r300.c.  Each operation makes a new register (SSA form). */
#ifndef FPMOVE_MOVE_TARGET_R300_OPS_H
#define FPMOVE_MOVE_TARGET_R300_OPS_H

#include "lang/ir.h"

/* R300 runs programs of up to 64 arithmetic instructions, R400 and R500 up to 512.  For a program of more than R300_MOST_OPS operations, r300_count()
 * counts slots instead. */
enum { R300_MOST_OPS = 640, R300_OPERANDS = 3 };
enum { R300_OUTPUTS = 5 }; /* oC0 to oC3 and oDepth */

/* Registers that no operation makes are negative numbers. */
enum {
	R300_INLINE = -1, /* no register: the operand is 0, 1 or 1/2, as its `lane` tells (R300_ZERO, R300_ONE, R300_HALF) */
	R300_INPUT = -2,  /* R300_INPUT - n is t#n; numbers from R300_INPUT - 16 down are v#, vPos and vFace */
	R300_CONST = -64  /* R300_CONST - n is c#n */
};
enum { R300_ZERO, R300_ONE, R300_HALF };
enum { R300_NEGATED = 1, R300_ABS = 2 }; /* bits of an operand's `sign`: both mean -|x| */

/* One lane of an operand. */
struct r300_ref {
	int16_t reg; /* index of the operation that makes the register, or a negative number as above */
	uint8_t lane, sign;
};

struct r300_op {
	uint8_t op; /* enum op; OP_MOV only for movs that hardware needs, since operands of other operations read through copies */
	uint8_t operands;
	lanes mask; /* lanes of the result, only x if all have one value; for a texture instruction, lanes of its coordinate */
	lanes live; /* lanes of the result that an operation or an output reads */
	bool sat;
	bool fixed;           /* a MOV to a register of which other MOVs write the other lanes: its result stays in its lanes */
	uint8_t place[LANES]; /* for each lane of the result, the lane of its register that holds it */
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
/* Returns true if the operation is not dead: a lane of its result is live, or it is a texkill. */
bool r300_is_there(const struct r300_op *);
/* Sets *value to the number that an operand's lane holds, sign included.  Returns false if it is no literal. */
bool r300_literal(const struct r300_ops *, struct r300_ref, float *value);
/* Returns true if operand s reads one register only, apart from lanes that are 0, 1 or 1/2, and sets *reg to that register, or to R300_INLINE if it
 * reads no register. */
bool r300_one_register(const struct r300_op *, unsigned s, int *reg);
/* Returns true if hardware has the swizzle of the operand lanes `read`: for x, y and z together one of those of ps_2_0, for w any. */
bool r300_native(const struct r300_ref *lane, lanes read);
/* Returns the operand with `lane` changed to the register lane where its operation puts that lane of the result.  requires: r300_find_live. */
struct r300_ref r300_placed(const struct r300_ops *, struct r300_ref);

/* Translates a program to operations.  A mov or abs without _sat makes no operation: its readers read its operand. */
void r300_lift(struct r300_ops *, const struct program *ps);
/* Sets `live` of each operation, and `place`, unless it is fixed: live lanes go to the first lanes of the register, in their order; lanes of texture
 * instructions stay in place. */
void r300_find_live(struct r300_ops *);

#endif
