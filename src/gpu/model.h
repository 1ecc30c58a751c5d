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

/* Returns how far `path` is off from the measurements at most, as a part of them. */
double model_path_error(struct path, const double *bytes, const double *ns, size_t n);

/* What a pass costs, however few pixels it draws: one that draws to another target than the one before, which must be done by
 * then; one that goes on with the same target; one that draws to what was copied last. */
struct turns {
	double other, same, behind;
};

/* How far off the models are at what they were measured with, at most: parts of the time. */
struct fit_errors {
	double up, down, reads; /* T1, T3 and T2 of the first model */
	double work;            /* T2 of the second */
};

/* With textures and targets of one format; all but bandwidths and errors in ns. */
struct rates {
	struct path up, down; /* B1 and L1, B3 and L3: to the GPU, and back */
	struct path copy;     /* from a target to a texture */
	double bandwidth;     /* B2: of texture reads */
	struct turns gpu;     /* L2: of passes in a row */
	struct turns alone;   /* ... when each is timed by itself */
	struct turns cpu;     /* what the CPU has to do for a pass; for a copy, as much as for a pass behind it */
	double start;         /* of a row of passes */
	double fill;          /* a pixel that is written and nothing else */
	double arith;         /* a multiply-add of four lanes, a pixel */
	struct fit_errors error;
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
/* ns of a kind's passes when each is timed by itself; with the programs of another pair in place of its own. */
double model_kind(const struct predictor *, const struct kind *, const struct program *vs, const struct program *ps);
/* ns of all passes and copies of a record in a row; pairs[k] takes the place of kind number k's.  NULL: all are as recorded. */
struct model_pair {
	const struct program *vs, *ps;
};
double model_passes(const struct predictor *, const struct record *, const struct model_pair *pairs);

#endif
