/* Measures the GPU and the bus to it for the models of model.h, and caches the results in a file. */
#ifndef FPMOVE_GPU_MACHINE_H
#define FPMOVE_GPU_MACHINE_H

#include "gpu/model.h"

/* Measures passes and transfers with textures and targets of one format, within a second or two.  Returns NULL, or one sentence in the
 * arena on what is wrong. */
const char *machine_measure(struct arena *, const struct context *, enum image_format, struct rates *);

/* Returns the path of the cache: $XDG_CACHE_HOME/fpmove/gpu.json, or, if that variable holds no absolute path, $HOME/.cache/fpmove/gpu.json.
 * Returns NULL if HOME is not set either. */
const char *machine_cache(struct arena *);
/* Reads from the cache the rates that were measured with this renderer, driver version, language and format.  Returns false if the cache holds
 * none.  `*note` becomes one sentence in the arena if the file is no cache or its entry is damaged, else NULL. */
bool machine_load(struct arena *, const char *path, const struct context *, enum image_format, struct rates *, const char **note);
/* Adds rates to the cache, which is created with its folders if it does not exist, and begun anew if it is no JSON object.  Returns NULL,
 * or one sentence in the arena on why that fails. */
const char *machine_store(struct arena *, const char *path, const struct context *, enum image_format, const struct rates *);

#endif
