/* The mesh with which timed pairs are drawn: a square of cells of two triangles, with made-up attributes. */
#ifndef FPMOVE_GPU_MESH_H
#define FPMOVE_GPU_MESH_H

#include "gpu/scene.h"

#include <stddef.h>

/* Vertices of a cell, whose two triangles share none.  (A mesh that shares vertices has about as many vertices as cells.) */
enum { GROUND_CELL_VERTICES = 6 };

/* Finds the place of vertex k, from 0 to 1 in either direction, in a square of `edge` cells a side. */
static inline void mesh_place(size_t edge, size_t k, float place[2])
{
	static const unsigned char square[GROUND_CELL_VERTICES][2] = {{0, 0}, {1, 0}, {0, 1}, {0, 1}, {1, 0}, {1, 1}};
	size_t const cell = k / GROUND_CELL_VERTICES;
	place[0] = (float)(cell % edge + square[k % GROUND_CELL_VERTICES][0]) / (float)edge;
	place[1] = (float)(cell / edge + square[k % GROUND_CELL_VERTICES][1]) / (float)edge;
}

/* Returns a lane of the clip position at a place.  w grows from 1 on the left to 1.25 on the right. */
static inline float mesh_position(const float place[2], unsigned lane)
{
	float const w = 1 + 0.25f * place[0], corner[] = {(2 * place[0] - 1) * w, (2 * place[1] - 1) * w, 0, w};
	return corner[lane];
}

/* Returns a lane of an attribute at a place.  Attributes are affine over the target, so that neighbouring pixels read neighbouring texels;
 * each attribute is shifted a little by the scene, so that no two are equal. */
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
