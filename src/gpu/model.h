/* Predicts the time of passes from measurements of a machine, by two models.  The model of the method's paper counts texture reads, transfers and
 * a fixed cost of each pass; the extended one also counts instructions, with the weights of a target (move/target/target.h). */
#ifndef FPMOVE_GPU_MODEL_H
#define FPMOVE_GPU_MODEL_H

#include "gpu/pass.h"

/* The cost of moving or reading bytes: n bytes take n / bandwidth + latency ns. */
struct path {
	double bandwidth, latency;
};
/* Returns the ns of n transfers of `bytes` bytes in all.  A bandwidth of 0 stands for an unlimited one. */
double model_path_ns(struct path, double n, double bytes);

/* Fits a path to n > 1 measurements of different sizes; `least` is the time of next to no bytes and becomes the latency. */
struct path model_path(double least, const double *bytes, const double *ns, size_t n);

/* Returns the largest relative error of `path` at the measurements. */
double model_path_error(struct path, const double *bytes, const double *ns, size_t n);

/* The fixed cost of a pass, however few pixels it draws. */
struct pass_costs {
	double other;  /* cost if the pass before drew to another target, and must be finished first */
	double same;   /* cost if the pass before drew to the same target */
	double behind; /* cost if the pass comes right after a copy */
};

/* The largest relative errors of the models at the measurements that they were fitted to. */
struct fit_errors {
	double up, down, reads; /* the paper's model: transfers to the GPU, back, and texture reads (T1, T3, T2) */
	double work;            /* the extended model: times of passes */
};

/* Measurements with textures and targets of one format.  All but bandwidths and errors are in ns. */
struct rates {
	struct path up, down; /* transfers to the GPU (B1 and L1) and back (B3 and L3) */
	struct path copy;     /* copies from a target to a texture */
	double bandwidth;     /* bandwidth of texture reads, B2 */
	struct pass_costs gpu;     /* GPU time of a pass in a row of passes, L2 */
	struct pass_costs alone;   /* GPU time of a pass that is timed by itself */
	struct pass_costs cpu;     /* CPU time to issue a pass; to issue a copy takes cpu.behind */
	double start;         /* GPU time to begin a row of passes */
	double fill;          /* time of a pixel that is only written */
	double arith;         /* time of a multiply-add of four lanes in a pixel */
	struct fit_errors error;
};

struct machine {
	struct rates of[IMAGE_FORMATS]; /* zeros for formats that were not measured */
};

/* Returns the set of formats that a record's passes and transfers use: bit n for format n. */
unsigned model_formats(const struct record *);

enum model_id { MODEL_PAPER, MODEL_EXTENDED, MODELS };
struct predictor {
	enum model_id id;
	const struct machine *machine;
	const struct target *target; /* gives the weights of the extended model, which rates.arith scales to ns */
};

/* Return the ns of a record's transfers to the GPU, and back. */
double model_up(const struct predictor *, const struct record *);
double model_down(const struct predictor *, const struct record *);
/* Returns the ns of a kind's passes (those with the same kernel), with the given programs in place of its own.  In the extended model, each pass
 * is timed by itself. */
double model_kind(const struct predictor *, const struct kind *, const struct program *vs, const struct program *ps);
struct model_pair {
	const struct program *vs, *ps;
};
/* Returns the ns of all passes and copies of a record in a row.  pairs[k] replaces the programs of kind number k, unless `pairs` is NULL. */
double model_passes(const struct predictor *, const struct record *, const struct model_pair *pairs);

#endif
