/* Reads the command line, see options.h. */
#include "gpu/options.h"

#include "cli/fit.h"
#include "cli/message.h"
#include "cli/moving.h"

#include <unistd.h>

#define OPTION_TABLE "gpu/gpu_options.def"
#include "cli/option_rows.inc"

static const struct command_mode modes[] = {
	{"time", GPU_TIME, "VP FP [VP2 FP2] | --batch DIR|LIST", NULL},
	{"run", GPU_RUN, "WORKLOAD... | all", NULL},
	{"predict", GPU_PREDICT, "WORKLOAD... | all | VP FP | --reads=K", NULL},
	{"calibrate", GPU_CALIBRATE, "-o FILE", NULL},
	{"info", GPU_INFO, "", NULL},
};
enum { MODES = sizeof modes / sizeof *modes };

/* Room for the rows of gpu_options.def and for the parameters of workloads; rows of parameters have the id OPTIONS. */
enum { MOST_ROWS = OPTION_ROWS + 64 };

struct reading {
	struct gpu_options *o;
	struct moving moving;
	struct text weights;
};

/* ---- the table ------------------------------------------------------------------------- */

static bool has_row(const struct option_row *rows, unsigned n, const char *name)
{
	for (unsigned k = 0; k < n; k++)
		if (!rows[k].group && strcmp(rows[k].name, name) == 0)
			return true;
	return false;
}

/* Returns the help of a parameter: for each workload that has it, a line like "gauss: pixels a side, 16 to 8192 (1024)". */
static const char *parameter_help(struct arena *a, const char *name)
{
	struct text t = {.arena = a};
	for (unsigned w = 0; w < nworkloads; w++)
		for (const struct parameter *p = workloads[w]->parameters; p->name; p++)
			if (strcmp(p->name, name) == 0)
				text_printf(&t, "%s%s: %s, %u to %u (%u)", t.n ? "\n" : "", workloads[w]->name, p->what, p->least, p->most, p->common);
	return t.at;
}

/* Adds a row for each parameter that a workload has to the n rows.  Returns the new number of rows. */
static unsigned add_parameters(struct arena *a, struct option_row *rows, unsigned n)
{
	for (unsigned w = 0; w < nworkloads; w++)
		for (const struct parameter *p = workloads[w]->parameters; p->name && n < MOST_ROWS - OPTION_ROWS; p++)
			if (!has_row(option_rows, OPTION_ROWS, p->name) && !has_row(rows, n, p->name))
				rows[n++] = (struct option_row){.id = OPTIONS, .letters = "", .name = p->name, .argument = NEEDED, .value = "N",
				                                .help = parameter_help(a, p->name)};
	return n;
}

/* Makes the table of all options: the rows of gpu_options.def, with the parameters of workloads before the group "Output". */
static struct option_table make_option_table(struct arena *a)
{
	struct option_row *rows = arena_zero(a, MOST_ROWS * sizeof *rows);
	unsigned n = 0, *takes = arena_zero(a, OPTIONS * sizeof *takes);
	for (unsigned k = 0; k < OPTIONS; k++) {
		bool const moves = k >= OPTION_TARGET && k - OPTION_TARGET < MOVING_OPTIONS, target = k == OPTION_TARGET || k == OPTION_TARGET_FILE;
		takes[k] = moves ? GPU_RUN | GPU_TIME | GPU_PREDICT | (target ? GPU_CALIBRATE : 0) : option_modes[k];
	}
	for (unsigned k = 0; k < OPTION_ROWS; k++) {
		if (option_rows[k].group && strcmp(option_rows[k].group, "Output") == 0)
			n = add_parameters(a, rows, n);
		rows[n++] = option_rows[k];
	}
	return (struct option_table){rows, n, option_values, takes, OPTIONS};
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
	struct option_table const table = make_option_table(t->arena);
	arguments_usage(t, modes, MODES);
	text_string(t, "\nTimes Direct3D 9 programs on the GPU here, as given and after fpmove moved what\n"
	               "it could, in whole computations.  It draws with OpenGL, without a window.\n");
	size_t const from = t->n;
	list_workloads(t);
	arguments_help(t, &table);
	fit_lines(t, from, 2, 80);
	text_string(t, "\nExit status: 0 done; 1 a result is wrong; 2 wrong usage, bad input, or no GPU.\n");
}

/* ---- reading --------------------------------------------------------------------------- */

/* Reads levels like "-O1,-O2", "2,3" or "none".  Returns false after a message. */
static bool read_levels(struct gpu_options *o, const char *value)
{
	memset(o->level, 0, sizeof o->level);
	for (const char *at = value; strcmp(value, "none") != 0; at++) {
		at += *at == '-';
		at += *at == 'O';
		if (*at < '1' || *at >= '0' + GPU_LEVELS || (at[1] && at[1] != ','))
			return message_error("--optimize wants none, or levels such as -O1,-O2,-O3, not \"%s\"", value);
		o->level[*at++ - '0'] = true;
		if (!*at)
			break;
	}
	return true;
}

/* Reads sizes like "16,32,64", sorts them and drops duplicates.  Returns false after a message. */
static bool read_sizes(const struct arguments *given, const struct option_row *row, struct gpu_options *o, const char *value)
{
	o->sizes.n = 0;
	for (const char *at = value, *end; at; at = *end ? end + 1 : NULL) {
		unsigned size;
		end = at + strcspn(at, ",");
		if (!argument_number(row, arena_copy(given->arena, at, (size_t)(end - at)), 1, 65536, &size))
			return false;
		uint32_t k = o->sizes.n;
		for (VEC_PUSH(given->arena, &o->sizes) = size; k && o->sizes.at[k - 1] > size; k--)
			o->sizes.at[k] = o->sizes.at[k - 1];
		o->sizes.at[k] = size;
		if (k && o->sizes.at[k - 1] == size)
			memmove(o->sizes.at + k, o->sizes.at + k + 1, (--o->sizes.n - k) * sizeof *o->sizes.at);
	}
	return true;
}

/* Sets *to to the index of the option's value among the words that the option takes.  Returns false after a message if it is none of them. */
static bool read_choice(const struct arguments *given, const struct option_row *row, const char *value, int *to)
{
	unsigned number = 0;
	bool const good = argument_one_of(given, row, value, &number);
	*to = (int)number;
	return good;
}

/* Applies one option of the command line to the options, see struct arguments. */
static bool apply_gpu_option(struct arguments *given, const struct option_row *row, const char *value)
{
	struct reading *r = given->to;
	struct gpu_options *o = r->o;
	unsigned number;
	if (row->id >= OPTIONS) {
		bool const good = argument_number(row, value, 0, 1u << 30, &number);
		VEC_PUSH(given->arena, &o->numbers) = (struct given_number){row->name, number};
		return good;
	}
	switch ((enum option)row->id) {
	case OPTION_DEVICE: {
		bool const good = argument_number(row, value, 0, 63, &number);
		o->device = (int)number;
		return good;
	}
	case OPTION_LANGUAGE: return read_choice(given, row, value, &o->language);
	case OPTION_LEVELS: return read_levels(o, value);
	case OPTION_STAGES: return o->stages = true;
	case OPTION_ULP: return o->ulp = true;
	case OPTION_BANDWIDTH: return o->bandwidth = true;
	case OPTION_SIZE: return read_sizes(given, row, o, value);
	case OPTION_FORMAT: return read_choice(given, row, value, &o->format);
	case OPTION_SECONDS: return argument_real(row, value, 3600, &o->seconds);
	case OPTION_PASSES: return argument_number(row, value, 1, 100000, &o->passes);
	case OPTION_READS: o->imagined = true; return argument_number(row, value, 0, 100000, &o->reads);
	case OPTION_PIXELS: return argument_number(row, value, 1, UINT32_MAX, &o->pixels);
	case OPTION_BYTES: return argument_number(row, value, 1, 4096, &o->bytes);
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
	case OPTION_FORCE:
		VEC_PUSH(given->arena, &o->also_read) = o->force = value;
		return true;
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

/* Returns false after a message if words are missing, or given that the mode does not take. */
static bool mode_takes_words(struct arena *a, const struct gpu_options *o, const char *name)
{
	uint32_t const n = o->words.n;
	bool const works = o->mode & (GPU_RUN | GPU_PREDICT);
	struct refusal const refusals[] = {
		{o->mode == GPU_CALIBRATE && !o->output, "fpmove-gpu calibrate wants a file for the target: -o FILE"},
		{o->mode & (GPU_CALIBRATE | GPU_PREDICT) && o->plan.several, arena_printf(a, "fpmove-gpu %s takes one target", name)},
		{o->imagined && n,
		 arena_printf(a, "--reads describes a program that does not exist yet, and takes no word such as \"%s\"", n ? o->words.at[0] : "")},
		{works && !n && !o->imagined, arena_printf(a, "fpmove-gpu %s wants a workload, or all; fpmove-gpu --help lists them", name)},
		{(!works || o->imagined) && o->numbers.n,
		 arena_printf(a, "--%s is a workload's number, and goes with fpmove-gpu run", o->numbers.n ? o->numbers.at[0].name : "")},
		{o->mode & (GPU_INFO | GPU_CALIBRATE) && n,
		 arena_printf(a, "fpmove-gpu %s takes no further word such as \"%s\"", name, n ? o->words.at[0] : "")},
		{o->mode == GPU_TIME && (o->batch ? n != 0 : n != 1 && n != 2 && n != 4),
		 "fpmove-gpu time wants one pair, VP FP, or two: VP FP VP2 FP2; or --batch and a folder or list"},
	};
	return arguments_agree(refusals, sizeof refusals / sizeof *refusals, "");
}

/* Returns false after a message if options of mode predict are missing or do not go together. */
static bool predictions_agree(const struct gpu_options *o, const bool *given)
{
	bool const pair = gpu_options_pair(o), works = !pair && !o->imagined;
	bool const of_works = o->form || o->input || given[OPTION_SEED];
	struct refusal const refusals[] = {
		{works && o->passes, "--passes goes with a pair, VP FP, or with --reads; a workload has its own"},
		{!o->imagined && (o->pixels || o->bytes), "--pixels and --bytes go with --reads"},
		{!works && of_works, "--form, --input and --seed go with workloads"},
		{pair && o->numbers.n, "a pair has no numbers but --size and --passes"},
		{o->imagined && (given[OPTION_LEVELS] || o->moving.n), "--reads describes a program that does not exist yet, from which nothing can move"},
		{o->imagined && !o->pixels && !o->sizes.n, "--reads wants --pixels=J, or --size=N for N x N"},
		{o->pixels && o->sizes.n, "take --pixels or --size, not both: each sets the number of pixels"},
		{o->imagined && o->bytes != 4 && o->bytes != 8 && o->bytes != 16 && o->format < 0,
		 "--reads wants --bytes of 4, 8 or 16; other --bytes also need --format, whose bandwidth is taken"},
	};
	return o->mode != GPU_PREDICT || arguments_agree(refusals, sizeof refusals / sizeof *refusals, "");
}

/* Returns false after a message if options do not go together. */
static bool options_agree(const struct gpu_options *o, const bool *given)
{
	bool const several = o->sizes.n > 1, two_pairs = o->mode == GPU_TIME && o->words.n == 4;
	struct refusal const refusals[] = {
		{o->ulp && o->format == IMAGE_RGBA8, "--ulp is about floats, which rgba8 does not hold"},
		{o->mode == GPU_INFO && (o->format >= 0 || o->csv) && !o->ulp && !o->bandwidth,
		 "--format and --csv go with info --ulp or --bandwidth"},
		{several && o->mode == GPU_TIME, "fpmove-gpu time takes one --size; a list goes with workloads"},
		{several && o->stages, "--stages takes one --size"},
		{o->plot && !o->stages && !several, "--plot draws what --stages measures, or a workload over a list of sizes: --size=64,128,256"},
		{o->stages && given[OPTION_LEVELS], "--stages moves by the method of -O1, and takes no --optimize"},
		{o->stages && (two_pairs || o->batch), "--stages goes with one pair or with workloads"},
		{two_pairs && given[OPTION_LEVELS], "two pairs are timed as they are given; --optimize goes with one pair"},
	};
	return arguments_agree(refusals, sizeof refusals / sizeof *refusals, "");
}

bool gpu_options_parse(struct arena *a, int argc, char **argv, struct gpu_options *o)
{
	*o = (struct gpu_options){.device = -1, .language = -1, .level = {[2] = true}, .format = -1, .seed = 1, .check = true, .grid = 1,
	                          .columns = fit_columns(STDOUT_FILENO)};
	struct reading r = {.o = o, .weights = {.arena = a}};
	r.moving = (struct moving){&o->plan, &o->also_read, &r.weights};
	struct arguments given = {.arena = a, .table = make_option_table(a), .apply = apply_gpu_option, .to = &r};
	if (!arguments_read(&given, argc, argv))
		return false;
	if (o->mode & (GPU_HELP | GPU_VERSION))
		return true;
	const struct command_mode *mode = arguments_mode(&given, modes, MODES, "run gauss");
	if (!mode)
		return false;
	o->mode = mode->bit;
	o->words = given.words;
	if (!mode_takes_words(a, o, mode->name) || !predictions_agree(o, given.given) || !options_agree(o, given.given))
		return false;
	if (!given.given[OPTION_SECONDS])
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
