/* Counts pixels that depend on how interpolation rounds in the new pair, but not in the old one.  Private to src/verify. */
#ifndef FPMOVE_VERIFY_STEADY_H
#define FPMOVE_VERIFY_STEADY_H

#include "verify/interp.h"

/* Draws one triangle several times with both pairs, with the interpolated lanes in the scene's `are_off` wrong in the last digit,
 * differently in each draw.  In the old pair these are all lanes, since it never gets an exact value of a lane that varies; in the new
 * pair they are the lanes that are the same at all vertices.  Returns the number of pixels on which the new pair's draws disagree:
 * killed or not, or different by a hundredth, as when a cmp takes the other side.  Returns 0 if draws of the old pair disagree on any
 * pixel, or if one of MORE_DRAWS further draws of it disagrees on a counted pixel: three draws of a pixel on a tie agree by luck once
 * in eight times.  Sets `*lane` to the first output that differs, with REG_FILES for a texkill.  Ignores that a test behind the
 * program (alpha, depth) may depend on a last bit, since sums lose such bits by chance.  `scenes` has the scene of the old pair and
 * that of the new one; n is the number of pixels, at most STEADY_PIXELS. */
enum { STEADY_PIXELS = 128 };
unsigned steady_lost(struct arena *, const struct pair pairs[2], const struct interp_scene scenes[2],
                     const float *const weight[2], uint32_t n, struct measured_lane *lane);

#endif
