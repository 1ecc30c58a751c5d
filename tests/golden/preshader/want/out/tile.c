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
 * Reads  ps[0], ps[1], ps[2], ps[3].
 * Fills  ps[30], ps[31].
 * Fills  vs[95]. */
#ifdef __cplusplus
extern "C"
#endif
void fp_constants(float ps[][4], float vs[][4]);

void fp_constants(float ps[][4], float vs[][4])
{
	const double t0 = (double)ps[2][0] * (double)ps[2][0];
	const double t1 = (double)ps[2][1] * (double)ps[2][1] + t0;
	const double t2 = (double)ps[2][2] * (double)ps[2][2] + t1;
	const double t3 = 1.0 / sqrt(fabs(t2));
	const double t4 = (double)ps[2][2] * t3;
	const double t5 = t4 >= 0.0 ? t4 : 0.0;
	const double t6 = 1.0 / (double)ps[0][0];
	const double t7 = (double)ps[1][1] * (double)ps[1][0];
	const double t8 = t7 - floor(t7);

	ps[30][0] = 0.5f;
	ps[30][1] = ps[3][2];
	ps[30][2] = ps[3][1];
	ps[30][3] = ps[3][0];
	ps[31][0] = fpmove_float(t5);
	ps[31][1] = 0.0f;
	ps[31][2] = 0.0f;
	ps[31][3] = 0.0f;
	vs[95][0] = fpmove_float(t6);
	vs[95][1] = fpmove_float(t8);
	vs[95][2] = 0.0f;
	vs[95][3] = 0.0f;
}
