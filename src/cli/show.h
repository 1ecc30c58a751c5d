/* What people look at: table, explanation, diff, graph. */
#ifndef FPMOVE_CLI_SHOW_H
#define FPMOVE_CLI_SHOW_H

#include "pipeline.h"
#include "verify/interp.h"

/* Slots and registers before and after, for one done pair; numbers and lists take at most 80 columns, for fit_lines. */
void show_table(struct text *, const struct run *, bool colour);
/* Why a pair is unchanged, as one clause. */
const char *show_why_unchanged(const struct run *);
/* Why something stays, by its verdict, as one clause. */
const char *show_why(const struct run *, unsigned verdict);
/* The pixel program as given with, at each line, what became of it and why; each line with FIT_HANG, for fit_lines. */
void show_explain(struct text *, const struct run *, bool colour);
/* Unified diff of both programs, before and after as the printer writes them. */
void show_diff(struct text *, const struct run *, bool colour);
/* The lines that one of two texts has and the other has not, as - and +. */
void show_changes(struct text *, const struct text *old, const struct text *new, const char *indent);
/* The pixel program's dataflow as a Graphviz graph. */
void show_dot(struct text *, const struct run *);
/* What would make the pair shorter, a line each with FIT_HANG; show_table has it, show_explain does not. */
void show_hints(struct text *, const struct run *);
/* "VP c20-c22 = FP c0-c2, VP c94 = FP c3 (g_scale), VP c95.xyz by the function of --preshader": what the application sets, with
 * `blank` between the words of a range. */
void show_needs(struct text *, const struct needs *, const char *blank);
/* "vp.vsh and fp.psh", for a comment in C. */
void show_names(struct text *, const struct run *);
/* C header of the constants that the application must set. `path` gives the names in it; `function`: of
 * --preshader, or NULL. */
void show_constants(struct text *, const struct run *, const char *path, const char *function);

/* Errors of both pairs per output lane, at most 80 columns. */
void show_measured(struct text *, const struct measured *, bool colour);

#endif
