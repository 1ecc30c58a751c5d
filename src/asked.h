/* Constants that a result asks the application for, and hardly needs. */
#ifndef FPMOVE_ASKED_H
#define FPMOVE_ASKED_H

#include "move/passes.h"

/* The FP constants that the VP needs for nothing but interpolators' lanes which a mov of the FP puts into place: an instruction
 * there, in the place of one that might make them. */
struct register_set asked_for_little(const struct move_result *);

#endif
