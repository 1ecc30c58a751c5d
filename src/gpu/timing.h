/* Measures in turns how long pairs of programs take to draw a square with a grid of triangles. */
#ifndef FPMOVE_GPU_TIMING_H
#define FPMOVE_GPU_TIMING_H

#include "gpu/mesh.h"
#include "gpu/drawn_pair.h"

/* The square of cells that pairs draw when they are timed. */
struct ground {
	int size;                  /* pixels a side */
	int grid;                  /* cells a side; a cell is two triangles */
	enum image_format format;  /* format of textures and targets */
	bool linear;               /* true to filter textures linearly, false to read the nearest texel */
	bool plain;                /* true if targets are RGBA8, whatever the format of the textures is */
};

struct timed {
	struct drawn_pair drawn;
	struct shader shader;
	unsigned vertices;         /* OpenGL's vertex buffer; pairs with the same inputs share it */
	double *ns;                /* times of a draw: `samples` of them, in the order of turns */
};

struct timing {
	struct ground ground;
	bool software;             /* true if the device is a CPU; set by timing_run */
	unsigned n, samples;
	struct timed *pair;        /* n of them; the caller sets `drawn` */
	unsigned texture[PAIR_SAMPLERS];
	struct image target[PAIR_COLOURS];
};

/* Compiles and measures all pairs within about `seconds`.  Returns NULL, or one sentence in the arena on what is wrong.  timing_close must
 * follow either way. */
const char *timing_run(struct arena *, const struct context *, struct timing *, double seconds);
void timing_close(struct timing *);

#endif
