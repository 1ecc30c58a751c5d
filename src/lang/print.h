/* From programs to text: the one printer, for output and for people. */
#ifndef FPMOVE_LANG_PRINT_H
#define FPMOVE_LANG_PRINT_H

#include "lang/ir.h"

/* The whole program with its comments, lines ended by \n, and with the numbers of its source as that spells them. */
void print_program(struct text *, const struct program *);
/* The same to an empty text, with every line that its source has spelled as there, its byte order mark and its line ends.  `given`: the program of
 * that source.  `alone`: the source holds no other program, so that the text ends as it does. */
void print_as_source(struct text *, const struct program *, const struct program *given, bool alone);
/* One statement of a program, without comments and line end. */
void print_instr(struct text *, const struct program *, const struct instr *);
void print_decl(struct text *, const struct program *, const struct decl *);
/* "r0.xy" style pieces, for messages; without a program as model 2 calls registers. */
void print_register(struct text *, const struct program *, enum reg_file, int index);
/* ... as the text calls that which has these lanes, where one t# of model 3 is several v#. */
void print_register_of(struct text *, const struct program *, enum reg_file, int index, lanes);
void print_lanes(struct text *, lanes); /* "xy", without the dot */
/* Shortest decimal, without exponent, that reads back as the same float; not for infinities. */
void print_float(struct text *, float);

#endif
