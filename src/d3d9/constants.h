/* Finds which vertex constants the application sets to the values of pixel constants (by an option, by comments of a program that fpmove wrote, or
 * by fpmove's report), and sets constants as the application does. */
#ifndef FPMOVE_D3D9_CONSTANTS_H
#define FPMOVE_D3D9_CONSTANTS_H

#include "d3d9/pair.h"

#include <jansson.h>

/* Adds constants by words: `-` (none), or words separated by commas: `names` (D3DX sets all constants by name), `depths` (2D textures are depth
 * textures), `v3=p5` (vertex constant c3 holds what pixel constant c5 holds).  Ignores numbers from SCENE_MAX_CONSTS on.  Returns false at any
 * other word, after adding the words before it. */
bool constants_parse(struct arena *, const char *words, struct pair_constants *);
/* Adds the constants that comments such as `// fpmove: c95 = ps c3` in a vertex program name.  Returns NULL, or an error if a comment names a
 * constant that the application computes, which this command cannot validate. */
const char *constants_of_comments(struct arena *, const char *text, struct pair_constants *);
/* Adds the constants that a report of fpmove lists for the pair whose vertex program is the file `vs`, or for its only pair, whatever the pair's
 * files.  Returns NULL, or an error. */
const char *constants_of_report(struct arena *, const char *report, const char *vs, struct pair_constants *);

/* Adds the constants that a report lists for a pair.  Returns NULL, or an error if the application computes some of them. */
const char *constants_of_pair(struct arena *, const json_t *pair, struct pair_constants *);
/* Returns true if the new vertex program's constant table names at least one constant of the pair, so that an application that sets constants by
 * name sets it. */
bool constants_are_named(const json_t *pair);

/* Sets the constants of both programs to the values of the scene: all registers, and then the vertex constants that p->constants lists to
 * the values of their pixel constants; or, if p->constants.by_name is set, the constants in the programs' tables alone, by their names. */
void constants_set(const struct device *, const struct runtime *, const struct scene *, const struct pair *);

#endif
