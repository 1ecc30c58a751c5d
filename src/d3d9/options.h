/* Reads the command line of fpmove-d3d9. */
#ifndef FPMOVE_D3D9_OPTIONS_H
#define FPMOVE_D3D9_OPTIONS_H

#include "cli/arguments.h"

enum d3d9_mode { D3D9_ASSEMBLE = 1, D3D9_VALIDATE = 2, D3D9_DRAW = 4, D3D9_CAPS = 8, D3D9_TIME = 16, D3D9_CALIBRATE = 32, D3D9_HELP = 64, D3D9_VERSION = 128 };

struct d3d9_options {
	enum d3d9_mode mode;
	struct names words; /* arguments that are no options, without the mode */
	const char *list, *batch, *constants_map, *json, *tokens, *index, *pixels, *times, *output;
	unsigned seed, scenes, size, seconds;
	bool depths, quiet, stream;
};

/* Reads the command line.  Returns false after an error on standard error. */
bool d3d9_options_parse(struct arena *, int argc, char **argv, struct d3d9_options *);
void d3d9_options_help(struct text *);

#endif
