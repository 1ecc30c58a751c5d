/* Chooses a size, times the programs and prints the weights, see calibration.h. */
#include "gpu/calibration.h"

#include "gpu/mesh.h"
#include "lang/parse.h"

enum { MOST_SIZE = 2048 };

/* ---- measuring ------------------------------------------------------------------------- */

static const struct program *parse_rate(struct arena *a, const char *text)
{
	struct source *source = arena_zero(a, sizeof *source);
	struct diags diags;
	diag_init(&diags, a);
	*source = (struct source){.name = "a program of rates.c", .text = text, .size = strlen(text)};
	return parse_programs(a, source, &diags).at[0];
}

static void open_rates(struct calibration *c)
{
	struct rate *r;
	uint32_t const n = rates_make(c->arena, &r);
	for (uint32_t k = 0; k < n; k++) {
		struct measured const m = {.rate = &r[k], .part = r[k].cell ? PART_VERTICES : r[k].colours ? PART_COLOURS : PART_PIXELS,
		                           .vs = parse_rate(c->arena, r[k].vp), .ps = parse_rate(c->arena, r[k].fp)};
		if (c->takes(c->drawer, &m))
			VEC_PUSH(c->arena, &c->all) = m;
		else
			c->refused++;
	}
}

static struct timed_program timed_program_of(const struct calibration *c, const struct measured *m, int cells)
{
	double const pixels = (double)c->size * c->size / ((double)cells * cells);
	return (struct timed_program){.vs = m->vs, .ps = m->ps, .pixels_per_vertex = pixels, .runs = GROUND_CELL_VERTICES,
	                         .vertices = m->part == PART_VERTICES, .plain = c->plain && m->part != PART_COLOURS, .ns = m->ns.median};
}

/* Times programs of one part, which all have cells of one size, and writes the times to `all` and `timings`.  Returns NULL, or what is
 * wrong. */
static const char *measure_programs(struct calibration *c, const uint32_t *which, uint32_t n, double seconds)
{
	const struct measured *first = &c->all.at[which[0]];
	int const cells = first->rate->cell ? c->size / (int)first->rate->cell : 1;
	struct round r = {.which = which, .n = n, .part = first->part, .size = c->size, .cells = cells, .seconds = seconds,
	                  .ns = arena_zero(c->arena, n * sizeof *r.ns)};
	double const pixels = (double)c->size * c->size;
	const char *wrong = c->draw(c->drawer, &r);
	c->samples = c->samples && c->samples < r.samples ? c->samples : r.samples;
	for (uint32_t k = 0; k < n && !wrong; k++) {
		struct measured *m = &c->all.at[which[k]];
		struct quartiles const q = stats_quartiles(r.ns[k], r.samples);
		m->ns = (struct quartiles){q.low / pixels, q.median / pixels, q.high / pixels};
		c->timings[which[k]] = timed_program_of(c, m, cells);
	}
	return wrong;
}

static const char *measure_all_parts(struct calibration *c, double seconds)
{
	uint32_t *which = arena_alloc(c->arena, c->all.n * sizeof *which);
	const char *wrong = NULL;
	for (enum part part = PART_PIXELS; part < PARTS && !wrong; part++) {
		uint32_t n = 0;
		for (uint32_t k = 0; k < c->all.n; k++)
			if (c->all.at[k].part == part)
				which[n++] = k;
		if (n)
			wrong = measure_programs(c, which, n, seconds * n / c->all.n);
	}
	return wrong;
}

/* Chooses the size of the target: doubles it as long as the device allows and the longest program, timed once, shows that all programs can
 * then be drawn often enough in the time.  Returns NULL, or what is wrong. */
static const char *choose_size(struct calibration *c)
{
	enum { DRAWS = 16 };
	uint32_t longest = 0;
	const char *wrong = NULL;
	double const most = c->seconds * 1e9 / (c->all.n * DRAWS * (c->software ? 4.0 : 1.0));
	for (uint32_t k = 0; k < c->all.n; k++)
		if (c->all.at[k].part == PART_PIXELS && c->all.at[k].ps->instrs.n > c->all.at[longest].ps->instrs.n)
			longest = k;
	for (int size = CALIBRATION_LEAST_SIZE; size <= MOST_SIZE && size <= c->largest && !wrong; size *= 2) {
		c->size = size;
		wrong = measure_programs(c, &longest, 1, 0);
		if (4 * c->all.at[longest].ns.median * size * size > most)
			break;
	}
	c->samples = 0;
	return wrong;
}

const char *calibration_run(struct calibration *c)
{
	double const began = stats_now_ns();
	open_rates(c);
	if (!c->all.n)
		return "the driver takes none of the programs";
	c->timings = arena_zero(c->arena, c->all.n * sizeof *c->timings);
	const char *wrong = choose_size(c);
	wrong = wrong ? wrong : measure_all_parts(c, c->seconds - (stats_now_ns() - began) / 1e9);
	return wrong ? wrong : weights_fit(c->arena, c->timings, c->all.n, &c->weights);
}

/* ---- the table of weights -------------------------------------------------------------- */

static uint32_t weight_in_units(const struct target *t, enum weight k)
{
	switch (k) {
	case WEIGHT_INSTR: return t->instr;
	case WEIGHT_LANE: return t->lane;
	case WEIGHT_SPECIAL: return t->special;
	case WEIGHT_TEX: return t->tex;
	case WEIGHT_ORDER: return t->order;
	case WEIGHT_VARYING: return t->varying;
	case WEIGHT_PIXEL: return t->pixel;
	case WEIGHT_OVERLAP: return t->overlap;
	case WEIGHT_VERTEX: return t->vertex;
	case WEIGHT_INTERPOLATOR: return t->interpolator;
	case WEIGHT_PLAIN:
	case WEIGHT_CORNER:
	case WEIGHTS: break;
	}
	return 0;
}

static void tell_weight(const struct weights *f, enum weight k, struct text *to)
{
	uint32_t const units = weight_in_units(&f->target, k);
	double const unit = k == WEIGHT_OVERLAP ? 1 : f->unit;
	text_printf(to, "%-13s", weight_names[k]);
	if (k == WEIGHT_OVERLAP)
		text_printf(to, "%12s", "");
	else
		text_printf(to, "%12.6f", f->value[k]);
	if (!f->told[k])
		text_printf(to, " %8u  cannot be told from 0; set to %u\n", units, units);
	else
		text_printf(to, " %8u  %.1f to %.1f\n", units, f->low[k] / unit, f->high[k] / unit);
}

static double usual_spread(const struct calibration *c)
{
	double *spread = arena_alloc(c->arena, c->all.n * sizeof *spread);
	for (uint32_t k = 0; k < c->all.n; k++)
		spread[k] = (c->all.at[k].ns.high - c->all.at[k].ns.low) / c->all.at[k].ns.median;
	return stats_quartiles(spread, c->all.n).median;
}

void calibration_tell(const struct calibration *c, struct text *to)
{
	const struct weights *f = &c->weights;
	text_printf(to, "%u programs drawn at %d x %d, %s, %u times or more\nhalf of the times of a program lie within %.1f%%\n",
	            c->all.n, c->size, c->size, c->format, c->samples, 100 * usual_spread(c));
	if (c->refused)
		text_printf(to, "the driver refuses %u more programs\n", c->refused);
	text_printf(to, "%-13s%12s %8s  %s\n", "weight", "ns", "units", "95% lie within");
	for (unsigned k = 0; k < WEIGHT_PLAIN; k++)
		tell_weight(f, (enum weight)k, to);
	const struct rate *worst = c->all.at[f->worst_at].rate;
	text_printf(to, "the model meets these times within %.1f%% on average, %.0f%% at most (%s %s)\n", 100 * f->error,
	            100 * f->worst, worst->family, worst->name);
}

/* ---- the profile ----------------------------------------------------------------------- */

/* Returns DEVICE-FORMAT: the device's name ends before '/' or '(', and each run of characters outside `letters` in it becomes one '-'. */
static const char *profile_name(struct arena *a, const char *device, const char *format)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";
	struct text t = {.arena = a};
	for (const char *c = device; *c && *c != '/' && *c != '('; c++)
		if (strchr(letters, *c))
			text_char(&t, *c);
		else if (t.n && t.at[t.n - 1] != '-')
			text_char(&t, '-');
	text_printf(&t, "%s%s", t.n && t.at[t.n - 1] != '-' ? "-" : "", format);
	return t.at;
}

struct text calibration_profile(const struct calibration *c)
{
	struct text t = {.arena = c->arena};
	text_printf(&t, "{\n  \"name\": \"%s\"", profile_name(c->arena, c->device, c->format));
	for (unsigned k = 0; k < WEIGHT_PLAIN; k++)
		text_printf(&t, ",\n  \"%s\": %u", weight_names[k], weight_in_units(&c->weights.target, (enum weight)k));
	text_string(&t, "\n}\n");
	return t;
}
