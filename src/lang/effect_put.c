/* Files with other programs in their place, see effect.h.  Lines that a program had before stay as they are, with what stands beside
 * them. */
#include "lang/effect.h"

#include "lang/effect_binary.h"
#include "lang/effect_text.h"
#include "lang/respell.h"
#include "lang/scan.h"

#include <string.h>

static const char *line_of(const struct source *file, size_t at)
{
	return file->text + scan_line_start(file, at);
}

static size_t indent_of(const char *line)
{
	return strspn(line, " \t");
}

/* Is there nothing but blanks before `at` on its line? */
static bool starts_line(const struct source *file, size_t at)
{
	const char *line = line_of(file, at);
	return line + indent_of(line) == file->text + at;
}

/* Lines of a program, each with the blanks that its block had before its lines. */
struct layout {
	const char *end;   /* of lines */
	const char *indent;
	size_t n;
	bool deeper;       /* a tab more */
};

static struct layout layout_of(const struct source *file, const struct effect_block *b)
{
	const char *newline = strchr(file->text, '\n');
	struct layout l = {.end = newline && newline > file->text && newline[-1] == '\r' ? "\r\n" : "\n"};
	/* As the first line inside that starts with something, or one step in from the line of `at`. */
	const char *end = file->text + b->to;
	for (const char *p = memchr(file->text + b->from, '\n', b->to - b->from); p;
	     p = memchr(p + 1, '\n', (size_t)(end - p - 1))) {
		size_t n = indent_of(p + 1);
		if (p + 1 + n < end && !strchr("\r\n", p[1 + n])) {
			l.indent = p + 1;
			l.n = n;
			return l;
		}
	}
	l.indent = line_of(file, b->at);
	l.n = indent_of(l.indent);
	l.deeper = !(b->kind == EFFECT_LITERALS && starts_line(file, b->from));
	return l;
}

static void put_indent(struct text *out, const struct layout *l)
{
	text_bytes(out, l->indent, l->n);
	if (l->deeper)
		text_char(out, '\t');
}

/* Gives the next line of a program; false: there is none. */
static bool next_line(const struct text *program, size_t *at, const char **line, size_t *n)
{
	if (*at >= program->n)
		return false;
	*line = program->at + *at;
	const char *stop = memchr(*line, '\n', program->n - *at);
	*n = stop ? (size_t)(stop - *line) : program->n - *at;
	*at += *n + 1;
	return true;
}

struct lines {
	VEC(struct said);
};

static struct lines lines_of(struct arena *arena, const struct text *program)
{
	struct lines lines = {0};
	struct said line;
	for (size_t at = 0; next_line(program, &at, &line.at, &line.n);)
		VEC_PUSH(arena, &lines) = line;
	return lines;
}

/* Where a program begins that does so on the line that opens its block; NULL: on the next, or an asm block is no longer than that line. */
static const char *begun_at_once(const struct source *file, const struct effect_block *b)
{
	const char *from = file->text + b->from, *line_end = memchr(from, '\n', b->to - b->from);
	const char *start = from + indent_of(from);
	return (line_end || b->kind == EFFECT_RAW_LITERAL) && !strchr("\r\n", *start) ? start : NULL;
}

/* Lines of the block that have it to themselves, without their ends. */
static struct lines lines_inside(struct arena *arena, const struct source *file, const struct effect_block *b)
{
	struct lines lines = {0};
	const char *end = file->text + b->to, *start = begun_at_once(file, b);
	const char *line = start ? start - 1 : memchr(file->text + b->from, '\n', b->to - b->from);
	while (line && ++line < end) {
		const char *stop = memchr(line, '\n', (size_t)(end - line));
		size_t n = (size_t)((stop ? stop : end) - line);
		while (n > 0 && (stop ? line[n - 1] == '\r' : strchr(" \t", line[n - 1]) != NULL)) /* what closes the block may stand behind the last */
			n--;
		VEC_PUSH(arena, &lines) = (struct said){line, n};
		line = stop;
	}
	return lines;
}

/* Returns what ends a raw literal, such as )MARK". */
static const char *raw_close(struct arena *arena, const struct source *file, const struct effect_block *b)
{
	const char *from = file->text + b->to;
	return arena_copy(arena, from, (size_t)(strchr(from, '"') + 1 - from));
}

/* Adds a line with a blank in each `close` that it holds, since a comment may come from a literal that another one ends; NULL:
 * nothing ends it. */
static void put_apart(struct text *out, const struct said *line, const char *close)
{
	size_t const n = close ? strlen(close) : 0;
	for (size_t k = 0; k < line->n; k++) {
		text_char(out, line->at[k]);
		if (n && line->n - k >= n && memcmp(line->at + k, close, n) == 0)
			text_char(out, ' ');
	}
}

static void put_block(struct text *out, const struct source *file, const struct effect_block *b, const struct text *program)
{
	struct layout l = layout_of(file, b);
	struct lines const new = lines_of(out->arena, program), old = lines_inside(out->arena, file, b);
	const int *of = respell_lines(out->arena, new.at, new.n, old.at, old.n);
	const char *start = begun_at_once(file, b);
	const char *close = b->kind == EFFECT_RAW_LITERAL ? raw_close(out->arena, file, b) : NULL;
	bool const closed_at_once = b->kind == EFFECT_RAW_LITERAL && !starts_line(file, b->to);
	if (start)
		text_bytes(out, file->text + b->from, (size_t)(start - (file->text + b->from)));
	else
		text_string(out, l.end);
	for (uint32_t k = 0; k < new.n; k++) {
		const struct said *line = of[k] == SAID_NEW ? &new.at[k] : &old.at[of[k]];
		if (new.at[k].n && of[k] == SAID_NEW && !(start && k == 0))
			put_indent(out, &l);
		put_apart(out, line, close);
		if (k + 1 < new.n || !closed_at_once)
			text_string(out, l.end);
	}
	/* What closes it stays where it was, or goes below what opens it. */
	if (closed_at_once)
		return;
	const char *last = line_of(file, starts_line(file, b->to) ? b->to : b->at);
	text_bytes(out, last, indent_of(last));
}

/* ---- programs in literals ------------------------------------------------------------ */

/* Returns a line as a literal.  Escapes of three octal digits take in no digit behind them; a ? behind another is escaped, since
 * both could begin a trigraph. */
static struct said quoted(struct arena *arena, const struct said *line)
{
	struct text t = {.arena = arena};
	text_char(&t, '"');
	for (size_t i = 0; i < line->n; i++) {
		unsigned char byte = (unsigned char)line->at[i];
		if (byte == '"' || byte == '\\' || (byte == '?' && i > 0 && line->at[i - 1] == '?'))
			text_char(&t, '\\');
		if (byte == '\t')
			text_string(&t, "\\t");
		else if (byte < ' ' || byte > '~')
			text_printf(&t, "\\%03o", byte);
		else
			text_char(&t, line->at[i]);
	}
	text_string(&t, "\\n\"");
	return (struct said){t.at, t.n};
}

/* A literal of a file, and the blanks and comments that go with it: lines before it, and the rest of its line. */
struct literal {
	struct said before, itself, behind;
};
struct literals {
	VEC(struct literal);
};

/* Behind blanks and comments; not beyond the line, if `of_line`. */
static size_t past_comments(const struct source *file, size_t at, size_t end, bool of_line)
{
	while (at < end) {
		size_t past = scan_comment(file, at, false);
		if (past == at && strchr(of_line ? " \t" : " \t\r\n", file->text[at]))
			past = at + 1;
		if (past == at || past > end || (of_line && memchr(file->text + at, '\n', past - at)))
			break;
		at = past;
	}
	return at;
}

/* Those of a block.  Where several share a line, they have nothing beside them, and stand at no line's beginning. */
static struct literals literals_inside(struct arena *arena, const struct source *file, const struct effect_block *b)
{
	struct literals all = {0};
	size_t before = b->from;
	for (size_t at = b->from; at < b->to && file->text[at] == '"';) {
		size_t const to = scan_string(file, at), rest = past_comments(file, to, b->to, true);
		bool const ends_line = rest == b->to || strchr("\r\n", file->text[rest]);
		VEC_PUSH(arena, &all) = (struct literal){{file->text + before, at - before},
		                                        {file->text + at, to - at},
		                                        {file->text + to, ends_line ? rest - to : 0}};
		const char *newline = memchr(file->text + rest, '\n', b->to - rest);
		at = past_comments(file, to, b->to, false);
		before = ends_line && newline ? (size_t)(newline - file->text) + 1 : at;
	}
	return all;
}

/* Returns the spelling that `quoted` has for what a literal of the file says, or the literal itself if it is not one line. */
static struct said requoted(struct arena *arena, const struct source *file, const struct said *literal)
{
	size_t at = 0;
	struct source const alone = {.name = file->name, .text = arena_copy(arena, literal->at, literal->n), .size = literal->n};
	struct source const says = effect_literals(arena, &alone, &at, NULL);
	bool const one_line = says.size && memchr(says.text, '\n', says.size) == says.text + says.size - 1;
	return one_line ? quoted(arena, &(struct said){says.text, says.size - 1}) : *literal;
}

static void put_said(struct text *out, const struct said *s)
{
	text_bytes(out, s->at, s->n);
}

static void put_literals(struct text *out, const struct source *file, const struct effect_block *b, const struct text *program)
{
	struct layout l = layout_of(file, b);
	struct lines new = lines_of(out->arena, program), old = {0};
	struct literals const literals = literals_inside(out->arena, file, b);
	for (uint32_t k = 0; k < new.n; k++)
		new.at[k] = quoted(out->arena, &new.at[k]);
	for (uint32_t k = 0; k < literals.n; k++)
		VEC_PUSH(out->arena, &old) = requoted(out->arena, file, &literals.at[k].itself);
	const int *of = respell_lines(out->arena, new.at, new.n, old.at, old.n);
	for (uint32_t k = 0; k < new.n; k++) {
		const struct literal *was = of[k] == SAID_NEW ? NULL : &literals.at[of[k]];
		if (k > 0)
			text_string(out, l.end);
		if (k > 0 && was && was->before.n)
			put_said(out, &was->before);
		else if (k > 0)
			put_indent(out, &l);
		put_said(out, was ? &was->itself : &new.at[k]);
		if (was && k + 1 < new.n) /* a comment would take in what follows the last */
			put_said(out, &was->behind);
	}
}

void effect_rewrite(struct text *out, const struct effect *e, const struct text *programs)
{
	size_t const before = out->n;
	size_t done = 0;
	for (uint32_t k = 0; k < e->blocks.n; k++) {
		const struct effect_block *b = &e->blocks.at[k];
		if (!programs[k].n)
			continue;
		text_bytes(out, e->file->text + done, b->from - done);
		switch ((enum effect_kind)b->kind) {
		case EFFECT_LITERALS: put_literals(out, e->file, b, &programs[k]); break;
		case EFFECT_ASM:
		case EFFECT_RAW_LITERAL: put_block(out, e->file, b, &programs[k]); break;
		case EFFECT_COMPILED: effect_put_object(out, &programs[k]); break;
		}
		done = b->to;
	}
	text_bytes(out, e->file->text + done, e->file->size - done);
	effect_put_lengths(out, before, e);
}
