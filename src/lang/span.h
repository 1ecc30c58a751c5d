/* Reads the text of one-line comments piece by piece. */
#ifndef FPMOVE_LANG_SPAN_H
#define FPMOVE_LANG_SPAN_H

#include "base/letters.h"
#include "lang/listing.h"

#include <string.h>

/* The rest of a text that is read from left to right. */
struct span {
	const char *at, *end;
};

static inline struct span skip(struct span s)
{
	while (s.at < s.end && is_blank(*s.at))
		s.at++;
	return s;
}

/* Returns the text of a comment behind its //, without blanks at its end; an empty span for any other comment. */
static inline struct span inside(const struct comment *c)
{
	struct span s = {c->text, c->text + c->length};
	bool const line = c->length >= 2 && c->text[0] == '/' && c->text[1] == '/';
	s.at = line ? c->text + 2 : s.end;
	while (s.end > s.at && is_blank(s.end[-1]))
		s.end--;
	return s;
}

static inline bool take(struct span *s, const char *word)
{
	size_t n = strlen(word);
	if ((size_t)(s->end - s->at) < n || memcmp(s->at, word, n) != 0)
		return false;
	s->at += n;
	return true;
}

/* Takes a decimal number off the span and returns it; -1 if there is none, or if it is above LISTING_MOST. */
static inline int take_number(struct span *s)
{
	int n = -1;
	for (; s->at < s->end && *s->at >= '0' && *s->at <= '9' && n <= LISTING_MOST; s->at++)
		n = (n < 0 ? 0 : n) * 10 + (*s->at - '0');
	return n <= LISTING_MOST ? n : -1;
}

#endif
