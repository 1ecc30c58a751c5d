/* LU decomposition of a matrix on the CPU: what that of a GPU is checked against, and timed beside.  Matrices are
 * n by n, line by line. */
#ifndef FPMOVE_GPU_DENSE_H
#define FPMOVE_GPU_DENSE_H

#include "base/arena.h"

#include <stdbool.h>

/* Replaces the matrix by L (below the diagonal; its own diagonal is all ones) and U.  `order` gets the number that
 * each line had before lines were swapped so that each pivot is the greatest of its column; NULL: they stay as
 * they are.  The value is the number of the first pivot that is no more than rounding, where it stops; n: there is
 * none. */
size_t dense_lu(double *matrix, size_t n, unsigned *order);
/* The same in single precision, step by step, without a check of the pivots. */
void dense_lu_single(float *matrix, size_t n, unsigned *order);
/* Returns n numbers as doubles, in the arena. */
double *dense_in_double(struct arena *, const float *, size_t n);
/* The greatest |A - LU| of an element, in units of n roundings of a float of (|L| |U|) there, which bound it
 * [Higham, Accuracy and Stability of Numerical Algorithms, section 9.3]; infinity: there is a value that is no
 * number.  `each` gets |A - LU| of every element; NULL: it is not wanted. */
double dense_residual(struct arena *, const float *matrix, const float *factors, size_t n, float *each);
/* Time of the LU decomposition with pivoting of a matrix of floats by a LAPACK that is installed, in ns; 0: there
 * is none.  `library` gets its name. */
double dense_lapack_ns(struct arena *, const float *matrix, size_t n, const char **library);

#endif
