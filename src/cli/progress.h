/* The progress line of a batch, on standard error. */
#ifndef FPMOVE_CLI_PROGRESS_H
#define FPMOVE_CLI_PROGRESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct progress {
	bool on, terminal, shown;
	double begun, last;   /* seconds */
	atomic_bool stopping; /* the first signal came; set by any thread */
};

/* It is shown on a terminal, unless it is unwanted, and where it is wanted. */
void progress_begin(struct progress *, bool wanted, bool unwanted);
/* A bar drawn over itself on a terminal, ten times a second, and at once after progress_clear; else a line every five
 * seconds.  `found` is what came out so far, in a few words. */
void progress_show(struct progress *, uint32_t done, uint32_t all, const char *found);
/* Takes the bar away, before something else is printed. */
void progress_clear(struct progress *);
/* Takes it away, wherever it is drawn, for a process that is about to be ended by a signal. */
void progress_abandon(const struct progress *);

#endif
