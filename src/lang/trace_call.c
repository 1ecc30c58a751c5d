/* Splits calls in the text of a trace into their parts, see trace_call.h. */
#include "lang/trace_call.h"

#include "base/letters.h"
#include "lang/trace.h"

#include <string.h>

bool piece_is(struct piece p, const char *word)
{
	return p.n == strlen(word) && memcmp(p.at, word, p.n) == 0;
}

bool piece_same(struct piece x, struct piece y)
{
	return x.n == y.n && memcmp(x.at, y.at, x.n) == 0;
}

bool piece_begins(struct piece p, const char *word)
{
	return p.n >= strlen(word) && memcmp(p.at, word, strlen(word)) == 0;
}

static const char *past_letters(const char *at, const char *end)
{
	while (at < end && is_of_word(*at))
		at++;
	return at;
}

/* Skips the call's number and thread, if there, and sets *number; it is empty if the call has none. */
static const char *past_number(const char *at, const char *end, struct piece *number)
{
	const char *from = at;
	while (at < end && is_digit(*at))
		at++;
	*number = (struct piece){from, (size_t)(at - from)};
	at += at < end && *at == ' ' && at > from;
	if (at < end && *at == '@') {
		at = past_letters(at + 1, end);
		at += at < end && *at == ' ';
	}
	return at;
}

const char *call_begin(const char *line, const char *end, struct call *c)
{
	*c = (struct call){.at = line};
	const char *at = past_number(line, end, &c->number), *colons = past_letters(at, end);
	if (colons == at || end - colons < 2 || memcmp(colons, "::", 2) != 0)
		return NULL;
	const char *bracket = past_letters(colons + 2, end);
	c->interface = (struct piece){at, (size_t)(colons - at)};
	c->method = (struct piece){colons + 2, (size_t)(bracket - colons - 2)};
	return bracket < end && *bracket == '(' ? bracket + 1 : NULL;
}

/* Returns a pointer behind the string at `at`, or `end` if it is not closed. */
static const char *past_string(const char *at, const char *end)
{
	for (at++; at < end && *at != '"'; at++)
		at += *at == '\\' && at + 1 < end;
	return at < end ? at + 1 : end;
}

/* Returns the comma or closing bracket behind the argument at `at`, or `end` if there is none. */
static const char *past_argument(const char *at, const char *end)
{
	unsigned depth = 0;
	while (at < end) {
		if (*at == '"') {
			at = past_string(at, end);
			continue;
		}
		if (!depth && (*at == ')' || (*at == ',' && at + 1 < end && at[1] == ' ')))
			return at;
		depth += *at == '{' || *at == '(';
		depth -= depth && (*at == '}' || *at == ')');
		at++;
	}
	return end;
}

static struct piece without_name(struct piece p)
{
	const char *end = p.at + p.n, *at = past_letters(p.at, end);
	if (at > p.at && end - at >= 3 && memcmp(at, " = ", 3) == 0)
		return (struct piece){at + 3, (size_t)(end - at - 3)};
	return p;
}

const char *call_end(const char *at, const char *end, struct call *c)
{
	for (;;) {
		const char *stop = past_argument(at, end);
		if (stop == end)
			return NULL;
		if (c->narguments < MOST_ARGUMENTS)
			c->arguments[c->narguments++] = without_name((struct piece){at, (size_t)(stop - at)});
		if (*stop == ')') {
			at = stop + 1;
			break;
		}
		at = stop + 2;
	}
	const char *line = memchr(at, '\n', (size_t)(end - at));
	line = line ? line : end;
	c->result = (struct piece){at, (size_t)(line - at)};
	return line;
}

static const char *past_colours(const char *at, const char *end)
{
	while (end - at > 2 && at[0] == '\033' && at[1] == '[') {
		const char *stop = memchr(at, 'm', (size_t)(end - at));
		at = stop ? stop + 1 : end;
	}
	return at;
}

static bool begins_call(const char *line, const char *end)
{
	struct piece number;
	const char *at = past_colours(line, end), *name = past_colours(past_number(at, end, &number), end), *colons = past_letters(name, end);
	struct piece const rest = {name, (size_t)(end - name)};
	bool const method = piece_begins(rest, "IDirect3D") && end - colons > 2 && memcmp(colons, "::", 2) == 0;
	return method || (number.n && piece_begins(rest, "Direct3DCreate9"));
}

bool trace_is(const struct source *s)
{
	enum { LOOKED_AT = 1 << 16 };
	const char *end = s->text + (s->size < LOOKED_AT ? s->size : LOOKED_AT);
	bool is = false;
	for (const char *line = s->text; line < end && !is;) {
		const char *stop = memchr(line, '\n', (size_t)(end - line));
		is = begins_call(line, end);
		line = stop ? stop + 1 : end;
	}
	return is;
}
