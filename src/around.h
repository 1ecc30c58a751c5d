/* Moves work in a pair with flow control: plans the straight forms of its programs, in which one instruction stands for each block
 * (lang/outline.h), and puts the blocks back into the result. */
#ifndef FPMOVE_AROUND_H
#define FPMOVE_AROUND_H

#include "pipeline.h"

/* Plans a pair in which at least one program has flow control: at the level of the options, or at a lower one if the blocks cannot be put
 * back into the result.  Returns NULL if the pair stays as it is; the run's `stays` says why. */
struct move_result *around_move(struct run *, struct move_options *);

/* Returns true if the proof refutes the result of around_move(), which need not be printed yet.  The next call of around_move() then plans in
 * a way that changes less. */
bool around_is_refuted(struct run *);

/* The straight forms of a pair's programs, and how to get from these back to the given programs. */
struct straight;
/* Returns the straight forms of a pair.  Returns NULL if there are none, and sets *why to the reason.  If `hoists` is set, hoists all
 * instructions of the pixel program that can be computed before their block.  Both programs must keep the rules of their models. */
struct straight *around_straighten(struct arena *, struct pair given, bool hoists, const char **why);
/* Returns the straight forms as a pair, to be planned in place of the given pair. */
struct pair around_planned(const struct straight *);
/* Puts hoisted instructions back into their blocks: those that plan number `round` (from 1), with the result `moved`, did not move out of the
 * FP, or all if `moved` is NULL.  Returns false, and changes nothing, if there are none; else the pair must be planned again. */
bool around_again(struct arena *, struct straight *, const struct move_result *moved, unsigned round);
/* Puts the blocks back into the results of a group of `n` runs, which were planned for the straight forms `of` their pairs.  The program that
 * they share, the VP if `same_vs`, else the FP, stays one program.  Returns false, and sets `leaves` of the runs, if runs have to stay as they
 * are: their blocks cannot be kept, break a rule, or take more slots than the plan saves. */
bool around_restore(struct run *const *, struct straight *const *of, struct move_result *const *moved, uint32_t n, bool same_vs);

#endif
