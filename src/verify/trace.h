/* Finds the values of all result lanes of a pair after a proof, and the instructions that read them.  Private to src/verify. */
#ifndef FPMOVE_VERIFY_TRACE_H
#define FPMOVE_VERIFY_TRACE_H

#include "verify/side.h"

/* A value in the pixel, as an element of each of the proof's fields. */
struct value_at {
	felt of[FIELDS];
};

/* One operand lane of an instruction. */
struct trace_read {
	struct value_at value; /* the value after the operand's negation */
	uint32_t def;          /* the instruction that wrote the lane, if it is of a temporary; else, or if none wrote it, UINT32_MAX */
	bool negate;           /* the operand negates the value of the register */
	uint8_t file, lane;    /* the register file and lane; file REG_FILES stands for c[a0.x + n] */
	int16_t index;
};
enum { MOST_READS = 24 };

/* The trace of one program of a pair, after a run of the pair. */
struct trace {
	const struct program *program;
	const struct side *side;
	const struct field_run *run;
	/* The instruction that wrote each operand lane, by operand, row and lane; UINT32_MAX if the program did not write it. */
	uint32_t (*def)[MAX_SOURCES][LANES][LANES];
	lanes *used;   /* for each instruction, the result lanes on which an output depends */
	lanes *needed; /* the lanes of `used`, without those that only known numbers, or texkills that never kill, are computed from */
	lanes carrier[MACHINE_CARRIERS]; /* the lanes of each interpolated input that instructions with used results read */
};

/* Returns the trace of a program that was run in `side`.  For a VP, `wanted` has its interpolated output lanes that the FP reads; NULL for an
 * FP. */
struct trace trace_new(struct arena *, const struct program *, const struct side *, const lanes *wanted);
/* Returns the value of a result lane in the pixel.  For a VP, that is the value after interpolation in the way `weight` (WEIGHT_...). */
struct value_at trace_value(const struct trace *, uint32_t instr, unsigned lane, unsigned weight);
/* Lists the operand lanes, except samplers, from which the result lanes `written` of an instruction are computed.  Returns their number.  For a
 * VP, their values are those after interpolation in the way `weight` (WEIGHT_...). */
unsigned trace_reads(const struct trace *, uint32_t instr, lanes written, unsigned weight, struct trace_read to[MOST_READS]);
bool trace_is_number(const struct trace *, const struct value_at *, double *number);

/* Returns true if the values are equal or each other's negatives. */
bool value_same(const struct value_at *, const struct value_at *);
/* Returns true for exactly one of x and -x, but false for 0.  So two values that are the same except for the sign are equal if it returns the
 * same for both. */
bool value_is_minus(const struct value_at *);

#endif
