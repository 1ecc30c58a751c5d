/* Running mcpp over a text, for preprocess.c alone. */
#ifndef FPMOVE_LANG_MCPP_H
#define FPMOVE_LANG_MCPP_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdio.h>

/* Expands `in` with the macros `defines` ("NAME=VALUE").  `*out` gets the expansion with its
 * #line directives, `*said` the messages.  NULL when it got to its end; else why it did not,
 * as a sentence about "it". */
const char *mcpp_run(struct arena *, const struct text *in, const char *const *defines, uint32_t ndefines,
                     struct text *out, struct text *said);

/* What the child runs, for os_begin. */
int mcpp_child(int argc, char **argv, FILE *out, FILE *said);

#endif
