/* The values of all lanes of a pair after a proof, and the instructions that read them.  Private to src/verify. */
#ifndef FPMOVE_VERIFY_TRACE_H
#define FPMOVE_VERIFY_TRACE_H

#include "verify/side.h"

/* A value in the pixel, in both fields. */
struct value_at {
	felt of[FIELDS];
};

/* One operand lane of an instruction. */
struct trace_read {
	struct value_at value; /* with the sign of the operand */
	uint32_t def;          /* the instruction that wrote the temporary; UINT32_MAX if none did or it is no temporary */
	bool negate;           /* the operand negates the register */
	uint8_t file, lane;    /* the register file and lane; file REG_FILES stands for c[a0.x + n] */
	int16_t index;
};
enum { MOST_READS = 24 };

/* A program of a pair that was run. */
struct trace {
	const struct program *program;
	const struct side *side;
	const struct field_run *run;
	/* The instruction that wrote each operand lane, by operand, row and lane; UINT32_MAX if the program did not write it. */
	uint32_t (*def)[MAX_SOURCES][LANES][LANES];
	lanes *used;   /* lanes of each result on which an output depends */
	lanes *needed; /* lanes of `used` without those that only feed known numbers, or texkills that never kill */
	lanes carrier[MACHINE_CARRIERS]; /* interpolated lanes that used instructions read */
};

/* Returns the trace of a program that the side has run.  `wanted` has the interpolated lanes of the VP that the FP reads; NULL for an FP. */
struct trace trace_new(struct arena *, const struct program *, const struct side *, const lanes *wanted);
/* Returns the value of a result lane in the pixel; for a VP, as an interpolator with that weight would bring it. */
struct value_at trace_value(const struct trace *, uint32_t instr, unsigned lane, unsigned weight);
/* Finds the operand lanes from which the result lanes `written` are computed, and returns their number. */
unsigned trace_reads(const struct trace *, uint32_t instr, lanes written, unsigned weight, struct trace_read to[MOST_READS]);
bool trace_is_number(const struct trace *, const struct value_at *, double *number);
bool trace_never_kills(const struct trace *, const struct value_at *);

/* Returns true if the values are equal or each other's negatives. */
bool value_same(const struct value_at *, const struct value_at *);
/* Returns true for exactly one of x and -x, unless x is 0: so of two values that are the same up to the sign, it tells which are equal. */
bool value_is_minus(const struct value_at *);

#endif
