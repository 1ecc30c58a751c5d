/* Diagnostics for people, see message.h. */
#include "cli/message.h"

#include <stdio.h>
#include <string.h>

enum { LINE_SHOWN = 76 }; /* columns of a source line that are printed */

static const char bold[] = "\033[1m", off[] = "\033[m", green[] = "\033[1;32m";

static void plain(char *line)
{
	for (char *p = line; *p; p++)
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			*p = '?';
}

void message_error(const char *format, ...)
{
	char line[4096];
	va_list args;
	va_start(args, format);
	vsnprintf(line, sizeof line, format, args);
	va_end(args);
	plain(line);
	fprintf(stderr, "fpmove: error: %s\n", line);
}

void text_error(struct text *t, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	char *line = arena_vprintf(t->arena, format, args);
	va_end(args);
	plain(line);
	text_printf(t, "fpmove: error: %s\n", line);
}

void text_visible(struct text *t, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)s[i];
		if (c == '\n')
			text_string(t, "\\n");
		else if ((c < ' ' && c != '\t') || c == 0x7f)
			text_printf(t, "\\x%02x", c);
		else
			text_char(t, s[i]);
	}
}

const char *shown_name(const char *name)
{
	return strcmp(name, "-") == 0 ? "<stdin>" : name;
}

static const char *severity_name(enum severity s)
{
	switch (s) {
	case DIAG_NOTE: return "note";
	case DIAG_WARNING: return "warning";
	case DIAG_ERROR: return "error";
	}
	return "";
}

static const char *severity_colour(enum severity s)
{
	switch (s) {
	case DIAG_NOTE: return "\033[1;36m";
	case DIAG_WARNING: return "\033[1;35m";
	case DIAG_ERROR: return "\033[1;31m";
	}
	return "";
}

static bool continues_character(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* The part of the line around the column, and a caret under it: tabs stay tabs,
 * other control characters become spaces, bytes that go on a UTF-8 character take
 * no column. */
static void source_line_and_caret(struct text *t, const struct place *p, bool colour)
{
	size_t at = p->column - 1, from = 0, to = p->length;
	if (at > p->length)
		at = p->length;
	if (to > LINE_SHOWN) {
		from = at > LINE_SHOWN / 2 ? at - LINE_SHOWN / 2 : 0;
		to = from + LINE_SHOWN < p->length ? from + LINE_SHOWN : p->length;
		while (from < at && continues_character(p->text[from]))
			from++;
		while (to < p->length && continues_character(p->text[to]))
			to++;
	}
	const char *before = from ? "..." : "";
	text_printf(t, "  %s", before);
	for (size_t i = from; i < to; i++) {
		unsigned char c = (unsigned char)p->text[i];
		text_char(t, (c < ' ' && c != '\t') || c == 0x7f ? ' ' : p->text[i]);
	}
	text_printf(t, "%s\n  %*s", to < p->length ? "..." : "", (int)strlen(before), "");
	for (size_t i = from; i < at; i++)
		if (!continues_character(p->text[i]))
			text_char(t, p->text[i] == '\t' ? '\t' : ' ');
	text_printf(t, "%s^%s\n", colour ? green : "", colour ? off : "");
}

static void message_diag(struct text *t, const struct diag *d, bool colour)
{
	struct place place = {0};
	bool placed = d->source && d->at != SRCPOS_NONE;
	if (colour)
		text_string(t, bold);
	if (placed) {
		place = source_place(d->source, d->at);
		const char *name = shown_name(place.file);
		text_visible(t, name, strlen(name));
		text_printf(t, ":%u:%u: ", (unsigned)place.line, (unsigned)place.column);
	} else if (d->source) {
		const char *name = shown_name(d->source->name);
		text_visible(t, name, strlen(name));
		text_string(t, ": ");
	} else {
		text_string(t, "fpmove: ");
	}
	if (colour)
		text_printf(t, "%s%s:%s%s ", severity_colour(d->severity), severity_name(d->severity), off, bold);
	else
		text_printf(t, "%s: ", severity_name(d->severity));
	text_visible(t, d->text, strlen(d->text));
	if (colour)
		text_string(t, off);
	if (d->rule)
		text_printf(t, " [%s]", d->rule);
	text_char(t, '\n');
	if (placed)
		source_line_and_caret(t, &place, colour);
}

void message_diags(struct text *t, const struct diags *d, bool colour, bool quiet)
{
	uint32_t said = 0;
	for (uint32_t i = 0; i < d->n; i++) {
		said += d->at[i].severity != DIAG_NOTE;
		if (!quiet || d->at[i].severity == DIAG_ERROR)
			message_diag(t, &d->at[i], colour);
	}
	if (d->errors + d->warnings > said)
		text_printf(t, "fpmove: %u further errors and warnings are not shown\n",
		            (unsigned)(d->errors + d->warnings - said));
}
