/* --compare: shows the differences between two reports, pair by pair. */
#ifndef FPMOVE_CLI_COMPARE_H
#define FPMOVE_CLI_COMPARE_H

#include "cli/options.h"

/* Reads the words of --fail-on, separated by commas, and sets a bit for each.  Returns false after a message if a word is unknown. */
bool compare_fail_on(const char *value, unsigned *bits);
/* Runs MODE_COMPARE.  Returns the exit status, EXIT_REJECTED if a pair fails a condition of --fail-on. */
int compare_reports(struct arena *, const struct options *);

#endif
