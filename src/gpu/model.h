/* What passes should take, from what was measured of a machine: by a model that counts texture reads
 * alone, and by one that counts what a target counts, too. */
#ifndef FPMOVE_GPU_MODEL_H
#define FPMOVE_GPU_MODEL_H

#include "gpu/pass.h"

/* n bytes take n / bandwidth + latency ns. */
struct path {
	double bandwidth, latency;
};

/* From n > 1 measurements of different sizes, and from what next to no bytes take. */
struct path model_path(double least, const double *bytes, const double *ns, size_t n);

/* With textures and targets of one format; all but bandwidths in ns. */
struct rates {
	struct path up, read, down; /* B1 and L1, B2 and L2, B3 and L3: to the GPU, texture reads of a pass, back */
	struct path copy;           /* from a target to a texture */
	double fill;                /* a pixel that is written and nothing else */
	double arith;               /* a multiply-add of four lanes, a pixel */
	double submit;              /* of the CPU for a pass */
	double queue;               /* a pass of one pixel among others that wait for each other */
};

struct machine {
	struct rates of[IMAGE_FORMATS]; /* zeros: of formats that were not measured */
};

/* Formats that a record's passes and transfers are of: bit n for format n. */
unsigned model_formats(const struct record *);

enum model_id { MODEL_PAPER, MODEL_EXTENDED, MODELS };
struct predictor {
	enum model_id id;
	const struct machine *machine;
	const struct target *target; /* whose weights the extended model takes, scaled by rates.arith */
};

/* ns of a record's transfers to the GPU, and back. */
double model_up(const struct predictor *, const struct record *);
double model_down(const struct predictor *, const struct record *);
/* ns of a kind's passes when each is waited for; with the programs of another pair in place of its own. */
double model_kind(const struct predictor *, const struct kind *, const struct program *vs, const struct program *ps);
/* ns of all passes and copies of a record in a row; pairs[k] takes the place of kind number k's.  NULL: all are as recorded. */
struct model_pair {
	const struct program *vs, *ps;
};
double model_passes(const struct predictor *, const struct record *, const struct model_pair *pairs);

#endif
