/* The command line as data. */
#ifndef FPMOVE_CLI_OPTIONS_H
#define FPMOVE_CLI_OPTIONS_H

#include "cli/arguments.h"
#include "cli/message.h"
#include "lang/preprocess.h"
#include "pipeline.h"

/* Returns the exit status of a run. */
static inline int run_exit_status(enum run_status s)
{
	switch (s) {
	case RUN_IMPROVED:
	case RUN_UNCHANGED: return EXIT_DONE;
	case RUN_REJECTED: return EXIT_REJECTED;
	case RUN_FAILED: return EXIT_FAULT;
	case RUN_NO_MEMORY: return EXIT_USAGE;
	}
	return EXIT_FAULT;
}

enum mode { MODE_MOVE, MODE_CHECK, MODE_PROVE, MODE_RULES, MODE_PREPROCESS, MODE_PRINT, MODE_UNPACK, MODE_BATCH, MODE_MERGE, MODE_COMPARE, MODE_HELP, MODE_VERSION };

struct options {
	enum mode mode;
	struct names files;             /* of --rules: rule ids */
	struct run_options run;
	struct names also_read;         /* files that options name, response files among them, and that are read */
	struct names no_warn;           /* run.no_warn is its list */
	struct names defines, includes; /* as given to -D, -I */
	const char *output, *report, *constants, *preshader, *dot, *dep_file, *constants_map, *vp; /* NULL: not given */
	bool deps, effect, check_moves, write_vp;
	const char *batch, *csv, *html;        /* NULL: not given */
	const char *unpack;             /* NULL: not given */
	bool pairs;                     /* `batch` is a table */
	const char *pairs_columns;      /* NULL: the usual ones */
	unsigned jobs;                  /* 0: one for each core */
	unsigned shard, shards;         /* the K-th of N; 0: all */
	const char *config, *names;     /* the file of options that is used, and that of --names; NULL if there is none */
	bool newer, progress, shared_vp, shared_fp;
	struct text run_text;           /* the words that decide what is written, for --newer */
	struct names deciding;          /* the same as they were given, but for level and target, for --report */
	unsigned fail_on;               /* bits of compare.h */
	bool validate;
	struct validator *validator; /* with --validate, the process that draws, see validate.h; else NULL */
	bool verify, fp24;
	unsigned primitives; /* 0: the default */
	double tolerance;    /* 0: the default */
	bool stats, diff, explain, quiet, verbose;
	unsigned dump; /* bits of enum dump */
	bool colour_out, colour_err; /* decided: of standard output and standard error */
	bool terminal;               /* standard output is one */
	unsigned columns, columns_err; /* of standard output and standard error, see fit_columns */
};

/* Reads the command line.  Returns false after an error on standard error; exit with EXIT_USAGE then. */
bool options_parse(struct arena *, int argc, char **argv, struct options *);
/* Writes --help, as lines with FIT_HANG for fit_lines. */
void options_help(struct text *);
/* Returns true if a file goes to standard output.  All that is shown goes to standard error then. */
bool options_use_stdout(const struct options *);
/* Returns the options -D and -I. */
struct preprocess_options options_preprocess(const struct options *);

#endif
