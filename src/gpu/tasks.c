/* Makes tasks from the words and numbers of the command line, see options.h. */
#include "gpu/options.h"

#include "cli/message.h"

#include <unistd.h>

const struct workload *const workloads[] = {
	&gauss_workload,
	&conv3_workload,
	&sort_workload,
	&fluid_workload,
	&nbody_workload,
	&match_workload,
	&lu_workload,
	&morphology_workload,
};
const unsigned nworkloads = sizeof workloads / sizeof *workloads;

const struct workload *workload_named(const char *name)
{
	for (unsigned k = 0; k < nworkloads; k++)
		if (strcmp(workloads[k]->name, name) == 0)
			return workloads[k];
	return NULL;
}

static bool words_include(const struct gpu_options *o, const char *word)
{
	for (uint32_t k = 0; k < o->words.n; k++)
		if (strcmp(o->words.at[k], word) == 0)
			return true;
	return false;
}

static bool workload_is_wanted(const struct gpu_options *o, const struct workload *w)
{
	return words_include(o, "all") || words_include(o, w->name);
}

/* Returns true if the word stands for one workload or all of them. */
static bool word_is_known(const char *word)
{
	return strcmp(word, "all") == 0 || workload_named(word);
}

static bool words_are_known(struct arena *a, const struct gpu_options *o)
{
	for (uint32_t k = 0; k < o->words.n; k++) {
		if (word_is_known(o->words.at[k]))
			continue;
		struct text all = {.arena = a};
		for (unsigned w = 0; w < nworkloads; w++)
			text_printf(&all, "%s%s", w ? ", " : "", workloads[w]->name);
		return message_error("there is no workload %s; the workloads are %s, or all", o->words.at[k], all.at);
	}
	return true;
}

/* Returns the index of the workload's parameter of that name, or -1 if there is none. "size" also stands for the first parameter. */
static int parameter_index(const struct workload *w, const char *name)
{
	for (int k = 0; w->parameters[k].name; k++)
		if (strcmp(w->parameters[k].name, name) == 0)
			return k;
	return strcmp(name, "size") == 0 ? 0 : -1;
}

/* Returns false after a message if a number is given that none of the wanted workloads has. */
static bool numbers_are_known(const struct gpu_options *o)
{
	for (uint32_t k = 0; k < o->numbers.n; k++) {
		bool known = false;
		for (unsigned w = 0; w < nworkloads; w++)
			known |= workload_is_wanted(o, workloads[w]) && parameter_index(workloads[w], o->numbers.at[k].name) >= 0;
		if (!known)
			return message_error("%s has no --%s", o->words.at[0], o->numbers.at[k].name);
	}
	return true;
}

static bool set_number(struct wanted *wanted, const struct workload *w, const char *name, unsigned number)
{
	int const k = parameter_index(w, name);
	if (k < 0)
		return true;
	const struct parameter *p = &w->parameters[k];
	wanted->number[k] = number;
	if (number >= p->least && number <= p->most)
		return true;
	return message_error("--%s of %s is %s, from %u to %u, not %u", p->name, w->name, p->what, p->least, p->most, number);
}

/* Sets the user's choices for a workload, but not the form; parameters that are not given have their defaults (`size` is 0 if not given).
 * Returns false after a message if a choice is not possible. */
static bool fill_wanted(const struct gpu_options *o, const struct workload *w, unsigned size, struct wanted *wanted)
{
	*wanted = (struct wanted){.seed = o->seed, .input = o->input, .force = o->force,
	                          .format = o->format >= 0 ? (enum image_format)o->format : IMAGE_RGBA32F,
	                          .format_given = o->format >= 0 && words_include(o, w->name)};
	for (unsigned k = 0; w->parameters[k].name; k++)
		wanted->number[k] = w->parameters[k].common;
	bool good = !size || set_number(wanted, w, "size", size);
	for (uint32_t k = 0; k < o->numbers.n && good; k++)
		good = set_number(wanted, w, o->numbers.at[k].name, o->numbers.at[k].number);
	if (good && o->format >= 0 && !w->any_format && !w->judges_format && o->words.n == 1 && words_include(o, w->name))
		return message_error("%s has a format of its own, and takes no --format", w->name);
	if (good && w->any_format && image_formats[wanted->format].channels < 4)
		return message_error("%s needs texels of four channels, and %s has fewer", w->name, image_formats[wanted->format].name);
	if (good && o->force && !w->takes_force)
		return message_error("%s has no --force", w->name);
	return good;
}

/* Adds a task for each size of each form that --form names, or of the first form if it is not given.  Returns false after a message if the user's
 * choices are not possible for the workload. */
static bool add_forms(struct arena *a, const struct gpu_options *o, const struct workload *w, struct tasks *to)
{
	static const struct workload_form none[] = {{.name = NULL}, {.name = NULL}};
	const struct workload_form *forms = w->forms ? w->forms : none;
	bool const every = o->form && strcmp(o->form, "all") == 0;
	for (unsigned k = 0; k == 0 || forms[k].name; k++) {
		const char *form = forms[k].name;
		if (!every && (o->form ? !form || strcmp(o->form, form) != 0 : k > 0))
			continue;
		for (uint32_t n = 0; n == 0 || n < o->sizes.n; n++) {
			struct wanted wanted;
			if (!fill_wanted(o, w, o->sizes.n ? o->sizes.at[n] : 0, &wanted))
				return false;
			wanted.form = form;
			wanted.form_index = k;
			VEC_PUSH(a, to) = (struct task){w, wanted};
		}
	}
	return true;
}

/* A single word counts as a pair if it is a readable file or "-" (standard input), which then holds both programs. */
bool gpu_options_pair(const struct gpu_options *o)
{
	bool works = false;
	for (uint32_t k = 0; k < o->words.n; k++)
		works |= word_is_known(o->words.at[k]);
	if (o->mode != GPU_PREDICT || works)
		return false;
	return o->words.n == 2 || (o->words.n == 1 && (strcmp(o->words.at[0], "-") == 0 || access(o->words.at[0], R_OK) == 0));
}

bool gpu_options_tasks(struct arena *a, const struct gpu_options *o, struct tasks *to)
{
	*to = (struct tasks){0};
	if (!words_are_known(a, o) || !numbers_are_known(o))
		return false;
	for (unsigned w = 0; w < nworkloads; w++)
		if (workload_is_wanted(o, workloads[w]) && !add_forms(a, o, workloads[w], to))
			return false;
	return to->n || message_error("%s has no form %s; fpmove-gpu --help lists them", o->words.at[0], o->form);
}
