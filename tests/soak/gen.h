/* Random legal pairs. */
#ifndef FPMOVE_TESTS_GEN_H
#define FPMOVE_TESTS_GEN_H

#include "lang/ir.h"

struct gen_pair {
	struct program *vs, *ps;
};

/* Returns the pair of a seed, which is the same on every machine.  It is nearly always free of errors and warnings; the caller runs
 * the checker. */
struct gen_pair gen_pair(struct arena *, uint64_t seed);
/* Returns a pair of a group: all vertex programs of a seed write the interpolators that its pixel programs read, and a program of one
 * number is the same in every pair.  Number 0 is that of gen_pair. */
struct gen_pair gen_member(struct arena *, uint64_t seed, unsigned vs, unsigned ps);

/* Returns a pair as compilers of shading languages (cgc, fxc) write them: usual work of games, literals packed into few constants,
 * scalars in any free lane, and no dead code. */
struct gen_pair gen_compiled(struct arena *, uint64_t seed);
/* Returns the pair in model 3, with features that only model 3 has, or the pair itself if it does not fit. */
struct gen_pair gen_model3(struct arena *, uint64_t seed, struct gen_pair);
/* Returns the same for gen_member: the usages are those of the seed, and each vertex program has them in o# of its own. */
struct gen_pair gen_model3_member(struct arena *, uint64_t seed, unsigned vs, unsigned ps, struct gen_pair);
/* Returns a pair of which one program at least has blocks, in any models that allow them. */
struct gen_pair gen_flow(struct arena *, uint64_t seed);
/* Returns such a pair of a group, as gen_member does. */
struct gen_pair gen_flow_member(struct arena *, uint64_t seed, unsigned vs, unsigned ps);
/* Returns the next number of a sequence, 0 .. n-1. */
int gen_below(uint64_t *state, int n);

#endif
