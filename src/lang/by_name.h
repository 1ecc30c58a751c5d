/* Constants of compiled pairs that are set only by the names in the programs' tables, as an effect sets them.
 *
 * A name is one parameter: setting it sets the constants of that name in the tables of all programs.  `names` lists the parameters
 * that exist. */
#ifndef FPMOVE_LANG_BY_NAME_H
#define FPMOVE_LANG_BY_NAME_H

#include "lang/ir.h"

struct parameter_names {
	VEC(const char *);
};

/* Returns the FP constants that must not be copied to the VP (program.withheld), since no name would set the copy.  A constant with a
 * def is not among them.  Any other can be copied if it has a name that sets it alone, which a constant that a preshader computes has not,
 * if that name is a parameter, and if the VP's table either lacks the name or has this register of it with the same type. */
struct register_set by_name_withheld(const struct program *vs, const struct program *ps, const struct parameter_names *);
/* Returns the VP constants that have the same value as an FP constant before anything is moved, since both have one name and type.  The
 * result has them in the form of needs: as copies of FP constants. */
struct needs by_name_alike(struct arena *, const struct program *vs, const struct program *ps, const struct parameter_names *);
/* Returns the name of a constant in the program's table, as listings show it, if it is not a parameter.  Returns NULL if the
 * constant has no name, or one that is a parameter. */
const char *by_name_unknown(struct arena *, const struct program *, int index, const struct parameter_names *);
/* Returns true if one name in both tables sets both constants to the same value. */
bool by_name_sets(const struct program *vs, int vs_index, const struct program *ps, int ps_index);
/* Returns the FP constants that do not have the same name and type in all of these FPs, which are drawn with one VP. */
struct register_set by_name_apart(const struct program *const *ps, uint32_t n);
/* Returns the FP constants with a name that sets them alone and that the VP's table has, too. */
struct register_set by_name_twice(const struct program *vs, const struct program *ps);

#endif
