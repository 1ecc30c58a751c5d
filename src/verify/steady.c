/* Finds pixels that were exact and no longer are, see steady.h. */
#include "verify/steady.h"

#include <math.h>
#include <string.h>

enum { DRAWS = 4, MORE_DRAWS = 40, COLOURS = INTERP_TARGETS * LANES, DEPTH = COLOURS, DRAWN = COLOURS + 1 };

struct image {
	float lane[DRAWN][STEADY_PIXELS]; /* the lanes of oC0, then those of oC1 ..., then oDepth */
	bool killed[STEADY_PIXELS], undefined[STEADY_PIXELS];
};

static void draw_image(struct arena *arena, struct pair pair, const struct interp_scene *scene, const float *const weight[2], uint32_t n,
                 struct image *to)
{
	struct interp_pixels pixels = {.n = n, .weight = {weight[0], weight[1]}, .depth = to->lane[DEPTH], .killed = to->killed,
	                               .undefined = to->undefined};
	for (unsigned l = 0; l < COLOURS; l++)
		pixels.colour[l / LANES][l % LANES] = to->lane[l];
	struct arena_mark const mark = arena_mark(arena);
	interp_draw(arena, pair, scene, &pixels);
	arena_release(arena, mark);
}

enum { KILLED = DRAWN, STEADY };

/* Returns the lane in which two draws of a pixel differ by more than `share`, among lanes that are finite in the first; KILLED if only
 * one draw kills the pixel; STEADY if they agree. */
static unsigned differing_lane(const struct image *draw, const struct image *first, uint32_t k, float share)
{
	if (draw->killed[k] != first->killed[k])
		return KILLED;
	for (unsigned l = 0; l < DRAWN && !first->killed[k]; l++) {
		float const x = first->lane[l][k];
		if (isfinite(x) && !(fabsf(draw->lane[l][k] - x) <= share * (1 + fabsf(x))))
			return l;
	}
	return STEADY;
}

/* Returns the first lane in which one of the draws of a pixel differs from the first draw, or STEADY. */
static unsigned unsteady_lane(const struct image *draws, uint32_t k, float share)
{
	unsigned lane = STEADY;
	for (unsigned d = 1; d < DRAWS && lane == STEADY; d++)
		lane = differing_lane(&draws[d], &draws[0], k, share);
	return lane;
}

/* Returns true if further draws of the old pair disagree on one of the pixels in `lost`. */
static bool more_draws_differ(struct arena *arena, struct pair old, struct interp_scene scene, const float *const weight[2], uint32_t n,
                              const struct image *first, const bool *lost)
{
	struct image *more = arena_zero(arena, sizeof *more);
	bool differ = false;
	for (unsigned d = DRAWS; d < MORE_DRAWS && !differ; d++) {
		scene.off = 0x1p-22f;
		scene.draw = d;
		draw_image(arena, old, &scene, weight, n, more);
		for (uint32_t k = 0; k < n; k++)
			differ |= lost[k] && differing_lane(more, first, k, 1e-4f) != STEADY;
	}
	return differ;
}

static struct measured_lane name_lane(unsigned lane)
{
	if (lane == KILLED)
		return (struct measured_lane){REG_FILES, 0, 0};
	return lane == DEPTH ? (struct measured_lane){REG_DEPTH_OUT, 0, 0}
	                     : (struct measured_lane){REG_PIXEL_OUT, (int)(lane / LANES), lane % LANES};
}

unsigned steady_lost(struct arena *arena, const struct pair pairs[2], const struct interp_scene scenes[2],
                     const float *const weight[2], uint32_t n, struct measured_lane *lane)
{
	struct arena_mark const mark = arena_mark(arena);
	struct image *images = arena_zero(arena, 2 * DRAWS * sizeof *images);
	bool lost[STEADY_PIXELS] = {false};
	unsigned count = 0;
	for (unsigned k = 0; k < 2 * DRAWS; k++) {
		struct interp_scene scene = scenes[k / DRAWS];
		scene.off = k % DRAWS ? 0x1p-22f : 0;
		scene.draw = k % DRAWS;
		draw_image(arena, pairs[k / DRAWS], &scene, weight, n, &images[k]);
	}
	bool steady = true; /* of the old pair: if one pixel is not steady, others may be so by luck */
	for (uint32_t k = 0; k < n; k++) {
		bool const counts = !images->undefined[k] && !images[DRAWS].undefined[k];
		steady &= !counts || unsteady_lane(images, k, 1e-4f) == STEADY;
		unsigned const here = counts ? unsteady_lane(images + DRAWS, k, 1e-2f) : STEADY;
		lost[k] = here != STEADY;
		if (lost[k] && !count++)
			*lane = name_lane(here);
	}
	if (steady && count)
		steady = !more_draws_differ(arena, pairs[0], scenes[0], weight, n, images, lost);
	arena_release(arena, mark);
	return steady ? count : 0;
}
