/* A pair is moved again from what came of it, while that gains anything: what tidying removed may have stood in the way. */
#ifndef FPMOVE_REPEAT_H
#define FPMOVE_REPEAT_H

#include "move/passes.h"
#include "verify/verify.h"

/* The result of moving the pair `old` again and again, `first` being that of the first time (move_plan's, by the options):
 * with its constants, literals and fates in terms of the old pair, and proven against it.  `context`: what the proof may
 * assume besides what results need.  What is not known to be optimal is moved again, too; what stayed as
 * it is, or is final, is not.  If that would gain something that is not taken, the result is not optimal. */
struct move_result *repeat_move(struct arena *, struct pair old, struct move_result *first, const struct move_options *,
                                const struct proof_context *context);

#endif
