/* Lists the output lanes whose errors measure() finds, and judges these errors.  Private to src/verify. */
#ifndef FPMOVE_VERIFY_MEASURED_H
#define FPMOVE_VERIFY_MEASURED_H

#include "verify/machine.h"

/* Returns true if the lane is an output of the vertex program, so that it has a value for each of three vertices. */
static inline bool lane_is_of_vertices(const struct lane_error *e)
{
	return e->file != REG_PIXEL_OUT && e->file != REG_DEPTH_OUT;
}

/* Lists the output lanes that a pair writes, of those whose errors are measured, and returns their number. */
unsigned measured_list(struct lane_error *, struct pair);

/* Decides whether the measured errors are within the tolerance: sets `within` of each lane and of all, and of the first fault `why`, `at` and
 * `remedy`.  Multiplies `gain` of the FP's lanes by `by_texture`, the factor by which reading a texture may multiply an error. */
void measured_judge(struct arena *, struct measured *, const struct measure_options *, double by_texture);

#endif
