/* A pair of Direct3D 9 programs as one that this machine's OpenGL runs. */
#ifndef FPMOVE_GPU_SHADER_H
#define FPMOVE_GPU_SHADER_H

#include "gpu/context.h"
#include "lang/ir.h"

/* What the pixel program draws: its colours (oC0 to oC3), or another output, as if it were a colour. */
enum shown { SHOWN_COLOUR, SHOWN_DEPTH = 4, SHOWN_FOG, SHOWN_POINT_SIZE, SHOWN_COUNT };

/* Where a vertex goes. */
enum position {
	POSITION_AS_IS,  /* oPos, as OpenGL takes it: images have their first line at y = -1, pixel centres at halves */
	POSITION_CORNER, /* attribute SHADER_CORNER; oPos is computed and thrown away */
	POSITION_D3D     /* oPos, as Direct3D takes it for a target of `width` by `height` pixels */
};

struct shader_options {
	enum shown show;
	enum position position;
	int width, height;
};

/* Attribute 0 is a corner, and ends the vertex; the VP's inputs follow in the order of their dcls. */
enum { SHADER_CORNER = 0, SHADER_FIRST_INPUT = 1, SHADER_INPUTS = 15, SHADER_MAX_CONSTS = 256 };

struct shader {
	enum language language;
	const struct program *vs, *ps;
	unsigned vs_object, ps_object;            /* ARB programs, or GLSL shaders */
	unsigned linked;                          /* the GLSL program of both */
	int constants[2][SHADER_MAX_CONSTS];      /* by stage, where GLSL keeps c#; -1: it has no use for it */
};

/* Inputs that a VP declares. */
unsigned shader_inputs(const struct program *vs);
/* Translates and compiles both programs, which must live as long as the shader; NULL, or one sentence in the arena on why
 * that fails. */
const char *shader_compile(struct arena *, const struct context *, const struct program *vs, const struct program *ps,
                           const struct shader_options *, struct shader *);
/* Afterwards no shader is in use. */
void shader_delete(struct shader *);
/* The next draws are the shader's. */
void shader_use(const struct shader *);
/* Ends that, so that assembly programs can be used next to GLSL, which goes before them. */
void shader_release(const struct shader *);
/* Sets constants c[first] to c[first + n - 1] of the stage of the shader in use.  Those that the program defines by itself
 * keep their values. */
void shader_constants(const struct shader *, enum stage, unsigned first, unsigned n, const float (*)[LANES]);

#endif
