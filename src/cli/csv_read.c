/* Reads CSV tables, see csv_read.h. */
#include "cli/csv_read.h"

#include "lang/encoding.h"

#include <string.h>
#include <strings.h>

/* Returns the comma, semicolon or tab, whichever the first line has most of. */
static char find_separator(const char *at, const char *end)
{
	static const char usual[] = ",;\t";
	unsigned n[sizeof usual - 1] = {0}, most = 0;
	for (; at < end && *at != '\n'; at++)
		for (unsigned k = 0; k < sizeof n / sizeof *n; k++)
			n[k] += *at == usual[k];
	for (unsigned k = 1; k < sizeof n / sizeof *n; k++)
		most = n[k] > n[most] ? k : most;
	return usual[most];
}

/* Returns true for a blank that may surround a field: a space, a tab or a carriage return that is not the separator. */
static bool is_field_margin(const struct csv_reader *c, char x)
{
	return x != c->separator && (x == ' ' || x == '\t' || x == '\r');
}

static bool at_field_end(const struct csv_reader *c)
{
	return c->at == c->end || *c->at == c->separator || *c->at == '\n';
}

/* Reads the text between quotes, in which two quotes stand for one, and moves behind the closing quote.  Sets `open` to true if that is missing,
 * else to false. */
static void read_quoted_part(struct csv_reader *c, struct text *to)
{
	c->open = true;
	for (c->at++; c->at < c->end && c->open; c->at++) {
		bool const quote = *c->at == '"', twice = quote && c->at + 1 < c->end && c->at[1] == '"';
		c->open = !quote || twice;
		c->at += twice;
		c->line += *c->at == '\n';
		if (c->open)
			text_char(to, *c->at);
	}
}

/* Reads a field without the blanks around it. */
static const char *read_csv_field(struct csv_reader *c)
{
	struct text field = {.arena = c->arena};
	text_string(&field, "");
	while (c->at < c->end && is_field_margin(c, *c->at))
		c->at++;
	if (c->at < c->end && *c->at == '"')
		read_quoted_part(c, &field);
	size_t const quoted = field.n;
	for (; !at_field_end(c); c->at++)
		text_char(&field, *c->at);
	while (field.n > quoted && is_field_margin(c, field.at[field.n - 1]))
		field.n--;
	return arena_copy(c->arena, field.at, field.n);
}

static struct csv_fields read_csv_record(struct csv_reader *c)
{
	struct csv_fields fields = {0};
	c->open = false;
	c->record = c->line;
	for (bool more = true; more;) {
		VEC_PUSH(c->arena, &fields) = read_csv_field(c);
		more = c->at < c->end && *c->at == c->separator;
		c->at += c->at < c->end;
	}
	c->line++;
	return fields;
}

struct csv_reader csv_open(struct arena *a, const struct source *s)
{
	struct csv_reader c = {.arena = a, .at = s->text + encoding_mark(s), .end = s->text + s->size, .line = 1};
	c.separator = find_separator(c.at, c.end);
	c.head = read_csv_record(&c);
	return c;
}

bool csv_next(struct csv_reader *c)
{
	while (c->at < c->end) {
		c->fields = read_csv_record(c);
		for (uint32_t k = 0; k < c->fields.n; k++)
			if (*c->fields.at[k] || c->open)
				return true;
	}
	return false;
}

int csv_named(const struct csv_reader *c, const char *name, size_t n)
{
	for (uint32_t k = 0; k < c->head.n; k++)
		if (strlen(c->head.at[k]) == n && strncasecmp(c->head.at[k], name, n) == 0)
			return (int)k;
	return -1;
}

int csv_column(const struct csv_reader *c, const char *names)
{
	int found = -1;
	for (size_t n; n = strcspn(names, " "), *names && found < 0; names += n + (names[n] == ' '))
		found = csv_named(c, names, n);
	return found;
}

const char *csv_field_at(const struct csv_reader *c, int column)
{
	return column >= 0 && (uint32_t)column < c->fields.n && *c->fields.at[column] ? c->fields.at[column] : NULL;
}
