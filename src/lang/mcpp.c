/* The child process that mcpp runs in, see mcpp.h.
 *
 * mcpp keeps its state in globals, frees not all of it, and may end the process; in a child
 * none of that matters, several may run at once, and the system bounds what one can use.
 * Child and parent share temporary files, so neither ever waits for the other to read. */
#include "lang/mcpp.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__GLIBC__)
#include <malloc.h>
#endif
#include <mcpp_lib.h>

#if defined(__has_feature)
#define HAS_FEATURE(name) __has_feature(name)
#else
#define HAS_FEATURE(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || HAS_FEATURE(address_sanitizer)
enum { SANITIZED = 1 };
/* mcpp compares names with memcmp by the length of the longer one: no difference that matters
 * lies behind the end of the shorter, but a strict check stops there. */
__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "strict_memcmp=0";
}
#elif defined(__SANITIZE_THREAD__) || HAS_FEATURE(thread_sanitizer)
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

enum { MOST_SECONDS = 5, MOST_MEMORY = 512 << 20, MOST_OUTPUT = 64 << 20, MOST_SAID = 1 << 20 };
enum { CHILD_DONE = 0, CHILD_TOO_LONG = 3, CHILD_FAILED = 4 };

/* The child's alone: mcpp hands its output functions no pointer of ours. */
static struct {
	FILE *file[NUM_OUTDEST];
	size_t written[NUM_OUTDEST];
} child;

static void count(OUTDEST to, size_t n)
{
	child.written[to] += n;
	if (child.written[OUT] > MOST_OUTPUT)
		_exit(CHILD_TOO_LONG);
}

static FILE *file_of(OUTDEST to)
{
	return to == ERR && child.written[ERR] > MOST_SAID ? NULL : child.file[to];
}

static int put_char(int c, OUTDEST to)
{
	count(to, 1);
	FILE *f = file_of(to);
	return f ? fputc(c, f) : c;
}

static int put_string(const char *s, OUTDEST to)
{
	count(to, strlen(s));
	FILE *f = file_of(to);
	return f ? fputs(s, f) : 0;
}

static int PRINTF_LIKE(2, 3) put_format(OUTDEST to, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	FILE *f = file_of(to);
	int n = f ? vfprintf(f, format, args) : 0;
	va_end(args);
	if (n > 0)
		count(to, (size_t)n);
	return n;
}

static void limit(int resource, rlim_t most)
{
	struct rlimit l = {most, most};
	setrlimit(resource, &l);
}

/* What a library for which the process reserves memory, such as a graphics driver, has mapped before the child begins; 0: the
 * system does not say. */
static rlim_t mapped_already(void)
{
	unsigned long pages = 0;
	FILE *f = fopen("/proc/self/statm", "r");
	if (f && fscanf(f, "%lu", &pages) != 1)
		pages = 0;
	if (f)
		fclose(f);
	return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

/* A parent that catches a signal means to finish what is under way: so does its child. */
static void ignore_if_caught(int signal_number)
{
	struct sigaction before, ignore = {.sa_handler = SIG_IGN};
	if (sigaction(signal_number, NULL, &before) == 0 && before.sa_handler != SIG_DFL)
		sigaction(signal_number, &ignore, NULL);
}

static _Noreturn void run_child(FILE *in, FILE *out, FILE *said, int argc, char **argv)
{
	limit(RLIMIT_CPU, MOST_SECONDS);
	limit(RLIMIT_CORE, 0);
	if (!SANITIZED) /* sanitizers reserve more than they use */
		limit(RLIMIT_AS, mapped_already() + MOST_MEMORY);
	alarm(2 * MOST_SECONDS);
	ignore_if_caught(SIGINT);
	ignore_if_caught(SIGTERM);
	ignore_if_caught(SIGHUP);
	/* Given a name mcpp looks for the file's folder, so the text comes as standard input. */
	if (dup2(fileno(in), STDIN_FILENO) < 0 || fseek(stdin, 0, SEEK_SET) != 0)
		_exit(CHILD_FAILED);
	clearerr(stdin);
	/* What the parent has not flushed yet must not come out twice. */
	int null = open("/dev/null", O_WRONLY);
	if (null < 0 || dup2(null, STDOUT_FILENO) < 0 || dup2(null, STDERR_FILENO) < 0)
		_exit(CHILD_FAILED);
	unsetenv("INCLUDE");
	setenv("LC_ALL", "C", 1);
	child.file[OUT] = out;
	child.file[ERR] = child.file[DBG] = said;
	mcpp_set_out_func(put_char, put_string, put_format);
#if defined(__GLIBC__)
	/* mcpp takes and gives back a large buffer for each macro: keep them from the system. */
	mallopt(M_MMAP_THRESHOLD, MOST_OUTPUT);
	mallopt(M_TRIM_THRESHOLD, MOST_OUTPUT);
#endif
	mcpp_lib_main(argc, argv);
	if (fflush(out) != 0 || fputc('\004', said) == EOF || fflush(said) != 0)
		_exit(CHILD_FAILED);
	_exit(CHILD_DONE);
}

static bool read_back(FILE *f, struct text *to)
{
	char part[16384];
	size_t n;
	rewind(f);
	text_bytes(to, "", 0);
	while ((n = fread(part, 1, sizeof part, f)) > 0)
		text_bytes(to, part, n);
	return !ferror(f);
}

static const char *why_ended(bool known, int status)
{
	if (known && WIFEXITED(status) && WEXITSTATUS(status) == CHILD_TOO_LONG)
		return "it would write more than 64 MB";
	if (known && WIFSIGNALED(status) &&
	    (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGALRM || WTERMSIG(status) == SIGKILL))
		return "it took more than 5 seconds";
	return "it failed, or used more than 512 MB of memory";
}

const char *mcpp_run(struct arena *arena, const struct text *in, const char *const *defines, uint32_t ndefines,
                     struct text *out, struct text *said)
{
	/* Blanks as they are (-k), C99 (-V: more than 32767 lines, macros with any number of
	 * arguments), no macros of the system's (-N), no folders of the system's (-I-). */
	static const char *const always[] = {"mcpp", "-k", "-V199901L", "-N", "-I-"};
	uint32_t argc = 0, const_args = sizeof always / sizeof *always;
	char **argv = arena_alloc(arena, (const_args + 2 * (size_t)ndefines + 1) * sizeof *argv);
	for (; argc < const_args; argc++)
		argv[argc] = arena_copy(arena, always[argc], strlen(always[argc]));
	for (uint32_t i = 0; i < ndefines; i++) {
		argv[argc++] = arena_copy(arena, "-D", 2);
		argv[argc++] = arena_copy(arena, defines[i], strlen(defines[i]));
	}
	argv[argc] = NULL;

	const char *why = NULL;
	FILE *files[3] = {tmpfile(), tmpfile(), tmpfile()};
	pid_t pid = -1;
	if (files[0] && files[1] && files[2] && fwrite(in->at, 1, in->n, files[0]) == in->n && fflush(files[0]) == 0)
		pid = fork();
	if (pid == 0)
		run_child(files[0], files[1], files[2], (int)argc, argv);
	if (pid < 0) {
		why = "there is no room for its temporary files or its process";
	} else {
		int status = 0;
		pid_t ended;
		do
			ended = waitpid(pid, &status, 0);
		while (ended < 0 && errno == EINTR);
		/* Who ignores SIGCHLD is not told the status; the last byte says enough. */
		if (!read_back(files[1], out) || !read_back(files[2], said) || said->n == 0 ||
		    said->at[said->n - 1] != '\004')
			why = why_ended(ended == pid, status);
		else
			said->at[--said->n] = '\0';
	}
	for (int i = 0; i < 3; i++)
		if (files[i])
			fclose(files[i]);
	return why;
}
