/* What the files of this folder share: names as Windows has them, and its errors as errno. */
#ifndef FPMOVE_SYSTEM_WINDOWS_WIDE_H
#define FPMOVE_SYSTEM_WINDOWS_WIDE_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <wchar.h>

/* UTF-8 as UTF-16 and back.  The caller frees it; NULL: there is no memory. */
wchar_t *wide_from(const char *utf8);
char *wide_to(const wchar_t *);

/* The path as Windows' functions take it at any length, with no name that stands for a device: from the root on, behind \\?\.
 * The caller frees it; NULL: errno. */
wchar_t *wide_path(const char *path);

/* The same path as the rest of fpmove has it, with slashes and without \\?\; NULL: there is no memory. */
char *wide_path_back(struct arena *, const wchar_t *);

/* Sets errno to what GetLastError tells.  Returns false. */
bool wide_failed(void);

#endif
