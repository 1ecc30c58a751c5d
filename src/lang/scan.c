/* Steps over pieces of C-like text, see scan.h. */
#include "lang/scan.h"

#include "base/letters.h"

#include <string.h>

size_t scan_line_end(const struct source *s, size_t at)
{
	const char *newline = memchr(s->text + at, '\n', s->size - at);
	return newline ? (size_t)(newline - s->text) : s->size;
}

size_t scan_logical_line_end(const struct source *s, size_t at)
{
	for (;;) {
		size_t stop = scan_line_end(s, at), last = stop;
		while (last > at && s->text[last - 1] == '\r')
			last--;
		if (stop == s->size || last == at || s->text[last - 1] != '\\')
			return stop;
		at = stop + 1;
	}
}

size_t scan_comment(const struct source *s, size_t at, bool assembly)
{
	const char *text = s->text;
	if ((assembly && text[at] == ';') || (text[at] == '/' && text[at + 1] == '/'))
		return assembly ? scan_line_end(s, at) : scan_logical_line_end(s, at);
	if (text[at] == '/' && text[at + 1] == '*') {
		for (at += 2; at < s->size; at++)
			if (text[at] == '*' && text[at + 1] == '/')
				return at + 2;
	}
	return at;
}

size_t scan_to_code(const struct source *s, size_t at, bool assembly)
{
	for (size_t past = at; at < s->size; at = past) {
		past = scan_comment(s, at, assembly);
		past += past == at && is_space(s->text[at]);
		if (past == at)
			break;
	}
	return at;
}

size_t scan_string(const struct source *s, size_t at)
{
	for (size_t i = at + 1; i < s->size && s->text[i] != '\n'; i++) {
		if (s->text[i] == '\\' && i + 1 < s->size)
			i += s->text[i + 1] == '\r' && s->text[i + 2] == '\n' ? 2 : 1;
		else if (s->text[i] == s->text[at])
			return i + 1;
	}
	return at + 1;
}

bool scan_trigraph(const char *text)
{
	return text[0] == '?' && text[1] == '?' && text[2] && strchr("=/'()!<>-", text[2]);
}

size_t scan_line_start(const struct source *s, size_t at)
{
	while (at > 0 && s->text[at - 1] != '\n')
		at--;
	return at;
}

void scan_line_init(struct scan_line *l, const struct source *s)
{
	*l = (struct scan_line){.line = s->first_line ? s->first_line : 1};
}

void scan_line_to(struct scan_line *l, const struct source *s, size_t at)
{
	for (; l->at < at; l->at++) {
		if (s->text[l->at] == '\n') {
			l->line++;
			l->start = l->at + 1;
		}
	}
}
