/* The options of fpmove as data: reads them from the command line and from the project's file of options (.fpmove). */
#ifndef FPMOVE_CLI_OPTIONS_H
#define FPMOVE_CLI_OPTIONS_H

#include "cli/arguments.h"
#include "cli/message.h"
#include "lang/preprocess.h"
#include "pipeline.h"

static inline int run_exit_status(enum run_status s)
{
	static const int statuses[] = {[RUN_IMPROVED] = EXIT_DONE, [RUN_UNCHANGED] = EXIT_DONE, [RUN_REJECTED] = EXIT_REJECTED,
	                               [RUN_FAILED] = EXIT_FAULT, [RUN_NO_MEMORY] = EXIT_USAGE};
	return statuses[s];
}

enum mode { MODE_MOVE, MODE_CHECK, MODE_PROVE, MODE_RULES, MODE_PREPROCESS, MODE_PRINT, MODE_UNPACK, MODE_BATCH, MODE_MERGE, MODE_COMPARE, MODE_HELP, MODE_VERSION };

struct options {
	enum mode mode;
	struct names files;             /* names of the input files; with --rules, ids of rules */
	struct run_options run;
	struct names also_read;         /* input files that options name, and response files */
	struct names no_warn;           /* ids of rules whose warnings are off; run.no_warn points to the list */
	struct names defines, includes; /* values of -D, and of -I */
	const char *output, *report, *constants, *preshader, *dot, *dep_file, *constants_map, *vp; /* values of these options, or NULL */
	bool deps, effect, check_moves, write_vp;
	const char *batch, *csv, *html;        /* values of these options, or NULL */
	const char *unpack;             /* value of --unpack, or NULL */
	bool pairs;                     /* true if `batch` is the table of --pairs */
	const char *pairs_columns;      /* value of --pairs-columns, or NULL for the usual names of columns */
	unsigned jobs;                  /* number of threads of a batch; 0 stands for one for each core */
	unsigned shard, shards;         /* K and N of --shard=K/N; 0 without it */
	const char *config, *names;     /* the file of options (.fpmove) that was read, and the file of --names; NULL if there is none */
	bool newer, progress, shared_vp, shared_fp;
	struct text run_text;           /* text of all options that decide about the outputs; --newer compares its hash with earlier runs' */
	struct names deciding;          /* the options that decide about the outputs, as the user gave them, without level and target; for --report */
	unsigned fail_on;               /* the bits that compare_fail_on() sets */
	bool validate;
	struct validator *validator; /* with --validate, the process of fpmove-d3d9 that draws the pairs; else NULL */
	bool verify, fp24;
	unsigned primitives; /* number of --verify=N, or 0 for the default */
	double tolerance;    /* value of --tolerance, or 0 for the default */
	bool stats, diff, explain, quiet, verbose;
	unsigned dump; /* bits of enum dump, the parts that --dump names */
	bool colour_out, colour_err; /* true if standard output, and standard error, get colours */
	bool terminal;               /* true if standard output is a terminal */
	unsigned columns, columns_err; /* columns of the terminals that standard output and standard error are; 0 for no terminal */
};

/* Reads the command line.  Returns false after an error on standard error; exit with EXIT_USAGE then. */
bool options_parse(struct arena *, int argc, char **argv, struct options *);
/* Writes the text of --help, whose lines fit_lines() is to wrap. */
void options_help(struct text *);
/* Returns true if an option sends a file to standard output.  Tables and other texts for people go to standard error then. */
bool options_use_stdout(const struct options *);
/* Returns the options of the preprocessor: the values of -D and -I. */
struct preprocess_options options_preprocess(const struct options *);

#endif
