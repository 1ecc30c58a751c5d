/* Fits the weights, see weights.h.
 *
 * The fit minimises the sum, over all timings, of the squared logarithmic error of the model.  Timings that are much further off than the
 * others count less than by their square, as whatever delayed one draw says nothing about the GPU.  The model has kinks, where another unit
 * becomes the slowest, so the search uses no derivatives: it tries steps of one weight, of two, and of all together, and makes the steps
 * smaller (Hooke and Jeeves). */
#include "gpu/weights.h"

#include "gpu/stats.h"

#include <math.h>

const char *const weight_names[WEIGHTS] = {"instr", "lane", "special", "tex", "order", "varying", "pixel", "overlap",
                                           "vertex", "interpolator", "plain", "corner"};

/* Returns true if the weight is a cost of vertices, and false if it is one of pixels. */
static bool is_of_vertices(enum weight k)
{
	return k == WEIGHT_VERTEX || k == WEIGHT_INTERPOLATOR || k == WEIGHT_CORNER;
}

/* A timing as the fit sees it. */
struct point {
	double amount[WEIGHTS]; /* how often each weight counts in the time of the pair */
	double per_pixel;       /* number of vertices for each pixel */
	double ns;
	double count;           /* how often the timing counts in the sum */
};

struct problem {
	struct point *point;
	uint32_t n;
	double far;         /* errors above this count linearly, not by their squares */
	double grain;       /* ns of one unit of the model's whole numbers */
	bool free[WEIGHTS]; /* true for weights that the search may change */
};

static const double LEAST_PART = 1.0 / 262144; /* the grain (problem.grain), as a part of the shortest time of a pixel; no target has finer weights */

/* ---- the model ------------------------------------------------------------------------- */

/* Finds how much each weight counts in the time of a pair, by targets in which one weight is 1 and the others 0.  The lanes that a varying
 * takes count as lanes. */
static void count_amounts(const struct timed_program *s, struct point *p)
{
	struct target const instr = {.instr = 1}, lane = {.lane = 1, .varying = 1, .output = TARGET_OUTPUT_LANES}, special = {.special = 1},
	                    tex = {.tex = 1}, order = {.order = 1}, pixel = {.pixel = 1}, vertex = {.vertex = 1}, interpolator = {.interpolator = 1};
	struct work const lanes_and_varyings = target_pixel(&lane, s->ps), written = target_pixel(&pixel, s->ps);
	double const unit = TARGET_UNIT;
	*p = (struct point){.per_pixel = 1 / s->pixels_per_vertex, .ns = s->ns, .count = 1};
	p->amount[WEIGHT_INSTR] = (double)target_pixel(&instr, s->ps).arith / unit;
	p->amount[WEIGHT_LANE] = (double)lanes_and_varyings.arith / unit;
	p->amount[WEIGHT_VARYING] = (double)lanes_and_varyings.varying / unit;
	p->amount[WEIGHT_SPECIAL] = (double)target_pixel(&special, s->ps).special / unit;
	p->amount[WEIGHT_TEX] = (double)target_pixel(&tex, s->ps).tex / unit;
	p->amount[WEIGHT_ORDER] = (double)target_pixel(&order, s->ps).tex / unit;
	p->amount[s->plain ? WEIGHT_PLAIN : WEIGHT_PIXEL] = (double)work_hides(&written) / unit;
	p->amount[WEIGHT_VERTEX] = (double)target_vertex(&vertex, s->vs, s->ps) / unit * s->runs;
	p->amount[WEIGHT_INTERPOLATOR] = (double)target_vertex(&interpolator, s->vs, s->ps) / unit;
	p->amount[WEIGHT_CORNER] = 1;
}

/* Returns the time that weight k contributes to the pair's time, in whole grains (the unit of the search's model). */
static uint64_t grains(const struct problem *pr, const struct point *p, const double w[WEIGHTS], enum weight k)
{
	return (uint64_t)(w[k] * p->amount[k] / pr->grain + 0.5);
}

static double model_time(const struct problem *pr, const struct point *p, const double w[WEIGHTS])
{
	struct work const work = {.arith = grains(pr, p, w, WEIGHT_INSTR) + grains(pr, p, w, WEIGHT_LANE),
	                          .special = grains(pr, p, w, WEIGHT_SPECIAL),
	                          .tex = grains(pr, p, w, WEIGHT_TEX) + grains(pr, p, w, WEIGHT_ORDER),
	                          .varying = grains(pr, p, w, WEIGHT_VARYING),
	                          .pixel = grains(pr, p, w, WEIGHT_PIXEL) + grains(pr, p, w, WEIGHT_PLAIN)};
	struct target const t = {.overlap = (uint32_t)lround(w[WEIGHT_OVERLAP])};
	double const vertex = w[WEIGHT_VERTEX] * p->amount[WEIGHT_VERTEX] + w[WEIGHT_INTERPOLATOR] * p->amount[WEIGHT_INTERPOLATOR] +
	                      w[WEIGHT_CORNER];
	return (double)target_time(&t, &work) * pr->grain + vertex * p->per_pixel;
}

/* Returns the absolute logarithmic error of the model at a timing. */
static double log_error(const struct problem *pr, const struct point *p, const double w[WEIGHTS])
{
	return fabs(log(model_time(pr, p, w) / p->ns));
}

static double loss(const struct problem *pr, const double w[WEIGHTS])
{
	double sum = 0;
	for (uint32_t k = 0; k < pr->n; k++) {
		double const off = log_error(pr, &pr->point[k], w);
		sum += pr->point[k].count * (off < pr->far ? off * off : pr->far * (2 * off - pr->far));
	}
	return sum;
}

/* ---- the search ------------------------------------------------------------------------ */

/* Returns the weight after a step.  The overlap is a whole number from 1 on, which even a small step changes by 1. */
static double stepped(enum weight k, double value, double step)
{
	double const next = value * exp(step);
	if (k != WEIGHT_OVERLAP)
		return next;
	double const whole = lround(next) == lround(value) ? value + (step > 0 ? 1 : -1) : round(next);
	return fmin(fmax(whole, 1), 65535);
}

/* Tries a step up and a step down for each weight, and keeps the first that is better.  Returns the new loss. */
static double explore(const struct problem *pr, double w[WEIGHTS], double best, double step)
{
	for (unsigned k = 0; k < WEIGHTS; k++) {
		for (int sign = 1; pr->free[k] && sign >= -1; sign -= 2) {
			double const before = w[k];
			w[k] = stepped((enum weight)k, before, sign * step);
			double const now = loss(pr, w);
			if (now < best) {
				best = now;
				break;
			}
			w[k] = before;
		}
	}
	return best;
}

/* Raises one weight and lowers another by a step, and keeps the first pair of these for which the loss is less: if two weights explain the same
 * programs, a step of one alone never helps.  Returns the new loss. */
static double exchange_weights(const struct problem *pr, double w[WEIGHTS], double best, double step)
{
	for (unsigned up = 0; up < WEIGHTS; up++) {
		for (unsigned down = 0; down < WEIGHTS; down++) {
			if (up == down || !pr->free[up] || !pr->free[down])
				continue;
			double const before[2] = {w[up], w[down]};
			w[up] = stepped((enum weight)up, w[up], step);
			w[down] = stepped((enum weight)down, w[down], -step);
			double const now = loss(pr, w);
			if (now < best)
				return now;
			w[up] = before[0];
			w[down] = before[1];
		}
	}
	return best;
}

static void copy_weights(double to[WEIGHTS], const double from[WEIGHTS])
{
	memcpy(to, from, WEIGHTS * sizeof *to);
}

/* Computes `to`, the weights as far beyond `w` as `w` is from `from`, on a logarithmic scale. */
static void extrapolate(const struct problem *pr, const double from[WEIGHTS], const double w[WEIGHTS], double to[WEIGHTS])
{
	copy_weights(to, w);
	for (unsigned k = 0; k < WEIGHTS; k++)
		if (pr->free[k] && k != WEIGHT_OVERLAP && from[k] > 0)
			to[k] = w[k] * w[k] / from[k];
}

/* Searches from `w` with steps that begin with `step`.  Returns the least loss found. */
static double search_weights(const struct problem *pr, double w[WEIGHTS], double step)
{
	enum { ROUNDS = 500 };
	double best = loss(pr, w), here[WEIGHTS], further[WEIGHTS];
	for (unsigned round = 0; round < ROUNDS && step > 1e-4; round++) {
		copy_weights(here, w);
		double now = explore(pr, w, best, step);
		if (!(now < best * (1 - 1e-5)))
			now = exchange_weights(pr, w, now, step);
		bool const worth_it = now < best * (1 - 1e-5);
		best = now;
		if (!worth_it) {
			step *= 0.6;
			continue;
		}
		extrapolate(pr, here, w, further);
		double const beyond = explore(pr, further, loss(pr, further), step);
		if (beyond < best) {
			best = beyond;
			copy_weights(w, further);
		}
	}
	return best;
}

/* Returns the largest value of weight k at which no pair would take longer than measured, if all other weights were 0, or 0 if
 * no pair uses it.  A pair that does little but this kind of work would take nearly the measured time. */
static double upper_bound(const struct problem *pr, enum weight k)
{
	double least = (double)INFINITY;
	for (uint32_t n = 0; n < pr->n; n++) {
		const struct point *p = &pr->point[n];
		double const amount = p->amount[k] * (is_of_vertices(k) ? p->per_pixel : 1);
		if (amount > 0)
			least = fmin(least, p->ns / amount);
	}
	return isinf(least) ? 0 : least;
}

/* Sets the free weights but the overlap to where the search starts: their upper bounds, or 0.3 of these. */
static void set_start(const struct problem *pr, double w[WEIGHTS])
{
	for (unsigned k = 0; k < WEIGHTS; k++)
		if (pr->free[k] && k != WEIGHT_OVERLAP)
			w[k] = upper_bound(pr, (enum weight)k) * (k == WEIGHT_INSTR || k == WEIGHT_ORDER || is_of_vertices((enum weight)k) ? 0.3 : 1);
}

/* Searches from several overlaps, from none to much, since each may lead to another local minimum.  Returns the least loss. */
static double search_all_overlaps(const struct problem *pr, double w[WEIGHTS])
{
	double least = (double)INFINITY, first[WEIGHTS], now[WEIGHTS];
	copy_weights(first, w);
	set_start(pr, first);
	for (unsigned overlap = 1; overlap <= (pr->free[WEIGHT_OVERLAP] ? 64 : 1); overlap *= 2) {
		copy_weights(now, first);
		if (pr->free[WEIGHT_OVERLAP])
			now[WEIGHT_OVERLAP] = overlap;
		double const found = search_weights(pr, now, 0.5);
		if (found < least) {
			least = found;
			copy_weights(w, now);
		}
	}
	return least;
}

/* ---- weights that are 0 ---------------------------------------------------------------- */

static uint32_t count_free(const struct problem *pr)
{
	uint32_t n = 0;
	for (unsigned k = 0; k < WEIGHTS; k++)
		n += pr->free[k];
	return n;
}

/* Fixes at 0 the weight that the timings need least, if they are explained as well without it.  WEIGHT_CORNER and WEIGHT_OVERLAP always stay.
 * The loss may grow by ten times the amount by which a weight without meaning would reduce it, since timings of similar programs have similar
 * errors.  Returns false if every weight is needed. */
static bool drop_one(struct problem *pr, double w[WEIGHTS], double *least)
{
	double best = (double)INFINITY, kept[WEIGHTS] = {0}, now[WEIGHTS];
	unsigned which = WEIGHTS;
	for (unsigned k = 0; k < WEIGHTS; k++) {
		if (!pr->free[k] || k == WEIGHT_OVERLAP || k == WEIGHT_CORNER)
			continue;
		pr->free[k] = false;
		copy_weights(now, w);
		now[k] = 0;
		double const without = search_weights(pr, now, 0.2);
		pr->free[k] = true;
		if (without < best) {
			best = without;
			which = k;
			copy_weights(kept, now);
		}
	}
	uint32_t const used = count_free(pr);
	double const noise = *least / (pr->n > used ? pr->n - used : 1);
	if (which == WEIGHTS || best - *least > 10 * noise)
		return false;
	pr->free[which] = false;
	copy_weights(w, kept);
	*least = best;
	return true;
}

/* Sets pr->far, the error from which errors count linearly, to three times the median error, but at least 0.01. */
static void set_far(struct arena *a, struct problem *pr, const double w[WEIGHTS])
{
	double *off = arena_alloc(a, pr->n * sizeof *off);
	for (uint32_t k = 0; k < pr->n; k++)
		off[k] = log_error(pr, &pr->point[k], w);
	stats_sort(off, pr->n);
	pr->far = fmax(3 * off[pr->n / 2], 0.01);
}

static void fit_problem(struct arena *a, struct problem *pr, double w[WEIGHTS])
{
	search_all_overlaps(pr, w);
	set_far(a, pr, w);
	double least = search_all_overlaps(pr, w);
	while (drop_one(pr, w, &least))
		;
}

/* ---- how sure that is ------------------------------------------------------------------ */

static uint32_t random_below(uint64_t *state, uint32_t n)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)((*state >> 32) * n >> 32);
}

/* Sets the intervals of weights by fits to random resamples of the timings, in which some occur several times and others not (bootstrap). */
static void find_bounds(const struct problem *pr, struct weights *w)
{
	enum { TIMES = 40, OUTSIDE = 1 };
	double found[WEIGHTS][TIMES], now[WEIGHTS];
	uint64_t seed = 1;
	for (unsigned time = 0; time < TIMES; time++) {
		for (uint32_t k = 0; k < pr->n; k++)
			pr->point[k].count = 0;
		for (uint32_t k = 0; k < pr->n; k++)
			pr->point[random_below(&seed, pr->n)].count++;
		copy_weights(now, w->value);
		search_weights(pr, now, 0.05);
		for (unsigned k = 0; k < WEIGHTS; k++)
			found[k][time] = now[k];
	}
	for (unsigned k = 0; k < WEIGHTS; k++) {
		if (!pr->free[k])
			continue;
		stats_sort(found[k], TIMES);
		w->low[k] = found[k][OUTSIDE];
		w->high[k] = found[k][TIMES - 1 - OUTSIDE];
	}
}

/* ---- whole numbers --------------------------------------------------------------------- */

/* Returns a weight in whole units, from 1 to 65535; the overlap, which has no unit, is only rounded.  A weight not told from 0 becomes that of a
 * scalar operation, or 1 if that is not told from 0 either, so that no work is free; but slots and orders become 0, as they cost nothing by
 * themselves on most GPUs. */
static uint32_t whole_units(const struct weights *w, enum weight k)
{
	double const units = w->value[k] / w->unit;
	if (k == WEIGHT_OVERLAP)
		return (uint32_t)lround(w->value[k]);
	if (!w->told[k])
		return k == WEIGHT_INSTR || k == WEIGHT_ORDER ? 0 : w->told[WEIGHT_LANE] ? (uint32_t)lround(w->value[WEIGHT_LANE] / w->unit) : 1;
	return units < 1 ? 1 : units < 65535 ? (uint32_t)lround(units) : 65535;
}

/* Sets the unit to a hundredth, a tenth or the whole of a scalar operation (or of a slot, if scalar operations cost nothing by themselves):
 * the finest of these for which no weight exceeds 65535 units, else the whole. */
static void choose_unit(struct weights *w)
{
	double const operation = w->told[WEIGHT_LANE] ? w->value[WEIGHT_LANE] : w->value[WEIGHT_INSTR];
	double most = 0;
	for (unsigned k = 0; k < WEIGHT_PLAIN; k++)
		if (k != WEIGHT_OVERLAP)
			most = fmax(most, w->value[k]);
	double parts = 100;
	while (parts > 1 && most > 65535 * operation / parts)
		parts /= 10;
	w->unit = operation / parts;
}

static void make_target(struct weights *w)
{
	choose_unit(w);
	w->target = (struct target){
		.output = TARGET_OUTPUT_LANES * whole_units(w, WEIGHT_LANE),
		.name = "calibrated", .instr = whole_units(w, WEIGHT_INSTR), .lane = whole_units(w, WEIGHT_LANE), .special = whole_units(w, WEIGHT_SPECIAL),
		.tex = whole_units(w, WEIGHT_TEX), .order = whole_units(w, WEIGHT_ORDER), .varying = whole_units(w, WEIGHT_VARYING),
		.vertex = whole_units(w, WEIGHT_VERTEX), .interpolator = whole_units(w, WEIGHT_INTERPOLATOR), .pixel = whole_units(w, WEIGHT_PIXEL),
		.overlap = whole_units(w, WEIGHT_OVERLAP),
	};
}

double weights_time(const struct weights *w, const struct timed_program *s)
{
	struct target const colour = {.pixel = 1};
	struct target vertex = w->target;
	struct work work = target_pixel(&w->target, s->ps);
	if (s->plain)
		work.pixel = (uint64_t)((double)target_pixel(&colour, s->ps).pixel * w->value[WEIGHT_PLAIN] / w->unit);
	vertex.vertex = (uint32_t)((double)vertex.vertex * s->runs);
	double const units = (double)target_time(&w->target, &work) + (double)target_vertex(&vertex, s->vs, s->ps) / s->pixels_per_vertex;
	return units / (double)TARGET_UNIT * w->unit + w->value[WEIGHT_CORNER] / s->pixels_per_vertex;
}

/* ---- all of it ------------------------------------------------------------------------- */

/* Checks all timings.  Returns NULL, or one sentence if one cannot be true. */
static const char *check_timings(const struct timed_program *s, uint32_t n)
{
	for (uint32_t k = 0; k < n; k++)
		if (!(s[k].ns > 0 && s[k].ns < 1e9 && s[k].pixels_per_vertex > 0))
			return "a draw took no time, or more than a second for a pixel: the timer of this machine does not work";
	return NULL;
}

/* Sets up the fit of the weights of vertices, or of those of pixels, to the timings made for them. */
static void open_problem(struct arena *a, const struct timed_program *s, uint32_t n, bool vertices, struct problem *pr)
{
	double least = (double)INFINITY;
	*pr = (struct problem){.far = (double)INFINITY, .point = arena_alloc(a, (n + 1) * sizeof *pr->point)};
	for (uint32_t k = 0; k < n; k++) {
		if (s[k].vertices != vertices)
			continue;
		count_amounts(&s[k], &pr->point[pr->n++]);
		least = fmin(least, s[k].ns);
	}
	pr->grain = least * LEAST_PART;
	for (unsigned k = 0; k < WEIGHTS; k++)
		pr->free[k] = is_of_vertices((enum weight)k) == vertices;
}

/* Sets the mean and the largest relative error of the fitted weights at the timings. */
static void find_errors_of_fit(const struct timed_program *s, uint32_t n, struct weights *w)
{
	double sum = 0;
	for (uint32_t k = 0; k < n; k++) {
		double const off = fabs(weights_time(w, &s[k]) / s[k].ns - 1);
		sum += off;
		if (off > w->worst) {
			w->worst = off;
			w->worst_at = k;
		}
	}
	w->error = sum / n;
}

const char *weights_fit(struct arena *a, const struct timed_program *s, uint32_t n, struct weights *w)
{
	const char *wrong = check_timings(s, n);
	*w = (struct weights){.value[WEIGHT_OVERLAP] = 1};
	for (int vertices = 0; vertices < 2 && !wrong; vertices++) {
		struct problem pr;
		open_problem(a, s, n, vertices, &pr);
		if (pr.n < WEIGHTS / 2)
			return "there are too few timings";
		fit_problem(a, &pr, w->value);
		for (unsigned k = 0; k < WEIGHTS; k++)
			w->told[k] |= pr.free[k];
		find_bounds(&pr, w);
	}
	if (wrong)
		return wrong;
	if (!w->told[WEIGHT_LANE] && !w->told[WEIGHT_INSTR])
		return "more arithmetic does not take longer here: the draws are too short, or the machine is busy with something else";
	make_target(w);
	find_errors_of_fit(s, n, w);
	return w->error > 0.5 ? "the times follow no rule: the machine is busy with something else, or times draws wrongly" : NULL;
}
