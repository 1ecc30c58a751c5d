/* Moves work in a pair with flow control: plans the straight forms of its programs, in which one instruction stands for each block
 * (lang/outline.h), and puts the blocks back into the result. */
#ifndef FPMOVE_AROUND_H
#define FPMOVE_AROUND_H

#include "pipeline.h"

/* Plans a pair with flow control in at least one program.  Lowers the level in the options until the blocks can be put back into a result that is
 * no longer than the pair, and clears their `preshader`.  Returns NULL if the pair stays as it is; the run's `stays` says why. */
struct move_result *around_move(struct run *, struct move_options *);

/* Returns true if the proof refutes the run's result of around_move(), which need not be printed yet.  The next call of around_move() then plans
 * in a way that changes less.  Returns false for runs without flow control or without a result, and for runs of a group. */
bool around_is_refuted(struct run *);

/* The straight forms of a pair's programs, with what is needed to put the blocks back into a result. */
struct straight;
/* Returns the straight forms of a pair whose programs keep the rules of their models.  If `hoists` is set, hoists all instructions of the pixel
 * program that can be computed before their block, or none if there are no straight forms then.  Returns NULL if there are none either way, and
 * sets *why to the reason. */
struct straight *around_straighten(struct arena *, struct pair given, bool hoists, const char **why);
/* Returns the straight forms as a pair, to be planned in place of the given pair. */
struct pair around_planned(const struct straight *);
/* Puts hoisted instructions back into their blocks: those that plan number `round` (from 1), with the result `moved`, did not move out of the FP;
 * or all, if `moved` is NULL or after the fourth plan.  Returns true if the pair must be planned again, and false, with nothing changed, if there
 * are none to put back. */
bool around_again(struct arena *, struct straight *, const struct move_result *moved, unsigned round);
/* Puts the blocks back into the results `moved` of n runs, which were planned for the straight forms `of` their pairs and share the VP if
 * `same_vs`, else the FP; the shared program stays one program.  Returns true if that worked for all.  Else sets `leaves` of each run that must
 * stay as it is, since its blocks cannot be kept, break a rule, take more slots than the plan saves, or are not proven. */
bool around_restore(struct run *const *, struct straight *const *of, struct move_result *const *moved, uint32_t n, bool same_vs);

#endif
