/* Computes what each lane of a program is worth, in the arithmetic of a domain.
 *
 * A domain is one way to compute: with value numbers, modulo a prime, or with classes.  evaluate() walks once through a program,
 * from the first instruction to the last, and finds each lane by the algebra column of lang/ops.def.  The proof in
 * src/verify has an arithmetic of its own. */
#ifndef FPMOVE_MOVE_GRAPH_EVALUATE_H
#define FPMOVE_MOVE_GRAPH_EVALUATE_H

#include "lang/ir.h"

typedef uint32_t worth;      /* a number whose meaning only the domain knows */
#define NO_WORTH UINT32_MAX  /* nothing is known of the lane; a sum or product with it is NO_WORTH, too */

enum { EVALUATE_TEMPS = 256 }; /* temporaries that are followed: more than any model has, because -O3 renumbers them */

/* One source operand of one instruction. */
struct use {
	lanes read;          /* operand positions that matter for the instruction's whole mask */
	worth value[LANES];
	int32_t def[LANES];  /* instruction that wrote the lane that is read there; -1 for an input or constant, -2 if none wrote it */
};

struct evaluation;

/* The functions of one arithmetic.  Only `function` is ever called with NO_WORTH as an operand. */
struct domain {
	/* Returns the worth of a register lane that neither a def nor a followed instruction sets: an input, a constant, or an r# that was
	 * not written or of which nothing is known.  `by` is what is in a0 if the operand is c[a0.x + index], a new number for each write
	 * of a0, else NO_WORTH. */
	worth (*given)(struct evaluation *, enum reg_file, int index, unsigned lane, worth by);
	worth (*literal)(struct evaluation *, float);
	worth (*minus)(struct evaluation *, worth);
	worth (*sum)(struct evaluation *, worth, worth);
	worth (*product)(struct evaluation *, worth, worth);
	/* Return x y + z and x[0] y[0] + x[1] y[1] + ... in one step.  If the pointer is NULL or the function returns NO_WORTH, the walk uses
	 * `product` and `sum` instead. */
	worth (*mad)(struct evaluation *, worth x, worth y, worth z);
	worth (*dot)(struct evaluation *, const worth *x, const worth *y, unsigned n);
	/* Returns lane function_lane() of an opcode whose algebra is ITSELF, or, for SATURATED, the operand as _sat clamps it. */
	worth (*function)(struct evaluation *, enum op, const worth *x, unsigned n);
	/* Returns whether the result's lane is computed at all, else it is NO_WORTH.  NULL if every lane is computed. */
	bool (*follows)(struct evaluation *);
	/* Receives the result's lane as computed, and returns the worth that later instructions read there. */
	worth (*result)(struct evaluation *, worth);
};
#define SATURATED OP_COUNT

struct evaluation {
	const struct domain *domain;
	void *self;                      /* the domain's own data */
	const struct program *program;
	uint32_t at;                     /* index of the current instruction */
	unsigned lane;                   /* the lane of its result that is being computed */
	const struct use *use;           /* the sources of the current instruction */
	struct use (*uses)[MAX_SOURCES]; /* the sources of each instruction */
	int temps;                       /* number of registers, from r0 on, that are followed */
	worth (*temp)[LANES];            /* the current contents of these registers */
	int32_t (*def)[LANES];           /* the instructions that wrote them, numbered as in struct use */
	worth address[LANES];            /* the current contents of a0 */
	int literals;                    /* number of registers, from c0 on, among which all defs are */
	const struct decl **literal;     /* the def of each of these registers, or NULL if it has none */
};

/* Walks the program.  The caller sets domain, self and program and leaves the rest 0.  `needed` holds the lanes of each instruction's result
 * that are computed; if it is NULL, all lanes are. */
void evaluate(struct arena *, struct evaluation *, const lanes *needed);

/* Returns lane e->lane of what instruction e->at computes from e->use, without _sat. */
worth evaluate_lane(struct evaluation *e);

/* Names the sources of which an opcode computes p * f + q, lane by lane. */
struct product_sum {
	uint8_t p;  /* a factor, or the first summand if f is NO_TERM */
	uint8_t f;  /* the other factor, or NO_TERM if there is none */
	uint8_t q;  /* the source that is added, or NO_TERM if there is none */
	bool minus; /* q is subtracted instead */
};
enum { NO_TERM = MAX_SOURCES };
/* Finds the opcode as such a product or sum.  Returns false if it is something else. */
bool as_product_sum(enum op, struct product_sum *);

static inline const struct instr *instr_at_hand(const struct evaluation *e)
{
	return &e->program->instrs.at[e->at];
}
/* Returns the number of the function that makes the current lane: 0 for opcodes that compute the same in each lane, else the lane. */
static inline unsigned function_lane(const struct evaluation *e, enum op op)
{
	return op == SATURATED || ops[op].shape == SHAPE_LANES || ops[op].shape == SHAPE_SCALAR ? 0 : e->lane;
}

#endif
