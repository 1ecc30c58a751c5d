/* The face of this room: the search for the best plan.  The programs of a plan are written by the rooms behind it, which
 * are handed in. */
#ifndef FPMOVE_MOVE_CUT_CUT_H
#define FPMOVE_MOVE_CUT_CUT_H

#include "move/cut/plan.h"
#include "move/passes.h"

struct vertex_start; /* what is known of a VP before it gets anything to deliver, */
struct delivery;     /* and the way in which it delivers a layout: both are the writers' own */

/* Writers of programs.  `folds` and `consts` of a result get what was made. */
struct plan_writers {
	/* The FP of a plan; NULL: its temporaries do not suffice. */
	struct program *(*pixel_program)(struct values *, const struct plan *, struct move_result *);
	struct vertex_start *(*start)(struct values *, const struct program *vs, const struct move_options *);
	/* Is a constant register left that the VP may take? */
	bool (*has_constant)(const struct vertex_start *);
	/* Slots of what serves no interpolator. */
	unsigned (*least)(const struct vertex_start *);
	/* The shortest VP that was found to deliver the layout; NULL: none with at most so many slots.  `least`: slots of the
	 * shortest; UINT_MAX: none fits the budgets.  `how`, if not NULL: the way it was made. */
	struct program *(*vertex_program)(const struct vertex_start *, const struct layout *, unsigned at_most, unsigned *least,
	                                  struct move_result *, const struct delivery **how);
	/* Replaces the VP of a pair, made as `how` says, if trying more ways finds one that is shorter when tidied. */
	void (*shorten)(const struct vertex_start *, const struct layout *, const struct delivery *how, struct move_result *);
};

/* What the search found best. */
struct planned {
	struct move_result *result; /* of each pair: both programs, consts, folds, optimal, nodes, gap */
	struct plan *plan;          /* of each FP */
	struct layout layout;
	const struct delivery **how; /* of each VP */
	uint64_t time;              /* under the target: of all FPs, each with its share of the VPs */
	unsigned ps_slots, order, registers, vs_slots;
};
/* How far a search goes. */
struct scope {
	uint64_t most;   /* plans of more time than this, as struct planned has it, are of no use, nor are those slower than the pairs */
	uint32_t effort; /* search nodes before the plan found so far is taken */
	struct allowance *allowance; /* NULL: none; the search ends when ... */
	uint64_t spare;              /* ... no more than this is left of it */
};
/* One plan for all FPs that are numbered, and all VPs, of which there is one if there are several
 * FPs; `options` are those of each VP.  NULL: no plan fits the budgets, or none was found in time. */
struct planned *plan_search_all(struct values *, const struct plan_writers *, const struct program *const *vs, unsigned nvs,
                                const struct move_options *, const struct scope *);

#endif
