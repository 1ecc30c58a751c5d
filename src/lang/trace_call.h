/* Splits calls in the text of a trace into their parts.  A call is one line, but its strings may contain line ends. */
#ifndef FPMOVE_LANG_TRACE_CALL_H
#define FPMOVE_LANG_TRACE_CALL_H

#include <stdbool.h>
#include <stddef.h>

enum { MOST_ARGUMENTS = 16 };

/* A piece of the text. */
struct piece {
	const char *at;
	size_t n;
};

struct call {
	struct piece number, interface, method, result;
	struct piece arguments[MOST_ARGUMENTS]; /* without their names */
	unsigned narguments;
	const char *at;
};

bool piece_is(struct piece, const char *word);
bool piece_same(struct piece, struct piece);
bool piece_begins(struct piece, const char *word);

/* Reads a call up to its opening bracket: fills in number, interface and method.  Returns a pointer behind the bracket, or NULL if the line
 * is no call of a method. */
const char *call_begin(const char *line, const char *end, struct call *);
/* Reads the rest of a call: adds its arguments and result to the struct.  Returns the end of its line, or NULL if the call does not end. */
const char *call_end(const char *at, const char *end, struct call *);

#endif
