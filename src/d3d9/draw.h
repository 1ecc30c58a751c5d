/* Draws pairs in the scenes of gpu/scene.h. */
#ifndef FPMOVE_D3D9_DRAW_H
#define FPMOVE_D3D9_DRAW_H

#include "d3d9/pair.h"

struct drawer {
	struct arena *arena; /* freed with each group */
	const struct runtime *runtime;
	struct device device;
	unsigned scenes; /* how many of a group to draw: the first that show anything */
	bool all_kinds;  /* draw images of all kinds of the first scene, and more scenes of a pair of one colour */
};

/* How an image is drawn.  The last three have a target of 8 bits, and the gain of IMAGE_TEXELS. */
enum image_kind {
	IMAGE_FLOAT,  /* textures and target of floats */
	IMAGE_POINTS, /* the same with points in place of triangles */
	IMAGE_DEPTHS, /* 2D depth textures, with which reads compare */
	IMAGE_TEXELS, /* textures of 8 bits */
	IMAGE_8BIT,
	IMAGE_FOG,    /* fog by oFog, or by depth where that is not written */
	IMAGE_CUT,    /* an alpha test; pixels that fail have an alpha of 0 */
	IMAGE_KINDS
};

/* One image of a pair of the group. */
struct image {
	enum image_kind kind;
	unsigned pair;
	struct scene scene;
	enum scene_filter filter;
	enum scene_target target;
	const float (*pixels)[4];
	unsigned cut; /* of IMAGE_CUT: the least alpha that passes, in 255ths */
};

/* Takes an image, whose pixels are valid until it returns.  Returns false if it fails. */
typedef bool image_taker(void *to, const struct image *);

/* Pairs to compare.  The first decides which scenes are drawn, and is also drawn with shifted inputs, which show how much a rounding
 * error matters (gpu/apart.h).  Pairs that were not made are left out. */
struct group {
	struct pair *pair;
	unsigned n;
	uint32_t seed;
	unsigned depths; /* bit n: the 2D texture of s#n may be a depth texture */
};

/* Draws the images of a group.  If no scene shows anything, one is drawn.  A first pair that never shows more than one colour becomes
 * `flat`.  Returns false if the device or `take` fails. */
bool group_draw(struct drawer *, const struct group *, image_taker *take, void *to);
void group_free(struct group *);

/* ---- parts of it, for fixed.c ---- */

struct taking {
	image_taker *take;
	void *to;
	scene_image *pixels; /* the last draw, by target */
};

/* Binds all that a draw of the pair needs but programs and targets, and writes its vertices to the array. */
enum { VERTEX_FLOATS = SCENE_TRIANGLES * 3 * MAX_INPUTS * 4 };
void draw_prepare(const struct drawer *, const struct scene *, const struct pair *, enum scene_filter, float vertex[VERTEX_FLOATS]);
/* Draws triangles, or their corners if the device says so. */
bool draw_triangles(const struct device *, const struct pair *, enum scene_target, const float *vertex);

#endif
