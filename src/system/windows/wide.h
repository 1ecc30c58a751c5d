/* Names in UTF-16 and errors of Windows' functions, for the files of this folder. */
#ifndef FPMOVE_SYSTEM_WINDOWS_WIDE_H
#define FPMOVE_SYSTEM_WINDOWS_WIDE_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <wchar.h>

/* Converts UTF-8 to UTF-16, and back.  The caller frees the result, which is NULL if there is no memory. */
wchar_t *wide_from(const char *utf8);
char *wide_to(const wchar_t *);

/* Returns the absolute path behind \\?\, the form in which Windows accepts any length and names such as con.vsh, which would else mean devices.
 * The path `con`, as other names of devices, becomes \\.\con.  The caller frees the result, which is NULL if it fails, for the reason in errno. */
wchar_t *wide_path(const char *path);

/* Returns a path of Windows in the form that the rest of fpmove uses: with slashes and without \\?\; NULL if there is no memory. */
char *wide_path_back(struct arena *, const wchar_t *);

/* Sets errno to the error of GetLastError().  Returns false. */
bool wide_failed(void);

#endif
