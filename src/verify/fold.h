/* Checks folded constants: constants of the new pair that are computed before it runs.  Private to src/verify. */
#ifndef FPMOVE_VERIFY_FOLD_H
#define FPMOVE_VERIFY_FOLD_H

#include "verify/rational.h"
#include "verify/verify.h"

/* Checks that each folded literal of the new pair comes with an expression made of literals alone, and that each preset (a constant
 * lane that the application computes) is in a register that the application may set for the new pair.  Returns NULL or a message. */
const char *check_folds(struct arena *, struct pair old, struct pair new, const struct proof_context *);
/* Checks that a folded literal is the float nearest to `exact`, the value of its expression.  If `exact` is NULL, since the value is not
 * rational or has too many digits, computes it in long double. check_folds() must have accepted the literal.  Returns NULL or a message. */
const char *check_folded(struct arena *, struct pair new, const struct folded *, const struct rational *exact);

#endif
