/* Files and folders on POSIX systems, see system/files.h. */
#define _GNU_SOURCE /* for d_type, where the system has it */
#include "system/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- paths ---------------------------------------------------------------------------------- */

const char *os_path_given(struct arena *a, const char *path)
{
	(void)a;
	return path;
}

size_t os_root(const char *path)
{
	return path[0] == '/';
}

int os_compare_names(const char *x, const char *y, size_t n)
{
	return strncmp(x, y, n);
}

const char *os_error(int error)
{
	return strerror(error);
}

/* --- facts about files -------------------------------------------------------------------- */

static enum os_kind kind_of_mode(mode_t mode)
{
	if (S_ISREG(mode))
		return OS_REGULAR;
	if (S_ISDIR(mode))
		return OS_FOLDER;
	if (S_ISLNK(mode))
		return OS_LINK;
	return S_ISFIFO(mode) || S_ISSOCK(mode) ? OS_PIPE : OS_OTHER;
}

static bool set_facts(struct os_facts *f, const struct stat *st, int failed)
{
	if (failed)
		return false;
	*f = (struct os_facts){
		.kind = kind_of_mode(st->st_mode),
		.device = st->st_dev,
		.number = st->st_ino,
		.size = (uint64_t)st->st_size,
		.seconds = st->st_mtim.tv_sec,
		.nanoseconds = st->st_mtim.tv_nsec,
		.mode = st->st_mode & 07777,
	};
	return true;
}

bool os_facts(const char *path, struct os_facts *f)
{
	struct stat st;
	return set_facts(f, &st, stat(path, &st));
}

bool os_facts_of_link(const char *path, struct os_facts *f)
{
	struct stat st;
	return set_facts(f, &st, lstat(path, &st));
}

bool os_facts_of(int file, struct os_facts *f)
{
	struct stat st;
	return set_facts(f, &st, fstat(file, &st));
}

bool os_same_file(const struct os_facts *x, const struct os_facts *y)
{
	return x->device == y->device && x->number == y->number;
}

bool os_is_there(const char *path)
{
	return access(path, F_OK) == 0;
}

bool os_may_write(const char *path)
{
	return access(path, W_OK) == 0;
}

char *os_real_path(struct arena *a, const char *path)
{
	char real[PATH_MAX];
	return realpath(path, real) ? arena_copy(a, real, strlen(real)) : NULL;
}

/* Returns true only for /dev/std*, /dev/fd/ and /proc/: a file in /dev/shm may be replaced, but /dev/stdout may not, even if it is a regular file. */
bool os_names_open_file(const char *path)
{
	return strncmp(path, "/dev/std", 8) == 0 || strncmp(path, "/dev/fd/", 8) == 0 || strncmp(path, "/proc/", 6) == 0;
}

/* --- reading and writing ------------------------------------------------------------------- */

int os_open(const char *path, enum os_open how)
{
	static const int flags[] = {
		[OS_READ] = O_RDONLY | O_CLOEXEC,
		[OS_PEEK] = O_RDONLY | O_CLOEXEC | O_NONBLOCK,
		[OS_APPEND] = O_WRONLY | O_APPEND | O_CLOEXEC,
		[OS_CREATE] = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
	};
	return open(path, flags[how], 0666);
}

bool os_close(int file)
{
	return close(file) == 0;
}

ptrdiff_t os_read(int file, void *to, size_t n)
{
	ssize_t got;
	do
		got = read(file, to, n);
	while (got < 0 && errno == EINTR);
	return got;
}

bool os_write(int file, const void *from, size_t n)
{
	for (const char *at = from; n;) {
		ssize_t put = write(file, at, n);
		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return false;
		at += put;
		n -= (size_t)put;
	}
	return true;
}

int os_again(int file)
{
	return fcntl(file, F_DUPFD_CLOEXEC, 0);
}

/* Returns true also for files that cannot be flushed and need not be, as on a file system in memory. */
bool os_flush(int file)
{
	return fsync(file) == 0 || errno == EINVAL || errno == ENOTSUP;
}

FILE *os_stream(int file)
{
	return fdopen(file, "wb");
}

FILE *os_open_stream(const char *path)
{
	return fopen(path, "rb");
}

void os_set_mode(int file, const struct os_facts *f)
{
	(void)!fchmod(file, f->mode);
}

/* --- names ---------------------------------------------------------------------------------- */

bool os_remove(const char *path)
{
	return unlink(path) == 0;
}

bool os_rename(const char *from, const char *to)
{
	return rename(from, to) == 0;
}

bool os_make_folder(const char *path)
{
	return mkdir(path, 0777) == 0;
}

/* --- folders -------------------------------------------------------------------------------- */

struct os_folder {
	DIR *dir;
	struct os_entry entry;
};

struct os_folder *os_folder_open(const char *path)
{
	DIR *dir = opendir(path);
	struct os_folder *f = dir ? malloc(sizeof *f) : NULL;
	if (f)
		*f = (struct os_folder){.dir = dir};
	else if (dir)
		closedir(dir);
	return f;
}

/* Fills the entry; calls fstatat() if the folder does not list the kind of the file. */
static void describe_entry(const struct os_folder *f, const struct dirent *e, struct os_entry *entry)
{
	*entry = (struct os_entry){.name = e->d_name, .kind = OS_OTHER};
#ifdef DT_DIR
	if (e->d_type != DT_UNKNOWN) {
		entry->kind = e->d_type == DT_DIR ? OS_FOLDER : e->d_type == DT_REG ? OS_REGULAR : e->d_type == DT_LNK ? OS_LINK : OS_OTHER;
		return;
	}
#endif
	struct stat st;
	if (fstatat(dirfd(f->dir), e->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0)
		entry->kind = kind_of_mode(st.st_mode);
}

const struct os_entry *os_folder_next(struct os_folder *f)
{
	const struct dirent *e;
	do
		e = readdir(f->dir);
	while (e && (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0));
	if (!e)
		return NULL;
	describe_entry(f, e, &f->entry);
	return &f->entry;
}

bool os_folder_facts(struct os_folder *f, struct os_facts *facts)
{
	return os_facts_of(dirfd(f->dir), facts);
}

void os_folder_close(struct os_folder *f)
{
	closedir(f->dir);
	free(f);
}
