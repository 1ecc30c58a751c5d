/* A cost profile's weights from timings: those under which target_time and target_vertex say what was measured. */
#ifndef FPMOVE_GPU_WEIGHTS_H
#define FPMOVE_GPU_WEIGHTS_H

#include "move/target/target.h"

#include <stdbool.h>

/* A pair, drawn and timed. */
struct sighting {
	const struct program *vs, *ps;
	double pixels_per_vertex; /* of a mesh, which has two triangles for each vertex */
	double runs;   /* of the VP for each of these: more than one where triangles share no vertices */
	bool vertices; /* drawn with few pixels for each vertex, to see what vertices take */
	bool plain;    /* drawn to a target of another format, which is the same for all plain ones */
	double ns;     /* a pixel took */
};

enum weight {
	WEIGHT_INSTR, WEIGHT_LANE, WEIGHT_SPECIAL, WEIGHT_TEX, WEIGHT_ORDER, WEIGHT_VARYING, WEIGHT_PIXEL, WEIGHT_OVERLAP,
	WEIGHT_VERTEX, WEIGHT_INTERPOLATOR,
	WEIGHT_PLAIN,  /* a colour of a plain target: no weight of a profile */
	WEIGHT_CORNER, /* a vertex, whatever is computed there: none either, but there when it is drawn */
	WEIGHTS
};
extern const char *const weight_names[WEIGHTS];

struct weights {
	double value[WEIGHTS];              /* ns; overlap: the number */
	double low[WEIGHTS], high[WEIGHTS]; /* 95 of 100 fits to as many timings, drawn from these at random, lie between */
	bool told[WEIGHTS];                 /* the timings tell the weight from 0 */
	double error, worst;                /* of the timings fitted to: mean and largest part that the model is off by */
	uint32_t worst_at;                  /* which */
	struct target target;               /* in whole numbers; what cannot be told from 0, but is hardly 0, is a scalar operation */
	double unit;                        /* ns of the target's unit */
};

/* NULL, or one sentence on why these are no timings that weights can be had from. */
const char *weights_fit(struct arena *, const struct sighting *, uint32_t n, struct weights *);
/* How long a pixel takes by the whole numbers: ns. */
double weights_time(const struct weights *, const struct sighting *);

#endif
