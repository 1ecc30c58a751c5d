/* Files with names in UTF-8, and what is said to people. */
#ifndef FPMOVE_D3D9_SYSTEM_H
#define FPMOVE_D3D9_SYSTEM_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdio.h>
#include <wchar.h>

enum exit_status { EXIT_SAME, EXIT_DIFFERENT, EXIT_TROUBLE };

/* `fpmove-d3d9: error: ...` to standard error. */
void say_error(const char *format, ...) PRINTF_LIKE(1, 2);

char *utf8(struct arena *, const wchar_t *);
FILE *file_open(struct arena *, const char *name, const char *mode);
/* The whole file, NUL-terminated, or NULL; *size without the NUL. */
char *file_read(struct arena *, const char *name, size_t *size);
/* "-" is standard output; false, said: it cannot be written. */
bool file_write(struct arena *, const char *name, const struct text *);
/* Whether it can, before there is anything to write. */
bool file_is_writable(struct arena *, const char *name);
/* The next line of a text that is read so, without its end, which is overwritten; NULL: there is none.  Empty ones are left out. */
char *next_line(char **text);

#endif
