/* Moves the result of a move again as long as that gains anything: tidying may have removed instructions that hindered the first move. */
#ifndef FPMOVE_REPEAT_H
#define FPMOVE_REPEAT_H

#include "move/passes.h"
#include "verify/verify.h"

/* Returns the result of moving the pair `old` again and again, beginning with `first`, the result of move_plan() for it.  Constants,
 * literals and fates of the returned result are those of the old pair, and it is proven against that.  `context` holds what the proof may
 * assume beside the needs of results.  A result that is final, or that left the pair as it is (if slots are the target), is not moved again.
 * If a further move would gain but cannot be joined or proven, the result is marked as not optimal. */
struct move_result *repeat_move(struct arena *, struct pair old, struct move_result *first, const struct move_options *,
                                const struct proof_context *context);

#endif
