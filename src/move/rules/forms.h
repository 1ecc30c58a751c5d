/* Sums and products taken apart: forms.c builds them, regroup.c writes them out again. */
#ifndef FPMOVE_MOVE_RULES_FORMS_H
#define FPMOVE_MOVE_RULES_FORMS_H

#include "move/rules/rules.h"

enum {
	MOST_TERMS = 12,
	MOST_DEPTH = 24, /* levels of instructions that are taken apart as operands of one another */
	MOST_WORK = 100  /* instructions taken apart for one root: a value that is read twice doubles the work at each step */
};
enum { MOST_VALUES = 50000 }; /* an FP with more values than this is not regrouped; pairs from games have some hundreds */

/* An operand, or a sum or product of operands that may move, in the lanes of the instruction being rewritten. */
enum expr_kind { EXPR_SOURCE, EXPR_SUM, EXPR_PRODUCT };
struct expr {
	uint8_t kind;         /* enum expr_kind */
	struct src src;       /* EXPR_SOURCE: the operand */
	uint32_t def[LANES];  /* EXPR_SOURCE: the instructions that wrote it, or NO_INSTR */
	const struct expr *a, *b; /* EXPR_SUM, EXPR_PRODUCT: the two operands */
	value_id value[LANES]; /* its value at each position of the instruction being rewritten, if it may move */
};

/* A term of a form: the coefficient times one or two pixel values. */
struct addend {
	const struct expr *coef; /* the coefficient; NULL if it is 1 */
	bool negate;
	unsigned n;              /* number of pixel values that are multiplied: 1 or 2 */
	const struct expr *pixel[2];
	uint32_t origin; /* instruction that computed the product */
};

/* A sum of terms, and of a rest that may move. */
struct form {
	const struct expr *rest; /* the part of the sum that may move; NULL if it is 0 */
	unsigned n;              /* number of terms */
	struct addend term[MOST_TERMS];
};

/* Which instructions are rewritten: all sums and products, or only lrp, sums that compute one, and products with powers of two. */
enum regrouping { REGROUP_ANY, REGROUP_LRP };

struct regroup {
	struct rewriting *w;
	struct arena *arena;   /* arena, ps, values and readers are those of `w` */
	struct program *ps;
	struct values *values;
	uint32_t *readers;
	enum regrouping how;

	/* The instruction being rewritten. */
	uint32_t root;
	lanes mask;            /* the positions that the root writes */
	bool shared;           /* instructions with other readers are taken apart, too */
	uint32_t *inside;      /* [instruction]: how many operands that read its result were replaced by its own operands */
	struct { VEC(uint32_t); } trail; /* the instructions taken apart, in order: an entry for each operand that read one and was replaced */
	unsigned work;         /* how many instructions may still be taken apart */
	uint8_t flags;         /* INSTR_PP if all instructions taken apart have it, and the root */
	unsigned cost;         /* number of instructions written that compute pixel values, and so stay */
};

/* Finds the form (a sum of terms) of what instruction i computes: its position at[p] for each position p of the root.  Returns false, and
 * leaves the trail as it was, if that is no such sum. */
bool form_of_instr(struct regroup *, uint32_t i, const unsigned at[LANES], unsigned depth, struct form *);
/* Finds the form (a sum of terms) of operand s of instruction i: its position at[p] for each position p of the root.  The instruction that
 * computes the operand is taken apart only if `depth` is below MOST_DEPTH.  Returns false if there is no form that the root can read,
 * or float arithmetic rounds a constant in it. */
bool form_of_operand(struct regroup *, uint32_t i, unsigned s, const unsigned at[LANES], unsigned depth, struct form *);
/* Returns operand s of instruction i as the root may read it in its own place, or NULL if it cannot. */
struct expr *form_leaf(struct regroup *, uint32_t i, unsigned s, const unsigned at[LANES]);
bool form_movable(const struct regroup *, const struct expr *);
/* Removes entries from the trail until it has this length, as if the instructions in them had not been taken apart. */
void form_close(struct regroup *, uint32_t length);
/* Returns the sum or product of the two, lane by lane, or NULL if that cannot move, or a factor is so extreme that products may leave the range of
 * a float. */
const struct expr *form_combine(struct regroup *, enum expr_kind, const struct expr *, const struct expr *);

#endif
