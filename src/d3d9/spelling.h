/* Makes up for the lacks of Wine's D3DXAssembleShader:
 * - letters of the wrong case, exponents and a capital F behind numbers, all of which the
 *   language has, are written its way (in texts without preprocessor lines);
 * - the profiles ps_2_a, ps_2_b, ps_2_sw, vs_2_a and vs_2_sw are read as _2_x;
 * - dcl of vPos and vFace is refused: they pass it as v9 and v8 without a usage, and are put back;
 * - a pixel program's sincos of model 2 is refused with its two constants: they pass it as an add that
 *   follows the sincos, and are put back into the bytecode. */
#ifndef FPMOVE_D3D9_SPELLING_H
#define FPMOVE_D3D9_SPELLING_H

#include "base/arena.h"

enum { MISC_VPOS = 1, MISC_VFACE = 2 };

/* Returns the text as Wine accepts it; *misc says which of vPos and vFace it declares in another way. */
struct text spelled(struct arena *, const char *text, size_t size, unsigned *misc);
/* Writes bytecode without its comment tokens to `to`; returns the number of tokens.  Restores what spelled() changed; for bytecode that
 * Wine's assembler did not make, misc is 0. */
size_t tokens_as_written(uint32_t *to, const uint32_t *token, size_t n, unsigned misc);

#endif
