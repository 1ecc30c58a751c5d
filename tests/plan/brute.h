/* Finds the least cost of a small pair by trying everything.  Shares no code with the planner: values are numbers in a field at points
 * of a grid, and layouts are filled lane by lane. */
#ifndef FPMOVE_TESTS_BRUTE_H
#define FPMOVE_TESTS_BRUTE_H

#include "lang/ir.h"

/* The parts of a cost, compared in this order. */
struct brute_cost {
	unsigned slots;     /* of the FP */
	unsigned order;     /* of its deepest dependent read */
	unsigned registers; /* interpolators that it uses */
};

struct brute_options {
	unsigned texcoords;
	bool drop_in;
	struct brute_cost most; /* more expensive plans are ignored */
	uint64_t effort;        /* steps before it gives up */
};

struct brute_result {
	bool finished; /* false if the effort did not suffice; the plan found may not be the cheapest */
	bool found;    /* some plan costs no more than `most` */
	struct brute_cost cost; /* of the cheapest plan */
	uint64_t steps;
	const char *plan;       /* the choices of that plan, for people */
};

/* Counts the movable lanes of live instructions, or returns UINT_MAX if the program uses features that are not modelled here. */
unsigned brute_lanes(struct arena *, const struct program *vs, const struct program *ps);
struct brute_result brute_force(struct arena *, const struct program *vs, const struct program *ps, const struct brute_options *);

static inline int brute_compare(struct brute_cost a, struct brute_cost b)
{
	return a.slots != b.slots           ? (a.slots < b.slots ? -1 : 1)
	       : a.order != b.order         ? (a.order < b.order ? -1 : 1)
	       : a.registers != b.registers ? (a.registers < b.registers ? -1 : 1)
	                                    : 0;
}

#endif
