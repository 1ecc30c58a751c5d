/* Translates Direct3D 9 assembly to OpenGL assembly: GL_ARB_vertex_program and GL_ARB_fragment_program, whose instruction sets are
 * close to those of vs_1_1 and ps_2_0. */
#ifndef FPMOVE_GPU_ARB_H
#define FPMOVE_GPU_ARB_H

#include "gpu/shader.h"

/* Returns the program in OpenGL assembly, or NULL if a part of it has no counterpart; `*why` then names that part.  Constant c[n] is
 * program.local[n].  A def becomes a literal; if the program reads c[a0.x + n], the caller must set its defs in program.local, too.  If the
 * options show an output of the VP, every FP becomes one that shows texture coordinate 7. */
const char *arb_program(struct arena *, const struct program *, const struct shader_options *, const char **why);

#endif
