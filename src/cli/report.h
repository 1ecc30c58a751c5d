/* The JSON report. */
#ifndef FPMOVE_CLI_REPORT_H
#define FPMOVE_CLI_REPORT_H

#include "pipeline.h"

#include <jansson.h>

/* The `pairs` element of one run. */
json_t *report_pair(const struct run *);
/* The whole report; takes over `pairs`, an array. */
json_t *report_whole(json_t *pairs, const struct run_options *);
/* As text with a newline; false when memory runs out. */
bool report_text(struct text *, json_t *);

#endif
