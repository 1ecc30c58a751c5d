/* Counts the instructions that ATI's R300 to R500 make of a finished pixel program, without a fitted number.
 *
 * These chips issue an operation on x, y and z and one on w together, as a pair.  The facts are those of Mesa's r300 compiler.  The count
 * leaves out that operations wait for each other and that readers of a sum can compute it: a simulation of both, 240 lines longer, told
 * that compiler's count of the examples worse (R^2 0.77 in place of 0.82 by tests/bench/fit_targets), and chose results 0.1% better. */
#ifndef FPMOVE_MOVE_TARGET_R300_H
#define FPMOVE_MOVE_TARGET_R300_H

#include "lang/ir.h"

struct r300_count {
	unsigned pairs; /* arithmetic */
	unsigned tex;   /* texture reads and texkills */
};

/* Takes some 100 kB of stack. */
struct r300_count r300_count(const struct program *ps);

#endif
