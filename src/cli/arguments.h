/* A command line, read by a table of options; and the table, printed. */
#ifndef FPMOVE_CLI_ARGUMENTS_H
#define FPMOVE_CLI_ARGUMENTS_H

#include "cli/response.h"

#include <stdbool.h>

struct names {
	VEC(const char *);
};

/* NEEDED: -oVALUE, -o VALUE, --long=VALUE or --long VALUE; MAYBE: only as --long=VALUE. */
enum argument { NONE, NEEDED, MAYBE };

struct option_row {
	const char *group; /* title: a heading, not an option */
	unsigned id;
	const char *letters, *name; /* without the dashes, "" for none; letters: of one letter, but for such as -MD */
	enum argument argument;
	const char *value, *help;   /* the value's name; lines parted by \n */
};

struct option_table {
	const struct option_row *rows;
	unsigned n;
	const char *const *values; /* by id, of the options that take some values only: these, parted by blanks; NULL: any */
	unsigned nvalues;
};

struct arguments {
	struct arena *arena;
	struct option_table table;
	/* Takes one option; the value is not empty, and NULL where there is none.  False, said: it is wrong. */
	bool (*apply)(struct arguments *, const struct option_row *, const char *value);
	void *to;           /* apply's own */
	struct names words; /* what is no option */
	struct names responses; /* response files that were read, and those that they name */
	int at;             /* the argument in `line` that arguments_read is at */
	bool enough;        /* set by apply: what follows is not looked at */
	struct command_line line; /* set by arguments_read: all arguments, those of response files in their places */
	const char *file;   /* that holds the arguments, which are options only then; NULL for a command line */
	const unsigned *lines; /* of `file`, on which each argument begins */
	bool placed;        /* set where a message says the line of `file` itself */
	const char *folder; /* that relative names of files start from; NULL for the current one */
};

/* An argument @FILE that is no option's value stands for those in FILE (response.h).  False after a message on standard error. */
bool arguments_read(struct arguments *, int argc, char **argv);
/* All options under their headings, as lines with FIT_HANG, for fit_lines. */
void arguments_help(struct text *, const struct option_table *);

/* The line of `file` on which the argument stands that arguments_read is at. */
unsigned arguments_line(const struct arguments *);

/* For apply; false, said: */
/* It is no number from `least` to `most`. */
bool argument_number(const struct option_row *, const char *value, unsigned least, unsigned most, unsigned *to);
/* It is no positive number, of at most `most`. */
bool argument_real(const struct option_row *, const char *value, double most, double *to);
/* It is none of the option's values; else `*to` is which. */
bool argument_one_of(const struct arguments *, const struct option_row *, const char *value, unsigned *to);
/* "--output" or "-O" */
const char *option_name(struct arena *, const struct option_row *);

#endif
