/* Finds hints.  A hint names limits that keep the programs of a pair longer than they could be: budgets that the user or the models set, or
 * cautious assumptions about the application.  The pair is planned again without these limits, so a hint promises only the savings of a real
 * plan. */
#ifndef FPMOVE_HINTS_H
#define FPMOVE_HINTS_H

#include "job.h"

enum hint_kind {
#define HINT(id, name, verdict, why) id,
#include "hints.def"
#undef HINT
	HINTS
};

/* A row of hints.def. */
struct hint_info {
	const char *name;
	enum verdict verdict;
	const char *why;
};
extern const struct hint_info hint_infos[HINTS];

/* The least cost that a hint has to save, in units of the target. */
#define HINT_LEAST_COST 0.01

/* A hint: limits to be lifted together, and the savings of a plan without them, in the pair or in all pairs that were planned together. */
struct hint {
	unsigned kinds;        /* the limits that are lifted, as bits 1 << hint_kind */
	const char *with;      /* options to add to the command line; NULL if there are none */
	const char *without;   /* options to remove from the command line; NULL if there are none */
	bool as_vs_2_0;        /* true if the VP is to be written as vs_2_0 */
	unsigned samplers;     /* bit n stands for s#n; 0 unless the hint is for HINT_PLAIN_TEXTURES alone, or HINT_FINITE_TEXTURES alone */
	unsigned saves;        /* FP slots that are saved without the limits; 0 for HINT_ALL_TEXCOORDS, which no option lifts */
	double saves_cost;     /* cost that is saved without the limits, under the run's target, see run_costs() */
	unsigned last_saves;   /* for HINT_ALL_TEXCOORDS: FP slots that the last interpolator saves in the present plan */
	double last_saves_cost; /* for HINT_ALL_TEXCOORDS: cost that the last interpolator saves; both are 0 if no plan fits without it */
	unsigned vs_slots;     /* slots of all VPs in the new plan, a shared VP counted once; for HINT_ALL_TEXCOORDS, in the present plan */
	uint32_t pairs;        /* number of pairs over which slots and costs are summed up */
};
struct hints {
	VEC(struct hint);
	bool of_drop_in; /* true if find_drop_in_hint() made the list, which looks for HINT_DROP_IN only */
};

/* Finds the hints of a job's runs, and sets their `hints`; finds none unless all runs are done, and does nothing at -O0.  For lanes that stay in
 * the FP because of a limit, also sets the verdict in `fates` of the runs' plans.  Plans the runs again for each limit that may matter, and some
 * more times.  With `quick`, for one job of many, makes no more plans after the first that brings their sum above 2000 search nodes, and tries
 * neither more --effort nor --preshader. */
void find_hints(const struct job *, bool quick);

/* Looks for HINT_DROP_IN alone, by one more plan, and sets the runs' `hints`.  Makes no plan if the FPs read no constant that the application
 * sets, and does nothing for runs without --drop-in. */
void find_drop_in_hint(const struct job *, bool quick);

/* Writes a hint as text, such as "--vs-consts=c90-c95 would save 2 more FP slots, at 9 VP slots". */
void hint_text(struct text *, const struct run *, const struct hint *);
/* Writes the reasons of a hint's limits (`why` of hints.def), such as "c[a0.x + n] may read any vertex constant, so none was taken". */
void hint_why(struct text *, const struct hint *);
/* Writes how to lift a limit of one kind: an option to add or to leave out, or vs_2_0 in place of vs_1_1. */
void hint_option(struct text *, enum hint_kind);
/* Writes the option of that kind with its samplers, such as "--plain-textures=s0,s3"; bit n of `samplers` stands for s#n. */
void hint_samplers(struct text *, enum hint_kind, unsigned samplers);
/* Writes the options that may make the pair shorter, such as "-O3, --free-ties and --preshader", judged from the run alone without another plan.
 * Writes nothing if there are none. */
void hints_to_try(struct text *t, const struct run *);
/* Returns the FP slots that the hint of this kind alone would save, or 0 if there is no such hint. */
unsigned hint_saves(const struct run *, enum hint_kind);

#endif
