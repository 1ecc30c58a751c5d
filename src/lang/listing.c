/* Reads and updates compilers' tables in comments, see listing.h. */
#include "lang/listing.h"

#include "lang/given_names.h"
#include "lang/other_tables.h"
#include "lang/span.h"

#include <stdio.h>
#include <string.h>

enum { NAME_COLUMN = 12 };

static bool line_says(struct span s, const char *words)
{
	s = skip(s);
	return take(&s, words) && s.at == s.end;
}

/* ---- one line ---------------------------------------------------------------------------- */

struct row {
	struct span name;
	char file; /* letter of the register file: c, s, i or b */
	int reg, size;
	bool added; /* the row is new: the program's comments did not have it */
};

/* Reads a row of a table such as "  g_world      c4       4".  Returns false if the line has another form. */
static bool read_table_row(struct span s, struct row *to)
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

/* Reads a line of cgc such as "var float4x4 g_world :  : c[4], 4 : 7 : 1".  Returns false if the line has another form. */
static bool read_cgc_line(struct span s, struct row *to)
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
	if (take(&s, ",")) {
		s = skip(s);
		to->size = take_number(&s);
	}
	return to->size > 0;
}

enum line {
	LINE_OTHER, LINE_BLANK,
	LINE_TITLE, LINE_HEAD, LINE_DASHES, LINE_ROW /* the lines of a table of registers, in their order */
};

static bool is_table_head(struct span s)
{
	s = skip(s);
	bool const name = take(&s, "Name");
	s = skip(s);
	bool const reg = name && take(&s, "Reg");
	return reg && line_says(s, "Size");
}

static bool is_table_dashes(struct span s)
{
	s = skip(s);
	bool const any = s.at < s.end;
	while (s.at < s.end && (*s.at == '-' || is_blank(*s.at)))
		s.at++;
	return any && s.at == s.end;
}

/* Returns the kind of a line, given the kind `last` of the line before it that is not blank.  Fills `row` for LINE_ROW. */
static enum line classify_line(const struct comment *c, enum line last, struct row *row)
{
	struct span const s = inside(c);
	if (skip(s).at == s.end)
		return c->length >= 2 && c->text[1] == '/' ? LINE_BLANK : LINE_OTHER;
	if (line_says(s, "Registers:"))
		return LINE_TITLE;
	if (last == LINE_TITLE && is_table_head(s))
		return LINE_HEAD;
	if (last == LINE_HEAD && is_table_dashes(s))
		return LINE_DASHES;
	return (last == LINE_DASHES || last == LINE_ROW) && read_table_row(s, row) ? LINE_ROW : LINE_OTHER;
}

/* ---- names ------------------------------------------------------------------------------- */

/* Returns the first comment from `c` on that has a row of constant registers, and fills `row`; NULL if there is none.  `*last` is the kind of
 * the line before. */
static const struct comment *next_constant_row(const struct comment *c, enum line *last, struct row *row)
{
	for (; c; c = c->next) {
		*row = (struct row){.file = 0};
		enum line const line = classify_line(c, *last, row);
		/* A blank line ends the rows, but may stand between the title and its table. */
		*last = line != LINE_BLANK ? line : *last == LINE_ROW || *last == LINE_DASHES ? LINE_OTHER : *last;
		if ((line == LINE_ROW || read_cgc_line(inside(c), row)) && row->file == 'c')
			return c;
	}
	return NULL;
}

/* Finds the first row in the comments that names c`constant`.  Returns false if there is none. */
static bool find_row_in(const struct comment *list, int constant, struct row *row)
{
	enum line last = LINE_OTHER;
	for (const struct comment *c = next_constant_row(list, &last, row); c; c = next_constant_row(c->next, &last, row))
		if (constant >= row->reg && constant < row->reg + row->size)
			return true;
	return false;
}

static bool find_constant_row(const struct program *p, int constant, struct row *row)
{
	struct other_row other;
	const struct given_name *given = given_name_find(p, constant);
	if (given) {
		struct span const name = {given->name, given->name + strlen(given->name)};
		*row = (struct row){.name = name, .file = 'c', .reg = given->reg, .size = given->size};
		return true;
	}
	if (find_row_in(p->head, constant, row) || find_row_in(p->intro, constant, row))
		return true;
	if (!other_tables_find(p, constant, &other))
		return false;
	struct span const name = {other.name, other.name + other.length};
	*row = (struct row){.name = name, .file = 'c', .reg = other.reg, .size = other.size};
	return true;
}

const char *listing_name(struct arena *a, const struct program *p, int constant)
{
	struct row row;
	if (!find_constant_row(p, constant, &row))
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
		for (const struct comment *c = next_constant_row(lists[k], &last, &row); c; c = next_constant_row(c->next, &last, &row))
			for (int reg = row.reg; reg < row.reg + row.size && reg < MOST; reg++)
				register_put_in(&all, reg);
	}
	return all;
}

int listing_extent(const struct program *p, int constant, int *first)
{
	struct row row;
	bool const found = find_constant_row(p, constant, &row);
	*first = found ? row.reg : constant;
	return found ? row.size : 1;
}

/* ---- the rows of a new program ------------------------------------------------------------ */

struct rows {
	VEC(struct row);
};

static bool row_is_read(const struct program *p, const struct row *r)
{
	bool read = r->file != 'c';
	for (int k = 0; !read && k < r->size; k++)
		read = program_reads_from_outside(p, r->reg + k);
	return read;
}

/* Inserts a row before the first row whose register is not a c#, or has the same or a higher number. */
static void insert_row(struct arena *a, struct rows *rows, const struct row *new)
{
	uint32_t at = 0;
	while (at < rows->n && rows->at[at].file == 'c' && rows->at[at].reg < new->reg)
		at++;
	VEC_PUSH(a, rows) = *new;
	memmove(&rows->at[at + 1], &rows->at[at], (rows->n - 1 - at) * sizeof *new);
	rows->at[at] = *new;
}

static bool same_span(struct span a, struct span b)
{
	return a.end - a.at == b.end - b.at && memcmp(a.at, b.at, (size_t)(a.end - a.at)) == 0;
}

/* Adds a row for each named copy among the needs of a VP whose register has none.  If another row has the name already, the new row is
 * called ps.NAME, since VP and FP may have different constants of one name. */
static void add_named_needs(struct arena *a, const struct program *p, struct rows *rows)
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
			clash |= !there && same_span(r->name, new.name);
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

/* A list of comments while it grows. */
struct comment_writer {
	struct arena *arena;
	struct comment **end;
};

static void keep_comment(struct comment_writer *w, const struct comment *c)
{
	struct comment *copy = arena_alloc(w->arena, sizeof *copy);
	*copy = *c;
	copy->next = NULL;
	*w->end = copy;
	w->end = &copy->next;
}

static void write_comment_line(struct comment_writer *w, const struct comment *like, const char *text)
{
	struct comment c = {.text = text, .length = (uint32_t)strlen(text), .blank = like && like->blank};
	keep_comment(w, &c);
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

static void write_table_row(struct comment_writer *w, const struct row *r, int column)
{
	char reg[8];
	snprintf(reg, sizeof reg, "%c%d", r->file, r->reg);
	int const length = (int)(r->name.end - r->name.at);
	write_comment_line(w, NULL, arena_printf(w->arena, "//   %-*.*s %-5s %4d", column, length, r->name.at, reg, r->size));
}

static void write_table_head(struct comment_writer *w, const struct comment *like, int column)
{
	write_comment_line(w, like, arena_printf(w->arena, "//   %-*s Reg   Size", column, "Name"));
}

static void write_table_rows(struct comment_writer *w, const struct comment *like, const struct rows *rows, int column)
{
	char dashes[2 * LISTING_NAME];
	memset(dashes, '-', sizeof dashes);
	write_comment_line(w, like, arena_printf(w->arena, "//   %.*s ----- ----", column, dashes));
	for (uint32_t k = 0; k < rows->n; k++)
		write_table_row(w, &rows->at[k], column);
}

/* Appends to `rows` the rows of the first table in a list of comments.  Returns false if there is no table. */
static bool find_table_rows(struct arena *a, const struct comment *list, struct rows *rows)
{
	enum line last = LINE_OTHER;
	bool found = false;
	for (const struct comment *c = list; c; c = c->next) {
		struct row row;
		enum line const line = classify_line(c, last, &row);
		if (found && line != LINE_ROW)
			break;
		if (line == LINE_ROW)
			VEC_PUSH(a, rows) = row;
		found |= line == LINE_DASHES;
		last = line == LINE_BLANK ? last : line;
	}
	return found;
}

static bool has_line(const struct comment *list, const char *words)
{
	bool found = false;
	for (const struct comment *c = list; c; c = c->next) {
		struct span s = skip(inside(c));
		found |= take(&s, words);
	}
	return found;
}

bool listing_is_hlsl(const struct program *p)
{
	static const char hlsl[] = "Generated by Microsoft (R) HLSL Shader Compiler ", d3dx[] = "Generated by Microsoft (R) D3DX9 Shader Compiler ";
	return has_line(p->head, hlsl) || has_line(p->intro, hlsl) || has_line(p->head, d3dx) || has_line(p->intro, d3dx);
}

/* Writes a table with its title and head, for a program without constants, whose compiler wrote no table. */
static void write_new_table(struct comment_writer *w, const struct rows *rows, int column)
{
	write_comment_line(w, NULL, "// Registers:");
	write_comment_line(w, NULL, "//");
	write_table_head(w, NULL, column);
	write_table_rows(w, NULL, rows, column);
	write_comment_line(w, NULL, "//");
}

/* Returns a copy of the comments with `rows` in place of the rows of their first table, or without that table if there are no `rows`. */
static struct comment *with_table(struct arena *a, struct comment *list, const struct rows *rows)
{
	struct comment *first = NULL;
	struct comment_writer w = {a, &first};
	int const column = name_column(rows);
	enum line last = LINE_OTHER;
	bool done = false;
	for (const struct comment *c = list; c; c = c->next) {
		struct row row;
		enum line const line = done && last != LINE_ROW && last != LINE_DASHES ? LINE_OTHER : classify_line(c, last, &row);
		bool const in_table = line != LINE_OTHER && (line != LINE_BLANK || last != LINE_OTHER);
		done |= line == LINE_DASHES;
		if (line == LINE_HEAD && rows->n)
			write_table_head(&w, c, column);
		else if (line == LINE_DASHES && rows->n)
			write_table_rows(&w, c, rows, column);
		else if (line != LINE_ROW && (rows->n || !in_table))
			keep_comment(&w, c);
		last = line == LINE_BLANK && last != LINE_ROW && last != LINE_DASHES ? last : line;
	}
	return first;
}

/* Returns the comments without lines of cgc for constants that the program does not read, and with lines, behind the last line of cgc, for the
 * named constants among its needs, as float4, since their types are not known.  Without lines of cgc, returns `list` itself. */
static struct comment *with_vars(struct arena *a, struct comment *list, const struct program *p)
{
	struct comment *first = NULL;
	struct comment_writer w = {a, &first};
	struct rows rows = {0};
	struct row row;
	uint32_t left = 0;
	for (const struct comment *c = list; c; c = c->next)
		if (read_cgc_line(inside(c), &row)) {
			VEC_PUSH(a, &rows) = row;
			left++;
		}
	if (!left)
		return list;
	add_named_needs(a, p, &rows);
	for (const struct comment *c = list; c; c = c->next) {
		bool const var = read_cgc_line(inside(c), &row);
		if (!var || row_is_read(p, &row))
			keep_comment(&w, c);
		if (!var || --left)
			continue;
		for (uint32_t k = 0; k < rows.n; k++)
			if (rows.at[k].added)
				write_comment_line(&w, NULL, arena_printf(a, "//var float4 %.*s :  : c[%d] : -1 : 1",
				                                  (int)(rows.at[k].name.end - rows.at[k].name.at), rows.at[k].name.at, rows.at[k].reg));
	}
	return first;
}

/* Returns true for a line such as "approximately 5 instruction slots used (1 texture, 4 arithmetic)". */
static bool is_slot_count(struct span s)
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
	struct comment_writer w = {a, &first};
	if (!list)
		return NULL;
	struct slots const n = program_slots(p);
	unsigned const all = program_total_slots(p);
	struct text t = {.arena = a};
	text_printf(&t, "// approximately %u instruction slot%s used", all, all == 1 ? "" : "s");
	if (n.tex)
		text_printf(&t, " (%u texture, %u arithmetic)", n.tex, n.arith);
	for (const struct comment *c = list; c; c = c->next) {
		if (is_slot_count(inside(c)))
			write_comment_line(&w, c, t.at);
		else
			keep_comment(&w, c);
	}
	return first;
}

struct program *listing_update(struct arena *a, const struct program *p, const struct program *before)
{
	struct program *new = arena_alloc(a, sizeof *new);
	*new = *p;
	struct rows all = {0}, rows = {0};
	struct comment **list = find_table_rows(a, p->head, &all) ? &new->head : find_table_rows(a, p->intro, &all) ? &new->intro : NULL;
	for (uint32_t k = 0; k < all.n; k++)
		if (row_is_read(p, &all.at[k]))
			VEC_PUSH(a, &rows) = all.at[k];
	add_named_needs(a, p, &rows);
	if (list) {
		*list = with_table(a, *list, &rows);
	} else if (rows.n && has_line(p->head, "Generated by ")) {
		struct comment_writer w = {a, &new->head};
		for (const struct comment *c = p->head; c; c = c->next)
			keep_comment(&w, c);
		write_new_table(&w, &rows, name_column(&rows));
	}
	new->head = with_vars(a, new->head, p);
	new->intro = with_vars(a, new->intro, p);
	if (before)
		new->head = with_count(a, new->head, before);
	new->tail = with_count(a, p->tail, p);
	return new;
}
