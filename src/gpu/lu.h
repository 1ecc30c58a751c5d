/* The LU decomposition on the GPU: types and functions that the lu files share. */
#ifndef FPMOVE_GPU_LU_H
#define FPMOVE_GPU_LU_H

#include "gpu/workload.h"

/* Which passes draw a step of the elimination. */
enum lu_scheme {
	LU_SPLIT,  /* one pass for L, one for U */
	LU_WHOLE,  /* one pass for both L and U */
	LU_MASKED, /* like LU_SPLIT, with two programs for each lane of the pivot: one draws the texels that hold the pivot's row, and writes
	            * the lanes below the pivot alone; the other draws the texels below those */
	LU_BLOCKS  /* a pass for several steps, see lu_blocks.c */
};

/* A way to draw the steps, a row of lu_forms.  Passes cannot write to the texture that they read, so they write to a second texture of
 * the matrix.  From there the result is copied back, or the next step reads it. */
struct lu_form {
	enum lu_scheme scheme;
	unsigned rows;      /* number of rows of a column that a texel holds */
	unsigned steps;     /* LU_BLOCKS: number of steps in a pass */
	const char *l, *u;  /* examples that draw column k, and the columns right of it; NULL if code writes the program, or no pass needs it */
	bool turns;         /* two textures take turns as source and target; L has a third one, as the pass for U reads L and one of the two, and
	                     * draws to the other */
	bool pivots;        /* lines are swapped, so that the pivot is the greatest of its column */
	double reads[4];    /* bytes read, if texels have 16 bytes, as the programs' authors count them: coefficients of a polynomial in N, the
	                     * constant first */
	double copied[4];   /* coefficients of the same kind for bytes copied from texture to texture */
	const char *note;   /* how `reads` and `copied` differ from the record of passes, or NULL if they agree */
};
/* The forms' names and their rows, in the same order; the names end with a name of NULL. */
extern const struct workload_form lu_names[];
extern const struct lu_form lu_forms[];

/* The programs that draw L, or U.  They are indexed by the lane of the pivot in LU_MASKED, by the block in a texel in LU_BLOCKS; other
 * schemes have the first of `below` alone. */
struct lu_part {
	struct kernel below[LANES]; /* draw all texels that change, except those of `top` */
	struct kernel top[LANES];   /* draw the line of texels that holds the pivot's row, if rows of it change */
};

struct lu {
	const struct lu_form *form;
	unsigned size;
	enum image_format format;           /* format of the textures that hold the matrix and L */
	struct lu_part l, u;                /* l draws column k, u the columns right of it */
	struct kernel swap, first, further; /* with pivoting: copies a line; begins and continues the search for the greatest of a column */
	struct image matrix[2];             /* passes read the first and draw to the second, or both take turns */
	struct image done[2];               /* finished elements: L if the textures take turns, L and U in LU_BLOCKS */
	struct image candidate[2];          /* candidates for the pivot; a texel holds value and line */
	float *input;                       /* the input, line by line */
	float *texture[4];                  /* texels of the matrix[] and done[] that hold results, after the download */
	float *result;                      /* L and U, line by line */
	unsigned *order;                    /* with pivoting, order[k] is the number in the input of the line that is now line k */
	unsigned here;                      /* index in matrix[] of the texture that holds the current matrix */
	unsigned stopped;                   /* the step that found no pivot, or `size` if all steps found one */
	unsigned swaps;                     /* number of swaps of lines so far */
};

/* Draws all passes of the decomposition; the input is in matrix[0]. */
void lu_compute(struct lab *);

/* Compiles the programs of LU_BLOCKS.  Returns NULL, or one sentence on what is wrong. */
const char *lu_open_blocks(struct lab *, struct lu *);
/* Draws a block of steps, from step k on. */
void lu_eliminate_block(struct lab *, struct lu *, unsigned k);
/* Returns the number of texels that all passes of LU_BLOCKS read. */
double lu_texels_of_blocks(const struct lu *);

/* Returns the number of operations: two for each division, and for each multiplication with its addition; twice as many in LU_WHOLE with one row
 * in a texel. */
double lu_operations(const struct lu *);
/* Returns the bytes read or copied, by the formulas of the programs' authors, or for LU_BLOCKS and pivoting by our own. */
double lu_bytes_read(const struct lu *);
double lu_bytes_copied(const struct lu *);

/* Returns a matrix of zeros. */
float *lu_floats(struct lab *, const struct lu *);
void lu_check(struct lab *, struct finding *);
/* Draws |A - LU| as colours from black, which is 0, through red and yellow to white, which is the greatest. */
void lu_picture(struct lab *, struct picture *);

#endif
