/* Which pairs of a batch are worked on together. */
#ifndef FPMOVE_CLI_UNITS_H
#define FPMOVE_CLI_UNITS_H

#include "cli/collect.h"

/* With --shared-vp and --shared-fp, pairs that are connected by their programs are one unit, of at most so many programs.  A pixel program by
 * which it would have more stays as it is, and connects no pairs; a warning tells of them.  One vertex program with all pixel programs
 * that are drawn with no other is always one unit. */
enum { MOST_CONNECTED = 500 };

/* Puts the pairs of each unit side by side, and lists the units. */
void units_make(struct arena *, const struct options *, struct collected *);
/* Keeps the units of one slice. */
void units_shard(struct collected *, unsigned k, unsigned n);

#endif
