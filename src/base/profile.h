/* Measures how long the passes of a run take, and what they change.
 *
 * Passes form a tree: a pass that begins while another one runs is a child of that one, and all runs of a pass under
 * the same parent are added up.  The caller supplies the clock.  Without a profile (NULL) a call costs one comparison. */
#ifndef FPMOVE_BASE_PROFILE_H
#define FPMOVE_BASE_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

enum { PROFILE_PASSES = 256, NO_PASS = PROFILE_PASSES };

struct pass {
	const char *name; /* the pass's name, a string literal */
	unsigned parent;  /* index of the parent pass; NO_PASS if it has none */
	uint64_t since;   /* clock at the beginning of the present run */
	uint64_t time;    /* nanoseconds of all runs, its child passes included */
	uint64_t runs, changed; /* number of runs, and of changes to programs */
	uint64_t slots[2];      /* sums over all changes: instruction slots of the program before, and after */
	uint64_t nodes;         /* nodes that its searches visited */
};

struct profile {
	uint64_t (*now)(void); /* a clock in nanoseconds with any starting point */
	struct pass pass[PROFILE_PASSES]; /* a parent stands before its children */
	unsigned n;
	unsigned running; /* the innermost running pass; NO_PASS if none runs */
	unsigned beyond;  /* number of running passes for which the table had no room; their time counts for the pass `running` alone */
};

void profile_init(struct profile *, uint64_t (*now)(void));
/* Begins a pass, which profile_end() ends; passes nest.  All functions but profile_init() and profile_add() do nothing if the profile is NULL. */
void profile_begin(struct profile *, const char *name);
void profile_end(struct profile *);
/* Records that the running pass changed a program from `slots_before` to `slots_after` instruction slots. */
void profile_change(struct profile *, unsigned slots_before, unsigned slots_after);
void profile_nodes(struct profile *, uint64_t nodes);
/* Returns the present time of the profile's clock; 0 without a profile. */
uint64_t profile_now(const struct profile *);
/* Adds the times and counts of `more`, in which no pass may be running.  Leaves out passes for which the table has no room. */
void profile_add(struct profile *, const struct profile *more);

#endif
