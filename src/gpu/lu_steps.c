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

/* Draws rectangle r of `to` with one kernel; `left` has column k of L. */
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

void lu_eliminate(struct lab *lab, struct lu *l, unsigned k)
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
