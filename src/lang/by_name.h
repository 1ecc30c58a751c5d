/* Constants of compiled pairs that are set only by name, as an effect sets its parameters.  An effect's parameter of a name sets the constants of
 * that name in the tables of all its programs.  `names` lists the effect's parameters. */
#ifndef FPMOVE_LANG_BY_NAME_H
#define FPMOVE_LANG_BY_NAME_H

#include "lang/ir.h"

struct parameter_names {
	VEC(const char *);
};

/* Returns the FP constants that must not be copied to the VP (program.withheld), since no parameter would set the copy.  A constant may be copied
 * if it has a def, or if its name is a parameter, belongs to no other constant of the FP's table, and is either missing in the VP's table or there
 * a row of the same type that has the register, too. */
struct register_set by_name_withheld(const struct program *vs, const struct program *ps, const struct parameter_names *);
/* Returns the VP constants that one parameter sets to the same value as an FP constant in the programs as given: both have the name and type of
 * that parameter, and neither has a def.  The result lists them as copies of FP constants. */
struct needs by_name_alike(struct arena *, const struct program *vs, const struct program *ps, const struct parameter_names *);
/* Returns the name of a constant in the program's table, as listings show it, if that name is not a parameter.  Returns NULL if it is one, or the
 * constant has no name. */
const char *by_name_unknown(struct arena *, const struct program *, int index, const struct parameter_names *);
/* Returns true if both constants are the same register of rows with the same name, and no other constant of the VP has that name, so that setting
 * the name sets both alike. */
bool by_name_sets(const struct program *vs, int vs_index, const struct program *ps, int ps_index);
/* Returns the numbers of the FP constants that stand for different parameters, in name, first register or type, in two of these FPs.  FPs that do
 * not use the constant do not count. */
struct register_set by_name_apart(const struct program *const *ps, uint32_t n);
/* Returns the FP constants whose name also stands in the VP's table, and belongs to no other constant of the FP. */
struct register_set by_name_twice(const struct program *vs, const struct program *ps);

#endif
