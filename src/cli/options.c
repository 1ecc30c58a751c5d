/* Reads the command line by the table of options, see options.def. */
#include "cli/options.h"

#include "cli/dump.h"
#include "cli/fit.h"
#include "cli/message.h"
#include "cli/modes.h"
#include "cli/moving.h"
#include "cli/option_files.h"
#include "lang/check.h"
#include "system/files.h"
#include "system/process.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPTION_TABLE "cli/options.def"
#include "cli/option_rows.inc"

static const struct option_table table = {option_rows, OPTION_ROWS, option_values, option_modes, OPTIONS};

void options_help(struct text *t)
{
	text_string(t, "Usage: fpmove [options] VP FP -o DIR\n"
	               "       fpmove [options] --batch DIR|LIST -o DIR\n"
	               "       fpmove [options] --pairs TABLE.csv -o DIR\n"
	               "       fpmove [options] --check FILE...\n"
	               "       fpmove [options] FP [--vp=VP] -o DIR\n"
	               "       fpmove [options] --check-moves VP FP\n"
	               "       fpmove [options] --prove [VP1] FP1 [VP2] FP2\n"
	               "       fpmove [options] --compare OLD.json NEW.json\n\n"
	               "Moves instructions from a Direct3D 9 pixel program (ps_2_0, ps_3_0) to its\n"
	               "vertex program (vs_1_1, vs_2_0, vs_3_0) where that leaves the picture as it\n"
	               "is, proves the result, and writes both.  VP and FP are assembly text or\n"
	               "bytecode, in either order or in one file; - is standard input.  A pixel program\n"
	               "alone is made shorter where that needs no vertex program.  A ps_2_0 program may\n"
	               "be too long, and a ps_2_a, ps_2_b, ps_2_x or ps_2_sw program is written as\n"
	               "ps_2_0, if it comes to fit.  @FILE stands for the arguments in FILE.\n");
	arguments_help(t, &table);
	text_string(t, "\nExit status: 0 done; 1 an input was rejected, or --prove, --check-moves or\n"
	               "--fail-on found something; 2 wrong usage, or a file could not be read or\n"
	               "written; 3 a result failed its proof.  Unless it is 0, no program of the pair is\n"
	               "written.\n");
}

/* Returns the number at `*at`, and moves `*at` behind its digits.  Returns 0 if there is no number or it is too large. */
static unsigned count_at(const char **at)
{
	char *end;
	if (**at < '0' || **at > '9')
		return 0;
	unsigned long n = strtoul(*at, &end, 10);
	*at = end;
	return n <= UINT_MAX ? (unsigned)n : 0;
}

static bool shard(const char *value, struct options *o)
{
	const char *at = value;
	o->shard = count_at(&at);
	bool parted = *at++ == '/';
	o->shards = parted ? count_at(&at) : 0;
	return (parted && !*at && o->shard >= 1 && o->shard <= o->shards) || message_error("--shard wants K/N with K from 1 to N, not \"%s\"", value);
}

/* Returns true if the words of `given`, which dashes separate, are words of `id` in the same order, each misspelt in at most a third of its
 * letters. */
static bool has_words(const char *id, const char *given)
{
	for (size_t n; n = strcspn(given, "-"), *given; given += n + (given[n] == '-')) {
		bool found = false;
		for (size_t m; m = strcspn(id, "-"), *id && !found; id += m + (id[m] == '-')) {
			char word[40];
			snprintf(word, sizeof word, "%.*s", (int)m, id);
			found = diag_distance(given, n, word) <= n / 3;
		}
		if (!found)
			return false;
	}
	return true;
}

/* Returns the id of warning i, counted through the rules and then the notices. */
static const char *warning_id(unsigned i)
{
	return i < RULES ? rules[i].id : notices[i - RULES].id;
}

static bool known_rule(const char *id)
{
	enum { MOST_LIKE = 4 };
	for (unsigned i = 0; i < WARNINGS; i++)
		if (strcmp(warning_id(i), id) == 0)
			return true;
	const char *like[MOST_LIKE] = {NULL};
	unsigned n = 0, least = (unsigned)strlen(id) / 3 + 2;
	for (unsigned i = 0; i < WARNINGS; i++)
		if (has_words(warning_id(i), id) && n++ < MOST_LIKE)
			like[n - 1] = warning_id(i);
	for (unsigned i = 0; i < WARNINGS && !n; i++) {
		unsigned d = diag_distance(id, strlen(id), warning_id(i));
		if (d < least) {
			least = d;
			like[0] = warning_id(i);
		}
	}
	char names[160] = "";
	for (unsigned i = 0; i < MOST_LIKE && like[i]; i++) {
		size_t at = strlen(names);
		snprintf(names + at, sizeof names - at, "%s%s", i ? " or " : "", like[i]);
	}
	if (!*names || n > MOST_LIKE)
		message_error("there is no rule %s; fpmove --rules lists them", id);
	else
		message_error("there is no rule %s; did you mean %s?", id, names);
	return false;
}

struct reading {
	struct arena *arena;
	struct options *o;
	struct moving moving;
	const char *mode_option; /* name of the option that set the mode, or NULL if none did */
	const char *color;
};

static bool set_mode(struct reading *r, enum mode mode, const char *option)
{
	if (r->mode_option && strcmp(r->mode_option, option) != 0)
		return message_error("--%s and --%s exclude each other", r->mode_option, option);
	r->mode_option = option;
	r->o->mode = mode;
	return true;
}

/* Returns true for options that may change the outputs for a pair, or decide whether they are written. */
static bool decides(enum option option)
{
	static const bool others[OPTIONS] = {
		[OPTION_NAMES] = true, [OPTION_VP] = true, [OPTION_WRITE_VP] = true, [OPTION_KEEP_MODEL] = true, [OPTION_PRESHADER] = true,
		[OPTION_SHARED_VP] = true, [OPTION_SHARED_FP] = true, [OPTION_WERROR] = true, [OPTION_NO_WARN] = true, [OPTION_DEPS] = true,
		[OPTION_VERIFY] = true, [OPTION_VALIDATE] = true, [OPTION_TOLERANCE] = true, [OPTION_PRECISION] = true,
	};
	return (option >= OPTION_LEVEL && option <= OPTION_INCLUDE) || others[option];
}

static void add_deciding(struct reading *r, const struct option_row *row, const char *value)
{
	text_printf(&r->o->run_text, " %s%s=%s", row->letters, row->name, value ? value : "");
	if (row->id == OPTION_LEVEL || row->id == OPTION_TARGET)
		return;
	bool named = *row->name;
	VEC_PUSH(r->arena, &r->o->deciding) = arena_printf(r->arena, "%s%s%s%s", named ? "--" : "-", named ? row->name : row->letters,
	                                                   named && value ? "=" : "", value ? value : "");
}

static bool apply(struct arguments *given, const struct option_row *row, const char *value)
{
	struct reading *r = given->to;
	if (decides((enum option)row->id))
		add_deciding(r, row, value);
	struct options *o = r->o;
	struct move_options *m = &o->run.move;
	switch ((enum option)row->id) {
	case OPTION_OUTPUT: o->output = value; return true;
	case OPTION_REPORT: o->report = value; return true;
	case OPTION_CONSTANTS: o->constants = value; return true;
	case OPTION_PRESHADER: o->preshader = value; return m->preshader = true;
	case OPTION_DOT: o->dot = value; return true;
	case OPTION_DEPS: o->deps = true; return true;
	case OPTION_DEP_FILE: o->deps = true; o->dep_file = value; return true;
	case OPTION_EMIT: {
		unsigned index;
		bool const known = argument_one_of(given, row, value, &index);
		o->run.emit = (uint8_t)(index ? EMIT_BYTECODE : EMIT_ASM);
		return known;
	}
	case OPTION_BATCH: o->batch = value; return set_mode(r, MODE_BATCH, row->name);
	case OPTION_PAIRS: o->batch = value; o->pairs = true; return set_mode(r, MODE_BATCH, row->name);
	case OPTION_PAIRS_COLUMNS: o->pairs_columns = value; return true;
	case OPTION_JOBS: return argument_number(row, value, 0, 1024, &o->jobs);
	case OPTION_NEWER: o->newer = true; return true;
	case OPTION_SHARED_VP: o->shared_vp = true; return true;
	case OPTION_SHARED_FP: o->shared_fp = true; return true;
	case OPTION_SHARD: return shard(value, o);
	case OPTION_MERGE_REPORTS: return set_mode(r, MODE_MERGE, row->name);
	case OPTION_COMPARE: return set_mode(r, MODE_COMPARE, row->name);
	case OPTION_FAIL_ON: return compare_fail_on(value, &o->fail_on);
	case OPTION_PROGRESS: o->progress = true; return true;
	case OPTION_HTML: o->html = value; return true;
	case OPTION_CSV: o->csv = value; return true;
	case OPTION_LEVEL: {
		unsigned level;
		if (!argument_one_of(given, row, value, &level))
			return false;
		m->level = (int)level;
		return true;
	}
#define GROUP(title)
#define OPTION(id, ...) case OPTION_##id:
#define VALUES_OF(id, tables)
#include "cli/moving.def"
#undef GROUP
#undef OPTION
#undef VALUES_OF
		return moving_apply(given, &r->moving, (enum moving_option)(row->id - OPTION_TARGET), row, value);
	case OPTION_PS_CONSTS: o->run.given |= GIVEN_PS_CONSTS; return moving_range(row, value, 31, &m->ps_consts);
	case OPTION_DEVICE: return device_option(r->arena, value, &o->run.device, &o->also_read, &o->run_text);
	case OPTION_DEFINE:
		if (!preprocess_is_define(value))
			return message_error("-D wants NAME or NAME=VALUE, not \"%s\"", value);
		VEC_PUSH(r->arena, &o->defines) = value;
		return true;
	case OPTION_INCLUDE: VEC_PUSH(r->arena, &o->includes) = value; return true;
	case OPTION_NAMES:
		VEC_PUSH(r->arena, &o->also_read) = o->names = value;
		return (o->run.names = names_from_file(r->arena, value, &o->run_text)) != NULL;
	case OPTION_NO_CONFIG: return true;
	case OPTION_PREPROCESS: return set_mode(r, MODE_PREPROCESS, row->name);
	case OPTION_EFFECT: o->effect = true; return true;
	case OPTION_KEEP_MODEL: o->run.keep_model = true; return true;
	case OPTION_VP:
		VEC_PUSH(r->arena, &o->also_read) = o->vp = value;
		return true;
	case OPTION_WRITE_VP: o->write_vp = true; return true;
	case OPTION_PRINT: return set_mode(r, MODE_PRINT, row->name);
	case OPTION_UNPACK:
		VEC_PUSH(r->arena, &o->also_read) = o->unpack = value;
		return set_mode(r, MODE_UNPACK, row->name);
	case OPTION_CHECK: return set_mode(r, MODE_CHECK, row->name);
	case OPTION_CHECK_MOVES: return o->check_moves = true;
	case OPTION_PROVE: return set_mode(r, MODE_PROVE, row->name);
	case OPTION_CONSTANTS_MAP: o->constants_map = value; return true;
	case OPTION_RULES:
		if (value)
			VEC_PUSH(r->arena, &given->words) = value;
		return set_mode(r, MODE_RULES, row->name);
	case OPTION_VERIFY: o->verify = true; return !value || argument_number(row, value, 1, 1000000, &o->primitives);
	case OPTION_VALIDATE: {
		unsigned index;
		o->validate = true;
		return argument_one_of(given, row, value, &index);
	}
	case OPTION_TOLERANCE: return argument_real(row, value, 1e30, &o->tolerance);
	case OPTION_PRECISION: {
		unsigned index;
		bool known = argument_one_of(given, row, value, &index);
		o->fp24 = index == 1;
		return known;
	}
	case OPTION_WERROR: o->run.werror = true; return true;
	case OPTION_NO_WARN: VEC_PUSH(r->arena, &o->no_warn) = value; return known_rule(value);
	case OPTION_STATS: o->stats = true; return true;
	case OPTION_DIFF: o->diff = true; return true;
	case OPTION_EXPLAIN: o->explain = true; return true;
	case OPTION_DUMP: return dump_wanted(value, &o->dump);
	case OPTION_COLOR: {
		unsigned index;
		r->color = value ? value : "always";
		return argument_one_of(given, row, r->color, &index);
	}
	case OPTION_QUIET: o->quiet = true; return true;
	case OPTION_VERBOSE: o->verbose = true; return true;
	case OPTION_HELP: o->mode = MODE_HELP; return given->enough = true;
	case OPTION_VERSION: o->mode = MODE_VERSION; return given->enough = true;
	case OPTIONS: break;
	}
	return false;
}

/* Looks at an option in the first reading of the command line, before the file of options (.fpmove) is read: keeps the value of --batch or
 * --pairs, and ends the reading at --help or --version. */
static bool look_at(struct arguments *given, const struct option_row *row, const char *value)
{
	const char **batch = given->to;
	*batch = row->id == OPTION_BATCH || row->id == OPTION_PAIRS ? value : *batch;
	given->enough = row->id == OPTION_HELP || row->id == OPTION_VERSION;
	return true;
}

/* Returns true for options that a file of options (.fpmove) may hold: they name no output, mode or program, and run nothing. */
static bool is_of_project(enum option option)
{
	return option == OPTION_EMIT || option == OPTION_KEEP_MODEL || option == OPTION_SHARED_VP || option == OPTION_SHARED_FP ||
	       (option >= OPTION_LEVEL && option <= OPTION_INCLUDE) || option == OPTION_NAMES || option == OPTION_WERROR ||
	       option == OPTION_NO_WARN;
}

/* Returns true if an option of the file of options (.fpmove) matters for a run whose command line has the options `has`.  The others are
 * ignored. */
static bool is_of_use(const bool *has, enum option option)
{
	if (option == OPTION_DEFINE || option == OPTION_INCLUDE || option == OPTION_WERROR || option == OPTION_NO_WARN)
		return true;
	if (option == OPTION_SHARED_VP || option == OPTION_SHARED_FP)
		return has[OPTION_BATCH] || has[OPTION_PAIRS];
	return !has[OPTION_CHECK] && !has[OPTION_PREPROCESS] && !has[OPTION_PRINT] && (option != OPTION_PS_CONSTS || has[OPTION_PRESHADER]) &&
	       (option != OPTION_EMIT || !has[OPTION_EFFECT]);
}

struct configured {
	struct reading *reading;
	const bool *has; /* for each option id, true if the command line has the option */
};

static bool apply_configured(struct arguments *given, const struct option_row *row, const char *value)
{
	struct configured *c = given->to;
	if (!is_of_project((enum option)row->id)) {
		message_error("%s:%u: %s does not go in such a file, which only says how programs are read and what may move", given->file,
		              arguments_line(given), option_name(given->arena, row));
		given->placed = true;
		return false;
	}
	if (!is_of_use(c->has, (enum option)row->id))
		return true;
	struct arguments as_given = *given;
	as_given.to = c->reading;
	return apply(&as_given, row, value);
}

/* Applies the options of the file of options (.fpmove), if there is one and the mode takes its options.  Returns false after a message if the
 * file is wrong. */
static bool read_config(struct reading *r, const struct arguments *first, const char *batch)
{
	const bool *has = first->given;
	struct options *o = r->o;
	struct names batches = {0};
	if (first->enough || has[OPTION_NO_CONFIG] || has[OPTION_MERGE_REPORTS] || has[OPTION_COMPARE] || has[OPTION_PROVE] || has[OPTION_RULES])
		return true;
	if (batch)
		VEC_PUSH(r->arena, &batches) = batch;
	if (!config_find(r->arena, batch ? &batches : &first->words, &o->config))
		return false;
	if (!o->config)
		return true;
	VEC_PUSH(r->arena, &o->also_read) = o->config;
	struct configured c = {r, has};
	struct arguments configured = {.arena = r->arena, .table = table, .apply = apply_configured, .to = &c};
	if (!config_read(&configured, o->config))
		return false;
	if (!has[OPTION_QUIET])
		message_note("options of %s are used; --no-config leaves them out", o->config);
	return true;
}

static void colours(struct reading *r)
{
	struct options *o = r->o;
	const char *term = getenv("TERM"), *no_color = getenv("NO_COLOR");
	bool plain = (no_color && *no_color) || (term && strcmp(term, "dumb") == 0);
	o->terminal = os_is_terminal(OS_OUT);
	o->columns = fit_columns(OS_OUT);
	o->columns_err = fit_columns(OS_ERR);
	o->colour_out = o->terminal && !plain;
	o->colour_err = os_is_terminal(OS_ERR) && !plain;
	if (r->color && strcmp(r->color, "auto") != 0)
		o->colour_out = o->colour_err = strcmp(r->color, "always") == 0;
}

static const char more_help[] = "; fpmove --help says more";

/* Returns true if the path is standard output: one of its names, or the pipe or terminal that it is.  A regular file counts only by these names,
 * and /dev/null never does. */
static bool is_stdout(const char *path)
{
	static const char *const names[] = {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"};
	struct os_facts given, out;
	for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(path, names[i]) == 0)
			return true;
	return os_facts(path, &given) && os_facts_of(OS_OUT, &out) && os_same_file(&given, &out) &&
	       (given.kind == OS_PIPE || os_is_terminal(OS_OUT));
}

/* An option that writes a file, or (`look`) an option such as --stats that only shows something on standard output. */
struct writer {
	const char *option, *path; /* `path` is NULL if the option was not given */
	bool look;
};
enum { WRITERS = 12 };

static void list_writers(const struct options *o, struct writer *w)
{
	const struct writer all[WRITERS] = {
		{"-o", o->output, false}, {"--report", o->report, false}, {"--html", o->html, false}, {"--csv", o->csv, false},
		{"--constants", o->constants, false}, {"--preshader", o->preshader, false}, {"--dot", o->dot, false},
		{"-MF", o->dep_file, false}, {"--stats", o->stats ? "-" : NULL, true}, {"--diff", o->diff ? "-" : NULL, true},
		{"--explain", o->explain ? "-" : NULL, true}, {"--dump", o->dump ? "-" : NULL, true},
	};
	memcpy(w, all, sizeof all);
}

bool options_use_stdout(const struct options *o)
{
	struct writer w[WRITERS];
	list_writers(o, w);
	for (unsigned i = 0; i < WRITERS; i++)
		if (w[i].path && !w[i].look && is_stdout(w[i].path))
			return true;
	return false;
}

/* Returns false after a message if standard input would be read twice, or if two outputs would go to one file or to standard output.  Tables of
 * --stats and the like are no conflict, since they go to standard error instead, except with --batch or beside a --csv on standard output. */
static bool streams_differ(const struct options *o)
{
	struct writer w[WRITERS];
	list_writers(o, w);
	uint32_t inputs = 0;
	for (uint32_t i = 0; i < o->files.n; i++)
		inputs += strcmp(o->files.at[i], "-") == 0;
	if (inputs > 1)
		return message_error("standard input is read once: - stands for all that is in it%s", more_help);
	for (unsigned i = 1; i < WRITERS; i++) {
		for (unsigned k = 0; w[i].path && k < i; k++) {
			bool const both = w[k].path && is_stdout(w[i].path) && is_stdout(w[k].path);
			bool const gives_way = w[i].look && (w[k].look || (o->mode != MODE_BATCH && w[k].path != o->csv));
			if (!w[k].path || gives_way || (!both && strcmp(w[i].path, w[k].path) != 0))
				continue;
			return message_error("%s and %s: two different outputs would be written to %s", w[k].option, w[i].option,
			                     both ? "standard output" : w[i].path);
		}
	}
	return true;
}

/* Returns false after a message if the mode lacks an option or file that it needs, or if options do not go together. */
static bool consistent(const struct options *o)
{
	uint32_t const n = o->files.n;
	bool const to_files = o->output && strcmp(o->output, "-") != 0;
	bool const writes = o->output || o->html || o->constants || o->preshader || o->dot || o->deps;
	bool const shows = o->stats || o->diff || o->explain || o->dump, draws = o->verify || o->validate;
	bool const move = o->mode == MODE_MOVE, batch = o->mode == MODE_BATCH, merge = o->mode == MODE_MERGE, unpack = o->mode == MODE_UNPACK;
	bool const compare = o->mode == MODE_COMPARE, check = o->mode == MODE_CHECK, print = o->mode == MODE_PRINT, moves = move || batch;
	const char *comma = o->pairs_columns ? strchr(o->pairs_columns, ',') : NULL;
	struct refusal const refusals[] = {
		{move && !n, "no program given"},
		{move && o->vp && n != 1, "--vp goes with one pixel program"},
		{move && o->effect && n != 1, "--effect takes one file at a time"},
		{move && n > 2, "more than two files: a pair is one vertex and one pixel program"},
		{move && !o->report && !o->csv && !shows && !draws && !writes && !o->check_moves, "say where to write with -o DIR"},
		{move && o->deps && !to_files, "-MD needs -o DIR"},
		{move && o->effect && o->html,
		 "--html shows programs that are files of their own; --diff, --explain and --report tell of an effect file's"},
		{move && o->effect && o->run.emit != EMIT_AS_GIVEN,
		 "--emit is for programs that are files of their own: those of an effect file stay what they are"},
		{move && o->effect && (o->constants || o->preshader || o->dot),
		 "--constants, --preshader and --dot tell of one pair, and an effect file may hold many"},
		{batch && n, o->pairs ? "--pairs takes one table, and no other file" : "--batch takes one folder or list, and no other file"},
		{batch && !o->check_moves && !to_files, o->pairs ? "--pairs needs -o DIR" : "--batch needs -o DIR"},
		{batch && o->effect, "--effect takes one file; --batch tells effects from other files by itself"},
		{batch && (o->constants || o->dot || o->dep_file), "--constants, --dot and -MF take one pair"},
		{merge && (!n || !o->report), "--merge-reports takes reports, and --report for the whole"},
		{merge && writes, "--merge-reports writes --report, and nothing else"},
		{compare && n != 2, "--compare takes two reports: the old one and the new one"},
		{compare && (writes || o->report), "--compare writes --csv, and nothing else"},
		{compare && o->run_text.n, "--compare reads reports and moves nothing: it takes no option of moving"},
		{(check || o->mode == MODE_PREPROCESS || print) && !n, "no file given"},
		{unpack && n, "--unpack takes one trace, and no other file"},
		{unpack && !to_files, "--unpack needs -o DIR"},
		{unpack && (o->run_text.n || o->report || o->csv || o->html || o->constants || o->dot),
		 "--unpack moves nothing: it takes no option of moving, and writes no report"},
		{o->mode == MODE_PROVE && n != 4 && n != 2, "--prove takes four files, VP1 FP1 VP2 FP2, or two: FP1 FP2"},
		{o->pairs_columns && !o->pairs, "--pairs-columns goes with --pairs"},
		{o->pairs_columns && (!comma || comma == o->pairs_columns || !comma[1] || strchr(comma + 1, ',')),
		 "--pairs-columns wants the names of two columns, as VP,FP"},
		{o->vp && !moves, "--vp goes with moving"},
		{o->run.names && !moves, "--names goes with moving"},
		{o->write_vp && (!o->vp || batch || o->effect), "--write-vp goes with --vp and one pixel program"},
		{!batch && (o->shared_vp || o->shared_fp || o->newer || o->shards), "--newer, --shared-vp, --shared-fp and --shard go with --batch"},
		{o->csv && !moves && !compare, "--csv goes with moving and --compare"},
		{o->check_moves && !moves, "--check-moves goes with moving"},
		{o->check_moves && (o->output || o->constants || o->preshader || o->dot || o->deps || o->newer),
		 "--check-moves writes no program: of outputs it takes --report, --csv and --html"},
		{o->check_moves && o->run.move.level == 0, "--check-moves goes with -O1 to -O3: nothing moves at -O0"},
		{o->fail_on && !compare, "--fail-on goes with --compare"},
		{o->preshader && o->run.move.level < 2, "--preshader goes with -O2 and -O3"},
		{o->preshader && o->run.move.drop_in, "--preshader asks the application for constants, and --drop-in for none"},
		{o->preshader && (o->run.given & (GIVEN_MAX_MOVES | GIVEN_STOP_AT) || o->run.move.colour_inputs),
		 "--max-moves, --ps-slots and --colour-inputs are of the method of -O1, which has no --preshader"},
		{o->preshader && (o->shared_vp || o->shared_fp), "--preshader takes pairs by themselves, not --shared-vp or --shared-fp"},
		{!o->preshader && o->run.given & GIVEN_PS_CONSTS, "--ps-consts goes with --preshader"},
		{!moves && !unpack && (writes || (o->report && !merge)), "--check, --prove, --preprocess and --print write no programs and no report"},
		{!moves && shows, "--stats, --diff, --explain and --dump go with moving"},
		{o->dump && (batch || o->effect), "--dump tells of one pair at a time, not of those of --batch or --effect"},
		{draws && !moves, "--verify and --validate go with moving"},
		{o->validate && o->preshader, "--validate draws by registers alone: it does not run what --preshader has the application compute"},
		{(o->tolerance > 0 || o->fp24) && !o->verify, "--tolerance and --precision go with --verify"},
		{o->mode != MODE_PROVE && o->constants_map, "--constants-map goes with --prove"},
		{o->effect && !move && !check && !print, "--effect goes with moving, --check and --print"},
	};
	if (o->mode == MODE_HELP || o->mode == MODE_VERSION)
		return true;
	for (uint32_t i = 0; o->mode == MODE_RULES && i < n; i++)
		if (!known_rule(o->files.at[i]))
			return false;
	return o->mode == MODE_RULES || (arguments_agree(refusals, sizeof refusals / sizeof *refusals, more_help) && streams_differ(o));
}

bool options_parse(struct arena *arena, int argc, char **argv, struct options *o)
{
	*o = (struct options){.mode = MODE_MOVE, .run.move.level = 2, .run_text.arena = arena};
	struct reading r = {.arena = arena, .o = o, .moving = {&o->run, &o->also_read, &o->run_text}};
	const char *batch = NULL;
	struct arguments first = {.arena = arena, .table = table, .apply = look_at, .to = &batch};
	struct arguments given = {.arena = arena, .table = table, .apply = apply, .to = &r};
	if (!arguments_read(&first, argc, argv) || !read_config(&r, &first, batch) || !arguments_read(&given, first.line.argc, first.line.argv))
		return false;
	o->files = given.words;
	for (uint32_t i = 0; i < first.responses.n; i++)
		VEC_PUSH(arena, &o->also_read) = first.responses.at[i];
	o->run.no_warn = o->no_warn.at;
	o->run.nno_warn = o->no_warn.n;
	o->run.outcomes = o->report || o->html || o->explain || o->dot;
	o->run.history = o->dump;
	o->run.one_text = o->output && strcmp(o->output, "-") == 0;
	colours(&r);
	return consistent(o);
}

struct preprocess_options options_preprocess(const struct options *o)
{
	return (struct preprocess_options){.defines = o->defines.at, .ndefines = o->defines.n,
	                                   .includes = o->includes.at, .nincludes = o->includes.n};
}
