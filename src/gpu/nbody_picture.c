/* Draws the picture of nbody, see nbody.h. */
#include "gpu/nbody.h"

#include <math.h>
#include <stdlib.h>

enum { SIDE_OF_PICTURE = 512 };

static int compare_floats(const void *a, const void *b)
{
	float const s = *(const float *)a, t = *(const float *)b;
	return (s > t) - (s < t);
}

/* Returns half the edge of a square that, seen along z, contains nine tenths of the bodies and a margin. */
static float half_width(struct arena *a, const struct nbody *s)
{
	float *far = arena_alloc(a, s->n * sizeof *far);
	for (size_t k = 0; k < s->n; k++)
		far[k] = fmaxf(fabsf(s->end[0][k * LANES]), fabsf(s->end[0][k * LANES + 1]));
	qsort(far, s->n, sizeof *far, compare_floats);
	return 1.2f * fmaxf(far[s->n * 9 / 10], 1e-6f);
}

/* Adds a dot of light that falls off as a Gaussian over a few pixels. */
static void draw_dot(struct picture *p, float x, float y, const float colour[3], float light)
{
	enum { REACH = 4 };
	int const left = (int)floorf(x) - REACH, top = (int)floorf(y) - REACH;
	for (int at_y = top; at_y <= top + 2 * REACH; at_y++)
		for (int at_x = left; at_x <= left + 2 * REACH; at_x++) {
			if (at_x < 0 || at_y < 0 || at_x >= (int)p->width || at_y >= (int)p->height)
				continue;
			float const dx = (float)at_x + 0.5f - x, dy = (float)at_y + 0.5f - y;
			float const share = light * expf(-(dx * dx + dy * dy) / 3);
			for (unsigned c = 0; c < 3; c++)
				p->rgba[((size_t)at_y * p->width + (size_t)at_x) * 4 + c] += share * colour[c];
		}
}

static bool is_drawn_blue(const struct nbody *s, float weight)
{
	return s->table.kinds ? nbody_kind(s, (double)weight) % 2 != 0 : weight < 0;
}

/* Draws the bodies as seen along z.  Negative charges, and every other kind, are blue; all others have a warm colour. */
void nbody_picture(struct lab *lab, void *state, struct picture *p)
{
	static const float warm[3] = {1, 0.75f, 0.45f}, cold[3] = {0.4f, 0.65f, 1};
	const struct nbody *s = state;
	picture_make(lab->arena, SIDE_OF_PICTURE, SIDE_OF_PICTURE, p);
	float const middle = SIDE_OF_PICTURE / 2, scale = middle / half_width(lab->arena, s), light = fminf(1, 30 / sqrtf((float)s->n));
	for (size_t k = 0; k < s->n; k++) {
		const float *at = s->end[0] + k * LANES;
		draw_dot(p, middle + scale * at[0], middle - scale * at[1], is_drawn_blue(s, at[NBODY_WEIGHT]) ? cold : warm, light);
	}
}
