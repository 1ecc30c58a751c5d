/* Recognises binary files that are not Direct3D 9 programs by their first bytes, and names the remedy for each kind. */
#ifndef FPMOVE_LANG_BINARY_KIND_H
#define FPMOVE_LANG_BINARY_KIND_H

#include "base/diag.h"

/* Returns the kind of a file and the remedy, such as "DXBC, bytecode of Direct3D 10 and 11: compile ...", or NULL if its first bytes
 * are not known.  The caller has found that the file is neither text nor a Direct3D 9 program. */
const char *binary_kind(const struct source *);

#endif
