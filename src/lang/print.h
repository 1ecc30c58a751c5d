/* Prints programs as text; the one printer for files and for messages. */
#ifndef FPMOVE_LANG_PRINT_H
#define FPMOVE_LANG_PRINT_H

#include "lang/ir.h"

/* Prints the whole program with its comments.  Lines end in \n, and unchanged numbers are spelled as in the source. */
void print_program(struct text *, const struct program *);
/* Prints the program to an empty text, with the byte order mark, the line ends and the spelling of every line that its source has.
 * `given` is the program of that source.  `alone` is true if the source holds no other program; the text then ends as the source. */
void print_as_source(struct text *, const struct program *, const struct program *given, bool alone);
/* Prints a declaration with its numbers as the source spells them; the source may be NULL. */
void print_declared(struct text *, const struct program *, const struct decl *, const struct source *);
/* Print one statement of a program, without comments and line end. */
void print_instr(struct text *, const struct program *, const struct instr *);
static inline void print_decl(struct text *t, const struct program *p, const struct decl *d)
{
	print_declared(t, p, d, NULL);
}
/* Prints the name of a register as the program's text calls it, or without a program (NULL), as model 2 does. */
void print_register(struct text *, const struct program *, enum reg_file, int index);
/* Prints the name that the text has for these lanes of a register, as one t# of model 3 may be several v#. */
void print_register_of(struct text *, const struct program *, enum reg_file, int index, lanes);
void print_lanes(struct text *, lanes); /* "xy", without the dot */
/* Prints the shortest decimal without exponent that reads back as the same float.  Prints inf, which cannot be read back, for infinities. */
void print_float(struct text *, float);

#endif
