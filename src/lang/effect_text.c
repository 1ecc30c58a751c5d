/* Texts of blocks: cut, preprocessed, or spelt by literals, see effect_text.h. */
#include "lang/effect_text.h"

#include "lang/encoding.h"
#include "lang/scan.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct source effect_slice(struct arena *arena, const struct source *file, size_t from, size_t to,
                           struct scan_line *line)
{
	struct line_mark *mark = arena_zero(arena, sizeof *mark);
	scan_line_to(line, file, from);
	*mark = (struct line_mark){.line = line->line, .file = file->name, .text = file->text + line->start};
	return (struct source){.name = file->name, .size = to - from, .marks = mark, .nmarks = 1,
	                       .text = arena_copy(arena, file->text + from, to - from)};
}

void effect_cut(struct arena *arena, struct effect *e)
{
	struct scan_line line;
	scan_line_init(&line, e->file);
	for (uint32_t k = 0; k < e->blocks.n; k++) {
		struct effect_block *b = &e->blocks.at[k];
		if (b->kind != EFFECT_ASM)
			continue;
		b->source = effect_slice(arena, e->file, b->from, b->to, &line);
		b->live = true;
	}
}

static const char mark_word[] = "fpmove_block_";
static const char mark_format[] = " fpmove_block_%u_%s ";

/* Returns the character that replaces `c` in code that is masked for the preprocessor: `c` if a use of a macro can contain it, or a blank.  A
 * semicolon becomes a colon, since it would start a comment of the assembly language. */
static char for_macros(char c)
{
	if (is_of_word(c) || (c && strchr("\n(),{}[]=<>", c)))
		return c;
	return c == ';' ? ':' : ' ';
}

/* Writes a preprocessor line.  If `code`, replaces semicolons and quotes in a #define, as for_macros() does. */
static void mask_directive(struct text *out, const struct source *file, size_t from, size_t to, bool code)
{
	const char *text = file->text, *word = text + from + 1 + strspn(text + from + 1, " \t");
	bool const masks = code && strncmp(word, "define", 6) == 0;
	for (; from < to; from++)
		text_char(out, !masks || !strchr(";\"'", text[from]) ? text[from] : text[from] == ';' ? ':' : ' ');
}

static size_t past_literal(const struct source *file, size_t at)
{
	size_t const past = scan_comment(file, at, false);
	return past == at && (file->text[at] == '"' || file->text[at] == '\'') ? scan_string(file, at) : past;
}

/* Writes the text of effect_masked().  Without `known`, puts marker words before and behind each asm block. */
static void mask_file(const struct effect *e, const struct effect_words *known, struct text *out)
{
	const struct source *file = e->file;
	uint32_t k = 0, passed = 0;
	bool start = true; /* only blanks were seen so far on the line */
	for (size_t at = encoding_mark(file), to; at < file->size; at = to) {
		bool blank = true;
		while (k < e->blocks.n && (known ? e->blocks.at[k].to <= at : e->blocks.at[k].kind != EFFECT_ASM))
			k++;
		while (known && passed < known->n && known->at[passed] < at)
			passed++;
		const struct effect_block *b = k < e->blocks.n && at >= e->blocks.at[k].from ? &e->blocks.at[k] : NULL;
		to = b ? b->to : past_literal(file, at);
		if (b && !known) {
			text_printf(out, mark_format, (unsigned)k, "from");
			text_bytes(out, file->text + at, to - at);
			text_printf(out, mark_format, (unsigned)k, "to");
			start = false;
			k++;
			continue;
		}
		if (!b && start && file->text[at] == '#') {
			to = scan_logical_line_end(file, at);
			mask_directive(out, file, at, to, known != NULL);
			continue;
		}
		if (to == at) {
			size_t const word = effect_word_length(file, at);
			to = at + (word ? word : 1);
			blank = !known || (passed < known->n && known->at[passed] == at);
		}
		for (size_t i = at; i < to; i++) {
			start = file->text[i] == '\n' || (start && (file->text[i] == ' ' || file->text[i] == '\t'));
			text_char(out, blank && file->text[i] != '\n' ? ' ' : for_macros(file->text[i]));
		}
	}
}

const struct source *effect_masked(struct arena *arena, const struct effect *e, const struct effect_words *known)
{
	struct source *s = arena_zero(arena, sizeof *s);
	struct line_mark *written = arena_zero(arena, sizeof *written);
	struct text masked = {.arena = arena};
	text_string(&masked, "");
	mask_file(e, known, &masked);
	*written = (struct line_mark){.line = e->file->first_line ? e->file->first_line : 1, .file = e->file->name, .text = e->file->text};
	*s = (struct source){.name = e->file->name, .text = masked.at, .size = masked.n, .marks = written, .nmarks = 1};
	return s;
}

/* A place in the text of a source that only moves forward. */
struct cursor {
	const struct source *source;
	size_t at;
	uint32_t marks;        /* number of the source's marks at or before `at` */
	struct line_mark line; /* the line of `at` */
};

static void cursor_advance(struct cursor *c, size_t to)
{
	const struct source *s = c->source;
	for (; c->marks < s->nmarks && s->marks[c->marks].at <= to; c->marks++) {
		c->line = s->marks[c->marks];
		c->at = c->line.at;
	}
	for (; c->at < to; c->at++) {
		if (s->text[c->at] != '\n')
			continue;
		c->line.line++;
		c->line.text = line_after(c->line.text);
	}
}

/* Returns bytes `from` to `to` - 1 of the cursor's source as a source with its marks.  Moves the cursor to `from`. */
static struct source slice(struct arena *arena, struct cursor *c, size_t from, size_t to)
{
	const struct source *s = c->source;
	struct { VEC(struct line_mark); } marks = {0};
	cursor_advance(c, from);
	VEC_PUSH(arena, &marks) = c->line;
	marks.at[0].at = 0;
	for (uint32_t i = c->marks; i < s->nmarks && s->marks[i].at < to; i++) {
		struct line_mark mark = s->marks[i];
		mark.at -= (srcpos)from;
		VEC_PUSH(arena, &marks) = mark;
	}
	return (struct source){.name = s->name, .text = arena_copy(arena, s->text + from, to - from), .size = to - from,
	                       .marks = marks.at, .nmarks = marks.n};
}

bool effect_expand(struct arena *arena, struct effect *e, const struct preprocess_options *options, struct diags *diags)
{
	struct source *out = arena_zero(arena, sizeof *out);
	if (!preprocess(arena, effect_masked(arena, e, NULL), options, out, diags))
		return false;
	e->includes = out->includes;
	e->nincludes = out->nincludes;
	const char *at = out->text;
	struct cursor cursor = {.source = out, .line = {.line = 1, .file = out->name}};
	while ((at = strstr(at, mark_word)) != NULL) {
		char *rest, to_word[48];
		unsigned long k = strtoul(at + sizeof mark_word - 1, &rest, 10);
		at = rest;
		if (k >= e->blocks.n || strncmp(rest, "_from", 5) != 0)
			continue;
		snprintf(to_word, sizeof to_word, "%s%lu_to", mark_word, k);
		struct effect_block *b = &e->blocks.at[k];
		const char *from = rest + 5, *to = b->live ? NULL : strstr(from, to_word);
		if (!to)
			break; /* stop: a word of the user looks like a marker */
		b->source = slice(arena, &cursor, (size_t)(from - out->text), (size_t)(to - out->text));
		b->live = true;
		at = to;
	}
	return true;
}

/* Returns the length of the version token at `at`, as of vs_2_0 or ps_2_sw, or 0 if there is none. */
static size_t version_length(const struct source *s, size_t at)
{
	const char *c = s->text + at;
	if (s->size - at < 6 || !strchr("vVpP", c[0]) || (c[1] | 0x20) != 's' || !strchr("._", c[2]) ||
	    c[3] < '0' || c[3] > '9' || !strchr("._", c[4]))
		return 0;
	size_t n = 5;
	while (at + n < s->size && (c[n] == '_' || (c[n] >= '0' && c[n] <= '9') || ((c[n] | 0x20) >= 'a' && (c[n] | 0x20) <= 'z')))
		n++;
	return n > 5 && n <= 7 ? n : 0;
}

bool effect_is_program(const struct source *s)
{
	size_t at = scan_to_code(s, encoding_mark(s), true), n = version_length(s, at);
	/* A literal that is only the name of a model is no program: applications print such names. */
	return n > 0 && at + n < s->size && strchr(" \t\r\n;/", s->text[at + n]);
}

unsigned effect_version(const struct source *s, enum stage *stage)
{
	size_t const at = scan_to_code(s, encoding_mark(s), true);
	if (!version_length(s, at))
		return 0;
	*stage = (s->text[at] | 0x20) == 'v' ? STAGE_VERTEX : STAGE_PIXEL;
	return (unsigned)(s->text[at + 3] - '0');
}

bool effect_has_preshader(const struct source *s)
{
	static const char word[] = "preshader";
	size_t at = scan_to_code(s, encoding_mark(s), true), n = sizeof word - 1;
	return s->size - at > n && strncmp(s->text + at, word, n) == 0 && strchr(" \t\r\n;/", s->text[at + n]);
}

enum model effect_model(const struct source *s)
{
	size_t at = scan_to_code(s, encoding_mark(s), true), n = version_length(s, at);
	for (unsigned m = 0; m < MODEL_COUNT; m++) {
		const char *name = models[m].name;
		size_t i = 0;
		while (i < n && (s->text[at + i] == '.' ? '_' : s->text[at + i] == '_' ? '_' : s->text[at + i] | 0x20) == name[i])
			i++;
		if (n && i == n && name[n] == '\0')
			return (enum model)m;
	}
	return MODEL_COUNT;
}

/* ---- string literals --------------------------------------------------------------- */

/* Reads up to `most` digits of base 8 or 16 at *c, and moves *c behind them.  Returns their value. */
static uint32_t take_digits(const char **c, uint32_t base, unsigned most)
{
	uint32_t value = 0;
	for (unsigned n = 0; n < most; n++, ++*c) {
		char const lower_case = (char)(**c | 0x20);
		if (**c >= '0' && **c <= (base == 8 ? '7' : '9'))
			value = value * base + (uint32_t)(**c - '0');
		else if (base == 16 && lower_case >= 'a' && lower_case <= 'f')
			value = value * base + (uint32_t)(lower_case - 'a' + 10);
		else
			break;
	}
	return value;
}

static void put_utf8(struct text *t, uint32_t c)
{
	unsigned const more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
	static const unsigned char first[] = {0, 0xc0, 0xe0, 0xf0};
	text_char(t, (char)(first[more] | c >> 6 * more));
	for (unsigned k = more; k-- > 0;)
		text_char(t, (char)(0x80 | (c >> 6 * k & 0x3f)));
}

/* Adds the character of the escape sequence at *c, behind its backslash, and moves *c behind it. */
static void put_escaped(struct text *t, const char **c)
{
	static const char letters[] = "ntrvfabe", bytes[] = "\n\t\r\v\f\a\b\033";
	char const e = *(*c)++;
	const char *letter = e ? strchr(letters, e) : NULL;
	if (e >= '0' && e <= '7') {
		--*c;
		text_char(t, (char)(unsigned char)take_digits(c, 8, 3));
	} else if (e == 'x') {
		text_char(t, (char)(unsigned char)take_digits(c, 16, UINT_MAX));
	} else if (e == 'u' || e == 'U') {
		put_utf8(t, take_digits(c, 16, e == 'u' ? 4 : 8) & 0x1fffff);
	} else if (e == '\r' && **c == '\n') {
		++*c;
	} else if (e != '\n') { /* a backslash and a line end stand for no character */
		text_char(t, letter ? bytes[letter - letters] : e);
	}
}

struct source effect_literals(struct arena *arena, const struct source *file, size_t *at, struct scan_line *line)
{
	struct text text = {.arena = arena};
	struct { VEC(struct line_mark); } marks = {0};
	size_t from = *at;
	bool new_line = true;
	text_string(&text, "");
	while (from < file->size && file->text[from] == '"') {
		size_t to = scan_string(file, from);
		if (to == from + 1)
			break; /* the string is not closed */
		if (line)
			scan_line_to(line, file, from);
		for (const char *c = file->text + from + 1; c < file->text + to - 1;) {
			if (new_line && line)
				VEC_PUSH(arena, &marks) =
					(struct line_mark){.at = (srcpos)text.n, .line = line->line, .file = file->name, .text = file->text + line->start};
			size_t const before = text.n;
			if (*c == '\\') {
				c++;
				put_escaped(&text, &c);
			} else {
				text_char(&text, *c++);
			}
			new_line = text.n > before ? text.at[text.n - 1] == '\n' : new_line;
		}
		*at = to;
		from = scan_to_code(file, to, false);
	}
	return (struct source){.name = file->name, .text = text.at, .size = text.n, .marks = marks.at, .nmarks = marks.n};
}

bool effect_expand_literal(struct arena *arena, struct effect_block *b, const struct preprocess_options *options,
                           struct diags *diags)
{
	if (!preprocess_wanted(&b->source, options))
		return true;
	struct source *in = arena_zero(arena, sizeof *in), out;
	*in = b->source;
	if (!preprocess(arena, in, options, &out, diags))
		return false;
	/* The marks of the preprocessor lead to lines of the literals' text: replace each by one that leads to the file. */
	struct { VEC(struct line_mark); } marks = {0};
	struct cursor old = {.source = in}, new = {.source = &out};
	for (size_t at = 0; at < out.size; at = scan_line_end(&out, at) + 1) {
		cursor_advance(&new, at);
		struct line_mark mark = new.line;
		if (mark.text >= in->text && mark.text <= in->text + in->size) {
			size_t from = (size_t)(mark.text - in->text);
			if (from < old.at)
				old = (struct cursor){.source = in};
			cursor_advance(&old, from);
			mark = old.line;
		}
		mark.at = (srcpos)at;
		VEC_PUSH(arena, &marks) = mark;
	}
	out.marks = marks.at;
	out.nmarks = marks.n;
	b->source = out;
	return true;
}
