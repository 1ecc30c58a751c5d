/* Abstract interpretation: computes for each lane that a program writes a number, its worth, in the arithmetic of a domain.
 *
 * A domain is a set of functions, for example for value numbers or numbers modulo a prime.  evaluate() walks once through a program,
 * from the first instruction to the last, and computes each lane by the formula in the algebra column of lang/ops.def.  The proof in
 * src/verify has an arithmetic of its own. */
#ifndef FPMOVE_MOVE_GRAPH_EVALUATE_H
#define FPMOVE_MOVE_GRAPH_EVALUATE_H

#include "lang/ir.h"

typedef uint32_t worth;      /* a number whose meaning only the domain knows */
#define NO_WORTH UINT32_MAX  /* nothing is known of the lane; a sum or product with NO_WORTH is NO_WORTH, too */

enum { EVALUATE_TEMPS = 256 }; /* contents of r0 .. r255 are tracked; more than any model has, because -O3 uses more */

/* One source operand of one instruction. */
struct use {
	lanes read;          /* operand positions that the instruction reads for the lanes of its result that are computed */
	worth value[LANES];
	int32_t def[LANES];  /* index of the instruction that wrote the lane that is read there; -1 for an input or constant, -2 if none wrote it */
};

struct evaluation;

/* The functions of one arithmetic.  Operands are never NO_WORTH, except those of `function` and `result`. */
struct domain {
	/* Returns the worth of a register lane that is read but has no known worth: an input, a constant without a def, or an r# that was not written
	 * or whose last result was NO_WORTH.  If the operand is c[a0.x + index], `by` is a number that each write of a0 changes (NO_WORTH before the
	 * first write); else it is NO_WORTH. */
	worth (*given)(struct evaluation *, enum reg_file, int index, unsigned lane, worth by);
	worth (*literal)(struct evaluation *, float);
	worth (*minus)(struct evaluation *, worth);
	worth (*sum)(struct evaluation *, worth, worth);
	worth (*product)(struct evaluation *, worth, worth);
	/* Return x y + z, and x[0] y[0] + x[1] y[1] + ...  If the pointer is NULL or the function returns NO_WORTH, `product` and `sum` compute them. */
	worth (*mad)(struct evaluation *, worth x, worth y, worth z);
	worth (*dot)(struct evaluation *, const worth *x, const worth *y, unsigned n);
	/* Returns the result of an opcode that ops.def does not express by sums and products.  If lanes differ, function_lane() tells which lane is
	 * meant.  For SATURATED, returns the operand clamped by _sat. */
	worth (*function)(struct evaluation *, enum op, const worth *x, unsigned n);
	/* Returns true if the current lane of the result is to be computed; if not, its worth is NO_WORTH.  NULL if every lane is to be computed. */
	bool (*follows)(struct evaluation *);
	/* Receives the worth of the current lane of the result, or NO_WORTH.  Returns the worth that later instructions read in that lane. */
	worth (*result)(struct evaluation *, worth);
};
#define SATURATED OP_COUNT

struct evaluation {
	const struct domain *domain;
	void *self;                      /* the domain's own data */
	const struct program *program;
	uint32_t at;                     /* index of the current instruction in `program` */
	unsigned lane;                   /* the lane of that instruction's result that is being computed */
	const struct use *use;           /* the sources of the current instruction */
	struct use (*uses)[MAX_SOURCES]; /* the sources of each instruction of the program */
	int temps;                       /* number of r#, from r0 on, whose contents are tracked */
	worth (*temp)[LANES];            /* the current worth of each lane of these r# */
	int32_t (*def)[LANES];           /* the instruction that wrote each lane of these r#, numbered as in struct use */
	worth address[LANES];            /* a number that stands for the present contents of each lane of a0, or NO_WORTH before its first write */
	int literals;                    /* 1 + the highest c# that has a def, or 0 if none has one */
	const struct decl **literal;     /* the def of each c# below that, or NULL if it has none */
};

/* Computes the lanes of the program, from the first instruction to the last.  The caller sets domain, self and program and leaves the rest 0.
 * `needed` holds for each instruction the lanes of its result to compute; if it is NULL, all lanes are computed. */
void evaluate(struct arena *, struct evaluation *, const lanes *needed);

/* Returns the worth of lane e->lane of the result of instruction e->at, computed from the operands e->use, without _sat. */
worth evaluate_lane(struct evaluation *e);

/* Tells which sources (by index) of an opcode are p, f and q if it computes p * f + q, lane by lane. */
struct product_sum {
	uint8_t p;  /* index of a factor, or of the first summand if f is NO_TERM */
	uint8_t f;  /* index of the other factor, or NO_TERM if there is none */
	uint8_t q;  /* index of the summand, or NO_TERM if there is none */
	bool minus; /* q is subtracted instead */
};
enum { NO_TERM = MAX_SOURCES };
/* Finds p, f and q of mov, add, sub, mul or mad.  Returns false for any other opcode. */
bool as_product_sum(enum op, struct product_sum *);

static inline const struct instr *instr_at_hand(const struct evaluation *e)
{
	return &e->program->instrs.at[e->at];
}
/* Returns 0 if the opcode computes the same function of its operands in all lanes, else the number of the current lane. */
static inline unsigned function_lane(const struct evaluation *e, enum op op)
{
	return op == SATURATED || ops[op].shape == SHAPE_LANES || ops[op].shape == SHAPE_SCALAR ? 0 : e->lane;
}

#endif
