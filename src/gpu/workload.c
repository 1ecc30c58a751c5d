/* The list of workloads, and what they share, see workload.h. */
#include "gpu/workload.h"

#include <stdio.h>

const struct workload *const workloads[] = {&gauss_workload};
const unsigned nworkloads = sizeof workloads / sizeof *workloads;

const struct workload *workload_named(const char *name)
{
	for (unsigned k = 0; k < nworkloads; k++)
		if (strcmp(workloads[k]->name, name) == 0)
			return workloads[k];
	return NULL;
}

/* A file of floats in this machine's order, as many as there are. */
static const char *read_floats(struct arena *a, const char *path, size_t n, float *to)
{
	FILE *f = fopen(path, "rb");
	if (!f)
		return arena_printf(a, "%s cannot be read", path);
	size_t const got = fread(to, sizeof *to, n, f);
	bool const more = got == n && fgetc(f) != EOF;
	fclose(f);
	if (got == n && !more)
		return NULL;
	return arena_printf(a, "%s: %zu floats are wanted, and there are %s", path, n, more ? "more" : "fewer");
}

static bool is_png(const char *path)
{
	size_t const n = strlen(path);
	return n > 4 && (strcmp(path + n - 4, ".png") == 0 || strcmp(path + n - 4, ".PNG") == 0);
}

const char *workload_image(struct lab *lab, const struct job *job, unsigned width, unsigned height, unsigned channels, float *texels)
{
	if (!job->input) {
		picture_scene(job->seed, width, height, channels, texels);
		return NULL;
	}
	if (!is_png(job->input))
		return read_floats(lab->arena, job->input, (size_t)width * height * channels, texels);
	struct picture p;
	const char *wrong = picture_read(lab->arena, job->input, (unsigned)lab->gpu->largest, &p);
	for (size_t y = 0; y < height && !wrong; y++)
		for (size_t x = 0; x < width; x++)
			for (size_t c = 0; c < channels; c++)
				*texels++ = p.rgba[(y % p.height * p.width + x % p.width) * 4 + c];
	return wrong;
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
