/* Measuring a machine for model.h, and keeping what was measured. */
#ifndef FPMOVE_GPU_MACHINE_H
#define FPMOVE_GPU_MACHINE_H

#include "gpu/model.h"

/* Measures textures and targets of a format, within a second or two.  NULL, or one sentence in the arena on what is wrong. */
const char *machine_measure(struct arena *, const struct context *, enum image_format, struct rates *);

/* The cache is $XDG_CACHE_HOME/fpmove/gpu.json, or ~/.cache/fpmove/gpu.json; NULL: neither is set. */
const char *machine_cache(struct arena *);
/* What was measured with this renderer, driver version, language and format; false: nothing.  `*note`: one sentence in the
 * arena on a file that is there but holds something else, or NULL. */
bool machine_load(struct arena *, const char *path, const struct context *, enum image_format, struct rates *, const char **note);
/* Adds to the file, or makes it and its folders.  NULL, or one sentence in the arena on why that fails. */
const char *machine_store(struct arena *, const char *path, const struct context *, enum image_format, const struct rates *);

#endif
