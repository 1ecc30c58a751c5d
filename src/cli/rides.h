/* What rides in which lane of which interpolator, for the page of --html. */
#ifndef FPMOVE_CLI_RIDES_H
#define FPMOVE_CLI_RIDES_H

#include "pipeline.h"

#include <jansson.h>

/* Of a done run, [before, after]; each a list of the interpolators that the VP writes or the FP reads:
 * {"reg": "t0", "kind": "centroid pp", "lanes": [x, y, z, w]}, where a lane that neither writes nor reads is null, and
 * others are {"value": what the VP puts there, as a formula; "vs": its line that does so; "ps": the FP's lines that read it}.
 * After, a value that rode before has "was", the lane that brought it: "t0.x". */
json_t *rides_of(const struct run *);

#endif
