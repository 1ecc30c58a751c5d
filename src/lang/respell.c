/* Restores the spelling of the source, see respell.h. */
#include "lang/respell.h"

#include "lang/encoding.h"
#include "lang/lex.h"
#include "lang/scan.h"

#include <string.h>

bool respell_can(const struct source *s)
{
	return s && !s->bytecode && !s->nmarks && !memchr(s->text, '\0', s->size);
}

/* ---- comparing two spellings ---------------------------------------------------------- */

/* The rest of a text that says_same() reads. */
struct spelling {
	const char *at, *end;
};

static void skip_spaces(struct spelling *s)
{
	while (s->at < s->end && is_space(*s->at))
		s->at++;
}

static void trim_spaces(struct spelling *s)
{
	skip_spaces(s);
	while (s->end > s->at && is_space(s->end[-1]))
		s->end--;
}

/* Returns the lane that a letter names, or -1 if it names none. */
static int lane_of_letter(char letter)
{
	static const char letters[] = "xyzwrgba";
	const char *found = letter ? strchr(letters, to_lower(letter)) : NULL;
	return found ? (int)(found - letters) % LANES : -1;
}

/* Takes a dot and one to four letters for lanes off the text.  Returns their swizzle, in which the last letter repeats, or SWIZZLE_XYZW if
 * there are none. */
static unsigned take_spelled_lanes(struct spelling *s)
{
	unsigned n = 0, lanes_read = 0, last = 0;
	const char *c = s->at;
	if (c < s->end && *c == '.')
		for (c++; c < s->end && lane_of_letter(*c) >= 0 && n < LANES; c++, n++) {
			last = (unsigned)lane_of_letter(*c);
			lanes_read |= last << 2 * n;
		}
	bool const word_ends = c == s->end || is_space(*c) || strchr(",;/]", *c);
	if (!n || !word_ends)
		return SWIZZLE_XYZW;
	s->at = c;
	for (; n < LANES; n++)
		lanes_read |= last << 2 * n;
	return lanes_read;
}

static bool begins_with(const struct spelling *s, const char *word)
{
	size_t const n = strlen(word);
	bool same = (size_t)(s->end - s->at) >= n;
	for (size_t k = 0; same && k < n; k++)
		same = to_lower(s->at[k]) == word[k];
	return same;
}

/* Takes _pp_sat or _sat_pp off the text and returns true; returns false if neither stands there. */
static bool take_both_suffixes(struct spelling *s)
{
	bool const both = begins_with(s, "_pp_sat") || begins_with(s, "_sat_pp");
	s->at += both ? strlen("_pp_sat") : 0;
	return both;
}

/* Returns true if two texts differ at most in white space, case, letters of lanes, and the order of _pp and _sat. */
static bool says_same(struct spelling a, struct spelling b)
{
	trim_spaces(&a);
	trim_spaces(&b);
	if (a.end - a.at == b.end - b.at && memcmp(a.at, b.at, (size_t)(a.end - a.at)) == 0)
		return true;
	for (;;) {
		while (a.at < a.end && b.at < b.end && *a.at == *b.at && *a.at != '.' && *a.at != '_')
			a.at++, b.at++;
		skip_spaces(&a);
		skip_spaces(&b);
		if (a.at == a.end || b.at == b.end)
			break;
		bool const suffixes = take_both_suffixes(&a);
		if (suffixes != take_both_suffixes(&b) || take_spelled_lanes(&a) != take_spelled_lanes(&b))
			return false;
		if (a.at == a.end || b.at == b.end || is_space(*a.at) || is_space(*b.at))
			continue;
		if (to_lower(*a.at++) != to_lower(*b.at++))
			return false;
	}
	return take_spelled_lanes(&a) == take_spelled_lanes(&b) && a.at == a.end && b.at == b.end;
}

static bool same_said(const struct said *a, const struct said *b)
{
	return says_same((struct spelling){a->at, a->at + a->n}, (struct spelling){b->at, b->at + b->n});
}

int *respell_lines(struct arena *arena, const struct said *new, uint32_t nnew, const struct said *old, uint32_t nold)
{
	/* common[k][j] is the length of the longest common subsequence of the new lines from k on and the old lines from j on. */
	size_t const row = (size_t)nold + 1;
	uint32_t *common = arena_zero(arena, (nnew + 1) * row * sizeof *common);
	int *of = arena_alloc(arena, (nnew + 1) * sizeof *of);
	for (uint32_t k = nnew; k-- > 0;)
		for (uint32_t j = nold; j-- > 0;) {
			uint32_t const *next = &common[(k + 1) * row + j];
			uint32_t const skipped = common[k * row + j + 1] > *next ? common[k * row + j + 1] : *next;
			common[k * row + j] = same_said(&new[k], &old[j]) ? next[1] + 1 : skipped;
		}
	for (uint32_t k = 0, j = 0; k < nnew; k++) {
		while (j < nold && common[k * row + j + 1] == common[k * row + j])
			j++;
		bool const again = j < nold && common[k * row + j] > common[(k + 1) * row + j] && same_said(&new[k], &old[j]);
		of[k] = again ? (int)j++ : SAID_NEW;
	}
	return of;
}

/* ---- lines of the source -------------------------------------------------------------- */

/* A part of a source, from byte `from` to before byte `to`. */
struct part {
	size_t from, to;
};

/* Returns the start of the line that has offset `at`; for the first line, the offset behind the byte order mark. */
static size_t source_line_start(const struct source *s, size_t at)
{
	size_t const first = encoding_mark(s);
	while (at > first && s->text[at - 1] != '\n')
		at--;
	return at;
}

static bool is_blank_between(const struct source *s, size_t from, size_t to)
{
	while (from < to && is_space(s->text[from]))
		from++;
	return from == to;
}

static bool is_in(const struct source *s, const struct comment *c)
{
	return c->text >= s->text && c->text + c->length <= s->text + s->size;
}

/* Sets *part to the source's lines with a statement and all its comments or, if `before` is false, only the comments that follow it on its line.
 * Returns false if the source lacks one of these, or has other text before them on the first line. */
static bool find_statement_lines(const struct source *s, srcpos at, const struct comment *comments, bool before, struct part *part)
{
	size_t from = at, to = at;
	bool first = at == SRCPOS_NONE, found = !first;
	if (first && !before)
		return false;
	for (const struct comment *c = comments; c; c = c->next) {
		if (!before && !c->behind)
			continue;
		if (!is_in(s, c))
			return false;
		size_t const c_from = (size_t)(c->text - s->text), c_to = c_from + c->length;
		from = !found || c_from < from ? c_from : from;
		to = !found || c_to > to ? c_to : to;
		found = true;
	}
	if (!found || to > s->size)
		return false;
	*part = (struct part){source_line_start(s, from), scan_line_end(s, to)};
	return is_blank_between(s, part->from, from);
}

/* Extends a part by the blank lines before it.  If `first`, for the first part printed, does so only if nothing else precedes it in the source. */
static void add_blank_lines(const struct source *s, struct part *part, bool first)
{
	size_t const begin = encoding_mark(s);
	size_t from = part->from;
	while (from > begin && is_blank_between(s, source_line_start(s, from - 1), from))
		from = source_line_start(s, from - 1);
	if (!first || from == begin)
		part->from = from;
}

/* Replaces the text printed from `from` on by the lines `part` of the source.  Returns false, and changes nothing, unless says_same(). */
static bool take_source_lines(const struct source *s, struct text *t, size_t from, struct part part)
{
	if (!says_same((struct spelling){t->at + from, t->at + t->n}, (struct spelling){s->text + part.from, s->text + part.to}))
		return false;
	t->n = from;
	text_bytes(t, s->text + part.from, part.to - part.from);
	t->n -= part.to > part.from && t->at[t->n - 1] == '\r';
	text_char(t, '\n');
	return true;
}

/* Inserts n bytes of the source, from offset `from` on, into the text at offset `at`. */
static void put_before(const struct respell *r, struct text *t, size_t at, size_t from, size_t n)
{
	size_t const rest = t->n - at;
	text_bytes(t, r->source->text + from, n);
	memmove(t->at + at + n, t->at + at, rest);
	memcpy(t->at + at, r->source->text + from, n);
}

/* Indents the comments printed from offset `at` to `end` as in the source.  Returns their new end. */
static size_t indent_comments(const struct respell *r, struct text *t, size_t at, size_t end, const struct comment *comments)
{
	const struct source *s = r->source;
	for (const struct comment *c = comments; c; c = c->next) {
		if (c->behind || !is_in(s, c))
			continue;
		while (at < end && t->at[at] == '\n')
			at++;
		size_t const to = (size_t)(c->text - s->text), from = source_line_start(s, to);
		size_t n = c->length;
		while (n > 0 && strchr(" \t\r\\", c->text[n - 1])) /* the printer drops these, too */
			n--;
		bool const there = n <= end - at && memcmp(t->at + at, c->text, n) == 0;
		if (!there || !is_blank_between(s, from, to))
			break;
		put_before(r, t, at, from, to - from);
		end += to - from;
		at += to - from + n;
	}
	return end;
}

void respell(struct respell *r, struct text *t, size_t from, size_t own, srcpos at, const struct comment *comments)
{
	const struct source *s = r->source;
	struct part part;
	if (!s || t->n == from || (at != SRCPOS_NONE && at >= s->size))
		return;
	if (at != SRCPOS_NONE && is_blank_between(s, source_line_start(s, at), at)) {
		r->indent = source_line_start(s, at);
		r->indented = at - r->indent;
	}
	if (find_statement_lines(s, at, comments, true, &part)) {
		if (from == 0 || t->at[from] == '\n')
			add_blank_lines(s, &part, from == 0);
		if (take_source_lines(s, t, from, part))
			return;
	}
	own = at == SRCPOS_NONE ? own : indent_comments(r, t, from, own, comments);
	if (find_statement_lines(s, at, comments, false, &part) && take_source_lines(s, t, own, part))
		return;
	if (own < t->n)
		put_before(r, t, own, r->indent, r->indented);
}

/* ---- statements that came to another block -------------------------------------------- */

void respell_note(struct respell *r, srcpos at, unsigned level)
{
	const struct source *s = r->source;
	if (at == SRCPOS_NONE || at >= s->size || level >= RESPELL_LEVELS)
		return;
	size_t const line = source_line_start(s, at);
	r->level[at] = (uint8_t)(1 + level);
	if (!r->blanks[level].there && is_blank_between(s, line, at)) {
		r->blanks[level].at = line;
		r->blanks[level].n = at - line;
		r->blanks[level].there = true;
	}
}

void respell_indent(struct respell *r, struct text *t, size_t from, srcpos at, unsigned level)
{
	if (!r->level || at == SRCPOS_NONE || level >= RESPELL_LEVELS || !r->blanks[level].there || !r->level[at] || r->level[at] == 1 + level)
		return;
	r->indent = r->blanks[level].at;
	r->indented = r->blanks[level].n;
	struct text const lines = {.at = arena_copy(t->arena, t->at + from, t->n - from), .n = t->n - from};
	t->n = from;
	for (size_t k = 0; k < lines.n; k++) {
		bool const begins_with = k == 0 || lines.at[k - 1] == '\n';
		while (begins_with && (lines.at[k] == ' ' || lines.at[k] == '\t'))
			k++;
		if (begins_with && lines.at[k] != '\n')
			text_bytes(t, r->source->text + r->indent, r->indented);
		text_char(t, lines.at[k]);
	}
}

/* ---- byte order mark and line ends ---------------------------------------------------- */

/* Puts the byte order mark of the source before the text. */
static void begin_marked(struct text *t, const struct source *s)
{
	struct text const unmarked = {.at = arena_copy(t->arena, t->at, t->n), .n = t->n};
	t->n = 0;
	text_bytes(t, s->text, encoding_mark(s));
	text_bytes(t, unmarked.at, unmarked.n);
}

/* Ends all lines with \r\n. */
static void end_as_dos(struct text *t)
{
	struct text const unix_ends = {.at = arena_copy(t->arena, t->at, t->n), .n = t->n};
	t->n = 0;
	for (size_t k = 0; k < unix_ends.n; k++) {
		if (unix_ends.at[k] == '\n' && (k == 0 || unix_ends.at[k - 1] != '\r'))
			text_char(t, '\r');
		text_char(t, unix_ends.at[k]);
	}
}

void respell_end(const struct respell *r, struct text *t, bool alone)
{
	const struct source *s = r->source;
	if (!s || !t->n)
		return;
	const char *newline = memchr(s->text, '\n', s->size);
	if (newline && newline > s->text && newline[-1] == '\r')
		end_as_dos(t);
	size_t last = s->size;
	while (alone && last > 0 && is_space(s->text[last - 1]))
		last--;
	while (alone && t->n > 0 && is_space(t->at[t->n - 1]))
		t->n--;
	if (alone)
		text_bytes(t, s->text + last, s->size - last);
	if (encoding_mark(s))
		begin_marked(t, s);
}
