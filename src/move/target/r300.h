/* Simulates what a finished pixel program becomes on ATI's R300 to R500, without a fitted number.
 *
 * These chips issue an operation on x, y and z and one on w together, as a pair.  The facts are those of Mesa's r300 compiler.  Against
 * its instructions of 84 examples R^2 was 0.93 (22.3.6) and 0.96 (25.0.7); tests/bench/fit_targets prints it.  What only untidied programs have
 * is not looked for: equal operations, products to be added, powers of two and clamping on the way out. */
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
