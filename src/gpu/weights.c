/* The fit, see weights.h.
 *
 * It looks for the least sum over all timings of what the model is off by, as a logarithm, squared; timings that are much
 * further off than the others count less than by their square, as what delays one draw says nothing of the GPU.  The
 * model has corners where another unit becomes the one that takes longest, so the search asks for values alone: it tries
 * steps of each weight, of two, and of all together, which become smaller (Hooke and Jeeves). */
#include "gpu/weights.h"

#include "gpu/stats.h"

#include <math.h>

const char *const weight_names[WEIGHTS] = {"instr", "lane", "special", "tex", "order", "varying", "pixel", "overlap",
                                           "vertex", "interpolator", "plain", "corner"};

static bool is_of_vertices(enum weight k)
{
	return k == WEIGHT_VERTEX || k == WEIGHT_INTERPOLATOR || k == WEIGHT_CORNER;
}

/* What a pair has of each weight's kind. */
struct point {
	double amount[WEIGHTS];
	double per_pixel; /* vertices */
	double ns;
	double count;     /* how often it counts in the sum */
};

struct problem {
	struct point *point;
	uint32_t n;
	double far;         /* from here on, errors count by themselves, not by their squares */
	double grain;       /* ns that one step of the model's whole numbers stands for */
	bool free[WEIGHTS]; /* what the search may change */
};

static const double LEAST_PART = 1.0 / 262144; /* of the shortest time of a pixel: no weight of a profile is finer */

/* ---- the model ------------------------------------------------------------------------- */

/* Each weight is 1 in turn; what a varying takes of lanes counts as lanes. */
static void count_amounts(const struct sighting *s, struct point *p)
{
	struct target const instr = {.instr = 1}, lane = {.lane = 1, .varying = 1, .output = TARGET_OUTPUT_LANES}, special = {.special = 1}, tex = {.tex = 1},
	                    order = {.order = 1}, pixel = {.pixel = 1}, vertex = {.vertex = 1}, interpolator = {.interpolator = 1};
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

static double error_of(const struct problem *pr, const struct point *p, const double w[WEIGHTS])
{
	return fabs(log(model_time(pr, p, w) / p->ns));
}

static double loss(const struct problem *pr, const double w[WEIGHTS])
{
	double sum = 0;
	for (uint32_t k = 0; k < pr->n; k++) {
		double const off = error_of(pr, &pr->point[k], w);
		sum += pr->point[k].count * (off < pr->far ? off * off : pr->far * (2 * off - pr->far));
	}
	return sum;
}

/* ---- the search ------------------------------------------------------------------------ */

/* Overlap is a whole number from 1 on, which a small step changes by 1. */
static double stepped(enum weight k, double value, double step)
{
	double const next = value * exp(step);
	if (k != WEIGHT_OVERLAP)
		return next;
	double const whole = lround(next) == lround(value) ? value + (step > 0 ? 1 : -1) : round(next);
	return fmin(fmax(whole, 1), 65535);
}

/* One step of each weight, where that is better. */
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

/* The first exchange of one weight for another that is better: where two explain the same programs, neither may go alone. */
static double exchange(const struct problem *pr, double w[WEIGHTS], double best, double step)
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

static void copy(double to[WEIGHTS], const double from[WEIGHTS])
{
	memcpy(to, from, WEIGHTS * sizeof *to);
}

/* As far again as from `from` to `w`. */
static void go_on(const struct problem *pr, const double from[WEIGHTS], const double w[WEIGHTS], double to[WEIGHTS])
{
	copy(to, w);
	for (unsigned k = 0; k < WEIGHTS; k++)
		if (pr->free[k] && k != WEIGHT_OVERLAP && from[k] > 0)
			to[k] = w[k] * w[k] / from[k];
}

static double search(const struct problem *pr, double w[WEIGHTS], double step)
{
	enum { ROUNDS = 500 };
	double best = loss(pr, w), here[WEIGHTS], further[WEIGHTS];
	for (unsigned round = 0; round < ROUNDS && step > 1e-4; round++) {
		copy(here, w);
		double now = explore(pr, w, best, step);
		if (!(now < best * (1 - 1e-5)))
			now = exchange(pr, w, now, step);
		bool const worth_it = now < best * (1 - 1e-5);
		best = now;
		if (!worth_it) {
			step *= 0.6;
			continue;
		}
		go_on(pr, here, w, further);
		double const beyond = explore(pr, further, loss(pr, further), step);
		if (beyond < best) {
			best = beyond;
			copy(w, further);
		}
	}
	return best;
}

/* No unit can take longer than the whole: where a pair has much of one kind, that is nearly what it takes. */
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

static void start(const struct problem *pr, double w[WEIGHTS])
{
	for (unsigned k = 0; k < WEIGHTS; k++)
		if (pr->free[k] && k != WEIGHT_OVERLAP)
			w[k] = upper_bound(pr, (enum weight)k) * (k == WEIGHT_INSTR || k == WEIGHT_ORDER || is_of_vertices((enum weight)k) ? 0.3 : 1);
}

/* From no overlap to much: each may be a valley of its own. */
static double search_widely(const struct problem *pr, double w[WEIGHTS])
{
	double least = (double)INFINITY, first[WEIGHTS], now[WEIGHTS];
	copy(first, w);
	start(pr, first);
	for (unsigned overlap = 1; overlap <= (pr->free[WEIGHT_OVERLAP] ? 64 : 1); overlap *= 2) {
		copy(now, first);
		if (pr->free[WEIGHT_OVERLAP])
			now[WEIGHT_OVERLAP] = overlap;
		double const found = search(pr, now, 0.5);
		if (found < least) {
			least = found;
			copy(w, now);
		}
	}
	return least;
}

/* ---- weights that are none ------------------------------------------------------------- */

static uint32_t count_free(const struct problem *pr)
{
	uint32_t n = 0;
	for (unsigned k = 0; k < WEIGHTS; k++)
		n += pr->free[k];
	return n;
}

/* Takes out the weight without which the timings are explained as well, if there is one; what a vertex takes anyway stays.  By how
 * much the sum of squares may grow is what a number without meaning would take off it, ten times over, as timings of alike
 * programs err alike. */
static bool drop_one(struct problem *pr, double w[WEIGHTS], double *least)
{
	double best = (double)INFINITY, kept[WEIGHTS] = {0}, now[WEIGHTS];
	unsigned which = WEIGHTS;
	for (unsigned k = 0; k < WEIGHTS; k++) {
		if (!pr->free[k] || k == WEIGHT_OVERLAP || k == WEIGHT_CORNER)
			continue;
		pr->free[k] = false;
		copy(now, w);
		now[k] = 0;
		double const without = search(pr, now, 0.2);
		pr->free[k] = true;
		if (without < best) {
			best = without;
			which = k;
			copy(kept, now);
		}
	}
	uint32_t const used = count_free(pr);
	double const noise = *least / (pr->n > used ? pr->n - used : 1);
	if (which == WEIGHTS || best - *least > 10 * noise)
		return false;
	pr->free[which] = false;
	copy(w, kept);
	*least = best;
	return true;
}

/* What is far off is seen beside the others. */
static void set_far(struct arena *a, struct problem *pr, const double w[WEIGHTS])
{
	double *off = arena_alloc(a, pr->n * sizeof *off);
	for (uint32_t k = 0; k < pr->n; k++)
		off[k] = error_of(pr, &pr->point[k], w);
	stats_sort(off, pr->n);
	pr->far = fmax(3 * off[pr->n / 2], 0.01);
}

static void fit(struct arena *a, struct problem *pr, double w[WEIGHTS])
{
	search_widely(pr, w);
	set_far(a, pr, w);
	double least = search_widely(pr, w);
	while (drop_one(pr, w, &least))
		;
}

/* ---- how sure that is ------------------------------------------------------------------ */

static uint32_t random_below(uint64_t *state, uint32_t n)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)((*state >> 32) * n >> 32);
}

/* Fits to as many timings, some of which are there twice or more and others not. */
static void bounds(const struct problem *pr, struct weights *w)
{
	enum { TIMES = 40, OUTSIDE = 1 };
	double found[WEIGHTS][TIMES], now[WEIGHTS];
	uint64_t seed = 1;
	for (unsigned time = 0; time < TIMES; time++) {
		for (uint32_t k = 0; k < pr->n; k++)
			pr->point[k].count = 0;
		for (uint32_t k = 0; k < pr->n; k++)
			pr->point[random_below(&seed, pr->n)].count++;
		copy(now, w->value);
		search(pr, now, 0.05);
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

/* What cannot be told from 0 takes as much as a scalar operation, or a unit, so that no work is for nothing; but slots and orders do
 * take nothing by themselves on most GPUs. */
static uint32_t whole(const struct weights *w, enum weight k)
{
	double const units = w->value[k] / w->unit;
	if (k == WEIGHT_OVERLAP)
		return (uint32_t)lround(w->value[k]);
	if (!w->told[k])
		return k == WEIGHT_INSTR || k == WEIGHT_ORDER ? 0 : w->told[WEIGHT_LANE] ? (uint32_t)lround(w->value[WEIGHT_LANE] / w->unit) : 1;
	return units < 1 ? 1 : units < 65535 ? (uint32_t)lround(units) : 65535;
}

/* A unit is a hundredth, tenth or whole of a scalar operation, or where these cost nothing by themselves of a slot: the finest
 * under which no weight is too large. */
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
		.output = TARGET_OUTPUT_LANES * whole(w, WEIGHT_LANE),
		.name = "calibrated", .instr = whole(w, WEIGHT_INSTR), .lane = whole(w, WEIGHT_LANE), .special = whole(w, WEIGHT_SPECIAL),
		.tex = whole(w, WEIGHT_TEX), .order = whole(w, WEIGHT_ORDER), .varying = whole(w, WEIGHT_VARYING),
		.vertex = whole(w, WEIGHT_VERTEX), .interpolator = whole(w, WEIGHT_INTERPOLATOR), .pixel = whole(w, WEIGHT_PIXEL),
		.overlap = whole(w, WEIGHT_OVERLAP),
	};
}

double weights_time(const struct weights *w, const struct sighting *s)
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

static const char *check(const struct sighting *s, uint32_t n)
{
	for (uint32_t k = 0; k < n; k++)
		if (!(s[k].ns > 0 && s[k].ns < 1e9 && s[k].pixels_per_vertex > 0))
			return "a draw took no time, or more than there is: this machine's timer is of no use";
	return NULL;
}

static void open_problem(struct arena *a, const struct sighting *s, uint32_t n, bool vertices, struct problem *pr)
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

static void judge(const struct sighting *s, uint32_t n, struct weights *w)
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

const char *weights_fit(struct arena *a, const struct sighting *s, uint32_t n, struct weights *w)
{
	const char *wrong = check(s, n);
	*w = (struct weights){.value[WEIGHT_OVERLAP] = 1};
	for (int vertices = 0; vertices < 2 && !wrong; vertices++) {
		struct problem pr;
		open_problem(a, s, n, vertices, &pr);
		if (pr.n < WEIGHTS / 2)
			return "there are too few timings";
		fit(a, &pr, w->value);
		for (unsigned k = 0; k < WEIGHTS; k++)
			w->told[k] |= pr.free[k];
		bounds(&pr, w);
	}
	if (wrong)
		return wrong;
	if (!w->told[WEIGHT_LANE] && !w->told[WEIGHT_INSTR])
		return "more arithmetic does not take longer here: the draws are too short, or the machine is busy with something else";
	make_target(w);
	judge(s, n, w);
	return w->error > 0.5 ? "the times follow no rule: the machine is busy with something else, or times draws wrongly" : NULL;
}
