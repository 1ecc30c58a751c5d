/* Opens OpenGL without a window, through EGL. */
#ifndef FPMOVE_GPU_CONTEXT_H
#define FPMOVE_GPU_CONTEXT_H

#include "base/arena.h"

#include <stdbool.h>

/* The language in which the driver gets programs. */
enum language { LANGUAGE_ARB, LANGUAGE_GLSL };
extern const char *const language_names[2];

struct context {
	const char *renderer, *vendor, *version; /* as OpenGL names them; in the arena */
	enum language language;
	bool software;          /* a CPU draws, so that times say little of a GPU */
	int largest;            /* texels along a side of the largest texture or target */
	int colours;            /* targets that a draw can write to */
	bool timer, floats;     /* draws can be timed; targets can hold floats */
	void *display, *handle; /* the display and the context of EGL */
};

/* Sets *lines to an array with one line of text for each device that EGL lists.  Returns the number of devices. */
unsigned context_devices(struct arena *, const char ***lines);
/* Opens the device with this index in the list of context_devices, or if it is -1 the first that works, and makes its context current.  `language`
 * is an enum language, or -1 for assembly if the driver takes it and else GLSL.  Returns NULL, or one sentence in the arena on what is missing. */
const char *context_open(struct arena *, int device, int language, struct context *);
void context_close(struct context *);
/* Returns the name of the first OpenGL error since the last call, or NULL if there was none, and clears all errors. */
const char *context_error(void);

#endif
