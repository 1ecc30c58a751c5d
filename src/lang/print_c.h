/* Prints the computation of constants that the application has to do for a new pair, as a function in C. */
#ifndef FPMOVE_LANG_PRINT_C_H
#define FPMOVE_LANG_PRINT_C_H

#include "lang/ir.h"

/* Prints the comment and #includes at the head of a C file. */
void print_c_head(struct text *);
/* Prints a function `void NAME(float ps[][4], float vs[][4])`, in C89 that is also C++.  It reads the pixel constants `ps` and fills in the
 * presets of `folds` and the copies of `consts`.  Its comment has `about`, and the names of constants in the program `ps`, which may be
 * NULL.
 * requires: print_c_knows() each instruction of the expressions. */
void print_c_function(struct text *, const char *name, const char *about, const struct const_map *consts, uint32_t nconsts,
                      const struct folded *folds, uint32_t nfolds, const struct program *ps);
/* Returns true if the instruction can be printed in C. */
bool print_c_knows(const struct instr *);
/* Prints the prototype of the function NAME without the semicolon. */
void print_c_prototype(struct text *, const char *name);
/* Prints a C identifier made of n bytes: _ replaces bytes other than ASCII letters and digits.  Keywords of C and C++, names of library
 * functions, and texts that do not begin with a letter get the prefix p_, as p_int. */
void print_c_name(struct text *, const char *from, size_t n);

#endif
