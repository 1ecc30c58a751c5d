/* The workload lu: the LU decomposition of a matrix, column by column from the left.  Step k divides column k below the pivot by the pivot,
 * which makes it a column of L.  From each element that is right of the pivot and below it, the step subtracts a product: the element of
 * column k in the same line, times the element of line k in the same column. */
#include "gpu/lu.h"

#include "gpu/dense.h"

/* ---- the input ------------------------------------------------------------------------- */

/* Fills the matrix with random numbers from -1 to 1.  If it is to be `dominant`, each diagonal element outweighs the rest of its line, so
 * that it can be the pivot. */
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

/* Decomposes the user's matrix in double.  Returns NULL, or one sentence if a pivot is 0 but for rounding. */
static const char *judge_matrix(struct lab *lab, const struct lu *l, const char *path)
{
	size_t const n = l->size;
	struct arena_mark const mark = arena_mark(lab->arena);
	size_t const stop = dense_lu(dense_in_double(lab->arena, l->input, n * n), n, l->form->pivots ? l->order : NULL);
	arena_release(lab->arena, mark);
	if (stop == n)
		return NULL;
	if (l->form->pivots)
		return arena_printf(lab->arena, "%s: the matrix is singular: column %zu holds no pivot", path, stop);
	return arena_printf(lab->arena, "%s: the pivot of column %zu is zero: the matrix is singular, or needs form i5, which swaps lines",
	                    path, stop);
}

static const char *make_lu_input(struct lab *lab, struct lu *l)
{
	if (!lab->wanted->input) {
		l->input = lu_floats(lab, l);
		make_matrix(lab->wanted->seed, l->size, !l->form->pivots, l->input);
		return NULL;
	}
	const char *wrong = workload_image(lab, IMAGE_R32F, l->size, l->size, 1, &l->input);
	return wrong ? wrong : judge_matrix(lab, l, lab->wanted->input);
}

/* Returns the index of element (j, k) among the floats of a texture. */
static size_t element_index(const struct lu *l, size_t j, size_t k)
{
	size_t const rows = l->form->rows;
	return (j / rows * l->size + k) * image_formats[l->format].channels + j % rows;
}

/* ---- the programs ---------------------------------------------------------------------- */

static const char xyzw[] = "xyzw", rgba[] = "RGBA";

/* Returns the program for column k of L: the pixel's texel in s0, whose lanes `mask` are divided by the pivot, lane `pivot` of the texel at c0.xy. */
static const char *masked_l_program(struct arena *a, unsigned pivot, const char *mask)
{
	return arena_printf(a,
	                    "ps_2_0\ndcl t0.xy\ndcl_2d s0\nmov r1.xy, c0\ntexld r1, r1, s0\ntexld r0, t0, s0\n"
	                    "rcp r1.x, r1.%c\nmul r0.%s, r0, r1.x\nmov oC0, r0\n",
	                    xyzw[pivot], mask);
}

/* Returns the program for the columns right of k: the pixel's texel in s0, from whose lanes `mask` it subtracts the texel of column k in s1 times
 * lane `pivot` of the texel that holds row k.  c0.x is the place of column k, c0.y that of row k. */
static const char *masked_u_program(struct arena *a, unsigned pivot, const char *mask)
{
	return arena_printf(a,
	                    "ps_2_0\ndcl t0.xy\ndcl_2d s0\ndcl_2d s1\nmov r1.x, c0.x\nmov r1.y, t0.y\nmov r2.x, t0.x\nmov r2.y, c0.y\n"
	                    "texld r0, t0, s0\ntexld r1, r1, s1\ntexld r2, r2, s0\nmad r0.%s, -r1, r2.%c, r0\nmov oC0, r0\n",
	                    mask, xyzw[pivot]);
}

typedef const char *program_writer(struct arena *, unsigned pivot, const char *mask);

/* Compiles the programs that draw L or U, for each lane of the pivot.  Programs for texels below the pivot's need no mask.  The last lane
 * needs no program for the pivot's texels, which hold no row below it. */
static const char *open_masked(struct lab *lab, const char *part, program_writer *write, struct lu_part *to)
{
	const char *wrong = NULL;
	for (unsigned p = 0; p < LANES && !wrong; p++) {
		const char *name = arena_printf(lab->arena, "%s, pivot in %c", part, rgba[p]);
		wrong = kernel_from_pixel_text(lab, name, write(lab->arena, p, xyzw), &to->below[p]);
		if (p + 1 == LANES || wrong)
			continue;
		name = arena_printf(lab->arena, "%s, mask %s", part, rgba + p + 1);
		wrong = kernel_from_pixel_text(lab, name, write(lab->arena, p, xyzw + p + 1), &to->top[p]);
	}
	return wrong;
}

static const char *open_examples(struct lab *lab, struct lu *l)
{
	const char *const names[] = {l->form->l, l->form->u, "copy", "lu_max", "lu_quadtree"};
	struct kernel *const kernels[] = {&l->l.below[0], &l->u.below[0], &l->swap, &l->first, &l->further};
	const char *wrong = NULL;
	for (unsigned k = 0; k < (l->form->pivots ? 5 : 2) && !wrong; k++)
		if (names[k])
			wrong = kernel_open(lab, names[k], kernels[k]);
	return wrong;
}

static const char *open_lu_kernels(struct lab *lab, struct lu *l)
{
	if (l->form->scheme == LU_BLOCKS)
		return lu_open_blocks(lab, l);
	if (l->form->scheme != LU_MASKED)
		return open_examples(lab, l);
	const char *wrong = open_masked(lab, "L", masked_l_program, &l->l);
	return wrong ? wrong : open_masked(lab, "U", masked_u_program, &l->u);
}

/* ---- opening --------------------------------------------------------------------------- */

/* Chooses the format of the textures.  A texel that holds one element has one channel, or four of which one is used.  Returns NULL, or one
 * sentence on why the user's format does not fit. */
static const char *choose_format(struct lab *lab, struct lu *l)
{
	const struct wanted *wanted = lab->wanted;
	unsigned const rows = l->form->rows;
	l->format = wanted->format_given ? wanted->format : rows == 1 ? IMAGE_R32F : IMAGE_RGBA32F;
	if (l->format != IMAGE_R32F && l->format != IMAGE_RGBA32F)
		return arena_printf(lab->arena, "a matrix needs r32f or rgba32f, as %s holds fewer digits", image_formats[l->format].name);
	if (image_formats[l->format].channels < rows)
		return arena_printf(lab->arena, "this form keeps %u elements in a texel, and %s holds one", rows, image_formats[l->format].name);
	return NULL;
}

static const char *judge_size(struct lab *lab, const struct lu *l)
{
	if (l->size % l->form->rows)
		return arena_printf(lab->arena, "this form takes matrices of a multiple of %u rows, which %u is not", l->form->rows, l->size);
	return workload_fits(lab, l->size);
}

/* Sets to[0] and to[1] to the textures matrix[], to[2] and to[3] to done[]; those that hold no part of the form's result are NULL. */
static void list_results(struct lu *l, struct image *to[4])
{
	bool const turns = l->form->turns, blocks = l->form->scheme == LU_BLOCKS;
	to[0] = blocks ? NULL : &l->matrix[0];
	to[1] = turns && !blocks ? &l->matrix[1] : NULL;
	to[2] = turns && l->form->scheme != LU_WHOLE ? &l->done[0] : NULL;
	to[3] = blocks && l->form->steps < l->form->rows ? &l->done[1] : NULL;
}

static const char *make_lu_images(struct lab *lab, struct lu *l)
{
	unsigned const height = l->size / l->form->rows;
	struct image *results[4];
	list_results(l, results);
	struct image *const images[] = {&l->matrix[0], &l->matrix[1], results[2], results[3]};
	const char *wrong = NULL;
	for (unsigned k = 0; k < 4 && !wrong; k++)
		if (images[k])
			wrong = lab_image(lab, images[k], l->size, height, l->format, IMAGE_CLAMP);
	for (unsigned k = 0; k < 2 && l->form->pivots && !wrong; k++)
		wrong = lab_image(lab, &l->candidate[k], 1, (height + 1) / 2, IMAGE_RGBA32F, IMAGE_CLAMP);
	return wrong;
}

static float *texture_floats(struct lab *lab, const struct lu *l)
{
	return arena_zero(lab->arena, (size_t)l->size * l->size / l->form->rows * image_formats[l->format].bytes);
}

static const char *open_lu(struct lab *lab)
{
	struct lu *l = lab->state = arena_zero(lab->arena, sizeof *l);
	struct image *results[4];
	l->form = &lu_forms[lab->wanted->form_index];
	l->size = lab->wanted->number[0];
	const char *wrong = choose_format(lab, l);
	wrong = wrong ? wrong : judge_size(lab, l);
	if (wrong)
		return wrong;
	l->order = arena_zero(lab->arena, l->size * sizeof *l->order);
	wrong = make_lu_input(lab, l);
	wrong = wrong ? wrong : open_lu_kernels(lab, l);
	wrong = wrong ? wrong : make_lu_images(lab, l);
	if (wrong)
		return wrong;
	l->result = lu_floats(lab, l);
	float *texels = texture_floats(lab, l);
	for (size_t k = 0; k < (size_t)l->size * l->size; k++)
		texels[element_index(l, k / l->size, k % l->size)] = l->input[k];
	lab_input(lab, &l->matrix[0], NULL, texels);
	list_results(l, results);
	for (unsigned k = 0; k < 4; k++)
		if (results[k])
			lab_output(lab, results[k], NULL, l->texture[k] = texture_floats(lab, l));
	return NULL;
}

/* ---- the result --------------------------------------------------------------------- */

/* Returns the downloaded texture to which element (j, k) was drawn last, if textures take turns.  Step i draws to texture (i + 1) % 2,
 * columns from i on (from i + 1 on if L has passes of its own) and rows from the texel of row i + 1 on. */
static const float *texture_of_element(const struct lu *l, unsigned j, unsigned k)
{
	unsigned const below = j / l->form->rows * l->form->rows + l->form->rows - 1;
	bool const whole = l->form->scheme == LU_WHOLE;
	unsigned const steps = whole ? k + 1 : k;
	return !whole && j > k ? l->texture[2] : l->texture[(steps < below ? steps : below) & 1];
}

/* Returns the downloaded texture of LU_BLOCKS to which element (j, k) was drawn last.  The columns of a block are finished in that block,
 * its rows in the last block of their line of texels. */
static const float *texture_of_block_element(const struct lu *l, unsigned j, unsigned k)
{
	unsigned const rows = l->form->rows, row = j / rows < k / rows ? rows - 1 : k % rows;
	return l->texture[2 + (row / l->form->steps & 1)];
}

static void unpack_lu(struct lab *lab)
{
	struct lu *l = lab->state;
	for (unsigned j = 0; j < l->size; j++)
		for (unsigned k = 0; k < l->size; k++) {
			const float *from = l->form->scheme == LU_BLOCKS ? texture_of_block_element(l, j, k)
			                    : l->form->turns             ? texture_of_element(l, j, k)
			                                                 : l->texture[0];
			l->result[(size_t)j * l->size + k] = from[element_index(l, j, k)];
		}
}

static void decompose_on_cpu(struct lab *lab)
{
	struct lu *l = lab->state;
	memcpy(l->result, l->input, (size_t)l->size * l->size * sizeof *l->result);
	dense_lu_single(l->result, l->size, l->form->pivots ? l->order : NULL);
}

static const struct parameter parameters[] = {{"size", "rows and columns of the matrix", 4, 32768, 512}, {.name = NULL}};

const struct workload lu_workload = {
	.name = "lu", .summary = "LU decomposition of a matrix", .forms = lu_names, .parameters = parameters, .judges_format = true,
	.open = open_lu, .compute = lu_compute, .unpack = unpack_lu, .check = lu_check, .on_cpu = decompose_on_cpu, .picture = lu_picture,
};
