/* Images: textures, which passes (pass.h) read and also draw to. */
#ifndef FPMOVE_GPU_IMAGE_H
#define FPMOVE_GPU_IMAGE_H

#include "base/arena.h"

#include <stdbool.h>

enum image_format { IMAGE_RGBA8, IMAGE_RGBA16F, IMAGE_RGBA32F, IMAGE_R32F, IMAGE_FORMATS };
struct image_format_info {
	const char *name;  /* as --format takes it */
	unsigned bytes;    /* bytes of a texel */
	unsigned channels; /* floats of a texel in image_write and image_read */
};
extern const struct image_format_info image_formats[IMAGE_FORMATS];

enum image_wrap { IMAGE_CLAMP, IMAGE_REPEAT };

struct image {
	int width, height;
	enum image_format format;
	unsigned texture, frame; /* OpenGL's names of the texture, and of a frame buffer that draws to it */
};

struct rect {
	int x, y, width, height; /* in texels; line 0 is the first in memory */
};
static inline struct rect image_whole(const struct image *i)
{
	return (struct rect){.width = i->width, .height = i->height};
}

/* Makes an image of zeros, whose reads take the nearest texel.  Returns NULL, or one sentence on what the driver refuses. */
const char *image_make(struct image *, int width, int height, enum image_format, enum image_wrap);
void image_delete(struct image *);
/* Makes reads of the image mix the four nearest texels if `linear`, or take the nearest one. */
void image_filter(const struct image *, bool linear);
/* Directs draws to these images, which have one size, until image_release_targets is called.  Draws must not read them meanwhile. */
void image_bind_targets(const struct image *const target[], unsigned n);
void image_release_targets(unsigned n);
/* Returns OpenGL's internal format for an image format. */
unsigned image_internal_format(enum image_format);
/* Write texels to a rectangle of the image, or read them: `channels` floats a texel, line by line. */
void image_write(const struct image *, struct rect, const float *);
void image_read(const struct image *, struct rect, float *);
/* Copies a rectangle of `from` to the same place of `to`, within the driver. */
void image_copy(const struct image *from, const struct image *to, struct rect);

#endif
