/* --html: one page with everything in it, to look at. */
#ifndef FPMOVE_CLI_HTML_H
#define FPMOVE_CLI_HTML_H

#include "cli/files.h"
#include "cli/options.h"

/* What is written before the first pair, between two, and after the last. */
void html_head(struct stream *);
void html_between(struct stream *);
void html_tail(struct stream *);
/* One pair: its report, programs, graph, and slots by the number of moved instructions. */
void html_pair(struct text *, const struct run *);

#endif
