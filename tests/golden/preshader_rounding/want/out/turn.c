/* Made by fpmove: constants of rewritten pairs that the application computes.
 *
 * Whenever it has changed pixel constants of a pair, it calls the pair's function and then hands
 * both arrays to Direct3D.  `ps` holds all pixel constants, ps[0] is c0; `vs` the vertex constants.
 * Only rows that the pair's own programs leave alone are filled, and only ps is read, so that the
 * function may be called any number of times. */
#include <float.h>
#include <math.h>

/* fp_constants: for vp.vsh and fp.psh, which need nothing.  */
#ifdef __cplusplus
extern "C"
#endif
void fp_constants(float ps[][4], float vs[][4]);

void fp_constants(float ps[][4], float vs[][4])
{
	(void)ps;
	(void)vs;
}
