/* Recognises files of other languages that are given as programs, so that one error names the language instead of one error for each
 * of their lines. */
#ifndef FPMOVE_LANG_FOREIGN_H
#define FPMOVE_LANG_FOREIGN_H

#include "base/diag.h"

/* Returns false if the text may be a program.  Otherwise adds an error that names the language of the text and the remedy, and returns true. */
bool foreign_tell(const struct source *, struct diags *);
/* Works like foreign_tell() on a text in which --effect found no program.  Returns false and adds no error if the text may be an effect file,
 * or C with programs in its strings. */
bool foreign_tell_of_effect(const struct source *, struct diags *);

#endif
