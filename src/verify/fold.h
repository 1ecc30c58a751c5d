/* Constants that were computed ahead.  Private to src/verify. */
#ifndef FPMOVE_VERIFY_FOLD_H
#define FPMOVE_VERIFY_FOLD_H

#include "verify/rational.h"
#include "verify/verify.h"

/* NULL if each literal in the new pair stands for an expression that is made of literals only, and each
 * preset lane may be set by the application as the new pair is drawn; else what is wrong. */
const char *check_folds(struct arena *, struct pair old, struct pair new, const struct proof_context *);
/* NULL if the literal that check_folds let pass is the float nearest to its expression, whose value is `exact`; NULL: that
 * is not a rational number, or takes too many digits, and long double says. */
const char *check_folded(struct arena *, struct pair new, const struct folded *, const struct rational *exact);

#endif
