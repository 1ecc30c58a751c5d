/* Declares what the tidy passes share.  They change one program, in which each web has a register of its own, and call tidy_flow again
 * after each change. */
#ifndef FPMOVE_MOVE_COVER_TIDY_H
#define FPMOVE_MOVE_COVER_TIDY_H

#include "move/graph/flow.h"
#include "move/graph/registers.h"
#include "move/passes.h"

struct tidy {
	struct arena *arena;
	struct program *p;
	const struct outputs_read *read;  /* lanes of the outputs that something reads, or NULL if all of them count */
	const struct tidy_limits *limits; /* NULL if no constant register may be taken for literals */
	struct flow *flow;                /* definitions and uses, cached: tidy_flow returns it up to date */
	bool stale;                       /* the program changed after `flow` was found */
	bool exact_known;                 /* `exact` was found from the present `flow` */
	bool *exact;                      /* for each instruction, the result of tidy_is_exact */
	size_t exact_size;                /* allocated elements of `exact` */
	bool settled;                     /* the pass that just ran would find nothing if it ran again at once */
	bool joined;                      /* the last change to the program was made by tidy_join */
	bool literal[MOST_CONSTS];        /* for each constant register, whether a def sets it */
	int16_t *home;                    /* the register that each web had, or NULL while the program has the model's registers */
	int fresh;                        /* the number of the next new web */
};

/* Returns the def of a constant that is read, or NULL if the application sets the constant. */
static inline const struct decl *tidy_def(const struct tidy *t, const struct src *s)
{
	return s->file == REG_CONST && !s->relative && t->literal[s->index] ? program_decl(t->p, REG_CONST, s->index) : NULL;
}

/* Returns the definitions and uses of the present program.  The result of an earlier call becomes invalid. */
const struct flow *tidy_flow(struct tidy *);

/* ---- passes: each returns true if it changed the program ---- */

/* Removes dead instructions and dead lanes. */
bool tidy_dead(struct tidy *);
/* Lets operands that read a copy or a repeated computation read the first register that holds the value. */
bool tidy_aliases(struct tidy *);
/* Lets an instruction write the register to which movs alone copy its result. */
bool tidy_targets(struct tidy *);
/* Lets an instruction write the oC# to which a mov copies its result, in a model in which any instruction may write an oC#. */
bool tidy_pixel_outputs(struct tidy *);
/* Makes a mad of a mul and an add. */
bool tidy_mads(struct tidy *);
/* Removes factors 1, summands 0, factors that cancel, and products of dot products that are 0. */
bool tidy_units(struct tidy *);
/* Makes instruction k a mov if it multiplies a vector by a number before the vector is normalised.  tidy_units calls it. */
bool tidy_cancel(struct tidy *, uint32_t k);
/* Removes movs of several lanes of one constant, where no swizzle has these lanes, by reading the constant lane by lane. */
bool tidy_ports(struct tidy *);
/* Turns the lanes of results so that their operands need no mov, in pixel programs of model 2. */
bool tidy_turned(struct tidy *);
/* Makes a cmp by literals of movs of two registers into lanes of one, and a cmp of a product whose factor is a choice between 0, 1
 * and -1, and of a sum of two choices by the signs of one value. */
bool tidy_choices(struct tidy *);
/* Lets a texkill or cmp that reads the result of a cmp read what that cmp compared instead (rules/decide.h). */
bool tidy_decisions(struct tidy *);
/* Joins the two registers of a mov and removes the mov; joins instructions that write different registers, wherever they stand. */
bool tidy_join(struct tidy *);
/* Makes dot products with literals of sums of lanes, and one dot product of a sum of dot products. */
bool tidy_sums(struct tidy *);

/* ---- what they share ---- */

/* Returns a register for a new web, or -1 if there is none. */
static inline int tidy_new_web(struct tidy *t)
{
	if (!t->home || t->fresh == MOST_REGS)
		return -1;
	t->home[t->fresh] = -1;
	return t->fresh++;
}
/* Returns true if the proof has a note of this lane of a def.  The lane must stay where it is, and the proof does not see its number. */
bool tidy_is_noted(const struct tidy *, int reg, unsigned lane);
/* Returns true if the operands read the same registers with the same signs, whatever their lanes. */
bool tidy_operands_agree(const struct instr *a, const struct instr *b);
/* Holds the literals that an operand is to read, lane by lane. */
struct numbers {
	float of[LANES];
	lanes negative; /* lanes whose 0 must be -0, since -0 alone changes nothing where it is added */
};
/* Names the def that holds the literals of operands, or that is to hold them. */
struct literal_place {
	uint32_t decl;   /* its number among the declarations: decls.n for a new one, UINT32_MAX if there are no literals */
	struct decl def; /* the def as it is to be */
};
/* Writes a and b as one mad or a simpler opcode, with literals.  a and b do what instructions j and k do, perhaps in other lanes.
 * Returns false if that is impossible. */
bool tidy_as_mad(struct tidy *, const struct instr *a, uint32_t j, const struct instr *b, uint32_t k, struct instr *out,
                 struct literal_place *);
/* Gives `new` the place of `old` in the text, and its comments. */
static inline void tidy_stand_for(const struct instr *old, struct instr *new)
{
	new->at = old->at;
	new->blank = old->blank;
	new->comments = old->comments;
}
/* Writes a and b, movs of two registers in a pixel program, as one cmp by literals at place `at`, where instruction `gone` is no longer
 * there.  Returns false if that is impossible. */
bool tidy_as_choice(struct tidy *, const struct instr *a, const struct instr *b, uint32_t at, uint32_t gone, struct instr *out,
                    struct literal_place *);
/* Returns true if the instruction may write more lanes, or others, or become another opcode.  One that writes a0 or oDepth may not. */
bool tidy_can_join(const struct instr *);
/* Returns true if the instruction is a sum, a product or a mov, which a mad with literals can replace. */
bool tidy_is_mad_form(const struct instr *);
/* Returns true if the opcode gives all lanes of the result the same value. */
bool tidy_is_uniform(const struct instr *);
/* Returns true if the instruction may write any lanes of a temporary or an oT#, and read any lanes that its swizzles can name. */
static inline bool tidy_is_plain(const struct instr *i)
{
	enum op_shape const shape = ops[i->op].shape;
	return (i->dst.file == REG_TEMP || i->dst.file == REG_TEX_OUT) &&
	       ((shape == SHAPE_LANES && i->op != OP_FRC && i->op != OP_LRP) || shape == SHAPE_DP3 || shape == SHAPE_DP4);
}
/* Returns true if its result can be written to other lanes: it is the same in all lanes, or computed lane by lane. */
static inline bool tidy_moves_lanes(const struct instr *i)
{
	return ops[i->op].shape == SHAPE_LANES || tidy_is_uniform(i);
}
/* Returns false if tidy_as_mad fails for both, whatever their lanes: a cheap test. */
bool tidy_may_be_mad(const struct tidy *, const struct instr *a, const struct instr *b);
/* Lets the operands of `i` with entries in `number_of` read these literals, in the lanes that `i` writes, all from one register: a def
 * that has them, else a def with vacant lanes, else a new def.  Returns false if there is no such register. */
bool tidy_place_numbers(const struct tidy *, struct instr *i, const struct numbers *const number_of[MAX_SOURCES],
                        struct literal_place *);
/* Lets source `s` alone read these literals, like tidy_place_numbers. */
bool tidy_numbers(const struct tidy *, struct instr *i, unsigned s, const float number[LANES], struct literal_place *);
/* Returns true if the position or an address depends on instruction `k`.  Its result must then stay the same to the last bit, unless
 * the limits say that positions are free. */
bool tidy_is_exact(struct tidy *, uint32_t k);
/* Returns true if both compute lane by lane, and `new` computes in each lane that `old` writes the same to the last bit.  `where` says
 * where the literals of `new` will be; it may be NULL. */
bool tidy_does_the_same(const struct tidy *, const struct instr *old, const struct instr *new,
                        const struct literal_place *where);
/* Adds the def of the literals to the program, or changes it. */
void tidy_place(struct tidy *, const struct literal_place *);
/* Puts `changed` in the place of instruction `k`.  Returns false if they are equal, or `changed` breaks more rules. */
bool tidy_replace(struct tidy *, uint32_t k, const struct instr *changed);
/* Inserts an empty instruction at `k`, which the caller fills in. */
struct instr *tidy_insert(struct tidy *, uint32_t k);
/* Removes instruction `k`; its comments go to the one that follows. */
void tidy_remove(struct tidy *, uint32_t k);
/* Finds a swizzle that reads lane from[l] in each operand lane l of `read`, and that the model and operand `s` of `i` allow.  Returns
 * false if there is none. */
bool tidy_swizzle(const struct tidy *, const struct instr *i, unsigned s, const unsigned *from, lanes read, swizzle *);
/* Turns the operands of an instruction that computes lane by lane, so that each lane l that it writes computes what lane from[l] did.
 * Returns false if no swizzle does that; some operands may be turned then. */
bool tidy_turn_sources(const struct tidy *, struct instr *, const unsigned from[LANES]);

#endif
