/* Moves effect files, one by itself or as part of a batch. */
#ifndef FPMOVE_CLI_EFFECT_MOVE_H
#define FPMOVE_CLI_EFFECT_MOVE_H

#include "cli/options.h"
#include "effects.h"

/* Reads the program of --vp, if it is given, for passes that have no VP.  Returns false and sets `*why` on failure. */
bool effect_take_vp(struct effect_job *, const struct options *, const char **why);
/* Moves the pairs of an effect that is read, and adds validation, hints and warnings.  Returns false if `tell` returns false, see job.h. */
bool run_effect(struct effect_job *, const struct options *, bool (*tell)(void *who, const struct allowance *), void *who);
/* Makes the new text of the effect file if an option needs it.  Returns the exit status of all runs. */
int rewrite_effect(struct effect_job *, const struct options *);
/* Writes messages and tables of each pair, below a line with `file` (if it is not NULL), technique and pass.  Returns the worst exit
 * status. */
int look_at_effect(struct effect_job *, const struct options *, const char *file, struct text *shown, struct text *said);
/* Returns the effect file with the names of all files that it was made of. */
struct source effect_source(const struct effect_job *);

#endif
