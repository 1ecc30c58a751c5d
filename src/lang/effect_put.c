/* Writes files with other programs in place of their blocks, see effect.h.  Lines of a program that are unchanged keep their spelling,
 * and the comments beside them. */
#include "lang/effect.h"

#include "lang/effect_binary.h"
#include "lang/effect_text.h"
#include "lang/respell.h"
#include "lang/scan.h"

#include <string.h>

static const char *start_of_line(const struct source *file, size_t at)
{
	return file->text + scan_line_start(file, at);
}

static size_t indent_of(const char *line)
{
	return strspn(line, " \t");
}

static bool starts_line(const struct source *file, size_t at)
{
	const char *line = start_of_line(file, at);
	return line + indent_of(line) == file->text + at;
}

/* The layout of a block's lines. */
struct layout {
	const char *end;    /* the line end of the file, \n or \r\n */
	const char *indent; /* the blanks before each line, n of them */
	size_t n;
	bool deeper;        /* put_indent() adds a tab behind `indent` */
};

static struct layout layout_of(const struct source *file, const struct effect_block *b)
{
	const char *newline = strchr(file->text, '\n');
	struct layout l = {.end = newline && newline > file->text && newline[-1] == '\r' ? "\r\n" : "\n"};
	/* Take the indent of the first line inside that is not blank.  If there is none, take that of the line of `at`, with a tab more unless the
	 * block is literals that begin that line. */
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
	l.indent = start_of_line(file, b->at);
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

/* Sets *line and *n to the line of a program at *at, and moves *at to the next line.  Returns false behind the last line. */
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

static struct lines split_lines(struct arena *arena, const struct text *program)
{
	struct lines lines = {0};
	struct said line;
	for (size_t at = 0; next_line(program, &at, &line.at, &line.n);)
		VEC_PUSH(arena, &lines) = line;
	return lines;
}

/* Returns the place of the program's first character if that stands on the line that opens the block.  Otherwise returns NULL, also for an asm
 * block in one line. */
static const char *start_on_opening_line(const struct source *file, const struct effect_block *b)
{
	const char *from = file->text + b->from, *line_end = memchr(from, '\n', b->to - b->from);
	const char *start = from + indent_of(from);
	return (line_end || b->kind == EFFECT_RAW_LITERAL) && !strchr("\r\n", *start) ? start : NULL;
}

/* Returns the lines of the block without their ends.  The first is the rest of the opening line if the program begins there, or else the line
 * after it. */
static struct lines lines_inside(struct arena *arena, const struct source *file, const struct effect_block *b)
{
	struct lines lines = {0};
	const char *end = file->text + b->to, *start = start_on_opening_line(file, b);
	const char *line = start ? start - 1 : memchr(file->text + b->from, '\n', b->to - b->from);
	while (line && ++line < end) {
		const char *stop = memchr(line, '\n', (size_t)(end - line));
		size_t n = (size_t)((stop ? stop : end) - line);
		/* Drop the \r of a line end, or, on the last line, blanks before the closing mark of the block. */
		while (n > 0 && (stop ? line[n - 1] == '\r' : strchr(" \t", line[n - 1]) != NULL))
			n--;
		VEC_PUSH(arena, &lines) = (struct said){line, n};
		line = stop;
	}
	return lines;
}

/* Returns the closing mark of a raw literal, such as )MARK". */
static const char *raw_close(struct arena *arena, const struct source *file, const struct effect_block *b)
{
	const char *from = file->text + b->to;
	return arena_copy(arena, from, (size_t)(strchr(from, '"') + 1 - from));
}

/* Adds a line.  Puts a blank into each `close`, the closing mark of the raw literal, so that the line does not end the literal, as a comment of
 * another program could.  `close` is NULL for a block that is not a raw literal. */
static void put_without_close(struct text *out, const struct said *line, const char *close)
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
	struct lines const new = split_lines(out->arena, program), old = lines_inside(out->arena, file, b);
	const int *of = respell_lines(out->arena, new.at, new.n, old.at, old.n);
	const char *start = start_on_opening_line(file, b);
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
		put_without_close(out, line, close);
		if (k + 1 < new.n || !closed_at_once)
			text_string(out, l.end);
	}
	if (closed_at_once)
		return;
	/* The closing mark keeps its indent if only blanks stand before it.  Otherwise it gets the indent of the line of `at`. */
	const char *last = start_of_line(file, starts_line(file, b->to) ? b->to : b->at);
	text_bytes(out, last, indent_of(last));
}

/* ---- programs in literals ------------------------------------------------------------ */

/* Returns a line as a string literal that ends in \n.  Octal escapes have three digits, so that a digit behind them stays apart.  A ? behind
 * another ? is escaped, since both could begin a trigraph. */
static struct said quote_line(struct arena *arena, const struct said *line)
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

/* A literal of a file, with the blanks and comments before it, and those behind it on its line. */
struct literal {
	struct said before, itself, behind;
};
struct literals {
	VEC(struct literal);
};

/* Returns the offset behind the blanks and comments at `at` that end on its line. */
static size_t rest_of_line(const struct source *file, size_t at, size_t end)
{
	while (at < end) {
		size_t past = scan_comment(file, at, false);
		past += past == at && (file->text[at] == ' ' || file->text[at] == '\t');
		if (past == at || past > end || memchr(file->text + at, '\n', past - at))
			break;
		at = past;
	}
	return at;
}

/* Returns the literals of a block.  Of several on a line, only the last one has text `behind`. */
static struct literals literals_inside(struct arena *arena, const struct source *file, const struct effect_block *b)
{
	struct literals all = {0};
	size_t before = b->from;
	for (size_t at = b->from; at < b->to && file->text[at] == '"';) {
		size_t const to = scan_string(file, at), rest = rest_of_line(file, to, b->to);
		bool const ends_line = rest == b->to || strchr("\r\n", file->text[rest]);
		VEC_PUSH(arena, &all) = (struct literal){{file->text + before, at - before},
		                                        {file->text + at, to - at},
		                                        {file->text + to, ends_line ? rest - to : 0}};
		const char *newline = memchr(file->text + rest, '\n', b->to - rest);
		at = scan_to_code(file, to, false);
		before = ends_line && newline ? (size_t)(newline - file->text) + 1 : at;
	}
	return all;
}

/* Returns the literal spelt as quote_line() does, or as it is if its text is not one line with a line end. */
static struct said requoted(struct arena *arena, const struct source *file, const struct said *literal)
{
	size_t at = 0;
	struct source const alone = {.name = file->name, .text = arena_copy(arena, literal->at, literal->n), .size = literal->n};
	struct source const says = effect_literals(arena, &alone, &at, NULL);
	bool const one_line = says.size && memchr(says.text, '\n', says.size) == says.text + says.size - 1;
	return one_line ? quote_line(arena, &(struct said){says.text, says.size - 1}) : *literal;
}

static void put_said(struct text *out, const struct said *s)
{
	text_bytes(out, s->at, s->n);
}

static void put_literals(struct text *out, const struct source *file, const struct effect_block *b, const struct text *program)
{
	struct layout l = layout_of(file, b);
	struct lines new = split_lines(out->arena, program), old = {0};
	struct literals const literals = literals_inside(out->arena, file, b);
	for (uint32_t k = 0; k < new.n; k++)
		new.at[k] = quote_line(out->arena, &new.at[k]);
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
		if (was && k + 1 < new.n) /* behind the last literal, a comment could hide the code that follows */
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
