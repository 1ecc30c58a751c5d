/* Random legal pairs. */
#ifndef FPMOVE_TESTS_GEN_H
#define FPMOVE_TESTS_GEN_H

#include "lang/ir.h"

struct gen_pair {
	struct program *vs, *ps;
};

/* The pair of a seed: the same on every machine.  Nearly always free of errors and
 * warnings; the caller runs the checker. */
struct gen_pair gen_pair(struct arena *, uint64_t seed);
/* A pair out of a group: the seed's vertex programs all write the interpolators that its pixel programs are made for, and
 * that of one number is the same in every pair.  Those of number 0 are gen_pair's. */
struct gen_pair gen_member(struct arena *, uint64_t seed, unsigned vs, unsigned ps);

#endif
