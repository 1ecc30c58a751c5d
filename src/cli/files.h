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
/* Adds an error if the source is longer than 64 MiB, is text in UTF-16 or UTF-32, or has a NUL byte and is neither Direct3D 9's bytecode nor a
 * compiled effect. */
void file_judge(const struct source *, struct diags *);

/* Returns the last part of a path, the name of the file. */
const char *file_base(const char *path);
/* Returns the folder part of a path with its slash, or "." if there is none. */
const char *file_folder(struct arena *, const char *path);
/* Returns true if the folder parts of two paths are equal, as this system compares names. */
bool file_same_folder(const char *, const char *);
/* Returns "DIR/NAME". */
const char *file_join(struct arena *, const char *dir, const char *name);

struct output {
	const char *path; /* "-" for standard output */
	const char *text;
	size_t n;
	bool make_folder; /* true to make the folder of `path` if it does not exist */
	const char *replaces; /* input file of which `text` is the new version and which may be replaced; NULL if there is none */
};
/* Writes all outputs or none.  First writes standard output, devices and pipes, which it cannot undo.  Then writes each other output to a
 * temporary file ".fpmove-PROCESS-MOMENT-NAME.tmp" beside it.  If there are several, renames the old files to such names that end in ".old";
 * gives the new files their names; and removes the old ones.  Signals that would end the process wait while files are written.  If the process
 * is killed, no new file stands beside an old one of the set.  Returns false and sets `*why` on failure. */
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
/* Closes the stream, if it is open.  The temporary file gets the name of the output if `keep` is true, else it is removed.  Returns false and
 * sets `*why` if the text could not be written. */
bool stream_close(struct arena *, struct stream *, bool keep, const char **why);
/* Removes the temporary file, as the process is about to end. */
void stream_abandon(const struct stream *);

/* Makes a folder and those above it, if they do not exist.  Returns false and sets `*why` on failure. */
bool directory_make(struct arena *, const char *path, const char **why);
/* Makes the folder that the file `path` is to be in, and those above it.  Returns false and sets `*why` on failure. */
bool directory_make_for(struct arena *, const char *path, const char **why);
/* Writes all of the text to standard output.  Returns false after a message if the output is full or closed. */
bool print_out(const struct text *);
/* Writes one file as files_write() does.  Returns false after a message if that fails. */
bool file_write(struct arena *, const char *path, const struct text *);
/* Returns false after a message if no file can be made in the folder of `path`.  Commands call this before long work. */
bool file_may_write(struct arena *, const char *path);

#endif
