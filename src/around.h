/* Moves work in a pair with flow control: plans the straight forms of its programs (lang/outline.h), and puts the blocks back into the
 * result. */
#ifndef FPMOVE_AROUND_H
#define FPMOVE_AROUND_H

#include "pipeline.h"

/* Plans a pair one of whose programs has flow control.  Plans at the level of the options, or at a lower one if the blocks cannot be put
 * back into the result.  Returns NULL if the pair stays as it is; `stays` of the run says why. */
struct move_result *around_move(struct run *, struct move_options *);

/* Returns true if the proof refutes what around_move() made; the result need not be printed yet.  The next call of around_move() then tries
 * a way that changes less. */
bool around_is_refuted(struct run *);

/* The straight forms of a pair. */
struct straight;
/* Returns the straight forms of a pair, or NULL and the reason in *why if there are none.  If `hoists`, all instructions of the pixel
 * program that can be computed before its blocks are.  Requires that both programs keep the rules of their models. */
struct straight *around_straighten(struct arena *, struct pair given, bool hoists, const char **why);
/* Returns the programs that are planned in place of the given ones. */
struct pair around_planned(const struct straight *);
/* Puts the hoisted instructions that plan number `round` (from 1) did not move back into their blocks, or all of them if `moved` is NULL.
 * Returns false, and leaves the straight forms as they were, if the plan moved all of them. */
bool around_again(struct arena *, struct straight *, const struct move_result *moved, unsigned round);
/* Puts the blocks back into the results of a group, which were planned for the straight forms `of` its `n` pairs; the shared program stays
 * shared.  Returns false if a run has to stay as it is (`leaves`): its blocks cannot be kept, break a rule, or take more slots than the
 * plan saves. */
bool around_restore(struct run *const *, struct straight *const *of, struct move_result *const *moved, uint32_t n, bool same_vs);

#endif
