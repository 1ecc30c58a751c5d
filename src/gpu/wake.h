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
/* Draws until it takes hardly longer than the shortest time so far; the first call draws for half a second. */
void waker_wake(struct waker *);

#endif
