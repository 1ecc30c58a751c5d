/* Keeps the GPU at its full clock: one that was idle for a while is slow until it has worked for some milliseconds. */
#ifndef FPMOVE_GPU_WAKE_H
#define FPMOVE_GPU_WAKE_H

#include "gpu/image.h"
#include "gpu/kernel.h"

struct waker {
	struct lab lab;
	struct kernel kernel;
	struct image target;
	double least; /* the shortest ns that its draws took so far */
};

/* Opens a waker with the lab's context; if the device is a CPU, the waker does nothing.  Returns NULL, or one sentence in the lab's arena
 * on why that fails. */
const char *waker_open(const struct lab *, struct waker *);
void waker_close(struct waker *);
/* Draws until three times in a row it takes hardly longer than the shortest time so far, but for at most 0.2 s; the first call draws for half
 * a second.  Does nothing if the device is a CPU. */
void waker_wake(struct waker *);

#endif
