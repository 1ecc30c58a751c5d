/* The square through which timed pairs are drawn: cells of two triangles, with made-up attributes. */
#ifndef FPMOVE_GPU_MESH_H
#define FPMOVE_GPU_MESH_H

#include "gpu/scene.h"

#include <stddef.h>

/* The two triangles of a cell share no vertices; a mesh that shares them has about as many vertices as cells. */
enum { GROUND_CELL_VERTICES = 6 };

/* Where vertex k of a square of so many cells a side stands, from 0 to 1. */
static inline void mesh_place(size_t edge, size_t k, float place[2])
{
	static const unsigned char square[GROUND_CELL_VERTICES][2] = {{0, 0}, {1, 0}, {0, 1}, {0, 1}, {1, 0}, {1, 1}};
	size_t const cell = k / GROUND_CELL_VERTICES;
	place[0] = (float)(cell % edge + square[k % GROUND_CELL_VERTICES][0]) / (float)edge;
	place[1] = (float)(cell / edge + square[k % GROUND_CELL_VERTICES][1]) / (float)edge;
}

/* The position there, on the target. */
static inline float mesh_position(const float place[2], unsigned lane)
{
	float const w = 1 + 0.25f * place[0], corner[] = {(2 * place[0] - 1) * w, (2 * place[1] - 1) * w, 0, w};
	return corner[lane];
}

/* Attributes are affine over the target, so that texture reads are as near to each other as pixels are, and differ from each
 * other by a little. */
static inline float mesh_attribute(const struct scene *scene, unsigned usage, unsigned index, const float place[2], unsigned lane)
{
	float const own = scene_unit(scene, 0x4000u + usage * 16u + index, 0, lane);
	switch (lane) {
	case 0:
	case 1: return place[lane] + 0.1f * own;
	default: return 0.2f + 0.5f * own + 0.2f * (place[0] - place[1]);
	}
}

#endif
