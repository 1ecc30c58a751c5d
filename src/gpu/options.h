/* Reads the command line of fpmove-gpu. */
#ifndef FPMOVE_GPU_OPTIONS_H
#define FPMOVE_GPU_OPTIONS_H

#include "cli/arguments.h"
#include "cli/message.h"
#include "gpu/workload.h"

/* Modes are bits, so that a table row can list the modes that take an option. */
enum gpu_mode { GPU_RUN = 1, GPU_TIME = 2, GPU_CALIBRATE = 4, GPU_PREDICT = 8, GPU_INFO = 16, GPU_HELP = 32, GPU_VERSION = 64 };

enum { GPU_LEVELS = 4 };

struct gpu_options {
	enum gpu_mode mode;
	struct names words;      /* the words after the mode: workloads or files */
	int device, language;    /* the device's number and an enum language; -1 if not given */
	struct run_options plan; /* options of moving, without the level */
	bool level[GPU_LEVELS];  /* true for each level to measure; level 0 is unused */
	struct names moving;     /* the options of `plan` as they were given */
	struct names also_read;  /* files that options name, response files included */
	struct { VEC(unsigned); } sizes; /* the numbers of --size, ascending; empty if it is not given */
	struct { VEC(struct given_number { const char *name; unsigned number; }); } numbers; /* parameters of workloads, as they were given */
	int format;              /* an enum image_format, or -1 if not given */
	double seconds;
	const char *form, *input, *force; /* NULL if not given */
	unsigned seed;
	bool check, fresh, stages, ulp, bandwidth;
	const char *png, *output, *batch, *csv, *json, *plot; /* NULL if not given */
	unsigned passes, reads, pixels, bytes; /* options of predict; 0 if not given */
	bool imagined;           /* true if --reads is given: it describes a program that does not exist yet */
	unsigned grid;           /* cells a side of the mesh */
	bool nearest;
	unsigned columns;        /* width of lines on standard output, see fit_columns */
};

/* Runs a mode with an open context and returns the exit status. */
typedef int gpu_command(struct arena *, const struct context *, const struct gpu_options *);

/* Reads the command line.  Returns false after a message on standard error. */
bool gpu_options_parse(struct arena *, int argc, char **argv, struct gpu_options *);
/* Writes the help, with FIT_HANG in lines that fit_lines may break. */
void gpu_options_help(struct text *);

static inline unsigned gpu_options_size(const struct gpu_options *o)
{
	return o->sizes.n ? o->sizes.at[0] : 0;
}

/* A workload to run, with the form and the numbers in `wanted`. */
struct task {
	const struct workload *workload;
	struct wanted wanted;
};
struct tasks {
	VEC(struct task);
};
/* Lists the tasks that the words ask for, workload by workload, form by form, in order of size.  Returns false after a message if a word, a
 * number or an option does not fit. */
bool gpu_options_tasks(struct arena *, const struct gpu_options *, struct tasks *);
/* Returns true if the mode is predict and the words name the files of one pair, not workloads. */
bool gpu_options_pair(const struct gpu_options *);
/* Returns the user's options of moving, with the level set. */
struct run_options *gpu_options_plan(struct arena *, const struct gpu_options *, unsigned level);

#endif
