/* Between forms.c, which takes sums and products apart, and regroup.c, which writes them anew. */
#ifndef FPMOVE_MOVE_RULES_FORMS_H
#define FPMOVE_MOVE_RULES_FORMS_H

#include "move/rules/rules.h"

enum {
	MOST_TERMS = 12,
	MOST_DEPTH = 24, /* instructions taken apart within one another */
	MOST_WORK = 100  /* instructions taken apart in all for one root: a value that is read twice doubles the work at each step */
};
enum { MOST_VALUES = 50000 }; /* values of an FP beyond which nothing is regrouped; pairs from games have some hundreds */

/* An operand, or a sum or product of movable ones, at the lanes of the instruction being rewritten. */
enum expr_kind { EXPR_SOURCE, EXPR_SUM, EXPR_PRODUCT };
struct expr {
	uint8_t kind;         /* enum expr_kind */
	struct src src;
	uint32_t def[LANES];  /* EXPR_SOURCE: instructions that wrote it, or NO_INSTR */
	const struct expr *a, *b;
	value_id value[LANES]; /* if movable */
};

struct addend {
	const struct expr *coef; /* NULL: 1 */
	bool negate;
	unsigned n;
	const struct expr *pixel[2];
	uint32_t origin; /* instruction that made the product */
};

struct form {
	const struct expr *rest; /* NULL: 0 */
	unsigned n;
	struct addend term[MOST_TERMS];
};

enum regrouping { REGROUP_ANY, REGROUP_LRP };

struct regroup {
	struct rewriting *w;
	struct arena *arena;   /* this and the next three: of `w` */
	struct program *ps;
	struct values *values;
	uint32_t *readers;
	enum regrouping how;

	/* The instruction being rewritten. */
	uint32_t root;
	lanes mask;            /* positions that count */
	bool shared;           /* what has other readers is taken apart, too */
	uint32_t *inside;      /* of each instruction: operands that read it within what is taken apart */
	struct { VEC(uint32_t); } trail; /* what is taken apart, once for each such operand */
	unsigned work;         /* instructions that may still be taken apart */
	uint8_t flags;         /* INSTR_PP if all of it has that */
	unsigned cost;         /* pixel slots of what is written */
};

/* Instruction i as a form, at its positions at[p] for each position p of the root; false: it is
 * none, and the trail is as it was. */
bool form_of_instr(struct regroup *, uint32_t i, const unsigned at[LANES], unsigned depth, struct form *);
/* What arrives in positions at[p] of an operand; from MOST_DEPTH on as one value. */
bool form_of_operand(struct regroup *, uint32_t i, unsigned s, const unsigned at[LANES], unsigned depth, struct form *);
/* Operand s of instruction i as the root may read it; NULL: it cannot. */
struct expr *form_leaf(struct regroup *, uint32_t i, unsigned s, const unsigned at[LANES]);
bool form_movable(const struct regroup *, const struct expr *);
/* Closes again what was taken apart since the trail had this length. */
void form_close(struct regroup *, uint32_t length);
/* The sum or product, lane by lane; NULL: it cannot move. */
const struct expr *form_combine(struct regroup *, enum expr_kind, const struct expr *, const struct expr *);

#endif
