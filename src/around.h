/* Moving in a pair with flow control: its straight forms (lang/outline.h) are planned, and the blocks are put back into what comes of it. */
#ifndef FPMOVE_AROUND_H
#define FPMOVE_AROUND_H

#include "pipeline.h"

/* Plans a pair of which a program has flow control, at the level of the options or, where the blocks do not fit into what comes of that,
 * at a lower one.  Returns NULL if the pair stays as it is; `stays` of the run says why. */
struct move_result *around_move(struct run *, struct move_options *);

/* Returns whether the proof refutes what around_move() made, also before it was printed.  Then that comes next which is made of less. */
bool around_is_refuted(struct run *);

/* The straight forms of a pair. */
struct straight;
/* Returns NULL if there are none, and in *why the reason.  `hoists`: all that can be computed before the blocks of the pixel program is.
 * requires: both programs keep their models' rules. */
struct straight *around_straighten(struct arena *, struct pair given, bool hoists, const char **why);
/* Returns the programs that are planned in place of the given ones. */
struct pair around_planned(const struct straight *);
/* Leaves in the blocks what did not move in plan number `round`, counted from 1, or all of it (`moved` is NULL).  Returns false if nothing
 * that did not move was computed before them: the straight forms are as they were. */
bool around_again(struct arena *, struct straight *, const struct move_result *moved, unsigned round);
/* Puts the blocks back into the results of a group, planned for the straight forms `of` its `n` pairs; what they share stays one program.
 * Returns false if a run has to stay as it is (`leaves`): its blocks cannot be kept, break a rule or take more slots than it saves. */
bool around_restore(struct run *const *, struct straight *const *of, struct move_result *const *moved, uint32_t n, bool same_vs);

#endif
