/* Keeps a batch from overwriting files that it still has to read. */
#ifndef FPMOVE_CLI_OVERWRITING_H
#define FPMOVE_CLI_OVERWRITING_H

#include "cli/collect.h"

/* Refuses pairs that would write a file that another pair reads, includes or writes, under whatever name: all pairs must read the old files. */
void refuse_overwriting(struct arena *, const struct options *, struct collected *);

#endif
