/* Shared by the files of the pipeline, each of which calls only those after it: pipeline.c reads a pair and lists the steps, result.c writes
 * new programs, reads them again and proves them, fit.c moves a pair until it fits, around.c plans what has flow control, plan.c the rest,
 * and run.c has what all need.  A step returns false if the pipeline ends there; the run's status says why. */
#ifndef FPMOVE_STEPS_H
#define FPMOVE_STEPS_H

#include "pipeline.h"

/* Set the status RUN_REJECTED, or RUN_FAILED with the reason, and return false. */
bool run_reject(struct run *);
bool run_fault(struct run *, const char *why);
/* Makes the programs as they were given the new ones. */
bool run_keep_given(struct run *);
struct measure run_measure(const struct program *);

/* Returns the needs, with the VP constants added that hold what FP constants hold because both programs' tables give them one name. */
struct needs run_needs_and_alike(const struct run *, const struct needs *);

/* Returns the run's FP for the mover, beside `nvs` VPs. */
const struct program *run_marked(struct run *, const struct program *const *vs, unsigned nvs, unsigned plain);
/* Returns the run's VP for the mover, with the constants that it has in common with the FP. */
const struct program *run_with_alike(struct run *);

/* Returns how many levels below that of the options the checked pair is moved by, since it is long. */
int run_levels_lower(const struct run *);
/* Tells once if a program is too long for the level of the options. */
void run_tell_level(struct run *);
/* Returns why nothing of the pair may be moved, whatever it would gain, or NULL if something may. */
const char *run_why_it_stays(const struct run *);

/* Gives the new programs the looks of the old ones. */
void run_finish_programs(struct run *, struct move_result *);

/* Stores a result in the run.  Returns false if the application would have to compute more than fits into registers. */
bool run_take_moved(struct run *, struct move_result *);

/* Notes in a new program's comments what the application must set. */
void run_note_needs(struct arena *, struct program *, const struct needs *);

/* Plans the run's pair, of straight programs, by the options. */
struct move_result *run_plan(struct run *, const struct move_options *);

/* Corrects the declarations of the new programs, see link_declare().  Returns false if no usages or registers are left for them.  A second
 * call changes nothing. */
bool run_declare(struct run *, struct move_result *);

/* Returns the program as it is written, which is the program itself if that changes nothing. */
const struct program *run_as_written(struct arena *, const struct program *);

/* Steps of the pipeline, see `pipeline`.  step_move() may be called again, with constants withheld that no VP can have by name. */
bool step_move(struct run *);
bool step_fit(struct run *);
bool step_print(struct run *);
bool step_reread(struct run *);
bool step_prove(struct run *);
bool step_finish(struct run *);

#endif
