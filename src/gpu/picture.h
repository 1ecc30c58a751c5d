/* Pictures: PNG files, and raw files of floats. */
#ifndef FPMOVE_GPU_PICTURE_H
#define FPMOVE_GPU_PICTURE_H

#include "base/arena.h"

/* Line by line from the top, RGBA, 0 to 1. */
struct picture {
	unsigned width, height;
	float *rgba; /* in the arena that made it */
};

void picture_make(struct arena *, unsigned width, unsigned height, struct picture *);
/* NULL, or one sentence in the arena on what is wrong with the file: a PNG of at most `most` pixels a side. */
const char *picture_read(struct arena *, const char *path, unsigned most, struct picture *);
/* Eight bits a channel, without alpha; as files_write writes.  NULL, or one sentence on why not. */
const char *picture_write(struct arena *, const char *path, const struct picture *);

/* Numbers from 0 up to 1, the same for the same seed everywhere. */
double random_unit(uint64_t *seed);
/* A grey picture with edges, gradients and grain, as photographs have: what filters are tried on.  Texels of `channels` floats,
 * the further ones shifted copies. */
void picture_scene(uint64_t seed, unsigned width, unsigned height, unsigned channels, float *texels);

#endif
