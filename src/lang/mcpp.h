/* Runs mcpp over a text, for preprocess.c alone. */
#ifndef FPMOVE_LANG_MCPP_H
#define FPMOVE_LANG_MCPP_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdio.h>

/* Expands `in` with the macros `defines` ("NAME=VALUE").  `*out` gets the expansion with its #line directives, `*said` the messages.
 * Returns NULL if mcpp ran to its end, else the reason why not, as a sentence whose subject is "it". */
const char *mcpp_run(struct arena *, const struct text *in, const char *const *defines, uint32_t ndefines,
                     struct text *out, struct text *said);

/* Runs mcpp in the child process, as the `work` of struct os_child; os_begin calls it where the child is started as a new program. */
int mcpp_child(int argc, char **argv, FILE *out, FILE *said);

#endif
