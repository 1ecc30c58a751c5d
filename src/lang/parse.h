/* From text to programs. */
#ifndef FPMOVE_LANG_PARSE_H
#define FPMOVE_LANG_PARSE_H

#include "lang/ir.h"

struct program_list {
	VEC(struct program *);
};

/* All programs of a text, in its order; a version token starts one.  Syntax errors,
 * unknown opcodes, registers and modifiers that no model has, and operand counts are
 * diagnostics and parsing goes on behind them, so a program may be returned although
 * errors were added: look at diags->errors.  What a model forbids is check's.
 * `text` must stay: programs point into it. */
struct program_list parse_programs(struct arena *, const struct source *, struct diags *);

#endif
