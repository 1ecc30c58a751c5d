/* One pair of a proof as it runs: both programs, and the pixel between the vertices.  Private to src/verify. */
#ifndef FPMOVE_VERIFY_SIDE_H
#define FPMOVE_VERIFY_SIDE_H

#include "lang/hoist.h"
#include "lang/resolve.h"
#include "verify/field_run.h"

/* How an interpolator gets from the vertices' shares to the pixel's value: in the middle of the pixel, at the centroid, or as a
 * colour of model 3, which the application may have shaded flat; WEIGHT_PP with fewer digits.  Each is one function of the three
 * values, and nobody knows which, but for what is equal at all three. */
enum { WEIGHT_CENTRE, WEIGHT_CENTROID, WEIGHT_FLAT, WEIGHT_PP, WEIGHTS = 2 * WEIGHT_PP };

struct side {
	struct field_run vs, ps;
	felt weight[WEIGHTS][VERTICES][FIELDS];
};

static inline unsigned side_weight(const struct side *side, unsigned carrier)
{
	bool const flat = carrier < MACHINE_COLOURS && model_links(side->ps.program->model);
	return (side->ps.partial >> carrier & 1 ? WEIGHT_PP : 0) + (flat ? WEIGHT_FLAT : side->ps.centroid >> carrier & 1);
}
/* Can one of the pair's interpolators have the weight? */
static inline bool side_weighs(const struct side *side, unsigned weight)
{
	bool any = false;
	for (unsigned c = 0; c < MACHINE_CARRIERS; c++)
		any |= side_weight(side, c) == weight;
	return any;
}

/* prove() of any two pairs, also of a pair and itself, which leaves in `sides` the last run of the old pair and of the new
 * one; with their traces if `trace`.  They are in the arena, and not meant unless the pairs are equal. */
struct proof prove_by(struct arena *, struct pair old, struct pair new, const struct proof_context *, struct side sides[2],
                      bool trace);
/* What a lane of a vertex program's value is in the pixel, whether or not an interpolator carries it. */
void side_at_pixel(const struct side *, unsigned weight, const felt x[COLUMNS], felt to[FIELDS]);

/* The straight forms of two pairs, see lang/outline.h; of a straight program itself.  Of the old pixel program those instructions are
 * hoisted that the new one does not have in its blocks. */
struct straightened {
	struct pair was, is;
	struct resolved known[2][2]; /* by stage, then of the old and the new program: without the flow control that literals decide */
	struct hoisted hoisted;      /* the old pixel program */
	struct outline of[2][2]; /* by stage, then of the old and the new program */
	enum stage stage;        /* where something was wrong */
};
/* Returns NULL, or why there are none, or what of their blocks differs. */
const char *straighten_pairs(struct arena *, struct pair old, struct pair new, struct straightened *);

#endif
