/* Counts the instructions that ATI's R300 to R500 make of a finished pixel program, without a fitted number.
 *
 * These chips issue an operation on x, y and z and one on w together, as a pair.  The rules are those of Mesa's r300 compiler.  The count
 * ignores that operations wait for each other, and that an instruction can add two operands before it reads them.  A simulation of both, 240
 * lines longer, predicted that compiler's count of the examples worse (R^2 0.77 in place of 0.82 by tests/bench/fit_targets), and chose results
 * 0.1% better. */
#ifndef FPMOVE_MOVE_TARGET_R300_H
#define FPMOVE_MOVE_TARGET_R300_H

#include "lang/ir.h"

struct r300_count {
	unsigned pairs; /* arithmetic instructions, each an RGB and an alpha operation */
	unsigned tex;   /* texture reads and texkills */
};

/* Returns the counts of an FP.  Takes some 100 kB of stack. */
struct r300_count r300_count(const struct program *ps);

#endif
