/* Writes results for users: table, explanation, diff, graph. */
#ifndef FPMOVE_CLI_SHOW_H
#define FPMOVE_CLI_SHOW_H

#include "pipeline.h"
#include "verify/interp.h"

/* Writes slots and registers of a done pair before and after, in at most 80 columns, for fit_lines(). */
void show_table(struct text *, const struct run *, bool colour);
/* Writes the given pixel program, with the outcome of each instruction and the reason on its line.  fit_lines() is to wrap the lines, which have
 * a FIT_HANG each. */
void show_explain(struct text *, const struct run *, bool colour);
/* Writes a unified diff of the given and the new text of each program that the run writes. */
void show_diff(struct text *, const struct run *, bool colour);
/* Writes each line that only one of two texts has: those of `old` with "- " before them, those of `new` with "+ ". */
void show_changes(struct text *, const struct text *old, const struct text *new, const char *indent);
/* Writes the pixel program's dataflow as a Graphviz graph. */
void show_dot(struct text *, const struct run *);
/* Writes a line for each hint of the run (an option that would save slots).  show_table() includes these lines, show_explain() does not. */
void show_hints(struct text *, const struct run *);
/* Writes which constants the application sets: "VP c20-c22 = FP c0-c2, VP c94 = FP c3 (g_scale), VP c95.xyz by the function of
 * --preshader".  `blank` separates the words of a range. */
void show_needs(struct text *, const struct needs *, const char *blank);
/* Writes the names of a pair's files, "vp.vsh and fp.psh", so that a comment in C may hold them. */
void show_names(struct text *, const struct run *);
/* Writes a C header of the constants that the application must set.  The names of its macros are made of `path`; `function` is the name of
 * the function of --preshader, or NULL. */
void show_constants(struct text *, const struct run *, const char *path, const char *function);

/* Writes the errors that --verify measured in both pairs for each output lane, in at most 80 columns. */
void show_measured(struct text *, const struct measured *, bool colour);

#endif
