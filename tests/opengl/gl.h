/* Pairs of Direct3D 9 programs drawn with OpenGL, without a window (EGL). */
#ifndef FPMOVE_TESTS_OPENGL_GL_H
#define FPMOVE_TESTS_OPENGL_GL_H

#include "../render/scene.h"
#include "gpu/shader.h"

#include <epoxy/gl.h>

enum { GL_SAMPLERS = 16, GL_COLOURS = 4 };

/* A pair as read from its files. */
struct gl_pair {
	const struct program *vs, *ps;
	const char *constants;    /* "v3=p5,v4=p6": VP constants that hold what FP constants hold; or "-" */
	bool writes[SCENE_TARGETS];
	unsigned colours;         /* one more than the highest oC# */
	bool flat;                /* the FP declares no input: it draws one colour */
};

/* One line of a list: GROUP NAME VP FP CONSTANTS, parted by tabs. */
struct gl_job {
	char *group, *name, *vp, *fp, *constants;
};

/* Reads a list; 0: it cannot be read. */
unsigned gl_read_list(struct arena *, const char *path, struct gl_job **);
/* NULL, or what is wrong with the files. */
const char *gl_read_pair(struct arena *, const struct gl_job *, struct gl_pair *);

/* Compiles the pair; its defs are off by what the scene shifts them.  NULL, or why not. */
const char *gl_compile(struct arena *, const struct context *, const struct gl_pair *, const struct shader_options *,
                       const struct scene *, struct shader *);
/* Uses it with the scene's constants. */
void gl_use(const struct shader *, const struct gl_pair *, const struct scene *);

/* Edges of the textures of each kind, multiples of the scene's. */
struct gl_sizes {
	int square, cube, volume;
};
/* Textures of the kinds (enum texture), in an internal format. */
void gl_textures(const uint8_t kinds[GL_SAMPLERS], const struct scene *, const struct gl_sizes *, GLenum format,
                 GLuint made[GL_SAMPLERS]);
void gl_filter(const GLuint made[GL_SAMPLERS], const uint8_t kinds[GL_SAMPLERS], GLint filter);

#endif
