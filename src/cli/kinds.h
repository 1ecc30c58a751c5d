/* Finds out the kind of a file of a batch from its bytes, or from its suffix if the bytes leave it open. */
#ifndef FPMOVE_CLI_KINDS_H
#define FPMOVE_CLI_KINDS_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdio.h>

enum holds { HOLDS_NOTHING, HOLDS_VERTEX = 1, HOLDS_PIXEL = 2, HOLDS_BOTH = 3, HOLDS_EFFECT = 4 };

struct kind {
	enum holds holds;
	const char *why;      /* if it holds no program, what it is instead, such as "empty"; in the first arena of kind_of_file() */
	bool looks;           /* true if `why` is only a guess */
	bool by_suffix;       /* true if no program was found in the file, and `holds` comes from its suffix */
	bool named_a_program; /* true if its suffix is one of programs (.vsh, .psh ...), whatever it holds */
	bool unreadable;
};

/* Reads the file and returns its kind.  Takes memory for its bytes from `scratch`, and gives it back. */
struct kind kind_of_file(struct arena *, struct arena *scratch, const char *path);
/* Returns the kind by the suffix of the name; for .fxo, .fxb and .cso, which do not tell the kind, by the first bytes of the file. */
enum holds kind_by_name(const char *path);
/* Returns the length of `path` without its suffix. */
size_t suffix_at(const char *path);
/* Returns the name of the file with the make rule of an output: the output's name with .d in place of its suffix. */
const char *dependency_name(struct arena *, const char *path);
/* Returns true if the list, whose words are separated by blanks, contains the word in any letter case. */
bool is_word_of(const char *word, const char *list);
/* Returns true if a line of the file begins with a version such as vs_1_1 or ps_2_0. */
bool holds_a_program(const char *path);
/* Returns true if the first code of the text, behind comments and preprocessor lines, is a version such as vs_1_1 or ps_2_0. */
bool starts_a_program(const char *text);

#endif
