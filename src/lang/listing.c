/* Compilers' tables in comments, see listing.h. */
#include "lang/listing.h"

#include "lang/given_names.h"
#include "lang/other_tables.h"
#include "lang/span.h"

#include <stdio.h>
#include <string.h>

enum { NAME_COLUMN = 12 };

static bool says(struct span s, const char *words)
{
	s = skip(s);
	return take(&s, words) && s.at == s.end;
}

size_t listing_name_length(const char *at, const char *end)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_$.[]";
	size_t n = 0;
	while (at + n < end && at[n] && strchr(letters, at[n]))
		n++;
	return n <= LISTING_NAME ? n : 0;
}

/* ---- one line ---------------------------------------------------------------------------- */

struct row {
	struct span name;
	char file; /* c, s, i or b */
	int reg, size;
	bool added; /* the list did not have it */
};

/* "  g_world      c4       4" */
static bool read_row(struct span s, struct row *to)
{
	s = skip(s);
	size_t const n = listing_name_length(s.at, s.end);
	to->name = (struct span){s.at, s.at + n};
	s.at += n;
	to->added = false;
	struct span reg = skip(s);
	if (!n || reg.at == s.at || reg.at == reg.end || !strchr("csib", *reg.at))
		return false;
	to->file = *reg.at++;
	to->reg = take_number(&reg);
	struct span size = skip(reg);
	bool const apart = size.at > reg.at;
	to->size = take_number(&size);
	return to->reg >= 0 && apart && to->size > 0 && size.at == size.end;
}

/* "var float4x4 g_world :  : c[4], 4 : 7 : 1", the last of which says that it is used */
static bool read_var(struct span s, struct row *to)
{
	if (!take(&s, "var ") || !listing_name_length(s.at, s.end))
		return false;
	s.at += listing_name_length(s.at, s.end);
	s = skip(s);
	to->name = (struct span){s.at, s.at + listing_name_length(s.at, s.end)};
	s.at = to->name.end;
	for (unsigned colon = 0; colon < 2; colon++) {
		while (s.at < s.end && *s.at != ':')
			s.at++;
		s.at += s.at < s.end;
	}
	s = skip(s);
	if (to->name.at == to->name.end || !take(&s, "c["))
		return false;
	to->file = 'c';
	to->added = false;
	to->reg = take_number(&s);
	to->size = 1;
	if (to->reg < 0 || !take(&s, "]"))
		return false;
	if (take(&s, ","))
		s = skip(s), to->size = take_number(&s);
	return to->size > 0;
}

enum line {
	LINE_OTHER, LINE_BLANK,
	LINE_TITLE, LINE_HEAD, LINE_DASHES, LINE_ROW /* of a table of registers, in this order */
};

static bool is_head(struct span s)
{
	s = skip(s);
	bool const name = take(&s, "Name");
	s = skip(s);
	bool const reg = name && take(&s, "Reg");
	return reg && says(s, "Size");
}

static bool is_dashes(struct span s)
{
	s = skip(s);
	bool const any = s.at < s.end;
	while (s.at < s.end && (*s.at == '-' || is_blank(*s.at)))
		s.at++;
	return any && s.at == s.end;
}

/* What a line is behind one that was `last`, blank ones aside. */
static enum line read_line(const struct comment *c, enum line last, struct row *row)
{
	struct span const s = inside(c);
	if (skip(s).at == s.end)
		return c->length >= 2 && c->text[1] == '/' ? LINE_BLANK : LINE_OTHER;
	if (says(s, "Registers:"))
		return LINE_TITLE;
	if (last == LINE_TITLE && is_head(s))
		return LINE_HEAD;
	if (last == LINE_HEAD && is_dashes(s))
		return LINE_DASHES;
	return (last == LINE_DASHES || last == LINE_ROW) && read_row(s, row) ? LINE_ROW : LINE_OTHER;
}

/* ---- names ------------------------------------------------------------------------------- */

/* The comment with the next row of constant registers from this one on; NULL: there is none. */
static const struct comment *next_row(const struct comment *c, enum line *last, struct row *row)
{
	for (; c; c = c->next) {
		*row = (struct row){.file = 0};
		enum line const line = read_line(c, *last, row);
		/* A blank line ends the rows, and parts a title from its table. */
		*last = line != LINE_BLANK ? line : *last == LINE_ROW || *last == LINE_DASHES ? LINE_OTHER : *last;
		if ((line == LINE_ROW || read_var(inside(c), row)) && row->file == 'c')
			return c;
	}
	return NULL;
}

/* The row of the comments that a constant belongs to. */
static bool row_in(const struct comment *list, int constant, struct row *row)
{
	enum line last = LINE_OTHER;
	for (const struct comment *c = next_row(list, &last, row); c; c = next_row(c->next, &last, row))
		if (constant >= row->reg && constant < row->reg + row->size)
			return true;
	return false;
}

static bool find_row(const struct program *p, int constant, struct row *row)
{
	struct other_row other;
	const struct given_name *given = given_name_find(p, constant);
	if (given) {
		*row = (struct row){{given->name, given->name + strlen(given->name)}, 'c', given->reg, given->size, false};
		return true;
	}
	if (row_in(p->head, constant, row) || row_in(p->intro, constant, row))
		return true;
	if (!other_tables_find(p, constant, &other))
		return false;
	*row = (struct row){{other.name, other.name + other.length}, 'c', other.reg, other.size, false};
	return true;
}

const char *listing_name(struct arena *a, const struct program *p, int constant)
{
	struct row row;
	if (!find_row(p, constant, &row))
		return NULL;
	int const n = (int)(row.name.end - row.name.at);
	return row.size > 1 ? arena_printf(a, "%.*s[%d]", n, row.name.at, constant - row.reg)
	                    : arena_printf(a, "%.*s", n, row.name.at);
}

struct register_set listing_registers(const struct program *p)
{
	enum { MOST = 256 };
	const struct comment *const lists[] = {p->head, p->intro};
	struct register_set all = other_tables_registers(p);
	struct register_set const given = given_names_registers(p);
	for (unsigned k = 0; k < sizeof all.word / sizeof *all.word; k++)
		all.word[k] |= given.word[k];
	for (unsigned k = 0; k < 2; k++) {
		enum line last = LINE_OTHER;
		struct row row;
		for (const struct comment *c = next_row(lists[k], &last, &row); c; c = next_row(c->next, &last, &row))
			for (int reg = row.reg; reg < row.reg + row.size && reg < MOST; reg++)
				register_put_in(&all, reg);
	}
	return all;
}

int listing_extent(const struct program *p, int constant, int *first)
{
	struct row row;
	bool const found = find_row(p, constant, &row);
	*first = found ? row.reg : constant;
	return found ? row.size : 1;
}

/* ---- what a new program's table says ------------------------------------------------------ */

struct rows {
	VEC(struct row);
};

static bool is_read(const struct program *p, const struct row *r)
{
	bool read = r->file != 'c';
	for (int k = 0; !read && k < r->size; k++)
		read = program_reads_from_outside(p, r->reg + k);
	return read;
}

/* Before the first register of a higher number, or of another kind. */
static void insert_row(struct arena *a, struct rows *rows, const struct row *new)
{
	uint32_t at = 0;
	while (at < rows->n && rows->at[at].file == 'c' && rows->at[at].reg < new->reg)
		at++;
	VEC_PUSH(a, rows) = *new;
	memmove(&rows->at[at + 1], &rows->at[at], (rows->n - 1 - at) * sizeof *new);
	rows->at[at] = *new;
}

static bool same_name(struct span a, struct span b)
{
	return a.end - a.at == b.end - b.at && memcmp(a.at, b.at, (size_t)(a.end - a.at)) == 0;
}

/* Of a name that the VP has for a constant of its own, the pixel program's is called ps.NAME: nobody knows whether they are
 * one. */
static void add_needs(struct arena *a, const struct program *p, struct rows *rows)
{
	for (uint32_t k = 0; k < p->needs.consts.n; k++) {
		const struct const_map *map = &p->needs.consts.at[k];
		struct row new = {.file = 'c', .reg = map->vs, .size = 1, .added = true};
		bool there = !map->name, clash = false;
		if (map->name)
			new.name = (struct span){map->name, map->name + strlen(map->name)};
		for (uint32_t j = 0; j < rows->n; j++) {
			const struct row *r = &rows->at[j];
			there |= r->file == 'c' && map->vs >= r->reg && map->vs < r->reg + r->size;
			clash |= !there && same_name(r->name, new.name);
		}
		if (there)
			continue;
		if (clash) {
			const char *name = arena_printf(a, "ps.%s", map->name);
			new.name = (struct span){name, name + strlen(name)};
		}
		insert_row(a, rows, &new);
	}
}

/* ---- writing ------------------------------------------------------------------------------ */

struct written {
	struct arena *arena;
	struct comment **end;
};

static void keep(struct written *w, const struct comment *c)
{
	struct comment *copy = arena_alloc(w->arena, sizeof *copy);
	*copy = *c;
	copy->next = NULL;
	*w->end = copy;
	w->end = &copy->next;
}

static void write_line(struct written *w, const struct comment *like, const char *text)
{
	struct comment c = {.text = text, .length = (uint32_t)strlen(text), .blank = like && like->blank};
	keep(w, &c);
}

static int name_column(const struct rows *rows)
{
	int widest = NAME_COLUMN;
	for (uint32_t k = 0; k < rows->n; k++) {
		int const n = (int)(rows->at[k].name.end - rows->at[k].name.at);
		widest = n > widest ? n : widest;
	}
	return widest;
}

static void write_row(struct written *w, const struct row *r, int column)
{
	char reg[8];
	snprintf(reg, sizeof reg, "%c%d", r->file, r->reg);
	write_line(w, NULL, arena_printf(w->arena, "//   %-*.*s %-5s %4d", column, (int)(r->name.end - r->name.at), r->name.at, reg, r->size));
}

static void write_head(struct written *w, const struct comment *like, int column)
{
	write_line(w, like, arena_printf(w->arena, "//   %-*s Reg   Size", column, "Name"));
}

static void write_rows(struct written *w, const struct comment *like, const struct rows *rows, int column)
{
	char dashes[2 * LISTING_NAME];
	memset(dashes, '-', sizeof dashes);
	write_line(w, like, arena_printf(w->arena, "//   %.*s ----- ----", column, dashes));
	for (uint32_t k = 0; k < rows->n; k++)
		write_row(w, &rows->at[k], column);
}

/* The rows of a list's first table; false: it has none. */
static bool find_rows(struct arena *a, const struct comment *list, struct rows *rows)
{
	enum line last = LINE_OTHER;
	bool found = false;
	for (const struct comment *c = list; c; c = c->next) {
		struct row row;
		enum line const line = read_line(c, last, &row);
		if (found && line != LINE_ROW)
			break;
		if (line == LINE_ROW)
			VEC_PUSH(a, rows) = row;
		found |= line == LINE_DASHES;
		last = line == LINE_BLANK ? last : line;
	}
	return found;
}

static bool is_compiled(const struct comment *list)
{
	bool found = false;
	for (const struct comment *c = list; c; c = c->next) {
		struct span s = skip(inside(c));
		found |= take(&s, "Generated by ");
	}
	return found;
}

static bool says_hlsl(const struct comment *list)
{
	bool found = false;
	for (const struct comment *c = list; c; c = c->next) {
		struct span s = skip(inside(c));
		found |= take(&s, "Generated by Microsoft (R) ") && (take(&s, "HLSL Shader Compiler ") || take(&s, "D3DX9 Shader Compiler "));
	}
	return found;
}

bool listing_is_hlsl(const struct program *p)
{
	return says_hlsl(p->head) || says_hlsl(p->intro);
}

/* A table for a program whose compiler had no constant to list. */
static void write_table(struct written *w, const struct rows *rows, int column)
{
	write_line(w, NULL, "// Registers:");
	write_line(w, NULL, "//");
	write_head(w, NULL, column);
	write_rows(w, NULL, rows, column);
	write_line(w, NULL, "//");
}

/* The list with the table in the place of its first one, or of none if the table is empty. */
static struct comment *with_table(struct arena *a, struct comment *list, const struct rows *rows)
{
	struct comment *first = NULL;
	struct written w = {a, &first};
	int const column = name_column(rows);
	enum line last = LINE_OTHER;
	bool done = false;
	for (const struct comment *c = list; c; c = c->next) {
		struct row row;
		enum line const line = done && last != LINE_ROW && last != LINE_DASHES ? LINE_OTHER : read_line(c, last, &row);
		bool const in_table = line != LINE_OTHER && (line != LINE_BLANK || last != LINE_OTHER);
		done |= line == LINE_DASHES;
		if (line == LINE_HEAD && rows->n)
			write_head(&w, c, column);
		else if (line == LINE_DASHES && rows->n)
			write_rows(&w, c, rows, column);
		else if (line != LINE_ROW && (rows->n || !in_table))
			keep(&w, c);
		last = line == LINE_BLANK && last != LINE_ROW && last != LINE_DASHES ? last : line;
	}
	return first;
}

/* cgc's lines of constants that the program still reads, and behind them those of the named ones among its needs: the types
 * of these are not known, and every constant is a float4. */
static struct comment *with_vars(struct arena *a, struct comment *list, const struct program *p)
{
	struct comment *first = NULL;
	struct written w = {a, &first};
	struct rows rows = {0};
	struct row row;
	uint32_t left = 0;
	for (const struct comment *c = list; c; c = c->next)
		if (read_var(inside(c), &row))
			VEC_PUSH(a, &rows) = row, left++;
	if (!left)
		return list;
	add_needs(a, p, &rows);
	for (const struct comment *c = list; c; c = c->next) {
		bool const var = read_var(inside(c), &row);
		if (!var || is_read(p, &row))
			keep(&w, c);
		if (!var || --left)
			continue;
		for (uint32_t k = 0; k < rows.n; k++)
			if (rows.at[k].added)
				write_line(&w, NULL, arena_printf(a, "//var float4 %.*s :  : c[%d] : -1 : 1",
				                                  (int)(rows.at[k].name.end - rows.at[k].name.at), rows.at[k].name.at, rows.at[k].reg));
	}
	return first;
}

/* "approximately 5 instruction slots used (1 texture, 4 arithmetic)" */
static bool is_count(struct span s)
{
	s = skip(s);
	if (!take(&s, "approximately ") || take_number(&s) < 0 || !take(&s, " instruction slot"))
		return false;
	take(&s, "s");
	return take(&s, " used") && (s.at == s.end || *s.at == ' ');
}

static struct comment *with_count(struct arena *a, struct comment *list, const struct program *p)
{
	struct comment *first = NULL;
	struct written w = {a, &first};
	if (!list)
		return NULL;
	struct slots const n = program_slots(p);
	unsigned const all = program_total_slots(p);
	struct text t = {.arena = a};
	text_printf(&t, "// approximately %u instruction slot%s used", all, all == 1 ? "" : "s");
	if (n.tex)
		text_printf(&t, " (%u texture, %u arithmetic)", n.tex, n.arith);
	for (const struct comment *c = list; c; c = c->next) {
		if (is_count(inside(c)))
			write_line(&w, c, t.at);
		else
			keep(&w, c);
	}
	return first;
}

struct program *listing_update(struct arena *a, const struct program *p, const struct program *before)
{
	struct program *new = arena_alloc(a, sizeof *new);
	*new = *p;
	struct rows all = {0}, rows = {0};
	struct comment **list = find_rows(a, p->head, &all) ? &new->head : find_rows(a, p->intro, &all) ? &new->intro : NULL;
	for (uint32_t k = 0; k < all.n; k++)
		if (is_read(p, &all.at[k]))
			VEC_PUSH(a, &rows) = all.at[k];
	add_needs(a, p, &rows);
	if (list) {
		*list = with_table(a, *list, &rows);
	} else if (rows.n && is_compiled(p->head)) {
		struct written w = {a, &new->head};
		for (const struct comment *c = p->head; c; c = c->next)
			keep(&w, c);
		write_table(&w, &rows, name_column(&rows));
	}
	new->head = with_vars(a, new->head, p);
	new->intro = with_vars(a, new->intro, p);
	if (before)
		new->head = with_count(a, new->head, before);
	new->tail = with_count(a, p->tail, p);
	return new;
}
