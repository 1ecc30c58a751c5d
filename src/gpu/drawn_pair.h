/* Draws and compares single pairs of programs, with the made-up attributes, constants and textures of a scene. */
#ifndef FPMOVE_GPU_DRAWN_PAIR_H
#define FPMOVE_GPU_DRAWN_PAIR_H

#include "gpu/image_compare.h"
#include "gpu/image.h"
#include "gpu/shader.h"

enum { PAIR_SAMPLERS = 16, PAIR_COLOURS = 4 };

struct drawn_pair {
	const struct program *vs, *ps;
	const struct needs *needs;    /* the VP's constants that must be set to the values of FP constants */
	bool writes[SCENE_TARGETS];   /* true for each output that is written; used from SCENE_DEPTH on */
	unsigned colours;             /* one more than the highest number of an oC# that is written */
	bool flat;                    /* true if the FP declares no input, so that it draws one colour */
};

/* Sets all fields; finds which outputs the pair writes.  Returns NULL, or one sentence on why the pair cannot be drawn. */
const char *drawn_pair_make(struct drawn_pair *, const struct program *vs, const struct program *ps, const struct needs *);
/* Compiles the pair with its defs changed as scene->shift says.  Returns NULL, or one sentence on why that fails. */
const char *drawn_pair_compile(struct arena *, const struct context *, const struct drawn_pair *, const struct shader_options *,
                            const struct scene *, struct shader *);
/* Makes the next draws use the shader with the scene's constants; VP constants in `needs` get the values of their FP constants. */
void drawn_pair_use(const struct shader *, const struct drawn_pair *, const struct scene *);

/* Texels along an edge of each kind of texture: multiples of SCENE_TEXELS, or of SCENE_VOXELS for volumes. */
struct texture_sizes {
	int square, cube, volume;
};
/* Makes a texture for each sampler whose kind (enum texture) is not TEXTURE_NONE.  Sets made[] to OpenGL's names of them, 0 for other samplers. */
void drawn_pair_textures(struct arena *, const uint8_t kinds[PAIR_SAMPLERS], const struct scene *, const struct texture_sizes *,
                      enum image_format, unsigned made[PAIR_SAMPLERS]);
/* Sets the filter (linear or nearest) of all textures. */
void drawn_pair_filter(const unsigned made[PAIR_SAMPLERS], const uint8_t kinds[PAIR_SAMPLERS], bool linear);
void drawn_pair_textures_delete(unsigned made[PAIR_SAMPLERS]);

/* The images that the triangles of a scene are drawn to. */
struct canvas {
	struct image target[PAIR_COLOURS];
};
const char *canvas_make(struct canvas *);
void canvas_delete(struct canvas *);
/* Draws each output that the pair writes, and reads its image to pixels[], indexed by enum scene_target.  Returns NULL, or one sentence on why
 * that fails. */
const char *canvas_draw(struct arena *, const struct context *, const struct canvas *, const struct drawn_pair *, const struct scene *,
                        scene_image pixels[SCENE_TARGETS]);
/* Sets scene->variant to the first variant tried in which the pair shows something (image_shows), with linearly filtered textures, and *shows to
 * true.  If there is none, sets them to 0 and false.  Returns NULL, or one sentence on why drawing fails. */
const char *canvas_choose(struct arena *, const struct context *, const struct canvas *, const struct drawn_pair *, struct scene *,
                          const struct texture_sizes *, bool *shows);

/* The differences between the images of two pairs, in all outputs that one of them writes. */
struct comparison {
	bool shows;                          /* true if the first pair shows something (image_shows) in some variant */
	struct difference of[SCENE_TARGETS]; /* differences by output; `images` is 0 if neither pair writes the output */
	unsigned beyond;                     /* pixels of all outputs beyond their tolerance, without flips */
	double largest;                      /* the largest difference of a pixel */
};
/* Draws both pairs, and the first again with shifted inputs, and compares them as image_compare.h explains, in the variant that canvas_choose
 * finds.  Returns NULL, or one sentence on why that fails. */
const char *drawn_pair_compare(struct arena *, const struct context *, const struct drawn_pair *before, const struct drawn_pair *after,
                            uint32_t seed, struct comparison *);

#endif
