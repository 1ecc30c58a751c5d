/* Declares the functions that the files which drive -O2 and -O3 share. */
#ifndef FPMOVE_MOVE_OPTIMISE_H
#define FPMOVE_MOVE_OPTIMISE_H

#include "move/cut/cut.h"

/* Fills the fates of the instructions of `given->ps`, and counts those that moved.  The plan is for the FP of the first values, which writes
 * the given FP in some way; `mask`: the lanes of its instructions that stay. */
void explain_all(const struct values *, const lanes *mask, const struct values *given, const struct move_options *, struct move_result *);

#endif
