/* The LU decomposition on the GPU: what its files share. */
#ifndef FPMOVE_GPU_LU_H
#define FPMOVE_GPU_LU_H

#include "gpu/workload.h"

/* The passes of a step. */
enum lu_scheme {
	LU_SPLIT,  /* one for L, one for U */
	LU_WHOLE,  /* one for both */
	LU_MASKED, /* LU_SPLIT with programs for each lane of the pivot: one for the texels that hold its row, which writes the lanes below
	            * it alone, and one for all others */
	LU_BLOCKS  /* several steps in a pass, see lu_blocks.c */
};

/* A way to draw the steps, one row of lu_forms.  The passes of a step write next to what they read: to a second texture of the
 * matrix, from which what was drawn is copied back, or from which the next step reads. */
struct lu_form {
	enum lu_scheme scheme;
	unsigned rows;      /* of a column that a texel holds */
	unsigned steps;     /* of LU_BLOCKS, in a pass */
	const char *l, *u;  /* examples that draw column k, or what is right of it; NULL if there is none, or lu_programs.c writes it */
	bool turns;         /* the two textures take turns; L has a third, as its pass and the next would need both at once */
	bool pivots;        /* lines are swapped, so that the pivot is the greatest of its column */
	double reads[4];    /* bytes read of texels of 16 bytes, by the programs' authors: polynomial in N, its constant first */
	double copied[4];   /* the same for bytes copied from texture to texture */
	const char *note;   /* says what these count otherwise than the record of passes does; NULL if they agree */
};
/* Both lists have the same order; the names end with a name of NULL. */
extern const struct workload_form lu_names[];
extern const struct lu_form lu_forms[];

/* Programs for column k, or for what is right of it; by the lane of the pivot in LU_MASKED, by the block in LU_BLOCKS, else the
 * first alone. */
struct lu_part {
	struct kernel below[LANES]; /* for all texels that change, but for those of `top` */
	struct kernel top[LANES];   /* for texels that hold the pivot's row and others below it */
};

struct lu {
	const struct lu_form *form;
	unsigned size;
	enum image_format format;           /* of the textures that hold matrix and L */
	struct lu_part l, u;
	struct kernel swap, first, further; /* with pivoting: copying a line, and finding the greatest of a column */
	struct image matrix[2];             /* the second is the one that passes draw to; or they take turns */
	struct image done[2];               /* L where they take turns; LU_BLOCKS: L and U */
	struct image candidate[2];          /* for the pivot: value, line */
	float *input;                       /* line by line */
	float *texels;                      /* the input as it goes to the matrix */
	float *texture[4];                  /* as those of matrix[] and done[] that hold results come back */
	float *result;                      /* L and U, line by line */
	unsigned *order;                    /* with pivoting, the line of the input that is in each place */
	unsigned here;                      /* number of the texture that holds the matrix */
	unsigned stopped;                   /* the step that found no pivot; size if all did */
	unsigned swaps;                     /* of lines, so far */
};

/* Compiles the programs of the form.  Returns NULL, or one sentence on what is wrong. */
const char *lu_open_kernels(struct lab *, struct lu *);
void lu_close_part(struct lu_part *);
void lu_close_kernels(struct lu *);

/* All passes, from the input in matrix[0]. */
void lu_compute(struct lab *, struct lu *);
/* Draws step k.  With pivoting, the constants of l are set. */
void lu_eliminate(struct lab *, struct lu *, unsigned k);
/* Draws all steps with pivoting. */
void lu_eliminate_with_pivots(struct lab *, struct lu *);

/* LU_BLOCKS: programs, a block of steps from step k on, and the texels that all its passes read. */
const char *lu_open_blocks(struct lab *, struct lu *);
void lu_eliminate_block(struct lab *, struct lu *, unsigned k);
double lu_texels_of_blocks(const struct lu *);

/* What the workload counts, see struct workload. */
double lu_operations(const void *state);
double lu_traffic(const void *state);
/* Bytes read and copied, by the formulas of the programs' authors, or of this form if it is ours. */
double lu_bytes_read(const struct lu *);
double lu_bytes_copied(const struct lu *);

/* Floats of a matrix, zero. */
float *lu_floats(struct lab *, const struct lu *);
/* Says how fast the passes for U read, with their arithmetic and without, and how long the CPU takes to submit all passes.  What is in
 * the textures afterwards is no result. */
void lu_say_rates(struct lab *, struct lu *, struct text *);
void lu_check(struct lab *, void *state, struct finding *);
/* Draws |A - LU| from black through red and yellow to white, which is the greatest. */
void lu_picture(struct lab *, void *state, struct picture *);

#endif
