/* lu: the LU decomposition of a matrix, column by column from the left.  Step k divides column k below the pivot,
 * which is then L's, and takes from each element right of and below the pivot the product of those in its line of
 * L and in its column of line k. */
#include "gpu/dense.h"
#include "gpu/stats.h"
#include "gpu/workload.h"

#include <float.h>
#include <math.h>

/* How the steps are drawn.  The passes of a step write next to what they read: to a second texture of the matrix,
 * from which what was drawn is copied back, or which is the one to read from in the next step. */
struct form {
	const char *name;
	unsigned rows;     /* of a column, in a texel */
	const char *l, *u; /* kernels: of column k, and of what is right of it; no l: u does both in one pass */
	bool turns;        /* the two textures take turns; L has a third, as its pass and the next would need both at once */
	bool pivots;       /* lines are swapped, so that the pivot is the greatest of its column */
	double reads[4];   /* bytes read of texels of 16 bytes, by the programs' authors: polynomial in N, its constant first */
	double copied[4];  /* ... copied from texture to texture */
	const char *note;  /* what these count otherwise than the record of passes does; NULL: nothing */
};

#define I1 1, "lu_l_scalar", "lu_u_scalar"
#define I2 1, NULL, "lu_whole_scalar"
#define I3 4, "lu_l_rows4", "lu_u_rows4"
#define I4 4, NULL, "lu_whole_rows4"
#define READS_1 {0, -8, -8, 16}
#define READS_2 {0, -64 / 3.0, 0, 64 / 3.0}
#define READS_4 {0, 4, 7, 4}
#define NONE {0, 0, 0, 0}
#define TWICE "They count what is copied as read and written"
#define THREE "They count three reads of a pixel, and the program makes four"
static const struct form all_forms[] = {
	{"i1-copy", I1, false, false, READS_1, {0, -32 / 3.0, 0, 32 / 3.0}, TWICE},
	{"i1-switch", I1, true, false, READS_1, NONE, NULL},
	{"i2-copy", I2, false, false, READS_2, {0, -16 / 3.0, 0, 16 / 3.0}, NULL},
	{"i2-switch", I2, true, false, READS_2, NONE, NULL},
	{"i3-copy", I3, false, false, READS_4, {0, -8 / 3.0, 2, 8 / 3.0}, TWICE ", and none of L"},
	{"i3-switch", I3, true, false, READS_4, NONE, NULL},
	{"i4-copy", I4, false, false, READS_4, {0, -8 / 3.0, 2, 8 / 3.0}, TWICE ", and no column.  " THREE},
	{"i4-switch", I4, true, false, READS_4, NONE, THREE},
	{"i5", 1, "lu_divide", "lu_u_scalar", false, true, NONE, NONE, NULL},
};
enum { FORMS = sizeof all_forms / sizeof *all_forms };

struct lu {
	const struct form *form;
	unsigned size;
	struct kernel l, u, swap, first, further; /* the last three with pivoting: copying a line, and finding the greatest */
	struct image matrix[2], column;           /* the second is what passes draw to; L, where they take turns */
	struct image candidate[2];                /* for the pivot: value, line */
	float *input;                             /* line by line */
	float *texels, *texture[3];               /* as they go to the matrix; as both and the column come back */
	float *result;                            /* L and U, line by line */
	unsigned *order;                          /* with pivoting, which line of the input is in each place */
	unsigned here;                            /* the texture that holds the matrix */
	unsigned stopped;                         /* the step that found no pivot; size: all did */
	unsigned swaps;                           /* of lines, so far */
};

/* ---- the input ------------------------------------------------------------------------- */

/* Random numbers from -1 to 1; with a diagonal that outweighs the rest of its line where it must serve as the
 * pivots. */
static void make_matrix(uint64_t seed, size_t n, bool dominant, float *a)
{
	for (size_t j = 0; j < n; j++) {
		double sum = 1;
		for (size_t k = 0; k < n; k++)
			sum += fabs((double)(a[j * n + k] = (float)(2 * random_unit(&seed) - 1)));
		if (dominant)
			a[j * n + j] = (float)sum;
	}
}

static double *in_double(struct arena *arena, const float *a, size_t n)
{
	double *to = arena_alloc(arena, n * sizeof *to);
	for (size_t k = 0; k < n; k++)
		to[k] = (double)a[k];
	return to;
}

/* NULL, or why the user's matrix has no LU. */
static const char *judge_matrix(struct lab *lab, const struct lu *l, const char *path)
{
	size_t const n = l->size;
	struct arena_mark const mark = arena_mark(lab->arena);
	size_t const stop = dense_lu(in_double(lab->arena, l->input, n * n), n, l->form->pivots ? l->order : NULL);
	arena_release(lab->arena, mark);
	if (stop == n)
		return NULL;
	if (l->form->pivots)
		return arena_printf(lab->arena, "%s: the matrix is singular: column %zu holds no pivot", path, stop);
	return arena_printf(lab->arena, "%s: the pivot of column %zu is zero: the matrix is singular, or needs form i5, which swaps lines",
	                    path, stop);
}

static const char *make_input(struct lab *lab, const struct wanted *wanted, struct lu *l)
{
	if (!wanted->input) {
		make_matrix(wanted->seed, l->size, !l->form->pivots, l->input);
		return NULL;
	}
	const char *wrong = workload_image(lab, wanted, l->size, l->size, 1, l->input);
	return wrong ? wrong : judge_matrix(lab, l, wanted->input);
}

/* Where an element is in a texture's floats. */
static size_t place(const struct lu *l, size_t j, size_t k)
{
	size_t const rows = l->form->rows;
	return (j / rows * l->size + k) * rows + j % rows;
}

/* ---- opening --------------------------------------------------------------------------- */

static const char *judge_size(struct lab *lab, const struct lu *l)
{
	if (l->size % l->form->rows)
		return arena_printf(lab->arena, "%s takes matrices of a multiple of %u rows, and %u is none", l->form->name,
		                    l->form->rows, l->size);
	return workload_fits(lab, l->size);
}

static const char *open_kernels(struct lab *lab, struct lu *l)
{
	const char *const names[] = {l->form->l, l->form->u, "copy", "lu_max", "lu_quadtree"};
	struct kernel *const kernels[] = {&l->l, &l->u, &l->swap, &l->first, &l->further};
	const char *wrong = NULL;
	for (unsigned k = 0; k < (l->form->pivots ? 5 : 2) && !wrong; k++)
		if (names[k])
			wrong = kernel_open(lab, names[k], kernels[k]);
	return wrong;
}

static const char *make_images(struct lu *l)
{
	int const width = (int)l->size, height = (int)(l->size / l->form->rows);
	enum image_format const format = l->form->rows == 1 ? IMAGE_R32F : IMAGE_RGBA32F;
	const char *wrong = image_make(&l->matrix[0], width, height, format, IMAGE_CLAMP);
	wrong = wrong ? wrong : image_make(&l->matrix[1], width, height, format, IMAGE_CLAMP);
	if (l->form->turns && l->form->l && !wrong)
		wrong = image_make(&l->column, width, height, format, IMAGE_CLAMP);
	for (unsigned k = 0; k < 2 && l->form->pivots && !wrong; k++)
		wrong = image_make(&l->candidate[k], 1, (height + 1) / 2, IMAGE_RGBA32F, IMAGE_CLAMP);
	return wrong;
}

static float *floats(struct lab *lab, const struct lu *l)
{
	return arena_zero(lab->arena, (size_t)l->size * l->size * sizeof(float));
}

static const char *open_lu(struct lab *lab, const struct wanted *wanted, void **state)
{
	struct lu *l = *state = arena_zero(lab->arena, sizeof *l);
	for (unsigned k = 0; k < FORMS; k++)
		if (strcmp(all_forms[k].name, wanted->form) == 0)
			l->form = &all_forms[k];
	l->size = wanted->number[0];
	const char *wrong = judge_size(lab, l);
	if (wrong)
		return wrong;
	float **const all[] = {&l->input, &l->texels, &l->result, &l->texture[0], &l->texture[1], &l->texture[2]};
	for (unsigned k = 0; k < (l->form->turns ? 6 : 4); k++)
		*all[k] = floats(lab, l);
	l->order = arena_zero(lab->arena, l->size * sizeof *l->order);
	wrong = make_input(lab, wanted, l);
	wrong = wrong ? wrong : open_kernels(lab, l);
	wrong = wrong ? wrong : make_images(l);
	for (size_t k = 0; k < (size_t)l->size * l->size; k++)
		l->texels[place(l, k / l->size, k % l->size)] = l->input[k];
	return wrong;
}

static void close_lu(struct lab *lab, void *state)
{
	struct lu *l = state;
	struct kernel *const kernels[] = {&l->l, &l->u, &l->swap, &l->first, &l->further};
	struct image *const images[] = {&l->matrix[0], &l->matrix[1], &l->column, &l->candidate[0], &l->candidate[1]};
	(void)lab;
	for (unsigned k = 0; k < 5; k++) {
		kernel_close(kernels[k]);
		image_delete(images[k]);
	}
}

/* ---- steps ----------------------------------------------------------------------------- */

/* Draws a part of the matrix with column k of L in `left`. */
static void draw(struct lab *lab, struct kernel *kernel, const struct image *from, const struct image *left,
                 const struct image *to, struct rect r)
{
	struct pass const pass = {.kernel = kernel, .texture = {from, left}, .target = {to}, .to = r};
	pass_draw(lab, &pass);
}

/* Replaces a part of the matrix. */
static void update(struct lab *lab, struct lu *l, struct kernel *kernel, const struct image *left, struct rect r)
{
	const struct image *from = &l->matrix[l->here], *to = &l->matrix[!l->here];
	draw(lab, kernel, from, left, to, r);
	if (l->form->turns)
		l->here = !l->here;
	else
		pass_copy(lab, to, from, r);
}

/* The pivot's texel and lane; the lanes of rows up to it. */
static void set_step(struct lu *l, struct kernel *kernel, unsigned k)
{
	float const n = (float)l->size, column = (float)k, rows = (float)l->form->rows;
	float const texel = (float)(k / l->form->rows), at = (float)(k % l->form->rows);
	kernel_set(kernel, STAGE_PIXEL, 0, (column + 0.5f) / n, (texel + 0.5f) * rows / n, (column + 1) / n, n);
	if (l->form->rows == 1)
		return;
	kernel_set(kernel, STAGE_PIXEL, 1, at == 0, at == 1, at == 2, at == 3);
	kernel_set(kernel, STAGE_PIXEL, 2, -2.5f - column, -1.5f - column, -0.5f - column, 0.5f - column);
}

/* Step k, with the constants of l set where there is pivoting. */
static void eliminate(struct lab *lab, struct lu *l, unsigned k)
{
	int const column = (int)k, top = (int)((k + 1) / l->form->rows);
	int const width = l->matrix[0].width - column, height = l->matrix[0].height - top;
	const struct image *from = &l->matrix[l->here];
	struct rect const below = {column, top, 1, height}, both = {column, top, width, height};
	struct rect const right = {column + 1, top, width - 1, height};
	set_step(l, &l->u, k);
	if (!l->form->l) {
		update(lab, l, &l->u, NULL, both);
		return;
	}
	if (!l->form->pivots)
		set_step(l, &l->l, k);
	if (l->form->turns)
		draw(lab, &l->l, from, NULL, &l->column, below);
	else
		update(lab, l, &l->l, NULL, below);
	update(lab, l, &l->u, l->form->turns ? &l->column : from, right);
}

/* ---- pivoting -------------------------------------------------------------------------- */

/* Halves what `kernel` compares: `n` texels of `from` from (x, y) downwards. */
static unsigned reduce(struct lab *lab, struct kernel *kernel, const struct image *from, unsigned x, unsigned y, unsigned n,
                       const struct image *to)
{
	unsigned const half = (n + 1) / 2;
	float const left = ((float)x + 0.5f) / (float)from->width, height = (float)from->height, top = (float)y - 0.5f;
	struct span const places = {left, top / height, left, (top + 2 * (float)half) / height, 0, 1, false};
	kernel_set(kernel, STAGE_PIXEL, 0, 0, 1 / height, height, ((float)(y + n) - 0.5f) / height);
	struct pass const pass = {.kernel = kernel, .texture = {from}, .target = {to}, .to = {0, 0, 1, (int)half},
	                          .texcoord = {&places}};
	pass_draw(lab, &pass);
	return half;
}

/* The line of the greatest element of column k from line k on, and its value. */
static unsigned find_pivot(struct lab *lab, struct lu *l, unsigned k, float *value)
{
	float texel[LANES];
	unsigned at = 0, n = reduce(lab, &l->first, &l->matrix[0], k, k, l->size - k, &l->candidate[0]);
	for (; n > 1; at = !at)
		n = reduce(lab, &l->further, &l->candidate[at], 0, 0, n, &l->candidate[!at]);
	pass_read(lab, &l->candidate[at], (struct rect){0, 0, 1, 1}, texel);
	*value = texel[0];
	return isfinite(texel[1]) ? (unsigned)lrintf(texel[1]) : k;
}

static void draw_line(struct lab *lab, struct lu *l, unsigned from, unsigned to)
{
	float const y = ((float)from + 0.5f) / (float)l->size;
	struct span const places = {0, y, 1, y, 0, 1, false};
	struct pass const pass = {.kernel = &l->swap, .texture = {&l->matrix[0]}, .target = {&l->matrix[1]},
	                          .to = {0, (int)to, (int)l->size, 1}, .texcoord = {&places}};
	pass_draw(lab, &pass);
}

static void swap_lines(struct lab *lab, struct lu *l, unsigned j, unsigned k)
{
	unsigned const was = l->order[j];
	l->order[j] = l->order[k];
	l->order[k] = was;
	l->swaps++;
	draw_line(lab, l, j, k);
	draw_line(lab, l, k, j);
	pass_copy(lab, &l->matrix[1], &l->matrix[0], (struct rect){0, (int)j, (int)l->size, 1});
	pass_copy(lab, &l->matrix[1], &l->matrix[0], (struct rect){0, (int)k, (int)l->size, 1});
}

static void eliminate_with_pivots(struct lab *lab, struct lu *l)
{
	for (unsigned k = 0; k < l->size; k++)
		l->order[k] = k;
	for (unsigned k = 0; k < l->size; k++) {
		float pivot;
		unsigned const at = find_pivot(lab, l, k, &pivot);
		if (pivot == 0 || !isfinite(pivot)) {
			l->stopped = k;
			return;
		}
		if (at != k)
			swap_lines(lab, l, k, at);
		kernel_set(&l->l, STAGE_PIXEL, 0, 1 / pivot, 0, 0, 0);
		if (k + 1 < l->size)
			eliminate(lab, l, k);
	}
}

/* ---- a computation --------------------------------------------------------------------- */

static void upload(struct lab *lab, void *state)
{
	struct lu *l = state;
	pass_write(lab, &l->matrix[0], image_whole(&l->matrix[0]), l->texels);
}

static void compute(struct lab *lab, void *state)
{
	struct lu *l = state;
	l->here = 0;
	l->stopped = l->size;
	l->swaps = 0;
	if (l->form->pivots)
		eliminate_with_pivots(lab, l);
	for (unsigned k = 0; k + 1 < l->size && !l->form->pivots; k++)
		eliminate(lab, l, k);
}

/* The texture that was the last to get element (j, k), where textures take turns.  Step i draws to number i + 1 of
 * 0, 1, 0, 1 ..., columns from i (from i + 1 where L has passes of its own) and rows from the texel of row i + 1. */
static const float *latest(const struct lu *l, unsigned j, unsigned k)
{
	unsigned const below = j / l->form->rows * l->form->rows + l->form->rows - 1;
	unsigned const steps = l->form->l ? k : k + 1;
	return l->form->l && j > k ? l->texture[2] : l->texture[(steps < below ? steps : below) & 1];
}

static void download(struct lab *lab, void *state)
{
	struct lu *l = state;
	const struct image *const images[] = {&l->matrix[0], &l->matrix[1], &l->column};
	for (unsigned k = 0; k < (l->form->turns ? l->form->l ? 3 : 2 : 1); k++)
		pass_read(lab, images[k], image_whole(images[k]), l->texture[k]);
	for (unsigned j = 0; j < l->size; j++)
		for (unsigned k = 0; k < l->size; k++)
			l->result[(size_t)j * l->size + k] = (l->form->turns ? latest(l, j, k) : l->texture[0])[place(l, j, k)];
}

/* The input with its lines in the order of the result's. */
static const float *ordered(struct lab *lab, const struct lu *l)
{
	float *a = l->form->pivots ? floats(lab, l) : l->input;
	for (size_t j = 0; j < l->size && l->form->pivots; j++)
		memcpy(a + j * l->size, l->input + (size_t)l->order[j] * l->size, l->size * sizeof *a);
	return a;
}

/* ---- figures --------------------------------------------------------------------------- */

static double polynomial(const double at[4], double n)
{
	return at[0] + n * (at[1] + n * (at[2] + n * at[3]));
}

/* The authors' bytes, for texels of the size they have here. */
static double by_formula(const struct lu *l, const double at[4])
{
	return polynomial(at, l->size) * image_formats[l->matrix[0].format].bytes / 16;
}

/* A division is two operations, and so is a multiplication with its addition. */
static double operations(const void *state)
{
	const struct lu *l = state;
	double const n = l->size, once = 2 * n * (n * n - 1) / 3;
	return !l->form->l && l->form->rows == 1 ? 2 * once : once;
}

/* The first pass that looks for a pivot among `n` lines reads elements, the others candidates; each reads two of
 * them for a pixel. */
static double read_for_pivot(const struct lu *l, unsigned n)
{
	unsigned half = (n + 1) / 2;
	double sum = 2.0 * half * image_formats[l->matrix[0].format].bytes;
	for (; half > 1; sum += 2.0 * half * image_formats[l->candidate[0].format].bytes)
		half = (half + 1) / 2;
	return sum;
}

/* With pivoting, one element is read for each of L or of a swapped line, and three for each right of the pivot. */
static double read_in_all(const struct lu *l)
{
	double const n = l->size, below = n * (n - 1) / 2, right = n * (n - 1) * (2 * n - 1) / 6;
	double sum = (below + 3 * right + 2 * n * l->swaps) * image_formats[l->matrix[0].format].bytes;
	if (!l->form->pivots)
		return by_formula(l, l->form->reads);
	for (unsigned k = 0; k < l->size; k++)
		sum += read_for_pivot(l, l->size - k);
	return sum;
}

static double copied_in_all(const struct lu *l)
{
	double const n = l->size, all = n * (n * n - 1) / 3 + 2 * n * l->swaps;
	return l->form->pivots ? all * image_formats[l->matrix[0].format].bytes : by_formula(l, l->form->copied);
}

static double traffic(const void *state)
{
	return read_in_all(state) + copied_in_all(state);
}

static double bytes_read(const struct record *r)
{
	double sum = 0;
	for (uint32_t k = 0; k < r->kinds.n; k++)
		for (unsigned f = 0; f < IMAGE_FORMATS; f++)
			sum += r->kinds.at[k].pixels * r->kinds.at[k].reads_of[f] * image_formats[f].bytes;
	return sum;
}

static void say_bytes(const struct lab *lab, const struct lu *l, struct text *t)
{
	text_printf(t, "  Passes read %.0f bytes and copied %.0f.\n", bytes_read(lab->record),
	            transfers_all(lab->record->copied).bytes);
	text_printf(t, "  The formulas of %s say %.0f and %.0f.\n", l->form->pivots ? "this form" : "the programs' authors",
	            read_in_all(l), copied_in_all(l));
	if (l->form->note)
		text_printf(t, "  %s.\n", l->form->note);
}

/* ---- the check ------------------------------------------------------------------------- */

/* The greatest element of L below the diagonal: with pivoting, it is 1. */
static double greatest_factor(const struct lu *l)
{
	double most = 0;
	for (size_t j = 0; j < l->size; j++)
		for (size_t k = 0; k < j; k++)
			most = fmax(most, fabs((double)l->result[j * l->size + k]));
	return most;
}

static void say_difference(struct lab *lab, const struct lu *l, const float *a, struct text *t)
{
	size_t const n = l->size;
	double *b = in_double(lab->arena, a, n * n), greatest = 0, difference = 0;
	double const begun = stats_now_ns();
	bool const whole = dense_lu(b, n, NULL) == n;
	double const took = stats_now_ns() - begun;
	for (size_t k = 0; k < n * n; k++) {
		greatest = fmax(greatest, fabs(b[k]));
		difference = fmax(difference, fabs(b[k] - (double)l->result[k]));
	}
	if (whole)
		text_printf(t, "  LU in double on the CPU differs by at most %.3g of the greatest element;"
		            " plain C takes %.3f ms for it.\n",
		            difference / greatest, took / 1e6);
}

static void say_lapack(struct lab *lab, const struct lu *l, const float *a, struct text *t)
{
	const char *library;
	double const ns = dense_lapack_ns(lab->arena, a, l->size, &library);
	if (ns > 0)
		text_printf(t, "  On the CPU, sgetrf of %s takes %.3f ms.\n", library, ns / 1e6);
	else
		text_string(t, "  Neither OpenBLAS nor another LAPACK is installed, which would be timed here.\n");
}

/* What moving does not change is said of the programs as given.  With pivoting, an element of L above 1 is an error, too. */
static void check(struct lab *lab, void *state, struct finding *f)
{
	struct lu *l = state;
	struct text t = {.arena = lab->arena};
	*f = (struct finding){.what = "residual |A - LU| in N roundings of |L||U|", .most = 1};
	if (l->stopped < l->size) {
		text_printf(&t, "  The matrix is singular in single precision: column %u holds no pivot.\n", l->stopped);
		f->error = (double)INFINITY;
		f->more = t.at;
		return;
	}
	const float *a = ordered(lab, l);
	f->error = dense_residual(lab->arena, a, l->result, l->size, NULL);
	if (l->form->pivots)
		f->error = fmax(f->error, (greatest_factor(l) - 1) / (l->size * (double)FLT_EPSILON));
	say_difference(lab, l, a, &t);
	if (!lab->plan)
		say_lapack(lab, l, a, &t);
	if (!lab->plan && lab->record)
		say_bytes(lab, l, &t);
	f->more = t.at;
}

/* |A - LU| from black through red and yellow to white, which is the greatest. */
static void picture(struct lab *lab, void *state, struct picture *p)
{
	const struct lu *l = state;
	size_t const n = (size_t)l->size * l->size;
	float *error = floats(lab, l), most = 0;
	dense_residual(lab->arena, ordered(lab, l), l->result, l->size, error);
	for (size_t k = 0; k < n; k++)
		most = fmaxf(most, error[k]);
	picture_make(lab->arena, l->size, l->size, p);
	for (size_t k = 0; k < n; k++)
		for (unsigned c = 0; c < 4; c++)
			p->rgba[4 * k + c] = c == 3 ? 1 : fminf(1, fmaxf(0, 3 * error[k] / most - (float)c));
}

static const struct workload_form forms[] = {
	{"i1-copy", "I1: passes for L and for U, an element in a texel; what was drawn is copied back"},
	{"i1-switch", "I1, two textures take turns"},
	{"i2-copy", "I2: a pass does both, each pixel asks where it is; copied back"},
	{"i2-switch", "I2, two textures take turns"},
	{"i3-copy", "I3: I1 with four rows of a column in a texel; copied back"},
	{"i3-switch", "I3, two textures take turns"},
	{"i4-copy", "I4: I2 with four rows of a column in a texel; copied back"},
	{"i4-switch", "I4, two textures take turns"},
	{"i5", "I1 with partial pivoting: the greatest of a column is swapped up"},
	{.name = NULL}};
static const struct parameter parameters[] = {{"size", "rows and columns of the matrix", 4, 32768, 512}, {.name = NULL}};

const struct workload lu_workload = {
	.name = "lu", .summary = "LU decomposition of a matrix", .forms = forms, .parameters = parameters, .open = open_lu,
	.upload = upload, .compute = compute, .download = download, .check = check, .picture = picture, .close = close_lu,
	.operations = operations, .traffic = traffic,
};
