/* The passes of LU, see lu.h. */
#include "gpu/lu.h"

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

/* Sets the pivot's texel and lane, and the lanes of rows up to it. */
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

void lu_eliminate(struct lab *lab, struct lu *l, unsigned k)
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

void lu_compute(struct lab *lab, struct lu *l)
{
	l->here = 0;
	l->stopped = l->size;
	l->swaps = 0;
	if (l->form->pivots)
		lu_eliminate_with_pivots(lab, l);
	for (unsigned k = 0; k + 1 < l->size && !l->form->pivots; k++)
		lu_eliminate(lab, l, k);
}
