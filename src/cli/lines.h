/* What is said of pairs in a line each: by a batch, with what went wrong at its end, and by --check-moves. */
#ifndef FPMOVE_CLI_LINES_H
#define FPMOVE_CLI_LINES_H

#include "cli/collect.h"
#include "pipeline.h"

#include <jansson.h>

/* Is there a line for each pair?  On a terminal, and with --verbose, where nothing else is shown of them. */
bool lines_wanted(const struct options *);
/* "FP  16 -> 7    VP   2 -> 6    dir/vp.vsh fp.psh (2 constants)", or that it was rejected or failed. */
void line_of_pair(struct text *, const struct run *, const struct batch_pair *, const struct options *);

/* --check-moves: would a done run's pair be cheaper than it is?  By FP slots, or by the target's costs. */
bool could_be_shorter(const struct run *);
/* "dir/vp.vsh fp.psh: 9 of 16 FP slots could be saved (VP slots 2 -> 6)"; `name`: instead of the files, or NULL. */
void line_of_shorter(struct text *, const struct run *, const char *name, const struct options *);

/* The pairs that were rejected or failed, of which the first ones are listed. */
enum { TROUBLES_LISTED = 20, NAMES_LISTED = 20, TROUBLE_BYTES = 600 };
struct trouble {
	char line[TROUBLES_LISTED][TROUBLE_BYTES];
	unsigned n;
};
/* Why the run is not done, as a line of text; `said`: what was said of it beside its diagnostics. */
void line_of_trouble(struct text *, const struct run *, const struct batch_pair *, const struct text *said);
/* Takes over the lines of `text`. */
void trouble_add(struct trouble *, const struct text *);
/* Lists what no pair was made of, grouped by the reason. */
void show_passed(struct text *, const struct collected *, const struct options *);
/* The same for the report: its key `passed_over`. */
json_t *report_passed(struct arena *, const struct collected *);
void show_trouble(struct text *, const struct trouble *, const struct options *);

#endif
