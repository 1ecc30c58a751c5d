/* --html: writes one page with programs, graphs and figures of all pairs. */
#ifndef FPMOVE_CLI_HTML_H
#define FPMOVE_CLI_HTML_H

#include "cli/options.h"
#include "cli/report.h"

/* Writes the page up to its first pair. */
void html_head(struct text *, const struct options *);
/* Writes the end of the page, which follows its last pair, with the totals of all pairs. */
void html_tail(struct text *, const struct totals *);
/* Writes the data of `n` pairs that were planned together: reports, programs, graphs, and slots by number of moved instructions.  `same_vs` is
 * true if they share the VP, false if they share the FP. */
void html_pairs(struct text *, const struct run *, uint32_t n, bool same_vs);
/* Writes one pair as html_pairs() does, but without the slots by number of moved instructions. */
void html_pair(struct text *, const struct run *);

#endif
