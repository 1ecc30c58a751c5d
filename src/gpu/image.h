/* Textures, which are also what passes draw to. */
#ifndef FPMOVE_GPU_IMAGE_H
#define FPMOVE_GPU_IMAGE_H

#include "base/arena.h"

#include <stdbool.h>

enum image_format { IMAGE_RGBA8, IMAGE_RGBA16F, IMAGE_RGBA32F, IMAGE_R32F, IMAGE_FORMATS };
/* By name, as --format takes them; bytes of a texel; floats of a texel that come and go. */
struct image_format_info {
	const char *name;
	unsigned bytes, channels;
};
extern const struct image_format_info image_formats[IMAGE_FORMATS];

enum image_wrap { IMAGE_CLAMP, IMAGE_REPEAT };

struct image {
	int width, height;
	enum image_format format;
	unsigned texture, frame; /* OpenGL's names of it as a texture, and of a frame buffer that draws to it */
};

struct rect {
	int x, y, width, height; /* texels; line 0 is the first in memory */
};
static inline struct rect image_whole(const struct image *i)
{
	return (struct rect){0, 0, i->width, i->height};
}

/* Texels of zeros; reads take the nearest texel.  NULL, or one sentence on why the driver makes none. */
const char *image_make(struct image *, int width, int height, enum image_format, enum image_wrap);
void image_delete(struct image *);
/* From now on reads mix the four nearest texels, or take the nearest. */
void image_filter(const struct image *, bool linear);
/* The next draws go to these, of one size, until they are released: what is bound must not be read. */
void image_bind_targets(const struct image *const target[], unsigned n);
void image_release_targets(unsigned n);
/* OpenGL's name of the format. */
unsigned image_inside(enum image_format);
/* `channels` floats a texel, line by line. */
void image_write(const struct image *, struct rect, const float *);
void image_read(const struct image *, struct rect, float *);
/* What was drawn to `from` is copied to the same place of `to`, by the driver. */
void image_copy(const struct image *from, const struct image *to, struct rect);

#endif
