/* What a pixel program becomes on ATI's R300 to R500, by simulation without a fitted number.
 *
 * These chips issue an operation on x, y and z and one on w together, as a pair.  The facts are those of Mesa's r300 compiler, whose
 * results on the examples tests/bench/r300.py compares: R^2 is 0.92 (22.3.6) and 0.96 (25.0.7) for pairs, 0.94 for nodes.  The rules
 * were chosen by these examples; nobody compared others. */
#ifndef FPMOVE_MOVE_TARGET_R300_H
#define FPMOVE_MOVE_TARGET_R300_H

#include "lang/ir.h"

struct r300_count {
	unsigned pairs; /* arithmetic */
	unsigned tex;   /* texture reads and texkills */
	unsigned nodes; /* blocks of texture instructions, each with the arithmetic behind it; arithmetic before the first is one, too */
};

/* Takes some 100 kB of stack. */
struct r300_count r300_count(const struct program *ps);

#endif
