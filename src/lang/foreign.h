/* Files of other languages that are given as programs: what they look like, told at once instead of what is wrong with each of
 * their lines. */
#ifndef FPMOVE_LANG_FOREIGN_H
#define FPMOVE_LANG_FOREIGN_H

#include "base/diag.h"

/* Adds an error that says what the text seems to be, and what reads it; false: it may well be a program. */
bool foreign_tell(const struct source *, struct diags *);
/* The same of a text that was read as an effect file, or as C with programs in its strings, and in which no program was found; false:
 * it may well be one of these. */
bool foreign_tell_of_effect(const struct source *, struct diags *);

#endif
