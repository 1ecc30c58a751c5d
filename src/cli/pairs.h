/* Runs fpmove on one pair: reads, moves, shows and writes it. */
#ifndef FPMOVE_CLI_PAIRS_H
#define FPMOVE_CLI_PAIRS_H

#include "cli/outputs.h"
#include "job.h"
#include "lang/parse.h"

/* Reads an input, and preprocesses it if it has preprocessor lines and is no effect file.  Returns false and sets `*why` if the file cannot be
 * read; the exit status is then EXIT_USAGE.  Adds a diagnostic if the text cannot be a program. */
bool input_read(struct arena *, const char *name, const struct options *, struct source *, struct diags *,
                const char **why);

/* Preprocesses, as input_read() does, a source whose bytes are read already.  Adds a diagnostic instead if they cannot be a program. */
void input_take(struct arena *, const struct options *, struct source *, struct diags *);

/* Returns the programs of an effect file (--effect), except those that a preprocessor condition leaves out.  Adds a note for each that is only
 * partly in the file (C literals). */
struct program_list effect_programs(struct arena *, const struct source *, const struct options *, struct diags *);

/* --- shared between move_pair(), move_effect() and the batch ------------------------------ */

/* Returns true if the run is done and written (-o), the application must set constants by their registers, and no output of the command lists
 * these. */
bool constants_untold(const struct run *, const struct options *);
/* Adds a warning with the constants that the application must set, if no output lists them.  Rejects the pair if warnings are errors. */
void warn_of_constants(struct run *, const struct options *);
/* Writes a folder with the files by which a fault of fpmove can be reproduced, and to `said` the messages about the fault and the folder. */
void say_fault(const struct run *, const struct options *, struct text *said);
/* Finds options with which a rejected pair would fit its models, and hints (options that would save slots) if an output shows them.  Does
 * nothing for a job that has pixel programs that stay as they are. */
void help_job(const struct job *, const struct options *);
/* Writes the diagnostics of a run to `said`.  If it failed by a fault of fpmove, also writes a reproducer and the messages about it. */
void say_run(const struct run *, const struct options *, struct text *said);
/* Verifies a done run if --verify is given, then writes the tables and diffs that the options ask for to `shown`.  Returns EXIT_DONE, also for a
 * run that is not done; but if --verify refuses the pair, sets its status to rejected or failed and returns that exit status. */
int look_at_run(struct run *, const struct options *, struct text *shown, struct text *said);
/* Adds the report of `n` runs to the outputs if --report is given. */
void add_report(struct arena *, const struct run *, uint32_t n, const struct options *, struct outputs *);
/* Adds the table of `n` runs to the outputs if --csv is given. */
void add_csv(struct arena *, const struct run *, uint32_t n, const struct options *, struct outputs *);
/* Returns the exit status for --check-moves: EXIT_REJECTED if the pair could be shorter, else that of the run.  If the pair could be shorter,
 * also writes a line about it (not with --quiet), which begins with `name`, or with the names of its files if `name` is NULL. */
int check_moves(struct text *shown, const struct run *, const char *name, const struct options *);
/* Returns true if the outputs with the paths `vs` and `ps`, which may be one path, are proven equal to the given pair of the done run.  One of
 * the outputs may be of the run of another pair, which shares the program. */
bool output_proves(struct run *, const struct outputs *, const char *vs, const char *ps);
/* Adds the new programs of a run as outputs with these paths: both as one text if the paths are equal, or the FP alone if the run does not write
 * its VP. */
void add_new_programs(struct outputs *, const struct run *, const char *vs, const char *ps);

#endif
