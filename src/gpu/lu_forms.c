/* The forms of LU, and the operations and bytes that each counts, see lu.h. */
#include "gpu/lu.h"

const struct workload_form lu_names[] = {
	{"i1-copy", "I1: passes for L and for U, an element in a texel; what was drawn is copied back"},
	{"i1-switch", "I1, two textures take turns"},
	{"i2-copy", "I2: a pass does both, each pixel asks where it is; copied back"},
	{"i2-switch", "I2, two textures take turns"},
	{"i3-copy", "I3: I1 with four rows of a column in a texel; the CPU chooses write masks; copied back"},
	{"i3-switch", "I3, two textures take turns"},
	{"i3-mask-copy", "I3 with one program, whose constants say which lanes stay; copied back"},
	{"i3-mask-switch", "the same, two textures take turns"},
	{"i4-copy", "I4: I2 with four rows of a column in a texel; copied back"},
	{"i4-switch", "I4, two textures take turns"},
	{"i5", "I1 with partial pivoting: the greatest of a column is swapped up"},
	{"i6-2", "I6: two steps in a pass, four rows of a column in a texel, textures take turns"},
	{"i6-4", "I6, four steps in a pass"},
	{.name = NULL}};

#define I1 .rows = 1, .l = "lu_l_scalar", .u = "lu_u_scalar", .reads = {0, -8, -8, 16}
#define I2 .scheme = LU_WHOLE, .rows = 1, .u = "lu_whole_scalar", .reads = {0, -64 / 3.0, 0, 64 / 3.0}
#define I3 .scheme = LU_MASKED, .rows = 4, .reads = {0, 4, 7, 4}
#define I3_MASK .rows = 4, .l = "lu_l_rows4", .u = "lu_u_rows4", .reads = {0, 4, 7, 4}
#define I4 .scheme = LU_WHOLE, .rows = 4, .u = "lu_whole_rows4", .reads = {0, 4, 7, 4}
#define I6 .scheme = LU_BLOCKS, .rows = 4, .turns = true
#define TWICE "They count what is copied as read and written"
#define THREE "They count three reads of a pixel, and the program makes four"
const struct lu_form lu_forms[] = {
	{I1, .copied = {0, -32 / 3.0, 0, 32 / 3.0}, .note = TWICE},
	{I1, .turns = true},
	{I2, .copied = {0, -16 / 3.0, 0, 16 / 3.0}},
	{I2, .turns = true},
	{I3, .copied = {0, -8 / 3.0, 2, 8 / 3.0}, .note = TWICE ", and none of L"},
	{I3, .turns = true},
	{I3_MASK, .copied = {0, -8 / 3.0, 2, 8 / 3.0}, .note = TWICE ", and none of L"},
	{I3_MASK, .turns = true},
	{I4, .copied = {0, -8 / 3.0, 2, 8 / 3.0}, .note = TWICE ", and no column.  " THREE},
	{I4, .turns = true, .note = THREE},
	{.rows = 1, .l = "lu_divide", .u = "lu_u_scalar", .pivots = true},
	{I6, .steps = 2, .note = "Two steps read 4 texels a pixel in one pass, and 6 in two; i6-4 reads 6 for four steps"},
	{I6, .steps = 4, .note = "Four steps read 6 texels a pixel in one pass, and 12 in four; a texel has no fifth row for more"},
};
_Static_assert(sizeof lu_names / sizeof *lu_names == sizeof lu_forms / sizeof *lu_forms + 1, "each form has a name");

/* ---- figures --------------------------------------------------------------------------- */

static double evaluate_cubic(const double at[4], double n)
{
	return at[0] + n * (at[1] + n * (at[2] + n * at[3]));
}

/* Returns the bytes by the formula of the programs' authors, scaled from texels of 16 bytes to those used here. */
static double bytes_by_formula(const struct lu *l, const double at[4])
{
	return evaluate_cubic(at, l->size) * image_formats[l->format].bytes / 16;
}

double lu_operations(const struct lu *l)
{
	double const n = l->size, once = 2 * n * (n * n - 1) / 3;
	return l->form->scheme == LU_WHOLE && l->form->rows == 1 ? 2 * once : once;
}

/* Returns the bytes read to find a pivot among `n` lines.  The first pass reads elements, and further passes read candidates, two for
 * each pixel. */
static double read_for_pivot(const struct lu *l, unsigned n)
{
	unsigned half = (n + 1) / 2;
	double sum = 2.0 * half * image_formats[l->format].bytes;
	for (; half > 1; sum += 2.0 * half * image_formats[l->candidate[0].format].bytes)
		half = (half + 1) / 2;
	return sum;
}

/* Counts by our own formulas for LU_BLOCKS and pivoting.  With pivoting, there is one read for each element of L or of a swapped line,
 * three for each element right of the pivot, and those of the search (read_for_pivot). */
double lu_bytes_read(const struct lu *l)
{
	double const n = l->size, below = n * (n - 1) / 2, right = n * (n - 1) * (2 * n - 1) / 6;
	double sum = (below + 3 * right + 2 * n * l->swaps) * image_formats[l->format].bytes;
	if (l->form->scheme == LU_BLOCKS)
		return lu_texels_of_blocks(l) * image_formats[l->format].bytes;
	if (!l->form->pivots)
		return bytes_by_formula(l, l->form->reads);
	for (unsigned k = 0; k < l->size; k++)
		sum += read_for_pivot(l, l->size - k);
	return sum;
}

double lu_bytes_copied(const struct lu *l)
{
	double const n = l->size, all = n * (n * n - 1) / 3 + 2 * n * l->swaps;
	return l->form->pivots ? all * image_formats[l->format].bytes : bytes_by_formula(l, l->form->copied);
}
