/* What is moved around the blocks of a pair: from its straight forms (lang/outline.h) back to the pair. */
#ifndef FPMOVE_AROUND_H
#define FPMOVE_AROUND_H

#include "lang/outline.h"
#include "pipeline.h"

/* Puts the blocks back into what was planned for the straight forms `o`, by stage; `given` is NULL where a program is straight.
 * False: they do not fit there, break a rule, make the pixel program longer, or the proof doubts what comes of it. */
bool around_restore(struct run *, const struct outline o[2], struct move_result *moved);

#endif
