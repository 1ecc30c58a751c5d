/* Reads which vertex constants the application sets to the values of pixel constants: from words, from the comments of a program that
 * fpmove wrote, or from its report. */
#ifndef FPMOVE_D3D9_CONSTANTS_H
#define FPMOVE_D3D9_CONSTANTS_H

#include "d3d9/pair.h"

#include <jansson.h>

/* Reads `-` (none), or words separated by commas: `names` (D3DX sets all constants by name), `depths` (2D textures are depth textures),
 * `v3=p5` (vertex constant c3 holds what pixel constant c5 holds).  Returns false for anything else. */
bool constants_parse(struct arena *, const char *words, struct pair_constants *);
/* Reads the comments of a vertex program such as `// fpmove: c95 = ps c3`.  Returns NULL, or an error if a comment tells of a constant that
 * the application computes, which this command cannot do. */
const char *constants_of_comments(struct arena *, const char *text, struct pair_constants *);
/* Reads a report of fpmove: the constants of the pair whose vertex program is the file `vs`, or of the only pair.  Returns NULL, or an
 * error. */
const char *constants_of_report(struct arena *, const char *report, const char *vs, struct pair_constants *);

/* Reads the constants of one pair of a report.  Returns NULL, or an error if the application computes some of them. */
const char *constants_of_pair(struct arena *, const json_t *pair, struct pair_constants *);
/* Returns true if the new vertex program's table names them, so that an application that sets constants by name sets them. */
bool constants_are_named(const json_t *pair);

/* Sets the constants of both programs to the values of the scene: all registers, and then the vertex constants that p->constants lists to
 * the values of their pixel constants; or, if p->constants.by_name is set, the constants in the programs' tables alone, by their names. */
void constants_set(const struct device *, const struct runtime *, const struct scene *, const struct pair *);

#endif
