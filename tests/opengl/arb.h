/* Direct3D 9 assembly as OpenGL assembly: GL_ARB_vertex_program and GL_ARB_fragment_program, whose
 * instruction sets are close to vs_1_1's and ps_2_0's. */
#ifndef FPMOVE_TESTS_OPENGL_ARB_H
#define FPMOVE_TESTS_OPENGL_ARB_H

#include "lang/ir.h"
#include "../render/scene.h"

/* Attribute 0 of every vertex program is the quad's own corner; its inputs follow in the order of their dcls. */
enum { ARB_CORNER = 0, ARB_FIRST_INPUT = 1, ARB_INPUTS = 15 };

struct arb_options {
	/* What the pixel program draws: its colours, or another output as if it were a colour. */
	enum scene_target show;
	/* The vertex program's position is computed and thrown away; the corner takes its place. */
	bool corner;
	/* Shifts the defs, if shift is not 0. */
	struct scene scene;
};

/* NULL: there is an instruction that has no counterpart; `*why` names it.  Constants are
 * program.local[n] for c[n]; a def is a literal, and must be in program.local too if constants are
 * addressed (arb_def). */
const char *arb_program(struct arena *, const struct program *, const struct arb_options *, const char **why);
/* The value of a def'd constant's lane. */
float arb_def(const struct program *, const struct decl *, unsigned lane, const struct scene *);

#endif
