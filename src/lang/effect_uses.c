/* Finds uses of the programs of an effect file that are not understood.  A program may be rewritten only if all of its uses are known.  But the
 * variable of a program can be used in more ways than are read here: as the value of another variable, in a condition, in a macro, in a string.
 * So each mention of the variable makes the program stay, except its declaration and a plain assignment in a pass.  In C and C++, where variables
 * are passed to functions, a mention makes the program stay only if more text may be added to the variable or its bytes are counted. */
#include "lang/effect_text.h"

#include "lang/encoding.h"

#include <stdlib.h>
#include <string.h>

/* Blocks that initialise variables, sorted by name and element. */
struct named {
	VEC(struct effect_block *);
};

static int order_by_name(const void *a, const void *b)
{
	const struct effect_block *x = *(struct effect_block *const *)a, *y = *(struct effect_block *const *)b;
	int order = strcmp(x->name, y->name);
	return order ? order : (x->element > y->element) - (x->element < y->element);
}

static struct named list_named(struct arena *a, struct effect *e)
{
	struct named list = {0};
	for (uint32_t k = 0; k < e->blocks.n; k++)
		if (e->blocks.at[k].name)
			VEC_PUSH(a, &list) = &e->blocks.at[k];
	if (list.n)
		qsort(list.at, list.n, sizeof *list.at, order_by_name);
	return list;
}

/* Returns the index in the list of the first block whose variable is this word, or list->n if there is none. */
static uint32_t find_named(const struct named *list, const char *word)
{
	uint32_t low = 0, high = list->n;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (strcmp(list->at[middle]->name, word) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < list->n && strcmp(list->at[low]->name, word) == 0 ? low : list->n;
}

/* A search for mentions of variables that moves forward through a text. */
struct search {
	struct arena *arena;
	struct effect *effect;
	struct named named;
	const struct effect_words *known;
	uint32_t passed;            /* number of `known` words before the current place */
	const struct source *source;
	struct text word;           /* the current word, without line splices */
	size_t before;              /* offset of the last word or other byte before the current place, without blanks and comments */
	size_t callee;              /* offset of the word before the last ( in the statement, or of the last ; if there is none */
};

static bool is_known_word(struct search *s, size_t at)
{
	while (s->known && s->passed < s->known->n && s->known->at[s->passed] < at)
		s->passed++;
	return s->known && s->passed < s->known->n && s->known->at[s->passed] == at;
}

/* Sets `stays` of all blocks of the variable that the list has from index `first` on, and that is mentioned at `at`. */
static void keep_variable(struct search *s, uint32_t first, size_t at)
{
	struct place const place = source_place(s->source, (srcpos)at);
	bool const here = strcmp(place.file, s->effect->file->name) == 0;
	const char *where = here ? arena_printf(s->arena, "line %u", (unsigned)place.line)
	                         : arena_printf(s->arena, "line %u of %s", (unsigned)place.line, place.file);
	const char *name = s->named.at[first]->name;
	for (uint32_t k = first; k < s->named.n && strcmp(s->named.at[k]->name, name) == 0; k++)
		if (!s->named.at[k]->stays)
			s->named.at[k]->stays = arena_printf(s->arena, "%s names %s in a way that is not understood", where, name);
}

/* Returns the length of a backslash and line end at `at`, which join two lines, or 0 if there are none. */
static size_t splice_length(const struct source *s, size_t at)
{
	if (at + 1 >= s->size || s->text[at] != '\\')
		return 0;
	return s->text[at + 1] == '\n' ? 2 : s->text[at + 1] == '\r' && s->text[at + 2] == '\n' ? 3 : 0;
}

static bool has_part(const char *name, size_t n, const char *part)
{
	size_t const m = strlen(part);
	for (size_t i = 0; i + m <= n; i++) {
		size_t same = 0;
		while (same < m && (name[i + same] | 0x20) == part[same])
			same++;
		if (same == m)
			return true;
	}
	return false;
}

bool effect_makes_text(const char *name, size_t n)
{
	static const char *const parts[] = {"cat", "cpy", "copy", "printf", "format", "append", "insert", "replace", "join", "move"};
	bool any = false;
	for (unsigned k = 0; k < sizeof parts / sizeof *parts && !any; k++)
		any = has_part(name, n, parts[k]);
	return any;
}

static size_t skip_back(const char *text, size_t at)
{
	while (at && strchr(" \t\r\n", text[at - 1]))
		at--;
	return at;
}

/* Returns true if the member behind the dot is a method of std::string that does not change the string. */
static bool only_reads(const struct source *s, size_t dot)
{
	static const char *const methods[] = {"c_str", "data", "size", "length", "empty", "begin", "end"};
	size_t const method = scan_to_code(s, dot + 1, false), n = effect_word_length(s, method);
	for (unsigned k = 0; k < sizeof methods / sizeof *methods; k++)
		if (strlen(methods[k]) == n && memcmp(s->text + method, methods[k], n) == 0)
			return true;
	return false;
}

bool effect_counts_bytes(const struct source *s, size_t at, size_t n)
{
	at = scan_to_code(s, at, false);
	if (at >= s->size || s->text[at] != ',')
		return false;
	char *end;
	unsigned long const number = strtoul(s->text + scan_to_code(s, at + 1, false), &end, 0);
	return n > 1 && (number == n || number == n + 1);
}

/* Returns true if an operator, an adjacent literal or a method may join more text to the expression in bytes `from` to `to` - 1. */
static bool is_joined(const struct source *s, size_t from, size_t to)
{
	const char *text = s->text, *next = text + scan_to_code(s, to, false);
	size_t const at = skip_back(text, from);
	char const before = at ? text[at - 1] : ';', second = at > 1 ? text[at - 2] : ';';
	return *next == '+' || *next == '"' || *next == '%' || strncmp(next, "<<", 2) == 0 || before == '+' || before == '"' ||
	       (strchr("=<", before) && second == (before == '=' ? '+' : '<')) ||
	       (*next == '.' && !only_reads(s, (size_t)(next - text)));
}

/* Returns true if the mention is the only argument of a call, or of nested calls, whose result is joined to text, as in std::string(name) +
 * "...".  Returns false for a length such as strlen(name) + 1. */
static bool is_converted_and_joined(const struct source *s, size_t from, size_t to)
{
	const char *text = s->text;
	for (;;) {
		size_t const open = skip_back(text, from), close = scan_to_code(s, to, false);
		if (!open || text[open - 1] != '(' || close >= s->size || text[close] != ')')
			return false;
		size_t const end = from = skip_back(text, open - 1);
		while (from && (is_of_word(text[from - 1]) || text[from - 1] == ':'))
			from--;
		if (has_part(text + from, end - from, "len") || has_part(text + from, end - from, "sizeof"))
			return false;
		to = close + 1;
		if (is_joined(s, from, to))
			return true;
	}
}

/* Returns true if the mention at `from` is a member of another object than `this`, which is assigned at `next`: the variable only has the same
 * name. */
static bool is_other_member(const struct source *s, size_t from, size_t next)
{
	const char *text = s->text;
	size_t const at = skip_back(text, from);
	bool const arrow = at > 1 && text[at - 1] == '>' && text[at - 2] == '-', member = arrow || (at && text[at - 1] == '.');
	size_t const owner = skip_back(text, at - (arrow ? 2 : member ? 1 : 0));
	return member && text[next] == '=' && text[next + 1] != '=' && !(owner > 3 && memcmp(text + owner - 4, "this", 4) == 0);
}

static bool sets_element(const struct source *s, size_t at)
{
	while (at < s->size && !strchr("];", s->text[at]))
		at++;
	at = at < s->size && s->text[at] == ']' ? scan_to_code(s, at + 1, false) : s->size;
	return at < s->size && ((s->text[at] == '=' && s->text[at + 1] != '=') || (strchr("+-*/|&^", s->text[at]) && s->text[at + 1] == '='));
}

/* Returns true if C or C++ code may add text to the variable that is mentioned in bytes `from` to `to` - 1, count its bytes, or make it a part of
 * another text, or if the mention is not understood. */
static bool adds_text(const struct search *s, const struct effect_block *b, size_t from, size_t to)
{
	const struct source *file = s->source;
	const char *text = file->text, *before = text + s->before;
	size_t next = scan_to_code(file, to, false);
	if (next >= file->size || s->before >= from)
		return true;
	if (text[next] == '.')
		return !only_reads(file, next);
	if (is_other_member(file, from, next) || (effect_word_length(file, s->before) == 6 && memcmp(before, "sizeof", 6) == 0))
		return false;
	if (!strchr(",);}[]=!&|?:", text[next]) || (text[next] == '=' && text[next + 1] != '=') || is_joined(file, from, to) ||
	    *before == '<' || is_converted_and_joined(file, from, to) || (text[next] == '[' && sets_element(file, next)) ||
	    effect_counts_bytes(file, to, b->source.size))
		return true;
	return (*before == '(' || *before == ',') && effect_makes_text(text + s->callee, effect_word_length(file, s->callee));
}

/* Returns the offset behind the word, number or other byte at `at`.  If it mentions a variable in a way that is not understood, sets `stays` of
 * the blocks of that variable. */
static size_t check_word(struct search *s, size_t at)
{
	const char *text = s->source->text;
	size_t const from = at;
	if (!is_of_word(text[at]))
		return at + 1;
	s->word.n = 0;
	for (size_t skip; at < s->source->size; at += skip ? skip : 1) {
		skip = splice_length(s->source, at);
		if (!skip && !is_of_word(text[at]))
			break;
		if (!skip)
			text_char(&s->word, text[at]);
	}
	uint32_t first = is_letter(text[from]) ? find_named(&s->named, s->word.at) : s->named.n;
	if (first < s->named.n && !s->named.at[first]->stays && !is_known_word(s, from) &&
	    (s->named.at[first]->kind == EFFECT_ASM || adds_text(s, s->named.at[first], from, at)))
		keep_variable(s, first, from);
	return at;
}

static void search_words(struct search *s, size_t from, size_t to)
{
	while (from < to)
		from = s->source->text[from] == '\\' && !splice_length(s->source, from) ? from + 2 : check_word(s, from);
}

/* Sets `stays` of the blocks of each variable that the preprocessor lines in an asm block name. */
static void search_block(struct search *s, const struct effect_block *b)
{
	for (size_t at = b->from; at < b->to;) {
		size_t const from = at + strspn(s->source->text + at, " \t"), stop = scan_logical_line_end(s->source, from);
		if (s->source->text[from] == '#')
			search_words(s, from, stop < b->to ? stop : b->to);
		at = stop + 1;
	}
}

static void search_file(struct search *s)
{
	const struct effect *e = s->effect;
	const struct source *file = e->file;
	uint32_t k = 0;
	for (size_t at = encoding_mark(file); at < file->size;) {
		size_t const comment = scan_comment(file, at, false);
		while (k < e->blocks.n && e->blocks.at[k].to <= at)
			k++;
		if (k < e->blocks.n && at >= e->blocks.at[k].from) {
			if (e->blocks.at[k].kind == EFFECT_ASM)
				search_block(s, &e->blocks.at[k]);
			at = e->blocks.at[k].to;
		} else if (comment > at) {
			at = comment;
		} else if (file->text[at] == '"' || file->text[at] == '\'') {
			size_t const stop = scan_string(file, at);
			if (e->blocks.at[0].kind == EFFECT_ASM)
				search_words(s, at + 1, stop);
			s->before = at;
			at = stop;
		} else {
			size_t const from = at;
			at = check_word(s, at);
			if (file->text[from] == '(' || file->text[from] == ';')
				s->callee = file->text[from] == '(' ? s->before : from;
			if (!strchr(" \t\r\n", file->text[from]))
				s->before = from;
		}
	}
}

void effect_find_uses(struct arena *a, struct effect *e, const struct effect_words *known)
{
	struct search s = {.arena = a, .effect = e, .named = list_named(a, e), .known = known, .source = e->file, .word.arena = a};
	for (uint32_t k = 1; k < s.named.n; k++) {
		struct effect_block *x = s.named.at[k - 1], *y = s.named.at[k];
		if (x->kind == EFFECT_ASM && y->kind == EFFECT_ASM && strcmp(x->name, y->name) == 0 && x->element == y->element)
			x->stays = y->stays = arena_printf(a, "%s is declared more than once", x->name);
	}
	if (s.named.n)
		search_file(&s);
}

static void make_unclear(struct effect *e, uint32_t line)
{
	for (uint32_t k = 0; k < e->passes.n; k++)
		if (source_line(e->file, e->passes.at[k].at) <= line && line <= source_line(e->file, e->passes.at[k].to))
			e->passes.at[k].unclear = true;
}

void effect_find_made_uses(struct arena *a, struct effect *e, const struct effect_words *known,
                           const struct preprocess_options *options)
{
	struct source *out = arena_zero(a, sizeof *out);
	struct diags unsaid;
	diag_init(&unsaid, a);
	bool const done = preprocess(a, effect_masked(a, e, known), options, out, &unsaid);
	struct search s = {.arena = a, .effect = e, .named = list_named(a, e), .source = out, .word.arena = a};
	effect_find_states(e, done ? out : e->file);
	for (uint32_t k = 0; !done && k < s.named.n; k++)
		if (!s.named.at[k]->stays)
			s.named.at[k]->stays = "the code around it cannot be preprocessed";
	for (size_t at = 0, to; done && at < out->size; at = to) {
		s.word.n = 0;
		to = check_word(&s, at);
		if (s.word.n == 0 || !e->passes.n || !(spells(s.word.at, s.word.n, "vertexshader") || spells(s.word.at, s.word.n, "pixelshader")))
			continue;
		struct place const place = source_place(out, (srcpos)at);
		if (strcmp(place.file, e->file->name) == 0)
			make_unclear(e, place.line);
	}
}
