/* Tells the kind of a file of a batch by its bytes, and by its name only where these do not tell. */
#ifndef FPMOVE_CLI_KINDS_H
#define FPMOVE_CLI_KINDS_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdio.h>

enum holds { HOLDS_NOTHING, HOLDS_VERTEX = 1, HOLDS_PIXEL = 2, HOLDS_BOTH = 3, HOLDS_EFFECT = 4 };

struct kind {
	enum holds holds;
	const char *why;      /* if it holds nothing: what it is instead, as in "it is ...", in the first arena; never NULL */
	bool looks;           /* `why` is a guess by a text's look */
	bool by_suffix;       /* `holds` is what the suffix says of a file in which no program was found */
	bool named_a_program; /* its suffix is one of vertex or pixel programs, whatever it holds */
	bool unreadable;
};

/* Looks into the file.  `scratch` holds its text meanwhile. */
struct kind kind_of_file(struct arena *, struct arena *scratch, const char *path);
/* Returns what the name says, or the first bytes of a compiled file of either stage. */
enum holds kind_by_name(const char *path);
/* Returns the bytes of `path` up to its suffix. */
size_t suffix_at(const char *path);
/* Returns true if a line of the file begins with a version token. */
bool holds_a_program(const char *path);
/* Returns true if the text begins with a program, behind comments and preprocessor lines. */
bool starts_a_program(const char *text);

#endif
