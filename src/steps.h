/* Functions that the files of the pipeline share.  Each of these files calls only later ones of this list: pipeline.c reads a pair and lists the
 * steps, result.c writes new programs, reads them again and proves them, together.c plans groups of runs, fit.c plans a pair until the result
 * fits its models, around.c plans pairs with flow control, plan.c plans all others, repeat.c plans results again, and run.c has what all of them
 * need.  A step returns false if the pipeline ends there; the run's status says why. */
#ifndef FPMOVE_STEPS_H
#define FPMOVE_STEPS_H

#include "pipeline.h"

/* Set the run's status to RUN_REJECTED, or to RUN_FAILED with the reason `why`, and return false. */
bool run_reject(struct run *);
bool run_fault(struct run *, const char *why);
/* Makes the given programs the run's new programs, unchanged.  Returns true. */
bool run_keep_given(struct run *);
struct measure run_measure(const struct program *);

/* Returns a copy of the needs (constants that the application sets), to which it adds the run's `alike`: VP constants that have the values of
 * FP constants since both programs' tables give them the same name. */
struct needs run_needs_and_alike(const struct run *, const struct needs *);

/* Returns a copy of the run's FP for the planner, in which texture reads are marked that may compare .z with a depth texture, when drawn with any
 * of the `nvs` VPs.  Samplers in `plain` (bit n: s#n) have no depth texture.  Sets the run's `depths` and `drawn_depths`. */
const struct program *run_marked(struct run *, const struct program *const *vs, unsigned nvs, unsigned plain);
/* Returns a copy of the run's VP for the planner, in which constants that have the same name as FP constants are noted as copies of these. */
const struct program *run_with_alike(struct run *);

/* Returns the number of levels below that of the options at which a checked pair is planned, since a program is long. */
int run_levels_lower(const struct run *);
/* Adds a note to the run's diagnostics if a program is too long for the level of the options, unless the note is there already. */
void run_tell_level(struct run *);
/* Returns the reason for which nothing of the pair may be moved, as a clause, or NULL if planning is allowed. */
const char *run_why_it_stays(const struct run *);

/* Finishes the planner's programs at -O2 and -O3: removes movs to oC# in model 3, and gives instructions the order and registers of the given
 * programs, so that many lines stay the same.  Does nothing at lower levels. */
void run_finish_programs(struct run *, struct move_result *);

/* Stores the planner's result in the run, as its new programs; keeps the given programs instead if no usage or register is left for a new
 * declaration.  Returns false, and stores nothing, if an expression that the application would have to compute takes too many registers. */
bool run_take_moved(struct run *, struct move_result *);

/* Adds the constants that the application must set for a new program to what its comments tell. */
void run_note_needs(struct arena *, struct program *, const struct needs *);

/* Plans the run's pair, whose programs must have no flow control, and returns the best result. */
struct move_result *run_plan(struct run *, const struct move_options *);

/* Plans the result `first`, a plan for the pair `old`, again, since tidying may have removed instructions that hindered the plan, and plans that
 * result again, up to four times while each is better.  Returns the last result, joined with those before: its constants, literals and fates
 * refer to the pair `old`, against which it is proven.  `context` has the assumptions of the proof, without the constants of results.  Returns
 * `first` unchanged at -O1, with --preshader, --max-moves or --ps-slots, if it is `final` (see struct move_result), or if slots are the target
 * and it left the pair as it is.  Marks the returned result as not optimal if a further plan would gain but cannot be joined or proven, or if all
 * four plans gained. */
struct move_result *repeat_move(struct arena *, struct pair old, struct move_result *first, const struct move_options *,
                                const struct proof_context *context);

/* Makes the declarations of the new programs match their instructions, see link_declare().  Returns false if no usage or register is left for
 * a new declaration.  A second call changes nothing. */
bool run_declare(struct run *, struct move_result *);

/* Returns the program in the model in which it is written (ps_2_0 for ps_2_x); returns the program itself if that changes nothing. */
const struct program *run_as_written(struct arena *, const struct program *);

/* Steps of the pipeline.  step_move() may be called again, for example after constants were found that have no name in the VP. */
bool step_move(struct run *);
bool step_fit(struct run *);
bool step_print(struct run *);
bool step_reread(struct run *);
bool step_prove(struct run *);
bool step_finish(struct run *);

#endif
