/* Recognises binary files that are not Direct3D 9 programs, mostly by their first bytes, and tells how to get such programs from them. */
#ifndef FPMOVE_LANG_BINARY_KIND_H
#define FPMOVE_LANG_BINARY_KIND_H

#include "base/diag.h"

/* Returns the kind of a file and the remedy, such as "DXBC, bytecode of Direct3D 10 and 11: compile ...", or NULL if neither its first bytes nor
 * the ending of its name are known. */
const char *binary_kind(const struct source *);

#endif
