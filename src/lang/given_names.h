/* Names of constants that the user gives in a table besides the programs, as by --names. */
#ifndef FPMOVE_LANG_GIVEN_NAMES_H
#define FPMOVE_LANG_GIVEN_NAMES_H

#include "lang/ir.h"

struct given_name {
	const char *name;
	int reg, size;
	const char *program; /* path of the program that the row is for, or the last part of that path; NULL for any program */
	bool of[2];          /* by enum stage: true if the row is for programs of this stage */
	uint32_t line;       /* line of the table where the row stands */
};

struct given_names {
	VEC(struct given_name);
};

/* Returns the row that names c`constant` of the program: prefers a row for this program to one for any program, and then a row for its stage
 * to one for both stages.  Returns NULL if there is none, or if the program has a def for the constant. */
const struct given_name *given_name_find(const struct program *, int constant);
/* Returns the constants for which given_name_find() finds a row. */
struct register_set given_names_registers(const struct program *);

#endif
