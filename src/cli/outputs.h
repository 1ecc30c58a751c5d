/* The files and texts that a command puts out, and the make rule of files. */
#ifndef FPMOVE_CLI_OUTPUTS_H
#define FPMOVE_CLI_OUTPUTS_H

#include "cli/files.h"
#include "cli/options.h"

struct outputs {
	VEC(struct output);
};

/* Prints the text on standard error. */
void say(const struct text *);
/* Prints the text on standard output, or on standard error if `beside`, as programs or reports go to standard output.  Returns `status`, or
 * EXIT_USAGE if it cannot be printed. */
int finish(const struct text *shown, bool beside, int status);
void add_output(struct arena *, struct outputs *, const char *path, const struct text *);
/* Adds an output that replaces the input `of`. */
void add_program(struct arena *, struct outputs *, const char *path, const struct text *, const struct source *of);
/* Writes the make rule of these outputs: they depend on the sources, their includes, and the files of --config and --names. */
void add_dependencies(struct text *, const struct options *, const struct source *, uint32_t nsources, const struct outputs *);
/* Returns true if a makefile can hold the name, as a target or as a prerequisite. */
bool make_can_name(const char *path, bool target);
/* Returns the file for the make rule: the one of -MF, or "NAME.d" in the output folder. */
const char *dependency_path(struct arena *, const struct options *, const char *name);
/* Makes the folders of reports that are below the output folder; others must exist.  Returns false, and the reason in `*why`. */
bool make_report_folders(struct arena *, const struct options *, const char **why);

#endif
