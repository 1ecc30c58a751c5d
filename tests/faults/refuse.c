/* A library to preload, which lets one call of one kind fail: FAULT=write:3 means the third write.  For memory (FAULT=malloc:3) only
 * requests from a new call stack count.  A call stack listed in the file FAULT_WAYS is not new; with FAULT_LEARN a run that ends well
 * adds its own.  Such runs need fixed addresses (no ASLR).  The library makes the file FAULT_HIT when the call fails.  With FAULT_KILL
 * it kills the process instead of making that call. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_long left; /* calls until the one that fails, or 0 if none does */
static char kind[16];
enum { DEPTH = 64, WAYS = 1 << 14 };
static atomic_uintptr_t seen[WAYS]; /* call stacks that asked for memory */

static void copy_ways(long how, int flags)
{
	const char *path = getenv("FAULT_WAYS");
	long fd = path ? syscall(SYS_openat, AT_FDCWD, path, flags, 0666) : -1;
	if (fd < 0)
		return;
	syscall(how, fd, seen, sizeof seen);
	syscall(SYS_close, fd);
}

__attribute__((constructor)) static void begin(void)
{
	const char *fault = getenv("FAULT"), *colon = fault ? strchr(fault, ':') : NULL;
	if (!colon || (size_t)(colon - fault) >= sizeof kind)
		return;
	memcpy(kind, fault, (size_t)(colon - fault));
	left = atol(colon + 1);
	copy_ways(SYS_read, O_RDONLY);
}

__attribute__((destructor)) static void end(void)
{
	if (getenv("FAULT_LEARN"))
		copy_ways(SYS_write, O_CREAT | O_WRONLY);
}

/* Returns whether this call stack asked for memory for the first time.  A stack is known by the sum of its return addresses; stacks
 * beyond the room for them count as new. */
static bool is_new_way(void)
{
	static _Thread_local bool inside; /* backtrace asks for memory itself */
	if (inside)
		return false;
	inside = true;
	void *callers[DEPTH];
	int n = backtrace(callers, DEPTH);
	inside = false;
	uintptr_t way = 1;
	for (int i = 0; i < n; i++)
		way = way * 1000003 + (uintptr_t)callers[i];
	for (unsigned k = 0; k < WAYS; k++) {
		uintptr_t empty = 0;
		if (atomic_compare_exchange_strong(&seen[(way + k) % WAYS], &empty, way))
			return true;
		if (empty == way)
			return false;
	}
	return true;
}

static bool refuse(const char *what, int with)
{
	if (left <= 0 || strcmp(what, kind) != 0 || (strcmp(what, "malloc") == 0 && !is_new_way()) || atomic_fetch_sub(&left, 1) != 1)
		return false;
	const char *hit = getenv("FAULT_HIT");
	long fd = hit ? syscall(SYS_openat, AT_FDCWD, hit, O_CREAT | O_WRONLY, 0666) : -1;
	if (fd >= 0)
		syscall(SYS_close, fd);
	if (getenv("FAULT_KILL"))
		kill(getpid(), SIGKILL);
	errno = with;
	return true;
}

/* Returns the C library's function. */
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);

void *malloc(size_t n)
{
	return refuse("malloc", ENOMEM) ? NULL : __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
	return refuse("malloc", ENOMEM) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *old, size_t n)
{
	return refuse("malloc", ENOMEM) ? NULL : __libc_realloc(old, n);
}

int open(const char *path, int flags, ...)
{
	va_list more;
	va_start(more, flags);
	mode_t mode = flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(more, mode_t) : 0;
	va_end(more);
	return refuse("open", EACCES) ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}
__typeof__(open) open64 __attribute__((alias("open")));

ssize_t read(int fd, void *to, size_t n)
{
	return refuse("read", EIO) ? -1 : syscall(SYS_read, fd, to, n);
}

ssize_t write(int fd, const void *from, size_t n)
{
	return refuse("write", ENOSPC) ? -1 : syscall(SYS_write, fd, from, n);
}

/* Reports an error as a network's file system does, but closes the file all the same. */
int close(int fd)
{
	int done = REAL(close)(fd);
	return refuse("close", EIO) ? -1 : done;
}

int mkdir(const char *path, mode_t mode)
{
	return refuse("mkdir", EPERM) ? -1 : REAL(mkdir)(path, mode);
}

int fsync(int fd)
{
	return refuse("fsync", EIO) ? -1 : REAL(fsync)(fd);
}

int rename(const char *from, const char *to)
{
	return refuse("rename", EPERM) ? -1 : REAL(rename)(from, to);
}

int unlink(const char *path)
{
	return refuse("unlink", EPERM) ? -1 : REAL(unlink)(path);
}

DIR *opendir(const char *path)
{
	return refuse("opendir", EACCES) ? NULL : REAL(opendir)(path);
}

FILE *fdopen(int fd, const char *mode)
{
	return refuse("fdopen", EMFILE) ? NULL : REAL(fdopen)(fd, mode);
}

size_t fwrite(const void *from, size_t size, size_t n, FILE *to)
{
	return refuse("fwrite", ENOSPC) ? 0 : REAL(fwrite)(from, size, n, to);
}

int fclose(FILE *f)
{
	int done = REAL(fclose)(f);
	return refuse("fclose", ENOSPC) ? EOF : done;
}

int pthread_create(pthread_t *id, const pthread_attr_t *how, void *(*run)(void *), void *with)
{
	return refuse("pthread_create", EAGAIN) ? EAGAIN : REAL(pthread_create)(id, how, run, with);
}
