/* The progress line of a batch, on standard error. */
#ifndef FPMOVE_CLI_PROGRESS_H
#define FPMOVE_CLI_PROGRESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct progress {
	bool on, terminal, shown;
	double begun, last;   /* times of the start and of the last line, in seconds */
	atomic_bool stopping; /* set by any thread when a first signal came, so that the line says "stopping" */
};

/* Begins the progress line.  Shows it if `wanted`, or if standard error is a terminal and `unwanted` is false. */
void progress_begin(struct progress *, bool wanted, bool unwanted);
/* Draws the line: on a terminal a bar over the last one, at most ten times a second, and at once after progress_clear(); elsewhere a new
 * line every five seconds.  `found` sums up the results so far in a few words. */
void progress_show(struct progress *, uint32_t done, uint32_t all, const char *found);
/* Erases the progress bar of a terminal, before something else is printed. */
void progress_clear(struct progress *);
/* Erases the bar in a process that a signal is about to end, from any thread and whether one is drawn or not. */
void progress_abandon(const struct progress *);

#endif
