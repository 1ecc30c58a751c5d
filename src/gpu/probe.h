/* Pairs of programs drawn to be timed, whatever they compute: each to the same square, in turns. */
#ifndef FPMOVE_GPU_PROBE_H
#define FPMOVE_GPU_PROBE_H

#include "gpu/image.h"
#include "gpu/kernel.h"

enum { PROBE_SAMPLERS = 16, PROBE_TARGETS = 4, PROBE_LEAST_SAMPLES = 5, PROBE_MOST_SAMPLES = 31 };

/* A square in cells of two triangles that share no vertices. */
struct grid {
	unsigned edge, inputs; /* cells a side; inputs of a VP that there are numbers for */
	unsigned buffer;       /* OpenGL's name */
};

/* What probes draw to, and read. */
struct booth {
	struct lab lab;
	int size;                                    /* pixels a side */
	enum image_format format;                    /* of targets and textures */
	struct image target[PROBE_TARGETS];
	unsigned texture[PROBE_SAMPLERS][3];         /* OpenGL's names; by kind: 2D, cube, volume */
	struct { VEC(struct grid); } grids;          /* those that some probe was drawn over */
};

struct probe {
	struct kernel kernel;
	struct grid grid;
	unsigned query, draws; /* draws of a sample */
	double *ns;            /* of a pixel, by sample: room for PROBE_MOST_SAMPLES */
	uint32_t samples;
};

/* NULL, or one sentence on why the driver has no such targets. */
const char *booth_open(struct arena *, const struct context *, int size, enum image_format, struct booth *);
void booth_close(struct booth *);

/* Makes a kernel that was opened with the booth's lab ready to be drawn over `grid` x `grid` cells.  NULL, or one sentence on what
 * is wrong. */
const char *probe_open(struct booth *, unsigned grid, struct probe *);
void probe_close(struct probe *);
double probe_pixels_per_vertex(const struct booth *, const struct probe *);
/* Draws, and decides how many draws are a sample.  The value is how long one draw takes, ns. */
double probe_warm(const struct booth *, struct probe *);
/* Samples of n probes in turns, so that what slows the machine for a while slows all alike, for about so many seconds. */
void probes_sample(const struct booth *, struct probe *const *, uint32_t n, double seconds);
/* Of a clock that runs on. */
double seconds_now(void);

#endif
