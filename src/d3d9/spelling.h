/* Rewrites programs around what Wine's D3DXAssembleShader cannot read:
 * - letters of another case, exponents, and an F behind a number, all of which the language allows, are
 *   written as it reads them (in texts without preprocessor lines);
 * - the profiles ps_2_a, ps_2_b, ps_2_sw, vs_2_a and vs_2_sw are written as ps_2_x and vs_2_x;
 * - dcl of vPos and vFace, which it refuses, is written as dcl of v9 and v8 without a usage, and put back
 *   in the bytecode;
 * - the two constants of a pixel program's sincos of model 2, which it refuses, are written as operands of
 *   an add that follows the sincos, and put back in the bytecode. */
#ifndef FPMOVE_D3D9_SPELLING_H
#define FPMOVE_D3D9_SPELLING_H

#include "base/arena.h"

enum { MISC_VPOS = 1, MISC_VFACE = 2 };

/* Returns the text as Wine accepts it.  Sets *misc to the sum of MISC_VPOS if a dcl of vPos became v9, and MISC_VFACE if one of vFace became v8. */
struct text spelled(struct arena *, const char *text, size_t size, unsigned *misc);
/* Writes bytecode without its comment tokens to `to`, and puts back what spelled() replaced; `misc` is what spelled() set, or 0 if Wine's
 * assembler did not make the bytecode.  Returns the number of tokens. */
size_t tokens_as_written(uint32_t *to, const uint32_t *token, size_t n, unsigned misc);

#endif
