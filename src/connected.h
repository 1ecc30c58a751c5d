/* Sets of pairs whose programs have partners in common both ways: a VP is drawn with several FPs, and some of these with several VPs.  Each
 * program keeps being one.
 *
 * A set is planned as a list of stars.  A star is a VP with the FPs that are drawn with no other, or an FP with all its VPs, which is what
 * job.h plans together.  Stars are planned in turn, those of most pairs first, each on the programs as the stars before have left them.  The
 * other FPs of its VPs stay as they are, and what they read of the VPs stays, too.  What comes of a star is taken only if every pair that
 * has one of its programs is proven from the given texts to the new ones. */
#ifndef FPMOVE_CONNECTED_H
#define FPMOVE_CONNECTED_H

#include "job.h"

/* A program of the set. */
struct connected_program {
	const struct source *given;
	enum stage stage;
	bool stays;       /* it is written as it was given: for an FP that is drawn with programs outside of the set */
	bool keeps_model; /* of an FP: it is written in its own model, since it breaks a rule of ps_2_0; connected_run finds that out */
	bool is_replaced; /* the new text replaces the given one, with which pairs that are rejected are still drawn */
	struct new_text new; /* in `keep`; empty: as it was given */
};

struct connected_pair {
	uint32_t vs, ps; /* among the programs */
};

struct connected {
	struct arena *arena; /* of the runs; plans are freed in it */
	struct arena *keep;  /* of new texts; nothing else may take memory of it meanwhile */
	struct connected_program *programs;
	uint32_t nprograms;
	const struct connected_pair *pairs;
	struct run *runs;    /* of each pair, given to run_init */
	uint32_t npairs;
	struct profile *profile; /* NULL: nobody asks */
	bool (*tell)(void *who, const struct allowance *); /* as of a job */
	void *who;
};

/* Plans the set and finishes all runs: those that are done have been proven with the texts of their programs.  Returns false if `tell`
 * did: nothing is done. */
bool connected_run(struct connected *);

#endif
