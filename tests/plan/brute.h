/* The least number of FP slots of a small pair, found by trying everything.  Shares no code with
 * the planner: values are numbers in a field at points of a grid, layouts are filled lane by lane. */
#ifndef FPMOVE_TESTS_BRUTE_H
#define FPMOVE_TESTS_BRUTE_H

#include "lang/ir.h"

struct brute_options {
	unsigned texcoords;
	bool drop_in;
	unsigned most;   /* plans of more FP slots are of no interest */
	uint64_t effort; /* steps before it gives up */
};

struct brute_result {
	bool finished;   /* false: the effort did not suffice; what was found may not be the least */
	bool found;      /* some plan has at most `most` slots */
	unsigned slots, registers; /* the least of them, and the fewest interpolators with that many */
	uint64_t steps;
	const char *plan; /* the choices of that plan, for people */
};

/* Counts the movable lanes of live instructions; UINT_MAX: the program uses what is not modelled here. */
unsigned brute_lanes(struct arena *, const struct program *ps);
struct brute_result brute_force(struct arena *, const struct program *ps, const struct brute_options *);

#endif
