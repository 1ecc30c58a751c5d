/* Kinds of ASCII characters, whatever the locale. */
#ifndef FPMOVE_BASE_LETTERS_H
#define FPMOVE_BASE_LETTERS_H

#include <stdbool.h>
#include <stddef.h>

static inline bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Returns true for a letter or an underscore, with which a word can begin. */
static inline bool is_letter(char c)
{
	return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Returns true for a letter, an underscore or a digit. */
static inline bool is_of_word(char c)
{
	return is_letter(c) || is_digit(c);
}

/* Returns true for white space other than a line end. */
static inline bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static inline bool is_space(char c)
{
	return is_blank(c) || c == '\n';
}

static inline char to_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

/* Returns true if the n characters at `text` equal `name`, ignoring case.  `name` is in lower case. */
static inline bool spells(const char *text, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (to_lower(text[i]) != name[i])
			return false; /* a letter differs, or the name is shorter */
	return name[n] == '\0';
}

#endif
