/* What the application computes for a new pair, as a function in C. */
#ifndef FPMOVE_LANG_PRINT_C_H
#define FPMOVE_LANG_PRINT_C_H

#include "lang/ir.h"

/* Of a file with such functions: what stands before the first. */
void print_c_head(struct text *);
/* `void NAME(float ps[][4], float vs[][4])`, which gets all pixel constants and fills in the presets of `folds`
 * and the copies of `consts`.  C89, and C++.  `about` goes into its comment, and so do
 * the names that the pixel program `ps` has for its constants (NULL: none).  All that the expressions do is known. */
void print_c_function(struct text *, const char *name, const char *about, const struct const_map *consts, uint32_t nconsts,
                      const struct folded *folds, uint32_t nfolds, const struct program *ps);
/* May an instruction stand in such an expression? */
bool print_c_knows(const struct instr *);
/* Its prototype, without the semicolon. */
void print_c_prototype(struct text *, const char *name);
/* A C identifier made of a text; p_int and the like for what is a word of C or C++, or a function's name. */
void print_c_name(struct text *, const char *from, size_t n);

#endif
