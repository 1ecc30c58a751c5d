/* How long pairs of programs take to draw a square through a grid of triangles, measured in turns. */
#ifndef FPMOVE_GPU_TIMING_H
#define FPMOVE_GPU_TIMING_H

#include "gpu/mesh.h"
#include "gpu/subject.h"

/* What is drawn. */
struct ground {
	int size;                  /* pixels a side */
	int grid;                  /* cells a side, of two triangles each */
	enum image_format format;  /* of textures and targets */
	bool linear;               /* textures mix four texels, else the nearest is read */
	bool plain;                /* targets are RGBA8, whatever the textures are */
};

struct timed {
	struct subject subject;
	struct shader shader;
	unsigned vertices;         /* OpenGL's buffer, also that of other pairs with the same inputs */
	double *ns;                /* a draw: `samples` of them, by turn */
};

struct timing {
	struct ground ground;
	bool software;             /* a CPU draws; set by timing_run */
	unsigned n, samples;
	struct timed *pair;        /* the subjects are set by the caller */
	unsigned texture[SUBJECT_SAMPLERS];
	struct image target[SUBJECT_COLOURS];
};

/* Compiles and measures all pairs; `seconds` is about how long that may take.  NULL, or one sentence in the arena on what is
 * wrong.  timing_close must follow either way. */
const char *timing_run(struct arena *, const struct context *, struct timing *, double seconds);
void timing_close(struct timing *);

#endif
