/* Reads the options that choose what is moved into struct run_options. */
#ifndef FPMOVE_CLI_MOVING_H
#define FPMOVE_CLI_MOVING_H

#include "cli/arguments.h"
#include "pipeline.h"

/* The options of moving.def, in its order.  Each command includes moving.def in its own table of options, so OPTION_TARGET there is
 * MOVING_TARGET here, and so on. */
enum moving_option {
#define GROUP(title)
#define OPTION(id, ...) MOVING_##id,
#define VALUES_OF(id, tables)
#include "cli/moving.def"
#undef GROUP
#undef OPTION
#undef VALUES_OF
	MOVING_OPTIONS
};

/* Places for the values of the options. */
struct moving {
	struct run_options *run;
	struct names *also_read; /* names of the files that the options name and that were read */
	struct text *weights;    /* text of the target's weights that were read from a file */
};

/* Sets one option.  Returns false after a message on standard error if its value is wrong. */
bool moving_apply(struct arguments *, const struct moving *, enum moving_option, const struct option_row *, const char *value);
/* Sets `*to` to a range of constants: "c20-c95", "20-95" or "c20", up to number `most`.  Returns false after a message on standard error if the
 * value is no such range. */
bool moving_range(const struct option_row *, const char *value, int most, struct range *to);

#endif
