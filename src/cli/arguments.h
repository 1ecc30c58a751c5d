/* Reads a command line by a table of options, and prints that table as help. */
#ifndef FPMOVE_CLI_ARGUMENTS_H
#define FPMOVE_CLI_ARGUMENTS_H

#include "cli/response.h"

#include <stdbool.h>

struct names {
	VEC(const char *);
};

/* How an option takes an argument: NONE; NEEDED as -oVALUE, -o VALUE, --long=VALUE or --long VALUE; MAYBE, which may be left out, only as
 * --long=VALUE. */
enum argument { NONE, NEEDED, MAYBE };

struct option_row {
	const char *group; /* if the row is a heading of --help and no option, its title; NULL for an option */
	unsigned id;
	const char *letters, *name; /* short and long name without dashes, "" if there is none; `letters` is "o" for -o, "MD" for -MD */
	enum argument argument;
	const char *value, *help;   /* for --help: the name of the argument ("FILE"), and the description with \n between its lines */
};

struct option_table {
	const struct option_row *rows;
	unsigned n;
	const char *const *values; /* for each option id, the accepted values, separated by blanks; NULL if the option takes any value */
	const unsigned *modes;     /* for each option id, the bits of the modes (command_mode.bit) that accept the option; 0 stands for all modes */
	unsigned noptions;         /* number of option ids; `values` and `modes` have an element for each */
};

/* A mode of a command that is chosen by its first word, as "time" in `fpmove-gpu time`. */
struct command_mode {
	const char *name;
	unsigned bit;
	const char *words, *what; /* for --help: the words after the mode's name, and a description or NULL */
};

struct arguments {
	struct arena *arena;
	struct option_table table;
	/* Applies one option.  `value` is its argument (not empty), or NULL if the option has none.  Returns false after a message if the value
	 * is wrong. */
	bool (*apply)(struct arguments *, const struct option_row *, const char *value);
	void *to;           /* data for `apply`; arguments_read does not use it */
	struct names words; /* arguments that are not options, such as names of files */
	struct names responses; /* names of the response files (@FILE) that were read */
	int at;             /* index in `line` of the argument that arguments_read is reading */
	bool enough;        /* set by `apply` to ignore the arguments that follow */
	bool *given;        /* set by arguments_read: for each option id, true if the option was given */
	struct command_line line; /* set by arguments_read: all arguments, with those of response files in place of @FILE */
	const char *file;   /* options file (.fpmove) that the arguments come from, which may hold only options; NULL for a command line */
	const unsigned *lines; /* line of `file` on which each argument begins */
	bool placed;        /* set if a message has already named the line of `file` on which the error is */
	const char *folder; /* folder that relative file names start from, or NULL for the current one */
};

/* Reads the arguments and calls `apply` for each option.  @FILE stands for the arguments in FILE (response.h), except after -- and as the value
 * of an option.  Returns false after a message on standard error. */
bool arguments_read(struct arguments *, int argc, char **argv);
/* Writes the text of --help: all options under the titles of their groups.  The caller wraps the text by fit_lines(): a FIT_HANG in each line of
 * help marks the column of its continuation lines. */
void arguments_help(struct text *, const struct option_table *);

/* Writes "Usage: COMMAND MODE [options] WORDS" for each mode. */
void arguments_usage(struct text *, const struct command_mode *, unsigned n);
/* Returns the mode that the first word names, and removes that word.  Returns NULL after a message if there is no word (the message shows
 * `example`, such as "run gauss"), if the word names no mode, or if an option was given that the mode does not accept. */
const struct command_mode *arguments_mode(struct arguments *, const struct command_mode *, unsigned n, const char *example);

/* A reason to refuse the command line; it counts only if `applies` is true. */
struct refusal {
	bool applies;
	const char *sentence;
};
/* Returns true if no refusal applies.  Otherwise prints the sentence of the first one that does, followed by `hint`, as an error, and returns
 * false. */
bool arguments_agree(const struct refusal *, size_t n, const char *hint);

/* Calls `run` with a new arena, which it frees afterwards.  Returns the result of `run`, or EXIT_USAGE after a message if memory runs out. */
int command_run(int argc, char **argv, int (*run)(struct arena *, int argc, char **argv));

/* Returns the line of the options file on which the argument that arguments_read is reading begins.  Call it only if `file` is set. */
unsigned arguments_line(const struct arguments *);

/* Functions for `apply` to call. */
/* Sets `*to` to the option's argument.  Returns false after a message if it is not a whole number from `least` to `most`. */
bool argument_number(const struct option_row *, const char *value, unsigned least, unsigned most, unsigned *to);
/* Sets `*to` to the option's argument.  Returns false after a message if it is not a positive number of at most `most`. */
bool argument_real(const struct option_row *, const char *value, double most, double *to);
/* Sets `*to` to the index of the value in the list of values that the option accepts.  Returns false after a message if the list lacks it. */
bool argument_one_of(const struct arguments *, const struct option_row *, const char *value, unsigned *to);
/* Returns the option as a user writes it: "--output", or "-O" if it has no long name. */
const char *option_name(struct arena *, const struct option_row *);

#endif
