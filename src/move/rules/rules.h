/* Alternatives: other ways to write an instruction, all of them in one program, among which the search chooses.
 *
 * A rule looks at one instruction, the root, and writes alternatives for it: instructions that leave the same values in
 * the same lanes, computed from values that the program has.  rules.def lists the rules. */
#ifndef FPMOVE_MOVE_RULES_RULES_H
#define FPMOVE_MOVE_RULES_RULES_H

#include "move/passes.h"
#include "move/graph/values.h"

enum { MOST_WRITTEN = MOST_ALTERNATIVES - 1 }; /* alternatives of a root, not counting the root itself */

struct instrs {
	VEC(struct instr);
};

/* The FP for which rules write, and the alternatives written for the current root. */
struct rewriting {
	struct arena *arena;
	const struct group *group;
	struct values *values;  /* the values, in which this FP is the current one */
	struct program *ps;     /* the FP, with each web (definitions that share a reader) in a register of its own; rules may add defs */
	uint32_t *readers;      /* [instruction]: how many operands read its result */
	uint32_t *next_writer;  /* [instruction that writes an r#]: the next one that writes that r#, or UINT32_MAX if there is none */
	int next_temp;          /* the first register that no instruction writes */
	bool settles;           /* the first alternative of each root replaces it, so that the search has no choice (regroup all) */
	bool *gone;             /* [instruction]: nothing reads it any more, because alternatives replaced roots */
	bool *opened;           /* [instruction]: an alternative of a later root takes it apart */
	uint32_t root;
	struct { VEC(struct expr *); } exprs; /* memory for the expressions of forms.h, reused for each way of regrouping a root */
	uint32_t exprs_used;                  /* how many of `exprs` are in use */
	struct instrs *beside;    /* [instruction]: instructions to be put before it, read by alternatives of several roots; NULL before project.c ran */
	struct instrs *projected; /* [instruction]: its alternative as a projected read; NULL before project.c ran */
	struct instrs out;        /* the alternatives, one after the other */
	unsigned n, end[MOST_WRITTEN]; /* number of alternatives, and the end of each in `out`; its last instruction writes the root's lanes */
	int temp[MOST_WRITTEN];   /* [alternative]: the first of its own registers */
	int first_temp;           /* the first register of the alternative being written */
};

/* Begin an alternative for the root, add it, or drop it.  It consists of the instructions that are put into `out` in between, each of which
 * writes a register of its own, from next_temp on.  rules_add() drops an alternative that equals an earlier one, or if there are MOST_WRITTEN or
 * too many registers. */
void rules_begin(struct rewriting *);
void rules_add(struct rewriting *);
void rules_drop(struct rewriting *);
/* Appends the instruction, without its _sat, to the alternative.  It writes lanes `mask` of a new register, which is returned. */
struct src rules_put(struct rewriting *, struct instr, lanes mask);
/* Appends the instruction, without its _sat, to the alternative.  It writes lanes `mask` of r`reg`, one of the alternative's own registers. */
void rules_put_beside(struct rewriting *, struct instr, int reg, lanes mask);
/* Makes a source operand for the root's place that reads, at each position p of `mask`, what operand s of instruction i reads at position
 * at[p].  Returns false if that register has changed before the root, or if no swizzle yields these lanes. */
bool rules_source(const struct rewriting *, uint32_t i, unsigned s, const unsigned at[LANES], lanes mask, struct src *);
/* Returns the one instruction that wrote all that operand s of instruction i reads, or UINT32_MAX if there is none or several. */
uint32_t rules_sole_def(const struct values *, uint32_t i, unsigned s);

/* Lets the rules write alternatives into copies of the FPs of `given`, and returns the values and sites of these.  The `at` of each
 * instruction is the index of the given one that it stands for, or SRCPOS_NONE.  Returns NULL if no rule writes an alternative, or if float
 * arithmetic rounds a sum in one although it rounds none in the given FPs. */
struct values *rules_extend(struct values *given, const struct group *);

/* The input of a function that writes a variant of an FP: the whole FP, written in another way. */
struct variant_of {
	struct arena *arena;
	const struct group *group;
	const struct program *ps;
	struct values *values; /* the values, in which `ps` is the current program; NULL for the variants settled, join lanes and regroup all */
};
/* Returns a copy of the program in which the `at` of each instruction is its own index. */
struct program *program_numbered(struct arena *, const struct program *);
/* Replaces the `at` of each instruction of `new`, which is the index of an instruction of `from`, by the `at` of that instruction. */
void program_trace(struct program *new, const struct program *from);
/* A function that writes the FP as a new program that computes the same, or returns NULL if there is nothing to do.  Temporaries have any number
 * below MODEL_TEMPS; the `at` of each instruction is the index of the one that it stands for, or SRCPOS_NONE.  See variants.c. */
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

/* The columns of rules.def that describe a rule or a variant. */
struct rewrite_info {
	const char *name, *tag, *what;
};
extern const struct rewrite_info variants[VARIANTS];
/* Returns the rule or variant of this name.  If `name` is a list, as "lrp, dots" in a history, its first name counts.  Returns NULL if it is
 * the name of another pass. */
const struct rewrite_info *rule_named(const char *name);

#endif
