/* Files in, and files out that are whole or not there. */
#ifndef FPMOVE_CLI_FILES_H
#define FPMOVE_CLI_FILES_H

#include "base/diag.h"

#include <stdio.h>

/* Reads a whole file, or standard input for "-".  False: `*why` says what failed, for
 * EXIT_USAGE.  The name is kept as given. */
bool file_read(struct arena *, const char *name, struct source *, const char **why);
/* The same, however long the file is. */
bool file_read_any(struct arena *, const char *name, struct source *, const char **why);
/* What cannot be a program's text (binary, in 16-bit units, too long) becomes a diagnostic. */
void file_judge(const struct source *, struct diags *);

/* The last part of a path. */
const char *file_base(const char *path);
/* The folder that a path is in, "." if it names none. */
const char *file_folder(struct arena *, const char *path);
/* Are the two in one folder, by their names? */
bool file_same_folder(const char *, const char *);
/* "DIR/NAME" */
const char *file_join(struct arena *, const char *dir, const char *name);

struct output {
	const char *path; /* "-": standard output */
	const char *text;
	size_t n;
	bool make_folder; /* that it is in, if that is not there */
	bool fresh;       /* most likely there is no such file yet */
	const char *replaces; /* the input that this is the new text of, and may replace; NULL: none */
};
/* Writes all of them or none: each goes to a temporary file in its own directory first,
 * then all are renamed; what a process that is killed meanwhile leaves is mended by files_remove_stale.  Signals that would end the process wait until then.
 * Devices, pipes and standard output are written in place.  False: `*why`. */
bool files_write(struct arena *, const struct output *, uint32_t n, const char **why);
/* Mends, in the folder that `path` is in, what processes that were killed left half done.  False: it cannot be done now; `*why`. */
bool files_mend(struct arena *, const char *path, const char **why);
/* The same, and removes their temporary files. */
void files_remove_stale(struct arena *, const char *path);
/* Names of our own, ".fpmove-PROCESS-MOMENT" and a tail: a new one beside a file, how much of this one is that (0: it is none of ours), and does it
 * begin like one. */
char *file_own_name(struct arena *, const char *beside, const char *tail);
size_t file_own_head(const char *name);
bool file_seems_own(const char *name);
/* A file written piece by piece that appears whole when it is done. */
struct stream {
	const char *path;
	FILE *to;         /* NULL: nothing is written, for a stream that nobody wants */
	char *temp;       /* NULL: written in place */
	bool failed;
};
bool stream_open(struct arena *, struct stream *, const char *path, const char **why);
void stream_write(struct stream *, const char *bytes, size_t n);
/* With `keep`, the file appears; else what was written goes.  False: `*why`. */
bool stream_close(struct arena *, struct stream *, bool keep, const char **why);

/* Makes a directory and those above it. */
bool directory_make(struct arena *, const char *path, const char **why);
/* The directory that the file `path` is in. */
bool directory_make_for(struct arena *, const char *path, const char **why);
/* All of the text to standard output; false: it is full or closed. */
bool print_out(const struct text *, const char **why);

#endif
