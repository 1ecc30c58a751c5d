/* Moves work between the programs of an effect file, given by itself or as part of a batch. */
#ifndef FPMOVE_CLI_EFFECT_MOVE_H
#define FPMOVE_CLI_EFFECT_MOVE_H

#include "cli/options.h"
#include "effects.h"

/* Reads the program of --vp, if that is given, as the VP of passes that have none.  Returns false and sets `*why` if the file cannot be read. */
bool effect_take_vp(struct effect_job *, const struct options *, const char **why);
/* Plans and proves the pairs of an effect file, which effect_job_read() has read.  Then draws them for --validate, and adds hints and warnings.
 * Calls `tell`, unless it is NULL, now and then during planning.  If `tell` returns false, stops and returns false; otherwise returns true. */
bool run_effect(struct effect_job *, const struct options *, bool (*tell)(void *who, const struct allowance *), void *who);
/* Makes the new text of the effect file if all its pairs are done and an option needs the text.  Returns the worst exit status of the pairs, or
 * EXIT_FAULT if the text cannot be made. */
int rewrite_effect(struct effect_job *, const struct options *);
/* Writes the messages of each pair to `said`, and its tables to `shown`, below a line with `file` (unless that is NULL), technique and pass.
 * Returns the worst exit status of the pairs. */
int look_at_effect(struct effect_job *, const struct options *, const char *file, struct text *shown, struct text *said);
/* Returns the effect file as a source whose `includes` name all other files that were read for it, that of --vp among them. */
struct source effect_source(const struct effect_job *);

#endif
