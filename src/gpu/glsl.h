/* Translates Direct3D 9 assembly to GLSL 1.20, for drivers that take no assembly programs, and for model 3. */
#ifndef FPMOVE_GPU_GLSL_H
#define FPMOVE_GPU_GLSL_H

#include "gpu/shader.h"

/* Returns the GLSL text of one shader of a pair; never fails, since every instruction has a counterpart.  The text uses these names:
 *     a0 to a15   attributes; the caller gives them locations 0 to 15, see SHADER_CORNER
 *     t0 and on   varyings from oT# to t#; d0 and d1 are those from oD# to v#
 *     vc[], pc[]  constants c# of the VP and of the FP, up to the last one that is read.  If the program reads c[a0.x + n], the
 *                 arrays hold all constants, and the caller sets defs in them, too; else a def is a literal
 *     s0 to s15   samplers
 * The VP has at most SHADER_INPUTS inputs. */
const char *glsl_program(struct arena *, const struct program *, const struct shader_options *);

#endif
