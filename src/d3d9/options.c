/* Reads the command line, see options.h. */
#include "d3d9/options.h"

#include "cli/message.h"

#define OPTION_TABLE "d3d9/d3d9_options.def"
#include "cli/option_rows.inc"

static const struct option_table table = {option_rows, OPTION_ROWS, option_values, option_modes, OPTIONS};

static const struct command_mode modes[] = {
	{"assemble", D3D9_ASSEMBLE, "FILE...", "what D3DXAssembleShader says of programs"},
	{"validate", D3D9_VALIDATE, "VP FP VP2 FP2 | --batch=REPORT DIR", "draw two pairs and compare all pixels"},
	{"time", D3D9_TIME, "VP FP [VP2 FP2]", "time one pair, or two in turns"},
	{"calibrate", D3D9_CALIBRATE, "-o FILE", "measure the weights of a target for fpmove"},
	{"draw", D3D9_DRAW, "--list=FILE --index=FILE --pixels=FILE", "what validate compares, written down"},
	{"caps", D3D9_CAPS, "[-o FILE]", "the graphics adapter, and what it can do"},
};
enum { MODES = sizeof modes / sizeof *modes };

void d3d9_options_help(struct text *t)
{
	arguments_usage(t, modes, MODES);
	text_string(t, "\nAsks the Direct3D 9 that is here: Windows' own, or Wine's.\n\n");
	for (unsigned k = 0; k < MODES; k++)
		text_printf(t, "  %-10s%s\n", modes[k].name, modes[k].what);
	arguments_help(t, &table);
	text_string(t, "\nExit status: 0 all is well; 1 a program is refused, or pairs differ; 2 wrong usage,\n"
	               "bad input, or no Direct3D 9 with ps_2_0.\n");
}

static bool apply_d3d9_option(struct arguments *given, const struct option_row *row, const char *value)
{
	struct d3d9_options *o = given->to;
	switch ((enum option)row->id) {
	case OPTION_LIST: o->list = value; return true;
	case OPTION_BATCH: o->batch = value; return true;
	case OPTION_STREAM: return o->stream = true;
	case OPTION_CONSTANTS_MAP: o->constants_map = value; return true;
	case OPTION_DEPTHS: return o->depths = true;
	case OPTION_SEED: return argument_number(row, value, 0, UINT32_MAX, &o->seed);
	case OPTION_SCENES: return argument_number(row, value, 1, 64, &o->scenes);
	case OPTION_SIZE: return argument_number(row, value, 1, 8192, &o->size);
	case OPTION_SECONDS: return argument_number(row, value, 1, 3600, &o->seconds);
	case OPTION_TIMES: o->times = value; return true;
	case OPTION_OUTPUT: o->output = value; return true;
	case OPTION_JSON: o->json = value; return true;
	case OPTION_QUIET: return o->quiet = true;
	case OPTION_TOKENS: o->tokens = value; return true;
	case OPTION_INDEX: o->index = value; return true;
	case OPTION_PIXELS: o->pixels = value; return true;
	case OPTION_HELP: o->mode = D3D9_HELP; return given->enough = true;
	case OPTION_VERSION: o->mode = D3D9_VERSION; return given->enough = true;
	case OPTIONS: break;
	}
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
	struct arguments given = {.arena = a, .table = table, .apply = apply_d3d9_option, .to = o};
	*o = (struct d3d9_options){.seed = 1, .scenes = 2, .size = 1024};
	if (!arguments_read(&given, argc, argv))
		return false;
	if (o->mode & (D3D9_HELP | D3D9_VERSION))
		return true;
	const struct command_mode *mode = arguments_mode(&given, modes, MODES, "caps");
	if (!mode)
		return false;
	o->mode = mode->bit;
	o->words = given.words;
	if (!given.given[OPTION_SECONDS])
		o->seconds = o->mode == D3D9_CALIBRATE ? 60 : 1;
	const char *wrong = check_words(o);
	if (wrong)
		message_error("fpmove-d3d9 %s %s", mode->name, wrong);
	return !wrong;
}
