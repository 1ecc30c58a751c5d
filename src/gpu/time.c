/* fpmove-gpu time: pairs of programs, before and after moving or one beside the other, timed and compared. */
#include "gpu/modes.h"

#include "cli/collect.h"
#include "cli/csv.h"
#include "cli/fit.h"
#include "cli/message.h"
#include "cli/pairs.h"
#include "cli/progress.h"
#include "gpu/kernel.h"
#include "gpu/output.h"
#include "gpu/timing.h"

#include <stdio.h>
#include <unistd.h>

enum { USUAL_SIZE = 2048, USUAL_SIZE_OF_CPU = 256, MOST_VERSIONS = 4 };

/* A pair as it is, or moved. */
struct version {
	const char *name;
	const struct run *run;
	const struct quartiles *ns;  /* a draw */
	struct ratio ratio;          /* to the first version */
	struct comparison seen;      /* beside the first version */
	double cost;                 /* under the target */
};

struct trial {
	const char *files[4];        /* NULL: not given */
	const char *name;            /* for people */
	struct ground ground;
	unsigned n, samples;
	struct version version[MOST_VERSIONS];
	const char *wrong;           /* why there are no times; NULL: there are */
	bool said;                   /* standard error already has why */
	int status;
};

/* ---- versions -------------------------------------------------------------------------- */

/* One pair through the library; what is to be said of it is.  A file is read once, as it may be a pipe: `like` has read these, or
 * is NULL.  NULL: `*why`, and whether it was said. */
static const struct run *run_pair(struct arena *a, const char *const *files, unsigned n, const struct run_options *plan, const struct run *like,
                                  const char **why, bool *said_it)
{
	static const struct options plain;
	struct source *sources = arena_zero(a, n * sizeof *sources);
	struct run *r = arena_alloc(a, sizeof *r);
	run_init(r, a, like ? like->sources : sources, n, plan);
	for (unsigned k = 0; k < n && !like; k++)
		if (!input_read(a, files[k], &plain, &sources[k], &r->diags, why))
			return NULL;
	if (!r->diags.errors)
		run_all(r);
	if (run_exit_status(r->status) == EXIT_DONE)
		return r;
	struct text said = {.arena = a};
	message_diags(&said, &r->diags, false, true);
	if (r->fault)
		text_error(&said, "%s", r->fault);
	say(&said);
	*why = kernel_error(r);
	*said_it = true;
	return NULL;
}

static bool add_version(struct arena *a, struct trial *t, const char *name, const char *const *files, unsigned n,
                        const struct run_options *plan)
{
	const struct run *like = t->n && files == t->files ? t->version[0].run : NULL;
	const struct run *r = run_pair(a, files, n, plan, like, &t->wrong, &t->said);
	if (r) {
		t->version[t->n++] = (struct version){.name = name, .run = r};
		return true;
	}
	t->status = t->said ? GPU_WRONG : GPU_USAGE;
	return false;
}

/* As given and at each level; or both of two pairs. */
static bool make_versions(struct arena *a, const struct gpu_options *o, struct trial *t)
{
	unsigned const files = t->files[1] ? 2 : 1;
	if (t->files[2])
		return add_version(a, t, "first", t->files, 2, gpu_options_plan(a, o, 0)) &&
		       add_version(a, t, "second", t->files + 2, 2, gpu_options_plan(a, o, 0));
	bool good = add_version(a, t, "as given", t->files, files, gpu_options_plan(a, o, 0));
	for (unsigned level = 1; level < GPU_LEVELS && good; level++)
		if (o->level[level])
			good = add_version(a, t, arena_printf(a, "-O%u", level), t->files, files, gpu_options_plan(a, o, level));
	return good;
}

/* ---- measuring ------------------------------------------------------------------------- */

static const char *measure(struct arena *a, const struct context *gpu, const struct gpu_options *o, struct trial *t)
{
	struct timing timing = {.ground = t->ground, .n = t->n, .pair = arena_zero(a, t->n * sizeof(struct timed))};
	const char *wrong = NULL;
	for (unsigned k = 0; k < t->n && !wrong; k++)
		wrong = subject_make(&timing.pair[k].subject, t->version[k].run->vs_new, t->version[k].run->ps_new, &t->version[k].run->needs);
	if (wrong)
		return wrong;
	wrong = timing_run(a, gpu, &timing, o->seconds);
	for (unsigned k = 0; k < t->n && !wrong; k++) {
		struct version *v = &t->version[k];
		struct quartiles *ns = arena_alloc(a, sizeof *ns);
		*ns = output_quartiles(a, timing.pair[k].ns, timing.samples);
		v->ns = ns;
		v->ratio = stats_ratio(timing.pair[k].ns, timing.pair[0].ns, timing.samples, arena_alloc(a, timing.samples * sizeof(double)));
		v->cost = run_costs(v->run).after;
		if (k)
			wrong = subject_compare(a, gpu, &timing.pair[0].subject, &timing.pair[k].subject, 1, &v->seen);
	}
	t->samples = timing.samples;
	timing_close(&timing);
	return wrong;
}

static void run_trial(struct arena *a, const struct context *gpu, const struct gpu_options *o, struct trial *t)
{
	t->ground = (struct ground){gpu_options_size(o) ? (int)gpu_options_size(o) : gpu->software ? USUAL_SIZE_OF_CPU : USUAL_SIZE, (int)o->grid,
	                            o->format >= 0 ? (enum image_format)o->format : IMAGE_RGBA8, !o->nearest, false};
	if (!make_versions(a, o, t))
		return;
	t->wrong = measure(a, gpu, o, t);
	t->status = t->wrong ? GPU_USAGE : GPU_DONE;
	for (unsigned k = 1; k < t->n && !t->wrong; k++)
		if (t->version[k].seen.beyond)
			t->status = GPU_WRONG;
}

/* ---- one pair, for people -------------------------------------------------------------- */

static void print_version(const struct trial *t, const struct version *v, struct text *out)
{
	double const pixels = (double)t->ground.size * t->ground.size;
	text_printf(out, "%-9s %9.2f %6.1f%% %9.4f", v->name, v->ns->median / 1e3,
	            100 * (v->ns->high - v->ns->low) / v->ns->median, v->ns->median / pixels);
	if (v == t->version) {
		text_printf(out, " %24s", "");
	} else {
		text_string(out, "   ");
		output_ratio(out, &v->ratio);
	}
	text_printf(out, " %4u %4u", program_total_slots(v->run->ps_new), program_total_slots(v->run->vs_new));
	if (v != t->version)
		text_printf(out, " %6.3f", v->cost / t->version->cost);
	text_char(out, '\n');
}

/* "oC0 by up to 0.25 in 812 of 4608 pixels" */
static void print_differences(const struct comparison *c, struct text *out)
{
	bool first = true;
	for (unsigned t = 0; t < SCENE_TARGETS; t++) {
		const struct difference *d = &c->of[t];
		if (!d->beyond)
			continue;
		text_printf(out, "%s%s by up to %.3g in %u of %u pixels", first ? "" : ", ", scene_target_names[t],
		            (double)d->farthest, d->beyond, d->total);
		first = false;
	}
}

static void print_verdicts(const struct trial *t, struct text *out)
{
	for (unsigned k = 1; k < t->n; k++) {
		const struct version *v = &t->version[k];
		text_printf(out, "%-9s " FIT_HANG, v->name);
		if (v->seen.beyond) {
			text_string(out, "DIFFERENT: ");
			print_differences(&v->seen, out);
			text_string(out, ", more than rounding does\n");
		} else {
			text_printf(out, "draws the same but for rounding, %.2g at most%s; ", v->seen.largest,
			            v->seen.shows ? "" : " (a picture of one colour, which shows little)");
			text_string(out, ratio_is_none(&v->ratio) ? "no difference in time\n" : v->ratio.median < 1 ? "faster\n" : "slower\n");
		}
	}
}

static void print_trial(const struct trial *t, const struct context *gpu, struct text *out)
{
	text_string(out, t->name);
	text_printf(out, "\non %s (%s), %d x %d pixels, %s, %s, %u samples in turns\n\n", gpu->renderer,
	            language_names[gpu->language], t->ground.size, t->ground.size, image_formats[t->ground.format].name,
	            t->ground.linear ? "linear" : "nearest", t->samples);
	text_printf(out, "%-9s %9s %7s %9s   %-22s %4s %4s %6s\n", "", "us a draw", "spread", "ns/pixel",
	            "time to the first (95%)", "FP", "VP", "target");
	for (unsigned k = 0; k < t->n; k++)
		print_version(t, &t->version[k], out);
	text_char(out, '\n');
	print_verdicts(t, out);
}

/* ---- spreadsheets and scripts ---------------------------------------------------------- */

static const char csv_columns[] = "vs,ps,version,status,size,format,filter,samples,us,us_low,us_high,ns_pixel,ratio,ratio_low,ratio_high,"
                               "predicted,largest_difference,pixels_beyond,ps_slots,vs_slots\n";

static const char *version_status(const struct version *v)
{
	return v->seen.beyond ? "different" : "done";
}

static void add_csv_lines(const struct trial *t, struct text *csv)
{
	double const pixels = (double)t->ground.size * t->ground.size;
	for (unsigned k = 0; k < t->n && !t->wrong; k++) {
		const struct version *v = &t->version[k];
		csv_field(csv, v->run->vs->source->name);
		csv_field(csv, v->run->ps->source->name);
		csv_field(csv, v->name);
		text_printf(csv, "%s,%d,%s,%s,%u,%.4f,%.4f,%.4f,%.6f,%.4f,%.4f,%.4f,%.4f,%.4g,%u,%u,%u\n", version_status(v), t->ground.size,
		            image_formats[t->ground.format].name, t->ground.linear ? "linear" : "nearest", t->samples, v->ns->median / 1e3,
		            v->ns->low / 1e3, v->ns->high / 1e3, v->ns->median / pixels, v->ratio.median, v->ratio.low, v->ratio.high,
		            v->cost / t->version->cost, v->seen.largest, v->seen.beyond, program_total_slots(v->run->ps_new),
		            program_total_slots(v->run->vs_new));
	}
	if (!t->wrong)
		return;
	csv_field(csv, t->files[0]);
	csv_field(csv, t->files[1] ? t->files[1] : t->files[0]);
	text_string(csv, "\"\",rejected,,,,,,,,,,,,,,,,\n");
}

static json_t *json_outputs(const struct comparison *c)
{
	json_t *list = json_array();
	for (unsigned t = 0; t < SCENE_TARGETS; t++)
		if (c->of[t].images)
			json_array_append_new(list, json_pack("{s:s,s:o,s:i,s:i,s:i}", "output", scene_target_names[t], "largest",
			                                      json_number((double)c->of[t].farthest), "beyond", (int)c->of[t].beyond,
			                                      "flips", (int)c->of[t].flips, "pixels", (int)c->of[t].total));
	return list;
}

static json_t *json_version(struct arena *a, const struct trial *t, const struct version *v)
{
	json_t *j = json_pack("{s:o,s:o,s:o,s:i,s:i,s:f,s:o}", "name", report_string(a, v->name), "vs",
	                      report_name(a, v->run->vs->source->name), "ps", report_name(a, v->run->ps->source->name),
	                      "ps_slots", (int)program_total_slots(v->run->ps_new), "vs_slots",
	                      (int)program_total_slots(v->run->vs_new), "cost", v->cost, "ns", json_quartiles(v->ns));
	if (v == t->version)
		return j;
	json_object_set_new(j, "ratio", json_ratio(&v->ratio));
	json_object_set_new(j, "same", json_boolean(!v->seen.beyond));
	json_object_set_new(j, "shows", json_boolean(v->seen.shows));
	json_object_set_new(j, "outputs", json_outputs(&v->seen));
	return j;
}

static json_t *json_trial(struct arena *a, const struct trial *t)
{
	json_t *versions = json_array();
	for (unsigned k = 0; k < t->n && !t->wrong; k++)
		json_array_append_new(versions, json_version(a, t, &t->version[k]));
	const char *status = t->wrong ? "rejected" : t->status == GPU_DONE ? "done" : "different";
	json_t *j = json_pack("{s:s,s:o,s:o,s:i,s:i,s:s,s:s,s:i,s:o}", "status", status, "vs", report_name(a, t->files[0]),
	                      "ps", report_name(a, t->files[1] ? t->files[1] : t->files[0]), "size", t->ground.size, "grid", t->ground.grid,
	                      "format", image_formats[t->ground.format].name, "filter", t->ground.linear ? "linear" : "nearest",
	                      "samples", (int)t->samples, "versions", versions);
	if (t->wrong)
		json_object_set_new(j, "why", report_string(a, t->wrong));
	return j;
}

/* The lines and the object of a trial. */
static void keep_trial(struct arena *a, const struct trial *t, struct gpu_output *to)
{
	add_csv_lines(t, &to->csv);
	if (to->list)
		json_array_append_new(to->list, json_trial(a, t));
}

/* ---- one or two pairs ------------------------------------------------------------------ */

static void say_wrong(const struct trial *t)
{
	if (t->wrong && !t->said)
		message_error("%s%s%s", t->status == GPU_USAGE && t->n ? t->name : "", t->status == GPU_USAGE && t->n ? ": " : "", t->wrong);
}

static const char *trial_name(struct arena *a, const char *vs, const char *ps, unsigned columns)
{
	struct text t = {.arena = a};
	fit_pair(&t, vs, ps, columns);
	return t.at;
}

static int time_words(struct arena *a, const struct context *gpu, const struct gpu_options *o, struct gpu_output *to)
{
	struct trial t = {.name = NULL};
	struct text table = {.arena = a};
	for (uint32_t k = 0; k < o->words.n; k++)
		t.files[k] = o->words.at[k];
	t.name = trial_name(a, t.files[0], t.files[1] ? t.files[1] : t.files[0], o->columns);
	if (t.files[2])
		t.name = arena_printf(a, "%s and %s", t.name, trial_name(a, t.files[2], t.files[3], o->columns));
	run_trial(a, gpu, o, &t);
	say_wrong(&t);
	keep_trial(a, &t, to);
	if (!t.wrong)
		print_trial(&t, gpu, &table);
	return t.wrong || output_table(to, &table) ? t.status : GPU_USAGE;
}

/* ---- many pairs ------------------------------------------------------------------------ */

/* What the last versions of all pairs come to. */
struct sums {
	unsigned timed, faster, slower, same, different, rejected, predicted;
	double off, most; /* how far predictions are off, as a part: the sum and the largest */
};

static void add_up(struct sums *s, const struct trial *t)
{
	const struct version *v = &t->version[t->n ? t->n - 1 : 0];
	s->rejected += t->wrong != NULL;
	if (t->wrong)
		return;
	double const predicted = v->cost / t->version->cost, off = fmax(predicted / v->ratio.median, v->ratio.median / predicted) - 1;
	s->timed++;
	s->different += t->status == GPU_WRONG;
	s->same += ratio_is_none(&v->ratio);
	s->faster += !ratio_is_none(&v->ratio) && v->ratio.median < 1;
	s->slower += !ratio_is_none(&v->ratio) && v->ratio.median > 1;
	s->off += off;
	s->most = fmax(s->most, off);
}

/* One line: the pair, and each version's ratio and verdict. */
static void print_line(const struct trial *t, unsigned columns, struct text *out)
{
	enum { NUMBERS = 42, LEAST_NAME = 12 };
	unsigned const room = columns > NUMBERS + LEAST_NAME ? columns - NUMBERS : LEAST_NAME;
	if (t->wrong) {
		text_printf(out, "%s: rejected: %s\n", t->name, t->wrong);
		return;
	}
	for (unsigned k = t->n > 1; k < t->n; k++) {
		const struct version *v = &t->version[k];
		struct text name = {.arena = out->arena};
		fit_name(&name, t->name, columns ? room : 0);
		text_printf(out, "%-*s %-3s ", columns ? (int)room : 40, name.at, k ? v->name : "");
		if (k == 0)
			text_printf(out, "%10.2f us\n", v->ns->median / 1e3);
		else
			output_ratio(out, &v->ratio);
		if (k)
			text_printf(out, " %6.3f %s\n", v->cost / t->version->cost, v->seen.beyond ? "DIFFERENT" : ratio_is_none(&v->ratio) ? "=" : "");
	}
}

static void print_sums(const struct sums *s, bool moved, struct text *out)
{
	if (moved && s->timed)
		text_printf(out,
		            "pairs timed: %u; %u faster, %u slower, %u without a difference in time; "
		            "the target is off by %.1f%% on average, %.0f%% at most\n",
		            s->timed, s->faster, s->slower, s->same, 100 * s->off / s->timed, 100 * s->most);
	else
		text_printf(out, "pairs timed: %u\n", s->timed);
	if (s->different || s->rejected)
		text_printf(out, "%u draw something else, %u could not be timed\n", s->different, s->rejected);
}

/* False, said: standard output is full. */
static bool time_listed(struct arena *a, const struct context *gpu, const struct gpu_options *o, const struct batch_pair *pair,
                        struct gpu_output *to, struct sums *sums, int *worst)
{
	bool const one = strcmp(pair->vs, pair->ps) == 0;
	struct trial t = {.files = {pair->vs, one ? NULL : pair->ps}, .name = trial_name(a, pair->vs, pair->ps, 0)};
	struct text line = {.arena = a};
	run_trial(a, gpu, o, &t);
	add_up(sums, &t);
	keep_trial(a, &t, to);
	print_line(&t, o->columns, &line);
	*worst = t.status > *worst ? t.status : *worst;
	return output_table(to, &line);
}

static bool time_collected(const struct arena *a, const struct context *gpu, const struct gpu_options *o, const struct collected *found,
                           struct gpu_output *to, struct sums *sums, int *worst)
{
	struct progress progress = {.on = false};
	bool good = true;
	progress_begin(&progress, false, false);
	for (uint32_t k = 0; k < found->pairs.n && good; k++) {
		struct arena scratch;
		char counted[80];
		arena_init(&scratch, a->on_failure);
		snprintf(counted, sizeof counted, "%u faster, %u slower", sums->faster, sums->slower);
		progress_show(&progress, k, found->pairs.n, counted);
		good = time_listed(&scratch, gpu, o, &found->pairs.at[k], to, sums, worst);
		arena_free(&scratch);
	}
	progress_clear(&progress);
	return good;
}

static int time_batch(struct arena *a, const struct context *gpu, const struct gpu_options *o, struct gpu_output *to)
{
	struct options const plain = {.batch = o->batch};
	struct collected found;
	struct sums sums = {0};
	struct text head = {.arena = a}, foot = {.arena = a};
	const char *why;
	int worst = GPU_DONE;
	if (!collect_pairs(a, o->batch, &plain, &found, &why)) {
		message_error("%s", why);
		return GPU_USAGE;
	}
	for (uint32_t k = 0; k < found.passed.n; k++)
		if (found.passed.at[k].how == PASSED_ALONE || found.passed.at[k].how == PASSED_LINE)
			message_note("%s: %s", found.passed.at[k].file, found.passed.at[k].why);
	uint32_t kept = 0;
	for (uint32_t k = 0; k < found.pairs.n; k++) {
		if (found.pairs.at[k].refused)
			message_note("%s", found.pairs.at[k].refused);
		else
			found.pairs.at[kept++] = found.pairs.at[k];
	}
	found.pairs.n = kept;
	text_printf(&head, "on %s (%s)\npair, level, time to the time as given (95%%), the same as the target has it\n\n", gpu->renderer,
	            language_names[gpu->language]);
	bool const good = output_table(to, &head) && time_collected(a, gpu, o, &found, to, &sums, &worst);
	print_sums(&sums, o->level[1] || o->level[2] || o->level[3], &foot);
	return good && output_table(to, &foot) ? worst : GPU_USAGE;
}

int time_main(struct arena *a, const struct context *gpu, const struct gpu_options *o)
{
	struct gpu_output to;
	note_software(gpu);
	if ((int)gpu_options_size(o) > gpu->largest) {
		message_error("--size=%u is more than the %d pixels a side that targets have here", gpu_options_size(o), gpu->largest);
		return GPU_USAGE;
	}
	output_begin(a, o, &to, csv_columns);
	int const status = o->batch ? time_batch(a, gpu, o, &to) : time_words(a, gpu, o, &to);
	return output_end(a, &to, gpu, "pairs", status);
}
