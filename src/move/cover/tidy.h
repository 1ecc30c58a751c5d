/* Inside tidy: the passes share one program, in which each web has a register of its own, and ask anew for its flow after each change. */
#ifndef FPMOVE_MOVE_COVER_TIDY_H
#define FPMOVE_MOVE_COVER_TIDY_H

#include "move/graph/flow.h"
#include "move/graph/registers.h"
#include "move/passes.h"


struct tidy {
	struct arena *arena;
	struct program *p;
	const struct outputs_read *read; /* NULL: all outputs count */
	const struct tidy_limits *limits; /* NULL: no new literals */
	struct flow *flow;               /* see tidy_flow */
	bool stale;                      /* the program changed since */
	bool exact_known;                /* `exact` is of that flow, see tidy_is_exact */
	bool *exact;                     /* of each instruction */
	size_t exact_size;               /* elements allocated */
	bool settled;                    /* the pass would find nothing if it ran again at once */
	bool joined;                     /* nothing changed since tidy_join did */
	bool literal[MOST_CONSTS];       /* constants that a def gives */
	int16_t *home;                   /* the register that each web had; NULL: registers are those of the model */
	int fresh;                       /* the next number for a web that is made */
};

/* The def of a constant that is read; NULL: the application sets it. */
static inline const struct decl *tidy_def(const struct tidy *t, const struct src *s)
{
	return s->file == REG_CONST && !s->relative && t->literal[s->index] ? program_decl(t->p, REG_CONST, s->index) : NULL;
}

/* The program's flow as it is now; what the last call gave is no more. */
const struct flow *tidy_flow(struct tidy *);

/* Dead instructions and lanes. */
bool tidy_dead(struct tidy *);
/* Operands that read a copy, or what was computed before, read the first register that has it. */
bool tidy_aliases(struct tidy *);
/* Computes where it is wanted what movs alone move on. */
bool tidy_targets(struct tidy *);
/* ... also in an oC#, in a model in which any instruction may write that. */
bool tidy_pixel_outputs(struct tidy *);
/* mul and add become mad. */
bool tidy_mads(struct tidy *);
/* Removes factors 1, summands 0, factors that cancel, and products of dot products that are 0. */
bool tidy_units(struct tidy *);
/* Makes instruction k a mov if it multiplies a vector by a number before that is normalised. */
bool tidy_cancel(struct tidy *, uint32_t k);
/* Movs go that bring lanes of one constant which no swizzle brings. */
bool tidy_ports(struct tidy *);
/* Turns the lanes of results so that their operands need no mov, in pixel programs of model 2. */
bool tidy_turned(struct tidy *);
/* Movs of two registers into lanes of one become a cmp by literals; products with a choice between 0, 1 and -1, and sums of two by the
 * signs of one value, a choice. */
bool tidy_choices(struct tidy *);
/* What decides by a choice decides by what was chosen by, see rules/decide.h. */
bool tidy_decisions(struct tidy *);
/* Registers that a mov joins are one, and the mov goes; instructions with different destinations become one, wherever they stand. */
bool tidy_join(struct tidy *);

/* Sums of lanes become dot products with numbers, sums of dot products one. */
bool tidy_sums(struct tidy *);

/* Returns a register for a new web; -1: there is none. */
static inline int tidy_new_web(struct tidy *t)
{
	if (!t->home || t->fresh == MOST_REGS)
		return -1;
	t->home[t->fresh] = -1;
	return t->fresh++;
}
/* Is the lane of a def a note of the proof's, that must stay where it is, and whose number the proof does not see? */
bool tidy_is_noted(const struct tidy *, int reg, unsigned lane);
/* The same registers, whatever their lanes? */
bool tidy_operands_agree(const struct instr *a, const struct instr *b);
/* What an operand is to be, lane by lane. */
struct numbers {
	float of[LANES];
	lanes negative; /* numbers 0 that must be -0, which alone changes nothing where it is added */
};
/* Where the numbers of operands are, or are to go. */
struct literal_place {
	uint32_t decl; /* decls.n: a new one; UINT32_MAX: there are none */
	struct decl def;
};
/* Both as one mad or simpler, with literals.  a and b do what instructions j and k do, perhaps elsewhere. */
bool tidy_as_mad(struct tidy *, const struct instr *a, uint32_t j, const struct instr *b, uint32_t k, struct instr *out,
                 struct literal_place *);
/* The place in the text of `old`, and its comments. */
static inline void tidy_stand_for(const struct instr *old, struct instr *new)
{
	new->at = old->at;
	new->blank = old->blank;
	new->comments = old->comments;
}
/* Both, movs of two registers in a pixel program, as a choice by literals in the place `at`; instruction `gone` is there no more. */
bool tidy_as_choice(struct tidy *, const struct instr *a, const struct instr *b, uint32_t at, uint32_t gone, struct instr *out,
                    struct literal_place *);
/* May the instruction write more lanes, or others, or be another opcode?  Not what writes an address or what the program is for. */
bool tidy_can_join(const struct instr *);
/* A sum, a product or a mov, which a mad with literals can be? */
bool tidy_is_sum(const struct instr *);
/* All lanes of the result the same? */
bool tidy_is_uniform(const struct instr *);
/* Returns whether it may read and write any lanes of temporaries that its swizzles bring. */
static inline bool tidy_is_plain(const struct instr *i)
{
	enum op_shape const shape = ops[i->op].shape;
	return (i->dst.file == REG_TEMP || i->dst.file == REG_TEX_OUT) &&
	       ((shape == SHAPE_LANES && i->op != OP_FRC && i->op != OP_LRP) || shape == SHAPE_DP3 || shape == SHAPE_DP4);
}
/* May its result lanes be written to other lanes?  Those that are alike in all lanes, or computed lane by lane. */
static inline bool tidy_moves_lanes(const struct instr *i)
{
	return ops[i->op].shape == SHAPE_LANES || tidy_is_uniform(i);
}
/* False: they cannot be, whatever their lanes. */
bool tidy_may_be_mad(const struct tidy *, const struct instr *a, const struct instr *b);
/* The operands that are to be numbers, in the lanes that `i` writes, all from one register: from a def that has them, else from
 * one with room for them, else from one more; false: there is none. */
bool tidy_place_numbers(const struct tidy *, struct instr *i, const struct numbers *const number_of[MAX_SOURCES],
                        struct literal_place *);
/* Source `s` alone as numbers, for the lanes that `i` writes; false: no constant has room for them. */
bool tidy_numbers(const struct tidy *, struct instr *i, unsigned s, const float number[LANES], struct literal_place *);
/* Has instruction `k` a part in the position, or in an address?  Then what it leaves stays what it
 * is to the last bit, unless the limits say that positions are free. */
bool tidy_is_exact(struct tidy *, uint32_t k);
/* Does `new`, whose numbers are where `where` puts them, do in each lane that `old` writes what `old` does there, to the
 * last bit?  Of operations lane by lane; `where` may be NULL. */
bool tidy_does_the_same(const struct tidy *, const struct instr *old, const struct instr *new,
                        const struct literal_place *where);
/* Makes the numbers literals. */
void tidy_place(struct tidy *, const struct literal_place *);
/* Puts `changed` in the place of instruction `k` if that breaks no rule which it kept. */
bool tidy_replace(struct tidy *, uint32_t k, const struct instr *changed);
/* Makes room for an instruction at `k`, to be filled in. */
struct instr *tidy_insert(struct tidy *, uint32_t k);
/* Removes instruction `k`; its comments go to the one that follows. */
void tidy_remove(struct tidy *, uint32_t k);
/* A swizzle that the model and the operand `s` of `i` take, and that brings lane from[l] to each operand
 * lane l of `read`. */
bool tidy_swizzle(const struct tidy *, const struct instr *i, unsigned s, const unsigned *from, lanes read, swizzle *);
/* The operands of an operation lane by lane, so that each lane l that is written computes what lane from[l] did; false, with
 * some turned: no swizzle brings that. */
bool tidy_turn_sources(const struct tidy *, struct instr *, const unsigned from[LANES]);

#endif
