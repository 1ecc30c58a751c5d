/* Direct3D 9 assembly as OpenGL assembly: GL_ARB_vertex_program and GL_ARB_fragment_program, whose
 * instruction sets are close to vs_1_1's and ps_2_0's. */
#ifndef FPMOVE_GPU_ARB_H
#define FPMOVE_GPU_ARB_H

#include "gpu/shader.h"

/* NULL: there is an instruction that has no counterpart; `*why` names it.  Constants are
 * program.local[n] for c[n]; a def is a literal, and must be in program.local too if constants are
 * addressed. */
const char *arb_program(struct arena *, const struct program *, const struct shader_options *, const char **why);

#endif
