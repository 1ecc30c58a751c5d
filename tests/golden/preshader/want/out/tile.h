/* Made by fpmove from vp.vsh and fp.psh.
 * For each X(vs, ps): when this pair is drawn, vertex constant c[vs] must hold what
 * pixel constant c[ps] is set to.  The function does that, and fills the constants of
 * _PS_SET and _VS_SET: see the file of --preshader. */
#ifndef TILE_H
#define TILE_H

#ifdef __cplusplus
extern "C"
#endif
void fp_constants(float ps[][4], float vs[][4]);

#define TILE_PS_SET(X) X(30) X(31)
#define TILE_VS_SET(X) X(95)
#define TILE_COUNT 0
#define TILE(X)

#endif
