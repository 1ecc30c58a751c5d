/* Sums and products taken apart: forms.c builds them, regroup.c writes them out again. */
#ifndef FPMOVE_MOVE_RULES_FORMS_H
#define FPMOVE_MOVE_RULES_FORMS_H

#include "move/rules/rules.h"

enum {
	MOST_TERMS = 12,
	MOST_DEPTH = 24, /* instructions taken apart within one another */
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
	value_id value[LANES]; /* the value, if it may move */
};

/* A term of a form: the coefficient times one or two pixel values. */
struct addend {
	const struct expr *coef; /* NULL if it is 1 */
	bool negate;
	unsigned n;              /* number of pixel values */
	const struct expr *pixel[2];
	uint32_t origin; /* instruction that computed the product */
};

/* A sum of terms, and of a rest that may move. */
struct form {
	const struct expr *rest; /* NULL if it is 0 */
	unsigned n;
	struct addend term[MOST_TERMS];
};

enum regrouping { REGROUP_ANY, REGROUP_LRP };

struct regroup {
	struct rewriting *w;
	struct arena *arena;   /* this and the next three are copied from `w` */
	struct program *ps;
	struct values *values;
	uint32_t *readers;
	enum regrouping how;

	/* The instruction being rewritten. */
	uint32_t root;
	lanes mask;            /* the positions that the root writes */
	bool shared;           /* instructions with other readers are taken apart, too */
	uint32_t *inside;      /* [instruction]: how many operands that read it were replaced by its own operands */
	struct { VEC(uint32_t); } trail; /* the instruction that was taken apart for each of these operands */
	unsigned work;         /* how many instructions may still be taken apart */
	uint8_t flags;         /* INSTR_PP if all instructions taken apart have it, and the root */
	unsigned cost;         /* pixel slots of the instructions written */
};

/* Finds instruction i as a form, at its positions at[p] for each position p of the root.  Returns false, and leaves the trail as it was, if
 * it is none. */
bool form_of_instr(struct regroup *, uint32_t i, const unsigned at[LANES], unsigned depth, struct form *);
/* Finds the form of an operand at positions at[p].  From MOST_DEPTH on it is not taken apart. */
bool form_of_operand(struct regroup *, uint32_t i, unsigned s, const unsigned at[LANES], unsigned depth, struct form *);
/* Returns operand s of instruction i as the root may read it, or NULL if it cannot. */
struct expr *form_leaf(struct regroup *, uint32_t i, unsigned s, const unsigned at[LANES]);
bool form_movable(const struct regroup *, const struct expr *);
/* Undoes what was taken apart since the trail had this length. */
void form_close(struct regroup *, uint32_t length);
/* Returns the sum or product, lane by lane, or NULL if it cannot move. */
const struct expr *form_combine(struct regroup *, enum expr_kind, const struct expr *, const struct expr *);

#endif
