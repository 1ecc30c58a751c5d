/* The preprocessor, see preprocess.h.
 *
 * mcpp keeps its state in globals, never frees all of it, and ends the process when
 * it is out of memory, so it runs in a child process, which the resource limits also
 * bound.  It knows nothing of `;` comments and the quotes in them, so comments do not
 * go through it: an identifier stands in for each. */
#include "cli/preprocess.h"

#include "cli/files.h"
#include "cli/message.h"

#include <mcpp_lib.h>

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_SECONDS = 10, MOST_MEMORY = 512 << 20, MOST_OUTPUT = 64 << 20 };

static const char stand_in[] = "__fpmove_comment_";

struct piece {
	const char *at;
	size_t n;
};
struct pieces {
	VEC(struct piece);
};

bool preprocess_wanted(const struct source *s, const struct options *o)
{
	if (o->defines.n)
		return true;
	const char *end = s->text + s->size;
	for (const char *p = s->text; (p = memchr(p, '#', (size_t)(end - p))) != NULL; p++) {
		const char *q = p;
		while (q > s->text && (q[-1] == ' ' || q[-1] == '\t'))
			q--;
		if (q == s->text || q[-1] == '\n' || q[-1] == '\r')
			return true;
	}
	return false;
}

/* Bytes of the comment at `p`, 0: none starts there. */
static size_t comment_length(const char *p, const char *end)
{
	const char *stop;
	if (end - p >= 2 && p[0] == '/' && p[1] == '*') {
		for (stop = p + 2; stop + 1 < end; stop++)
			if (stop[0] == '*' && stop[1] == '/')
				return (size_t)(stop + 2 - p);
		return (size_t)(end - p);
	}
	if (*p != ';' && !(end - p >= 2 && p[0] == '/' && p[1] == '/'))
		return 0;
	stop = memchr(p, '\n', (size_t)(end - p));
	stop = stop ? stop : end;
	while (stop > p && stop[-1] == '\r')
		stop--;
	return (size_t)(stop - p);
}

/* The text as mcpp shall see it: every line where it was, comments replaced. */
static void hide_comments(struct arena *a, const struct source *s, struct text *out, struct pieces *comments)
{
	const char *p = s->text, *end = p + s->size;
	bool directive = false, line_start = true;
	if (s->size >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0)
		p += 3;
	while (p < end) {
		size_t n = directive && *p == '"' ? 0 : comment_length(p, end);
		if (directive && (*p == '"' || *p == '<')) {
			/* A header's name may hold what looks like a comment. */
			const char *close = memchr(p + 1, *p == '"' ? '"' : '>', (size_t)(end - p - 1));
			const char *line_end = memchr(p, '\n', (size_t)(end - p));
			size_t quoted = close && (!line_end || close < line_end) ? (size_t)(close + 1 - p) : 1;
			text_bytes(out, p, quoted);
			p += quoted;
			continue;
		}
		if (n) {
			if (directive) {
				text_char(out, ' ');
			} else {
				bool apart = out->n && out->at[out->n - 1] > ' ';
				text_printf(out, "%s%s%u_ ", apart ? " " : "", stand_in, (unsigned)comments->n);
				VEC_PUSH(a, comments) = (struct piece){p, n};
			}
			for (size_t i = 0; i < n; i++)
				if (p[i] == '\n')
					text_string(out, directive ? " \\\n" : "\n");
			p += n;
			continue;
		}
		if (line_start && *p == '#')
			directive = true;
		if (*p == '\n') {
			const char *q = p;
			while (q > s->text && q[-1] == '\r')
				q--;
			if (q == s->text || q[-1] != '\\')
				directive = false;
			line_start = true;
		} else if (*p != ' ' && *p != '\t') {
			line_start = false;
		}
		if (*p != '\r')
			text_char(out, *p);
		p++;
	}
	if (!line_start)
		text_char(out, '\n');
}

/* A comment back in the place of its stand-in.  The lines it spans are already there
 * as empty ones, so they are taken out again. */
static const char *restore(struct text *out, const struct piece *c, const char *rest)
{
	const char *p = rest;
	while (*p == ' ')
		p++;
	if (c->at[0] == '/' && c->at[1] == '*') {
		text_bytes(out, c->at, c->n);
		for (size_t i = 0; i < c->n; i++)
			if (c->at[i] == '\n' && *p == '\n')
				p++;
		return p;
	}
	if (*p == '\n' || !*p) {
		text_bytes(out, c->at, c->n);
		return p;
	}
	/* A macro call that spanned lines became one line. */
	text_string(out, "/*");
	for (size_t i = *c->at == ';' ? 1 : 2; i < c->n; i++)
		text_char(out, c->at[i] == '*' && i + 1 < c->n && c->at[i + 1] == '/' ? '+' : c->at[i]);
	text_string(out, "*/ ");
	return p;
}

struct marks {
	VEC(struct line_mark);
};

/* mcpp makes some names absolute; what lies below the current folder is named from there. */
static const char *below(const char *here, const char *path)
{
	size_t n = strlen(here);
	return n > 1 && strncmp(path, here, n) == 0 && path[n] == '/' ? path + n + 1 : path;
}

/* `#line N "FILE"` lines become marks, stand-ins comments. */
static void take_back(struct arena *a, const struct source *in, const char *expanded, const struct pieces *comments,
                      struct source *to)
{
	struct text out = {.arena = a};
	struct marks marks = {0};
	uint32_t line = 1; /* of what comes next */
	char here[PATH_MAX];
	if (!getcwd(here, sizeof here))
		here[0] = '\0';
	const char *file = NULL;
	text_bytes(&out, "", 0);
	for (const char *p = expanded; *p;) {
		size_t n = strcspn(p, "\n");
		unsigned long number;
		int head = 0;
		if (sscanf(p, "#line %lu \"%n", &number, &head) == 1 && head) {
			const char *quote = memchr(p + head, '"', n - (size_t)head);
			size_t length = quote ? (size_t)(quote - p) - (size_t)head : n - (size_t)head;
			line = (uint32_t)number;
			/* The name with its quotes and backslashes as a string literal has them. */
			bool main_file = file == NULL || (length == 1 && p[head] == '.');
			file = main_file ? in->name : below(here, arena_copy(a, p + head, length));
			VEC_PUSH(a, &marks) = (struct line_mark){(srcpos)out.n, line, file};
			p += n + (p[n] == '\n');
			continue;
		}
		const char *line_end = p + n, *from = p;
		while (from < line_end) {
			const char *mark = strstr(from, stand_in);
			if (!mark || mark >= line_end)
				break;
			char *digits_end;
			unsigned long k = strtoul(mark + sizeof stand_in - 1, &digits_end, 10);
			size_t before = (size_t)(mark - from);
			text_bytes(&out, from, before);
			if (k < comments->n && *digits_end == '_') {
				const char *after = restore(&out, &comments->at[k], digits_end + 1);
				if (after > line_end)
					line_end = after + strcspn(after, "\n");
				from = after;
			} else {
				text_bytes(&out, mark, sizeof stand_in - 1);
				from = mark + sizeof stand_in - 1;
			}
		}
		text_bytes(&out, from, (size_t)(line_end - from));
		text_char(&out, '\n');
		p = line_end + (*line_end == '\n');
	}
	*to = (struct source){.name = in->name, .text = out.at, .size = out.n, .marks = marks.at, .nmarks = marks.n};
}

static bool prefix(const char *s, const char *head)
{
	return strncmp(s, head, strlen(head)) == 0;
}

/* mcpp's `FILE:LINE: error: TEXT` lines become diagnostics; what it says on the lines
 * below repeats the source. */
static void complaints(struct arena *a, const struct source *in, const char *said, struct diags *d)
{
	struct source *here = NULL;
	for (const char *p = said; *p;) {
		size_t n = strcspn(p, "\n");
		const char *from = p + strspn(p, " ");
		p += n + (p[n] == '\n');
		char *text = arena_copy(a, from, n);
		text[strcspn(text, "\n")] = '\0';
		const char *kind = strstr(text, ": error: ");
		enum severity severity = DIAG_ERROR;
		if (!kind)
			kind = strstr(text, ": fatal error: ");
		if (!kind && (kind = strstr(text, ": warning: ")) != NULL)
			severity = DIAG_WARNING;
		if (!kind || strstr(kind, "Unterminated character constant") || strstr(kind, "Unknown encoding"))
			continue;
		const char *colon = kind;
		while (colon > text && isdigit((unsigned char)colon[-1]))
			colon--;
		uint32_t line = (uint32_t)strtoul(colon, NULL, 10);
		const char *what = strstr(kind + 2, ": ") + 2;
		size_t name = colon > text ? (size_t)(colon - text) - 1 : 0;
		bool main_file = prefix(text, ".:") || prefix(text, "<stdin>:") ||
		                 (name == strlen(in->name) && memcmp(text, in->name, name) == 0);
		const struct source *source = in;
		srcpos at = SRCPOS_NONE;
		if (main_file && line) {
			const char *start = in->text;
			for (uint32_t k = 1; k < line && (start = strchr(start, '\n')) != NULL; k++)
				start++;
			at = start ? (srcpos)(start - in->text) : SRCPOS_NONE;
		} else if (!main_file) {
			here = arena_alloc(a, sizeof *here);
			*here = (struct source){.name = arena_copy(a, text, name), .text = "", .first_line = line};
			source = here;
			at = 0;
		}
		diag_add(d, severity, NULL, source, at, "%s", what);
	}
}

/* In the child: mcpp over its standard input, which is `in`; its output and then its
 * messages to `out`, each ended by a NUL.  (Given a name, mcpp resolves it, and a
 * temporary file has none.) */
static _Noreturn void child(int in, int out, const struct options *o, const char *dir)
{
	if (lseek(in, 0, SEEK_SET) != 0 || dup2(in, STDIN_FILENO) < 0)
		_exit(1);
	struct rlimit cpu = {MOST_SECONDS, MOST_SECONDS}, memory = {MOST_MEMORY, MOST_MEMORY}, core = {0, 0};
	setrlimit(RLIMIT_CPU, &cpu);
	setrlimit(RLIMIT_CORE, &core);
#if !defined(__SANITIZE_ADDRESS__)
	setrlimit(RLIMIT_AS, &memory);
#else
	(void)memory;
#endif
	alarm(2 * MOST_SECONDS);
	setenv("LC_ALL", "C", 1);
	size_t room = 8 + 2 * (size_t)(o->defines.n + o->includes.n), n = 0;
	char **args = calloc(room, sizeof *args);
	if (!args)
		_exit(1);
	char program[] = "mcpp", asm_mode[] = "-a", define[] = "-D", include[] = "-I", no_system[] = "-I-";
	args[n++] = program;
	args[n++] = asm_mode;
	args[n++] = no_system;
	for (uint32_t i = 0; i < o->defines.n; i++) {
		args[n++] = define;
		args[n++] = strdup(o->defines.at[i]);
	}
	args[n++] = include;
	args[n++] = strdup(dir);
	for (uint32_t i = 0; i < o->includes.n; i++) {
		args[n++] = include;
		args[n++] = strdup(o->includes.at[i]);
	}
	mcpp_use_mem_buffers(1);
	int status = mcpp_lib_main((int)n, args);
	FILE *f = fdopen(out, "wb");
	const char *text = mcpp_get_mem_buffer(OUT), *said = mcpp_get_mem_buffer(ERR);
	if (!f || fputs(text ? text : "", f) < 0 || fputc(0, f) < 0 || fputs(said ? said : "", f) < 0 || fputc(0, f) < 0 ||
	    fclose(f))
		_exit(1);
	_exit(status ? 2 : 0);
}

static bool all_of(struct text *t, int fd)
{
	char part[65536];
	for (;;) {
		ssize_t got = read(fd, part, sizeof part);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got == 0;
		if (t->n + (size_t)got > MOST_OUTPUT)
			return false;
		text_bytes(t, part, (size_t)got);
	}
}

/* Runs mcpp over `hidden`; false when it did not get to its end, `*done` when without errors. */
static bool run_mcpp(struct arena *a, const struct source *in, const struct text *hidden, const struct options *o,
                     struct text *result, bool *done)
{
	const char *base = file_base(in->name);
	const char *dir = base == in->name ? "." : arena_copy(a, in->name, (size_t)(base - in->name));
	FILE *f = tmpfile();
	int ends[2];
	if (!f || pipe(ends)) {
		if (f)
			fclose(f);
		return false;
	}
	bool written = fputs("#line 1 \".\"\n", f) >= 0 && fwrite(hidden->at, 1, hidden->n, f) == hidden->n && fflush(f) == 0;
	pid_t pid = written ? fork() : -1;
	if (pid == 0) {
		close(ends[0]);
		child(fileno(f), ends[1], o, dir);
	}
	close(ends[1]);
	bool whole = pid > 0 && all_of(result, ends[0]);
	close(ends[0]);
	fclose(f);
	int status = 0;
	if (pid > 0) {
		if (!whole)
			kill(pid, SIGKILL);
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
	}
	*done = whole && WIFEXITED(status) && WEXITSTATUS(status) == 0;
	return whole && WIFEXITED(status) && WEXITSTATUS(status) != 1;
}

void preprocess(struct arena *a, const struct source *in, const struct options *o, struct source *out,
                struct diags *d)
{
	struct pieces comments = {0};
	struct text hidden = {.arena = a}, result = {.arena = a};
	*out = *in;
	text_bytes(&hidden, "", 0);
	hide_comments(a, in, &hidden, &comments);
	text_bytes(&result, "", 0);
	const char *said = NULL;
	bool done = false;
	if (run_mcpp(a, in, &hidden, o, &result, &done)) {
		size_t n = strlen(result.at);
		said = n + 1 < result.n ? result.at + n + 1 : NULL;
	}
	if (!said) {
		diag_add(d, DIAG_ERROR, NULL, in, SRCPOS_NONE,
		         "the preprocessor gave up: its limits of time and memory were reached");
		return;
	}
	uint32_t errors = d->errors;
	complaints(a, in, said, d);
	if (!done && d->errors == errors)
		diag_add(d, DIAG_ERROR, NULL, in, SRCPOS_NONE, "the preprocessor failed: %.*s", (int)strcspn(said, "\n"), said);
	if (d->errors == errors)
		take_back(a, in, result.at, &comments, out);
}
