/* What each lane of a program is worth, in the arithmetic of a domain.
 *
 * A domain is a way to count: in value numbers, modulo a prime, in classes.  A walk goes once through a program,
 * from the first instruction to the last, and finds each lane by the algebra column of lang/ops.def.  The proof in
 * src/verify has an arithmetic of its own. */
#ifndef FPMOVE_MOVE_GRAPH_EVALUATE_H
#define FPMOVE_MOVE_GRAPH_EVALUATE_H

#include "lang/ir.h"

typedef uint32_t worth;      /* a number that means something to the domain alone */
#define NO_WORTH UINT32_MAX  /* nothing is known: nor is of a sum or a product with it */

enum { EVALUATE_TEMPS = 256 }; /* temporaries that are followed: more than any model has, for -O3 numbers them anew */

/* One source operand of one instruction. */
struct use {
	lanes read;          /* operand positions that matter for the instruction's whole mask */
	worth value[LANES];
	int32_t def[LANES];  /* instruction that wrote what arrives in the position; -1: an input or constant; -2: nobody */
};

struct evaluation;

/* No function but `function` is given NO_WORTH as an operand. */
struct domain {
	/* A register lane that no def and no instruction gives; of r#: that nobody wrote, or of which nothing is known.
	 * `by`: of c[a0.x + index] what is in a0, another number for each write of it; NO_WORTH: not so. */
	worth (*given)(struct evaluation *, enum reg_file, int index, unsigned lane, worth by);
	worth (*literal)(struct evaluation *, float);
	worth (*minus)(struct evaluation *, worth);
	worth (*sum)(struct evaluation *, worth, worth);
	worth (*product)(struct evaluation *, worth, worth);
	/* x y + z and x[0] y[0] + ... as one step; NULL or NO_WORTH: in steps, of which the last decides. */
	worth (*mad)(struct evaluation *, worth x, worth y, worth z);
	worth (*dot)(struct evaluation *, const worth *x, const worth *y, unsigned n);
	/* An opcode that is ITSELF, in the lane function_lane(); SATURATED: what _sat does to the result. */
	worth (*function)(struct evaluation *, enum op, const worth *x, unsigned n);
	/* Is the result's lane to be found at all?  NULL: all are. */
	bool (*follows)(struct evaluation *);
	/* The result's lane has been found: what it counts as from here on. */
	worth (*result)(struct evaluation *, worth);
};
#define SATURATED OP_COUNT

struct evaluation {
	const struct domain *domain;
	void *self;                      /* of the domain */
	const struct program *program;
	uint32_t at;                     /* the instruction at hand, */
	unsigned lane;                   /* ... the lane of its result, */
	const struct use *use;           /* ... and its sources */
	struct use (*uses)[MAX_SOURCES]; /* of each instruction */
	int temps;                       /* registers from r0 on that are followed, and what is in them: */
	worth (*temp)[LANES];
	int32_t (*def)[LANES];           /* as in a use */
	worth address[LANES];
	int literals;                    /* registers from c0 on of which some are literals, and their defs */
	const struct decl **literal;
};

/* Walks the program; domain, self and program are set, the rest is 0.  `needed`: lanes of each instruction's result
 * that are to be found; NULL: all. */
void evaluate(struct arena *, struct evaluation *, const lanes *needed);

/* Lane e->lane of what instruction e->at computes of e->use, without _sat. */
worth evaluate_lane(struct evaluation *e);

/* The opcode as p f + q of its sources, lane by lane; false: it is none.  NO_TERM: there is no such factor, or nothing is
 * added. */
struct product_sum {
	uint8_t p, f, q;
	bool minus; /* q is taken away */
};
enum { NO_TERM = MAX_SOURCES };
bool as_product_sum(enum op, struct product_sum *);

static inline const struct instr *instr_at_hand(const struct evaluation *e)
{
	return &e->program->instrs.at[e->at];
}
/* Opcodes that compute the same in each lane have one function, others one for each lane. */
static inline unsigned function_lane(const struct evaluation *e, enum op op)
{
	return op == SATURATED || ops[op].shape == SHAPE_LANES || ops[op].shape == SHAPE_SCALAR ? 0 : e->lane;
}

#endif
