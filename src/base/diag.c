/* Source positions and diagnostics, see diag.h. */
#include "base/diag.h"

#include <string.h>

enum { DIAGS_KEPT = 200 };

struct place source_place(const struct source *s, srcpos at)
{
	struct place p = {.file = s->name, .line = s->first_line ? s->first_line : 1};
	if (at > s->size)
		at = (srcpos)s->size;
	size_t from = 0;
	for (uint32_t i = 0; i < s->nmarks && s->marks[i].at <= at; i++) {
		from = s->marks[i].at;
		p.line = s->marks[i].line;
		p.file = s->marks[i].file;
	}
	size_t line_start = from;
	for (size_t i = from; i < at; i++) {
		if (s->text[i] == '\n') {
			p.line++;
			line_start = i + 1;
		}
	}
	while (line_start > 0 && line_start == from && s->text[line_start - 1] != '\n')
		from = --line_start;
	size_t end = at;
	while (end < s->size && s->text[end] != '\n' && s->text[end] != '\r')
		end++;
	p.text = s->text + line_start;
	p.length = end - line_start;
	p.column = (uint32_t)(at - line_start) + 1;
	return p;
}

uint32_t source_line(const struct source *s, srcpos at)
{
	return source_place(s, at).line;
}

void diag_init(struct diags *d, struct arena *arena)
{
	*d = (struct diags){.arena = arena};
}

void diag_add(struct diags *d, enum severity severity, const char *rule, const struct source *source,
              srcpos at, const char *format, ...)
{
	if (severity == DIAG_ERROR)
		d->errors++;
	else if (severity == DIAG_WARNING)
		d->warnings++;
	if (d->n >= DIAGS_KEPT)
		return;
	va_list args;
	va_start(args, format);
	char *text = arena_vprintf(d->arena, format, args);
	va_end(args);
	struct diag *diag = &VEC_PUSH(d->arena, d);
	*diag = (struct diag){severity, rule, text, source, at};
}
