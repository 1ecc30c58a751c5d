/* Parses texts into programs. */
#ifndef FPMOVE_LANG_PARSE_H
#define FPMOVE_LANG_PARSE_H

#include "lang/ir.h"

struct program_list {
	VEC(struct program *);
};

/* Returns all programs of a text in their order; a version token starts a program.  Adds errors for syntax, unknown opcodes, registers
 * and modifiers that no model has, and wrong numbers of operands, and goes on behind them.  So a program may be returned although there
 * were errors: look at diags->errors.  check.h finds what the model of a program forbids.  The text must stay in memory, as programs
 * point into it. */
struct program_list parse_programs(struct arena *, const struct source *, struct diags *);

#endif
