/* fpmove-gpu time: times and compares pairs of programs before and after moving, or two pairs. */
#include "gpu/modes.h"

#include "cli/collect.h"
#include "cli/fit.h"
#include "cli/message.h"
#include "cli/progress.h"
#include "gpu/trial.h"

#include <math.h>
#include <stdio.h>

static void report_trial_error(const struct trial *t)
{
	if (t->wrong && !t->said)
		message_error("%s%s%s", t->status == EXIT_USAGE && t->n ? t->name : "", t->status == EXIT_USAGE && t->n ? ": " : "", t->wrong);
}

/* Times the pairs that the words name.  Returns the exit status. */
static int time_words(struct arena *a, const struct context *gpu, const struct gpu_options *o, struct gpu_output *to)
{
	struct trial t = {.name = NULL};
	struct text table = {.arena = a};
	for (uint32_t k = 0; k < o->words.n; k++)
		t.files[k] = o->words.at[k];
	t.name = trial_name(a, t.files[0], t.files[1] ? t.files[1] : t.files[0], o->columns);
	if (t.files[2])
		t.name = arena_printf(a, "%s and %s", t.name, trial_name(a, t.files[2], t.files[3], o->columns));
	trial_run(a, gpu, o, &t);
	report_trial_error(&t);
	trial_keep(a, &t, to);
	if (t.wrong)
		return t.status;
	trial_print(&t, gpu, &table);
	const char *unwritten = o->plot ? trial_plot(a, o->plot, gpu, &t) : NULL;
	if (unwritten)
		message_error("%s", unwritten);
	return output_table(to, &table) && !unwritten ? t.status : EXIT_USAGE;
}

/* ---- many pairs ------------------------------------------------------------------------ */

/* Counts and sums over all pairs, of each pair's last version (that of the highest level). */
struct sums {
	unsigned timed, faster, slower, same, different, rejected;
	double off, most; /* relative errors of the target's predictions: their sum, and the largest */
};

static void add_trial(struct sums *s, const struct trial *t)
{
	const struct version *v = &t->version[t->n ? t->n - 1 : 0];
	s->rejected += t->wrong != NULL;
	if (t->wrong)
		return;
	double const predicted = v->cost / t->version->cost, off = fmax(predicted / v->ratio.median, v->ratio.median / predicted) - 1;
	s->timed++;
	s->different += t->status == EXIT_REJECTED;
	s->same += ratio_is_none(&v->ratio);
	s->faster += !ratio_is_none(&v->ratio) && v->ratio.median < 1;
	s->slower += !ratio_is_none(&v->ratio) && v->ratio.median > 1;
	s->off += off;
	s->most = fmax(s->most, off);
}

/* Writes a line for each moved version of a pair: the ratios of its time and of its estimated cost to those as given, and DIFFERENT if it
 * draws something else, or "=" if no difference in time is proven.  If there is no moved version,
 * writes the time as given; if the pair cannot be timed, writes why. */
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

/* Times one pair and prints its lines.  Returns false after a message if standard output cannot be written. */
static bool time_listed(struct arena *a, const struct context *gpu, const struct gpu_options *o, const struct batch_pair *pair,
                        struct gpu_output *to, struct sums *sums, int *worst)
{
	bool const one = strcmp(pair->vs, pair->ps) == 0;
	struct trial t = {.files = {pair->vs, one ? NULL : pair->ps}, .name = trial_name(a, pair->vs, pair->ps, 0)};
	struct text line = {.arena = a};
	trial_run(a, gpu, o, &t);
	add_trial(sums, &t);
	trial_keep(a, &t, to);
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

/* Runs a trial for each pair of --batch.  Returns the exit status. */
static int time_batch(struct arena *a, const struct context *gpu, const struct gpu_options *o, struct gpu_output *to)
{
	struct options const plain = {.batch = o->batch};
	struct collected found;
	struct sums sums = {0};
	struct text head = {.arena = a}, foot = {.arena = a};
	const char *why;
	int worst = EXIT_DONE;
	if (!collect_pairs(a, o->batch, &plain, &found, &why))
		return message_usage("%s", why);
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
	return good && output_table(to, &foot) ? worst : EXIT_USAGE;
}

/* ---- the mode -------------------------------------------------------------------------- */

int time_main(struct arena *a, const struct context *gpu, const struct gpu_options *o)
{
	struct gpu_output to;
	note_software(gpu);
	if ((int)gpu_options_size(o) > gpu->largest)
		return message_usage("--size=%u is more than the %d pixels a side that targets can have here", gpu_options_size(o), gpu->largest);
	output_begin(a, o, &to, trial_csv_columns);
	int const status = o->batch ? time_batch(a, gpu, o, &to) : time_words(a, gpu, o, &to);
	return output_end(a, &to, gpu, "pairs", status);
}
