/* Statistics of timings. */
#ifndef FPMOVE_GPU_STATS_H
#define FPMOVE_GPU_STATS_H

#include <jansson.h>
#include <stddef.h>

/* Returns the time of the monotonic clock in ns. */
double stats_now_ns(void);

/* Returns how many samples of `ns` fit into `seconds`, but at least `least` and at most `most`. */
unsigned stats_samples(double seconds, double ns, unsigned least, unsigned most);

/* Sorts n values in ascending order. */
void stats_sort(double *values, size_t n);

/* Half of the values lie from `low` to `high`. */
struct quartiles {
	double low, median, high;
};
/* Returns the quartiles of n > 0 values, which it sorts. */
struct quartiles stats_quartiles(double *values, size_t n);

/* Returns {"low": ..., "median": ..., "high": ...}. */
json_t *json_quartiles(const struct quartiles *);

/* The ratio of two things that were measured in turns, with its confidence interval. */
struct ratio {
	double low, median, high; /* the true median lies between low and high in 95 of 100 measurements */
};
/* Returns the median of the n > 0 values a[k] / b[k] and its interval; `work` has room for n. */
struct ratio stats_ratio(const double *a, const double *b, size_t n, double *work);

/* Returns [low, median, high]. */
json_t *json_ratio(const struct ratio *);

/* Returns the slope of y over x by least squares; the n > 1 points must not all have the same x. */
double stats_slope(const double *x, const double *y, size_t n);

#endif
