/* A side of a proof: the old or the new pair as it runs, with both programs and the interpolation between them.  Private to src/verify. */
#ifndef FPMOVE_VERIFY_SIDE_H
#define FPMOVE_VERIFY_SIDE_H

#include "lang/hoist.h"
#include "lang/resolve.h"
#include "verify/field_run.h"

/* Ways to interpolate: in the middle of the pixel, at the centroid, or as a colour of model 3, which the application may have
 * shaded flat; WEIGHT_PP is added for an input with _pp.  The proof treats each way as an unknown function of the values at the three
 * vertices, which only keeps a value that is equal at all three. */
enum { WEIGHT_CENTRE, WEIGHT_CENTROID, WEIGHT_FLAT, WEIGHT_PP, WEIGHTS = 2 * WEIGHT_PP };

struct side {
	struct field_run vs, ps;
	felt weight[WEIGHTS][VERTICES][FIELDS];
};

/* Returns the way to interpolate (WEIGHT_...) of a carrier, that is an interpolated input of the FP. */
static inline unsigned side_weight(const struct side *side, unsigned carrier)
{
	bool const flat = carrier < MACHINE_COLOURS && model_links(side->ps.program->model);
	return (side->ps.partial >> carrier & 1 ? WEIGHT_PP : 0) + (flat ? WEIGHT_FLAT : side->ps.centroid >> carrier & 1);
}
/* Returns true if one of the FP's inputs is interpolated in this way (WEIGHT_...). */
static inline bool side_weighs(const struct side *side, unsigned weight)
{
	bool any = false;
	for (unsigned c = 0; c < MACHINE_CARRIERS; c++)
		any |= side_weight(side, c) == weight;
	return any;
}

/* Proves as prove() does, for pairs without flow control, and makes a trial also if both pairs are the same.  Leaves the last runs of the
 * old and the new pair in `sides`, with the results of all instructions if `trace` is set.  They are valid only if the pairs are equal. */
struct proof prove_by(struct arena *, struct pair old, struct pair new, const struct proof_context *, struct side sides[2],
                      bool trace);

/* The straight forms of two pairs: programs without flow control, in which one instruction stands for each block (lang/outline.h).  A
 * program without flow control is its own straight form.  In the old pixel program, instructions that the new one no longer has in its
 * blocks are hoisted: computed before their block. */
struct straightened {
	struct pair was, is;         /* the straight forms of the old and the new pair */
	struct resolved known[2][2]; /* by stage, of the old and the new pair: the program without the flow control that literals decide */
	struct hoisted hoisted;      /* the old pixel program, with the instructions hoisted that the new one has no longer in its blocks */
	struct outline of[2][2];     /* by stage, the outlines of the old and the new program */
	enum stage stage;            /* the stage that an error of straighten_pairs() is about */
};
/* Finds the straight forms.  Returns NULL, or a message if a program has none, or if the blocks of the old and the new program differ. */
const char *straighten_pairs(struct arena *, struct pair old, struct pair new, struct straightened *);

#endif
