/* The progress line of a batch, on standard error. */
#ifndef FPMOVE_CLI_PROGRESS_H
#define FPMOVE_CLI_PROGRESS_H

#include "cli/options.h"

#include <stdatomic.h>

struct progress {
	bool on, terminal, shown;
	double begun, last;   /* seconds */
	atomic_bool stopping; /* the first signal came; set by any thread */
};

void progress_begin(struct progress *, const struct options *);
/* A bar drawn over itself on a terminal, ten times a second, and at once after progress_clear; else a line every five
 * seconds. */
void progress_show(struct progress *, uint32_t done, uint32_t all, unsigned long saved);
/* Takes the bar away, before something else is printed. */
void progress_clear(struct progress *);
/* Takes it away, wherever it is drawn, for a process that is about to be ended by a signal. */
void progress_abandon(const struct progress *);

#endif
