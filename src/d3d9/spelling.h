/* What Wine's D3DXAssembleShader lacks, made up for:
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

/* The text as Wine takes it; *misc: which of vPos and vFace it declares otherwise. */
struct text spelled(struct arena *, const char *text, size_t size, unsigned *misc);
/* Bytecode without its comment tokens, written to `to`; returns how many tokens.  Of what Wine's assembler made, with what was spelled
 * otherwise put back; else misc is 0. */
size_t tokens_as_written(uint32_t *to, const uint32_t *token, size_t n, unsigned misc);

#endif
