/* Plans the result of a plan again, as long as that gains anything: tidying may have removed instructions that hindered the first plan. */
#ifndef FPMOVE_REPEAT_H
#define FPMOVE_REPEAT_H

#include "move/passes.h"
#include "verify/verify.h"

/* Plans the result `first` of move_plan() for the pair `old` again, then the result of that, as long as each is better, and at most four times.
 * Returns the last one, joined with those before it: its constants, literals and fates are about the pair `old`, and it is proven against that
 * pair.  `context` has the assumptions of the proof, without the constants of results.  Returns `first` as it is at -O1, with --preshader,
 * --max-moves or --stop-at, if it is `final` (see struct move_result), or if slots are the target and it left the pair as it is.  Marks the
 * returned result as not optimal if a further plan would gain but cannot be joined or proven, or if all four plans gained. */
struct move_result *repeat_move(struct arena *, struct pair old, struct move_result *first, const struct move_options *,
                                const struct proof_context *context);

#endif
