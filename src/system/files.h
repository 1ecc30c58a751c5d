/* Files and folders, as the operating system has them.
 *
 * What fails leaves its reason in errno, which os_error puts into words.  Paths are UTF-8 with slashes.  Files are numbers, as in C's
 * libraries everywhere: 0, 1 and 2 are the standard ones. */
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

/* A path as a user gives it, in the form that all others here take: with slashes. */
const char *os_path_given(struct arena *, const char *path);
/* Bytes of what a path begins with that is no name of a folder: "/", "C:/", "C:" or "//server/share/"; 0: it begins with a name. */
size_t os_root(const char *path);
/* Orders names by `n` bytes at most, as strncmp does; 0: the system takes them for one name. */
int os_compare_names(const char *x, const char *y, size_t n);

/* The words for what errno holds. */
const char *os_error(int error);

/* --- what is there ------------------------------------------------------------------------ */

enum os_kind { OS_REGULAR, OS_FOLDER, OS_LINK, OS_PIPE, OS_OTHER };

/* Two are one file if device and number are the same. */
struct os_facts {
	enum os_kind kind;
	uint64_t device, number, size;
	int64_t seconds, nanoseconds; /* of its last change */
	unsigned mode;                /* who may do what; for os_set_mode */
	unsigned names;               /* that it has in folders */
};

/* Of what a path names, behind symbolic links; of the link itself; and of an open file. */
bool os_facts(const char *path, struct os_facts *);
bool os_facts_of_link(const char *path, struct os_facts *);
bool os_facts_of(int file, struct os_facts *);
bool os_same_file(const struct os_facts *, const struct os_facts *);
/* Is there anything of that name, and may it be written to? */
bool os_is_there(const char *path);
bool os_may_write(const char *path);
/* Without links and "..", from the root on; NULL: errno. */
char *os_real_path(struct arena *, const char *path);
/* Does the path name one of this process's open files, or a device? */
bool os_names_open_file(const char *path);

/* --- reading and writing ------------------------------------------------------------------- */

enum os_open {
	OS_READ,   /* waits for a pipe's writer */
	OS_PEEK,   /* reads, and waits for nobody */
	OS_APPEND, /* what is there */
	OS_CREATE, /* writes a file that was not there */
	OS_HOLD,   /* what is there and is no link, to lock it */
};
/* -1: errno.  Children do not inherit it. */
int os_open(const char *path, enum os_open);
bool os_close(int file);
/* Bytes read, 0 at the end, -1: errno. */
ptrdiff_t os_read(int file, void *to, size_t n);
/* All of them, or false. */
bool os_write(int file, const void *from, size_t n);
/* False: what was written did not arrive, as some file systems tell when a file is closed.  It stays open. */
bool os_has_arrived(int file);
/* Another number for the same open file, or -1. */
int os_again(int file);
int os_number(FILE *);
/* The open file as a stream that writes, and a file that is read as one. */
FILE *os_stream(int file);
FILE *os_open_stream(const char *path);
/* The same rights as another file's, as far as the user may give them. */
bool os_set_mode(int file, const struct os_facts *);

enum os_locked { OS_LOCKED, OS_TAKEN, OS_NO_LOCKS };
/* Locks an open file against others who do, until it is closed.  Taken: someone else has it, and it was not waited for. */
enum os_locked os_lock(int file, bool wait);

/* --- names ---------------------------------------------------------------------------------- */

bool os_remove(const char *path);
/* Puts a file in another's place in one step. */
bool os_rename(const char *from, const char *to);
/* A second name for a file. */
bool os_name_too(const char *path, const char *name);
bool os_make_folder(const char *path);
/* A symbolic link to a folder, and where one leads; NULL: it is none. */
bool os_make_link(const char *to, const char *path);
char *os_read_link(struct arena *, const char *path);

/* A file in a folder that gets its name when it is whole: half the work of a temporary name, and nothing is left if the process is
 * killed.  Not every file system has such files: -1. */
int os_open_nameless(const char *folder);
/* Not if there is a file of that name. */
bool os_give_name(int file, const char *path);

/* --- folders -------------------------------------------------------------------------------- */

struct os_folder;
struct os_entry {
	const char *name;   /* until the next one is asked for */
	enum os_kind kind;
	bool may_be_link;   /* the folder says that it is one, or says nothing */
};

/* NULL: errno. */
struct os_folder *os_folder_open(const char *path);
/* All but "." and ".."; NULL: there are no more. */
const struct os_entry *os_folder_next(struct os_folder *);
void os_folder_again(struct os_folder *);
bool os_folder_facts(struct os_folder *, struct os_facts *);
/* Opens (as OS_HOLD) and removes one of its files. */
int os_folder_hold(struct os_folder *, const char *name);
bool os_folder_remove(struct os_folder *, const char *name);
void os_folder_close(struct os_folder *);

#endif
