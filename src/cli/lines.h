/* Writes one line per pair: in a batch, which repeats failures at the end, and for --check-moves. */
#ifndef FPMOVE_CLI_LINES_H
#define FPMOVE_CLI_LINES_H

#include "cli/collect.h"
#include "pipeline.h"

#include <jansson.h>

/* Returns true if a batch prints a line for each pair: on a terminal (unless an option sends a file there) or with --verbose, but not with
 * --quiet, --stats, --diff or --explain. */
bool lines_wanted(const struct options *);
/* Writes "FP  16 -> 7    VP   2 -> 6    dir/vp.vsh fp.psh (2 constants)", or "rejected" or "failed" in place of the slots. */
void line_of_pair(struct text *, const struct run *, const struct batch_pair *, const struct options *);

/* Returns true if the run is done and its new pair is cheaper: in FP slots or, from -O2 on, in the target's cost (for --check-moves). */
bool could_be_shorter(const struct run *);
/* Writes "dir/vp.vsh fp.psh: 9 of 16 FP slots could be saved (VP slots 2 -> 6)", or the cost of a pixel if no slot is saved.  Begins with `name`
 * instead of the files unless `name` is NULL. */
void line_of_shorter(struct text *, const struct run *, const char *name, const struct options *);

/* Limits at the end of a batch: of listed pairs that were not done, of listed files that were passed over for one reason, and of bytes of a
 * pair's line. */
enum { TROUBLES_LISTED = 20, NAMES_LISTED = 20, TROUBLE_BYTES = 600 };
struct trouble {
	char line[TROUBLES_LISTED][TROUBLE_BYTES];
	unsigned n;
};
/* Writes a line that says why a pair was rejected or failed.  `said` holds the messages about it that are not diagnostics. */
void line_of_trouble(struct text *, const struct run *, const struct batch_pair *, const struct text *said);
/* Adds the lines of the text.  Keeps only the first TROUBLES_LISTED of all lines and counts the others. */
void trouble_add(struct trouble *, const struct text *);
/* Lists the files that are part of no pair, grouped by the reason. */
void show_passed(struct text *, const struct collected *, const struct options *);
/* Returns the list of the files that are part of no pair, with the reasons, for the report's key `passed_over`. */
json_t *report_passed(struct arena *, const struct collected *);
void show_trouble(struct text *, const struct trouble *, const struct options *);

#endif
