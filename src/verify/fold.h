/* Constants that were computed ahead.  Private to src/verify. */
#ifndef FPMOVE_VERIFY_FOLD_H
#define FPMOVE_VERIFY_FOLD_H

#include "verify/verify.h"

/* NULL if each literal in the new pair is the float nearest to its expression, which is made of
 * literals only, and each preset lane may be set by the application as the new pair is drawn;
 * else what is wrong. */
const char *check_folds(struct arena *, struct pair old, struct pair new, const struct proof_context *);

#endif
