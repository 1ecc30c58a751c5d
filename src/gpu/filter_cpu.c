/* Filters images on the CPU, see filter_cpu.h. */
#include "gpu/filter_cpu.h"

#include <string.h>

/* Copies an image with each line made longer by `margin` texels at either end, which repeat its ends. */
static float *repeat_line_ends(struct arena *a, const float *from, size_t size, size_t margin)
{
	size_t const line = (size + 2 * margin) * FILTER_CHANNELS;
	float *wide = arena_alloc(a, line * size * sizeof *wide);
	for (size_t y = 0; y < size; y++)
		for (size_t x = 0; x < size + 2 * margin; x++) {
			size_t const at = x < margin ? 0 : x - margin < size ? x - margin : size - 1;
			memcpy(wide + y * line + x * FILTER_CHANNELS, from + (y * size + at) * FILTER_CHANNELS, FILTER_CHANNELS * sizeof *wide);
		}
	return wide;
}

static void add_weighted_line(float *restrict to, const float *restrict from, float weight, size_t n)
{
	for (size_t k = 0; k < n; k++)
		to[k] += weight * from[k];
}

void filter_on_cpu(struct arena *a, const float *from, unsigned size, const float *weight, unsigned columns, unsigned rows, float *to)
{
	struct arena_mark const mark = arena_mark(a);
	size_t const n = (size_t)size * FILTER_CHANNELS, line = n + (size_t)(columns - 1) * FILTER_CHANNELS;
	const float *wide = repeat_line_ends(a, from, size, columns / 2);
	memset(to, 0, n * size * sizeof *to);
	for (long y = 0; y < (long)size; y++)
		for (long j = 0; j < (long)rows; j++) {
			long const row = y + j - (long)(rows / 2), at = row < 0 ? 0 : row < (long)size ? row : (long)size - 1;
			for (unsigned i = 0; i < columns; i++)
				add_weighted_line(to + (size_t)y * n, wide + (size_t)at * line + (size_t)i * FILTER_CHANNELS,
				                  weight[(unsigned)j * columns + i], n);
		}
	arena_release(a, mark);
}
