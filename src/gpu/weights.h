/* Fits the weights of a target to timings, so that target_time and target_vertex come as near to the measured times as possible. */
#ifndef FPMOVE_GPU_WEIGHTS_H
#define FPMOVE_GPU_WEIGHTS_H

#include "move/target/target.h"

#include <stdbool.h>

/* A pair of programs with its measured time; weights are fitted to many of these. */
struct timed_program {
	const struct program *vs, *ps;
	double pixels_per_vertex; /* pixels for each vertex of a mesh whose triangles share vertices, so that a vertex has two triangles */
	double runs;   /* how often the VP runs for each of these vertices: once, or more often if triangles share none */
	bool vertices; /* true if it was drawn with few pixels for each vertex, to measure the cost of vertices */
	bool plain;    /* true if its target has the format that all plain pairs share, not the calibrated one */
	double ns;     /* measured time of a pixel */
};

enum weight {
	WEIGHT_INSTR, WEIGHT_LANE, WEIGHT_SPECIAL, WEIGHT_TEX, WEIGHT_ORDER, WEIGHT_VARYING, WEIGHT_PIXEL, WEIGHT_OVERLAP,
	WEIGHT_VERTEX, WEIGHT_INTERPOLATOR,
	WEIGHT_PLAIN,  /* writing a colour to a plain target; targets of fpmove have no such weight */
	WEIGHT_CORNER, /* the fixed cost of a vertex; targets of fpmove have no such weight, but weights_time adds it */
	WEIGHTS
};
extern const char *const weight_names[WEIGHTS];

struct weights {
	double value[WEIGHTS];              /* in ns; but the overlap has no unit */
	double low[WEIGHTS], high[WEIGHTS]; /* interval that holds 95 of 100 fits to random resamples of the timings */
	bool told[WEIGHTS];                 /* true if the timings distinguish the weight from 0 */
	double error, worst;                /* mean and largest relative error of the model at the timings that it was fitted to */
	uint32_t worst_at;                  /* index of the timing with the largest error */
	struct target target;               /* the weights as whole numbers; most weights not told from 0 count as a scalar operation */
	double unit;                        /* ns of one unit of the target's weights */
};

/* Fits weights to n timings.  Returns NULL, or one sentence on why these timings give no weights. */
const char *weights_fit(struct arena *, const struct timed_program *, uint32_t n, struct weights *);
/* Returns the time in ns of a pixel by the whole-number weights of the target. */
double weights_time(const struct weights *, const struct timed_program *);

#endif
