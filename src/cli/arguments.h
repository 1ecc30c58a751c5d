/* Reads a command line by a table of options, and prints that table as help. */
#ifndef FPMOVE_CLI_ARGUMENTS_H
#define FPMOVE_CLI_ARGUMENTS_H

#include "cli/response.h"

#include <stdbool.h>

struct names {
	VEC(const char *);
};

/* Says whether an option takes an argument.  A NEEDED argument is given as -oVALUE, -o VALUE, --long=VALUE or --long VALUE, a MAYBE argument
 * only as --long=VALUE. */
enum argument { NONE, NEEDED, MAYBE };

struct option_row {
	const char *group; /* title of a group in --help, if the row is no option; NULL if it is one */
	unsigned id;
	const char *letters, *name; /* short and long name without dashes, "" if there is none; `letters` is "o" for -o, "MD" for -MD */
	enum argument argument;
	const char *value, *help;   /* for --help: the name of the argument ("FILE"), and the description with \n between its lines */
};

struct option_table {
	const struct option_row *rows;
	unsigned n;
	const char *const *values; /* by option id: the accepted values, separated by blanks, or NULL if it takes any value */
	const unsigned *modes;     /* by option id: bits of the modes that take it; 0 stands for all modes */
	unsigned noptions;         /* number of option ids; `values` and `modes` have an element for each */
};

/* A mode of a command that begins with the name of a mode, as fpmove-gpu time. */
struct command_mode {
	const char *name;
	unsigned bit;
	const char *words, *what; /* in the help: what follows the name, and a description or NULL */
};

struct arguments {
	struct arena *arena;
	struct option_table table;
	/* Applies one option.  `value` is its argument, never empty, or NULL if it has none.  Returns false after a message if that is wrong. */
	bool (*apply)(struct arguments *, const struct option_row *, const char *value);
	void *to;           /* data of `apply`, which arguments_read does not look at */
	struct names words; /* arguments that are no options, such as names of files */
	struct names responses; /* names of the response files (@FILE) that were read */
	int at;             /* index in `line` of the argument that arguments_read is reading */
	bool enough;        /* set by `apply` to ignore the arguments that follow */
	bool *given;        /* set by arguments_read: by option id, whether it was given */
	struct command_line line; /* set by arguments_read: all arguments, with those of response files in place of @FILE */
	const char *file;   /* file that the arguments are read from and that may only hold options, or NULL for a command line */
	const unsigned *lines; /* line of `file` on which each argument begins */
	bool placed;        /* set if a message has already named the line of `file` on which the error is */
	const char *folder; /* folder that relative file names start from, or NULL for the current one */
};

/* Reads the arguments.  An argument @FILE that is not the value of an option stands for the arguments in FILE (response.h).  Returns false
 * after a message on standard error. */
bool arguments_read(struct arguments *, int argc, char **argv);
/* Writes the text of --help: all options under the titles of their groups.  fit_lines() is to wrap it, since FIT_HANG marks in each line the
 * column of its continuation lines. */
void arguments_help(struct text *, const struct option_table *);

/* Writes "Usage: COMMAND MODE [options] WORDS" for each mode. */
void arguments_usage(struct text *, const struct command_mode *, unsigned n);
/* Returns the mode that the first word names, and takes that word away.  Returns NULL after a message, with `example` as "run gauss", if
 * there is no such word, or an option was given that the mode does not take. */
const struct command_mode *arguments_mode(struct arguments *, const struct command_mode *, unsigned n, const char *example);

/* A reason to refuse the command line, if `applies`. */
struct refusal {
	bool applies;
	const char *sentence;
};
/* Prints the first refusal that applies, with `hint` behind it.  Returns false if there is one. */
bool arguments_agree(const struct refusal *, size_t n, const char *hint);

/* Runs a command with an arena of its own.  Returns its exit status, or EXIT_USAGE after a message if memory runs out. */
int command_run(int argc, char **argv, int (*run)(struct arena *, int argc, char **argv));

/* Returns the number of the line, in the file of options that `file` names, with the argument that arguments_read is reading now. */
unsigned arguments_line(const struct arguments *);

/* Functions for `apply` to call. */
/* Reads an option's argument as a whole number from `least` to `most`.  Returns false after a message if it is none. */
bool argument_number(const struct option_row *, const char *value, unsigned least, unsigned most, unsigned *to);
/* Reads an option's argument as a positive number of at most `most`.  Returns false after a message if it is none. */
bool argument_real(const struct option_row *, const char *value, double most, double *to);
/* Sets `*to` to the index of the value in the list of values that the option accepts.  Returns false after a message if it is not there. */
bool argument_one_of(const struct arguments *, const struct option_row *, const char *value, unsigned *to);
/* Returns the option as a user writes it: "--output", or "-O" if it has no long name. */
const char *option_name(struct arena *, const struct option_row *);

#endif
