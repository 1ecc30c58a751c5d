/* An effect file from bytes to bytes: the way of all its pairs, for the command and the library. */
#ifndef FPMOVE_EFFECTS_H
#define FPMOVE_EFFECTS_H

#include "lang/effect.h"
#include "pipeline.h"
#include "job.h"

struct effect_job {
	struct arena *arena;
	const struct source *file;
	const struct preprocess_options *preprocess; /* NULL: without definitions */
	struct run_options options; /* as given; effect_job_read adds what the file itself decides */
	struct profile *profile;    /* of all runs; NULL: nobody asks */
	const struct source *vp;    /* a VP that is drawn with pixel programs which have none in the file; NULL: it is not known */
	struct diags notes;         /* of the file, and of passes that stay */
	struct effect *effect;      /* NULL: it could not be read */
	struct { VEC(struct run); } runs; /* one for each of the effect's pairs, in their order, once they were moved */
	struct text *programs;      /* of each block the new one, in the new file; empty: it stays */
	struct text text;           /* the new file */
};

/* The job of a file, with what is noted of its bytes. */
void effect_job_init(struct effect_job *, struct arena *, const struct source *file, const struct preprocess_options *,
                     const struct run_options *);
/* Reads the file and finds its pairs.  False: one of the notes is an error. */
bool effect_job_read(struct effect_job *);
/* Moves all pairs, those that share a program together; their runs say what became of them.  False: `tell` said so, see
 * job.h. */
bool effect_job_move(struct effect_job *, bool (*tell)(void *who, const struct allowance *), void *who);
/* The worst status of the runs, in the order of run_status; RUN_UNCHANGED where there are none. */
enum run_status effect_job_status(const struct effect_job *);
/* Where all runs are done, the new file, read again: its pairs are those of the old one, they are proven as they stand there,
 * and no other program has changed.  The run that a fault came to light in, as RUN_FAILED; NULL: none did. */
struct run *effect_job_rewrite(struct effect_job *);
/* All of it as one run, for tables of pairs: its status and slots, registers and interpolators are the sums of its pairs',
 * dependent reads the most of them; its diagnostics are all there are.  It has no programs. */
struct run effect_job_sum(const struct effect_job *);
/* "technique t pass p" or "line 12"; the file's name goes before it. */
const char *effect_pair_name(struct arena *, const struct effect *, const struct effect_pair *);

#endif
