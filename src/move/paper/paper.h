/* The data that the passes of -O1 share.  conditions.c finds by C1 to C4 what may move, bundle.c chooses the values that share an
 * interpolator (M4), allot.c assigns registers (M1, M2, M3), and rewrite.c writes the two programs. */
#ifndef FPMOVE_MOVE_PAPER_PAPER_H
#define FPMOVE_MOVE_PAPER_PAPER_H

#include "move/graph/flow.h"
#include "move/passes.h"
#include "move/graph/ties.h"
#include "move/graph/values.h"

enum paper_class {
	PAPER_PIXEL, /* stays in the FP */
	PAPER_CONST, /* made of constants only */
	PAPER_INPUT  /* one input lane, or the sum of one and a constant: A3 of the paper */
};

/* The class of a lane.  The kind of interpolation is INSTR_PP and INSTR_CENTROID of the input's dcl; a value may only be sent in a t# of
 * the same kind. */
struct paper_value {
	uint8_t what; /* enum paper_class */
	uint8_t kind; /* kind of interpolation, for PAPER_INPUT */
};

struct paper_conditions {
	struct fate *fates;                  /* of each FP instruction; MOVE_MOVED if it may move */
	struct paper_value (*values)[LANES]; /* of the lanes that each FP instruction writes */
	struct values *numbers;              /* value numbers; NULL if they were not needed */
};

/* Applies C1 to C4. */
struct paper_conditions paper_find_conditions(struct arena *, const struct flow *vs, const struct flow *ps,
                                              const struct move_options *);

/* Lanes of one FP temporary that moved instructions define and staying instructions read.  They share an interpolator, in which each keeps
 * its lane. */
struct bundle {
	int temp;            /* the FP temporary */
	lanes mask;          /* the lanes that are read */
	uint32_t def[LANES]; /* the moved FP instruction that defines each of them */
	uint8_t kind;        /* see struct paper_value; KIND_ANY if all lanes are constants */
	int texcoord;        /* number of the oT# and t# that carry it; -1 if not assigned yet */
};

/* Interpolators that the FP reads are numbered as channels: t0 to t7, then v0 and v1. */
enum { CHANNEL_COLOUR = MOST_TEXCOORDS, CHANNELS = CHANNEL_COLOUR + 2 };
static inline int channel_of(enum reg_file file, int index)
{
	return file == REG_TEXCOORD ? index : file == REG_INPUT ? CHANNEL_COLOUR + index : -1;
}
/* Returns the VP instruction that writes a lane of the channel last, or FLOW_UNWRITTEN. */
static inline uint32_t channel_writer(const struct flow *vs, int channel, unsigned lane)
{
	return channel < CHANNEL_COLOUR ? flow_last(vs, REG_TEX_OUT, channel, lane)
	                                : flow_last(vs, REG_COLOUR_OUT, channel - CHANNEL_COLOUR, lane);
}

/* VP registers that the moved instructions use, see allot.c. */
struct allotted {
	int const_of[MOST_CONSTS];      /* VP c# of each FP c#; -1 if the VP does not need it */
	int temp_of[MODEL_TEMPS];       /* VP r# of each FP r#; -1 if no moved instruction writes it */
	int copy_of[CHANNELS];          /* the temporary in which M2 copies a channel; -1 if it does not */
	lanes copied[CHANNELS];         /* the lanes of the copy that moved instructions read */
	uint8_t *copies;                /* for each VP instruction: 1 + the channel for which M2 copies its result, otherwise 0 */
	int clamp;                      /* VP c# that has 0 and 1; -1 if it is not needed */
	unsigned clamp_zero, clamp_one; /* lanes of 0 and 1 in it */
	int scratch[MAX_SOURCES];       /* VP temporaries for constants that need a mov; -1 if there are no more */
	struct { VEC(struct decl); } defs; /* new defs of the VP */
	struct { VEC(struct const_map); } consts;
};

/* One attempt to move all instructions that are `movable`.  The next attempt uses the same buffers.  Arrays have an element for each
 * FP instruction. */
struct rewrite {
	struct arena *arena;
	const struct flow *vs, *ps;
	const struct move_options *options;
	const struct paper_value (*values)[LANES];
	bool *movable;             /* the VP may compute it */
	const bool *reads_movable; /* it reads the result of an instruction that was movable in the first attempt */
	bool *kept;                /* the FP computes it, whether the VP does or not */
	bool brings;               /* the FP may copy a value from a t# into its register by a mov */
	struct ties ties;
	uint8_t failed;            /* enum verdict: the budget that the attempt exceeded */

	/* results of bundle.c */
	bool *moves;               /* the VP computes it */
	bool *stays;               /* the FP computes it; `moves` may be true, too */
	uint8_t *why;              /* enum verdict: why the FP computes a movable value */
	uint32_t *because;         /* the reader for which the FP computes it */
	lanes *brought;            /* lanes that `mov r, t` writes in place of the instruction, which does not stay */
	uint8_t *readers;          /* number of VP instructions and bundles that read its result in the VP; 2 means 2 or more */
	uint32_t *mark, marks;     /* used by count_slots_to_keep() */
	const struct bundle **sends; /* the bundle to whose output it writes directly in the VP; NULL if there is none */
	struct { VEC(struct bundle); } bundles;
	int16_t (*bundle_of)[MAX_SOURCES]; /* the bundle that each operand reads; -1 if the operand does not change */

	struct allotted vp;

	/* results of rewrite.c */
	struct { VEC(struct instr); } vs_out, ps_out;
};

/* Finds the instructions that the FP keeps, those that the VP computes, and the bundles that cross. */
void bundle_find(struct rewrite *);
/* Keeps the constants of one bundle in the FP, which frees an interpolator.  Returns false if giving up the latest move would take fewer or
 * as many slots. */
bool bundle_keep_constants(struct rewrite *);
/* Returns the lanes of the bundle's output that the VP writes behind instruction `k`: the lanes of the bundle that `k` defines, and lower
 * lanes that the FP does not read, since the masks of all writes to one oT# must add up to .x, .xy, .xyz or .xyzw.  from[lane] gets the lane
 * of the temporary that is written to each. */
lanes bundle_lanes_sent(const struct bundle *, uint32_t k, unsigned from[LANES]);
/* Assigns interpolators to bundles and VP registers to moved instructions; returns false if a budget is exceeded. */
bool allot_registers(struct rewrite *);
/* M3: finds the VP operand that may replace input operand `s` of moved FP instruction `k` without a copy; returns false if there is none. */
bool allot_direct(const struct rewrite *, uint32_t k, unsigned s, struct src *);
/* Writes the instructions of both programs; returns false if a budget is exceeded. */
bool rewrite_instrs(struct rewrite *);
/* Return the complete programs, after rewrite_instrs() has succeeded. */
struct program *rewrite_vs(struct rewrite *);
struct program *rewrite_ps(struct rewrite *);

/* Records the budget that an attempt exceeds; returns false. */
static inline bool rewrite_fails(struct rewrite *rw, enum verdict why)
{
	rw->failed = (uint8_t)why;
	return false;
}

#endif
