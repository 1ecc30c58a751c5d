/* fpmove-gpu calibrate: a cost profile of the GPU here, measured with rates.c's programs, fitted by weights.c, and tried on the
 * examples. */
#include "cli/files.h"
#include "cli/message.h"
#include "gpu/modes.h"
#include "gpu/output.h"
#include "gpu/rates.h"
#include "gpu/tryout.h"
#include "lang/parse.h"

#include <errno.h>
#include <unistd.h>

enum { LEAST_SIZE = 64, MOST_SIZE = 2048, SOFTWARE_SECONDS = 12 };

/* What is drawn to the same ground. */
enum part { PART_PIXELS, PART_COLOURS, PART_VERTICES, PARTS };

struct measured {
	const struct rate *rate;
	enum part part;
	struct subject subject;
	struct quartiles ns; /* a pixel */
};

struct workbench {
	struct arena *arena;
	const struct context *gpu;
	const struct gpu_options *options;
	double began, seconds;        /* in ns by stats_now_ns; how long all may take */
	struct ground ground;         /* of PART_COLOURS */
	struct { VEC(struct measured); } all;
	struct sighting *sighting;    /* of each */
	unsigned refused, samples;    /* programs that the driver does not take; times of each, at least */
	struct weights weights;
	struct text said;
	struct gpu_output out;
};

static double seconds_gone(const struct workbench *w)
{
	return (stats_now_ns() - w->began) / 1e9;
}

/* ---- measuring ------------------------------------------------------------------------- */

static const struct program *parse(struct arena *a, const char *text)
{
	struct source *source = arena_zero(a, sizeof *source);
	struct diags diags;
	diag_init(&diags, a);
	*source = (struct source){.name = "a program of rates.c", .text = text, .size = strlen(text)};
	return parse_programs(a, source, &diags).at[0];
}

/* Some are longer than an old driver takes. */
static bool is_taken(const struct workbench *w, const struct subject *s)
{
	struct shader_options const how = {.position = POSITION_CORNER};
	struct scene const scene = {.seed = 1};
	struct shader shader;
	if (subject_compile(w->arena, w->gpu, s, &how, &scene, &shader))
		return false;
	shader_delete(&shader);
	return (int)s->colours <= w->gpu->colours;
}

static void open_rates(struct workbench *w)
{
	static const struct needs nothing;
	struct rate *r;
	uint32_t const n = rates_make(w->arena, &r);
	for (uint32_t k = 0; k < n; k++) {
		struct measured m = {.rate = &r[k], .part = r[k].cell ? PART_VERTICES : r[k].colours ? PART_COLOURS : PART_PIXELS};
		if (!subject_make(&m.subject, parse(w->arena, r[k].vp), parse(w->arena, r[k].fp), &nothing) && is_taken(w, &m.subject))
			VEC_PUSH(w->arena, &w->all) = m;
		else
			w->refused++;
	}
}

/* Cells of the vertices' part are all of one size. */
static struct ground ground_of(const struct workbench *w, const struct measured *m)
{
	struct ground g = w->ground;
	g.grid = m->rate->cell ? g.size / (int)m->rate->cell : 1;
	g.plain = m->part != PART_COLOURS && g.format != IMAGE_RGBA8;
	return g;
}

static struct sighting seen(const struct measured *m, const struct ground *g)
{
	double const pixels = (double)g->size * g->size, cells = (double)g->grid * g->grid;
	return (struct sighting){.vs = m->subject.vs, .ps = m->subject.ps, .pixels_per_vertex = pixels / cells, .runs = GROUND_CELL_VERTICES,
	                         .vertices = m->part == PART_VERTICES, .plain = g->plain, .ns = m->ns.median};
}

/* The n programs `which`, in turns, so that what slows the machine for a while slows all alike. */
static const char *measure(struct workbench *w, const uint32_t *which, uint32_t n, double seconds)
{
	struct timing t = {.ground = ground_of(w, &w->all.at[which[0]]), .n = n, .pair = arena_zero(w->arena, n * sizeof *t.pair)};
	double const pixels = (double)t.ground.size * t.ground.size;
	for (uint32_t k = 0; k < n; k++)
		t.pair[k].subject = w->all.at[which[k]].subject;
	const char *wrong = timing_run(w->arena, w->gpu, &t, seconds);
	w->samples = w->samples && w->samples < t.samples ? w->samples : t.samples;
	for (uint32_t k = 0; k < n && !wrong; k++) {
		struct measured *m = &w->all.at[which[k]];
		m->ns = stats_quartiles(t.pair[k].ns, t.samples);
		m->ns = (struct quartiles){m->ns.low / pixels, m->ns.median / pixels, m->ns.high / pixels};
		w->sighting[which[k]] = seen(m, &t.ground);
	}
	timing_close(&t);
	return wrong;
}

static const char *measure_all(struct workbench *w, double seconds)
{
	uint32_t *which = arena_alloc(w->arena, w->all.n * sizeof *which);
	const char *wrong = NULL;
	w->sighting = arena_zero(w->arena, w->all.n * sizeof *w->sighting);
	for (unsigned part = 0; part < PARTS && !wrong; part++) {
		uint32_t n = 0;
		for (uint32_t k = 0; k < w->all.n; k++)
			if (w->all.at[k].part == part)
				which[n++] = k;
		if (n)
			wrong = measure(w, which, n, seconds * n / w->all.n);
	}
	return wrong;
}

/* The largest at which all can be drawn often enough: the longest program tells. */
static const char *choose_size(struct workbench *w)
{
	enum { DRAWS = 16 };
	uint32_t longest = 0;
	const char *wrong = NULL;
	double const most = w->seconds / 2 * 1e9 / (w->all.n * DRAWS * (w->gpu->software ? 4.0 : 1.0));
	w->sighting = arena_zero(w->arena, w->all.n * sizeof *w->sighting);
	for (uint32_t k = 0; k < w->all.n; k++)
		if (w->all.at[k].part == PART_PIXELS && w->all.at[k].subject.ps->instrs.n > w->all.at[longest].subject.ps->instrs.n)
			longest = k;
	for (int size = LEAST_SIZE; size <= MOST_SIZE && size <= w->gpu->largest && !wrong; size *= 2) {
		w->ground.size = size;
		wrong = measure(w, &longest, 1, 0);
		if (4 * w->all.at[longest].ns.median * size * size > most)
			break;
	}
	w->samples = 0;
	return wrong;
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
	case WEIGHT_PLAIN:
	case WEIGHT_CORNER:
	case WEIGHTS: break;
	}
	return 0;
}

static void say_weight(struct workbench *w, enum weight k)
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

static double usual_spread(const struct workbench *w)
{
	double *spread = arena_alloc(w->arena, w->all.n * sizeof *spread);
	for (uint32_t k = 0; k < w->all.n; k++)
		spread[k] = (w->all.at[k].ns.high - w->all.at[k].ns.low) / w->all.at[k].ns.median;
	return stats_quartiles(spread, w->all.n).median;
}

static void say_weights(struct workbench *w)
{
	const struct weights *f = &w->weights;
	int const size = w->ground.size;
	text_printf(&w->said, "%u programs drawn at %d x %d, %s, %u times or more\nhalf of the times of one lie within %.1f%%\n",
	            w->all.n, size, size, image_formats[w->ground.format].name, w->samples, 100 * usual_spread(w));
	if (w->refused)
		text_printf(&w->said, "%u more are refused by the driver\n", w->refused);
	text_printf(&w->said, "%-13s%12s %8s  %s\n", "weight", "ns", "units", "95% lie within");
	for (unsigned k = 0; k < WEIGHT_PLAIN; k++)
		say_weight(w, (enum weight)k);
	const struct rate *worst = w->all.at[f->worst_at].rate;
	text_printf(&w->said, "the model meets these times within %.1f%% on average, %.0f%% at most (%s %s)\n", 100 * f->error,
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

static struct text profile_text(const struct workbench *w)
{
	struct text t = {.arena = w->arena};
	text_printf(&t, "{\n  \"name\": \"%s\"", profile_name(w->arena, w->gpu->renderer, image_formats[w->ground.format].name));
	for (unsigned k = 0; k < WEIGHT_PLAIN; k++)
		text_printf(&t, ",\n  \"%s\": %u", weight_names[k], whole_weight(&w->weights.target, (enum weight)k));
	text_string(&t, "\n}\n");
	return t;
}

static const char csv_columns[] = "kind,program,version,size,pixels_per_vertex,ns_pixel,spread,ratio,predicted\n";

static void list_times(struct workbench *w)
{
	for (uint32_t k = 0; k < w->all.n; k++) {
		const struct measured *m = &w->all.at[k];
		const struct sighting *s = &w->sighting[k];
		text_printf(&w->out.csv, "rate,%s,%s,%d,%.2f,%.6f,%.4f,,%.6f\n", m->rate->family, m->rate->name, w->ground.size, s->pixels_per_vertex,
		            s->ns, (m->ns.high - m->ns.low) / m->ns.median, weights_time(&w->weights, s));
	}
}

/* ---- all of it ------------------------------------------------------------------------- */

static const char *measure_and_fit(struct workbench *w)
{
	const struct gpu_options *o = w->options;
	open_rates(w);
	if (!w->all.n)
		return "the driver takes none of the programs";
	const char *wrong = choose_size(w);
	wrong = wrong ? wrong : measure_all(w, w->seconds / 2 - seconds_gone(w));
	wrong = wrong ? wrong : weights_fit(w->arena, w->sighting, w->all.n, &w->weights);
	list_times(w);
	if (wrong)
		return wrong;
	say_weights(w);
	struct tryout const tryout = {w->arena, w->gpu, w->ground, &w->weights, o->plan.given & GIVEN_TARGET ? &o->plan.move.target : NULL,
	                              w->seconds - seconds_gone(w), &w->said, &w->out.csv};
	tryout_run(&tryout);
	return context_error();
}

static bool write_profile(struct workbench *w)
{
	struct text const profile = profile_text(w);
	struct output const file = {.path = w->options->output, .text = profile.at, .n = profile.n};
	const char *why;
	if (files_write(w->arena, &file, 1, &why))
		return true;
	message_error("%s", why);
	return false;
}

int calibrate_main(struct arena *a, const struct context *gpu, const struct gpu_options *o)
{
	struct workbench w = {.arena = a, .gpu = gpu, .options = o, .began = stats_now_ns(), .seconds = o->seconds, .said = {.arena = a}};
	enum image_format const format = o->format >= 0 ? (enum image_format)o->format : IMAGE_RGBA8;
	w.ground = (struct ground){.grid = 1, .format = format, .linear = !o->nearest && format != IMAGE_RGBA32F && format != IMAGE_R32F};
	if (gpu->software) {
		message_note("a CPU draws here (%s): the weights say little of a GPU", gpu->renderer);
		w.seconds = w.seconds < (double)SOFTWARE_SECONDS ? w.seconds : (double)SOFTWARE_SECONDS;
	}
	/* Nobody wants to wait for what cannot be written. */
	if (access(file_folder(a, o->output), W_OK) != 0) {
		message_error("%s: %s", o->output, strerror(errno));
		return GPU_USAGE;
	}
	output_begin(a, o, &w.out, csv_columns);
	const char *wrong = measure_and_fit(&w);
	int status = GPU_DONE;
	if (wrong) {
		message_error("%s", wrong);
		status = GPU_WRONG;
	} else if (!write_profile(&w) || !output_table(&w.out, &w.said)) {
		status = GPU_USAGE;
	}
	return output_end(a, &w.out, gpu, "", status);
}
