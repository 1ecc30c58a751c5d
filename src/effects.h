/* Moves work in all pairs of an effect file, and makes the text of the new file, for the command and the library. */
#ifndef FPMOVE_EFFECTS_H
#define FPMOVE_EFFECTS_H

#include "lang/effect.h"
#include "pipeline.h"
#include "job.h"

struct effect_job {
	struct arena *arena;
	const struct source *file;
	const struct preprocess_options *preprocess; /* definitions for the preprocessor; NULL if there are none */
	struct run_options options; /* the user's options; effect_job_read() changes those that do not fit the kind of file */
	struct profile *profile;    /* receives the times of the passes of all runs; NULL if no times are wanted */
	const struct source *vp;    /* a VP from another file, for pixel programs that have no VP in this file; NULL if there is none */
	struct diags notes;         /* diagnostics of the file, and of passes that stay as they are */
	struct effect *effect;      /* NULL if the file could not be read */
	struct { VEC(struct run); } runs; /* one run for each of the effect's pairs, in their order, after effect_job_move() */
	struct text *programs;      /* the new text of each block; empty if the block stays as it is */
	struct text text;           /* the new file */
};

/* Prepares the job of an effect file, for effect_job_read(). */
void effect_job_init(struct effect_job *, struct arena *, const struct source *file, const struct preprocess_options *,
                     const struct run_options *);
/* Reads the file and finds its pairs.  Returns false if one of the notes is an error. */
bool effect_job_read(struct effect_job *);
/* Begins a run for each pair and moves all pairs; pairs that share a program are planned together.  Calls `tell`, unless it is NULL, to report
 * progress (job.h), and stops and returns false as soon as `tell` returns false. */
bool effect_job_move(struct effect_job *, bool (*tell)(void *who, const struct allowance *), void *who);
/* Returns the worst status of the runs, in the order of enum run_status, and at least RUN_REJECTED if one of the notes is an error.  If the
 * worst is RUN_UNCHANGED although a run improved, returns RUN_IMPROVED. */
enum run_status effect_job_status(const struct effect_job *);
/* Makes `text`, the new file, when all runs are done, and reads it again: checks that it has the same pairs, proves them as they stand there, and
 * checks that no other program has changed.  Returns the first run that fails this (its status is then RUN_FAILED), or NULL if none does. */
struct run *effect_job_rewrite(struct effect_job *);
/* Returns the whole effect as one run without programs, for tables of pairs.  Its slots, registers and interpolators are sums over its pairs,
 * its `order` is that of the longest chain of dependent reads, and it has the diagnostics of all pairs. */
struct run effect_job_sum(const struct effect_job *);
/* Returns a name of the pair such as "technique t pass p" or "line 12", to be printed after the file's name. */
const char *effect_pair_name(struct arena *, const struct effect *, const struct effect_pair *);

#endif
