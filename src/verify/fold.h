/* Checks constants that were computed ahead.  Private to src/verify. */
#ifndef FPMOVE_VERIFY_FOLD_H
#define FPMOVE_VERIFY_FOLD_H

#include "verify/rational.h"
#include "verify/verify.h"

/* Checks that each folded literal of the new pair has an expression made of literals only, and that the application may set
 * each preset lane when it draws the new pair.  Returns NULL or a message. */
const char *check_folds(struct arena *, struct pair old, struct pair new, const struct proof_context *);
/* Checks that a literal which check_folds() accepts is the float nearest to `exact`, the value of its expression.  If `exact` is NULL,
 * as the value is not rational or has too many digits, computes it in long double.  Returns NULL or a message. */
const char *check_folded(struct arena *, struct pair new, const struct folded *, const struct rational *exact);

#endif
