/* Checks LU against the CPU, see lu.h. */
#include "gpu/lu.h"

#include "gpu/dense.h"
#include "gpu/stats.h"

#include <epoxy/gl.h>
#include <float.h>
#include <stdlib.h>

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

/* ---- rates ----------------------------------------------------------------------------- */

/* Returns the program cut off after its last texture read, with an end that outputs the maximum of all texels it read.  In the programs
 * for U, the instructions before the last read compute coordinates alone. */
static const char *without_arithmetic(struct arena *a, const char *fp)
{
	static const char read[] = "\ntexld r";
	struct text t = {.arena = a}, greatest = {.arena = a};
	const char *end = fp;
	unsigned long result = 0;
	for (const char *at = strstr(fp, read); at; at = strstr(end, read)) {
		unsigned long const to = strtoul(at + sizeof read - 1, NULL, 10);
		if (end != fp)
			text_printf(&greatest, "max r%lu, r%lu, r%lu\n", to, to, result);
		result = to;
		end = at + 1 + strcspn(at + 1, "\n");
	}
	text_bytes(&t, fp, (size_t)(end - fp));
	text_printf(&t, "\n%smov oC0, r%lu\n", greatest.n ? greatest.at : "", result);
	return t.at;
}

/* Compiles the programs for U without their arithmetic.  Returns NULL, or one sentence on what is wrong. */
static const char *open_reading_programs(struct lab *lab, const struct lu_part *u, struct lu_part *readers)
{
	const char *wrong = NULL;
	for (unsigned p = 0; p < 2 * LANES && !wrong; p++) {
		const struct kernel *given = p < LANES ? &u->below[p] : &u->top[p - LANES];
		if (given->run)
			wrong = kernel_from_text(lab, given->name, given->run->sources[0].text,
			                         without_arithmetic(lab->arena, given->run->sources[1].text),
			                         p < LANES ? &readers->below[p] : &readers->top[p - LANES]);
	}
	return wrong;
}

struct reading {
	double ns, bytes;
};

/* Returns true if the passes of this kind were drawn by a program of the part. */
static bool is_drawn_by(const struct lu_part *part, const struct kind *kind)
{
	bool found = false;
	for (unsigned p = 0; p < LANES; p++)
		found |= kind->ps == part->below[p].ps || kind->ps == part->top[p].ps;
	return found;
}

/* Computes LU once with these programs for U.  Returns how long the passes of U take, and how many bytes they read. */
static struct reading measure_computation(struct lab *lab, struct lu *l, const struct lu_part *u)
{
	struct record here;
	struct reading sum = {0, 0};
	l->u = *u;
	record_start(&here, lab->arena, true);
	lab->record = &here;
	lu_compute(lab);
	record_finish(&here);
	for (uint32_t k = 0; k < here.kinds.n; k++) {
		const struct kind *kind = &here.kinds.at[k];
		sum.ns += is_drawn_by(u, kind) ? kind->ns : 0;
		sum.bytes += is_drawn_by(u, kind) ? kind_bytes(kind) : 0;
	}
	record_free(&here);
	return sum;
}

/* Measures computations with either of two sets of programs for U, in turns, and keeps the fastest time of each set; the first turn warms
 * up. */
static void measure_in_turns(struct lab *lab, struct lu *l, const struct lu_part *const u[2], struct reading least[2])
{
	enum { TURNS = 4 };
	struct record *const own = lab->record;
	for (unsigned k = 0; k < 2 * TURNS; k++) {
		struct reading const r = measure_computation(lab, l, u[k & 1]);
		if (k < 4 || r.ns < least[k & 1].ns)
			least[k & 1] = r;
	}
	lab->record = own;
}

static void say_reading(struct lab *lab, struct lu *l, struct text *t)
{
	struct lu_part *own = arena_alloc(lab->arena, sizeof *own), *readers = arena_zero(lab->arena, sizeof *readers);
	struct reading least[2];
	*own = l->u;
	const char *wrong = open_reading_programs(lab, own, readers);
	if (!wrong) {
		measure_in_turns(lab, l, (const struct lu_part *const[]){own, readers}, least);
		text_printf(t, "  Passes for U take %.4f ms and read %.4g GB/s; without their arithmetic, %.4f ms and %.4g GB/s.\n",
		            least[0].ns / 1e6, least[0].bytes / least[0].ns, least[1].ns / 1e6, least[1].bytes / least[1].ns);
	} else {
		text_printf(t, "  Reads without arithmetic cannot be timed: %s.\n", wrong);
	}
	l->u = *own;
}

/* Writes how long the CPU takes to submit all passes.  With pivoting, it waits for each pivot before it submits the next pass. */
static void say_submission(struct lab *lab, struct lu *l, struct text *t)
{
	struct record *const own = lab->record;
	lab->record = NULL;
	glFinish();
	double const begun = stats_now_ns();
	lu_compute(lab);
	double const submitted = stats_now_ns();
	glFinish();
	text_printf(t, "  The CPU has submitted all passes after %.4f ms%s, and the GPU has drawn them after %.4f ms.\n", (submitted - begun) / 1e6,
	            l->form->pivots ? ", in which it waits for pivots" : "", (stats_now_ns() - begun) / 1e6);
	lab->record = own;
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
void lu_check(struct lab *lab, struct finding *f)
{
	struct lu *l = lab->state;
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
		say_reading(lab, l, &t);
		say_submission(lab, l, &t);
	}
	f->more = t.at;
}

void lu_picture(struct lab *lab, struct picture *p)
{
	const struct lu *l = lab->state;
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
