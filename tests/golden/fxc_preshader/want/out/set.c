/* Made by fpmove: constants of rewritten pairs that the application computes.
 *
 * Whenever it has changed pixel constants of a pair, it calls the pair's function and then hands
 * both arrays to Direct3D.  `ps` holds all pixel constants, ps[0] is c0; `vs` the vertex constants.
 * Only rows that the pair's own programs leave alone are filled, and only ps is read, so that the
 * function may be called any number of times. */
#include <float.h>
#include <math.h>

#ifndef FPMOVE_FLOAT
#define FPMOVE_FLOAT
/* No constant is infinite: the largest float stands for what is larger. */
static float fpmove_float(double x)
{
	return x > (double)FLT_MAX ? FLT_MAX : x < -(double)FLT_MAX ? -FLT_MAX : (float)x;
}
#endif

/* fp_constants: for vp.vsh and fp.psh.
 * Reads  ps[1] (g_scale_of_texture), ps[2] (g_taps[0]), ps[3] (g_taps[1]), ps[4] (g_tint).
 * Fills  vs[93], vs[95]. */
#ifdef __cplusplus
extern "C"
#endif
void fp_constants(float ps[][4], float vs[][4]);

void fp_constants(float ps[][4], float vs[][4])
{
	const double t0 = 1.0 / (double)ps[1][0];
	const double t1 = (double)ps[3][0] + (double)ps[4][0];
	const double t2 = (double)ps[3][1] + (double)ps[4][1];

	vs[95][0] = fpmove_float(t0);
	vs[95][1] = ps[1][1];
	vs[95][2] = fpmove_float(t1);
	vs[95][3] = fpmove_float(t2);
	vs[93][0] = ps[2][0]; vs[93][1] = ps[2][1]; vs[93][2] = ps[2][2]; vs[93][3] = ps[2][3]; /* g_taps[0] */
}
