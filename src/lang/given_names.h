/* Names of constants that the user gives beside the programs, as --names does. */
#ifndef FPMOVE_LANG_GIVEN_NAMES_H
#define FPMOVE_LANG_GIVEN_NAMES_H

#include "lang/ir.h"

struct given_name {
	const char *name;
	int reg, size;
	const char *program; /* the file that it is for, by its path or its last part; NULL for any */
	bool of[2];          /* by enum stage: it is for programs of this stage */
	uint32_t line;       /* of the table */
};

struct given_names {
	VEC(struct given_name);
};

/* Finds the row for a constant that the program does not define itself: one for this program goes before one for any, and then one for
 * its stage before one for both.  Returns NULL if there is none. */
const struct given_name *given_name_find(const struct program *, int constant);
/* Returns all registers that rows for the program name. */
struct register_set given_names_registers(const struct program *);

#endif
