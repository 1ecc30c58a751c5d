/* Runs the preprocessor, see preprocess.h.
 *
 * mcpp is made for C: it does not know `;` comments, and unpaired quotes make it drop lines.  So it gets one flat text, in which an
 * identifier (a stand-in) replaces each comment, and the text of the file, treated alike, replaces each #include.  A table (`segments`)
 * gives the file and line of each line of the flat text. */
#include "lang/preprocess.h"

#include "base/letters.h"
#include "lang/encoding.h"
#include "lang/mcpp.h"
#include "system/files.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TEXT = 16 << 20, MOST_DEPTH = 32 };

static const char stand_in[] = "fpmove_stand_in_";
static const char own_error[] = "#error fpmove: ";

/* The text that a stand-in replaces. */
enum hidden_kind { HIDDEN_COMMENT, HIDDEN_BYTES, HIDDEN_FILE };
struct hidden {
	enum hidden_kind kind;
	bool blank_before, blank_behind; /* a blank was added to separate the stand-in from its neighbours */
	const char *text; /* the text itself; for HIDDEN_FILE, which marks the beginning of an included file, its name */
	size_t n;
};

struct file {
	const struct source *source;
	const struct file *from; /* the file that includes this one; NULL if none does */
	const char *once;        /* macro that guards the file because of its #pragma once; NULL if it has none */
};

/* Maps lines of the flat text, from number `at` on, to lines of `source`, from number `line` on, whose text begins at `text`. */
struct segment {
	uint32_t at, line;
	const struct source *source;
	const char *text;
};

struct flat {
	struct arena *arena;
	const struct preprocess_options *options;
	struct text text;
	uint32_t lines;  /* number of lines in `text` */
	uint32_t joined; /* number of lines of the source that were joined to the present line; as many empty lines follow it */
	struct { VEC(struct hidden); } hidden;
	struct { VEC(struct segment); } segments;
	struct { VEC(const struct source *); } sources; /* included files that were read */
};

bool preprocess_wanted(const struct source *s, const struct preprocess_options *options)
{
	if (options && options->ndefines)
		return true;
	const char *end = s->text + s->size;
	for (const char *p = s->text; (p = memchr(p, '#', (size_t)(end - p))) != NULL; p++) {
		const char *q = p;
		while (q > s->text && (q[-1] == ' ' || q[-1] == '\t'))
			q--;
		bool const behind_comment = q - s->text > 1 && q[-1] == '/' && q[-2] == '*';
		if (q == s->text || q[-1] == '\n' || q == s->text + encoding_mark(s) || behind_comment)
			return true;
	}
	return false;
}

/* ---- files ------------------------------------------------------------------------ */

static const struct source *open_file(struct flat *f, const char *path)
{
	for (uint32_t i = 0; i < f->sources.n; i++)
		if (os_compare_names(f->sources.at[i]->name, path, SIZE_MAX) == 0)
			return f->sources.at[i];
	struct os_facts there;
	if (!os_facts(path, &there) || there.kind != OS_REGULAR)
		return NULL;
	FILE *in = os_open_stream(path);
	if (!in)
		return NULL;
	struct text text = {.arena = f->arena};
	char part[16384];
	size_t n;
	text_bytes(&text, "", 0);
	while ((n = fread(part, 1, sizeof part, in)) > 0 && text.n <= MOST_TEXT)
		text_bytes(&text, part, n);
	bool bad = ferror(in) || text.n > MOST_TEXT;
	fclose(in);
	if (bad)
		return NULL;
	struct source *s = arena_zero(f->arena, sizeof *s);
	*s = (struct source){.name = arena_copy(f->arena, path, strlen(path)), .text = text.at, .size = text.n};
	VEC_PUSH(f->arena, &f->sources) = s;
	return s;
}

static const struct source *find_file(struct flat *f, const char *name, const struct source *from)
{
	const struct source *found = NULL;
	const char *slash = strrchr(from->name, '/');
	size_t const root = os_root(from->name), past = slash ? (size_t)(slash + 1 - from->name) : 0, folder = past > root ? past : root;
	if (os_root(name) || !folder)
		found = open_file(f, name);
	else
		found = open_file(f, arena_printf(f->arena, "%.*s%s", (int)folder, from->name, name));
	for (uint32_t i = 0; !found && f->options && i < f->options->nincludes && !os_root(name); i++)
		found = open_file(f, arena_printf(f->arena, "%s/%s", f->options->includes[i], name));
	return found;
}

/* ---- the flat text ------------------------------------------------------------------ */

static size_t count_blanks(const char *p)
{
	size_t n = 0;
	while (is_blank(p[n]))
		n++;
	return n;
}

/* Returns the length of a backslash with a line end at `p`, or 0 if there is none. */
static size_t line_join_length(const char *p)
{
	if (p[0] != '\\')
		return 0;
	return p[1] == '\n' ? 2 : p[1] == '\r' && p[2] == '\n' ? 3 : 0;
}

/* Returns the length of the comment at `p`, without the line end behind it; 0 if there is none. */
static size_t comment_length(const char *p, const char *end)
{
	const char *q = p;
	if (p[0] == '/' && p[1] == '*') {
		for (q = p + 2; q < end; q++)
			if (q[0] == '*' && q[1] == '/')
				return (size_t)(q + 2 - p);
		return (size_t)(end - p);
	}
	if (p[0] != ';' && !(p[0] == '/' && p[1] == '/'))
		return 0;
	while (q < end && *q != '\n')
		q += line_join_length(q) ? line_join_length(q) : 1;
	while (q > p && q[-1] == '\r')
		q--;
	return (size_t)(q - p);
}

/* Returns true if only comments and blanks stand between the comment at `p` and a directive on the same line. */
static bool is_before_directive(const char *p, const char *end)
{
	for (size_t n; p < end && (n = comment_length(p, end)) != 0;) {
		p += n;
		p += count_blanks(p);
	}
	return p < end && *p == '#';
}

/* Ends the line and adds an empty line for each line that was joined to it, so that line numbers stay those of the source. */
static void put_newline(struct flat *f)
{
	for (f->joined++; f->joined; f->joined--) {
		text_char(&f->text, '\n');
		f->lines++;
	}
}

static void join_lines_of(struct flat *f, const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		f->joined += p[i] == '\n';
}

static void put_stand_in(struct flat *f, enum hidden_kind kind, const char *text, size_t n, const char *end)
{
	struct hidden h = {.kind = kind, .text = text, .n = n};
	h.blank_before = f->text.n && !is_blank(f->text.at[f->text.n - 1]) && f->text.at[f->text.n - 1] != '\n';
	h.blank_behind = end && text + n < end && !is_blank(text[n]) && text[n] != '\n';
	if (h.blank_before)
		text_char(&f->text, ' ');
	text_printf(&f->text, "%s%u_", stand_in, (unsigned)f->hidden.n);
	if (h.blank_behind)
		text_char(&f->text, ' ');
	VEC_PUSH(f->arena, &f->hidden) = h;
}

/* Adds a segment: the next lines of the flat text are lines of `source` from number `line` on, whose text begins at `text`. */
static void put_segment(struct flat *f, const struct source *source, uint32_t line, const char *text)
{
	VEC_PUSH(f->arena, &f->segments) = (struct segment){.at = f->lines, .line = line, .source = source, .text = text};
}

/* Returns the length of the string in quotes at `p`, or 0 if the line ends first. */
static size_t quoted_length(const char *p, const char *end)
{
	for (const char *q = p + 1; q < end && *q != '\n'; q++) {
		if (*q == '\\' && q + 1 < end && q[1] != '\n')
			q++;
		else if (*q == *p)
			return (size_t)(q + 1 - p);
	}
	return 0;
}

/* Returns how many bytes at `p` must be hidden from mcpp: quotes, bytes that are not ASCII, and control characters other than white space. */
static size_t odd_bytes(const char *p, const char *end)
{
	size_t n = 0;
	for (; p + n < end && p[n] != '\n' && !is_blank(p[n]); n++) {
		unsigned char byte = (unsigned char)p[n];
		if (byte >= ' ' && byte < 0x7f && byte != '"' && byte != '\'')
			break;
	}
	return n;
}

static void put_code(struct flat *f, char c)
{
	text_char(&f->text, c == '\v' || c == '\f' ? ' ' : c);
}

/* Writes a directive with the lines joined to it; blanks replace comments, and ` replaces unpaired quotes and odd_bytes().  Returns its length
 * in the source without the line end. */
static size_t put_directive(struct flat *f, const char *from, const char *end)
{
	const char *p = from;
	while (p < end && *p != '\n') {
		size_t n;
		if ((n = line_join_length(p)) != 0) {
			f->joined++;
		} else if ((n = comment_length(p, end)) != 0) {
			text_char(&f->text, ' ');
			join_lines_of(f, p, n);
		} else if ((*p == '"' || *p == '\'') && (n = quoted_length(p, end)) != 0) {
			text_bytes(&f->text, p, n);
		} else if ((n = odd_bytes(p, end)) != 0) {
			text_char(&f->text, '`');
		} else {
			n = 1;
			if (*p != '\r')
				put_code(f, *p);
		}
		p += n;
	}
	return (size_t)(p - from);
}

static bool put_file(struct flat *f, const struct file *file, unsigned depth);

/* Returns true if the name of the directive at `p`, which begins with #, is `word`. */
static bool directive_is(const char *p, const char *word)
{
	p += 1 + count_blanks(p + 1);
	size_t n = strlen(word);
	return strncmp(p, word, n) == 0 && !isalnum((unsigned char)p[n]) && p[n] != '_';
}

/* Returns the macro of an #ifndef that precedes all other code of the file, as an include guard does; NULL if there is none. */
static const char *guard_of(struct flat *f, const struct source *s)
{
	const char *p = s->text + encoding_mark(s), *end = s->text + s->size;
	for (size_t n = 1; n; p += n)
		n = *p == '\n' ? 1 : count_blanks(p) ? count_blanks(p) : comment_length(p, end);
	if (*p != '#' || !directive_is(p, "ifndef"))
		return NULL;
	p += 1 + count_blanks(p + 1) + strlen("ifndef");
	p += count_blanks(p);
	size_t n = 0;
	while (is_of_word(p[n]))
		n++;
	return n ? arena_copy(f->arena, p, n) : NULL;
}

/* Writes a line of fpmove's own to the flat text. */
static void put_own_line(struct flat *f, const char *format, ...) PRINTF_LIKE(2, 3);
static void put_own_line(struct flat *f, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	text_string(&f->text, arena_vprintf(f->arena, format, args));
	va_end(args);
	put_newline(f);
}

/* Writes the included file in place of an #include or, if it cannot be included, an #error line.  Returns false only if the text becomes too
 * long. */
static bool put_include(struct flat *f, const struct file *file, const char *p, const char *end, uint32_t line,
                        unsigned depth)
{
	const char *here = p;
	p += 1 + count_blanks(p + 1);
	p += strlen("include");
	p += count_blanks(p);
	char close = *p == '<' ? '>' : '"';
	const char *stop = *p == '"' || *p == '<' ? memchr(p + 1, close, (size_t)(end - p - 1)) : NULL;
	const char *newline = memchr(p, '\n', (size_t)(end - p));
	if (!stop || (newline && newline < stop)) {
		put_own_line(f, "%sthe name of an included file must be written out", own_error);
		return true;
	}
	const char *name = arena_copy(f->arena, p + 1, (size_t)(stop - p - 1));
	const struct source *found = find_file(f, name, file->source);
	if (!found && strchr(name, '\\')) {
		/* A \ in the name comes from Windows: look for the name with / in its place. */
		char *slashes = arena_copy(f->arena, name, strlen(name));
		for (char *c = slashes; *c; c++)
			*c = *c == '\\' ? '/' : *c;
		found = find_file(f, slashes, file->source);
	}
	if (!found) {
		put_own_line(f, "%scannot read the included file '%s'", own_error, name);
		return true;
	}
	struct diags said;
	diag_init(&said, f->arena);
	if (!encoding_readable(found, &said) || memchr(found->text, '\0', found->size)) {
		put_own_line(f, "%sthe included file '%s' cannot be read: %s", own_error, name,
		             said.n ? said.at[0].text : "it is binary");
		return true;
	}
	for (const struct file *above = file; above; above = above->from) {
		if (above->source != found)
			continue;
		const char *guard = above->once ? above->once : guard_of(f, found);
		if (guard)
			put_own_line(f, "#ifndef %s", guard);
		put_segment(f, file->source, line, here);
		put_own_line(f, "%sthe file '%s' includes itself", own_error, name);
		put_segment(f, file->source, line, here);
		if (guard)
			put_own_line(f, "#endif");
		return true;
	}
	if (depth >= MOST_DEPTH) {
		put_own_line(f, "%sincluded files are nested too deeply", own_error);
		return true;
	}
	struct file inner = {found, file, NULL};
	if (strstr(found->text, "#pragma once"))
		for (uint32_t k = 0; k < f->sources.n; k++)
			if (f->sources.at[k] == found)
				inner.once = arena_printf(f->arena, "fpmove_once_%u", (unsigned)k);
	if (inner.once) {
		put_own_line(f, "#ifndef %s", inner.once);
		put_segment(f, file->source, line, here);
		put_own_line(f, "#define %s", inner.once);
		put_segment(f, file->source, line, here);
	}
	put_stand_in(f, HIDDEN_FILE, found->name, strlen(found->name), NULL);
	put_newline(f);
	if (!put_file(f, &inner, depth + 1))
		return false;
	put_segment(f, file->source, line, here);
	if (inner.once)
		put_own_line(f, "#endif");
	return true;
}

static bool put_file(struct flat *f, const struct file *file, unsigned depth)
{
	const struct source *s = file->source;
	const char *p = s->text, *end = p + s->size;
	/* A masked effect file (effect_masked()) has the text as the user wrote it in its first mark. */
	bool as_written = s->nmarks == 1 && s->marks[0].at == 0 && s->marks[0].text;
	const char *written = as_written ? s->marks[0].text : s->text;
	uint32_t line = as_written ? s->marks[0].line : s->first_line ? s->first_line : 1;
	p += encoding_mark(s);
	put_segment(f, s, line, written);
	bool start = true; /* only blanks and comments were read so far on the line */
	while (p < end) {
		if (f->text.n > MOST_TEXT)
			return false;
		size_t n;
		if (*p == '\n') {
			put_newline(f);
			start = true;
			n = 1;
		} else if (start && *p == '#') {
			if (directive_is(p, "include")) {
				if (!put_include(f, file, p, end, line, depth))
					return false;
				n = strcspn(p, "\n");
				n += p[n] == '\n';
				put_segment(f, s, line + 1, line_after(written));
			} else if (directive_is(p, "line") || directive_is(p, "pragma")) {
				/* Drop #line, since positions stay those in the files, and #pragma, of which fpmove knows only once (see put_include()). */
				n = strcspn(p, "\n");
			} else {
				n = put_directive(f, p, end);
			}
		} else if ((n = comment_length(p, end)) != 0) {
			if (start && is_before_directive(p, end))
				text_char(&f->text, ' '); /* drop a comment before a directive on its line */
			else
				put_stand_in(f, HIDDEN_COMMENT, p, n, end);
			join_lines_of(f, p, n);
		} else if ((n = odd_bytes(p, end)) != 0) {
			put_stand_in(f, HIDDEN_BYTES, p, n, end);
			start = false;
		} else if ((n = line_join_length(p)) != 0) {
			f->joined++;
		} else {
			n = 1;
			start &= is_blank(*p);
			if (*p != '\r' || p[1] != '\n')
				put_code(f, *p);
		}
		for (size_t i = 0; i < n; i++) {
			if (p[i] == '\n') {
				line++;
				written = line_after(written);
			}
		}
		p += n;
	}
	if (f->joined || (f->text.n && f->text.at[f->text.n - 1] != '\n'))
		put_newline(f);
	return true;
}

/* ---- back from mcpp ------------------------------------------------------------------- */

static const struct segment *segment_of(const struct flat *f, uint32_t at)
{
	uint32_t low = 0, high = f->segments.n;
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;
		if (f->segments.at[middle].at <= at)
			low = middle;
		else
			high = middle;
	}
	return &f->segments.at[low];
}

struct expansion {
	struct flat *flat;
	struct text text;
	struct { VEC(struct line_mark); } marks;
	struct { VEC(const char *); } includes;
	uint32_t at;      /* number of the next line of the flat text */
	uint32_t owed;    /* number of empty lines to skip in mcpp's output, one for each line end in comments of the last line */
	bool marked;      /* no new mark is needed, as counting line ends from the last mark gives the line of `at` */
	/* The line that written_line() found last: */
	const struct segment *segment; /* its segment */
	uint32_t written_at;           /* number of that line in the flat text */
	const char *written;           /* text of that line as the user wrote it; NULL if that is not known */
};

/* Returns the source's line for line `at` of the flat text, NULL if that is not known.  Searches from the line that was found last. */
static const char *written_line(struct expansion *e)
{
	const struct segment *s = segment_of(e->flat, e->at);
	if (s != e->segment || e->written_at > e->at) {
		e->marked &= s == e->segment;
		e->segment = s;
		e->written_at = s->at;
		e->written = s->text;
	}
	for (; e->written_at < e->at; e->written_at++)
		e->written = line_after(e->written);
	return e->written;
}

static void mark_line(struct expansion *e)
{
	const char *written = written_line(e);
	if (e->marked)
		return;
	const struct segment *s = e->segment;
	e->marked = true;
	VEC_PUSH(e->flat->arena, &e->marks) = (struct line_mark){
		.at = (srcpos)e->text.n, .line = s->line + (e->at - s->at), .file = s->source->name, .text = written,
	};
}

/* Returns true if the line at `out` is blank, but the source's line is not: that is a directive, or was joined to the line before. */
static bool is_emptied_line(struct expansion *e, const char *out)
{
	size_t blanks = count_blanks(out);
	const char *written = out[blanks] == '\n' || out[blanks] == '\0' ? written_line(e) : NULL;
	return written && written[count_blanks(written)] != '\n' && written[count_blanks(written)] != '\0';
}

static void note_include(struct expansion *e, const char *name)
{
	for (uint32_t i = 0; i < e->includes.n; i++)
		if (strcmp(e->includes.at[i], name) == 0)
			return;
	VEC_PUSH(e->flat->arena, &e->includes) = name;
}

/* Writes the hidden text of a stand-in; for HIDDEN_FILE, only records the file's name.  `rest` is mcpp's output behind the stand-in.  Returns
 * the place in `rest` to read on from. */
static const char *restore_hidden(struct expansion *e, const struct hidden *h, const char *rest)
{
	const char *p = rest;
	if (h->kind == HIDDEN_FILE) {
		note_include(e, h->text);
		return p;
	}
	p += h->blank_behind && *p == ' ';
	if (h->blank_before && e->text.n && e->text.at[e->text.n - 1] == ' ')
		e->text.n--;
	if (h->kind == HIDDEN_BYTES) {
		text_bytes(&e->text, h->text, h->n);
		return p;
	}
	bool block = h->text[0] == '/' && h->text[1] == '*';
	size_t blanks = count_blanks(p);
	if (block || p[blanks] == '\n' || p[blanks] == '\0') {
		text_bytes(&e->text, h->text, h->n);
		for (size_t i = 0; i < h->n; i++)
			e->owed += h->text[i] == '\n';
		return p;
	}
	/* The line goes on behind a line comment, as mcpp joined the lines of a macro call: make it a block comment. */
	text_string(&e->text, "/*");
	for (size_t i = h->text[0] == ';' ? 1 : 2; i < h->n; i++) {
		bool closes = h->text[i] == '*' && i + 1 < h->n && h->text[i + 1] == '/';
		text_char(&e->text, closes ? '+' : h->text[i] == '\n' || h->text[i] == '\\' ? ' ' : h->text[i]);
	}
	text_string(&e->text, "*/");
	return p;
}

static void take_expansion(struct expansion *e, const char *out)
{
	for (const char *p = out; *p;) {
		unsigned long number;
		int head = 0;
		if (*p == '#' && sscanf(p, "#line %lu%n", &number, &head) == 1 && head) {
			e->at = (uint32_t)(number ? number - 1 : 0);
			e->marked = false;
			e->owed = 0;
			p += strcspn(p, "\n");
			p += *p == '\n';
			continue;
		}
		if (e->owed == 0 && is_emptied_line(e, p)) {
			e->marked = false;
			e->at++;
			p += strcspn(p, "\n");
			p += *p == '\n';
			continue;
		}
		if (e->owed && *p == '\n') {
			e->owed--;
			e->at++;
			p++;
			continue;
		}
		e->owed = 0;
		mark_line(e);
		/* Copy one line of mcpp's output, with hidden text in place of stand-ins. */
		while (*p && *p != '\n') {
			size_t n = strcspn(p, "\nf");
			text_bytes(&e->text, p, n);
			p += n;
			if (*p != 'f')
				continue;
			char *after;
			unsigned long k = strncmp(p, stand_in, sizeof stand_in - 1) == 0 &&
			                                  isdigit((unsigned char)p[sizeof stand_in - 1])
			                          ? strtoul(p + sizeof stand_in - 1, &after, 10)
			                          : ULONG_MAX;
			if (k < e->flat->hidden.n && *after == '_')
				p = restore_hidden(e, &e->flat->hidden.at[k], after + 1);
			else
				text_char(&e->text, *p++);
		}
		text_char(&e->text, '\n');
		p += *p == '\n';
		e->at++;
	}
}

/* Returns the offset of the first byte that is not blank in the source's line for line `at` of the flat text, and sets *source. */
static srcpos place_of_line(const struct flat *f, uint32_t at, const struct source **source)
{
	const struct segment *s = segment_of(f, at);
	*source = s->source;
	const struct source *in = s->source;
	uint32_t first = in->nmarks ? in->marks[0].line : in->first_line ? in->first_line : 1;
	const char *p = in->text;
	for (uint32_t i = first; i < s->line + (at - s->at) && p; i++)
		p = line_after(p);
	return p ? (srcpos)(p - in->text + (long)count_blanks(p)) : SRCPOS_NONE;
}

/* Turns mcpp's lines "<stdin>:LINE: error: TEXT" into diagnostics.  Skips the lines below them, which repeat the source. */
static void take_messages(const struct flat *f, const struct source *in, const char *said, struct diags *diags)
{
	static const struct { const char *word; enum severity severity; } kinds[] = {
		{": fatal error: ", DIAG_ERROR}, {": error: ", DIAG_ERROR}, {": warning: ", DIAG_WARNING},
	};
	for (const char *p = said; *p;) {
		size_t n = strcspn(p, "\n");
		const char *line = arena_copy(f->arena, p, n);
		p += n + (p[n] == '\n');
		for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
			const char *kind = strstr(line, kinds[i].word);
			if (!kind || is_blank(line[0]))
				continue;
			const char *number = kind, *text = kind + strlen(kinds[i].word);
			while (number > line && isdigit((unsigned char)number[-1]))
				number--;
			unsigned long at = strtoul(number, NULL, 10);
			const struct source *source = in;
			srcpos pos = at ? place_of_line(f, (uint32_t)at - 1, &source) : SRCPOS_NONE;
			text += count_blanks(text);
			if (strncmp(text, own_error, sizeof own_error - 1) == 0)
				text += sizeof own_error - 1;
			/* A message may name a second line, as "End of input within #if section started at line 5". */
			const char *other = strstr(text, " started at line ");
			if (other) {
				const struct source *there;
				srcpos from = place_of_line(f, (uint32_t)strtoul(other + 17, NULL, 10) - 1, &there);
				text = arena_printf(f->arena, "%.*s started at line %u", (int)(other - text), text,
				                    (unsigned)source_line(there, from));
			}
			diag_add(diags, kinds[i].severity, "preprocess", source, pos, "%s", text);
			break;
		}
	}
}

bool preprocess_is_define(const char *define)
{
	const char *p = define;
	while (isalnum((unsigned char)*p) || *p == '_')
		p++;
	bool name = p > define && !isdigit((unsigned char)*define);
	if (*p == '(')
		p = strchr(p, ')') ? strchr(p, ')') + 1 : p;
	return name && (*p == '\0' || *p == '=') && !strpbrk(define, "\r\n");
}

/* Writes a #define line for each macro of -D, as a text of its own, so that an open comment in it ends there.  Returns false if the text
 * becomes too long. */
static bool put_defines(struct flat *f)
{
	bool fits = true;
	for (uint32_t i = 0; f->options && i < f->options->ndefines && fits; i++) {
		const char *define = f->options->defines[i], *value = strchr(define, '=');
		int const name = (int)strcspn(define, "=");
		struct source *s = arena_zero(f->arena, sizeof *s);
		s->name = "-D";
		s->text = arena_printf(f->arena, "#define %.*s %s ", name, define, value ? value + 1 : "1");
		s->size = strlen(s->text);
		fits = put_file(f, &(struct file){.source = s}, 0);
	}
	return fits;
}

bool preprocess(struct arena *arena, const struct source *in, const struct preprocess_options *options,
                struct source *out, struct diags *diags)
{
	struct flat flat = {.arena = arena, .options = options, .text = {.arena = arena}};
	struct text expanded = {.arena = arena}, said = {.arena = arena};
	uint32_t errors = diags->errors;
	*out = *in;
	if (!encoding_readable(in, diags))
		return false;
	text_string(&flat.text, "");
	const char *why = "the text with its included files is longer than 16 MiB";
	if (put_defines(&flat) && put_file(&flat, &(struct file){.source = in}, 0))
		why = mcpp_run(&flat.text, &expanded, &said);
	if (said.n)
		take_messages(&flat, in, said.at, diags);
	if (why && diags->errors == errors)
		diag_add(diags, DIAG_ERROR, "preprocess", in, SRCPOS_NONE, "the preprocessor gave up: %s", why);
	if (diags->errors != errors)
		return false;
	struct expansion e = {.flat = &flat, .text = {.arena = arena}};
	text_string(&e.text, "");
	take_expansion(&e, expanded.at);
	*out = (struct source){.name = in->name, .text = e.text.at, .size = e.text.n, .marks = e.marks.at,
	                       .nmarks = e.marks.n, .includes = e.includes.at, .nincludes = e.includes.n};
	return true;
}
