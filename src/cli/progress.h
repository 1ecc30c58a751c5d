/* The progress line of a batch, on standard error. */
#ifndef FPMOVE_CLI_PROGRESS_H
#define FPMOVE_CLI_PROGRESS_H

#include "cli/options.h"

struct progress {
	bool on, terminal, shown;
	double begun, last; /* seconds */
};

void progress_begin(struct progress *, const struct options *);
/* A bar drawn over itself on a terminal, ten times a second; else a line every five seconds. */
void progress_show(struct progress *, uint32_t done, uint32_t all, unsigned long saved);
/* Takes the bar away, before something else is printed. */
void progress_clear(struct progress *);

#endif
