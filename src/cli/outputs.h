/* Collects the output files of a command and writes them, with the make rule of -MD, and prints texts on standard output or standard error. */
#ifndef FPMOVE_CLI_OUTPUTS_H
#define FPMOVE_CLI_OUTPUTS_H

#include "cli/files.h"
#include "cli/options.h"

struct outputs {
	VEC(struct output);
};

/* Prints the text on standard error. */
void say(const struct text *);
/* Prints the text on standard output; or on standard error if `beside`, since programs or reports go to standard output then.  Returns
 * `status`, or EXIT_USAGE if the text cannot be printed. */
int finish(const struct text *shown, bool beside, int status);
void add_output(struct arena *, struct outputs *, const char *path, const struct text *);
/* Adds the new text of the program `of` as an output, which may replace that input. */
void add_program(struct arena *, struct outputs *, const char *path, const struct text *, const struct source *of);
/* Writes the make rule of these outputs: they depend on the sources, their includes, and the files that options
 * name, such as .fpmove or that of --target-file. */
void add_dependencies(struct text *, const struct options *, const struct source *, uint32_t nsources, const struct outputs *);
/* Returns true if a makefile can hold the name, as a target or as a prerequisite. */
bool make_can_name(const char *path, bool target);
/* Returns the path of the file for the make rule: that of -MF, or in the output folder `name` with .d in place of its suffix. */
const char *dependency_path(struct arena *, const struct options *, const char *name);
/* Makes the folders of reports that go below the output folder; other folders must exist.  Returns false and sets `*why` on failure. */
bool make_report_folders(struct arena *, const struct options *, const char **why);

#endif
