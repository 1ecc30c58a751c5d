/* Declares the tidy passes, which shorten one program, and the functions that they share.  While they run, each web (definitions that have to share a
 * register) has a register of its own, if there are enough numbers.  A pass calls tidy_flow again after each change. */
#ifndef FPMOVE_MOVE_COVER_TIDY_H
#define FPMOVE_MOVE_COVER_TIDY_H

#include "move/graph/flow.h"
#include "move/graph/registers.h"
#include "move/passes.h"

struct tidy {
	struct arena *arena;
	struct program *p;
	const struct outputs_read *read;  /* lanes of a VP's oT# and oD# that its FPs read, or NULL if all outputs are needed */
	const struct tidy_limits *limits; /* NULL if no new def may be added for literals */
	struct flow *flow;                /* cache of definitions and uses, which tidy_flow updates */
	bool stale;                       /* the program changed after `flow` was found */
	bool exact_known;                 /* `exact` is up to date with `flow` */
	bool *exact;                      /* for each instruction, whether oPos or a0 depends on it, as tidy_is_exact finds it */
	size_t exact_size;                /* allocated elements of `exact` */
	bool settled;                     /* the pass that ran last would change nothing if it ran again at once */
	bool joined;                      /* the last pass that changed the program was tidy_join */
	bool literal[MOST_CONSTS];        /* for each c#, whether a def sets it */
	int16_t *home;                    /* for each web's register, the register that it had before tidying, or -1 for a new web; NULL if webs
	                                   * have no registers of their own */
	int fresh;                        /* the r# that the next new web gets */
};

/* Returns the def of the constant that the operand reads, or NULL if the operand is not a constant with a def. */
static inline const struct decl *tidy_def(const struct tidy *t, const struct src *s)
{
	return s->file == REG_CONST && !s->relative && t->literal[s->index] ? program_decl(t->p, REG_CONST, s->index) : NULL;
}

/* Returns the definitions and uses of the present program.  The next call makes this result invalid. */
const struct flow *tidy_flow(struct tidy *);

/* ---- passes: each returns true if it changed the program ---- */

/* Removes dead instructions and dead lanes. */
bool tidy_dead(struct tidy *);
/* Lets operands that read a copy or a repeated computation read the first register that holds the value. */
bool tidy_aliases(struct tidy *);
/* Lets an instruction write its result to the destination of a mov that copies it, and removes the mov, if nothing else reads the result. */
bool tidy_targets(struct tidy *);
/* Lets an instruction write the oC# to which a mov copies its result, in a model in which any instruction may write an oC#. */
bool tidy_pixel_outputs(struct tidy *);
/* Replaces a product and the sum that adds or subtracts it by a mad.  If all readers of x compute 1 - x, or all compute 1 + x, lets the instructions
 * that compute x compute that. */
bool tidy_mads(struct tidy *);
/* Removes factors 1, -1 and 0, summands 0, factors that cancel when a vector is normalised, and products with 0 in dot products. */
bool tidy_units(struct tidy *);
/* Makes instruction k a mov if it multiplies by a literal a vector that is only normalised later. tidy_units calls it. */
bool tidy_cancel(struct tidy *, uint32_t k);
/* Replaces an instruction whose operand is filled by a mov of a constant for each lane by one instruction for each lane, which reads the constant
 * itself.  For pixel programs, which have few swizzles. */
bool tidy_ports(struct tidy *);
/* Moves results to other lanes of their register, so that operands need no mov to other lanes, in pixel programs of models with few swizzles. */
bool tidy_turned(struct tidy *);
/* Replaces a product by a cmp if a factor is the result of a cmp between literals 0, 1 and -1.  Replaces the sum of two cmps by the signs of one
 * value by a cmp.  For pixel programs. */
bool tidy_choices(struct tidy *);
/* Lets a texkill or cmp that reads the result of a cmp read what that cmp compared instead (rules/decide.h). */
bool tidy_decisions(struct tidy *);
/* Puts the source and the destination of a mov into one register, and removes the mov.  Joins two instructions, wherever they stand, to one that
 * writes the lanes of both. */
bool tidy_join(struct tidy *);
/* Replaces a sum of scalars by a dot product with literals and, at -O3, a sum of three or more dot products by one.  For pixel programs. */
bool tidy_sums(struct tidy *);

/* ---- what they share ---- */

/* Returns a register for a new web, or -1 if none is left or webs have no registers of their own. */
static inline int tidy_new_web(struct tidy *t)
{
	if (!t->home || t->fresh == MOST_REGS)
		return -1;
	t->home[t->fresh] = -1;
	return t->fresh++;
}
/* Returns true if the proof has a note (struct folded) about this lane of c`reg`.  The lane must then stay where it is, and its number must not be
 * used, since the proof does not see it. */
bool tidy_is_noted(const struct tidy *, int reg, unsigned lane);
/* Returns true if each operand of a reads the same register with the same sign as that of b, perhaps in other lanes.  Returns false for a block of
 * flow control.  a and b have one opcode. */
bool tidy_operands_agree(const struct instr *a, const struct instr *b);
/* The literals that an operand shall read, one for each lane. */
struct numbers {
	float of[LANES];
	lanes negative; /* lanes whose literal must be -0, not 0, since only -0 leaves every number as it is when it is added */
};
/* The def that holds the literals of operands, or will hold them after tidy_place(). */
struct literal_place {
	uint32_t decl;   /* its index among the declarations: decls.n for a new def, UINT32_MAX if there are no literals */
	struct decl def; /* the def with these literals */
};
/* Writes to *out one mad, or a simpler opcode, that computes what a and b do, with literals at *where. a and b compute the same as instructions j
 * and k, perhaps in other lanes.  Returns false if that is impossible. */
bool tidy_as_mad(struct tidy *, const struct instr *a, uint32_t j, const struct instr *b, uint32_t k, struct instr *out,
                 struct literal_place *);
/* Gives `new` the position of `old` in the source text, and its comments. */
static inline void tidy_stand_for(const struct instr *old, struct instr *new)
{
	new->at = old->at;
	new->blank = old->blank;
	new->comments = old->comments;
}
/* Writes to *out one cmp that does what a and b, movs of two registers in a pixel program, do: it compares literals at *where, and so chooses one
 * register in a's lanes and the other in b's.  The caller will make the cmp instruction `at`, and remove instruction `gone`.  Returns false if that
 * is impossible. */
bool tidy_as_choice(struct tidy *, const struct instr *a, const struct instr *b, uint32_t at, uint32_t gone, struct instr *out,
                    struct literal_place *);
/* Returns true if the instruction may be rewritten with more lanes, other lanes or another opcode: it computes lane by lane, or one value for all
 * lanes, and writes neither a0 nor oDepth. */
bool tidy_can_join(const struct instr *);
/* Returns true if the opcode is mov, add, sub, mul or mad, so that a mad with literals can replace it. */
bool tidy_is_mad_form(const struct instr *);
/* Returns true if the opcode gives all lanes of the result the same value. */
bool tidy_is_uniform(const struct instr *);
/* Returns true if the instruction writes a temporary or an oT#, and its opcode allows any write mask and any swizzle of the model. */
static inline bool tidy_is_plain(const struct instr *i)
{
	enum op_shape const shape = ops[i->op].shape;
	return (i->dst.file == REG_TEMP || i->dst.file == REG_TEX_OUT) &&
	       ((shape == SHAPE_LANES && i->op != OP_FRC && i->op != OP_LRP) || shape == SHAPE_DP3 || shape == SHAPE_DP4);
}
/* Returns true if the instruction's result can be written to other lanes: it is the same in all lanes, or computed lane by lane. */
static inline bool tidy_moves_lanes(const struct instr *i)
{
	return ops[i->op].shape == SHAPE_LANES || tidy_is_uniform(i);
}
/* Returns false if tidy_as_mad would fail for a and b, whatever lanes they write.  True does not mean that it succeeds: a cheap test. */
bool tidy_may_be_mad(const struct tidy *, const struct instr *a, const struct instr *b);
/* Lets each operand s of `i` with an entry number_of[s] read these literals, in the lanes that `i` writes, from one register for all operands: a def
 * that has them, else a def with unread lanes that fpmove added, else a new def.  Sets *where to the def.  Returns false if there is none. */
bool tidy_place_numbers(const struct tidy *, struct instr *i, const struct numbers *const number_of[MAX_SOURCES],
                        struct literal_place *);
/* Lets source `s` of `i` read number[l] in each lane l that `i` writes, from one constant register, chosen as by tidy_place_numbers().  Returns false
 * if there is none. */
bool tidy_numbers(const struct tidy *, struct instr *i, unsigned s, const float number[LANES], struct literal_place *);
/* Returns true if oPos or a0 depends on instruction `k` of a VP.  Its result must then stay the same to the last bit.  Always returns false
 * for an FP, and if limits->free_position is set. */
bool tidy_is_exact(struct tidy *, uint32_t k);
/* Returns true if both instructions have one opcode that computes lane by lane, and `new` computes the same as `old`, to the last bit, in each lane
 * that `old` writes.  `where` is the def of the literals of `new`, or NULL if the program has it already. */
bool tidy_does_the_same(const struct tidy *, const struct instr *old, const struct instr *new,
                        const struct literal_place *where);
/* Adds the new def `def` to the program, or replaces the def that it extends.  Does nothing if there are no literals. */
void tidy_place(struct tidy *, const struct literal_place *);
/* Replaces instruction `k` by `changed`.  Returns false, and replaces nothing, if they are equal, or `changed` breaks more rules of the model than
 * instruction `k`. */
bool tidy_replace(struct tidy *, uint32_t k, const struct instr *changed);
/* Inserts an empty instruction at index `k`, before the present instruction `k`, and returns it; the caller fills it in. */
struct instr *tidy_insert(struct tidy *, uint32_t k);
/* Removes instruction `k`; its comments go to the next instruction. */
void tidy_remove(struct tidy *, uint32_t k);
/* Sets the swizzle to one that reads register lane from[l] in each operand lane l of `read`, and that the model allows for operand `s` of `i`.
 * Returns false if there is none. */
bool tidy_swizzle(const struct tidy *, const struct instr *i, unsigned s, const unsigned *from, lanes read, swizzle *);
/* Changes the swizzles of an instruction that computes lane by lane, so that it computes in each lane l of its mask what it computed in lane from[l].
 * Returns false if no swizzle does that; some operands may be changed then. */
bool tidy_turn_sources(const struct tidy *, struct instr *, const unsigned from[LANES]);

#endif
