/* Reads files, and writes files so that each appears whole or not at all. */
#ifndef FPMOVE_CLI_FILES_H
#define FPMOVE_CLI_FILES_H

#include "base/diag.h"

#include <stdio.h>

/* Reads a whole file, or standard input for "-".  The source keeps the name as given.  A file longer than 64 MiB is cut off, and
 * file_judge refuses it.  Returns false and sets `*why` on failure; the exit status is then EXIT_USAGE. */
bool file_read(struct arena *, const char *name, struct source *, const char **why);
/* Reads a whole file as file_read() does, but of any length. */
bool file_read_any(struct arena *, const char *name, struct source *, const char **why);
/* Adds a diagnostic if the source cannot be the text of a program: binary, in 16-bit characters, or too long. */
void file_judge(const struct source *, struct diags *);

/* Returns the last part of a path, the name of the file. */
const char *file_base(const char *path);
/* Returns the folder part of a path with its slash, or "." if there is none. */
const char *file_folder(struct arena *, const char *path);
/* Returns true if the folder parts of two paths are equal as text. */
bool file_same_folder(const char *, const char *);
/* Returns "DIR/NAME". */
const char *file_join(struct arena *, const char *dir, const char *name);

struct output {
	const char *path; /* "-" for standard output */
	const char *text;
	size_t n;
	bool make_folder; /* true to make the folder of `path` if it does not exist */
	const char *replaces; /* input file that this is the new text of and that it may replace, or NULL if there is none */
};
/* Writes all outputs or none: each goes to a temporary file ".fpmove-PROCESS-MOMENT-NAME.tmp" beside it.  Then the old files of a set of
 * several are renamed to names of this kind that end in ".old", the new ones get their names, and the old ones are removed.  Signals that
 * would end the process wait until then.  If the process is killed, no new file stands beside an old one of the set.  Devices, pipes and
 * standard output are written in place.  Returns false and sets `*why` on failure. */
bool files_write(struct arena *, const struct output *, uint32_t n, const char **why);
/* Returns true if the name is that of an old file which was moved aside. */
bool file_is_aside(const char *name);

/* A file that is written piece by piece and appears whole when it is closed. */
struct stream {
	const char *path;
	FILE *to;         /* NULL if the stream is not open; then writing to it does nothing */
	char *temp;       /* name of the temporary file, or NULL if the stream is written in place */
	bool failed;
};
/* Opens a stream that writes the file `path`; "-" is standard output.  Returns false and sets `*why` on failure. */
bool stream_open(struct arena *, struct stream *, const char *path, const char **why);
void stream_write(struct stream *, const char *bytes, size_t n);
/* Closes the stream.  The file appears if `keep` is true, otherwise its text is thrown away.  Returns false and sets `*why` on failure. */
bool stream_close(struct arena *, struct stream *, bool keep, const char **why);
/* Removes the temporary file, as the process is about to end. */
void stream_abandon(const struct stream *);

/* Makes a folder and those above it, if they do not exist.  Returns false and sets `*why` on failure. */
bool directory_make(struct arena *, const char *path, const char **why);
/* Makes the folder that the file `path` is to be in, and those above it.  Returns false and sets `*why` on failure. */
bool directory_make_for(struct arena *, const char *path, const char **why);
/* Writes all of the text to standard output.  Returns false after a message if the output is full or closed. */
bool print_out(const struct text *);
/* Writes one file as files_write does.  Returns false after a message. */
bool file_write(struct arena *, const char *path, const struct text *);
/* Returns false after a message if no file can be made in the folder of `path`; to be asked before long work. */
bool file_may_write(struct arena *, const char *path);

#endif
