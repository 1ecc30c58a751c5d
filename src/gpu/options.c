/* Reading the command line, see options.h. */
#include "gpu/options.h"

#include "cli/fit.h"
#include "cli/message.h"
#include "cli/moving.h"

#include <unistd.h>

#define OPTION_TABLE "gpu/gpu_options.def"
#include "cli/option_rows.inc"

/* The modes that take an option; 0: all of them. */
static const unsigned modes_of[OPTIONS] = {
#define GROUP(title)
#define OPTION(id, ...)
#define VALUES(id, values)
#define VALUES_OF(id, tables)
#define FOR(id, modes) [OPTION_##id] = (modes),
#include OPTION_TABLE
#undef GROUP
#undef OPTION
#undef VALUES
#undef VALUES_OF
#undef FOR
};

static const struct {
	const char *name;
	enum gpu_mode mode;
	const char *words;
} modes[] = {
	{"time", GPU_TIME, "VP FP [VP2 FP2] | --batch DIR|LIST"},
	{"run", GPU_RUN, "WORKLOAD... | all"},
	{"predict", GPU_PREDICT, "WORKLOAD... | all"},
	{"calibrate", GPU_CALIBRATE, "-o FILE"},
	{"info", GPU_INFO, ""},
};
enum { MODES = sizeof modes / sizeof *modes };

/* Ids from OPTIONS on are the workloads' parameters. */
enum { MOST_ROWS = OPTION_ROWS + 64 };

struct reading {
	struct gpu_options *o;
	struct moving moving;
	struct text weights;
	unsigned given[OPTIONS]; /* how often */
};

/* ---- the table ------------------------------------------------------------------------- */

static bool has_row(const struct option_row *rows, unsigned n, const char *name)
{
	for (unsigned k = 0; k < n; k++)
		if (!rows[k].group && strcmp(rows[k].name, name) == 0)
			return true;
	return false;
}

/* "pixels a side (gauss: 16 to 8192, 1024 if not given)", a line for each workload that has it. */
static const char *parameter_help(struct arena *a, const char *name)
{
	struct text t = {.arena = a};
	for (unsigned w = 0; w < nworkloads; w++)
		for (const struct parameter *p = workloads[w]->parameters; p->name; p++)
			if (strcmp(p->name, name) == 0)
				text_printf(&t, "%s%s: %s, %u to %u (%u)", t.n ? "\n" : "", workloads[w]->name, p->what, p->least, p->most, p->common);
	return t.at;
}

/* One for each parameter that any workload has, behind the n rows. */
static unsigned add_parameters(struct arena *a, struct option_row *rows, unsigned n)
{
	for (unsigned w = 0; w < nworkloads; w++)
		for (const struct parameter *p = workloads[w]->parameters; p->name && n < MOST_ROWS - OPTION_ROWS; p++)
			if (!has_row(option_rows, OPTION_ROWS, p->name) && !has_row(rows, n, p->name))
				rows[n++] = (struct option_row){.id = OPTIONS, .letters = "", .name = p->name, .argument = NEEDED, .value = "N",
				                                .help = parameter_help(a, p->name)};
	return n;
}

/* The rows of the file, and the parameters at the end of their group. */
static struct option_table make_table(struct arena *a)
{
	struct option_row *rows = arena_zero(a, MOST_ROWS * sizeof *rows);
	unsigned n = 0;
	for (unsigned k = 0; k < OPTION_ROWS; k++) {
		if (option_rows[k].group && strcmp(option_rows[k].group, "Output") == 0)
			n = add_parameters(a, rows, n);
		rows[n++] = option_rows[k];
	}
	return (struct option_table){rows, n, option_values, OPTIONS};
}

static void list_workloads(struct text *t)
{
	text_string(t, "\nWorkloads, and their forms:\n");
	for (unsigned w = 0; w < nworkloads; w++) {
		text_printf(t, "  %-12s" FIT_HANG "%s; --%s is %s, %u to %u (%u)\n", workloads[w]->name, workloads[w]->summary,
		            workloads[w]->parameters->name, workloads[w]->parameters->what, workloads[w]->parameters->least,
		            workloads[w]->parameters->most, workloads[w]->parameters->common);
		for (const struct workload_form *f = workloads[w]->forms; f && f->name; f++)
			text_printf(t, "    %-20s" FIT_HANG "%s\n", f->name, f->what);
	}
}

void gpu_options_help(struct text *t)
{
	struct option_table const table = make_table(t->arena);
	for (unsigned k = 0; k < MODES; k++)
		text_printf(t, "%s fpmove-gpu %s [options]%s%s\n", k ? "      " : "Usage:", modes[k].name, *modes[k].words ? " " : "", modes[k].words);
	text_string(t, "\nTimes Direct3D 9 programs on the GPU here, as given and after fpmove moved what\n"
	               "it could, in whole computations.  It draws with OpenGL, without a window.\n");
	size_t const from = t->n;
	list_workloads(t);
	arguments_help(t, &table);
	fit_lines(t, from, 2, 80);
	text_string(t, "\nExit status: 0 done; 1 a result is wrong; 2 wrong usage, bad input, or no GPU.\n");
}

/* ---- reading --------------------------------------------------------------------------- */

/* "-O1,-O2", "2,3" or "none" */
static bool levels(struct gpu_options *o, const char *value)
{
	memset(o->level, 0, sizeof o->level);
	for (const char *at = value; strcmp(value, "none") != 0; at++) {
		at += *at == '-';
		at += *at == 'O';
		if (*at < '1' || *at >= '0' + GPU_LEVELS || (at[1] && at[1] != ',')) {
			message_error("--optimize wants none, or levels such as -O1,-O2,-O3, not \"%s\"", value);
			return false;
		}
		o->level[*at++ - '0'] = true;
		if (!*at)
			break;
	}
	return true;
}

/* The number of one of the option's words. */
static bool choice(const struct arguments *given, const struct option_row *row, const char *value, int *to)
{
	unsigned number = 0;
	bool const good = argument_one_of(given, row, value, &number);
	*to = (int)number;
	return good;
}

static bool apply(struct arguments *given, const struct option_row *row, const char *value)
{
	struct reading *r = given->to;
	struct gpu_options *o = r->o;
	unsigned number;
	if (row->id >= OPTIONS) {
		bool const good = argument_number(row, value, 0, 1u << 30, &number);
		VEC_PUSH(given->arena, &o->numbers) = (struct given_number){row->name, number};
		return good;
	}
	r->given[row->id]++;
	switch ((enum option)row->id) {
	case OPTION_DEVICE: {
		bool const good = argument_number(row, value, 0, 63, &number);
		o->device = (int)number;
		return good;
	}
	case OPTION_LANGUAGE: return choice(given, row, value, &o->language);
	case OPTION_LEVELS: return levels(o, value);
	case OPTION_STAGES: return o->stages = true;
	case OPTION_SIZE: return argument_number(row, value, 1, 65536, &o->size);
	case OPTION_FORMAT: return choice(given, row, value, &o->format);
	case OPTION_SECONDS: return argument_real(row, value, 3600, &o->seconds);
	case OPTION_BATCH: o->batch = value; return true;
	case OPTION_GRID: return argument_number(row, value, 1, 1024, &o->grid);
	case OPTION_FILTER: {
		bool const good = argument_one_of(given, row, value, &number);
		o->nearest = number == 1;
		return good;
	}
	case OPTION_PLOT: o->plot = value; return true;
	case OPTION_CSV: o->csv = value; return true;
	case OPTION_JSON: o->json = value; return true;
	case OPTION_FORM: o->form = value; return true;
	case OPTION_SEED: return argument_number(row, value, 0, UINT32_MAX, &o->seed);
	case OPTION_INPUT: o->input = value; return true;
	case OPTION_NO_CHECK: o->check = false; return true;
	case OPTION_PNG: o->png = value; return true;
	case OPTION_OUTPUT: o->output = value; return true;
	case OPTION_FRESH: return o->fresh = true;
#define GROUP(title)
#define OPTION(id, ...) case OPTION_##id:
#define VALUES_OF(id, tables)
#include "cli/moving.def"
#undef GROUP
#undef OPTION
#undef VALUES_OF
		VEC_PUSH(given->arena, &o->moving) = arena_printf(given->arena, "--%s%s%s", row->name, value ? "=" : "", value ? value : "");
		return moving_apply(given, &r->moving, (enum moving_option)(row->id - OPTION_TARGET), row, value);
	case OPTION_HELP: o->mode = GPU_HELP; return given->enough = true;
	case OPTION_VERSION: o->mode = GPU_VERSION; return given->enough = true;
	case OPTIONS: break;
	}
	return false;
}

static bool find_mode(struct gpu_options *o, const struct arguments *given)
{
	if (!given->words.n) {
		message_error("say what to do, as in fpmove-gpu run gauss; fpmove-gpu --help says more");
		return false;
	}
	for (unsigned k = 0; k < MODES; k++) {
		if (strcmp(given->words.at[0], modes[k].name) == 0) {
			o->mode = modes[k].mode;
			o->words = given->words;
			o->words.at++;
			o->words.n--;
			return true;
		}
	}
	message_error("fpmove-gpu does not know how to \"%s\"; fpmove-gpu --help says more", given->words.at[0]);
	return false;
}

static const char *mode_name(enum gpu_mode mode)
{
	for (unsigned k = 0; k < MODES; k++)
		if (modes[k].mode == mode)
			return modes[k].name;
	return "";
}

/* Options and words that the mode does not take. */
static bool consistent(struct arena *a, const struct gpu_options *o, const struct reading *r)
{
	for (unsigned k = 0; k < OPTION_ROWS; k++) {
		const struct option_row *row = &option_rows[k];
		bool const moves = row->id >= OPTION_TARGET && row->id - OPTION_TARGET < MOVING_OPTIONS;
		bool const target = row->id == OPTION_TARGET || row->id == OPTION_TARGET_FILE;
		unsigned const takes = moves ? GPU_RUN | GPU_TIME | GPU_PREDICT | (target ? GPU_CALIBRATE : 0) : modes_of[row->id];
		if (row->group || !r->given[row->id] || !takes || takes & o->mode)
			continue;
		message_error("fpmove-gpu %s takes no %s", mode_name(o->mode), option_name(a, row));
		return false;
	}
	if (o->mode == GPU_CALIBRATE && !o->output) {
		message_error("fpmove-gpu calibrate wants a file for the target: -o FILE");
		return false;
	}
	if (o->mode & (GPU_CALIBRATE | GPU_PREDICT) && o->plan.several) {
		message_error("fpmove-gpu %s takes one target", mode_name(o->mode));
		return false;
	}
	bool const works = o->mode & (GPU_RUN | GPU_PREDICT);
	if (works && !o->words.n) {
		message_error("fpmove-gpu %s wants a workload, or all; fpmove-gpu --help lists them", mode_name(o->mode));
		return false;
	}
	if (!works && o->numbers.n) {
		message_error("--%s is a workload's number, and goes with fpmove-gpu run", o->numbers.at[0].name);
		return false;
	}
	if (o->mode & (GPU_INFO | GPU_CALIBRATE) && o->words.n) {
		message_error("fpmove-gpu %s takes no further word such as \"%s\"", mode_name(o->mode), o->words.at[0]);
		return false;
	}
	if (o->mode == GPU_TIME && (o->batch ? o->words.n != 0 : o->words.n != 1 && o->words.n != 2 && o->words.n != 4)) {
		message_error("fpmove-gpu time wants one pair, VP FP, or two: VP FP VP2 FP2; or --batch and a folder or list");
		return false;
	}
	if (o->plot && !o->stages) {
		message_error("--plot draws what --stages measures");
		return false;
	}
	if (o->stages && r->given[OPTION_LEVELS]) {
		message_error("--stages moves by the method of -O1, and takes no --optimize");
		return false;
	}
	if (o->words.n == 4 && o->mode == GPU_TIME && r->given[OPTION_LEVELS]) {
		message_error("two pairs are timed as they are given; --optimize goes with one pair");
		return false;
	}
	return true;
}

bool gpu_options_parse(struct arena *a, int argc, char **argv, struct gpu_options *o)
{
	*o = (struct gpu_options){.device = -1, .language = -1, .level = {[2] = true}, .format = -1, .seed = 1, .check = true, .grid = 1,
	                          .columns = fit_columns(STDOUT_FILENO)};
	struct reading r = {.o = o, .weights = {.arena = a}};
	r.moving = (struct moving){&o->plan, &o->also_read, &r.weights};
	struct arguments given = {.arena = a, .table = make_table(a), .apply = apply, .to = &r};
	if (!arguments_read(&given, argc, argv))
		return false;
	if (o->mode & (GPU_HELP | GPU_VERSION))
		return true;
	if (!find_mode(o, &given) || !consistent(a, o, &r))
		return false;
	if (!r.given[OPTION_SECONDS])
		o->seconds = o->mode == GPU_CALIBRATE ? 60 : 1;
	return true;
}

struct run_options *gpu_options_plan(struct arena *a, const struct gpu_options *o, unsigned level)
{
	struct run_options *plan = arena_alloc(a, sizeof *plan);
	*plan = o->plan;
	plan->move.level = (int)level;
	return plan;
}

/* ---- tasks ----------------------------------------------------------------------------- */

static bool is_wanted(const struct gpu_options *o, const struct workload *w)
{
	for (uint32_t k = 0; k < o->words.n; k++)
		if (strcmp(o->words.at[k], "all") == 0 || strcmp(o->words.at[k], w->name) == 0)
			return true;
	return false;
}

static bool words_are_known(struct arena *a, const struct gpu_options *o)
{
	for (uint32_t k = 0; k < o->words.n; k++) {
		if (strcmp(o->words.at[k], "all") == 0 || workload_named(o->words.at[k]))
			continue;
		struct text all = {.arena = a};
		for (unsigned w = 0; w < nworkloads; w++)
			text_printf(&all, "%s%s", w ? ", " : "", workloads[w]->name);
		message_error("there is no workload %s; there are %s, or all", o->words.at[k], all.at);
		return false;
	}
	return true;
}

/* Which of the workload's numbers is of that name?  --size is the first one's, too; -1: none. */
static int parameter_index(const struct workload *w, const char *name)
{
	for (int k = 0; w->parameters[k].name; k++)
		if (strcmp(w->parameters[k].name, name) == 0)
			return k;
	return strcmp(name, "size") == 0 ? 0 : -1;
}

/* Where several workloads are wanted, it is enough that one of them has the number. */
static bool numbers_are_known(const struct gpu_options *o)
{
	for (uint32_t k = 0; k < o->numbers.n; k++) {
		bool known = false;
		for (unsigned w = 0; w < nworkloads; w++)
			known |= is_wanted(o, workloads[w]) && parameter_index(workloads[w], o->numbers.at[k].name) >= 0;
		if (!known) {
			message_error("%s has no --%s", o->words.at[0], o->numbers.at[k].name);
			return false;
		}
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
	message_error("--%s of %s is %s, from %u to %u, not %u", p->name, w->name, p->what, p->least, p->most, number);
	return false;
}

static bool fill_wanted(const struct gpu_options *o, const struct workload *w, struct wanted *wanted)
{
	*wanted = (struct wanted){.seed = o->seed, .input = o->input, .format = o->format >= 0 ? (enum image_format)o->format : IMAGE_RGBA32F};
	for (unsigned k = 0; w->parameters[k].name; k++)
		wanted->number[k] = w->parameters[k].common;
	bool good = !o->size || set_number(wanted, w, "size", o->size);
	for (uint32_t k = 0; k < o->numbers.n && good; k++)
		good = set_number(wanted, w, o->numbers.at[k].name, o->numbers.at[k].number);
	if (good && o->format >= 0 && !w->any_format && o->words.n == 1 && strcmp(o->words.at[0], w->name) == 0) {
		message_error("%s has a format of its own, and takes no --format", w->name);
		return false;
	}
	if (good && w->any_format && image_formats[wanted->format].channels < 4) {
		message_error("%s needs texels of four channels, and %s has fewer", w->name, image_formats[wanted->format].name);
		return false;
	}
	return good;
}

static void add_forms(struct arena *a, const struct gpu_options *o, const struct workload *w, struct wanted wanted, struct tasks *to)
{
	static const struct workload_form none[] = {{.name = NULL}, {.name = NULL}};
	const struct workload_form *forms = w->forms ? w->forms : none;
	bool const every = o->form && strcmp(o->form, "all") == 0;
	for (unsigned k = 0; k == 0 || forms[k].name; k++) {
		wanted.form = forms[k].name;
		if (every || (o->form ? wanted.form && strcmp(o->form, wanted.form) == 0 : k == 0))
			VEC_PUSH(a, to) = (struct task){w, wanted};
	}
}

bool gpu_options_tasks(struct arena *a, const struct gpu_options *o, struct tasks *to)
{
	*to = (struct tasks){0};
	if (!words_are_known(a, o) || !numbers_are_known(o))
		return false;
	for (unsigned w = 0; w < nworkloads; w++) {
		struct wanted wanted;
		if (!is_wanted(o, workloads[w]))
			continue;
		if (!fill_wanted(o, workloads[w], &wanted))
			return false;
		add_forms(a, o, workloads[w], wanted, to);
	}
	if (to->n)
		return true;
	message_error("%s has no form %s; fpmove-gpu --help lists them", o->words.at[0], o->form);
	return false;
}
