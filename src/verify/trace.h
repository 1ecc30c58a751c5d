/* The values of all lanes of a pair after a proof, what reads them, and where a value is found.  Private to src/verify. */
#ifndef FPMOVE_VERIFY_TRACE_H
#define FPMOVE_VERIFY_TRACE_H

#include "verify/side.h"

/* A value in the pixel. */
struct value_at {
	felt of[FIELDS];
};

/* What one operand lane of an instruction is. */
struct trace_read {
	struct value_at value; /* its sign as it is read */
	uint32_t def;          /* the instruction that wrote the temporary; UINT32_MAX: it is none */
	bool negate;           /* it is minus what the register holds */
	uint8_t file, lane;    /* of the register; a constant's beyond a0 is REG_FILES */
	int16_t index;
};
enum { MOST_READS = 24 };

/* A program of a pair that was run. */
struct trace {
	const struct program *program;
	const struct side *side;
	const struct field_run *run;
	uint32_t (*def)[MAX_SOURCES][LANES][LANES]; /* of each operand lane, by row: who wrote it; UINT32_MAX: nobody here */
	/* Lanes of each result that come to something: what an output is made of.  `needed`: also in truth, since no number
	 * depends on what it was made of, and a texkill that never kills on nothing. */
	lanes *used, *needed;
	lanes carrier[MACHINE_CARRIERS];            /* read by what is used */
};

/* `wanted`: of a VP, the lanes of its interpolated outputs that are; NULL: of an FP. */
struct trace trace_new(struct arena *, const struct program *, const struct side *, const lanes *wanted);
/* A result in the pixel; of a VP as an interpolator of that kind would bring it. */
struct value_at trace_value(const struct trace *, uint32_t instr, unsigned lane, unsigned weight);
/* What the result lanes are made of: the number of operand lanes. */
unsigned trace_reads(const struct trace *, uint32_t instr, lanes written, unsigned weight, struct trace_read to[MOST_READS]);
bool trace_is_number(const struct trace *, const struct value_at *, double *number);
bool trace_never_kills(const struct trace *, const struct value_at *);

/* The same but for its sign? */
bool value_same(const struct value_at *, const struct value_at *);
/* Which of x and -x it is: of two values that are the same, whether one is minus the other. */
bool value_is_minus(const struct value_at *);

#endif
