/* How far two images of a scene are apart, and how far rounding may take them: the first pair is also drawn with its inputs
 * shifted a little, and what that does to a pixel or its neighbours is the gain there. */
#ifndef FPMOVE_GPU_APART_H
#define FPMOVE_GPU_APART_H

#include "gpu/scene.h"

#include <math.h>
#include <string.h>

enum { SCENE_PIXELS = SCENE_SIZE * SCENE_SIZE };
typedef float scene_image[SCENE_PIXELS][4];

/* 0 for equal values of any kind, infinite if only one is a number. */
static inline float pixel_apart(float a, float b)
{
	if (memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b)))
		return 0;
	float d = fabsf(a - b);
	return isnan(d) ? INFINITY : d;
}

/* Takes one shifted drawing into account; `own` begins as zeros. */
static inline void gain_add(const float (*before)[4], const float (*shifted)[4], float (*own)[4])
{
	for (unsigned i = 0; i < SCENE_PIXELS; i++)
		for (unsigned lane = 0; lane < 4; lane++)
			own[i][lane] = fmaxf(own[i][lane], pixel_apart(before[i][lane], shifted[i][lane]));
}

/* Of a pixel and its neighbours. */
static inline void gain_spread(const float (*own)[4], float (*gain)[4])
{
	for (int y = 0; y < SCENE_SIZE; y++)
		for (int x = 0; x < SCENE_SIZE; x++)
			for (unsigned lane = 0; lane < 4; lane++) {
				float most = 0;
				for (int ny = y > 0 ? y - 1 : 0; ny <= y + 1 && ny < SCENE_SIZE; ny++)
					for (int nx = x > 0 ? x - 1 : 0; nx <= x + 1 && nx < SCENE_SIZE; nx++)
						most = fmaxf(most, own[ny * SCENE_SIZE + nx][lane]);
				gain[y * SCENE_SIZE + x][lane] = most;
			}
}

struct difference {
	unsigned images, beyond, flips, total; /* pixels */
	float largest, worst;                  /* of those that are let pass: absolute; in tolerances */
	float farthest;                        /* of all */
	float excess;                          /* of all, in tolerances; where it is: image, pixel and lane */
	unsigned at_image, at, at_lane;
};

/* How far a value may be off. */
static inline float pixel_allowed(float before, float gain)
{
	return 2 * gain + 2e-6f * fabsf(before);
}

/* Where textures are read in steps, a coordinate near a step may fall on either side, which no neighbour need show: a few such
 * pixels are let pass, and counted.  Point sampling steps at a texel's edge; GPUs filter by weights in steps of 1/256. */
static inline void difference_add(const float (*before)[4], const float (*after)[4], const float (*gain)[4],
                                  bool steps, struct difference *d)
{
	unsigned beyond = 0;
	for (unsigned i = 0; i < SCENE_PIXELS; i++) {
		bool off = false;
		for (unsigned lane = 0; lane < 4; lane++) {
			float const away = pixel_apart(before[i][lane], after[i][lane]);
			float const allowed = pixel_allowed(before[i][lane], gain[i][lane]);
			if (away != 0 && !(away <= allowed))
				off = true;
			else if (away > 0)
				d->worst = fmaxf(d->worst, away / allowed);
			if (!off)
				d->largest = fmaxf(d->largest, away);
			d->farthest = fmaxf(d->farthest, away);
			if (away != 0 && away > d->excess * allowed) {
				d->excess = away / allowed;
				d->at_image = d->images;
				d->at = i;
				d->at_lane = lane;
			}
		}
		beyond += off;
	}
	d->images++;
	d->total += SCENE_PIXELS;
	if (steps && beyond <= SCENE_PIXELS / 200)
		d->flips += beyond;
	else
		d->beyond += beyond;
}

/* Does it show something: pixels drawn, numbers finite, and not all the same, unless the pair draws one colour? */
static inline bool image_shows(const float (*pixel)[4], bool flat)
{
	unsigned drawn = 0, finite = 0;
	float low[4] = {0}, high[4] = {0};
	for (unsigned i = 0; i < SCENE_PIXELS; i++) {
		const float *p = pixel[i];
		drawn += p[0] != SCENE_CLEARED || p[1] != SCENE_CLEARED;
		if (p[0] == SCENE_CLEARED || !isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2]) || !isfinite(p[3]))
			continue;
		for (unsigned l = 0; l < 4; l++) {
			low[l] = finite ? fminf(low[l], p[l]) : p[l];
			high[l] = finite ? fmaxf(high[l], p[l]) : p[l];
		}
		finite++;
	}
	bool varied = flat;
	for (unsigned l = 0; l < 4; l++)
		varied |= high[l] - low[l] > 1e-2f * fmaxf(fabsf(high[l]), fabsf(low[l]));
	return drawn > SCENE_PIXELS / 4 && finite > drawn / 10 * 9 && varied;
}

#endif
