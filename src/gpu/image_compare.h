/* Compares two images of a scene, and tells rounding from other differences: the first pair is also drawn with its inputs shifted a
 * little, and the largest change that this makes to a pixel or its neighbours is the gain of that pixel. */
#ifndef FPMOVE_GPU_IMAGE_COMPARE_H
#define FPMOVE_GPU_IMAGE_COMPARE_H

#include "gpu/scene.h"

#include <math.h>
#include <string.h>

enum { SCENE_PIXELS = SCENE_SIZE * SCENE_SIZE };
typedef float scene_image[SCENE_PIXELS][4];

/* Returns the difference of two values: 0 if they are equal or both NaN, infinity if just one is NaN. */
static inline float pixel_difference(float a, float b)
{
	if (memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b)))
		return 0;
	float d = fabsf(a - b);
	return isnan(d) ? INFINITY : d;
}

/* Raises each value of `own` (at first 0) to the difference between the images `before` and `shifted`, if that is larger. */
static inline void gain_add(const float (*before)[4], const float (*shifted)[4], float (*own)[4])
{
	for (unsigned i = 0; i < SCENE_PIXELS; i++)
		for (unsigned lane = 0; lane < 4; lane++)
			own[i][lane] = fmaxf(own[i][lane], pixel_difference(before[i][lane], shifted[i][lane]));
}

/* Sets the gain of each pixel to the largest change of it and its neighbours. */
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
	unsigned images, total;         /* number of images compared, and of all their pixels */
	unsigned beyond, flips;         /* pixels beyond the tolerance, in images where they are rejected, and where they are few and accepted as
	                                 * flips */
	float largest, worst;           /* largest difference within the tolerance: absolute, and as a part of the tolerance */
	float farthest;                 /* largest difference of all values */
	float excess;                   /* largest difference of all values, as a multiple of its tolerance */
	unsigned at_image, at, at_lane; /* numbers of the image, pixel and lane that have `excess` */
};

/* Returns the tolerance: by how much a value may differ from `before`, where rounding may change it by `gain`. */
static inline float pixel_allowed(float before, float gain)
{
	return 2 * gain + 2e-6f * fabsf(before);
}

/* Adds the differences of two images.  If the pairs read textures in `steps`, a coordinate near a step may fall on either side of it, which
 * the gain need not show, so pixels beyond their tolerance are accepted as flips if they are at most one in 200 of the image.  Point
 * sampling steps at a texel's edge; GPUs filter by weights in steps of 1/256. */
static inline void difference_add(const float (*before)[4], const float (*after)[4], const float (*gain)[4],
                                  bool steps, struct difference *d)
{
	unsigned beyond = 0;
	for (unsigned i = 0; i < SCENE_PIXELS; i++) {
		bool off = false;
		for (unsigned lane = 0; lane < 4; lane++) {
			float const away = pixel_difference(before[i][lane], after[i][lane]);
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

/* Returns true if the image shows something: more than a quarter of its pixels are drawn, more than nine in ten of those are finite, and
 * these differ by over 1 % in some lane, unless the pair draws one colour (`flat`). */
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
