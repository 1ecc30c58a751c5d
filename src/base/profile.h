/* How long the passes of a run take, and what they change.
 *
 * Passes form a tree: what begins while another one runs stands below it, and the runs of one pass in one place are
 * summed up.  Who wants to know gives a profile with a clock.  Passes that are given none (NULL) lose one comparison. */
#ifndef FPMOVE_BASE_PROFILE_H
#define FPMOVE_BASE_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

enum { PROFILE_PASSES = 256, NO_PASS = PROFILE_PASSES };

struct pass {
	const char *name; /* a literal */
	unsigned parent;  /* NO_PASS: none */
	uint64_t since;   /* when it began, while it runs */
	uint64_t time;    /* nanoseconds in all, those of the passes below it among them */
	uint64_t runs, changed; /* how often it ran, and how often that changed something */
	uint64_t slots[2];      /* of programs that it changed, before and after, summed up */
	uint64_t nodes;         /* of a search */
};

struct profile {
	uint64_t (*now)(void); /* nanoseconds since whenever */
	struct pass pass[PROFILE_PASSES]; /* each behind the one that it stands below */
	unsigned n;
	unsigned running; /* the innermost one; NO_PASS: none */
	unsigned beyond;  /* passes that run and found no place: their time is that of the last that did */
};

void profile_init(struct profile *, uint64_t (*now)(void));
/* Each begin is followed by one end, with the passes below it in between.  Without a profile nothing happens. */
void profile_begin(struct profile *, const char *name);
void profile_end(struct profile *);
/* The running pass changed a program of so many slots. */
void profile_change(struct profile *, unsigned slots_before, unsigned slots_after);
/* ... looked at so many nodes. */
void profile_nodes(struct profile *, uint64_t nodes);
/* The clock; 0 without a profile. */
uint64_t profile_now(const struct profile *);
/* Adds what another profile, all of whose passes have ended, has. */
void profile_add(struct profile *, const struct profile *);

#endif
