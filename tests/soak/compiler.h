/* A small code generator, as shading languages have one: operations on scalars and vectors become instructions that keep the rules of the
 * models.  Literals share constants, two registers of one port are taken apart by a mov, and temporaries are given out at the end. */
#ifndef FPMOVE_TESTS_COMPILER_H
#define FPMOVE_TESTS_COMPILER_H

#include "lang/ir.h"

/* A scalar, or the first lanes of a register. */
struct value {
	struct src src;  /* a temporary's index counts values; a scalar's swizzle names its lane, x in a temporary until it gets a register */
	unsigned width;  /* in lanes */
};

enum { VALUES = 512 };

struct code {
	struct arena *arena;
	uint64_t state;      /* of its random numbers */
	struct program *p;   /* its instrs still name values */
	bool vertex;
	int uniforms;        /* c0 .. c(uniforms-1) are the application's, literals lie behind */
	int defs;            /* of literals */
	unsigned filled;     /* lanes of the last def that are taken */
	int short_floats;    /* how many instructions of a hundred have _pp */
	unsigned width[VALUES];
	int values;
};

int code_below(struct code *, int n);
bool code_chance(struct code *, int percent);

struct value code_value(enum reg_file, int index, unsigned width);
/* One lane of a vector; of a uniform too. */
struct value code_lane(struct value, unsigned lane);
struct value code_negated(struct value);
struct value literal(struct code *, float);
/* (x, y, z) side by side in one constant. */
struct value literal3(struct code *, float x, float y, float z);

/* A new value that is not written yet. */
struct value code_new(struct code *, unsigned width);
/* This vector with room for a fourth lane: itself, if it has three, or else a copy. */
struct value code_widened(struct code *, struct value);
/* These lanes of a value or an output become an operation's.  What a model does not let one instruction read is copied first. */
void code_write(struct code *, enum op, struct src to, lanes mask, struct value a, struct value b, struct value c);
void code_output(struct code *, enum op, enum reg_file, int index, lanes mask, struct value a, struct value b, struct value c);
/* A new value; operations of one or two operands take the rest as they come. */
struct value code_3(struct code *, enum op, unsigned width, struct value a, struct value b, struct value c);
struct value code_2(struct code *, enum op, unsigned width, struct value a, struct value b);
struct value code_1(struct code *, enum op, unsigned width, struct value a);
/* The last instruction clamps. */
void code_saturate(struct code *);
struct value code_sample(struct code *, enum op, int sampler, struct value at);
void code_kill(struct code *, struct value);

/* Takes out what is dead, moves instructions about that do not depend on each other, and gives temporaries out, `temps` at most;
 * false if they do not suffice. */
bool code_finish(struct code *, int temps);

#endif
