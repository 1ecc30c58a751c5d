/* Between the files that go a pair's way: pipeline.c, from text to new programs, and result.c, from those to a result that is
 * written, read again and proven.  Each step is false where the way ends; the status says why. */
#ifndef FPMOVE_STEPS_H
#define FPMOVE_STEPS_H

#include "pipeline.h"

bool run_reject(struct run *);
bool run_fault(struct run *, const char *why);
/* The programs as they were given are the new ones. */
bool run_keep_given(struct run *);
struct measure run_measure(const struct program *);

/* Needs, and the constants that both programs' tables name alike. */
struct needs run_needs_and_alike(const struct run *, const struct needs *);

/* Returns the options of a pair, its models' limits filled in. */
struct move_options run_pair_options(const struct run_options *, const struct program *vs, const struct program *ps);

/* Returns the run's FP for the mover, beside `nvs` VPs. */
const struct program *run_marked(struct run *, const struct program *const *vs, unsigned nvs, unsigned plain);
/* Returns the run's VP for the mover, with the constants that it has in common with the FP. */
const struct program *run_with_alike(struct run *);

/* Tells once if a program is too long for the level of the options. */
void run_tell_level(struct run *);
/* Returns why nothing of the pair may be moved, whatever it would gain; NULL: something may. */
const char *run_why_it_stays(const struct run *);

/* Gives the new programs the looks of the old ones. */
void run_finish_programs(struct run *, struct move_result *);

/* Makes a result the run's own.  Returns false if the application would have to compute more than fits into registers. */
bool run_take_moved(struct run *, struct move_result *);

/* Notes in a new program's comments what the application must set. */
void run_note_needs(struct arena *, struct program *, const struct needs *);

/* Plans the run's pair, of straight programs, by the options. */
struct move_result *run_plan(struct run *, const struct move_options *);

/* Makes the declarations of the new programs true, see link_declare(); false: there are no usages or registers left.  Once more changes
 * nothing. */
bool run_declare(struct run *, struct move_result *);

/* Also again, with constants withheld that no name tells. */
bool step_move(struct run *);
bool step_fit(struct run *);
bool step_print(struct run *);
bool step_reread(struct run *);
bool step_prove(struct run *);
bool step_finish(struct run *);

#endif
