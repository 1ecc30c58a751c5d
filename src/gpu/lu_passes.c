/* Draws the passes of LU, see lu.h. */
#include "gpu/lu.h"

/* Returns the index in lu_part.below and .top of the programs that draw step k. */
static unsigned program_index(const struct lu *l, unsigned k)
{
	return l->form->scheme == LU_MASKED ? k % l->form->rows : 0;
}

/* Sets the constants of step k: the place of the pivot's texel and, for programs that serve all lanes of the pivot, its lane and the lanes
 * of rows up to it. */
static void set_step(const struct lu *l, struct kernel *kernel, unsigned k)
{
	float const n = (float)l->size, column = (float)k, rows = (float)l->form->rows;
	float const texel = (float)(k / l->form->rows), at = (float)(k % l->form->rows);
	kernel_set(kernel, STAGE_PIXEL, 0, (column + 0.5f) / n, (texel + 0.5f) * rows / n, (column + 1) / n, n);
	if (l->form->rows == 1 || l->form->scheme == LU_MASKED)
		return;
	kernel_set(kernel, STAGE_PIXEL, 1, at == 0, at == 1, at == 2, at == 3);
	kernel_set(kernel, STAGE_PIXEL, 2, -2.5f - column, -1.5f - column, -0.5f - column, 0.5f - column);
}

/* Draws rectangle r of `to` with one kernel, which reads `from` as s0 and `left`, if not NULL, as s1. */
static void draw_with_kernel(struct lab *lab, struct kernel *kernel, const struct image *from, const struct image *left,
                             const struct image *to, struct rect r)
{
	struct pass const pass = {.kernel = kernel, .texture = {from, left}, .target = {to}, .to = r};
	pass_draw(lab, &pass);
}

/* Draws rectangle r of `to` in step k with the programs of `part`, which draw L or U. */
static void draw_lu_part(struct lab *lab, struct lu *l, struct lu_part *part, unsigned k, const struct image *left,
                         const struct image *to, struct rect r)
{
	const struct image *from = &l->matrix[l->here];
	unsigned const lane = program_index(l, k);
	if (l->form->scheme == LU_MASKED && lane + 1 < l->form->rows) {
		set_step(l, &part->top[lane], k);
		draw_with_kernel(lab, &part->top[lane], from, left, to, (struct rect){.x = r.x, .y = r.y, .width = r.width, .height = 1});
		r.y++;
		r.height--;
	}
	if (!l->form->pivots || part != &l->l)
		set_step(l, &part->below[lane], k);
	if (r.height > 0)
		draw_with_kernel(lab, &part->below[lane], from, left, to, r);
}

/* Draws rectangle r of the matrix in step k with the programs of `part`, and makes the result current by a copy or by a change of
 * textures. */
static void update_matrix(struct lab *lab, struct lu *l, struct lu_part *part, unsigned k, const struct image *left, struct rect r)
{
	const struct image *from = &l->matrix[l->here], *to = &l->matrix[!l->here];
	draw_lu_part(lab, l, part, k, left, to, r);
	if (l->form->turns)
		l->here = !l->here;
	else
		pass_copy(lab, to, from, r);
}

/* Draws step k.  With pivoting, the caller has set the constant of the program for L to 1 / pivot. */
static void eliminate(struct lab *lab, struct lu *l, unsigned k)
{
	int const column = (int)k, top = (int)((k + 1) / l->form->rows);
	int const width = l->matrix[0].width - column, height = l->matrix[0].height - top;
	struct rect const below = {.x = column, .y = top, .width = 1, .height = height};
	struct rect const both = {.x = column, .y = top, .width = width, .height = height};
	struct rect const right = {.x = column + 1, .y = top, .width = width - 1, .height = height};
	if (l->form->scheme == LU_WHOLE) {
		update_matrix(lab, l, &l->u, k, NULL, both);
		return;
	}
	if (l->form->turns)
		draw_lu_part(lab, l, &l->l, k, NULL, &l->done[0], below);
	else
		update_matrix(lab, l, &l->l, k, NULL, below);
	update_matrix(lab, l, &l->u, k, l->form->turns ? &l->done[0] : &l->matrix[l->here], right);
}

/* ---- pivots ---------------------------------------------------------------------------- */

/* Draws a pass of the search for a pivot: of `n` texels of `from` in a column from (x, y) down, the greater of each two neighbours.
 * Returns how many texels are left. */
static unsigned halve_candidates(struct lab *lab, struct kernel *kernel, const struct image *from, unsigned x, unsigned y, unsigned n,
                                 const struct image *to)
{
	unsigned const half = (n + 1) / 2;
	float const left = ((float)x + 0.5f) / (float)from->width, height = (float)from->height, top = (float)y - 0.5f;
	struct span const places = {.x0 = left, .y0 = top / height, .x1 = left, .y1 = (top + 2 * (float)half) / height, .w = 1};
	kernel_set(kernel, STAGE_PIXEL, 0, 0, 1 / height, height, ((float)(y + n) - 0.5f) / height);
	struct pass const pass = {.kernel = kernel, .texture = {from}, .target = {to}, .to = {.width = 1, .height = (int)half},
	                          .texcoord = {&places}};
	pass_draw(lab, &pass);
	return half;
}

/* Returns the line of the greatest element of column k from line k on, and sets `value` to the element.  Returns k if the GPU gives no finite
 * line. */
static unsigned find_pivot(struct lab *lab, struct lu *l, unsigned k, float *value)
{
	float texel[LANES];
	unsigned at = 0, n = halve_candidates(lab, &l->first, &l->matrix[0], k, k, l->size - k, &l->candidate[0]);
	for (; n > 1; at = !at)
		n = halve_candidates(lab, &l->further, &l->candidate[at], 0, 0, n, &l->candidate[!at]);
	pass_read(lab, &l->candidate[at], (struct rect){.width = 1, .height = 1}, texel);
	*value = texel[0];
	return isfinite(texel[1]) ? (unsigned)lrintf(texel[1]) : k;
}

static void draw_matrix_line(struct lab *lab, struct lu *l, unsigned from, unsigned to)
{
	float const y = ((float)from + 0.5f) / (float)l->size;
	struct span const places = {.x0 = 0, .y0 = y, .x1 = 1, .y1 = y, .w = 1};
	struct pass const pass = {.kernel = &l->swap, .texture = {&l->matrix[0]}, .target = {&l->matrix[1]},
	                          .to = {.y = (int)to, .width = (int)l->size, .height = 1}, .texcoord = {&places}};
	pass_draw(lab, &pass);
}

static void swap_texture_lines(struct lab *lab, struct lu *l, unsigned j, unsigned k)
{
	unsigned const was = l->order[j];
	l->order[j] = l->order[k];
	l->order[k] = was;
	l->swaps++;
	draw_matrix_line(lab, l, j, k);
	draw_matrix_line(lab, l, k, j);
	pass_copy(lab, &l->matrix[1], &l->matrix[0], (struct rect){.y = (int)j, .width = (int)l->size, .height = 1});
	pass_copy(lab, &l->matrix[1], &l->matrix[0], (struct rect){.y = (int)k, .width = (int)l->size, .height = 1});
}

/* Draws all steps with pivoting.  Stops at a pivot that is 0 or not finite, and sets l->stopped to that step. */
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
			swap_texture_lines(lab, l, k, at);
		kernel_set(&l->l.below[0], STAGE_PIXEL, 0, 1 / pivot, 0, 0, 0);
		if (k + 1 < l->size)
			eliminate(lab, l, k);
	}
}

void lu_compute(struct lab *lab)
{
	struct lu *l = lab->state;
	l->here = 0;
	l->stopped = l->size;
	l->swaps = 0;
	if (l->form->pivots)
		eliminate_with_pivots(lab, l);
	else if (l->form->scheme == LU_BLOCKS)
		for (unsigned k = 0; k < l->size; k += l->form->steps)
			lu_eliminate_block(lab, l, k);
	else
		for (unsigned k = 0; k + 1 < l->size; k++)
			eliminate(lab, l, k);
	lab->operations = lu_operations(l);
	lab->traffic = lu_bytes_read(l) + lu_bytes_copied(l);
}
