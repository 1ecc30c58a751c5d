/* The way of one pair through the command: read, run, show, write. */
#ifndef FPMOVE_CLI_PAIRS_H
#define FPMOVE_CLI_PAIRS_H

#include "cli/files.h"
#include "cli/options.h"
#include "job.h"
#include "lang/parse.h"

/* Reads an input and preprocesses it if it asks for that and is no effect file.  False: `*why`, for EXIT_USAGE.
 * What cannot be a program's text becomes a diagnostic. */
bool input_read(struct arena *, const char *name, const struct options *, struct source *, struct diags *,
                const char **why);

/* The same of a file that was read. */
void input_take(struct arena *, const struct options *, struct source *, struct diags *);

/* MODE_MOVE for one pair; the exit status. */
int move_pair(struct arena *, const struct options *);
/* MODE_MOVE for an effect file: each pass whose two programs are asm blocks. */
int move_effect(struct arena *, const struct options *);
/* All programs in the asm blocks of an effect file, for --check. */
struct program_list effect_programs(struct arena *, const struct source *, const struct options *, struct diags *);

/* --- shared between the two and the batch --------------------------------------------- */

struct outputs {
	VEC(struct output);
};

int run_exit_status(enum run_status);
/* Are there constants that the application must set, and is this the only place to say so? */
bool constants_untold(const struct run *, const struct options *);
/* Then a warning; as an error, it rejects the pair. */
void warn_of_constants(struct run *, const struct options *);
/* A fault with its reproducer, for standard error. */
void say_fault(const struct run *, const struct options *, struct text *said);
/* Finds what helps a job that is done: options with which a rejected pair fits, and hints where somebody reads them.  Nothing is looked
 * for beside pixel programs that stay. */
void help_job(const struct job *, const struct options *);
/* The diagnostics, and a fault with its reproducer, for standard error. */
void say_run(const struct run *, const struct options *, struct text *said);
/* Verifies a done run if --verify asks for it, then shows what is looked at.  Returns EXIT_DONE, or the status of a pair that
 * --verify refuses. */
int look_at_run(struct run *, const struct options *, struct text *shown, bool colour, struct text *said);
/* To standard error. */
void say(const struct text *);
/* Prints what is shown, beside the outputs that go to standard output; the exit status. */
int finish(const struct text *shown, bool beside, int status);
/* Adds the report of `n` runs when there is one to write. */
void add_report(struct arena *, const struct run *, uint32_t n, const struct options *, struct outputs *);
/* The same for --csv. */
void add_csv(struct arena *, const struct run *, uint32_t n, const struct options *, struct outputs *);
/* --check-moves: the exit status of one run, and a line if its pair could be shorter; `name`: see line_of_shorter. */
int check_moves(struct text *shown, const struct run *, const char *name, const struct options *);
void add_output(struct arena *, struct outputs *, const char *path, const struct text *);
/* Are the bytes that these two paths, or the one, are about to get proven for the done run?  See run_proves. */
bool output_proves(struct run *, const struct outputs *, const char *vs, const char *ps);
/* The new text of an input. */
void add_program(struct arena *, struct outputs *, const char *path, const struct text *, const struct source *of);
/* Both programs of one file, in their order. */
void join_programs(struct text *both, const struct run *);
/* The make rule of these outputs, and where it goes: beside the output `name`, or as -MF says. */
void add_dependencies(struct text *, const struct options *, const struct source *, uint32_t nsources, const struct outputs *);
/* Has make a way to write the name, as a target or as what one depends on? */
bool make_can_name(const char *path, bool target);
const char *dependency_path(struct arena *, const struct options *, const char *name);
/* Removes what killed processes left where outputs and reports go. */
void clean_folders(struct arena *, const struct options *, const struct outputs *);
/* The folders of reports that go below the output folder; others must be there. */
bool make_report_folders(struct arena *, const struct options *, const char **why);
/* As files_write, and no two outputs are one file. */
bool write_outputs(struct arena *, const struct outputs *, const char **why);

#endif
