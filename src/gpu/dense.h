/* LU decomposition of a matrix on the CPU, to check that of a GPU and to compare its time.  Matrices are n by n, line by line. */
#ifndef FPMOVE_GPU_DENSE_H
#define FPMOVE_GPU_DENSE_H

#include "base/arena.h"

#include <stdbool.h>

/* Replaces the matrix by L (below the diagonal; its own diagonal is all ones) and U.  Unless `order` is NULL, swaps lines so that each pivot is
 * the greatest of its column, and sets order[k] to the number that line k had before.  Stops at the first pivot that is no greater than rounding
 * errors can be, and returns its number; returns n if there is none. */
size_t dense_lu(double *matrix, size_t n, unsigned *order);
/* Decomposes the matrix as dense_lu does, but in single precision, one step after another, and without a check of the pivots. */
void dense_lu_single(float *matrix, size_t n, unsigned *order);
/* Returns n numbers as doubles, in the arena. */
double *dense_in_double(struct arena *, const float *, size_t n);
/* Returns the greatest |A - LU| of an element, in units of n float roundings of (|L| |U|) there, which bound it [Higham, Accuracy and
 * Stability of Numerical Algorithms, section 9.3]; infinity if a value is NaN.  Unless `each` is NULL, it gets |A - LU| of every
 * element. */
double dense_residual(struct arena *, const float *matrix, const float *factors, size_t n, float *each);
/* Returns the ns that an installed LAPACK takes for the LU decomposition with pivoting of a matrix of floats, or 0 if there is none with sgetrf.
 * Sets `library` to the name of the last library tried, which is the one used. */
double dense_lapack_ns(struct arena *, const float *matrix, size_t n, const char **library);

#endif
