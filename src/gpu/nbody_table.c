/* Reads the table of a force and computes with it, see nbody.h. */
#include "gpu/nbody.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 256, PAIR_NUMBERS = 4 };
static const double largest = 1e12; /* limit of all numbers, so that products with them stay finite in single precision */

struct reading {
	struct arena *arena;
	const char *path;
	unsigned line;
	struct force_table *to;
	bool given[TABLE_KINDS][TABLE_KINDS];
	struct { VEC(double); } x, g;
};

/* ---- the text -------------------------------------------------------------------------- */

/* Reads the rest of a line, which must be exactly `n` numbers of at most `largest`.  Returns false if it is not. */
static bool read_numbers(const char *at, unsigned n, double *to)
{
	for (unsigned k = 0; k < n; k++) {
		char *end;
		to[k] = strtod(at, &end);
		if (end == at || !(fabs(to[k]) <= largest))
			return false;
		at = end;
	}
	return at[strspn(at, " \t\r\n")] == '\0';
}

static bool is_kind(double x)
{
	return x >= 1 && x <= TABLE_KINDS && floor(x) >= x;
}

/* Reads I J A B (two kinds and their a and b), the rest of a line that begins with "pair".  Returns NULL, or one sentence on what is wrong. */
static const char *read_pair_of_kinds(struct reading *r, const char *rest)
{
	double v[PAIR_NUMBERS];
	struct force_table *t = r->to;
	if (!read_numbers(rest, PAIR_NUMBERS, v) || !is_kind(v[0]) || !is_kind(v[1]) || !(v[2] > 0))
		return arena_printf(r->arena, "%s:%u: pair wants two kinds, 1 to %d, then a, which is above 0, and b", r->path, r->line, TABLE_KINDS);
	unsigned const i = (unsigned)v[0] - 1, j = (unsigned)v[1] - 1, more = i > j ? i : j;
	t->a[i][j] = t->a[j][i] = (float)v[2];
	t->b[i][j] = t->b[j][i] = (float)v[3];
	r->given[i][j] = r->given[j][i] = true;
	t->kinds = more < t->kinds ? t->kinds : more + 1;
	return NULL;
}

static const char *read_force_line(struct reading *r, const char *line)
{
	double v[2];
	line += strspn(line, " \t\r\n");
	if (*line == '\0' || *line == '#')
		return NULL;
	if (strncmp(line, "pair", 4) == 0)
		return read_pair_of_kinds(r, line + 4);
	if (!read_numbers(line, 2, v))
		return arena_printf(r->arena, "%s:%u: a line is \"X G\", \"pair I J A B\", or a comment after #", r->path, r->line);
	VEC_PUSH(r->arena, &r->x) = v[0];
	VEC_PUSH(r->arena, &r->g) = v[1];
	return NULL;
}

static const char *read_force_lines(struct reading *r)
{
	char line[LINE];
	const char *wrong = NULL;
	FILE *f = fopen(r->path, "r");
	if (!f)
		return arena_printf(r->arena, "%s cannot be read", r->path);
	for (r->line = 1; !wrong && r->x.n <= TABLE_ENTRIES && fgets(line, sizeof line, f); r->line++)
		wrong = read_force_line(r, line);
	fclose(f);
	return wrong;
}

/* Returns one sentence if there are too few or too many entries, or if x does not rise in equal steps from 0 or above; else NULL. */
static const char *check_entries(const struct reading *r)
{
	if (r->x.n < 2 || r->x.n > TABLE_ENTRIES)
		return arena_printf(r->arena, "%s: a table has 2 to %d lines of x and g, not %s", r->path, TABLE_ENTRIES, r->x.n < 2 ? "fewer" : "more");
	double const first = r->x.at[0], step = (r->x.at[r->x.n - 1] - first) / (r->x.n - 1);
	if (first < 0)
		return arena_printf(r->arena, "%s: x is the square of a distance and must not be negative, but begins at %g", r->path, first);
	for (uint32_t k = 0; k < r->x.n; k++)
		if (!(step > 0) || fabs(r->x.at[k] - first - k * step) > 0.02 * step)
			return arena_printf(r->arena, "%s: x must rise in equal steps, but entry %u of %u is %g", r->path, k + 1, r->x.n, r->x.at[k]);
	return NULL;
}

/* Returns one sentence if a pair of kinds has no line, else NULL.  Without any such line, makes one kind with a = b = 1. */
static const char *check_pairs(struct reading *r)
{
	struct force_table *t = r->to;
	if (t->kinds == 0) {
		t->kinds = 1;
		t->a[0][0] = t->b[0][0] = 1;
		return NULL;
	}
	for (unsigned i = 0; i < t->kinds; i++)
		for (unsigned j = i; j < t->kinds; j++)
			if (!r->given[i][j])
				return arena_printf(r->arena, "%s: there is no line for pair %u %u", r->path, i + 1, j + 1);
	return NULL;
}

/* ---- the table ------------------------------------------------------------------------- */

static double x_step(const struct force_table *t)
{
	return (t->last - t->first) / (t->n - 1);
}

/* Computes the integral of a table that is otherwise complete. */
static void add_integral(struct arena *a, struct force_table *t)
{
	t->integral = arena_alloc(a, t->n * sizeof *t->integral);
	t->integral[t->n - 1] = 0;
	for (unsigned k = t->n - 1; k > 0; k--)
		t->integral[k - 1] = t->integral[k] - x_step(t) * ((double)t->g[k - 1] + (double)t->g[k]) / 2;
}

static void make_default(struct arena *a, struct force_table *t)
{
	enum { ENTRIES = 1025, LAST = 16 };
	t->kinds = 2;
	t->n = ENTRIES;
	t->last = LAST;
	t->g = arena_zero(a, ENTRIES * sizeof *t->g);
	for (unsigned k = 0; k < ENTRIES - 1; k++)
		t->g[k] = (float)exp(-(double)k * LAST / (ENTRIES - 1));
	for (unsigned k = 0; k < 4; k++) {
		t->a[k / 2][k % 2] = 1;
		t->b[k / 2][k % 2] = k / 2 == k % 2 ? -1 : 1;
	}
}

static const char *read_table(struct arena *a, const char *path, struct force_table *t)
{
	struct reading r = {.arena = a, .path = path, .to = t};
	const char *wrong = read_force_lines(&r);
	wrong = wrong ? wrong : check_entries(&r);
	wrong = wrong ? wrong : check_pairs(&r);
	if (wrong)
		return wrong;
	t->n = r.x.n;
	t->first = r.x.at[0];
	t->last = r.x.at[t->n - 1];
	t->g = arena_alloc(a, t->n * sizeof *t->g);
	for (unsigned k = 0; k < t->n; k++)
		t->g[k] = (float)r.g.at[k];
	return NULL;
}

const char *force_table_open(struct arena *a, const char *path, struct force_table *t)
{
	const char *wrong = NULL;
	*t = (struct force_table){.kinds = 0};
	if (path)
		wrong = read_table(a, path, t);
	else
		make_default(a, t);
	if (!wrong)
		add_integral(a, t);
	for (unsigned k = 0; k <= t->kinds; k++)
		t->a[k][t->kinds] = t->a[t->kinds][k] = 1;
	return wrong;
}

/* A place in the table between two entries, or at the first or the last. */
struct table_place {
	unsigned cell;          /* number of the entry before the place */
	double fraction, slope; /* share of the way to the next entry; difference of the two entries */
};

static struct table_place place_at(const struct force_table *t, double x)
{
	double const at = fmin(fmax((x - t->first) / x_step(t), 0), t->n - 1);
	unsigned const cell = at < t->n - 1 ? (unsigned)at : t->n - 2;
	return (struct table_place){cell, at - cell, (double)t->g[cell + 1] - (double)t->g[cell]};
}

double force_table_at(const struct force_table *t, double x)
{
	struct table_place const p = place_at(t, x);
	return (double)t->g[p.cell] + p.fraction * p.slope;
}

double force_table_integral(const struct force_table *t, double x)
{
	struct table_place const p = place_at(t, x);
	double const inside = p.fraction * ((double)t->g[p.cell] + p.fraction * p.slope / 2) * x_step(t);
	return t->integral[p.cell] + inside + (x - fmin(fmax(x, t->first), t->last)) * force_table_at(t, x);
}

/* Adds a term for the rounding of x, which changes g by the steepest slope nearby for each cell that x moves. */
double force_table_size(const struct force_table *t, double x)
{
	struct table_place const p = place_at(t, x);
	double steepest = 0;
	for (unsigned k = p.cell ? p.cell - 1 : 0; k < p.cell + 2 && k < t->n - 1; k++)
		steepest = fmax(steepest, fabs((double)t->g[k + 1] - (double)t->g[k]));
	return fabs((double)t->g[p.cell]) + steepest * (1 + (fmin(fabs(x), t->last) + t->first) / x_step(t));
}
