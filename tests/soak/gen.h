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

/* A pair as compilers of shading languages write them (cgc, fxc): what is usual in games, with literals packed into few constants,
 * scalars in whatever lane is free, and nothing dead. */
struct gen_pair gen_compiled(struct arena *, uint64_t seed);
/* The pair in the dialect of model 3, with things that only that has; itself where that has no room for it. */
struct gen_pair gen_model3(struct arena *, uint64_t seed, struct gen_pair);
/* The same of gen_member's: usages are those of the seed, and each vertex program has them in o# of its own. */
struct gen_pair gen_model3_member(struct arena *, uint64_t seed, unsigned vs, unsigned ps, struct gen_pair);
/* A pair with blocks, of which one program at least has flow control, in any models that have it. */
struct gen_pair gen_flow(struct arena *, uint64_t seed);
/* A pair of a group of such, as gen_member(). */
struct gen_pair gen_flow_member(struct arena *, uint64_t seed, unsigned vs, unsigned ps);
/* The next number of a sequence, 0 .. n-1. */
int gen_below(uint64_t *state, int n);

#endif
