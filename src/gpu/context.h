/* OpenGL without a window, through EGL. */
#ifndef FPMOVE_GPU_CONTEXT_H
#define FPMOVE_GPU_CONTEXT_H

#include "base/arena.h"

#include <stdbool.h>

/* What programs are given to the driver as. */
enum language { LANGUAGE_ARB, LANGUAGE_GLSL };
extern const char *const language_names[2];

struct context {
	const char *renderer, *vendor, *version; /* as OpenGL names them; in the arena */
	enum language language;
	bool software;          /* a CPU does the drawing: its times say little of a GPU's */
	int largest, colours;   /* edge of the largest texture and target; targets at a time */
	bool timer, floats;     /* draws can be timed; targets can hold floats */
	void *display, *handle; /* EGL's */
};

/* Devices that EGL lists, each in one line that says what it is; 0: none. */
unsigned context_devices(struct arena *, const char ***lines);
/* Opens device number `device` of these, -1 for the first that works, with `language`, or where that is -1 with what the
 * driver has, and makes its context current.  NULL, or one sentence in the arena on what is missing. */
const char *context_open(struct arena *, int device, int language, struct context *);
void context_close(struct context *);
/* NULL, or the OpenGL errors since the last call, by name. */
const char *context_error(void);

#endif
