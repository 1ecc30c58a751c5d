/* LU by several steps in a pass, for columns k to below k + S and rows of the same numbers, S = 2 or 4: all four rows of a texel, or
 * half of them.  S divides k, so that these rows are in one line of texels.  Three passes draw what S steps change:
 *
 *                 columns    right
 *     line of k   rows       rows     each pixel eliminates the block of S x S elements by itself, and its own column with it
 *     below       columns    rest     columns: so does each pixel, and divides its own row; rest: own texel less S products
 *
 * Rows and columns are drawn to done[] and stay there.  The rest is drawn to the other texture of the matrix.  Where S = 2, the next
 * block goes on in the same line, from one texture of done[] to the other. */
#include "gpu/lu.h"

/* ---- the programs ---------------------------------------------------------------------- */

/* Lanes first to below first + steps hold the block's rows.  Registers: r0 and on are the block's columns, OWN and on what belongs to
 * the pixel; c0 are the coordinates of columns, c1.x that of the line, c2 less where columns end. */
struct block {
	unsigned first, steps;
};
enum { OWN = 4, ROW = 5, PIVOTS = 8, BEYOND = 9 };
static const char xyzw[] = "xyzw", rgba[] = "RGBA";

static void begin(struct text *t, unsigned samplers)
{
	text_string(t, "ps_2_0\ndcl t0.xy\n");
	for (unsigned s = 0; s < samplers; s++)
		text_printf(t, "dcl_2d s%u\n", s);
}

static void read_texel(struct text *t, unsigned to, const char *x, const char *y, unsigned sampler)
{
	text_printf(t, "mov r%u.x, %s\nmov r%u.y, %s\ntexld r%u, r%u, s%u\n", to, x, to, y, to, to, sampler);
}

/* Reads the block's columns where `y` is. */
static void read_columns(struct text *t, struct block b, unsigned to, const char *y, unsigned sampler)
{
	for (unsigned m = 0; m < b.steps; m++)
		read_texel(t, to + m, (const char *const[]){"c0.x", "c0.y", "c0.z", "c0.w"}[m], y, sampler);
}

/* Eliminates the block, whose columns end up as L and U, and the columns from `more` to below `end` along with it.  `pivots`: all
 * reciprocals of pivots are kept, too. */
static void eliminate(struct text *t, struct block b, unsigned more, unsigned end, bool pivots)
{
	for (unsigned m = 0; m < b.steps; m++) {
		unsigned const p = b.first + m;
		const char *below = xyzw + p + 1;
		if (*below || pivots)
			text_printf(t, "rcp r%d.%c, r%u.%c\n", PIVOTS, xyzw[p], m, xyzw[p]);
		if (!*below)
			continue;
		text_printf(t, "mul r%u.%s, r%u, r%d.%c\n", m, below, m, PIVOTS, xyzw[p]);
		for (unsigned n = m + 1; n < b.steps; n++)
			text_printf(t, "mad r%u.%s, -r%u, r%u.%c, r%u\n", n, below, m, n, xyzw[p], n);
		for (unsigned n = more; n < end; n++)
			text_printf(t, "mad r%u.%s, -r%u, r%u.%c, r%u\n", n, below, m, n, xyzw[p], n);
	}
}

/* Takes, in place of what `other` holds, the first `n` of the registers from `from` on where the pixel is in that column. */
static void choose_column(struct text *t, unsigned n, unsigned from, unsigned other)
{
	text_printf(t, "add r%d, t0.x, c2\n", BEYOND);
	for (unsigned m = n; m-- > 0;)
		text_printf(t, "cmp r%u, r%d.%c, r%u, r%u\n", other, BEYOND, xyzw[m], other, from + m);
	text_printf(t, "mov oC0, r%u\n", other);
}

/* s0 holds the line. */
static const char *write_rows(struct arena *a, struct block b)
{
	struct text t = {.arena = a};
	begin(&t, 1);
	read_columns(&t, b, 0, "c1.x", 0);
	text_printf(&t, "texld r%d, t0, s0\n", OWN);
	eliminate(&t, b, OWN, OWN + 1, false);
	choose_column(&t, b.steps, 0, OWN);
	return t.at;
}

/* s0 holds the matrix, s1 the line. */
static const char *write_columns(struct arena *a, struct block b)
{
	struct text t = {.arena = a};
	begin(&t, 2);
	read_columns(&t, b, 0, "c1.x", 1);
	read_columns(&t, b, OWN, "t0.y", 0);
	eliminate(&t, b, 0, 0, true);
	for (unsigned m = 0; m < b.steps; m++) {
		text_printf(&t, "mul r%u, r%u, r%d.%c\n", OWN + m, OWN + m, PIVOTS, xyzw[b.first + m]);
		for (unsigned n = m + 1; n < b.steps; n++)
			text_printf(&t, "mad r%u, -r%u, r%u.%c, r%u\n", OWN + n, OWN + m, n, xyzw[b.first + m], OWN + n);
	}
	choose_column(&t, b.steps - 1, OWN, OWN + b.steps - 1);
	return t.at;
}

/* s0 holds the matrix, s1 rows and columns. */
static const char *write_rest(struct arena *a, struct block b)
{
	struct text t = {.arena = a};
	begin(&t, 2);
	read_columns(&t, b, 0, "t0.y", 1);
	read_texel(&t, ROW, "t0.x", "c1.x", 1);
	text_printf(&t, "texld r%d, t0, s0\n", OWN);
	for (unsigned m = 0; m < b.steps; m++)
		text_printf(&t, "mad r%d, -r%u, r%d.%c, r%d\n", OWN, m, ROW, xyzw[b.first + m], OWN);
	text_printf(&t, "mov oC0, r%d\n", OWN);
	return t.at;
}

const char *lu_open_blocks(struct lab *lab, struct lu *l)
{
	const char *wrong = NULL;
	unsigned const steps = l->form->steps;
	for (unsigned phase = 0; phase < LANES / steps && !wrong; phase++) {
		struct block const b = {phase * steps, steps};
		const char *name = arena_printf(lab->arena, "%.*s", (int)steps, rgba + b.first);
		wrong = kernel_from_pixel_text(lab, arena_printf(lab->arena, "rows, %s", name), write_rows(lab->arena, b), &l->u.top[phase]);
		wrong = wrong ? wrong : kernel_from_pixel_text(lab, arena_printf(lab->arena, "columns, %s", name), write_columns(lab->arena, b), &l->l.below[phase]);
		wrong = wrong ? wrong : kernel_from_pixel_text(lab, arena_printf(lab->arena, "rest, %s", name), write_rest(lab->arena, b), &l->u.below[phase]);
	}
	return wrong;
}

/* ---- the passes ------------------------------------------------------------------------ */

static void set_block(const struct lu *l, struct kernel *kernel, unsigned k)
{
	float const n = (float)l->size, x = (float)k, line = (float)(k / LANES);
	kernel_set(kernel, STAGE_PIXEL, 0, (x + 0.5f) / n, (x + 1.5f) / n, (x + 2.5f) / n, (x + 3.5f) / n);
	kernel_set(kernel, STAGE_PIXEL, 1, (line + 0.5f) * LANES / n, 0, 0, 0);
	kernel_set(kernel, STAGE_PIXEL, 2, -(x + 1) / n, -(x + 2) / n, -(x + 3) / n, -(x + 4) / n);
}

static void draw(struct lab *lab, const struct lu *l, struct kernel *kernel, unsigned k, const struct image *s0, const struct image *s1,
                 const struct image *to, struct rect r)
{
	struct pass const pass = {.kernel = kernel, .texture = {s0, s1}, .target = {to}, .to = r};
	if (r.width <= 0 || r.height <= 0)
		return;
	set_block(l, kernel, k);
	pass_draw(lab, &pass);
}

void lu_eliminate_block(struct lab *lab, struct lu *l, unsigned k)
{
	unsigned const phase = k % LANES / l->form->steps;
	int const steps = (int)l->form->steps, column = (int)k, line = (int)(k / LANES);
	int const width = l->matrix[0].width - column, below = l->matrix[0].height - line - 1;
	const struct image *from = &l->matrix[l->here], *to = &l->done[phase & 1], *top = phase ? &l->done[!(phase & 1)] : from;
	draw(lab, l, &l->u.top[phase], k, top, NULL, to, (struct rect){column, line, width, 1});
	draw(lab, l, &l->l.below[phase], k, from, top, to, (struct rect){column, line + 1, steps, below});
	draw(lab, l, &l->u.below[phase], k, from, to, &l->matrix[!l->here], (struct rect){column + steps, line + 1, width - steps, below});
	l->here = !l->here;
}

double lu_texels_of_blocks(const struct lu *l)
{
	double const n = l->size, steps = l->form->steps;
	double sum = 0;
	for (unsigned k = 0; k < l->size; k += l->form->steps) {
		double const width = n - k, below = n / LANES - 1 - k / LANES;
		sum += width * (steps + 1) + steps * below * 2 * steps + (width - steps) * below * (steps + 2);
	}
	return sum;
}
