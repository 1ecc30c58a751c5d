/* Finds the constant registers that states in an effect's text set, such as VertexShaderConstant[94] = (name); */
#include "lang/effect_text.h"

#include <string.h>

enum { ALL = MOST_STATE_CONSTS, MATRIX_ROWS = 4 };

/* Reads a number in the brackets at *at, and moves *at behind the closing one.  Returns false if anything but a number stands in them. */
static bool take_index(const struct source *s, size_t *at, unsigned *number)
{
	size_t to = scan_to_code(s, *at + 1, false);
	bool any = false;
	for (*number = 0; to < s->size && is_digit(s->text[to]); to++, any = true)
		*number = *number < ALL ? *number * 10 + (unsigned)(s->text[to] - '0') : ALL;
	to = scan_to_code(s, to, false);
	*at = to + 1;
	return any && to < s->size && s->text[to] == ']';
}

/* Returns the number of registers to count for a numeric type: 4 for a matrix such as float4x3, else 1.  Returns 0 if the word is no such type. */
static unsigned rows_of_type(const char *word, size_t n)
{
	static const char *const bases[] = {"float", "half", "double", "int", "bool", "dword", "vector", "matrix"};
	char type[16] = {0};
	for (size_t k = 0; k < n && n < sizeof type; k++)
		type[k] = to_lower(word[k]);
	for (unsigned b = 0; b < sizeof bases / sizeof *bases; b++) {
		size_t const length = strlen(bases[b]);
		const char *size = type + length;
		if (strncmp(type, bases[b], length) != 0)
			continue;
		if (!*size)
			return type[0] == 'm' ? MATRIX_ROWS : 1;
		if (is_digit(size[0]) && (!size[1] || (size[1] == 'x' && is_digit(size[2]) && !size[3])))
			return size[1] ? MATRIX_ROWS : 1;
	}
	return 0;
}

/* Returns the number of registers of the variable of this name, the largest if the text declares several.  Returns ALL if the text declares none,
 * or its size is not understood. */
static unsigned registers_of_variable(const struct source *s, const char *name, size_t n)
{
	unsigned most = 0, rows = 0;
	for (size_t at = 0, to; at < s->size; at = to) {
		size_t const word = effect_word_length(s, at);
		to = scan_to_code(s, at, false);
		if (to == at && (s->text[at] == '"' || s->text[at] == '\''))
			to = scan_string(s, at);
		if (to > at)
			continue;
		to = at + (word ? word : 1);
		if (word == n && rows && memcmp(s->text + at, name, n) == 0) {
			size_t bracket = scan_to_code(s, to, false);
			unsigned elements = 1;
			if (bracket < s->size && s->text[bracket] == '[' && !take_index(s, &bracket, &elements))
				return ALL;
			if (bracket < s->size && s->text[bracket] == '[')
				return ALL;
			most = rows * elements > most ? rows * elements : most;
		}
		rows = word ? rows_of_type(s->text + at, word) : 0;
	}
	return most && most < ALL ? most : ALL;
}

/* Returns the number of registers that the value at `at`, which ends at a `;`, fills at most.  An expression that is not understood counts as a
 * matrix. */
static unsigned registers_of_value(const struct source *s, size_t at)
{
	size_t end = at;
	while (end < s->size && !strchr(";:", s->text[end])) /* effect_masked() replaces ; by : */
		end++;
	at = scan_to_code(s, at, false);
	if (at < end && s->text[at] == '{') {
		unsigned n = 1;
		for (; at < end; at++)
			n += s->text[at] == ',';
		return n;
	}
	while (at < end && strchr("(<", s->text[at]))
		at = scan_to_code(s, at + 1, false);
	size_t const word = effect_word_length(s, at);
	size_t past = scan_to_code(s, at + word, false);
	if (word && past < end && s->text[past] == '(' && rows_of_type(s->text + at, word) == 1)
		return 1;
	if (word && past < end && s->text[past] == '[')
		past = end; /* count the whole array for one of its elements */
	while (past < end && strchr(")>", s->text[past]))
		past = scan_to_code(s, past + 1, false);
	return word && past >= end ? registers_of_variable(s, s->text + at, word) : MATRIX_ROWS;
}

/* Returns the stage whose float constants a state of this name sets, or -1 if it sets none.  Sets *rows to the number at the end of the name, or
 * 1. */
static int stage_of(const char *word, size_t n, unsigned *rows)
{
	static const char *const names[] = {"vertexshaderconstant", "pixelshaderconstant"};
	for (int stage = 0; stage < 2; stage++) {
		size_t const length = strlen(names[stage]);
		size_t same = 0;
		while (same < length && same < n && to_lower(word[same]) == names[stage][same])
			same++;
		if (same < length || n > length + 1)
			continue;
		char const last = n > length ? to_lower(word[length]) : 'f';
		*rows = is_digit(last) ? (unsigned)(last - '0') : 1;
		if (last == 'f' || (last >= '1' && last <= '4'))
			return stage ? STAGE_PIXEL : STAGE_VERTEX;
	}
	return -1;
}

void effect_find_states(struct effect *e, const struct source *s)
{
	for (size_t at = 0, to; at < s->size; at = to) {
		size_t const word = effect_word_length(s, at);
		unsigned rows, first = 0;
		to = at + (word ? word : 1);
		size_t const comment = scan_comment(s, at, false);
		if (comment > at || s->text[at] == '"') {
			to = comment > at ? comment : scan_string(s, at);
			continue;
		}
		int const stage = word ? stage_of(s->text + at, word, &rows) : -1;
		if (stage < 0)
			continue;
		size_t next = scan_to_code(s, to, false);
		bool known = next >= s->size || s->text[next] != '[' || take_index(s, &next, &first);
		next = scan_to_code(s, next, false);
		known &= next < s->size && s->text[next] == '=';
		unsigned const n = known ? registers_of_value(s, next + 1) : ALL;
		effect_sets(e, (enum stage)stage, known ? first : 0, n > rows ? n : rows);
	}
}

void effect_sets(struct effect *e, enum stage stage, unsigned first, unsigned n)
{
	for (unsigned c = first; c < ALL && c - first < n; c++)
		register_put_in(&e->sets[stage], (int)c);
}
