/* Source positions and diagnostics, see diag.h. */
#include "base/diag.h"

#include "base/letters.h"

#include <limits.h>
#include <string.h>

static uint32_t count_newlines(const char *text, size_t size)
{
	uint32_t n = 0;
	for (size_t i = 0; i < size; i++)
		n += text[i] == '\n';
	return n;
}

const char *line_after(const char *text)
{
	const char *newline = text ? strchr(text, '\n') : NULL;
	return newline ? newline + 1 : NULL;
}

static size_t line_length(const char *line)
{
	return strcspn(line, "\r\n");
}

static const char *find_in_line(const char *line, size_t n, const char *part, size_t length)
{
	for (size_t i = 0; i + length <= n; i++)
		if (memcmp(line + i, part, length) == 0)
			return line + i;
	return NULL;
}

/* Moves a place in a line with expanded macros to its column in `line`, the line as it was written: the text before the
 * first macro and the text behind the last one are the same in both. */
static void place_as_written(struct place *p, const char *line)
{
	size_t n = line_length(line), at = p->column - 1, same = 0;
	size_t rest = p->length > at ? p->length - at : 0;
	while (same < n && same < p->length && same < at && line[same] == p->text[same])
		same++;
	if (same < at || at == 0) {
		const char *whole = p->length && p->length < n ? find_in_line(line, n, p->text, p->length) : NULL;
		if (whole) { /* the line contains the whole text, for example in a string literal */
			same = (size_t)(whole - line) + at;
		} else if (at == 0) {
			same = 0;
		} else if (rest > 0 && rest <= n - same && memcmp(line + n - rest, p->text + at, rest) == 0) {
			same = n - rest;
		} else {
			while (same > 0 && same < n && is_of_word(line[same]) && is_of_word(line[same - 1]))
				same--;
		}
	}
	p->column = (uint32_t)same + 1;
	p->text = line;
	p->length = n;
}

struct place source_place(const struct source *s, srcpos at)
{
	struct place p = {.file = s->name, .line = s->first_line ? s->first_line : 1};
	if (at > s->size)
		at = (srcpos)s->size;
	size_t from = 0;
	const char *written = NULL;
	for (uint32_t i = 0; i < s->nmarks && s->marks[i].at <= at; i++) {
		from = s->marks[i].at;
		p.line = s->marks[i].line;
		p.file = s->marks[i].file;
		written = s->marks[i].text;
	}
	uint32_t first = p.line;
	if (from < at)
		p.line += count_newlines(s->text + from, at - from);
	size_t line_start = at;
	while (line_start > 0 && s->text[line_start - 1] != '\n')
		line_start--;
	size_t end = at;
	while (end < s->size && s->text[end] != '\n' && s->text[end] != '\r')
		end++;
	p.text = s->text + line_start;
	p.length = end - line_start;
	p.column = (uint32_t)(at - line_start) + 1;
	for (; written && first < p.line; first++)
		written = line_after(written);
	if (written)
		place_as_written(&p, written);
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

void diag_vadd(struct diags *d, enum severity severity, const char *rule, const struct source *source,
               srcpos at, const char *format, va_list args)
{
	uint32_t *count = severity == DIAG_ERROR     ? &d->errors
	                  : severity == DIAG_WARNING ? &d->warnings
	                                             : &d->notes;
	if ((*count)++ >= DIAGS_KEPT || !d->arena)
		return;
	char *text = arena_vprintf(d->arena, format, args);
	struct diag *diag = &VEC_PUSH(d->arena, d);
	*diag = (struct diag){.severity = severity, .rule = rule, .text = text, .source = source, .at = at};
}

void diag_add(struct diags *d, enum severity severity, const char *rule, const struct source *source,
              srcpos at, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	diag_vadd(d, severity, rule, source, at, format, args);
	va_end(args);
}

unsigned diag_distance(const char *word, size_t n, const char *name)
{
	enum { MOST = 40 };
	unsigned step[MOST + 1][MOST + 1];
	size_t const length = strlen(name);
	if (n > MOST || length > MOST)
		return UINT_MAX;
	for (size_t i = 0; i <= n; i++) {
		for (size_t k = 0; k <= length; k++) {
			if (i == 0 || k == 0) {
				step[i][k] = (unsigned)(i + k);
				continue;
			}
			char a = to_lower(word[i - 1]), b = to_lower(name[k - 1]);
			unsigned best = step[i - 1][k - 1] + (a != b);
			if (step[i - 1][k] + 1 < best)
				best = step[i - 1][k] + 1;
			if (step[i][k - 1] + 1 < best)
				best = step[i][k - 1] + 1;
			if (i > 1 && k > 1 && a == to_lower(name[k - 2]) && to_lower(word[i - 2]) == b && step[i - 2][k - 2] + 1 < best)
				best = step[i - 2][k - 2] + 1;
			step[i][k] = best;
		}
	}
	return step[n][length];
}
