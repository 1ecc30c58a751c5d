/* The C preprocessor in front of the language, through mcpp. */
#ifndef FPMOVE_LANG_PREPROCESS_H
#define FPMOVE_LANG_PREPROCESS_H

#include "base/diag.h"

struct preprocess_options {
	const char *const *defines; /* each is one by preprocess_is_define */
	uint32_t ndefines;
	const char *const *includes; /* directories, looked at after the including file's own */
	uint32_t nincludes;
};

/* NAME, NAME=VALUE or NAME(ARGUMENTS)=VALUE.  mcpp would answer others with its usage. */
bool preprocess_is_define(const char *);

/* Does the text have a line that starts with #, or was a macro defined?  A text that does
 * not is its own expansion; finding that out is one memchr. */
bool preprocess_wanted(const struct source *, const struct preprocess_options *);

/* Expands `in` into `*out`, whose marks lead back to files and lines as written, and whose
 * includes are the files that were read, in the order of their first #include.  Comments come
 * through (those on directive lines do not).  Errors and warnings of the preprocessor
 * become diagnostics; false when there was an error, and `*out` is then `*in`.
 * What a file can cost is bounded: 5 s of processor time, 64 MB of output, and memory.
 * If `in` has a mark at 0 with a text, that text is what the lines of `in` were written as.
 * May be called from several threads at once: mcpp, which is not made for that, runs in a
 * child process. */
bool preprocess(struct arena *, const struct source *in, const struct preprocess_options *, struct source *out,
                struct diags *);

#endif
