/* What the passes of -O1 hand to each other: conditions (C1-C4) -> bundle (where M4's
 * values ride) -> allot (M1, M2, M3: registers) -> rewrite (the two programs). */
#ifndef FPMOVE_MOVE_PAPER_PAPER_H
#define FPMOVE_MOVE_PAPER_PAPER_H

#include "move/graph/flow.h"
#include "move/passes.h"
#include "move/graph/ties.h"
#include "move/graph/values.h"

enum paper_class {
	PAPER_PIXEL, /* stays in the FP */
	PAPER_CONST, /* from constants only */
	PAPER_INPUT  /* one input lane, or that plus a constant: A3 of the paper */
};

/* The kind of an input that interpolation depends on: INSTR_PP and INSTR_CENTROID of its
 * dcl.  A value may only ride in a t# of the kind that it came from. */
struct paper_value {
	uint8_t what; /* enum paper_class */
	uint8_t kind; /* PAPER_INPUT */
};

struct paper_conditions {
	struct fate *fates;            /* one for each FP instruction; MOVE_MOVED: may move */
	struct paper_value (*values)[LANES]; /* of the lanes each FP instruction writes */
	struct values *numbers;        /* NULL: nothing asked for them */
};

/* C1 to C4. */
struct paper_conditions paper_find_conditions(struct arena *, const struct flow *vs, const struct flow *ps,
                                              const struct move_options *);

/* Lanes of one FP temporary that staying instructions read and moved ones define: they
 * share an interpolator, lane by lane at their own positions. */
struct bundle {
	int temp;            /* FP register */
	lanes mask;          /* lanes that are read */
	uint32_t def[LANES]; /* the moved FP instruction behind each of them */
	uint8_t kind;        /* see struct paper_value; KIND_ANY: constants only */
	int texcoord;        /* the oT and t that carry it */
};

/* An interpolator of the FP input: t0-t7, then v0 and v1. */
enum { CHANNEL_COLOUR = MOST_TEXCOORDS, CHANNELS = CHANNEL_COLOUR + 2 };
static inline int channel_of(enum reg_file file, int index)
{
	return file == REG_TEXCOORD ? index : file == REG_INPUT ? CHANNEL_COLOUR + index : -1;
}
/* The VP output lane that feeds it: the instruction that writes it last, or FLOW_UNWRITTEN. */
static inline uint32_t channel_writer(const struct flow *vs, int channel, unsigned lane)
{
	return channel < CHANNEL_COLOUR ? flow_last(vs, REG_TEX_OUT, channel, lane)
	                                : flow_last(vs, REG_COLOUR_OUT, channel - CHANNEL_COLOUR, lane);
}

/* Registers that the VP has for what moves, see allot.c. */
struct allotted {
	int const_of[MOST_CONSTS];    /* FP c# to VP c#; -1: not needed there */
	int temp_of[MODEL_TEMPS];     /* FP r# to VP r#; -1: no moved instruction writes it */
	int copy_of[CHANNELS];       /* M2's temporary of an interpolator; -1: none */
	lanes copied[CHANNELS];      /* its lanes that are read */
	uint8_t *copies;             /* [VP instrs]: 1 + channel when M2 copies it, 0: no */
	int clamp;                   /* VP c# that holds 0 and 1; -1: none needed */
	unsigned clamp_zero, clamp_one; /* their lanes in it */
	int scratch[MAX_SOURCES];    /* VP temporaries for constants that need a mov; -1: none left */
	struct { VEC(struct decl); } defs; /* new in the VP */
	struct { VEC(struct const_map); } consts;
};

/* One try to move what is `movable`; the buffers are used again by the next try. */
struct rewrite {
	struct arena *arena;
	const struct flow *vs, *ps;
	const struct move_options *options;
	const struct paper_value (*values)[LANES];
	bool *movable; /* [FP instrs]: the VP may compute it */
	const bool *asks; /* [FP instrs]: it reads what is movable at first */
	bool *kept;    /* [FP instrs]: the FP computes it, whether or not the VP does */
	bool brings;   /* the FP may bring a value into its register by a mov */
	struct ties ties;
	uint8_t failed; /* enum verdict: the budget that the try exceeded */

	/* bundle; all [FP instrs] */
	bool *moves;    /* the VP computes it */
	bool *stays;    /* the FP computes it; both may be true */
	uint8_t *why;   /* enum verdict: why the FP computes a movable value */
	uint32_t *because; /* the reader for which the FP computes it */
	lanes *brought; /* lanes that `mov r, t` brings, in place of an instruction that does not stay */
	uint8_t *readers; /* of what the VP computes: instructions of the VP and bundles that take it, up to 2 */
	uint32_t *mark, marks; /* of count_slots_to_keep */
	const struct bundle **sends; /* the bundle whose output it writes itself in the VP; NULL if there is none */
	struct { VEC(struct bundle); } bundles;
	int16_t (*bundle_of)[MAX_SOURCES]; /* [FP instrs]; -1: the operand stays as it is */

	struct allotted vp;

	/* rewrite */
	struct { VEC(struct instr); } vs_out, ps_out;
};

/* Finds what the FP keeps, what the VP computes, and what crosses. */
void bundle_find(struct rewrite *);
/* Keeps in the FP the constants that a bundle carries, which frees their interpolator.  Returns false if giving up the latest move
 * takes no more slots. */
bool bundle_keep_constants(struct rewrite *);
lanes bundle_lanes_sent(const struct bundle *, uint32_t k, unsigned from[LANES]);
/* Gives bundles their interpolators and moved instructions their VP registers. */
bool allot_registers(struct rewrite *);
/* M3: operand `s` of moved FP instruction `k` as the VP may read it without a copy. */
bool allot_direct(const struct rewrite *, uint32_t k, unsigned s, struct src *);
/* Writes the instructions of both programs; fails if the VP gets too long. */
bool rewrite_instrs(struct rewrite *);
/* The whole programs, once rewrite_instrs has succeeded. */
struct program *rewrite_vs(struct rewrite *);
struct program *rewrite_ps(struct rewrite *);

/* Notes the budget that a try exceeds; returns false. */
static inline bool rewrite_fails(struct rewrite *rw, enum verdict why)
{
	rw->failed = (uint8_t)why;
	return false;
}

#endif
