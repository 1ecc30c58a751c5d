/* A force that is read from a text file: two bodies of kinds i and j at a distance r pull on each other by b g(a r^2) r.  a and b
 * depend on i and j; g is given by a table, and interpolated linearly between its entries. */
#ifndef FPMOVE_GPU_NBODY_TABLE_H
#define FPMOVE_GPU_NBODY_TABLE_H

#include "base/arena.h"

#include <stdbool.h>

enum { TABLE_KINDS = 8, TABLE_ENTRIES = 8192 }; /* upper limits of the kinds of bodies and of the table's entries */

struct force_table {
	unsigned kinds, n;       /* the number of kinds of bodies, and of entries of g */
	double first, last;      /* x of the first entry and of the last; g is constant below and above these */
	float *g;
	double *integral;        /* integral of g from the last entry to each entry: negative where g is positive */
	float a[TABLE_KINDS + 1][TABLE_KINDS + 1], b[TABLE_KINDS + 1][TABLE_KINDS + 1]; /* kind number `kinds` is the filler, which does not pull */
};

/* Reads a file.  If `path` is NULL, makes g = exp(-x) for two kinds instead: like bodies push and unlike bodies pull.  Returns NULL, or one
 * sentence on what is wrong with the file. */
const char *force_table_open(struct arena *, const char *path, struct force_table *);
/* Returns the table's g at x. */
double force_table_at(const struct force_table *, double x);
/* Returns the integral of g from the last entry to x. */
double force_table_integral(const struct force_table *, double x);
/* Returns the sum of the absolute values that g at x is computed from, which bounds the rounding of g. */
double force_table_size(const struct force_table *, double x);

#endif
