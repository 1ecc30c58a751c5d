/* Images that are filtered by weights: the parts that the workloads gauss and conv3 share. */
#ifndef FPMOVE_GPU_FILTER_H
#define FPMOVE_GPU_FILTER_H

#include "gpu/workload.h"

enum { FILTER_MOST_WEIGHTS = 101, FILTER_SUM = 11 /* r# in which filter_add_tap sums */ };

struct filter {
	struct kernel kernel;
	unsigned size;                       /* texels along a side of the image */
	unsigned columns, rows;              /* columns and rows of the weights */
	unsigned passes;                     /* 2 if a second pass filters by the transposed weights, else 1 */
	double weight[FILTER_MOST_WEIGHTS];  /* the weights row by row */
	double steps;                        /* tolerance of the result, in roundings of the format */
	struct image image[3];               /* the input, and the target of each pass */
	float *texels, *result;              /* the input and the result */
};

/* Makes the input and the images, and counts operations and bytes.  The caller has set the fields from `size` to `steps`.  Returns NULL, or one
 * sentence on what is wrong. */
const char *filter_open(struct lab *, struct filter *);
void filter_check(struct lab *, struct finding *);
void filter_on_cpu(struct lab *);
/* Makes a picture of the result.  If the weights add up to 0 or less, results may be negative, so grey stands for 0. */
void filter_picture(struct lab *, struct picture *);

struct filter_program {
	struct text text;
	const char *place; /* name of the register that holds the pixel's texture coordinates */
	bool begun;        /* true if the sum has a term */
};
/* Begins a program of ps_2_0, or of ps_3_0 if `model_3` is set. */
struct filter_program filter_program_begin(struct arena *, bool model_3);
/* Writes the dcls of the inputs.  The program's defs must already be written. */
void filter_program_declare(struct filter_program *);
/* Writes the instruction that adds r`r` times a lane of c#`constant` to r#FILTER_SUM, or, as the first tap, sets r#FILTER_SUM to the product. */
void filter_add_tap(struct filter_program *, unsigned r, unsigned constant, char lane);
/* Ends the program, which outputs the sum, and opens it as a kernel.  Returns NULL, or one sentence on what is wrong. */
const char *filter_program_open(struct lab *, const char *name, struct filter_program *, struct kernel *);

#endif
