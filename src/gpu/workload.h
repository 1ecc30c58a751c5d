/* A workload: a whole computation in passes, such as a blur, with its input, its check and its picture. run.c drives it. */
#ifndef FPMOVE_GPU_WORKLOAD_H
#define FPMOVE_GPU_WORKLOAD_H

#include "gpu/pass.h"
#include "gpu/picture.h"

#include <math.h>

/* A number that the user may choose by --NAME=N, with its limits and default. */
struct parameter {
	const char *name, *what;
	unsigned least, most, common;
};
enum { PARAMETERS = 8 };

/* The user's choices for a workload. */
struct wanted {
	const char *form;            /* name of one of the workload's forms, or NULL if it has none */
	unsigned form_index;         /* index of that form in the list of forms; 0 if there is none */
	unsigned number[PARAMETERS]; /* values of the workload's parameters, in their order */
	unsigned seed;
	const char *input;           /* path of a PNG or raw file of floats; NULL if the input is made from the seed */
	const char *force;           /* path of a force, for workloads that take one; NULL if none is given */
	enum image_format format;    /* format of textures and targets, if the user may choose one */
	bool format_given;           /* true if the command line names this workload and a format */
	const struct run *pair;      /* for own_pair_workload, the user's pair as given; NULL for others */
};

/* The result of a check against the same computation on the CPU, mostly in double. */
struct finding {
	const char *what;   /* the kind of error, like "largest difference" */
	double error, most; /* the result is wrong if the error is more than `most` */
	const char *more;   /* further lines to print, each with its line end; NULL if there are none */
};

/* A way to compute a workload, chosen by --form=NAME. */
struct workload_form {
	const char *name, *what;
};

struct workload {
	const char *name, *summary;
	const struct workload_form *forms;  /* the first is the default, the last has no name; NULL if there is only one way */
	const struct parameter *parameters; /* the first is set by --size; the last has no name */
	bool any_format;                    /* true if the user may choose any --format of four channels */
	bool judges_format;                 /* true if `open` judges the user's --format, and has a default */
	bool takes_force;                   /* true if the workload takes --force */
	/* Makes the state, kernels, images and the input by lab->wanted, lists what to upload and download, and draws nothing.  Returns NULL, or
	 * one sentence on which of the user's choices is wrong. */
	const char *(*open)(struct lab *);
	void (*compute)(struct lab *); /* draws all passes */
	void (*unpack)(struct lab *);  /* puts the downloaded texels in order; NULL if they need none */
	void (*check)(struct lab *, struct finding *);
	/* Repeats the computation once on one core of the CPU, in single precision and plain C.  The results replace the downloaded ones, so that
	 * `check` can check them; run.c times it.  NULL if there is no such code. */
	void (*on_cpu)(struct lab *);
	void (*picture)(struct lab *, struct picture *); /* draws a picture of the downloaded results */
};

/* Raises the finding's error to `error` if that is larger.  NaN counts as infinite. */
static inline void finding_add(struct finding *f, double error)
{
	if (!(error <= f->error))
		f->error = error > 0 ? error : (double)INFINITY;
}
/* Raises the finding's error to the difference of a computed value and the right one, if that is larger. */
static inline void finding_compare(struct finding *f, double computed, double right)
{
	finding_add(f, fabs(computed - right));
}

/* Returns NULL, or one sentence if textures of this device cannot have `side` texels a side. */
const char *workload_fits(struct lab *, unsigned side);
/* Makes width x height texels of `channels` floats from the user's file, or from the seed if none is given.  Repeats or cuts a picture (PNG) to
 * that size, and turns it grey if there is one channel.  Clips numbers to 0 to 1 if the format can hold no others.  Returns NULL, or one sentence
 * on what is wrong with the file. */
const char *workload_image(struct lab *, enum image_format, unsigned width, unsigned height, unsigned channels, float **texels);
/* Makes a picture of size x size texels of four channels. */
void workload_picture(struct lab *, unsigned size, const float *texels, struct picture *);
/* Reads n floats, in this machine's byte order, from a file that holds exactly that many.  Returns NULL, or one sentence if the length is
 * wrong or a number is not finite. */
const char *workload_floats(struct lab *, const char *path, size_t n, float *to);
/* The indices that a check looks at: all of 0 to total - 1, or, if these are more than the `most` of workload_sample, `most` of them that the
 * seed chooses at random, perhaps some twice. */
struct sample {
	size_t n, total;
	uint64_t seed;
};
struct sample workload_sample(const struct lab *, size_t total, size_t most);
/* Returns the k-th index of the sample; it must be called with k = 0, 1, 2 ... */
size_t sample_at(struct sample *, size_t k);
/* Returns the coordinate `at`, or the nearest one from 0 to size - 1 if it is outside, as texture reads beyond the edge do. */
static inline size_t workload_clamped(long at, unsigned size)
{
	return at < 0 ? 0 : at >= (long)size ? size - 1 : (size_t)at;
}
/* Returns the largest absolute value of n floats, but at least 1. */
double workload_largest(const float *, size_t n);
/* Returns how much `steps` roundings can change numbers of up to 1 that are kept in texels of this format. */
double workload_rounding(enum image_format, double steps);

extern const struct workload conv3_workload;
extern const struct workload fluid_workload;
extern const struct workload gauss_workload;
extern const struct workload lu_workload;
extern const struct workload match_workload;
extern const struct workload morphology_workload;
extern const struct workload nbody_workload;
extern const struct workload sort_workload;
/* The user's pair (wanted.pair) drawn in passes; its numbers are the size and the passes.  It is not in `workloads`, and has no check. */
extern const struct workload own_pair_workload;
extern const struct workload *const workloads[];
extern const unsigned nworkloads;
/* Returns the name of the workload, with its form if it has one, like "lu i4-switch". */
const char *workload_title(struct arena *, const struct workload *, const struct wanted *);
/* Returns the workload of that name, or NULL if there is none. */
const struct workload *workload_named(const char *name);

#endif
