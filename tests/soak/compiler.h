/* A small code generator, as compilers of shading languages have one: operations on scalars and vectors become instructions that keep
 * the rules of the models.  Literals share constants, a mov separates two registers of one port, and temporaries are allocated at the
 * end. */
#ifndef FPMOVE_TESTS_COMPILER_H
#define FPMOVE_TESTS_COMPILER_H

#include "lang/ir.h"

/* A scalar, or the first lanes of a register. */
struct value {
	struct src src;  /* a temporary's index numbers a value; a scalar's swizzle names its lane, x until it has a register */
	unsigned width;  /* in lanes */
};

enum { VALUES = 512 };

struct code {
	struct arena *arena;
	uint64_t state;      /* of its random numbers */
	struct program *p;   /* its instructions name values instead of registers until the end */
	bool vertex;
	int uniforms;        /* c0 .. c(uniforms-1) are the application's; literals follow */
	int defs;            /* of literals */
	unsigned filled;     /* lanes of the last def that are in use */
	int short_floats;    /* percent of instructions with _pp */
	unsigned width[VALUES];
	int values;
};

int code_below(struct code *, int n);
bool code_chance(struct code *, int percent);

struct value code_value(enum reg_file, int index, unsigned width);
/* Returns one lane of a vector or uniform. */
struct value code_lane(struct value, unsigned lane);
struct value code_negated(struct value);
struct value literal(struct code *, float);
/* Returns (x, y, z) side by side in one constant. */
struct value literal3(struct code *, float x, float y, float z);

/* Returns a new value that is not written yet. */
struct value code_new(struct code *, unsigned width);
/* Returns this vector with a fourth lane: itself if it has three, or a copy. */
struct value code_widened(struct code *, struct value);
/* Writes these lanes of a value or an output by an operation.  Operands that a model does not let one instruction read are copied first. */
void code_write(struct code *, enum op, struct src to, lanes mask, struct value a, struct value b, struct value c);
void code_output(struct code *, enum op, enum reg_file, int index, lanes mask, struct value a, struct value b, struct value c);
/* Returns a new value; operations of one or two operands ignore the rest. */
struct value code_3(struct code *, enum op, unsigned width, struct value a, struct value b, struct value c);
struct value code_2(struct code *, enum op, unsigned width, struct value a, struct value b);
struct value code_1(struct code *, enum op, unsigned width, struct value a);
/* Lets the last instruction clamp. */
void code_saturate(struct code *);
struct value code_sample(struct code *, enum op, int sampler, struct value at);
void code_kill(struct code *, struct value);

/* Removes dead code, reorders independent instructions and allocates at most `temps` temporaries.  Returns false if they do not suffice. */
bool code_finish(struct code *, int temps);

#endif
