/* Runs mcpp in a child process, see mcpp.h.
 *
 * mcpp keeps its state in globals, does not free all of it, and may end the process.  None of that matters in a child process; several
 * children can run at once, and the system limits the time and memory of each. */
#include "lang/mcpp.h"

#include "system/files.h"
#include "system/process.h"

#include <stdlib.h>

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
#define MOST_ALL "it failed, or needed more than 5 seconds, 512 MB of memory, or 64 MB of output"

/* The state of the child process.  It is global because mcpp passes no user pointer to its output functions. */
static struct {
	struct arena arena;
	struct text text[NUM_OUTDEST];
} child;

/* Returns the text that output `to` appends to, or NULL if its messages are too long already.  Ends the child if the expansion is too long. */
static struct text *child_text(OUTDEST to)
{
	if (child.text[OUT].n > MOST_OUTPUT)
		_Exit(1);
	return to != OUT && child.text[to].n > MOST_SAID ? NULL : &child.text[to];
}

static int put_mcpp_char(int c, OUTDEST to)
{
	struct text *t = child_text(to);
	if (t)
		text_char(t, (char)c);
	return c;
}

static int put_mcpp_string(const char *s, OUTDEST to)
{
	struct text *t = child_text(to);
	if (t)
		text_string(t, s);
	return 0;
}

static int PRINTF_LIKE(2, 3) put_mcpp_format(OUTDEST to, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	if (child_text(to))
		put_mcpp_string(arena_vprintf(&child.arena, format, args), to);
	va_end(args);
	return 0;
}

/* Appends "OUTPUT \0 MESSAGES \4" to the file that holds the text; the last byte shows that mcpp ran to its end. */
void mcpp_child(void)
{
	/* -k keeps blanks, -V chooses C99 (for more than 32767 lines, and macros with any number of arguments), -N removes the system's
	 * predefined macros, and -I- its include folders. */
	char words[][12] = {"mcpp", "-k", "-V199901L", "-N", "-I-"};
	char *argv[] = {words[0], words[1], words[2], words[3], words[4], NULL};
	arena_init(&child.arena, NULL);
	for (unsigned to = 0; to < NUM_OUTDEST; to++) {
		child.text[to].arena = &child.arena;
		text_string(&child.text[to], "");
	}
	mcpp_set_out_func(put_mcpp_char, put_mcpp_string, put_mcpp_format);
#if defined(__GLIBC__)
	/* mcpp allocates and frees a large buffer for each macro: have malloc keep them instead of giving them back to the system. */
	mallopt(M_MMAP_THRESHOLD, MOST_OUTPUT);
	mallopt(M_TRIM_THRESHOLD, MOST_OUTPUT);
#endif
	mcpp_lib_main(5, argv);
	const struct text *out = &child.text[OUT], *said = &child.text[ERR];
	FILE *f = os_stream(OS_IN);
	if (f && fseek(f, 0, SEEK_END) == 0 && fwrite(out->at, 1, out->n + 1, f) == out->n + 1 && fwrite(said->at, 1, said->n, f) == said->n &&
	    fputc('\004', f) != EOF)
		fflush(f);
}

const char *mcpp_run(const struct text *in, struct text *out, struct text *said)
{
	char part[16384];
	const char *why = "there is no room for its temporary file or its process";
	/* mcpp reads the text from standard input, since it would look for the folder of a file given by name. */
	FILE *f = os_temporary();
	/* Sanitizers reserve more memory than they use. */
	if (f && fwrite(in->at, 1, in->n, f) == in->n && fflush(f) == 0 && os_run_child(mcpp_child, f, MOST_SECONDS, SANITIZED ? 0 : MOST_MEMORY) &&
	    fseek(f, (long)in->n, SEEK_SET) == 0) {
		text_string(out, "");
		for (size_t n; (n = fread(part, 1, sizeof part, f)) > 0;)
			text_bytes(out, part, n);
		bool const ended = out->n && out->at[out->n - 1] == '\004';
		size_t const n = strlen(out->at);
		if (ended)
			text_bytes(said, out->at + n + 1, out->n - n - 2);
		why = ended ? NULL : MOST_ALL;
	}
	if (f)
		fclose(f);
	return why;
}
