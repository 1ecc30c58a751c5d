/* --compare: what became of each pair from one report to another. */
#ifndef FPMOVE_CLI_COMPARE_H
#define FPMOVE_CLI_COMPARE_H

#include "cli/options.h"

/* The words of --fail-on as bits, all of them; false after a message. */
bool compare_fail_on(const char *value, unsigned *bits);
/* MODE_COMPARE; EXIT_REJECTED where a pair is what --fail-on names. */
int compare_reports(struct arena *, const struct options *);

#endif
