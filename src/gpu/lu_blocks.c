/* LU by several steps in a pass, for columns k to below k + S and rows of the same numbers, S = 2 or 4: all four rows of a texel, or
 * half of them.  S divides k, so that these rows are in one line of texels.  Three passes draw what S steps change:
 *
 *                 columns    right
 *     line of k   rows       rows
 *     below       columns    rest
 *
 * In the pass for rows, each pixel eliminates the block of S x S elements by itself, and its own column along with it.  In the pass for
 * columns, each pixel eliminates the block, too, and then computes its own row of L.  In the pass for the rest, each pixel subtracts S
 * products from its own texel.
 *
 * Rows and columns are drawn to done[] and stay there.  The rest is drawn to the other texture of the matrix.  If S = 2, the next block
 * of the same line reads one texture of done[] and draws to the other. */
#include "gpu/lu.h"

/* ---- the programs ---------------------------------------------------------------------- */

/* A block of S steps.  Lanes from `first` to below first + steps hold its rows.  Registers from r0 on hold its columns, and those from OWN
 * on the texels of the pixel's own column or row. c0 has the x of the block's columns, c1.x the y of its line, and c2 the negated right
 * ends of its columns. */
struct block {
	unsigned first, steps;
};
enum { OWN = 4, ROW = 5, PIVOTS = 8, BEYOND = 9 };
static const char xyzw[] = "xyzw", rgba[] = "RGBA";

static void begin_block_program(struct text *t, unsigned samplers)
{
	text_string(t, "ps_2_0\ndcl t0.xy\n");
	for (unsigned s = 0; s < samplers; s++)
		text_printf(t, "dcl_2d s%u\n", s);
}

static void write_texel_read(struct text *t, unsigned to, const char *x, const char *y, unsigned sampler)
{
	text_printf(t, "mov r%u.x, %s\nmov r%u.y, %s\ntexld r%u, r%u, s%u\n", to, x, to, y, to, to, sampler);
}

/* Writes reads of the block's columns in the line at `y`, to registers from r`to` on. */
static void write_column_reads(struct text *t, struct block b, unsigned to, const char *y, unsigned sampler)
{
	for (unsigned m = 0; m < b.steps; m++)
		write_texel_read(t, to + m, (const char *const[]){"c0.x", "c0.y", "c0.z", "c0.w"}[m], y, sampler);
}

/* Writes the elimination of the block, whose columns end up as L and U, and of the columns from `more` to below `end` along with it.  If
 * `pivots` is set, the reciprocals of all pivots are computed, also in the last lane, where the elimination needs none. */
static void write_elimination(struct text *t, struct block b, unsigned more, unsigned end, bool pivots)
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

/* Writes code that outputs one of the `n` registers from `from` on if the pixel is in that column of the block, else `other`. */
static void write_column_choice(struct text *t, unsigned n, unsigned from, unsigned other)
{
	text_printf(t, "add r%d, t0.x, c2\n", BEYOND);
	for (unsigned m = n; m-- > 0;)
		text_printf(t, "cmp r%u, r%d.%c, r%u, r%u\n", other, BEYOND, xyzw[m], other, from + m);
	text_printf(t, "mov oC0, r%u\n", other);
}

/* Returns the program of the pass for rows. s0 is the texture that holds the block's line of texels. */
static const char *rows_program(struct arena *a, struct block b)
{
	struct text t = {.arena = a};
	begin_block_program(&t, 1);
	write_column_reads(&t, b, 0, "c1.x", 0);
	text_printf(&t, "texld r%d, t0, s0\n", OWN);
	write_elimination(&t, b, OWN, OWN + 1, false);
	write_column_choice(&t, b.steps, 0, OWN);
	return t.at;
}

/* Returns the program of the pass for columns. s0 is the texture of the matrix, s1 the one that holds the block's line of texels. */
static const char *columns_program(struct arena *a, struct block b)
{
	struct text t = {.arena = a};
	begin_block_program(&t, 2);
	write_column_reads(&t, b, 0, "c1.x", 1);
	write_column_reads(&t, b, OWN, "t0.y", 0);
	write_elimination(&t, b, 0, 0, true);
	for (unsigned m = 0; m < b.steps; m++) {
		text_printf(&t, "mul r%u, r%u, r%d.%c\n", OWN + m, OWN + m, PIVOTS, xyzw[b.first + m]);
		for (unsigned n = m + 1; n < b.steps; n++)
			text_printf(&t, "mad r%u, -r%u, r%u.%c, r%u\n", OWN + n, OWN + m, n, xyzw[b.first + m], OWN + n);
	}
	write_column_choice(&t, b.steps - 1, OWN, OWN + b.steps - 1);
	return t.at;
}

/* Returns the program of the pass for the rest. s0 is the texture of the matrix, s1 the one that holds the rows and columns. */
static const char *rest_program(struct arena *a, struct block b)
{
	struct text t = {.arena = a};
	begin_block_program(&t, 2);
	write_column_reads(&t, b, 0, "t0.y", 1);
	write_texel_read(&t, ROW, "t0.x", "c1.x", 1);
	text_printf(&t, "texld r%d, t0, s0\n", OWN);
	for (unsigned m = 0; m < b.steps; m++)
		text_printf(&t, "mad r%d, -r%u, r%d.%c, r%d\n", OWN, m, ROW, xyzw[b.first + m], OWN);
	text_printf(&t, "mov oC0, r%d\n", OWN);
	return t.at;
}

static const char *open_block_kernel(struct lab *lab, const char *pass, const char *fp, struct block b, struct kernel *k)
{
	return kernel_from_pixel_text(lab, arena_printf(lab->arena, "%s, %.*s", pass, (int)b.steps, rgba + b.first), fp, k);
}

const char *lu_open_blocks(struct lab *lab, struct lu *l)
{
	const char *wrong = NULL;
	unsigned const steps = l->form->steps;
	for (unsigned phase = 0; phase < LANES / steps && !wrong; phase++) {
		struct block const b = {.first = phase * steps, .steps = steps};
		wrong = open_block_kernel(lab, "rows", rows_program(lab->arena, b), b, &l->u.top[phase]);
		wrong = wrong ? wrong : open_block_kernel(lab, "columns", columns_program(lab->arena, b), b, &l->l.below[phase]);
		wrong = wrong ? wrong : open_block_kernel(lab, "rest", rest_program(lab->arena, b), b, &l->u.below[phase]);
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

static void draw_block_pass(struct lab *lab, const struct lu *l, struct kernel *kernel, unsigned k, const struct image *s0, const struct image *s1,
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
	struct rect const rows = {.x = column, .y = line, .width = width, .height = 1};
	struct rect const columns = {.x = column, .y = line + 1, .width = steps, .height = below};
	struct rect const rest = {.x = column + steps, .y = line + 1, .width = width - steps, .height = below};
	draw_block_pass(lab, l, &l->u.top[phase], k, top, NULL, to, rows);
	draw_block_pass(lab, l, &l->l.below[phase], k, from, top, to, columns);
	draw_block_pass(lab, l, &l->u.below[phase], k, from, to, &l->matrix[!l->here], rest);
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
