/* Makes a cost profile of the device here: the caller draws and times the programs of rates.c, and weights.c fits weights to the times.
 * fpmove-gpu draws by OpenGL, fpmove-d3d9 by Direct3D 9. */
#ifndef FPMOVE_GPU_CALIBRATION_H
#define FPMOVE_GPU_CALIBRATION_H

#include "gpu/rates.h"
#include "gpu/stats.h"
#include "gpu/weights.h"

enum { CALIBRATION_LEAST_SIZE = 64 }; /* pixels along a side of the target */

/* A part of the calibration: its programs are drawn to the same target through the same mesh. */
enum part { PART_PIXELS, PART_COLOURS, PART_VERTICES, PARTS };

struct measured {
	const struct rate *rate;
	enum part part;
	const struct program *vs, *ps;
	struct quartiles ns; /* quartiles of the measured ns of a pixel */
};

/* One measurement: programs of one part that are drawn in turns. */
struct round {
	const uint32_t *which; /* indices of the programs among those that `takes` accepted */
	uint32_t n;
	enum part part;
	int size, cells;       /* along a side: pixels of the target, and cells of the mesh (gpu/mesh.h) */
	double seconds;        /* about how long the round may take */
	unsigned samples;      /* set by `draw`: how often each program was drawn */
	double **ns;           /* set by `draw`: ns of one draw, ns[program][sample] */
};

struct calibration {
	struct arena *arena;
	const char *device, *format; /* the profile is named after them */
	int largest;                 /* pixels along a side of the largest target that the device makes */
	bool software;               /* the device is a CPU */
	bool plain;                  /* all parts but PART_COLOURS have a target of another format than `format` */
	double seconds;              /* about how long the choice of a size and the timing may take */
	void *drawer;                /* passed to `takes` and `draw` */
	/* Returns true if the device accepts a program.  Called once for each program, in order; some programs are too long for old drivers. */
	bool (*takes)(void *drawer, const struct measured *);
	/* Draws and times a round, and sets its `samples` and `ns`.  Returns NULL, or what is wrong. */
	const char *(*draw)(void *drawer, struct round *);
	struct { VEC(struct measured); } all; /* the programs that `takes` accepted */
	struct timed_program *timings;   /* what was measured of each program in `all` */
	unsigned refused;            /* number of programs that the device does not take */
	unsigned samples;            /* the least number of samples of a program */
	int size;                    /* pixels along a side of the targets */
	struct weights weights;
};

/* Times the programs and fits the weights.  Returns NULL, or one sentence on what is wrong. */
const char *calibration_run(struct calibration *);
/* Writes a table of the weights and their confidence intervals. */
void calibration_tell(const struct calibration *, struct text *);
/* Returns the profile as JSON, which fpmove --target-file reads. */
struct text calibration_profile(const struct calibration *);

#endif
