/* Draws pairs in the scenes of gpu/scene.h. */
#ifndef FPMOVE_D3D9_DRAW_H
#define FPMOVE_D3D9_DRAW_H

#include "d3d9/pair.h"

struct drawer {
	struct arena *arena; /* the caller empties it after each group */
	const struct runtime *runtime;
	struct device device;
	unsigned scenes; /* number of scenes of a group to draw: the first ones in which its first pair shows something */
	bool all_kinds;  /* draw the first scene in all kinds of images, and more scenes of a pair that shows one colour */
};

/* How an image is drawn.  The last three kinds have a target of 8 bits; how much rounding may change their pixels is
 * measured in IMAGE_TEXELS images. */
enum image_kind {
	IMAGE_FLOAT,  /* textures and targets of floats */
	IMAGE_POINTS, /* textures and targets of floats; points in place of triangles */
	IMAGE_DEPTHS, /* 2D depth textures, with which reads compare */
	IMAGE_TEXELS, /* textures of 8 bits, targets of floats */
	IMAGE_8BIT,
	IMAGE_FOG,    /* with fog, by oFog or, if the VP does not write it, by depth */
	IMAGE_CUT,    /* with an alpha test; pixels that fail have an alpha of 0 */
	IMAGE_KINDS
};

/* One image; `pair` is the number of its pair in the group. */
struct image {
	enum image_kind kind;
	unsigned pair;
	struct scene scene;
	enum scene_filter filter;
	enum scene_target target;
	const float (*pixels)[4];
	unsigned cut; /* IMAGE_CUT: the least alpha that passes the test, in 255ths; else 0 */
};

/* Receives an image that group_draw drew; `to` is the caller's argument, and the pixels are valid until the function returns.  Returns false to
 * end the drawing as failed. */
typedef bool image_taker(void *to, const struct image *);

/* Pairs to compare.  The first one decides which scenes are drawn, and is also drawn with shifted inputs, which shows how much a rounding
 * error matters (gpu/image_compare.h).  Other pairs that the device did not accept are left out; if it did not accept the first, none is drawn. */
struct group {
	struct pair *pair;
	unsigned n;
	uint32_t seed;
	unsigned depths; /* bit n: the 2D texture of s#n may be a depth texture */
};

/* Draws the group in the first d->scenes scenes in which its first pair shows something, and passes each image to `take`.  If there are none,
 * draws scenes in which that pair shows one colour (if its `flat` or d->all_kinds is set), and sets `flat`; if there are none of these, draws the
 * scene in which the pair draws the most pixels.  Returns false if the device or `take` fails.  Draws nothing and returns true if the first pair
 * is not made. */
bool group_draw(struct drawer *, const struct group *, image_taker *take, void *to);
void group_free(struct group *);

/* ---- shared with time.c ---- */

struct taking {
	image_taker *take;
	void *to;
	scene_image *pixels; /* the images of one drawing of a pair, indexed by enum scene_target */
};

enum { VERTEX_FLOATS = SCENE_TRIANGLES * 3 * MAX_INPUTS * 4 };
/* Binds textures, constants and the vertex declaration of the pair (but neither programs nor targets), and writes the pair's vertices to
 * `vertex`. */
void draw_prepare(const struct drawer *, const struct scene *, const struct pair *, enum scene_filter, float vertex[VERTEX_FLOATS]);
/* Draws the triangles, or their corners as points if device.points is set, with the pair's programs that show output `what`.  Returns false if the
 * device fails. */
bool draw_triangles(const struct device *, const struct pair *, enum scene_target, const float *vertex);

#endif
