/* The scene that tests draw.  It depends on a seed alone, so that OpenGL here, src/d3d9/draw.c (Direct3D) and tests/render/interpret.c
 * (fpmove's interpreter) draw the same thing: a grid of triangles wider than the target, with
 * unequal w, and a number for every attribute, constant and texel.
 *
 * A vertex program may pass its position on, or transform it by a matrix in constants that nothing here can find, and a pixel program may
 * clamp or kill all pixels.  So a scene has variants.  Their constants lie in several ranges; in some of them, constants at one
 * place or another are close to the rows of unit matrices.  A variant that shows nothing is not used.
 */
#ifndef FPMOVE_GPU_SCENE_H
#define FPMOVE_GPU_SCENE_H

#include <stdbool.h>
#include <stdint.h>

enum {
	SCENE_SIZE = 48,                 /* the target is SCENE_SIZE squared */
	SCENE_GRID = 4,                  /* vertices along an edge of the grid */
	SCENE_VERTICES = SCENE_GRID * SCENE_GRID,
	SCENE_TRIANGLES = 2 * (SCENE_GRID - 1) * (SCENE_GRID - 1),
	SCENE_TEXELS = 16,               /* texels along an edge of a 2D texture or a cube's face */
	SCENE_VOXELS = 8,                /* texels along an edge of a volume texture */
	SCENE_VARIANTS = 64,
	SCENE_MAX_CONSTS = 256
};

/* The outputs of a pair, each drawn as an image: all lanes of oC0 to oC3 and of positions; lane x of the others, in all lanes of the image.
 * Only fpmove-d3d9 draws positions, see pair_bare. */
enum scene_target { SCENE_COLOUR, SCENE_DEPTH = 4, SCENE_FOG, SCENE_POINT_SIZE, SCENE_POSITION, SCENE_TARGETS };

static inline const char *scene_target_name(enum scene_target t)
{
	static const char *const names[SCENE_TARGETS] = {"oC0", "oC1", "oC2", "oC3", "oDepth", "oFog", "oPts", "oPos"};
	return names[t];
}

enum scene_filter { SCENE_POINT, SCENE_LINEAR };

struct scene {
	uint32_t seed;
	unsigned variant; /* below SCENE_VARIANTS: 16 times the way to make constants, plus a number; attributes have both signs if bit 2 is set */
	/* If not 0, attributes and constants are changed by up to SCENE_SHIFT of themselves, in a pattern that depends on this number. */
	unsigned shift;
};

/* The value of pixels that nothing was drawn to. */
#define SCENE_CLEARED (-12345.0f)

/* The largest relative change of a shifted input: some 80 units in the last place. */
#define SCENE_SHIFT 1e-5f

static inline uint32_t scene_hash(uint32_t a, uint32_t b)
{
	uint32_t h = a ^ (b + 0x9e3779b9u + (a << 6) + (a >> 2));
	h = (h ^ h >> 16) * 0x7feb352du;
	h = (h ^ h >> 15) * 0x846ca68bu;
	return h ^ h >> 16;
}

/* Returns a pseudo-random multiple of 2^-24 in [0, 1). */
static inline float scene_unit(const struct scene *s, uint32_t kind, uint32_t at, uint32_t lane)
{
	uint32_t h = scene_hash(scene_hash(scene_hash(s->seed + s->variant, kind), at), lane);
	return (float)(h >> 8) / 16777216.0f;
}

/* Returns the value, changed by up to SCENE_SHIFT of itself if scene.shift is not 0. */
static inline float scene_shifted(const struct scene *s, uint32_t kind, uint32_t at, uint32_t lane, float value)
{
	if (!s->shift)
		return value;
	uint32_t h = scene_hash(scene_hash(scene_hash(s->shift, kind), at), lane);
	return value * (1.0f + SCENE_SHIFT * ((float)(h >> 8) / 8388608.0f - 1.0f));
}

/* Returns a lane of an attribute at a vertex.  `usage` is as in D3DDECLUSAGE; POSITION 0 is the vertex's place in the grid. */
static inline float scene_attribute(const struct scene *s, unsigned usage, unsigned index, unsigned vertex,
                                    unsigned lane)
{
	uint32_t kind = 0x100 + usage * 16 + index;
	float u = scene_unit(s, kind, vertex, lane);
	if (usage == 0 && index == 0) {
		float w = 0.5f + 1.5f * scene_unit(s, kind, vertex, 3);
		float x = (float)(vertex % SCENE_GRID), y = (float)(vertex / SCENE_GRID), step = SCENE_GRID - 1;
		switch (lane) {
		case 0: u = w * 2.6f * ((x + 0.5f * u) / step - 0.55f); break;
		case 1: u = w * 2.6f * ((y + 0.5f * u) / step - 0.55f); break;
		case 2: u = w * (0.2f + 0.6f * u); break;
		default: u = w; break;
		}
	} else if (s->variant & 4) {
		u = 2.0f * u - 1.0f;
	} else {
		u = 0.05f + 0.95f * u;
	}
	return scene_shifted(s, kind, vertex, lane, u);
}

/* Returns the vertex number of a triangle's corner. */
static inline unsigned scene_corner(unsigned triangle, unsigned corner)
{
	static const unsigned char square[6] = { 0, 1, SCENE_GRID, SCENE_GRID, 1, SCENE_GRID + 1 };
	unsigned cell = triangle / 2, edge = SCENE_GRID - 1;
	return cell / edge * SCENE_GRID + cell % edge + square[triangle % 2 * 3 + corner];
}

/* Returns a lane of constant `reg` of the vertex (stage 0) or pixel program (stage 1). */
static inline float scene_constant(const struct scene *s, unsigned stage, unsigned reg, unsigned lane)
{
	uint32_t kind = 0x1000 + stage;
	float u = scene_unit(s, kind, reg, lane), value = 0;
	bool on = lane == (reg + s->variant) % 4, matrix = reg / 4 == s->variant % 4;
	switch (s->variant / 16 * 2 + stage) {
	case 0: value = on ? 0.9f + 0.2f * u : 0.1f * u; break;
	case 1: value = on ? 0.5f + u : 0.05f + 0.6f * u; break;
	case 2: value = !matrix ? 2 * u - 1 : lane == reg % 4 ? 0.9f + 0.2f * u : 0.1f * u; break;
	case 3: value = 2 * u - 1; break;
	case 4: value = on ? 1.0f + 0.5f * u : u - 0.5f; break;
	case 5: value = 0.6f + 0.6f * u; break;
	case 6: value = 2 * u - 1; break;
	default: value = 0.3f * u; break;
	}
	return scene_shifted(s, kind, reg, lane, value);
}

/* Returns a lane of texel (x, y, z) of a sampler's texture; for a cube, z is the number of the face.  Texels are never shifted.  Textures have
 * one mip level, and addresses outside wrap. */
static inline float scene_texel(const struct scene *s, unsigned sampler, unsigned x, unsigned y, unsigned z,
                                unsigned lane)
{
	return 0.05f + 0.95f * scene_unit(s, 0x2000 + sampler, x + 64 * y + 4096 * z, lane);
}

#endif
