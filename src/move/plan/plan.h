/* A plan tells which lanes of the FP's instructions stay, which values the VP sends in which interpolators, and how each operand that
 * stays gets its values. */
#ifndef FPMOVE_MOVE_PLAN_PLAN_H
#define FPMOVE_MOVE_PLAN_PLAN_H

#include "move/plan/layout.h"

/* Numbers of constant registers that a plan has: c0 to c31, which may get new constants, then the higher ones that the FP reads. */
enum { NEW_CONSTS = 32, PS_CONSTS = 64 };

/* The values that an operand reads from an r# or t#. */
struct need {
	struct pattern pattern; /* the values that may move */
	lanes pixel;            /* positions of the other values: pixel values, and others that must stay */
};
/* Returns the values that operand k of FP instruction i reads if the instruction writes `mask`; none unless it reads an r# or t#. */
struct need plan_need(const struct values *, uint32_t i, unsigned k, lanes mask);
/* Returns the values that operand k of FP instruction i reads from a constant register if the instruction writes `mask`. */
struct pattern plan_constant_need(const struct values *, uint32_t i, unsigned k, lanes mask);
/* Returns true if a new constant register with these lanes cannot be a def, since one of the values depends on what the application sets. */
bool plan_is_preset(const struct values *, const value_id reg[LANES]);

/* How an operand of an instruction that stays gets its values. */
enum supply {
	SUPPLY_KEEP,  /* the operand reads the register that it reads now */
	SUPPLY_INPUT, /* the operand reads an interpolator */
	SUPPLY_CONST, /* the operand reads a constant register */
	SUPPLY_TEMP   /* the operand reads a temporary that one new instruction (struct making) writes */
};

/* Kinds of new instructions: a mov from an interpolator, a mov from a constant, or a mad, mul or add with an interpolator. */
enum make { MAKE_MOV_INPUT, MAKE_MOV_CONST, MAKE_MAD, MAKE_OPEN /* during the search: MAKE_MOV_INPUT or MAKE_MAD, not yet decided */ };
/* A new instruction of the FP.  It writes each value of `pattern` into the lane of its position, in a temporary of its own or in lanes of an
 * old temporary, whose other lanes are pixel values. */
struct making {
	struct pattern pattern;
	uint8_t make;    /* enum make */
	uint32_t first;  /* the first old instruction that reads the result */
	int32_t after;   /* the old instruction behind which it stands, if it writes to an old temporary; else -1: it stands before `first` */
	int16_t reg;     /* the old temporary that it writes, or -1 for one of its own */
	/* A MAKE_MAD computes base * factor + offset; a factor or offset without positions is left out. */
	struct pattern base, factor, offset;
	bool offset_rides; /* the offset comes from the same t# as the base, otherwise from the same c# as the factor */
};

struct plan {
	lanes *mask;                        /* the lanes that each FP instruction still writes; 0 if it is removed */
	uint8_t (*supply)[MAX_SOURCES];     /* [instruction][operand]: enum supply */
	uint32_t (*which)[MAX_SOURCES];     /* [instruction][operand]: for SUPPLY_TEMP an index into makings, for SUPPLY_CONST one into consts */
	struct { VEC(struct making); } makings;
	struct layout layout;               /* contents of the new t# */
	value_id consts[PS_CONSTS][LANES];  /* contents of the FP's constant registers, old and new ones */
	uint8_t const_reg[PS_CONSTS];       /* the number of the c# of each element of `consts` */
	uint64_t old_consts;                /* a bit for each element of `consts` that is taken (graph/free_constants.h), and so gets no new values */
	uint64_t filled_consts;             /* a bit for each element of `consts` with a value in any lane */
};
/* Returns the index of a c# in `consts`; PS_CONSTS if the plan does not have it. */
static inline unsigned plan_const(const struct plan *p, int reg)
{
	unsigned n = reg < NEW_CONSTS ? (unsigned)reg : NEW_CONSTS;
	while (n < PS_CONSTS && p->const_reg[n] != reg)
		n++;
	return n;
}

/* Returns those values that operand k of instruction i, which stays, reads and that may move; none for a constant operand that is kept. */
struct pattern plan_operand(const struct values *, const struct plan *, uint32_t i, unsigned k);
/* Returns the t# that delivers all operands of instruction i that read an interpolator, and the swizzle and sign (view) of each of them.
 * Returns -1 if it has no such operand, or no t# delivers them all. */
int plan_inputs(const struct values *, const struct plan *, uint32_t i, struct view view[MAX_SOURCES]);
/* Returns the t# that a new instruction reads, or -1 if it reads none.  view[0] gets the swizzle and sign by which it reads its pattern, or
 * for MAKE_MAD its base; view[1] those for an offset that comes from the t#, too. */
int plan_making_inputs(const struct values *, const struct plan *, const struct making *, struct view view[MAX_SOURCES]);

#endif
