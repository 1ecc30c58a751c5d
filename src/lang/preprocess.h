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

/* Returns true for NAME, NAME=VALUE and NAME(ARGUMENTS)=VALUE.  Given anything else, mcpp would print its usage. */
bool preprocess_is_define(const char *);

/* Returns true if the text has a line that starts with #, or if a macro is defined.  Any other text is its own expansion, which costs
 * only a memchr to find out. */
bool preprocess_wanted(const struct source *, const struct preprocess_options *);

/* Expands `in` into `*out`.  The marks of `*out` lead back to files and lines as written, and its includes are the files that were read, in
 * the order of their first #include.  Comments are kept, except those on lines of directives.  Errors and warnings of the preprocessor
 * become diagnostics; after an error, returns false and sets `*out` to `*in`.  A file may cost 5 s of processor time, 64 MB of output, and
 * 512 MB of memory.  If the first mark of `in`, at offset 0, has a text, that is the text as the user wrote it, line by line.  Several
 * threads may call this at once: mcpp, which is not made for that, runs in a child process. */
bool preprocess(struct arena *, const struct source *in, const struct preprocess_options *, struct source *out,
                struct diags *);

#endif
