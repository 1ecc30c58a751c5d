/* Runs trials: a trial times and compares a pair of programs before and after moving, or two pairs. */
#ifndef FPMOVE_GPU_TRIAL_H
#define FPMOVE_GPU_TRIAL_H

#include "gpu/output.h"
#include "gpu/timing.h"

/* A pair as given or after moving. */
struct version {
	const char *name;
	const struct run *run;
	const struct quartiles *ns;  /* quartiles of the times of a draw */
	struct ratio ratio;          /* ratio of its time to that of the first version */
	struct comparison seen;      /* differences from the first version */
	double cost;                 /* estimated cost in the target's units, see run_costs() */
};

struct trial {
	const char *files[4];        /* NULL for files that are not given */
	const char *name;            /* the name in tables and messages */
	struct ground ground;
	unsigned n, samples;
	bool stages;                 /* true if there is a version for each number of moved instructions */
	struct version *version;
	const char *wrong;           /* a sentence on why there are no times, or NULL */
	bool said;                   /* true if `wrong` was printed to standard error already */
	int status;
};

/* Runs a trial whose files and name are set: makes and measures its versions, and sets `status`.  Prints the errors of its programs; sets `wrong`
 * if there are no times. */
void trial_run(struct arena *, const struct context *, const struct gpu_options *, struct trial *);
/* Runs fpmove on the pair in n files.  `like` is NULL or an earlier run of the same files, whose sources are used again, since a pipe can be read
 * only once.  Returns NULL if the run fails; then `*why` is a sentence, and `*said_it` becomes true if the errors were printed. */
const struct run *trial_pair(struct arena *, const char *const *files, unsigned n, const struct run_options *plan, const struct run *like,
                             const char **why, bool *said_it);
/* Returns the pair's name as fit_pair writes it. */
const char *trial_name(struct arena *, const char *vs, const char *ps, unsigned columns);

void trial_print(const struct trial *, const struct context *, struct text *);
/* The head line of the CSV file of time. */
extern const char trial_csv_columns[];
void trial_keep(struct arena *, const struct trial *, struct gpu_output *);
/* Draws a chart of the stages (versions by number of moved instructions) into a file.  Returns NULL, or a sentence on why the file cannot be
 * written. */
const char *trial_plot(struct arena *, const char *path, const struct context *, const struct trial *);

#endif
