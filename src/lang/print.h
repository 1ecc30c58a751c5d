/* Prints programs as text; the one printer for files and for messages. */
#ifndef FPMOVE_LANG_PRINT_H
#define FPMOVE_LANG_PRINT_H

#include "lang/ir.h"

/* Prints the program with its comments and needs.  Lines end in \n; numbers of defs that fpmove did not change keep their spelling. */
void print_program(struct text *, const struct program *);
/* Prints the program to an empty text, with the byte order mark, the line ends and the unchanged lines of its source.  `given` is the program
 * as read from the source.  `alone`: the source has no other program, so the text gets the white space at its end, too. */
void print_as_source(struct text *, const struct program *, const struct program *given, bool alone);
/* Prints a declaration without comments and line end.  Unchanged numbers of a def keep their spelling in `source`, which may be NULL. */
void print_declared(struct text *, const struct program *, const struct decl *, const struct source *);
/* Prints an instruction without comments and line end. */
void print_instr(struct text *, const struct program *, const struct instr *);
static inline void print_decl(struct text *t, const struct program *p, const struct decl *d)
{
	print_declared(t, p, d, NULL);
}
/* Prints the register's name in the program's text, or if the program is NULL, its name in model 2. */
void print_register(struct text *, const struct program *, enum reg_file, int index);
/* Prints the name of these lanes of a register in the program's text, as one t# may be several v# in a text of model 3. */
void print_register_of(struct text *, const struct program *, enum reg_file, int index, lanes);
void print_lanes(struct text *, lanes); /* "xy", without the dot */
/* Prints a short decimal without exponent that reads back as the same float; prints inf, which is no number of a def, for infinities and NaN. */
void print_float(struct text *, float);

#endif
