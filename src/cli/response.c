/* Reads response files, see response.h.
 *
 * On every system they follow the rules of command lines of Windows, so that a file means the same everywhere.  Blanks and line ends
 * separate arguments, except between double quotes.  A backslash is literal except before a double quote:
 *
 *	a\b "c d" e" "f     a\b, c d, e f
 *	\" \\" "            a double quote; a backslash and a blank
 *	"a ""b"" c"         a "b" c */
#include "cli/response.h"

#include "cli/files.h"
#include "cli/message.h"
#include "lang/encoding.h"
#include "system/files.h"

#include <string.h>

static unsigned utf16_unit_at(const char *at)
{
	return (unsigned char)at[0] | (unsigned)(unsigned char)at[1] << 8;
}

static void add_character(struct text *t, unsigned c)
{
	unsigned const more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
	static const unsigned heads[] = {0, 0xc0, 0xe0, 0xf0};
	text_char(t, (char)(heads[more] | c >> 6 * more));
	for (unsigned i = more; i-- > 0;)
		text_char(t, (char)(0x80 | (c >> 6 * i & 0x3f)));
}

/* Converts UTF-16 in little-endian order with a byte order mark, which Windows' shells write, to UTF-8.  An unpaired surrogate becomes U+FFFD. */
static void from_utf16(struct arena *a, struct source *s)
{
	struct text t = {.arena = a};
	text_string(&t, "");
	for (size_t i = 2; i + 1 < s->size; i += 2) {
		unsigned const c = utf16_unit_at(s->text + i);
		unsigned const next = i + 3 < s->size ? utf16_unit_at(s->text + i + 2) : 0;
		bool const pair = c >> 10 == 0xd800 >> 10 && next >> 10 == 0xdc00 >> 10;
		add_character(&t, pair ? 0x10000 + ((c & 0x3ff) << 10) + (next & 0x3ff) : c >> 11 == 0xd800 >> 11 ? 0xfffd : c);
		i += pair ? 2 : 0;
	}
	s->text = t.at;
	s->size = t.n;
}

static bool read_text(struct arena *a, const char *file, struct source *s)
{
	const char *why;
	if (!file_read(a, file, s, &why))
		return message_error("%s", why);
	if (s->size >= 2 && memcmp(s->text, "\xff\xfe", 2) == 0)
		from_utf16(a, s);
	if (!memchr(s->text, 0, s->size))
		return true;
	return message_error("%s: a response file is text in UTF-8, or in UTF-16 with a byte order mark", shown_name(file));
}

/* Returns true for a character that separates arguments. */
static bool is_between_arguments(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Returns the argument that begins at `*at`, and sets `*at` to its end.  Returns NULL if a quote is not closed, or only on a later line. */
static char *take_argument(struct arena *a, const char **at)
{
	struct text word = {.arena = a};
	const char *p = *at;
	bool quoted = false;
	text_string(&word, "");
	while (*p && (quoted || !is_between_arguments(*p))) {
		size_t const slashes = strspn(p, "\\");
		bool const before_quote = p[slashes] == '"';
		for (size_t i = 0; i < (before_quote ? slashes / 2 : slashes); i++)
			text_char(&word, '\\');
		p += slashes;
		if (before_quote && slashes % 2) {
			text_char(&word, *p++);
		} else if (before_quote && quoted && p[1] == '"') {
			text_char(&word, '"');
			p += 2;
		} else if (before_quote) {
			quoted = !quoted;
			p++;
		} else if (quoted && *p == '\n') {
			return NULL;
		} else if (*p && (quoted || !is_between_arguments(*p))) {
			text_char(&word, *p++);
		}
	}
	*at = p;
	return quoted ? NULL : word.at;
}

bool response_read(struct arena *a, const char *file, bool comments, struct response *to)
{
	struct source s;
	*to = (struct response){0};
	if (!read_text(a, file, &s))
		return false;
	unsigned number = 1;
	for (const char *p = s.text + encoding_mark(&s); *p;) {
		if (comments && *p == '#')
			p += strcspn(p, "\n");
		if (!*p || is_between_arguments(*p)) {
			number += *p == '\n';
			p += *p != '\0';
			continue;
		}
		char *argument = take_argument(a, &p);
		if (!argument)
			return message_error("%s:%u: a quote is not closed on its line", shown_name(s.name), number);
		VEC_PUSH(a, to) = argument;
		VEC_PUSH(a, &to->lines) = number;
	}
	return true;
}

bool response_insert(struct arena *a, struct command_line *line, int at, const char *file)
{
	struct { VEC(char *); } all = {0};
	struct response r;
	if (!response_read(a, file, false, &r))
		return false;
	for (int i = 0; i < at; i++)
		VEC_PUSH(a, &all) = line->argv[i];
	for (uint32_t i = 0; i < r.n; i++)
		VEC_PUSH(a, &all) = r.at[i];
	for (int i = at + 1; i < line->argc; i++)
		VEC_PUSH(a, &all) = line->argv[i];
	*line = (struct command_line){(int)all.n, all.at};
	return true;
}
