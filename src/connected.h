/* Plans connected sets of pairs: a VP is drawn with several FPs, and some of these FPs with several VPs.  Each program gets one new text for all
 * its pairs.
 *
 * A set is planned as a list of stars.  A star is a VP (the center) with those FPs that are drawn with no other VP, or an FP (the center) with
 * all its VPs; job.h plans one star at a time.  Stars with most pairs come first, and each plan begins with the texts that earlier stars have
 * made.  Other FPs that are drawn with a VP of the star stay as they are, and the VP keeps the outputs that they read.  FPs that no star has
 * changed are then planned alone.  New texts are kept only if every pair with one of these programs is proven from its given texts to its new
 * ones. */
#ifndef FPMOVE_CONNECTED_H
#define FPMOVE_CONNECTED_H

#include "job.h"

/* A program of a connected set. */
struct connected_program {
	const struct source *given;
	enum stage stage;
	bool stays;       /* true to keep the given text, for example since the program is drawn with programs outside of the set, too */
	bool keeps_model; /* true if an FP breaks a rule of ps_2_0 as given, and is written in its own model; set by connected_run() */
	bool is_replaced; /* true if the new text replaces the given one in place, so that rejected pairs are drawn with it, too */
	struct new_text new; /* the new text, in the arena `keep` of the set; empty if the program stays as given */
};

struct connected_pair {
	uint32_t vs, ps; /* indices into `programs` of the set */
};

struct connected {
	struct arena *arena; /* the arena of all runs; connected_run() releases the memory of its plans */
	struct arena *keep;  /* the arena of new texts, which nothing else may use during connected_run() */
	struct connected_program *programs;
	uint32_t nprograms;
	const struct connected_pair *pairs;
	struct run *runs;    /* the run of each pair, which run_init must have prepared */
	uint32_t npairs;
	struct profile *profile; /* receives the times of the passes; NULL if they are not wanted */
	bool (*tell)(void *who, const struct allowance *); /* called to report progress, see struct job; the work stops if it returns false */
	void *who;
};

/* Plans the set and finishes all its runs.  Runs that are done have been proven with the new texts of their programs.  Returns false if `tell`
 * returned false: then no run is done. */
bool connected_run(struct connected *);

#endif
