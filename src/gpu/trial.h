/* A trial: a pair of programs, before and after moving, or two pairs, timed and compared. */
#ifndef FPMOVE_GPU_TRIAL_H
#define FPMOVE_GPU_TRIAL_H

#include "gpu/output.h"
#include "gpu/timing.h"

/* A pair as it is, or moved. */
struct version {
	const char *name;
	const struct run *run;
	const struct quartiles *ns;  /* a draw */
	struct ratio ratio;          /* to the first version */
	struct comparison seen;      /* beside the first version */
	double cost;                 /* under the target */
};

struct trial {
	const char *files[4];        /* NULL: not given */
	const char *name;            /* for people */
	struct ground ground;
	unsigned n, samples;
	bool stages;                 /* versions are by moved instructions */
	struct version *version;
	const char *wrong;           /* why there are no times; NULL: there are */
	bool said;                   /* standard error already has why */
	int status;
};

/* Runs a trial whose files and name are set.  What is wrong with programs is said; why else there are no times is `wrong`. */
void trial_run(struct arena *, const struct context *, const struct gpu_options *, struct trial *);
/* Puts one pair through the library.  A file is read once, as it may be a pipe: `like` has read these, or is NULL.  NULL if that fails:
 * `*why`, and whether it was said. */
const struct run *trial_pair(struct arena *, const char *const *files, unsigned n, const struct run_options *plan, const struct run *like,
                             const char **why, bool *said_it);
/* The pair as fit_pair shows it. */
const char *trial_name(struct arena *, const char *vs, const char *ps, unsigned columns);

/* A table for people. */
void trial_print(const struct trial *, const struct context *, struct text *);
/* The head of the spreadsheet; and the lines and the object of a trial. */
extern const char trial_csv_columns[];
void trial_keep(struct arena *, const struct trial *, struct gpu_output *);
/* Draws the stages; NULL, or why they cannot be written. */
const char *trial_plot(struct arena *, const char *path, const struct context *, const struct trial *);

/* Trials of all pairs of --batch; the exit status. */
int time_batch(struct arena *, const struct context *, const struct gpu_options *, struct gpu_output *);

#endif
