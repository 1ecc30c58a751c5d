/* Reads tables of constants in engines' dumps and in handwritten comments, see other_tables.h. */
#include "lang/other_tables.h"

#include "lang/span.h"

/* Returns the text of a // or ; comment behind its mark, without blanks around it; an empty span for a block comment. */
static struct span span_of_comment(const struct comment *c)
{
	struct span s = inside(c);
	if (c->length && *c->text == ';')
		for (s = (struct span){c->text, c->text + c->length}; s.at < s.end && *s.at == ';'; s.at++)
			;
	while (s.end > s.at && is_blank(s.end[-1]))
		s.end--;
	return skip(s);
}

static void set_name(struct other_row *to, const char *at, const char *end)
{
	to->name = at;
	to->length = (size_t)(end - at);
}

/* Takes "[_Light]" off the span.  The name ends at the last ] of the line, since names of arrays have brackets.  Returns false if none stands
 * there. */
static bool take_bracketed(struct span *s, struct other_row *to)
{
	const char *end = s->end;
	if (!take(s, "["))
		return false;
	while (end > s->at && end[-1] != ']')
		end--;
	if (end <= s->at + 1)
		return false;
	set_name(to, s->at, end - 1);
	s->at = end;
	return listing_name_length(to->name, end - 1) == to->length;
}

/* Reads "Vector 3 [_Light]", "Float 7 [_Cutoff]", "Matrix 4 [_Object2World]" or "Matrix 4 [_Object2World] 3". */
static bool read_engine_row(struct span s, struct other_row *to)
{
	enum { ROWS = 4 };
	bool const matrix = take(&s, "Matrix ");
	if (!matrix && !take(&s, "Vector ") && !take(&s, "Float "))
		return false;
	s = skip(s);
	to->reg = take_number(&s);
	to->size = matrix ? ROWS : 1;
	s = skip(s);
	if (to->reg < 0 || !take_bracketed(&s, to))
		return false;
	s = skip(s);
	if (matrix && s.at < s.end)
		to->size = take_number(&s);
	return s.at == s.end && to->size > 0 && to->size <= ROWS;
}

/* Takes "c3", "c[3]", "c3-c6" or "c3-6" off the span.  Sets *size to 0 for a single register.  Returns false if none of these stands there. */
static bool take_registers(struct span *s, int *first, int *size)
{
	struct span t = *s;
	bool const index = take(&t, "c[");
	*size = 0;
	if (!index && !take(&t, "c"))
		return false;
	*first = take_number(&t);
	if (*first < 0 || (index && !take(&t, "]")))
		return false;
	if (!index && take(&t, "-")) {
		take(&t, "c");
		*size = take_number(&t) - *first + 1;
		if (*size <= 0)
			return false;
	}
	if (t.at < t.end && !is_blank(*t.at) && *t.at != '=')
		return false;
	*s = t;
	return true;
}

static bool is_digits(const char *at, size_t n)
{
	size_t digits = 0;
	while (digits < n && at[digits] >= '0' && at[digits] <= '9')
		digits++;
	return n > 0 && digits == n;
}

/* Returns true for a word that cannot be a constant's name: a register, a number, "unused" or "free". */
static bool is_no_name(const char *at, size_t n)
{
	static const char *const words[] = {"unused", "free", "oPos", "oFog", "oPts", "oDepth", "vPos", "vFace", "aL"};
	bool found = strchr("0123456789.[]", *at) != NULL;
	for (size_t k = 0; k < n; k++)
		n = at[k] == '.' || at[k] == '[' ? k : n; /* r0.x is judged as r0, c[4] as c */
	found |= strchr("rvctsoabip", *at) && (n == 1 || is_digits(at + 1, n - 1));
	found |= n > 2 && at[0] == 'o' && strchr("TCD", at[1]) && is_digits(at + 2, n - 2);
	for (unsigned k = 0; k < sizeof words / sizeof *words && !found; k++)
		found = strlen(words[k]) == n && memcmp(words[k], at, n) == 0;
	return found;
}

enum part { NOTHING, NAME, EQUALS, REGISTERS, SIZE };

struct loose {
	enum part last;
	unsigned seen; /* a bit for each part that was seen */
	int size;      /* the number that stands by itself; 0 if there is none */
	int range;     /* number of registers of "c3-c6"; 0 if no such range stands there */
};

static bool is_seen(const struct loose *l, enum part part)
{
	return l->seen >> part & 1;
}

/* Takes the next part of a line off the span: a name, registers, a size or =.  Returns its kind, or NOTHING for any other word. */
static enum part take_row_part(struct span *s, const struct loose *l, struct other_row *to, int *number)
{
	size_t const n = listing_name_length(s->at, s->end);
	if (take(s, "="))
		return EQUALS;
	if (!is_seen(l, REGISTERS) && take_registers(s, &to->reg, number))
		return REGISTERS;
	if (is_digits(s->at, n)) {
		*number = take_number(s);
		return *number > 0 ? SIZE : NOTHING;
	}
	if (!n || is_no_name(s->at, n))
		return NOTHING;
	set_name(to, s->at, s->at + n);
	s->at += n;
	return s->at == s->end || is_blank(*s->at) || *s->at == '=' ? NAME : NOTHING;
}

/* Reads "_Light c3 1", "1 c3 _Light", "c3 = _Light" or "_World = c4-c7". */
static bool read_loose_row(struct span s, struct other_row *to)
{
	struct loose l = {.last = NOTHING};
	for (s = skip(s); s.at < s.end; s = skip(s)) {
		int number = 0;
		enum part const part = take_row_part(&s, &l, to, &number);
		bool const is_side = part == NAME || part == REGISTERS, was_side = l.last == NAME || l.last == REGISTERS;
		if (part == NOTHING || is_seen(&l, part) || (part == EQUALS && !was_side) || (l.last == EQUALS && !is_side))
			return false;
		l.size = part == SIZE ? number : l.size;
		l.range = part == REGISTERS ? number : l.range;
		/* A = may only stand between the name and the registers. */
		if (is_side && is_seen(&l, EQUALS) && l.last != EQUALS)
			return false;
		l.seen |= 1u << part;
		l.last = part;
	}
	to->size = l.size ? l.size : l.range ? l.range : 1;
	return is_seen(&l, NAME) && is_seen(&l, REGISTERS) && l.last != EQUALS && (is_seen(&l, EQUALS) || l.size) &&
	       (!l.size || !l.range || l.size == l.range);
}

/* ---- all rows of a program ----------------------------------------------------------------- */

/* Returns true if a comment begins with "ConstBuffer", since rows of engines then count bytes instead of registers. */
static bool counts_bytes(const struct comment *list)
{
	bool found = false;
	for (const struct comment *c = list; c && !found; c = c->next) {
		struct span s = span_of_comment(c);
		found = take(&s, "ConstBuffer ");
	}
	return found;
}

/* A walk over the comments of a program, from its head to its intro, for rows. */
struct row_walk {
	const struct program *program;
	const struct comment *at; /* the next comment */
	bool in_intro, bytes;
};

static struct row_walk start_row_walk(const struct program *p)
{
	return (struct row_walk){.program = p, .at = p->head, .bytes = counts_bytes(p->head) || counts_bytes(p->intro)};
}

static bool defines_any(const struct program *p, const struct other_row *row)
{
	bool any = false;
	for (int k = 0; k < row->size && !any; k++)
		any = program_decl(p, REG_CONST, row->reg + k) != NULL;
	return any;
}

static bool next_other_row(struct row_walk *w, struct other_row *row)
{
	for (;;) {
		if (!w->at && w->in_intro)
			return false;
		if (!w->at) {
			w->at = w->program->intro;
			w->in_intro = true;
			continue;
		}
		struct span const s = span_of_comment(w->at);
		w->at = w->at->next;
		bool const is_row = s.at < s.end && ((!w->bytes && read_engine_row(s, row)) || read_loose_row(s, row));
		if (is_row && row->reg + row->size <= LISTING_MOST && !defines_any(w->program, row))
			return true;
	}
}

static bool row_covers(const struct other_row *row, int constant)
{
	return constant >= row->reg && constant < row->reg + row->size;
}

static bool same_rows(const struct other_row *a, const struct other_row *b)
{
	return a->reg == b->reg && a->size == b->size && a->length == b->length && memcmp(a->name, b->name, a->length) == 0;
}

bool other_tables_find(const struct program *p, int constant, struct other_row *to)
{
	struct other_row row;
	bool found = false;
	for (struct row_walk w = start_row_walk(p); next_other_row(&w, &row);) {
		if (!row_covers(&row, constant))
			continue;
		if (found && !same_rows(to, &row))
			return false;
		*to = row;
		found = true;
	}
	return found;
}

struct register_set other_tables_registers(const struct program *p)
{
	struct register_set all = {{0}};
	struct other_row row, one;
	for (struct row_walk w = start_row_walk(p); next_other_row(&w, &row);)
		for (int c = row.reg; c < row.reg + row.size; c++)
			if (other_tables_find(p, c, &one))
				register_put_in(&all, c);
	return all;
}
