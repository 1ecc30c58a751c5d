/* --pairs, see pair_table.h. */
#include "cli/pair_table.h"

#include "cli/message.h"
#include "lang/encoding.h"

#include <string.h>
#include <strings.h>

enum { NO_COLUMN = -1 };

struct fields {
	VEC(const char *);
};

struct csv {
	struct arena *arena;
	const char *at, *end;
	char comma;
	uint32_t line;
	bool open; /* a quote of the record was not closed */
};

/* Returns the character that parts fields: which of the usual ones the first line has most of. */
static char find_comma(const char *at, const char *end)
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

static void take_quoted(struct csv *c, struct text *to)
{
	for (c->at++; c->at < c->end; c->at++) {
		if (*c->at == '"' && (c->at + 1 == c->end || c->at[1] != '"')) {
			c->at++;
			return;
		}
		c->at += *c->at == '"';
		c->line += *c->at == '\n';
		text_char(to, *c->at);
	}
	c->open = true;
}

static bool ends_field(const struct csv *c)
{
	return c->at == c->end || *c->at == c->comma || *c->at == '\n';
}

/* Takes a field without the blanks around it; quotes go around what has commas, quotes or line ends. */
static const char *take_field(struct csv *c)
{
	struct text field = {.arena = c->arena};
	while (c->at < c->end && *c->at != c->comma && strchr(" \t\r", *c->at))
		c->at++;
	if (c->at < c->end && *c->at == '"')
		take_quoted(c, &field);
	size_t const quoted = field.n;
	for (; !ends_field(c); c->at++)
		text_char(&field, *c->at);
	while (field.n > quoted && strchr(" \t\r", field.at[field.n - 1]))
		field.n--;
	return arena_copy(c->arena, field.n ? field.at : "", field.n);
}

/* Takes the fields of a record, and the end of its line. */
static struct fields take_record(struct csv *c)
{
	struct fields fields = {0};
	c->open = false;
	for (bool more = true; more;) {
		VEC_PUSH(c->arena, &fields) = take_field(c);
		more = c->at < c->end && *c->at == c->comma;
		c->at += c->at < c->end;
	}
	c->line++;
	return fields;
}

static int column_of(const struct fields *head, const char *const *names, unsigned n)
{
	for (unsigned k = 0; k < n; k++)
		for (uint32_t i = 0; i < head->n; i++)
			if (strcasecmp(head->at[i], names[k]) == 0)
				return (int)i;
	return NO_COLUMN;
}

/* Finds both columns.  Returns false if one is not there. */
static bool find_columns(struct arena *a, const struct fields *head, const char *given, int *vs, int *ps)
{
	static const char *const vertex[] = {"vp", "vs", "vertex"}, *const pixel[] = {"fp", "ps", "pixel"};
	const char *comma = given ? strchr(given, ',') : NULL;
	if (comma) {
		const char *const first = arena_copy(a, given, (size_t)(comma - given)), *const second = comma + 1;
		*vs = column_of(head, &first, 1);
		*ps = column_of(head, &second, 1);
	} else {
		*vs = column_of(head, vertex, sizeof vertex / sizeof *vertex);
		*ps = column_of(head, pixel, sizeof pixel / sizeof *pixel);
	}
	return *vs >= 0 && *ps >= 0;
}

static const char *field_at(const struct fields *f, int column)
{
	return (uint32_t)column < f->n && *f->at[column] ? f->at[column] : NULL;
}

bool pair_table_read(struct arena *a, const struct source *s, const char *columns, struct pair_table *table, const char **why)
{
	int vs, ps;
	struct csv c = {.arena = a, .at = s->text + encoding_mark(s), .end = s->text + s->size};
	c.comma = find_comma(c.at, c.end);
	struct fields const head = take_record(&c);
	*table = (struct pair_table){0};
	if (!find_columns(a, &head, columns, &vs, &ps)) {
		*why = arena_printf(a, columns ? "%s: no columns %s in its first line" :
		                    "%s: no columns named vp, vs or vertex, and fp, ps or pixel, in its first line; --pairs-columns=VP,FP takes others",
		                    shown_name(s->name), columns);
		return false;
	}
	while (c.at < c.end) {
		struct table_row row = {.line = c.line + 1};
		struct fields const fields = take_record(&c);
		row.vs = field_at(&fields, vs);
		row.ps = field_at(&fields, ps);
		row.wrong = c.open ? "a quote is not closed" : NULL;
		if (row.vs || row.ps || row.wrong)
			VEC_PUSH(a, table) = row;
	}
	return true;
}
