/* Predictions: the measured machine and its tables, which predictions of programs and of imagined programs (--reads) share. */
#ifndef FPMOVE_GPU_PREDICT_H
#define FPMOVE_GPU_PREDICT_H

#include "gpu/machine.h"
#include "gpu/output.h"

struct predict {
	const struct context *gpu;
	const struct target *target; /* gives the weights of the extended model */
	const char *cache;           /* path of the cache of rates; NULL if none is kept */
	bool fresh;                  /* true to measure even if the cache has the format */
	struct machine machine;
};

struct predict predict_begin(struct arena *, const struct context *, const struct gpu_options *);
/* Measures a format, or reads its rates from the cache.  Returns NULL, or one sentence on what is wrong. */
const char *predict_measure(struct arena *, struct predict *, enum image_format);
/* Prints the machine's bandwidths, latencies and errors for a set of formats (bit n: format n). */
void predict_print_rates(struct text *, const struct predict *, unsigned formats);

/* Predicts a program that does not exist yet, from --reads, --pixels, --bytes and --passes.  Returns the exit status. */
int predict_imagined(struct arena *, const struct context *, const struct gpu_options *, struct gpu_output *);

#endif
