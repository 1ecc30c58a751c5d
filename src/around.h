/* Moving in a pair with flow control: its straight forms (lang/outline.h) are planned, and the blocks are put back into what comes of it. */
#ifndef FPMOVE_AROUND_H
#define FPMOVE_AROUND_H

#include "pipeline.h"

/* Plans a pair of which a program has flow control, at the level of the options or, where the blocks do not fit into what comes of that,
 * at a lower one.  Returns NULL if the pair stays as it is; `stays` of the run says why. */
struct move_result *around_move(struct run *, struct move_options *);

#endif
