/* Divides the pairs of a batch into units: pairs that are planned together because they share programs. */
#ifndef FPMOVE_CLI_UNITS_H
#define FPMOVE_CLI_UNITS_H

#include "cli/collect.h"

/* The most programs of a unit with --shared-vp and --shared-fp, by which all pairs that are connected by shared programs are one unit.  A pixel
 * program that would connect more stays as it is and connects no pairs; a warning names it.  One vertex program and all pixel programs that
 * are drawn with no other are always one unit, however many they are. */
enum { MOST_CONNECTED = 500 };

/* Sorts the pairs so that those of a unit are side by side, numbers them anew (`index`), and lists the units. */
void units_make(struct arena *, const struct options *, struct collected *);
/* Keeps the units of slice k of n (--shard=k/n): every n-th one. */
void units_shard(struct collected *, unsigned k, unsigned n);

#endif
