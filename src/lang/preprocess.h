/* Runs the C preprocessor, mcpp, over texts before they are parsed. */
#ifndef FPMOVE_LANG_PREPROCESS_H
#define FPMOVE_LANG_PREPROCESS_H

#include "base/diag.h"

struct preprocess_options {
	const char *const *defines; /* definitions that preprocess_is_define() accepts */
	uint32_t ndefines;
	const char *const *includes; /* folders that are searched after the folder of the including file */
	uint32_t nincludes;
};

/* Returns true for NAME, NAME=VALUE, NAME(ARGUMENTS) and NAME(ARGUMENTS)=VALUE without line ends. */
bool preprocess_is_define(const char *);

/* Returns true if the options define a macro, or if a # stands first on a line of the text, or right behind a block comment.  Any other text
 * is its own expansion. */
bool preprocess_wanted(const struct source *, const struct preprocess_options *);

/* Expands `in` into `*out`.  The marks of `*out` give the file and line of each of its lines, and its includes are the files that were read,
 * in the order of their first #include.  Keeps comments, except on lines of directives.  Turns errors and warnings of the preprocessor into
 * diagnostics; after an error, returns false and sets `*out` to `*in`.  A file may cost 5 s of processor time, 64 MB of output, and 512 MB
 * of memory.  If the only mark of `in`, at offset 0, has a text, that text is shown in messages, line by line.  Several threads may call
 * this function at once, as mcpp runs in a child process. */
bool preprocess(struct arena *, const struct source *in, const struct preprocess_options *, struct source *out,
                struct diags *);

#endif
