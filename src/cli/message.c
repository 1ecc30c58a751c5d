/* Prints messages to users, see message.h. */
#include "cli/message.h"

#include "cli/fit.h"
#include "system/files.h"

#include <stdio.h>
#include <string.h>

enum {
	USUAL_COLUMNS = 80, /* width for output that goes to no terminal */
	BEFORE_LINE = 2,    /* columns of the indent before a source line */
	AROUND_LINE = 8     /* columns that are not for text if only a part of a source line is shown: the indent, and dots on both sides */
};
enum { MESSAGE = 4096 }; /* most bytes of a message that is printed at once */
enum { HANG = 4 }; /* indent of a message's further lines */

static const char bold[] = "\033[1m", off[] = "\033[m", green[] = "\033[1;32m";

static void plain(char *line)
{
	for (char *p = line; *p; p++)
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			*p = '?';
}

/* Prints a message on standard error, with control characters replaced by "?".  Allocates nothing, since the message may be that memory ran out.
 * The buffer has space for the indents of broken lines, a few bytes for each 40 columns. */
static void print_message(const char *severity, char *line)
{
	char head[40], space[MESSAGE + MESSAGE / 4 + sizeof head];
	struct text t = {.at = space, .cap = sizeof space};
	plain(line);
	snprintf(head, sizeof head, "%s: %s: ", command_name, severity);
	text_string(&t, head);
	fit_wrap(&t, line, strlen(head), HANG, fit_columns(OS_ERR));
	fprintf(stderr, "%s\n", space);
}

PRINTF_LIKE(2, 0)
static void message(const char *severity, const char *format, va_list args)
{
	char line[MESSAGE];
	vsnprintf(line, sizeof line, format, args);
	print_message(severity, line);
}

bool message_error(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	message("error", format, args);
	va_end(args);
	return false;
}

int message_usage(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	message("error", format, args);
	va_end(args);
	return EXIT_USAGE;
}

void message_note(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	message("note", format, args);
	va_end(args);
}

bool reason_for(struct arena *a, const char **why, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	*why = arena_vprintf(a, format, args);
	va_end(args);
	return false;
}

void text_error(struct text *t, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	char *line = arena_vprintf(t->arena, format, args);
	va_end(args);
	plain(line);
	size_t const from = t->n;
	text_printf(t, "%s: error: %s\n", command_name, line);
	fit_lines(t, from, HANG, fit_columns(OS_ERR));
}

const char *shown_name(const char *name)
{
	return strcmp(name, "-") == 0 ? "<stdin>" : name;
}

const char *const severity_names[] = {[DIAG_NOTE] = "note", [DIAG_WARNING] = "warning", [DIAG_ERROR] = "error"};
static const char *const severity_colours[] = {[DIAG_NOTE] = "\033[1;36m", [DIAG_WARNING] = "\033[1;35m", [DIAG_ERROR] = "\033[1;31m"};

static bool continues_character(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

void message_place(struct text *t, const struct place *p, bool colour)
{
	unsigned const terminal = fit_columns(OS_ERR), columns = terminal ? terminal : USUAL_COLUMNS;
	size_t const most = columns - AROUND_LINE;
	size_t at = p->column - 1, from = 0, to = p->length;
	if (at > p->length)
		at = p->length;
	if (to > columns - BEFORE_LINE) {
		from = at > most / 2 ? at - most / 2 : 0;
		to = from + most < p->length ? from + most : p->length;
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

/* Writes the first line of a diagnostic, without a line end.  `place` is its place in a source, or NULL if it has none. */
static void message_head(struct text *t, const struct diag *d, const struct place *place, bool colour)
{
	if (colour)
		text_string(t, bold);
	if (place) {
		const char *name = shown_name(place->file);
		text_visible(t, name, strlen(name));
		text_printf(t, ":%u:%u: ", (unsigned)place->line, (unsigned)place->column);
	} else if (d->source) {
		const char *name = shown_name(d->source->name);
		text_visible(t, name, strlen(name));
		text_string(t, ": ");
	} else {
		text_printf(t, "%s: ", command_name);
	}
	if (colour)
		text_printf(t, "%s%s:%s%s ", severity_colours[d->severity], severity_names[d->severity], off, bold);
	else
		text_printf(t, "%s: ", severity_names[d->severity]);
	text_visible(t, d->text, strlen(d->text));
	if (colour)
		text_string(t, off);
	if (d->rule)
		text_printf(t, " [%s]", d->rule);
}

static const struct place *diag_place(const struct diag *d, struct place *place)
{
	if (!d->source || d->at == SRCPOS_NONE)
		return NULL;
	*place = source_place(d->source, d->at);
	return place;
}

static void message_diag(struct text *t, const struct diag *d, bool colour)
{
	struct place space;
	const struct place *place = diag_place(d, &space);
	message_head(t, d, place, colour);
	text_char(t, '\n');
	if (place)
		message_place(t, place, colour);
}

bool message_first_error(struct text *t, const struct diags *d)
{
	for (uint32_t i = 0; i < d->n; i++) {
		struct place space;
		if (d->at[i].severity != DIAG_ERROR)
			continue;
		message_head(t, &d->at[i], diag_place(&d->at[i], &space), false);
		return true;
	}
	return false;
}

void message_diags(struct text *t, const struct diags *d, bool colour, bool quiet)
{
	uint32_t said = 0;
	size_t const from = t->n;
	for (uint32_t i = 0; i < d->n; i++) {
		said += d->at[i].severity != DIAG_NOTE;
		if (!quiet || d->at[i].severity == DIAG_ERROR)
			message_diag(t, &d->at[i], colour);
	}
	fit_lines(t, from, HANG, fit_columns(OS_ERR));
	if (d->errors + d->warnings > said)
		text_printf(t, "%s: %u further errors and warnings are not shown\n", command_name,
		            (unsigned)(d->errors + d->warnings - said));
}
