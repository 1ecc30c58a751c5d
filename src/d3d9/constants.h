/* Which constants the application sets: as words, as the comments of a program that fpmove wrote, or as its report says. */
#ifndef FPMOVE_D3D9_CONSTANTS_H
#define FPMOVE_D3D9_CONSTANTS_H

#include "d3d9/json.h"
#include "d3d9/pair.h"

#include <stdbool.h>

/* `-`, or words parted by commas: `names`, `depths`, `v3=p5`.  False: it is none of that. */
bool constants_parse(struct arena *, const char *words, struct pair_constants *);
/* `// fpmove: c95 = ps c3`; NULL, or what is there that this command cannot do. */
const char *constants_of_comments(struct arena *, const char *text, struct pair_constants *);
/* Of the pair of a report whose vertex program has that name, or of the only one.  NULL, or what is wrong. */
const char *constants_of_report(struct arena *, const char *report, const char *vs, struct pair_constants *);

/* Of a pair of a report that is read; likewise. */
const char *constants_of_pair(struct arena *, json_at pair, struct pair_constants *);
/* Does the new vertex program's table name them, so that who sets constants by names sets them? */
bool constants_are_named(json_at pair);

/* Sets them all for the pair, and all registers besides, as the scene says. */
void constants_set(const struct device *, const struct runtime *, const struct scene *, const struct pair *);

#endif
