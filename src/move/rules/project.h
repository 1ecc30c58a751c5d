/* Reads at quotients become projected reads. */
#ifndef FPMOVE_MOVE_RULES_PROJECT_H
#define FPMOVE_MOVE_RULES_PROJECT_H

#include "move/graph/values.h"

/* The program at hand with `texldp` at (a, b, w) for each `texld` at (a / w, b / w) of an affine w: equal in real
 * arithmetic, and a and b can leave where their quotients cannot.  Temporaries have any number below 32; the `at` of
 * each instruction is the index of the one that it stands for, or SRCPOS_NONE.  `vs`: all VPs it runs with.  NULL: there
 * is no such read. */
struct program *project_reads(struct values *, const struct program *const *vs, unsigned nvs);

#endif
