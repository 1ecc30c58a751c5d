/* Takes all pairs of an effect file from bytes to bytes, for the command and the library. */
#ifndef FPMOVE_EFFECTS_H
#define FPMOVE_EFFECTS_H

#include "lang/effect.h"
#include "pipeline.h"
#include "job.h"

struct effect_job {
	struct arena *arena;
	const struct source *file;
	const struct preprocess_options *preprocess; /* NULL if there are no definitions */
	struct run_options options; /* as given, with the changes that effect_job_read() makes for the kind of file */
	struct profile *profile;    /* times passes of all runs; NULL if no times are wanted */
	const struct source *vp;    /* a VP that is drawn with the file's pixel programs that have no VP there; NULL if none is known */
	struct diags notes;         /* diagnostics of the file, and of passes that stay as they are */
	struct effect *effect;      /* NULL if the file could not be read */
	struct { VEC(struct run); } runs; /* one run for each of the effect's pairs, in their order, after effect_job_move() */
	struct text *programs;      /* the new text of each block; empty if the block stays as it is */
	struct text text;           /* the new file */
};

/* Begins the job of a file. */
void effect_job_init(struct effect_job *, struct arena *, const struct source *file, const struct preprocess_options *,
                     const struct run_options *);
/* Reads the file and finds its pairs.  Returns false if one of the notes is an error. */
bool effect_job_read(struct effect_job *);
/* Moves all pairs, and plans pairs that share a program together; their runs hold the results.  Returns false as soon as `tell` does, see
 * job.h. */
bool effect_job_move(struct effect_job *, bool (*tell)(void *who, const struct allowance *), void *who);
/* Returns the worst status of the runs, in the order of run_status, or RUN_UNCHANGED if there are no runs. */
enum run_status effect_job_status(const struct effect_job *);
/* Writes the new file when all runs are done, and reads it again: checks that it has the same pairs, proves them as they stand in it, and
 * checks that no other program has changed.  Returns the run, now RUN_FAILED, in which it finds a fault, or NULL. */
struct run *effect_job_rewrite(struct effect_job *);
/* Returns the whole effect as one run, for tables of pairs.  Its slots, registers and interpolators are the sums over its pairs, its
 * order of dependent reads is the largest of theirs, and it has all their diagnostics.  It has no programs. */
struct run effect_job_sum(const struct effect_job *);
/* Returns "technique t pass p" or "line 12", to be printed behind the file's name. */
const char *effect_pair_name(struct arena *, const struct effect *, const struct effect_pair *);

#endif
