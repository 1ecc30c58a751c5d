/* Files and folders of the operating system.
 *
 * A function that fails returns false, NULL or -1 and leaves the reason in errno, which os_error() puts into words.  Paths are UTF-8 with
 * slashes.  Open files are numbers, as in open() and close() of POSIX: 0, 1 and 2 are the standard ones. */
#ifndef FPMOVE_SYSTEM_FILES_H
#define FPMOVE_SYSTEM_FILES_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { OS_IN = 0, OS_OUT = 1, OS_ERR = 2 };
enum { OS_LONGEST_PATH = 4096 };

/* --- paths ---------------------------------------------------------------------------------- */

/* Returns the user's path with slashes, the form that all other functions here take. */
const char *os_path_given(struct arena *, const char *path);
/* Returns the length of the root that a path begins with: "/", "C:/", "C:" or "//server/share/"; 0 if it begins with a name. */
size_t os_root(const char *path);
/* Orders names by at most `n` bytes, as strncmp() does; returns 0 if they are the same name for the system, which may ignore case.  On Windows, if
 * the first difference is at a byte above 0x7f, orders the whole names. */
int os_compare_names(const char *x, const char *y, size_t n);

const char *os_error(int error);

/* --- facts about files -------------------------------------------------------------------- */

enum os_kind { OS_REGULAR, OS_FOLDER, OS_LINK, OS_PIPE, OS_OTHER };

/* Facts about a file.  `device` and `number` together identify it. */
struct os_facts {
	enum os_kind kind;
	uint64_t device, number, size;
	int64_t seconds, nanoseconds; /* the time of the file's last change, since the beginning of 1970 */
	unsigned mode;                /* the file's permissions, for os_set_mode() */
};

/* Find the facts about a file: about the file of a path, following symbolic links; about the path itself, if it may be a link; or about an
 * open file. */
bool os_facts(const char *path, struct os_facts *);
bool os_facts_of_link(const char *path, struct os_facts *);
bool os_facts_of(int file, struct os_facts *);
bool os_same_file(const struct os_facts *, const struct os_facts *);
/* os_is_there() returns true if a file of any kind has that path, os_may_write() if this process may write to it. */
bool os_is_there(const char *path);
bool os_may_write(const char *path);
/* Returns the absolute path without links and ".."; NULL if it fails. */
char *os_real_path(struct arena *, const char *path);
/* Returns true if the path may name an open file of this process (/dev/stdout, /dev/fd/3, or any path in /proc/), or on Windows a device. */
bool os_names_open_file(const char *path);

/* --- reading and writing ------------------------------------------------------------------- */

enum os_open {
	OS_READ,   /* reads; opening a pipe waits for its writer */
	OS_PEEK,   /* reads, and never waits */
	OS_APPEND, /* appends to an existing file */
	OS_CREATE, /* writes a new file; fails if one exists */
};
/* Opens a file; returns -1 if it fails.  Child processes do not inherit the file. */
int os_open(const char *path, enum os_open);
bool os_close(int file);
/* Returns the number of bytes read, 0 at the end of the file, -1 if it fails. */
ptrdiff_t os_read(int file, void *to, size_t n);
/* Returns false unless all bytes were written. */
bool os_write(int file, const void *from, size_t n);
/* Waits until all data of the file are on the disk.  Returns false if that fails. */
bool os_flush(int file);
/* Returns another number for the same open file, as dup() does, or -1 if it fails. */
int os_again(int file);
/* os_stream() returns a stream that writes to an open file, os_open_stream() one that reads from the file of a path; NULL if it fails. */
FILE *os_stream(int file);
FILE *os_open_stream(const char *path);
/* Gives an open file the permissions of another one (`mode` of its facts), if the user may change them; does nothing on Windows. */
void os_set_mode(int file, const struct os_facts *);

/* --- names ---------------------------------------------------------------------------------- */

bool os_remove(const char *path);
/* Renames a file; replaces an existing file `to` in one atomic step. */
bool os_rename(const char *from, const char *to);
bool os_make_folder(const char *path);

/* --- folders -------------------------------------------------------------------------------- */

struct os_folder;
struct os_entry {
	const char *name;   /* valid until the next call of os_folder_next() */
	enum os_kind kind;
};

/* Opens a folder to list it; returns NULL if it fails. */
struct os_folder *os_folder_open(const char *path);
/* Returns the next entry other than "." and ".."; NULL if there are no more. */
const struct os_entry *os_folder_next(struct os_folder *);
bool os_folder_facts(struct os_folder *, struct os_facts *);
void os_folder_close(struct os_folder *);

#endif
