/* Takes one pair through the command: reads, runs, shows and writes it. */
#ifndef FPMOVE_CLI_PAIRS_H
#define FPMOVE_CLI_PAIRS_H

#include "cli/outputs.h"
#include "job.h"
#include "lang/parse.h"

/* Reads an input, and preprocesses it if it has preprocessor lines and is no effect file.  Returns false, and the reason in `*why`, if the
 * file cannot be read, which is EXIT_USAGE.  Text that cannot be a program becomes a diagnostic. */
bool input_read(struct arena *, const char *name, const struct options *, struct source *, struct diags *,
                const char **why);

/* Checks and preprocesses a file as input_read() does, whose bytes are in the source already. */
void input_take(struct arena *, const struct options *, struct source *, struct diags *);

/* Runs MODE_MOVE for one pair; returns the exit status. */
int move_pair(struct arena *, const struct options *);
/* Runs MODE_MOVE for an effect file: moves each pass whose two programs are asm blocks.  Returns the exit status. */
int move_effect(struct arena *, const struct options *);
/* Returns all programs in the asm blocks of an effect file. */
struct program_list effect_programs(struct arena *, const struct source *, const struct options *, struct diags *);

/* --- shared between the two and the batch --------------------------------------------- */

/* Returns true if the application must set constants, by register, and no output of the command lists them. */
bool constants_untold(const struct run *, const struct options *);
/* Adds a warning that lists these constants; if warnings are errors, it rejects the pair. */
void warn_of_constants(struct run *, const struct options *);
/* Writes a reproducer of a fault of fpmove, and the messages about both. */
void say_fault(const struct run *, const struct options *, struct text *said);
/* Finds options with which a rejected pair would fit, and hints if the options show them.  Does nothing for a job that has pixel programs
 * that stay as they are. */
void help_job(const struct job *, const struct options *);
/* Writes the diagnostics, and the messages about a fault with its reproducer. */
void say_run(const struct run *, const struct options *, struct text *said);
/* Verifies a done run if --verify is given, then writes the tables and diffs that the options ask for to `shown`.  Returns EXIT_DONE, or
 * the exit status if --verify refuses the pair. */
int look_at_run(struct run *, const struct options *, struct text *shown, bool colour, struct text *said);
/* Adds the report of `n` runs to the outputs if --report is given. */
void add_report(struct arena *, const struct run *, uint32_t n, const struct options *, struct outputs *);
/* Adds the table of `n` runs to the outputs if --csv is given. */
void add_csv(struct arena *, const struct run *, uint32_t n, const struct options *, struct outputs *);
/* Returns the exit status of a run by --check-moves, and writes a line if its pair could be shorter; line_of_shorter() says what `name`
 * is. */
int check_moves(struct text *shown, const struct run *, const char *name, const struct options *);
/* Returns true if the bytes that are about to be written to these two paths, which may be one, are proven for the done run, see
 * run_proves(). */
bool output_proves(struct run *, const struct outputs *, const char *vs, const char *ps);
/* Writes both new programs of one file in their order there, or the FP alone if the VP is not written. */
void join_programs(struct text *both, const struct run *);

#endif
