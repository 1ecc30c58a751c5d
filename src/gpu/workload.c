/* Functions that the workloads share, see workload.h. */
#include "gpu/workload.h"

#include <math.h>
#include <stdio.h>

const char *workload_title(struct arena *a, const struct workload *w, const struct wanted *wanted)
{
	return wanted->form ? arena_printf(a, "%s %s", w->name, wanted->form) : w->name;
}

const char *workload_fits(struct lab *lab, unsigned side)
{
	if (side <= (unsigned)lab->gpu->largest)
		return NULL;
	return arena_printf(lab->arena, "textures here have at most %d texels a side, and %u are needed", lab->gpu->largest, side);
}

const char *workload_floats(struct lab *lab, const char *path, size_t n, float *to)
{
	FILE *f = fopen(path, "rb");
	if (!f)
		return arena_printf(lab->arena, "%s cannot be read", path);
	size_t const got = fread(to, sizeof *to, n, f);
	bool const more = got == n && fgetc(f) != EOF;
	fclose(f);
	if (got < n || more)
		return arena_printf(lab->arena, "%s: %zu floats are wanted, and there are %s", path, n, more ? "more" : "fewer");
	for (size_t k = 0; k < n; k++)
		if (!isfinite(to[k]))
			return arena_printf(lab->arena, "%s: float number %zu is not finite", path, k);
	return NULL;
}

static bool is_png(const char *path)
{
	size_t const n = strlen(path);
	return n > 4 && (strcmp(path + n - 4, ".png") == 0 || strcmp(path + n - 4, ".PNG") == 0);
}

/* Returns a channel of a pixel.  If there is only one, it is the brightness by the weights of ITU-R BT.601. */
static float channel_of(const float rgba[4], size_t c, unsigned channels)
{
	return channels > 1 ? rgba[c] : 0.299f * rgba[0] + 0.587f * rgba[1] + 0.114f * rgba[2];
}

static const char *read_picture(struct lab *lab, const char *path, unsigned width, unsigned height, unsigned channels, float *texels)
{
	struct picture p;
	const char *wrong = picture_read(lab->arena, path, (unsigned)lab->gpu->largest, &p);
	for (size_t y = 0; y < height && !wrong; y++)
		for (size_t x = 0; x < width; x++)
			for (size_t c = 0; c < channels; c++)
				*texels++ = channel_of(p.rgba + (y % p.height * p.width + x % p.width) * 4, c, channels);
	return wrong;
}

const char *workload_image(struct lab *lab, enum image_format format, unsigned width, unsigned height, unsigned channels, float **texels)
{
	size_t const n = (size_t)width * height * channels;
	const char *wrong = NULL, *input = lab->wanted->input;
	float *to = *texels = arena_alloc(lab->arena, n * sizeof *to);
	if (!input)
		picture_scene(lab->wanted->seed, width, height, channels, to);
	else if (is_png(input))
		wrong = read_picture(lab, input, width, height, channels, to);
	else
		wrong = workload_floats(lab, input, n, to);
	for (size_t k = 0; k < n && !wrong && format == IMAGE_RGBA8; k++)
		to[k] = fminf(1, fmaxf(0, to[k]));
	return wrong;
}

void workload_picture(struct lab *lab, unsigned size, const float *texels, struct picture *p)
{
	picture_make(lab->arena, size, size, p);
	memcpy(p->rgba, texels, (size_t)size * size * 4 * sizeof *texels);
}

struct sample workload_sample(const struct lab *lab, size_t total, size_t most)
{
	return (struct sample){total < most ? total : most, total, lab->wanted->seed};
}

size_t sample_at(struct sample *s, size_t k)
{
	return s->n == s->total ? k : (size_t)(random_unit(&s->seed) * (double)s->total);
}

double workload_largest(const float *at, size_t n)
{
	float largest = 1;
	for (size_t k = 0; k < n; k++)
		largest = fmaxf(largest, fabsf(at[k]));
	return (double)largest;
}

double workload_rounding(enum image_format format, double steps)
{
	switch (format) {
	case IMAGE_RGBA8: return steps / 255;
	case IMAGE_RGBA16F: return steps / 1024;
	case IMAGE_RGBA32F:
	case IMAGE_R32F:
	case IMAGE_FORMATS: break;
	}
	return steps / 1048576;
}
