/* Takes timings, and computes statistics of them. */
#ifndef FPMOVE_GPU_STATS_H
#define FPMOVE_GPU_STATS_H

#include "base/arena.h"

#include <jansson.h>

/* Returns the time of the monotonic clock in ns. */
double stats_now_ns(void);

/* Returns how many samples of `ns` fit into `seconds`, but at least `least` and at most `most`. */
unsigned stats_samples(double seconds, double ns, unsigned least, unsigned most);

void stats_sort(double *values, size_t n);

/* The quartiles of some values: half of them lie from `low` to `high`. */
struct quartiles {
	double low, median, high;
};
/* Returns the quartiles of n > 0 values, which it sorts. */
struct quartiles stats_quartiles(double *values, size_t n);
/* Returns the quartiles of n > 0 values, whose order it does not change. */
struct quartiles quartiles_of(struct arena *, const double *values, size_t n);

/* Returns {"low": ..., "median": ..., "high": ...}. */
json_t *json_quartiles(const struct quartiles *);

/* The ratio of two things that were measured in turns, with its confidence interval. */
struct ratio {
	double low, median, high; /* the true median lies between low and high in 95 of 100 measurements */
};
/* Returns the median of the n > 0 quotients a[k] / b[k] and its interval; `work` has room for n. */
struct ratio stats_ratio(const double *a, const double *b, size_t n, double *work);

/* Returns [low, median, high]. */
json_t *json_ratio(const struct ratio *);

/* One of the things that are timed in turns, so that a load that slows the machine for a while slows all of them alike. */
struct turn {
	unsigned draws; /* draws in one sample */
	double *ns;     /* ns of a draw, for each sample */
};

/* Draws thing number `which` `draws` times.  Returns the time in ns of one draw, or a number below 0 if drawing fails. */
typedef double turn_sample(void *drawer, unsigned which, unsigned draws);

/* Warms up, and then samples n things in turns, for about `seconds` but at least five times each; sets `draws` and `ns` of each turn.  Returns
 * the number of samples of each thing, or 0 if a draw failed. */
unsigned turns_run(struct arena *, turn_sample *, void *drawer, struct turn *, unsigned n, double seconds);

/* Returns the slope of y over x by least squares; the n > 1 points must not all have the same x. */
double stats_slope(const double *x, const double *y, size_t n);

#endif
