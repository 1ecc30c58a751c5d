/* Parses texts into programs. */
#ifndef FPMOVE_LANG_PARSE_H
#define FPMOVE_LANG_PARSE_H

#include "lang/ir.h"

struct program_list {
	VEC(struct program *);
};

/* Returns all programs of a text, or of bytecode, in their order; a version token starts a program.  Adds errors for syntax, unknown
 * opcodes, registers and modifiers, wrong numbers of operands, and links of model 3 (link.h), and parses on behind them, so check
 * diags->errors before using a program.  check.h finds what the model of a program forbids.  The text must stay in memory, as programs
 * point into it. */
struct program_list parse_programs(struct arena *, const struct source *, struct diags *);

#endif
