/* Reads and writes PNG files through libpng's simple interface, and makes pictures, see picture.h. */
#include "gpu/picture.h"

#include "cli/files.h"

#include <errno.h>
#include <math.h>
#include <png.h>
#include <stdio.h>

void picture_make(struct arena *a, unsigned width, unsigned height, struct picture *p)
{
	*p = (struct picture){.width = width, .height = height, .rgba = arena_zero(a, (size_t)width * height * 4 * sizeof(float))};
}

const char *picture_read(struct arena *a, const char *path, unsigned most, struct picture *p)
{
	png_image image = {.version = PNG_IMAGE_VERSION};
	const char *wrong = NULL;
	errno = 0;
	if (!png_image_begin_read_from_file(&image, path))
		return arena_printf(a, "%s cannot be read as a PNG: %s", path, errno == ENOENT ? "there is no such file" : image.message);
	if (image.width > most || image.height > most)
		wrong = arena_printf(a, "%s: it has %u x %u pixels, and at most %u a side are possible", path, (unsigned)image.width,
		                     (unsigned)image.height, most);
	image.format = PNG_FORMAT_RGBA;
	image.flags |= PNG_IMAGE_FLAG_16BIT_sRGB; /* without this, libpng takes 16 bits for linear light, and brightens them */
	png_bytep bytes = wrong ? NULL : arena_alloc(a, PNG_IMAGE_SIZE(image));
	if (!wrong && !png_image_finish_read(&image, NULL, bytes, 0, NULL))
		wrong = arena_printf(a, "%s is a damaged or incomplete PNG: %s", path, image.message);
	if (!wrong) {
		picture_make(a, image.width, image.height, p);
		for (size_t k = 0; k < (size_t)image.width * image.height * 4; k++)
			p->rgba[k] = (float)bytes[k] / 255.0f;
	}
	png_image_free(&image);
	return wrong;
}

const char *picture_write(struct arena *a, const char *path, const struct picture *p)
{
	png_image image = {.version = PNG_IMAGE_VERSION, .width = p->width, .height = p->height, .format = PNG_FORMAT_RGB};
	png_bytep bytes = arena_alloc(a, PNG_IMAGE_SIZE(image));
	for (size_t k = 0; k < (size_t)p->width * p->height * 3; k++) {
		float v = p->rgba[k / 3 * 4 + k % 3];
		bytes[k] = v > 0 ? v < 1 ? (png_byte)lrintf(v * 255) : 255 : 0;
	}
	png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
	char *png = arena_alloc(a, size);
	if (!png_image_write_to_memory(&image, png, &size, 0, bytes, 0, NULL))
		return arena_printf(a, "%s: no PNG can be made of the picture: %s", path, image.message);
	struct output const file = {.path = path, .text = png, .n = size};
	const char *why;
	return files_write(a, &file, 1, &why) ? NULL : why;
}

/* The generator is splitmix64: a counter with a large step, whose bits are mixed by multiplications and shifts. */
double random_unit(uint64_t *seed)
{
	uint64_t z = *seed += UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return (double)((z ^ z >> 31) >> 11) / 9007199254740992.0;
}

/* Returns the brightness at a point of the picture: discs of different brightness over a gradient. */
static double scene_at(double const disc[][4], unsigned discs, double x, double y)
{
	double value = 0.25 + 0.3 * x + 0.1 * sin(12 * y);
	for (unsigned k = 0; k < discs; k++)
		if (hypot(x - disc[k][0], y - disc[k][1]) < disc[k][2])
			value = disc[k][3];
	return value;
}

void picture_scene(uint64_t seed, unsigned width, unsigned height, unsigned channels, float *texels)
{
	enum { DISCS = 24 };
	double disc[DISCS][4];
	for (unsigned k = 0; k < DISCS; k++)
		for (unsigned l = 0; l < 4; l++)
			disc[k][l] = random_unit(&seed) * (l == 2 ? 0.15 : 1);
	for (unsigned y = 0; y < height; y++)
		for (unsigned x = 0; x < width; x++)
			for (unsigned c = 0; c < channels; c++) {
				double at = scene_at((double const (*)[4])disc, DISCS, (x + 3.0 * c) / width, (double)y / height);
				*texels++ = (float)fmin(1, fmax(0, at + 0.04 * (random_unit(&seed) - 0.5)));
			}
}
