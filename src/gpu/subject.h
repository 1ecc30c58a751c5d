/* A pair of programs that is drawn by itself, with the made-up attributes, constants and textures of a scene. */
#ifndef FPMOVE_GPU_SUBJECT_H
#define FPMOVE_GPU_SUBJECT_H

#include "gpu/apart.h"
#include "gpu/image.h"
#include "gpu/shader.h"

enum { SUBJECT_SAMPLERS = 16, SUBJECT_COLOURS = 4 };

struct subject {
	const struct program *vs, *ps;
	const struct needs *needs;    /* VP constants that hold what FP constants hold */
	bool writes[SCENE_TARGETS];   /* from SCENE_DEPTH on */
	unsigned colours;             /* one more than the highest oC# */
	bool flat;                    /* the FP declares no input: it draws one colour */
};

/* NULL, or one sentence on why the pair cannot be drawn. */
const char *subject_make(struct subject *, const struct program *vs, const struct program *ps, const struct needs *);
/* Compiles it; its defs are off by what the scene shifts them.  NULL, or why not. */
const char *subject_compile(struct arena *, const struct context *, const struct subject *, const struct shader_options *,
                            const struct scene *, struct shader *);
/* The next draws are the shader's, with the scene's constants. */
void subject_use(const struct shader *, const struct subject *, const struct scene *);

/* Edges of the textures of each kind, multiples of the scene's. */
struct texture_sizes {
	int square, cube, volume;
};
/* A texture of each kind (enum texture) that is not TEXTURE_NONE; and away with them. */
void subject_textures(struct arena *, const uint8_t kinds[SUBJECT_SAMPLERS], const struct scene *, const struct texture_sizes *,
                      enum image_format, unsigned made[SUBJECT_SAMPLERS]);
void subject_filter(const unsigned made[SUBJECT_SAMPLERS], const uint8_t kinds[SUBJECT_SAMPLERS], bool linear);
void subject_textures_delete(unsigned made[SUBJECT_SAMPLERS]);

/* What the triangles of a scene are drawn to. */
struct canvas {
	struct image target[SUBJECT_COLOURS];
};
const char *canvas_make(struct canvas *);
void canvas_delete(struct canvas *);
/* Draws the scene with all that the pair writes, each to the image of its target.  NULL, or why not. */
const char *canvas_draw(struct arena *, const struct context *, const struct canvas *, const struct subject *, const struct scene *,
                        scene_image pixels[SCENE_TARGETS]);
/* Finds constants, as a variant of the scene, under which the pair shows something; textures are filtered linearly.  `*shows`
 * is false where there are none, and the variant is the first. */
const char *canvas_choose(struct arena *, const struct context *, const struct canvas *, const struct subject *, struct scene *,
                          const struct texture_sizes *, bool *shows);

/* How two pairs compare, in all outputs that one of them writes. */
struct comparison {
	bool shows;                         /* under some constants, the first one's picture is not of one colour */
	struct difference of[SCENE_TARGETS]; /* images: 0 where neither writes such an output */
	unsigned beyond;                    /* pixels of all outputs that rounding does not explain */
	double largest;                     /* difference of any pixel */
};
extern const char *const scene_target_names[SCENE_TARGETS];
/* Draws both pairs, and the first again with its inputs shifted; see apart.h.  NULL, or why that fails. */
const char *subject_compare(struct arena *, const struct context *, const struct subject *before, const struct subject *after,
                            uint32_t seed, struct comparison *);

#endif
