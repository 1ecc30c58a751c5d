/* What was exact and is not any more, see steady.h. */
#include "verify/steady.h"

#include <math.h>
#include <string.h>

enum { DRAWS = 4, COLOURS = INTERP_TARGETS * LANES, DEPTH = COLOURS, DRAWN = COLOURS + 1 };

struct image {
	float lane[DRAWN][STEADY_PIXELS]; /* all of oC0, then oC1 ..., then oDepth */
	bool killed[STEADY_PIXELS], undefined[STEADY_PIXELS];
};

static void draw(struct arena *arena, struct pair pair, const struct interp_scene *scene, const float *const weight[2], uint32_t n,
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

/* Is the pixel the same in all draws, where it is finite, but for `share` of each lane? */
static bool is_steady(const struct image *draws, uint32_t k, float share)
{
	bool steady = true;
	for (unsigned d = 1; d < DRAWS; d++) {
		steady &= draws[d].killed[k] == draws[0].killed[k];
		for (unsigned l = 0; l < DRAWN && !draws[0].killed[k] && steady; l++) {
			float const x = draws[0].lane[l][k];
			steady = !isfinite(x) || fabsf(draws[d].lane[l][k] - x) <= share * (1 + fabsf(x));
		}
	}
	return steady;
}

unsigned steady_lost(struct arena *arena, const struct pair pairs[2], const struct interp_scene scenes[2],
                     const float *const weight[2], uint32_t n)
{
	struct arena_mark const mark = arena_mark(arena);
	struct image *images = arena_zero(arena, 2 * DRAWS * sizeof *images);
	unsigned lost = 0;
	for (unsigned k = 0; k < 2 * DRAWS; k++) {
		struct interp_scene scene = scenes[k / DRAWS];
		scene.off = k % DRAWS ? 0x1p-22f : 0;
		scene.draw = k % DRAWS;
		draw(arena, pairs[k / DRAWS], &scene, weight, n, &images[k]);
	}
	bool steady = true; /* where one pixel of the old pair is not, others may be so by luck */
	for (uint32_t k = 0; k < n; k++) {
		bool const counts = !images->undefined[k] && !images[DRAWS].undefined[k];
		steady &= !counts || is_steady(images, k, 1e-4f);
		lost += counts && !is_steady(images + DRAWS, k, 1e-2f);
	}
	arena_release(arena, mark);
	return steady ? lost : 0;
}
