/* The C preprocessor in front of the language, through mcpp. */
#ifndef FPMOVE_CLI_PREPROCESS_H
#define FPMOVE_CLI_PREPROCESS_H

#include "cli/options.h"

/* Does the text hold a line that starts with #, or was a macro defined? */
bool preprocess_wanted(const struct source *, const struct options *);

/* Expands `in` into `out`, whose marks lead back to the files and lines that the text
 * came from.  Comments stay where they are, those on directive lines and in included
 * files apart.  Errors become diagnostics. */
void preprocess(struct arena *, const struct source *in, const struct options *, struct source *out,
                struct diags *);

#endif
