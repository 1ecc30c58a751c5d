/* Other ways to write what an instruction computes, all side by side in one program: the search chooses among them.
 *
 * A rule looks at one instruction, the root, and writes alternatives for it: instructions that leave the same values in
 * the same lanes, made of what is there anyway.  rules.def lists the rules. */
#ifndef FPMOVE_MOVE_RULES_RULES_H
#define FPMOVE_MOVE_RULES_RULES_H

#include "move/passes.h"
#include "move/graph/values.h"

enum { MOST_WRITTEN = MOST_ALTERNATIVES - 1 }; /* alternatives of a root, beside what is given */

struct instrs {
	VEC(struct instr);
};

/* The FP for which rules write, and what they have written for the root at hand. */
struct rewriting {
	struct arena *arena;
	const struct group *group;
	struct values *values;  /* of `ps`, which is at hand there */
	struct program *ps;     /* each web of definitions in a register of its own; rules may add defs */
	uint32_t *readers;      /* of each instruction: operands that read it */
	uint32_t *next_writer;  /* of each instruction that writes an r#: the next one that writes that r#, or UINT32_MAX */
	int next_temp;          /* the first register that nobody writes */
	bool settles;           /* the first alternative is taken at once, not left to the search: */
	bool *gone;             /* ... of each instruction: nobody reads it any more */
	bool *opened;           /* of each instruction: an alternative of a later root takes it apart */
	uint32_t root;
	struct { VEC(struct expr *); } exprs; /* of forms.h, for one way of regrouping a root, then for the next, */
	uint32_t exprs_used;                  /* number of them in use */
	struct instrs *beside;    /* of each instruction: what alternatives of several roots read, which is put before it; */
	struct instrs *projected; /* ... its alternative as a projected read, see project.c.  NULL: nobody asked yet */
	struct instrs out;       /* each alternative after the other */
	unsigned n, end[MOST_WRITTEN];     /* where each ends; its last instruction writes what the root does */
	int temp[MOST_WRITTEN], first_temp; /* the first of its own registers; the same of the one being written */
};

/* What is put in `out` until rules_add() or rules_drop() is one alternative: each instruction writes a register of its
 * own from next_temp on.  It is dropped as well if it is there already. */
void rules_begin(struct rewriting *);
void rules_add(struct rewriting *);
void rules_drop(struct rewriting *);
/* Appends the instruction, without _sat, and with lanes `mask` of a register of its own as its result, which is what is given
 * back. */
struct src rules_put(struct rewriting *, struct instr, lanes mask);
/* The same, but in lanes of the register of what was put before. */
void rules_put_beside(struct rewriting *, struct instr, int reg, lanes mask);
/* Operand s of instruction i, which the root can read instead: in each position p of `mask` what is in position at[p] there;
 * false: it has changed by then, or no swizzle brings it. */
bool rules_source(const struct rewriting *, uint32_t i, unsigned s, const unsigned at[LANES], lanes mask, struct src *);
/* The one instruction that wrote all that operand s of instruction i reads; UINT32_MAX: there is none, or several. */
uint32_t rules_sole_def(const struct values *, uint32_t i, unsigned s);

/* The programs at hand in `given` with all alternatives, numbered, with the sites of each.  The `at` of each
 * instruction is the index of the one at hand that it stands for, or SRCPOS_NONE.  NULL: no rule writes any. */
struct values *rules_extend(struct values *given, const struct group *);

/* What a variant is made of. */
struct variant_of {
	struct arena *arena;
	const struct group *group;
	const struct program *ps;
	struct values *values; /* where `ps` is at hand; rows, joining lanes and regrouping all of it do without */
};
/* A copy in which each instruction stands for itself: its `at` is its own index. */
struct program *program_numbered(struct arena *, const struct program *);
/* Of a program made of `from`: each instruction stands for what that stands for which it was made of. */
void program_trace(struct program *new, const struct program *from);
/* Each writes `ps` anew as a new program, or returns NULL if there is nothing to do.  Temporaries have any number below MODEL_TEMPS; the
 * `at` of each instruction is the index of the one that it stands for, or SRCPOS_NONE.  See variants.c. */
typedef struct program *variant_writer(const struct variant_of *);
enum variant {
#define RULE(function, name, tag, level, varying, what)
#define VARIANT(id, function, name, tag, what) id,
#include "move/rules/rules.def"
	VARIANTS
};
#define RULE(function, name, tag, level, varying, what) void rule_##function(struct rewriting *);
#define VARIANT(id, function, name, tag, what) variant_writer variant_##function;
#include "move/rules/rules.def"

/* What a rule or a variant is called, and what rules.def tells of it. */
struct rewrite_info {
	const char *name, *tag, *what;
};
extern const struct rewrite_info variants[VARIANTS];
/* The one that sites and histories call so, or, of several names, the first; NULL: another pass. */
const struct rewrite_info *rule_named(const char *name);

#endif
