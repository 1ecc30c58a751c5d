/* Reads which constants the application sets: from words, from the comments of a program that fpmove wrote, or from its report. */
#ifndef FPMOVE_D3D9_CONSTANTS_H
#define FPMOVE_D3D9_CONSTANTS_H

#include "d3d9/json.h"
#include "d3d9/pair.h"

#include <stdbool.h>

/* Reads `-`, or words separated by commas: `names`, `depths`, `v3=p5`.  Returns false for anything else. */
bool constants_parse(struct arena *, const char *words, struct pair_constants *);
/* Reads comments such as `// fpmove: c95 = ps c3`.  Returns NULL, or a message if one asks for work that this command cannot do. */
const char *constants_of_comments(struct arena *, const char *text, struct pair_constants *);
/* Reads the constants of the pair in a report whose vertex program has that name, or of its only pair.  Returns NULL, or an error. */
const char *constants_of_report(struct arena *, const char *report, const char *vs, struct pair_constants *);

/* Reads those of a pair of a report in the same way. */
const char *constants_of_pair(struct arena *, json_at pair, struct pair_constants *);
/* Returns true if the new vertex program's table names them, so that an application that sets constants by name sets them. */
bool constants_are_named(json_at pair);

/* Sets these and all other constants for the pair, as the scene says. */
void constants_set(const struct device *, const struct runtime *, const struct scene *, const struct pair *);

#endif
