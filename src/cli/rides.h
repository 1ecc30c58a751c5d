/* Lists the values that each lane of each interpolator carries, for the page of --html. */
#ifndef FPMOVE_CLI_RIDES_H
#define FPMOVE_CLI_RIDES_H

#include "pipeline.h"

#include <jansson.h>

/* Returns [before, after] for a done run.  Each is a list of the interpolators that the VP writes or the FP reads:
 * {"reg": "t0", "kind": "centroid pp", "lanes": [x, y, z, w]}.  A lane is null if no program uses it; else it is
 * {"value": the formula of what the VP writes there, "vs": the line that writes it, "ps": the FP's lines that read it}.
 * In "after", a value that an interpolator carried before has a key "was", the lane that carried it: "t0.x". */
json_t *rides_of(const struct run *);

#endif
