/* Made by fpmove from vp.vsh and fp.psh.
 * For each X(vs, ps): when this pair is drawn, vertex constant c[vs] must hold what
 * pixel constant c[ps] is set to. */
#ifndef SET_H
#define SET_H

#define SET_COUNT 4
#define SET(X) \
	X(92, 4) /* g_tint */ \
	X(93, 2) /* g_taps[0] */ \
	X(94, 3) /* g_taps[1] */ \
	X(95, 1) /* g_scale_of_texture */

#endif
