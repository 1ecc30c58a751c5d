/* Draws all passes of LU, those with partial pivoting by itself, see lu.h. */
#include "gpu/lu.h"

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

void lu_eliminate_with_pivots(struct lab *lab, struct lu *l)
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
			lu_eliminate(lab, l, k);
	}
}

void lu_compute(struct lab *lab, struct lu *l)
{
	l->here = 0;
	l->stopped = l->size;
	l->swaps = 0;
	if (l->form->pivots)
		lu_eliminate_with_pivots(lab, l);
	else if (l->form->scheme == LU_BLOCKS)
		for (unsigned k = 0; k < l->size; k += l->form->steps)
			lu_eliminate_block(lab, l, k);
	else
		for (unsigned k = 0; k + 1 < l->size; k++)
			lu_eliminate(lab, l, k);
}
