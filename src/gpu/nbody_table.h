/* A force that a text tells in numbers: two bodies of kinds i and j at a distance r pull on each other by b g(a r^2) r, where a and b
 * depend on i and j, and g is a table between whose entries it is interpolated linearly. */
#ifndef FPMOVE_GPU_NBODY_TABLE_H
#define FPMOVE_GPU_NBODY_TABLE_H

#include "base/arena.h"

#include <stdbool.h>

enum { TABLE_KINDS = 8, TABLE_ENTRIES = 8192 }; /* at most */

struct force_table {
	unsigned kinds, n;       /* kinds of bodies; entries of g */
	double first, last;      /* x of the first entry and of the last; g stays what it is there on either side */
	float *g;
	double *integral;        /* of g from the last entry to each; they are negative where g is positive */
	float a[TABLE_KINDS + 1][TABLE_KINDS + 1], b[TABLE_KINDS + 1][TABLE_KINDS + 1]; /* one kind more, which does not pull */
};

/* Reads a text.  If `path` is NULL, makes exp(-x) for two kinds instead: like ones push and unlike ones pull.  Returns NULL, or one
 * sentence on what is wrong with the text. */
const char *force_table_open(struct arena *, const char *path, struct force_table *);
/* Returns g at x; its integral from the last entry to x; and the sum of the absolute numbers that g is computed from, which bounds
 * rounding. */
double force_table_at(const struct force_table *, double x);
double force_table_integral(const struct force_table *, double x);
double force_table_size(const struct force_table *, double x);

#endif
