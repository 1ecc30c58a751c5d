/* Keeps a batch from overwriting files that it still has to read. */
#ifndef FPMOVE_CLI_OVERWRITING_H
#define FPMOVE_CLI_OVERWRITING_H

#include "cli/collect.h"

/* Refuses each pair that would replace, under whatever path, an existing file that another program of the batch is read from or includes, or
 * that an earlier pair replaces.  Programs that pairs share (--shared-vp, --shared-fp) may be replaced. */
void refuse_overwriting(struct arena *, const struct options *, struct collected *);

#endif
