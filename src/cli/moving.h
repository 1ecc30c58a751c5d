/* The options that choose what is moved: what they say, as struct run_options. */
#ifndef FPMOVE_CLI_MOVING_H
#define FPMOVE_CLI_MOVING_H

#include "cli/arguments.h"
#include "pipeline.h"

/* In the order of moving.def, which stands in each command's own table: there OPTION_TARGET is the first of them. */
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

/* Where it goes. */
struct moving {
	struct run_options *run;
	struct names *also_read; /* files that options name, and that are read */
	struct text *weights;    /* what was in them */
};

/* False, said: the value is wrong. */
bool moving_apply(struct arguments *, const struct moving *, enum moving_option, const struct option_row *, const char *value);
/* "c20-c95", "20-95" or "c20", up to c`most`. */
bool moving_range(const struct option_row *, const char *value, int most, struct range *to);

#endif
