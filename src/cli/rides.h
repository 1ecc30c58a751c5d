/* Lists the values that each lane of each interpolator carries, for the page of --html. */
#ifndef FPMOVE_CLI_RIDES_H
#define FPMOVE_CLI_RIDES_H

#include "pipeline.h"

#include <jansson.h>

/* Adds the keys "lanes" and "serves" to the JSON object `to` of a done pair.
 *
 * "lanes" is [before, after].  Each is a list of the interpolators that the VP writes or the FP reads:
 * {"reg": "t0", "kind": "centroid pp", "lanes": [x, y, z, w]}.  A lane is null if no program uses it; else it is
 * {"value": the formula of what the VP writes there, "vs": the line that writes it, "ps": the FP's lines that read it},
 * without "value" and "vs" if the VP does not write the lane.  In "after", a lane whose value an interpolator carried before has
 * a key "was", the lane that carried it: "t0.x".
 *
 * "serves" has an entry for each instruction of the new VP: [its line, the output lanes that depend on its result ("t1.xy oPos"),
 * the line of the given VP's instruction that computes the same, or 0]. */
void rides_add(json_t *to, const struct run *);

#endif
