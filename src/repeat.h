/* Plans the result of a plan again, as long as that gains anything: tidying may have removed instructions that hindered the first plan. */
#ifndef FPMOVE_REPEAT_H
#define FPMOVE_REPEAT_H

#include "move/passes.h"
#include "verify/verify.h"

/* Plans the pair `old` again and again, beginning with `first`, its result of move_plan(), and returns the last result that is better.  That
 * is joined with the results before it: its constants, literals and fates are about the pair `old`, and it is proven against that pair.
 * `context` has the assumptions of the proof, without the constants of results.  Does not repeat a result that is final, or that left the
 * pair as it is (if slots are the target).  If a further plan would gain but cannot be joined or proven, marks the result as not optimal. */
struct move_result *repeat_move(struct arena *, struct pair old, struct move_result *first, const struct move_options *,
                                const struct proof_context *context);

#endif
