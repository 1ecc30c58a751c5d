/* A GPU that had nothing to do for a while is slow until it has been at work for some milliseconds. */
#ifndef FPMOVE_GPU_WAKE_H
#define FPMOVE_GPU_WAKE_H

#include "gpu/image.h"
#include "gpu/kernel.h"

struct waker {
	struct lab lab;
	struct kernel kernel;
	struct image target;
	double least; /* ns that its work ever took */
};

/* A waker with the lab's context; on a CPU renderer, one that does nothing.  NULL, or one sentence in the lab's arena on why
 * there is none. */
const char *waker_open(const struct lab *, struct waker *);
void waker_close(struct waker *);
/* Draws until that takes hardly longer than ever; at first, for half a second. */
void waker_wake(struct waker *);

#endif
