/* Checks LU against the CPU, see lu.h. */
#include "gpu/lu.h"

#include "gpu/dense.h"
#include "gpu/stats.h"

#include <float.h>

float *lu_floats(struct lab *lab, const struct lu *l)
{
	return arena_zero(lab->arena, (size_t)l->size * l->size * sizeof(float));
}

/* Returns the input with its lines in the order that pivoting gave those of the result. */
static const float *ordered(struct lab *lab, const struct lu *l)
{
	float *a = l->form->pivots ? lu_floats(lab, l) : l->input;
	for (size_t j = 0; j < l->size && l->form->pivots; j++)
		memcpy(a + j * l->size, l->input + (size_t)l->order[j] * l->size, l->size * sizeof *a);
	return a;
}

static double recorded_reads(const struct record *r)
{
	double sum = 0;
	for (uint32_t k = 0; k < r->kinds.n; k++)
		sum += kind_bytes(&r->kinds.at[k]);
	return sum;
}

/* Writes how many bytes the passes read and copied: by the record, and by the formulas.  The authors' formulas are for texels of 16
 * bytes. */
static void say_bytes(const struct lab *lab, const struct lu *l, struct text *t)
{
	unsigned const bytes = image_formats[l->format].bytes;
	bool const ours = l->form->pivots || l->form->scheme == LU_BLOCKS;
	text_printf(t, "  Passes read %.0f bytes and copied %.0f, in texels of %u bytes.\n", recorded_reads(lab->record),
	            transfers_all(lab->record->copied).bytes, bytes);
	text_printf(t, "  The formulas of %s say %.0f and %.0f", ours ? "this form" : "the programs' authors", lu_bytes_read(l),
	            lu_bytes_copied(l));
	if (bytes != 16 && !ours)
		text_printf(t, ", scaled from texels of 16 bytes to %u", bytes);
	text_string(t, ".\n");
	if (l->form->scheme == LU_BLOCKS)
		text_printf(t, "  It draws %.0f passes, where one for L and one for U in each step make %u.\n", record_drawn(lab->record).passes,
		            2 * (l->size - 1));
	if (l->form->note)
		text_printf(t, "  %s.\n", l->form->note);
}

/* ---- the check ------------------------------------------------------------------------- */

/* Returns the greatest absolute value of an element of L below the diagonal; with pivoting, it must not exceed 1. */
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
	double *b = dense_in_double(lab->arena, a, n * n), greatest = 0, difference = 0;
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
		text_string(t, "  If OpenBLAS or another LAPACK were installed, it would be timed here.\n");
}

/* Checks the result.  If a step found no pivot, the error is infinite, and nothing else is checked.  Figures that moving does not change
 * are written only for the programs as given.  With pivoting, an element of L above 1 is an error, too. */
void lu_check(struct lab *lab, void *state, struct finding *f)
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
	if (!lab->plan && lab->record) {
		say_bytes(lab, l, &t);
		lu_say_rates(lab, l, &t);
	}
	f->more = t.at;
}

void lu_picture(struct lab *lab, void *state, struct picture *p)
{
	const struct lu *l = state;
	size_t const n = (size_t)l->size * l->size;
	float *error = lu_floats(lab, l), most = 0;
	dense_residual(lab->arena, ordered(lab, l), l->result, l->size, error);
	for (size_t k = 0; k < n; k++)
		most = fmaxf(most, error[k]);
	picture_make(lab->arena, l->size, l->size, p);
	for (size_t k = 0; k < n; k++)
		for (unsigned c = 0; c < 4; c++)
			p->rgba[4 * k + c] = c == 3 ? 1 : fminf(1, fmaxf(0, 3 * error[k] / most - (float)c));
}

