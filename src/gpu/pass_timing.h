/* Times single passes, with the GPU at its full clock: a GPU that was idle is slow until it has worked for some milliseconds. */
#ifndef FPMOVE_GPU_PASS_TIMING_H
#define FPMOVE_GPU_PASS_TIMING_H

#include "gpu/pass.h"

/* Draws only to keep the GPU busy. */
struct waker {
	struct lab lab;
	struct kernel kernel;
	struct image target;
	double least; /* the shortest time in ns of a round of its draws so far */
};

/* Opens a waker with the lab's context; if the device is a CPU, the waker does nothing.  Returns NULL, or one sentence in the lab's arena
 * on why that fails. */
const char *waker_open(const struct lab *, struct waker *);
/* Draws in rounds until three in a row take hardly longer than the shortest so far, but for at most 0.2 s; the first call draws for half a
 * second.  Does nothing if the device is a CPU. */
void waker_wake(struct waker *);

enum { MOST_PASS_SAMPLES = 21 };

/* Draws a pass, or, if `copied` is not NULL, copies that rectangle of its first texture to its first target, while the GPU does nothing else:
 * once to warm up, and then `samples` times, at most MOST_PASS_SAMPLES.  Returns the median time in ns, by the GPU's clock, or by the CPU's if
 * the device is a CPU. */
double pass_alone_ns(struct lab *, const struct pass *, const struct rect *copied, unsigned samples);

/* Appends instructions to the text of an FP that read `reads` texels of s0 and add them to r0.  Texel k, from 1 on, is read at register `base`
 * plus c<k>.  Sums follow each eight reads, which keeps the order of dependent reads low: ps_2_0 counts it by register. */
void add_texture_sum(struct text *, const char *base, unsigned reads);
/* Returns n random numbers in [0, 1) in the lab's arena; they are the same for every call. */
float *random_texels(struct lab *, size_t n);

#endif
