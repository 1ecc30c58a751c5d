/* Reading the command line, see options.def. */
#include "cli/options.h"

#include "cli/compare.h"
#include "cli/fit.h"
#include "cli/target_file.h"

#include "cli/message.h"
#include "lang/check.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum argument { NONE, NEEDED, MAYBE };

enum option {
#define GROUP(title)
#define OPTION(id, ...) OPTION_##id,
#define VALUES(id, values)
#define VALUES_OF(id, tables)
#include "cli/options.def"
#undef GROUP
#undef OPTION
#undef VALUES
	OPTIONS
};

struct row {
	const char *group; /* title: a heading, not an option */
	enum option option;
	const char *letters, *name;
	enum argument argument;
	const char *value, *help;
};

static const struct row rows[] = {
#define GROUP(title) {.group = title},
#define OPTION(id, letters, name, argument, value, help) \
	{NULL, OPTION_##id, letters, name, argument, value, help},
#define VALUES(id, values)
#include "cli/options.def"
#undef GROUP
#undef OPTION
#undef VALUES
};
enum { ROWS = sizeof rows / sizeof *rows };

/* Of the options that have them: the values, parted by blanks. */
static const char *const values[OPTIONS] = {
#define GROUP(title)
#define OPTION(id, ...)
#define VALUES(id, values) [OPTION_##id] = values,
#include "cli/options.def"
#undef GROUP
#undef OPTION
#undef VALUES
#undef VALUES_OF
};

void options_help(struct text *t)
{
	text_string(t, "Usage: fpmove [options] VP FP -o DIR\n"
	               "       fpmove [options] --batch DIR|LIST -o DIR\n"
	               "       fpmove [options] --check FILE...\n"
	               "       fpmove [options] --check-moves VP FP\n"
	               "       fpmove [options] --prove VP1 FP1 VP2 FP2\n"
	               "       fpmove [options] --compare OLD.json NEW.json\n\n"
	               "Moves instructions from a Direct3D 9 pixel program (ps_2_0) to its vertex\n"
	               "program (vs_1_1, vs_2_0) where that leaves the picture as it is, proves the\n"
	               "result, and writes both.  VP and FP are assembly text, in either order or in\n"
	               "one file; - is standard input.  A ps_2_a, ps_2_b, ps_2_x or ps_2_sw program, or\n"
	               "a ps_2_0 program that is too long, is written as ps_2_0 if it comes to fit.\n");
	for (unsigned i = 0; i < ROWS; i++) {
		const struct row *row = &rows[i];
		if (row->group) {
			text_printf(t, "\n%s:\n", row->group);
			continue;
		}
		char left[64];
		bool letters = *row->letters, name = *row->name;
		const char *equals = !name || row->argument == NONE ? "" : row->argument == MAYBE ? "[=" : "=";
		snprintf(left, sizeof left, "  %s%s%s%s%s%s%s%s%s", letters ? "-" : "    ", row->letters,
		         letters && name ? ", " : "", name ? "--" : "", row->name, equals,
		         !name && row->argument == NEEDED && strlen(row->letters) > 1 ? " " : "", row->value,
		         name && row->argument == MAYBE ? "]" : "");
		text_string(t, left);
		size_t column = strlen(left);
		for (const char *help = row->help; *help;) {
			size_t n = strcspn(help, "\n");
			if (column > 22) {
				text_char(t, '\n');
				column = 0;
			}
			text_printf(t, "%*s" FIT_HANG "%.*s\n", (int)(24 - column), "", (int)n, help);
			column = 0;
			help += n + (help[n] == '\n');
		}
	}
	text_string(t, "\nExit status: 0 done; 1 an input was rejected, or --prove, --check-moves or\n"
	               "--fail-on found something; 2 wrong usage, or a file could not be read or\n"
	               "written; 3 a result failed its proof.  Unless it is 0, no program of the pair is\n"
	               "written.\n");
}

static void unknown_option(const char *given)
{
	const char *name = given + strspn(given, "-");
	size_t n = strcspn(name, "=");
	const char *nearest = NULL;
	unsigned least = (unsigned)n / 3 + 2;
	for (unsigned i = 0; i < ROWS; i++) {
		if (rows[i].group || !*rows[i].name)
			continue;
		unsigned d = n > 2 && strncmp(rows[i].name, name, n) == 0 ? 0 : diag_distance(name, n, rows[i].name);
		if (d < least) {
			least = d;
			nearest = rows[i].name;
		}
	}
	if (nearest)
		message_error("there is no option %s; did you mean --%s?", given, nearest);
	else
		message_error("there is no option %s; fpmove --help lists them", given);
}

static bool number(const struct row *row, const char *value, unsigned least, unsigned most, unsigned *to)
{
	char *end = NULL;
	unsigned long n = value[0] >= '0' && value[0] <= '9' ? strtoul(value, &end, 10) : ULONG_MAX;
	if (!end || *end || n < least || n > most) {
		message_error("%s%s wants a number from %u to %u, not \"%s\"", *row->name ? "--" : "-",
		              *row->name ? row->name : row->letters, least, most, value);
		return false;
	}
	*to = (unsigned)n;
	return true;
}

/* `value` is the `*to`-th of the option's values. */
static bool one_of(struct arena *a, const struct row *row, const char *value, unsigned *to)
{
	struct text all = {.arena = a};
	size_t n = strlen(value);
	const char *at = values[row->option];
	for (*to = 0; *at; ++*to) {
		size_t k = strcspn(at, " ");
		if (k == n && strncmp(at, value, n) == 0)
			return true;
		text_printf(&all, "%s%.*s", !*to ? "" : at[k] ? ", " : " or ", (int)k, at);
		at += k + (at[k] == ' ');
	}
	message_error("%s%s is %s, not \"%s\"", *row->name ? "--" : "-", *row->name ? row->name : row->letters, all.at, value);
	return false;
}

static bool budget(struct options *o, const struct row *row, const char *value, unsigned most,
                   enum run_given bit, unsigned *to)
{
	o->run.given |= (unsigned)bit;
	return number(row, value, 0, most, to);
}

/* "c20-c95", "20-95", "c20" */
static bool constant_range(const struct row *row, const char *value, int most, struct range *to)
{
	int first, last, n = 0;
	const char *p = value + (*value == 'c');
	if (*p < '0' || *p > '9' || sscanf(p, "%3d%n", &first, &n) != 1)
		goto wrong;
	p += n;
	last = first;
	if (*p == '-') {
		p += 1 + (p[1] == 'c');
		if (*p < '0' || *p > '9' || sscanf(p, "%3d%n", &last, &n) != 1)
			goto wrong;
		p += n;
	}
	if (*p || first > last || last > most)
		goto wrong;
	*to = (struct range){first, last};
	return true;
wrong:
	message_error("--%s wants a range such as c20-c%d, not \"%s\"", row->name, most < 95 ? most : 95, value);
	return false;
}

/* Digits alone, from 1; 0: something else. */
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
	if (parted && !*at && o->shard >= 1 && o->shard <= o->shards)
		return true;
	message_error("--shard wants K/N with K from 1 to N, not \"%s\"", value);
	return false;
}

static bool tolerance(const char *value, double *to)
{
	char *end;
	*to = strtod(value, &end);
	if (end != value && !*end && *to > 0 && *to < 1e30)
		return true;
	message_error("--tolerance wants a positive number, not \"%s\"", value);
	return false;
}

/* Are the words of `given` among those of `id`, in this order, but for a letter in three? */
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

/* s0,s2 and the like as bits; no value: all. */
static bool samplers(const struct row *row, const char *value, unsigned *set)
{
	for (const char *at = value; at; at = *at ? at + 1 : NULL) {
		char *end = NULL;
		bool digit = at[0] == 's' && at[1] >= '0' && at[1] <= '9';
		unsigned long n = digit ? strtoul(at + 1, &end, 10) : 0;
		if (!digit || n > 15 || (*end && *end != ',') || (*end && !end[1])) {
			message_error("--%s wants samplers such as s0,s2, not \"%s\"", row->name, value);
			return false;
		}
		*set |= 1u << n;
		at = end;
	}
	*set = value ? *set : UINT_MAX;
	return true;
}

/* Rules and notices in one row. */
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
	const char *mode_option; /* that set the mode */
	const char *color;
};

static bool set_mode(struct reading *r, enum mode mode, const char *option)
{
	if (r->mode_option && r->o->mode != mode) {
		message_error("--%s and --%s exclude each other", r->mode_option, option);
		return false;
	}
	r->mode_option = option;
	r->o->mode = mode;
	return true;
}

/* Options that change what is written for a pair. */
static bool decides(enum option option)
{
	return (option >= OPTION_LEVEL && option <= OPTION_INCLUDE) || option == OPTION_PRESHADER || option == OPTION_SHARED_VP || option == OPTION_SHARED_FP ||
	       option == OPTION_WERROR || option == OPTION_NO_WARN || option == OPTION_DEPS ||
	       option == OPTION_VERIFY || option == OPTION_TOLERANCE || option == OPTION_PRECISION;
}

static void add_deciding(struct reading *r, const struct row *row, const char *value)
{
	text_printf(&r->o->run_text, " %s%s=%s", row->letters, row->name, value ? value : "");
	if (row->option == OPTION_LEVEL || row->option == OPTION_TARGET)
		return;
	bool named = *row->name;
	VEC_PUSH(r->arena, &r->o->deciding) = arena_printf(r->arena, "%s%s%s%s", named ? "--" : "-", named ? row->name : row->letters,
	                                                   named && value ? "=" : "", value ? value : "");
}

static bool apply(struct reading *r, const struct row *row, const char *value)
{
	if (value && !*value) {
		message_error("%s%s wants an argument, not an empty one", *row->name ? "--" : "-",
		              *row->name ? row->name : row->letters);
		return false;
	}
	if (decides(row->option))
		add_deciding(r, row, value);
	struct options *o = r->o;
	struct move_options *m = &o->run.move;
	switch (row->option) {
	case OPTION_OUTPUT: o->output = value; return true;
	case OPTION_REPORT: o->report = value; return true;
	case OPTION_CONSTANTS: o->constants = value; return true;
	case OPTION_PRESHADER: o->preshader = value; return m->preshader = true;
	case OPTION_DOT: o->dot = value; return true;
	case OPTION_DEPS: o->deps = true; return true;
	case OPTION_DEP_FILE: o->deps = true; o->dep_file = value; return true;
	case OPTION_BATCH: o->batch = value; return set_mode(r, MODE_BATCH, row->name);
	case OPTION_JOBS: return number(row, value, 0, 1024, &o->jobs);
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
		if (!one_of(r->arena, row, value, &level))
			return false;
		m->level = (int)level;
		return true;
	}
	case OPTION_TARGET: o->run.given |= GIVEN_TARGET; return target_named(value, &m->target);
	case OPTION_TARGET_FILE: {
		VEC_PUSH(r->arena, &o->also_read) = value;
		o->run.given |= GIVEN_TARGET;
		if (!target_from_file(r->arena, value, &m->target))
			return false;
		const struct target *t = &m->target;
		text_printf(&o->run_text, " (%u %u %u %u %u %u %u %u %u %u)", t->instr, t->lane, t->special, t->tex, t->order,
		            t->varying, t->vertex, t->interpolator, t->pixel, t->overlap);
		return true;
	}
	case OPTION_PIXELS_PER_VERTEX: return budget(o, row, value, 100000000, GIVEN_PIXELS, &m->pixels_per_vertex);
	case OPTION_DROP_IN: m->drop_in = true; return true;
	case OPTION_COLOUR_INPUTS: m->colour_inputs = true; return true;
	case OPTION_FREE_POSITION: m->free_position = true; return true;
	case OPTION_PLAIN_TEXTURES: return samplers(row, value, &m->plain_textures);
	case OPTION_FREE_TIES: m->free_ties = true; return true;
	case OPTION_MAX_MOVES: return budget(o, row, value, 100000, GIVEN_MAX_MOVES, &m->max_moves);
	case OPTION_PS_SLOTS: return budget(o, row, value, 100000, GIVEN_STOP_AT, &m->ps_slots);
	case OPTION_VS_SLOTS: return budget(o, row, value, 256, GIVEN_VS_SLOTS, &m->vs_slots);
	case OPTION_VS_TEMPS: return budget(o, row, value, 12, GIVEN_VS_TEMPS, &m->vs_temps);
	case OPTION_VS_CONSTS: o->run.given |= GIVEN_VS_CONSTS; return constant_range(row, value, 255, &m->vs_consts);
	case OPTION_PS_CONSTS: o->run.given |= GIVEN_PS_CONSTS; return constant_range(row, value, 31, &m->ps_consts);
	case OPTION_TEXCOORDS: return budget(o, row, value, 8, GIVEN_TEXCOORDS, &m->texcoords);
	case OPTION_PS_ARITH: return budget(o, row, value, 64, GIVEN_PS_ARITH, &m->ps_arith);
	case OPTION_PS_TEX: return budget(o, row, value, 32, GIVEN_PS_TEX, &m->ps_tex);
	case OPTION_EFFORT: return budget(o, row, value, 1000000000, GIVEN_EFFORT, &m->effort);
	case OPTION_DEFINE:
		if (!preprocess_is_define(value)) {
			message_error("-D wants NAME or NAME=VALUE, not \"%s\"", value);
			return false;
		}
		VEC_PUSH(r->arena, &o->defines) = value;
		return true;
	case OPTION_INCLUDE: VEC_PUSH(r->arena, &o->includes) = value; return true;
	case OPTION_PREPROCESS: return set_mode(r, MODE_PREPROCESS, row->name);
	case OPTION_EFFECT: o->effect = true; return true;
	case OPTION_CHECK: return set_mode(r, MODE_CHECK, row->name);
	case OPTION_CHECK_MOVES: return o->check_moves = true;
	case OPTION_PROVE: return set_mode(r, MODE_PROVE, row->name);
	case OPTION_CONSTANTS_MAP: o->constants_map = value; return true;
	case OPTION_RULES:
		if (value)
			VEC_PUSH(r->arena, &o->files) = value;
		return set_mode(r, MODE_RULES, row->name);
	case OPTION_VERIFY: o->verify = true; return !value || number(row, value, 1, 1000000, &o->primitives);
	case OPTION_TOLERANCE: return tolerance(value, &o->tolerance);
	case OPTION_PRECISION: {
		unsigned index;
		bool known = one_of(r->arena, row, value, &index);
		o->fp24 = index == 1;
		return known;
	}
	case OPTION_WERROR: o->run.werror = true; return true;
	case OPTION_NO_WARN: VEC_PUSH(r->arena, &o->no_warn) = value; return known_rule(value);
	case OPTION_STATS: o->stats = true; return true;
	case OPTION_DIFF: o->diff = true; return true;
	case OPTION_EXPLAIN: o->explain = true; return true;
	case OPTION_COLOR: {
		unsigned index;
		r->color = value ? value : "always";
		return one_of(r->arena, row, r->color, &index);
	}
	case OPTION_QUIET: o->quiet = true; return true;
	case OPTION_VERBOSE: o->verbose = true; return true;
	case OPTION_HELP: o->mode = MODE_HELP; return true;
	case OPTION_VERSION: o->mode = MODE_VERSION; return true;
	case OPTIONS: break;
	}
	return false;
}

static const struct row *find_long(const char *name, size_t n)
{
	for (unsigned i = 0; i < ROWS; i++)
		if (!rows[i].group && n && strlen(rows[i].name) == n && strncmp(rows[i].name, name, n) == 0)
			return &rows[i];
	return NULL;
}

/* The longest letters that `at` starts with: -MD before a -M. */
static const struct row *find_letters(const char *at)
{
	const struct row *found = NULL;
	for (unsigned i = 0; i < ROWS; i++) {
		size_t n = rows[i].group ? 0 : strlen(rows[i].letters);
		if (n && strncmp(rows[i].letters, at, n) == 0 && (!found || n > strlen(found->letters)))
			found = &rows[i];
	}
	return found;
}

static const char *next_argument(int argc, char **argv, int *i, const char *option)
{
	if (*i + 1 < argc)
		return argv[++*i];
	message_error("%s wants an argument", option);
	return NULL;
}

static bool read_long(struct reading *r, int argc, char **argv, int *i)
{
	const char *given = argv[*i], *name = given + 2;
	size_t n = strcspn(name, "=");
	const struct row *row = find_long(name, n);
	if (!row) {
		unknown_option(given);
		return false;
	}
	const char *value = name[n] == '=' ? name + n + 1 : NULL;
	if (value && row->argument == NONE) {
		message_error("--%s takes no argument", row->name);
		return false;
	}
	if (!value && row->argument == NEEDED && !(value = next_argument(argc, argv, i, given)))
		return false;
	return apply(r, row, value);
}

static bool read_short(struct reading *r, int argc, char **argv, int *i)
{
	const char *given = argv[*i];
	for (const char *at = given + 1; *at;) {
		const struct row *row = find_letters(at);
		if (!row) {
			unknown_option(given);
			return false;
		}
		at += strlen(row->letters);
		if (row->argument != NEEDED) {
			if (!apply(r, row, NULL))
				return false;
			continue;
		}
		const char *value = *at ? at : next_argument(argc, argv, i, given);
		return value && apply(r, row, value);
	}
	return true;
}

static void colours(struct reading *r)
{
	struct options *o = r->o;
	const char *term = getenv("TERM"), *no_color = getenv("NO_COLOR");
	bool plain = (no_color && *no_color) || (term && strcmp(term, "dumb") == 0);
	o->terminal = isatty(STDOUT_FILENO);
	o->columns = fit_columns(STDOUT_FILENO);
	o->columns_err = fit_columns(STDERR_FILENO);
	o->colour_out = o->terminal && !plain;
	o->colour_err = isatty(STDERR_FILENO) && !plain;
	if (r->color && strcmp(r->color, "auto") != 0)
		o->colour_out = o->colour_err = strcmp(r->color, "always") == 0;
}

static bool usage(const char *what)
{
	message_error("%s; fpmove --help says more", what);
	return false;
}

static bool is_stdout(const char *path)
{
	static const char *const names[] = {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"};
	for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(path, names[i]) == 0)
			return true;
	return false;
}

/* Who writes, and where; what is only looked at writes standard output. */
struct writer {
	const char *option, *path; /* NULL: not given */
	bool look;
};
enum { WRITERS = 11 };

static void list_writers(const struct options *o, struct writer *w)
{
	const struct writer all[WRITERS] = {
		{"-o", o->output, false}, {"--report", o->report, false}, {"--html", o->html, false}, {"--csv", o->csv, false},
		{"--constants", o->constants, false}, {"--preshader", o->preshader, false}, {"--dot", o->dot, false},
		{"-MF", o->dep_file, false}, {"--stats", o->stats ? "-" : NULL, true}, {"--diff", o->diff ? "-" : NULL, true},
		{"--explain", o->explain ? "-" : NULL, true},
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

/* Standard input can be read once, and each output has a file of its own.  What is looked at gives way to a file: of one pair
 * it goes to standard error; of many, or beside a table for a spreadsheet, hardly anybody wants that. */
static bool streams_differ(const struct options *o)
{
	struct writer w[WRITERS];
	list_writers(o, w);
	uint32_t inputs = 0;
	for (uint32_t i = 0; i < o->files.n; i++)
		inputs += strcmp(o->files.at[i], "-") == 0;
	if (inputs > 1)
		return usage("standard input is read once: - stands for all that is in it");
	for (unsigned i = 1; i < WRITERS; i++) {
		for (unsigned k = 0; w[i].path && k < i; k++) {
			bool const both = w[k].path && is_stdout(w[i].path) && is_stdout(w[k].path);
			bool const gives_way = w[i].look && (w[k].look || (o->mode != MODE_BATCH && w[k].path != o->csv));
			if (!w[k].path || gives_way || (!both && strcmp(w[i].path, w[k].path) != 0))
				continue;
			message_error("%s and %s: two different outputs would be written to %s", w[k].option, w[i].option,
			              both ? "standard output" : w[i].path);
			return false;
		}
	}
	return true;
}

/* What each mode needs and does not take. */
static bool consistent(const struct options *o)
{
	bool writes = o->output || o->html || o->constants || o->preshader || o->dot || o->deps;
	switch (o->mode) {
	case MODE_MOVE:
		if (!o->files.n)
			return usage("no program given");
		if (o->effect ? o->files.n != 1 : o->files.n > 2)
			return usage(o->effect ? "--effect takes one file at a time"
			                       : "more than two files: a pair is one vertex and one pixel program");
		if (!o->output && !o->report && !o->csv && !o->stats && !o->diff && !o->explain && !o->verify && !writes && !o->check_moves)
			return usage("say where to write with -o DIR");
		if (o->deps && (!o->output || strcmp(o->output, "-") == 0))
			return usage("-MD needs -o DIR");
		if (o->effect && (o->html || o->constants || o->preshader || o->dot))
			return usage("--html, --constants, --preshader and --dot take no effect file");
		break;
	case MODE_BATCH:
		if (o->files.n)
			return usage("--batch takes one folder or list, and no other file");
		if (!o->check_moves && (!o->output || strcmp(o->output, "-") == 0))
			return usage("--batch needs -o DIR");
		if (o->effect || o->constants || o->dot || o->dep_file)
			return usage("--effect, --constants, --dot and -MF take one pair");
		break;
	case MODE_MERGE:
		if (!o->files.n || !o->report)
			return usage("--merge-reports takes reports, and --report for the whole");
		if (writes)
			return usage("--merge-reports writes --report, and nothing else");
		break;
	case MODE_COMPARE:
		if (o->files.n != 2)
			return usage("--compare takes two reports: the old one and the new one");
		if (writes || o->report)
			return usage("--compare writes --csv, and nothing else");
		if (o->run_text.n)
			return usage("--compare reads reports and moves nothing: it takes no option of moving");
		break;
	case MODE_CHECK:
	case MODE_PREPROCESS:
		if (!o->files.n)
			return usage("no file given");
		break;
	case MODE_PROVE:
		if (o->files.n != 4)
			return usage("--prove takes four files: VP1 FP1 VP2 FP2");
		break;
	case MODE_RULES:
		for (uint32_t i = 0; i < o->files.n; i++)
			if (!known_rule(o->files.at[i]))
				return false;
		return true;
	case MODE_HELP:
	case MODE_VERSION: return true;
	}
	bool moves = o->mode == MODE_MOVE || o->mode == MODE_BATCH;
	if (o->shared_vp && o->shared_fp)
		return usage("--shared-vp and --shared-fp exclude each other");
	if (o->mode != MODE_BATCH && (o->shared_vp || o->shared_fp || o->newer || o->shards))
		return usage("--newer, --shared-vp, --shared-fp and --shard go with --batch");
	if (o->csv && !moves && o->mode != MODE_COMPARE)
		return usage("--csv goes with moving and --compare");
	if (o->check_moves && !moves)
		return usage("--check-moves goes with moving");
	if (o->check_moves && (o->output || o->constants || o->preshader || o->dot || o->deps || o->newer))
		return usage("--check-moves writes no program: of outputs it takes --report, --csv and --html");
	if (o->check_moves && o->run.move.level == 0)
		return usage("--check-moves goes with -O1 to -O3: nothing moves at -O0");
	if (o->fail_on && o->mode != MODE_COMPARE)
		return usage("--fail-on goes with --compare");
	if (o->preshader && o->run.move.level < 2)
		return usage("--preshader goes with -O2 and -O3");
	if (o->preshader && o->run.move.drop_in)
		return usage("--preshader asks the application for constants, and --drop-in for none");
	if (o->preshader && (o->run.given & (GIVEN_MAX_MOVES | GIVEN_STOP_AT) || o->run.move.colour_inputs))
		return usage("--max-moves, --ps-slots and --colour-inputs are of the method of -O1, which has no --preshader");
	if (o->preshader && (o->shared_vp || o->shared_fp))
		return usage("--preshader takes pairs by themselves, not --shared-vp or --shared-fp");
	if (!o->preshader && o->run.given & GIVEN_PS_CONSTS)
		return usage("--ps-consts goes with --preshader");
	if (!moves && (writes || (o->report && o->mode != MODE_MERGE)))
		return usage("--check, --prove and --preprocess write no programs and no report");
	if (!moves && (o->stats || o->diff || o->explain))
		return usage("--stats, --diff and --explain go with moving");
	if (o->verify && !moves)
		return usage("--verify goes with moving");
	if ((o->tolerance > 0 || o->fp24) && !o->verify)
		return usage("--tolerance and --precision go with --verify");
	if (o->mode != MODE_PROVE && o->constants_map)
		return usage("--constants-map goes with --prove");
	if (o->effect && o->mode != MODE_MOVE && o->mode != MODE_CHECK)
		return usage("--effect goes with moving and --check");
	return streams_differ(o);
}

bool options_parse(struct arena *arena, int argc, char **argv, struct options *o)
{
	*o = (struct options){.mode = MODE_MOVE, .run.move.level = 2, .run_text.arena = arena};
	struct reading r = {.arena = arena, .o = o};
	bool only_files = false;
	for (int i = 1; i < argc; i++) {
		const char *given = argv[i];
		if (only_files || given[0] != '-' || !given[1]) {
			VEC_PUSH(arena, &o->files) = given;
		} else if (strcmp(given, "--") == 0) {
			only_files = true;
		} else if (given[1] == '-' ? !read_long(&r, argc, argv, &i) : !read_short(&r, argc, argv, &i)) {
			return false;
		}
		if (o->mode == MODE_HELP || o->mode == MODE_VERSION)
			break;
	}
	o->run.no_warn = o->no_warn.at;
	o->run.nno_warn = o->no_warn.n;
	o->run.outcomes = o->report || o->html || o->explain || o->dot;
	o->run.one_text = o->output && strcmp(o->output, "-") == 0;
	colours(&r);
	return consistent(o);
}

struct preprocess_options options_preprocess(const struct options *o)
{
	return (struct preprocess_options){.defines = o->defines.at, .ndefines = o->defines.n,
	                                   .includes = o->includes.at, .nincludes = o->includes.n};
}
