/* Makes pictures, and reads and writes them as PNG files. */
#ifndef FPMOVE_GPU_PICTURE_H
#define FPMOVE_GPU_PICTURE_H

#include "base/arena.h"

/* A picture: its pixels line by line from the top, as RGBA from 0 to 1. */
struct picture {
	unsigned width, height;
	float *rgba; /* in the arena that made it */
};

void picture_make(struct arena *, unsigned width, unsigned height, struct picture *);
/* Reads a PNG of at most `most` pixels a side.  Returns NULL, or one sentence in the arena on what is wrong with the file. */
const char *picture_read(struct arena *, const char *path, unsigned most, struct picture *);
/* Writes a PNG of eight bits a channel, without alpha, through files_write.  Returns NULL, or one sentence on why that fails. */
const char *picture_write(struct arena *, const char *path, const struct picture *);

/* Returns the next random number in [0, 1) and advances the seed.  The numbers depend on the seed alone, on every machine. */
double random_unit(uint64_t *seed);
/* Makes a grey picture with edges, gradients and grain like those of photographs, as input for filters.  A texel has `channels` floats;
 * each further channel is a shifted copy of the first. */
void picture_scene(uint64_t seed, unsigned width, unsigned height, unsigned channels, float *texels);

#endif
