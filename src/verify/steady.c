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

/* Is the pixel's lane the same in all draws, but for `share` of it? */
static bool is_steady(const struct image *draws, unsigned lane, uint32_t k, float share)
{
	float const x = draws[0].lane[lane][k];
	bool steady = true;
	for (unsigned d = 1; d < DRAWS; d++)
		steady &= fabsf(draws[d].lane[lane][k] - x) <= share * (1 + fabsf(x));
	return steady;
}

static bool is_lost(const struct image *old, const struct image *new, uint32_t k)
{
	bool same[2] = {true, true};
	if (old[0].undefined[k] || new[0].undefined[k])
		return false;
	for (unsigned d = 1; d < DRAWS; d++) {
		same[0] &= old[d].killed[k] == old[0].killed[k];
		same[1] &= new[d].killed[k] == new[0].killed[k];
	}
	if (!same[0] || !same[1] || old[0].killed[k])
		return same[0] && !same[1];
	for (unsigned l = 0; l < DRAWN; l++) {
		if (isfinite(old[0].lane[l][k]) && is_steady(old, l, k, 1e-4f) && !is_steady(new, l, k, 1e-2f))
			return true;
	}
	return false;
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
	for (uint32_t k = 0; k < n; k++)
		lost += is_lost(images, images + DRAWS, k);
	arena_release(arena, mark);
	return lost;
}
