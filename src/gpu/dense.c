/* Decomposes matrices on the CPU, see dense.h. */
#include "gpu/dense.h"

#include "gpu/stats.h"

#include <dlfcn.h>
#include <float.h>
#include <math.h>

/* Number of columns that are eliminated together, and of lines whose residuals are computed together; so many lines fit the cache. */
enum { BLOCK = 32 };

/* ---- decomposition --------------------------------------------------------------------- */

static void swap_matrix_lines(double *a, size_t n, size_t i, size_t p, unsigned *order)
{
	unsigned const was = order[i];
	order[i] = order[p];
	order[p] = was;
	for (size_t k = 0; k < n; k++) {
		double const value = a[i * n + k];
		a[i * n + k] = a[p * n + k];
		a[p * n + k] = value;
	}
}

/* Subtracts `times` line i from line j, in columns from `from` to below `to`. */
static void subtract_multiple(double *a, size_t n, size_t j, size_t i, double times, size_t from, size_t to)
{
	double *restrict line = a + j * n;
	const double *restrict other = a + i * n;
	for (size_t k = from; k < to; k++)
		line[k] -= times * other[k];
}

static size_t line_of_greatest(const double *a, size_t n, size_t column)
{
	size_t at = column;
	for (size_t j = column + 1; j < n; j++)
		if (fabs(a[j * n + column]) > fabs(a[at * n + column]))
			at = j;
	return at;
}

size_t dense_lu(double *a, size_t n, unsigned *order)
{
	double largest = 0;
	for (size_t k = 0; k < n * n; k++)
		largest = fmax(largest, fabs(a[k]));
	for (size_t k = 0; k < n && order; k++)
		order[k] = (unsigned)k;
	for (size_t begin = 0; begin < n; begin += BLOCK) {
		size_t const end = n - begin < BLOCK ? n : begin + BLOCK;
		for (size_t i = begin; i < end; i++) {
			size_t const p = order ? line_of_greatest(a, n, i) : i;
			if (p != i)
				swap_matrix_lines(a, n, i, p, order);
			if (!(fabs(a[i * n + i]) > (double)n * DBL_EPSILON * largest))
				return i;
			for (size_t j = i + 1; j < n; j++)
				subtract_multiple(a, n, j, i, a[j * n + i] /= a[i * n + i], i + 1, end);
		}
		for (size_t j = begin + 1; j < n; j++)
			for (size_t i = begin; i < end && i < j; i++)
				subtract_multiple(a, n, j, i, a[j * n + i], end, n);
	}
	return n;
}

/* Finds the line, from line i on, whose element in column i is the greatest, and swaps it and its number in `order` with line i. */
static void swap_pivot_up(float *a, size_t n, size_t i, unsigned *order)
{
	size_t at = i;
	for (size_t j = i + 1; j < n; j++)
		if (fabsf(a[j * n + i]) > fabsf(a[at * n + i]))
			at = j;
	unsigned const number = order[i];
	order[i] = order[at];
	order[at] = number;
	for (size_t k = 0; k < n && at != i; k++) {
		float const value = a[i * n + k];
		a[i * n + k] = a[at * n + k];
		a[at * n + k] = value;
	}
}

/* Divides element i of a line by the pivot, and subtracts the quotient times line i (`other`) from the elements right of it. */
static void eliminate_in_line(const float *restrict other, size_t n, size_t i, float *restrict line)
{
	float const times = line[i] /= other[i];
	for (size_t k = i + 1; k < n; k++)
		line[k] -= times * other[k];
}

void dense_lu_single(float *a, size_t n, unsigned *order)
{
	for (size_t k = 0; k < n && order; k++)
		order[k] = (unsigned)k;
	for (size_t i = 0; i < n; i++) {
		if (order)
			swap_pivot_up(a, n, i, order);
		for (size_t j = i + 1; j < n; j++)
			eliminate_in_line(a + i * n, n, i, a + j * n);
	}
}

double *dense_in_double(struct arena *arena, const float *a, size_t n)
{
	double *to = arena_alloc(arena, n * sizeof *to);
	for (size_t k = 0; k < n; k++)
		to[k] = (double)a[k];
	return to;
}

/* ---- residual -------------------------------------------------------------------------- */

/* Adds `times` line i of U to a line of LU, and the absolute values of the products to `amounts`. */
static void add_product(const float *u, size_t n, size_t i, double times, double *restrict line, double *restrict amounts)
{
	for (size_t k = i; k < n; k++) {
		double const product = times * (double)u[i * n + k];
		line[k] += product;
		amounts[k] += fabs(product);
	}
}

double dense_residual(struct arena *arena, const float *a, const float *factors, size_t n, float *each)
{
	struct arena_mark const mark = arena_mark(arena);
	double *lines = arena_alloc(arena, BLOCK * n * sizeof *lines);
	double *amounts = arena_alloc(arena, BLOCK * n * sizeof *amounts);
	double worst = 0;
	for (size_t begin = 0; begin < n; begin += BLOCK) {
		size_t const end = n - begin < BLOCK ? n : begin + BLOCK;
		memset(lines, 0, BLOCK * n * sizeof *lines);
		memset(amounts, 0, BLOCK * n * sizeof *amounts);
		for (size_t i = 0; i < end; i++)
			for (size_t j = i < begin ? begin : i; j < end; j++)
				add_product(factors, n, i, i == j ? 1 : (double)factors[j * n + i], lines + (j - begin) * n,
				            amounts + (j - begin) * n);
		for (size_t k = begin * n; k < end * n; k++) {
			double const error = fabs((double)a[k] - lines[k - begin * n]);
			double const share = error / ((double)n * (double)FLT_EPSILON * amounts[k - begin * n] + (double)FLT_MIN);
			if (each)
				each[k] = (float)error;
			worst = share <= worst ? worst : share >= 0 ? share : (double)INFINITY;
		}
	}
	arena_release(arena, mark);
	return worst;
}

/* ---- LAPACK ---------------------------------------------------------------------------- */

typedef void sgetrf(const int *m, const int *n, float *a, const int *stride, int *pivots, int *info);

/* Loads a LAPACK and keeps it loaded, as some crash when they are unloaded while their threads wait for work.  Returns NULL if none is installed. */
static void *open_lapack(const char **name)
{
	static const char *const names[] = {"libopenblas.so.0", "liblapack.so.3"};
	for (unsigned k = 0; k < sizeof names / sizeof *names; k++) {
		void *library = dlopen(*name = names[k], RTLD_NOW | RTLD_NODELETE);
		if (library)
			return library;
	}
	return NULL;
}

/* Returns the least ns of as many runs as fit into 50 ms, but of one at least. */
static double time_sgetrf(struct arena *arena, sgetrf *decompose, const float *matrix, size_t n)
{
	double const limit = 5e7;
	float *a = arena_alloc(arena, n * n * sizeof *a);
	int *pivots = arena_alloc(arena, n * sizeof *pivots), info, edge = (int)n;
	double least = (double)INFINITY;
	for (double spent = 0; spent < limit;) {
		memcpy(a, matrix, n * n * sizeof *a);
		double const begun = stats_now_ns();
		decompose(&edge, &edge, a, &edge, pivots, &info);
		double const took = stats_now_ns() - begun;
		least = fmin(least, took);
		spent += took + 1;
	}
	return least;
}

double dense_lapack_ns(struct arena *arena, const float *matrix, size_t n, const char **name)
{
	struct arena_mark const mark = arena_mark(arena);
	void *library = open_lapack(name);
	void *symbol = library ? dlsym(library, "sgetrf_") : NULL;
	double ns = 0;
	if (symbol) {
		sgetrf *decompose;
		memcpy(&decompose, &symbol, sizeof decompose);
		ns = time_sgetrf(arena, decompose, matrix, n);
	}
	if (library)
		dlclose(library);
	arena_release(arena, mark);
	return ns;
}
