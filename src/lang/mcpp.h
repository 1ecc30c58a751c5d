/* Runs mcpp over a text, for preprocess.c alone. */
#ifndef FPMOVE_LANG_MCPP_H
#define FPMOVE_LANG_MCPP_H

#include "base/arena.h"

/* Expands `in`.  `*out` gets the expansion with its #line directives, `*said` the messages.  Returns NULL if mcpp ran to its end, else the
 * reason why not, as a sentence whose subject is "it". */
const char *mcpp_run(const struct text *in, struct text *out, struct text *said);

/* Runs mcpp in the child process, as the `work` of os_run_child(); os_begin() calls it where the child is started as a new program. */
void mcpp_child(void);

#endif
