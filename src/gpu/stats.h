/* What some timings say. */
#ifndef FPMOVE_GPU_STATS_H
#define FPMOVE_GPU_STATS_H

#include <stddef.h>

/* Time on a clock that only runs forward. */
double stats_now_ns(void);

/* How many samples fit into `seconds` if one takes `ns`, but no fewer than `least` and no more than `most`. */
unsigned stats_samples(double seconds, double ns, unsigned least, unsigned most);

/* Puts n values in order, the least first. */
void stats_sort(double *values, size_t n);

/* Half of the values lie from `low` to `high`. */
struct quartiles {
	double low, median, high;
};
/* Of n > 0 values, which come to stand in order. */
struct quartiles stats_quartiles(double *values, size_t n);

/* How two things compare that were measured in turns. */
struct ratio {
	double low, median, high; /* low to high holds the true median in 95 of 100 such measurements */
};
/* Of the n > 0 values a[k] / b[k]; work has room for n. */
struct ratio stats_ratio(const double *a, const double *b, size_t n, double *work);

/* How much y grows with x, by least squares, of n > 1 points that differ in x. */
double stats_slope(const double *x, const double *y, size_t n);

#endif
