/* The parameters of the fluid workload, which its passes on the GPU and its check on the CPU share. */
#ifndef FPMOVE_GPU_FLUID_H
#define FPMOVE_GPU_FLUID_H

#include "gpu/workload.h"

enum { FLUID_INKS = 3, FLUID_RAMP = 1024 };

/* A push of the fluid that also leaves ink: `force` is added to the velocity at its centre, in cells a step, and `ink` to the inks there.
 * The centre (x, y) is in texture coordinates. */
struct splat {
	float x, y, force[2], ink[FLUID_INKS];
};

/* How the first ink is drawn: as a lit relief whose height is the amount of that ink.  Vectors have unit length. */
struct relief {
	float height, light[3], half_way[3], ambient, lit, shininess, scale, bias;
};

struct fluid {
	bool walls; /* the fluid stands still at the edges; else it leaves on one side and enters on the other */
	unsigned size, steps, iterations;
	const struct splat *splats; /* one for each step */
	float sharpness; /* a splat has 2^(sharpness d^2) of its strength at a distance d from its centre, in texture coordinates */
	float lift;      /* velocity along y that an amount of 1 of the second ink adds in each step */
	float swirl;     /* strength of the vorticity confinement */
	float slowing, fading; /* factors of velocity and inks in each step */
	/* Images of size x size texels of 4 floats, which are added to velocity and inks in each step.  Meanwhile, the fluid and these images move
	 * towards smaller x, see draw_scrolled.  NULL if nothing scrolls. */
	const float *wind, *inflow;
	struct relief relief;
	const float *ramp;     /* FLUID_RAMP colours of 4 floats, by amount of the first ink */
};

/* The final velocity and inks, and the colours that show them: size x size numbers each. */
struct fluid_state {
	double *velocity[2], *ink[FLUID_INKS], *shown[3];
};
struct fluid_state_single {
	float *velocity[2], *ink[FLUID_INKS], *shown[3];
};

/* Computes the state after all steps, in double or in single precision, of a fluid that stands still at first, with `ink` of 4 floats a
 * cell.  Computes the colours after the last step alone or, if `every` is set, after every step, as the GPU does. */
void fluid_simulate(struct arena *, const struct fluid *, const float *ink, bool every, struct fluid_state *);
void fluid_simulate_single(struct arena *, const struct fluid *, const float *ink, bool every, struct fluid_state_single *);

#endif
