/* Runs mcpp over a text, for preprocess.c alone. */
#ifndef FPMOVE_LANG_MCPP_H
#define FPMOVE_LANG_MCPP_H

#include "base/arena.h"

/* Expands `in`: writes the expansion with #line directives to `out`, and mcpp's messages to `said`.  Returns NULL if mcpp ran to its end,
 * else the reason why it did not. */
const char *mcpp_run(const struct text *in, struct text *out, struct text *said);

/* Runs mcpp in the child process, as the `work` of os_run_child(); os_begin() calls it where the child is started as a new program. */
void mcpp_child(void);

#endif
