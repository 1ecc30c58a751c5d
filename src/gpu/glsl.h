/* Translates Direct3D 9 assembly to GLSL 1.20, for drivers that take no assembly programs, and for model 3. */
#ifndef FPMOVE_GPU_GLSL_H
#define FPMOVE_GPU_GLSL_H

#include "gpu/shader.h"

/* Returns one shader of the pair.  Both shaders use these names, or the caller binds them:
 *     a0 to a15   attributes; the caller gives them locations 0 to 15, see SHADER_CORNER
 *     t0 and on   varyings from oT# to t#; d0 and d1 are those from oD# to v#
 *     vc[], pc[]  constants c# of the VP and of the FP, up to the last one that is read.  If constants are addressed they are all
 *                 there, and the caller sets defs in them, too; else a def is a literal
 *     s0 to s15   samplers
 * Every instruction has a counterpart.  The VP has at most SHADER_INPUTS inputs. */
const char *glsl_program(struct arena *, const struct program *, const struct shader_options *);

#endif
