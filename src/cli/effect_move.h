/* Effect files through the command: what one by itself and one of a batch have in common. */
#ifndef FPMOVE_CLI_EFFECT_MOVE_H
#define FPMOVE_CLI_EFFECT_MOVE_H

#include "cli/options.h"
#include "effects.h"

/* Reads the program of --vp, if it is given, for passes that have none.  False: `*why`. */
bool effect_take_vp(struct effect_job *, const struct options *, const char **why);
/* Moves a read effect's pairs, with what helps who looks at them.  False: `tell` said so, see job.h. */
bool run_effect(struct effect_job *, const struct options *, bool (*tell)(void *who, const struct allowance *), void *who);
/* The new file, where it is written or its lines are named; the exit status of all runs. */
int rewrite_effect(struct effect_job *, const struct options *);
/* What is said and shown of the pairs, each below a line with `file` (NULL: none), technique and pass; the worst status of
 * that. */
int look_at_effect(struct effect_job *, const struct options *, const char *file, struct text *shown, struct text *said);
/* The file, with what it included. */
struct source effect_source(const struct effect_job *);

#endif
