/* Prints the computation of constants that the application has to do for a new pair, as a function in C. */
#ifndef FPMOVE_LANG_PRINT_C_H
#define FPMOVE_LANG_PRINT_C_H

#include "lang/ir.h"

/* Prints the head of a file, before the functions. */
void print_c_head(struct text *);
/* Prints `void NAME(float ps[][4], float vs[][4])`, in C89 that is also C++.  The function gets all pixel constants and fills in the
 * presets of `folds` and the copies of `consts`.  Its comment has `about`, and the names that the pixel program `ps` has for its
 * constants; `ps` may be NULL.
 * requires: print_c_knows() each instruction of the expressions. */
void print_c_function(struct text *, const char *name, const char *about, const struct const_map *consts, uint32_t nconsts,
                      const struct folded *folds, uint32_t nfolds, const struct program *ps);
/* Returns true if the instruction can be printed in C. */
bool print_c_knows(const struct instr *);
/* Prints the prototype of the function without the semicolon. */
void print_c_prototype(struct text *, const char *name);
/* Prints a C identifier made of a text.  Words of C or C++ and names of library functions get the prefix p_, as p_int. */
void print_c_name(struct text *, const char *from, size_t n);

#endif
