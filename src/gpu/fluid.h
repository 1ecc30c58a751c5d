/* What the fluid workload simulates, for its passes on the GPU and for its check on the CPU. */
#ifndef FPMOVE_GPU_FLUID_H
#define FPMOVE_GPU_FLUID_H

#include "gpu/workload.h"

enum { FLUID_INKS = 3, FLUID_RAMP = 1024 };

/* Something pushes the fluid and leaves ink: what is added to the velocity, in cells a step, and to the ink at its centre, in
 * texture coordinates. */
struct splat {
	float x, y, force[2], ink[FLUID_INKS];
};

/* How ink is shown: as a relief of the first one, in light.  Vectors are of unit length. */
struct relief {
	float height, light[3], half_way[3], ambient, lit, shininess, scale, bias;
};

/* The numbers of each rule of a step. */
struct fluid {
	bool walls; /* at the edges the fluid stands still; else what leaves on one side enters on the other */
	unsigned size, steps, iterations;
	const struct splat *splats; /* one for each step */
	float sharpness; /* a splat is 2^(sharpness d^2) of itself at the distance d, in texture coordinates */
	float lift;      /* cells a step that the second ink adds to the velocity across the lines */
	float swirl;     /* strength of the vorticity confinement */
	float slowing, fading; /* what is left of velocity and ink after a step */
	const float *wind, *inflow; /* size x size texels of 4 floats that scroll past, and are added to velocity and ink in each step, as the
	                             * fluid moves a cell back along the lines; NULL: nothing scrolls */
	struct relief relief;
	const float *ramp;     /* FLUID_RAMP colours of 4 floats */
};

/* The state, size x size numbers each, and the colours that show it. */
struct fluid_state {
	double *velocity[2], *ink[FLUID_INKS], *shown[3];
};
struct fluid_state_single {
	float *velocity[2], *ink[FLUID_INKS], *shown[3];
};

/* Makes all but the initial ink from the form, the numbers and the seed; what it points to lives in the lab's arena. */
void fluid_make(struct lab *, const struct wanted *, struct fluid *);

/* Computes the state after all steps, in double or in single precision, from ink of 4 floats a cell in a fluid that stands still;
 * shows the state after the last step or, as the GPU does, after every one. */
void fluid_simulate(struct arena *, const struct fluid *, const float *ink, bool every, struct fluid_state *);
void fluid_simulate_single(struct arena *, const struct fluid *, const float *ink, bool every, struct fluid_state_single *);

#endif
