/* One pair of a proof as it runs: both programs, and the pixel between the vertices.  Private to src/verify. */
#ifndef FPMOVE_VERIFY_SIDE_H
#define FPMOVE_VERIFY_SIDE_H

#include "verify/field_run.h"

struct side {
	struct field_run vs, ps;
	felt weight[2][VERTICES][FIELDS]; /* the vertices' shares in the pixel, and in what is sampled at the centroid */
};

/* prove() of any two pairs, also of a pair and itself, which leaves in `sides` the last run of the old pair and of the new
 * one; with their traces if `trace`.  They are in the arena, and not meant unless the pairs are equal. */
struct proof prove_by(struct arena *, struct pair old, struct pair new, const struct proof_context *, struct side sides[2],
                      bool trace);
/* What a lane of a vertex program's value is in the pixel, whether or not an interpolator carries it. */
void side_at_pixel(const struct side *, bool centroid, const felt x[COLUMNS], felt to[FIELDS]);

#endif
