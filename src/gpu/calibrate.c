/* fpmove-gpu calibrate: a cost profile of the GPU here, measured with rates.c's programs, fitted by weights.c, and tested on the
 * examples. */
#include "cli/files.h"
#include "cli/fit.h"
#include "cli/message.h"
#include "gpu/modes.h"
#include "gpu/probe.h"
#include "gpu/rates.h"
#include "gpu/stats.h"
#include "gpu/trial.h"

#include <math.h>

enum { LEAST_SIZE = 64, MOST_SIZE = 2048, SOFTWARE_SECONDS = 15 };

struct measured {
	const struct rate *rate;
	struct probe probe;
	struct quartiles ns;
};

struct work_place {
	struct arena *arena;
	const struct context *gpu;
	enum image_format format;     /* of textures and targets */
	const struct target *against; /* the examples are planned under this one, too; NULL: no */
	double began, seconds;        /* by seconds_now() */
	struct text said, csv;
	struct booth booth;
	struct { VEC(struct measured); } all;
	struct sighting *sighting; /* of each */
	unsigned refused;          /* programs that the driver does not take */
	struct weights weights;
};

/* ---- size ------------------------------------------------------------------------------ */

static const struct rate *longest_rate(const struct rate *r, uint32_t n)
{
	const struct rate *longest = r;
	for (uint32_t k = 0; k < n; k++)
		if (strlen(r[k].fp) > strlen(longest->fp))
			longest = &r[k];
	return longest;
}

/* Seconds that a sample of it takes by the clock on the wall. */
static double longest_sample(struct work_place *w, const struct rate *r, int size, const char **wrong)
{
	struct booth b;
	struct probe p = {.draws = 1};
	double began = 0;
	*wrong = booth_open(w->arena, w->gpu, size, w->format, &b);
	if (*wrong)
		return 0;
	*wrong = kernel_of_any_length(&b.lab, r->family, r->vp, r->fp, &p.kernel);
	*wrong = *wrong ? *wrong : probe_open(&b, 1, &p);
	if (!*wrong) {
		probe_warm(&b, &p);
		began = seconds_now();
		probe_warm(&b, &p);
	}
	double const took = seconds_now() - began;
	probe_close(&p);
	booth_close(&b);
	return took / 2;
}

/* The largest at which all can be drawn often enough. */
static const char *choose_size(struct work_place *w, const struct rate *r, uint32_t n, int *size)
{
	const char *wrong = NULL;
	double const most = w->seconds / 4 / (n * (PROBE_LEAST_SAMPLES + 2.0) / 2);
	for (*size = LEAST_SIZE; *size < MOST_SIZE && *size < w->gpu->largest && !wrong; *size *= 2)
		if (4 * longest_sample(w, longest_rate(r, n), *size, &wrong) > most)
			break;
	return wrong;
}

/* ---- measuring ------------------------------------------------------------------------- */

static void open_rates(struct work_place *w, const struct rate *r, uint32_t n)
{
	for (uint32_t k = 0; k < n; k++) {
		struct measured m = {.rate = &r[k]};
		unsigned const grid = r[k].cell ? (unsigned)w->booth.size / r[k].cell : 1;
		const char *wrong = kernel_of_any_length(&w->booth.lab, r[k].family, r[k].vp, r[k].fp, &m.probe.kernel);
		wrong = wrong ? wrong : probe_open(&w->booth, grid, &m.probe);
		if (wrong) {
			w->refused++;
			probe_close(&m.probe);
			continue;
		}
		VEC_PUSH(w->arena, &w->all) = m;
	}
}

static double measure(struct work_place *w, double until)
{
	struct probe **probe = arena_alloc(w->arena, (w->all.n + 1) * sizeof *probe);
	double *spread = arena_alloc(w->arena, (w->all.n + 1) * sizeof *spread);
	for (uint32_t k = 0; k < w->all.n; k++)
		probe[k] = &w->all.at[k].probe;
	probes_sample(&w->booth, probe, w->all.n, until - seconds_now());
	w->sighting = arena_alloc(w->arena, (w->all.n + 1) * sizeof *w->sighting);
	for (uint32_t k = 0; k < w->all.n; k++) {
		struct measured *m = &w->all.at[k];
		m->ns = stats_quartiles(m->probe.ns, m->probe.samples);
		spread[k] = (m->ns.high - m->ns.low) / m->ns.median;
		w->sighting[k] = (struct sighting){m->probe.kernel.vs, m->probe.kernel.ps, probe_pixels_per_vertex(&w->booth, &m->probe),
		                                   m->rate->cell != 0, m->ns.median};
	}
	return w->all.n ? stats_quartiles(spread, w->all.n).median : 0;
}

/* ---- what is said of the weights ------------------------------------------------------- */

static uint32_t whole_weight(const struct target *t, enum weight k)
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
	case WEIGHT_CORNER:
	case WEIGHTS: break;
	}
	return 0;
}

static void say_weight(struct work_place *w, enum weight k)
{
	const struct weights *f = &w->weights;
	uint32_t const units = whole_weight(&f->target, k);
	double const unit = k == WEIGHT_OVERLAP ? 1 : f->unit;
	text_printf(&w->said, "%-13s", weight_names[k]);
	if (k == WEIGHT_OVERLAP)
		text_printf(&w->said, "%12s", "");
	else
		text_printf(&w->said, "%12.6f", f->value[k]);
	if (!f->told[k])
		text_printf(&w->said, " %8u  cannot be told from 0, and takes %u\n", units, units);
	else
		text_printf(&w->said, " %8u  %.1f to %.1f\n", units, f->low[k] / unit, f->high[k] / unit);
}

static void say_weights(struct work_place *w, double spread)
{
	const struct weights *f = &w->weights;
	int const size = w->booth.size;
	text_printf(&w->said, "%u programs drawn at %d x %d, %s, %u times each; half of the times of one lie within %.1f%%\n", w->all.n,
	            size, size, image_formats[w->format].name, w->all.at[0].probe.samples, 100 * spread);
	if (w->refused)
		text_printf(&w->said, "%u more are refused by the driver\n", w->refused);
	text_printf(&w->said, "%-13s%12s %8s  %s\n", "weight", "ns", "units", "95% lie within");
	for (unsigned k = 0; k < WEIGHT_CORNER; k++)
		say_weight(w, (enum weight)k);
	const struct rate *worst = w->all.at[f->worst_at].rate;
	text_printf(&w->said, "these programs' times are met within %.1f%% on average, %.0f%% at most (%s %s)\n", 100 * f->error,
	            100 * f->worst, worst->family, worst->name);
}

/* ---- files ----------------------------------------------------------------------------- */

/* Letters that a profile's name may have; others are one '-'. */
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

static struct text profile_text(const struct work_place *w)
{
	struct text t = {.arena = w->arena};
	text_printf(&t, "{\n  \"name\": \"%s\"", profile_name(w->arena, w->gpu->renderer, image_formats[w->format].name));
	for (unsigned k = 0; k < WEIGHT_CORNER; k++)
		text_printf(&t, ",\n  \"%s\": %u", weight_names[k], whole_weight(&w->weights.target, (enum weight)k));
	text_string(&t, "\n}\n");
	return t;
}

static void list_times(struct work_place *w)
{
	text_string(&w->csv, "kind,program,name,size,pixels a vertex,ns a pixel,spread or ratio,predicted\n");
	for (uint32_t k = 0; k < w->all.n; k++) {
		const struct measured *m = &w->all.at[k];
		const struct sighting *s = &w->sighting[k];
		text_printf(&w->csv, "rate,%s,%s,%d,%.2f,%.6f,%.4f,%.6f\n", m->rate->family, m->rate->name, w->booth.size,
		            s->pixels_per_vertex, s->ns, (m->ns.high - m->ns.low) / m->ns.median,
		            weights_time(&w->weights, s->vs, s->ps, s->pixels_per_vertex));
	}
}

/* ---- all of it ------------------------------------------------------------------------- */

static const char *measure_and_fit(struct work_place *w)
{
	struct rate *rate;
	uint32_t const n = rates_make(w->arena, &rate);
	int size;
	const char *wrong = choose_size(w, rate, n, &size);
	wrong = wrong ? wrong : booth_open(w->arena, w->gpu, size, w->format, &w->booth);
	if (wrong)
		return wrong;
	open_rates(w, rate, n);
	double const spread = measure(w, w->began + w->seconds / 2);
	wrong = context_error();
	wrong = wrong ? wrong : weights_fit(w->arena, w->sighting, w->all.n, &w->weights);
	list_times(w);
	if (wrong)
		return wrong;
	say_weights(w, spread);
	struct trial const trial = {&w->booth, &w->weights, w->against, w->began + w->seconds - seconds_now(), &w->said, &w->csv};
	trial_run(&trial);
	return context_error();
}

static void close_work_place(struct work_place *w)
{
	for (uint32_t k = 0; k < w->all.n; k++)
		probe_close(&w->all.at[k].probe);
	booth_close(&w->booth);
}

/* The profile, where there is one, and the times. */
static const char *write_files(struct work_place *w, const struct gpu_options *o, bool fitted)
{
	struct text const profile = fitted ? profile_text(w) : (struct text){0};
	struct output out[2];
	uint32_t n = 0;
	const char *why = NULL;
	if (fitted)
		out[n++] = (struct output){.path = o->output, .text = profile.at, .n = profile.n};
	if (o->csv)
		out[n++] = (struct output){.path = o->csv, .text = w->csv.at, .n = w->csv.n};
	return files_write(w->arena, out, n, &why) ? NULL : why;
}

int calibrate_main(struct arena *a, const struct context *gpu, const struct gpu_options *o)
{
	struct work_place w = {.arena = a, .gpu = gpu, .began = seconds_now(), .seconds = o->seconds, .said = {.arena = a}, .csv = {.arena = a}};
	w.format = o->format >= 0 ? (enum image_format)o->format : IMAGE_RGBA8;
	w.against = o->plan.given & GIVEN_TARGET ? &o->plan.move.target : NULL;
	if (gpu->software && w.seconds > SOFTWARE_SECONDS)
		w.seconds = SOFTWARE_SECONDS;
	const char *why;
	if (gpu->software)
		message_note("a CPU draws here (%s): the weights say little of a GPU", gpu->renderer);
	const char *wrong = measure_and_fit(&w);
	close_work_place(&w);
	const char *unwritten = write_files(&w, o, !wrong);
	if (wrong)
		message_error("%s", wrong);
	if (unwritten)
		message_error("%s", unwritten);
	fit_lines(&w.said, 0, 2, o->columns);
	if (unwritten || (w.said.n && !print_out(&w.said, &why)))
		return GPU_USAGE;
	return wrong ? GPU_WRONG : GPU_DONE;
}
