/* What keeps the programs of a pair longer than they could be: budgets that the user or the models set, and what is
 * assumed of the application unless it says otherwise.  Found by planning again without them, so that a hint says no more
 * than what following it was seen to bring. */
#ifndef FPMOVE_HINTS_H
#define FPMOVE_HINTS_H

#include "job.h"

enum hint_kind {
#define HINT(id, name, verdict, why) id,
#include "hints.def"
#undef HINT
	HINTS
};

/* Names and clauses of hints.def. */
struct hint_info {
	const char *name;
	enum verdict verdict;
	const char *why;
};
extern const struct hint_info hint_infos[HINTS];

/* Cost that a hint has to save at least, in a profile's unit. */
#define HINT_LEAST_COST 0.01

/* Things that bind together, and what comes of the pair, or of all pairs that were planned together, without them. */
struct hint {
	unsigned kinds;        /* bit of each hint_kind */
	const char *with;      /* what to add to the command line, NULL: nothing */
	const char *without;   /* what to take off it, NULL: nothing */
	bool as_vs_2_0;        /* the VP is to be a vs_2_0 program */
	unsigned samplers;     /* of HINT_PLAIN_TEXTURES or HINT_FINITE_TEXTURES alone: bit n: s#n */
	unsigned saves;        /* further FP slots; of HINT_ALL_TEXCOORDS, which nothing mends, 0 */
	double saves_cost;     /* ... and cost under the target, see run_costs */
	unsigned last_saves;   /* of HINT_ALL_TEXCOORDS: FP slots that the last interpolator saves now, */
	double last_saves_cost; /* ... and cost; both 0 where nothing fits with one fewer */
	unsigned vs_slots;     /* slots of the VPs then */
	uint32_t pairs;        /* that all this is said of */
};
struct hints {
	VEC(struct hint);
	bool of_drop_in; /* nothing but HINT_DROP_IN was looked for */
};

/* Fills `hints` of the job's runs, and says of what stays for the sake of a budget which it was, in their fates.  Only runs that are done
 * get any.  Costs nothing where nothing can bind; else as many plans as there are budgets that may, and some more.  `quick`: it is one
 * job of many, so that no plan takes more effort than its own did, and all plans together not much more than one may. */
void find_hints(const struct job *, bool quick);

/* Looks for HINT_DROP_IN alone, by one plan more.  That takes nothing for runs without --drop-in, or whose FPs read no constant that the
 * application sets. */
void find_drop_in_hint(const struct job *, bool quick);

/* "--vs-consts=c90-c95 would save 2 more FP slots, at 9 VP slots" */
void hint_text(struct text *, const struct run *, const struct hint *);
/* "c[a0.x + n] may read any vertex constant, so none was taken" */
void hint_why(struct text *, const struct hint *);
/* Writes what follows a hint of one kind: an option, one to leave out, or a change of the VP. */
void hint_option(struct text *, enum hint_kind);
/* Writes "--plain-textures=s0,s3", or --finite-textures so; bit n of `samplers`: s#n. */
void hint_samplers(struct text *, enum hint_kind, unsigned samplers);
/* Writes "-O3, --free-ties and --preshader": what may make the pair shorter, by the run itself, with nothing planned again.  Writes
 * nothing where nothing may. */
void hints_to_try(struct text *t, const struct run *);
/* FP slots that the hint of this kind alone would save; 0: there is none. */
unsigned hint_saves(const struct run *, enum hint_kind);

#endif
