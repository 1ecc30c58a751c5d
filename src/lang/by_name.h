/* What it means for a pair of compiled programs that their constants are set by the names in their tables and by nothing
 * else, as an effect does: each name is one parameter, whatever table has it. */
#ifndef FPMOVE_LANG_BY_NAME_H
#define FPMOVE_LANG_BY_NAME_H

#include "lang/ir.h"

struct parameter_names {
	VEC(const char *);
};

/* FP constants that no VP can have (program.withheld): what a preshader computes has no name, what has one must be one of the
 * parameters, and the VP's table may have the name only where it holds that register of it, too. */
struct register_set by_name_withheld(const struct program *vs, const struct program *ps, const struct parameter_names *);
/* VP constants that hold what FP constants hold, of one name and type: as needs that are there before anything is moved. */
struct needs by_name_alike(struct arena *, const struct program *vs, const struct program *ps, const struct parameter_names *);
/* Returns the name that a program's table has for a constant, as listings show it, if that is none of the parameters, or NULL. */
const char *by_name_unknown(struct arena *, const struct program *, int index, const struct parameter_names *);
/* Returns true if one name in both tables sets the VP constant to what the FP constant is. */
bool by_name_sets(const struct program *vs, int vs_index, const struct program *ps, int ps_index);
/* FP constants that are not one parameter of one type for all of these FPs, which are drawn with one VP. */
struct register_set by_name_apart(const struct program *const *ps, uint32_t n);
/* Those that the VP's table has, too. */
struct register_set by_name_twice(const struct program *vs, const struct program *ps);

#endif
