/* Reads the command line, see options.h. */
#include "d3d9/options.h"

#include "d3d9/system.h"

#include <stdlib.h>

#define FOR(id, modes)
enum option {
#define GROUP(title)
#define OPTION(id, ...) OPTION_##id,
#include "d3d9/d3d9_options.def"
#undef GROUP
#undef OPTION
	OPTIONS
};

static const struct option_row option_rows[] = {
#define GROUP(title) {.group = title},
#define OPTION(id, letters, name, argument, value, help) {NULL, OPTION_##id, letters, name, argument, value, help},
#include "d3d9/d3d9_options.def"
#undef GROUP
#undef OPTION
};
enum { OPTION_ROWS = sizeof option_rows / sizeof *option_rows };
#undef FOR

/* For each option the modes that take it, as bits; 0 if all of them do. */
static const unsigned modes_of[OPTIONS] = {
#define GROUP(title)
#define OPTION(id, ...)
#define FOR(id, modes) [OPTION_##id] = (modes),
#include "d3d9/d3d9_options.def"
#undef GROUP
#undef OPTION
#undef FOR
};

static const struct {
	const char *name;
	enum d3d9_mode mode;
	const char *words, *what;
} modes[] = {
	{"assemble", D3D9_ASSEMBLE, "FILE...", "what D3DXAssembleShader says of programs"},
	{"validate", D3D9_VALIDATE, "VP FP VP2 FP2 | --batch=REPORT DIR", "draw two pairs and compare all pixels"},
	{"time", D3D9_TIME, "VP FP [VP2 FP2]", "time one pair, or two in turns"},
	{"calibrate", D3D9_CALIBRATE, "-o FILE", "measure the weights of a target for fpmove"},
	{"draw", D3D9_DRAW, "--list=FILE --index=FILE --pixels=FILE", "what validate compares, written down"},
	{"caps", D3D9_CAPS, "[-o FILE]", "the graphics adapter, and what it can do"},
};
enum { MODES = sizeof modes / sizeof *modes };

/* ---- the help -------------------------------------------------------------------------- */

enum { HELP_COLUMN = 24 };

static void fill_line(struct text *t, size_t start)
{
	while (t->n - start < HELP_COLUMN)
		text_char(t, ' ');
}

static void write_option_help(struct text *t, const struct option_row *row)
{
	size_t const start = t->n;
	text_printf(t, "  %s%s%s--%s%s%s", *row->letters ? "-" : "", row->letters, *row->letters ? ", " : "", row->name, row->argument ? "=" : "",
	            row->value);
	fill_line(t, start);
	for (const char *c = row->help; *c; c++) {
		text_char(t, *c);
		if (*c == '\n')
			fill_line(t, t->n);
	}
	text_char(t, '\n');
}

void d3d9_options_help(struct text *t)
{
	for (unsigned k = 0; k < MODES; k++)
		text_printf(t, "%s fpmove-d3d9 %-9s[options]%s%s\n", k ? "      " : "Usage:", modes[k].name, *modes[k].words ? " " : "", modes[k].words);
	text_string(t, "\nAsks the Direct3D 9 that is here: Windows' own, or Wine's.\n\n");
	for (unsigned k = 0; k < MODES; k++)
		text_printf(t, "  %-10s%s\n", modes[k].name, modes[k].what);
	for (unsigned k = 0; k < OPTION_ROWS; k++)
		if (option_rows[k].group)
			text_printf(t, "\n%s:\n", option_rows[k].group);
		else
			write_option_help(t, &option_rows[k]);
	text_string(t, "\nExit status: 0 all is well; 1 a program is refused, or pairs differ; 2 wrong usage,\n"
	               "bad input, or no Direct3D 9 with ps_2_0.\n");
}

/* ---- reading --------------------------------------------------------------------------- */

struct reading {
	struct arena *arena;
	struct d3d9_options *o;
	bool given[OPTIONS];
};

static bool read_option_number(const struct option_row *row, const char *value, unsigned least, unsigned most, unsigned *to)
{
	char *end;
	unsigned long const n = strtoul(value, &end, 10);
	*to = (unsigned)n;
	if (*value >= '0' && *value <= '9' && !*end && n >= least && n <= most)
		return true;
	say_error("--%s wants a number from %u to %u, not \"%s\"", row->name, least, most, value);
	return false;
}

static bool apply_d3d9_option(struct reading *r, const struct option_row *row, const char *value)
{
	struct d3d9_options *o = r->o;
	r->given[row->id] = true;
	switch ((enum option)row->id) {
	case OPTION_LIST: o->list = value; return true;
	case OPTION_BATCH: o->batch = value; return true;
	case OPTION_STREAM: return o->stream = true;
	case OPTION_CONSTANTS_MAP: o->constants_map = value; return true;
	case OPTION_DEPTHS: return o->depths = true;
	case OPTION_SEED: return read_option_number(row, value, 0, UINT32_MAX, &o->seed);
	case OPTION_SCENES: return read_option_number(row, value, 1, 64, &o->scenes);
	case OPTION_SIZE: return read_option_number(row, value, 1, 8192, &o->size);
	case OPTION_SECONDS: return read_option_number(row, value, 1, 3600, &o->seconds);
	case OPTION_TIMES: o->times = value; return true;
	case OPTION_OUTPUT: o->output = value; return true;
	case OPTION_JSON: o->json = value; return true;
	case OPTION_QUIET: return o->quiet = true;
	case OPTION_TOKENS: o->tokens = value; return true;
	case OPTION_INDEX: o->index = value; return true;
	case OPTION_PIXELS: o->pixels = value; return true;
	case OPTION_HELP: o->mode = D3D9_HELP; return true;
	case OPTION_VERSION: o->mode = D3D9_VERSION; return true;
	case OPTIONS: break;
	}
	return false;
}

/* Returns the row of an option such as --json=x, --json or -q, or NULL if there is no such option.  Sets *value to the text behind `=`, or
 * NULL. */
static const struct option_row *find_d3d9_option(const char *word, const char **value)
{
	bool const longer = word[1] == '-';
	size_t const n = longer ? strcspn(word + 2, "=") : strlen(word + 1);
	*value = longer && word[2 + n] ? word + 3 + n : NULL;
	for (unsigned k = 0; k < OPTION_ROWS; k++) {
		const struct option_row *row = &option_rows[k];
		const char *name = row->group ? "" : longer ? row->name : row->letters;
		if (n && strlen(name) == n && strncmp(word + 1 + longer, name, n) == 0)
			return row;
	}
	return NULL;
}

static bool read_words(struct reading *r, int argc, char **argv)
{
	bool options = true;
	for (int i = 1; i < argc && !(r->o->mode & (D3D9_HELP | D3D9_VERSION)); i++) {
		const char *value;
		if (!options || argv[i][0] != '-' || !argv[i][1]) {
			VEC_PUSH(r->arena, &r->o->words) = argv[i];
			continue;
		}
		if (strcmp(argv[i], "--") == 0) {
			options = false;
			continue;
		}
		const struct option_row *row = find_d3d9_option(argv[i], &value);
		if (!row) {
			say_error("there is no option %s; fpmove-d3d9 --help lists them", argv[i]);
			return false;
		}
		if (row->argument == NEEDED && !value)
			value = i + 1 < argc ? argv[++i] : NULL;
		if (row->argument == NEEDED ? !value || !*value : value != NULL) {
			say_error(row->argument == NEEDED ? "--%s wants a value" : "--%s takes no value", row->name);
			return false;
		}
		if (!apply_d3d9_option(r, row, value))
			return false;
	}
	return true;
}

static bool find_mode(struct d3d9_options *o, const char **name)
{
	if (!o->words.n) {
		say_error("say what to do, as in fpmove-d3d9 caps; fpmove-d3d9 --help says more");
		return false;
	}
	for (unsigned k = 0; k < MODES; k++) {
		if (strcmp(o->words.at[0], modes[k].name) != 0)
			continue;
		*name = modes[k].name;
		o->mode = modes[k].mode;
		o->words.at++;
		o->words.n--;
		return true;
	}
	say_error("fpmove-d3d9 does not know how to \"%s\"; fpmove-d3d9 --help says more", o->words.at[0]);
	return false;
}

/* Returns what is missing or too much, as the end of "fpmove-d3d9 MODE ...", or NULL if the words are right. */
static const char *check_words(const struct d3d9_options *o)
{
	uint32_t const n = o->words.n;
	switch (o->mode) {
	case D3D9_ASSEMBLE: return n || o->list ? NULL : "wants a file";
	case D3D9_VALIDATE:
		if (o->batch)
			return n == 1 && !o->list ? NULL : "--batch wants the folder to which fpmove wrote, and no other word";
		return n == (o->list || o->stream ? 0 : 4) ? NULL : "wants two pairs, VP FP VP2 FP2, or --list, or --batch";
	case D3D9_TIME: return n == 2 || n == 4 ? NULL : "wants one pair, VP FP, or two: VP FP VP2 FP2";
	case D3D9_CALIBRATE:
		if (n)
			return "takes no further word";
		return !o->output ? "wants a file for the target, with -o" : o->times && o->json ? "takes no --json with --times" : NULL;
	case D3D9_DRAW: return o->list && o->index && o->pixels && !n ? NULL : "wants --list, --index and --pixels";
	case D3D9_CAPS: return n ? "takes no files" : NULL;
	case D3D9_HELP:
	case D3D9_VERSION: break;
	}
	return NULL;
}

bool d3d9_options_parse(struct arena *a, int argc, char **argv, struct d3d9_options *o)
{
	struct reading r = {.arena = a, .o = o};
	const char *name = NULL, *wrong;
	*o = (struct d3d9_options){.seed = 1, .scenes = 2, .size = 1024};
	if (!read_words(&r, argc, argv))
		return false;
	if (o->mode & (D3D9_HELP | D3D9_VERSION))
		return true;
	if (!find_mode(o, &name))
		return false;
	for (unsigned k = 0; k < OPTION_ROWS; k++) {
		const struct option_row *row = &option_rows[k];
		if (!row->group && r.given[row->id] && modes_of[row->id] && !(modes_of[row->id] & o->mode)) {
			say_error("fpmove-d3d9 %s takes no --%s", name, row->name);
			return false;
		}
	}
	if (!r.given[OPTION_SECONDS])
		o->seconds = o->mode == D3D9_CALIBRATE ? 60 : 1;
	wrong = check_words(o);
	if (wrong)
		say_error("fpmove-d3d9 %s %s", name, wrong);
	return !wrong;
}
