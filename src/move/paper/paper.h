/* Declares what the passes of -O1, the paper's method, share.  conditions.c finds by the paper's conditions C1 to C4 what may move.  The other
 * files do its steps M1 to M4: bundle.c chooses the values that share an interpolator (M4), allot.c assigns registers (M1, M2, M3), and
 * rewrite.c writes the two programs. */
#ifndef FPMOVE_MOVE_PAPER_PAPER_H
#define FPMOVE_MOVE_PAPER_PAPER_H

#include "move/graph/flow.h"
#include "move/passes.h"
#include "move/graph/ties.h"
#include "move/graph/values.h"

enum paper_class {
	PAPER_PIXEL, /* stays in the FP */
	PAPER_CONST, /* made of constants only */
	PAPER_INPUT  /* an input lane, or the sum of an input lane and a constant (the paper's A3) */
};

/* The class of a lane that an FP instruction writes.  The kind of interpolation is INSTR_PP and INSTR_CENTROID of the input's dcl; a value may
 * only be sent in a t# of the same kind. */
struct paper_value {
	uint8_t what; /* enum paper_class */
	uint8_t kind; /* for PAPER_INPUT, how the input is interpolated */
};

struct paper_conditions {
	struct fate *fates;                  /* [FP instruction]: the verdict is MOVE_MOVED if it may move */
	struct paper_value (*values)[LANES]; /* [FP instruction][lane that it writes]: the class of the lane */
	struct values *numbers;              /* value numbers of the FP's lanes; NULL if they were not needed */
};

/* Finds by the paper's conditions C1 to C4 which FP instructions may move. */
struct paper_conditions paper_find_conditions(struct arena *, const struct flow *vs, const struct flow *ps,
                                              const struct move_options *);

/* Lanes of one FP temporary that moved instructions define and staying instructions read.  They share an interpolator, in which each keeps
 * its lane. */
struct bundle {
	int temp;            /* the FP temporary */
	lanes mask;          /* the lanes that staying instructions read */
	uint32_t def[LANES]; /* [lane]: the moved FP instruction that defines it */
	uint8_t kind;        /* how its values are interpolated; KIND_ANY if all lanes are constants */
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
	int const_of[MOST_CONSTS];      /* VP c# that stands for each FP c#; -1 if there is none */
	int temp_of[MODEL_TEMPS];       /* VP r# of each FP r#; -1 if no moved instruction writes it */
	int copy_of[CHANNELS];          /* VP temporary into which step M2 copies what the VP sends in this channel; -1 if it copies nothing */
	lanes copied[CHANNELS];         /* the lanes of each channel's copy that moved instructions read */
	uint8_t *copies;                /* [VP instruction]: 1 + the channel for which step M2 copies its result, or 0 if it is not copied */
	int clamp;                      /* VP c# that holds 0 and 1, to clamp colours; -1 if no colour is copied */
	unsigned clamp_zero, clamp_one; /* the lanes of c`clamp` that hold 0 and 1 */
	int scratch[MAX_SOURCES];       /* VP temporaries for constants that a mov must copy, as the port for c# is taken; -1 for none */
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
	bool *movable;             /* the VP may compute the instruction */
	const bool *reads_movable; /* the instruction reads the result of one that was movable in the first attempt */
	bool *kept;                /* the FP has to compute the instruction, whether the VP does or not */
	bool brings;               /* this attempt may add movs to the FP that copy a value from a t# into the register that had it before */
	struct ties ties;
	uint8_t failed;            /* enum verdict: the budget that the last attempt exceeded */

	/* Fields that bundle.c fills: */
	bool *moves;               /* the VP computes the instruction */
	bool *stays;               /* the FP computes the instruction; `moves` may be true, too */
	uint8_t *why;              /* enum verdict: why the FP computes an instruction that is movable */
	uint32_t *because;         /* the reader for which the FP computes an instruction that is movable; UINT32_MAX if a budget is the reason */
	lanes *brought;            /* lanes that `mov r, t` writes in place of the instruction, which does not stay */
	uint8_t *readers;          /* number of bundles (lanes sent together) that have its result; 2 if there are more, or if a VP instruction reads it */
	uint32_t *mark, marks;     /* scratch of count_slots_to_keep(): an instruction is counted if its mark is `marks` */
	const struct bundle **sends; /* the bundle (lanes that share an oT#) whose oT# the moved instruction writes itself; NULL if a mov does */
	struct { VEC(struct bundle); } bundles;
	int16_t (*bundle_of)[MAX_SOURCES]; /* index of the bundle whose t# the operand reads from now on; -1 if the operand does not change */

	struct allotted vp;

	/* Fields that rewrite.c fills: the instructions of both new programs. */
	struct { VEC(struct instr); } vs_out, ps_out;
};

/* Finds the instructions that the FP keeps, those that the VP computes, and the bundles: the lanes that share an interpolator. */
void bundle_find(struct rewrite *);
/* Lets the FP compute the constants of one bundle, which frees its interpolator.  Changes nothing and returns false if there is no bundle of
 * constants, or giving up the latest move would take no more slots. */
bool bundle_keep_constants(struct rewrite *);
/* Returns the lanes of the bundle's oT# that the VP writes behind instruction `k`: the lanes of the bundle that `k` defines, and lower lanes
 * that the FP does not read, since the masks of all writes to one oT# must add up to .x, .xy, .xyz or .xyzw.  Sets from[lane] to the lane of
 * the temporary that is copied to each of them. */
lanes bundle_lanes_sent(const struct bundle *, uint32_t k, unsigned from[LANES]);
/* Assigns interpolators to bundles and VP registers to moved instructions; returns false if a budget is exceeded. */
bool allot_registers(struct rewrite *);
/* Finds the VP operand that moved FP instruction `k` may read in place of its input operand `s`, so that the VP needs no copy of what it sends
 * (step M3): the source of the mov that writes the output.  Returns false if there is none. */
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
