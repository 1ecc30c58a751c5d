/* --html: one page with everything in it, to look at. */
#ifndef FPMOVE_CLI_HTML_H
#define FPMOVE_CLI_HTML_H

#include "cli/options.h"
#include "cli/report.h"

/* What is written before the first pair and after the last. */
void html_head(struct text *, const struct options *);
void html_tail(struct text *, const struct totals *);
/* Pairs that were planned together: the report of each, its programs, graph, and slots by the number of moved
 * instructions. */
void html_pairs(struct text *, const struct run *, uint32_t n, bool same_vs);
/* The same of one pair, without slots by the number of moves. */
void html_pair(struct text *, const struct run *);

#endif
