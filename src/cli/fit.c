/* Fits text into a terminal, see fit.h. */
#include "cli/fit.h"

#include "cli/files.h"
#include "system/process.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_COLUMNS = 40, USUAL_COLUMNS = 80, MOST_COLUMNS = 10000 };

unsigned fit_columns(int fd)
{
	if (!os_is_terminal(fd))
		return 0;
	const char *set = getenv("COLUMNS");
	unsigned long n = set && *set >= '0' && *set <= '9' ? strtoul(set, NULL, 10) : 0;
	if (!n)
		n = os_columns(fd);
	n = n ? n : USUAL_COLUMNS;
	return n < LEAST_COLUMNS ? LEAST_COLUMNS : n > MOST_COLUMNS ? MOST_COLUMNS : (unsigned)n;
}

/* Reads one UTF-8 character and returns its length.  An invalid byte is a character by itself; a colour sequence is the character 0. */
static size_t next_character(const char *s, size_t n, uint32_t *c)
{
	unsigned char const first = (unsigned char)*s;
	size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
	*c = length == 1 ? first : first & (0xffu >> (length + 1));
	if (first == '\033') {
		for (length = 1; length < n && s[length - 1] != 'm'; length++)
			continue;
		*c = 0;
		return length;
	}
	for (size_t i = 1; i < length; i++) {
		if (i >= n || ((unsigned char)s[i] & 0xc0) != 0x80) {
			*c = first;
			return 1;
		}
		*c = *c << 6 | ((unsigned char)s[i] & 0x3f);
	}
	return length;
}

/* Returns the columns of a character: 2 for East Asian scripts and emoji, 0 for combining marks, 1 for others. */
static size_t columns_of(uint32_t c)
{
	static const struct {
		uint32_t from, to;
		size_t columns;
	} odd[] = {
		{0, 0, 0}, {0x300, 0x36f, 0}, {0x1100, 0x115f, 2}, {0x200b, 0x200f, 0}, {0x2e80, 0xa4cf, 2}, {0xac00, 0xd7a3, 2},
		{0xf900, 0xfaff, 2}, {0xfe00, 0xfe0f, 0}, {0xfe30, 0xfe6f, 2}, {0xff00, 0xff60, 2}, {0xffe0, 0xffe6, 2},
		{0x1f300, 0x1faff, 2}, {0x20000, 0x3fffd, 2},
	};
	for (unsigned i = 0; i < sizeof odd / sizeof *odd; i++)
		if (c >= odd[i].from && c <= odd[i].to)
			return odd[i].columns;
	return 1;
}

/* Returns the columns that UTF-8 text takes; colour sequences take none. */
static size_t fit_width(const char *s, size_t n)
{
	size_t width = 0;
	for (size_t i = 0; i < n;) {
		uint32_t c;
		i += next_character(s + i, n - i, &c);
		width += columns_of(c);
	}
	return width;
}

/* Returns the length of the longest prefix that fits into `columns`. */
static size_t bytes_within(const char *s, size_t n, size_t columns)
{
	size_t at = 0, width = 0;
	while (at < n) {
		uint32_t c;
		size_t length = next_character(s + at, n - at, &c);
		width += columns_of(c);
		if (width > columns)
			break;
		at += length;
	}
	return at;
}

/* Writes the text, with "..." in place of its middle if it is wider than `most` columns. */
static void put_shortened(struct text *t, const char *s, size_t n, size_t most)
{
	if (!most || fit_width(s, n) <= most) {
		text_bytes(t, s, n);
		return;
	}
	size_t left = (most - 3) / 3, right = most - 3 - left, head = bytes_within(s, n, left), tail = head;
	/* Names differ mostly at their ends, so two thirds of the columns go to the end. */
	while (fit_width(s + tail, n - tail) > right) {
		uint32_t c;
		tail += next_character(s + tail, n - tail, &c);
	}
	text_bytes(t, s, head);
	text_string(t, "...");
	text_bytes(t, s + tail, n - tail);
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

void fit_name(struct text *t, const char *name, size_t most)
{
	struct text shown = {.arena = t->arena};
	text_visible(&shown, name, strlen(name));
	put_shortened(t, shown.at ? shown.at : "", shown.n, most);
}

void fit_pair(struct text *t, const char *vs, const char *ps, size_t most)
{
	struct text shown = {.arena = t->arena};
	bool one = strcmp(vs, ps) == 0 || !*vs || !*ps;
	const char *second = file_same_folder(vs, ps) ? file_base(ps) : ps;
	const char *first = *vs ? vs : ps;
	text_visible(&shown, first, strlen(first));
	if (!one) {
		text_char(&shown, ' ');
		text_visible(&shown, second, strlen(second));
	}
	put_shortened(t, shown.at ? shown.at : "", shown.n, most);
}

void fit_wrap(struct text *t, const char *line, size_t at, size_t indent, unsigned columns)
{
	while (*line) {
		size_t blanks = strspn(line, " "), word = strcspn(line + blanks, " "), width = fit_width(line + blanks, word);
		if (columns && word && at > indent && at + blanks + width > columns) {
			text_printf(t, "\n%*s", (int)indent, "");
			at = indent;
		} else {
			text_printf(t, "%*s", (int)blanks, "");
			at += blanks;
		}
		text_bytes(t, line + blanks, word);
		at += width;
		line += blanks + word;
	}
}

/* Writes one line, given without its line end, and wraps it; changes `line`. */
static void fit_line(struct text *t, char *line, size_t hang, unsigned columns)
{
	size_t const blanks = strspn(line, " ");
	char *mark = strchr(line, *FIT_HANG);
	size_t indent = mark ? fit_width(line, (size_t)(mark - line)) : blanks ? blanks : hang;
	for (; mark; mark = strchr(mark, *FIT_HANG))
		memmove(mark, mark + 1, strlen(mark));
	if (!columns || fit_width(line, strlen(line)) <= columns)
		text_string(t, line);
	else
		fit_wrap(t, line, 0, indent < columns / 2 ? indent : columns / 2, columns);
}

void fit_lines(struct text *t, size_t from, size_t hang, unsigned columns)
{
	char *line = from < t->n ? arena_copy(t->arena, t->at + from, t->n - from) : NULL;
	t->n = from < t->n ? from : t->n;
	while (line && *line) {
		char *end = strchr(line, '\n');
		if (end)
			*end = '\0';
		fit_line(t, line, hang, columns);
		text_string(t, end ? "\n" : "");
		line = end ? end + 1 : NULL;
	}
	for (size_t i = from; i < t->n; i++)
		if (t->at[i] == *FIT_BLANK)
			t->at[i] = ' ';
}
