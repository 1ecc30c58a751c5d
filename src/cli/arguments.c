/* Reads options, see arguments.h. */
#include "cli/arguments.h"

#include "base/diag.h"
#include "cli/files.h"
#include "cli/fit.h"
#include "cli/json.h"
#include "cli/message.h"
#include "system/files.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void option_help(struct text *t, const struct option_row *row)
{
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

void arguments_help(struct text *t, const struct option_table *table)
{
	for (unsigned i = 0; i < table->n; i++) {
		if (table->rows[i].group)
			text_printf(t, "\n%s:\n", table->rows[i].group);
		else
			option_help(t, &table->rows[i]);
	}
}

void arguments_usage(struct text *t, const struct command_mode *modes, unsigned n)
{
	for (unsigned k = 0; k < n; k++)
		text_printf(t, "%s %s %s [options]%s%s\n", k ? "      " : "Usage:", command_name, modes[k].name, *modes[k].words ? " " : "", modes[k].words);
}

const char *option_name(struct arena *a, const struct option_row *row)
{
	return *row->name ? arena_printf(a, "--%s", row->name) : arena_printf(a, "-%s", row->letters);
}

static void unknown_option(const struct option_table *table, const char *given)
{
	const char *name = given + strspn(given, "-");
	size_t n = strcspn(name, "=");
	const char *nearest = NULL;
	unsigned least = (unsigned)n / 3 + 2;
	for (unsigned i = 0; i < table->n; i++) {
		const struct option_row *row = &table->rows[i];
		if (row->group || !*row->name)
			continue;
		unsigned d = n > 2 && strncmp(row->name, name, n) == 0 ? 0 : diag_distance(name, n, row->name);
		if (d < least) {
			least = d;
			nearest = row->name;
		}
	}
	if (nearest)
		message_error("there is no option %s; did you mean --%s?", given, nearest);
	else
		message_error("there is no option %s; %s --help lists them", given, command_name);
}

bool argument_number(const struct option_row *row, const char *value, unsigned least, unsigned most, unsigned *to)
{
	char *end = NULL;
	unsigned long n = value[0] >= '0' && value[0] <= '9' ? strtoul(value, &end, 10) : ULONG_MAX;
	if (!end || *end || n < least || n > most)
		return message_error("%s%s wants a number from %u to %u, not \"%s\"", *row->name ? "--" : "-",
		                     *row->name ? row->name : row->letters, least, most, value);
	*to = (unsigned)n;
	return true;
}

bool argument_real(const struct option_row *row, const char *value, double most, double *to)
{
	char *end;
	*to = strtod(value, &end);
	return (end != value && !*end && *to > 0 && *to <= most) || message_error("--%s wants a positive number, not \"%s\"", row->name, value);
}

bool argument_one_of(const struct arguments *given, const struct option_row *row, const char *value, unsigned *to)
{
	struct text all = {.arena = given->arena};
	size_t n = strlen(value);
	const char *at = given->table.values[row->id];
	for (*to = 0; *at; ++*to) {
		size_t k = strcspn(at, " ");
		if (k == n && strncmp(at, value, n) == 0)
			return true;
		text_printf(&all, "%s%.*s", !*to ? "" : at[k] ? ", " : " or ", (int)k, at);
		at += k + (at[k] == ' ');
	}
	return message_error("%s must be %s, not \"%s\"", option_name(given->arena, row), all.at, value);
}

/* Returns true if the argument of the option is a path: --help then names it DIR, FILE, FROM or REPORT. */
static bool names_file(const struct option_row *row)
{
	static const char *const kinds[] = {"DIR", "FILE", "FROM", "REPORT"};
	for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (strncmp(row->value, kinds[i], strlen(kinds[i])) == 0)
			return true;
	return false;
}

/* Returns the path that an option gives.  A relative path in a file of options (.fpmove) starts from the folder of that file. */
static const char *path_from_folder(const struct arguments *given, const char *value)
{
	const char *path = os_path_given(given->arena, value);
	bool const elsewhere = given->folder && *path && !os_root(path) && (strcmp(given->folder, ".") != 0 || strcmp(path, "-") == 0);
	return elsewhere ? file_join(given->arena, given->folder, path) : path;
}

static bool apply_option(struct arguments *given, const struct option_row *row, const char *value)
{
	if (value && names_file(row))
		value = path_from_folder(given, value);
	if (row->id < given->table.noptions)
		given->given[row->id] = true;
	if (!value || *value)
		return given->apply(given, row, value);
	return message_error("the argument of %s is empty", option_name(given->arena, row));
}

/* Returns false after a message if an option was given that the mode does not take. */
static bool mode_takes_options(const struct arguments *given, const struct command_mode *mode)
{
	const struct option_table *t = &given->table;
	for (unsigned k = 0; k < t->n; k++) {
		const struct option_row *row = &t->rows[k];
		if (row->group || row->id >= t->noptions || !given->given[row->id] || !t->modes[row->id] || t->modes[row->id] & mode->bit)
			continue;
		return message_error("%s %s takes no %s", command_name, mode->name, option_name(given->arena, row));
	}
	return true;
}

const struct command_mode *arguments_mode(struct arguments *given, const struct command_mode *modes, unsigned n, const char *example)
{
	struct names *words = &given->words;
	if (!words->n) {
		message_error("say what to do, as in %s %s; %s --help says more", command_name, example, command_name);
		return NULL;
	}
	for (unsigned k = 0; k < n; k++)
		if (strcmp(words->at[0], modes[k].name) == 0) {
			words->at++;
			words->n--;
			return mode_takes_options(given, &modes[k]) ? &modes[k] : NULL;
		}
	message_error("%s does not know how to \"%s\"; %s --help says more", command_name, words->at[0], command_name);
	return NULL;
}

bool arguments_agree(const struct refusal *r, size_t n, const char *hint)
{
	for (size_t k = 0; k < n; k++)
		if (r[k].applies)
			return message_error("%s%s", r[k].sentence, hint);
	return true;
}

static const struct option_row *find_long(const struct option_table *table, const char *name, size_t n)
{
	for (unsigned i = 0; i < table->n; i++) {
		const struct option_row *row = &table->rows[i];
		if (!row->group && n && strlen(row->name) == n && strncmp(row->name, name, n) == 0)
			return row;
	}
	return NULL;
}

/* Returns the short option at the start of `at`, the longest if several match (MD rather than M), or NULL if there is none. */
static const struct option_row *find_letters(const struct option_table *table, const char *at)
{
	const struct option_row *found = NULL;
	for (unsigned i = 0; i < table->n; i++) {
		const struct option_row *row = &table->rows[i];
		size_t n = row->group ? 0 : strlen(row->letters);
		if (n && strncmp(row->letters, at, n) == 0 && (!found || n > strlen(found->letters)))
			found = row;
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

static bool read_long(struct arguments *to, int argc, char **argv, int *i)
{
	const char *given = argv[*i], *name = given + 2;
	size_t n = strcspn(name, "=");
	const struct option_row *row = find_long(&to->table, name, n);
	if (!row) {
		unknown_option(&to->table, given);
		return false;
	}
	const char *value = name[n] == '=' ? name + n + 1 : NULL;
	if (value && row->argument == NONE)
		return message_error("--%s takes no argument", row->name);
	if (!value && row->argument == NEEDED && !(value = next_argument(argc, argv, i, given)))
		return false;
	return apply_option(to, row, value);
}

static bool read_short(struct arguments *to, int argc, char **argv, int *i)
{
	const char *given = argv[*i];
	for (const char *at = given + 1; *at;) {
		const struct option_row *row = find_letters(&to->table, at);
		if (!row) {
			unknown_option(&to->table, given);
			return false;
		}
		at += strlen(row->letters);
		if (row->argument != NEEDED) {
			if (!apply_option(to, row, NULL))
				return false;
			continue;
		}
		const char *value = *at ? at : next_argument(argc, argv, i, given);
		return value && apply_option(to, row, value);
	}
	return true;
}

unsigned arguments_line(const struct arguments *given)
{
	return given->lines[given->at - 1];
}

/* The most response files (@FILE) of a command line; the limit stops a file that names itself. */
enum { MOST_RESPONSES = 100 };

bool arguments_read(struct arguments *to, int argc, char **argv)
{
	struct command_line *line = &to->line;
	unsigned responses = 0;
	bool only_words = false;
	*line = (struct command_line){argc, argv};
	to->given = arena_zero(to->arena, to->table.noptions * sizeof *to->given);
	for (int i = 1; i < line->argc && !to->enough;) {
		const char *given = line->argv[i];
		to->at = i;
		if (to->file && (given[0] != '-' || !given[1] || strcmp(given, "--") == 0)) {
			message_error("%s:%u: %s is not an option; this file may hold only options", to->file, arguments_line(to), given);
			to->placed = true;
			return false;
		}
		if (!only_words && given[0] == '@' && given[1]) {
			if (++responses > MOST_RESPONSES)
				return message_error("more than %d response files; does %s name itself?", MOST_RESPONSES, given);
			const char *file = os_path_given(to->arena, given + 1);
			VEC_PUSH(to->arena, &to->responses) = file;
			if (!response_insert(to->arena, line, i, file))
				return false;
			continue;
		}
		if (only_words || given[0] != '-' || !given[1])
			VEC_PUSH(to->arena, &to->words) = os_path_given(to->arena, given);
		else if (strcmp(given, "--") == 0)
			only_words = true;
		else if (given[1] == '-' ? !read_long(to, line->argc, line->argv, &i) : !read_short(to, line->argc, line->argv, &i))
			return false;
		i++;
	}
	return true;
}

int command_run(int argc, char **argv, int (*run)(struct arena *, int, char **))
{
	jmp_buf no_memory;
	struct arena arena;
	arena_init(&arena, &no_memory);
	json_begin();
	int status;
	if (setjmp(no_memory))
		status = message_usage("out of memory");
	else
		status = run(&arena, argc, argv);
	arena_free(&arena);
	return status;
}
