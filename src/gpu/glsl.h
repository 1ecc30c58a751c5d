/* Direct3D 9 assembly as GLSL 1.20, for drivers that take no assembly programs. */
#ifndef FPMOVE_GPU_GLSL_H
#define FPMOVE_GPU_GLSL_H

#include "gpu/shader.h"

/* One shader of the pair.  Names that the two share, or that the caller binds:
 *     a0 to a15   attributes; the caller gives them locations 0 to 15, as SHADER_CORNER says
 *     t0 to t7    what oT# brings to t#; d0, d1: what oD# brings to v#
 *     vc[], pc[]  constants c# of the vertex and of the pixel program, up to the last that is read; all of them if
 *                 constants are addressed, and then a def must be set there, too: elsewhere it is a literal
 *     s0 to s15   samplers
 * Every instruction has a counterpart.  The VP has at most SHADER_INPUTS inputs. */
const char *glsl_program(struct arena *, const struct program *, const struct shader_options *);

#endif
