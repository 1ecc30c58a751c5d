/* A plan: which lanes cross from the vertex to the pixel program, where they ride, and
 * how each operand that stays gets its values. */
#ifndef FPMOVE_MOVE_PLAN_PLAN_H
#define FPMOVE_MOVE_PLAN_PLAN_H

#include "move/plan/layout.h"

/* Constant registers that a plan knows: c0 to c31, where it may put new constants, then those of the others that the FP reads. */
enum { NEW_CONSTS = 32, PS_CONSTS = 64 };

/* What operand k of FP instruction i reads when the instruction writes `mask`. */
struct need {
	struct pattern pattern; /* the movable lanes */
	lanes pixel;            /* positions that read pixel lanes */
};
struct need plan_need(const struct values *, uint32_t i, unsigned k, lanes mask);
/* The same of an operand that reads a constant register as it is. */
struct pattern plan_constant_need(const struct values *, uint32_t i, unsigned k, lanes mask);
/* Must the application set the lanes of a new constant register? */
bool plan_is_preset(const struct values *, const value_id reg[LANES]);

enum supply {
	SUPPLY_KEEP,  /* the operand stays as written */
	SUPPLY_INPUT, /* an interpolator, straight */
	SUPPLY_CONST, /* a constant register, straight */
	SUPPLY_TEMP   /* a temporary that one new instruction writes */
};

/* A new instruction that writes `pattern`, each value to the lane of its position, into a
 * temporary of its own or beside pixel lanes of an old one. */
enum make { MAKE_MOV_INPUT, MAKE_MOV_CONST, MAKE_MAD, MAKE_OPEN /* in the search: the first or third, not yet known */ };
struct making {
	struct pattern pattern;
	uint8_t make;    /* enum make */
	uint32_t first;  /* first instruction that reads it */
	int32_t after;   /* beside pixel lanes: right behind this instruction; -1: before `first` */
	int16_t reg;     /* beside pixel lanes: the register; else -1 */
	/* MAKE_MAD: base * factor + offset; a factor or offset without positions is left out. */
	struct pattern base, factor, offset;
	bool offset_rides; /* the offset comes from the same t# as the base, else from the same c# as the factor */
};

struct plan {
	lanes *mask;                        /* of each FP instruction; 0: it leaves */
	uint8_t (*supply)[MAX_SOURCES];     /* enum supply */
	uint32_t (*which)[MAX_SOURCES];     /* SUPPLY_TEMP: index into makings; SUPPLY_CONST: the number of the constant register; else 0 */
	struct { VEC(struct making); } makings;
	struct layout layout;               /* by number of the new t# */
	value_id consts[PS_CONSTS][LANES];  /* FP constants: old and new ones */
	uint8_t const_reg[PS_CONSTS];       /* the c# of each */
	uint64_t old_consts;                /* bit set: registers that the program has already */
	uint64_t filled_consts;             /* bit set: registers with a value in any lane */
};
/* The number by which the plan knows a c#; PS_CONSTS: it does not. */
static inline unsigned plan_const(const struct plan *p, int reg)
{
	unsigned n = reg < NEW_CONSTS ? (unsigned)reg : NEW_CONSTS;
	while (n < PS_CONSTS && p->const_reg[n] != reg)
		n++;
	return n;
}

/* What operand k of instruction i, which stays, reads in the plan of lanes that can move. */
struct pattern plan_operand(const struct values *, const struct plan *, uint32_t i, unsigned k);
/* The t# that brings all operands of instruction i which the plan supplies by SUPPLY_INPUT, and the view of each of them, by the
 * operand's number; -1: there are none, or no t# brings them. */
int plan_inputs(const struct values *, const struct plan *, uint32_t i, struct view view[MAX_SOURCES]);
/* The t# of a new instruction, with the view of what it moves, or of its base and then of an offset that rides; -1: none. */
int plan_making_inputs(const struct values *, const struct plan *, const struct making *, struct view view[MAX_SOURCES]);

#endif
