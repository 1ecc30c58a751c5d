/* Drawing pairs in the scenes of gpu/scene.h. */
#ifndef FPMOVE_D3D9_DRAW_H
#define FPMOVE_D3D9_DRAW_H

#include "d3d9/pair.h"

struct drawer {
	struct arena *arena; /* for what lives as long as one group */
	const struct runtime *runtime;
	struct device device;
	unsigned scenes; /* how many of a group are drawn: the first that show something */
};

/* One image: of which pair of the group, and what. */
struct image {
	unsigned pair;
	struct scene scene;
	enum scene_filter filter;
	enum scene_target target;
	const float (*pixels)[4];
};

/* Takes an image, whose pixels stay only until it returns.  False: it cannot. */
typedef bool image_taker(void *to, const struct image *);

/* Pairs to compare: the first decides which scenes are drawn, and is also drawn with inputs that are shifted, to see how much a
 * rounding error matters (gpu/apart.h).  Those that are not made are left out. */
struct group {
	struct pair *pair;
	unsigned n;
	uint32_t seed;
};

/* Without a scene that shows something the first scene is drawn.  False: the device, or `take`, fails. */
bool group_draw(struct drawer *, const struct group *, image_taker *take, void *to);
void group_free(struct group *);

#endif
