/* Pixels that do not depend on how interpolation rounds, and that do in another pair.  Private to src/verify. */
#ifndef FPMOVE_VERIFY_STEADY_H
#define FPMOVE_VERIFY_STEADY_H

#include "verify/interp.h"

/* Draws one triangle with both pairs, several times, with what is interpolated (`are_off`) off by a digit one way or another: in the
 * new pair what is the same at all vertices, in the old one all, as of what varies it never was given an exact number.  Counts the pixels that do not come out the same each time from
 * the new pair: killed or not, or other by a hundredth, as where a cmp takes the other side.  0 if the old pair has such a
 * pixel, too.  A pixel of the new pair that comes out in several ways counts only if MORE_DRAWS of the old pair agree on it: three
 * draws of one pixel on a tie agree by luck once in eight times.  `*lane` becomes the first output that differs, REG_FILES for
 * a texkill.  What tests behind the program may make of a last bit does not count: sums swallow such bits by chance.  `scenes`: of the old pair and the new one.  n: pixels, at most STEADY_PIXELS. */
enum { STEADY_PIXELS = 128 };
unsigned steady_lost(struct arena *, const struct pair pairs[2], const struct interp_scene scenes[2],
                     const float *const weight[2], uint32_t n, struct measured_lane *lane);

#endif
