/* fpmove-gpu time: times and compares pairs of programs before and after moving, or two pairs. */
#include "gpu/modes.h"

#include "cli/message.h"
#include "gpu/trial.h"

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
