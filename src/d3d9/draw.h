/* Drawing pairs in the scenes of gpu/scene.h. */
#ifndef FPMOVE_D3D9_DRAW_H
#define FPMOVE_D3D9_DRAW_H

#include "d3d9/pair.h"

struct drawer {
	struct arena *arena; /* for what lives as long as one group */
	const struct runtime *runtime;
	struct device device;
	unsigned scenes; /* how many of a group are drawn: the first that show something */
	bool all_kinds;  /* of the first of them, images of all kinds; and of a pair of one colour more scenes */
};

/* Of what an image is made.  Of the last three the target has 8 bits, too, and the gain is that of IMAGE_TEXELS. */
enum image_kind {
	IMAGE_FLOAT,  /* textures and target of floats */
	IMAGE_POINTS, /* likewise, of points instead of triangles */
	IMAGE_DEPTHS, /* 2D textures of depths, with which reads compare */
	IMAGE_TEXELS, /* textures of 8 bits */
	IMAGE_8BIT,
	IMAGE_FOG,    /* fog by oFog, or by depth where that is not written */
	IMAGE_CUT,    /* an alpha test; its pixels are told by their alpha, which is 0 where the test fails */
	IMAGE_KINDS
};

/* One image: of which pair of the group, and what. */
struct image {
	enum image_kind kind;
	unsigned pair;
	struct scene scene;
	enum scene_filter filter;
	enum scene_target target;
	const float (*pixels)[4];
	unsigned cut; /* of IMAGE_CUT: what alpha must reach, in 255ths */
};

/* Takes an image, whose pixels stay only until it returns.  False: it cannot. */
typedef bool image_taker(void *to, const struct image *);

/* Pairs to compare: the first decides which scenes are drawn, and is also drawn with inputs that are shifted, to see how much a
 * rounding error matters (gpu/apart.h).  Those that are not made are left out. */
struct group {
	struct pair *pair;
	unsigned n;
	uint32_t seed;
	unsigned depths; /* bit n: the 2D texture of s#n may be of depths */
};

/* Of scenes of which none shows something, one is drawn.  A first pair that never shows more than one colour becomes `flat`.  False: the
 * device, or `take`, fails. */
bool group_draw(struct drawer *, const struct group *, image_taker *take, void *to);
void group_free(struct group *);

/* ---- parts of it, for fixed.c ---- */

struct taking {
	image_taker *take;
	void *to;
	scene_image *pixels; /* what was drawn last, by target */
};

/* Binds all that one draw of the pair needs but programs and targets; the vertices are left in the array. */
enum { VERTEX_FLOATS = SCENE_TRIANGLES * 3 * MAX_INPUTS * 4 };
void draw_prepare(const struct drawer *, const struct scene *, const struct pair *, enum scene_filter, float vertex[VERTEX_FLOATS]);
/* Or their corners, as the device says. */
bool draw_triangles(const struct device *, const struct pair *, enum scene_target, const float *vertex);
/* All that the pair writes, to targets of floats; each to the image of its target. */
bool draw_pair(const struct drawer *, const struct scene *, const struct pair *, enum scene_filter, scene_image *out);
/* Images of 8 bits of all pairs in the scene, with the textures that are there. */
bool draw_fixed(const struct drawer *, const struct taking *, const struct scene *, const struct group *);

#endif
