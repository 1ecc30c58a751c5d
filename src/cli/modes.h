/* The modes of the command.  Each function runs one, and returns the exit status. */
#ifndef FPMOVE_CLI_MODES_H
#define FPMOVE_CLI_MODES_H

#include "cli/options.h"

/* Moves one pair, or with --effect the pairs of an effect file's passes. */
int move_pair(struct arena *, const struct options *);
int move_effect(struct arena *, const struct options *);
/* Moves all pairs of a folder, a list or a table (--batch, --pairs).  The status is the worst of all pairs. */
int move_batch(struct arena *, const struct options *);
/* Joins the reports of runs with --shard into the report of a whole run. */
int merge_reports(struct arena *, const struct options *);
/* Shows the differences between two reports, pair by pair.  The status is EXIT_REJECTED if a pair fails a condition of --fail-on. */
int compare_reports(struct arena *, const struct options *);
/* Reads the words of --fail-on, separated by commas, and sets a bit for each.  Returns false after a message if a word is unknown. */
bool compare_fail_on(const char *value, unsigned *bits);
/* Prints whether two pairs of files can be proven equal: the constants that the application must set for that, or the first difference. */
int prove_pairs(struct arena *, const struct options *);
/* Prints all programs of the files (text, bytecode or those of effects) as assembly, each with its slots, and below its file's name if there
 * are several. */
int print_files(struct arena *, const struct options *);
/* Writes each program of a trace to a file, and pairs.csv, a table for --pairs of the programs that are drawn together. */
int unpack_trace(struct arena *, const struct options *);

#endif
