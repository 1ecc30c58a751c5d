/* Reads and writes files with names in UTF-8, and reports errors. */
#ifndef FPMOVE_D3D9_SYSTEM_H
#define FPMOVE_D3D9_SYSTEM_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdio.h>
#include <wchar.h>

enum exit_status { EXIT_SAME, EXIT_DIFFERENT, EXIT_TROUBLE };

/* Writes `fpmove-d3d9: error: ...` to standard error. */
void say_error(const char *format, ...) PRINTF_LIKE(1, 2);

char *utf8(struct arena *, const wchar_t *);
FILE *file_open(struct arena *, const char *name, const char *mode);
/* Returns the whole file with a NUL behind it, which *size does not count, or NULL. */
char *file_read(struct arena *, const char *name, size_t *size);
/* Writes a file, or standard output if the name is "-".  Returns false after an error message. */
bool file_write(struct arena *, const char *name, const struct text *);
/* Returns true if file_write will be able to write the file, else false after an error message.  Called before work that takes long. */
bool file_is_writable(struct arena *, const char *name);
/* Returns the next line that is not empty, or NULL.  Overwrites the end of the line with a NUL, and moves *text on. */
char *next_line(char **text);

#endif
