/* A workload: a whole computation in passes, with its input, its check and its picture.  run.c drives it. */
#ifndef FPMOVE_GPU_WORKLOAD_H
#define FPMOVE_GPU_WORKLOAD_H

#include "gpu/pass.h"
#include "gpu/picture.h"

#include <math.h>

/* A number that the user may choose: --NAME=N. */
struct parameter {
	const char *name, *what;
	unsigned least, most, common;
};
enum { PARAMETERS = 8 };

/* What the user asks for. */
struct wanted {
	const char *form;            /* one of the workload's; NULL: it has none */
	unsigned number[PARAMETERS]; /* in the order of the workload's parameters */
	unsigned seed;
	const char *input;           /* a PNG or raw file of floats to compute from; NULL: made from the seed */
	const char *force;           /* the text of a force, for workloads that take one; NULL if none is given */
	enum image_format format;    /* of textures and targets, where the workload lets the user choose */
	bool format_given;           /* for this workload by name; false: nobody chose it */
	const struct run *pair;      /* of own_pair.h: the user's, as given; else NULL */
};

/* What a check against the same computation in double on the CPU found. */
struct finding {
	const char *what;   /* of the error: "largest difference" */
	double error, most; /* more than `most` is wrong */
	const char *more;   /* further sentences, each ended by a line end; NULL: none */
};

/* A way to compute a workload: --form=NAME. */
struct workload_form {
	const char *name, *what;
};

struct workload {
	const char *name, *summary;
	const struct workload_form *forms;  /* ends with a name of NULL; the first is the default; NULL: there is one way to do it */
	const struct parameter *parameters; /* the first is what --size sets; ends with a name of NULL */
	bool any_format;                    /* --format is the user's choice, of those with four channels, else the workload's own */
	bool judges_format;                 /* --format is the user's choice, and `open` says what is wrong with it; it has one if none is given */
	bool takes_force;                   /* --force is for this workload */
	/* Makes kernels, images and the input; nothing is drawn yet.  NULL, or one sentence on what is wrong with what is wanted. */
	const char *(*open)(struct lab *, const struct wanted *, void **state);
	void (*upload)(struct lab *, void *state);   /* input to the GPU, by pass_write, also for another time */
	void (*compute)(struct lab *, void *state);  /* all passes */
	void (*download)(struct lab *, void *state); /* results to the CPU, by pass_read */
	void (*check)(struct lab *, void *state, struct finding *);
	/* Does the same work once on the CPU, in single precision and plain C, on one core, and leaves the results where download leaves
	 * them, so that they can be checked; run.c times it.  NULL if there is none. */
	void (*on_cpu)(struct lab *, void *state);
	void (*picture)(struct lab *, void *state, struct picture *); /* of the downloaded results */
	void (*close)(struct lab *, void *state);
	/* Operations, and bytes read and written, of one computation, as the workload's authors count them; 0: not counted. */
	double (*operations)(const void *state);
	double (*traffic)(const void *state);
	/* Operations as the method's paper counts them, for its GFLOPS beside ours; NULL if it does not have this workload. */
	double (*published)(const void *state);
};

/* Takes an error into account; one that is no number is as wrong as can be. */
static inline void finding_add(struct finding *f, double error)
{
	if (!(error <= f->error))
		f->error = error > 0 ? error : (double)INFINITY;
}
static inline void finding_compare(struct finding *f, double computed, double right)
{
	finding_add(f, fabs(computed - right));
}

/* NULL, or one sentence on why what is wanted cannot be: textures here have no such side; or the size is no power of two. */
const char *workload_fits(struct lab *, unsigned side);
const char *workload_power_of_two(struct lab *, unsigned size);

/* Fills width x height texels of `channels` floats from the file that is wanted, or from the seed; a picture is repeated or cut to
 * that size, and is grey where there is one channel; numbers are clipped to 0 to 1 where the wanted's format can hold no others.
 * NULL, or one sentence on what is wrong with the file. */
const char *workload_image(struct lab *, const struct wanted *, unsigned width, unsigned height, unsigned channels, float *texels);
/* Fills n floats from a file of exactly so many, in this machine's order.  NULL, or one sentence on what is wrong: its length, or
 * a number that is not finite. */
const char *workload_floats(struct lab *, const char *path, size_t n, float *to);
/* The place of the form that is wanted among a workload's. */
unsigned workload_form_index(const struct workload_form *forms, const struct wanted *);
/* Which of `total` things a check looks at: all, or, where those are too many for some seconds, `n` that a seed chooses. */
struct sample {
	size_t n, total;
	uint64_t seed;
};
struct sample workload_sample(const struct wanted *, size_t total, size_t most);
/* The k-th of them; k counts up from 0. */
size_t sample_at(struct sample *, size_t k);
/* The nearest place from 0 to below `size`, as reads beyond the edge take it. */
static inline size_t workload_clamped(long at, unsigned size)
{
	return at < 0 ? 0 : at >= (long)size ? size - 1 : (size_t)at;
}
/* The largest absolute value of n floats, at least 1. */
double workload_largest(const float *, size_t n);
/* How far `steps` roundings take numbers of up to 1 apart that are kept in such texels. */
double workload_rounding(enum image_format, double steps);

extern const struct workload conv3_workload;
extern const struct workload fluid_workload;
extern const struct workload gauss_workload;
extern const struct workload lu_workload;
extern const struct workload match_workload;
extern const struct workload morphology_workload;
extern const struct workload nbody_workload;
extern const struct workload sort_workload;
extern const struct workload *const workloads[];
extern const unsigned nworkloads;
/* "lu i4-switch": the workload, and its form if it has one. */
const char *workload_title(struct arena *, const struct workload *, const struct wanted *);
/* NULL: there is none of that name. */
const struct workload *workload_named(const char *name);

#endif
