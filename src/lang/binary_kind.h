/* Binary files that hold no program of Direct3D 9: named by their first bytes, with what to do about them. */
#ifndef FPMOVE_LANG_BINARY_KIND_H
#define FPMOVE_LANG_BINARY_KIND_H

#include "base/diag.h"

/* Returns what a file that is neither text nor of Direct3D 9 is, such as "DXBC, bytecode of Direct3D 10 and 11: compile ...", or NULL
 * if its first bytes do not tell. */
const char *binary_kind(const struct source *);

#endif
