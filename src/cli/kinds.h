/* Finds out the kind of a file of a batch from its bytes, or from its suffix if the bytes leave it open. */
#ifndef FPMOVE_CLI_KINDS_H
#define FPMOVE_CLI_KINDS_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdio.h>

enum holds { HOLDS_NOTHING, HOLDS_VERTEX = 1, HOLDS_PIXEL = 2, HOLDS_BOTH = 3, HOLDS_EFFECT = 4 };

struct kind {
	enum holds holds;
	const char *why;      /* if it holds nothing, says what it is instead, as in "it is ..."; lives in the first arena and is never NULL then */
	bool looks;           /* `why` is a guess from the text's look */
	bool by_suffix;       /* no program was found in the file, and `holds` comes from its suffix */
	bool named_a_program; /* its suffix is one of vertex or pixel programs, whatever it holds */
	bool unreadable;
};

/* Reads the file, into `scratch`, and returns its kind. */
struct kind kind_of_file(struct arena *, struct arena *scratch, const char *path);
/* Returns the kind by the name's suffix; for .fxo, .fxb and .cso, which either stage has, by the first bytes of the file. */
enum holds kind_by_name(const char *path);
/* Returns the length of `path` without its suffix. */
size_t suffix_at(const char *path);
/* Returns the name of the file with the make rule of an output: the output's with the suffix .d. */
const char *dependency_name(struct arena *, const char *path);
/* Returns true if the word is one of a list, which are separated by blanks, in any letter case. */
bool is_word_of(const char *word, const char *list);
/* Returns true if a line of the file begins with a version token. */
bool holds_a_program(const char *path);
/* Returns true if a version token is the first code of the text after comments and preprocessor lines. */
bool starts_a_program(const char *text);

#endif
