/* Compiles a pair of Direct3D 9 programs with the OpenGL driver of this machine. */
#ifndef FPMOVE_GPU_SHADER_H
#define FPMOVE_GPU_SHADER_H

#include "gpu/context.h"
#include "lang/ir.h"

/* The output of a pair that is drawn: the colours (oC0 to oC3), or another output as if it were a colour. */
enum shown { SHOWN_COLOUR, SHOWN_DEPTH = 4, SHOWN_FOG, SHOWN_POINT_SIZE, SHOWN_COUNT };

/* The place from which a vertex's position in OpenGL comes. */
enum position {
	POSITION_AS_IS,  /* oPos in OpenGL's convention: images have their first line at y = -1, and pixel centres at halves */
	POSITION_CORNER, /* attribute SHADER_CORNER; oPos is computed and not used */
	POSITION_D3D     /* oPos in Direct3D's convention, for a target of `width` by `height` pixels */
};

struct shader_options {
	enum shown show;
	enum position position;
	int width, height;
};

/* Attribute 0 is the corner, and setting it ends the vertex; the VP's inputs follow it in the order of their dcls. */
enum { SHADER_CORNER = 0, SHADER_FIRST_INPUT = 1, SHADER_INPUTS = 15, SHADER_MAX_CONSTS = 256 };

struct shader {
	enum language language;
	const struct program *vs, *ps;
	unsigned vs_object, ps_object;            /* ARB programs, or GLSL shaders */
	unsigned linked;                          /* the GLSL program to which both shaders are linked */
	int constants[2][SHADER_MAX_CONSTS];      /* by stage, GLSL's uniform location of c#, or -1 if the program does not use it */
};

/* Returns the number of inputs that a VP declares. */
unsigned shader_inputs(const struct program *vs);
/* Translates and compiles both programs, which must live as long as the shader.  Returns NULL, or one sentence in the arena on why that
 * fails. */
const char *shader_compile(struct arena *, const struct context *, const struct program *vs, const struct program *ps,
                           const struct shader_options *, struct shader *);
/* Deletes the shader.  Afterwards no GLSL program is in use. */
void shader_delete(struct shader *);
void shader_use(const struct shader *);
/* With GLSL, unbinds the program in use, which would otherwise override assembly programs that are used next. */
void shader_release(const struct shader *);
/* Sets constants c[first] to c[first + n - 1] in one stage of the shader, which must be in use.  Constants that the program defines keep
 * their values. */
void shader_constants(const struct shader *, enum stage, unsigned first, unsigned n, const float (*)[LANES]);

#endif
