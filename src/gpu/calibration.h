/* A cost profile of the device here: rates.c's programs are timed by whoever draws them, weights.c fits to that, and both are told.
 * fpmove-gpu draws by OpenGL, fpmove-d3d9 by Direct3D 9. */
#ifndef FPMOVE_GPU_CALIBRATION_H
#define FPMOVE_GPU_CALIBRATION_H

#include "gpu/rates.h"
#include "gpu/stats.h"
#include "gpu/weights.h"

enum { CALIBRATION_LEAST_SIZE = 64 }; /* pixels of a side */

/* What is drawn to the same ground. */
enum part { PART_PIXELS, PART_COLOURS, PART_VERTICES, PARTS };

struct measured {
	const struct rate *rate;
	enum part part;
	const struct program *vs, *ps;
	struct quartiles ns; /* a pixel */
};

/* Programs to be drawn in turns, by their numbers among those that are taken. */
struct round {
	const uint32_t *which;
	uint32_t n;
	enum part part;
	int size, cells;  /* a side: pixels; cells (gpu/mesh.h) */
	double seconds;   /* about how long all may take */
	unsigned samples; /* set: how often each was drawn */
	double **ns;      /* set, of each: a draw, each time */
};

struct calibration {
	struct arena *arena;
	const char *device, *format; /* the profile is named after them */
	int largest;                 /* pixels of a target's side */
	bool software;               /* a CPU draws */
	bool plain;                  /* but for PART_COLOURS the target is of another format */
	double seconds;              /* about how long the choice of a size and the timing may take */
	void *drawer;
	bool (*takes)(void *drawer, const struct measured *);      /* Asked of each in turn.  Some are longer than an old driver takes. */
	const char *(*draw)(void *drawer, struct round *);         /* NULL, or what is wrong */
	struct { VEC(struct measured); } all;
	struct sighting *sighting;   /* of each */
	unsigned refused, samples;   /* programs that are not taken; times of each, at least */
	int size;
	struct weights weights;
};

/* NULL, or one sentence on what is wrong. */
const char *calibration_run(struct calibration *);
/* The weights and how sure they are, for people. */
void calibration_tell(const struct calibration *, struct text *);
/* The profile, as fpmove --target-file reads it. */
struct text calibration_profile(const struct calibration *);

#endif
