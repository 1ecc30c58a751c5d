/* Runs mcpp in a child process, see mcpp.h.
 *
 * mcpp keeps its state in globals, does not free all of it, and may end the process.  In a child process none of that matters, several
 * can run at once, and the system limits the time and memory that one can use. */
#include "lang/mcpp.h"

#include "system/process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
/* mcpp compares names by memcmp with the length of the longer name.  The result is right, as it is decided at the end of the shorter
 * name at the latest, but a strict check reports the bytes behind that. */
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

/* The state of the child process.  It is global because mcpp passes no user pointer to its output functions. */
static struct {
	FILE *file[NUM_OUTDEST];
	size_t written[NUM_OUTDEST];
} child;

static void count_output(OUTDEST to, size_t n)
{
	child.written[to] += n;
	if (child.written[OUT] > MOST_OUTPUT)
		os_child_exit(CHILD_TOO_LONG);
}

static FILE *open_output(OUTDEST to)
{
	return to == ERR && child.written[ERR] > MOST_SAID ? NULL : child.file[to];
}

static int put_mcpp_char(int c, OUTDEST to)
{
	count_output(to, 1);
	FILE *f = open_output(to);
	return f ? fputc(c, f) : c;
}

static int put_mcpp_string(const char *s, OUTDEST to)
{
	count_output(to, strlen(s));
	FILE *f = open_output(to);
	return f ? fputs(s, f) : 0;
}

static int PRINTF_LIKE(2, 3) put_mcpp_format(OUTDEST to, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	FILE *f = open_output(to);
	int n = f ? vfprintf(f, format, args) : 0;
	va_end(args);
	if (n > 0)
		count_output(to, (size_t)n);
	return n;
}

int mcpp_child(int argc, char **argv, FILE *out, FILE *said)
{
	os_set_environment("INCLUDE", NULL);
	os_set_environment("LC_ALL", "C");
	child.file[OUT] = out;
	child.file[ERR] = child.file[DBG] = said;
	mcpp_set_out_func(put_mcpp_char, put_mcpp_string, put_mcpp_format);
#if defined(__GLIBC__)
	/* mcpp allocates and frees a large buffer for each macro: have malloc keep them instead of giving them back to the system. */
	mallopt(M_MMAP_THRESHOLD, MOST_OUTPUT);
	mallopt(M_TRIM_THRESHOLD, MOST_OUTPUT);
#endif
	mcpp_lib_main(argc, argv);
	return fflush(out) != 0 || fputc('\004', said) == EOF || fflush(said) != 0 ? CHILD_FAILED : CHILD_DONE;
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

static const char *why_ended(enum os_child_end end, int status)
{
	if (end == OS_CHILD_STATUS && status == CHILD_TOO_LONG)
		return "it would write more than 64 MB";
	if (end == OS_CHILD_SLOW)
		return "it took more than 5 seconds";
	return "it failed, or used more than 512 MB of memory";
}

const char *mcpp_run(struct arena *arena, const struct text *in, const char *const *defines, uint32_t ndefines,
                     struct text *out, struct text *said)
{
	/* -k keeps blanks as they are, -V chooses C99 (for more than 32767 lines, and macros with any number of arguments), -N takes the
	 * system's predefined macros away, and -I- its include folders. */
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
	FILE *files[3] = {os_temporary(), os_temporary(), os_temporary()};
	/* The text goes in by standard input, since mcpp looks for the folder of a file that it is given by name. */
	struct os_child c = {
		.work = mcpp_child, .argc = (int)argc, .argv = argv, .in = files[0], .out = files[1], .said = files[2],
		.most_seconds = MOST_SECONDS, .most_bytes = SANITIZED ? 0 : MOST_MEMORY, /* sanitizers reserve more than they use */
	};
	enum os_child_end end = OS_CHILD_REFUSED;
	if (files[0] && files[1] && files[2] && fwrite(in->at, 1, in->n, files[0]) == in->n && fflush(files[0]) == 0)
		end = os_run_child(&c);
	/* The last byte shows whether mcpp got to its end, as the system may not tell how a child ended. */
	if (end == OS_CHILD_REFUSED)
		why = "there is no room for its temporary files or its process";
	else if (!read_back(files[1], out) || !read_back(files[2], said) || said->n == 0 || said->at[said->n - 1] != '\004')
		why = why_ended(end, c.status);
	else
		said->at[--said->n] = '\0';
	for (int i = 0; i < 3; i++)
		if (files[i])
			fclose(files[i]);
	return why;
}
