/* The command line of fpmove-gpu as data. */
#ifndef FPMOVE_GPU_OPTIONS_H
#define FPMOVE_GPU_OPTIONS_H

#include "cli/arguments.h"
#include "gpu/workload.h"

/* The exit statuses. */
enum { GPU_DONE, GPU_WRONG, GPU_USAGE };

/* Bits, so that tables can say which modes take an option. */
enum gpu_mode { GPU_RUN = 1, GPU_TIME = 2, GPU_CALIBRATE = 4, GPU_PREDICT = 8, GPU_INFO = 16, GPU_HELP = 32, GPU_VERSION = 64 };

enum { GPU_LEVELS = 4 };

struct gpu_options {
	enum gpu_mode mode;
	struct names words;      /* behind the mode: workloads, or files */
	int device, language;    /* as context_open takes them */
	struct run_options plan; /* what moves, but for the level */
	bool level[GPU_LEVELS];  /* those to measure, from 1 on */
	struct names moving;     /* the options of `plan` as they were given */
	struct names also_read;  /* files that options name, response files among them */
	struct { VEC(unsigned); } sizes; /* in order; none: not given */
	struct { VEC(struct given_number { const char *name; unsigned number; }); } numbers; /* a workload's parameters */
	int format;              /* an enum image_format; -1: not given */
	double seconds;
	const char *form, *input, *force; /* NULL: not given */
	unsigned seed;
	bool check, fresh, stages, ulp, bandwidth;
	const char *png, *output, *batch, *csv, *json, *plot; /* NULL: not given */
	unsigned passes, reads, pixels, bytes; /* of predict; 0: not given */
	bool imagined;           /* predict a program of --reads alone */
	unsigned grid;           /* cells a side */
	bool nearest;
	unsigned columns;        /* of standard output, see fit_columns */
};

/* What each mode does with a context that is open; the exit status. */
typedef int gpu_command(struct arena *, const struct context *, const struct gpu_options *);

/* False after a message on standard error. */
bool gpu_options_parse(struct arena *, int argc, char **argv, struct gpu_options *);
/* Lines with FIT_HANG, for fit_lines. */
void gpu_options_help(struct text *);

/* Returns the size if there is one, else 0. */
static inline unsigned gpu_options_size(const struct gpu_options *o)
{
	return o->sizes.n ? o->sizes.at[0] : 0;
}

/* One form of one workload, to be computed. */
struct task {
	const struct workload *workload;
	struct wanted wanted;
};
struct tasks {
	VEC(struct task);
};
/* The tasks that the words ask for, in the order of the list of workloads; those of one form stand together, by size.  False after
 * a message on standard error. */
bool gpu_options_tasks(struct arena *, const struct gpu_options *, struct tasks *);
/* Returns true if the words are files of one pair, and none is a workload. */
bool gpu_options_pair(const struct gpu_options *);
/* The plan of a level. */
struct run_options *gpu_options_plan(struct arena *, const struct gpu_options *, unsigned level);

#endif
