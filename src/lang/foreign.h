/* Recognises files of other languages that are given as programs, so that one error names the language instead of one error for each
 * of their lines. */
#ifndef FPMOVE_LANG_FOREIGN_H
#define FPMOVE_LANG_FOREIGN_H

#include "base/diag.h"

/* Adds an error that says which language the text seems to be in, and what to do with it.  Returns false and adds none if it may be a
 * program. */
bool foreign_tell(const struct source *, struct diags *);
/* Works like foreign_tell() on a text that was read as an effect file, or as C with programs in its strings, and in which no program was found.
 * Returns false and adds no error if it may be an effect file or such C. */
bool foreign_tell_of_effect(const struct source *, struct diags *);

#endif
