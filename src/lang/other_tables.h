/* Reads names of constants from comments that no compiler wrote: from the dumps of engines, as Unity prints them,
 *
 *	// Vector 3 [_Light]
 *	// Float 7 [_Cutoff]
 *	// Matrix 4 [_Object2World]		four registers, or as many as a number behind it says
 *
 * and from lines of a name, registers and a size, in any order, with = in place of the size or besides it:
 *
 *	// _Light c3 1
 *	; c3 = _Light
 *	// c4-c7 = _World
 *
 * A line with any further word is taken for prose.  So is a row about a register that the program has a def for, rows that name one
 * register differently, and "Vector 16 [...]" below "ConstBuffer", which counts bytes instead of registers. */
#ifndef FPMOVE_LANG_OTHER_TABLES_H
#define FPMOVE_LANG_OTHER_TABLES_H

#include "lang/ir.h"

struct other_row {
	const char *name;
	size_t length;
	int reg, size;
};

/* Finds the row that names c`constant`.  Returns false if there is none, or if two rows for it differ. */
bool other_tables_find(const struct program *, int constant, struct other_row *);
/* Returns the constants for which other_tables_find() finds a row. */
struct register_set other_tables_registers(const struct program *);

#endif
