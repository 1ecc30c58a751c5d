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

/* Returns the length in bytes of the UTF-8 character or the colour sequence (ESC to m) at `s`. */
static size_t character_length(const char *s, size_t n)
{
	size_t length = 1;
	if (*s == '\033')
		while (length < n && s[length - 1] != 'm')
			length++;
	else
		while (length < n && ((unsigned char)s[length] & 0xc0) == 0x80)
			length++;
	return length;
}

/* Returns the number of columns of UTF-8 text, one for each character and none for colour sequences. */
static size_t fit_width(const char *s, size_t n)
{
	size_t width = 0;
	for (size_t i = 0; i < n; i += character_length(s + i, n - i))
		width += s[i] != '\033';
	return width;
}

/* Returns the length in bytes of the longest prefix that fits into `columns`. */
static size_t bytes_within(const char *s, size_t n, size_t columns)
{
	size_t at = 0;
	for (size_t width = 0; at < n; at += character_length(s + at, n - at)) {
		width += s[at] != '\033';
		if (width > columns)
			break;
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
	while (fit_width(s + tail, n - tail) > right)
		tail += character_length(s + tail, n - tail);
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

/* Writes one line, given without its line end, and wraps it if it is too long.  Removes the FIT_HANG marks from `line`. */
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
